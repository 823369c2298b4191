//! The colours of a canvas, and its PNG with a palette of at most 256 colours.

use super::canvas::Canvas;
use crate::rules::Ink;

/// The most colours that the palette of a PNG can hold.
const COLOURS_MAX: usize = 256;

/// The level of compression. Level 6 would make a board a fifteenth smaller, and take half as much
/// time again.
const FAST_LEVEL: u8 = 5;
/// A larger picture is compressed again at [`BEST_LEVEL`], because mail servers refuse large
/// letters.
const FAST_BYTES_MAX: usize = 40_000;
const BEST_LEVEL: u8 = 9;

/// The colours of a canvas, numbered in the order of their first use.
pub(super) struct Colours {
    inks: Vec<Ink>,
    /// The numbers of the colours halfway between two, by the numbers of both. `None` if not yet
    /// computed.
    means: Vec<[Option<u8>; COLOURS_MAX]>,
}

impl Colours {
    /// Creates the colours of a canvas. The background gets the number 0.
    pub(super) fn new(background: Ink) -> Self {
        Self { inks: vec![background], means: vec![[None; COLOURS_MAX]; COLOURS_MAX] }
    }

    /// Returns the number of a colour. A colour beyond the first 256 gets the number of the nearest
    /// of them.
    pub(super) fn number(&mut self, ink: Ink) -> u8 {
        let known = self.inks.iter().position(|other| *other == ink);
        let number = known.unwrap_or_else(|| self.add(ink));
        u8::try_from(number).unwrap_or(u8::MAX)
    }

    fn add(&mut self, ink: Ink) -> usize {
        let count = self.inks.len();
        if count < COLOURS_MAX {
            self.inks.push(ink);
            return count;
        }
        let distance = |number: &usize| colour_distance(ink, self.inks[*number]);
        (0..count).min_by_key(distance).unwrap_or(0)
    }

    /// Returns the number of the colour halfway between two. Halves are rounded up.
    pub(super) fn find_mean(&mut self, one: u8, other: u8) -> u8 {
        let (row, column) = (usize::from(one), usize::from(other));
        if let Some(number) = self.means[row][column] {
            return number;
        }
        let Ink(mut mean) = self.inks[row];
        for (part, other) in mean.iter_mut().zip(self.inks[column].0) {
            *part = part.midpoint(other) + ((*part ^ other) & 1);
        }
        let number = self.number(Ink(mean));
        self.means[row][column] = Some(number);
        number
    }
}

/// Encodes the canvas as a PNG with a palette. Returns `None` if the encoder fails.
pub(super) fn encode_png(canvas: &Canvas) -> Option<Vec<u8>> {
    let png = encode_at_level(canvas, FAST_LEVEL)?;
    if png.len() <= FAST_BYTES_MAX { Some(png) } else { encode_at_level(canvas, BEST_LEVEL) }
}

fn encode_at_level(canvas: &Canvas, level: u8) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (width, height) = (canvas.width.try_into().ok()?, canvas.height.try_into().ok()?);
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    let palette: Vec<u8> = canvas.colours.inks.iter().flat_map(|&Ink(parts)| parts).collect();
    encoder.set_palette(palette);
    encoder.set_deflate_compression(png::DeflateCompression::Level(level));
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&canvas.pixels).ok()?;
    writer.finish().ok()?;
    Some(bytes)
}

fn colour_distance(Ink(one): Ink, Ink(other): Ink) -> u32 {
    one.iter().zip(other).map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_beyond_palette_becomes_nearest_one() {
        let mut colours = Colours::new(Ink::PAPER);
        let shades: Vec<u8> = (0..=255).map(|shade| colours.number(Ink([shade, 0, 0]))).collect();
        assert_eq!(colours.inks.len(), COLOURS_MAX);
        let expected: Vec<u8> = (1..=255).chain([255]).collect();
        assert_eq!(shades, expected, "the last one is drawn like the one before");
    }

    #[test]
    fn mean_of_colours_is_rounded_up() {
        let mut colours = Colours::new(Ink([0, 0, 255]));
        let other = colours.number(Ink([1, 2, 254]));
        let mean = colours.find_mean(0, other);
        assert_eq!(colours.inks[usize::from(mean)], Ink([1, 1, 255]));
        assert_eq!(colours.find_mean(other, 0), mean);
    }
}
