//! The board and the numbers of one game, built from a checked [`Definition`]. A fault in the
//! definition is reported with its line.

use super::definition::{Definition, EDITION, Options};
use super::grid::{BySquare, SIDE_MAX};
use super::{Card, Colour, Direction, Jewel, Square, SquareSet, SurfaceSquare, require};
use crate::rules::{Arg, DefinitionFault, Message};
use std::collections::BTreeSet;
use std::ops::Deref;

/// The board of a game. It never changes during the game.
#[derive(Debug, PartialEq, Eq)]
pub struct Board {
    pub title: String,
    pub columns: u8,
    pub rows: u8,
    /// The colour of each side, in the order of [`Direction::ALL`].
    pub side_colours: [Colour; 4],
    /// The squares 1 to 8 of each mine, by colour.
    pub mines: [[Square; 8]; 4],
    pub squares: SquareSet,
    /// The squares in the middle of the mines.
    pub centres: SquareSet,
    /// For each square that belongs to a mine: the mine's colour and the square's number.
    pub mine_squares: BySquare<Option<Mark>>,
    /// Solo: the kind of jewel that must be delivered over each side, in the order of
    /// [`Direction::ALL`].
    pub home_jewels: [Jewel; 4],
}

/// A square's place in a mine: the mine's colour, and the number 1 to 8 as on the deposit card, or
/// 0 for the centre.
pub use super::order::Card as Mark;

impl Board {
    /// Returns the adjacent square in a direction. Returns `None` at the edge of the board.
    pub fn neighbour(&self, from: Square, way: Direction) -> Option<Square> {
        from.neighbour(way).filter(|&square| self.squares.contains(square))
    }

    pub const fn side_length(&self, side: Direction) -> u8 {
        match side {
            Direction::North | Direction::South => self.columns,
            Direction::East | Direction::West => self.rows,
        }
    }

    /// Returns the square of the grid that a cart enters from this square of the surface.
    pub fn entry_square(&self, SurfaceSquare { side, index }: SurfaceSquare) -> Option<Square> {
        let (column, row) = match side {
            Direction::North => (index, 0),
            Direction::South => (index, self.rows.saturating_sub(1)),
            Direction::West => (0, index),
            Direction::East => (self.columns.saturating_sub(1), index),
        };
        Square::new(column, row).filter(|&square| self.squares.contains(square))
    }

    /// Returns the square that a deposit card names. Returns `None` if the card's number is not 1
    /// to 8.
    pub fn card_square(&self, card: Card) -> Option<Square> {
        let place = usize::from(card.number).checked_sub(1)?;
        self.mines[card.colour.index()].get(place).copied()
    }

    pub fn side_with_colour(&self, colour: Colour) -> Direction {
        let side = |way: &Direction| self.side_colours[way.index()] == colour;
        Direction::ALL.into_iter().find(side).unwrap_or(Direction::North)
    }

    /// Returns all squares that share an edge with one of these squares.
    pub fn adjacent_squares(&self, squares: SquareSet) -> SquareSet {
        let around = |square: Square| {
            Direction::ALL.into_iter().filter_map(move |way| self.neighbour(square, way))
        };
        squares.iter().flat_map(around).collect()
    }
}

/// The numbers of one game: its definition, its options, and the numbers that depend on the number
/// of players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameNumbers {
    pub definition: Definition,
    pub options: Options,
    pub seats: u8,
    /// The number of chasm tokens of each colour. In the solo game it is the number of tokens of
    /// all colours together.
    pub tokens: u8,
    /// The number of missions that are dealt face up; 0 in the solo game.
    pub missions: u8,
    /// The number of deposit cards of each colour in the deck; 0 in the solo game.
    pub cards_per_colour: u8,
    pub side_wishes: [Direction; 4],
}

impl Deref for GameNumbers {
    type Target = Definition;

    fn deref(&self) -> &Definition {
        &self.definition
    }
}

impl GameNumbers {
    pub const fn is_solo(&self) -> bool {
        self.seats == 1
    }

