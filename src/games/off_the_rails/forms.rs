//! How a line of this game is written: the card of orders, and what a refusal offers.

use super::definition::Cut;
use super::examples;
use super::state::{Era, State};
use crate::rules::{Form, Grammar, Message};

/// The verbs of lines and the ways of writing them. Where players sit around a table the words for
/// carts are others than in the solo game.
pub const GRAMMAR: Grammar<State> = Grammar {
    verbs: &[
        "lay", "upgrade", "enter", "speed", "faster", "slower", "move", "face", "take", "go",
        "drop", "cut", "pick", "chasm", "claim", "split", "stop", "done",
    ],
    least: 1,
    // `end` alone ends what is read of a letter, but other ways lead here.
    whole: &[
        ("put", "lay"),
        ("place", "lay"),
        ("build", "lay"),
        ("pass", "done"),
        ("finish", "done"),
        ("end", "done"),
    ],
    forms: &[
        Form::of("actions", |state| (examples::lay(state, 1), Message::new("or-form-lay"))),
        Form::perhaps("actions", |state| {
            let has_two = state.stint.actions != 1 && state.tiles.straight_or_corner != 1;
            has_two.then(|| (examples::lay(state, 2), Message::new("or-form-lay-two")))
        }),
        Form::of("actions", |state| (examples::upgrade(state), Message::new("or-form-upgrade"))),
        Form::to("actions", |state, seat| {
            let key = if solo(state) { "or-form-enter-solo" } else { "or-form-enter" };
            (examples::enter(state, seat), Message::new(key))
        }),
        Form::of("actions", |state| {
            let key = if solo(state) { "or-form-speed-solo" } else { "or-form-speed" };
            (examples::speed(state), Message::new(key))
        }),
        Form::always("moves", "move", "or-form-move"),
        Form::of("moves", |state| {
            let key = if solo(state) { "or-form-move-cart-solo" } else { "or-form-move-cart" };
            (examples::moved(state, ""), Message::new(key))
        }),
        Form::of("moves", |state| (examples::way(state), Message::new("or-form-way"))),
        Form::of("moves", |state| {
            (examples::moved(state, " take diamond"), Message::new("or-form-move-take"))
        }),
        Form::of("moves", |state| {
            (examples::moved_to_drop(state), Message::new("or-form-move-drop"))
        }),
        Form::of("moves", |state| {
            (examples::moved_to_face(state), Message::new("or-form-move-face"))
        }),
        Form::of("moves", |state| (examples::face(state), Message::new("or-form-face"))),
        Form::of("moves", |state| {
            (examples::moved(state, " derail"), Message::new("or-form-derail"))
        }),
        Form::always("moves", "done", "or-form-done"),
        Form::perhaps("later", |state| {
            interactive(state).then(|| (examples::cut(state), Message::new("or-form-cut")))
        }),
        Form::only("later", interactive, "pick first", "or-form-pick"),
        Form::only("later", standing, "split rocks together", "or-form-split"),
        Form::perhaps("later", |state| {
            Some((examples::claim(state)?, Message::new("or-form-claim")))
        }),
        Form::perhaps("later", |state| {
            Some((examples::chasm(state)?, Message::new("or-form-chasm")))
        }),
        Form::only("later", placing, "chasm yes", "or-form-chasm-yes"),
        Form::only("later", solo, "stop", "or-form-stop"),
    ],
};

fn solo(state: &State) -> bool {
    state.numbers.is_solo()
}

fn table(state: &State) -> bool {
    !solo(state)
}

fn interactive(state: &State) -> bool {
    table(state) && state.numbers.variant.cut == Cut::Interactive
}

fn standing(state: &State) -> bool {
    table(state) && state.numbers.variant.cut == Cut::Standing
}

fn placing(state: &State) -> bool {
    table(state) && state.era == Era::Abyss
}
