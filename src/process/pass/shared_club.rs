//! A pass where several workers share a club: letters go from this machine's inbox into the club's,
//! and out of that lane by lane; deadlines wait for letters that lie with another machine; the
//! outbox is posted lease by lease.
//!
//! Knows nothing of what letters say, nor how they are judged.

use crate::club::BOUNCE_WINDOW;
use crate::disk::{self, FileMode};
use crate::mail::transport::Transport;
use crate::mail::{BYTES_MAX, HeaderPreview, Letter, MailFolder, PendingLetter, unique_name};
use crate::process::context::{ClubError, Context};
use crate::process::delivery::{self, TransportState};
use crate::process::pass::{InboxBatches, archive_letters, move_letters, process_letters};
use crate::process::pass_report::PassReport;
use crate::process::timing::outage;
use crate::process::transaction::Transaction;
use crate::store::{CLUB_LANE, NewInboxLetter, Repository, SharedStore};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::HashSet;

/// The file in the club's folder with the name of this way in.
const TRANSPORT_NAME_FILE: &str = "way_in";
/// Where a machine says what it is called.
const HOSTNAME_FILE: &str = "/proc/sys/kernel/hostname";
/// The number of letters that are handed in at once: other workers judge them meanwhile.
const INBOX_BATCH_LETTERS: usize = 100;
/// The number of bytes of letters that are handed in at once; the last letter may exceed it.
const INBOX_BATCH_BYTES: usize = 8 << 20;
/// So many letters are leased at once, and what else goes to the same addresses.
const LETTERS_PER_LEASE: usize = 256;
/// So many times as many are leased after those of which none was posted.
const LEASE_GROWTH_FACTOR: usize = 16;
/// Deadlines wait for no way in that has been silent for longer than this.
const SILENCE_MAX: TimeDelta = TimeDelta::hours(24);
/// Whoever has been silent for so long is told of.
const REPORTED_SILENCE: TimeDelta = TimeDelta::hours(1);

/// Whether a letter waits, on this machine or in the club's inbox.
///
/// # Errors
/// When either cannot be read.
pub fn has_pending_letters(context: &Context) -> Result<bool, ClubError> {
    let inbox = context.inbox();
    let here = inbox.pending_letters(1).map_err(|error| ClubError::file(inbox.root(), error))?;
    if !here.is_empty() {
        return Ok(true);
    }
    Ok(context.store.as_shared().map_or(Ok(false), SharedStore::has_inbox_letters)?)
}

/// Hands in every letter that waits on this machine, unless another worker here is at it; nothing
/// where the club lies in its folder.
///
/// # Errors
/// When the store, or the inbox, cannot be read or written.
pub fn add_local_letters(context: &Context) -> Result<(), ClubError> {
    let Some(shared) = context.store.as_shared() else { return Ok(()) };
    // Whoever found another one at it has left his letter, perhaps when that one had looked.
    while add_all_letters(context, shared, &mut PassReport::default())? > 0 {}
    Ok(())
}

/// Hands in every letter that waits on this machine, then reads what waits in the club's inbox and
/// nobody else works on.
pub(crate) fn process_claimed_letters(
    context: &Context,
    shared: &dyn SharedStore,
    cutoff: Option<DateTime<Utc>>,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    add_all_letters(context, shared, report)?;
    let most = context.settings.letters_per_commit as usize;
    loop {
        let letters = shared.claim_letters(most)?;
        if letters.is_empty() {
            return Ok(shared.release_lanes()?);
        }
        let mut letters: Vec<PendingLetter> =
            letters.into_iter().map(PendingLetter::from).collect();
        letters.iter_mut().for_each(|letter| letter.cap_received_at(cutoff));
        let committed = process_letters(context, &letters, report)?;
        let late: Vec<&str> =
            committed.done_earlier.iter().map(|(letter, _)| &*letter.name).collect();
        if !late.is_empty() {
            shared.discard_letters(&late)?;
        }
        shared.release_lanes()?;
        // Its files are those of letters that lay in quarantine before the club came to its server.
        archive_letters(context, &context.inbox(), committed, report)?;
    }
}

