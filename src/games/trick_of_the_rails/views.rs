//! The public view, the private view of a seat, and the standings.

use super::card::{Card, CardSet};
use super::company::{ByCompany, Company};
use super::decide::{playable_cards, winning_card};
use super::definition::{LaneSlot, Locomotive};
use super::railway::Track;
use super::refuse::card_list;
use super::state::{Event, LaneCard, Phase, State, Step};
use super::{TrickOfTheRails, draw, in_words, narrate, scene, suggest};
use crate::rules::{
    Charset, Message, PictureStyle, PositionRow, Ranking, Scene, ScorePart, Seat, Suggestion,
    Viewer, Views, rank_by_points,
};
use serde_json::{Value, json};

impl Views for TrickOfTheRails {
    fn public_data(state: &State) -> Value {
        let edition = &state.edition;
        let (out, within): (Vec<u8>, Vec<u8>) =
            edition.city_indices().partition(|&city| is_city_out_of_game(state, city));
        let named = |cities: Vec<u8>| -> Vec<_> {
            cities.into_iter().filter_map(|city| edition.city(city)).collect()
        };
        let values = share_values(state);
        let player = |seat| player_data(state, seat, &values);
        let dealt = u32::from(edition.hand) * u32::from(edition.seats);
        json!({
            "companies": Company::ALL.map(|company| company_data(state, company)),
            "players": Seat::all(edition.seats).map(player).collect::<Vec<_>>(),
            "trick": trick_data(state),
            "trick_number": state.trick + 1,
            "tricks": edition.slots.len(),
            "round": round_name(state),
            "lane": state.lane,
            "turn": state.active_seat(),
            "is_over": state.phase == Phase::Over,
            "removed": cards_by_company(state, state.removed, CardSet::EMPTY),
            "cities_out": named(out),
            "cities": named(within),
            "locomotives": Locomotive::ALL.map(|locomotive| json!({
                "locomotive": locomotive,
                "distance": edition.engine(locomotive).distance,
                "cost": edition.engine(locomotive).cost,
            })),
            "station": edition.station,
            "reservations": edition.slots.iter().filter(|&&s| s == LaneSlot::Reservation).count(),
            "leftover": CardSet::ALL.len().saturating_sub(dealt),
            "expert_lane": edition.options.expert_lane,
            "teams": edition.options.teams,
        })
    }

    fn private_data(state: &State, seat: Seat) -> Value {
        let (hand, playable) = (state.hand_of(seat), cards_to_play(state, seat));
        json!({
            "hand": cards_by_company(state, hand, playable),
            "count": hand.len(),
            "is_asked": !playable.is_empty(),
        })
    }

    fn draw_board_text(state: &State, recent: &[Event], charset: Charset) -> Vec<String> {
        draw::draw_board(state, recent, charset)
    }

    fn draw_board_picture(state: &State, recent: &[Event], style: PictureStyle) -> Scene {
        scene::draw_scene(state, recent, style)
    }

    fn describe_position(state: &State, recent: &[Event]) -> Vec<PositionRow> {
        in_words::describe_position(state, recent)
    }

    fn describe_private_position(state: &State, seat: Seat) -> Vec<PositionRow> {
        in_words::describe_private_position(state, seat)
    }

    fn suggest_lines(state: &State, seat: Seat) -> Vec<Suggestion> {
        suggest::suggest_lines(state, seat)
    }

    fn are_narrated_together(one: &Event, next: &Event) -> bool {
        narrate::are_narrated_together(one, next)
    }

    fn narrate_group(state: &State, events: &[Event], viewer: Viewer) -> Vec<Message> {
        narrate::narrate_group(state, events, viewer)
    }

    fn describe_revealed_secrets(state: &State, seat: Seat) -> Vec<Message> {
        let (edition, hand) = (&state.edition, state.hand_of(seat));
        let dealt = state.dealt.get(seat.index()).copied().unwrap_or(CardSet::EMPTY);
        let said =
            |key, held| Message::new(key).with("who", seat).with("cards", card_list(edition, held));
        let left = (!hand.is_empty()).then(|| said("tr-revealed-hand", hand));
        std::iter::once(said("tr-revealed", dealt)).chain(left).collect()
    }

    fn describe_choices(state: &State, seat: Seat) -> Vec<Message> {
        narrate::describe_choices(state, seat)
    }

    /// Counts the played cards, out of all cards that will be played.
    fn estimate_progress(state: &State) -> (usize, usize) {
        let seats = usize::from(state.edition.seats);
        (state.trick * seats + state.trick_cards.len(), state.lane.len() * seats)
    }
}

/// Whether a City card is not in this game (ruling 3).
pub fn is_city_out_of_game(state: &State, city: u8) -> bool {
    !state.lane.contains(&Some(LaneCard::City(city)))
        && !state.railways.iter().any(|(_, railway)| railway.track.contains(&Track::City(city)))
}

