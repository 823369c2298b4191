//! What players say to each other by letters to the club: who reads it, who does not, and what it
//! can never do.

use crate::rig::{self, Club, Posted, address, command, to};
use postrider::process;

fn tricks() -> Club {
    Club::tricks("")
}

fn said(club: &Club) -> usize {
    club.context().store.minutes(1).expect("it reads").len()
}

#[test]
fn one_letter_speaks_to_all_tells_one_and_orders() {
    let mut club = tricks();
    club.writes("Ann", "say I shall be away on Sunday,\nas always.\ntell bob: watch Cid\nB&O 3");
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, letters.len(), club.head()), (1, 3, 2));
    let heard = "TALK | Ann to all: | I shall be away on Sunday, as always.";
    for name in ["Bob", "Cid"] {
        assert!(to(&letters, name).says(heard), "{}", to(&letters, name).text());
    }
    assert!(to(&letters, "Bob").says("| Ann to you: | watch Cid"));
    assert!(!to(&letters, "Cid").says("watch Cid"));
    let ann = to(&letters, "Ann");
    assert!(ann.says("| You to all: | I shall") && ann.says("| You to Bob: | watch Cid"));
    assert!(ann.says("What you say in your letter has been passed on"));

    // What was said is said once.
    club.writes("Bob", "status");
    assert!(!club.pass().1[0].says("away on Sunday"));
    let letter = club.reply("Ann", "say twice?");
    club.arrives(&letter);
    club.arrives(&letter);
    club.pass();
    club.arrives(&letter);
    let (_, letters) = club.pass();
    assert!(letters.len() == 1 && letters[0].says("This letter of yours came before"));
    assert_eq!(said(&club), 3);
}

#[test]
fn words_alone_are_a_letter_of_their_own_to_their_readers_alone() {
    let mut club = tricks();
    club.writes("Ann", "Hello,\n\nTell 2 thanks for the game!\n\nThanks,\nAnn");
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, letters.len(), club.head()), (0, 2, 1));
    assert!(to(&letters, "Ann").says("| You to Bob: | thanks for the game!"));
    let bob = to(&letters, "Bob");
    assert!(bob.says("There is a word from the table for you"), "{}", bob.text());
    assert!(bob.says("Ann to you: | thanks for the game!"));
    // The letter is one of the game: its reply is at home.
    club.writes("Bob", "say:\nThe same to you,\n\nand to Cid\nend");
    let (_, letters) = club.pass();
    assert!(to(&letters, "Cid").text().contains("|   The same to you,\n|\n|   and to Cid\n"));
}

#[test]
fn a_private_word_changes_no_byte_of_what_anybody_else_gets() {
    let story = |words: &str| {
        let mut club = Club::tricks("clock: {deadline: 3 days}\n");
        let mut letters = Vec::new();
        club.writes("Ann", words);
        letters.extend(club.pass().1);
        club.writes("Ann", "B&O 3");
        letters.extend(club.pass().1);
        club.writes("Cid", "history");
        letters.extend(club.pass().1);
        club.now += chrono::TimeDelta::days(2);
        letters.extend(club.pass().1);
        let shown = [&["log", "1", "--json"][..], &["log", "1"], &["show", "1"], &["verify", "1"]];
        let mut shown: Vec<String> = shown.iter().map(|args| run(&club, args)).collect();
        shown.push(run(&club, &["export", "1"]));
        letters.retain(|letter| letter.to == address("Cid"));
        (letters, shown.join("\n"))
    };
    let (with, shown) = story("tell bob: take the short way\n\nsecond line?\nend");
    let (without, unsaid) = story("status");
    assert_eq!(shown.matches("short way").count(), 0);
    assert_eq!(shown, unsaid);
    assert_eq!(with.len(), without.len());
    for (a, b) in with.iter().zip(&without) {
        assert_eq!((&a.message_id, a.bytes == b.bytes), (&b.message_id, true), "{}", a.text());
    }
}

fn run(club: &Club, arguments: &[&str]) -> String {
    command::run(club.folder(), &club.now.to_rfc3339(), arguments).1
}

