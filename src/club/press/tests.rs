//! Tests of which lines of a letter are messages to players, of their recipients, and of refusals.

use super::*;
use crate::games::SHIPPED;
use proptest::prelude::*;

fn player_names() -> Vec<String> {
    ["Ann Lee", "Bob", "Cid", "Bo Lind", "Zoë O’Neil"].map(str::to_owned).to_vec()
}

/// Parses a letter of seat 1. Returns its messages, and the numbers of the lines that belong to
/// none. `build red G23` counts as an order, and other lines with `build` resemble one.
fn parse_press(letter: &str) -> (LetterPress, Vec<u32>) {
    let names = player_names();
    let judge = |line: &str| match line {
        "build red G23" => LineClass::Order,
        line if line.starts_with("build") => LineClass::LikeOrder,
        _ => LineClass::Prose,
    };
    let mut listener = PressParser::new(&names, Seat::new(1), &judge, Translator::english(SHIPPED));
    let mut left = Vec::new();
    for (number, line) in (1..).zip(letter.lines()) {
        if !listener.read_line(number, line, line.trim()) {
            left.push(number);
        }
    }
    (listener.finish(), left)
}

fn sent_messages(letter: &str) -> Vec<(Vec<u8>, String)> {
    let (talk, _) = parse_press(letter);
    assert_eq!(talk.error, None, "{letter}");
    let to = |press: &PressMessage| press.recipients.iter().map(|seat| seat.number()).collect();
    talk.messages.iter().map(|press| (to(press), press.text.clone())).collect()
}

fn error_key(letter: &str) -> &'static str {
    parse_press(letter).0.error.expect("it is wrong").reason.key
}

#[test]
fn paragraph_ends_at_order_or_blank_line() {
    let letter = "say Grüße – an\nalle!\n\nbuild red G23";
    assert_eq!(parse_press(letter).1, [4]);
    assert_eq!(sent_messages(letter), [(vec![], "Grüße – an alle!".to_owned())]);
    let letter = "Say: hello\nbuild rde G23\nmore";
    let (talk, left) = parse_press(letter);
    assert_eq!(
        (left, talk.paragraph_end_lines),
        (vec![2, 3], vec![2]),
        "what is mistyped is not said either"
    );
    assert_eq!(parse_press("say hello\nend\nmore").1, [3]);
    assert_eq!(parse_press("say hello\nbiuld red G23").1, [2]);
    let long = "say we could all meet in the evening in front of the town hall of";
    assert_eq!(
        sent_messages(&format!("{long}\nMadrid at 8"))[0].1.lines().count(),
        1,
        "it was broken"
    );
    assert_eq!(sent_messages("say one\nsay two\ntell 2 three").len(), 3);
    assert_eq!(parse_press("sayings are old\ntellingly").1, [1, 2]);
}

#[test]
fn block_ends_at_end_and_refuses_orders() {
    let letter = "say:\n\none\n\n\ntwo\nend\nbuild blue G1";
    assert_eq!(sent_messages(letter), [(vec![], "one\n\ntwo".to_owned())]);
    assert_eq!(parse_press(letter).1, [8]);
    assert_eq!(
        sent_messages("tell 2:\nbuild on it\n- thanks"),
        [(vec![2], "build on it\n- thanks".into())]
    );
    assert_eq!(error_key("say\nhello\n\nbuild red G23"), "talk-order-inside");
    assert_eq!(error_key("say\nhello\n\ntell bob our plan"), "talk-order-inside");
}

#[test]
fn quoted_lines_end_press() {
    let names = player_names();
    let mut listener =
        PressParser::new(&names, Seat::new(1), &|_| LineClass::Prose, Translator::english(SHIPPED));
    assert!(listener.read_line(1, "say:", "say:") && listener.read_line(2, "mine", "mine"));
    assert!(!listener.read_line(5, "his hand", "his hand"), "lines 3 and 4 were quoted");
    assert_eq!(listener.finish().messages[0].text, "mine");
    assert_eq!(parse_press("say:\nmine\n| his\nhand").1, [3, 4]);
}

