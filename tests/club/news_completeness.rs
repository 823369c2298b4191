//! Tests that members who get few letters know as much at each turn as those who get all.

use crate::memory::Memory;
use crate::open_club::OpenClub;
use crate::rig::{self, Club, letters_to};
use postrider::club::clock::Length;
use postrider::club::{Intervention, Substitute};
use postrider::games::find_kind;
use postrider::process::{self, Context};
use postrider::rules::{Dice, Seat, Seed, Turn};
use postrider::testing::sample_or_all;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The first player of each seat, and the substitute who takes it over.
const PLAYERS_AND_SUBSTITUTES: [(&str, &str); 3] = [("Ann", "Ann"), ("Bob", "Fay"), ("Cid", "Eve")];

/// The facts that a reader knows: sentences of news, and the `Mark` words of messages.
type KnownFacts = BTreeSet<String>;

/// Returns all facts in these letters.
fn collect_facts(letters: &[&rig::PostedLetter]) -> KnownFacts {
    let mut known = KnownFacts::new();
    for letter in letters {
        let mut is_news = false;
        let mut news = String::new();
        for line in letter.body_text().lines() {
            let headings = ["SINCE YOUR LAST", "HOW IT BEGAN", "WHAT ELSE HAPPENED"];
            if headings.iter().any(|heading| line.starts_with(heading)) {
                is_news = true;
            } else if line.starts_with(|c: char| !c.is_whitespace()) {
                is_news = false;
            } else if is_news {
                news.push_str(line.trim());
                news.push(' ');
            }
            let words = line.split(|c: char| !c.is_ascii_alphanumeric());
            known.extend(words.filter(|word| word.starts_with("Mark")).map(str::to_owned));
        }
        for (before, after) in PLAYERS_AND_SUBSTITUTES {
            news = news.replace(after, before);
        }
        known.extend(news.split(". ").map(|sentence| sentence.trim().to_owned()));
    }
    known
}

