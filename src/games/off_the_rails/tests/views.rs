//! What players are shown of a position, and what they are told that they can do.

use super::*;
use crate::games::off_the_rails::definition::{BumperHeadOn, Cut, Definition};
use crate::games::off_the_rails::order::Berth;
use crate::games::off_the_rails::scene::colour_of;
use crate::games::rows_said::list;
use crate::rules::{Arg, Charset, Viewer};

fn keys(messages: &[Message]) -> Vec<&'static str> {
    messages.iter().map(|message| message.key).collect()
}

#[test]
fn six_jewels_of_a_square_are_drawn_and_more_are_listed() {
    let drawn = |letters: &str| {
        let mut state = plain();
        strew(&mut state, "A1", letters);
        let board = OffTheRails::board(&state, &[], Charset::Ascii);
        let public = OffTheRails::public(&state);
        let listed = list(&public["crowded"]).iter().map(|view| {
            assert_eq!(view["square"], "A1");
            list(&view["jewels"]).iter().filter_map(|kind| kind["count"].as_u64()).sum::<u64>()
        });
        (board[4].trim().to_owned(), listed.sum::<u64>())
    };
    assert_eq!(drawn("rrooed"), ("der roo".to_owned(), 0));
    assert_eq!(drawn("rrrooed"), ("der rr+".to_owned(), 7));
    assert_eq!(drawn("rrrroooed"), ("der rr+".to_owned(), 9));
}

#[test]
fn a_cart_on_the_surface_is_drawn_at_its_column_or_row_outside_of_the_board() {
    let mut state = game(4, &Options::default());
    // By the seats: north, south, east and west.
    for (id, side, index) in
        [(1, Way::North, 6), (2, Way::South, 1), (5, Way::East, 2), (6, Way::West, 6)]
    {
        state.apply(&Event::Entered { cart: cart(id), berth: Berth { side, index }, speed: 3 });
    }
    let board = OffTheRails::board(&state, &[], Charset::Ascii);
    let last = board.len() - 1;
    assert_eq!(board[1].find("1b"), board[0].find('G'), "below the letter of its column");
    assert_eq!(board[1].trim(), "1b");
    assert_eq!(board[last - 1].find("2w"), board[last].find('B'), "above the letter");
    assert_eq!(board[last - 1].trim(), "2w");
    let row = |number: char| board.iter().position(|line| line.starts_with(number)).sure();
    assert!(board[row('3') - 1].ends_with("3b"), "above the number of its row");
    assert!(board[row('7') - 1].starts_with("4w"), "above the number of its row");
}

#[test]
fn a_star_marks_where_carts_met_and_where_one_has_stopped() {
    let starred = |state: &State, line: &str| {
        let (after, told) = tell(state, line);
        let recent: Vec<Event> =
            told.into_iter().filter(|event| !matches!(event, Event::Deposited { .. })).collect();
        let board = OffTheRails::board(&after, &recent, Charset::Ascii);
        let star = |&square: &Square| {
            let (line, column) =
                (2 + 3 * usize::from(square.row()), 2 + 8 * usize::from(square.column()) + 6);
            board[line].as_bytes().get(column) == Some(&b'*')
        };
        let squares = after.board.squares.iter().filter(star);
        squares.map(|at| at.to_string()).collect::<Vec<_>>()
    };
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns, D3 ns, D4 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    speed(&mut state, 0, 3);
    assert_eq!(starred(&state, "move w"), ["D4"]);
    stand(&mut state, 2, "D3", Way::South, "g");
    assert_eq!(starred(&state, "move w"), ["D2", "D3"], "rammed from behind it does not turn");
    assert_eq!(starred(&state, "lay A1 ns"), ["A1"]);
    lay(&mut state, "G1 ns, G2 nes");
    state.bag = state.bag.plus(jewels("r"));
    stand(&mut state, 0, "G1", Way::South, "r");
    let stopped = say(&state, "move w");
    assert_eq!(starred(&stopped, "face w east"), ["G2"]);
}

#[test]
fn a_cart_has_the_colour_of_its_side_or_alone_its_own() {
    let colours = |state: &State| -> Vec<Colour> {
        state.all_carts().map(|cart| colour_of(state, cart)).collect()
    };
    let (red, yellow, green, blue) = (Colour::Red, Colour::Yellow, Colour::Green, Colour::Blue);
    let four = game(4, &Options::default());
    assert_eq!(colours(&four), [red, red, green, green, yellow, yellow, blue, blue]);
    assert_eq!(colours(&solo::alone()), [red, yellow, green, blue]);
}

#[test]
fn the_rules_that_were_chosen_are_shown() {
    let shown = |options: &Options| {
        let view = OffTheRails::public(&game(2, options));
        (view["bumpers"] == true, view["head_on_full"] == true)
    };
    let bumpers = Options { bumpers: true, ..Options::default() };
    assert_eq!(shown(&Options::default()), (false, false));
    assert_eq!(shown(&bumpers), (true, false));
    assert_eq!(shown(&Options { bumper_head_on: BumperHeadOn::Full, ..bumpers }), (true, true));
    let split = |state: &State| OffTheRails::private(state, ONE)["split"].clone();
    assert_eq!(split(&plain()), "or-split-balanced");
    let asked = game(2, &Options { cut: Cut::Interactive, ..Options::default() });
    assert!(split(&asked).is_null() && split(&solo::alone()).is_null());
}

#[test]
fn only_who_has_to_act_is_told_what_can_be_done() {
    let mut state = game(2, &Options { cut: Cut::Interactive, ..Options::default() });
    lay(&mut state, "D1 ns, D2 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    stand(&mut state, 2, "D2", Way::South, "rd");
    let choices = |state: &State, seat| keys(&OffTheRails::choices(state, seat));
    assert!(choices(&state, ONE).contains(&"or-choice-done"));
    assert!(choices(&state, ONE).contains(&"or-choice-ram"), "a cart stands ahead");
    assert!(choices(&state, TWO).is_empty());
    let rammed = say(&state, "move w");
    assert!(choices(&rammed, ONE).is_empty(), "seat 2 is asked");
    assert_eq!(choices(&rammed, TWO), ["or-answers"]);
}

#[test]
fn what_is_not_there_to_be_laid_or_claimed_is_not_offered() {
    let mut state = plain();
    let offers = |state: &State, key| keys(&OffTheRails::choices(state, ONE)).contains(&key);
    assert!(offers(&state, "or-choice-lay") && !offers(&state, "or-missions-open"));
    state.tiles.straight_or_corner = 0;
    assert!(!offers(&state, "or-choice-lay"));
    face_up(&mut state, &[Mission::DirtyGoblins]);
    assert!(!offers(&state, "or-missions-open"), "it is awarded at the end");
    face_up(&mut state, &[Mission::DirtyGoblins, Mission::RedLeader]);
    assert!(offers(&state, "or-missions-open"));
}

#[test]
fn the_board_that_we_ship_has_a_name_in_each_language_and_another_keeps_its_own() {
    let named = |title: &str| {
        let mut definition: Definition = yaml::read(OffTheRails::DEFINITION).sure();
        if !title.is_empty() {
            title.clone_into(&mut definition.title);
        }
        let state = OffTheRails::open(&definition, &Options::default(), 2).sure();
        let opened = Event::Opened { sides: vec![Way::North, Way::South], missions: Vec::new() };
        OffTheRails::narrate(&state, &[opened], Viewer::Public)[0].args["board"].clone()
    };
    assert_eq!(named(""), Arg::Term("or-board-ours"));
    assert_eq!(named("the deep mine"), Arg::Text("the deep mine".to_owned()));
}
