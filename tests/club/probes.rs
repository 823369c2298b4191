//! The evidence that letters do not reach a member, and the probes that test it. Evidence comes
//! from forged and real bounce reports, and from refusals in the club's own SMTP session.

use crate::rig::{self, Club, PostedLetter, address, compose_bounce_report};
use chrono::TimeDelta;
use postrider::club::ReachabilityStatus;
use postrider::mail::transport::PostError;
use postrider::process::{self, MemberChange};
use postrider::rules::Seat;
use postrider::testing::sample_or_all;
use std::fs;
use std::path::Path;

const TIMED_SETTINGS: &str =
    "clock: {deadline: 2 days, nmr: forfeit, vacation_days_per_year: 10}\n";

fn probes_to<'a>(letters: &'a [PostedLetter], name: &str) -> Vec<&'a PostedLetter> {
    let to = address(name);
    letters.iter().filter(|one| one.message_id.starts_with("p.") && one.to == to).collect()
}

/// Runs passes every six hours for this number of days, and returns their letters.
fn run_passes_for_days(club: &mut Club, days: i64) -> Vec<PostedLetter> {
    let (from, until) = (club.transport.posted.len(), club.now + TimeDelta::days(days));
    while club.now < until {
        club.run_pass();
        club.now += TimeDelta::hours(5);
    }
    club.transport.posted[from..].to_vec()
}

/// Returns ten forged reports that a letter to Bob bounced, each with the number of probes that it
/// causes. The attacker has read one letter to Bob and everything public, and can write under any
/// name.
fn forged_reports(bob: &PostedLetter, ann: &PostedLetter) -> Vec<(&'static str, String, usize)> {
    let plain = |head: &str, body: &str| format!("{head}To: games@example.org\r\n\r\n{body}\r\n");
    let genuine = compose_bounce_report(bob, "bob@example.org", "failed", "5.1.1");
    let id = &bob.message_id;
    let reply_address = bob.header("Reply-To").expect("a reply address");
    let bounce = "From: MAILER-DAEMON@mx.example.net\r\nSubject: Undelivered Mail\r\n";
    let no_id = |text: &str| text.replace(id, "x@example.net");
    vec![
        ("a report of the letter that was passed on", genuine.clone(), 1),
        (
            "plain text with a bounce's subject and the Message-ID",
            plain(bounce, &format!("bob@example.org: 550 no such user\r\n<{id}>")),
            1,
        ),
        (
            "in Bob's name, with a bounce's subject",
            plain(
                "From: bob@example.org\r\nSubject: Undelivered Mail\r\n",
                &format!("<bob@example.org>: user unknown\r\nMessage-ID: <{id}>"),
            ),
            0,
        ),
        (
            "in answer to the letter",
            plain(&format!("{bounce}In-Reply-To: <{id}>\r\n"), "<bob@example.org>: host unknown"),
            1,
        ),
        (
            "the reply token alone",
            plain(bounce, &format!("bob@example.org: 550 no such user\r\n{reply_address}")),
            0,
        ),
        ("the whole letter without its Message-ID", no_id(&genuine), 0),
        ("a Message-ID that is guessed", genuine.replace(id, &id.replace("s2.r1", "s2.r2")), 0),
        (
            "the Message-ID of Ann's letter",
            compose_bounce_report(ann, "bob@example.org", "failed", "5.1.1"),
            0,
        ),
        (
            "of an address that is not Bob's",
            compose_bounce_report(bob, "eve@example.net", "failed", "5.1.1"),
            0,
        ),
        ("a Message-ID like a probe's", genuine.replace(id, "p.2.1767639600@example.org"), 0),
    ]
}

#[test]
fn forged_report_causes_at_most_one_probe() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    let letter = |name: &str| club.last_letter_to(name).expect("a letter").clone();
    let forgeries = forged_reports(&letter("Bob"), &letter("Ann"));
    assert_eq!(forgeries.len(), 10);
    drop(club);
    for (what, forged, probe_count) in forgeries {
        club = Club::with_paris_game(TIMED_SETTINGS);
        // The attacker sends the report six times, each time with another Message-ID.
        let mut found = Vec::new();
        for n in 0..6 {
            let another = forged.replace("<failed-", &format!("<n{n}-"));
            let id = format!("Message-ID: <n{n}@evil.example>\r\n");
            club.deliver(if another == forged { id + &forged } else { another });
            let (report, letters) = club.run_pass();
            assert_eq!(report.bounced.len() + report.quarantined, 1, "{what}: {report:?}");
            found.extend(letters);
        }
        assert_eq!(probes_to(&found, "Bob").len(), probe_count, "{what}");
        let of_others = found.iter().filter(|letter| !letter.message_id.starts_with("p."));
        assert!(of_others.clone().all(|letter| letter.to == "mod@example.org"), "{what}");
        let bob = club.member("Bob");
        assert_eq!(bob.undeliverable_since(), None, "{what}");
        // E-mails to Bob continue, and the evidence expires after five days.
        club.send_reply("Ann", "build red G23");
        assert!(club.run_pass().1.iter().any(|letter| letter.to == address("Bob")), "{what}");
        // A sample waits for that only if there is evidence.
        if sample_or_all(probe_count > 0, true) {
            run_passes_for_days(&mut club, 6);
        }
        assert_eq!(club.member("Bob").reachability.status, ReachabilityStatus::Reached, "{what}");
    }
}

