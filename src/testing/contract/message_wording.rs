//! Checks that everything a game says has words in every language and for every reader.
//!
//! A letter shows the key of a sentence, such as `[hc-prizes]`, if the sentence is missing or is
//! not given an argument that it needs.

use super::GameExpectations;
use crate::club::{LetterStyle, Member, Question};
use crate::render::{GameLetter, Library, Occasion, Page};
use crate::rules::{Game, Message, Seat, game_kind};
use crate::table::{GameSetup, RehearsalMode, Table, rehearse};
use crate::testing::playthrough::NAMES;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of messages of one shape that are worded. A sentence may need an argument only for
/// some values of another one, so one message is not enough.
const PER_SHAPE_MAX: u32 = 20;
/// The number of positions of a game that are worded as letters.
const POSITIONS: u32 = 6;
const MISSING: &str = "has no words";

/// The words of a game, and the number of messages of each shape that were worded.
#[derive(Default)]
pub struct MessageChecker {
    library: Option<Arc<Library>>,
    languages: Vec<String>,
    worded: BTreeMap<String, u32>,
}

impl MessageChecker {
    pub fn new<G: Game>(expectations: &GameExpectations<G>) -> Self {
        let library = expectations.library.clone();
        let languages = game_languages::<G>(&library).map(str::to_owned).collect();
        Self { library: Some(library), languages, worded: BTreeMap::new() }
    }

    /// Words a message in every language, for an observer and for the players of two seats. Panics
    /// if words are missing.
    pub fn check_message(&mut self, message: &Message) {
        let Some(library) = &self.library else { return };
        let value = serde_json::to_value(message).expect("a message has a form");
        let (mut shape, mut keys) = (String::new(), Vec::new());
        collect_shape(&value, &mut shape, &mut keys);
        let worded = self.worded.entry(shape).or_default();
        if *worded == PER_SHAPE_MAX {
            return;
        }
        *worded += 1;
        let names = NAMES.map(str::to_owned);
        for tag in &self.languages {
            for you in [None, Some(Seat::new(1)), Some(Seat::new(2))] {
                let text = library.language(tag).localize_for(message, &names, you);
                let missing = keys.iter().find(|key| text.contains(&format!("[{key}]")));
                assert_eq!(missing, None, "it {MISSING} in {tag}: {message:?}");
            }
        }
    }

    /// Words all messages that a value contains.
    pub fn check_all(&mut self, value: &Value) {
        match value {
            Value::Object(fields) if fields.contains_key("key") => {
                let message = serde_json::from_value(value.clone()).expect("a message");
                self.check_message(&message);
            }
            Value::Object(fields) => fields.values().for_each(|value| self.check_all(value)),
            Value::Array(values) => values.iter().for_each(|value| self.check_all(value)),
            _ => {}
        }
    }
}

/// Returns the languages in which the game has a name. A game that ships has a name in all of them.
fn game_languages<G: Game>(library: &Library) -> impl Iterator<Item = &str> {
    let name = format!("game-{}", G::ID);
    library.language_tags().filter(move |tag| library.language(tag).has_sentence(&name))
}

/// Adds the keys of a message to `keys`, and its shape to `shape`: the keys, and the names of
/// arguments without their values.
fn collect_shape(value: &Value, shape: &mut String, keys: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                shape.push_str(name);
                match value.as_str().filter(|_| name == "key" || name == "term") {
                    Some(key) => {
                        shape.push_str(key);
                        keys.push(key.to_owned());
                    }
                    None => collect_shape(value, shape, keys),
                }
            }
        }
        Value::Array(values) => {
            // The length of a list does not change the shape, so only the first item counts.
            let mut rest = String::new();
            for (place, value) in values.iter().enumerate() {
                collect_shape(value, if place == 0 { &mut *shape } else { &mut rest }, keys);
            }
        }
        _ => {}
    }
}

/// Writes letters of whole games in every language, with the answers to all questions that a player
/// can ask.
pub fn check_letters<G: Game>(expectations: &GameExpectations<G>) {
    let library = &expectations.library;
    for seats in G::SEATS {
        let (kind, options) = (game_kind::<G>(), BTreeMap::new());
        let setup =
            GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats };
        let game =
            rehearse(setup, 1, 7, 20_000, RehearsalMode::SingleOrders).expect("it ends").table;
        let mut last_seen = 0;
        for (place, record) in
            (1..=POSITIONS).map(|nth| game.last_record_number() * nth / POSITIONS).enumerate()
        {
            let table = game.at_record(record.max(1)).expect("it folds");
            for tag in game_languages::<G>(library) {
                let seat = Seat::all(seats).cycle().nth(place).expect("somebody sits there");
                check_letter(library, &table, (tag, seat), last_seen);
            }
            last_seen = table.last_record_number();
        }
    }
}

/// Writes a letter with the news since the record `last_seen`, and asserts that it shows no key.
fn check_letter(library: &Library, table: &Table, (tag, seat): (&str, Seat), last_seen: u32) {
    let reader = Member {
        name: NAMES[seat.index()].to_owned(),
        language: tag.to_owned(),
        letters: LetterStyle { picture: false, ..LetterStyle::default() },
        ..Member::default()
    };
    let names = &NAMES.map(str::to_owned)[..table.founding().seats.into()];
    let occasion = if last_seen == 0 { &Occasion::Welcome } else { &Occasion::News };
    let letter = GameLetter {
        last_seen_record: last_seen,
        questions: &Question::ALL,
        ..GameLetter::new(("The Postal Club", "mo@example.org"), &reader, seat, occasion)
    };
    let rendered =
        Page::new(table, names).render_letter(library, &letter).expect("it can be written");
    let html = rendered.html.unwrap_or_default();
    for part in [&rendered.subject, &rendered.text, &html] {
        let key = part.split('[').skip(1).filter_map(|rest| Some(rest.split_once(']')?.0));
        let key = key.into_iter().find(|key| is_sentence_key(key));
        let what = format!("{}, record {}", table.founding().game, table.last_record_number());
        assert_eq!(key, None, "it {MISSING} in a letter in {tag}: {what}");
    }
}

/// Returns whether a text in brackets may be the key of a missing sentence or template.
fn is_sentence_key(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    text.contains('-') && text.split('-').all(is_part) || text.contains(".txt")
}
