use super::*;
use crate::games::off_the_rails::definition::CutRule;
use crate::games::off_the_rails::draw;
use crate::games::off_the_rails::order::{Split, Wish};
use crate::games::off_the_rails::tests::suggested_lines::play_suggested_games;
use crate::games::off_the_rails::views::kind_views;
use crate::games::row_lookup::{expect_json_array, expect_json_text};
use crate::rules::{Arg, PositionRow, Viewer};
use serde_json::Value;
use std::collections::BTreeSet;

/// Returns a sentence as its key with its arguments. Adds it and all sentences inside it to `all`.
fn spell_message(message: &Message, all: &mut BTreeSet<String>) -> String {
    let mut text = message.key.to_owned();
    for (name, arg) in &message.args {
        text += &format!(" {name}={}", spell_arg(arg, all));
    }
    all.insert(text.clone());
    text
}

fn spell_arg(arg: &Arg, all: &mut BTreeSet<String>) -> String {
    match arg {
        Arg::Number(number) => number.to_string(),
        Arg::Text(text) => text.clone(),
        Arg::Seat(seat) => seat.to_string(),
        Arg::Term(key) => (*key).to_owned(),
        Arg::Message(message) => format!("({})", spell_message(message, all)),
        Arg::List(list) => {
            let words: Vec<String> = list.iter().map(|arg| spell_arg(arg, all)).collect();
            format!("[{}]", words.join(", "))
        }
    }
}

/// Returns all sentences of the rows, including those inside other sentences.
fn spell_rows(rows: &[PositionRow]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for message in rows.iter().flat_map(|row| row.name.iter().chain(&row.sentences)) {
        spell_message(message, &mut all);
    }
    all
}

/// Returns jewels as [`spell_message`] spells them inside a sentence.
fn spell_jewels(kinds: &[Value]) -> String {
    let kind = |kind: &Value| {
        format!("(or-jewels count={} jewel={})", kind["count"], expect_json_text(&kind["jewel"]))
    };
    let kinds: Vec<String> = kinds.iter().map(kind).collect();
    if kinds.is_empty() { "(or-nothing)".to_owned() } else { format!("[{}]", kinds.join(", ")) }
}

/// The sentences of a position's rows. The methods compare them with the public data and the board,
/// number by number.
struct RowSentences {
    rows: Vec<PositionRow>,
    all: BTreeSet<String>,
}

impl RowSentences {
    fn from_position(state: &State, recent: &[Event]) -> Self {
        let rows = OffTheRails::describe_position(state, recent);
        let all = spell_rows(&rows);
        Self { rows, all }
    }

    fn assert_says(&self, text: &str) {
        assert!(self.all.iter().any(|said| said.starts_with(text)), "{text}: {:?}", self.all);
    }

    fn assert_every_cart(&self, public: &Value) {
        let marks = self.rows.iter().filter_map(|row| Some(row.label.as_ref()?.letters.as_str()));
        let marks: Vec<&str> = marks.collect();
        for cart in expect_json_array(&public["carts"]) {
            match (expect_json_text(&cart["place"]), cart["square"].as_str()) {
                ("track", Some(square)) => {
                    let (way, speed) = (expect_json_text(&cart["facing"]), &cart["speed"]);
                    let said = |new| {
                        format!("or-row-on-track new={new} speed={speed} square={square} way={way}")
                    };
                    assert!([0, 1].iter().any(|new| self.all.contains(&said(*new))), "{cart:?}");
                    assert!(
                        marks.contains(&&*expect_json_text(&cart["code"]).to_uppercase()),
                        "{marks:?}"
                    );
                    self.assert_says(&format!(
                        "or-row-holds jewels={}",
                        spell_jewels(expect_json_array(&cart["hold"]))
                    ));
                    self.assert_says("or-row-ahead");
                }
                ("surface", _) => self.assert_says("or-row-on-surface"),
                ("supply", _) => self.assert_says("or-row-in-supply"),
                _ => self.assert_says("or-row-gone"),
            }
        }
    }

