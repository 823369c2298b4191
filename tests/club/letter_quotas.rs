//! Tests the quotas of outgoing letters: no sender can use up the quota of another.

use crate::rig::moderator_letters::{ask_as_mod, introduce_mod};
use crate::rig::{Club, PostedLetter, letters_to};
use chrono::TimeDelta;
use postrider::testing::sample_or_all;

fn compose_letter_without_token(from: &str, id: usize, body: &str) -> String {
    format!(
        "From: {from}\r\nTo: games@example.org\r\nMessage-ID: <{id}@forged>\r\n\r\n{body} {id}\r\n"
    )
}

/// Runs five passes. Each answers one letter per domain if the sender is not proven.
fn run_five_passes(club: &mut Club) -> Vec<PostedLetter> {
    (0..5).flat_map(|_| club.run_pass().1).collect()
}

#[test]
fn forged_letters_use_up_no_answers_of_member() {
    let mut club = Club::with_paris_game("");
    for n in 0..25 {
        club.deliver(compose_letter_without_token("bob@example.org", n, "hello"));
    }
    let forged = club.compose_reply("Bob", "build red G23").replace("+1.2.1.", "+1.2.2.");
    club.deliver(forged.replace("bob-", "forged-"));
    let order = club.compose_reply("Bob", "build red A1");
    club.deliver(order);
    let question = club.compose_reply("Bob", "status").replace("bob-", "status-");
    club.deliver(question);
    let letters = run_five_passes(&mut club);
    let answers = letters_to(&letters, "Bob");
    assert!(answers.iter().any(|letter| letter.contains("build red A1")), "the refusal is sent");
    assert_eq!(answers.len(), 5 + 2, "five forged letters and both of Bob's are answered");
}

#[test]
fn forged_letters_use_up_no_answers_of_moderator() {
    let mut club = Club::with_paris_game("answers_per_hour: 2\n");
    for n in 0..9 {
        club.deliver(compose_letter_without_token("mod@example.org", n, "list"));
    }
    let letters = run_five_passes(&mut club);
    let answers = letters_to(&letters, "mod@example.org");
    assert_eq!(answers.len(), 5);
    let letter = answers[0].clone();
    for n in 0..5 {
        let own = club.compose_reply_to("Mod", &letter, "pause 77 because of me");
        club.deliver(own.replace("mod-", &format!("own{n}-")));
    }
    assert_eq!(club.run_pass().1.len(), 5, "each refused command is answered");
}

#[test]
fn refused_orders_have_own_answer_limit() {
    let mut club = Club::with_paris_game("answers_per_hour: 2\n");
    let send_letters = |club: &mut Club, what: &str, count: usize| {
        for n in 0..count {
            let letter = club.compose_reply("Ann", &format!("{what}{n}"));
            club.deliver(letter.replace("ann-", &format!("{}{n}-", what.len())));
        }
        club.run_pass().1
    };
    assert_eq!(
        send_letters(&mut club, "nonsense ", 6).len(),
        2 + 1,
        "two answers and a last notice"
    );
    let letters = send_letters(&mut club, "build red A", 1);
    assert!(letters[0].contains("build red A0"), "{}", letters[0].body_text());
    // Wrong orders with a valid token get ten times as many answers a day, and a last notice.
    let letters = send_letters(&mut club, "build red A9", 40);
    assert_eq!(letters.len(), 19 + 1);
    assert!(letters[19].contains("so many orders"));
    assert_eq!(send_letters(&mut club, "build red A8", 9).len(), 0);
    club.send_reply("Ann", "build red G23");
    assert_eq!(club.run_pass().0.carried_out, 1, "valid orders are still carried out");
    club.now += TimeDelta::days(1);
    let letter = club.compose_reply("Bob", "build red A1");
    club.deliver(letter);
    assert_eq!(club.run_pass().1.len(), 1, "the quotas of other members are untouched");
}

#[test]
fn forged_letters_do_not_block_invitation_or_question() {
    let mut club = Club::with_paris_game("");
    let zoe = "zoe@example.net";
    for (n, from) in [zoe, "zoe+1@example.net", "Zoe+2@example.net"].into_iter().enumerate() {
        club.deliver(compose_letter_without_token(from, n, "hello"));
    }
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 1, "one mailbox is answered once a day");
    club.send_reply("Ann", "new paris-connection seats 3 invite zoe@example.net");
    let (_, letters) = club.run_pass();
    assert!(letters_to(&letters, zoe)[0].contains("Ann invites you to play"));
    club.send_reply("Bob", "address zoe@example.net");
    let (_, letters) = club.run_pass();
    assert!(letters_to(&letters, "Bob")[0].contains("We're sending an e-mail to zoe@example.net"));
    assert!(letters_to(&letters, zoe)[0].contains("Bob of The Postal Club says"));
    // Zoe may also write to the club, because she was invited.
    club.deliver(compose_letter_without_token(zoe, 7, "join 2\n> "));
    let (_, letters) = club.run_pass();
    assert_eq!(letters_to(&letters, zoe).len(), 1, "{letters:?}");
}

