//! Members who leave the club: they are taken out of all games and lists, and their traces are
//! erased.
//!
//! A member who leaves is erased in two steps. The first step is in the commit that takes the
//! member out of all games: their row keeps the name only to know what is still to be erased. The
//! second step follows at the end of a pass, after the goodbye was posted, so that the others can
//! read who has left. Logs are not touched: no name stands in them, except in a moderator's reason.

use crate::club::{Actor, DepartedMember, Member, PersonalDataEraser};
use crate::mail::LetterHash;
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::lobby::proposals::{self, Messages};
use crate::process::lobby::substitute;
use crate::process::request_error::RequestError;
use crate::process::session::reader;
use crate::process::transaction::{CLUB_ACTIVITY, Transaction, retry_on_conflict, write_journal};
use crate::rules::{Message, Seat};
use crate::store::{OutgoingLetter, Repository};
use chrono::{DateTime, Utc};
use std::collections::BTreeSet;

/// Under what the store counts the members who left. No address is without an @.
pub(crate) const LEFT_COUNTER: &str = "leavers";
/// Under what it counts those of them whose traces are erased.
const ERASED_COUNTER: &str = "erased";

/// The fate of a letter that waits to be posted to a member who has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnsentLetters {
    /// It is posted first, as the member asked for it.
    PostFirst,
    /// It is dropped.
    Drop,
}

/// Whether there is a member who has left and whose traces are still to be erased.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn is_pending(context: &Context) -> ClubResult<bool> {
    let tx = Transaction::begin(context);
    Ok(tx.answer_times_since(LEFT_COUNTER, 0)?.len()
        > tx.answer_times_since(ERASED_COUNTER, 0)?.len())
}

/// The member with this number or address who has left and whose traces are still to be erased, as
/// the member was before.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn find_unerased_member(tx: &Transaction<'_>, who: &str) -> ClubResult<Option<Member>> {
    let is_meant = |member: &Member, former: &DepartedMember| {
        who.parse() == Ok(member.id) || former.addresses.contains(&who.trim().to_lowercase())
    };
    let before = |member: Member| {
        let former = member.departed.as_deref().filter(|former| is_meant(&member, former))?;
        let DepartedMember { name, addresses } = former.clone();
        Some(Member { name, addresses, ..member })
    };
    Ok(tx.members()?.into_iter().find_map(before))
}

/// Erases the traces of all members who have left, also in the journal.
///
/// # Errors
/// When the club cannot be read or written.
pub(crate) fn erase_traces(context: &Context, unposted: UnsentLetters) -> ClubResult<()> {
    if !is_pending(context)? {
        return Ok(());
    }
    for member in Transaction::begin(context).members()? {
        if member.departed.is_some() {
            retry_on_conflict(|| erase_member_traces(context, member.id, unposted))?;
        }
    }
    write_journal(context)
}

