//! A preview tells what its writer could have told himself, and nothing more; and a letter that is
//! refused is no better a preview.

use crate::rig::Club;
use postrider::process;
use postrider::rules::Seat;

const OPEN: &str = "What comes next is decided by chance, or by what you cannot know";

fn table_of(game: &str, seats: u8, seed: u64) -> Club {
    Club::session("", game, seats, seed)
}

/// Who is to act.
fn mover(club: &Club) -> &'static str {
    let turn = process::open_game(&club.context(), 1).expect("it opens").table.turn();
    let seat = Seat::all(4).find(|&seat| turn.awaits(seat)).expect("somebody is awaited");
    crate::rig::NAMES[seat.index()]
}

#[test]
fn a_preview_says_where_chance_decides_and_invents_nothing() {
    for seed in 0..4 {
        let mut club = table_of("off-the-rails", 2, seed);
        let name = mover(&club);
        club.writes(name, "preview\nlay A1 ns\ndone\nsee you at 8");
        let (_, letters) = club.pass();
        let text = letters[0].text();
        assert!(text.contains("You lay") && letters[0].says(OPEN), "{text}");
        assert!(letters[0].says("; line 4 and what follows it were not judged."), "{text}");
        let told = text.split("WHAT YOUR ORDERS WOULD DO").nth(1).expect("it is told");
        let told = told.split("THE BOARD").next().expect("it ends");
        assert!(!told.contains("deposit"), "{told}");
        assert_eq!(club.head(), 1);
    }
}

#[test]
fn a_preview_without_chance_says_all() {
    let mut club = table_of("trick-of-the-rails", 3, 2);
    club.writes("Ann", "preview\nB&O 3");
    let (_, letters) = club.pass();
    assert!(letters[0].says("You play B&O 3") && !letters[0].says(OPEN), "{}", letters[0].text());
}

#[test]
fn what_chance_has_shown_is_not_taken_back_for_a_wrong_line_behind_it() {
    let mut club = table_of("off-the-rails", 1, 3);
    club.writes("Ann", "lay A1 ns\ndone\nlay Z9 ns");
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, club.head()), (1, 2));
    let text = letters[0].text();
    assert!(letters[0].says("What came up before line 3 cannot be taken back"), "{text}");
    assert!(letters[0].says("Your orders have been carried out."), "{text}");
    let verified = process::open_game(&club.context(), 1).expect("it opens").table.verify();
    assert!(verified.findings.is_empty(), "{verified:?}");
    // Where nothing has come up, the letter is refused whole.
    club.writes("Ann", "lay B1 ns\nlay Z9 ns\ndone");
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, club.head()), (0, 2), "{}", letters[0].text());
}

#[test]
fn a_line_after_the_turn_is_left_out_of_a_letter_that_chance_has_answered() {
    let mut club = table_of("off-the-rails", 2, 1);
    let name = mover(&club);
    club.writes(name, "done\nlay A1 ns");
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, club.head()), (1, 2));
    let own = letters.iter().find(|letter| letter.to == crate::rig::address(name)).expect("one");
    assert!(own.says("Your turn was over before that line."), "{}", own.text());
}

#[test]
fn a_preview_of_plans_and_settings_says_what_would_be_kept() {
    let mut club = table_of("trick-of-the-rails", 3, 2);
    let mut asks = |lines: &str| {
        club.writes("Ann", lines);
        club.pass().1.remove(0)
    };
    let all = asks("preview\nB&O 3\nif win city NYC right\nauto forced on\nnote watch Bob\nsay hi");
    for said in ["You play B&O 3", "Trick 2, if you win", "done for you", "hi"] {
        assert!(all.says(said), "{said}: {}", all.text());
    }
    asks("if win city NYC right\nauto forced on");
    let gone = asks("preview\nclear plans\nauto forced off");
    assert!(gone.says("No plan of yours is left."), "{}", gone.text());
    assert!(gone.says("no longer done for you"), "{}", gone.text());
    let seat = process::open_game(&club.context(), 1).expect("it opens").seats[0].0.clone();
    assert!(seat.standing.auto_forced && !seat.standing.plans.is_empty(), "nothing was done");
    assert_eq!(club.head(), 1);
}

#[test]
fn a_dry_run_of_the_moderators_shows_no_log_of_what_chance_would_bring() {
    let club = table_of("off-the-rails", 2, 1);
    let turn = process::open_game(&club.context(), 1).expect("it opens").table.turn();
    let seat = Seat::all(2).find(|&seat| turn.awaits(seat)).expect("somebody is awaited");
    let directed = |lines: &[&str]| {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        process::directed(&club.context(), &lines, true).expect("it could be done")
    };
    let before = directed(&["log 1"]);
    let tried = directed(&[&format!("force 1 seat {seat} because he is away"), "log 1"]);
    assert_eq!(tried.last(), before.last());
}
