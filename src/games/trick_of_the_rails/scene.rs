//! The trick lane, the trick as it lies, and the railways, as a picture: rows of cards.

use super::card::Card;
use super::company::Company;
use super::definition::Locomotive;
use super::draw::{is_built, is_mounted, is_reserved};
use super::railway::Track;
use super::state::{Event, LaneCard, Phase, State};
use crate::rules::{
    Anchor, Arg, Fill, Ink, Message, Pattern, PictureStyle, Point, SCENE_WIDTH, Scene, Seat, Shape,
    Words,
};

/// Cards of the lane on one line.
const LANE_LINE: usize = 8;
/// From one card of the lane to the next, and how large one is.
const LANE_STEP: Point = (94, 104);
const LANE_CARD: Point = (84, 70);
/// Where the lane, and the railways' cards, begin.
const LEFT: i32 = 18;
/// Where a railway's first card begins, behind its name and its locomotive.
const TRACK_LEFT: i32 = 176;
/// From one card of a railway to the next, and how large one is.
const TRACK_STEP: Point = (60, 66);
const TRACK_CARD: Point = (54, 58);
/// Cards of a railway on one line.
const TRACK_LINE: usize = 10;

/// Where the next row of a picture begins, and the picture so far.
struct Sheet<'s> {
    scene: Scene,
    y: i32,
    state: &'s State,
    recent: &'s [Event],
    style: PictureStyle,
}

/// A card to be drawn: what it stands on, its large word, its small one, and whether it is new.
struct Face {
    fill: Fill,
    large: String,
    small: String,
    is_new: bool,
}

/// The lane, the trick and the railways, with what `recent` changed ringed.
pub fn scene(state: &State, recent: &[Event], style: PictureStyle) -> Scene {
    let mut sheet = Sheet { scene: Scene::new(0, Ink::LAND), y: 0, state, recent, style };
    sheet.lane();
    sheet.trick();
    Company::ALL.into_iter().for_each(|company| sheet.railway(company));
    sheet.scene.height = u16::try_from(sheet.y + 10).unwrap_or(u16::MAX);
    sheet.scene
}

/// What a company's cards are drawn with.
fn fill(company: Company, style: PictureStyle) -> Fill {
    let pattern = match company {
        Company::Bo => Pattern::Level,
        Company::Co => Pattern::Falling,
        Company::Erie => Pattern::Dotted,
        Company::Nyc => Pattern::Plain,
        Company::Prr => Pattern::Rising,
    };
    style.fill(ink(company), pattern)
}

/// The colour that a company's cards have in letters.
pub const fn ink(company: Company) -> Ink {
    match company {
        Company::Bo => Ink::BLUE,
        Company::Co => Ink([0x1f, 0x7a, 0x4d]),
        Company::Erie => Ink::YELLOW,
        Company::Nyc => Ink([0xb4, 0xb8, 0xbc]),
        Company::Prr => Ink::RED,
    }
}

const CITY: Fill = Fill::plain(Ink::PAPER);
const ENGINE: Fill = Fill::plain(Ink::DARK);
const EMPTY: Fill = Fill::plain(Ink([0xe2, 0xdd, 0xcb]));

fn engine(locomotive: Locomotive) -> String {
    match locomotive {
        Locomotive::Infinite => "inf".to_owned(),
        Locomotive::Six => "6+inf".to_owned(),
        other => other.to_string().trim_matches(['[', ']']).to_owned(),
    }
}

