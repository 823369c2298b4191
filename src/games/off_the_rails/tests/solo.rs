use super::*;
use crate::games::off_the_rails::definition::{SoloChasmCardRule, SoloEndRule};
use crate::games::off_the_rails::event::Ending;
use crate::games::off_the_rails::order::Card;
use crate::games::off_the_rails::score::Grade;

/// Returns a solo game in its first turn, with an empty board and no setup.
pub fn new_solo_game() -> State {
    let definition = yaml::parse(OffTheRails::DEFINITION).or_fail();
    let mut state = OffTheRails::initial_state(&definition, &Options::default(), 1).or_fail();
    state.apply(&Event::Turn { seat: SEAT_ONE });
    state
}

fn deal_solo_game(seed: u64) -> (State, Dice) {
    let mut state = new_solo_game();
    let mut dice = Dice::new(&Seed::from_number(seed), 0);
    OffTheRails::setup(&state.clone(), &mut dice).iter().for_each(|event| state.apply(event));
    (state, dice)
}

#[test]
pub fn every_numbered_square_starts_with_a_jewel() {
    let (state, _) = deal_solo_game(1);
    let all = jewels_on_board(&state);
    assert_eq!((all.total(), all[Jewel::Diamond], all[Jewel::Rock]), (32, 5, 0));
    assert_eq!(OffTheRails::check_every_piece_placed(&state), Ok(()));
}

#[test]
pub fn first_turn_draws_four_cards_later_turns_one() {
    let mut reshuffled = 0;
    for seed in 0..60 {
        let (mut state, mut dice) = deal_solo_game(seed);
        let first = OffTheRails::decide(&state, SEAT_ONE, &Order::EndTurn, &mut dice).or_fail();
        first.iter().for_each(|event| state.apply(event));
        let has_chasm_card = first.contains(&Event::Reshuffled);
        reshuffled += u32::from(has_chasm_card);
        assert_eq!(state.collapsed_squares().len(), if has_chasm_card { 3 } else { 4 });
        let before = state.collapsed_squares().len();
        let second = OffTheRails::decide(&state, SEAT_ONE, &Order::EndTurn, &mut dice).or_fail();
        second.iter().for_each(|event| state.apply(event));
        let is_blank = second.contains(&Event::Reshuffled);
        assert_eq!(state.collapsed_squares().len(), before + u32::from(!is_blank));
    }
    assert!((1..30).contains(&reshuffled), "4 in 33: {reshuffled}");
}

fn play_first_turn(options: &Options, seed: u64) -> (State, Vec<Event>, Dice) {
    let definition = yaml::parse(OffTheRails::DEFINITION).or_fail();
    let mut state = OffTheRails::initial_state(&definition, options, 1).or_fail();
    let mut dice = Dice::new(&Seed::from_number(seed), 0);
    OffTheRails::setup(&state.clone(), &mut dice).iter().for_each(|event| state.apply(event));
    let told = OffTheRails::decide(&state, SEAT_ONE, &Order::EndTurn, &mut dice).or_fail();
    told.iter().for_each(|event| state.apply(event));
    (state, told, dice)
}

#[test]
fn chasm_card_option_cancels_all_first_turn_tokens() {
    let options = Options { solo_chasm_card: SoloChasmCardRule::Turn, ..Options::default() };
    let mut kept = 0;
    for seed in 0..60 {
        let (mut state, told, mut dice) = play_first_turn(&options, seed);
        let is_kept = told.contains(&Event::Reshuffled);
        kept += u32::from(is_kept);
        assert_eq!(state.collapsed_squares().len(), if is_kept { 0 } else { 4 });
        let second = OffTheRails::decide(&state, SEAT_ONE, &Order::EndTurn, &mut dice).or_fail();
        second.iter().for_each(|event| state.apply(event));
        assert!(
            state.collapsed_squares().len() <= if is_kept { 1 } else { 5 },
            "one card a turn from then on"
        );
        assert_eq!(OffTheRails::check_every_piece_placed(&state), Ok(()));
    }
    assert!((1..30).contains(&kept), "4 in 33: {kept}");
}

