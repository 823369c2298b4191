//! Tests of points, tie-breaks and the setup.

use super::*;
use crate::games::off_the_rails::definition::CartPointsRule;
use crate::games::off_the_rails::event::Ending;
use crate::rules::Ranking;

/// Returns the end of a game in which each seat has delivered these jewels.
fn finished_game(options: &Options, piles: &[&str]) -> State {
    let seats = u8::try_from(piles.len()).or_fail();
    let mut state = new_game(seats, options);
    for (player, pile) in state.players.iter_mut().zip(piles) {
        player.delivered[0] = jewels(pile);
    }
    state.apply(&Event::Ended { reason: Ending::NoCarts });
    state
}

fn points_by_seat(state: &State) -> Vec<i64> {
    let mut standings: Vec<Ranking> = OffTheRails::rankings(state);
    standings.sort_by_key(|standing| standing.seat);
    standings.iter().map(|standing| standing.score).collect()
}

#[test]
pub fn supply_carts_score_three_points() {
    let mut state = finished_game(&Options::default(), &["d", "g"]);
    assert_eq!(points_by_seat(&state), [4 + 6, 3 + 6]);
    state.carts[0].place = Place::Gone;
    state.carts[2].derailed = true;
    assert_eq!(points_by_seat(&state), [4 + 3, 3 + 6]);
    numbers_mut(&mut state).options.cart_points = CartPointsRule::NotDerailed;
    assert_eq!(points_by_seat(&state), [4 + 3, 3 + 3]);
}

#[test]
pub fn most_rubies_score_five_for_each_tied_player() {
    assert_eq!(points_by_seat(&finished_game(&Options::default(), &["rr", "rr"])), [2 + 5 + 6; 2]);
    assert_eq!(
        points_by_seat(&finished_game(&Options::default(), &["rr", "r"])),
        [2 + 5 + 6, 1 + 6]
    );
    assert_eq!(
        points_by_seat(&finished_game(&Options::default(), &["", ""])),
        [6; 2],
        "none for none"
    );
}

#[test]
pub fn dirty_goblins_scores_most_rocks_at_end() {
    let mut state = finished_game(&Options::default(), &["oo", "o", "oo"]);
    turn_up_missions(&mut state, &[Mission::DirtyGoblins]);
    assert_eq!(points_by_seat(&state), [6 + 4, 6, 6 + 4]);
    state.apply(&Event::Turn { seat: SEAT_ONE });
    assert_eq!(points_by_seat(&state), [6; 3], "not before the end");
    assert_eq!(refusal_key(&state, "claim dirty goblins"), "or-no-mission");
}

#[test]
pub fn ties_break_by_jewels_then_fewer_rocks() {
    let ranks = |piles: &[&str]| -> Vec<u32> {
        let mut standings = OffTheRails::rankings(&finished_game(&Options::default(), piles));
        standings.sort_by_key(|standing| standing.seat);
        standings.iter().map(|standing| standing.rank).collect()
    };
    assert_eq!(ranks(&["ee", "d"]), [1, 2]);
    assert_eq!(ranks(&["do", "d"]), [2, 1]);
    assert_eq!(ranks(&["do", "do"]), [1, 1]);
}

#[test]
pub fn first_players_side_wish_is_granted() {
    let definition = yaml::parse(OffTheRails::DEFINITION).or_fail();
    let options = Options { wishes: "east,,west, South".to_owned(), ..Options::default() };
    let blank = OffTheRails::initial_state(&definition, &options, 4).or_fail();
    let wishes = [Direction::East, Direction::North, Direction::West, Direction::South];
    let mut firsts = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let mut state = blank.clone();
        let mut dice = Dice::new(&Seed::from_number(seed), 0);
        OffTheRails::setup(&blank, &mut dice).iter().for_each(|event| state.apply(event));
        let first = state.active_seat().or_fail();
        let nth = |n: usize| state.sides[(first.index() + n) % 4];
        assert_eq!(nth(0), wishes[first.index()], "the first player's wish");
        assert_eq!((nth(1), nth(3)), (nth(0).opposite(), nth(2).opposite()));
        firsts.insert(first);
    }
    assert_eq!(firsts.len(), 4);
}

#[test]
pub fn game_lengths_set_deck_size() {
    let definition = yaml::parse(OffTheRails::DEFINITION).or_fail();
    let deck = |seats, length| {
        let options = Options { length, ..Options::default() };
        let state = OffTheRails::initial_state(&definition, &options, seats).or_fail();
        OffTheRails::public_data(&state)["deck"].clone()
    };
    use crate::games::off_the_rails::definition::GameLength;
    let lengths = [GameLength::VeryShort, GameLength::Short, GameLength::Medium, GameLength::Long];
    assert_eq!(lengths.map(|length| deck(2, Some(length))), [13, 17, 21, 25]);
    assert_eq!([2, 3, 4].map(|seats| deck(seats, None)), [17, 17, 21]);
}
