//! What missions ask for, and who claims them.

use super::*;
use crate::games::off_the_rails::definition::BumperHeadOn;

/// Seat 1's white cart is about to leave over a side with this hold.
fn leaving(side: &str, hold: &str) -> State {
    let mut state = plain();
    let (square, ends, facing) = match side {
        "north" => ("D1", "ns", Way::North),
        "south" => ("D8", "ns", Way::South),
        _ => ("A5", "ew", Way::West),
    };
    lay(&mut state, &format!("{square} {ends}"));
    stand(&mut state, 0, square, facing, hold);
    face_up(&mut state, &Mission::ALL);
    state
}

/// What seat 1 claims after these lines.
fn claimed(state: &State, lines: &str) -> Option<Mission> {
    let (_, told) = tell(state, lines);
    told.iter().find_map(|event| match event {
        Event::Claimed { mission, .. } => Some(*mission),
        _ => None,
    })
}

#[test]
pub fn one_mission_a_turn_by_order_or_the_lowest_number() {
    let state = leaving("north", "deegg");
    assert_eq!(claimed(&state, "end"), Some(Mission::DiamondsArentForever));
    let order = "claim gold in your hills, green fingers; end";
    assert_eq!(claimed(&state, order), Some(Mission::GoldInYourHills));
    let (after, _) = tell(&state, "end");
    assert!(!after.missions.contains(Mission::DiamondsArentForever));
    assert_eq!(refused(&after, "end"), "not-your-turn");
    // Gem Collector is a state: also where the cart was full before the turn and leaves in it.
    let mut state = leaving("north", "deegg");
    face_up(&mut state, &[Mission::GemCollector]);
    assert_eq!(claimed(&state, "end"), Some(Mission::GemCollector));
}

#[test]
pub fn deliveries_are_counted_for_a_single_cart() {
    let only = |mission, hold| {
        let mut state = leaving("north", hold);
        face_up(&mut state, &[mission]);
        claimed(&state, "end").is_some()
    };
    assert!(only(Mission::DiamondsArentForever, "d"));
    assert!(only(Mission::GreenFingers, "ee") && !only(Mission::GreenFingers, "egd"));
    assert!(only(Mission::RedLeader, "rrrr") && !only(Mission::RedLeader, "rrr"));
    assert!(only(Mission::GoldInYourHills, "gg") && !only(Mission::GoldInYourHills, "g"));
    assert!(!only(Mission::GemCollector, "rrrro"), "a rock is not precious");
    assert!(only(Mission::GemCollector, "rrrrr"));
}

#[test]
pub fn spice_of_life_needs_all_four_and_no_rock() {
    let mut state = leaving("north", "d");
    face_up(&mut state, &[Mission::SpiceOfLife]);
    let pile = jewels("reg");
    state.players[0].delivered[0] = pile;
    state.bag = state.bag.minus(pile);
    assert_eq!(claimed(&state, "end"), Some(Mission::SpiceOfLife));
    state.carts[0].hold = jewels("o");
    state.bag = state.bag.plus(jewels("d")).minus(jewels("o"));
    assert_eq!(claimed(&state, "end"), None);
}

#[test]
pub fn enemy_lines_are_an_opponents_side_with_a_precious_jewel() {
    let only = |side, hold| {
        let mut state = leaving(side, hold);
        face_up(&mut state, &[Mission::BehindEnemyLines]);
        claimed(&state, "end").is_some()
    };
    assert!(only("south", "r"));
    assert!(!only("south", "oo") && !only("north", "r"));
    assert!(!only("west", "r"), "in a game of two the west is nobody's");
}

#[test]
pub fn crashes_among_ones_own_carts_count_head_to_head_only() {
    let crash = |other: u8, facing, hold| {
        let mut state = plain();
        lay(&mut state, "D2 ns, D3 ns");
        stand(&mut state, 0, "D2", Way::South, "r");
        stand(&mut state, other, "D3", facing, hold);
        face_up(&mut state, &[Mission::BumperCarts, Mission::HeadToHead, Mission::JewelRobbery]);
        let lines = if other == 1 { "claim bumper, jewel; move w; end" } else { "move w; end" };
        claimed(&state, lines)
    };
    assert_eq!(crash(1, Way::North, "r"), Some(Mission::HeadToHead));
    assert_eq!(crash(1, Way::South, "r"), None);
    assert_eq!(crash(2, Way::South, "r"), Some(Mission::JewelRobbery));
    assert_eq!(crash(2, Way::South, ""), Some(Mission::BumperCarts));
    assert_eq!(crash(2, Way::South, "o"), Some(Mission::JewelRobbery), "a rock is dropped too");
}

#[test]
pub fn where_nothing_derails_two_missions_are_left_out() {
    let dealt = |options: &Options| -> Vec<Mission> {
        let definition = yaml::read(OffTheRails::DEFINITION).sure();
        let blank = OffTheRails::open(&definition, options, 4).sure();
        let deal = |seed| OffTheRails::setup(&blank, &mut Dice::new(&Seed::rehearsal(seed), 0));
        let missions = |events: Vec<Event>| match events.first() {
            Some(Event::Opened { missions, .. }) => missions.clone(),
            _ => panic!("{events:?}"),
        };
        let dealt: Vec<Vec<Mission>> = (0..60).map(|seed| missions(deal(seed))).collect();
        assert!(dealt.iter().all(|missions| missions.len() == 5));
        dealt.concat()
    };
    let bumpers = Options { bumpers: true, ..Options::default() };
    let soft = dealt(&bumpers);
    assert!(!soft.contains(&Mission::BumperCarts) && !soft.contains(&Mission::JewelRobbery));
    let full = Options { bumper_head_on: BumperHeadOn::Full, ..bumpers };
    assert!(dealt(&full).contains(&Mission::BumperCarts));
}
