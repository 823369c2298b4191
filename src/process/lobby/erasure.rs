//! Members who leave the club: removes them from all games and lists, and erases their personal
//! data.
//!
//! The erasure has two steps. The first commit removes the member from all games. Their row keeps
//! the name and addresses so that the second step can find them. The second step runs at the end of
//! a pass, after the goodbye letter was sent, so that the other players can read who has left. Game
//! logs are not changed, because they contain no names except in a moderator's reason.

use crate::club::{Actor, DepartedMember, Member, PersonalDataEraser};
use crate::mail::LetterHash;
use crate::mail::address::canonical_address;
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::lobby::proposals::{self, Messages};
use crate::process::lobby::{proposal_removal, substitute};
use crate::process::request_error::RequestError;
use crate::process::session::reader;
use crate::process::transaction::{CLUB_ACTIVITY, Transaction, retry_on_conflict, update_journal};
use crate::rules::{Message, Seat};
use crate::store::{OutgoingLetter, Repository};
use chrono::{DateTime, Utc};
use std::collections::BTreeSet;

/// The key under which the store counts members who have left. It contains no @, so it differs from
/// every address.
pub(crate) const LEFT_COUNTER: &str = "leavers";
/// The key under which the store counts members who have left and whose data is erased.
const ERASED_COUNTER: &str = "erased";

/// Whether queued letters to a member who has left are sent or deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnsentLetters {
    /// They are sent before the data is erased, because the member asked to leave by letter.
    PostFirst,
    Drop,
}

/// Whether the data of a member who has left is still to be erased.
pub(crate) fn is_pending(context: &Context) -> ClubResult<bool> {
    let tx = Transaction::begin(context);
    Ok(tx.event_times_since(LEFT_COUNTER, 0)?.len()
        > tx.event_times_since(ERASED_COUNTER, 0)?.len())
}

/// Returns the member with this number or address who has left and whose data is not erased yet,
/// with their former name and addresses.
pub(crate) fn find_unerased_member(tx: &Transaction<'_>, who: &str) -> ClubResult<Option<Member>> {
    let is_meant = |member: &Member, former: &DepartedMember| {
        who.parse() == Ok(member.id) || former.addresses.contains(&canonical_address(who.trim()))
    };
    let before = |member: Member| {
        let former = member.departed.as_deref().filter(|former| is_meant(&member, former))?;
        let DepartedMember { name, addresses } = former.clone();
        Some(Member { name, addresses, ..member })
    };
    Ok(tx.members()?.into_iter().find_map(before))
}

/// Erases the data of all members who have left, also from the journal. With `PostFirst`, it skips
/// members to whom a letter is still queued.
pub(crate) fn erase_departed_members(context: &Context, unposted: UnsentLetters) -> ClubResult<()> {
    if !is_pending(context)? {
        return Ok(());
    }
    for member in Transaction::begin(context).members()? {
        if member.departed.is_some() {
            retry_on_conflict(|| erase_departed_member(context, member.id, unposted))?;
        }
    }
    update_journal(context)
}

fn erase_departed_member(context: &Context, id: u32, unposted: UnsentLetters) -> ClubResult<()> {
    let mut tx = Transaction::begin(context);
    let Some(member) = tx.member(id)? else { return Ok(()) };
    let Some(former) = &member.departed else { return Ok(()) };
    if unposted == UnsentLetters::PostFirst && !queued_letter_keys(&tx, former)?.is_empty() {
        return Ok(());
    }
    // A person who has joined again under this address is a member, so their name and address stay.
    if !has_rejoined(&tx, former)? {
        let members = tx.members()?;
        let names = members.iter().map(|member| &*member.name);
        let traces = PersonalDataEraser::new(former, &member.name, names);
        erase_from_games(&mut tx, &traces)?;
        erase_from_campaigns(&mut tx, former)?;
        erase_from_outbox(&mut tx, former, &traces)?;
    }
    tx.update_member(Member { departed: None, ..member.clone() });
    tx.increment_count(ERASED_COUNTER.to_owned());
    let batch = tx.batch_mut();
    (batch.rewrite_journal, batch.erases_data) = (true, true);
    tx.commit().map(drop)
}

