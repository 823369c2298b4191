//! A pass looks at the clocks: reminders, deadlines that are over, and outages of our own.
//!
//! What a clock leads to is in the same commit as the clock, so that nothing is done twice and
//! nothing is left out, whatever a pass is killed after.

use super::desk::{Desk, Movers, Playing};
use super::fence::fenced;
use super::idle::{forget_pulse, pulse_of};
use super::lost::{reach, run_again};
use super::office::{Office, OfficeError};
use super::pass::PassReport;
use super::post::ToSeat;
use crate::club::clock::{Event, GameClock, Nmr, Outage, OwnTime, Pulse, span_words};
use crate::club::{Member, MemberLine, Notes, address_line};
use crate::report::{Occasion, Page};
use crate::rules::{Message, Refusal, Seat, Turn};
use crate::store::Batch;
use crate::table::{Cause, OrderLine, Refused};
use chrono::{TimeDelta, Utc};

/// How many games that are due go into one commit.
pub(super) const GAMES_A_COMMIT: usize = 200;
/// When a game is looked at again that could not be carried on.
const BROKEN: TimeDelta = TimeDelta::days(7);
/// The moderator is told after each so many turns that were done for an absent player.
const OFTEN: u32 = 3;
/// After an outage no time is over before this, counted from its end.
const RESPITE: TimeDelta = TimeDelta::hours(24);

impl Playing {
    /// The game with the clock that the store has for it.
    pub(super) fn timed_by(mut self, clock: Option<GameClock>) -> Self {
        self.stored_clock = clock.clone();
        self.clock = clock;
        self
    }

    /// What a letter to this seat says of the clock, and of seats that nobody sits at any more: who
    /// waits for one of them should know that nobody there will write.
    pub(super) fn clock_words(&self, seat: Seat) -> Vec<Message> {
        if self.table.turn() == Turn::Over {
            return Vec::new();
        }
        let mut words = match (&self.clock, self.seat(seat)) {
            (Some(clock), Some((_, member))) => clock.words(seat, &member.time),
            _ => Vec::new(),
        };
        words.extend(self.lost_words(seat));
        let missed = self.clock.as_ref().map(GameClock::open_seats).unwrap_or_default();
        let mut left = self.open_seats();
        left.retain(|open| !missed.contains(open));
        if !left.is_empty() {
            words.push(Message::new("clock-seat-open").with("count", left.len()).with("who", left));
        }
        words
    }

    /// Sets the clock to what has happened since it was last set.
    ///
    /// What a player is late by is counted to when his letter came to us, however late it was read;
    /// a time that lies ahead of us is none. All else is counted from now: nobody is asked before
    /// his letter is written, and a log's times go forward only.
    pub(super) fn keep_time(&mut self, now: chrono::DateTime<Utc>, movers: &Movers) {
        let awaited = match self.table.turn() {
            Turn::Awaiting(seats) => seats,
            Turn::Over => Vec::new(),
        };
        let mut acted = Vec::new();
        let mut absent = Vec::new();
        let mut taken_back = false;
        for record in self.table.records_since(self.timed) {
            match record.cause {
                Cause::Orders { seat, .. } => acted.push(seat),
                Cause::Absent { seat, .. } => {
                    acted.push(seat);
                    absent.push(seat);
                }
                Cause::Rewound { .. } => taken_back = true,
                Cause::Founded | Cause::Ended { .. } => {}
            }
        }
        acted.sort_unstable();
        acted.dedup();
        self.timed = self.table.head();
        let Self { clock, seats, .. } = self;
        if let Some(clock) = clock {
            for seat in &acted {
                let letter = movers.acknowledged.get(seat).and_then(|own| own.received);
                let received = letter.map_or(now, |received| received.min(now));
                let seated = seats.get_mut(seat.index()).filter(|_| !taken_back);
                if let Some((seated, _)) = seated {
                    seated.punctuality.count(clock, *seat, absent.contains(seat), received);
                }
                clock.charge(*seat, received);
                if movers.acknowledged.get(seat).is_some_and(|own| own.carried_out) {
                    clock.played(*seat);
                }
            }
            let own = |seat: Seat| seats.get(seat.index()).map(|(_, member)| &member.time);
            clock.turned(&awaited, &acted, taken_back, now, own);
            reach(clock, seats, now);
        }
    }

    /// Puts the clock into a batch if it has changed.
    pub(super) fn keep_clock(&mut self, batch: &mut Batch) {
        if self.clock != self.stored_clock {
            batch.clocks.extend(self.clock.clone().map(|clock| (self.number(), clock)));
            self.stored_clock = self.clock.clone();
        }
    }