#[test]
fn recipients_are_named_unambiguously() {
    let to = |line: &str| sent_messages(line).remove(0);
    let text = |to: &[u8], text: &str| (to.to_vec(), text.to_owned());
    assert_eq!(to("tell 2 hello"), text(&[2], "hello"));
    assert_eq!(to("tell 2 3 hello"), text(&[2, 3], "hello"));
    assert_eq!(to("tell 2: 3 shares"), text(&[2], "3 shares"));
    assert_eq!(to("tell bob hello: you"), text(&[2], "hello: you"));
    assert_eq!(to("TELL Bob, Cid: hello"), text(&[2, 3], "hello"));
    assert_eq!(to("tell bo lind and cid: hello"), text(&[3, 4], "hello"));
    assert_eq!(to("tell bo lind hello"), text(&[4], "hello"));
    assert_eq!(to("tell zoë hello"), text(&[5], "hello"));
    assert_eq!(to("tell Zoë O'Neil hello"), text(&[5], "hello"));
    assert_eq!(to("tell seat 3: hello"), text(&[3], "hello"));
    assert_eq!(to("tell all: hello"), text(&[2, 3, 4, 5], "hello"));
    assert_eq!(to("tell bob, I am late"), text(&[2], "I am late"));
    assert_eq!(error_key("tell bob, cid is late"), "talk-colon");
    assert_eq!(error_key("tell 2 and 3 hello"), "talk-colon");
    assert_eq!(error_key("tell bob, dora: hello"), "talk-nobody");
    assert_eq!(error_key("tell me more"), "talk-nobody");
    assert_eq!(error_key("tell 7 hello"), "talk-nobody");
    assert_eq!(error_key("tell"), "talk-to-whom");
    assert_eq!(error_key("tell ann hello"), "talk-to-yourself");
}

/// Lines with `say` that may be for one player only.
const PRIVATE_LINES: [&str; 11] = [
    "say to bob: secret",
    "say to Bob secret",
    "say: to bob secret",
    "say bob: secret",
    "say Bob : secret",
    "say bo lind: secret",
    "say zoë: secret",
    "say 2: secret",
    "say seat 3: secret",
    "say Bob, Cid: secret",
    "say Bob and Cid: secret",
];

/// Lines with `say` that are for all players.
const PUBLIC_LINES: [&str; 13] = [
    "say hello Bob",
    "say Bob, your turn",
    "say all: hello",
    "say everyone: hello",
    "say to everyone: hello",
    "say to all of you: good luck",
    "say to be or not to be",
    "say look: a star",
    "say we meet at 2:30",
    "say 2:30 is fine",
    "say @bob: meet me @ 10:30!",
    "say Good game, everybody: well played",
    "say I told Bob: no",
];

#[test]
fn say_with_recipient_is_refused() {
    let wrong = |line: &&&str| error_or_text(line) != Err("talk-say-name");
    let private: Vec<&&str> = PRIVATE_LINES.iter().filter(wrong).collect();
    assert_eq!(private, [&""; 0]);
    let wrong = |line: &&&str| error_or_text(line).is_err();
    let public: Vec<&&str> = PUBLIC_LINES.iter().filter(wrong).collect();
    assert_eq!(public, [&""; 0]);
    let names = ["Ann", "Bob"].map(str::to_owned);
    for line in ["say all: hi", "say to all: hi", "say to everyone: hi", "say everybody: hi"] {
        let mut listener = PressParser::new(
            &names,
            Seat::new(1),
            &|_| LineClass::Prose,
            Translator::english(SHIPPED),
        );
        assert!(listener.read_line(1, line, line), "{line}");
        let talk = listener.finish();
        assert_eq!((&talk.error, talk.messages[0].recipients.len()), (&None, 0), "{line}");
    }
    let reason = parse_press("say anonymously to bob: hush").0.error.expect("it is refused").reason;
    assert_eq!(reason, Message::new("talk-say-name").with("line", "tell anonymously bob: hush"));
}

