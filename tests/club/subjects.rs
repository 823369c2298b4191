//! Subject lines, as the letter list of a phone shows them: the game, the request and the deadline.
//! Also the names of games.

use crate::rig::letter_links::html_page;
use crate::rig::{self, Club, PostedLetter, first_letter_to, letters_to, postrider_program};
use chrono::TimeDelta;
use postrider::club::{GameName, Intervention, Member};
use postrider::games::find_kind;
use postrider::process::{self, FoundingResult, GameTerms, Player};
use postrider::render::{GameLetter, Library, Occasion, Page, SubjectParts};
use postrider::rules::{Message, Seat, Seed};
use postrider::table::{GameSetup, OrderLine, QueuedOrders, Submission, Table, Verdict};

/// Returns a club with one game of Paris Connection for Ann, Bob and Cid, under this name.
fn club_with_named_game(settings: &str, name: Option<&str>) -> Club {
    let club = Club::with_settings(&format!("clock: {{deadline: 4 days, nmr: wait}}\n{settings}"));
    let kind = find_kind("paris-connection").expect("it ships");
    let players = rig::NAMES
        .iter()
        .take(3)
        .map(|name| Player { name: (*name).to_owned(), address: rig::address(name) });
    let players: Vec<Player> = players.collect();
    let options = &std::collections::BTreeMap::new();
    let setup = GameSetup { kind, definition: kind.shipped_definition(), options, seats: 3 };
    let context = club.open_context();
    let name: Option<GameName> = name.map(|name| name.parse().expect("a name"));
    let terms = GameTerms { name, ..GameTerms::default_for(&context) };
    let founded =
        process::found_with_terms(&context, setup, &players, &Seed::from_number(7), &terms);
    assert!(matches!(founded.expect("the store works"), FoundingResult::Game(1)));
    for player in &players {
        process::change_member_setting(&context, &player.address, "letters all")
            .expect("it can be");
    }
    drop(context);
    club
}

/// Returns the subject of a letter without the reply token that may be at its end.
fn subject_without_token(letter: &PostedLetter) -> String {
    let subject = postrider::mail::Letter::parse(&letter.bytes).expect("a letter").subject;
    let (plain, token) = subject.split_once(" [postrider ").unwrap_or((&subject, ""));
    assert!(token.is_empty() || token.ends_with(']'), "the token is complete: {subject}");
    plain.to_owned()
}

/// Runs a pass and appends the recipient and subject of each letter to the list. Letters to the
/// moderator are left out.
fn append_subjects(club: &mut Club, list: &mut Vec<String>) {
    for letter in club.run_pass().1.iter().filter(|letter| letter.to != "mod@example.org") {
        let name = letter.to.split('@').next().unwrap_or_default().to_owned();
        list.push(format!("{name}: {}", subject_without_token(letter)));
    }
}

/// Delivers an answer to the last letter to this member. The reply token may be in the subject
/// instead of the address.
fn reply_to_club(club: &mut Club, name: &str, body: &str) {
    let letter = club.compose_reply(name, body).replace("To: \r\n", "To: games@example.org\r\n");
    club.deliver(letter);
}

/// Plays a game in which every kind of letter occurs. Returns the recipient and subject of each.
fn play_story(club: &mut Club) -> Vec<String> {
    let mut list = Vec::new();
    append_subjects(club, &mut list);
    for (name, body) in [
        ("Ann", "> build red G23, Troyes"),
        ("Ann", "preview\nbuild red G23, Troyes"),
        ("Ann", "preview\nbuild red A21"),
        ("Ann", "build red A21"),
        ("Ann", "I have no idea how this works"),
        ("Ann", "status"),
        ("Cid", "next: build blue E17"),
        ("Ann", "build red G23, Troyes"),
        ("Ann", "say Mind the gap.\ntell Bob: not a word"),
        ("Cid", "vote pause"),
        ("Ann", "vote no"),
    ] {
        reply_to_club(club, name, body);
        append_subjects(club, &mut list);
    }
    for _ in 0..96 {
        append_subjects(club, &mut list);
    }
    reply_to_club(club, "Bob", "build black F24");
    append_subjects(club, &mut list);
    let end = Intervention::End;
    process::moderate_game(&club.open_context(), 1, &end, "Enough.").expect("it ends");
    append_subjects(club, &mut list);
    list
}

