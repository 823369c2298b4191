//! Draws the board as a picture. A hex is 40 units wide, so neighbouring columns of the doubled
//! grid are 20 units apart.

use super::board::Board;
use super::colour::Colour;
use super::definition::{BarrierKind, Edge};
use super::draw::was_just_placed;
use super::hex::{Hex, HexId};
use super::state::{Event, State};
use crate::rules::{Fill, Ink, Message, PictureStyle, Point, Scene};

/// The corners of a hex relative to its centre, clockwise from the north.
const CORNERS: [Point; 6] = [(0, -23), (20, -12), (20, 12), (0, 23), (-20, 12), (-20, -12)];
const ROW_HEIGHT: i32 = 35;
/// The y coordinate of the first row's centre, below the column numbers.
const FIRST_ROW_Y: i32 = 58;
/// The height of the legend below the last row.
const LEGEND_HEIGHT: i32 = 128;

/// Draws the board as a picture. The hexes where `recent` placed locomotives are outlined.
pub fn draw_scene(state: &State, recent: &[Event], style: PictureStyle) -> Scene {
    let board = &*state.board;
    let bottom = board.names.iter().map(|&hex| hex_centre(hex).1).max().unwrap_or(FIRST_ROW_Y);
    let height = u16::try_from(bottom + LEGEND_HEIGHT).unwrap_or(u16::MAX);
    let mut scene = Scene::new(height, Ink::SEA);
    draw_coordinates(&mut scene, board);
    for &hex in &board.names {
        draw_hex(&mut scene, hex, Fill::plain(Ink::LAND), (Ink::FAINT, 1));
    }
    for &hex in &board.names {
        if let Some(id) = board.hex_id(hex) {
            draw_hex_content(&mut scene, state, style, hex, id);
        }
    }
    draw_tower(&mut scene, board.map.paris);
    for (Edge(one, other), kind) in &board.barriers {
        draw_barrier(&mut scene, *one, *other, *kind);
    }
    for &hex in &board.names {
        if Colour::ALL.into_iter().any(|colour| was_just_placed(recent, colour, hex)) {
            scene.add_polygon_outline(&hex_corners(hex), 5, Ink::PAPER);
            scene.add_polygon_outline(&hex_corners(hex), 3, Ink::NEW);
        }
    }
    draw_legend(&mut scene, state, style, bottom + 50);
    scene
}

fn hex_centre(hex: Hex) -> Point {
    (30 + 20 * i32::from(hex.column()), FIRST_ROW_Y + ROW_HEIGHT * i32::from(hex.row()))
}

fn hex_corners(hex: Hex) -> Vec<Point> {
    let (x, y) = hex_centre(hex);
    CORNERS.iter().map(|(right, down)| (x + right, y + down)).collect()
}

fn draw_hex(scene: &mut Scene, hex: Hex, fill: Fill, (ink, width): (Ink, u8)) {
    let corners = hex_corners(hex);
    scene.add_polygon(corners.clone(), fill);
    scene.add_polygon_outline(&corners, width, ink);
}

/// Draws the letters of the rows on both sides, and the numbers of every second column.
fn draw_coordinates(scene: &mut Scene, board: &Board) {
    let mut rows: Vec<u8> = board.names.iter().map(|hex| hex.row()).collect();
    rows.dedup();
    for row in rows {
        let y = FIRST_ROW_Y + ROW_HEIGHT * i32::from(row);
        let letter = char::from(b'A' + row).to_string();
        scene.add_centred_text((14, y), 18, Ink::GREY, letter.clone());
        scene.add_centred_text((766, y), 18, Ink::GREY, letter);
    }
    for column in (1..=35).step_by(2) {
        scene.add_centred_text((30 + 20 * column, 18), 18, Ink::GREY, column.to_string());
    }
}

