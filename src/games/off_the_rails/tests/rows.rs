//! The position in words.

use super::*;
use crate::games::off_the_rails::definition::Cut;
use crate::games::off_the_rails::draw;
use crate::games::off_the_rails::order::{Split, Wish};
use crate::games::off_the_rails::tests::taps::games_by_suggestions;
use crate::games::off_the_rails::views::kinds;
use crate::games::rows_said::{list, text};
use crate::rules::{Arg, Row, Viewer};
use serde_json::Value;
use std::collections::BTreeSet;

/// A sentence as its key with its arguments, and those inside it.
fn spell(message: &Message, all: &mut BTreeSet<String>) -> String {
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
        Arg::Message(message) => format!("({})", spell(message, all)),
        Arg::List(list) => {
            let words: Vec<String> = list.iter().map(|arg| spell_arg(arg, all)).collect();
            format!("[{}]", words.join(", "))
        }
    }
}

/// Everything that the rows say, each sentence and each that stands inside one.
fn said(rows: &[Row]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for message in rows.iter().flat_map(|row| row.name.iter().chain(&row.says)) {
        spell(message, &mut all);
    }
    all
}

/// A hoard as it is spelled inside a sentence.
fn spelled(kinds: &[Value]) -> String {
    let kind = |kind: &Value| {
        format!("(or-jewels count={} jewel={})", kind["count"], text(&kind["jewel"]))
    };
    let kinds: Vec<String> = kinds.iter().map(kind).collect();
    if kinds.is_empty() { "(or-nothing)".to_owned() } else { format!("[{}]", kinds.join(", ")) }
}

/// What the rows say, held against the public view and the board, number by number.
struct Said {
    rows: Vec<Row>,
    all: BTreeSet<String>,
}

impl Said {
    fn of(state: &State, recent: &[Event]) -> Self {
        let rows = OffTheRails::in_words(state, recent);
        let all = said(&rows);
        Self { rows, all }
    }

    fn has(&self, text: &str) {
        assert!(self.all.iter().any(|said| said.starts_with(text)), "{text}: {:?}", self.all);
    }

    fn every_cart(&self, public: &Value) {
        let marks = self.rows.iter().filter_map(|row| Some(row.mark.as_ref()?.letters.as_str()));
        let marks: Vec<&str> = marks.collect();
        for cart in list(&public["carts"]) {
            match (text(&cart["place"]), cart["square"].as_str()) {
                ("track", Some(square)) => {
                    let (way, speed) = (text(&cart["facing"]), &cart["speed"]);
                    let said = |new| {
                        format!("or-row-on-track new={new} speed={speed} square={square} way={way}")
                    };
                    assert!([0, 1].iter().any(|new| self.all.contains(&said(*new))), "{cart:?}");
                    assert!(marks.contains(&&*text(&cart["code"]).to_uppercase()), "{marks:?}");
                    self.has(&format!("or-row-holds jewels={}", spelled(list(&cart["hold"]))));
                    self.has("or-row-ahead");
                }
                ("surface", _) => self.has("or-row-on-surface"),
                ("supply", _) => self.has("or-row-in-supply"),
                _ => self.has("or-row-gone"),
            }
        }
    }

