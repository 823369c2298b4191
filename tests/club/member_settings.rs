//! The settings that members change by letter, and their private notes on a game.

use crate::rig::{self, Club, PostedLetter, postrider_program};
use assert_cmd::Command;
use postrider::club::Intervention;
use postrider::club::{Colours, LetterStyle};
use postrider::process;
use postrider::rules::{Dice, Seat, Seed, Turn};

/// Delivers a letter from Ann, runs a pass, and returns the answer to her.
fn answer_to_ann(club: &mut Club, body: &str) -> PostedLetter {
    club.send_reply("Ann", body);
    let (_, letters) = club.run_pass();
    letters.into_iter().find(|letter| letter.to == rig::address("Ann")).expect("an answer")
}

#[test]
fn member_chooses_letter_format() {
    let mut club = Club::with_paris_game("");
    assert!(
        club.last_letter_to("Ann").expect("a letter").raw().contains("Content-Type: text/html")
    );
    // The rig checks that English letters are ASCII, so this test runs the pass without the rig.
    club.send_reply("Ann", "letters text\nunicode boards\ncalendar on\nlanguage EN");
    process::run_pass(&club.open_context(), &mut club.transport).expect("the pass works");
    let letter = club.last_letter_to("Ann").expect("an answer").clone();
    assert!(letter.body_text().contains('\u{b7}'), "a dot of Unicode on the board");
    for expected in ["text only from now on", "symbols of Unicode", "an entry for", "are in en"] {
        assert!(letter.contains(expected), "{expected}\n{}", letter.body_text());
    }
    assert!(!letter.raw().contains("text/html"), "the answer already has the new format");
    let ann = process::find_member(&club.open_context(), "1").expect("it works").expect("Ann");
    let style = LetterStyle { html: false, calendar: true, ..LetterStyle::default() };
    assert_eq!((ann.letters, ann.ascii), (style, false));
    // The settings apply to later letters too, and only to Ann's.
    let letter = answer_to_ann(&mut club, "build red G23, Troyes\nboard ascii");
    assert!(letter.contains("plain characters (ASCII)") && !letter.raw().contains("text/html"));
    assert!(club.last_letter_to("Bob").expect("news").raw().contains("text/html"));
    assert!(answer_to_ann(&mut club, "html letters").raw().contains("text/html"));
}

/// Plays a random turn. Returns the awaited player and the recipients of the letters.
fn play_turn(club: &mut Club) -> (&'static str, Vec<String>) {
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    let Turn::Awaiting(seats) = session.table.turn() else { panic!("it runs") };
    let mut dice = (Dice::new(&Seed::from_number(3), 0), Dice::new(&Seed::from_number(4), 0));
    let mut ahead = session.table.game().clone_box();
    let (line, _) = ahead.play_random_line(seats[0], &mut dice.0, &mut dice.1).expect("a line");
    let name = rig::NAMES[seats[0].index()];
    club.send_reply(name, &line);
    (name, club.run_pass().1.into_iter().map(|letter| letter.to).collect())
}

#[test]
fn reader_of_turn_letters_misses_no_news() {
    let mut club = Club::with_paris_game("");
    club.send_reply("Bob", "letters turns");
    club.run_pass();
    let bob = rig::address("Bob");
    let mut missed = 0;
    for _ in 0..9 {
        let before = club.last_letter_to("Bob").expect("a letter").message_id.clone();
        let (mover, letters) = play_turn(&mut club);
        let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
        let is_bobs_turn = session.table.turn().awaits(Seat::new(2));
        assert_eq!(letters.contains(&bob), is_bobs_turn || mover == "Bob", "{mover} {letters:?}");
        assert_eq!(letters.len(), if letters.contains(&bob) { 3 } else { 2 });
        missed += usize::from(!letters.contains(&bob));
        if is_bobs_turn {
            let told = club.last_letter_to("Bob").expect("a letter");
            assert_ne!(told.message_id, before);
            assert!(
                told.contains("Ann") && told.contains("Cid"),
                "what both did\n{}",
                told.body_text()
            );
        }
    }
    assert!(missed >= 2, "some turns were not reported to Bob at once");
    // Messages, votes and the end of a game are sent at once, even if Bob wants only turn letters.
    club.send_reply("Ann", "tell Bob: Are you there?");
    club.run_pass();
    assert!(club.last_letter_to("Bob").expect("a letter").contains("Are you there?"));
    club.send_reply("Ann", "vote abandon");
    club.run_pass();
    assert!(club.last_letter_to("Bob").expect("a letter").contains("vote no"));
    club.send_reply("Bob", "vote abandon");
    club.send_reply("Cid", "vote abandon");
    let (_, letters) = club.run_pass();
    assert!(letters.iter().any(|letter| letter.to == bob), "the end");
    let told = answer_to_ann(&mut club, "settings");
    assert!(
        told.contains("E-mails about a game: whenever something happens"),
        "the setting is only Bob's\n{}",
        told.body_text()
    );
}

