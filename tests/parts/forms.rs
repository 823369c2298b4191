//! The ways of writing a line: every one that is shown is read in some position, every line that a
//! game writes has one, and the card of orders in `docs/players.md` names the same.

use postrider::games::find_kind;
use postrider::rules::{ConditionalPlan, Game, RefusalKind, Seat};
use std::collections::BTreeSet;

/// What the cards tell beside a game's own lines: lines of every game.
const CLUB_WORDS: [&str; 3] = ["auto", "clear", "off"];

/// The forms of a kind of game, as its games are played.
#[derive(Default)]
pub struct Forms {
    shown: BTreeSet<String>,
    read: BTreeSet<String>,
    /// What stands on the card for players and was not read yet.
    on_card: Option<BTreeSet<&'static str>>,
    /// The words that lines began with that the game wrote itself.
    pub written: BTreeSet<String>,
}

/// Whether a line can be read; what a rule forbids has been.
fn can_parse<G: Game>(state: &G::State, seat: Seat, line: &str) -> bool {
    match G::parse_line(state, seat, line) {
        Ok(_) => true,
        Err(refusal) => refusal.kind == RefusalKind::Illegal,
    }
}

/// Whether a line can be read as a plan.
fn can_parse_plan<G: Game>(state: &G::State, seat: Seat, line: &str) -> bool {
    matches!(G::Plan::parse_plans(state, seat, line), Some(Ok(_)))
}

/// The word that a line begins with.
pub fn first_word(line: &str) -> &str {
    line.split([' ', ':']).next().unwrap_or_default()
}

impl Forms {
    /// Joins the forms that two sets of games came to.
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

    /// Tries in this position what has not been read yet.
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

    /// All that was shown was read somewhere, all that was written is shown, and the card says the
    /// same.
    pub fn assert_complete<G: Game>(&self, rare: &[&str]) {
        let unread = self.shown.difference(&self.read);
        let unread: Vec<_> = unread.filter(|line| !rare.contains(&line.as_str())).collect();
        assert!(unread.is_empty(), "{}: shown, and read nowhere: {unread:?}", G::ID);
        let shown = |line: &String| first_word(line.trim_start_matches("plan ")).to_owned();
        let verbs: BTreeSet<String> = self.shown.iter().map(shown).collect();
        let unshown: Vec<_> = self.written.difference(&verbs).collect();
        assert!(unshown.is_empty(), "{}: written, and shown nowhere: {unshown:?}", G::ID);
        let unread: Vec<_> = self.on_card.iter().flatten().collect();
        assert!(unread.is_empty(), "{}: on the card, and read nowhere: {unread:?}", G::ID);
        if find_kind(G::ID).is_some() {
            assert_card_names::<G>(&verbs);
        }
    }
}

/// What stands for players under the game's card of orders; nothing of a game that does not ship.
fn order_card<G: Game>() -> &'static str {
    let title = format!("{}: the card of orders\n", G::ID.replace('-', " "));
    let mut sections = include_str!("../../docs/players.md").split("\n## ");
    let card = sections.find(|section| section.to_lowercase().starts_with(&title));
    card.unwrap_or_else(|| {
        assert!(find_kind(G::ID).is_none(), "docs/players.md has no card of {}", G::ID);
        ""
    })
}

/// What stands between quotes of code.
fn code_spans(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split('`').skip(1).step_by(2)
}

/// The first cells of the card's tables.
fn first_cells(card: &'static str) -> impl Iterator<Item = &'static str> {
    card.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split('|').nth(1))
}

/// The lines of the card's tables that are the game's own.
fn card_lines<G: Game>() -> BTreeSet<&'static str> {
    let lines =
        first_cells(order_card::<G>()).flat_map(code_spans).flat_map(|line| line.split("; "));
    lines.filter(|line| !CLUB_WORDS.contains(&first_word(line))).collect()
}

/// The card names these verbs, and its tables no other.
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
