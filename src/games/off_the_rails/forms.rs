//! The grammar of the game's orders: the forms that the card of orders shows and that refusals
//! offer.

use super::definition::CutRule;
use super::examples;
use super::state::{Era, State};
use crate::rules::{Grammar, LineForm, Message};

/// The verbs, their synonyms and the forms of lines. The solo game has other words for carts than
/// the game for 2 to 4 players.
pub const GRAMMAR: Grammar<State> = Grammar {
    verbs: &[
        "lay", "upgrade", "enter", "speed", "faster", "slower", "move", "face", "take", "go",
        "drop", "cut", "pick", "chasm", "claim", "split", "stop", "done",
    ],
    min_letters: 1,
    // A letter's line that consists of `end` alone never gets here, because the mail parser stops
    // reading the letter there. The synonym serves longer lines such as `end turn`.
    synonyms: &[("lay", &["put", "place", "build"]), ("done", &["pass", "finish", "end"])],
    forms: &[
        LineForm::with_dynamic_example("actions", "or-form-lay", |state, _| {
            examples::lay_line(state, 1)
        }),
        LineForm::with_dynamic_example("actions", "or-form-lay-two", |state, _| {
            let has_two =
                state.turn_progress.actions_left != 1 && state.tiles.straight_or_corner != 1;
            if has_two { examples::lay_line(state, 2) } else { String::new() }
        }),
        LineForm::with_dynamic_example("actions", "or-form-upgrade", |state, _| {
            examples::upgrade_line(state)
        }),
        LineForm::with_dynamic_example_and_effect("actions", |state, seat| {
            let key = if is_solo(state) { "or-form-enter-solo" } else { "or-form-enter" };
            (examples::enter_line(state, seat), Message::new(key))
        }),
        LineForm::with_dynamic_example_and_effect("actions", |state, _| {
            let key = if is_solo(state) { "or-form-speed-solo" } else { "or-form-speed" };
            (examples::speed_line(state), Message::new(key))
        }),
        LineForm::for_every_game("moves", "move", "or-form-move"),
        LineForm::with_dynamic_example_and_effect("moves", |state, _| {
            let key = if is_solo(state) { "or-form-move-cart-solo" } else { "or-form-move-cart" };
            (examples::move_line(state, ""), Message::new(key))
        }),
        LineForm::with_dynamic_example("moves", "or-form-way", |state, _| {
            examples::route_line(state)
        }),
        LineForm::with_dynamic_example("moves", "or-form-move-take", |s, _| {
            examples::move_line(s, " take diamond")
        }),
        LineForm::with_dynamic_example("moves", "or-form-move-drop", |state, _| {
            examples::move_and_drop_line(state)
        }),
        LineForm::with_dynamic_example("moves", "or-form-move-face", |state, _| {
            examples::move_and_face_line(state)
        }),
        LineForm::with_dynamic_example("moves", "or-form-face", |state, _| {
            examples::face_line(state)
        }),
        LineForm::with_dynamic_example("moves", "or-form-derail", |state, _| {
            examples::move_line(state, " derail")
        }),
        LineForm::for_every_game("moves", "done", "or-form-done"),
        LineForm::with_dynamic_example("later", "or-form-cut", |state, _| {
            if is_cut_interactive(state) { examples::cut_line(state) } else { String::new() }
        }),
        LineForm::for_some_games("later", is_cut_interactive, "pick first", "or-form-pick"),
        LineForm::for_some_games("later", is_cut_standing, "split rocks together", "or-form-split"),
        LineForm::with_dynamic_example("later", "or-form-claim", |s, _| {
            examples::claim_line(s).unwrap_or_default()
        }),
        LineForm::with_dynamic_example("later", "or-form-chasm", |s, _| {
            examples::chasm_line(s).unwrap_or_default()
        }),
        LineForm::for_some_games(
            "later",
            |s| !is_solo(s) && s.era == Era::Abyss,
            "chasm yes",
            "or-form-chasm-yes",
        ),
        LineForm::for_some_games("later", is_solo, "stop", "or-form-stop"),
    ],
};

fn is_solo(state: &State) -> bool {
    state.numbers.is_solo()
}

fn is_cut_interactive(state: &State) -> bool {
    !is_solo(state) && state.numbers.options.cut == CutRule::Interactive
}

fn is_cut_standing(state: &State) -> bool {
    !is_solo(state) && state.numbers.options.cut == CutRule::Standing
}
