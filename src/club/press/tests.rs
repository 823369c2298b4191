//! What is press, to whom it goes, and what is refused.

use super::*;
use proptest::prelude::*;

fn names() -> Vec<String> {
    ["Ann Lee", "Bob", "Cid", "Bo Lind", "Zoë O’Neil"].map(str::to_owned).to_vec()
}

/// What a letter of seat 1 says; `build` begins orders, one of them is whole.
fn heard(letter: &str) -> (Talk, Vec<u32>) {
    let names = names();
    let judge = |line: &str| match line {
        "build red G23" => Reads::Order,
        line if line.starts_with("build") => Reads::LikeOrder,
        _ => Reads::Prose,
    };
    let mut listener = Listener::new(&names, Seat::new(1), &judge);
    let mut left = Vec::new();
    for (number, line) in (1..).zip(letter.lines()) {
        if !listener.takes(number, line, line.trim()) {
            left.push(number);
        }
    }
    (listener.heard(), left)
}

fn said(letter: &str) -> Vec<(Vec<u8>, String)> {
    let (talk, _) = heard(letter);
    assert_eq!(talk.wrong, None, "{letter}");
    let to = |press: &Press| press.to.iter().map(|seat| seat.number()).collect();
    talk.press.iter().map(|press| (to(press), press.text.clone())).collect()
}

fn wrong(letter: &str) -> &'static str {
    heard(letter).0.wrong.expect("it is wrong").why.key
}

#[test]
fn a_paragraph_ends_where_an_order_or_a_blank_line_begins() {
    let letter = "say Grüße – an\nalle!\n\nbuild red G23";
    assert_eq!(heard(letter).1, [4]);
    assert_eq!(said(letter), [(vec![], "Grüße – an alle!".to_owned())]);
    let letter = "Say: hello\nbuild rde G23\nmore";
    let (talk, left) = heard(letter);
    assert_eq!((left, talk.ended_by), (vec![2, 3], vec![2]), "what is mistyped is not said either");
    assert_eq!(heard("say hello\nend\nmore").1, [3]);
    assert_eq!(heard("say hello\nbiuld red G23").1, [2]);
    let long = "say we could all meet in the evening in front of the town hall of";
    assert_eq!(said(&format!("{long}\nMadrid at 8"))[0].1.lines().count(), 1, "it was broken");
    assert_eq!(said("say one\nsay two\ntell 2 three").len(), 3);
    assert_eq!(heard("sayings are old\ntellingly").1, [1, 2]);
}

#[test]
fn a_block_goes_on_to_its_end_and_holds_no_order() {
    let letter = "say:\n\none\n\n\ntwo\nend\nbuild blue G1";
    assert_eq!(said(letter), [(vec![], "one\n\ntwo".to_owned())]);
    assert_eq!(heard(letter).1, [8]);
    assert_eq!(said("tell 2:\nbuild on it\n- thanks"), [(vec![2], "build on it\n- thanks".into())]);
    assert_eq!(wrong("say\nhello\n\nbuild red G23"), "talk-order-inside");
    assert_eq!(wrong("say\nhello\n\ntell bob our plan"), "talk-order-inside");
}

#[test]
fn what_others_wrote_ends_press() {
    let names = names();
    let mut listener = Listener::new(&names, Seat::new(1), &|_| Reads::Prose);
    assert!(listener.takes(1, "say:", "say:") && listener.takes(2, "mine", "mine"));
    assert!(!listener.takes(5, "his hand", "his hand"), "lines 3 and 4 were quoted");
    assert_eq!(listener.heard().press[0].text, "mine");
    assert_eq!(heard("say:\nmine\n| his\nhand").1, [3, 4]);
}

#[test]
fn those_who_are_told_are_named_so_that_nobody_else_can_be_meant() {
    let to = |line: &str| said(line).remove(0);
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
    assert_eq!(wrong("tell bob, cid is late"), "talk-colon");
    assert_eq!(wrong("tell 2 and 3 hello"), "talk-colon");
    assert_eq!(wrong("tell bob, dora: hello"), "talk-nobody");
    assert_eq!(wrong("tell me more"), "talk-nobody");
    assert_eq!(wrong("tell 7 hello"), "talk-nobody");
    assert_eq!(wrong("tell"), "talk-to-whom");
    assert_eq!(wrong("tell ann hello"), "talk-to-yourself");
}

