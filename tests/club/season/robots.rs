//! The members: each reads the letters that reach him, and answers the last one of each game in his
//! own manner.

use super::calendar::{TimeZone, parse_utc};
use super::ledger::LetterFacts;
use crate::rig::{Club, PostedLetter};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::process::{self, Context};
use postrider::rules::{Dice, Seat, Seed};
use std::collections::BTreeMap;

/// How a member plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Within hours.
    Prompt,
    /// Within a day or so.
    Slow,
    /// Sometimes in time, sometimes with his bank, sometimes too late.
    Late,
}

/// A member.
pub struct Robot {
    /// His number, from 1.
    pub number: u32,
    pub manner: Manner,
    pub place: TimeZone,
    /// When he neither reads nor writes.
    pub away: Option<(DateTime<Utc>, DateTime<Utc>)>,
    /// What he means to answer, by game.
    pending_answers: BTreeMap<u32, PendingAnswer>,
    introduced: bool,
    /// His vacation by letter: when he writes it, and the line.
    pub vacation: Option<(DateTime<Utc>, String)>,
    /// The last letter about any game.
    last_letter: Option<PostedLetter>,
}

struct PendingAnswer {
    letter: PostedLetter,
    at: DateTime<Utc>,
}

/// A letter with orders that a member wrote.
#[derive(Clone, Copy, Debug)]
pub struct OrderLetter {
    pub game: u32,
    pub member: u32,
    pub at: DateTime<Utc>,
}

/// The last members' numbers that play in a manner of their own.
pub const LATE_PLAYER: u32 = 3;
pub const GONE_PLAYER: u32 = 6;
pub const VACATION_PLAYER: u32 = 9;
pub const RETURNING_PLAYER: u32 = 10;
pub const BOUNCING_PLAYER: u32 = 12;
pub const FULL_MAILBOX_PLAYER: u32 = 11;

impl Robot {
    /// The member of this number.
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
            GONE_PLAYER => Some(("2026-10-05 12:00", "2028-01-01 00:00")),
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

    /// His name.
    pub fn name(&self) -> String {
        format!("P{}", self.number)
    }

    /// Whether a game waits for him, as far as he knows.
    pub fn is_on_turn(&self) -> bool {
        !self.pending_answers.is_empty()
    }

    fn is_away(&self, at: DateTime<Utc>) -> bool {
        self.away.is_some_and(|(from, to)| from <= at && at < to)
    }

    /// How long he takes for an answer: always the same for the same letter.
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

    /// Reads a letter about a game that reached him now.
    pub fn read_letter(&mut self, noted: &LetterFacts, letter: &PostedLetter, now: DateTime<Utc>) {
        let game = noted.game;
        self.last_letter = Some(letter.clone());
        if noted.due.is_none() {
            self.pending_answers.remove(&game);
            return;
        }
        let mut at = now + self.answer_delay(letter);
        if noted.reminder
            && let Some(todo) = self.pending_answers.get(&game)
        {
            at = todo.at;
        }
        if self.is_away(at) {
            at = self.away.map_or(at, |(_, to)| to);
        }
        self.pending_answers.insert(game, PendingAnswer { letter: letter.clone(), at });
    }

    /// Whether he would write anything now.
    pub fn has_letters_due(&self, now: DateTime<Utc>) -> bool {
        let by_now = |at: &DateTime<Utc>| *at <= now;
        let of_himself = self.vacation.as_ref().is_some_and(|(at, _)| by_now(at))
            || (!self.introduced && self.last_letter.is_some());
        !self.is_away(now)
            && (of_himself || self.pending_answers.values().any(|todo| by_now(&todo.at)))
    }

    /// Writes what he meant to write by now.
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
        let house = zone.map(|zone| format!("zone {zone}"));
        for line in house.into_iter().chain(vacation) {
            let letter = self.last_letter.as_ref().expect("he has got a letter");
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

/// An order that the table takes, if it is still this player's turn.
fn choose_order(context: &Context, game: u32, letter: &PostedLetter) -> String {
    let table = process::open_game(context, game).expect("it opens").table;
    let token = letter.header("Reply-To").expect("a token");
    let seat = token.split('.').nth(1).and_then(|seat| seat.parse().ok()).expect("a seat");
    let seat = Seat::new(seat);
    let mut chooser = Dice::new(&Seed::from_number(u64::from(game)), u64::from(table.head()));
    let mut game = table.game().clone_box();
    let played = table.turn().awaits(seat).then(|| {
        game.play_random_line(seat, &mut chooser, &mut Dice::new(&Seed::from_number(9), 0))
    });
    played.flatten().map_or_else(|| "play PRR 1".to_owned(), |(line, _)| line)
}
