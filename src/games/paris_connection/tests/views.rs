//! Tests of the drawing, and of the news that each viewer gets.

use super::{ONE, deal_at_starts, dealt_game, hex, new_game, place_locomotives};
use crate::games::ParisConnection;
use crate::games::paris_connection::colour::{ByColour, Colour};
use crate::games::paris_connection::definition::Options;
use crate::games::paris_connection::hex::Hex;
use crate::games::paris_connection::state::{Ending, Event, State};
use crate::games::paris_connection::{narrate, order_words, places, scene};
use crate::rules::{
    Arg, Charset, Message, PictureStyle, Rules, SceneText, Seat, Shape, Viewer, Views,
};
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn text_board_fits_and_shows_new_in_lowercase() {
    let mut state = dealt_game();
    place_locomotives(&mut state, Colour::Red, &["G23", "H24", "I25", "M27"]);
    place_locomotives(&mut state, Colour::Black, &["G23", "M23"]);
    let new = [
        Event::Placed { seat: ONE, colour: Colour::Black, hex: hex("G23") },
        Event::Placed { seat: ONE, colour: Colour::Black, hex: hex("M23") },
    ];
    let board = ParisConnection::draw_board_text(&state, &new, Charset::Ascii);
    assert!(board.iter().all(|line| line.len() <= 76 && line.is_ascii()));
    let row = |letter: char| board.iter().find(|line| line.starts_with(letter)).map(|line| &**line);
    assert_eq!(
        row('G'),
        Some("G  Br3  .  SB1  .   .   .  Al1  .   .  (P) (R) R+k Ty1  .   .   .   . #St3")
    );
    assert_eq!(
        row('M'),
        Some("M                       .   .   .  Lg2  .   .  CFk  .  LyR  .  Ay1")
    );
    let unicode = ParisConnection::draw_board_text(&state, &new, Charset::Unicode);
    assert!(unicode.iter().all(|line| line.chars().count() <= 76));
}

/// Whether a label of the board names a place when it is written in an order.
fn named_place(state: &State, label: &str) -> Option<Hex> {
    let small = order_words::small(label);
    let words = order_words::split_words(&small);
    places::place_at_start(state, &words)
        .filter(|&(_, count)| count == words.len())
        .map(|one| one.0)
}

#[test]
fn board_labels_name_no_other_place() {
    let (rural, start) = (hex("G23"), hex("E21"));
    for one in Colour::ALL {
        for other in Colour::ALL {
            let mut state = dealt_game();
            place_locomotives(&mut state, one, &["G23"]);
            place_locomotives(&mut state, other, &["G23"]);
            for city in state.board.map.cities.clone() {
                place_locomotives(&mut state, one, &[&city.hex.to_string()]);
            }
            let recent = [Event::Placed { seat: ONE, colour: one, hex: rural }];
            for recent in [&[], &recent[..]] {
                let board = ParisConnection::draw_board_text(&state, recent, Charset::Ascii);
                for &place in &state.board.names {
                    let line = &board[1 + 2 * usize::from(place.row())];
                    let left = 1 + 2 * usize::from(place.column());
                    let label = line.get(left..(left + 3).min(line.len())).unwrap_or_default();
                    let named = named_place(&state, label);
                    assert!(named.is_none_or(|named| named == place), "{label} on {place}");
                    let has_name = place == start || state.board.city_on(place).is_some();
                    assert!(named.is_some() || !has_name, "{label} on {place} cannot be read");
                }
            }
        }
    }
}

#[test]
fn picture_shows_what_next_build_can_reach() {
    let letters = |state: &State| -> BTreeSet<String> {
        let scene = scene::draw_scene(state, &[], PictureStyle::default());
        scene.plain_texts().map(str::to_owned).collect()
    };
    let mut state = dealt_game();
    let shown = letters(&state);
    assert!(["A", "L", "Ca", "Rh", "Di"].iter().all(|text| shown.contains(*text)), "{shown:?}");
    assert!(["M", "Br", "St", "Ly", "Ma"].iter().all(|text| !shown.contains(*text)), "{shown:?}");
    place_locomotives(&mut state, Colour::Red, &["M27"]);
    let shown = letters(&state);
    assert!(["Ca", "Nt", "Ly", "Av"].iter().all(|text| shown.contains(*text)), "{shown:?}");
    assert!(["T", "Br", "Ma"].iter().all(|text| !shown.contains(*text)), "{shown:?}");
}

