//! The contract: the properties that every game must have. A game needs one test that calls
//! [`check_contract`], with the few facts that the contract cannot find out by itself.
//!
//! Players with different strategies play whole games, because random play rarely reaches unusual
//! positions. A full run checks most positions of these games, a usual run a sample.

mod chance;
mod coverage;
mod fairness;
mod forms;
mod golden_games;
mod message_wording;
mod options;
mod players;
mod refusals;
mod searching;
mod walk;
mod worlds;

use super::sample_or_all;
use crate::render::Library;
use crate::rules::{Game, Seat, Suggestion, Turn, Viewer};
use coverage::Coverage;
use forms::{Forms, first_word};
use message_wording::MessageChecker;
use options::OptionValues;
use players::{STRATEGIES, Strategy, strategies_for_seats};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use walk::{PlayedOrder, RandomGame};

/// The number of deals per seat count in which all line forms are checked: in a usual run, and in a
/// full one.
const DEALS: (u64, u64) = (20, 60);
const STEPS_MAX: usize = 4_000;
/// The progress, in percent, at which [`fairness::assert_position_is_fair`] checks a game. Large
/// hands have very many possible distributions, so the check waits for smaller ones.
const MIDDLE_PROGRESS: u8 = 50;

/// The facts about a game that the contract cannot find out by itself.
pub struct GameExpectations<G: Game> {
    /// The sentences of all languages, including those of this game.
    pub library: Arc<Library>,
    /// The text of `en/<id>.ftl`. Play, or the game's own tests, must produce each
    /// sentence in it that forbids something or ends a game.
    pub sentences: &'static str,
    /// The folder with the game's own tests, below that of the crate. A sentence counts as
    /// produced if a file in it contains its key in quotes.
    pub test_folder: &'static str,
    /// The card of orders for players, in Markdown, or an empty text. Its first cells and its code
    /// spans must name the orders that the game has.
    pub order_card: &'static str,
    /// The values to play for options that take any number or word. The contract finds the values
    /// of the other options itself.
    pub values: &'static [(&'static str, &'static [&'static str])],
    /// Line forms that random play hardly ever uses.
    pub rare_forms: &'static [&'static str],
    /// Sentences that neither play nor the game's own tests produce, each with the reason. Keep
    /// this list and the next two as short as possible.
    pub unreached_sentences: &'static [(&'static str, &'static str)],
    /// Kinds of events that can be applied twice without any audit noticing it, each with the
    /// reason.
    pub unnoticed_events: &'static [(&'static str, &'static str)],
    /// Refusals of unreadable lines that suggest no other line, each with the reason. Play need
    /// not produce them.
    pub bare_refusals: &'static [(&'static str, &'static str)],
    /// Returns `true` if another state than the real one is certainly possible, for all that the
    /// viewer knows. The function looks only at public facts, and returns `false` in doubt.
    pub can_differ: fn(&G::State, Viewer) -> bool,
}

impl<G: Game> GameExpectations<G> {
    /// Creates the facts of a game without a card of orders and without exemptions. Its own tests
    /// are in `tests/`.
    pub const fn new(
        library: Arc<Library>,
        sentences: &'static str,
        can_differ: fn(&G::State, Viewer) -> bool,
    ) -> Self {
        Self {
            library,
            sentences,
            test_folder: "tests",
            order_card: "",
            values: &[],
            rare_forms: &[],
            unreached_sentences: &[],
            unnoticed_events: &[],
            bare_refusals: &[],
            can_differ,
        }
    }
}

/// Asserts that the suggestions are few and short enough for a letter with one link each.
///
/// # Panics
///
/// If they are not.
pub fn assert_bounded(suggested: &[Suggestion]) {
    assert!(suggested.len() <= Suggestion::MAX, "too many are suggested: {suggested:?}");
    for one in suggested {
        let alike = suggested.iter().filter(|other| other.group == one.group).count();
        assert!(alike <= Suggestion::GROUP_MAX, "too many are suggested: {suggested:?}");
        assert!(one.line.len() < 200 && !one.line.contains(['\r', '\n']), "{one:?}");
    }
}

