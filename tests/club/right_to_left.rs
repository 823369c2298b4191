//! Letters in a language that is written from right to left. `tests/languages/ar` holds a small
//! part of an Arabic translation, which the tests use as a club's own templates.

use crate::rig::{self, Club, PostedLetter, first_letter_to};
use mail_parser::{MessageParser, PartType};
use postrider::render::Library;
use postrider::rules::Message;
use std::path::{Path, PathBuf};

/// The reply marker in Arabic.
const MARKER: &str = "=== اكتب أوامرك فوق هذا السطر ===";

fn language_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages")
}

/// Returns a club with the Arabic templates, in which Ann has chosen Arabic.
fn club_with_arabic() -> Club {
    let mut club = Club::with_settings("clock: {deadline: 3 days, nmr: forfeit}\n");
    rig::copy_folder(&language_folder(), &club.folder().join("templates"));
    let kind = postrider::games::find_kind("paris-connection").expect("it ships");
    assert_eq!(club.start_game(kind, 3, 7), 1);
    club.run_pass();
    club.send_reply("Ann", "language ar");
    club.run_pass();
    club
}

fn reply_and_get_answer(club: &mut Club, name: &str, body: &str) -> PostedLetter {
    club.send_reply(name, body);
    first_letter_to(&club.run_pass().1, name).clone()
}

fn html_of(letter: &PostedLetter) -> String {
    let parsed = MessageParser::default().parse(&letter.bytes).expect("a letter");
    let html = parsed.parts.iter().find_map(|part| match &part.body {
        PartType::Html(html) => Some(html.clone().into_owned()),
        _ => None,
    });
    html.expect("it has HTML")
}

/// Returns the text of a letter with its directional control characters. The other helpers of the
/// tests remove them.
fn text_of(letter: &PostedLetter) -> String {
    let parsed = MessageParser::default().parse(&letter.bytes).expect("a letter");
    parsed.body_text(0).expect("it has text").into_owned()
}

#[test]
fn arabic_letter_keeps_board_and_orders_ltr() {
    let mut club = club_with_arabic();
    let letter = club.last_letter_to("Ann").expect("the answer shows the table").clone();
    let (html, text) = (html_of(&letter), text_of(&letter));
    assert!(text.starts_with(MARKER), "{text}");
    assert!(html.contains("<html lang=\"ar\" dir=\"rtl\">"), "{html}");
    // Each line of the board is isolated as left-to-right text.
    let board = text.split_once("\nاللوحة").expect("a board").1;
    let board = board.split_once("الطاولة").expect("what stands below it").0;
    let lines: Vec<&str> = board.lines().filter(|line| !line.trim().is_empty()).collect();
    assert!(lines.len() > 20, "{board}");
    for line in lines {
        assert!(line.starts_with("\u{200e}\u{2066}") && line.ends_with('\u{2069}'), "{line:?}");
    }
    // The table of order buttons runs from left to right.
    let (_, buttons) = html.split_once("border=\"0\" dir=\"ltr\"").expect("a table of them");
    assert!(buttons.contains("class=\"t\"") && buttons.contains(">build "), "{buttons}");
    // The values in a sentence, such as an order line, are isolated from its direction.
    assert!(text.contains("اللعبة \u{2068}1\u{2069}، السجل \u{2068}1\u{2069}"), "{text}");
    let refused = reply_and_get_answer(&mut club, "Ann", "build red Z99");
    let refused = self::text_of(&refused);
    assert!(refused.contains("رسالتك: \u{2068}build red Z99\u{2069}"), "{refused}");
    // A date has the order of the Arabic sentence.
    assert!(text.contains("الخميس\u{2069} \u{2068}8\u{2069} \u{2068}يناير"), "{text}");
    // An English letter of this club has no directional control characters.
    let english = club.last_letter_to("Bob").expect("Bob's first letter").clone();
    assert!(english.raw().is_ascii() && !english.raw().contains("=E2=81=A8"));
    if let Some(folder) = std::env::var_os("SHOW_RIGHT_TO_LEFT") {
        std::fs::write(Path::new(&folder).join("ar.html"), html).expect("written");
    }
}

#[test]
fn quoted_arabic_letter_adds_no_orders() {
    let mut club = club_with_arabic();
    let letter = reply_and_get_answer(&mut club, "Ann", "status");
    let quoted: String = text_of(&letter).lines().map(|line| format!("> {line}\n")).collect();
    // The line is copied from the letter together with its isolate characters.
    let body = format!("\u{2068}build red G23, Troyes\u{2069}\n\nكتبت Club:\n{quoted}");
    let answer = reply_and_get_answer(&mut club, "Ann", &body);
    assert!(text_of(&answer).contains("نُفِّذت أوامرك."), "{answer:?}");
    assert_eq!(club.record_count(), 2);
    // A quoted letter without `>` before its lines is cut off at the Arabic reply marker.
    let below = text_of(&answer);
    let answer = reply_and_get_answer(&mut club, "Ann", &format!("status\n\n{below}"));
    assert!(text_of(&answer).contains("الدور على"), "{answer:?}");
    assert_eq!(club.record_count(), 2);
}

#[test]
fn arabic_plurals_are_used() {
    let library = Library::load(postrider::games::SHIPPED, &language_folder()).expect("it loads");
    let days = |count: i64| {
        let said =
            library.language("ar").localize(&Message::new("clock-days").with("count", count));
        said.replace(['\u{2068}', '\u{2069}'], "")
    };
    let expected = [
        (0, "بلا أيام"),
        (1, "يوم واحد"),
        (2, "يومان"),
        (3, "3 أيام"),
        (11, "11 يوما"),
        (100, "100 يوم"),
    ];
    for (count, said) in expected {
        assert_eq!(days(count), said);
    }
}

#[test]
fn arabic_test_language_has_no_unused_sentences() {
    let library = Library::load(postrider::games::SHIPPED, &language_folder()).expect("it loads");
    let faults = library.find_unused_templates(&language_folder()).expect("it can be read");
    assert!(faults.is_empty(), "{faults:?}");
}
