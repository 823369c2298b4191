//! After a restore: letters that were lost on their way out are written again.
//!
//! What each of them told is not known any more, so its reader is shown all that he may know: where
//! the game stands, its history, and what was said.

use crate::club::Command;
use crate::process::commit;
use crate::process::context::{ClubError, Context};
use crate::process::isolate::isolate;
use crate::process::outbound::pending::{self, ToSeat};
use crate::process::transaction::{GAMES_A_COMMIT, Transaction};
use crate::render::Occasion;
use crate::rules::{Message, Seat, Turn};
use crate::store::journal::{Present, Waiting};
use std::collections::{BTreeMap, BTreeSet};

/// Who of a game's players has not got his newest letter.
#[derive(Default)]
pub(crate) struct Unserved {
    /// All of them, for all that is known.
    everyone: bool,
    /// The seats whose letters are lost.
    lost: BTreeSet<Seat>,
    /// The seats whose letters wait in the outbox again.
    waiting: BTreeSet<Seat>,
}

impl Unserved {
    /// A game of which nobody knows what was posted.
    pub(crate) fn to_everyone() -> Self {
        Self { everyone: true, ..Self::default() }
    }

    fn again(&self, seat: Seat) -> bool {
        self.everyone || self.lost.contains(&seat) && !self.waiting.contains(&seat)
    }
}

/// Who has not got his newest letter, game by game, when these letters waited.
pub(crate) fn unserved_after(present: &Present) -> BTreeMap<u32, Unserved> {
    let mut unserved: BTreeMap<u32, Unserved> = BTreeMap::new();
    for letter in &present.letters {
        for (game, seat) in letter.seats() {
            let unserved = unserved.entry(game).or_default();
            let seats = if letter.is_whole() { &mut unserved.waiting } else { &mut unserved.lost };
            seats.insert(seat);
        }
    }
    unserved
}

/// Queues what they are owed, and tells the moderator what nobody can write again.
///
/// # Errors
/// When the club cannot be read or written. What is wrong with one game the next pass finds.
pub(crate) fn write_again(
    context: &Context,
    unserved: &BTreeMap<u32, Unserved>,
    present: Option<&Present>,
) -> Result<(), ClubError> {
    for games in unserved.iter().collect::<Vec<_>>().chunks(GAMES_A_COMMIT) {
        let mut tx = Transaction::begin(context);
        for (game, unserved) in games {
            let work = |upon: &mut Transaction<'_>| letters_again(upon, **game, unserved);
            let _left_to_the_next_pass = isolate(|| tx.in_savepoint(work))?;
        }
        tx.commit()?;
    }
    let lost = present.map(|present| present.letters.as_slice()).unwrap_or_default();
    let lost = lost.iter().filter(|letter| !letter.is_whole());
    let to: BTreeSet<&str> = lost
        .filter(|letter| letter.seats().is_empty())
        .map(|Waiting { recipient, .. }| recipient.as_str())
        .collect();
    if to.is_empty() {
        return Ok(());
    }
    let to: Vec<String> = to.into_iter().map(str::to_owned).collect();
    let mut tx = Transaction::begin(context);
    let note =
        pending::to_moderator(&tx, vec![Message::new("report-restored-lost").with("to", to)])?;
    tx.write().outgoing.push(note);
    tx.commit().map(drop)
}

fn letters_again(
    tx: &mut Transaction<'_>,
    game: u32,
    unserved: &Unserved,
) -> Result<(), ClubError> {
    let mut session = tx.session(game)?.clone();
    let seats: Vec<Seat> =
        Seat::all(session.table.founding().seats).filter(|seat| unserved.again(*seat)).collect();
    // The same as that of no letter that may have been posted.
    let mark = format!("r{}.b{}", session.table.head(), tx.context.now.timestamp());
    let mut letters = Vec::new();
    for seat in &seats {
        let (asked, notes) = (vec![Command::History], vec![Message::new("restored")]);
        let to = ToSeat::unasked(*seat, Occasion::Told, mark.clone());
        letters.extend(pending::game_letter(tx, &session, ToSeat { asked, notes, ..to })?);
    }
    seats.iter().for_each(|seat| session.told(*seat));
    // Who has his letter now is not reminded of it at once.
    let has_letter = |seat: &Seat| unserved.again(*seat) || unserved.waiting.contains(seat);
    if matches!(session.table.turn(), Turn::Awaiting(awaited) if awaited.iter().all(has_letter)) {
        tx.set_due(commit::due(tx.context, &session));
    }
    tx.write().outgoing.extend(letters);
    tx.put_game(session);
    Ok(())
}
