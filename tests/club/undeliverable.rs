//! Members whose letters bounce: which bounce reports count as evidence, and what a pass does with
//! an undeliverable member.

use crate::rig::{self, Club, address, compose_bounce_report};
use chrono::TimeDelta;
use postrider::process::{self, MemberChange};
use postrider::rules::Seat;

fn make_undeliverable(club: &mut Club, name: &str) {
    let letters = rig::make_undeliverable(club, name);
    assert_eq!(letters.len(), 1, "{letters:?}");
}

#[test]
fn undeliverable_member_gets_no_letters_moderator_is_told() {
    let mut club = Club::with_paris_game("");
    make_undeliverable(&mut club, "Bob");
    let note = club.transport.posted.last().expect("a note").clone();
    assert_eq!(note.to, "mod@example.org");
    assert!(note.contains("E-mails to Bob (bob@example.org) bounce"), "{}", note.body_text());
    assert!(
        note.contains("Bob is playing in 1. None of them is waiting for Bob now"),
        "{}",
        note.body_text()
    );
    assert_eq!(club.inbox_files(".done/cur").len(), 2);
    assert!(club.member("Bob").undeliverable_since().is_some());

    club.send_reply("Ann", "build red G23, Troyes");
    let (_, letters) = club.run_pass();
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, ["ann@example.org", "cid@example.org"]);

    // A reminder is due, but Bob is undeliverable. The moderator gets a note, and Bob a probe.
    club.now += chrono::TimeDelta::days(8);
    let (done, letters) = club.run_pass();
    assert_eq!((done.reminders, letters.len()), (0, 2), "a note and a probe");
    let note = rig::first_letter_to(&letters, "Mod");
    assert!(note.contains("Game 1 is still waiting for Bob"), "{}", note.body_text());
}

#[test]
fn undeliverable_player_is_not_late() {
    let mut club = Club::with_paris_game("digest: 06:00\nclock: {deadline: 3 days, nmr: wait}\n");
    make_undeliverable(&mut club, "Ann");
    for _ in 0..5 {
        club.now += chrono::TimeDelta::days(1);
        club.run_pass();
    }
    let morning = club.last_letter_to("Mod").expect("a letter");
    assert!(
        morning.contains("E-mails bounce for one member who is playing"),
        "{}",
        morning.body_text()
    );
    assert!(!morning.contains("late"), "{}", morning.body_text());
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_postrider"));
    command.arg("-C").arg(club.folder()).args(["moderate", "list"]);
    let output = command.args(["--now", &club.now.to_rfc3339()]).output().expect("it runs");
    let said = String::from_utf8(output.stdout).expect("it is text");
    assert!(said.contains("waiting for Ann with the clock stopped, because our e-mails"), "{said}");
    // All letters that Ann gets when she is back name the same deadline.
    club.send_reply("Ann", "status");
    let (_, letters) = club.run_pass();
    let by = |letter: &rig::PostedLetter| {
        let text = letter.body_text();
        let line =
            text.lines().find(|line| line.trim().starts_with("It's your turn. You have until"));
        line.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    let letters: Vec<_> = letters.iter().filter(|letter| letter.to == address("Ann")).collect();
    let times: std::collections::BTreeSet<String> = letters.iter().map(|one| by(one)).collect();
    assert!(letters.len() > 1 && times.len() == 1, "{times:?}");
}

#[test]
fn undeliverable_member_who_writes_gets_missed_news() {
    let mut club = Club::with_paris_game("");
    make_undeliverable(&mut club, "Bob");
    club.send_reply("Ann", "build red G23, Troyes");
    club.run_pass();
    club.send_reply("Bob", "status");
    let (_, letters) = club.run_pass();
    assert!(club.member("Bob").undeliverable_since().is_none());
    assert_eq!(letters.len(), 2);
    assert!(letters.iter().all(|letter| letter.to == address("Bob")));
    assert!(
        letters[1].contains("Ann builds red on G23 and G25 Troyes"),
        "{}",
        letters[1].body_text()
    );
    assert!(letters[1].body_text().contains("THE BOARD"));
    assert_eq!(club.run_pass().1.len(), 0);
}

#[test]
fn new_address_gets_missed_news() {
    let mut club = Club::with_paris_game("");
    make_undeliverable(&mut club, "Bob");
    club.send_reply("Ann", "build red G23, Troyes");
    club.run_pass();
    let new = MemberChange::AddAddress { address: "bob@new.example".to_owned(), first: true };
    process::change_member(&club.open_context(), "bob@example.org", &new).expect("it is free");
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].to, "bob@new.example");
    assert!(
        letters[0].contains("Ann builds red on G23 and G25 Troyes"),
        "{}",
        letters[0].body_text()
    );
}

