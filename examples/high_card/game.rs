//! High Card, a complete game that is as small as possible. It contains everything that a new game
//! must implement in Rust.
//!
//! Each player is dealt a hand of cards. In each round the players play one card in turn, and the
//! highest card wins the round. Chance decides how many points the round is worth. The player with
//! the most points wins.

use super::plan::NextCardPlan;
use postrider::rules::{
    Charset, DefinitionFault, Dice, Effort, Grammar, HiddenInfo, Ink, LineForm, Message, OrderText,
    ParsedLine, PictureStyle, PositionRow, Ranking, Refusal, Rules, Scene, ScorePart, Search, Seat,
    Suggestion, Turn, Viewer, Views, line_words, rank_by_points,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The game High Card, for 2 to 4 players.
pub struct HighCard;

/// A set of cards. A card is its number.
pub type Cards = BTreeSet<u8>;

/// The game's data. A game that ships has it in `games/<id>.yaml`.
#[derive(Serialize, Deserialize)]
pub struct Definition {
    /// The number of cards that each player is dealt.
    each: u8,
}

/// The options of a new game.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Whether the lowest card wins the round instead of the highest.
    pub low: bool,
}

/// The position of a game. It is never stored, because it is always computed from the game's
/// events.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    each: u8,
    pub low: bool,
    /// The cards that each seat was dealt, in seat order.
    pub dealt: Vec<Cards>,
    /// The cards that each seat still holds, in seat order.
    pub hands: Vec<Cards>,
    /// The cards played in the current round, in order.
    pub round: Vec<(Seat, u8)>,
    /// The points that later rounds can be worth. Each number is used once.
    pub prizes: Cards,
    pub points: Vec<i64>,
    /// The seat whose turn it is. `None` once the game is over.
    pub turn: Option<Seat>,
}

/// The only order: plays a card.
#[derive(Clone, Debug, PartialEq)]
pub struct Play(pub u8);

/// A change of the position. Events contain the results of chance, so the log alone determines the
/// position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    Dealt { seat: Seat, cards: Cards },
    Played { seat: Seat, card: u8 },
    Taken { seat: Seat, prize: u8 },
    Ended { early: bool },
}

impl State {
    pub fn seat_count(&self) -> u8 {
        u8::try_from(self.hands.len()).unwrap_or_default()
    }

    pub fn hand(&self, seat: Seat) -> Cards {
        self.hands.get(seat.index()).cloned().unwrap_or_default()
    }

    /// Returns the seat that wins the round if `card` is its last card.
    fn find_round_winner(&self, seat: Seat, card: u8) -> Option<Seat> {
        let round = self.round.iter().copied().chain([(seat, card)]);
        let best = round.max_by_key(|&(_, card)| if self.low { u8::MAX - card } else { card });
        best.map(|(seat, _)| seat)
    }

    /// Returns the end of the game if all cards are played, or if no player can reach the leader
    /// any more.
    fn find_end_event(&self) -> Option<Event> {
        let left: i64 = self.prizes.iter().copied().map(i64::from).sum();
        let mut points = self.points.clone();
        points.sort_unstable();
        let lead = points.pop().unwrap_or_default() - points.pop().unwrap_or_default();
        let early = lead > left && left > 0;
        (early || left == 0).then_some(Event::Ended { early })
    }
}