#[test]
fn a_secret_plan_is_never_taken_for_words() {
    let mut club = tricks();
    let plan = "if led B&O play B&O 4";
    for letter in [
        format!("say hello\n{plan}"),
        "say hello\nif led B&O plya B&O 4".to_owned(),
        format!("say:\nhello\n\n{plan}"),
        "say\nhello\nvacation 2026-12-20".to_owned(),
        format!("{plan}\n\nsay hello\ntell bob, cid we can win"),
    ] {
        club.writes("Bob", &letter);
        let (_, letters) = club.pass();
        let others: Vec<_> = letters.iter().filter(|l| l.to != address("Bob")).collect();
        for secret in ["if led", "B&O 4", "vacation", "we can win"] {
            let told = others.iter().find(|other| other.says(secret));
            assert!(told.is_none(), "{secret}: {letter}");
        }
    }
    // The first was a word and a plan; the others were refused as a whole.
    assert_eq!(said(&club), 1);
    assert!(club.last_text("Bob").contains("put a colon behind"), "{}", club.last_text("Bob"));
    assert!(club.last_text("Bob").contains("Nothing of your letter has been said"));

    // A sentence that begins like an order: its writer learns how to say it.
    club.writes("Bob", "say we all must\nlead the way");
    club.pass();
    assert!(club.last_to("Bob").expect("a letter").says("write \"say:\" alone on a line"));
    club.writes("Bob", "say:\nwe all must\nlead the way\nend\n\nstatus");
    let (_, letters) = club.pass();
    assert!(to(&letters, "Ann").says("we all must | lead the way"));
    assert!(to(&letters, "Bob").says("THE TABLE"));
}

#[test]
fn what_a_mail_program_appends_is_never_said() {
    let mut club = tricks();
    let received = club.last_text("Ann");
    let token = club.last_to("Ann").and_then(|letter| letter.header("Reply-To")).expect("one");
    let quoted: String = received.lines().map(|line| format!("> {line}\n")).collect();
    let hand = "B&O 3";
    assert!(received.contains(hand));
    for appended in [
        format!("\n{quoted}"),
        format!("\nOn Monday, 5 January 2026 at 18:00 the club wrote:\n{received}"),
        format!("\n-----Original Message-----\n{received}"),
        format!("\n{received}"),
        format!("\n-- \n{received}"),
        // Even if all of it but the middle was lost.
        format!("\nYOUR HAND, FOR YOUR EYES ONLY\n\n{hand}"),
        "> other\nend".to_owned(),
    ] {
        club.now += chrono::TimeDelta::hours(3);
        club.writes("Ann", &format!("say:\nHello all!\n{appended}"));
        let (_, letters) = club.pass();
        let (_, talk) = club
            .last_text("Bob")
            .split_once("TALK")
            .map(|(a, b)| (a.len(), b.to_owned()))
            .expect("talk");
        let talk: String =
            talk.lines().take_while(|l| l.is_empty() || l.starts_with('|')).collect();
        assert!(talk.contains("Hello all!"), "{appended}\n{talk}");
        for secret in [hand, "PORTFOLIO", "EYES", "chain", "other", "===", "26"] {
            assert!(!talk.contains(secret), "{secret}: {talk}");
        }
        let seal = token.split(['.', '@']).nth(3).expect("a seal").to_lowercase();
        let bob = to(&letters, "Bob");
        assert!(!bob.text().to_lowercase().contains(&seal), "{}", bob.text());
    }
}

#[test]
fn words_that_would_be_more_than_words_stay_words() {
    let mut club = tricks();
    let evil = "tell 2:\n<b>bold</b> & <script>\nB&O 3\u{202e}abc\u{7}\n\
                === Write your orders above this line\n-----BEGIN\nBcc: x\n\n\
                From me\n.\nNYC 9, wins";
    let letter = club.reply("Ann", evil).replacen(
        "\r\n\r\n",
        "\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
         Content-Transfer-Encoding: 8bit\r\n\r\n",
        1,
    );
    club.arrives(letter);
    let (_, letters) = club.pass();
    let bob = to(&letters, "Bob").clone();
    assert_eq!(bob.header("Bcc"), None);
    let bytes = String::from_utf8(bob.bytes.clone()).expect("text");
    let html = bytes.split("text/html").nth(1).expect("a part in HTML");
    assert!(html.contains("&lt;script&gt;") && !html.contains("<script>"));
    let text = bob.text();
    assert!(text.contains("|   <b>bold</b> & <script>\n|   B&O 3abc\n"), "{text}");

    // Whatever a program makes of it below a reply, nothing of it is read.
    let (_, talk) = text.split_once("TALK\n").expect("talk");
    let talk: String = talk.lines().skip(1).take(10).map(|line| format!("{line}\n")).collect();
    club.writes("Bob", &format!("status\n{talk}"));
    club.writes("Bob", &format!("say thanks\n{talk}"));
    let (_, letters) = club.pass();
    assert!(letters.iter().all(|letter| !letter.says("WHAT WAS WRONG")), "{talk}");
    assert!(to(&letters, "Cid").says("Bob to all: | thanks"), "{}", to(&letters, "Cid").text());
    assert!(!to(&letters, "Cid").says("bold"));
}

