//! Tests that everything a letter prints can be sent back: forms on the card, legal orders, hints
//! of refusals, quoted examples, and names of places on the board, in lists and in events. The game
//! that printed a line must read it. An example shown to a seat that can act must be legal.

use postrider::games::{self, find_kind};
use postrider::render::{Language, Library};
use postrider::rules::{
    Charset, Dice, DynGame, EventText, Game, Message, Refusal, RefusalKind, Seat, Seed, Turn,
    Viewer, yaml,
};
use postrider::testing::sample_or_all;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const GAMES_PER_SEAT_COUNT: u64 = 1;
/// One in this many positions is checked: in a usual run, and in a full one. No seat count divides
/// these numbers, so the checks are spread over all seats.
const STRIDE: (usize, usize) = (23, 7);
/// The least number of lines that are sent back per game: in a usual run, and in a full one.
const SENT_LINES_MIN: (usize, usize) = (1_000, 2_000);

fn first_word(line: &str) -> &str {
    line.split([' ', ':']).next().unwrap_or_default()
}

#[test]
fn paris_connection_prints_only_readable_lines() {
    assert_prints_are_readable("paris-connection", &[&[]]);
}

#[test]
fn trick_of_the_rails_prints_only_readable_lines() {
    assert_prints_are_readable("trick-of-the-rails", &[&[], &[("expert_lane", "true")]]);
}

#[test]
fn off_the_rails_prints_only_readable_lines() {
    assert_prints_are_readable(
        "off-the-rails",
        &[&[("length", "very_short")], &[("cut", "interactive")]],
    );
}

fn assert_prints_are_readable(id: &str, options: &[&[(&str, &str)]]) {
    let library = Library::embedded().expect("its words are whole");
    let mut failed = BTreeMap::new();
    let kind = find_kind(id).expect("a game");
    let mut seen = 0;
    for options in options {
        let options = options.iter().map(|(name, is)| ((*name).into(), (*is).into())).collect();
        for seats in kind.allowed_seat_counts() {
            let (definition, options) = kind
                .validate_and_convert_to_json(kind.shipped_definition(), &options, seats)
                .expect("as it ships");
            for seed in 0..GAMES_PER_SEAT_COUNT {
                let game = kind.new_game(&definition, &options, seats).expect("it opens");
                let mut checker = PrintChecker::new(id, library.language("en"), seats, &mut failed);
                checker.check_game(game, seed);
                seen += checker.seen;
            }
        }
    }
    assert!(
        seen > sample_or_all(SENT_LINES_MIN.0, SENT_LINES_MIN.1),
        "{id}: only {seen} lines were sent back"
    );
    let list: String = failed.iter().map(|(line, how)| format!("  {line}  <-  {how}\n")).collect();
    assert!(failed.is_empty(), "{id}, printed, but refused when sent back:\n{list}");
}

/// Plays one game, and sends back every line that its letters print.
struct PrintChecker<'a> {
    id: &'a str,
    language: &'a Language,
    seats: u8,
    seen: usize,
    /// Lines that were legal in some position. In others, they cause refusals with hints.
    pool: Vec<String>,
    failed: &'a mut BTreeMap<String, String>,
}

struct PrintedLine {
    line: String,
    /// The part of the letter that contained the line.
    from: String,
    /// Whether the line must be legal. Otherwise it need only be readable.
    legal: bool,
}

impl<'a> PrintChecker<'a> {
    fn new(
        id: &'a str,
        language: &'a Language,
        seats: u8,
        failed: &'a mut BTreeMap<String, String>,
    ) -> Self {
        Self { id, language, seats, seen: 0, pool: Vec::new(), failed }
    }

