//! From what is to be said to a letter's bytes: tokens, threads and Message-IDs.

use super::desk::{Acknowledged, Desk, Movers, Playing};
use super::fence::FAILED;
use super::lost::next_look;
use super::office::{Office, OfficeError};
use super::roster::marks_of_seat;
use crate::club::{Command, Member, Minute, Seated};
use crate::mail::courier::{Draft, Origin, compose};
use crate::mail::{Appointment, Digest, Errand, Position, Sealed};
use crate::report::{GameLetter, Notice, Occasion, Page, Rendered, Report};
use crate::rules::{Message, Seat, Turn};
use crate::store::{Batch, Label, Outgoing, Reader, Shown};
use chrono::TimeDelta;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A letter about a game, before it has words.
#[derive(Clone, Copy)]
pub struct ToSeat<'a> {
    /// Who reads it.
    pub seat: Seat,
    /// Why.
    pub occasion: Occasion<'a>,
    /// What the reader asked to see besides.
    pub asked: &'a [Command],
    /// What makes its Message-ID differ from those of other letters to the seat, such as `r37`.
    pub mark: &'a str,
    /// The Message-IDs of the letters that it answers, oldest first.
    pub answers: &'a [String],
    /// What the reader should know of his plans.
    pub words: &'a [Message],
    /// What the reader is told of what was done to the game from outside of its rules.
    pub notes: &'a [Message],
    /// What players have said, as far as the reader may know it.
    pub talk: &'a [Minute],
}

impl<'a> ToSeat<'a> {
    /// A letter that nobody asked for.
    pub const fn unasked(seat: Seat, occasion: Occasion<'a>, mark: &'a str) -> Self {
        Self { seat, occasion, asked: &[], mark, answers: &[], words: &[], notes: &[], talk: &[] }
    }
}

impl Office {
    /// Writes and composes a letter about a game; none for whom no letter reaches.
    ///
    /// # Errors
    /// When the game's log holds what its rules cannot read, or the reader's address is none.
    pub fn game_letter(
        &self,
        page: &mut Page<'_>,
        playing: &Playing,
        to: &ToSeat<'_>,
    ) -> Result<Option<Outgoing>, OfficeError> {
        let Some((seated, member)) = playing.seat(to.seat) else { return Ok(None) };
        if member.undeliverable.is_some() || seated.left || member.has_left() {
            return Ok(None);
        }
        let number = playing.number();
        let position = Position { game: number, seat: to.seat.number(), seq: playing.table.head() };
        let token = self.secret.seal(position, marks_of_seat(seated, member));
        let minutes = self.minutes_asked(playing, to)?;
        let talk = playing.by_former(to.talk.to_vec());
        let mut notes = playing.news_words(to.seat);
        notes.extend(to.notes.iter().cloned());
        let mut clock = playing.clock_words(to.seat);
        if to.asked.contains(&Command::Status) {
            let pace = playing.pace(self.now, &member.time);
            clock.extend(pace.map(|pace| Message::new("pace-asked").with("pace", pace)));
        }
        let tag = (!self.settings.plus_addressing).then(|| token.subject_tag());
        let rendered = page.letter(
            &self.library,
            &GameLetter {
                club: &self.settings.name,
                reader: member,
                seat: to.seat,
                told: seated.told,
                occasion: to.occasion,
                asked: to.asked,
                subject_tag: tag.as_deref(),
                standing: &seated.standing,
                own_notes: &seated.notes,
                words: to.words,
                notes: &notes,
                talk: &talk,
                minutes: &minutes,
                clock: &clock,
            },
        )?;
        let reply_to =
            self.settings.plus_addressing.then(|| token.reply_address(&self.settings.address));
        let host = self.settings.host();
        let root = format!("g{number}.s{}.r1@{host}", to.seat);
        let message_id = self.message_id(&format!("g{number}.s{}.{}", to.seat, to.mark));
        let mut references = to.answers.to_vec();
        if root != message_id {
            references.insert(0, root);
        }
        let list = format!("g{number}.{host}");
        let entry = self.appointment(playing, to.seat, member);
        let mut letter = self.compose(
            member,
            &rendered,
            reader_at(number, to.seat, (seated, member)),
            &Thread {
                message_id: &message_id,
                reply_to: reply_to.as_deref(),
                in_reply_to: references.last().map(String::as_str),
                references: &references,
                list: Some((&rendered.subject, &list)),
                origin: origin(to.answers),
                calendars: entry.as_slice(),
            },
        )?;
        letter.part =
            rendered.part.map(|part| super::bundle::part_of(playing, to.seat, part, &token, entry));
        Ok(Some(letter))
    }

