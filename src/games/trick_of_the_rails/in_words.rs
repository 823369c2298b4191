//! The position in words: all that the board and the view beside it show, for who sees neither.

use super::TrickOfTheRails;
use super::card::Card;
use super::company::Company;
use super::definition::Locomotive;
use super::draw::{is_built, is_mounted, is_reserved};
use super::edition::Edition;
use super::narrate::{city_name, engine, lane_card};
use super::railway::Track;
use super::refuse::{card_name, cards};
use super::scene;
use super::state::{Event, LaneCard, Phase, State, Step};
use super::views::{CompanyView, HeldView, PlayedView, PlayerView, PublicView, Round};
use crate::rules::{Arg, Message, Row, Seat, Views};

/// The trick first, for that is what changes; then the railways, the players, the lane.
pub fn in_words(state: &State, recent: &[Event]) -> Vec<Row> {
    let view = TrickOfTheRails::public(state);
    let mut rows = vec![trick(state, &view)];
    if state.phase != Phase::Over {
        let cards = state.table.iter().zip(&view.trick);
        rows.extend(cards.map(|(&(_, card), view)| played(state, recent, card, view)));
    }
    rows.extend(view.companies.iter().map(|company| railway(state, recent, company)));
    rows.extend(view.players.iter().map(|view| player(&state.edition, view)));
    rows.extend(lane(state, recent, &view));
    rows.extend(teams(&view));
    rows.extend(out(state, &view));
    rows
}

/// Which trick it is, what it is played for, and who is to do what.
fn trick(state: &State, view: &PublicView) -> Row {
    let Phase::Turn(seat, step) = state.phase else {
        return Row::saying(Message::new("tr-words-over"));
    };
    let prize = state.prize().map(|card| prize(&state.edition, card));
    let round = match (view.round, prize) {
        (Some(Round::Stock), Some(prize)) => Message::new("tr-words-stock").with("prize", prize),
        (_, Some(prize)) => Message::new("tr-words-operating").with("prize", prize),
        (_, None) => Message::new("tr-words-laying"),
    };
    let mut says = vec![round, awaited(&state.edition, seat, step)];
    if state.table.is_empty() && state.winner.is_none() {
        says.push(Message::new("tr-words-no-card"));
    }
    let name = Message::new("tr-words-trick").with("trick", view.trick_number);
    Row::of(name.with("tricks", view.tricks), says)
}

fn awaited(edition: &Edition, seat: Seat, step: Step) -> Message {
    let said = match step {
        Step::Play => Message::new("tr-words-to-play"),
        Step::City(city) => {
            Message::new("tr-words-to-build").with("city", city_name(edition, city))
        }
        Step::Locomotive(locomotive) => engine("tr-words-to-mount", edition, locomotive),
        Step::End(card) => {
            let company = edition.name(card.company());
            let said = Message::new("tr-words-to-lay").with("company", company);
            said.with("card", card_name(edition, card))
        }
    };
    said.with("who", seat)
}

/// A card of the lane, a locomotive with what it does.
fn prize(edition: &Edition, card: LaneCard) -> Arg {
    let does = |locomotive| engine("tr-words-engine", edition, locomotive);
    match card {
        LaneCard::Locomotive(Locomotive::Six) => Message::new("tr-words-engines")
            .with("one", does(Locomotive::Six))
            .with("other", does(Locomotive::Infinite))
            .into(),
        LaneCard::Locomotive(locomotive) => does(locomotive).into(),
        other => lane_card(edition, other),
    }
}

/// A card of the trick, and whether it is the highest.
fn played(state: &State, recent: &[Event], card: Card, view: &PlayedView) -> Row {
    let edition = &state.edition;
    let is_new = |event: &Event| matches!(event, Event::Played { card: new, .. } if *new == card);
    let said = Message::new("tr-words-played").with("value", view.value);
    let mut says = vec![said.with("card", card_name(edition, card))];
    if recent.iter().any(is_new) {
        says.push(Message::new("tr-words-played-new"));
    }
    if view.wins {
        let key = if state.winner.is_some() { "tr-words-won" } else { "tr-words-highest" };
        says.push(Message::new(key));
    }
    let row = Row::of(Message::new("tr-words-player").with("who", view.seat), says);
    row.marked(scene::ink(card.company()), card_name(edition, card))
}

/// A railway: what is new on it, what a share is worth, its cards from left to right.
fn railway(state: &State, recent: &[Event], view: &CompanyView) -> Row {
    let (edition, railway) = (&state.edition, &state.railways[view.company]);
    let new = railway.locomotive.filter(|_| is_mounted(recent, view.company));
    let new = new.map(|locomotive| Arg::Text(locomotive.to_string()));
    let laid = railway.track.iter().filter(|&&track| is_built(recent, track));
    let new: Vec<Arg> = new.into_iter().chain(laid.map(|&t| track(edition, t))).collect();
    let mut says = Vec::new();
    if !new.is_empty() {
        says.push(Message::new("tr-words-new").with("cards", Arg::List(new)));
    }
    says.push(match railway.locomotive {
        Some(locomotive) => engine("tr-words-worth", edition, locomotive)
            .with("profit", view.worth.profit)
            .with("cost", view.worth.cost)
            .with("value", view.worth.value),
        None => Message::new("tr-words-no-engine"),
    });
    let all = railway.track.iter().map(|&t| track(edition, t)).collect();
    says.push(Message::new("tr-words-railway").with("cards", Arg::List(all)));
    says.push(Message::new("tr-words-held").with("count", view.held));
    company_row(edition, view.company, says)
}