/// A played game, and what each player knew at each of their turns and at the end.
struct GameRun {
    open: OpenClub,
    players: [&'static str; 3],
    known: BTreeMap<(u32, &'static str), KnownFacts>,
    /// For each reader, the number of posted letters that were searched, and the facts in them.
    read: BTreeMap<&'static str, (usize, KnownFacts)>,
}

impl GameRun {
    fn start(game: &str, wishes: &[&str]) -> Self {
        let club = Club::with_settings("clock: {deadline: 20 days}\nanswers_per_hour: 1000\n");
        let mut club = club.with_memory_store(&Arc::new(Memory::default()));
        club.start_game(find_kind(game).expect("it ships"), 3, 7);
        let seated = PLAYERS_AND_SUBSTITUTES.map(|(first, _)| first);
        for name in seated {
            wishes.iter().for_each(|wish| club.set_preference(name, wish));
        }
        Self {
            open: OpenClub::new(club),
            players: seated,
            known: BTreeMap::new(),
            read: BTreeMap::new(),
        }
    }

    /// Returns the open club's context, set to the current time.
    fn updated_context(&mut self) -> &Context {
        self.open.context.now = self.open.club.now;
        &self.open.context
    }

    /// Runs a pass, and another one after the time of the daily digests.
    fn run_passes(&mut self) {
        self.open.run_pass();
        let now = self.open.club.now;
        let evening = now.date_naive().and_hms_opt(18, 30, 0).expect("a time").and_utc();
        self.open.club.now =
            if evening < now { evening + chrono::TimeDelta::days(1) } else { evening };
        self.open.run_pass();
    }

    /// Returns all facts that a reader has learned so far.
    fn facts_known_to(&mut self, name: &'static str) -> KnownFacts {
        let posted = &self.open.club.transport.posted;
        let (count, known) = self.read.entry(name).or_default();
        known.extend(collect_facts(&letters_to(&posted[*count..], name)));
        *count = posted.len();
        known.clone()
    }

    fn try_intervention(&mut self, what: &Intervention, step: u32) -> bool {
        let reason = format!("of Mark{step}.");
        process::moderate_game(self.updated_context(), 1, what, &reason).is_ok()
    }

    fn intervene(&mut self, what: &Intervention, step: u32) {
        assert!(self.try_intervention(what, step), "{what:?}");
    }

    fn replace_player(&mut self, seat: usize, wishes: &[&str], step: u32) {
        let (_, name) = PLAYERS_AND_SUBSTITUTES[seat];
        let by = Substitute::from(&*format!("{name} <{}>", rig::address(name)));
        self.open.club.ensure_answered_member(name, &rig::address(name));
        self.intervene(&Intervention::Replace { seat: Seat::new(seat as u8 + 1), by }, step);
        wishes.iter().for_each(|wish| self.open.club.set_preference(name, wish));
        self.players[seat] = name;
    }

    /// Performs the talk, votes and interventions of this step, before its orders.
    fn act_before_orders(&mut self, step: u32, wishes: &[&str]) {
        let [ann, bob, cid] = self.players;
        let club = &mut self.open.club;
        match step {
            2 | 17 => drop(club.send_reply(cid, &format!("say Mark{step} for all."))),
            3 => drop(club.send_reply(ann, &format!("tell {bob}: Mark{step}\nsay Mark{step}b"))),
            4 => self.intervene(&Intervention::Extend(Length::Days(2)), step),
            5 => self.intervene(&Intervention::Pause, step),
            6 => self.intervene(&Intervention::Resume, step),
            8 => drop(club.send_reply(bob, &format!("say Mark{step}\ntell {cid}: Mark{step}c"))),
            10 => {
                // Only some records can be rewound to, so several are tried.
                let head = self.open.club.record_count();
                let mut try_rewind = |to| self.try_intervention(&Intervention::Rewind(to), step);
                assert!((2..8).any(|back_by| try_rewind(head - back_by)));
            }
            11 => self.replace_player(2, wishes, step),
            13 => {
                [ann, bob, cid]
                    .iter()
                    .for_each(|who| drop(club.send_reply(who, "vote extend 3 days")));
            }
            14 => drop(club.send_reply(bob, "vote pause")),
            15 => drop(club.send_reply(cid, "vote no")),
            16 => self.intervene(&Intervention::Announce, step),
            18 => self.replace_player(1, wishes, step),
            _ => {}
        }
    }

    /// Sends a random order for each awaited player, and notes what the player knows before it.
    /// Returns `false` if the game is over.
    fn order_for_awaited_players(&mut self, step: u32) -> bool {
        let session = process::load_stored_game(self.updated_context(), 1).expect("it opens");
        let Turn::Awaiting(seats) = session.table.turn() else { return false };
        for seat in seats {
            let name = self.players[seat.index()];
            let known = self.facts_known_to(name);
            self.known.insert((step, name), known);
            let dice = |n| Dice::new(&Seed::from_number(u64::from(step) + n), 0);
            let mut ahead = session.table.game().clone_box();
            let line =
                ahead.play_random_line(seat, &mut dice(1), &mut dice(2)).map(|(line, _)| line);
            self.open.club.send_reply(name, &line.expect("a line"));
        }
        if matches!(step, 7 | 9) {
            // The last player takes the orders back, as far as possible.
            self.open.run_pass();
            let mover = self.known.keys().last().map(|(_, name)| *name).expect("somebody");
            self.open.club.send_reply(mover, "undo");
        }
        true
    }

    fn play(game: &str, wishes: &[&str]) -> Self {
        let mut run = Self::start(game, wishes);
        run.run_passes();
        for step in 1..=20 {
            run.act_before_orders(step, wishes);
            run.run_passes();
            if !run.order_for_awaited_players(step) {
                break;
            }
            run.run_passes();
        }
        run.intervene(&Intervention::End, 99);
        run.run_passes();
        for name in run.players {
            let all = run.facts_known_to(name);
            run.known.insert((99, name), all);
        }
        run
    }
}

/// The settings by which a player gets fewer letters.
const FEW_LETTER_SETTINGS: [&[&str]; 4] = [
    &["letters turns"],
    &["letters digest"],
    &["letters turns", "letters digest 18:00"],
    &["letters digest 18:00"],
];

#[test]
fn paris_connection_few_letters_lose_nothing() {
    assert_no_news_lost("paris-connection", &FEW_LETTER_SETTINGS[..1]);
}

#[test]
fn trick_of_the_rails_few_letters_lose_nothing() {
    assert_no_news_lost("trick-of-the-rails", &FEW_LETTER_SETTINGS[1..3]);
}

#[test]
fn off_the_rails_few_letters_lose_nothing() {
    assert_no_news_lost("off-the-rails", &FEW_LETTER_SETTINGS[3..]);
}

/// Checks at each turn that players with these settings know as much as players who get all
/// letters. A full run tries all settings.
fn assert_no_news_lost(game: &str, sample: &[&[&str]]) {
    let all = GameRun::play(game, &["letters all"]);
    assert!(all.known.len() > 20, "{game}: {}", all.known.len());
    let marks = all.known[&(99, "Ann")].iter().filter(|fact| fact.starts_with("Mark")).count();
    assert!(marks >= 10, "{game}: {marks}");
    for wishes in sample_or_all(sample, &FEW_LETTER_SETTINGS) {
        let few = GameRun::play(game, wishes);
        for (place, known) in &all.known {
            let found = few.known.get(place).unwrap_or_else(|| panic!("{game} {place:?}"));
            let lost: Vec<_> = known.difference(found).collect();
            let more: Vec<_> = found.difference(known).collect();
            assert!(
                lost.is_empty() && more.is_empty(),
                "{game} {wishes:?} {place:?}\nlost: {lost:#?}\nmore: {more:#?}"
            );
        }
        let (posted, before) =
            (few.open.club.transport.posted.len(), all.open.club.transport.posted.len());
        let is_fewer = posted < before || *wishes == ["letters digest"];
        assert!(is_fewer && posted <= before, "{game} {wishes:?}: {posted} of {before}");
    }
}
