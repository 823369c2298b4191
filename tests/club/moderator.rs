//! The moderator's letters: lines that are carried out or refused, the morning digest, and the
//! invitation of new members.

mod recorded_week;

use crate::rig::moderator_letters::{
    MOD_ADDRESS, ask_as_mod, introduce_mod, send_mod_reply, start_paris_game,
};
use crate::rig::{self, Club, address};
use chrono::TimeDelta;
use postrider::club::{ActivityEntry, ActivityEvent};
use postrider::mail::transport::PostError;
use postrider::process;
use postrider::rules::{Seat, Turn};
use postrider::store::Batch;
use postrider::testing::sample_or_all;

#[test]
fn moderator_letter_is_all_or_nothing() {
    let mut club = Club::with_settings("clock: {deadline: 2 days, reminders: []}\n");
    let game = start_paris_game(&mut club, 7);
    club.run_pass();
    introduce_mod(&mut club);
    let before = club.open_context().store.clock(game).expect("works");
    let log = club.open_context().store.game_log_lines(game).expect("works");
    for body in [
        "pause 1 because x\nend 9 because x",
        "pause 1 because x\npause 1 because x",
        "preview\npause 1 because x\nend 1 because x",
        "pause 1 because x\ndry run",
        "resume 1 because x",
        "force 1 seat 9 because x",
        "rewind 1 to 7 because x",
        "set 1 deadline Mon 20:00 Mars/Olympus because x",
        "build red G23, Troyes",
    ] {
        club.now += TimeDelta::minutes(1);
        ask_as_mod(&mut club, body);
        assert_eq!(club.open_context().store.clock(game).expect("works"), before, "{body}");
        assert_eq!(club.open_context().store.game_log_lines(game).expect("works"), log, "{body}");
        assert!(club.open_context().store.activity_log(game).expect("works").is_empty(), "{body}");
    }
    // A letter that arrives twice is carried out once. All players get the change and its reason.
    let last = club.last_letter_to("Mod").expect("a letter").clone();
    let letter = club.compose_reply_to("Mod", &last, "pause game 1 because we all travel");
    club.deliver(&letter);
    club.deliver(&letter);
    let (_, letters) = club.run_pass();
    let count_letters_to =
        |name| letters.iter().filter(|letter| letter.to == address(name)).count();
    assert_eq!(["Ann", "Bob", "Cid", "Mod"].map(count_letters_to), [1, 1, 1, 2]);
    assert!(
        club.last_letter_to("Ann")
            .expect("a letter")
            .contains("stopped the clock of this game: we all")
    );
    assert_eq!(club.open_context().store.activity_log(game).expect("works").len(), 1);
    // Changing another rule of the clock does not end the pause.
    ask_as_mod(&mut club, "set 1 grace \"6 hours\" because we live far apart");
    let clock = club.open_context().store.clock(game).expect("works").expect("it has one");
    assert!(clock.paused.is_some() && clock.rules.grace.is_some());
    let log = ask_as_mod(&mut club, "log 1");
    assert!(log.contains("set deadline 2 days, nmr wait, grace 6 hours (we live far apart)"));
}

#[test]
fn moderator_lines_are_carried_out_in_order() {
    let mut club = Club::with_settings("clock: {deadline: 2 days, reminders: []}\n");
    let game = start_paris_game(&mut club, 7);
    club.run_pass();
    introduce_mod(&mut club);
    let deadlines_by_seat = |club: &Club| {
        let clock = club.open_context().store.clock(game).expect("works").expect("it has one");
        clock.waits.iter().map(|wait| (wait.seat.number(), wait.deadline)).collect::<Vec<_>>()
    };
    // Ann moves in this pass, so the moderator's line gives more time to Bob.
    club.send_reply("Ann", "build red G23, Troyes");
    let now = club.now;
    ask_as_mod(&mut club, "extend 1 by 1 day because Bob is ill");
    assert_eq!(deadlines_by_seat(&club), [(2, now + TimeDelta::days(3))]);
    let now = club.now;
    let answer = ask_as_mod(&mut club, "rewind 1 to 1 because x\nextend 1 by 3 days because x");
    assert_eq!(deadlines_by_seat(&club), [(1, now + TimeDelta::days(5))]);
    assert!(
        answer.contains("is waiting for Ann until Sat 10 Jan 2026 21:00 UTC"),
        "{}",
        answer.body_text()
    );
    let now = club.now;
    ask_as_mod(&mut club, "force 1 seat 1 because x\nset 1 deadline 4 days because x");
    assert_eq!(deadlines_by_seat(&club), [(2, now + TimeDelta::days(4))]);
}

