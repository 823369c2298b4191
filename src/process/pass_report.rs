//! What a pass did, to be counted where it is done.

use crate::mail::PermanentFault;
use serde::Serialize;

/// What a pass did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PassReport {
    /// Letters that were read.
    #[serde(rename = "read")]
    pub letters_read: usize,
    /// Letters whose orders were carried out.
    pub carried_out: usize,
    /// Letters that were answered otherwise.
    pub answered: usize,
    /// Letters that went to quarantine.
    pub quarantined: usize,
    /// Commits of letters that were refused, as something had changed meanwhile, and decided anew.
    #[serde(rename = "decided_anew")]
    pub conflict_retries: usize,
    /// Reminders that were written.
    #[serde(rename = "reminded")]
    pub reminders: usize,
    /// Reports of letters that did not arrive: address, kind and status.
    pub bounced: Vec<String>,
    /// Turns that were done for absent players.
    #[serde(rename = "absent")]
    pub absent_turns: usize,
    /// Letters that were posted.
    pub posted: usize,
    /// What went wrong and will be tried again by the next pass.
    pub troubles: Vec<String>,
    /// Those of them that do not pass by themselves.
    #[serde(rename = "mistakes")]
    pub lasting_troubles: Vec<LastingTrouble>,
}

/// What went wrong and stays so until a person mends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastingTrouble {
    /// Of which kind it is.
    #[serde(rename = "mend")]
    pub fault: PermanentFault,
    /// What went wrong.
    pub what: String,
}
