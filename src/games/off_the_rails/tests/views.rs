//! Tests of the views of a position and of the choices that a player is shown.

use super::*;
use crate::games::off_the_rails::definition::{BumperHeadOnRule, CutRule, Definition};
use crate::games::off_the_rails::order::SurfaceSquare;
use crate::games::off_the_rails::scene::cart_colour;
use crate::games::row_lookup::expect_json_array;
use crate::rules::{Arg, Charset, Viewer};

fn message_keys(messages: &[Message]) -> Vec<&'static str> {
    messages.iter().map(|message| message.key).collect()
}

#[test]
fn board_draws_six_jewels_and_lists_larger_deposits() {
    let drawn = |letters: &str| {
        let mut state = default_game();
        place_jewels(&mut state, "A1", letters);
        let board = OffTheRails::draw_board_text(&state, &[], Charset::Ascii);
        let public = OffTheRails::public_data(&state);
        let listed = expect_json_array(&public["crowded"]).iter().map(|view| {
            assert_eq!(view["square"], "A1");
            expect_json_array(&view["jewels"])
                .iter()
                .filter_map(|kind| kind["count"].as_u64())
                .sum::<u64>()
        });
        (board[4].trim().to_owned(), listed.sum::<u64>())
    };
    assert_eq!(drawn("rrooed"), ("der roo".to_owned(), 0));
    assert_eq!(drawn("rrrooed"), ("der rr+".to_owned(), 7));
    assert_eq!(drawn("rrrroooed"), ("der rr+".to_owned(), 9));
}

#[test]
fn surface_carts_are_drawn_beside_column_or_row() {
    let mut state = new_game(4, &Options::default());
    // The carts belong to the seats that start in the north, south, east and west.
    for (id, side, index) in [
        (1, Direction::North, 6),
        (2, Direction::South, 1),
        (5, Direction::East, 2),
        (6, Direction::West, 6),
    ] {
        state.apply(&Event::Entered {
            cart: cart(id),
            berth: SurfaceSquare { side, index },
            speed: 3,
        });
    }
    let board = OffTheRails::draw_board_text(&state, &[], Charset::Ascii);
    let last = board.len() - 1;
    assert_eq!(board[1].find("1b"), board[0].find('G'), "below the letter of its column");
    assert_eq!(board[1].trim(), "1b");
    assert_eq!(board[last - 1].find("2w"), board[last].find('B'), "above the letter");
    assert_eq!(board[last - 1].trim(), "2w");
    let row = |number: char| board.iter().position(|line| line.starts_with(number)).or_fail();
    assert!(board[row('3') - 1].ends_with("3b"), "above the number of its row");
    assert!(board[row('7') - 1].starts_with("4w"), "above the number of its row");
}

#[test]
fn star_marks_collision_and_stop_squares() {
    let starred = |state: &State, line: &str| {
        let (after, told) = play_with_events(state, line);
        let recent: Vec<Event> =
            told.into_iter().filter(|event| !matches!(event, Event::Deposited { .. })).collect();
        let board = OffTheRails::draw_board_text(&after, &recent, Charset::Ascii);
        let star = |&square: &Square| {
            let (line, column) =
                (2 + 3 * usize::from(square.row()), 2 + 8 * usize::from(square.column()) + 6);
            board[line].as_bytes().get(column) == Some(&b'*')
        };
        let squares = after.board.squares.iter().filter(star);
        squares.map(|at| at.to_string()).collect::<Vec<_>>()
    };
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns, D3 ns, D4 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    set_speed(&mut state, 0, 3);
    assert_eq!(starred(&state, "move w"), ["D4"]);
    place_cart(&mut state, 2, "D3", Direction::South, "g");
    assert_eq!(starred(&state, "move w"), ["D2", "D3"], "rammed from behind it does not turn");
    assert_eq!(starred(&state, "lay A1 ns"), ["A1"]);
    lay_tiles(&mut state, "G1 ns, G2 nes");
    state.bag = state.bag.plus(jewels("r"));
    place_cart(&mut state, 0, "G1", Direction::South, "r");
    let stopped = play_lines(&state, "move w");
    assert_eq!(starred(&stopped, "face w east"), ["G2"]);
}

