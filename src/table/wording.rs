//! The parts of a line that are not the order: polite words, remarks and doubts. Also guesses which
//! order a misspelt line means.
//!
//! Only a few things are stripped from a line: a list bullet, polite words, and a remark after the
//! order without any word of the game. Everything else stays, and the line is refused if the rest
//! cannot be parsed.

use super::sentences::split_into_sentences;
use super::{OrderLine, PhraseBook, QueueCommand, Table};
use crate::rules::{
    DynGame, LineGuess, Message, RefusalKind, Seat, Vocabulary, edit_distance, lowercase_words,
    throwaway_dice, unique_nearest,
};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// The maximum length, in characters, of a line in which an order is searched. A letter with a
/// longer order line is not read.
const ORDER_CHARS_MAX: usize = 500;
/// The maximum length, in characters, of a line for which a similar order is searched, and the
/// maximum number of legal lines that are compared with it.
const GUESSED_CHARS_MAX: usize = 120;
const COMPARED_LINES_MAX: usize = 600;
/// The maximum number of unknown words in a line for which a similar order is searched.
const UNKNOWN_WORDS_MAX: usize = 3;

/// An order, and the remark beside it in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderWithAside<'a> {
    /// The order, without the words around it.
    pub order: &'a str,
    /// The remark to people; empty if there is none.
    pub aside: &'a str,
}

/// The vocabulary of a seat. It is computed only when it is needed, because an order in its normal
/// form does not need it.
pub struct SeatVocabulary<'a> {
    game: &'a dyn DynGame,
    seat: Seat,
    pub(super) phrases: &'a PhraseBook,
    cached: OnceCell<Vocabulary>,
}

impl SeatVocabulary<'_> {
    /// Returns the vocabulary, and computes it on the first call.
    pub fn vocabulary(&self) -> &Vocabulary {
        self.cached.get_or_init(|| self.game.vocabulary(self.seat))
    }
}

impl Table {
    /// Finds the order in a line: the whole line, or the line without the words that people write
    /// around an order. Returns `None` if none of these can be parsed, or if the line is longer
    /// than any order. `words` is the vocabulary of `seat`.
    pub fn extract_order<'a>(
        &self,
        words: &SeatVocabulary<'_>,
        seat: Seat,
        line: &'a str,
    ) -> Option<OrderWithAside<'a>> {
        if line.chars().count() > ORDER_CHARS_MAX {
            return None;
        }
        let whole = |order| OrderWithAside { order, aside: "" };
        let is_order = |way: &OrderWithAside<'_>| is_parsable(&*self.game, seat, way.order);
        if is_order(&whole(line)) {
            return Some(whole(line));
        }
        let plain = |aside: &str| {
            words.vocabulary().guess_line(aside) == LineGuess::ForPeople
                && !is_question_or_doubtful(words, aside)
        };
        let core = order_core(words.phrases, line);
        let thankless = words.phrases.split_thanks(core);
        let thankless = thankless.filter(|(_, name)| plain(name)).map(|(order, _)| order);
        let parted =
            [split_off_bracketed_remark(core), split_sentences(core)].into_iter().flatten();
        let parted = parted.filter(|worded| plain(worded.aside));
        // If the line says in other words that the turn ends, `end` is tried for games that have
        // that order.
        let end = words.phrases.is_end_of_turn(line).then_some("end");
        let ways = [Some(core), thankless, end].into_iter().flatten().map(whole);
        ways.chain(parted).find(is_order)
    }

    /// Returns a question whether the player meant a similar legal order, if there is one. The
    /// search uses a position with the hidden information dealt again, so the question discloses
    /// nothing.
    pub(crate) fn suggest_meant_order(
        &self,
        words: &SeatVocabulary<'_>,
        line: &str,
    ) -> Option<Message> {
        let known = self.determinize_for_seat(words.seat);
        let meant = nearest_legal_order(&*known.game, words, line)?;
        Some(Message::new("did-you-mean").with("line", meant))
    }

    /// Returns the vocabulary of this seat.
    pub fn seat_vocabulary(&self, seat: Seat) -> SeatVocabulary<'_> {
        let (game, phrases) = (&*self.game, &*self.phrases);
        SeatVocabulary { game, seat, phrases, cached: OnceCell::new() }
    }
}

/// Returns the order and the remark of a line in the words of the player, if it was translated.
/// `worded` are these parts in English.
pub(crate) fn original_parts<'a>(
    phrases: &PhraseBook,
    line: &'a OrderLine,
    worded: OrderWithAside<'a>,
) -> OrderWithAside<'a> {
    let parts = |line: &'a str| {
        let core = order_core(phrases, line);
        [split_off_bracketed_remark(core), split_sentences(core)]
    };
    let place = |own: &Option<OrderWithAside<'_>>| own.is_some_and(|own| own.aside == worded.aside);
    let place = parts(line.text_to_parse()).iter().position(place);
    let own = place.and_then(|place| parts(&line.text).into_iter().nth(place)?);
    own.unwrap_or(worded)
}

