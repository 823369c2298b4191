//! One week of the moderator's letters, compared with a recorded transcript.
//!
//! `tests/moderators-week.txt` records all letters to and from the moderator, and other events in
//! brackets. UPDATE_MODERATORS_WEEK=1 rewrites the file; read the difference.

use crate::rig::moderator_letters::{MOD_ADDRESS, send_mod_reply, start_paris_game};
use crate::rig::{self, Club, PostedLetter, address};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::process;
use postrider::rules::Turn;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A week, as a transcript of the letters to and from the moderator.
struct RecordedWeek {
    club: Club,
    transcript: String,
}

impl RecordedWeek {
    fn new() -> Self {
        let mut club = Club::with_settings(
            "digest: 06:00\nclock: {deadline: 2 days, reminders: [], nmr: wait}\n",
        );
        let path = club.folder().join("club.yaml");
        let text = fs::read_to_string(&path).expect("club.yaml");
        let text = text.replace("mod@example.org}", "mod@example.org, zone: Europe/Berlin}");
        fs::write(&path, text).expect("club.yaml");
        [7, 2, 3].into_iter().for_each(|seed| {
            start_paris_game(&mut club, seed);
        });
        let mut week = Self { club, transcript: String::new() };
        week.run_pass();
        week
    }

    fn format_time(&self) -> String {
        let zone: chrono_tz::Tz = "Europe/Berlin".parse().expect("a zone");
        self.club.now.with_timezone(&zone).format("%a %-d %b, %H:%M").to_string()
    }

    fn note_event(&mut self, what: &str) {
        let _ = writeln!(self.transcript, "[{}: {what}]\n", self.format_time());
    }

    fn run_pass(&mut self) {
        let when = self.format_time();
        for letter in self.club.run_pass().1.iter().filter(|letter| letter.to == MOD_ADDRESS) {
            let subject = letter.header("Subject").unwrap_or_default();
            let _ = writeln!(self.transcript, "{when}, to Mod: {subject}\n");
            let text = letter.body_text();
            let lines = text.lines().skip_while(|line| line.starts_with("===") || line.is_empty());
            for line in lines.collect::<Vec<_>>().join("\n").trim_end().lines() {
                let _ = writeln!(self.transcript, "{}", format!("    {line}").trim_end());
            }
            self.transcript.push('\n');
        }
    }

    /// Runs a pass every three hours until this day and time of January 2026.
    fn run_until(&mut self, time: &str) {
        let time: DateTime<Utc> = format!("2026-01-{time}:00Z").parse().expect("a time");
        while self.club.now < time {
            self.run_pass();
            self.club.now += TimeDelta::hours(2);
        }
    }

    fn send_mod_letter(&mut self, body: &str) {
        let _ = writeln!(self.transcript, "{}, Mod writes:\n", self.format_time());
        for line in body.lines() {
            let _ = writeln!(self.transcript, "    > {line}");
        }
        self.transcript.push('\n');
        send_mod_reply(&mut self.club, body);
        self.run_pass();
    }

    fn awaited_player(&self, game: u32) -> String {
        let session = process::load_stored_game(&self.club.open_context(), game).expect("the game");
        let Turn::Awaiting(seats) = session.table.turn() else { panic!("it is over") };
        session.names[seats[0].index()].clone()
    }

    /// Delivers an order of the awaited player, from the address `at` if it is given.
    fn send_order(&mut self, game: u32, at: Option<&str>, body: &str) {
        let name = self.awaited_player(game);
        let list = format!("g{game}.");
        let mut letters = self.club.transport.posted.iter().rev();
        let of_game = |letter: &&PostedLetter| {
            let id = letter.header("List-Id").unwrap_or_default();
            letter.to == address(&name) && id.contains(&list)
        };
        let letter = letters.find(of_game).expect("a letter of the game").clone();
        let mut reply = self.club.compose_reply_to(&name, &letter, body);
        if let Some(elsewhere) = at {
            reply = reply.replace(&address(&name), elsewhere);
        }
        self.club.deliver(reply);
        let from = at.map_or_else(String::new, |at| format!(" from {at}"));
        self.note_event(&format!("{name} writes to game {game}{from}: {body}"));
        self.run_pass();
    }

    fn bounce_letters_to(&mut self, name: &str) {
        let lost = self.club.last_letter_to(name).expect("a letter").clone();
        self.note_event(&format!("a mail server reports that {name} cannot be reached"));
        self.club.deliver(rig::compose_bounce_report(&lost, &address(name), "failed", "5.1.1"));
        self.run_pass();
        let probe = self.club.last_letter_to(name).expect("a probe").clone();
        self.note_event(&format!("the test letter to {name} comes back too"));
        self.club.deliver(rig::compose_bounce_report(&probe, &address(name), "failed", "5.1.1"));
        self.run_pass();
    }
}

#[test]
fn moderators_week_matches_recorded_letters() {
    let mut week = RecordedWeek::new();
    week.note_event("the moderator writes from his address, without answering anything: list");
    week.club
        .deliver(format!("From: Mod <{MOD_ADDRESS}>\r\nTo: games@example.org\r\n\r\nlist\r\n"));
    week.run_pass();
    week.send_mod_letter("list");

    week.send_order(1, Some("ann@work.example"), "build red G23, Troyes");
    week.run_until("06T12:00");
    week.send_mod_letter("letters show 000003\nlog 1");
    week.send_mod_letter("preview\nletters accept 000003");
    week.send_mod_letter("letters accept 000003 because she told me on the phone\nlog 1");

    week.run_until("08T09:00");
    week.send_mod_letter("Preview\nextend 2 by 2 days because half of you have the flu");
    week.send_mod_letter(
        "Dear club,\nextend 2 by 2 days because half of you have the flu\n\
         set 2 nmr forfeit because nobody should wait for ever\nThanks\nMod",
    );
    week.bounce_letters_to("Cid");

    week.run_until("09T09:00");
    week.send_mod_letter(
        "pause 3 because Cid has lost his mailbox\nnote 3 Cid's brother has his new address\n\
         announce 1 The fair is on Sunday; nothing is due that day.",
    );
    week.run_until("10T09:00");
    week.send_mod_letter(
        "rewind 1 to 1 because I had misread a rule\nend 2\n\
         resume 3 because his brother brings him the letters",
    );
    week.send_mod_letter(
        "rewind 1 to 1 because I had misread a rule\n\
         resume 3 because his brother brings him the letters",
    );
    week.send_mod_letter("end #2 because all three of you asked for it\nlog 3\nlist");
    week.run_until("12T09:00");

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/moderators-week.txt");
    let happened = format!("{}\n", week.transcript.trim_end());
    if std::env::var_os("UPDATE_MODERATORS_WEEK").is_some() {
        fs::write(&path, &happened).expect("written");
    }
    let written = fs::read_to_string(&path).expect("the week");
    for (line, (a, b)) in (1..).zip(written.lines().zip(happened.lines())) {
        assert_eq!(a, b, "{}:{line}", path.display());
    }
    assert_eq!(written.lines().count(), happened.lines().count());
}
