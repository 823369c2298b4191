//! Why an order is not carried out, and what is legal instead.

use super::card::{Card, CardSet};
use super::company::Company;
use super::decide::{playable, without_locomotive};
use super::definition::Locomotive;
use super::edition::Edition;
use super::narrate;
use super::state::State;
use crate::rules::{Arg, Message, Refusal, Seat};

/// The seat is to do something else now.
pub fn not_now(state: &State, seat: Seat) -> Refusal {
    let refusal = Refusal::illegal(Message::new("tr-not-now"));
    narrate::choices(state, seat).into_iter().fold(refusal, Refusal::or)
}

/// Why the seat cannot play this card. The hand is shown with what may be played of it.
pub fn card(state: &State, seat: Seat, card: Card) -> Refusal {
    let edition = &state.edition;
    let reason = match state.led() {
        Some(led) if state.hand(seat).contains(card) => {
            Message::new("tr-must-follow").with("led", edition.name(led))
        }
        _ => Message::new("tr-not-held"),
    };
    Refusal::illegal(reason.with("card", card_name(edition, card)))
        .or(hand(state, seat))
        .or(Message::new("tr-may-play").with("cards", cards(edition, playable(state, seat))))
}

/// Returns the seat's hand, as its player is told of it.
pub fn hand(state: &State, seat: Seat) -> Message {
    Message::new("tr-hand").with("cards", cards(&state.edition, state.hand(seat)))
}

/// The company has a locomotive already.
pub fn locomotive(state: &State, locomotive: Locomotive, company: Company) -> Refusal {
    let reason = Message::new("tr-has-locomotive").with("company", state.edition.name(company));
    let there = state.railways[company].locomotive.map_or_else(String::new, |l| l.to_string());
    let names = without_locomotive(state).map(|company| state.edition.name(company));
    let instead = Message::new("tr-without").with("locomotive", locomotive.to_string());
    Refusal::illegal(reason.with("there", there)).or(instead.with_list("companies", names))
}

/// A card as players are told of it.
pub fn card_name(edition: &Edition, card: Card) -> String {
    format!("{} {}", edition.name(card.company()), card.number())
}

/// Some cards, by company.
pub fn cards(edition: &Edition, cards: CardSet) -> Arg {
    let text = |company: Company| {
        let numbers = cards.of(company).iter().map(|card| format!(" {}", card.number()));
        edition.name(company).to_owned() + &numbers.collect::<String>()
    };
    cards.companies().map(text).collect()
}
