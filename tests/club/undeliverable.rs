//! Members whose letters come back: which reports are believed, and what a pass does then.

use crate::rig::{self, Club, address, report};
use chrono::TimeDelta;
use postrider::process::{self, MemberChange};
use postrider::rules::Seat;

fn loses(club: &mut Club, name: &str) {
    let letters = rig::loses(club, name);
    assert_eq!(letters.len(), 1, "{letters:?}");
}

#[test]
fn a_member_whose_letters_come_back_gets_none_and_the_moderator_knows() {
    let mut club = Club::paris("");
    loses(&mut club, "Bob");
    let note = club.pigeon.posted.last().expect("a note").clone();
    assert_eq!(note.to, "mod@example.org");
    assert!(note.says("Letters to Bob (bob@example.org) come back"), "{}", note.text());
    assert!(note.says("Bob plays in 1; none of these waits for Bob now"), "{}", note.text());
    assert_eq!(club.mail_folder(".done/cur").len(), 2);
    assert!(club.member("Bob").undeliverable().is_some());

    club.writes("Ann", "build red G23, Troyes");
    let (_, letters) = club.pass();
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, ["ann@example.org", "cid@example.org"]);

    // The game waits for Bob; whoever asks him for it is told that it is in vain.
    club.now += chrono::TimeDelta::days(8);
    let (done, letters) = club.pass();
    assert_eq!((done.reminded, letters.len()), (0, 2), "a note and a probe");
    let note = rig::to(&letters, "Mod");
    assert!(note.says("Game 1 still waits for Bob"), "{}", note.text());
}

#[test]
fn who_cannot_be_reached_is_not_late() {
    let mut club = Club::paris("digest: 06:00\nclock: {deadline: 3 days, nmr: wait}\n");
    loses(&mut club, "Ann");
    for _ in 0..5 {
        club.now += chrono::TimeDelta::days(1);
        club.pass();
    }
    let morning = club.last_to("Mod").expect("a letter");
    assert!(morning.says("Letters come back from one member who plays"), "{}", morning.text());
    assert!(!morning.says("late"), "{}", morning.text());
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_postrider"));
    command.arg("-C").arg(club.folder()).args(["moderate", "list"]);
    let output = command.args(["--now", &club.now.to_rfc3339()]).output().expect("it runs");
    let said = String::from_utf8(output.stdout).expect("it is text");
    assert!(said.contains("waits for Ann, and no time runs, as letters come back"), "{said}");
    // All that she gets when she is back names the same time.
    club.writes("Ann", "status");
    let (_, letters) = club.pass();
    let by = |letter: &rig::Posted| {
        let text = letter.text();
        let line = text.lines().find(|line| line.trim().starts_with("Please send your orders by"));
        line.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    let letters: Vec<_> = letters.iter().filter(|letter| letter.to == address("Ann")).collect();
    let times: std::collections::BTreeSet<String> = letters.iter().map(|one| by(one)).collect();
    assert!(letters.len() > 1 && times.len() == 1, "{times:?}");
}

#[test]
fn who_writes_again_is_told_what_he_has_missed() {
    let mut club = Club::paris("");
    loses(&mut club, "Bob");
    club.writes("Ann", "build red G23, Troyes");
    club.pass();
    club.writes("Bob", "status");
    let (_, letters) = club.pass();
    assert!(club.member("Bob").undeliverable().is_none());
    assert_eq!(letters.len(), 2);
    assert!(letters.iter().all(|letter| letter.to == address("Bob")));
    assert!(letters[1].says("Ann builds red on G23 and G25 Troyes"), "{}", letters[1].text());
    assert!(letters[1].text().contains("THE BOARD"));
    assert_eq!(club.pass().1.len(), 0);
}

#[test]
fn a_new_address_brings_what_was_missed() {
    let mut club = Club::paris("");
    loses(&mut club, "Bob");
    club.writes("Ann", "build red G23, Troyes");
    club.pass();
    let new = MemberChange::AddAddress { address: "bob@new.example".to_owned(), first: true };
    process::change_member(&club.context(), "bob@example.org", &new).expect("it is free");
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].to, "bob@new.example");
    assert!(letters[0].says("Ann builds red on G23 and G25 Troyes"), "{}", letters[0].text());
}

