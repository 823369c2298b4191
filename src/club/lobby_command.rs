//! The parser for commands about the list of games and about membership: found, join, leave, wait
//! for and observe a game, and leave the club.
//!
//! Pure. It knows neither letters nor the games that are in play.

use super::GameName;
use super::bot_lines::{kind_names, parse_bot_levels, parse_bots_to_invite};
use super::clock::{ClockRules, Deadline, NmrRule};
use super::club_command::{ClubCommand, CommandInput};
use super::command_table::CommandParseResult;
use super::parse_mailbox;
use super::press::PressTerms;
use super::proposal::{PlayerWishes, SeatWish};
use super::setting_command::LineError;
use super::undo_term::UndoTerm;
use crate::rules::GameRegistry;
use crate::rules::{BotLevel, Message};
use std::collections::BTreeMap;
use std::str::FromStr;

/// The most people that one line can invite.
const INVITATIONS_PER_LINE_MAX: usize = 12;
/// The most game options that one line can set.
const OPTIONS_PER_LINE_MAX: usize = 20;

/// A command about the list of games, or about membership.
#[derive(Clone, Debug, PartialEq)]
pub enum LobbyCommand {
    /// Proposes a new game: `new paris-connection seats 4 deadline 3d`.
    New(Box<NewGameTerms>),
    /// Joins a proposed game: `join 12`, `join 12 seat 2`, `join 12 side east`.
    Join { game: u32, wishes: PlayerWishes },
    /// Becomes a member: `join club`, from a newcomer.
    JoinClub,
    /// Invites people to a proposed game: `invite 12 bob@example.org`, from the game's founder.
    Invite {
        game: u32,
        /// The addresses of the invitees, in lower case.
        addresses: Vec<String>,
    },
    /// Begins a practice game against bots: `practice off-the-rails seats 2 easy`.
    Practice { kind: &'static str, seats: Option<u8>, level: BotLevel },
    /// Adds bots to a proposed game: `invite 12 bot fair`, from the game's founder.
    InviteBots { game: u32, levels: Vec<BotLevel> },
    /// Leaves a game that has not begun, or the waiting list of a game: `leave 12`.
    Leave(u32),
    /// Cancels a proposed game: `cancel 12`, from the game's founder.
    Cancel(u32),
    /// Waits for a free seat in a running game: `wait 12`.
    Wait(u32),
    /// Observes a game: `watch 12`. Letters then bring all that everybody may see.
    Watch(u32),
    /// Stops observing a game: `unwatch 12`.
    Unwatch(u32),
    /// Lists the proposed and running games: `games`.
    Games,
    /// Resigns from a game: `resign` in a reply to the game's letter, or `resign 12`.
    Resign {
        /// The number of the game. `None` means the game whose letter is answered.
        game: Option<u32>,
        /// Whether the line contains the `yes` that confirms it.
        is_confirmed: bool,
        /// The reason for the other players. May be empty.
        reason: String,
    },
    /// Proposes a rematch: `rematch` in a reply to a letter of a finished game.
    Rematch,
    /// Voids all reply tokens in older letters to the member: `new marks`.
    NewReplyTokens,
    /// Leaves the club: `leave club`. The member leaves all games, and the club deletes their name
    /// and addresses.
    LeaveClub {
        /// Whether the line contains the `yes` that confirms it.
        is_confirmed: bool,
    },
}

/// The terms of a game that a member would like to found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewGameTerms {
    pub(crate) kind: String,
    pub(crate) name: Option<GameName>,
    /// The number of seats. `None` means one for the founder and one for each invitee.
    pub seats: Option<u8>,
    pub(crate) options: BTreeMap<String, String>,
    pub time_terms: TimeTerms,
    /// The rule for absent players. `None` means the club's default.
    pub(crate) nmr: Option<NmrRule>,
    pub private: bool,
    /// The addresses of the invitees, in lower case.
    pub invited: Vec<String>,
    /// The least punctuality of players who join: the percentage of turns in time.
    pub(crate) punctuality_min: Option<u8>,
    /// The founder's own wishes.
    pub(crate) wishes: PlayerWishes,
    /// The press terms. `None` means the club's default.
    pub press: Option<PressTerms>,
    /// The undo term. `None` means the club's default.
    pub undo: Option<UndoTerm>,
    /// The levels of the bots that play.
    pub(crate) bots: Vec<BotLevel>,
    /// Whether players may ask for hints.
    pub(crate) hints: bool,
}

/// The deadline that the founder would like for a new game.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum TimeTerms {
    /// The club's clock rules apply to the new game.
    #[default]
    ClubDefault,
    /// The new game has no deadline.
    Untimed,
    By(Deadline),
}

