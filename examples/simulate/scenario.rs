//! What happens to one club: written once where nothing fails, and told again where much does.

use crate::failing_disk::{DiskFailure, StepSelector};
use crate::invariants::{self, ClubData};
use crate::letter_writers::{self, LetterWriters};
use crate::posted_letters::{SentLetters, compare_posted_letters};
use crate::rules_model::RulesModel;
use crate::simulated_club::{InboundLetter, SimulatedClub, SimulatedTurn};
use chrono::{DateTime, Utc};
use postrider::process::Context;
use postrider::rules::{Dice, Seed};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::iter::repeat_n;

/// How large a story is.
#[derive(Clone, Copy, Debug)]
pub struct ScenarioSize {
    /// Passes.
    pub passes: u32,
    /// Letters before each.
    pub letters: usize,
    /// Members at the beginning.
    pub members: usize,
}

/// What happens, turn by turn.
#[derive(Clone)]
pub struct Scenario {
    seed: u64,
    members: usize,
    turns: Vec<SimulatedTurn>,
    /// On how many letters the rules alone and the program were asked.
    letters_judged_by_rules: u64,
}

/// How often a story is told again to find out which of its letters it needs.
const SHORTEN_TRIES: u32 = 120;

/// What is left where nothing failed.
pub struct FinalState {
    club_data: ClubData,
    posted: SentLetters,
    outages: BTreeSet<DateTime<Utc>>,
}

/// What is counted.
pub type EventCounts = BTreeMap<String, u64>;

/// Writes a story: people answer what they get where nothing fails, and then it is decided where
/// what fails. What is left, or what did not hold even so.
pub fn compose_scenario(seed: u64, size: ScenarioSize) -> (Scenario, Result<FinalState, String>) {
    let mut story =
        Scenario { seed, members: size.members, turns: Vec::new(), letters_judged_by_rules: 0 };
    let mut world = SimulatedClub::found(seed, size.members, false);
    let outcome =
        story.write_turns(&mut world, size).and_then(|()| invariants::check_invariants(&world));
    (story, outcome.map(|()| final_state(&world)))
}

/// Before one in so many passes the store is gone.
const STORE_LOSS_ONE_IN: u32 = 20;
/// The number of attempts at making the store anew that may fail, one after the other. They are
/// many, as some steps, such as creating the store's folder, happen only then.
const FAILING_RESTORES_MAX: usize = 10;
/// The lots of a kind of step that one pass has met; of one that two have met, half of them.
const STEP_KIND_WEIGHT: usize = 12;
/// Before one in so many passes a bit of the store is turned over in a copy of the club.
const BIT_FLIP_ONE_IN: u32 = 6;
/// One story in so many is told again without its idle letters.
const IDLE_CHECK_ONE_IN: u64 = 4;

/// Passes in which nothing comes and nothing fails, until all that waits for an evening is out.
const FINAL_PASSES: u32 = 4;
/// Where the last of them brings up something new, as deadlines do, so many more at the most.
const FINAL_PASSES_EXTRA: u32 = 4;

fn final_state(world: &SimulatedClub) -> FinalState {
    let context = world.open_context().expect("the club opens");
    let kept = invariants::read_club_data(&context).expect("it can be read");
    // The moderator's digest tells how often letters were tried so far, which a cut changes.
    let mut posted = world.letters.clone();
    posted.retain(|id, _| !is_digest(id));
    FinalState { club_data: kept, posted, outages: world.outages.clone() }
}

/// Whether a letter is the moderator's digest, by its Message-ID: `m.d`, a hash of 32 digits, and a
/// dot. The hash of a note may begin with `d` too, but has 32 digits with it.
fn is_digest(id: &str) -> bool {
    let hash = id.strip_prefix("m.d").and_then(|rest| rest.split('.').next());
    hash.is_some_and(|hash| hash.len() == 32)
}

