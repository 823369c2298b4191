//! Pictures of a game as data: shapes, texts and colours on a sheet that is 780 units wide. The
//! game says what to draw, and `picture` draws it as PNG or SVG without knowing the game.

use super::Message;

/// The width of every scene, in units: twice the width of a letter on a phone. A unit is one pixel
/// in a PNG.
pub const SCENE_WIDTH: u16 = 780;

/// The smallest font size in a scene, in units. It is 10 pixels on a phone, which shows a picture
/// 358 pixels wide.
pub const FONT_SIZE_MIN: u8 = 22;

/// A picture of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The height of the sheet, in units.
    pub height: u16,
    /// The background colour.
    pub background: Ink,
    /// The shapes, in drawing order: later ones cover earlier ones.
    pub shapes: Vec<Shape>,
    /// The number of shapes, from the first one on, that form the backdrop. It is equal in all
    /// positions of a game, so that pictures of several positions can share it. 0 for no backdrop.
    pub backdrop: usize,
}

/// A position on the sheet, in units from its upper left corner: to the right, and down.
pub type Point = (i32, i32);

/// A shape on the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A filled polygon.
    Area {
        /// The corners of the polygon, in order.
        corners: Vec<Point>,
        /// The colour and pattern of the polygon.
        fill: Fill,
    },
    /// A line through several points.
    Line {
        /// The points of the line. If the last equals the first, the line is closed.
        points: Vec<Point>,
        /// The width of the line, in units.
        width: u8,
        /// The colour of the line.
        ink: Ink,
    },
    /// A filled circle.
    Disc {
        /// The centre of the circle, in units.
        centre: Point,
        /// The radius of the circle, in units.
        radius: u8,
        /// The colour of the circle.
        ink: Ink,
    },
    /// A short text in one line.
    Text {
        /// The position of the text. `anchor` says which part of the text is there. Vertically it
        /// is the middle of a capital letter.
        at: Point,
        /// The font size of the text, in units.
        size: u8,
        /// The colour of the text.
        ink: Ink,
        /// The part of the text that is at `at`.
        anchor: Anchor,
        /// The maximum width of the text, in units. A wider text is drawn smaller, but not below
        /// [`FONT_SIZE_MIN`], and truncated if that is not enough. Translations and player names
        /// have any length, so every text needs a maximum.
        max_width: u16,
        /// The words of the text.
        words: SceneText,
    },
}

/// The words of a text in a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneText {
    /// Words that are identical in every language, such as the names that orders use.
    Plain(String),
    /// A sentence in the reader's language.
    Sentence(Message),
}

/// The part of a text that is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text starts at its position.
    Start,
    /// The text is centred on its position.
    Middle,
    /// The text ends at its position.
    End,
}

/// The colour and pattern of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// The colour of the area.
    pub ink: Ink,
    /// A pattern over the colour, for readers who cannot distinguish the colours.
    pub pattern: Pattern,
}

/// A pattern over a colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pattern {
    /// No pattern over the colour.
    #[default]
    Plain,
    /// Lines from the lower left to the upper right over the colour.
    Rising,
    /// Lines from the upper left to the lower right over the colour.
    Falling,
    /// Horizontal lines over the colour.
    Level,
    /// Vertical lines over the colour.
    Upright,
    /// Dots over the colour.
    Dotted,
}

/// A colour: red, green and blue, each from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ink(pub [u8; 3]);

/// The settings for a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PictureStyle {
    /// Whether areas have patterns over their colours, for readers who cannot distinguish colours.
    pub has_patterns: bool,
    /// Whether the scene shows the whole board over a backdrop, if the game's board has parts that
    /// never change. All scenes of a game then have the same scale. Letters show less of the board.
    pub has_backdrop: bool,
}

impl PictureStyle {
    /// Returns a fill of this colour, with this pattern if the reader wants patterns.
    pub const fn fill(self, (ink, pattern): (Ink, Pattern)) -> Fill {
        Fill { ink, pattern: if self.has_patterns { pattern } else { Pattern::Plain } }
    }
}

impl Ink {
    /// White, for the background.
    pub const PAPER: Self = Self([255, 255, 255]);
    /// Almost black, for lines and text on light colours.
    pub const DARK: Self = Self([0x1a, 0x1c, 0x1e]);
    /// Grey, for less important text.
    pub const GREY: Self = Self([0x55, 0x5b, 0x61]);
    /// A light colour, for lines that only separate things.
    pub const FAINT: Self = Self([0xd2, 0xcc, 0xb8]);
    /// The colour of land without buildings.
    pub const LAND: Self = Self([0xf4, 0xf1, 0xe6]);
    /// The colour of water and of everything outside the land.
    pub const SEA: Self = Self([0xdc, 0xea, 0xf4]);
    /// The colour of the marks on changes that the last moves made.
    pub const NEW: Self = Self([0xe0, 0x00, 0x7a]);
    /// The colour of barriers that block a route.
    pub const BARRIER: Self = Self([0xa8, 0x0b, 0x4f]);
    /// One of six colours that colour-blind readers can distinguish too. Games use them for players
    /// and companies.
    pub const BLUE: Self = Self([0x5a, 0xa5, 0xe0]);
    /// One of the six colours that everybody can distinguish.
    pub const YELLOW: Self = Self([0xff, 0xcd, 0x2b]);
    /// One of the six colours that everybody can distinguish.
    pub const RED: Self = Self([0xf0, 0x4a, 0x60]);
    /// One of the six colours that everybody can distinguish.
    pub const PURPLE: Self = Self([0x84, 0x40, 0xf0]);
    /// One of the six colours that everybody can distinguish.
    pub const BLACK: Self = Self([0x20, 0x22, 0x20]);
    /// One of the six colours that everybody can distinguish.
    pub const BROWN: Self = Self([0x94, 0x50, 0x0a]);