const STORY_SUBJECTS: &str = "\
ann: [Lyon 1] New game, your turn: Fri 18:00
bob: [Lyon 1] New game, Ann's turn
cid: [Lyon 1] New game, Ann's turn
ann: [Lyon 1] No order found, due Fri 18:00
ann: [Lyon 1] Preview, due Fri 18:00
ann: [Lyon 1] Preview: refused
ann: [Lyon 1] Orders refused, due Fri 18:00
ann: [Lyon 1] No order found, due Fri 18:00
ann: [Lyon 1] Your turn by Fri 18:00
cid: [Lyon 1] Plans saved, Ann's turn
ann: [Lyon 1] Done, Bob's turn
bob: [Lyon 1] Your turn by Sat 02:00
cid: [Lyon 1] Bob's turn
ann: [Lyon 1] Bob's turn
bob: [Lyon 1] Message + your turn: Sat 02:00
cid: [Lyon 1] Message for you
ann: [Lyon 1] Please vote
bob: [Lyon 1] Vote + your turn: Sat 02:00
cid: [Lyon 1] Bob's turn
ann: [Lyon 1] Bob's turn
bob: [Lyon 1] 2 days left: Sat 02:00
bob: [Lyon 1] 24 hours left: Sat 02:00
bob: [Lyon 1] Overdue: your turn
ann: [Lyon 1] Cid's turn
bob: [Lyon 1] Done, Cid's turn
cid: [Lyon 1] Your turn by Wed 06:00
ann: [Lyon 1] Game over: you won
bob: [Lyon 1] Game over: Ann won
cid: [Lyon 1] Game over: Ann won
";

#[test]
fn clubs_with_different_secrets_share_no_ids() {
    let ids_of = |secret: &str| {
        let mut club = Club::with_settings("clock: {deadline: 4 days, nmr: wait}\n");
        std::fs::write(club.folder().join("secret"), secret.repeat(32)).expect("a secret");
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
        process::change_member_setting(&club.open_context(), "ann@example.org", "calendar on")
            .expect("it is set");
        let letters = club.run_pass().1;
        let ann = letters_to(&letters, "Ann")[0].clone();
        let uid = String::from_utf8_lossy(&ann.bytes).into_owned();
        let uid = uid.lines().find(|line| line.starts_with("UID:")).expect("an entry").to_owned();
        let list = ann.header("List-Id").expect("a list");
        (ann.name().to_owned(), [ann.message_id, list, uid])
    };
    let ((first, of_first), (second, of_second)) = (ids_of("07"), ids_of("08"));
    assert_eq!(first, second);
    for (one, other) in of_first.iter().zip(&of_second) {
        assert_ne!(one, other);
    }
}

#[test]
fn subject_of_each_letter_names_game_and_request() {
    let mut club = club_with_named_game("", Some("Lyon"));
    let list = play_story(&mut club);
    assert_eq!(list.join("\n"), STORY_SUBJECTS.trim_end());
    for line in &list {
        let (_, subject) = line.split_once(": ").expect("a subject");
        assert!(subject.chars().count() <= 40, "{subject}");
        assert!(subject.starts_with("[Lyon 1] ") && !subject.contains("Connection"));
        for secret in ["Mind", "word", "blue", "E17", "black"] {
            assert!(!subject.contains(secret), "{secret}: {subject}");
        }
    }
    // All letters to one seat are still in one thread and have one list id.
    let list = format!("Lyon 1 <g1.{}.example.org>", club.open_context().secret.id_tag("g1"));
    let letters = letters_to(&club.transport.posted, "Bob");
    let first = format!("<{}>", letters[0].message_id);
    assert_eq!(letters[0].name(), "g1.s2.r1");
    for letter in letters.iter().skip(1) {
        let references = letter.header("References").expect("a thread");
        assert!(references.starts_with(&first), "{references}");
        assert_eq!(letter.header("List-Id").as_deref(), Some(&*list));
    }
}

#[test]
fn reply_with_token_in_subject_is_accepted() {
    let mut tagged = club_with_named_game("plus_addressing: false\n", Some("Lyon"));
    assert_eq!(play_story(&mut tagged).join("\n"), STORY_SUBJECTS.trim_end());
    assert!(tagged.inbox_files(".quarantine/cur").is_empty());
}

