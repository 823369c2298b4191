//! A pass looks at the clocks: reminders, deadlines that are over, and outages of our own.
//!
//! What a clock leads to is in the same commit as the clock, so that nothing is done twice and
//! nothing is left out, whatever a pass is killed after.

use super::fence::fenced;
use super::idle::{forget_pulse, pulse_of};
use super::lost::{reach, run_again};
use super::mover::Movers;
use super::office::{Office, OfficeError};
use super::outbound::ToSeat;
use super::pass::PassReport;
use super::playing::Playing;
use super::transaction::{Transaction, retry};
use crate::club::Member;
use crate::club::clock::{Event, GameClock, Nmr, Outage, OwnTime, Pulse, span_words};
use crate::report::Occasion;
use crate::rules::{Message, Seat, Turn};
use crate::store::Repository;
use crate::table::Cause;
use chrono::{TimeDelta, Utc};

/// How many games that are due go into one commit.
pub(super) const GAMES_A_COMMIT: usize = 200;
/// When a game is looked at again that could not be carried on.
pub(super) const BROKEN: TimeDelta = TimeDelta::days(7);
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

impl Office {
    /// Puts the clocks of all games of those members into a transaction's batch whose own time has
    /// changed on it.
    pub(super) fn keep_members(&self, tx: &mut Transaction<'_>) -> Result<(), OfficeError> {
        for member in tx.changed_members() {
            let same = |before: Member| {
                let reached = before.undeliverable.is_none() == member.undeliverable.is_none();
                before.time == member.time && reached
            };
            if tx.member_before(member.id)?.is_some_and(same) {
                continue;
            }
            for (game, seat) in tx.seats_held(member.id)? {
                if tx.game(game).is_none() && tx.clock(game)?.is_none() {
                    continue;
                }
                match tx.playing(game) {
                    Err(OfficeError::Store(error)) => return Err(error.into()),
                    Err(_) => continue,
                    Ok(_) => {}
                }
                self.recount(tx, game)?;
                let timed = |playing: &&mut Playing| playing.clock.is_some();
                if let Some(playing) = tx.game_mut(game).filter(timed) {
                    playing.reckon_again(seat, self.now);
                    let due = self.due(playing);
                    tx.set_due(due);
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
        let beats = retry(|| {
            let mut tx = self.begin();
            let beats = tx.has_clocks()? && self.beat(&mut tx)?;
            self.keep(tx)?;
            Ok(beats)
        })?;
        if beats { forget_pulse(&self.folder) } else { Ok(()) }
    }

    /// Notes this pass in a transaction; whether there was anything to note.
    fn beat(&self, tx: &mut Transaction<'_>) -> Result<bool, OfficeError> {
        match tx.pulse()? {
            None => {
                tx.write().pulse = Some(Pulse::first(self.now));
                let clocks = tx.clocks()?;
                let waits = clocks.iter().flat_map(|(_, clock)| &clock.waits);
                let asked = waits.map(|wait| wait.since).min();
                if let Some(outage) = Pulse::before_first(asked, self.now) {
                    self.stand_still(tx, outage, "report-outage")?;
                }
                Ok(true)
            }
            Some(pulse) => {
                let (next, outage) = pulse_of(&self.folder, pulse).beat(self.now);
                tx.write().pulse = next;
                if let Some(outage) = outage {
                    self.stand_still(tx, outage, "report-outage")?;
                }
                Ok(next.is_some())
            }
        }
    }

    /// Gives back the time of an outage, and tells the moderator by the sentence of this key.
    pub(super) fn stand_still(
        &self,
        tx: &mut Transaction<'_>,
        outage: Outage,
        key: &'static str,
    ) -> Result<(), OfficeError> {
        let mut games = 0_usize;
        let until = self.now + RESPITE;
        for (game, mut around) in tx.gatherings()? {
            if around.stood_still(outage, until) {
                let clock = tx.clock(game)?;
                self.due_around(tx, game, &around, clock.as_ref())?;
                tx.put_gathering(game, around);
            }
        }
        for (game, mut clock) in tx.clocks()? {
            if clock.stood_still(outage, until) {
                let times = own_times(tx, game)?;
                clock.settle(|seat| times.get(seat.index()));
                let around = tx.gathering(game)?;
                self.due_around(tx, game, &around, Some(&clock))?;
                tx.write().clocks.push((game, clock));
                games += 1;
            }
        }
        if games > 0 {
            let note = Message::new(key)
                .with("since", outage.since.format("%Y-%m-%d %H:%M UTC").to_string())
                .with("span", span_words(outage.length))
                .with("count", games);
            let note = self.report(tx, vec![note])?;
            tx.write().outgoing.push(note);
        }
        Ok(())
    }

    /// Does what the clocks of these games ask for, which are due.
    pub(super) fn run_clocks(
        &self,
        due: &[u32],
        report: &mut PassReport,
    ) -> Result<(), OfficeError> {
        self.for_each_due(due, BROKEN, report, |tx, game, counted| {
            self.run_clock(tx, game, counted)
        })
    }

    /// Does something for each of these games, which are due; many go into one commit. One that
    /// cannot be carried on is looked at again after so long: the moderator hears of it each time.
    /// What `work` counts is reported once it is committed.
    ///
    /// # Errors
    /// When the club cannot be read or written. What goes wrong in one game is kept from the rest.
    pub(super) fn for_each_due(
        &self,
        due: &[u32],
        again: TimeDelta,
        report: &mut PassReport,
        work: impl Fn(&mut Transaction<'_>, u32, &mut PassReport) -> Result<(), OfficeError>,
    ) -> Result<(), OfficeError> {
        for games in due.chunks(GAMES_A_COMMIT) {
            *report = retry(|| {
                let mut counted = report.clone();
                let mut tx = self.begin();
                for game in games {
                    let mut upon = tx.savepoint();
                    match fenced(|| work(&mut upon, *game, &mut counted))? {
                        Ok(()) => {
                            let changes = upon.into_changes();
                            tx.absorb(changes);
                        }
                        Err(why) => {
                            drop(upon);
                            tx.broken(*game, &why);
                        }
                    }
                }
                self.finish(&mut tx)?;
                let next = self.now.checked_add_signed(again);
                for game in games {
                    if tx.game(*game).is_none() {
                        tx.set_due((*game, next));
                    }
                }
                self.keep(tx)?;
                Ok(counted)
            })?;
        }
        Ok(())
    }

    fn run_clock(
        &self,
        tx: &mut Transaction<'_>,
        game: u32,
        report: &mut PassReport,
    ) -> Result<(), OfficeError> {
        let mut playing = tx.playing(game)?.clone();
        if playing.next_moment().is_some_and(|at| at <= self.now) {
            let words = playing.carry_on(self.now);
            if playing.has_moved() {
                tx.movers_mut(game).words.extend(words);
                tx.put_game(playing);
                return Ok(());
            }
        }
        let Some(mut clock) = playing.clock.clone() else { return Ok(()) };
        let stood = clock.clone();
        reach(&mut clock, &playing.seats, self.now);
        run_again(&playing, &stood, &clock).into_iter().for_each(|word| tx.report(word));
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
                    tx.report(note.with("who", name));
                    Some(Vec::new())
                }
            };
            match event {
                Event::Nmr => {
                    if clock.missed(seat, self.now) {
                        opened.push(seat);
                        tx.report(seat_open(&playing, seat));
                    }
                    let often = often_absent(&playing, &clock, seat);
                    often.into_iter().for_each(|word| tx.report(word));
                }
                Event::Reminder | Event::Extended => clock.reminded(seat, self.now),
            }
            letters.extend(words.map(|words| (seat, words)));
        }
        playing.clock = Some(clock);
        if playing.has_moved() {
            // Everyone gets a letter of the turn, which says until when he has time.
            report.absent += absent;
            tx.movers_mut(game);
        } else {
            letters.extend(others_of_open(&playing, &opened, &letters));
            report.reminded += self.tell(tx, &mut playing, &letters)?;
            tx.set_due(self.due(&playing));
        }
        tx.put_game(playing);
        opened.into_iter().try_for_each(|seat| self.fill(tx, game, seat))
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
        tx: &mut Transaction<'_>,
        playing: &mut Playing,
        letters: &[(Seat, Vec<Message>)],
    ) -> Result<usize, OfficeError> {
        let mark = format!("r{}.t{}", playing.table.head(), self.now.timestamp());
        let mut written = Vec::new();
        for (seat, words) in letters {
            let occasion = Occasion::Clock { words: words.clone() };
            let to = ToSeat::unasked(*seat, occasion, mark.clone());
            written.extend(self.game_letter(tx, playing, to)?);
        }
        let count = written.len();
        tx.write().outgoing.extend(written);
        letters.iter().for_each(|(seat, _)| playing.told(*seat));
        Ok(count)
    }
}

/// The own times of those who sit at a game, by seat.
pub(super) fn own_times(tx: &Transaction<'_>, game: u32) -> Result<Vec<OwnTime>, OfficeError> {
    let mut times = Vec::new();
    for seated in tx.seats(game)? {
        let member = tx.member(seated.member)?;
        times.push(member.map(|member| member.time).unwrap_or_default());
    }
    Ok(times)
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