#[test]
fn invalid_setting_is_answered_with_allowed_values() {
    let mut club = Club::with_paris_game("");
    for (line, expected) in [
        ("language tlh", "You can choose from: en and es."),
        ("letters pdf", "\"letters text\" or \"letters html\""),
        ("colours red", "\"colours patterns\""),
        ("calendar weekly", "\"calendar on\" or \"calendar off\""),
        ("letters digest 25:00", "Write the time of a digest like \"letters digest 18:00\""),
        ("subjects loud", "\"subjects telling\" (they say what to do) or"),
        ("address nowhere", "nowhere isn't an e-mail address. Write \"address ann@example.org\""),
        ("vacation 2026-12-20 to 2026-12-01", "This vacation ends before it begins. Please check"),
        ("vacation 2026-01-01", "A vacation can't begin before today."),
        ("vacation 2028-02-01", "can't end more than two years from now."),
        ("note", "Write a note like \"note Cid hoards blue\""),
        ("forget note two", "write \"forget note 2\" with the number from your e-mails"),
        (
            &format!("note {}", "x".repeat(301)),
            "This note has 301 characters, and the limit is 300.",
        ),
    ] {
        let answer = answer_to_ann(&mut club, &format!("letters text\n{line}"));
        assert!(
            answer.contains("Nothing has changed") && answer.contains(expected),
            "{line}\n{}",
            answer.body_text()
        );
    }
    let ann = process::find_member(&club.open_context(), "1").expect("it works").expect("Ann");
    assert_eq!(ann.letters, LetterStyle::default(), "a letter is all or nothing");
    assert!(answer_to_ann(&mut club, "board").contains("THE BOARD"), "a question stays one");
}

#[test]
fn each_setting_change_is_confirmed() {
    let mut club = Club::with_paris_game("");
    for (line, expected) in [
        ("board wide", "as wide as a page from now on, with boards drawn."),
        ("calendar off", "Your e-mails have no calendar entries from now on."),
        ("letters digest 18:00", "one e-mail a day, at 18:00 your time (UTC), if there's"),
        ("letters all", "We e-mail you whenever something happens in a game."),
        ("subjects steady", "All e-mails of a game have the same subject from now on."),
        ("subjects telling", "say what to do from now on."),
        ("standings on", "We e-mail you the standings of your campaigns from now on."),
        ("site name", "The club's web site shows your name with your games from now on"),
        ("site seat", "The club's web site doesn't show your name."),
    ] {
        let answer = answer_to_ann(&mut club, line);
        assert!(answer.contains(expected), "{line}\n{}", answer.body_text());
    }
    // Lines for one game are allowed only in replies to a letter of that game.
    let list = answer_to_ann(&mut club, "games");
    let request = club.compose_reply_to("Ann", &list, "letters all here");
    club.deliver(request);
    let answer = club.run_pass().1.remove(0);
    assert!(answer.contains("are for one game. Write them in a reply to an e-mail of that game."));
}

#[test]
fn settings_list_shows_lines_that_change_them() {
    let mut club = Club::with_paris_game("");
    answer_to_ann(&mut club, "zone Europe/Madrid\nvacation 2026-12-20 to 2027-01-03\ncolours off");
    let answer = answer_to_ann(&mut club, "settings");
    for expected in [
        "Time zone: Europe/Madrid",
        "Vacation: 20 Dec 2026 to 3 Jan 2027",
        "Language: en (\"language en\")",
        "text and HTML (\"letters text\"",
        "plain characters, ASCII (\"board unicode\"",
        "Colours in HTML: off",
        "one e-mail per game (\"letters digest\"",
        "you send it yourself (\"auto forced on\")",
    ] {
        assert!(answer.contains(expected), "{expected}\n{}", answer.body_text());
    }
    assert!(answer_to_ann(&mut club, "help").contains("note Cid hoards blue"));
}