#[test]
fn steady_subjects_are_the_same_for_all_letters() {
    let mut club = club_with_named_game("", None);
    for name in ["Ann", "Bob", "Cid"] {
        let told = process::change_member_setting(
            &club.open_context(),
            &rig::address(name),
            "subjects steady",
        );
        assert_eq!(told.expect("it can").1.key, "subjects-steady-kept");
    }
    let list = play_story(&mut club);
    assert_eq!(list.len(), STORY_SUBJECTS.lines().count());
    assert!(list.iter().all(|line| line.ends_with(": [Paris 1] Orders and news")), "{list:?}");
    process::change_member_setting(&club.open_context(), &rig::address("Bob"), "subjects telling")
        .expect("it can");
    reply_to_club(&mut club, "Bob", "settings");
    let (_, letters) = club.run_pass();
    assert_eq!(subject_without_token(&letters[0]), "[Paris 1] Game over: Ann won");
    assert!(letters[0].contains("Subjects of e-mails: what to do (\"subjects steady\" for one"));
    assert!(letters[0].contains("Standings of campaigns: by e-mail (\"standings off\")"));
    for (line, key) in [("subjects", "subjects-unread"), ("subjects funny", "subjects-unread")] {
        let wrong =
            process::change_member_setting(&club.open_context(), &rig::address("Bob"), line);
        assert!(format!("{:?}", wrong.expect_err("it is wrong")).contains(key), "{line}");
    }
}

#[test]
fn subject_does_not_depend_on_delivery_time() {
    let subjects = |late: i64| {
        let mut club = club_with_named_game("", Some("Lyon"));
        club.run_pass();
        club.send_reply("Ann", "build red G23, Troyes");
        let bob = rig::address("Bob");
        let fails = postrider::mail::transport::PostError::Unavailable("no route".to_owned());
        club.transport.error = (late > 0).then_some(fails);
        club.run_pass();
        club.transport.error = None;
        club.now += TimeDelta::hours(late);
        club.run_pass();
        let last = club.transport.posted.iter().rev().find(|letter| letter.to == bob);
        last.expect("a letter").raw()
    };
    let (at_once, late) = (subjects(0), subjects(2));
    assert!(at_once.contains("Subject: [Lyon 1] Your turn by Fri 19:00\r\n"));
    assert_eq!(at_once, late);
}

#[test]
fn game_name_appears_in_letters_and_commands() {
    let mut club = club_with_named_game("", None);
    club.run_pass();
    let mut told = |name: &str, body: &str| {
        club.send_reply(name, body);
        let (_, letters) = club.run_pass();
        (
            subject_without_token(letters_to(&letters, name)[0]),
            letters_to(&letters, name)[0].clone(),
        )
    };
    for name in ["Paris", "Moderator", "Everyone", "seats", "Lyon2", "Extraordinary"] {
        let (_, no) = told("Ann", &format!("new trick-of-the-rails seats 3 named {name}"));
        assert!(no.contains("A game can't be named"), "{name}: {}", no.body_text());
    }
    let (_, kept) = told("Ann", "new trick-of-the-rails seats 3 deadline 3 days named Lyon");
    assert!(
        kept.contains("2 Lyon: Trick of the Rails for 3, 2 seats free"),
        "{}",
        kept.body_text()
    );
    assert!(told("Bob", "games").1.contains("* 2 Lyon: Trick of the Rails for 3"));
    let run = |club: &Club, arguments: &[&str]| {
        let (code, said) =
            postrider_program::run_postrider(club.folder(), "2026-01-07T18:00:00Z", arguments);
        assert_eq!(code, Some(0), "{said}");
        said
    };
    told("Bob", "join 2");
    let (subject_of, letter) = told("Cid", "join 2");
    assert!(letter.contains("game 2 is full") || subject_of.starts_with("[Lyon 2]"));
    let listed = run(&club, &["list"]);
    assert!(listed.contains("    2  Lyon  trick-of-the-rails  "), "{listed}");
    assert!(listed.contains("    1  paris-connection  "), "{listed}");
    assert!(run(&club, &["list", "--json"]).contains("\"game\":2,\"name\":\"Lyon\""));
    assert!(run(&club, &["show", "2"]).starts_with("Lyon 2\n\n"));
    assert!(run(&club, &["show", "2", "--json"]).contains("\"name\": \"Lyon\""));
    assert!(run(&club, &["export", "2", "--secrets"]).contains("\"name\": \"Lyon\""));
    let export = run(&club, &["export", "1", "--secrets"]);
    let export: serde_json::Value = serde_json::from_str(&export).expect("JSON");
    assert_eq!(export.get("name"), None);
    let file = club.folder().join("lyon.json");
    std::fs::write(&file, run(&club, &["export", "2", "--secrets"])).expect("written");
    let verified = run(&club, &["verify", &file.to_string_lossy()]);
    assert!(verified.contains("not checked: the game's name"), "{verified}");
    // The name survives a restore, and a rematch takes it over.
    club.restore_from_journal();
    process::moderate_game(&club.open_context(), 2, &Intervention::End, "Enough.")
        .expect("it ends");
    club.run_pass();
    let last = letters_to(&club.transport.posted, "Bob").last().copied().expect("a letter").clone();
    assert!(
        subject_without_token(&last).starts_with("[Lyon 2] Game over: "),
        "{}",
        subject_without_token(&last)
    );
    club.deliver(club.compose_reply_to("Bob", &last, "rematch"));
    assert!(letters_to(&club.run_pass().1, "Bob")[0].contains("3 Lyon: Trick of the Rails"));
}

