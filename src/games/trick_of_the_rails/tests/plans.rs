//! Plans: where each is filed, when it is met, and why it is refused or dropped.

use super::*;
use crate::games::trick_of_the_rails::Plan;
use crate::rules::{Follow, Plans};
use serde_json::{Value, json};

/// Two stock tricks around one for a City and one for a locomotive.
const LANE: [LaneCard; 5] = [
    EXCHANGE,
    CITY,
    LaneCard::Exchange(Company::Bo),
    locomotive(Locomotive::Three),
    LaneCard::Exchange(Company::Co),
];

/// Seats 1 to 3 hold these; seat 1 leads.
fn session() -> State {
    table(&["PRR3 BO1 NYC1 CO1 ERIE1", "PRR7 BO2 NYC2 CO2 PRR1", "PRR5 BO3 NYC3 CO3 ERIE3"], &LANE)
}

/// The plan that a line is.
fn plan(state: &State, seat: Seat, line: &str) -> Result<Plan, &'static str> {
    let read = Plan::read(state, seat, line).unwrap_or_else(|| panic!("{line}: no plan"));
    let plan = read.map_err(|refusal| refusal.reason.key)?.remove(0);
    match plan.follow(state, seat) {
        Follow::Never(why) => Err(why.key),
        Follow::Now(_) | Follow::NotYet => Ok(plan),
    }
}

/// What is stored of the plan, or the key of why it is none.
fn stored(state: &State, seat: Seat, line: &str) -> Value {
    match plan(state, seat, line) {
        Ok(plan) => serde_json::to_value(&plan).unwrap_or_else(|error| panic!("{error}")),
        Err(why) => json!(why),
    }
}

/// The trick, from 1, at which a line is filed.
fn filed(state: &State, seat: Seat, line: &str) -> Result<u64, &'static str> {
    let stored = serde_json::to_value(plan(state, seat, line)?).unwrap_or_default();
    Ok(stored["trick"].as_u64().map_or(0, |trick| trick + 1))
}

/// What becomes of a letter's plans when they are followed by this seat.
fn letter(state: &State, seat: Seat, lines: &[&str]) -> Vec<Plan> {
    let mut letter = Vec::new();
    for line in lines {
        let plan = plan(state, seat, line).unwrap_or_else(|why| panic!("{line}: {why}"));
        plan.join(state, &mut letter).unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"));
    }
    letter
}

fn now(lines: &[&str]) -> Follow {
    Follow::Now(lines.iter().map(|line| (*line).to_owned()).collect())
}

fn never(plan: &Plan, state: &State, seat: Seat) -> &'static str {
    match plan.follow(state, seat) {
        Follow::Never(why) => why.key,
        other => panic!("{plan:?}: {other:?}"),
    }
}

#[test]
fn a_plan_is_filed_at_the_first_trick_at_which_it_can_come_true() {
    let mut state = session();
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
        assert_eq!(filed(&state, seat, line), Ok(trick), "{line}");
    }
    go(&mut state, &["play PRR 3"]);
    // Who has played to a stock trick plans for the next one that has what he plans for.
    for (line, trick) in [
        ("end left", 2),
        ("if led BO play BO 1", 2),
        ("play BO 1", 2),
        ("lead BO 1", 2),
        ("if win city NYC right", 2),
    ] {
        assert_eq!(filed(&state, ONE, line), Ok(trick), "{line}");
    }
    go(&mut state, &["play PRR 7"]);
    // Seat 1 has lost this trick and cannot lead the next.
    assert_eq!(filed(&state, ONE, "lead BO 1"), Ok(3));
    go(&mut state, &["play PRR 5", "play BO 2", "play BO 3"]);
    assert_eq!(filed(&state, TWO, "if win city NYC right"), Err("tr-plan-no-city"));
    assert_eq!(filed(&state, TWO, "end left"), Ok(2));
    assert_eq!(filed(&state, THREE, "if win city NYC right"), Ok(2));
    go(&mut state, &["play BO 1", "city NYC right", "end left", "end left", "end left"]);
    assert_eq!(filed(&state, THREE, "end left"), Ok(4));
    assert_eq!(filed(&state, TWO, "trick 2: end left"), Err("tr-plan-trick-over"));
    assert_eq!(filed(&state, TWO, "trick 3: end left"), Err("tr-plan-stock"));
    assert_eq!(filed(&state, TWO, "trick 4: city NYC left"), Err("tr-plan-other-prize"));
    assert_eq!(filed(&state, TWO, "trick 9: end left"), Err("tr-plan-no-end"));
}