#[test]
fn fifth_soft_bounce_in_a_row_triggers_probe() {
    let mut club = Club::with_paris_game("");
    let letter = club.last_letter_to("Bob").expect("a letter").clone();
    let soft = |club: &mut Club, number: u32| {
        let report =
            compose_bounce_report(&letter, "bob@example.org", "failed", &format!("4.4.{number}"));
        club.deliver(&report);
        club.deliver(&report);
        club.run_pass()
    };
    for number in 1..=4 {
        let (done, letters) = soft(&mut club, number);
        assert_eq!(done.bounced.len(), 1, "a repeated report counts once");
        assert_eq!(letters.len(), 0);
    }
    club.send_reply("Bob", "status");
    club.run_pass();
    assert_eq!(club.member("Bob").reachability.soft_reports, 0);
    for number in 5..=8 {
        assert_eq!(soft(&mut club, number).1.len(), 0);
    }
    let (_, letters) = soft(&mut club, 9);
    let [probe] = &letters[..] else { panic!("{letters:?}") };
    assert_eq!(
        (probe.to.as_str(), club.member("Bob").undeliverable_since()),
        (&*address("Bob"), None)
    );
    let back = compose_bounce_report(probe, &address("Bob"), "failed", "4.4.7");
    club.deliver(back);
    club.run_pass();
    assert!(club.member("Bob").undeliverable_since().is_some());
}

#[test]
fn delayed_and_policy_bounces_silence_nobody() {
    let mut club = Club::with_paris_game("");
    let letter = club.last_letter_to("Bob").expect("a letter").clone();
    for number in 1..=9 {
        club.deliver(compose_bounce_report(
            &letter,
            "bob@example.org",
            "delayed",
            &format!("4.4.{number}"),
        ));
    }
    for status in ["5.7.1", "5.2.2", "5.2.3", "5.3.4"] {
        club.deliver(compose_bounce_report(&letter, "bob@example.org", "failed", status));
    }
    let (done, letters) = club.run_pass();
    assert!(done.bounced.iter().all(|one| one.contains(": soft ")), "{:?}", done.bounced);
    assert_eq!((done.bounced.len(), done.quarantined, letters.len()), (13, 0, 0));
    let bob = club.member("Bob");
    assert_eq!(
        (bob.undeliverable_since(), bob.reachability.soft_reports),
        (None, 4),
        "what is late may come yet"
    );
    // The news that bounced is in the next letter to Bob.
    club.send_reply("Ann", "build red G23, Troyes");
    let (_, letters) = club.run_pass();
    let bobs = rig::first_letter_to(&letters, "Bob");
    assert!(bobs.contains("Ann builds red on G23 and G25 Troyes"), "{}", bobs.body_text());
}

#[test]
fn mass_policy_bounce_is_reported_once_daily() {
    let mut club = Club::with_paris_game("");
    let letters: Vec<_> = ["Ann", "Bob", "Cid"]
        .map(|name| (name, club.last_letter_to(name).expect("a letter").clone()))
        .into();
    let arrive = |club: &mut Club, status: &str| {
        for (name, letter) in &letters {
            // Each bounce is reported by two servers. The count is of members, so this does not
            // double it.
            for host in ["mx", "mx2"] {
                let id = format!("@{name}.{host}.example.net>");
                let report = compose_bounce_report(letter, &address(name), "failed", status);
                club.deliver(report.replace("@mx.example.net>", &id));
            }
        }
        club.run_pass()
    };
    let (_, full) = arrive(&mut club, "5.2.2");
    assert_eq!(full.len(), 0, "full mailboxes are no rule's fault: {full:?}");
    for name in ["Ann", "Bob", "Cid"] {
        club.send_reply(name, "status");
    }
    club.run_pass();
    let (done, told) = arrive(&mut club, "5.7.1");
    assert_eq!(done.bounced.len(), 6);
    let note = rig::first_letter_to(&told, "Mod");
    assert!(
        note.contains("have refused e-mails to 3 members within a day"),
        "{}",
        note.body_text()
    );
    assert_eq!(told.len(), 1);
    for name in ["Ann", "Bob", "Cid"] {
        assert_eq!(club.member(name).undeliverable_since(), None);
        club.send_reply(name, "status");
    }
    club.run_pass();
    assert_eq!(arrive(&mut club, "5.7.2").1.len(), 0, "the note was sent today");
}

