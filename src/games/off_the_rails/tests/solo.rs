//! The solo game.

use super::*;
use crate::games::off_the_rails::definition::{SoloChasmCard, SoloEnd};
use crate::games::off_the_rails::event::Ending;
use crate::games::off_the_rails::order::Card;
use crate::games::off_the_rails::score::Grade;

/// The solo game before its first turn is over, with nothing on the board.
pub fn alone() -> State {
    let definition = yaml::read(OffTheRails::DEFINITION).sure();
    let mut state = OffTheRails::open(&definition, &Options::default(), 1).sure();
    state.apply(&Event::Turn { seat: ONE });
    state
}

fn dealt(seed: u64) -> (State, Dice) {
    let mut state = alone();
    let mut dice = Dice::new(&Seed::rehearsal(seed), 0);
    OffTheRails::setup(&state.clone(), &mut dice).iter().for_each(|event| state.apply(event));
    (state, dice)
}

#[test]
pub fn every_numbered_square_begins_with_a_jewel() {
    let (state, _) = dealt(1);
    let all = ground(&state);
    assert_eq!((all.total(), all[Jewel::Diamond], all[Jewel::Rock]), (32, 5, 0));
    assert_eq!(OffTheRails::audit(&state), Ok(()));
}

#[test]
pub fn four_cards_after_the_first_turn_and_then_one() {
    let mut reshuffled = 0;
    for seed in 0..60 {
        let (mut state, mut dice) = dealt(seed);
        let first = OffTheRails::decide(&state, ONE, &Order::End, &mut dice).sure();
        first.iter().for_each(|event| state.apply(event));
        let has_chasm_card = first.contains(&Event::Reshuffled);
        reshuffled += u32::from(has_chasm_card);
        assert_eq!(state.chasm().len(), if has_chasm_card { 3 } else { 4 });
        let before = state.chasm().len();
        let second = OffTheRails::decide(&state, ONE, &Order::End, &mut dice).sure();
        second.iter().for_each(|event| state.apply(event));
        let is_blank = second.contains(&Event::Reshuffled);
        assert_eq!(state.chasm().len(), before + u32::from(!is_blank));
    }
    assert!((1..30).contains(&reshuffled), "4 in 33: {reshuffled}");
}

/// The first turn of a solo game with these options.
fn first_turn(options: &Options, seed: u64) -> (State, Vec<Event>, Dice) {
    let definition = yaml::read(OffTheRails::DEFINITION).sure();
    let mut state = OffTheRails::open(&definition, options, 1).sure();
    let mut dice = Dice::new(&Seed::rehearsal(seed), 0);
    OffTheRails::setup(&state.clone(), &mut dice).iter().for_each(|event| state.apply(event));
    let told = OffTheRails::decide(&state, ONE, &Order::End, &mut dice).sure();
    told.iter().for_each(|event| state.apply(event));
    (state, told, dice)
}

#[test]
fn the_chasm_card_may_keep_back_all_tokens_of_the_first_turn() {
    let options = Options { solo_chasm_card: SoloChasmCard::Turn, ..Options::default() };
    let mut kept = 0;
    for seed in 0..60 {
        let (mut state, told, mut dice) = first_turn(&options, seed);
        let is_kept = told.contains(&Event::Reshuffled);
        kept += u32::from(is_kept);
        assert_eq!(state.chasm().len(), if is_kept { 0 } else { 4 });
        let second = OffTheRails::decide(&state, ONE, &Order::End, &mut dice).sure();
        second.iter().for_each(|event| state.apply(event));
        assert!(state.chasm().len() <= if is_kept { 1 } else { 5 }, "one card a turn from then on");
        assert_eq!(OffTheRails::audit(&state), Ok(()));
    }
    assert!((1..30).contains(&kept), "4 in 33: {kept}");
}

