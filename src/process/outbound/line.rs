//! In which order letters leave, and whose wait when there are too many.
//!
//! Games go before answers, answers before strangers. Of the letters that a day has, the last ones
//! are kept for what is more urgent, and nobody's mailbox takes more than its share before all
//! others had theirs. Among strangers lots are drawn, a place a mailbox and then a domain: whoever
//! writes in a thousand names does not crowd out who writes in one. Who is not reached stays in
//! the line, and the next day's lots fall otherwise.

use crate::mail::rate_limit::{DAY, domain, mailbox};
use crate::process::context::{ClubError, Context};
use crate::process::outbound::caps::{self, Allowance, Rank};
use crate::process::transaction::Transaction;
use crate::store::{Class, InLine, Label, Reader, Repository};
use std::collections::{HashMap, HashSet};

/// A letter's place in the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its name in the outbox.
    pub key: u64,
    /// What it may take of the day's letters.
    pub rank: Rank,
    /// Whose mailbox it goes to.
    pub(crate) mailbox: String,
}

/// The letters that may leave now, in their order.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn line(
    context: &Context,
    waiting: &[InLine],
    allowance: &Allowance,
) -> Result<Vec<Place>, ClubError> {
    let mut places = Vec::with_capacity(waiting.len());
    let mut shares = Shares::new(allowance.share());
    for (letter, class) in waiting.iter().zip(classes(context, waiting)?) {
        let mailbox = mailbox(&letter.recipient);
        let rank = match class {
            Class::Known => Rank::Known,
            Class::Stranger => Rank::Stranger,
            class if is_moderators(letter) || shares.take(context, &mailbox)? => match class {
                Class::Game => Rank::Game,
                _ => Rank::Answer,
            },
            _ => Rank::Beyond,
        };
        places.push(Place { key: letter.key, rank, mailbox });
    }
    let day = context.now.timestamp().div_euclid(DAY);
    let drawn = drawn(context, day, &places);
    // Who draws no lots leaves in the order in which the letters were written.
    places.sort_by_key(|place| (place.rank, drawn.get(&place.key).cloned(), place.key));
    let mut left = allowance.clone();
    places.retain(|place| left.take(place.rank));
    Ok(places)
}

/// The classes of these letters. To one mailbox no news of a game overtakes an answer: whoever
/// reads that last would take what was for what is.
fn classes(context: &Context, waiting: &[InLine]) -> Result<Vec<Class>, ClubError> {
    let mut later: HashSet<String> = HashSet::new();
    let mut classes = Vec::with_capacity(waiting.len());
    for letter in waiting.iter().rev() {
        classes.push(match class_of(context, letter)? {
            Class::Game => {
                later.insert(mailbox(&letter.recipient));
                Class::Game
            }
            Class::Answer if later.contains(&mailbox(&letter.recipient)) => Class::Game,
            class => class,
        });
    }
    classes.reverse();
    Ok(classes)
}

/// The class of a letter; that of an earlier version's is guessed.
fn class_of(context: &Context, letter: &InLine) -> Result<Class, ClubError> {
    if let Some(Label { class, .. }) = &letter.label {
        return Ok(*class);
    }
    Ok(if !letter.message_id.starts_with("n.") {
        Class::Game
    } else if Transaction::begin(context).member_by_address(&letter.recipient)?.is_some() {
        Class::Answer
    } else {
        Class::Stranger
    })
}

/// The lots of those who draw some, by their letters' keys.
fn drawn(context: &Context, day: i64, places: &[Place]) -> HashMap<u64, Lot> {
    let lot = |whose: &str| context.secret.lot(day, whose);
    let mut lots = HashMap::new();
    for rank in [Rank::Known, Rank::Stranger] {
        let mut of_domain: HashMap<&str, Vec<([u8; 32], &str)>> = HashMap::new();
        let mut of_mailbox: HashMap<&str, Vec<u64>> = HashMap::new();
        for place in places.iter().filter(|place| place.rank == rank) {
            of_mailbox.entry(&place.mailbox).or_default().push(place.key);
        }
        for mailbox in of_mailbox.keys() {
            of_domain.entry(domain(mailbox)).or_default().push((lot(mailbox), *mailbox));
        }
        for (domain, mut mailboxes) in of_domain {
            mailboxes.sort_unstable();
            let domain = lot(domain);
            for (row, (_, mailbox)) in mailboxes.into_iter().enumerate() {
                let keys = of_mailbox.get(mailbox).into_iter().flatten();
                let lot = |(round, key): (usize, &u64)| (*key, Lot { round, row, domain });
                lots.extend(keys.enumerate().map(lot));
            }
        }
    }
    lots
}

/// A letter's place among those who draw lots.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Lot {
    /// How many letters to the same mailbox come before it.
    round: usize,
    /// How many mailboxes of its domain do.
    row: usize,
    /// Its domain's lot.
    domain: [u8; 32],
}

/// Who has had how many of the day's letters.
struct Shares {
    /// How many are a mailbox's share; none where there are enough for everybody.
    share: Option<usize>,
    had: HashMap<String, usize>,
}

impl Shares {
    fn new(share: Option<usize>) -> Self {
        Self { share, had: HashMap::new() }
    }

    /// Takes a letter; whether it is within the mailbox's share.
    fn take(&mut self, context: &Context, mailbox: &str) -> Result<bool, ClubError> {
        let Some(share) = self.share else { return Ok(true) };
        let had = match self.had.get_mut(mailbox) {
            Some(had) => had,
            None => {
                let before = caps::posted_to(context, mailbox)?;
                self.had.entry(mailbox.to_owned()).or_insert(before)
            }
        };
        *had += 1;
        Ok(*had <= share)
    }
}

/// Whether a letter is for the moderator as such: there are few of these, and they cannot wait.
fn is_moderators(letter: &InLine) -> bool {
    letter.label.as_ref().is_some_and(|label| label.reader == Reader::Moderator)
}