#[test]
fn only_own_hand_is_narrated() {
    let state = dealt_game();
    let shares = ByColour::from_fn(|_| 1);
    let events: Vec<Event> = Seat::all(3).map(|seat| Event::Dealt { seat, shares }).collect();
    let keys = |viewer| -> Vec<&str> {
        ParisConnection::narrate_events(&state, &events, viewer)
            .iter()
            .map(|said| said.key)
            .collect()
    };
    assert_eq!(keys(Viewer::Public), ["pc-dealt"]);
    assert_eq!(keys(Viewer::Seat(Seat::new(2))), ["pc-dealt", "pc-your-hand"]);
}

#[test]
fn build_is_narrated_in_one_sentence() {
    let state = dealt_game();
    let place = |name| Event::Placed { seat: ONE, colour: Colour::Red, hex: hex(name) };
    let events = [place("G23"), place("G25"), Event::Turn { seat: Seat::new(2) }];
    let said = ParisConnection::narrate_events(&state, &events, Viewer::Public);
    assert_eq!(said.iter().map(|said| said.key).collect::<Vec<_>>(), ["pc-built"]);
}

#[test]
fn builds_of_other_seat_or_colour_are_separate() {
    let state = dealt_game();
    let placed = |seat, colour, name| Event::Placed { seat, colour, hex: hex(name) };
    for second in [
        placed(Seat::new(2), Colour::Red, "G25"),
        placed(ONE, Colour::Blue, "D22"),
        placed(Seat::new(2), Colour::Blue, "D22"),
    ] {
        let events = [placed(ONE, Colour::Red, "G23"), second];
        let said = ParisConnection::narrate_events(&state, &events, Viewer::Public);
        assert_eq!(said.iter().map(|said| said.key).collect::<Vec<_>>(), ["pc-built"; 2]);
    }
}

/// Returns the companies that seat 1 may build, and those of which it may give a share.
fn choice_terms(state: &State) -> (Vec<Arg>, Option<Arg>) {
    let choices = ParisConnection::describe_choices(state, ONE);
    let of = |key: &'static str| choices.iter().filter(move |choice| choice.key == key);
    let builds = of("pc-choice-build").map(|choice| choice.args["colour"].clone()).collect();
    assert!(of("pc-choice-trade").count() <= 1);
    let trade = of("pc-choice-trade").map(|choice| choice.args["held"].clone()).next();
    (builds, trade)
}

#[test]
fn choices_are_stocked_companies_and_held_shares() {
    let terms = |colours: &[Colour]| -> Vec<Arg> {
        colours.iter().map(|colour| Arg::Term(colour.term())).collect()
    };
    let [blue, yellow, red, purple, black, brown] = Colour::ALL;
    let mut state = dealt_game();
    assert_eq!(choice_terms(&state), (terms(&Colour::ALL), Some(Arg::List(terms(&Colour::ALL)))));
    state.supply[blue] = 0;
    state.portfolios[0].shares[brown] = 0;
    let rest = terms(&[yellow, red, purple, black, brown]);
    let held = terms(&[blue, yellow, red, purple, black]);
    assert_eq!(choice_terms(&state), (rest, Some(Arg::List(held))));
    // After the first locomotive of a build, the seat may only build that colour.
    state.apply(&Event::Placed { seat: ONE, colour: red, hex: hex("G23") });
    assert_eq!(choice_terms(&state), (terms(&[red]), None));
}

#[test]
fn only_shipped_map_title_is_translated() {
    assert_eq!(narrate::map_title(&dealt_game().board), Arg::Term("pc-map-ours"));
    let theirs = ParisConnection::DEFINITION.replacen("title: ", "title: Their ", 1);
    assert_ne!(theirs, ParisConnection::DEFINITION);
    let state = new_game(&theirs, Options::default());
    assert_eq!(narrate::map_title(&state.board), Arg::from(state.board.map.title.as_str()));
    assert!(state.board.map.title.starts_with("Their "));
    // The debug output of a board is short, because tests print states.
    assert_eq!(format!("{:?}", state.board), format!("Board({})", state.board.map.title));
}

