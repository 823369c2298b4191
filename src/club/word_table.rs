//! The table of all words with which a line of a letter can begin.
//!
//! One slice for players, members, newcomers and the moderator. The parser, the words by which a
//! mistyped line is recognized, the answers to `help`, the names that no game can have, and the
//! checks of the lexicons and of the pages in `docs/` are derived from it. A new word needs its
//! entry here, what it does in `process`, its sentences, and its line in the page.

use super::line::{Deed, Said};
use super::lobby::{just, of_game, read_invite, read_join, read_leave_club, read_new, read_resign};
use super::moderation::{
    read_announce, read_intervention, read_invitation, read_letters, read_list, read_log,
    read_marks, read_moderator_note, read_rotate_member,
};
use super::vote::Ballot;
use super::{Command, LobbyLine, MemberLine, NoteLine, WrongLine, address_line, asks_for_undo};
use Place::{Alone, Game, Member, Moderator, Open, Seat};

/// The letters in which a line may stand, and what may stand beside it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A player's reply to a letter of a game, beside orders.
    Game,
    /// Like [`Place::Game`], for what belongs to the player: a line that the letter quotes has no
    /// effect.
    Seat,
    /// Any letter of a member, beside orders.
    Member,
    /// Any letter of a member, as its only line.
    Alone,
    /// Like [`Place::Alone`], and also a letter of a newcomer to an open club.
    Open,
    /// A letter of the moderator.
    Moderator,
}

/// What a line asks for, or what is wrong with it; `None` if the line only begins with the word,
/// and may be an order or prose.
pub(crate) type Reading = Option<Result<Deed, WrongLine>>;

/// A word with which a line can begin.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The word as letters show it, then the others with which such a line can begin.
    pub(crate) words: &'static [&'static str],
    /// Where the line may stand.
    pub(crate) place: Place,
    /// The key of the sentence that shows it in an answer to `help`, or [`CARD`]; empty for other
    /// ways to write what another entry shows.
    pub(crate) help: &'static str,
    /// Whether the word is rare in prose. A mistyped line that begins with it is asked about, and
    /// not taken for words to people.
    pub(crate) is_distinct: bool,
    /// Reads a line that begins with one of the words.
    pub(crate) read: fn(&Said<'_>) -> Reading,
}

/// The `help` of a word that stands on the card of a game's letters, `help.txt`.
pub(crate) const CARD: &str = "help.txt";

const fn entry(
    words: &'static [&'static str],
    place: Place,
    help: &'static str,
    read: fn(&Said<'_>) -> Reading,
) -> Entry {
    Entry { words, place, help, is_distinct: true, read }
}

/// An entry whose word people write to each other, too.
const fn common(
    words: &'static [&'static str],
    place: Place,
    help: &'static str,
    read: fn(&Said<'_>) -> Reading,
) -> Entry {
    Entry { words, place, help, is_distinct: false, read }
}