#[test]
fn letter_without_colours_says_the_same() {
    let mut club = Club::with_paris_game("");
    let html = |letter: &PostedLetter| {
        let all = letter.raw();
        let (_, html) = all.split_once("text/html").expect("a part").to_owned();
        let (_, body) = html.split_once("\r\n\r\n").expect("a body");
        body.split("--postrider").next().expect("a page").replace("\r\n", "\n")
    };
    let visible_words = |html: &str| -> String {
        let (_, body) = html.split_once("<body").expect("a body");
        // A chip beside a name shows a colour, and no word.
        let body = body.replace("=\n", "").replace("&#160;", "");
        let words = body.split('<').filter_map(|tag| tag.split_once('>')).map(|(_, text)| text);
        words.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
    };
    answer_to_ann(&mut club, "note Cid hoards blue");
    let with = html(&answer_to_ann(&mut club, "status"));
    assert!(with.contains("color:#7a2e1d"));
    answer_to_ann(&mut club, "colors patterns");
    let patterns = html(&answer_to_ann(&mut club, "status"));
    let named = patterns.replace("&#", "");
    let hues = named.split('#').skip(1).filter(|rest| !rest.starts_with(['0', 'f']));
    assert_eq!(hues.count(), 0, "black and white only");
    assert!(patterns.contains("4px double"), "what is for the reader alone has its own stroke");
    answer_to_ann(&mut club, "no colours");
    let off = html(&answer_to_ann(&mut club, "status"));
    assert!(!off.contains("color:") && !off.contains("background"));
    assert_eq!(visible_words(&with), visible_words(&patterns));
    assert_eq!(visible_words(&with), visible_words(&off));
}

#[test]
fn member_command_reads_same_setting_lines() {
    let club = Club::with_paris_game("");
    let run = |arguments: &[&str]| {
        let arguments = [&["member"], arguments].concat();
        postrider_program::run_postrider(club.folder(), &club.now.to_rfc3339(), &arguments)
    };
    let (code, output) = run(&["set", "ann@example.org", "colours", "patterns"]);
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("instead of colours"), "{output}");
    assert_eq!(run(&["set", "2", "vacation 2036-01-03"]).0, Some(64));
    let (code, output) = run(&["set", "2", "language", "tlh"]);
    assert_eq!(code, Some(64));
    assert!(output.contains("You can choose from: en and es."), "{output}");
    let (_, output) = run(&["settings", "1"]);
    assert!(output.contains("Colours in HTML: patterns"), "{output}");
    let ann = process::find_member(&club.open_context(), "1").expect("it works").expect("Ann");
    assert_eq!(ann.letters.colours, Colours::Patterns);
}

#[test]
fn notes_appear_in_writers_letters_of_game() {
    let mut club = Club::with_paris_game("");
    let answer = answer_to_ann(&mut club, "note Cid hoards blue\nnote: block Lyon early");
    assert!(
        answer.contains("We've saved note 1") && answer.contains("We've saved note 2"),
        "{}",
        answer.body_text()
    );
    assert!(answer.contains("1. Cid hoards blue 2. block Lyon early"), "{}", answer.body_text());
    let answer =
        answer_to_ann(&mut club, "build red G23, Troyes\nforget note 1\nnote Bob wants red");
    assert!(
        answer.contains("carried out") && answer.contains("1. block Lyon early 2. Bob wants red")
    );
    assert!(answer_to_ann(&mut club, "rules").contains("YOUR NOTES (ONLY YOU SEE THIS)"));
    assert!(answer_to_ann(&mut club, "gibberish").contains("2. Bob wants red"));
    process::moderate_game(&club.open_context(), 1, &Intervention::Rewind(1), "again")
        .expect("it can be");
    club.run_pass();
    assert!(club.last_text_to("Ann").contains("2. Bob wants red"), "a rewind leaves notes alone");
    let preview = answer_to_ann(&mut club, "preview\nnote not kept");
    assert!(
        !preview.contains("3. not kept")
            && !answer_to_ann(&mut club, "status").contains("3. not kept")
    );
    assert!(answer_to_ann(&mut club, "forget note 3").contains("You have no note 3."));
    assert!(!answer_to_ann(&mut club, "forget notes").contains("YOUR NOTES"));
    let many = vec!["note one more"; 21].join("\n");
    let answer = answer_to_ann(&mut club, &many);
    assert!(answer.contains("You have 20 notes, and that's the limit."), "{}", answer.body_text());
    assert!(!answer.contains("YOUR NOTES"), "a letter is all or nothing");
}

