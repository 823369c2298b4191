//! Tests of plans: to which trick they are assigned, when they are due, and why they are refused or
//! dropped.

use super::*;
use crate::games::trick_of_the_rails::Plan;
use crate::rules::{ConditionalPlan, PlanStatus};
use serde_json::{Value, json};

/// The lane of the example: three stock tricks, with a City and a locomotive between them.
const LANE: [LaneCard; 5] = [
    EXCHANGE,
    CITY,
    LaneCard::Exchange(Company::Bo),
    lane_locomotive(Locomotive::Three),
    LaneCard::Exchange(Company::Co),
];

fn example_game() -> State {
    game_with_hands(
        &["PRR3 BO1 NYC1 CO1 ERIE1", "PRR7 BO2 NYC2 CO2 PRR1", "PRR5 BO3 NYC3 CO3 ERIE3"],
        &LANE,
    )
}

/// Parses a line as a plan. Returns the key of the reason if the plan is refused or impossible.
fn parse_plan(state: &State, seat: Seat, line: &str) -> Result<Plan, &'static str> {
    let read = Plan::parse_plans(state, seat, line).unwrap_or_else(|| panic!("{line}: no plan"));
    let plan = read.map_err(|refusal| refusal.reason.key)?.remove(0);
    match plan.status(state, seat) {
        PlanStatus::Impossible(why) => Err(why.key),
        PlanStatus::Due(_) | PlanStatus::Pending => Ok(plan),
    }
}

/// Returns the stored form of a plan, or the key of the reason if it is refused.
fn stored_plan(state: &State, seat: Seat, line: &str) -> Value {
    match parse_plan(state, seat, line) {
        Ok(plan) => serde_json::to_value(&plan).unwrap_or_else(|error| panic!("{error}")),
        Err(why) => json!(why),
    }
}

/// Returns the trick, from 1, to which a plan is assigned.
fn filed_trick(state: &State, seat: Seat, line: &str) -> Result<u64, &'static str> {
    let stored = serde_json::to_value(parse_plan(state, seat, line)?).unwrap_or_default();
    Ok(stored["trick"].as_u64().map_or(0, |trick| trick + 1))
}

/// Parses lines as the plans of one letter, which refer to each other.
fn join_plans(state: &State, seat: Seat, lines: &[&str]) -> Vec<Plan> {
    let mut letter = Vec::new();
    for line in lines {
        let plan = parse_plan(state, seat, line).unwrap_or_else(|why| panic!("{line}: {why}"));
        plan.merge_into(state, &mut letter).unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"));
    }
    letter
}

fn due(lines: &[&str]) -> PlanStatus {
    PlanStatus::Due(lines.iter().map(|line| (*line).to_owned()).collect())
}

fn impossibility_key(plan: &Plan, state: &State, seat: Seat) -> &'static str {
    match plan.status(state, seat) {
        PlanStatus::Impossible(why) => why.key,
        other => panic!("{plan:?}: {other:?}"),
    }
}

#[test]
fn plan_is_filed_at_first_possible_trick() {
    let mut state = example_game();
    for (seat, line, trick) in [
        (ONE, "end left", 2),
        (TWO, "end left", 2),
        (TWO, "if win city NYC right", 2),
        (TWO, "if win locomotive NYC", 4),
        (TWO, "locomotive 3 to NYC", 4),
        (TWO, "if win New York (40) on NYC right", 2),
        (TWO, "lead PRR 7", 2),
        (ONE, "if led BO play BO 1", 2),
        (ONE, "otherwise NYC 1", 2),
        (TWO, "if led BO play BO 2", 1),
        (TWO, "play BO 2", 1),
        (TWO, "trick 3: play BO 2", 3),
    ] {
        assert_eq!(filed_trick(&state, seat, line), Ok(trick), "{line}");
    }
    play_lines(&mut state, &["play PRR 3"]);
    // Seat 1 has played to a stock trick, so its plans are for the next trick in which they can
    // apply.
    for (line, trick) in [
        ("end left", 2),
        ("if led BO play BO 1", 2),
        ("play BO 1", 2),
        ("lead BO 1", 2),
        ("if win city NYC right", 2),
    ] {
        assert_eq!(filed_trick(&state, ONE, line), Ok(trick), "{line}");
    }
    play_lines(&mut state, &["play PRR 7"]);
    // Seat 1 has lost this trick and cannot lead the next.
    assert_eq!(filed_trick(&state, ONE, "lead BO 1"), Ok(3));
    play_lines(&mut state, &["play PRR 5", "play BO 2", "play BO 3"]);
    assert_eq!(filed_trick(&state, TWO, "if win city NYC right"), Err("tr-plan-no-city"));
    assert_eq!(filed_trick(&state, TWO, "end left"), Ok(2));
    assert_eq!(filed_trick(&state, THREE, "if win city NYC right"), Ok(2));
    play_lines(&mut state, &["play BO 1", "city NYC right", "end left", "end left", "end left"]);
    assert_eq!(filed_trick(&state, THREE, "end left"), Ok(4));
    assert_eq!(filed_trick(&state, TWO, "trick 2: end left"), Err("tr-plan-trick-over"));
    assert_eq!(filed_trick(&state, TWO, "trick 3: end left"), Err("tr-plan-stock"));
    assert_eq!(filed_trick(&state, TWO, "trick 4: city NYC left"), Err("tr-plan-other-prize"));
    assert_eq!(filed_trick(&state, TWO, "trick 9: end left"), Err("tr-plan-no-end"));
}

