//! The traits `Game` and `Rules`: the types of a game, its rules and its turn order.

use super::{DefinitionFault, Dice, OrderText, Ranking, Refusal, Search, Seat, Views};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use std::ops::RangeInclusive;

/// A complete game: its rules, its orders as text, its views, its hidden information, and what
/// computer players need.
///
/// Every type that implements the three supertraits is a `Game`. `examples/high_card` is a small
/// one. The rest of the program uses a game through [`game_kind`](super::game_kind), which erases
/// its types:
///
/// ```
/// use postrider::games::OffTheRails;
/// use postrider::rules::{GameKind, Rules, game_kind};
///
/// const GAME: &dyn GameKind = game_kind::<OffTheRails>();
/// assert_eq!(GAME.id(), OffTheRails::ID);
/// assert!(GAME.shipped_definition().starts_with('#'));
/// ```
pub trait Game: OrderText + Views + Search {}

impl<G: OrderText + Views + Search> Game for G {}

/// A game's data types and its rules.
///
/// [`decide`](Self::decide) contains every rule and changes nothing. [`apply`](Self::apply) changes
/// the state and contains no rule. Only [`setup`](Self::setup) and `decide` use dice, and they
/// store each result in an event. So the initial state and the events determine a game's state, and
/// the state itself is never stored. `tests/parts/contract.rs` tests the requirements on all games.
pub trait Rules: Sized + 'static {
    /// The game's name in orders, file names and exports, such as `paris-connection`.
    const ID: &'static str;
    /// The version of the rules. Raise it with every change that could judge an old log
    /// differently.
    const VERSION: u32;
    /// The range of player counts that the game allows.
    const SEATS: RangeInclusive<u8>;
    /// The definition that ships with the program: the text of `games/<ID>.yaml`.
    const DEFINITION: &'static str;
    /// The game's text files: the path below `templates/`, such as `en/high-card.ftl`, and the
    /// content. Empty for the games that ship, whose files are in the folder `templates/` itself.
    const TEXTS: &'static [(&'static str, &'static str)] = &[];

    /// The game's data (such as the map and the pieces) as a moderator writes it in YAML.
    type Definition: Serialize + DeserializeOwned;
    /// The choices for a new game. The default value is the game as its published rules describe
    /// it.
    type Options: Serialize + DeserializeOwned + Default;
    /// The position of one game in play.
    type State: Clone + PartialEq + Debug + Send + Sync;
    /// The smallest step that a player can order, so that all legal steps can be listed. One line
    /// of a letter may contain several orders.
    type Order: Clone + PartialEq + Debug;
    /// One thing that happened, such as a card that was played. The log stores events as JSON.
    type Event: Clone + PartialEq + Debug + Serialize + DeserializeOwned;

    /// Returns the position before the deal.
    ///
    /// # Errors
    /// The fault in the definition or the options.
    fn initial_state(
        definition: &Self::Definition,
        options: &Self::Options,
        seats: u8,
    ) -> Result<Self::State, DefinitionFault>;

    /// Returns the events of the deal. The caller applies them.
    fn setup(state: &Self::State, dice: &mut Dice) -> Vec<Self::Event>;

    /// Applies one event to the position. It must not panic on any event of any log, because a log
    /// may be damaged.
    fn apply(state: &mut Self::State, event: &Self::Event);

    /// Returns the seats that must act now, or that the game is over.
    fn turn(state: &Self::State) -> Turn;

    /// Returns every order that `decide` accepts from this seat now. Empty if the game does not
    /// wait for the seat.
    fn legal_orders(state: &Self::State, seat: Seat) -> Vec<Self::Order>;

    /// Returns the seat's only legal order, if the public view alone shows that it is the only one.
    ///
    /// The program may play such an order at once, which tells the others that there was no choice.
    /// So a game must return `None` if only the seat's hidden information shows it.
    fn publicly_only_legal_order(state: &Self::State, seat: Seat) -> Option<Self::Order>;

    /// Judges one order and returns the events that it leads to. All rules are here.
    ///
    /// # Errors
    /// The rule that forbids the order, and the legal alternatives.
    fn decide(
        state: &Self::State,
        seat: Seat,
        order: &Self::Order,
        dice: &mut Dice,
    ) -> Result<Vec<Self::Event>, Refusal>;

    /// Judges one order and applies its events to the position. Returns the events.
    ///
    /// # Errors
    /// The refusal of [`decide`](Self::decide). The position is then unchanged.
    fn decide_and_apply(
        state: &mut Self::State,
        seat: Seat,
        order: &Self::Order,
        dice: &mut Dice,
    ) -> Result<Vec<Self::Event>, Refusal> {
        let events = Self::decide(state, seat, order, dice)?;
        events.iter().for_each(|event| Self::apply(state, event));
        Ok(events)
    }

    /// Whether the event changed something that the order names. If it did, the table refuses the
    /// order of a player who wrote it before they saw the event.
    fn invalidates(event: &Self::Event, order: &Self::Order) -> bool;

    /// Returns the order that the program gives for an absent player. As far as the rules allow, it
    /// depends only on public information, so that it discloses nothing.
    fn order_for_absent_player(state: &Self::State, seat: Seat) -> Self::Order;

    /// Returns the order that completes a turn, if the orders of a letter stop before the turn ends
    /// and the rest is obvious. `None` (the default) if the player must decide.
    fn implied_final_order(_: &Self::State, _: Seat) -> Option<Self::Order> {
        None
    }

    /// Returns the seats by rank, best first. The result is final once the game is over.
    fn rankings(state: &Self::State) -> Vec<Ranking>;
}

/// The seats that must act now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// The game waits for these seats, perhaps several at once. The list may be empty before the
    /// deal.
    Awaiting(Vec<Seat>),
    /// The game has ended.
    Over,
}

impl Turn {
    /// Whether the game waits for this seat.
    pub fn awaits(&self, seat: Seat) -> bool {
        self.ensure_awaits(seat).is_ok()
    }

    /// Whether a seat that was awaited `before` has completed its part of that turn.
    pub(crate) fn has_passed(&self, before: &Self, seat: Seat) -> bool {
        !self.awaits(seat) || self.begins_after(before)
    }

    /// Whether a turn has begun since `before` in which further seats are awaited, or the game has
    /// ended.
    pub fn begins_after(&self, before: &Self) -> bool {
        match self {
            Self::Awaiting(seats) => seats.iter().any(|seat| !before.awaits(*seat)),
            Self::Over => true,
        }
    }

    /// Checks that the game waits for this seat.
    ///
    /// # Errors
    /// A refusal that names the seats whose turn it is, or says that the game is over.
    pub fn ensure_awaits(&self, seat: Seat) -> Result<(), Refusal> {
        match self {
            Self::Awaiting(seats) if seats.contains(&seat) => Ok(()),
            Self::Awaiting(seats) if !seats.is_empty() => {
                Err(Refusal::not_your_turn(seats.clone()))
            }
            Self::Awaiting(_) | Self::Over => Err(Refusal::game_over()),
        }
    }
}
