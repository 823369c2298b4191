//! Tests of the costs of a drawn round, and of draws after an entrant has left.

use super::*;
use crate::games::SHIPPED;

/// Returns a campaign of five entrants with this many rounds at tables of four or three, and `more`
/// lines in its file.
fn campaign(rounds: usize, more: &str) -> Campaign {
    let entrants: Vec<String> = (1..=5).map(|n| format!("  - P{n} <p{n}@x.org>\n")).collect();
    let round = "  - {kind: paris-connection, tables: [4, 3]}\n".repeat(rounds);
    let entrants = entrants.concat();
    let text =
        format!("name: S\nseed: 5\nentrants:\n{entrants}points: [1]\nrounds:\n{round}{more}");
    Campaign::parse(&text, SHIPPED).expect("it is right")
}

#[test]
fn leaving_entrant_changes_only_later_rounds() {
    let none = BTreeMap::new();
    let whole = draw_rounds(&campaign(5, ""), &none);
    let left = draw_rounds(&campaign(5, "replace: [{from_round: 4, out: p2@x.org}]\n"), &none);
    assert_eq!(left.len(), 5);
    assert_eq!(left[..3], whole[..3]);
    for round in &left[3..] {
        let mut seated = round.tables.concat();
        seated.sort_unstable();
        assert_eq!((seated, &round.byes), (vec![0, 2, 3, 4], &Vec::new()));
    }
    assert!(whole.iter().all(|round| round.byes.len() == 1));
}

/// Returns a history of three places with one, two and three byes. Each has had the first position
/// once.
fn sample_history() -> DrawHistory {
    let mut past = DrawHistory::new(3);
    past.byes = vec![1, 2, 3];
    past.odd_tables = vec![2, 2, 4];
    (0..3).for_each(|place| past.positions.count_game_in_position(place, 0));
    past
}

fn group(sort: GroupKind, places: &[usize]) -> Group {
    Group { kind: sort, size: places.len(), places: places.to_vec() }
}

#[test]
fn cost_counts_only_excess_over_the_fewest() {
    let past = sample_history();
    let tables = RoundDraft { past: &past, groups: Vec::new(), fewest_byes: 1, fewest_odd: 2 };
    let cost = |sort| [0, 1, 2].map(|place| tables.placement_cost(place, &group(sort, &[]), None));
    assert_eq!(cost(GroupKind::Bye), [0, BYE_COST, 2 * BYE_COST]);
    assert_eq!(cost(GroupKind::Odd), [0, 0, 2 * ODD_TABLE_COST]);
    assert_eq!(cost(GroupKind::Preferred), [0; 3]);
}

#[test]
fn bye_group_has_no_seating_cost() {
    let past = sample_history();
    let groups = vec![group(GroupKind::Preferred, &[0, 1]), group(GroupKind::Bye, &[1, 2])];
    let tables = RoundDraft { past: &past, groups, fewest_byes: 1, fewest_odd: 2 };
    assert_eq!([0, 1, 2].map(|at| tables.seating_cost(at)), [1, 0, 0]);
}

#[test]
fn large_stages_get_fewer_tries() {
    assert_eq!([0, 1, 30, 600, 3_000, 4_000_000].map(tries_for_stage), [200, 200, 200, 10, 2, 2]);
}
