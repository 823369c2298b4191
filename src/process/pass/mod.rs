//! One pass: letters in, one commit for many, letters out, reminders; and a club that comes back
//! from its journal.
//!
//! Says only in which order things are done, and which room judges a letter.

use crate::mail::transport::Transport;
use crate::mail::{MailFolder, Maildir, Waiting};
use crate::process::commit;
use crate::process::context::{ClubError, Context};
use crate::process::delivery::{self, probes};
use crate::process::inbound::intake;
use crate::process::inbound::intake::Opened;
use crate::process::isolate::{Barred, FAILED};
use crate::process::lobby::erasure::{self, Unposted};
use crate::process::lobby::forming;
use crate::process::moderation::{digest, quarantine};
use crate::process::pass::letters::{ReadAhead, Understood};
use crate::process::tally::PassReport;
use crate::process::timing::outage::heartbeat_of;
use crate::process::timing::{deadlines, outage};
use crate::process::transaction::effect::{Disposition, Fate, LetterEffect, Moved};
use crate::process::transaction::{Committed, Transaction, copy_out, retry};
use crate::rules::Message;
use crate::store::{Repository, Shared};
use chrono::{DateTime, Utc};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub mod fetch;
pub(crate) mod letters;
pub(crate) mod lost_letters;
pub mod migrate;
pub mod notes;
pub mod restore;
pub(crate) mod shared;

/// Whether all letters that have come so far are in the inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letters {
    /// All of them are.
    Here,
    /// Some may lie where they cannot be fetched from now.
    Elsewhere,
}

/// The number of due games that a worker claims at a time on a shared store. A claim expires after
/// one minute without use, so the number is small.
const GAMES_AT_ONCE: usize = 500;

/// The letters of an inbox, a commit's worth at a time.
struct Portions {
    limit: usize,
    /// The files that stay there, because they cannot be read or archived: each is tried once a
    /// pass.
    stuck: HashSet<String>,
}

impl Portions {
    fn new(limit: usize) -> Self {
        Self { limit, stuck: HashSet::new() }
    }

    /// Returns the next letters, at most as many as a commit takes.
    fn next(&self, inbox: &Maildir) -> std::io::Result<Vec<Waiting>> {
        let mut waiting = inbox.waiting(self.limit.saturating_add(self.stuck.len()))?;
        waiting.retain(|letter| !self.stuck.contains(&letter.name));
        // A second file of the same name is read once the first is archived.
        waiting.dedup_by(|later, letter| later.name == letter.name);
        waiting.truncate(self.limit);
        Ok(waiting)
    }

    /// Skips from now on those of these letters that were not decided on.
    fn keep_out(&mut self, letters: &[Waiting], decided: &HashSet<&String>) {
        let names = letters.iter().map(|letter| &letter.name);
        self.stuck.extend(names.filter(|name| !decided.contains(name)).cloned());
    }
}

/// Does one pass.
///
/// # Errors
/// When the club cannot be read or written. What was committed before stays, and the next pass
/// goes on from there.
pub fn pass(context: &Context, transport: &mut dyn Transport) -> Result<PassReport, ClubError> {
    let mut report = PassReport::default();
    begin_pass(context)?;
    outage::check_heartbeat(context)?;
    take_in_all(context, &mut report)?;
    end_pass(context, Letters::Here, transport, report)
}

/// Begins a pass: drops what an earlier pass has cached.
pub(crate) fn begin_pass(context: &Context) -> Result<(), ClubError> {
    context.store.shared().into_iter().for_each(Shared::look_anew);
    copy_out(context)
}

/// Ends a pass, once all letters that it could get are read.
pub(crate) fn end_pass(
    context: &Context,
    letters: Letters,
    transport: &mut dyn Transport,
    mut report: PassReport,
) -> Result<PassReport, ClubError> {
    // Otherwise a deadline could expire although the order is on the mail server, or although the
    // player could not be told of it.
    if letters == Letters::Here && !outage::is_closed(context)? {
        probes::look_at_members(context)?;
        do_what_is_due(context, &mut report)?;
    }
    digest::write_digest(context)?;
    let way_out = match context.store.shared() {
        Some(shared) => shared::deliver_leased(context, shared, transport, &mut report)?,
        None => delivery::deliver(context, transport, &mut report)?,
    };
    outage::note_way_out(context, way_out)?;
    // The remaining members have been told who has left.
    erasure::erase_traces(context, Unposted::IsPosted)?;
    // What could not be posted is then not only in the store.
    copy_out(context)?;
    Ok(report)
}

