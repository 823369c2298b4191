//! Replies in the shapes that mail programs give them.

use proptest::prelude::*;

use super::order_lines::{CHARACTERS_MAX, LINES_MAX, OPENING_MAX};
use super::*;
use crate::mail::fold::fold;

const MARKERS: [&str; 2] = ["Reply above this line", "Bitte oberhalb dieser Zeile antworten"];

fn texts(body: &str) -> Vec<&str> {
    let kept = written(body, &MARKERS).into_iter().map(|(_, line)| line);
    kept.filter(|line| !line.trim().is_empty()).collect()
}

fn orders(body: &str) -> Vec<(u32, String)> {
    let lines = order_lines(body, &MARKERS).unwrap_or_default();
    lines.into_iter().map(|line| (line.number, line.text)).collect()
}

#[test]
fn introductions_of_any_language_go_with_their_quotations() {
    for introduction in [
        "On Mon, Feb 5, 2024 at 9:05 AM, Bob <bob@example.org> wrote:",
        "Am 05.02.24 um 09:05 schrieb Bob:",
        "Bob <bob@example.org> schrieb am Mo., 5. Feb. 2024, 09:05:",
        "Le lun. 5 févr. 2024 à 09:05, Bob <bob@example.org> a écrit :",
        "El lun, 5 feb 2024 a las 9:05, Bob (<bob@example.org>) escribió:",
        "W dniu 5.02.2024 o 09:05, Bob pisze:\u{a0}",
        "пн, 5 февр. 2024 г. в 09:05, Bob <bob@example.org>:",
        "在 2024年2月5日，上午9:05，Bob <bob@example.org> 写道：",
        "2024-02-05 09:05 GMT+01:00 Bob <bob@example.org>:",
        "---- On Mon, 05 Feb 2024 09:05:01 +0100 Bob <bob@example.org> wrote ----",
        "On Mon, Feb 5, 2024 at 9:05 AM, Bob <\nbob@example.org> wrote:",
        "Am 5.02.2024 09:05 schrieb \"Bob\" <bob@example.org\n>:",
        "On Mon, 5 Feb 2024 at 9:05 Bob\n\n<\nmailto:Bob <bob@example.org>\n> wrote:",
    ] {
        for quotation in ["> sell 4\n", "\n\n> sell 4\n", "\nsell 4\n", ""] {
            let body = format!("buy 3\n\n{introduction}\n{quotation}");
            assert_eq!(texts(&body), ["buy 3"], "{body}");
        }
    }
}

#[test]
fn a_written_line_right_above_an_introduction_stays() {
    let body = "pay 2000\nOn Mon, 5 Feb 2024 at 9:05 Bob <bob@example.org>\nwrote:\n\n> sell 4\n";
    assert_eq!(texts(body), ["pay 2000"]);
    assert_eq!(texts("buy 3\nBob wrote:\n> sell 4\n"), ["buy 3"]);
}

#[test]
fn header_blocks_and_dividers_end_the_writing() {
    for block in [
        "From: Bob\nSent: Monday\nTo: Ann\nSubject: turn 3",
        "*Von:* Bob <bob@example.org>\n*Gesendet:* Montag\n*Betreff:* Zug 3",
        "差出人: Bob\n送信日時: 2024年2月5日\n件名: 3",
        "Neznámy: Bob <bob@example.org>\nKedy: 5. 2. 2024\nKomu: Ann\nČo: 3",
        "-----Original Message-----",
        "-------- Mensaje original --------",
        "________________________________\nDe : Bob <bob@example.org>\nEnvoyé : lundi\nObjet : 3",
    ] {
        assert_eq!(texts(&format!("buy 3\n\n{block}\n\nsell 4\n")), ["buy 3"], "{block}");
    }
}

#[test]
fn what_looks_like_that_but_is_not_stays() {
    for body in [
        "move: A to B",
        "from: A\nto: B",
        "--- my orders ---\nbuy 3",
        "my plan:\nbuy 3",
        "3 - 2\n----\nbuy 3",
        "A>B\nB>C",
    ] {
        assert_eq!(texts(body), body.lines().collect::<Vec<_>>());
    }
}

#[test]
fn below_our_marker_nothing_is_read_unless_it_was_quoted() {
    assert_eq!(texts("buy 3\n*Reply above this line*\nsell 4\n"), ["buy 3"]);
    assert_eq!(texts("> Bitte oberhalb dieser Zeile antworten\n> sell 4\n\nbuy 3\n"), ["buy 3"]);
}

#[test]
fn the_broken_end_of_a_quoted_line_is_quoted() {
    let long = "word ".repeat(15);
    assert_eq!(texts(&format!("> {long}\nsell 4\n> more\nbuy 3\n> short\n")), ["buy 3"]);
    assert_eq!(texts(&format!("> {long}?\nbuy 3\n> more\n")), ["buy 3"]);
}

