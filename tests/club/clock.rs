//! Tests deadlines, reminders, absent players, vacations and outages by the letters that are sent.

use crate::rig::moderator_letters::{ask_as_mod, introduce_mod};
use crate::rig::{Club, PostedLetter, address, postrider_program};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::club::Intervention;
use postrider::club::clock::{ClockRule, Deadline, Length, NmrRule};
use postrider::games::find_kind;
use postrider::mail::transport::PostError;
use postrider::process;

/// Creates a club with a game for three that Ann begins on Monday, 5 January 2026, at 18:00 UTC.
pub(crate) fn start_club(clock: &str) -> Club {
    let mut club = Club::with_settings(&format!("clock: {{{clock}}}\n"));
    assert_eq!(club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7), 1);
    assert_eq!(club.run_pass().1.len(), 3);
    club
}

/// Runs a pass every hour until `hours` after the start. Returns the letters, each with its hour.
pub(crate) fn run_hourly_passes(club: &mut Club, hours: i64) -> Vec<(i64, PostedLetter)> {
    run_passes_every(club, 1, hours)
}

/// Like [`run_hourly_passes`], but with a pass every `every` hours.
pub(crate) fn run_passes_every(
    club: &mut Club,
    every: i64,
    hours: i64,
) -> Vec<(i64, PostedLetter)> {
    let start = start_time();
    let mut letters = Vec::new();
    while club.now < start + TimeDelta::hours(hours) {
        let hour = (club.now - start).num_hours();
        letters.extend(club.run_pass().1.into_iter().map(|letter| (hour, letter)));
        club.now += TimeDelta::hours(every - 1);
    }
    letters
}

fn start_time() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_636_000, 0).expect("a time")
}

pub(crate) fn hours_and_readers(letters: &[(i64, PostedLetter)]) -> Vec<(i64, &str)> {
    let name = |letter: &PostedLetter| letter.to.find('@').expect("an address");
    letters.iter().map(|(hour, letter)| (*hour, &letter.to[..name(letter)])).collect()
}

#[test]
fn absent_player_gets_two_reminders_then_default_order() {
    let mut club = start_club("deadline: 4 days, nmr: forfeit");
    let first = club.last_letter_to("Ann").expect("a letter");
    assert!(first.contains("It's your turn. You have until Fri 9 Jan 2026 18:00 UTC."));
    assert!(first.contains("If we don't hear from you by Fri 9 Jan 2026 18:00 UTC, we play"));
    let others = club.last_letter_to("Bob").expect("a letter");
    assert!(
        others.contains("It's Ann's turn. Deadline: Fri 9 Jan 2026 18:00 UTC."),
        "{}",
        others.body_text()
    );
    let letters = run_hourly_passes(&mut club, 97);
    assert_eq!(
        hours_and_readers(&letters),
        [(48, "ann"), (72, "ann"), (96, "ann"), (96, "bob"), (96, "cid")]
    );
    let reminder = &letters[0].1;
    assert!(reminder.contains("This is a reminder."), "{}", reminder.body_text());
    assert!(reminder.contains("we'll play this for you: build"), "{}", reminder.body_text());
    assert!(letters[2].1.contains("You missed the deadline, so we played your turn for you:"));
    assert!(letters[3].1.contains("Ann missed the deadline, so we played their turn:"));
    assert!(letters[3].1.contains("You have until Tue 13 Jan 2026 18:00 UTC."));
    assert_eq!(club.record_count(), 2);
    let report =
        process::load_stored_game(&club.open_context(), 1).expect("it opens").table.verify();
    assert_eq!((report.findings, report.orders), (vec![], 1));
    // After an absent turn, the player can go on as usual.
    club.send_reply("Ann", "status");
    club.send_reply("Bob", "build black F24");
    run_hourly_passes(&mut club, 99);
    assert_eq!(club.record_count(), 3);
}

