//! Tests of secrets that are dealt again for viewers, and of the events that a preview may show.

use super::*;
use crate::games::off_the_rails::deck::legal_token_squares;
use crate::games::off_the_rails::definition::{CutRule, DropRule};
use crate::games::off_the_rails::grid::SquareSet;
use crate::games::off_the_rails::order::{Card, Split, Wish};
use crate::games::off_the_rails::state::Player;
use crate::rules::Viewer;
use std::collections::BTreeSet;

/// Returns a position in which seat 1's white cart is about to ram seat 2's white cart, which holds
/// `other`.
fn cart_before_ram(options: &Options, other: &str) -> State {
    let mut state = new_game(2, options);
    lay_tiles(&mut state, "D1 ns, D2 ns, D3 ns, D4 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    set_speed(&mut state, 0, 4);
    place_cart(&mut state, 2, "D3", Direction::South, other);
    state
}

/// Returns the first event of the white cart's move that discloses something to seat 1.
fn first_disclosed_event(state: &State, seed: u64) -> Option<Event> {
    let mut dice = Dice::new(&Seed::from_number(seed), 0);
    let order = Order::Move { cart: cart(0) };
    let events = OffTheRails::decide(state, SEAT_ONE, &order, &mut dice).or_fail();
    let mut ahead = state.clone();
    events.into_iter().find(|event| {
        let discloses = OffTheRails::discloses(&ahead, event, SEAT_ONE);
        ahead.apply(event);
        discloses
    })
}

/// Counts each standing order for cutting in 600 determinizations for seat 1.
fn count_splits(state: &State) -> [u32; 3] {
    let mut dice = Dice::new(&Seed::from_number(4), 0);
    let mut seen = [0; 3];
    for _ in 0..600 {
        let determinization = OffTheRails::redeal(state, Viewer::Seat(SEAT_ONE), &mut dice);
        let split = determinization.players[1].split;
        seen[Split::ALL.iter().position(|&one| one == split).or_fail()] += 1;
    }
    seen
}

#[test]
fn drop_reveals_cutting_order_until_owners_next_turn() {
    let mut state = cart_before_ram(&Options::default(), "oord");
    assert!(count_splits(&state).iter().all(|&count| count > 150), "{:?}", count_splits(&state));
    state.apply(&Event::Wished { seat: SEAT_TWO, wish: Wish::Split(Split::Together) });
    for event in
        OffTheRails::decide(&state, SEAT_ONE, &Order::Move { cart: cart(0) }, &mut dice()).or_fail()
    {
        state.apply(&event);
    }
    // Two rocks fell. Of the three standing orders, only "rocks together" makes such a pile.
    let seen = count_splits(&state);
    assert!(seen[1] == 600, "{seen:?}, {:?}", state.players[1].split_evidence);
    state.apply(&Event::Turn { seat: SEAT_TWO });
    assert!(count_splits(&state).iter().all(|&count| count > 150), "{:?}", count_splits(&state));
}

#[test]
fn preview_names_fallen_jewels_only_if_certain() {
    let plain = Options::default();
    assert_eq!(
        first_disclosed_event(&cart_before_ram(&plain, "d"), 1),
        None,
        "a single jewel falls"
    );
    assert_eq!(first_disclosed_event(&cart_before_ram(&plain, ""), 1), None, "it derails");
    for hold in ["dr", "rrr", "oord"] {
        let told = first_disclosed_event(&cart_before_ram(&plain, hold), 1);
        assert!(matches!(told, Some(Event::Dropped { .. })), "{hold}: {told:?}");
    }
    let half_up = Options { drop: DropRule::HalfUp, ..Options::default() };
    assert_eq!(
        first_disclosed_event(&cart_before_ram(&half_up, "rrr"), 1),
        None,
        "two of three alike"
    );
    assert!(
        first_disclosed_event(&cart_before_ram(&half_up, "rrd"), 1).is_some(),
        "whichever they are"
    );
    let asked = Options { cut: CutRule::Interactive, ..Options::default() };
    assert_eq!(
        first_disclosed_event(&cart_before_ram(&asked, "dr"), 1),
        None,
        "seat 2 is asked first"
    );
}

#[test]
fn only_active_abyss_seat_is_dealt_token_wishes() {
    let mut state = default_game();
    let mut dice = dice();
    let wants = |state: &State, seat: usize, dice: &mut Dice| {
        let determinization = OffTheRails::redeal(state, Viewer::Public, dice);
        determinization.players[seat].wants_token
    };
    let ever = |state: &State, seat, dice: &mut Dice| (0..50).any(|_| wants(state, seat, dice));
    assert!(!ever(&state, 0, &mut dice), "there is no abyss yet");
    state.apply(&Event::Collapsed);
    assert!(ever(&state, 0, &mut dice) && !ever(&state, 1, &mut dice), "it is seat 1's turn");
}

fn deal_determinizations(state: &State, viewer: Viewer) -> Vec<State> {
    let mut dice = dice();
    (0..300).map(|_| OffTheRails::redeal(state, viewer, &mut dice)).collect()
}

#[test]
fn only_chance_and_foreign_secrets_are_disclosed() {
    let card = Card { colour: Colour::Red, number: 1 };
    let (colour, at) = (Colour::Red, square_at("B3"));
    let mut state = cart_before_ram(&Options::default(), "r");
    let chance = [
        Event::Opened { sides: Vec::new(), missions: Vec::new() },
        Event::Primed { card, jewels: JewelCounts::NONE },
        Event::Strewn { jewels: Vec::new() },
        Event::Deposited { card, jewels: JewelCounts::NONE },
        Event::ChasmCard { seat: SEAT_ONE },
        Event::Sank { colour, at },
        Event::Discarded { colour },
        Event::Revealed { card },
        Event::Reshuffled,
    ];
    for event in chance {
        assert!(OffTheRails::discloses(&state, &event, SEAT_ONE), "{event:?}");
    }
    let own = [
        Event::Laid { seat: SEAT_ONE, at, ends: TileOpenings::LAYABLE[0] },
        Event::Rested,
        Event::Left { cart: cart(0), side: Direction::North },
        Event::Turn { seat: SEAT_TWO },
    ];
    for event in own {
        assert!(!OffTheRails::discloses(&state, &event, SEAT_ONE), "{event:?}");
    }
    // A moving cart falls into a chasm that all players see. A cart that is not moving falls
    // because of a token that chance drew.
    let fell = |state: &State, id| {
        OffTheRails::discloses(state, &Event::Fell { cart: cart(id) }, SEAT_ONE)
    };
    assert!(fell(&state, 0) && fell(&state, 2), "its square sinks");
    state.apply(&Event::SetOff { cart: cart(0) });
    assert!(!fell(&state, 0) && fell(&state, 2), "cart 0 is on its way");
}

#[test]
fn drops_and_claims_are_revealed_cut_stays_hidden() {
    let state = cart_before_ram(&Options::default(), "rd");
    let turns_up = |event: &Event| OffTheRails::reveals_to_others(&state, event);
    assert!(turns_up(&Event::Dropped { cart: cart(2), jewels: jewels("d") }));
    assert!(turns_up(&Event::Claimed { seat: SEAT_TWO, mission: Mission::RedLeader }));
    assert!(!turns_up(&Event::Wished { seat: SEAT_TWO, wish: Wish::Place(true) }));
    assert!(!turns_up(&Event::Achieved { mission: Mission::RedLeader }));
    assert!(OffTheRails::has_hidden_content(&Order::Cut(jewels("d"))));
    assert!(!OffTheRails::has_hidden_content(&Order::Pick { first: true }));
    assert!(
        !OffTheRails::has_hidden_content(&Order::Wish(Wish::Place(true))),
        "secret, but for its writer"
    );
}

#[test]
fn redealt_splits_are_weighted_by_dropped_jewels() {
    let mut state = default_game();
    let often = |state: &State| count_splits(state).map(|count| count / 100);
    state.players[1].split_evidence = Some([4, 1, 1]);
    let [balanced, together, alone] = count_splits(&state);
    assert!((340..460).contains(&balanced), "{balanced} of 600 and not a third");
    assert!((60..140).contains(&together) && (60..140).contains(&alone));
    state.players[1].split_evidence = Some([0, 0, 3]);
    assert_eq!(often(&state), [0, 0, 6]);
    // Evidence that no order can explain is ignored.
    state.players[1].split_evidence = Some([0; 3]);
    assert!(count_splits(&state).iter().all(|&count| count > 150), "{:?}", count_splits(&state));
}

#[test]
fn redeal_keeps_default_split_without_standing_cut() {
    let asked = new_game(2, &Options { cut: CutRule::Interactive, ..Options::default() });
    for state in [asked, solo::new_solo_game()] {
        let mut worlds = deal_determinizations(&state, Viewer::Public).into_iter();
        let is_plain = |player: &Player| player.split == Split::Balanced;
        assert!(worlds.all(|world| world.players.iter().all(is_plain)));
    }
}

#[test]
fn redealt_claim_ranking_starts_with_last_claim() {
    let mut state = default_game();
    turn_up_missions(
        &mut state,
        &[Mission::DirtyGoblins, Mission::RedLeader, Mission::SpiceOfLife],
    );
    let claims = |state: &State| -> BTreeSet<Vec<Mission>> {
        let worlds = deal_determinizations(state, Viewer::Seat(SEAT_ONE)).into_iter();
        worlds.map(|world| world.players[1].claim_ranking.clone()).collect()
    };
    let (red, spice) = (Mission::RedLeader, Mission::SpiceOfLife);
    let all = [vec![], vec![red], vec![red, spice], vec![spice], vec![spice, red]];
    assert_eq!(claims(&state), all.clone().into());
    state.apply(&Event::Claimed { seat: SEAT_TWO, mission: Mission::HeadToHead });
    let behind = all.map(|claims| [vec![Mission::HeadToHead], claims].concat());
    assert_eq!(claims(&state), behind.into());
}

#[test]
fn redealt_token_wishes_cover_all_legal_squares() {
    for abyss_die in [false, true] {
        let mut state = new_game(2, &Options { abyss_die, ..Options::default() });
        open_abyss(&mut state);
        let mut squares = SquareSet::default();
        for world in deal_determinizations(&state, Viewer::Seat(SEAT_TWO)) {
            let player = &world.players[0];
            player.token_wishes[0].into_iter().for_each(|at| squares.insert(at));
            assert!(
                player.wants_token || player.token_wishes == [None; 4],
                "naming a square is consent"
            );
        }
        let open = legal_token_squares(&state, Colour::Red);
        assert_eq!(squares, if abyss_die { SquareSet::default() } else { open });
    }
}

#[test]
fn only_cutter_knows_piles_others_get_equal_cuts() {
    let mut state =
        cart_before_ram(&Options { cut: CutRule::Interactive, ..Options::default() }, "oed");
    state = play_lines(&state, "move w");
    state.apply(&Event::Cut { cart: cart(2), first: jewels("oe") });
    let cuts = |viewer| -> BTreeSet<String> {
        let cut = |world: State| format!("{:?}", world.current_move.or_fail().cut.or_fail());
        deal_determinizations(&state, viewer).into_iter().map(cut).collect()
    };
    let told = |first: &str| format!("{:?}", jewels(first));
    assert_eq!(cuts(Viewer::Seat(SEAT_TWO)), [told("oe")].into());
    let fair = ["o", "e", "d", "oe", "od", "ed"].map(told);
    assert_eq!(cuts(Viewer::Seat(SEAT_ONE)), fair.clone().into());
    assert_eq!(cuts(Viewer::Public), fair.into());
}

#[test]
fn secret_event_is_redealt_except_for_its_player() {
    let mut state =
        cart_before_ram(&Options { cut: CutRule::Interactive, ..Options::default() }, "oed");
    let mut dice = dice();
    let mut dealt = |world: &State, event: &Event, viewer| {
        OffTheRails::event_in_determinization(world, event, viewer, &mut dice)
    };
    state.players[1].split = Split::Alone;
    let wished = Event::Wished { seat: SEAT_TWO, wish: Wish::Split(Split::Together) };
    assert_eq!(dealt(&state, &wished, Viewer::Seat(SEAT_TWO)), wished);
    let mut kinds = BTreeSet::new();
    for _ in 0..60 {
        let Event::Wished { seat: SEAT_TWO, wish } = dealt(&state, &wished, Viewer::Seat(SEAT_ONE))
        else {
            panic!("it is no wish of seat 2")
        };
        kinds.insert(match wish {
            Wish::Claim(_) => "claim",
            Wish::Place(true) => "place",
            Wish::Place(false) => "none",
            Wish::Split(split) => split.name(),
            Wish::Chasm(..) => "chasm",
        });
    }
    assert_eq!(kinds, ["alone", "claim", "none", "place"].into(), "as it stands in that world");
    let cut = |first: &str| Event::Cut { cart: cart(2), first: jewels(first) };
    assert_eq!(dealt(&state, &cut("oe"), Viewer::Seat(SEAT_TWO)), cut("oe"));
    let is_one = |event| matches!(event, Event::Cut { first, .. } if first.total() == 1);
    assert!(is_one(dealt(&state, &cut("oe"), Viewer::Public)), "nothing is known of it any more");
    let mut world = play_lines(&state, "move w");
    world.apply(&cut("ed"));
    assert_eq!(dealt(&world, &cut("oe"), Viewer::Seat(SEAT_ONE)), cut("ed"), "as in that world");
    let open = Event::Turn { seat: SEAT_ONE };
    assert_eq!(dealt(&world, &open, Viewer::Public), open);
}
