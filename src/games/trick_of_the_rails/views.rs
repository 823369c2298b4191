//! What everyone may see, what only one player may see, and who stands where.

use super::card::{Card, CardSet};
use super::company::{ByCompany, Company};
use super::decide::{playable, winning};
use super::definition::{City, Engine, Locomotive};
use super::railway::{Track, Worth};
use super::refuse::cards;
use super::state::{Event, LaneCard, Phase, State, Step};
use super::{TrickOfTheRails, draw, in_words, narrate, scene, suggest};
use crate::rules::{
    Charset, Message, PictureStyle, Row, Scene, Score, Seat, Standing, Suggestion, Viewer, Views,
    rank,
};
use serde::Serialize;
use std::num::NonZeroU8;

/// What everyone may see.
#[derive(Debug, Serialize)]
pub struct PublicView {
    /// The companies with their railways.
    pub companies: Vec<CompanyView>,
    /// The players in order of play.
    pub players: Vec<PlayerView>,
    /// The trick so far, in order of play.
    pub trick: Vec<PlayedView>,
    /// The number of the trick, from 1.
    pub trick_number: usize,
    /// How many tricks there are: cards dealt to each.
    pub tricks: usize,
    /// What the trick is for.
    pub round: Option<Round>,
    /// The lane from left to right; empty places are those of tricks that were won.
    pub lane: Vec<Option<LaneCard>>,
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// Whether the game is over.
    pub is_over: bool,
    /// The railway cards that left the game (ruling 4).
    pub removed: Vec<HeldView>,
    /// The City cards that are not in this game (ruling 3).
    pub cities_out: Vec<City>,
    /// The City cards that are.
    pub cities: Vec<City>,
    pub locomotives: Vec<LocomotiveView>,
    /// What a Station is worth.
    pub station: u8,
    /// How many Reservations the lane began with.
    pub reservations: usize,
    /// How many cards were left over by the deal.
    pub leftover: u32,
    /// Whether the lane's operating places were shuffled (option, from one implementation only).
    pub expert_lane: bool,
    /// Whether seats 1 and 3 play against 2 and 4 (option, from one implementation only).
    pub teams: bool,
}

/// What a trick is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Round {
    /// The cards become shares.
    Stock,
    /// The cards become track.
    Operating,
}

/// A locomotive card.
#[derive(Debug, Serialize)]
pub struct LocomotiveView {
    pub locomotive: Locomotive,
    /// How many cards it travels; none: all of them.
    pub distance: Option<u8>,
    /// What it costs.
    pub cost: u8,
}

#[derive(Debug, Serialize)]
pub struct CompanyView {
    pub company: Company,
    pub name: String,
    pub colour: &'static str,
    pub locomotive: Option<Locomotive>,
    /// How many cards its locomotive travels; none when it has no locomotive or no limit.
    pub distance: Option<u8>,
    /// Its railway from left to right.
    pub railway: Vec<TrackView>,
    /// What it would come to if the game ended now.
    #[serde(flatten)]
    pub worth: Worth,
    /// Shares that all players hold together.
    pub held: u32,
}

/// One card of a railway.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrackView {
    Station(u32),
    /// A City and its value.
    City(String, u32),
    /// A railway card and its value.
    Card(Card, u32),
}

#[derive(Debug, Serialize)]
pub struct PlayerView {
    pub seat: Seat,
    /// Cards in hand.
    pub hand: u32,
    /// Shares by company, in the order of the companies.
    pub shares: Vec<u32>,
    /// Shares of all companies together.
    pub total: u32,
    /// What the shares would be worth if the game ended now.
    pub worth: i64,
}

/// A card of the trick.
#[derive(Debug, Serialize)]
pub struct PlayedView {
    /// By whom it was played.
    pub seat: Seat,
    /// Its company's name.
    pub company: String,
    pub number: u8,
    /// What it would be worth on its railway.
    pub value: u32,
    /// Whether it wins so far.
    pub wins: bool,
}

