//! A canvas of pixels, and the function that fills outlines on it.

use super::palette::Colours;
use super::stencil::{Outline, Run, Stencils};
use crate::rules::{Fill, Ink, Pattern, Point};

pub(super) struct Canvas {
    pub width: i32,
    pub height: i32,
    /// The numbers of the pixels' colours, row by row from the top.
    pub pixels: Vec<u8>,
    pub colours: Colours,
    stencils: Stencils,
}

impl Canvas {
    pub(super) fn new(width: u16, height: u16, ground: Ink) -> Self {
        // The ground is the first colour, so its number is 0.
        let pixels = vec![0; usize::from(width) * usize::from(height)];
        let (width, height) = (width.into(), height.into());
        let (colours, stencils) = (Colours::new(ground), Stencils::default());
        Self { width, height, pixels, colours, stencils }
    }

    /// Returns the numbers of a fill's colour and of its pattern's colour.
    pub(super) fn number_colours(&mut self, Fill { ink, pattern }: Fill) -> (u8, u8) {
        let lines = if pattern == Pattern::Plain { ink } else { pattern_line_colour(ink) };
        (self.colours.number(ink), self.colours.number(lines))
    }

    /// Fills an outline that is put at a point. Blends the colour where the outline covers half a
    /// pixel. Ignores pixels outside of the canvas.
    pub(super) fn fill(&mut self, outline: Outline, at: Point, fill: Fill) {
        let (ink, lines) = self.number_colours(fill);
        let (pattern, colours) = (fill.pattern, &mut self.colours);
        for &Run { start, length, is_full } in &self.stencils.find(outline).runs {
            let (x, y) = (at.0.saturating_add(start.0), at.1.saturating_add(start.1));
            if !(0..self.height).contains(&y) {
                continue;
            }
            let ends =
                [x, x.saturating_add(length)].map(|x| y * self.width + x.clamp(0, self.width));
            let [from, to] = ends.map(|place| usize::try_from(place).unwrap_or(usize::MAX));
            let Some(pixels) = self.pixels.get_mut(from..to) else { continue };
            if is_full && pattern == Pattern::Plain {
                pixels.fill(ink);
                continue;
            }
            for (x, pixel) in (x.max(0)..).zip(pixels) {
                let ink = if is_pattern_pixel(pattern, x, y) { lines } else { ink };
                *pixel = if is_full { ink } else { colours.find_mean(*pixel, ink) };
            }
        }
    }
}

/// Whether the pattern draws on this pixel. Patterns repeat every 8 pixels.
fn is_pattern_pixel(pattern: Pattern, x: i32, y: i32) -> bool {
    let every = |place: i32| place.rem_euclid(8) < 2;
    match pattern {
        Pattern::Plain => false,
        Pattern::Rising => every(x + y),
        Pattern::Falling => every(x - y),
        Pattern::Level => every(y),
        Pattern::Upright => every(x),
        Pattern::Dotted => x % 8 < 3 && y % 8 < 3,
    }
}

/// Returns the colour of a pattern's lines on an area of colour `ink`: one third between `ink` and
/// the colour of text on it.
fn pattern_line_colour(ink: Ink) -> Ink {
    let mut shade = ink;
    for (part, letter) in shade.0.iter_mut().zip(ink.text_colour().0) {
        let third = (2 * u16::from(*part) + u16::from(letter) + 1) / 3;
        *part = u8::try_from(third).unwrap_or(u8::MAX);
    }
    shade
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outline_beyond_canvas_is_cut_off() {
        let square = vec![(0, 0), (2, 0), (2, 2), (0, 2)];
        let mut canvas = Canvas::new(3, 2, Ink::PAPER);
        for at in [(-1, -1), (2, 1), (i32::MAX, 0), (0, i32::MIN)] {
            canvas.fill(Outline::Polygon(square.clone()), at, Fill::plain(Ink::DARK));
        }
        assert_eq!(canvas.pixels, [1, 0, 0, 0, 0, 1]);
    }
}
