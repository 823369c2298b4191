//! The coverage of the simulated games: the sentences they produced, and the kinds of events whose
//! second application an audit notices.

use super::GameExpectations;
use super::forms::Forms;
use super::message_wording::MessageChecker;
use super::players::order_kind;
use crate::rules::{Game, Refusal};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The heading in a game's `.ftl` file above the sentences of its refusals.
const FORBIDDEN: &str = "## A rule that forbids it";
/// The number of orders of each kind that are kept, to be tried in other positions.
const ORDERS_PER_KIND_MAX: u32 = 30;
/// The number of lines that are kept, to be read in other positions.
const LINES_MAX: usize = 1_000;
/// The number of occurrences from which a sentence counts as common. A common sentence occurs with
/// any dice, so it needs no exemption.
const COMMON_SENTENCE_COUNT: u32 = 10;
/// The number of refusals with each reason that are searched for sentences.
const REFUSALS_PER_KIND_MAX: u32 = 400;
/// The number of events of each kind that are applied twice, as long as no audit notices it.
const DOUBLED_PER_KIND_MAX: u32 = 60;

/// The coverage of all games that the contract has played.
pub struct Coverage<G: Game> {
    pub forms: Forms,
    pub words: MessageChecker,
    /// Each option that was chosen, with its value.
    pub played_options: Vec<(String, Value)>,
    /// Orders that were legal in some position. They are tried in positions where they may be
    /// illegal.
    pub pool: Vec<G::Order>,
    /// The number of orders in `pool`, by kind.
    kept: BTreeMap<String, u32>,
    /// Lines that were read in some position.
    pub lines: Vec<String>,
    /// The reasons of refusals that offered no line instead, each with one of the refused lines.
    pub bare_refusals: BTreeMap<&'static str, String>,
    /// The number of occurrences of each sentence, by key.
    sentence_counts: BTreeMap<String, u32>,
    refused: BTreeMap<&'static str, u32>,
    /// For each kind of event, the number of second applications that changed the state unnoticed.
    /// `None` once an audit has noticed one.
    doubled: BTreeMap<String, Option<u32>>,
}

impl<G: Game> Default for Coverage<G> {
    fn default() -> Self {
        Self {
            forms: Forms::default(),
            words: MessageChecker::default(),
            played_options: Vec::new(),
            pool: Vec::new(),
            kept: BTreeMap::new(),
            lines: Vec::new(),
            bare_refusals: BTreeMap::new(),
            sentence_counts: BTreeMap::new(),
            refused: BTreeMap::new(),
            doubled: BTreeMap::new(),
        }
    }
}

impl<G: Game> Coverage<G> {
    /// Joins the coverage of two sets of games. Samples of orders, lines and messages serve only
    /// further play, so they are not joined.
    pub fn merge(mut self, other: Self) -> Self {
        self.forms = self.forms.merge(other.forms);
        self.played_options.extend(other.played_options);
        self.bare_refusals.extend(other.bare_refusals);
        for (key, count) in other.sentence_counts {
            *self.sentence_counts.entry(key).or_default() += count;
        }
        for (kind, count) in other.doubled {
            let all = self.doubled.entry(kind).or_insert(Some(0));
            *all = all.zip(count).map(|(one, other)| one + other);
        }
        self
    }

    /// Counts the sentences of a refusal, and checks that all of them have words.
    pub fn record_refusal(&mut self, refusal: &Refusal) {
        let count = self.refused.entry(refusal.reason.key).or_default();
        if *count < REFUSALS_PER_KIND_MAX {
            *count += 1;
            let value = serde_json::to_value(refusal).expect("a refusal has a form");
            self.words.check_all(&value);
            self.count_sentences(&value);
        }
    }

    /// Keeps an order for other positions, up to [`ORDERS_PER_KIND_MAX`] of each kind.
    pub fn keep_order(&mut self, order: &G::Order) {
        let of_kind = self.kept.entry(order_kind(order)).or_default();
        if *of_kind < ORDERS_PER_KIND_MAX && !self.pool.contains(order) {
            *of_kind += 1;
            self.pool.push(order.clone());
        }
    }

    /// Keeps a line for other positions.
    pub fn keep_line(&mut self, line: String) {
        if self.lines.len() < LINES_MAX {
            self.lines.push(line);
        }
    }

    /// Counts the keys of all messages and expectations in a value.
    pub fn count_sentences(&mut self, value: &Value) {
        match value {
            Value::Object(fields) => {
                let key = fields.get("key").and_then(Value::as_str);
                let expectations = fields.get("term").and_then(Value::as_str);
                for key in key.into_iter().chain(expectations) {
                    *self.sentence_counts.entry(key.to_owned()).or_default() += 1;
                }
                fields.values().for_each(|value| self.count_sentences(value));
            }
            Value::Array(values) => values.iter().for_each(|value| self.count_sentences(value)),
            _ => {}
        }
    }

