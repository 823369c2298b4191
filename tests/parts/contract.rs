//! The contract: the properties that every game must have. A new game adds one test here, with the
//! few facts that the contract cannot find out by itself.
//!
//! Players with different strategies play whole games, because random play rarely reaches unusual
//! positions. A full run checks most positions of these games, a usual run a sample.

mod chance;
mod coverage;
mod differing;
mod exemptions;
mod fairness;
mod golden_games;
mod message_wording;
mod options;
mod players;
mod refusals;
mod searching;
mod walk;

use crate::common::sample_or_all;
use crate::forms::first_word;
use coverage::Coverage;
use message_wording::MessageChecker;
use options::OptionValues;
use players::{STRATEGIES, Strategy, strategies_for_seats};
use postrider::games::{self, GAMES};
use postrider::render::Library;
use postrider::rules::{Dice, Game, Seat, Seed, Suggestion, Turn, Viewer};
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::{Arc, OnceLock};
use std::thread;
pub use walk::{PlayedOrder, RandomGame};

/// The number of deals per seat count in which all line forms are checked: in a usual run, and in a
/// full one.
const DEALS: (u64, u64) = (20, 60);
const STEPS_MAX: usize = 4_000;
/// The progress, in percent, at which [`fairness::assert_position_is_fair`] checks a game. Large
/// hands have very many possible distributions, so the check waits for smaller ones.
const MIDDLE_PROGRESS: u8 = 50;

/// The facts about a game that the contract cannot find out by itself.
pub struct GameExpectations<G: Game> {
    /// The text of `templates/en/<id>.ftl`. Play, or the game's own tests, must produce each
    /// sentence in it that forbids something or ends a game.
    pub sentences: &'static str,
    /// Loads the sentences of all languages, including those of this game.
    pub library: fn() -> Arc<Library>,
    /// The values to play for options that take any number or word. The contract finds the values
    /// of the other options itself.
    pub values: &'static [(&'static str, &'static [&'static str])],
    /// Line forms that random play hardly ever uses.
    pub rare_forms: &'static [&'static str],
    /// Sentences that neither play nor the game's own tests produce, each with the reason. The list
    /// may only get shorter.
    pub unreached_sentences: &'static [(&'static str, &'static str)],
    /// Events of which no audit notices a second application, each with the reason. The list may
    /// only get shorter.
    pub unnoticed_events: &'static [(&'static str, &'static str)],
    /// Refusals of unreadable lines that offer no line instead, each with the reason. With other
    /// dice, play may produce none of them.
    pub bare_refusals: &'static [(&'static str, &'static str)],
    /// Returns whether the viewer's knowledge surely allows another state than the real one. The
    /// function looks only at public facts, and returns `false` if that is hard to decide.
    pub can_differ: fn(&G::State, Viewer) -> bool,
}

impl<G: Game> GameExpectations<G> {
    /// Creates the facts of a game without any exemptions.
    pub const fn new(sentences: &'static str, can_differ: fn(&G::State, Viewer) -> bool) -> Self {
        Self {
            sentences,
            library: shipped_library,
            values: &[],
            rare_forms: &[],
            unreached_sentences: &[],
            unnoticed_events: &[],
            bare_refusals: &[],
            can_differ,
        }
    }
}

fn shipped_library() -> Arc<Library> {
    static SHIPPED: OnceLock<Arc<Library>> = OnceLock::new();
    SHIPPED.get_or_init(|| Library::embedded().expect("the words ship")).clone()
}

#[test]
fn paris_connection() {
    let sentences = include_str!("../../templates/en/paris-connection.ftl");
    check_contract_in_parallel::<games::ParisConnection>(&GameExpectations {
        values: &[("stall_after_trades", &["3", "0"])],
        unnoticed_events: exemptions::UNNOTICED_PARIS,
        ..GameExpectations::new(sentences, differing::can_shares_differ)
    });
}

#[test]
fn off_the_rails() {
    let sentences = include_str!("../../templates/en/off-the-rails.ftl");
    check_contract_in_parallel::<games::OffTheRails>(&GameExpectations {
        values: &[("wishes", &["west, east"])],
        // Random play hardly ever rams a full cart. The game's own tests cover these forms.
        rare_forms: &["cut ruby rock", "pick first"],
        unreached_sentences: exemptions::UNREACHED_OFF,
        unnoticed_events: exemptions::UNNOTICED_OFF,
        bare_refusals: exemptions::BARE_OFF,
        ..GameExpectations::new(sentences, differing::can_wishes_differ)
    });
}

