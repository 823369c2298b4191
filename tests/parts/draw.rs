//! Tests of the draw of a campaign: tables, positions at them, and byes.

use postrider::club::campaign::{
    Campaign, EXAMPLE_FILE, RoundTables, choose_table_sizes, draw_rounds,
};
use postrider::games::SHIPPED;
use postrider::testing::sample_or_all;
use std::collections::BTreeMap;

/// Builds a campaign with this number of entrants. `more` is added to its file.
fn build_campaign(entrants: usize, more: &str) -> Campaign {
    let entrants: Vec<String> =
        (1..=entrants).map(|n| format!("  - P{n} <p{n}@x.org>\n")).collect();
    let text = format!("name: Season\nseed: 5\nentrants:\n{}{more}", entrants.concat());
    Campaign::parse(&text, SHIPPED).unwrap_or_else(|error| panic!("{error}"))
}

fn rounds_yaml(count: usize, tables: &str) -> String {
    let round = format!("  - {{kind: off-the-rails, tables: {tables}}}\n");
    format!("points: [6, 3, 1, 0]\nrounds:\n{}", round.repeat(count))
}

fn draw_campaign(campaign: &Campaign) -> Vec<RoundTables> {
    draw_rounds(campaign, &BTreeMap::new())
}

/// Returns how often each pair of entrants meets.
fn count_meetings(drawn: &[RoundTables]) -> BTreeMap<(usize, usize), u32> {
    let mut met = BTreeMap::new();
    for table in drawn.iter().flat_map(|drawn| &drawn.tables) {
        for one in table {
            for other in table.iter().filter(|other| *other > one) {
                *met.entry((*one, *other)).or_default() += 1;
            }
        }
    }
    met
}

/// Returns how often each entrant sits at each position of a table.
fn count_positions(drawn: &[RoundTables], places: usize) -> Vec<[u32; 6]> {
    let mut positions = vec![[0; 6]; places];
    for table in drawn.iter().flat_map(|drawn| &drawn.tables) {
        table.iter().enumerate().for_each(|(seat, place)| positions[*place][seat] += 1);
    }
    positions
}

#[test]
fn round_seats_everyone_at_allowed_table_sizes() {
    for entrants in (3..=14).chain([23, 40]) {
        let sizes = [&[4_u8, 3][..], &[3], &[2, 4], &[4]];
        let texts = ["[4, 3]", "[3]", "[2, 4]", "[4]"];
        for (nth, (allowed, text)) in sizes.iter().zip(texts).enumerate() {
            // A usual run draws one season for each number of entrants.
            if !(entrants + nth).is_multiple_of(sample_or_all(4, 1)) {
                continue;
            }
            if entrants < usize::from(*allowed.iter().min().expect("sizes")) {
                continue;
            }
            let campaign = build_campaign(entrants, &rounds_yaml(3, text));
            let drawn = draw_campaign(&campaign);
            assert_eq!(drawn.len(), 3);
            let byes = choose_table_sizes(entrants, allowed).1;
            for round in &drawn {
                let mut all: Vec<usize> = round.tables.concat();
                all.extend(&round.byes);
                all.sort_unstable();
                assert!(all.into_iter().eq(0..entrants), "{entrants} at {text}");
                assert_eq!(round.byes.len(), byes, "{entrants} at {text}");
                let fits =
                    |table: &Vec<usize>| allowed.iter().any(|n| usize::from(*n) == table.len());
                assert!(round.tables.iter().all(fits), "{entrants} at {text}");
            }
        }
    }
    assert_eq!(choose_table_sizes(11, &[4, 3]), (vec![4, 4, 3], 0));
    assert_eq!(choose_table_sizes(9, &[4, 3]), (vec![3, 3, 3], 0));
    assert_eq!(choose_table_sizes(5, &[4, 3]), (vec![4], 1));
}

