use proptest::prelude::*;

use super::order_lines::{CHARACTERS_MAX, LINES_MAX, OPENING_MAX};
use super::*;
use crate::mail::line_folding::fold_line;

const MARKERS: [&str; 2] = ["Reply above this line", "Bitte oberhalb dieser Zeile antworten"];

fn written_texts(body: &str) -> Vec<&str> {
    let kept = written_lines(body, &MARKERS).into_iter().map(|(_, line)| line);
    kept.filter(|line| !line.trim().is_empty()).collect()
}

fn order_texts(body: &str) -> Vec<(u32, String)> {
    let lines = extract_order_lines(body, &MARKERS).unwrap_or_default();
    lines.into_iter().map(|line| (line.number, line.text)).collect()
}

#[test]
fn introduction_in_any_language_is_removed() {
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
            assert_eq!(written_texts(&body), ["buy 3"], "{body}");
        }
    }
}

#[test]
fn line_above_introduction_stays() {
    let body = "pay 2000\nOn Mon, 5 Feb 2024 at 9:05 Bob <bob@example.org>\nwrote:\n\n> sell 4\n";
    assert_eq!(written_texts(body), ["pay 2000"]);
    assert_eq!(written_texts("buy 3\nBob wrote:\n> sell 4\n"), ["buy 3"]);
}

#[test]
fn header_block_or_divider_ends_written_text() {
    for block in [
        "From: Bob\nSent: Monday\nTo: Ann\nSubject: turn 3",
        "*Von:* Bob <bob@example.org>\n*Gesendet:* Montag\n*Betreff:* Zug 3",
        "差出人: Bob\n送信日時: 2024年2月5日\n件名: 3",
        "Neznámy: Bob <bob@example.org>\nKedy: 5. 2. 2024\nKomu: Ann\nČo: 3",
        "-----Original Message-----",
        "-------- Mensaje original --------",
        "________________________________\nDe : Bob <bob@example.org>\nEnvoyé : lundi\nObjet : 3",
    ] {
        assert_eq!(written_texts(&format!("buy 3\n\n{block}\n\nsell 4\n")), ["buy 3"], "{block}");
    }
}

#[test]
fn text_resembling_headers_or_dividers_stays() {
    for body in [
        "move: A to B",
        "from: A\nto: B",
        "--- my orders ---\nbuy 3",
        "my plan:\nbuy 3",
        "3 - 2\n----\nbuy 3",
        "A>B\nB>C",
    ] {
        assert_eq!(written_texts(body), body.lines().collect::<Vec<_>>());
    }
}

#[test]
fn text_below_unquoted_reply_marker_is_ignored() {
    assert_eq!(written_texts("buy 3\n*Reply above this line*\nsell 4\n"), ["buy 3"]);
    assert_eq!(
        written_texts("> Bitte oberhalb dieser Zeile antworten\n> sell 4\n\nbuy 3\n"),
        ["buy 3"]
    );
}

#[test]
fn broken_tail_of_quoted_line_is_quoted() {
    let long = "word ".repeat(15);
    assert_eq!(written_texts(&format!("> {long}\nsell 4\n> more\nbuy 3\n> short\n")), ["buy 3"]);
    assert_eq!(written_texts(&format!("> {long}?\nbuy 3\n> more\n")), ["buy 3"]);
}

#[test]
fn signatures_and_footers_are_removed() {
    assert_eq!(written_texts("buy 3\n-- \nAnn\nsell 4\n"), ["buy 3"]);
    assert_eq!(written_texts("buy 3\n\nSent from my iPhone\nsell 4\n"), ["buy 3"]);
    assert_eq!(written_texts("Von meinem iPhone gesendet\n\n> sell 4\nbuy 3\n"), ["buy 3"]);
    let list = "________________\nevening mailing list\nhttps://lists.example.org\n";
    assert_eq!(written_texts(&format!("buy 3\n{list}")), ["buy 3"]);
}