#[test]
fn a_plan_that_can_never_be_used_is_refused_with_the_reason() {
    let mut state = session();
    for (seat, line, why) in [
        (TWO, "play PRR 3", "tr-plan-not-held"),
        (TWO, "if led PRR play PRR 3", "tr-plan-not-held"),
        (TWO, "otherwise ERIE 3", "tr-plan-not-held"),
        (TWO, "otherwise CO 2, ERIE 3", "tr-plan-not-held"),
        (TWO, "lead ERIE 3", "tr-plan-not-held"),
        (TWO, "play CO 2, ERIE 3", "tr-plan-not-held"),
        // He must follow, and has too many cards of it to lose them before.
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
        assert_eq!(filed(&state, seat, line), Err(why), "{line}");
    }
    // Nobody can lead what nobody else holds; what he does not hold he need not follow.
    assert_eq!(filed(&state, TWO, "if led ERIE play PRR 1"), Ok(1));
    go(&mut state, &["play ERIE 1", "play PRR 1", "play ERIE 3"]);
    assert_eq!(filed(&state, TWO, "if led ERIE play PRR 7"), Err("tr-plan-not-led"));
    state.railways[Company::Nyc].locomotive = Some(Locomotive::Four);
    assert_eq!(filed(&state, TWO, "if win locomotive NYC"), Err("tr-plan-no-railway"));
    assert_eq!(filed(&state, TWO, "if win locomotive NYC, PRR"), Ok(4));
}

#[test]
fn otherwise_is_for_every_case_that_no_line_names_and_not_for_leading() {
    let mut state = session();
    let lines = ["otherwise NYC 2", "if led PRR play PRR 1", "if B&O is led: BO 2"];
    for turned in [false, true] {
        let mut lines = lines.to_vec();
        if turned {
            lines.reverse();
        }
        let plans = letter(&state, TWO, &lines);
        let otherwise = plans.iter().find(|plan| plan.say(&state).key == "tr-plan-otherwise");
        let otherwise = otherwise.unwrap_or_else(|| panic!("{plans:?}"));
        let kept = serde_json::to_value(otherwise).unwrap_or_default();
        assert_eq!(kept["but"], json!(["BO", "PRR"]));
        let mut led = state.clone();
        go(&mut led, &["play PRR 3"]);
        assert_eq!(never(otherwise, &led, TWO), "tr-plan-was-named");
        let mut led = state.clone();
        go(&mut led, &["play ERIE 1"]);
        assert_eq!(otherwise.follow(&led, TWO), now(&["play NYC 2"]));
    }
    let alone = letter(&state, THREE, &["otherwise NYC 3"]).remove(0);
    assert_eq!(alone.say(&state).key, "tr-plan-whatever");
    // The named case stays his even when the card is gone that it was planned with.
    let next = letter(&state, ONE, &["otherwise NYC 1", "if led PRR play PRR 3"]);
    go(&mut state, &["play PRR 3", "play PRR 7", "play PRR 5", "play PRR 1"]);
    assert_eq!(never(&next[1], &state, ONE), "tr-plan-cards-gone");
    assert_eq!(never(&next[0], &state, ONE), "tr-plan-was-named");
    // Who leads is in no such case.
    let leads = letter(&session(), TWO, &["trick 2: otherwise NYC 2"]).remove(0);
    let mut state = session();
    go(&mut state, &["play PRR 3", "play PRR 7", "play PRR 5"]);
    assert_eq!(never(&leads, &state, TWO), "tr-plan-you-lead");
}

#[test]
fn what_a_letter_shows_of_a_plan_is_read_as_the_same_plan() {
    let state = session();
    for (line, shown) in [
        ("if led BO play BO 2, CO 2", "Trick 1, if B&O is led: play BO 2, play CO 2"),
        ("lead BO 2, CO 2", "Trick 2, if you lead: play BO 2, play CO 2"),
        ("otherwise BO 2", "Trick 1, whatever is led: play BO 2"),
        ("play BO 2, CO 2", "Trick 1: play BO 2, play CO 2"),
        ("if win city NYC right", "Trick 2, if you win: city NYC right"),
        ("if win locomotive NYC, PRR", "Trick 4, if you win: locomotive NYC, locomotive PRR"),
        ("end left", "Trick 2: end left"),
    ] {
        assert_eq!(stored(&state, TWO, shown), stored(&state, TWO, line), "{shown}");
    }
    let shown = stored(&state, TWO, "Trick 1, if anything but Erie and PRR is led: play BO 2");
    assert_eq!(shown["but"], json!(["ERIE", "PRR"]));
    assert_eq!(shown["case"], json!("otherwise"));
}

