//! Lines of a letter that are about the club's table of games: found, join, leave, watch, wait.
//!
//! Pure. May not know how letters look, or which games are being played.

use super::GameName;
use super::clock::{ClockRules, Deadline, Nmr};
use super::line::{Deed, Said};
use super::member_line::WrongLine;
use super::parse_mailbox;
use super::press::PressTerms;
use super::proposal::SeatWish;
use super::undo_terms::UndoTerm;
use super::word_table::Reading;
use crate::games;
use crate::rules::{Arg, Message};
use std::collections::BTreeMap;
use std::str::FromStr;

/// The most people who are invited by one line.
const INVITED_MAX: usize = 12;
/// The most options that one line may name.
const OPTIONS_MAX: usize = 20;

/// A line about the club's table of games.
#[derive(Clone, Debug, PartialEq)]
pub enum LobbyLine {
    /// `new paris-connection seats 4 deadline 3d`.
    New(Box<Wanted>),
    /// `join 12`, `join 12 seat 2`.
    Join {
        /// The game's number.
        game: u32,
        /// Where he would sit.
        wish: Option<SeatWish>,
    },
    /// `join club`: by who is no member.
    JoinClub,
    /// `invite 12 bob@example.org`: by who proposed it.
    Invite {
        /// The game's number.
        game: u32,
        /// Whom, lower case.
        addresses: Vec<String>,
    },
    /// `leave 12`: before it has begun, or its waiting list.
    Leave(u32),
    /// `cancel 12`: by who proposed it.
    Cancel(u32),
    /// `wait 12`: for a seat of a game that is being played.
    Wait(u32),
    /// `watch 12`: mails what everyone may see of a game.
    Watch(u32),
    /// `unwatch 12`: no more of it.
    Unwatch(u32),
    /// `games`: what is being formed and played.
    Games,
    /// `resign`, in a reply to a game's letter, or `resign 12`.
    Resign {
        /// Which game it names; none when it is the one whose letter is answered.
        game: Option<u32>,
        /// Whether the word was said that makes it so.
        sure: bool,
        /// Why, for the others; may be empty.
        reason: String,
    },
    /// `rematch`, in a reply to a letter of a game that is over.
    Rematch,
    /// `new marks`: no reply mark in an older letter is good for anything any more.
    NewMarks,
    /// `leave club`: out of all games, name and addresses forgotten.
    LeaveClub {
        /// Whether the word was said that makes it so.
        sure: bool,
    },
}

/// A game as somebody would have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// Which, by the name of its kind.
    pub(crate) kind: String,
    /// What it is called besides its number.
    pub(crate) name: Option<GameName>,
    /// For how many; none: for him and all who are invited.
    pub seats: Option<u8>,
    /// The options as words.
    pub(crate) options: BTreeMap<String, String>,
    /// How its time is kept.
    pub time: Time,
    /// What happens to who is absent, where it is said.
    pub(crate) nmr: Option<Nmr>,
    /// Whether only those who are invited may play and watch.
    pub private: bool,
    /// Their addresses, lower case.
    pub invited: Vec<String>,
    /// How many turns of a hundred who joins must have had in time.
    pub(crate) punctual: Option<u8>,
    /// Where he would sit.
    pub(crate) wish: Option<SeatWish>,
    /// What may be said in it, where it is said.
    pub press: Option<PressTerms>,
    /// How long players may take their last orders back, where it is said.
    pub undo: Option<UndoTerm>,
}

/// How a game's time is to be kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Time {
    /// As the club does.
    #[default]
    Usual,
    /// Not at all.
    Never,
    /// By this deadline.
    By(Deadline),
}

/// Reads a word that stands by itself or before exactly these words.
pub(super) fn just(said: &Said<'_>, words: &[&str], deed: LobbyLine) -> Reading {
    (said.rest()? == words).then_some(Ok(Deed::Lobby(deed)))
}