#[test]
fn impossible_plan_is_refused_with_reason() {
    let mut state = example_game();
    for (seat, line, why) in [
        (TWO, "play PRR 3", "tr-plan-not-held"),
        (TWO, "if led PRR play PRR 3", "tr-plan-not-held"),
        (TWO, "otherwise ERIE 3", "tr-plan-not-held"),
        (TWO, "otherwise CO 2, ERIE 3", "tr-plan-not-held"),
        (TWO, "lead ERIE 3", "tr-plan-not-held"),
        (TWO, "play CO 2, ERIE 3", "tr-plan-not-held"),
        // Seat 2 must follow, and has too many PRR cards to lose them before.
        (TWO, "if led PRR play BO 2", "tr-plan-must-follow"),
        (TWO, "city NYC", "tr-no-end"),
        (TWO, "locomotive inf NYC", "tr-plan-no-infinite"),
        (TWO, "locomotive 4 NYC", "tr-plan-no-locomotive"),
        (TWO, "if win Baltimore NYC right", "tr-plan-no-city"),
        (TWO, "if led PRR play PRR 7 or PRR 1", "tr-too-long"),
        (TWO, "if win play PRR 7", "tr-plan-win"),
        (TWO, "if led ERIE play end left", "tr-plan-card"),
        (TWO, "if it rains play PRR 7", "tr-plan-unreadable"),
    ] {
        assert_eq!(filed_trick(&state, seat, line), Err(why), "{line}");
    }
    // A seat cannot lead a company that it does not hold. Seat 2 holds no Erie card, so it need not
    // follow.
    assert_eq!(filed_trick(&state, TWO, "if led ERIE play PRR 1"), Ok(1));
    play_lines(&mut state, &["play ERIE 1", "play PRR 1", "play ERIE 3"]);
    assert_eq!(filed_trick(&state, TWO, "if led ERIE play PRR 7"), Err("tr-plan-not-led"));
    state.railways[Company::Nyc].locomotive = Some(Locomotive::Four);
    assert_eq!(filed_trick(&state, TWO, "if win locomotive NYC"), Err("tr-plan-no-railway"));
    assert_eq!(filed_trick(&state, TWO, "if win locomotive NYC, PRR"), Ok(4));
}

#[test]
fn otherwise_covers_unnamed_cases_except_leading() {
    let mut state = example_game();
    let lines = ["otherwise NYC 2", "if led PRR play PRR 1", "if B&O is led: BO 2"];
    for turned in [false, true] {
        let mut lines = lines.to_vec();
        if turned {
            lines.reverse();
        }
        let plans = join_plans(&state, TWO, &lines);
        let otherwise = plans.iter().find(|plan| plan.describe(&state).key == "tr-plan-otherwise");
        let otherwise = otherwise.unwrap_or_else(|| panic!("{plans:?}"));
        let kept = serde_json::to_value(otherwise).unwrap_or_default();
        assert_eq!(kept["but"], json!(["BO", "PRR"]));
        let mut led = state.clone();
        play_lines(&mut led, &["play PRR 3"]);
        assert_eq!(impossibility_key(otherwise, &led, TWO), "tr-plan-was-named");
        let mut led = state.clone();
        play_lines(&mut led, &["play ERIE 1"]);
        assert_eq!(otherwise.status(&led, TWO), due(&["play NYC 2"]));
    }
    let alone = join_plans(&state, THREE, &["otherwise NYC 3"]).remove(0);
    assert_eq!(alone.describe(&state).key, "tr-plan-whatever");
    // The case for PRR stays separate even if its planned card has left the hand.
    let next = join_plans(&state, ONE, &["otherwise NYC 1", "if led PRR play PRR 3"]);
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play PRR 5", "play PRR 1"]);
    assert_eq!(impossibility_key(&next[1], &state, ONE), "tr-plan-cards-gone");
    assert_eq!(impossibility_key(&next[0], &state, ONE), "tr-plan-was-named");
    // Seat 2 leads, so a plan for a follower cannot apply.
    let leads = join_plans(&example_game(), TWO, &["trick 2: otherwise NYC 2"]).remove(0);
    let mut state = example_game();
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play PRR 5"]);
    assert_eq!(impossibility_key(&leads, &state, TWO), "tr-plan-you-lead");
}

