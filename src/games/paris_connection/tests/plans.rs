//! Plans for the seat's next turn: how they are read, when they are met, and which can never be.

use super::*;
use crate::games::paris_connection::Plan;
use crate::games::paris_connection::state::Ending;
use crate::rules::{Dice, Follow, Plans, Seed};
use std::collections::BTreeSet;

const TWO: Seat = Seat::new(2);
const THREE: Seat = Seat::new(3);

/// What becomes of the line as a plan; none when it is none.
fn plan(state: &State, seat: Seat, line: &str) -> Option<Result<Plan, Refusal>> {
    let one = |plans: Vec<Plan>| match &plans[..] {
        [plan] => plan.clone(),
        other => panic!("{line}: {other:?}"),
    };
    Plan::read(state, seat, line).map(|read| read.map(one))
}

/// The plan that the line is.
fn planned(state: &State, seat: Seat, line: &str) -> Plan {
    match plan(state, seat, line) {
        Some(Ok(plan)) => plan,
        other => panic!("{line}: {other:?}"),
    }
}

/// Why the line, meant as a plan, is none that could be met.
fn refused(state: &State, seat: Seat, line: &str) -> (RefusalKind, &'static str) {
    match plan(state, seat, line) {
        Some(Err(refusal)) => (refusal.kind, refusal.reason.key),
        other => panic!("{line}: {other:?}"),
    }
}

/// The line that the plan would be met with on the seat's next turn.
fn due(state: &State, seat: Seat, line: &str) -> Vec<String> {
    let plan = planned(state, seat, line);
    let mut later = state.clone();
    later.apply(&Event::Turn { seat });
    match plan.follow(&later, seat) {
        Follow::Now(lines) => lines,
        other => panic!("{line}: {other:?}"),
    }
}

const PAST: Follow = Follow::Never(Message::new("pc-plan-past"));

#[test]
fn a_plan_is_met_on_the_seats_next_turn_and_on_no_later_one() {
    let mut state = game();
    let plan = planned(&state, TWO, "next: trade red for 2 blue");
    assert_eq!(plan.follow(&state, TWO), Follow::NotYet);
    state.apply(&Event::Turn { seat: TWO });
    assert_eq!(plan.follow(&state, TWO), Follow::Now(vec!["trade red for 2 blue".to_owned()]));
    // Who has begun to build has not waited for his plan.
    let mut building = state.clone();
    building.apply(&Event::Placed { seat: TWO, colour: Colour::Red, hex: hex("G23") });
    assert_eq!(plan.follow(&building, TWO), Follow::NotYet);
    state.apply(&Event::Turn { seat: THREE });
    assert_eq!(plan.follow(&state, TWO), PAST);
    state.apply(&Event::Turn { seat: TWO });
    assert_eq!(plan.follow(&state, TWO), PAST);
}

#[test]
fn what_is_planned_on_ones_turn_is_for_the_turn_after_it() {
    let mut state = game();
    let plan = planned(&state, ONE, "next: trade red for 2 blue");
    assert_eq!(plan.follow(&state, ONE), Follow::NotYet);
    for seat in [TWO, THREE] {
        state.apply(&Event::Turn { seat });
        assert_eq!(plan.follow(&state, ONE), Follow::NotYet);
    }
    state.apply(&Event::Turn { seat: ONE });
    assert!(matches!(plan.follow(&state, ONE), Follow::Now(_)));
}

#[test]
fn no_plan_is_met_once_the_game_is_over() {
    let mut state = game();
    let plan = planned(&state, TWO, "next: trade red for 2 blue");
    state.apply(&Event::Ended { reason: Ending::Marseille });
    assert_eq!(plan.follow(&state, TWO), PAST);
}

#[test]
fn a_plan_is_kept_as_it_was_understood_however_it_is_written() {
    let state = game();
    for line in [
        "next: trade red for 2 blue",
        "next trade red for 2 blue",
        "NEXT, swap 1 red -> 2 blue",
        "next turn: trade r for 2 b",
    ] {
        assert_eq!(due(&state, TWO, line), ["trade red for 2 blue"], "{line}");
    }
    assert_eq!(due(&state, TWO, "next: build red G23, Troyes"), ["build red G23 G25"]);
    let plan = planned(&state, TWO, "next: trade red for 2 blue");
    let said = Message::new("pc-plan").with("line", "trade red for 2 blue");
    assert_eq!(plan.say(&state), said);
}

