//! What letters of ours are charged to: nobody uses up what is somebody else's.

use crate::common::sample_or_all;
use crate::rig::moderator::{mod_asks, mod_is_known};
use crate::rig::{Club, Posted, all_to};
use chrono::TimeDelta;

fn plain(from: &str, id: usize, body: &str) -> String {
    format!(
        "From: {from}\r\nTo: games@example.org\r\nMessage-ID: <{id}@forged>\r\n\r\n{body} {id}\r\n"
    )
}

/// The letters of five passes, each of which answers a domain once in a name that proves nothing.
fn five_passes(club: &mut Club) -> Vec<Posted> {
    (0..5).flat_map(|_| club.pass().1).collect()
}

#[test]
fn letters_in_somebodys_name_cost_him_no_answer() {
    let mut club = Club::paris("");
    for n in 0..25 {
        club.arrives(plain("bob@example.org", n, "hello"));
    }
    let forged = club.reply("Bob", "build red G23").replace("+1.2.1.", "+1.2.2.");
    club.arrives(forged.replace("bob-", "forged-"));
    let order = club.reply("Bob", "build red A1");
    club.arrives(order);
    let question = club.reply("Bob", "status").replace("bob-", "status-");
    club.arrives(question);
    let letters = five_passes(&mut club);
    let answers = all_to(&letters, "Bob");
    assert!(answers.iter().any(|letter| letter.says("build red A1")), "the refusal is told");
    assert_eq!(answers.len(), 5 + 2, "a few of the forged ones, and each of his own");
}

#[test]
fn letters_in_the_moderators_name_cost_him_no_answer() {
    let mut club = Club::paris("answers_per_hour: 2\n");
    for n in 0..9 {
        club.arrives(plain("mod@example.org", n, "list"));
    }
    let letters = five_passes(&mut club);
    let told = all_to(&letters, "mod@example.org");
    assert_eq!(told.len(), 5);
    let letter = told[0].clone();
    for n in 0..5 {
        let own = club.reply_to("Mod", &letter, "pause 77 because of me");
        club.arrives(own.replace("mod-", &format!("own{n}-")));
    }
    assert_eq!(club.pass().1.len(), 5, "a ruling that is refused is told each time");
}

#[test]
fn a_refused_order_is_told_however_much_was_asked_and_a_machine_is_stopped() {
    let mut club = Club::paris("answers_per_hour: 2\n");
    let many = |club: &mut Club, what: &str, count: usize| {
        for n in 0..count {
            let letter = club.reply("Ann", &format!("{what}{n}"));
            club.arrives(letter.replace("ann-", &format!("{}{n}-", what.len())));
        }
        club.pass().1
    };
    assert_eq!(many(&mut club, "nonsense ", 6).len(), 2 + 1, "two answers and a last word");
    let letters = many(&mut club, "build red A", 1);
    assert!(letters[0].says("build red A0"), "{}", letters[0].text());
    // Orders without end, under a valid mark: ten times as many in a day, and then a last word.
    let letters = many(&mut club, "build red A9", 40);
    assert_eq!(letters.len(), 19 + 1);
    assert!(letters[19].says("so many orders") || letters[19].says("So many orders"));
    assert_eq!(many(&mut club, "build red A8", 9).len(), 0);
    club.writes("Ann", "build red G23");
    assert_eq!(club.pass().0.carried_out, 1, "an order is carried out all the same");
    club.now += TimeDelta::days(1);
    let letter = club.reply("Bob", "build red A1");
    club.arrives(letter);
    assert_eq!(club.pass().1.len(), 1, "and nobody else was ever concerned");
}

#[test]
fn a_forged_letter_keeps_nobody_from_being_asked() {
    let mut club = Club::paris("");
    let zoe = "zoe@example.net";
    for (n, from) in [zoe, "zoe+1@example.net", "Zoe+2@example.net"].into_iter().enumerate() {
        club.arrives(plain(from, n, "hello"));
    }
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 1, "one mailbox is answered once a day");
    club.writes("Ann", "new paris-connection seats 3 invite zoe@example.net");
    let (_, letters) = club.pass();
    assert!(all_to(&letters, zoe)[0].says("Ann invites you to play"));
    club.writes("Bob", "address zoe@example.net");
    let (_, letters) = club.pass();
    assert!(all_to(&letters, "Bob")[0].says("A letter goes to zoe@example.net"));
    assert!(all_to(&letters, zoe)[0].says("Bob of The Postal Club says"));
    // And she may write herself: she was invited.
    club.arrives(plain(zoe, 7, "join 2\n> "));
    let (_, letters) = club.pass();
    assert_eq!(all_to(&letters, zoe).len(), 1, "{letters:?}");
}

