//! The hidden information of a game.

use super::{Dice, Rules, Seat, Viewer};

/// The hidden information of a game: what is hidden, and from which seats.
///
/// Previews use it, because a preview must not disclose hidden information. So do secret orders,
/// undo, and the tests that look for leaks and lost pieces.
pub trait HiddenInfo: Rules {
    /// Whether an order changes only information that its own player may know, and uses no dice.
    /// Others can count records, so the table keeps such orders without a record until the player
    /// gives an order that is not secret.
    ///
    /// A value that a secret order sets must stay until another order sets it. Of two equal secret
    /// lines, only the later one is kept.
    ///
    /// If the secret orders of a letter complete the seat's part of a turn that waits for several
    /// seats, they are sealed: they become records once every awaited seat has completed its part.
    /// Such an order must stay legal whatever the others order.
    fn is_secret(order: &Self::Order) -> bool;

    /// Whether the other players may know that the order was given, but not its content. They see
    /// the public events that it leads to, but never the line itself.
    fn has_hidden_content(order: &Self::Order) -> bool;

    /// Whether an event discloses information to the seat whose order leads to it. `state` is the
    /// position before the event.
    ///
    /// An event discloses something if the seat could not have predicted it: dice decided it, or it
    /// depends on the hidden information of another seat. All events before the first disclosure
    /// must follow from what the seat knows. If an order of a line has led to a disclosing event,
    /// no later order of the line may be refused. A refused line is not carried out, so its refusal
    /// would tell the player the result without the cost.
    fn discloses(state: &Self::State, event: &Self::Event, seat: Seat) -> bool;

    /// Whether an event shows the others something that its player had hidden from them, such as a
    /// card that is played from a hand. `state` is the position before the event. An order with
    /// such an event cannot be taken back.
    fn reveals_to_others(state: &Self::State, event: &Self::Event) -> bool;

    /// Returns a random state that the viewer cannot distinguish from `state` (a determinization).
    /// Its probability is the one that it has after everything that the viewer has seen.
    ///
    /// The result may depend only on the viewer's knowledge and on the dice. Two states that look
    /// alike to the viewer must give the same result with the same dice. So nothing that is shown
    /// of the result can leak hidden information.
    fn redeal(state: &Self::State, viewer: Viewer, dice: &mut Dice) -> Self::State;

    /// Returns the event in the form that it has in `determinization`, which `redeal` returned for
    /// this viewer. The viewer must not be able to distinguish the result from `event`.
    fn event_in_determinization(
        determinization: &Self::State,
        event: &Self::Event,
        viewer: Viewer,
        dice: &mut Dice,
    ) -> Self::Event;

    /// Checks that every piece is in exactly one possible place.
    ///
    /// # Errors
    /// The piece that is missing or duplicated, for a developer.
    fn check_every_piece_placed(state: &Self::State) -> Result<(), String>;
}
