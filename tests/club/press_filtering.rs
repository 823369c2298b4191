//! What is not passed on of a letter that says something: whatever stands below the headers of
//! another letter, in whatever language, and addresses and marks wherever they stand.

use crate::rig::moderator_letters::{MOD_ADDRESS, ask_as_mod, introduce_mod};
use crate::rig::{Club, PostedLetter, address};
use postrider::club::ActivityEvent;
use postrider::process;

const SECRET: &str = "my hand is NYC 9 and PRR 7";

/// Headers as mail programs write them above what they quote without marks.
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

/// A pass whose letters may have letters of any script in them.
fn run_unchecked_pass(club: &mut Club) -> Vec<PostedLetter> {
    let before = club.transport.posted.len();
    let context = club.open_context();
    process::run_pass(&context, &mut club.transport).expect("the pass works");
    drop(context);
    club.now += chrono::TimeDelta::hours(1);
    club.transport.posted[before..].to_vec()
}

/// Everything that players have said in game 1.
fn said_texts(club: &Club) -> String {
    let minutes = club.open_context().store.activity_log(1).expect("they can be read");
    let said = minutes.into_iter().filter_map(|minute| match minute.event {
        ActivityEvent::Said { text, .. } => Some(text),
        _ => None,
    });
    said.collect::<Vec<_>>().join("\n")
}

#[test]
fn text_below_quoted_headers_is_not_passed_on() {
    let mut heard = 0;
    for block in QUOTED_HEADERS {
        let (mut club, mut before) = (Club::with_tricks_game(""), String::new());
        for (letter, all) in [
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
            // The letter was refused as a whole, or its own words were said.
            let ever = said_texts(&club);
            let said = ever.strip_prefix(&before).expect("nothing is unsaid").trim_start();
            assert!(said == all || said.is_empty(), "{said}: {letter}");
            assert!(!letters.is_empty());
            heard += usize::from(!said.is_empty());
            before = ever;
        }
    }
    // Where the block is known, and stands apart, what is above it is said; where it is not, and
    // holds no word of an order, its lines are words to us.
    assert_eq!(heard, 35);
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
    // Who did not mean it so can see it.
    let mut club = Club::with_tricks_game("");
    club.send_reply("Ann", "say:\nHello all!\n\nWer: ich\nWann: 10:30\nWo: hier\nend\n\nB&O 3");
    let (_, letters) = club.run_pass();
    let ann = letters.iter().find(|l| l.to == address("Ann")).expect("an answer");
    assert!(
        ann.contains("From line 4 on your letter was taken for another one"),
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
    let mark =
        club.last_letter_to("Bob").and_then(|letter| letter.header("Reply-To")).expect("a mark");
    let token = mark.split(['+', '@']).nth(1).expect("a token").to_owned();
    for text in [
        "write to cid@example.org".to_owned(),
        "write to <CID@EXAMPLE.ORG>".to_owned(),
        "nobody@example.com has it".to_owned(),
        format!("or write to <{mark}>"),
        format!("or write to {}", mark.to_uppercase()),
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
            let told = &letters[0];
            assert!(
                told.to == address("Ann") && told.contains("holds an e-mail address"),
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
    let mark =
        club.last_letter_to("Bob").and_then(|letter| letter.header("Reply-To")).expect("a mark");
    for line in [
        "announce 1 write to cid@example.org".to_owned(),
        "announce all: cid@example.org has it".to_owned(),
        "pause 1 because Cid@Example.org is ill".to_owned(),
        format!("announce 1 {mark}"),
    ] {
        let answer = ask_as_mod(&mut club, &line);
        assert!(answer.contains("the address of a member"), "{}", answer.body_text());
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
    let notes = club.open_context().store.seats(1).expect("they can be read")[0].notes.clone();
    let notes = serde_json::to_string(&notes).expect("they can be written");
    assert!(!notes.contains("fool"), "{notes}");
}
