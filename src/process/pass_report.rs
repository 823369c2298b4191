//! The report of a pass. Each part of the pass counts its own work in it.

use crate::mail::PermanentFault;
use serde::Serialize;

/// The counts and troubles of one pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PassReport {
    #[serde(rename = "read")]
    pub letters_read: usize,
    /// Letters whose orders were carried out.
    pub carried_out: usize,
    /// Letters that were answered without carrying out orders.
    pub answered: usize,
    /// Letters that went to quarantine.
    pub quarantined: usize,
    /// Commits that were refused because another process had changed what they read, and then
    /// repeated.
    #[serde(rename = "decided_anew")]
    pub conflict_retries: usize,
    /// Reminders that were queued.
    #[serde(rename = "reminded")]
    pub reminders: usize,
    /// Bounce reports that were believed: address, kind and status.
    pub bounced: Vec<String>,
    /// Turns that were played for absent players.
    #[serde(rename = "absent")]
    pub absent_turns: usize,
    /// Letters that the transport accepted.
    pub posted: usize,
    /// Faults that occurred. The next pass tries again.
    pub troubles: Vec<String>,
    /// The troubles that stay until somebody mends them.
    #[serde(rename = "mistakes")]
    pub lasting_troubles: Vec<LastingTrouble>,
}

/// A fault that stays until somebody mends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastingTrouble {
    /// The kind of the fault.
    #[serde(rename = "mend")]
    pub fault: PermanentFault,
    /// The fault in words.
    pub what: String,
}
