//! How many letters a whole game takes, as its players have wished to get them.

use crate::common::sample_or_all;
use crate::open_club::OpenClub;
use crate::playthroughs;
use crate::rig::NAMES;
use postrider::process;

/// A game of four, to its end.
const GAME: &str = "trick-of-the-rails-4";

/// The letters that all players of a playthrough get, when each wishes this.
fn letters_of(playthrough: &str, wish: &str) -> usize {
    let (club, orders) = playthroughs::of_file(playthrough);
    let players = NAMES.into_iter().filter(|name| orders.iter().any(|(from, _)| from == name));
    players.for_each(|name| club.wants(name, wish));
    let mut open = OpenClub::new(club);
    open.pass();
    // A sample plays less than half of the game.
    let is_whole = sample_or_all(false, true);
    let count = if is_whole { orders.len() } else { 30 };
    for (from, body) in orders.iter().take(count) {
        // A digest is of no one game, and is answered all the same.
        let last = open.club.last_to(from).expect("a letter").clone();
        let reply = open.club.reply_to(from, &last, body);
        open.club.arrives(reply);
        open.pass();
    }
    // What waits for an evening goes out in it.
    open.club.now += chrono::TimeDelta::days(1);
    open.pass();
    let club = open.closed();
    let table = process::open_game(&club.context(), 1).expect("it opens").table;
    assert!(table.is_over() || !is_whole, "{wish}: the game waits for somebody");
    club.pigeon.posted.len()
}

#[test]
fn a_player_who_wants_turns_alone_gets_half_the_letters_of_a_whole_game() {
    let all = letters_of(GAME, "letters all");
    let turns = letters_of(GAME, "letters turns");
    assert!(turns * 2 <= all, "{turns} of {all}");
    let bundled = letters_of(GAME, "letters digest 18:00");
    assert!(bundled < turns, "{bundled} in the evenings, {turns} at each turn");
}
