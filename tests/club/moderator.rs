//! The moderator: a week of letters as they are written down, and what must hold whatever he
//! writes.
//!
//! `tests/moderators-week.txt` is the week: all letters to and from the moderator, with a word in
//! brackets on what else happens. With UPDATE_MODERATORS_WEEK=1 it is written anew, to be looked at
//! as a change.

use crate::common::sample_or_all;
use crate::rig::moderator::{MOD, mod_asks, mod_is_known, mod_writes, paris};
use crate::rig::{self, Club, Posted, address};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::club::{ActivityEntry, Happening};
use postrider::mail::transport::PostError;
use postrider::process;
use postrider::rules::{Seat, Turn};
use postrider::store::Batch;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A week, told by the letters to and from the moderator.
struct Week {
    club: Club,
    story: String,
}

impl Week {
    fn new() -> Self {
        let mut club =
            Club::with("digest: 06:00\nclock: {deadline: 2 days, reminders: [], nmr: wait}\n");
        let path = club.folder().join("club.yaml");
        let text = fs::read_to_string(&path).expect("club.yaml");
        let text = text.replace("mod@example.org}", "mod@example.org, zone: Europe/Berlin}");
        fs::write(&path, text).expect("club.yaml");
        [7, 2, 3].into_iter().for_each(|seed| {
            paris(&mut club, seed);
        });
        let mut week = Self { club, story: String::new() };
        week.pass();
        week
    }

    fn when(&self) -> String {
        let zone: chrono_tz::Tz = "Europe/Berlin".parse().expect("a zone");
        self.club.now.with_timezone(&zone).format("%a %-d %b, %H:%M").to_string()
    }

    fn aside(&mut self, what: &str) {
        let _ = writeln!(self.story, "[{}: {what}]\n", self.when());
    }

    fn pass(&mut self) {
        let when = self.when();
        for letter in self.club.pass().1.iter().filter(|letter| letter.to == MOD) {
            let subject = letter.header("Subject").unwrap_or_default();
            let _ = writeln!(self.story, "{when}, to Mod: {subject}\n");
            let text = letter.text();
            let lines = text.lines().skip_while(|line| line.starts_with("===") || line.is_empty());
            for line in lines.collect::<Vec<_>>().join("\n").trim_end().lines() {
                let _ = writeln!(self.story, "{}", format!("    {line}").trim_end());
            }
            self.story.push('\n');
        }
    }

    /// Passes every third hour up to a time of the club's.
    fn until(&mut self, time: &str) {
        let time: DateTime<Utc> = format!("2026-01-{time}:00Z").parse().expect("a time");
        while self.club.now < time {
            self.pass();
            self.club.now += TimeDelta::hours(2);
        }
    }

    fn mod_writes(&mut self, body: &str) {
        let _ = writeln!(self.story, "{}, Mod writes:\n", self.when());
        for line in body.lines() {
            let _ = writeln!(self.story, "    > {line}");
        }
        self.story.push('\n');
        mod_writes(&mut self.club, body);
        self.pass();
    }

    /// The name of the player whom a game waits for.
    fn awaited(&self, game: u32) -> String {
        let session = process::open_game(&self.club.context(), game).expect("the game");
        let Turn::Awaiting(seats) = session.table.turn() else { panic!("it is over") };
        session.names[seats[0].index()].clone()
    }

    /// A player orders in a game; from an address that is not his, if it is said so.
    fn orders(&mut self, game: u32, at: Option<&str>, body: &str) {
        let name = self.awaited(game);
        let list = format!("g{game}.");
        let mut letters = self.club.pigeon.posted.iter().rev();
        let of_game = |letter: &&Posted| {
            let id = letter.header("List-Id").unwrap_or_default();
            letter.to == address(&name) && id.contains(&list)
        };
        let letter = letters.find(of_game).expect("a letter of the game").clone();
        let mut reply = self.club.reply_to(&name, &letter, body);
        if let Some(elsewhere) = at {
            reply = reply.replace(&address(&name), elsewhere);
        }
        self.club.arrives(reply);
        let from = at.map_or_else(String::new, |at| format!(" from {at}"));
        self.aside(&format!("{name} writes to game {game}{from}: {body}"));
        self.pass();
    }

