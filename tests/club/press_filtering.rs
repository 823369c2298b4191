//! Text of a letter that the club does not pass on: everything below the headers of a quoted
//! letter, in any language, and e-mail addresses and reply tokens.

use crate::rig::moderator_letters::{MOD_ADDRESS, ask_as_mod, introduce_mod};
use crate::rig::{Club, PostedLetter, address};
use postrider::club::ActivityEvent;
use postrider::process;

const SECRET: &str = "my hand is NYC 9 and PRR 7";

/// Headers of quoted letters, as mail programs write them without quote marks.
const QUOTED_HEADERS: [&str; 16] = [
    "من: Ann <ann@example.org>\nتاريخ الإرسال: ٥ يناير ٢٠٢٦ ١٠:٠٥\nإلى: games\nالموضوع: Re",
    "\u{202b}מאת: Ann <ann@example.org>\n\u{202b}נשלח: 5 ינואר 2026\u{202c}\nאל: games",
    "Šalje: Ann <ann@example.org>\nPoslano: 5. siječnja 2026. 10:05\nPrima: games\nPredmet: Re: 1",
    "Người gửi: Ann <ann@example.org>\nĐã gửi: Thứ Hai, 5 tháng 1\nĐến: games\nChủ đề: Re: 1",
    "Подател: Ann <ann@example.org>\nИзпратено: понеделник, 5 януари\nДо: games\nОтносно: Re: 1",
    "จาก: Ann\nวันที่: ๕ มกราคม ๒๕๖๙ ๑๐:๐๕",
    "از: Ann\nتاریخ: ۱۴۰۴/۱۰/۱۵",
    "प्रेषक: Ann <ann@example.org>\nदिनांक: ५ जनवरी",
    "გამგზავნი： Ann <ann@example.org>\nთარიღი： 5 იანვარი",
    "*Siuntėjas:* Ann <ann@example.org>\n*Išsiųsta:* pirmadienis",
    "**Saatja:** Ann\n**Saadetud:** 5.1.26",
    "________________________________\nОд: Ann\nПослато: 5. јануар 2026.",
    "Za: Ann Miller <ann@example.org>, Bob Miller, Cid Miller, Dot Miller, Eve\nMiller\nZadeva: Re",
    "Neznámy:\nAnn <ann@example.org>\nKedy:\npondelok",
    "Sendandi: Ann\n\nDagsetning: 5. janúar 2026\n\nEfni: Re: 1",
    "Dari: Ann <ann@example.org>\nKepada: games",
];

fn compose_utf8_reply(club: &Club, name: &str, body: &str) -> String {
    let coding = "Content-Type: text/plain; charset=utf-8\r\nMessage-ID:";
    club.compose_reply(name, body).replacen("Message-ID:", coding, 1)
}

/// Runs a pass without the rig's checks, because the letters may contain any script.
fn run_unchecked_pass(club: &mut Club) -> Vec<PostedLetter> {
    let before = club.transport.posted.len();
    let context = club.open_context();
    process::run_pass(&context, &mut club.transport).expect("the pass works");
    drop(context);
    club.now += chrono::TimeDelta::hours(1);
    club.transport.posted[before..].to_vec()
}

/// Returns all messages between the players of game 1, joined by line breaks.
fn said_texts(club: &Club) -> String {
    let entries = club.open_context().store.activity_log(1).expect("they can be read");
    let said = entries.into_iter().filter_map(|entry| match entry.event {
        ActivityEvent::Said { text, .. } => Some(text),
        _ => None,
    });
    said.collect::<Vec<_>>().join("\n")
}

#[test]
fn text_below_quoted_headers_is_not_passed_on() {
    let mut passed_on = 0;
    for block in QUOTED_HEADERS {
        let (mut club, mut before) = (Club::with_tricks_game(""), String::new());
        for (letter, expected) in [
            (
                format!("say:\nHello all!\n\n{block}\n\n{SECRET}\ntell bob: {SECRET}\n"),
                "Hello all!",
            ),
            (format!("say Hello all!\n{block}\n\nsay {SECRET}\n"), "Hello all!"),
            (format!("tell bob:\nHello!\n{block}\n\n{SECRET}\n"), "Hello!"),
            (format!("status\n\n{block}\n\nsay:\n{SECRET}\nend\nsay {SECRET}\n"), ""),
        ] {
            club.deliver(compose_utf8_reply(&club, "Ann", &letter));
            let letters = run_unchecked_pass(&mut club);
            let mut others = letters.iter().filter(|l| l.to != address("Ann"));
            assert!(others.all(|other| !other.contains(SECRET)), "{letter}");
            // The club either refuses the letter as a whole, or passes on only the sender's own
            // words.
            let all_messages = said_texts(&club);
            let message =
                all_messages.strip_prefix(&before).expect("earlier messages stay").trim_start();
            assert!(message == expected || message.is_empty(), "{message}: {letter}");
            assert!(!letters.is_empty());
            passed_on += usize::from(!message.is_empty());
            before = all_messages;
        }
    }
    // The club passes on the text above the block if it recognises the quoted headers, or takes
    // their lines for small talk. Otherwise it refuses the letter.
    assert_eq!(passed_on, 35);
}

