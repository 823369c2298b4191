//! What letters of ours are charged to.
//!
//! Each account says who can use it up, and is apart from all that somebody else could use up. So a
//! letter in a member's name costs that member no answer.

use crate::mail::rate_limit::{DAY, Limit, MONTH, WEEK, mailbox};
use crate::render::Notice;
use crate::store::Class;
use serde::Serialize;

/// The number of letters within a week that are answered if they come in a member's name and prove
/// nothing, or if they answer a letter of ours to somebody who is no member. Then it is one a day.
const UNPROVEN: usize = 5;

/// The number of letters within a week that are answered if they are of somebody who is no member,
/// and who was invited or whose address is proven. Then it is one a day.
const KNOWN: usize = 3;

/// How many answers somebody who is no member gets within the first day in which he answers ours.
const VISITS_IN_THE_FIRST_DAY: usize = 3;

/// The number of letters a month that members may cause to one mailbox of a non-member.
const UNASKED_A_MONTH: usize = 3;

/// How many letters invite one member within a day, and how many of these one other member's.
const INVITATIONS_A_DAY: usize = 6;

const INVITATIONS_BY_ONE: usize = 3;

/// How many refused orders are told within a day for each answer within an hour. Two machines that
/// never stop are stopped by it; a person is not.
const REFUSALS: usize = 10;

/// The writer of a letter whose reply token is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum Sender {
    /// The member of this number.
    Member(u32),
    /// The moderator, who is no member.
    Moderator,
}

/// What a letter of ours is charged to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum Account {
    /// Answers to a member: only letters with a valid mark of his use it up.
    Answers(u32),
    /// Refusals of a member's orders: only orders with a valid mark of his use it up, and many more
    /// of them than anybody writes.
    Refusals(u32),
    /// Answers to letters in which the club found nothing to do, as it did in those before: only
    /// their writer uses it up.
    Idle(Sender),
    /// Answers to letters in a member's name that have no valid mark: anybody can use it up.
    InNameOf(u32),
    /// Answers to the moderator: only letters with his mark use it up.
    Moderator,
    /// Refusals of what he would have done, by the same.
    ModeratorRefusals,
    /// Answers to letters in his name without it: anybody can use it up.
    InModeratorsName,
    /// Answers to who is no member: anybody can use it up who writes in that name.
    Stranger(String),
    /// The letters that ask who is no member whether he would join: anybody can use it up. Apart
    /// from the one before, so that a letter in somebody's name does not keep him from joining.
    Newcomer(String),
    /// The same as these where our mail server proves the name, or a member has invited it.
    Known(String),
    /// Answers to who answers a letter that went to that mailbox: only who reads it uses it up.
    Confirming(String),
    /// Answers to who is no member and answers ours, on the day on which he began to: only who
    /// reads that mailbox uses it up. Apart from the one before, so that who has asked much can
    /// still say yes.
    Visiting(String),
    /// Like [`Account::Visiting`], on later days. Both are counted under one key.
    #[serde(rename = "Visiting")]
    VisitingStill(String),
    /// What a member is told of letters with a mark of his that came from elsewhere: who has such a
    /// mark uses it up.
    Elsewhere(u32),
    /// Answers to letters in the name of somebody who has refused letters, which prove nothing:
    /// anybody can use it up.
    Refused(String),
    /// A member's requests that an address be asked whether it is theirs. Each counts, whether a
    /// letter left or not.
    QuestionBy(u32, String),
    /// Letters to a non-member that members have caused: invitations, and questions whether an
    /// address is theirs. Members use it up, each a third.
    Unasked(String),
    /// The part of one member in that.
    UnaskedBy(u32, String),
    /// Invitations of a member: other members use it up, each a half.
    Invitation(String),
    /// The part of one member in that.
    InvitationBy(u32, String),
}

impl Account {
    /// The account of who is no member.
    pub(crate) fn stranger(address: &str) -> Self {
        Self::Stranger(mailbox(address))
    }

