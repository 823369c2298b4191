//! Letters with plans and orders beside each other, and what is done unasked: tables of Trick of
//! the Rails for three with hands made for it.

use super::*;
use crate::table::{Carried, Preview, Refused};
use chrono::TimeDelta;

const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);

/// A table where seats 1 to 3 hold these cards and seat 1 leads to the first stock round.
fn holding(hands: [&[&str]; 3]) -> Table {
    let kind = kind("trick-of-the-rails").expect("it ships");
    let options = BTreeMap::new();
    let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats: 3 };
    let mut table =
        Table::found(setup, 1, Seed::rehearsal(7), DateTime::UNIX_EPOCH).expect("a table");
    let dealt = (1..).zip(hands).map(|(seat, cards)| {
        serde_json::json!({"dealt": {"seat": seat, "cards": cards}}).to_string()
    });
    for event in dealt.chain([r#"{"leads":{"seat":1}}"#.to_owned()]) {
        let event = RawValue::from_string(event).expect("JSON");
        table.game.apply(&event).expect("an event of the game");
    }
    table
}

fn session() -> Table {
    holding([
        &["PRR3", "BO1", "NYC1", "CO1", "ERIE1"],
        &["PRR7", "BO2", "NYC2", "CO2", "PRR1"],
        &["PRR5", "BO3", "NYC3", "CO3", "ERIE3"],
    ])
}

/// What becomes of a letter of these lines that answers the position after the record `seen`.
fn letter(table: &Table, seat: Seat, seen: u32, texts: &[&str]) -> Verdict {
    let lines: Vec<OrderLine> =
        (1..).zip(texts).map(|(number, text)| OrderLine::new(number, (*text).into())).collect();
    let standing = &StandingOrders::default();
    let submission = Submission { seat, lines: &lines, seen, letter: None, standing };
    table.submit(&submission, DateTime::UNIX_EPOCH)
}

/// The table after the letter, how many plans are kept, and the keys of its remarks.
fn accepted(verdict: Verdict) -> (Table, usize, Vec<&'static str>) {
    match verdict {
        Verdict::Accepted { table, standing, remarks } => {
            (*table, standing.plans.len(), remarks.iter().map(|remark| remark.key).collect())
        }
        Verdict::Refused(refused) => panic!("{refused:?}"),
    }
}

/// The line that is at fault and the key of the reason.
fn refused(verdict: Verdict) -> (Option<u32>, &'static str) {
    match verdict {
        Verdict::Accepted { standing, remarks, .. } => panic!("{standing:?} {remarks:?}"),
        Verdict::Refused(Refused { line, refusal }) => {
            (line.map(|line| line.number), refusal.reason.key)
        }
    }
}

fn played(table: &Table, seat: Seat, line: &str) -> Table {
    accepted(letter(table, seat, table.head(), &[line])).0
}

