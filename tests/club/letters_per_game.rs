//! Tests how many letters a whole game takes under each setting of its players.

use crate::open_club::OpenClub;
use crate::playthroughs;
use crate::rig::NAMES;
use postrider::process;
use postrider::testing::sample_or_all;

/// A recorded game of four players, up to its end.
const PLAYTHROUGH: &str = "trick-of-the-rails-4";

/// Returns the number of letters in a playthrough if all its players have the setting `wish`.
fn count_letters(playthrough: &str, wish: &str) -> usize {
    let (club, orders) = playthroughs::load_playthrough(playthrough);
    let players = NAMES.into_iter().filter(|name| orders.iter().any(|(from, _)| from == name));
    players.for_each(|name| club.set_preference(name, wish));
    let mut open = OpenClub::new(club);
    open.run_pass();
    // A sample plays less than half of the game.
    let is_whole = sample_or_all(false, true);
    let count = if is_whole { orders.len() } else { 30 };
    for (from, body) in orders.iter().take(count) {
        // A digest is about no single game, but replies to it work too.
        let last = open.club.last_letter_to(from).expect("a letter").clone();
        let reply = open.club.compose_reply_to(from, &last, body);
        open.club.deliver(reply);
        open.run_pass();
    }
    // The digests that are still queued leave on the next evening.
    open.club.now += chrono::TimeDelta::days(1);
    open.run_pass();
    let club = open.into_club();
    let table = process::load_stored_game(&club.open_context(), 1).expect("it opens").table;
    assert!(table.is_over() || !is_whole, "{wish}: the game is not over");
    club.transport.posted.len()
}

#[test]
fn turns_setting_halves_letters_of_whole_game() {
    let all = count_letters(PLAYTHROUGH, "letters all");
    let turns = count_letters(PLAYTHROUGH, "letters turns");
    assert!(turns * 2 <= all, "{turns} of {all}");
    let bundled = count_letters(PLAYTHROUGH, "letters digest 18:00");
    assert!(bundled < turns, "{bundled} in the evenings, {turns} at each turn");
}