    fn check_game(&mut self, mut game: Box<dyn DynGame>, seed: u64) {
        let mut dice = Dice::new(&Seed::from_number(seed), 0);
        let mut chooser = Dice::new(&Seed::from_number(!seed), 0);
        let mut recent = game.setup(&mut dice);
        for step in 0.. {
            let Turn::Awaiting(seats) = game.turn() else { break };
            if step % sample_or_all(STRIDE.0, STRIDE.1) == 0 || step < 2 {
                let all: Vec<Seat> = Seat::all(self.seats).collect();
                all.iter()
                    .for_each(|seat| self.check_position(&*game, *seat, &recent, &mut chooser));
            }
            let seat = *chooser.pick(&seats).expect("somebody is awaited");
            let played = game.play_random_line(seat, &mut chooser, &mut dice);
            let (line, events) = played.expect("something is legal");
            self.pool.push(line);
            recent = events;
        }
        let all: Vec<Seat> = Seat::all(self.seats).collect();
        all.iter().for_each(|seat| self.check_position(&*game, *seat, &recent, &mut chooser));
    }

    /// Sends back every line that a letter to this seat prints in this position.
    fn check_position(
        &mut self,
        game: &dyn DynGame,
        seat: Seat,
        recent: &[EventText],
        chooser: &mut Dice,
    ) {
        let legal = game.legal_lines(seat);
        let verbs: BTreeSet<&str> = legal.iter().map(|line| first_word(line)).collect();
        let mut prints = self.card_lines(game, seat, &verbs);
        for _ in 0..6 {
            prints.extend(chooser.pick(&legal).map(|line| PrintedLine::new_legal(line, "legal")));
        }
        let suggested = game.suggest_lines(seat);
        prints.extend(suggested.iter().map(|one| PrintedLine::new_legal(&one.line, "suggested")));
        for message in game.describe_choices(seat) {
            prints.extend(self.quoted_lines(&message, true));
            prints.extend(self.name_lines(&message, seat));
        }
        for wrong in self.make_wrong_lines(game, seat, &legal, chooser) {
            if let Some(refusal) = find_refusal(game, seat, &wrong) {
                prints.extend(self.hint_lines(&refusal, seat, &verbs));
            }
        }
        for message in game.narrate_events(recent, Viewer::Seat(seat)).expect("its own events") {
            prints.extend(self.name_lines(&message, seat));
        }
        // All seats see the same board, so it is checked only for seats that can act.
        let charsets = [Charset::Ascii, Charset::Unicode];
        for charset in charsets.into_iter().filter(|_| !legal.is_empty()) {
            let board = game.draw_board_text(recent, charset).expect("its own events");
            prints.extend(self.board_lines(&board, seat));
        }
        if !legal.is_empty() {
            let rows = game.describe_position(recent).expect("its own events");
            let sentences = rows.iter().flat_map(|row| &row.sentences);
            prints
                .extend(sentences.flat_map(|said| self.name_lines(said, seat)).collect::<Vec<_>>());
        }
        prints.into_iter().for_each(|print| self.send_back(game, seat, &print));
    }

    fn send_back(&mut self, game: &dyn DynGame, seat: Seat, print: &PrintedLine) {
        self.seen += 1;
        let Some(refusal) = find_refusal(game, seat, &print.line) else { return };
        if refusal.kind == RefusalKind::Illegal && !print.legal {
            return;
        }
        let why = format!("{}: {:?}: {}", print.from, refusal.kind, refusal.reason.key);
        self.failed.entry(print.line.clone()).or_insert(why);
    }

    /// Returns the card of orders. An example must be legal if an order with its verb is legal.
    fn card_lines(
        &self,
        game: &dyn DynGame,
        seat: Seat,
        verbs: &BTreeSet<&str>,
    ) -> Vec<PrintedLine> {
        let legal = |line: &str| {
            let is_plan = game.turn() != Turn::Over && game.parse_plan(seat, line).is_some();
            is_plan || verbs.contains(first_word(line))
        };
        let forms = game.forms(seat).into_iter().map(|form| form.line);
        forms.map(|line| PrintedLine { legal: legal(&line), line, from: "card".into() }).collect()
    }

