//! How lines are read, as people write them.

use super::*;
use crate::games::off_the_rails::order::Wish;
use crate::rules::RefusalKind;

fn orders(state: &State, line: &str) -> Vec<Order> {
    OffTheRails::parse(state, ONE, line)
        .unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"))
        .orders
}

#[test]
fn track_is_named_in_many_ways() {
    let state = plain();
    let laid = vec![Order::Lay { at: at("D2"), ends: Ends::parse("ne").sure() }];
    for line in [
        "lay corner D2 ne",
        "Lay D2 NE",
        "lay D2 en",
        "lay a corner on d2, north east",
        "l d2 north-east",
        "place curve D2 n e",
        "lay tile D2 n+e.",
    ] {
        assert_eq!(orders(&state, line), laid, "{line}");
    }
    assert_eq!(orders(&state, "lay D2 ne, D4 ns and D5 ew").len(), 3);
    assert_eq!(refused(&state, "lay straight D2 ne"), "or-lay-differs");
    assert_eq!(refused(&state, "lay D2"), "or-lay-ends");
    assert_eq!(refused(&state, "lay ne"), "or-lay-where");
    assert_eq!(refused(&state, "lay D2 xy"), "or-unknown-word");
}

#[test]
fn a_place_on_the_surface_is_a_column_or_a_square() {
    let state = plain();
    let entered = orders(&state, "enter white C north");
    for line in
        ["enter w c", "ent white C1", "enter white at column C", "enter C", "enter white north C"]
    {
        assert_eq!(orders(&state, line), entered, "{line}");
    }
    assert_eq!(refused(&state, "enter white 3"), "or-enter-where");
    assert_eq!(refused(&state, "enter white"), "or-enter-place");
    let black_on_b = orders(&state, "enter b b");
    assert!(matches!(black_on_b[..], [Order::Enter { cart: id, .. }] if id == cart(1)));
}

#[test]
fn a_way_can_be_named_by_squares_by_ways_or_not_at_all() {
    let mut state = plain();
    lay(&mut state, "C1 ns, C2 nes, D2 nsw, D1 ns, E1 ew");
    stand(&mut state, 0, "C1", Way::South, "");
    speed(&mut state, 0, 3);
    for line in ["move w C1 C2 D2 D1", "m w d1", "move white D2 then north", "move w east north"] {
        assert_eq!(stands(&say(&state, line), 0).0, on("D1"), "{line}");
    }
    assert_eq!(refused(&state, "move w E1"), "or-no-way");
    assert_eq!(refused(&state, "move w D2 D1 D2"), "or-no-way");
    speed(&mut state, 0, 4);
    assert_eq!(stands(&say(&state, "move w D1 out"), 0).0, Place::Supply);
    assert_eq!(remarks(&state, "move w"), ["or-default-go"]);
}

#[test]
fn wishes_are_read() {
    let mut state = plain();
    face_up(&mut state, &[Mission::RedLeader, Mission::SpiceOfLife, Mission::DiamondsArentForever]);
    let claims = |line| orders(&state, line);
    let claim = |mission| Order::Wish(Wish::Claim(mission));
    assert_eq!(claims("claim Red Leader"), [claim(Mission::RedLeader)]);
    assert_eq!(claims("claim diamonds aren't forever"), [claim(Mission::DiamondsArentForever)]);
    let both = [claim(Mission::SpiceOfLife), claim(Mission::RedLeader)];
    assert_eq!(claims("claim Red Leader, Spice of Life"), both, "the first named comes in front");
    assert_eq!(refused(&state, "claim head to head"), "or-no-mission");
    assert_eq!(refused(&state, "claim nothing"), "or-claim-which");
    assert_eq!(refused(&state, "split"), "or-split-how");
    assert_eq!(refused(&state, "chasm red"), "or-chasm-how");
}

#[test]
fn what_is_no_order_gets_the_ways_of_writing_one() {
    let state = plain();
    for line in ["hello", "end of my turn", "", "c red", "1", "+"] {
        let refusal = refusal(&state, line);
        assert_ne!(refusal.kind, RefusalKind::Illegal, "{line}");
        assert!(!refusal.instead.is_empty(), "{line}");
    }
}

#[test]
fn an_older_letter_is_overtaken_where_it_matters() {
    let laid = Event::Laid { seat: TWO, at: at("D2"), ends: Ends::LAID[0] };
    let lay = |name| Order::Lay { at: at(name), ends: Ends::LAID[1] };
    assert!(
        OffTheRails::overtakes(&laid, &lay("D2")) && !OffTheRails::overtakes(&laid, &lay("D3"))
    );
    assert!(OffTheRails::overtakes(&laid, &Order::Move { cart: cart(0) }));
    assert!(!OffTheRails::overtakes(&laid, &Order::End));
}

#[test]
fn a_letter_that_moved_a_cart_is_a_whole_turn() {
    let state = plain();
    assert_eq!(OffTheRails::closing(&say(&state, "lay D1 ns"), ONE), None);
    let moved = say(&state, "lay D1 ns; enter D; move w");
    assert_eq!(OffTheRails::closing(&moved, ONE), Some(Order::End));
    assert_eq!(OffTheRails::closing(&moved, TWO), None);
}

proptest::proptest! {
    /// Whatever a letter holds, it is read or refused.
    #[test]
    fn no_line_breaks_anything(
        verb in "(lay|upgrade|enter|speed|move|face|chasm|claim|split|take|cut|done)?",
        rest in "([ ,]?([a-iA-I][0-9]|[nesw]{1,4}|[+-]?[0-9]{1,3}|white|b|out|take|red|.)){0,8}",
    ) {
        let mut state = board::position();
        state.era = Era::Abyss;
        let line = format!("{verb} {rest}");
        if let Ok((after, _)) = try_lines(&state, ONE, &line) {
            assert_eq!(OffTheRails::audit(&after), Ok(()));
        }
    }
}
