//! Lines without a verb, and what marks, brackets and small words do to a line.

use super::*;
use crate::games::paris_connection::{places, words};

/// How seat 1's line is written out; or why it is not read.
fn understood(state: &State, line: &str) -> Result<String, (RefusalKind, &'static str)> {
    let reading = ParisConnection::parse(state, ONE, line);
    let reading = reading.map_err(|refusal| (refusal.kind, refusal.reason.key))?;
    Ok(ParisConnection::write(state, &reading.orders))
}

fn unreadable(state: &State, line: &str) -> &'static str {
    match understood(state, line) {
        Err((RefusalKind::Unreadable, key)) => key,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn a_line_without_a_verb_is_an_order_where_it_can_be_nothing_else() {
    let state = game();
    for (line, meant) in [
        // A letter is a colour right before a hex, three letters of a name are anywhere.
        ("r G23", "build red G23"),
        ("r G23 H24", "build red G23 H24"),
        ("yel D24", "build yellow D24"),
        ("bla F16 Rouen", "build black F16 E17"),
        ("red G23-H24", "build red G23 H24"),
        ("red -> blue", "trade red for 1 blue"),
        ("red for blue", "trade red for 1 blue"),
    ] {
        assert_eq!(understood(&state, line).as_deref(), Ok(meant), "{line}");
    }
    for line in ["r Lyon", "r", "ye G23", "red blue", "red blue G23", "red hot", "stop it"] {
        let said = understood(&state, line);
        assert_eq!(said, Err((RefusalKind::Foreign, "pc-unreadable")), "{line}");
    }
    // What is a build beyond doubt is told the rule that it breaks.
    let six = understood(&state, "red G23 H24 I25 J26 K25 L24");
    assert_eq!(six, Err((RefusalKind::Illegal, "pc-too-many")));
}

#[test]
fn who_stops_has_begun_to_build() {
    let mut state = game();
    assert_eq!(unreadable(&state, "stop"), "pc-nothing-begun");
    state.apply(&Event::Placed { seat: ONE, colour: Colour::Red, hex: hex("G23") });
    assert_eq!(understood(&state, "stop").as_deref(), Ok("stop"));
}

#[test]
fn a_build_without_hexes_is_not_read_whatever_is_left_of_its_colour() {
    let mut state = game();
    assert_eq!(unreadable(&state, "build red"), "pc-hexes-missing");
    state.supply[Colour::Red] = 0;
    assert_eq!(unreadable(&state, "build red"), "pc-board-empty");
}

#[test]
fn who_names_no_number_is_told_of_the_second_share_where_there_is_one() {
    let mut state = game();
    for (left, remarks) in [(2, 1), (1, 0)] {
        state.supply[Colour::Blue] = left;
        assert_eq!(read(&state, "trade red for blue").remarks.len(), remarks, "{left}");
    }
}

#[test]
fn who_gives_and_takes_one_colour_is_told_of_those_that_could_be_taken() {
    let mut state = game();
    state.supply[Colour::Blue] = 0;
    let refused = say(&state, ONE, "trade red for 1 red").map_err(|refusal| refusal.instead);
    let others = [Colour::Yellow, Colour::Purple, Colour::Black, Colour::Brown];
    let others = others.map(|colour| Arg::Term(colour.term())).to_vec();
    let take = Message::new("pc-take-other").with("colours", Arg::List(others));
    assert_eq!(refused.map(|(_, events)| events), Err(vec![take]));
}

#[test]
fn marks_between_places_part_them_or_lead_from_one_to_the_other() {
    let state = game();
    for (line, meant) in [
        // What follows a comma is another place.
        ("build red G23, H24", Ok("build red G23 H24")),
        ("build red G, 23", Err("pc-no-place")),
        ("build red H18 Orleans", Ok("build red H18")),
        ("build red H18, Orleans", Ok("build red H18 H18")),
        // A dash and two dots lead on to what touches; a full stop does not.
        ("build red G23..H24", Ok("build red G23 H24")),
        ("build red F14..F10", Err("pc-gap")),
        ("build red F14. F10", Ok("build red F14 F10")),
        // A value and a colour's letter are told in brackets, which end where they close.
        ("build red H18 (1)", Ok("build red H18")),
        ("build red H18 1", Err("pc-no-place")),
        ("build red H18 (Orleans) 1", Err("pc-no-place")),
        ("build red (H24)", Ok("build red H24")),
        ("build blue (R)", Ok("build blue G21")),
        ("build blue G23 r", Err("pc-no-place")),
        // A star in square brackets is the tower, any other is none.
        ("build red [*]", Ok("build red F20")),
        ("build red *G23*", Ok("build red G23")),
    ] {
        let said = understood(&state, line).map_err(|(_, key)| key);
        assert_eq!(said, meant.map(str::to_owned), "{line}");
    }
}

#[test]
fn a_code_may_bear_the_letter_of_the_colour_that_stands_there_and_no_other() {
    let mut state = game();
    put(&mut state, Colour::Red, &["G25"]);
    assert_eq!(understood(&state, "build blue TyR").as_deref(), Ok("build blue G25"));
    assert_eq!(unreadable(&state, "build blue TyB"), "pc-no-place");
}

#[test]
fn a_name_may_begin_with_an_accent() {
    let accented = ParisConnection::DEFINITION.replace("name: Nancy", "name: \u{c9}pinal");
    let starts = ["E21", "F22", "G21", "G19", "F18", "E19"];
    let state = dealt(open(&accented, Options::default()), starts);
    for name in ["Epinal", "\u{e9}pinal", "\u{c9}PINAL"] {
        let line = format!("build red {name}");
        assert_eq!(understood(&state, &line).as_deref(), Ok("build red F30"), "{line}");
    }
}

#[test]
fn a_line_full_of_doubtful_words_is_not_read_in_more_ways_than_can_be_tried() {
    let state = game();
    let ways = |line: &str| {
        let words = words::read(line);
        places::read(&state, &words).map_or(0, |ways| ways.len())
    };
    // Each `to` before a place is Toulouse or says nothing; from the fifth on it is Toulouse.
    assert_eq!(ways("q17 to r16"), 2);
    assert_eq!(ways("q17 to r16 to r14 to r12 to r10"), 16);
    assert_eq!(ways("q17 to r16 to r14 to r12 to r10 to s11 to s15"), 16);
}

#[test]
fn a_hex_is_a_letter_and_at_most_two_digits() {
    let parsed = |name: &str| Hex::parse(name).map(|hex| hex.to_string());
    for name in ["G23", "g23", "A0", "z99"] {
        assert_eq!(parsed(name), Some(name.to_uppercase()));
    }
    for name in ["", "G", "23", "G+5", "G-5", "G023", "G123", "GG2", "G2x"] {
        assert_eq!(parsed(name), None, "{name}");
    }
}

#[test]
fn whatever_is_named_behind_the_end_city_does_no_harm() {
    use crate::games::paris_connection::forms::can_go;
    let mut state = game();
    put(&mut state, Colour::Red, &["R28"]);
    let go = |state: &State, names: &[&str]| {
        let hexes: Vec<Hex> = names.iter().map(|name| hex(name)).collect();
        can_go(state, Colour::Red, &hexes)
    };
    assert!(go(&state, &["R30", "S29", "A19"]));
    assert!(!go(&state, &["R30", "A19"]));
    // Where the storing boards are empty the game is over too, but not by the end city.
    state.supply = ByColour::default();
    (state.supply[Colour::Red], state.supply[Colour::Blue]) = (1, 3);
    assert!(go(&state, &["R30"]));
    assert!(!go(&state, &["R30", "S29"]));
}