    fn assert_every_square(&self, state: &State, recent: &[Event]) {
        let is_new = |is_it: &dyn Fn(&Event) -> bool| u8::from(recent.iter().any(is_it));
        let has = |said: String| assert!(self.all.contains(&said), "{said}: {:?}", self.all);
        for at in state.board.squares.iter() {
            let ends = state.track[at];
            if ends != TileOpenings::NONE {
                let new = is_new(&|event| {
                    matches!(*event, Event::Laid { at: it, .. } | Event::Upgraded { at: it, .. }
                        if it == at)
                });
                has(format!("or-row-tile ends={ends} new={new} square={at}"));
            }
            if !state.ground[at].is_empty() {
                let jewels = spell_jewels(&kind_views(state.ground[at]));
                let said = |new| format!("or-row-lying jewels={jewels} new={new} square={at}");
                let new = is_new(&|event| {
                    matches!(*event, Event::Deposited { card, .. }
                        if state.board.card_square(card) == Some(at))
                });
                // The square is also new if jewels were picked up there or fell there.
                assert!(self.all.contains(&said(1)) || new == 0, "{}: {:?}", said(1), self.all);
                self.assert_says(&format!("or-row-lying jewels={jewels} new="));
            }
            if state.collapsed_squares().contains(at) {
                let new = is_new(&|event| matches!(*event, Event::Sank { at: it, .. } if it == at));
                has(format!("or-row-sunk new={new} square={at}"));
            }
        }
        let tiles = self.all.iter().filter(|said| said.starts_with("or-row-tile ")).count();
        assert_eq!(u32::try_from(tiles).ok(), Some(state.tiled.len()), "and no other");
    }

    fn assert_every_table(&self, state: &State, public: &Value) {
        let names = |terms: &Value| {
            expect_json_array(terms).iter().map(expect_json_text).collect::<Vec<_>>().join(", ")
        };
        let (junctions, straights) = (&public["junctions"], &public["straights"]);
        self.assert_says(&format!("or-row-tiles-left junctions={junctions} simple={straights}"));
        self.assert_says(&format!("or-row-tokens-left count={}", public["tokens"]));
        if public["solo"] == true {
            self.assert_says("or-row-grade");
            for side in expect_json_array(&public["sides"]) {
                let (home, colour) =
                    (expect_json_text(&side["home"]), expect_json_text(&side["colour"]));
                let delivered = spell_jewels(expect_json_array(&side["delivered"]));
                self.assert_says(&format!("or-row-home jewel={home} jewels={delivered}"));
                self.assert_says(&format!(
                    "or-row-side-name colour={colour} way={}",
                    expect_json_text(&side["side"])
                ));
            }
            return;
        }
        for (seat, player) in Seat::all(4).zip(expect_json_array(&public["players"])) {
            assert_eq!(player["seat"], seat.number());
            self.assert_says(&format!("or-row-player who={seat}"));
            let points =
                format!("points={} way={}", player["score"], expect_json_text(&player["side"]));
            assert!(self.all.iter().any(|said| said.contains(&points)), "{points}");
            let pile = state.player(seat).or_fail().delivered_jewels();
            self.assert_says(&format!("or-row-pile jewels={}", spell_jewels(&kind_views(pile))));
            if !expect_json_array(&player["missions"]).is_empty() {
                let missions = names(&player["missions"]);
                self.assert_says(&format!("or-row-claimed missions=[{missions}]"));
            }
        }
        let (open, bag) =
            (names(&public["missions"]), spell_jewels(expect_json_array(&public["bag"])));
        let count = expect_json_array(&public["missions"]).len();
        self.assert_says(&format!("or-row-open count={count} missions=[{open}]"));
        self.assert_says(&format!("or-row-bag count={} jewels={bag}", public["bag_total"]));
        self.assert_says(&format!(
            "or-row-deck count={} drawn={}",
            public["deck"], public["drawn"]
        ));
        if !public["turn"].is_null() {
            let (turn, all, left) = (&public["turn"], &public["actions"], &public["actions_left"]);
            self.assert_says(&format!("or-row-turn all={all} count={left} who={turn}"));
        }
    }
}

fn assert_complete(state: &State, recent: &[Event]) {
    let (said, public) =
        (RowSentences::from_position(state, recent), OffTheRails::public_data(state));
    said.assert_every_cart(&public);
    said.assert_every_square(state, recent);
    said.assert_every_table(state, &public);
}

#[test]
fn position_in_words_matches_public_view() {
    assert_complete(&board::sample_position(), &[]);
    let mut looked_at = 0;
    play_suggested_games(&mut |state, recent| {
        assert_complete(state, recent);
        looked_at += 1;
    });
    assert!(looked_at > 80, "{looked_at}");
}

