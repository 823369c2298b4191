//! Draws the board as text: three characters for each hex, and every second row shifted by half a
//! hex.

use super::board::Board;
use super::colour::Colour;
use super::definition::{BarrierKind, Edge};
use super::hex::{COLUMN_MAX, Hex, HexId};
use super::state::{Event, State};
use crate::rules::Charset;

/// The characters with which one charset shows the parts of the map.
struct Glyphs {
    rural: char,
    eiffel: char,
    mountain: char,
    water: char,
}

const ASCII: Glyphs = Glyphs { rural: '.', eiffel: '*', mountain: '#', water: '#' };
const UNICODE: Glyphs =
    Glyphs { rural: '\u{b7}', eiffel: '\u{2020}', mountain: '\u{25b2}', water: '\u{2248}' };

/// Draws the board as lines of text. A free city shows its code and value (`Ly3`), and a taken city
/// its code and the company (`LyR`). A start shows its locomotive (`(R)`). A rural hex shows none,
/// one or two locomotives (` . `, ` R `, `U+R`). Locomotives that `recent` placed are small
/// letters.
pub fn draw_board(state: &State, recent: &[Event], charset: Charset) -> Vec<String> {
    let pen = match charset {
        Charset::Ascii => &ASCII,
        Charset::Unicode => &UNICODE,
    };
    let board = &*state.board;
    let mut sheet = TextSheet::new(board);
    for &hex in &board.names {
        if let Some(id) = board.hex_id(hex) {
            sheet.write_at(
                text_line_of_hex(hex),
                text_column_of_hex(hex) - 1,
                &draw_cell(state, recent, pen, hex, id),
            );
        }
    }
    sheet.write_at(
        text_line_of_hex(board.map.paris),
        text_column_of_hex(board.map.paris) - 1,
        &['[', pen.eiffel, ']'],
    );
    for (Edge(one, other), kind) in &board.barriers {
        let mark = match kind {
            BarrierKind::Mountain => pen.mountain,
            BarrierKind::Water => pen.water,
        };
        let between = (text_line_of_hex(*one) + text_line_of_hex(*other)) / 2;
        sheet.write_at(
            between,
            (text_column_of_hex(*one) + text_column_of_hex(*other)) / 2,
            &[mark],
        );
    }
    sheet.into_lines()
}

/// Returns the line of text on which a hex is drawn. Line 0 holds the column numbers, and a line
/// between two rows holds barriers.
fn text_line_of_hex(hex: Hex) -> usize {
    1 + 2 * usize::from(hex.row())
}

/// Returns the column of text of a hex's middle character.
fn text_column_of_hex(hex: Hex) -> usize {
    2 + 2 * usize::from(hex.column())
}

fn draw_cell(state: &State, recent: &[Event], pen: &Glyphs, hex: Hex, id: HexId) -> [char; 3] {
    let board = &state.board;
    let stands = |colour: &Colour| state.locomotives[*colour].contains(id);
    let mut letters = Colour::ALL.into_iter().filter(stands).map(|colour| {
        let letter = board.letters[colour];
        if was_just_placed(recent, colour, hex) { letter.to_ascii_lowercase() } else { letter }
    });
    let (one, two) = (letters.next(), letters.next());
    if board.start_hexes.contains(id) {
        return ['(', one.unwrap_or(' '), ')'];
    }
    if let Some(city) = board.city_on(hex) {
        let mut code = city.code.chars();
        let value = char::from_digit(u32::from(city.value), 10).unwrap_or('+');
        let (first, second) = (code.next().unwrap_or(' '), code.next().unwrap_or(' '));
        return [first, second, one.unwrap_or(value)];
    }
    match (one, two) {
        (None, _) => [' ', pen.rural, ' '],
        (Some(one), None) => [' ', one, ' '],
        (Some(one), Some(two)) => [one, '+', two],
    }
}

pub(super) fn was_just_placed(recent: &[Event], colour: Colour, hex: Hex) -> bool {
    recent.iter().any(|event| match event {
        Event::Placed { colour: placed, hex: at, .. } => (*placed, *at) == (colour, hex),
        _ => false,
    })
}

struct TextSheet(Vec<Vec<char>>);

impl TextSheet {
    /// Creates an empty sheet with the letters of the rows and the numbers of the columns.
    fn new(board: &Board) -> Self {
        let last = board.names.iter().map(|&hex| text_line_of_hex(hex)).max().unwrap_or_default();
        let mut sheet = Self(vec![Vec::new(); last + 1]);
        for column in (1..=COLUMN_MAX).step_by(2) {
            let number: Vec<char> = column.to_string().chars().collect();
            sheet.write_at(0, 2 + 2 * usize::from(column), &number);
        }
        for &hex in &board.names {
            sheet.write_at(text_line_of_hex(hex), 0, &[char::from(b'A' + hex.row())]);
        }
        sheet
    }

    fn write_at(&mut self, line: usize, column: usize, marks: &[char]) {
        let Some(line) = self.0.get_mut(line) else { return };
        if line.len() < column + marks.len() {
            line.resize(column + marks.len(), ' ');
        }
        line.iter_mut().skip(column).zip(marks).for_each(|(place, mark)| *place = *mark);
    }

    fn into_lines(self) -> Vec<String> {
        let text = |line: Vec<char>| line.into_iter().collect::<String>().trim_end().to_owned();
        self.0.into_iter().map(text).collect()
    }
}
