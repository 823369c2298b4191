//! The parser for the moderator's commands, in letters and on the command line.
//!
//! Pure. A line is passed in as plain characters. Other modules carry the commands out.

use super::club_command::{ClubCommand, CommandInput, ParsedCommand};
use super::command_table::{CommandParseResult, help_sentence_keys};
use super::intervention::{parse_only_seat, parse_positive_number};
use super::{Intervention, Substitute, clean_name, parse_mailbox};
use crate::rules::{Arg, Message, Seat};

/// A command of the moderator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModeratorCommand {
    /// Changes a game, and tells its players why.
    Intervene { game: u32, intervention: Intervention, reason: String },
    /// Sends a text to all players of all running games.
    AnnounceToAll(String),
    /// Adds a note to a game's activity log that only the moderator can read.
    Note { game: u32, text: String },
    /// Voids all reply tokens of a member.
    RotateMember {
        /// The member's number, address or name.
        who: String,
        reason: String,
    },
    /// Invites a non-member to the club.
    Invite {
        /// The invitee's name. May be empty.
        name: String,
        /// The invitee's address, in lower case.
        address: String,
    },
    /// Voids all reply tokens of the moderator.
    NewReplyTokens,
    /// Shows a game's log and its activity log.
    Log(u32),
    /// Lists the running games, their awaited seats and the deadlines.
    List,
    /// Lists the letters that a member has sent.
    MemberLetters {
        /// The member's number, address or name.
        who: String,
    },
    /// Lists or decides letters in quarantine.
    Quarantine(QuarantineCommand),
}

/// A command of the moderator about letters in quarantine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuarantineCommand {
    List,
    /// Shows a letter. Here and below, `name` may be any part of the file name that occurs in no
    /// other one.
    Show(String),
    /// Accepts a letter, even though its sender is doubtful.
    Accept {
        name: String,
        /// The sender's game and seat, if the letter does not name them itself.
        seat: Option<(u32, Seat)>,
        reason: String,
    },
    /// Rejects a letter and archives it.
    Reject {
        name: String,
        /// The reason, for the activity log. May be empty.
        reason: String,
    },
}

/// The message that says what is wrong with a line of the moderator.
pub type ModeratorLineError = Message;

impl ModeratorCommand {
    /// Returns a message for each line that the moderator can write in a letter. Variants of a line
    /// are in brackets.
    pub(crate) fn list_command_forms() -> impl Iterator<Item = Message> {
        help_sentence_keys("form-").into_iter().map(|key| {
            let also = match key {
                "form-set" => "form-set-also",
                "form-announce" => "form-announce-also",
                "form-letters-accept" => "form-letters-accept-also",
                _ => return Message::new("moderator-form").with("form", Arg::Term(key)),
            };
            Message::new("moderator-form-also")
                .with("form", Arg::Term(key))
                .with("also", Arg::Term(also))
        })
    }

    /// Signs the texts of the command that others read: reasons, announcements and notes.
    pub(crate) fn sign_texts(&mut self, sign: impl Fn(&str) -> String) {
        match self {
            Self::Intervene { reason: text, .. }
            | Self::AnnounceToAll(text)
            | Self::Note { text, .. }
            | Self::RotateMember { reason: text, .. }
            | Self::Quarantine(
                QuarantineCommand::Accept { reason: text, .. }
                | QuarantineCommand::Reject { reason: text, .. },
            ) => *text = sign(text),
            Self::Invite { .. }
            | Self::NewReplyTokens
            | Self::Log(_)
            | Self::List
            | Self::MemberLetters { .. }
            | Self::Quarantine(QuarantineCommand::List | QuarantineCommand::Show(_)) => {}
        }
    }

    /// Parses a line such as `pause 12 because I travel`.
    ///
    /// # Errors
    /// The message that says what is wrong, or shows the correct form.
    pub fn parse(line: &str) -> Result<Self, ModeratorLineError> {
        match ParsedCommand::parse_for_moderator(line).map(|line| line.command) {
            Some(Ok(ClubCommand::Moderate(command))) => Ok(command),
            Some(Err(why)) => Err(why),
            _ => Err(unknown_line_error()),
        }
    }
}

/// Returns the words behind the command's word, in lower case and without punctuation, and the
/// reason. Words that are only punctuation are left out. The reason is empty if the line has no
/// "because". `None` if the line begins with another word.
fn split_off_reason<'a>(said: &CommandInput<'a>) -> Option<(Vec<&'a str>, &'a str)> {
    let mut words = split_at_because(said.lowercase).0.split_whitespace().map(trim_punctuation);
    let is_led = said.entry.words.contains(&words.next()?);
    let words = words.filter(|word| !word.is_empty());
    is_led.then(|| (words.collect(), split_at_because(said.folded).1))
}

/// Returns the reason, or the error of a line without the reason that it needs.
fn require_reason(reason: &str, form: &'static str) -> Result<String, ModeratorLineError> {
    let none = || Message::new("moderator-no-reason").with("form", Arg::Term(form));
    if reason.is_empty() { Err(none()) } else { Ok(reason.to_owned()) }
}