#[test]
fn member_gets_at_most_one_probe_daily() {
    let mut club = Club::with_paris_game("");
    let letter = club.last_letter_to("Bob").expect("a letter").clone();
    let mut sent = Vec::new();
    for n in 0..48 {
        let forged = compose_bounce_report(&letter, "bob@example.org", "failed", "5.1.1");
        club.deliver(forged.replace("<failed", &format!("<n{n}")));
        // A letter from Bob voids the evidence, but allows no further probe that day.
        if n % 5 == 3 {
            club.send_reply("Bob", "status");
        }
        sent.extend(club.run_pass().1);
    }
    let sent = probes_to(&sent, "Bob");
    assert_eq!(sent.len(), 2, "in two days");
    assert_eq!(club.member("Bob").undeliverable_since(), None);
}

#[test]
fn probe_is_short_friendly_and_immediate() {
    for (settings, language) in
        [("letters turns\nletters digest 18:00", "en"), ("language es", "es")]
    {
        let mut club = Club::with_paris_game("clock: {deadline: 3 days}\n");
        club.send_reply("Bob", settings);
        club.run_pass();
        let letter = club.last_letter_to("Bob").expect("a letter").clone();
        club.deliver(compose_bounce_report(&letter, "bob@example.org", "failed", "5.1.1"));
        let (_, letters) = club.run_pass();
        let [probe] = probes_to(&letters, "Bob")[..] else { panic!("{letters:?}") };
        let says = match language {
            "en" => "there's nothing to do",
            _ => "no tienes que hacer nada",
        };
        assert!(probe.contains(says), "{}", probe.body_text());
        assert!(probe.raw().contains("text/html") && probe.body_text().lines().count() < 20);
        assert!(!probe.contains("THE BOARD"));
    }
}

#[test]
fn reply_to_probe_voids_bounce_evidence() {
    let away = |probe: &PostedLetter, head: &str| {
        format!(
            "Return-Path: <>\r\nFrom: bob@example.org\r\nSubject: away\r\n\
             Auto-Submitted: auto-replied\r\n{head}\r\n\r\nI am away until {}.\r\n",
            probe.message_id.len()
        )
    };
    let by_id = |probe: &PostedLetter| {
        away(probe, &format!("To: games@example.org\r\nIn-Reply-To: <{}>", probe.message_id))
    };
    let by_token = |probe: &PostedLetter| {
        away(probe, &format!("To: {}", probe.header("Reply-To").expect("a reply address")))
    };
    let of_others = |probe: &PostedLetter| by_id(probe).replace("From: bob@", "From: eve@");
    let by_nothing = |probe: &PostedLetter| away(probe, "To: games@example.org");
    type ComposeReply<'a> = &'a dyn Fn(&PostedLetter) -> String;
    let replies: [(&str, ComposeReply<'_>, bool); 4] = [
        ("answers the probe", &by_id, true),
        ("goes to its reply address", &by_token, true),
        ("comes from elsewhere", &of_others, false),
        ("answers nothing", &by_nothing, false),
    ];
    for (name, reply, is_void) in replies {
        for has_bounced in [false, true] {
            let mut club = Club::with_paris_game("");
            let letter = club.last_letter_to("Bob").expect("a letter").clone();
            club.deliver(compose_bounce_report(&letter, "bob@example.org", "failed", "5.1.1"));
            let (_, letters) = club.run_pass();
            let probe = rig::find_probe(&letters).clone();
            if has_bounced {
                club.deliver(compose_bounce_report(&probe, "bob@example.org", "failed", "5.1.1"));
                club.run_pass();
            }
            club.deliver(reply(&probe));
            let (_, letters) = club.run_pass();
            let status = club.member("Bob").reachability.status;
            assert_eq!(
                status == ReachabilityStatus::Reached,
                is_void,
                "{name}, {has_bounced}: {status:?}"
            );
            let missed = letters.iter().any(|letter| letter.to == address("Bob"));
            assert_eq!(missed, is_void && has_bounced, "{name}, {has_bounced}");
            club.deliver(compose_bounce_report(&probe, "bob@example.org", "failed", "5.1.2"));
            club.run_pass();
            let is_lost = club.member("Bob").undeliverable_since().is_some();
            assert_eq!(is_lost, !is_void, "{name}: a late report of that probe is evidence again");
        }
    }
}

/// Returns the name and text of each report of a lost letter, and whether the bounce is hard.
fn load_real_reports() -> Vec<(String, String, bool)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bounces");
    let mut reports = Vec::new();
    for entry in fs::read_dir(folder).expect("reports") {
        let path = entry.expect("an entry").path();
        let expected = fs::read_to_string(path.with_extension("txt")).expect("what it says");
        let is_about_bob = expected.contains("bob@example.net");
        let gives_back = expected.contains("letter: ") && !expected.contains("delayed");
        if path.extension().is_some_and(|found| found == "eml") && gives_back && is_about_bob {
            let text = fs::read_to_string(&path).expect("a report").replace("\r\n", "\n");
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            reports.push((name, text.replace('\n', "\r\n"), expected.contains("hard,")));
        }
    }
    reports.sort();
    reports
}