/// Returns a club whose players have two days for a turn and ten days of vacation a year.
fn timed_club() -> Club {
    let clock = "clock: {deadline: 2 days, nmr: forfeit, vacation_days_per_year: 10}\n";
    Club::with_paris_game(clock)
}

/// Makes Ann undeliverable. Returns the letters of the pass in which she becomes so.
fn make_ann_undeliverable(club: &mut Club) -> Vec<rig::PostedLetter> {
    rig::make_undeliverable(club, "Ann")
}

/// Returns the number of days until a turn is played without its player. Probes to Ann bounce.
fn days_until_absent(club: &mut Club) -> i64 {
    let began = club.now;
    // Passes more than a few hours apart would count as an outage of the club.
    loop {
        let (done, letters) = club.run_pass();
        if done.absent_turns > 0 {
            return (club.now - began).num_days();
        }
        if let Some(probe) = letters.iter().find(|letter| letter.message_id.starts_with("p.")) {
            club.deliver(compose_bounce_report(probe, &address("Ann"), "failed", "5.1.1"));
        }
        club.now += TimeDelta::hours(4);
        assert!(club.now - began < TimeDelta::days(60), "no turn is ever forfeited");
    }
}

#[test]
fn others_learn_of_undeliverable_player_in_next_letter() {
    for clock in ["", "clock: {deadline: 3 days}\n"] {
        let mut club = Club::with_paris_game(clock);
        let letters = make_ann_undeliverable(&mut club);
        let to: Vec<&str> = letters.iter().map(|letter| &*letter.to).collect();
        assert_eq!(to, ["mod@example.org"]);
        club.send_reply("Bob", "status");
        let (_, letters) = club.run_pass();
        let told = |letter: &rig::PostedLetter| {
            letter.contains("we can't deliver e-mails to them")
                || letter.contains("E-mails to Ann come")
        };
        assert!(letters.len() == 1 && told(&letters[0]), "{}", letters[0].body_text());
        // Ann's return causes no letter to the other players either.
        club.send_reply("Ann", "status");
        let (_, letters) = club.run_pass();
        assert!(letters.iter().all(|letter| letter.to == address("Ann")) && !letters.is_empty());
        club.send_reply("Bob", "status");
        assert!(!told(&club.run_pass().1[0]));
    }
}

#[test]
fn undeliverable_players_time_pauses_once_a_year() {
    let mut club = timed_club();
    make_ann_undeliverable(&mut club);
    // The clock paused for ten days, and then the rest of the two days passed.
    let days = days_until_absent(&mut club);
    assert!((11..=12).contains(&days), "{days}");
    let note = club.transport.posted.iter().find(|l| l.contains("so the clock is running again"));
    assert!(note.is_some_and(|note| note.to == "mod@example.org"));
    let mut club = timed_club();
    make_ann_undeliverable(&mut club);
    club.send_reply("Ann", "status");
    club.run_pass();
    club.now += TimeDelta::hours(25);
    let letters = make_ann_undeliverable(&mut club);
    assert_eq!(letters.len(), 1);
    assert!(letters[0].contains("are bouncing again"), "{}", letters[0].body_text());
    let days = days_until_absent(&mut club);
    assert!(days <= 2, "a second time is the moderator's to decide: {days}");
    // After a year the clock pauses once again.
    club.send_reply("Ann", "status");
    club.run_pass();
    club.now += TimeDelta::days(365);
    club.send_reply("Ann", "status");
    club.run_pass();
    let letters = make_ann_undeliverable(&mut club);
    assert!(!letters.iter().any(|letter| letter.contains("are bouncing again")));
}

