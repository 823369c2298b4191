use super::super::crash;
use super::*;
use crate::games::off_the_rails::definition::{BumperHeadOnRule, CutRule, DropRule};
use crate::games::off_the_rails::event::DerailReason;
use crate::games::off_the_rails::order::{Split, Wish};
use crate::games::off_the_rails::plan::Plan;
use crate::rules::{ConditionalPlan, PlanStatus, RefusalKind};

/// Returns a position in which seat 1's white cart (D1, heading south, speed 4) will ram seat 2's
/// white cart on D3. D2 lies between them.
fn carts_before_collision(options: &Options, hold: &str, facing: Direction, other: &str) -> State {
    let mut state = new_game(2, options);
    lay_tiles(&mut state, "D1 ns, D2 ns, D3 ns, D4 ns");
    place_cart(&mut state, 0, "D1", Direction::South, hold);
    set_speed(&mut state, 0, 4);
    place_cart(&mut state, 2, "D3", facing, other);
    state
}

fn carts_before_rear_collision(hold: &str, other: &str) -> State {
    carts_before_collision(&Options::default(), hold, Direction::South, other)
}

#[test]
pub fn moving_cart_stops_before_rammed_cart() {
    let after = play_lines(&carts_before_rear_collision("r", "gg"), "move w D2 D3");
    assert_eq!(place_and_facing(&after, 0), (on_track("D2"), Direction::North));
    let mut state = carts_before_rear_collision("r", "gg");
    place_cart(&mut state, 2, "D2", Direction::South, "gg");
    state.bag = state.bag.plus(jewels("gg"));
    assert_eq!(
        place_and_facing(&play_lines(&state, "move w"), 0),
        (on_track("D1"), Direction::North),
        "no square at all"
    );
}

#[test]
pub fn collision_on_unconnected_track_only_stops_cart() {
    let mut state = carts_before_rear_collision("", "");
    state.track[square_at("D3")] = TileOpenings::parse("ew").or_fail();
    state.carts[2].facing = Direction::East;
    let after = play_lines(&state, "move w");
    assert_eq!(place_and_facing(&after, 0), (on_track("D2"), Direction::North));
    assert_eq!(place_and_facing(&after, 2), (on_track("D3"), Direction::East));
}

#[test]
pub fn cart_rammed_head_on_turns_away() {
    let state = carts_before_collision(&Options::default(), "r", Direction::North, "gg");
    let after = play_lines(&state, "move w");
    assert_eq!(place_and_facing(&after, 2), (on_track("D3"), Direction::South));
    let rammed = play_lines(&carts_before_rear_collision("r", "gg"), "move w");
    assert_eq!(place_and_facing(&rammed, 2).1, Direction::South, "from behind it stays as it is");
}

#[test]
pub fn blocked_turn_away_uses_first_other_opening() {
    let mut state = carts_before_collision(&Options::default(), "r", Direction::North, "gg");
    lay_tiles(&mut state, "D3 ne, D2 nes");
    set_speed(&mut state, 0, 4);
    let after = play_lines(&state, "move w D2 D3");
    assert_eq!(
        (place_and_facing(&after, 0).1, place_and_facing(&after, 2).1),
        (Direction::North, Direction::East)
    );
    lay_tiles(&mut state, "D3 new");
    assert_eq!(
        place_and_facing(&play_lines(&state, "move w D2 D3"), 2).1,
        Direction::East,
        "first of n, e, s, w"
    );
}

#[test]
pub fn empty_carts_derail_by_holds_before_collision() {
    let after = play_lines(&carts_before_rear_collision("", ""), "move w");
    assert_eq!(
        (place_and_facing(&after, 0).0, place_and_facing(&after, 2).0),
        (Place::Supply, Place::Supply)
    );
    let after = play_lines(&carts_before_rear_collision("", "g"), "move w");
    assert_eq!(place_and_facing(&after, 0).0, Place::Supply);
    assert_eq!(place_and_facing(&after, 2).0, on_track("D3"), "it lost its one jewel and stays");
    assert_eq!(after.ground[square_at("D3")], jewels("g"));
    let after = play_lines(&carts_before_rear_collision("r", ""), "move w");
    assert_eq!(
        (place_and_facing(&after, 0).0, place_and_facing(&after, 2).0),
        (on_track("D2"), Place::Supply)
    );
}

