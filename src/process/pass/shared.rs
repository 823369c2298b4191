//! A pass where several workers share a club: letters go from this machine's inbox into the club's,
//! and out of that lane by lane; deadlines wait for letters that lie with another machine; the
//! outbox is posted lease by lease.
//!
//! Knows nothing of what letters say, nor how they are judged.

use crate::club::COMES_BACK_WITHIN;
use crate::disk::{self, Readers};
use crate::mail::transport::Transport;
use crate::mail::{BYTES_MAX, Letter, MailFolder, Outside, Waiting, name_besides};
use crate::process::context::{ClubError, Context};
use crate::process::delivery::{self, WayOut};
use crate::process::pass::{Portions, put, put_away, take_in};
use crate::process::tally::PassReport;
use crate::process::timing::outage;
use crate::process::transaction::Transaction;
use crate::store::{HOUSE, HandedIn, Repository, Shared};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::HashSet;

/// The file in the club's folder with the name of this way in.
const WAY: &str = "way_in";
/// Where a machine says what it is called.
const HOST: &str = "/proc/sys/kernel/hostname";
/// The number of letters that are handed in at once: other workers judge them meanwhile.
const LETTERS_AT_ONCE: usize = 100;
/// The number of bytes of letters that are handed in at once; the last letter may exceed it.
const BYTES_AT_ONCE: usize = 8 << 20;
/// So many letters are leased at once, and what else goes to the same addresses.
const POSTED_AT_ONCE: usize = 256;
/// So many times as many are leased after those of which none was posted.
const TIMES_MORE: usize = 16;
/// Deadlines wait for no way in that has been silent for longer than this.
const SILENT_MAX: TimeDelta = TimeDelta::hours(24);
/// Whoever has been silent for so long is told of.
const SILENT: TimeDelta = TimeDelta::hours(1);

/// Whether a letter waits, on this machine or in the club's inbox.
///
/// # Errors
/// When either cannot be read.
pub fn has_letters(context: &Context) -> Result<bool, ClubError> {
    let inbox = context.inbox();
    let here = inbox.waiting(1).map_err(|error| ClubError::file(inbox.root(), error))?;
    if !here.is_empty() {
        return Ok(true);
    }
    Ok(context.store.shared().map_or(Ok(false), Shared::has_letters)?)
}

/// Hands in every letter that waits on this machine, unless another worker here is at it; nothing
/// where the club lies in its folder.
///
/// # Errors
/// When the store, or the inbox, cannot be read or written.
pub fn hand_in_here(context: &Context) -> Result<(), ClubError> {
    let Some(shared) = context.store.shared() else { return Ok(()) };
    // Whoever found another one at it has left his letter, perhaps when that one had looked.
    while hand_in_all(context, shared, &mut PassReport::default())? > 0 {}
    Ok(())
}

/// Hands in every letter that waits on this machine, then reads what waits in the club's inbox and
/// nobody else works on.
pub(crate) fn take_in_claimed(
    context: &Context,
    shared: &dyn Shared,
    stands: Option<DateTime<Utc>>,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    hand_in_all(context, shared, report)?;
    let most = context.settings.letters_per_commit as usize;
    loop {
        let letters = shared.claim(most)?;
        if letters.is_empty() {
            return Ok(shared.let_go()?);
        }
        let mut letters: Vec<Waiting> = letters.into_iter().map(Waiting::from).collect();
        letters.iter_mut().for_each(|letter| letter.came_by(stands));
        let committed = take_in(context, &letters, report)?;
        let late: Vec<&str> = committed.late.iter().map(|(letter, _)| &*letter.name).collect();
        if !late.is_empty() {
            shared.discard(&late)?;
        }
        shared.let_go()?;
        // Its files are those of letters that lay in quarantine before the club came to its server.
        put_away(context, &context.inbox(), committed, report)?;
    }
}

/// Puts all letters that wait on this machine into the club's inbox, and archives their files.
/// Returns their number.
fn hand_in_all(
    context: &Context,
    shared: &dyn Shared,
    report: &mut PassReport,
) -> Result<usize, ClubError> {
    let inbox = context.inbox();
    let file = |error| ClubError::file(inbox.root(), error);
    let lock = disk::lock(&context.folder);
    let lock = lock.map_err(|error| ClubError::file(&context.folder, error))?;
    if lock.is_none() {
        // Another worker on this machine does.
        return Ok(0);
    }
    let way = known_way(context)?.map_or_else(|| name_way(context), Ok)?;
    let mut portions = Portions::new(context.settings.letters_per_commit as usize);
    let mut handed_in = 0;
    loop {
        let letters = portions.next(&inbox).map_err(file)?;
        if letters.is_empty() {
            break;
        }
        for letters in letters.chunks(LETTERS_AT_ONCE) {
            let (in_it, looked_at) = hand_in(context, shared, letters)?;
            let moves: Vec<_> =
                in_it.iter().map(|letter| ((*letter).clone(), MailFolder::Done)).collect();
            let names: HashSet<&String> = in_it.iter().map(|letter| &letter.name).collect();
            portions.keep_out(looked_at, &names);
            let stuck = put(&inbox, &moves, report)?;
            handed_in += moves.len().saturating_sub(stuck.len());
            portions.stuck.extend(stuck);
        }
    }
    // Of a mail server only who has fetched from it knows that nothing lies there any more.
    if context.settings.mail_in.imap.is_none() {
        shared.note_way_in(&way, context.now)?;
    }
    Ok(handed_in)
}