/// Whether a line can be parsed as an order, a plan or a command, even if a rule forbids it.
fn is_parsable(game: &dyn DynGame, seat: Seat, line: &str) -> bool {
    let plans = || game.parse_plan(seat, line).map(|plans| plans.map(drop));
    QueueCommand::parse(line).is_some()
        || plans()
            .unwrap_or_else(|| game.normalize_line(seat, line).map(drop))
            .map_or_else(|refusal| refusal.kind == RefusalKind::Illegal, |()| true)
}

/// Returns a line without the list bullet, the words before the order, and the emoticon behind it.
fn order_core<'a>(phrases: &PhraseBook, line: &'a str) -> &'a str {
    strip_emoticon(phrases.strip_lead_ins(strip_optional_bullet(line)))
}

/// Whether a line is a question, or contains a word such as `maybe` or `not`. Words that the game
/// itself uses do not count.
pub(crate) fn is_question_or_doubtful(words: &SeatVocabulary<'_>, line: &str) -> bool {
    is_question(line) || words.phrases.is_uncertain(line, |word| words.vocabulary().contains(word))
}

/// Whether a line ends with a question mark, perhaps with other marks behind it.
pub(crate) fn is_question(line: &str) -> bool {
    let end = line.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '?' | '？'));
    end.ends_with(['?', '？'])
}

/// Returns the line without a bullet (`-`, `*`, `1.` or `1)`). `None` if there is no bullet.
pub(crate) fn strip_bullet(line: &str) -> Option<&str> {
    let whole = line.trim_start();
    let line = whole.strip_prefix('(').unwrap_or(whole);
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_short = matches!(line.len() - number.len(), 1 | 2);
    let rest = match number.strip_prefix(['.', ')']) {
        Some(rest) if is_short => Some(rest),
        _ => whole.strip_prefix(['-', '*', '•', '·', '+', '#']),
    };
    rest.filter(|rest| rest.starts_with(' ')).map(str::trim_start)
}

/// Returns the line without a bullet, if it has one.
pub(super) fn strip_optional_bullet(line: &str) -> &str {
    strip_bullet(line).unwrap_or(line)
}

/// Removes an emoticon such as `:D` or `\o/` from the end of a line.
fn strip_emoticon(line: &str) -> &str {
    let is_face = |piece: &str| {
        let letters = piece.chars().filter(|c| c.is_alphanumeric()).count();
        piece.chars().count() <= 4
            && letters <= 1
            && !piece.contains(|c: char| c.is_ascii_digit())
            && piece.contains(['/', '\\', ':', ';', '=', '^', '<', '>'])
    };
    match line.trim_end().rsplit_once(' ') {
        Some((order, piece)) if is_face(piece) => order.trim_end(),
        _ => line,
    }
}

/// Splits a remark in parentheses from the end of an order.
fn split_off_bracketed_remark(line: &str) -> Option<OrderWithAside<'_>> {
    let (order, aside) = line.split_once('(')?;
    let (aside, behind) = aside.rsplit_once(')')?;
    let nothing = !behind.contains(char::is_alphanumeric);
    nothing.then(|| OrderWithAside { order: order.trim(), aside: aside.trim() })
}

/// Splits an order that ends like a sentence from the sentences after it.
fn split_sentences(line: &str) -> Option<OrderWithAside<'_>> {
    let ends_before =
        |at: &usize| line.get(..*at).is_some_and(|order| order.ends_with(['.', '!', ';']));
    let at = line.match_indices(' ').map(|(at, _)| at).find(ends_before)?;
    let (order, aside) = line.split_at_checked(at)?;
    // A short word such as `St.` does not end a sentence, and a single word after it is not a
    // sentence.
    let ends = lowercase_words(order).last().is_some_and(|word| {
        word.chars().count() > 2 || word.ends_with(|c: char| c.is_ascii_digit())
    });
    let ends = ends && lowercase_words(aside).len() > 1;
    ends.then(|| OrderWithAside { order: order.trim(), aside: aside.trim() })
}