#[test]
fn real_bounce_reports_make_member_undeliverable() {
    let reports = load_real_reports();
    assert!(reports.len() >= 26, "{}", reports.len());
    // `tests/parts/bounces.rs` reads every report too, so a sample of each kind is enough here.
    let (hard, soft): (Vec<_>, Vec<_>) = reports.into_iter().partition(|(.., is_hard)| *is_hard);
    let sample = |reports: Vec<_>| reports.into_iter().step_by(sample_or_all(5, 1));
    assert!(!hard.is_empty() && !soft.is_empty());
    for (name, text, is_hard) in sample(hard).chain(sample(soft)) {
        let mut club = Club::with_settings(TIMED_SETTINGS);
        let people = [("Bob", "bob@example.net"), ("Ann", "Ann"), ("Cid", "Cid")];
        club.start_game_for("paris-connection", &people, 7);
        club.run_pass();
        let of = |letter: &PostedLetter, n: usize| {
            text.replace("g12.s2.r37@example.org", &letter.message_id)
                .replace("<r1@mx.example.net>", &format!("<r{n}.{}@mx.example.net>", letter.to))
        };
        let letter = club.last_letter_to("bob@example.net").expect("a letter").clone();
        let mut letters = Vec::new();
        for n in 0..if is_hard { 1 } else { 5 } {
            assert!(letters.is_empty(), "{name}: {letters:?}");
            club.deliver(of(&letter, n));
            let (done, posted) = club.run_pass();
            assert_eq!(done.bounced.len(), 1, "{name}");
            letters = posted;
        }
        let evidence = club.now - TimeDelta::hours(1);
        let probe = rig::find_probe(&letters).clone();
        club.deliver(of(&probe, 9));
        club.run_pass();
        let bob = process::find_member(&club.open_context(), "bob@example.net").expect("it reads");
        let bob = bob.expect("a member");
        assert_eq!(bob.undeliverable_since(), Some(evidence), "{name}: dated back");
        let unreachable_since = |club: &Club| {
            let clock = club.open_context().store.clock(1).expect("it reads").expect("a clock");
            clock.wait_of_seat(Seat::new(1)).and_then(|wait| wait.unreachable_since)
        };
        assert_eq!(unreachable_since(&club), Some(evidence), "{name}");
        // The seat's clock stands still at least until a second probe has bounced.
        let letters = run_passes_for_days(&mut club, 2);
        let again = rig::find_probe(&letters).clone();
        club.deliver(of(&again, 10));
        club.run_pass();
        assert!(matches!(
            process::find_member(&club.open_context(), "bob@example.net")
                .unwrap()
                .unwrap()
                .reachability
                .status,
            ReachabilityStatus::Undeliverable { returns: 2, .. }
        ));
        assert_eq!(unreachable_since(&club), Some(evidence), "{name}: the ten days are not over");
    }
}

