//! Tests of plans: how they are parsed, when they are due, and which are impossible.

use super::*;
use crate::games::paris_connection::Plan;
use crate::games::paris_connection::state::Ending;
use crate::rules::{ConditionalPlan, Dice, PlanStatus, Seed};
use std::collections::BTreeSet;

const TWO: Seat = Seat::new(2);
const THREE: Seat = Seat::new(3);

/// Parses a line as a plan. Returns `None` if it is not one.
fn parse_plan(state: &State, seat: Seat, line: &str) -> Option<Result<Plan, Refusal>> {
    let one = |plans: Vec<Plan>| match &plans[..] {
        [plan] => plan.clone(),
        other => panic!("{line}: {other:?}"),
    };
    Plan::parse_plans(state, seat, line).map(|read| read.map(one))
}

fn expect_plan(state: &State, seat: Seat, line: &str) -> Plan {
    match parse_plan(state, seat, line) {
        Some(Ok(plan)) => plan,
        other => panic!("{line}: {other:?}"),
    }
}

/// Parses a line and expects that the plan is refused. Returns the kind and the reason.
fn expect_plan_refusal(state: &State, seat: Seat, line: &str) -> (RefusalKind, &'static str) {
    match parse_plan(state, seat, line) {
        Some(Err(refusal)) => (refusal.kind, refusal.reason.key),
        other => panic!("{line}: {other:?}"),
    }
}

/// Returns the lines of the plan that are due on the seat's next turn.
fn due_lines(state: &State, seat: Seat, line: &str) -> Vec<String> {
    let plan = expect_plan(state, seat, line);
    let mut later = state.clone();
    later.apply(&Event::Turn { seat });
    match plan.status(&later, seat) {
        PlanStatus::Due(lines) => lines,
        other => panic!("{line}: {other:?}"),
    }
}

const PAST: PlanStatus = PlanStatus::Impossible(Message::new("pc-plan-past"));

#[test]
fn plan_is_due_only_on_next_turn() {
    let mut state = dealt_game();
    let plan = expect_plan(&state, TWO, "next: trade red for 2 blue");
    assert_eq!(plan.status(&state, TWO), PlanStatus::Pending);
    state.apply(&Event::Turn { seat: TWO });
    assert_eq!(plan.status(&state, TWO), PlanStatus::Due(vec!["trade red for 2 blue".to_owned()]));
    // A player who has begun to build by a letter does not get the plan's order too.
    let mut building = state.clone();
    building.apply(&Event::Placed { seat: TWO, colour: Colour::Red, hex: hex("G23") });
    assert_eq!(plan.status(&building, TWO), PlanStatus::Pending);
    state.apply(&Event::Turn { seat: THREE });
    assert_eq!(plan.status(&state, TWO), PAST);
    state.apply(&Event::Turn { seat: TWO });
    assert_eq!(plan.status(&state, TWO), PAST);
}

#[test]
fn plan_made_on_turn_waits_for_next() {
    let mut state = dealt_game();
    let plan = expect_plan(&state, ONE, "next: trade red for 2 blue");
    assert_eq!(plan.status(&state, ONE), PlanStatus::Pending);
    for seat in [TWO, THREE] {
        state.apply(&Event::Turn { seat });
        assert_eq!(plan.status(&state, ONE), PlanStatus::Pending);
    }
    state.apply(&Event::Turn { seat: ONE });
    assert!(matches!(plan.status(&state, ONE), PlanStatus::Due(_)));
}

#[test]
fn plan_is_never_due_after_game_end() {
    let mut state = dealt_game();
    let plan = expect_plan(&state, TWO, "next: trade red for 2 blue");
    state.apply(&Event::Ended { reason: Ending::Marseille });
    assert_eq!(plan.status(&state, TWO), PAST);
}

#[test]
fn plan_is_stored_as_understood() {
    let state = dealt_game();
    for line in [
        "next: trade red for 2 blue",
        "next trade red for 2 blue",
        "NEXT, swap 1 red -> 2 blue",
        "next turn: trade r for 2 u",
    ] {
        assert_eq!(due_lines(&state, TWO, line), ["trade red for 2 blue"], "{line}");
    }
    assert_eq!(due_lines(&state, TWO, "next: build red G23, Troyes"), ["build red G23 G25"]);
    let plan = expect_plan(&state, TWO, "next: trade red for 2 blue");
    let said = Message::new("pc-plan").with("line", "trade red for 2 blue");
    assert_eq!(plan.describe(&state), said);
}