#[test]
fn displayed_plan_parses_back_to_itself() {
    let state = example_game();
    for (line, shown) in [
        ("if led BO play BO 2, CO 2", "Trick 1, if B&O is led: play BO 2, play CO 2"),
        ("lead BO 2, CO 2", "Trick 2, if you lead: play BO 2, play CO 2"),
        ("otherwise BO 2", "Trick 1, whatever is led: play BO 2"),
        ("play BO 2, CO 2", "Trick 1: play BO 2, play CO 2"),
        ("if win city NYC right", "Trick 2, if you win: city NYC right"),
        ("if win locomotive NYC, PRR", "Trick 4, if you win: locomotive NYC, locomotive PRR"),
        ("end left", "Trick 2: end left"),
    ] {
        // The displayed form also names the trick.
        let mut named = stored_plan(&state, TWO, line);
        named["named"] = json!(true);
        assert_eq!(stored_plan(&state, TWO, shown), named, "{shown}");
    }
    let shown = stored_plan(&state, TWO, "Trick 1, if anything but Erie and PRR is led: play BO 2");
    assert_eq!(shown["but"], json!(["ERIE", "PRR"]));
    assert_eq!(shown["case"], json!("otherwise"));
}

/// Letters that seats write after `play PRR 3`, and the tricks of their plans, from 1.
const LETTERS: [(Seat, &[&str], &[usize]); 7] = [
    (THREE, &["if led PRR play PRR 5"], &[1]),
    (THREE, &["if led PRR play PRR 5", "if led BO play BO 3", "otherwise NYC 3"], &[2, 2, 2]),
    (THREE, &["otherwise NYC 3", "if led BO play BO 3", "lead CO 3"], &[2, 2, 2]),
    (THREE, &["trick 1: if led PRR play PRR 5", "if led BO play BO 3"], &[1, 2]),
    (THREE, &["play PRR 5", "if led BO play BO 3", "otherwise NYC 3"], &[1, 2, 2]),
    (THREE, &["if led BO play BO 3", "play PRR 5"], &[2, 1]),
    // It is the turn of seat 2, so its first plan is the card for now.
    (TWO, &["if led PRR play PRR 7", "if led BO play BO 2"], &[1, 2]),
];

#[test]
fn plans_of_one_letter_share_a_trick() {
    let mut state = example_game();
    play_lines(&mut state, &["play PRR 3"]);
    for (seat, lines, tricks) in LETTERS {
        let read = |line: &&str| Plan::parse_plans(&state, seat, line).expect("a plan");
        let plans: Result<Vec<Vec<Plan>>, Refusal> = lines.iter().map(read).collect();
        let mut letter = plans.unwrap_or_else(|refusal| panic!("{lines:?}: {refusal:?}")).concat();
        Plan::align(&state, seat, &mut letter);
        let aligned: Vec<usize> = letter.iter().map(|plan| plan.trick + 1).collect();
        assert_eq!(aligned, tricks, "{lines:?}");
    }
}

