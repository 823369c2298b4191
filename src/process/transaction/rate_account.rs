//! What letters of ours are charged to.
//!
//! Each account says who can use it up, and is apart from all that somebody else could use up. So a
//! letter in a member's name costs that member no answer.

use crate::mail::rate_limit::{AnswerLimit, DAY_SECONDS, MONTH_SECONDS, WEEK_SECONDS, mailbox_key};
use crate::render::Notice;
use crate::store::SendPriority;
use serde::Serialize;

/// The number of letters within a week that are answered if they come in a member's name and prove
/// nothing, or if they answer a letter of ours to somebody who is no member. Then it is one a day.
const UNPROVEN_PER_WEEK: usize = 5;

/// The number of letters within a week that are answered if they are of somebody who is no member,
/// and who was invited or whose address is proven. Then it is one a day.
const KNOWN_PER_WEEK: usize = 3;

/// How many answers somebody who is no member gets within the first day in which he answers ours.
const FIRST_DAY_VISITS: usize = 3;

/// The number of letters a month that members may cause to one mailbox of a non-member.
const UNSOLICITED_PER_MONTH: usize = 3;

/// How many letters invite one member within a day, and how many of these one other member's.
const INVITATIONS_PER_DAY: usize = 6;

const INVITATIONS_BY_ONE_MEMBER: usize = 3;

/// How many refused orders are told within a day for each answer within an hour. Two machines that
/// never stop are stopped by it; a person is not.
const REFUSALS_PER_ANSWER: usize = 10;

/// The writer of a letter whose reply token is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum ProvenWriter {
    /// The member of this number.
    Member(u32),
    /// The moderator, who is no member.
    Moderator,
}

/// What a letter of ours is charged to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum RateAccount {
    /// Answers to a member: only letters with a valid mark of his use it up.
    Answers(u32),
    /// Refusals of a member's orders: only orders with a valid mark of his use it up, and many more
    /// of them than anybody writes.
    Refusals(u32),
    /// Answers to letters in which the club found nothing to do, as it did in those before: only
    /// their writer uses it up.
    Idle(ProvenWriter),
    /// Answers to letters in a member's name that have no valid mark: anybody can use it up.
    #[serde(rename = "InNameOf")]
    UnprovenMember(u32),
    /// Answers to the moderator: only letters with his mark use it up.
    Moderator,
    /// Refusals of what he would have done, by the same.
    ModeratorRefusals,
    /// Answers to letters in his name without it: anybody can use it up.
    #[serde(rename = "InModeratorsName")]
    UnprovenModerator,
    /// Answers to who is no member: anybody can use it up who writes in that name.
    Stranger(String),
    /// The letters that ask who is no member whether he would join: anybody can use it up. Apart
    /// from the one before, so that a letter in somebody's name does not keep him from joining.
    Newcomer(String),
    /// The same as these where our mail server proves the name, or a member has invited it.
    Known(String),
    /// Answers to who answers a letter that went to that mailbox: only who reads it uses it up.
    #[serde(rename = "Confirming")]
    ConfirmingReader(String),
    /// Answers to who is no member and answers ours, on the day on which he began to: only who
    /// reads that mailbox uses it up. Apart from the one before, so that who has asked much can
    /// still say yes.
    #[serde(rename = "Visiting")]
    FirstDayVisitor(String),
    /// Like [`Account::Visiting`], on later days. Both are counted under one key.
    #[serde(rename = "Visiting")]
    ReturningVisitor(String),
    /// What a member is told of letters with a mark of his that came from elsewhere: who has such a
    /// mark uses it up.
    #[serde(rename = "Elsewhere")]
    TokenFromElsewhere(u32),
    /// Answers to letters in the name of somebody who has refused letters, which prove nothing:
    /// anybody can use it up.
    #[serde(rename = "Refused")]
    OptedOut(String),
    /// A member's requests that an address be asked whether it is theirs. Each counts, whether a
    /// letter left or not.
    #[serde(rename = "QuestionBy")]
    AddressQuestionBy(u32, String),
    /// Letters to a non-member that members have caused: invitations, and questions whether an
    /// address is theirs. Members use it up, each a third.
    #[serde(rename = "Unasked")]
    Unsolicited(String),
    /// The part of one member in that.
    #[serde(rename = "UnaskedBy")]
    UnsolicitedBy(u32, String),
    /// Invitations of a member: other members use it up, each a half.
    Invitation(String),
    /// The part of one member in that.
    InvitationBy(u32, String),
}

impl RateAccount {
    /// The account of who is no member.
    pub(crate) fn for_stranger(address: &str) -> Self {
        Self::Stranger(mailbox_key(address))
    }

