//! Letters.

use super::canvas::Canvas;
use super::f32_of;
use crate::rules::{Anchor, Ink, Point};
use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use std::sync::LazyLock;

/// Noto Sans Bold, of which Latin-1 and a few signs are kept: `OFL.txt` beside it.
static FONT: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(include_bytes!("NotoSans-Bold-subset.ttf")).ok());

/// How high capitals are, by the height of the font that `PxScale` counts in.
const CAPITALS: f32 = 0.714 / 1.362;

/// Writes a text; `size` is that of the font, as in print.
pub(super) fn write(
    canvas: &mut Canvas,
    ((x, y), anchor): (Point, Anchor),
    size: u8,
    ink: Ink,
    text: &str,
) {
    let Some(font) = &*FONT else { return };
    let font = font.as_scaled(PxScale::from(f32::from(size) * 1.362));
    let width: f32 = text.chars().map(|c| font.h_advance(font.glyph_id(c))).sum();
    let start = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    let mut pen = (f32_of(x) - start).round();
    let base = (f32_of(y) + font.scale().y * CAPITALS / 2.0).round();
    for c in text.chars() {
        let id = font.glyph_id(c);
        let glyph = id.with_scale_and_position(font.scale(), point(pen, base));
        pen += font.h_advance(id);
        let Some(outline) = font.outline_glyph(glyph) else { continue };
        let corner = outline.px_bounds().min;
        outline.draw(|x, y, cover| {
            let (x, y) = (corner.x + x as f32, corner.y + y as f32);
            if x >= 0.0 && y >= 0.0 {
                canvas.blend(x as usize, y as usize, ink, cover);
            }
        });
    }
}
