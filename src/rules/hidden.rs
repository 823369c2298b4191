//! What of a game some cannot know.

use super::{Dice, Rules, Seat, Viewer};

/// What of a game is hidden, and from whom. Previews read this, which must not tell what their
/// asker cannot know; secret orders do, and the tests that look for leaks and lost pieces.
pub trait HiddenInfo: Rules {
    /// Whether an order changes only what its own player may know, and draws no chance. Whatever it
    /// sets stays set until another one sets it, so that of two that are written alike the later
    /// alone counts.
    fn is_secret(order: &Self::Order) -> bool;

    /// Whether the others may know that an order was given, but not what it says. What comes of it
    /// they are told, and no word of the line itself.
    fn has_hidden_content(order: &Self::Order) -> bool;

    /// Whether an event that this seat's order leads to, where `state` stands before it, tells the
    /// seat something that it could not have told itself: what chance brought, or what rests on
    /// what another seat holds or wants. What comes before the first such event must follow from
    /// what the seat knows; of a line whose order has led to one, no later order is refused.
    fn discloses(state: &Self::State, event: &Self::Event, seat: Seat) -> bool;

    /// Whether an event, where `state` stands before it, shows the others something that its player
    /// held hidden from them, such as a card that is played from a hand. What has shown cannot be
    /// taken back.
    fn reveals_to_others(state: &Self::State, event: &Self::Event) -> bool;

    /// A world that this viewer could not tell from `state`, each as likely as it is after all that
    /// the viewer has seen. It rests on what the viewer knows and on the dice alone: two states
    /// that look the same to the viewer give the same world by the same dice. So whatever is told
    /// of such a world tells nothing of `state` that the viewer does not know.
    fn redeal(state: &Self::State, viewer: Viewer, dice: &mut Dice) -> Self::State;

    /// The event as this viewer could not tell it from `event`, and as it may have been where
    /// `world`, which `redeal` gave the viewer, is how things stand.
    fn redeal_event(
        determinization: &Self::State,
        event: &Self::Event,
        viewer: Viewer,
        dice: &mut Dice,
    ) -> Self::Event;

    /// Whether every piece is where it can be.
    ///
    /// # Errors
    /// What is missing or double, for the developer.
    fn audit_pieces(state: &Self::State) -> Result<(), String>;
}
