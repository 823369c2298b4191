//! How people word an order: what stands around it, what leaves it in doubt, and what a line with a
//! slip in it was perhaps meant to be.
//!
//! What is taken off a line is little: the mark of a list, a polite word, a remark behind it that
//! holds no word of the game. Everything else stays, and is refused where it cannot be read.

use super::{OrderLine, QueueCommand, Table};
use crate::rules::{
    DynGame, LineGuess, Message, RefusalKind, Seat, Vocabulary, edit_distance, throwaway_dice,
    tokens, unique_nearest,
};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// Beginnings of sentences that people write before an order and that say nothing of it. In lower
/// case.
const LEAD_PHRASES: [&str; 11] = [
    "i'd like to",
    "i would like to",
    "i want to",
    "i'm going to",
    "i am going to",
    "my orders are",
    "my order is",
    "my move is",
    "my turn is",
    "my orders",
    "my order",
];
/// Words that people write before an order and that say nothing of it. In lower case.
const LEAD_WORDS: [&str; 25] = [
    "please", "pls", "ok", "okay", "so", "now", "then", "well", "and", "i'll", "i will", "we'll",
    "let me", "let's", "here is", "here are", "here's", "my turn", "my move", "my play", "orders",
    "order", "just", "kindly", "i",
];
/// What people write behind an order, perhaps with a name of two words.
const THANKS_PHRASES: [&str; 9] = [
    "many thanks",
    "thank you very much",
    "thank you",
    "thanks a lot",
    "thanks",
    "thx",
    "please",
    "pls",
    "cheers",
];
/// Words by which an order is one no more.
const DOUBT_WORDS: [&str; 10] =
    ["or", "not", "dont", "maybe", "perhaps", "possibly", "instead", "unless", "rather", "never"];
/// The longest line whose meaning is guessed at, and the most lines that it is held against.
const GUESSED_CHARS_MAX: usize = 120;
const COMPARED_LINES_MAX: usize = 600;
/// The most words that may be too much in a line whose meaning is guessed at.
const UNKNOWN_WORDS_MAX: usize = 3;

/// An order, and what stood beside it in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderWithAside<'a> {
    /// The order, as it can be read.
    pub order: &'a str,
    /// What was taken for a word to people.
    pub aside: &'a str,
}

/// The words that lines of a seat are made of. An order that stands there as orders are written
/// needs none of them, so they are looked up when a line is met that is something else.
pub struct SeatVocabulary<'a> {
    game: &'a dyn DynGame,
    seat: Seat,
    cached: OnceCell<Vocabulary>,
}

impl SeatVocabulary<'_> {
    /// All of them.
    pub fn vocabulary(&self) -> &Vocabulary {
        self.cached.get_or_init(|| self.game.vocabulary(self.seat))
    }
}

impl Table {
    /// The order that a line holds, if it can be read: the line itself, or what is left of it
    /// without what people write around an order. `words` are the seat's own.
    pub fn extract_order<'a>(
        &self,
        words: &SeatVocabulary<'_>,
        seat: Seat,
        line: &'a str,
    ) -> Option<OrderWithAside<'a>> {
        let whole = |order| OrderWithAside { order, aside: "" };
        let plain = |aside: &str| {
            words.vocabulary().guess_line(aside) == LineGuess::ForPeople
                && !is_uncertain(words, aside)
        };
        let core = strip_emoticon(strip_lead_ins(strip_optional_bullet(line)));
        let thankless = split_thanks(core).filter(|(_, name)| plain(name)).map(|(order, _)| order);
        let parted = [split_brackets(core), split_sentences(core)].into_iter().flatten();
        let parted = parted.filter(|worded| plain(worded.aside));
        // A game that has a word for the end of a turn reads it where it is said in other words.
        let end = is_end_of_turn(line).then_some("end");
        let ways = [Some(line), Some(core), thankless, end].into_iter().flatten().map(whole);
        ways.chain(parted).find(|way| is_parsable(&*self.game, seat, way.order))
    }

    /// Asks the writer of a line whether a legal order was meant, if one is near. It is looked for
    /// in a position that the writer could be in, so the question tells nothing.
    pub(crate) fn suggest_meant_order(
        &self,
        words: &SeatVocabulary<'_>,
        line: &str,
    ) -> Option<Message> {
        let known = self.redealt_for(words.seat);
        let meant = nearest_legal_order(&*known.game, words.vocabulary(), words.seat, line)?;
        Some(Message::new("did-you-mean").with("line", meant))
    }

    /// The words that lines of this seat are made of.
    pub fn seat_vocabulary(&self, seat: Seat) -> SeatVocabulary<'_> {
        SeatVocabulary { game: &*self.game, seat, cached: OnceCell::new() }
    }
}

