//! The board as a picture. Track runs through the middle of the squares.

use super::board::Mark;
use super::colour::Colour;
use super::draw::{cart_code, changed_squares};
use super::event::Event;
use super::grid::{Direction, Square, column_letter};
use super::jewel::{Jewel, JewelCounts};
use super::order::{CartId, SurfaceSquare};
use super::state::{Place, State};
use crate::rules::{FONT_SIZE_MIN, Fill, Ink, Message, Pattern, PictureStyle, Point, Scene};

/// The width of the strip around the grid, in units of the scene. It contains the coordinates and
/// the carts on the surface.
const MARGIN: i32 = 58;
/// The height of the legend, in units of the scene.
const LEGEND_HEIGHT: i32 = 122;
/// The radius of a jewel's disc.
const JEWEL_RADIUS: u8 = 14;
/// The maximum number of jewels that are drawn on a square. If there are more, the last place shows
/// their number.
pub(super) const JEWELS_PICTURED_MAX: usize = 5;
/// The radius of a cart's disc, without its edge.
const CART_RADIUS: u8 = 27;
const GREEN: Ink = Ink([0x2f, 0xa0, 0x68]);
const TRACK: Ink = Ink([0x5b, 0x4a, 0x3a]);

/// Draws the board as a picture, with a frame around every square that `recent` changed.
pub fn draw_scene(state: &State, recent: &[Event], style: PictureStyle) -> Scene {
    let grid = BoardGeometry::new(state);
    let bottom = 2 * MARGIN + grid.side * i32::from(state.board.rows);
    let height = u16::try_from(bottom + LEGEND_HEIGHT).unwrap_or(u16::MAX);
    let mut scene = Scene::new(height, Ink::PAPER);
    grid.draw_sides(&mut scene, state, style);
    if style.has_backdrop {
        for square in state.board.squares.iter() {
            grid.draw_ground(&mut scene, state, square, style);
        }
        draw_legend(&mut scene, bottom + 24);
        scene.end_backdrop();
    }
    for square in state.board.squares.iter() {
        if !style.has_backdrop || has_pieces(state, square) {
            grid.draw_square(&mut scene, state, square, style);
        }
    }
    for square in changed_squares(state, recent).iter() {
        let (x, y) = grid.square_corner(square);
        let side = grid.side - 4;
        scene.add_rectangle_outline((x + 2, y + 2), (side, side), 4, Ink::NEW);
    }
    for cart in state.all_carts() {
        grid.draw_cart(&mut scene, state, cart);
    }
    if !style.has_backdrop {
        draw_legend(&mut scene, bottom + 24);
    }
    scene
}

/// Whether a square contains anything that was not on it at the start.
fn has_pieces(state: &State, square: Square) -> bool {
    state.collapsed_squares().contains(square)
        || state.track[square].iter().next().is_some()
        || state.ground[square].total() > 0
}

/// The positions of the grid's squares in the scene, in units.
struct BoardGeometry {
    /// The length of a square's side.
    side: i32,
    /// The left edge of the grid. The grid is centred in the scene.
    left: i32,
    columns: i32,
    rows: i32,
}

/// Returns the ink and the pattern that show a colour of the game. The pattern serves readers who
/// do not see colours.
const fn ink_and_pattern(colour: Colour) -> (Ink, Pattern) {
    match colour {
        Colour::Red => (Ink::RED, Pattern::Rising),
        Colour::Yellow => (Ink::YELLOW, Pattern::Dotted),
        Colour::Green => (GREEN, Pattern::Falling),
        Colour::Blue => (Ink::BLUE, Pattern::Level),
    }
}

/// Returns the ink that shows a colour of the game.
pub(super) const fn colour_ink(colour: Colour) -> Ink {
    ink_and_pattern(colour).0
}

const fn jewel_ink(jewel: Jewel) -> Ink {
    match jewel {
        Jewel::Rock => Ink([0x8a, 0x8d, 0x90]),
        Jewel::Ruby => Ink::RED,
        Jewel::Emerald => GREEN,
        Jewel::Gold => Ink::YELLOW,
        Jewel::Diamond => Ink::BLUE,
    }
}

impl BoardGeometry {
    fn new(state: &State) -> Self {
        let (columns, rows) = (i32::from(state.board.columns), i32::from(state.board.rows));
        let side = (780 - 2 * MARGIN) / columns.max(rows).max(1);
        Self { side, left: (780 - side * columns) / 2, columns, rows }
    }

    fn square_corner(&self, square: Square) -> Point {
        let (column, row) = (i32::from(square.column()), i32::from(square.row()));
        (self.left + column * self.side, MARGIN + row * self.side)
    }

    fn square_middle(&self, square: Square) -> Point {
        let (x, y) = self.square_corner(square);
        (x + self.side / 2, y + self.side / 2)
    }

