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
    synonyms: &[("lay", &["put", "place", "build"]), ("done", &["pass", "finish", "end"])],
    forms: &[
        Form::line_of("actions", "or-form-lay", |state, _| examples::lay(state, 1)),
        Form::line_of("actions", "or-form-lay-two", |state, _| {
            let has_two = state.stint.actions != 1 && state.tiles.straight_or_corner != 1;
            if has_two { examples::lay(state, 2) } else { String::new() }
        }),
        Form::line_of("actions", "or-form-upgrade", |state, _| examples::upgrade(state)),
        Form::to("actions", |state, seat| {
            let key = if solo(state) { "or-form-enter-solo" } else { "or-form-enter" };
            (examples::enter(state, seat), Message::new(key))
        }),
        Form::to("actions", |state, _| {
            let key = if solo(state) { "or-form-speed-solo" } else { "or-form-speed" };
            (examples::speed(state), Message::new(key))
        }),
        Form::always("moves", "move", "or-form-move"),
        Form::to("moves", |state, _| {
            let key = if solo(state) { "or-form-move-cart-solo" } else { "or-form-move-cart" };
            (examples::moved(state, ""), Message::new(key))
        }),
        Form::line_of("moves", "or-form-way", |state, _| examples::way(state)),
        Form::line_of("moves", "or-form-move-take", |s, _| examples::moved(s, " take diamond")),
        Form::line_of("moves", "or-form-move-drop", |state, _| examples::moved_to_drop(state)),
        Form::line_of("moves", "or-form-move-face", |state, _| examples::moved_to_face(state)),
        Form::line_of("moves", "or-form-face", |state, _| examples::face(state)),
        Form::line_of("moves", "or-form-derail", |state, _| examples::moved(state, " derail")),
        Form::always("moves", "done", "or-form-done"),
        Form::line_of("later", "or-form-cut", |state, _| {
            if interactive(state) { examples::cut(state) } else { String::new() }
        }),
        Form::only("later", interactive, "pick first", "or-form-pick"),
        Form::only("later", standing, "split rocks together", "or-form-split"),
        Form::line_of("later", "or-form-claim", |s, _| examples::claim(s).unwrap_or_default()),
        Form::line_of("later", "or-form-chasm", |s, _| examples::chasm(s).unwrap_or_default()),
        Form::only("later", |s| !solo(s) && s.era == Era::Abyss, "chasm yes", "or-form-chasm-yes"),
        Form::only("later", solo, "stop", "or-form-stop"),
    ],
};

fn solo(state: &State) -> bool {
    state.numbers.is_solo()
}

fn interactive(state: &State) -> bool {
    !solo(state) && state.numbers.variant.cut == Cut::Interactive
}

fn standing(state: &State) -> bool {
    !solo(state) && state.numbers.variant.cut == Cut::Standing
}
