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
/// reason. The reason is empty if the line has no "because". `None` if the line begins with another
/// word.
fn split_off_reason<'a>(said: &CommandInput<'a>) -> Option<(Vec<&'a str>, &'a str)> {
    let mut words = split_at_because(said.lowercase).0.split_whitespace().map(trim_punctuation);
    let is_led = said.entry.words.contains(&words.next()?);
    is_led.then(|| (words.collect(), split_at_because(said.folded).1))
}

/// Returns the reason, or the error of a line without the reason that it needs.
fn require_reason(reason: &str, form: &'static str) -> Result<String, ModeratorLineError> {
    let none = || Message::new("moderator-no-reason").with("form", Arg::Term(form));
    if reason.is_empty() { Err(none()) } else { Ok(reason.to_owned()) }
}

/// Returns the words at the end of the command, before the reason, as they were written.
/// `lowercase` holds the same words in lower case. An address alone stays in lower case.
fn as_written(said: &CommandInput<'_>, lowercase: &str) -> String {
    if lowercase.contains('@') && !lowercase.contains('<') {
        return lowercase.to_owned();
    }
    let words: Vec<&str> = split_at_because(said.folded).0.split_whitespace().collect();
    let first = words.len().saturating_sub(lowercase.split_whitespace().count());
    let written = words.get(first..).unwrap_or_default().join(" ");
    match written.split_once('>') {
        Some((mailbox, _)) => format!("{mailbox}>"),
        None => written.trim_end_matches([',', ';', ':', '!']).to_owned(),
    }
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
    let rotate = |reason| ModeratorCommand::RotateMember { who: who.join(" "), reason };
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
    let (name, address) = text.rsplit_once(' ').unwrap_or(("", text));
    let around = |c: char| matches!(c, '<' | '>' | ',' | '.' | '!' | '"');
    let address = parse_mailbox(address.trim_matches(around)).map(|(_, address)| address);
    let name = clean_name(name.trim_matches([' ', '"', ',', ':']));
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
        let who = Some(who.join(" ")).filter(|who| !who.is_empty());
        let list = who.map(|who| ClubCommand::Moderate(ModeratorCommand::MemberLetters { who }));
        return Some(list.ok_or_else(|| wrong_form_error("form-letters-from")));
    }
    // A file name is case-sensitive and may contain dots, so it is taken from the original line.
    // The flags that a mail program adds behind `:2,` are removed.
    let name = split_at_because(said.folded).0.split_whitespace().nth(2).unwrap_or_default();
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
mod tests {
    use super::super::clock::{ClockRule, Length, NmrRule};
    use super::*;

