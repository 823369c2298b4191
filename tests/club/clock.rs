//! Time, seen from outside: deadlines in letters, reminders, absent players, vacations, outages.

use crate::rig::moderator::{mod_asks, mod_is_known};
use crate::rig::{Club, Posted, address, command};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::club::Intervention;
use postrider::club::clock::{ClockRule, Deadline, Length, Nmr};
use postrider::games::kind;
use postrider::mail::transport::PostError;
use postrider::process;

/// A club with one game of Paris Connection for three that Ann begins on Monday, 5 January 2026, at
/// 18:00 UTC. Its first letters are posted.
fn club(clock: &str) -> Club {
    let mut club = Club::with(&format!("clock: {{{clock}}}\n"));
    assert_eq!(club.found(kind("paris-connection").expect("it ships"), 3, 7), 1);
    assert_eq!(club.pass().1.len(), 3);
    club
}

/// Passes every hour until `hours` after the club began; all letters, with the hour of each.
fn hourly(club: &mut Club, hours: i64) -> Vec<(i64, Posted)> {
    passes(club, 1, hours)
}

/// Passes every so many hours.
fn passes(club: &mut Club, every: i64, hours: i64) -> Vec<(i64, Posted)> {
    let start = start();
    let mut letters = Vec::new();
    while club.now < start + TimeDelta::hours(hours) {
        let hour = (club.now - start).num_hours();
        letters.extend(club.pass().1.into_iter().map(|letter| (hour, letter)));
        club.now += TimeDelta::hours(every - 1);
    }
    letters
}

fn start() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_636_000, 0).expect("a time")
}

/// Whom letters went to, and when.
fn when(letters: &[(i64, Posted)]) -> Vec<(i64, &str)> {
    let name = |letter: &Posted| letter.to.find('@').expect("an address");
    letters.iter().map(|(hour, letter)| (*hour, &letter.to[..name(letter)])).collect()
}

#[test]
fn letters_say_until_when_and_the_absent_are_played_for_after_two_reminders() {
    let mut club = club("deadline: 4 days, nmr: forfeit");
    let first = club.last_to("Ann").expect("a letter");
    assert!(first.says("It is your turn. You have until Fri 9 Jan 2026 18:00 UTC."));
    assert!(first.says("Please send your orders by Fri 9 Jan 2026 18:00 UTC."));
    assert!(first.says("If nothing of yours has come by Fri 9 Jan 2026 18:00 UTC, you count as"));
    let others = club.last_to("Bob").expect("a letter");
    assert!(
        others.says("The orders of Ann are due by Fri 9 Jan 2026 18:00 UTC."),
        "{}",
        others.text()
    );
    let letters = hourly(&mut club, 97);
    assert_eq!(when(&letters), [(48, "ann"), (72, "ann"), (96, "ann"), (96, "bob"), (96, "cid")]);
    let reminder = &letters[0].1;
    assert!(reminder.says("This is a reminder."), "{}", reminder.text());
    assert!(reminder.says("what would be done for you is: build"), "{}", reminder.text());
    assert!(letters[2].1.says("No orders of yours had come, so what the game has for absent"));
    assert!(letters[3].1.says("No orders of Ann had come, so what the game has for absent"));
    assert!(letters[3].1.says("Please send your orders by Tue 13 Jan 2026 18:00 UTC."));
    assert_eq!(club.head(), 2);
    let report = process::open_game(&club.context(), 1).expect("it opens").table.verify();
    assert_eq!((report.findings, report.orders), (vec![], 1));
    // Whoever was absent takes part again as if nothing had been.
    club.writes("Ann", "status");
    club.writes("Bob", "build black F24");
    hourly(&mut club, 99);
    assert_eq!(club.head(), 3);
}