#[test]
fn second_locomotive_is_fallback_except_for_infinite() {
    let hands = ["PRR7 NYC1", "PRR3 NYC2", "PRR5 NYC3"];
    let lane = [lane_locomotive(Locomotive::Six), EXCHANGE];
    let mut state = game_with_options(&hands, &lane, EXPERT);
    let lines = ["if win locomotive PRR", "if win locomotive NYC", "if win locomotive inf BO"];
    let plans = join_plans(&state, ONE, &lines);
    play_lines(&mut state, &["play PRR 7", "play PRR 3", "play PRR 5"]);
    assert_eq!(plans[1].status(&state, ONE), due(&["locomotive NYC"]));
    assert_eq!(plans[2].status(&state, ONE), PlanStatus::Pending);
    play_lines(&mut state, &["locomotive PRR"]);
    assert_eq!(impossibility_key(&plans[1], &state, ONE), "tr-plan-placed");
    assert_eq!(plans[2].status(&state, ONE), due(&["locomotive inf BO"]));
    play_lines(&mut state, &["locomotive inf BO"]);
    assert_eq!(state.railways[Company::Bo].locomotive, Some(Locomotive::Infinite));
}

#[test]
fn second_plan_for_a_step_must_be_fallback() {
    let state = example_game();
    for (one, two) in [
        ("end left", "end right"),
        ("play PRR 7", "play BO 2"),
        ("lead PRR 7", "lead BO 2"),
        ("if win city NYC left", "city PRR right"),
    ] {
        let mut letter = join_plans(&state, TWO, &[one]);
        let second = parse_plan(&state, TWO, two).unwrap_or_else(|why| panic!("{two}: {why}"));
        let refused = second.merge_into(&state, &mut letter).map_err(|refusal| refusal.reason.key);
        assert_eq!(refused, Err("tr-plan-twice"), "{two}");
    }
    join_plans(&state, TWO, &["if led PRR play PRR 7", "if led PRR play PRR 1"]);
}

#[test]
fn order_is_a_plan_only_before_its_time() {
    let mut state = example_game();
    assert_eq!(Plan::parse_plans(&state, ONE, "play PRR 3"), None, "it is for now");
    assert_eq!(Plan::parse_plans(&state, ONE, "lead PRR 3"), None, "so is this");
    assert!(Plan::parse_plans(&state, ONE, "end left").is_some(), "its time comes later");
    assert!(Plan::parse_plans(&state, ONE, "city NYC right").is_some());
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play PRR 5", "play PRR 1", "play BO 3"]);
    play_lines(&mut state, &["play BO 1"]);
    assert!(Plan::parse_plans(&state, TWO, "end left").is_some(), "the City is to be placed first");
    assert_eq!(Plan::parse_plans(&state, TWO, "city NYC right"), None);
    assert_eq!(Plan::parse_plans(&state, TWO, "play PRR 7"), None, "a City is asked for");
}

#[test]
fn shown_example_can_be_sent_by_its_seat() {
    let hands = ["PRR7 NYC1", "PRR3 NYC2", "PRR5 NYC3"];
    let mut state = game_with_hands(&hands, &[EXCHANGE, lane_locomotive(Locomotive::Three)]);
    let shown = |state: &State, seat| -> Vec<String> {
        let orders = TrickOfTheRails::GRAMMAR.examples(state, Some(seat));
        let plans = Plan::GRAMMAR.examples(state, Some(seat));
        orders.into_iter().chain(plans).map(|form| form.line).collect()
    };
    loop {
        for seat in Seat::all(3) {
            for line in shown(&state, seat) {
                let planned = Plan::parse_plans(&state, seat, &line);
                let is_order = planned.is_none() && play_line(&state, seat, &line).is_ok();
                assert!(is_order || parse_plan(&state, seat, &line).is_ok(), "{seat}: {line}");
            }
        }
        let Turn::Awaiting(seats) = TrickOfTheRails::turn(&state) else { break };
        let order = TrickOfTheRails::order_for_absent_player(&state, seats[0]);
        let line = TrickOfTheRails::write_line(&state, &[order]);
        play_lines(&mut state, &[&line]);
    }
    assert_eq!(shown(&state, ONE), [""; 0]);
}

