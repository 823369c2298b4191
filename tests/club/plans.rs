//! Plans: orders that a player sends ahead. They are carried out only in their case and turn, and
//! stay secret.

use crate::rig::{self, Club};
use chrono::{DateTime, TimeDelta};
use postrider::club::Intervention;
use postrider::games::find_kind;
use postrider::process;
use postrider::rules::{Dice, Seat, Seed};
use postrider::store::Batch;
use postrider::table::{GameSetup, QueuedOrders, RehearsalMode, rehearse};
use postrider::testing::sample_or_all;
use std::collections::BTreeMap;

#[test]
fn one_pass_carries_out_all_matching_plans() {
    let mut club = Club::with_tricks_game("");
    // Ann is to lead. Bob and Cid are not awaited yet, and plan for the cards that she may lead.
    club.send_reply("Bob", "if led B&O play B&O 4, B&O 8\notherwise C&O 6, NYC 9");
    club.send_reply("Cid", "if led b and o play BO 2\nif led PRR: PRR 9, PRR 7\notherwise NYC 4");
    let (report, letters) = club.run_pass();
    assert_eq!((report.carried_out, letters.len()), (2, 2), "nobody else hears of it");
    assert!(letters[0].contains("We've saved your plans."), "{}", letters[0].body_text());
    assert!(letters[0].contains("YOUR SAVED PLANS"), "{}", letters[0].body_text());
    assert!(letters[0].contains("Trick 1, if B&O is led: play BO 4, play BO 8"));
    assert_eq!(club.record_count(), 1);
    club.send_reply("Ann", "lead B&O 3");
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 3, "each player gets one letter about all of it");
    let text = letters[2].body_text();
    for expected in ["Ann plays B&O 3.", "Bob plays B&O 4.", "You play B&O 2."] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert_eq!(club.record_count(), 4);
    assert!(!letters[1].contains("YOUR SAVED PLANS"), "what was for this trick is gone");
}

#[test]
fn plan_applies_only_to_its_case_and_trick() {
    let mut club = Club::with_tricks_game("");
    club.send_reply("Bob", "if led PRR play PRR 2");
    club.run_pass();
    club.send_reply("Ann", "B&O 3");
    club.run_pass();
    assert_eq!(club.record_count(), 2, "B&O was led, so the plan is not met");
    club.send_reply("Bob", "B&O 4");
    club.send_reply("Cid", "B&O 2");
    club.run_pass();
    assert!(
        process::load_stored_game(&club.open_context(), 1).expect("it opens").seats[1]
            .0
            .queued_orders
            .plans
            .is_empty()
    );
    // A plan in reply to an old letter is for the trick that the letter showed. That trick is over.
    let first = club.transport.posted[1].clone();
    let stale = club.compose_reply_to("Bob", &first, "if led NYC play NYC 9");
    club.deliver(stale.replace("bob-", "stale-"));
    club.run_pass();
    assert!(
        process::load_stored_game(&club.open_context(), 1).expect("it opens").seats[1]
            .0
            .queued_orders
            .plans
            .is_empty()
    );
    assert!(club.last_text_to("Bob").contains("Trick 1 is over."), "{}", club.last_text_to("Bob"));
}

