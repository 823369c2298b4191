//! What a pass did, and what is left.

use postrider::process::{self, Context, PassReport};

/// What a pass did, and what it left.
#[derive(Debug)]
pub struct Passed {
    report: PassReport,
    /// How many letters wait still, but for those that wait for a digest.
    pub waiting: usize,
}

impl Passed {
    /// What a pass that is just over did.
    pub fn new(context: &Context, report: PassReport) -> Self {
        let waiting = process::letters_waiting(context).expect("it reads");
        Self { report, waiting }
    }
}

impl std::ops::Deref for Passed {
    type Target = PassReport;

    fn deref(&self) -> &PassReport {
        &self.report
    }
}
