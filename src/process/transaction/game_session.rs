//! A game with its players and clock, as it is in a transaction. Other modules change it, and the
//! transaction commits it.

use crate::club::clock::{GameClock, NmrRule};
use crate::club::{GameInfo, Member, NewsPreference, Notes, SeatAssignment, UndoTerm, UnreadNews};
use crate::process::context::ClubError;
use crate::process::game_faults::GAME_FAILED;
use crate::rules::{BotLevel, DynGame, Message, Seat, Turn};
use crate::store::{Batch, GameFacts, LogLine};
use crate::table::{BotSeat, Cause, Table};
use chrono::{DateTime, Utc};

/// A game with its players and clock, as one transaction sees and changes it.
#[derive(Clone)]
pub struct GameSession {
    /// The game's log, replayed to the current position.
    pub table: Table,
    /// The players' names, by seat.
    pub names: Vec<String>,
    /// The seats and their members, by seat.
    pub seats: Vec<(SeatAssignment, Member)>,
    /// The game's clock, or `None` if the game has no deadline.
    pub clock: Option<GameClock>,
    /// The record to which the clock was last set.
    pub(crate) clock_seq: u32,
    /// When the first open vote expires, or `None` if there is none.
    pub(crate) votes_expire_at: Option<DateTime<Utc>>,
    /// The time in which players may take their last orders back. Bots wait for its end.
    pub(crate) undo_term: UndoTerm,
    /// Whether this is a practice game against bots.
    pub(crate) is_practice: bool,
    stored: StoredState,
}

/// The state of the game in the store, to find what has changed.
#[derive(Clone, Default)]
struct StoredState {
    head: u32,
    seats: Vec<SeatAssignment>,
    clock: Option<GameClock>,
    votes_expire_at: Option<DateTime<Utc>>,
}

impl GameSession {
    /// Makes a session from the store's data of a game.
    pub(crate) fn new(
        table: Table,
        seats: Vec<(SeatAssignment, Member)>,
        clock: Option<GameClock>,
        room: &GameInfo,
    ) -> Self {
        let (votes_expire_at, undo_term) = (room.next_vote_or_offer_expiry(), room.undo_term());
        let names = seats.iter().map(|(_, member)| member.name.clone()).collect();
        let clock_seq = table.last_record_number();
        let is_practice = room.practice;
        let stored = StoredState::default();
        let session = Self {
            table,
            names,
            seats,
            clock,
            clock_seq,
            votes_expire_at,
            undo_term,
            is_practice,
            stored,
        };
        session.into_stored()
    }

    /// Makes a session of a new game that is not in the store yet.
    pub(crate) fn new_unstored(
        table: Table,
        seats: Vec<(SeatAssignment, Member)>,
        room: &GameInfo,
    ) -> Self {
        let session = Self::new(table, seats, None, room);
        Self { clock_seq: 0, stored: StoredState::default(), ..session }
    }

    /// Returns the game with its current state marked as stored. After a founding the first letters
    /// are already made, so the rest of the transaction must not treat the beginning as a move.
    pub(crate) fn into_stored(self) -> Self {
        let head = self.table.last_record_number();
        let stored = StoredState {
            head,
            seats: self.seats.iter().map(|(seated, _)| seated.clone()).collect(),
            clock: self.clock.clone(),
            votes_expire_at: self.votes_expire_at,
        };
        Self { clock_seq: head, stored, ..self }
    }

    /// Returns the number of the game's last record in the store.
    pub(crate) const fn stored_head(&self) -> u32 {
        self.stored.head
    }

    /// Whether the commit must set the game's due time, because the game has a clock, a bot has
    /// something to do, or its votes have changed.
    pub(crate) fn needs_due_time(&self) -> bool {
        self.clock.is_some()
            || self.has_open_hint_request()
            || self.awaited_bot().is_some()
            || self.clock != self.stored.clock
            || self.votes_expire_at != self.stored.votes_expire_at
    }

    /// Returns the summary of the game for lists. `room` is the game's info.
    pub(crate) fn facts(&self, room: GameInfo) -> GameFacts {
        GameFacts {
            log_length: self.table.last_record_number().saturating_add(1),
            seats: self.seats.iter().map(|(seated, _)| seated.into()).collect(),
            room,
            clock: self.clock.clone(),
            outline: Some(self.table.outline()),
        }
    }

