//! How lines of a letter are read.

use super::{ONE, game, hex, put, read, refusal};
use crate::games::ParisConnection;
use crate::games::paris_connection::colour::Colour;
use crate::games::paris_connection::state::Order;
use crate::rules::{Dice, OrderText, RefusalKind, Rules, Seed};
use proptest::prelude::*;

fn hexes(orders: &[Order]) -> Vec<String> {
    let place = |order: &Order| match order {
        Order::Place { hex, .. } => Some(hex.to_string()),
        Order::Stop | Order::Trade { .. } => None,
    };
    orders.iter().filter_map(place).collect()
}

#[test]
fn a_build_is_read_however_it_is_punctuated() {
    let state = game();
    for line in [
        "build red G23 H24 I25",
        "BUILD RED g23 h24 i25",
        "build red G23, H24, I25.",
        "build red G23 + H24 and I25",
        "b r G23;H24;I25",
        "build re G 23 H 24 I 25",
        "build 3 red locomotives on G23-H24-I25",
        "build: Red: G23 H24 I25",
    ] {
        let reading = read(&state, line);
        assert_eq!(hexes(&reading.orders), ["G23", "H24", "I25"], "{line}");
        assert_eq!(reading.orders.last(), Some(&Order::Stop), "{line}");
        let Some(Order::Place { colour: Colour::Red, .. }) = reading.orders.first() else {
            panic!("{line}");
        };
    }
}

#[test]
fn a_city_is_known_by_name_and_by_code() {
    let state = game();
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
    ] {
        assert_eq!(hexes(&read(&state, &format!("build red {said}")).orders), [meant], "{said}");
    }
    let line = "build red Le Havre, Le Mans and Clermont-Ferrand";
    assert_eq!(hexes(&read(&state, line).orders), ["D14", "H14", "M23"]);
}

#[test]
fn a_trade_is_read_with_or_without_a_number() {
    let state = game();
    for (line, count, remarks) in [
        ("trade red for 2 blue", 2, 0),
        ("trade 1 red for 2 blue", 2, 0),
        ("Trade a red share for two blue shares.", 2, 0),
        ("t r 2 b", 2, 0),
        ("trade red for blue", 1, 1),
        ("trade r for blue", 1, 1),
    ] {
        let reading = read(&state, line);
        let trade = Order::Trade { give: Colour::Red, take: Colour::Blue, count };
        assert_eq!((&*reading.orders, reading.remarks.len()), (&[trade][..], remarks), "{line}");
    }
}

#[test]
fn a_colour_is_known_by_its_letter_or_by_a_beginning_that_fits_no_other() {
    let state = game();
    for (word, colour) in [
        ("b", Colour::Blue),
        ("k", Colour::Black),
        ("n", Colour::Brown),
        ("br", Colour::Brown),
        ("bla", Colour::Black),
        ("blu", Colour::Blue),
        ("ye", Colour::Yellow),
        ("purple", Colour::Purple),
    ] {
        let order = Order::Place { colour, hex: hex("A19") };
        assert_eq!(read(&state, &format!("build {word} A19")).orders[0], order, "{word}");
    }
}

#[test]
fn what_cannot_be_read_is_told_what_would_be() {
    let state = game();
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
        ("trade red for 2 blue now", "pc-too-long", "pc-form-build"),
    ] {
        let (kind, reason, others) = refusal(&state, line);
        assert_ne!(kind, RefusalKind::Illegal, "{line}");
        assert_eq!(reason, key, "{line}");
        assert_eq!(others.first(), Some(&instead), "{line}");
    }
}

#[test]
fn a_refusal_lists_a_dozen_hexes_at_most() {
    let mut state = game();
    put(&mut state, Colour::Red, &["G23", "H24", "I25", "J26", "K25", "L24", "L22", "K19"]);
    let refused = super::say(&state, ONE, "build red A19");
    let text = serde_json::to_value(refused.err().map(|refusal| refusal.instead[0].clone()));
    let text = text.unwrap_or_default();
    assert_eq!(text["args"]["hexes"]["list"].as_array().map(Vec::len), Some(12), "{text}");
    assert!(text["args"]["more"]["number"].as_u64() > Some(0), "{text}");
}

proptest! {
    #[test]
    fn no_line_panics(line in "\\PC{0,80}") {
        let _ = ParisConnection::parse(&game(), ONE, &line);
    }

    #[test]
    fn no_likely_line_panics(
        line in "(build|trade|b|t)( (red|b|bl|2|0|999|G23|g|23|z99|a0|le|st|havre|for|,)){0,9}"
    ) {
        let _ = ParisConnection::parse(&game(), ONE, &line);
    }

    #[test]
    fn what_is_written_is_read(seed: u64, turns in 0_usize..60) {
        let (mut state, mut dice) = (game(), Dice::new(&Seed::rehearsal(seed), 0));
        for _ in 0..turns {
            let before = state.clone();
            let Some(seat) = crate::rules::Seat::all(3).find(|&seat| state.awaits(seat)) else {
                return Ok(());
            };
            let mut orders = Vec::new();
            while orders.is_empty() || state.build.is_some() {
                let legal = ParisConnection::legal(&state, seat);
                let Some(order) = dice.pick(&legal) else { return Ok(()) };
                let events = ParisConnection::decide(&state, seat, order, &mut dice.clone());
                events.into_iter().flatten().for_each(|event| state.apply(&event));
                orders.push(*order);
            }
            let line = ParisConnection::write(&before, &orders);
            let read = ParisConnection::parse(&before, seat, &line).map(|read| read.orders);
            prop_assert_eq!(read, Ok(orders), "{}", line);
        }
    }
}
