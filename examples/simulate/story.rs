//! What happens to one club: written once where nothing fails, and told again where much does.

use crate::compare::{Letters, same_post};
use crate::disk::{Failure, Nth};
use crate::judge::{self, Kept};
use crate::model::Model;
use crate::people::{self, People};
use crate::world::{Inbound, Turn, World};
use chrono::{DateTime, Utc};
use postrider::process::Context;
use postrider::rules::{Dice, Seed};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::iter::repeat_n;

/// How large a story is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Passes.
    pub passes: u32,
    /// Letters before each.
    pub letters: usize,
    /// Members at the beginning.
    pub members: usize,
}

/// What happens, turn by turn.
#[derive(Clone)]
pub struct Story {
    seed: u64,
    members: usize,
    turns: Vec<Turn>,
    /// On how many letters the rules alone and the program were asked.
    judged: u64,
}

/// How often a story is told again to find out which of its letters it needs.
const TRIES: u32 = 120;

/// What is left where nothing failed.
pub struct Left {
    kept: Kept,
    posted: Letters,
    shut: BTreeSet<DateTime<Utc>>,
}

/// What is counted.
pub type Counts = BTreeMap<String, u64>;

/// Writes a story: people answer what they get where nothing fails, and then it is decided where
/// what fails. What is left, or what did not hold even so.
pub fn compose(seed: u64, size: Size) -> (Story, Result<Left, String>) {
    let mut story = Story { seed, members: size.members, turns: Vec::new(), judged: 0 };
    let mut world = World::founded(seed, size.members, false);
    let outcome = story.write(&mut world, size).and_then(|()| judge::judge(&world));
    (story, outcome.map(|()| left(&world)))
}

/// Before one in so many passes the store is gone.
const STORES_LOST_IN: u32 = 20;
/// The number of attempts at making the store anew that may fail, one after the other. They are
/// many, as some steps, such as creating the store's folder, happen only then.
const RESTORES_THAT_FAIL: usize = 10;
/// The lots of a kind of step that one pass has met; of one that two have met, half of them.
const LOTS: usize = 12;
/// Before one in so many passes a bit of the store is turned over in a copy of the club.
const BITS_TURNED_IN: u32 = 6;
/// One story in so many is told again without its idle letters.
const IDLE_IN: u64 = 4;

/// Passes in which nothing comes and nothing fails, until all that waits for an evening is out.
const RESTS: u32 = 4;
/// Where the last of them brings up something new, as deadlines do, so many more at the most.
const MORE_RESTS: u32 = 4;

fn left(world: &World) -> Left {
    let context = world.context().expect("the club opens");
    let kept = judge::kept(&context).expect("it can be read");
    // The moderator's digest tells how often letters were tried so far, which a cut changes.
    let mut posted = world.letters.clone();
    posted.retain(|id, _| !is_digest(id));
    Left { kept, posted, shut: world.shut.clone() }
}

/// Whether a letter is the moderator's digest, by its Message-ID: `m.d`, a hash of 32 digits, and a
/// dot. The hash of a note may begin with `d` too, but has 32 digits with it.
fn is_digest(id: &str) -> bool {
    let hash = id.strip_prefix("m.d").and_then(|rest| rest.split('.').next());
    hash.is_some_and(|hash| hash.len() == 32)
}

impl Story {
    fn write(&mut self, world: &mut World, size: Size) -> Result<(), String> {
        let mut chance = Dice::new(&Seed::rehearsal(self.seed), 0);
        let mut people = People::new(Dice::new(&Seed::rehearsal(!self.seed), 0));
        let mut met_in = BTreeMap::new();
        for pass in 0..size.passes + RESTS + MORE_RESTS {
            if pass >= size.passes + RESTS && !judge::letters_wait(world)? {
                break;
            }
            let mut turn = Turn { minutes: 9 * 60, ..Turn::default() };
            let rests = pass >= size.passes;
            if !rests {
                turn.weather =
                    if chance.below(3) == 0 { u64::from(chance.below(1_000)) + 1 } else { 0 };
                // Where a line breaks, letters that wait behind one that is idle come later.
                if self.is_told_without_idle_letters() {
                    turn.weather = 0;
                }
                turn.minutes = match chance.below(40) {
                    // Somebody has set the clock back, or mended it.
                    0 => -90,
                    1 => 20 * 24 * 60,
                    _ => i64::from(chance.below(7 * 60)) + 5,
                };
                if pass > 0 {
                    turn.letters = people.write(world, size.letters);
                    turn.loses_store = chance.below(STORES_LOST_IN) == 0;
                }
            }
            self.turns.push(turn);
            let turn = &mut self.turns[pass as usize];
            world.wait(turn);
            let model = Model::new(world, turn);
            let seen = world.work(turn)?;
            self.judged += model.agrees(world)?;
            if rests {
                continue;
            }
            let attempts = if turn.loses_store { RESTORES_THAT_FAIL } else { 1 };
            let steps = &seen[0].steps;
            for kind in steps.iter().collect::<BTreeSet<_>>() {
                *met_in.entry(kind.clone()).or_default() += 1;
            }
            turn.failures = failures((steps, &met_in), attempts, &mut chance);
        }
        Ok(())
    }