    /// The account of who is no member and would join.
    pub(crate) fn newcomer(address: &str) -> Self {
        Self::Newcomer(mailbox(address))
    }

    /// The account of who is no member and no mere name.
    pub(crate) fn known(address: &str) -> Self {
        Self::Known(mailbox(address))
    }

    /// The account of who answers a letter of ours.
    pub(crate) fn confirming(address: &str) -> Self {
        Self::Confirming(mailbox(address))
    }

    /// The account of who is no member and answers what we wrote to him, by whether he began to do
    /// so within a day.
    pub(crate) fn visiting(address: &str, has_just_begun: bool) -> Self {
        let of = if has_just_begun { Self::Visiting } else { Self::VisitingStill };
        of(mailbox(address))
    }

    /// The account of somebody who has refused letters.
    pub(crate) fn refused(address: &str) -> Self {
        Self::Refused(mailbox(address))
    }

    /// The account of a member's wish that an address be asked whether it is theirs.
    pub(crate) fn question_by(member: u32, address: &str) -> Self {
        Self::QuestionBy(member, mailbox(address))
    }

    /// The accounts of a letter that a member causes to go to a non-member.
    pub(crate) fn unasked(by: u32, address: &str) -> [Self; 2] {
        let mailbox = mailbox(address);
        [Self::Unasked(mailbox.clone()), Self::UnaskedBy(by, mailbox)]
    }

    /// What a member's invitation of an address is charged to.
    pub(crate) fn invitation(by: u32, address: &str) -> [Self; 2] {
        let mailbox = mailbox(address);
        [Self::Invitation(mailbox.clone()), Self::InvitationBy(by, mailbox)]
    }

    /// Returns the key under which the store counts it. No other key is JSON.
    pub(crate) fn key(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the rank of letters that are charged to it. What members ask us to write to others
    /// has the rank of answers to them.
    pub(crate) const fn class(&self) -> Class {
        match self {
            Self::Known(_) | Self::Confirming(_) | Self::Visiting(_) | Self::VisitingStill(_) => {
                Class::Known
            }
            Self::InNameOf(_)
            | Self::InModeratorsName
            | Self::Stranger(_)
            | Self::Newcomer(_)
            | Self::Refused(_) => Class::Stranger,
            _ => Class::Answer,
        }
    }

    /// Returns the notice for the first letter beyond the limit.
    pub(crate) const fn last_word(&self) -> Notice {
        match self {
            Self::Refusals(_) | Self::ModeratorRefusals => Notice::TooManyRefused,
            _ => Notice::TooMany,
        }
    }

    /// Returns its limit, if a member has this many answers within an hour.
    pub(crate) fn limit(&self, answers_per_hour: usize) -> Limit {
        match self {
            Self::Answers(_) | Self::Moderator => Limit::hourly(answers_per_hour),
            Self::Refusals(_) | Self::ModeratorRefusals => {
                let times = answers_per_hour.saturating_mul(REFUSALS);
                Limit { times, within: DAY, last_word: true, then_daily: false }
            }
            Self::InNameOf(_) | Self::InModeratorsName | Self::Confirming(_) => {
                Limit::then_daily(UNPROVEN)
            }
            Self::Stranger(_)
            | Self::Newcomer(_)
            | Self::VisitingStill(_)
            | Self::Elsewhere(_)
            | Self::Idle(_) => Limit::daily(1),
            Self::QuestionBy(..) | Self::UnaskedBy(..) => Limit::silent(1, WEEK),
            Self::Refused(_) => Limit::silent(1, MONTH),
            Self::Unasked(_) => Limit::silent(UNASKED_A_MONTH, MONTH),
            Self::Visiting(_) => Limit::daily(VISITS_IN_THE_FIRST_DAY),
            Self::Known(_) => Limit::then_daily(KNOWN),
            Self::Invitation(_) => Limit::daily(INVITATIONS_A_DAY),
            Self::InvitationBy(..) => Limit::daily(INVITATIONS_BY_ONE),
        }
    }
}
