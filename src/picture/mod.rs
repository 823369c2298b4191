//! Draws scenes: as PNG for letters, and as SVG for readers who want to zoom in.
//!
//! The functions are pure. A scene gives byte-identical output on every machine, because
//! coordinates are whole pixels and the coverage of a pixel is rounded to halves. The module knows
//! scenes and words; it knows no games, letters or readers.
//!
//! It uses no drawing library. A flat board needs areas, lines and letters, and the rasterizer of
//! the font library fills all of them. Larger libraries produce thousands of colours and files of
//! ten times the size.

#![warn(missing_docs)]

mod canvas;
mod lettering;
mod palette;
mod svg;

pub(crate) use svg::hex_colour;
pub use svg::render_svg;

use crate::rules::{Message, Point, SCENE_WIDTH, Scene, SceneText, Shape};
use canvas::Canvas;

/// A function that translates a sentence of a scene into the reader's language.
pub type TranslateMessage<'a> = &'a dyn Fn(&Message) -> String;

/// Draws a scene as a PNG of [`SCENE_WIDTH`] pixels' width and at most 256 colours. Returns `None`
/// if it cannot be encoded, which happens for no known scene.
///
/// ```
/// use postrider::picture::{render_png, render_svg};
/// use postrider::rules::{Ink, Scene};
///
/// let mut scene = Scene::new(60, Ink::PAPER);
/// scene.add_centred_text((390, 30), 24, Ink::DARK, "Troyes");
/// let say = |message: &postrider::rules::Message| message.key.to_owned();
/// assert!(render_png(&scene, &say).expect("a picture").starts_with(b"\x89PNG"));
/// assert!(render_svg(&scene, &say).contains("Troyes"));
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
            let (text, size) =
                lettering::shrink_or_shorten_text(&localize_scene_text(words, say), *size, *room);
            lettering::draw_text(canvas, (*at, *anchor), size, *ink, &text);
        }
    }
}

fn localize_scene_text(words: &SceneText, say: TranslateMessage<'_>) -> String {
    match words {
        SceneText::Plain(text) => text.clone(),
        SceneText::Sentence(message) => say(message),
    }
}

/// Returns 32 corners that approximate a circle.
fn circle_corners((x, y): Point, radius: f32) -> Vec<(f32, f32)> {
    // The first eighth is a constant and the rest is mirrored. Sine functions differ in the last
    // bit between machines, and the pictures must be byte-identical.
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

/// Converts a coordinate to a float. Coordinates on the canvas fit in an `i16`, which a float holds
/// exactly. Any other coordinate becomes `i16::MAX`, which is outside of the canvas.
fn to_f32(units: i32) -> f32 {
    f32::from(i16::try_from(units).unwrap_or(i16::MAX))
}