#[test]
fn fifth_soft_report_in_a_row_sends_a_probe() {
    let mut club = Club::paris("");
    let letter = club.last_to("Bob").expect("a letter").clone();
    let soft = |club: &mut Club, number: u32| {
        let report = report(&letter, "bob@example.org", "failed", &format!("4.4.{number}"));
        club.arrives(&report);
        club.arrives(&report);
        club.pass()
    };
    for number in 1..=4 {
        let (done, letters) = soft(&mut club, number);
        assert_eq!(done.bounced.len(), 1, "a repeated report counts once");
        assert_eq!(letters.len(), 0);
    }
    club.writes("Bob", "status");
    club.pass();
    assert_eq!(club.member("Bob").reach.soft, 0);
    for number in 5..=8 {
        assert_eq!(soft(&mut club, number).1.len(), 0);
    }
    let (_, letters) = soft(&mut club, 9);
    let [probe] = &letters[..] else { panic!("{letters:?}") };
    assert_eq!((probe.to.as_str(), club.member("Bob").undeliverable()), (&*address("Bob"), None));
    let back = report(probe, &address("Bob"), "failed", "4.4.7");
    club.arrives(back);
    club.pass();
    assert!(club.member("Bob").undeliverable().is_some());
}

#[test]
fn what_is_late_or_a_rules_fault_silences_nobody() {
    let mut club = Club::paris("");
    let letter = club.last_to("Bob").expect("a letter").clone();
    for number in 1..=9 {
        club.arrives(report(&letter, "bob@example.org", "delayed", &format!("4.4.{number}")));
    }
    for status in ["5.7.1", "5.2.2", "5.2.3", "5.3.4"] {
        club.arrives(report(&letter, "bob@example.org", "failed", status));
    }
    let (done, letters) = club.pass();
    assert!(done.bounced.iter().all(|one| one.contains(": soft ")), "{:?}", done.bounced);
    assert_eq!((done.bounced.len(), done.quarantined, letters.len()), (13, 0, 0));
    let bob = club.member("Bob");
    assert_eq!((bob.undeliverable(), bob.reach.soft), (None, 4), "what is late may come yet");
    // What was lost is in the next letter that he gets.
    club.writes("Ann", "build red G23, Troyes");
    let (_, letters) = club.pass();
    let bobs = rig::to(&letters, "Bob");
    assert!(bobs.says("Ann builds red on G23 and G25 Troyes"), "{}", bobs.text());
}

#[test]
fn when_rules_refuse_several_members_at_once_the_moderator_hears_it_once_a_day() {
    let mut club = Club::paris("");
    let letters: Vec<_> = ["Ann", "Bob", "Cid"]
        .map(|name| (name, club.last_to(name).expect("a letter").clone()))
        .into();
    let arrive = |club: &mut Club, status: &str| {
        for (name, letter) in &letters {
            // Each twice: it is members that count.
            for host in ["mx", "mx2"] {
                let id = format!("@{name}.{host}.example.net>");
                let report = report(letter, &address(name), "failed", status);
                club.arrives(report.replace("@mx.example.net>", &id));
            }
        }
        club.pass()
    };
    let (_, full) = arrive(&mut club, "5.2.2");
    assert_eq!(full.len(), 0, "full mailboxes are no rule's fault: {full:?}");
    for name in ["Ann", "Bob", "Cid"] {
        club.writes(name, "status");
    }
    club.pass();
    let (done, told) = arrive(&mut club, "5.7.1");
    assert_eq!(done.bounced.len(), 6);
    let note = rig::to(&told, "Mod");
    assert!(note.says("have refused letters to 3 members within a day"), "{}", note.text());
    assert_eq!(told.len(), 1);
    for name in ["Ann", "Bob", "Cid"] {
        assert_eq!(club.member(name).undeliverable(), None);
        club.writes(name, "status");
    }
    club.pass();
    assert_eq!(arrive(&mut club, "5.7.2").1.len(), 0, "it was told today");
}