/// Whether a round without repeated pairs exists, by exhaustive search.
fn can_avoid_repeats(free: &[usize], size: usize, met: &BTreeMap<(usize, usize), u32>) -> bool {
    fn fill(
        free: &[usize],
        table: &[usize],
        size: usize,
        met: &BTreeMap<(usize, usize), u32>,
    ) -> bool {
        if table.len() == size {
            return can_avoid_repeats(free, size, met);
        }
        (0..free.len()).any(|at| {
            let has_not_met = |other: &usize| {
                let pair = (*other.min(&free[at]), *other.max(&free[at]));
                !met.contains_key(&pair)
            };
            let later = table.last().is_none_or(|last| *last < free[at]);
            later && table.iter().all(has_not_met) && {
                let (mut free, mut table) = (free.to_vec(), table.to_vec());
                table.push(free.remove(at));
                fill(&free, &table, size, met)
            }
        })
    }
    match free.split_first() {
        None => true,
        Some((first, rest)) => fill(rest, &[*first], size, met),
    }
}

#[test]
fn pairs_meet_again_only_if_unavoidable() {
    let mut unavoidable = 0;
    for (entrants, size, count) in
        [(4, 2, 4), (6, 2, 5), (8, 2, 7), (9, 3, 5), (12, 3, 4), (16, 4, 3)]
    {
        let campaign = build_campaign(entrants, &rounds_yaml(count, &format!("[{size}]")));
        let drawn = draw_campaign(&campaign);
        for round in 1..count {
            let (before, with) =
                (count_meetings(&drawn[..round]), count_meetings(&drawn[..=round]));
            let all: Vec<usize> = (0..entrants).collect();
            let again =
                with.iter().any(|(pair, times)| *times > before.get(pair).map_or(1, |n| *n));
            let is_avoidable = can_avoid_repeats(&all, size, &before);
            unavoidable += u32::from(!is_avoidable);
            assert!(!(is_avoidable && again), "{entrants} at {size}, round {}", round + 1);
        }
        // For these numbers, a whole season without repeated pairs is known to exist.
        if (entrants, size, count) != (4, 2, 4) && (entrants, size, count) != (9, 3, 5) {
            assert!(count_meetings(&drawn).values().all(|n| *n == 1), "{entrants} at {size}");
        }
    }
    assert_eq!(unavoidable, 2, "the fourth round of four and the fifth of nine");
}

#[test]
fn byes_and_positions_are_even() {
    for (entrants, tables, count, size) in [
        (24, "[4]", 3, 4),
        (24, "[4]", 4, 4),
        (25, "[4]", 4, 4),
        (14, "[3]", 6, 3),
        (40, "[4, 3]", 4, 4),
    ] {
        let campaign = build_campaign(entrants, &rounds_yaml(count, tables));
        let drawn = draw_campaign(&campaign);
        let byes = |place: &usize| drawn.iter().filter(|round| round.byes.contains(place)).count();
        let all: Vec<usize> = (0..entrants).map(|place| byes(&place)).collect();
        let spread = all.iter().max().expect("some") - all.iter().min().expect("some");
        assert!(spread <= 1, "{entrants} at {tables}: byes {all:?}");
        for (place, positions) in count_positions(&drawn, entrants).iter().enumerate() {
            let positions = &positions[..size];
            let spread =
                positions.iter().max().expect("some") - positions.iter().min().expect("some");
            assert!(
                spread <= 1,
                "{entrants} at {tables}: place {place} had positions {positions:?}"
            );
        }
    }
}

#[test]
fn thousand_entrants_meet_once_and_change_positions() {
    let campaign = build_campaign(1_000, &rounds_yaml(4, "[4]"));
    let drawn = draw_campaign(&campaign);
    assert!(count_meetings(&drawn).values().all(|n| *n == 1));
    let positions = count_positions(&drawn, 1_000);
    let odd = positions.iter().filter(|positions| positions[..4] != [1, 1, 1, 1]).count();
    assert_eq!(odd, 0, "entrants who have not had each position once");
    assert_eq!(draw_rounds(&campaign, &BTreeMap::new()), drawn);
}

#[test]
fn later_replacements_change_no_earlier_round() {
    let plain = build_campaign(13, &rounds_yaml(4, "[4, 3]"));
    let before = draw_campaign(&plain);
    let replaced = "replace:\n  - {from_round: 3, out: p2@x.org, in: Gus <gus@x.org>}\n";
    let after = build_campaign(13, &(rounds_yaml(4, "[4, 3]") + replaced));
    assert_eq!(draw_campaign(&after), before);
    let gone = build_campaign(
        13,
        &(rounds_yaml(4, "[4, 3]") + "replace: [{from_round: 3, out: p2@x.org}]\n"),
    );
    let after = draw_campaign(&gone);
    assert_eq!(after[..2], before[..2]);
    assert!(after[2..].iter().all(|round| round.byes.is_empty() && round.tables.len() == 3));
}

