//! Tests of the drawing, and of the news that each viewer gets.

use super::*;
use crate::games::row_lookup::expect_json_array;
use crate::games::trick_of_the_rails::names;
use crate::rules::{Charset, PictureStyle, Scene, SceneText, Shape, Viewer};

#[test]
fn text_board_marks_new_cards() {
    let reserved = LaneCard::Reservation;
    let lane = [EXCHANGE, CITY, lane_locomotive(Locomotive::Six), reserved];
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &lane);
    let new = play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    let board = TrickOfTheRails::draw_board_text(&state, &new, Charset::Ascii);
    assert_eq!(board[0], " 1        2        3        4");
    assert_eq!(board[1], " .       >C40<     [6]+inf  *PRR 7");
    let new = play_lines(&mut state, &["play BO 2", "play BO 3", "play BO 1", "city B&O left"]);
    let laid = play_lines(&mut state, &["end left"]);
    let new: Vec<Event> = new.into_iter().chain(laid).collect();
    let board = TrickOfTheRails::draw_board_text(&state, &new, Charset::Ascii);
    assert_eq!(board[3], "B&O   -    *3:10*C40 S10");
    state.railways[Company::Bo].locomotive = Some(Locomotive::Infinite);
    let unicode = TrickOfTheRails::draw_board_text(&state, &[], Charset::Unicode);
    assert_eq!(unicode[3], "B&O  [\u{221e}]    3:10 C40 S10");
}

#[test]
fn longest_railway_wraps_to_next_line() {
    let mut state = random_game(3, Options::default(), 1);
    let all = CardSet::ALL.of_company(Company::Prr).iter().map(Track::Card);
    state.railways[Company::Prr].track = all.chain([0, 1, 2].map(Track::City)).collect();
    let board = TrickOfTheRails::draw_board_text(&state, &[], Charset::Ascii);
    assert!(board.iter().all(|line| line.len() <= 76 && line.is_ascii()), "{board:#?}");
    assert!(board.last().is_some_and(|line| line.contains("C40")));
}

#[test]
fn stock_round_is_narrated_in_four_sentences() {
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    let told = play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    let said = TrickOfTheRails::narrate_events(&state, &told, Viewer::Public);
    let keys: Vec<&str> = said.iter().map(|said| said.key).collect();
    assert_eq!(keys, ["tr-played", "tr-taken", "tr-removed", "tr-kept"]);
}

#[test]
fn setup_is_narrated_with_own_hand_only() {
    let state = new_game(3, Options::default());
    let events = TrickOfTheRails::setup(&state, &mut Dice::new(&Seed::from_number(1), 0));
    let keys = |viewer| -> Vec<&str> {
        let said = TrickOfTheRails::narrate_events(&state, &events, viewer);
        said.iter().map(|said| said.key).collect()
    };
    assert_eq!(keys(Viewer::Public), ["tr-lane", "tr-dealt", "tr-leftover", "tr-leads"]);
    let own = ["tr-lane", "tr-dealt", "tr-your-hand", "tr-leftover", "tr-leads"];
    assert_eq!(keys(Viewer::Seat(TWO)), own);
}

#[test]
fn public_trick_marks_the_winning_card() {
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    play_lines(&mut state, &["play PRR 3", "play PRR 7"]);
    let trick = TrickOfTheRails::public_data(&state)["trick"].clone();
    assert_eq!(
        expect_json_array(&trick).iter().map(|card| &card["wins"]).collect::<Vec<_>>(),
        [false, true]
    );
}

#[test]
fn private_hand_marks_playable_cards() {
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    let marked = |state: &State, seat| -> Vec<bool> {
        let hand = TrickOfTheRails::private_data(state, seat)["hand"].clone();
        let cards =
            expect_json_array(&hand).iter().flat_map(|held| expect_json_array(&held["cards"]));
        cards.map(|card| card["playable"] == true).collect()
    };
    assert_eq!([marked(&state, ONE), marked(&state, TWO)], [[true, true], [false, false]]);
    play_lines(&mut state, &["play PRR 3"]);
    assert_eq!(marked(&state, TWO), [false, true]);
}

#[test]
fn sentence_keys_match_the_template() {
    let words = include_str!("../../../../templates/en/trick-of-the-rails.ftl");
    let sources = [
        include_str!("../decide.rs"),
        include_str!("../edition.rs"),
        include_str!("../examples.rs"),
        include_str!("../in_words.rs"),
        include_str!("../narrate.rs"),
        include_str!("../orders.rs"),
        include_str!("../plan.rs"),
        include_str!("../plan_lines.rs"),
        include_str!("../refuse.rs"),
        include_str!("../scene.rs"),
        include_str!("../suggest.rs"),
        include_str!("../views.rs"),
    ]
    .concat();
    let said = |text: &str| {
        text.split('"').filter(|s| s.starts_with("tr-")).map(str::to_owned).collect::<Vec<_>>()
    };
    let known: Vec<&str> =
        words.lines().filter_map(|line| line.split_once(" = ")).map(|(key, _)| key).collect();
    for key in said(&sources) {
        assert!(known.contains(&&*key), "{key} has no words");
    }
    for key in known.iter().filter(|key| key.starts_with("tr-")) {
        let is_colour = Company::ALL.iter().any(|c| key.strip_prefix("tr-") == Some(c.colour()));
        assert!(is_colour || said(&sources).iter().any(|said| said == key), "{key} is never said");
    }
}

