//! Points, ties, and what is dealt.

use super::*;
use crate::games::off_the_rails::definition::CartPoints;
use crate::games::off_the_rails::event::Ending;
use crate::rules::Standing;

/// The end of a game in which the seats have brought out these jewels.
fn over(options: &Options, piles: &[&str]) -> State {
    let seats = u8::try_from(piles.len()).sure();
    let mut state = game(seats, options);
    for (player, pile) in state.players.iter_mut().zip(piles) {
        player.delivered[0] = jewels(pile);
    }
    state.apply(&Event::Ended { reason: Ending::NoCarts });
    state
}

fn points(state: &State) -> Vec<i64> {
    let mut standings: Vec<Standing> = OffTheRails::standings(state);
    standings.sort_by_key(|standing| standing.seat);
    standings.iter().map(|standing| standing.score).collect()
}

#[test]
pub fn carts_in_the_supply_are_worth_three() {
    let mut state = over(&Options::default(), &["d", "g"]);
    assert_eq!(points(&state), [4 + 6, 3 + 6]);
    state.carts[0].place = Place::Gone;
    state.carts[2].derailed = true;
    assert_eq!(points(&state), [4 + 3, 3 + 6]);
    numbers(&mut state).variant.cart_points = CartPoints::NotDerailed;
    assert_eq!(points(&state), [4 + 3, 3 + 3]);
}

#[test]
pub fn most_rubies_are_worth_five_to_all_that_tie() {
    assert_eq!(points(&over(&Options::default(), &["rr", "rr"])), [2 + 5 + 6; 2]);
    assert_eq!(points(&over(&Options::default(), &["rr", "r"])), [2 + 5 + 6, 1 + 6]);
    assert_eq!(points(&over(&Options::default(), &["", ""])), [6; 2], "none for none");
}

#[test]
pub fn dirty_goblins_go_to_most_rocks_at_the_end() {
    let mut state = over(&Options::default(), &["oo", "o", "oo"]);
    face_up(&mut state, &[Mission::DirtyGoblins]);
    assert_eq!(points(&state), [6 + 4, 6, 6 + 4]);
    state.apply(&Event::Turn { seat: ONE });
    assert_eq!(points(&state), [6; 3], "not before the end");
    assert_eq!(refused(&state, "claim dirty goblins"), "or-no-mission");
}

#[test]
pub fn ties_are_broken_by_jewels_and_then_by_rocks() {
    let ranks = |piles: &[&str]| -> Vec<u32> {
        let mut standings = OffTheRails::standings(&over(&Options::default(), piles));
        standings.sort_by_key(|standing| standing.seat);
        standings.iter().map(|standing| standing.rank).collect()
    };
    assert_eq!(ranks(&["ee", "d"]), [1, 2]);
    assert_eq!(ranks(&["do", "d"]), [2, 1]);
    assert_eq!(ranks(&["do", "do"]), [1, 1]);
}

#[test]
pub fn sides_are_dealt_by_wish_and_chance() {
    let definition = yaml::read(OffTheRails::DEFINITION).sure();
    let options = Options { wishes: "east,,west, South".to_owned(), ..Options::default() };
    let blank = OffTheRails::open(&definition, &options, 4).sure();
    let wishes = [Way::East, Way::North, Way::West, Way::South];
    let mut firsts = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let mut state = blank.clone();
        let mut dice = Dice::new(&Seed::rehearsal(seed), 0);
        OffTheRails::setup(&blank, &mut dice).iter().for_each(|event| state.apply(event));
        let first = state.active().sure();
        let nth = |n: usize| state.sides[(first.index() + n) % 4];
        assert_eq!(nth(0), wishes[first.index()], "the first player's wish");
        assert_eq!((nth(1), nth(3)), (nth(0).opposite(), nth(2).opposite()));
        firsts.insert(first);
    }
    assert_eq!(firsts.len(), 4);
}

#[test]
pub fn the_lengths_are_as_many_cards() {
    let definition = yaml::read(OffTheRails::DEFINITION).sure();
    let deck = |seats, length| {
        let options = Options { length, ..Options::default() };
        let state = OffTheRails::open(&definition, &options, seats).sure();
        OffTheRails::public(&state)["deck"].clone()
    };
    use crate::games::off_the_rails::definition::Length;
    let lengths = [Length::VeryShort, Length::Short, Length::Medium, Length::Long];
    assert_eq!(lengths.map(|length| deck(2, Some(length))), [13, 17, 21, 25]);
    assert_eq!([2, 3, 4].map(|seats| deck(seats, None)), [17, 17, 21]);
}
