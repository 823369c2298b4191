//! Deposits, the Chasm card, the collapse, the abyss and the end.

use super::*;
use crate::games::off_the_rails::event::Ending;
use crate::games::off_the_rails::order::Card;

/// Seat 1 has a cart that goes on for ever on a ring of four corners.
fn ringed(options: &Options) -> State {
    let mut state = game(2, options);
    lay(&mut state, "A7 es, B7 sw, B8 nw, A8 ne");
    stand(&mut state, 0, "A7", Way::East, "r");
    state
}

fn deposits(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event, Event::Deposited { .. })).count()
}

#[test]
pub fn a_short_bag_gives_what_it_has() {
    let mut state = plain();
    state.gone = state.bag.minus(jewels("r"));
    state.bag = jewels("r");
    let after = say(&state, "end");
    assert!(after.bag.is_empty());
    assert_eq!(ground(&after).total(), 1);
}

#[test]
pub fn a_deposit_under_a_cart_lies_there() {
    let mut state = plain();
    // Whatever is turned up, a cart stands on it.
    let card = Card { colour: Colour::Red, number: 1 };
    lay(&mut state, "B2 ns");
    stand(&mut state, 0, "B2", Way::South, "");
    state.bag = state.bag.minus(jewels("rr"));
    state.bag = state.bag.plus(jewels("rr"));
    state.apply(&Event::Deposited { card, jewels: jewels("rr") });
    assert_eq!(state.ground[at("B2")], jewels("rr"));
    assert!(state.cart(cart(0)).hold.is_empty());
}

/// Turns on by both seats until something has happened, and what happened in the last turn.
fn until(mut state: State, wanted: fn(&Event) -> bool) -> (State, Vec<Event>, Seat) {
    let mut dice = dice();
    for _ in 0..80 {
        let seat = state.active().sure();
        let told = OffTheRails::decide(&state, seat, &Order::End, &mut dice).sure();
        told.iter().for_each(|event| state.apply(event));
        if told.iter().any(wanted) {
            return (state, told, seat);
        }
    }
    panic!("it never happened");
}

#[test]
pub fn the_chasm_card_gives_everyone_one_more_turn() {
    for seed in 0..40 {
        let definition = yaml::read(OffTheRails::DEFINITION).sure();
        let options = Options::default();
        let blank = OffTheRails::open(&definition, &options, 3).sure();
        let mut state = blank.clone();
        let mut dice = Dice::new(&Seed::rehearsal(seed), 0);
        OffTheRails::setup(&blank, &mut dice).iter().for_each(|event| state.apply(event));
        let (state, told, drawer) = until(state, |event| matches!(event, Event::ChasmCard { .. }));
        assert_eq!(deposits(&told), 0, "it brings no deposit");
        assert!((8..=12).contains(&state.drawn), "5th to 9th from the bottom of 17");
        assert_eq!(state.era, Era::LastRound(drawer));
        assert_eq!(state.active(), Some(drawer.next(3)));
        let (after, told, last) = until(state, |event| *event == Event::Collapsed);
        assert_eq!((last, deposits(&told)), (drawer, 1), "the drawer is last, with a deposit");
        let sunk: Vec<u32> = after.sunk.iter().map(|squares| squares.len()).collect();
        assert_eq!((sunk, after.tokens), (vec![1; 4], [4; 4]));
    }
}

#[test]
pub fn the_token_goes_where_its_colours_order_says() {
    for colour in Colour::ALL {
        let mut state = ringed(&Options::default());
        open_abyss(&mut state);
        state.tokens = [0; 4];
        state.tokens[colour.index()] = 4;
        let lines = "chasm red A2, yellow E1, green E4, blue B4; move";
        let (after, told) = tell(&state, lines);
        let wished = [at("A2"), at("E1"), at("E4"), at("B4")][colour.index()];
        assert!(told.contains(&Event::Sank { colour, at: wished }), "{told:?}");
        assert_eq!(after.player(ONE).sure().chasm, [None; 4], "for this turn only");
    }
}