#[test]
fn waiting_game_tells_late_player_and_moderator() {
    let mut club = start_club("deadline: 24 hours, reminders: []");
    let letters = run_passes_every(&mut club, 1, 30).into_iter();
    let letters: Vec<_> = letters.chain(run_passes_every(&mut club, 6, 24 * 9)).collect();
    assert_eq!(hours_and_readers(&letters), [(24, "ann"), (24, "mod"), (192, "ann")]);
    assert!(letters[0].1.contains("were due Tue 6 Jan 2026 18:00 UTC."));
    assert!(letters[0].1.contains("Your orders haven't come. The game is waiting for them."));
    assert!(letters[1].1.contains("Ann missed the deadline in game 1"));
    club.send_reply("Bob", "status");
    club.run_pass();
    let others = club.last_letter_to("Bob").expect("a letter");
    assert!(others.contains("Ann's orders were due Tue 6 Jan"), "{}", others.body_text());
    club.send_reply("Ann", "build red G23");
    club.run_pass();
    assert_eq!(club.record_count(), 2);
    assert!(club.last_letter_to("Ann").expect("a letter").contains("Bob's turn. Deadline"));
}

#[test]
fn letter_before_deadline_counts_when_read_late() {
    let mut club = start_club("deadline: 24 hours, nmr: forfeit, reminders: []");
    run_hourly_passes(&mut club, 23);
    club.send_reply("Ann", "build red G23");
    // The gap between passes is too short for an outage, but the deadline is in it.
    club.now = start_time() + TimeDelta::hours(28);
    let (report, _) = club.run_pass();
    assert_eq!((report.carried_out, report.absent_turns, club.record_count()), (1, 0, 2));
}

#[test]
fn time_bank_is_charged_by_arrival_time() {
    for (hours, paid) in [(23, 0), (26, 2), (99, 4)] {
        let mut club = start_club("deadline: 1 day, nmr: forfeit, reminders: [], bank: 1 day");
        run_hourly_passes(&mut club, 24);
        let name = club.send_reply("Ann", "build red G23");
        let path = club.folder().join("inbox/new").join(name);
        let file = std::fs::File::options().write(true).open(path).expect("the letter");
        let came = start_time() + TimeDelta::hours(hours);
        file.set_modified(came.into()).expect("a time");
        // The pass runs 28 hours after Ann was asked. The gap is too short for an outage.
        club.now = start_time() + TimeDelta::hours(28);
        let (report, _) = club.run_pass();
        assert_eq!((report.carried_out, report.absent_turns, club.record_count()), (1, 0, 2));
        let clock = process::load_stored_game(&club.open_context(), 1)
            .expect("it opens")
            .clock
            .expect("a clock");
        let left = clock.remaining_time_bank(postrider::rules::Seat::new(1));
        assert_eq!(left, TimeDelta::hours(24 - paid), "it came at {came}");
        let asked = clock.wait_of_seat(postrider::rules::Seat::new(2)).expect("Bob").since;
        assert_eq!(asked, start_time() + TimeDelta::hours(28));
    }
}

#[test]
fn unreadable_games_do_not_stop_other_games() {
    let mut club = Club::new();
    for _ in 0..3 {
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    }
    let six_days = ClockRule::Deadline(Deadline::parse("6 days").expect("words"));
    let rules = Intervention::Set(vec![six_days]);
    assert!(process::moderate_game(&club.open_context(), 1, &rules, "a trial").is_ok());
    club.run_pass();
    let line = |game| postrider::store::LogLine { game, seq: 2, line: "{}".to_owned() };
    let damage =
        postrider::store::Batch { log_lines: vec![line(1), line(2)], ..Default::default() };
    club.open_context().store.write_without_conflict_check(&damage).expect("written");
    let letters = run_passes_every(&mut club, 6, 24 * 8);
    let to = hours_and_readers(&letters);
    let mods = to.iter().filter(|(_, name)| *name == "mod").count();
    let reminded = to.iter().filter(|(_, name)| *name == "ann").count();
    assert_eq!((mods, reminded), (2, 1), "{to:?}");
}

#[test]
fn reminders_are_sent_once_despite_late_passes() {
    let mut club = start_club("deadline: 4 days, nmr: forfeit");
    // The pass of the first reminder comes five hours late. A second pass follows at once.
    run_hourly_passes(&mut club, 48);
    club.now = start_time() + TimeDelta::hours(53);
    assert_eq!(club.run_pass().0.reminders, 1);
    club.now = start_time() + TimeDelta::hours(53);
    assert_eq!(club.run_pass().0.reminders, 0);
    assert_eq!(hours_and_readers(&run_hourly_passes(&mut club, 90)), [(72, "ann")]);
}

