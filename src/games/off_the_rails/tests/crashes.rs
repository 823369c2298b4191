//! Collisions, what falls, and who derails.

use super::super::crash;
use super::*;
use crate::games::off_the_rails::definition::{BumperHeadOn, Cut, Drop};
use crate::games::off_the_rails::event::Wreck;
use crate::games::off_the_rails::order::{Split, Wish};
use crate::games::off_the_rails::plan::Then;
use crate::rules::{Follow, Plans, RefusalKind};

/// Seat 1's white cart on D1 heads south; seat 2's white cart stands on D3, which a step to D2 and
/// another would reach.
fn meeting(options: &Options, hold: &str, facing: Way, other: &str) -> State {
    let mut state = game(2, options);
    lay(&mut state, "D1 ns, D2 ns, D3 ns, D4 ns");
    stand(&mut state, 0, "D1", Way::South, hold);
    speed(&mut state, 0, 4);
    stand(&mut state, 2, "D3", facing, other);
    state
}

fn rear(hold: &str, other: &str) -> State {
    meeting(&Options::default(), hold, Way::South, other)
}

#[test]
pub fn the_moving_cart_stops_before_the_other() {
    let after = say(&rear("r", "gg"), "move w D2 D3");
    assert_eq!(stands(&after, 0), (on("D2"), Way::North));
    let mut state = rear("r", "gg");
    stand(&mut state, 2, "D2", Way::South, "gg");
    state.bag = state.bag.plus(jewels("gg"));
    assert_eq!(stands(&say(&state, "move w"), 0), (on("D1"), Way::North), "no square at all");
}

#[test]
pub fn unconnected_tracks_only_stop() {
    let mut state = rear("", "");
    state.track[at("D3")] = Ends::parse("ew").sure();
    state.carts[2].facing = Way::East;
    let after = say(&state, "move w");
    assert_eq!(stands(&after, 0), (on("D2"), Way::North));
    assert_eq!(stands(&after, 2), (on("D3"), Way::East));
}

#[test]
pub fn a_cart_rammed_head_on_turns_away() {
    let state = meeting(&Options::default(), "r", Way::North, "gg");
    let after = say(&state, "move w");
    assert_eq!(stands(&after, 2), (on("D3"), Way::South));
    let rammed = say(&rear("r", "gg"), "move w");
    assert_eq!(stands(&rammed, 2).1, Way::South, "from behind it stays as it is");
}

#[test]
pub fn who_cannot_face_directly_away_takes_the_other_opening() {
    let mut state = meeting(&Options::default(), "r", Way::North, "gg");
    lay(&mut state, "D3 ne, D2 nes");
    speed(&mut state, 0, 4);
    let after = say(&state, "move w D2 D3");
    assert_eq!((stands(&after, 0).1, stands(&after, 2).1), (Way::North, Way::East));
    lay(&mut state, "D3 new");
    assert_eq!(stands(&say(&state, "move w D2 D3"), 2).1, Way::East, "first of n, e, s, w");
}

#[test]
pub fn holds_are_judged_before_and_both_carts_can_derail() {
    let after = say(&rear("", ""), "move w");
    assert_eq!((stands(&after, 0).0, stands(&after, 2).0), (Place::Supply, Place::Supply));
    let after = say(&rear("", "g"), "move w");
    assert_eq!(stands(&after, 0).0, Place::Supply);
    assert_eq!(stands(&after, 2).0, on("D3"), "it lost its one jewel and stays");
    assert_eq!(after.ground[at("D3")], jewels("g"));
    let after = say(&rear("r", ""), "move w");
    assert_eq!((stands(&after, 0).0, stands(&after, 2).0), (on("D2"), Place::Supply));
}

