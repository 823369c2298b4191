//! What must hold for every game, tested once: whoever adds a game adds one test here, with what
//! the contract has to know of it.
//!
//! Whole games are played by players with different biases, since random play hardly ever gets into
//! a corner. A full run looks at most of their positions, and a usual run at a sample.

mod chance;
mod differing;
mod excuses;
mod fairness;
mod options;
mod players;
mod reached;
mod refusals;
mod told;
mod walk;
mod words;

use crate::common::sample_or_all;
use crate::forms::first_word;
use options::Choices;
use players::{PLAYERS, Player, players_at};
use postrider::games::{self, GAMES};
use postrider::render::Library;
use postrider::rules::{Dice, Game, Seat, Seed, Suggestion, Turn, Viewer};
use reached::Seen;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::{Arc, OnceLock};
use std::thread;
pub use walk::{Done, Walk};
use words::Words;

/// The number of deals per seat count whose ways of writing a line are read: in a usual run and in
/// a full one.
const DEALS: (u64, u64) = (20, 60);
const STEPS_MAX: usize = 4_000;
/// How far a game has come when it is looked whether what is dealt anew is as likely as it is: to
/// count the ways of large hands would take long.
const MIDDLE: u8 = 50;

/// What the contract has to know of a game, and cannot find out by itself.
pub struct Terms<G: Game> {
    /// Its sentences, `templates/en/<id>.ftl`: all that forbids something and all that ends a game
    /// is said somewhere in play.
    pub sentences: &'static str,
    /// The words of all languages, its sentences among them.
    pub library: fn() -> Arc<Library>,
    /// Values of those options that take any number or word. What the others take they say.
    pub values: &'static [(&'static str, &'static [&'static str])],
    /// Ways of writing a line that random play hardly ever has a use for.
    pub rare: &'static [&'static str],
    /// Sentences that neither play nor the game's own tests come to, each with the reason; the list
    /// only gets shorter.
    pub unreached: &'static [(&'static str, &'static str)],
    /// Events that no audit can notice if they happen twice, each with the reason; likewise.
    pub unnoticed: &'static [(&'static str, &'static str)],
    /// Why a line cannot be read where that tells by itself what would be, each with the reason. By
    /// other dice play may come to none of them.
    pub bare: &'static [(&'static str, &'static str)],
    /// Whether, as far as what lies open tells for certain, things may be otherwise than they are
    /// for all that this viewer knows. Where that is hard to tell it is left at no.
    pub can_differ: fn(&G::State, Viewer) -> bool,
}

impl<G: Game> Terms<G> {
    /// A game with these sentences, where things can differ like this, and nothing to be excused.
    pub const fn of(sentences: &'static str, can_differ: fn(&G::State, Viewer) -> bool) -> Self {
        Self {
            sentences,
            library: shipped,
            values: &[],
            rare: &[],
            unreached: &[],
            unnoticed: &[],
            bare: &[],
            can_differ,
        }
    }
}

/// The words that ship, read once for all games.
fn shipped() -> Arc<Library> {
    static SHIPPED: OnceLock<Arc<Library>> = OnceLock::new();
    SHIPPED.get_or_init(|| Library::embedded().expect("the words ship")).clone()
}

#[test]
fn paris_connection() {
    let sentences = include_str!("../../templates/en/paris-connection.ftl");
    contract_at_once::<games::ParisConnection>(&Terms {
        values: &[("stall_after_trades", &["3", "0"])],
        unnoticed: excuses::UNNOTICED_PARIS,
        ..Terms::of(sentences, differing::shares)
    });
}

#[test]
fn off_the_rails() {
    let sentences = include_str!("../../templates/en/off-the-rails.ftl");
    contract_at_once::<games::OffTheRails>(&Terms {
        values: &[("wishes", &["west, east"])],
        // Random play hardly ever rams a full cart: the game's own tests ask for these.
        rare: &["cut ruby rock", "pick first"],
        unreached: excuses::UNREACHED_OFF,
        unnoticed: excuses::UNNOTICED_OFF,
        bare: excuses::BARE_OFF,
        ..Terms::of(sentences, differing::wishes)
    });
}

#[test]
fn trick_of_the_rails() {
    let sentences = include_str!("../../templates/en/trick-of-the-rails.ftl");
    contract_at_once::<games::TrickOfTheRails>(&Terms::of(sentences, differing::hands));
}

