//! Tests of the questions before a letter is carried out: a cart of the author derails, or one
//! claim costs another.

use super::*;
use crate::games::off_the_rails::definition::CutRule;
use crate::games::off_the_rails::event::DerailReason;

/// Returns the key of the question about a letter of seat 1, and the index of the line that it is
/// about.
fn question_key(state: &State, lines: &[&str]) -> Option<(Option<usize>, &'static str)> {
    let asked = OffTheRails::find_confirmation_question(state, SEAT_ONE, lines);
    if let Some(letter) = asked.as_ref().and_then(|(_, refusal)| refusal.letter_to_send()) {
        let lines: Vec<&str> = letter.lines().collect();
        let again = OffTheRails::find_confirmation_question(state, SEAT_ONE, &lines);
        assert!(again.is_none(), "{letter}");
    }
    asked.map(|(place, refusal)| (place, refusal.reason.key))
}

/// Returns the letter that confirms a letter of seat 1, if its question can be answered by a word.
fn confirmed_letter(state: &State, lines: &[&str]) -> Option<String> {
    OffTheRails::find_confirmation_question(state, SEAT_ONE, lines)?.1.letter_to_send()
}

/// Returns a position with a white cart on D1 that heads south. The tile on D3 is closed towards
/// it.
fn cart_before_gap() -> State {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns, D3 ew");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    state
}

#[test]
fn derailing_move_needs_confirmation_unless_named() {
    let mut state = cart_before_gap();
    assert_eq!(question_key(&state, &["move w"]), None, "one step is safe");
    set_speed(&mut state, 0, 2);
    for line in ["move w", "move w D2", "move", "done", "move both"] {
        assert_eq!(question_key(&state, &[line]), Some((Some(0), "or-doubt-derail")), "{line}");
        assert_eq!(question_key(&state, &[&format!("{line} derail")]), None, "{line}");
    }
    assert_eq!(question_key(&state, &["speed w -1", "move w"]), None);
    assert_eq!(question_key(&state, &["speed w +1", "move w"]), Some((Some(1), "or-doubt-derail")));
    assert_eq!(
        question_key(&state, &["see you on Friday", "done"]),
        Some((Some(1), "or-doubt-derail"))
    );
    // The default moves that a letter leaves open are also asked about.
    place_cart(&mut state, 1, "H8", Direction::East, "");
    assert_eq!(question_key(&state, &["move b derail"]), None);
    lay_tiles(&mut state, "H8 ew");
    assert_eq!(question_key(&state, &["move b"]), Some((None, "or-doubt-derail")));
    // The refusal has the letter that confirms the loss.
    let confirmed = confirmed_letter(&state, &["speed w +1", "move b"]);
    assert_eq!(confirmed.as_deref(), Some("speed w +1\nmove b derail"));
    // The question concerns letters only. The rules carry out the line without it, so that old logs
    // stay valid.
    assert_eq!(place_and_facing(&play_lines(&state, "move w"), 0).0, Place::Supply);
    assert_eq!(remark_keys(&state, "move b derail"), ["or-no-derail"]);
}

#[test]
fn empty_collision_and_chasm_fall_need_confirmation() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns, E1 ns, E2 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "");
    place_cart(&mut state, 2, "D2", Direction::South, "gg");
    assert_eq!(question_key(&state, &["move w"]), Some((Some(0), "or-doubt-derail")));
    place_cart(&mut state, 0, "E1", Direction::South, "");
    state.apply(&Event::Sank { colour: Colour::Red, at: square_at("E2") });
    assert_eq!(question_key(&state, &["move w"]), Some((Some(0), "or-doubt-fall")));
    assert_eq!(question_key(&state, &["move w derail"]), None);
}

#[test]
fn tile_blocking_own_cart_needs_confirmation() {
    let mut state = default_game();
    lay_tiles(&mut state, "C1 ew");
    place_cart(&mut state, 0, "C1", Direction::East, "r");
    let tile = Some((Some(0), "or-doubt-tile"));
    assert_eq!(question_key(&state, &["lay D1 ns"]), tile);
    assert_eq!(question_key(&state, &["lay D1 ns derail"]), None);
    assert_eq!(
        question_key(&state, &["lay D1 ns", "upgrade D1 w"]),
        None,
        "mended in the same letter"
    );
    assert_eq!(question_key(&state, &["lay D1 ew"]), None);
    assert_eq!(question_key(&state, &["lay D2 ns"]), None, "it is not on its way");
    // Track that leads into the centre of a mine also loses the cart.
    lay_tiles(&mut state, "C1 sw, C2 ne");
    place_cart(&mut state, 0, "C1", Direction::South, "r");
    set_speed(&mut state, 0, 2);
    state.track[square_at("C2")] = TileOpenings::NONE;
    state.tiled = state.tiled.difference(std::iter::once(square_at("C2")).collect());
    assert_eq!(question_key(&state, &["lay C2 ns"]), tile);
    assert_eq!(question_key(&state, &["enter b H"]), None);
}

