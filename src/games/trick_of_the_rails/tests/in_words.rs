//! Compares the position in words with the views and the board.

use super::properties::play_through;
use super::*;
use crate::games::row_lookup::{
    expect_json_array, expect_json_text, expect_one_sentence, find_sentences,
};
use crate::rules::PositionRow;
use std::collections::BTreeSet;

fn number_arg(message: &Message, name: &str) -> i64 {
    match message.args.get(name) {
        Some(Arg::Number(number)) => *number,
        other => panic!("{name}: {other:?} in {message:?}"),
    }
}

/// Returns the texts in a list of a message. A nested message contributes its texts and numbers.
fn listed_texts(message: &Message, name: &str) -> Vec<String> {
    fn arg_text(arg: &Arg) -> String {
        match arg {
            Arg::Text(text) => text.clone(),
            Arg::Number(number) => number.to_string(),
            Arg::Seat(seat) => seat.to_string(),
            Arg::Term(key) => (*key).to_owned(),
            Arg::Message(Message { key, args }) => {
                let args: Vec<String> = args.values().map(arg_text).collect();
                format!("{key} {}", args.join(" "))
            }
            Arg::List(list) => list.iter().map(arg_text).collect::<Vec<_>>().join(", "),
        }
    }
    match message.args.get(name) {
        Some(Arg::List(list)) => list.iter().map(arg_text).collect(),
        other => panic!("{name}: {other:?} in {message:?}"),
    }
}

fn rows_named<'a>(rows: &'a [PositionRow], key: &str) -> Vec<&'a PositionRow> {
    rows.iter().filter(|row| row.name.as_ref().is_some_and(|name| name.key == key)).collect()
}

/// Calls `look` for every position in words of random games.
fn for_each_position(mut look: impl FnMut(&State, &[PositionRow])) {
    for (seats, options) in [(3, EXPERT), (4, Options { teams: true, ..EXPERT }), (5, EXPERT)] {
        play_through(seats, Options::default(), 6, |state| {
            look(state, &TrickOfTheRails::describe_position(state, &[]));
        });
        play_through(seats, options, 7, |state| {
            look(state, &TrickOfTheRails::describe_position(state, &[]));
        });
    }
}

#[test]
fn railway_row_lists_cards_locomotive_and_worth() {
    for_each_position(|state, rows| {
        let view = TrickOfTheRails::public_data(state);
        let railways = rows_named(rows, "tr-words-company");
        let companies = expect_json_array(&view["companies"]);
        assert_eq!((railways.len(), companies.len()), (5, 5));
        for ((row, id), company) in railways.into_iter().zip(Company::ALL).zip(companies) {
            assert_eq!(company["company"], id.id());
            let mark = row.label.as_ref().map(|mark| (mark.ink, mark.letters.clone()));
            assert_eq!(
                mark,
                Some((id.ink_and_pattern().0, expect_json_text(&company["name"]).to_owned()))
            );
            let name = row.name.as_ref().expect("a name");
            let term = format!("tr-{}", expect_json_text(&company["colour"]));
            assert!(matches!(name.args["colour"], Arg::Term(colour) if colour == term), "{name:?}");
            let row = std::slice::from_ref(row);
            let cards = expect_json_array(&company["railway"]).iter().map(|card| {
                if let Some(value) = card.get("station") {
                    return format!("tr-words-station {value}");
                }
                if let Some(city) = card.get("city") {
                    return format!("{} ({})", expect_json_text(&city[0]), city[1]);
                }
                let held = Card::parse(expect_json_text(&card["card"][0])).expect("a card");
                format!("{} ({})", held.number(), card["card"][1])
            });
            let told = listed_texts(expect_one_sentence(row, "tr-words-railway"), "cards");
            assert_eq!(told, cards.collect::<Vec<_>>());
            assert_eq!(
                number_arg(expect_one_sentence(row, "tr-words-held"), "count"),
                company["held"]
            );
            let Some(locomotive) = company["locomotive"].as_str() else {
                expect_one_sentence(row, "tr-words-no-engine");
                continue;
            };
            let worth = expect_one_sentence(row, "tr-words-worth");
            assert_eq!(worth.args["locomotive"], Arg::Text(format!("[{locomotive}]")));
            let distance = company["distance"].as_i64().unwrap_or_default();
            assert_eq!(number_arg(worth, "distance"), distance);
            assert_eq!(number_arg(worth, "profit"), company["profit"]);
            assert_eq!(number_arg(worth, "cost"), company["cost"]);
            assert_eq!(number_arg(worth, "value"), company["value"]);
        }
    });
}

