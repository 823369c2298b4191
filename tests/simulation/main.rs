//! A handful of the simulated clubs of `examples/simulate`, and that the simulation would see what
//! it looks for.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../examples/simulate/compare.rs"]
mod compare;
#[path = "../../examples/simulate/disk.rs"]
mod disk;
#[path = "../../examples/simulate/judge.rs"]
mod judge;
#[path = "../../examples/simulate/model.rs"]
mod model;
#[path = "../../examples/simulate/people.rs"]
mod people;
#[path = "../../examples/simulate/story.rs"]
mod story;
#[path = "../../examples/simulate/world.rs"]
mod world;

use common::sample_or_all;
use disk::{Failure, Nth};
use postrider::process::Context;
use std::fs;
use std::sync::Mutex;
use story::{Counts, Size};
use world::World;

/// There is one disk.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

const SIZE: Size = Size { passes: 6, letters: 8, members: 9 };

#[test]
fn a_club_loses_nothing_by_a_disk_and_a_post_that_fail() {
    let _alone = ONE_AT_A_TIME.lock().expect("one at a time");
    let mut counts = Counts::new();
    for seed in 1..=sample_or_all(2, 3) {
        let (story, expected) = story::compose(seed, SIZE);
        if let Err(why) = expected.and_then(|expected| story.play(&expected, &mut counts)) {
            panic!("seed {seed}: {why}\n{}", story.shortest());
        }
    }
    let count = |what: &str| -> u64 {
        counts.iter().filter(|(name, _)| name.ends_with(what)).map(|(_, count)| count).sum()
    };
    assert!(count(" cut") > 2 && count(" fails") > 0, "nothing failed: {counts:?}");
    assert!(count("an order") > 20, "nobody moved: {counts:?}");
}

#[test]
fn what_a_disk_loses_that_lies_is_seen() {
    let _alone = ONE_AT_A_TIME.lock().expect("one at a time");
    let seen = (1..=3).any(|seed| {
        let (story, expected) = story::compose(seed, SIZE);
        let expected = expected.expect("it holds on a disk that does not");
        story.play_on_a_disk_that_lies(&expected).is_err()
    });
    assert!(seen, "a disk that keeps nothing loses nothing");
}

#[test]
fn what_sled_sums_up_when_it_is_opened_is_durable_before() {
    let _alone = ONE_AT_A_TIME.lock().expect("one at a time");
    let world = World::founded(1, 3, false);
    let home = tempfile::tempdir().expect("a folder");
    let (before, after) = (home.path().join("before"), home.path().join("after"));
    disk::copy(world.folder(), &before);
    disk::copy(world.folder(), &after);
    assert!(world.pass_in(&after, 0).0, "the pass is not done");
    let mut cuts = 0;
    for (at, seed) in (1..=4).flat_map(|at| (1..=8).map(move |seed| (at, seed))) {
        let place = |what: &str| home.path().join(format!("{what}-{at}-{seed}"));
        let (club, image) = (place("club"), place("image"));
        disk::copy(&before, &club);
        disk::begin(&club, false);
        // What sled has written since is there and nobody has synced it, nor noted it.
        fs::copy(after.join("store/db"), club.join("store/db")).expect("copied");
        let at = Nth { kind: None, number: at };
        disk::arm(&image, Some(Failure::Cut(at)), seed);
        drop(Context::open(&club, world.now));
        if disk::disarm().cut {
            cuts += 1;
            let found = Context::open(&image, world.now);
            assert!(found.is_ok(), "{club:?}: {:?}", found.err());
        }
    }
    assert!(cuts > 8, "{cuts} cuts");
}

#[test]
fn every_word_of_the_card_is_written_by_somebody() {
    let first =
        |line: &str| line.split([' ', ',', ':', '\n']).next().unwrap_or_default().to_owned();
    let written: Vec<String> = people::words().map(first).collect();
    let card = include_str!("../../templates/en/help.txt");
    let lines = card.lines().filter_map(|line| line.strip_prefix("| "));
    let words = lines.map(first);
    let silent: Vec<String> =
        words.filter(|word| !word.is_empty() && !written.contains(word)).collect();
    assert!(silent.is_empty(), "nobody writes {silent:?}");
}
