//! Messages between players: their readers, and the effects that they can never have.

use crate::rig::letter_links::link_with_body;
use crate::rig::{self, Club, PostedLetter, address, first_letter_to, postrider_program};
use postrider::process;

fn tricks_club() -> Club {
    Club::with_tricks_game("")
}

fn activity_count(club: &Club) -> usize {
    club.open_context().store.activity_log(1).expect("it reads").len()
}

#[test]
fn one_letter_can_say_tell_and_order() {
    let mut club = tricks_club();
    club.send_reply(
        "Ann",
        "say I shall be away on Sunday,\nas always.\ntell bob: watch Cid\nB&O 3",
    );
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, letters.len(), club.record_count()), (1, 3, 2));
    let message = "TALK | Ann to all: | I shall be away on Sunday, as always.";
    for name in ["Bob", "Cid"] {
        assert!(
            first_letter_to(&letters, name).contains(message),
            "{}",
            first_letter_to(&letters, name).body_text()
        );
    }
    assert!(first_letter_to(&letters, "Bob").contains("| Ann to you: | watch Cid"));
    assert!(!first_letter_to(&letters, "Cid").contains("watch Cid"));
    let ann = first_letter_to(&letters, "Ann");
    assert!(ann.contains("| You to all: | I shall") && ann.contains("| You to Bob: | watch Cid"));
    assert!(ann.contains("We've sent your message"));

    // Each message is sent to a reader only once.
    club.send_reply("Bob", "status");
    assert!(!club.run_pass().1[0].contains("away on Sunday"));
    let letter = club.compose_reply("Ann", "say twice?");
    club.deliver(&letter);
    club.deliver(&letter);
    club.run_pass();
    club.deliver(&letter);
    let (_, letters) = club.run_pass();
    assert!(letters.len() == 1 && letters[0].contains("We already got this e-mail"));
    assert_eq!(activity_count(&club), 3);
}

#[test]
fn message_without_orders_goes_to_recipients_only() {
    let mut club = tricks_club();
    club.send_reply("Ann", "Hello,\n\nTell 2 thanks for the game!\n\nThanks,\nAnn");
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, letters.len(), club.record_count()), (0, 2, 1));
    assert!(first_letter_to(&letters, "Ann").contains("| You to Bob: | thanks for the game!"));
    let bob = first_letter_to(&letters, "Bob");
    assert!(bob.contains("You have a message, below"), "{}", bob.body_text());
    assert!(bob.contains("Ann to you: | thanks for the game!"));
    // The message comes in a letter of the game, so Bob can answer it with another message.
    club.send_reply("Bob", "say:\nThe same to you,\n\nand to Cid\nend");
    let (_, letters) = club.run_pass();
    assert!(
        first_letter_to(&letters, "Cid")
            .body_text()
            .contains("|   The same to you,\n|\n|   and to Cid\n")
    );
}

#[test]
fn private_message_changes_no_byte_for_others() {
    let play_with_line = |first_line: &str| {
        let mut club = Club::with_tricks_game("clock: {deadline: 3 days}\n");
        let mut letters = Vec::new();
        club.send_reply("Ann", first_line);
        letters.extend(club.run_pass().1);
        club.send_reply("Ann", "B&O 3");
        letters.extend(club.run_pass().1);
        club.send_reply("Cid", "history");
        letters.extend(club.run_pass().1);
        club.now += chrono::TimeDelta::days(2);
        letters.extend(club.run_pass().1);
        let outputs =
            [&["log", "1", "--json"][..], &["log", "1"], &["show", "1"], &["verify", "1"]];
        let mut outputs: Vec<String> =
            outputs.iter().map(|args| run_postrider(&club, args)).collect();
        outputs.push(run_postrider(&club, &["export", "1"]));
        letters.retain(|letter| letter.to == address("Cid"));
        (letters, outputs.join("\n"))
    };
    let (with, outputs) = play_with_line("tell bob: take the short way\n\nsecond line?\nend");
    let (without, unsaid) = play_with_line("status");
    assert_eq!(outputs.matches("short way").count(), 0);
    assert_eq!(outputs, unsaid);
    assert_eq!(with.len(), without.len());
    for (a, b) in with.iter().zip(&without) {
        assert_eq!((&a.message_id, a.bytes == b.bytes), (&b.message_id, true), "{}", a.body_text());
    }
}

