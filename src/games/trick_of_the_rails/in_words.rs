//! The position in words: all that the board and the view beside it show, for who sees neither.

use super::card::{Card, CardSet};
use super::company::Company;
use super::definition::Locomotive;
use super::draw::{is_built, is_mounted, is_played, is_reserved};
use super::edition::Edition;
use super::narrate::{self, city_name, engine, lane_card};
use super::railway::Track;
use super::refuse::{card_name, cards};
use super::state::{Event, LaneCard, Phase, State, Step};
use super::views::{ahead, is_out, round, to_play, values, worth};
use crate::rules::{Arg, Message, Row, Seat};

/// Returns the trick first, then the railways, the players and the lane.
pub fn in_words(state: &State, recent: &[Event]) -> Vec<Row> {
    let mut rows = vec![trick(state)];
    if state.phase != Phase::Over {
        rows.extend(state.table.iter().map(|&(seat, card)| played(state, recent, seat, card)));
    }
    rows.extend(Company::ALL.map(|company| railway(state, recent, company)));
    rows.extend(Seat::all(state.edition.seats).map(|seat| player(state, seat)));
    rows.extend(lane(state, recent));
    rows.extend(teams(&state.edition));
    rows.extend(out(state).map(Row::saying));
    rows
}

/// Which trick it is, what it is played for, and who is to do what.
fn trick(state: &State) -> Row {
    let Phase::Turn(seat, step) = state.phase else {
        return Row::saying(Message::new("tr-words-over"));
    };
    let prize = state.prize().map(|card| prize(&state.edition, card));
    let purpose = match (round(state), prize) {
        (Some("stock"), Some(prize)) => Message::new("tr-words-stock").with("prize", prize),
        (_, Some(prize)) => Message::new("tr-words-operating").with("prize", prize),
        (_, None) => Message::new("tr-words-laying"),
    };
    let is_bare = state.table.is_empty() && state.winner.is_none();
    let no_card = is_bare.then(|| Message::new("tr-words-no-card"));
    let name = Message::new("tr-words-trick").with("trick", state.trick + 1);
    let says = [purpose, awaited(&state.edition, seat, step)].into_iter().chain(no_card);
    Row::of(name.with("tricks", state.edition.slots.len()), says)
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
fn played(state: &State, recent: &[Event], seat: Seat, card: Card) -> Row {
    let edition = &state.edition;
    let said = Message::new("tr-words-played").with("value", edition.station_value(card));
    let new = is_played(recent, card).then(|| Message::new("tr-words-played-new"));
    let highest = if state.winner.is_some() { "tr-words-won" } else { "tr-words-highest" };
    let wins = (ahead(state) == Some(seat)).then(|| Message::new(highest));
    let says = [said.with("card", card_name(edition, card))].into_iter().chain(new).chain(wins);
    let row = Row::of(Message::new("tr-words-player").with("who", seat), says);
    row.marked(card.company().look().0, card_name(edition, card))
}

/// A railway: what is new on it, what a share is worth, its cards from left to right.
fn railway(state: &State, recent: &[Event], company: Company) -> Row {
    let (edition, railway) = (&state.edition, &state.railways[company]);
    let new = railway.locomotive.filter(|_| is_mounted(recent, company));
    let new = new.map(|locomotive| Arg::Text(locomotive.to_string()));
    let laid = railway.track.iter().filter(|&&track| is_built(recent, track));
    let new = new.into_iter().chain(laid.map(|&t| track(edition, t)));
    let worth = railway.locomotive.map(|locomotive| {
        let worth = railway.worth(edition);
        engine("tr-words-worth", edition, locomotive)
            .with("profit", worth.profit)
            .with("cost", worth.cost)
            .with("value", worth.value)
    });
    let all = railway.track.iter().map(|&t| track(edition, t));
    let mut says: Vec<Message> =
        Message::listing("tr-words-new", "cards", new).into_iter().collect();
    says.push(worth.unwrap_or_else(|| Message::new("tr-words-no-engine")));
    says.push(Message::new("tr-words-railway").with_list("cards", all));
    says.push(Message::new("tr-words-held").with("count", state.held(company)));
    company_row(edition, company, says)
}

fn company_row(edition: &Edition, company: Company, says: Vec<Message>) -> Row {
    let row = Row::of(narrate::company(edition, company), says);
    row.marked(company.look().0, edition.name(company))
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

/// Returns a row about a player's shares, and how many cards the player has in hand.
fn player(state: &State, seat: Seat) -> Row {
    let shares = state.shares(seat);
    let held = Company::ALL.into_iter().filter(|&company| shares.of(company) > 0);
    let held = held.map(|company| {
        let counted = Message::new("tr-words-counted").with("count", shares.of(company));
        counted.with("company", state.edition.name(company))
    });
    let held = Message::listing("tr-words-shares", "shares", held)
        .unwrap_or_else(|| Message::new("tr-words-no-shares"))
        .with("total", shares.total())
        .with("worth", worth(state, seat, &values(state)));
    let hand = Message::new("tr-words-in-hand").with("count", state.hand(seat).len());
    Row::of(Message::new("tr-words-player").with("who", seat), [held, hand])
}

/// What the tricks are for from this one on.
fn lane(state: &State, recent: &[Event]) -> Option<Row> {
    if state.phase == Phase::Over || state.lane.is_empty() {
        return None;
    }
    let places = state.lane.iter().enumerate().filter_map(|(at, card)| {
        let key = if is_reserved(recent, at) {
            "tr-words-place-new"
        } else if at == state.trick {
            "tr-words-place-now"
        } else {
            "tr-words-place"
        };
        let place = Message::new(key).with("place", at + 1);
        Some(place.with("card", prize(&state.edition, (*card)?)))
    });
    let places = Message::listing("tr-words-places", "places", places);
    let past = Message::new("tr-words-past").with("last", state.trick);
    let past = (state.trick > 0).then_some(past);
    let says = places.into_iter().chain(past).chain([Message::new("tr-words-rounds")]);
    Some(Row::of(Message::new("tr-words-lane"), says))
}

/// Who plays with whom.
fn teams(edition: &Edition) -> Option<Row> {
    edition.options.teams.then(|| {
        let names = ["one", "two", "three", "four"].into_iter().zip(Seat::all(4));
        let teams = Message::new("tr-words-teams");
        Row::saying(names.fold(teams, |teams, (name, seat)| teams.with(name, seat)))
    })
}

/// What has left the game, or never was in it.
fn out(state: &State) -> Option<Message> {
    let edition = &state.edition;
    let Arg::List(removed) = cards(edition, state.removed) else { return None };
    let cities = edition.city_numbers().filter(|&city| is_out(state, city));
    let cities = cities.map(|city| Arg::Text(city_name(edition, city)));
    Message::listing("tr-words-out", "cards", removed.into_iter().chain(cities))
}

/// The hand by company, and what of it may be played now.
pub fn private_in_words(state: &State, seat: Seat) -> Vec<Row> {
    let (hand, playable) = (state.hand(seat), to_play(state, seat));
    let is_any = !playable.is_empty() && playable == hand;
    let count = Message::new("tr-words-hand").with("count", hand.len());
    let any = is_any.then(|| Message::new("tr-words-any"));
    let head = Row::unnamed(std::iter::once(count).chain(any));
    let suit = |company| {
        let may_play = playable.of(company) == hand.of(company) && !is_any;
        suit(&state.edition, company, hand.of(company), may_play)
    };
    std::iter::once(head).chain(hand.companies().map(suit)).collect()
}

/// The cards of one company. That they may be played is said where others may not.
fn suit(edition: &Edition, company: Company, cards: CardSet, may_play: bool) -> Row {
    let cards = cards.iter().map(|card| track(edition, Track::Card(card)));
    let cards = Message::new("tr-words-suit").with_list("cards", cards);
    let playable = may_play.then(|| Message::new("tr-words-playable"));
    company_row(edition, company, [cards].into_iter().chain(playable).collect())
}