/// All words. Of several entries with the same word, the first that reads a line counts. Answers to
/// `help` show them in this order.
pub(crate) const ENTRIES: &[Entry] = &[
    entry(&["preview"], Game, CARD, |said| said.asks(Command::Preview)),
    entry(&["status"], Game, CARD, |said| said.asks(Command::Status)),
    common(&["pace"], Game, CARD, |said| said.asks(Command::Pace)),
    entry(&["board"], Game, CARD, |said| said.asks(Command::Board)),
    entry(&["history"], Game, CARD, |said| said.asks(Command::History)),
    entry(&["legal"], Game, CARD, |said| said.asks(Command::Legal)),
    entry(&["rules"], Game, CARD, |said| said.asks(Command::Rules)),
    entry(&["settings"], Member, CARD, |said| said.asks(Command::Settings)),
    entry(&["help"], Open, CARD, |said| said.asks(Command::Help)),
    entry(&["note"], Seat, CARD, read_note),
    entry(&["forget"], Seat, CARD, read_note),
    entry(&["vote"], Game, CARD, |said| {
        Some(Ballot::read(said.folded, said.back)?.map(Deed::Vote))
    }),
    entry(&["undo", "take", "please", "pls", "sorry", "oops", "ok"], Seat, CARD, |said| {
        asks_for_undo(said.folded).then_some(Ok(Deed::Undo))
    }),
    common(&["games"], Open, "errand-card-games", |said| just(said, &[], LobbyLine::Games)),
    common(&["new"], Alone, "errand-card-new", read_new),
    entry(&["join"], Open, "errand-card-join", read_join),
    entry(&["leave"], Alone, "errand-card-join", |said| of_game(said, LobbyLine::Leave)),
    common(&["wait"], Alone, "errand-card-wait", |said| of_game(said, LobbyLine::Wait)),
    entry(&["watch"], Alone, "errand-card-wait", |said| of_game(said, LobbyLine::Watch)),
    common(&["unwatch"], Alone, "errand-card-wait", |said| of_game(said, LobbyLine::Unwatch)),
    entry(&["cancel"], Alone, "errand-card-founder", |said| of_game(said, LobbyLine::Cancel)),
    entry(&["invite"], Alone, "errand-card-founder", read_invite),
    entry(&["rematch"], Alone, CARD, |said| just(said, &[], LobbyLine::Rematch)),
    entry(&["resign"], Alone, CARD, read_resign),
    entry(&["leave"], Alone, "errand-card-leave", read_leave_club),
    common(&["new"], Alone, "errand-card-marks", |said| {
        just(said, &["marks"], LobbyLine::NewMarks)
    }),
    entry(&["zone", "timezone"], Member, CARD, read_setting),
    entry(&["vacation", "holiday"], Member, CARD, read_setting),
    entry(&["language"], Member, CARD, read_setting),
    entry(&["letters"], Member, CARD, read_setting),
    entry(&["digest"], Member, CARD, read_setting),
    entry(&["subjects"], Member, CARD, read_setting),
    entry(&["standings"], Member, CARD, read_setting),
    entry(&["invitations"], Member, CARD, read_setting),
    entry(&["board", "boards"], Member, CARD, read_setting),
    common(&["colours", "colors", "colour", "color"], Member, CARD, read_setting),
    entry(&["calendar"], Member, CARD, read_setting),
    common(&["no", "pictures", "html", "plain", "text"], Member, "", read_setting),
    common(&["ascii", "unicode", "narrow", "wide"], Member, "", read_setting),
    entry(&["address"], Member, "errand-card-own", |said| {
        Some(address_line(said.folded)?.map(Deed::Address))
    }),
    entry(&["pause"], Moderator, "form-pause", read_intervention),
    entry(&["resume"], Moderator, "form-resume", read_intervention),
    entry(&["extend"], Moderator, "form-extend", read_intervention),
    entry(&["rewind"], Moderator, "form-rewind", read_intervention),
    entry(&["force"], Moderator, "form-force", read_intervention),
    entry(&["end"], Moderator, "form-end", read_intervention),
    entry(&["replace"], Moderator, "form-replace", read_intervention),
    entry(&["remove"], Moderator, "form-remove", read_intervention),
    entry(&["rotate"], Moderator, "form-rotate", read_intervention),
    entry(&["rotate"], Moderator, "form-rotate-member", read_rotate_member),
    entry(&["new"], Moderator, "form-new-marks", read_marks),
    entry(&["invite"], Moderator, "form-invite", read_invitation),
    entry(&["set"], Moderator, "form-set", read_intervention),
    entry(&["announce"], Moderator, "form-announce", read_announce),
    entry(&["note"], Moderator, "form-note", read_moderator_note),
    entry(&["log", "history"], Moderator, "form-log", read_log),
    entry(&["list", "games", "status"], Moderator, "form-list", read_list),
    entry(&["letters", "letter"], Moderator, "form-letters-list", read_letters),
    entry(&["letters", "letter"], Moderator, "form-letters-show", read_letters),
    entry(&["letters", "letter"], Moderator, "form-letters-accept", read_letters),
    entry(&["letters", "letter"], Moderator, "form-letters-reject", read_letters),
];

/// The words that begin plans of games: they are distinct, too.
const PLANS: [&str; 2] = ["auto", "clear"];
/// The words that follow in lines for the club.
pub(crate) const VALUES: [&str; 16] = [
    "abandon", "ascii", "club", "each", "extend", "forced", "html", "notes", "off", "pause",
    "plans", "resume", "rewind", "steady", "telling", "unicode",
];

impl Entry {
    /// The word as letters show it.
    pub(crate) fn word(&self) -> &'static str {
        self.words.first().copied().unwrap_or_default()
    }
}