/// Parses a command that consists of its word followed by exactly `words`.
pub(super) fn parse_fixed_line(
    said: &CommandInput<'_>,
    words: &[&str],
    deed: LobbyCommand,
) -> CommandParseResult {
    (said.argument_words()? == words).then_some(Ok(ClubCommand::Lobby(deed)))
}

/// Parses a command that consists of its word and the number of a game.
pub(super) fn parse_game_command(
    said: &CommandInput<'_>,
    deed: fn(u32) -> LobbyCommand,
) -> CommandParseResult {
    match said.argument_words()?.as_slice() {
        [game] => Some(Ok(ClubCommand::Lobby(deed(parse_game_number(game)?)))),
        _ => None,
    }
}

/// Parses the terms of a new game. A longer line is prose if its kind is unknown and it names no
/// term of a game. Examples are "New York Central 6" and "New here, be kind."
pub(super) fn parse_new_game(said: &CommandInput<'_>) -> CommandParseResult {
    const GAME_TERMS: [&str; 11] = [
        "hints", "bots", "deadline", "invite", "nmr", "players", "press", "private", "punctual",
        "seat", "seats",
    ];
    let rest = said.argument_words_as_written()?;
    if said.argument_words()? == ["marks"] {
        return None;
    }
    let read = parse_new_game_terms(said.games, &rest)
        .map(|wanted| ClubCommand::Lobby(LobbyCommand::New(Box::new(wanted))));
    let mut words = said.lowercase.split(|c: char| !c.is_alphabetic());
    let is_of_no_kind = read.as_ref().is_err_and(|wrong| wrong.key == "lobby-kind-unknown");
    let is_prose = is_of_no_kind && rest.len() > 1 && !words.any(|word| GAME_TERMS.contains(&word));
    (!is_prose).then_some(read)
}

pub(super) fn parse_join(said: &CommandInput<'_>) -> CommandParseResult {
    match said.argument_words()?.as_slice() {
        ["club"] => Some(Ok(ClubCommand::Lobby(LobbyCommand::JoinClub))),
        [game, wishes @ ..] => {
            let game = parse_game_number(game)?;
            let wishes = PlayerWishes::parse(wishes);
            Some(wishes.map(|wishes| ClubCommand::Lobby(LobbyCommand::Join { game, wishes })))
        }
        [] => None,
    }
}

pub(super) fn parse_invite(said: &CommandInput<'_>) -> CommandParseResult {
    let rest = said.argument_words_as_written()?;
    let (game, words) = rest.split_first()?;
    let (game, mut addresses) = (parse_game_number(game)?, Vec::new());
    if let ["bot" | "bots" | "Bot" | "Bots", words @ ..] = words {
        return Some(parse_bots_to_invite(game, words));
    }
    // If one address has a typo, the whole line is refused. Otherwise the sender would believe that
    // everybody was invited.
    Some(parse_addresses(words, &mut addresses).and_then(|taken| match words.get(taken) {
        Some(word) => Err(Message::new("lobby-invite-no-address").with("word", *word)),
        None => Ok(ClubCommand::Lobby(LobbyCommand::Invite { game, addresses })),
    }))
}

pub(super) fn parse_leave_club(said: &CommandInput<'_>) -> CommandParseResult {
    match said.argument_words()?.as_slice() {
        ["club", sure @ ..] if matches!(sure, [] | ["yes"]) => {
            Some(Ok(ClubCommand::Lobby(LobbyCommand::LeaveClub { is_confirmed: !sure.is_empty() })))
        }
        _ => None,
    }
}

/// Parses `resign`, an optional game number, and an optional `yes` with a reason behind it. The
/// reason is cut after 200 characters.
pub(super) fn parse_resign(said: &CommandInput<'_>) -> CommandParseResult {
    said.argument_words()?;
    let mut words = said.folded.split_whitespace().skip(1).peekable();
    let game =
        words.peek().and_then(|word| parse_game_number(word.trim_end_matches(['.', ':', ','])));
    if game.is_some() {
        words.next();
    }
    let yes = words.next().map(|word| word.trim_end_matches([':', ',', '.', '!']).to_lowercase());
    let sure = yes.as_deref() == Some("yes");
    let reason = words.filter(|_| sure).collect::<Vec<_>>().join(" ");
    let reason = reason.chars().filter(|c| !c.is_control()).take(200).collect();
    Some(Ok(ClubCommand::Lobby(LobbyCommand::Resign { game, is_confirmed: sure, reason })))
}