#[test]
fn progress_follows_played_cards() {
    let progress = |state: &State| TrickOfTheRails::progress_percent(state);
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    assert_eq!([progress(&new_game(3, Options::default())), progress(&state)], [0, 0]);
    // One of six cards is played, then three, four and all.
    for (lines, far) in [
        (&["play PRR 3"][..], 16),
        (&["play PRR 7", "play NYC 10"], 50),
        (&["play BO 2"], 66),
        (&["play BO 3", "play BO 1"], 99),
        (&["city B&O left", "end left", "end left", "end left"], 100),
    ] {
        play_lines(&mut state, lines);
        assert_eq!(progress(&state), far, "{lines:?}");
    }
}

#[test]
fn leftover_is_counted_and_score_omits_unheld_companies() {
    for (seats, leftover) in [(3, 5), (4, 6), (5, 5)] {
        let state = random_game(seats, Options::default(), 1);
        assert_eq!(TrickOfTheRails::public_data(&state)["leftover"], leftover);
    }
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    let parts = |state: &State| -> Vec<usize> {
        let standings = TrickOfTheRails::rankings(state);
        standings.iter().map(|standing| standing.breakdown.len()).collect()
    };
    assert_eq!(parts(&state), [0, 0, 0]);
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    assert_eq!(parts(&state), [1, 1, 1]);
}

#[test]
fn railway_of_full_width_stays_on_line() {
    let mut state = random_game(3, Options::default(), 1);
    // The name and locomotive take 11 columns, and 13 cards take 5 each.
    state.railways[Company::Bo].track = vec![Track::Card(card("BO3")); 13];
    let rows = |state: &State| {
        let board = TrickOfTheRails::draw_board_text(state, &[], Charset::Ascii);
        let first = board.iter().position(|line| line.starts_with("B&O")).expect("it is there");
        let second = board.iter().position(|line| line.starts_with("C&O")).expect("it too");
        (second - first, board[first].len())
    };
    assert_eq!(rows(&state), (1, 76));
    state.railways[Company::Bo].track.push(Track::Station);
    assert_eq!(rows(&state), (2, 76));
}

/// Every label of the lane names what is drawn there, and no label of a railway's card names a
/// company, City or locomotive.
#[test]
fn board_labels_name_what_they_show() {
    let cities = (0..3).map(LaneCard::City);
    let engines = [Locomotive::Three, Locomotive::Four, Locomotive::Five, Locomotive::Six];
    let lane: Vec<LaneCard> = cities
        .chain(Company::ALL.map(LaneCard::Exchange))
        .chain(engines.map(LaneCard::Locomotive))
        .collect();
    let mut state = random_game(3, Options::default(), 1);
    state.lane = lane.iter().copied().map(Some).collect();
    state.railways[Company::Bo].track.push(Track::Card(card("BO3")));
    state.railways[Company::Bo].track.push(Track::City(2));
    for charset in [Charset::Ascii, Charset::Unicode] {
        let board = TrickOfTheRails::draw_board_text(&state, &[], charset);
        let labels = board[1].split_whitespace().chain(board[3].split_whitespace());
        for (label, shown) in labels.zip(&lane) {
            let words = names::name_words(label);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let named = names::match_city(&state, &words).map(|one| LaneCard::City(one.0));
            let company = || names::match_company(&state, &words).map(|one| one.0);
            let engine = || names::match_locomotive(&words).map(|one| one.0);
            let named = named
                .or_else(|| company().map(LaneCard::Exchange))
                .or_else(|| engine().map(LaneCard::Locomotive));
            assert_eq!(named, Some(*shown), "{label}");
        }
        let railway = board.iter().find(|line| line.starts_with("B&O")).expect("a railway");
        let label = railway.split_whitespace().find(|label| label.contains(':')).expect("a card");
        let words = names::name_words(label);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert!(names::match_city(&state, &words).is_none(), "{label}");
        assert!(names::match_company(&state, &words).is_none(), "{label}");
    }
}

fn rectangle_corners(scene: &Scene, (width, height): (i32, i32)) -> Vec<(i32, i32)> {
    let corner = |shape: &Shape| match shape {
        Shape::Area { corners, .. } => match corners[..] {
            [(x, y), _, (right, low), _] if (right - x, low - y) == (width, height) => Some((x, y)),
            _ => None,
        },
        _ => None,
    };
    scene.shapes.iter().filter_map(corner).collect()
}

#[test]
fn picture_has_trick_row_only_with_cards() {
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &[EXCHANGE, CITY]);
    let scene =
        |state: &State| TrickOfTheRails::draw_board_picture(state, &[], PictureStyle::default());
    let heading = SceneText::Sentence(Message::new("tr-picture-trick"));
    let is_headed = |scene: &Scene| {
        let is_it = |shape: &Shape| matches!(shape, Shape::Text { words, .. } if *words == heading);
        scene.shapes.iter().any(is_it)
    };
    let empty = scene(&state);
    assert!(!is_headed(&empty) && rectangle_corners(&empty, (140, 56)).is_empty());
    play_lines(&mut state, &["play PRR 3", "play PRR 7"]);
    let two = scene(&state);
    assert!(is_headed(&two));
    let [(one, line), (other, same)] = rectangle_corners(&two, (140, 56))[..] else {
        panic!("{two:?}")
    };
    assert_eq!((one, other, line), (18, 168, same));
    let last = ["play NYC 10", "play BO 2", "play BO 3", "play BO 1", "city B&O left"];
    play_lines(&mut state, &last);
    play_lines(&mut state, &["end left", "end left", "end left"]);
    assert_eq!(TrickOfTheRails::turn(&state), Turn::Over);
    assert!(!is_headed(&scene(&state)));
}