#[test]
fn press_keeps_its_own_characters() {
    let mut club = tricks();
    let letter = club.reply("Ann", "say Grüße – „bis bald“ …").replace(
        "\r\n\r\n",
        "\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
         Content-Transfer-Encoding: 8bit\r\n\r\n",
    );
    club.arrives(letter);
    let context = club.context();
    process::pass(&context, &mut club.pigeon).expect("the pass works");
    drop(context);
    assert!(club.last_text("Bob").contains("|   Grüße – „bis bald“ …\n"));
}

#[test]
fn a_preview_shows_what_would_be_said_and_says_nothing() {
    let mut club = tricks();
    club.writes("Ann", "preview\nB&O 3\n\ntell cid, bob: soon");
    club.writes("Bob", "preview\nsay soon");
    let (_, letters) = club.pass();
    assert_eq!((letters.len(), said(&club), club.head()), (2, 0, 1));
    assert!(to(&letters, "Ann").says("| You to Bob and Cid: | soon"));
    assert!(to(&letters, "Ann").says("You play B&O 3"), "{}", to(&letters, "Ann").text());
    assert!(to(&letters, "Bob").says("Nothing has been said to anybody."));
    club.writes("Ann", "preview\nB&O 99\n\nsay soon");
    let (_, letters) = club.pass();
    assert!(letters[0].says("Nothing of your letter has been said") && !letters[0].says("TALK"));
}

#[test]
fn a_letter_with_a_wrong_order_says_nothing() {
    let mut club = tricks();
    club.writes("Ann", "say I lead the B&O\n\nB&O 99");
    let (_, letters) = club.pass();
    assert_eq!((letters.len(), said(&club)), (1, 0));
    assert!(letters[0].says("Nothing of your letter has been said to anybody."));
}

#[test]
fn who_is_not_understood_reads_how_it_is_written() {
    let mut club = tricks();
    let seats = "The seats are 1 (Ann), 2 (Bob) and 3 (Cid).";
    for (line, why) in [
        (
            "tell",
            format!(
                "Write after \"tell\" whom you mean, by name or seat, and then your words. {seats}"
            ),
        ),
        (
            "tell dora: hello",
            format!("There is no player called dora in this game to be told something. {seats}"),
        ),
        ("tell ann: hello", "Only you would be told this.".to_owned()),
        ("say:", "There are no words to pass on.".to_owned()),
        (
            &format!("say:\n{}", "word\n".repeat(41)),
            "2000 characters in 40 lines at most.".to_owned(),
        ),
    ] {
        club.writes("Ann", line);
        let told = club.pass().1.remove(0);
        assert!(told.says(&why) && told.says("nothing has changed"), "{line}\n{}", told.text());
    }
    assert_eq!(said(&club), 0);
    let mut club = Club::with("");
    let two_of_a_name = [("Ann", "Ann"), ("Bob Hill", "Bob"), ("Bob Wood", "Cid")];
    club.found_for("trick-of-the-rails", &two_of_a_name, 2);
    club.pass();
    club.writes("Ann", "tell bob: hello");
    let told = club.pass().1.remove(0);
    let why = "More than one player could be meant by bob: write the number of the seat, as in";
    assert!(told.says(why), "{}", told.text());
}

#[test]
fn a_game_has_its_own_terms() {
    let mut club = Club::tricks("press: {allowed: public, anonymous: true}\n");
    assert!(club.last_to("Ann").expect("a letter").says("players speak only to all at once"));
    club.writes("Ann", "say anonymously: who is winning?");
    club.writes("Bob", "tell cid let us talk");
    let (_, letters) = club.pass();
    let cid = to(&letters, "Cid");
    assert!(cid.says("Somebody to all: | who is winning?"), "{}", cid.text());
    assert!(to(&letters, "Ann").says("You, unnamed, to all:"));
    let refused = |letter: &&Posted| letter.says("Line 1 of your letter: tell cid");
    assert!(letters.iter().find(refused).is_some_and(|l| l.says("speak only to all at once")));
    assert!(!run(&club, &["log", "1"]).contains("Ann said"));
    assert!(run(&club, &["log", "1"]).contains("who is winning?"));

    let mut club = Club::tricks("press: {moderator_reads: true}\n");
    assert!(
        club.last_to("Ann").expect("a letter").says("the moderator can read what players tell")
    );
    club.writes("Ann", "tell bob: hush");
    club.writes("Cid", "say anonymously: boo");
    let (_, letters) = club.pass();
    assert!(to(&letters, "Cid").says("nobody speaks without his name"));
    let log = run(&club, &["log", "1"]);
    assert!(log.contains("Ann said to Bob: hush"), "{log}");

    let mut club = Club::tricks("press: {allowed: none}\n");
    club.writes("Ann", "say hello");
    let (_, letters) = club.pass();
    assert!(letters.len() == 1 && letters[0].says("nothing can be said"));
}