    /// The Message-ID of a letter about a game. A journal can be older than the store that was
    /// lost: what happens after a restore then has the numbers of records that were posted before,
    /// and some mail systems hide a letter whose Message-ID they know.
    pub(super) fn message_id(&self, letter: &str) -> String {
        let host = self.settings.host();
        match self.restored {
            None => format!("{letter}@{host}"),
            Some(at) => format!("{letter}.e{}@{host}", at.timestamp()),
        }
    }

    /// What was said and done around a game, as far as the reader of a letter asked for it and may
    /// read it.
    fn minutes_asked(
        &self,
        playing: &Playing,
        to: &ToSeat<'_>,
    ) -> Result<Vec<Minute>, OfficeError> {
        let Some((seated, _)) = playing.seat(to.seat) else { return Ok(Vec::new()) };
        if !to.asked.contains(&Command::History) {
            return Ok(Vec::new());
        }
        let mut minutes = self.store.minutes(playing.number())?;
        minutes.retain(|minute| seated.may_read(to.seat, minute));
        Ok(playing.by_former(minutes))
    }

    /// Writes and composes a letter about no game. A reply to it goes on this errand; without one
    /// it speaks for the member that it goes to.
    ///
    /// # Errors
    /// When the reader's address is none.
    pub fn notice(
        &self,
        to: &Member,
        notice: &Notice,
        errand: Option<Errand>,
        digest: &Digest,
        answered: Option<&String>,
    ) -> Result<Outgoing, OfficeError> {
        let rendered =
            self.library.notice(&to.language, &self.settings.name, notice, answered.is_some());
        let message_id = format!("n.a{digest}@{}", self.settings.host());
        self.without_game(to, rendered, errand, &message_id, answered)
    }

    /// What makes a reply to a letter about no game go on its errand; none for a stranger's.
    fn errand_token(&self, to: &Member, errand: Option<Errand>) -> Option<Sealed<Errand>> {
        match errand {
            None if to.id == 0 => None,
            None => Some(self.sealed_errand(to, Errand::Member(to.id))),
            Some(errand) => Some(self.sealed_errand(to, errand)),
        }
    }

    /// Writes and composes a note to the moderator.
    ///
    /// # Errors
    /// When the moderator's address is none.
    pub fn report(&self, lines: Vec<Message>) -> Result<Outgoing, OfficeError> {
        self.report_to(&self.moderator(&Desk::default())?, lines)
    }

    fn report_to(&self, to: &Member, lines: Vec<Message>) -> Result<Outgoing, OfficeError> {
        let language = self.settings.language.clone();
        let rendered = self.library.report(&language, &self.settings.name, &Report { lines });
        let digest = Digest::of(format!("{}\n{}", self.now, rendered.text).as_bytes());
        let message_id = format!("m.{digest}@{}", self.settings.host());
        let errand = Some(Errand::Moderator);
        self.without_game(to, rendered, errand, &message_id, None)
    }

    /// Composes a letter that is about no game. A reply to it goes on this errand; without one it
    /// speaks for the member that it goes to.
    ///
    /// # Errors
    /// When the reader's address is none.
    pub(super) fn without_game(
        &self,
        to: &Member,
        mut rendered: Rendered,
        errand: Option<Errand>,
        message_id: &str,
        answered: Option<&String>,
    ) -> Result<Outgoing, OfficeError> {
        let reader = match errand {
            Some(Errand::Moderator) => Reader::Moderator,
            Some(Errand::Member(id)) => Reader::Member(id),
            None if to.id > 0 => Reader::Member(to.id),
            Some(Errand::Join { .. } | Errand::Address { .. }) | None => Reader::Address,
        };
        let token = self.errand_token(to, errand);
        let mut reply_to = None;
        match token {
            Some(token) if self.settings.plus_addressing => {
                reply_to = Some(token.reply_address(&self.settings.address));
            }
            Some(token) => {
                rendered.subject = format!("{} {}", rendered.subject, token.subject_tag());
            }
            None => {}
        }
        let references: Vec<String> = answered.cloned().into_iter().collect();
        let thread = Thread {
            message_id,
            reply_to: reply_to.as_deref(),
            in_reply_to: answered.map(String::as_str),
            references: &references,
            list: None,
            origin: origin(&references),
            calendars: &[],
        };
        self.compose(to, &rendered, reader, &thread)
    }