#[test]
fn moderator_orders_from_others_are_refused() {
    let mut club = Club::new();
    start_paris_game(&mut club, 7);
    club.run_pass();
    introduce_mod(&mut club);
    let last = club.last_letter_to("Mod").expect("a letter").clone();
    let order = "end 1 because I am not the moderator";
    let forged = club.compose_reply_to("Mod", &last, order).replace(MOD_ADDRESS, &address("Ann"));
    let name = club.deliver(forged);
    let (report, letters) = club.run_pass();
    assert_eq!((report.quarantined, letters.len()), (1, 1));
    // The moderator cannot accept the letter by mistake.
    let answer = ask_as_mod(&mut club, &format!("letters accept {name} because why not"));
    assert!(answer.contains("no valid secret reply address of a seat"), "{}", answer.body_text());
    // Lines for the moderator have no effect in a player's letter.
    club.send_reply("Bob", order);
    club.deliver(format!("From: Mod <{MOD_ADDRESS}>\r\nTo: games@example.org\r\n\r\n{order}\r\n"));
    club.run_pass();
    let session = process::load_stored_game(&club.open_context(), 1).expect("the game");
    assert_ne!(session.table.turn(), Turn::Over);
}

#[test]
fn announcements_and_rotations_reach_only_their_readers() {
    let mut club = Club::new();
    start_paris_game(&mut club, 7);
    start_paris_game(&mut club, 2);
    club.run_pass();
    introduce_mod(&mut club);
    let old = club.compose_reply("Bob", "status");
    rig::make_undeliverable(&mut club, "Cid");
    send_mod_reply(&mut club, "announce all: 3 new games begin on Monday");
    let (_, letters) = club.run_pass();
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, [address("Ann").as_str(), &address("Bob"), MOD_ADDRESS]);
    assert!(letters[0].contains("The moderator announces: 3 new games begin on Monday"));
    assert!(letters[2].contains("To all 2 members playing now"), "{}", letters[2].body_text());

    send_mod_reply(&mut club, "rotate 2 seat 2 because his letters were read by others\nlist");
    let (_, letters) = club.run_pass();
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    // News of games leaves before answers.
    assert_eq!(to, [address("Bob").as_str(), MOD_ADDRESS]);
    assert!(letters[1].contains("been waiting for") && letters[1].contains("since Mon 5 Jan 2026"));
    assert!(letters[0].contains("his letters were read by others"));
    club.deliver(old);
    assert!(club.run_pass().1[0].contains("isn't valid, or no longer is"));
    club.send_reply("Bob", "status");
    assert!(!club.run_pass().1[0].contains("isn't valid, or no longer is"));
    let answer = ask_as_mod(&mut club, "force 1 seat 2 because he asked me to");
    assert!(
        answer.contains("The game isn't waiting for Bob. It's waiting for Ann."),
        "{}",
        answer.body_text()
    );
    send_mod_reply(&mut club, "force 1 seat 1 because she asked me to");
    let (_, letters) = club.run_pass();
    assert!(letters.iter().any(|letter| letter.to == address("Ann")
        && letter.contains("the moderator had the default order carried out: she asked me to")));
    // Ann still had time, so the letter does not say that she was late.
    assert!(letters.iter().any(|letter| letter.to == address("Ann")
        && letter.contains("You missed the deadline, so we played your turn for you:")));
}

