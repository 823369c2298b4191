//! Encodes a canvas as a PNG with a palette of at most 256 colours.

use super::canvas::Canvas;
use crate::rules::Ink;
use std::collections::HashMap;

/// The most colours that the palette of a PNG can hold.
const COLOURS_MAX: usize = 256;

/// Encodes the canvas as a PNG with a palette. Returns `None` if the encoder fails.
pub(super) fn encode_png(canvas: &Canvas) -> Option<Vec<u8>> {
    let colours = count_colours(canvas);
    let places = palette_indices(&colours);
    let mut indices = Vec::with_capacity(canvas.pixels.len());
    for run in colour_runs(canvas) {
        let place = run.first().and_then(|ink| places.get(ink)).copied().unwrap_or(0);
        indices.resize(indices.len() + run.len(), place);
    }
    let palette: Vec<u8> =
        colours.iter().take(COLOURS_MAX).flat_map(|&(Ink(parts), _)| parts).collect();
    let mut bytes = Vec::new();
    let (width, height) = (canvas.width.try_into().ok()?, canvas.height.try_into().ok()?);
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&indices).ok()?;
    writer.finish().ok()?;
    Some(bytes)
}

/// Iterates over runs of adjacent pixels of equal colour. There are far fewer runs than pixels, so
/// counting by run is faster.
fn colour_runs(canvas: &Canvas) -> impl Iterator<Item = &[Ink]> {
    canvas.pixels.chunk_by(|one, other| one == other)
}

/// Counts how often each colour occurs on the canvas. Returns the most frequent colour first.
fn count_colours(canvas: &Canvas) -> Vec<(Ink, usize)> {
    let mut counts: HashMap<Ink, usize> = HashMap::new();
    for run in colour_runs(canvas) {
        if let Some(&ink) = run.first() {
            *counts.entry(ink).or_default() += run.len();
        }
    }
    let mut colours: Vec<(Ink, usize)> = counts.into_iter().collect();
    colours.sort_unstable_by_key(|&(ink, count)| (usize::MAX - count, ink));
    colours
}

/// Maps each colour to its index in the palette. A colour beyond the first 256 gets the index of
/// the nearest colour in the palette.
fn palette_indices(colours: &[(Ink, usize)]) -> HashMap<Ink, u8> {
    let (kept, others) = colours.split_at(colours.len().min(COLOURS_MAX));
    let mut places: HashMap<Ink, u8> = kept.iter().map(|&(ink, _)| ink).zip(0..=u8::MAX).collect();
    for &(ink, _) in others {
        let nearest =
            (0..=u8::MAX).zip(kept).min_by_key(|(_, (other, _))| colour_distance(ink, *other));
        places.extend(nearest.map(|(place, _)| (ink, place)));
    }
    places
}

fn colour_distance(Ink(one): Ink, Ink(other): Ink) -> u32 {
    one.iter().zip(other).map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Fill;

    #[test]
    fn colour_beyond_palette_becomes_nearest_one() {
        let mut canvas = Canvas::new(780, 2, Ink::PAPER);
        for shade in 0..=255_u8 {
            let at = i32::from(shade) * 3;
            canvas.fill_area(
                [(at, 0), (at + 3, 0), (at + 3, 1), (at, 1)].as_slice(),
                Fill::plain(Ink([shade, 0, 0])),
            );
        }
        let colours = count_colours(&canvas);
        assert_eq!(colours.len(), 257);
        let places = palette_indices(&colours);
        let (lost, _) = colours[256];
        let near = colours[usize::from(places[&lost])].0;
        assert_eq!(colour_distance(lost, near), 1, "{lost:?} {near:?}");
        assert!(encode_png(&canvas).is_some());
    }
}