#[test]
fn a_game_that_waits_tells_the_late_player_and_the_moderator_and_waits() {
    let mut club = club("deadline: 24 hours, reminders: []");
    let letters = passes(&mut club, 1, 30).into_iter();
    let letters: Vec<_> = letters.chain(passes(&mut club, 6, 24 * 9)).collect();
    assert_eq!(when(&letters), [(24, "ann"), (24, "mod"), (192, "ann")]);
    assert!(letters[0].1.says("were due by Tue 6 Jan 2026 18:00 UTC and have not come"));
    assert!(letters[1].1.says("Ann has missed the deadline in game 1"));
    club.writes("Bob", "status");
    club.pass();
    let others = club.last_to("Bob").expect("a letter");
    assert!(others.says("The orders of Ann were due by Tue 6 Jan"), "{}", others.text());
    club.writes("Ann", "build red G23");
    club.pass();
    assert_eq!(club.head(), 2);
    assert!(club.last_to("Ann").expect("a letter").says("The orders of Bob are due by"));
}

#[test]
fn a_letter_in_time_that_is_read_late_counts() {
    let mut club = club("deadline: 24 hours, nmr: forfeit, reminders: []");
    hourly(&mut club, 23);
    club.writes("Ann", "build red G23");
    // Less than an outage, and over the deadline.
    club.now = start() + TimeDelta::hours(28);
    let (report, _) = club.pass();
    assert_eq!((report.carried_out, report.absent, club.head()), (1, 0, 2));
}

#[test]
fn the_bank_pays_for_when_a_letter_came_and_not_for_when_it_was_read() {
    for (hours, paid) in [(23, 0), (26, 2), (99, 4)] {
        let mut club = club("deadline: 1 day, nmr: forfeit, reminders: [], bank: 1 day");
        hourly(&mut club, 24);
        let name = club.writes("Ann", "build red G23");
        let path = club.folder().join("inbox/new").join(name);
        let file = std::fs::File::options().write(true).open(path).expect("the letter");
        let came = start() + TimeDelta::hours(hours);
        file.set_modified(came.into()).expect("a time");
        // A day and four hours after Ann was asked; no outage.
        club.now = start() + TimeDelta::hours(28);
        let (report, _) = club.pass();
        assert_eq!((report.carried_out, report.absent, club.head()), (1, 0, 2));
        let clock =
            process::open_game(&club.context(), 1).expect("it opens").clock.expect("a clock");
        let left = clock.bank_left(postrider::rules::Seat::new(1));
        assert_eq!(left, TimeDelta::hours(24 - paid), "it came at {came}");
        let asked = clock.wait(postrider::rules::Seat::new(2)).expect("Bob").since;
        assert_eq!(asked, start() + TimeDelta::hours(28));
    }
}

#[test]
fn a_broken_game_with_a_clock_and_one_without_stop_no_other() {
    let mut club = Club::new();
    for _ in 0..3 {
        club.found(kind("paris-connection").expect("it ships"), 3, 7);
    }
    let six_days = ClockRule::Deadline(Deadline::read("6 days").expect("words"));
    let rules = Intervention::Set(vec![six_days]);
    assert!(process::moderate(&club.context(), 1, &rules, "a trial").is_ok());
    club.pass();
    let line = |game| postrider::store::LogLine { game, seq: 2, line: "{}".to_owned() };
    let damage =
        postrider::store::Batch { log_lines: vec![line(1), line(2)], ..Default::default() };
    club.context().store.write(&damage).expect("written");
    let letters = passes(&mut club, 6, 24 * 8);
    let to = when(&letters);
    let mods = to.iter().filter(|(_, name)| *name == "mod").count();
    let reminded = to.iter().filter(|(_, name)| *name == "ann").count();
    assert_eq!((mods, reminded), (2, 1), "{to:?}");
}

#[test]
fn reminders_are_neither_doubled_nor_skipped_when_a_pass_is_late_or_run_again() {
    let mut club = club("deadline: 4 days, nmr: forfeit");
    // The pass of the first reminder comes five hours late, and at once again.
    hourly(&mut club, 48);
    club.now = start() + TimeDelta::hours(53);
    assert_eq!(club.pass().0.reminded, 1);
    club.now = start() + TimeDelta::hours(53);
    assert_eq!(club.pass().0.reminded, 0);
    assert_eq!(when(&hourly(&mut club, 90)), [(72, "ann")]);
}

