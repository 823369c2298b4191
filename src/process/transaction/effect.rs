//! The effect of one letter, which takes place when a transaction takes it in.

use crate::club::vote::Ballot;
use crate::club::{ActivityEntry, Member, NewsPreference, Notes, Question};
use crate::mail::{LetterHash, MailFolder, PendingLetter};
use crate::process::transaction::rate_account::RateAccount;
use crate::rules::{Message, Seat};
use crate::store::{OutgoingLetter, SeenLetter};
use crate::table::{OrderLine, QueuedOrders, Table};
use chrono::{DateTime, Utc};

/// Accepted letters of one seat, to be answered with its turn letter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Acknowledgement {
    /// The Message-IDs of the letters.
    pub answered_ids: Vec<String>,
    /// The lines that were carried out.
    pub lines: Vec<OrderLine>,
    /// What the writer should know about how they were read.
    pub(crate) remarks: Vec<Message>,
    /// What the writer asked to see.
    pub questions: Vec<Question>,
    /// Whether the lines have an order, and not only plans.
    pub has_orders: bool,
    /// The digest of the last of the letters.
    pub last_digest: String,
    /// When the first letter with an order came, or else the first letter.
    pub received_at: Option<DateTime<Utc>>,
}

impl Acknowledgement {
    /// Adds what a later letter of the same seat led to.
    pub(crate) fn merge(&mut self, later: Self) {
        if self.received_at.is_none() || later.has_orders && !self.has_orders {
            self.received_at = later.received_at;
        }
        self.answered_ids.extend(later.answered_ids);
        self.lines.extend(later.lines);
        self.remarks.extend(later.remarks);
        self.questions.extend(later.questions);
        self.questions.sort_unstable();
        self.questions.dedup();
        self.has_orders |= later.has_orders;
        self.last_digest = later.last_digest;
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
pub struct FileOutcome {
    pub disposition: Disposition,
    /// The hash of its contents, if it is known.
    pub contents: Option<LetterHash>,
}

impl FileOutcome {
    /// What becomes of this file.
    pub(crate) fn new(file: &PendingLetter, disposition: &Disposition) -> Self {
        Self { disposition: disposition.clone(), contents: file.content_hash }
    }

    /// The fate as the store keeps it: its contents, where they are known, then the reason for
    /// which it lies in quarantine, or nothing.
    pub(crate) fn to_text(&self) -> String {
        let mut text = self.contents.map(|contents| contents.to_string()).unwrap_or_default();
        if let Disposition::Quarantined(why) = &self.disposition {
            text.push_str(&serde_json::to_string(why).unwrap_or_default());
        }
        text
    }

    /// Reads the fate as [`FileOutcome::text`] writes it.
    ///
    /// # Errors
    /// If the reason is no message.
    pub(crate) fn from_text(text: &str) -> serde_json::Result<Self> {
        let noted = text.split_at_checked(LetterHash::TEXT_LENGTH);
        let noted = noted.and_then(|(contents, why)| Some((LetterHash::parse(contents)?, why)));
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
    pub(crate) seen_letter: Option<(LetterHash, SeenLetter)>,
    /// The game that it moved.
    pub(crate) moved_game: Option<MovedGame>,
    /// The answer to it.
    pub(crate) answer: Option<Answer>,
    /// Whether nothing was found to do in it.
    pub(crate) is_idle: bool,
    /// Letters to others.
    pub other_letters: Vec<Answer>,
    /// The keys of what is counted once more besides, as often as they occur here.
    pub(crate) counted_keys: Vec<String>,
    /// What the moderator should know.
    pub(crate) report: Option<Message>,
    /// The member that it changed.
    pub member: Option<Member>,
    /// The notes that it changed: game, seat, the notes afterwards.
    pub notes: Option<(u32, Seat, Notes)>,
    /// The news of a game for which a seat wants letters from now on.
    pub(crate) news_wish: Option<(u32, Seat, Option<NewsPreference>)>,
    /// The bounce that it reports, if it is believed: address, kind and status.
    pub believed_bounce: Option<String>,
}

/// A game that a letter moved.
pub(crate) struct MovedGame {
    /// The seat whose letter moved the game.
    pub seat: Seat,
    /// The game afterwards.
    pub table: Table,
    /// The mover's plans afterwards.
    pub plans: QueuedOrders,
    /// What the mover is told.
    pub(crate) acknowledgement: Acknowledgement,
    /// What the mover says to other players.
    pub(crate) talk: Vec<ActivityEntry>,
    /// The mover's ballot.
    pub(crate) ballot: Option<Ballot>,
    /// The record to which the mover has taken orders back.
    pub(crate) undone_to: Option<u32>,
}

/// A letter that another one leads to, such as its answer.
pub(crate) struct Answer {
    /// The answer, as it goes into the outbox.
    pub letter: OutgoingLetter,
    /// The account that it is charged to.
    pub(crate) account: RateAccount,
    /// The game and seat that are told everything by it.
    pub updated_seat: Option<(u32, Seat)>,
}

impl LetterEffect {
    /// Makes the effect of a letter that has no other effect than its file's fate.
    pub(crate) fn with_disposition(disposition: Disposition) -> Self {
        Self { disposition, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_outcome_survives_storage_as_text() {
        let doubt = Message::new("doubt-not-the-member").with("sender", "eve@example.net");
        let why = Message::new("held-mark").with("of", "member").with("doubt", doubt);
        let contents = [None, Some(LetterHash::compute(b"a letter"))];
        for disposition in [Disposition::Done, Disposition::Quarantined(why)] {
            for contents in contents {
                let kept = FileOutcome { disposition: disposition.clone(), contents };
                assert_eq!(FileOutcome::from_text(&kept.to_text()).expect("it reads"), kept);
            }
        }
    }
}
