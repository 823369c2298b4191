//! A campaign's file: what can be, and what is refused with its place.

use super::*;

/// A file with this name, these rounds and these lines besides.
fn file(name: &str, rounds: &[&str], more: &str) -> String {
    let entrants: Vec<String> = (1..=5).map(|n| format!("  - P{n} <p{n}@x.org>\n")).collect();
    let rounds: Vec<String> = rounds.iter().map(|round| format!("  - {round}\n")).collect();
    let rounds =
        if rounds.is_empty() { " []\n".to_owned() } else { format!("\n{}", rounds.concat()) };
    let entrants = entrants.concat();
    format!("name: {name}\nseed: 5\nentrants:\n{entrants}points: [6, 3]\nrounds:{rounds}{more}")
}

/// What is wrong with it: the field.
fn wrong(text: &str) -> String {
    match Campaign::read(text) {
        Err(CampaignError::Yaml(error)) => {
            error.what.split(": ").next().unwrap_or_default().to_owned()
        }
        other => panic!("{text}: {other:?}"),
    }
}

const ROUND: &str = "{kind: paris-connection, tables: [4, 3]}";

#[test]
fn a_season_has_one_to_ninety_nine_rounds() {
    assert_eq!(wrong(&file("Spring", &[], "")), "rounds");
    let read = Campaign::read(&file("Spring", &[ROUND; 99], ""));
    assert_eq!(read.expect("it is right").length(), 99);
    assert_eq!(wrong(&file("Spring", &[ROUND; 100], "")), "rounds");
}

#[test]
fn a_campaigns_name_is_one_line_of_sixty_characters_at_most() {
    let longest = "ä".repeat(60);
    let read = Campaign::read(&file(&longest, &[ROUND], ""));
    assert_eq!(read.expect("it is right").name, longest);
    for name in ["''", "' '", "\"a\\nb\"", "\"a\\tb\"", &"ä".repeat(61)] {
        assert_eq!(wrong(&file(name, &[ROUND], "")), "name", "{name}");
    }
}

#[test]
fn each_size_of_a_table_stands_there_once() {
    for sizes in ["[4, 4]", "[4, 3, 4]", "[1]", "[4, 0]", "[]"] {
        let round = format!("{{kind: paris-connection, tables: {sizes}}}");
        assert_eq!(wrong(&file("Spring", &[ROUND, &round], "")), "rounds[1].tables", "{sizes}");
    }
}