#[test]
fn an_outage_costs_nobody_anything_and_is_told_once() {
    let mut club = club("deadline: 2 days, nmr: forfeit, bank: 1 day");
    hourly(&mut club, 30);
    club.now = start() + TimeDelta::hours(30 + 72);
    let (report, letters) = club.pass();
    assert_eq!((report.absent, report.reminded, letters.len()), (0, 1, 2));
    let note = letters.iter().find(|letter| letter.to.starts_with("mod")).expect("a note");
    assert!(
        note.says("No pass ran since Tue 6 Jan 2026 23:00 UTC, for 73 hours, or"),
        "{}",
        note.text()
    );
    let ann = club.last_to("Ann").expect("a letter");
    assert!(ann.says("so you have 73 hours more."), "{}", ann.text());
    // The deadline was 48 hours after the beginning.
    assert!(ann.says("Please send your orders by Sat 10 Jan 2026 19:00 UTC."), "{}", ann.text());
    assert!(ann.says("Your time bank holds a day besides"), "{}", ann.text());
    club.writes("Ann", "build red G23");
    club.pass();
    assert_eq!(club.head(), 2);
}

#[test]
fn nobody_is_absent_who_could_not_be_told_because_the_way_out_was_closed() {
    let mut club = club("deadline: 24 hours, nmr: forfeit, reminders: []");
    club.writes("Ann", "build red G23");
    club.pigeon.fails = Some(PostError::Down("no route to host".to_owned()));
    assert!(hourly(&mut club, 60).is_empty());
    assert_eq!(club.head(), 2, "Bob does not know yet that it is his turn");
    club.pigeon.fails = None;
    let letters = hourly(&mut club, 80);
    assert_eq!(when(&letters)[..3], [(60, "ann"), (60, "bob"), (60, "cid")]);
    let [.., (61, bob)] = letters.as_slice() else { panic!("{:?}", when(&letters)) };
    assert!(bob.says("so you have 59 hours more."), "{}", bob.text());
    let told =
        |letter: &&(i64, Posted)| letter.1.says("Nothing could be posted since Mon 5 Jan 2026");
    assert_eq!(letters.iter().filter(told).count(), 1);
    assert_eq!((letters.len(), club.head()), (5, 2));
    // 24 hours after he was asked, and 59 more.
    assert!(bob.says("by Fri 9 Jan 2026 06:00 UTC."), "{}", bob.text());
    hourly(&mut club, 90);
    assert_eq!(club.head(), 3);
}

#[test]
fn mail_that_waited_through_an_outage_costs_no_bank() {
    let mut club = club("deadline: 1 day, nmr: forfeit, bank: 1 day");
    hourly(&mut club, 20);
    club.writes("Ann", "build red G23");
    club.now = start() + TimeDelta::hours(20 + 48);
    let (report, _) = club.pass();
    assert_eq!((report.carried_out, report.absent), (1, 0));
    let clock = process::open_game(&club.context(), 1).expect("it opens").clock.expect("a clock");
    assert_eq!(clock.bank_left(postrider::rules::Seat::new(1)), TimeDelta::days(1));
}