#[test]
pub fn half_up_option_drops_larger_pile() {
    let fallen = |options: &Options, seed| {
        let state = carts_before_collision(options, "r", Direction::South, "ggg");
        let mut dice = Dice::new(&Seed::from_number(seed), 0);
        let order = Order::Move { cart: cart(0) };
        let events = OffTheRails::decide(&state, SEAT_ONE, &order, &mut dice).or_fail();
        let dropped = events.iter().find_map(|event| match event {
            Event::Dropped { jewels, .. } => Some(jewels.total()),
            _ => None,
        });
        dropped.or_fail()
    };
    let picked: Vec<u32> = (0..20).map(|seed| fallen(&Options::default(), seed)).collect();
    assert!(picked.contains(&1) && picked.contains(&2), "{picked:?}");
    let half_up = Options { drop: DropRule::HalfUp, ..Options::default() };
    assert!((0..20).all(|seed| fallen(&half_up, seed) == 2));
}

#[test]
pub fn jewels_are_cut_by_standing_order() {
    let state = default_game();
    let cut = |hold, split| super::super::crash::cut_into_piles(&state, jewels(hold), split);
    assert_eq!(cut("oord", Split::Together), [jewels("rd"), jewels("oo")]);
    assert_eq!(cut("oord", Split::Alone), [jewels("do"), jewels("or")]);
    assert_eq!(cut("dggr", Split::Balanced), [jewels("gg"), jewels("dr")]);
    assert_eq!(cut("rrd", Split::Alone)[0], jewels("d"));
    let after = play_lines(&state, "split rocks together");
    assert_eq!(after.player(SEAT_ONE).or_fail().split, Split::Together);
}

/// Returns the smallest possible difference in value between two piles, by trying every cut of
/// these values.
fn least_unevenness(values: &[i64]) -> i64 {
    let cuts = 0_u32..1 << values.len();
    let is_half = |cut: &u32| cut.count_ones().abs_diff(values.len() as u32 - cut.count_ones()) < 2;
    let unevenness = |cut: u32| {
        let signed =
            |(place, value): (usize, &i64)| if cut >> place & 1 == 1 { *value } else { -value };
        values.iter().enumerate().map(signed).sum::<i64>().abs()
    };
    cuts.filter(is_half).map(unevenness).min().or_fail()
}

#[test]
fn balanced_cut_is_most_equal_since_second_edition() {
    let state = default_game();
    let mut old = default_game();
    numbers_mut(&mut old).definition.edition = 1;
    let mut all: Vec<JewelCounts> = (2..=5)
        .flat_map(|size| jewels("ooooorrrrreeeeegggggddddd").selections_of_size(size))
        .collect();
    // Also includes holds that are larger than a cart's, with random jewels.
    let mut dice = dice();
    for _ in 0..200 {
        let size = 2 + dice.roll_below(8);
        all.push((0..size).map(|_| Jewel::ALL[dice.roll_below(5) as usize]).collect());
    }
    let unevenness = |state: &State, hold| {
        let [one, other] = super::super::crash::cut_into_piles(state, hold, Split::Balanced);
        assert_eq!(one.plus(other), hold);
        assert!(one.total().abs_diff(other.total()) < 2);
        (crash::jewel_value(state, one) - crash::jewel_value(state, other)).abs()
    };
    let mut better = Vec::new();
    for hold in all {
        let values: Vec<i64> = hold
            .single_jewels()
            .map(|jewel| crash::jewel_value(&state, JewelCounts::from_iter([jewel])))
            .collect();
        let (now, before) = (unevenness(&state, hold), unevenness(&old, hold));
        assert_eq!(now, least_unevenness(&values), "{hold:?}");
        better.push(now < before);
    }
    let of = |better: &[bool]| better.iter().filter(|better| **better).count();
    assert_eq!(of(&better[..246]), 48, "of all loads of a cart");
    assert!(of(&better[246..]) > 20);
}

#[test]
pub fn player_names_jewels_dropped_from_own_cart() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    place_cart(&mut state, 1, "D2", Direction::South, "oed");
    let after = play_lines(&state, "move w");
    assert_eq!(after.ground[square_at("D2")], jewels("o"), "half of three, the least valuable");
    assert_eq!(
        play_lines(&state, "move w drop rock emerald").ground[square_at("D2")],
        jewels("oe")
    );
    assert_eq!(refusal_key(&state, "move w drop gold"), "or-answer-first");
}