/// Returns all words of the line before the reason, as they were written. Words that are only
/// punctuation are left out.
fn written_words<'a>(said: &CommandInput<'a>) -> Vec<&'a str> {
    let words = split_at_because(said.folded).0.split_whitespace();
    words.filter(|word| !trim_punctuation(word).is_empty()).collect()
}

/// Returns the person whom the last words before the reason name, as they were written. `lowercase`
/// holds the same words in lower case. A name and an address become a mailbox. An address alone is
/// returned in lower case.
fn as_written(said: &CommandInput<'_>, lowercase: &str) -> String {
    let words = written_words(said);
    let first = words.len().saturating_sub(lowercase.split_whitespace().count());
    let written = words.get(first..).unwrap_or_default().join(" ");
    if let Some((mailbox, _)) = written.split_once('>') {
        return format!("{mailbox}>");
    }
    match split_name_and_address(&written) {
        (_, last) if !last.contains('@') => trim_punctuation(&written).to_owned(),
        ("", address) => address.to_lowercase(),
        (name, address) => format!("{name} <{address}>"),
    }
}

/// Splits a text such as `Zoe Miller <zoe@example.org>` into the name and the address. The `<` and
/// `>` may be missing, and the name may be empty.
fn split_name_and_address(text: &str) -> (&str, &str) {
    let (name, address) = text.rsplit_once(' ').unwrap_or(("", text));
    let around = |c: char| matches!(c, '<' | '>' | ',' | '.' | '!' | '"');
    (name.trim_matches([' ', '"', ',', ':']), address.trim_matches(around))
}

/// Returns the text behind the first word, as written. `None` if the line begins with another word.
fn text_after_command<'a>(said: &CommandInput<'a>) -> Option<&'a str> {
    split_off_reason(said)?;
    Some(
        said.folded
            .trim()
            .split_once([' ', ':'])
            .map_or("", |(_, rest)| trim_separators_and_quotes(rest)),
    )
}

pub(super) fn parse_intervention(said: &CommandInput<'_>) -> CommandParseResult {
    let (rest, reason) = split_off_reason(said)?;
    let (verb, form) = (said.entry.main_word(), said.entry.help_key);
    if let ("rotate", ["member", _, ..]) = (verb, rest.as_slice()) {
        return None;
    }
    let read = || {
        let (game, rest) = parse_leading_game(&rest).ok_or_else(|| wrong_form_error(form))?;
        let mut what = Intervention::parse(verb, rest)?.ok_or_else(|| wrong_form_error(form))?;
        if let Intervention::Replace { by: Substitute::Named(who), .. } = &mut what {
            *who = as_written(said, who);
        }
        Ok(ModeratorCommand::Intervene {
            game,
            intervention: what,
            reason: require_reason(reason, form)?,
        })
    };
    Some(read().map(ClubCommand::Moderate))
}

pub(super) fn parse_rotate_member(said: &CommandInput<'_>) -> CommandParseResult {
    let (rest, reason) = split_off_reason(said)?;
    let who = rest.strip_prefix(&["member"]).filter(|who| !who.is_empty())?;
    let who = as_written(said, &who.join(" "));
    let rotate = |reason| ModeratorCommand::RotateMember { who, reason };
    Some(require_reason(reason, said.entry.help_key).map(rotate).map(ClubCommand::Moderate))
}

pub(super) fn parse_new_reply_tokens(said: &CommandInput<'_>) -> CommandParseResult {
    (split_off_reason(said)?.0 == ["marks"])
        .then_some(Ok(ClubCommand::Moderate(ModeratorCommand::NewReplyTokens)))
}

/// Parses an invitation to the club: an optional name, and an address.
pub(super) fn parse_invitation(said: &CommandInput<'_>) -> CommandParseResult {
    let text = text_after_command(said)?;
    // With a game's number, it is an invitation to a game, which the moderator makes as a member of
    // the club.
    if split_leading_game(text).is_some() {
        return None;
    }
    let (name, address) = split_name_and_address(text);
    let (name, address) = (clean_name(name), parse_mailbox(address).map(|(_, address)| address));
    let invite = address.map(|address| ModeratorCommand::Invite { name, address });
    Some(command_or_form_error(said, invite))
}

pub(super) fn parse_announcement(said: &CommandInput<'_>) -> CommandParseResult {
    let text = text_after_command(said)?;
    let (game, text) = split_leading_game(text)
        .map_or((None, strip_word_all(text)), |(game, text)| (Some(game), text));
    let reason = text.to_owned();
    let what = Intervention::Announce;
    let announce = match game {
        Some(game) => ModeratorCommand::Intervene { game, intervention: what, reason },
        None => ModeratorCommand::AnnounceToAll(reason),
    };
    Some(command_or_form_error(said, Some(announce).filter(|_| !text.is_empty())))
}

pub(super) fn parse_moderator_note(said: &CommandInput<'_>) -> CommandParseResult {
    let noted = split_leading_game(text_after_command(said)?).filter(|(_, text)| !text.is_empty());
    let note = |(game, text): (u32, &str)| ModeratorCommand::Note { game, text: text.to_owned() };
    Some(command_or_form_error(said, noted.map(note)))
}