#[test]
fn mailbox_gets_one_question_weekly_per_member() {
    let mut club = Club::with_paris_game("");
    let mut write_and_count_questions = |name: &str, body: &str| {
        club.send_reply(name, body);
        let (_, letters) = club.run_pass();
        let sent = letters.iter().filter(|letter| letter.to.starts_with("victim")).count();
        (sent, letters_to(&letters, name)[0].contains("We're sending an e-mail to victim"))
    };
    assert_eq!(
        write_and_count_questions(
            "Ann",
            "address victim+1@example.com\naddress victim+2@example.com"
        )
        .0,
        0
    );
    assert_eq!(write_and_count_questions("Ann", "address victim+1@example.com"), (1, true));
    assert_eq!(
        write_and_count_questions("Ann", "address victim+2@example.com"),
        (0, false),
        "Ann knows of her own question"
    );
    assert_eq!(write_and_count_questions("Bob", "address victim+3@example.com"), (1, true));
    assert_eq!(
        write_and_count_questions("Cid", "new paris-connection seats 6 invite victim@example.com")
            .0,
        1
    );
    assert_eq!(
        write_and_count_questions("Cid", "address victim+4@example.com"),
        (0, true),
        "the answer hides the questions of others"
    );
}

/// Delivers letters that are quarantined because they have two senders.
fn deliver_two_sender_letters(club: &mut Club, count: usize) {
    for n in 0..count {
        club.deliver(compose_letter_without_token(
            &format!("x@example.com\r\nFrom: y{n}@example.com"),
            n,
            "hello",
        ));
    }
}

#[test]
fn quarantine_notes_to_moderator_are_bundled_and_limited() {
    let mut club = Club::with_paris_game("letters_per_commit: 30\n");
    deliver_two_sender_letters(&mut club, 60);
    let (report, letters) = club.run_pass();
    assert_eq!((report.quarantined, letters.len()), (60, 1));
    assert_eq!(letters[0].body_text().matches("is in quarantine:").count(), 20);
    assert!(letters[0].contains("10 more e-mails are in quarantine"), "{}", letters[0].body_text());
    let (_, letters) = club.run_pass();
    assert!(letters[0].contains("30 more e-mails are in quarantine"), "{}", letters[0].body_text());
    let notes: Vec<usize> = (0..9)
        .map(|_| {
            deliver_two_sender_letters(&mut club, 1);
            club.run_pass().1.len()
        })
        .collect();
    assert_eq!(notes, [1, 1, 0, 0, 0, 0, 0, 0, 0]);
    club.now += TimeDelta::days(1);
    let (_, letters) = club.run_pass();
    assert!(letters[0].contains("7 more e-mails are in quarantine"), "{}", letters[0].body_text());
    assert_eq!(club.run_pass().1.len(), 0);
}

/// Automatic replies without any header that tells, worded like letters from people.
const ROBOT_REPLIES: [&str; 6] = [
    "Thank you for your message. I am away until 5 January and will answer then.",
    "Your request has been received (ticket 4711).\n\nThe support team",
    "Hola: estoy fuera de la oficina.\nSaludos",
    "I will be back on the 5th.\nFor urgent matters call 555 1234, or write to Bob.",
    "Received",
    "",
];

/// Returns the number of letters in 20 hours to a program that replies to each at once.
fn count_letters_to_robot(
    club: &mut Club,
    name: &str,
    first: &crate::rig::PostedLetter,
    text: &str,
) -> usize {
    let mut last = vec![first.clone()];
    let mut count = 0;
    let until = club.now + TimeDelta::hours(20);
    while club.now < until {
        for letter in &last {
            let answer = club.compose_reply_to(name, letter, text);
            club.deliver(answer);
        }
        // While the robot has nothing to answer, passes are ten hours apart instead of 12 minutes.
        let idle = if last.is_empty() { TimeDelta::hours(9) } else { TimeDelta::minutes(-48) };
        let (_, letters) = club.run_pass();
        club.now += idle;
        last = letters_to(&letters, name).into_iter().cloned().collect();
        count += last.len();
    }
    count
}