#[test]
fn order_behind_text_of_message_is_refused() {
    let expected = Message::new("talk-order-behind").with("line", "build red G23");
    for line in
        ["say hi all! build red G23", "tell bob no; build red G23", "say:\nb. build red G23"]
    {
        let reason = parse_press(line).0.error.expect("it is refused").reason;
        assert_eq!(reason, expected, "{line}");
    }
    for line in ["say hi all! I like build red G23", "say hi. Well played!", "say a;b"] {
        assert_eq!(parse_press(line).0.error, None, "{line}");
    }
}

#[test]
fn refused_letter_is_not_searched_for_orders() {
    let names = player_names();
    let searched = |first: &str| {
        let count = std::cell::Cell::new(0);
        let judge = |line: &str| {
            count.set(count.get() + 1);
            if line == "build red G23" { LineClass::Order } else { LineClass::Prose }
        };
        let mut listener =
            PressParser::new(&names, Seat::new(1), &judge, Translator::english(SHIPPED));
        for (line, number) in std::iter::once(first).chain(["a b. c d."; 1000]).zip(1..) {
            assert!(listener.read_line(number, line, line));
        }
        assert!(listener.finish().check_allowed(PressTerms::default(), 0).is_err(), "{first}");
        count.get()
    };
    // Each line is classified as a whole, and its two sentences if the letter is not yet refused.
    assert_eq!(searched("say:"), 1000 + 2 * (PRESS_LINES_MAX + 1));
    assert_eq!(searched("say hi! build red G23"), 1000 + 1);
}

/// Returns the error of a letter, or the text of its first message.
fn error_or_text(letter: &str) -> Result<String, &'static str> {
    let (mut talk, _) = parse_press(letter);
    match talk.error {
        Some(error) => Err(error.reason.key),
        None => Ok(talk.messages.remove(0).text),
    }
}

#[test]
fn signature_line_belongs_to_press() {
    assert_eq!(parse_press("say hello\n\n- Ann\nbuild red G23").1, [4]);
    assert_eq!(parse_press("Ann Lee\nsay hello\n\nAnn Lee").1, [1]);
    assert_eq!(parse_press("say hello\n\nBob").1, [3]);
}

proptest! {
    #[test]
    fn orders_and_quotations_are_never_sent(lines in prop::collection::vec(0..10_usize, 0..12)) {
        const LINES: [&str; 10] = [
            "say hello", "say:", "tell 2 hello", "tell 2:", "end", "", "hello", "build red G23",
            "build rde G23", "| his hand",
        ];
        let letter: Vec<&str> = lines.iter().filter_map(|at| LINES.get(*at).copied()).collect();
        let (talk, left) = parse_press(&letter.join("\n"));
        if talk.error.is_none() {
            for press in &talk.messages {
                prop_assert!(!press.text.contains("red") && !press.text.contains("his"));
            }
            let all = |line: &str| (1_u32..).zip(&letter).filter(|(_, l)| **l == line).count();
            let kept = |line: &str| {
                let at = |number: &&u32| letter.get(**number as usize - 1) == Some(&line);
                left.iter().filter(at).count()
            };
            prop_assert_eq!(kept("build red G23"), all("build red G23"));
        }
    }
}

#[test]
fn press_terms_parse_display_and_apply() {
    let press = |letter: &str| parse_press(letter).0.messages.remove(0);
    let of = |terms: &str| terms.parse::<PressTerms>().expect("they are terms");
    for text in ["all", "none", "public anonymous", "all moderator-reads"] {
        assert_eq!(of(text).to_string(), text);
    }
    assert!("loud".parse::<PressTerms>().is_err());
    let key = |terms: &str, letter: &str| {
        of(terms).check_message(&press(letter)).err().map(|why| why.key)
    };
    assert_eq!(key("none", "say hello"), Some("talk-none"));
    assert_eq!(key("public", "tell 2 hello"), Some("talk-public-only"));
    assert_eq!(key("all", "say anonymously: hello"), Some("talk-signed-only"));
    assert_eq!(key("all anonymous", "tell anonymously 2 hello"), None);
}