/// Puts all letters that wait on this machine into the club's inbox, and archives their files.
/// Returns their number.
fn add_all_letters(
    context: &Context,
    shared: &dyn SharedStore,
    report: &mut PassReport,
) -> Result<usize, ClubError> {
    let inbox = context.inbox();
    let file = |error| ClubError::file(inbox.root(), error);
    let lock = disk::try_lock(&context.folder);
    let lock = lock.map_err(|error| ClubError::file(&context.folder, error))?;
    if lock.is_none() {
        // Another worker on this machine does.
        return Ok(0);
    }
    let way = read_transport_name(context)?.map_or_else(|| create_transport_name(context), Ok)?;
    let mut portions = InboxBatches::new(context.settings.letters_per_commit as usize);
    let mut handed_in = 0;
    loop {
        let letters = portions.next_batch(&inbox).map_err(file)?;
        if letters.is_empty() {
            break;
        }
        for letters in letters.chunks(INBOX_BATCH_LETTERS) {
            let (in_it, looked_at) = add_batch(context, shared, letters)?;
            let moves: Vec<_> =
                in_it.iter().map(|letter| ((*letter).clone(), MailFolder::Done)).collect();
            let names: HashSet<&String> = in_it.iter().map(|letter| &letter.name).collect();
            portions.skip_undecided(looked_at, &names);
            let stuck = move_letters(&inbox, &moves, report)?;
            handed_in += moves.len().saturating_sub(stuck.len());
            portions.stuck.extend(stuck);
        }
    }
    // Of a mail server only who has fetched from it knows that nothing lies there any more.
    if context.settings.mail_in.imap.is_none() {
        shared.note_transport_read(&way, context.now)?;
    }
    Ok(handed_in)
}

/// Puts letters into the club's inbox, up to the number of bytes that is allowed at once. Returns
/// those that are in it now, and those that were looked at. A file that cannot be read is left out.
fn add_batch<'a>(
    context: &Context,
    shared: &dyn SharedStore,
    letters: &'a [PendingLetter],
) -> Result<(Vec<&'a PendingLetter>, &'a [PendingLetter]), ClubError> {
    let games = Transaction::begin(context).next_game_number()?;
    let (mut read, mut handed) = (Vec::new(), Vec::new());
    let (mut bytes, mut looked_at) = (0, letters);
    for (place, letter) in letters.iter().enumerate() {
        if bytes >= INBOX_BATCH_BYTES {
            looked_at = letters.get(..place).unwrap_or(letters);
            break;
        }
        let Ok(raw) = letter.read(BYTES_MAX) else { continue };
        bytes += raw.len();
        let HeaderPreview { sender, game } =
            HeaderPreview::from_bytes(&raw, &context.settings.address);
        handed.push(NewInboxLetter {
            name: letter.name.clone(),
            lane: game.filter(|game| *game < games).unwrap_or(CLUB_LANE),
            sender: sender.unwrap_or_default(),
            received: letter.received,
            bytes: raw,
        });
        read.push(letter);
    }
    let taken: HashSet<String> = shared.add_to_inbox(&handed)?.into_iter().collect();
    if !taken.is_empty() {
        let others = handed.into_iter().filter(|letter| taken.contains(&letter.name));
        add_renamed(context, shared, others.collect())?;
    }
    Ok((read, looked_at))
}

/// Hands letters in under other names, as theirs are taken: by themselves, where a pass was cut
/// short before it could put their files away, or by others on another machine.
fn add_renamed(
    context: &Context,
    shared: &dyn SharedStore,
    letters: Vec<NewInboxLetter>,
) -> Result<(), ClubError> {
    let tx = Transaction::begin(context);
    let mut others = Vec::new();
    for mut letter in letters {
        let read = Letter::parse(&letter.bytes).ok();
        let seen =
            read.map(|letter| tx.seen_letter(letter.digest.as_bytes())).transpose()?.flatten();
        if seen.is_none() {
            letter.name = unique_name(&letter.name, &letter.bytes);
            others.push(letter);
        }
    }
    shared.add_to_inbox(&others)?;
    Ok(())
}

