//! After a restore, writes again the letters to players that were lost before they were sent.
//!
//! The text of a lost letter is unknown. So its reader gets everything that they may see: the
//! position, the game's history and the messages.

use crate::club::Question;
use crate::process::commit;
use crate::process::context::{ClubError, Context};
use crate::process::game_faults::catch_game_fault;
use crate::process::outbound::pending::{self, SeatUpdateDraft};
use crate::process::transaction::{GAMES_PER_COMMIT, Transaction};
use crate::render::Occasion;
use crate::rules::{Message, Seat, Turn};
use crate::store::journal::{PresentState, WaitingLetter};
use std::collections::{BTreeMap, BTreeSet};

/// The seats of a game that need a new letter, because their last one was lost.
#[derive(Default)]
pub(crate) struct SeatsToRewrite {
    /// Whether every seat needs a letter, because nothing is known about the letters that were
    /// sent.
    everyone: bool,
    /// The seats with a letter that was lost.
    lost: BTreeSet<Seat>,
    /// The seats with a letter that is in the outbox again. It replaces a lost one.
    pending: BTreeSet<Seat>,
}

impl SeatsToRewrite {
    pub(crate) fn for_all_seats() -> Self {
        Self { everyone: true, ..Self::default() }
    }

    fn needs_letter(&self, seat: Seat) -> bool {
        self.everyone || self.lost.contains(&seat) && !self.pending.contains(&seat)
    }
}

/// Returns the seats that need a new letter, by game, from the letters that waited when the journal
/// was written. A waiting letter without content is lost.
pub(crate) fn find_seats_to_rewrite(present: &PresentState) -> BTreeMap<u32, SeatsToRewrite> {
    let mut unserved: BTreeMap<u32, SeatsToRewrite> = BTreeMap::new();
    for letter in &present.letters {
        for (game, seat) in letter.games_and_seats() {
            let unserved = unserved.entry(game).or_default();
            let seats =
                if letter.has_payload() { &mut unserved.pending } else { &mut unserved.lost };
            seats.insert(seat);
        }
    }
    unserved
}

/// Queues new letters for these seats, and tells the moderator which other letters cannot be
/// written again. Skips a broken game, which the next pass reports.
pub(crate) fn rewrite_lost_letters(
    context: &Context,
    unserved: &BTreeMap<u32, SeatsToRewrite>,
    present: Option<&PresentState>,
) -> Result<(), ClubError> {
    for games in unserved.iter().collect::<Vec<_>>().chunks(GAMES_PER_COMMIT) {
        let mut tx = Transaction::begin(context);
        for (game, unserved) in games {
            let work = |upon: &mut Transaction<'_>| rewrite_letters_of_game(upon, **game, unserved);
            let _left_to_the_next_pass = catch_game_fault(|| tx.run_in_savepoint(work))?;
        }
        tx.commit()?;
    }
    let lost = present.map(|present| present.letters.as_slice()).unwrap_or_default();
    let lost = lost.iter().filter(|letter| !letter.has_payload());
    let to: BTreeSet<&str> = lost
        .filter(|letter| letter.games_and_seats().is_empty())
        .map(|WaitingLetter { recipient, .. }| recipient.as_str())
        .collect();
    if to.is_empty() {
        return Ok(());
    }
    let to: Vec<String> = to.into_iter().map(str::to_owned).collect();
    let mut tx = Transaction::begin(context);
    let note = Message::new("report-restored-lost").with("to", to);
    let notes = pending::make_moderator_notes(&tx, &[note])?;
    tx.batch_mut().outgoing.extend(notes);
    tx.commit().map(drop)
}

fn rewrite_letters_of_game(
    tx: &mut Transaction<'_>,
    game: u32,
    unserved: &SeatsToRewrite,
) -> Result<(), ClubError> {
    let mut session = tx.open_game(game)?.clone();
    let seats: Vec<Seat> = Seat::all(session.table.founding().seats)
        .filter(|seat| unserved.needs_letter(*seat))
        .collect();
    // No letter that may have been sent has this name, so no mail program drops the new letter as a
    // duplicate.
    let mark = format!("r{}.b{}", session.table.last_record_number(), tx.context.now.timestamp());
    let mut letters = Vec::new();
    for seat in &seats {
        let (asked, notes) = (vec![Question::History], vec![Message::new("restored")]);
        let to =
            SeatUpdateDraft::without_answered_letter(*seat, Occasion::TalkOrNotices, mark.clone());
        letters.extend(pending::make_seat_letter(
            tx,
            &session,
            SeatUpdateDraft { questions: asked, notes, ..to },
        )?);
    }
    seats.iter().for_each(|seat| session.mark_seen(*seat));
    // If every awaited player gets a letter now, the reminder can wait until its usual time.
    let has_letter = |seat: &Seat| unserved.needs_letter(*seat) || unserved.pending.contains(seat);
    if matches!(session.table.turn(), Turn::Awaiting(awaited) if awaited.iter().all(has_letter)) {
        tx.set_due_time(commit::next_due_time(tx.context, &session));
    }
    tx.batch_mut().outgoing.extend(letters);
    tx.put_back_game(session);
    Ok(())
}