#[test]
fn old_stored_plans_keep_form_and_meaning() {
    let mut state = example_game();
    let kept = json!({"case": "play", "orders": [{"play": "NYC2"}], "trick": 0});
    let plan: Plan = serde_json::from_value(kept.clone()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(serde_json::to_value(&plan).unwrap_or_default(), kept);
    play_lines(&mut state, &["play NYC 1"]);
    assert_eq!(plan.status(&state, TWO), due(&["play NYC 2"]));
    let led = json!({"case": {"led": "BO"}, "orders": [{"play": "BO2"}], "trick": 0});
    assert_eq!(serde_json::from_value::<Plan>(led.clone()).map(|p| json!(p)).ok(), Some(led));
    // A stored plan for a trick whose lane card it cannot place is reported as impossible now.
    let lost = json!({"case": "win", "orders": [{"locomotive": {"company": "PRR"}}], "trick": 1});
    let lost: Plan = serde_json::from_value(lost).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(impossibility_key(&lost, &state, TWO), "tr-plan-other-prize");
}

#[test]
fn bare_numbers_belong_to_led_company() {
    let state = example_game();
    for (line, same) in [
        ("if led PRR play 7, 1", "if led PRR play PRR 7, PRR 1"),
        ("if win city NYC, right", "if win city NYC right"),
    ] {
        assert_eq!(stored_plan(&state, TWO, line), stored_plan(&state, TWO, same), "{line}");
        assert!(stored_plan(&state, TWO, line).is_object(), "{line}");
    }
    let led = parse_plan(&state, TWO, "if led BO play BO 2").unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(led.describe(&state).args["led"], Arg::from("B&O"));
}

#[test]
fn past_case_names_the_led_company() {
    let mut state = example_game();
    let led = parse_plan(&state, TWO, "if led BO play BO 2").unwrap_or_else(|why| panic!("{why}"));
    play_lines(&mut state, &["play PRR 3"]);
    match led.status(&state, TWO) {
        PlanStatus::Impossible(why) => {
            assert_eq!((why.key, &why.args["led"]), ("tr-plan-was-led", &Arg::from("PRR")));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn plan_must_follow_suit_unless_cards_run_out() {
    let mut state = example_game();
    // Seat 1 may play its only C&O card to the first trick, until it has played another card.
    assert_eq!(filed_trick(&state, ONE, "if led CO play NYC 1"), Ok(2));
    play_lines(&mut state, &["play PRR 3"]);
    assert_eq!(filed_trick(&state, ONE, "if led CO play NYC 1"), Err("tr-plan-must-follow"));
    assert_eq!(filed_trick(&state, ONE, "trick 3: if led CO play NYC 1"), Ok(3));
    // The lane has five tricks.
    assert_eq!(filed_trick(&state, ONE, "trick 6: end left"), Err("tr-plan-no-end"));
}

#[test]
fn unreadable_order_is_plan_error_only_off_turn() {
    let state = example_game();
    assert_eq!(Plan::parse_plans(&state, ONE, "play PRR 11"), None);
    assert_eq!(Plan::parse_plans(&state, TWO, "hello there"), None);
    assert!(matches!(Plan::parse_plans(&state, TWO, "play PRR 11"), Some(Err(_))));
}

#[test]
fn infinite_locomotive_is_planned_until_due() {
    let hands = ["PRR7 NYC1", "PRR3 NYC2", "PRR5 NYC3"];
    let lane = [lane_locomotive(Locomotive::Six), EXCHANGE];
    let mut state = game_with_options(&hands, &lane, EXPERT);
    play_lines(&mut state, &["play PRR 7", "play PRR 3", "play PRR 5"]);
    let line = "locomotive inf BO";
    let plan = parse_plan(&state, ONE, line).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(plan.status(&state, ONE), PlanStatus::Pending);
    assert_eq!(Plan::parse_plans(&state, ONE, "locomotive BO"), None, "it is for [6]");
    play_lines(&mut state, &["locomotive PRR"]);
    assert_eq!(plan.status(&state, ONE), due(&[line]));
    assert_eq!(Plan::parse_plans(&state, ONE, line), None, "it is for now");
}

#[test]
fn random_plans_cover_led_and_other_cases() {
    let state = example_game();
    let mut chooser = Dice::new(&Seed::from_number(1), 0);
    let mut companies: Vec<String> = Vec::new();
    for _ in 0..40 {
        let lines = Plan::random_plan_lines(&state, TWO, &mut chooser);
        assert!(lines.iter().any(|line| line.starts_with("otherwise ")), "{lines:?}");
        for line in &lines {
            assert!(parse_plan(&state, TWO, line).is_ok(), "{line}");
            if let Some(("if", led)) = line.split_once(" led ") {
                let (led, card) = led.split_once(" play ").unwrap_or_default();
                assert!(card.starts_with(led), "{line}");
                companies.push(led.to_owned());
            }
        }
    }
    companies.sort_unstable();
    companies.dedup();
    // These are the companies that seat 2 holds and that another seat may lead.
    assert_eq!(companies, ["BO", "CO", "NYC", "PRR"]);
}