#[test]
fn outage_extends_deadlines_and_is_reported_once() {
    let mut club = start_club("deadline: 2 days, nmr: forfeit, bank: 1 day");
    run_hourly_passes(&mut club, 30);
    club.now = start_time() + TimeDelta::hours(30 + 72);
    let (report, letters) = club.run_pass();
    assert_eq!((report.absent_turns, report.reminders, letters.len()), (0, 1, 2));
    let note = letters.iter().find(|letter| letter.to.starts_with("mod")).expect("a note");
    assert!(
        note.contains("No pass ran since Tue 6 Jan 2026 23:00 UTC, for 73 hours, or"),
        "{}",
        note.body_text()
    );
    let ann = club.last_letter_to("Ann").expect("a letter");
    assert!(ann.contains("so you have 73 hours more."), "{}", ann.body_text());
    // The original deadline was 48 hours after the start.
    assert!(ann.contains("You have until Sat 10 Jan 2026 19:00 UTC."), "{}", ann.body_text());
    assert!(ann.contains("You also have a day in your time bank"), "{}", ann.body_text());
    club.send_reply("Ann", "build red G23");
    club.run_pass();
    assert_eq!(club.record_count(), 2);
}

#[test]
fn outbound_outage_extends_deadline_of_uninformed_player() {
    let mut club = start_club("deadline: 24 hours, nmr: forfeit, reminders: []");
    club.send_reply("Ann", "build red G23");
    club.transport.error = Some(PostError::Unavailable("no route to host".to_owned()));
    assert!(run_hourly_passes(&mut club, 60).is_empty());
    assert_eq!(club.record_count(), 2, "Bob does not know yet that it is his turn");
    club.transport.error = None;
    let letters = run_hourly_passes(&mut club, 80);
    assert_eq!(hours_and_readers(&letters)[..3], [(60, "ann"), (60, "bob"), (60, "cid")]);
    let [.., (61, bob)] = letters.as_slice() else { panic!("{:?}", hours_and_readers(&letters)) };
    assert!(bob.contains("so you have 59 hours more."), "{}", bob.body_text());
    let reports_outage = |letter: &&(i64, PostedLetter)| {
        letter.1.contains("We couldn't send any e-mails since Mon 5 Jan 2026")
    };
    assert_eq!(letters.iter().filter(reports_outage).count(), 1);
    assert_eq!((letters.len(), club.record_count()), (5, 2));
    // The deadline is 24 hours after Bob was asked, plus 59 hours.
    assert!(bob.contains("until Fri 9 Jan 2026 06:00 UTC."), "{}", bob.body_text());
    run_hourly_passes(&mut club, 90);
    assert_eq!(club.record_count(), 3);
}

#[test]
fn letter_read_after_outage_costs_no_bank() {
    let mut club = start_club("deadline: 1 day, nmr: forfeit, bank: 1 day");
    run_hourly_passes(&mut club, 20);
    club.send_reply("Ann", "build red G23");
    club.now = start_time() + TimeDelta::hours(20 + 48);
    let (report, _) = club.run_pass();
    assert_eq!((report.carried_out, report.absent_turns), (1, 0));
    let clock = process::load_stored_game(&club.open_context(), 1)
        .expect("it opens")
        .clock
        .expect("a clock");
    assert_eq!(clock.remaining_time_bank(postrider::rules::Seat::new(1)), TimeDelta::days(1));
}