    /// Lets all of it happen, and says what does not hold.
    pub fn play(&self, expected: &Left, counts: &mut Counts) -> Result<(), String> {
        self.play_on(World::founded(self.seed, self.members, false), expected, counts)
    }

    /// The same on a disk that lies.
    pub fn play_on_a_disk_that_lies(&self, expected: &Left) -> Result<(), String> {
        let world = World::founded(self.seed, self.members, true);
        self.play_on(world, expected, &mut Counts::new())
    }

    fn play_on(
        &self,
        mut world: World,
        expected: &Left,
        counts: &mut Counts,
    ) -> Result<(), String> {
        let mut dice = Dice::new(&Seed::rehearsal(self.seed), 0);
        let mut failures = 0;
        for turn in &self.turns {
            world.wait(turn);
            let damaged = (dice.below(BITS_TURNED_IN) == 0).then(|| Damaged::of(&world, &mut dice));
            let seen = world.work(turn)?;
            if let Some(damaged) = damaged {
                damaged.spoils_nothing(&mut world, turn)?;
            }
            for seen in seen {
                failures += u64::from(seen.cut || seen.failed);
                for (what, times) in seen.met {
                    *counts.entry(format!("disk: {what}")).or_default() += times;
                }
            }
            for letter in &turn.letters {
                *counts.entry(format!("letter: {}", letter.word)).or_default() += 1;
            }
        }
        for (what, times) in &world.met {
            *counts.entry(what.clone()).or_default() += times;
        }
        failures +=
            world.met.iter().filter(|(what, _)| what.starts_with("post")).map(|f| f.1).sum::<u64>();
        let letters = self.turns.iter().map(|turn| turn.letters.len()).sum::<usize>();
        *counts.entry("story: of 100 letters and 2 failures".to_owned()).or_default() +=
            u64::from(letters >= 100 && failures >= 2);
        *counts.entry("letter: judged by the rules alone".to_owned()).or_default() += self.judged;
        judge::judge(&world)?;
        judge::rebuilds(&world)?;
        let is_told = judge::damage_is_told(&world, &mut dice)?;
        *counts.entry(bit(is_told).to_owned()).or_default() += 1;
        let found = left(&world);
        // A repeated pass has fewer letters to post, so it may find the way out shut although the
        // whole pass found it open. Clocks then stand still in other passes, and games may rightly
        // go on differently.
        let is_alike = found.shut == expected.shut;
        *counts.entry(shut(is_alike).to_owned()).or_default() += 1;
        if !is_alike {
            return Ok(());
        }
        let [kept, whole] = [&found.kept, &expected.kept].map(judge::but_for_what_was_told);
        if let Some(what) = judge::difference(&kept, &whole) {
            return Err(what);
        }
        same_post(&found.posted, &expected.posted)?;
        if self.is_told_without_idle_letters() {
            self.idle_letters_change_no_game(expected)
        } else {
            Ok(())
        }
    }

    fn is_told_without_idle_letters(&self) -> bool {
        self.seed.is_multiple_of(IDLE_IN)
    }

    /// Nobody's game or clock suffers by what others ask, or by letters that are nothing.
    fn idle_letters_change_no_game(&self, expected: &Left) -> Result<(), String> {
        let found = left(&self.calm(|letter| !people::is_idle(letter))?).kept;
        let (found, expected) = (judge::games_of(&found), judge::games_of(&expected.kept));
        match judge::difference(&found, &expected) {
            Some(what) => Err(format!("without the idle letters, {what}")),
            None => Ok(()),
        }
    }

    /// What comes of it, or of these letters alone, on a disk that does not fail.
    fn calm(&self, comes: impl Fn(&Inbound) -> bool) -> Result<World, String> {
        let mut world = World::founded(self.seed, self.members, false);
        for turn in &self.turns {
            let mut turn = Turn { failures: Vec::new(), ..turn.clone() };
            turn.letters.retain(&comes);
            world.wait(&turn);
            world.work(&turn)?;
        }
        Ok(world)
    }