#[test]
fn trick_row_names_cards_players_and_highest() {
    for_each_position(|state, rows| {
        let view = TrickOfTheRails::public_data(state);
        if view["is_over"] == true {
            expect_one_sentence(rows, "tr-words-over");
            assert!(find_sentences(rows, "tr-words-played").is_empty());
            return;
        }
        let [trick] = rows_named(rows, "tr-words-trick")[..] else { panic!("{rows:?}") };
        let name = trick.name.as_ref().expect("a name");
        assert_eq!(number_arg(name, "trick"), view["trick_number"]);
        assert_eq!(number_arg(name, "tricks"), view["tricks"]);
        let whose = trick.sentences.iter().find_map(|said| said.args.get("who"));
        assert_eq!(whose, state.active_seat().map(Arg::Seat).as_ref());
        assert_eq!(view["turn"].as_u64(), state.active_seat().map(|seat| seat.number().into()));
        let is_card = |row: &&PositionRow| {
            row.sentences.first().is_some_and(|said| said.key == "tr-words-played")
        };
        let cards: Vec<&PositionRow> = rows.iter().filter(is_card).collect();
        assert_eq!(cards.len(), expect_json_array(&view["trick"]).len());
        for (row, played) in cards.into_iter().zip(expect_json_array(&view["trick"])) {
            let who = row.name.as_ref().map(|name| &name.args["who"]);
            let Some(Arg::Seat(seat)) = who else { panic!("{row:?}") };
            assert_eq!(played["seat"], seat.number());
            let name = format!("{} {}", expect_json_text(&played["company"]), played["number"]);
            assert_eq!(row.sentences[0].args["card"], Arg::Text(name));
            assert_eq!(number_arg(&row.sentences[0], "value"), played["value"]);
            let is_highest =
                |said: &Message| ["tr-words-highest", "tr-words-won"].contains(&said.key);
            assert_eq!(row.sentences.iter().any(is_highest), played["wins"], "{row:?}");
        }
    });
}

#[test]
fn player_rows_match_shares_worth_and_teams() {
    let mut teams = 0;
    for_each_position(|state, rows| {
        let view = TrickOfTheRails::public_data(state);
        let counts = rows_named(rows, "tr-words-player");
        let players = counts.into_iter().filter(|row| row.sentences[0].key != "tr-words-played");
        let players: Vec<&PositionRow> = players.collect();
        assert_eq!(players.len(), expect_json_array(&view["players"]).len());
        for (row, player) in players.into_iter().zip(expect_json_array(&view["players"])) {
            let (shares, hand) = (&row.sentences[0], &row.sentences[1]);
            assert_eq!(number_arg(shares, "total"), player["total"]);
            assert_eq!(number_arg(shares, "worth"), player["worth"]);
            assert_eq!(number_arg(hand, "count"), player["hand"]);
            let held = expect_json_array(&view["companies"])
                .iter()
                .zip(expect_json_array(&player["shares"]));
            let held = held.filter(|(_, count)| **count != 0).map(|(company, count)| {
                format!("tr-words-counted {} {count}", expect_json_text(&company["name"]))
            });
            let held: Vec<String> = held.collect();
            if !held.is_empty() {
                assert_eq!(listed_texts(shares, "shares"), held);
            }
        }
        teams += find_sentences(rows, "tr-words-teams").len();
        assert_eq!(!find_sentences(rows, "tr-words-teams").is_empty(), view["teams"]);
    });
    assert!(teams > 0);
}

#[test]
fn lane_and_removed_cards_are_described_completely() {
    for_each_position(|state, rows| {
        let view = TrickOfTheRails::public_data(state);
        let there =
            expect_json_array(&view["lane"]).iter().filter(|place| !place.is_null()).count();
        let places = find_sentences(rows, "tr-words-places");
        let places: Vec<String> =
            places.iter().flat_map(|said| listed_texts(said, "places")).collect();
        assert_eq!(places.len(), if view["is_over"] == true { 0 } else { there }, "{rows:?}");
        let now = places.iter().filter(|place| place.starts_with("tr-words-place-now"));
        assert_eq!(
            now.count(),
            usize::from(state.current_prize().is_some() && view["is_over"] == false)
        );
        let out = find_sentences(rows, "tr-words-out");
        let out: Vec<String> = out.iter().flat_map(|said| listed_texts(said, "cards")).collect();
        let out: BTreeSet<&str> = out.iter().map(String::as_str).collect();
        for held in expect_json_array(&view["removed"]) {
            let numbers =
                expect_json_array(&held["cards"]).iter().map(|card| format!(" {}", card["number"]));
            let all = expect_json_text(&held["name"]).to_owned() + &numbers.collect::<String>();
            assert!(out.contains(&*all), "{all}: {out:?}");
        }
        assert_eq!(
            out.len(),
            expect_json_array(&view["removed"]).len()
                + expect_json_array(&view["cities_out"]).len()
        );
    });
}

