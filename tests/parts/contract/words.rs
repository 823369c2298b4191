//! Whether all that a game says has words, in every language and for every reader.
//!
//! A letter shows a sentence that is missing, or that asks for an argument which it is not given,
//! as its key: `[hc-prizes]`.

use super::Terms;
use postrider::club::{Command, LetterStyle, Member, Notes};
use postrider::render::{GameLetter, Library, Occasion, Page, SubjectParts, Taps};
use postrider::rules::{Game, Message, Seat, entry};
use postrider::table::{GameSetup, Manner, StandingOrders, Table, rehearse};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of messages of one shape that are worded. They are several, as a sentence may ask for
/// an argument only where another one has some value.
const OF_A_SHAPE: u32 = 20;
/// The number of positions of a game that letters show.
const POSITIONS: u32 = 6;
const NAMES: [&str; 6] = ["Ann", "Bob", "Cid", "Dot", "Eve", "Fay"];
const MISSING: &str = "has no words";

/// The words of a game, and how many messages of each shape were worded.
#[derive(Default)]
pub struct Words {
    library: Option<Arc<Library>>,
    languages: Vec<String>,
    worded: BTreeMap<String, u32>,
}

impl Words {
    pub fn of<G: Game>(terms: &Terms<G>) -> Self {
        let library = (terms.library)();
        let languages = languages::<G>(&library).map(str::to_owned).collect();
        Self { library: Some(library), languages, worded: BTreeMap::new() }
    }

    /// Words a message in every language: for an observer and for the players of two seats.
    pub fn say(&mut self, message: &Message) {
        let Some(library) = &self.library else { return };
        let value = serde_json::to_value(message).expect("a message has a form");
        let (mut shape, mut keys) = (String::new(), Vec::new());
        look_through(&value, &mut shape, &mut keys);
        let worded = self.worded.entry(shape).or_default();
        if *worded == OF_A_SHAPE {
            return;
        }
        *worded += 1;
        let names = NAMES.map(str::to_owned);
        for tag in &self.languages {
            for you in [None, Some(Seat::new(1)), Some(Seat::new(2))] {
                let text = library.language(tag).say_to(message, &names, you);
                let missing = keys.iter().find(|key| text.contains(&format!("[{key}]")));
                assert_eq!(missing, None, "it {MISSING} in {tag}: {message:?}");
            }
        }
    }

    /// Words all messages in a value.
    pub fn say_all(&mut self, value: &Value) {
        match value {
            Value::Object(fields) if fields.contains_key("key") => {
                let message = serde_json::from_value(value.clone()).expect("a message");
                self.say(&message);
            }
            Value::Object(fields) => fields.values().for_each(|value| self.say_all(value)),
            Value::Array(values) => values.iter().for_each(|value| self.say_all(value)),
            _ => {}
        }
    }
}

/// The languages in which the game has a name: all of them, if it ships.
fn languages<G: Game>(library: &Library) -> impl Iterator<Item = &str> {
    let name = format!("game-{}", G::ID);
    library.tags().filter(move |tag| library.language(tag).knows(&name))
}

/// Notes the keys of a message, and its shape: keys and the names of arguments without their
/// values.
fn look_through(value: &Value, shape: &mut String, keys: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                shape.push_str(name);
                match value.as_str().filter(|_| name == "key" || name == "term") {
                    Some(key) => {
                        shape.push_str(key);
                        keys.push(key.to_owned());
                    }
                    None => look_through(value, shape, keys),
                }
            }
        }
        Value::Array(values) => {
            // The length of a list makes no other shape.
            let mut rest = String::new();
            for (place, value) in values.iter().enumerate() {
                look_through(value, if place == 0 { &mut *shape } else { &mut rest }, keys);
            }
        }
        _ => {}
    }
}

/// Writes letters of whole games in every language, with all that a player can ask to see.
pub fn letters_are_whole<G: Game>(terms: &Terms<G>) {
    let library = (terms.library)();
    for seats in G::SEATS {
        let (kind, options) = (entry::<G>(), BTreeMap::new());
        let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats };
        let game = rehearse(setup, 1, 7, 20_000, Manner::OneByOne).expect("it ends").table;
        let mut told = 0;
        for (place, record) in (1..=POSITIONS).map(|nth| game.head() * nth / POSITIONS).enumerate()
        {
            let table = game.at(record.max(1)).expect("it folds");
            for tag in languages::<G>(&library) {
                let seat = Seat::all(seats).cycle().nth(place).expect("somebody sits there");
                is_whole(&library, &table, (tag, seat), told);
            }
            told = table.head();
        }
    }
}

/// Writes a letter to a seat of what has happened since the record `told`.
fn is_whole(library: &Library, table: &Table, (tag, seat): (&str, Seat), told: u32) {
    let reader = Member {
        name: NAMES[seat.index()].to_owned(),
        language: tag.to_owned(),
        letters: LetterStyle { picture: false, ..LetterStyle::default() },
        ..Member::default()
    };
    let names = &NAMES.map(str::to_owned)[..table.founding().seats.into()];
    let (standing, own_notes) = (StandingOrders::default(), Notes::default());
    let letter = GameLetter {
        club: "The Postal Club",
        reader: &reader,
        seat,
        is_new: false,
        moderator: "mo@example.org",
        told,
        occasion: if told == 0 { &Occasion::Welcome } else { &Occasion::News },
        asked: &Command::ALL,
        among_others: false,
        subject: SubjectParts::default(),
        standing: &standing,
        own_notes: &own_notes,
        wish: None,
        words: &[],
        notes: &[],
        talk: &[],
        minutes: &[],
        clock: &[],
        campaign: None,
        taps: Taps::default(),
    };
    let rendered = Page::new(table, names).letter(library, &letter).expect("it can be written");
    let html = rendered.html.unwrap_or_default();
    for part in [&rendered.subject, &rendered.text, &html] {
        let key = part.split('[').skip(1).filter_map(|rest| Some(rest.split_once(']')?.0));
        let key = key.into_iter().find(|key| is_key(key));
        let what = format!("{}, record {}", table.founding().game, table.head());
        assert_eq!(key, None, "it {MISSING} in a letter in {tag}: {what}");
    }
}

/// Whether a text may be the key of a sentence, or a fault that stands in the place of one.
fn is_key(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    text.contains('-') && text.split('-').all(is_part) || text.contains(".txt")
}
