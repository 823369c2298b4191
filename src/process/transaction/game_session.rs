//! A game with the people who play it, as it stands in a transaction.
//!
//! What is done to it the rooms know; when it is kept, the transaction.

use crate::club::clock::GameClock;
use crate::club::{GameRoom, Member, NewsWish, Notes, Seated, Unheard};
use crate::rules::{Message, Seat, Turn};
use crate::store::{Batch, GameFacts, LogLine};
use crate::table::{Record, Table};
use chrono::{DateTime, Utc};

/// A game with the people who play it.
#[derive(Clone)]
pub struct GameSession {
    /// The game itself: its log, folded.
    pub table: Table,
    /// The players' names, by seat.
    pub names: Vec<String>,
    /// Who sits where, by seat.
    pub seats: Vec<(Seated, Member)>,
    /// How its time is kept; none when it waits for ever.
    pub clock: Option<GameClock>,
    /// The last record that the store has.
    pub(crate) stored: u32,
    /// The last record that the clock was set to.
    pub(crate) timed: u32,
    /// The seats as the store has them.
    stored_seats: Vec<Seated>,
    /// The clock as the store has it.
    pub(crate) stored_clock: Option<GameClock>,
    /// When the first of its votes lapses; none when there is none.
    pub(crate) lapses: Option<DateTime<Utc>>,
    /// The same as the store has it.
    pub(crate) stored_lapses: Option<DateTime<Utc>>,
}

impl GameSession {
    /// A game as the store has it.
    pub(crate) fn new(table: Table, seats: Vec<(Seated, Member)>) -> Self {
        let names = seats.iter().map(|(_, member)| member.name.clone()).collect();
        let stored = table.head();
        let stored_seats = seats.iter().map(|(seated, _)| seated.clone()).collect();
        let (clock, stored_clock) = (None, None);
        let (lapses, stored_lapses) = (None, None);
        let timed = stored;
        Self {
            table,
            names,
            seats,
            clock,
            stored,
            timed,
            stored_seats,
            stored_clock,
            lapses,
            stored_lapses,
        }
    }

    /// A game that the store does not have yet.
    pub(crate) fn founded(table: Table, seats: Vec<(Seated, Member)>) -> Self {
        Self { stored: 0, timed: 0, stored_seats: Vec::new(), ..Self::new(table, seats) }
    }

    /// The game once all of it is in a batch.
    pub(crate) fn kept(mut self) -> Self {
        self.stored = self.table.head();
        self.stored_seats = self.seats.iter().map(|(seated, _)| seated.clone()).collect();
        self.stored_clock = self.clock.clone();
        self
    }

    /// What a list needs of the game, around which these are.
    pub(crate) fn facts(&self, room: GameRoom) -> GameFacts {
        GameFacts {
            lines: self.table.head().saturating_add(1),
            seats: self.seats.iter().map(|(seated, _)| seated.into()).collect(),
            room,
            clock: self.clock.clone(),
            outline: Some(self.table.outline()),
        }
    }

    /// Whether there are records that the store does not have yet.
    pub(crate) fn has_moved(&self) -> bool {
        self.table.head() > self.stored
    }

    /// Whether its having moved is worth a letter to this seat: to some only when it is their turn,
    /// and at the beginning and the end.
    pub(crate) fn has_news_for(&self, seat: Seat) -> bool {
        let turn = self.table.turn();
        let is_turn = turn == Turn::Over || turn.awaits(seat) || self.stored == 0;
        // Who was told that it is his turn must hear that it is not any more.
        let told = self.seat(seat).map_or(0, |(seated, _)| seated.last_seen_seq);
        let is_withdrawn = self.table.went_back_behind(told, self.stored);
        self.has_moved() && (is_turn || is_withdrawn || !self.wants_turns(seat))
    }

    /// Whether a seat's player wants letters of this game for his turns only.
    pub(crate) fn wants_turns(&self, seat: Seat) -> bool {
        self.seat(seat).is_some_and(|(seated, member)| match seated.letters {
            Some(wish) => wish == NewsWish::Turns,
            None => member.letters.turns,
        })
    }

