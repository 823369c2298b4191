//! A club that stays open from one pass to the next.

use crate::rig::{self, Club, Posted};
use chrono::TimeDelta;
use postrider::process::{self, Context};

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

    /// Runs a pass like [`Club::pass`], with the same checks, and returns the letters that it
    /// posted.
    pub fn pass(&mut self) -> Vec<Posted> {
        let Self { club, context } = self;
        let before = club.pigeon.posted.len();
        context.now = club.now;
        process::pass(context, &mut club.pigeon).expect("the pass works");
        rig::outlines_hold(context);
        club.now += TimeDelta::hours(1);
        let letters = club.pigeon.posted[before..].to_vec();
        letters.iter().for_each(Posted::check);
        letters
    }

    /// Closes the club.
    pub fn closed(self) -> Club {
        self.club
    }
}