#[test]
fn bounce_of_old_or_invented_letter_is_quarantined() {
    let mut club = timed_club();
    let old = club.last_letter_to("Ann").expect("a letter").clone();
    process::split_refusal(process::moderate_game(
        &club.open_context(),
        1,
        &postrider::club::Intervention::Pause,
        "a break",
    ))
    .expect("it works")
    .ok();
    club.now += TimeDelta::days(6);
    club.run_pass();
    club.deliver(compose_bounce_report(&old, &address("Ann"), "failed", "5.1.1"));
    let (done, _) = club.run_pass();
    assert_eq!((done.quarantined, done.bounced.len()), (1, 0));
    assert_eq!(club.member("Ann").undeliverable_since(), None);
    // The report is about a letter that was never posted.
    let bytes = old.raw().replace("g1.s1.r1.", "g1.s1.r9.");
    let made_up = rig::PostedLetter { bytes: bytes.into_bytes(), ..old };
    club.deliver(compose_bounce_report(&made_up, &address("Ann"), "failed", "5.1.2"));
    assert_eq!(club.run_pass().0.quarantined, 1);
}

#[test]
fn undeliverable_status_survives_restore() {
    let mut club = Club::with_paris_game("");
    make_undeliverable(&mut club, "Bob");
    let before = club.member("Bob");
    let again = Club::new();
    let restored = process::restore(&again.open_context(), &club.folder().join("journal"))
        .expect("it is whole");
    assert_eq!(restored.members, 3);
    assert_eq!(again.member("Bob"), before);
}

/// Returns a club where game 2 waits for one more player, and the report of a bounced probe to Ann.
fn club_with_filling_game() -> (Club, String) {
    let mut club = Club::with_paris_game("clock: {deadline: 3 days, nmr: forfeit}\n");
    let back = compose_bounce_report(
        club.last_letter_to("Ann").expect("one"),
        &address("Ann"),
        "failed",
        "5.1.1",
    );
    club.send_reply("Ann", "new paris-connection seats 3 seat 2");
    club.run_pass();
    club.send_reply("Bob", "join 2");
    club.deliver(back);
    let (_, letters) = club.run_pass();
    let back = compose_bounce_report(rig::find_probe(&letters), &address("Ann"), "failed", "5.1.1");
    (club, back)
}

#[test]
fn game_started_in_same_pass_knows_undeliverable_player() {
    let (mut club, back) = club_with_filling_game();
    club.send_reply("Cid", "join 2");
    club.deliver(back);
    let (_, letters) = club.run_pass();
    assert!(club.member("Ann").undeliverable_since().is_some());
    let clock = club.open_context().store.clock(2).expect("it reads").expect("a clock");
    let lost = clock
        .waits
        .iter()
        .all(|wait| wait.seat == Seat::new(2) && wait.unreachable_since.is_some());
    assert!(lost && !clock.waits.is_empty(), "{:?}", clock.waits);
    assert!(letters.iter().any(|letter| letter.to == address("Bob")));
    // Letters that were written before the report was read do not mention it. The next letter does.
    club.send_reply("Bob", "status");
    let (_, letters) = club.run_pass();
    let told =
        letters.iter().any(|letter| letter.contains("to Ann come back to us, so their clock"));
    assert!(told, "Bob must learn why the game waits: {}", letters[0].body_text());
}

#[test]
fn returning_member_hears_of_game_just_started() {
    let (mut club, back) = club_with_filling_game();
    club.deliver(back);
    club.run_pass();
    club.send_reply("Cid", "join 2");
    club.send_reply("Ann", "status");
    let (_, letters) = club.run_pass();
    let mut own = letters.iter().filter(|letter| letter.to == address("Ann"));
    let of_it = own.any(|l| l.header("Subject").is_some_and(|s| s.starts_with("[Paris 2] ")));
    assert!(of_it, "{letters:?}");
    let clock = club.open_context().store.clock(2).expect("it reads").expect("a clock");
    let [wait] = &clock.waits[..] else { panic!("{:?}", clock.waits) };
    assert_eq!(wait.unreachable_since, None);
}

#[test]
fn bounce_after_resignation_is_still_evidence() {
    let mut club = Club::with_paris_game("");
    let back = compose_bounce_report(
        club.last_letter_to("Ann").expect("one"),
        &address("Ann"),
        "failed",
        "5.1.1",
    );
    club.send_reply("Ann", "resign yes");
    club.run_pass();
    club.deliver(back);
    let (_, letters) = club.run_pass();
    club.deliver(compose_bounce_report(
        rig::find_probe(&letters),
        &address("Ann"),
        "failed",
        "5.1.1",
    ));
    let (done, letters) = club.run_pass();
    assert_eq!(done.bounced.len(), 1);
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, ["mod@example.org"], "the players hear nothing");
    assert!(!letters[0].contains("playing in 1"), "{}", letters[0].body_text());
}