    /// Notes how a member is after a letter of his.
    pub(super) fn learn(&mut self, member: &Member) {
        for (_, old) in self.seats.iter_mut().filter(|(_, old)| old.id == member.id) {
            *old = member.clone();
        }
    }

    /// Reckons the deadline of this seat again, whose player's own time has changed, or who can or
    /// cannot be reached any more.
    pub(super) fn reckon_again(&mut self, seat: Seat, now: chrono::DateTime<Utc>) {
        let own = self.seat(seat).map(|(_, member)| member.time.clone()).unwrap_or_default();
        if let Some(clock) = &mut self.clock {
            clock.reckon_again(seat, &own, now);
            reach(clock, &self.seats, now);
        }
    }
}

/// What a letter's lines for the house come to.
#[derive(Default)]
pub(super) struct ForHouse {
    /// The member afterwards; none when nothing changed.
    pub member: Option<Member>,
    /// The seat's notes afterwards; none when nothing changed.
    pub notes: Option<Notes>,
    /// What he is told of it.
    pub words: Vec<Message>,
    /// Addresses that he says are his.
    pub confirm: Vec<String>,
}

impl Office {
    /// Takes the lines for the house out of a letter's lines.
    ///
    /// # Errors
    /// The first of them that cannot be done: then the whole letter is not.
    pub(super) fn for_house(
        &self,
        member: &Member,
        lines: &mut Vec<OrderLine>,
    ) -> Result<ForHouse, Refused> {
        let languages: Vec<&str> = self.library.tags().collect();
        let offer = self.offer(&languages);
        let mut house = ForHouse::default();
        let mut orders = Vec::new();
        for line in lines.drain(..) {
            if let Some(address) = address_line(&line.text) {
                let refused = |why| Refused { line: Some(line), refusal: Refusal::illegal(why) };
                let address = address.map_err(refused)?;
                house.words.push(Message::new("address-asked").with("address", address.as_str()));
                house.confirm.push(address);
                continue;
            }
            let Some(read) = MemberLine::read(&line.text) else {
                orders.push(line);
                continue;
            };
            let now = house.member.as_ref().unwrap_or(member);
            let (after, said) = read
                .and_then(|read| read.onto(now, self.now, &offer))
                .map_err(|why| Refused { line: Some(line), refusal: Refusal::illegal(why) })?;
            house.member = Some(after);
            house.words.push(said);
        }
        *lines = orders;
        Ok(house)
    }

    /// Puts the clocks of all games of those members into a desk's batch whose own time has changed
    /// on it.
    pub(super) fn keep_members(&self, desk: &mut Desk) -> Result<(), OfficeError> {
        for member in desk.changed.members() {
            let same = |before: Member| {
                let reached = before.undeliverable.is_none() == member.undeliverable.is_none();
                before.time == member.time && reached
            };
            if self.store.member(member.id)?.is_some_and(same) {
                continue;
            }
            for (game, seat) in desk.seats_of(self, member.id)? {
                if !desk.games.contains_key(&game) && self.store.clock(game)?.is_none() {
                    continue;
                }
                match desk.playing(self, game) {
                    Err(OfficeError::Store(error)) => return Err(error.into()),
                    Err(_) => continue,
                    Ok(_) => {}
                }
                if let Some(playing) = desk.games.get_mut(&game) {
                    playing.learn(&member);
                }
                self.recount(desk, game)?;
                let timed = |playing: &&mut Playing| playing.clock.is_some();
                if let Some(playing) = desk.games.get_mut(&game).filter(timed) {
                    playing.reckon_again(seat, self.now);
                    playing.keep_clock(&mut desk.batch);
                    self.due(&mut desk.batch, playing);
                }
            }
        }
        Ok(())
    }

    /// Notes this pass. When it comes much too late, everyone whose time was or is soon over gets
    /// the time back that passed meanwhile; this comes before any letter is read, so that no bank
    /// pays for it.
    pub(super) fn feel_pulse(&self) -> Result<(), OfficeError> {
        self.set_right()?;
        if !self.store.has_clocks()? {
            return Ok(());
        }
        let mut batch = Batch::default();
        match self.store.pulse()? {
            None => {
                batch.pulse = Some(Pulse::first(self.now));
                let clocks = self.store.clocks()?;
                let waits = clocks.iter().flat_map(|(_, clock)| &clock.waits);
                let asked = waits.map(|wait| wait.since).min();
                if let Some(outage) = Pulse::before_first(asked, self.now) {
                    self.stand_still(&mut batch, outage, "report-outage")?;
                }
            }
            Some(pulse) => {
                let (next, outage) = pulse_of(&self.folder, pulse).beat(self.now);
                batch.pulse = next;
                if let Some(outage) = outage {
                    self.stand_still(&mut batch, outage, "report-outage")?;
                }
            }
        }
        self.keep(&batch)?;
        if batch.pulse.is_some() { forget_pulse(&self.folder) } else { Ok(()) }
    }

