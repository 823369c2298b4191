//! One pass: reads the letters that came in, runs the games whose deadlines have passed, and sends
//! the letters of the outbox.
//!
//! This module fixes the order of these steps. Other modules of `process` do the work.

use crate::mail::transport::Transport;
use crate::mail::{MailFolder, Maildir, PendingLetter};
use crate::process::commit;
use crate::process::context::{ClubError, Context};
use crate::process::delivery::{self, probes};
use crate::process::game_faults::{FailedGameLetters, GAME_FAILED};
use crate::process::inbound::intake;
use crate::process::inbound::intake::OpenedLetter;
use crate::process::lobby::erasure::{self, UnsentLetters};
use crate::process::lobby::{invitations, proposal_removal};
use crate::process::moderation::{digest, quarantine};
use crate::process::pass::letter_judging::{JudgedLetter, ReadAheadLetter};
use crate::process::pass_report::PassReport;
use crate::process::timing::bot_turns::{self, ThinkingTime};
use crate::process::timing::outage::latest_heartbeat;
use crate::process::timing::{deadlines, outage};
use crate::process::transaction::effect::{Disposition, FileOutcome, LetterEffect, MovedGame};
use crate::process::transaction::{CommittedFiles, Transaction, retry_on_conflict, update_journal};
use crate::rules::Message;
use crate::store::{Repository, SharedStore};
use chrono::{DateTime, Utc};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub mod club_status;
pub mod fetch;
pub(crate) mod letter_judging;
pub(crate) mod lost_letters;
pub mod migration;
pub mod pass_notes;
pub mod restoration;
pub(crate) mod shared_club;

/// Whether every letter that has arrived for the club is in its inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InboxState {
    Complete,
    /// Letters may still be on a mail server that this pass could not read to the end.
    Incomplete,
}

/// The number of due games that a worker claims at a time on a shared store. A claim expires after
/// one minute without use, so the number is small.
const GAMES_PER_CLAIM: usize = 500;

/// Splits the letters of an inbox into batches that fit into one commit.
struct InboxBatches {
    limit: usize,
    /// The names of the files that stay in the inbox because they cannot be read or archived. A
    /// pass tries each file once.
    stuck: HashSet<String>,
}

impl InboxBatches {
    fn new(limit: usize) -> Self {
        Self { limit, stuck: HashSet::new() }
    }

    /// Returns the next letters, at most `limit`.
    fn next_batch(&self, inbox: &Maildir) -> std::io::Result<Vec<PendingLetter>> {
        let mut waiting = inbox.pending_letters(self.limit.saturating_add(self.stuck.len()))?;
        waiting.retain(|letter| !self.stuck.contains(&letter.name));
        // Two files can have one name (one in `new`, one in `cur`). The second file is read once
        // the first is archived.
        waiting.dedup_by(|later, letter| later.name == letter.name);
        waiting.truncate(self.limit);
        Ok(waiting)
    }

    /// Makes the later batches of this pass leave out those of these letters that the commit did
    /// not decide.
    fn skip_letters_without_outcome(
        &mut self,
        letters: &[PendingLetter],
        decided: &HashSet<&String>,
    ) {
        let names = letters.iter().map(|letter| &letter.name);
        self.stuck.extend(names.filter(|name| !decided.contains(name)).cloned());
    }
}

/// Runs one pass: reads the letters in the inbox, runs due games, and sends the outbox.
///
/// # Errors
/// When the club cannot be read or written. Everything committed before the error stays, and the
/// next pass continues from there.
pub fn run_pass(context: &Context, transport: &mut dyn Transport) -> Result<PassReport, ClubError> {
    let mut report = PassReport::default();
    refresh_cache_and_journal(context)?;
    outage::record_pass_and_refund_outage(context)?;
    process_all_letters(context, &mut report)?;
    run_due_games_and_deliver(context, InboxState::Complete, transport, report)
}

/// Begins a pass: drops the rows that the store has cached, because other workers may have changed
/// them, and brings the journal up to date.
pub(crate) fn refresh_cache_and_journal(context: &Context) -> Result<(), ClubError> {
    context.store.as_shared().into_iter().for_each(SharedStore::clear_cache);
    update_journal(context)
}