fn run_postrider(club: &Club, arguments: &[&str]) -> String {
    postrider_program::run_postrider(club.folder(), &club.now.to_rfc3339(), arguments).1
}

#[test]
fn plan_is_never_sent_as_message() {
    let mut club = tricks_club();
    let plan = "if led B&O play B&O 4";
    for letter in [
        format!("say hello\n{plan}"),
        "say hello\nif led B&O plya B&O 4".to_owned(),
        format!("say:\nhello\n\n{plan}"),
        "say\nhello\nvacation 2026-12-20".to_owned(),
        format!("{plan}\n\nsay hello\ntell bob, cid we can win"),
    ] {
        club.send_reply("Bob", &letter);
        let (_, letters) = club.run_pass();
        let others: Vec<_> = letters.iter().filter(|l| l.to != address("Bob")).collect();
        for secret in ["if led", "B&O 4", "vacation", "we can win"] {
            let leak = others.iter().find(|other| other.contains(secret));
            assert!(leak.is_none(), "{secret}: {letter}");
        }
    }
    // The first letter was a message and a plan. The others were refused as a whole.
    assert_eq!(activity_count(&club), 1);
    assert!(
        club.last_text_to("Bob").contains("Put a colon after the names"),
        "{}",
        club.last_text_to("Bob")
    );
    assert!(club.last_text_to("Bob").contains("We haven't sent any message from your e-mail"));

    // If a line of a message looks like an order, the answer explains how to send it.
    club.send_reply("Bob", "say we all must\nlead the way");
    club.run_pass();
    assert!(
        club.last_letter_to("Bob").expect("a letter").contains("write \"say:\" alone on a line")
    );
    club.send_reply("Bob", "say:\nwe all must\nlead the way\nend\n\nstatus");
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, "Ann").contains("we all must | lead the way"));
    assert!(first_letter_to(&letters, "Bob").contains("THE TABLE"));
}

#[test]
fn text_appended_by_mail_program_is_not_sent() {
    let mut club = tricks_club();
    let received = club.last_text_to("Ann");
    let token =
        club.last_letter_to("Ann").and_then(|letter| letter.header("Reply-To")).expect("one");
    let quoted: String = received.lines().map(|line| format!("> {line}\n")).collect();
    let hand = "B&O 3";
    assert!(received.contains(hand));
    for appended in [
        format!("\n{quoted}"),
        format!("\nOn Monday, 5 January 2026 at 18:00 the club wrote:\n{received}"),
        format!("\n-----Original Message-----\n{received}"),
        format!("\n{received}"),
        format!("\n-- \n{received}"),
        // A mail program may quote only the middle of the letter.
        format!("\nYOUR HAND (ONLY YOU SEE THIS)\n\n{hand}"),
        "> other\nend".to_owned(),
    ] {
        club.now += chrono::TimeDelta::hours(3);
        club.send_reply("Ann", &format!("say:\nHello all!\n{appended}"));
        let (_, letters) = club.run_pass();
        let (_, talk) = club
            .last_text_to("Bob")
            .split_once("TALK")
            .map(|(a, b)| (a.len(), b.to_owned()))
            .expect("talk");
        let talk: String =
            talk.lines().take_while(|l| l.is_empty() || l.starts_with('|')).collect();
        assert!(talk.contains("Hello all!"), "{appended}\n{talk}");
        for secret in [hand, "YOUR HAND", "ONLY YOU SEE", "proof", "other", "===", "26"] {
            assert!(!talk.contains(secret), "{secret}: {talk}");
        }
        let seal = token.split(['.', '@']).nth(3).expect("a seal").to_lowercase();
        let bob = first_letter_to(&letters, "Bob");
        assert!(!bob.body_text().to_lowercase().contains(&seal), "{}", bob.body_text());
    }
}

