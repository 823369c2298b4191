use super::*;
use crate::games::off_the_rails::definition::BumperHeadOnRule;

/// Returns a position in which seat 1's white cart is about to leave over this side with these
/// jewels.
fn cart_before_exit(side: &str, hold: &str) -> State {
    let mut state = default_game();
    let (square, ends, facing) = match side {
        "north" => ("D1", "ns", Direction::North),
        "south" => ("D8", "ns", Direction::South),
        _ => ("A5", "ew", Direction::West),
    };
    lay_tiles(&mut state, &format!("{square} {ends}"));
    place_cart(&mut state, 0, square, facing, hold);
    turn_up_missions(&mut state, &Mission::ALL);
    state
}

fn claimed_mission(state: &State, lines: &str) -> Option<Mission> {
    let (_, told) = play_with_events(state, lines);
    told.iter().find_map(|event| match event {
        Event::Claimed { mission, .. } => Some(*mission),
        _ => None,
    })
}

#[test]
pub fn one_mission_claimed_by_order_or_lowest_number() {
    let state = cart_before_exit("north", "deegg");
    assert_eq!(claimed_mission(&state, "end"), Some(Mission::DiamondsArentForever));
    let order = "claim gold in your hills, green fingers; end";
    assert_eq!(claimed_mission(&state, order), Some(Mission::GoldInYourHills));
    let (after, _) = play_with_events(&state, "end");
    assert!(!after.missions.contains(Mission::DiamondsArentForever));
    assert_eq!(refusal_key(&after, "end"), "not-your-turn");
    // Gem Collector asks for a lasting state. It can also be claimed if the cart was full before
    // the turn and leaves in it.
    let mut state = cart_before_exit("north", "deegg");
    turn_up_missions(&mut state, &[Mission::GemCollector]);
    assert_eq!(claimed_mission(&state, "end"), Some(Mission::GemCollector));
}

#[test]
pub fn delivery_missions_count_one_cart() {
    let only = |mission, hold| {
        let mut state = cart_before_exit("north", hold);
        turn_up_missions(&mut state, &[mission]);
        claimed_mission(&state, "end").is_some()
    };
    assert!(only(Mission::DiamondsArentForever, "d"));
    assert!(only(Mission::GreenFingers, "ee") && !only(Mission::GreenFingers, "egd"));
    assert!(only(Mission::RedLeader, "rrrr") && !only(Mission::RedLeader, "rrr"));
    assert!(only(Mission::GoldInYourHills, "gg") && !only(Mission::GoldInYourHills, "g"));
    assert!(!only(Mission::GemCollector, "rrrro"), "a rock is not precious");
    assert!(only(Mission::GemCollector, "rrrrr"));
}

#[test]
pub fn spice_of_life_needs_all_four_jewels() {
    let mut state = cart_before_exit("north", "d");
    turn_up_missions(&mut state, &[Mission::SpiceOfLife]);
    let pile = jewels("reg");
    state.players[0].delivered[0] = pile;
    state.bag = state.bag.minus(pile);
    assert_eq!(claimed_mission(&state, "end"), Some(Mission::SpiceOfLife));
    state.carts[0].hold = jewels("o");
    state.bag = state.bag.plus(jewels("d")).minus(jewels("o"));
    assert_eq!(claimed_mission(&state, "end"), None);
}

#[test]
pub fn enemy_lines_needs_opponent_side_and_precious_jewel() {
    let only = |side, hold| {
        let mut state = cart_before_exit(side, hold);
        turn_up_missions(&mut state, &[Mission::BehindEnemyLines]);
        claimed_mission(&state, "end").is_some()
    };
    assert!(only("south", "r"));
    assert!(!only("south", "oo") && !only("north", "r"));
    assert!(!only("west", "r"), "in a game of two the west is nobody's");
}

#[test]
pub fn own_cart_collisions_count_only_head_to_head() {
    let crash = |other: u8, facing, hold| {
        let mut state = default_game();
        lay_tiles(&mut state, "D2 ns, D3 ns");
        place_cart(&mut state, 0, "D2", Direction::South, "r");
        place_cart(&mut state, other, "D3", facing, hold);
        turn_up_missions(
            &mut state,
            &[Mission::BumperCarts, Mission::HeadToHead, Mission::JewelRobbery],
        );
        let lines = if other == 1 { "claim bumper, jewel; move w; end" } else { "move w; end" };
        claimed_mission(&state, lines)
    };
    assert_eq!(crash(1, Direction::North, "r"), Some(Mission::HeadToHead));
    assert_eq!(crash(1, Direction::South, "r"), None);
    assert_eq!(crash(2, Direction::South, "r"), Some(Mission::JewelRobbery));
    assert_eq!(crash(2, Direction::South, ""), Some(Mission::BumperCarts));
    assert_eq!(
        crash(2, Direction::South, "o"),
        Some(Mission::JewelRobbery),
        "a rock is dropped too"
    );
}

#[test]
pub fn soft_bumpers_remove_two_collision_missions() {
    let dealt = |options: &Options| -> Vec<Mission> {
        let definition = yaml::parse(OffTheRails::DEFINITION).or_fail();
        let blank = OffTheRails::initial_state(&definition, options, 4).or_fail();
        let deal = |seed| OffTheRails::setup(&blank, &mut Dice::new(&Seed::from_number(seed), 0));
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
    let full = Options { bumper_head_on: BumperHeadOnRule::Full, ..bumpers };
    assert!(dealt(&full).contains(&Mission::BumperCarts));
}
