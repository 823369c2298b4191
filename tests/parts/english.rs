//! Tests that no sentence of a letter is hard-coded in Rust. English is allowed in some files: as
//! input of people and other programs, as keys of the store, or for a terminal.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Files and folders that may contain two English words in a row, each with the reason. A folder
/// ends with a slash.
const ALLOWED_ENGLISH: &[(&str, &str)] = &[
    ("src/cli/", "a terminal shows it"),
    ("src/disk.rs", "a terminal shows it"),
    // Input of people and other programs.
    ("src/mail/automatic_mail.rs", "subjects of other programs"),
    ("src/mail/bounce/", "what mail servers say"),
    ("src/mail/failure_cause.rs", "what mail servers say"),
    ("src/mail/permanent_fault.rs", "what mail servers say"),
    ("src/mail/reply/", "how mail programs introduce what they quote"),
    ("src/games/paris_connection/places.rs", "what people write"),
    ("src/games/trick_of_the_rails/plan_lines.rs", "lines that are sent back"),
    // Lines of letters that are sent back unchanged.
    ("src/club/letter_style.rs", "lines that are read"),
    ("src/club/vote.rs", "lines that are sent back"),
    ("src/games/off_the_rails/examples.rs", "lines that are sent back"),
    ("src/games/off_the_rails/forms.rs", "lines that are sent back"),
    ("src/games/off_the_rails/mission.rs", "words that are sent back"),
    ("src/games/off_the_rails/orders.rs", "lines that are sent back"),
    ("src/games/trick_of_the_rails/examples.rs", "lines that are sent back"),
    ("src/games/off_the_rails/suggest/mod.rs", "lines that are sent back"),
    ("src/club/lexicon/", "words of lines, and what is wrong with a file of a command"),
    ("src/process/inbound/stop_requests.rs", "lines that are carried out"),
    // Transport errors reach letters only through `mail/fault_sentences.rs`, which has a sentence
    // for each of them.
    ("src/mail/connection/", "fault_sentences.rs has a sentence for it, or a terminal shows it"),
    ("src/mail/fetch/", "fault_sentences.rs has a sentence for it, or a terminal shows it"),
    ("src/mail/maildir.rs", "fault_sentences.rs has a sentence for it"),
    ("src/mail/fault_sentences.rs", "it has a sentence for each"),
    ("src/mail/transport/", "fault_sentences.rs has a sentence for it"),
    ("src/tls.rs", "fault_sentences.rs has a sentence for it, or a terminal shows it"),
    // Errors in files that only a moderator with a terminal writes.
    ("src/club/campaign/campaign_file/mod.rs", "a campaign's file is read by a command"),
    ("src/club/digest_time.rs", "club.yaml is read by a command"),
    ("src/club/club_settings.rs", "club.yaml is read by a command"),
    ("src/club/moderators.rs", "club.yaml is read by a command"),
    ("src/club/play_links.rs", "club.yaml is read by a command"),
    ("src/club/site_settings.rs", "club.yaml is read by a command"),
    ("src/mail/settings.rs", "club.yaml is read by a command"),
    ("src/games/off_the_rails/grid.rs", "a definition is read by a command"),
    ("src/games/off_the_rails/order.rs", "a definition is read by a command"),
    ("src/games/paris_connection/definition.rs", "a definition is read by a command"),
    ("src/games/paris_connection/hex.rs", "a definition is read by a command"),
    ("src/games/trick_of_the_rails/card.rs", "a definition is read by a command"),
    ("src/games/trick_of_the_rails/definition.rs", "a definition is read by a command"),
    ("src/club/game_name.rs", "a command's own name for a game"),
    ("src/rules/dice.rs", "a secret is read by a command"),
    ("src/rules/yaml/mod.rs", "files are read by a command"),
    ("src/rules/yaml/", "files are read by a command"),
    ("src/render/own_files.rs", "doctor shows it"),
    ("src/render/sentences.rs", "doctor shows it"),
    ("src/process/store_location.rs", "club.yaml is read by a command"),
    ("src/process/lobby/campaign_rounds.rs", "campaigns are started by a command"),
    // Names in tests, hashes and the store.
    ("src/games/off_the_rails/hidden.rs", "tests show it"),
    ("src/games/paris_connection/hidden.rs", "tests show it"),
    ("src/games/trick_of_the_rails/hidden.rs", "tests show it"),
    ("src/mail/reply_action.rs", "what is sealed"),
    ("src/mail/token.rs", "what is sealed"),
    ("src/table/chain.rs", "what is sealed"),
    ("src/table/queued_orders.rs", "what chance is drawn for"),
    ("src/process/inbound/member_letter.rs", "what is counted"),
    ("src/process/lobby/token_rotation.rs", "what is counted"),
    ("src/process/lobby/invitations.rs", "what is counted"),
    ("src/process/moderation/moderator_lines.rs", "what people write"),
    ("src/process/commit/mod.rs", "what is counted"),
    ("src/process/delivery/", "what is counted"),
    ("src/process/outbound/queue.rs", "what is counted"),
    ("src/process/session/game_time.rs", "what is counted"),
    ("src/store/", "keys, and what a terminal shows of a damaged store"),
];

