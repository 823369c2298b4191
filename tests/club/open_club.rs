//! A club that stays open from one pass to the next.

use crate::rig::{Club, Posted};
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
        let context = club.context();
        Self { club, context }
    }

    /// Runs a pass like [`Club::pass`], and returns the letters that it posted.
    pub fn pass(&mut self) -> Vec<Posted> {
        let Self { club, context } = self;
        context.now = club.now;
        club.pass_in(context).1
    }

    /// Closes the club.
    pub fn closed(self) -> Club {
        self.club
    }
}
