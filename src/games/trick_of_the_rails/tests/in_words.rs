//! The position in words, measured by the views and the board.

use super::properties::walk;
use super::*;
use crate::games::rows_said::{list, one, said, text};
use crate::rules::Row;
use std::collections::BTreeSet;

fn number(message: &Message, name: &str) -> i64 {
    match message.args.get(name) {
        Some(Arg::Number(number)) => *number,
        other => panic!("{name}: {other:?} in {message:?}"),
    }
}

/// What a list of a message names: its texts, and of those messages inside it the numbers too.
fn listed(message: &Message, name: &str) -> Vec<String> {
    fn of(arg: &Arg) -> String {
        match arg {
            Arg::Text(text) => text.clone(),
            Arg::Number(number) => number.to_string(),
            Arg::Seat(seat) => seat.to_string(),
            Arg::Term(key) => (*key).to_owned(),
            Arg::Message(Message { key, args }) => {
                let args: Vec<String> = args.values().map(of).collect();
                format!("{key} {}", args.join(" "))
            }
            Arg::List(list) => list.iter().map(of).collect::<Vec<_>>().join(", "),
        }
    }
    match message.args.get(name) {
        Some(Arg::List(list)) => list.iter().map(of).collect(),
        other => panic!("{name}: {other:?} in {message:?}"),
    }
}

/// The rows that are named by this sentence.
fn named<'a>(rows: &'a [Row], key: &str) -> Vec<&'a Row> {
    rows.iter().filter(|row| row.name.as_ref().is_some_and(|name| name.key == key)).collect()
}

/// Looks at every position of three games in words.
fn looks(mut look: impl FnMut(&State, &[Row])) {
    for (seats, options) in [(3, EXPERT), (4, Options { teams: true, ..EXPERT }), (5, EXPERT)] {
        walk(seats, Options::default(), 6, |state| {
            look(state, &TrickOfTheRails::in_words(state, &[]));
        });
        walk(seats, options, 7, |state| look(state, &TrickOfTheRails::in_words(state, &[])));
    }
}

#[test]
fn each_railways_row_has_its_cards_in_order_its_locomotive_and_its_worth() {
    looks(|state, rows| {
        let view = TrickOfTheRails::public(state);
        let railways = named(rows, "tr-words-company");
        let companies = list(&view["companies"]);
        assert_eq!((railways.len(), companies.len()), (5, 5));
        for ((row, id), company) in railways.into_iter().zip(Company::ALL).zip(companies) {
            assert_eq!(company["company"], id.id());
            let mark = row.mark.as_ref().map(|mark| (mark.ink, mark.letters.clone()));
            assert_eq!(mark, Some((id.look().0, text(&company["name"]).to_owned())));
            let name = row.name.as_ref().expect("a name");
            let term = format!("tr-{}", text(&company["colour"]));
            assert!(matches!(name.args["colour"], Arg::Term(colour) if colour == term), "{name:?}");
            let row = std::slice::from_ref(row);
            let cards = list(&company["railway"]).iter().map(|card| {
                if let Some(value) = card.get("station") {
                    return format!("tr-words-station {value}");
                }
                if let Some(city) = card.get("city") {
                    return format!("{} ({})", text(&city[0]), city[1]);
                }
                let held = Card::parse(text(&card["card"][0])).expect("a card");
                format!("{} ({})", held.number(), card["card"][1])
            });
            let told = listed(one(row, "tr-words-railway"), "cards");
            assert_eq!(told, cards.collect::<Vec<_>>());
            assert_eq!(number(one(row, "tr-words-held"), "count"), company["held"]);
            let Some(locomotive) = company["locomotive"].as_str() else {
                one(row, "tr-words-no-engine");
                continue;
            };
            let worth = one(row, "tr-words-worth");
            assert_eq!(worth.args["locomotive"], Arg::Text(format!("[{locomotive}]")));
            let distance = company["distance"].as_i64().unwrap_or_default();
            assert_eq!(number(worth, "distance"), distance);
            assert_eq!(number(worth, "profit"), company["profit"]);
            assert_eq!(number(worth, "cost"), company["cost"]);
            assert_eq!(number(worth, "value"), company["value"]);
        }
    });
}

