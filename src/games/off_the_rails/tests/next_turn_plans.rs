//! Tests of plans for a seat's next turn.

use super::*;
use crate::games::off_the_rails::plan::Plan;
use crate::rules::{ConditionalPlan, PlanStatus, RefusalKind};

fn read_plan(state: &State, seat: Seat, line: &str) -> Plan {
    Plan::parse_plans(state, seat, line).or_fail().or_fail().remove(0)
}

/// Returns the status of a plan: the lines to carry out, or the key of the reason for which it is
/// dropped.
fn status_of(plan: &Plan, state: &State, seat: Seat) -> Option<Result<Vec<String>, &'static str>> {
    match plan.status(state, seat) {
        PlanStatus::Due(lines) => Some(Ok(lines)),
        PlanStatus::Impossible(why) => Some(Err(why.key)),
        PlanStatus::Pending => None,
    }
}

#[test]
fn plan_is_due_only_when_turn_begins() {
    let state = default_game();
    let line = "lay D2 ne; move";
    let (later, other) = (read_plan(&state, SEAT_ONE, "next: lay D2 ne; move"), "NEXT turn: ");
    let next = read_plan(&state, SEAT_TWO, &format!("{other}{line}"));
    assert_eq!(
        [status_of(&later, &state, SEAT_ONE), status_of(&next, &state, SEAT_TWO)],
        [None, None]
    );
    let due = play_lines(&state, "done");
    assert_eq!(status_of(&next, &due, SEAT_TWO), Some(Ok(vec![line.to_owned()])));
    assert_eq!(status_of(&later, &due, SEAT_ONE), None, "it is for the turn after this one");
    let (acted, _) = try_lines(&due, SEAT_TWO, "lay D3 ns").or_fail();
    assert_eq!(status_of(&next, &acted, SEAT_TWO), Some(Err("or-next-past")));
    let (over, _) = try_lines(&due, SEAT_TWO, "done").or_fail();
    assert_eq!(status_of(&next, &over, SEAT_TWO), Some(Err("or-next-past")));
    assert_eq!(status_of(&later, &over, SEAT_ONE), Some(Ok(vec![line.to_owned()])));
    let stored = serde_json::to_value(&later).or_fail();
    assert_eq!(serde_json::from_value::<Plan>(stored).or_fail(), later);
}

#[test]
fn line_that_never_becomes_legal_is_refused() {
    let mut state = default_game();
    lay_tiles(&mut state, "D2 ns");
    let refusal = |line| {
        let plan = Plan::parse_plans(&state, SEAT_TWO, line).or_fail();
        plan.err().map(|refusal| (refusal.kind, refusal.reason.key))
    };
    for line in ["next: claim Red Leader", "next: split rocks together", "next: stop"] {
        assert_eq!(refusal(line), Some((RefusalKind::Illegal, "or-next-what")), "{line}");
    }
    assert!(matches!(refusal("next: lay D2 ne"), Some((RefusalKind::Illegal, _))));
    assert!(matches!(refusal("next: lay D3 ns; lay D2 ne"), Some((RefusalKind::Illegal, _))));
    assert!(refusal("next: we meet").is_some());
    assert!(refusal("next: lay D3").is_some());
    for line in ["next lay D3 ns", "next: move", "next: enter b C; speed b +1; move"] {
        assert_eq!(refusal(line), None, "{line}");
    }
    let talk = Plan::parse_plans(&state, SEAT_TWO, "next time you will not get away");
    assert_eq!(talk, None);
}

#[test]
fn derailing_plan_is_dropped_unless_named() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns, D3 ew");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    set_speed(&mut state, 0, 2);
    let plans = ["next: move w", "next: move w derail"];
    let [silent, named] = plans.map(|line| read_plan(&state, SEAT_ONE, line));
    state.apply(&Event::Turn { seat: SEAT_ONE });
    assert_eq!(status_of(&silent, &state, SEAT_ONE), Some(Err("or-doubt-derail")));
    assert_eq!(status_of(&named, &state, SEAT_ONE), Some(Ok(vec!["move w derail".to_owned()])));
}
