//! Compares the position in words with the views and the board.

use super::*;
use crate::games::row_lookup::{
    expect_json_array, expect_json_text, expect_one_sentence, find_sentences,
};
use crate::rules::{Dice, PositionRow, Seed, Turn, Views};
use std::collections::BTreeSet;

/// Plays a random game and calls `look` at every position, with the events of the last eight
/// orders.
fn play_through(seed: u64, stall: u32, mut look: impl FnMut(&State, &[Event])) {
    let options = Options { stall_after_trades: Some(stall) };
    let mut state = new_game(ParisConnection::DEFINITION, options);
    let (mut dice, mut log) = (Dice::new(&Seed::from_number(seed), 0), Vec::new());
    let mut play = |state: &mut State, events: Vec<Event>| {
        events.iter().for_each(|event| state.apply(event));
        log.push(events);
        let recent = log.iter().rev().take(8).flatten().cloned().collect::<Vec<Event>>();
        look(state, &recent);
    };
    let events = ParisConnection::setup(&state, &mut dice);
    play(&mut state, events);
    while let Turn::Awaiting(awaited) = ParisConnection::turn(&state) {
        let legal = ParisConnection::legal_orders(&state, awaited[0]);
        let order = dice.pick(&legal).unwrap_or_else(|| panic!("{state:?} is stuck"));
        let events = ParisConnection::decide(&state, awaited[0], order, &mut dice.clone());
        play(&mut state, events.unwrap_or_else(|refusal| panic!("{refusal:?}")));
    }
}

fn all_texts(message: &Message) -> Vec<String> {
    fn arg_texts(arg: &Arg) -> Vec<String> {
        match arg {
            Arg::Text(text) => vec![text.clone()],
            Arg::Message(message) => all_texts(message),
            Arg::List(list) => list.iter().flat_map(arg_texts).collect(),
            Arg::Number(_) | Arg::Seat(_) | Arg::Term(_) => Vec::new(),
        }
    }
    message.args.values().flat_map(arg_texts).collect()
}

/// Returns the hexes that a message names, and checks that it names none twice.
fn named_hexes(message: &Message) -> BTreeSet<Hex> {
    let texts = all_texts(message);
    let words = texts.iter().flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric()));
    let named: Vec<Hex> = words.filter_map(Hex::parse).collect();
    let all: BTreeSet<Hex> = named.iter().copied().collect();
    assert_eq!(all.len(), named.len(), "{message:?}");
    all
}

fn number_arg(message: &Message, name: &str) -> i64 {
    match message.args.get(name) {
        Some(Arg::Number(number)) => *number,
        other => panic!("{name}: {other:?} in {message:?}"),
    }
}

fn hexes_held_by(state: &State, colour: Colour) -> BTreeSet<Hex> {
    state.locomotives[colour].iter().map(|id| state.board.hex_name(id)).collect()
}

/// Returns the rows of companies, and the rows below them. The row above them is their heading
/// beside the picture.
fn company_rows(rows: &[PositionRow]) -> impl Iterator<Item = &PositionRow> {
    rows.iter().skip_while(|row| row.name.is_none())
}

#[test]
fn company_row_matches_board_and_view() {
    play_through(1, 0, |state, recent| {
        let rows = ParisConnection::describe_position(state, recent);
        let view = ParisConnection::public_data(state);
        for ((row, colour), company) in
            company_rows(&rows).zip(Colour::ALL).zip(expect_json_array(&view["companies"]))
        {
            assert_eq!(company["colour"], colour.name());
            assert_eq!(row.name, Some(Message::new(colour.term())));
            let mark = row.label.as_ref().map(|mark| (mark.ink, mark.letters.clone()));
            assert_eq!(
                mark,
                Some((colour.ink_and_pattern().0, expect_json_text(&company["letter"]).to_owned()))
            );
            let row = std::slice::from_ref(row);
            let worth = expect_one_sentence(row, "pc-words-worth");
            assert_eq!(number_arg(worth, "value"), company["value"]);
            assert_eq!(number_arg(worth, "left"), company["supply"]);
            assert_eq!(number_arg(worth, "count"), company["on_map"]);
            assert_eq!(find_sentences(row, "pc-words-no-city").is_empty(), company["has_city"]);
            let stands = ["pc-words-cities", "pc-words-track", "pc-words-start"];
            let stands =
                stands.iter().flat_map(|key| find_sentences(row, key)).flat_map(named_hexes);
            let stands: Vec<Hex> = stands.collect();
            assert_eq!(stands.len(), hexes_held_by(state, colour).len(), "{row:?}");
            assert_eq!(stands.into_iter().collect::<BTreeSet<_>>(), hexes_held_by(state, colour));
            let start = all_texts(expect_one_sentence(row, "pc-words-start"));
            assert!(start.iter().any(|told| *told == company["station"]), "{start:?}");
        }
    });
}

