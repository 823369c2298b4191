//! A whole game, as small as one can be: what a new game must write. Everybody is dealt a hand;
//! each plays a card in turn, and the highest takes the round.

use crate::contract::contract;
use postrider::rules::{
    Charset, Dice, Fault, Form, Grammar, Hidden, Ink, Message, NoPlan, OrderText, PictureStyle,
    Reading, Refusal, Row, Rules, Scene, Score, Seat, Standing, Suggestion, Turn, Viewer, Views,
    rank, words,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

struct HighCard;

type Cards = BTreeSet<u8>;

#[derive(Serialize, Deserialize)]
struct Definition {
    each: u8,
}

#[derive(Default, Serialize, Deserialize)]
struct Options {}

#[derive(Clone, Debug, PartialEq)]
struct State {
    each: u8,
    dealt: Vec<Cards>,
    hands: Vec<Cards>,
    table: Vec<(Seat, u8)>,
    points: Vec<i64>,
    turn: Option<Seat>,
}

#[derive(Clone, Debug, PartialEq)]
struct Play(u8);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Event {
    Dealt { seat: Seat, cards: Cards },
    Played { seat: Seat, card: u8 },
    Taken { seat: Seat },
}

impl State {
    fn seats(&self) -> u8 {
        u8::try_from(self.hands.len()).unwrap_or_default()
    }

    fn hand(&self, seat: Seat) -> Cards {
        self.hands.get(seat.index()).cloned().unwrap_or_default()
    }
}

impl Rules for HighCard {
    const ID: &'static str = "high-card";
    const VERSION: u32 = 1;
    const SEATS: RangeInclusive<u8> = 2..=4;
    const DEFINITION: &'static str = "each: 4\n";

    type Definition = Definition;
    type Options = Options;
    type State = State;
    type Order = Play;
    type Event = Event;

    fn open(&Definition { each }: &Definition, _: &Options, seats: u8) -> Result<State, Fault> {
        let none = vec![Cards::new(); seats.into()];
        let points = vec![0; seats.into()];
        Ok(State { each, dealt: none.clone(), hands: none, table: Vec::new(), points, turn: None })
    }

    fn setup(state: &State, dice: &mut Dice) -> Vec<Event> {
        let mut deck: Vec<u8> = (1..=state.each * state.seats()).collect();
        dice.shuffle(&mut deck);
        let hands = deck.chunks(state.each.into());
        let dealt = Seat::all(state.seats()).zip(hands);
        dealt
            .map(|(seat, hand)| Event::Dealt { seat, cards: hand.iter().copied().collect() })
            .collect()
    }

    fn apply(state: &mut State, event: &Event) {
        match event {
            Event::Dealt { seat, cards } => {
                state.dealt[seat.index()] = cards.clone();
                state.hands[seat.index()] = cards.clone();
                state.turn = Some(Seat::new(1));
            }
            Event::Played { seat, card } => {
                state.hands[seat.index()].remove(card);
                state.table.push((*seat, *card));
                state.turn = Some(seat.next(state.seats()));
            }
            Event::Taken { seat } => {
                state.points[seat.index()] += 1;
                state.table.clear();
                state.turn = Some(*seat).filter(|seat| !state.hand(*seat).is_empty());
            }
        }
    }

    fn turn(state: &State) -> Turn {
        state.turn.map_or(Turn::Over, |seat| Turn::Awaiting(vec![seat]))
    }

    fn legal(state: &State, seat: Seat) -> Vec<Play> {
        let hand = if state.turn == Some(seat) { state.hand(seat) } else { Cards::new() };
        hand.into_iter().map(Play).collect()
    }

    fn openly_forced(state: &State, seat: Seat) -> Option<Play> {
        Some(Self::legal(state, seat)).filter(|all| all.len() == 1)?.pop()
    }

    fn decide(
        state: &State,
        seat: Seat,
        order: &Play,
        _: &mut Dice,
    ) -> Result<Vec<Event>, Refusal> {
        if !Self::legal(state, seat).contains(order) {
            return Err(Refusal::illegal(Message::new("hc-not-held")));
        }
        let mut events = vec![Event::Played { seat, card: order.0 }];
        if state.table.len() + 1 == usize::from(state.seats()) {
            let round = state.table.iter().copied().chain([(seat, order.0)]);
            let best = round.max_by_key(|(_, card)| *card);
            events.extend(best.map(|(seat, _)| Event::Taken { seat }));
        }
        Ok(events)
    }

    fn overtakes(event: &Event, _: &Play) -> bool {
        matches!(event, Event::Played { .. })
    }

    fn forfeit(state: &State, seat: Seat) -> Play {
        Play(state.hand(seat).first().copied().unwrap_or_default())
    }

    fn standings(state: &State) -> Vec<Standing> {
        let standing = |(seat, &score): (Seat, &i64)| {
            let breakdown = vec![Score { item: Message::new("hc-rounds"), points: score }];
            (Standing { seat, rank: 0, score, breakdown }, score)
        };
        rank(Seat::all(state.seats()).zip(&state.points).map(standing).collect())
    }
}

impl OrderText for HighCard {
    type Plan = NoPlan;

    const FILLERS: &'static [&'static str] = &[];
    const GRAMMAR: Grammar<State> = Grammar {
        verbs: &["play"],
        least: 1,
        whole: &[],
        forms: &[Form::always("now", "play 3", "hc-form-play")],
    };

    fn names(_: &State) -> Vec<String> {
        Vec::new()
    }

    fn parse(state: &State, _: Seat, line: &str) -> Result<Reading<Play>, Refusal> {
        let line = words::small(line, &[]);
        let words: Vec<&str> = words::plain(&line).collect();
        let verb = words.first().and_then(|word| Self::GRAMMAR.verb(word));
        match (verb, words.get(1..).unwrap_or_default()) {
            (Some(_), [card]) if words::number(card).is_some() => {
                Ok(Reading::plain(words::number(card).map(Play).into_iter().collect()))
            }
            (Some(verb), _) => {
                Err(Self::GRAMMAR.unreadable(state, Message::new("hc-which-card"), verb))
            }
            (None, _) => Err(Self::GRAMMAR.foreign(state, Message::new("hc-unreadable"))),
        }
    }

    fn write(_: &State, orders: &[Play]) -> String {
        orders.iter().map(|Play(card)| format!("play {card}")).collect()
    }

    fn is_whole_line(_: &State, _: &[Play]) -> bool {
        true
    }
}