/// Reads a word before the number of a game.
pub(super) fn of_game(said: &Said<'_>, deed: fn(u32) -> LobbyLine) -> Reading {
    match said.rest()?.as_slice() {
        [game] => Some(Ok(Deed::Lobby(deed(game_number(game)?)))),
        _ => None,
    }
}

/// Reads the wish for a new game. A longer line that names no term of a game is prose, such as "New
/// York Central 6" or "New here, be kind."
pub(super) fn read_new(said: &Said<'_>) -> Reading {
    const TERMS: [&str; 9] =
        ["deadline", "invite", "nmr", "players", "press", "private", "punctual", "seat", "seats"];
    let rest = said.rest_as_written()?;
    if said.rest()? == ["marks"] {
        return None;
    }
    let read = wanted(&rest).map(|wanted| Deed::Lobby(LobbyLine::New(Box::new(wanted))));
    let mut words = said.lower.split(|c: char| !c.is_alphabetic());
    let is_of_no_kind = read.as_ref().is_err_and(|wrong| wrong.key == "lobby-kind-unknown");
    let is_prose = is_of_no_kind && rest.len() > 1 && !words.any(|word| TERMS.contains(&word));
    (!is_prose).then_some(read)
}

pub(super) fn read_join(said: &Said<'_>) -> Reading {
    match said.rest()?.as_slice() {
        ["club"] => Some(Ok(Deed::Lobby(LobbyLine::JoinClub))),
        [game, wish @ ..] => {
            let game = game_number(game)?;
            Some(seat_wish(wish).map(|wish| Deed::Lobby(LobbyLine::Join { game, wish })))
        }
        [] => None,
    }
}

pub(super) fn read_invite(said: &Said<'_>) -> Reading {
    let rest = said.rest_as_written()?;
    let (game, words) = rest.split_first()?;
    let (game, mut addresses) = (game_number(game)?, Vec::new());
    // A slip in one address must not look as if all had been asked.
    Some(invited(words, &mut addresses).and_then(|taken| match words.get(taken) {
        Some(word) => Err(Message::new("lobby-invite-no-address").with("word", *word)),
        None => Ok(Deed::Lobby(LobbyLine::Invite { game, addresses })),
    }))
}

pub(super) fn read_leave_club(said: &Said<'_>) -> Reading {
    match said.rest()?.as_slice() {
        ["club", sure @ ..] if matches!(sure, [] | ["yes"]) => {
            Some(Ok(Deed::Lobby(LobbyLine::LeaveClub { sure: !sure.is_empty() })))
        }
        _ => None,
    }
}

/// Reads `resign`, with the number of a game or without, and what may stand after `yes`.
pub(super) fn read_resign(said: &Said<'_>) -> Reading {
    said.rest()?;
    let mut words = said.folded.split_whitespace().skip(1).peekable();
    let game = words.peek().and_then(|word| game_number(word.trim_end_matches(['.', ':', ','])));
    if game.is_some() {
        words.next();
    }
    let yes = words.next().map(|word| word.trim_end_matches([':', ',', '.', '!']).to_lowercase());
    let sure = yes.as_deref() == Some("yes");
    let reason = words.filter(|_| sure).collect::<Vec<_>>().join(" ");
    let reason = reason.chars().filter(|c| !c.is_control()).take(200).collect();
    Some(Ok(Deed::Lobby(LobbyLine::Resign { game, sure, reason })))
}

/// A game's number, with or without a mark before it.
fn game_number(word: &str) -> Option<u32> {
    word.trim_start_matches('#').parse().ok().filter(|game| *game > 0)
}

/// Where somebody would sit.
fn seat_wish(words: &[&str]) -> Result<Option<SeatWish>, WrongLine> {
    match words {
        [] => Ok(None),
        ["first"] => Ok(Some(SeatWish::First)),
        ["last"] => Ok(Some(SeatWish::Last)),
        ["seat", number] => match number.parse::<u8>() {
            Ok(number) if number > 0 => Ok(Some(SeatWish::Seat(number))),
            _ => Err(Message::new("lobby-join-unread")),
        },
        _ => Err(Message::new("lobby-join-unread")),
    }
}