    /// The deadline of a seat as an entry of a calendar, if its player wants that and is told one.
    fn appointment(&self, playing: &Playing, seat: Seat, member: &Member) -> Option<String> {
        let clock = playing.clock.as_ref().filter(|clock| clock.paused.is_none())?;
        let wait = clock.wait(seat).filter(|wait| member.letters.calendar && !wait.missed)?;
        if playing.table.turn() == Turn::Over {
            return None;
        }
        let founding = playing.table.founding();
        let language = self.library.language(&member.language);
        let title = language.title(founding, &self.settings.name);
        let summary = language.say(&Message::new("calendar-summary").with("game", title));
        let appointment = Appointment {
            uid: &format!("g{}.s{seat}@{}", founding.number, self.settings.host()),
            // A record can be followed by several letters, and each may move the deadline.
            sequence: (self.now - founding.at).num_minutes(),
            written: self.now,
            due: wait.deadline,
            summary: &summary,
            organizer: &self.settings.address,
        };
        Some(appointment.text())
    }

    fn compose(
        &self,
        to: &Member,
        rendered: &Rendered,
        reader: Reader,
        thread: &Thread<'_>,
    ) -> Result<Outgoing, OfficeError> {
        let recipient = to.addresses.first().cloned().unwrap_or_default();
        let bytes = compose(&Draft {
            message_id: thread.message_id,
            from: (&self.settings.name, &self.settings.address),
            to: (&to.name, &recipient),
            reply_to: thread.reply_to,
            subject: &rendered.subject,
            in_reply_to: thread.in_reply_to,
            references: thread.references,
            list: thread.list,
            unsubscribe: thread.list.map(|_| self.settings.moderator.address.as_str()),
            origin: thread.origin,
            at: self.now,
            text: &rendered.text,
            html: rendered.html.as_deref(),
            calendars: thread.calendars,
        })?;
        let message_id = thread.message_id.to_owned();
        let label = Some(Label { class: reader.class(), reader, written: self.now });
        Ok(Outgoing { message_id, recipient, bytes, part: None, label })
    }

    /// Turns what has happened on a desk into records, letters and due times: after this its batch
    /// can be committed.
    ///
    /// # Errors
    /// When the moderator's address is none.
    pub fn finish(&self, desk: &mut Desk) -> Result<(), OfficeError> {
        self.keep_members(desk)?;
        self.carry_on(desk);
        self.catch_up(desk)?;
        let moved: Vec<(u32, &Playing, &Movers)> = desk
            .moved
            .iter()
            .filter_map(|(game, movers)| Some((*game, desk.games.get(game)?, movers)))
            .collect();
        // Words take most of a pass, and one game's do not touch another's.
        let written: Vec<_> = moved
            .par_iter()
            .map(|(game, playing, movers)| {
                // A fault in one game's rules or words must not stop the others.
                let letters = catch_unwind(AssertUnwindSafe(|| self.turn_letters(playing, movers)));
                (*game, letters)
            })
            .collect();
        for (game, letters) in written {
            match letters {
                Ok(Ok(letters)) => desk.accept(self, game, letters),
                Ok(Err(error)) => desk.fence_off(game, &error.to_string()),
                Err(_) => desk.fence_off(game, FAILED),
            }
        }
        self.welcome_back(desk);
        self.write_to_observers(desk)?;
        self.keep_gatherings(desk)?;
        self.tell_of_held(desk)?;
        desk.write_to_leavers();
        let mut reports = Vec::new();
        // Ten letters to a broken game say no more of it than one.
        for report in std::mem::take(&mut desk.reports) {
            if !reports.contains(&report) {
                reports.push(report);
            }
        }
        if !reports.is_empty() {
            let report = self.report_to(&self.moderator(desk)?, reports)?;
            desk.batch.outgoing.push(report);
        }
        Ok(())
    }

    /// Lets the games on a desk go on by what their players have planned.
    fn carry_on(&self, desk: &mut Desk) {
        for game in desk.moved.keys().copied().collect::<Vec<_>>() {
            let Some(playing) = desk.games.get_mut(&game) else { continue };
            match catch_unwind(AssertUnwindSafe(|| playing.carry_on(self.now))) {
                Ok(words) => {
                    let movers = desk.moved.entry(game).or_default();
                    playing.keep_time(self.now, movers);
                    movers.words.extend(words);
                }
                Err(_) => desk.fence_off(game, "the program failed on one of its plans"),
            }
        }
    }

