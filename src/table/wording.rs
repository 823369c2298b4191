//! How people word an order: what stands around it, what leaves it in doubt, and what a line with a
//! slip in it was perhaps meant to be.
//!
//! What is taken off a line is little: the mark of a list, a polite word, a remark behind it that
//! holds no word of the game. Everything else stays, and is refused where it cannot be read.

use super::{Choice, OrderLine, Table};
use crate::rules::{
    DynGame, Hint, Message, RefusalKind, Seat, Vocabulary, distance, nearest_of, pieces,
    unused_dice,
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
const THANKS: [&str; 9] = [
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
const DOUBTS: [&str; 10] =
    ["or", "not", "dont", "maybe", "perhaps", "possibly", "instead", "unless", "rather", "never"];
/// The longest line whose meaning is guessed at, and the most lines that it is held against.
const GUESSED_MAX: usize = 120;
const LEGAL_MAX: usize = 600;
/// The most words that may be too much in a line whose meaning is guessed at.
const OTHERS_MAX: usize = 3;

/// An order, and what stood beside it in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worded<'a> {
    /// The order, as it can be read.
    pub order: &'a str,
    /// What was taken for a word to people.
    pub aside: &'a str,
}

/// The words that lines of a seat are made of. An order that stands there as orders are written
/// needs none of them, so they are looked up when a line is met that is something else.
pub struct Words<'a> {
    game: &'a dyn DynGame,
    seat: Seat,
    looked_up: OnceCell<Vocabulary>,
}

impl Words<'_> {
    /// All of them.
    pub fn all(&self) -> &Vocabulary {
        self.looked_up.get_or_init(|| self.game.vocabulary(self.seat))
    }
}

impl Table {
    /// The order that a line holds, if it can be read: the line itself, or what is left of it
    /// without what people write around an order. `words` are the seat's own.
    pub fn worded<'a>(&self, words: &Words<'_>, seat: Seat, line: &'a str) -> Option<Worded<'a>> {
        let whole = |order| Worded { order, aside: "" };
        let plain =
            |aside: &str| words.all().hint(aside) == Hint::People && !is_in_doubt(words, aside);
        let core = without_faces(without_lead_ins(bare(line)));
        let thankless =
            without_thanks(core).filter(|(_, name)| plain(name)).map(|(order, _)| order);
        let parted = [in_brackets(core), last_sentence(core)].into_iter().flatten();
        let parted = parted.filter(|worded| plain(worded.aside));
        // A game that has a word for the end of a turn reads it where it is said in other words.
        let end = ends_turn(line).then_some("end");
        let ways = [Some(line), Some(core), thankless, end].into_iter().flatten().map(whole);
        ways.chain(parted).find(|way| is_read(&*self.game, seat, way.order))
    }

    /// Asks the writer of a line whether a legal order was meant, if one is near. It is looked for
    /// in a position that the writer could be in, so the question tells nothing.
    pub(crate) fn perhaps_meant(&self, words: &Words<'_>, line: &str) -> Option<Message> {
        let known = self.veiled(words.seat);
        let meant = nearest(&*known.game, words.all(), words.seat, line)?;
        Some(Message::new("did-you-mean").with("line", meant))
    }

    /// The words that lines of this seat are made of.
    pub fn words(&self, seat: Seat) -> Words<'_> {
        Words { game: &*self.game, seat, looked_up: OnceCell::new() }
    }
}

/// The words of a line that stand beside its order, as they were written.
pub(super) fn aside_in<'a>(line: &'a OrderLine, aside: &'a str) -> &'a str {
    let parts = |line: &'a str| {
        let core = without_faces(without_lead_ins(bare(line)));
        [in_brackets(core), last_sentence(core)]
    };
    let place = |worded: &Option<Worded<'_>>| worded.is_some_and(|worded| worded.aside == aside);
    let place = parts(line.meant()).iter().position(place);
    let own = place.and_then(|place| parts(&line.text).into_iter().nth(place)?);
    own.map_or(aside, |worded| worded.aside)
}

