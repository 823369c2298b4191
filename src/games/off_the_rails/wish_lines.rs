//! Lines with standing orders: squares for chasm tokens, the ranking of missions, and how jewels
//! are cut.

use super::refuse::refuse_unreadable;
use super::{Mission, Order, Split, State, Wish, word_parser};
use crate::rules::Refusal;
use crate::rules::line_words::match_unique_prefix;

/// `red D4, blue C6`, `yes`, `none`.
pub(super) fn parse_chasm(state: &State, words: &[&str]) -> Result<Vec<Order>, Refusal> {
    match words {
        ["yes" | "any"] => return Ok(vec![Order::Wish(Wish::Place(true))]),
        ["no" | "none"] => return Ok(vec![Order::Wish(Wish::Place(false))]),
        _ => {}
    }
    let form = || refuse_unreadable(state, "or-chasm-how", "", "chasm");
    let (pairs, rest) = words.as_chunks::<2>();
    if pairs.is_empty() || !rest.is_empty() {
        return Err(form());
    }
    let wish = |&[colour, square]: &[&str; 2]| {
        let colour = word_parser::parse_colour(colour).ok_or_else(form)?;
        Ok(Order::Wish(Wish::Chasm(colour, word_parser::parse_square(state, square)?)))
    };
    pairs.iter().map(wish).collect()
}

/// `Red Leader, Spice of Life`: the first named is claimed first.
pub(super) fn parse_claim(state: &State, words: &[&str]) -> Result<Vec<Order>, Refusal> {
    let form = |word| refuse_unreadable(state, "or-claim-which", word, "claim");
    let mut missions = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let mission =
            match_unique_prefix(&Mission::ALL, Mission::name, word).ok_or_else(|| form(word))?;
        // The first words differ; the others may follow, but for those that no line keeps.
        for name in mission.name().split(' ').skip(1) {
            words.next_if(|word| **word == name);
        }
        missions.push(mission);
    }
    if missions.is_empty() {
        return Err(refuse_unreadable(state, "or-claim-none", "", "claim"));
    }
    // Each is put in front of the others.
    Ok(missions.into_iter().rev().map(|mission| Order::Wish(Wish::Claim(mission))).collect())
}

/// `rocks together`, `best alone`, `balanced`.
pub(super) fn parse_split(state: &State, words: &[&str]) -> Result<Vec<Order>, Refusal> {
    let fillers = ["rock", "rocks", "best", "jewel", "jewels", "piles"];
    let mut split = None;
    for word in words.iter().filter(|word| !fillers.contains(word)) {
        let named = match *word {
            "even" | "evenly" | "equal" | "equally" => Some(Split::Balanced),
            word => match_unique_prefix(&Split::ALL, Split::name, word),
        };
        if named.is_none() || split.is_some_and(|split| Some(split) != named) {
            return Err(refuse_unreadable(state, "or-unknown-word", word, "split"));
        }
        split = named;
    }
    let order = split.map(|split| vec![Order::Wish(Wish::Split(split))]);
    order.ok_or_else(|| refuse_unreadable(state, "or-split-how", "", "split"))
}