    /// Returns lines that the game refuses, to collect its hints.
    fn make_wrong_lines(
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

    /// Returns the lines that a refusal offers.
    fn hint_lines(
        &self,
        refusal: &Refusal,
        seat: Seat,
        verbs: &BTreeSet<&str>,
    ) -> Vec<PrintedLine> {
        let shown = serde_json::to_value(refusal).expect("a refusal has a form");
        let mut prints = self.name_lines(&refusal.reason, seat);
        for instead in shown["instead"].as_array().expect("a list") {
            let message: Message = serde_json::from_value(instead.clone()).expect("a message");
            if let Some(line) = instead["args"]["line"]["text"].as_str() {
                let legal = verbs.contains(first_word(line));
                prints.push(PrintedLine { line: line.into(), from: "hint".into(), legal });
            }
            prints.extend(self.quoted_lines(&message, false));
            prints.extend(self.name_lines(&message, seat));
        }
        prints
    }

    /// Returns the examples of a sentence: the texts in quotation marks.
    fn quoted_lines(&self, message: &Message, legal: bool) -> Vec<PrintedLine> {
        let text = self.language.localize(message);
        let quoted = text.split('"').skip(1).step_by(2);
        let print = |line: &str| PrintedLine { line: line.into(), from: message.key.into(), legal };
        quoted.map(print).collect()
    }

    /// Returns orders made of the names in a message, as the message writes them.
    fn name_lines(&self, message: &Message, seat: Seat) -> Vec<PrintedLine> {
        let value = serde_json::to_value(message).expect("a message has a form");
        let mut prints = Vec::new();
        let words = self.message_arguments(&value);
        let word = words.iter().find(|(name, _)| name == "word").map(|(_, text)| text.clone());
        for (name, text) in &words {
            let line = order_naming(self.id, message.key, name, text, word.as_deref(), seat);
            let legal = message.key == "pc-choice-build";
            prints.extend(line.map(|line| PrintedLine { line, from: message.key.into(), legal }));
        }
        prints
    }

    /// Returns the arguments of a message and of nested messages as they are worded, with their
    /// names.
    fn message_arguments(&self, message: &Value) -> Vec<(String, String)> {
        let mut leaves = Vec::new();
        let empty = serde_json::Map::new();
        for (name, arg) in message["args"].as_object().unwrap_or(&empty) {
            let one = std::slice::from_ref(arg);
            for arg in arg["list"].as_array().map_or(one, Vec::as_slice) {
                if let Some(text) = arg["text"].as_str() {
                    leaves.push((name.clone(), text.to_owned()));
                } else if let Some(key) = arg["term"].as_str() {
                    leaves.push((name.clone(), self.localize(&json!({ "key": key }))));
                } else if arg["message"].is_object() {
                    let is_place = arg["message"]["key"] == "pc-city";
                    leaves.push((name.clone(), self.localize(&arg["message"])));
                    if !is_place {
                        leaves.extend(self.message_arguments(&arg["message"]));
                    }
                }
            }
        }
        leaves
    }

    fn localize(&self, message: &Value) -> String {
        let message: Message = serde_json::from_value(message.clone()).expect("a message");
        self.language.localize(&message)
    }

    /// Returns orders made of the texts on the board.
    fn board_lines(&self, board: &[String], seat: Seat) -> Vec<PrintedLine> {
        let rows = board.iter().skip(1).filter_map(|line| line.get(1..));
        let tokens: BTreeSet<&str> = rows.flat_map(str::split_whitespace).collect();
        let order = |token: &&str| order_naming_token(self.id, token, seat);
        let print = |line| PrintedLine { line, from: "board".into(), legal: false };
        tokens.iter().filter_map(order).map(print).collect()
    }
}

impl PrintedLine {
    fn new_legal(line: &str, from: &str) -> Self {
        Self { line: line.into(), from: from.into(), legal: true }
    }
}

/// Returns the refusal of a line, or `None` if it is a legal order or a plan.
fn find_refusal(game: &dyn DynGame, seat: Seat, line: &str) -> Option<Refusal> {
    match game.parse_plan(seat, line) {
        Some(plans) => plans.err(),
        None => {
            let mut dice = Dice::new(&Seed::from_number(0), 0);
            game.clone_box().judge_and_play_line(seat, line, &[], &mut dice).err()
        }
    }
}

/// Returns an order with this text in place of a name.
fn order_naming(
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

/// Returns an order with a token from the board in place of a name.
fn order_naming_token(id: &str, token: &str, seat: Seat) -> Option<String> {
    let token = token.trim_start_matches(['#', '\u{25b2}', '\u{2248}']);
    let token = token.trim_end_matches(['#', '\u{25b2}', '\u{2248}']);
    let of_three = token.chars().count() == 3;
    match id {
        // Two locomotives on a hex, such as `U+R`, name no place.
        "paris-connection" if of_three && !token.contains('+') => {
            Some(format!("build red {token}"))
        }
        "off-the-rails" => {
            let own = |cart: &&str| cart.strip_prefix(&seat.number().to_string()).is_some();
            let die = token.find(['w', 'b']).and_then(|at| token.get(at.saturating_sub(1)..=at));
            die.filter(own).map(|cart| format!("move {cart}"))
        }
        _ => None,
    }
}

/// A filler word is skipped when a line is read. The exceptions are words that a game tells from
/// names by their place in the line, which its own tests check.
#[test]
fn filler_words_name_nothing_on_boards() {
    assert_fillers_name_nothing::<games::ParisConnection>(&["an", "to"]);
    assert_fillers_name_nothing::<games::TrickOfTheRails>(&[]);
    assert_fillers_name_nothing::<games::OffTheRails>(&[]);
}

fn assert_fillers_name_nothing<G: Game>(exceptions: &[&str]) {
    let board: Value = yaml::parse(G::DEFINITION).expect("the shipped definition");
    let mut names = BTreeSet::new();
    collect_words(&board, &mut names);
    assert!(names.len() > 4, "{}: {names:?}", G::ID);
    let swallowed: Vec<&str> =
        G::FILLERS.iter().copied().filter(|filler| names.contains(*filler)).collect();
    assert_eq!(swallowed, exceptions, "{}", G::ID);
}

/// Collects all texts of a definition in lower case.
fn collect_words(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            names.insert(text.to_lowercase());
        }
        Value::Array(list) => list.iter().for_each(|value| collect_words(value, names)),
        Value::Object(map) => map.values().for_each(|value| collect_words(value, names)),
        _ => {}
    }
}

