//! Checks of line forms. Each form that a letter shows must be readable in some position. Each line
//! that a game writes must have a form. The card of orders in `docs/players.md` must show the same
//! forms.

use postrider::games::find_kind;
use postrider::rules::{ConditionalPlan, Game, RefusalKind, Seat};
use std::collections::BTreeSet;

/// The words on the cards that begin lines of every game.
const CLUB_WORDS: [&str; 3] = ["auto", "clear", "off"];

/// The line forms of a game that were shown and read while its games were played.
#[derive(Default)]
pub struct Forms {
    shown: BTreeSet<String>,
    read: BTreeSet<String>,
    /// Lines on the card in `docs/players.md` that were not readable yet.
    on_card: Option<BTreeSet<&'static str>>,
    /// The first words of the lines that the game itself has written.
    pub written: BTreeSet<String>,
}

/// Returns whether a line can be read. A line that a rule forbids was read.
fn can_parse<G: Game>(state: &G::State, seat: Seat, line: &str) -> bool {
    match G::parse_line(state, seat, line) {
        Ok(_) => true,
        Err(refusal) => refusal.kind == RefusalKind::Illegal,
    }
}

fn can_parse_plan<G: Game>(state: &G::State, seat: Seat, line: &str) -> bool {
    matches!(G::Plan::parse_plans(state, seat, line), Some(Ok(_)))
}

pub fn first_word(line: &str) -> &str {
    line.split([' ', ':']).next().unwrap_or_default()
}

impl Forms {
    /// Joins the forms of two sets of games.
    pub fn merge(mut self, other: Self) -> Self {
        self.shown.extend(other.shown);
        self.read.extend(other.read);
        self.written.extend(other.written);
        self.on_card = match (self.on_card, other.on_card) {
            (Some(one), Some(other)) => Some(one.intersection(&other).copied().collect()),
            (one, other) => one.or(other),
        };
        self
    }

    /// Tries to read each form that was not readable in any position before.
    pub fn check_forms<G: Game>(&mut self, state: &G::State, seats: u8, awaited: &[Seat]) {
        for form in G::GRAMMAR.examples(state, None) {
            if !self.read.contains(&form.line) {
                let is_read = awaited.iter().any(|seat| can_parse::<G>(state, *seat, &form.line));
                self.record_form(form.line.clone(), is_read);
            }
            let verb = first_word(&form.line);
            assert!(G::GRAMMAR.expand_verb(verb).is_some(), "{}: {verb} is no verb", G::ID);
        }
        for form in G::Plan::GRAMMAR.examples(state, None) {
            let name = format!("plan {}", form.line);
            if !self.read.contains(&name) {
                let is_read =
                    Seat::all(seats).any(|seat| can_parse_plan::<G>(state, seat, &form.line));
                self.record_form(name, is_read);
            }
        }
        self.on_card.get_or_insert_with(card_lines::<G>).retain(|line| {
            let is_read = awaited.iter().any(|seat| can_parse::<G>(state, *seat, line));
            !is_read && !Seat::all(seats).any(|seat| can_parse_plan::<G>(state, seat, line))
        });
    }

    fn record_form(&mut self, line: String, is_read: bool) {
        if is_read {
            self.read.insert(line.clone());
        }
        self.shown.insert(line);
    }

    /// Asserts that every form was readable somewhere, that every written line has a form, and that
    /// the card shows the same forms.
    pub fn assert_complete<G: Game>(&self, rare: &[&str]) {
        let unread = self.shown.difference(&self.read);
        let unread: Vec<_> = unread.filter(|line| !rare.contains(&line.as_str())).collect();
        assert!(unread.is_empty(), "{}: shown, but readable nowhere: {unread:?}", G::ID);
        let shown = |line: &String| first_word(line.trim_start_matches("plan ")).to_owned();
        let verbs: BTreeSet<String> = self.shown.iter().map(shown).collect();
        let unshown: Vec<_> = self.written.difference(&verbs).collect();
        assert!(unshown.is_empty(), "{}: written, but shown nowhere: {unshown:?}", G::ID);
        let unread: Vec<_> = self.on_card.iter().flatten().collect();
        assert!(unread.is_empty(), "{}: on the card, but readable nowhere: {unread:?}", G::ID);
        if find_kind(G::ID).is_some() {
            assert_card_names::<G>(&verbs);
        }
    }
}

/// Returns the text below the game's card of orders in `docs/players.md`, or nothing if the game
/// does not ship.
fn order_card<G: Game>() -> &'static str {
    let title = format!("{}: the card of orders\n", G::ID.replace('-', " "));
    let mut sections = include_str!("../../docs/players.md").split("\n## ");
    let card = sections.find(|section| section.to_lowercase().starts_with(&title));
    card.unwrap_or_else(|| {
        assert!(find_kind(G::ID).is_none(), "docs/players.md has no card of {}", G::ID);
        ""
    })
}

/// Returns the texts between backquotes.
fn code_spans(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns the first cells of the card's table rows.
fn first_cells(card: &'static str) -> impl Iterator<Item = &'static str> {
    card.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split('|').nth(1))
}

/// Returns the lines in the card's tables that belong to this game only.
fn card_lines<G: Game>() -> BTreeSet<&'static str> {
    let lines =
        first_cells(order_card::<G>()).flat_map(code_spans).flat_map(|line| line.split("; "));
    lines.filter(|line| !CLUB_WORDS.contains(&first_word(line))).collect()
}

/// Asserts that the card names all these verbs, and that its tables name no unknown verb.
fn assert_card_names<G: Game>(verbs: &BTreeSet<String>) {
    let card = order_card::<G>();
    let named: BTreeSet<String> =
        code_spans(card).map(|line| first_word(line).to_owned()).collect();
    let missing: Vec<_> = verbs.difference(&named).collect();
    assert!(missing.is_empty(), "the card of {} lacks {missing:?}", G::ID);
    for word in first_cells(card).flat_map(code_spans).map(first_word) {
        let verb = G::GRAMMAR.expand_verb(word).or_else(|| G::Plan::GRAMMAR.expand_verb(word));
        let is_known = verb.is_some() || CLUB_WORDS.contains(&word);
        assert!(is_known, "the card of {}: {word} begins no line", G::ID);
    }
}
