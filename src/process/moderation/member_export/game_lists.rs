//! The lists of games in a member's document: proposals, observers, waiting lists, invitations, and
//! offers of seats.

use crate::club::{ActivityEvent, GameInfo, Member, PlayerWishes, ProposalPlayer, SeatWish};
use crate::process::context::ClubResult;
use crate::process::transaction::{CLUB_ACTIVITY, Transaction};
use crate::rules::Seat;
use crate::store::Repository;
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::BTreeSet;

/// A game on one of whose lists the member is.
#[derive(Default, Serialize)]
pub(super) struct GameListing {
    /// The game's number. 0 for the club itself.
    game: u32,
    list: &'static str,
    kind: Option<String>,
    at: Option<DateTime<Utc>>,
    until: Option<DateTime<Utc>>,
    seat: Option<Seat>,
    wished_seat: Option<String>,
    wished_side: Option<String>,
    /// The name under which the moderator has invited the person to the club.
    name: Option<String>,
}

impl GameListing {
    fn new(game: u32, list: &'static str) -> Self {
        Self { game, list, ..Self::default() }
    }
}

/// Returns the entries of a person in the lists of all games, and the games that they proposed.
pub(super) fn list_game_listings(
    tx: &Transaction<'_>,
    person: &Member,
) -> ClubResult<Vec<GameListing>> {
    let mut listings = Vec::new();
    let mut games: BTreeSet<u32> = tx.game_numbers()?.into_iter().collect();
    for (game, room) in tx.game_infos()? {
        games.insert(game);
        listings.extend(listings_in_game(game, &room, person));
    }
    for game in games {
        for entry in tx.activity_log(game)? {
            if let ActivityEvent::Proposed { by, kind } = entry.event
                && by == person.id
            {
                let (kind, at) = (Some(kind), Some(entry.at));
                listings.push(GameListing { kind, at, ..GameListing::new(game, "proposed") });
            }
        }
    }
    Ok(listings)
}

/// Returns when the moderator or the member voided all reply tokens of the member.
pub(super) fn list_token_rotations(
    tx: &Transaction<'_>,
    person: &Member,
) -> ClubResult<Vec<DateTime<Utc>>> {
    let own = |event: &ActivityEvent| match event {
        ActivityEvent::ReplyTokensVoided { member, reason: _ } => *member == person.id,
        _ => false,
    };
    let log = tx.activity_log(CLUB_ACTIVITY)?.into_iter();
    Ok(log.filter(|entry| own(&entry.event)).map(|entry| entry.at).collect())
}

fn listings_in_game(game: u32, room: &GameInfo, person: &Member) -> Vec<GameListing> {
    let mut listings = Vec::new();
    let mut list = |is_on: bool, name| listings.extend(is_on.then(|| GameListing::new(game, name)));
    list(room.observers.contains(&person.id), "observer");
    list(room.waiting_list.contains(&person.id), "waiting_list");
    list(room.has_invited(&person.addresses), "invited");
    if let Some(proposal) = &room.proposal {
        let own = proposal.players.iter().filter(|joined| joined.member == person.id);
        listings.extend(own.map(|ProposalPlayer { member: _, wishes }| {
            let PlayerWishes { seat, side } = wishes.clone();
            GameListing {
                kind: Some(proposal.kind.clone()),
                until: Some(proposal.until),
                wished_seat: seat.map(SeatWish::to_words),
                wished_side: side,
                ..GameListing::new(game, "joined_before_start")
            }
        }));
    }
    let offers = room.seat_offers.iter().filter(|offer| offer.member == person.id);
    listings.extend(offers.map(|offer| GameListing {
        seat: Some(offer.seat),
        until: Some(offer.until),
        ..GameListing::new(game, "seat_offer")
    }));
    let invitees = room.club_invitees.iter();
    let own = invitees.filter(|invitee| person.addresses.contains(&invitee.address));
    listings.extend(own.map(|invitee| GameListing {
        at: DateTime::from_timestamp(i64::from(invitee.day) * 86_400, 0),
        name: Some(invitee.name.clone()),
        ..GameListing::new(game, "invited_to_club")
    }));
    listings
}