#[test]
fn probes_leave_after_1_3_7_14_days() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    rig::make_undeliverable(&mut club, "Ann");
    let began = club.member("Ann").undeliverable_since().expect("the evidence");
    let mut sent = Vec::new();
    while club.now - began < TimeDelta::days(40) {
        let (_, letters) = club.run_pass();
        for probe in probes_to(&letters, "Ann") {
            sent.push((club.now - began).num_days());
            club.deliver(compose_bounce_report(probe, "ann@example.org", "failed", "5.1.1"));
        }
        club.now += TimeDelta::hours(sample_or_all(7, 2));
    }
    assert_eq!(sent, [1, 3, 7, 14]);
    assert!(club.member("Ann").undeliverable_since().is_some());
}

#[test]
fn member_recovers_if_second_probe_does_not_bounce() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    rig::make_undeliverable(&mut club, "Ann");
    let began = club.now;
    let mut absent = 0;
    let mut news = None;
    while news.is_none() {
        let (report, letters) = club.run_pass();
        absent += report.absent_turns;
        news = letters
            .iter()
            .find(|one| one.to == address("Ann") && one.contains("THE BOARD"))
            .cloned();
        if news.is_some() {
            let note = rig::first_letter_to(&letters, "Mod");
            assert!(note.contains("didn't bounce"), "{}", note.body_text());
        }
        assert!(club.now - began < TimeDelta::days(9), "Ann never gets the news");
        club.now += TimeDelta::hours(5);
    }
    assert_eq!(absent, 0, "no time ran before");
    assert_eq!(club.member("Ann").reachability.status, ReachabilityStatus::Reached);
    let clock = club.open_context().store.clock(1).expect("it reads").expect("a clock");
    let wait = clock.wait_of_seat(Seat::new(1)).expect("it waits for her");
    assert!(
        wait.unreachable_since.is_none() && wait.deadline - club.now >= TimeDelta::hours(18),
        "{wait:?}"
    );
}

#[test]
fn moderator_marks_member_as_reachable() {
    let mut club = Club::with_paris_game("");
    rig::make_undeliverable(&mut club, "Bob");
    club.send_reply("Ann", "build red G23, Troyes");
    club.run_pass();
    let run = |arguments: &[&str]| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_postrider"));
        command.arg("-C").arg(club.folder()).arg("member").args(arguments);
        let output = command.args(["--now", &club.now.to_rfc3339()]).output().expect("it runs");
        String::from_utf8(output.stdout).expect("it is text")
    };
    assert!(run(&["list"]).contains("undeliverable since"));
    let said = run(&["--dry-run", "reachable", "bob@example.org"]);
    assert!(said.contains("Nothing is changed") && !said.contains("bounce"), "{said}");
    assert!(club.member("Bob").undeliverable_since().is_some());
    assert!(!run(&["reachable", "bob@example.org"]).contains("bounce"));
    let (_, letters) = club.run_pass();
    let bob = rig::first_letter_to(&letters, "Bob");
    assert!(bob.contains("Ann builds red on G23 and G25 Troyes"), "{}", bob.body_text());
    assert!(process::change_member(&club.open_context(), "9", &MemberChange::Reachable).is_err());
}

fn no_such_user_error() -> PostError {
    PostError::RecipientRefused("RCPT TO: 550 5.1.1 no such user".to_owned())
}

fn refuse_letters_to(club: &mut Club, names: &[&str]) {
    let refused = names.iter().map(|name| (address(name), no_such_user_error()));
    club.transport.errors_by_address = refused.collect();
}

#[test]
fn refusals_20_hours_apart_make_members_undeliverable() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    refuse_letters_to(&mut club, &["Bob"]);
    club.send_reply("Ann", "build red G23, Troyes");
    let (report, letters) = club.run_pass();
    let refused = club.now - TimeDelta::hours(1);
    assert_eq!(report.queued_letters, 1, "the letter is retried");
    assert!(
        rig::first_letter_to(&letters, "Mod").contains("permanently refuse e-mails to one member")
    );
    let mut notes = Vec::new();
    while club.member("Bob").undeliverable_since().is_none() {
        notes.extend(club.run_pass().1);
        let hours = (club.now - refused).num_hours();
        assert!(hours < 30, "{hours}");
    }
    let hours = (club.now - refused).num_hours();
    assert!((21..27).contains(&hours), "{hours}");
    let [note] = &notes[..] else { panic!("{notes:?}") };
    assert!(
        note.contains("no such user") && note.contains("E-mails to Bob"),
        "{}",
        note.body_text()
    );
    assert_eq!(club.member("Bob").undeliverable_since(), Some(refused), "dated back");
    // A refused probe confirms the status. The refused news is sent when Bob returns.
    let letters = run_passes_for_days(&mut club, 3);
    assert!(matches!(
        club.member("Bob").reachability.status,
        ReachabilityStatus::Undeliverable { returns: 2.., .. }
    ));
    assert!(probes_to(&letters, "Bob").is_empty());
    club.transport.errors_by_address.clear();
    club.send_reply("Bob", "status");
    let (_, letters) = club.run_pass();
    assert!(letters.iter().any(|one| one.to == address("Bob") && one.contains("Ann builds red")));
}