    /// Returns the text colour with the better contrast on this colour: [`DARK`](Self::DARK) or
    /// [`PAPER`](Self::PAPER).
    pub fn text_colour(self) -> Self {
        let [red, green, blue] = self.0.map(u32::from);
        let light = red * 299 + green * 587 + blue * 114;
        if light > 118_000 { Self::DARK } else { Self::PAPER }
    }
}

impl Fill {
    /// Returns a fill with this colour and no pattern.
    pub const fn plain(ink: Ink) -> Self {
        Self { ink, pattern: Pattern::Plain }
    }
}

impl Scene {
    /// Returns the texts that are the same in every language.
    #[cfg(test)]
    pub(crate) fn plain_texts(&self) -> impl Iterator<Item = &str> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Text { words: SceneText::Plain(text), .. } => Some(text.as_str()),
            _ => None,
        })
    }

    /// Creates a scene without shapes, with this height in units and this background.
    pub const fn new(height: u16, ground: Ink) -> Self {
        Self { height, background: ground, shapes: Vec::new(), backdrop: 0 }
    }

    /// Makes the shapes so far the backdrop of the scene.
    pub const fn end_backdrop(&mut self) {
        self.backdrop = self.shapes.len();
    }

    /// Adds a filled polygon to the scene.
    pub fn add_polygon(&mut self, corners: impl IntoIterator<Item = Point>, fill: Fill) {
        self.shapes.push(Shape::Area { corners: corners.into_iter().collect(), fill });
    }

    /// Adds a filled rectangle to the scene, given by its upper left corner and its width and
    /// height.
    pub fn add_rectangle(&mut self, (x, y): Point, (width, height): (i32, i32), fill: Fill) {
        self.add_polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], fill);
    }

    /// Adds a line through these points to the scene. `width` is in units.
    pub fn add_line(&mut self, points: impl IntoIterator<Item = Point>, width: u8, ink: Ink) {
        self.shapes.push(Shape::Line { points: points.into_iter().collect(), width, ink });
    }

    /// Adds a closed line around a polygon to the scene.
    pub fn add_polygon_outline(&mut self, corners: &[Point], width: u8, ink: Ink) {
        self.add_line(corners.iter().chain(corners.first()).copied(), width, ink);
    }

    /// Adds a line around a rectangle to the scene. The rectangle is given by its upper left corner
    /// and its width and height; `width` is that of the line.
    pub fn add_rectangle_outline(
        &mut self,
        (x, y): Point,
        (wide, high): (i32, i32),
        width: u8,
        ink: Ink,
    ) {
        let corners = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)];
        self.add_polygon_outline(&corners, width, ink);
    }

    /// Adds a filled circle to the scene.
    pub fn add_disc(&mut self, centre: Point, radius: u8, ink: Ink) {
        self.shapes.push(Shape::Disc { centre, radius, ink });
    }

    /// Adds a centred text to the scene. The text is identical in every language, such as a name
    /// that orders use.
    pub fn add_centred_text(&mut self, at: Point, size: u8, ink: Ink, text: impl Into<String>) {
        let (anchor, room, words) = (Anchor::Middle, SCENE_WIDTH, SceneText::Plain(text.into()));
        self.shapes.push(Shape::Text { at, size, ink, anchor, max_width: room, words });
    }

    /// Adds a sentence in the reader's language to the scene. It starts at `at` and is at most
    /// `room` units wide.
    pub fn add_translated_sentence(
        &mut self,
        (at, room): (Point, u16),
        size: u8,
        ink: Ink,
        said: Message,
    ) {
        let (anchor, words) = (Anchor::Start, SceneText::Sentence(said));
        self.shapes.push(Shape::Text { at, size, ink, anchor, max_width: room, words });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the relative luminance, by WCAG 2.
    fn luminance(Ink(parts): Ink) -> f64 {
        let [r, g, b] = parts.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    #[test]
    fn text_colour_contrasts_with_every_ink() {
        let six = [Ink::BLUE, Ink::YELLOW, Ink::RED, Ink::PURPLE, Ink::BLACK, Ink::BROWN];
        for ink in six.into_iter().chain([Ink::PAPER, Ink::LAND, Ink::SEA, Ink::DARK]) {
            let (one, other) = (luminance(ink), luminance(ink.text_colour()));
            let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
            assert!(contrast >= 4.5, "{ink:?}: {contrast:.1}");
        }
    }
}
