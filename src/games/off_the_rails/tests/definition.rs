//! Tests of invalid definitions and of the lines that their errors name.

use super::*;

/// Returns the key of the fault after an edit of the shipped definition, and the number of the line
/// at fault.
fn fault_after_edit(from: &str, to: &str) -> (&'static str, Option<usize>) {
    let text = OffTheRails::DEFINITION.replacen(from, to, 1);
    assert_ne!(text, OffTheRails::DEFINITION, "{from}");
    let definition = yaml::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let fault = OffTheRails::initial_state(&definition, &Options::default(), 2).unwrap_err();
    let line = fault.place.map(|(near, nth)| yaml::line_number_of_text(&text, &near, nth));
    (fault.reason.key, line.filter(|&line| line > 0))
}

#[test]
fn bad_definition_reports_faulty_line() {
    let faults = [
        ("edition: 2", "edition: 3", "or-fault-edition"),
        ("columns: 8", "columns: 12", "or-fault-size"),
        ("centre: C3", "centre: I9", "or-fault-off-board"),
        ("centre: C3", "centre: B2", "or-fault-two-on-square"),
        ("squares: [E2, F2", "squares: [D2, F2", "or-fault-two-on-square"),
        ("[B2, C2, D2, ", "[B2, C2, ", "or-fault-eight"),
        ("north: red", "north: blue", "or-fault-sides"),
        ("start: 3", "start: 7", "or-fault-speed"),
        ("hold: 5", "hold: 0", "or-fault-hold"),
        ("actions: 4", "actions: 44", "or-fault-actions"),
        ("bag: {ruby: 24", "bag: {ruby: 240", "or-fault-bag"),
        ("values: {ruby: 1", "values: {rock: 1, ruby: 1", "or-fault-values"),
        ("very_short: 3", "very_short: 1", "or-fault-length"),
        ("missions: {2: 3", "missions: {2: 12", "or-fault-missions"),
        ("missions: {2: 3, ", "missions: {", "or-fault-players"),
        ("chasm_tokens: 5", "chasm_tokens: 9", "or-fault-tokens"),
        ("blue: diamond, ", "blue: ruby, ", "or-fault-home"),
        ("jewels: {diamond: 5", "jewels: {diamond: 4", "or-fault-solo-jewels"),
        ("tokens: 20", "tokens: 33", "or-fault-solo-tokens"),
    ];
    for (from, to, key) in faults {
        let (found, line) = fault_after_edit(from, to);
        assert_eq!(found, key, "{to}");
        assert!(line.is_some(), "{to}");
    }
}

#[test]
fn unknown_keys_and_sides_are_rejected() {
    let unknown = OffTheRails::DEFINITION.replace("hold: 5", "hold: 5\nholds: 5");
    assert!(yaml::parse::<crate::games::off_the_rails::definition::Definition>(&unknown).is_err());
    let options: Result<Options, _> = serde_json::from_str(r#"{"lenght": "short"}"#);
    assert!(options.is_err());
    let definition = yaml::parse(OffTheRails::DEFINITION).or_fail();
    let options = Options { wishes: "up".to_owned(), ..Options::default() };
    let fault = OffTheRails::initial_state(&definition, &options, 2).unwrap_err();
    assert_eq!(fault.reason.key, "or-fault-wish");
}

#[test]
fn definition_limits_are_inclusive() {
    let of = |from: &str, to: &str| {
        let text = OffTheRails::DEFINITION.replacen(from, to, 1);
        assert_ne!(text, OffTheRails::DEFINITION, "{from}");
        let opened =
            OffTheRails::initial_state(&yaml::parse(&text).or_fail(), &Options::default(), 2)
                .map(|_| ());
        opened.map_err(|fault| fault.reason.key)
    };
    for (from, most, more, key) in [
        ("most: 6", "most: 9", "most: 10", "or-fault-speed"),
        ("ruby: 24", "ruby: 213", "ruby: 214", "or-fault-bag"),
        ("{2: 3, 3: 4", "{2: 9, 3: 4", "{2: 10, 3: 4", "or-fault-missions"),
        ("first_cards: 4", "first_cards: 20", "first_cards: 21", "or-fault-solo-tokens"),
    ] {
        assert_eq!(of(from, most), Ok(()), "{most}");
        assert_eq!(of(from, more), Err(key), "{more}");
    }
    // The jewels that the solo game deals come from the bag, so the bag must contain them.
    assert_eq!(of("gold: 10, diamond: 5", "gold: 10, diamond: 4"), Err("or-fault-solo-jewels"));
}
