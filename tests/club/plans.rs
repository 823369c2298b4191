//! Plans by letter: ordered now for later, carried out in their case and turn only, known to nobody
//! else.

use crate::common::sample_or_all;
use crate::rig::{self, Club};
use chrono::{DateTime, TimeDelta};
use postrider::club::Intervention;
use postrider::games::kind;
use postrider::process;
use postrider::rules::{Dice, Seat, Seed};
use postrider::store::Batch;
use postrider::table::{GameSetup, Manner, StandingOrders, rehearse};
use std::collections::BTreeMap;

#[test]
fn one_pass_carries_a_game_as_far_as_plans_allow() {
    let mut club = Club::tricks("");
    // Ann is to lead. Bob and Cid have never been asked, and plan for what she may lead.
    club.writes("Bob", "if led B&O play B&O 4, B&O 8\notherwise C&O 6, NYC 9");
    club.writes("Cid", "if led b and o play BO 2\nif led PRR: PRR 9, PRR 7\notherwise NYC 4");
    let (report, letters) = club.pass();
    assert_eq!((report.carried_out, letters.len()), (2, 2), "nobody else hears of it");
    assert!(letters[0].says("Your plans are kept."), "{}", letters[0].text());
    assert!(letters[0].says("WHAT YOU HAVE PLANNED"), "{}", letters[0].text());
    assert!(letters[0].says("Trick 1, if B&O is led: play BO 4, play BO 8"));
    assert_eq!(club.head(), 1);
    club.writes("Ann", "lead B&O 3");
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 3, "each player gets one letter about all of it");
    let text = letters[2].text();
    for said in ["Ann plays B&O 3.", "Bob plays B&O 4.", "You play B&O 2."] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    assert_eq!(club.head(), 4);
    assert!(!letters[1].says("WHAT YOU HAVE PLANNED"), "what was for this trick is gone");
}

#[test]
fn a_plan_is_never_used_in_another_case_or_a_later_trick() {
    let mut club = Club::tricks("");
    club.writes("Bob", "if led PRR play PRR 2");
    club.pass();
    club.writes("Ann", "B&O 3");
    club.pass();
    assert_eq!(club.head(), 2, "B&O was led, so the plan is not met");
    club.writes("Bob", "B&O 4");
    club.writes("Cid", "B&O 2");
    club.pass();
    assert!(
        process::open_game(&club.context(), 1).expect("it opens").seats[1]
            .0
            .standing
            .plans
            .is_empty()
    );
    // What an old letter plans is for the trick that it showed, which is over.
    let first = club.pigeon.posted[1].clone();
    let stale = club.reply_to("Bob", &first, "if led NYC play NYC 9");
    club.arrives(stale.replace("bob-", "stale-"));
    club.pass();
    assert!(
        process::open_game(&club.context(), 1).expect("it opens").seats[1]
            .0
            .standing
            .plans
            .is_empty()
    );
    assert!(club.last_text("Bob").contains("Trick 1 is over."), "{}", club.last_text("Bob"));
}