    /// Applies an event twice, and records whether the audit notices it. A useful audit does, if
    /// the second application changes the state.
    pub fn check_doubled_event(&mut self, before: &G::State, once: &G::State, event: &G::Event) {
        let tried = self.doubled.entry(event_kind(event)).or_insert(Some(0));
        if let Some(count) = tried.filter(|count| *count < DOUBLED_PER_KIND_MAX) {
            let mut twice = before.clone();
            G::apply(&mut twice, event);
            G::apply(&mut twice, event);
            let is_noticed = twice != *once && G::check_every_piece_placed(&twice).is_err();
            let changes = u32::from(twice != *once);
            *tried = if is_noticed { None } else { Some(count + changes) };
        }
    }

    pub fn assert_complete(&self, expectations: &GameExpectations<G>) {
        self.forms.assert_complete::<G>(expectations.rare_forms);
        let wanted = required_sentences(expectations.sentences);
        let is_ending = |key: &&str| key.contains("-ended");
        assert!(wanted.iter().any(is_ending), "{}: no sentence says that it has ended", G::ID);
        let own_tests = read_own_tests(expectations.test_folder);
        let is_tested = |key: &str| own_tests.contains(&format!("\"{key}\""));
        let occurrences = |key: &str| self.sentence_counts.get(key).copied().unwrap_or_default();
        let unsaid = wanted.iter().copied().filter(|key| occurrences(key) == 0 && !is_tested(key));
        let unsaid: BTreeSet<&str> = unsaid.collect();
        // A sentence that occurs rarely may be missing with other dice, so its exemption is no
        // fault.
        let is_idle = |key: &str| {
            !wanted.contains(&key) || is_tested(key) || occurrences(key) >= COMMON_SENTENCE_COUNT
        };
        let mut faults =
            find_faults("play never comes to", &unsaid, expectations.unreached_sentences, is_idle);
        let unnoticed = |(_, count): &(&String, &Option<u32>)| count.is_some_and(|count| count > 0);
        let unnoticed = self.doubled.iter().filter(unnoticed);
        let unnoticed: BTreeSet<&str> = unnoticed.map(|(kind, _)| kind.as_str()).collect();
        faults.extend(find_faults(
            "no audit notices twice",
            &unnoticed,
            expectations.unnoticed_events,
            |kind| !unnoticed.contains(kind),
        ));
        let bare: BTreeSet<&str> = self.bare_refusals.keys().copied().collect();
        faults.extend(find_faults(
            "nothing is offered beside",
            &bare,
            expectations.bare_refusals,
            |key| !expectations.sentences.contains(&format!("\n{key} =")),
        ));
        assert!(faults.is_empty(), "{}: {}", G::ID, faults.join("\n"));
    }
}

/// Returns the findings that have no exemption, and the exemptions that nothing needs any more.
fn find_faults(
    what: &str,
    found: &BTreeSet<&str>,
    excuses: &[(&str, &str)],
    is_idle: impl Fn(&str) -> bool,
) -> Vec<String> {
    let is_excused = |name: &&&str| excuses.iter().any(|(excused, _)| excused == *name);
    let missing: Vec<_> = found.iter().filter(|name| !is_excused(name)).collect();
    let idle: Vec<_> = excuses.iter().filter(|(name, _)| is_idle(name)).collect();
    let mut faults = Vec::new();
    faults.extend((!missing.is_empty()).then(|| format!("{what} {missing:?}")));
    faults.extend((!idle.is_empty()).then(|| format!("to be struck out of \"{what}\": {idle:?}")));
    faults
}

/// Returns the source of the game's own tests, which cover positions that play hardly ever reaches.
fn read_own_tests(folder: &str) -> String {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    files.filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

/// Returns the kind of an event: the tag that the log gives it.
fn event_kind<E: serde::Serialize>(event: &E) -> String {
    match serde_json::to_value(event).expect("an event has a form") {
        Value::Object(fields) => fields.keys().next().cloned().unwrap_or_default(),
        Value::String(tag) => tag,
        other => panic!("an event of no kind: {other}"),
    }
}

/// Returns the keys of all sentences that forbid something or end a game.
fn required_sentences(sentences: &'static str) -> Vec<&'static str> {
    let mut is_forbidden = false;
    let mut keys = Vec::new();
    for line in sentences.lines() {
        if line.starts_with('#') {
            is_forbidden = line == FORBIDDEN;
        }
        let key = line.split_once(" =").map(|(key, _)| key).filter(|key| !key.starts_with(' '));
        keys.extend(key.filter(|key| is_forbidden || key.contains("-ended")));
    }
    keys
}
