//! What a letter prints can be sent back: the forms of the card, the lists of what is legal, what
//! a refusal offers, the examples in quotation marks, and the names that the board, the lists and
//! the events have for places. Each is read by the game that printed it, and an example that is
//! shown to whoever can act is legal at that moment.

use crate::common::sample_or_all;
use crate::forms::first_word;
use postrider::games::{self, kind};
use postrider::render::{Language, Library};
use postrider::rules::{
    Charset, Dice, DynGame, EventText, Game, Message, Refusal, RefusalKind, Seat, Seed, Turn,
    Viewer, yaml,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const GAMES_A_SEAT_COUNT: u64 = 1;
/// Every how many lines a position is looked at, in a usual run and in a full one: numbers that no
/// count of seats divides.
const STRIDE: (usize, usize) = (23, 7);
/// The least number of lines that are sent back for a game, likewise.
const SENT: (usize, usize) = (1_000, 2_000);

#[test]
fn what_paris_connection_prints_can_be_sent_back() {
    hold("paris-connection", &[&[]]);
}

#[test]
fn what_trick_of_the_rails_prints_can_be_sent_back() {
    hold("trick-of-the-rails", &[&[], &[("expert_lane", "true")]]);
}

#[test]
fn what_off_the_rails_prints_can_be_sent_back() {
    hold("off-the-rails", &[&[("length", "very_short")], &[("cut", "interactive")]]);
}

fn hold(id: &str, options: &[&[(&str, &str)]]) {
    let library = Library::embedded().expect("its words are whole");
    let mut failed = BTreeMap::new();
    let kind = kind(id).expect("a game");
    let mut seen = 0;
    for options in options {
        let options = options.iter().map(|(name, is)| ((*name).into(), (*is).into())).collect();
        for seats in kind.seats() {
            let (definition, options) =
                kind.validate(kind.definition(), &options, seats).expect("as it ships");
            for seed in 0..GAMES_A_SEAT_COUNT {
                let game = kind.open(&definition, &options, seats).expect("it opens");
                let mut proof = Proof::new(id, library.language("en"), seats, &mut failed);
                proof.play(game, seed);
                seen += proof.seen;
            }
        }
    }
    assert!(seen > sample_or_all(SENT.0, SENT.1), "{id}: only {seen} lines were sent back");
    let list: String = failed.iter().map(|(line, how)| format!("  {line}  <-  {how}\n")).collect();
    assert!(failed.is_empty(), "{id}, printed and not to be sent back:\n{list}");
}

/// One game, whose every print is sent back.
struct Proof<'a> {
    id: &'a str,
    language: &'a Language,
    seats: u8,
    seen: usize,
    /// Lines that were legal somewhere, and so are worth refusing.
    pool: Vec<String>,
    failed: &'a mut BTreeMap<String, String>,
}

/// A line that a letter printed.
struct Print {
    line: String,
    /// Where it stood.
    from: String,
    /// Whether it must be legal, and not only be read.
    legal: bool,
}

impl<'a> Proof<'a> {
    fn new(
        id: &'a str,
        language: &'a Language,
        seats: u8,
        failed: &'a mut BTreeMap<String, String>,
    ) -> Self {
        Self { id, language, seats, seen: 0, pool: Vec::new(), failed }
    }

    fn play(&mut self, mut game: Box<dyn DynGame>, seed: u64) {
        let mut dice = Dice::new(&Seed::rehearsal(seed), 0);
        let mut chooser = Dice::new(&Seed::rehearsal(!seed), 0);
        let mut recent = game.setup(&mut dice);
        for step in 0.. {
            let Turn::Awaiting(seats) = game.turn() else { break };
            if step % sample_or_all(STRIDE.0, STRIDE.1) == 0 || step < 2 {
                let all: Vec<Seat> = Seat::all(self.seats).collect();
                all.iter().for_each(|seat| self.look(&*game, *seat, &recent, &mut chooser));
            }
            let seat = *chooser.pick(&seats).expect("somebody is awaited");
            let played = game.play_at_random(seat, &mut chooser, &mut dice);
            let (line, events) = played.expect("something is legal");
            self.pool.push(line);
            recent = events;
        }
        let all: Vec<Seat> = Seat::all(self.seats).collect();
        all.iter().for_each(|seat| self.look(&*game, *seat, &recent, &mut chooser));
    }

