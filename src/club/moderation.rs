//! What a moderator may ask for, line by line, in letters and on the command line alike.
//!
//! Pure: a line comes in folded to plain characters. May not know how anything of it is done.

use super::clock::{Deadline, Length, Nmr};
use crate::rules::{Message, Seat};

/// One line of the moderator's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directive {
    /// Something is done to a game, and its players are told why.
    Rule {
        /// The game's number.
        game: u32,
        /// What is done.
        ruling: Ruling,
        /// Why, for the players.
        reason: String,
    },
    /// Something is told to all players of a game, or of all running games.
    Announce {
        /// The game's number; none for all.
        game: Option<u32>,
        /// What.
        text: String,
    },
    /// Something is put into a game's minutes for the moderator's eyes only.
    Note {
        /// The game's number.
        game: u32,
        /// What.
        text: String,
    },
    /// All reply marks of a member become void.
    RotateMember {
        /// An address, or a member's number.
        who: String,
        /// Why, for the member.
        reason: String,
    },
    /// All reply marks of the moderator's own become void.
    NewMarks,
    /// What happened in a game, and around it.
    Log(u32),
    /// The running games: for whom they wait, and until when.
    List,
    /// Something about the letters in quarantine.
    Letters(OnLetters),
}

/// What a moderator does to a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The clock stands still.
    Pause,
    /// It runs again.
    Resume,
    /// Everyone who is waited for gets so much more time.
    Extend(Length),
    /// The game is taken back to where it was after this record.
    Rewind(u32),
    /// The game ends as it stands.
    End,
    /// The default order is carried out for this seat, which is waited for.
    Force(Seat),
    /// The reply tokens of this seat become void.
    Rotate(Seat),
    /// Somebody else takes over this seat.
    Replace {
        /// Which seat.
        seat: Seat,
        /// An address, or a member's number.
        by: String,
    },
    /// Whoever sits here leaves the game.
    Remove(Seat),
    /// A rule of the clock becomes another one.
    Set(ClockRule),
}

/// A rule of a game's clock with its new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockRule {
    /// When orders are due.
    Deadline(Deadline),
    /// How long after the deadline orders still cost nothing.
    Grace(Option<Length>),
    /// How much later a player may be in all turns together.
    Bank(Option<Length>),
    /// What happens when no orders have come.
    Nmr(Nmr),
}

/// What a moderator does about the letters in quarantine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnLetters {
    /// Lists them.
    List,
    /// Shows one. Any part of its name that no other one has will do, here and below.
    Show(String),
    /// Lets it in, whatever was doubted about its sender.
    Accept {
        /// Its name.
        name: String,
        /// Whose it is, where it does not say so itself.
        seat: Option<(u32, Seat)>,
        /// Why, for the minutes.
        reason: String,
    },
    /// Puts it away.
    Reject {
        /// Its name.
        name: String,
        /// Why, for the minutes; may be empty.
        reason: String,
    },
}

/// Why a line is not understood, as a sentence.
pub type Unread = Message;

impl Directive {
    /// Reads a line such as `pause 12 because I travel`.
    ///
    /// # Errors
    /// What is wrong with it and how it is written.
    pub fn read(line: &str) -> Result<Self, Unread> {
        let (head, reason) = parted(line);
        let words: Vec<&str> = head.split_whitespace().collect();
        let lower: Vec<String> = words.iter().map(|word| bare(word).to_lowercase()).collect();
        let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
        let Some((verb, rest)) = lower.split_first() else { return Err(unknown()) };
        match (*verb, rest) {
            ("announce", _) => announcement(text_after_first_word(line)),
            ("note", _) => note(text_after_first_word(line)),
            ("rotate", ["member", who]) => rotate_member(who, reason),
            ("new", ["marks"]) => Ok(Self::NewMarks),
            ("list" | "games" | "status", []) => Ok(Self::List),
            ("log" | "history", rest) => match named_game(rest) {
                Some((game, [])) => Ok(Self::Log(game)),
                _ => Err(form("log 12")),
            },
            ("letters" | "letter", rest) => {
                // A file's name keeps its capitals and its points.
                letters(rest, words.get(2).copied().unwrap_or_default(), reason)
            }
            _ => ruling(verb, rest, reason),
        }
    }
}

