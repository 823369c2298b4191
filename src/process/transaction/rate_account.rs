//! The rate accounts to which the club's letters are charged.
//!
//! Each account names the people who can use it up, and is separate from those that others can use
//! up. So a forged letter in a member's name does not use up that member's answers.

use crate::mail::rate_limit::{AnswerLimit, DAY_SECONDS, MONTH_SECONDS, WEEK_SECONDS, mailbox_key};
use crate::render::Notice;
use crate::store::SendPriority;
use serde::Serialize;

/// The number of answers per week to letters that claim a member's name without proof, and to
/// non-members who reply to the club's letters. After that, one a day.
const UNPROVEN_PER_WEEK: usize = 5;

/// The number of answers per week to non-members who were invited or whose address is proven. After
/// that, one a day.
const KNOWN_PER_WEEK: usize = 3;

/// The number of answers that a non-member gets on the first day of a conversation with the club.
const FIRST_DAY_VISITS: usize = 3;

/// The number of letters per month that members may cause to one mailbox of a non-member.
const UNSOLICITED_PER_MONTH: usize = 3;

/// The number of invitations per day to one mailbox, from all members together. One member may send
/// [`INVITATIONS_BY_ONE_MEMBER`] of them.
const INVITATIONS_PER_DAY: usize = 6;

const INVITATIONS_BY_ONE_MEMBER: usize = 3;

/// The number of refusals per day, as a multiple of the answers per hour. It stops two machines
/// that answer each other forever, but no person reaches it.
const REFUSALS_PER_ANSWER: usize = 10;

/// The writer of a letter whose reply token is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum ProvenWriter {
    /// The member with this number.
    Member(u32),
    /// The moderator, if they are no member.
    Moderator,
}

impl ProvenWriter {
    /// Returns the member's number; `None` for a moderator who is no member.
    pub(crate) const fn member(self) -> Option<u32> {
        match self {
            Self::Member(id) => Some(id),
            Self::Moderator => None,
        }
    }
}

/// The account to which a letter of the club is charged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum RateAccount {
    /// Answers to a member. Only letters with a valid reply token of this member use it up.
    Answers(u32),
    /// Refusals of a member's orders. Only orders with a valid reply token of this member use it
    /// up. It allows far more of them than a person writes.
    Refusals(u32),
    /// Answers to idle letters, after several idle letters in a row. Only their writer uses it up.
    Idle(ProvenWriter),
    /// Answers to letters in a member's name without a valid reply token. Anybody can use it up.
    #[serde(rename = "InNameOf")]
    UnprovenMember(u32),
    /// Answers to the moderator. Only letters with the moderator's reply token use it up.
    Moderator,
    /// Refusals of the moderator's commands. Only letters with the moderator's reply token use it
    /// up.
    ModeratorRefusals,
    /// Answers to letters in the moderator's name without a valid reply token. Anybody can use it
    /// up.
    #[serde(rename = "InModeratorsName")]
    UnprovenModerator,
    /// Answers to a non-member. Anybody who writes in their name can use it up.
    Stranger(String),
    /// Letters that ask a non-member whether they want to join. Anybody can use it up. It is
    /// separate from [`RateAccount::Stranger`], so that forged letters do not keep the person from
    /// joining.
    Newcomer(String),
    /// Takes the place of the two accounts before it if the club's mail server proves the sender,
    /// or a member has invited them.
    Known(String),
    /// Answers to a reply to a letter that went to this mailbox. Only its reader uses it up.
    #[serde(rename = "Confirming")]
    ConfirmingReader(String),
    /// Answers to a non-member in a conversation with the club, on its first day. Only the reader
    /// of the mailbox uses it up. It is separate from [`RateAccount::ConfirmingReader`], so that a
    /// person who asked many questions can still give consent.
    #[serde(rename = "Visiting")]
    FirstDayVisitor(String),
    /// Like [`RateAccount::FirstDayVisitor`], on later days. Both are counted under one key.
    #[serde(rename = "Visiting")]
    ReturningVisitor(String),
    /// Notices to a member about letters that have the member's reply token but came from another
    /// address. Anybody who has such a token uses it up.
    #[serde(rename = "Elsewhere")]
    TokenFromElsewhere(u32),
    /// Answers to unproven letters in the name of a person who has refused letters. Anybody can use
    /// it up.
    #[serde(rename = "Refused")]
    OptedOut(String),
    /// A member's requests to ask an address whether it is theirs. Each request counts, even if no
    /// letter is sent.
    #[serde(rename = "QuestionBy")]
    AddressQuestionBy(u32, String),
    /// Letters to a non-member that members cause: invitations, and questions whether an address is
    /// theirs. At most [`UNSOLICITED_PER_MONTH`] a month, of which one member can cause one a week.
    #[serde(rename = "Unasked")]
    Unsolicited(String),
    /// One member's part of [`RateAccount::Unsolicited`].
    #[serde(rename = "UnaskedBy")]
    UnsolicitedBy(u32, String),
    /// Invitations to one mailbox. One member can use up half of it per day.
    Invitation(String),
    /// One member's part of [`RateAccount::Invitation`].
    InvitationBy(u32, String),
}

impl RateAccount {
    /// Returns the account for answers to a non-member.
    pub(crate) fn for_stranger(address: &str) -> Self {
        Self::Stranger(mailbox_key(address))
    }

    /// Returns the account for the question whether a non-member wants to join.
    pub(crate) fn for_newcomer(address: &str) -> Self {
        Self::Newcomer(mailbox_key(address))
    }

    /// Returns the account for a non-member who was invited or whose address is proven.
    pub(crate) fn for_invited_or_proven(address: &str) -> Self {
        Self::Known(mailbox_key(address))
    }

    /// Returns the account for a reply to the club's letter.
    pub(crate) fn for_confirming_reader(address: &str) -> Self {
        Self::ConfirmingReader(mailbox_key(address))
    }

    /// Returns the account for a conversation with a non-member. `has_just_begun` says whether it
    /// began within a day.
    pub(crate) fn for_visitor(address: &str, has_just_begun: bool) -> Self {
        let of = if has_just_begun { Self::FirstDayVisitor } else { Self::ReturningVisitor };
        of(mailbox_key(address))
    }

    /// Returns the account for a person who has refused letters.
    pub(crate) fn for_opted_out(address: &str) -> Self {
        Self::OptedOut(mailbox_key(address))
    }

    /// Returns the account for a member's request to ask an address whether it is theirs.
    pub(crate) fn for_address_question(member: u32, address: &str) -> Self {
        Self::AddressQuestionBy(member, mailbox_key(address))
    }

    /// Returns the accounts for a letter that a member causes to a non-member. It is charged to
    /// both.
    pub(crate) fn for_letter_caused_by_member(by: u32, address: &str) -> [Self; 2] {
        let mailbox = mailbox_key(address);
        [Self::Unsolicited(mailbox.clone()), Self::UnsolicitedBy(by, mailbox)]
    }

    /// Returns the accounts for a member's invitation to an address. It is charged to both.
    pub(crate) fn for_invitation(by: u32, address: &str) -> [Self; 2] {
        let mailbox = mailbox_key(address);
        [Self::Invitation(mailbox.clone()), Self::InvitationBy(by, mailbox)]
    }

    /// Returns the store's counter key for the account. It is JSON, so it cannot collide with other
    /// keys.
    pub(crate) fn store_key(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the priority of letters that are charged to the account. Letters that members ask
    /// the club to send to others have the priority of answers.
    pub(crate) const fn send_priority(&self) -> SendPriority {
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

    /// Returns the account's limit. `answers_per_hour` is the club's setting for one member.
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