#[test]
fn score_has_company_parts_and_penalty_for_excess() {
    let mut state = dealt_game();
    state.values = ByColour::from_fn(|_| 3);
    state.portfolios[0].shares = ByColour::from_fn(|_| 0);
    (state.portfolios[0].shares[Colour::Red], state.portfolios[0].shares[Colour::Blue]) = (18, 2);
    let of_one = |state: &State| -> (i64, Vec<(&str, i64)>) {
        let mut standings = ParisConnection::rankings(state).into_iter();
        let one = standings.find(|standing| standing.seat == ONE).expect("it plays");
        let parts = one.breakdown.iter().map(|part| (part.item.key, part.points)).collect();
        (one.score, parts)
    };
    let shares = "pc-score-shares";
    assert_eq!(of_one(&state), (60, vec![(shares, 6), (shares, 54)]));
    let view = ParisConnection::private_data(&state, ONE);
    let tally =
        |view: &Value| ["worth", "excess", "penalty", "score"].map(|name| view[name].clone());
    assert_eq!(tally(&view), [60, 0, 0, 60]);
    state.portfolios[0].shares[Colour::Red] = 19;
    assert_eq!(of_one(&state), (43, vec![(shares, 6), (shares, 57), ("pc-score-excess", -20)]));
    let view = ParisConnection::private_data(&state, ONE);
    assert_eq!(tally(&view), [63, 1, 20, 43]);
}

#[test]
fn progress_follows_emptied_boards_or_track() {
    let supplied = |supply: ByColour<u8>| {
        let mut state = dealt_game();
        state.supply = supply;
        ParisConnection::progress_percent(&state)
    };
    // After the deal, 26 of each are left on average. All but one board must be emptied.
    assert_eq!(supplied(ByColour::from_fn(|_| 26)), 0);
    assert_eq!(supplied(ByColour::from_fn(|_| 13)), 50);
    assert_eq!(supplied(ByColour::from_fn(|c| if c == Colour::Red { 31 } else { 13 })), 50);
    assert_eq!(supplied(ByColour::from_fn(|c| if c == Colour::Red { 31 } else { 0 })), 99);
    // Marseille is 12 hexes from the Gare de Lyon and 6 from Lyon.
    let mut state = dealt_game();
    place_locomotives(&mut state, Colour::Red, &["M27"]);
    state.supply = ByColour::from_fn(|_| 26);
    assert_eq!(ParisConnection::progress_percent(&state), 50);
    place_locomotives(&mut state, Colour::Red, &["R28"]);
    state.supply = ByColour::from_fn(|_| 13);
    assert_eq!(ParisConnection::progress_percent(&state), 91);
    state.apply(&Event::Ended { reason: Ending::Stalled });
    assert_eq!(ParisConnection::progress_percent(&state), 100);
    let unopened = new_game(ParisConnection::DEFINITION, Options::default());
    assert_eq!(ParisConnection::progress_percent(&unopened), 0);
    let starts = ["E21", "F22", "G21", "G19", "F18", "E19"];
    assert!(ParisConnection::progress_percent(&deal_at_starts(unopened, starts)) < 3);
}

#[test]
fn legend_shows_city_as_framed_box() {
    let shapes = scene::draw_scene(&dealt_game(), &[], PictureStyle::default()).shapes;
    let sample = shapes.iter().rposition(|shape| match shape {
        Shape::Text { words: SceneText::Sentence(said), .. } => {
            *said == Message::new("pc-picture-city")
        }
        _ => false,
    });
    let sample = sample.expect("the legend");
    let [Shape::Area { corners, .. }, Shape::Line { points, .. }, Shape::Text { at, .. }] =
        &shapes[sample - 3..sample]
    else {
        panic!("{:?}", &shapes[sample - 3..=sample]);
    };
    assert!(corners.iter().all(|corner| points.contains(corner)), "{corners:?}, {points:?}");
    let ((left, top), (right, bottom)) = (corners[0], corners[2]);
    assert_eq!(*at, (i32::midpoint(left, right), i32::midpoint(top, bottom)));
}
