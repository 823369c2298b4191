//! The effect of one letter on the club. Judging a letter returns it, and a transaction applies it
//! later.

use crate::club::vote::Ballot;
use crate::club::{ActivityEntry, HintRequest, Member, NewsPreference, Notes, Question};
use crate::mail::{LetterHash, MailFolder, PendingLetter};
use crate::process::transaction::rate_account::RateAccount;
use crate::rules::{Message, Seat};
use crate::store::{LetterResult, MemberLetter, OutgoingLetter, SeenLetter};
use crate::table::{OrderLine, QueuedOrders, Table};
use chrono::{DateTime, Utc};

/// The outcome of one seat's accepted letters, which its next turn letter acknowledges.
#[derive(Clone, Debug, Default)]
pub(crate) struct Acknowledgement {
    /// The Message-IDs of the acknowledged letters.
    pub answered_ids: Vec<String>,
    /// The lines that were carried out.
    pub lines: Vec<OrderLine>,
    /// The lines among `lines` whose plans are queued.
    pub plan_lines: Vec<OrderLine>,
    /// Whether the letter replaced all earlier plans. Has no meaning for several letters.
    pub replaces_plans: bool,
    /// Remarks about how the lines were understood.
    pub(crate) remarks: Vec<Message>,
    /// The questions that the writer asked.
    pub questions: Vec<Question>,
    /// Whether the lines contain an order, and not only plans.
    pub has_orders: bool,
    /// The digests of the acknowledged letters, in hexadecimal digits.
    pub(crate) digests: Vec<String>,
    /// When the first letter with an order arrived, or the first letter if none has an order.
    pub received_at: Option<DateTime<Utc>>,
}

impl Acknowledgement {
    /// Adds the outcome of a later letter of the same seat. Drops the lines of plans that the later
    /// letter has replaced.
    pub(crate) fn merge(&mut self, later: Self) {
        if self.received_at.is_none() || later.has_orders && !self.has_orders {
            self.received_at = later.received_at;
        }
        self.answered_ids.extend(later.answered_ids);
        if later.replaces_plans {
            let dropped = std::mem::take(&mut self.plan_lines);
            self.lines.retain(|line| !dropped.contains(line));
        }
        self.lines.extend(later.lines);
        self.plan_lines.extend(later.plan_lines);
        self.remarks.extend(later.remarks);
        self.questions.extend(later.questions);
        self.questions.sort_unstable();
        self.questions.dedup();
        self.has_orders |= later.has_orders;
        self.digests.extend(later.digests);
    }
}

/// The place of a letter's file after the commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Disposition {
    /// The letter was processed, so the file is archived.
    #[default]
    Done,
    /// The file goes to quarantine for this reason, which the moderator reads.
    Quarantined(Message),
}

impl Disposition {
    /// Returns the mail folder to which the file is moved.
    pub const fn mail_folder(&self) -> MailFolder {
        match self {
            Self::Done => MailFolder::Done,
            Self::Quarantined(_) => MailFolder::Quarantine,
        }
    }
}

/// The stored fate of a letter's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileOutcome {
    pub disposition: Disposition,
    /// The hash of the file's content, if it is known.
    pub contents: Option<LetterHash>,
}

impl FileOutcome {
    pub(crate) fn new(file: &PendingLetter, disposition: &Disposition) -> Self {
        Self { disposition: disposition.clone(), contents: file.content_hash }
    }

    /// Returns the outcome as text for the store: the content hash if it is known, then the reason
    /// for quarantine if there is one.
    pub(crate) fn to_text(&self) -> String {
        let mut text = self.contents.map(|contents| contents.to_string()).unwrap_or_default();
        if let Disposition::Quarantined(why) = &self.disposition {
            text.push_str(&serde_json::to_string(why).unwrap_or_default());
        }
        text
    }