/// Puts letters into the club's inbox, up to the number of bytes that is allowed at once. Returns
/// those that are in it now, and those that were looked at. A file that cannot be read is left out.
fn hand_in<'a>(
    context: &Context,
    shared: &dyn Shared,
    letters: &'a [Waiting],
) -> Result<(Vec<&'a Waiting>, &'a [Waiting]), ClubError> {
    let games = Transaction::begin(context).next_game()?;
    let (mut read, mut handed) = (Vec::new(), Vec::new());
    let (mut bytes, mut looked_at) = (0, letters);
    for (place, letter) in letters.iter().enumerate() {
        if bytes >= BYTES_AT_ONCE {
            looked_at = letters.get(..place).unwrap_or(letters);
            break;
        }
        let Ok(raw) = letter.read(BYTES_MAX) else { continue };
        bytes += raw.len();
        let Outside { sender, game } = Outside::of(&raw, &context.settings.address);
        handed.push(HandedIn {
            name: letter.name.clone(),
            lane: game.filter(|game| *game < games).unwrap_or(HOUSE),
            sender: sender.unwrap_or_default(),
            received: letter.received,
            bytes: raw,
        });
        read.push(letter);
    }
    let taken: HashSet<String> = shared.hand_in(&handed)?.into_iter().collect();
    if !taken.is_empty() {
        let others = handed.into_iter().filter(|letter| taken.contains(&letter.name));
        hand_in_renamed(context, shared, others.collect())?;
    }
    Ok((read, looked_at))
}

/// Hands letters in under other names, as theirs are taken: by themselves, where a pass was cut
/// short before it could put their files away, or by others on another machine.
fn hand_in_renamed(
    context: &Context,
    shared: &dyn Shared,
    letters: Vec<HandedIn>,
) -> Result<(), ClubError> {
    let tx = Transaction::begin(context);
    let mut others = Vec::new();
    for mut letter in letters {
        let read = Letter::read(&letter.bytes).ok();
        let seen = read.map(|letter| tx.seen_letter(letter.digest.bytes())).transpose()?.flatten();
        if seen.is_none() {
            letter.name = name_besides(&letter.name, &letter.bytes);
            others.push(letter);
        }
    }
    shared.hand_in(&others)?;
    Ok(())
}

/// Notes that all that had come here is in the club's inbox, where several share a club.
pub(crate) fn note_way_in(context: &Context) -> Result<(), ClubError> {
    let Some(shared) = context.store.shared() else { return Ok(()) };
    Ok(known_way(context)?.map_or(Ok(()), |way| shared.note_way_in(&way, context.now))?)
}

/// What this machine's inbox is called among others, once a letter could be handed in.
fn known_way(context: &Context) -> Result<Option<String>, ClubError> {
    let path = context.folder.join(WAY);
    match std::fs::read_to_string(&path) {
        Ok(way) => Ok(Some(way.trim_end().to_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ClubError::file(&path, error)),
    }
}

/// Calls it by where it first was, as long as the club's folder is moved with all that is in it.
/// Only who holds the folder does.
fn name_way(context: &Context) -> Result<String, ClubError> {
    let path = context.folder.join(WAY);
    let host = std::fs::read_to_string(HOST).unwrap_or_default();
    let inbox = context.inbox().root().to_owned();
    let inbox = inbox.canonicalize().unwrap_or(inbox);
    let way = format!("{}:{}", host.trim(), inbox.display());
    let text = format!("{way}\n");
    disk::write_whole(&path.with_extension("new"), &path, text.as_bytes(), Readers::Owner)
        .map_err(|error| ClubError::file(&path, error))?;
    Ok(way)
}

/// Up to when all letters that have come anywhere are in the club's inbox. Who has not read his way
/// in for a day is not waited for any more.
pub(crate) fn read_until(
    context: &Context,
    shared: &dyn Shared,
) -> Result<DateTime<Utc>, ClubError> {
    let read = shared.ways_in()?.into_iter().map(|(_, read)| read);
    let waited_for = read.filter(|read| context.now - *read < SILENT_MAX);
    Ok(waited_for.fold(context.now, DateTime::min))
}

/// The ways in that deadlines wait for although nobody has read them for an hour, and since when.
///
/// # Errors
/// When the store cannot be read.
pub fn silent_ways(context: &Context) -> Result<Vec<(String, DateTime<Utc>)>, ClubError> {
    let mut ways = context.store.shared().map_or(Ok(Vec::new()), Shared::ways_in)?;
    ways.retain(|(_, read)| (SILENT..SILENT_MAX).contains(&(context.now - *read)));
    Ok(ways)
}

/// Posts what waits of the outbox and nobody else posts; what that tells of the way out.
pub(crate) fn deliver_leased(
    context: &Context,
    shared: &dyn Shared,
    transport: &mut dyn Transport,
    report: &mut PassReport,
) -> Result<WayOut, ClubError> {
    let (mut way_out, mut leased) = (WayOut::Unknown, None);
    let mut most = POSTED_AT_ONCE;
    while let Some(next) = shared.lease(leased.unwrap_or_default(), most)? {
        let before = report.posted;
        let learned = delivery::deliver(context, transport, report);
        shared.give_back()?;
        // Where many letters wait for a digest, those that do not are soon found.
        most =
            if report.posted > before { POSTED_AT_ONCE } else { most.saturating_mul(TIMES_MORE) };
        way_out = way_out.max(learned?);
        leased = Some(next);
    }
    shared.give_back()?;
    if leased.is_none() {
        // Whoever delivers does so, too.
        context.store.forget_posted(context.now - COMES_BACK_WITHIN)?;
        // Only whoever had found it closed asks whether others have posted what waited.
        if outage::is_closed(context)? && Transaction::begin(context).outbox().outbox_length()? == 0
        {
            return Ok(WayOut::Open);
        }
    }
    Ok(way_out)
}
