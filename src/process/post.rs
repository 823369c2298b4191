//! From what is to be said to a letter's bytes: tokens, threads and Message-IDs.

use super::fence::{Barred, FAILED};
use super::lost::next_look;
use super::mover::Movers;
use super::office::{Office, OfficeError};
use super::outcome::Acknowledged;
use super::playing::Playing;
use super::roster::marks_of_seat;
use super::transaction::{Committed, Transaction};
use crate::club::{Command, Member, Minute, Seated};
use crate::mail::courier::{Draft, Origin, compose};
use crate::mail::{Appointment, Digest, Errand, Position, Sealed};
use crate::report::{GameLetter, Notice, Occasion, Page, Rendered, Report};
use crate::rules::{Message, Seat, Turn};
use crate::store::{Label, Outgoing, Reader, Shown};
use chrono::{DateTime, TimeDelta, Utc};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the moderator is told of a game whose plans cannot be carried out.
const PLANS_FAILED: &str = "the program failed on one of its plans";

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
        tx: &Transaction<'_>,
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
        let minutes = minutes_asked(tx, playing, to)?;
        let talk = playing.by_former(to.talk.to_vec());
        let mut notes = playing.news_words(to.seat);
        notes.extend(to.notes.iter().cloned());
        let clock = self.time_words(playing, to, member);
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

    /// What a letter says of its reader's time, and of the game's pace to who asks for it.
    fn time_words(&self, playing: &Playing, to: &ToSeat<'_>, member: &Member) -> Vec<Message> {
        let mut words = playing.clock_words(to.seat);
        if to.asked.contains(&Command::Status) {
            let pace = playing.pace(self.now, &member.time);
            words.extend(pace.map(|pace| Message::new("pace-asked").with("pace", pace)));
        }
        words
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
    pub fn report(
        &self,
        tx: &Transaction<'_>,
        lines: Vec<Message>,
    ) -> Result<Outgoing, OfficeError> {
        let to = &self.moderator(tx)?;
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

    /// Brings a transaction to its end and commits it; then the plain text copy.
    ///
    /// # Errors
    /// When the club cannot be read or written.
    pub(super) fn conclude(&self, mut tx: Transaction<'_>) -> Result<Committed, OfficeError> {
        self.finish(&mut tx)?;
        self.keep(tx)
    }

    /// Turns what has happened in a transaction into letters and due times: after this it can be
    /// committed. Gives the letters that moved a game which failed at this, by their files' names:
    /// they are in quarantine now.
    ///
    /// # Errors
    /// When the club cannot be read, or the moderator's address is none.
    pub(super) fn finish(&self, tx: &mut Transaction<'_>) -> Result<Barred, OfficeError> {
        self.keep_members(tx)?;
        let mut barred = self.carry_on(tx);
        self.catch_up(tx)?;
        for (game, letters) in self.written(tx) {
            match letters {
                Ok(letters) => self.tell_players(tx, game, letters),
                Err(why) => barred.extend(fence_off(tx, game, &why)),
            }
        }
        self.welcome_back(tx);
        self.write_to_observers(tx)?;
        self.tell_of_held(tx)?;
        tx.write_to_leavers();
        let mut reports = Vec::new();
        // Ten letters to a broken game say no more of it than one.
        for report in tx.take_reports() {
            if !reports.contains(&report) {
                reports.push(report);
            }
        }
        if !reports.is_empty() {
            let report = self.report(tx, reports)?;
            tx.write().outgoing.push(report);
        }
        Ok(barred)
    }

    /// The letters that the games lead to which have moved; or what is wrong with one.
    fn written(&self, tx: &Transaction<'_>) -> Vec<(u32, Result<Vec<Outgoing>, String>)> {
        // Words take most of a pass, and one game's do not touch another's.
        let letters = |game: u32| {
            let (playing, movers) = (tx.game(game)?, tx.movers(game)?);
            // A fault in one game's rules or words must not stop the others.
            let write = AssertUnwindSafe(|| self.turn_letters(tx, playing, movers));
            let letters = catch_unwind(write).map_err(|_| FAILED.to_owned());
            Some((game, letters.and_then(|letters| letters.map_err(|error| error.to_string()))))
        };
        tx.moved_games().into_par_iter().filter_map(letters).collect()
    }

    /// Lets the games that have moved go on by what their players have planned; which letters are
    /// not to be judged again.
    fn carry_on(&self, tx: &mut Transaction<'_>) -> Barred {
        let mut barred = Barred::new();
        for game in tx.moved_games() {
            let Some(mut playing) = tx.take_game(game) else { continue };
            match catch_unwind(AssertUnwindSafe(|| playing.carry_on(self.now))) {
                Ok(words) => {
                    let movers = tx.movers_mut(game);
                    playing.keep_time(self.now, movers);
                    movers.words.extend(words);
                    tx.put_game(playing);
                }
                Err(_) => barred.extend(fence_off(tx, game, PLANS_FAILED)),
            }
        }
        barred
    }

    /// Takes in the letters that a game leads to: its players are told of everything by them.
    fn tell_players(&self, tx: &mut Transaction<'_>, game: u32, letters: Vec<Outgoing>) {
        tx.write().outgoing.extend(letters);
        let Some(playing) = tx.game(game) else { return };
        let told: Vec<Seat> =
            playing.all_seats().filter(|seat| tx.writes_to(game, *seat)).collect();
        let looked_at_later = playing.clock.is_some()
            || playing.clock != playing.stored_clock
            || playing.lapses != playing.stored_lapses;
        if playing.has_moved() || looked_at_later {
            tx.set_due(self.due(playing));
        }
        if let Some(playing) = tx.game_mut(game) {
            told.into_iter().for_each(|seat| playing.told(seat));
        }
    }

    /// The letters that a game leads to: to every seat when it has moved, and else to those who
    /// have planned.
    ///
    /// # Errors
    /// When the game's log holds what its rules cannot read.
    pub fn turn_letters(
        &self,
        tx: &Transaction<'_>,
        playing: &Playing,
        movers: &Movers,
    ) -> Result<Vec<Outgoing>, OfficeError> {
        let mut page = Page::new(&playing.table, &playing.names);
        let mut letters = Vec::new();
        let empty = Acknowledged::default();
        for seat in Seat::all(playing.table.founding().seats) {
            if !playing.has_news_for(seat) && !movers.writes_to(seat) {
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
            letters.extend(self.game_letter(tx, &mut page, playing, &to)?);
        }
        Ok(letters)
    }

    /// When a game is to be looked at again; never when it is over.
    pub fn due(&self, playing: &Playing) -> (u32, Option<DateTime<Utc>>) {
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
        (playing.number(), next.into_iter().chain(playing.lapses).min())
    }
}

/// Takes a game out of a transaction at which something failed; the letters that moved it.
fn fence_off(tx: &mut Transaction<'_>, game: u32, why: &str) -> Barred {
    let files = tx.fence_off(game, why).into_iter();
    files.map(|file| (file, (game, why.to_owned()))).collect()
}

/// What was said and done around a game, as far as the reader of a letter asked for it and may read
/// it.
fn minutes_asked(
    tx: &Transaction<'_>,
    playing: &Playing,
    to: &ToSeat<'_>,
) -> Result<Vec<Minute>, OfficeError> {
    let Some((seated, _)) = playing.seat(to.seat) else { return Ok(Vec::new()) };
    if !to.asked.contains(&Command::History) {
        return Ok(Vec::new());
    }
    let mut minutes = tx.minutes_before(playing.number())?;
    minutes.retain(|minute| seated.may_read(to.seat, minute));
    Ok(playing.by_former(minutes))
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