#[test]
fn solo_end_option_sets_end_and_grade() {
    let ending = |solo_end, line: &str| {
        let mut state = new_solo_game();
        numbers_mut(&mut state).options.solo_end = solo_end;
        let pile = jewels("rged");
        state.players[0].delivered[0] = pile;
        state.bag = state.bag.minus(pile);
        if solo_end == SoloEndRule::Left {
            state.has_entered = true;
        } else if line != "stop" {
            (0..4).for_each(|id| state.apply(&Event::Fell { cart: cart(id) }));
        }
        let after = play_lines(&state, line);
        (
            OffTheRails::turn(&after) == crate::rules::Turn::Over,
            super::super::score::solo_grade(&after),
        )
    };
    assert_eq!(ending(SoloEndRule::Grade, "end"), (true, Grade::Partial));
    assert_eq!(ending(SoloEndRule::Loss, "end"), (true, Grade::Loss));
    assert_eq!(ending(SoloEndRule::Loss, "stop"), (true, Grade::Partial), "in time");
    assert_eq!(ending(SoloEndRule::Left, "end"), (true, Grade::Partial), "no cart on the board");
}

#[test]
fn first_lays_do_not_end_solo_game() {
    for solo_end in [SoloEndRule::Grade, SoloEndRule::Left, SoloEndRule::Loss] {
        let mut state = new_solo_game();
        numbers_mut(&mut state).options.solo_end = solo_end;
        let after = play_lines(&state, "lay D1 ns; lay D2 ns; end");
        assert!(OffTheRails::turn(&after).awaits(SEAT_ONE), "{solo_end:?}");
        let entered = play_lines(&after, "enter red D; move red");
        assert!(OffTheRails::turn(&entered).awaits(SEAT_ONE) || solo_end == SoloEndRule::Left);
    }
}

#[test]
pub fn solo_carts_enter_own_side_and_derail_permanently() {
    let mut state = new_solo_game();
    lay_tiles(&mut state, "D1 ns, H4 ew");
    assert_eq!(place_and_facing(&play_lines(&state, "enter yellow 4; move y"), 1).0, Place::Gone);
    assert_eq!(refusal_key(&state, "enter red D south"), "or-wrong-side");
    place_cart(&mut state, 0, "D1", Direction::North, "r");
    let after = play_lines(&state, "move red out");
    assert_eq!(place_and_facing(&after, 0).0, Place::Supply, "delivered, it may enter again");
    let (after, _) = play_with_events(&after, "end");
    assert_eq!(OffTheRails::rankings(&after)[0].score, 1);
}

#[test]
pub fn deliveries_determine_grade_and_points() {
    // The sides in order: the north is red and wants rubies, the east yellow and gold, the south
    // green and emeralds, the west blue and diamonds.
    let graded = |piles: [&str; 4]| {
        let mut state = new_solo_game();
        state.players[0].delivered = piles.map(jewels);
        (super::super::score::solo_grade(&state), OffTheRails::rankings(&state)[0].score)
    };
    assert_eq!(graded(["", "", "", ""]), (Grade::Loss, 0));
    assert_eq!(graded(["rge", "", "", ""]), (Grade::Loss, 3));
    assert_eq!(graded(["rged", "", "", ""]), (Grade::Partial, 4 + 10));
    assert_eq!(graded(["r", "g", "e", "d"]), (Grade::Victory, 4 + 100));
    assert_eq!(graded(["r", "gr", "ege", "dd"]), (Grade::Victory, 8 + 100 + 10));
    assert_eq!(graded(["rr", "gg", "ee", "dd"]), (Grade::Major, 8 + 200));
}

#[test]
pub fn solo_game_ends_by_stop_tokens_or_carts() {
    let mut state = new_solo_game();
    assert_eq!(refusal_key(&state, "stop"), "or-no-grade");
    let pile = jewels("rged");
    state.players[0].delivered[0] = pile;
    state.bag = state.bag.minus(pile);
    assert!(play_with_events(&state, "stop").1.contains(&Event::Ended { reason: Ending::Stopped }));
    let mut lost = state.clone();
    (0..4).for_each(|id| lost.apply(&Event::Fell { cart: cart(id) }));
    assert!(play_with_events(&lost, "end").1.contains(&Event::Ended { reason: Ending::NoCarts }));
    let cards = Colour::ALL.into_iter().flat_map(|colour| (1..=5).map(move |n| (colour, n)));
    for (colour, number) in cards {
        let card = Card { colour, number };
        state.apply(&Event::Revealed { card });
        let square = state.board.card_square(card).or_fail();
        state.apply(&Event::Sank { colour, at: square });
    }
    assert_eq!(state.chasm_tokens_left(), 0);
    assert!(play_with_events(&state, "end").1.contains(&Event::Ended { reason: Ending::NoTokens }));
    assert_eq!(refusal_key(&new_solo_game(), "split together"), "or-useless");
    assert_eq!(refusal_key(&new_solo_game(), "claim red leader"), "or-useless");
}