    /// Gives back the time of an outage, and tells the moderator by the sentence of this key.
    pub(super) fn stand_still(
        &self,
        batch: &mut Batch,
        outage: Outage,
        key: &'static str,
    ) -> Result<(), OfficeError> {
        let mut games = 0_usize;
        let until = self.now + RESPITE;
        for (game, mut around) in self.store.gatherings()? {
            if around.stood_still(outage, until) {
                self.due_around(batch, game, &around, self.store.clock(game)?.as_ref())?;
                batch.gatherings.push((game, around));
            }
        }
        for (game, mut clock) in self.store.clocks()? {
            if clock.stood_still(outage, until) {
                let times = self.own_times(game)?;
                clock.settle(|seat| times.get(seat.index()));
                let put_off = batch.gatherings.iter().find(|(of, _)| *of == game);
                let around = match put_off {
                    Some((_, around)) => around.clone(),
                    None => self.store.gathering(game)?,
                };
                self.due_around(batch, game, &around, Some(&clock))?;
                batch.clocks.push((game, clock));
                games += 1;
            }
        }
        if games > 0 {
            let note = Message::new(key)
                .with("since", outage.since.format("%Y-%m-%d %H:%M UTC").to_string())
                .with("span", span_words(outage.length))
                .with("count", games);
            batch.outgoing.push(self.report(vec![note])?);
        }
        Ok(())
    }

    /// The own times of those who sit at a game, by seat.
    pub(super) fn own_times(&self, game: u32) -> Result<Vec<OwnTime>, OfficeError> {
        let mut times = Vec::new();
        for seated in self.store.seats(game)? {
            let member = self.store.member(seated.member)?;
            times.push(member.map(|member| member.time).unwrap_or_default());
        }
        Ok(times)
    }

    /// Does what the clocks of these games ask for, which are due.
    pub(super) fn run_clocks(
        &self,
        due: &[u32],
        report: &mut PassReport,
    ) -> Result<(), OfficeError> {
        self.for_each_due(due, |desk, game| self.run_clock(desk, game, report))
    }

    /// Does something for each of these games, which are due; many go into one commit.
    ///
    /// # Errors
    /// When the club cannot be read or written. What goes wrong in one game is kept from the rest.
    pub(super) fn for_each_due(
        &self,
        due: &[u32],
        mut work: impl FnMut(&mut Desk, u32) -> Result<(), OfficeError>,
    ) -> Result<(), OfficeError> {
        for games in due.chunks(GAMES_A_COMMIT) {
            let mut desk = Desk::default();
            for game in games {
                if let Err(why) = fenced(|| work(&mut desk, *game))? {
                    desk.fence_off(*game, &why);
                }
            }
            self.finish(&mut desk)?;
            for game in games.iter().filter(|game| !desk.games.contains_key(*game)) {
                // It could not be carried on: the moderator knows, and hears of it once a week.
                desk.batch.due.push((*game, Some(self.now + BROKEN)));
            }
            self.keep(&desk.batch)?;
        }
        Ok(())
    }