#[test]
fn message_text_with_markup_stays_plain_text() {
    let mut club = tricks_club();
    let evil = "tell 2:\n<b>bold</b> & <script>\nB&O 3\u{202e}abc\u{7}\n\
                === Write your orders above this line\n-----BEGIN\nBcc: x\n\n\
                From me\n.\nNYC 9, wins";
    let letter = club.compose_reply("Ann", evil).replacen(
        "\r\n\r\n",
        "\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
         Content-Transfer-Encoding: 8bit\r\n\r\n",
        1,
    );
    club.deliver(letter);
    let (_, letters) = club.run_pass();
    let bob = first_letter_to(&letters, "Bob").clone();
    assert_eq!(bob.header("Bcc"), None);
    let bytes = String::from_utf8(bob.bytes.clone()).expect("text");
    let html = bytes.split("text/html").nth(1).expect("a part in HTML");
    assert!(html.contains("&lt;script&gt;") && !html.contains("<script>"));
    let text = bob.body_text();
    assert!(text.contains("|   <b>bold</b> & <script>\n|   B&O 3abc\n"), "{text}");

    // Quoted text below a reply is ignored, even with commands in it.
    let (_, talk) = text.split_once("TALK\n").expect("talk");
    let talk: String = talk.lines().skip(1).take(10).map(|line| format!("{line}\n")).collect();
    club.send_reply("Bob", &format!("status\n{talk}"));
    club.send_reply("Bob", &format!("say thanks\n{talk}"));
    let (_, letters) = club.run_pass();
    assert!(letters.iter().all(|letter| !letter.contains("WHAT WENT WRONG")), "{talk}");
    assert!(
        first_letter_to(&letters, "Cid").contains("Bob to all: | thanks"),
        "{}",
        first_letter_to(&letters, "Cid").body_text()
    );
    assert!(!first_letter_to(&letters, "Cid").contains("bold"));
}

#[test]
fn message_keeps_non_ascii_characters() {
    let mut club = tricks_club();
    let letter = club.compose_reply("Ann", "say Grüße – „bis bald“ …").replace(
        "\r\n\r\n",
        "\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
         Content-Transfer-Encoding: 8bit\r\n\r\n",
    );
    club.deliver(letter);
    let context = club.open_context();
    process::run_pass(&context, &mut club.transport).expect("the pass works");
    drop(context);
    assert!(club.last_text_to("Bob").contains("|   Grüße – „bis bald“ …\n"));
}

#[test]
fn preview_shows_messages_without_sending_them() {
    let mut club = tricks_club();
    club.send_reply("Ann", "preview\nB&O 3\n\ntell cid, bob: soon");
    club.send_reply("Bob", "preview\nsay soon");
    let (_, letters) = club.run_pass();
    assert_eq!((letters.len(), activity_count(&club), club.record_count()), (2, 0, 1));
    assert!(first_letter_to(&letters, "Ann").contains("| You to Bob and Cid: | soon"));
    assert!(
        first_letter_to(&letters, "Ann").contains("You play B&O 3"),
        "{}",
        first_letter_to(&letters, "Ann").body_text()
    );
    assert!(first_letter_to(&letters, "Bob").contains("We haven't sent any messages."));
    club.send_reply("Ann", "preview\nB&O 99\n\nsay soon");
    let (_, letters) = club.run_pass();
    assert!(
        letters[0].contains("sent any message from your e-mail") && !letters[0].contains("TALK")
    );
}

#[test]
fn letter_with_wrong_order_sends_no_message() {
    let mut club = tricks_club();
    club.send_reply("Ann", "say I lead the B&O\n\nB&O 99");
    let (_, letters) = club.run_pass();
    assert_eq!((letters.len(), activity_count(&club)), (1, 0));
    assert!(letters[0].contains("We haven't sent any message from your e-mail."));
}

#[test]
fn say_to_one_player_is_asked_back() {
    for (line, instead) in [
        ("say to bob: secret", "tell bob: secret"),
        ("say to Bob secret", "tell Bob secret"),
        ("say bob: secret", "tell bob: secret"),
        ("say anonymously to bob: secret", "tell anonymously bob: secret"),
        ("say hi all! B&O 3", "B&O 3"),
        ("tell cid hello. B&O 3", "B&O 3"),
    ] {
        let mut club = tricks_club();
        club.send_reply("Ann", line);
        let (_, letters) = club.run_pass();
        assert_eq!(
            (letters.len(), activity_count(&club), club.record_count()),
            (1, 0, 1),
            "{line}"
        );
        let answer = first_letter_to(&letters, "Ann");
        assert!(answer.contains(instead), "{line}: {}", answer.body_text());
        link_with_body(answer, instead);
    }
}

