//! Tests of the messages about mistakes in club.yaml, campaign files and game definitions. Each
//! message must name the line and say what to write, without internal terms.

use postrider::club::Settings;
use postrider::club::campaign::{Campaign, EXAMPLE_FILE};
use postrider::games::SHIPPED;
use postrider::games::find_kind;
use postrider::rules::NewGameError;
use std::collections::BTreeMap;

const CLUB: &str =
    "name: C\naddress: games@example.org\nmoderator:\n  name: M\n  address: m@example.org\n";

/// Internal terms that no message to a person may contain.
const INTERNAL_TERMS: &[&str] =
    &["struct", "enum", "expected", "u8", "u16", "u32", "variant", "invalid", "Some(", "`", "EOF"];

/// Asserts that a message begins with this place, contains these words, and has no internal terms.
fn assert_plain_error(message: &str, place: &str, words: &str) {
    assert!(message.starts_with(place), "{place}: {message}");
    assert!(message.contains(words), "{words}: {message}");
    let inside = INTERNAL_TERMS.iter().find(|inside| message.contains(**inside));
    assert_eq!(inside, None, "{message}");
}

/// Asserts the messages about lines that follow the five lines of [`CLUB`]. Each case has the added
/// text, the line of the mistake, and words of the message.
fn assert_settings_errors(cases: &[(&str, usize, &str)]) {
    for (more, line, words) in cases {
        let place = format!("club.yaml, line {line}: ");
        assert_plain_error(&settings_error(&format!("{CLUB}{more}")), &place, words);
    }
}

fn settings_error(text: &str) -> String {
    Settings::parse(text).expect_err(text).to_string()
}

#[test]
fn mail_settings_errors_name_their_line() {
    assert_settings_errors(&[
        ("mail_in: inbox\n", 6, "mail_in: found \"inbox\"; it must be a section"),
        ("mail_in:\n  maildir: [x]\n", 7, "mail_in.maildir: found a list; it must be text"),
        ("mail_in:\n  imap:\n    host: h\n    user: u\n    port: many\n", 10, "0 to 65535"),
        ("mail_in:\n  imap:\n    user: u\n    port: 99999\n", 9, "the number 99999"),
        ("mail_in:\n  imap:\n    host: u\n    prot: 9\n", 9, "did you mean \"port\"?"),
        ("mail_in: {imap: {}}\n", 6, "mail_in.imap: \"host\" is missing"),
        ("mail_in:\n  imap:\n    host: h\n    user: u\n", 7, "one of password_env"),
        ("mail_in:\n\tmaildir: x\n", 7, "indented with a tab"),
        ("\treminder_days: 7\n", 6, "indented with a tab"),
        ("mail_out: smtp: h\n", 6, "a second colon"),
        ("mail_out:\n smtp:\n   host: h\n  tls: none\n", 9, "indented"),
        ("mail_out: {smtp: {host: h\n", 6, "the { here is not closed"),
        ("mail_out:\n  smtp:\n    host: h\n    tls: ssl\n", 9, "use one of: starttls, tls, none"),
        ("mail_out:\n  maildir: x\n  sendmail: {}\n", 6, "one outbound transport"),
        ("mail_out:\n  smtp:\n    host: h\n    user: u\n", 7, "user together with password_env"),
        ("mail_outt:\n  maildir: x\n", 6, "did you mean \"mail_out\"?"),
    ]);
}