#[test]
fn the_trick_is_told_with_who_played_what_and_who_is_highest() {
    looks(|state, rows| {
        let view = TrickOfTheRails::public(state);
        if view["is_over"] == true {
            one(rows, "tr-words-over");
            assert!(said(rows, "tr-words-played").is_empty());
            return;
        }
        let [trick] = named(rows, "tr-words-trick")[..] else { panic!("{rows:?}") };
        let name = trick.name.as_ref().expect("a name");
        assert_eq!(number(name, "trick"), view["trick_number"]);
        assert_eq!(number(name, "tricks"), view["tricks"]);
        let whose = trick.says.iter().find_map(|said| said.args.get("who"));
        assert_eq!(whose, state.active().map(Arg::Seat).as_ref());
        assert_eq!(view["turn"].as_u64(), state.active().map(|seat| seat.number().into()));
        let cards: Vec<&Row> =
            rows.iter().filter(|row| row.says[0].key == "tr-words-played").collect();
        assert_eq!(cards.len(), list(&view["trick"]).len());
        for (row, played) in cards.into_iter().zip(list(&view["trick"])) {
            let who = row.name.as_ref().map(|name| &name.args["who"]);
            let Some(Arg::Seat(seat)) = who else { panic!("{row:?}") };
            assert_eq!(played["seat"], seat.number());
            let name = format!("{} {}", text(&played["company"]), played["number"]);
            assert_eq!(row.says[0].args["card"], Arg::Text(name));
            assert_eq!(number(&row.says[0], "value"), played["value"]);
            let is_highest =
                |said: &Message| ["tr-words-highest", "tr-words-won"].contains(&said.key);
            assert_eq!(row.says.iter().any(is_highest), played["wins"], "{row:?}");
        }
    });
}

#[test]
fn each_players_shares_worth_and_hand_are_told_and_who_plays_with_whom() {
    let mut teams = 0;
    looks(|state, rows| {
        let view = TrickOfTheRails::public(state);
        let counts = named(rows, "tr-words-player");
        let players = counts.into_iter().filter(|row| row.says[0].key != "tr-words-played");
        let players: Vec<&Row> = players.collect();
        assert_eq!(players.len(), list(&view["players"]).len());
        for (row, player) in players.into_iter().zip(list(&view["players"])) {
            let (shares, hand) = (&row.says[0], &row.says[1]);
            assert_eq!(number(shares, "total"), player["total"]);
            assert_eq!(number(shares, "worth"), player["worth"]);
            assert_eq!(number(hand, "count"), player["hand"]);
            let held = list(&view["companies"]).iter().zip(list(&player["shares"]));
            let held = held.filter(|(_, count)| **count != 0).map(|(company, count)| {
                format!("tr-words-counted {} {count}", text(&company["name"]))
            });
            let held: Vec<String> = held.collect();
            if !held.is_empty() {
                assert_eq!(listed(shares, "shares"), held);
            }
        }
        teams += said(rows, "tr-words-teams").len();
        assert_eq!(!said(rows, "tr-words-teams").is_empty(), view["teams"]);
    });
    assert!(teams > 0);
}

#[test]
fn the_lane_and_what_left_the_game_are_told_whole() {
    looks(|state, rows| {
        let view = TrickOfTheRails::public(state);
        let there = list(&view["lane"]).iter().filter(|place| !place.is_null()).count();
        let places = said(rows, "tr-words-places");
        let places: Vec<String> = places.iter().flat_map(|said| listed(said, "places")).collect();
        assert_eq!(places.len(), if view["is_over"] == true { 0 } else { there }, "{rows:?}");
        let now = places.iter().filter(|place| place.starts_with("tr-words-place-now"));
        assert_eq!(now.count(), usize::from(state.prize().is_some() && view["is_over"] == false));
        let out = said(rows, "tr-words-out");
        let out: Vec<String> = out.iter().flat_map(|said| listed(said, "cards")).collect();
        let out: BTreeSet<&str> = out.iter().map(String::as_str).collect();
        for held in list(&view["removed"]) {
            let numbers = list(&held["cards"]).iter().map(|card| format!(" {}", card["number"]));
            let all = text(&held["name"]).to_owned() + &numbers.collect::<String>();
            assert!(out.contains(&*all), "{all}: {out:?}");
        }
        assert_eq!(out.len(), list(&view["removed"]).len() + list(&view["cities_out"]).len());
    });
}