#[test]
fn a_second_locomotive_is_a_fallback_and_never_for_what_comes_with_the_sixth() {
    let hands = ["PRR7 NYC1", "PRR3 NYC2", "PRR5 NYC3"];
    let lane = [locomotive(Locomotive::Six), EXCHANGE];
    let mut state = table_with(&hands, &lane, EXPERT);
    let lines = ["if win locomotive PRR", "if win locomotive NYC", "if win locomotive inf BO"];
    let plans = letter(&state, ONE, &lines);
    go(&mut state, &["play PRR 7", "play PRR 3", "play PRR 5"]);
    assert_eq!(plans[1].follow(&state, ONE), now(&["locomotive NYC"]));
    assert_eq!(plans[2].follow(&state, ONE), Follow::NotYet);
    go(&mut state, &["locomotive PRR"]);
    assert_eq!(never(&plans[1], &state, ONE), "tr-plan-placed");
    assert_eq!(plans[2].follow(&state, ONE), now(&["locomotive inf BO"]));
    go(&mut state, &["locomotive inf BO"]);
    assert_eq!(state.railways[Company::Bo].locomotive, Some(Locomotive::Infinite));
}

#[test]
fn two_lines_for_one_step_are_told_apart_only_where_the_second_is_a_fallback() {
    let state = session();
    for (one, two) in [
        ("end left", "end right"),
        ("play PRR 7", "play BO 2"),
        ("lead PRR 7", "lead BO 2"),
        ("if win city NYC left", "city PRR right"),
    ] {
        let mut letter = letter(&state, TWO, &[one]);
        let second = plan(&state, TWO, two).unwrap_or_else(|why| panic!("{two}: {why}"));
        let refused = second.join(&state, &mut letter).map_err(|refusal| refusal.reason.key);
        assert_eq!(refused, Err("tr-plan-twice"), "{two}");
    }
    letter(&state, TWO, &["if led PRR play PRR 7", "if led PRR play PRR 1"]);
}

#[test]
fn an_order_before_its_time_in_the_trick_is_no_second_order() {
    let mut state = session();
    assert_eq!(Plan::read(&state, ONE, "play PRR 3"), None, "it is for now");
    assert_eq!(Plan::read(&state, ONE, "lead PRR 3"), None, "so is this");
    assert!(Plan::read(&state, ONE, "end left").is_some(), "its time comes later");
    assert!(Plan::read(&state, ONE, "city NYC right").is_some());
    go(&mut state, &["play PRR 3", "play PRR 7", "play PRR 5", "play PRR 1", "play BO 3"]);
    go(&mut state, &["play BO 1"]);
    assert!(Plan::read(&state, TWO, "end left").is_some(), "the City is to be placed first");
    assert_eq!(Plan::read(&state, TWO, "city NYC right"), None);
    assert_eq!(Plan::read(&state, TWO, "play PRR 7"), None, "a City is asked for");
}

#[test]
fn an_example_can_be_sent_by_who_reads_it_and_there_is_none_where_nothing_can() {
    let hands = ["PRR7 NYC1", "PRR3 NYC2", "PRR5 NYC3"];
    let mut state = table(&hands, &[EXCHANGE, locomotive(Locomotive::Three)]);
    let shown = |state: &State, seat| -> Vec<String> {
        let orders = TrickOfTheRails::GRAMMAR.lines(state, Some(seat));
        let plans = Plan::GRAMMAR.lines(state, Some(seat));
        orders.into_iter().chain(plans).map(|form| form.line).collect()
    };
    loop {
        for seat in Seat::all(3) {
            for line in shown(&state, seat) {
                let planned = Plan::read(&state, seat, &line);
                let is_order = planned.is_none() && say(&state, seat, &line).is_ok();
                assert!(is_order || plan(&state, seat, &line).is_ok(), "{seat}: {line}");
            }
        }
        let Turn::Awaiting(seats) = TrickOfTheRails::turn(&state) else { break };
        let order = TrickOfTheRails::forfeit(&state, seats[0]);
        let line = TrickOfTheRails::write(&state, &[order]);
        go(&mut state, &[&line]);
    }
    assert_eq!(shown(&state, ONE), [""; 0]);
}

