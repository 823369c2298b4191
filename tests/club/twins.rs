//! Two clubs whose games differ in what a player cannot know look the same to him, whatever
//! happens: a few seeds of `examples/leaks`.

#[path = "../../examples/leaks/club.rs"]
mod club;
#[path = "../../examples/leaks/commands.rs"]
mod commands;
#[path = "../../examples/leaks/compare.rs"]
mod compare;
#[path = "../../examples/leaks/course.rs"]
mod course;
#[path = "../../examples/leaks/lot.rs"]
mod lot;
#[path = "../../examples/leaks/mail.rs"]
mod mail;
#[path = "../../examples/leaks/story.rs"]
mod story;

use crate::common::sample_or_all;
use lot::Lot;
use postrider::games::kind;
use story::{Counts, Size};

#[test]
fn off_the_rails_twins_look_alike() {
    twins_look_alike("off-the-rails");
}

#[test]
fn paris_connection_twins_look_alike() {
    twins_look_alike("paris-connection");
}

#[test]
fn trick_of_the_rails_twins_look_alike() {
    twins_look_alike("trick-of-the-rails");
}

/// Plays a game in two clubs that differ only in what one viewer cannot know, and compares all that
/// this viewer gets.
fn twins_look_alike(game: &str) {
    let (mut counts, size) = (Counts::new(), Size { alike: 2, steps: 3, often: false });
    for seed in 1..=sample_or_all(1, 2) {
        let lot = Lot::drawn(kind(game).expect("it ships"), seed);
        let told = story::play(&lot, size, &mut counts);
        assert!(told.is_ok(), "{}", told.err().map_or_else(String::new, |leak| leak.to_string()));
    }
    let compared = counts["compared: letters"];
    assert!(compared >= sample_or_all(4, 8), "{counts:?}");
}