#[test]
fn moderator_log_needs_proof_and_hides_private_messages() {
    let mut club = Club::with_settings(
        "admission: token+sender+dmarc\nauthserv_id: mx.example.org\nanswers_per_hour: 2\n",
    );
    start_paris_game(&mut club, 7);
    club.run_pass();
    introduce_mod(&mut club);
    let last = club.last_letter_to("Mod").expect("a letter").clone();
    let letter = club.compose_reply_to("Mod", &last, "log 1");
    club.deliver(&letter);
    assert_eq!(club.run_pass().0.quarantined, 1);
    let message_entry = |to: Vec<Seat>, text: &str| {
        let (from, text) = (Seat::new(1), text.to_owned());
        let event =
            ActivityEvent::Said { from, to, anonymous: false, text, is_from_former_player: false };
        (1, ActivityEntry { at: club.now, event })
    };
    let minutes = vec![
        message_entry(vec![Seat::new(2)], "let us join"),
        message_entry(Vec::new(), "good luck"),
    ];
    let batch = Batch { activity: minutes, ..Batch::default() };
    club.open_context().store.write_without_conflict_check(&batch).expect("works");
    let proof = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\r\n";
    let proven = |id: &str| format!("{proof}{}", letter.replace("Message-ID: <", id));
    club.deliver(proven("Message-ID: <2"));
    let (_, letters) = club.run_pass();
    let text = letters.last().expect("an answer").body_text();
    assert!(text.contains("Ann said to all: good luck") && !text.contains("join"), "{text}");
    // After too many letters in an hour, the club sends one last notice and then no answers.
    (3..7).for_each(|id| {
        club.deliver(proven(&format!("Message-ID: <{id}")));
    });
    let (_, letters) = club.run_pass();
    assert!(letters.last().expect("a last word").contains("so many e-mails from your address"));
    assert!(letters.len() < 4);
}

#[test]
fn morning_digest_is_sent_only_with_news() {
    let mut club = Club::with_settings("digest: 06:00\nclock: {deadline: 9 days, reminders: []}\n");
    start_paris_game(&mut club, 7);
    club.run_pass();
    let mut answered = 0;
    let step = sample_or_all(2, 1);
    for hour in (0..72).step_by(step) {
        club.now += TimeDelta::hours(sample_or_all(1, 0));
        if hour == 40 {
            club.send_reply("Ann", "status");
            club.transport.error = Some(PostError::Temporary("try again".to_owned()));
        }
        if hour == 40 + step {
            club.transport.error = None;
        }
        let (_, letters) = club.run_pass();
        assert!(letters.iter().all(|letter| letter.to == address("Ann")), "{hour}: {letters:?}");
        answered += letters.len();
    }
    assert_eq!(answered, 1, "the letter went with the next try");
    club.send_reply("Ann", "status");
    let later = PostError::Temporary("try again".to_owned());
    club.transport.errors_by_address.insert("ann@example.org".to_owned(), later);
    let letters: Vec<_> = (0..24).flat_map(|_| club.run_pass().1).collect();
    assert!(letters.iter().all(|letter| letter.to == MOD_ADDRESS));
    // Only Ann's letter was queued, so the club sends this note to find out whether any letter can
    // leave.
    assert!(letters[0].contains("we couldn't send any e-mail but this one: "), "{letters:?}");
    let [_, digest] = &letters[..] else { panic!("{}", letters.len()) };
    assert!(digest.contains("ann@example.org: one e-mail, tried"), "{}", digest.body_text());
}

#[test]
fn digest_lists_late_games_and_each_end_once() {
    for reminders in ["reminder_days: 0", "reminder_days: 30"] {
        let mut club = Club::with_settings(&format!("digest: 06:00\n{reminders}\n"));
        start_paris_game(&mut club, 7);
        start_paris_game(&mut club, 2);
        let mut digests_found = Vec::new();
        for half_day in 0..24 {
            if half_day == 18 {
                let end = ["end 2 because nobody plays".to_owned()];
                process::run_moderator_lines(&club.open_context(), &end, false).expect("it runs");
            }
            club.now += TimeDelta::hours(11);
            let letters = club.run_pass().1;
            let digests = letters.iter().filter(|letter| letter.to == MOD_ADDRESS);
            digests_found.extend(digests.map(|letter| {
                let late = ["1", "2"].map(|game| {
                    ["is", "has been"].iter().any(|verb| {
                        let waits = format!("Game {game} (Paris Connection) {verb} waiting for");
                        letter.contains(&waits)
                    })
                });
                (late, letter.contains("One game has ended since the last digest: Game 2"))
            }));
        }
        let both = ([true, true], false);
        let (end, one) = (([true, false], true), ([true, false], false));
        assert_eq!(digests_found, [both, both, end, one, one], "{reminders}");
    }
}