#[test]
fn message_errors_explain_correct_syntax() {
    let mut club = tricks_club();
    let seats = "The seats are 1 (Ann), 2 (Bob) and 3 (Cid).";
    for (line, why) in [
        (
            "tell",
            format!(
                "After \"tell\", write who your message is for, by name or seat. Then write your \
                 message. {seats}"
            ),
        ),
        ("tell dora: hello", format!("There's no player called dora in this game. {seats}")),
        ("tell ann: hello", "Only you would get this message.".to_owned()),
        ("say:", "There's no message here.".to_owned()),
        (
            &format!("say:\n{}", "word\n".repeat(41)),
            "2000 characters and 40 lines at most.".to_owned(),
        ),
    ] {
        club.send_reply("Ann", line);
        let answer = club.run_pass().1.remove(0);
        assert!(
            answer.contains(&why) && answer.contains("Nothing has changed"),
            "{line}\n{}",
            answer.body_text()
        );
    }
    assert_eq!(activity_count(&club), 0);
    let mut club = Club::with_settings("");
    let two_of_a_name = [("Ann", "Ann"), ("Bob Hill", "Bob"), ("Bob Wood", "Cid")];
    club.start_game_for("trick-of-the-rails", &two_of_a_name, 2);
    club.run_pass();
    club.send_reply("Ann", "tell bob: hello");
    let answer = club.run_pass().1.remove(0);
    let why = "bob could be more than one player. Write the number of the seat, as in";
    assert!(answer.contains(why), "{}", answer.body_text());
}

#[test]
fn club_settings_restrict_messages() {
    let mut club = Club::with_tricks_game("press: {allowed: public, anonymous: true}\n");
    assert!(club.last_letter_to("Ann").expect("a letter").contains("messages go to all players"));
    club.send_reply("Ann", "say anonymously: who is winning?");
    club.send_reply("Bob", "tell cid let us talk");
    let (_, letters) = club.run_pass();
    let cid = first_letter_to(&letters, "Cid");
    assert!(cid.contains("Somebody to all: | who is winning?"), "{}", cid.body_text());
    assert!(first_letter_to(&letters, "Ann").contains("You, unnamed, to all:"));
    let refused = |letter: &&PostedLetter| letter.contains("Line 1 of your e-mail: tell cid");
    assert!(letters.iter().find(refused).is_some_and(|l| l.contains("messages go to all players")));
    assert!(!run_postrider(&club, &["log", "1"]).contains("Ann said"));
    assert!(run_postrider(&club, &["log", "1"]).contains("who is winning?"));

    let mut club = Club::with_tricks_game("press: {moderator_reads: true}\n");
    assert!(
        club.last_letter_to("Ann")
            .expect("a letter")
            .contains("the moderator can read private messages")
    );
    club.send_reply("Ann", "tell bob: hush");
    club.send_reply("Cid", "say anonymously: boo");
    let (_, letters) = club.run_pass();
    assert!(first_letter_to(&letters, "Cid").contains("messages always show who wrote them"));
    let log = run_postrider(&club, &["log", "1"]);
    assert!(log.contains("Ann said to Bob: hush"), "{log}");

    let mut club = Club::with_tricks_game("press: {allowed: none}\n");
    club.send_reply("Ann", "say hello");
    let (_, letters) = club.run_pass();
    assert!(letters.len() == 1 && letters[0].contains("players can't write to each other"));
}

#[test]
fn anonymous_speaker_cannot_be_identified_from_letters() {
    let heard_by_bob = |speaker: &str| {
        let mut club = Club::with_tricks_game("press: {anonymous: true}\n");
        club.send_reply(speaker, "say anonymously: who is winning?\ntell anonymously bob: not you");
        club.run_pass();
        club.send_reply("Bob", "history");
        club.run_pass();
        let letters =
            club.transport.posted.into_iter().filter(|letter| letter.to == address("Bob"));
        letters.map(|letter| letter.bytes).collect::<Vec<_>>()
    };
    let bytes = heard_by_bob("Ann");
    assert!(bytes.len() == 3 && bytes == heard_by_bob("Cid"));
}

