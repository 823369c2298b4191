//! The board as text. Each square takes three lines of eight characters, and its track runs through
//! the middle.
//!
//! ```text
//! (3)|  *     the number of a mine's square; a star if something is new
//! --1w>3--    the cart: seat, die, facing, speed; or the shape of the track
//! rd |        the jewels on the square
//! ```
//!
//! Two other designs were tried on real positions. Walls around the squares cost 13 more lines, and
//! cut every track into pieces. Two lines of six characters, with openings as letters, fit a small
//! screen, but a route must then be read letter by letter. Without walls, the eye follows a track.

use super::board::Mark;
use super::grid::column_letter;
use super::scene::cart_colour;
use super::{
    CartId, Colour, Direction, Event, Jewel, JewelCounts, Place, Square, SquareSet, State,
    TileOpenings, refuse,
};
use crate::rules::Charset;

/// The width of a square, in characters.
const SQUARE_WIDTH: usize = 8;
/// The height of a square, in lines.
const SQUARE_HEIGHT: usize = 3;
/// The column of a square's middle, counted from 0 at its left edge.
const MIDDLE_COLUMN: usize = 3;
/// The columns left and right of the grid. They contain the numbers of the rows and the carts on
/// the surface.
const SIDE_MARGIN: usize = 2;
/// The lines above and below the grid. They contain the letters of the columns and the carts on the
/// surface.
const TOP_MARGIN: usize = 2;

/// The characters with which a board is drawn, for one charset.
struct Glyphs {
    /// The character in the middle of a square, indexed by [`TileOpenings::bits`].
    track: [char; 16],
    chasm: char,
    /// The arrows in the order of [`Direction::ALL`].
    arrows: [char; 4],
}

const ASCII: Glyphs = Glyphs {
    track: ['.', '|', '-', '+', '|', '|', '+', '+', '-', '+', '-', '+', '+', '+', '+', '+'],
    chasm: '#',
    arrows: ['^', '>', 'v', '<'],
};

const UNICODE: Glyphs = Glyphs {
    track: [
        '\u{b7}', '\u{2575}', '\u{2576}', '\u{2514}', '\u{2577}', '\u{2502}', '\u{250c}',
        '\u{251c}', '\u{2574}', '\u{2518}', '\u{2500}', '\u{2534}', '\u{2510}', '\u{2524}',
        '\u{252c}', '\u{253c}',
    ],
    chasm: '\u{2592}',
    arrows: ['\u{2191}', '\u{2192}', '\u{2193}', '\u{2190}'],
};

/// Draws the board as text, with a star on every square that `recent` changed.
pub fn draw_board(state: &State, recent: &[Event], charset: Charset) -> Vec<String> {
    let pen = match charset {
        Charset::Ascii => &ASCII,
        Charset::Unicode => &UNICODE,
    };
    let mut sheet = TextSheet::new(state);
    sheet.draw_frame(state);
    let new = changed_squares(state, recent);
    for square in state.board.squares.iter() {
        sheet.draw_square(state, pen, square, new.contains(square));
    }
    for cart in state.all_carts() {
        sheet.draw_cart(state, pen, cart);
    }
    sheet.into_lines()
}

/// Returns the squares that the events changed in a visible way.
pub(super) fn changed_squares(state: &State, recent: &[Event]) -> SquareSet {
    let square = |event: &Event| match *event {
        Event::Laid { at, .. }
        | Event::Upgraded { at, .. }
        | Event::Sank { at, .. }
        | Event::Collided { at, .. } => Some(at),
        Event::Deposited { card, .. } => state.board.card_square(card),
        Event::Halted { cart, .. } | Event::Turned { cart, .. } => state.cart(cart).square(),
        _ => None,
    };
    recent.iter().filter_map(square).collect()
}

/// Returns the code of a cart on the board: the number of its seat and the first letter of its die
/// (`1w`). In the solo game it is the letter of its colour.
pub fn cart_code(state: &State, cart: CartId) -> Vec<char> {
    if state.numbers.is_solo() {
        return vec![cart_colour(state, cart).letter()];
    }
    let word = refuse::cart_order_word(state, cart).chars().next().unwrap_or(' ');
    vec![to_digit_char(state.owner(cart).number()), word]
}

fn to_digit_char(number: u8) -> char {
    char::from_digit(number.into(), 10).unwrap_or('?')
}

/// The number of jewels that fit into a square. If there are more, the letter lists them below the
/// board.
pub const JEWELS_DRAWN_MAX: u32 = 6;

/// Returns the letters of the jewels on a square, the most valuable first. A plus sign replaces the
/// letters that do not fit.
fn jewel_letters(ground: JewelCounts) -> Vec<char> {
    let mut letters: Vec<char> = ground.single_jewels().rev().map(Jewel::letter).collect();
    if ground.total() > JEWELS_DRAWN_MAX {
        letters.truncate(JEWELS_DRAWN_MAX as usize - 1);
        letters.push('+');
    }
    letters
}

/// A grid of characters on which the board is drawn.
struct TextSheet(Vec<Vec<char>>);

impl TextSheet {
    fn new(state: &State) -> Self {
        let width = usize::from(state.board.columns) * SQUARE_WIDTH + 2 * SIDE_MARGIN;
        let height = usize::from(state.board.rows) * SQUARE_HEIGHT + 2 * TOP_MARGIN;
        Self(vec![vec![' '; width]; height])
    }