/// Cards of one company.
#[derive(Debug, Serialize)]
pub struct HeldView {
    pub company: Company,
    pub name: String,
    /// The cards by number.
    pub cards: Vec<NumberView>,
}

/// A card whose company is told before it.
#[derive(Debug, Serialize)]
pub struct NumberView {
    pub number: u8,
    /// What it is worth on its railway.
    pub value: u32,
    /// Whether the seat that holds it may play it now.
    pub playable: bool,
}

/// What only one player may see.
#[derive(Debug, Serialize)]
pub struct PrivateView {
    /// The hand by company; companies without a card are left out.
    pub hand: Vec<HeldView>,
    /// How many cards that is.
    pub count: u32,
    /// Whether one of them is to be played now.
    pub is_asked: bool,
}

impl Views for TrickOfTheRails {
    type PublicView = PublicView;
    type PrivateView = PrivateView;

    fn public(state: &State) -> PublicView {
        let edition = &state.edition;
        let is_out = |city: u8| {
            let built = Track::City(city);
            !state.lane.contains(&Some(LaneCard::City(city)))
                && !state.railways.iter().any(|(_, railway)| railway.track.contains(&built))
        };
        let cities = (0..edition.cities.len()).filter_map(|city| u8::try_from(city).ok());
        let (out, within): (Vec<u8>, Vec<u8>) = cities.partition(|&city| is_out(city));
        let named =
            |cities: &[u8]| cities.iter().filter_map(|&c| edition.city(c).cloned()).collect();
        let values = values(state);
        PublicView {
            companies: Company::ALL.map(|company| company_view(state, company)).into(),
            players: Seat::all(edition.seats).map(|seat| player(state, seat, &values)).collect(),
            trick: trick(state),
            trick_number: state.trick + 1,
            tricks: edition.slots.len(),
            round: round(state),
            lane: state.lane.clone(),
            turn: if let Phase::Turn(seat, _) = state.phase { Some(seat) } else { None },
            is_over: state.phase == Phase::Over,
            removed: held(state, state.removed, CardSet::EMPTY),
            cities_out: named(&out),
            cities: named(&within),
            locomotives: Locomotive::ALL.map(|l| locomotive(l, edition.engine(l))).into(),
            station: edition.station,
            reservations: edition.slots.iter().filter(|slot| slot.is_reservation()).count(),
            leftover: CardSet::ALL
                .len()
                .saturating_sub(u32::from(edition.hand) * u32::from(edition.seats)),
            expert_lane: edition.options.expert_lane,
            teams: edition.options.teams,
        }
    }