#[test]
fn messages_are_limited_to_twenty_letters_daily() {
    let mut club = tricks_club();
    for n in 0..22 {
        club.send_reply("Ann", &format!("say hello {n}\ntell 2 and you"));
    }
    let (_, letters) = club.run_pass();
    assert_eq!(activity_count(&club), 40);
    assert!(
        first_letter_to(&letters, "Bob").contains("hello 19")
            && !first_letter_to(&letters, "Bob").contains("hello 20")
    );
    assert!(letters.iter().any(|letter| letter.contains("in 20 e-mails in the last 24 hours")));
    assert_eq!(letters.iter().filter(|letter| letter.to == address("Bob")).count(), 1);
    club.now += chrono::TimeDelta::hours(24);
    club.send_reply("Ann", "say good morning");
    assert!(first_letter_to(&club.run_pass().1, "Bob").contains("good morning"));
}

#[test]
fn history_shows_messages_visible_to_reader() {
    let mut club = tricks_club();
    club.send_reply("Ann", "say first");
    club.run_pass();
    club.send_reply("Ann", "B&O 3\n\ntell bob second");
    club.run_pass();
    club.send_reply("Bob", "history");
    club.send_reply("Cid", "history");
    let (_, letters) = club.run_pass();
    let bob = first_letter_to(&letters, "Bob").body_text();
    let at = |what: &str| bob.find(what).unwrap_or_else(|| panic!("{what}\n{bob}"));
    assert!(bob.contains("| (5 Jan 2026) Ann to all:\n|   first"), "{bob}");
    assert!(at("|   first") < at("Ann plays B&O 3") && at("Ann plays B&O 3") < at("|   second"));
    assert!(
        first_letter_to(&letters, "Cid").contains("| first")
            && !first_letter_to(&letters, "Cid").contains("second")
    );
}

#[test]
fn unreachable_player_reads_public_messages_on_return() {
    let mut club = tricks_club();
    let old_letter = club.last_letter_to("Cid").expect("a letter").clone();
    rig::make_undeliverable(&mut club, "Cid");
    club.send_reply("Ann", "say where is Cid?\ntell bob not for him");
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 2);
    club.now += chrono::TimeDelta::days(9);
    club.deliver(club.compose_reply_to("Cid", &old_letter, "status"));
    let (_, letters) = club.run_pass();
    let read =
        |what: &str| letters.iter().filter(|l| l.to == address("Cid") && l.contains(what)).count();
    assert_eq!((read("where is Cid?"), read("not for him")), (1, 0));
}

#[test]
fn returning_player_learns_nothing_of_private_messages() {
    let letters = |words: &str| {
        let mut club = tricks_club();
        let old_letter = club.last_letter_to("Cid").expect("a letter").clone();
        rig::make_undeliverable(&mut club, "Cid");
        club.send_reply("Ann", "B&O 3");
        club.run_pass();
        club.send_reply("Ann", words);
        club.deliver(
            club.compose_reply_to("Cid", &old_letter, "status").replace("<cid-4", "<cid-1"),
        );
        let (_, mut letters) = club.run_pass();
        letters.retain(|letter| letter.to == address("Cid"));
        letters
            .iter()
            .map(|letter| (letter.message_id.clone(), letter.body_text()))
            .collect::<Vec<_>>()
    };
    let with_message = letters("tell bob hush");
    assert_eq!(with_message, letters("status"));
    assert!(with_message.iter().any(|(_, text)| text.contains("Ann plays B&O 3.")));
}

#[test]
fn messages_survive_loss_of_store() {
    let mut club = tricks_club();
    club.send_reply("Ann", "say:\none\n\ntwo\nend\n");
    club.run_pass();
    club.restore_from_journal();
    assert_eq!(activity_count(&club), 1);
    club.send_reply("Bob", "history");
    let (_, letters) = club.run_pass();
    assert!(letters.iter().any(|letter| letter.body_text().contains("|   one\n|\n|   two\n")));
}

/// A line of a message has no limit of its own. Quadratic work on such a line would take minutes.
#[test]
fn huge_line_in_message_is_refused_soon() {
    let mut club = Club::with_tricks_game("language: es\n");
    for line in ["una palabra ".repeat(10_000), "a".repeat(120_000)] {
        club.send_reply("Ann", &format!("decir:\n{line}"));
        let (report, letters) = club.run_pass();
        assert_eq!((report.carried_out, letters.len()), (0, 1));
        let answer = first_letter_to(&letters, "Ann");
        assert!(answer.contains("2000 caracteres"), "{}", answer.body_text());
    }
}