/// Does what is due in games.
fn do_what_is_due(context: &Context, report: &mut PassReport) -> Result<(), ClubError> {
    let due = Transaction::begin(context).due(context.now)?;
    if due.is_empty() {
        return Ok(());
    }
    deadlines::lapse_votes(context, &due)?;
    let shared = context.store.shared();
    let until = shared.map_or(Ok(context.now), |shared| shared::read_until(context, shared))?;
    let due = Transaction::begin(context).due(until)?;
    for games in due.chunks(GAMES_AT_ONCE) {
        let [timed, unbegun, untimed] = match shared {
            // No game that another worker has claimed, or whose letters are not read.
            Some(shared) => sorted(context, &shared.claim_games(games)?)?,
            None => sorted(context, games)?,
        };
        deadlines::run_clocks(context, &timed, report)?;
        forming::lapse_proposals(context, &unbegun)?;
        deadlines::remind(context, &untimed, report)?;
    }
    Ok(shared.map_or(Ok(()), Shared::let_go)?)
}

/// Reads every letter that waits, commit by commit.
///
/// # Errors
/// When the club cannot be read or written.
pub fn take_in_all(context: &Context, report: &mut PassReport) -> Result<(), ClubError> {
    take_in_as_of(context, None, report)
}

/// Like [`take_in_all`], but treats letters as received no later than `stands` (the clock is
/// stopped during an outage).
pub(crate) fn take_in_as_of(
    context: &Context,
    stands: Option<DateTime<Utc>>,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    match context.store.shared() {
        Some(shared) => shared::take_in_claimed(context, shared, stands, report)?,
        None => take_in_portions(context, stands, report)?,
    }
    report.troubles.extend(fetch::tell_of_unreadable(context, &context.inbox())?);
    commit::tell_of_untold(context)
}

/// Reads the letters of this machine's inbox, one commit's worth at a time.
fn take_in_portions(
    context: &Context,
    stands: Option<DateTime<Utc>>,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let inbox = context.inbox();
    let mut portions = Portions::new(context.settings.letters_per_commit as usize);
    loop {
        let letters = portions.next(&inbox);
        let mut letters = letters.map_err(|error| ClubError::file(inbox.root(), error))?;
        if letters.is_empty() {
            return Ok(());
        }
        letters.iter_mut().for_each(|letter| letter.came_by(stands));
        let committed = take_in(context, &letters, report)?;
        copy_out(context)?;
        let late = committed.late.iter().map(|(letter, _)| &letter.name);
        let decided = committed.fates.iter().map(|(letter, _)| &letter.name).chain(late);
        portions.keep_out(&letters, &decided.collect());
        portions.stuck.extend(put_away(context, &inbox, committed, report)?);
    }
}

/// Reads these letters and commits their effects. Judges them again if a row that was read has
/// changed meanwhile.
///
/// # Errors
/// When the club cannot be read or written; nothing of these letters is done then.
pub fn take_in(
    context: &Context,
    letters: &[Waiting],
    report: &mut PassReport,
) -> Result<Committed, ClubError> {
    let mut attempts = 0;
    retry(|| {
        attempts += 1;
        let mut barred = Barred::new();
        loop {
            let mut tx = Transaction::begin_for_letters(context, letters)?;
            let mut read = report.clone();
            letters::read_ahead(context, letters, |letters| {
                // A letter's digest is known only once the letter is opened.
                let opened = letters.iter().filter_map(|one| one.opened.as_ref()?.as_ref().ok());
                tx.expect_letters(opened.map(|opened| &opened.letter.digest))?;
                letters
                    .into_iter()
                    .try_for_each(|letter| take_letter(&mut tx, letter, &barred, &mut read))
            })?;
            let isolate = commit::finish(&mut tx)?;
            let before = barred.len();
            barred.extend(isolate);
            // A game that failed at the end leaves nothing of itself either.
            if barred.len() == before {
                let committed = tx.commit()?;
                read.decided_anew += attempts - 1;
                *report = read;
                return Ok(committed);
            }
        }
    })
}

/// Judges a letter in a savepoint, so that nothing is left of it if it fails half-way.
fn take_letter(
    tx: &mut Transaction<'_>,
    letter: ReadAhead,
    barred: &Barred,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let ReadAhead { file: letter, opened } = letter;
    if let Some(fate) = tx.fate(&letter.name)? {
        tx.take_late(letter, fate);
        return Ok(());
    }
    // A file that cannot be read stays there, and the moderator hears of it.
    let Some(opened) = opened else { return Ok(()) };
    report.read += 1;
    if let Some((game, why)) = barred.get(&letter.name) {
        tx.take(letter, LetterEffect::of(Disposition::Quarantined(why.clone())));
        tx.broken(*game, why);
        return Ok(());
    }
    let judge = |upon: &mut Transaction<'_>| {
        upon.received = letter.received;
        judge_letter(upon, letter.clone(), opened, report)
    };
    let why = match catch_unwind(AssertUnwindSafe(|| tx.in_savepoint(judge))) {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(ClubError::GameFailed { game, why })) => {
            tx.broken(game, &why);
            tx.take(letter, LetterEffect::of(Disposition::Quarantined(why)));
            return Ok(());
        }
        Ok(Err(error @ (ClubError::Damage(_) | ClubError::Compose(_)))) => error.told(),
        Ok(Err(error)) => return Err(error),
        Err(_) => FAILED,
    };
    tx.take(letter, LetterEffect::of(Disposition::Quarantined(why)));
    Ok(())
}