/// What stands above a letter's first heading.
fn top(club: &Club, name: &str) -> String {
    let text = club.last_text(name);
    let top = text.split("SINCE YOUR LAST LETTER").next().unwrap_or_default();
    top.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_became_of_a_plan_is_told_at_the_top_of_the_next_letter_and_to_its_player_only() {
    let mut club = Club::tricks("");
    club.writes("Bob", "if led PRR play PRR 2\notherwise NYC 9\nif led B&O play B&O 4");
    club.writes("Cid", "letters turns");
    club.pass();
    let table = process::open_game(&club.context(), 1).expect("it opens").table;
    let own = table.game().legal(Seat::new(1)).pop().expect("she leads").replace("play ", "");
    let led = own.split(' ').next().expect("a company");
    club.writes("Ann", &format!("B&O 3\nif led {led} play {own}"));
    let (_, letters) = club.pass();
    let bobs = top(&club, "Bob");
    let gone = "Dropped: Trick 1, if PRR is led: play PRR 2. B&O was led to trick 1.";
    assert!(bobs.contains(gone), "{bobs}");
    let other = "Dropped: Trick 1, if anything but B&O and PRR is led: play NYC 9.";
    assert!(bobs.contains(other), "{bobs}");
    for letter in letters.iter().filter(|letter| letter.to != rig::address("Bob")) {
        assert!(!letter.says("Dropped"), "{}", letter.text());
    }
    let kept = format!("is led: play {own}");
    assert!(club.last_text("Ann").contains(&kept), "{}", club.last_text("Ann"));
    assert!(club.last_text("Ann").contains("Trick 2, if"), "for the next trick");
    // What was told is told once.
    club.writes("Bob", "status");
    club.pass();
    assert!(!club.last_text("Bob").contains("Dropped"), "{}", club.last_text("Bob"));
}

#[test]
fn who_is_written_to_only_when_it_is_his_turn_hears_of_his_plan_then() {
    let mut club = Club::tricks("");
    club.writes("Cid", "letters turns\nif led PRR play PRR 9");
    club.pass();
    club.writes("Ann", "B&O 3");
    let (_, letters) = club.pass();
    assert!(letters.iter().all(|letter| letter.to != rig::address("Cid")), "{letters:?}");
    club.writes("Bob", "B&O 4");
    club.pass();
    let cids = top(&club, "Cid");
    assert!(cids.contains("Dropped: Trick 1, if PRR is led: play PRR 9."), "{cids}");
}

#[test]
fn a_legal_order_in_an_answer_to_an_older_letter_is_carried_out_or_refused_with_the_reason() {
    // Bob had a letter that said that Ann was to lead.
    let answers = |line: &str| {
        let mut club = Club::tricks("");
        club.writes("Ann", "B&O 3");
        let first = club.pigeon.posted[1].clone();
        let letter = club.reply_to("Bob", &first, line);
        club.arrives(letter);
        let (_, mut letters) = club.pass();
        letters.retain(|letter| letter.to == rig::address("Bob"));
        let text: String = letters.iter().map(rig::Posted::text).collect();
        (club.head(), text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    for line in ["play B&O 4", "B&O 4", "if led B&O play B&O 4", "otherwise B&O 4"] {
        let (head, text) = answers(line);
        assert_eq!(head, 3, "{line}: {text}");
        assert!(text.contains("Your orders have been carried out."), "{line}: {text}");
    }
    for (line, why) in [
        ("play NYC 9", "B&O was led and you have cards of it"),
        ("if led PRR play PRR 2", "B&O was led to trick 1."),
        ("play NYC 1", "You do not hold NYC 1."),
        ("if led B&O play NYC 9", "If B&O is led you must follow it"),
    ] {
        let (head, text) = answers(line);
        assert_eq!(head, 2, "{line}: {text}");
        assert!(text.contains(why) && !text.contains("Your plans are kept"), "{line}: {text}");
    }
    // Of several cases the one that has come is met; the others are told of.
    let (head, text) = answers("if led PRR play PRR 2\nif led B&O play B&O 4\nend left");
    assert!(head == 3 && text.contains("Trick 2: end left"), "{text}");
    assert!(text.contains("Dropped: Trick 1, if PRR is led: play PRR 2. B&O was led"), "{text}");
    let (head, text) = answers("end left");
    assert!(head == 2 && text.contains("Trick 2: end left"), "{text}");
}

#[test]
fn what_others_plan_changes_no_byte_of_what_is_mailed() {
    let letters = |plans: bool| {
        let mut club = Club::tricks("");
        if plans {
            club.writes("Bob", "if led NYC play NYC 9");
        } else {
            club.writes("Bob", "status");
        }
        club.pass();
        let kept = process::open_game(&club.context(), 1).expect("it opens").seats[1]
            .0
            .standing
            .plans
            .len();
        assert_eq!(kept, usize::from(plans));
        club.writes("Ann", "B&O 3");
        club.pass().1
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
fn a_later_letter_changes_or_clears_what_is_planned() {
    let mut club = Club::tricks("");
    let plans = |club: &Club| {
        process::open_game(&club.context(), 1).expect("it opens").seats[1].0.standing.plans.len()
    };
    club.writes("Bob", "if led B&O play B&O 4\notherwise NYC 9");
    club.pass();
    assert_eq!(plans(&club), 2);
    club.writes("Bob", "play NYC 9");
    club.pass();
    assert_eq!(plans(&club), 1, "a letter's plans take the place of all earlier ones");
    club.writes("Bob", "status");
    club.pass();
    assert_eq!(plans(&club), 1);
    club.writes("Bob", "clear plans");
    club.pass();
    assert_eq!(plans(&club), 0);
    club.writes("Bob", "if led B&O play PRR 1");
    club.pass();
    assert!(club.last_text("Bob").contains("You do not hold PRR 1."), "{}", club.last_text("Bob"));
}

/// A club with a game of three days a turn in which Bob is to answer Ann's card. Which seed deals
/// whom what does not matter: it is one in which Bob has one card of the company that is led.
fn bob_has_no_choice(auto: bool, settings: &str) -> Club {
    for seed in 1..200 {
        let mut club = Club::session(settings, "trick-of-the-rails", 3, seed);
        let table = process::open_game(&club.context(), 1).expect("it opens").table;
        let led = ["B&O 3", "C&O 1", "NYC 1", "PRR 1", "ERIE 1"].into_iter().find(|card| {
            let mut game = table.game().copy();
            let played = game.play(Seat::new(1), card, &[], &mut Dice::new(&Seed::rehearsal(0), 0));
            played.is_ok() && game.forced(Seat::new(2)).is_some()
        });
        let Some(led) = led else { continue };
        club.writes("Bob", if auto { "auto forced on" } else { "status" });
        let (_, letters) = club.pass();
        let readers: Vec<_> = letters.iter().map(|letter| letter.to.as_str()).collect();
        assert_eq!(readers, ["bob@example.org"], "nobody else hears of it");
        club.writes("Ann", led);
        return club;
    }
    panic!("no deal leaves Bob without a choice");
}

const THREE_DAYS: &str = "clock: {deadline: 3 days, nmr: forfeit}\n";

/// Passes, an hour each: when a letter that is not Bob's left, whom it went to and what it said.
fn heard(club: &mut Club, hours: usize) -> Vec<(i64, String, String)> {
    let mut heard = Vec::new();
    for _ in 0..hours {
        let at = club.now.timestamp();
        let letters = club.pass().1.into_iter().filter(|letter| letter.to != rig::address("Bob"));
        heard.extend(letters.map(|letter| (at, letter.to.clone(), letter.text())));
    }
    heard
}

#[test]
fn who_has_no_choice_is_not_known_by_how_long_he_takes() {
    let mut club = bob_has_no_choice(true, THREE_DAYS);
    let (mut before, asked) = (0, club.now);
    let mut others = Vec::new();
    while before != 3 {
        assert!(club.now < asked + TimeDelta::days(3), "it was done in time");
        others.extend(heard(&mut club, 1));
        before = club.head();
    }
    let taken = club.now - asked;
    assert!(taken > TimeDelta::hours(2), "not at once, but after {taken}");
    let session = process::open_game(&club.context(), 1).expect("it opens");
    assert_eq!(session.clock.expect("it has one").misses, [] as [u32; 0], "nobody was absent");

    // Bob, who thinks so long and then writes the same card himself, is like him to all others.
    let mut by_hand = bob_has_no_choice(false, THREE_DAYS);
    let hours = usize::try_from(taken.num_hours()).expect("some hours") - 1;
    let mut seen = heard(&mut by_hand, hours);
    let forced = process::open_game(&by_hand.context(), 1)
        .expect("it opens")
        .table
        .game()
        .forced(Seat::new(2));
    by_hand.writes("Bob", &forced.expect("one card"));
    seen.extend(heard(&mut by_hand, 1));
    let same = |(a, b): (&(i64, String, String), &(i64, String, String))| {
        let text = |text: &str| text.split(", chain ").next().map(str::to_owned);
        assert_eq!((a.0, &a.1, text(&a.2)), (b.0, &b.1, text(&b.2)));
    };
    assert_eq!(others.len(), seen.len());
    others.iter().zip(&seen).for_each(same);
}

#[test]
fn without_a_deadline_who_has_no_choice_is_asked() {
    let mut club = bob_has_no_choice(true, "");
    heard(&mut club, 24 * 10);
    assert_eq!(club.head(), 2, "Ann's card and nothing else");
    assert!(club.last_text("Bob").contains("Without a deadline"), "{}", club.last_text("Bob"));
    club.writes("Bob", "auto forced off");
    club.pass();
    assert!(!club.last_text("Bob").contains("Without a deadline"));
}

#[test]
fn a_moment_is_as_likely_as_any_other_and_never_too_late() {
    let standing = StandingOrders { auto_forced: true, ..StandingOrders::default() };
    let (since, whole) = (DateTime::UNIX_EPOCH, TimeDelta::days(10));
    let mut quarters = [0; 4];
    for seed in 0..sample_or_all(90, 400) {
        let kind = kind("trick-of-the-rails").expect("it ships");
        let setup =
            GameSetup { kind, definition: kind.definition(), options: &BTreeMap::new(), seats: 3 };
        let rehearsed = rehearse(setup, 1, seed, 500, Manner::OneByOne).expect("it ends").table;
        for seq in (2..rehearsed.head()).step_by(3) {
            let table = rehearsed.at(seq).expect("it folds");
            for seat in Seat::all(3) {
                let moment = table.moment(seat, &standing, (since, since + whole));
                assert_eq!(moment, table.moment(seat, &standing, (since, since + whole)));
                let Some(moment) = moment else { continue };
                let share = (moment - since).num_seconds() * 4 / whole.num_seconds();
                quarters[usize::try_from(share).expect("before the deadline")] += 1;
            }
        }
    }
    let all: i32 = quarters.iter().sum();
    assert!(all > 100, "{quarters:?}");
    assert!(quarters.iter().all(|quarter| (quarter * 4 - all).abs() < all / 2), "{quarters:?}");
}

#[test]
fn in_paris_the_next_turn_can_be_ordered_and_is_dropped_with_a_word_when_it_is_illegal() {
    let mut club = Club::paris("");
    club.writes("Ann", "build red G23\nnext: trade red for 2 blue");
    club.writes("Bob", "next build red G25");
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 3);
    assert_eq!(club.head(), 3, "Bob's turn was planned and has been carried out");
    assert!(club.last_text("Ann").contains("On your next turn: trade red for 2 blue"));
    club.writes("Cid", "build red F20\nnext: trade brown for red");
    club.pass();
    assert_eq!(club.head(), 3, "a letter is all or nothing, plans and all");
    // Red stands there for ever, so this could never be carried out.
    club.writes("Bob", "next: build red G25");
    club.pass();
    assert!(club.last_text("Bob").contains("G25 Troyes (1) already has a red locomotive"));
    club.writes("Bob", "Next time I shall win!\nnext turn: build red F24");
    club.pass();
    assert!(club.last_text("Bob").contains("On your next turn: build red F24"));
    club.writes("Cid", "build red F24");
    club.pass();
    // Ann's trade was met; in the hex of Bob's second plan red stands by now.
    assert_eq!(club.head(), 5);
    let text = club.last_text("Bob");
    assert!(text.contains("Dropped: On your next turn: build red F24."), "{text}");
    assert!(text.contains("It is your turn."), "{text}");
    assert!(club.last_text("Ann").contains("You return 1 red share and take 2 blue."));
}

#[test]
fn of_several_next_turns_the_first_legal_one_is_taken_and_no_other_outlives_it() {
    let mut club = Club::paris("");
    let first = club.reply("Ann", "next: build red I25");
    let several = ["next: build red H24", "next: build red G25", "next build red F24"];
    club.writes("Ann", &format!("build red G23\n{}", several.join("\n")));
    club.pass();
    club.writes("Bob", "build red H24");
    club.pass();
    club.writes("Cid", "build red H22");
    club.pass();
    assert_eq!(club.head(), 5, "the first was taken meanwhile, so the second was carried out");
    // The turn that the first letter's answer means is over.
    club.arrives(first);
    club.pass();
    club.writes("Bob", "build red F24");
    club.pass();
    club.writes("Cid", "build red H26");
    club.pass();
    assert_eq!(club.head(), 7, "it is Ann's turn, and nothing is left of her plans");
}

#[test]
fn a_rewind_drops_all_plans() {
    let mut club = Club::tricks("");
    club.writes("Ann", "B&O 3");
    club.pass();
    club.writes("Cid", "play B&O 2");
    club.pass();
    let planning = |club: &Club| {
        let seats = process::open_game(&club.context(), 1).expect("it opens").seats;
        seats.iter().filter(|(seated, _)| !seated.standing.is_empty()).count()
    };
    assert_eq!(planning(&club), 1);
    assert!(process::moderate(&club.context(), 1, &Intervention::Rewind(1), "again").is_ok());
    club.pass();
    assert_eq!(planning(&club), 0);
}

#[test]
fn a_plan_that_this_program_cannot_read_is_dropped_with_a_word() {
    let mut club = Club::paris("");
    let (mut seated, _) =
        process::open_game(&club.context(), 1).expect("it opens").seats[1].clone();
    seated.standing.plans.push("tea at five".into());
    let batch = Batch { seats: vec![(1, Seat::new(2), seated)], ..Batch::default() };
    club.context().store.write(&batch).expect("written");
    club.writes("Ann", "build red G23");
    club.pass();
    let told = club.last_text("Bob");
    let why = "Dropped: a plan. This program does not understand any more what was planned.";
    assert!(told.contains(why), "{told}");
}