#[test]
fn next_without_colon_may_be_prose() {
    let state = dealt_game();
    assert_eq!(parse_plan(&state, TWO, "next time I shall win"), None);
    let foreign = (RefusalKind::NotAnOrder, "pc-unreadable");
    assert_eq!(expect_plan_refusal(&state, TWO, "next: time I shall win"), foreign);
    let unreadable = (RefusalKind::Unreadable, "pc-no-colour");
    assert_eq!(expect_plan_refusal(&state, TWO, "next build green G23"), unreadable);
}

#[test]
fn planned_build_may_exceed_current_supply() {
    let mut state = dealt_game();
    state.supply[Colour::Red] = 2;
    assert_eq!(expect_illegal(&state, "build red G23 H24 I25"), "pc-no-more");
    let lines = due_lines(&state, ONE, "next: build red G23 H24 I25");
    assert_eq!(lines, ["build red G23 H24 I25"]);
}

#[test]
fn only_permanently_illegal_plan_is_refused() {
    let mut state = dealt_game();
    place_locomotives(&mut state, Colour::Red, &["G23", "G25"]);
    place_locomotives(&mut state, Colour::Yellow, &["G23"]);
    for (line, key) in [
        ("next: build red H24 H24", "pc-same-colour"),
        ("next: build red G23", "pc-same-colour"),
        ("next: build blue G23", "pc-rural-full"),
        ("next: build blue Troyes", "pc-city-full"),
        ("next: build blue F22", "pc-start-closed"),
        ("next: trade red for 1 red", "pc-same-company"),
        ("next: trade red for 3 blue", "pc-one-or-two"),
    ] {
        assert_eq!(expect_plan_refusal(&state, TWO, line), (RefusalKind::Illegal, key), "{line}");
    }
    // Others may have built up to this hex by then.
    assert_eq!(due_lines(&state, TWO, "next: build red Lyon M25"), ["build red M27 M25"]);
    state.supply[Colour::Blue] = 0;
    assert_eq!(due_lines(&state, TWO, "next: trade red for 2 blue"), ["trade red for 2 blue"]);
}

#[test]
fn plan_needs_held_share_unless_on_turn() {
    let mut state = dealt_game();
    for index in [0, 1] {
        state.portfolios[index].shares[Colour::Brown] = 0;
    }
    let line = "next: trade brown for 1 blue";
    assert_eq!(expect_plan_refusal(&state, TWO, line), (RefusalKind::Illegal, "pc-none-held"));
    assert_eq!(due_lines(&state, ONE, line), ["trade brown for 1 blue"]);
}

#[test]
fn plans_of_a_letter_are_all_kept() {
    let state = dealt_game();
    let lines = ["next: trade red for 2 blue", "next: build red G23"];
    let plans = lines.map(|line| expect_plan(&state, TWO, line));
    let mut letter = Vec::new();
    for plan in plans.clone() {
        assert_eq!(plan.merge_into(&state, &mut letter), Ok(()));
    }
    assert_eq!(letter, plans);
}

#[test]
fn random_plans_trade_held_for_available_shares() {
    let mut state = dealt_game();
    state.supply = ByColour::default();
    (state.supply[Colour::Blue], state.supply[Colour::Black]) = (5, 3);
    state.portfolios[0].shares = ByColour::default();
    (state.portfolios[0].shares[Colour::Red], state.portfolios[0].shares[Colour::Blue]) = (4, 1);
    let mut chooser = Dice::new(&Seed::from_number(1), 0);
    let letters: Vec<Vec<String>> =
        (0..300).map(|_| Plan::random_plan_lines(&state, ONE, &mut chooser)).collect();
    assert!(letters.iter().filter(|lines| lines.is_empty()).count() > 150);
    let lines: BTreeSet<&str> = letters.iter().flatten().map(String::as_str).collect();
    let all = [
        "next: trade blue for 1 black",
        "next: trade red for 1 black",
        "next: trade red for 1 blue",
    ];
    assert_eq!(lines, BTreeSet::from(all));
    assert!(lines.iter().all(|line| matches!(parse_plan(&state, ONE, line), Some(Ok(_)))));
}