/// Whether a line is an order or a plan as it stands, if only one that a rule forbids.
fn is_read(game: &dyn DynGame, seat: Seat, line: &str) -> bool {
    let plans = || game.plan(seat, line).map(|plans| plans.map(drop));
    Choice::read(line).is_some()
        || plans()
            .unwrap_or_else(|| game.read(seat, line).map(drop))
            .map_or_else(|refusal| refusal.kind == RefusalKind::Illegal, |()| true)
}

/// Whether a line is a question, or says that something is perhaps not to be done. A word that the
/// game knows is left to the game.
pub(super) fn is_in_doubt(words: &Words<'_>, line: &str) -> bool {
    let line = line.to_lowercase();
    let end = line.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '?' | '？'));
    let doubts = |word: &String| DOUBTS.contains(&&**word) && !words.all().knows(word);
    end.ends_with(['?', '？']) || line.contains("n't") || pieces(&line).iter().any(doubts)
}

/// Whether a line says no more than that its writer's turn is over.
pub(super) fn ends_turn(line: &str) -> bool {
    let said: Vec<String> = pieces(line);
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
pub(crate) fn without_bullet(line: &str) -> Option<&str> {
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
fn bare(line: &str) -> &str {
    without_bullet(line).unwrap_or(line)
}

/// Whether something stands before the order that a game might take for a part of it: what one asks
/// of others begins so too.
pub(crate) fn is_led_in(line: &str) -> bool {
    without_lead_ins(line).len() < line.len()
}

/// Without what people write before an order.
fn without_lead_ins(mut line: &str) -> &str {
    let parts = |c: char| c == ' ' || matches!(c, ',' | ':' | '.' | '!' | ';' | '-');
    let lead_ins = || LEAD_PHRASES.iter().chain(&LEAD_WORDS);
    while let Some(rest) = lead_ins().find_map(|word| after(line, word)) {
        let behind = without_number(rest).trim_start_matches(parts);
        if behind.is_empty() {
            break;
        }
        line = behind;
    }
    line
}

/// What follows `1:`, as in `order 1: build`.
fn without_number(rest: &str) -> &str {
    let behind = rest.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    if behind.starts_with(':') { behind } else { rest }
}

/// Without the small faces behind a line: `:D`, `\o/`.
fn without_faces(line: &str) -> &str {
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
fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (first, rest) = line.split_at_checked(word.len())?;
    let whole = !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '&' | '\''));
    (first.eq_ignore_ascii_case(word) && whole).then_some(rest)
}

/// An order without thanks behind it, and the name that follows them.
fn without_thanks(line: &str) -> Option<(&str, &str)> {
    let lower = line.to_ascii_lowercase();
    let found = THANKS.iter().filter_map(|word| Some((lower.rfind(word)?, word.len())));
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
fn in_brackets(line: &str) -> Option<Worded<'_>> {
    let (order, aside) = line.split_once('(')?;
    let (aside, behind) = aside.rsplit_once(')')?;
    let nothing = !behind.contains(char::is_alphanumeric);
    nothing.then(|| Worded { order: order.trim(), aside: aside.trim() })
}

/// An order that ends like a sentence, and the sentences behind it.
fn last_sentence(line: &str) -> Option<Worded<'_>> {
    let ends_before =
        |at: &usize| line.get(..*at).is_some_and(|order| order.ends_with(['.', '!', ';']));
    let at = line.match_indices(' ').map(|(at, _)| at).find(ends_before)?;
    let (order, aside) = line.split_at_checked(at)?;
    // `St. Brieuc` is no end of a sentence, nor is a word alone one.
    let ends = pieces(order).last().is_some_and(|word| {
        word.chars().count() > 2 || word.ends_with(|c: char| c.is_ascii_digit())
    });
    let ends = ends && pieces(aside).len() > 1;
    ends.then(|| Worded { order: order.trim(), aside: aside.trim() })
}