#[test]
fn vacations_and_zones_are_set_by_letter_and_answered_with_the_new_deadline() {
    let mut club = club("deadline: 3 days, nmr: forfeit, vacation_days_per_year: 10");
    club.writes("Ann", "zone Europe/Madrid\nvacation 2026-01-06 to 2026-01-12");
    let (_, letters) = club.pass();
    let [letter] = letters.as_slice() else { panic!("{letters:?}") };
    assert!(letter.says("Your time zone is now Europe/Madrid, where it is Mon 5 Jan 2026 20:00"));
    assert!(letter.says("You are on vacation from 6 Jan 2026 to 12 Jan 2026."));
    // Asked on Monday at 19:00 in Madrid: three days, none of them in the vacation.
    assert!(letter.says("by Thu 15 Jan 2026 19:00 CET."), "{}", letter.text());
    club.writes("Ann", "vacation 2026-02-01 to 2026-02-04");
    club.pass();
    let refused = club.last_to("Ann").expect("a letter");
    assert!(refused.says("you have 3 of 2026 left"), "{}", refused.text());
    let letters = passes(&mut club, 4, 24 * 10);
    assert_eq!(when(&letters), [(123, "ann"), (219, "ann")]);
    assert!(letters.iter().all(|(_, letter)| letter.says("This is a reminder.")));
    club.writes("Ann", "no vacation\nbuild red G23");
    club.pass();
    let told = club.last_to("Ann").expect("a letter");
    assert!(told.says("Your vacations from today on are taken back."), "{}", told.text());
    assert_eq!(club.head(), 2);
    // All of it survives in the journal.
    let restored = postrider::store::journal::read(&club.folder().join("journal")).expect("read");
    assert_eq!(restored.members[&1].time.zone().name(), "Europe/Madrid");
    assert!(restored.clocks.into_iter().eq(club.context().store.clocks().expect("read")));
}

#[test]
fn who_waits_hears_why_a_deadline_is_later_and_no_letter_is_written_for_it() {
    let mut club = club("deadline: 3 days");
    club.writes("Ann", "zone Europe/Madrid\nvacation 2026-01-06 to 2026-01-12");
    assert_eq!(club.pass().1.len(), 1);
    club.writes("Bob", "status");
    club.pass();
    let told = club.last_to("Bob").expect("a letter");
    assert!(told.says("The orders of Ann are due by Thu 15 Jan 2026 18:00 UTC."));
    let why = "No time is counted for Ann up to Mon 12 Jan 2026 23:00 UTC, for a vacation;";
    assert!(told.says(why), "{}", told.text());
    // A vacation that moves nothing is nobody's business.
    club.writes("Ann", "no vacation\nvacation 2026-03-06 to 2026-03-12");
    club.writes("Bob", "status");
    club.pass();
    assert!(!club.last_to("Bob").expect("a letter").says("No time is counted"));
}

#[test]
fn a_vacation_is_no_order_and_a_bad_one_refuses_the_letter() {
    let mut club = club("deadline: 3 days");
    club.writes("Ann", "build red G23\nvacation in summer");
    club.pass();
    let refused = club.last_to("Ann").expect("a letter");
    assert!(refused.says("Line 2 of your letter: vacation in summer"), "{}", refused.text());
    assert_eq!(club.head(), 1);
    club.writes("Ann", "preview\nvacation 2026-01-06");
    club.pass();
    assert!(club.last_text("Ann").contains("nothing has been done"));
    assert!(club.context().store.member(1).expect("read").expect("Ann").time.is_default());
}

#[test]
fn the_moderators_hand_on_the_clock_is_told_to_everyone() {
    let mut club = club("deadline: 24 hours, nmr: forfeit, reminders: []");
    let set = |club: &mut Club, what| {
        let done =
            process::answered(process::moderate(&club.context(), 1, &what, "the server moves"))
                .expect("it works");
        assert!(done.is_ok());
        club.pass().1
    };
    let letters = set(&mut club, Intervention::Extend(Length::Days(1)));
    assert_eq!(letters.len(), 3);
    assert!(letters[0].says("put the deadline off by a day: the server moves"));
    assert!(letters[0].says("by Wed 7 Jan 2026 18:00 UTC."), "{}", letters[0].text());
    set(&mut club, Intervention::Pause);
    assert!(passes(&mut club, 6, 24 * 5).is_empty());
    assert!(set(&mut club, Intervention::Resume)[0].says("by Mon 12 Jan 2026 19:00 UTC."));
    let weekly = vec![
        ClockRule::Deadline(Deadline::read("Sun 20:00 Europe/Madrid").expect("words")),
        ClockRule::Grace(Some(Length::read("6 hours").expect("words"))),
        ClockRule::Nmr(Nmr::Wait),
    ];
    let letters = set(&mut club, Intervention::Set(weekly));
    assert!(letters[0].says("by Sun 18 Jan 2026 19:00 UTC."), "{}", letters[0].text());
    assert!(process::moderate(&club.context(), 1, &Intervention::End, "enough").is_ok());
    assert_eq!(club.pass().1.len(), 3);
    assert!(passes(&mut club, 6, 24 * 9).is_empty());
    assert_eq!(club.context().store.due_at(1).expect("read"), None);
    assert!(
        process::answered(process::moderate(&club.context(), 1, &Intervention::Pause, "?"))
            .expect("it works")
            .is_err()
    );
}