impl Views for HighCard {
    type PublicView = Vec<i64>;
    type PrivateView = Cards;

    fn public(state: &State) -> Vec<i64> {
        state.points.clone()
    }

    fn private(state: &State, seat: Seat) -> Cards {
        state.hand(seat)
    }

    fn board(state: &State, _: &[Event], _: Charset) -> Vec<String> {
        state.table.iter().map(|(seat, card)| format!("{seat}: {card}")).collect()
    }

    fn scene(state: &State, _: &[Event], _: PictureStyle) -> Scene {
        let mut scene = Scene::new(60, Ink::PAPER);
        scene.name((390, 30), 24, Ink::DARK, format!("{:?}", state.table));
        scene
    }

    fn in_words(state: &State, _: &[Event]) -> Vec<Row> {
        let row = |(seat, card): &(Seat, u8)| {
            Row::saying(Message::new("hc-played").with("who", *seat).with("card", *card))
        };
        state.table.iter().map(row).collect()
    }

    fn private_in_words(state: &State, seat: Seat) -> Vec<Row> {
        let cards: Vec<u8> = state.hand(seat).into_iter().collect();
        vec![Row::saying(Message::new("hc-hand").with("cards", cards))]
    }

    fn suggestions(state: &State, seat: Seat) -> Vec<Suggestion> {
        let legal = Self::legal(state, seat);
        let line = |play: &Play| Suggestion {
            group: Message::new("hc-play"),
            line: Self::write(state, std::slice::from_ref(play)),
        };
        legal.iter().take(Suggestion::GROUP_MAX).map(line).collect()
    }

    fn narrate(_: &State, events: &[Event], viewer: Viewer) -> Vec<Message> {
        let tell = |event: &Event| match event {
            Event::Dealt { seat, cards } if viewer == Viewer::Seat(*seat) => Some(
                Message::new("hc-hand").with("cards", cards.iter().copied().collect::<Vec<_>>()),
            ),
            Event::Dealt { .. } => None,
            Event::Played { seat, card } => {
                Some(Message::new("hc-played").with("who", *seat).with("card", *card))
            }
            Event::Taken { seat } => Some(Message::new("hc-taken").with("who", *seat)),
        };
        events.iter().filter_map(tell).collect()
    }

    fn revealed(state: &State, seat: Seat) -> Vec<Message> {
        let dealt: Vec<u8> = state.dealt[seat.index()].iter().copied().collect();
        vec![Message::new("hc-revealed").with("who", seat).with("cards", dealt)]
    }

    fn choices(state: &State, seat: Seat) -> Vec<Message> {
        let hand: Vec<u8> = Self::legal(state, seat).into_iter().map(|Play(card)| card).collect();
        vec![Message::new("hc-choice").with("cards", hand)]
    }

    fn progress(state: &State) -> u8 {
        let left: usize = state.hands.iter().map(BTreeSet::len).sum();
        let all = usize::from(state.each * state.seats());
        if state.turn.is_none() {
            100
        } else {
            u8::try_from(100 - left * 100 / all).unwrap_or(99).min(99)
        }
    }
}

impl Hidden for HighCard {
    fn is_secret(_: &Play) -> bool {
        false
    }

    fn discloses(_: &State, _: &Event, _: Seat) -> bool {
        false
    }

    fn turns_up(_: &State, event: &Event) -> bool {
        matches!(event, Event::Played { .. })
    }

    fn redeal(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
        let mut other = state.clone();
        let hidden = Seat::all(state.seats()).filter(|seat| viewer != Viewer::Seat(*seat));
        let hidden: Vec<usize> = hidden.map(Seat::index).collect();
        let mut pool: Vec<u8> = hidden.iter().flat_map(|seat| state.hands[*seat].clone()).collect();
        pool.sort_unstable();
        dice.shuffle(&mut pool);
        for seat in hidden {
            let hand: Cards =
                pool.split_off(pool.len() - state.hands[seat].len()).into_iter().collect();
            let played = &state.dealt[seat] - &state.hands[seat];
            other.dealt[seat] = &played | &hand;
            other.hands[seat] = hand;
        }
        other
    }

    fn redeal_event(world: &State, event: &Event, _: Viewer, _: &mut Dice) -> Event {
        match event {
            Event::Dealt { seat, .. } => {
                Event::Dealt { seat: *seat, cards: world.dealt[seat.index()].clone() }
            }
            _ => event.clone(),
        }
    }

    fn audit(state: &State) -> Result<(), String> {
        let open: usize = state.dealt.iter().map(BTreeSet::len).sum();
        let all: Cards = state.dealt.iter().flatten().copied().collect();
        if all.len() == open { Ok(()) } else { Err("a card is there twice".to_owned()) }
    }
}

#[test]
fn a_new_game_passes_by_what_stands_here() {
    contract::<HighCard>(&[], &[]);
}