fn has_rejoined(tx: &Transaction<'_>, former: &DepartedMember) -> ClubResult<bool> {
    for address in &former.addresses {
        if tx.member_by_address(address)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the outbox keys of the letters that are queued to a member who has left.
fn queued_letter_keys(tx: &Transaction<'_>, former: &DepartedMember) -> ClubResult<Vec<u64>> {
    let line = tx.outbox().list_sendable(DateTime::<Utc>::MAX_UTC)?.into_iter();
    let own = line.filter(|letter| former.addresses.contains(&letter.recipient));
    Ok(own.map(|letter| letter.key).collect())
}

/// Erases a member's data from seats, saved seat data, clocks and activity logs.
fn erase_from_games(tx: &mut Transaction<'_>, traces: &PersonalDataEraser<'_>) -> ClubResult<()> {
    let mut games = BTreeSet::from([CLUB_ACTIVITY]);
    for (game, mut room) in tx.game_infos()? {
        games.insert(game);
        let mut any = false;
        for former in &mut room.former_players {
            let erased =
                former.saved.as_ref().and_then(|aside| traces.erase_from_stored_value(&**aside));
            any |= erased.is_some();
            former.saved = erased.map(Box::new).or(former.saved.take());
        }
        if any {
            tx.replace_game_info(game, room);
        }
    }
    games.extend(tx.game_numbers()?);
    for game in games {
        for (seat, seated) in Seat::all(u8::MAX).zip(tx.seat_assignments(game)?) {
            let erased = traces.erase_from_stored_value(&seated);
            tx.batch_mut().seats.extend(erased.map(|erased| (game, seat, erased)));
        }
        let clock = tx.clock(game)?.and_then(|clock| traces.erase_from_stored_value(&clock));
        tx.batch_mut().clocks.extend(clock.map(|clock| (game, clock)));
        for (place, entry) in tx.activity_log(game)?.iter().enumerate() {
            let erased = traces.erase_from_stored_value(entry);
            tx.batch_mut().reworded_activity.extend(erased.map(|erased| (game, place, erased)));
        }
    }
    Ok(())
}

/// Replaces a member's addresses in campaign tables with hashes. The campaign's file can still
/// match its entrants to these hashes.
fn erase_from_campaigns(tx: &mut Transaction<'_>, former: &DepartedMember) -> ClubResult<()> {
    let rooms = tx.game_infos()?.into_iter();
    let campaigns: BTreeSet<String> =
        rooms.filter_map(|(_, room)| Some(room.campaign?.name)).collect();
    for campaign in campaigns {
        for mut table in tx.campaign_games(&campaign)? {
            let mut any = false;
            for address in table.players.iter_mut().filter(|a| former.addresses.contains(a)) {
                *address = erased_address_hash(address);
                any = true;
            }
            tx.batch_mut().campaign_games.extend(any.then_some(table));
        }
    }
    Ok(())
}

/// Returns the hash that replaces an address of a member who has left.
pub(crate) fn erased_address_hash(address: &str) -> String {
    LetterHash::compute(address.as_bytes()).to_string()
}

/// Erases a member's data from queued letters to others, and deletes the queued letters to the
/// member.
fn erase_from_outbox(
    tx: &mut Transaction<'_>,
    former: &DepartedMember,
    traces: &PersonalDataEraser<'_>,
) -> ClubResult<()> {
    let own = queued_letter_keys(tx, former)?;
    for letter in tx.outbox().list_sendable(DateTime::<Utc>::MAX_UTC)? {
        if own.contains(&letter.key) {
            continue;
        }
        let Some(queued) = tx.outbox().queued_letter(letter.key)? else { continue };
        if let Some(owed) = traces.erase_from_stored_value(&queued.letter.payload) {
            tx.batch_mut()
                .replaced
                .push((letter.key, OutgoingLetter { payload: owed, ..queued.letter }));
        }
    }
    tx.batch_mut().sent.extend(own);
    Ok(())
}

/// Carries out a member's request to leave the club for good. Asks for confirmation first, unless
/// `sure` is set.
pub(crate) fn handle_leave_club_request(
    tx: &mut Transaction<'_>,
    member: &Member,
    sure: bool,
) -> Result<Messages, RequestError> {
    if !sure {
        return Ok(vec![Message::new("leave-club-sure")]);
    }
    erase_member(tx, member.id, Actor::Member(member.id))?;
    Ok(vec![Message::new("leave-club-done")])
}

/// Returns the person with this number, address or name about whom the club knows something: a
/// member, a member who has left and is not erased yet, or a non-member whom somebody has invited.
/// Such a non-member is found by address, and is returned as a member with the number 0.
pub(crate) fn find_person(tx: &Transaction<'_>, who: &str) -> ClubResult<Option<Member>> {
    if let Some(member) = reader::find_member_in_tx(tx, who)? {
        return Ok(Some(member));
    }
    if let Some(member) = find_unerased_member(tx, who)? {
        return Ok(Some(member));
    }
    let invitee = reader::nonmember_as_reader(tx.context, &canonical_address(who.trim()));
    let is_invited = tx.game_infos()?.iter().any(|(_, room)| room.has_any_invitation(&invitee));
    Ok(is_invited.then_some(invitee))
}

/// Removes the member with this number, address or name from the club and erases all their data at
/// once. Returns the former member, or `None` if there is none. A non-member whom somebody has
/// invited is erased by address, and is returned as a member with the number 0. The store's file
/// still contains the data until
/// [`compact_store_in_folder`](crate::process::compact_store_in_folder) runs.
///
/// # Errors
/// When the club cannot be read or written.
pub fn remove_and_erase_member(context: &Context, who: &str) -> Result<Option<Member>, ClubError> {
    let forgotten = commit::transact_and_notify(context, |tx| {
        let person = find_person(tx, who)?;
        match &person {
            Some(invitee) if invitee.id == 0 => erase_invitee(tx, invitee)?,
            Some(member) => erase_member(tx, member.id, Actor::Moderator)?,
            None => {}
        }
        ClubResult::Ok(person)
    })?;
    erase_departed_members(context, UnsentLetters::Drop)?;
    Ok(forgotten)
}

/// Erases the invitations of a non-member, also those that are still queued.
fn erase_invitee(tx: &mut Transaction<'_>, invitee: &Member) -> ClubResult<()> {
    remove_from_game_lists(tx, invitee)?;
    let former = DepartedMember { name: String::new(), addresses: invitee.addresses.clone() };
    let queued = queued_letter_keys(tx, &former)?;
    let batch = tx.batch_mut();
    batch.sent.extend(queued);
    (batch.rewrite_journal, batch.erases_data) = (true, true);
    Ok(())
}

/// Removes a member from all games and lists in a transaction, and removes name and addresses from
/// their row. The number stays, so that the games they played can still be shown. Other data is
/// erased at the end of a pass, after the others could read who has left.
fn erase_member(tx: &mut Transaction<'_>, id: u32, by: Actor) -> ClubResult<()> {
    let Some(before) = tx.member(id)?.filter(|member| !member.has_left()) else { return Ok(()) };
    remove_from_game_lists(tx, &before)?;
    let reason = proposals::localize_key_for_club(tx.context, "reason-left-club");
    for (game, seat) in tx.seats_not_left(id)? {
        match substitute::vacate_seat(tx, game, seat, by, &reason) {
            Ok(()) => {}
            // A finished game needs no substitute.
            Err(RequestError::Refused(_over)) => {
                substitute::drop_pending_replies(tx, game, seat, &before.name);
                tx.erase_seat_data_and_tokens(game, seat);
            }
            Err(RequestError::Internal(ClubError::Store(error))) => return Err(error.into()),
            // The moderator already knows of a broken game.
            Err(RequestError::Internal(_)) => {}
        }
    }
    let Some(member) = tx.member(id)? else { return Ok(()) };
    let name = Message::new("member-former").with("number", id);
    let Member {
        name: own_name,
        addresses,
        language,
        ascii,
        token_generation: generation,
        past_punctuality: past,
        ..
    } = member;
    tx.update_member(Member {
        id,
        name: tx.context.library.language(&tx.context.settings.language).localize(&name),
        language,
        ascii,
        token_generation: generation.saturating_add(1),
        past_punctuality: past,
        departed: Some(Box::new(DepartedMember { name: own_name, addresses })),
        ..Member::default()
    });
    tx.increment_count(LEFT_COUNTER.to_owned());
    tx.batch_mut().rewrite_journal = true;
    Ok(())
}

/// Removes a member or an invitee from all lists of games, and cancels the games that they
/// proposed.
fn remove_from_game_lists(tx: &mut Transaction<'_>, member: &Member) -> ClubResult<()> {
    for (game, before) in tx.game_infos()? {
        let mut room = before.clone();
        if let Some(proposal) = room.proposal.as_ref().filter(|p| p.founder() == member.id) {
            let proposal = proposal.clone();
            proposal_removal::remove_proposal_and_notify(
                tx,
                game,
                &proposal,
                member.id,
                "lobby-cancelled-for-you",
            )?;
            continue;
        }
        if let Some(proposal) = &mut room.proposal {
            proposal.players.retain(|joined| joined.member != member.id);
        }
        for former in room.former_players.iter_mut().filter(|f| f.member == member.id) {
            former.saved = None;
        }
        room.observers.retain(|observer| *observer != member.id);
        room.waiting_list.retain(|waiting| *waiting != member.id);
        room.seat_offers.retain(|offer| offer.member != member.id);
        room.invited_addresses.retain(|address| !member.addresses.contains(address));
        room.club_invitees.retain(|invitee| !member.addresses.contains(&invitee.address));
        if room != before {
            tx.replace_game_info(game, room);
        }
    }
    Ok(())
}
