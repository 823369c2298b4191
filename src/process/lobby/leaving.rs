//! Members who leave the club: out of all games and off all lists, name and addresses erased.

use crate::club::{Actor, FormerSelf, Member};
use crate::process::blame::Blame;
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::lobby::erasure::{self, Unposted};
use crate::process::lobby::forming::{self, Words};
use crate::process::lobby::substitute;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::rules::Message;
use crate::store::Repository;

/// A member's wish to leave the club for good.
pub(crate) fn leave_club(
    tx: &mut Transaction<'_>,
    member: &Member,
    sure: bool,
) -> Result<Words, Blame> {
    if !sure {
        return Ok(vec![Message::new("leave-club-sure")]);
    }
    erase(tx, member.id, Actor::Member(member.id))?;
    Ok(vec![Message::new("leave-club-done")])
}

/// Lets the member with this number or address leave the club by the moderator's hand, and erases
/// all traces at once. Returns who it was; none if there is no such member. The store's file still
/// holds them until [`renew`](crate::process::renew).
///
/// # Errors
/// When the club cannot be read or written.
pub fn forget_member(context: &Context, who: &str) -> Result<Option<Member>, ClubError> {
    let forgotten = commit::transact(context, |tx| {
        let Some(member) = reader::member_on(tx, who)? else {
            return erasure::cut_short(tx, who);
        };
        erase(tx, member.id, Actor::Moderator)?;
        Ok(Some(member))
    })?;
    erasure::erase_traces(context, Unposted::IsDropped)?;
    Ok(forgotten)
}

/// Takes a member out of everything in a transaction, and erases name and addresses there. The
/// number stays, so that the games that the member played can still be told. All other traces are
/// erased at the end of a pass, once the others have read who has left.
fn erase(tx: &mut Transaction<'_>, id: u32, by: Actor) -> ClubResult<()> {
    let Some(before) = tx.member(id)?.filter(|member| !member.has_left()) else { return Ok(()) };
    clear_lists(tx, &before)?;
    let reason = forming::term(tx.context, "reason-left-club");
    for (game, seat) in tx.seats_held(id)? {
        match substitute::open_seat(tx, game, seat, by, &reason) {
            Ok(()) => {}
            // A game that is over needs nobody.
            Err(Blame::Theirs(_over)) => {
                substitute::answer_no_more(tx, game, seat, &before.name);
                tx.forget_player(game, seat);
            }
            Err(Blame::Ours(ClubError::Store(error))) => return Err(error.into()),
            // Of a broken one the moderator knows.
            Err(Blame::Ours(_)) => {}
        }
    }
    let Some(member) = tx.member(id)? else { return Ok(()) };
    let name = Message::new("member-former").with("number", id);
    let Member { name: own_name, addresses, language, ascii, generation, past, .. } = member;
    tx.change(Member {
        id,
        name: tx.context.library.language(&tx.context.settings.language).say(&name),
        language,
        ascii,
        generation: generation.saturating_add(1),
        past,
        leaving: Some(Box::new(FormerSelf { name: own_name, addresses })),
        ..Member::default()
    });
    tx.count(erasure::BEGUN.to_owned());
    tx.write().rewrite_journal = true;
    Ok(())
}

/// Takes a member off all lists around games.
fn clear_lists(tx: &mut Transaction<'_>, member: &Member) -> ClubResult<()> {
    for (game, before) in tx.rooms()? {
        let mut room = before.clone();
        if let Some(proposal) = room.proposal.as_ref().filter(|p| p.founder() == member.id) {
            let proposal = proposal.clone();
            forming::drop_proposal(tx, game, &proposal, member.id, "lobby-cancelled-for-you")?;
            continue;
        }
        if let Some(proposal) = &mut room.proposal {
            proposal.players.retain(|joined| joined.member != member.id);
        }
        for former in room.former.iter_mut().filter(|f| f.member == member.id) {
            former.aside = None;
        }
        room.observers.retain(|observer| *observer != member.id);
        room.waiting.retain(|waiting| *waiting != member.id);
        room.offers.retain(|offer| offer.member != member.id);
        room.invited.retain(|address| !member.addresses.contains(address));
        if room != before {
            tx.put_room(game, room);
        }
    }
    Ok(())
}
