//! Robots that play as members: each reads its letters, and answers the newest one of each game
//! after a delay that depends on its manner.

use super::calendar::{TimeZone, parse_utc};
use super::ledger::LetterFacts;
use crate::rig::{Club, PostedLetter};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::process::{self, Context};
use postrider::rules::{Dice, Seat, Seed};
use std::collections::BTreeMap;

/// The time that a robot takes for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// At most four hours.
    Prompt,
    /// Four to 18 hours.
    Slow,
    /// One to 75 hours: often in time, sometimes with the time bank, and sometimes too late.
    Late,
}

pub struct Robot {
    /// The member's number, from 1.
    pub number: u32,
    pub manner: Manner,
    pub place: TimeZone,
    /// The time in which the robot neither reads nor writes.
    pub away: Option<(DateTime<Utc>, DateTime<Utc>)>,
    /// The planned answer of each game.
    pending_answers: BTreeMap<u32, PendingAnswer>,
    introduced: bool,
    /// The time and the line of the robot's vacation command.
    pub vacation: Option<(DateTime<Utc>, String)>,
    /// The newest letter of any game.
    last_letter: Option<PostedLetter>,
}

struct PendingAnswer {
    letter: PostedLetter,
    at: DateTime<Utc>,
}

/// The time of a robot's letter with orders, for the ledger.
#[derive(Clone, Copy, Debug)]
pub struct OrderLetter {
    pub game: u32,
    pub member: u32,
    pub at: DateTime<Utc>,
}

/// The numbers of the robots with a special task.
pub const LATE_PLAYER: u32 = 3;
pub const ABSENT_PLAYER: u32 = 6;
pub const VACATION_PLAYER: u32 = 9;
pub const RETURNING_PLAYER: u32 = 10;
pub const BOUNCING_PLAYER: u32 = 12;
pub const FULL_MAILBOX_PLAYER: u32 = 11;

impl Robot {
    pub fn new(number: u32) -> Self {
        let manner = match number {
            LATE_PLAYER => Manner::Late,
            2 | 7 | 14 | 20 => Manner::Slow,
            _ => Manner::Prompt,
        };
        let place = match number % 4 {
            0 => TimeZone::Madrid,
            1 => TimeZone::NewYork,
            2 => TimeZone::Greenwich,
            _ => TimeZone::Kolkata,
        };
        let away = match number {
            ABSENT_PLAYER => Some(("2026-10-05 12:00", "2028-01-01 00:00")),
            VACATION_PLAYER => Some(("2026-11-23 05:00", "2026-12-01 04:00")),
            RETURNING_PLAYER => Some(("2026-10-01 00:00", "2026-10-15 09:00")),
            BOUNCING_PLAYER => Some(("2026-09-30 00:00", "2026-10-14 10:00")),
            _ => None,
        };
        let vacation = (number == VACATION_PLAYER).then(|| {
            (parse_utc("2026-11-21 12:00"), "vacation 2026-11-23 to 2026-11-30".to_owned())
        });
        Self {
            number,
            manner,
            place,
            away: away.map(|(from, to)| (parse_utc(from), parse_utc(to))),
            pending_answers: BTreeMap::new(),
            introduced: false,
            vacation,
            last_letter: None,
        }
    }

    pub fn name(&self) -> String {
        format!("P{}", self.number)
    }

    /// Whether a game waits for this robot, as far as its letters say.
    pub fn is_on_turn(&self) -> bool {
        !self.pending_answers.is_empty()
    }

    fn is_away(&self, at: DateTime<Utc>) -> bool {
        self.away.is_some_and(|(from, to)| from <= at && at < to)
    }