#[test]
fn vacation_and_zone_answer_states_new_deadline() {
    let mut club = start_club("deadline: 3 days, nmr: forfeit, vacation_days_per_year: 10");
    club.send_reply("Ann", "zone Europe/Madrid\nvacation 2026-01-06 to 2026-01-12");
    let (_, letters) = club.run_pass();
    let [letter] = letters.as_slice() else { panic!("{letters:?}") };
    assert!(
        letter.contains("Your time zone is now Europe/Madrid, where it's Mon 5 Jan 2026 20:00")
    );
    assert!(letter.contains("You're on vacation from 6 Jan 2026 to 12 Jan 2026."));
    // Ann was asked on Monday at 19:00 in Madrid. The days of the vacation are not counted.
    assert!(letter.contains("until Thu 15 Jan 2026 19:00 CET."), "{}", letter.body_text());
    club.send_reply("Ann", "vacation 2026-02-01 to 2026-02-04");
    club.run_pass();
    let refused = club.last_letter_to("Ann").expect("a letter");
    assert!(refused.contains("You have 3 left in 2026"), "{}", refused.body_text());
    let letters = run_passes_every(&mut club, 4, 24 * 10);
    assert_eq!(hours_and_readers(&letters), [(175, "ann"), (219, "ann")]);
    assert!(letters.iter().all(|(_, letter)| letter.contains("This is a reminder.")));
    club.send_reply("Ann", "no vacation\nbuild red G23");
    club.run_pass();
    let ann = club.last_letter_to("Ann").expect("a letter");
    assert!(ann.contains("We've cancelled your vacations from today on."), "{}", ann.body_text());
    assert_eq!(club.record_count(), 2);
    // The journal holds all of it.
    let restored =
        postrider::store::journal::read_journal(&club.folder().join("journal")).expect("read");
    assert_eq!(restored.members[&1].time.zone().name(), "Europe/Madrid");
    assert!(restored.clocks.into_iter().eq(club.open_context().store.clocks().expect("read")));
}

#[test]
fn others_see_vacation_reason_without_extra_letter() {
    let mut club = start_club("deadline: 3 days");
    club.send_reply("Ann", "zone Europe/Madrid\nvacation 2026-01-06 to 2026-01-12");
    assert_eq!(club.run_pass().1.len(), 1);
    club.send_reply("Bob", "status");
    club.run_pass();
    let answer = club.last_letter_to("Bob").expect("a letter");
    assert!(answer.contains("Ann's turn. Deadline: Thu 15 Jan 2026 18:00 UTC."));
    let why = "Ann's time doesn't count until Mon 12 Jan 2026 23:00 UTC, because of a vacation.";
    assert!(answer.contains(why), "{}", answer.body_text());
    // A vacation that moves no deadline is not shown to others.
    club.send_reply("Ann", "no vacation\nvacation 2026-03-06 to 2026-03-12");
    club.send_reply("Bob", "status");
    club.run_pass();
    assert!(!club.last_letter_to("Bob").expect("a letter").contains("time doesn't count until"));
}

#[test]
fn invalid_vacation_line_refuses_whole_letter() {
    let mut club = start_club("deadline: 3 days");
    club.send_reply("Ann", "build red G23\nvacation in summer");
    club.run_pass();
    let refused = club.last_letter_to("Ann").expect("a letter");
    assert!(
        refused.contains("Line 2 of your e-mail: vacation in summer"),
        "{}",
        refused.body_text()
    );
    assert_eq!(club.record_count(), 1);
    club.send_reply("Ann", "preview\nvacation 2026-01-06");
    club.run_pass();
    assert!(club.last_text_to("Ann").contains("Nothing has been done"));
    assert!(club.open_context().store.member(1).expect("read").expect("Ann").time.is_default());
}

#[test]
fn clock_interventions_are_announced_to_all_players() {
    let mut club = start_club("deadline: 24 hours, nmr: forfeit, reminders: []");
    let set = |club: &mut Club, what| {
        let done = process::split_refusal(process::moderate_game(
            &club.open_context(),
            1,
            &what,
            "the server moves",
        ))
        .expect("it works");
        assert!(done.is_ok());
        club.run_pass().1
    };
    let letters = set(&mut club, Intervention::Extend(Length::Days(1)));
    assert_eq!(letters.len(), 3);
    assert!(letters[0].contains("extended the deadline by a day: the server moves"));
    assert!(letters[0].contains("until Wed 7 Jan 2026 18:00 UTC."), "{}", letters[0].body_text());
    set(&mut club, Intervention::Pause);
    assert!(run_passes_every(&mut club, 6, 24 * 5).is_empty());
    assert!(set(&mut club, Intervention::Resume)[0].contains("until Mon 12 Jan 2026 19:00 UTC."));
    let weekly = vec![
        ClockRule::Deadline(Deadline::parse("Sun 20:00 Europe/Madrid").expect("words")),
        ClockRule::Grace(Some(Length::parse("6 hours").expect("words"))),
        ClockRule::Nmr(NmrRule::Wait),
    ];
    let letters = set(&mut club, Intervention::Set(weekly));
    assert!(letters[0].contains("until Sun 18 Jan 2026 19:00 UTC."), "{}", letters[0].body_text());
    assert!(process::moderate_game(&club.open_context(), 1, &Intervention::End, "enough").is_ok());
    assert_eq!(club.run_pass().1.len(), 3);
    assert!(run_passes_every(&mut club, 6, 24 * 9).is_empty());
    assert_eq!(club.open_context().store.due_time(1).expect("read"), None);
    assert!(
        process::split_refusal(process::moderate_game(
            &club.open_context(),
            1,
            &Intervention::Pause,
            "?"
        ))
        .expect("it works")
        .is_err()
    );
}