/// Ends a pass after its letters are read: runs due games, writes the moderator's digest, and sends
/// the outbox. Due games run only if `letters` is `Complete` and the outbound transport works.
pub(crate) fn run_due_games_and_deliver(
    context: &Context,
    letters: InboxState,
    transport: &mut dyn Transport,
    mut report: PassReport,
) -> Result<PassReport, ClubError> {
    // Without these conditions, a deadline could expire although the order is on the mail server,
    // or although no letter about the deadline could leave.
    if letters == InboxState::Complete && !outage::was_outbound_failing(context)? {
        probes::probe_doubtful_members(context)?;
        run_due_games(context, &mut report)?;
    }
    digest::queue_moderator_digest(context)?;
    invitations::forget_expired_invitees(context)?;
    let way_out = match context.store.as_shared() {
        Some(shared) => {
            shared_club::lease_and_deliver_letters(context, shared, transport, &mut report)?
        }
        None => delivery::deliver(context, transport, &mut report)?,
    };
    outage::record_outbound_and_extend_deadlines(context, way_out)?;
    // This runs after the sending, because a departed member's name and address are kept until the
    // last letter to them is sent.
    erasure::erase_departed_members(context, UnsentLetters::PostFirst)?;
    // The journal must also hold the letters that could not be sent, so that a restore finds them.
    update_journal(context)?;
    Ok(report)
}

/// Handles the games that are due: the turns of bots, and everything that has expired.
fn run_due_games(context: &Context, report: &mut PassReport) -> Result<(), ClubError> {
    let mut thinking = ThinkingTime::start(context);
    play_due_bots(context, &mut thinking, report)?;
    run_expired_clocks(context, report)?;
    // A bot may just have been asked to play for an absent player.
    play_due_bots(context, &mut thinking, report)
}

/// Plays the turns of the bots that are due, until the time for thinking is over.
fn play_due_bots(
    context: &Context,
    thinking: &mut ThinkingTime,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let due = Transaction::begin(context).due_games(context.now)?;
    let games = bot_turns::games_with_bots(context, &due)?;
    let Some(shared) = context.store.as_shared() else {
        return bot_turns::play_bot_turns(context, &games, thinking, report);
    };
    for games in games.chunks(GAMES_PER_CLAIM) {
        bot_turns::play_bot_turns(context, &shared.claim_games(games)?, thinking, report)?;
    }
    Ok(shared.release_lanes()?)
}

/// Ends expired votes and offers, runs clocks, ends expired proposals, and sends reminders.
fn run_expired_clocks(context: &Context, report: &mut PassReport) -> Result<(), ClubError> {
    let due = Transaction::begin(context).due_games(context.now)?;
    if due.is_empty() {
        return Ok(());
    }
    deadlines::expire_votes_and_offers(context, &due)?;
    let shared = context.store.as_shared();
    let until = shared
        .map_or(Ok(context.now), |shared| shared_club::transports_read_until(context, shared))?;
    let due = Transaction::begin(context).due_games(until)?;
    for games in due.chunks(GAMES_PER_CLAIM) {
        let [timed, unbegun, untimed] = match shared {
            // A worker skips a game that another worker has claimed or whose letters are still
            // unread.
            Some(shared) => group_due_games(context, &shared.claim_games(games)?)?,
            None => group_due_games(context, games)?,
        };
        deadlines::run_due_clocks(context, &timed, report)?;
        proposal_removal::expire_proposals(context, &unbegun)?;
        deadlines::remind_clockless_games(context, &untimed, report)?;
    }
    Ok(shared.map_or(Ok(()), SharedStore::release_lanes)?)
}

/// Reads every letter in the inbox and decides its effect, with one commit per batch of letters.
///
/// # Errors
/// When the club cannot be read or written.
pub fn process_all_letters(context: &Context, report: &mut PassReport) -> Result<(), ClubError> {
    process_letters_as_of(context, None, report)
}

/// Like [`process_all_letters`], but treats letters as received no later than `cutoff` (the clock
/// is stopped during an outage).
pub(crate) fn process_letters_as_of(
    context: &Context,
    cutoff: Option<DateTime<Utc>>,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    match context.store.as_shared() {
        Some(shared) => shared_club::claim_and_process_letters(context, shared, cutoff, report)?,
        None => process_inbox_batches(context, cutoff, report)?,
    }
    report.troubles.extend(fetch::report_unreadable_files(context, &context.inbox_maildir())?);
    commit::report_unreported_quarantined(context)
}

/// Reads the letters in the inbox and decides their effects, for a club with one worker. Commits
/// once per batch.
fn process_inbox_batches(
    context: &Context,
    cutoff: Option<DateTime<Utc>>,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let inbox = context.inbox_maildir();
    let mut portions = InboxBatches::new(context.settings.letters_per_commit as usize);
    loop {
        let letters = portions.next_batch(&inbox);
        let mut letters = letters.map_err(|error| ClubError::for_path(inbox.root(), error))?;
        if letters.is_empty() {
            return Ok(());
        }
        letters.iter_mut().for_each(|letter| letter.cap_received_at(cutoff));
        let committed = process_letters(context, &letters, report)?;
        update_journal(context)?;
        let late = committed.done_earlier.iter().map(|(letter, _)| &letter.name);
        let decided = committed.dispositions.iter().map(|(letter, _)| &letter.name).chain(late);
        portions.skip_letters_without_outcome(&letters, &decided.collect());
        portions.stuck.extend(archive_letters(context, &inbox, committed, report)?);
    }
}