    /// Whether the game has records that are not in the store yet.
    pub(crate) fn has_new_records(&self) -> bool {
        self.table.last_record_number() > self.stored.head
    }

    /// Whether the game has moved and this seat wants a letter about it. Some players want letters
    /// only for their turns, the beginning and the end.
    pub(crate) fn wants_letter_about_move(&self, seat: Seat) -> bool {
        let turn = self.table.turn();
        let is_turn = turn == Turn::Over || turn.awaits(seat) || self.stored.head == 0;
        // A player who was told that it is their turn must be told when that is no longer so.
        let last_seen_record = self.seat(seat).map_or(0, |(seated, _)| seated.last_seen_seq);
        let is_withdrawn = self.table.was_rewound_past(last_seen_record, self.stored.head);
        self.has_new_records() && (is_turn || is_withdrawn || !self.wants_turns_only(seat))
    }

    /// Whether a seat's player wants letters about this game only for their turns.
    pub(crate) fn wants_turns_only(&self, seat: Seat) -> bool {
        self.seat(seat).is_some_and(|(seated, member)| match seated.news_preference {
            Some(wish) => wish == NewsPreference::Turns,
            None => member.letters.only_turns,
        })
    }

    pub(crate) fn game_number(&self) -> u32 {
        self.table.founding().number
    }

