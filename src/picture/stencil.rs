//! The pixels that shapes and letters cover. A board repeats few shapes in many places, so the
//! pixels of each are computed once per picture.

use super::lettering::find_glyph;
use crate::rules::Point;
use ab_glyph::GlyphId;
use ab_glyph_rasterizer::{Rasterizer, point};
use std::collections::HashMap;

/// The pixels of a shape, as runs in drawing order. Runs may overlap.
#[derive(Default)]
pub(super) struct Stencil {
    pub runs: Vec<Run>,
}

/// Adjacent pixels in one row that a shape covers equally.
pub(super) struct Run {
    /// The first pixel, relative to the point where the stencil is put.
    pub start: Point,
    pub length: i32,
    /// Whether the shape covers the pixels in full, and not by half.
    pub is_full: bool,
}

/// The outline of a shape, relative to the point where it is drawn.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum Outline {
    Polygon(Vec<Point>),
    Line {
        points: Vec<Point>,
        width: u8,
    },
    Disc {
        radius: u8,
    },
    /// A letter. `offset` is its distance to the pixel on its left, as the bits of an `f32`.
    Glyph {
        id: GlyphId,
        size: u8,
        offset: u32,
    },
}

/// The stencils of a picture.
#[derive(Default)]
pub(super) struct Stencils(HashMap<Outline, Stencil>);

impl Stencils {
    /// Returns the stencil of an outline. Computes it if the picture has not used the outline yet.
    pub(super) fn find(&mut self, outline: Outline) -> &Stencil {
        self.0.entry(outline).or_insert_with_key(Stencil::compute)
    }
}

/// The corners of a polygon, relative to the point where it is drawn.
type Corners = Vec<(f32, f32)>;

impl Stencil {
    fn compute(outline: &Outline) -> Self {
        let mut stencil = Self::default();
        match outline {
            Outline::Polygon(corners) => {
                stencil.add_polygon(&corners.iter().copied().map(to_f32).collect::<Corners>());
            }
            Outline::Line { points, width } => stencil.add_line(points, *width),
            Outline::Disc { radius } => {
                stencil.add_polygon(&circle_corners((0.0, 0.0), f32::from(*radius)));
            }
            Outline::Glyph { id, size, offset } => {
                if let Some(glyph) = find_glyph(*id, *size, f32::from_bits(*offset)) {
                    let corner = glyph.px_bounds().min;
                    let corner = (to_pixel(corner.x), to_pixel(corner.y));
                    glyph.draw(|x, y, cover| stencil.add_pixel(corner, (x, y), cover));
                }
            }
        }
        stencil
    }

    fn add_line(&mut self, points: &[Point], width: u8) {
        let half = f32::from(width) / 2.0;
        for pair in points.windows(2) {
            let [(x, y), (to_x, to_y)] = [pair[0], pair[1]].map(to_f32);
            let length = ((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y)).sqrt().max(1.0);
            let (aside_x, aside_y) = ((to_y - y) / length * half, (x - to_x) / length * half);
            self.add_polygon(&[
                (x + aside_x, y + aside_y),
                (to_x + aside_x, to_y + aside_y),
                (to_x - aside_x, to_y - aside_y),
                (x - aside_x, y - aside_y),
            ]);
        }
        if width > 2 {
            points.iter().for_each(|&bend| self.add_polygon(&circle_corners(to_f32(bend), half)));
        }
    }

    fn add_polygon(&mut self, corners: &[(f32, f32)]) {
        let (across, down) = (|| corners.iter().map(|c| c.0), || corners.iter().map(|c| c.1));
        let (left, top) = (across().fold(f32::MAX, f32::min), down().fold(f32::MAX, f32::min));
        let (left, top) = (left.floor(), top.floor());
        let width = across().fold(left, f32::max).ceil() - left;
        let height = down().fold(top, f32::max).ceil() - top;
        if !(width >= 1.0 && height >= 1.0) {
            return;
        }
        let mut rasterizer = Rasterizer::new(width as usize + 1, height as usize + 1);
        let corner = |at: usize| {
            let (x, y) = corners[at % corners.len()];
            point(x - left, y - top)
        };
        (0..corners.len()).for_each(|at| rasterizer.draw_line(corner(at), corner(at + 1)));
        let corner = (to_pixel(left), to_pixel(top));
        rasterizer.for_each_pixel_2d(|x, y, cover| self.add_pixel(corner, (x, y), cover));
    }

    /// Adds a pixel if the shape covers at least a quarter of it. Few levels of coverage give few
    /// colours and a small PNG, so coverage is rounded to halves. Pixels are added row by row.
    fn add_pixel(&mut self, corner: Point, (x, y): (u32, u32), cover: f32) {
        if cover < 0.25 {
            return;
        }
        let start = (corner.0 + x.cast_signed(), corner.1 + y.cast_signed());
        let is_full = cover >= 0.75;
        match self.runs.last_mut() {
            Some(run) if run.is_full == is_full && run.end() == start => run.length += 1,
            _ => self.runs.push(Run { start, length: 1, is_full }),
        }
    }
}

impl Run {
    const fn end(&self) -> Point {
        (self.start.0 + self.length, self.start.1)
    }
}

/// Returns 32 corners that approximate a circle.
fn circle_corners((x, y): (f32, f32), radius: f32) -> Corners {
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
    (0..4).flat_map(turned).map(|(right, down)| (x + radius * right, y + radius * down)).collect()
}

/// Converts a point to floats. Coordinates on the canvas fit in an `i16`, which a float holds
/// exactly. Any other coordinate becomes `i16::MAX`, which is outside of the canvas.
pub(super) fn to_f32((x, y): Point) -> (f32, f32) {
    let convert = |units| f32::from(i16::try_from(units).unwrap_or(i16::MAX));
    (convert(x), convert(y))
}

#[expect(clippy::cast_possible_truncation, reason = "it is on or near the canvas")]
pub(super) fn to_pixel(value: f32) -> i32 {
    value as i32
}