/// Decides the effects of these letters and commits them in one transaction. Starts again if a row
/// that was read has changed before the commit.
///
/// # Errors
/// When the club cannot be read or written. Nothing is committed then.
pub fn process_letters(
    context: &Context,
    letters: &[PendingLetter],
    report: &mut PassReport,
) -> Result<CommittedFiles, ClubError> {
    let mut attempts = 0;
    retry_on_conflict(|| {
        attempts += 1;
        let mut barred = FailedGameLetters::new();
        loop {
            let mut tx = Transaction::begin_for_letters(context, letters)?;
            let mut read = report.clone();
            letter_judging::read_ahead_and_judge(context, letters, |letters| {
                // A letter's digest is known only once the letter is opened.
                let opened = letters.iter().filter_map(|one| one.opened.as_ref()?.as_ref().ok());
                tx.expect_letters(opened.map(|opened| &opened.letter.hash))?;
                letters
                    .into_iter()
                    .try_for_each(|letter| process_letter(&mut tx, letter, &barred, &mut read))
            })?;
            let isolate = commit::queue_notifications(&mut tx)?;
            let before = barred.len();
            barred.extend(isolate);
            // If a game failed while its notifications were made, its letters are barred and all
            // letters are judged again. So nothing of the failed game is committed.
            if barred.len() == before {
                let committed = tx.commit()?;
                read.conflict_retries += attempts - 1;
                *report = read;
                return Ok(committed);
            }
        }
    })
}

/// Decides the effect of one letter in a savepoint. If that fails halfway, drops the savepoint and
/// puts the letter into quarantine.
fn process_letter(
    tx: &mut Transaction<'_>,
    letter: ReadAheadLetter,
    failed: &FailedGameLetters,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let ReadAheadLetter { file: letter, opened } = letter;
    if let Some(fate) = tx.file_outcome(&letter.name)? {
        tx.add_file_processed_earlier(letter, fate);
        return Ok(());
    }
    // A file that cannot be read stays in the inbox. `fetch::report_unreadable_files` tells the
    // moderator.
    let Some(opened) = opened else { return Ok(()) };
    report.letters_read += 1;
    if let Some((game, why)) = failed.get(&letter.name) {
        tx.apply_effect(
            letter,
            LetterEffect::with_disposition(Disposition::Quarantined(why.clone())),
        );
        tx.report_broken_game(*game, why);
        return Ok(());
    }
    let judge = |upon: &mut Transaction<'_>| {
        upon.letter_received_at = letter.received;
        judge_and_apply(upon, letter.clone(), opened, report)
    };
    let why = match catch_unwind(AssertUnwindSafe(|| tx.run_in_savepoint(judge))) {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(ClubError::GameFailed { game, why })) => {
            tx.report_broken_game(game, &why);
            tx.apply_effect(letter, LetterEffect::with_disposition(Disposition::Quarantined(why)));
            return Ok(());
        }
        Ok(Err(error @ (ClubError::Damage(_) | ClubError::Compose(_)))) => error.to_message(),
        Ok(Err(error)) => return Err(error),
        Err(_) => GAME_FAILED,
    };
    tx.apply_effect(letter, LetterEffect::with_disposition(Disposition::Quarantined(why)));
    Ok(())
}

/// Decides the effect of an opened letter, applies it to the transaction, and counts the letter in
/// the report.
fn judge_and_apply(
    tx: &mut Transaction<'_>,
    letter: PendingLetter,
    opened: Result<Box<OpenedLetter>, Message>,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let JudgedLetter { effect, .. } = letter_judging::judge_opened(tx, opened)?;
    let ordered = effect.moved_game.as_ref().is_some_and(MovedGame::has_orders_or_plans);
    let answered = effect.answer.is_some() || effect.moved_game.is_some() && !ordered;
    let bounced = effect.believed_bounce.clone();
    intake::apply_letter_effect(tx, letter, effect)?;
    report.carried_out += usize::from(ordered);
    report.answered += usize::from(answered);
    report.bounced.extend(bounced);
    Ok(())
}