fn rotate_member(who: &str, reason: &str) -> Result<Directive, Unread> {
    if reason.is_empty() {
        let form = "rotate member ann@example.org because ...";
        return Err(Message::new("moderator-no-reason").with("form", form));
    }
    Ok(Directive::RotateMember { who: who.to_owned(), reason: reason.to_owned() })
}

fn ruling(verb: &str, rest: &[&str], reason: &str) -> Result<Directive, Unread> {
    let Some(form_of) = form_of(verb) else { return Err(unknown()) };
    let wrong = || form(form_of);
    let (game, rest) = named_game(rest).ok_or_else(wrong)?;
    let ruling = match (verb, rest) {
        ("pause", []) => Ruling::Pause,
        ("resume", []) => Ruling::Resume,
        ("end", []) => Ruling::End,
        ("extend", ["by", by @ ..] | by) => Ruling::Extend(length(&by.join(" "))?),
        ("rewind", ["to", to] | [to]) => Ruling::Rewind(number(to).ok_or_else(wrong)?),
        ("force", rest) => Ruling::Force(whole_seat(rest).ok_or_else(wrong)?),
        ("rotate", rest) => Ruling::Rotate(whole_seat(rest).ok_or_else(wrong)?),
        ("remove", rest) => Ruling::Remove(whole_seat(rest).ok_or_else(wrong)?),
        ("replace", rest) => match named_seat(rest).ok_or_else(wrong)? {
            (seat, ["by" | "with", by]) => Ruling::Replace { seat, by: (*by).to_owned() },
            _ => return Err(wrong()),
        },
        ("set", [rule, value @ ..]) if !value.is_empty() => {
            Ruling::Set(clock_rule(rule, &value.join(" "))?)
        }
        _ => return Err(wrong()),
    };
    if reason.is_empty() {
        return Err(Message::new("moderator-no-reason").with("form", form_of));
    }
    Ok(Directive::Rule { game, ruling, reason: reason.to_owned() })
}

/// How a ruling is written; none when there is no such ruling.
fn form_of(verb: &str) -> Option<&'static str> {
    Some(match verb {
        "pause" => "pause 12 because ...",
        "resume" => "resume 12 because ...",
        "end" => "end 12 because ...",
        "extend" => "extend 12 by 3 days because ...",
        "rewind" => "rewind 12 to 37 because ...",
        "force" => "force 12 seat 2 because ...",
        "rotate" => "rotate 12 seat 2 because ...",
        "remove" => "remove 12 seat 2 because ...",
        "replace" => "replace 12 seat 2 by ann@example.org because ...",
        "set" => "set 12 deadline 3 days because ...",
        _ => return None,
    })
}

fn clock_rule(rule: &str, value: &str) -> Result<ClockRule, Unread> {
    let value = value.trim_matches(['"', '\'']);
    let length_or_none = |value: &str| match value {
        "none" | "off" | "0" => Ok(None),
        value => length(value).map(Some),
    };
    match rule {
        "deadline" => Deadline::read(value)
            .map(ClockRule::Deadline)
            .map_err(|_| Message::new("moderator-no-deadline").with("what", value)),
        "grace" => length_or_none(value).map(ClockRule::Grace),
        "bank" => length_or_none(value).map(ClockRule::Bank),
        "nmr" => value
            .parse()
            .map(ClockRule::Nmr)
            .map_err(|_| Message::new("moderator-no-nmr").with("what", value)),
        _ => Err(Message::new("moderator-no-rule").with("what", rule)),
    }
}

fn letters(words: &[&str], name: &str, reason: &str) -> Result<Directive, Unread> {
    // A mail program's flags are not the letter's own.
    let name = name.split(":2,").next().unwrap_or(name).to_owned();
    let what = match words {
        [] | ["list"] => OnLetters::List,
        ["show", _] => OnLetters::Show(name),
        ["accept", _, rest @ ..] => {
            let form_of = "letters accept NAME for 12 seat 2 because ...";
            let seat = match rest {
                [] => None,
                ["for", rest @ ..] => {
                    let (game, rest) = named_game(rest).ok_or_else(|| form(form_of))?;
                    Some((game, whole_seat(rest).ok_or_else(|| form(form_of))?))
                }
                _ => return Err(form(form_of)),
            };
            if reason.is_empty() {
                let form_of = "letters accept NAME because ...";
                return Err(Message::new("moderator-no-reason").with("form", form_of));
            }
            OnLetters::Accept { name, seat, reason: reason.to_owned() }
        }
        ["reject", _] => OnLetters::Reject { name, reason: reason.to_owned() },
        _ => return Err(form("letters list, show NAME, accept NAME because ..., reject NAME")),
    };
    Ok(Directive::Letters(what))
}