#[test]
fn text_and_orders_above_quoted_headers_count() {
    for block in QUOTED_HEADERS {
        let mut club = Club::with_tricks_game("");
        club.deliver(compose_utf8_reply(
            &club,
            "Ann",
            &format!("B&O 3\nsay:\nHello all!\n\n{block}\n\n{SECRET}"),
        ));
        run_unchecked_pass(&mut club);
        assert_eq!(said_texts(&club), "Hello all!", "{block}");
        assert_eq!(club.open_context().store.log_length(1).expect("it reads"), 3, "{block}");
    }
    // The answer says from which line on the letter was ignored, so the sender notices a mistake.
    let mut club = Club::with_tricks_game("");
    club.send_reply("Ann", "say:\nHello all!\n\nWer: ich\nWann: 10:30\nWo: hier\nend\n\nB&O 3");
    let (_, letters) = club.run_pass();
    let ann = letters.iter().find(|l| l.to == address("Ann")).expect("an answer");
    assert!(
        ann.contains("From line 4 on, your e-mail seems to quote another one"),
        "{}",
        ann.body_text()
    );
    assert_eq!(club.open_context().store.log_length(1).expect("it reads"), 3, "orders are read");
}

#[test]
fn text_with_colons_is_passed_on() {
    for text in ["Score: 12\nMood: good", "We meet at 10:30.\nBring: wine", "When: 10:30"] {
        let mut club = Club::with_tricks_game("");
        club.send_reply("Ann", &format!("say:\n{text}\nend"));
        club.run_pass();
        assert_eq!(said_texts(&club), text);
    }
}

#[test]
fn addresses_and_reply_tokens_are_not_passed_on() {
    let mut club = Club::with_tricks_game("");
    let reply_address =
        club.last_letter_to("Bob").and_then(|letter| letter.header("Reply-To")).expect("a mark");
    let token = reply_address.split(['+', '@']).nth(1).expect("a token").to_owned();
    for text in [
        "write to cid@example.org".to_owned(),
        "write to <CID@EXAMPLE.ORG>".to_owned(),
        "nobody@example.com has it".to_owned(),
        format!("or write to <{reply_address}>"),
        format!("or write to {}", reply_address.to_uppercase()),
        format!("it was {token}"),
        "Re: it [postrider 1.2.3".to_owned(),
        "mailto:cid%40example.org".to_owned(),
        "cid＠example.org".to_owned(),
    ] {
        for letter in [
            format!("say {text}"),
            format!("say:\nHello all!\n\n{text}\nend"),
            format!("tell bob: {text}"),
            format!("B&O 3\nsay {text}"),
            format!("resign yes {text}"),
        ] {
            club.now += chrono::TimeDelta::hours(2);
            club.deliver(compose_utf8_reply(&club, "Ann", &letter));
            let letters = club.run_pass().1;
            assert_eq!((letters.len(), said_texts(&club)), (1, String::new()), "{letter}");
            let answer = &letters[0];
            assert!(
                answer.to == address("Ann") && answer.contains("has an e-mail address"),
                "{letter}"
            );
        }
    }
    assert_eq!(club.open_context().store.log_length(1).expect("it reads"), 2);
    club.send_reply("Ann", "say @bob: meet me @ 10:30!");
    club.run_pass();
    assert_eq!(said_texts(&club), "@bob: meet me @ 10:30!");
}

#[test]
fn announcement_with_address_or_token_is_refused() {
    let mut club = Club::with_tricks_game("");
    introduce_mod(&mut club);
    let reply_address =
        club.last_letter_to("Bob").and_then(|letter| letter.header("Reply-To")).expect("a mark");
    for line in [
        "announce 1 write to cid@example.org".to_owned(),
        "announce all: cid@example.org has it".to_owned(),
        "pause 1 because Cid@Example.org is ill".to_owned(),
        format!("announce 1 {reply_address}"),
    ] {
        let answer = ask_as_mod(&mut club, &line);
        assert!(answer.contains("a member's address"), "{}", answer.body_text());
    }
    assert!(
        ask_as_mod(&mut club, &format!("announce 1 write to {MOD_ADDRESS}"))
            .contains("To Ann, Bob and Cid")
    );
    let quoted = "list\n\nOd: Ann <ann@example.org>\nPoslano: 2026\n\nannounce 1 nothing of mine";
    let (_, letters) = {
        ask_as_mod(&mut club, quoted);
        club.run_pass()
    };
    assert!(letters.is_empty());
    assert!(club.transport.posted.iter().all(|letter| !letter.contains("nothing of mine")));
}

#[test]
fn notes_in_quoted_letter_are_ignored() {
    let mut club = Club::with_tricks_game("");
    let quoted =
        "note Cid hoards\n\nOd: Bob <bob@example.org>\nPoslano: 2026\n\nnote Ann is a fool";
    club.send_reply("Ann", quoted);
    club.run_pass();
    let notes =
        club.open_context().store.seat_assignments(1).expect("they can be read")[0].notes.clone();
    let notes = serde_json::to_string(&notes).expect("they can be written");
    assert!(!notes.contains("fool"), "{notes}");
}