    /// Draws the four sides in their colours, the letters of the columns at the top, and the
    /// numbers of the rows on the left.
    fn draw_sides(&self, scene: &mut Scene, state: &State, style: PictureStyle) {
        let (width, height) = (self.columns * self.side, self.rows * self.side);
        let bar = |side: Direction| match side {
            Direction::North => ((self.left, MARGIN - 8), (width, 8)),
            Direction::South => ((self.left, MARGIN + height), (width, 8)),
            Direction::West => ((self.left - 8, MARGIN), (8, height)),
            Direction::East => ((self.left + width, MARGIN), (8, height)),
        };
        for side in Direction::ALL {
            let (corner, size) = bar(side);
            scene.add_rectangle(
                corner,
                size,
                style.fill(ink_and_pattern(state.board.side_colours[side.index()])),
            );
        }
        for column in 0..state.board.columns {
            let x = self.left + i32::from(column) * self.side + self.side / 2;
            scene.add_centred_text((x, 26), 24, Ink::GREY, column_letter(column));
        }
        for row in 0..state.board.rows {
            let y = MARGIN + i32::from(row) * self.side + self.side / 2;
            scene.add_centred_text((self.left - 30, y), 24, Ink::GREY, (row + 1).to_string());
        }
    }

    fn draw_square(&self, scene: &mut Scene, state: &State, square: Square, style: PictureStyle) {
        if !state.collapsed_squares().contains(square) {
            self.draw_ground(scene, state, square, style);
            let mark = state.board.mine_squares[square];
            if mark.is_none_or(|mark| mark.number > 0) {
                self.draw_track(scene, state, square);
                self.draw_jewels(scene, state.ground[square], square);
            }
            return;
        }
        self.draw_land(scene, square);
        let middle = self.square_middle(square);
        scene.add_disc(middle, 36, Ink::DARK);
        let sunk = |colour: &Colour| state.sunk[colour.index()].contains(square);
        if let Some(colour) = Colour::ALL.into_iter().find(sunk) {
            scene.add_disc(middle, 18, colour_ink(colour));
            let ink = colour_ink(colour).text_colour();
            scene.add_centred_text(middle, 26, ink, colour.letter());
        }
    }

    fn draw_land(&self, scene: &mut Scene, square: Square) {
        let (corner, size) = (self.square_corner(square), (self.side, self.side));
        scene.add_rectangle(corner, size, Fill::plain(Ink::LAND));
        scene.add_rectangle_outline(corner, size, 1, Ink::FAINT);
    }

    /// Draws a square as it is at the start: its land and its mine.
    fn draw_ground(&self, scene: &mut Scene, state: &State, square: Square, style: PictureStyle) {
        self.draw_land(scene, square);
        let Some(Mark { colour, number }) = state.board.mine_squares[square] else { return };
        let ((x, y), back) = (self.square_corner(square), style.fill(ink_and_pattern(colour)));
        let ink = back.ink.text_colour();
        if number == 0 {
            scene.add_rectangle((x + 6, y + 6), (self.side - 12, self.side - 12), back);
            scene.add_centred_text(self.square_middle(square), 34, ink, colour.letter());
            return;
        }
        scene.add_rectangle((x + 1, y + 1), (28, 28), back);
        scene.add_centred_text((x + 15, y + 15), FONT_SIZE_MIN, ink, number.to_string());
    }

    /// Draws two rails from the middle of the square to each opening.
    fn draw_track(&self, scene: &mut Scene, state: &State, square: Square) {
        let (ends, (x, y)) = (state.track[square], self.square_middle(square));
        let half = self.side / 2;
        for (width, ink) in [(20, TRACK), (12, Ink::LAND), (4, TRACK)] {
            for way in Direction::ALL.into_iter().filter(|&way| ends.has(way)) {
                let ((right, down), aside) = (unit_vector(way), width / 2);
                let (end_x, end_y) = (x + right * half, y + down * half);
                let (aside_x, aside_y) = (down * aside, right * aside);
                let near = [(x + aside_x, y + aside_y), (x - aside_x, y - aside_y)];
                let far = [(end_x - aside_x, end_y - aside_y), (end_x + aside_x, end_y + aside_y)];
                scene.add_polygon(near.into_iter().chain(far), Fill::plain(ink));
                scene.add_disc((x, y), u8::try_from(aside).unwrap_or(0), ink);
            }
        }
    }