    fn run_clock(
        &self,
        desk: &mut Desk,
        game: u32,
        report: &mut PassReport,
    ) -> Result<(), OfficeError> {
        let mut playing = desk.playing(self, game)?.clone();
        if playing.next_moment().is_some_and(|at| at <= self.now) {
            let words = playing.carry_on(self.now);
            if playing.has_moved() {
                desk.moved.insert(game, Movers { words, ..Movers::default() });
                desk.games.insert(game, playing);
                return Ok(());
            }
        }
        let Some(mut clock) = playing.clock.clone() else { return Ok(()) };
        let stood = clock.clone();
        reach(&mut clock, &playing.seats, self.now);
        desk.reports.extend(run_again(&playing, &stood, &clock));
        let mut letters = Vec::new();
        let mut opened = Vec::new();
        let mut absent = 0;
        for (seat, event) in clock.due(self.now) {
            let words = match event {
                Event::Extended => clock.tell_extended(seat).map(|by| vec![extended(by)]),
                Event::Reminder => Some(self.reminder(&playing, &clock, seat)),
                Event::Nmr if clock.rules.nmr == Nmr::Forfeit => {
                    if !playing.table.turn().awaits(seat) {
                        continue;
                    }
                    playing.forfeit(seat, self.now)?;
                    absent += 1;
                    None
                }
                Event::Nmr => {
                    let note = Message::new("report-missed").with("number", game);
                    let name = playing.names.get(seat.index()).cloned().unwrap_or_default();
                    desk.reports.push(note.with("who", name));
                    Some(Vec::new())
                }
            };
            match event {
                Event::Nmr => {
                    if clock.missed(seat, self.now) {
                        opened.push(seat);
                        desk.reports.push(seat_open(&playing, seat));
                    }
                    desk.reports.extend(often_absent(&playing, &clock, seat));
                }
                Event::Reminder | Event::Extended => clock.reminded(seat, self.now),
            }
            letters.extend(words.map(|words| (seat, words)));
        }
        playing.clock = Some(clock);
        if playing.has_moved() {
            // Everyone gets a letter of the turn, which says until when he has time.
            report.absent += absent;
            desk.moved.insert(game, Movers::default());
        } else {
            letters.extend(others_of_open(&playing, &opened, &letters));
            report.reminded += self.tell(&mut desk.batch, &mut playing, &letters)?;
            playing.keep_seats(&mut desk.batch);
            self.due(&mut desk.batch, &playing);
        }
        desk.games.insert(game, playing);
        opened.into_iter().try_for_each(|seat| self.fill(desk, game, seat))
    }

    /// Says when a player's time is over and what happens then.
    fn reminder(&self, playing: &Playing, clock: &GameClock, seat: Seat) -> Vec<Message> {
        let mut words = vec![Message::new("clock-reminder")];
        if clock.rules.nmr == Nmr::Forfeit && clock.wait(seat).is_some_and(|wait| !wait.missed) {
            let line = playing.table.game().forfeit(seat);
            words.push(Message::new("clock-would-do").with("line", line));
        }
        words
    }

    /// Writes letters about the clock.
    fn tell(
        &self,
        batch: &mut Batch,
        playing: &mut Playing,
        letters: &[(Seat, Vec<Message>)],
    ) -> Result<usize, OfficeError> {
        let mark = format!("r{}.t{}", playing.table.head(), self.now.timestamp());
        let mut written = Vec::new();
        let mut page = Page::new(&playing.table, &playing.names);
        for (seat, words) in letters {
            let to = ToSeat::unasked(*seat, Occasion::Clock { words }, &mark);
            written.extend(self.game_letter(&mut page, playing, &to)?);
        }
        let count = written.len();
        batch.outgoing.extend(written);
        letters.iter().for_each(|(seat, _)| playing.told(*seat));
        Ok(count)
    }
}

/// What the moderator hears when a substitute is wanted.
fn seat_open(playing: &Playing, seat: Seat) -> Message {
    let name = playing.names.get(seat.index()).cloned().unwrap_or_default();
    let note = Message::new("report-seat-open").with("number", playing.number());
    note.with("seat", seat.number()).with("who", name)
}

/// Letters to those who would get none although a seat was opened; how the clock stands, and that
/// the seat is open, is in each of them.
fn others_of_open(
    playing: &Playing,
    opened: &[Seat],
    letters: &[(Seat, Vec<Message>)],
) -> Vec<(Seat, Vec<Message>)> {
    let seats = Seat::all(if opened.is_empty() { 0 } else { playing.table.founding().seats });
    let written = |seat: &Seat| letters.iter().any(|(to, _)| to == seat);
    seats.filter(|seat| !written(seat)).map(|seat| (seat, Vec::new())).collect()
}

/// What the moderator hears of a player who is absent again and again.
fn often_absent(playing: &Playing, clock: &GameClock, seat: Seat) -> Option<Message> {
    let misses = clock.misses.get(seat.index()).copied().unwrap_or(0);
    let name = playing.names.get(seat.index()).cloned().unwrap_or_default();
    (clock.rules.nmr == Nmr::Forfeit && misses > 0 && misses % OFTEN == 0).then(|| {
        Message::new("report-often-absent")
            .with("who", name)
            .with("count", misses)
            .with("number", playing.number())
    })
}

fn extended(by: TimeDelta) -> Message {
    Message::new("clock-extended").with("span", span_words(by))
}