#[test]
fn game_can_be_named_on_command_line() {
    let club = Club::new();
    let new = |name: &str| {
        let players = ["--player", "Ann <ann@x.org>", "--player", "Bob <bob@x.org>"];
        let what = ["new", "off-the-rails", "--name", name];
        postrider_program::run_postrider(
            club.folder(),
            "2026-01-05T18:00:00Z",
            &[&what[..], &players[..]].concat(),
        )
    };
    for wrong in ["Lyon 2", "rails", "Moderator", ""] {
        let (code, said) = new(wrong);
        assert!(matches!(code, Some(64 | 2)), "{wrong}: {code:?} {said}");
    }
    assert_eq!(new("Lyon").0, Some(0));
    let (_, posted) =
        postrider_program::run_postrider(club.folder(), "2026-01-05T18:00:00Z", &["list"]);
    assert!(posted.contains("    1  Lyon  off-the-rails  Ann, Bob  "), "{posted}");
}

#[test]
fn turn_after_others_moved_is_announced_as_new() {
    let mut club = club_with_named_game("", None);
    club.run_pass();
    club.send_reply("Bob", "next: build red G25");
    club.send_reply("Cid", "next: build blue H20");
    club.run_pass();
    club.send_reply("Ann", "build red G23");
    let (_, letters) = club.run_pass();
    let subject = subject_without_token(letters_to(&letters, "Ann")[0]);
    assert!(subject.starts_with("[Paris 1] Your turn by "), "{subject}");
}

/// Returns the table after this number of turns, in which each player in turn sends a legal order.
fn play_turns(table: &Table, turns: u8) -> Table {
    (1..=turns).map(Seat::new).fold(table.clone(), |table, seat| {
        let line =
            table.game().legal_lines(seat).into_iter().find(|line| line.starts_with("trade"));
        let lines = [OrderLine::new(1, line.expect("a trade is legal"))];
        let (seen_record, queued) = (table.last_record_number(), &QueuedOrders::default());
        let letter = Submission { seat, lines: &lines, seen_record, letter: None, queued };
        match table.submit(&letter, table.founding().at) {
            Verdict::Accepted { table, .. } => *table,
            Verdict::Refused(refused) => panic!("{refused:?}"),
        }
    })
}

