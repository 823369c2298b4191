//! The events of a game. A game's log is a list of them, and they are stored as JSON.

use super::{
    Card, CartId, Colour, Direction, Jewel, JewelCounts, Mission, Square, SurfaceSquare,
    TileOpenings, Wish,
};
use crate::rules::Seat;
use serde::{Deserialize, Serialize};

/// One change of the position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The side of each seat and the missions that lie face up were dealt at the setup.
    Opened { sides: Vec<Direction>, missions: Vec<Mission> },
    /// A deposit card was turned up at the setup, and these jewels were drawn from the bag for its
    /// square.
    Primed { card: Card, jewels: JewelCounts },
    /// Solo: a jewel was put on each numbered square at the setup. The rest of the bag left the
    /// game.
    Strewn { jewels: Vec<(Square, Jewel)> },
    /// A straight or a corner was laid.
    Laid { seat: Seat, at: Square, ends: TileOpenings },
    /// A tile was replaced by one with one more opening, which is `way`.
    Upgraded { seat: Seat, at: Square, way: Direction },
    /// A cart was put on the surface.
    Entered { cart: CartId, berth: SurfaceSquare, speed: u8 },
    /// An action changed the speed of a cart to this number.
    Sped { cart: CartId, speed: u8 },
    /// The active player ended the turn with `done`. Carts that have not moved yet move by default
    /// after this event.
    Rested,
    /// A cart began its move.
    SetOff { cart: CartId },
    /// The moving cart entered a square.
    Rolled { cart: CartId, to: Square },
    /// The direction of the moving cart's next step was chosen.
    Headed { cart: CartId, way: Direction },
    /// The moving cart picked up a jewel or a rock.
    Took { cart: CartId, jewel: Jewel },
    /// The moving cart ran into another cart on the square `at`.
    Collided { cart: CartId, at: Square, crash: Crash },
    /// The owner of a rammed cart cut its jewels into two piles, and `first` is one of them. Only
    /// this player sees the piles.
    Cut { cart: CartId, first: JewelCounts },
    /// Jewels fell from a rammed cart onto its square.
    Dropped { cart: CartId, jewels: JewelCounts },
    /// A rammed cart turned away, or a player turned a cart after its move. It now faces this
    /// direction.
    Turned { cart: CartId, facing: Direction },
    /// The moving cart stopped at the end of its move, and faces this direction.
    Halted { cart: CartId, facing: Direction },
    /// A cart left the mine over this side and delivered its jewels.
    Left { cart: CartId, side: Direction },
    /// A cart on the surface had a collision and went back to its owner's supply.
    Returned { cart: CartId },
    /// A cart derailed. Its jewels went to the bag.
    Derailed {
        cart: CartId,
        /// Whether the cart is out of the game instead of in the supply. This is so in the solo
        /// game.
        lost: bool,
        /// The reason of the derailment. It is `None` in games of edition 1 of our rulings.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<DerailReason>,
    },
    /// A cart fell into the chasm. The cart and its jewels are out of the game.
    Fell { cart: CartId },
    /// The active player achieved a mission that lies face up.
    Achieved { mission: Mission },
    /// The seat claimed a mission at the end of its turn.
    Claimed { seat: Seat, mission: Mission },
    /// A player gave a standing order. Only this player sees it.
    Wished { seat: Seat, wish: Wish },
    /// A deposit card was turned up at the end of a turn, and these jewels were drawn from the bag
    /// for its square.
    Deposited { card: Card, jewels: JewelCounts },
    /// This seat turned up the Chasm card, so each player has one more turn before the collapse.
    ChasmCard { seat: Seat },
    /// The mines begin to collapse. From now on each turn ends with a chasm token.
    Collapsed,
    /// A chasm token was put on a square. The square's tile and jewels left the game.
    Sank { colour: Colour, at: Square },
    /// A chasm token was drawn, but no square was legal for it.
    Discarded { colour: Colour },
    /// Solo: a deposit card was turned up. A chasm token goes to its square.
    Revealed { card: Card },
    /// Solo: the Chasm card was turned up and shuffled back.
    Reshuffled,
    /// A seat's turn began.
    Turn { seat: Seat },
    /// The game ended. Carts that were still on the board derailed before this event.
    Ended { reason: Ending },
}

/// The effects of a collision. They depend on what both carts held before it, so they are decided
/// at its start (ruling 20). Each effect is cleared once it is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crash {
    /// The cart that was rammed.
    pub other: CartId,
    /// Whether the track of the rammed cart has an opening towards the moving cart.
    pub connected: bool,
    /// Whether the rammed cart faced the moving cart, on connected track.
    pub head_on: bool,
    /// Whether the rammed cart must still drop half of its jewels.
    pub drops: bool,
    /// Whether the rammed cart must still derail.
    pub wrecks_other: bool,
    /// Whether the moving cart must still derail.
    pub wrecks: bool,
    /// The direction that the rammed cart must still turn to.
    pub turns: Option<Direction>,
}

/// The reason of a derailment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DerailReason {
    /// This square ahead had no track.
    NoTrack(Square),
    /// The track on this square ahead had no opening towards the cart.
    Closed(Square),
    /// This square ahead was the centre of a mine.
    Centre(Square),
    /// The cart held nothing before a collision.
    Empty,
    /// The cart was on the board when the game ended.
    Over,
}

/// The reason for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// "All carts have left the board." In the solo game: all carts are out of the game.
    NoCarts,
    /// "All chasm tokens have been placed."
    NoTokens,
    /// The solo player ordered `stop`.
    Stopped,
}