#[test]
fn when_the_solo_game_ends_and_what_it_is_worth_then_can_be_agreed() {
    let ending = |solo_end, line: &str| {
        let mut state = alone();
        numbers(&mut state).variant.solo_end = solo_end;
        let pile = jewels("rged");
        state.players[0].delivered[0] = pile;
        state.bag = state.bag.minus(pile);
        if line != "stop" && solo_end != SoloEnd::Left {
            (0..4).for_each(|id| state.apply(&Event::Fell { cart: cart(id) }));
        }
        let after = say(&state, line);
        (OffTheRails::turn(&after) == crate::rules::Turn::Over, super::super::score::grade(&after))
    };
    assert_eq!(ending(SoloEnd::Grade, "end"), (true, Grade::Partial));
    assert_eq!(ending(SoloEnd::Loss, "end"), (true, Grade::Loss));
    assert_eq!(ending(SoloEnd::Loss, "stop"), (true, Grade::Partial), "in time");
    assert_eq!(ending(SoloEnd::Left, "end"), (true, Grade::Partial), "no cart on the board");
}

#[test]
pub fn carts_enter_at_their_own_colour_and_derail_for_good() {
    let mut state = alone();
    lay(&mut state, "D1 ns, H4 ew");
    assert_eq!(stands(&say(&state, "enter yellow 4; move y"), 1).0, Place::Gone);
    assert_eq!(refused(&state, "enter red D south"), "or-wrong-side");
    stand(&mut state, 0, "D1", Way::North, "r");
    let after = say(&state, "move red out");
    assert_eq!(stands(&after, 0).0, Place::Supply, "delivered, it may enter again");
    let (after, _) = tell(&after, "end");
    assert_eq!(OffTheRails::standings(&after)[0].score, 1);
}

#[test]
pub fn grades_and_points() {
    // North is red and wants rubies, east yellow and gold, south green and emeralds, west blue and
    // diamonds.
    let graded = |piles: [&str; 4]| {
        let mut state = alone();
        state.players[0].delivered = piles.map(jewels);
        (super::super::score::grade(&state), OffTheRails::standings(&state)[0].score)
    };
    assert_eq!(graded(["", "", "", ""]), (Grade::Loss, 0));
    assert_eq!(graded(["rge", "", "", ""]), (Grade::Loss, 3));
    assert_eq!(graded(["rged", "", "", ""]), (Grade::Partial, 4 + 10));
    assert_eq!(graded(["r", "g", "e", "d"]), (Grade::Victory, 4 + 100));
    assert_eq!(graded(["r", "gr", "ege", "dd"]), (Grade::Victory, 8 + 100 + 10));
    assert_eq!(graded(["rr", "gg", "ee", "dd"]), (Grade::Major, 8 + 200));
}

#[test]
pub fn it_ends_by_stop_without_tokens_and_without_carts() {
    let mut state = alone();
    assert_eq!(refused(&state, "stop"), "or-no-grade");
    let pile = jewels("rged");
    state.players[0].delivered[0] = pile;
    state.bag = state.bag.minus(pile);
    assert!(tell(&state, "stop").1.contains(&Event::Ended { reason: Ending::Stopped }));
    let mut lost = state.clone();
    (0..4).for_each(|id| lost.apply(&Event::Fell { cart: cart(id) }));
    assert!(tell(&lost, "end").1.contains(&Event::Ended { reason: Ending::NoCarts }));
    let cards = Colour::ALL.into_iter().flat_map(|colour| (1..=5).map(move |n| (colour, n)));
    for (colour, number) in cards {
        let card = Card { colour, number };
        state.apply(&Event::Revealed { card });
        let square = state.board.mined(card).sure();
        state.apply(&Event::Sank { colour, at: square });
    }
    assert_eq!(state.tokens_left(), 0);
    assert!(tell(&state, "end").1.contains(&Event::Ended { reason: Ending::NoTokens }));
    assert_eq!(refused(&alone(), "split together"), "or-useless");
    assert_eq!(refused(&alone(), "claim red leader"), "or-useless");
}
