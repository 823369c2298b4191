//! The events of a game.

use super::{
    Card, CartId, Colour, Direction, Jewel, JewelCounts, Mission, Openings, Square, SurfaceSquare,
    Wish,
};
use crate::rules::Seat;
use serde::{Deserialize, Serialize};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// Sides and missions were dealt.
    Opened {
        /// The side of each seat; none in the solo game.
        sides: Vec<Direction>,
        /// The missions that lie face up.
        missions: Vec<Mission>,
    },
    /// A card was turned up before the game.
    Primed {
        card: Card,
        /// What was drawn from the bag.
        jewels: JewelCounts,
    },
    /// Solo: a jewel was put on every numbered square; nothing is left to be drawn.
    Strewn {
        /// What lies where.
        jewels: Vec<(Square, Jewel)>,
    },
    /// Track was laid.
    Laid {
        seat: Seat,
        at: Square,
        /// Which way it opens.
        ends: Openings,
    },
    /// A tile got one more opening.
    Upgraded {
        seat: Seat,
        at: Square,
        /// The new opening.
        way: Direction,
    },
    /// A cart was put on the surface.
    Entered {
        cart: CartId,
        berth: SurfaceSquare,
        /// What its die shows.
        speed: u8,
    },
    /// A speed die was turned.
    Sped {
        cart: CartId,
        /// What it shows now.
        speed: u8,
    },
    /// The player leaves the rest of the turn to the defaults.
    Rested,
    /// A cart began to move.
    SetOff { cart: CartId },
    /// The moving cart came to a square.
    Rolled { cart: CartId, to: Square },
    /// The moving cart took its way on.
    Headed { cart: CartId, way: Direction },
    /// The moving cart picked up a jewel.
    Took { cart: CartId, jewel: Jewel },
    /// The moving cart ran into another one.
    Collided {
        /// The cart that moved.
        cart: CartId,
        /// Where the other one stands.
        at: Square,
        crash: Crash,
    },
    /// The rammed player cut the jewels into two piles. Only this player sees how.
    Cut {
        /// The rammed cart.
        cart: CartId,
        /// The first pile.
        first: JewelCounts,
    },
    /// Jewels fell from a rammed cart.
    Dropped {
        /// The rammed cart.
        cart: CartId,
        jewels: JewelCounts,
    },
    /// A rammed cart turned away, or one that had stopped was turned by its owner.
    Turned {
        cart: CartId,
        /// Which way it faces now.
        facing: Direction,
    },
    /// A cart stopped at the end of its move.
    Halted {
        cart: CartId,
        /// Which way it faces.
        facing: Direction,
    },
    /// A cart left the mine with all its jewels.
    Left {
        cart: CartId,
        /// Over which side.
        side: Direction,
    },
    /// A cart could not leave the surface and went back to its supply.
    Returned { cart: CartId },
    /// A cart derailed: its jewels went to the bag.
    Derailed {
        cart: CartId,
        /// Whether the cart is out of the game, as it is in the solo game.
        lost: bool,
        /// The reason. None in games of the first edition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<DerailReason>,
    },
    /// A cart fell into the chasm with all it held.
    Fell { cart: CartId },
    /// The active player did what a mission that lies face up asks for.
    Achieved { mission: Mission },
    /// A mission was claimed.
    Claimed { seat: Seat, mission: Mission },
    /// A player gave a standing order. Only this player sees it.
    Wished { seat: Seat, wish: Wish },
    /// A deposit card was turned up.
    Deposited {
        card: Card,
        /// What was drawn from the bag.
        jewels: JewelCounts,
    },
    /// The Chasm card was turned up: one more turn each.
    ChasmCard { seat: Seat },
    /// The mines begin to collapse: from now on there is an abyss phase.
    Collapsed,
    /// A chasm token was put on a square.
    Sank {
        /// The token's colour.
        colour: Colour,
        at: Square,
    },
    /// A chasm token had nowhere to go.
    Discarded {
        /// The token's colour.
        colour: Colour,
    },
    /// Solo: a card turned up its square.
    Revealed { card: Card },
    /// Solo: the Chasm card turned up, did nothing and was shuffled back.
    Reshuffled,
    /// A turn began.
    Turn { seat: Seat },
    /// The game ended.
    Ended { reason: Ending },
}

/// The consequences of a collision, judged before it (ruling 20). Each part is cleared when it is
/// done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crash {
    /// The cart that was rammed.
    pub other: CartId,
    /// Whether the tracks were connected.
    pub connected: bool,
    /// Whether it was head-on.
    pub head_on: bool,
    /// The rammed cart is to drop half its jewels.
    pub drops: bool,
    /// The rammed cart is to derail.
    pub wrecks_other: bool,
    /// The moving cart is to derail.
    pub wrecks: bool,
    /// The rammed cart is to turn this way.
    pub turns: Option<Direction>,
}

/// Why a cart derailed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DerailReason {
    /// No track lies on the square ahead.
    NoTrack(Square),
    /// The track ahead does not open towards the cart.
    Closed(Square),
    /// The centre of a mine lies ahead.
    Centre(Square),
    /// It held nothing before a collision.
    Empty,
    /// It was on the board when the game ended.
    Over,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// "All carts have left the board."
    NoCarts,
    /// "All chasm tokens have been placed."
    NoTokens,
    /// The solo player stopped.
    Stopped,
}