/// Plays whole games with all strategies and with each value of each option, and checks positions
/// on the way. Then checks that the games of all seat counts together have produced every refusal
/// and every line form, that letters have words, and that the golden games in `tests/golden_games`
/// are played as they were. `UPDATE_GOLDEN_GAMES=1` writes these.
///
/// # Panics
///
/// If the game breaks the contract. The message says where and how.
pub fn check_contract<G: Game>(expectations: &GameExpectations<G>) {
    check_findings(
        expectations,
        G::SEATS.map(|seats| play_with_seats(seats, expectations)).collect(),
    );
}

/// Like [`check_contract`], with one thread per seat count.
///
/// # Panics
///
/// If the game breaks the contract.
pub fn check_contract_in_parallel<G: Game>(expectations: &GameExpectations<G>)
where
    G::Order: Send,
{
    let seen = thread::scope(|scope| {
        let play = |seats| scope.spawn(move || play_with_seats(seats, expectations));
        let threads: Vec<_> = G::SEATS.map(play).collect();
        let seen = threads.into_iter().map(|thread| thread.join());
        seen.map(|seen| seen.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    check_findings(expectations, seen);
}

/// Plays the games of one seat count, and returns what they covered.
fn play_with_seats<G: Game>(seats: u8, expectations: &GameExpectations<G>) -> Coverage<G> {
    let mut seen = Coverage::default();
    seen.words = MessageChecker::new(expectations);
    seen.forms = Forms::with_card(expectations.order_card);
    // A form's example may name a thing that only some deals contain, so many deals are tried.
    let table = RandomGame::<G>::new(seats, 0, "{}");
    for seed in 0..sample_or_all(DEALS.0, DEALS.1) {
        let dealt = RandomGame::<G>::deal(table.blank.clone(), seats, seed, "{}");
        seen.forms.check_forms::<G>(&dealt.state, seats, &[Seat::new(1)]);
    }
    let usual = strategies_for_seats(seats).into_iter().map(|player| ("{}".to_owned(), player));
    let chosen = OptionValues::collect(expectations).combine::<G>(seats, &mut seen.played_options);
    let players = STRATEGIES.into_iter().cycle().skip(seats.into());
    for (options, player) in usual.chain(chosen.into_iter().zip(players)) {
        seen = play_to_end(RandomGame::<G>::new(seats, 0, &options).with_strategy(
            player,
            seen,
            expectations,
        ));
    }
    fairness::assert_deal_is_fair(&table, expectations);
    seen
}

/// Checks the merged coverage of all seat counts, the golden games, and the letters.
fn check_findings<G: Game>(expectations: &GameExpectations<G>, parts: Vec<Coverage<G>>) {
    let seen = parts.into_iter().reduce(Coverage::merge).expect("a game has seats");
    OptionValues::collect(expectations).assert_all_played::<G>(&seen.played_options);
    seen.assert_complete(expectations);
    golden_games::check_golden_games::<G>();
    message_wording::check_letters(expectations);
}

fn play_to_end<G: Game>(mut walk: RandomGame<G>) -> Coverage<G> {
    walk.assert_deal_is_visible();
    let mut is_to_be_weighed = walk.strategy == Strategy::Random;
    while let Turn::Awaiting(awaited) = G::turn(&walk.state) {
        assert!(!awaited.is_empty(), "{walk} waits for nobody");
        if walk.should_check() {
            walk.check_position(&awaited);
        }
        if walk.is_between_lines() {
            walk.coverage.forms.check_forms::<G>(&walk.state, walk.seats, &awaited);
        }
        if is_to_be_weighed && G::progress_percent(&walk.state) >= MIDDLE_PROGRESS {
            is_to_be_weighed = false;
            fairness::assert_position_is_fair(&walk);
        }
        walk.play_step(&awaited);
        assert!(walk.steps < STEPS_MAX, "{walk} does not end");
    }
    walk.check_end();
    let written = walk.coverage.lines.iter().map(|line| first_word(line).to_owned());
    walk.coverage.forms.written.extend(written);
    walk.coverage
}

fn to_json<T: serde::Serialize>(view: &T) -> String {
    serde_json::to_string(view).expect("a view has a form")
}
