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
fn lines_are_read_as_people_write_them() {
    let mut state = plain();
    lay(&mut state, "C1 ns, C2 ns, G1 ns, G2 nes, G3 ns");
    stand(&mut state, 0, "C1", Way::South, "r");
    stand(&mut state, 1, "G1", Way::South, "r");
    speed(&mut state, 0, 3);
    speed(&mut state, 1, 3);
    let same = [
        ("black +2", "speed b +2"),
        ("black up", "speed b +1"),
        ("1b -1", "speed b -1"),
        ("speed w - 1", "speed w -1"),
        ("speed w-1", "speed w -1"),
        ("speed w \u{2212}1", "speed w -1"),
        ("speed w \u{2013} 1", "speed w -1"),
        ("speed 1w>3 +1", "speed w +1"),
        ("speed 1wv3 +1", "speed w +1"),
        ("faster b 2", "speed b +2"),
        ("slower b", "speed b -1"),
        ("lay A2-C2 ew", "lay A2 ew, B2 ew, C2 ew"),
        ("lay A2 to D2 ew", "lay A2-D2 ew"),
        ("lay A2 \u{2013} D2, ew", "lay A2-D2 ew"),
        ("lay A2 and B2 ew", "lay A2 ew, B2 ew"),
        ("please lay corner D2 ne, D3 ns", "lay D2 ne, D3 ns"),
        ("put track at A2 ew", "lay A2 ew"),
        ("move both", "move"),
        ("end turn", "done"),
        ("done.", "done"),
        ("end of my turn", "done"),
        ("move 1b", "move b"),
        ("black move G2 face east", "move b G2 face east"),
        ("split the rocks together, please", "split together"),
    ];
    for (said, meant) in same {
        assert_eq!(orders(&state, said), orders(&state, meant), "{said}");
    }
    let two = [("C1", Way::East), ("G2", Way::West)];
    let two = two.map(|(square, way)| Order::Upgrade { at: at(square), way });
    assert_eq!(orders(&state, "upgrade C1 e, G2 w"), two);
    assert_eq!(orders(&state, "lay A2-D2 ew").len(), 4);
    assert_eq!(orders(&state, "lay A2-A4, B4 ns").len(), 4);
    assert_eq!(orders(&state, "enter white at C north"), orders(&state, "enter w C"));
    assert_eq!(orders(&state, "place white at C"), orders(&state, "enter w C"));
    let moves = |line| {
        let carts = orders(&state, line);
        let moved = |order: &Order| match *order {
            Order::Move { cart } => Some(cart.index()),
            _ => None,
        };
        carts.iter().filter_map(moved).collect::<Vec<usize>>()
    };
    assert_eq!(moves("move black then white"), [1, 0]);
    assert_eq!(moves("move white then black G2 face east"), [0, 1]);
    assert_eq!(moves("black G2"), [1]);
}

#[test]
fn no_word_is_dropped_and_minus_one_is_not_one() {
    let mut state = plain();
    lay(&mut state, "C1 ns, C2 ns, D2 nes");
    stand(&mut state, 0, "C1", Way::South, "r");
    for (line, key) in [
        ("lay D2 ne or D3 ns", "or-unknown-word"),
        ("move w C2 or D2", "or-unknown-word"),
        ("split together or alone", "or-unknown-word"),
        ("split together, alone", "or-unknown-word"),
        ("split rocks sideways together", "or-unknown-word"),
        ("lay D4 ne twice", "or-unknown-word"),
        ("lay A1-C2 ew", "or-lay-range"),
        ("lay A1 to ew", "or-lay-where"),
        ("lay R4 ew", "or-mark"),
        ("lay Y1 ew", "or-mark"),
        ("upgrade D2 t w", "or-lay-differs"),
        ("upgrade D2 w soon", "or-unknown-word"),
        ("enter b C south north", "or-enter-where"),
        ("speed w 1 2", "or-unknown-word"),
        ("speed w one", "or-unknown-word"),
        ("faster w -1", "or-unknown-word"),
        ("speed w up -32768", "or-unknown-word"),
        ("slower w +1", "or-unknown-word"),
        ("done with it", "or-unknown-word"),
        ("stop the white cart", "or-unknown-word"),
        ("move w face east west", "or-unknown-word"),
        ("move w take 2", "or-unknown-word"),
        ("move w take 2 squares", "or-unknown-word"),
        ("move w not C2", "or-unknown-word"),
        ("black is doing well", "or-unreadable"),
        ("white house", "or-unreadable"),
    ] {
        assert_eq!(refused(&state, line), key, "{line}");
    }
    let up = |line| matches!(orders(&state, line)[..], [Order::Speed { up: true, .. }]);
    assert!(up("speed w 2") && up("speed w +1"));
    for line in ["speed w -1", "speed w - 1", "speed w-1", "slower w -1", "slower w -32768"] {
        assert_eq!(refused(&state, line), "or-speed-limit", "{line}");
    }
    for (line, key) in [
        ("move w face east", "or-unasked"),
        ("move w drop ruby", "or-unasked"),
        ("move w pick second", "or-unasked"),
        ("move w take 2 rubies", "or-not-taken"),
        ("move w derail", "or-no-derail"),
        ("lay H8 ne derail", "or-no-derail"),
    ] {
        assert_eq!(remarks(&state, line), [key], "{line}");
    }
}

#[test]
fn what_the_board_and_the_lists_show_can_be_sent_back() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    stand(&mut state, 1, "D2", Way::South, "oed");
    let fallen = |line| say(&state, line).ground[at("D2")];
    assert_eq!(fallen("move 1wv1 drop 1 rock, 1 emerald"), jewels("oe"));
    assert_eq!(fallen("move w drop o e"), jewels("oe"), "as the board draws them");
    face_up(&mut state, &Mission::ALL);
    for mission in Mission::ALL.into_iter().filter(|mission| mission.is_claimed_in_turn()) {
        let name = mission.name().to_uppercase().replace("ARENT", "AREN\u{2019}T");
        assert_eq!(orders(&state, &format!("claim {name}")).len(), 1, "{name}");
    }
}

#[test]
fn examples_are_legal_for_who_gets_them() {
    let mut state = plain();
    lay(&mut state, "D2 ns, C1 ns, C2 nes, C4 ns, A1 ns");
    stand(&mut state, 0, "C1", Way::South, "r");
    face_up(&mut state, &[Mission::JewelRobbery]);
    let mut abyss = state.clone();
    open_abyss(&mut abyss);
    for state in [state, abyss] {
        let forms = OffTheRails::GRAMMAR.lines(&state, None);
        // A cart that has moved, a jewel that lies there, and a token without carts are rare.
        for line in forms.iter().map(|form| form.line.as_str()) {
            if !line.starts_with("face") && !line.starts_with("chasm yes") {
                try_lines(&state, ONE, line).unwrap_or_else(|no| panic!("{line}: {no:?}"));
                assert_eq!(OffTheRails::doubt(&state, ONE, &[line]), None, "{line}");
            }
        }
        assert!(forms.iter().any(|form| form.line == "move w C2"), "{forms:?}");
    }
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
    for line in ["hello", "end of the world", "", "c red", "1", "+"] {
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