#[test]
fn what_the_moderator_sets_throws_nothing_away_that_was_granted() {
    let mut club = club("deadline: 24 hours, nmr: forfeit, reminders: [], bank: 1 day");
    mod_is_known(&mut club);
    mod_asks(&mut club, "extend 1 by 3 days because of the holidays");
    let told = "by Fri 9 Jan 2026 18:00 UTC.";
    assert!(club.last_to("Ann").expect("a letter").says(told));
    for line in ["grace 6 hours", "bank 2 days", "nmr wait", "deadline 30 hours", "nmr forfeit"] {
        mod_asks(&mut club, &format!("set 1 {line} because it is better"));
        let ann = club.last_to("Ann").expect("a letter");
        assert!(ann.says("The moderator has set the clock of this game anew"), "{}", ann.text());
        assert!(ann.says(told), "{line}: {}", ann.text());
    }
    // By the command line the game's own rules stay as well.
    let arguments = ["clock", "1", "--deadline", "2 days", "--reason", "x"];
    let (code, said) = command::run(club.folder(), &club.now.to_rfc3339(), &arguments);
    assert_eq!(code, Some(0), "{said}");
    let rules = club.context().store.clock(1).expect("it reads").expect("a clock").rules;
    assert_eq!(rules.bank, Some(Length::Days(2)));
    assert_eq!(rules.grace, Some(Length::read("6 hours").expect("words")));
}

#[test]
fn a_long_gap_after_the_first_pass_or_before_it_costs_nobody_anything() {
    for passes in [0, 1] {
        let mut club = Club::with("clock: {deadline: 1 day, nmr: forfeit, reminders: []}\n");
        club.found(kind("paris-connection").expect("it ships"), 3, 7);
        (0..passes).for_each(|_| drop(club.pass()));
        club.now = start() + TimeDelta::days(5);
        let (report, letters) = club.pass();
        assert_eq!((report.absent, club.head()), (0, 1), "after {passes} passes");
        let ann = letters.iter().rfind(|letter| letter.to.starts_with("ann")).expect("a letter");
        assert!(ann.says("by Sun 11 Jan 2026 18:00 UTC."), "{}", ann.text());
        let note = letters.iter().find(|letter| letter.to.starts_with("mod")).expect("a note");
        assert!(note.says("No pass ran since Mon 5 Jan 2026 18:00 UTC"), "{}", note.text());
        hourly(&mut club, 24 * 6 + 1);
        assert_eq!(club.head(), 2, "and then time runs");
    }
}

#[test]
fn a_rewind_begins_the_time_anew() {
    let mut club = club("deadline: 24 hours, nmr: forfeit, reminders: []");
    club.writes("Ann", "build red G23");
    hourly(&mut club, 20);
    assert!(process::moderate(&club.context(), 1, &Intervention::Rewind(1), "a slip").is_ok());
    club.pass();
    assert!(club.last_to("Ann").expect("a letter").says("by Wed 7 Jan 2026 14:00 UTC."));
}

#[test]
fn three_turns_without_a_player_are_the_moderators_matter() {
    let mut club = club("deadline: 1 hour, nmr: forfeit, reminders: []");
    let letters = hourly(&mut club, 10);
    let notes: Vec<_> = letters.iter().filter(|(_, letter)| letter.to.starts_with("mod")).collect();
    let [(7, note), ..] = notes.as_slice() else { panic!("{:?}", when(&letters)) };
    assert!(note.says("Ann has been absent for 3 turns of game 1"), "{}", note.text());
    assert_eq!(notes.len(), 3);
}