    /// The game's number.
    pub(crate) fn number(&self) -> u32 {
        self.table.founding().number
    }

    /// The seats of the game.
    pub(crate) fn all_seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::all(self.table.founding().seats)
    }

    /// The seat and its member.
    pub fn seat(&self, seat: Seat) -> Option<&(Seated, Member)> {
        self.seats.get(seat.index())
    }

    /// What became of the seat's plans that its player has not been told yet.
    pub(crate) fn untold(&self, seat: Seat) -> &[Message] {
        self.seat(seat).map(|(seated, _)| seated.standing.untold.as_slice()).unwrap_or_default()
    }

    /// What the store does not have yet.
    pub fn new_lines(&self) -> impl Iterator<Item = LogLine> + '_ {
        let line =
            |record: &Record| LogLine { game: self.number(), seq: record.seq, line: record.line() };
        self.table.records_since(self.stored).iter().map(move |record| line(record))
    }

    /// Notes that a seat has been told of everything so far, its news included, if its member can
    /// be told anything.
    pub(crate) fn told(&mut self, seat: Seat) {
        let head = self.table.head();
        if let Some((seated, member)) = self.seats.get_mut(seat.index())
            && member.undeliverable().is_none()
        {
            seated.last_seen_seq = head;
            seated.news.clear();
            seated.unheard = Unheard::default();
            seated.standing.untold.clear();
        }
    }

    /// Puts what the store does not have yet into a batch.
    pub(crate) fn keep(&self, batch: &mut Batch) {
        for (index, (seated, _)) in self.seats.iter().enumerate() {
            if self.stored_seats.get(index) != Some(seated) {
                batch.seats.push((self.number(), Seat::from_index(index), seated.clone()));
            }
        }
        if self.clock != self.stored_clock {
            batch.clocks.extend(self.clock.clone().map(|clock| (self.number(), clock)));
        }
        if self.has_moved() {
            batch.log_lines.extend(self.new_lines());
            batch.outlines.push((self.number(), self.table.outline()));
        }
    }
}

impl GameSession {
    /// Whether a member sits at the game.
    pub(crate) fn seats_member(&self, member: u32) -> bool {
        self.seats.iter().any(|(seated, _)| seated.member == member && !seated.left)
    }

    /// The seats that somebody else may take over: those that were left, and those whose players
    /// have missed too many turns.
    pub fn open_seats(&self) -> Vec<Seat> {
        let missed = self.clock.as_ref().map(GameClock::open_seats).unwrap_or_default();
        let is_open = |seat: &Seat| {
            missed.contains(seat) || self.seat(*seat).is_some_and(|(seated, _)| seated.left)
        };
        Seat::all(self.table.founding().seats).filter(is_open).collect()
    }

    /// Puts these in place of a seat's notes.
    pub(crate) fn set_notes(&mut self, seat: Seat, notes: Notes) {
        if let Some((seated, _)) = self.seats.get_mut(seat.index()) {
            seated.notes = notes;
        }
    }

    /// Notes for which news a seat's player wants letters.
    pub(crate) fn set_wish(&mut self, seat: Seat, wish: Option<NewsWish>) {
        if let Some((seated, _)) = self.seats.get_mut(seat.index()) {
            seated.letters = wish;
        }
    }

    /// The game with the clock that the store has for it.
    pub(crate) fn timed_by(mut self, clock: Option<GameClock>) -> Self {
        self.stored_clock = clock.clone();
        self.clock = clock;
        self
    }

    /// Notes how a member is after a letter of his.
    pub(crate) fn learn(&mut self, member: &Member) {
        for (_, old) in self.seats.iter_mut().filter(|(_, old)| old.id == member.id) {
            *old = member.clone();
        }
    }

    /// The game with the time at which its vote lapses.
    pub(crate) fn voting_until(mut self, until: Option<DateTime<Utc>>) -> Self {
        self.lapses = until;
        self.stored_lapses = until;
        self
    }
}