fn draw_hex_content(scene: &mut Scene, state: &State, style: PictureStyle, hex: Hex, id: HexId) {
    let board = &*state.board;
    let stands = |colour: &Colour| state.locomotives[*colour].contains(id);
    let built: Vec<Colour> = Colour::ALL.into_iter().filter(stands).collect();
    let letter = |colour: Colour| board.letters[colour].to_string();
    let (x, y) = hex_centre(hex);
    if let Some(city) = board.city_on(hex) {
        let back = built.first().map_or(WHITE, |&colour| style.fill(colour.ink_and_pattern()));
        draw_hex(scene, hex, back, (Ink::DARK, 3));
        let said = built.first().map_or(city.value.to_string(), |&colour| letter(colour));
        scene.add_centred_text((x, y - 7), 17, back.ink.text_colour(), city.code.clone());
        scene.add_centred_text((x, y + 10), 16, back.ink.text_colour(), said);
        return;
    }
    match *built {
        [] => {}
        [colour] => {
            let back = style.fill(colour.ink_and_pattern());
            draw_hex(scene, hex, back, (Ink::DARK, 1));
            if board.start_hexes.contains(id) {
                scene.add_disc((x, y), 16, Ink::PAPER);
                scene.add_disc((x, y), 13, back.ink);
            }
            scene.add_centred_text((x, y), 21, back.ink.text_colour(), letter(colour));
        }
        [one, other, ..] => {
            let [left, right] = hex_halves(hex);
            scene.add_polygon(left, style.fill(one.ink_and_pattern()));
            scene.add_polygon(right, style.fill(other.ink_and_pattern()));
            scene.add_polygon_outline(&hex_corners(hex), 1, Ink::DARK);
            scene.add_centred_text(
                (x - 10, y),
                17,
                one.ink_and_pattern().0.text_colour(),
                letter(one),
            );
            scene.add_centred_text(
                (x + 10, y),
                17,
                other.ink_and_pattern().0.text_colour(),
                letter(other),
            );
        }
    }
}

fn hex_halves(hex: Hex) -> [Vec<Point>; 2] {
    let corners = hex_corners(hex);
    let half =
        |places: [usize; 4]| places.iter().filter_map(|&at| corners.get(at).copied()).collect();
    [half([0, 3, 4, 5]), half([0, 1, 2, 3])]
}

fn draw_tower(scene: &mut Scene, hex: Hex) {
    let (x, y) = hex_centre(hex);
    draw_hex(scene, hex, Fill::plain(Ink::DARK), (Ink::DARK, 1));
    scene.add_polygon(
        [(x, y - 17), (x + 5, y), (x + 11, y + 13), (x + 4, y + 13), (x, y + 6)],
        WHITE,
    );
    scene.add_polygon(
        [(x, y - 17), (x - 5, y), (x - 11, y + 13), (x - 4, y + 13), (x, y + 6)],
        WHITE,
    );
}

const WHITE: Fill = Fill::plain(Ink::PAPER);

fn draw_barrier(scene: &mut Scene, one: Hex, other: Hex, kind: BarrierKind) {
    let far = hex_corners(other);
    let shared: Vec<Point> =
        hex_corners(one).into_iter().filter(|corner| far.contains(corner)).collect();
    let ink = match kind {
        BarrierKind::Mountain => Ink::BARRIER,
        BarrierKind::Water => Ink([0x1f, 0x5f, 0x9a]),
    };
    scene.add_line(shared.iter().copied(), 9, Ink::PAPER);
    scene.add_line(shared, 6, ink);
}

/// Draws the legend: the six companies with their letters and names, and the meaning of the
/// symbols.
fn draw_legend(scene: &mut Scene, state: &State, style: PictureStyle, y: i32) {
    scene.add_rectangle((0, y - 24), (780, LEGEND_HEIGHT), WHITE);
    for (place, colour) in (0..).zip(Colour::ALL) {
        let (x, back) = (16 + 128 * place, style.fill(colour.ink_and_pattern()));
        scene.add_rectangle((x, y - 14), (32, 28), back);
        let letter = state.board.letters[colour].to_string();
        scene.add_centred_text((x + 16, y), 20, back.ink.text_colour(), letter);
        scene.add_translated_sentence(
            ((x + 38, y), 84),
            20,
            Ink::DARK,
            Message::new(colour.term()),
        );
    }
    let y = y + 40;
    scene.add_rectangle((17, y - 13), (30, 26), WHITE);
    scene.add_rectangle_outline((17, y - 13), (30, 26), 3, Ink::DARK);
    scene.add_centred_text((32, y), 18, Ink::DARK, "3");
    scene.add_translated_sentence(((54, y), 236), 20, Ink::DARK, Message::new("pc-picture-city"));
    scene.add_line([(300, y - 12), (300, y + 12)], 6, Ink::BARRIER);
    scene.add_translated_sentence(
        ((312, y), 223),
        20,
        Ink::DARK,
        Message::new("pc-picture-barrier"),
    );
    scene.add_rectangle_outline((545, y - 13), (30, 26), 4, Ink::NEW);
    scene.add_translated_sentence(((584, y), 186), 20, Ink::DARK, Message::new("pc-picture-new"));
}
