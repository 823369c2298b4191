//! Tests that `postrider verify` accepts an exported game and notices any change to it.

use crate::cli::{run_command, run_successfully};
use crate::rig::Club;
use postrider::games::GAMES;
use std::collections::BTreeMap;
use std::fs;

#[test]
fn verify_accepts_exported_game_and_rejects_forged_one() {
    let home = postrider::testing::create_folder();
    let dir = home.path().to_string_lossy().into_owned();
    for kind in GAMES {
        let id = kind.id();
        let seats = kind.allowed_seat_counts().start().to_string();
        let figures = run_successfully(
            home.path(),
            &["rehearse", id, "--seats", &seats, "--games", "2", "--export", &dir, "--json"],
        );
        let figures: serde_json::Value = serde_json::from_str(&figures).expect("JSON");
        assert_eq!(figures["games"], 2);
        let file = home.path().join(format!("{id}-{seats}-1.json"));
        let name = file.to_string_lossy().into_owned();
        assert!(run_successfully(home.path(), &["verify", &name]).contains("all valid"), "{id}");
        let text = fs::read_to_string(&file).expect("exported");
        let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        for field in
            ["format", "game", "version", "definition", "options", "seats", "seed", "standings"]
        {
            assert!(!document[field].is_null(), "{id}: {field}");
        }
        let record = &document["records"][1];
        for field in ["seq", "at", "events", "hash"] {
            assert!(!record[field].is_null(), "{id}: {field}");
        }
        assert!(record["cause"]["seat"].is_u64() && record["cause"]["lines"][0].is_string());
        fs::write(&file, text.replacen("\"seq\":2,\"at\":\"1970", "\"seq\":2,\"at\":\"1971", 1))
            .expect("forged");
        let output = run_command(home.path(), &["verify", &name]);
        assert_eq!(output.status.code(), Some(1), "{id}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("record 2: the hash chain"));
    }
}

/// Changes the value in one line of pretty-printed JSON. Returns `None` if the line has no value.
fn alter_value(line: &str) -> Option<String> {
    let (name, value) = line.split_once("\": ").unwrap_or(("", line.trim()));
    let (value, comma) = value.strip_suffix(',').map_or((value, ""), |value| (value, ","));
    let other = match value {
        "true" => "false".to_owned(),
        "false" => "true".to_owned(),
        "null" => "1".to_owned(),
        number if number.parse::<i64>().is_ok() => {
            number.parse::<i64>().ok()?.wrapping_add(1).to_string()
        }
        text if text.ends_with("Z\"") => text.replacen("00Z", "01Z", 1),
        text if text.ends_with('"') && text.len() == 66 => {
            text.chars().map(|c| if c == '0' { '1' } else { c }).collect()
        }
        text if text.starts_with('"') => format!("{}x\"", text.strip_suffix('"')?),
        _ => return None,
    };
    let colon = if name.is_empty() { "" } else { "\": " };
    Some(format!("{name}{colon}{other}{comma}"))
}

/// Formats JSON with one value per line, indented by one space per level.
fn pretty_print_json(json: &str) -> String {
    let (mut text, mut depth, mut inside, mut escaped) = (String::new(), 0, false, false);
    for c in json.trim().chars() {
        let end = |depth: usize| format!("\n{}", " ".repeat(depth));
        if inside {
            (inside, escaped) = (c != '"' || escaped, c == '\\' && !escaped);
            text.push(c);
            continue;
        }
        match c {
            '{' | '[' => {
                depth += 1;
                text.push_str(&format!("{c}{}", end(depth)));
            }
            '}' | ']' => {
                depth -= 1;
                text.push_str(&format!("{}{c}", end(depth)));
            }
            ',' => text.push_str(&format!(",{}", end(depth))),
            ':' => text.push_str(": "),
            c => {
                inside = c == '"';
                text.push(c);
            }
        }
    }
    text
}

#[test]
fn verify_finds_or_disclaims_any_change_in_export() {
    let home = postrider::testing::create_folder();
    let dir = home.path().to_string_lossy().into_owned();
    let rehearse = ["rehearse", "trick-of-the-rails", "--seats", "3", "--games", "1", "--export"];
    run_successfully(home.path(), &[&rehearse[..], &[&dir]].concat());
    let whole =
        fs::read_to_string(home.path().join("trick-of-the-rails-3-1.json")).expect("it works");
    let file = home.path().join("changed.json");
    let name = file.to_string_lossy().into_owned();
    let verify = |text: &str| {
        fs::write(&file, text).expect("written");
        let output = run_command(home.path(), &["verify", &name]);
        let report = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(report).expect("text"))
    };
    let whole = pretty_print_json(&whole);
    let lines: Vec<&str> = whole.lines().collect();
    // The reformatted export is still valid, and all of it is checked.
    let (code, report) = verify(&lines.join("\n"));
    assert!(code == Some(0) && report.contains("decisions, pieces, standings"), "{report}");
    // Tries the last line of each kind. The kind is the field name, or else the indentation.
    let kind = |line: &str| match line.split_once("\": ") {
        Some((name, _)) => name.to_owned(),
        None => " ".repeat(line.len() - line.trim_start().len()),
    };
    let kinds: BTreeMap<String, usize> =
        lines.iter().enumerate().map(|(nth, line)| (kind(line), nth)).collect();
    let mut checked = 0;
    for nth in kinds.into_values() {
        let Some(other) = alter_value(lines[nth]) else { continue };
        let all = [&lines[..nth], &[other.as_str()], &lines[nth + 1..]].concat().join("\n");
        let (code, report) = verify(&all);
        let is_found = matches!(code, Some(1 | 65))
            || report.contains("not checked: the names of the score parts");
        assert!(is_found, "{other}: {code:?} {report}");
        checked += 1;
    }
    assert!(checked > 30, "{checked}");
    let (_, report) = verify(&whole.replacen('{', "{\n  \"colour\": \"red\",", 1));
    assert!(report.contains("not checked: colour: not a field of an export"), "{report}");
}