#[test]
fn only_recent_placements_are_described_as_new() {
    let mut told = 0;
    play_through(2, 0, |state, recent| {
        let rows = ParisConnection::describe_position(state, recent);
        for (row, colour) in company_rows(&rows).zip(Colour::ALL) {
            let new = recent.iter().filter_map(|event| match *event {
                Event::Placed { colour: placed, hex, .. } if placed == colour => Some(hex),
                _ => None,
            });
            let new: BTreeSet<Hex> = new.collect();
            let says = row.sentences.iter().filter(|said| said.key == "pc-words-new");
            assert_eq!(says.flat_map(named_hexes).collect::<BTreeSet<_>>(), new, "{row:?}");
            told += new.len();
        }
    });
    assert!(told > 500, "{told}");
}

#[test]
fn free_cities_full_hexes_and_barriers_are_described() {
    play_through(3, 0, |state, _| {
        let (board, rows) = (&state.board, ParisConnection::describe_position(state, &[]));
        let (one_there, two) = state.occupied_hexes();
        let mut free = BTreeSet::new();
        for worth in find_sentences(&rows, "pc-words-free-worth") {
            for hex in named_hexes(worth) {
                let city = board.city_on(hex).expect("a city");
                assert_eq!(i64::from(city.value), number_arg(worth, "value"));
                assert!(all_texts(worth).contains(&city.name));
                free.insert(hex);
            }
        }
        let is_free = |hex: &Hex| board.hex_id(*hex).is_some_and(|id| !one_there.contains(id));
        let cities = board.map.cities.iter().map(|city| city.hex);
        assert_eq!(free, cities.filter(is_free).collect::<BTreeSet<_>>());
        let full = find_sentences(&rows, "pc-words-full-on").into_iter().flat_map(named_hexes);
        let two: BTreeSet<Hex> = two.iter().map(|id| board.hex_name(id)).collect();
        assert_eq!(full.collect::<BTreeSet<_>>(), two);
    });
    let state = dealt_game();
    let rows = ParisConnection::describe_position(&state, &[]);
    let edges = ["pc-words-mountains", "pc-words-water"]
        .map(|key| all_texts(expect_one_sentence(&rows, key)))
        .concat();
    let all = state.board.barriers.iter().map(|(edge, _)| edge.to_string().replace('-', "/"));
    assert_eq!(edges.into_iter().collect::<BTreeSet<_>>(), all.collect::<BTreeSet<_>>());
    assert_eq!(all_texts(expect_one_sentence(&rows, "pc-words-tower")), ["F20"]);
}

