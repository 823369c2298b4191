//! A canvas of pixels, and functions that fill areas, discs and lines on it.

use super::{circle_corners, to_f32};
use crate::rules::{Fill, Ink, Pattern, Point};
use ab_glyph_rasterizer::{Rasterizer, point};

pub(super) struct Canvas {
    pub width: usize,
    pub height: usize,
    /// The colours of the pixels, row by row from the top.
    pub pixels: Vec<Ink>,
}

/// The number of steps above zero to which the coverage of a pixel is rounded (none, half, full).
/// Few steps give few colours, so the PNG stays small.
const COVERAGE_LEVELS: f32 = 2.0;

impl Canvas {
    pub(super) fn new(width: u16, height: u16, ground: Ink) -> Self {
        let (width, height) = (usize::from(width), usize::from(height));
        Self { width, height, pixels: vec![ground; width * height] }
    }

    pub(super) fn fill_area(&mut self, corners: &[Point], fill: Fill) {
        let corners: Vec<_> = corners.iter().map(|&(x, y)| (to_f32(x), to_f32(y))).collect();
        self.for_each_covered_pixel(&corners, |canvas, x, y, cover| {
            let ink = if is_pattern_pixel(fill.pattern, x, y) {
                pattern_line_colour(fill.ink)
            } else {
                fill.ink
            };
            canvas.blend_pixel(x, y, ink, cover);
        });
    }

    pub(super) fn fill_disc(&mut self, centre: Point, radius: u8, ink: Ink) {
        self.fill_polygon(&circle_corners(centre, f32::from(radius)), ink);
    }

    pub(super) fn draw_line(&mut self, points: &[Point], width: u8, ink: Ink) {
        let half = f32::from(width) / 2.0;
        for pair in points.windows(2) {
            let [(x, y), (to_x, to_y)] = [pair[0], pair[1]].map(|(x, y)| (to_f32(x), to_f32(y)));
            let length = ((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y)).sqrt().max(1.0);
            let (aside_x, aside_y) = ((to_y - y) / length * half, (x - to_x) / length * half);
            let corners = [
                (x + aside_x, y + aside_y),
                (to_x + aside_x, to_y + aside_y),
                (to_x - aside_x, to_y - aside_y),
                (x - aside_x, y - aside_y),
            ];
            self.fill_polygon(&corners, ink);
        }
        if width > 2 {
            points.iter().for_each(|&bend| self.fill_polygon(&circle_corners(bend, half), ink));
        }
    }

    fn fill_polygon(&mut self, corners: &[(f32, f32)], ink: Ink) {
        self.for_each_covered_pixel(corners, |canvas, x, y, cover| {
            canvas.blend_pixel(x, y, ink, cover);
        });
    }

    /// Calls `put` for each pixel that a polygon covers at least in part. Passes the covered
    /// fraction of the pixel, from 0 to 1.
    fn for_each_covered_pixel(
        &mut self,
        corners: &[(f32, f32)],
        mut put: impl FnMut(&mut Self, usize, usize, f32),
    ) {
        let least = |all: &mut dyn Iterator<Item = f32>| all.fold(f32::MAX, f32::min).floor();
        let most = |all: &mut dyn Iterator<Item = f32>| all.fold(0.0, f32::max).ceil();
        let (across, down) = (|| corners.iter().map(|c| c.0), || corners.iter().map(|c| c.1));
        let (left, top) = (least(&mut across()).max(0.0), least(&mut down()).max(0.0));
        let (width, height) = (most(&mut across()) - left, most(&mut down()) - top);
        if !(width >= 1.0 && height >= 1.0) {
            return;
        }
        let mut rasterizer = Rasterizer::new(to_pixel(width) + 1, to_pixel(height) + 1);
        let corner = |at: usize| {
            let (x, y) = corners[at % corners.len()];
            point((x - left).max(0.0), (y - top).max(0.0))
        };
        (0..corners.len()).for_each(|at| rasterizer.draw_line(corner(at), corner(at + 1)));
        let (left, top) = (to_pixel(left), to_pixel(top));
        rasterizer.for_each_pixel_2d(|x, y, cover| {
            if cover > 0.0 {
                put(self, left + x as usize, top + y as usize, cover);
            }
        });
    }

    /// Blends `ink` over a pixel, in proportion to `cover` rounded to halves. Ignores pixels
    /// outside of the canvas.
    pub(super) fn blend_pixel(&mut self, x: usize, y: usize, ink: Ink, cover: f32) {
        let parts = (cover.min(1.0) * COVERAGE_LEVELS).round() / COVERAGE_LEVELS;
        if x >= self.width || parts == 0.0 {
            return;
        }
        let Some(pixel) = self.pixels.get_mut(y * self.width + x) else { return };
        for (old, new) in pixel.0.iter_mut().zip(ink.0) {
            let mixed = f32::from(*old) + (f32::from(new) - f32::from(*old)) * parts;
            *old = to_byte(mixed);
        }
    }
}

/// Whether the pattern draws on this pixel. Patterns repeat every 8 pixels.
fn is_pattern_pixel(pattern: Pattern, x: usize, y: usize) -> bool {
    let every = |place: usize| place % 8 < 2;
    match pattern {
        Pattern::Plain => false,
        Pattern::Rising => every(x + y),
        Pattern::Falling => every(x + 8 * 1024 - y),
        Pattern::Level => every(y),
        Pattern::Upright => every(x),
        Pattern::Dotted => x % 8 < 3 && y % 8 < 3,
    }
}

/// Returns the colour of a pattern's lines on an area of colour `ink`: one third between `ink` and
/// the colour of text on it.
fn pattern_line_colour(ink: Ink) -> Ink {
    let letters = ink.text_colour().0;
    let mut shade = ink;
    for (part, letter) in shade.0.iter_mut().zip(letters) {
        *part = to_byte(f32::from(*part) + (f32::from(letter) - f32::from(*part)) / 3.0);
    }
    shade
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a byte's")]
fn to_byte(value: f32) -> u8 {
    value.round() as u8
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is on the sheet")]
fn to_pixel(value: f32) -> usize {
    value as usize
}