/// Returns the only legal order that is similar to a line, in the game's spelling. `None` if there
/// is none or more than one. `game` must not contain hidden information of other seats.
fn nearest_legal_order(
    game: &dyn DynGame,
    words: &SeatVocabulary<'_>,
    line: &str,
) -> Option<String> {
    let (seat, phrases, words) = (words.seat, words.phrases, words.vocabulary());
    let line = phrases.strip_lead_ins(strip_optional_bullet(line));
    if line.chars().count() > GUESSED_CHARS_MAX {
        return None;
    }
    let line = phrases.split_thanks(line).map_or(line, |(order, _)| order);
    let mended = correct_typos(words, line);
    let said: Vec<&str> = numbers_in_line(line).collect();
    let legal = |line: &str| {
        let written = game.normalize_line(seat, line).ok()?;
        // An order that would need a confirmation must not be suggested.
        game.find_confirmation_question(seat, &[line]).is_none().then_some(())?;
        // An order with another number is another order: `2x` does not mean 1.
        said.iter()
            .all(|number| numbers_in_line(&written).any(|own| own == *number))
            .then_some(())?;
        game.clone_box()
            .judge_and_play_line(seat, line, &[], &mut throwaway_dice())
            .ok()
            .map(|_| written)
    };
    let first = mended.split_whitespace().next().unwrap_or_default();
    let without_verb = || {
        if words.verbs.contains(first) {
            return None;
        }
        let found: BTreeSet<String> =
            words.verbs.iter().filter_map(|verb| legal(&format!("{verb} {mended}"))).collect();
        (found.len() == 1).then(|| found.into_iter().next()).flatten()
    };
    let bare = drop_unknown_words(words, &mended);
    let without_rest = || bare.as_deref().and_then(legal);
    // An order inside a longer text: a whole sentence, or the words from a verb to the end.
    let inside = || {
        let starts = line.match_indices(' ').map(|(at, _)| at + 1);
        let ends = starts.filter_map(|at| line.get(at..)).filter(|rest| {
            lowercase_words(rest).first().is_some_and(|word| words.verbs.contains(word))
        });
        let sentences = split_into_sentences(line).map(|part| phrases.strip_lead_ins(part));
        sentences.chain(ends).filter(|part| part.len() < line.len()).find_map(legal)
    };
    (mended != line)
        .then(|| legal(&mended))
        .flatten()
        .or_else(without_verb)
        .or_else(without_rest)
        .or_else(inside)
        .or_else(|| find_similar_line(&game.legal_lines(seat), &mended))
}

fn correct_typos(words: &Vocabulary, line: &str) -> String {
    let mend = |(at, piece): (usize, &str)| {
        let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
        words.correct_typo(word, at == 0).unwrap_or_else(|| piece.to_owned())
    };
    line.split_whitespace().enumerate().map(mend).collect::<Vec<_>>().join(" ")
}

/// Removes the words that are not in the vocabulary. `None` if there are none, or more than 3.
fn drop_unknown_words(words: &Vocabulary, line: &str) -> Option<String> {
    let known = |piece: &&str| lowercase_words(piece).iter().all(|word| words.contains(word));
    let (told, other): (Vec<&str>, Vec<&str>) = line.split_whitespace().partition(known);
    (1..=UNKNOWN_WORDS_MAX).contains(&other.len()).then(|| told.join(" "))
}

/// Returns the only one of the legal lines that differs from the line in few letters.
fn find_similar_line(legal: &[String], line: &str) -> Option<String> {
    let line = line.to_lowercase();
    let most = (line.chars().count() / 6).min(2);
    let far = |other: &String| edit_distance(&line, &other.to_lowercase());
    let digits = |line: &str| numbers_in_line(line).collect::<String>();
    let near = legal
        .iter()
        .take(COMPARED_LINES_MAX)
        .filter(|other| other.chars().count().abs_diff(line.chars().count()) <= most)
        // A different number is another order, so it is not a typo.
        .filter(|other| digits(other) == digits(&line))
        .map(|other| (far(other), other))
        .filter(|(far, _)| (1..=most).contains(far));
    unique_nearest(near.collect())
}