/// Notes that all that had come here is in the club's inbox, where several share a club.
pub(crate) fn note_local_transport_read(context: &Context) -> Result<(), ClubError> {
    let Some(shared) = context.store.as_shared() else { return Ok(()) };
    Ok(read_transport_name(context)?
        .map_or(Ok(()), |way| shared.note_transport_read(&way, context.now))?)
}

/// What this machine's inbox is called among others, once a letter could be handed in.
fn read_transport_name(context: &Context) -> Result<Option<String>, ClubError> {
    let path = context.folder.join(TRANSPORT_NAME_FILE);
    match std::fs::read_to_string(&path) {
        Ok(way) => Ok(Some(way.trim_end().to_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ClubError::file(&path, error)),
    }
}

/// Calls it by where it first was, as long as the club's folder is moved with all that is in it.
/// Only who holds the folder does.
fn create_transport_name(context: &Context) -> Result<String, ClubError> {
    let path = context.folder.join(TRANSPORT_NAME_FILE);
    let host = std::fs::read_to_string(HOSTNAME_FILE).unwrap_or_default();
    let inbox = context.inbox().root().to_owned();
    let inbox = inbox.canonicalize().unwrap_or(inbox);
    let way = format!("{}:{}", host.trim(), inbox.display());
    let text = format!("{way}\n");
    disk::write_atomically(
        &path.with_extension("new"),
        &path,
        text.as_bytes(),
        FileMode::OwnerOnly,
    )
    .map_err(|error| ClubError::file(&path, error))?;
    Ok(way)
}

/// Up to when all letters that have come anywhere are in the club's inbox. Who has not read his way
/// in for a day is not waited for any more.
pub(crate) fn transports_read_until(
    context: &Context,
    shared: &dyn SharedStore,
) -> Result<DateTime<Utc>, ClubError> {
    let read = shared.transport_read_times()?.into_iter().map(|(_, read)| read);
    let waited_for = read.filter(|read| context.now - *read < SILENCE_MAX);
    Ok(waited_for.fold(context.now, DateTime::min))
}

/// The ways in that deadlines wait for although nobody has read them for an hour, and since when.
///
/// # Errors
/// When the store cannot be read.
pub fn silent_transports(context: &Context) -> Result<Vec<(String, DateTime<Utc>)>, ClubError> {
    let mut ways =
        context.store.as_shared().map_or(Ok(Vec::new()), SharedStore::transport_read_times)?;
    ways.retain(|(_, read)| (REPORTED_SILENCE..SILENCE_MAX).contains(&(context.now - *read)));
    Ok(ways)
}

/// Posts what waits of the outbox and nobody else posts; what that tells of the way out.
pub(crate) fn deliver_leased_letters(
    context: &Context,
    shared: &dyn SharedStore,
    transport: &mut dyn Transport,
    report: &mut PassReport,
) -> Result<TransportState, ClubError> {
    let (mut way_out, mut leased) = (TransportState::Unknown, None);
    let mut most = LETTERS_PER_LEASE;
    while let Some(next) = shared.lease_letters(leased.unwrap_or_default(), most)? {
        let before = report.posted;
        let learned = delivery::deliver(context, transport, report);
        shared.release_leases()?;
        // Where many letters wait for a digest, those that do not are soon found.
        most = if report.posted > before {
            LETTERS_PER_LEASE
        } else {
            most.saturating_mul(LEASE_GROWTH_FACTOR)
        };
        way_out = way_out.max(learned?);
        leased = Some(next);
    }
    shared.release_leases()?;
    if leased.is_none() {
        // Whoever delivers does so, too.
        context.store.prune_post_records(context.now - BOUNCE_WINDOW)?;
        // Only whoever had found it closed asks whether others have posted what waited.
        if outage::is_outbound_closed(context)?
            && Transaction::begin(context).outbox().outbox_length()? == 0
        {
            return Ok(TransportState::Open);
        }
    }
    Ok(way_out)
}