    fn every_square(&self, state: &State, recent: &[Event]) {
        let is_new = |is_it: &dyn Fn(&Event) -> bool| u8::from(recent.iter().any(is_it));
        let has = |said: String| assert!(self.all.contains(&said), "{said}: {:?}", self.all);
        for at in state.board.squares.iter() {
            let ends = state.track[at];
            if ends != Ends::NONE {
                let new = is_new(&|event| {
                    matches!(*event, Event::Laid { at: it, .. } | Event::Upgraded { at: it, .. }
                        if it == at)
                });
                has(format!("or-row-tile ends={ends} new={new} square={at}"));
            }
            if !state.ground[at].is_empty() {
                let jewels = spelled(&kinds(state.ground[at]));
                let said = |new| format!("or-row-lying jewels={jewels} new={new} square={at}");
                let new = is_new(&|event| {
                    matches!(*event, Event::Deposited { card, .. }
                        if state.board.mined(card) == Some(at))
                });
                // Or some were picked up, or fell.
                assert!(self.all.contains(&said(1)) || new == 0, "{}: {:?}", said(1), self.all);
                self.has(&format!("or-row-lying jewels={jewels} new="));
            }
            if state.chasm().contains(at) {
                let new = is_new(&|event| matches!(*event, Event::Sank { at: it, .. } if it == at));
                has(format!("or-row-sunk new={new} square={at}"));
            }
        }
        let tiles = self.all.iter().filter(|said| said.starts_with("or-row-tile ")).count();
        assert_eq!(u32::try_from(tiles).ok(), Some(state.tiled.len()), "and no other");
    }

    fn every_table(&self, state: &State, public: &Value) {
        let names = |terms: &Value| list(terms).iter().map(text).collect::<Vec<_>>().join(", ");
        let (junctions, straights) = (&public["junctions"], &public["straights"]);
        self.has(&format!("or-row-tiles-left junctions={junctions} simple={straights}"));
        self.has(&format!("or-row-tokens-left count={}", public["tokens"]));
        if public["solo"] == true {
            self.has("or-row-grade");
            for side in list(&public["sides"]) {
                let (home, colour) = (text(&side["home"]), text(&side["colour"]));
                let delivered = spelled(list(&side["delivered"]));
                self.has(&format!("or-row-home jewel={home} jewels={delivered}"));
                self.has(&format!("or-row-side-name colour={colour} way={}", text(&side["side"])));
            }
            return;
        }
        for (seat, player) in Seat::all(4).zip(list(&public["players"])) {
            assert_eq!(player["seat"], seat.number());
            self.has(&format!("or-row-player who={seat}"));
            let points = format!("points={} way={}", player["score"], text(&player["side"]));
            assert!(self.all.iter().any(|said| said.contains(&points)), "{points}");
            let pile = state.player(seat).sure().pile();
            self.has(&format!("or-row-pile jewels={}", spelled(&kinds(pile))));
            if !list(&player["missions"]).is_empty() {
                let missions = names(&player["missions"]);
                self.has(&format!("or-row-claimed missions=[{missions}]"));
            }
        }
        let (open, bag) = (names(&public["missions"]), spelled(list(&public["bag"])));
        let count = list(&public["missions"]).len();
        self.has(&format!("or-row-open count={count} missions=[{open}]"));
        self.has(&format!("or-row-bag count={} jewels={bag}", public["bag_total"]));
        self.has(&format!("or-row-deck count={} drawn={}", public["deck"], public["drawn"]));
        if !public["turn"].is_null() {
            let (turn, all, left) = (&public["turn"], &public["actions"], &public["actions_left"]);
            self.has(&format!("or-row-turn all={all} count={left} who={turn}"));
        }
    }
}

fn is_complete(state: &State, recent: &[Event]) {
    let (said, public) = (Said::of(state, recent), OffTheRails::public(state));
    said.every_cart(&public);
    said.every_square(state, recent);
    said.every_table(state, &public);
}

#[test]
fn a_position_in_words_says_all_that_the_board_and_the_tables_show() {
    is_complete(&board::position(), &[]);
    let mut looked_at = 0;
    games_by_suggestions(&mut |state, recent| {
        is_complete(state, recent);
        looked_at += 1;
    });
    assert!(looked_at > 80, "{looked_at}");
}