/// Returns the words of members, by which a mistyped line is known to be for the club.
pub(crate) fn distinct_words() -> Vec<&'static str> {
    let own = ENTRIES.iter().filter(|entry| entry.is_distinct && entry.place != Moderator);
    own.map(Entry::word).chain(PLANS).collect()
}

/// Whether a line in a letter of a game can begin with this word.
pub(crate) fn begins_line_of_game(word: &str) -> bool {
    ENTRIES.iter().any(|entry| entry.place == Game && entry.words.contains(&word))
}

/// Returns the keys of the sentences that an answer to `help` shows, in order. Those of members
/// begin with `errand-`, and those of the moderator with `form-`.
pub(crate) fn help_keys(start: &str) -> Vec<&'static str> {
    let mut keys: Vec<&str> = ENTRIES.iter().map(|entry| entry.help).collect();
    keys.retain(|key| key.starts_with(start));
    keys.dedup();
    keys
}

fn read_note(said: &Said<'_>) -> Reading {
    Some(NoteLine::read(said.folded, said.written)?.map(Deed::Note))
}

fn read_setting(said: &Said<'_>) -> Reading {
    Some(MemberLine::read(said.folded)?.map(Deed::Set))
}

#[cfg(test)]
mod tests {
    use super::super::Line;
    use super::*;

    const PLAYERS: &str = include_str!("../../docs/players.md");
    const MODERATORS: &str = include_str!("../../docs/moderators.md");

    /// The entries that letters and pages show.
    fn shown() -> impl Iterator<Item = &'static Entry> {
        ENTRIES.iter().filter(|entry| !entry.help.is_empty())
    }

    #[test]
    fn every_word_stands_in_its_page() {
        for entry in shown() {
            let page = if entry.place == Moderator { MODERATORS } else { PLAYERS };
            let spans = page.split('`').skip(1).step_by(2);
            let mut words = spans.flat_map(|span| span.split(' '));
            assert!(words.any(|word| word == entry.word()), "{}", entry.word());
        }
    }

    #[test]
    fn every_word_of_members_has_translations() {
        let library = crate::render::Library::embedded().expect("the words ship");
        for (tag, lexicons) in library.all_lexicons() {
            for entry in shown().filter(|entry| entry.place != Moderator && tag != "en") {
                let english = entry.word();
                let own = lexicons.house().phrases().find(|(_, means)| means.starts_with(english));
                assert!(own.is_some(), "{tag}: {english}");
            }
        }
    }

    #[test]
    fn every_word_has_its_sentence_of_help() {
        let library = crate::render::Library::embedded().expect("the words ship");
        let card = include_str!("../../templates/en/help.txt");
        for entry in shown() {
            let sentence = match entry.help {
                CARD => card.to_owned(),
                "errand-card-own" => "address".to_owned(),
                key => library.language("en").say(&crate::rules::Message::new(key)),
            };
            let words = sentence.split(|c: char| !c.is_alphanumeric());
            assert!(
                words.map(str::to_lowercase).any(|word| word == entry.word()),
                "{}",
                entry.word()
            );
        }
    }

    #[test]
    fn every_word_refuses_bad_input() {
        // What stands behind these is free text, or makes no difference.
        const FREE: [&str; 5] = ["note", "preview", "resign", "announce", "language"];
        let read = |entry: &Entry, line: &str| match entry.place {
            Moderator => Line::of_moderator(line),
            _ => Line::read(line, line, None),
        };
        for entry in ENTRIES.iter().filter(|entry| !FREE.contains(&entry.word())) {
            for bad in ["x%", "0 x%", "99999999999", "12 x% because", "x% @ x% because of it"] {
                let line = format!("{} {bad}", entry.word());
                let done = read(entry, &line).is_some_and(|line| line.deed.is_ok());
                assert!(!done, "{line}");
            }
        }
    }

    #[test]
    fn no_entry_occurs_twice() {
        for entry in ENTRIES {
            let is_twin = |other: &&Entry| other.words == entry.words && other.help == entry.help;
            let twins = ENTRIES.iter().filter(is_twin);
            assert_eq!(twins.filter(|other| other.place == entry.place).count(), 1, "{entry:?}");
        }
    }
}
