//! Marks that are made void at a word: all of a member's, or the moderator's.
//!
//! For when letters fell into wrong hands. Who holds an old mark can do nothing with it any more,
//! and a new one goes only where its owner reads his letters.

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

/// How often a member can have new marks within a day: each time every game of his writes to him.
const ROTATIONS_PER_DAY: usize = 3;

/// A member's own wish that no mark in an older letter be good for anything.
pub(crate) fn rotate_own_tokens(
    tx: &mut Transaction<'_>,
    member: &Member,
) -> Result<Messages, RequestError> {
    let since = tx.context.now.timestamp() - DAY_SECONDS;
    let are_many = tx.count_since(&rotation_count_key(member), since)? >= ROTATIONS_PER_DAY;
    refuse_if(are_many, || Message::new("marks-many").with("most", ROTATIONS_PER_DAY))?;
    tx.increment_count(rotation_count_key(member));
    rotate_tokens(tx, member, &Message::new("seat-marks-asked"))?;
    Ok(vec![Message::new("marks-renewed")])
}

/// Makes void by the moderator's hand all marks that speak for the member of this number or
/// address. He gets a letter with a new one, and one of each of his running games.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn rotate_member_in_tx(
    tx: &mut Transaction<'_>,
    who: &str,
    reason: &str,
) -> ClubResult<Option<Member>> {
    let Some(member) = reader::find_member_in_tx(tx, who)? else { return Ok(None) };
    let told = Message::new("seat-rotated").with("reason", reason);
    let member = rotate_tokens(tx, &member, &told)?;
    // Whose letters were in danger is nobody else's business.
    let voided = ActivityEvent::ReplyTokensVoided { member: member.id, reason: reason.to_owned() };
    tx.log_activity(CLUB_ACTIVITY, voided);
    if member.undeliverable_since().is_none() {
        let word = Message::new("marks-rotated").with("reason", reason);
        let mark = format!("{} marks of {}", tx.context.now, member.id);
        proposals::queue_notice(tx, &member, word, &mark);
    }
    Ok(Some(member))
}

/// The same on the command line; who it was.
///
/// # Errors
/// When the club cannot be read or written.
pub fn rotate_member_tokens(context: &Context, who: &str) -> Result<Option<Member>, ClubError> {
    let reason = proposals::say_in_club_language(context, "reason-marks");
    commit::transact(context, |tx| rotate_member_in_tx(tx, who, &reason))
}

/// Raises the number that all marks of a member are sealed with. His running games, if they can
/// be opened, write to him with this word.
fn rotate_tokens(tx: &mut Transaction<'_>, member: &Member, told: &Message) -> ClubResult<Member> {
    let generation = member.token_generation.saturating_add(1);
    let member = Member { token_generation: generation, ..member.clone() };
    tx.update_member(member.clone());
    for (game, seat) in tx.current_seats(member.id)? {
        let running = tx.open_game(game).is_ok_and(|session| session.table.turn() != Turn::Over);
        if running {
            tx.notify_seat(game, seat, told.clone());
        }
    }
    Ok(member)
}

/// Makes void in a transaction all marks that speak for the moderator.
pub(crate) fn rotate_moderator_in_tx(tx: &mut Transaction<'_>) -> ClubResult<()> {
    let generation = ClubDirectory(tx).moderator_generation()?;
    tx.batch_mut().moderator_generation = Some(generation.saturating_add(1));
    Ok(())
}

/// The same on the command line; the moderator gets a letter with a new mark.
///
/// # Errors
/// When the club cannot be read or written.
pub fn rotate_moderator_token(context: &Context) -> Result<(), ClubError> {
    commit::transact(context, |tx| {
        rotate_moderator_in_tx(tx)?;
        tx.report_to_moderator(Message::new("moderator-marks-renewed"));
        Ok(())
    })
}

/// Under what the times are counted that a member had new marks; no address is like it.
fn rotation_count_key(member: &Member) -> String {
    format!("marks of {}", member.id)
}