impl Scenario {
    fn write_turns(&mut self, world: &mut SimulatedClub, size: ScenarioSize) -> Result<(), String> {
        let mut chance = Dice::new(&Seed::from_number(self.seed), 0);
        let mut people = LetterWriters::new(Dice::new(&Seed::from_number(!self.seed), 0));
        let mut met_in = BTreeMap::new();
        for pass in 0..size.passes + FINAL_PASSES + FINAL_PASSES_EXTRA {
            if pass >= size.passes + FINAL_PASSES && !invariants::has_pending_letters(world)? {
                break;
            }
            let mut turn = SimulatedTurn { minutes: 9 * 60, ..SimulatedTurn::default() };
            let rests = pass >= size.passes;
            if !rests {
                turn.post_failure_seed =
                    if chance.below(3) == 0 { u64::from(chance.below(1_000)) + 1 } else { 0 };
                // Where a line breaks, letters that wait behind one that is idle come later.
                if self.checks_idle_letters() {
                    turn.post_failure_seed = 0;
                }
                turn.minutes = match chance.below(40) {
                    // Somebody has set the clock back, or mended it.
                    0 => -90,
                    1 => 20 * 24 * 60,
                    _ => i64::from(chance.below(7 * 60)) + 5,
                };
                if pass > 0 {
                    turn.letters = people.write_letters(world, size.letters);
                    turn.loses_store = chance.below(STORE_LOSS_ONE_IN) == 0;
                }
            }
            self.turns.push(turn);
            let turn = &mut self.turns[pass as usize];
            world.advance(turn);
            let model = RulesModel::new(world, turn);
            let seen = world.run_turn(turn)?;
            self.letters_judged_by_rules += model.check_agreement(world)?;
            if rests {
                continue;
            }
            let attempts = if turn.loses_store { FAILING_RESTORES_MAX } else { 1 };
            let steps = &seen[0].steps_done;
            for kind in steps.iter().collect::<BTreeSet<_>>() {
                *met_in.entry(kind.clone()).or_default() += 1;
            }
            turn.failures = draw_failures((steps, &met_in), attempts, &mut chance);
        }
        Ok(())
    }

    /// Lets all of it happen, and says what does not hold.
    pub fn play_and_check(
        &self,
        expected: &FinalState,
        counts: &mut EventCounts,
    ) -> Result<(), String> {
        self.play_in_world(SimulatedClub::found(self.seed, self.members, false), expected, counts)
    }

    /// The same on a disk that lies.
    pub fn play_on_unsyncing_disk(&self, expected: &FinalState) -> Result<(), String> {
        let world = SimulatedClub::found(self.seed, self.members, true);
        self.play_in_world(world, expected, &mut EventCounts::new())
    }

    fn play_in_world(
        &self,
        mut world: SimulatedClub,
        expected: &FinalState,
        counts: &mut EventCounts,
    ) -> Result<(), String> {
        let mut dice = Dice::new(&Seed::from_number(self.seed), 0);
        let mut failures = 0;
        for turn in &self.turns {
            world.advance(turn);
            let damaged = (dice.below(BIT_FLIP_ONE_IN) == 0)
                .then(|| DamagedCopy::with_flipped_bit(&world, &mut dice));
            let seen = world.run_turn(turn)?;
            if let Some(damaged) = damaged {
                damaged.check_after_pass(&mut world, turn)?;
            }
            for seen in seen {
                failures += u64::from(seen.power_is_cut || seen.step_failed);
                for (what, times) in seen.step_counts {
                    *counts.entry(format!("disk: {what}")).or_default() += times;
                }
            }
            for letter in &turn.letters {
                *counts.entry(format!("letter: {}", letter.case)).or_default() += 1;
            }
        }
        for (what, times) in &world.event_counts {
            *counts.entry(what.clone()).or_default() += times;
        }
        failures += world
            .event_counts
            .iter()
            .filter(|(what, _)| what.starts_with("post"))
            .map(|f| f.1)
            .sum::<u64>();
        let letters = self.turns.iter().map(|turn| turn.letters.len()).sum::<usize>();
        *counts.entry("story: of 100 letters and 2 failures".to_owned()).or_default() +=
            u64::from(letters >= 100 && failures >= 2);
        *counts.entry("letter: judged by the rules alone".to_owned()).or_default() +=
            self.letters_judged_by_rules;
        invariants::check_invariants(&world)?;
        invariants::check_journal_restores(&world)?;
        let is_told = invariants::check_flipped_bit_is_reported(&world, &mut dice)?;
        *counts.entry(flipped_bit_label(is_told).to_owned()).or_default() += 1;
        let found = final_state(&world);
        // A repeated pass has fewer letters to post, so it may find the way out shut although the
        // whole pass found it open. Clocks then stand still in other passes, and games may rightly
        // go on differently.
        let is_alike = found.outages == expected.outages;
        *counts.entry(comparison_label(is_alike).to_owned()).or_default() += 1;
        if !is_alike {
            return Ok(());
        }
        let [kept, whole] =
            [&found.club_data, &expected.club_data].map(invariants::without_clock_notices);
        if let Some(what) = invariants::first_difference(&kept, &whole) {
            return Err(what);
        }
        compare_posted_letters(&found.posted, &expected.posted)?;
        if self.checks_idle_letters() {
            self.check_idle_letters_change_nothing(expected)
        } else {
            Ok(())
        }
    }