#[test]
fn note_keeps_unicode_and_survives_restore() {
    let mut club = Club::with_paris_game("");
    let letter = club.compose_reply("Ann", "note Züge – „blau“\u{202e} zuerst");
    club.deliver(letter.replace("\r\n\r\n", "\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"));
    process::run_pass(&club.open_context(), &mut club.transport).expect("the pass works");
    let stored_notes = |club: &Club| {
        let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
        let notes = session.seats[0].0.notes.clone();
        notes.numbered().map(|(_, text)| text.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(stored_notes(&club), ["Züge – „blau“ zuerst"]);
    assert!(club.last_text_to("Ann").contains("1. Züge – „blau“ zuerst"));
    club.restore_from_journal();
    assert_eq!(stored_notes(&club), ["Züge – „blau“ zuerst"]);
    let mut session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    session.seats[0].0.clear_private_data();
    assert!(session.seats[0].0.notes.is_empty(), "a successor does not inherit them");
}

#[test]
fn notes_are_invisible_to_everyone_else() {
    let play_with_line = |first_line: &str| {
        let mut club = Club::with_paris_game("");
        club.send_reply("Ann", &format!("{first_line}\nbuild red G23, Troyes"));
        let mut letters = club.run_pass().1;
        club.send_reply("Bob", "history\nstatus");
        letters.extend(club.run_pass().1);
        club.deliver("nonsense");
        letters.extend(club.run_pass().1);
        let context = club.open_context();
        let session = process::load_stored_game(&context, 1).expect("it opens");
        let export = serde_json::to_string(&session.table.export()).expect("an export");
        let log = context.store.game_log_lines(1).expect("a log").join("\n");
        drop(context);
        let folder = club.folder().to_string_lossy().into_owned();
        let seats = ["1 --seat 1", "1 --seat 2", "1 --json --seat 1"];
        let shown = seats.map(|seat| format!("{seat} --secrets")).into_iter();
        let shown = shown.chain(["1".to_owned()]).map(|arguments| {
            let mut run = Command::new(env!("CARGO_BIN_EXE_postrider"));
            let run = run.args(["-C", &folder, "show"]).args(arguments.split(' '));
            String::from_utf8(run.output().expect("it runs").stdout).expect("text")
        });
        let shown: Vec<String> = shown.collect();
        (letters, export, log, shown)
    };
    let (with, export, log, shown) = play_with_line("note XYZZY");
    assert!(with.iter().any(|letter| letter.contains("1. XYZZY")));
    let (without, ..) = play_with_line("letters html");
    assert!(!export.contains("XYZZY") && !log.contains("XYZZY"));
    assert!(shown.iter().all(|shown| shown.contains("Ann") && !shown.contains("XYZZY")));
    let others = |letters: Vec<PostedLetter>| -> Vec<(String, String, String)> {
        let ann = rig::address("Ann");
        let of = |letter: PostedLetter| {
            (letter.to.clone(), letter.message_id.clone(), letter.body_text())
        };
        letters.into_iter().filter(|letter| letter.to != ann).map(of).collect()
    };
    let (with, without) = (others(with), others(without));
    assert!(with.len() >= 4, "news, an answer, and a note to the moderator: {}", with.len());
    assert_eq!(with.len(), without.len());
    for (with, without) in with.iter().zip(&without) {
        // The line with the end of the hash chain differs, because it depends on the letter that
        // brought the orders.
        let bare = |text: &str| {
            text.lines().filter(|line| !line.contains("proof")).collect::<Vec<_>>().join("\n")
        };
        assert_eq!((&with.0, &with.1, bare(&with.2)), (&without.0, &without.1, bare(&without.2)));
    }
}
