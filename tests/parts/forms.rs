//! The ways of writing a line: every one that is shown is read in some position, every line that a
//! game writes has one, and the README names the same.

use postrider::games::kind;
use postrider::rules::{Game, Plans, RefusalKind, Seat};
use std::collections::BTreeSet;

/// What the README tells beside a game's own lines: lines of every game.
const OF_THE_HOUSE: [&str; 3] = ["auto", "clear", "off"];

/// The forms of a kind of game, as its games are played.
#[derive(Default)]
pub struct Forms {
    shown: BTreeSet<String>,
    read: BTreeSet<String>,
    /// The words that lines began with that the game wrote itself.
    pub written: BTreeSet<String>,
}

/// The word that a line begins with.
pub fn first_word(line: &str) -> &str {
    line.split([' ', ':']).next().unwrap_or_default()
}

impl Forms {
    /// Tries in this position what has not been read yet.
    pub fn look<G: Game>(&mut self, state: &G::State, seats: u8, awaited: &[Seat]) {
        for form in G::GRAMMAR.lines(state) {
            if !self.read.contains(&form.line) {
                let is_read = |seat: &Seat| match G::parse(state, *seat, &form.line) {
                    Ok(_) => true,
                    // What a rule forbids has been read.
                    Err(refusal) => refusal.kind == RefusalKind::Illegal,
                };
                self.note(form.line.clone(), awaited.iter().any(is_read));
            }
            let verb = first_word(&form.line);
            assert!(G::GRAMMAR.verb(verb).is_some(), "{}: {verb} is no verb", G::ID);
        }
        for form in G::Plan::GRAMMAR.lines(state) {
            let name = format!("plan {}", form.line);
            if !self.read.contains(&name) {
                let plan = |seat: Seat| G::Plan::read(state, seat, &form.line);
                let reads = |seat| plan(seat).is_some_and(|plan| plan.is_ok());
                self.note(name, Seat::all(seats).any(reads));
            }
        }
    }

    fn note(&mut self, line: String, is_read: bool) {
        if is_read {
            self.read.insert(line.clone());
        }
        self.shown.insert(line);
    }

    /// All that was shown was read somewhere, all that was written is shown, and the README says
    /// the same.
    pub fn hold<G: Game>(&self, rare: &[&str]) {
        let unread = self.shown.difference(&self.read);
        let unread: Vec<_> = unread.filter(|line| !rare.contains(&line.as_str())).collect();
        assert!(unread.is_empty(), "{}: shown, and read nowhere: {unread:?}", G::ID);
        let shown = |line: &String| first_word(line.trim_start_matches("plan ")).to_owned();
        let verbs: BTreeSet<String> = self.shown.iter().map(shown).collect();
        let unshown: Vec<_> = self.written.difference(&verbs).collect();
        assert!(unshown.is_empty(), "{}: written, and shown nowhere: {unshown:?}", G::ID);
        if kind(G::ID).is_some() {
            readme_says::<G>(&verbs);
        }
    }
}

/// The card of orders in the README names these verbs, and its tables no other.
fn readme_says<G: Game>(verbs: &BTreeSet<String>) {
    let title = format!("{}: the card of orders\n", G::ID.replace('-', " "));
    let mut sections = include_str!("../../README.md").split("\n### ");
    let card = sections.find(|section| section.to_lowercase().starts_with(&title));
    let card = card.unwrap_or_else(|| panic!("the README has no card of {}", G::ID));
    let spans = |text: &'static str| text.split('`').skip(1).step_by(2).map(first_word);
    let named: BTreeSet<String> = spans(card).map(str::to_owned).collect();
    let missing: Vec<_> = verbs.difference(&named).collect();
    assert!(missing.is_empty(), "the README's card of {} lacks {missing:?}", G::ID);
    let cells = card.lines().filter(|line| line.starts_with("| `"));
    for word in cells.filter_map(|line| line.split('|').nth(1)).flat_map(spans) {
        let verb = G::GRAMMAR.verb(word).or_else(|| G::Plan::GRAMMAR.verb(word));
        let is_known = verb.is_some() || OF_THE_HOUSE.contains(&word);
        assert!(is_known, "the README's card of {}: {word} begins no line", G::ID);
    }
}
