//! The stored outline of each game, and the lists that use it. After every pass of every test, the
//! rig checks that each outline matches its log.

use crate::rig::postrider_program::run_postrider;
use crate::rig::{Club, games_without_outline};
use postrider::games::find_kind;
use postrider::process;
use postrider::rules::Turn;
use postrider::store::{Batch, LogLine};

const NOON: &str = "2026-01-06T12:00:00Z";

fn games_missing_outline(club: &Club) -> Vec<u32> {
    games_without_outline(&club.open_context())
}

fn append_log_line(club: &Club, game: u32, seq: u32, line: String) {
    let batch = Batch { log_lines: vec![LogLine { game, seq, line }], ..Batch::default() };
    club.open_context().store.write_without_conflict_check(&batch).expect("it is written");
}

#[test]
fn outdated_outline_is_recomputed_and_stored_by_list() {
    let club = Club::with_paris_game("");
    let list = || run_postrider(club.folder(), NOON, &["list"]).1;
    assert!(list().ends_with("05, has been waiting for Ann since Mon 5 Jan 2026 18:00 UTC\n"));
    assert!(games_missing_outline(&club).is_empty());
    let table = process::load_stored_game(&club.open_context(), 1).expect("it opens").table;
    let Turn::Awaiting(seats) = table.turn() else { panic!("it runs") };
    let now = NOON.parse().expect("a time");
    let table = table.play_turn_for_absent(seats[0], &[], now).expect("legal");
    append_log_line(&club, 1, 2, table.records()[1].to_line());
    assert_eq!(games_missing_outline(&club), [1]);
    let moved = "record 2 of 2026-01-06, has been waiting for Bob since Tue 6 Jan 2026 12:00 UTC\n";
    for _ in 0..2 {
        assert!(list().ends_with(moved), "{}", list());
        assert!(games_missing_outline(&club).is_empty());
    }
    club.restore_from_journal();
    assert!(games_missing_outline(&club).is_empty(), "a restore notes it too");
}

#[test]
fn list_shows_broken_game_among_healthy_ones() {
    let mut club = Club::with_paris_game("");
    club.start_game(find_kind("trick-of-the-rails").expect("it ships"), 3, 2);
    append_log_line(&club, 1, 2, "{}".to_owned());
    for _ in 0..2 {
        let (code, output) = run_postrider(club.folder(), NOON, &["list"]);
        assert_eq!(code, Some(1), "{output}");
        let [broken, other] = output.lines().collect::<Vec<_>>()[..] else { panic!("{output}") };
        assert!(broken.contains("line 2 of the log isn't a move"), "{broken}");
        assert!(other.contains("2  trick-of-the-rails  Ann, Bob, Cid  record 1 of"), "{other}");
        assert_eq!(games_missing_outline(&club), [1]);
    }
}
