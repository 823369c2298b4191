//! Orders that letters suggest: the cards that may be played, as far as there is space, and every
//! place for a City, a locomotive or a played card.

use super::TrickOfTheRails;
use super::card::Card;
use super::company::Company;
use super::decide::{playable_cards, winning_card};
use super::narrate::{city_name, describe_engine, end_term};
use super::railway::End;
use super::refuse::card_name;
use super::state::{Order, State, Step};
use crate::rules::{Message, OrderText, Rules, Seat, Suggestion};

/// Returns the legal orders. If there are too many cards, those in the middle of a group are left
/// out.
pub fn suggest_lines(state: &State, seat: Seat) -> Vec<Suggestion> {
    let edition = &state.edition;
    let legal = || TrickOfTheRails::legal_orders(state, seat);
    let together = |group: Message| legal().into_iter().map(move |o| (group.clone(), o)).collect();
    let orders = match state.step_of(seat) {
        None => Vec::new(),
        Some(Step::Play) => suggest_cards(state, seat),
        Some(Step::City(city)) => suggest_city_ends(&city_name(edition, city), &legal()),
        Some(Step::Locomotive(locomotive)) => {
            together(describe_engine("tr-suggest-locomotive", edition, locomotive))
        }
        Some(Step::End(card)) => {
            let group = Message::new("tr-suggest-end").with("card", card_name(edition, card));
            together(group.with("company", edition.company_name(card.company())))
        }
    };
    let suggestion = |(group, order)| {
        let line = TrickOfTheRails::write_line(state, &[order]);
        Suggestion { group, line }
    };
    orders.into_iter().map(suggestion).collect()
}

/// Suggests the cards that may be played. If the seat can follow suit, cards above the best card so
/// far are one group and cards below it another. If not, each company is a group.
fn suggest_cards(state: &State, seat: Seat) -> Vec<(Message, Order)> {
    let edition = &state.edition;
    let cards = playable_cards(state, seat);
    let suit = |company: Company| cards.of_company(company).iter().collect::<Vec<Card>>();
    let mut groups: Vec<(Message, Vec<Card>)> =
        match (winning_card(&state.trick_cards), state.led_company()) {
            (Some((_, best)), Some(led)) if !cards.of_company(led).is_empty() => {
                let (above, below) = suit(led).into_iter().partition(|card| *card > best);
                let said = |key| Message::new(key).with("card", card_name(edition, best));
                vec![(said("tr-suggest-above"), above), (said("tr-suggest-below"), below)]
            }
            (_, led) => {
                let key = if led.is_some() { "tr-suggest-discard" } else { "tr-suggest-lead" };
                let said =
                    |company| Message::new(key).with("company", edition.company_name(company));
                Company::ALL.map(|company| (said(company), suit(company))).into()
            }
        };
    while drop_middle_of_largest_group(&mut groups) {}
    let play = |(group, cards): (Message, Vec<Card>)| {
        cards.into_iter().map(move |card| (group.clone(), Order::Play(card)))
    };
    groups.into_iter().flat_map(play).collect()
}

/// Removes the middle card of the largest group if there are more cards than a letter may suggest.
/// Returns whether it removed one.
fn drop_middle_of_largest_group(groups: &mut [(Message, Vec<Card>)]) -> bool {
    let all: usize = groups.iter().map(|(_, cards)| cards.len()).sum();
    let Some((_, largest)) = groups.iter_mut().max_by_key(|(_, cards)| cards.len()) else {
        return false;
    };
    let is_too_much = all > Suggestion::MAX || largest.len() > Suggestion::GROUP_MAX;
    if is_too_much {
        largest.remove(largest.len() / 2);
    }
    is_too_much
}

/// Suggests every railway for a City, first at the left end and then at the right end.
fn suggest_city_ends(city: &str, legal: &[Order]) -> Vec<(Message, Order)> {
    let at = |end: End| {
        let group = Message::new("tr-suggest-city").with("city", city);
        let group = group.with_term("end", end_term(end));
        let is_there =
            move |order: &&Order| matches!(order, Order::City { end: e, .. } if *e == end);
        legal.iter().filter(is_there).map(move |order| (group.clone(), *order))
    };
    End::ALL.into_iter().flat_map(at).collect()
}
