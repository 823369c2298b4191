//! The events of one simulated club. They are drawn once on a disk without failures, and then
//! replayed with failures.

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

/// The size of a scenario.
#[derive(Clone, Copy, Debug)]
pub struct ScenarioSize {
    pub passes: u32,
    /// The number of letters before each pass.
    pub letters: usize,
    /// The number of members at the beginning.
    pub members: usize,
}

/// The events of one club, turn by turn.
#[derive(Clone)]
pub struct Scenario {
    seed: u64,
    members: usize,
    turns: Vec<SimulatedTurn>,
    /// The number of letters whose result agreed with [`RulesModel`].
    letters_judged_by_rules: u64,
}

/// The number of replays that may be used to find the letters which a failing scenario needs.
const SHORTEN_TRIES: u32 = 120;

/// The state of a club at the end of a scenario on a disk without failures.
pub struct FinalState {
    club_data: ClubData,
    posted: SentLetters,
    outages: BTreeSet<DateTime<Utc>>,
}

/// The number of times that each event happened, by description.
pub type EventCounts = BTreeMap<String, u64>;

/// Draws a scenario: members answer the letters that they get from a club on a disk without
/// failures, and disk failures are drawn for each turn from the steps that its pass took. Returns
/// the scenario with the club's final state, or with the check that failed even without disk
/// failures.
pub fn compose_scenario(seed: u64, size: ScenarioSize) -> (Scenario, Result<FinalState, String>) {
    let mut scenario =
        Scenario { seed, members: size.members, turns: Vec::new(), letters_judged_by_rules: 0 };
    let mut world = SimulatedClub::found(seed, size.members, false);
    let outcome =
        scenario.write_turns(&mut world, size).and_then(|()| invariants::check_invariants(&world));
    (scenario, outcome.map(|()| final_state(&world)))
}

/// The store is lost before one in this number of passes.
const STORE_LOSS_ONE_IN: u32 = 20;
/// The number of restores that may fail in a row. It is large because some steps, such as creating
/// the store's folder, happen only in a restore.
const FAILING_RESTORES_MAX: usize = 10;
/// The weight of a kind of step that one pass has taken so far. If two passes have taken it, its
/// weight is half of this, and so on.
const STEP_KIND_WEIGHT: usize = 12;
/// A bit is flipped in a copy of the club's store before one in this number of passes.
const BIT_FLIP_ONE_IN: u32 = 6;
/// One in this number of scenarios is also replayed without its idle letters.
const IDLE_CHECK_ONE_IN: u64 = 4;

/// The number of passes at the end without letters and failures, so that digests for the evening
/// are sent.
const FINAL_PASSES: u32 = 4;
/// The largest number of further passes if the last one has queued new letters, as deadlines do.
const FINAL_PASSES_EXTRA: u32 = 4;

fn final_state(world: &SimulatedClub) -> FinalState {
    let context = world.open_context().expect("the club opens");
    let kept = invariants::read_club_data(&context).expect("it can be read");
    // The moderator's digest contains the number of tries to send each letter, which a power cut
    // changes.
    let mut posted = world.letters.clone();
    posted.retain(|id, _| !is_moderator_digest_id(id));
    FinalState { club_data: kept, posted, outages: world.outages.clone() }
}