#[test]
pub fn interactive_cut_asks_rammed_player_first() {
    let options = Options { cut: CutRule::Interactive, ..Options::default() };
    let state = carts_before_collision(&options, "r", Direction::South, "oed");
    let state = play_lines(&state, "move w");
    assert_eq!(super::super::travel::asked_seat(&state), Some(SEAT_TWO));
    assert_eq!(refusal_key(&state, "move b"), "or-not-asked");
    let is_shown =
        |line| OffTheRails::GRAMMAR.examples(&state, None).iter().any(|form| form.line == line);
    assert!(is_shown("cut diamond") && is_shown("pick first"), "the most equal cut");
    let refusal = OffTheRails::parse_line(&state, SEAT_TWO, "cut ruby rock").unwrap_err();
    assert_eq!((refusal.kind, refusal.reason.key), (RefusalKind::Illegal, "or-answer-first"));
    let (state, _) = try_lines(&state, SEAT_TWO, "cut rock emerald").or_fail();
    assert_eq!(super::super::travel::asked_seat(&state), Some(SEAT_ONE));
    let first = play_lines(&state, "pick first");
    assert_eq!(first.ground[square_at("D3")], jewels("oe"));
    assert_eq!(place_and_facing(&first, 0), (on_track("D2"), Direction::North));
    assert_eq!(play_lines(&state, "pick second").ground[square_at("D3")], jewels("d"));
    assert_eq!(refusal_key(&state, "split together"), "or-answer-first");
    let again = carts_before_collision(&options, "r", Direction::South, "oed");
    assert_eq!(refusal_key(&again, "split together"), "or-useless");
}

#[test]
fn ramming_player_picks_pile_even_after_done() {
    let options = Options { cut: CutRule::Interactive, ..Options::default() };
    let rammed = |edition| {
        let mut state = carts_before_collision(&options, "r", Direction::South, "oed");
        numbers_mut(&mut state).definition.edition = edition;
        try_lines(&play_lines(&state, "done"), SEAT_TWO, "cut rock emerald").or_fail().0
    };
    let state = rammed(2);
    assert_eq!(super::super::travel::asked_seat(&state), Some(SEAT_ONE));
    assert_eq!(
        OffTheRails::order_for_absent_player(&state, SEAT_ONE),
        Order::PickAny,
        "else the cutter knew"
    );
    let (after, told) = play_with_events(&state, "pick second");
    assert_eq!(after.ground[square_at("D3")], jewels("d"));
    assert!(
        told.iter().any(|event| matches!(event, Event::Turn { seat: SEAT_TWO })),
        "done is done"
    );
    let fallen = |seed| {
        let mut dice = Dice::new(&Seed::from_number(seed), 0);
        let events = OffTheRails::decide(&state, SEAT_ONE, &Order::PickAny, &mut dice).or_fail();
        matches!(events[0], Event::Dropped { jewels, .. } if jewels.total() == 1)
    };
    let singles = (0..40).filter(|&seed| fallen(seed)).count();
    assert!((5..35).contains(&singles), "{singles}");
    assert_eq!(super::super::travel::asked_seat(&rammed(1)), None, "as it was before");
}

#[test]
fn lines_after_collision_are_planned_until_cut() {
    let options = Options { cut: CutRule::Interactive, ..Options::default() };
    let mut state = carts_before_collision(&options, "r", Direction::South, "oed");
    lay_tiles(&mut state, "G1 ns, G2 nes, H2 ew");
    place_cart(&mut state, 1, "G1", Direction::South, "");
    let plan = |state: &State, line: &str| Plan::parse_plans(state, SEAT_ONE, line);
    assert_eq!(plan(&state, "move b G2"), None, "it is for now");
    let waiting = play_lines(&state, "move w");
    assert!(plan(&waiting, "lay A1 ew").or_fail().is_err(), "the actions are over");
    assert!(plan(&waiting, "move b C3").or_fail().is_err(), "it does not come there");
    assert_eq!(plan(&waiting, "hello Bob"), None);
    assert_eq!(Plan::parse_plans(&waiting, SEAT_TWO, "move b"), None);
    let read = |line| plan(&waiting, line).or_fail().or_fail().remove(0);
    let (pick, other, done) = (read("pick second"), read("move b G2 face east"), read("done"));
    for plan in [&pick, &other, &done] {
        assert_eq!(plan.status(&waiting, SEAT_ONE), PlanStatus::Pending);
    }
    let (state, _) = try_lines(&waiting, SEAT_TWO, "cut rock emerald").or_fail();
    assert!(matches!(pick.status(&state, SEAT_ONE), PlanStatus::Due(_)));
    assert_eq!(other.status(&state, SEAT_ONE), PlanStatus::Pending);
    let state = play_lines(&state, "pick second");
    assert!(matches!(pick.status(&state, SEAT_ONE), PlanStatus::Impossible(_)));
    let PlanStatus::Due(lines) = other.status(&state, SEAT_ONE) else { panic!("not now") };
    let state = play_lines(&state, &lines[0]);
    assert_eq!(place_and_facing(&state, 1), (on_track("G2"), Direction::East));
    assert!(
        matches!(done.status(&play_lines(&state, "done"), SEAT_ONE), PlanStatus::Impossible(_)),
        "it is over"
    );
}