/// Parses a game's number, with or without `#`.
fn parse_game_number(word: &str) -> Option<u32> {
    word.trim_start_matches('#').parse().ok().filter(|game| *game > 0)
}

/// Parses the terms of a new game, which are the words after `new`.
fn parse_new_game_terms(games: GameRegistry, words: &[&str]) -> Result<NewGameTerms, LineError> {
    let (kind, mut words) = parse_kind(games, words)?;
    let mut wanted = NewGameTerms { kind: kind.to_owned(), ..NewGameTerms::default() };
    while let Some((word, rest)) = words.split_first() {
        let word = word.trim_end_matches([':', ',']);
        let unread = || Message::new("lobby-word-unread").with("word", word);
        let value = || rest.first().copied().map(|value| value.trim_end_matches(','));
        let number = || value().and_then(|value| value.parse::<u8>().ok()).ok_or_else(unread);
        // The number of following words that belong to this one.
        let mut taken = 1;
        match word.to_lowercase().as_str() {
            "for" | "and" | "with" | "players" | "option" => taken = 0,
            "seats" => wanted.seats = Some(number()?),
            "seat" => wanted.wishes.seat = Some(SeatWish::Seat(number()?.max(1))),
            "first" => (wanted.wishes.seat, taken) = (Some(SeatWish::First), 0),
            "last" => (wanted.wishes.seat, taken) = (Some(SeatWish::Last), 0),
            "side" => wanted.wishes.side = Some(value().ok_or_else(unread)?.to_lowercase()),
            "private" => (wanted.private, taken) = (true, 0),
            "punctual" => {
                let percent = value().and_then(|value| value.trim_end_matches('%').parse().ok());
                let percent = percent.filter(|percent: &u8| *percent <= 100);
                wanted.punctuality_min = Some(percent.ok_or_else(unread)?);
            }
            "nmr" => {
                wanted.nmr = Some(value().and_then(|word| word.parse().ok()).ok_or_else(unread)?);
            }
            "deadline" => (wanted.time_terms, taken) = parse_time_terms(rest)?,
            "invite" => taken = parse_addresses(rest, &mut wanted.invited)?,
            "press" => (wanted.press, taken) = parse_longest_run(rest, 4).ok_or_else(unread)?,
            "undo" => (wanted.undo, taken) = parse_longest_run(rest, 2).ok_or_else(unread)?,
            "bot" | "bots" => taken = parse_bot_levels(rest, &mut wanted.bots)?,
            "hints" => (wanted.hints, taken) = (true, 0),
            "named" => wanted.name = Some(parse_game_name(rest.first().copied())?),
            _ => taken = parse_option(word, value(), &mut wanted.options)?,
        }
        words = rest.get(taken..).unwrap_or_default();
    }
    Ok(wanted)
}