/// The words after `new`.
fn wanted(words: &[&str]) -> Result<Wanted, WrongLine> {
    let (kind, mut words) = kind_of(words)?;
    let mut wanted = Wanted { kind: kind.to_owned(), ..Wanted::default() };
    while let Some((word, rest)) = words.split_first() {
        let word = word.trim_end_matches([':', ',']);
        let unread = || Message::new("lobby-word-unread").with("word", word);
        let value = || rest.first().copied().map(|value| value.trim_end_matches(','));
        let number = || value().and_then(|value| value.parse::<u8>().ok()).ok_or_else(unread);
        // The number of words behind this one that belong to it.
        let mut taken = 1;
        match word.to_lowercase().as_str() {
            "for" | "and" | "with" | "players" | "option" => taken = 0,
            "seats" => wanted.seats = Some(number()?),
            "seat" => wanted.wish = Some(SeatWish::Seat(number()?.max(1))),
            "first" => (wanted.wish, taken) = (Some(SeatWish::First), 0),
            "last" => (wanted.wish, taken) = (Some(SeatWish::Last), 0),
            "private" => (wanted.private, taken) = (true, 0),
            "punctual" => {
                let percent = value().and_then(|value| value.trim_end_matches('%').parse().ok());
                let percent = percent.filter(|percent: &u8| *percent <= 100);
                wanted.punctual = Some(percent.ok_or_else(unread)?);
            }
            "nmr" => {
                wanted.nmr = Some(value().and_then(|word| word.parse().ok()).ok_or_else(unread)?);
            }
            "deadline" => (wanted.time, taken) = time_of(rest)?,
            "invite" => taken = invited(rest, &mut wanted.invited)?,
            "press" => (wanted.press, taken) = run_of(rest, 4).ok_or_else(unread)?,
            "undo" => (wanted.undo, taken) = run_of(rest, 2).ok_or_else(unread)?,
            "named" => wanted.name = Some(name_of(rest.first().copied())?),
            _ => taken = option(word, value(), &mut wanted.options)?,
        }
        words = rest.get(taken..).unwrap_or_default();
    }
    Ok(wanted)
}