    fn bounce(&mut self, name: &str) {
        let lost = self.club.last_to(name).expect("a letter").clone();
        self.aside(&format!("a mail server reports that {name} cannot be reached"));
        self.club.arrives(rig::report(&lost, &address(name), "failed", "5.1.1"));
        self.pass();
        let probe = self.club.last_to(name).expect("a probe").clone();
        self.aside(&format!("the test letter to {name} comes back too"));
        self.club.arrives(rig::report(&probe, &address(name), "failed", "5.1.1"));
        self.pass();
    }
}

#[test]
fn a_moderators_week_goes_as_it_is_written_down() {
    let mut week = Week::new();
    week.aside("the moderator writes from his address, without answering anything: list");
    week.club.arrives(format!("From: Mod <{MOD}>\r\nTo: games@example.org\r\n\r\nlist\r\n"));
    week.pass();
    week.mod_writes("list");

    week.orders(1, Some("ann@work.example"), "build red G23, Troyes");
    week.until("06T12:00");
    week.mod_writes("letters show 000003\nlog 1");
    week.mod_writes("preview\nletters accept 000003");
    week.mod_writes("letters accept 000003 because she told me on the phone\nlog 1");

    week.until("08T09:00");
    week.mod_writes("Preview\nextend 2 by 2 days because half of you have the flu");
    week.mod_writes(
        "Dear club,\nextend 2 by 2 days because half of you have the flu\n\
         set 2 nmr forfeit because nobody should wait for ever\nThanks\nMod",
    );
    week.bounce("Cid");

    week.until("09T09:00");
    week.mod_writes(
        "pause 3 because Cid has lost his mailbox\nnote 3 Cid's brother has his new address\n\
         announce 1 The fair is on Sunday; nothing is due that day.",
    );
    week.until("10T09:00");
    week.mod_writes(
        "rewind 1 to 1 because I had misread a rule\nend 2\n\
         resume 3 because his brother brings him the letters",
    );
    week.mod_writes(
        "rewind 1 to 1 because I had misread a rule\n\
         resume 3 because his brother brings him the letters",
    );
    week.mod_writes("end #2 because all three of you asked for it\nlog 3\nlist");
    week.until("12T09:00");

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/moderators-week.txt");
    let happened = format!("{}\n", week.story.trim_end());
    if std::env::var_os("UPDATE_MODERATORS_WEEK").is_some() {
        fs::write(&path, &happened).expect("written");
    }
    let written = fs::read_to_string(&path).expect("the week");
    for (line, (a, b)) in (1..).zip(written.lines().zip(happened.lines())) {
        assert_eq!(a, b, "{}:{line}", path.display());
    }
    assert_eq!(written.lines().count(), happened.lines().count());
}

#[test]
fn a_letter_of_the_moderators_is_all_or_nothing_and_a_preview_nothing() {
    let mut club = Club::with("clock: {deadline: 2 days, reminders: []}\n");
    let game = paris(&mut club, 7);
    club.pass();
    mod_is_known(&mut club);
    let before = club.context().store.clock(game).expect("works");
    let log = club.context().store.log(game).expect("works");
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
        mod_asks(&mut club, body);
        assert_eq!(club.context().store.clock(game).expect("works"), before, "{body}");
        assert_eq!(club.context().store.log(game).expect("works"), log, "{body}");
        assert!(club.context().store.minutes(game).expect("works").is_empty(), "{body}");
    }
    // The same letter twice is done once, and what is done is told to all with its reason.
    let last = club.last_to("Mod").expect("a letter").clone();
    let letter = club.reply_to("Mod", &last, "pause game 1 because we all travel");
    club.arrives(&letter);
    club.arrives(&letter);
    let (_, letters) = club.pass();
    let told = |name| letters.iter().filter(|letter| letter.to == address(name)).count();
    assert_eq!(["Ann", "Bob", "Cid", "Mod"].map(told), [1, 1, 1, 2]);
    assert!(club.last_to("Ann").expect("a letter").says("stopped the clock of this game: we all"));
    assert_eq!(club.context().store.minutes(game).expect("works").len(), 1);
    // Another rule of the clock does not let it run again.
    mod_asks(&mut club, "set 1 grace \"6 hours\" because we live far apart");
    let clock = club.context().store.clock(game).expect("works").expect("it has one");
    assert!(clock.paused.is_some() && clock.rules.grace.is_some());
    let log = mod_asks(&mut club, "log 1");
    assert!(log.says("set deadline 2 days, nmr wait, grace 6 hours (we live far apart)"));
}