#[test]
fn a_reader_of_words_is_told_where_every_cart_comes_next() {
    let mut state = game(2, &Options::default());
    lay(&mut state, "D1 ns, D2 ns, D4 ew, G1 ns, G2 nse, A1 ns, E1 es, F1 ew");
    let ahead = |state: &State, id: u8| {
        let rows = OffTheRails::in_words(state, &[]);
        let code: String = draw::cart_code(state, cart(id)).into_iter().collect();
        let of = |row: &&Row| row.mark.as_ref().is_some_and(|m| m.letters == code.to_uppercase());
        spell(&rows.iter().find(of).sure().says[2], &mut BTreeSet::new())
    };
    stand(&mut state, 0, "D1", Way::South, "r");
    assert!(ahead(&state, 0).starts_with("or-row-ahead-gap"), "{}", ahead(&state, 0));
    assert!(ahead(&state, 0).ends_with("count=1 square=D3 squares=[D2]"), "{}", ahead(&state, 0));
    stand(&mut state, 1, "G1", Way::South, "");
    assert!(
        ahead(&state, 1).contains("junction") && ahead(&state, 1).contains("[or-east, or-south]")
    );
    stand(&mut state, 2, "D2", Way::North, "");
    assert!(ahead(&state, 2).starts_with("or-row-ahead-cart"), "{}", ahead(&state, 2));
    stand(&mut state, 3, "A1", Way::North, "");
    assert!(ahead(&state, 3).starts_with("or-row-ahead-out"), "{}", ahead(&state, 3));
    stand(&mut state, 3, "D4", Way::East, "");
    assert!(ahead(&state, 3).contains("gap") && ahead(&state, 3).contains("square=E4"));
    stand(&mut state, 3, "F1", Way::West, "");
    state.apply(&Event::Sank { colour: Colour::Red, at: at("E2") });
    assert!(ahead(&state, 3).contains("chasm") && ahead(&state, 3).contains("squares=[E1]"));
    state.track[at("D3")] = Ends::parse("ew").sure();
    assert!(ahead(&state, 0).contains("ahead-cart"), "{}", ahead(&state, 0));
    stand(&mut state, 2, "A1", Way::North, "");
    assert!(ahead(&state, 0).contains("ahead-closed"), "{}", ahead(&state, 0));
}

#[test]
fn what_the_last_moves_have_changed_is_said_to_be_new() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns");
    strew(&mut state, "D2", "rr");
    let (after, told) = tell(&state, "lay D3 ns; enter white D; move white");
    let all = said(&OffTheRails::in_words(&after, &told));
    for new in [
        "or-row-tile ends=ns new=1 square=D3",
        "or-row-lying jewels=[(or-jewels count=1 jewel=or-ruby)] new=1 square=D2",
        "or-row-on-track new=1 speed=3 square=D3 way=or-south",
    ] {
        assert!(all.contains(new), "{new}: {all:?}");
    }
    assert!(all.contains("or-row-tile ends=ns new=0 square=D1"));
    let old = said(&OffTheRails::in_words(&after, &[]));
    assert!(!old.iter().any(|said| said.contains("new=1")), "{old:?}");
}

#[test]
fn standing_orders_in_words_are_their_owners_only() {
    let mut state = plain();
    open_abyss(&mut state);
    let own = |state: &State, seat| {
        let rows = OffTheRails::private_in_words(state, seat);
        rows.iter().flat_map(|row| &row.says).map(|m| m.key).collect::<Vec<_>>()
    };
    assert_eq!(own(&state, ONE), ["or-row-own-split"]);
    face_up(&mut state, &[Mission::RedLeader]);
    for wish in [Wish::Claim(Mission::RedLeader), Wish::Place(true), Wish::Split(Split::Alone)] {
        state.apply(&Event::Wished { seat: ONE, wish });
    }
    assert_eq!(own(&state, ONE), ["or-row-own-split", "or-row-own-claims", "or-row-own-places"]);
    let wish = Wish::Chasm(Colour::Red, at("B3"));
    state.apply(&Event::Wished { seat: ONE, wish });
    assert_eq!(own(&state, ONE), ["or-row-own-split", "or-row-own-claims", "or-row-own-chasm"]);
    let world = OffTheRails::redeal(&state, Viewer::Public, &mut dice());
    assert_eq!(OffTheRails::in_words(&state, &[]), OffTheRails::in_words(&world, &[]));
    let asked = game(2, &Options { cut: Cut::Interactive, ..Options::default() });
    assert_eq!(own(&asked, ONE), ["or-row-own-none"]);
    assert!(own(&solo::alone(), ONE).is_empty());
}