    /// Sends back all that this seat's letter prints here.
    fn look(&mut self, game: &dyn DynGame, seat: Seat, recent: &[EventText], chooser: &mut Dice) {
        let legal = game.legal(seat);
        let verbs: BTreeSet<&str> = legal.iter().map(|line| first_word(line)).collect();
        let mut prints = self.forms(game, seat, &verbs);
        for _ in 0..6 {
            prints.extend(chooser.pick(&legal).map(|line| Print::legal(line, "legal")));
        }
        let suggested = game.suggestions(seat);
        prints.extend(suggested.iter().map(|one| Print::legal(&one.line, "suggested")));
        for message in game.choices(seat) {
            prints.extend(self.sentence(&message, true));
            prints.extend(self.names(&message, seat));
        }
        for wrong in self.wrong(game, seat, &legal, chooser) {
            if let Some(refusal) = refused(game, seat, &wrong) {
                prints.extend(self.hints(&refusal, seat, &verbs));
            }
        }
        for message in game.narrate(recent, Viewer::Seat(seat)).expect("its own events") {
            prints.extend(self.names(&message, seat));
        }
        // All see the same board: it is enough to try it for whoever can act.
        let charsets = [Charset::Ascii, Charset::Unicode];
        for charset in charsets.into_iter().filter(|_| !legal.is_empty()) {
            let board = game.board(recent, charset).expect("its own events");
            prints.extend(self.tokens(&board, seat));
        }
        if !legal.is_empty() {
            let rows = game.in_words(recent).expect("its own events");
            let said = rows.iter().flat_map(|row| &row.says);
            prints.extend(said.flat_map(|said| self.names(said, seat)).collect::<Vec<_>>());
        }
        prints.into_iter().for_each(|print| self.send(game, seat, &print));
    }

    fn send(&mut self, game: &dyn DynGame, seat: Seat, print: &Print) {
        self.seen += 1;
        let Some(refusal) = refused(game, seat, &print.line) else { return };
        if refusal.kind == RefusalKind::Illegal && !print.legal {
            return;
        }
        let why = format!("{}: {:?}: {}", print.from, refusal.kind, refusal.reason.key);
        self.failed.entry(print.line.clone()).or_insert(why);
    }

    /// The card of orders. Where a line with the same verb could be sent now, the example can.
    fn forms(&self, game: &dyn DynGame, seat: Seat, verbs: &BTreeSet<&str>) -> Vec<Print> {
        let legal = |line: &str| {
            let is_plan = game.turn() != Turn::Over && game.plan(seat, line).is_some();
            is_plan || verbs.contains(first_word(line))
        };
        let forms = game.forms(seat).into_iter().map(|form| form.line);
        forms.map(|line| Print { legal: legal(&line), line, from: "card".into() }).collect()
    }

    /// Lines that are refused, and so bring the hints of this game.
    fn wrong(
        &self,
        game: &dyn DynGame,
        seat: Seat,
        legal: &[String],
        chooser: &mut Dice,
    ) -> Vec<String> {
        let mut wrong: Vec<String> = ["xyzzy", ""].map(str::to_owned).into();
        let forms = game.forms(seat);
        for verb in forms.iter().map(|form| first_word(&form.line)) {
            wrong.extend([verb.to_owned(), format!("{verb} xyzzy"), format!("{verb} 77 x")]);
        }
        for _ in 0..3 {
            wrong.extend(chooser.pick(legal).map(|line| format!("{line} xyzzy")));
            wrong.extend(chooser.pick(&self.pool).cloned());
        }
        wrong
    }

