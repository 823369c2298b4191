//! The registry: the kinds of game that a program knows.

use super::GameKind;

/// The kinds of game that a program knows, in the order in which it lists them.
///
/// The registry is passed down from `main`, so that a program can add games of its own.
/// [`games::SHIPPED`](crate::games::SHIPPED) has those that ship.
#[derive(Clone, Copy)]
pub struct GameRegistry(&'static [&'static dyn GameKind]);

impl GameRegistry {
    /// Creates a registry. The IDs must differ.
    pub const fn new(kinds: &'static [&'static dyn GameKind]) -> Self {
        Self(kinds)
    }

    /// Returns the game with this ID.
    pub fn find_kind(self, id: &str) -> Option<&'static dyn GameKind> {
        self.kinds().find(|kind| kind.id() == id)
    }

    /// Returns all kinds of game.
    pub fn kinds(self) -> impl Iterator<Item = &'static dyn GameKind> + Clone {
        self.0.iter().copied()
    }

    /// Returns the IDs of all games, such as `paris-connection`.
    pub fn ids(self) -> impl Iterator<Item = &'static str> + Clone {
        self.kinds().map(|kind| kind.id())
    }

    /// Whether both registries are the same list.
    pub(crate) fn is_same(self, other: Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