    pub const fn is_first_edition(&self) -> bool {
        self.definition.edition < 2
    }

    /// Returns the number of carts: two for each player, four in the solo game.
    pub const fn cart_count(&self) -> u8 {
        if self.is_solo() { 4 } else { 2 * self.seats }
    }
}

/// Builds the board of a definition.
///
/// # Errors
/// The first fault of the board, with the text of the definition that contains it.
pub fn build(definition: &Definition) -> Result<Board, DefinitionFault> {
    let (columns, rows) = (definition.columns, definition.rows);
    for (size, name) in [(columns, "columns"), (rows, "rows")] {
        let reason = Message::new("or-fault-size").with("count", size).with("most", SIDE_MAX);
        require((3..=SIDE_MAX).contains(&size), DefinitionFault::at_text(reason, name, 0))?;
    }
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let squares: SquareSet = all.filter_map(|(column, row)| Square::new(column, row)).collect();
    let mut marks: BySquare<Option<Mark>> = BySquare::default();
    let mut mines = [[Square::FIRST; 8]; 4];
    for colour in Colour::ALL {
        let about = |key| Message::new(key).with("colour", Arg::Term(colour.term()));
        let fault =
            |key| DefinitionFault::at_text(about(key), format!("mines.{}", colour.name()), 0);
        let mine = definition.mines.get(&colour).ok_or_else(|| fault("or-fault-no-mine"))?;
        require(mine.jewels.len() == 8, fault("or-fault-eight"))?;
        mines[colour.index()] =
            mine.squares.as_slice().try_into().map_err(|_| fault("or-fault-eight"))?;
        // A square may belong to one mine only, and may have one number only.
        for (number, &square) in (0..).zip(std::iter::once(&mine.centre).chain(&mine.squares)) {
            let fault = |key, nth| {
                DefinitionFault::at_text(
                    about(key).with("square", square.to_string()),
                    square.to_string(),
                    nth,
                )
            };
            require(squares.contains(square), fault("or-fault-off-board", 0))?;
            if let Some(other) = marks[square].replace(Mark { colour, number }) {
                // If two mines name the square, the error points at the second line that names it.
                return Err(fault("or-fault-two-on-square", usize::from(other.colour != colour)));
            }
        }
    }
    let side_colours = collect_side_colours(definition)?;
    Ok(Board {
        title: definition.title.clone(),
        columns,
        rows,
        side_colours,
        mines,
        squares,
        centres: definition.mines.values().map(|mine| mine.centre).collect(),
        mine_squares: marks,
        home_jewels: collect_home_jewels(definition, side_colours)?,
    })
}

fn fault_near(key: &'static str, near: &'static str) -> DefinitionFault {
    DefinitionFault::at_text(Message::new(key), near, 0)
}

/// Returns the colour of each side. Fails unless each colour occurs exactly once.
fn collect_side_colours(definition: &Definition) -> Result<[Colour; 4], DefinitionFault> {
    let colours: BTreeSet<Colour> = definition.sides.values().copied().collect();
    require(colours.len() == Colour::ALL.len(), fault_near("or-fault-sides", "sides"))?;
    let colour = |way| definition.sides.get(&way).copied().unwrap_or(Colour::Red);
    Ok(Direction::ALL.map(colour))
}

/// Solo: returns the kind of jewel that must be delivered over each side. Fails unless each
/// precious kind occurs exactly once.
fn collect_home_jewels(
    definition: &Definition,
    side_colours: [Colour; 4],
) -> Result<[Jewel; 4], DefinitionFault> {
    let home = &definition.solo.home;
    let kinds: BTreeSet<Jewel> = home.values().copied().collect();
    let is_each_once = home.len() == Colour::ALL.len() && kinds.into_iter().eq(Jewel::PRECIOUS);
    require(is_each_once, fault_near("or-fault-home", "solo.home"))?;
    Ok(side_colours.map(|colour| home.get(&colour).copied().unwrap_or(Jewel::Ruby)))
}