#[test]
fn claim_that_forfeits_another_needs_confirmation() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns");
    place_cart(&mut state, 0, "D1", Direction::North, "deegg");
    let passing = [Mission::GreenFingers, Mission::GoldInYourHills];
    turn_up_missions(&mut state, &passing);
    assert_eq!(question_key(&state, &["done"]), Some((Some(0), "or-doubt-claim")));
    assert_eq!(
        question_key(&state, &["claim gold in your hills", "done"]),
        None,
        "that is a choice"
    );
    // Spice of Life can be claimed later, so without a claim order the other mission is claimed.
    turn_up_missions(&mut state, &[Mission::SpiceOfLife, Mission::GoldInYourHills]);
    state.players[0].delivered[0] = jewels("r");
    state.bag = state.bag.minus(jewels("r"));
    assert_eq!(question_key(&state, &["done"]), None);
    let claimed = |state: &State, lines| {
        let told = play_with_events(state, lines).1;
        told.into_iter().find_map(|event| match event {
            Event::Claimed { mission, .. } => Some(mission),
            _ => None,
        })
    };
    assert_eq!(claimed(&state, "done"), Some(Mission::GoldInYourHills));
    assert_eq!(question_key(&state, &["claim spice", "done"]), Some((Some(1), "or-doubt-claim")));
    assert_eq!(question_key(&state, &["claim spice, gold", "done"]), None, "said in this order");
    numbers_mut(&mut state).definition.edition = 1;
    assert_eq!(claimed(&state, "done"), Some(Mission::SpiceOfLife), "as it was before");
    assert_eq!(question_key(&state, &["done"]), Some((Some(0), "or-doubt-claim")));
}

#[test]
fn written_lines_include_derail_when_needed() {
    let mut state = cart_before_gap();
    set_speed(&mut state, 0, 2);
    let white = Order::Move { cart: cart(0) };
    for (order, line) in [(white, "move white derail"), (Order::EndTurn, "done derail")] {
        assert_eq!(OffTheRails::write_line(&state, &[order]), line);
        assert_eq!(OffTheRails::parse_line(&state, SEAT_ONE, line).or_fail().orders[0], order);
        assert_eq!(question_key(&state, &[line]), None);
    }
    let tile = Order::Lay { at: square_at("D4"), ends: TileOpenings::parse("ew").or_fail() };
    assert_eq!(OffTheRails::write_line(&state, &[tile]), "lay D4 ew");
}