#[test]
fn text_beside_introduction_or_footer_stays() {
    let quoted = "\n\n> sell 4\n";
    for (line, below, written) in [
        ("buy 3 On Mon, 5 Feb 2024 at 9:05 AM, Bob <bob@example.org> wrote:", quoted, "buy 3"),
        ("buy 3 On Mon, 5 Feb 2024 at 9:05 AM Bob wrote:", "\nsell 4\n", "buy 3"),
        ("buy 3--- On Mon, 5 Feb 2024 at 9:05, bob@example.org wrote:", "\n> sell 4\n", "buy 3"),
        ("buy 3. Am 05.02.2024 um 09:05 schrieb Bob Miller:", quoted, "buy 3."),
        ("On Mon, 5 Feb 2024, Bob <bob@example.org> wrote: buy 3", quoted, "buy 3"),
        ("buy 3. Sent from my iPhone", quoted, "buy 3."),
        ("buy 3 Sent from my Samsung Galaxy", "", "buy 3"),
    ] {
        assert_eq!(written_texts(&format!("{line}{below}")), [written], "{line}");
    }
    let repeated = "\n\n> Your turn\n> 7: trick 5: buy 3\n";
    let line = "On Mon, 5 Feb 2024, Bob <bob@example.org> wrote: buy 3";
    assert_eq!(written_texts(&format!("{line}{repeated}")), ["buy 3"]);
    assert_eq!(written_texts(&format!("{line}\n> and then I trade\n")), [""; 0]);
    // Some programs repeat the first line of the quotation.
    for line in [
        "On Mon, 5 Feb 2024, Bob <bob@example.org> wrote: sell 4",
        "Sent from my iPhone On Mon, 5 Feb 2024 at 9:05 AM, Bob wrote:",
        "On Mon, 5 Feb 2024, Bob <bob@example.org> wrote: > sell 4",
    ] {
        assert_eq!(written_texts(&format!("{line}{quoted}")), [""; 0], "{line}");
    }
}

#[test]
fn doubt_that_resembles_footer_stays() {
    for doubt in [
        "Sent by mistake from my iPhone",
        "Sent from my iPhone, is this legal?",
        "Sent from my iPad by accident, ignore",
        "Sent from my phone. Wait",
        "Von meinem Zug bin ich noch nicht überzeugt.",
        "Enviado con dudas desde mi iPhone",
    ] {
        assert_eq!(written_texts(&format!("buy 3\n\n{doubt}\n")), ["buy 3", doubt]);
        let line = format!("buy 3. {doubt}");
        assert_eq!(written_texts(&line), [&*line]);
    }
    for doubt in ["Wait, typed on my iPhone", "Is this ok? My iPhone is slow"] {
        assert_eq!(written_texts(&format!("buy 3\n\n{doubt}\n")), ["buy 3", doubt]);
    }
    let above = "Sent from my iPhone\nSent by mistake\n\nbuy 3\n";
    assert_eq!(written_texts(above), ["Sent by mistake", "buy 3"]);
}

#[test]
fn footers_of_known_words_are_removed() {
    for footer in [
        "Sent from my Samsung Galaxy smartphone.",
        "Sent from my iPhone 15 Pro",
        "Sent from Outlook for iOS",
        "Get Outlook for Android",
        "Sent from Yahoo! Mail on Android",
        "Sent from my Verizon, Samsung Galaxy smartphone",
        "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
        "Sent from my phone, sorry for typos",
        "Gesendet mit der GMX Mail App",
        "Envoyé de mon iPhone",
    ] {
        assert_eq!(written_texts(&format!("buy 3\n\n{footer}\n")), ["buy 3"], "{footer}");
        assert_eq!(written_texts(&format!("buy 3. {footer}")), ["buy 3."], "{footer}");
    }
}