/// Moves the files of committed letters into their mail folders. Returns the names of the files
/// that could not be moved, which stay in the inbox.
fn archive_letters(
    context: &Context,
    inbox: &Maildir,
    CommittedFiles { dispositions: fates, done_earlier: late }: CommittedFiles,
    report: &mut PassReport,
) -> Result<Vec<String>, ClubError> {
    report.quarantined +=
        fates.iter().filter(|(_, disposition)| *disposition != Disposition::Done).count();
    let was_cut_short = !late.is_empty();
    let (mut done, mut stuck) = (fates, Vec::new());
    for (letter, FileOutcome { disposition, contents }) in late {
        match inbox.rename_if_name_reused(&letter, contents) {
            // This file is a new letter that reused the name of an earlier letter. It now has its
            // own name, and the next batch reads it.
            Ok(true) => {}
            Ok(false) => done.push((letter, disposition)),
            Err(error) => {
                report.troubles.push(format!("{}: {error}", letter.name));
                stuck.push(letter.name);
            }
        }
    }
    let folders: Vec<_> =
        done.into_iter().map(|(letter, disposition)| (letter, disposition.mail_folder())).collect();
    stuck.extend(move_letters(inbox, &folders, report)?);
    // A killed pass may have committed a decision about a quarantined letter without moving its
    // file.
    if was_cut_short {
        quarantine::finish_interrupted_moves(context)?;
    }
    Ok(stuck)
}

/// Moves letters into their mail folders. Returns the names of the files that could not be moved.
fn move_letters(
    inbox: &Maildir,
    letters: &[(PendingLetter, MailFolder)],
    report: &mut PassReport,
) -> Result<Vec<String>, ClubError> {
    let failed =
        inbox.archive_letters(letters).map_err(|error| ClubError::for_path(inbox.root(), error))?;
    report.troubles.extend(failed.iter().map(|(name, error)| format!("{name}: {error}")));
    Ok(failed.into_iter().map(|(name, _)| name).collect())
}

/// Sorts due games into those with a clock, those that have not begun, and those without a clock.
fn group_due_games(context: &Context, games: &[u32]) -> Result<[Vec<u32>; 3], ClubError> {
    let tx = Transaction::begin(context);
    let [mut timed, mut unbegun, mut untimed] = [Vec::new(), Vec::new(), Vec::new()];
    tx.read_each_game(games, |game| {
        let games = match tx.clock(game)? {
            Some(_) => &mut timed,
            None if tx.log_length(game)? == 0 => &mut unbegun,
            None => &mut untimed,
        };
        games.push(game);
        Ok(())
    })?;
    Ok([timed, unbegun, untimed])
}

/// Reads every letter in the inbox and decides its effect, as if the letters had arrived before a
/// current outage.
///
/// The players get the time of the outage back only afterwards, so an order in time must not count
/// as late here.
pub(crate) fn process_letters_during_outage(
    context: &Context,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let tx = Transaction::begin(context);
    let heartbeat = tx.heartbeat()?.filter(|_| tx.has_ever_had_clock().unwrap_or(true));
    let outage = heartbeat.and_then(|heartbeat| {
        latest_heartbeat(&context.folder, heartbeat).record_pass(context.now).1
    });
    process_letters_as_of(context, outage.map(|outage| outage.since), report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::MailFolder;

    #[test]
    fn batches_respect_limit_and_skip_stuck_letters() {
        let folder = crate::testing::create_folder();
        let inbox = Maildir::new(folder.path().to_owned());
        inbox.create_folders().expect("created");
        for n in 0..50 {
            std::fs::write(inbox.root().join(format!("new/{n:02}")), "x").expect("written");
        }
        let mut portions = InboxBatches::new(7);
        let mut met = Vec::new();
        loop {
            let letters = portions.next_batch(&inbox).expect("listed");
            if letters.is_empty() {
                break;
            }
            assert!(letters.len() <= 7, "{}", letters.len());
            met.extend(letters.iter().map(|letter| letter.name.clone()));
            let readable = |letter: &&PendingLetter| !letter.name.ends_with('3');
            let done: Vec<&PendingLetter> = letters.iter().filter(readable).collect();
            portions.skip_letters_without_outcome(
                &letters,
                &done.iter().map(|letter| &letter.name).collect(),
            );
            let moves: Vec<_> =
                done.into_iter().map(|letter| (letter.clone(), MailFolder::Done)).collect();
            inbox.archive_letters(&moves).expect("moved");
        }
        assert_eq!(met, (0..50).map(|n| format!("{n:02}")).collect::<Vec<_>>());
        assert_eq!(inbox.pending_letters(99).expect("listed").len(), 5);
    }
}