fn announcement(text: &str) -> Result<Directive, Unread> {
    let (game, text) = match game_before(text) {
        Some((game, text)) => (Some(game), text),
        None => (None, without_all(text)),
    };
    if text.is_empty() {
        return Err(form("announce 12 TEXT"));
    }
    Ok(Directive::Announce { game, text: text.to_owned() })
}

fn note(text: &str) -> Result<Directive, Unread> {
    match game_before(text) {
        Some((game, text)) if !text.is_empty() => {
            Ok(Directive::Note { game, text: text.to_owned() })
        }
        _ => Err(form("note 12 TEXT")),
    }
}

/// The line before its reason, and the reason; empty when it gives none.
fn parted(line: &str) -> (&str, &str) {
    const BECAUSE: &str = " because";
    let found = line.to_ascii_lowercase().find(BECAUSE);
    match found.and_then(|at| Some((line.get(..at)?, line.get(at + BECAUSE.len()..)?))) {
        Some((head, reason)) => (head, reason.trim_start_matches([':', ',', ' ']).trim_end()),
        None => (line, ""),
    }
}

fn text_after_first_word(line: &str) -> &str {
    line.trim().split_once([' ', ':']).map_or("", |(_, rest)| clean(rest))
}

/// A text without what parts it from the words before it, and without quotation marks around it.
fn clean(text: &str) -> &str {
    let text = text.trim_start_matches([' ', ':', ',']).trim();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.unwrap_or(text)
}

/// The game that a text begins with, and the rest of the text.
fn game_before(text: &str) -> Option<(u32, &str)> {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    if first.eq_ignore_ascii_case("game") {
        return game_before(rest);
    }
    Some((number(bare(first))?, clean(rest)))
}

fn without_all(text: &str) -> &str {
    match text.split_once([' ', ':']) {
        Some((all, rest)) if all.eq_ignore_ascii_case("all") => clean(rest),
        _ => text,
    }
}