    fn checks_idle_letters(&self) -> bool {
        self.seed.is_multiple_of(IDLE_CHECK_ONE_IN)
    }

    /// Nobody's game or clock suffers by what others ask, or by letters that are nothing.
    fn check_idle_letters_change_nothing(&self, expected: &FinalState) -> Result<(), String> {
        let found = final_state(
            &self.play_without_disk_failures(|letter| !letter_writers::changes_no_game(letter))?,
        )
        .club_data;
        let (found, expected) =
            (invariants::game_entries(&found), invariants::game_entries(&expected.club_data));
        match invariants::first_difference(&found, &expected) {
            Some(what) => Err(format!("without the idle letters, {what}")),
            None => Ok(()),
        }
    }

    /// What comes of it, or of these letters alone, on a disk that does not fail.
    fn play_without_disk_failures(
        &self,
        comes: impl Fn(&InboundLetter) -> bool,
    ) -> Result<SimulatedClub, String> {
        let mut world = SimulatedClub::found(self.seed, self.members, false);
        for turn in &self.turns {
            let mut turn = SimulatedTurn { failures: Vec::new(), ..turn.clone() };
            turn.letters.retain(&comes);
            world.advance(&turn);
            world.run_turn(&turn)?;
        }
        Ok(world)
    }

    /// Whether it fails, against itself without failures of the disk.
    fn failure_reason(&self) -> Option<String> {
        match self.play_without_disk_failures(|_| true) {
            Ok(world) => self.play_and_check(&final_state(&world), &mut EventCounts::new()).err(),
            Err(why) => Some(why),
        }
    }

    /// A story as short as a few tries make it that fails too, as one reads it.
    pub fn describe_shortest_failing(&self) -> String {
        let mut story = self.clone();
        for at in 0..story.turns.len() {
            let mut shorter = story.clone();
            shorter.turns[at].failures.clear();
            if shorter.failure_reason().is_some() {
                story = shorter;
            }
        }
        let mut tries = SHORTEN_TRIES;
        for at in 0..story.turns.len() {
            let mut place = 0;
            while place < story.turns[at].letters.len() && tries > 0 {
                tries -= 1;
                let mut shorter = story.clone();
                shorter.turns[at].letters.remove(place);
                if shorter.failure_reason().is_some() {
                    story = shorter;
                } else {
                    place += 1;
                }
            }
        }
        let why = story.failure_reason().unwrap_or_else(|| "it does not fail again".to_owned());
        format!("{}{why}", story.describe())
    }

