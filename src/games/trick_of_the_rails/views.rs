//! What everyone may see, what only one player may see, and the standings.

use super::card::{Card, CardSet};
use super::company::{ByCompany, Company};
use super::decide::{playable, winning};
use super::definition::{Locomotive, Slot};
use super::railway::Track;
use super::refuse::cards;
use super::state::{Event, LaneCard, Phase, State, Step};
use super::{TrickOfTheRails, draw, in_words, narrate, scene, suggest};
use crate::rules::{
    Charset, Message, PictureStyle, Row, Scene, Score, Seat, Standing, Suggestion, Viewer, Views,
    rank_by_points,
};
use serde_json::{Value, json};

impl Views for TrickOfTheRails {
    fn public(state: &State) -> Value {
        let edition = &state.edition;
        let (out, within): (Vec<u8>, Vec<u8>) =
            edition.city_numbers().partition(|&city| is_out(state, city));
        let named = |cities: Vec<u8>| -> Vec<_> {
            cities.into_iter().filter_map(|city| edition.city(city)).collect()
        };
        let values = values(state);
        let player = |seat| player(state, seat, &values);
        let dealt = u32::from(edition.hand) * u32::from(edition.seats);
        json!({
            "companies": Company::ALL.map(|company| company_view(state, company)),
            "players": Seat::all(edition.seats).map(player).collect::<Vec<_>>(),
            "trick": trick(state),
            "trick_number": state.trick + 1,
            "tricks": edition.slots.len(),
            "round": round(state),
            "lane": state.lane,
            "turn": state.active(),
            "is_over": state.phase == Phase::Over,
            "removed": held(state, state.removed, CardSet::EMPTY),
            "cities_out": named(out),
            "cities": named(within),
            "locomotives": Locomotive::ALL.map(|locomotive| json!({
                "locomotive": locomotive,
                "distance": edition.engine(locomotive).distance,
                "cost": edition.engine(locomotive).cost,
            })),
            "station": edition.station,
            "reservations": edition.slots.iter().filter(|&&s| s == Slot::Reservation).count(),
            "leftover": CardSet::ALL.len().saturating_sub(dealt),
            "expert_lane": edition.options.expert_lane,
            "teams": edition.options.teams,
        })
    }

    fn private(state: &State, seat: Seat) -> Value {
        let (hand, playable) = (state.hand(seat), to_play(state, seat));
        json!({
            "hand": held(state, hand, playable),
            "count": hand.len(),
            "is_asked": !playable.is_empty(),
        })
    }

    fn board(state: &State, recent: &[Event], charset: Charset) -> Vec<String> {
        draw::draw(state, recent, charset)
    }

    fn scene(state: &State, recent: &[Event], style: PictureStyle) -> Scene {
        scene::scene(state, recent, style)
    }

    fn in_words(state: &State, recent: &[Event]) -> Vec<Row> {
        in_words::in_words(state, recent)
    }

    fn private_in_words(state: &State, seat: Seat) -> Vec<Row> {
        in_words::private_in_words(state, seat)
    }

    fn suggestions(state: &State, seat: Seat) -> Vec<Suggestion> {
        suggest::suggestions(state, seat)
    }

    fn are_told_together(one: &Event, next: &Event) -> bool {
        narrate::are_told_together(one, next)
    }

    fn tell(state: &State, events: &[Event], viewer: Viewer) -> Vec<Message> {
        narrate::tell(state, events, viewer)
    }

    fn revealed(state: &State, seat: Seat) -> Vec<Message> {
        let (edition, hand) = (&state.edition, state.hand(seat));
        let dealt = state.dealt.get(seat.index()).copied().unwrap_or(CardSet::EMPTY);
        let said =
            |key, held| Message::new(key).with("who", seat).with("cards", cards(edition, held));
        let left = (!hand.is_empty()).then(|| said("tr-revealed-hand", hand));
        std::iter::once(said("tr-revealed", dealt)).chain(left).collect()
    }

    fn choices(state: &State, seat: Seat) -> Vec<Message> {
        narrate::choices(state, seat)
    }

    /// Counts the cards that have been played.
    fn played(state: &State) -> (usize, usize) {
        let seats = usize::from(state.edition.seats);
        (state.trick * seats + state.table.len(), state.lane.len() * seats)
    }
}

/// Whether a City card is not in this game (ruling 3).
pub fn is_out(state: &State, city: u8) -> bool {
    !state.lane.contains(&Some(LaneCard::City(city)))
        && !state.railways.iter().any(|(_, railway)| railway.track.contains(&Track::City(city)))
}