    fn parse_intervention_line(line: &str) -> (u32, Intervention, String) {
        match ModeratorCommand::parse(line) {
            Ok(ModeratorCommand::Intervene { game, intervention: what, reason }) => {
                (game, what, reason)
            }
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn intervention_line_has_game_and_reason() {
        let why = || "I travel, and so does Bob.".to_owned();
        for line in [
            "pause 12 because I travel, and so does Bob.",
            "PAUSE game #12 Because: I travel, and so does Bob.",
            "pause #12, because I travel, and so does Bob.",
        ] {
            assert_eq!(parse_intervention_line(line), (12, Intervention::Pause, why()));
        }
        let of = |line: &str| parse_intervention_line(&format!("{line} because x")).1;
        assert_eq!(of("extend 12 by 3 days"), Intervention::Extend(Length::Days(3)));
        assert_eq!(of("Extend 12 12h"), Intervention::Extend(Length::Minutes(720)));
        assert_eq!(of("rewind 12 to 37"), Intervention::Rewind(37));
        assert_eq!(of("force 12 seat 2"), Intervention::Force(Seat::new(2)));
        let by = Substitute::Named("ann@example.org".to_owned());
        assert_eq!(
            of("replace 12 seat 2 by Ann@Example.org"),
            Intervention::Replace { seat: Seat::new(2), by }
        );
        let six_hours = ClockRule::Grace(Some(Length::Minutes(360)));
        assert_eq!(of("set 12 grace \"6 hours\""), Intervention::Set(vec![six_hours]));
        assert_eq!(of("set 12 bank none"), Intervention::Set(vec![ClockRule::Bank(None)]));
        assert_eq!(
            of("set 12 nmr forfeit"),
            Intervention::Set(vec![ClockRule::Nmr(NmrRule::Forfeit)])
        );
        let Intervention::Set(rules) = of("set 12 deadline Mon,Thu 20:00 Europe/Madrid") else {
            panic!("a deadline")
        };
        assert_eq!(rules[0].to_string(), "deadline Mon,Thu 20:00 Europe/Madrid");
    }

    #[test]
    fn moderator_texts_keep_their_writing() {
        let read = |line: &str| ModeratorCommand::parse(line).expect(line);
        let text = |text: &str| text.to_owned();
        assert_eq!(
            read("announce 12 No letters on Sunday, because of the fair."),
            ModeratorCommand::Intervene {
                game: 12,
                intervention: Intervention::Announce,
                reason: text("No letters on Sunday, because of the fair."),
            }
        );
        let all = |said: &str| ModeratorCommand::AnnounceToAll(text(said));
        assert_eq!(read("announce all: 12 games begin"), all("12 games begin"));
        assert_eq!(read("Announce \"We are back\""), all("We are back"));
        assert_eq!(
            read("note game 12: Ann asked twice"),
            ModeratorCommand::Note { game: 12, text: text("Ann asked twice") }
        );
        let name = text("1767636000.M1P2.Host,S=7");
        assert_eq!(
            read("letters accept 1767636000.M1P2.Host,S=7:2,S for 12 seat 2 because it is hers"),
            ModeratorCommand::Quarantine(QuarantineCommand::Accept {
                name: name.clone(),
                seat: Some((12, Seat::new(2))),
                reason: text("it is hers"),
            })
        );
        assert_eq!(
            read("letters reject 1767636000.M1P2.Host,S=7"),
            ModeratorCommand::Quarantine(QuarantineCommand::Reject { name, reason: text("") })
        );
    }

    #[test]
    fn token_rotation_lines_are_parsed() {
        let rotate = ModeratorCommand::RotateMember {
            who: "ann@example.org".to_owned(),
            reason: "it was read".to_owned(),
        };
        assert_eq!(
            ModeratorCommand::parse("rotate member Ann@Example.org because it was read"),
            Ok(rotate)
        );
        assert_eq!(ModeratorCommand::parse("New marks."), Ok(ModeratorCommand::NewReplyTokens));
    }

    #[test]
    fn people_may_be_named_by_name() {
        let parse = |line| ModeratorCommand::parse(line).expect(line);
        let (who, reason) = ("zed smith".to_owned(), "x".to_owned());
        let rotate = ModeratorCommand::RotateMember { who: who.clone(), reason };
        assert_eq!(parse("rotate member Zed Smith because x"), rotate);
        assert_eq!(parse("Letters from Zed Smith."), ModeratorCommand::MemberLetters { who });
        for (written, by) in [
            ("by Zed Smith <Zed@x.org>", "Zed Smith <Zed@x.org>"),
            ("with \"Smith, Zed\" <zed@x.org>,", "\"Smith, Zed\" <zed@x.org>"),
            ("by Zed Smith,", "Zed Smith"),
        ] {
            let line = format!("replace 12 seat 2 {written} because x");
            let (seat, by) = (Seat::new(2), Substitute::Named(by.to_owned()));
            assert_eq!(parse_intervention_line(&line).1, Intervention::Replace { seat, by });
        }
    }

    #[test]
    fn invitation_has_address_and_optional_name() {
        for (line, name) in [
            ("invite Zoe Miller <Zoe@Example.net>", "Zoe Miller"),
            ("Invite: \"Zoe Miller\" zoe@example.net.", "Zoe Miller"),
            ("invite zoe@example.net", ""),
            ("invite <zoe@example.net>", ""),
        ] {
            let (name, address) = (name.to_owned(), "zoe@example.net".to_owned());
            assert_eq!(
                ModeratorCommand::parse(line),
                Ok(ModeratorCommand::Invite { name, address }),
                "{line}"
            );
        }
        let key = |line: &str| ModeratorCommand::parse(line).expect_err(line).key;
        for line in ["invite", "invite Zoe", "invite zoe@x.org because she asked"] {
            assert_eq!(key(line), "moderator-wrong-form", "{line}");
        }
        assert_eq!(key("invite 12 zoe@example.net"), "moderator-unknown");
    }

    #[test]
    fn listed_forms_can_be_parsed() {
        let library = crate::render::Library::embedded().unwrap();
        let plain = ["form-letters-accept-for"].into_iter();
        for key in help_sentence_keys("form-").into_iter().chain(plain) {
            for tag in library.language_tags() {
                let form = library.language(tag).localize(&Message::new(key));
                assert!(ModeratorCommand::parse(&form).is_ok(), "{tag}: {form}");
            }
        }
    }

    #[test]
    fn faulty_moderator_lines_get_specific_errors() {
        let key = |line: &str| ModeratorCommand::parse(line).expect_err(line).key;
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

    #[test]
    fn empty_announcement_or_note_is_refused() {
        let key = |line: &str| ModeratorCommand::parse(line).expect_err(line).key;
        for line in ["announce", "announce 12", "announce game 12:", "announce all:", "note 12:"] {
            assert_eq!(key(line), "moderator-wrong-form", "{line}");
        }
    }
}