#[test]
fn map_rows_name_every_hex() {
    let state = dealt_game();
    let rows = ParisConnection::describe_position(&state, &[]);
    let Some(Arg::List(stretches)) = expect_one_sentence(&rows, "pc-words-rows").args.get("rows")
    else {
        panic!("{rows:?}")
    };
    let mut all = BTreeSet::new();
    for stretch in stretches {
        let (first, last) = match stretch {
            Arg::Text(only) => (hex(only), hex(only)),
            Arg::Message(stretch) => match &all_texts(stretch)[..] {
                [first, last] => (hex(first), hex(last)),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        let columns = (first.column()..=last.column()).step_by(2);
        all.extend(columns.filter_map(|column| Hex::new(first.row(), column)));
    }
    assert_eq!(all, state.board.names.iter().copied().collect::<BTreeSet<_>>());
}

#[test]
fn shares_turn_and_limits_match_the_view() {
    let mut endings = BTreeSet::new();
    for seed in 0..4 {
        play_through(seed, 4, |state, _| {
            let rows = ParisConnection::describe_position(state, &[]);
            let view = ParisConnection::public_data(state);
            let held = &expect_one_sentence(&rows, "pc-words-held").args["held"];
            let Arg::List(held) = held else { panic!("{held:?}") };
            assert_eq!(held.len(), expect_json_array(&view["players"]).len());
            for ((held, seat), player) in
                held.iter().zip(Seat::all(3)).zip(expect_json_array(&view["players"]))
            {
                let Arg::Message(held) = held else { panic!("{held:?}") };
                assert_eq!(held.args["who"], Arg::Seat(seat));
                assert_eq!(player["seat"], seat.number());
                assert_eq!(number_arg(held, "shares"), player["shares"]);
            }
            let limit = expect_one_sentence(&rows, "pc-words-limit");
            assert_eq!(number_arg(limit, "limit"), view["share_limit"]);
            assert_eq!(number_arg(limit, "penalty"), view["penalty"]);
            let Some(turn) = state.active_seat() else {
                assert!(view["turn"].is_null());
                endings.extend(rows.iter().flat_map(|row| &row.sentences).map(|said| said.key));
                return;
            };
            assert_eq!(expect_one_sentence(&rows, "pc-words-turn").args["who"], Arg::Seat(turn));
            let boards = expect_one_sentence(&rows, "pc-words-boards");
            assert_eq!(view["turn"], turn.number());
            assert_eq!(number_arg(boards, "count"), view["boards_stocked"]);
            assert!(all_texts(boards).iter().any(|told| *told == view["end_city"]));
            let trades = expect_one_sentence(&rows, "pc-words-trades");
            assert_eq!(number_arg(trades, "count"), view["trades_in_row"]);
            assert_eq!(number_arg(trades, "most"), 4);
        });
    }
    assert!(endings.iter().any(|key| key.starts_with("pc-ended-")), "{endings:?}");
}

/// Checks the words that describe the hand of seat 1, and returns the key of the sentence about the
/// limit of 20 shares.
fn check_hand(state: &State) -> &'static str {
    let rows = ParisConnection::describe_private_position(state, ONE);
    let view = ParisConnection::private_data(state, ONE);
    let held = Colour::ALL.into_iter().zip(expect_json_array(&view["holdings"]));
    let held: Vec<_> = held.filter(|(_, held)| held["shares"] != 0).collect();
    for (row, (colour, held)) in rows.iter().zip(&held) {
        assert_eq!(held["colour"], colour.name());
        assert_eq!(row.name, Some(Message::new(colour.term())));
        assert_eq!(number_arg(&row.sentences[0], "shares"), held["shares"]);
        assert_eq!(number_arg(&row.sentences[0], "value"), held["value"]);
        assert_eq!(number_arg(&row.sentences[0], "worth"), held["worth"]);
    }
    assert_eq!(find_sentences(&rows, "pc-words-none-of").is_empty(), held.len() == 6);
    let all = expect_one_sentence(&rows, "pc-words-together");
    assert_eq!(number_arg(all, "shares"), view["shares"]);
    assert_eq!(number_arg(all, "worth"), view["worth"]);
    if view["excess"] == 0 {
        let below = expect_one_sentence(&rows, "pc-words-below");
        assert_eq!(20 - number_arg(below, "left"), view["shares"]);
        return below.key;
    }
    let above = expect_one_sentence(&rows, "pc-words-above");
    assert_eq!(number_arg(above, "excess"), view["excess"]);
    assert_eq!(number_arg(above, "penalty"), view["penalty"]);
    assert_eq!(number_arg(above, "score"), view["score"]);
    above.key
}

#[test]
fn hand_in_words_states_worth_and_limit() {
    play_through(5, 0, |state, _| {
        check_hand(state);
    });
    let mut state = dealt_game();
    state.portfolios[0].shares = ByColour::from_fn(|_| 0);
    for (shares, key) in [(20, "pc-words-below"), (21, "pc-words-above")] {
        state.portfolios[0].shares[Colour::Red] = shares;
        assert_eq!(check_hand(&state), key, "{shares} shares");
    }
}

#[test]
fn map_is_described_by_stretches_barriers_and_adjacency() {
    let rows = ParisConnection::describe_position(&dealt_game(), &[]);
    assert_eq!(all_texts(expect_one_sentence(&rows, "pc-words-water")), ["D14/E13", "N12/O11"]);
    assert_eq!(all_texts(expect_one_sentence(&rows, "pc-words-mountains")).len(), 16);
    let Some(Arg::List(stretches)) = expect_one_sentence(&rows, "pc-words-rows").args.get("rows")
    else {
        panic!("{rows:?}")
    };
    let stretch = |first: &str, last: &str| {
        Arg::from(Message::new("pc-words-stretch").with("first", first).with("last", last))
    };
    // Three of the 20 rows have a gap, and one is divided by the tower.
    assert_eq!(stretches.len(), 24);
    let north = [Arg::from("A19"), stretch("B18", "B22"), stretch("C19", "C25")];
    assert_eq!(stretches[..3], north);
    assert!(stretches.contains(&stretch("H2", "H34")));
    assert!(stretches.contains(&stretch("F10", "F18")) && stretches.contains(&Arg::from("T30")));
    let touch = expect_one_sentence(&rows, "pc-words-touch");
    assert_eq!(touch.args["hex"], Arg::from("G23"));
    let around = ["G21", "G25", "F22", "F24", "H22", "H24"].map(hex);
    let others = Message::new("others").with("others", touch.args["others"].clone());
    assert_eq!(named_hexes(&others), BTreeSet::from(around));
}

#[test]
fn track_is_grouped_and_trades_need_stall_rule() {
    let mut state = dealt_game();
    place_locomotives(&mut state, Colour::Red, &["G23", "G27", "H24", "I25"]);
    let rows = ParisConnection::describe_position(&state, &[]);
    assert_eq!(all_texts(expect_one_sentence(&rows, "pc-words-track")), ["G23 G27", "H24", "I25"]);
    assert!(find_sentences(&rows, "pc-words-trades").is_empty());
    state.numbers.stall_after_trades = 1;
    assert_eq!(
        find_sentences(&ParisConnection::describe_position(&state, &[]), "pc-words-trades").len(),
        1
    );
}