#[test]
fn cart_has_side_colour_or_own_solo_colour() {
    let colours = |state: &State| -> Vec<Colour> {
        state.all_carts().map(|cart| cart_colour(state, cart)).collect()
    };
    let (red, yellow, green, blue) = (Colour::Red, Colour::Yellow, Colour::Green, Colour::Blue);
    let four = new_game(4, &Options::default());
    assert_eq!(colours(&four), [red, red, green, green, yellow, yellow, blue, blue]);
    assert_eq!(colours(&solo::new_solo_game()), [red, yellow, green, blue]);
}

#[test]
fn chosen_options_appear_in_views() {
    let shown = |options: &Options| {
        let view = OffTheRails::public_data(&new_game(2, options));
        (view["bumpers"] == true, view["head_on_full"] == true)
    };
    let bumpers = Options { bumpers: true, ..Options::default() };
    assert_eq!(shown(&Options::default()), (false, false));
    assert_eq!(shown(&bumpers), (true, false));
    assert_eq!(shown(&Options { bumper_head_on: BumperHeadOnRule::Full, ..bumpers }), (true, true));
    let split = |state: &State| OffTheRails::private_data(state, SEAT_ONE)["split"].clone();
    assert_eq!(split(&default_game()), "or-split-balanced");
    let asked = new_game(2, &Options { cut: CutRule::Interactive, ..Options::default() });
    assert!(split(&asked).is_null() && split(&solo::new_solo_game()).is_null());
}

#[test]
fn only_awaited_seat_gets_choices() {
    let mut state = new_game(2, &Options { cut: CutRule::Interactive, ..Options::default() });
    lay_tiles(&mut state, "D1 ns, D2 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    place_cart(&mut state, 2, "D2", Direction::South, "rd");
    let choices = |state: &State, seat| message_keys(&OffTheRails::describe_choices(state, seat));
    assert!(choices(&state, SEAT_ONE).contains(&"or-choice-done"));
    assert!(choices(&state, SEAT_ONE).contains(&"or-choice-ram"), "a cart stands ahead");
    assert!(choices(&state, SEAT_TWO).is_empty());
    let rammed = play_lines(&state, "move w");
    assert!(choices(&rammed, SEAT_ONE).is_empty(), "seat 2 is asked");
    assert_eq!(choices(&rammed, SEAT_TWO), ["or-answers"]);
}

#[test]
fn unavailable_tiles_and_missions_are_not_offered() {
    let mut state = default_game();
    let offers = |state: &State, key| {
        message_keys(&OffTheRails::describe_choices(state, SEAT_ONE)).contains(&key)
    };
    assert!(offers(&state, "or-choice-lay") && !offers(&state, "or-missions-open"));
    state.tiles.straight_or_corner = 0;
    assert!(!offers(&state, "or-choice-lay"));
    turn_up_missions(&mut state, &[Mission::DirtyGoblins]);
    assert!(!offers(&state, "or-missions-open"), "it is awarded at the end");
    turn_up_missions(&mut state, &[Mission::DirtyGoblins, Mission::RedLeader]);
    assert!(offers(&state, "or-missions-open"));
}

#[test]
fn only_shipped_board_name_is_translated() {
    let named = |title: &str| {
        let mut definition: Definition = yaml::parse(OffTheRails::DEFINITION).or_fail();
        if !title.is_empty() {
            title.clone_into(&mut definition.title);
        }
        let state = OffTheRails::initial_state(&definition, &Options::default(), 2).or_fail();
        let opened =
            Event::Opened { sides: vec![Direction::North, Direction::South], missions: Vec::new() };
        OffTheRails::narrate_events(&state, &[opened], Viewer::Public)[0].args["board"].clone()
    };
    assert_eq!(named(""), Arg::Term("or-board-ours"));
    assert_eq!(named("the deep mine"), Arg::Text("the deep mine".to_owned()));
}