    /// Whether it fails, against itself without failures of the disk.
    fn fails(&self) -> Option<String> {
        match self.calm(|_| true) {
            Ok(world) => self.play(&left(&world), &mut Counts::new()).err(),
            Err(why) => Some(why),
        }
    }

    /// A story as short as a few tries make it that fails too, as one reads it.
    pub fn shortest(&self) -> String {
        let mut story = self.clone();
        for at in 0..story.turns.len() {
            let mut shorter = story.clone();
            shorter.turns[at].failures.clear();
            if shorter.fails().is_some() {
                story = shorter;
            }
        }
        let mut tries = TRIES;
        for at in 0..story.turns.len() {
            let mut place = 0;
            while place < story.turns[at].letters.len() && tries > 0 {
                tries -= 1;
                let mut shorter = story.clone();
                shorter.turns[at].letters.remove(place);
                if shorter.fails().is_some() {
                    story = shorter;
                } else {
                    place += 1;
                }
            }
        }
        let why = story.fails().unwrap_or_else(|| "it does not fail again".to_owned());
        format!("{}{why}", story.told())
    }

    fn told(&self) -> String {
        let mut text = String::new();
        for (at, turn) in self.turns.iter().enumerate() {
            let _ = writeln!(text, "pass {at}, after {} minutes:", turn.minutes);
            for letter in &turn.letters {
                let bytes = String::from_utf8_lossy(&letter.bytes);
                let (head, body) = bytes.split_once("\r\n\r\n").unwrap_or((&*bytes, ""));
                let from = head.lines().find(|line| line.starts_with("From:")).unwrap_or("");
                let body: String = body.trim().chars().take(120).collect();
                let _ = writeln!(text, "  {} ({from}): {body:?}", letter.word);
            }
            if turn.loses_store {
                let _ = writeln!(text, "  the store is lost, and made anew from the journal");
            }
            if turn.weather > 0 {
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
fn failures(
    (steps, met_in): (&[String], &BTreeMap<String, usize>),
    attempts: usize,
    chance: &mut Dice,
) -> Vec<Failure> {
    let kinds: BTreeSet<&String> = steps.iter().collect();
    let lots = |kind: &&String| (LOTS / met_in.get(*kind).copied().unwrap_or(1)).max(1);
    let kinds = kinds.into_iter().flat_map(|kind| repeat_n(kind, lots(&kind)));
    let kinds: Vec<&String> = kinds.collect();
    let mut failures = Vec::new();
    for _ in 0..attempts {
        let Some(kind) = chance.pick(&kinds).copied() else { break };
        let of_kind = (0..).zip(steps).filter(|(_, step)| *step == kind);
        let places: Vec<usize> = of_kind.map(|(place, _)| place).collect();
        let number = chance.below(u32::try_from(places.len()).unwrap_or(u32::MAX)) as usize + 1;
        let at = Nth { kind: Some(kind.clone()), number };
        let failure = match chance.below(8) {
            0..4 => Failure::Cut(at),
            4 => Failure::Broken(at),
            5 => Failure::Full(at),
            _ => continue,
        };
        failures.push((places.get(number - 1).copied(), failure));
    }
    failures.sort_by_key(|(place, _)| *place);
    failures.into_iter().map(|(_, failure)| failure).collect()
}

/// What a bit that is turned over before a pass has led to, in a copy of the club.
struct Damaged {
    before: judge::Logs,
    folder: std::path::PathBuf,
}

impl Damaged {
    fn of(world: &World, dice: &mut Dice) -> Self {
        let before = world.context().map_err(|error| error.to_string());
        let before = before.and_then(|context| judge::logs(&context)).expect("it can be read");
        Self { before, folder: world.flipped(dice) }
    }

    /// To be asked after the pass.
    fn spoils_nothing(self, world: &mut World, turn: &Turn) -> Result<(), String> {
        let (is_done, posted) = world.pass_in(&self.folder, turn.weather);
        let has_gone_wrong =
            !is_done || posted.iter().any(|(id, _)| !world.letters.contains_key(id));
        *world.met.entry(bit(has_gone_wrong).to_owned()).or_default() += 1;
        let after = judge::logs(&world.context().map_err(|error| error.to_string())?)?;
        let Ok(context) = Context::open(&self.folder, world.now) else { return Ok(()) };
        match judge::logs(&context) {
            Ok(found) => judge::damage_spoils_nothing(&self.before, &after, &found),
            Err(_) => Ok(()),
        }
    }
}

fn shut(is_alike: bool) -> &'static str {
    if is_alike { "story: compared" } else { "story: not compared, the way out was shut elsewhere" }
}

fn bit(is_told: bool) -> &'static str {
    if is_told { "store: a bit turned over, told" } else { "store: a bit turned over, of no use" }
}