/// Returns all numbers in a line, including those inside words.
fn numbers_in_line(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Seed;
    use std::sync::Arc;

    #[test]
    fn emoticons_and_asides_are_stripped() {
        assert_eq!([strip_emoticon("buy 3 \\o/"), strip_emoticon("buy 3 :D")], ["buy 3"; 2]);
        assert_eq!([strip_emoticon("buy 3 a"), strip_emoticon("buy C/O")], ["buy 3 a", "buy C/O"]);
        let aside = |worded: Option<OrderWithAside<'static>>| worded.map(|w| (w.order, w.aside));
        assert_eq!(aside(split_off_bracketed_remark("buy 3 (ok?)")), Some(("buy 3", "ok?")));
        let so_long = Some(("buy corn.", "So long! Bye"));
        assert_eq!(aside(split_sentences("buy corn. So long! Bye")), so_long);
        assert_eq!(aside(split_sentences("buy 3.5")), None);
        assert_eq!(aside(split_sentences("buy St. Brieuc")), None);
    }

    fn new_table() -> Table {
        let kind = crate::games::find_kind("paris-connection").expect("it ships");
        let (definition, options) = (kind.shipped_definition(), [].into());
        let setup = crate::table::GameSetup { kind, definition, options: &options, seats: 3 };
        let now = chrono::DateTime::UNIX_EPOCH;
        let table = Table::found_game(setup, 1, Seed::from_number(7), now).expect("a table");
        let mut phrases = PhraseBook::default();
        let added = phrases.add_row("uncertain", "", &["perhaps", "don't"]);
        assert_eq!(added, Ok(true));
        table.with_phrases(Arc::new(phrases))
    }

    /// Returns the order that the first seat is asked about.
    fn meant_order(line: &str) -> Option<String> {
        let (table, seat) = (new_table(), Seat::new(1));
        let asked = table.suggest_meant_order(&table.seat_vocabulary(seat), line)?;
        match asked.args.get("line") {
            Some(crate::rules::Arg::Text(line)) => Some(line.clone()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn order_with_missing_or_extra_words_is_guessed() {
        let red = Some("build red G23");
        assert_eq!(meant_order("G23 red").as_deref(), red);
        assert_eq!(meant_order("biuld red G23").as_deref(), red);
        let long = |letters: usize| format!("build red G23 {}", "x".repeat(letters));
        assert_eq!(meant_order(&long(106)).as_deref(), red, "of 120 characters");
        assert_eq!(meant_order(&long(107)), None);
    }

    #[test]
    fn line_longer_than_orders_holds_no_order() {
        let (table, seat) = (new_table(), Seat::new(1));
        let words = table.seat_vocabulary(seat);
        let has_order = |line: &str| table.extract_order(&words, seat, line).is_some();
        let padded = |length: usize| format!("build red G23{}", " ".repeat(length - 13));
        assert!(has_order(&padded(500)) && !has_order(&padded(501)));
    }

    #[test]
    fn different_number_is_not_a_typo() {
        let legal = ["build red G23", "build red H22"].map(str::to_owned);
        assert_eq!(find_similar_line(&legal, "biuld red G23").as_deref(), Some("build red G23"));
        assert_eq!(find_similar_line(&legal, "build red G24"), None);
        assert_eq!(find_similar_line(&legal, "build red G23"), None, "it is no slip");
    }

    #[test]
    fn first_word_is_corrected_to_verb_others_freely() {
        let names = ["built".to_owned()];
        let words = Vocabulary::new(["build"].into_iter(), [].into_iter(), &names, &[]);
        assert_eq!(correct_typos(&words, "buil buil"), "build buil");
    }

    #[test]
    fn bullets_and_sentence_ends_are_recognised() {
        let bullets = ["1. x", "12) x", "(3) x", "- x", "123. x", ". x", "1.x"].map(strip_bullet);
        assert_eq!(bullets, [Some("x"), Some("x"), Some("x"), Some("x"), None, None, None]);
        for line in ["buy St. Brieuc now", "buy corn. Bye", "buy corn"] {
            assert!(split_sentences(line).is_none(), "{line}");
        }
        let g23 = split_sentences("buy G2. See you").map(|worded| worded.order);
        assert_eq!(g23, Some("buy G2."));
    }

    #[test]
    fn question_is_recognised_despite_trailing_marks() {
        let table = new_table();
        let words = table.seat_vocabulary(Seat::new(1));
        for line in ["really?", "really?!", "really? :)", "perhaps", "I don't know"] {
            assert!(is_question_or_doubtful(&words, line), "{line}");
        }
        for line in ["really", "why? Because", "good luck"] {
            assert!(!is_question_or_doubtful(&words, line), "{line}");
        }
    }

    #[test]
    fn aside_is_quoted_in_original_language() {
        let phrases = PhraseBook::default();
        let in_spanish = |text: &str, english: &str| OrderLine {
            english: Some(english.into()),
            ..OrderLine::new(1, text.to_owned())
        };
        for (text, english, aside, own) in [
            ("construye G23 (buena suerte)", "build G23 (good luck)", "good luck", "buena suerte"),
            ("construye 23. Buena suerte!", "build 23. Good luck!", "Good luck!", "Buena suerte!"),
            ("construye G23", "build G23 (good luck)", "good luck", "good luck"),
        ] {
            let worded = OrderWithAside { order: "build", aside };
            let line = in_spanish(text, english);
            assert_eq!(original_parts(&phrases, &line, worded).aside, own, "{text}");
        }
        let english = OrderLine::new(1, "build G23 (good luck)".to_owned());
        let worded = OrderWithAside { order: "build G23", aside: "good luck" };
        assert_eq!(original_parts(&phrases, &english, worded), worded);
    }
}