#[test]
fn cart_rows_describe_track_ahead() {
    let mut state = new_game(2, &Options::default());
    lay_tiles(&mut state, "D1 ns, D2 ns, D4 ew, G1 ns, G2 nse, A1 ns, E1 es, F1 ew");
    let ahead = |state: &State, id: u8| {
        let rows = OffTheRails::describe_position(state, &[]);
        let code: String = draw::cart_code(state, cart(id)).into_iter().collect();
        let of = |row: &&PositionRow| {
            row.label.as_ref().is_some_and(|m| m.letters == code.to_uppercase())
        };
        spell_message(&rows.iter().find(of).or_fail().sentences[2], &mut BTreeSet::new())
    };
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    assert!(ahead(&state, 0).starts_with("or-row-ahead-gap"), "{}", ahead(&state, 0));
    assert!(ahead(&state, 0).ends_with("count=1 square=D3 squares=[D2]"), "{}", ahead(&state, 0));
    place_cart(&mut state, 1, "G1", Direction::South, "");
    assert!(
        ahead(&state, 1).contains("junction") && ahead(&state, 1).contains("[or-east, or-south]")
    );
    place_cart(&mut state, 2, "D2", Direction::North, "");
    assert!(ahead(&state, 2).starts_with("or-row-ahead-cart"), "{}", ahead(&state, 2));
    place_cart(&mut state, 3, "A1", Direction::North, "");
    assert!(ahead(&state, 3).starts_with("or-row-ahead-out"), "{}", ahead(&state, 3));
    place_cart(&mut state, 3, "D4", Direction::East, "");
    assert!(ahead(&state, 3).contains("gap") && ahead(&state, 3).contains("square=E4"));
    place_cart(&mut state, 3, "F1", Direction::West, "");
    state.apply(&Event::Sank { colour: Colour::Red, at: square_at("E2") });
    assert!(ahead(&state, 3).contains("chasm") && ahead(&state, 3).contains("squares=[E1]"));
    state.track[square_at("D3")] = TileOpenings::parse("ew").or_fail();
    assert!(ahead(&state, 0).contains("ahead-cart"), "{}", ahead(&state, 0));
    place_cart(&mut state, 2, "A1", Direction::North, "");
    assert!(ahead(&state, 0).contains("ahead-closed"), "{}", ahead(&state, 0));
}

#[test]
fn rows_mark_recent_changes_as_new() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns");
    place_jewels(&mut state, "D2", "rr");
    let (after, told) = play_with_events(&state, "lay D3 ns; enter white D; move white");
    let all = spell_rows(&OffTheRails::describe_position(&after, &told));
    for new in [
        "or-row-tile ends=ns new=1 square=D3",
        "or-row-lying jewels=[(or-jewels count=1 jewel=or-ruby)] new=1 square=D2",
        "or-row-on-track new=1 speed=3 square=D3 way=or-south",
    ] {
        assert!(all.contains(new), "{new}: {all:?}");
    }
    assert!(all.contains("or-row-tile ends=ns new=0 square=D1"));
    let old = spell_rows(&OffTheRails::describe_position(&after, &[]));
    assert!(!old.iter().any(|said| said.contains("new=1")), "{old:?}");
}

#[test]
fn standing_orders_appear_only_in_owners_rows() {
    let mut state = default_game();
    open_abyss(&mut state);
    let own = |state: &State, seat| {
        let rows = OffTheRails::describe_private_position(state, seat);
        rows.iter().flat_map(|row| &row.sentences).map(|m| m.key).collect::<Vec<_>>()
    };
    assert_eq!(own(&state, SEAT_ONE), ["or-row-own-split"]);
    turn_up_missions(&mut state, &[Mission::RedLeader]);
    for wish in [Wish::Claim(Mission::RedLeader), Wish::Place(true), Wish::Split(Split::Alone)] {
        state.apply(&Event::Wished { seat: SEAT_ONE, wish });
    }
    assert_eq!(
        own(&state, SEAT_ONE),
        ["or-row-own-split", "or-row-own-claims", "or-row-own-places"]
    );
    let wish = Wish::Chasm(Colour::Red, square_at("B3"));
    state.apply(&Event::Wished { seat: SEAT_ONE, wish });
    assert_eq!(
        own(&state, SEAT_ONE),
        ["or-row-own-split", "or-row-own-claims", "or-row-own-chasm"]
    );
    let determinization = OffTheRails::redeal(&state, Viewer::Public, &mut dice());
    assert_eq!(
        OffTheRails::describe_position(&state, &[]),
        OffTheRails::describe_position(&determinization, &[])
    );
    let asked = new_game(2, &Options { cut: CutRule::Interactive, ..Options::default() });
    assert_eq!(own(&asked, SEAT_ONE), ["or-row-own-none"]);
    assert!(own(&solo::new_solo_game(), SEAT_ONE).is_empty());
}