pub(super) fn parse_log(said: &CommandInput<'_>) -> CommandParseResult {
    let (rest, _) = split_off_reason(said)?;
    let game = parse_leading_game(&rest).filter(|(_, rest)| rest.is_empty());
    Some(command_or_form_error(said, game.map(|(game, _)| ModeratorCommand::Log(game))))
}

pub(super) fn parse_list(said: &CommandInput<'_>) -> CommandParseResult {
    split_off_reason(said)?
        .0
        .is_empty()
        .then_some(Ok(ClubCommand::Moderate(ModeratorCommand::List)))
}

/// Returns the command, or the error that shows the only form of the line.
fn command_or_form_error(
    said: &CommandInput<'_>,
    read: Option<ModeratorCommand>,
) -> Result<ClubCommand, ModeratorLineError> {
    read.map(ClubCommand::Moderate).ok_or_else(|| wrong_form_error(said.entry.help_key))
}

/// Parses a line about letters: those in quarantine, in four forms, or those of a member.
pub(super) fn parse_letters_command(said: &CommandInput<'_>) -> CommandParseResult {
    let (words, reason) = split_off_reason(said)?;
    if let ["from", who @ ..] = words.as_slice() {
        let who = Some(as_written(said, &who.join(" "))).filter(|who| !who.is_empty());
        let list = who.map(|who| ClubCommand::Moderate(ModeratorCommand::MemberLetters { who }));
        return Some(list.ok_or_else(|| wrong_form_error("form-letters-from")));
    }
    // A file name is case-sensitive and may contain dots, so it is taken from the original line.
    // The flags that a mail program adds behind `:2,` are removed.
    let name = written_words(said).get(2).copied().unwrap_or_default();
    let name = name.split(":2,").next().unwrap_or(name).to_owned();
    let read = || {
        Ok(match words.as_slice() {
            [] | ["list"] => QuarantineCommand::List,
            ["show", _] => QuarantineCommand::Show(name),
            ["accept", _, whose @ ..] => {
                let wrong = || wrong_form_error("form-letters-accept-for");
                let seat = Some(whose).filter(|whose| !whose.is_empty());
                let seat =
                    seat.map(|whose| parse_game_and_seat(whose).ok_or_else(wrong)).transpose()?;
                QuarantineCommand::Accept {
                    name,
                    seat,
                    reason: require_reason(reason, "form-letters-accept")?,
                }
            }
            ["reject", _] => QuarantineCommand::Reject { name, reason: reason.to_owned() },
            _ => return Err(wrong_form_error("form-letters")),
        })
    };
    Some(read().map(ModeratorCommand::Quarantine).map(ClubCommand::Moderate))
}

/// Parses `for 12 seat 2` into a game and a seat.
fn parse_game_and_seat(words: &[&str]) -> Option<(u32, Seat)> {
    let (game, rest) = words.strip_prefix(&["for"]).and_then(parse_leading_game)?;
    Some((game, parse_only_seat(rest)?))
}

/// Splits a line at " because" into the command and the reason. The reason is empty if there is
/// none.
fn split_at_because(line: &str) -> (&str, &str) {
    const BECAUSE: &str = " because";
    let found = line.to_ascii_lowercase().find(BECAUSE);
    match found.and_then(|at| Some((line.get(..at)?, line.get(at + BECAUSE.len()..)?))) {
        Some((head, reason)) => (head, reason.trim_start_matches([':', ',', ' ']).trim_end()),
        None => (line, ""),
    }
}

/// Removes separators before a text, and quotation marks around it.
fn trim_separators_and_quotes(text: &str) -> &str {
    let text = text.trim_start_matches([' ', ':', ',']).trim();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.unwrap_or(text)
}

/// Splits a text that begins with a game's number into the number and the rest: `12`, `#12` or
/// `game 12`.
fn split_leading_game(text: &str) -> Option<(u32, &str)> {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    if first.eq_ignore_ascii_case("game") {
        return split_leading_game(rest);
    }
    Some((parse_positive_number(trim_punctuation(first))?, trim_separators_and_quotes(rest)))
}

fn strip_word_all(text: &str) -> &str {
    match text.split_once([' ', ':']) {
        Some((all, rest)) if all.eq_ignore_ascii_case("all") => trim_separators_and_quotes(rest),
        _ => text,
    }
}

/// Like [`split_leading_game`], for words.
fn parse_leading_game<'a>(words: &'a [&'a str]) -> Option<(u32, &'a [&'a str])> {
    match words {
        ["game", rest @ ..] => parse_leading_game(rest),
        [game, rest @ ..] => Some((parse_positive_number(game)?, rest)),
        [] => None,
    }
}

fn trim_punctuation(word: &str) -> &str {
    word.trim_end_matches([',', '.', ';', ':', '!'])
}

fn unknown_line_error() -> ModeratorLineError {
    Message::new("moderator-unknown")
}

fn wrong_form_error(form: &'static str) -> ModeratorLineError {
    Message::new("moderator-wrong-form").with("form", Arg::Term(form))
}

#[cfg(test)]
mod tests;