#[test]
fn only_line_may_name_product() {
    for body in [
        "buy 3 (typed on my Samsung Galaxy)",
        "note Bob uses Outlook",
        "buy 3, my iPhone is slow",
        "Outlook for blue",
        "I do not know why it says Sent from my iPad",
    ] {
        assert_eq!(written_texts(body), [body]);
        assert_eq!(written_texts(&format!("{body}\n\n> sell 4\n")), [body]);
    }
    for order in ["buy 3 (typed on my Samsung Galaxy)", "note Bob uses Outlook"] {
        assert_eq!(written_texts(&format!("sell 4\n\n{order}")), ["sell 4", order]);
    }
    assert_eq!(written_texts("buy 3\n\nmeu Galaxy"), ["buy 3"]);
}

#[test]
fn number_after_greeting_may_be_order() {
    for line in ["Hi! buy 3", "Hello, 3 corn", "Hi. Buy corn"] {
        assert_eq!(order_texts(line), [(1, line.to_owned())]);
    }
    assert!(order_texts("Hi Bob and Cid!").is_empty());
}

#[test]
fn orders_are_between_greeting_and_closing() {
    let body = "Hi Theo,\n\nThanks!\nmove A – B\n | a table\nbuy 3.\nCheers, Ann\nsell 4\n";
    assert_eq!(order_texts(body), [(4, "move A - B".to_owned()), (6, "buy 3.".to_owned())]);
    assert_eq!(order_texts("buy 3\nEnd.\nsell 4"), [(1, "buy 3".to_owned())]);
    assert_eq!(order_texts("hire ann\nbest trade 4\nThanks Bob\nbuy 3").len(), 2);
    assert_eq!(order_texts("hire ann\nbest trade 4 corn")[1].1, "best trade 4 corn");
}

#[test]
fn too_many_or_long_lines_are_refused() {
    let many = "buy 3\n".repeat(LINES_MAX + 1);
    assert_eq!(extract_order_lines(&many, &[]), Err(OrderLimitExceeded::TooManyLines));
    let long = format!("\n{}\n", "é".repeat(CHARACTERS_MAX + 1));
    assert_eq!(extract_order_lines(&long, &[]), Err(OrderLimitExceeded::LongLine { number: 2 }));
    assert_eq!(
        extract_order_lines(&"buy 3\n".repeat(LINES_MAX), &[]).map(|lines| lines.len()),
        Ok(200)
    );
}

#[test]
fn symbol_line_is_ignored_up_to_limit() {
    let marks = |count| format!("build red G23\n{}\n", "€".repeat(count));
    assert_eq!(extract_order_lines(&marks(10_000), &[]).map(|lines| lines.len()), Ok(1));
    assert_eq!(
        extract_order_lines(&marks(10_001), &[]),
        Err(OrderLimitExceeded::LongLine { number: 2 })
    );
}

#[test]
fn greetings_and_closings_are_shorter_than_limit() {
    let mut all = quote_phrases::GREETINGS.phrases().chain(quote_phrases::CLOSINGS.phrases());
    assert!(all.all(|opening| opening.chars().count() < OPENING_MAX && !opening.is_empty()));
}

#[test]
fn closing_with_long_link_is_recognized() {
    let body = format!("build red G23\nThanks, https://example.org/{}\n", "a".repeat(600));
    assert_eq!(order_texts(&body), [(1, "build red G23".to_owned())]);
}

/// Bodies composed of random text and of lines that are hard to classify.
fn arbitrary_bodies() -> impl Strategy<Value = String> {
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
    fn written_lines_keep_body_text_and_order(body in arbitrary_bodies()) {
        let lines: Vec<&str> = body.lines().collect();
        let mut last = 0;
        for (number, text) in written_lines(&body, &MARKERS) {
            prop_assert!(number > last);
            last = number;
            let whole = lines.get(number as usize - 1).copied().unwrap_or_default();
            prop_assert!(whole.contains(text));
        }
    }

    #[test]
    fn quoted_line_is_never_an_order(body in arbitrary_bodies()) {
        for (_, line) in written_lines(&body, &MARKERS) {
            prop_assert!(!fold_line(line).starts_with('>'));
        }
        for line in extract_order_lines(&body, &MARKERS).unwrap_or_default() {
            prop_assert!(!line.text.is_empty() && !line.text.starts_with(['>', '|']));
        }
    }
}