/// The words of a line that stand beside its order, as they were written.
pub(super) fn original_aside<'a>(line: &'a OrderLine, aside: &'a str) -> &'a str {
    let parts = |line: &'a str| {
        let core = strip_emoticon(strip_lead_ins(strip_optional_bullet(line)));
        [split_brackets(core), split_sentences(core)]
    };
    let place =
        |worded: &Option<OrderWithAside<'_>>| worded.is_some_and(|worded| worded.aside == aside);
    let place = parts(line.text_to_parse()).iter().position(place);
    let own = place.and_then(|place| parts(&line.text).into_iter().nth(place)?);
    own.map_or(aside, |worded| worded.aside)
}

/// Whether a line is an order or a plan as it stands, if only one that a rule forbids.
fn is_parsable(game: &dyn DynGame, seat: Seat, line: &str) -> bool {
    let plans = || game.parse_plan(seat, line).map(|plans| plans.map(drop));
    QueueCommand::parse(line).is_some()
        || plans()
            .unwrap_or_else(|| game.normalize_line(seat, line).map(drop))
            .map_or_else(|refusal| refusal.kind == RefusalKind::Illegal, |()| true)
}

/// Whether a line is a question, or says that something is perhaps not to be done. A word that the
/// game knows is left to the game.
pub(super) fn is_uncertain(words: &SeatVocabulary<'_>, line: &str) -> bool {
    let line = line.to_lowercase();
    let end = line.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '?' | '？'));
    let doubts =
        |word: &String| DOUBT_WORDS.contains(&&**word) && !words.vocabulary().contains(word);
    end.ends_with(['?', '？']) || line.contains("n't") || tokens(&line).iter().any(doubts)
}

/// Whether a line says no more than that its writer's turn is over.
pub(super) fn is_end_of_turn(line: &str) -> bool {
    let said: Vec<String> = tokens(line);
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    matches!(
        *said,
        ["done" | "finished"]
            | ["end" | "ends" | "finish", "turn"]
            | ["end" | "finish", "my" | "the" | "of", "turn"]
            | ["end", "of", "my", "turn"]
            | ["turn", "ends" | "over"]
    )
}

/// The line without `-`, `*`, `1.` or `1)` before it; none when there is no such mark.
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

/// The line without the mark of a list.
fn strip_optional_bullet(line: &str) -> &str {
    strip_bullet(line).unwrap_or(line)
}

/// Whether something stands before the order that a game might take for a part of it: what one asks
/// of others begins so too.
pub(crate) fn has_lead_in(line: &str) -> bool {
    strip_lead_ins(line).len() < line.len()
}

/// Without what people write before an order.
fn strip_lead_ins(mut line: &str) -> &str {
    let parts = |c: char| c == ' ' || matches!(c, ',' | ':' | '.' | '!' | ';' | '-');
    let lead_ins = || LEAD_PHRASES.iter().chain(&LEAD_WORDS);
    while let Some(rest) = lead_ins().find_map(|word| strip_word(line, word)) {
        let behind = strip_number(rest).trim_start_matches(parts);
        if behind.is_empty() {
            break;
        }
        line = behind;
    }
    line
}

/// What follows `1:`, as in `order 1: build`.
fn strip_number(rest: &str) -> &str {
    let behind = rest.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    if behind.starts_with(':') { behind } else { rest }
}

/// Without the small faces behind a line: `:D`, `\o/`.
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

/// What follows a word at the beginning of a line.
fn strip_word<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (first, rest) = line.split_at_checked(word.len())?;
    let whole = !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '&' | '\''));
    (first.eq_ignore_ascii_case(word) && whole).then_some(rest)
}