    fn private(state: &State, seat: Seat) -> PrivateView {
        let hand = state.hand(seat);
        let playable = match state.step(seat) {
            Some(Step::Play) => playable(state, seat),
            _ => CardSet::EMPTY,
        };
        PrivateView {
            hand: held(state, hand, playable),
            count: hand.len(),
            is_asked: !playable.is_empty(),
        }
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

    fn narrate(state: &State, events: &[Event], viewer: Viewer) -> Vec<Message> {
        narrate::narrate(state, events, viewer)
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

    /// How much of the game is likely to lie behind: by the cards that have been played.
    fn progress(state: &State) -> u8 {
        match state.phase {
            Phase::Unopened => return 0,
            Phase::Over => return 100,
            Phase::Turn(..) => {}
        }
        let (seats, tricks) = (usize::from(state.edition.seats), state.lane.len());
        let played = state.trick * seats + state.table.len();
        u8::try_from(played * 100 / (tricks * seats).max(1)).unwrap_or(99).min(99)
    }
}

fn locomotive(locomotive: Locomotive, engine: Engine) -> LocomotiveView {
    let distance = engine.distance.map(NonZeroU8::get);
    LocomotiveView { locomotive, distance, cost: engine.cost }
}

fn company_view(state: &State, company: Company) -> CompanyView {
    let edition = &state.edition;
    let railway = &state.railways[company];
    let track = |&track: &Track| {
        let value = edition.value(track);
        match track {
            Track::Station => TrackView::Station(value),
            Track::Card(card) => TrackView::Card(card, value),
            Track::City(city) => {
                let name = edition.city(city).map_or_else(String::new, |city| city.name.clone());
                TrackView::City(name, value)
            }
        }
    };
    let engine = railway.locomotive.map(|locomotive| edition.engine(locomotive));
    CompanyView {
        company,
        name: edition.name(company).to_owned(),
        colour: company.colour(),
        locomotive: railway.locomotive,
        distance: engine.and_then(|engine| engine.distance).map(NonZeroU8::get),
        railway: railway.track.iter().map(track).collect(),
        worth: railway.worth(edition),
        held: state.shares.iter().map(|shares| shares.of(company)).sum(),
    }
}

fn player(state: &State, seat: Seat, values: &ByCompany<u32>) -> PlayerView {
    let shares = state.shares(seat);
    let counts = Company::ALL.map(|company| shares.of(company));
    PlayerView {
        seat,
        hand: state.hand(seat).len(),
        shares: counts.into(),
        total: counts.iter().sum(),
        worth: worth(state, seat, values),
    }
}

fn trick(state: &State) -> Vec<PlayedView> {
    let winning = match state.winner {
        Some(winner) => Some(winner),
        None => winning(&state.table).map(|(seat, _)| seat),
    };
    let played = |&(seat, card): &(Seat, Card)| PlayedView {
        seat,
        company: state.edition.name(card.company()).to_owned(),
        number: card.number(),
        value: state.edition.station_value(card),
        wins: winning == Some(seat),
    };
    state.table.iter().map(played).collect()
}

/// "Which action the players will take is decided by the leftmost card in the Trick Lane." Its card
/// is gone while the winner's city or locomotive has been placed and the others lay track.
fn round(state: &State) -> Option<Round> {
    let Phase::Turn(..) = state.phase else { return None };
    Some(match state.prize() {
        Some(LaneCard::Exchange(_) | LaneCard::Railway(_) | LaneCard::Reservation) => Round::Stock,
        Some(LaneCard::City(_) | LaneCard::Locomotive(_)) | None => Round::Operating,
    })
}

fn held(state: &State, cards: CardSet, playable: CardSet) -> Vec<HeldView> {
    let number = |card: Card| NumberView {
        number: card.number(),
        value: state.edition.station_value(card),
        playable: playable.contains(card),
    };
    let of = |company: Company| HeldView {
        company,
        name: state.edition.name(company).to_owned(),
        cards: cards.of(company).iter().map(number).collect(),
    };
    Company::ALL.into_iter().map(of).filter(|held| !held.cards.is_empty()).collect()
}

/// What a share of each company would be worth if the game ended now.
fn values(state: &State) -> ByCompany<u32> {
    ByCompany::from_fn(|company| state.railways[company].worth(&state.edition).value)
}

/// "Each share that a player has is worth as much as that company's share value."
fn worth(state: &State, seat: Seat, values: &ByCompany<u32>) -> i64 {
    let shares = state.shares(seat);
    values.iter().map(|(company, &value)| i64::from(shares.of(company)) * i64::from(value)).sum()
}

/// Who stands where. "The player with the highest total value in share holdings is declared the
/// winner. In the case of a tie, the tied players share the victory." Partners add what they have.
pub fn standings(state: &State) -> Vec<Standing> {
    let values = values(state);
    let seats = state.edition.seats;
    let standing = |seat: Seat| {
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
        let mut breakdown: Vec<Score> = values.iter().filter_map(part).collect();
        if state.edition.options.teams {
            let partner = seat.next(seats).next(seats);
            let item = Message::new("tr-score-partner").with("partner", partner);
            breakdown.push(Score { item, points: worth(state, partner, &values) });
        }
        let score = breakdown.iter().map(|part| part.points).sum();
        (Standing { seat, rank: 0, score, breakdown }, score)
    };
    rank(Seat::all(seats).map(standing).collect())
}