    /// Returns the robot's delay for this letter. It depends only on the letter and the robot, so
    /// every run of the season has the same delays.
    fn answer_delay(&self, letter: &PostedLetter) -> TimeDelta {
        let chance = letter.message_id.bytes().chain(self.number.to_le_bytes());
        let chance = chance.fold(7_u64, |all, byte| (all * 31 + u64::from(byte)) % 1_000_003);
        let (least, most) = match self.manner {
            Manner::Prompt => (10, 4 * 60),
            Manner::Slow => (4 * 60, 18 * 60),
            Manner::Late if chance.is_multiple_of(3) => (24 * 60, 75 * 60),
            Manner::Late => (60, 12 * 60),
        };
        let minutes = least + chance % (most - least);
        TimeDelta::minutes(i64::try_from(minutes).expect("few"))
    }

    /// Reads a letter that arrived now, and plans or drops the answer.
    pub fn read_letter(&mut self, facts: &LetterFacts, letter: &PostedLetter, now: DateTime<Utc>) {
        let game = facts.game;
        self.last_letter = Some(letter.clone());
        if facts.due.is_none() {
            self.pending_answers.remove(&game);
            return;
        }
        let mut at = now + self.answer_delay(letter);
        if facts.reminder
            && let Some(planned) = self.pending_answers.get(&game)
        {
            at = planned.at;
        }
        if self.is_away(at) {
            at = self.away.map_or(at, |(_, to)| to);
        }
        self.pending_answers.insert(game, PendingAnswer { letter: letter.clone(), at });
    }

    /// Whether the robot writes a letter now.
    pub fn has_letters_due(&self, now: DateTime<Utc>) -> bool {
        let by_now = |at: &DateTime<Utc>| *at <= now;
        let of_himself = self.vacation.as_ref().is_some_and(|(at, _)| by_now(at))
            || (!self.introduced && self.last_letter.is_some());
        !self.is_away(now)
            && (of_himself || self.pending_answers.values().any(|todo| by_now(&todo.at)))
    }

    /// Delivers all letters that are due now. Returns those with orders.
    pub fn write_due_letters(&mut self, club: &mut Club, context: &Context) -> Vec<OrderLetter> {
        let (name, now) = (self.name(), club.now);
        let mut written = Vec::new();
        if self.is_away(now) {
            return written;
        }
        let vacation = self.vacation.take_if(|(at, _)| *at <= now).map(|(_, line)| line);
        let zone =
            self.place.zone_name().filter(|_| !self.introduced && self.last_letter.is_some());
        self.introduced |= self.last_letter.is_some();
        let zone_line = zone.map(|zone| format!("zone {zone}"));
        for line in zone_line.into_iter().chain(vacation) {
            let letter = self.last_letter.as_ref().expect("a letter has come");
            let reply = club.compose_reply_to(&name, letter, &line);
            club.deliver(reply);
        }
        let ready = self.pending_answers.iter().filter(|(_, todo)| todo.at <= now);
        for game in ready.map(|(game, _)| *game).collect::<Vec<_>>() {
            let Some(todo) = self.pending_answers.remove(&game) else { continue };
            let line = choose_order(context, game, &todo.letter);
            let reply = club.compose_reply_to(&name, &todo.letter, &line);
            club.deliver(reply);
            written.push(OrderLetter { game, member: self.number, at: now });
        }
        written
    }
}

/// Returns a random legal order, or an arbitrary line if it is not this player's turn any more.
fn choose_order(context: &Context, game: u32, letter: &PostedLetter) -> String {
    let table = process::load_stored_game(context, game).expect("it opens").table;
    let token = letter.header("Reply-To").expect("a token");
    let seat = token.split('.').nth(1).and_then(|seat| seat.parse().ok()).expect("a seat");
    let seat = Seat::new(seat);
    let mut chooser =
        Dice::new(&Seed::from_number(u64::from(game)), u64::from(table.last_record_number()));
    let mut game = table.game().clone_box();
    let played = table.turn().awaits(seat).then(|| {
        game.play_random_line(seat, &mut chooser, &mut Dice::new(&Seed::from_number(9), 0))
    });
    played.flatten().map_or_else(|| "play PRR 1".to_owned(), |(line, _)| line)
}