#[test]
fn lane_locomotive_is_described_with_its_effect() {
    let state =
        game_with_hands(&["PRR3", "PRR7", "NYC10"], &[EXCHANGE, lane_locomotive(Locomotive::Six)]);
    let rows = TrickOfTheRails::describe_position(&state, &[]);
    let places = listed_texts(expect_one_sentence(&rows, "tr-words-places"), "places");
    assert_eq!(places[0], "tr-words-place-now tr-exchange NYC 1");
    let both = "tr-words-engines tr-words-engine 70 6 [6] tr-words-engine 80 0 [inf]";
    assert_eq!(places[1], format!("tr-words-place {both} 2"));
}

#[test]
fn recent_changes_are_described_as_new() {
    let reserved = LaneCard::Reservation;
    let lane = [EXCHANGE, CITY, lane_locomotive(Locomotive::Three), reserved];
    let mut state = game_with_hands(&["PRR3 BO1 CO1", "PRR7 BO2 CO2", "NYC10 BO3 CO3"], &lane);
    let new = play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    let rows = TrickOfTheRails::describe_position(&state, &new);
    let places = listed_texts(expect_one_sentence(&rows, "tr-words-places"), "places");
    assert_eq!(places.last().map(String::as_str), Some("tr-words-place-new PRR 7 4"));
    let mut new = play_lines(&mut state, &["play BO 2", "play BO 3"]);
    let rows = TrickOfTheRails::describe_position(&state, &new);
    assert_eq!(find_sentences(&rows, "tr-words-played-new").len(), 1);
    assert_eq!(find_sentences(&rows, "tr-words-highest").len(), 1);
    for line in ["play BO 1", "city B&O left", "end left", "end right", "end right"] {
        new.extend(play_lines(&mut state, &[line]));
    }
    let rows = TrickOfTheRails::describe_position(&state, &new);
    let cards = listed_texts(expect_one_sentence(&rows, "tr-words-new"), "cards");
    assert_eq!(cards.len(), 4, "{cards:?}");
    assert!(cards.contains(&"New York (40)".to_owned()), "{cards:?}");
    let mut new = play_lines(&mut state, &["play CO 3"]);
    for line in ["play CO 1", "play CO 2", "locomotive B&O"] {
        new.extend(play_lines(&mut state, &[line]));
    }
    let rows = TrickOfTheRails::describe_position(&state, &new);
    assert_eq!(listed_texts(expect_one_sentence(&rows, "tr-words-new"), "cards"), ["[3]"]);
}

#[test]
fn hand_is_described_by_company_with_playable_cards() {
    for_each_position(|state, _| {
        for seat in Seat::all(state.edition.seats) {
            let rows = TrickOfTheRails::describe_private_position(state, seat);
            let view = TrickOfTheRails::private_data(state, seat);
            assert_eq!(
                number_arg(expect_one_sentence(&rows, "tr-words-hand"), "count"),
                view["count"]
            );
            assert_eq!(rows.len(), 1 + expect_json_array(&view["hand"]).len());
            let is_any = !find_sentences(&rows, "tr-words-any").is_empty();
            for (row, held) in rows.iter().skip(1).zip(expect_json_array(&view["hand"])) {
                let held = expect_json_array(&held["cards"]);
                let cards =
                    held.iter().map(|card| format!("{} ({})", card["number"], card["value"]));
                assert_eq!(listed_texts(&row.sentences[0], "cards"), cards.collect::<Vec<_>>());
                let told = row.sentences.iter().any(|said| said.key == "tr-words-playable");
                let playable = held.iter().filter(|card| card["playable"] == true).count();
                let due = if is_any || told { held.len() } else { 0 };
                assert_eq!(playable, due, "{row:?}");
            }
        }
    });
}

#[test]
fn lane_row_is_shown_with_past_tricks() {
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    let told = |state: &State, key: &str| {
        let rows = TrickOfTheRails::describe_position(state, &[]);
        find_sentences(&rows, key).into_iter().cloned().collect::<Vec<Message>>()
    };
    let before = new_game(3, Options::default());
    assert_eq!(told(&before, "tr-words-rounds"), []);
    assert_eq!(told(&state, "tr-words-rounds").len(), 1);
    assert_eq!(
        (told(&state, "tr-words-past"), told(&state, "tr-words-no-card").len()),
        (vec![], 1)
    );
    play_lines(&mut state, &["play PRR 3"]);
    assert_eq!(told(&state, "tr-words-no-card"), []);
    play_lines(&mut state, &["play PRR 7", "play NYC 10"]);
    let past = Message::new("tr-words-past").with("last", 1_u32);
    assert_eq!(told(&state, "tr-words-past"), [past]);
    play_lines(&mut state, &["play BO 2", "play BO 3", "play BO 1", "city B&O left"]);
    assert_eq!(told(&state, "tr-words-no-card"), []);
    play_lines(&mut state, &["end left", "end left", "end left"]);
    assert_eq!(told(&state, "tr-words-rounds"), []);
}