    pub(crate) fn all_seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::all(self.table.founding().seats)
    }

    /// Returns a seat and its member, or `None` if there is no such seat.
    pub fn seat(&self, seat: Seat) -> Option<&(SeatAssignment, Member)> {
        self.seats.get(seat.index())
    }

    /// Returns the outcomes of the seat's plans that its player does not know yet.
    pub(crate) fn unseen_plan_results(&self, seat: Seat) -> Vec<Message> {
        self.seat(seat)
            .map(|(seated, _)| seated.queued_orders.unsent_notices.clone())
            .unwrap_or_default()
    }

    /// Marks all news up to now as seen by a seat. Does nothing if its member is undeliverable.
    pub(crate) fn mark_seen(&mut self, seat: Seat) {
        let head = self.table.last_record_number();
        if let Some((seated, member)) = self.seats.get_mut(seat.index())
            && member.undeliverable_since().is_none()
        {
            seated.last_seen_seq = head;
            seated.news.clear();
            seated.unread = UnreadNews::default();
            seated.queued_orders.unsent_notices.clear();
        }
    }

    /// Adds the game's records, seats and clock that differ from the store to a batch.
    pub(crate) fn add_to_batch(&self, batch: &mut Batch) {
        for (index, (seated, _)) in self.seats.iter().enumerate() {
            if self.stored.seats.get(index) != Some(seated) {
                batch.seats.push((self.game_number(), Seat::from_index(index), seated.clone()));
            }
        }
        if self.clock != self.stored.clock {
            batch.clocks.extend(self.clock.clone().map(|clock| (self.game_number(), clock)));
        }
        if self.has_new_records() {
            let (game, new) = (self.game_number(), self.table.records_since(self.stored.head));
            let lines = new.iter().map(|record| (record.seq, record.to_line()));
            batch.log_lines.extend(lines.map(|(seq, line)| LogLine { game, seq, line }));
            batch.outlines.push((self.game_number(), self.table.outline()));
        }
    }

    /// Whether a member has a seat in the game.
    pub(crate) fn has_member(&self, member: u32) -> bool {
        self.seats.iter().any(|(seated, _)| seated.member == member && !seated.has_left)
    }

    /// Returns the seats that another player may take over: seats that were left, and seats whose
    /// players have missed too many turns.
    pub fn open_seats(&self) -> Vec<Seat> {
        let missed =
            self.clock.as_ref().map(GameClock::seats_open_to_substitute).unwrap_or_default();
        let is_open = |seat: &Seat| {
            missed.contains(seat) || self.seat(*seat).is_some_and(|(seated, _)| seated.has_left)
        };
        self.all_seats().filter(is_open).collect()
    }

    /// Returns the bot that plays a seat now. `None` if a person plays it.
    pub(crate) fn bot_at(&self, seat: Seat) -> Option<BotSeat> {
        let (seated, member) = self.seat(seat)?;
        if let Some(level) = member.bot.filter(|_| !seated.has_left) {
            return Some(BotSeat { seat, level, stands_in: false });
        }
        let rule = self.clock.as_ref().map(|clock| clock.rules.nmr);
        let stands_in = rule == Some(NmrRule::Bot) && (seated.bot_stands_in || seated.has_left);
        stands_in.then_some(BotSeat { seat, level: BotLevel::Fair, stands_in })
    }

    /// Whether the seat has given its orders, but they are [sealed](Table::has_sealed_orders).
    pub(crate) fn has_sealed_orders(&self, seat: Seat) -> bool {
        let seated = self.seat(seat).map(|(seated, _)| seated);
        seated.is_some_and(|seated| self.table.has_sealed_orders(seat, &seated.queued_orders))
    }

    /// Whether the game waits for orders that this seat's player has not given.
    pub(crate) fn awaits_orders(&self, seat: Seat) -> bool {
        self.table.turn().awaits(seat) && !self.has_sealed_orders(seat)
    }

    /// Returns the next bot that must move. `None` if there is none, or while the clock is stopped.
    /// If several seats are awaited at once, bots move after the people, so that nobody gets a
    /// letter about a bot's sealed order.
    pub(crate) fn awaited_bot(&self) -> Option<BotSeat> {
        let Turn::Awaiting(seats) = self.table.turn() else { return None };
        let is_open = |seat: &Seat| self.bot_at(*seat).is_none() && !self.has_sealed_orders(*seat);
        if seats.iter().any(is_open) {
            return None;
        }
        let is_paused = self.clock.as_ref().is_some_and(|clock| clock.paused.is_some());
        seats.into_iter().find_map(|seat| self.bot_at(seat)).filter(|_| !is_paused)
    }

    /// Whether a player has asked for a hint that is not given yet.
    pub(crate) fn has_open_hint_request(&self) -> bool {
        self.table.turn() != Turn::Over
            && self.seats.iter().any(|(seated, _)| seated.hint.asked.is_some())
    }

    /// Plays the lines of a bot, after the secret orders that an absent player has left.
    ///
    /// # Errors
    /// When the game does not await the seat or refuses a line.
    pub(crate) fn play_bot_turn(
        &mut self,
        bot: BotSeat,
        choose: impl FnOnce(&dyn DynGame) -> Vec<String>,
        now: DateTime<Utc>,
    ) -> Result<(), ClubError> {
        let failed = ClubError::GameFailed { game: self.game_number(), why: GAME_FAILED };
        let Some((seated, _)) = self.seats.get_mut(bot.seat.index()) else { return Err(failed) };
        let secret = std::mem::take(&mut seated.queued_orders.secret_lines);
        self.table = self.table.play_bot_turn(bot, &secret, choose, now).map_err(|_| failed)?;
        Ok(())
    }

    /// Returns the time from which the awaited bot may move: at once, or when a player can no
    /// longer take back the orders before. `None` if no bot is awaited.
    pub(crate) fn next_bot_move_time(&self) -> Option<DateTime<Utc>> {
        self.awaited_bot()?;
        let last = self.table.records().last()?;
        let can_undo = match last.cause {
            Cause::Orders { seat, .. } => self.table.undo(seat, None, last.at).is_ok(),
            _ => false,
        };
        let undo_time = self.undo_term.time_limit().filter(|_| can_undo);
        Some(undo_time.map_or(last.at, |time| last.at + time))
    }

    pub(crate) fn set_notes(&mut self, seat: Seat, notes: Notes) {
        if let Some((seated, _)) = self.seats.get_mut(seat.index()) {
            seated.notes = notes;
        }
    }

    /// Sets which news a seat's player wants letters about. `None` means the member's general
    /// setting.
    pub(crate) fn set_news_preference(&mut self, seat: Seat, wish: Option<NewsPreference>) {
        if let Some((seated, _)) = self.seats.get_mut(seat.index()) {
            seated.news_preference = wish;
        }
    }

    /// Replaces a member in all seats that they have in the game.
    pub(crate) fn replace_member_in_seats(&mut self, member: &Member) {
        for (_, old) in self.seats.iter_mut().filter(|(_, old)| old.id == member.id) {
            *old = member.clone();
        }
    }
}
