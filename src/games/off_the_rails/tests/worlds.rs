//! What the others may want, for all that a viewer has seen; and what can be told before it
//! happens.

use super::*;
use crate::games::off_the_rails::deck::chasm_squares;
use crate::games::off_the_rails::definition::{Cut, Drop};
use crate::games::off_the_rails::grid::SquareSet;
use crate::games::off_the_rails::order::{Card, Split, Wish};
use crate::games::off_the_rails::state::Player;
use crate::rules::Viewer;
use std::collections::BTreeSet;

/// Seat 1's white cart is about to ram seat 2's, which holds this.
fn about_to_ram(options: &Options, other: &str) -> State {
    let mut state = game(2, options);
    lay(&mut state, "D1 ns, D2 ns, D3 ns, D4 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    speed(&mut state, 0, 4);
    stand(&mut state, 2, "D3", Way::South, other);
    state
}

/// What the move discloses, if anything.
fn disclosed(state: &State, seed: u64) -> Option<Event> {
    let mut dice = Dice::new(&Seed::rehearsal(seed), 0);
    let order = Order::Move { cart: cart(0) };
    let events = OffTheRails::decide(state, ONE, &order, &mut dice).sure();
    let mut ahead = state.clone();
    events.into_iter().find(|event| {
        let discloses = OffTheRails::discloses(&ahead, event, ONE);
        ahead.apply(event);
        discloses
    })
}

/// How often each way of cutting stands in the worlds of seat 1.
fn splits(state: &State) -> [u32; 3] {
    let mut dice = Dice::new(&Seed::rehearsal(4), 0);
    let mut seen = [0; 3];
    for _ in 0..600 {
        let world = OffTheRails::redeal(state, Viewer::Seat(ONE), &mut dice);
        let split = world.players[1].split;
        seen[Split::ALL.iter().position(|&one| one == split).sure()] += 1;
    }
    seen
}

#[test]
fn what_fell_shows_how_it_was_cut_until_its_owner_can_change_that() {
    let mut state = about_to_ram(&Options::default(), "oord");
    assert!(splits(&state).iter().all(|&count| count > 150), "{:?}", splits(&state));
    state.apply(&Event::Wished { seat: TWO, wish: Wish::Split(Split::Together) });
    for event in
        OffTheRails::decide(&state, ONE, &Order::Move { cart: cart(0) }, &mut dice()).sure()
    {
        state.apply(&event);
    }
    // Rocks lay with rocks: neither a balanced cut nor the best alone does that.
    let seen = splits(&state);
    assert!(seen[1] == 600, "{seen:?}, {:?}", state.players[1].fallen);
    state.apply(&Event::Turn { seat: TWO });
    assert!(splits(&state).iter().all(|&count| count > 150), "{:?}", splits(&state));
}

#[test]
fn what_falls_is_foretold_only_where_nobody_could_have_it_otherwise() {
    let plain = Options::default();
    assert_eq!(disclosed(&about_to_ram(&plain, "d"), 1), None, "a single jewel falls");
    assert_eq!(disclosed(&about_to_ram(&plain, ""), 1), None, "it derails");
    for hold in ["dr", "rrr", "oord"] {
        let told = disclosed(&about_to_ram(&plain, hold), 1);
        assert!(matches!(told, Some(Event::Dropped { .. })), "{hold}: {told:?}");
    }
    let half_up = Options { drop: Drop::HalfUp, ..Options::default() };
    assert_eq!(disclosed(&about_to_ram(&half_up, "rrr"), 1), None, "two of three alike");
    assert!(disclosed(&about_to_ram(&half_up, "rrd"), 1).is_some(), "whichever they are");
    let asked = Options { cut: Cut::Interactive, ..Options::default() };
    assert_eq!(disclosed(&about_to_ram(&asked, "dr"), 1), None, "seat 2 is asked first");
}

#[test]
fn nobody_wants_a_token_placed_who_cannot_have_said_so() {
    let mut state = plain();
    let mut dice = dice();
    let wants = |state: &State, seat: usize, dice: &mut Dice| {
        let world = OffTheRails::redeal(state, Viewer::Public, dice);
        world.players[seat].places
    };
    let ever = |state: &State, seat, dice: &mut Dice| (0..50).any(|_| wants(state, seat, dice));
    assert!(!ever(&state, 0, &mut dice), "there is no abyss yet");
    state.apply(&Event::Collapsed);
    assert!(ever(&state, 0, &mut dice) && !ever(&state, 1, &mut dice), "it is seat 1's turn");
}

/// Whatever wishes stand in so many worlds of this viewer.
fn worlds(state: &State, viewer: Viewer) -> Vec<State> {
    let mut dice = dice();
    (0..300).map(|_| OffTheRails::redeal(state, viewer, &mut dice)).collect()
}

#[test]
fn what_an_order_led_to_by_chance_or_by_others_is_disclosed_and_nothing_else() {
    let card = Card { colour: Colour::Red, number: 1 };
    let (colour, at) = (Colour::Red, at("B3"));
    let mut state = about_to_ram(&Options::default(), "r");
    let chance = [
        Event::Opened { sides: Vec::new(), missions: Vec::new() },
        Event::Primed { card, jewels: Hoard::NONE },
        Event::Strewn { jewels: Vec::new() },
        Event::Deposited { card, jewels: Hoard::NONE },
        Event::ChasmCard { seat: ONE },
        Event::Sank { colour, at },
        Event::Discarded { colour },
        Event::Revealed { card },
        Event::Reshuffled,
    ];
    for event in chance {
        assert!(OffTheRails::discloses(&state, &event, ONE), "{event:?}");
    }
    let own = [
        Event::Laid { seat: ONE, at, ends: Ends::LAID[0] },
        Event::Rested,
        Event::Left { cart: cart(0), side: Way::North },
        Event::Turn { seat: TWO },
    ];
    for event in own {
        assert!(!OffTheRails::discloses(&state, &event, ONE), "{event:?}");
    }
    // The chasm lay there when the cart set off; where a token goes, nobody knew.
    let fell =
        |state: &State, id| OffTheRails::discloses(state, &Event::Fell { cart: cart(id) }, ONE);
    assert!(fell(&state, 0) && fell(&state, 2), "its square sinks");
    state.apply(&Event::SetOff { cart: cart(0) });
    assert!(!fell(&state, 0) && fell(&state, 2), "cart 0 is on its way");
}

#[test]
fn what_fell_and_what_was_claimed_turn_up_and_a_cut_is_covert() {
    let state = about_to_ram(&Options::default(), "rd");
    let turns_up = |event: &Event| OffTheRails::turns_up(&state, event);
    assert!(turns_up(&Event::Dropped { cart: cart(2), jewels: jewels("d") }));
    assert!(turns_up(&Event::Claimed { seat: TWO, mission: Mission::RedLeader }));
    assert!(!turns_up(&Event::Wished { seat: TWO, wish: Wish::Place(true) }));
    assert!(!turns_up(&Event::Achieved { mission: Mission::RedLeader }));
    assert!(OffTheRails::is_covert(&Order::Cut(jewels("d"))));
    assert!(!OffTheRails::is_covert(&Order::Pick { first: true }));
    assert!(!OffTheRails::is_covert(&Order::Wish(Wish::Place(true))), "secret, but for its writer");
}

#[test]
fn standing_orders_are_as_likely_as_they_let_fall_what_fell() {
    let mut state = plain();
    let often = |state: &State| splits(state).map(|count| count / 100);
    state.players[1].fallen = Some([4, 1, 1]);
    let [balanced, together, alone] = splits(&state);
    assert!((340..460).contains(&balanced), "{balanced} of 600 and not a third");
    assert!((60..140).contains(&together) && (60..140).contains(&alone));
    state.players[1].fallen = Some([0, 0, 3]);
    assert_eq!(often(&state), [0, 0, 6]);
    // What no order can have led to says nothing.
    state.players[1].fallen = Some([0; 3]);
    assert!(splits(&state).iter().all(|&count| count > 150), "{:?}", splits(&state));
}

#[test]
fn where_no_order_to_cut_can_stand_nobody_is_thought_to_have_one() {
    let asked = game(2, &Options { cut: Cut::Interactive, ..Options::default() });
    for state in [asked, solo::alone()] {
        let mut worlds = worlds(&state, Viewer::Public).into_iter();
        let is_plain = |player: &Player| player.split == Split::Balanced;
        assert!(worlds.all(|world| world.players.iter().all(is_plain)));
    }
}

#[test]
fn others_may_want_any_missions_that_can_be_claimed_behind_the_one_they_claimed() {
    let mut state = plain();
    face_up(&mut state, &[Mission::DirtyGoblins, Mission::RedLeader, Mission::SpiceOfLife]);
    let claims = |state: &State| -> BTreeSet<Vec<Mission>> {
        let worlds = worlds(state, Viewer::Seat(ONE)).into_iter();
        worlds.map(|world| world.players[1].claims.clone()).collect()
    };
    let (red, spice) = (Mission::RedLeader, Mission::SpiceOfLife);
    let all = [vec![], vec![red], vec![red, spice], vec![spice], vec![spice, red]];
    assert_eq!(claims(&state), all.clone().into());
    state.apply(&Event::Claimed { seat: TWO, mission: Mission::HeadToHead });
    let behind = all.map(|claims| [vec![Mission::HeadToHead], claims].concat());
    assert_eq!(claims(&state), behind.into());
}

#[test]
fn a_token_may_be_wanted_on_any_open_square_but_where_a_die_is_thrown() {
    for abyss_die in [false, true] {
        let mut state = game(2, &Options { abyss_die, ..Options::default() });
        open_abyss(&mut state);
        let mut squares = SquareSet::default();
        for world in worlds(&state, Viewer::Seat(TWO)) {
            let player = &world.players[0];
            player.chasm[0].into_iter().for_each(|at| squares.insert(at));
            assert!(player.places || player.chasm == [None; 4], "naming a square is consent");
        }
        let open = chasm_squares(&state, Colour::Red);
        assert_eq!(squares, if abyss_die { SquareSet::default() } else { open });
    }
}

#[test]
fn who_has_cut_knows_the_piles_and_the_other_takes_any_fair_cut_for_likely() {
    let mut state = about_to_ram(&Options { cut: Cut::Interactive, ..Options::default() }, "oed");
    state = say(&state, "move w");
    state.apply(&Event::Cut { cart: cart(2), first: jewels("oe") });
    let cuts = |viewer| -> BTreeSet<String> {
        let cut = |world: State| format!("{:?}", world.run.sure().cut.sure());
        worlds(&state, viewer).into_iter().map(cut).collect()
    };
    let told = |first: &str| format!("{:?}", jewels(first));
    assert_eq!(cuts(Viewer::Seat(TWO)), [told("oe")].into());
    let fair = ["o", "e", "d", "oe", "od", "ed"].map(told);
    assert_eq!(cuts(Viewer::Seat(ONE)), fair.clone().into());
    assert_eq!(cuts(Viewer::Public), fair.into());
}

#[test]
fn a_hidden_event_is_dealt_anew_for_everyone_but_its_player() {
    let mut state = about_to_ram(&Options { cut: Cut::Interactive, ..Options::default() }, "oed");
    let mut dice = dice();
    let mut dealt = |world: &State, event: &Event, viewer| {
        OffTheRails::redeal_event(world, event, viewer, &mut dice)
    };
    state.players[1].split = Split::Alone;
    let wished = Event::Wished { seat: TWO, wish: Wish::Split(Split::Together) };
    assert_eq!(dealt(&state, &wished, Viewer::Seat(TWO)), wished);
    let mut kinds = BTreeSet::new();
    for _ in 0..60 {
        let Event::Wished { seat: TWO, wish } = dealt(&state, &wished, Viewer::Seat(ONE)) else {
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
    assert_eq!(dealt(&state, &cut("oe"), Viewer::Seat(TWO)), cut("oe"));
    let is_one = |event| matches!(event, Event::Cut { first, .. } if first.total() == 1);
    assert!(is_one(dealt(&state, &cut("oe"), Viewer::Public)), "nothing is known of it any more");
    let mut world = say(&state, "move w");
    world.apply(&cut("ed"));
    assert_eq!(dealt(&world, &cut("oe"), Viewer::Seat(ONE)), cut("ed"), "as in that world");
    let open = Event::Turn { seat: ONE };
    assert_eq!(dealt(&world, &open, Viewer::Public), open);
}