#[test]
fn clock_rule_changes_keep_granted_extension() {
    let mut club = start_club("deadline: 24 hours, nmr: forfeit, reminders: [], bank: 1 day");
    introduce_mod(&mut club);
    ask_as_mod(&mut club, "extend 1 by 3 days because of the holidays");
    let deadline = "until Fri 9 Jan 2026 18:00 UTC.";
    assert!(club.last_letter_to("Ann").expect("a letter").contains(deadline));
    let lines = ["grace 6 hours", "bank 2 days", "increment 3 hours", "nmr wait"];
    for line in lines.into_iter().chain(["deadline 30 hours", "nmr forfeit"]) {
        ask_as_mod(&mut club, &format!("set 1 {line} because it is better"));
        let ann = club.last_letter_to("Ann").expect("a letter");
        assert!(
            ann.contains("The moderator has changed the clock rules of this game"),
            "{}",
            ann.body_text()
        );
        assert!(ann.contains(deadline), "{line}: {}", ann.body_text());
    }
    // The command line also keeps the other rules of the game.
    let arguments = ["clock", "1", "--deadline", "2 days", "--reason", "x"];
    let (code, text) =
        postrider_program::run_postrider(club.folder(), &club.now.to_rfc3339(), &arguments);
    assert_eq!(code, Some(0), "{text}");
    let rules = club.open_context().store.clock(1).expect("it reads").expect("a clock").rules;
    assert_eq!(rules.bank, Some(Length::Days(2)));
    assert_eq!(rules.increment, Some(Length::parse("3 hours").expect("words")));
    assert_eq!(rules.grace, Some(Length::parse("6 hours").expect("words")));
}

#[test]
fn gap_around_first_pass_extends_deadline() {
    for passes in [0, 1] {
        let mut club =
            Club::with_settings("clock: {deadline: 1 day, nmr: forfeit, reminders: []}\n");
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
        (0..passes).for_each(|_| drop(club.run_pass()));
        club.now = start_time() + TimeDelta::days(5);
        let (report, letters) = club.run_pass();
        assert_eq!((report.absent_turns, club.record_count()), (0, 1), "after {passes} passes");
        let ann = letters.iter().rfind(|letter| letter.to.starts_with("ann")).expect("a letter");
        assert!(ann.contains("until Sun 11 Jan 2026 18:00 UTC."), "{}", ann.body_text());
        let note = letters.iter().find(|letter| letter.to.starts_with("mod")).expect("a note");
        assert!(
            note.contains("No pass ran since Mon 5 Jan 2026 18:00 UTC"),
            "{}",
            note.body_text()
        );
        run_hourly_passes(&mut club, 24 * 6 + 1);
        assert_eq!(club.record_count(), 2, "the new deadline passes");
    }
}

#[test]
fn rewind_restarts_deadline() {
    let mut club = start_club("deadline: 24 hours, nmr: forfeit, reminders: []");
    club.send_reply("Ann", "build red G23");
    run_hourly_passes(&mut club, 20);
    assert!(
        process::moderate_game(&club.open_context(), 1, &Intervention::Rewind(1), "a slip").is_ok()
    );
    club.run_pass();
    assert!(
        club.last_letter_to("Ann").expect("a letter").contains("until Wed 7 Jan 2026 14:00 UTC.")
    );
}

