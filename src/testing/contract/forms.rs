//! Checks of line forms. Each form that a letter shows must be readable in some position. Each line
//! that a game writes must have a form. The card of orders must show the same forms.

use crate::rules::{ConditionalPlan, Game, RefusalKind, Seat};
use std::collections::BTreeSet;

/// The words on the cards that begin lines of every game.
const CLUB_WORDS: [&str; 3] = ["auto", "clear", "off"];

/// The line forms of a game that were shown and read while its games were played.
#[derive(Default)]
pub struct Forms {
    shown: BTreeSet<String>,
    read: BTreeSet<String>,
    /// The game's card of orders.
    card: &'static str,
    /// Lines on the card that were not readable yet.
    on_card: BTreeSet<&'static str>,
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
    /// Creates the forms of a game with this card of orders, before its first game.
    pub fn with_card(card: &'static str) -> Self {
        Self { card, on_card: card_lines(card), ..Self::default() }
    }

    /// Joins the forms of two sets of games.
    pub fn merge(mut self, other: Self) -> Self {
        self.shown.extend(other.shown);
        self.read.extend(other.read);
        self.written.extend(other.written);
        self.on_card.retain(|line| other.on_card.contains(line));
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
        self.on_card.retain(|line| {
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
        let unread = &self.on_card;
        assert!(unread.is_empty(), "{}: on the card, but readable nowhere: {unread:?}", G::ID);
        if !self.card.is_empty() {
            assert_card_names::<G>(self.card, &verbs);
        }
    }
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
fn card_lines(card: &'static str) -> BTreeSet<&'static str> {
    let lines = first_cells(card).flat_map(code_spans).flat_map(|line| line.split("; "));
    lines.filter(|line| !CLUB_WORDS.contains(&first_word(line))).collect()
}

/// Asserts that the card names all these verbs, and that its tables name no unknown verb.
fn assert_card_names<G: Game>(card: &'static str, verbs: &BTreeSet<String>) {
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