/// Returns the cards that the seat may play now; none if it is to do something else.
pub fn to_play(state: &State, seat: Seat) -> CardSet {
    match state.step(seat) {
        Some(Step::Play) => playable(state, seat),
        _ => CardSet::EMPTY,
    }
}

fn company_view(state: &State, company: Company) -> Value {
    let edition = &state.edition;
    let railway = &state.railways[company];
    let track = |&track: &Track| {
        let value = edition.value(track);
        match track {
            Track::Station => json!({ "station": value }),
            Track::Card(card) => json!({ "card": [card, value] }),
            Track::City(city) => {
                json!({ "city": [edition.city(city).map_or("", |city| &city.name), value] })
            }
        }
    };
    let worth = railway.worth(edition);
    json!({
        "company": company,
        "name": edition.name(company),
        "colour": company.colour(),
        "locomotive": railway.locomotive,
        "distance": railway.locomotive.and_then(|locomotive| edition.engine(locomotive).distance),
        "railway": railway.track.iter().map(track).collect::<Vec<_>>(),
        "profit": worth.profit,
        "cost": worth.cost,
        "value": worth.value,
        "held": state.held(company),
    })
}

fn player(state: &State, seat: Seat, values: &ByCompany<u32>) -> Value {
    let shares = state.shares(seat);
    json!({
        "seat": seat,
        "hand": state.hand(seat).len(),
        "shares": Company::ALL.map(|company| shares.of(company)),
        "total": shares.total(),
        "worth": worth(state, seat, values),
    })
}

/// Returns the seat whose card wins the trick so far.
pub fn ahead(state: &State) -> Option<Seat> {
    state.winner.or_else(|| winning(&state.table).map(|(seat, _)| seat))
}

fn trick(state: &State) -> Vec<Value> {
    let played = |&(seat, card): &(Seat, Card)| {
        json!({
            "seat": seat,
            "company": state.edition.name(card.company()),
            "number": card.number(),
            "value": state.edition.station_value(card),
            "wins": ahead(state) == Some(seat),
        })
    };
    state.table.iter().map(played).collect()
}

/// "Which action the players will take is decided by the leftmost card in the Trick Lane." Its card
/// is gone while the winner's city or locomotive has been placed and the others lay track.
pub fn round(state: &State) -> Option<&'static str> {
    state.active()?;
    Some(match state.prize() {
        Some(LaneCard::Exchange(_) | LaneCard::Railway(_) | LaneCard::Reservation) => "stock",
        Some(LaneCard::City(_) | LaneCard::Locomotive(_)) | None => "operating",
    })
}

/// Returns the cards by company; companies without a card are left out.
fn held(state: &State, cards: CardSet, playable: CardSet) -> Vec<Value> {
    let number = |card: Card| {
        json!({
            "number": card.number(),
            "value": state.edition.station_value(card),
            "playable": playable.contains(card),
        })
    };
    let of = |company: Company| {
        json!({
            "company": company,
            "name": state.edition.name(company),
            "cards": cards.of(company).iter().map(number).collect::<Vec<_>>(),
        })
    };
    cards.companies().map(of).collect()
}

/// What a share of each company would be worth if the game ended now.
pub fn values(state: &State) -> ByCompany<u32> {
    ByCompany::from_fn(|company| state.railways[company].worth(&state.edition).value)
}

/// "Each share that a player has is worth as much as that company's share value."
pub fn worth(state: &State, seat: Seat, values: &ByCompany<u32>) -> i64 {
    let shares = state.shares(seat);
    values.iter().map(|(company, &value)| i64::from(shares.of(company)) * i64::from(value)).sum()
}

/// Ranks the seats. "The player with the highest total value in share holdings is declared the
/// winner. In the case of a tie, the tied players share the victory." Partners add what they have.
pub fn standings(state: &State) -> Vec<Standing> {
    let values = values(state);
    let seats = state.edition.seats;
    rank_by_points(seats, |seat| {
        let shares = state.shares(seat);
        let part = |(company, &value): (Company, &u32)| {
            let count = shares.of(company);
            let item = Message::new("tr-score-shares")
                .with("company", state.edition.name(company))
                .with("shares", count)
                .with("value", value);
            let points = i64::from(count) * i64::from(value);
            (count > 0).then_some(Score { item, points })
        };
        let partner = state.edition.options.teams.then(|| {
            let partner = seat.next(seats).next(seats);
            let item = Message::new("tr-score-partner").with("partner", partner);
            Score { item, points: worth(state, partner, &values) }
        });
        values.iter().filter_map(part).chain(partner).collect()
    })
}
