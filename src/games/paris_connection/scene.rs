//! Draws the part of the map that is in play as a picture, or the whole map over a backdrop.

use super::colour::Colour;
use super::definition::{BarrierKind, Edge};
use super::draw::was_just_placed;
use super::hex::{Hex, HexSet};
use super::state::{Event, State};
use crate::rules::{
    FONT_SIZE_MIN, Fill, Ink, Message, PictureStyle, Point, SCENE_WIDTH, Scene, Shape,
};

/// The width of the strip left of the map, which holds the letters of the rows.
const LEFT_MARGIN: i32 = 28;
/// The height of the strip above the map, which holds the numbers of the columns.
const TOP_MARGIN: i32 = 36;
/// The largest half width of a hex. It keeps the picture of a new game small.
const HALF_WIDTH_MAX: i32 = 32;
/// The height of the legend below the map.
const LEGEND_HEIGHT: i32 = 104;
const WHITE: Fill = Fill::plain(Ink::PAPER);

/// Draws the part of the map in play as a picture, or the whole map if `style` has a backdrop. The
/// hexes where `recent` placed locomotives are outlined.
pub fn draw_scene(state: &State, recent: &[Event], style: PictureStyle) -> Scene {
    let mut painter = MapPainter::new(state, style);
    let legend = i32::from(painter.scene.height) - LEGEND_HEIGHT;
    painter.draw_coordinates();
    painter.draw_land();
    let mut content: Vec<(Hex, Vec<Colour>)> =
        painter.shown.iter().map(|&hex| (hex, locomotives_on(state, hex))).collect();
    if style.has_backdrop {
        let free: Vec<_> = painter.shown.iter().map(|&hex| (hex, Vec::new())).collect();
        let letters = painter.draw_hexes(&free);
        painter.draw_tower();
        painter.draw_barriers(|_| true);
        painter.scene.shapes.extend(letters);
        draw_legend(&mut painter.scene, state, style, legend);
        painter.scene.end_backdrop();
        content.retain(|(_, locomotives)| !locomotives.is_empty());
    }
    let letters = painter.draw_hexes(&content);
    if !style.has_backdrop {
        painter.draw_tower();
    }
    painter.draw_barriers(|hex| content.iter().any(|(drawn, _)| *drawn == hex));
    let is_new =
        |hex: &Hex| Colour::ALL.iter().any(|&colour| was_just_placed(recent, colour, *hex));
    for hex in painter.shown.clone().into_iter().filter(is_new) {
        let corners = painter.outline(hex);
        painter.scene.add_polygon_outline(&corners, 6, Ink::PAPER);
        painter.scene.add_polygon_outline(&corners, 4, Ink::NEW);
    }
    painter.scene.shapes.extend(letters);
    if !style.has_backdrop {
        draw_legend(&mut painter.scene, state, style, legend);
    }
    painter.scene
}

fn locomotives_on(state: &State, hex: Hex) -> Vec<Colour> {
    let Some(id) = state.board.hex_id(hex) else { return Vec::new() };
    Colour::ALL.into_iter().filter(|&colour| state.locomotives[colour].contains(id)).collect()
}

/// Returns the hexes in play: those with locomotives, and those that one build can reach from them.
fn hexes_in_play(state: &State) -> HexSet {
    let board = &*state.board;
    let occupied = state.occupied_hexes().0;
    let steps = usize::from(state.numbers.build_most);
    board.rings(occupied, board.land).take(steps).fold(occupied, HexSet::or)
}

/// Draws a rectangular part of the map. The size of a hex depends on the number of columns in that
/// part.
struct MapPainter<'s> {
    scene: Scene,
    state: &'s State,
    style: PictureStyle,
    /// The hexes inside the rectangle, without the tower.
    shown: Vec<Hex>,
    first_column: i32,
    first_row: i32,
    /// Half the width of a hex. Columns of adjacent numbers are this far apart.
    half: i32,
}

impl<'s> MapPainter<'s> {
    fn new(state: &'s State, style: PictureStyle) -> Self {
        let board = &*state.board;
        let mut in_play: Vec<Hex> = match style.has_backdrop {
            true => board.names.clone(),
            false => hexes_in_play(state).iter().map(|id| board.hex_name(id)).collect(),
        };
        in_play.push(board.map.paris);
        let columns = || in_play.iter().map(|hex| hex.column());
        let rows = || in_play.iter().map(|hex| hex.row());
        let (first_column, last_column) =
            (columns().min().unwrap_or_default(), columns().max().unwrap_or_default());
        let (first_row, last_row) =
            (rows().min().unwrap_or_default(), rows().max().unwrap_or_default());
        let is_shown = |hex: &&Hex| {
            (first_column..=last_column).contains(&hex.column())
                && (first_row..=last_row).contains(&hex.row())
        };
        let shown = board.names.iter().filter(is_shown).copied().collect();
        let halves = i32::from(last_column - first_column) + 2;
        let mut painter = Self {
            scene: Scene::new(0, Ink::SEA),
            state,
            style,
            shown,
            first_column: first_column.into(),
            first_row: first_row.into(),
            half: ((i32::from(SCENE_WIDTH) - LEFT_MARGIN) / halves).min(HALF_WIDTH_MAX),
        };
        let bottom = painter.row_y(last_row) + painter.corner_heights().0 + 10;
        painter.scene.height = u16::try_from(bottom + LEGEND_HEIGHT).unwrap_or(u16::MAX);
        painter
    }

