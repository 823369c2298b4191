//! The lines `lay` and `upgrade`, for example `lay D2 ne, corner D3 ns`.

use super::forms::GRAMMAR;
use super::grid::{Direction, Square, TileOpenings};
use super::order::Order;
use super::orders::ParsedOrders;
use super::refuse::{self, refuse_unreadable};
use super::state::State;
use super::word_parser;
use crate::rules::line_words::is_prefix;
use crate::rules::{Message, Refusal};

/// Parses the words behind `lay`, such as `D2 ne, corner D3 ns`. Each group of squares is followed
/// by its openings. A range such as `A2-D2` stands for all of its squares.
pub(super) fn parse_lay(state: &State, words: &[&str]) -> ParsedOrders {
    let (mut orders, mut tiles) = (Vec::new(), TileGroup::default());
    let mut is_range = false;
    for &word in words {
        let joins = matches!(word, "to" | "-" | "through" | "until");
        if joins && tiles.ends == TileOpenings::NONE && !tiles.squares.is_empty() {
            is_range = true;
        } else if word_parser::is_filler(word) || matches!(word, "a" | "an" | "-") {
            // The word is a filler.
        } else if word_parser::confirms_derailment(word) {
            // The word `derail` is handled by `parse_line`.
        } else if is_prefix(word, "straight") && word.len() > 1 {
            tiles.is_straight = Some(true);
        } else if ["corner", "curve", "bend"].iter().any(|name| is_prefix(word, name)) {
            tiles.is_straight = Some(false);
        } else if word.chars().any(|c| c.is_ascii_digit()) {
            if tiles.ends != TileOpenings::NONE && !tiles.squares.is_empty() {
                orders.extend(std::mem::take(&mut tiles).into_orders(state)?);
            }
            let (first, last) =
                word_parser::parse_square_range(word).map_or((word, None), |(a, b)| (a, Some(b)));
            tiles.add_square(
                state,
                word_parser::parse_square(state, first)?,
                std::mem::take(&mut is_range),
            )?;
            if let Some(last) = last {
                tiles.add_square(state, word_parser::parse_square(state, last)?, true)?;
            }
        } else if let Some(more) = word_parser::parse_openings(word) {
            tiles.repeated =
                more.iter().filter(|w| tiles.ends.has(*w)).fold(tiles.repeated, TileOpenings::with);
            tiles.ends = more.iter().fold(tiles.ends, TileOpenings::with);
        } else if tiles.ends != TileOpenings::NONE
            && word.len() > 1
            && GRAMMAR.expand_verb(word) == Some("lay")
        {
            // A second verb, as in `lay D2 ne; lay D3 ns`.
            orders.extend(std::mem::take(&mut tiles).into_orders(state)?);
        } else {
            return Err(refuse_unreadable(state, "or-unknown-word", word, "lay"));
        }
    }
    if is_range || tiles.squares.is_empty() {
        return Err(refuse_unreadable(state, "or-lay-where", "", "lay"));
    }
    orders.extend(tiles.into_orders(state)?);
    Ok(orders)
}

/// The squares of a `lay` line whose tiles get the same openings.
#[derive(Default)]
struct TileGroup {
    squares: Vec<Square>,
    ends: TileOpenings,
    /// The openings that the line names more than once.
    repeated: TileOpenings,
    /// Whether the line calls the tiles straights (`true`) or corners (`false`). `None` if it says
    /// neither.
    is_straight: Option<bool>,
}

impl TileGroup {
    /// Adds a square. If `is_range` is true, also adds all squares between it and the previous one.
    fn add_square(&mut self, state: &State, at: Square, is_range: bool) -> Result<(), Refusal> {
        match self.squares.last() {
            Some(&last) if is_range => {
                let line =
                    Direction::ALL.into_iter().find_map(|way| squares_between(last, at, way));
                let line =
                    line.ok_or_else(|| refuse_unreadable(state, "or-lay-range", "", "lay"))?;
                self.squares.extend(line);
            }
            _ => self.squares.push(at),
        }
        Ok(())
    }

    fn into_orders(self, state: &State) -> ParsedOrders {
        // A repeated opening hints at a misspelled word: "en norte" names n twice, and its e does
        // not mean the east. The openings are then treated as missing.
        let is_sure = self.repeated == TileOpenings::NONE || self.repeated == self.ends;
        let ends = if is_sure { self.ends } else { TileOpenings::NONE };
        let tile = |at: Square| build_lay_order(state, at, ends, self.is_straight);
        self.squares.iter().map(|&at| tile(at)).collect()
    }
}

/// Returns the squares behind `first` up to and including `last`. Returns `None` if `last` does not
/// lie in this direction.
fn squares_between(first: Square, last: Square, way: Direction) -> Option<Vec<Square>> {
    let line: Vec<Square> =
        std::iter::successors(first.neighbour(way), |at| at.neighbour(way)).collect();
    let end = line.iter().position(|&at| at == last)?;
    line.get(..=end).map(<[Square]>::to_vec)
}