#[test]
fn trick_of_the_rails() {
    let sentences = include_str!("../../templates/en/trick-of-the-rails.ftl");
    check_contract_in_parallel::<games::TrickOfTheRails>(&GameExpectations::new(
        sentences,
        differing::can_hands_differ,
    ));
}

#[test]
fn listed_and_suggested_lines_can_be_played() {
    for kind in GAMES {
        let (options, seats) = (BTreeMap::new(), *kind.allowed_seat_counts().start());
        let (definition, options) = kind
            .validate_and_convert_to_json(kind.shipped_definition(), &options, seats)
            .expect("as it ships");
        let mut game = kind.new_game(&definition, &options, seats).expect("it opens");
        let mut dice = Dice::new(&Seed::from_number(3), 0);
        let mut chooser = Dice::new(&Seed::from_number(4), 0);
        game.setup(&mut dice);
        for _ in 0..12 {
            let Turn::Awaiting(seats) = game.turn() else { break };
            for seat in seats {
                let lines = game.legal_lines(seat);
                assert!(!lines.is_empty(), "{}: seat {seat} is awaited", kind.id());
                let suggested = game.suggest_lines(seat);
                assert_bounded(&suggested);
                for line in lines.iter().chain(suggested.iter().map(|one| &one.line)) {
                    let sent =
                        game.clone_box().judge_and_play_line(seat, line, &[], &mut dice.clone());
                    sent.unwrap_or_else(|refusal| panic!("{}: {line}: {refusal:?}", kind.id()));
                }
                let line = chooser.pick(&lines).expect("there is one");
                game.judge_and_play_line(seat, line, &[], &mut dice).expect("it was just played");
            }
        }
    }
}

/// Asserts that the suggestions are few and short enough for a letter with one link each.
fn assert_bounded(suggested: &[Suggestion]) {
    assert!(suggested.len() <= Suggestion::MAX, "too many are suggested: {suggested:?}");
    for one in suggested {
        let alike = suggested.iter().filter(|other| other.group == one.group).count();
        assert!(alike <= Suggestion::GROUP_MAX, "too many are suggested: {suggested:?}");
        assert!(one.line.len() < 200 && !one.line.contains(['\r', '\n']), "{one:?}");
    }
}

/// Plays whole games with all strategies and with each value of each option, and checks positions
/// on the way. Then checks that the games of all seat counts together have produced every refusal
/// and every line form.
pub fn check_contract<G: Game>(terms: &GameExpectations<G>) {
    check_findings(terms, G::SEATS.map(|seats| play_with_seats(seats, terms)).collect());
}

/// Like [`check_contract`], with one thread per seat count.
fn check_contract_in_parallel<G: Game>(terms: &GameExpectations<G>)
where
    G::Order: Send,
{
    let seen = thread::scope(|scope| {
        let play = |seats| scope.spawn(move || play_with_seats(seats, terms));
        let threads: Vec<_> = G::SEATS.map(play).collect();
        let seen = threads.into_iter().map(|thread| thread.join());
        seen.map(|seen| seen.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    check_findings(terms, seen);
}

/// Plays the games of one seat count, and returns what they covered.
fn play_with_seats<G: Game>(seats: u8, terms: &GameExpectations<G>) -> Coverage<G> {
    let mut seen = Coverage::default();
    seen.words = MessageChecker::new(terms);
    // A form's example may name a thing that only some deals contain, so many deals are tried.
    let table = RandomGame::<G>::new(seats, 0, "{}");
    for seed in 0..sample_or_all(DEALS.0, DEALS.1) {
        let dealt = RandomGame::<G>::deal(table.blank.clone(), seats, seed, "{}");
        seen.forms.check_forms::<G>(&dealt.state, seats, &[Seat::new(1)]);
    }
    let usual = strategies_for_seats(seats).into_iter().map(|player| ("{}".to_owned(), player));
    let chosen = OptionValues::collect(terms).combine::<G>(seats, &mut seen.played_options);
    let players = STRATEGIES.into_iter().cycle().skip(seats.into());
    for (options, player) in usual.chain(chosen.into_iter().zip(players)) {
        seen = play_to_end(
            RandomGame::<G>::new(seats, 0, &options).with_strategy(player, seen, terms),
        );
    }
    fairness::assert_deal_is_fair(&table, terms);
    seen
}

/// Checks the joined coverage of all seat counts, the golden games, and the letters.
fn check_findings<G: Game>(terms: &GameExpectations<G>, parts: Vec<Coverage<G>>) {
    let seen = parts.into_iter().reduce(Coverage::merge).expect("a game has seats");
    OptionValues::collect(terms).assert_all_played::<G>(&seen.played_options);
    seen.assert_complete(terms);
    golden_games::check_golden_games::<G>();
    message_wording::check_letters(terms);
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
