use super::*;
use crate::rules::{Charset, PictureStyle};

/// Returns a position that contains every element of the board: mines, all shapes of track, jewels,
/// carts and chasm tokens.
pub fn sample_position() -> State {
    let mut state = new_game(4, &Options::default());
    lay_tiles(
        &mut state,
        "C1 ns, C2 nes, D2 esw, D3 ns, D4 ne, E4 ew, B2 es, A5 ew, B5 ew, E2 nw, G4 nesw",
    );
    place_jewels(&mut state, "C2", "rr");
    place_jewels(&mut state, "E4", "dgo");
    place_jewels(&mut state, "B7", "reeo");
    place_jewels(&mut state, "G2", "rrrrrrreo");
    place_cart(&mut state, 0, "D2", Direction::East, "rd");
    place_cart(&mut state, 5, "B5", Direction::West, "");
    place_cart(&mut state, 3, "G4", Direction::North, "o");
    set_speed(&mut state, 0, 4);
    state.apply(&Event::Sank { colour: Colour::Green, at: square_at("F7") });
    state.apply(&Event::Sank { colour: Colour::Green, at: square_at("F8") });
    state
}

#[test]
fn board_drawing_matches_snapshots_in_both_charsets() {
    let state = sample_position();
    let new = [
        Event::Laid { seat: SEAT_ONE, at: square_at("D3"), ends: TileOpenings::LAYABLE[0] },
        Event::Sank { colour: Colour::Green, at: square_at("F8") },
    ];
    let board = |charset| OffTheRails::draw_board_text(&state, &new, charset);
    let ascii = board(Charset::Ascii);
    insta::assert_snapshot!("ascii", ascii.join("\n"));
    insta::assert_snapshot!("unicode", board(Charset::Unicode).join("\n"));
    assert!(ascii.iter().all(|line| line.is_ascii() && line.len() <= 76));
    assert!(board(Charset::Unicode).iter().all(|line| line.chars().count() <= 76));
}

#[test]
fn board_labels_name_no_square() {
    let solo = play_lines(&new_game(1, &Options::default()), "enter green B");
    for state in [sample_position(), solo] {
        let text = OffTheRails::draw_board_text(&state, &[], Charset::Ascii).join("\n");
        let is_square = |word: &&str| Square::parse(word).is_some();
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        assert_eq!(words.find(is_square), None, "{text}");
        let scene = OffTheRails::draw_board_picture(&state, &[], PictureStyle::default());
        let labels: Vec<&str> = scene.plain_texts().collect();
        assert_eq!(labels.iter().find(|label| is_square(label)), None);
        // The labels of a mine: its letter once, and the numbers 1 to 8.
        assert!(Colour::ALL.iter().all(|one| labels.contains(&&*one.letter().to_string())));
        assert_eq!(labels.iter().filter(|label| **label == "7").count(), 5, "{labels:?}");
    }
}

#[test]
fn surface_cart_is_drawn_in_margin() {
    let state = play_lines(&default_game(), "enter white C");
    let board = OffTheRails::draw_board_text(&state, &[], Charset::Ascii);
    assert_eq!(board[1].trim(), "1w");
    let mut state = new_game(4, &Options::default());
    state.apply(&Event::Turn { seat: Seat::new(3) });
    let (state, _) = try_lines(&state, Seat::new(3), "enter black 4").or_fail();
    let board = OffTheRails::draw_board_text(&state, &[], Charset::Ascii);
    assert!(board[2 + 3 * 3].ends_with("3b"), "{}", board.join("\n"));
}

#[test]
fn largest_board_fits_76_columns() {
    let text =
        OffTheRails::DEFINITION.replace("columns: 8", "columns: 9").replace("rows: 8", "rows: 9");
    let state =
        OffTheRails::initial_state(&yaml::parse(&text).or_fail(), &Options::default(), 4).or_fail();
    let board = OffTheRails::draw_board_text(&state, &[], Charset::Ascii);
    assert!(board.iter().all(|line| line.len() <= 76));
}
