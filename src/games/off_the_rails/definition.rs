//! The data of `games/off-the-rails.yaml` (the board and the numbers of the rules), and the options
//! that can be chosen for a new game.

use super::{Colour, Direction, Jewel, JewelCounts, Square};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The content of `games/off-the-rails.yaml`. A club can replace it by a corrected or another
/// board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The name of the board that players see.
    pub title: String,
    /// The edition of our rulings that the game is judged by, see [`EDITION`]. The log of a game
    /// without this field was written under edition 1, so 1 is the default.
    #[serde(default = "first_edition")]
    pub edition: u8,
    pub columns: u8,
    pub rows: u8,
    pub sides: BTreeMap<Direction, Colour>,
    pub mines: BTreeMap<Colour, Mine>,
    /// The jewels and rocks in the bag at the start.
    pub bag: JewelCounts,
    /// The points for a jewel of each kind.
    pub values: JewelCounts,
    pub tiles: TileCounts,
    pub speed: SpeedLimits,
    /// The number of actions in a turn.
    pub actions: u8,
    /// The number of jewels and rocks that a cart can carry.
    pub hold: u8,
    /// The number of chasm tokens of each colour.
    pub chasm_tokens: u8,
    /// The points for a cart that is in its owner's supply at the end.
    pub cart_points: u8,
    pub mission_points: u8,
    /// The points for the most rubies. Each tied player gets them.
    pub ruby_points: u8,
    /// The number of missions that are dealt face up, by the number of players.
    pub missions: BTreeMap<u8, u8>,
    /// The number of deposit cards of each colour in the deck, by the length of the game.
    pub lengths: BTreeMap<GameLength, u8>,
    /// The length of a game whose options name none, by the number of players.
    pub length_by_players: BTreeMap<u8, GameLength>,
    pub solo: SoloNumbers,
}

/// The newest edition of our rulings. Edition 2 changed four things:
///
/// - A balanced cut is the cut whose two piles are most equal in value.
/// - Without a claim order, a mission that cannot be claimed later is claimed first.
/// - The ramming player picks the pile even after `done`.
/// - The event of a derailment contains its reason.
pub const EDITION: u8 = 2;

const fn first_edition() -> u8 {
    1
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mine {
    /// The square in the middle of the mine. Track cannot be laid on it.
    pub centre: Square,
    /// The squares of the mine that are numbered 1 to 8, in this order.
    pub squares: Vec<Square>,
    /// The number of jewels that the deposit card of each square draws from the bag, in the order
    /// of `squares`.
    pub jewels: Vec<u8>,
}

/// The number of track tiles of each type. A tile is double-sided, so one tile serves as either of
/// two shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileCounts {
    /// Tiles with a straight on one side and a corner on the other.
    pub straight_or_corner: u8,
    /// Tiles with a T on one side and a cross on the other.
    pub t_or_cross: u8,
}

/// The range of the speed dice, in squares per turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedLimits {
    pub least: u8,
    pub most: u8,
    /// The speed of a cart that enters the board.
    pub start: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoloNumbers {
    /// The jewels that are dealt to the 32 numbered squares at the start, one per square.
    pub jewels: JewelCounts,
    /// The kind of jewel that must be delivered over the side of each colour.
    pub home: BTreeMap<Colour, Jewel>,
    /// The number of chasm tokens of all colours together.
    pub tokens: u8,
    /// The number of deposit cards that are turned up after the first turn. After each later turn
    /// it is one card.
    pub first_cards: u8,
    /// The points for a jewel that was delivered over any side.
    pub jewel_points: u8,
    /// The points for a set of one jewel of each kind, each delivered over its own side.
    pub right_set_points: u8,
    /// The points for a set of one jewel of each kind among the jewels that are in no correct set.
    pub other_set_points: u8,
}

/// The length of the game, as the number of cards in the deposit deck. (Seed: "very short (13
/// deposit cards), short (17), medium (21), long (25)".) The number includes the Chasm card, so 12,
/// 16, 20 or 24 cards bring deposits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameLength {
    VeryShort,
    Short,
    Medium,
    Long,
}

/// The options of a new game. The defaults follow the rules of the seed and our rulings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// The length of the game. `None` means the default for the number of players.
    pub length: Option<GameLength>,
    /// Whether carts have bumpers. (Seed: "Collisions no longer make carts drop jewels or derail.")
    pub bumpers: bool,
    pub bumper_head_on: BumperHeadOnRule,
    /// Whether a die instead of the player decides where a chasm token goes. (Seed: "An eight-sided
    /// die determines where the mine collapses.")
    pub abyss_die: bool,
    pub drop: DropRule,
    pub cart_points: CartPointsRule,
    pub cut: CutRule,
    pub solo_chasm_card: SoloChasmCardRule,
    pub solo_end: SoloEndRule,
    /// The side that each seat wishes to start on, in seat order and separated by commas, for
    /// example `north,west`. The default of a seat is the north (ruling 41).
    pub wishes: String,
}

/// The effect of bumpers in a head-on collision (ruling 47).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BumperHeadOnRule {
    /// No jewel falls and no cart derails. The rammed cart still turns away.
    #[default]
    Turn,
    /// Head-on collisions have their full effect in spite of bumpers.
    Full,
}

/// The pile that falls if the number of jewels is odd (ruling 21).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DropRule {
    /// The pile that the dice or the active player pick falls.
    #[default]
    Picked,
    /// The larger of two unequal piles always falls.
    HalfUp,
}

/// The carts that score at the end (ruling 33).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CartPointsRule {
    /// A cart gives points if it is in its owner's supply.
    #[default]
    Supply,
    /// As `Supply`, but not if the cart came there by a derailment.
    NotDerailed,
}

/// The method by which a rammed player's jewels are cut into two piles (ruling 22).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutRule {
    /// The cut follows the rammed player's standing order, and the dice pick the pile. This needs
    /// no extra letter.
    #[default]
    Standing,
    /// The rammed player is asked to cut two piles. The active player picks one of them without
    /// seeing the piles.
    Interactive,
}

/// The effect of the Chasm card among the first four cards of the solo game. (Seed, read in two
/// ways by ruling 46: "If the Chasm card is revealed, do not place an abyss token in this turn.")
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SoloChasmCardRule {
    /// The Chasm card places no token, and the other cards of the turn place theirs.
    #[default]
    Card,
    /// No token is placed in that turn, and all of its cards are shuffled back.
    Turn,
}

/// The end of the solo game and its effect on the grade. In every variant the game ends when all
/// carts are out of the game or all chasm tokens are placed. (Seed, read in three ways by ruling
/// 45: "A loss occurs when all carts derail or all abyss tokens are on the board.")
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SoloEndRule {
    /// The grade is the one that the deliveries have reached.
    #[default]
    Grade,
    /// Like `Grade`, but once a cart has entered, the game also ends after a turn that leaves no
    /// cart on the board, as the game for 2 to 4 players does.
    Left,
    /// A game that ends so is lost, even if the deliveries have reached a grade. To keep a grade,
    /// the player must order `stop` first.
    Loss,
}
