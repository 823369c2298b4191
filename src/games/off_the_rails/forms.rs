//! How a line of this game is written: the card of orders, and what a refusal offers.

use super::definition::Cut;
use super::state::State;
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
        ("place", "lay"),
        ("build", "lay"),
        ("pass", "done"),
        ("finish", "done"),
        ("end", "done"),
    ],
    forms: &[
        Form::always("actions", "lay D2 ne", "or-form-lay"),
        Form::always("actions", "lay D2 ne, D3 ns", "or-form-lay-two"),
        Form::always("actions", "upgrade D2 e", "or-form-upgrade"),
        Form::only("actions", table, "enter white C", "or-form-enter"),
        Form::only("actions", solo, "enter red C", "or-form-enter-solo"),
        Form::only("actions", table, "speed w +1", "or-form-speed"),
        Form::only("actions", solo, "speed red +1", "or-form-speed-solo"),
        Form::always("moves", "move", "or-form-move"),
        Form::only("moves", table, "move w", "or-form-move-cart"),
        Form::only("moves", solo, "move r", "or-form-move-cart-solo"),
        Form::of("moves", |state| of_a_cart(state, "move * C1 C2 D2 out", "or-form-way")),
        Form::of("moves", |state| of_a_cart(state, "move * take diamond", "or-form-move-take")),
        Form::of("moves", |state| of_a_cart(state, "move * face east", "or-form-move-face")),
        Form::of("moves", |state| of_a_cart(state, "face * east", "or-form-face")),
        Form::always("moves", "done", "or-form-done"),
        Form::only("later", interactive, "cut ruby rock", "or-form-cut"),
        Form::only("later", interactive, "pick first", "or-form-pick"),
        Form::only("later", standing, "split rocks together", "or-form-split"),
        Form::only("later", table, "claim Red Leader", "or-form-claim"),
        Form::only("later", placing, "chasm red D4, blue C6", "or-form-chasm"),
        Form::only("later", table, "chasm yes", "or-form-chasm-yes"),
        Form::only("later", solo, "stop", "or-form-stop"),
    ],
};

/// A form with the shortest word for a cart of this game.
fn of_a_cart(state: &State, line: &str, key: &'static str) -> (String, Message) {
    (line.replace('*', if solo(state) { "r" } else { "w" }), Message::new(key))
}

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
    table(state) && !state.numbers.variant.abyss_die
}
