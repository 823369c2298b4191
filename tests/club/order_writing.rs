//! The parsing of order letters as people write them, in every game.
//!
//! A line of `writing.txt` is `GAME | VERDICT | LETTER`. GAME may name the sender as their mail
//! program does (`paris as Lyon Ty`). VERDICT is `yes` if the letter is carried out, else `no`. A
//! text that the answer must contain may follow it (`no ~ Did you mean`), or one that it must not
//! contain (`yes !~ for talk`). In LETTER, `\n` separates lines.

use crate::memory::Memory;
use crate::open_club::OpenClub;
use crate::rig::Club;
use postrider::games::find_kind;
use postrider::process;
use postrider::rules::Seat;
use std::fs;
use std::path::Path;
use std::sync::Arc;

struct Case<'a> {
    line: usize,
    game: &'a str,
    from: Option<&'a str>,
    is_carried_out: bool,
    says: Option<&'a str>,
    says_not: Option<&'a str>,
    letter: String,
}

impl<'a> Case<'a> {
    fn parse(line: usize, text: &'a str) -> Self {
        let mut parts = text.splitn(3, " | ");
        let mut part = || parts.next().unwrap_or_else(|| panic!("writing.txt, line {line}"));
        let (game, verdict, letter) = (part(), part(), part());
        let (game, from) = match game.split_once(" as ") {
            Some((game, from)) => (game, Some(from)),
            None => (game, None),
        };
        let (verdict, says_not) = match verdict.split_once(" !~ ") {
            Some((verdict, not)) => (verdict, Some(not)),
            None => (verdict, None),
        };
        let (verdict, says) = match verdict.split_once(" ~ ") {
            Some((verdict, says)) => (verdict, Some(says)),
            None => (verdict, None),
        };
        let done = match verdict {
            "yes" => true,
            "no" => false,
            other => panic!("writing.txt, line {line}: {other}"),
        };
        Self {
            line,
            game,
            from,
            is_carried_out: done,
            says,
            says_not,
            letter: letter.replace("\\n", "\n"),
        }
    }

    /// Returns what is wrong with the club's reaction to the letter, or `None`.
    fn find_fault(&self, games: &mut [StartedGame]) -> Option<String> {
        let game = games.iter_mut().find(|started| started.game == self.game);
        let started = game.unwrap_or_else(|| panic!("writing.txt, line {}", self.line));
        let (name, before) = (started.awaited, started.head);
        let OpenClub { club, context } = started.reset();
        let letter = club.compose_reply(name, &self.letter);
        let letter = match self.from {
            Some(from) => letter.replace(&format!("From: {name} <"), &format!("From: {from} <")),
            None => letter,
        };
        club.deliver(letter);
        // The answer may quote any language, so this pass runs without the rig's check of ASCII.
        process::run_pass(context, &mut club.transport).expect("the pass works");
        let head =
            process::load_stored_game(context, 1).expect("it opens").table.last_record_number();
        let text = club.last_text_to(name);
        let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let fault = if (head > before) != self.is_carried_out {
            Some(if self.is_carried_out { "not carried out" } else { "carried out" })
        } else if self.says.is_some_and(|says| !plain.contains(says)) {
            Some("does not say so")
        } else if self.says_not.is_some_and(|not| plain.contains(not)) {
            Some("says so")
        } else {
            None
        };
        let excerpt: String = text.chars().take(700).collect();
        fault.map(|fault| format!("{}: {fault}: {:?}\n{excerpt}", self.line, self.letter))
    }
}

/// A club with one game, which is reset before each letter.
struct StartedGame {
    game: &'static str,
    open_club: OpenClub,
    /// The club's store, and its copy from before the first letter.
    memory: Arc<Memory>,
    snapshot: Memory,
    /// The number of letters that the club had posted before the first letter.
    posted_count: usize,
    awaited: &'static str,
    head: u32,
}

impl StartedGame {
    fn new(settings: &str, game: &'static str, (name, seats, seed): (&str, u8, u64)) -> Self {
        let memory = Arc::new(Memory::default());
        let mut club = Club::with_local_store(settings).with_memory_store(&memory);
        club.start_game(find_kind(name).expect("it ships"), seats, seed);
        club.run_pass();
        let posted = club.transport.posted.len();
        let open = OpenClub::new(club);
        let table = process::load_stored_game(&open.context, 1).expect("it opens").table;
        let mut names = ["Ann", "Bob", "Cid"].into_iter().zip(1..);
        let awaited = names.find(|(_, seat)| table.turn().awaits(Seat::new(*seat)));
        let awaited = awaited.expect("somebody is awaited").0;
        let first = memory.copy();
        Self {
            game,
            open_club: open,
            memory,
            snapshot: first,
            posted_count: posted,
            awaited,
            head: table.last_record_number(),
        }
    }

    /// Returns the club as it was before the first letter.
    fn reset(&mut self) -> &mut OpenClub {
        self.memory.set_to(&self.snapshot);
        self.open_club.club.transport.posted.truncate(self.posted_count);
        &mut self.open_club
    }
}

#[test]
fn plain_lines_are_carried_out_others_answered() {
    assert_cases("writing.txt", "", 150);
}

#[test]
fn member_may_write_in_own_language_or_english() {
    assert_cases("writing_es.txt", "language: es\n", 40);
}

fn assert_cases(file: &str, settings: &str, cases_min: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/club").join(file);
    let cases = fs::read_to_string(path).expect("the table is there");
    let lines = cases.lines().zip(1..);
    let cases: Vec<Case<'_>> = lines
        .filter(|(text, _)| !text.is_empty() && !text.starts_with('#'))
        .map(|(text, line)| Case::parse(line, text))
        .collect();
    assert!(cases.len() >= cases_min, "only {} letters", cases.len());
    let mut games = [
        StartedGame::new(settings, "paris", ("paris-connection", 3, 7)),
        StartedGame::new(settings, "tricks", ("trick-of-the-rails", 3, 2)),
        StartedGame::new(settings, "rails", ("off-the-rails", 2, 3)),
    ];
    let wrong = |case: &Case<'_>| Some((case.is_carried_out, case.find_fault(&mut games)?));
    let faults: Vec<(bool, String)> = cases.iter().filter_map(wrong).collect();
    let count = |done: bool| {
        let of = cases.iter().filter(|case| case.is_carried_out == done).count();
        let bad = faults.iter().filter(|(wants, _)| *wants == done).count();
        format!("{} of {of}", of - bad)
    };
    let descriptions: Vec<&str> = faults.iter().map(|(_, fault)| fault.as_str()).collect();
    assert!(
        faults.is_empty(),
        "done as they should: {}; answered as they should: {}\n{}",
        count(true),
        count(false),
        descriptions.join("\n----\n")
    );
}