#[test]
pub fn of_an_odd_number_the_picked_pile_falls_or_by_choice_the_larger() {
    let fallen = |options: &Options, seed| {
        let state = meeting(options, "r", Way::South, "ggg");
        let mut dice = Dice::new(&Seed::rehearsal(seed), 0);
        let order = Order::Move { cart: cart(0) };
        let events = OffTheRails::decide(&state, ONE, &order, &mut dice).sure();
        let dropped = events.iter().find_map(|event| match event {
            Event::Dropped { jewels, .. } => Some(jewels.total()),
            _ => None,
        });
        dropped.sure()
    };
    let picked: Vec<u32> = (0..20).map(|seed| fallen(&Options::default(), seed)).collect();
    assert!(picked.contains(&1) && picked.contains(&2), "{picked:?}");
    let half_up = Options { drop: Drop::HalfUp, ..Options::default() };
    assert!((0..20).all(|seed| fallen(&half_up, seed) == 2));
}

#[test]
pub fn jewels_are_cut_by_the_standing_order() {
    let state = plain();
    let cut = |hold, split| super::super::crash::piles(&state, jewels(hold), split);
    assert_eq!(cut("oord", Split::Together), [jewels("rd"), jewels("oo")]);
    assert_eq!(cut("oord", Split::Alone), [jewels("do"), jewels("or")]);
    assert_eq!(cut("dggr", Split::Balanced), [jewels("gg"), jewels("dr")]);
    assert_eq!(cut("rrd", Split::Alone)[0], jewels("d"));
    let after = say(&state, "split rocks together");
    assert_eq!(after.player(ONE).sure().split, Split::Together);
}

/// How unequal the most equal cut of these values is, by trying each.
fn least_unevenness(values: &[i64]) -> i64 {
    let cuts = 0_u32..1 << values.len();
    let is_half = |cut: &u32| cut.count_ones().abs_diff(values.len() as u32 - cut.count_ones()) < 2;
    let unevenness = |cut: u32| {
        let signed =
            |(place, value): (usize, &i64)| if cut >> place & 1 == 1 { *value } else { -value };
        values.iter().enumerate().map(signed).sum::<i64>().abs()
    };
    cuts.filter(is_half).map(unevenness).min().sure()
}

#[test]
fn a_balanced_cut_is_the_most_equal_one_and_an_old_game_keeps_its_own() {
    let state = plain();
    let mut old = plain();
    numbers(&mut old).definition.edition = 1;
    let mut all: Vec<Hoard> =
        (2..=5).flat_map(|size| jewels("ooooorrrrreeeeegggggddddd").parts(size)).collect();
    // Loads of other holds and values too.
    let mut dice = dice();
    for _ in 0..200 {
        let size = 2 + dice.below(8);
        all.push((0..size).map(|_| Jewel::ALL[dice.below(5) as usize]).collect());
    }
    let unevenness = |state: &State, hold| {
        let [one, other] = super::super::crash::piles(state, hold, Split::Balanced);
        assert_eq!(one.plus(other), hold);
        assert!(one.total().abs_diff(other.total()) < 2);
        (crash::value(state, one) - crash::value(state, other)).abs()
    };
    let mut better = Vec::new();
    for hold in all {
        let values: Vec<i64> =
            hold.pieces().map(|jewel| crash::value(&state, Hoard::from_iter([jewel]))).collect();
        let (now, before) = (unevenness(&state, hold), unevenness(&old, hold));
        assert_eq!(now, least_unevenness(&values), "{hold:?}");
        better.push(now < before);
    }
    let of = |better: &[bool]| better.iter().filter(|better| **better).count();
    assert_eq!(of(&better[..246]), 48, "of all loads of a cart");
    assert!(of(&better[246..]) > 20);
}

#[test]
pub fn what_falls_from_ones_own_cart_is_said() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    stand(&mut state, 1, "D2", Way::South, "oed");
    let after = say(&state, "move w");
    assert_eq!(after.ground[at("D2")], jewels("o"), "half of three, the least valuable");
    assert_eq!(say(&state, "move w drop rock emerald").ground[at("D2")], jewels("oe"));
    assert_eq!(refused(&state, "move w drop gold"), "or-answer-first");
}