    fn describe(&self) -> String {
        let mut text = String::new();
        for (at, turn) in self.turns.iter().enumerate() {
            let _ = writeln!(text, "pass {at}, after {} minutes:", turn.minutes);
            for letter in &turn.letters {
                let bytes = String::from_utf8_lossy(&letter.bytes);
                let (head, body) = bytes.split_once("\r\n\r\n").unwrap_or((&*bytes, ""));
                let from = head.lines().find(|line| line.starts_with("From:")).unwrap_or("");
                let body: String = body.trim().chars().take(120).collect();
                let _ = writeln!(text, "  {} ({from}): {body:?}", letter.case);
            }
            if turn.loses_store {
                let _ = writeln!(text, "  the store is lost, and made anew from the journal");
            }
            if turn.post_failure_seed > 0 {
                let _ = writeln!(text, "  the post fails now and then");
            }
            for failure in &turn.failures {
                let _ = writeln!(text, "  the disk fails: {failure:?}");
            }
        }
        text
    }
}

/// Draws how the disk fails in so many attempts, of which one in four meets no failure. A kind of
/// step is the likelier to fail, the fewer passes have met it so far: so creating a folder fails as
/// often as writing to the store. What an attempt has created stays, so the first attempt fails at
/// the earliest step.
fn draw_failures(
    (steps, met_in): (&[String], &BTreeMap<String, usize>),
    attempts: usize,
    chance: &mut Dice,
) -> Vec<DiskFailure> {
    let kinds: BTreeSet<&String> = steps.iter().collect();
    let lots = |kind: &&String| (STEP_KIND_WEIGHT / met_in.get(*kind).copied().unwrap_or(1)).max(1);
    let kinds = kinds.into_iter().flat_map(|kind| repeat_n(kind, lots(&kind)));
    let kinds: Vec<&String> = kinds.collect();
    let mut failures = Vec::new();
    for _ in 0..attempts {
        let Some(kind) = chance.pick(&kinds).copied() else { break };
        let of_kind = (0..).zip(steps).filter(|(_, step)| *step == kind);
        let places: Vec<usize> = of_kind.map(|(place, _)| place).collect();
        let number = chance.below(u32::try_from(places.len()).unwrap_or(u32::MAX)) as usize + 1;
        let at = StepSelector { kind: Some(kind.clone()), number };
        let failure = match chance.below(8) {
            0..4 => DiskFailure::PowerCut(at),
            4 => DiskFailure::StepFails(at),
            5 => DiskFailure::DiskFull(at),
            _ => continue,
        };
        failures.push((places.get(number - 1).copied(), failure));
    }
    failures.sort_by_key(|(place, _)| *place);
    failures.into_iter().map(|(_, failure)| failure).collect()
}

/// What a bit that is turned over before a pass has led to, in a copy of the club.
struct DamagedCopy {
    before: invariants::GameLogs,
    folder: std::path::PathBuf,
}

impl DamagedCopy {
    fn with_flipped_bit(world: &SimulatedClub, dice: &mut Dice) -> Self {
        let before = world.open_context().map_err(|error| error.to_string());
        let before = before
            .and_then(|context| invariants::read_game_logs(&context))
            .expect("it can be read");
        Self { before, folder: world.copy_with_flipped_bit(dice) }
    }

    /// To be asked after the pass.
    fn check_after_pass(
        self,
        world: &mut SimulatedClub,
        turn: &SimulatedTurn,
    ) -> Result<(), String> {
        let (is_done, posted) = world.run_pass_in(&self.folder, turn.post_failure_seed);
        let has_gone_wrong =
            !is_done || posted.iter().any(|(id, _)| !world.letters.contains_key(id));
        *world.event_counts.entry(flipped_bit_label(has_gone_wrong).to_owned()).or_default() += 1;
        let after =
            invariants::read_game_logs(&world.open_context().map_err(|error| error.to_string())?)?;
        let Ok(context) = Context::open(&self.folder, world.now) else { return Ok(()) };
        match invariants::read_game_logs(&context) {
            Ok(found) => invariants::check_logs_after_flipped_bit(&self.before, &after, &found),
            Err(_) => Ok(()),
        }
    }
}

fn comparison_label(is_alike: bool) -> &'static str {
    if is_alike { "story: compared" } else { "story: not compared, the way out was shut elsewhere" }
}

fn flipped_bit_label(is_told: bool) -> &'static str {
    if is_told { "store: a bit turned over, told" } else { "store: a bit turned over, of no use" }
}
