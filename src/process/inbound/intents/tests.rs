//! Tests of the intents that ship: which lines are offered a command, and which are not.

use super::*;
use crate::games::SHIPPED;

/// Lines of confused players, each with the beginnings of the commands that the answer offers.
const CONFUSED_LINES: &str = include_str!("confused_lines.txt");
const HARMLESS_LINES: &str = include_str!("harmless_lines.txt");

/// Questions of one word beside polite words, each with the question.
const POLITE_QUESTIONS: &[(&str, &str)] = &[
    ("rules please", "rules"),
    ("Rules, please!", "rules"),
    ("Hi, rules please", "rules"),
    ("please help", "help"),
    ("help me", "help"),
    ("Help me please!", "help"),
    ("Hello, status please. Thanks!", "status"),
    ("thanks, board", "board"),
    ("games please", "games"),
    ("preview please", "preview"),
    ("Please preview build red G23", "preview build red G23"),
    ("help por favor", "help"),
];

/// Lines that stay as they are: they have no polite words, or something else beside the word.
const OTHER_LINES: &[&str] = &[
    "rules",
    "help",
    "please",
    "thanks",
    "hello there",
    "please build red G23",
    "please undo",
    "board the train please",
    "no rules please",
    "rules for Bob please",
    "help Bob please",
    "say help please",
    "resign please",
    "language es please",
];

fn test_finder<'a>(library: &'a Library, language: &'a str) -> IntentFinder<'a> {
    let today = NaiveDate::from_ymd_opt(2026, 11, 27).expect("a Friday");
    IntentFinder { library, language, today }
}

/// Returns the lines of a table, without its comments.
fn rows(table: &str) -> impl Iterator<Item = &str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

#[test]
fn confused_lines_are_offered_their_command() {
    let library = Library::embedded().expect("the words ship");
    let finder = test_finder(&library, "fr");
    let fault = |row: &str| {
        let (line, expected) = row.split_once(" | ").expect("a line and its commands");
        let offered = finder.find(line).map(|(_, commands)| commands).unwrap_or_default();
        let expected: Vec<&str> = expected.split("; ").collect();
        let is_right = offered.len() == expected.len()
            && offered.iter().zip(&expected).all(|(offer, begin)| offer.starts_with(begin));
        (!is_right).then(|| format!("{line}: {offered:?}, not {expected:?}"))
    };
    let wrong: Vec<String> = rows(CONFUSED_LINES).filter_map(fault).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows(CONFUSED_LINES).count() >= 250);
}

#[test]
fn harmless_talk_is_offered_nothing() {
    let library = Library::embedded().expect("the words ship");
    let finder = test_finder(&library, "en");
    let offered = |line: &str| Some(format!("{line}: {:?}", finder.find(line)?));
    let wrong: Vec<String> = rows(HARMLESS_LINES).filter_map(offered).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows(HARMLESS_LINES).count() >= 250);
}

#[test]
fn polite_words_beside_question_are_ignored() {
    let library = Library::embedded().expect("the words ship");
    let finder = test_finder(&library, "en");
    let bare = |line: &str| finder.bare_question(&Translator::english(SHIPPED), line);
    for (line, question) in POLITE_QUESTIONS {
        let is_right = bare(line).is_some_and(|bare| bare.eq_ignore_ascii_case(question));
        assert!(is_right, "{line}: {:?}", bare(line));
    }
    for line in OTHER_LINES {
        assert_eq!(bare(line), None, "{line}");
    }
    let lexicons = library.lexicons("es");
    let spanish = Translator { lexicons, ..Translator::english(SHIPPED) };
    for line in ["reglas por favor", "Hola, reglas por favor", "¡Reglas, gracias!"] {
        let bare = finder.bare_question(&spanish, line).map(|bare| bare.to_lowercase());
        assert_eq!(bare.as_deref(), Some("reglas"), "{line}");
    }
}

#[test]
fn every_offered_command_is_valid() {
    let library = Library::embedded().expect("the words ship");
    for (tag, intents) in library.intents("en") {
        for command in intents.all_commands() {
            let fill = |word| match word {
                "N" => "2",
                "MONDAY" | "SUNDAY" | "TODAY" | "WEEK" => "2026-12-20",
                _ => word,
            };
            let line = command.split(' ').map(fill).collect::<Vec<_>>().join(" ");
            let parsed = ParsedCommand::parse(SHIPPED, &line, "", Some(1));
            assert!(parsed.is_some_and(|parsed| parsed.command.is_ok()), "{tag}: {command}");
        }
        assert!(intents.all_commands().count() > 200, "{tag}");
    }
}

#[test]
fn other_language_is_explained_in_its_own_words() {
    let library = Library::embedded().expect("the words ship");
    let keys = |language, line| {
        let offers = test_finder(&library, language).offers(std::iter::once(line));
        offers.iter().map(|offer| offer.key).collect::<Vec<_>>()
    };
    assert_eq!(keys("en", "I resign"), ["intent-offer"]);
    assert_eq!(keys("en", "Me rindo"), ["intent-offer", "language-hint"]);
    assert_eq!(keys("es", "Me rindo"), ["intent-offer"]);
    assert_eq!(keys("en", "language es please"), ["intent-offer", "language-hint"]);
    assert_eq!(keys("es", "language es please"), [""; 0], "the letters are in Spanish already");
}
