//! Scenes drawn: as PNG for letters, as SVG for whoever wants it larger.
//!
//! Pure, and the same bytes for the same scene on every machine: all is reckoned in whole pixels
//! and quarters of their cover. Knows scenes and words; not games, letters or readers.
//!
//! Why no drawing library: a flat board needs areas, lines and letters, all of which are outlines
//! for the rasteriser that the font library brings along; what larger ones draw has thousands of
//! colours and is ten times the bytes.

mod canvas;
mod lettering;
mod palette;
mod svg;

pub(crate) use svg::hex_colour;
pub use svg::render_svg;

use crate::rules::{Message, Point, SCENE_WIDTH, Scene, SceneText, Shape};
use canvas::Canvas;

/// Puts a sentence of a scene into words.
pub type TranslateMessage<'a> = &'a dyn Fn(&Message) -> String;

/// The scene as a PNG of `SCENE_WIDTH` pixels' width, in at most 256 colours. None where it cannot
/// be encoded, which no scene is known to be.
///
/// ```
/// use postrider::picture::{png, svg};
/// use postrider::rules::{Ink, Scene};
///
/// let mut scene = Scene::new(60, Ink::PAPER);
/// scene.name((390, 30), 24, Ink::DARK, "Troyes".to_owned());
/// let say = |message: &postrider::rules::Message| message.key.to_owned();
/// assert!(png(&scene, &say).expect("a picture").starts_with(b"\x89PNG"));
/// assert!(svg(&scene, &say).contains("Troyes"));
/// ```
pub fn render_png(scene: &Scene, say: TranslateMessage<'_>) -> Option<Vec<u8>> {
    let mut canvas = Canvas::new(SCENE_WIDTH, scene.height, scene.background);
    for shape in &scene.shapes {
        draw_shape(&mut canvas, shape, say);
    }
    palette::encode_png(&canvas)
}

fn draw_shape(canvas: &mut Canvas, shape: &Shape, say: TranslateMessage<'_>) {
    match shape {
        Shape::Area { corners, fill } => canvas.fill_area(corners, *fill),
        Shape::Line { points, width, ink } => canvas.draw_line(points, *width, *ink),
        Shape::Disc { centre, radius, ink } => canvas.fill_disc(*centre, *radius, *ink),
        Shape::Text { at, size, ink, anchor, max_width: room, words } => {
            let (text, size) = lettering::fit_text(&resolve_text(words, say), *size, *room);
            lettering::draw_text(canvas, (*at, *anchor), size, *ink, &text);
        }
    }
}

fn resolve_text(words: &SceneText, say: TranslateMessage<'_>) -> String {
    match words {
        SceneText::Plain(text) => text.clone(),
        SceneText::Sentence(message) => say(message),
    }
}

/// The corners of a circle, near enough for its radius.
fn circle_corners((x, y): Point, radius: f32) -> Vec<(f32, f32)> {
    // An eighth, written out and mirrored: machines do not agree on the last bit of a sine.
    const EIGHTH: [(f32, f32); 4] =
        [(1.0, 0.0), (0.980_79, 0.195_09), (0.923_88, 0.382_68), (0.831_47, 0.555_57)];
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mirrored = EIGHTH.iter().skip(1).rev().map(|&(right, down)| (down, right));
    let quarter: Vec<_> = EIGHTH.iter().copied().chain([(half, half)]).chain(mirrored).collect();
    let turned = |turns: u8| {
        quarter.iter().map(move |&(right, down)| match turns {
            0 => (right, down),
            1 => (-down, right),
            2 => (-right, -down),
            _ => (down, -right),
        })
    };
    let (x, y) = (to_f32(x), to_f32(y));
    (0..4).flat_map(turned).map(|(right, down)| (x + radius * right, y + radius * down)).collect()
}

/// A place on a sheet, which is far smaller than what a float holds to the unit.
fn to_f32(units: i32) -> f32 {
    f32::from(i16::try_from(units).unwrap_or(i16::MAX))
}
