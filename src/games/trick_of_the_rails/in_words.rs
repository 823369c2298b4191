//! Describes the position in words, complete enough to play without the board and the public view.

use super::card::{Card, CardSet};
use super::company::Company;
use super::definition::Locomotive;
use super::draw::{was_just_added, was_just_mounted, was_just_played, was_just_reserved};
use super::edition::Edition;
use super::narrate::{self, city_name, describe_engine, describe_lane_card};
use super::railway::Track;
use super::refuse::{card_list, card_name};
use super::state::{Event, LaneCard, Phase, State, Step};
use super::views::{
    cards_to_play, is_city_out_of_game, round_name, share_values, total_share_worth, winning_seat,
};
use crate::rules::{Arg, Message, PositionRow, Seat};

/// Describes the public position: the trick first, then the railways, the players and the lane.
pub fn describe_position(state: &State, recent: &[Event]) -> Vec<PositionRow> {
    let mut rows = vec![describe_trick(state)];
    if state.phase != Phase::Over {
        rows.extend(
            state
                .trick_cards
                .iter()
                .map(|&(seat, card)| describe_played_card(state, recent, seat, card)),
        );
    }
    let key = PositionRow::from_sentences([]).beside_picture([Message::new("tr-brief-key")]);
    rows.push(key);
    rows.extend(Company::ALL.map(|company| describe_railway(state, recent, company)));
    rows.extend(Seat::all(state.edition.seats).map(|seat| describe_player(state, seat)));
    rows.extend(describe_lane(state, recent));
    rows.extend(describe_teams(&state.edition));
    let removed = describe_removed_cards(state);
    rows.extend(removed.map(|said| PositionRow::from_sentence(said).also_beside_picture()));
    rows
}

/// Describes the current trick: its number, the card that it is played for, and the step that is
/// due.
fn describe_trick(state: &State) -> PositionRow {
    let Phase::Turn(seat, step) = state.phase else {
        return PositionRow::from_sentence(Message::new("tr-words-over"));
    };
    let prize = state.current_prize().map(|card| describe_prize(&state.edition, card));
    let purpose = match (round_name(state), prize) {
        (Some("stock"), Some(prize)) => Message::new("tr-words-stock").with("prize", prize),
        (_, Some(prize)) => Message::new("tr-words-operating").with("prize", prize),
        (_, None) => Message::new("tr-words-laying"),
    };
    let is_bare = state.trick_cards.is_empty() && state.winner.is_none();
    let no_card = is_bare.then(|| Message::new("tr-words-no-card"));
    let name = Message::new("tr-words-trick").with("trick", state.trick + 1);
    let awaited = describe_awaited_step(&state.edition, seat, step);
    let brief: Vec<Message> = std::iter::once(purpose.clone())
        .chain((step != Step::Play).then(|| awaited.clone()))
        .collect();
    let says = [purpose, awaited].into_iter().chain(no_card);
    PositionRow::named(name.with("tricks", state.edition.slots.len()), says).beside_picture(brief)
}

fn describe_awaited_step(edition: &Edition, seat: Seat, step: Step) -> Message {
    let said = match step {
        Step::Play => Message::new("tr-words-to-play"),
        Step::City(city) => {
            Message::new("tr-words-to-build").with("city", city_name(edition, city))
        }
        Step::Locomotive(locomotive) => describe_engine("tr-words-to-mount", edition, locomotive),
        Step::End(card) => {
            let company = edition.company_name(card.company());
            let said = Message::new("tr-words-to-lay").with("company", company);
            said.with("card", card_name(edition, card))
        }
    };
    said.with("who", seat)
}

/// Describes a card of the lane. A locomotive has its distance and cost.
fn describe_prize(edition: &Edition, card: LaneCard) -> Arg {
    let does = |locomotive| describe_engine("tr-words-engine", edition, locomotive);
    match card {
        LaneCard::Locomotive(Locomotive::Six) => Message::new("tr-words-engines")
            .with("one", does(Locomotive::Six))
            .with("other", does(Locomotive::Infinite))
            .into(),
        LaneCard::Locomotive(locomotive) => does(locomotive).into(),
        other => describe_lane_card(edition, other),
    }
}

/// Describes a card of the trick, and says whether it is the highest so far.
fn describe_played_card(state: &State, recent: &[Event], seat: Seat, card: Card) -> PositionRow {
    let edition = &state.edition;
    let said = Message::new("tr-words-played").with("value", edition.station_value(card));
    let new = was_just_played(recent, card).then(|| Message::new("tr-words-played-new"));
    let highest = if state.winner.is_some() { "tr-words-won" } else { "tr-words-highest" };
    let wins = (winning_seat(state) == Some(seat)).then(|| Message::new(highest));
    let says = [said.with("card", card_name(edition, card))].into_iter().chain(new);
    let says = says.chain(wins.clone());
    let row = PositionRow::named(Message::new("tr-words-player").with("who", seat), says);
    let ink = card.company().ink_and_pattern().0;
    row.beside_picture(wins).with_label(ink, card_name(edition, card))
}