/// Judges a letter, takes in its effect, and counts it.
fn judge_letter(
    tx: &mut Transaction<'_>,
    letter: Waiting,
    opened: Result<Box<Opened>, Message>,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let Understood { effect, .. } = letters::consider_opened(tx, opened)?;
    let ordered = effect.moved.as_ref().is_some_and(Moved::has_orders);
    let answered = effect.answer.is_some() || effect.moved.is_some() && !ordered;
    let bounced = effect.bounced.clone();
    intake::take(tx, letter, effect)?;
    report.carried_out += usize::from(ordered);
    report.answered += usize::from(answered);
    report.bounced.extend(bounced);
    Ok(())
}

/// Archives the letters that were dealt with. Returns the names of those that could not be moved.
fn put_away(
    context: &Context,
    inbox: &Maildir,
    Committed { fates, late }: Committed,
    report: &mut PassReport,
) -> Result<Vec<String>, ClubError> {
    report.quarantined +=
        fates.iter().filter(|(_, disposition)| *disposition != Disposition::Done).count();
    let was_cut_short = !late.is_empty();
    let (mut done, mut stuck) = (fates, Vec::new());
    for (letter, Fate { disposition, contents }) in late {
        match inbox.tell_apart(&letter, contents) {
            // It is another letter, and read next.
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
    stuck.extend(put(inbox, &folders, report)?);
    // A pass that was killed may have let letters out of quarantine.
    if was_cut_short {
        quarantine::tidy_quarantine(context)?;
    }
    Ok(stuck)
}

/// Moves letters into their mail folders. Returns the names of those that could not be moved.
fn put(
    inbox: &Maildir,
    letters: &[(Waiting, MailFolder)],
    report: &mut PassReport,
) -> Result<Vec<String>, ClubError> {
    let failed = inbox.put(letters).map_err(|error| ClubError::file(inbox.root(), error))?;
    report.troubles.extend(failed.iter().map(|(name, error)| format!("{name}: {error}")));
    Ok(failed.into_iter().map(|(name, _)| name).collect())
}

/// Sorts due games into those with a clock, those that have not begun, and those without a clock.
fn sorted(context: &Context, games: &[u32]) -> Result<[Vec<u32>; 3], ClubError> {
    let tx = Transaction::begin(context);
    let [mut timed, mut unbegun, mut untimed] = [Vec::new(), Vec::new(), Vec::new()];
    tx.read_games(games, |game| {
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

/// Reads every letter that is here, even if no pass could read any for long.
///
/// That time is given back only afterwards, so these letters count as received when it began.
pub(crate) fn take_in_while_standing(
    context: &Context,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let tx = Transaction::begin(context);
    let heartbeat = tx.heartbeat()?.filter(|_| tx.has_clocks().unwrap_or(true));
    let outage = heartbeat
        .and_then(|heartbeat| heartbeat_of(&context.folder, heartbeat).beat(context.now).1);
    take_in_as_of(context, outage.map(|outage| outage.since), report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::MailFolder;

    #[test]
    fn no_commit_takes_more_letters_than_it_may_and_none_is_met_twice() {
        let folder = crate::common::folder();
        let inbox = Maildir::new(folder.path().to_owned());
        inbox.create().expect("created");
        for n in 0..50 {
            std::fs::write(inbox.root().join(format!("new/{n:02}")), "x").expect("written");
        }
        let mut portions = Portions::new(7);
        let mut met = Vec::new();
        loop {
            let letters = portions.next(&inbox).expect("listed");
            if letters.is_empty() {
                break;
            }
            assert!(letters.len() <= 7, "{}", letters.len());
            met.extend(letters.iter().map(|letter| letter.name.clone()));
            let readable = |letter: &&Waiting| !letter.name.ends_with('3');
            let done: Vec<&Waiting> = letters.iter().filter(readable).collect();
            portions.keep_out(&letters, &done.iter().map(|letter| &letter.name).collect());
            let moves: Vec<_> =
                done.into_iter().map(|letter| (letter.clone(), MailFolder::Done)).collect();
            inbox.put(&moves).expect("moved");
        }
        assert_eq!(met, (0..50).map(|n| format!("{n:02}")).collect::<Vec<_>>());
        assert_eq!(inbox.waiting(99).expect("listed").len(), 5);
    }
}
