//! Tests of parsing lines.

use super::{ONE, dealt_game, expect_refusal, hex, parse_line, place_locomotives};
use crate::games::ParisConnection;
use crate::games::paris_connection::colour::Colour;
use crate::games::paris_connection::hex::Hex;
use crate::games::paris_connection::order_words::FILLERS;
use crate::games::paris_connection::state::Order;
use crate::rules::{Arg, Dice, Message, OrderText, RefusalKind, Rules, Seed};
use crate::testing::sample_or_all;
use proptest::prelude::*;

fn ordered_hexes(orders: &[Order]) -> Vec<String> {
    let place = |order: &Order| match order {
        Order::Place { hex, .. } => Some(hex.to_string()),
        Order::Stop | Order::Trade { .. } => None,
    };
    orders.iter().filter_map(place).collect()
}

#[test]
fn build_is_parsed_in_any_punctuation() {
    let state = dealt_game();
    for line in [
        "build red G23 H24 I25",
        "BUILD RED g23 h24 i25",
        "build red G23, H24, I25.",
        "build red G23 + H24 and I25",
        "b r G23;H24;I25",
        "build re G 23 H 24 I 25",
        "build 3 red locomotives on G23-H24-I25",
        "build: Red: G23 H24 I25",
        "red G23 H24 I25",
        "Red: G23, H24, I25",
        "place red on G23, H24, I25",
        "put 3 reds on g-23, h-24 and i-25",
        "Please build red on G 23, H 24 then I 25",
        "build G23, H24 and I25 in red",
        "build G23 H24 I25 red",
        "I build red on G23, H24, I 25",
        "build 3 at G23 H24 I25 (red)",
        "build red 3 G23 H24 I25",
        "build three trains red to G23 to H24 to I25",
        "build red G23 -> H24 -> I25",
        "build red G23..H24..I25",
    ] {
        let reading = parse_line(&state, line);
        assert_eq!(ordered_hexes(&reading.orders), ["G23", "H24", "I25"], "{line}");
        assert_eq!(reading.orders.last(), Some(&Order::Stop), "{line}");
        let Some(Order::Place { colour: Colour::Red, .. }) = reading.orders.first() else {
            panic!("{line}");
        };
    }
}

#[test]
fn city_is_known_by_name_or_code() {
    let state = dealt_game();
    for (said, meant) in [
        ("Ly", "M27"),
        ("lyon", "M27"),
        ("Le Havre", "D14"),
        ("lh", "D14"),
        ("Saint-Brieuc", "G5"),
        ("st brieuc", "G5"),
        ("St. Brieuc.", "G5"),
        ("Chalon-sur-Saone", "K27"),
        ("La Rochelle", "L10"),
        ("re", "H8"),
        ("Orl\u{e9}ans", "H18"),
        ("Alenc\u{327}on", "G13"),
        ("H18 Or1", "H18"),
        ("H18 Orleans (1)", "H18"),
        ("Or1", "H18"),
        ("Or", "H18"),
        ("To", "R18"),
        ("An", "I11"),
        ("M27 Ly", "M27"),
        ("M27 (Lyon)", "M27"),
        ("A 19", "A19"),
        ("on Lyon (3)", "M27"),
        ("[*]", "F20"),
        ("the Eiffel tower", "F20"),
        ("(R)", "G21"),
        ("E21 (Gare du Nord)", "E21"),
        ("Gare de l'Est", "F22"),
    ] {
        assert_eq!(
            ordered_hexes(&parse_line(&state, &format!("build red {said}")).orders),
            [meant],
            "{said}"
        );
    }
    let line = "build red Le Havre, Le Mans and Clermont-Ferrand";
    assert_eq!(ordered_hexes(&parse_line(&state, line).orders), ["D14", "H14", "M23"]);
}

#[test]
fn trade_is_parsed_with_or_without_number() {
    let state = dealt_game();
    for (line, count, remarks) in [
        ("trade red for 2 blue", 2, 0),
        ("trade 1 red for 2 blue", 2, 0),
        ("Trade a red share for two blue shares.", 2, 0),
        ("t r 2 u", 2, 0),
        ("trade red for blue", 1, 1),
        ("trade r for blue", 1, 1),
        ("red for 2 blue", 2, 0),
        ("1 red -> 2 blue", 2, 0),
        ("trade red -> blue", 1, 1),
        ("trade 1 red against 2 blue", 2, 0),
        ("swap red for 2 blue", 2, 0),
        ("exchange my red with two blues", 2, 0),
        ("give 1 red take 2 blue", 2, 0),
        ("return 1 red share and take 2 blue", 2, 0),
        ("take 2 blue for 1 red", 2, 0),
    ] {
        let reading = parse_line(&state, line);
        let trade = Order::Trade { give: Colour::Red, take: Colour::Blue, count };
        assert_eq!((&*reading.orders, reading.remarks.len()), (&[trade][..], remarks), "{line}");
        // The remark suggests a line, which must be a valid order.
        if let Some(Arg::Text(two)) = reading.remarks.first().and_then(|r| r.args.get("line")) {
            assert_eq!(parse_line(&state, two).remarks, [], "{line}: {two}");
        }
    }
}

