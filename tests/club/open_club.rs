//! A club that stays open from one pass to the next.

use crate::rig::{Club, PostedLetter};
use postrider::process::Context;

/// A club that stays open between its passes. Opening a club and compiling its boards takes longer
/// than a pass.
pub struct OpenClub {
    pub club: Club,
    pub context: Context,
}

impl OpenClub {
    pub fn new(club: Club) -> Self {
        let context = club.open_context();
        Self { club, context }
    }

    /// Runs a pass like [`Club::run_pass`], and returns the letters that it posted.
    pub fn run_pass(&mut self) -> Vec<PostedLetter> {
        let Self { club, context } = self;
        context.now = club.now;
        club.run_pass_in(context).1
    }

    pub fn into_club(self) -> Club {
        self.club
    }
}
