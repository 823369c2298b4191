//! Tests of orders in every shipped language, at sample positions of every game.

use super::seat_lines::rank_seat_line;
use super::*;
use crate::club::{ARGUMENT_WORDS, Lexicon, RANK_VALID, words_rare_in_prose};
use crate::games::GAMES;
use crate::games::SHIPPED;
use crate::render::Library;
use crate::rules::{Dice, GameKind, Seed, lowercase_words};
use crate::table::{GameSetup, RehearsalMode, Table, rehearse};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn embedded_library() -> Arc<Library> {
    Library::embedded().expect("the words ship")
}

/// Plays a random game to its end. Even seeds use the fewest seats, odd seeds the most.
fn play_game(kind: &dyn GameKind, seed: u64) -> Table {
    let (options, seats) = (BTreeMap::new(), kind.allowed_seat_counts());
    let seats = if seed.is_multiple_of(2) { *seats.start() } else { *seats.end() };
    let setup = GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats };
    rehearse(setup, 1, seed, 4_000, RehearsalMode::SingleOrders).expect("it ends").table
}

/// Returns about five positions of a game, each with every seat.
fn sample_positions(table: &Table) -> Vec<(Table, Seat)> {
    let head = table.last_record_number();
    let step = (head / 4).max(1);
    let steps = (1..=head).step_by(usize::try_from(step).expect("small"));
    let seats = Seat::all(table.founding().seats);
    let at = |record| table.at_record(record).expect("it was there");
    steps.flat_map(|record| seats.clone().map(move |seat| (at(record), seat))).collect()
}

/// Returns orders, forms and plans that letters could show to a seat.
fn sample_lines(table: &Table, seat: Seat) -> Vec<String> {
    let game = table.game();
    let legal = game.legal_lines(seat);
    let step = (legal.len() / 6).max(1);
    let mut lines: Vec<String> = legal.into_iter().step_by(step).collect();
    lines.extend(game.forms(seat).into_iter().map(|form| form.line));
    let mut chooser = Dice::new(&Seed::from_number(5), 0);
    lines.extend(game.random_plan_lines(seat, &mut chooser));
    lines
}

#[test]
fn orders_survive_translation_to_every_language() {
    let library = embedded_library();
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    for kind in GAMES {
        for (table, seat) in (0..2).flat_map(|seed| sample_positions(&play_game(*kind, seed))) {
            let table = table.with_phrases(library.phrases());
            let words = &table.seat_vocabulary(seat);
            let (table, is_own_name) = (&table, &|_: &str| false);
            let reader = SentenceReader { table, seat, words, is_own_name };
            let rank = |line: &str| rank_seat_line(SHIPPED, &reader, line);
            for (tag, lexicons) in library.all_lexicons() {
                let translator = Translator {
                    lexicons: Some(lexicons),
                    kind: Some(kind.id()),
                    rank_line: Some(&rank),
                    games: SHIPPED,
                };
                for line in sample_lines(table, seat) {
                    let meant = |line: &str| translator.translate(line);
                    if rank(&line) == RANK_VALID {
                        assert_eq!(meant(&line), None, "{tag}: {line}");
                    }
                    let own = lexicons.lexicon_for_game(kind.id()).translate_from_english(&line);
                    if own != line {
                        assert_eq!(meant(&own).as_ref(), Some(&line), "{tag}: {own}");
                        *shown.entry(kind.id()).or_default() += 1;
                    }
                }
            }
        }
    }
    assert!(shown.len() == GAMES.len() && shown.values().all(|lines| *lines > 40), "{shown:?}");
}

/// Returns the lexicon's phrases whose words are all names in the game or the club. A translation
/// of such a phrase would change a name.
fn find_shadowed_names(lexicon: &Lexicon, is_named: &dyn Fn(&str) -> bool) -> Vec<String> {
    let others = lexicon.phrases().filter(|(phrase, english)| phrase != english);
    let taken = others.filter(|(phrase, _)| phrase.split(' ').all(is_named));
    taken.map(|(phrase, means)| format!("{phrase}: {means}")).collect()
}

#[test]
fn no_translation_shadows_a_game_or_club_word() {
    let library = embedded_library();
    for (tag, lexicons) in library.all_lexicons() {
        let english: BTreeSet<&str> = GAMES
            .iter()
            .map(|kind| lexicons.lexicon_for_game(kind.id()))
            .chain([lexicons.club_command_lexicon()])
            .flat_map(|lexicon| lexicon.phrases().flat_map(|(_, english)| english.split(' ')))
            .chain(words_rare_in_prose())
            .chain(ARGUMENT_WORDS)
            .collect();
        let of_house =
            |word: &str| english.contains(word) || classify_line(SHIPPED, word) != LineClass::Prose;
        assert_eq!(
            find_shadowed_names(lexicons.club_command_lexicon(), &of_house),
            [""; 0],
            "{tag}"
        );
        for kind in GAMES {
            for (table, seat) in (0..2).flat_map(|seed| sample_positions(&play_game(*kind, seed))) {
                let words = table.seat_vocabulary(seat);
                let vocabulary = words.vocabulary();
                let has_openings = kind.id() == "off-the-rails";
                let openings =
                    |word: &str| has_openings && word.chars().all(|c| "nesw".contains(c));
                let named = |word: &str| {
                    // A single letter can be a colour, a cart or a column in some game.
                    word.chars().count() == 1
                        || openings(word)
                        || of_house(word)
                        || vocabulary.contains(word)
                        || classify_seat_line(SHIPPED, (&table, seat), word) == LineClass::Order
                };
                let taken = find_shadowed_names(lexicons.lexicon_for_game(kind.id()), &named);
                assert_eq!(taken, [""; 0], "{tag}, {}", kind.id());
                // The first words of club commands must not be words of the game, or they would
                // hide an order.
                let house = lexicons.club_command_lexicon().phrases();
                let verbs = house.filter(|(_, english)| words_rare_in_prose().contains(english));
                for (verb, _) in verbs {
                    let is_order =
                        lowercase_words(verb).iter().all(|word| vocabulary.contains(word));
                    assert!(!is_order, "{tag}, {}: {verb}", kind.id());
                }
            }
        }
    }
}

#[test]
fn consent_words_mean_nothing_else_in_any_language() {
    let library = embedded_library();
    let tags: Vec<&str> = library.language_tags().collect();
    for tag in &tags {
        for other in library.consent_words(tag) {
            for (_, lexicons) in library.all_lexicons() {
                for yes in &other.yes_words {
                    let means = lexicons.club_command_lexicon().translate_to_english(yes);
                    assert!(means.is_none_or(|means| means == "yes"), "{tag}: {yes}");
                }
            }
        }
    }
}