#[test]
fn colour_is_known_by_letter_or_unique_prefix() {
    let state = dealt_game();
    for (word, colour) in [
        ("u", Colour::Blue),
        ("k", Colour::Black),
        ("n", Colour::Brown),
        ("br", Colour::Brown),
        ("bla", Colour::Black),
        ("blu", Colour::Blue),
        ("ye", Colour::Yellow),
        ("purple", Colour::Purple),
    ] {
        let order = Order::Place { colour, hex: hex("A19") };
        assert_eq!(parse_line(&state, &format!("build {word} A19")).orders[0], order, "{word}");
    }
}

/// A city's code may also be a filler. Its position in the line decides. If both are possible, the
/// legal reading is chosen.
#[test]
fn no_word_of_a_build_is_dropped() {
    let mut state = dealt_game();
    place_locomotives(&mut state, Colour::Blue, &["F16", "G17", "Q15", "I13"]);
    for (line, meant) in [
        ("build blue Q17 To", &["Q17", "R18"][..]),
        ("build blue Q17, To, R20", &["Q17", "R18", "R20"]),
        ("build blue Q17 to Toulouse", &["Q17", "R18"]),
        ("build blue Q17 to R18", &["Q17", "R18"]),
        // S19 is adjacent to Toulouse but not to Q17, so `to` means Toulouse here.
        ("build blue Q17 to S19", &["Q17", "R18", "S19"]),
        ("build blue to Q17", &["Q17"]),
        ("build 2 blue Q17 to R16", &["Q17", "R16"]),
        ("build 3 blue Q17 to R16", &["Q17", "R18", "R16"]),
        ("build blue I11 An", &["I11"]),
        ("build blue An", &["I11"]),
        ("build blue Or", &["H18"]),
        ("build blue Or, H20", &["H18", "H20"]),
        ("build blue H18 Or1, H20", &["H18", "H20"]),
        ("build blue H16, Or and H20", &["H16", "H18", "H20"]),
    ] {
        assert_eq!(ordered_hexes(&parse_line(&state, line).orders), meant, "{line}");
    }
    let lines = |line: &str| {
        let refused = super::play_line(&state, ONE, line).err().map(|refusal| refusal.alternatives);
        let written = |message: &Message| match message.args.get("line") {
            Some(Arg::Text(line)) => line.clone(),
            _ => panic!("{line}: {message:?}"),
        };
        refused.unwrap_or_else(|| panic!("{line}")).iter().map(written).collect::<Vec<_>>()
    };
    for (line, key, either) in [
        ("build blue H16 or H18", "pc-or", ["build blue H16", "build blue H18"]),
        ("build blue H16/H18", "pc-or", ["build blue H16", "build blue H18"]),
        ("build blue H16, or H18", "pc-or", ["build blue H16", "build blue H18"]),
        ("build blue H16 Or H18", "pc-or", ["build blue H16", "build blue H18"]),
        ("build blue Q17 to R16", "pc-which", ["build blue Q17 R16", "build blue Q17 R18 R16"]),
    ] {
        assert_eq!(expect_refusal(&state, line).1, key, "{line}");
        assert_eq!(lines(line), either, "{line}");
    }
    assert_eq!(expect_refusal(&state, "build blue H18?").1, "pc-asked");
    for (line, key) in [
        ("build blue F14-F10", "pc-gap"),
        ("build blue F14 to F10", "pc-gap"),
        ("build blue H18 not H16", "pc-no-place"),
        ("build blue H18 (not H16)", "pc-no-place"),
        ("build blue H18 (2)", "pc-no-place"),
        ("build blue Or2", "pc-no-place"),
        ("build blue OrR", "pc-no-place"),
        ("build blue -1 H18", "pc-no-number"),
        ("build -1 blue H18", "pc-no-number"),
        ("build 1/2 blue H18", "pc-no-number"),
        ("build blue H18 -1", "pc-no-place"),
        ("build blue H18 slowly", "pc-no-place"),
        ("build blue H18 and red G23", "pc-colours-mixed"),
        ("build H18", "pc-colour-missing"),
        ("trade red for -1 blue", "pc-no-number"),
        ("trade red for +1 blue", "pc-no-number"),
        ("trade red for 1.5 blue", "pc-no-number"),
        ("trade red for \u{bd} blue", "pc-no-number"),
        ("trade red for no blue", "pc-no-colour"),
        ("trade red <- 2 blue", "pc-no-colour"),
        ("trade red or black for blue", "pc-or"),
        ("trade red for 1 blue 1 black", "pc-too-long"),
    ] {
        assert_eq!(expect_refusal(&state, line).1, key, "{line}");
    }
}

#[test]
fn prose_is_not_an_order() {
    let state = dealt_game();
    for line in [
        "Place your bets, gentlemen",
        "Take care",
        "Blue is winning",
        "red and blue for me",
        "Blue in Lyon, lovely",
        "change of plans",
        "put that away",
    ] {
        assert_eq!(expect_refusal(&state, line).0, RefusalKind::NotAnOrder, "{line}");
    }
}

