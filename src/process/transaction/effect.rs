//! The effect of one letter, which takes place when a transaction takes it in.

use crate::club::vote::Ballot;
use crate::club::{ActivityEntry, Command, Member, NewsWish, Notes};
use crate::mail::{LetterHash, MailFolder, Waiting};
use crate::process::transaction::account::Account;
use crate::rules::{Message, Seat};
use crate::store::{Outgoing, SeenLetter};
use crate::table::{OrderLine, StandingOrders, Table};
use chrono::{DateTime, Utc};

/// Accepted letters of one seat, to be answered with its turn letter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Acknowledged {
    /// The Message-IDs of the letters.
    pub answers: Vec<String>,
    /// The lines that were carried out.
    pub lines: Vec<OrderLine>,
    /// What the writer should know about how they were read.
    pub(crate) remarks: Vec<Message>,
    /// What the writer asked to see.
    pub asked: Vec<Command>,
    /// Whether the lines have an order, and not only plans.
    pub carried_out: bool,
    /// The digest of the last of the letters.
    pub digest: String,
    /// When the first letter with an order came, or else the first letter.
    pub received: Option<DateTime<Utc>>,
}

impl Acknowledged {
    /// Adds what a later letter of the same seat led to.
    pub(crate) fn join(&mut self, later: Self) {
        if self.received.is_none() || later.carried_out && !self.carried_out {
            self.received = later.received;
        }
        self.answers.extend(later.answers);
        self.lines.extend(later.lines);
        self.remarks.extend(later.remarks);
        self.asked.extend(later.asked);
        self.asked.sort_unstable();
        self.asked.dedup();
        self.carried_out |= later.carried_out;
        self.digest = later.digest;
    }
}

/// The fate of a letter's file once the commit is durable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Disposition {
    /// It has been dealt with.
    #[default]
    Done,
    /// It goes to quarantine for this reason, which the moderator reads.
    Quarantined(Message),
}

impl Disposition {
    /// Returns the folder that the file goes to.
    pub const fn mail_folder(&self) -> MailFolder {
        match self {
            Self::Done => MailFolder::Done,
            Self::Quarantined(_) => MailFolder::Quarantine,
        }
    }
}

/// What the store keeps of a letter's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fate {
    pub disposition: Disposition,
    /// The hash of its contents, if it is known.
    pub contents: Option<LetterHash>,
}

impl Fate {
    /// What becomes of this file.
    pub(crate) fn of(file: &Waiting, disposition: &Disposition) -> Self {
        Self { disposition: disposition.clone(), contents: file.contents }
    }

    /// The fate as the store keeps it: its contents, where they are known, then the reason for
    /// which it lies in quarantine, or nothing.
    pub(crate) fn text(&self) -> String {
        let mut text = self.contents.map(|contents| contents.to_string()).unwrap_or_default();
        if let Disposition::Quarantined(why) = &self.disposition {
            text.push_str(&serde_json::to_string(why).unwrap_or_default());
        }
        text
    }

    /// Reads the fate as [`Fate::text`] writes it.
    ///
    /// # Errors
    /// If the reason is no message.
    pub(crate) fn from_text(text: &str) -> serde_json::Result<Self> {
        let noted = text.split_at_checked(LetterHash::WRITTEN);
        let noted = noted.and_then(|(contents, why)| Some((LetterHash::read(contents)?, why)));
        let (contents, why) = noted.map_or((None, text), |(contents, why)| (Some(contents), why));
        let disposition = match why {
            "" => Disposition::Done,
            why => Disposition::Quarantined(serde_json::from_str(why)?),
        };
        Ok(Self { disposition, contents })
    }
}

/// What one letter led to.
#[derive(Default)]
pub(crate) struct LetterEffect {
    pub(crate) disposition: Disposition,
    /// What the store remembers of it.
    pub(crate) remembered: Option<(LetterHash, SeenLetter)>,
    /// The game that it moved.
    pub(crate) moved: Option<Moved>,
    /// The answer to it.
    pub(crate) answer: Option<Answer>,
    /// Whether nothing was found to do in it.
    pub(crate) idle: bool,
    /// Letters to others.
    pub letters: Vec<Answer>,
    /// The keys of what is counted once more besides, as often as they occur here.
    pub(crate) counted: Vec<String>,
    /// What the moderator should know.
    pub(crate) report: Option<Message>,
    /// The member that it changed.
    pub member: Option<Member>,
    /// The notes that it changed: game, seat, the notes afterwards.
    pub notes: Option<(u32, Seat, Notes)>,
    /// The news of a game for which a seat wants letters from now on.
    pub(crate) wish: Option<(u32, Seat, Option<NewsWish>)>,
    /// The bounce that it reports, if it is believed: address, kind and status.
    pub bounced: Option<String>,
}

/// A game that a letter moved.
pub(crate) struct Moved {
    /// The seat whose letter moved the game.
    pub seat: Seat,
    /// The game afterwards.
    pub table: Table,
    /// The mover's plans afterwards.
    pub standing: StandingOrders,
    /// What the mover is told.
    pub(crate) acknowledged: Acknowledged,
    /// What the mover says to other players.
    pub(crate) said: Vec<ActivityEntry>,
    /// The mover's ballot.
    pub(crate) ballot: Option<Ballot>,
    /// The record to which the mover has taken orders back.
    pub(crate) undone: Option<u32>,
}

/// A letter that another one leads to, such as its answer.
pub(crate) struct Answer {
    /// The answer, as it goes into the outbox.
    pub letter: Outgoing,
    /// The account that it is charged to.
    pub(crate) account: Account,
    /// The game and seat that are told everything by it.
    pub told: Option<(u32, Seat)>,
}

impl LetterEffect {
    /// Makes the effect of a letter that has no other effect than its file's fate.
    pub(crate) fn of(disposition: Disposition) -> Self {
        Self { disposition, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_kept_as_data_and_an_older_ones_sentence_is_shown_as_it_was_written() {
        let doubt = Message::new("doubt-not-the-member").with("sender", "eve@example.net");
        let why = Message::new("held-mark").with("of", "member").with("doubt", doubt);
        let contents = [None, Some(LetterHash::of(b"a letter"))];
        for disposition in [Disposition::Done, Disposition::Quarantined(why)] {
            for contents in contents {
                let kept = Fate { disposition: disposition.clone(), contents };
                assert_eq!(Fate::from_text(&kept.text()).expect("it reads"), kept);
            }
        }
    }
}