#[test]
pub fn newly_entered_cart_derails_in_collision() {
    let crowd = |options: &Options, ends: &str, facing| {
        let mut state = new_game(2, options);
        lay_tiles(&mut state, &format!("D1 {ends}"));
        place_cart(&mut state, 2, "D1", facing, "rr");
        play_with_events(&state, "enter w D; end").1
    };
    let plain = Options::default();
    let derailed = Event::Derailed { cart: cart(0), lost: false, why: Some(DerailReason::Empty) };
    let returned = Event::Returned { cart: cart(0) };
    assert!(crowd(&plain, "ns", Direction::South).contains(&derailed));
    assert!(crowd(&plain, "ew", Direction::East).contains(&returned), "not connected");
    let bumpers = Options { bumpers: true, ..Options::default() };
    assert!(crowd(&bumpers, "ns", Direction::South).contains(&returned));
}

#[test]
pub fn dropped_jewels_stay_on_square() {
    let after = play_lines(&carts_before_rear_collision("r", "gg"), "move w");
    assert_eq!(after.ground[square_at("D3")], jewels("g"));
    assert_eq!(after.cart(cart(2)).hold, jewels("g"));
    let (after, _) = try_lines(&play_lines(&after, "end"), SEAT_TWO, "end").or_fail();
    assert_eq!(place_and_facing(&after, 2).0, on_track("D4"));
    assert_eq!(after.cart(cart(2)).hold, jewels("g"), "only who enters collects");
}

#[test]
pub fn derailed_cart_can_enter_again() {
    let mut state = play_lines(&carts_before_rear_collision("", "gg"), "move w");
    assert!(state.cart(cart(0)).derailed);
    state.apply(&Event::Turn { seat: SEAT_ONE });
    let after = play_lines(&state, "enter w A");
    assert!(after.cart(cart(0)).is_on_board() && !after.cart(cart(0)).derailed);
}

#[test]
pub fn bumpers_prevent_drops_and_derailments() {
    let bumpers = Options { bumpers: true, ..Options::default() };
    let after = play_lines(&carts_before_collision(&bumpers, "", Direction::North, "gg"), "move w");
    assert_eq!(place_and_facing(&after, 0), (on_track("D2"), Direction::North));
    assert_eq!(
        place_and_facing(&after, 2),
        (on_track("D3"), Direction::South),
        "a head-on one still turns it"
    );
    assert_eq!(after.cart(cart(2)).hold, jewels("gg"));
    let full = Options { bumper_head_on: BumperHeadOnRule::Full, ..bumpers };
    let after = play_lines(&carts_before_collision(&full, "", Direction::North, "gg"), "move w");
    assert_eq!(place_and_facing(&after, 0).0, Place::Supply);
    let after = play_lines(&carts_before_collision(&full, "", Direction::South, "gg"), "move w");
    assert_eq!(place_and_facing(&after, 0).0, on_track("D2"), "from behind the bumpers hold");
}

#[test]
pub fn standing_order_event_is_told_to_owner_only() {
    let state = play_lines(&default_game(), "split best alone");
    let event = Event::Wished { seat: SEAT_ONE, wish: Wish::Split(Split::Alone) };
    let told =
        |viewer| OffTheRails::narrate_events(&state, std::slice::from_ref(&event), viewer).len();
    assert_eq!(told(crate::rules::Viewer::Seat(SEAT_ONE)), 1);
    assert_eq!(told(crate::rules::Viewer::Seat(SEAT_TWO)), 0);
    assert_eq!(told(crate::rules::Viewer::Public), 0);
}