    /// Returns the vertical distances of a hex's corners from its centre: of the top corner, and of
    /// the corners at the sides.
    const fn corner_heights(&self) -> (i32, i32) {
        (self.half * 23 / 20, self.half * 12 / 20)
    }

    fn row_y(&self, row: u8) -> i32 {
        let (top, side) = self.corner_heights();
        TOP_MARGIN + top + (i32::from(row) - self.first_row) * (top + side)
    }

    fn column_x(&self, column: u8) -> i32 {
        LEFT_MARGIN + self.half * (i32::from(column) - self.first_column + 1)
    }

    fn centre(&self, hex: Hex) -> Point {
        (self.column_x(hex.column()), self.row_y(hex.row()))
    }

    /// Returns the corners of a hex, clockwise from the north.
    fn corners(&self, hex: Hex) -> Vec<Point> {
        let ((x, y), half, (top, side)) = (self.centre(hex), self.half, self.corner_heights());
        let corners =
            [(0, -top), (half, -side), (half, side), (0, top), (-half, side), (-half, -side)];
        corners.into_iter().map(|(right, down)| (x + right, y + down)).collect()
    }

    /// Returns the corners of what is drawn on a hex. A city is a hex with two blunt corners, so
    /// that its letters have room.
    fn outline(&self, hex: Hex) -> Vec<Point> {
        if self.state.board.city_on(hex).is_none() {
            return self.corners(hex);
        }
        let ((x, y), half, (top, side)) = (self.centre(hex), self.half, self.corner_heights());
        let (blunt, side) = (half * 12 / 20, side + half / 20);
        let right = [(blunt, -top), (half, -side), (half, side), (blunt, top)];
        let left = right.iter().rev().map(|&(right, down)| (-right, down));
        right.into_iter().chain(left).map(|(right, down)| (x + right, y + down)).collect()
    }

    /// Returns a font size that grows with the hexes. `size` is the size on the whole map.
    fn font_size(&self, size: i32) -> u8 {
        u8::try_from(size * self.half / 20).unwrap_or(u8::MAX).max(FONT_SIZE_MIN)
    }

    fn write(&mut self, at: Point, size: i32, back: Ink, text: impl Into<String>) {
        let size = self.font_size(size);
        self.scene.add_centred_text(at, size, back.text_colour(), text);
    }

    /// Draws the letters of the rows on the left, and the numbers of every second column at the
    /// top.
    fn draw_coordinates(&mut self) {
        let mut rows: Vec<u8> = self.shown.iter().map(|hex| hex.row()).collect();
        rows.dedup();
        for row in rows {
            let at = (LEFT_MARGIN / 2, self.row_y(row));
            self.scene.add_centred_text(at, FONT_SIZE_MIN, Ink::GREY, char::from(b'A' + row));
        }
        let columns = self.shown.iter().map(|hex| hex.column());
        let last = columns.max().unwrap_or_default();
        let first = u8::try_from(self.first_column | 1).unwrap_or_default();
        for column in (first..=last).step_by(2) {
            let at = (self.column_x(column), TOP_MARGIN / 2);
            self.scene.add_centred_text(at, FONT_SIZE_MIN, Ink::GREY, column.to_string());
        }
    }

    fn draw_land(&mut self) {
        for hex in self.shown.clone() {
            let corners = self.corners(hex);
            self.scene.add_polygon(corners.clone(), Fill::plain(Ink::LAND));
            self.scene.add_polygon_outline(&corners, 1, Ink::FAINT);
        }
    }

    /// Draws cities and locomotives without their letters. Returns the letters, which are drawn
    /// last, so that nothing covers them.
    fn draw_hexes(&mut self, content: &[(Hex, Vec<Colour>)]) -> Vec<Shape> {
        let mut letters = Vec::new();
        for (hex, locomotives) in content {
            let begun = self.scene.shapes.len();
            self.draw_hex_content(*hex, locomotives);
            let is_text = |shape: &mut Shape| matches!(shape, Shape::Text { .. });
            letters.extend(self.scene.shapes.extract_if(begun.., is_text));
        }
        letters
    }

