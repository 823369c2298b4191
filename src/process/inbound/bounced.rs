//! Mail servers' reports and automatic replies: which are believed, and what follows.
//!
//! A report is believed if it gives back the Message-ID of a letter that was posted to a member's
//! first address in the last days, and says that this address failed. Message-IDs cannot be
//! guessed, but everybody knows them who has had the letter. So the report of an ordinary letter is
//! evidence and no more; [`Reachability`](crate::club::Reachability) says what follows from it. The
//! report of a probe decides. All other reports stay in quarantine.

use crate::club::{COMES_BACK_WITHIN, Event, Member};
use crate::mail::{Admitted, Automatic, Bounce, Cause, Failed, Letter, ReplyAction};
use crate::process::context::ClubResult;
use crate::process::delivery::probes;
use crate::process::inbound::intake;
use crate::process::outbound::answers;
use crate::process::session::lost::{self, untell};
use crate::process::transaction::Transaction;
use crate::process::transaction::effect::{Disposition, LetterEffect};
use crate::rules::Seat;
use crate::store::{Posted, Repository};

/// Returns what a mail server's report leads to; none if the letter is no report that is believed.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn bounced(
    tx: &mut Transaction<'_>,
    letter: &Letter,
) -> ClubResult<Option<LetterEffect>> {
    let Some(bounce) = Bounce::of(letter, &tx.context.settings.address) else { return Ok(None) };
    let Some((member, failed, posted)) = given_back(tx, &bounce)? else { return Ok(None) };
    let mut effect = LetterEffect::of(Disposition::Done);
    if tx.seen_letter(letter.digest.bytes())?.is_some() {
        return Ok(Some(effect));
    }
    effect.remembered = Some(answers::remembered(tx.context, letter, None, None));
    let kind = if failed.cause.is_hard() { "hard" } else { "soft" };
    effect.bounced = Some(format!("{}: {kind} {}", failed.address, failed.status));
    // Nothing is sent to the others of a member's addresses; what is late may come yet.
    let is_written_to = member.addresses.first() == Some(&failed.address);
    if !is_written_to || failed.cause == Cause::Late {
        return Ok(Some(effect));
    }
    effect.report = lost::refused_by_rule(tx, member.id, &failed)?;
    untell(tx, member.id, &posted.letter.told)?;
    let event = match posted.letter.probe {
        true => Event::ProbeReturned { posted: posted.at },
        false => Event::Report { hard: failed.cause.is_hard() },
    };
    let word = probes::observe(tx, &member, event, &failed)?;
    effect.report = word.or(effect.report);
    Ok(Some(effect))
}

/// The member whose letter a report gives back, the address of theirs that it says has failed, and
/// that letter.
fn given_back(
    tx: &Transaction<'_>,
    bounce: &Bounce,
) -> ClubResult<Option<(Member, Failed, Posted)>> {
    for id in &bounce.letters {
        let Some((member, posted)) = posted_to(tx, id)? else { continue };
        let mut own = member.addresses.iter();
        let failed = own.find_map(|own| bounce.failed.iter().find(|f| f.address == *own)).cloned();
        if let Some(failed) = failed {
            return Ok(Some((member, failed, posted)));
        }
    }
    Ok(None)
}

/// The member to whose first address the letter with this Message-ID was posted in the last days,
/// and that letter.
fn posted_to(tx: &Transaction<'_>, id: &str) -> ClubResult<Option<(Member, Posted)>> {
    let posted = tx.posted(id, tx.context.now - COMES_BACK_WITHIN, tx.context.now)?;
    let Some(posted) = posted else { return Ok(None) };
    let member = posted.letter.member.map(|id| tx.member(id)).transpose()?.flatten();
    Ok(member.filter(|member| !member.has_left()).map(|member| (member, posted)))
}

/// Returns the member whose mailbox sent this automatic reply to a letter of ours, such as a
/// vacation notice. The letter must come from one of their addresses, and must give back the
/// Message-ID or a valid reply token of that letter.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn replied_by_itself(tx: &Transaction<'_>, letter: &Letter) -> ClubResult<Option<u32>> {
    use Automatic::{AutoSubmitted, Bulk, Notice, NullSender, Unwanted};
    let is_reply =
        matches!(letter.automatic, Some(AutoSubmitted | Bulk | Notice | NullSender | Unwanted));
    let [sender] = letter.from.as_slice() else { return Ok(None) };
    if !is_reply || letter.from_headers != 1 {
        return Ok(None);
    }
    let is_senders = |member: &Member| member.addresses.contains(&sender.address);
    for id in &letter.references {
        if let Some((member, _)) = posted_to(tx, id)?.filter(|(member, _)| is_senders(member)) {
            return Ok(Some(member.id));
        }
    }
    let id = match intake::undoubted(tx, letter)? {
        Some(Admitted::Player(position)) => {
            let seats = tx.seats(position.game)?;
            seats.get(Seat::new(position.seat).index()).map(|seated| seated.member)
        }
        Some(Admitted::Action {
            action: ReplyAction::Member(id) | ReplyAction::Invited { member: id, .. },
            ..
        }) => Some(id),
        _ => None,
    };
    let member = id.map(|id| tx.member(id)).transpose()?.flatten();
    Ok(member.filter(is_senders).map(|member| member.id))
}