/// The lines of the last record.
fn last_lines(table: &Table) -> Vec<String> {
    match &table.records().last().expect("one").cause {
        Cause::Orders { lines, .. } => lines.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_plan_that_can_never_be_met_refuses_its_whole_letter() {
    let table = session();
    let head = table.head();
    let lines = ["end left", "if led PRR play BO 2"];
    assert_eq!(refused(letter(&table, TWO, head, &lines)), (Some(2), "tr-plan-must-follow"));
    assert_eq!(accepted(letter(&table, TWO, head, &lines[..1])).1, 1);
}

#[test]
fn of_a_letter_that_is_late_the_plans_are_kept_that_can_still_be_met() {
    let kind = kind("trick-of-the-rails").expect("it ships");
    let options = BTreeMap::new();
    let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats: 3 };
    let table = Table::found(setup, 1, Seed::rehearsal(7), DateTime::UNIX_EPOCH).expect("a table");
    let Turn::Awaiting(leader) = table.turn() else { panic!("it begins") };
    let seat = leader[0].next(3);
    // The plan is for a company that is not led then.
    let mut forms = table.game().forms(seat).into_iter().map(|form| form.line);
    let late = forms.find(|line| line.starts_with("if led ")).expect("an example");
    let planned = format!("play {} ", late.split(' ').nth(2).unwrap_or_default());
    let mut cards = table.game().legal(leader[0]).into_iter();
    let card = cards.find(|line| !line.starts_with(&planned)).expect("another company");
    let led = played(&table, leader[0], &card);
    assert_eq!(refused(letter(&led, seat, 1, &[&late])), (Some(1), "tr-plan-was-led"));
    let (after, plans, remarks) = accepted(letter(&led, seat, 1, &[&late, "end left"]));
    assert_eq!((after.head(), plans, remarks), (led.head(), 1, vec!["plan-dropped"]));
}

#[test]
fn a_plan_that_is_late_is_told_of_beside_an_order_that_is_carried_out() {
    let mut table = after(&founded(7), 1, "build red G23");
    let trade = table.game().legal(TWO).into_iter().find(|line| line.starts_with("trade "));
    let late = &*format!("next: {}", trade.expect("a trade is legal"));
    for seat in [TWO, Seat::new(3), ONE] {
        table = table.forfeit(seat, &[], SINCE).expect("it is his turn");
    }
    // His first turn after the deal has passed.
    assert_eq!(refused(letter(&table, TWO, 1, &[late])), (Some(1), "pc-plan-past"));
    // What the others did since has touched some companies, and not all.
    let builds = table.game().legal(TWO).into_iter().filter(|line| line.starts_with("build "));
    let is_free =
        |line: &String| matches!(letter(&table, TWO, 1, &[line]), Verdict::Accepted { .. });
    let build = &*builds.into_iter().find(is_free).expect("a company that nobody touched");
    let (after, plans, remarks) = accepted(letter(&table, TWO, 1, &[late, build]));
    assert_eq!((after.head(), plans, remarks), (table.head() + 1, 0, vec!["plan-dropped"]));
}

#[test]
fn a_preview_tells_all_that_is_certain_of_a_line_and_nothing_behind_it() {
    let kind = kind("off-the-rails").expect("it ships");
    let options = BTreeMap::new();
    let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats: 3 };
    let mut table =
        Table::found(setup, 1, Seed::rehearsal(7), DateTime::UNIX_EPOCH).expect("a table");
    let mut chooser = Dice::new(&Seed::rehearsal(9), 0);
    let mut told_before_chance = 0;
    for _ in 0..120 {
        let Turn::Awaiting(seats) = table.turn() else { break };
        let (seat, mut dice) = (seats[0], table.dice());
        let Some((line, events)) = table.game.copy().play_at_random(seat, &mut chooser, &mut dice)
        else {
            panic!("it is stuck")
        };
        let done =
            table.game.copy().play(seat, &line, &[], &mut table.dice()).expect("it is legal");
        if table.game.doubt(seat, &[&line]).is_none()
            && let Some(certain) = done.disclosed
        {
            let certain = &done.events[..certain];
            let narrated = table.game.narrate(certain, crate::rules::Viewer::Seat(seat));
            let due = narrated.expect("it is told").iter().map(|said| said.key).collect::<Vec<_>>();
            let said = told(&table, seat, &[&line]);
            assert_eq!(said[..due.len()], due, "{line}");
            assert!(said[due.len()..].contains(&"preview-open"), "{line}: {said:?}");
            told_before_chance += u32::from(!due.is_empty());
        }
        let cause = Cause::Orders { seat, lines: vec![line], letter: None };
        table.append(cause, events, dice.counter(), SINCE);
        table = table.at(table.head()).expect("it folds");
    }
    assert!(told_before_chance > 0);
}

