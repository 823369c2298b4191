//! Founding a game.

use super::desk::{Movers, Playing};
use super::office::{Office, OfficeError};
use super::talk::press_notes;
use crate::club::clock::{ClockRules, GameClock};
use crate::club::talk::PressTerms;
use crate::club::{Gathering, Member, Seated};
use crate::rules::{OpenError, Seed};
use crate::store::{Batch, LogLine};
use crate::table::{Table, Wish};

/// Who is to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The name that the others see.
    pub name: String,
    /// Where letters go; a member who has this address already keeps his name.
    pub address: String,
}

/// What came of the wish to found a game.
pub enum Founded {
    /// The game with this number has begun, and its first letters are in the outbox.
    Game(u32),
    /// It cannot be played so.
    Impossible(OpenError),
    /// The same person was named twice.
    Twice(String),
}

impl Office {
    /// Founds a game and queues everyone's first letter, in one commit.
    ///
    /// # Errors
    /// When the club cannot be read or written.
    pub fn found(
        &self,
        wish: Wish<'_>,
        players: &[Player],
        seed: Seed,
    ) -> Result<Founded, OfficeError> {
        self.found_timed(wish, players, seed, self.settings.clock.clone())
    }

    /// Founds a game whose time is kept by these rules, or that waits for ever.
    ///
    /// # Errors
    /// When the club cannot be read or written.
    pub fn found_timed(
        &self,
        wish: Wish<'_>,
        players: &[Player],
        seed: Seed,
        rules: Option<ClockRules>,
    ) -> Result<Founded, OfficeError> {
        let mut batch = Batch::default();
        let number = self.store.next_game()?;
        let founded = self.lay(&mut batch, number, wish, players, seed, rules)?;
        if let Founded::Game(_) = founded {
            self.keep(&batch)?;
        }
        Ok(founded)
    }

    /// Puts a game's founding into a batch, as the game of this number.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn lay(
        &self,
        batch: &mut Batch,
        number: u32,
        wish: Wish<'_>,
        players: &[Player],
        seed: Seed,
        rules: Option<ClockRules>,
    ) -> Result<Founded, OfficeError> {
        let table = match Table::found(wish, number, seed, self.now) {
            Ok(table) => table,
            Err(error) => return Ok(Founded::Impossible(error)),
        };
        let mut seats: Vec<(Seated, Member)> = Vec::new();
        let mut fresh: Vec<Member> = Vec::new();
        let mut next = self.store.next_member()?;
        next += u32::try_from(batch.members.len()).unwrap_or(u32::MAX);
        for player in players {
            let new =
                batch.members.iter().find(|member| member.addresses.contains(&player.address));
            let known = match new {
                Some(member) => Some(member.clone()),
                None => self.store.member_by_address(&player.address)?,
            };
            let member = known.unwrap_or_else(|| {
                let member = self.new_member(next, player);
                next += 1;
                fresh.push(member.clone());
                member
            });
            if seats.iter().any(|(_, other)| other.addresses == member.addresses) {
                return Ok(Founded::Twice(player.address.clone()));
            }
            seats.push((Seated { member: member.id, generation: 1, ..Seated::default() }, member));
        }
        let press = self.settings.press;
        let mut around = Gathering::default();
        around.settle(press, self.settings.votes);
        if !around.is_empty() {
            batch.gatherings.push((number, around));
        }
        self.begin(batch, table, seats, rules, press)?;
        batch.members.extend(fresh);
        Ok(Founded::Game(number))
    }

    /// Puts a founded table with its players into a batch; the game as it is once that is kept.
    ///
    /// # Errors
    /// When the first letters cannot be written; then nothing is in the batch.
    pub(super) fn begin(
        &self,
        batch: &mut Batch,
        table: Table,
        seats: Vec<(Seated, Member)>,
        rules: Option<ClockRules>,
        press: PressTerms,
    ) -> Result<Playing, OfficeError> {
        let (number, count) = (table.founding().number, table.founding().seats);
        let line = LogLine { game: number, seq: 0, line: table.founding().line() };
        let mut playing = Playing::founded(table, seats);
        playing.clock = rules.map(GameClock::new);
        playing.keep_time(self.now, &Movers::default());
        let notes = press_notes(press, count);
        let movers = Movers { notes, ..Movers::default() };
        batch.outgoing.extend(self.turn_letters(&playing, &movers)?);
        batch.log_lines.push(line);
        batch.log_lines.extend(playing.new_lines());
        for seat in crate::rules::Seat::all(count) {
            playing.told(seat);
        }
        playing.keep_seats(batch);
        self.due(batch, &playing);
        Ok(playing.kept())
    }

    /// A member as he begins.
    pub(super) fn new_member(&self, id: u32, player: &Player) -> Member {
        Member {
            id,
            name: player.name.clone(),
            addresses: vec![player.address.clone()],
            language: self.settings.language.clone(),
            ascii: true,
            ..Member::default()
        }
    }
}