#[test]
fn each_line_is_done_after_the_one_before() {
    let mut club = Club::with("clock: {deadline: 2 days, reminders: []}\n");
    let game = paris(&mut club, 7);
    club.pass();
    mod_is_known(&mut club);
    let due = |club: &Club| {
        let clock = club.context().store.clock(game).expect("works").expect("it has one");
        clock.waits.iter().map(|wait| (wait.seat.number(), wait.deadline)).collect::<Vec<_>>()
    };
    // In one pass Ann moves, and then Bob, who is asked now, gets more time.
    club.writes("Ann", "build red G23, Troyes");
    let now = club.now;
    mod_asks(&mut club, "extend 1 by 1 day because Bob is ill");
    assert_eq!(due(&club), [(2, now + TimeDelta::days(3))]);
    let now = club.now;
    let answer = mod_asks(&mut club, "rewind 1 to 1 because x\nextend 1 by 3 days because x");
    assert_eq!(due(&club), [(1, now + TimeDelta::days(5))]);
    assert!(answer.says("waits for Ann until Sat 10 Jan 2026 21:00 UTC"), "{}", answer.text());
    let now = club.now;
    mod_asks(&mut club, "force 1 seat 1 because x\nset 1 deadline 4 days because x");
    assert_eq!(due(&club), [(2, now + TimeDelta::days(4))]);
}

#[test]
fn nobody_else_is_the_moderator() {
    let mut club = Club::new();
    paris(&mut club, 7);
    club.pass();
    mod_is_known(&mut club);
    let last = club.last_to("Mod").expect("a letter").clone();
    let order = "end 1 because I am not the moderator";
    let forged = club.reply_to("Mod", &last, order).replace(MOD, &address("Ann"));
    let name = club.arrives(forged);
    let (report, letters) = club.pass();
    assert_eq!((report.quarantined, letters.len()), (1, 1));
    // Nor can it be let in by mistake.
    let answer = mod_asks(&mut club, &format!("letters accept {name} because why not"));
    assert!(answer.says("no valid mark of a seat"), "{}", answer.text());
    // A player's own letter is never a moderator's, whatever it says.
    club.writes("Bob", order);
    club.arrives(format!("From: Mod <{MOD}>\r\nTo: games@example.org\r\n\r\n{order}\r\n"));
    club.pass();
    let session = process::open_game(&club.context(), 1).expect("the game");
    assert_ne!(session.table.turn(), Turn::Over);
}

#[test]
fn an_announcement_comes_once_to_each_and_a_rotated_seat_to_nobody_else() {
    let mut club = Club::new();
    paris(&mut club, 7);
    paris(&mut club, 2);
    club.pass();
    mod_is_known(&mut club);
    let old = club.reply("Bob", "status");
    rig::loses(&mut club, "Cid");
    mod_writes(&mut club, "announce all: 3 new games begin on Monday");
    let (_, letters) = club.pass();
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, [address("Ann").as_str(), &address("Bob"), MOD]);
    assert!(letters[0].says("The moderator announces: 3 new games begin on Monday"));
    assert!(letters[2].says("To all 2 members who play"), "{}", letters[2].text());

    mod_writes(&mut club, "rotate 2 seat 2 because his letters were read by others\nlist");
    let (_, letters) = club.pass();
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    // What happened to a game goes before answers.
    assert_eq!(to, [address("Bob").as_str(), MOD]);
    assert!(letters[1].says("waits for") && letters[1].says("since Mon 5 Jan 2026"));
    assert!(letters[0].says("his letters were read by others"));
    club.arrives(old);
    assert!(club.pass().1[0].says("is not valid (any more)"));
    club.writes("Bob", "status");
    assert!(!club.pass().1[0].says("is not valid (any more)"));
    let said = mod_asks(&mut club, "force 1 seat 2 because he asked me to");
    assert!(said.says("The game does not wait for Bob, but for Ann."), "{}", said.text());
    mod_writes(&mut club, "force 1 seat 1 because she asked me to");
    let (_, letters) = club.pass();
    assert!(letters.iter().any(|letter| letter.to == address("Ann")
        && letter.says("the default order carried out for an absent player: she asked me to")));
    // Her time was not over, and nobody says so.
    assert!(letters.iter().any(|letter| letter.to == address("Ann")
        && letter.says("No orders of yours had come, so what the game has")));
}