/// Builds the numbers of a game with this many players.
///
/// # Errors
/// The first number that is missing or out of range.
pub fn build_game_numbers(
    definition: &Definition,
    options: &Options,
    seats: u8,
) -> Result<GameNumbers, DefinitionFault> {
    check_definition_numbers(definition)?;
    let of = |name: &'static str| {
        let reason = Message::new("or-fault-players").with("what", name).with("seats", seats);
        DefinitionFault::at_text(reason, name, 0)
    };
    let is_solo = seats == 1;
    let (length, missions) = if is_solo {
        (0, 0)
    } else {
        let usual = definition.length_by_players.get(&seats);
        let length = options.length.or(usual.copied()).ok_or_else(|| of("length_by_players"))?;
        let cards = *definition.lengths.get(&length).ok_or_else(|| of("lengths"))?;
        (cards, *definition.missions.get(&seats).ok_or_else(|| of("missions"))?)
    };
    Ok(GameNumbers {
        definition: definition.clone(),
        options: options.clone(),
        seats,
        tokens: if is_solo { definition.solo.tokens } else { definition.chasm_tokens },
        missions,
        cards_per_colour: length,
        side_wishes: parse_side_wishes(&options.wishes)?,
    })
}

/// Checks the numbers that do not depend on the number of players. A deck has 2 to 6 cards of each
/// colour. It needs two, because the Chasm card is shuffled into the last pile but one. It has at
/// most six, because two of the eight cards of a colour never enter the deck.
fn check_definition_numbers(definition: &Definition) -> Result<(), DefinitionFault> {
    let Definition { speed, solo, bag, .. } = definition;
    require(
        (1..=EDITION).contains(&definition.edition),
        fault_near("or-fault-edition", "edition"),
    )?;
    let is_speed =
        speed.least > 0 && (speed.least..=speed.most).contains(&speed.start) && speed.most <= 9;
    require(is_speed, fault_near("or-fault-speed", "speed"))?;
    require((1..=9).contains(&definition.hold), fault_near("or-fault-hold", "hold"))?;
    require(definition.actions <= 9, fault_near("or-fault-actions", "actions"))?;
    require(bag.total() <= u32::from(u8::MAX), fault_near("or-fault-bag", "bag"))?;
    require(definition.values[Jewel::Rock] == 0, fault_near("or-fault-values", "values"))?;
    for &length in definition.lengths.values() {
        let reason = Message::new("or-fault-length").with("count", length);
        require((2..=6).contains(&length), DefinitionFault::at_text(reason, "lengths", 0))?;
    }
    let is_shown = definition.missions.values().all(|&count| count <= 9);
    require(is_shown, fault_near("or-fault-missions", "missions"))?;
    let is_tokens = (1..=7).contains(&definition.chasm_tokens);
    require(is_tokens, fault_near("or-fault-tokens", "chasm_tokens"))?;
    let is_jewels = solo.jewels.total() == 32
        && solo.jewels[Jewel::Rock] == 0
        && solo.jewels.minus(*bag).is_empty();
    require(is_jewels, fault_near("or-fault-solo-jewels", "solo.jewels"))?;
    let is_solo_tokens = (1..=32).contains(&solo.tokens) && solo.first_cards <= solo.tokens;
    require(is_solo_tokens, fault_near("or-fault-solo-tokens", "solo.tokens"))
}

/// Parses the side that each seat wishes for. The default of a seat is the north.
fn parse_side_wishes(text: &str) -> Result<[Direction; 4], DefinitionFault> {
    let mut wishes = [Direction::North; 4];
    let words = text.split(',').map(str::trim).enumerate();
    for (place, word) in words.filter(|(_, word)| !word.is_empty()) {
        let side = Direction::ALL.into_iter().find(|way| way.name() == word.to_lowercase());
        match (wishes.get_mut(place), side) {
            (Some(wish), Some(side)) => *wish = side,
            _ => {
                return Err(DefinitionFault::new(Message::new("or-fault-wish").with("word", word)));
            }
        }
    }
    Ok(wishes)
}