#[test]
fn moderator_prose_is_answered_with_command_hint() {
    let mut club = Club::with_paris_game("");
    introduce_mod(&mut club);
    let last = club.last_letter_to("Mod").expect("a letter to the moderator").clone();
    assert!(process::add_member(&club.open_context(), "Mod <mod@example.org>", true).is_ok());
    club.run_pass();
    for (body, expected) in [
        ("Hello, please pause game 1", "begin with a command, such as \"pause 12 because ...\""),
        ("games", "One game is in progress"),
        ("zone Europe/Madrid", "Europe/Madrid"),
    ] {
        let letter = club.compose_reply_to("Mod", &last, body);
        club.deliver(letter);
        let (_, letters) = club.run_pass();
        assert!(
            rig::first_letter_to(&letters, "mod@example.org").contains(expected),
            "{}",
            letters[0].body_text()
        );
    }
}

#[test]
fn moderators_invitee_becomes_member_only_by_consent() {
    let mut club = Club::with_paris_game("");
    introduce_mod(&mut club);
    let zoe = "zoe@example.net";
    let said = ask_as_mod(&mut club, "invite Zoe Miller <zoe@example.net>");
    assert!(said.contains("asking Zoe Miller at zoe@example.net if"), "{}", said.body_text());
    let asked = rig::first_letter_to(&club.transport.posted, zoe).clone();
    assert!(asked.contains("Mod invites you to become a member of The Postal Club"));
    assert!(asked.contains("\"name Zoe Miller\" on the second line"), "{}", asked.body_text());
    assert!(asked.header("To").is_some_and(|to| to.contains("Zoe Miller")));
    let answer = |club: &mut Club, body: &str| {
        let letter = club.compose_reply_to("Ann", &asked, body).replace(&address("Ann"), zoe);
        club.deliver(letter.replacen("From: Ann", "From: zm", 1));
        rig::first_letter_to(&club.run_pass().1, zoe).clone()
    };
    assert!(answer(&mut club, "Yes, if Bob plays too!").contains("couldn't find a clear \"yes\""));
    assert!(answer(&mut club, "help").contains("How it works"));
    assert!(
        answer(&mut club, "yes\nname Zoe Miller").contains("Welcome to The Postal Club, Zoe Mill")
    );
    assert!(answer(&mut club, "yes").contains("only the first reply counts"));
    // Invitations that are unnecessary or impossible.
    for (line, why) in [
        ("invite Zoe <zoe@example.net>", "belongs to member 4: Zoe Miller"),
        ("invite Yan <games@example.org>", "the club's own address"),
        ("invite Bob <yan@example.net>", "Bob is too much like someone else's name"),
        ("invite Yan", "Write it like this, on one line: invite Ann Miller <ann@example.org>"),
    ] {
        let refused = ask_as_mod(&mut club, line);
        assert!(refused.contains(why), "{line}: {}", refused.body_text());
    }
    // Members' invitations do not use up the moderator's. The moderator learns when their own limit
    // is reached.
    for name in ["Ann", "Bob"] {
        for n in 0..3 {
            club.send_reply(
                name,
                &format!("new paris-connection seats {} invite yan@x.org", 3 + n),
            );
            club.run_pass();
            club.now -= TimeDelta::minutes(59);
        }
    }
    let sent: Vec<bool> = (0..4)
        .map(|_| {
            let said = ask_as_mod(&mut club, "invite yan@x.org");
            let refused = said.contains("you've sent three invitations there within a day");
            assert_eq!(refused, !said.contains("asking at yan@x.org if"), "{}", said.body_text());
            let last = club.transport.posted.iter().rev().take(2);
            let sent = last.filter(|letter| letter.to == "yan@x.org").count() == 1;
            assert_eq!(sent, !refused);
            sent
        })
        .collect();
    assert_eq!(sent, [true, true, true, false]);
    // Only a member can invite to a game, so the moderator must do it as a member.
    assert!(
        ask_as_mod(&mut club, "invite 2 fay@example.net")
            .contains("A moderator can't ask for this")
    );
    let preview = ask_as_mod(&mut club, "preview\ninvite fay@example.net");
    assert!(preview.contains("nothing has been done"), "{}", preview.body_text());
    assert!(club.transport.posted.iter().all(|letter| letter.to != "fay@example.net"));
}