#[test]
fn members_ask_a_mailbox_once_a_week() {
    let mut club = Club::paris("");
    let mut asked = |name: &str, body: &str| {
        club.writes(name, body);
        let (_, letters) = club.pass();
        let sent = letters.iter().filter(|letter| letter.to.starts_with("victim")).count();
        (sent, all_to(&letters, name)[0].says("A letter goes to victim"))
    };
    assert_eq!(asked("Ann", "address victim+1@example.com\naddress victim+2@example.com").0, 0);
    assert_eq!(asked("Ann", "address victim+1@example.com"), (1, true));
    assert_eq!(asked("Ann", "address victim+2@example.com"), (0, false), "Ann knows that herself");
    assert_eq!(asked("Bob", "address victim+3@example.com"), (1, true));
    assert_eq!(asked("Cid", "new paris-connection seats 6 invite victim@example.com").0, 1);
    assert_eq!(asked("Cid", "address victim+4@example.com"), (0, true), "nobody learns of others");
}

/// Letters that go to quarantine: they have two senders.
fn bad(club: &mut Club, count: usize) {
    for n in 0..count {
        club.arrives(plain(&format!("x@example.com\r\nFrom: y{n}@example.com"), n, "hello"));
    }
}

#[test]
fn the_moderator_gets_one_note_a_pass_about_bad_letters_and_a_few_a_day() {
    let mut club = Club::paris("letters_per_commit: 30\n");
    bad(&mut club, 60);
    let (report, letters) = club.pass();
    assert_eq!((report.quarantined, letters.len()), (60, 1));
    assert_eq!(letters[0].text().matches("went to quarantine:").count(), 20);
    assert!(letters[0].says("10 other letters went to quarantine"), "{}", letters[0].text());
    let (_, letters) = club.pass();
    assert!(letters[0].says("30 other letters went to quarantine"), "{}", letters[0].text());
    let notes: Vec<usize> = (0..9)
        .map(|_| {
            bad(&mut club, 1);
            club.pass().1.len()
        })
        .collect();
    assert_eq!(notes, [1, 1, 0, 0, 0, 0, 0, 0, 0]);
    club.now += TimeDelta::days(1);
    let (_, letters) = club.pass();
    assert!(letters[0].says("7 other letters went to quarantine"), "{}", letters[0].text());
    assert_eq!(club.pass().1.len(), 0);
}

/// Answers of programs that set no header, each with the lines of a person's letter.
const ROBOTS: [&str; 6] = [
    "Thank you for your message. I am away until 5 January and will answer then.",
    "Your request has been received (ticket 4711).\n\nThe support team",
    "Hola: estoy fuera de la oficina.\nSaludos",
    "I will be back on the 5th.\nFor urgent matters call 555 1234, or write to Bob.",
    "Received",
    "",
];

/// Letters to this address in 20 hours in which each of them is answered at once by a program.
fn answered_by_a_robot(
    club: &mut Club,
    name: &str,
    first: &crate::rig::Posted,
    text: &str,
) -> usize {
    let mut last = vec![first.clone()];
    let mut count = 0;
    let until = club.now + TimeDelta::hours(20);
    while club.now < until {
        for letter in &last {
            let answer = club.reply_to(name, letter, text);
            club.arrives(answer);
        }
        // When the robot has nothing to answer, passes need not follow each other every 12 minutes.
        let idle = if last.is_empty() { TimeDelta::hours(9) } else { TimeDelta::minutes(-48) };
        let (_, letters) = club.pass();
        club.now += idle;
        last = all_to(&letters, name).into_iter().cloned().collect();
        count += last.len();
    }
    count
}