#[test]
fn three_missed_turns_are_reported_to_moderator() {
    let mut club = start_club("deadline: 1 hour, nmr: forfeit, reminders: []");
    let letters = run_hourly_passes(&mut club, 10);
    let notes: Vec<_> = letters.iter().filter(|(_, letter)| letter.to.starts_with("mod")).collect();
    let [(7, note), ..] = notes.as_slice() else { panic!("{:?}", hours_and_readers(&letters)) };
    assert!(note.contains("Ann has missed 3 turns of game 1"), "{}", note.body_text());
    assert_eq!(notes.len(), 3);
}

#[test]
fn clock_command_sets_and_shows_clocks() {
    let club = Club::new();
    let run = |arguments: &[&str]| {
        postrider_program::run_postrider(club.folder(), "2026-01-05T18:00:00Z", arguments)
    };
    let players = ["--player", "ann@x.org", "--player", "bob@x.org", "--player", "cid@x.org"];
    let new = |more: &[&str]| run(&[&["new", "paris-connection"], &players[..], more].concat());
    assert_eq!(new(&["--deadline", "3 days", "--nmr", "forfeit"]).0, Some(0));
    assert_eq!(new(&[]).0, Some(0));
    assert_eq!(new(&["--deadline", "soon"]).0, Some(64));
    assert_eq!(new(&["--nmr", "forfeit"]).0, Some(64));
    let (code, text) = run(&["clock", "1"]);
    assert_eq!(code, Some(0));
    assert!(
        text.contains("Game 1: 3 days; then it continues without the absent players."),
        "{text}"
    );
    assert!(text.contains(": due 2026-01-08 18:00 UTC (72 hours left), 0 missed"), "{text}");
    let (code, text) = run(&["clock", "1", "--extend", "2 days", "--reason", "a holiday"]);
    assert!(code == Some(0) && text.contains("due 2026-01-10 18:00 UTC"), "{text}");
    assert_eq!(run(&["clock", "1", "--pause"]).0, Some(64));
    assert_eq!(run(&["clock", "2", "--pause", "--reason", "x"]).0, Some(64));
    assert!(run(&["clock", "2"]).1.contains("no clock"));
}

#[test]
fn plan_and_vacation_may_share_one_letter() {
    let mut club = start_club("deadline: 3 days");
    club.send_reply("Bob", "auto forced on\nvacation 2026-02-01 to 2026-02-04");
    club.run_pass();
    let answer = club.last_letter_to("Bob").expect("a letter");
    assert!(answer.contains("We've saved your plans."), "{}", answer.body_text());
    assert!(answer.contains("You're on vacation from 1 Feb 2026"), "{}", answer.body_text());
}

#[test]
fn restored_clocks_keep_remaining_time() {
    let mut club = start_club("deadline: 2 days, nmr: forfeit, bank: 1 day");
    club.send_reply("Ann", "build red G23");
    club.run_pass();
    std::fs::remove_dir_all(club.folder().join("store")).expect("lost");
    std::fs::rename(club.folder().join("journal"), club.folder().join("saved")).expect("saved");
    club.now += TimeDelta::days(9);
    let restored =
        process::restore(&club.open_context(), &club.folder().join("saved")).expect("restored");
    assert_eq!(restored.games, 1);
    let (report, letters) = club.run_pass();
    assert_eq!((report.absent_turns, report.reminders, club.record_count()), (0, 1, 2));
    // Bob has as much time left as when the outage began.
    let bob = letters.iter().find(|letter| letter.to == address("Bob")).expect("a reminder");
    assert!(bob.contains("You have until Fri 16 Jan 2026 20:00 UTC."), "{}", bob.body_text());
}

#[test]
fn game_without_clock_shows_no_deadline() {
    let mut club = Club::new();
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    let (_, letters) = club.run_pass();
    assert!(!letters[0].body_text().contains("UTC"), "{}", letters[0].body_text());
    assert!(club.open_context().store.clocks().expect("read").is_empty());
    club.send_reply("Ann", "zone America/New_York");
    club.run_pass();
    assert!(club.last_text_to("Ann").contains("America/New_York"));
}