// The rules: the legal orders and their events.
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

    fn initial_state(
        &Definition { each }: &Definition,
        &Options { low }: &Options,
        seats: u8,
    ) -> Result<State, DefinitionFault> {
        let none = vec![Cards::new(); seats.into()];
        Ok(State {
            each,
            low,
            dealt: none.clone(),
            hands: none,
            round: Vec::new(),
            prizes: (1..=each).collect(),
            points: vec![0; seats.into()],
            turn: None,
        })
    }

    fn setup(state: &State, dice: &mut Dice) -> Vec<Event> {
        let mut deck: Vec<u8> = (1..=state.each * state.seat_count()).collect();
        dice.shuffle(&mut deck);
        let hands = deck.chunks(state.each.into());
        let dealt = Seat::all(state.seat_count()).zip(hands);
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
                state.round.push((*seat, *card));
                state.turn = Some(seat.next(state.seat_count()));
            }
            Event::Taken { seat, prize } => {
                state.points[seat.index()] += i64::from(*prize);
                state.prizes.remove(prize);
                state.round.clear();
                state.turn = Some(*seat);
            }
            Event::Ended { .. } => state.turn = None,
        }
    }

    fn turn(state: &State) -> Turn {
        state.turn.map_or(Turn::Over, |seat| Turn::Awaiting(vec![seat]))
    }

    fn legal_orders(state: &State, seat: Seat) -> Vec<Play> {
        let hand = if state.turn == Some(seat) { state.hand(seat) } else { Cards::new() };
        hand.into_iter().map(Play).collect()
    }

    fn publicly_only_legal_order(state: &State, seat: Seat) -> Option<Play> {
        Some(Self::legal_orders(state, seat)).filter(|all| all.len() == 1)?.pop()
    }

    fn decide(
        state: &State,
        seat: Seat,
        order: &Play,
        dice: &mut Dice,
    ) -> Result<Vec<Event>, Refusal> {
        match state.turn {
            None => return Err(Refusal::illegal(Message::new("hc-over"))),
            Some(turn) if turn != seat => {
                return Err(Refusal::illegal(Message::new("hc-not-your-turn").with("who", turn)));
            }
            Some(_) if !state.hand(seat).contains(&order.0) => {
                return Err(Refusal::illegal(Message::new("hc-not-held").with("card", order.0)));
            }
            Some(_) => {}
        }
        let mut events = vec![Event::Played { seat, card: order.0 }];
        if state.round.len() + 1 == usize::from(state.seat_count()) {
            let prizes: Vec<u8> = state.prizes.iter().copied().collect();
            let prize = dice.pick(&prizes).copied().unwrap_or_default();
            events.extend(
                state.find_round_winner(seat, order.0).map(|seat| Event::Taken { seat, prize }),
            );
            let mut after = state.clone();
            events.iter().for_each(|event| Self::apply(&mut after, event));
            events.extend(after.find_end_event());
        }
        Ok(events)
    }

    fn invalidates(event: &Event, _: &Play) -> bool {
        matches!(event, Event::Played { .. })
    }

    fn order_for_absent_player(state: &State, seat: Seat) -> Play {
        Play(state.hand(seat).first().copied().unwrap_or_default())
    }

    fn rankings(state: &State) -> Vec<Ranking> {
        rank_by_points(state.seat_count(), |seat| {
            vec![ScorePart { item: Message::new("hc-prizes"), points: state.points[seat.index()] }]
        })
    }
}

// The orders as lines of a letter: parsing a line, and writing the line of an order.
impl OrderText for HighCard {
    type Plan = NextCardPlan;

    const FILLERS: &'static [&'static str] = &[];
    const GRAMMAR: Grammar<State> = Grammar {
        verbs: &["play"],
        min_letters: 1,
        synonyms: &[],
        forms: &[LineForm::for_every_game("now", "play 3", "hc-form-play")],
    };

    fn names_in_orders(_: &State) -> Vec<String> {
        Vec::new()
    }

    fn parse_line(state: &State, _: Seat, line: &str) -> Result<ParsedLine<Play>, Refusal> {
        let line = line_words::lowercase_without(line, &[]);
        let words: Vec<&str> = line_words::split_words(&line).collect();
        let verb = words.first().and_then(|word| Self::GRAMMAR.expand_verb(word));
        match (verb, words.get(1..).unwrap_or_default()) {
            (Some(_), [card]) if line_words::parse_small_number(card).is_some() => {
                Ok(ParsedLine::without_remarks(
                    line_words::parse_small_number(card).map(Play).into_iter().collect(),
                ))
            }
            (Some(verb), _) => Err(Self::GRAMMAR.refuse_unreadable(
                (state, None),
                Message::new("hc-which-card"),
                verb,
            )),
            (None, _) => {
                Err(Self::GRAMMAR
                    .refuse_unknown_start((state, None), Message::new("hc-unreadable")))
            }
        }
    }

    fn write_line(_: &State, orders: &[Play]) -> String {
        orders.iter().map(|Play(card)| format!("play {card}")).collect()
    }
}

// The views: the data, boards and sentences that all players see, and those that only one player
// sees.
impl Views for HighCard {
    fn public_data(state: &State) -> Value {
        json!(state.points)
    }

    fn private_data(state: &State, seat: Seat) -> Value {
        json!(state.hand(seat))
    }

    fn draw_board_text(state: &State, _: &[Event], _: Charset) -> Vec<String> {
        state.round.iter().map(|(seat, card)| format!("{seat}: {card}")).collect()
    }

    fn draw_board_picture(state: &State, _: &[Event], _: PictureStyle) -> Scene {
        let mut scene = Scene::new(60, Ink::PAPER);
        scene.add_centred_text((390, 30), 24, Ink::DARK, format!("{:?}", state.round));
        scene
    }

    fn describe_position(state: &State, _: &[Event]) -> Vec<PositionRow> {
        let row = |(seat, card): &(Seat, u8)| {
            PositionRow::from_sentence(
                Message::new("hc-played").with("who", *seat).with("card", *card),
            )
        };
        state.round.iter().map(row).collect()
    }

    fn describe_private_position(state: &State, seat: Seat) -> Vec<PositionRow> {
        let cards: Vec<u8> = state.hand(seat).into_iter().collect();
        vec![PositionRow::from_sentence(Message::new("hc-hand").with("cards", cards))]
    }

    fn suggest_lines(state: &State, seat: Seat) -> Vec<Suggestion> {
        let legal = Self::legal_orders(state, seat);
        let line = |play: &Play| Suggestion {
            group: Message::new("hc-play"),
            line: Self::write_line(state, std::slice::from_ref(play)),
        };
        legal.iter().take(Suggestion::GROUP_MAX).map(line).collect()
    }