/// Arguments of sentences that may contain an error's text, because the sentence shows it as a
/// quotation.
const QUOTED_ARGUMENTS: &[&str] = &["what"];

/// Files that format dates for programs: as a key of the daily digest, and as a query to an IMAP
/// server.
const DATE_FORMATTING_FILES: &[&str] =
    &["src/club/digest_time.rs", "src/mail/fetch/imap_server.rs", "src/render/site_pages.rs"];

/// Returns the sources with their paths, without tests.
fn read_sources() -> Vec<(String, String)> {
    fn walk(folder: &Path, below: &str, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let name = format!("{below}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{name}/"), found);
            } else if name.ends_with(".rs") && !name.ends_with("/tests.rs") {
                let text = fs::read_to_string(entry.path()).expect("a source");
                let text = text.split("\n#[cfg(test)]").next().unwrap_or_default().to_owned();
                found.push((name, text));
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "src/", &mut found);
    found.retain(|(name, _)| !name.contains("/tests/") && !name.starts_with("src/testing/"));
    assert!(found.len() > 250, "the test finds the sources");
    found
}

/// Returns the string literals of a line, with `0` for each inserted value. Letters do not contain
/// the texts of error types or the reasons of lints, so these are left out.
fn string_literals(line: &str) -> Vec<String> {
    let code = line.split("//").next().unwrap_or_default();
    if code.contains("#[error(") || code.contains("reason = \"") {
        return Vec::new();
    }
    let code = code.replace("\\\"", "'").replace("'\"'", "");
    let quoted = code.split('"').skip(1).step_by(2);
    let filled = |text: &str| {
        let mut parts = text.split('{');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |all, part| all + "0" + part.split_once('}').map_or("", |(_, rest)| rest))
    };
    quoted.map(filled).collect()
}

/// Returns whether a text has two words in a row.
fn has_words(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let is_word = |word: &str, also: &[char]| {
        let word = word.trim_end_matches(also);
        word.len() > 1 && word.chars().all(|c| c.is_alphabetic() || c == '\'')
    };
    words.windows(2).any(|pair| match pair {
        [first, second] => {
            is_word(first, &[',', ':', ';']) && is_word(second, &[',', ':', ';', '.', '?'])
        }
        _ => false,
    })
}

#[test]
fn no_letter_sentence_is_hardcoded_in_rust() {
    let (mut faults, mut met) = (Vec::new(), BTreeSet::new());
    for (path, source) in read_sources() {
        let of = |place: &str| match place.ends_with('/') {
            true => path.starts_with(place),
            false => path == place,
        };
        let place = ALLOWED_ENGLISH.iter().find(|(place, _)| of(place));
        for (line, number) in source.lines().zip(1..) {
            if string_literals(line).iter().any(|text| has_words(text)) {
                match place {
                    Some((place, _)) => drop(met.insert(*place)),
                    None => faults.push(format!("{path}:{number}: {}", line.trim())),
                }
            }
        }
    }
    assert!(faults.is_empty(), "a sentence is a key of templates/:\n{}", faults.join("\n"));
    // A file without English must be removed from the list.
    let idle: Vec<_> = ALLOWED_ENGLISH.iter().filter(|(place, _)| !met.contains(place)).collect();
    assert!(idle.is_empty(), "without English: {idle:?}");
}

#[test]
fn sources_quote_error_texts_and_localize_dates() {
    let mut faults = Vec::new();
    for (path, source) in read_sources().iter().filter(|(path, _)| !path.starts_with("src/cli/")) {
        for (line, number) in source.lines().zip(1..) {
            for call in line.split(".with(\"").skip(1) {
                let name = call.split('"').next().unwrap_or_default();
                let is_error = ["error.to_string()", "why.to_string()", "fault.to_string()"];
                if is_error.iter().any(|it| call.contains(it)) && !QUOTED_ARGUMENTS.contains(&name)
                {
                    faults.push(format!("{path}:{number}: an error's words as {name}"));
                }
            }
            // A format without separators, such as `%Y%m%d`, is read by programs.
            let is_date = ["%a", "%b", "%A", "%B", "%Y-", "%d ", "%d.", "%e", "%F"];
            let formats = line.split(".format(\"").skip(1);
            for format in formats.filter_map(|format| format.split('"').next()) {
                if is_date.iter().any(|it| format.contains(it))
                    && !DATE_FORMATTING_FILES.contains(&path.as_str())
                {
                    faults.push(format!("{path}:{number}: {format}: say it by clock::words"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn word_pairs_count_as_english_but_code_not() {
    for text in ["it is not a letter", "to {whom}: not now", "Reply with this.", "no file"] {
        assert!(
            string_literals(&format!("let x = \"{text}\";")).iter().any(|t| has_words(t)),
            "{text}"
        );
    }
    for text in ["letter-unread", "{line}: {why}", "a b", "D2", "%H:%M", "build {x}"] {
        assert!(
            !string_literals(&format!("let x = \"{text}\";")).iter().any(|t| has_words(t)),
            "{text}"
        );
    }
}
