//! A picture of a game as data: shapes, letters and colours on a sheet 780 units wide. Whoever
//! draws knows no game; whoever says what is drawn knows no pixels.

use super::Message;

/// How wide every scene is, in units: twice the width of a phone's letter, and a pixel each where
/// it is drawn as pixels.
pub const SCENE_WIDTH: u16 = 780;

/// A picture of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// In units.
    pub height: u16,
    /// What is behind everything.
    pub background: Ink,
    /// What is drawn, one upon the other.
    pub shapes: Vec<Shape>,
}

/// A place on the sheet, in units from its upper left corner: to the right, and down.
pub type Point = (i32, i32);

/// Something that is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An area with these corners.
    Area {
        /// Its corners, in order.
        corners: Vec<Point>,
        /// What fills it.
        fill: Fill,
    },
    /// A line along these points.
    Line {
        /// Where it bends; the first again at the end closes it.
        points: Vec<Point>,
        /// How wide it is, in units.
        width: u8,
        /// Its colour.
        ink: Ink,
    },
    /// A filled circle.
    Disc {
        /// Its middle.
        centre: Point,
        /// Its radius, in units.
        radius: u8,
        /// Its colour.
        ink: Ink,
    },
    /// A few words.
    Text {
        /// The middle of the capitals' height, at the side that `anchor` names.
        at: Point,
        /// Of the font, in units.
        size: u8,
        /// Its colour.
        ink: Ink,
        /// Which part of the words stands at `at`.
        anchor: Anchor,
        /// How wide the words may be, in units: what would be wider is written smaller, and cut
        /// where that is not enough. A language and a player's name are of any length.
        max_width: u16,
        /// What is written.
        words: SceneText,
    },
}

/// What is written in a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneText {
    /// What orders say too: the same in every language.
    Plain(String),
    /// A sentence of the reader's language.
    Sentence(Message),
}

/// Which part of words stands at their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Their beginning.
    Start,
    /// Their middle.
    Middle,
    /// Their end.
    End,
}

/// What fills an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// Its colour.
    pub ink: Ink,
    /// What is drawn upon it for who does not tell colours apart.
    pub pattern: Pattern,
}

/// What is drawn upon a colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pattern {
    /// Nothing.
    #[default]
    Plain,
    /// Lines from the lower left to the upper right.
    Rising,
    /// Lines from the upper left to the lower right.
    Falling,
    /// Level lines.
    Level,
    /// Upright lines.
    Upright,
    /// Dots.
    Dotted,
}

/// A colour: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ink(pub [u8; 3]);

/// How a reader wants pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PictureStyle {
    /// Whether colours have patterns too.
    pub has_patterns: bool,
}

impl PictureStyle {
    /// Returns a fill of this colour, with this pattern if the reader wants patterns.
    pub const fn fill(self, (ink, pattern): (Ink, Pattern)) -> Fill {
        Fill { ink, pattern: if self.has_patterns { pattern } else { Pattern::Plain } }
    }
}

impl Ink {
    /// What is not drawn on.
    pub const PAPER: Self = Self([255, 255, 255]);
    /// Lines and letters on what is light.
    pub const DARK: Self = Self([0x1a, 0x1c, 0x1e]);
    /// What is said by the way.
    pub const GREY: Self = Self([0x55, 0x5b, 0x61]);
    /// Lines that only part things.
    pub const FAINT: Self = Self([0xd2, 0xcc, 0xb8]);
    /// Country that nobody has built on.
    pub const LAND: Self = Self([0xf4, 0xf1, 0xe6]);
    /// What is no country.
    pub const SEA: Self = Self([0xdc, 0xea, 0xf4]);
    /// What the last moves have changed.
    pub const NEW: Self = Self([0xe0, 0x00, 0x7a]);
    /// What stops a way.
    pub const BARRIER: Self = Self([0xa8, 0x0b, 0x4f]);
    /// One of six that everybody tells apart, whatever colours he sees.
    pub const BLUE: Self = Self([0x5a, 0xa5, 0xe0]);
    /// One of the six.
    pub const YELLOW: Self = Self([0xff, 0xcd, 0x2b]);
    /// One of the six.
    pub const RED: Self = Self([0xf0, 0x4a, 0x60]);
    /// One of the six.
    pub const PURPLE: Self = Self([0x84, 0x40, 0xf0]);
    /// One of the six.
    pub const BLACK: Self = Self([0x20, 0x22, 0x20]);
    /// One of the six.
    pub const BROWN: Self = Self([0x94, 0x50, 0x0a]);

    /// The colour of letters upon this one: whichever stands out more.
    pub fn text_colour(self) -> Self {
        let [red, green, blue] = self.0.map(u32::from);
        let light = red * 299 + green * 587 + blue * 114;
        if light > 118_000 { Self::DARK } else { Self::PAPER }
    }
}

impl Fill {
    /// A colour by itself.
    pub const fn plain(ink: Ink) -> Self {
        Self { ink, pattern: Pattern::Plain }
    }
}

impl Scene {
    /// An empty sheet.
    pub const fn new(height: u16, ground: Ink) -> Self {
        Self { height, background: ground, shapes: Vec::new() }
    }

    /// Draws an area.
    pub fn area(&mut self, corners: impl IntoIterator<Item = Point>, fill: Fill) {
        self.shapes.push(Shape::Area { corners: corners.into_iter().collect(), fill });
    }

    /// Draws an upright rectangle, by its upper left corner, width and height.
    pub fn rectangle(&mut self, (x, y): Point, (width, height): (i32, i32), fill: Fill) {
        self.area([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], fill);
    }

    /// Draws a line.
    pub fn line(&mut self, points: impl IntoIterator<Item = Point>, width: u8, ink: Ink) {
        self.shapes.push(Shape::Line { points: points.into_iter().collect(), width, ink });
    }

    /// Draws a line around an area with these corners.
    pub fn outline(&mut self, corners: &[Point], width: u8, ink: Ink) {
        self.line(corners.iter().chain(corners.first()).copied(), width, ink);
    }

    /// Draws a line around an upright rectangle.
    pub fn frame(&mut self, (x, y): Point, (wide, high): (i32, i32), width: u8, ink: Ink) {
        let corners = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)];
        self.outline(&corners, width, ink);
    }

    /// Draws a filled circle.
    pub fn disc(&mut self, centre: Point, radius: u8, ink: Ink) {
        self.shapes.push(Shape::Disc { centre, radius, ink });
    }

    /// Writes something that orders say too, around a point.
    pub fn label(&mut self, at: Point, size: u8, ink: Ink, text: impl Into<String>) {
        let (anchor, room, words) = (Anchor::Middle, SCENE_WIDTH, SceneText::Plain(text.into()));
        self.shapes.push(Shape::Text { at, size, ink, anchor, max_width: room, words });
    }

    /// Writes a sentence from a point on, in so much room.
    pub fn sentence(&mut self, (at, room): (Point, u16), size: u8, ink: Ink, said: Message) {
        let (anchor, words) = (Anchor::Start, SceneText::Sentence(said));
        self.shapes.push(Shape::Text { at, size, ink, anchor, max_width: room, words });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance, by WCAG 2.
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
