//! Tests that run a few of the simulated clubs of `examples/simulate`, and check that the
//! simulation would detect losses.

#[path = "../../examples/simulate/failing_disk.rs"]
mod failing_disk;
#[path = "../../examples/simulate/invariants.rs"]
mod invariants;
#[path = "../../examples/simulate/letter_writers.rs"]
mod letter_writers;
#[path = "../../examples/simulate/posted_letters.rs"]
mod posted_letters;
#[path = "../../examples/simulate/rules_model.rs"]
mod rules_model;
#[path = "../../examples/simulate/scenario.rs"]
mod scenario;
#[path = "../../examples/simulate/simulated_club.rs"]
mod simulated_club;

use failing_disk::{DiskFailure, StepSelector};
use postrider::process::Context;
use postrider::testing::sample_or_all;
use scenario::{EventCounts, ScenarioSize};
use simulated_club::SimulatedClub;
use std::fs;
use std::sync::Mutex;

/// The simulated disk is one per process, so its tests run one after the other.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

const SIZE: ScenarioSize = ScenarioSize { passes: 6, letters: 8, members: 9 };

#[test]
fn club_survives_failing_disk_and_mail() {
    let _alone = ONE_AT_A_TIME.lock().expect("one at a time");
    let mut counts = EventCounts::new();
    for seed in 1..=sample_or_all(2, 3) {
        let (story, expected) = scenario::compose_scenario(seed, SIZE);
        if let Err(why) = expected.and_then(|expected| story.play_and_check(&expected, &mut counts))
        {
            panic!("seed {seed}: {why}\n{}", story.describe_shortest_failing());
        }
    }
    let count = |what: &str| -> u64 {
        counts.iter().filter(|(name, _)| name.ends_with(what)).map(|(_, count)| count).sum()
    };
    assert!(count(" cut") > 2 && count(" fails") > 0, "nothing failed: {counts:?}");
    assert!(count("an order") > 20, "nobody moved: {counts:?}");
}

#[test]
fn losses_of_lying_disk_are_detected() {
    let _alone = ONE_AT_A_TIME.lock().expect("one at a time");
    let seen = (1..=3).any(|seed| {
        let (story, expected) = scenario::compose_scenario(seed, SIZE);
        let expected = expected.expect("it holds on a disk that does not");
        story.play_on_unsyncing_disk(&expected).is_err()
    });
    assert!(seen, "a disk that keeps nothing loses nothing");
}

#[test]
fn store_survives_power_cut_while_opening() {
    let _alone = ONE_AT_A_TIME.lock().expect("one at a time");
    let world = SimulatedClub::found(1, 3, false);
    let home = tempfile::tempdir().expect("a folder");
    let (before, after) = (home.path().join("before"), home.path().join("after"));
    failing_disk::copy_folder(world.folder(), &before);
    failing_disk::copy_folder(world.folder(), &after);
    assert!(world.run_pass_in(&after, 0).0, "the pass is not done");
    let mut cuts = 0;
    for (at, seed) in (1..=4).flat_map(|at| (1..=8).map(move |seed| (at, seed))) {
        let place = |what: &str| home.path().join(format!("{what}-{at}-{seed}"));
        let (club, image) = (place("club"), place("image"));
        failing_disk::copy_folder(&before, &club);
        failing_disk::start_watching(&club, false);
        // sled has written these bytes, but nothing has synced them, and `store.mark` does not
        // mention them.
        fs::copy(after.join("store/db"), club.join("store/db")).expect("copied");
        let at = StepSelector { kind: None, number: at };
        failing_disk::arm_failure(&image, Some(DiskFailure::PowerCut(at)), seed);
        drop(Context::open(postrider::games::SHIPPED, &club, world.now));
        if failing_disk::take_result().power_is_cut {
            cuts += 1;
            let found = Context::open(postrider::games::SHIPPED, &image, world.now);
            assert!(found.is_ok(), "{club:?}: {:?}", found.err());
        }
    }
    assert!(cuts > 8, "{cuts} cuts");
}

#[test]
fn simulated_people_write_every_command() {
    let first =
        |line: &str| line.split([' ', ',', ':', '\n']).next().unwrap_or_default().to_owned();
    let written: Vec<String> = letter_writers::member_lines().map(first).collect();
    let card = include_str!("../../templates/en/help.txt");
    let lines = card.lines().filter_map(|line| line.strip_prefix("| "));
    let words = lines.map(first);
    let silent: Vec<String> =
        words.filter(|word| !word.is_empty() && !written.contains(word)).collect();
    assert!(silent.is_empty(), "nobody writes {silent:?}");
}
