//! Pairs of clubs whose games differ only in what one player cannot know. All that this player gets
//! must be equal. Runs a few seeds of `examples/leaks`.

#[path = "../../examples/leaks/command_probes.rs"]
mod command_probes;
#[path = "../../examples/leaks/drawn_setup.rs"]
mod drawn_setup;
#[path = "../../examples/leaks/game_course.rs"]
mod game_course;
#[path = "../../examples/leaks/text_diff.rs"]
mod text_diff;
#[path = "../../examples/leaks/twin_club.rs"]
mod twin_club;
#[path = "../../examples/leaks/twin_comparison.rs"]
mod twin_comparison;
#[path = "../../examples/leaks/twin_letters.rs"]
mod twin_letters;

use drawn_setup::DrawnSetup;
use postrider::games::find_kind;
use postrider::testing::sample_or_all;
use twin_comparison::{Counts, CourseSize};

#[test]
fn off_the_rails_twin_clubs_look_alike() {
    assert_twin_clubs_look_alike("off-the-rails");
}

#[test]
fn paris_connection_twin_clubs_look_alike() {
    assert_twin_clubs_look_alike("paris-connection");
}

#[test]
fn trick_of_the_rails_twin_clubs_look_alike() {
    assert_twin_clubs_look_alike("trick-of-the-rails");
}

/// Plays a game in pairs of clubs that differ only in what one viewer cannot know, and compares all
/// that this viewer gets.
fn assert_twin_clubs_look_alike(game: &str) {
    let (mut counts, size) =
        (Counts::new(), CourseSize { alike: 2, steps: 3, checks_every_pass: false });
    for seed in 1..=sample_or_all(1, 2) {
        let setup = DrawnSetup::draw(find_kind(game).expect("it ships"), seed);
        let result = twin_comparison::check_twins(&setup, size, &mut counts);
        assert!(
            result.is_ok(),
            "{}",
            result.err().map_or_else(String::new, |leak| leak.to_string())
        );
    }
    let compared = counts["compared: letters"];
    assert!(compared >= sample_or_all(4, 8), "{counts:?}");
}
