//! What must hold for every game, tested once: whoever adds a game adds one test here, with what
//! the contract has to know of it.
//!
//! Whole games are played by players with different biases, since random play hardly ever gets into
//! a corner. A full run looks at most of their positions, and a usual run at a sample.

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
pub use walk::{PlayedOrder, Walk};

/// The number of deals per seat count whose ways of writing a line are read: in a usual run and in
/// a full one.
const DEALS: (u64, u64) = (20, 60);
const STEPS_MAX: usize = 4_000;
/// How far a game has come when it is looked whether what is dealt anew is as likely as it is: to
/// count the ways of large hands would take long.
const MIDDLE_PROGRESS: u8 = 50;

/// What the contract has to know of a game, and cannot find out by itself.
pub struct GameExpectations<G: Game> {
    /// Its sentences, `templates/en/<id>.ftl`: all that forbids something and all that ends a game
    /// is said somewhere in play.
    pub sentences: &'static str,
    /// The words of all languages, its sentences among them.
    pub library: fn() -> Arc<Library>,
    /// Values of those options that take any number or word. What the others take they say.
    pub values: &'static [(&'static str, &'static [&'static str])],
    /// Ways of writing a line that random play hardly ever has a use for.
    pub rare_forms: &'static [&'static str],
    /// Sentences that neither play nor the game's own tests come to, each with the reason; the list
    /// only gets shorter.
    pub unreached_sentences: &'static [(&'static str, &'static str)],
    /// Events that no audit can notice if they happen twice, each with the reason; likewise.
    pub unnoticed_events: &'static [(&'static str, &'static str)],
    /// Why a line cannot be read where that tells by itself what would be, each with the reason. By
    /// other dice play may come to none of them.
    pub bare_refusals: &'static [(&'static str, &'static str)],
    /// Whether, as far as what lies open tells for certain, things may be otherwise than they are
    /// for all that this viewer knows. Where that is hard to tell it is left at no.
    pub can_differ: fn(&G::State, Viewer) -> bool,
}

impl<G: Game> GameExpectations<G> {
    /// A game with these sentences, where things can differ like this, and nothing to be excused.
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

/// The words that ship, read once for all games.
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
        // Random play hardly ever rams a full cart: the game's own tests ask for these.
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
        let (options, seats) = (BTreeMap::new(), *kind.seats().start());
        let (definition, options) =
            kind.validate(kind.definition(), &options, seats).expect("as it ships");
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
                    let sent = game.clone_box().play_line(seat, line, &[], &mut dice.clone());
                    sent.unwrap_or_else(|refusal| panic!("{}: {line}: {refusal:?}", kind.id()));
                }
                let line = chooser.pick(&lines).expect("there is one");
                game.play_line(seat, line, &[], &mut dice).expect("it was just played");
            }
        }
    }
}

/// Suggestions fit a letter, and a link each.
fn assert_bounded(suggested: &[Suggestion]) {
    assert!(suggested.len() <= Suggestion::MAX, "too many are suggested: {suggested:?}");
    for one in suggested {
        let alike = suggested.iter().filter(|other| other.group == one.group).count();
        assert!(alike <= Suggestion::GROUP_MAX, "too many are suggested: {suggested:?}");
        assert!(one.line.len() < 200 && !one.line.contains(['\r', '\n']), "{one:?}");
    }
}

/// Plays whole games in many ways, one at least with each value of each option, and looks at
/// positions on the way. Whatever the game can say of what is forbidden, and every way of writing a
/// line, comes up at some number of seats.
pub fn check_contract<G: Game>(terms: &GameExpectations<G>) {
    check_findings(terms, G::SEATS.map(|seats| play_with_seats(seats, terms)).collect());
}

/// Does the same as [`contract`], with a thread for each number of seats.
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

/// Plays the games of one number of seats, and returns what they came to.
fn play_with_seats<G: Game>(seats: u8, terms: &GameExpectations<G>) -> Coverage<G> {
    let mut seen = Coverage::default();
    seen.words = MessageChecker::new(terms);
    // An example can name something that only some deals hold.
    let table = Walk::<G>::new(seats, 0, "{}");
    for seed in 0..sample_or_all(DEALS.0, DEALS.1) {
        let dealt = Walk::<G>::deal(table.blank.clone(), seats, seed, "{}");
        seen.forms.check_forms::<G>(&dealt.state, seats, &[Seat::new(1)]);
    }
    let usual = strategies_for_seats(seats).into_iter().map(|player| ("{}".to_owned(), player));
    let chosen = OptionValues::collect(terms).combine::<G>(seats, &mut seen.played_options);
    let players = STRATEGIES.into_iter().cycle().skip(seats.into());
    for (options, player) in usual.chain(chosen.into_iter().zip(players)) {
        seen = play_to_end(Walk::<G>::new(seats, 0, &options).with_strategy(player, seen, terms));
    }
    fairness::assert_deal_is_fair(&table, terms);
    seen
}

/// Holds what the games of all numbers of seats came to together.
fn check_findings<G: Game>(terms: &GameExpectations<G>, parts: Vec<Coverage<G>>) {
    let seen = parts.into_iter().reduce(Coverage::merge).expect("a game has seats");
    OptionValues::collect(terms).assert_all_played::<G>(&seen.played_options);
    seen.assert_complete(terms);
    golden_games::check_golden_games::<G>();
    message_wording::check_letters(terms);
}

fn play_to_end<G: Game>(mut walk: Walk<G>) -> Coverage<G> {
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
