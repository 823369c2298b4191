//! A pass of a club that several workers share through a database server.
//!
//! Each worker adds the letters of its machine's inbox to the club's inbox, then claims letters
//! from there by lane. A lane is one game, or everything else. Deadlines wait for the letters that
//! other machines have not added yet. Workers lease the letters of the outbox before they send
//! them, so no letter is sent twice.
//!
//! This module does not read letters and does not judge them.

use crate::club::BOUNCE_WINDOW;
use crate::disk::{self, FileMode};
use crate::mail::transport::Transport;
use crate::mail::{
    BYTES_MAX, HeaderPreview, Letter, MailFolder, PendingLetter, hash_suffixed_name,
};
use crate::process::context::{ClubError, Context};
use crate::process::delivery::{self, TransportState};
use crate::process::pass::{InboxBatches, archive_letters, move_letters, process_letters};
use crate::process::pass_report::PassReport;
use crate::process::timing::outage;
use crate::process::transaction::Transaction;
use crate::store::{CLUB_LANE, NewInboxLetter, Repository, SharedStore};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::HashSet;

/// The file in the club's folder that holds the name of this machine's inbound transport.
const TRANSPORT_NAME_FILE: &str = "way_in";
const HOSTNAME_FILE: &str = "/proc/sys/kernel/hostname";
/// The number of letters that are added to the club's inbox at a time. Other workers can judge them
/// while the next ones are read.
const INBOX_BATCH_LETTERS: usize = 100;
/// The number of bytes that are added to the club's inbox at a time (8 MiB). The last letter may
/// exceed it.
const INBOX_BATCH_BYTES: usize = 8 << 20;
/// The number of outbox letters that a worker leases at a time. The lease also covers the other
/// letters to these addresses.
const LETTERS_PER_LEASE: usize = 256;
/// The factor by which the next lease grows if no letter of the last lease was sent.
const LEASE_GROWTH_FACTOR: usize = 16;
/// Deadlines do not wait for an inbound transport that was last read longer ago than this.
const SILENCE_MAX: TimeDelta = TimeDelta::hours(24);
/// An inbound transport is reported to the moderator if it was last read longer ago than this.
const REPORTED_SILENCE: TimeDelta = TimeDelta::hours(1);

/// Whether a letter is waiting in this machine's inbox or in the club's shared inbox.
///
/// # Errors
/// When either inbox cannot be read.
pub fn has_pending_letters(context: &Context) -> Result<bool, ClubError> {
    let inbox = context.inbox_maildir();
    let here =
        inbox.pending_letters(1).map_err(|error| ClubError::for_path(inbox.root(), error))?;
    if !here.is_empty() {
        return Ok(true);
    }
    Ok(context.store.as_shared().map_or(Ok(false), SharedStore::has_unprocessed_letters)?)
}

/// Adds all letters of this machine's inbox to the club's shared inbox. Does nothing if another
/// worker on this machine is doing it, or if the club has no shared store.
///
/// # Errors
/// When the store, or the inbox, cannot be read or written.
pub fn add_local_letters(context: &Context) -> Result<(), ClubError> {
    let Some(shared) = context.store.as_shared() else { return Ok(()) };
    // Another process that found the lock taken may have left its letter after the inbox was
    // listed. So this repeats until no letter is found.
    while add_all_letters(context, shared, &mut PassReport::default())? > 0 {}
    Ok(())
}

/// Adds all letters of this machine's inbox to the club's shared inbox. Then claims letters from
/// there and judges them, until it finds none that other workers have not claimed.
pub(crate) fn claim_and_process_letters(
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
            shared.remove_from_inbox(&late)?;
        }
        shared.release_lanes()?;
        // Only letters that were in quarantine before the club moved to the server have files to
        // move.
        archive_letters(context, &context.inbox_maildir(), committed, report)?;
    }
}

/// Adds all letters of this machine's inbox to the club's shared inbox, and archives their files.
/// Returns the number of letters, or 0 if another worker on this machine holds the lock.
fn add_all_letters(
    context: &Context,
    shared: &dyn SharedStore,
    report: &mut PassReport,
) -> Result<usize, ClubError> {
    let inbox = context.inbox_maildir();
    let file = |error| ClubError::for_path(inbox.root(), error);
    let lock = disk::try_lock(&context.folder);
    let lock = lock.map_err(|error| ClubError::for_path(&context.folder, error))?;
    if lock.is_none() {
        return Ok(0);
    }
    let transport =
        read_transport_name(context)?.map_or_else(|| create_transport_name(context), Ok)?;
    let mut batches = InboxBatches::new(context.settings.letters_per_commit as usize);
    let mut handed_in = 0;
    loop {
        let letters = batches.next_batch(&inbox).map_err(file)?;
        if letters.is_empty() {
            break;
        }
        for letters in letters.chunks(INBOX_BATCH_LETTERS) {
            let (in_it, looked_at) = add_batch(context, shared, letters)?;
            let moves: Vec<_> =
                in_it.iter().map(|letter| ((*letter).clone(), MailFolder::Done)).collect();
            let names: HashSet<&String> = in_it.iter().map(|letter| &letter.name).collect();
            batches.skip_letters_without_outcome(looked_at, &names);
            let stuck = move_letters(&inbox, &moves, report)?;
            handed_in += moves.len().saturating_sub(stuck.len());
            batches.stuck.extend(stuck);
        }
    }
    // With IMAP, letters can still be on the mail server. Only the pass that fetched them may note
    // the transport as read.
    if context.settings.mail_in.imap.is_none() {
        shared.note_transport_read(&transport, context.now)?;
    }
    Ok(handed_in)
}

