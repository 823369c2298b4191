//! The board as text: three lines of eight characters a square, its track running through the
//! middle.
//!
//! ```text
//! R3 |  *     the mine and the number; a star where something is new
//! --1w>3--    the cart: seat, die, facing, speed; or the shape of the track
//! rd |        what lies there
//! ```
//!
//! Two other designs were tried on real positions. Walls around the squares cost 13 lines more and
//! cut every track into pieces. Two lines of six characters, with openings as letters, fit a small
//! screen, but a way can then be read only letter by letter. Without walls the eye follows a track.

use super::board::Mark;
use super::grid::column_letter;
use super::{
    CartId, Colour, Ends, Event, Hoard, Jewel, Place, Square, SquareSet, State, Way, refuse,
};
use crate::rules::Charset;

/// Columns of the sheet that a square takes.
const WIDTH: usize = 8;
/// Lines of the sheet that a square takes.
const HEIGHT: usize = 3;
/// The column of the middle of a square.
const MIDDLE: usize = 3;
/// Columns left and right of the board, for the rows' numbers and carts on the surface.
const MARGIN: usize = 2;
/// Lines above and below the board, for the columns' letters and carts on the surface.
const HEAD: usize = 2;

/// The characters of one charset.
struct Pen {
    /// The middle of a square, by the openings of its tile.
    track: [char; 16],
    chasm: char,
    /// Arrows, in the order of [`Way::ALL`].
    arrows: [char; 4],
}

const ASCII: Pen = Pen {
    track: ['.', '|', '-', '+', '|', '|', '+', '+', '-', '+', '-', '+', '+', '+', '+', '+'],
    chasm: '#',
    arrows: ['^', '>', 'v', '<'],
};

const UNICODE: Pen = Pen {
    track: [
        '\u{b7}', '\u{2575}', '\u{2576}', '\u{2514}', '\u{2577}', '\u{2502}', '\u{250c}',
        '\u{251c}', '\u{2574}', '\u{2518}', '\u{2500}', '\u{2534}', '\u{2510}', '\u{2524}',
        '\u{252c}', '\u{253c}',
    ],
    chasm: '\u{2592}',
    arrows: ['\u{2191}', '\u{2192}', '\u{2193}', '\u{2190}'],
};

/// The board, with a star on every square that `recent` changed.
pub fn draw(state: &State, recent: &[Event], charset: Charset) -> Vec<String> {
    let pen = match charset {
        Charset::Ascii => &ASCII,
        Charset::Unicode => &UNICODE,
    };
    let mut sheet = Sheet::new(state);
    sheet.frame(state);
    let new = changed(state, recent);
    for square in state.board.squares.iter() {
        sheet.square(state, pen, square, new.contains(square));
    }
    for cart in state.all_carts() {
        sheet.cart(state, pen, cart);
    }
    sheet.lines()
}

/// The squares where something is new.
pub(super) fn changed(state: &State, recent: &[Event]) -> SquareSet {
    let square = |event: &Event| match *event {
        Event::Laid { at, .. }
        | Event::Upgraded { at, .. }
        | Event::Sank { at, .. }
        | Event::Collided { at, .. } => Some(at),
        Event::Deposited { card, .. } => state.board.mined(card),
        Event::Halted { cart, .. } | Event::Turned { cart, .. } => state.cart(cart).square(),
        _ => None,
    };
    recent.iter().filter_map(square).collect()
}

/// The letters that stand for a cart: seat and die, or its colour in the solo game.
pub fn cart_code(state: &State, cart: CartId) -> Vec<char> {
    let word = refuse::cart_word(state, cart).chars().next().unwrap_or(' ');
    if state.numbers.is_solo() {
        return vec![word.to_ascii_uppercase()];
    }
    vec![digit(state.owner(cart).number()), word]
}

fn digit(number: u8) -> char {
    char::from_digit(number.into(), 10).unwrap_or('?')
}

/// The number of jewels that fit into a square. The rest is listed below the board.
pub const JEWELS_DRAWN: u32 = 6;

/// The letters of what lies on a square, the best first; a plus where there is more.
fn jewels(ground: Hoard) -> Vec<char> {
    let mut letters: Vec<char> = ground.pieces().rev().map(Jewel::letter).collect();
    if ground.total() > JEWELS_DRAWN {
        letters.truncate(JEWELS_DRAWN as usize - 1);
        letters.push('+');
    }
    letters
}

/// Lines of characters.
struct Sheet(Vec<Vec<char>>);

