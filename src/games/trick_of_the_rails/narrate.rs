//! Turns events into sentences for one viewer, and describes the legal choices of a seat.

use super::card::Card;
use super::company::Company;
use super::decide::{companies_without_locomotive, playable_cards};
use super::definition::Locomotive;
use super::edition::Edition;
use super::railway::End;
use super::refuse::{card_list, card_name};
use super::state::{Event, LaneCard, State, Step};
use crate::rules::{Arg, Message, Seat, Viewer};

/// Narrates a run of events that belong together in as few sentences as possible. Each player
/// learns only their own hand from the deal.
pub fn narrate_group(state: &State, run: &[Event], viewer: Viewer) -> Vec<Message> {
    let edition = &state.edition;
    let own = |event: &Event| match *event {
        Event::Dealt { seat, cards: own } if viewer == Viewer::Seat(seat) => Some(own),
        _ => None,
    };
    let told = run.iter().filter_map(|event| narrate_event(edition, event));
    match *run {
        [Event::Dealt { cards: dealt, .. }, ..] => {
            let hand = run.iter().find_map(own).map(|own| card_list(edition, own));
            let hand = hand.map(|hand| Message::new("tr-your-hand").with("cards", hand));
            let all = Message::new("tr-dealt").with("count", dealt.len());
            std::iter::once(all).chain(hand).collect()
        }
        [Event::Won { .. }, Event::Taken { .. }] => told.skip(1).collect(),
        [Event::Kept { .. }, ..] => vec![Message::new("tr-kept").with_list("cards", told)],
        // Everyone knows that the winner of a trick leads the next one, so only the first leader is
        // news.
        [Event::Leads { .. }] => Vec::new(),
        _ => told.collect(),
    }
}

/// Whether both events belong to the deal or to the end of one trick, so that they are narrated
/// together.
pub fn are_narrated_together(one: &Event, next: &Event) -> bool {
    matches!(
        (one, next),
        (Event::Dealt { .. }, Event::Dealt { .. })
            | (Event::Leftover { .. }, Event::Leads { .. })
            | (Event::Won { .. }, Event::Taken { .. })
            | (Event::Kept { .. }, Event::Kept { .. })
    )
}

fn narrate_event(edition: &Edition, event: &Event) -> Option<Message> {
    let name = |company: Company| edition.company_name(company);
    let card = |key, card: Card| Message::new(key).with("card", card_name(edition, card));
    Some(match *event {
        Event::Lane { ref cards } => Message::new("tr-lane")
            .with_list("cards", cards.iter().map(|&card| describe_lane_card(edition, card))),
        Event::Leftover { ref cards } => Message::new("tr-leftover")
            .with_list("cards", cards.iter().map(|&card| card_name(edition, card))),
        Event::Leads { seat } => Message::new("tr-leads").with("who", seat),
        Event::Played { seat, card: played } => card("tr-played", played).with("who", seat),
        Event::Won { seat } => Message::new("tr-won").with("who", seat),
        Event::Taken { seat, share } => Message::new("tr-taken")
            .with("who", seat)
            .with("share", describe_lane_card(edition, share)),
        Event::Reserved { card: reserved, place } => {
            card("tr-reserved", reserved).with("place", place)
        }
        Event::Removed { card: removed } => card("tr-removed", removed),
        Event::Kept { seat, card: kept } => card("tr-kept-by", kept).with("who", seat),
        Event::Built { seat, city, company, end } => Message::new("tr-built")
            .with("who", seat)
            .with("city", city_name(edition, city))
            .with("company", name(company))
            .with_term("end", end_term(end)),
        Event::Mounted { seat, locomotive, company } => {
            let mounted = match seat {
                Some(seat) => Message::new("tr-mounted").with("who", seat),
                None => Message::new("tr-follows"),
            };
            let mounted = mounted.with("locomotive", locomotive.to_string());
            mounted.with("company", name(company))
        }
        Event::Laid { seat, card: laid, end } => card("tr-laid", laid)
            .with("who", seat)
            .with("company", name(laid.company()))
            .with_term("end", end_term(end)),
        Event::Ended => Message::new("tr-ended"),
        // The letter says elsewhere whose turn it is, and `narrate_group` narrates the deal.
        Event::Turn { .. } | Event::Dealt { .. } => return None,
    })
}

pub const fn end_term(end: End) -> &'static str {
    match end {
        End::Left => "tr-left",
        End::Right => "tr-right",
    }
}

pub fn describe_lane_card(edition: &Edition, card: LaneCard) -> Arg {
    match card {
        LaneCard::Exchange(company) => {
            Message::new("tr-exchange").with("company", edition.company_name(company)).into()
        }
        LaneCard::Railway(card) => Arg::Text(card_name(edition, card)),
        LaneCard::Reservation => Arg::Term("tr-reservation"),
        LaneCard::City(city) => Arg::Text(city_name(edition, city)),
        LaneCard::Locomotive(locomotive) => Arg::Text(locomotive.to_string()),
    }
}

pub fn describe_company(edition: &Edition, company: Company) -> Message {
    let name = Message::new("tr-words-company").with("company", edition.company_name(company));
    name.with_term("colour", company.term())
}

pub fn city_name(edition: &Edition, city: u8) -> String {
    edition.city(city).map_or_else(String::new, |city| format!("{} ({})", city.name, city.value))
}

/// Describes the orders that are legal for the seat now. Empty if it is not the seat's turn.
pub fn describe_choices(state: &State, seat: Seat) -> Vec<Message> {
    let edition = &state.edition;
    let Some(step) = state.step_of(seat) else { return Vec::new() };
    vec![match step {
        Step::Play => {
            let choice = match state.led_company() {
                None => Message::new("tr-choice-lead"),
                Some(led) => {
                    let must_follow = !state.hand_of(seat).of_company(led).is_empty();
                    let key = if must_follow { "tr-choice-follow" } else { "tr-choice-any" };
                    Message::new(key).with("led", edition.company_name(led))
                }
            };
            choice.with("cards", card_list(edition, playable_cards(state, seat)))
        }
        Step::City(city) => Message::new("tr-choice-city").with("city", city_name(edition, city)),
        Step::Locomotive(locomotive) => {
            let without = || companies_without_locomotive(state).map(Company::id);
            describe_engine("tr-choice-locomotive", edition, locomotive)
                .with_list("companies", without())
                .with("first", without().next().unwrap_or_default())
        }
        Step::End(card) => Message::new("tr-choice-end")
            .with("card", card_name(edition, card))
            .with("value", edition.station_value(card))
            .with("company", edition.company_name(card.company())),
    }]
}

/// Makes a message about a locomotive. A distance of 0 means unlimited.
pub fn describe_engine(key: &'static str, edition: &Edition, locomotive: Locomotive) -> Message {
    let engine = edition.engine(locomotive);
    Message::new(key)
        .with("locomotive", locomotive.to_string())
        .with("distance", engine.distance.map_or(0, std::num::NonZeroU8::get))
        .with("cost", engine.cost)
}