#[test]
fn what_a_locomotive_of_the_lane_does_is_told_with_it() {
    let state = table(&["PRR3", "PRR7", "NYC10"], &[EXCHANGE, locomotive(Locomotive::Six)]);
    let rows = TrickOfTheRails::in_words(&state, &[]);
    let places = listed(one(&rows, "tr-words-places"), "places");
    assert_eq!(places[0], "tr-words-place-now tr-exchange NYC 1");
    let both = "tr-words-engines tr-words-engine 70 6 [6] tr-words-engine 80 0 [inf]";
    assert_eq!(places[1], format!("tr-words-place {both} 2"));
}

#[test]
fn what_the_last_moves_brought_is_said_to_be_new() {
    let reserved = LaneCard::Reservation;
    let lane = [EXCHANGE, CITY, locomotive(Locomotive::Three), reserved];
    let mut state = table(&["PRR3 BO1 CO1", "PRR7 BO2 CO2", "NYC10 BO3 CO3"], &lane);
    let new = go(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    let rows = TrickOfTheRails::in_words(&state, &new);
    let places = listed(one(&rows, "tr-words-places"), "places");
    assert_eq!(places.last().map(String::as_str), Some("tr-words-place-new PRR 7 4"));
    let mut new = go(&mut state, &["play BO 2", "play BO 3"]);
    let rows = TrickOfTheRails::in_words(&state, &new);
    assert_eq!(said(&rows, "tr-words-played-new").len(), 1);
    assert_eq!(said(&rows, "tr-words-highest").len(), 1);
    for line in ["play BO 1", "city B&O left", "end left", "end right", "end right"] {
        new.extend(go(&mut state, &[line]));
    }
    let rows = TrickOfTheRails::in_words(&state, &new);
    let cards = listed(one(&rows, "tr-words-new"), "cards");
    assert_eq!(cards.len(), 4, "{cards:?}");
    assert!(cards.contains(&"New York (40)".to_owned()), "{cards:?}");
    let mut new = go(&mut state, &["play CO 3"]);
    for line in ["play CO 1", "play CO 2", "locomotive B&O"] {
        new.extend(go(&mut state, &[line]));
    }
    let rows = TrickOfTheRails::in_words(&state, &new);
    assert_eq!(listed(one(&rows, "tr-words-new"), "cards"), ["[3]"]);
}

#[test]
fn a_hand_is_told_by_company_with_what_may_be_played_now() {
    looks(|state, _| {
        for seat in Seat::all(state.edition.seats) {
            let rows = TrickOfTheRails::private_in_words(state, seat);
            let view = TrickOfTheRails::private(state, seat);
            assert_eq!(number(one(&rows, "tr-words-hand"), "count"), view["count"]);
            assert_eq!(rows.len(), 1 + list(&view["hand"]).len());
            let is_any = !said(&rows, "tr-words-any").is_empty();
            for (row, held) in rows.iter().skip(1).zip(list(&view["hand"])) {
                let held = list(&held["cards"]);
                let cards =
                    held.iter().map(|card| format!("{} ({})", card["number"], card["value"]));
                assert_eq!(listed(&row.says[0], "cards"), cards.collect::<Vec<_>>());
                let told = row.says.iter().any(|said| said.key == "tr-words-playable");
                let playable = held.iter().filter(|card| card["playable"] == true).count();
                let due = if is_any || told { held.len() } else { 0 };
                assert_eq!(playable, due, "{row:?}");
            }
        }
    });
}

#[test]
fn the_lane_is_told_while_there_is_one_with_the_tricks_that_are_past() {
    let mut state = table(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    let told = |state: &State, key: &str| {
        let rows = TrickOfTheRails::in_words(state, &[]);
        said(&rows, key).into_iter().cloned().collect::<Vec<Message>>()
    };
    let before = open(3, Options::default());
    assert_eq!(told(&before, "tr-words-rounds"), []);
    assert_eq!(told(&state, "tr-words-rounds").len(), 1);
    assert_eq!(
        (told(&state, "tr-words-past"), told(&state, "tr-words-no-card").len()),
        (vec![], 1)
    );
    go(&mut state, &["play PRR 3"]);
    assert_eq!(told(&state, "tr-words-no-card"), []);
    go(&mut state, &["play PRR 7", "play NYC 10"]);
    let past = Message::new("tr-words-past").with("last", 1_u32);
    assert_eq!(told(&state, "tr-words-past"), [past]);
    go(&mut state, &["play BO 2", "play BO 3", "play BO 1", "city B&O left"]);
    assert_eq!(told(&state, "tr-words-no-card"), []);
    go(&mut state, &["end left", "end left", "end left"]);
    assert_eq!(told(&state, "tr-words-rounds"), []);
}
