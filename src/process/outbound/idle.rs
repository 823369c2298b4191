//! Letters in which the club finds nothing to do: no order, no command, nothing to say to others.
//!
//! A program that answers letters and sets no header writes such letters without end. After five in
//! a row from one writer the club answers one a day, until it finds something to do in a letter.

use crate::club::Member;
use crate::mail::rate_limit::{DAY, RateLimit};
use crate::mail::{Admitted, ReplyAction};
use crate::process::context::ClubError;
use crate::process::outbound::budget;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::{Account, Sender};
use crate::process::transaction::effect::LetterEffect;
use crate::rules::Seat;
use crate::store::Repository;

/// The number of idle letters in a row that are answered like others.
pub(crate) const IDLE_LETTERS: u32 = 5;

/// Idle letters of a moderator who is no member are counted for 30 days.
const REMEMBERED: i64 = 30 * DAY;

/// The moderator's idle letters, and those that ended a row of them, as the store counts them.
const MODERATORS: &str = "moderator_idle";
const ENDED: &str = "moderator_busy";

/// Returns the writer of a letter that was let in, if that is a member or the moderator. What a
/// mail program's button sends is nobody's.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn writer(
    tx: &Transaction<'_>,
    admitted: &Admitted,
) -> Result<Option<Sender>, ClubError> {
    Ok(match admitted {
        Admitted::Player(position) => {
            let seats = tx.seats(position.game)?;
            let seated = seats.get(Seat::new(position.seat).index());
            seated.map(|seated| Sender::Member(seated.member))
        }
        Admitted::Action { action: ReplyAction::Stop { .. }, .. } => None,
        Admitted::Action { action: ReplyAction::Moderator, .. } => Some(moderator(tx)?),
        Admitted::Action {
            action: ReplyAction::Member(member) | ReplyAction::Invited { member, .. },
            ..
        } => Some(Sender::Member(*member)),
        Admitted::Action { address, .. } => {
            tx.member_by_address(address)?.map(|member| Sender::Member(member.id))
        }
        _ => None,
    })
}

/// Returns the moderator as a writer: a member, if the moderator plays too.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn moderator(tx: &Transaction<'_>) -> Result<Sender, ClubError> {
    let address = tx.context.settings.moderator.address.to_lowercase();
    let member = tx.member_by_address(&address)?;
    Ok(member.map_or(Sender::Moderator, |member| Sender::Member(member.id)))
}

/// Returns the number of idle letters in a row.
fn in_a_row(tx: &Transaction<'_>, writer: Sender) -> Result<u32, ClubError> {
    let since = tx.context.now.timestamp() - REMEMBERED;
    Ok(match writer {
        Sender::Member(id) => tx.member(id)?.map_or(0, |member| member.idle_letters),
        Sender::Moderator => {
            let ended = tx.answers_since(ENDED, since)?.into_iter().max();
            let since = ended.map_or(since, |ended| ended + 1);
            u32::try_from(tx.count_since(MODERATORS, since)?).unwrap_or(u32::MAX)
        }
    })
}

/// Returns what an answer to a member's idle letter is charged to.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn members_account(tx: &Transaction<'_>, member: u32) -> Result<Account, ClubError> {
    account(tx, Sender::Member(member), Account::Answers(member))
}

/// Returns what an answer to an idle letter is charged to, `usual` as long as they are few.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn account(
    tx: &Transaction<'_>,
    writer: Sender,
    usual: Account,
) -> Result<Account, ClubError> {
    let is_few = in_a_row(tx, writer)? < IDLE_LETTERS;
    let is_spent = budget::rate_limit(tx, &usual)? != RateLimit::Answer;
    Ok(if is_few || is_spent { usual } else { Account::Idle(writer) })
}

/// Counts an idle letter, or ends the row.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn note(
    tx: &mut Transaction<'_>,
    writer: Sender,
    effect: &mut LetterEffect,
) -> Result<(), ClubError> {
    let before = in_a_row(tx, writer)?;
    let now = if effect.idle { before.saturating_add(1).min(IDLE_LETTERS) } else { 0 };
    if now == before {
        return Ok(());
    }
    match writer {
        Sender::Moderator => tx.count(if effect.idle { MODERATORS } else { ENDED }.to_owned()),
        Sender::Member(id) => {
            let counted = |member| Member { idle_letters: now, ..member };
            match effect.member.take() {
                Some(member) if member.id == id => effect.member = Some(counted(member)),
                other => {
                    effect.member = other;
                    tx.member(id)?.into_iter().for_each(|member| tx.change(counted(member)));
                }
            }
        }
    }
    Ok(())
}