/// Adds letters to the club's shared inbox, up to [`INBOX_BATCH_BYTES`]. Returns the letters that
/// are in it now, and the letters that were tried. A file that cannot be read is skipped.
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

/// Adds letters under new names because their own names are taken in the shared inbox. Skips
/// letters that are already processed: an earlier pass was killed before it archived their files.
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
            read.map(|letter| tx.letter_outcome(letter.hash.as_bytes())).transpose()?.flatten();
        if seen.is_none() {
            letter.name = hash_suffixed_name(&letter.name, &letter.bytes);
            others.push(letter);
        }
    }
    shared.add_to_inbox(&others)?;
    Ok(())
}

/// Notes in a shared store that every letter that had arrived at this machine's transport is in the
/// club's inbox.
pub(crate) fn note_local_transport_read(context: &Context) -> Result<(), ClubError> {
    let Some(shared) = context.store.as_shared() else { return Ok(()) };
    Ok(read_transport_name(context)?
        .map_or(Ok(()), |way| shared.note_transport_read(&way, context.now))?)
}

/// Returns the name of this machine's inbound transport, or `None` if it has no name yet.
fn read_transport_name(context: &Context) -> Result<Option<String>, ClubError> {
    let path = context.folder.join(TRANSPORT_NAME_FILE);
    match std::fs::read_to_string(&path) {
        Ok(way) => Ok(Some(way.trim_end().to_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ClubError::for_path(&path, error)),
    }
}

/// Creates the name of this machine's inbound transport from the host name and the inbox's path,
/// and writes it to the club's folder. The name stays if the folder moves, so the moved transport
/// does not count as a second one. The caller must hold the folder's lock.
fn create_transport_name(context: &Context) -> Result<String, ClubError> {
    let path = context.folder.join(TRANSPORT_NAME_FILE);
    let host = std::fs::read_to_string(HOSTNAME_FILE).unwrap_or_default();
    let inbox = context.inbox_maildir().root().to_owned();
    let inbox = inbox.canonicalize().unwrap_or(inbox);
    let way = format!("{}:{}", host.trim(), inbox.display());
    let text = format!("{way}\n");
    disk::write_atomically(
        &path.with_extension("new"),
        &path,
        text.as_bytes(),
        FileMode::OwnerOnly,
    )
    .map_err(|error| ClubError::for_path(&path, error))?;
    Ok(way)
}

/// Returns the time up to which all letters that arrived at any machine are in the club's inbox.
/// Ignores transports that were last read more than a day ago.
pub(crate) fn transports_read_until(
    context: &Context,
    shared: &dyn SharedStore,
) -> Result<DateTime<Utc>, ClubError> {
    let read = shared.transport_read_times()?.into_iter().map(|(_, read)| read);
    let waited_for = read.filter(|read| context.now - *read < SILENCE_MAX);
    Ok(waited_for.fold(context.now, DateTime::min))
}

/// Returns the inbound transports that were last read between an hour and a day ago, with that
/// time. Deadlines wait for them.
///
/// # Errors
/// When the store cannot be read.
pub fn silent_transports(context: &Context) -> Result<Vec<(String, DateTime<Utc>)>, ClubError> {
    let mut ways =
        context.store.as_shared().map_or(Ok(Vec::new()), SharedStore::transport_read_times)?;
    ways.retain(|(_, read)| (REPORTED_SILENCE..SILENCE_MAX).contains(&(context.now - *read)));
    Ok(ways)
}

/// Leases outbox letters that no other worker has leased, and sends those that may leave, until
/// none are left. Returns whether the outbound transport works.
pub(crate) fn lease_and_deliver_letters(
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
        // The first letters may all be waiting for a digest. A larger lease reaches the letters
        // behind them sooner.
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
        // `deliver` also prunes these rows, but it did not run without a lease.
        context.store.prune_post_records(context.now - BOUNCE_WINDOW)?;
        // If a pass found the transport closed and the outbox is empty now, other workers have sent
        // its letters.
        if outage::was_outbound_failing(context)?
            && Transaction::begin(context).outbox().outbox_length()? == 0
        {
            return Ok(TransportState::Open);
        }
    }
    Ok(way_out)
}
