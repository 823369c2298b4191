//! Tests of letters with both plans and orders, and of orders that are played without a letter.
//! They use games of Trick of the Rails for three players with chosen hands.

use super::*;
use crate::table::{LetterRefusal, Preview, QueueOutcome};
use chrono::TimeDelta;

const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);

/// Returns a game in which seats 1 to 3 hold these cards, and seat 1 leads in the first stock
/// round.
fn table_with_hands(hands: [&[&str]; 3]) -> Table {
    let kind = find_kind("trick-of-the-rails").expect("it ships");
    let options = BTreeMap::new();
    let setup =
        GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats: 3 };
    let mut table =
        Table::found_game(setup, 1, Seed::from_number(7), DateTime::UNIX_EPOCH).expect("a table");
    let dealt = (1..).zip(hands).map(|(seat, cards)| {
        serde_json::json!({"dealt": {"seat": seat, "cards": cards}}).to_string()
    });
    for event in dealt.chain([r#"{"leads":{"seat":1}}"#.to_owned()]) {
        let event = RawValue::from_string(event).expect("JSON");
        table.game.apply(&event).expect("an event of the game");
    }
    table
}

fn table_with_fixed_hands() -> Table {
    table_with_hands([
        &["PRR3", "BO1", "NYC1", "CO1", "ERIE1"],
        &["PRR7", "BO2", "NYC2", "CO2", "PRR1"],
        &["PRR5", "BO3", "NYC3", "CO3", "ERIE3"],
    ])
}

/// Submits a letter with these lines. Its player has seen the position after record `seen`.
fn submit_letter(table: &Table, seat: Seat, seen: u32, texts: &[&str]) -> Verdict {
    let lines: Vec<OrderLine> =
        (1..).zip(texts).map(|(number, text)| OrderLine::new(number, (*text).into())).collect();
    let standing = &QueuedOrders::default();
    let submission =
        Submission { seat, lines: &lines, seen_record: seen, letter: None, queued: standing };
    table.submit(&submission, DateTime::UNIX_EPOCH)
}

/// Returns the table after the letter, the number of queued plans, and the keys of the remarks.
fn expect_accepted(verdict: Verdict) -> (Table, usize, Vec<&'static str>) {
    match verdict {
        Verdict::Accepted { table, queued: standing, remarks, .. } => {
            (*table, standing.plans.len(), remarks.iter().map(|remark| remark.key).collect())
        }
        Verdict::Refused(refused) => panic!("{refused:?}"),
    }
}

/// Returns the number of the faulty line and the key of the reason.
fn expect_refused(verdict: Verdict) -> (Option<u32>, &'static str) {
    match verdict {
        Verdict::Accepted { queued: standing, remarks, .. } => panic!("{standing:?} {remarks:?}"),
        Verdict::Refused(LetterRefusal { line, refusal }) => {
            (line.map(|line| line.number), refusal.reason.key)
        }
    }
}

fn play_line(table: &Table, seat: Seat, line: &str) -> Table {
    expect_accepted(submit_letter(table, seat, table.last_record_number(), &[line])).0
}