/// An order without thanks behind it, and the name that follows them.
fn split_thanks(line: &str) -> Option<(&str, &str)> {
    let lower = line.to_ascii_lowercase();
    let found = THANKS_PHRASES.iter().filter_map(|word| Some((lower.rfind(word)?, word.len())));
    let (at, length) = found.min_by_key(|(at, length)| (*at, usize::MAX - *length))?;
    let (order, rest) = line.split_at_checked(at)?;
    let name = rest.get(length..)?;
    let whole = |text: &str| !text.starts_with(char::is_alphanumeric);
    let parted = order.ends_with(|c: char| !c.is_alphanumeric());
    let short = name.split_whitespace().filter(|w| w.contains(char::is_alphabetic)).count() <= 2;
    let order = order.trim_end_matches([' ', ',', '.', ';', '!', '-', '(']);
    (whole(name) && parted && short && !order.is_empty()).then_some((order, name))
}

/// An order, and what stands in brackets behind it.
fn split_brackets(line: &str) -> Option<OrderWithAside<'_>> {
    let (order, aside) = line.split_once('(')?;
    let (aside, behind) = aside.rsplit_once(')')?;
    let nothing = !behind.contains(char::is_alphanumeric);
    nothing.then(|| OrderWithAside { order: order.trim(), aside: aside.trim() })
}

/// An order that ends like a sentence, and the sentences behind it.
fn split_sentences(line: &str) -> Option<OrderWithAside<'_>> {
    let ends_before =
        |at: &usize| line.get(..*at).is_some_and(|order| order.ends_with(['.', '!', ';']));
    let at = line.match_indices(' ').map(|(at, _)| at).find(ends_before)?;
    let (order, aside) = line.split_at_checked(at)?;
    // `St. Brieuc` is no end of a sentence, nor is a word alone one.
    let ends = tokens(order).last().is_some_and(|word| {
        word.chars().count() > 2 || word.ends_with(|c: char| c.is_ascii_digit())
    });
    let ends = ends && tokens(aside).len() > 1;
    ends.then(|| OrderWithAside { order: order.trim(), aside: aside.trim() })
}