    fn draw_hex_content(&mut self, hex: Hex, built: &[Colour]) {
        let (state, style) = (self.state, self.style);
        let board = &*state.board;
        let letter = |colour: Colour| board.letters[colour].to_string();
        let fill = |colour: Colour| style.fill(colour.ink_and_pattern());
        let ((x, y), half) = (self.centre(hex), self.half);
        if let Some(city) = board.city_on(hex) {
            let back = built.first().map_or(WHITE, |&colour| fill(colour));
            let corners = self.outline(hex);
            self.scene.add_polygon(corners.clone(), back);
            self.scene.add_polygon_outline(&corners, 3, Ink::DARK);
            let below = built.first().map_or(city.value.to_string(), |&colour| letter(colour));
            self.write((x, y - half * 11 / 20), 21, back.ink, city.code.clone());
            self.write((x, y + half * 11 / 20), 21, back.ink, below);
            return;
        }
        match *built {
            [] => {}
            [colour] => {
                let (back, corners) = (fill(colour), self.corners(hex));
                self.scene.add_polygon(corners.clone(), back);
                self.scene.add_polygon_outline(&corners, 1, Ink::DARK);
                if board.hex_id(hex).is_some_and(|id| board.start_hexes.contains(id)) {
                    let radius = |part: i32| u8::try_from(half * part / 20).unwrap_or_default();
                    self.scene.add_disc((x, y), radius(17), Ink::PAPER);
                    self.scene.add_disc((x, y), radius(14), back.ink);
                }
                self.write((x, y), 24, back.ink, letter(colour));
            }
            [one, other, ..] => {
                let corners = self.corners(hex);
                for (colour, places, x) in
                    [(one, [0, 3, 4, 5], x - half / 2), (other, [0, 1, 2, 3], x + half / 2)]
                {
                    let side = places.into_iter().filter_map(|at| corners.get(at).copied());
                    let back = fill(colour);
                    self.scene.add_polygon(side, back);
                    self.write((x, y), 22, back.ink, letter(colour));
                }
                self.scene.add_polygon_outline(&corners, 1, Ink::DARK);
            }
        }
    }

    fn draw_tower(&mut self) {
        let hex = self.state.board.map.paris;
        let ((x, y), corners, half) = (self.centre(hex), self.corners(hex), self.half);
        self.scene.add_polygon(corners, Fill::plain(Ink::DARK));
        for side in [1, -1] {
            let tower = [(0, -17), (5, 0), (11, 13), (4, 13), (0, 6)];
            let tower =
                tower.map(|(right, down)| (x + side * right * half / 20, y + down * half / 20));
            self.scene.add_polygon(tower, WHITE);
        }
    }

    /// Draws the barriers at these hexes.
    fn draw_barriers(&mut self, is_hex_drawn: impl Fn(Hex) -> bool) {
        for (Edge(one, other), kind) in &self.state.board.barriers {
            if !is_hex_drawn(*one) && !is_hex_drawn(*other) {
                continue;
            }
            if !self.shown.contains(one) || !self.shown.contains(other) {
                continue;
            }
            let far = self.corners(*other);
            let shared: Vec<Point> =
                self.corners(*one).into_iter().filter(|corner| far.contains(corner)).collect();
            let ink = match kind {
                BarrierKind::Mountain => Ink::BARRIER,
                BarrierKind::Water => Ink([0x1f, 0x5f, 0x9a]),
            };
            self.scene.add_line(shared.iter().copied(), 10, Ink::PAPER);
            self.scene.add_line(shared, 7, ink);
        }
    }
}

/// Draws the legend: the six companies with their letters and names, and the meaning of the
/// symbols.
fn draw_legend(scene: &mut Scene, state: &State, style: PictureStyle, top: i32) {
    scene.add_rectangle((0, top), (i32::from(SCENE_WIDTH), LEGEND_HEIGHT), WHITE);
    let y = top + 30;
    for (place, colour) in (0..).zip(Colour::ALL) {
        let (x, back) = (8 + 130 * place, style.fill(colour.ink_and_pattern()));
        scene.add_rectangle((x, y - 15), (30, 30), back);
        let letter = state.board.letters[colour].to_string();
        scene.add_centred_text((x + 15, y), 22, back.ink.text_colour(), letter);
        scene.add_translated_sentence(
            ((x + 35, y), 94),
            22,
            Ink::DARK,
            Message::new(colour.term()),
        );
    }
    let y = y + 44;
    scene.add_rectangle((9, y - 15), (30, 30), WHITE);
    scene.add_rectangle_outline((9, y - 15), (30, 30), 3, Ink::DARK);
    scene.add_centred_text((24, y), 22, Ink::DARK, "3");
    scene.add_translated_sentence(((46, y), 264), 22, Ink::DARK, Message::new("pc-picture-city"));
    scene.add_line([(320, y - 14), (320, y + 14)], 7, Ink::BARRIER);
    let barrier = Message::new("pc-picture-barrier");
    scene.add_translated_sentence(((332, y), 262), 22, Ink::DARK, barrier);
    scene.add_rectangle_outline((602, y - 14), (28, 28), 4, Ink::NEW);
    scene.add_translated_sentence(((640, y), 136), 22, Ink::DARK, Message::new("pc-picture-new"));
}