/// Returns the cards that the seat may play now. Empty if the seat must do something else.
pub fn cards_to_play(state: &State, seat: Seat) -> CardSet {
    match state.step_of(seat) {
        Some(Step::Play) => playable_cards(state, seat),
        _ => CardSet::EMPTY,
    }
}

fn company_data(state: &State, company: Company) -> Value {
    let edition = &state.edition;
    let railway = &state.railways[company];
    let track = |&track: &Track| {
        let value = edition.track_value(track);
        match track {
            Track::Station => json!({ "station": value }),
            Track::Card(card) => json!({ "card": [card, value] }),
            Track::City(city) => {
                json!({ "city": [edition.city(city).map_or("", |city| &city.name), value] })
            }
        }
    };
    let worth = railway.compute_profit_and_value(edition);
    json!({
        "company": company,
        "name": edition.company_name(company),
        "colour": company.colour(),
        "locomotive": railway.locomotive,
        "distance": railway.locomotive.and_then(|locomotive| edition.engine(locomotive).distance),
        "railway": railway.track.iter().map(track).collect::<Vec<_>>(),
        "profit": worth.profit,
        "cost": worth.cost,
        "value": worth.value,
        "held": state.shares_held(company),
    })
}

fn player_data(state: &State, seat: Seat, values: &ByCompany<u32>) -> Value {
    let shares = state.shares_of(seat);
    json!({
        "seat": seat,
        "hand": state.hand_of(seat).len(),
        "shares": Company::ALL.map(|company| shares.of_company(company)),
        "total": shares.total(),
        "worth": total_share_worth(state, seat, values),
    })
}

/// Returns the seat whose card is winning the current trick.
pub fn winning_seat(state: &State) -> Option<Seat> {
    state.winner.or_else(|| winning_card(&state.trick_cards).map(|(seat, _)| seat))
}

fn trick_data(state: &State) -> Vec<Value> {
    let played = |&(seat, card): &(Seat, Card)| {
        json!({
            "seat": seat,
            "company": state.edition.company_name(card.company()),
            "number": card.number(),
            "value": state.edition.station_value(card),
            "wins": winning_seat(state) == Some(seat),
        })
    };
    state.trick_cards.iter().map(played).collect()
}

/// Returns the kind of the current round, or `None` before the deal and after the end. ("Which
/// action the players will take is decided by the leftmost card in the Trick Lane.") In an
/// operating round, the lane's place is already empty while players add their cards to railways.
pub fn round_name(state: &State) -> Option<&'static str> {
    state.active_seat()?;
    Some(match state.current_prize() {
        Some(LaneCard::Exchange(_) | LaneCard::Railway(_) | LaneCard::Reservation) => "stock",
        Some(LaneCard::City(_) | LaneCard::Locomotive(_)) | None => "operating",
    })
}

/// Returns the cards by company. Companies without a card are left out.
fn cards_by_company(state: &State, cards: CardSet, playable: CardSet) -> Vec<Value> {
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
            "name": state.edition.company_name(company),
            "cards": cards.of_company(company).iter().map(number).collect::<Vec<_>>(),
        })
    };
    cards.companies().map(of).collect()
}

pub fn share_values(state: &State) -> ByCompany<u32> {
    ByCompany::from_fn(|company| {
        state.railways[company].compute_profit_and_value(&state.edition).value
    })
}

/// Returns the value of all shares of a seat. ("Each share that a player has is worth as much as
/// that company's share value.")
pub fn total_share_worth(state: &State, seat: Seat, values: &ByCompany<u32>) -> i64 {
    let shares = state.shares_of(seat);
    values
        .iter()
        .map(|(company, &value)| i64::from(shares.of_company(company)) * i64::from(value))
        .sum()
}

/// Ranks the seats. ("The player with the highest total value in share holdings is declared the
/// winner. In the case of a tie, the tied players share the victory.") In a team game, partners add
/// their values.
pub fn rankings(state: &State) -> Vec<Ranking> {
    let values = share_values(state);
    let seats = state.edition.seats;
    rank_by_points(seats, |seat| {
        let shares = state.shares_of(seat);
        let part = |(company, &value): (Company, &u32)| {
            let count = shares.of_company(company);
            let item = Message::new("tr-score-shares")
                .with("company", state.edition.company_name(company))
                .with("shares", count)
                .with("value", value);
            let points = i64::from(count) * i64::from(value);
            (count > 0).then_some(ScorePart { item, points })
        };
        let partner = state.edition.options.teams.then(|| {
            let partner = seat.next(seats).next(seats);
            let item = Message::new("tr-score-partner").with("partner", partner);
            ScorePart { item, points: total_share_worth(state, partner, &values) }
        });
        values.iter().filter_map(part).chain(partner).collect()
    })
}