#[test]
fn a_line_whose_time_comes_by_the_line_before_it_is_carried_out_and_a_plan_waits() {
    let mut table = session();
    for (seat, line) in [(ONE, "play PRR 3"), (TWO, "play PRR 7")] {
        table = played(&table, seat, line);
    }
    // Seat 3 could win and lead; here seat 2 has won and leads.
    table = played(&table, Seat::new(3), "play PRR 5");
    let head = table.head();
    let (after, plans, _) = accepted(letter(&table, TWO, head, &["lead BO 2", "end left"]));
    assert_eq!((after.head(), plans), (head + 1, 1));
    // The last to play wins with the highest card, and leads at once.
    let hands: [&[&str]; 3] = [&["PRR3", "BO1"], &["PRR5", "BO2"], &["PRR7", "BO3", "NYC1"]];
    let mut table = holding(hands);
    for (seat, line) in [(ONE, "play PRR 3"), (TWO, "play PRR 5")] {
        table = played(&table, seat, line);
    }
    let three = Seat::new(3);
    let lines = ["play PRR 7", "lead BO 3"];
    let (after, plans, _) = accepted(letter(&table, three, table.head(), &lines));
    assert_eq!((last_lines(&after), plans), (vec!["play PRR 7".into(), "lead BO 3".into()], 0));
    assert_eq!(told(&table, three, &lines).iter().filter(|key| **key == "tr-played").count(), 2);
    // A plan is left to the queue, for the letter orders something itself.
    let planned = ["play PRR 7", "if lead play BO 3"];
    let (after, plans, _) = accepted(letter(&table, three, table.head(), &planned));
    assert_eq!((last_lines(&after), plans), (vec!["play PRR 7".to_owned()], 1));
}

/// The keys of what a preview says that a letter would do.
fn told(table: &Table, seat: Seat, texts: &[&str]) -> Vec<&'static str> {
    let lines: Vec<OrderLine> =
        (1..).zip(texts).map(|(number, text)| OrderLine::new(number, (*text).into())).collect();
    let standing = &StandingOrders::default();
    let submission = Submission { seat, lines: &lines, seen: table.head(), letter: None, standing };
    match table.preview(&submission).expect("it is told") {
        Preview::Accepted { outcome, .. } => outcome.iter().map(|said| said.key).collect(),
        Preview::Refused(refused) => panic!("{refused:?}"),
    }
}

#[test]
fn a_preview_tells_what_would_be_planned() {
    let table = session();
    assert_eq!(told(&table, TWO, &["end left"]), ["tr-plan-end"]);
    assert_eq!(told(&table, TWO, &["auto-forced on"]), ["plans-auto-forced"]);
    assert_eq!(told(&table, ONE, &["play PRR 3", "end left"]).last(), Some(&"tr-plan-end"));
}

#[test]
fn what_an_earlier_line_touched_is_told_to_who_had_not_seen_it() {
    let built = after(&founded(7), 1, "build red G23");
    let two = |line: &str| letter(&built, TWO, 1, &[line]);
    assert_eq!(refused(two("build red H22")), (Some(1), "overtaken"));
    assert_eq!(accepted(two("build black F24")).0.head(), 3);
}

#[test]
fn the_end_of_a_turn_is_said_only_behind_something_that_was_ordered() {
    let table = founded(7);
    let head = table.head();
    let (after, ..) = accepted(letter(&table, ONE, head, &["build red G23", "done"]));
    assert_eq!((after.head(), after.turn()), (head + 1, Turn::Awaiting(vec![TWO])));
    assert_eq!(refused(letter(&table, ONE, head, &["done"])).0, Some(1));
    assert_eq!(refused(letter(&table, TWO, head, &["done"])).0, Some(1));
}

const SINCE: DateTime<Utc> = DateTime::UNIX_EPOCH;

/// When a seat that wants it so would be moved by itself within so many seconds.
fn moment(table: &Table, seat: Seat, auto_forced: bool, seconds: i64) -> Option<i64> {
    let standing = StandingOrders { auto_forced, ..StandingOrders::default() };
    let until = SINCE + TimeDelta::seconds(seconds);
    let moment = table.moment(seat, &standing, (SINCE, until))?;
    Some((moment - SINCE).num_seconds())
}