    /// The letters that a game leads to: to every seat when it has moved, and else to those who
    /// have planned.
    ///
    /// # Errors
    /// When the game's log holds what its rules cannot read.
    pub fn turn_letters(
        &self,
        playing: &Playing,
        movers: &Movers,
    ) -> Result<Vec<Outgoing>, OfficeError> {
        let mut page = Page::new(&playing.table, &playing.names);
        let mut letters = Vec::new();
        let empty = Acknowledged::default();
        for seat in Seat::all(playing.table.founding().seats) {
            if !playing.has_moved() && !movers.writes_to(seat) {
                continue;
            }
            let said = movers.to(seat);
            let (moved, own) = (playing.has_moved(), said.own.unwrap_or(&empty));
            let occasion = match () {
                () if own.carried_out => {
                    Occasion::Accepted { lines: &own.lines, remarks: &own.remarks }
                }
                () if !own.lines.is_empty() => {
                    Occasion::Planned { lines: &own.lines, remarks: &own.remarks }
                }
                () if !moved => Occasion::Told,
                () if playing.table.head() == 1 => Occasion::Welcome,
                () => Occasion::News,
            };
            let mark = match said.own {
                Some(own) if !moved => format!("a{}", own.digest),
                None if !moved => {
                    let news = playing.seat(seat).map(|(seated, _)| seated.news.as_slice());
                    let digest = said.digest(self.now, news.unwrap_or_default());
                    format!("r{}.n{digest}", playing.table.head())
                }
                _ => format!("r{}", playing.table.head()),
            };
            let to = ToSeat {
                seat,
                occasion,
                asked: &own.asked,
                mark: &mark,
                answers: &own.answers,
                words: &said.words,
                notes: &said.notes,
                talk: &said.talk,
            };
            letters.extend(self.game_letter(&mut page, playing, &to)?);
        }
        Ok(letters)
    }

    /// When a game that waits should be looked at again; never when it is over.
    pub fn due(&self, batch: &mut Batch, playing: &Playing) {
        let days = self.settings.reminder_days;
        let waits = days > 0 && playing.table.turn() != Turn::Over;
        let next = match &playing.clock {
            Some(clock) => {
                next_look(clock, &playing.seats).into_iter().chain(playing.next_moment()).min()
            }
            // So many days that no calendar has the day are never.
            None if waits => self.now.checked_add_signed(TimeDelta::days(days.into())),
            None => None,
        };
        let at = next.into_iter().chain(playing.lapses).min();
        batch.due.push((playing.number(), at));
    }
}

impl Desk {
    fn accept(&mut self, office: &Office, game: u32, letters: Vec<Outgoing>) {
        self.batch.outgoing.extend(letters);
        if let Some(playing) = self.games.get_mut(&game) {
            let movers = self.moved.get(&game);
            let is_written_to = |seat: Seat| movers.is_some_and(|all| all.writes_to(seat));
            for seat in Seat::all(playing.table.founding().seats) {
                if playing.has_moved() || is_written_to(seat) {
                    playing.told(seat);
                }
            }
            let looked_at_later = playing.clock.is_some()
                || playing.clock != playing.stored_clock
                || playing.lapses != playing.stored_lapses;
            if playing.has_moved() || looked_at_later {
                office.due(&mut self.batch, playing);
            }
            playing.keep_seats(&mut self.batch);
            self.batch.log_lines.extend(playing.new_lines());
        }
    }
}

/// Whom a letter about a seat is for.
fn reader_at(game: u32, seat: Seat, (seated, reader): (&Seated, &Member)) -> Reader {
    let Seated { member, generation, told, .. } = *seated;
    let marks = reader.generation;
    Reader::Seats { member, seats: vec![Shown { game, seat, generation, marks, told }] }
}

/// Where a letter stands among others.
struct Thread<'a> {
    message_id: &'a str,
    reply_to: Option<&'a str>,
    in_reply_to: Option<&'a str>,
    references: &'a [String],
    list: Option<(&'a str, &'a str)>,
    origin: Origin,
    calendars: &'a [String],
}

const fn origin(answered: &[String]) -> Origin {
    if answered.is_empty() { Origin::Generated } else { Origin::Replied }
}
