//! How many letters are posted: so many a pass and so many a day, and no more; and how many of
//! these are kept for what is more urgent.
//!
//! Whatever goes wrong in here or in a game, a club that posts without end must stop by itself.

use crate::mail::rate_limit::DAY;
use crate::mail::transport::Transport;
use crate::process::context::{ClubError, Context};
use crate::process::outbound::delivery::hand_note;
use crate::process::outbound::line::Place;
use crate::process::outbound::tell;
use crate::process::tally::PassReport;
use crate::process::transaction::Transaction;
use crate::rules::Message;
use crate::store::{Outbox, Row};

/// Under what the store counts the letters that were posted. No address is without an @.
const POSTED: &str = "posted";
/// Under what the store counts those of them that went to no member.
const TO_KNOWN: &str = "posted to known";
const TO_STRANGERS: &str = "posted to strangers";
/// Under what the store counts the notes that the day's letters are used up.
const TOLD: &str = "told of the cap";

/// The least letters that are a mailbox's share of the day's, where these are few.
const SHARE_MIN: usize = 10;
/// A mailbox's share of the day's letters, and of how many parts of the day's letters strangers
/// have at most one. Those who are more than a name have as many letters, so many times.
const SHARE: usize = 10;
const STRANGERS: usize = 8;
const KNOWN_TIMES: usize = 4;
/// In how many passes strangers can use up their day's letters: who comes later in the day draws
/// lots too.
const PASSES: usize = 5;

/// What a letter may take of the day's letters. Each rank goes before the ones after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Rank {
    /// News of a game: all of them.
    Game,
    /// What a member asked for: all but the last quarter.
    Answer,
    /// The same two where the mailbox has had its share: the first half.
    Beyond,
    /// To no member, who is more than a name: a small part of the first half.
    Known,
    /// To a name: a smaller one.
    Stranger,
}

/// How many letters may still be posted, and by which cap.
#[derive(Clone, Debug)]
pub(crate) struct Allowance {
    run: Option<usize>,
    /// How many the day has, and how many of these are left.
    day: Option<(usize, usize)>,
    known: Small,
    strangers: Small,
}

/// A small budget of its own.
#[derive(Clone, Copy, Debug)]
struct Small {
    run: usize,
    day: usize,
}

impl Small {
    fn new(day: usize, posted: usize) -> Self {
        Self { run: day.div_ceil(PASSES), day: day.saturating_sub(posted) }
    }
}

impl Allowance {
    /// Takes a letter; whether there was one left for it.
    pub(crate) fn take(&mut self, rank: Rank) -> bool {
        if self.run == Some(0) || !self.leaves(rank) {
            return false;
        }
        let small = match rank {
            Rank::Known => Some(&mut self.known),
            Rank::Stranger => Some(&mut self.strangers),
            Rank::Game | Rank::Answer | Rank::Beyond => None,
        };
        if let Some(small) = small {
            if small.run.min(small.day) == 0 {
                return false;
            }
            (small.run, small.day) = (small.run - 1, small.day - 1);
        }
        self.run = self.run.map(|left| left - 1);
        self.day = self.day.map(|(limit, left)| (limit, left - 1));
        true
    }

    /// Whether the day has letters left for such a one.
    fn leaves(&self, rank: Rank) -> bool {
        let Some((limit, left)) = self.day else { return true };
        let kept = match rank {
            Rank::Game => 0,
            Rank::Answer => limit / 4,
            Rank::Beyond | Rank::Known | Rank::Stranger => limit / 2,
        };
        left > kept
    }

    /// Whether any letter can go.
    pub(crate) fn is_open(&self) -> bool {
        self.run != Some(0) && self.leaves(Rank::Game)
    }

    /// Whether the day's letters are used up.
    pub(crate) fn is_broken(&self) -> bool {
        !self.leaves(Rank::Game)
    }

    /// How many letters a mailbox gets of the day's before all others; none where there is no
    /// limit.
    pub(crate) fn share(&self) -> Option<usize> {
        self.day.map(|(limit, _)| (limit / SHARE).max(SHARE_MIN))
    }
}

/// What may be posted now.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn allowance(context: &Context) -> Result<Allowance, ClubError> {
    let limit = |letters: u32| (letters > 0).then_some(letters as usize);
    let settings = &context.settings;
    let counted = [POSTED, TO_KNOWN, TO_STRANGERS].map(|what| Row::Answers(what.to_owned()));
    Transaction::begin(context).foresee(counted.into_iter())?;
    let day = match limit(settings.letters_per_day) {
        None => None,
        Some(limit) => Some((limit, limit.saturating_sub(within_a_day(context, POSTED)?))),
    };
    let most = day.map_or(usize::MAX, |(limit, _)| limit.div_ceil(STRANGERS));
    let small = (settings.stranger_letters_per_day as usize).min(most);
    Ok(Allowance {
        run: limit(settings.letters_per_run),
        day,
        known: Small::new(small * KNOWN_TIMES, within_a_day(context, TO_KNOWN)?),
        strangers: Small::new(small, within_a_day(context, TO_STRANGERS)?),
    })
}

/// Counts a letter that went in the transaction that says so.
pub(crate) fn count_posted(tx: &mut Transaction<'_>, place: &Place) {
    match place.rank {
        Rank::Known => tx.count(TO_KNOWN.to_owned()),
        Rank::Stranger => tx.count(TO_STRANGERS.to_owned()),
        Rank::Game | Rank::Answer | Rank::Beyond => {}
    }
    tx.count(to_mailbox(&place.mailbox));
    if tx.context.settings.letters_per_day > 0 {
        tx.count(POSTED.to_owned());
    }
}

/// How many letters went to a mailbox within a day.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn posted_to(context: &Context, mailbox: &str) -> Result<usize, ClubError> {
    within_a_day(context, &to_mailbox(mailbox))
}

/// Tells the moderator, once a day, that the day's letters are used up. The note goes past the
/// outbox, which is shut.
///
/// # Errors
/// When the store cannot be read or written.
pub(crate) fn tell_of_cap(
    context: &Context,
    transport: &mut dyn Transport,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    if within_a_day(context, TOLD)? > 0 {
        return Ok(());
    }
    let mut tx = Transaction::begin(context);
    let note = tell::to_moderator(
        &tx,
        vec![
            Message::new("report-letters-used-up")
                .with("limit", context.settings.letters_per_day)
                .with("waiting", Transaction::begin(context).outbox_length()?),
        ],
    )?;
    match hand_note(&tx, transport, note) {
        Ok(()) => {
            report.posted += 1;
            tx.count(TOLD.to_owned());
            tx.record()
        }
        Err(error) => {
            report.troubles.push(error.to_string());
            Ok(())
        }
    }
}

fn within_a_day(context: &Context, what: &str) -> Result<usize, ClubError> {
    Transaction::begin(context).count_since(what, context.now.timestamp() - DAY)
}

/// Under what the store counts the letters that went to a mailbox.
pub(crate) fn to_mailbox(mailbox: &str) -> String {
    format!("posted to {mailbox}")
}
