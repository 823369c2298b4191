//! The report of one pass, for the output of the command and for tests.

use crate::mail::PermanentFault;
use serde::Serialize;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PassReport {
    #[serde(rename = "read")]
    pub letters_read: usize,
    /// Letters whose orders or plans were carried out.
    pub carried_out: usize,
    /// Letters that were answered without carrying out orders.
    pub answered: usize,
    pub quarantined: usize,
    /// Commits of letters that were refused and retried, because another worker had changed a row
    /// that they had read.
    #[serde(rename = "decided_anew")]
    pub conflict_retries: usize,
    /// Reminders that were queued.
    #[serde(rename = "reminded")]
    pub reminders: usize,
    /// Bounces that were believed: address, kind and status.
    pub bounced: Vec<String>,
    /// Turns that were played for absent players.
    #[serde(rename = "absent")]
    pub absent_turns: usize,
    pub posted: usize,
    /// Faults of this pass that did not stop it. The next pass tries again.
    pub troubles: Vec<String>,
    /// The troubles that last until a person fixes them.
    #[serde(rename = "mistakes")]
    pub lasting_troubles: Vec<LastingTrouble>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastingTrouble {
    #[serde(rename = "mend")]
    pub fault: PermanentFault,
    pub what: String,
}