#[test]
fn who_says_something_may_sign_it() {
    assert_eq!(heard("say hello\n\n- Ann\nbuild red G23").1, [4]);
    assert_eq!(heard("Ann Lee\nsay hello\n\nAnn Lee").1, [1]);
    assert_eq!(heard("say hello\n\nBob").1, [3]);
}

proptest! {
    #[test]
    fn no_order_and_no_quotation_is_ever_said(lines in prop::collection::vec(0..10_usize, 0..12)) {
        const LINES: [&str; 10] = [
            "say hello", "say:", "tell 2 hello", "tell 2:", "end", "", "hello", "build red G23",
            "build rde G23", "| his hand",
        ];
        let letter: Vec<&str> = lines.iter().filter_map(|at| LINES.get(*at).copied()).collect();
        let (talk, left) = heard(&letter.join("\n"));
        if talk.wrong.is_none() {
            for press in &talk.press {
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
fn terms_are_kept_and_read_again() {
    let press = |letter: &str| heard(letter).0.press.remove(0);
    let of = |terms: &str| terms.parse::<PressTerms>().expect("they are terms");
    for text in ["all", "none", "public anonymous", "all moderator-reads"] {
        assert_eq!(of(text).to_string(), text);
    }
    assert!("loud".parse::<PressTerms>().is_err());
    let key = |terms: &str, letter: &str| of(terms).allow(&press(letter)).err().map(|why| why.key);
    assert_eq!(key("none", "say hello"), Some("talk-none"));
    assert_eq!(key("public", "tell 2 hello"), Some("talk-public-only"));
    assert_eq!(key("all", "say anonymously: hello"), Some("talk-signed-only"));
    assert_eq!(key("all anonymous", "tell anonymously 2 hello"), None);
}

#[test]
fn nobody_says_too_much() {
    let check = |letter: &str, sent| {
        heard(letter).0.check(PressTerms::default(), sent).err().map(|wrong| wrong.why.key)
    };
    assert_eq!(check("say hello", 19), None);
    assert_eq!(check("say hello", 20), Some("talk-too-often"));
    assert_eq!(check(&format!("say {}", "x".repeat(2_001)), 0), Some("talk-too-long"));
    assert_eq!(check(&format!("say:\n{}", "x\n".repeat(41)), 0), Some("talk-too-long"));
    assert_eq!(check(&format!("say:\n{}", "x\n".repeat(40)), 0), None);
    assert_eq!(check("tell 2:", 0), Some("talk-empty"));
}

#[test]
fn what_a_letter_quotes_without_marks_is_said_to_nobody() {
    let names = names();
    let heard = |letter: &str| {
        let mut listener = Listener::new(&names, Seat::new(1), &|_| Reads::Prose);
        listener.quoted = Some(3);
        let lines = (1..).zip(letter.split('\n'));
        lines.for_each(|(number, line)| assert!(listener.takes(number, line, line), "{line}"));
        let talk = listener.heard();
        let said: Vec<String> = talk.press.into_iter().map(|press| press.text).collect();
        (said, talk.cut_at)
    };
    let mine = || vec!["mine".to_owned()];
    assert_eq!(heard("say:\nmine\nhis"), (mine(), Some(3)));
    assert_eq!(heard("say:\nmine\n\nhis"), (mine(), Some(3)));
    assert_eq!(heard("say mine\n\nsay his"), (mine(), Some(3)));
    assert_eq!(heard("say:\nmine\n\n"), (mine(), None), "nothing was cut off");
}

#[test]
fn a_line_with_a_number_is_prose_where_the_line_above_had_no_room_for_its_first_word() {
    // With a blank and this word the line above has 59 characters, or 60.
    let short = format!("say {}\nMadrid 8", "x".repeat(48));
    assert_eq!(heard(&short).1, [2], "a person has broken it: it may be an order");
    let full = format!("say {}\nMadrid 8", "x".repeat(49));
    assert!(heard(&full).1.is_empty() && said(&full)[0].1.ends_with(" Madrid 8"));
}

#[test]
fn who_is_told_may_have_a_long_name_or_be_called_by_its_beginning() {
    assert_eq!(said("tell ci hello"), [(vec![3], "hello".to_owned())]);
    assert_eq!(wrong("tell c hello"), "talk-nobody", "one letter is too little");
    let letter = "tell bob, the man who came late: hello";
    assert_eq!(said(letter), [(vec![2], "the man who came late: hello".to_owned())]);
    assert_eq!(wrong("tell ,: hello"), "talk-to-whom", "and not to all");
    let names = ["Ann", "Ana de la Cruz", "Bob"].map(str::to_owned);
    let mut listener = Listener::new(&names, Seat::new(1), &|_| Reads::Prose);
    let line = "tell Ana de la Cruz, Bob: hello";
    assert!(listener.takes(1, line, line));
    assert_eq!(listener.heard().press[0].to, [Seat::new(2), Seat::new(3)]);
}

#[test]
fn in_a_language_of_ones_own_nobody_else_is_told_either() {
    use crate::club::Lexicons;
    let text = "say: di\ntell: di a\n[talk]\nand: y\nanonymously: anónimamente";
    let all = Lexicons::read([(None, text)].into_iter()).expect("they are right");
    let translator = Translator { lexicons: Some(&all), kind: None, rank: &|_| 0 };
    let names = names();
    let heard = |line: &str| {
        let mut listener = Listener::new(&names, Seat::new(1), &|_| Reads::Prose);
        listener.translator = translator;
        assert!(listener.takes(1, line, line), "{line}");
        let mut talk = listener.heard();
        talk.wrong.map_or_else(|| Ok(talk.press.remove(0)), |wrong| Err(wrong.why.key))
    };
    let secret = heard("di anónimamente: hola").expect("it is right");
    assert_eq!((secret.anonymous, secret.text.as_str()), (true, "hola"));
    let two = heard("di a Bob y Cid: hola").expect("it is right");
    assert_eq!((two.to, two.text.as_str()), (vec![Seat::new(2), Seat::new(3)], "hola"));
    assert_eq!(heard("di a Bob y Cid hola"), Err("talk-colon"));
    assert_eq!(heard("di a Bob y no digas nada").expect("it is right").to, [Seat::new(2)]);
}

#[test]
fn name_that_means_others_too_is_asked_about() {
    use crate::club::Lexicons;
    let text = "say: di\ntell: di a\n[talk]\nand: y, e\neveryone: todo el mundo";
    let all = Lexicons::read([(None, text)].into_iter()).expect("they are right");
    let translator = Translator { lexicons: Some(&all), kind: None, rank: &|_| 0 };
    let heard = |names: &[&str], line: &str| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut listener = Listener::new(&names, Seat::new(1), &|_| Reads::Prose);
        listener.translator = translator;
        assert!(listener.takes(1, line, line), "{line}");
        let mut talk = listener.heard();
        let to = |press: Press| press.to.iter().map(|seat| seat.number()).collect::<Vec<_>>();
        talk.wrong.map_or_else(|| Ok(to(talk.press.remove(0))), |wrong| Err(wrong.why.key))
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
    // Nobody else is meant by a name that merely holds such a word.
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
fn a_line_says_something_that_begins_with_one_of_two_words() {
    assert!(says_something("say hello") && says_something(" Tell: bob") && says_something("say"));
    assert!(!says_something("sayings are old") && !says_something("I say hello"));
}

#[test]
fn the_first_letter_tells_what_is_unusual_about_talk() {
    for (terms, keys) in [
        ("all", &[][..]),
        ("none anonymous moderator-reads", &["talk-none"]),
        ("public moderator-reads", &["talk-public-only"]),
        ("public anonymous", &["talk-public-only", "talk-terms-anonymous"]),
        ("all anonymous moderator-reads", &["talk-terms-anonymous", "talk-terms-moderator"]),
    ] {
        let words = terms.parse::<PressTerms>().expect("they are terms").words();
        assert!(words.iter().map(|word| word.key).eq(keys.iter().copied()), "{terms}: {words:?}");
    }
}
