//! Members who leave the club: they are taken out of all games and lists, and their traces are
//! erased.
//!
//! A member who leaves is erased in two steps. The first step is in the commit that takes the
//! member out of all games: their row keeps the name only to know what is still to be erased. The
//! second step follows at the end of a pass, after the goodbye was posted, so that the others can
//! read who has left. Logs are not touched: no name stands in them, except in a moderator's reason.

use crate::club::{Actor, FormerSelf, Member, Traces};
use crate::mail::LetterHash;
use crate::process::blame::Blame;
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::lobby::forming::{self, Words};
use crate::process::lobby::substitute;
use crate::process::session::reader;
use crate::process::transaction::{CLUB, Transaction, copy_out, retry};
use crate::rules::{Message, Seat};
use crate::store::{Outgoing, Repository};
use chrono::{DateTime, Utc};
use std::collections::BTreeSet;

/// Under what the store counts the members who left. No address is without an @.
pub(crate) const BEGUN: &str = "leavers";
/// Under what it counts those of them whose traces are erased.
const DONE: &str = "erased";

/// The fate of a letter that waits to be posted to a member who has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unposted {
    /// It is posted first, as the member asked for it.
    IsPosted,
    /// It is dropped.
    IsDropped,
}

/// Whether there is a member who has left and whose traces are still to be erased.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn is_owed(context: &Context) -> ClubResult<bool> {
    let tx = Transaction::begin(context);
    Ok(tx.answers_since(BEGUN, 0)?.len() > tx.answers_since(DONE, 0)?.len())
}

/// The member with this number or address who has left and whose traces are still to be erased, as
/// the member was before.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn cut_short(tx: &Transaction<'_>, who: &str) -> ClubResult<Option<Member>> {
    let is_meant = |member: &Member, former: &FormerSelf| {
        who.parse() == Ok(member.id) || former.addresses.contains(&who.trim().to_lowercase())
    };
    let before = |member: Member| {
        let former = member.leaving.as_deref().filter(|former| is_meant(&member, former))?;
        let FormerSelf { name, addresses } = former.clone();
        Some(Member { name, addresses, ..member })
    };
    Ok(tx.members()?.into_iter().find_map(before))
}

/// Erases the traces of all members who have left, also in the journal.
///
/// # Errors
/// When the club cannot be read or written.
pub(crate) fn erase_traces(context: &Context, unposted: Unposted) -> ClubResult<()> {
    if !is_owed(context)? {
        return Ok(());
    }
    for member in Transaction::begin(context).members()? {
        if member.leaving.is_some() {
            retry(|| erase_traces_of(context, member.id, unposted))?;
        }
    }
    copy_out(context)
}

fn erase_traces_of(context: &Context, id: u32, unposted: Unposted) -> ClubResult<()> {
    let mut tx = Transaction::begin(context);
    let Some(member) = tx.member(id)? else { return Ok(()) };
    let Some(former) = &member.leaving else { return Ok(()) };
    if unposted == Unposted::IsPosted && !letters_to(&tx, former)?.is_empty() {
        return Ok(());
    }
    // Whoever has joined again is a member under this name.
    if !is_member_again(&tx, former)? {
        let members = tx.members()?;
        let names = members.iter().map(|member| &*member.name);
        let traces = Traces::of(former, &member.name, names);
        erase_around_games(&mut tx, &traces)?;
        erase_from_campaigns(&mut tx, former)?;
        erase_from_outbox(&mut tx, former, &traces)?;
    }
    tx.change(Member { leaving: None, ..member.clone() });
    tx.count(DONE.to_owned());
    let batch = tx.write();
    (batch.rewrite_journal, batch.erased) = (true, true);
    tx.commit().map(drop)
}

fn is_member_again(tx: &Transaction<'_>, former: &FormerSelf) -> ClubResult<bool> {
    for address in &former.addresses {
        if tx.member_by_address(address)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The keys of the letters that wait to be posted to a member who has left.
fn letters_to(tx: &Transaction<'_>, former: &FormerSelf) -> ClubResult<Vec<u64>> {
    let line = tx.outbox().in_line(DateTime::<Utc>::MAX_UTC)?.into_iter();
    let own = line.filter(|letter| former.addresses.contains(&letter.recipient));
    Ok(own.map(|letter| letter.key).collect())
}

/// Erases traces from what is kept of seats, of the people around games, of clocks, and of what was
/// said and done.
fn erase_around_games(tx: &mut Transaction<'_>, traces: &Traces<'_>) -> ClubResult<()> {
    let mut games = BTreeSet::from([CLUB]);
    for (game, mut room) in tx.rooms()? {
        games.insert(game);
        let mut any = false;
        for former in &mut room.former {
            let erased = former.aside.as_ref().and_then(|aside| traces.erased_from(&**aside));
            any |= erased.is_some();
            former.aside = erased.map(Box::new).or(former.aside.take());
        }
        if any {
            tx.put_room(game, room);
        }
    }
    games.extend(tx.games()?);
    for game in games {
        for (seat, seated) in Seat::all(u8::MAX).zip(tx.seats(game)?) {
            let erased = traces.erased_from(&seated);
            tx.write().seats.extend(erased.map(|erased| (game, seat, erased)));
        }
        let clock = tx.clock(game)?.and_then(|clock| traces.erased_from(&clock));
        tx.write().clocks.extend(clock.map(|clock| (game, clock)));
        for (place, entry) in tx.minutes(game)?.iter().enumerate() {
            let erased = traces.erased_from(entry);
            tx.write().reworded.extend(erased.map(|erased| (game, place, erased)));
        }
    }
    Ok(())
}

/// Erases addresses from what is kept of the tables of campaigns. A hash stays, by which the
/// campaign's own file still finds whose results these are.
fn erase_from_campaigns(tx: &mut Transaction<'_>, former: &FormerSelf) -> ClubResult<()> {
    let rooms = tx.rooms()?.into_iter();
    let campaigns: BTreeSet<String> =
        rooms.filter_map(|(_, room)| Some(room.campaign?.name)).collect();
    for campaign in campaigns {
        for mut table in tx.campaign_games(&campaign)? {
            let mut any = false;
            for address in table.players.iter_mut().filter(|a| former.addresses.contains(a)) {
                *address = hashed(address);
                any = true;
            }
            tx.write().campaign_games.extend(any.then_some(table));
        }
    }
    Ok(())
}

/// Returns the hash that is kept in the place of an address of a member who has left.
pub(crate) fn hashed(address: &str) -> String {
    LetterHash::of(address.as_bytes()).to_string()
}

/// Erases traces from letters that wait, and drops those to the member.
fn erase_from_outbox(
    tx: &mut Transaction<'_>,
    former: &FormerSelf,
    traces: &Traces<'_>,
) -> ClubResult<()> {
    let own = letters_to(tx, former)?;
    for letter in tx.outbox().in_line(DateTime::<Utc>::MAX_UTC)? {
        if own.contains(&letter.key) {
            continue;
        }
        let Some(queued) = tx.outbox().queued(letter.key)? else { continue };
        if let Some(owed) = traces.erased_from(&queued.letter.owed) {
            tx.write().settled.push((letter.key, Outgoing { owed, ..queued.letter }));
        }
    }
    tx.write().sent.extend(own);
    Ok(())
}

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
            return cut_short(tx, who);
        };
        erase(tx, member.id, Actor::Moderator)?;
        Ok(Some(member))
    })?;
    erase_traces(context, Unposted::IsDropped)?;
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
    tx.count(BEGUN.to_owned());
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