#[test]
fn derailment_event_states_reason() {
    let why = |state: &State, line| {
        let told = play_with_events(state, line).1;
        told.into_iter().find_map(|event| match event {
            Event::Derailed { why, .. } => Some(why.or_fail()),
            _ => None,
        })
    };
    let mut state = cart_before_gap();
    set_speed(&mut state, 0, 2);
    assert_eq!(why(&state, "move w"), Some(DerailReason::Closed(square_at("D3"))));
    set_speed(&mut state, 0, 1);
    place_cart(&mut state, 0, "D3", Direction::East, "r");
    state.bag = state.bag.plus(jewels("r"));
    assert_eq!(why(&state, "move w"), Some(DerailReason::NoTrack(square_at("E3"))));
    lay_tiles(&mut state, "C2 ns");
    place_cart(&mut state, 0, "C2", Direction::South, "r");
    state.bag = state.bag.plus(jewels("r"));
    assert_eq!(why(&state, "move w"), Some(DerailReason::Centre(square_at("C3"))));
    lay_tiles(&mut state, "E2 ns, E1 ns");
    place_cart(&mut state, 1, "E2", Direction::South, "");
    place_cart(&mut state, 0, "E1", Direction::South, "r");
    state.bag = state.bag.plus(jewels("r"));
    assert_eq!(why(&state, "move w"), Some(DerailReason::Empty));
    // Events of edition 1 contain no reason, and their JSON must not change.
    numbers_mut(&mut state).definition.edition = 1;
    let (_, told) = play_with_events(&state, "move w");
    let text = serde_json::to_string(&told).or_fail();
    assert!(text.contains(r#"{"derailed":{"cart":1,"lost":false}}"#), "{text}");
}

#[test]
fn empty_ram_is_confirmed_once_before_collision() {
    let mut state = new_game(2, &Options { cut: CutRule::Interactive, ..Options::default() });
    lay_tiles(&mut state, "D1 ns, D2 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "");
    place_cart(&mut state, 2, "D2", Direction::South, "rd");
    let first = Some((Some(0), "or-doubt-derail"));
    assert_eq!(question_key(&state, &["move w"]), first);
    assert_eq!(question_key(&state, &["move w", "pick any"]), first);
    assert_eq!(question_key(&state, &["move w derail", "pick any"]), None);
    let rammed = play_lines(&state, "move w");
    let (cut, _) = try_lines(&rammed, SEAT_TWO, "cut ruby").or_fail();
    assert_eq!(question_key(&cut, &["pick any"]), None);
    assert_eq!(OffTheRails::write_line(&cut, &[Order::PickAny]), "pick any");
}

#[test]
fn derailment_after_pending_cut_needs_confirmation() {
    let mut state = new_game(2, &Options { cut: CutRule::Interactive, ..Options::default() });
    lay_tiles(&mut state, "D1 ns, D2 ns, G1 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    place_cart(&mut state, 2, "D2", Direction::South, "rd");
    // No track lies ahead of the black cart, which moves after the white one.
    place_cart(&mut state, 1, "G1", Direction::South, "e");
    let derails = |place| Some((place, "or-doubt-derail"));
    assert_eq!(question_key(&state, &["done"]), derails(Some(0)));
    assert_eq!(question_key(&state, &["done derail"]), None);
    assert_eq!(question_key(&state, &["move w"]), derails(None), "black moves by default");
    assert_eq!(question_key(&state, &["move w", "move b"]), derails(Some(1)));
    assert_eq!(question_key(&state, &["move w", "pick second", "move b"]), derails(Some(2)));
    assert_eq!(question_key(&state, &["move w", "pick second", "move b derail"]), None);
}

#[test]
fn other_or_later_losses_need_no_confirmation() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    place_cart(&mut state, 2, "D2", Direction::South, "");
    let told = play_with_events(&state, "move w").1;
    assert!(
        told.iter()
            .any(|event| matches!(event, Event::Derailed { cart: id, .. } if *id == cart(2)))
    );
    assert_eq!(question_key(&state, &["move w"]), None, "the other cart derails");
    // The only legal square for the red token is the square where the cart stops.
    let mut abyss = default_game();
    lay_tiles(&mut abyss, "A3 ns, A2 ns");
    place_cart(&mut abyss, 0, "A3", Direction::North, "r");
    abyss.era = Era::Abyss;
    abyss.tokens = [4, 0, 0, 0];
    abyss.sunk[0] = std::iter::once(square_at("A1")).collect();
    abyss.sunk[1] = std::iter::once(square_at("B1")).collect();
    assert_eq!(place_and_facing(&play_lines(&abyss, "move w; done"), 0).0, Place::Gone);
    assert_eq!(question_key(&abyss, &["move w"]), None, "its square sinks");
    // The order `stop` ends the game, so the cart on the board derails. This needs no question.
    let mut alone = super::solo::new_solo_game();
    numbers_mut(&mut alone).definition.edition = 1;
    alone.players[0].delivered[0] = jewels("rged");
    lay_tiles(&mut alone, "D1 ns");
    place_cart(&mut alone, 0, "D1", Direction::South, "r");
    assert_eq!(question_key(&alone, &["stop"]), None);
}

#[test]
fn only_newly_blocking_tile_needs_confirmation() {
    let mut state = default_game();
    let tile = |place| Some((Some(place), "or-doubt-tile"));
    assert_eq!(question_key(&state, &["enter b H", "lay H1 ew"]), tile(1));
    lay_tiles(&mut state, "H1 ew");
    assert_eq!(question_key(&state, &["lay A5 ns", "enter b H"]), None, "it lay there before");
    // A cart that reaches another cart stops before it. The openings of that cart's tile do not
    // matter.
    let mut state = default_game();
    lay_tiles(&mut state, "C1 ew, E1 ns");
    place_cart(&mut state, 0, "C1", Direction::East, "r");
    set_speed(&mut state, 0, 2);
    assert_eq!(question_key(&state, &["lay D1 ew"]), tile(0));
    place_cart(&mut state, 2, "E1", Direction::South, "g");
    assert_eq!(question_key(&state, &["lay D1 ew"]), None);
}

#[test]
fn lines_sent_before_cut_need_confirmation_too() {
    let mut state = new_game(2, &Options { cut: CutRule::Interactive, ..Options::default() });
    lay_tiles(&mut state, "D1 ns, D2 ns, G1 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    place_cart(&mut state, 1, "G1", Direction::South, "e");
    place_cart(&mut state, 2, "D2", Direction::South, "rd");
    // Seat 2 must cut first, so the line is kept as a plan.
    let waiting = play_lines(&state, "move w");
    let derails = |place| Some((place, "or-doubt-derail"));
    assert_eq!(question_key(&waiting, &["move b"]), derails(Some(0)));
    assert_eq!(question_key(&waiting, &["done"]), derails(Some(0)));
    assert_eq!(question_key(&waiting, &["pick second", "move b"]), derails(Some(1)));
    assert_eq!(question_key(&waiting, &["pick second"]), derails(None));
    assert_eq!(question_key(&waiting, &["move b derail"]), None);
    assert_eq!(question_key(&waiting, &["lay A1 ns"]), None, "it is refused for that");
    // A question to the author is answered by the line itself, so the default does not apply.
    let mut own = default_game();
    lay_tiles(&mut own, "D1 ns, D2 ns");
    place_cart(&mut own, 0, "D1", Direction::South, "r");
    place_cart(&mut own, 1, "D2", Direction::South, "re");
    for event in
        OffTheRails::decide(&own, SEAT_ONE, &Order::Move { cart: cart(0) }, &mut dice()).or_fail()
    {
        own.apply(&event);
    }
    assert_eq!(question_key(&own, &["drop emerald"]), derails(None), "then black moves by default");
    assert_eq!(question_key(&own, &["drop emerald", "move b derail"]), None);
}
