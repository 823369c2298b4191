//! Text on a canvas: fits it into its space and draws its letters.

use super::canvas::Canvas;
use super::stencil::{Outline, to_f32, to_pixel};
use crate::rules::{Anchor, FONT_SIZE_MIN, Fill, Ink, Point};
use ab_glyph::{Font, FontRef, GlyphId, OutlinedGlyph, PxScale, ScaleFont, point};
use std::sync::LazyLock;

/// The font Noto Sans Bold, reduced to European Latin, Greek and Cyrillic letters. Its license is
/// in `OFL.txt`.
static FONT: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(include_bytes!("NotoSans-Bold-subset.ttf")).ok());

/// The height of a capital letter, as a fraction of the font height that `PxScale` measures.
const CAPITAL_HEIGHT: f32 = 0.714 / 1.362;

/// The replacement for a character that the font does not contain.
const MISSING_GLYPH: char = '?';

/// Fits a text into `room` pixels of width, and returns the text and the font size to draw it with.
/// Shrinks the text to [`FONT_SIZE_MIN`] at the least. If that is still too wide, shortens the text
/// and ends it with `…`.
pub(super) fn shrink_or_shorten_text(text: &str, size: u8, room: u16) -> (String, u8) {
    let Some(font) = &*FONT else { return (text.to_owned(), size) };
    let known = |c| if font.glyph_id(c).0 == 0 { MISSING_GLYPH } else { c };
    let mut text: String = text.chars().map(known).collect();
    let room = f32::from(room);
    let fitting = f32::from(size) * room / text_width(font, &text, size);
    let size = size.min((fitting as u8).max(FONT_SIZE_MIN));
    if text_width(font, &text, size) > room {
        while text.pop().is_some() && text_width(font, &format!("{text}…"), size) > room {}
        text.push('…');
    }
    (text, size)
}

fn font_scale(size: u8) -> PxScale {
    PxScale::from(f32::from(size) * 1.362)
}

fn text_width(font: &FontRef<'_>, text: &str, size: u8) -> f32 {
    let font = font.as_scaled(font_scale(size));
    text.chars().map(|c| font.h_advance(font.glyph_id(c))).sum()
}

/// Draws a text at a point. `size` is the font size in pixels per em, as in print.
pub(super) fn draw_text(
    canvas: &mut Canvas,
    (at, anchor): (Point, Anchor),
    size: u8,
    ink: Ink,
    text: &str,
) {
    let Some(font) = &*FONT else { return };
    let width = text_width(font, text, size);
    let font = font.as_scaled(font_scale(size));
    let start = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    let (x, y) = to_f32(at);
    let mut pen = (x - start).round();
    let base = to_pixel((y + font.scale().y * CAPITAL_HEIGHT / 2.0).round());
    for c in text.chars() {
        let id = font.glyph_id(c);
        let outline = Outline::Glyph { id, size, offset: pen.fract().to_bits() };
        canvas.fill(outline, (to_pixel(pen), base), Fill::plain(ink));
        pen += font.h_advance(id);
    }
}

/// Returns a letter at this distance to the left edge of a pixel. Returns `None` if it has no
/// outline, such as a space.
pub(super) fn find_glyph(id: GlyphId, size: u8, offset: f32) -> Option<OutlinedGlyph> {
    let font = FONT.as_ref()?;
    font.outline_glyph(id.with_scale_and_position(font_scale(size), point(offset, 0.0)))
}