/// Returns the part of the last letter to a player that is above the news.
fn text_above_news(club: &Club, name: &str) -> String {
    let text = club.last_text_to(name);
    let top = text.split("SINCE YOUR LAST E-MAIL").next().unwrap_or_default();
    top.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn dropped_plan_is_reported_once_to_its_player() {
    let mut club = Club::with_tricks_game("");
    club.send_reply("Bob", "if led PRR play PRR 2\notherwise NYC 9\nif led B&O play B&O 4");
    club.send_reply("Cid", "letters turns");
    club.run_pass();
    let table = process::load_stored_game(&club.open_context(), 1).expect("it opens").table;
    let own = table.game().legal_lines(Seat::new(1)).pop().expect("she leads").replace("play ", "");
    let led = own.split(' ').next().expect("a company");
    club.send_reply("Ann", &format!("B&O 3\nif led {led} play {own}"));
    let (_, letters) = club.run_pass();
    let bobs = text_above_news(&club, "Bob");
    let dropped = "Dropped: Trick 1, if PRR is led: play PRR 2. B&O was led to trick 1.";
    assert!(bobs.contains(dropped), "{bobs}");
    let also_dropped = "Dropped: Trick 1, if anything but B&O and PRR is led: play NYC 9.";
    assert!(bobs.contains(also_dropped), "{bobs}");
    for letter in letters.iter().filter(|letter| letter.to != rig::address("Bob")) {
        assert!(!letter.contains("Dropped"), "{}", letter.body_text());
    }
    let kept = format!("is led: play {own}");
    assert!(club.last_text_to("Ann").contains(&kept), "{}", club.last_text_to("Ann"));
    assert!(club.last_text_to("Ann").contains("Trick 2, if"), "for the next trick");
    // A dropped plan is reported only once.
    club.send_reply("Bob", "status");
    club.run_pass();
    assert!(!club.last_text_to("Bob").contains("Dropped"), "{}", club.last_text_to("Bob"));
}

#[test]
fn dropped_plan_is_reported_with_next_turn_letter() {
    let mut club = Club::with_tricks_game("");
    club.send_reply("Cid", "letters turns\nif led PRR play PRR 9");
    club.run_pass();
    club.send_reply("Ann", "B&O 3");
    let (_, letters) = club.run_pass();
    assert!(letters.iter().all(|letter| letter.to != rig::address("Cid")), "{letters:?}");
    club.send_reply("Bob", "B&O 4");
    club.run_pass();
    let cids = text_above_news(&club, "Cid");
    assert!(cids.contains("Dropped: Trick 1, if PRR is led: play PRR 9."), "{cids}");
}

#[test]
fn order_in_older_letter_is_done_or_refused() {
    // Bob replies to a letter from before Ann's lead.
    let answers = |line: &str| {
        let mut club = Club::with_tricks_game("");
        club.send_reply("Ann", "B&O 3");
        let first = club.transport.posted[1].clone();
        let letter = club.compose_reply_to("Bob", &first, line);
        club.deliver(letter);
        let (_, mut letters) = club.run_pass();
        letters.retain(|letter| letter.to == rig::address("Bob"));
        let text: String = letters.iter().map(rig::PostedLetter::body_text).collect();
        (club.record_count(), text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    for line in ["play B&O 4", "B&O 4", "if led B&O play B&O 4", "otherwise B&O 4"] {
        let (head, text) = answers(line);
        assert_eq!(head, 3, "{line}: {text}");
        assert!(text.contains("We've carried out your orders."), "{line}: {text}");
    }
    for (line, why) in [
        ("play NYC 9", "B&O was led and you have B&O cards"),
        ("if led PRR play PRR 2", "B&O was led to trick 1."),
        ("play NYC 1", "You don't have NYC 1."),
        ("if led B&O play NYC 9", "If B&O is led, you must follow it"),
    ] {
        let (head, text) = answers(line);
        assert_eq!(head, 2, "{line}: {text}");
        assert!(text.contains(why) && !text.contains("We've saved your plans"), "{line}: {text}");
    }
    // The plan whose case has come is carried out. The answer lists the others.
    let (head, text) = answers("if led PRR play PRR 2\nif led B&O play B&O 4\nend left");
    assert!(head == 3 && text.contains("Trick 2: end left"), "{text}");
    assert!(text.contains("Dropped: Trick 1, if PRR is led: play PRR 2. B&O was led"), "{text}");
    // Beside an order, plans count from after it, and those for a led company share a trick.
    let (head, text) = answers("B&O 4\notherwise NYC 9\nif led PRR play PRR 2");
    assert!(head == 3 && !text.contains("Dropped"), "{text}");
    assert!(text.contains("Trick 2, if anything but PRR is led: play NYC 9"), "{text}");
    assert!(text.contains("Trick 2, if PRR is led: play PRR 2"), "{text}");
    let (head, text) = answers("end left");
    assert!(head == 2 && text.contains("Trick 2: end left"), "{text}");
}

#[test]
fn plans_change_no_byte_of_others_letters() {
    let letters = |plans: bool| {
        let mut club = Club::with_tricks_game("");
        if plans {
            club.send_reply("Bob", "if led NYC play NYC 9");
        } else {
            club.send_reply("Bob", "status");
        }
        club.run_pass();
        let kept = process::load_stored_game(&club.open_context(), 1).expect("it opens").seats[1]
            .0
            .queued_orders
            .plans
            .len();
        assert_eq!(kept, usize::from(plans));
        club.send_reply("Ann", "B&O 3");
        club.run_pass().1
    };
    let [with, without] = [true, false].map(|plans| {
        let mut letters = letters(plans);
        letters.retain(|letter| letter.to != rig::address("Bob"));
        letters
    });
    assert_eq!(with.len(), 2, "Ann's and Cid's");
    for (a, b) in with.iter().zip(&without) {
        assert_eq!((&a.to, a.raw()), (&b.to, b.raw()));
    }
    assert_eq!(with.len(), without.len());
}

#[test]
fn later_letter_replaces_or_clears_plans() {
    let mut club = Club::with_tricks_game("");
    let plans = |club: &Club| {
        process::load_stored_game(&club.open_context(), 1).expect("it opens").seats[1]
            .0
            .queued_orders
            .plans
            .len()
    };
    club.send_reply("Bob", "if led B&O play B&O 4\notherwise NYC 9");
    club.run_pass();
    assert_eq!(plans(&club), 2);
    club.send_reply("Bob", "play NYC 9");
    club.run_pass();
    assert_eq!(plans(&club), 1, "a letter's plans take the place of all earlier ones");
    club.send_reply("Bob", "status");
    club.run_pass();
    assert_eq!(plans(&club), 1);
    club.send_reply("Bob", "clear plans");
    club.run_pass();
    assert_eq!(plans(&club), 0);
    club.send_reply("Bob", "if led B&O play PRR 1");
    club.run_pass();
    assert!(
        club.last_text_to("Bob").contains("You don't have PRR 1."),
        "{}",
        club.last_text_to("Bob")
    );
}

#[test]
fn only_kept_plans_of_two_letters_are_listed() {
    let mut club = Club::with_tricks_game("");
    club.send_reply("Bob", "if led B&O play B&O 4\nauto forced on");
    club.send_reply("Bob", "if led PRR play PRR 2");
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 1, "one letter answers both");
    let text = letters[0].body_text();
    assert!(text.contains("1: if led PRR play PRR 2") && text.contains("2: auto forced"), "{text}");
    assert!(!text.contains("if led B&O"), "{text}");
    // A plan that a second letter repeats is listed once.
    (0..2).for_each(|_| _ = club.send_reply("Bob", "if led PRR play PRR 2"));
    let (_, letters) = club.run_pass();
    let text = letters[0].body_text();
    assert_eq!(text.matches(": if led PRR play PRR 2").count(), 1, "{text}");
}

#[test]
fn next_lines_in_older_reply_are_kept() {
    // Bob replies to an older letter, before or after Ann has moved.
    let plans_after = |others: &[(&str, &str)], body: &str| {
        let mut club = Club::with_paris_game("");
        club.run_pass();
        let first = club.last_letter_to("Bob").expect("a letter").clone();
        for (name, order) in others {
            club.send_reply(name, order);
            club.run_pass();
        }
        let letter = club.compose_reply_to("Bob", &first, body);
        club.deliver(letter);
        club.run_pass();
        club.last_text_to("Bob").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let ann = ("Ann", "build red G23");
    for (others, body, expected) in [
        (
            &[ann][..],
            "build blue H20\nnext: trade black for 2 red",
            "next turn: trade black for 2 red",
        ),
        (&[ann], "next: trade black for 2 red\nbuild blue H20", "next turn: trade black for 2 red"),
        (&[ann], "next: build blue H20", "We've carried out your orders."),
        (&[], "next: build blue H20", "On your next turn: build blue H20"),
    ] {
        let text = plans_after(others, body);
        assert!(text.contains(expected), "{body}\n{text}");
        assert!(!text.contains("is over"), "{body}\n{text}");
    }
}

#[test]
fn plans_of_older_reply_stay_in_one_trick() {
    let mut club = Club::with_tricks_game("");
    let first = club.transport.posted[1].clone();
    club.send_reply("Ann", "B&O 3");
    club.run_pass();
    // B&O was led to trick 1, so a plan for PRR is for trick 2, and so are the others.
    let body = "B&O 4\nif led PRR play PRR 2\nif led ERIE play ERIE 4\notherwise NYC 9";
    let letter = club.compose_reply_to("Bob", &first, body);
    club.deliver(letter);
    club.run_pass();
    let text = club.last_text_to("Bob").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!text.contains("Dropped") && !text.contains("Trick 1, if"), "{text}");
    for expected in ["Trick 2, if PRR is led", "Trick 2, if anything but"] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

/// Returns a club whose inbox contains a card from Ann that leaves Bob one legal card. `auto` makes
/// the program play forced cards for Bob. Tries seeds until a deal fits.
fn club_with_forced_bob(auto: bool, settings: &str) -> Club {
    for seed in 1..200 {
        let mut club = Club::with_game(settings, "trick-of-the-rails", 3, seed);
        let table = process::load_stored_game(&club.open_context(), 1).expect("it opens").table;
        let led = ["B&O 3", "C&O 1", "NYC 1", "PRR 1", "ERIE 1"].into_iter().find(|card| {
            let mut game = table.game().clone_box();
            let played = game.judge_and_play_line(
                Seat::new(1),
                card,
                &[],
                &mut Dice::new(&Seed::from_number(0), 0),
            );
            played.is_ok() && game.only_legal_line(Seat::new(2)).is_some()
        });
        let Some(led) = led else { continue };
        club.send_reply("Bob", if auto { "auto forced on" } else { "status" });
        let (_, letters) = club.run_pass();
        let readers: Vec<_> = letters.iter().map(|letter| letter.to.as_str()).collect();
        assert_eq!(readers, ["bob@example.org"], "nobody else hears of it");
        club.send_reply("Ann", led);
        return club;
    }
    panic!("no deal leaves Bob without a choice");
}

const THREE_DAY_CLOCK: &str = "clock: {deadline: 3 days, nmr: forfeit}\n";

/// Runs hourly passes. Returns the time, recipient and text of each letter that is not Bob's.
fn letters_to_others(club: &mut Club, hours: usize) -> Vec<(i64, String, String)> {
    let mut found = Vec::new();
    for _ in 0..hours {
        let at = club.now.timestamp();
        let letters =
            club.run_pass().1.into_iter().filter(|letter| letter.to != rig::address("Bob"));
        found.extend(letters.map(|letter| (at, letter.to.clone(), letter.body_text())));
    }
    found
}

#[test]
fn forced_move_timing_does_not_reveal_automation() {
    let mut club = club_with_forced_bob(true, THREE_DAY_CLOCK);
    let (mut before, asked) = (0, club.now);
    let mut others = Vec::new();
    while before != 3 {
        assert!(club.now < asked + TimeDelta::days(3), "it was done in time");
        others.extend(letters_to_others(&mut club, 1));
        before = club.record_count();
    }
    let taken = club.now - asked;
    assert!(taken > TimeDelta::hours(2), "not at once, but after {taken}");
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    assert_eq!(session.clock.expect("it has one").misses, [] as [u32; 0], "nobody was absent");

    // In a second club, Bob waits as long and then plays the card by letter. The others must see no
    // difference.
    let mut by_hand = club_with_forced_bob(false, THREE_DAY_CLOCK);
    let hours = usize::try_from(taken.num_hours()).expect("some hours") - 1;
    let mut others_by_hand = letters_to_others(&mut by_hand, hours);
    let forced = process::load_stored_game(&by_hand.open_context(), 1)
        .expect("it opens")
        .table
        .game()
        .only_legal_line(Seat::new(2));
    by_hand.send_reply("Bob", &forced.expect("one card"));
    others_by_hand.extend(letters_to_others(&mut by_hand, 1));
    let same = |(a, b): (&(i64, String, String), &(i64, String, String))| {
        let text = |text: &str| text.split(", proof ").next().map(str::to_owned);
        assert_eq!((a.0, &a.1, text(&a.2)), (b.0, &b.1, text(&b.2)));
    };
    assert_eq!(others.len(), others_by_hand.len());
    others.iter().zip(&others_by_hand).for_each(same);
}

#[test]
fn forced_player_without_deadline_is_asked() {
    let mut club = club_with_forced_bob(true, "");
    letters_to_others(&mut club, 24 * 10);
    assert_eq!(club.record_count(), 2, "Ann's card and nothing else");
    assert!(
        club.last_text_to("Bob").contains("Without a deadline"),
        "{}",
        club.last_text_to("Bob")
    );
    club.send_reply("Bob", "auto forced off");
    club.run_pass();
    assert!(!club.last_text_to("Bob").contains("Without a deadline"));
}

#[test]
fn automatic_move_times_are_evenly_spread() {
    let standing = QueuedOrders { auto_forced: true, ..QueuedOrders::default() };
    let (since, whole) = (DateTime::UNIX_EPOCH, TimeDelta::days(10));
    let mut quarters = [0; 4];
    for seed in 0..sample_or_all(90, 400) {
        let kind = find_kind("trick-of-the-rails").expect("it ships");
        let setup = GameSetup {
            kind,
            definition: kind.shipped_definition(),
            options: &BTreeMap::new(),
            seats: 3,
        };
        let rehearsed =
            rehearse(setup, 1, seed, 500, RehearsalMode::SingleOrders).expect("it ends").table;
        for seq in (2..rehearsed.last_record_number()).step_by(3) {
            let table = rehearsed.at_record(seq).expect("it folds");
            for seat in Seat::all(3) {
                let time = table.auto_play_time(seat, &standing, (since, since + whole));
                assert_eq!(time, table.auto_play_time(seat, &standing, (since, since + whole)));
                let Some(time) = time else { continue };
                let share = (time - since).num_seconds() * 4 / whole.num_seconds();
                quarters[usize::try_from(share).expect("before the deadline")] += 1;
            }
        }
    }
    let all: i32 = quarters.iter().sum();
    assert!(all > 100, "{quarters:?}");
    assert!(quarters.iter().all(|quarter| (quarter * 4 - all).abs() < all / 2), "{quarters:?}");
}

#[test]
fn planned_turn_is_done_or_dropped_with_notice() {
    let mut club = Club::with_paris_game("");
    club.send_reply("Ann", "build red G23\nnext: trade red for 2 blue");
    club.send_reply("Bob", "next build red G25");
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 3);
    assert_eq!(club.record_count(), 3, "Bob's turn was planned and has been carried out");
    assert!(club.last_text_to("Ann").contains("On your next turn: trade red for 2 blue"));
    club.send_reply("Cid", "build red F20\nnext: trade brown for red");
    club.run_pass();
    assert_eq!(club.record_count(), 3, "a letter is all or nothing, plans and all");
    // The red locomotive stays on G25, so this plan could never be carried out.
    club.send_reply("Bob", "next: build red G25");
    club.run_pass();
    assert!(club.last_text_to("Bob").contains("G25 Troyes (1) already has a red locomotive"));
    club.send_reply("Bob", "Next time I shall win!\nnext turn: build red F24");
    club.run_pass();
    assert!(club.last_text_to("Bob").contains("On your next turn: build red F24"));
    club.send_reply("Cid", "build red F24");
    club.run_pass();
    // Ann's trade was carried out. F24, the hex of Bob's second plan, now has a red locomotive.
    assert_eq!(club.record_count(), 5);
    let text = club.last_text_to("Bob");
    assert!(text.contains("Dropped: On your next turn: build red F24."), "{text}");
    assert!(text.contains("It's your turn."), "{text}");
    assert!(club.last_text_to("Ann").contains("You trade 1 red share for 2 blue."));
}

#[test]
fn first_legal_planned_turn_is_used_others_dropped() {
    let mut club = Club::with_paris_game("");
    let first = club.compose_reply("Ann", "next: build red I25");
    let several = ["next: build red H24", "next: build red G25", "next build red F24"];
    club.send_reply("Ann", &format!("build red G23\n{}", several.join("\n")));
    club.run_pass();
    club.send_reply("Bob", "build red H24");
    club.run_pass();
    club.send_reply("Cid", "build red H22");
    club.run_pass();
    assert_eq!(club.record_count(), 5, "H24 was taken, so the second plan was carried out");
    // This plan replies to Ann's first letter, so it is for a turn that is over.
    club.deliver(first);
    club.run_pass();
    club.send_reply("Bob", "build red F24");
    club.run_pass();
    club.send_reply("Cid", "build red H26");
    club.run_pass();
    assert_eq!(club.record_count(), 7, "it is Ann's turn, and nothing is left of her plans");
}

#[test]
fn rewind_drops_all_plans() {
    let mut club = Club::with_tricks_game("");
    club.send_reply("Ann", "B&O 3");
    club.run_pass();
    club.send_reply("Cid", "play B&O 2");
    club.run_pass();
    let planning = |club: &Club| {
        let seats = process::load_stored_game(&club.open_context(), 1).expect("it opens").seats;
        seats.iter().filter(|(seated, _)| !seated.queued_orders.is_empty()).count()
    };
    assert_eq!(planning(&club), 1);
    assert!(
        process::moderate_game(&club.open_context(), 1, &Intervention::Rewind(1), "again").is_ok()
    );
    club.run_pass();
    assert_eq!(planning(&club), 0);
}

#[test]
fn unreadable_plan_is_dropped_with_notice() {
    let mut club = Club::with_paris_game("");
    let (mut seated, _) =
        process::load_stored_game(&club.open_context(), 1).expect("it opens").seats[1].clone();
    seated.queued_orders.plans.push("tea at five".into());
    let batch = Batch { seats: vec![(1, Seat::new(2), seated)], ..Batch::default() };
    club.open_context().store.write_without_conflict_check(&batch).expect("written");
    club.send_reply("Ann", "build red G23");
    club.run_pass();
    let text = club.last_text_to("Bob");
    let why = "Dropped: a plan. We can no longer read this plan.";
    assert!(text.contains(why), "{text}");
}