/// A club whose players have two days, and ten days of vacation a year.
fn timed() -> Club {
    let clock = "clock: {deadline: 2 days, nmr: forfeit, vacation_days_per_year: 10}\n";
    Club::paris(clock)
}

/// Ann becomes undeliverable. Returns the letters of the pass in which she does.
fn comes_back(club: &mut Club) -> Vec<rig::Posted> {
    rig::loses(club, "Ann")
}

/// How many days go by before a turn is done for somebody. Probes to Ann come back.
fn days_until_absent(club: &mut Club) -> i64 {
    let began = club.now;
    // Not so far apart that it would be an outage of ours.
    loop {
        let (done, letters) = club.pass();
        if done.absent > 0 {
            return (club.now - began).num_days();
        }
        if let Some(probe) = letters.iter().find(|letter| letter.message_id.starts_with("p.")) {
            club.arrives(report(probe, &address("Ann"), "failed", "5.1.1"));
        }
        club.now += TimeDelta::hours(4);
        assert!(club.now - began < TimeDelta::days(60), "nobody is ever absent");
    }
}

#[test]
fn the_others_read_of_who_cannot_be_reached_in_the_next_letter_that_they_get_anyway() {
    for clock in ["", "clock: {deadline: 3 days}\n"] {
        let mut club = Club::paris(clock);
        let letters = comes_back(&mut club);
        let to: Vec<&str> = letters.iter().map(|letter| &*letter.to).collect();
        assert_eq!(to, ["mod@example.org"]);
        club.writes("Bob", "status");
        let (_, letters) = club.pass();
        let told = |letter: &rig::Posted| {
            letter.says("to whom no letter can be delivered") || letter.says("Letters to Ann come")
        };
        assert!(letters.len() == 1 && told(&letters[0]), "{}", letters[0].text());
        // She is back, and nobody is mailed for that either.
        club.writes("Ann", "status");
        let (_, letters) = club.pass();
        assert!(letters.iter().all(|letter| letter.to == address("Ann")) && !letters.is_empty());
        club.writes("Bob", "status");
        assert!(!told(&club.pass().1[0]));
    }
}

#[test]
fn time_stands_once_a_year_as_long_as_a_vacation() {
    let mut club = timed();
    comes_back(&mut club);
    // Ten days, and what was left of the two.
    let days = days_until_absent(&mut club);
    assert!((11..=12).contains(&days), "{days}");
    let note = club.pigeon.posted.iter().find(|l| l.says("Time runs there again"));
    assert!(note.is_some_and(|note| note.to == "mod@example.org"));
    let mut club = timed();
    comes_back(&mut club);
    club.writes("Ann", "status");
    club.pass();
    club.now += TimeDelta::hours(25);
    let letters = comes_back(&mut club);
    assert_eq!(letters.len(), 1);
    assert!(letters[0].says("come back once more"), "{}", letters[0].text());
    let days = days_until_absent(&mut club);
    assert!(days <= 2, "a second time is the moderator's to decide: {days}");
    // A year later it is a first time again.
    club.writes("Ann", "status");
    club.pass();
    club.now += TimeDelta::days(365);
    club.writes("Ann", "status");
    club.pass();
    let letters = comes_back(&mut club);
    assert!(!letters.iter().any(|letter| letter.says("come back once more")));
}