#[test]
pub fn a_token_goes_next_to_one_of_its_colour_on_the_grid() {
    let mut state = ringed(&Options::default());
    open_abyss(&mut state);
    assert_eq!(refused(&state, "chasm red D4"), "or-chasm-square");
    assert_eq!(refused(&plain(), "chasm red B1"), "or-no-abyss");
    let squares = |state: &State| super::super::deck::chasm_squares(state, Colour::Red).len();
    assert_eq!(squares(&state), 4);
    state.apply(&Event::Sank { colour: Colour::Red, at: at("C2") });
    let open = super::super::deck::chasm_squares(&state, Colour::Red);
    assert!(open.contains(at("C3")), "the centre of a mine can collapse");
    // None open: the token is discarded.
    for name in ["B1", "A2", "B3", "C1", "D2", "C3"] {
        state.apply(&Event::Sank { colour: Colour::Yellow, at: at(name) });
    }
    state.tokens = [3, 0, 0, 0];
    let (after, told) = tell(&state, "move");
    assert!(told.contains(&Event::Discarded { colour: Colour::Red }));
    assert_eq!(after.tokens[0], 2);
}

#[test]
pub fn without_a_cart_a_token_is_placed_by_order_only() {
    let mut state = ringed(&Options::default());
    open_abyss(&mut state);
    assert_eq!(refused(&state, "chasm none"), "or-must-place");
    state.apply(&Event::Turn { seat: TWO });
    let sank = |lines| {
        let (_, told) = try_lines(&state, TWO, lines).sure();
        told.iter().any(|event| matches!(event, Event::Sank { .. }))
    };
    assert!(!sank("end"));
    assert!(!sank("chasm none; end"));
    assert!(sank("chasm yes; end"));
    assert!(sank("chasm red A2; end"), "naming a square is consent enough");
}

#[test]
pub fn the_abyss_die_takes_the_next_number_clockwise() {
    let mut state = ringed(&Options { abyss_die: true, ..Options::default() });
    open_abyss(&mut state);
    assert_eq!(refused(&state, "chasm red A2"), "or-useless");
    let mine = state.board.mines[0];
    for number in [1, 2, 3, 4, 5, 7] {
        state.apply(&Event::Sank { colour: Colour::Red, at: mine[number] });
    }
    state.tokens = [4, 0, 0, 0];
    let (_, told) = tell(&state, "move");
    assert!(told.contains(&Event::Sank { colour: Colour::Red, at: mine[6] }), "{told:?}");
}

#[test]
pub fn carts_enter_the_abyss_as_usual() {
    let mut state = ringed(&Options::default());
    open_abyss(&mut state);
    lay(&mut state, "D1 ns, D2 ns, D3 ns, D4 ns");
    assert_eq!(stands(&say(&state, "enter b D; end"), 1).0, on("D3"));
}

#[test]
pub fn the_game_ends_without_carts_or_without_tokens() {
    let mut state = ringed(&Options::default());
    open_abyss(&mut state);
    let ended = |state: &State| {
        let (after, told) = tell(state, "end");
        let reason = told.iter().find_map(|event| match event {
            Event::Ended { reason } => Some(*reason),
            _ => None,
        });
        (after, reason)
    };
    assert_eq!(ended(&state).1, None);
    let mut last = state.clone();
    last.tokens = [1, 0, 0, 0];
    let (after, reason) = ended(&last);
    assert_eq!(reason, Some(Ending::NoTokens));
    assert_eq!(stands(&after, 0).0, Place::Supply, "carts still on the board derail");
    let mut empty = plain();
    open_abyss(&mut empty);
    assert_eq!(ended(&empty).1, Some(Ending::NoCarts));
}

#[test]
pub fn a_token_on_a_cart_takes_it_out_of_the_game() {
    let mut state = ringed(&Options::default());
    open_abyss(&mut state);
    state.apply(&Event::Sank { colour: Colour::Red, at: at("B6") });
    state.tokens = [4, 0, 0, 0];
    let (after, _) = tell(&state, "chasm red B7; move");
    assert_eq!(stands(&after, 0).0, Place::Gone);
    assert_eq!(after.gone, jewels("r"));
    assert_eq!(after.track[at("B7")], Ends::NONE);
}