#[test]
fn who_speaks_without_his_name_cannot_be_found_out_from_the_letters() {
    let heard_by_bob = |speaker: &str| {
        let mut club = Club::tricks("press: {anonymous: true}\n");
        club.writes(speaker, "say anonymously: who is winning?\ntell anonymously bob: not you");
        club.pass();
        club.writes("Bob", "history");
        club.pass();
        let letters = club.pigeon.posted.into_iter().filter(|letter| letter.to == address("Bob"));
        letters.map(|letter| letter.bytes).collect::<Vec<_>>()
    };
    let bytes = heard_by_bob("Ann");
    assert!(bytes.len() == 3 && bytes == heard_by_bob("Cid"));
}

#[test]
fn nobody_fills_the_others_mailboxes() {
    let mut club = tricks();
    for n in 0..22 {
        club.writes("Ann", &format!("say hello {n}\ntell 2 and you"));
    }
    let (_, letters) = club.pass();
    assert_eq!(said(&club), 40);
    assert!(to(&letters, "Bob").says("hello 19") && !to(&letters, "Bob").says("hello 20"));
    assert!(letters.iter().any(|letter| letter.says("in 20 letters of the last 24 hours")));
    assert_eq!(letters.iter().filter(|letter| letter.to == address("Bob")).count(), 1);
    club.now += chrono::TimeDelta::hours(24);
    club.writes("Ann", "say good morning");
    assert!(to(&club.pass().1, "Bob").says("good morning"));
}

#[test]
fn history_tells_a_reader_what_was_said_to_him_among_what_happened() {
    let mut club = tricks();
    club.writes("Ann", "say first");
    club.pass();
    club.writes("Ann", "B&O 3\n\ntell bob second");
    club.pass();
    club.writes("Bob", "history");
    club.writes("Cid", "history");
    let (_, letters) = club.pass();
    let bob = to(&letters, "Bob").text();
    let at = |what: &str| bob.find(what).unwrap_or_else(|| panic!("{what}\n{bob}"));
    assert!(bob.contains("| (5 Jan 2026) Ann to all:\n|   first"), "{bob}");
    assert!(at("|   first") < at("Ann plays B&O 3") && at("Ann plays B&O 3") < at("|   second"));
    assert!(to(&letters, "Cid").says("| first") && !to(&letters, "Cid").says("second"));
}

#[test]
fn who_could_not_be_reached_reads_later_what_was_said() {
    let mut club = tricks();
    let lost = club.last_to("Cid").expect("a letter").clone();
    rig::loses(&mut club, "Cid");
    club.writes("Ann", "say where is Cid?\ntell bob not for him");
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 2);
    club.now += chrono::TimeDelta::days(9);
    club.arrives(club.reply_to("Cid", &lost, "status"));
    let (_, letters) = club.pass();
    let read =
        |what: &str| letters.iter().filter(|l| l.to == address("Cid") && l.says(what)).count();
    assert_eq!((read("where is Cid?"), read("not for him")), (1, 0));
}

#[test]
fn who_comes_back_learns_nothing_from_what_others_tell_each_other_meanwhile() {
    let letters = |words: &str| {
        let mut club = tricks();
        let lost = club.last_to("Cid").expect("a letter").clone();
        rig::loses(&mut club, "Cid");
        club.writes("Ann", "B&O 3");
        club.pass();
        club.writes("Ann", words);
        club.arrives(club.reply_to("Cid", &lost, "status").replace("<cid-4", "<cid-1"));
        let (_, mut letters) = club.pass();
        letters.retain(|letter| letter.to == address("Cid"));
        letters.iter().map(|letter| (letter.message_id.clone(), letter.text())).collect::<Vec<_>>()
    };
    let told = letters("tell bob hush");
    assert_eq!(told, letters("status"));
    assert!(told.iter().any(|(_, text)| text.contains("Ann plays B&O 3.")));
}

#[test]
fn what_was_said_outlives_the_store() {
    let mut club = tricks();
    club.writes("Ann", "say:\none\n\ntwo\nend\n");
    club.pass();
    club.restored();
    assert_eq!(said(&club), 1);
    club.writes("Bob", "history");
    let (_, letters) = club.pass();
    assert!(letters.iter().any(|letter| letter.text().contains("|   one\n|\n|   two\n")));
}