#[test]
fn what_is_private_or_unproven_stays_so() {
    let mut club = Club::with(
        "admission: token+sender+dmarc\nauthserv_id: mx.example.org\nanswers_per_hour: 2\n",
    );
    paris(&mut club, 7);
    club.pass();
    mod_is_known(&mut club);
    let last = club.last_to("Mod").expect("a letter").clone();
    let letter = club.reply_to("Mod", &last, "log 1");
    club.arrives(&letter);
    assert_eq!(club.pass().0.quarantined, 1);
    let said = |to: Vec<Seat>, text: &str| {
        let (from, text) = (Seat::new(1), text.to_owned());
        let what = Happening::Said { from, to, anonymous: false, text, former: false };
        (1, ActivityEntry { at: club.now, what })
    };
    let minutes = vec![said(vec![Seat::new(2)], "let us join"), said(Vec::new(), "good luck")];
    let batch = Batch { minutes, ..Batch::default() };
    club.context().store.write(&batch).expect("works");
    let proof = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\r\n";
    let proven = |id: &str| format!("{proof}{}", letter.replace("Message-ID: <", id));
    club.arrives(proven("Message-ID: <2"));
    let (_, letters) = club.pass();
    let text = letters.last().expect("an answer").text();
    assert!(text.contains("Ann said to all: good luck") && !text.contains("join"), "{text}");
    // Too many letters in an hour are answered with a last word, and then no more.
    (3..7).for_each(|id| {
        club.arrives(proven(&format!("Message-ID: <{id}")));
    });
    let (_, letters) = club.pass();
    assert!(letters.last().expect("a last word").says("So many letters"));
    assert!(letters.len() < 4);
}

#[test]
fn a_morning_without_news_is_silent_and_letters_that_wait_are_news() {
    let mut club = Club::with("digest: 06:00\nclock: {deadline: 9 days, reminders: []}\n");
    paris(&mut club, 7);
    club.pass();
    let mut answered = 0;
    let step = sample_or_all(2, 1);
    for hour in (0..72).step_by(step) {
        club.now += TimeDelta::hours(sample_or_all(1, 0));
        if hour == 40 {
            club.writes("Ann", "status");
            club.pigeon.fails = Some(PostError::Later("try again".to_owned()));
        }
        if hour == 40 + step {
            club.pigeon.fails = None;
        }
        let (_, letters) = club.pass();
        assert!(letters.iter().all(|letter| letter.to == address("Ann")), "{hour}: {letters:?}");
        answered += letters.len();
    }
    assert_eq!(answered, 1, "the letter went with the next try");
    club.writes("Ann", "status");
    let later = PostError::Later("try again".to_owned());
    club.pigeon.fails_to.insert("ann@example.org".to_owned(), later);
    let letters: Vec<_> = (0..24).flat_map(|_| club.pass().1).collect();
    assert!(letters.iter().all(|letter| letter.to == MOD));
    // Nothing else was to be posted, so a letter to the moderator showed whether anything could be.
    assert!(letters[0].says("No letter but this one could be posted since"), "{letters:?}");
    let [_, digest] = &letters[..] else { panic!("{}", letters.len()) };
    assert!(digest.says("ann@example.org: one letter, tried"), "{}", digest.text());
}

#[test]
fn a_game_without_a_clock_is_late_after_a_week_and_its_end_is_told_once() {
    for reminders in ["reminder_days: 0", "reminder_days: 30"] {
        let mut club = Club::with(&format!("digest: 06:00\n{reminders}\n"));
        paris(&mut club, 7);
        paris(&mut club, 2);
        let mut told = Vec::new();
        for half_day in 0..24 {
            if half_day == 18 {
                let end = ["end 2 because nobody plays".to_owned()];
                process::directed(&club.context(), &end, false).expect("it runs");
            }
            club.now += TimeDelta::hours(11);
            let letters = club.pass().1;
            let digests = letters.iter().filter(|letter| letter.to == MOD);
            told.extend(digests.map(|letter| {
                let late = ["1", "2"]
                    .map(|game| letter.says(&format!("Game {game} (Paris Connection) waits for")));
                (late, letter.says("One game has ended since the last digest: Game 2"))
            }));
        }
        let both = ([true, true], false);
        let (end, one) = (([true, false], true), ([true, false], false));
        assert_eq!(told, [both, both, end, one, one], "{reminders}");
    }
}