/// Returns the kind of game that the first words name, up to five of them, and the remaining words.
pub(super) fn parse_kind<'w, 'a>(
    games: GameRegistry,
    words: &'w [&'a str],
) -> Result<(&'static str, &'w [&'a str]), LineError> {
    let most = words.len().min(5);
    for count in (1..=most).rev() {
        let (name, rest) = words.split_at(count);
        let id = name.join("-").to_lowercase();
        if let Some(kind) = games.find_kind(id.trim_end_matches([':', ','])) {
            return Ok((kind.id(), rest));
        }
    }
    Err(Message::new("lobby-kind-unknown").with("kinds", kind_names(games)))
}

/// Parses the name of a new game, with or without quotes.
fn parse_game_name(word: Option<&str>) -> Result<GameName, LineError> {
    let name = word.unwrap_or_default().trim_matches([',', '"']);
    name.parse().map_err(|_| GameName::refusal_message(name))
}

/// Parses the longest run of words that is a deadline. Returns it with the number of its words.
fn parse_time_terms(words: &[&str]) -> Result<(TimeTerms, usize), LineError> {
    if words.first().is_some_and(|word| matches!(*word, "none" | "never")) {
        return Ok((TimeTerms::Untimed, 1));
    }
    let most = words.len().min(9);
    let found = (1..=most).rev().find_map(|count| {
        let text = words.get(..count)?.join(" ");
        Deadline::parse(text.trim_end_matches(',')).ok().map(|deadline| (deadline, count))
    });
    let (deadline, count) = found.ok_or_else(|| Message::new("lobby-deadline-unread"))?;
    Ok((TimeTerms::By(deadline), count))
}

/// Parses the longest run of at most `most` words that is a value. Returns it with the number of
/// its words.
fn parse_longest_run<T: FromStr>(words: &[&str], most: usize) -> Option<(Option<T>, usize)> {
    let read = |count| {
        let text = words.get(..count)?.join(" ");
        Some((Some(text.trim_end_matches(',').parse().ok()?), count))
    };
    (1..=words.len().min(most)).rev().find_map(read)
}

/// Adds all addresses at the beginning of `words` to `into`, and skips "and". Returns the number of
/// words used.
fn parse_addresses(words: &[&str], into: &mut Vec<String>) -> Result<usize, LineError> {
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
    match (taken, into.len() > INVITATIONS_PER_LINE_MAX) {
        (0, _) => Err(Message::new("lobby-invite-unread")),
        (_, true) => Err(Message::new("lobby-invite-many").with("most", INVITATIONS_PER_LINE_MAX)),
        (taken, false) => Ok(taken),
    }
}

/// Adds the option `key=value`, or `key` with the next word as its value. Returns the number of
/// further words used.
fn parse_option(
    word: &str,
    value: Option<&str>,
    into: &mut BTreeMap<String, String>,
) -> Result<usize, LineError> {
    let unread = || Message::new("lobby-word-unread").with("word", word);
    if into.len() >= OPTIONS_PER_LINE_MAX {
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

impl NewGameTerms {
    /// Returns the clock rules of the game, in a club with the default rules `usual`. `None` means
    /// no deadline.
    ///
    /// # Errors
    /// If no day is left to play on, or if the terms have a rule for absent players but no
    /// deadline.
    pub fn clock_rules(&self, usual: Option<&ClockRules>) -> Result<Option<ClockRules>, LineError> {
        let rules = match (&self.time_terms, usual) {
            (TimeTerms::Untimed, _) => None,
            (TimeTerms::ClubDefault, usual) => usual.cloned(),
            (TimeTerms::By(deadline), Some(usual)) => {
                Some(ClockRules { deadline: deadline.clone(), ..usual.clone() })
            }
            (TimeTerms::By(deadline), None) => Some(ClockRules::with_deadline(deadline.clone())),
        };
        let Some(mut rules) = rules else {
            return match self.nmr {
                Some(_) => Err(Message::new("lobby-nmr-alone")),
                None => Ok(None),
            };
        };
        rules.nmr = self.nmr.unwrap_or(rules.nmr);
        rules.check_any_day_allows_deadline().map_err(|_| Message::new("lobby-deadline-unread"))?;
        Ok(Some(rules))
    }
}

#[cfg(test)]
mod tests {
    use super::super::ParsedCommand;
    use super::*;
    use crate::games::SHIPPED;

    fn parse_lobby_line(line: &str) -> Option<Result<LobbyCommand, LineError>> {
        let deed = ParsedCommand::parse(SHIPPED, line, line, None)?.command;
        Some(deed.map(|deed| match deed {
            ClubCommand::Lobby(read) => read,
            other => panic!("{line}: {other:?}"),
        }))
    }

    fn parse_new_terms(line: &str) -> NewGameTerms {
        match parse_lobby_line(line) {
            Some(Ok(LobbyCommand::New(wanted))) => *wanted,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn error_key(line: &str) -> &'static str {
        match parse_lobby_line(line) {
            Some(Err(wrong)) => wrong.key,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn new_game_terms_parse_in_any_order() {
        let plain = parse_new_terms("new paris-connection seats 4 deadline 3d");
        assert_eq!((plain.kind.as_str(), plain.seats), ("paris-connection", Some(4)));
        assert_eq!(plain.time_terms, TimeTerms::By(Deadline::parse("3 days").unwrap()));
        let full = parse_new_terms(
            "New: Paris Connection, private deadline Mon,Thu 20:00 Europe/Madrid punctual 80% \
             stall_after_trades 24 invite bob@example.org, Cid@example.org seats 3 nmr forfeit \
             press public, anonymous undo 2 hours named Lyon, last",
        );
        assert_eq!(full.press.expect("it is read").to_string(), "public anonymous");
        assert_eq!(full.undo.map(|term| term.to_string()).as_deref(), Some("2 hours"));
        assert_eq!(full.name.as_ref().map(GameName::as_str), Some("Lyon"));
        assert!(full.private);
        assert_eq!(
            full.time_terms,
            TimeTerms::By(Deadline::parse("Mon,Thu 20:00 Europe/Madrid").unwrap())
        );
        assert_eq!(
            (full.punctuality_min, full.seats, full.nmr),
            (Some(80), Some(3), Some(NmrRule::Forfeit))
        );
        assert_eq!(full.invited, ["bob@example.org", "cid@example.org"]);
        assert_eq!(full.options.get("stall_after_trades").map(String::as_str), Some("24"));
        assert_eq!(full.wishes.seat, Some(SeatWish::Last));
        let other =
            parse_new_terms("new paris-connection stall_after_trades=9 deadline none for seats 5");
        assert_eq!((other.time_terms, other.options.len()), (TimeTerms::Untimed, 1));
    }

    #[test]
    fn unreadable_terms_get_specific_errors() {
        assert_eq!(error_key("new chess seats 2"), "lobby-kind-unknown");
        assert_eq!(error_key("new paris-connection seats many"), "lobby-word-unread");
        assert_eq!(error_key("new paris-connection deadline soon"), "lobby-deadline-unread");
        assert_eq!(error_key("new paris-connection invite bob"), "lobby-invite-unread");
        assert_eq!(error_key("new paris-connection punctual 101"), "lobby-word-unread");
        assert_eq!(error_key("new paris-connection undo 3 days"), "lobby-word-unread");
        for name in ["", "2", "seats 4", "Private", "Lyon2"] {
            let line = format!("new paris-connection seats 4 named {name}");
            assert_eq!(error_key(&line), "lobby-name-unread", "{line}");
        }
        for line in ["join 12 window", "join 12 side", "join 12 east side"] {
            assert_eq!(error_key(line), "lobby-join-unread", "{line}");
        }
        assert_eq!(error_key("new off-the-rails seats 2 side"), "lobby-word-unread");
    }

    #[test]
    fn game_orders_are_not_lobby_commands() {
        for line in ["join red", "pass", "watch", "leave", "wait for it", "resigned", "newest 4"] {
            assert_eq!(parse_lobby_line(line), None, "{line}");
        }
        let read = |line: &str| parse_lobby_line(line).unwrap().unwrap();
        let join = |seat, side: Option<&str>| {
            let wishes = PlayerWishes { seat, side: side.map(str::to_owned) };
            LobbyCommand::Join { game: 12, wishes }
        };
        assert_eq!(read("Join #12 seat 2."), join(Some(SeatWish::Seat(2)), None));
        assert_eq!(read("join 12 side East"), join(None, Some("east")));
        for line in ["join 12 first side east", "join 12 side east, first"] {
            assert_eq!(read(line), join(Some(SeatWish::First), Some("east")), "{line}");
        }
        let invite =
            LobbyCommand::Invite { game: 7, addresses: vec!["bob@example.org".to_owned()] };
        assert_eq!(read("invite 7 Bob@example.org"), invite);
        assert_eq!(read("games?"), LobbyCommand::Games);
        assert_eq!(read("leave club yes"), LobbyCommand::LeaveClub { is_confirmed: true });
        let reason = || "I move house.".to_owned();
        let resign = |game| LobbyCommand::Resign { game, is_confirmed: true, reason: reason() };
        assert_eq!(read("resign yes: I move house."), resign(None));
        assert_eq!(read("Resign 7 yes I move house."), resign(Some(7)));
        let unsure =
            LobbyCommand::Resign { game: Some(7), is_confirmed: false, reason: String::new() };
        assert_eq!(read("resign 7."), unsure);
    }

    #[test]
    fn seat_option_and_invite_terms_accept_variants() {
        let new = |words: &str| parse_new_terms(&format!("new paris-connection {words}"));
        assert_eq!(new("seats 4, first").wishes.seat, Some(SeatWish::First));
        let nine = [("stall_after_trades".to_owned(), "9".to_owned())];
        assert_eq!(new("option stall_after_trades 9").options, BTreeMap::from(nine));
        assert_eq!(new("option stall_after_trades=9").options.len(), 1);
        let rails = parse_new_terms("new off-the-rails seats 2, side East, last");
        assert_eq!(rails.wishes.side.as_deref(), Some("east"));
        assert_eq!((rails.wishes.seat, rails.options.len()), (Some(SeatWish::Last), 0));
        let both = ["bob@example.org", "cid@example.org"];
        assert_eq!(new("invite bob@example.org and Cid@example.org").invited, both);
        assert_eq!(new("invite bob@example.org, Bob@Example.org cid@example.org").invited, both);
    }

    #[test]
    fn game_and_seat_numbers_start_at_one() {
        assert_eq!(parse_lobby_line("join 0"), None);
        assert_eq!(parse_lobby_line("watch #0"), None);
        assert_eq!(error_key("join 12 seat 0"), "lobby-join-unread");
        let wishes = PlayerWishes { seat: Some(SeatWish::Seat(1)), side: None };
        let join = LobbyCommand::Join { game: 12, wishes };
        assert_eq!(parse_lobby_line("join 12 seat 1"), Some(Ok(join)));
    }
}