/// The kind of game that the words begin with, which may be several, and the rest.
fn kind_of<'w, 'a>(words: &'w [&'a str]) -> Result<(&'static str, &'w [&'a str]), WrongLine> {
    let most = words.len().min(5);
    for count in (1..=most).rev() {
        let (name, rest) = words.split_at(count);
        let id = name.join("-").to_lowercase();
        if let Some(kind) = games::kind(id.trim_end_matches([':', ','])) {
            return Ok((kind.id(), rest));
        }
    }
    let ids: Vec<Arg> = games::GAMES.iter().map(|kind| Arg::from(kind.id())).collect();
    Err(Message::new("lobby-kind-unknown").with("kinds", Arg::List(ids)))
}

/// The name that a game is to have, perhaps in quotes.
fn name_of(word: Option<&str>) -> Result<GameName, WrongLine> {
    let name = word.unwrap_or_default().trim_matches([',', '"']);
    name.parse().map_err(|_| GameName::refused(name))
}

/// The longest run of words that is a deadline, and how many they are.
fn time_of(words: &[&str]) -> Result<(Time, usize), WrongLine> {
    if words.first().is_some_and(|word| matches!(*word, "none" | "never")) {
        return Ok((Time::Never, 1));
    }
    let most = words.len().min(9);
    let found = (1..=most).rev().find_map(|count| {
        let text = words.get(..count)?.join(" ");
        Deadline::read(text.trim_end_matches(',')).ok().map(|deadline| (deadline, count))
    });
    let (deadline, count) = found.ok_or_else(|| Message::new("lobby-deadline-unread"))?;
    Ok((Time::By(deadline), count))
}

/// Reads the longest run of at most so many words that is a value. Returns the value, and the
/// number of its words.
fn run_of<T: FromStr>(words: &[&str], most: usize) -> Option<(Option<T>, usize)> {
    let read = |count| {
        let text = words.get(..count)?.join(" ");
        Some((Some(text.trim_end_matches(',').parse().ok()?), count))
    };
    (1..=words.len().min(most)).rev().find_map(read)
}

/// Takes in all addresses that the words begin with; how many they are.
fn invited(words: &[&str], into: &mut Vec<String>) -> Result<usize, WrongLine> {
    let mut taken = 0;
    for word in words {
        let word = word.trim_matches(|c| matches!(c, ',' | ';' | '<' | '>'));
        match parse_mailbox(word) {
            Some((_, address)) if !into.contains(&address) => into.push(address),
            Some(_) => {}
            None if word == "and" => {}
            None => break,
        }
        taken += 1;
    }
    match (taken, into.len() > INVITED_MAX) {
        (0, _) => Err(Message::new("lobby-invite-unread")),
        (_, true) => Err(Message::new("lobby-invite-many").with("most", INVITED_MAX)),
        (taken, false) => Ok(taken),
    }
}

/// Takes in `key=value`, or `key` and the value after it; how many words that value is.
fn option(
    word: &str,
    value: Option<&str>,
    into: &mut BTreeMap<String, String>,
) -> Result<usize, WrongLine> {
    let unread = || Message::new("lobby-word-unread").with("word", word);
    if into.len() >= OPTIONS_MAX {
        return Err(unread());
    }
    let (key, value, taken) = match (word.split_once('='), value) {
        (Some((key, value)), _) => (key, value, 0),
        (None, Some(value)) => (word, value, 1),
        (None, None) => return Err(unread()),
    };
    into.insert(key.to_lowercase(), value.to_owned());
    Ok(taken)
}

impl Wanted {
    /// How the game's time is to be kept in a club whose usual rules are these.
    ///
    /// # Errors
    /// When the rules leave no time to play, or say who is absent without a deadline.
    pub fn clock(&self, usual: Option<&ClockRules>) -> Result<Option<ClockRules>, WrongLine> {
        let rules = match (&self.time, usual) {
            (Time::Never, _) => None,
            (Time::Usual, usual) => usual.cloned(),
            (Time::By(deadline), Some(usual)) => {
                Some(ClockRules { deadline: deadline.clone(), ..usual.clone() })
            }
            (Time::By(deadline), None) => Some(ClockRules::of(deadline.clone())),
        };
        let Some(mut rules) = rules else {
            return match self.nmr {
                Some(_) => Err(Message::new("lobby-nmr-alone")),
                None => Ok(None),
            };
        };
        rules.nmr = self.nmr.unwrap_or(rules.nmr);
        rules.check().map_err(|_| Message::new("lobby-deadline-unread"))?;
        Ok(Some(rules))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Line;
    use super::*;

    fn read(line: &str) -> Option<Result<LobbyLine, WrongLine>> {
        let deed = Line::read(line, line, None)?.deed;
        Some(deed.map(|deed| match deed {
            Deed::Lobby(read) => read,
            other => panic!("{line}: {other:?}"),
        }))
    }

    fn new(line: &str) -> Wanted {
        match read(line) {
            Some(Ok(LobbyLine::New(wanted))) => *wanted,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn wrong(line: &str) -> &'static str {
        match read(line) {
            Some(Err(wrong)) => wrong.key,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_wish_is_read_in_any_order_of_words() {
        let plain = new("new paris-connection seats 4 deadline 3d");
        assert_eq!((plain.kind.as_str(), plain.seats), ("paris-connection", Some(4)));
        assert_eq!(plain.time, Time::By(Deadline::read("3 days").unwrap()));
        let full = new(
            "New: Paris Connection, private deadline Mon,Thu 20:00 Europe/Madrid punctual 80% \
             stall_after_trades 24 invite bob@example.org, Cid@example.org seats 3 nmr forfeit \
             press public, anonymous undo 2 hours named Lyon, last",
        );
        assert_eq!(full.press.expect("it is read").to_string(), "public anonymous");
        assert_eq!(full.undo.map(|term| term.to_string()).as_deref(), Some("2 hours"));
        assert_eq!(full.name.as_ref().map(GameName::as_str), Some("Lyon"));
        assert!(full.private);
        assert_eq!(full.time, Time::By(Deadline::read("Mon,Thu 20:00 Europe/Madrid").unwrap()));
        assert_eq!((full.punctual, full.seats, full.nmr), (Some(80), Some(3), Some(Nmr::Forfeit)));
        assert_eq!(full.invited, ["bob@example.org", "cid@example.org"]);
        assert_eq!(full.options.get("stall_after_trades").map(String::as_str), Some("24"));
        assert_eq!(full.wish, Some(SeatWish::Last));
        let other = new("new paris-connection stall_after_trades=9 deadline none for seats 5");
        assert_eq!((other.time, other.options.len()), (Time::Never, 1));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert_eq!(wrong("new chess seats 2"), "lobby-kind-unknown");
        assert_eq!(wrong("new paris-connection seats many"), "lobby-word-unread");
        assert_eq!(wrong("new paris-connection deadline soon"), "lobby-deadline-unread");
        assert_eq!(wrong("new paris-connection invite bob"), "lobby-invite-unread");
        assert_eq!(wrong("new paris-connection punctual 101"), "lobby-word-unread");
        assert_eq!(wrong("new paris-connection undo 3 days"), "lobby-word-unread");
        for name in ["", "2", "seats 4", "Paris", "Lyon2"] {
            let line = format!("new paris-connection seats 4 named {name}");
            assert_eq!(wrong(&line), "lobby-name-unread", "{line}");
        }
        assert_eq!(wrong("join 12 window"), "lobby-join-unread");
    }

    #[test]
    fn lines_that_are_orders_of_a_game_stay_orders() {
        for line in ["join red", "pass", "watch", "leave", "wait for it", "resigned", "newest 4"] {
            assert_eq!(read(line), None, "{line}");
        }
        let read = |line: &str| read(line).unwrap().unwrap();
        let join = LobbyLine::Join { game: 12, wish: Some(SeatWish::Seat(2)) };
        assert_eq!(read("Join #12 seat 2."), join);
        let invite = LobbyLine::Invite { game: 7, addresses: vec!["bob@example.org".to_owned()] };
        assert_eq!(read("invite 7 Bob@example.org"), invite);
        assert_eq!(read("games?"), LobbyLine::Games);
        assert_eq!(read("leave club yes"), LobbyLine::LeaveClub { sure: true });
        let reason = || "I move house.".to_owned();
        let resign = |game| LobbyLine::Resign { game, sure: true, reason: reason() };
        assert_eq!(read("resign yes: I move house."), resign(None));
        assert_eq!(read("Resign 7 yes I move house."), resign(Some(7)));
        let unsure = LobbyLine::Resign { game: Some(7), sure: false, reason: String::new() };
        assert_eq!(read("resign 7."), unsure);
    }

    #[test]
    fn wishes_about_seats_options_and_guests_are_read_as_people_write_them() {
        let new = |words: &str| new(&format!("new paris-connection {words}"));
        assert_eq!(new("seats 4, first").wish, Some(SeatWish::First));
        let nine = [("stall_after_trades".to_owned(), "9".to_owned())];
        assert_eq!(new("option stall_after_trades 9").options, BTreeMap::from(nine));
        assert_eq!(new("option stall_after_trades=9").options.len(), 1);
        let both = ["bob@example.org", "cid@example.org"];
        assert_eq!(new("invite bob@example.org and Cid@example.org").invited, both);
        assert_eq!(new("invite bob@example.org, Bob@Example.org cid@example.org").invited, both);
    }

    #[test]
    fn games_and_seats_count_from_one() {
        assert_eq!(read("join 0"), None);
        assert_eq!(read("watch #0"), None);
        assert_eq!(wrong("join 12 seat 0"), "lobby-join-unread");
        let join = LobbyLine::Join { game: 12, wish: Some(SeatWish::Seat(1)) };
        assert_eq!(read("join 12 seat 1"), Some(Ok(join)));
    }
}