/// The legal order that a line was perhaps meant to be, as the game writes it; none when none is
/// near, or several are. `game` must tell nothing that the seat does not know.
fn nearest_legal_order(
    game: &dyn DynGame,
    words: &Vocabulary,
    seat: Seat,
    line: &str,
) -> Option<String> {
    let line = strip_lead_ins(strip_optional_bullet(line));
    if line.chars().count() > GUESSED_CHARS_MAX {
        return None;
    }
    let line = split_thanks(line).map_or(line, |(order, _)| order);
    let mended = correct_typos(words, line);
    let said: Vec<&str> = split_numbers(line).collect();
    let legal = |line: &str| {
        let written = game.normalize_line(seat, line).ok()?;
        // What would be asked before it is done is nothing to propose.
        game.find_confirmation(seat, &[line]).is_none().then_some(())?;
        // Another number is another order: `2x` is not 1.
        said.iter().all(|number| split_numbers(&written).any(|own| own == *number)).then_some(())?;
        game.clone_box().play_line(seat, line, &[], &mut throwaway_dice()).ok().map(|_| written)
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
    (mended != line)
        .then(|| legal(&mended))
        .flatten()
        .or_else(without_verb)
        .or_else(without_rest)
        .or_else(|| find_similar_line(&game.legal_lines(seat), &mended))
}

/// The line with its slips mended, word by word.
fn correct_typos(words: &Vocabulary, line: &str) -> String {
    let mend = |(at, piece): (usize, &str)| {
        let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
        words.correct_typo(word, at == 0).unwrap_or_else(|| piece.to_owned())
    };
    line.split_whitespace().enumerate().map(mend).collect::<Vec<_>>().join(" ")
}

/// What is left of a line without its few words that are none of the game's.
fn drop_unknown_words(words: &Vocabulary, line: &str) -> Option<String> {
    let known = |piece: &&str| tokens(piece).iter().all(|word| words.contains(word));
    let (told, other): (Vec<&str>, Vec<&str>) = line.split_whitespace().partition(known);
    (1..=UNKNOWN_WORDS_MAX).contains(&other.len()).then(|| told.join(" "))
}

/// The one of these lines that differs from another one in few letters.
fn find_similar_line(legal: &[String], line: &str) -> Option<String> {
    let line = line.to_lowercase();
    let most = (line.chars().count() / 6).min(2);
    let far = |other: &String| edit_distance(&line, &other.to_lowercase());
    let digits = |line: &str| split_numbers(line).collect::<String>();
    let near = legal
        .iter()
        .take(COMPARED_LINES_MAX)
        .filter(|other| other.chars().count().abs_diff(line.chars().count()) <= most)
        // A number that differs is another order, and no slip.
        .filter(|other| digits(other) == digits(&line))
        .map(|other| (far(other), other))
        .filter(|(far, _)| (1..=most).contains(far));
    unique_nearest(near.collect())
}

/// The numbers in a line, whatever they stand beside.
fn split_numbers(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Seed;

    #[test]
    fn lead_ins_thanks_and_asides_are_stripped() {
        for line in [
            "- buy 3",
            "1) Please, buy 3",
            "My order: buy 3",
            "2. I'd like to buy 3",
            "(1) order 2: buy 3",
        ] {
            assert_eq!(strip_lead_ins(strip_optional_bullet(line)), "buy 3", "{line}");
        }
        assert_eq!([strip_emoticon("buy 3 \\o/"), strip_emoticon("buy 3 :D")], ["buy 3"; 2]);
        assert_eq!([strip_emoticon("buy 3 a"), strip_emoticon("buy C/O")], ["buy 3 a", "buy C/O"]);
        for line in ["-1 buy", "17 buy", "please", "order", "soon buy 3", "i'll"] {
            assert_eq!(strip_lead_ins(strip_optional_bullet(line)), line);
        }
        let thanks = [("buy 3, thanks!", "!"), ("buy 3. Thank you Ann", " Ann"), ("buy 3 pls", "")];
        for (line, name) in thanks {
            assert_eq!(split_thanks(line), Some(("buy 3", name)), "{line}");
        }
        assert_eq!(split_thanks("buy 3, thanks for all the fish"), None);
        let aside = |worded: Option<OrderWithAside<'static>>| worded.map(|w| (w.order, w.aside));
        assert_eq!(aside(split_brackets("buy 3 (ok?)")), Some(("buy 3", "ok?")));
        let so_long = Some(("buy corn.", "So long! Bye"));
        assert_eq!(aside(split_sentences("buy corn. So long! Bye")), so_long);
        assert_eq!(aside(split_sentences("buy 3.5")), None);
        assert_eq!(aside(split_sentences("buy St. Brieuc")), None);
    }

    fn new_table() -> Table {
        let kind = crate::games::find_kind("paris-connection").expect("it ships");
        let (definition, options) = (kind.definition(), [].into());
        let setup = crate::table::GameSetup { kind, definition, options: &options, seats: 3 };
        let now = chrono::DateTime::UNIX_EPOCH;
        Table::found_game(setup, 1, Seed::from_number(7), now).expect("a table")
    }

    /// What the first seat is asked whether it meant.
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
        assert_eq!(split_thanks("buy 3 thanksgiving"), None);
        assert_eq!(split_thanks("buythanks"), None);
    }

    #[test]
    fn question_is_recognised_despite_trailing_marks() {
        let table = new_table();
        let words = table.seat_vocabulary(Seat::new(1));
        for line in ["really?", "really?!", "really? :)", "perhaps", "I don't know"] {
            assert!(is_uncertain(&words, line), "{line}");
        }
        for line in ["really", "why? Because", "good luck"] {
            assert!(!is_uncertain(&words, line), "{line}");
        }
    }

    #[test]
    fn aside_is_quoted_in_original_language() {
        let in_spanish = |text: &str, english: &str| OrderLine {
            english: Some(english.into()),
            ..OrderLine::new(1, text.to_owned())
        };
        for (text, english, aside, own) in [
            ("construye G23 (buena suerte)", "build G23 (good luck)", "good luck", "buena suerte"),
            ("construye 23. Buena suerte!", "build 23. Good luck!", "Good luck!", "Buena suerte!"),
            ("construye G23", "build G23 (good luck)", "good luck", "good luck"),
        ] {
            assert_eq!(original_aside(&in_spanish(text, english), aside), own, "{text}");
        }
        let english = OrderLine::new(1, "build G23 (good luck)".to_owned());
        assert_eq!(original_aside(&english, "good luck"), "good luck");
    }
}
