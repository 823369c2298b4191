//! Draws the trick lane, the current trick and the railways as a picture with rows of cards.

use super::card::Card;
use super::company::Company;
use super::definition::Locomotive;
use super::draw::{was_just_added, was_just_mounted, was_just_played, was_just_reserved};
use super::railway::Track;
use super::refuse::card_name;
use super::state::{Event, LaneCard, Phase, State};
use crate::rules::{
    Anchor, FONT_SIZE_MIN, Fill, Ink, Message, PictureStyle, Point, SCENE_WIDTH, Scene, SceneText,
    Shape,
};

const LEFT_MARGIN: i32 = 18;
const LANE_CARDS_PER_LINE: usize = 5;
const LANE_SPACING: Point = (150, 68);
const LANE_CARD_SIZE: Point = (144, 60);
/// The size of the upper left corner of a card in the lane, which holds the number of its place.
const LANE_NUMBER_SIZE: Point = (34, 30);
const TRICK_CARD_SIZE: Point = (140, 56);
const COMPANY_CARD_SIZE: Point = (88, 58);
/// The x coordinate of a railway's locomotive, right of the company's name and share value.
const LOCOMOTIVE_LEFT: i32 = 110;
const LOCOMOTIVE_CARD_SIZE: Point = (78, 58);
/// The x coordinate of a railway's first card.
const TRACK_LEFT: i32 = 198;
const TRACK_SPACING: Point = (57, 64);
const TRACK_CARD_SIZE: Point = (53, 58);
const TRACK_CARDS_PER_LINE: usize = 10;
/// The distance of the two columns of the legend.
const LEGEND_SPACING: i32 = 384;
const LARGE: u8 = 26;

/// The picture that is drawn row by row. `y` is the lower edge of what is drawn so far.
struct ScenePainter<'s> {
    scene: Scene,
    y: i32,
    state: &'s State,
    recent: &'s [Event],
    style: PictureStyle,
}

/// The look of a card: its background, its large and its small text, and whether it is highlighted
/// as new.
struct CardFace {
    fill: Fill,
    large: String,
    small: String,
    is_new: bool,
}

/// Draws the lane, the trick and the railways. Cards that `recent` added are outlined.
pub fn draw_scene(state: &State, recent: &[Event], style: PictureStyle) -> Scene {
    let mut sheet = ScenePainter { scene: Scene::new(0, Ink::LAND), y: 0, state, recent, style };
    sheet.draw_lane();
    sheet.draw_trick();
    Company::ALL.into_iter().for_each(|company| sheet.draw_railway(company));
    sheet.draw_legend();
    sheet.scene.height = u16::try_from(sheet.y + 10).unwrap_or(u16::MAX);
    sheet.scene
}

const CITY_FILL: Fill = Fill::plain(Ink::PAPER);
const ENGINE_FILL: Fill = Fill::plain(Ink::DARK);
const EMPTY_FILL: Fill = Fill::plain(Ink([0xe2, 0xdd, 0xcb]));

const fn locomotive_label(locomotive: Locomotive) -> &'static str {
    if matches!(locomotive, Locomotive::Six) { "6+inf" } else { locomotive.name() }
}