    /// What a refusal offers.
    fn hints(&self, refusal: &Refusal, seat: Seat, verbs: &BTreeSet<&str>) -> Vec<Print> {
        let shown = serde_json::to_value(refusal).expect("a refusal has a form");
        let mut prints = self.names(&refusal.reason, seat);
        for instead in shown["instead"].as_array().expect("a list") {
            let message: Message = serde_json::from_value(instead.clone()).expect("a message");
            if let Some(line) = instead["args"]["line"]["text"].as_str() {
                let legal = verbs.contains(first_word(line));
                prints.push(Print { line: line.into(), from: "hint".into(), legal });
            }
            prints.extend(self.sentence(&message, false));
            prints.extend(self.names(&message, seat));
        }
        prints
    }

    /// The examples of a sentence: what stands in quotation marks.
    fn sentence(&self, message: &Message, legal: bool) -> Vec<Print> {
        let said = self.language.say(message);
        let quoted = said.split('"').skip(1).step_by(2);
        let print = |line: &str| Print { line: line.into(), from: message.key.into(), legal };
        quoted.map(print).collect()
    }

    /// Orders made of the names in a message, each as it is said there.
    fn names(&self, message: &Message, seat: Seat) -> Vec<Print> {
        let value = serde_json::to_value(message).expect("a message has a form");
        let mut prints = Vec::new();
        let words = self.leaves(&value);
        let word = words.iter().find(|(name, _)| name == "word").map(|(_, text)| text.clone());
        for (name, text) in &words {
            let line = order(self.id, message.key, name, text, word.as_deref(), seat);
            let legal = message.key == "pc-choice-build";
            prints.extend(line.map(|line| Print { line, from: message.key.into(), legal }));
        }
        prints
    }

    /// The arguments of a message and of those inside it, as they are said, with their names.
    fn leaves(&self, message: &Value) -> Vec<(String, String)> {
        let mut leaves = Vec::new();
        let empty = serde_json::Map::new();
        for (name, arg) in message["args"].as_object().unwrap_or(&empty) {
            let one = std::slice::from_ref(arg);
            for arg in arg["list"].as_array().map_or(one, Vec::as_slice) {
                if let Some(text) = arg["text"].as_str() {
                    leaves.push((name.clone(), text.to_owned()));
                } else if let Some(key) = arg["term"].as_str() {
                    leaves.push((name.clone(), self.said(&json!({ "key": key }))));
                } else if arg["message"].is_object() {
                    let is_place = arg["message"]["key"] == "pc-city";
                    leaves.push((name.clone(), self.said(&arg["message"])));
                    if !is_place {
                        leaves.extend(self.leaves(&arg["message"]));
                    }
                }
            }
        }
        leaves
    }

    fn said(&self, message: &Value) -> String {
        let message: Message = serde_json::from_value(message.clone()).expect("a message");
        self.language.say(&message)
    }

    /// Orders made of what stands on the board.
    fn tokens(&self, board: &[String], seat: Seat) -> Vec<Print> {
        let rows = board.iter().skip(1).filter_map(|line| line.get(1..));
        let tokens: BTreeSet<&str> = rows.flat_map(str::split_whitespace).collect();
        let order = |token: &&str| token_order(self.id, token, seat);
        let print = |line| Print { line, from: "board".into(), legal: false };
        tokens.iter().filter_map(order).map(print).collect()
    }
}

impl Print {
    fn legal(line: &str, from: &str) -> Self {
        Self { line: line.into(), from: from.into(), legal: true }
    }
}

/// Why the game does not carry the line out, nor keep it as a plan.
fn refused(game: &dyn DynGame, seat: Seat, line: &str) -> Option<Refusal> {
    match game.plan(seat, line) {
        Some(plans) => plans.err(),
        None => {
            let mut dice = Dice::new(&Seed::rehearsal(0), 0);
            game.copy().play(seat, line, &[], &mut dice).err()
        }
    }
}