/// Formats each round as its tables in seat order, followed by the byes.
fn format_draw(drawn: &[RoundTables]) -> Vec<String> {
    let numbers = |places: &[usize]| {
        let places: Vec<String> = places.iter().map(usize::to_string).collect();
        places.join(" ")
    };
    let round = |round: &RoundTables| {
        let mut tables: Vec<String> = round.tables.iter().map(|table| numbers(table)).collect();
        tables.extend((!round.byes.is_empty()).then(|| format!("({})", numbers(&round.byes))));
        tables.join(", ")
    };
    drawn.iter().map(round).collect()
}

/// Every pass computes the draw again, and identifies games by table numbers. So a new version must
/// not change the draw of a running season.
#[test]
fn campaign_draw_stays_stable_across_versions() {
    let mut seasons = String::new();
    for (entrants, count, tables) in
        [(5, 4, "[4, 3]"), (10, 5, "[3]"), (9, 6, "[2, 4]"), (13, 5, "[4, 3]")]
    {
        let drawn = draw_campaign(&build_campaign(entrants, &rounds_yaml(count, tables)));
        seasons += &format!("{entrants} at {tables}\n{}\n", format_draw(&drawn).join("\n"));
    }
    assert_eq!(seasons, EXPECTED_DRAWS);
}

/// The draws as the first version made them.
const EXPECTED_DRAWS: &str = "\
5 at [4, 3]
1 0 2 4, (3)
3 4 1 0, (2)
2 3 4 1, (0)
0 1 3 2, (4)
10 at [3]
7 6 5, 2 8 9, 4 0 1, (3)
9 7 0, 6 2 4, 3 1 8, (5)
8 4 7, 1 9 6, 5 3 2, (0)
1 7 2, 0 6 3, 4 5 9, (8)
2 8 0, 5 1 6, 7 3 4, (9)
9 at [2, 4]
7 6, 8 5, 2 1, 4 3, (0)
6 8, 5 2, 1 4, 0 7, (3)
7 8, 6 5, 4 0, 3 1, (2)
5 4, 2 7, 8 0, 3 6, (1)
4 7, 6 2, 1 8, 0 3, (5)
8 4, 7 5, 2 3, 0 1, (6)
13 at [4, 3]
1 9 12 2, 4 6 11, 3 8 7, 0 10 5
8 12 10 6, 11 0 2, 7 9 5, 3 1 4
11 1 7 10, 6 3 9, 4 12 0, 2 5 8
5 11 3 12, 9 4 10, 8 0 1, 7 2 6
12 7 0 4, 6 5 1, 9 11 8, 10 3 2
";

#[test]
fn campaign_file_errors_name_their_line() {
    assert!(Campaign::parse(EXAMPLE_FILE, SHIPPED).is_ok());
    let says = |from: &str, to: &str, what: &str| {
        assert!(EXAMPLE_FILE.contains(from), "{from}");
        let error = Campaign::parse(&EXAMPLE_FILE.replacen(from, to, 1), SHIPPED)
            .expect_err(to)
            .to_string();
        let line = EXAMPLE_FILE.lines().position(|line| line.contains(from)).expect("a line") + 1;
        assert!(error.contains(&format!("line {line}")) && error.contains(what), "{to}: {error}");
    };
    says("bob@example.org", "ann@example.org", "twice");
    says("Cid <cid@example.org>", "Cid", "not an address");
    says("{kind: paris-connection", "{kind: chess", "no game called chess");
    says("tables: [4, 3, 5]", "tables: [4, 9]", "not for 9");
    says("points: [6, 3, 1, 0]", "points: []", "points");
    says("tie_breaks: [wins", "tie_breaks: [luck", "luck");
    says("replace: []", "replace: [{from_round: 2, out: gus@x.org}]", "does not play");
    says("bye_points: 2", "bye_pionts: 2", "bye_pionts");
}
