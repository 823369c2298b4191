//! What a game is, and its rules.

use super::{DefinitionFault, Dice, HiddenInfo, OrderText, Ranking, Refusal, Seat, Views};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use std::ops::RangeInclusive;

/// Everything that a game signs: its rules, its orders as text, what is shown of it, and what of it
/// is hidden. The adapter takes this, and the tests of every game do.
///
/// `examples/high_card` is one, as small as can be. What anybody asks of a game goes through
/// [`game_kind`](super::game_kind), which takes its types away:
///
/// ```
/// use postrider::games::OffTheRails;
/// use postrider::rules::{Kind, Rules, entry};
///
/// const GAME: &dyn Kind = entry::<OffTheRails>();
/// assert_eq!(GAME.id(), OffTheRails::ID);
/// assert!(GAME.definition().starts_with('#'));
/// ```
pub trait Game: OrderText + Views + HiddenInfo {}

impl<G: OrderText + Views + HiddenInfo> Game for G {}

/// A game's data and its rules. The table reads this, and so do the game's own other parts.
///
/// `decide` holds every rule and changes nothing; `apply` changes the state and holds no rule.
/// Chance is drawn in `setup` and `decide` only and its outcome stands in the events, so a game's
/// state is the fold of its events. What must hold for every game is tested once, in
/// `tests/parts/contract.rs`.
pub trait Rules: Sized + 'static {
    /// The name in orders, file names and exports, such as `paris-connection`.
    const ID: &'static str;
    /// Raised whenever a change of the rules could judge an old log otherwise.
    const VERSION: u32;
    /// How many can play.
    const SEATS: RangeInclusive<u8>;
    /// The definition that ships with the program: the text of `games/<ID>.yaml`.
    const DEFINITION: &'static str;

    /// The game's data as a moderator writes it.
    type Definition: Serialize + DeserializeOwned;
    /// What can be chosen when a game is founded; the default is the game as its rules have it.
    type Options: Serialize + DeserializeOwned + Default;
    /// Everything about one game being played.
    type State: Clone + PartialEq + Debug + Send + Sync;
    /// One small step, so that all legal ones can be listed. A line of a letter may be several.
    type Order: Clone + PartialEq + Debug;
    /// One thing that happened.
    type Event: Clone + PartialEq + Debug + Serialize + DeserializeOwned;

    /// The table before anything has been dealt.
    ///
    /// # Errors
    /// What is wrong with the definition or with the options.
    fn initial_state(
        definition: &Self::Definition,
        options: &Self::Options,
        seats: u8,
    ) -> Result<Self::State, DefinitionFault>;

    /// Deals the game.
    fn setup(state: &Self::State, dice: &mut Dice) -> Vec<Self::Event>;

    /// Lets something happen. Total and silent: any event of any log must pass without a panic.
    fn apply(state: &mut Self::State, event: &Self::Event);

    /// Who must act now.
    fn turn(state: &Self::State) -> Turn;

    /// Every order that `decide` accepts now from this seat; none when nobody waits for it.
    fn legal_orders(state: &Self::State, seat: Seat) -> Vec<Self::Order>;

    /// The only order that is legal for this seat now, where the public view alone shows that there
    /// is no other. A seat that answers by itself in any other case would show its hand.
    fn publicly_forced_order(state: &Self::State, seat: Seat) -> Option<Self::Order>;

    /// Judges one order. All rules are here.
    ///
    /// # Errors
    /// The rule that forbids it and what is legal instead.
    fn decide(
        state: &Self::State,
        seat: Seat,
        order: &Self::Order,
        dice: &mut Dice,
    ) -> Result<Vec<Self::Event>, Refusal>;

    /// Carries out one order at this position and returns what it led to.
    ///
    /// # Errors
    /// The refusal of `decide`; then the position is unchanged.
    fn advance(
        state: &mut Self::State,
        seat: Seat,
        order: &Self::Order,
        dice: &mut Dice,
    ) -> Result<Vec<Self::Event>, Refusal> {
        let events = Self::decide(state, seat, order, dice)?;
        events.iter().for_each(|event| Self::apply(state, event));
        Ok(events)
    }

    /// Whether the event changed something that the order names. An order written before such an
    /// event, by someone who had not seen it, is not carried out.
    fn invalidates(event: &Self::Event, order: &Self::Order) -> bool;

    /// What an absent player does. It rests on what all can see, as far as the rules allow.
    fn forfeit_order(state: &Self::State, seat: Seat) -> Self::Order;

    /// What a letter is taken to end with whose orders stop before its writer's turn does; none
    /// where the game waits for more.
    fn implied_final_order(_: &Self::State, _: Seat) -> Option<Self::Order> {
        None
    }

    /// Who stands where, best first; final once the game is over.
    fn rankings(state: &Self::State) -> Vec<Ranking>;
}

/// Who must act now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// These seats, perhaps several at once.
    Awaiting(Vec<Seat>),
    /// Nobody: the game has ended.
    Over,
}

impl Turn {
    /// Whether the game waits for this seat.
    pub fn awaits(&self, seat: Seat) -> bool {
        self.ensure_awaits(seat).is_ok()
    }

    /// Checks that the game waits for this seat.
    ///
    /// # Errors
    /// Whose turn it is instead, or that the game is over.
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