/// Whether a letter is the moderator's digest. Its Message-ID is `m.d`, 32 hex digits and a dot.
/// The hash in the ID of a note may begin with `d` too, but then only 31 digits follow.
fn is_moderator_digest_id(id: &str) -> bool {
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
                turn.post_failure_seed = if chance.roll_below(3) == 0 {
                    u64::from(chance.roll_below(1_000)) + 1
                } else {
                    0
                };
                // If a connection breaks at an idle letter, the letters queued behind it are
                // delayed. That would count as an effect of the idle letter.
                if self.checks_idle_letters() {
                    turn.post_failure_seed = 0;
                }
                turn.minutes = match chance.roll_below(40) {
                    // The machine's clock is set back.
                    0 => -90,
                    1 => 20 * 24 * 60,
                    _ => i64::from(chance.roll_below(7 * 60)) + 5,
                };
                if pass > 0 {
                    turn.letters = people.write_letters(world, size.letters);
                    turn.loses_store = chance.roll_below(STORE_LOSS_ONE_IN) == 0;
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

    /// Replays the scenario, and checks all invariants and that the final state is the expected
    /// one.
    pub fn play_and_check(
        &self,
        expected: &FinalState,
        counts: &mut EventCounts,
    ) -> Result<(), String> {
        self.play_in_world(SimulatedClub::found(self.seed, self.members, false), expected, counts)
    }

    /// Like [`Self::play_and_check`], on a disk that ignores syncs. An error is the expected
    /// result.
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
            let damaged = (dice.roll_below(BIT_FLIP_ONE_IN) == 0)
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
            .filter(|(what, _)| what.starts_with("mail: "))
            .map(|f| f.1)
            .sum::<u64>();
        let letters = self.turns.iter().map(|turn| turn.letters.len()).sum::<usize>();
        *counts.entry("scenario: at least 100 letters and 2 failures".to_owned()).or_default() +=
            u64::from(letters >= 100 && failures >= 2);
        *counts.entry("letter: judged by the rules alone".to_owned()).or_default() +=
            self.letters_judged_by_rules;
        invariants::check_invariants(&world)?;
        invariants::check_journal_restores(&world)?;
        let is_reported = invariants::check_flipped_bit_is_reported(&world, &mut dice)?;
        *counts.entry(flipped_bit_label(is_reported).to_owned()).or_default() += 1;
        let found = final_state(&world);
        // A repeated pass has fewer letters to send, so it may report an outage of outbound mail
        // that the complete pass did not see. Clocks then stop in other passes, so the games may
        // rightly go on differently.
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

    /// Checks that the games and clocks do not change if the idle letters are left out.
    fn check_idle_letters_change_nothing(&self, expected: &FinalState) -> Result<(), String> {
        let found = final_state(
            &self.play_without_disk_failures(|letter| !letter_writers::changes_no_game(letter))?,
        )
        .club_data;
        let (found, expected) = (
            invariants::entries_unchanged_by_idle_letter(&found),
            invariants::entries_unchanged_by_idle_letter(&expected.club_data),
        );
        match invariants::first_difference(&found, &expected) {
            Some(what) => Err(format!("without the idle letters, {what}")),
            None => Ok(()),
        }
    }

    /// Replays the scenario on a disk without failures, with only the letters for which `comes`
    /// returns `true`.
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

    /// Returns the reason why the scenario fails, compared with a replay without disk failures.
    fn failure_reason(&self) -> Option<String> {
        match self.play_without_disk_failures(|_| true) {
            Ok(world) => self.play_and_check(&final_state(&world), &mut EventCounts::new()).err(),
            Err(why) => Some(why),
        }
    }

    /// Removes failures and letters as long as the scenario still fails, and describes the rest.
    pub fn describe_shortest_failing(&self) -> String {
        let mut scenario = self.clone();
        for at in 0..scenario.turns.len() {
            let mut shorter = scenario.clone();
            shorter.turns[at].failures.clear();
            if shorter.failure_reason().is_some() {
                scenario = shorter;
            }
        }
        let mut tries = SHORTEN_TRIES;
        for at in 0..scenario.turns.len() {
            let mut place = 0;
            while place < scenario.turns[at].letters.len() && tries > 0 {
                tries -= 1;
                let mut shorter = scenario.clone();
                shorter.turns[at].letters.remove(place);
                if shorter.failure_reason().is_some() {
                    scenario = shorter;
                } else {
                    place += 1;
                }
            }
        }
        let why = scenario.failure_reason().unwrap_or_else(|| "it does not fail again".to_owned());
        format!("{}{why}", scenario.describe())
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
                let _ = writeln!(text, "  the store is lost and restored from the journal");
            }
            if turn.post_failure_seed > 0 {
                let _ = writeln!(text, "  the mail transport fails sometimes");
            }
            for failure in &turn.failures {
                let _ = writeln!(text, "  the disk fails: {failure:?}");
            }
        }
        text
    }
}

/// Draws the disk failures of this number of attempts. One attempt in four has none. A kind of step
/// fails more often if few passes have taken it so far, so creating a folder fails as often as
/// writing to the store. An attempt keeps the files that it created, so the failures are sorted by
/// the position of their step.
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
        let number =
            chance.roll_below(u32::try_from(places.len()).unwrap_or(u32::MAX)) as usize + 1;
        let at = StepSelector { kind: Some(kind.clone()), number };
        let failure = match chance.roll_below(8) {
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

/// A copy of the club in whose store a bit was flipped before a pass.
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

    /// Runs the pass in the copy too, and compares its logs with those of the club. Must be called
    /// after the club's own pass.
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
        let Ok(context) = Context::open(postrider::games::SHIPPED, &self.folder, world.now) else {
            return Ok(());
        };
        match invariants::read_game_logs(&context) {
            Ok(found) => invariants::check_logs_after_flipped_bit(&self.before, &after, &found),
            Err(_) => Ok(()),
        }
    }
}

fn comparison_label(is_alike: bool) -> &'static str {
    if is_alike {
        "scenario: compared"
    } else {
        "scenario: not compared, outbound mail was out in other passes"
    }
}

fn flipped_bit_label(is_reported: bool) -> &'static str {
    if is_reported { "store: flipped bit, reported" } else { "store: flipped bit, without effect" }
}