fn last_lines(table: &Table) -> Vec<String> {
    match &table.records().last().expect("one").cause {
        Cause::Orders { lines, .. } => lines.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn impossible_plan_refuses_whole_letter() {
    let table = table_with_fixed_hands();
    let head = table.last_record_number();
    let lines = ["end left", "if led PRR play BO 2"];
    assert_eq!(
        expect_refused(submit_letter(&table, TWO, head, &lines)),
        (Some(2), "tr-plan-must-follow")
    );
    assert_eq!(expect_accepted(submit_letter(&table, TWO, head, &lines[..1])).1, 1);
}

#[test]
fn late_letter_keeps_plans_still_possible() {
    let kind = find_kind("trick-of-the-rails").expect("it ships");
    let options = BTreeMap::new();
    let setup =
        GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats: 3 };
    let table =
        Table::found_game(setup, 1, Seed::from_number(7), DateTime::UNIX_EPOCH).expect("a table");
    let Turn::Awaiting(leader) = table.turn() else { panic!("it begins") };
    let seat = leader[0].next(3);
    // The plan is for a company that is not led.
    let mut forms = table.game().forms(seat).into_iter().map(|form| form.line);
    let late = forms.find(|line| line.starts_with("if led ")).expect("an example");
    let planned = format!("play {} ", late.split(' ').nth(2).unwrap_or_default());
    let mut cards = table.game().legal_lines(leader[0]).into_iter();
    let card = cards.find(|line| !line.starts_with(&planned)).expect("another company");
    let led = play_line(&table, leader[0], &card);
    assert_eq!(
        expect_refused(submit_letter(&led, seat, 1, &[&late])),
        (Some(1), "tr-plan-was-led")
    );
    let (after, plans, remarks) =
        expect_accepted(submit_letter(&led, seat, 1, &[&late, "end left"]));
    assert_eq!(
        (after.last_record_number(), plans, remarks),
        (led.last_record_number(), 1, vec!["plan-dropped"])
    );
}

#[test]
fn plan_beside_late_order_counts_from_it() {
    let mut table = submit_line(&new_table(7), 1, "build red G23");
    let late = &*format!("next: {}", trade_line(&table, TWO));
    for seat in [TWO, Seat::new(3), ONE] {
        table = table.play_turn_for_absent(seat, &[], START).expect("it is his turn");
    }
    // Seat 2 has already missed the turn that the plan was for.
    assert_eq!(expect_refused(submit_letter(&table, TWO, 1, &[late])), (Some(1), "pc-plan-past"));
    // The other players have changed some companies since record 1, but not all.
    let builds =
        table.game().legal_lines(TWO).into_iter().filter(|line| line.starts_with("build "));
    let is_free =
        |line: &String| matches!(submit_letter(&table, TWO, 1, &[line]), Verdict::Accepted { .. });
    let build = &*builds.into_iter().find(is_free).expect("a company that nobody touched");
    // Beside an order, the plan counts from after that order.
    for lines in [[late, build], [build, late]] {
        let (after, plans, remarks) = expect_accepted(submit_letter(&table, TWO, 1, &lines));
        assert_eq!(
            (after.last_record_number(), plans, remarks),
            (table.last_record_number() + 1, 1, vec![]),
            "{lines:?}"
        );
    }
}

/// Returns a legal trade of a seat.
fn trade_line(table: &Table, seat: Seat) -> String {
    let trade = table.game().legal_lines(seat).into_iter().find(|line| line.starts_with("trade "));
    trade.expect("a trade is legal")
}

#[test]
fn preview_tells_certain_outcome_and_stops_there() {
    let kind = find_kind("off-the-rails").expect("it ships");
    let options = BTreeMap::new();
    let setup =
        GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats: 3 };
    let mut table =
        Table::found_game(setup, 1, Seed::from_number(7), DateTime::UNIX_EPOCH).expect("a table");
    let mut chooser = Dice::new(&Seed::from_number(9), 0);
    let mut told_before_chance = 0;
    for _ in 0..120 {
        let Turn::Awaiting(seats) = table.turn() else { break };
        let (seat, mut dice) = (seats[0], table.dice());
        let Some((line, events)) =
            table.game.clone_box().play_random_line(seat, &mut chooser, &mut dice)
        else {
            panic!("it is stuck")
        };
        let done = table
            .game
            .clone_box()
            .judge_and_play_line(seat, &line, &[], &mut table.dice())
            .expect("it is legal");
        if table.game.find_confirmation_question(seat, &[&line]).is_none()
            && let Some(certain) = done.first_disclosure
        {
            let certain = &done.events[..certain];
            let narrated = table.game.narrate_events(certain, crate::rules::Viewer::Seat(seat));
            let due = narrated.expect("it is told").iter().map(|said| said.key).collect::<Vec<_>>();
            let said = preview_keys(&table, seat, &[&line]);
            assert_eq!(said[..due.len()], due, "{line}");
            assert!(said[due.len()..].contains(&"preview-open"), "{line}: {said:?}");
            told_before_chance += u32::from(!due.is_empty());
        }
        let cause = Cause::Orders { seat, lines: vec![line], letter: None };
        table.append_record(cause, events, dice.used_word_count(), START);
        table = table.at_record(table.last_record_number()).expect("it folds");
    }
    assert!(told_before_chance > 0);
}