#[test]
fn who_must_do_one_thing_without_the_others_knowing_does_it_at_a_moment_drawn_from_all_his_time() {
    let table = played(&session(), ONE, "play CO 1");
    // Seat 2 must follow with its only card of C&O.
    let drawn = i128::from(table.chain.draw(&format!("auto forced 2 {}", table.head())));
    for seconds in [0, 1, 86_400, 90_000_000_000] {
        // So many of 2^32 equal parts.
        let due = (i128::from(seconds) * drawn) >> 32;
        assert_eq!(moment(&table, TWO, true, seconds).map(i128::from), Some(due), "{seconds}");
    }
    assert_eq!(moment(&table, TWO, true, -5), Some(0), "the deadline is over");
    assert_eq!(moment(&table, TWO, false, 60), None, "nobody asked for it");
    assert_eq!(moment(&table, ONE, true, 60), None, "it is not his turn");
    let free = session();
    assert_eq!(moment(&free, ONE, true, 60), None, "there is a choice");
    let last = holding([&["PRR3"], &["PRR7"], &["PRR5"]]);
    assert_eq!(moment(&last, ONE, true, 60), None, "all can see that it is his last card");
}

#[test]
fn what_only_its_player_knows_to_be_forced_is_done_once_its_moment_has_come() {
    let table = played(&session(), ONE, "play CO 1");
    let auto = StandingOrders { auto_forced: true, ..StandingOrders::default() };
    let standing = [StandingOrders::default(), auto, StandingOrders::default()];
    let carried = |unasked: &[Seat]| -> Table {
        let Carried { table, .. } = table.carry_on(&standing, unasked, SINCE);
        table
    };
    assert_eq!(carried(&[]).head(), table.head());
    assert_eq!(carried(&[ONE]).head(), table.head());
    assert_eq!(last_lines(&carried(&[TWO])), ["play CO 2"]);
}

#[test]
fn of_standing_orders_only_what_is_wanted_is_stored() {
    let stored = |orders: &StandingOrders| serde_json::to_string(orders).expect("it has a form");
    assert_eq!(stored(&StandingOrders::default()), "{}");
    let auto = StandingOrders { auto_forced: true, ..StandingOrders::default() };
    assert_eq!(stored(&auto), r#"{"auto_forced":true}"#);
}

#[test]
fn who_was_absent_has_nothing_to_take_back_and_nobody_else_has_either() {
    let absent = founded(7).forfeit(ONE, &[], SINCE).expect("it is his turn");
    let undone = |seat| absent.undo(seat, None, SINCE).err().map(|refusal| refusal.reason.key);
    assert_eq!([undone(ONE), undone(TWO)], [Some("undo-absent"), Some("undo-nothing")]);
}

#[test]
fn a_log_with_a_second_deal_does_not_hold() {
    let mut table = founded(7);
    let mut dice = table.dice();
    let events = table.game.copy().setup(&mut dice);
    table.append(Cause::Founded, events, dice.counter(), SINCE);
    assert_eq!(table.verify().findings, [Finding::Deal(2)]);
}

#[test]
fn a_rehearsal_of_planning_players_goes_on_by_plans_and_one_of_others_by_letters_alone() {
    let rehearsed = |game: &str, manner| {
        let kind = kind(game).expect("it ships");
        let options = BTreeMap::new();
        let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats: 3 };
        let Rehearsed { table, letters } =
            rehearse(setup, 1, 7, 20_000, manner).unwrap_or_else(|error| panic!("{error}"));
        assert!(table.is_over());
        assert!(table.records().iter().all(|record| record.at >= SINCE));
        assert!(table.records().is_sorted_by_key(|record| record.at));
        (u32::try_from(table.records().len()).expect("few"), letters)
    };
    let (records, letters) = rehearsed("trick-of-the-rails", Manner::OneByOne);
    assert_eq!(records, letters + 1);
    let (records, letters) = rehearsed("trick-of-the-rails", Manner::Planning);
    assert!(records > letters + 1, "{records} {letters}");
}