#[test]
fn the_command_line_sets_and_shows_clocks() {
    let club = Club::new();
    let run = |arguments: &[&str]| command::run(club.folder(), "2026-01-05T18:00:00Z", arguments);
    let players = ["--player", "ann@x.org", "--player", "bob@x.org", "--player", "cid@x.org"];
    let new = |more: &[&str]| run(&[&["new", "paris-connection"], &players[..], more].concat());
    assert_eq!(new(&["--deadline", "3 days", "--nmr", "forfeit"]).0, Some(0));
    assert_eq!(new(&[]).0, Some(0));
    assert_eq!(new(&["--deadline", "soon"]).0, Some(64));
    assert_eq!(new(&["--nmr", "forfeit"]).0, Some(64));
    let (code, text) = run(&["clock", "1"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("Game 1: 3 days; then it goes on without the absent."), "{text}");
    assert!(text.contains(": due 2026-01-08 18:00 UTC (72 hours left), 0 missed"), "{text}");
    let (code, text) = run(&["clock", "1", "--extend", "2 days", "--reason", "a holiday"]);
    assert!(code == Some(0) && text.contains("due 2026-01-10 18:00 UTC"), "{text}");
    assert_eq!(run(&["clock", "1", "--pause"]).0, Some(64));
    assert_eq!(run(&["clock", "2", "--pause", "--reason", "x"]).0, Some(64));
    assert!(run(&["clock", "2"]).1.contains("no clock"));
}

#[test]
fn plans_may_stand_beside_a_vacation() {
    let mut club = club("deadline: 3 days");
    club.writes("Bob", "auto forced on\nvacation 2026-02-01 to 2026-02-04");
    club.pass();
    let told = club.last_to("Bob").expect("a letter");
    assert!(told.says("Your plans are kept."), "{}", told.text());
    assert!(told.says("You are on vacation from 1 Feb 2026"), "{}", told.text());
}

#[test]
fn a_restored_club_has_its_clocks_and_nobody_is_late_at_once() {
    let mut club = club("deadline: 2 days, nmr: forfeit, bank: 1 day");
    club.writes("Ann", "build red G23");
    club.pass();
    std::fs::remove_dir_all(club.folder().join("store")).expect("lost");
    std::fs::rename(club.folder().join("journal"), club.folder().join("saved")).expect("saved");
    club.now += TimeDelta::days(9);
    let restored =
        process::restore(&club.context(), &club.folder().join("saved")).expect("restored");
    assert_eq!(restored.games, 1);
    let (report, letters) = club.pass();
    assert_eq!((report.absent, report.reminded, club.head()), (0, 1, 2));
    // As after any outage he has as much time left as he had when it began.
    let bob = letters.iter().find(|letter| letter.to == address("Bob")).expect("a reminder");
    assert!(bob.says("Please send your orders by Fri 16 Jan 2026 20:00 UTC."), "{}", bob.text());
}

#[test]
fn games_without_a_clock_have_none() {
    let mut club = Club::new();
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    let (_, letters) = club.pass();
    assert!(!letters[0].text().contains("UTC"), "{}", letters[0].text());
    assert!(club.context().store.clocks().expect("read").is_empty());
    club.writes("Ann", "zone America/New_York");
    club.pass();
    assert!(club.last_text("Ann").contains("America/New_York"));
}

#[test]
fn a_game_that_cannot_be_read_comes_back_with_its_clock_and_is_told_of() {
    let mut club = Club::with("clock: {deadline: 3 days}\n");
    let game = club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.pass();
    let before = club.context().store.clock(game).expect("it reads");
    let journal = club.folder().join("journal");
    let log = journal.join(format!("games/{game:06}.jsonl"));
    let text = std::fs::read_to_string(&log).expect("a journal");
    std::fs::write(&log, text.replacen("paris-connection", "london-connection", 1))
        .expect("spoilt");
    club.restored();
    assert_eq!(club.context().store.clock(game).expect("it reads"), before);
    let (_, letters) = club.pass();
    assert!(letters.iter().any(|letter| letter.to == "mod@example.org"), "{letters:?}");
}