/// The legal order that a line was perhaps meant to be, as the game writes it; none when none is
/// near, or several are. `game` must tell nothing that the seat does not know.
fn nearest(game: &dyn DynGame, words: &Vocabulary, seat: Seat, line: &str) -> Option<String> {
    let line = without_lead_ins(bare(line));
    if line.chars().count() > GUESSED_MAX {
        return None;
    }
    let line = without_thanks(line).map_or(line, |(order, _)| order);
    let mended = mended(words, line);
    let said: Vec<&str> = numbers(line).collect();
    let legal = |line: &str| {
        let written = game.read(seat, line).ok()?;
        // What would be asked before it is done is nothing to propose.
        game.doubt(seat, &[line]).is_none().then_some(())?;
        // Another number is another order: `2x` is not 1.
        said.iter().all(|number| numbers(&written).any(|own| own == *number)).then_some(())?;
        game.copy().play(seat, line, &[], &mut unused_dice()).ok().map(|_| written)
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
    let bare = known_alone(words, &mended);
    let without_rest = || bare.as_deref().and_then(legal);
    (mended != line)
        .then(|| legal(&mended))
        .flatten()
        .or_else(without_verb)
        .or_else(without_rest)
        .or_else(|| like(&game.legal(seat), &mended))
}

/// The line with its slips mended, word by word.
fn mended(words: &Vocabulary, line: &str) -> String {
    let mend = |(at, piece): (usize, &str)| {
        let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
        words.correct(word, at == 0).unwrap_or_else(|| piece.to_owned())
    };
    line.split_whitespace().enumerate().map(mend).collect::<Vec<_>>().join(" ")
}

/// What is left of a line without its few words that are none of the game's.
fn known_alone(words: &Vocabulary, line: &str) -> Option<String> {
    let known = |piece: &&str| pieces(piece).iter().all(|word| words.knows(word));
    let (told, other): (Vec<&str>, Vec<&str>) = line.split_whitespace().partition(known);
    (1..=OTHERS_MAX).contains(&other.len()).then(|| told.join(" "))
}

/// The one of these lines that differs from another one in few letters.
fn like(legal: &[String], line: &str) -> Option<String> {
    let line = line.to_lowercase();
    let most = (line.chars().count() / 6).min(2);
    let far = |other: &String| distance(&line, &other.to_lowercase());
    let digits = |line: &str| numbers(line).collect::<String>();
    let near = legal
        .iter()
        .take(LEGAL_MAX)
        .filter(|other| other.chars().count().abs_diff(line.chars().count()) <= most)
        // A number that differs is another order, and no slip.
        .filter(|other| digits(other) == digits(&line))
        .map(|other| (far(other), other))
        .filter(|(far, _)| (1..=most).contains(far));
    nearest_of(near.collect())
}

/// The numbers in a line, whatever they stand beside.
fn numbers(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Seed;

    #[test]
    fn what_people_write_around_an_order_is_taken_off() {
        for line in [
            "- buy 3",
            "1) Please, buy 3",
            "My order: buy 3",
            "2. I'd like to buy 3",
            "(1) order 2: buy 3",
        ] {
            assert_eq!(without_lead_ins(bare(line)), "buy 3", "{line}");
        }
        assert_eq!([without_faces("buy 3 \\o/"), without_faces("buy 3 :D")], ["buy 3"; 2]);
        assert_eq!([without_faces("buy 3 a"), without_faces("buy C/O")], ["buy 3 a", "buy C/O"]);
        for line in ["-1 buy", "17 buy", "please", "order", "soon buy 3", "i'll"] {
            assert_eq!(without_lead_ins(bare(line)), line);
        }
        let thanks = [("buy 3, thanks!", "!"), ("buy 3. Thank you Ann", " Ann"), ("buy 3 pls", "")];
        for (line, name) in thanks {
            assert_eq!(without_thanks(line), Some(("buy 3", name)), "{line}");
        }
        assert_eq!(without_thanks("buy 3, thanks for all the fish"), None);
        let aside = |worded: Option<Worded<'static>>| worded.map(|w| (w.order, w.aside));
        assert_eq!(aside(in_brackets("buy 3 (ok?)")), Some(("buy 3", "ok?")));
        let so_long = Some(("buy corn.", "So long! Bye"));
        assert_eq!(aside(last_sentence("buy corn. So long! Bye")), so_long);
        assert_eq!(aside(last_sentence("buy 3.5")), None);
        assert_eq!(aside(last_sentence("buy St. Brieuc")), None);
    }

    fn table() -> Table {
        let kind = crate::games::kind("paris-connection").expect("it ships");
        let (definition, options) = (kind.definition(), [].into());
        let setup = crate::table::GameSetup { kind, definition, options: &options, seats: 3 };
        let now = chrono::DateTime::UNIX_EPOCH;
        Table::found(setup, 1, Seed::rehearsal(7), now).expect("a table")
    }

    /// What the first seat is asked whether it meant.
    fn meant(line: &str) -> Option<String> {
        let (table, seat) = (table(), Seat::new(1));
        let asked = table.perhaps_meant(&table.words(seat), line)?;
        match asked.args.get("line") {
            Some(crate::rules::Arg::Text(line)) => Some(line.clone()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_order_without_its_verb_or_with_words_too_many_is_guessed_at() {
        let red = Some("build red G23");
        assert_eq!(meant("G23 red").as_deref(), red);
        assert_eq!(meant("biuld red G23").as_deref(), red);
        let long = |letters: usize| format!("build red G23 {}", "x".repeat(letters));
        assert_eq!(meant(&long(106)).as_deref(), red, "of 120 characters");
        assert_eq!(meant(&long(107)), None);
    }

    #[test]
    fn a_number_that_differs_is_no_slip() {
        let legal = ["build red G23", "build red H22"].map(str::to_owned);
        assert_eq!(like(&legal, "biuld red G23").as_deref(), Some("build red G23"));
        assert_eq!(like(&legal, "build red G24"), None);
        assert_eq!(like(&legal, "build red G23"), None, "it is no slip");
    }

    #[test]
    fn the_first_word_is_mended_to_a_verb_and_any_other_to_what_is_nearest() {
        let names = ["built".to_owned()];
        let words = Vocabulary::new(["build"].into_iter(), [].into_iter(), &names, &[]);
        assert_eq!(mended(&words, "buil buil"), "build buil");
    }

    #[test]
    fn a_mark_of_a_list_is_a_short_number_and_a_sentence_ends_behind_a_long_word() {
        let bullets = ["1. x", "12) x", "(3) x", "- x", "123. x", ". x", "1.x"].map(without_bullet);
        assert_eq!(bullets, [Some("x"), Some("x"), Some("x"), Some("x"), None, None, None]);
        for line in ["buy St. Brieuc now", "buy corn. Bye", "buy corn"] {
            assert!(last_sentence(line).is_none(), "{line}");
        }
        let g23 = last_sentence("buy G2. See you").map(|worded| worded.order);
        assert_eq!(g23, Some("buy G2."));
        assert_eq!(without_thanks("buy 3 thanksgiving"), None);
        assert_eq!(without_thanks("buythanks"), None);
    }

    #[test]
    fn a_question_is_one_whatever_mark_follows_it() {
        let table = table();
        let words = table.words(Seat::new(1));
        for line in ["really?", "really?!", "really? :)", "perhaps", "I don't know"] {
            assert!(is_in_doubt(&words, line), "{line}");
        }
        for line in ["really", "why? Because", "good luck"] {
            assert!(!is_in_doubt(&words, line), "{line}");
        }
    }

    #[test]
    fn words_beside_an_order_are_told_in_the_language_in_which_they_were_written() {
        let in_spanish = |text: &str, english: &str| OrderLine {
            english: Some(english.into()),
            ..OrderLine::new(1, text.to_owned())
        };
        for (text, english, aside, own) in [
            ("construye G23 (buena suerte)", "build G23 (good luck)", "good luck", "buena suerte"),
            ("construye 23. Buena suerte!", "build 23. Good luck!", "Good luck!", "Buena suerte!"),
            ("construye G23", "build G23 (good luck)", "good luck", "good luck"),
        ] {
            assert_eq!(aside_in(&in_spanish(text, english), aside), own, "{text}");
        }
        let english = OrderLine::new(1, "build G23 (good luck)".to_owned());
        assert_eq!(aside_in(&english, "good luck"), "good luck");
    }
}