impl Sheet<'_> {
    fn heading(&mut self, key: &'static str) {
        self.y += 26;
        self.scene.write(((LEFT, self.y), SCENE_WIDTH), 20, Ink::GREY, Message::new(key));
        self.y += 24;
    }

    fn lane(&mut self) {
        self.heading("tr-picture-lane");
        let (is_on, top) = (self.state.phase != Phase::Over, self.y);
        for (at, place) in self.state.lane.iter().enumerate() {
            let (line, column) = (whole(at / LANE_LINE), whole(at % LANE_LINE));
            let corner = (LEFT + column * LANE_STEP.0, top + line * LANE_STEP.1 + 18);
            let number = (corner.0 + LANE_CARD.0 / 2, corner.1 - 11);
            let is_now = is_on && at == self.state.trick;
            let ink = if is_now { Ink::NEW } else { Ink::GREY };
            self.scene.name(number, 17, ink, (at + 1).to_string());
            let is_new = is_reserved(self.recent, at);
            let face = place.map_or_else(Face::empty, |card| self.lane_face(card, is_new));
            self.card(corner, LANE_CARD, &face);
            if is_now {
                self.scene.frame(corner, LANE_CARD, 5, Ink::DARK);
            }
            self.y = corner.1 + LANE_CARD.1;
        }
    }

    fn lane_face(&self, card: LaneCard, is_new: bool) -> Face {
        let edition = &self.state.edition;
        let (fill, large, small) = match card {
            LaneCard::Exchange(company) => {
                (fill(company, self.style), edition.name(company).to_owned(), String::new())
            }
            LaneCard::Railway(card) => return self.played_face(card, is_new),
            LaneCard::Reservation => (EMPTY, "?".to_owned(), String::new()),
            LaneCard::City(city) => {
                let name = edition.city(city).map(|city| city.name.clone()).unwrap_or_default();
                (CITY, edition.value(Track::City(city)).to_string(), name)
            }
            LaneCard::Locomotive(locomotive) => (ENGINE, engine(locomotive), String::new()),
        };
        Face { fill, large, small, is_new }
    }

    /// A railway card in the hand's form: whose it is, and its number.
    fn played_face(&self, card: Card, is_new: bool) -> Face {
        let company = card.company();
        let large = format!("{} {}", self.state.edition.name(company), card.number());
        Face { fill: fill(company, self.style), large, small: String::new(), is_new }
    }

    /// The cards of the trick in the order of play, each with who played it.
    fn trick(&mut self) {
        if self.state.table.is_empty() || self.state.phase == Phase::Over {
            return;
        }
        self.heading("tr-picture-trick");
        for (place, &(seat, card)) in (0..).zip(&self.state.table) {
            let corner = (LEFT + place * 150, self.y);
            let is_new = self.recent.iter().any(
                |event| matches!(event, Event::Played { card: played, .. } if *played == card),
            );
            let face = self.played_face(card, is_new);
            self.card(corner, (140, 60), &face);
            let player = self.player(seat, self.state.winner == Some(seat));
            let at = (corner.0 + 70, corner.1 + 78);
            let (size, ink, anchor, room) = (18, Ink::DARK, Anchor::Middle, 146);
            self.scene.shapes.push(Shape::Text { at, size, ink, anchor, room, words: player });
        }
        self.y += 96;
    }

    fn player(&self, seat: Seat, has_won: bool) -> Words {
        let key = if has_won { "tr-picture-winner" } else { "tr-picture-player" };
        Words::Said(Message::new(key).with("seat", Arg::from(seat)))
    }

    /// A company's name and locomotive, and the cards of its railway from left to right.
    fn railway(&mut self, company: Company) {
        let railway = &self.state.railways[company];
        self.y += 12;
        let (back, top) = (fill(company, self.style), self.y);
        let large = self.state.edition.name(company).to_owned();
        let name = Face { fill: back, large, small: String::new(), is_new: false };
        self.card((LEFT, top), (84, TRACK_CARD.1), &name);
        let mounted = Face {
            fill: if railway.locomotive.is_some() { ENGINE } else { EMPTY },
            large: railway.locomotive.map_or_else(|| "-".to_owned(), engine),
            small: String::new(),
            is_new: is_mounted(self.recent, company),
        };
        self.card((LEFT + 92, top), (56, TRACK_CARD.1), &mounted);
        for (at, &track) in railway.track.iter().enumerate() {
            let (line, column) = (whole(at / TRACK_LINE), whole(at % TRACK_LINE));
            let corner = (TRACK_LEFT + column * TRACK_STEP.0, top + line * TRACK_STEP.1);
            let face = self.track_face(track, back);
            self.card(corner, TRACK_CARD, &face);
            self.y = corner.1 + TRACK_CARD.1;
        }
    }

    /// A card of a railway: its value large, its number small.
    fn track_face(&self, track: Track, back: Fill) -> Face {
        let (fill, small) = match track {
            Track::Station => (EMPTY, "S".to_owned()),
            Track::City(_) => (CITY, "C".to_owned()),
            Track::Card(card) => (back, card.number().to_string()),
        };
        let large = self.state.edition.value(track).to_string();
        Face { fill, large, small, is_new: is_built(self.recent, track) }
    }

    fn card(&mut self, corner: Point, (width, height): Point, face: &Face) {
        self.scene.rectangle(corner, (width, height), face.fill);
        self.scene.frame(corner, (width, height), 2, Ink::DARK);
        let (x, y) = (corner.0 + width / 2, corner.1 + height / 2);
        let ink = face.fill.ink.letters();
        let size = if face.large.chars().count() * 16 > usize::try_from(width).unwrap_or(0) {
            20
        } else {
            26
        };
        if face.small.is_empty() {
            self.scene.name((x, y), size, ink, face.large.clone());
        } else {
            self.scene.name((x, y - 11), size, ink, face.large.clone());
            self.scene.name((x, y + 17), small_size(&face.small), ink, face.small.clone());
        }
        if face.is_new {
            self.scene.frame(corner, (width, height), 5, Ink::NEW);
        }
    }
}

impl Face {
    /// A place whose card has gone.
    fn empty() -> Self {
        Self { fill: EMPTY, large: String::new(), small: String::new(), is_new: false }
    }
}

/// So that a city's name stays on its card.
const fn small_size(text: &str) -> u8 {
    match text.len() {
        0..=8 => 16,
        9 | 10 => 14,
        _ => 12,
    }
}

fn whole(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
