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

use lot::Lot;
use postrider::games::GAMES;
use story::{Counts, Size};

#[test]
fn nobody_can_tell_two_clubs_apart_by_what_he_cannot_know() {
    let (mut counts, size) = (Counts::new(), Size { alike: 2, steps: 3, often: false });
    for (kind, seed) in GAMES.iter().flat_map(|kind| (1..=2).map(move |seed| (kind, seed))) {
        let told = story::play(&Lot::drawn(*kind, seed), size, &mut counts);
        assert!(told.is_ok(), "{}", told.err().map_or_else(String::new, |leak| leak.to_string()));
    }
    assert!(counts["compared: letters"] > 20, "{counts:?}");
}