/// Returns the subject of a letter to this seat's player.
fn subject_of_letter(
    table: &Table,
    (seat, reader): (Seat, &Member),
    occasion: &Occasion,
    (subject_parts, clock): (SubjectParts<'_>, &[Message]),
) -> String {
    let letter = GameLetter {
        last_seen_record: 1,
        subject_parts,
        clock,
        ..GameLetter::new(("Club", "mod@example.org"), reader, seat, occasion)
    };
    let names = ["Maximiliane von Habsburg", "Bob", "Cid"].map(str::to_owned);
    let library = Library::embedded().expect("words");
    Page::new(table, &names).render_letter(&library, &letter).expect("a letter").subject
}

#[test]
fn subject_uses_readers_zone_and_stays_short() {
    let kind = find_kind("paris-connection").expect("it ships");
    let options = &std::collections::BTreeMap::new();
    let setup = GameSetup { kind, definition: kind.shipped_definition(), options, seats: 3 };
    let written = Club::new().now;
    let table =
        Table::found_game(setup, 1, Seed::from_number(7), written).expect("it can be played");
    let reader = Member { language: "en".to_owned(), ..Member::default() };
    let mut far = reader.clone();
    far.time.zone = Some(chrono_tz::Pacific::Auckland);
    let said_at = |table: &Table, seat, occasion, hours: Option<i64>, clock: &[Message]| {
        let due = hours.map(|hours| written + TimeDelta::hours(hours));
        let reader = if hours > Some(100) { &far } else { &reader };
        let parts = SubjectParts { game_name: None, written, due };
        subject_of_letter(table, (Seat::new(seat), reader), &occasion, (parts, clock))
    };
    let said =
        |seat, occasion, hours, clock: &[Message]| said_at(&table, seat, occasion, hours, clock);
    let reminder = || Occasion::Clock { words: vec![Message::new("clock-reminder")] };
    let accepted = Occasion::Accepted { lines: Vec::new(), remarks: Vec::new() };
    let planned = Occasion::Planned { lines: Vec::new(), remarks: Vec::new() };
    let overdue = [Message::new("clock-overdue").with("by", "Mon")];
    let [done, round] = [1, 3].map(|turns| play_turns(&table, turns));
    let list = [
        said(1, Occasion::Reminder { days: 3 }, None, &[]),
        said(1, accepted.clone(), Some(30), &[]),
        said_at(&done, 1, accepted.clone(), None, &[]),
        said_at(&round, 1, accepted, Some(30), &[]),
        said(1, planned, Some(30), &[]),
        said(1, reminder(), Some(1), &[]),
        said(1, reminder(), Some(47), &[]),
        said(1, reminder(), Some(72), &[]),
        said(1, reminder(), None, &overdue),
        said(1, Occasion::News, Some(150), &[]),
        said(1, Occasion::News, Some(168), &[]),
        said(2, Occasion::News, None, &[]),
    ];
    let expected = "\
[Paris 1] Still your turn
[Paris 1] Done. Next orders by Wed 00:00
[Paris 1] Done, Bob's turn
[Paris 1] Your turn by Wed 00:00
[Paris 1] Saved. Your turn by Wed 00:00
[Paris 1] One hour left: Mon 19:00
[Paris 1] 47 hours left: Wed 17:00
[Paris 1] 3 days left: Thu 18:00
[Paris 1] Overdue: your turn
[Paris 1] Your turn by Mon 13:00
[Paris 1] Your turn by Tue 13 Jan
[Paris 1] Maximiliane von\u{2026}'s turn";
    assert_eq!(list.join("\n"), expected);
}

/// Returns the preheader of a letter: the hidden text that an inbox shows beside the subject.
fn find_preheader(letter: &PostedLetter) -> String {
    let page = html_page(letter);
    let (_, hidden) = page.split_once("max-height:0").expect("a preheader");
    let (text, _) = hidden.split_once('>').expect("an element").1.split_once('<').expect("its end");
    text.split("&#").next().unwrap_or_default().trim().to_owned()
}

#[test]
fn preheader_shows_news_or_refusal_reason() {
    let mut club = club_with_named_game("", None);
    club.run_pass();
    let preheader_after = |club: &mut Club, (from, body): (&str, &str), to: &str| {
        club.send_reply(from, body);
        find_preheader(first_letter_to(&club.run_pass().1, to))
    };
    let refused = preheader_after(&mut club, ("Ann", "build red A1"), "Ann");
    assert!(refused.starts_with("A1 isn"), "{refused}");
    let news = preheader_after(&mut club, ("Ann", "build red G23, Troyes"), "Bob");
    assert!(news.starts_with("Ann builds red on G23"), "{news}");
}
