//! Refusals: the reason why an order is illegal, and legal alternatives.

use super::card::{Card, CardSet};
use super::company::Company;
use super::decide::{companies_without_locomotive, playable_cards};
use super::definition::Locomotive;
use super::edition::Edition;
use super::narrate;
use super::state::State;
use crate::rules::{Arg, Message, Refusal, Seat};

/// Refuses an order because the seat must do something else now.
pub fn wrong_step(state: &State, seat: Seat) -> Refusal {
    let refusal = Refusal::illegal(Message::new("tr-not-now"));
    narrate::describe_choices(state, seat).into_iter().fold(refusal, Refusal::with_alternative)
}

/// Refuses a card, and states which rule forbids it. The refusal shows the hand and the cards that
/// may be played.
pub fn illegal_card(state: &State, seat: Seat, card: Card) -> Refusal {
    let edition = &state.edition;
    let reason = match state.led_company() {
        Some(led) if state.hand_of(seat).contains(card) => {
            Message::new("tr-must-follow").with("led", edition.company_name(led))
        }
        _ => Message::new("tr-not-held"),
    };
    Refusal::illegal(reason.with("card", card_name(edition, card)))
        .with_alternative(describe_hand(state, seat))
        .with_alternative(
            Message::new("tr-may-play")
                .with("cards", card_list(edition, playable_cards(state, seat))),
        )
}

pub fn describe_hand(state: &State, seat: Seat) -> Message {
    Message::new("tr-hand").with("cards", card_list(&state.edition, state.hand_of(seat)))
}

/// Refuses to place a locomotive because the company already has one.
pub fn already_has_locomotive(state: &State, locomotive: Locomotive, company: Company) -> Refusal {
    let reason =
        Message::new("tr-has-locomotive").with("company", state.edition.company_name(company));
    let there = state.railways[company].locomotive.map_or_else(String::new, |l| l.to_string());
    let names =
        companies_without_locomotive(state).map(|company| state.edition.company_name(company));
    let instead = Message::new("tr-without").with("locomotive", locomotive.to_string());
    Refusal::illegal(reason.with("there", there))
        .with_alternative(instead.with_list("companies", names))
}

/// Returns a card's name for players, such as `B&O 4`.
pub fn card_name(edition: &Edition, card: Card) -> String {
    format!("{} {}", edition.company_name(card.company()), card.number())
}

/// Lists cards for players, with one text for each company: `PRR 3 7`.
pub fn card_list(edition: &Edition, cards: CardSet) -> Arg {
    let text = |company: Company| {
        let numbers = cards.of_company(company).iter().map(|card| format!(" {}", card.number()));
        edition.company_name(company).to_owned() + &numbers.collect::<String>()
    };
    cards.companies().map(text).collect()
}
