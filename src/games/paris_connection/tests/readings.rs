//! Tests of lines without a verb, and of punctuation, brackets and fillers in lines.

use super::*;
use crate::games::paris_connection::{order_words, places};

/// Returns seat 1's line in its standard form, or the kind and the reason of its refusal.
fn rewritten_line(state: &State, line: &str) -> Result<String, (RefusalKind, &'static str)> {
    let reading = ParisConnection::parse_line(state, ONE, line);
    let reading = reading.map_err(|refusal| (refusal.kind, refusal.reason.key))?;
    Ok(ParisConnection::write_line(state, &reading.orders))
}

fn expect_unreadable(state: &State, line: &str) -> &'static str {
    match rewritten_line(state, line) {
        Err((RefusalKind::Unreadable, key)) => key,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn line_without_verb_is_parsed_if_unambiguous() {
    let state = dealt_game();
    for (line, meant) in [
        // A single letter is a colour only directly before a hex. Three letters of a name are a
        // colour anywhere.
        ("r G23", "build red G23"),
        ("r G23 H24", "build red G23 H24"),
        ("yel D24", "build yellow D24"),
        ("bla F16 Rouen", "build black F16 E17"),
        ("red G23-H24", "build red G23 H24"),
        ("red -> blue", "trade red for 1 blue"),
        ("red for blue", "trade red for 1 blue"),
    ] {
        assert_eq!(rewritten_line(&state, line).as_deref(), Ok(meant), "{line}");
    }
    for line in ["r Lyon", "r", "ye G23", "red blue", "red blue G23", "red hot", "stop it"] {
        let said = rewritten_line(&state, line);
        assert_eq!(said, Err((RefusalKind::NotAnOrder, "pc-unreadable")), "{line}");
    }
    // A line that is certainly a build is refused with the rule that it breaks.
    let six = rewritten_line(&state, "red G23 H24 I25 J26 K25 L24");
    assert_eq!(six, Err((RefusalKind::Illegal, "pc-too-many")));
}

#[test]
fn stop_needs_a_begun_build() {
    let mut state = dealt_game();
    assert_eq!(expect_unreadable(&state, "stop"), "pc-nothing-begun");
    state.apply(&Event::Placed { seat: ONE, colour: Colour::Red, hex: hex("G23") });
    assert_eq!(rewritten_line(&state, "stop").as_deref(), Ok("stop"));
}

#[test]
fn build_without_hexes_is_unreadable() {
    let mut state = dealt_game();
    assert_eq!(expect_unreadable(&state, "build red"), "pc-hexes-missing");
    state.supply[Colour::Red] = 0;
    assert_eq!(expect_unreadable(&state, "build red"), "pc-board-empty");
}

#[test]
fn trade_without_number_mentions_available_second_share() {
    let mut state = dealt_game();
    for (left, remarks) in [(2, 1), (1, 0)] {
        state.supply[Colour::Blue] = left;
        assert_eq!(parse_line(&state, "trade red for blue").remarks.len(), remarks, "{left}");
    }
}

#[test]
fn same_colour_trade_lists_other_colours() {
    let mut state = dealt_game();
    state.supply[Colour::Blue] = 0;
    let refused =
        play_line(&state, ONE, "trade red for 1 red").map_err(|refusal| refusal.alternatives);
    let others = [Colour::Yellow, Colour::Purple, Colour::Black, Colour::Brown];
    let others = others.map(|colour| Arg::Term(colour.term())).to_vec();
    let take = Message::new("pc-take-other").with("colours", Arg::List(others));
    assert_eq!(refused.map(|(_, events)| events), Err(vec![take]));
}

#[test]
fn punctuation_separates_or_links_places() {
    let state = dealt_game();
    for (line, meant) in [
        // A comma begins a new place.
        ("build red G23, H24", Ok("build red G23 H24")),
        ("build red G, 23", Err("pc-no-place")),
        ("build red H18 Orleans", Ok("build red H18")),
        ("build red H18, Orleans", Ok("build red H18 H18")),
        // A dash or two dots must join adjacent hexes. A full stop does not.
        ("build red G23..H24", Ok("build red G23 H24")),
        ("build red F14..F10", Err("pc-gap")),
        ("build red F14. F10", Ok("build red F14 F10")),
        // A value or a colour's letter counts only in brackets.
        ("build red H18 (1)", Ok("build red H18")),
        ("build red H18 1", Err("pc-no-place")),
        ("build red H18 (Orleans) 1", Err("pc-no-place")),
        ("build red (H24)", Ok("build red H24")),
        ("build blue (R)", Ok("build blue G21")),
        ("build blue G23 r", Err("pc-no-place")),
        // A star in square brackets is the tower. Any other star is ignored.
        ("build red [*]", Ok("build red F20")),
        ("build red *G23*", Ok("build red G23")),
    ] {
        let said = rewritten_line(&state, line).map_err(|(_, key)| key);
        assert_eq!(said, meant.map(str::to_owned), "{line}");
    }
}

#[test]
fn code_may_carry_letter_of_occupying_colour() {
    let mut state = dealt_game();
    place_locomotives(&mut state, Colour::Red, &["G25"]);
    assert_eq!(rewritten_line(&state, "build blue TyR").as_deref(), Ok("build blue G25"));
    assert_eq!(expect_unreadable(&state, "build blue TyB"), "pc-no-place");
}

#[test]
fn name_may_begin_with_accent() {
    let accented = ParisConnection::DEFINITION.replace("name: Nancy", "name: \u{c9}pinal");
    let starts = ["E21", "F22", "G21", "G19", "F18", "E19"];
    let state = deal_at_starts(new_game(&accented, Options::default()), starts);
    for name in ["Epinal", "\u{e9}pinal", "\u{c9}PINAL"] {
        let line = format!("build red {name}");
        assert_eq!(rewritten_line(&state, &line).as_deref(), Ok("build red F30"), "{line}");
    }
}

#[test]
fn ambiguous_words_give_at_most_sixteen_readings() {
    let state = dealt_game();
    let ways = |line: &str| {
        let words = order_words::split_words(line);
        places::read_places(&state, &words).map_or(0, |ways| ways.len())
    };
    // Each of the first four `to` before a place is Toulouse or a filler. Further ones are always
    // Toulouse.
    assert_eq!(ways("q17 to r16"), 2);
    assert_eq!(ways("q17 to r16 to r14 to r12 to r10"), 16);
    assert_eq!(ways("q17 to r16 to r14 to r12 to r10 to s11 to s15"), 16);
}

#[test]
fn hex_is_letter_and_two_digits_at_most() {
    let parsed = |name: &str| Hex::parse(name).map(|hex| hex.to_string());
    for name in ["G23", "g23", "A0", "z99"] {
        assert_eq!(parsed(name), Some(name.to_uppercase()));
    }
    for name in ["", "G", "23", "G+5", "G-5", "G023", "G123", "GG2", "G2x"] {
        assert_eq!(parsed(name), None, "{name}");
    }
}

#[test]
fn places_after_end_city_are_ignored() {
    use crate::games::paris_connection::forms::can_build_all;
    let mut state = dealt_game();
    place_locomotives(&mut state, Colour::Red, &["R28"]);
    let go = |state: &State, names: &[&str]| {
        let hexes: Vec<Hex> = names.iter().map(|name| hex(name)).collect();
        can_build_all(state, Colour::Red, &hexes)
    };
    assert!(go(&state, &["R30", "S29", "A19"]));
    assert!(!go(&state, &["R30", "A19"]));
    // If the storing boards are empty, the game is over too, but not because of the end city.
    state.supply = ByColour::default();
    (state.supply[Colour::Red], state.supply[Colour::Blue]) = (1, 3);
    assert!(go(&state, &["R30"]));
    assert!(!go(&state, &["R30", "S29"]));
}
