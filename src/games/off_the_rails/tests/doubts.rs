//! What a letter is asked before it is done: a cart of its writer's derails, a claim costs another.

use super::*;
use crate::games::off_the_rails::definition::Cut;
use crate::games::off_the_rails::event::Wreck;

/// The key of what a letter of these lines is asked, and about which of them.
fn asked(state: &State, lines: &[&str]) -> Option<(Option<usize>, &'static str)> {
    let asked = OffTheRails::doubt(state, ONE, lines);
    asked.map(|(place, refusal)| (place, refusal.reason.key))
}

/// White heads south on D1; D3 opens east and west only.
fn before_a_gap() -> State {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns, D3 ew");
    stand(&mut state, 0, "D1", Way::South, "r");
    state
}

#[test]
fn a_move_by_which_ones_own_cart_derails_is_asked_about_unless_it_is_named() {
    let mut state = before_a_gap();
    assert_eq!(asked(&state, &["move w"]), None, "one step is safe");
    speed(&mut state, 0, 2);
    for line in ["move w", "move w D2", "move", "done", "move both"] {
        assert_eq!(asked(&state, &[line]), Some((Some(0), "or-doubt-derail")), "{line}");
        assert_eq!(asked(&state, &[&format!("{line} derail")]), None, "{line}");
    }
    assert_eq!(asked(&state, &["speed w -1", "move w"]), None);
    assert_eq!(asked(&state, &["speed w +1", "move w"]), Some((Some(1), "or-doubt-derail")));
    assert_eq!(asked(&state, &["see you on Friday", "done"]), Some((Some(1), "or-doubt-derail")));
    // What a letter leaves to the defaults is asked about as well.
    stand(&mut state, 1, "H8", Way::East, "");
    assert_eq!(asked(&state, &["move b derail"]), None);
    lay(&mut state, "H8 ew");
    assert_eq!(asked(&state, &["move b"]), Some((None, "or-doubt-derail")));
    // It is no question of the rules: what stands in a log is carried out.
    assert_eq!(stands(&say(&state, "move w"), 0).0, Place::Supply);
    assert_eq!(remarks(&state, "move b derail"), ["or-no-derail"]);
}

#[test]
fn a_collision_with_an_empty_cart_and_the_chasm_are_asked_about() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns, E1 ns, E2 ns");
    stand(&mut state, 0, "D1", Way::South, "");
    stand(&mut state, 2, "D2", Way::South, "gg");
    assert_eq!(asked(&state, &["move w"]), Some((Some(0), "or-doubt-derail")));
    stand(&mut state, 0, "E1", Way::South, "");
    state.apply(&Event::Sank { colour: Colour::Red, at: at("E2") });
    assert_eq!(asked(&state, &["move w"]), Some((Some(0), "or-doubt-fall")));
    assert_eq!(asked(&state, &["move w derail"]), None);
}

#[test]
fn a_tile_that_leaves_a_cart_no_way_is_asked_about() {
    let mut state = plain();
    lay(&mut state, "C1 ew");
    stand(&mut state, 0, "C1", Way::East, "r");
    let tile = Some((Some(0), "or-doubt-tile"));
    assert_eq!(asked(&state, &["lay D1 ns"]), tile);
    assert_eq!(asked(&state, &["lay D1 ns derail"]), None);
    assert_eq!(asked(&state, &["lay D1 ns", "upgrade D1 w"]), None, "mended in the same letter");
    assert_eq!(asked(&state, &["lay D1 ew"]), None);
    assert_eq!(asked(&state, &["lay D2 ns"]), None, "it is not on its way");
    // Track that leads into the centre of a mine is no way either.
    lay(&mut state, "C1 sw, C2 ne");
    stand(&mut state, 0, "C1", Way::South, "r");
    speed(&mut state, 0, 2);
    state.track[at("C2")] = Ends::NONE;
    state.tiled = state.tiled.minus(std::iter::once(at("C2")).collect());
    assert_eq!(asked(&state, &["lay C2 ns"]), tile);
    assert_eq!(asked(&state, &["enter b H"]), None);
}