#[test]
fn plans_of_november_keep_their_bytes_and_their_meaning() {
    let mut state = session();
    let kept = json!({"case": "play", "orders": [{"play": "NYC2"}], "trick": 0});
    let plan: Plan = serde_json::from_value(kept.clone()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(serde_json::to_value(&plan).unwrap_or_default(), kept);
    go(&mut state, &["play NYC 1"]);
    assert_eq!(plan.follow(&state, TWO), now(&["play NYC 2"]));
    let led = json!({"case": {"led": "BO"}, "orders": [{"play": "BO2"}], "trick": 0});
    assert_eq!(serde_json::from_value::<Plan>(led.clone()).map(|p| json!(p)).ok(), Some(led));
    // One that was filed where it never comes is told of now.
    let lost = json!({"case": "win", "orders": [{"locomotive": {"company": "PRR"}}], "trick": 1});
    let lost: Plan = serde_json::from_value(lost).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(never(&lost, &state, TWO), "tr-plan-other-prize");
}

#[test]
fn numbers_alone_are_of_the_company_that_is_led_and_a_comma_may_stand_before_an_end() {
    let state = session();
    for (line, same) in [
        ("if led PRR play 7, 1", "if led PRR play PRR 7, PRR 1"),
        ("if win city NYC, right", "if win city NYC right"),
    ] {
        assert_eq!(stored(&state, TWO, line), stored(&state, TWO, same), "{line}");
        assert!(stored(&state, TWO, line).is_object(), "{line}");
    }
    let led = plan(&state, TWO, "if led BO play BO 2").unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(led.say(&state).args["led"], Arg::from("B&O"));
}

#[test]
fn a_case_that_is_past_is_told_with_what_was_led() {
    let mut state = session();
    let led = plan(&state, TWO, "if led BO play BO 2").unwrap_or_else(|why| panic!("{why}"));
    go(&mut state, &["play PRR 3"]);
    match led.follow(&state, TWO) {
        Follow::Never(why) => {
            assert_eq!((why.key, &why.args["led"]), ("tr-plan-was-led", &Arg::from("PRR")));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_card_must_follow_unless_what_is_held_of_the_company_can_be_played_before() {
    let mut state = session();
    // His one card of C&O may go to the first trick, until he has played another to it.
    assert_eq!(filed(&state, ONE, "if led CO play NYC 1"), Ok(2));
    go(&mut state, &["play PRR 3"]);
    assert_eq!(filed(&state, ONE, "if led CO play NYC 1"), Err("tr-plan-must-follow"));
    assert_eq!(filed(&state, ONE, "trick 3: if led CO play NYC 1"), Ok(3));
    // The lane has five tricks.
    assert_eq!(filed(&state, ONE, "trick 6: end left"), Err("tr-plan-no-end"));
}

#[test]
fn what_cannot_be_read_is_no_plan_of_who_is_on_turn_and_what_is_no_order_nobodys() {
    let state = session();
    assert_eq!(Plan::read(&state, ONE, "play PRR 11"), None);
    assert_eq!(Plan::read(&state, TWO, "hello there"), None);
    assert!(matches!(Plan::read(&state, TWO, "play PRR 11"), Some(Err(_))));
}

#[test]
fn the_infinite_locomotive_is_planned_until_it_is_due_and_ordered_then() {
    let hands = ["PRR7 NYC1", "PRR3 NYC2", "PRR5 NYC3"];
    let lane = [locomotive(Locomotive::Six), EXCHANGE];
    let mut state = table_with(&hands, &lane, EXPERT);
    go(&mut state, &["play PRR 7", "play PRR 3", "play PRR 5"]);
    let line = "locomotive inf BO";
    let plan = plan(&state, ONE, line).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(plan.follow(&state, ONE), Follow::NotYet);
    assert_eq!(Plan::read(&state, ONE, "locomotive BO"), None, "it is for [6]");
    go(&mut state, &["locomotive PRR"]);
    assert_eq!(plan.follow(&state, ONE), now(&[line]));
    assert_eq!(Plan::read(&state, ONE, line), None, "it is for now");
}

#[test]
fn a_rehearsal_plans_to_follow_what_is_led_and_for_every_other_case() {
    let state = session();
    let mut chooser = Dice::new(&Seed::rehearsal(1), 0);
    let mut companies: Vec<String> = Vec::new();
    for _ in 0..40 {
        let lines = Plan::at_random(&state, TWO, &mut chooser);
        assert!(lines.iter().any(|line| line.starts_with("otherwise ")), "{lines:?}");
        for line in &lines {
            assert!(plan(&state, TWO, line).is_ok(), "{line}");
            if let Some(("if", led)) = line.split_once(" led ") {
                let (led, card) = led.split_once(" play ").unwrap_or_default();
                assert!(card.starts_with(led), "{line}");
                companies.push(led.to_owned());
            }
        }
    }
    companies.sort_unstable();
    companies.dedup();
    // Whatever he holds and another may lead.
    assert_eq!(companies, ["BO", "CO", "NYC", "PRR"]);
}