#[test]
fn other_settings_errors_name_their_line() {
    assert_settings_errors(&[
        ("clock: 3 days\n", 6, "clock: found \"3 days\"; it must be a section"),
        ("clock:\n  grace: 6 hours\n", 6, "clock: \"deadline\" is missing"),
        ("clock:\n  deadline: 3 fortnights\n", 7, "deadline: \"3 fortnights\" is not a length"),
        ("clock:\n  deadline: Mon 20:00 Berlin\n", 7, "\"Berlin\" is not a time zone"),
        ("clock:\n  deadline: 3 days\n  bank: soon\n", 8, "clock.bank: \"soon\" is not a length"),
        ("clock:\n  deadline: 3 days\n  no_play_days: Sun\n", 8, "it must be a list"),
        ("clock:\n  deadline: 3 days\n  no_play_days: [Sun,\n    Someday]\n", 9, "is not a day"),
        ("clock:\n  deadline: 3 days\n  reminders: [half, often]\n", 8, "clock.reminders[1]"),
        ("clock:\n  deadline: 3 days\n  quiet_hours: late\n", 8, "clock.quiet_hours: \"late\""),
        ("clock:\n  deadline: 3 days\n  nmr: stand_in\n", 8, "did you mean \"stand-in\"?"),
        ("clock:\n  deadline: Sun 20:00\n  no_play_days: [Sun]\n", 6, "leave no day"),
        ("clock:\n  deadline: 1 day\n  vacation: no\n", 8, "use one of: pause, playon"),
        ("digest: 25:00\n", 6, "digest: \"25:00\" is not a time of the day"),
        ("plus_addressing: maybe\n", 6, "it must be true or false"),
        ("admission: trust\n", 6, "use one of: token, token+sender, token+sender+dmarc"),
        ("admission: [a]\n", 6, "admission: found a list; it must be one word"),
        ("strangers: Join\n", 6, "did you mean \"join\"?"),
        ("press: none\n", 6, "press: found \"none\"; it must be a section"),
        ("press:\n  allowed: loud\n", 7, "use one of: none, public, all"),
        ("votes:\n  days: 99\n", 7, "votes.days: a vote must be open for 1 to 60 days"),
        ("votes:\n  pause: everybody\n", 7, "votes.pause: \"everybody\" is not a choice"),
        ("reminder_days: -1\n", 6, "found the number -1; it must be a whole number"),
        ("reminder_days: 1.5\n", 6, "found the number 1.5"),
        ("reminder_days: 7\nreminder_days: 8\n", 7, "appears a second time"),
        ("name: D\n", 6, "\"name\" appears a second time"),
        ("  reminder_days: 7\n", 6, "moderator: there is no \"reminder_days\" here"),
        ("reminder_days:7\n", 6, "a colon and a space"),
        ("letters_per_commit: 0\n", 6, "at least 1"),
        ("colour: red\n", 6, "there is no \"colour\" here; use one of: name, address"),
        ("language: \"en\n", 6, "not closed"),
        ("language: @en\n", 6, "quotes"),
        ("language: *en\n", 6, "quotes"),
    ]);
}

#[test]
fn errors_in_required_settings_name_their_line() {
    let zone = CLUB.replace("  name: M\n", "  name: M\n  zone: Berlin\n");
    assert_plain_error(
        &settings_error(&zone),
        "club.yaml, line 5: ",
        "moderator.zone: there is no time zone \"Berlin\"",
    );
    let plus = CLUB.replace("games@", "games+x@");
    assert_plain_error(&settings_error(&plus), "club.yaml, line 2: address: ", "no +");
    let unnamed = CLUB.replace("name: C\n", "name: \"\"\n");
    assert_plain_error(&settings_error(&unnamed), "club.yaml, line 1: name: ", "not empty");
    let nobody = CLUB.replace("  address: m@example.org\n", "");
    assert_plain_error(
        &settings_error(&nobody),
        "club.yaml, line 3: ",
        "moderator: \"address\" is missing",
    );
    assert_plain_error(&settings_error("name: C\n"), "club.yaml, \"address\" is missing", "");
    assert_plain_error(&settings_error(""), "club.yaml, ", "is missing");
    assert_plain_error(
        &settings_error("just words\n"),
        "club.yaml, line 1: ",
        "it must be a section",
    );
}

#[test]
fn campaign_errors_name_their_line() {
    let line_of = |part: &str| 1 + EXAMPLE_FILE.lines().position(|l| l.contains(part)).expect(part);
    for (from, to, words) in [
        ("seed: 20260321", "seed: spring", "seed: found \"spring\"; it must be a whole"),
        ("  - Cid <cid@example.org>", "  - Cid", "entrants[2]: Cid is not an address"),
        ("  - Dot <dot@example.org>", "  - Ann <ann@example.org>", "entrants[3]: ann@example.org"),
        ("tables: [4, 3, 5]}", "tables: [4, 9]}", "rounds[1].tables: trick-of-the-rails is for"),
        ("tables: [4, 3, 5]}", "tables: 4}", "rounds[1].tables: found the number 4"),
        ("kind: trick-of-the-rails", "kind: trick-of-the-rail", "did you mean trick-of-the-rails?"),
        (
            "    options: {}",
            "    options: {colour: red}",
            "rounds[2].options: there is no \"colour\"",
        ),
        (
            "    options: {}",
            "    option: {}",
            "rounds[2]: there is no \"option\" here: did you mean",
        ),
        ("points: [6, 3, 1, 0]", "points: []", "points: list the points"),
        ("points: [6, 3, 1, 0]", "points: 6", "points: found the number 6; it must be a list"),
        ("tie_breaks: [wins, ", "tie_breaks: [win, ", "did you mean \"wins\"?"),
    ] {
        let text = EXAMPLE_FILE.replacen(from, to, 1);
        assert_ne!(text, EXAMPLE_FILE, "{from}");
        let message = Campaign::parse(&text, SHIPPED).expect_err(to).to_string();
        assert_plain_error(&message, &format!("line {}: ", line_of(from)), words);
    }
    let replaced = |more: &str| {
        let text = EXAMPLE_FILE.replace("replace: []", "replace:") + more;
        let line = text.lines().count();
        (Campaign::parse(&text, SHIPPED).expect_err(more).to_string(), format!("line {line}: "))
    };
    for (more, words) in [
        ("  - from_round: 2\n    out: zoe@example.org\n", "does not play in round 2"),
        ("  - out: ann@example.org\n    from_round: 9\n", "there is no round 9"),
        (
            "  - from_round: 2\n    out: ann@example.org\n    in: Bob <bob@example.org>\n",
            "is in this campaign already",
        ),
    ] {
        let (message, place) = replaced(more);
        assert_plain_error(&message, &place, words);
    }
}