#[test]
fn a_moderator_who_is_a_member_and_writes_prose_is_told_how_to_ask_as_the_moderator() {
    let mut club = Club::paris("");
    mod_is_known(&mut club);
    let last = club.last_to("Mod").expect("a letter to the moderator").clone();
    assert!(process::add_member(&club.context(), "Mod <mod@example.org>", true).is_ok());
    club.pass();
    for (body, said) in [
        ("Hello, please pause game 1", "begins with its word, such as \"pause 12 because ...\""),
        ("games", "One game is running"),
        ("zone Europe/Madrid", "Europe/Madrid"),
    ] {
        let letter = club.reply_to("Mod", &last, body);
        club.arrives(letter);
        let (_, letters) = club.pass();
        assert!(rig::to(&letters, "mod@example.org").says(said), "{}", letters[0].text());
    }
}

#[test]
fn the_moderator_invites_somebody_who_is_a_member_by_his_own_word() {
    let mut club = Club::paris("");
    mod_is_known(&mut club);
    let zoe = "zoe@example.net";
    let said = mod_asks(&mut club, "invite Zoe Miller <zoe@example.net>");
    assert!(said.says("asks Zoe Miller at zoe@example.net whether"), "{}", said.text());
    let asked = rig::to(&club.pigeon.posted, zoe).clone();
    assert!(asked.says("Mod invites you to become a member of The Postal Club"));
    assert!(asked.says("let the second line be \"name Zoe Miller\""), "{}", asked.text());
    assert!(asked.header("To").is_some_and(|to| to.contains("Zoe Miller")));
    let answer = |club: &mut Club, body: &str| {
        let letter = club.reply_to("Ann", &asked, body).replace(&address("Ann"), zoe);
        club.arrives(letter.replacen("From: Ann", "From: zm", 1));
        rig::to(&club.pass().1, zoe).clone()
    };
    assert!(answer(&mut club, "Yes, gladly!").says("was not \"yes\" alone"));
    assert!(answer(&mut club, "help").says("How it works"));
    assert!(answer(&mut club, "yes\nname Zoe Miller").says("Welcome to The Postal Club, Zoe Mill"));
    assert!(answer(&mut club, "yes").says("counts once"));
    // Whom he need not invite, and whom he cannot.
    for (line, why) in [
        ("invite Zoe <zoe@example.net>", "is member 4's: Zoe Miller"),
        ("invite Yan <games@example.org>", "the club's own address"),
        ("invite Bob <yan@example.net>", "Bob is, or is too like, the name of somebody else"),
        ("invite Yan", "Write it like this, on one line: invite Ann Miller <ann@example.org>"),
    ] {
        let refused = mod_asks(&mut club, line);
        assert!(refused.says(why), "{line}: {}", refused.text());
    }
    // Members cannot use up what is his; he himself is told when no more go.
    for name in ["Ann", "Bob"] {
        for n in 0..3 {
            club.writes(name, &format!("new paris-connection seats {} invite yan@x.org", 3 + n));
            club.pass();
            club.now -= TimeDelta::minutes(59);
        }
    }
    let sent: Vec<bool> = (0..4)
        .map(|_| {
            let said = mod_asks(&mut club, "invite yan@x.org");
            let refused = said.says("you have invited three times there within a day");
            assert_eq!(refused, !said.says("asks at yan@x.org whether"), "{}", said.text());
            let last = club.pigeon.posted.iter().rev().take(2);
            let sent = last.filter(|letter| letter.to == "yan@x.org").count() == 1;
            assert_eq!(sent, !refused);
            sent
        })
        .collect();
    assert_eq!(sent, [true, true, true, false]);
    // Where he is a member himself he invites to a game as one.
    assert!(mod_asks(&mut club, "invite 2 fay@example.net").says("nothing that a moderator can"));
    let tried = mod_asks(&mut club, "preview\ninvite fay@example.net");
    assert!(tried.says("nothing has been done"), "{}", tried.text());
    assert!(club.pigeon.posted.iter().all(|letter| letter.to != "fay@example.net"));
}