fn company_row(edition: &Edition, company: Company, says: Vec<Message>) -> Row {
    let name = Message::new("tr-words-company").with("company", edition.name(company));
    let row = Row::of(name.with("colour", Arg::Term(company.term())), says);
    row.marked(scene::ink(company), edition.name(company))
}

/// A card of a railway, with what it is worth there.
fn track(edition: &Edition, track: Track) -> Arg {
    let value = edition.value(track);
    match track {
        Track::Station => Message::new("tr-words-station").with("value", value).into(),
        Track::City(city) => Arg::Text(city_name(edition, city)),
        Track::Card(card) => Arg::Text(format!("{} ({value})", card.number())),
    }
}

/// What a player has in front of him, and how many cards in hand.
fn player(edition: &Edition, view: &PlayerView) -> Row {
    let shares = Company::ALL.into_iter().zip(&view.shares).filter(|&(_, &count)| count > 0);
    let counted = |(company, &count): (Company, &u32)| {
        let counted = Message::new("tr-words-counted").with("count", count);
        counted.with("company", edition.name(company)).into()
    };
    let shares: Vec<Arg> = shares.map(counted).collect();
    let shares = if shares.is_empty() {
        Message::new("tr-words-no-shares")
    } else {
        Message::new("tr-words-shares").with("shares", Arg::List(shares))
    };
    let shares = shares.with("total", view.total).with("worth", view.worth);
    let hand = Message::new("tr-words-in-hand").with("count", view.hand);
    Row::of(Message::new("tr-words-player").with("who", view.seat), [shares, hand])
}

/// What the tricks are for from this one on.
fn lane(state: &State, recent: &[Event], view: &PublicView) -> Option<Row> {
    let edition = &state.edition;
    if view.is_over || view.lane.is_empty() {
        return None;
    }
    let places = view.lane.iter().enumerate().filter_map(|(at, card)| {
        let key = if is_reserved(recent, at) {
            "tr-words-place-new"
        } else if at == state.trick {
            "tr-words-place-now"
        } else {
            "tr-words-place"
        };
        Some(Message::new(key).with("place", at + 1).with("card", prize(edition, (*card)?)))
    });
    let places: Vec<Message> = places.collect();
    let mut says = Vec::new();
    if !places.is_empty() {
        says.push(Message::new("tr-words-places").with("places", places));
    }
    if state.trick > 0 {
        says.push(Message::new("tr-words-past").with("last", state.trick));
    }
    says.push(Message::new("tr-words-rounds"));
    Some(Row::of(Message::new("tr-words-lane"), says))
}

/// Who plays with whom.
fn teams(view: &PublicView) -> Option<Row> {
    let [one, two, three, four] = view.players.as_slice() else { return None };
    let teams = Message::new("tr-words-teams")
        .with("one", one.seat)
        .with("two", two.seat)
        .with("three", three.seat)
        .with("four", four.seat);
    view.teams.then(|| Row::saying(teams))
}

/// What has left the game, or never was in it.
fn out(state: &State, view: &PublicView) -> Option<Row> {
    let Arg::List(mut out) = cards(&state.edition, state.removed) else { return None };
    let cities = view.cities_out.iter().map(|city| format!("{} ({})", city.name, city.value));
    out.extend(cities.map(Arg::Text));
    let said = |out| Row::saying(Message::new("tr-words-out").with("cards", Arg::List(out)));
    (!out.is_empty()).then(|| said(out))
}

/// The hand by company, and what of it may be played now.
pub fn private_in_words(state: &State, seat: Seat) -> Vec<Row> {
    let view = TrickOfTheRails::private(state, seat);
    let count = Message::new("tr-words-hand").with("count", view.count);
    let is_any = view.is_asked && view.hand.iter().all(is_playable);
    let any = is_any.then(|| Message::new("tr-words-any"));
    let says = std::iter::once(count).chain(any).collect();
    let head = Row { mark: None, name: None, says, is_aside: false };
    let held = view.hand.iter().map(|held| suit(&state.edition, held, is_any));
    std::iter::once(head).chain(held).collect()
}

fn is_playable(held: &HeldView) -> bool {
    held.cards.iter().all(|card| card.playable)
}

/// The cards of one company. That they may be played is said where others may not.
fn suit(edition: &Edition, held: &HeldView, is_any: bool) -> Row {
    let cards = held.cards.iter().map(|card| format!("{} ({})", card.number, card.value));
    let cards: Vec<String> = cards.collect();
    let mut says = vec![Message::new("tr-words-suit").with("cards", cards)];
    if is_playable(held) && !is_any {
        says.push(Message::new("tr-words-playable"));
    }
    company_row(edition, held.company, says)
}
