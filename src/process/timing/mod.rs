//! Time that is over, and time that is given back: deadlines, reminders, votes that lapse, outages.
//!
//! Knows nothing of what letters say.

pub(crate) mod deadlines;
pub(crate) mod outage;