#[test]
fn one_hour_of_mass_refusals_affects_no_member() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    refuse_letters_to(&mut club, &["Ann", "Bob", "Cid"]);
    club.send_reply("Ann", "build red G23, Troyes");
    let (_, letters) = club.run_pass();
    let [note] = &letters[..] else { panic!("{letters:?}") };
    assert!(note.contains("probably your own mail server"), "{}", note.body_text());
    club.transport.errors_by_address.clear();
    let letters = run_passes_for_days(&mut club, 1);
    for name in ["Ann", "Bob", "Cid"] {
        assert_eq!(club.member(name).reachability.status, ReachabilityStatus::Reached, "{name}");
        assert!(letters.iter().any(|one| one.to == address(name)), "{name}: only later");
    }
    assert!(letters.iter().all(|one| one.to != "mod@example.org" || one.contains("stopped the")));
}

#[test]
fn one_day_of_mass_refusals_affects_no_member() {
    for by_report in [false, true] {
        let mut club = Club::with_paris_game(TIMED_SETTINGS);
        let names = ["Ann", "Bob", "Cid"];
        if !by_report {
            refuse_letters_to(&mut club, &names);
        }
        club.send_reply("Ann", "build red G23, Troyes");
        let (from, until) = (club.transport.posted.len(), club.now + TimeDelta::hours(30));
        let mut absent = 0;
        while club.now < until {
            let (report, letters) = club.run_pass();
            absent += report.absent_turns;
            let bounced = letters.iter().filter(|one| by_report && one.to != "mod@example.org");
            bounced.for_each(|one| {
                club.deliver(rig::compose_bounce_report(one, &one.to, "failed", "5.1.1"));
            });
        }
        let notes = club.transport.posted[from..].iter().filter(|one| one.to == "mod@example.org");
        let notes: Vec<_> = notes.collect();
        assert!((1..=3).contains(&notes.len()), "{by_report}: {notes:?}");
        for name in names {
            assert_eq!(club.member(name).undeliverable_since(), None, "{by_report}, {name}");
        }
        assert_eq!(absent, 0, "{by_report}");
        club.transport.errors_by_address.clear();
        run_passes_for_days(&mut club, 7);
        for name in names {
            assert_eq!(
                club.member(name).reachability.status,
                ReachabilityStatus::Reached,
                "{by_report}, {name}"
            );
        }
    }
}

#[test]
fn mass_refusal_delays_undeliverable_status_four_days() {
    let mut club = Club::with_paris_game("");
    refuse_letters_to(&mut club, &["Bob", "Cid"]);
    club.send_reply("Ann", "build red G23, Troyes");
    run_passes_for_days(&mut club, 2);
    assert_eq!(club.member("Bob").undeliverable_since(), None);
    run_passes_for_days(&mut club, 4);
    for name in ["Bob", "Cid"] {
        assert!(club.member(name).undeliverable_since().is_some(), "{name}");
    }
}

#[test]
fn accepted_letter_clears_earlier_refusal() {
    let mut club = Club::with_paris_game("");
    refuse_letters_to(&mut club, &["Bob"]);
    club.send_reply("Ann", "build red G23, Troyes");
    club.run_pass();
    assert_ne!(club.member("Bob").reachability.status, ReachabilityStatus::Reached);
    club.transport.errors_by_address.clear();
    run_passes_for_days(&mut club, 1);
    assert_eq!(club.member("Bob").reachability.status, ReachabilityStatus::Reached);
}

#[test]
fn refused_probe_makes_member_undeliverable() {
    let mut club = Club::with_paris_game(TIMED_SETTINGS);
    let letter = club.last_letter_to("Bob").expect("a letter").clone();
    club.deliver(compose_bounce_report(&letter, "bob@example.org", "failed", "5.1.1"));
    refuse_letters_to(&mut club, &["Bob"]);
    let (report, letters) = club.run_pass();
    assert!(club.member("Bob").undeliverable_since().is_some());
    assert_eq!((report.queued_letters, letters.len()), (0, 1));
    assert!(letters[0].contains("E-mails to Bob"), "{}", letters[0].body_text());
}