#[test]
fn a_claim_that_costs_another_is_asked_about_and_none_costs_it_unasked() {
    let mut state = plain();
    lay(&mut state, "D1 ns");
    stand(&mut state, 0, "D1", Way::North, "deegg");
    let passing = [Mission::GreenFingers, Mission::GoldInYourHills];
    face_up(&mut state, &passing);
    assert_eq!(asked(&state, &["done"]), Some((Some(0), "or-doubt-claim")));
    assert_eq!(asked(&state, &["claim gold in your hills", "done"]), None, "that is a choice");
    // Spice of Life can be claimed later, so by itself it waits.
    face_up(&mut state, &[Mission::SpiceOfLife, Mission::GoldInYourHills]);
    state.players[0].delivered[0] = jewels("r");
    state.bag = state.bag.minus(jewels("r"));
    assert_eq!(asked(&state, &["done"]), None);
    let claimed = |state: &State, lines| {
        let told = tell(state, lines).1;
        told.into_iter().find_map(|event| match event {
            Event::Claimed { mission, .. } => Some(mission),
            _ => None,
        })
    };
    assert_eq!(claimed(&state, "done"), Some(Mission::GoldInYourHills));
    assert_eq!(asked(&state, &["claim spice", "done"]), Some((Some(1), "or-doubt-claim")));
    assert_eq!(asked(&state, &["claim spice, gold", "done"]), None, "said in this order");
    numbers(&mut state).definition.edition = 1;
    assert_eq!(claimed(&state, "done"), Some(Mission::SpiceOfLife), "as it was before");
    assert_eq!(asked(&state, &["done"]), Some((Some(0), "or-doubt-claim")));
}

#[test]
fn what_is_written_for_somebody_says_derail_where_it_has_to() {
    let mut state = before_a_gap();
    speed(&mut state, 0, 2);
    let white = Order::Move { cart: cart(0) };
    for (order, line) in [(white, "move white derail"), (Order::End, "done derail")] {
        assert_eq!(OffTheRails::write(&state, &[order]), line);
        assert_eq!(OffTheRails::parse(&state, ONE, line).sure().orders[0], order);
        assert_eq!(asked(&state, &[line]), None);
    }
    let tile = Order::Lay { at: at("D4"), ends: Ends::parse("ew").sure() };
    assert_eq!(OffTheRails::write(&state, &[tile]), "lay D4 ew");
}