#[test]
fn what_follows_next_without_a_colon_and_is_no_order_is_said_to_people() {
    let state = game();
    assert_eq!(plan(&state, TWO, "next time I shall win"), None);
    let foreign = (RefusalKind::Foreign, "pc-unreadable");
    assert_eq!(refused(&state, TWO, "next: time I shall win"), foreign);
    let unreadable = (RefusalKind::Unreadable, "pc-no-colour");
    assert_eq!(refused(&state, TWO, "next build green G23"), unreadable);
}

#[test]
fn a_build_of_more_than_a_storing_board_has_now_may_be_planned() {
    let mut state = game();
    state.supply[Colour::Red] = 2;
    assert_eq!(forbidden(&state, "build red G23 H24 I25"), "pc-no-more");
    let lines = due(&state, ONE, "next: build red G23 H24 I25");
    assert_eq!(lines, ["build red G23 H24 I25"]);
}

#[test]
fn only_what_can_never_be_legal_is_refused_at_once() {
    let mut state = game();
    put(&mut state, Colour::Red, &["G23", "G25"]);
    put(&mut state, Colour::Yellow, &["G23"]);
    for (line, key) in [
        ("next: build red H24 H24", "pc-same-colour"),
        ("next: build red G23", "pc-same-colour"),
        ("next: build blue G23", "pc-rural-full"),
        ("next: build blue Troyes", "pc-city-full"),
        ("next: build blue F22", "pc-start-closed"),
        ("next: trade red for 1 red", "pc-same-company"),
        ("next: trade red for 3 blue", "pc-one-or-two"),
    ] {
        assert_eq!(refused(&state, TWO, line), (RefusalKind::Illegal, key), "{line}");
    }
    // Others may build up to there until then.
    assert_eq!(due(&state, TWO, "next: build red Lyon M25"), ["build red M27 M25"]);
    state.supply[Colour::Blue] = 0;
    assert_eq!(due(&state, TWO, "next: trade red for 2 blue"), ["trade red for 2 blue"]);
}

#[test]
fn who_waits_cannot_come_by_a_share_before_his_next_turn_but_who_is_on_turn_can() {
    let mut state = game();
    for index in [0, 1] {
        state.portfolios[index].shares[Colour::Brown] = 0;
    }
    let line = "next: trade brown for 1 blue";
    assert_eq!(refused(&state, TWO, line), (RefusalKind::Illegal, "pc-none-held"));
    assert_eq!(due(&state, ONE, line), ["trade brown for 1 blue"]);
}

#[test]
fn each_plan_of_a_letter_stands_beside_the_others() {
    let state = game();
    let lines = ["next: trade red for 2 blue", "next: build red G23"];
    let plans = lines.map(|line| planned(&state, TWO, line));
    let mut letter = Vec::new();
    for plan in plans.clone() {
        assert_eq!(plan.join(&state, &mut letter), Ok(()));
    }
    assert_eq!(letter, plans);
}

#[test]
fn a_rehearsal_plans_now_and_then_to_trade_what_is_held_for_what_is_left() {
    let mut state = game();
    state.supply = ByColour::default();
    (state.supply[Colour::Blue], state.supply[Colour::Black]) = (5, 3);
    state.portfolios[0].shares = ByColour::default();
    (state.portfolios[0].shares[Colour::Red], state.portfolios[0].shares[Colour::Blue]) = (4, 1);
    let mut chooser = Dice::new(&Seed::rehearsal(1), 0);
    let letters: Vec<Vec<String>> =
        (0..300).map(|_| Plan::at_random(&state, ONE, &mut chooser)).collect();
    assert!(letters.iter().filter(|lines| lines.is_empty()).count() > 150);
    let lines: BTreeSet<&str> = letters.iter().flatten().map(String::as_str).collect();
    let all = [
        "next: trade blue for 1 black",
        "next: trade red for 1 black",
        "next: trade red for 1 blue",
    ];
    assert_eq!(lines, BTreeSet::from(all));
    assert!(lines.iter().all(|line| matches!(plan(&state, ONE, line), Some(Ok(_)))));
}
