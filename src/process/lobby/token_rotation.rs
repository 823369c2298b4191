//! Makes all older reply tokens of a member, or of the moderator, void on request.
//!
//! This is for letters that were read by the wrong person. An old token then has no effect, and new
//! tokens are sent only to the owner's address.

use crate::club::{ActivityEvent, Member};
use crate::mail::MemberDirectory;
use crate::mail::rate_limit::DAY_SECONDS;
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::lobby::proposals::{self, Messages};
use crate::process::request_error::{RequestError, refuse_if};
use crate::process::session::reader;
use crate::process::session::reader::ClubDirectory;
use crate::process::transaction::{CLUB_ACTIVITY, Transaction};
use crate::rules::{Message, Turn};

/// The most rotations per member and day. Each rotation makes every running game of the member send
/// them a letter.
const ROTATIONS_PER_DAY: usize = 3;

/// Makes all older reply tokens of a member void, because the member asked for it.
pub(crate) fn rotate_own_tokens(
    tx: &mut Transaction<'_>,
    member: &Member,
) -> Result<Messages, RequestError> {
    let since = tx.context.now.timestamp() - DAY_SECONDS;
    let are_many = tx.count_events_since(&rotation_count_key(member), since)? >= ROTATIONS_PER_DAY;
    refuse_if(are_many, || Message::new("marks-many").with("most", ROTATIONS_PER_DAY))?;
    tx.increment_count(rotation_count_key(member));
    rotate_tokens(tx, member, &Message::new("seat-marks-asked"))?;
    Ok(vec![Message::new("marks-renewed")])
}

/// Makes all older reply tokens of the member with this number or address void, because the
/// moderator asked for it. The member gets a letter with a new token, and one from each of their
/// running games.
pub(crate) fn rotate_member_in_tx(
    tx: &mut Transaction<'_>,
    who: &str,
    reason: &str,
) -> ClubResult<Option<Member>> {
    let Some(member) = reader::find_member_in_tx(tx, who)? else { return Ok(None) };
    let told = Message::new("seat-rotated").with("reason", reason);
    let member = rotate_tokens(tx, &member, &told)?;
    // The activity logs of the games do not show this, because it concerns only the member.
    let voided = ActivityEvent::ReplyTokensVoided { member: member.id, reason: reason.to_owned() };
    tx.log_activity(CLUB_ACTIVITY, voided);
    if member.undeliverable_since().is_none() {
        let word = Message::new("marks-rotated").with("reason", reason);
        let mark = format!("{} marks of {}", tx.context.now, member.id);
        proposals::queue_one_sentence_letter(tx, &member, word, &mark);
    }
    Ok(Some(member))
}

/// Makes all older reply tokens of the member with this number or address void, for the command
/// line. Returns the member, or `None` if there is none.
///
/// # Errors
/// When the club cannot be read or written.
pub fn rotate_member_tokens(context: &Context, who: &str) -> Result<Option<Member>, ClubError> {
    let reason = proposals::localize_key_for_club(context, "reason-marks");
    commit::transact_and_notify(context, |tx| rotate_member_in_tx(tx, who, &reason))
}

/// Raises the generation number that a member's reply tokens contain, which voids all older ones.
/// Each running game sends the member a letter with the sentence `told`.
fn rotate_tokens(tx: &mut Transaction<'_>, member: &Member, told: &Message) -> ClubResult<Member> {
    let generation = member.token_generation.saturating_add(1);
    let member = Member { token_generation: generation, ..member.clone() };
    tx.update_member(member.clone());
    for (game, seat) in tx.seats_not_left(member.id)? {
        let running = tx.open_game(game).is_ok_and(|session| session.table.turn() != Turn::Over);
        if running {
            tx.add_urgent_seat_note(game, seat, told.clone());
        }
    }
    Ok(member)
}

/// Makes all older reply tokens of the moderator void, in a transaction.
pub(crate) fn rotate_moderator_in_tx(tx: &mut Transaction<'_>) -> ClubResult<()> {
    let generation = ClubDirectory(tx).moderator_generation()?;
    tx.batch_mut().moderator_generation = Some(generation.saturating_add(1));
    Ok(())
}

/// Makes all older reply tokens of the moderator void, and sends the moderator a letter with a new
/// one.
///
/// # Errors
/// When the club cannot be read or written.
pub fn rotate_moderator_token(context: &Context) -> Result<(), ClubError> {
    commit::transact_and_notify(context, |tx| {
        rotate_moderator_in_tx(tx)?;
        tx.report_to_moderator(Message::new("moderator-marks-renewed"));
        Ok(())
    })
}

/// Returns the key under which the store counts a member's rotations. Other counters use addresses
/// as keys, so this key contains no @.
fn rotation_count_key(member: &Member) -> String {
    format!("marks of {}", member.id)
}