impl Sheet {
    fn new(state: &State) -> Self {
        let width = usize::from(state.board.columns) * WIDTH + 2 * MARGIN;
        let height = usize::from(state.board.rows) * HEIGHT + 2 * HEAD;
        Self(vec![vec![' '; width]; height])
    }

    fn put(&mut self, line: usize, column: usize, what: &[char]) {
        let cells = self.0.get_mut(line).into_iter().flatten().skip(column);
        for (cell, &character) in cells.zip(what) {
            *cell = character;
        }
    }

    /// Letters of the columns and numbers of the rows, on both sides.
    fn frame(&mut self, state: &State) {
        let (columns, rows) = (state.board.columns, state.board.rows);
        let last = self.0.len().saturating_sub(1);
        let right = MARGIN + usize::from(columns) * WIDTH + 1;
        for column in 0..columns {
            let at = MARGIN + usize::from(column) * WIDTH + MIDDLE;
            self.put(0, at, &[column_letter(column)]);
            self.put(last, at, &[column_letter(column)]);
        }
        for row in 0..rows {
            let number = [digit(row + 1)];
            let at = HEAD + usize::from(row) * HEIGHT + 1;
            self.put(at, 0, &number);
            self.put(at, right, &number);
        }
    }

    fn square(&mut self, state: &State, pen: &Pen, square: Square, is_new: bool) {
        let (line, column) = corner(square);
        if is_new {
            self.put(line, column + WIDTH - 2, &['*']);
        }
        let sunk = |colour: &Colour| state.sunk[colour.index()].contains(square);
        if let Some(colour) = Colour::ALL.into_iter().find(sunk) {
            self.put(line, column, &[pen.chasm; WIDTH - 2]);
            self.put(line + 1, column, &[pen.chasm; WIDTH - 1]);
            self.put(line + 1, column + MIDDLE, &[colour.letter()]);
            self.put(line + 2, column, &[pen.chasm; WIDTH - 1]);
            return;
        }
        match state.board.marks[square] {
            Some(Mark { colour, number: 0 }) => {
                self.put(line + 1, column + MIDDLE - 1, &['[', colour.letter(), ']']);
                return;
            }
            Some(Mark { colour, number }) => {
                self.put(line, column, &[colour.letter(), digit(number)]);
            }
            None => {}
        }
        self.track(pen, (line, column), state.track[square]);
        let jewels = jewels(state.ground[square]);
        let (left, right) = jewels.split_at(jewels.len().min(MIDDLE));
        self.put(line + 2, column, left);
        self.put(line + 2, column + MIDDLE + 1, right);
    }

    fn track(&mut self, pen: &Pen, (line, column): (usize, usize), ends: Ends) {
        let middle = column + MIDDLE;
        let [across, along] = [0b1010, 0b0101].map(|straight: usize| pen.track[straight]);
        self.put(line + 1, middle, &[pen.track[ends.bits()]]);
        for way in ends.iter() {
            match way {
                Way::North => self.put(line, middle, &[along]),
                Way::South => self.put(line + 2, middle, &[along]),
                Way::West => self.put(line + 1, column, &[across; MIDDLE]),
                Way::East => self.put(line + 1, middle + 1, &[across; WIDTH - MIDDLE - 1]),
            }
        }
    }

    fn cart(&mut self, state: &State, pen: &Pen, id: CartId) {
        let cart = state.cart(id);
        let mut code = cart_code(state, id);
        match cart.place {
            Place::Track(square) => {
                let (line, column) = corner(square);
                code.extend([pen.arrows[cart.facing.index()], digit(cart.speed)]);
                self.put(line + 1, column + MIDDLE - 1, &code);
            }
            Place::Surface(berth) => {
                let (line, column) = state.board.gate(berth).map(corner).unwrap_or_default();
                let bottom = self.0.len().saturating_sub(HEAD);
                let right = self.0.first().map_or(0, Vec::len).saturating_sub(MARGIN);
                let (line, column) = match berth.side {
                    Way::North => (HEAD - 1, column + MIDDLE),
                    Way::South => (bottom, column + MIDDLE),
                    Way::West => (line, 0),
                    Way::East => (line, right),
                };
                self.put(line, column, &code);
            }
            Place::Supply | Place::Gone => {}
        }
    }

    fn lines(self) -> Vec<String> {
        let text = |line: Vec<char>| line.into_iter().collect::<String>().trim_end().to_owned();
        self.0.into_iter().map(text).collect()
    }
}

/// The line and column of the sheet where a square begins.
fn corner(square: Square) -> (usize, usize) {
    let (row, column) = (usize::from(square.row()), usize::from(square.column()));
    (HEAD + row * HEIGHT, MARGIN + column * WIDTH)
}