fn erase_member_traces(context: &Context, id: u32, unposted: UnsentLetters) -> ClubResult<()> {
    let mut tx = Transaction::begin(context);
    let Some(member) = tx.member(id)? else { return Ok(()) };
    let Some(former) = &member.departed else { return Ok(()) };
    if unposted == UnsentLetters::PostFirst && !queued_letter_keys(&tx, former)?.is_empty() {
        return Ok(());
    }
    // Whoever has joined again is a member under this name.
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

/// The keys of the letters that wait to be posted to a member who has left.
fn queued_letter_keys(tx: &Transaction<'_>, former: &DepartedMember) -> ClubResult<Vec<u64>> {
    let line = tx.outbox().list_sendable(DateTime::<Utc>::MAX_UTC)?.into_iter();
    let own = line.filter(|letter| former.addresses.contains(&letter.recipient));
    Ok(own.map(|letter| letter.key).collect())
}

/// Erases traces from what is kept of seats, of the people around games, of clocks, and of what was
/// said and done.
fn erase_from_games(tx: &mut Transaction<'_>, traces: &PersonalDataEraser<'_>) -> ClubResult<()> {
    let mut games = BTreeSet::from([CLUB_ACTIVITY]);
    for (game, mut room) in tx.rooms()? {
        games.insert(game);
        let mut any = false;
        for former in &mut room.former_players {
            let erased = former.saved.as_ref().and_then(|aside| traces.erase_from_record(&**aside));
            any |= erased.is_some();
            former.saved = erased.map(Box::new).or(former.saved.take());
        }
        if any {
            tx.replace_game_info(game, room);
        }
    }
    games.extend(tx.games()?);
    for game in games {
        for (seat, seated) in Seat::all(u8::MAX).zip(tx.seats(game)?) {
            let erased = traces.erase_from_record(&seated);
            tx.batch_mut().seats.extend(erased.map(|erased| (game, seat, erased)));
        }
        let clock = tx.clock(game)?.and_then(|clock| traces.erase_from_record(&clock));
        tx.batch_mut().clocks.extend(clock.map(|clock| (game, clock)));
        for (place, entry) in tx.activity_log(game)?.iter().enumerate() {
            let erased = traces.erase_from_record(entry);
            tx.batch_mut().reworded_activity.extend(erased.map(|erased| (game, place, erased)));
        }
    }
    Ok(())
}

/// Erases addresses from what is kept of the tables of campaigns. A hash stays, by which the
/// campaign's own file still finds whose results these are.
fn erase_from_campaigns(tx: &mut Transaction<'_>, former: &DepartedMember) -> ClubResult<()> {
    let rooms = tx.rooms()?.into_iter();
    let campaigns: BTreeSet<String> =
        rooms.filter_map(|(_, room)| Some(room.campaign?.name)).collect();
    for campaign in campaigns {
        for mut table in tx.campaign_games(&campaign)? {
            let mut any = false;
            for address in table.players.iter_mut().filter(|a| former.addresses.contains(a)) {
                *address = hash_address(address);
                any = true;
            }
            tx.batch_mut().campaign_games.extend(any.then_some(table));
        }
    }
    Ok(())
}

/// Returns the hash that is kept in the place of an address of a member who has left.
pub(crate) fn hash_address(address: &str) -> String {
    LetterHash::compute(address.as_bytes()).to_string()
}

/// Erases traces from letters that wait, and drops those to the member.
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
        if let Some(owed) = traces.erase_from_record(&queued.letter.payload) {
            tx.batch_mut()
                .replaced
                .push((letter.key, OutgoingLetter { payload: owed, ..queued.letter }));
        }
    }
    tx.batch_mut().sent.extend(own);
    Ok(())
}

/// A member's wish to leave the club for good.
pub(crate) fn leave_club(
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

/// Lets the member with this number or address leave the club by the moderator's hand, and erases
/// all traces at once. Returns who it was; none if there is no such member. The store's file still
/// holds them until [`rewrite_store`](crate::process::rewrite_store).
///
/// # Errors
/// When the club cannot be read or written.
pub fn forget_member(context: &Context, who: &str) -> Result<Option<Member>, ClubError> {
    let forgotten = commit::transact(context, |tx| {
        let Some(member) = reader::find_member_in_tx(tx, who)? else {
            return find_unerased_member(tx, who);
        };
        erase_member(tx, member.id, Actor::Moderator)?;
        Ok(Some(member))
    })?;
    erase_traces(context, UnsentLetters::Drop)?;
    Ok(forgotten)
}

/// Takes a member out of everything in a transaction, and erases name and addresses there. The
/// number stays, so that the games that the member played can still be told. All other traces are
/// erased at the end of a pass, once the others have read who has left.
fn erase_member(tx: &mut Transaction<'_>, id: u32, by: Actor) -> ClubResult<()> {
    let Some(before) = tx.member(id)?.filter(|member| !member.has_left()) else { return Ok(()) };
    remove_from_lists(tx, &before)?;
    let reason = proposals::say_in_club_language(tx.context, "reason-left-club");
    for (game, seat) in tx.current_seats(id)? {
        match substitute::open_seat(tx, game, seat, by, &reason) {
            Ok(()) => {}
            // A game that is over needs nobody.
            Err(RequestError::Refused(_over)) => {
                substitute::drop_pending_replies(tx, game, seat, &before.name);
                tx.clear_private_data(game, seat);
            }
            Err(RequestError::Internal(ClubError::Store(error))) => return Err(error.into()),
            // Of a broken one the moderator knows.
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

/// Takes a member off all lists around games.
fn remove_from_lists(tx: &mut Transaction<'_>, member: &Member) -> ClubResult<()> {
    for (game, before) in tx.rooms()? {
        let mut room = before.clone();
        if let Some(proposal) = room.proposal.as_ref().filter(|p| p.founder() == member.id) {
            let proposal = proposal.clone();
            proposals::drop_proposal(tx, game, &proposal, member.id, "lobby-cancelled-for-you")?;
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
        if room != before {
            tx.replace_game_info(game, room);
        }
    }
    Ok(())
}