/// Describes a railway: its new cards, the value of a share, and its cards from left to right.
fn describe_railway(state: &State, recent: &[Event], company: Company) -> PositionRow {
    let (edition, railway) = (&state.edition, &state.railways[company]);
    let new = railway.locomotive.filter(|_| was_just_mounted(recent, company));
    let new = new.map(|locomotive| Arg::Text(locomotive.to_string()));
    let laid = railway.track.iter().filter(|&&track| was_just_added(recent, track));
    let new = new.into_iter().chain(laid.map(|&t| describe_track(edition, t)));
    let worth = railway.compute_profit_and_value(edition);
    let profit = railway.locomotive.map(|locomotive| {
        describe_engine("tr-words-worth", edition, locomotive)
            .with("profit", worth.profit)
            .with("cost", worth.cost)
            .with("value", worth.value)
    });
    let held = |key| Message::new(key).with("count", state.shares_held(company));
    let brief = held("tr-brief-company").with("value", worth.value);
    let all = railway.track.iter().map(|&t| describe_track(edition, t));
    let mut says: Vec<Message> =
        Message::from_list("tr-words-new", "cards", new).into_iter().collect();
    says.push(profit.unwrap_or_else(|| Message::new("tr-words-no-engine")));
    says.push(Message::new("tr-words-railway").with_list("cards", all));
    says.push(held("tr-words-held"));
    company_row(edition, company, says).beside_picture([brief])
}

fn company_row(edition: &Edition, company: Company, says: Vec<Message>) -> PositionRow {
    let row = PositionRow::named(narrate::describe_company(edition, company), says);
    row.with_label(company.ink_and_pattern().0, edition.company_name(company))
}

fn describe_track(edition: &Edition, track: Track) -> Arg {
    let value = edition.track_value(track);
    match track {
        Track::Station => Message::new("tr-words-station").with("value", value).into(),
        Track::City(city) => Arg::Text(city_name(edition, city)),
        Track::Card(card) => Arg::Text(format!("{} ({value})", card.number())),
    }
}

/// Describes a player's shares, and the number of cards in hand.
fn describe_player(state: &State, seat: Seat) -> PositionRow {
    let shares = state.shares_of(seat);
    let held = Company::ALL.into_iter().filter(|&company| shares.of_company(company) > 0);
    let held = held.map(|company| {
        let counted = Message::new("tr-words-counted").with("count", shares.of_company(company));
        counted.with("company", state.edition.company_name(company))
    });
    let worth = total_share_worth(state, seat, &share_values(state));
    let brief = Message::from_list("tr-brief-player", "shares", held.clone());
    let brief = brief.map(|brief| brief.with("worth", worth));
    let held = Message::from_list("tr-words-shares", "shares", held)
        .unwrap_or_else(|| Message::new("tr-words-no-shares"))
        .with("total", shares.total())
        .with("worth", worth);
    let hand = Message::new("tr-words-in-hand").with("count", state.hand_of(seat).len());
    PositionRow::named(Message::new("tr-words-player").with("who", seat), [held, hand])
        .beside_picture(brief)
}

/// Describes what this trick and the later ones are played for.
fn describe_lane(state: &State, recent: &[Event]) -> Option<PositionRow> {
    if state.phase == Phase::Over || state.lane.is_empty() {
        return None;
    }
    let places = state.lane.iter().enumerate().filter_map(|(at, card)| {
        let key = if was_just_reserved(recent, at) {
            "tr-words-place-new"
        } else if at == state.trick {
            "tr-words-place-now"
        } else {
            "tr-words-place"
        };
        let place = Message::new(key).with("place", at + 1);
        Some(place.with("card", describe_prize(&state.edition, (*card)?)))
    });
    let places = Message::from_list("tr-words-places", "places", places);
    let past = Message::new("tr-words-past").with("last", state.trick);
    let past = (state.trick > 0).then_some(past);
    let says = places.into_iter().chain(past).chain([Message::new("tr-words-rounds")]);
    Some(PositionRow::named(Message::new("tr-words-lane"), says))
}

fn describe_teams(edition: &Edition) -> Option<PositionRow> {
    edition.options.teams.then(|| {
        let names = ["one", "two", "three", "four"].into_iter().zip(Seat::all(4));
        let teams = Message::new("tr-words-teams");
        let said = names.fold(teams, |teams, (name, seat)| teams.with(name, seat));
        PositionRow::from_sentence(said).also_beside_picture()
    })
}

fn describe_removed_cards(state: &State) -> Option<Message> {
    let edition = &state.edition;
    let Arg::List(removed) = card_list(edition, state.removed) else { return None };
    let cities = edition.city_indices().filter(|&city| is_city_out_of_game(state, city));
    let cities = cities.map(|city| Arg::Text(city_name(edition, city)));
    Message::from_list("tr-words-out", "cards", removed.into_iter().chain(cities))
}

/// Describes the hand of a seat by company, and which cards may be played now, for its player only.
pub fn describe_private_position(state: &State, seat: Seat) -> Vec<PositionRow> {
    let (hand, playable) = (state.hand_of(seat), cards_to_play(state, seat));
    let is_any = !playable.is_empty() && playable == hand;
    let count = Message::new("tr-words-hand").with("count", hand.len());
    let any = is_any.then(|| Message::new("tr-words-any"));
    let head = PositionRow::from_sentences(std::iter::once(count).chain(any));
    let suit = |company| {
        let may_play = playable.of_company(company) == hand.of_company(company) && !is_any;
        describe_suit(&state.edition, company, hand.of_company(company), may_play)
    };
    std::iter::once(head).chain(hand.companies().map(suit)).collect()
}

/// Describes the cards of one company. If other cards may not be played, it says that these may.
fn describe_suit(
    edition: &Edition,
    company: Company,
    cards: CardSet,
    may_play: bool,
) -> PositionRow {
    let cards = cards.iter().map(|card| describe_track(edition, Track::Card(card)));
    let cards = Message::new("tr-words-suit").with_list("cards", cards);
    let playable = may_play.then(|| Message::new("tr-words-playable"));
    company_row(edition, company, [cards].into_iter().chain(playable).collect())
}