#[test]
fn only_a_letter_of_the_last_days_can_come_back() {
    let mut club = timed();
    let old = club.last_to("Ann").expect("a letter").clone();
    process::answered(process::moderate(
        &club.context(),
        1,
        &postrider::club::Intervention::Pause,
        "a break",
    ))
    .expect("it works")
    .ok();
    club.now += TimeDelta::days(6);
    club.pass();
    club.arrives(report(&old, &address("Ann"), "failed", "5.1.1"));
    let (done, _) = club.pass();
    assert_eq!((done.quarantined, done.bounced.len()), (1, 0));
    assert_eq!(club.member("Ann").undeliverable(), None);
    // A letter that was written and never posted cannot come back either.
    let bytes = old.raw().replace("g1.s1.r1.", "g1.s1.r9.");
    let made_up = rig::Posted { bytes: bytes.into_bytes(), ..old };
    club.arrives(report(&made_up, &address("Ann"), "failed", "5.1.2"));
    assert_eq!(club.pass().0.quarantined, 1);
}

#[test]
fn what_is_known_of_a_member_survives_a_restore() {
    let mut club = Club::paris("");
    loses(&mut club, "Bob");
    let before = club.member("Bob");
    let again = Club::new();
    let restored =
        process::restore(&again.context(), &club.folder().join("journal")).expect("it is whole");
    assert_eq!(restored.members, 3);
    assert_eq!(again.member("Bob"), before);
}

/// Game 2 is being formed by Ann and Bob; Cid's letter that fills it has just come, and a report
/// is at hand that a probe to Ann came back.
fn filling() -> (Club, String) {
    let mut club = Club::paris("clock: {deadline: 3 days, nmr: forfeit}\n");
    let back = report(club.last_to("Ann").expect("one"), &address("Ann"), "failed", "5.1.1");
    club.writes("Ann", "new paris-connection seats 3 seat 2");
    club.pass();
    club.writes("Bob", "join 2");
    club.arrives(back);
    let (_, letters) = club.pass();
    let back = report(rig::probe(&letters), &address("Ann"), "failed", "5.1.1");
    (club, back)
}

#[test]
fn a_game_that_begins_in_the_same_pass_knows_who_is_lost() {
    let (mut club, back) = filling();
    club.writes("Cid", "join 2");
    club.arrives(back);
    let (_, letters) = club.pass();
    assert!(club.member("Ann").undeliverable().is_some());
    let clock = club.context().store.clock(2).expect("it reads").expect("a clock");
    let lost = clock.waits.iter().all(|wait| wait.seat == Seat::new(2) && wait.lost.is_some());
    assert!(lost && !clock.waits.is_empty(), "{:?}", clock.waits);
    assert!(letters.iter().any(|letter| letter.to == address("Bob")));
    // What was written before the report was read does not say it; the next letter does.
    club.writes("Bob", "status");
    let (_, letters) = club.pass();
    let told =
        letters.iter().any(|letter| letter.says("Letters to Ann come back, so that no time"));
    assert!(told, "nobody would know for what the game waits: {}", letters[0].text());
}

#[test]
fn who_writes_again_hears_of_a_game_that_began_without_him_in_the_same_pass() {
    let (mut club, back) = filling();
    club.arrives(back);
    club.pass();
    club.writes("Cid", "join 2");
    club.writes("Ann", "status");
    let (_, letters) = club.pass();
    let mut own = letters.iter().filter(|letter| letter.to == address("Ann"));
    let of_it = own.any(|l| l.header("Subject").is_some_and(|s| s.starts_with("[Paris 2] ")));
    assert!(of_it, "{letters:?}");
    let clock = club.context().store.clock(2).expect("it reads").expect("a clock");
    let [wait] = &clock.waits[..] else { panic!("{:?}", clock.waits) };
    assert_eq!(wait.lost, None);
}

#[test]
fn report_of_a_lost_seats_letter_is_evidence_too() {
    let mut club = Club::paris("");
    let back = report(club.last_to("Ann").expect("one"), &address("Ann"), "failed", "5.1.1");
    club.writes("Ann", "resign yes");
    club.pass();
    club.arrives(back);
    let (_, letters) = club.pass();
    club.arrives(report(rig::probe(&letters), &address("Ann"), "failed", "5.1.1"));
    let (done, letters) = club.pass();
    assert_eq!(done.bounced.len(), 1);
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, ["mod@example.org"], "the players hear nothing");
    assert!(!letters[0].says("plays in 1"), "{}", letters[0].text());
}