#[test]
fn verify_rejects_truncated_or_extended_export() {
    let mut club = Club::with_paris_game("");
    run_successfully(club.folder(), &["end", "1", "--reason", "enough"]);
    club.run_pass();
    let exported = run_successfully(club.folder(), &["export", "1"]);
    let file = club.folder().join("game.json");
    let name = file.to_string_lossy().into_owned();
    let verify = |text: &str| {
        fs::write(&file, text).expect("written");
        let output = run_command(club.folder(), &["verify", &name]);
        (output.status.code(), String::from_utf8(output.stdout).expect("text"))
    };
    let (code, report) = verify(&exported);
    assert!(code == Some(0) && report.contains("all valid"), "{report}");
    let records = exported.find("\n    {\n      \"seq\": 2").expect("a second record");
    let end = exported.find("\n  ],\n  \"standings\"").expect("the records' end");
    let comma = exported[..records].rfind(',').expect("a comma");
    let short = format!("{}{}", &exported[..comma], &exported[end..]);
    let (code, report) = verify(&short);
    assert_eq!(code, Some(1), "{report}");
    assert!(report.contains("record 1: the export does not end with it"), "{report}");
    assert!(report.contains("the game is not over"), "{report}");
    // Without these claims, the export is still recognized as incomplete.
    let early = short.replace("\"over\": true", "\"was\": 1").replace("\"head\":", "\"had\":");
    let (_, report) = verify(&early);
    assert!(report.contains("the export does not end with it"), "{report}");
    let again = exported[comma..end].replace("\"seq\": 2", "\"seq\": 3");
    let (code, report) = verify(&format!("{}{again}{}", &exported[..end], &exported[end..]));
    assert_eq!(code, Some(1), "{report}");
    assert!(report.contains("record 3: the game was over before it"), "{report}");
}
