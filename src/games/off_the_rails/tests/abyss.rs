//! Tests of deposits, the Chasm card, the collapse, the abyss era and the end of the game.

use super::*;
use crate::games::off_the_rails::event::Ending;
use crate::games::off_the_rails::order::Card;

/// Returns a game in which seat 1's cart circles forever on a ring of four corners, so that the
/// game does not end.
fn game_with_ring(options: &Options) -> State {
    let mut state = new_game(2, options);
    lay_tiles(&mut state, "A7 es, B7 sw, B8 nw, A8 ne");
    place_cart(&mut state, 0, "A7", Direction::East, "r");
    state
}

fn count_deposits(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event, Event::Deposited { .. })).count()
}

#[test]
pub fn short_bag_deposits_all_remaining_jewels() {
    let mut state = default_game();
    state.gone_jewels = state.bag.minus(jewels("r"));
    state.bag = jewels("r");
    let after = play_lines(&state, "end");
    assert!(after.bag.is_empty());
    assert_eq!(jewels_on_board(&after).total(), 1);
}

#[test]
pub fn deposit_under_cart_stays_on_square() {
    let mut state = default_game();
    // The deposit goes to the square of a cart.
    let card = Card { colour: Colour::Red, number: 1 };
    lay_tiles(&mut state, "B2 ns");
    place_cart(&mut state, 0, "B2", Direction::South, "");
    state.bag = state.bag.minus(jewels("rr"));
    state.bag = state.bag.plus(jewels("rr"));
    state.apply(&Event::Deposited { card, jewels: jewels("rr") });
    assert_eq!(state.ground[square_at("B2")], jewels("rr"));
    assert!(state.cart(cart(0)).hold.is_empty());
}

/// Ends turns of all seats until an event matches. Returns the position, the events of the last
/// turn, and its seat.
fn play_until(mut state: State, wanted: fn(&Event) -> bool) -> (State, Vec<Event>, Seat) {
    let mut dice = dice();
    for _ in 0..80 {
        let seat = state.active_seat().or_fail();
        let told = OffTheRails::decide(&state, seat, &Order::EndTurn, &mut dice).or_fail();
        told.iter().for_each(|event| state.apply(event));
        if told.iter().any(wanted) {
            return (state, told, seat);
        }
    }
    panic!("it never happened");
}

#[test]
pub fn chasm_card_gives_each_player_one_turn() {
    for seed in 0..40 {
        let definition = yaml::parse(OffTheRails::DEFINITION).or_fail();
        let options = Options::default();
        let blank = OffTheRails::initial_state(&definition, &options, 3).or_fail();
        let mut state = blank.clone();
        let mut dice = Dice::new(&Seed::from_number(seed), 0);
        OffTheRails::setup(&blank, &mut dice).iter().for_each(|event| state.apply(event));
        let (state, told, drawer) =
            play_until(state, |event| matches!(event, Event::ChasmCard { .. }));
        assert_eq!(count_deposits(&told), 0, "it brings no deposit");
        assert!((8..=12).contains(&state.drawn), "5th to 9th from the bottom of 17");
        assert_eq!(state.era, Era::LastRound(drawer));
        assert_eq!(state.active_seat(), Some(drawer.next(3)));
        let (after, told, last) = play_until(state, |event| *event == Event::Collapsed);
        assert_eq!(
            (last, count_deposits(&told)),
            (drawer, 1),
            "the drawer is last, with a deposit"
        );
        let sunk: Vec<u32> = after.sunk.iter().map(|squares| squares.len()).collect();
        assert_eq!((sunk, after.tokens), (vec![1; 4], [4; 4]));
    }
}

#[test]
pub fn token_goes_to_square_ordered_for_colour() {
    for colour in Colour::ALL {
        let mut state = game_with_ring(&Options::default());
        open_abyss(&mut state);
        state.tokens = [0; 4];
        state.tokens[colour.index()] = 4;
        let lines = "chasm red A2, yellow E1, green E4, blue B4; move";
        let (after, told) = play_with_events(&state, lines);
        let wished =
            [square_at("A2"), square_at("E1"), square_at("E4"), square_at("B4")][colour.index()];
        assert!(told.contains(&Event::Sank { colour, at: wished }), "{told:?}");
        assert_eq!(after.player(SEAT_ONE).or_fail().token_wishes, [None; 4], "for this turn only");
    }
}

