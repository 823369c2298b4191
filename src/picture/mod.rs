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
mod stencil;
mod svg;
mod svg_elements;

pub use svg::render_svg;
pub(crate) use svg::{hex_colour, render_backdrop_svg, render_svg_over_backdrop};

use crate::rules::{Fill, Message, Point, SCENE_WIDTH, Scene, SceneText, Shape};
use canvas::Canvas;
use stencil::Outline;

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
    // The shapes' own colours are numbered first. If the palette becomes full, only the colours of
    // edges are replaced by similar ones.
    for shape in &scene.shapes {
        canvas.number_colours(shape_fill(shape));
    }
    for shape in &scene.shapes {
        draw_shape(&mut canvas, shape, say);
    }
    palette::encode_png(&canvas)
}

const fn shape_fill(shape: &Shape) -> Fill {
    match shape {
        Shape::Area { fill, .. } => *fill,
        Shape::Line { ink, .. } | Shape::Disc { ink, .. } | Shape::Text { ink, .. } => {
            Fill::plain(*ink)
        }
    }
}

fn draw_shape(canvas: &mut Canvas, shape: &Shape, say: TranslateMessage<'_>) {
    let fill = shape_fill(shape);
    match shape {
        Shape::Area { corners, .. } => {
            let (at, corners) = split_first_point(corners);
            canvas.fill(Outline::Polygon(corners), at, fill);
        }
        Shape::Line { points, width, .. } => {
            let (at, points) = split_first_point(points);
            canvas.fill(Outline::Line { points, width: *width }, at, fill);
        }
        Shape::Disc { centre, radius, .. } => {
            canvas.fill(Outline::Disc { radius: *radius }, *centre, fill);
        }
        Shape::Text { at, size, ink, anchor, max_width: room, words } => {
            let (text, size) =
                lettering::shrink_or_shorten_text(&localize_scene_text(words, say), *size, *room);
            lettering::draw_text(canvas, (*at, *anchor), size, *ink, &text);
        }
    }
}

/// Returns the first of these points, and all of them relative to it.
fn split_first_point(points: &[Point]) -> (Point, Vec<Point>) {
    let (left, top) = points.first().copied().unwrap_or_default();
    let relative = |&(x, y): &Point| (x.saturating_sub(left), y.saturating_sub(top));
    ((left, top), points.iter().map(relative).collect())
}

fn localize_scene_text(words: &SceneText, say: TranslateMessage<'_>) -> String {
    match words {
        SceneText::Plain(text) => text.clone(),
        SceneText::Sentence(message) => say(message),
    }
}
