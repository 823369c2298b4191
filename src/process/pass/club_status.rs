//! The figures by which a monitoring program sees that a club runs.

use crate::process::context::{ClubError, Context};
use crate::process::moderation::quarantine;
use crate::process::outbound::queue;
use crate::process::timing::outage::last_recorded_pass_time;
use crate::process::transaction::Transaction;
use crate::store::Repository;
use chrono::{DateTime, Utc};
use serde::Serialize;

/// The state of a club, as `postrider status` prints it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClubStatus {
    /// The last pass, up to ten minutes early, because passes within ten minutes store one time.
    /// `None` before the first pass.
    pub last_pass: Option<DateTime<Utc>>,
    /// The time since `last_pass`.
    pub last_pass_age_seconds: Option<u64>,
    /// The number of letters that wait for a mail server or a quota. Letters that wait for a digest
    /// do not count.
    pub queued_letters: usize,
    /// The time since the oldest of these letters was written.
    pub oldest_queued_letter_age_seconds: Option<u64>,
    pub quarantined_letters: usize,
    pub undeliverable_members: usize,
    /// The size of the store's file, or of its schema on a server. `None` if it is unknown.
    pub store_bytes: Option<u64>,
}

/// Returns the state of a club. Changes nothing.
///
/// # Errors
/// If the store or the quarantine cannot be read.
pub fn load_club_status(context: &Context) -> Result<ClubStatus, ClubError> {
    let age = |at: DateTime<Utc>| u64::try_from((context.now - at).num_seconds()).unwrap_or(0);
    let last_pass = last_recorded_pass_time(context)?;
    let waiting = queue::find_waiting_letters(context)?;
    let members = Transaction::begin(context).members()?;
    let undeliverable = members.iter().filter(|member| member.undeliverable_since().is_some());
    Ok(ClubStatus {
        last_pass,
        last_pass_age_seconds: last_pass.map(age),
        queued_letters: waiting.count,
        oldest_queued_letter_age_seconds: waiting.oldest.map(age),
        quarantined_letters: quarantine::count_quarantined(context)?,
        undeliverable_members: undeliverable.count(),
        store_bytes: context.store.size_in_bytes()?,
    })
}