    /// Draws a disc with a letter for each jewel and rock on the square, the most valuable first.
    /// The corners come first, because discs there cover no track. A number shows how many more
    /// there are.
    fn draw_jewels(&self, scene: &mut Scene, ground: JewelCounts, square: Square) {
        let (x, y) = self.square_corner(square);
        let (near, far) = (i32::from(JEWEL_RADIUS) + 1, self.side - i32::from(JEWEL_RADIUS) - 1);
        let places: [Point; JEWELS_PICTURED_MAX] =
            [(near, far), (far, far), (far, near), (self.side / 2, far), (self.side / 2, near)];
        let pieces: Vec<Jewel> = ground.single_jewels().rev().collect();
        let fits = pieces.len() <= places.len();
        let shown = if fits { places.len() } else { places.len() - 1 };
        for (jewel, (right, down)) in pieces.iter().take(shown).zip(places) {
            draw_jewel(scene, (x + right, y + down), *jewel);
        }
        if let (false, Some((right, down))) = (fits, places.last()) {
            let more = format!("+{}", pieces.len() - shown);
            scene.add_centred_text((x + right, y + down), FONT_SIZE_MIN, Ink::DARK, more);
        }
    }

    /// Draws a cart: its code, its speed, and an arrow in the direction that it faces.
    fn draw_cart(&self, scene: &mut Scene, state: &State, id: CartId) {
        let cart = state.cart(id);
        let (x, y) = match cart.place {
            Place::Track(square) => self.square_middle(square),
            Place::Surface(berth) => self.surface_point(berth),
            Place::Supply | Place::Gone => return,
        };
        let back = colour_ink(cart_colour(state, id));
        let (right, down) = unit_vector(cart.facing);
        let edge = i32::from(CART_RADIUS) + 12;
        let tip = (x + right * edge, y + down * edge);
        let wing = (down * 20, right * 20);
        let base = (x + right * 20, y + down * 20);
        let arrow = [tip, (base.0 + wing.0, base.1 + wing.1), (base.0 - wing.0, base.1 - wing.1)];
        scene.add_polygon(arrow, Fill::plain(Ink::DARK));
        scene.add_disc((x, y), CART_RADIUS + 3, Ink::DARK);
        scene.add_disc((x, y), CART_RADIUS, back);
        let mut code: String = cart_code(state, id).into_iter().collect();
        code.make_ascii_uppercase();
        scene.add_centred_text((x, y - 10), FONT_SIZE_MIN, back.text_colour(), code);
        let speed = cart.speed.to_string();
        scene.add_centred_text((x, y + 11), FONT_SIZE_MIN, back.text_colour(), speed);
    }

    /// Returns the point where a cart on this square of the surface is drawn.
    fn surface_point(&self, SurfaceSquare { side, index }: SurfaceSquare) -> Point {
        let along = i32::from(index) * self.side + self.side / 2;
        let (right, bottom) =
            (self.left + self.columns * self.side, MARGIN + self.rows * self.side);
        match side {
            Direction::North => (self.left + along, MARGIN - 28),
            Direction::South => (self.left + along, bottom + 28),
            Direction::West => (self.left - 28, MARGIN + along),
            Direction::East => (right + 28, MARGIN + along),
        }
    }
}

/// Returns the colour of a cart: its own in the solo game, or that of its owner's side.
pub(super) fn cart_colour(state: &State, cart: CartId) -> Colour {
    if state.numbers.is_solo() {
        return Colour::ALL[cart.index() % 4];
    }
    let side = state.sides[state.owner(cart).index() % 4];
    state.board.side_colours[side.index()]
}

const fn unit_vector(way: Direction) -> Point {
    match way {
        Direction::North => (0, -1),
        Direction::East => (1, 0),
        Direction::South => (0, 1),
        Direction::West => (-1, 0),
    }
}

fn draw_jewel(scene: &mut Scene, at: Point, jewel: Jewel) {
    let ink = jewel_ink(jewel);
    scene.add_disc(at, JEWEL_RADIUS, Ink::DARK);
    scene.add_disc(at, JEWEL_RADIUS - 2, ink);
    scene.add_centred_text(at, FONT_SIZE_MIN, ink.text_colour(), jewel.letter());
}

/// Draws the legend: the jewels with their letters, and the signs for a chasm, a cart and a new
/// square.
fn draw_legend(scene: &mut Scene, y: i32) {
    let write = |scene: &mut Scene, at: Point, room: u16, key: &'static str| {
        scene.add_translated_sentence((at, room), FONT_SIZE_MIN, Ink::DARK, Message::new(key));
    };
    for (place, jewel) in (0..).zip(Jewel::ALL) {
        let at = (24 + 196 * (place % 4), y + 36 * (place / 4));
        draw_jewel(scene, at, jewel);
        write(scene, (at.0 + 22, at.1), 146, jewel.term());
    }
    let y = y + 36;
    scene.add_disc((220, y), 14, Ink::DARK);
    write(scene, (242, y), 146, "or-picture-chasm");
    scene.add_rectangle_outline((402, y - 12), (26, 26), 4, Ink::NEW);
    write(scene, (438, y), 330, "or-picture-new");
    write(scene, (12, y + 36), 756, "or-picture-cart");
}
