//! The drawing, and what each viewer is told.

use super::{ONE, game, hex, put};
use crate::games::ParisConnection;
use crate::games::paris_connection::colour::{ByColour, Colour};
use crate::games::paris_connection::state::Event;
use crate::rules::{Charset, Seat, Viewer, Views};

#[test]
fn the_board_is_drawn_within_76_columns_with_what_is_new_in_small_letters() {
    let mut state = game();
    put(&mut state, Colour::Red, &["G23", "H24", "I25", "M27"]);
    put(&mut state, Colour::Black, &["G23", "M23"]);
    let new = [
        Event::Placed { seat: ONE, colour: Colour::Black, hex: hex("G23") },
        Event::Placed { seat: ONE, colour: Colour::Black, hex: hex("M23") },
    ];
    let board = ParisConnection::board(&state, &new, Charset::Ascii);
    assert!(board.iter().all(|line| line.len() <= 76 && line.is_ascii()));
    let row = |letter: char| board.iter().find(|line| line.starts_with(letter)).map(|line| &**line);
    assert_eq!(
        row('G'),
        Some("G  Br3  .  SB1  .   .   .  Al1  .   .  (P) (R) Rk  Ty1  .   .   .   . #St3")
    );
    assert_eq!(
        row('M'),
        Some("M                       .   .   .  Lg2  .   .  CFk  .  LyR  .  Ay1")
    );
    let unicode = ParisConnection::board(&state, &new, Charset::Unicode);
    assert!(unicode.iter().all(|line| line.chars().count() <= 76));
}

#[test]
fn only_the_player_is_told_the_hand() {
    let state = game();
    let shares = ByColour::from_fn(|_| 1);
    let events: Vec<Event> = Seat::all(3).map(|seat| Event::Dealt { seat, shares }).collect();
    let keys = |viewer| -> Vec<&str> {
        ParisConnection::narrate(&state, &events, viewer).iter().map(|said| said.key).collect()
    };
    assert_eq!(keys(Viewer::Public), ["pc-dealt"]);
    assert_eq!(keys(Viewer::Seat(Seat::new(2))), ["pc-dealt", "pc-your-hand"]);
}

#[test]
fn a_build_is_one_sentence() {
    let state = game();
    let place = |name| Event::Placed { seat: ONE, colour: Colour::Red, hex: hex(name) };
    let events = [place("G23"), place("G25"), Event::Turn { seat: Seat::new(2) }];
    let said = ParisConnection::narrate(&state, &events, Viewer::Public);
    assert_eq!(said.iter().map(|said| said.key).collect::<Vec<_>>(), ["pc-built"]);
}