#[test]
fn a_derailment_says_why() {
    let why = |state: &State, line| {
        let told = tell(state, line).1;
        told.into_iter().find_map(|event| match event {
            Event::Derailed { why, .. } => Some(why.sure()),
            _ => None,
        })
    };
    let mut state = before_a_gap();
    speed(&mut state, 0, 2);
    assert_eq!(why(&state, "move w"), Some(Wreck::Closed(at("D3"))));
    speed(&mut state, 0, 1);
    stand(&mut state, 0, "D3", Way::East, "r");
    state.bag = state.bag.plus(jewels("r"));
    assert_eq!(why(&state, "move w"), Some(Wreck::NoTrack(at("E3"))));
    lay(&mut state, "C2 ns");
    stand(&mut state, 0, "C2", Way::South, "r");
    state.bag = state.bag.plus(jewels("r"));
    assert_eq!(why(&state, "move w"), Some(Wreck::Centre(at("C3"))));
    lay(&mut state, "E2 ns, E1 ns");
    stand(&mut state, 1, "E2", Way::South, "");
    stand(&mut state, 0, "E1", Way::South, "r");
    state.bag = state.bag.plus(jewels("r"));
    assert_eq!(why(&state, "move w"), Some(Wreck::Empty));
    // A log of the first edition does not say, and leads to the same bytes as ever.
    numbers(&mut state).definition.edition = 1;
    let (_, told) = tell(&state, "move w");
    let text = serde_json::to_string(&told).sure();
    assert!(text.contains(r#"{"derailed":{"cart":1,"lost":false}}"#), "{text}");
}

#[test]
fn who_rams_with_nothing_is_asked_before_the_carts_meet_and_not_again() {
    let mut state = game(2, &Options { cut: Cut::Interactive, ..Options::default() });
    lay(&mut state, "D1 ns, D2 ns");
    stand(&mut state, 0, "D1", Way::South, "");
    stand(&mut state, 2, "D2", Way::South, "rd");
    let first = Some((Some(0), "or-doubt-derail"));
    assert_eq!(asked(&state, &["move w"]), first);
    assert_eq!(asked(&state, &["move w", "pick any"]), first);
    assert_eq!(asked(&state, &["move w derail", "pick any"]), None);
    let rammed = say(&state, "move w");
    let (cut, _) = try_lines(&rammed, TWO, "cut ruby").sure();
    assert_eq!(asked(&cut, &["pick any"]), None);
    assert_eq!(OffTheRails::write(&cut, &[Order::PickAny]), "pick any");
}

#[test]
fn what_is_lost_only_once_another_has_answered_is_asked_about_as_well() {
    let mut state = game(2, &Options { cut: Cut::Interactive, ..Options::default() });
    lay(&mut state, "D1 ns, D2 ns, G1 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    stand(&mut state, 2, "D2", Way::South, "rd");
    // Nothing lies ahead of black, which moves after white.
    stand(&mut state, 1, "G1", Way::South, "e");
    let derails = |place| Some((place, "or-doubt-derail"));
    assert_eq!(asked(&state, &["done"]), derails(Some(0)));
    assert_eq!(asked(&state, &["done derail"]), None);
    assert_eq!(asked(&state, &["move w"]), derails(None), "black moves by default");
    assert_eq!(asked(&state, &["move w", "move b"]), derails(Some(1)));
    assert_eq!(asked(&state, &["move w", "pick second", "move b"]), derails(Some(2)));
    assert_eq!(asked(&state, &["move w", "pick second", "move b derail"]), None);
}

#[test]
fn what_happens_to_others_or_after_the_turn_is_not_asked_about() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    stand(&mut state, 2, "D2", Way::South, "");
    let told = tell(&state, "move w").1;
    assert!(
        told.iter()
            .any(|event| matches!(event, Event::Derailed { cart: id, .. } if *id == cart(2)))
    );
    assert_eq!(asked(&state, &["move w"]), None, "the other cart derails");
    // The only square where the red token can go is the one that the cart comes to.
    let mut abyss = plain();
    lay(&mut abyss, "A3 ns, A2 ns");
    stand(&mut abyss, 0, "A3", Way::North, "r");
    abyss.era = Era::Abyss;
    abyss.tokens = [4, 0, 0, 0];
    abyss.sunk[0] = std::iter::once(at("A1")).collect();
    abyss.sunk[1] = std::iter::once(at("B1")).collect();
    assert_eq!(stands(&say(&abyss, "move w; done"), 0).0, Place::Gone);
    assert_eq!(asked(&abyss, &["move w"]), None, "its square sinks");
    // Who stops gives up what is on the board, and says so.
    let mut alone = super::solo::alone();
    numbers(&mut alone).definition.edition = 1;
    alone.players[0].delivered[0] = jewels("rged");
    lay(&mut alone, "D1 ns");
    stand(&mut alone, 0, "D1", Way::South, "r");
    assert_eq!(asked(&alone, &["stop"]), None);
}

#[test]
fn a_tile_is_asked_about_only_where_it_is_what_stops_a_cart() {
    let mut state = plain();
    let tile = |place| Some((Some(place), "or-doubt-tile"));
    assert_eq!(asked(&state, &["enter b H", "lay H1 ew"]), tile(1));
    lay(&mut state, "H1 ew");
    assert_eq!(asked(&state, &["lay A5 ns", "enter b H"]), None, "it lay there before");
    // Who comes to another cart is stopped by it, whatever its tile opens to.
    let mut state = plain();
    lay(&mut state, "C1 ew, E1 ns");
    stand(&mut state, 0, "C1", Way::East, "r");
    speed(&mut state, 0, 2);
    assert_eq!(asked(&state, &["lay D1 ew"]), tile(0));
    stand(&mut state, 2, "E1", Way::South, "g");
    assert_eq!(asked(&state, &["lay D1 ew"]), None);
}

#[test]
fn what_is_written_while_another_is_asked_is_asked_about_as_well() {
    let mut state = game(2, &Options { cut: Cut::Interactive, ..Options::default() });
    lay(&mut state, "D1 ns, D2 ns, G1 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    stand(&mut state, 1, "G1", Way::South, "e");
    stand(&mut state, 2, "D2", Way::South, "rd");
    // Seat 2 is to cut; the line is kept for then.
    let waiting = say(&state, "move w");
    let derails = |place| Some((place, "or-doubt-derail"));
    assert_eq!(asked(&waiting, &["move b"]), derails(Some(0)));
    assert_eq!(asked(&waiting, &["done"]), derails(Some(0)));
    assert_eq!(asked(&waiting, &["pick second", "move b"]), derails(Some(1)));
    assert_eq!(asked(&waiting, &["pick second"]), derails(None));
    assert_eq!(asked(&waiting, &["move b derail"]), None);
    assert_eq!(asked(&waiting, &["lay A1 ns"]), None, "it is refused for that");
    // What the writer is asked for himself is for the line to say.
    let mut own = plain();
    lay(&mut own, "D1 ns, D2 ns");
    stand(&mut own, 0, "D1", Way::South, "r");
    stand(&mut own, 1, "D2", Way::South, "re");
    for event in OffTheRails::decide(&own, ONE, &Order::Move { cart: cart(0) }, &mut dice()).sure()
    {
        own.apply(&event);
    }
    assert_eq!(asked(&own, &["drop emerald"]), derails(None), "then black moves by default");
    assert_eq!(asked(&own, &["drop emerald", "move b derail"]), None);
}