fn build_lay_order(
    state: &State,
    at: Square,
    ends: TileOpenings,
    is_straight: Option<bool>,
) -> Result<Order, Refusal> {
    let about = |key| {
        let reason = Message::new(key).with("square", at.to_string());
        let reason = reason.with("ends", ends.to_string()).with("shape", refuse::tile_shape(ends));
        GRAMMAR.refuse_unreadable((state, None), reason, "lay")
    };
    if ends == TileOpenings::NONE {
        return Err(about("or-lay-ends"));
    }
    // The rules refuse a tile that has another number of openings than two.
    if ends.count() == 2 && is_straight.is_some_and(|named| named != ends.is_straight()) {
        return Err(about("or-lay-differs"));
    }
    Ok(Order::Lay { at, ends })
}

/// Parses the words behind `upgrade`, such as `D2 t nes`, `D2 e` or `D2 cross`. A player may name
/// all openings of the new tile or only the added ones. Several squares may follow each other.
pub(super) fn parse_upgrade(state: &State, words: &[&str]) -> ParsedOrders {
    let is_square = |word: &&str| word.chars().any(|c| c.is_ascii_digit());
    let mut starts: Vec<usize> = (0..words.len()).filter(|&i| is_square(&words[i])).collect();
    // Words before the first square belong to that square.
    if let Some(first) = starts.first_mut() {
        *first = 0;
    }
    if starts.is_empty() {
        return Err(refuse_unreadable(state, "or-up-where", "", "upgrade"));
    }
    let ends = starts.iter().skip(1).copied().chain([words.len()]);
    let tiles = starts.iter().zip(ends).map(|(&start, end)| words.get(start..end));
    let orders: Result<Vec<_>, _> =
        tiles.map(|words| parse_one_upgrade(state, words.unwrap_or_default())).collect();
    Ok(orders?.concat())
}

fn parse_one_upgrade(state: &State, words: &[&str]) -> ParsedOrders {
    let (mut at, mut is_cross, mut is_t) = (None, false, false);
    let (mut named, mut again) = (TileOpenings::NONE, TileOpenings::NONE);
    for &word in words {
        if word.chars().any(|c| c.is_ascii_digit()) {
            at = Some(word_parser::parse_square(state, word)?);
        } else if is_prefix(word, "cross") {
            is_cross = true;
        } else if matches!(word, "t" | "tee") {
            is_t = true;
        } else if let Some(more) = word_parser::parse_openings(word) {
            again = more.iter().filter(|way| named.has(*way)).fold(again, TileOpenings::with);
            named = more.iter().fold(named, TileOpenings::with);
        } else if word != "junction" {
            return Err(refuse_unreadable(state, "or-unknown-word", word, "upgrade"));
        }
    }
    let at = at.ok_or_else(|| refuse_unreadable(state, "or-up-where", "", "upgrade"))?;
    let ends = state.track[at];
    let is_last = ends.count() == 3 && named == TileOpenings::NONE;
    let wanted = |way: &Direction| is_cross || is_last || named.has(*way);
    let added: Vec<Direction> =
        Direction::ALL.into_iter().filter(|way| wanted(way) && !ends.has(*way)).collect();
    let about = |key| Message::new(key).with("square", at.to_string());
    if again != TileOpenings::NONE && again != named {
        return Err(Refusal::unreadable(about("or-up-which"))
            .with_alternative(refuse::upgrade_lines(state, at)));
    }
    // The line names all three openings of a T, but an existing opening is not among them.
    if named.count() == 3 && ends.iter().any(|way| !named.has(way)) {
        let refusal = Refusal::illegal(about("or-up-removes").with("ends", ends.to_string()));
        return Err(refusal.with_alternative(refuse::upgrade_lines(state, at)));
    }
    let becomes = added.iter().copied().fold(ends, TileOpenings::with);
    if is_t && !added.is_empty() && becomes.count() != 3 {
        let reason = about("or-lay-differs").with("ends", becomes.to_string());
        let reason = reason.with("shape", refuse::tile_shape(becomes));
        return Err(Refusal::unreadable(reason).with_alternative(refuse::upgrade_lines(state, at)));
    }
    if added.is_empty() {
        if named == TileOpenings::NONE && ends != TileOpenings::NONE && ends.count() < 4 {
            let refusal = Refusal::unreadable(about("or-up-which"));
            return Err(refusal.with_alternative(refuse::upgrade_lines(state, at)));
        }
        // Nothing would be added, so the rules refuse this order with the exact reason.
        let way = named.iter().next().unwrap_or(Direction::North);
        return Ok(vec![Order::Upgrade { at, way }]);
    }
    Ok(added.into_iter().map(|way| Order::Upgrade { at, way }).collect())
}