#[test]
fn static_card_examples_can_be_read() {
    // Static text in a template does not depend on the position, so it need only be readable.
    for id in ["paris-connection", "trick-of-the-rails", "off-the-rails"] {
        let path = format!("{}/templates/en/{id}/orders.txt", env!("CARGO_MANIFEST_DIR"));
        let card = std::fs::read_to_string(path).expect("it is there");
        let game = find_kind(id).expect("a game");
        let options = BTreeMap::new();
        let seats = *game.allowed_seat_counts().end();
        let (definition, options) = game
            .validate_and_convert_to_json(game.shipped_definition(), &options, seats)
            .expect("as it ships");
        let mut game = game.new_game(&definition, &options, seats).expect("it opens");
        game.setup(&mut Dice::new(&Seed::from_number(1), 0));
        let Turn::Awaiting(awaited) = game.turn() else { panic!("{id} is over") };
        let rows = card.lines().filter_map(|line| line.strip_prefix("| "));
        for row in rows.filter(|row| !row.contains(['{', '}'])) {
            let line = row.split(" |").next().unwrap_or_default();
            let refusal = find_refusal(&*game, awaited[0], line);
            let is_read = refusal.is_none_or(|refusal| refusal.kind == RefusalKind::Illegal);
            assert!(is_read, "{id}: the card's own line: {line}");
        }
    }
}
