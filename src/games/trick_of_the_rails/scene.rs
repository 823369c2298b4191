//! Draws the trick lane, the current trick and the railways as a picture with rows of cards.

use super::card::Card;
use super::company::Company;
use super::definition::Locomotive;
use super::draw::{was_just_added, was_just_mounted, was_just_played, was_just_reserved};
use super::railway::Track;
use super::refuse::card_name;
use super::state::{Event, LaneCard, Phase, State};
use crate::rules::{
    Anchor, Fill, Ink, Message, PictureStyle, Point, SCENE_WIDTH, Scene, SceneText, Shape,
};

const LANE_CARDS_PER_LINE: usize = 8;
const LANE_SPACING: Point = (94, 104);
const LANE_CARD_SIZE: Point = (84, 70);
const LEFT_MARGIN: i32 = 18;
/// The x coordinate of a railway's first card, after the company's name and locomotive.
const TRACK_LEFT: i32 = 176;
const TRACK_SPACING: Point = (60, 66);
const TRACK_CARD_SIZE: Point = (54, 58);
const TRACK_CARDS_PER_LINE: usize = 10;

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
        self.y += 26;
        self.scene.add_translated_sentence(
            ((LEFT_MARGIN, self.y), SCENE_WIDTH),
            20,
            Ink::GREY,
            Message::new(key),
        );
        self.y += 24;
    }

    fn draw_lane(&mut self) {
        self.draw_section_heading("tr-picture-lane");
        let (is_on, top) = (self.state.phase != Phase::Over, self.y);
        for (at, place) in self.state.lane.iter().enumerate() {
            let (line, column) =
                (to_i32(at / LANE_CARDS_PER_LINE), to_i32(at % LANE_CARDS_PER_LINE));
            let corner = (LEFT_MARGIN + column * LANE_SPACING.0, top + line * LANE_SPACING.1 + 18);
            let number = (corner.0 + LANE_CARD_SIZE.0 / 2, corner.1 - 11);
            let is_now = is_on && at == self.state.trick;
            let ink = if is_now { Ink::NEW } else { Ink::GREY };
            self.scene.add_centred_text(number, 17, ink, (at + 1).to_string());
            let face =
                place.map_or_else(|| CardFace::new(EMPTY_FILL, ""), |card| self.lane_face(card));
            let is_new = place.is_some() && was_just_reserved(self.recent, at);
            self.draw_card(corner, LANE_CARD_SIZE, &CardFace { is_new, ..face });
            if is_now {
                self.scene.add_rectangle_outline(corner, LANE_CARD_SIZE, 5, Ink::DARK);
            }
            self.y = corner.1 + LANE_CARD_SIZE.1;
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
            self.draw_card(corner, (140, 60), &CardFace { is_new, ..self.railway_card_face(card) });
            let is_winner = self.state.winner == Some(seat);
            let key = if is_winner { "tr-picture-winner" } else { "tr-picture-player" };
            let words = SceneText::Sentence(Message::new(key).with("seat", seat));
            let at = (corner.0 + 70, corner.1 + 78);
            let (size, ink, anchor, room) = (18, Ink::DARK, Anchor::Middle, 146);
            self.scene.shapes.push(Shape::Text { at, size, ink, anchor, max_width: room, words });
        }
        self.y += 96;
    }

    /// Draws a company's name, its locomotive, and the cards of its railway from left to right.
    fn draw_railway(&mut self, company: Company) {
        let railway = &self.state.railways[company];
        self.y += 12;
        let (name, top) =
            (self.company_face(company, self.state.edition.company_name(company)), self.y);
        self.draw_card((LEFT_MARGIN, top), (84, TRACK_CARD_SIZE.1), &name);
        let mounted = railway.locomotive.map_or_else(
            || CardFace::new(EMPTY_FILL, "-"),
            |locomotive| CardFace::new(ENGINE_FILL, locomotive_label(locomotive)),
        );
        let is_new = was_just_mounted(self.recent, company);
        self.draw_card(
            (LEFT_MARGIN + 92, top),
            (56, TRACK_CARD_SIZE.1),
            &CardFace { is_new, ..mounted },
        );
        for (at, &track) in railway.track.iter().enumerate() {
            let (line, column) =
                (to_i32(at / TRACK_CARDS_PER_LINE), to_i32(at % TRACK_CARDS_PER_LINE));
            let corner = (TRACK_LEFT + column * TRACK_SPACING.0, top + line * TRACK_SPACING.1);
            self.draw_card(corner, TRACK_CARD_SIZE, &self.track_face(track, name.fill));
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

    fn draw_card(&mut self, corner: Point, (width, height): Point, face: &CardFace) {
        self.scene.add_rectangle(corner, (width, height), face.fill);
        self.scene.add_rectangle_outline(corner, (width, height), 2, Ink::DARK);
        let (x, y) = (corner.0 + width / 2, corner.1 + height / 2);
        let ink = face.fill.ink.text_colour();
        let is_wide = face.large.chars().count() * 16 > usize::try_from(width).unwrap_or(0);
        let size = if is_wide { 20 } else { 26 };
        if face.small.is_empty() {
            self.scene.add_centred_text((x, y), size, ink, face.large.clone());
        } else {
            self.scene.add_centred_text((x, y - 11), size, ink, face.large.clone());
            self.scene.add_centred_text(
                (x, y + 17),
                font_size_to_fit(&face.small),
                ink,
                face.small.clone(),
            );
        }
        if face.is_new {
            self.scene.add_rectangle_outline(corner, (width, height), 5, Ink::NEW);
        }
    }
}

impl CardFace {
    fn new(fill: Fill, large: impl Into<String>) -> Self {
        Self { fill, large: large.into(), small: String::new(), is_new: false }
    }
}

/// Returns the font size at which a text such as a city's name fits on a card.
const fn font_size_to_fit(text: &str) -> u8 {
    match text.len() {
        0..=8 => 16,
        9 | 10 => 14,
        _ => 12,
    }
}

fn to_i32(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