#[test]
fn undetected_robot_gets_at_most_six_letters_daily() {
    for (index, text) in ROBOT_REPLIES.into_iter().enumerate() {
        // A sample tries all replies to letters about games, and two replies to each other kind.
        let is_in_sample = |kind: usize| sample_or_all(index % 3 == kind, true);
        let mut club = Club::with_paris_game("");
        let game = club.last_letter_to("Ann").expect("a letter").clone();
        let count = count_letters_to_robot(&mut club, "Ann", &game, text);
        assert!((5..=6).contains(&count), "{text}: {count}");

        if is_in_sample(0) {
            let mut club = Club::with_paris_game("");
            club.send_reply("Ann", "games");
            let none = club.run_pass().1.remove(0);
            assert!(count_letters_to_robot(&mut club, "Ann", &none, text) <= 6, "{text}");
        }
        if is_in_sample(1) {
            let mut club = Club::with_paris_game("");
            introduce_mod(&mut club);
            let known = club.last_letter_to("Mod").expect("a letter").clone();
            assert!(count_letters_to_robot(&mut club, "Mod", &known, text) <= 6, "{text}");
        }
        if is_in_sample(2) {
            // The mailbox of an invitee.
            let mut club = Club::with_paris_game("");
            club.send_reply("Ann", "new paris-connection seats 3 invite zoe@example.net");
            let (_, letters) = club.run_pass();
            let asked = letters_to(&letters, "zoe@example.net")[0].clone();
            let count = count_letters_to_robot(&mut club, "zoe@example.net", &asked, text);
            assert!(count <= 6, "{text}: {count}");
        }
    }
}

#[test]
fn idle_letters_past_limit_get_one_daily_answer() {
    let mut club = Club::with_paris_game("");
    let count_answers_to_idle_letter = |club: &mut Club| {
        club.send_reply("Ann", "What a nice evening that was");
        letters_to(&club.run_pass().1, "Ann").len()
    };
    let first: Vec<usize> = (0..9).map(|_| count_answers_to_idle_letter(&mut club)).collect();
    assert_eq!(first, [1, 1, 1, 1, 1, 1, 0, 0, 0]);
    club.now += TimeDelta::days(1);
    assert_eq!(
        [count_answers_to_idle_letter(&mut club), count_answers_to_idle_letter(&mut club)],
        [1, 0]
    );
    // A question or an order is answered and resets the count.
    club.send_reply("Ann", "status");
    assert_eq!(letters_to(&club.run_pass().1, "Ann").len(), 1);
    let again: Vec<usize> = (0..7).map(|_| count_answers_to_idle_letter(&mut club)).collect();
    assert_eq!(again, [1, 1, 1, 1, 1, 0, 0], "the one extra answer of the day is used up");
    club.send_reply("Ann", "build red G23, Troyes");
    assert_eq!(club.run_pass().0.carried_out, 1);
    assert_eq!(count_answers_to_idle_letter(&mut club), 1);
}

#[test]
fn letter_with_recognized_line_is_always_answered() {
    let mut club = Club::with_paris_game("");
    for line in ["build red A1", "status", "preview\nbuild red G23", "letters hourly", "invite 9 x"]
    {
        for _ in 0..sample_or_all(6, 8) {
            club.send_reply("Ann", line);
            assert_eq!(letters_to(&club.run_pass().1, "Ann").len(), 1, "{line}");
        }
    }
    introduce_mod(&mut club);
    for line in ["list", "pause 77 because of me", "dry run\nend 1 because of me"] {
        for _ in 0..sample_or_all(6, 8) {
            ask_as_mod(&mut club, line);
        }
    }
    for _ in 0..4 {
        ask_as_mod(&mut club, "pasue 1 because of me");
        ask_as_mod(&mut club, "list");
    }
    for _ in 0..3 {
        ask_as_mod(&mut club, "pasue 1 because of me");
    }
}

#[test]
fn refusal_shortens_long_quotations() {
    let long = "x".repeat(sample_or_all(90_000, 900_000));
    for line in [
        format!("tell {long} hello"),
        format!("tell {long}: hello"),
        format!("say {long}"),
        format!("tell {} hello", "x".repeat(250)),
        format!("build red {}", "x".repeat(250)),
        "hello you ".repeat(25),
    ] {
        let mut club = Club::with_paris_game("");
        let bare = {
            club.send_reply("Ann", "status");
            letters_to(&club.run_pass().1, "Ann")[0].bytes.len()
        };
        club.send_reply("Ann", &line);
        let (_, letters) = club.run_pass();
        let answer = letters_to(&letters, "Ann")[0];
        assert!(answer.bytes.len() < bare + 8_000, "{}: {}", &line[..20], answer.bytes.len());
        let longest = answer.body_text().replace('\n', "").matches('x').count();
        assert!(longest < 500 && answer.body_text().contains("..."), "{}", answer.body_text());
    }
}
