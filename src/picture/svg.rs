//! Draws a scene as SVG, which stays sharp at any size and keeps its text searchable.
//!
//! Shapes that look alike are written once and repeated by `<use>`, so a file is a fraction of one
//! that spells out each shape.

use super::svg_elements::{Element, collect_elements};
use super::{TranslateMessage, lettering, localize_scene_text};
use crate::rules::{FONT_SIZE_MIN, Fill, Ink, Pattern, SCENE_WIDTH, Scene, Shape};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

/// Draws a scene as an SVG document that loads no external files.
pub fn render_svg(scene: &Scene, say: TranslateMessage<'_>) -> String {
    render_document(scene, true, &scene.shapes, say)
}

/// Draws the backdrop of a scene as SVG. Returns `None` if the scene has no backdrop.
pub(crate) fn render_backdrop_svg(scene: &Scene, say: TranslateMessage<'_>) -> Option<String> {
    let backdrop = scene.shapes.get(..scene.backdrop).filter(|shapes| !shapes.is_empty())?;
    Some(render_document(scene, true, backdrop, say))
}

/// Draws a scene without its backdrop as SVG. It is transparent if the scene has a backdrop.
pub(crate) fn render_svg_over_backdrop(scene: &Scene, say: TranslateMessage<'_>) -> String {
    let shapes = scene.shapes.get(scene.backdrop..).unwrap_or_default();
    render_document(scene, scene.backdrop == 0, shapes, say)
}

fn render_document(
    scene: &Scene,
    is_opaque: bool,
    shapes: &[Shape],
    say: TranslateMessage<'_>,
) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SCENE_WIDTH} {}\" \
         font-family=\"Noto Sans, sans-serif\" font-weight=\"bold\" font-size=\"{FONT_SIZE_MIN}\" \
         text-anchor=\"middle\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n{}",
        scene.height,
        pattern_definitions(shapes),
    );
    if is_opaque {
        let ground = hex_colour(scene.background);
        let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"{ground}\"/>");
    }
    let word = |shape: &Shape| match shape {
        Shape::Text { size, max_width, words, .. } => {
            lettering::shrink_or_shorten_text(&localize_scene_text(words, say), *size, *max_width)
        }
        _ => Default::default(),
    };
    write_elements(&mut out, &collect_elements(shapes, word));
    out + "</svg>\n"
}

/// Writes all elements. The first of several equal ones has an id, by which the others repeat it.
fn write_elements(out: &mut String, elements: &[Element]) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for element in elements {
        *counts.entry(&element.look).or_default() += 1;
    }
    let mut first: HashMap<&str, (usize, &Element)> = HashMap::new();
    for element in elements {
        if let Some((id, first)) = first.get(&*element.look) {
            let (x, y) = (element.at.0 - first.at.0, element.at.1 - first.at.1);
            let _ = write!(out, "<use href=\"#{}\"", short_name(*id));
            for (name, distance) in [("x", x), ("y", y)].into_iter().filter(|part| part.1 != 0) {
                let _ = write!(out, " {name}=\"{distance}\"");
            }
            out.push_str("/>\n");
            continue;
        }
        let is_repeated = counts.get(&*element.look).is_some_and(|count| *count > 1);
        let id = is_repeated.then(|| {
            let id = first.len();
            first.insert(&element.look, (id, element));
            short_name(id)
        });
        element.write(out, id.as_deref());
        out.push('\n');
    }
}

/// Returns a name for each number: `a` to `z`, then `ba` and so on.
fn short_name(number: usize) -> String {
    let digit = u8::try_from(number % 26).unwrap_or_default();
    let before = if number < 26 { String::new() } else { short_name(number / 26) };
    before + char::from(b'a' + digit).encode_utf8(&mut [0; 4])
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
             <path d=\"{}\" stroke=\"{}\" stroke-width=\"2\" stroke-opacity=\".4\" \
             stroke-linecap=\"butt\"/></pattern>",
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

/// Returns the id of a pattern, which contains an upper-case letter, unlike the ids of elements.
pub(super) fn pattern_id(ink: Ink, pattern: Pattern) -> String {
    format!("{pattern:?}-{}", hex_colour(ink).trim_start_matches('#'))
}

/// Formats a colour in the notation of SVG and HTML, such as `#1a2b3c`.
pub(crate) fn hex_colour(Ink([red, green, blue]): Ink) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_shapes_are_repeated_by_reference() {
        let mut scene = Scene::new(100, Ink::PAPER);
        for x in [10, 50, 90] {
            scene.add_rectangle((x, 20), (30, 30), Fill::plain(Ink::LAND));
            scene.add_rectangle_outline((x, 20), (30, 30), 2, Ink::DARK);
            scene.add_centred_text((x + 15, 35), 22, Ink::DARK, "<");
        }
        let svg = render_svg(&scene, &|_| String::new());
        assert_eq!(
            svg.lines().skip(2).collect::<Vec<_>>(),
            [
                "<path id=\"a\" d=\"M10 20h30v30h-30z\" fill=\"#f4f1e6\" stroke=\"#1a1c1e\" \
             stroke-width=\"2\"/>",
                "<text id=\"b\" x=\"25\" y=\"42\" fill=\"#1a1c1e\">&lt;</text>",
                "<use href=\"#a\" x=\"40\"/>",
                "<use href=\"#b\" x=\"40\"/>",
                "<use href=\"#a\" x=\"80\"/>",
                "<use href=\"#b\" x=\"80\"/>",
                "</svg>",
            ]
        );
    }

    #[test]
    fn only_shapes_over_backdrop_are_transparent() {
        let mut scene = Scene::new(100, Ink::PAPER);
        scene.add_disc((5, 5), 4, Ink::LAND);
        let say: TranslateMessage<'_> = &|_| String::new();
        assert_eq!(render_backdrop_svg(&scene, say), None);
        assert_eq!(render_svg_over_backdrop(&scene, say), render_svg(&scene, say));
        scene.end_backdrop();
        scene.add_disc((50, 50), 4, Ink::DARK);
        let below = render_backdrop_svg(&scene, say).expect("a backdrop");
        let above = render_svg_over_backdrop(&scene, say);
        assert!(below.contains("<rect") && below.contains("M1 5a4 4"), "{below}");
        assert!(!above.contains("<rect") && above.contains("M46 50a4 4"), "{above}");
    }
}