#[test]
pub fn token_needs_adjacent_token_of_same_colour() {
    let mut state = game_with_ring(&Options::default());
    open_abyss(&mut state);
    assert_eq!(refusal_key(&state, "chasm red D4"), "or-chasm-square");
    assert_eq!(refusal_key(&default_game(), "chasm red B1"), "or-no-abyss");
    let squares = |state: &State| super::super::deck::legal_token_squares(state, Colour::Red).len();
    assert_eq!(squares(&state), 4);
    state.apply(&Event::Sank { colour: Colour::Red, at: square_at("C2") });
    let open = super::super::deck::legal_token_squares(&state, Colour::Red);
    assert!(open.contains(square_at("C3")), "the centre of a mine can collapse");
    // If no square is legal, the token is discarded.
    for name in ["B1", "A2", "B3", "C1", "D2", "C3"] {
        state.apply(&Event::Sank { colour: Colour::Yellow, at: square_at(name) });
    }
    state.tokens = [3, 0, 0, 0];
    let (after, told) = play_with_events(&state, "move");
    assert!(told.contains(&Event::Discarded { colour: Colour::Red }));
    assert_eq!(after.tokens[0], 2);
}

#[test]
pub fn player_without_cart_places_token_only_if_ordered() {
    let mut state = game_with_ring(&Options::default());
    open_abyss(&mut state);
    assert_eq!(refusal_key(&state, "chasm none"), "or-must-place");
    state.apply(&Event::Turn { seat: SEAT_TWO });
    let sank = |lines| {
        let (_, told) = try_lines(&state, SEAT_TWO, lines).or_fail();
        told.iter().any(|event| matches!(event, Event::Sank { .. }))
    };
    assert!(!sank("end"));
    assert!(!sank("chasm none; end"));
    assert!(sank("chasm yes; end"));
    assert!(sank("chasm red A2; end"), "naming a square is consent enough");
}

#[test]
pub fn abyss_die_skips_collapsed_squares_clockwise() {
    let mut state = game_with_ring(&Options { abyss_die: true, ..Options::default() });
    open_abyss(&mut state);
    assert_eq!(refusal_key(&state, "chasm red A2"), "or-useless");
    let mine = state.board.mines[0];
    for number in [1, 2, 3, 4, 5, 7] {
        state.apply(&Event::Sank { colour: Colour::Red, at: mine[number] });
    }
    state.tokens = [4, 0, 0, 0];
    let (_, told) = play_with_events(&state, "move");
    assert!(told.contains(&Event::Sank { colour: Colour::Red, at: mine[6] }), "{told:?}");
}

#[test]
pub fn carts_can_enter_during_abyss() {
    let mut state = game_with_ring(&Options::default());
    open_abyss(&mut state);
    lay_tiles(&mut state, "D1 ns, D2 ns, D3 ns, D4 ns");
    assert_eq!(place_and_facing(&play_lines(&state, "enter b D; end"), 1).0, on_track("D3"));
}

#[test]
pub fn game_ends_without_carts_or_tokens() {
    let mut state = game_with_ring(&Options::default());
    open_abyss(&mut state);
    let ended = |state: &State| {
        let (after, told) = play_with_events(state, "end");
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
    assert_eq!(place_and_facing(&after, 0).0, Place::Supply, "carts still on the board derail");
    let mut empty = default_game();
    open_abyss(&mut empty);
    assert_eq!(ended(&empty).1, Some(Ending::NoCarts));
}

#[test]
pub fn token_on_cart_removes_cart_from_game() {
    let mut state = game_with_ring(&Options::default());
    open_abyss(&mut state);
    state.apply(&Event::Sank { colour: Colour::Red, at: square_at("B6") });
    state.tokens = [4, 0, 0, 0];
    let (after, _) = play_with_events(&state, "chasm red B7; move");
    assert_eq!(place_and_facing(&after, 0).0, Place::Gone);
    assert_eq!(after.gone_jewels, jewels("r"));
    assert_eq!(after.track[square_at("B7")], TileOpenings::NONE);
}