#[test]
fn line_due_within_letter_is_played_plan_waits() {
    let mut table = table_with_fixed_hands();
    for (seat, line) in [(ONE, "play PRR 3"), (TWO, "play PRR 7")] {
        table = play_line(&table, seat, line);
    }
    // Seat 3 could still have won the trick, but seat 2 has won it and leads.
    table = play_line(&table, Seat::new(3), "play PRR 5");
    let head = table.last_record_number();
    let (after, plans, _) =
        expect_accepted(submit_letter(&table, TWO, head, &["lead BO 2", "end left"]));
    assert_eq!((after.last_record_number(), plans), (head + 1, 1));
    // The last player of the trick wins it with the highest card, and leads at once.
    let hands: [&[&str]; 3] = [&["PRR3", "BO1"], &["PRR5", "BO2"], &["PRR7", "BO3", "NYC1"]];
    let mut table = table_with_hands(hands);
    for (seat, line) in [(ONE, "play PRR 3"), (TWO, "play PRR 5")] {
        table = play_line(&table, seat, line);
    }
    let three = Seat::new(3);
    let lines = ["play PRR 7", "lead BO 3"];
    let (after, plans, _) =
        expect_accepted(submit_letter(&table, three, table.last_record_number(), &lines));
    assert_eq!((last_lines(&after), plans), (vec!["play PRR 7".into(), "lead BO 3".into()], 0));
    assert_eq!(
        preview_keys(&table, three, &lines).iter().filter(|key| **key == "tr-played").count(),
        2
    );
    // The letter gives an order of its own, so its plan stays in the queue.
    let planned = ["play PRR 7", "if lead play BO 3"];
    let (after, plans, _) =
        expect_accepted(submit_letter(&table, three, table.last_record_number(), &planned));
    assert_eq!((last_lines(&after), plans), (vec!["play PRR 7".to_owned()], 1));
}

/// Returns the keys of the events and plans in a preview of a letter.
fn preview_keys(table: &Table, seat: Seat, texts: &[&str]) -> Vec<&'static str> {
    let lines: Vec<OrderLine> =
        (1..).zip(texts).map(|(number, text)| OrderLine::new(number, (*text).into())).collect();
    let standing = &QueuedOrders::default();
    let submission = Submission {
        seat,
        lines: &lines,
        seen_record: table.last_record_number(),
        letter: None,
        queued: standing,
    };
    match table.preview(&submission).expect("it is told") {
        Preview::Accepted { outcome, .. } => outcome.iter().map(|said| said.key).collect(),
        Preview::Refused(refused) => panic!("{refused:?}"),
    }
}

#[test]
fn preview_tells_what_would_be_queued() {
    let table = table_with_fixed_hands();
    assert_eq!(preview_keys(&table, TWO, &["end left"]), ["tr-plan-end"]);
    assert_eq!(preview_keys(&table, TWO, &["auto-forced on"]), ["plans-auto-forced"]);
    assert_eq!(preview_keys(&table, ONE, &["play PRR 3", "end left"]).last(), Some(&"tr-plan-end"));
}

#[test]
fn order_overtaken_by_unseen_move_is_refused() {
    let built = submit_line(&new_table(7), 1, "build red G23");
    let two = |line: &str| submit_letter(&built, TWO, 1, &[line]);
    assert_eq!(expect_refused(two("build red H22")), (Some(1), "overtaken"));
    assert_eq!(expect_accepted(two("build black F24")).0.last_record_number(), 3);
}

#[test]
fn end_of_turn_needs_an_earlier_order() {
    let mut phrases = PhraseBook::default();
    assert_eq!(phrases.add_row("turn-ends", "", &["done"]), Ok(true));
    let table = new_table(7).with_phrases(Arc::new(phrases));
    let head = table.last_record_number();
    let (after, ..) = expect_accepted(submit_letter(&table, ONE, head, &["build red G23", "done"]));
    assert_eq!((after.last_record_number(), after.turn()), (head + 1, Turn::Awaiting(vec![TWO])));
    assert_eq!(expect_refused(submit_letter(&table, ONE, head, &["done"])).0, Some(1));
    assert_eq!(expect_refused(submit_letter(&table, TWO, head, &["done"])).0, Some(1));
}

const START: DateTime<Utc> = DateTime::UNIX_EPOCH;

/// Returns the delay in seconds after which a forced order is played automatically, if the seat has
/// `seconds` until its deadline.
fn auto_play_seconds(table: &Table, seat: Seat, auto_forced: bool, seconds: i64) -> Option<i64> {
    let queued = QueuedOrders { auto_forced, ..QueuedOrders::default() };
    let until = START + TimeDelta::seconds(seconds);
    let moment = table.auto_play_time(seat, &queued, (START, until))?;
    Some((moment - START).num_seconds())
}

