//! Notes to the moderator about letters that went to quarantine: one a pass and a few a day.
//!
//! Anybody can send letters that end there, so their number must not become that of the notes.
//! A note is in the same commit that puts letters aside, and so is the count of those that it does
//! not tell of: a later pass tells how many these were. The morning digest lists all that lies
//! there.

use crate::mail::Waiting;
use crate::mail::rate_limit::DAY;
use crate::process::context::{ClubError, Context};
use crate::process::outbound::tell;
use crate::process::transaction::effect::Disposition;
use crate::process::transaction::{Transaction, retry};
use crate::rules::Message;
use crate::store::{Repository, Row};

/// How many notes go out within a day.
const NOTES_A_DAY: usize = 4;
/// How many letters one note names.
const NAMED: usize = 20;
/// How far back letters are looked for that no note has told of, in seconds.
const LOOK_BACK: i64 = 60 * DAY;
/// Under what the store counts the letters that went to quarantine.
const HELD: &str = "letters held";
/// Under what the store counts those of them that were told.
const TOLD: &str = "letters held and told";
/// Under what the store counts the notes about them.
const NOTES: &str = "notes of letters held";

/// Counts in a transaction's commit what goes to quarantine by it, and tells the moderator of
/// it if it is the first of the pass and there were not enough notes for a day.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn tell_of_held(tx: &mut Transaction<'_>) -> Result<(), ClubError> {
    let held: Vec<Message> = tx.fates().filter_map(held_words).collect();
    if held.is_empty() {
        return Ok(());
    }
    count_all(tx, HELD, held.len());
    if may_note(tx)? {
        let untold = untold(tx)?;
        let named = held.into_iter().take(NAMED);
        for line in note(tx, named.collect(), untold) {
            tx.tell_moderator(line);
        }
    }
    Ok(())
}

/// Tells the moderator how many letters went to quarantine of which no note has told: they came
/// in the same pass as others, or when there were enough notes for a day.
///
/// # Errors
/// When the store cannot be read or written.
pub(crate) fn tell_of_untold(context: &Context) -> Result<(), ClubError> {
    retry(|| {
        let mut tx = Transaction::begin(context);
        tx.foresee([HELD, TOLD].into_iter().map(|what| Row::Answers(what.to_owned())))?;
        let untold = untold(&tx)?;
        if untold == 0 || !may_note(&tx)? {
            return Ok(());
        }
        let lines = note(&mut tx, Vec::new(), untold);
        let letter = tell::to_moderator(&tx, lines)?;
        tx.write().outgoing.push(letter);
        tx.commit().map(drop)
    })
}

/// Whether the moderator has had no note in this pass, and not too many within a day.
fn may_note(tx: &Transaction<'_>) -> Result<bool, ClubError> {
    let now = tx.context.now.timestamp();
    let notes = tx.answers_since(NOTES, now - DAY + 1)?;
    Ok(notes.len() < NOTES_A_DAY && !notes.contains(&now))
}

/// How many letters no note has told of.
fn untold(tx: &Transaction<'_>) -> Result<usize, ClubError> {
    let since = tx.context.now.timestamp() - LOOK_BACK;
    let (held, told) = (tx.answers_since(HELD, since)?, tx.answers_since(TOLD, since)?);
    Ok(held.len().saturating_sub(told.len()))
}

/// A note's lines, which tells by these of so many letters.
fn note(tx: &mut Transaction<'_>, mut lines: Vec<Message>, untold: usize) -> Vec<Message> {
    count_all(tx, TOLD, untold);
    count_all(tx, NOTES, 1);
    let others = untold.saturating_sub(lines.len());
    let more = Message::new("report-quarantined-more").with("count", others);
    lines.extend((others > 0).then_some(more));
    lines
}

fn count_all(tx: &mut Transaction<'_>, what: &str, count: usize) {
    (0..count).for_each(|_| tx.count(what.to_owned()));
}

fn held_words((file, disposition): &(Waiting, Disposition)) -> Option<Message> {
    let Disposition::Quarantined(why) = disposition else { return None };
    let held = Message::new("report-quarantined").with("file", file.name.as_str());
    Some(held.with("why", why.clone()))
}
