//! Secret orders: they take effect at once, and no other player can notice or count them.

use crate::rig::{Club, address};
use postrider::cli::{self, Environment, Exit};
use postrider::club::Intervention;
use postrider::process;
use postrider::rules::Seat;

fn off_the_rails_club(settings: &str) -> Club {
    Club::with_game(settings, "off-the-rails", 2, 3)
}

/// Returns the name and the seat of the player whose turn it is.
fn active_player(club: &Club) -> (&'static str, Seat) {
    let turn = process::load_stored_game(&club.open_context(), 1).expect("it opens").table.turn();
    if turn.awaits(Seat::new(1)) { ("Ann", Seat::new(1)) } else { ("Bob", Seat::new(2)) }
}

#[test]
fn secret_order_adds_no_record_until_next_move() {
    let mut club = off_the_rails_club("");
    let (name, seat) = active_player(&club);
    let before = club.record_count();
    for line in ["split rocks together", "claim gem collector", "Split rocks together."] {
        club.send_reply(name, line);
        let (report, letters) = club.run_pass();
        assert_eq!(report.letters_read, 1);
        let readers: Vec<_> = letters.iter().map(|letter| letter.to.clone()).collect();
        assert_eq!(readers, [address(name)], "{line}: no other player gets a letter");
        assert_eq!(club.record_count(), before, "{line}: no record was added");
    }
    let letter = club.last_text_to(name);
    assert!(letter.contains("Nobody else can see that you ordered this"), "{letter}");
    // The order has taken effect: the player's private portfolio shows it.
    assert!(letter.contains("You claim first: Gem Collector"), "{letter}");
    assert!(!letter.contains("You have no standing orders"), "{letter}");

    // The player's next public order becomes one record, which contains the secret orders before
    // it.
    club.send_reply(name, "done");
    club.run_pass();
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    assert_eq!(session.table.last_record_number(), before + 1);
    let line = session.table.records().last().expect("a record").to_line();
    assert!(line.contains("\"claim gem collector\"") && line.contains("\"done\""), "{line}");
    assert_eq!(line.matches("\"split together").count(), 1, "the same twice counts once: {line}");
    assert!(session.seats[seat.index()].0.queued_orders.is_empty());
    assert_eq!(session.table.verify().findings, []);
    let other = if name == "Ann" { "Bob" } else { "Ann" };
    let seen = club.last_text_to(other);
    assert!(!seen.to_lowercase().contains("split") && !seen.contains("You claim"), "{seen}");
}

#[test]
fn secret_order_changes_no_byte_of_others_letters() {
    let letters = |lines: &[&str]| {
        let mut club = off_the_rails_club("");
        let (name, _) = active_player(&club);
        for line in lines {
            club.send_reply(name, line);
            club.run_pass();
        }
        club.now = chrono::DateTime::from_timestamp(1_767_736_000, 0).expect("a time");
        club.send_reply(name, "done");
        club.run_pass();
        let posted = club.transport.posted.iter().filter(|letter| letter.to != address(name));
        posted
            .map(|letter| {
                // The hash chain covers the message id of the order letter, so it differs without
                // disclosing anything.
                let text = letter.body_text();
                let text = text.split(", proof ").next().unwrap_or_default().to_owned();
                (letter.message_id.clone(), text)
            })
            .collect::<Vec<_>>()
    };
    let calm = letters(&["status", "status"]);
    assert_eq!(calm, letters(&["split rocks together", "claim gem collector"]));
}

#[test]
fn log_shows_secret_order_to_its_player_only() {
    let mut club = off_the_rails_club("clock: {deadline: 1 day, nmr: forfeit, reminders: []}\n");
    let (name, seat) = active_player(&club);
    for line in ["claim gem collector", "split rocks together\ndone"] {
        club.send_reply(name, line);
        club.run_pass();
    }
    // The other player sends a secret order and then misses the deadline.
    let (other, others) = active_player(&club);
    club.send_reply(other, "split best alone");
    (0..26).for_each(|_| drop(club.run_pass()));
    let log = |seat: &[&str]| {
        let (mut said, mut blamed) = (Vec::new(), Vec::new());
        let folder = club.folder().to_str().expect("a path");
        let words = [&["postrider", "-C", folder, "log", "1"], seat].concat();
        let environment = Environment {
            games: postrider::games::SHIPPED,
            now: club.now,
            clock: chrono::Utc::now,
            random: |_| Err(String::new()),
            variable: |_| None,
        };
        let exit = cli::run_with_stderr(
            words.iter().map(Into::into),
            &environment,
            &mut said,
            &mut blamed,
        );
        assert_eq!((exit, blamed), (Exit::Done, Vec::new()));
        String::from_utf8(said).expect("text")
    };
    let secrets = ["> claim gem collector", "> split rocks together", "> split alone"];
    let shown = |log: &str| secrets.map(|line| log.contains(line));
    let of = |seat: Seat| log(&["--secrets", "--seat", &seat.number().to_string()]);
    assert_eq!(shown(&log(&[])), [false; 3], "{}", log(&[]));
    assert!(log(&[]).contains("> done"), "{}", log(&[]));
    assert_eq!(shown(&of(seat)), [true, true, false]);
    assert_eq!(shown(&of(others)), [false, false, true]);
    assert!(process::moderate_game(&club.open_context(), 1, &Intervention::End, "over").is_ok());
    assert_eq!(shown(&log(&[])), [true; 3]);
}

#[test]
fn absent_player_keeps_secret_order_rewind_drops_it() {
    let mut club = off_the_rails_club("clock: {deadline: 1 day, nmr: forfeit, reminders: []}\n");
    let (name, seat) = active_player(&club);
    club.send_reply(name, "claim gem collector");
    club.run_pass();
    let before = club.record_count();
    for _ in 0..26 {
        club.run_pass();
    }
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    assert_eq!(session.table.last_record_number(), before + 1, "the absence adds one record");
    let line = session.table.records().last().expect("a record").to_line();
    assert!(line.contains("absent") && line.contains("claim gem collector"), "{line}");
    assert!(session.seats[seat.index()].0.queued_orders.is_empty());
    assert_eq!(session.table.verify().findings, []);

    let (name, seat) = active_player(&club);
    club.send_reply(name, "claim gem collector");
    club.run_pass();
    let standing = |club: &Club| {
        process::load_stored_game(&club.open_context(), 1).expect("it opens").seats[seat.index()]
            .0
            .queued_orders
            .clone()
    };
    assert!(!standing(&club).is_empty());
    assert!(
        process::moderate_game(&club.open_context(), 1, &Intervention::Rewind(1), "again").is_ok()
    );
    assert!(standing(&club).is_empty());
}