impl ScenePainter<'_> {
    fn draw_section_heading(&mut self, key: &'static str) {
        self.y += 24;
        let at = (LEFT_MARGIN, self.y);
        self.scene.add_translated_sentence((at, SCENE_WIDTH), 22, Ink::GREY, Message::new(key));
        self.y += 18;
    }

    /// Draws the places of the lane from the current trick on. Earlier places are empty.
    fn draw_lane(&mut self) {
        if self.state.phase == Phase::Over {
            return;
        }
        self.draw_section_heading("tr-picture-lane");
        let top = self.y;
        let places = self.state.lane.iter().enumerate().skip(self.state.trick);
        for (nth, (at, place)) in places.enumerate() {
            let (line, column) =
                (to_i32(nth / LANE_CARDS_PER_LINE), to_i32(nth % LANE_CARDS_PER_LINE));
            let (x, y) = (LEFT_MARGIN + column * LANE_SPACING.0, top + line * LANE_SPACING.1);
            let face =
                place.map_or_else(|| CardFace::new(EMPTY_FILL, ""), |card| self.lane_face(card));
            let is_new = place.is_some() && was_just_reserved(self.recent, at);
            self.draw_card(
                (x, y),
                LANE_CARD_SIZE,
                LANE_NUMBER_SIZE.0,
                &CardFace { is_new, ..face },
            );
            self.scene.add_rectangle((x + 1, y + 1), LANE_NUMBER_SIZE, CITY_FILL);
            let number = (x + 1 + LANE_NUMBER_SIZE.0 / 2, y + 1 + LANE_NUMBER_SIZE.1 / 2);
            self.scene.add_centred_text(number, FONT_SIZE_MIN, Ink::GREY, (at + 1).to_string());
            if nth == 0 {
                self.scene.add_rectangle_outline((x, y), LANE_CARD_SIZE, 6, Ink::DARK);
            }
            self.y = y + LANE_CARD_SIZE.1;
        }
    }

    fn lane_face(&self, card: LaneCard) -> CardFace {
        let edition = &self.state.edition;
        match card {
            LaneCard::Exchange(company) => {
                self.company_face(company, edition.company_name(company))
            }
            LaneCard::Railway(card) => self.railway_card_face(card),
            LaneCard::Reservation => CardFace::new(EMPTY_FILL, "?"),
            LaneCard::City(city) => CardFace {
                small: edition.city(city).map(|city| city.name.clone()).unwrap_or_default(),
                ..CardFace::new(CITY_FILL, edition.track_value(Track::City(city)).to_string())
            },
            LaneCard::Locomotive(locomotive) => {
                CardFace::new(ENGINE_FILL, locomotive_label(locomotive))
            }
        }
    }

    fn company_face(&self, company: Company, large: impl Into<String>) -> CardFace {
        CardFace::new(self.style.fill(company.ink_and_pattern()), large)
    }

    /// Returns the face of a railway card with its company and number, as in a hand.
    fn railway_card_face(&self, card: Card) -> CardFace {
        self.company_face(card.company(), card_name(&self.state.edition, card))
    }

    /// Draws the cards of the trick in the order of play, each with its player's name.
    fn draw_trick(&mut self) {
        if self.state.trick_cards.is_empty() || self.state.phase == Phase::Over {
            return;
        }
        self.draw_section_heading("tr-picture-trick");
        for (place, &(seat, card)) in (0..).zip(&self.state.trick_cards) {
            let corner = (LEFT_MARGIN + place * 150, self.y);
            let is_new = was_just_played(self.recent, card);
            let face = CardFace { is_new, ..self.railway_card_face(card) };
            self.draw_card(corner, TRICK_CARD_SIZE, 0, &face);
            let is_winner = self.state.winner == Some(seat);
            let key = if is_winner { "tr-picture-winner" } else { "tr-picture-player" };
            let words = SceneText::Sentence(Message::new(key).with("seat", seat));
            let at = (corner.0 + TRICK_CARD_SIZE.0 / 2, corner.1 + TRICK_CARD_SIZE.1 + 18);
            let (size, ink, anchor, room) = (22, Ink::DARK, Anchor::Middle, 148);
            self.scene.shapes.push(Shape::Text { at, size, ink, anchor, max_width: room, words });
        }
        self.y += TRICK_CARD_SIZE.1 + 34;
    }

    /// Draws a company's name and share value, its locomotive, and the cards of its railway from
    /// left to right.
    fn draw_railway(&mut self, company: Company) {
        let railway = &self.state.railways[company];
        self.y += 12;
        let edition = &self.state.edition;
        let value = railway.compute_profit_and_value(edition).value.to_string();
        let name = self.company_face(company, edition.company_name(company));
        let (fill, top) = (name.fill, self.y);
        let name = CardFace { small: value, ..name };
        self.draw_card((LEFT_MARGIN, top), COMPANY_CARD_SIZE, 0, &name);
        let mounted = railway.locomotive.map_or_else(
            || CardFace::new(EMPTY_FILL, "-"),
            |locomotive| CardFace::new(ENGINE_FILL, locomotive_label(locomotive)),
        );
        let is_new = was_just_mounted(self.recent, company);
        let face = CardFace { is_new, ..mounted };
        self.draw_card((LOCOMOTIVE_LEFT, top), LOCOMOTIVE_CARD_SIZE, 0, &face);
        for (at, &track) in railway.track.iter().enumerate() {
            let (line, column) =
                (to_i32(at / TRACK_CARDS_PER_LINE), to_i32(at % TRACK_CARDS_PER_LINE));
            let corner = (TRACK_LEFT + column * TRACK_SPACING.0, top + line * TRACK_SPACING.1);
            self.draw_card(corner, TRACK_CARD_SIZE, 0, &self.track_face(track, fill));
            self.y = corner.1 + TRACK_CARD_SIZE.1;
        }
    }

    /// Returns the face of a card on a railway: its value is large, and its number small.
    fn track_face(&self, track: Track, back: Fill) -> CardFace {
        let (fill, small) = match track {
            Track::Station => (EMPTY_FILL, "S".to_owned()),
            Track::City(_) => (CITY_FILL, "C".to_owned()),
            Track::Card(card) => (back, card.number().to_string()),
        };
        let large = self.state.edition.track_value(track).to_string();
        CardFace { fill, large, small, is_new: was_just_added(self.recent, track) }
    }

    /// Draws a card. Its large text is right of a corner that is `taken` wide.
    fn draw_card(&mut self, corner: Point, (width, height): Point, taken: i32, face: &CardFace) {
        self.scene.add_rectangle(corner, (width, height), face.fill);
        self.scene.add_rectangle_outline(corner, (width, height), 2, Ink::DARK);
        let (x, y) = (corner.0 + i32::midpoint(taken, width), corner.1 + height / 2);
        let ink = face.fill.ink.text_colour();
        let is_wide = to_i32(face.large.chars().count()) * 18 > width - taken;
        let size = if is_wide { FONT_SIZE_MIN } else { LARGE };
        if face.small.is_empty() {
            self.scene.add_centred_text((x, y), size, ink, face.large.clone());
        } else {
            self.scene.add_centred_text((x, y - 13), size, ink, face.large.clone());
            let x = corner.0 + width / 2;
            self.scene.add_centred_text((x, y + 15), FONT_SIZE_MIN, ink, face.small.clone());
        }
        if face.is_new {
            self.scene.add_rectangle_outline(corner, (width, height), 5, Ink::NEW);
        }
    }

    /// Draws the legend: a sample of each kind of card, and the meaning of the frames.
    fn draw_legend(&mut self) {
        let grey = self.style.fill(Company::Nyc.ink_and_pattern());
        let name = self.state.edition.company_name(Company::Nyc);
        let face = |fill, large: &str, small: &str| CardFace {
            small: small.to_owned(),
            ..CardFace::new(fill, large)
        };
        let top = self.y + 16;
        for (corner, size, face, key) in [
            ((0, 0), COMPANY_CARD_SIZE, face(grey, name, "40"), "tr-picture-worth"),
            ((1, 0), TRACK_CARD_SIZE, face(grey, "30", "7"), "tr-picture-card"),
            ((0, 66), (52, 34), face(ENGINE_FILL, "4", ""), "tr-picture-locomotive"),
        ] {
            let corner = (LEFT_MARGIN + corner.0 * LEGEND_SPACING, top + corner.1);
            self.draw_card(corner, size, 0, &face);
            self.write_legend((corner.0 + size.0 + 12, corner.1 + size.1 / 2), key);
        }
        self.write_legend((LEFT_MARGIN + LEGEND_SPACING, top + 83), "tr-picture-letters");
        let y = top + 124;
        for (column, ink, key) in
            [(0, Ink::DARK, "tr-picture-now"), (1, Ink::NEW, "tr-picture-new")]
        {
            let x = LEFT_MARGIN + column * LEGEND_SPACING;
            self.scene.add_rectangle_outline((x + 3, y - 14), (28, 28), 6, ink);
            self.write_legend((x + 44, y), key);
        }
        self.y = y + 16;
    }

    fn write_legend(&mut self, at: Point, key: &'static str) {
        let said = Message::new(key);
        self.scene.add_translated_sentence((at, 300), FONT_SIZE_MIN, Ink::DARK, said);
    }
}

impl CardFace {
    fn new(fill: Fill, large: impl Into<String>) -> Self {
        Self { fill, large: large.into(), small: String::new(), is_new: false }
    }
}

fn to_i32(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