#[test]
fn signatures_and_footers_go() {
    assert_eq!(texts("buy 3\n-- \nAnn\nsell 4\n"), ["buy 3"]);
    assert_eq!(texts("buy 3\n\nSent from my iPhone\nsell 4\n"), ["buy 3"]);
    assert_eq!(texts("Von meinem iPhone gesendet\n\n> sell 4\nbuy 3\n"), ["buy 3"]);
    let list = "________________\nevening mailing list\nhttps://lists.example.org\n";
    assert_eq!(texts(&format!("buy 3\n{list}")), ["buy 3"]);
}

#[test]
fn orders_stand_between_a_greeting_and_a_closing() {
    let body = "Hi Theo,\n\nThanks!\nmove A – B\n | a table\nbuy 3.\nCheers, Ann\nsell 4\n";
    assert_eq!(orders(body), [(4, "move A - B".to_owned()), (6, "buy 3.".to_owned())]);
    assert_eq!(orders("buy 3\nEnd.\nsell 4"), [(1, "buy 3".to_owned())]);
    assert_eq!(orders("hire ann\nbest trade 4\nThanks Bob\nbuy 3").len(), 2);
    assert_eq!(orders("hire ann\nbest trade 4 corn")[1].1, "best trade 4 corn");
}

#[test]
fn too_much_is_said() {
    let many = "buy 3\n".repeat(LINES_MAX + 1);
    assert_eq!(order_lines(&many, &[]), Err(TooMuch::Lines));
    let long = format!("\n{}\n", "é".repeat(CHARACTERS_MAX + 1));
    assert_eq!(order_lines(&long, &[]), Err(TooMuch::LongLine { number: 2 }));
    assert_eq!(order_lines(&"buy 3\n".repeat(LINES_MAX), &[]).map(|lines| lines.len()), Ok(200));
}

#[test]
fn marks_say_nothing_unless_there_is_no_end_of_them() {
    let marks = |count| format!("build red G23\n{}\n", "€".repeat(count));
    assert_eq!(order_lines(&marks(10_000), &[]).map(|lines| lines.len()), Ok(1));
    assert_eq!(order_lines(&marks(10_001), &[]), Err(TooMuch::LongLine { number: 2 }));
}

#[test]
fn no_greeting_and_no_closing_is_longer_than_is_looked_at() {
    let mut all = quote_phrases::GREETINGS.words().chain(quote_phrases::CLOSINGS.words());
    assert!(all.all(|opening| opening.chars().count() < OPENING_MAX && !opening.is_empty()));
}

#[test]
fn a_closing_is_one_however_long_its_link_is() {
    let body = format!("build red G23\nThanks, https://example.org/{}\n", "a".repeat(600));
    assert_eq!(orders(&body), [(1, "build red G23".to_owned())]);
}

/// Bodies made of the things that matter here.
fn bodies() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~]{0,30}",
        any::<String>(),
        Just("> quoted".to_owned()),
        Just("\u{200b}> quoted".to_owned()),
        Just("On 5 Feb 2024 Bob <".to_owned()),
        Just("> wrote:".to_owned()),
        Just("wrote:".to_owned()),
        Just("From: Bob".to_owned()),
        Just("Sent: 2024".to_owned()),
        Just("Sent from my iPhone".to_owned()),
        Just(">>> Bob <bob@example.org> 5.2.2024 9:05 >>>".to_owned()),
        Just("Outlook<https://example.org>".to_owned()),
        Just("-----BEGIN PGP SIGNED MESSAGE-----".to_owned()),
        Just("-----END PGP SIGNATURE-----".to_owned()),
        Just("Reply above this line".to_owned()),
        Just(String::new()),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #[test]
    fn written_lines_are_lines_of_the_body_in_order(body in bodies()) {
        let lines: Vec<&str> = body.lines().collect();
        let mut last = 0;
        for (number, text) in written(&body, &MARKERS) {
            prop_assert!(number > last);
            last = number;
            let whole = lines.get(number as usize - 1).copied().unwrap_or_default();
            prop_assert!(whole == text || whole.strip_prefix("- ") == Some(text));
        }
    }

    #[test]
    fn no_quoted_line_is_ever_an_order(body in bodies()) {
        for (_, line) in written(&body, &MARKERS) {
            prop_assert!(!fold(line).starts_with('>'));
        }
        for line in order_lines(&body, &MARKERS).unwrap_or_default() {
            prop_assert!(!line.text.is_empty() && !line.text.starts_with(['>', '|']));
        }
    }
}