    fn narrate_group(_: &State, events: &[Event], viewer: Viewer) -> Vec<Message> {
        let tell = |event: &Event| match event {
            Event::Dealt { seat, cards } if viewer == Viewer::Seat(*seat) => Some(
                Message::new("hc-hand").with("cards", cards.iter().copied().collect::<Vec<_>>()),
            ),
            Event::Dealt { .. } => None,
            Event::Played { seat, card } => {
                Some(Message::new("hc-played").with("who", *seat).with("card", *card))
            }
            Event::Taken { seat, prize } => {
                Some(Message::new("hc-taken").with("who", *seat).with("prize", *prize))
            }
            Event::Ended { early } => {
                Some(Message::new(if *early { "hc-ended-early" } else { "hc-ended-all" }))
            }
        };
        events.iter().filter_map(tell).collect()
    }

    fn describe_revealed_secrets(state: &State, seat: Seat) -> Vec<Message> {
        let dealt: Vec<u8> = state.dealt[seat.index()].iter().copied().collect();
        vec![Message::new("hc-revealed").with("who", seat).with("cards", dealt)]
    }

    fn describe_choices(state: &State, seat: Seat) -> Vec<Message> {
        let hand: Vec<u8> =
            Self::legal_orders(state, seat).into_iter().map(|Play(card)| card).collect();
        vec![Message::new("hc-choice").with("cards", hand)]
    }

    fn estimate_progress(state: &State) -> (usize, usize) {
        let left: usize = state.hands.iter().map(BTreeSet::len).sum();
        let all = usize::from(state.each * state.seat_count());
        (all - left, all)
    }
}

// The knowledge that computer players use. A game with so few lines considers all of them.
const fn new_effort(iterations: u32) -> Effort {
    Effort {
        iterations,
        depth: 20,
        first_width: 8,
        width: 8,
        random_percent: 100,
        exploration_percent: 60,
        lead_percent: 30,
    }
}

impl Search for HighCard {
    const EFFORTS: [Effort; 3] = [new_effort(10), new_effort(50), new_effort(200)];
    const CLEAR_LEAD: i64 = 5;

    fn merits(state: &State) -> Vec<i64> {
        state.points.clone()
    }

    fn candidates(state: &State, seat: Seat, most: usize) -> Vec<Vec<Play>> {
        Self::legal_orders(state, seat).into_iter().take(most).map(|play| vec![play]).collect()
    }
}

// The hidden information. `redeal` deals it again for a viewer, and all views of the result must
// look the same to that viewer.
impl HiddenInfo for HighCard {
    fn is_secret(_: &Play) -> bool {
        false
    }

    fn has_hidden_content(_: &Play) -> bool {
        false
    }

    // All players see the cards of the round, so they know its winner. They cannot know how many
    // points it is worth.
    fn discloses(_: &State, event: &Event, _: Seat) -> bool {
        matches!(event, Event::Taken { .. } | Event::Ended { .. })
    }

    fn reveals_to_others(_: &State, event: &Event) -> bool {
        matches!(event, Event::Played { .. })
    }

    fn redeal(state: &State, viewer: Viewer, dice: &mut Dice) -> State {
        let mut other = state.clone();
        // Once the game is over, all hands are shown.
        if state.turn.is_none() {
            return other;
        }
        let hidden = Seat::all(state.seat_count()).filter(|seat| viewer != Viewer::Seat(*seat));
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

    fn event_in_determinization(
        determinization: &State,
        event: &Event,
        _: Viewer,
        _: &mut Dice,
    ) -> Event {
        match event {
            Event::Dealt { seat, .. } => {
                Event::Dealt { seat: *seat, cards: determinization.dealt[seat.index()].clone() }
            }
            _ => event.clone(),
        }
    }

    fn check_every_piece_placed(state: &State) -> Result<(), String> {
        let open: usize = state.dealt.iter().map(BTreeSet::len).sum();
        let all: Cards = state.dealt.iter().flatten().copied().collect();
        if all.len() != open {
            return Err("a card is there twice".to_owned());
        }
        let is_played = |(seat, card): &(Seat, u8)| {
            state.dealt[seat.index()].contains(card) && !state.hand(*seat).contains(card)
        };
        let who: BTreeSet<Seat> = state.round.iter().map(|(seat, _)| *seat).collect();
        if who.len() != state.round.len() || !state.round.iter().all(is_played) {
            return Err("the table holds what nobody played".to_owned());
        }
        let points: i64 = state.points.iter().sum();
        let left: i64 = state.prizes.iter().copied().map(i64::from).sum();
        let each = i64::from(state.each);
        if points + left != each * (each + 1) / 2 {
            return Err(format!("{points} points were taken, and {left} are left"));
        }
        Ok(())
    }
}