/// An order that names this as a letter says it.
fn order(
    id: &str,
    key: &str,
    name: &str,
    text: &str,
    word: Option<&str>,
    seat: Seat,
) -> Option<String> {
    Some(match (id, name) {
        ("paris-connection", "hex" | "hexes" | "city" | "places" | "station") => {
            format!("build {} {text}", word.unwrap_or("red"))
        }
        ("paris-connection", "starts") => {
            let place = text.split_once(" on ").map_or(text, |(_, place)| place);
            format!("build red {place}")
        }
        ("trick-of-the-rails", "company" | "companies") if key != "tr-companies" => {
            format!("locomotive {text}")
        }
        ("trick-of-the-rails", "card" | "cards") => {
            let two: Vec<&str> = text.split(' ').take(2).collect();
            let is_card = two.get(1).is_some_and(|number| number.parse::<u8>().is_ok());
            return is_card.then(|| format!("play {}", two.join(" ")));
        }
        ("off-the-rails", "square" | "squares") if !text.is_empty() => {
            let squares = text.split(' ').next().unwrap_or_default();
            format!("lay {squares} ne")
        }
        ("off-the-rails", "lines") => text.to_owned(),
        ("off-the-rails", "missions" | "mission") => format!("claim {text}"),
        ("off-the-rails", "word") if key.starts_with("or-cart") => {
            return (seat.number() > 0).then(|| format!("move {text}"));
        }
        _ => return None,
    })
}

/// An order that names this as it stands on the board.
fn token_order(id: &str, token: &str, seat: Seat) -> Option<String> {
    let token = token.trim_start_matches(['#', '\u{25b2}', '\u{2248}']);
    let token = token.trim_end_matches(['#', '\u{25b2}', '\u{2248}']);
    let of_three = token.chars().count() == 3;
    match id {
        "paris-connection" if of_three => Some(format!("build red {token}")),
        "off-the-rails" => {
            let own = |cart: &&str| cart.strip_prefix(&seat.number().to_string()).is_some();
            let die = token.find(['w', 'b']).and_then(|at| token.get(at.saturating_sub(1)..=at));
            die.filter(own).map(|cart| format!("move {cart}"))
        }
        _ => None,
    }
}

/// But for those that a game tells apart by their place in the line, as its own tests hold.
#[test]
fn no_word_that_says_nothing_is_the_name_of_anything_on_a_board() {
    eats_no_name::<games::ParisConnection>(&["an", "to"]);
    eats_no_name::<games::TrickOfTheRails>(&[]);
    eats_no_name::<games::OffTheRails>(&[]);
}

fn eats_no_name<G: Game>(told_apart: &[&str]) {
    let board: Value = yaml::read(G::DEFINITION).expect("the shipped definition");
    let mut names = BTreeSet::new();
    gather(&board, &mut names);
    assert!(names.len() > 4, "{}: {names:?}", G::ID);
    let eaten: Vec<&str> =
        G::FILLERS.iter().copied().filter(|filler| names.contains(*filler)).collect();
    assert_eq!(eaten, told_apart, "{}", G::ID);
}

/// What a definition says in one word.
fn gather(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            names.insert(text.to_lowercase());
        }
        Value::Array(list) => list.iter().for_each(|value| gather(value, names)),
        Value::Object(map) => map.values().for_each(|value| gather(value, names)),
        _ => {}
    }
}

#[test]
fn the_examples_of_the_cards_are_forms() {
    // What stands in a template by itself cannot know the position.
    for id in ["paris-connection", "trick-of-the-rails", "off-the-rails"] {
        let path = format!("{}/templates/en/{id}/orders.txt", env!("CARGO_MANIFEST_DIR"));
        let card = std::fs::read_to_string(path).expect("it is there");
        let game = kind(id).expect("a game");
        let options = BTreeMap::new();
        let seats = *game.seats().end();
        let (definition, options) =
            game.validate(game.definition(), &options, seats).expect("as it ships");
        let mut game = game.open(&definition, &options, seats).expect("it opens");
        game.setup(&mut Dice::new(&Seed::rehearsal(1), 0));
        let Turn::Awaiting(awaited) = game.turn() else { panic!("{id} is over") };
        let rows = card.lines().filter_map(|line| line.strip_prefix("| "));
        for row in rows.filter(|row| !row.contains(['{', '}'])) {
            let line = row.split(" |").next().unwrap_or_default();
            let refusal = refused(&*game, awaited[0], line);
            let is_read = refusal.is_none_or(|refusal| refusal.kind == RefusalKind::Illegal);
            assert!(is_read, "{id}: the card's own line: {line}");
        }
    }
}