    fn write_at(&mut self, line: usize, column: usize, what: &[char]) {
        let cells = self.0.get_mut(line).into_iter().flatten().skip(column);
        for (cell, &character) in cells.zip(what) {
            *cell = character;
        }
    }

    /// Draws the letters of the columns and the numbers of the rows, on both sides.
    fn draw_frame(&mut self, state: &State) {
        let (columns, rows) = (state.board.columns, state.board.rows);
        let last = self.0.len().saturating_sub(1);
        let right = SIDE_MARGIN + usize::from(columns) * SQUARE_WIDTH + 1;
        for column in 0..columns {
            let at = SIDE_MARGIN + usize::from(column) * SQUARE_WIDTH + MIDDLE_COLUMN;
            self.write_at(0, at, &[column_letter(column)]);
            self.write_at(last, at, &[column_letter(column)]);
        }
        for row in 0..rows {
            let number = [to_digit_char(row + 1)];
            let at = TOP_MARGIN + usize::from(row) * SQUARE_HEIGHT + 1;
            self.write_at(at, 0, &number);
            self.write_at(at, right, &number);
        }
    }

    fn draw_square(&mut self, state: &State, pen: &Glyphs, square: Square, is_new: bool) {
        let (line, column) = square_corner(square);
        if is_new {
            self.write_at(line, column + SQUARE_WIDTH - 2, &['*']);
        }
        let sunk = |colour: &Colour| state.sunk[colour.index()].contains(square);
        if let Some(colour) = Colour::ALL.into_iter().find(sunk) {
            self.write_at(line, column, &[pen.chasm; SQUARE_WIDTH - 2]);
            self.write_at(line + 1, column, &[pen.chasm; SQUARE_WIDTH - 1]);
            self.write_at(line + 1, column + MIDDLE_COLUMN, &[colour.letter()]);
            self.write_at(line + 2, column, &[pen.chasm; SQUARE_WIDTH - 1]);
            return;
        }
        match state.board.mine_squares[square] {
            Some(Mark { colour, number: 0 }) => {
                self.write_at(line + 1, column + MIDDLE_COLUMN - 1, &['[', colour.letter(), ']']);
                return;
            }
            Some(Mark { number, .. }) => {
                self.write_at(line, column, &['(', to_digit_char(number), ')']);
            }
            None => {}
        }
        self.draw_track(pen, (line, column), state.track[square]);
        let jewels = jewel_letters(state.ground[square]);
        let (left, right) = jewels.split_at(jewels.len().min(MIDDLE_COLUMN));
        self.write_at(line + 2, column, left);
        self.write_at(line + 2, column + MIDDLE_COLUMN + 1, right);
    }

    fn draw_track(&mut self, pen: &Glyphs, (line, column): (usize, usize), ends: TileOpenings) {
        let middle = column + MIDDLE_COLUMN;
        let [across, along] = [0b1010, 0b0101].map(|straight: usize| pen.track[straight]);
        self.write_at(line + 1, middle, &[pen.track[ends.bits()]]);
        for way in ends.iter() {
            match way {
                Direction::North => self.write_at(line, middle, &[along]),
                Direction::South => self.write_at(line + 2, middle, &[along]),
                Direction::West => self.write_at(line + 1, column, &[across; MIDDLE_COLUMN]),
                Direction::East => {
                    self.write_at(
                        line + 1,
                        middle + 1,
                        &[across; SQUARE_WIDTH - MIDDLE_COLUMN - 1],
                    );
                }
            }
        }
    }

    fn draw_cart(&mut self, state: &State, pen: &Glyphs, id: CartId) {
        let cart = state.cart(id);
        let mut code = cart_code(state, id);
        match cart.place {
            Place::Track(square) => {
                let (line, column) = square_corner(square);
                code.extend([pen.arrows[cart.facing.index()], to_digit_char(cart.speed)]);
                self.write_at(line + 1, column + MIDDLE_COLUMN - 1, &code);
            }
            Place::Surface(berth) => {
                let (line, column) =
                    state.board.entry_square(berth).map(square_corner).unwrap_or_default();
                let bottom = self.0.len().saturating_sub(TOP_MARGIN);
                let right = self.0.first().map_or(0, Vec::len).saturating_sub(SIDE_MARGIN);
                let (line, column) = match berth.side {
                    Direction::North => (TOP_MARGIN - 1, column + MIDDLE_COLUMN),
                    Direction::South => (bottom, column + MIDDLE_COLUMN),
                    Direction::West => (line, 0),
                    Direction::East => (line, right),
                };
                self.write_at(line, column, &code);
            }
            Place::Supply | Place::Gone => {}
        }
    }

    fn into_lines(self) -> Vec<String> {
        let text = |line: Vec<char>| line.into_iter().collect::<String>().trim_end().to_owned();
        self.0.into_iter().map(text).collect()
    }
}

/// Returns the line and the column of a square's upper left character.
fn square_corner(square: Square) -> (usize, usize) {
    let (row, column) = (usize::from(square.row()), usize::from(square.column()));
    (TOP_MARGIN + row * SQUARE_HEIGHT, SIDE_MARGIN + column * SQUARE_WIDTH)
}
