//! The registry of the games that ship with the program: one line per game.

mod off_the_rails;
mod paris_connection;
#[cfg(test)]
mod row_lookup;
mod trick_of_the_rails;

pub use off_the_rails::OffTheRails;
pub use paris_connection::ParisConnection;
pub use trick_of_the_rails::TrickOfTheRails;

use crate::rules::{GameKind, GameRegistry, game_kind};

/// The entries of all games that ship with the program.
pub const GAMES: &[&dyn GameKind] =
    &[game_kind::<ParisConnection>(), game_kind::<TrickOfTheRails>(), game_kind::<OffTheRails>()];

/// The registry of the games that ship with the program.
pub const SHIPPED: GameRegistry = GameRegistry::new(GAMES);

/// Returns the shipped game with this ID.
///
/// ```
/// let kind = postrider::games::find_kind("paris-connection").expect("it ships");
/// assert_eq!(kind.allowed_seat_counts(), 3..=6);
/// assert!(postrider::games::find_kind("chess").is_none());
/// ```
pub fn find_kind(id: &str) -> Option<&'static dyn GameKind> {
    SHIPPED.find_kind(id)
}

#[cfg(test)]
mod tests;