#[test]
fn definition_errors_name_their_line() {
    for (game, from, to, words) in [
        ("paris-connection", "paris: F20", "paris: 20F", "paris: \"20F\" is not a hex"),
        ("paris-connection", "{hex: E21,", "{hex: [E21],", "starts[0].hex: found a list"),
        ("paris-connection", "code: Br, name: Brest", "cod: Br, name: Brest", "\"code\"?"),
        (
            "paris-connection",
            "  \"B\": [[18, 22]]",
            "  \"B\": [[18]]",
            "rows.B[0]: found a list of 1",
        ),
        ("paris-connection", "  \"B\": [[18", "  \"A\": [[18", "\"A\" appears a second time"),
        ("trick-of-the-rails", "station: 10 ", "station: 1000 ", "from 0 to 255"),
        ("trick-of-the-rails", "30, 40]}", "30]}", "companies[0].stations: found a list of 9"),
        ("trick-of-the-rails", "{id: CO,", "{id: CSX,", "companies[1].id: \"CSX\" is not a choice"),
        ("trick-of-the-rails", "[E, C, E, \"3\"", "[E, X, E, \"3\"", "lane.4[1]: "),
        (
            "off-the-rails",
            "centre: F3",
            "centre: 3F",
            "mines.yellow.centre: \"3F\" is not a square",
        ),
        ("off-the-rails", "north: red", "nort: red", "did you mean \"north\"?"),
        ("off-the-rails", "hold: 5", "hold: five", "hold: found \"five\""),
    ] {
        let kind = find_kind(game).expect("it ships");
        let text = kind.shipped_definition().replacen(from, to, 1);
        assert_ne!(text, kind.shipped_definition(), "{from}");
        let line = 1 + text.lines().position(|line| line.contains(to)).expect(to);
        let seats = *kind.allowed_seat_counts().end();
        match kind.validate_and_convert_to_json(&text, &BTreeMap::new(), seats) {
            Err(NewGameError::Yaml(error)) => {
                assert_plain_error(&error.to_string(), &format!("line {line}: "), words);
            }
            other => panic!("{to}: {other:?}"),
        }
    }
}

#[test]
fn inconsistent_definition_is_refused_at_its_line() {
    for (game, seats, from, to, at) in [
        ("paris-connection", 3, "paris: F20", "paris: F21", "paris:"),
        ("paris-connection", 3, "code: Br,", "code: Ma,", "name: Brest"),
        ("paris-connection", 3, "build_most: 5", "build_most: 0", "build_most:"),
        ("trick-of-the-rails", 3, "  3: [E, C, E,", "  3: [E, C, C,", "  3: ["),
        ("trick-of-the-rails", 3, "id: CO", "id: BO", "name: C&O"),
        ("off-the-rails", 2, "squares: [E2, F2, ", "squares: [E2, ", "  yellow:"),
        ("off-the-rails", 2, "centre: F3", "centre: C3", "centre: C3\n    squares: [E2"),
        ("off-the-rails", 1, "tokens: 20", "tokens: 99", "  tokens:"),
        ("off-the-rails", 1, "jewels: {diamond: 5", "jewels: {diamond: 4", "  jewels: {"),
        ("off-the-rails", 1, "blue: diamond, ", "blue: ruby, ", "  home:"),
    ] {
        let kind = find_kind(game).expect("it ships");
        let text = kind.shipped_definition().replacen(from, to, 1);
        assert_ne!(text, kind.shipped_definition(), "{from}");
        let expected = text[..text.find(at).expect(at)].matches('\n').count() + 1;
        match kind.validate_and_convert_to_json(&text, &BTreeMap::new(), seats) {
            Err(NewGameError::Definition { line, reason }) => {
                assert_eq!(line, expected, "{to}: {}", reason.key);
            }
            other => panic!("{to}: {other:?}"),
        }
    }
}
