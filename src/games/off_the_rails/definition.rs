//! The board and the numbers as a moderator writes them, and what can be chosen at a founding.

use super::{Colour, Direction, Jewel, JewelCounts, Square};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `games/off-the-rails.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// What the players are told the board is.
    pub title: String,
    /// Which edition of our rulings holds; a game that was founded before there were two plays on
    /// by the first, and its log is judged by it.
    #[serde(default = "first_edition")]
    pub edition: u8,
    /// How many columns the board has.
    pub columns: u8,
    /// How many rows the board has.
    pub rows: u8,
    /// The colour of each side.
    pub sides: BTreeMap<Direction, Colour>,
    /// The four mines.
    pub mines: BTreeMap<Colour, Mine>,
    /// What is in the bag at first.
    pub bag: JewelCounts,
    /// What a jewel of each kind is worth, in points.
    pub values: JewelCounts,
    /// How many tiles there are.
    pub tiles: TileCounts,
    /// What the speed dice show.
    pub speed: SpeedLimits,
    /// Actions in a turn.
    pub actions: u8,
    /// Jewels that a cart holds.
    pub hold: u8,
    /// Chasm tokens of each colour.
    pub chasm_tokens: u8,
    /// Points for a cart that is in its owner's supply at the end.
    pub cart_points: u8,
    /// Points for a mission.
    pub mission_points: u8,
    /// Points for most rubies.
    pub ruby_points: u8,
    /// Missions face up, by the number of players.
    pub missions: BTreeMap<u8, u8>,
    /// Deposit cards of each colour in the deck.
    pub lengths: BTreeMap<GameLength, u8>,
    /// The length that is played where none is chosen, by the number of players.
    pub length_by_players: BTreeMap<u8, GameLength>,
    /// The numbers of the solo game.
    pub solo: SoloNumbers,
}

/// The newest edition of our rulings. From the second on a balanced cut is the most equal one,
/// a claim that nobody orders takes what cannot be claimed later, whoever rams picks the pile also
/// after `done`, and a derailment says why.
pub const EDITION: u8 = 2;

const fn first_edition() -> u8 {
    1
}

/// One mine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mine {
    /// Where no track can lie.
    pub centre: Square,
    /// The squares numbered 1 to 8.
    pub squares: Vec<Square>,
    /// How many tokens the card of each number draws.
    pub jewels: Vec<u8>,
}

/// How many tiles of track there are; each has another shape on its back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileCounts {
    /// Straight on one side, corner on the other.
    pub straight_or_corner: u8,
    /// T on one side, cross on the other.
    pub t_or_cross: u8,
}

/// What the speed dice show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedLimits {
    pub least: u8,
    pub most: u8,
    /// What a cart begins with.
    pub start: u8,
}

/// The numbers of the solo game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoloNumbers {
    /// What is spread over the numbered squares.
    pub jewels: JewelCounts,
    /// The jewel that belongs to the side of each colour.
    pub home: BTreeMap<Colour, Jewel>,
    /// Chasm tokens, whatever their colour.
    pub tokens: u8,
    /// Cards drawn after the first turn.
    pub first_cards: u8,
    /// Points for a jewel delivered anywhere.
    pub jewel_points: u8,
    /// Points for one jewel of each kind, each at its own side.
    pub right_set_points: u8,
    /// Points for one jewel of each kind among all others.
    pub other_set_points: u8,
}

/// How long the game is. (Seed: "very short (13 deposit cards), short (17), medium (21), long
/// (25)".)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameLength {
    /// 13 cards.
    VeryShort,
    /// 17 cards.
    Short,
    /// 21 cards.
    Medium,
    /// 25 cards.
    Long,
}

/// What can be chosen when a game is founded; the default is the game as its rules have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Another length than the usual one for so many players.
    pub length: Option<GameLength>,
    /// "Carts with bumpers: collisions no longer make carts drop jewels or derail."
    pub bumpers: bool,
    /// What bumpers change in a head-on collision (ruling 47).
    pub bumper_head_on: BumperHeadOnRule,
    /// "Abyss die: an eight-sided die determines where the mine collapses."
    pub abyss_die: bool,
    /// What falls of an odd number of jewels (ruling 21).
    pub drop: DropRule,
    /// Which carts score (ruling 33).
    pub cart_points: CartPointsRule,
    /// How a rammed player's jewels are cut (ruling 22).
    pub cut: CutRule,
    /// What the Chasm card means among the first cards of the solo game (ruling 46).
    pub solo_chasm_card: SoloChasmCardRule,
    /// When the solo game ends, and what it is worth then (ruling 45).
    pub solo_end: SoloEndRule,
    /// The side that each seat wishes, in order of the seats and with commas between, such as
    /// `north,west`; who names none wishes the north (ruling 41).
    pub wishes: String,
}

/// What bumpers change in a head-on collision (ruling 47).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BumperHeadOnRule {
    /// Nothing drops or derails; the rammed cart turns away as usual.
    #[default]
    Turn,
    /// Head-on collisions act in full.
    Full,
}

/// What falls of an odd number of jewels (ruling 21).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DropRule {
    /// The pile that is picked.
    #[default]
    Picked,
    /// Always the larger one.
    HalfUp,
}

/// Which carts score at the end (ruling 33).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CartPointsRule {
    /// Those in their owner's supply.
    #[default]
    Supply,
    /// Of those, the ones that did not come there by a derailment.
    NotDerailed,
}

/// How a rammed player's jewels are cut (ruling 22).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutRule {
    /// By a standing order; chance picks the pile.
    #[default]
    Standing,
    /// The rammed player is asked for two piles, and the active one picks one unseen.
    Interactive,
}

/// "If the Chasm card is revealed, do not place an abyss token in this turn", among the first four
/// cards of the solo game (ruling 46).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SoloChasmCardRule {
    /// It places none, the others place theirs: each card stands for one token.
    #[default]
    Card,
    /// No token is placed in that turn, and all of its cards are shuffled back.
    Turn,
}

/// "A loss occurs when all carts derail or all abyss tokens are on the board" (ruling 45).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SoloEndRule {
    /// The game ends then, with the grade that was reached: what was delivered was delivered.
    #[default]
    Grade,
    /// It also ends with a turn after which no cart is on the board, as the common game does.
    Left,
    /// The game ends then and is lost, whatever was delivered: who has a grade says `stop` in time.
    Loss,
}
