//! Tests of which campaign files are accepted, and of the field that an error names.

use super::*;
use crate::games::SHIPPED;

/// Returns a campaign file with this name, these rounds and `more` lines.
fn campaign_yaml(name: &str, rounds: &[&str], more: &str) -> String {
    let entrants: Vec<String> = (1..=5).map(|n| format!("  - P{n} <p{n}@x.org>\n")).collect();
    let rounds: Vec<String> = rounds.iter().map(|round| format!("  - {round}\n")).collect();
    let rounds =
        if rounds.is_empty() { " []\n".to_owned() } else { format!("\n{}", rounds.concat()) };
    let entrants = entrants.concat();
    format!("name: {name}\nseed: 5\nentrants:\n{entrants}points: [6, 3]\nrounds:{rounds}{more}")
}

/// Returns the path of the field that the parser refuses.
fn error_field(text: &str) -> String {
    match Campaign::parse(text, SHIPPED) {
        Err(CampaignError::Yaml(error)) => {
            error.what.split(": ").next().unwrap_or_default().to_owned()
        }
        other => panic!("{text}: {other:?}"),
    }
}

const ROUND: &str = "{kind: paris-connection, tables: [4, 3]}";

#[test]
fn season_has_1_to_99_rounds() {
    assert_eq!(error_field(&campaign_yaml("Spring", &[], "")), "rounds");
    let read = Campaign::parse(&campaign_yaml("Spring", &[ROUND; 99], ""), SHIPPED);
    assert_eq!(read.expect("it is right").round_count(), 99);
    assert_eq!(error_field(&campaign_yaml("Spring", &[ROUND; 100], "")), "rounds");
}

#[test]
fn empty_multiline_or_overlong_names_are_refused() {
    let longest = "ä".repeat(60);
    let read = Campaign::parse(&campaign_yaml(&longest, &[ROUND], ""), SHIPPED);
    assert_eq!(read.expect("it is right").name, longest);
    for name in ["''", "' '", "\"a\\nb\"", "\"a\\tb\"", &"ä".repeat(61)] {
        assert_eq!(error_field(&campaign_yaml(name, &[ROUND], "")), "name", "{name}");
    }
}

#[test]
fn invalid_table_sizes_are_refused() {
    for sizes in ["[4, 4]", "[4, 3, 4]", "[1]", "[4, 0]", "[]"] {
        let round = format!("{{kind: paris-connection, tables: {sizes}}}");
        assert_eq!(
            error_field(&campaign_yaml("Spring", &[ROUND, &round], "")),
            "rounds[1].tables",
            "{sizes}"
        );
    }
}
