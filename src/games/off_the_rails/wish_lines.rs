//! The lines of standing orders: squares for chasm tokens, the ranking of missions, and the method
//! of cutting jewels.

use super::refuse::refuse_unreadable;
use super::{Mission, Order, Split, State, Wish, word_parser};
use crate::rules::Refusal;
use crate::rules::line_words::unique_item_with_prefix;

/// Parses the words behind `chasm`, such as `red D4, blue C6`, `yes` or `none`.
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

/// Parses the words behind `claim`, such as `Red Leader, Spice of Life`. The first named mission is
/// the most wanted.
pub(super) fn parse_claim(state: &State, words: &[&str]) -> Result<Vec<Order>, Refusal> {
    let form = |word| refuse_unreadable(state, "or-claim-which", word, "claim");
    let mut missions = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let mission = unique_item_with_prefix(&Mission::ALL, Mission::name, word)
            .ok_or_else(|| form(word))?;
        // The first word identifies the mission, and the others are optional. Fillers such as `of`
        // were removed before.
        for name in mission.name().split(' ').skip(1) {
            words.next_if(|word| **word == name);
        }
        missions.push(mission);
    }
    if missions.is_empty() {
        return Err(refuse_unreadable(state, "or-claim-none", "", "claim"));
    }
    // Each claim order puts its mission at the front of the ranking, so the most wanted one comes
    // last.
    Ok(missions.into_iter().rev().map(|mission| Order::Wish(Wish::Claim(mission))).collect())
}

/// Parses the words behind `split`, such as `rocks together`, `best alone` or `balanced`.
pub(super) fn parse_split(state: &State, words: &[&str]) -> Result<Vec<Order>, Refusal> {
    let fillers = ["rock", "rocks", "best", "jewel", "jewels", "piles"];
    let mut split = None;
    for word in words.iter().filter(|word| !fillers.contains(word)) {
        let named = match *word {
            "even" | "evenly" | "equal" | "equally" => Some(Split::Balanced),
            word => unique_item_with_prefix(&Split::ALL, Split::name, word),
        };
        if named.is_none() || split.is_some_and(|split| Some(split) != named) {
            return Err(refuse_unreadable(state, "or-unknown-word", word, "split"));
        }
        split = named;
    }
    let order = split.map(|split| vec![Order::Wish(Wish::Split(split))]);
    order.ok_or_else(|| refuse_unreadable(state, "or-split-how", "", "split"))
}