/// Tries every place in every form, before and after every other place and every filler.
#[test]
fn filler_words_never_hide_a_city_name() {
    let state = dealt_game();
    let cities = state.board.map.cities.iter();
    let names: Vec<(Vec<String>, String)> = cities
        .map(|city| {
            let (hex, code) = (city.hex.to_string(), city.code.clone());
            let full = format!("{hex} {} ({})", city.name, city.value);
            let coded = format!("{code}{}", city.value);
            (vec![code.to_lowercase(), code, city.name.clone(), full, coded, hex.clone()], hex)
        })
        .collect();
    let meant = |line: &str| ordered_hexes(&parse_line(&state, line).orders);
    for (names, hex) in &names {
        for colour in Colour::ALL {
            let letter = state.board.letters[colour];
            for line in [format!("b {letter} {}", names[0]), format!("build {letter} {}", names[1])]
            {
                let orders = parse_line(&state, &line).orders;
                let meant = Hex::parse(hex).map(|hex| Order::Place { colour, hex });
                assert_eq!(orders.first().copied(), meant, "{line}");
            }
        }
    }
    for ((spelled, hex), (others, other)) in names.iter().zip(names.iter().cycle().skip(1)) {
        for name in spelled {
            assert_eq!(meant(&format!("build red {name}")), [hex.as_str()], "{name}");
            for word in FILLERS {
                let line = format!("build red {word} {name}");
                assert_eq!(meant(&line).last(), Some(hex), "{line}");
            }
            for second in others {
                for mark in [", ", " and ", " + "] {
                    let line = format!("build red {name}{mark}{second}");
                    assert_eq!(meant(&line), [hex.clone(), other.clone()], "{line}");
                }
            }
        }
    }
}

#[test]
fn unreadable_line_is_refused_with_alternatives() {
    let state = dealt_game();
    for (line, key, instead) in [
        ("", "pc-unreadable", "pc-form-build"),
        ("hello there", "pc-unreadable", "pc-form-build"),
        ("build", "pc-colour-missing", "pc-colours"),
        ("build green G23", "pc-no-colour", "pc-colours"),
        ("build bl G23", "pc-two-colours", "pc-colours"),
        ("build red", "pc-hexes-missing", "pc-can-go"),
        ("build red Montpellier", "pc-no-place", "pc-perhaps"),
        ("build red G23 77", "pc-no-place", "pc-form-build"),
        ("build 2 red G23", "pc-count-differs", "pc-form-build"),
        ("trade red", "pc-colour-missing", "pc-colours"),
        ("trade red for 2 blue now", "pc-too-long", "pc-form-trade"),
        ("build red Xyz", "pc-no-place", "pc-form-build"),
    ] {
        let (kind, reason, others) = expect_refusal(&state, line);
        assert_ne!(kind, RefusalKind::Illegal, "{line}");
        assert_eq!(reason, key, "{line}");
        assert_eq!(others.first(), Some(&instead), "{line}");
    }
}

#[test]
fn refusal_lists_at_most_twelve_hexes() {
    let mut state = dealt_game();
    place_locomotives(
        &mut state,
        Colour::Red,
        &["G23", "H24", "I25", "J26", "K25", "L24", "L22", "K19"],
    );
    let refused = super::play_line(&state, ONE, "build red A19");
    let text = serde_json::to_value(refused.err().map(|refusal| refusal.alternatives[0].clone()));
    let text = text.unwrap_or_default();
    assert_eq!(text["args"]["hexes"]["list"].as_array().map(Vec::len), Some(12), "{text}");
    assert!(text["args"]["more"]["number"].as_u64() > Some(0), "{text}");
}

proptest! {
    #[test]
    fn parsing_any_line_never_panics(line in "\\PC{0,80}") {
        let _ = ParisConnection::parse_line(&dealt_game(), ONE, &line);
    }

    #[test]
    fn parsing_order_like_line_never_panics(
        line in "(build|trade|b|t)( (red|b|bl|2|0|999|G23|g|23|z99|a0|le|st|havre|for|,)){0,9}"
    ) {
        let _ = ParisConnection::parse_line(&dealt_game(), ONE, &line);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sample_or_all(64, 256)))]

    #[test]
    fn written_orders_parse_back(seed: u64, turns in 0_usize..60) {
        let (mut state, mut dice) = (dealt_game(), Dice::new(&Seed::from_number(seed), 0));
        for _ in 0..turns {
            let before = state.clone();
            let Some(seat) = state.active_seat() else {
                return Ok(());
            };
            let mut orders = Vec::new();
            while orders.is_empty() || state.build.is_some() {
                let legal = ParisConnection::legal_orders(&state, seat);
                let Some(order) = dice.pick(&legal) else { return Ok(()) };
                let events = ParisConnection::decide(&state, seat, order, &mut dice.clone());
                events.into_iter().flatten().for_each(|event| state.apply(&event));
                orders.push(*order);
            }
            let line = ParisConnection::write_line(&before, &orders);
            let read = ParisConnection::parse_line(&before, seat, &line).map(|read| read.orders);
            prop_assert_eq!(read, Ok(orders), "{}", line);
        }
    }
}