    /// The account of who is no member and would join.
    pub(crate) fn for_newcomer(address: &str) -> Self {
        Self::Newcomer(mailbox_key(address))
    }

    /// The account of who is no member and no mere name.
    pub(crate) fn for_known_person(address: &str) -> Self {
        Self::Known(mailbox_key(address))
    }

    /// The account of who answers a letter of ours.
    pub(crate) fn for_confirming_reader(address: &str) -> Self {
        Self::ConfirmingReader(mailbox_key(address))
    }

    /// The account of who is no member and answers what we wrote to him, by whether he began to do
    /// so within a day.
    pub(crate) fn for_visitor(address: &str, has_just_begun: bool) -> Self {
        let of = if has_just_begun { Self::FirstDayVisitor } else { Self::ReturningVisitor };
        of(mailbox_key(address))
    }

    /// The account of somebody who has refused letters.
    pub(crate) fn for_opted_out(address: &str) -> Self {
        Self::OptedOut(mailbox_key(address))
    }

    /// The account of a member's wish that an address be asked whether it is theirs.
    pub(crate) fn for_address_question(member: u32, address: &str) -> Self {
        Self::AddressQuestionBy(member, mailbox_key(address))
    }

    /// The accounts of a letter that a member causes to go to a non-member.
    pub(crate) fn for_unsolicited(by: u32, address: &str) -> [Self; 2] {
        let mailbox = mailbox_key(address);
        [Self::Unsolicited(mailbox.clone()), Self::UnsolicitedBy(by, mailbox)]
    }

    /// What a member's invitation of an address is charged to.
    pub(crate) fn for_invitation(by: u32, address: &str) -> [Self; 2] {
        let mailbox = mailbox_key(address);
        [Self::Invitation(mailbox.clone()), Self::InvitationBy(by, mailbox)]
    }

    /// Returns the key under which the store counts it. No other key is JSON.
    pub(crate) fn store_key(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the rank of letters that are charged to it. What members ask us to write to others
    /// has the rank of answers to them.
    pub(crate) const fn letter_class(&self) -> SendPriority {
        match self {
            Self::Known(_)
            | Self::ConfirmingReader(_)
            | Self::FirstDayVisitor(_)
            | Self::ReturningVisitor(_) => SendPriority::Known,
            Self::UnprovenMember(_)
            | Self::UnprovenModerator
            | Self::Stranger(_)
            | Self::Newcomer(_)
            | Self::OptedOut(_) => SendPriority::Stranger,
            _ => SendPriority::Answer,
        }
    }

    /// Returns the notice for the first letter beyond the limit.
    pub(crate) const fn limit_notice(&self) -> Notice {
        match self {
            Self::Refusals(_) | Self::ModeratorRefusals => Notice::TooManyRefused,
            _ => Notice::TooMany,
        }
    }

    /// Returns its limit, if a member has this many answers within an hour.
    pub(crate) fn limit(&self, answers_per_hour: usize) -> AnswerLimit {
        match self {
            Self::Answers(_) | Self::Moderator => {
                AnswerLimit::hourly_with_last_notice(answers_per_hour)
            }
            Self::Refusals(_) | Self::ModeratorRefusals => {
                let times = answers_per_hour.saturating_mul(REFUSALS_PER_ANSWER);
                AnswerLimit {
                    times,
                    within_seconds: DAY_SECONDS,
                    sends_last_notice: true,
                    then_once_a_day: false,
                }
            }
            Self::UnprovenMember(_) | Self::UnprovenModerator | Self::ConfirmingReader(_) => {
                AnswerLimit::weekly_then_daily(UNPROVEN_PER_WEEK)
            }
            Self::Stranger(_)
            | Self::Newcomer(_)
            | Self::ReturningVisitor(_)
            | Self::TokenFromElsewhere(_)
            | Self::Idle(_) => AnswerLimit::daily_then_silent(1),
            Self::AddressQuestionBy(..) | Self::UnsolicitedBy(..) => {
                AnswerLimit::then_silent(1, WEEK_SECONDS)
            }
            Self::OptedOut(_) => AnswerLimit::then_silent(1, MONTH_SECONDS),
            Self::Unsolicited(_) => AnswerLimit::then_silent(UNSOLICITED_PER_MONTH, MONTH_SECONDS),
            Self::FirstDayVisitor(_) => AnswerLimit::daily_then_silent(FIRST_DAY_VISITS),
            Self::Known(_) => AnswerLimit::weekly_then_daily(KNOWN_PER_WEEK),
            Self::Invitation(_) => AnswerLimit::daily_then_silent(INVITATIONS_PER_DAY),
            Self::InvitationBy(..) => AnswerLimit::daily_then_silent(INVITATIONS_BY_ONE_MEMBER),
        }
    }
}
