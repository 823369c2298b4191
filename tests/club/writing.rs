//! How the lines of a letter become orders, in every game: a table of letters as people write them,
//! and what becomes of each.
//!
//! A line of `writing.txt` is `GAME | VERDICT | LETTER`: the game, perhaps with the sender's name
//! as his mail program writes it (`paris as Lyon Ty`), what becomes of the letter, perhaps with
//! words that the answer says (`no ~ Did you mean`) or does not (`yes !~ taken as`), and the
//! letter, with `\n` between its lines.

use crate::memory::Memory;
use crate::open_club::OpenClub;
use crate::rig::Club;
use postrider::games::kind;
use postrider::process;
use postrider::rules::Seat;
use std::sync::Arc;

const CASES: &str = include_str!("writing.txt");
const SPANISH: &str = include_str!("writing_es.txt");

struct Case<'a> {
    line: usize,
    game: &'a str,
    from: Option<&'a str>,
    done: bool,
    says: Option<&'a str>,
    says_not: Option<&'a str>,
    letter: String,
}

impl<'a> Case<'a> {
    fn read(line: usize, text: &'a str) -> Self {
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
        Self { line, game, from, done, says, says_not, letter: letter.replace("\\n", "\n") }
    }

    /// What is wrong with what became of the letter; nothing when all is as it should be.
    fn fault(&self, games: &mut [Begun]) -> Option<String> {
        let game = games.iter_mut().find(|begun| begun.game == self.game);
        let begun = game.unwrap_or_else(|| panic!("writing.txt, line {}", self.line));
        let (name, before) = (begun.awaited, begun.head);
        let OpenClub { club, context } = begun.again();
        let letter = club.reply(name, &self.letter);
        let letter = match self.from {
            Some(from) => letter.replace(&format!("From: {name} <"), &format!("From: {from} <")),
            None => letter,
        };
        club.arrives(letter);
        // What it quotes may be in any language.
        process::pass(context, &mut club.pigeon).expect("the pass works");
        let head = process::open_game(context, 1).expect("it opens").table.head();
        let text = club.last_text(name);
        let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let wrong = if (head > before) != self.done {
            Some(if self.done { "not carried out" } else { "carried out" })
        } else if self.says.is_some_and(|says| !plain.contains(says)) {
            Some("does not say so")
        } else if self.says_not.is_some_and(|not| plain.contains(not)) {
            Some("says so")
        } else {
            None
        };
        let told: String = text.chars().take(700).collect();
        wrong.map(|wrong| format!("{}: {wrong}: {:?}\n{told}", self.line, self.letter))
    }
}

/// A club with one game, as it is before each letter.
struct Begun {
    game: &'static str,
    open: OpenClub,
    /// The club's store, and a copy of it from before the first letter.
    memory: Arc<Memory>,
    first: Memory,
    /// The number of letters that the club had posted then.
    posted: usize,
    /// The player whose turn it is.
    awaited: &'static str,
    /// The number of records in the game's log.
    head: u32,
}

impl Begun {
    fn new(settings: &str, game: &'static str, (name, seats, seed): (&str, u8, u64)) -> Self {
        let memory = Arc::new(Memory::default());
        let mut club = Club::in_its_folder(settings).over(&memory);
        club.found(kind(name).expect("it ships"), seats, seed);
        club.pass();
        let posted = club.pigeon.posted.len();
        let open = OpenClub::new(club);
        let table = process::open_game(&open.context, 1).expect("it opens").table;
        let mut names = ["Ann", "Bob", "Cid"].into_iter().zip(1..);
        let awaited = names.find(|(_, seat)| table.turn().awaits(Seat::new(*seat)));
        let awaited = awaited.expect("somebody is awaited").0;
        let first = memory.copy();
        Self { game, open, memory, first, posted, awaited, head: table.head() }
    }

    /// The club as it was before the first letter.
    fn again(&mut self) -> &mut OpenClub {
        self.memory.set_to(&self.first);
        self.open.club.pigeon.posted.truncate(self.posted);
        &mut self.open
    }
}

#[test]
fn what_people_write_is_carried_out_where_it_is_plain_and_else_answered() {
    written_well(CASES, "", 150);
}

#[test]
fn a_member_writes_in_the_language_that_he_reads_and_in_english() {
    written_well(SPANISH, "language: es\n", 40);
}

fn written_well(cases: &str, settings: &str, cases_min: usize) {
    let lines = cases.lines().zip(1..);
    let cases: Vec<Case<'_>> = lines
        .filter(|(text, _)| !text.is_empty() && !text.starts_with('#'))
        .map(|(text, line)| Case::read(line, text))
        .collect();
    assert!(cases.len() >= cases_min, "only {} letters", cases.len());
    let mut games = [
        Begun::new(settings, "paris", ("paris-connection", 3, 7)),
        Begun::new(settings, "tricks", ("trick-of-the-rails", 3, 2)),
        Begun::new(settings, "rails", ("off-the-rails", 2, 3)),
    ];
    let wrong = |case: &Case<'_>| Some((case.done, case.fault(&mut games)?));
    let faults: Vec<(bool, String)> = cases.iter().filter_map(wrong).collect();
    let count = |done: bool| {
        let of = cases.iter().filter(|case| case.done == done).count();
        let bad = faults.iter().filter(|(wants, _)| *wants == done).count();
        format!("{} of {of}", of - bad)
    };
    let told: Vec<&str> = faults.iter().map(|(_, fault)| fault.as_str()).collect();
    assert!(
        faults.is_empty(),
        "done as they should: {}; answered as they should: {}\n{}",
        count(true),
        count(false),
        told.join("\n----\n")
    );
}