#[test]
fn press_length_and_frequency_are_limited() {
    let check = |letter: &str, sent| {
        parse_press(letter)
            .0
            .check_allowed(PressTerms::default(), sent)
            .err()
            .map(|wrong| wrong.reason.key)
    };
    assert_eq!(check("say hello", 19), None);
    assert_eq!(check("say hello", 20), Some("talk-too-often"));
    assert_eq!(check(&format!("say {}", "x".repeat(2_001)), 0), Some("talk-too-long"));
    assert_eq!(check(&format!("say:\n{}", "x\n".repeat(41)), 0), Some("talk-too-long"));
    assert_eq!(check(&format!("say:\n{}", "x\n".repeat(40)), 0), None);
    assert_eq!(check("tell 2:", 0), Some("talk-empty"));
}

#[test]
fn unmarked_quotations_are_not_sent() {
    let names = player_names();
    let heard = |letter: &str| {
        let mut listener = PressParser::new(
            &names,
            Seat::new(1),
            &|_| LineClass::Prose,
            Translator::english(SHIPPED),
        );
        listener.quoted_from = Some(3);
        let lines = (1..).zip(letter.split('\n'));
        lines.for_each(|(number, line)| assert!(listener.read_line(number, line, line), "{line}"));
        let talk = listener.finish();
        let said: Vec<String> = talk.messages.into_iter().map(|press| press.text).collect();
        (said, talk.quoted_from)
    };
    let mine = || vec!["mine".to_owned()];
    assert_eq!(heard("say:\nmine\nhis"), (mine(), Some(3)));
    assert_eq!(heard("say:\nmine\n\nhis"), (mine(), Some(3)));
    assert_eq!(heard("say mine\n\nsay his"), (mine(), Some(3)));
    assert_eq!(heard("say:\nmine\n\n"), (mine(), None), "nothing was cut off");
}

#[test]
fn numbered_line_after_full_line_is_prose() {
    // With a blank and this word, the line above would have 59 or 60 characters.
    let short = format!("say {}\nMadrid 8", "x".repeat(48));
    assert_eq!(parse_press(&short).1, [2], "a person has broken it: it may be an order");
    let full = format!("say {}\nMadrid 8", "x".repeat(49));
    assert!(parse_press(&full).1.is_empty() && sent_messages(&full)[0].1.ends_with(" Madrid 8"));
}

#[test]
fn long_and_abbreviated_names_are_recognized() {
    assert_eq!(sent_messages("tell ci hello"), [(vec![3], "hello".to_owned())]);
    assert_eq!(error_key("tell c hello"), "talk-nobody", "one letter is too little");
    let letter = "tell bob, the man who came late: hello";
    assert_eq!(sent_messages(letter), [(vec![2], "the man who came late: hello".to_owned())]);
    assert_eq!(error_key("tell ,: hello"), "talk-to-whom", "and not to all");
    let names = ["Ann", "Ana de la Cruz", "Bob"].map(str::to_owned);
    let mut listener =
        PressParser::new(&names, Seat::new(1), &|_| LineClass::Prose, Translator::english(SHIPPED));
    let line = "tell Ana de la Cruz, Bob: hello";
    assert!(listener.read_line(1, line, line));
    assert_eq!(listener.finish().messages[0].recipients, [Seat::new(2), Seat::new(3)]);
}