    /// Parses the text that [`FileOutcome::to_text`] writes.
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

/// The effect of one letter on the club.
#[derive(Default)]
pub(crate) struct LetterEffect {
    pub(crate) disposition: Disposition,
    /// The entry by which the store recognizes the letter if it arrives again.
    pub(crate) seen_letter: Option<(LetterHash, SeenLetter)>,
    /// The member who wrote the letter.
    pub(crate) writer: Option<u32>,
    /// The effect in short; `None` if it follows from the other fields.
    pub(crate) result: Option<LetterResult>,
    pub(crate) moved_game: Option<MovedGame>,
    pub(crate) answer: Option<Answer>,
    /// Whether the club found nothing to do in the letter.
    pub(crate) is_idle: bool,
    /// Letters to other people.
    pub other_letters: Vec<Answer>,
    /// Other counters that increase by one. A key may occur more than once.
    pub(crate) counted_keys: Vec<String>,
    pub(crate) report: Option<Message>,
    pub member: Option<Member>,
    /// The changed notes: game, seat, new notes.
    pub notes: Option<(u32, Seat, Notes)>,
    /// The game and seat that ask for a hint, and the letter that asks.
    pub(crate) hint: Option<(u32, Seat, HintRequest)>,
    /// The changed wish for letters about a game: game, seat, and which news the seat wants letters
    /// about.
    pub(crate) news_wish: Option<(u32, Seat, Option<NewsPreference>)>,
    /// The bounce that the letter reports, if the club believes it: address, kind and status.
    pub believed_bounce: Option<String>,
}

/// A game that a letter's orders or plans changed.
pub(crate) struct MovedGame {
    /// The seat of the letter's writer.
    pub seat: Seat,
    /// The game after the letter's orders.
    pub table: Table,
    /// The writer's plans after the letter.
    pub plans: QueuedOrders,
    pub(crate) acknowledgement: Acknowledgement,
    pub(crate) talk: Vec<ActivityEntry>,
    pub(crate) ballot: Option<Ballot>,
    /// The record to which the writer took orders back.
    pub(crate) undone_to: Option<u32>,
}

/// A letter that another letter causes, such as its answer.
pub(crate) struct Answer {
    pub letter: OutgoingLetter,
    /// The rate account to which the letter is charged.
    pub(crate) account: RateAccount,
    /// The game and seat whose news the letter holds completely, so that the seat needs no other
    /// letter.
    pub updated_seat: Option<(u32, Seat)>,
}

impl LetterEffect {
    /// Returns an effect that only sets what happens to the letter's file.
    pub(crate) fn with_disposition(disposition: Disposition) -> Self {
        Self { disposition, ..Self::default() }
    }

    /// Returns the writer, the effect in short and the answer, for the list of the writer's
    /// letters. `None` if the writer is no member.
    pub(crate) fn summarize(&self) -> Option<MemberLetter> {
        let moved = self.moved_game.as_ref();
        let result = self.result.unwrap_or(match moved {
            Some(moved) if moved.acknowledgement.has_orders => LetterResult::CarriedOut,
            Some(moved) if moved.has_orders_or_plans() => LetterResult::Planned,
            Some(_) => LetterResult::Said,
            None if self.is_idle => LetterResult::Empty,
            None => LetterResult::Answered,
        });
        let answer = self.answer.as_ref().map(|answer| answer.letter.message_id.clone());
        self.writer.map(|member| MemberLetter { member, result, answer })
    }

    /// Notes which of the letter's lines are queued as plans, by their numbers, and whether they
    /// replace the plans in `before`.
    pub(crate) fn note_plan_lines(&mut self, before: &QueuedOrders, numbers: &[u32]) {
        let Some(moved) = &mut self.moved_game else { return };
        let own = &mut moved.acknowledgement;
        own.replaces_plans = !numbers.is_empty() || moved.plans.plans != before.plans;
        let is_plan = |line: &&OrderLine| numbers.contains(&line.number);
        own.plan_lines = own.lines.iter().filter(is_plan).cloned().collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaced_plans_are_not_acknowledged() {
        let line = |number, text: &str| OrderLine::new(number, text.to_owned());
        let letter = |lines: &[OrderLine], plans: &[OrderLine]| Acknowledgement {
            lines: lines.to_vec(),
            plan_lines: plans.to_vec(),
            replaces_plans: !plans.is_empty(),
            ..Acknowledgement::default()
        };
        let order = line(1, "build red G23");
        let [first, second] = ["next: pass", "next: build red G25"].map(|text| line(2, text));
        let mut all = letter(&[order.clone(), first.clone()], std::slice::from_ref(&first));
        all.merge(letter(&[line(1, "undo")], &[]));
        assert_eq!(all.lines, [order.clone(), first, line(1, "undo")], "no plan was replaced");
        all.merge(letter(std::slice::from_ref(&second), std::slice::from_ref(&second)));
        assert_eq!(all.lines, [order, line(1, "undo"), second]);
    }

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
