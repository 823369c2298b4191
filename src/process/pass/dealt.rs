//! What a letter led to that has been dealt with.

use crate::mail::{Admitted, Letter, Position};
use crate::process::context::{ClubError, Context};
use crate::process::inbound::intake;
use crate::process::moderation::game_log::{self, LogEntry};
use crate::process::outbound::delivery::KNOWN_AS_POSTED;
use crate::process::outbound::tell;
use crate::process::session::directory::ClubDirectory;
use crate::process::transaction::Transaction;
use crate::rules::Viewer;
use crate::store::{Repository, SeenLetter};
use crate::table::{Cause, Record};
use chrono::{DateTime, Utc};

/// What became of a letter that was read before.
pub(crate) struct Dealt {
    /// When it was read.
    pub at: DateTime<Utc>,
    /// The game that it was for, if it was for one.
    pub game: Option<u32>,
    /// What the log says of the record that it led to, and the names of who plays; none where it
    /// led to none.
    pub led_to: Option<(LogEntry, Vec<String>)>,
    /// When its writer was answered, as far as that is still known.
    pub answered: Option<DateTime<Utc>>,
}

/// What a letter has led to; none when no pass has dealt with it.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn dealt_with(context: &Context, bytes: &[u8]) -> Result<Option<Dealt>, ClubError> {
    let Ok(letter) = Letter::read(bytes) else { return Ok(None) };
    let tx = Transaction::begin(context);
    let Some(seen) = tx.seen_letter(letter.digest.bytes())? else { return Ok(None) };
    let SeenLetter { at, game, seq } = seen;
    let admitted = intake::authenticator(context).admit(&letter, &ClubDirectory(&tx))?;
    let mut ids = vec![tell::message_id(context, &format!("n.a{}", letter.digest))];
    if let Admitted::Player(Position { game, seat, .. }) = admitted {
        let marks = seq.map(|seq| format!("r{seq}")).into_iter();
        let marks = marks.chain([format!("a{}", letter.digest)]);
        ids.extend(marks.map(|mark| tell::message_id(context, &format!("g{game}.s{seat}.{mark}"))));
    }
    let mut answered = None;
    for id in &ids {
        let posted = tx.posted(id, at, at + KNOWN_AS_POSTED)?;
        answered = answered.or(posted.map(|posted| posted.at));
    }
    let led_to = match (game, seq) {
        (Some(game), Some(_)) => {
            let log = game_log::game_log(context, game, Viewer::Public)?;
            // One that took orders back and gave others led to two records.
            let its = log.session.table.records().iter().rfind(|record| is_of(record, &letter));
            let seq = its.map(|record| record.seq);
            let entry = log.entries.into_iter().find(|e| e.record.is_some() && e.record == seq);
            entry.map(|entry| (entry, log.session.names))
        }
        _ => None,
    };
    Ok(Some(Dealt { at, game, led_to, answered }))
}

/// Whether a record was made by what this letter ordered. What is remembered of a letter is where
/// its game stood then, also when it ordered nothing.
fn is_of(record: &Record, letter: &Letter) -> bool {
    match &record.cause {
        Cause::Orders { letter: of, .. } | Cause::Undone { letter: of, .. } => {
            of.as_ref().is_some_and(|of| of.digest == letter.digest.to_string())
        }
        _ => false,
    }
}
