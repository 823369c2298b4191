//! What happened and what can be done, said to one viewer.

use super::card::Card;
use super::company::Company;
use super::decide::{playable, without_locomotive};
use super::definition::Locomotive;
use super::edition::Edition;
use super::railway::End;
use super::refuse::{card_name, cards, without};
use super::state::{Event, LaneCard, State, Step};
use crate::rules::{Arg, Message, Seat, Viewer};

/// What one record's events mean to this viewer. What belongs together is one sentence.
pub fn narrate(state: &State, events: &[Event], viewer: Viewer) -> Vec<Message> {
    let edition = &state.edition;
    let mut said = Vec::new();
    for run in events.chunk_by(belong_together) {
        match *run {
            [Event::Dealt { cards: dealt, .. }, ..] => {
                said.push(Message::new("tr-dealt").with("count", dealt.len()));
                let own = |event: &Event| match *event {
                    Event::Dealt { seat, cards: own } if viewer == Viewer::Seat(seat) => Some(own),
                    _ => None,
                };
                let hand = run.iter().find_map(own).map(|own| cards(edition, own));
                said.extend(hand.map(|hand| Message::new("tr-your-hand").with("cards", hand)));
            }
            [Event::Won { .. }, ref taken @ Event::Taken { .. }] => {
                said.extend(tell(edition, taken));
            }
            [Event::Kept { .. }, ..] => {
                let kept = run.iter().filter_map(|event| tell(edition, event)).map(Arg::from);
                said.push(Message::new("tr-kept").with("cards", Arg::List(kept.collect())));
            }
            // Who won a trick leads the next; only the first leader is news.
            [Event::Leads { .. }] => {}
            _ => said.extend(run.iter().filter_map(|event| tell(edition, event))),
        }
    }
    said
}

fn belong_together(one: &Event, next: &Event) -> bool {
    matches!(
        (one, next),
        (Event::Dealt { .. }, Event::Dealt { .. })
            | (Event::Leftover { .. }, Event::Leads { .. })
            | (Event::Won { .. }, Event::Taken { .. })
            | (Event::Kept { .. }, Event::Kept { .. })
    )
}

fn tell(edition: &Edition, event: &Event) -> Option<Message> {
    let name = |company: Company| edition.name(company);
    let card = |key, card: Card| Message::new(key).with("card", card_name(edition, card));
    Some(match *event {
        Event::Lane { ref cards } => {
            let cards = cards.iter().map(|&card| lane_card(edition, card)).collect();
            Message::new("tr-lane").with("cards", Arg::List(cards))
        }
        Event::Leftover { ref cards } => {
            let cards = cards.iter().map(|&card| Arg::Text(card_name(edition, card))).collect();
            Message::new("tr-leftover").with("cards", Arg::List(cards))
        }
        Event::Leads { seat } => Message::new("tr-leads").with("who", seat),
        Event::Played { seat, card: played } => card("tr-played", played).with("who", seat),
        Event::Won { seat } => Message::new("tr-won").with("who", seat),
        Event::Taken { seat, share } => {
            Message::new("tr-taken").with("who", seat).with("share", lane_card(edition, share))
        }
        Event::Reserved { card: reserved, place } => {
            card("tr-reserved", reserved).with("place", place)
        }
        Event::Removed { card: removed } => card("tr-removed", removed),
        Event::Kept { seat, card: kept } => card("tr-kept-by", kept).with("who", seat),
        Event::Built { seat, city, company, end } => Message::new("tr-built")
            .with("who", seat)
            .with("city", city_name(edition, city))
            .with("company", name(company))
            .with("end", Arg::Term(end_term(end))),
        Event::Mounted { seat, locomotive, company } => {
            let mounted = Message::new(if seat.is_some() { "tr-mounted" } else { "tr-follows" })
                .with("locomotive", locomotive.to_string())
                .with("company", name(company));
            match seat {
                Some(seat) => mounted.with("who", seat),
                None => mounted,
            }
        }
        Event::Laid { seat, card: laid, end } => card("tr-laid", laid)
            .with("who", seat)
            .with("company", name(laid.company()))
            .with("end", Arg::Term(end_term(end))),
        Event::Ended => Message::new("tr-ended"),
        // The letter itself says whose turn it is; the deal is told above.
        Event::Turn { .. } | Event::Dealt { .. } => return None,
    })
}

/// The key of the word for an end.
pub const fn end_term(end: End) -> &'static str {
    match end {
        End::Left => "tr-left",
        End::Right => "tr-right",
    }
}

/// A card of the lane as players are told of it.
pub fn lane_card(edition: &Edition, card: LaneCard) -> Arg {
    match card {
        LaneCard::Exchange(company) => {
            Message::new("tr-exchange").with("company", edition.name(company)).into()
        }
        LaneCard::Railway(card) => Arg::Text(card_name(edition, card)),
        LaneCard::Reservation => Arg::Term("tr-reservation"),
        LaneCard::City(city) => Arg::Text(city_name(edition, city)),
        LaneCard::Locomotive(locomotive) => Arg::Text(locomotive.to_string()),
    }
}

/// A City with what it is worth.
pub fn city_name(edition: &Edition, city: u8) -> String {
    edition.city(city).map_or_else(String::new, |city| format!("{} ({})", city.name, city.value))
}

/// What is legal now, said to the seat's player.
pub fn choices(state: &State, seat: Seat) -> Vec<Message> {
    let edition = &state.edition;
    let Some(step) = state.step(seat) else { return Vec::new() };
    vec![match step {
        Step::Play => {
            let hand = state.hand(seat);
            let held = state.led().filter(|&led| !hand.of(led).is_empty());
            let choice = match (state.led(), held) {
                (None, _) => Message::new("tr-choice-lead"),
                (Some(led), Some(_)) => {
                    Message::new("tr-choice-follow").with("led", edition.name(led))
                }
                (Some(led), None) => Message::new("tr-choice-any").with("led", edition.name(led)),
            };
            choice.with("cards", cards(edition, playable(state, seat)))
        }
        Step::City(city) => Message::new("tr-choice-city").with("city", city_name(edition, city)),
        Step::Locomotive(locomotive) => {
            let first = without_locomotive(state).next().map(Company::id);
            engine("tr-choice-locomotive", edition, locomotive)
                .with("companies", without(state))
                .with("first", first.unwrap_or_default())
        }
        Step::End(card) => Message::new("tr-choice-end")
            .with("card", card_name(edition, card))
            .with("value", edition.station_value(card))
            .with("company", edition.name(card.company())),
    }]
}

/// A sentence about what a locomotive does; a distance of 0 is none.
pub fn engine(key: &'static str, edition: &Edition, locomotive: Locomotive) -> Message {
    let engine = edition.engine(locomotive);
    Message::new(key)
        .with("locomotive", locomotive.to_string())
        .with("distance", engine.distance.map_or(0, std::num::NonZeroU8::get))
        .with("cost", engine.cost)
}