#[test]
pub fn the_rammed_player_can_be_asked() {
    let options = Options { cut: Cut::Interactive, ..Options::default() };
    let state = meeting(&options, "r", Way::South, "oed");
    let state = say(&state, "move w");
    assert_eq!(super::super::travel::asked(&state), Some(TWO));
    assert_eq!(refused(&state, "move b"), "or-not-asked");
    let is_shown =
        |line| OffTheRails::GRAMMAR.lines(&state, None).iter().any(|form| form.line == line);
    assert!(is_shown("cut diamond") && is_shown("pick first"), "the most equal cut");
    let refusal = OffTheRails::parse(&state, TWO, "cut ruby rock").unwrap_err();
    assert_eq!((refusal.kind, refusal.reason.key), (RefusalKind::Illegal, "or-answer-first"));
    let (state, _) = try_lines(&state, TWO, "cut rock emerald").sure();
    assert_eq!(super::super::travel::asked(&state), Some(ONE));
    let first = say(&state, "pick first");
    assert_eq!(first.ground[at("D3")], jewels("oe"));
    assert_eq!(stands(&first, 0), (on("D2"), Way::North));
    assert_eq!(say(&state, "pick second").ground[at("D3")], jewels("d"));
    assert_eq!(refused(&state, "split together"), "or-answer-first");
    let again = meeting(&options, "r", Way::South, "oed");
    assert_eq!(refused(&again, "split together"), "or-useless");
}

#[test]
fn who_is_asked_picks_the_pile_also_after_done_and_nobody_by_chance_but_who_wants_it() {
    let options = Options { cut: Cut::Interactive, ..Options::default() };
    let rammed = |edition| {
        let mut state = meeting(&options, "r", Way::South, "oed");
        numbers(&mut state).definition.edition = edition;
        try_lines(&say(&state, "done"), TWO, "cut rock emerald").sure().0
    };
    let state = rammed(2);
    assert_eq!(super::super::travel::asked(&state), Some(ONE));
    assert_eq!(OffTheRails::forfeit(&state, ONE), Order::PickAny, "else the cutter knew");
    let (after, told) = tell(&state, "pick second");
    assert_eq!(after.ground[at("D3")], jewels("d"));
    assert!(told.iter().any(|event| matches!(event, Event::Turn { seat: TWO })), "done is done");
    let fallen = |seed| {
        let mut dice = Dice::new(&Seed::rehearsal(seed), 0);
        let events = OffTheRails::decide(&state, ONE, &Order::PickAny, &mut dice).sure();
        matches!(events[0], Event::Dropped { jewels, .. } if jewels.total() == 1)
    };
    let singles = (0..40).filter(|&seed| fallen(seed)).count();
    assert!((5..35).contains(&singles), "{singles}");
    assert_eq!(super::super::travel::asked(&rammed(1)), None, "as it was before");
}

#[test]
fn a_letter_goes_on_behind_a_collision_that_waits_for_the_cut() {
    let options = Options { cut: Cut::Interactive, ..Options::default() };
    let mut state = meeting(&options, "r", Way::South, "oed");
    lay(&mut state, "G1 ns, G2 nes, H2 ew");
    stand(&mut state, 1, "G1", Way::South, "");
    let plan = |state: &State, line: &str| Then::read(state, ONE, line);
    assert_eq!(plan(&state, "move b G2"), None, "it is for now");
    let waiting = say(&state, "move w");
    assert!(plan(&waiting, "lay A1 ew").sure().is_err(), "the actions are over");
    assert!(plan(&waiting, "move b C3").sure().is_err(), "it does not come there");
    assert_eq!(plan(&waiting, "hello Bob"), None);
    assert_eq!(Then::read(&waiting, TWO, "move b"), None);
    let read = |line| plan(&waiting, line).sure().sure().remove(0);
    let (pick, other, done) = (read("pick second"), read("move b G2 face east"), read("done"));
    for plan in [&pick, &other, &done] {
        assert_eq!(plan.follow(&waiting, ONE), Follow::NotYet);
    }
    let (state, _) = try_lines(&waiting, TWO, "cut rock emerald").sure();
    assert!(matches!(pick.follow(&state, ONE), Follow::Now(_)));
    assert_eq!(other.follow(&state, ONE), Follow::NotYet);
    let state = say(&state, "pick second");
    assert!(matches!(pick.follow(&state, ONE), Follow::Never(_)));
    let Follow::Now(lines) = other.follow(&state, ONE) else { panic!("not now") };
    let state = say(&state, &lines[0]);
    assert_eq!(stands(&state, 1), (on("G2"), Way::East));
    assert!(matches!(done.follow(&say(&state, "done"), ONE), Follow::Never(_)), "it is over");
    let next = plan(&state, "next: lay D2 ne").sure().unwrap_err();
    assert_eq!(next.reason.key, "or-no-next");
}