/// The keys of what is said of a seat.
fn of_seat(rows: &[Row], seat: Seat) -> Vec<&'static str> {
    let name = Message::new("or-row-player").with("who", seat);
    let row = rows.iter().find(|row| row.name.as_ref() == Some(&name)).sure();
    row.says.iter().map(|message| message.key).collect()
}

#[test]
fn a_collision_makes_the_jewels_and_both_carts_new() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns, D3 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    stand(&mut state, 2, "D2", Way::South, "g");
    let (after, told) = tell(&state, "move w");
    let all = said(&OffTheRails::in_words(&after, &told));
    for new in [
        "or-row-lying jewels=[(or-jewels count=1 jewel=or-gold)] new=1 square=D2",
        "or-row-on-track new=1 speed=1 square=D1 way=or-north",
        "or-row-on-track new=1 speed=1 square=D2 way=or-south",
    ] {
        assert!(all.contains(new), "{new}: {all:?}");
    }
    // Where the tracks do not meet nothing falls, but both carts were in it.
    state.track[at("D2")] = Ends::parse("ew").sure();
    state.carts[2].facing = Way::East;
    let (after, told) = tell(&state, "move w");
    let all = said(&OffTheRails::in_words(&after, &told));
    assert!(all.contains("or-row-on-track new=1 speed=1 square=D2 way=or-east"), "{all:?}");
}

#[test]
fn whose_pile_missions_or_supply_are_other_than_before_is_said() {
    let state = plain();
    let derailed = Event::Derailed { cart: cart(2), lost: false, why: None };
    for event in [
        Event::Claimed { seat: TWO, mission: Mission::RedLeader },
        Event::Left { cart: cart(2), side: Way::North },
        Event::Returned { cart: cart(3) },
        derailed,
        Event::Fell { cart: cart(3) },
    ] {
        let rows = OffTheRails::in_words(&state, std::slice::from_ref(&event));
        let is_new = |seat| of_seat(&rows, seat).contains(&"or-row-changed");
        assert!(is_new(TWO) && !is_new(ONE), "{event:?}");
    }
}

#[test]
fn carts_that_have_moved_are_named_while_they_are_on_the_board() {
    let mut state = plain();
    lay(&mut state, "D1 ns, G1 ns, G2 ns");
    stand(&mut state, 0, "D1", Way::North, "r");
    stand(&mut state, 1, "G1", Way::South, "r");
    let moved = |line| {
        let all = said(&OffTheRails::in_words(&say(&state, line), &[]));
        all.into_iter().find(|said| said.starts_with("or-row-moved"))
    };
    assert_eq!(moved("move w"), None, "it has left the mine");
    let black = "or-row-moved carts=[(or-cart die=or-black who=1)]";
    assert_eq!(moved("move b").as_deref(), Some(black));
    assert_eq!(moved("move w black").as_deref(), Some(black));
}

#[test]
fn alone_each_cart_is_named_by_its_colour() {
    let mut state = solo::alone();
    lay(&mut state, "A1 ns, B1 ns, C1 ns, D1 ns");
    for (id, square) in (0..).zip(["A1", "B1", "C1", "D1"]) {
        stand(&mut state, id, square, Way::North, "");
    }
    let all = said(&OffTheRails::in_words(&state, &[]));
    for colour in Colour::ALL {
        let name = format!("or-row-solo-cart colour={}", colour.term());
        assert!(all.contains(&name), "{name}: {all:?}");
    }
}
