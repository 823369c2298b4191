//! The elements of an SVG picture. Adjacent shapes of the same look become one element.

use super::svg::{hex_colour, pattern_id};
use crate::rules::{Anchor, FONT_SIZE_MIN, Fill, Ink, Pattern, Point, Shape};
use std::fmt::Write;

/// An element and its position. Elements that differ only in their position have the same look.
pub(super) struct Element {
    pub at: Point,
    /// The element without its position: the end of its tag, behind the start of its path.
    pub look: String,
    is_text: bool,
}

impl Element {
    pub(super) fn write(&self, out: &mut String, id: Option<&str>) {
        let Self { at: (x, y), look, is_text } = self;
        let id = id.map(|id| format!(" id=\"{id}\"")).unwrap_or_default();
        let _ = match is_text {
            true => write!(out, "<text{id} x=\"{x}\" y=\"{y}\"{look}"),
            false => write!(out, "<path{id} d=\"M{x} {y}{look}"),
        };
    }
}

/// The colours of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Paint {
    fill: Option<Fill>,
    stroke: Option<(Ink, u8)>,
}

/// A path that more shapes may join.
struct Path {
    at: Point,
    paint: Paint,
    /// The path behind its first point, in relative coordinates.
    rest: String,
    /// The position from which the next coordinates are counted.
    pen: Point,
    /// The corners of the path's only polygon. Empty if the path has other shapes.
    corners: Vec<Point>,
}

/// Returns the elements of these shapes, in drawing order. `word` returns the text of a shape and
/// its font size.
pub(super) fn collect_elements(
    shapes: &[Shape],
    word: impl Fn(&Shape) -> (String, u8),
) -> Vec<Element> {
    let mut collector = Collector::default();
    for shape in shapes {
        match shape {
            Shape::Area { corners, fill } => collector.add_area(corners, *fill),
            Shape::Line { points, width, ink } => collector.add_line(points, *width, *ink),
            Shape::Disc { centre: (x, y), radius, ink } => {
                let (r, wide) = (radius, 2 * i32::from(*radius));
                let rest = format!("a{r} {r} 0 1 1 {wide} 0a{r} {r} 0 1 1 {} 0z", -wide);
                let paint = Paint { fill: Some(Fill::plain(*ink)), stroke: None };
                collector.extend_path(paint, (x - i32::from(*r), *y)).rest += &rest;
            }
            Shape::Text { at, ink, anchor, .. } => {
                let (text, size) = word(shape);
                collector.add_text((*at, *anchor), size, *ink, &text);
            }
        }
    }
    collector.end_path();
    collector.elements
}

#[derive(Default)]
struct Collector {
    elements: Vec<Element>,
    path: Option<Path>,
}

impl Collector {
    fn end_path(&mut self) {
        let Some(Path { at, paint, rest, .. }) = self.path.take() else { return };
        let mut looks = Vec::with_capacity(2);
        let stroke = paint.stroke.map(|(ink, width)| {
            format!(" stroke=\"{}\" stroke-width=\"{width}\"", hex_colour(ink))
        });
        let stroke = stroke.unwrap_or_default();
        match paint.fill {
            None => looks.push(format!("{rest}\" fill=\"none\"{stroke}/>")),
            Some(Fill { ink, pattern }) => {
                looks.push(format!("{rest}\" fill=\"{}\"{stroke}/>", hex_colour(ink)));
                if pattern != Pattern::Plain {
                    let id = pattern_id(ink, pattern);
                    looks.push(format!("{rest}\" fill=\"url(#{id})\"{stroke}/>"));
                }
            }
        }
        let element = |look| Element { at, look, is_text: false };
        self.elements.extend(looks.into_iter().map(element));
    }

    /// Returns a path with this paint whose pen is at a point. Continues the last path if it has
    /// this paint.
    fn extend_path(&mut self, paint: Paint, at: Point) -> &mut Path {
        let is_single = paint.fill.is_none() || paint.stroke.is_none();
        let joins = is_single && self.path.as_ref().is_some_and(|path| path.paint == paint);
        if !joins {
            self.end_path();
        }
        let new = Path { at, paint, rest: String::new(), pen: at, corners: Vec::new() };
        let path = self.path.get_or_insert(new);
        path.corners.clear();
        if joins {
            path.rest.push('m');
            push_pair(&mut path.rest, (at.0 - path.pen.0, at.1 - path.pen.1));
            path.pen = at;
        }
        path
    }