#[test]
fn every_line_that_the_shell_lists_can_be_sent() {
    for kind in GAMES {
        let (options, seats) = (BTreeMap::new(), *kind.seats().start());
        let (definition, options) =
            kind.validate(kind.definition(), &options, seats).expect("as it ships");
        let mut game = kind.open(&definition, &options, seats).expect("it opens");
        let mut dice = Dice::new(&Seed::rehearsal(3), 0);
        let mut chooser = Dice::new(&Seed::rehearsal(4), 0);
        game.setup(&mut dice);
        for _ in 0..12 {
            let Turn::Awaiting(seats) = game.turn() else { break };
            for seat in seats {
                let lines = game.legal(seat);
                assert!(!lines.is_empty(), "{}: seat {seat} is awaited", kind.id());
                let suggested = game.suggestions(seat);
                is_bounded(&suggested);
                for line in lines.iter().chain(suggested.iter().map(|one| &one.line)) {
                    let sent = game.copy().play(seat, line, &[], &mut dice.clone());
                    sent.unwrap_or_else(|refusal| panic!("{}: {line}: {refusal:?}", kind.id()));
                }
                let line = chooser.pick(&lines).expect("there is one");
                game.play(seat, line, &[], &mut dice).expect("it was just played");
            }
        }
    }
}

/// Suggestions fit a letter, and a link each.
fn is_bounded(suggested: &[Suggestion]) {
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
pub fn contract<G: Game>(terms: &Terms<G>) {
    hold(terms, G::SEATS.map(|seats| play_with(seats, terms)).collect());
}

/// Does the same as [`contract`], with a thread for each number of seats.
fn contract_at_once<G: Game>(terms: &Terms<G>)
where
    G::Order: Send,
{
    let seen = thread::scope(|scope| {
        let play = |seats| scope.spawn(move || play_with(seats, terms));
        let threads: Vec<_> = G::SEATS.map(play).collect();
        let seen = threads.into_iter().map(|thread| thread.join());
        seen.map(|seen| seen.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    hold(terms, seen);
}

/// Plays the games of one number of seats, and returns what they came to.
fn play_with<G: Game>(seats: u8, terms: &Terms<G>) -> Seen<G> {
    let mut seen = Seen::default();
    seen.words = Words::of(terms);
    // An example can name something that only some deals hold.
    let table = Walk::<G>::found(seats, 0, "{}");
    for seed in 0..sample_or_all(DEALS.0, DEALS.1) {
        let dealt = Walk::<G>::deal(table.blank.clone(), seats, seed, "{}");
        seen.forms.look::<G>(&dealt.state, seats, &[Seat::new(1)]);
    }
    let usual = players_at(seats).into_iter().map(|player| ("{}".to_owned(), player));
    let chosen = Choices::of(terms).combined::<G>(seats, &mut seen.played);
    let players = PLAYERS.into_iter().cycle().skip(seats.into());
    for (options, player) in usual.chain(chosen.into_iter().zip(players)) {
        seen = play_through(Walk::<G>::found(seats, 0, &options).played(player, seen, terms));
    }
    fairness::deal_is_fair(&table, terms);
    seen
}

/// Holds what the games of all numbers of seats came to together.
fn hold<G: Game>(terms: &Terms<G>, parts: Vec<Seen<G>>) {
    let seen = parts.into_iter().reduce(Seen::and).expect("a game has seats");
    Choices::of(terms).hold::<G>(&seen.played);
    seen.hold(terms);
    told::hold::<G>();
    words::letters_are_whole(terms);
}

fn play_through<G: Game>(mut walk: Walk<G>) -> Seen<G> {
    walk.deal_is_seen();
    let mut is_to_be_weighed = walk.player == Player::Any;
    while let Turn::Awaiting(awaited) = G::turn(&walk.state) {
        assert!(!awaited.is_empty(), "{walk} waits for nobody");
        if walk.is_due() {
            walk.look(&awaited);
        }
        if walk.is_between_lines() {
            walk.seen.forms.look::<G>(&walk.state, walk.seats, &awaited);
        }
        if is_to_be_weighed && G::progress(&walk.state) >= MIDDLE {
            is_to_be_weighed = false;
            fairness::position_is_fair(&walk);
        }
        walk.step(&awaited);
        assert!(walk.steps < STEPS_MAX, "{walk} does not end");
    }
    walk.looks_over();
    let written = walk.seen.lines.iter().map(|line| first_word(line).to_owned());
    walk.seen.forms.written.extend(written);
    walk.seen
}