/// Returns the keys of the sentences about a seat.
fn seat_row_keys(rows: &[PositionRow], seat: Seat) -> Vec<&'static str> {
    let name = Message::new("or-row-player").with("who", seat);
    let row = rows.iter().find(|row| row.name.as_ref() == Some(&name)).or_fail();
    row.sentences.iter().map(|message| message.key).collect()
}

#[test]
fn collision_marks_jewels_and_both_carts_new() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns, D3 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    place_cart(&mut state, 2, "D2", Direction::South, "g");
    let (after, told) = play_with_events(&state, "move w");
    let all = spell_rows(&OffTheRails::describe_position(&after, &told));
    for new in [
        "or-row-lying jewels=[(or-jewels count=1 jewel=or-gold)] new=1 square=D2",
        "or-row-on-track new=1 speed=1 square=D1 way=or-north",
        "or-row-on-track new=1 speed=1 square=D2 way=or-south",
    ] {
        assert!(all.contains(new), "{new}: {all:?}");
    }
    // On unconnected track no jewel falls, but both carts count as changed.
    state.track[square_at("D2")] = TileOpenings::parse("ew").or_fail();
    state.carts[2].facing = Direction::East;
    let (after, told) = play_with_events(&state, "move w");
    let all = spell_rows(&OffTheRails::describe_position(&after, &told));
    assert!(all.contains("or-row-on-track new=1 speed=1 square=D2 way=or-east"), "{all:?}");
}

#[test]
fn player_row_marks_changed_pile_missions_or_supply() {
    let state = default_game();
    let derailed = Event::Derailed { cart: cart(2), lost: false, why: None };
    for event in [
        Event::Claimed { seat: SEAT_TWO, mission: Mission::RedLeader },
        Event::Left { cart: cart(2), side: Direction::North },
        Event::Returned { cart: cart(3) },
        derailed,
        Event::Fell { cart: cart(3) },
    ] {
        let rows = OffTheRails::describe_position(&state, std::slice::from_ref(&event));
        let is_new = |seat| seat_row_keys(&rows, seat).contains(&"or-row-changed");
        assert!(is_new(SEAT_TWO) && !is_new(SEAT_ONE), "{event:?}");
    }
}

#[test]
fn moved_carts_are_listed_while_on_board() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, G1 ns, G2 ns");
    place_cart(&mut state, 0, "D1", Direction::North, "r");
    place_cart(&mut state, 1, "G1", Direction::South, "r");
    let moved = |line| {
        let all = spell_rows(&OffTheRails::describe_position(&play_lines(&state, line), &[]));
        all.into_iter().find(|said| said.starts_with("or-row-moved"))
    };
    assert_eq!(moved("move w"), None, "it has left the mine");
    let black = "or-row-moved carts=[(or-cart die=or-black who=1)]";
    assert_eq!(moved("move b").as_deref(), Some(black));
    assert_eq!(moved("move w black").as_deref(), Some(black));
}

#[test]
fn solo_cart_rows_are_named_by_colour() {
    let mut state = solo::new_solo_game();
    lay_tiles(&mut state, "A1 ns, B1 ns, C1 ns, D1 ns");
    for (id, square) in (0..).zip(["A1", "B1", "C1", "D1"]) {
        place_cart(&mut state, id, square, Direction::North, "");
    }
    let all = spell_rows(&OffTheRails::describe_position(&state, &[]));
    for colour in Colour::ALL {
        let name = format!("or-row-solo-cart colour={}", colour.term());
        assert!(all.contains(&name), "{name}: {all:?}");
    }
}
