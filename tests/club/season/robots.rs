//! The members: each reads the letters that reach him, and answers the last one of each game in his
//! own manner.

use super::calendar::{Place, utc};
use super::ledger::Noted;
use crate::rig::{Club, Posted};
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
    pub place: Place,
    /// When he neither reads nor writes.
    pub away: Option<(DateTime<Utc>, DateTime<Utc>)>,
    /// What he means to answer, by game.
    todo: BTreeMap<u32, Todo>,
    introduced: bool,
    /// His vacation by letter: when he writes it, and the line.
    pub vacation: Option<(DateTime<Utc>, String)>,
    /// The last letter about any game.
    last: Option<Posted>,
}

struct Todo {
    letter: Posted,
    at: DateTime<Utc>,
}

/// A letter with orders that a member wrote.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    pub game: u32,
    pub member: u32,
    pub at: DateTime<Utc>,
}

/// The last members' numbers that play in a manner of their own.
pub const LATE: u32 = 3;
pub const GONE: u32 = 6;
pub const ON_VACATION: u32 = 9;
pub const RETURNS: u32 = 10;
pub const BOUNCES: u32 = 12;
pub const FULL: u32 = 11;

impl Robot {
    /// The member of this number.
    pub fn new(number: u32) -> Self {
        let manner = match number {
            LATE => Manner::Late,
            2 | 7 | 14 | 20 => Manner::Slow,
            _ => Manner::Prompt,
        };
        let place = match number % 4 {
            0 => Place::Madrid,
            1 => Place::NewYork,
            2 => Place::Greenwich,
            _ => Place::Kolkata,
        };
        let away = match number {
            GONE => Some(("2026-10-05 12:00", "2028-01-01 00:00")),
            ON_VACATION => Some(("2026-11-23 05:00", "2026-12-01 04:00")),
            RETURNS => Some(("2026-10-01 00:00", "2026-10-15 09:00")),
            BOUNCES => Some(("2026-09-30 00:00", "2026-10-14 10:00")),
            _ => None,
        };
        let vacation = (number == ON_VACATION)
            .then(|| (utc("2026-11-21 12:00"), "vacation 2026-11-23 to 2026-11-30".to_owned()));
        Self {
            number,
            manner,
            place,
            away: away.map(|(from, to)| (utc(from), utc(to))),
            todo: BTreeMap::new(),
            introduced: false,
            vacation,
            last: None,
        }
    }

    /// His name.
    pub fn name(&self) -> String {
        format!("P{}", self.number)
    }

    /// Whether a game waits for him, as far as he knows.
    pub fn is_on_turn(&self) -> bool {
        !self.todo.is_empty()
    }

    fn is_away(&self, at: DateTime<Utc>) -> bool {
        self.away.is_some_and(|(from, to)| from <= at && at < to)
    }

    /// How long he takes for an answer: always the same for the same letter.
    fn takes(&self, letter: &Posted) -> TimeDelta {
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
    pub fn reads(&mut self, noted: &Noted, letter: &Posted, now: DateTime<Utc>) {
        let game = noted.game;
        self.last = Some(letter.clone());
        if noted.due.is_none() {
            self.todo.remove(&game);
            return;
        }
        let mut at = now + self.takes(letter);
        if noted.reminder
            && let Some(todo) = self.todo.get(&game)
        {
            at = todo.at;
        }
        if self.is_away(at) {
            at = self.away.map_or(at, |(_, to)| to);
        }
        self.todo.insert(game, Todo { letter: letter.clone(), at });
    }

    /// Whether he would write anything now.
    pub fn has_to_write(&self, now: DateTime<Utc>) -> bool {
        let by_now = |at: &DateTime<Utc>| *at <= now;
        let of_himself = self.vacation.as_ref().is_some_and(|(at, _)| by_now(at))
            || (!self.introduced && self.last.is_some());
        !self.is_away(now) && (of_himself || self.todo.values().any(|todo| by_now(&todo.at)))
    }

    /// Writes what he meant to write by now.
    pub fn writes(&mut self, club: &mut Club, context: &Context) -> Vec<Written> {
        let (name, now) = (self.name(), club.now);
        let mut written = Vec::new();
        if self.is_away(now) {
            return written;
        }
        let vacation = self.vacation.take_if(|(at, _)| *at <= now).map(|(_, line)| line);
        let zone = self.place.zone().filter(|_| !self.introduced && self.last.is_some());
        self.introduced |= self.last.is_some();
        let house = zone.map(|zone| format!("zone {zone}"));
        for line in house.into_iter().chain(vacation) {
            let letter = self.last.as_ref().expect("he has got a letter");
            let reply = club.reply_to(&name, letter, &line);
            club.arrives(reply);
        }
        let ready = self.todo.iter().filter(|(_, todo)| todo.at <= now);
        for game in ready.map(|(game, _)| *game).collect::<Vec<_>>() {
            let Some(todo) = self.todo.remove(&game) else { continue };
            let line = order(context, game, &todo.letter);
            let reply = club.reply_to(&name, &todo.letter, &line);
            club.arrives(reply);
            written.push(Written { game, member: self.number, at: now });
        }
        written
    }
}

/// An order that the table takes, if it is still this player's turn.
fn order(context: &Context, game: u32, letter: &Posted) -> String {
    let table = process::open_game(context, game).expect("it opens").table;
    let token = letter.header("Reply-To").expect("a token");
    let seat = token.split('.').nth(1).and_then(|seat| seat.parse().ok()).expect("a seat");
    let seat = Seat::new(seat);
    let mut chooser = Dice::new(&Seed::rehearsal(u64::from(game)), u64::from(table.head()));
    let mut game = table.game().copy();
    let played = table
        .turn()
        .awaits(seat)
        .then(|| game.play_at_random(seat, &mut chooser, &mut Dice::new(&Seed::rehearsal(9), 0)));
    played.flatten().map_or_else(|| "play PRR 1".to_owned(), |(line, _)| line)
}