/// The game that words begin with, and the words after it: `12`, `#12` or `game 12`.
fn named_game<'a>(words: &'a [&'a str]) -> Option<(u32, &'a [&'a str])> {
    match words {
        ["game", rest @ ..] => named_game(rest),
        [game, rest @ ..] => Some((number(game)?, rest)),
        [] => None,
    }
}

fn named_seat<'a>(words: &'a [&'a str]) -> Option<(Seat, &'a [&'a str])> {
    match words {
        ["seat", seat, rest @ ..] => {
            let seat = u8::try_from(number(seat)?).ok()?;
            Some((Seat::new(seat), rest))
        }
        _ => None,
    }
}

fn whole_seat(words: &[&str]) -> Option<Seat> {
    named_seat(words).filter(|(_, rest)| rest.is_empty()).map(|(seat, _)| seat)
}

/// A number from 1 on.
fn number(word: &str) -> Option<u32> {
    word.trim_start_matches('#').parse().ok().filter(|number| *number > 0)
}

/// A word without the punctuation around it.
fn bare(word: &str) -> &str {
    word.trim_end_matches([',', '.', ';', ':', '!'])
}

fn length(text: &str) -> Result<Length, Unread> {
    let text = text.trim_matches(['"', '\'']);
    Length::read(text).map_err(|_| Message::new("moderator-no-length").with("what", text))
}

fn unknown() -> Unread {
    Message::new("moderator-unknown")
}

fn form(form: &'static str) -> Unread {
    Message::new("moderator-wrong-form").with("form", form)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ruled(line: &str) -> (u32, Ruling, String) {
        match Directive::read(line) {
            Ok(Directive::Rule { game, ruling, reason }) => (game, ruling, reason),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_ruling_names_a_game_and_says_why() {
        let why = || "I travel, and so does Bob.".to_owned();
        for line in [
            "pause 12 because I travel, and so does Bob.",
            "PAUSE game #12 Because: I travel, and so does Bob.",
            "pause #12, because I travel, and so does Bob.",
        ] {
            assert_eq!(ruled(line), (12, Ruling::Pause, why()));
        }
        let of = |line: &str| ruled(&format!("{line} because x")).1;
        assert_eq!(of("extend 12 by 3 days"), Ruling::Extend(Length::Days(3)));
        assert_eq!(of("Extend 12 12h"), Ruling::Extend(Length::Minutes(720)));
        assert_eq!(of("rewind 12 to 37"), Ruling::Rewind(37));
        assert_eq!(of("force 12 seat 2"), Ruling::Force(Seat::new(2)));
        let by = "ann@example.org".to_owned();
        assert_eq!(
            of("replace 12 seat 2 by Ann@Example.org"),
            Ruling::Replace { seat: Seat::new(2), by }
        );
        assert_eq!(
            of("set 12 grace \"6 hours\""),
            Ruling::Set(ClockRule::Grace(Some(Length::Minutes(360))))
        );
        assert_eq!(of("set 12 bank none"), Ruling::Set(ClockRule::Bank(None)));
        assert_eq!(of("set 12 nmr forfeit"), Ruling::Set(ClockRule::Nmr(Nmr::Forfeit)));
        let Ruling::Set(ClockRule::Deadline(deadline)) =
            of("set 12 deadline Mon,Thu 20:00 Europe/Madrid")
        else {
            panic!("a deadline")
        };
        assert_eq!(deadline.to_string(), "Mon,Thu 20:00 Europe/Madrid");
    }

    #[test]
    fn what_is_said_is_kept_as_it_was_written() {
        let read = |line: &str| Directive::read(line).expect(line);
        let text = |text: &str| text.to_owned();
        assert_eq!(
            read("announce 12 No letters on Sunday, because of the fair."),
            Directive::Announce {
                game: Some(12),
                text: text("No letters on Sunday, because of the fair."),
            }
        );
        let all = |said: &str| Directive::Announce { game: None, text: text(said) };
        assert_eq!(read("announce all: 12 games begin"), all("12 games begin"));
        assert_eq!(read("Announce \"We are back\""), all("We are back"));
        assert_eq!(
            read("note game 12: Ann asked twice"),
            Directive::Note { game: 12, text: text("Ann asked twice") }
        );
        let name = text("1767636000.M1P2.Host,S=7");
        assert_eq!(
            read("letters accept 1767636000.M1P2.Host,S=7:2,S for 12 seat 2 because it is hers"),
            Directive::Letters(OnLetters::Accept {
                name: name.clone(),
                seat: Some((12, Seat::new(2))),
                reason: text("it is hers"),
            })
        );
        assert_eq!(
            read("letters reject 1767636000.M1P2.Host,S=7"),
            Directive::Letters(OnLetters::Reject { name, reason: text("") })
        );
    }

    #[test]
    fn marks_are_made_void_by_a_word() {
        let rotate = Directive::RotateMember {
            who: "ann@example.org".to_owned(),
            reason: "it was read".to_owned(),
        };
        assert_eq!(
            Directive::read("rotate member Ann@Example.org because it was read"),
            Ok(rotate)
        );
        assert_eq!(Directive::read("New marks."), Ok(Directive::NewMarks));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let key = |line: &str| Directive::read(line).expect_err(line).key;
        for line in [
            "pause 12",
            "end 12 because",
            "rotate member 3",
            "letters accept x",
            "rotate 12 seat 2",
        ] {
            assert_eq!(key(line), "moderator-no-reason", "{line}");
        }
        for line in ["pause because x", "force 12 because x", "log", "note hello", "rewind 12"] {
            assert_eq!(key(line), "moderator-wrong-form", "{line}");
        }
        assert_eq!(key("build red G23"), "moderator-unknown");
        assert_eq!(key(""), "moderator-unknown");
        assert_eq!(key("extend 12 by because x"), "moderator-no-length");
        assert_eq!(key("set 12 colour red because x"), "moderator-no-rule");
        assert_eq!(key("set 12 deadline soon because x"), "moderator-no-deadline");
        assert_eq!(key("force 12 seat 0 because x"), "moderator-wrong-form");
        assert_eq!(key("force 12 seat 300 because x"), "moderator-wrong-form");
    }
}
