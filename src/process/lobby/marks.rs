//! Marks that are made void at a word: all of a member's, or the moderator's.
//!
//! For when letters fell into wrong hands. Who holds an old mark can do nothing with it any more,
//! and a new one goes only where its owner reads his letters.

use crate::club::{Happening, Member};
use crate::mail::Directory;
use crate::mail::rate_limit::DAY;
use crate::process::blame::{Blame, refuse_if};
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::lobby::forming::{self, Words};
use crate::process::session::reader;
use crate::process::session::reader::ClubDirectory;
use crate::process::transaction::{CLUB, Transaction};
use crate::rules::{Message, Turn};

/// How often a member can have new marks within a day: each time every game of his writes to him.
const NEW_MARKS_A_DAY: usize = 3;

/// A member's own wish that no mark in an older letter be good for anything.
pub(crate) fn new_marks(tx: &mut Transaction<'_>, member: &Member) -> Result<Words, Blame> {
    let since = tx.context.now.timestamp() - DAY;
    let are_many = tx.count_since(&marks_counted(member), since)? >= NEW_MARKS_A_DAY;
    refuse_if(are_many, || Message::new("marks-many").with("most", NEW_MARKS_A_DAY))?;
    tx.count(marks_counted(member));
    renew_marks(tx, member, &Message::new("seat-marks-asked"))?;
    Ok(vec![Message::new("marks-renewed")])
}

/// Makes void by the moderator's hand all marks that speak for the member of this number or
/// address. He gets a letter with a new one, and one of each of his running games.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn rotate_member_on(
    tx: &mut Transaction<'_>,
    who: &str,
    reason: &str,
) -> ClubResult<Option<Member>> {
    let Some(member) = reader::member_on(tx, who)? else { return Ok(None) };
    let told = Message::new("seat-rotated").with("reason", reason);
    let member = renew_marks(tx, &member, &told)?;
    // Whose letters were in danger is nobody else's business.
    let voided = Happening::MarksVoided { member: member.id, reason: reason.to_owned() };
    tx.log_activity(CLUB, voided);
    if member.undeliverable().is_none() {
        let word = Message::new("marks-rotated").with("reason", reason);
        let mark = format!("{} marks of {}", tx.context.now, member.id);
        forming::write_to(tx, &member, word, &mark);
    }
    Ok(Some(member))
}

/// The same on the command line; who it was.
///
/// # Errors
/// When the club cannot be read or written.
pub fn rotate_member(context: &Context, who: &str) -> Result<Option<Member>, ClubError> {
    let reason = forming::term(context, "reason-marks");
    commit::transact(context, |tx| rotate_member_on(tx, who, &reason))
}

/// Raises the number that all marks of a member are sealed with. His running games, if they can
/// be opened, write to him with this word.
fn renew_marks(tx: &mut Transaction<'_>, member: &Member, told: &Message) -> ClubResult<Member> {
    let generation = member.generation.saturating_add(1);
    let member = Member { generation, ..member.clone() };
    tx.change(member.clone());
    for (game, seat) in tx.seats_held(member.id)? {
        let running = tx.session(game).is_ok_and(|session| session.table.turn() != Turn::Over);
        if running {
            tx.tell_seat(game, seat, told.clone());
        }
    }
    Ok(member)
}

/// Makes void in a transaction all marks that speak for the moderator.
pub(crate) fn rotate_moderator_on(tx: &mut Transaction<'_>) -> ClubResult<()> {
    let generation = ClubDirectory(tx).moderator()?;
    tx.write().moderator = Some(generation.saturating_add(1));
    Ok(())
}

/// The same on the command line; the moderator gets a letter with a new mark.
///
/// # Errors
/// When the club cannot be read or written.
pub fn rotate_moderator(context: &Context) -> Result<(), ClubError> {
    commit::transact(context, |tx| {
        rotate_moderator_on(tx)?;
        tx.tell_moderator(Message::new("moderator-marks-renewed"));
        Ok(())
    })
}

/// Under what the times are counted that a member had new marks; no address is like it.
fn marks_counted(member: &Member) -> String {
    format!("marks of {}", member.id)
}