#[test]
fn hidden_forced_order_plays_at_drawn_time() {
    let table = play_line(&table_with_fixed_hands(), ONE, "play CO 1");
    // Seat 2 must follow suit with its only card of C&O.
    let drawn = i128::from(
        table.chain.derive_number(&format!("auto forced 2 {}", table.last_record_number())),
    );
    for seconds in [0, 1, 86_400, 90_000_000_000] {
        // The derived number is a fraction of 2^32.
        let due = (i128::from(seconds) * drawn) >> 32;
        assert_eq!(
            auto_play_seconds(&table, TWO, true, seconds).map(i128::from),
            Some(due),
            "{seconds}"
        );
    }
    assert_eq!(auto_play_seconds(&table, TWO, true, -5), Some(0), "the deadline is over");
    assert_eq!(auto_play_seconds(&table, TWO, false, 60), None, "nobody asked for it");
    assert_eq!(auto_play_seconds(&table, ONE, true, 60), None, "it is not his turn");
    let free = table_with_fixed_hands();
    assert_eq!(auto_play_seconds(&free, ONE, true, 60), None, "there is a choice");
    let last = table_with_hands([&["PRR3"], &["PRR7"], &["PRR5"]]);
    assert_eq!(
        auto_play_seconds(&last, ONE, true, 60),
        None,
        "all can see that it is his last card"
    );
}

#[test]
fn hidden_forced_order_waits_for_its_time() {
    let table = play_line(&table_with_fixed_hands(), ONE, "play CO 1");
    let auto = QueuedOrders { auto_forced: true, ..QueuedOrders::default() };
    let queued = [QueuedOrders::default(), auto, QueuedOrders::default()];
    let carried = |unasked: &[Seat]| -> Table {
        let QueueOutcome { table, .. } = table.play_queued_orders(&queued, unasked, START);
        table
    };
    assert_eq!(carried(&[]).last_record_number(), table.last_record_number());
    assert_eq!(carried(&[ONE]).last_record_number(), table.last_record_number());
    assert_eq!(last_lines(&carried(&[TWO])), ["play CO 2"]);
}

#[test]
fn default_queue_fields_are_not_stored() {
    let stored = |orders: &QueuedOrders| serde_json::to_string(orders).expect("it has a form");
    assert_eq!(stored(&QueuedOrders::default()), "{}");
    let auto = QueuedOrders { auto_forced: true, ..QueuedOrders::default() };
    assert_eq!(stored(&auto), r#"{"auto_forced":true}"#);
}

#[test]
fn forfeited_turn_cannot_be_undone() {
    let absent = new_table(7).play_turn_for_absent(ONE, &[], START).expect("it is his turn");
    let undone = |seat| absent.undo(seat, None, START).err().map(|refusal| refusal.reason.key);
    assert_eq!([undone(ONE), undone(TWO)], [Some("undo-absent"), Some("undo-nothing")]);
}

#[test]
fn verify_reports_record_that_deals_again() {
    let mut table = new_table(7);
    let mut dice = table.dice();
    let events = table.game.clone_box().setup(&mut dice);
    table.append_record(Cause::Founded, events, dice.used_word_count(), START);
    assert_eq!(table.verify().findings, [Finding::Deal(2)]);
}

#[test]
fn only_rehearsal_with_plans_plays_without_letters() {
    let rehearsed = |game: &str, manner| {
        let kind = find_kind(game).expect("it ships");
        let options = BTreeMap::new();
        let setup =
            GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats: 3 };
        let Rehearsal { table, letters } =
            rehearse(setup, 1, 7, 20_000, manner).unwrap_or_else(|error| panic!("{error}"));
        assert!(table.is_over());
        assert!(table.records().iter().all(|record| record.at >= START));
        assert!(table.records().is_sorted_by_key(|record| record.at));
        (u32::try_from(table.records().len()).expect("few"), letters)
    };
    let (records, letters) = rehearsed("trick-of-the-rails", RehearsalMode::SingleOrders);
    assert_eq!(records, letters + 1);
    let (records, letters) = rehearsed("trick-of-the-rails", RehearsalMode::WithPlans);
    assert!(records > letters + 1, "{records} {letters}");
}