#[test]
pub fn who_has_just_been_placed_is_empty_and_derails() {
    let crowd = |options: &Options, ends: &str, facing| {
        let mut state = game(2, options);
        lay(&mut state, &format!("D1 {ends}"));
        stand(&mut state, 2, "D1", facing, "rr");
        tell(&state, "enter w D; end").1
    };
    let plain = Options::default();
    let derailed = Event::Derailed { cart: cart(0), lost: false, why: Some(Wreck::Empty) };
    let returned = Event::Returned { cart: cart(0) };
    assert!(crowd(&plain, "ns", Way::South).contains(&derailed));
    assert!(crowd(&plain, "ew", Way::East).contains(&returned), "not connected");
    let bumpers = Options { bumpers: true, ..Options::default() };
    assert!(crowd(&bumpers, "ns", Way::South).contains(&returned));
}

#[test]
pub fn dropped_jewels_lie_there_for_everyone() {
    let after = say(&rear("r", "gg"), "move w");
    assert_eq!(after.ground[at("D3")], jewels("g"));
    assert_eq!(after.cart(cart(2)).hold, jewels("g"));
    let (after, _) = try_lines(&say(&after, "end"), TWO, "end").sure();
    assert_eq!(stands(&after, 2).0, on("D4"));
    assert_eq!(after.cart(cart(2)).hold, jewels("g"), "only who enters collects");
}

#[test]
pub fn a_derailed_cart_may_be_placed_again() {
    let mut state = say(&rear("", "gg"), "move w");
    assert!(state.cart(cart(0)).derailed);
    state.apply(&Event::Turn { seat: ONE });
    let after = say(&state, "enter w A");
    assert!(after.cart(cart(0)).is_on_board() && !after.cart(cart(0)).derailed);
}

#[test]
pub fn bumpers_keep_everything_on_board() {
    let bumpers = Options { bumpers: true, ..Options::default() };
    let after = say(&meeting(&bumpers, "", Way::North, "gg"), "move w");
    assert_eq!(stands(&after, 0), (on("D2"), Way::North));
    assert_eq!(stands(&after, 2), (on("D3"), Way::South), "a head-on one still turns it");
    assert_eq!(after.cart(cart(2)).hold, jewels("gg"));
    let full = Options { bumper_head_on: BumperHeadOn::Full, ..bumpers };
    let after = say(&meeting(&full, "", Way::North, "gg"), "move w");
    assert_eq!(stands(&after, 0).0, Place::Supply);
    let after = say(&meeting(&full, "", Way::South, "gg"), "move w");
    assert_eq!(stands(&after, 0).0, on("D2"), "from behind the bumpers hold");
}

#[test]
pub fn standing_orders_are_seen_by_their_owner_only() {
    let state = say(&plain(), "split best alone");
    let event = Event::Wished { seat: ONE, wish: Wish::Split(Split::Alone) };
    let told = |viewer| OffTheRails::narrate(&state, std::slice::from_ref(&event), viewer).len();
    assert_eq!(told(crate::rules::Viewer::Seat(ONE)), 1);
    assert_eq!(told(crate::rules::Viewer::Seat(TWO)), 0);
    assert_eq!(told(crate::rules::Viewer::Public), 0);
}