#[test]
fn translated_press_reaches_only_named_recipients() {
    use crate::club::Lexicons;
    let text = "say: di\ntell: di a\n[talk]\nand: y\nanonymously: anónimamente";
    let all = Lexicons::parse([(None, text)].into_iter()).expect("they are right");
    let translator =
        Translator { lexicons: Some(&all), kind: None, rank_line: Some(&|_| 0), games: SHIPPED };
    let names = player_names();
    let heard = |line: &str| {
        let mut listener = PressParser::new(
            &names,
            Seat::new(1),
            &|_| LineClass::Prose,
            Translator::english(SHIPPED),
        );
        listener.translator = translator;
        assert!(listener.read_line(1, line, line), "{line}");
        let mut talk = listener.finish();
        talk.error.map_or_else(|| Ok(talk.messages.remove(0)), |wrong| Err(wrong.reason.key))
    };
    let secret = heard("di anónimamente: hola").expect("it is right");
    assert_eq!((secret.anonymous, secret.text.as_str()), (true, "hola"));
    let two = heard("di a Bob y Cid: hola").expect("it is right");
    assert_eq!((two.recipients, two.text.as_str()), (vec![Seat::new(2), Seat::new(3)], "hola"));
    assert_eq!(heard("di a Bob y Cid hola"), Err("talk-colon"));
    assert_eq!(heard("di a Bob y no digas nada").expect("it is right").recipients, [Seat::new(2)]);
}

#[test]
fn ambiguous_name_is_refused() {
    use crate::club::Lexicons;
    let text = "say: di\ntell: di a\n[talk]\nand: y, e\neveryone: todo el mundo";
    let all = Lexicons::parse([(None, text)].into_iter()).expect("they are right");
    let translator =
        Translator { lexicons: Some(&all), kind: None, rank_line: Some(&|_| 0), games: SHIPPED };
    let heard = |names: &[&str], line: &str| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut listener = PressParser::new(
            &names,
            Seat::new(1),
            &|_| LineClass::Prose,
            Translator::english(SHIPPED),
        );
        listener.translator = translator;
        assert!(listener.read_line(1, line, line), "{line}");
        let mut talk = listener.finish();
        let to = |press: PressMessage| {
            press.recipients.iter().map(|seat| seat.number()).collect::<Vec<_>>()
        };
        talk.error.map_or_else(|| Ok(to(talk.messages.remove(0))), |wrong| Err(wrong.reason.key))
    };
    let evil = ["Ann", "Bob", "Iris", "Bob E. Iris", "Todo el mundo", "y Bob", "Everyone"];
    for line in [
        "di a todo el mundo: hola",
        "di a todo el mundo hola",
        "tell everyone: hello",
        "tell everyone hello",
        "di a Bob e Iris: hola",
        "di a Bob e Iris hola",
        "di a Iris, y Bob: hola",
    ] {
        assert_eq!(heard(&evil, line), Err("talk-which"), "{line}");
    }
    assert_eq!(heard(&evil, "di a Bob, Iris: hola"), Ok(vec![2, 3]));
    // A name that only contains such a word is not ambiguous.
    let plain = ["Ann", "Ana y Campos", "John E. Smith", "Bob"];
    for (line, to) in [
        ("di a Ana y Campos: hola", vec![2]),
        ("di a Ana y Campos hola", vec![2]),
        ("di a Ana y Campos, Bob: hola", vec![2, 4]),
        ("di a john e smith: hola", vec![3]),
        ("di a Campos y Bob: hola", vec![2, 4]),
        ("di a todo el mundo: hola", vec![2, 3, 4]),
    ] {
        assert_eq!(heard(&plain, line), Ok(to), "{line}");
    }
}

#[test]
fn only_say_or_tell_begins_press() {
    assert!(
        begins_with_say_or_tell("say hello")
            && begins_with_say_or_tell(" Tell: bob")
            && begins_with_say_or_tell("say")
    );
    assert!(!begins_with_say_or_tell("sayings are old") && !begins_with_say_or_tell("I say hello"));
}

#[test]
fn unusual_press_terms_are_described() {
    for (terms, keys) in [
        ("all", &[][..]),
        ("none anonymous moderator-reads", &["talk-none"]),
        ("public moderator-reads", &["talk-public-only"]),
        ("public anonymous", &["talk-public-only", "talk-terms-anonymous"]),
        ("all anonymous moderator-reads", &["talk-terms-anonymous", "talk-terms-moderator"]),
    ] {
        let words = terms.parse::<PressTerms>().expect("they are terms").describe();
        assert!(words.iter().map(|word| word.key).eq(keys.iter().copied()), "{terms}: {words:?}");
    }
}
