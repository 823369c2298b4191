//! A club that stays open from one pass to the next.

use crate::rig::{Club, PostedLetter};
use postrider::process::Context;

/// A club that stays open between its passes. To open a club and to compile its boards for each
/// pass takes longer than a pass does.
pub struct OpenClub {
    pub club: Club,
    pub context: Context,
}

impl OpenClub {
    /// Opens a club.
    pub fn new(club: Club) -> Self {
        let context = club.open_context();
        Self { club, context }
    }

    /// Runs a pass like [`Club::pass`], and returns the letters that it posted.
    pub fn run_pass(&mut self) -> Vec<PostedLetter> {
        let Self { club, context } = self;
        context.now = club.now;
        club.run_pass_in(context).1
    }

    /// Closes the club.
    pub fn into_club(self) -> Club {
        self.club
    }
}
