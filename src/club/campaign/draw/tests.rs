//! The draw: what a round costs, and what is drawn when somebody leaves.

use super::*;

/// A campaign of five who play so many rounds at tables of four, with these lines besides.
fn campaign(rounds: usize, more: &str) -> Campaign {
    let entrants: Vec<String> = (1..=5).map(|n| format!("  - P{n} <p{n}@x.org>\n")).collect();
    let round = "  - {kind: paris-connection, tables: [4, 3]}\n".repeat(rounds);
    let entrants = entrants.concat();
    let text =
        format!("name: S\nseed: 5\nentrants:\n{entrants}points: [1]\nrounds:\n{round}{more}");
    Campaign::read(&text).expect("it is right")
}

#[test]
fn who_leaves_is_drawn_up_to_his_last_round_and_changes_none_before() {
    let none = BTreeMap::new();
    let whole = draw(&campaign(5, ""), &none);
    let left = draw(&campaign(5, "replace: [{from_round: 4, out: p2@x.org}]\n"), &none);
    assert_eq!(left.len(), 5);
    assert_eq!(left[..3], whole[..3]);
    for round in &left[3..] {
        let mut seated = round.tables.concat();
        seated.sort_unstable();
        assert_eq!((seated, &round.byes), (vec![0, 2, 3, 4], &Vec::new()));
    }
    assert!(whole.iter().all(|round| round.byes.len() == 1));
}

/// Three places that have sat out once, twice and three times, and each at the first position once.
fn past() -> Past {
    let mut past = Past::new(3);
    past.byes = vec![1, 2, 3];
    past.odd = vec![2, 2, 4];
    (0..3).for_each(|place| past.sat.remember(place, 0));
    past
}

fn group(sort: Sort, places: &[usize]) -> Group {
    Group { sort, size: places.len(), places: places.to_vec() }
}

#[test]
fn what_a_place_has_had_no_oftener_than_others_costs_nothing() {
    let past = past();
    let tables = Tables { past: &past, groups: Vec::new(), fewest_byes: 1, fewest_odd: 2 };
    let cost = |sort| [0, 1, 2].map(|place| tables.toll(place, &group(sort, &[]), None));
    assert_eq!(cost(Sort::Bye), [0, BYE, 2 * BYE]);
    assert_eq!(cost(Sort::Odd), [0, 0, 2 * ODD]);
    assert_eq!(cost(Sort::Liked), [0; 3]);
}

#[test]
fn who_sits_nowhere_has_no_bad_position() {
    let past = past();
    let groups = vec![group(Sort::Liked, &[0, 1]), group(Sort::Bye, &[1, 2])];
    let tables = Tables { past: &past, groups, fewest_byes: 1, fewest_odd: 2 };
    assert_eq!([0, 1, 2].map(|at| tables.seats(at)), [1, 0, 0]);
}

#[test]
fn large_stages_are_drawn_less_often() {
    assert_eq!([0, 1, 30, 600, 3_000, 4_000_000].map(count_tries), [200, 200, 200, 10, 2, 2]);
}
