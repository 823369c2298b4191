//! What happens to one club: written once where nothing fails, and told again where much does.

use crate::disk::Failure;
use crate::judge::{self, Kept};
use crate::people::People;
use crate::world::{Turn, World};
use postrider::rules::{Dice, Seed};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

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
}

/// How often a story is told again to find out which of its letters it needs.
const TRIES: u32 = 120;

/// What is left where nothing failed.
pub struct Left {
    kept: Kept,
    posted: BTreeSet<String>,
}

/// What is counted.
pub type Counts = BTreeMap<String, u64>;

/// Writes a story: people answer what they get where nothing fails, and then it is decided where
/// what fails.
pub fn compose(seed: u64, size: Size) -> (Story, Left) {
    let mut chance = Dice::new(&Seed::rehearsal(seed), 0);
    let mut people = People::new(Dice::new(&Seed::rehearsal(!seed), 0));
    let mut world = World::founded(seed, size.members, false);
    let mut turns = Vec::new();
    for pass in 0..size.passes + RESTS {
        let rests = pass >= size.passes;
        let weather =
            if !rests && chance.below(3) == 0 { u64::from(chance.below(1_000)) + 1 } else { 0 };
        let minutes = match chance.below(40) {
            _ if rests => 9 * 60,
            // Somebody has set the clock back, or mended it.
            0 => -90,
            1 => 20 * 24 * 60,
            _ => i64::from(chance.below(7 * 60)) + 5,
        };
        let letters =
            if rests || pass == 0 { Vec::new() } else { people.write(&world, size.letters) };
        let mut turn = Turn { minutes, letters, weather, failure: None };
        let seen =
            world.play(&turn).unwrap_or_else(|why| panic!("seed {seed}, pass {pass}: {why}"));
        let steps = u32::try_from(seen[0].steps).unwrap_or(u32::MAX);
        let at = u64::from(chance.below(steps.max(1))) + 1;
        turn.failure = match chance.below(8) {
            _ if rests => None,
            0..4 => Some(Failure::Cut(at)),
            4 => Some(Failure::Broken(at)),
            5 => Some(Failure::Full(at)),
            _ => None,
        };
        turns.push(turn);
    }
    judge::judge(&world).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
    (Story { seed, members: size.members, turns }, left(&world))
}

/// Passes in which nothing comes and nothing fails, until all that waits for an evening is out.
const RESTS: u32 = 4;

fn left(world: &World) -> Left {
    let context = world.context().expect("the club opens");
    let kept = judge::kept(&context).expect("it can be read");
    // The moderator's digest tells how often letters were tried so far, which a cut changes.
    let posted = world.copies.keys().filter(|id| !id.starts_with("m.d"));
    Left { kept, posted: posted.cloned().collect() }
}

impl Story {
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
        for turn in &self.turns {
            for seen in world.play(turn)? {
                for (what, times) in seen.met {
                    *counts.entry(format!("disk: {what}")).or_default() += times;
                }
            }
            for letter in &turn.letters {
                *counts.entry(format!("letter: {}", letter.word)).or_default() += 1;
            }
        }
        judge::judge(&world)?;
        judge::rebuilds(&world)?;
        judge::damage_is_told(&world, &mut Dice::new(&Seed::rehearsal(self.seed), 0))?;
        let found = left(&world);
        if let Some(what) = judge::difference(&found.kept, &expected.kept) {
            return Err(what);
        }
        judge::same_post(&found.posted, &expected.posted)
    }

    /// Whether it fails, against itself without failures of the disk.
    fn fails(&self) -> Option<String> {
        let mut calm = self.clone();
        calm.turns.iter_mut().for_each(|turn| turn.failure = None);
        let mut world = World::founded(self.seed, self.members, false);
        for turn in &calm.turns {
            if let Err(why) = world.play(turn) {
                return Some(why);
            }
        }
        let expected = left(&world);
        self.play(&expected, &mut Counts::new()).err()
    }

    /// A story as short as a few tries make it that fails too, as one reads it.
    pub fn shortest(&self) -> String {
        let mut story = self.clone();
        for at in 0..story.turns.len() {
            let mut shorter = story.clone();
            shorter.turns[at].failure = None;
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
            if turn.weather > 0 {
                let _ = writeln!(text, "  the post fails now and then");
            }
            if let Some(failure) = turn.failure {
                let _ = writeln!(text, "  the disk fails: {failure:?}");
            }
        }
        text
    }
}