    fn add_area(&mut self, corners: &[Point], fill: Fill) {
        // Areas of one path must turn the same way, because opposite ones would cancel each other.
        let mut points = corners.to_vec();
        if turns_left(&points) {
            points.reverse();
        }
        let Some(&start) = points.first() else { return };
        let path = self.extend_path(Paint { fill: Some(fill), stroke: None }, start);
        if path.rest.is_empty() {
            path.corners = corners.to_vec();
        }
        path.write_points(&points);
        path.rest.push('z');
        path.pen = start;
    }

    fn add_line(&mut self, points: &[Point], width: u8, ink: Ink) {
        let [start, others @ ..] = points else { return };
        let corners = others.split_last().filter(|(last, rest)| *last == start && !rest.is_empty());
        let corners = corners.and_then(|_| points.get(..others.len()));
        if let (Some(path), Some(corners)) = (self.path.as_mut(), corners)
            && path.paint.stroke.is_none()
            && path.corners == corners
        {
            // SVG draws the stroke of a path above its fill.
            path.paint.stroke = Some((ink, width));
            return;
        }
        let path = self.extend_path(Paint { fill: None, stroke: Some((ink, width)) }, *start);
        path.write_points(corners.unwrap_or(points));
        if corners.is_some() {
            path.rest.push('z');
            path.pen = *start;
        }
    }

    fn add_text(&mut self, ((x, y), anchor): (Point, Anchor), size: u8, ink: Ink, text: &str) {
        self.end_path();
        let mut look = String::new();
        if size != FONT_SIZE_MIN {
            let _ = write!(look, " font-size=\"{size}\"");
        }
        look += match anchor {
            Anchor::Start => " text-anchor=\"start\"",
            Anchor::Middle => "",
            Anchor::End => " text-anchor=\"end\"",
        };
        let _ = write!(look, " fill=\"{}\">{}</text>", hex_colour(ink), escape_xml(text));
        let at = (x, y + i32::from(size) * 36 / 100);
        self.elements.push(Element { at, look, is_text: true });
    }
}

impl Path {
    /// Writes the way through these points. The pen is at the first of them.
    fn write_points(&mut self, points: &[Point]) {
        for &(x, y) in points.iter().skip(1) {
            let step = (x - self.pen.0, y - self.pen.1);
            match step {
                (right, 0) => {
                    self.rest.push('h');
                    push_number(&mut self.rest, right);
                }
                (0, down) => {
                    self.rest.push('v');
                    push_number(&mut self.rest, down);
                }
                step => {
                    self.rest.push('l');
                    push_pair(&mut self.rest, step);
                }
            }
            self.pen = (x, y);
        }
    }
}

/// Whether the corners of a polygon are in counterclockwise order, seen on the sheet.
fn turns_left(corners: &[Point]) -> bool {
    let next = corners.iter().cycle().skip(1);
    let cross = |((x, y), (next_x, next_y)): (&Point, &Point)| {
        i64::from(*x) * i64::from(*next_y) - i64::from(*next_x) * i64::from(*y)
    };
    corners.iter().zip(next).map(cross).sum::<i64>() < 0
}

/// Writes two numbers. A minus sign separates them as well as a space does.
fn push_pair(out: &mut String, (x, y): Point) {
    push_number(out, x);
    if y >= 0 {
        out.push(' ');
    }
    push_number(out, y);
}

/// Writes a number. A site has millions of them, and `write!` takes several times as long.
fn push_number(out: &mut String, number: i32) {
    if number < 0 {
        out.push('-');
    }
    push_digits(out, number.unsigned_abs());
}

fn push_digits(out: &mut String, number: u32) {
    if number >= 10 {
        push_digits(out, number / 10);
    }
    out.push(char::from(b'0' + u8::try_from(number % 10).unwrap_or_default()));
}

fn escape_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