#[test]
fn robot_without_headers_gets_one_answer_a_day() {
    for (index, text) in ROBOTS.into_iter().enumerate() {
        // A sample answers letters about a game in all words, and each other kind of letter in two.
        let is_tried = |kind: usize| sample_or_all(index % 3 == kind, true);
        let mut club = Club::paris("");
        let game = club.last_to("Ann").expect("a letter").clone();
        let count = answered_by_a_robot(&mut club, "Ann", &game, text);
        assert!((5..=6).contains(&count), "{text}: {count}");

        if is_tried(0) {
            let mut club = Club::paris("");
            club.writes("Ann", "games");
            let none = club.pass().1.remove(0);
            assert!(answered_by_a_robot(&mut club, "Ann", &none, text) <= 6, "{text}");
        }
        if is_tried(1) {
            let mut club = Club::paris("");
            mod_is_known(&mut club);
            let known = club.last_to("Mod").expect("a letter").clone();
            assert!(answered_by_a_robot(&mut club, "Mod", &known, text) <= 6, "{text}");
        }
        if is_tried(2) {
            // The mailbox of somebody who is asked something.
            let mut club = Club::paris("");
            club.writes("Ann", "new paris-connection seats 3 invite zoe@example.net");
            let (_, letters) = club.pass();
            let asked = all_to(&letters, "zoe@example.net")[0].clone();
            let count = answered_by_a_robot(&mut club, "zoe@example.net", &asked, text);
            assert!(count <= 6, "{text}: {count}");
        }
    }
}

#[test]
fn next_day_brings_one_answer_to_idle_letters() {
    let mut club = Club::paris("");
    let idle = |club: &mut Club| {
        club.writes("Ann", "What a nice evening that was");
        all_to(&club.pass().1, "Ann").len()
    };
    let first: Vec<usize> = (0..9).map(|_| idle(&mut club)).collect();
    assert_eq!(first, [1, 1, 1, 1, 1, 1, 0, 0, 0]);
    club.now += TimeDelta::days(1);
    assert_eq!([idle(&mut club), idle(&mut club)], [1, 0]);
    // A question and an order are answered, and begin the count anew.
    club.writes("Ann", "status");
    assert_eq!(all_to(&club.pass().1, "Ann").len(), 1);
    let again: Vec<usize> = (0..7).map(|_| idle(&mut club)).collect();
    assert_eq!(again, [1, 1, 1, 1, 1, 0, 0], "the day's answer was given before");
    club.writes("Ann", "build red G23, Troyes");
    assert_eq!(club.pass().0.carried_out, 1);
    assert_eq!(idle(&mut club), 1);
}

#[test]
fn letters_in_which_something_is_found_are_always_answered() {
    let mut club = Club::paris("");
    for line in ["build red A1", "status", "preview\nbuild red G23", "letters hourly", "invite 9 x"]
    {
        for _ in 0..sample_or_all(6, 8) {
            club.writes("Ann", line);
            assert_eq!(all_to(&club.pass().1, "Ann").len(), 1, "{line}");
        }
    }
    mod_is_known(&mut club);
    for line in ["list", "pause 77 because of me", "dry run\nend 1 because of me"] {
        for _ in 0..sample_or_all(6, 8) {
            mod_asks(&mut club, line);
        }
    }
    for _ in 0..4 {
        mod_asks(&mut club, "pasue 1 because of me");
        mod_asks(&mut club, "list");
    }
    for _ in 0..3 {
        mod_asks(&mut club, "pasue 1 because of me");
    }
}

#[test]
fn refusal_quotes_at_most_200_characters() {
    let long = "x".repeat(sample_or_all(90_000, 900_000));
    for line in [
        format!("tell {long} hello"),
        format!("tell {long}: hello"),
        format!("say {long}"),
        format!("tell {} hello", "x".repeat(250)),
        format!("build red {}", "x".repeat(250)),
        "hello you ".repeat(25),
    ] {
        let mut club = Club::paris("");
        let bare = {
            club.writes("Ann", "status");
            all_to(&club.pass().1, "Ann")[0].bytes.len()
        };
        club.writes("Ann", &line);
        let (_, letters) = club.pass();
        let answer = all_to(&letters, "Ann")[0];
        assert!(answer.bytes.len() < bare + 8_000, "{}: {}", &line[..20], answer.bytes.len());
        let longest = answer.text().replace('\n', "").matches('x').count();
        assert!(longest < 500 && answer.text().contains("..."), "{}", answer.text());
    }
}
