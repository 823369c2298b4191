//! Draws a scene as SVG, which stays sharp at any size and keeps its text searchable.

use super::{TranslateMessage, lettering, localize_scene_text};
use crate::rules::{Anchor, Fill, Ink, Pattern, Point, SCENE_WIDTH, Scene, Shape};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Draws a scene as an SVG document that loads no external files.
pub fn render_svg(scene: &Scene, say: TranslateMessage<'_>) -> String {
    let Scene { height, background: ground, shapes } = scene;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SCENE_WIDTH} {height}\" \
         font-family=\"Noto Sans, sans-serif\" font-weight=\"bold\">\n{}\
         <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
        pattern_definitions(shapes),
        hex_colour(*ground)
    );
    for shape in shapes {
        let _ = writeln!(out, "{}", shape_element(shape, say));
    }
    out + "</svg>\n"
}

fn shape_element(shape: &Shape, say: TranslateMessage<'_>) -> String {
    match shape {
        Shape::Area { corners, fill: Fill { ink, pattern } } => {
            let corners = point_list(corners);
            let plain = format!("<polygon points=\"{corners}\" fill=\"{}\"/>", hex_colour(*ink));
            if *pattern == Pattern::Plain {
                return plain;
            }
            let id = pattern_id(*ink, *pattern);
            format!("{plain}<polygon points=\"{corners}\" fill=\"url(#{id})\"/>")
        }
        Shape::Line { points, width, ink } => format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" \
             stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
            point_list(points),
            hex_colour(*ink)
        ),
        Shape::Disc { centre: (x, y), radius, ink } => {
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{}\"/>", hex_colour(*ink))
        }
        Shape::Text { at, size, ink, anchor, max_width: room, words } => {
            let (text, size) =
                lettering::shrink_or_shorten_text(&localize_scene_text(words, say), *size, *room);
            text_element((*at, *anchor), size, *ink, &text)
        }
    }
}

fn text_element(((x, y), anchor): (Point, Anchor), size: u8, ink: Ink, text: &str) -> String {
    format!(
        "<text x=\"{x}\" y=\"{}\" font-size=\"{size}\" text-anchor=\"{}\" fill=\"{}\">{}</text>",
        y + i32::from(size) * 36 / 100,
        match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        },
        hex_colour(ink),
        escape_xml(text)
    )
}

/// Returns a `<defs>` element with each pattern that the shapes use, or an empty string if they use
/// none.
fn pattern_definitions(shapes: &[Shape]) -> String {
    let used: BTreeSet<(Pattern, Ink)> = shapes
        .iter()
        .filter_map(|shape| match shape {
            Shape::Area { fill: Fill { ink, pattern }, .. } => Some((*pattern, *ink)),
            Shape::Line { .. } | Shape::Disc { .. } | Shape::Text { .. } => None,
        })
        .filter(|(pattern, _)| *pattern != Pattern::Plain)
        .collect();
    let path = |pattern| match pattern {
        Pattern::Plain => "",
        Pattern::Rising => "M0 8L8 0",
        Pattern::Falling => "M0 0L8 8",
        Pattern::Level => "M0 4H8",
        Pattern::Upright => "M4 0V8",
        Pattern::Dotted => "M3 4H5",
    };
    let one = |(pattern, ink): (Pattern, Ink)| {
        format!(
            "<pattern id=\"{}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">\
             <path d=\"{}\" stroke=\"{}\" stroke-width=\"2\" stroke-opacity=\".4\"/></pattern>",
            pattern_id(ink, pattern),
            path(pattern),
            hex_colour(ink.text_colour())
        )
    };
    match used.is_empty() {
        true => String::new(),
        false => format!("<defs>{}</defs>\n", used.into_iter().map(one).collect::<String>()),
    }
}

fn pattern_id(ink: Ink, pattern: Pattern) -> String {
    format!("{pattern:?}-{}", hex_colour(ink).trim_start_matches('#'))
}

fn point_list(points: &[Point]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
    points.join(" ")
}

/// Formats a colour in the notation of SVG and HTML, such as `#1a2b3c`.
pub(crate) fn hex_colour(Ink([red, green, blue]): Ink) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escape_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
