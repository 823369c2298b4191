//! The table of all words that can begin a command in a letter.
//!
//! The one slice [`ENTRIES`] serves players, members, newcomers and the moderator. These are
//! derived from it: the parser, the recognition of mistyped commands, the answers to `help`, and
//! the reserved names of games. The tests of the lexicons and of the pages in `docs/` use it, too.
//! A new word needs its entry here, its effect in `process`, its sentences, and its line in the
//! page.

use super::bot_lines::parse_practice;
use super::club_command::{ClubCommand, CommandInput};
use super::lobby_command::{
    parse_fixed_line, parse_game_command, parse_invite, parse_join, parse_leave_club,
    parse_new_game, parse_resign,
};
use super::moderator_command::{
    parse_announcement, parse_intervention, parse_invitation, parse_letters_command, parse_list,
    parse_log, parse_moderator_note, parse_new_reply_tokens, parse_rotate_member,
};
use super::vote::Ballot;
use super::{
    LineError, LobbyCommand, NoteCommand, Question, SettingCommand, is_undo_request,
    parse_address_line,
};
use CommandScope::{Alone, Game, Member, Moderator, Open, Seat};

/// The letters in which a command has an effect, and whether it may be next to orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandScope {
    /// The command has an effect in a player's reply to a letter of a game. Orders may be in the
    /// same letter.
    Game,
    /// Like [`CommandScope::Game`], for commands about the player's own seat. A command in the
    /// quoted part of the letter has no effect.
    Seat,
    /// The command has an effect in any letter of a member. Orders may be in the same letter.
    Member,
    /// The command has an effect in any letter of a member, as its only line.
    Alone,
    /// Like [`CommandScope::Alone`], and also in a letter of a newcomer to an open club.
    Open,
    Moderator,
}

/// The command in a line, or what is wrong with it. `None` if the line only begins with a command's
/// word, and may be an order or prose.
pub(crate) type CommandParseResult = Option<Result<ClubCommand, LineError>>;

/// A row of the table: the words with which a command can begin, and its parser.
#[derive(Debug)]
pub(crate) struct CommandEntry {
    /// The main word, which letters show, and then its synonyms.
    pub(crate) words: &'static [&'static str],
    pub(crate) scope: CommandScope,
    /// The key of the sentence that `help` shows for the command, or [`HELP_CARD`]. Empty if
    /// another entry shows the command.
    pub(crate) help_key: &'static str,
    /// Whether the word is rare in prose. If so, the club asks about a mistyped line that begins
    /// with the word. Otherwise such a line counts as talk.
    pub(crate) is_distinct: bool,
    pub(crate) parse: fn(&CommandInput<'_>) -> CommandParseResult,
}

/// The value of `help` for a word that is explained on the help card of a game's letters, the
/// template `help.txt`.
pub(crate) const HELP_CARD: &str = "help.txt";

const fn new_entry(
    words: &'static [&'static str],
    place: CommandScope,
    help: &'static str,
    read: fn(&CommandInput<'_>) -> CommandParseResult,
) -> CommandEntry {
    CommandEntry { words, scope: place, help_key: help, is_distinct: true, parse: read }
}

/// Returns an entry whose word is also common in prose.
const fn new_common_entry(
    words: &'static [&'static str],
    place: CommandScope,
    help: &'static str,
    read: fn(&CommandInput<'_>) -> CommandParseResult,
) -> CommandEntry {
    CommandEntry { words, scope: place, help_key: help, is_distinct: false, parse: read }
}

/// All commands. If several entries share a word, the first one whose parser accepts the line wins.
/// `help` shows the commands in this order.
pub(crate) const ENTRIES: &[CommandEntry] = &[
    new_entry(&["preview"], Game, HELP_CARD, |said| said.parse_question(Question::Preview)),
    new_entry(&["status"], Game, HELP_CARD, |said| said.parse_question(Question::Status)),
    new_common_entry(&["pace"], Game, HELP_CARD, |said| said.parse_question(Question::Pace)),
    new_entry(&["board"], Game, HELP_CARD, |said| said.parse_question(Question::Board)),
    new_entry(&["history"], Game, HELP_CARD, |said| said.parse_question(Question::History)),
    new_entry(&["legal"], Game, HELP_CARD, |said| said.parse_question(Question::Legal)),
    new_entry(&["rules"], Game, HELP_CARD, |said| said.parse_question(Question::Rules)),
    new_entry(&["settings"], Member, HELP_CARD, |said| said.parse_question(Question::Settings)),
    new_entry(&["help"], Open, HELP_CARD, |said| said.parse_question(Question::Help)),
    new_common_entry(&["hint"], Seat, HELP_CARD, |said| {
        said.argument_words()?.is_empty().then_some(Ok(ClubCommand::Hint))
    }),
    new_entry(&["note"], Seat, HELP_CARD, parse_note_command),
    new_entry(&["forget"], Seat, HELP_CARD, parse_note_command),
    new_entry(&["vote"], Game, HELP_CARD, |said| {
        Some(Ballot::parse(said.folded, said.undo_record)?.map(ClubCommand::Vote))
    }),
    new_entry(&["undo", "take", "please", "pls", "sorry", "oops", "ok"], Seat, HELP_CARD, |said| {
        is_undo_request(said.folded).then_some(Ok(ClubCommand::Undo))
    }),
    new_common_entry(&["games"], Open, "errand-card-games", |said| {
        parse_fixed_line(said, &[], LobbyCommand::Games)
    }),
    new_common_entry(&["new"], Alone, "errand-card-new", parse_new_game),
    new_common_entry(&["practice", "practise"], Alone, "errand-card-practice", parse_practice),
    new_entry(&["join"], Open, "errand-card-join", parse_join),
    new_entry(&["leave"], Alone, "errand-card-join", |said| {
        parse_game_command(said, LobbyCommand::Leave)
    }),
    new_common_entry(&["wait"], Alone, "errand-card-wait", |said| {
        parse_game_command(said, LobbyCommand::Wait)
    }),
    new_entry(&["watch"], Alone, "errand-card-wait", |said| {
        parse_game_command(said, LobbyCommand::Watch)
    }),
    new_common_entry(&["unwatch"], Alone, "errand-card-wait", |said| {
        parse_game_command(said, LobbyCommand::Unwatch)
    }),
    new_entry(&["cancel"], Alone, "errand-card-founder", |said| {
        parse_game_command(said, LobbyCommand::Cancel)
    }),
    new_entry(&["invite"], Alone, "errand-card-founder", parse_invite),
    new_entry(&["rematch"], Alone, HELP_CARD, |said| {
        parse_fixed_line(said, &[], LobbyCommand::Rematch)
    }),
    new_entry(&["resign"], Alone, HELP_CARD, parse_resign),
    new_entry(&["leave"], Alone, "errand-card-leave", parse_leave_club),
    new_common_entry(&["new"], Alone, "errand-card-marks", |said| {
        parse_fixed_line(said, &["marks"], LobbyCommand::NewReplyTokens)
    }),
    new_entry(&["zone", "timezone"], Member, HELP_CARD, parse_setting_command),
    new_entry(&["vacation", "holiday"], Member, HELP_CARD, parse_setting_command),
    new_common_entry(&["remind"], Member, HELP_CARD, parse_setting_command),
    new_entry(&["language"], Member, HELP_CARD, parse_setting_command),
    new_entry(&["letters"], Member, HELP_CARD, parse_setting_command),
    new_entry(&["digest"], Member, HELP_CARD, parse_setting_command),
    new_entry(&["subjects"], Member, HELP_CARD, parse_setting_command),
    new_entry(&["standings"], Member, HELP_CARD, parse_setting_command),
    new_entry(&["invitations"], Member, HELP_CARD, parse_setting_command),
    new_common_entry(&["site"], Member, HELP_CARD, parse_setting_command),
    new_entry(&["board", "boards"], Member, HELP_CARD, parse_setting_command),
    new_common_entry(
        &["colours", "colors", "colour", "color"],
        Member,
        HELP_CARD,
        parse_setting_command,
    ),
    new_entry(&["calendar"], Member, HELP_CARD, parse_setting_command),
    new_common_entry(
        &["no", "pictures", "html", "plain", "text"],
        Member,
        "",
        parse_setting_command,
    ),
    new_common_entry(&["ascii", "unicode", "narrow", "wide"], Member, "", parse_setting_command),
    new_entry(&["address"], Member, "errand-card-own", |said| {
        Some(parse_address_line(said.folded)?.map(ClubCommand::Address))
    }),
    new_entry(&["pause"], Moderator, "form-pause", parse_intervention),
    new_entry(&["resume"], Moderator, "form-resume", parse_intervention),
    new_entry(&["extend"], Moderator, "form-extend", parse_intervention),
    new_entry(&["rewind"], Moderator, "form-rewind", parse_intervention),
    new_entry(&["force"], Moderator, "form-force", parse_intervention),
    new_entry(&["end"], Moderator, "form-end", parse_intervention),
    new_entry(&["replace"], Moderator, "form-replace", parse_intervention),
    new_entry(&["remove"], Moderator, "form-remove", parse_intervention),
    new_entry(&["rotate"], Moderator, "form-rotate", parse_intervention),
    new_entry(&["rotate"], Moderator, "form-rotate-member", parse_rotate_member),
    new_entry(&["new"], Moderator, "form-new-marks", parse_new_reply_tokens),
    new_entry(&["invite"], Moderator, "form-invite", parse_invitation),
    new_entry(&["set"], Moderator, "form-set", parse_intervention),
    new_entry(&["announce"], Moderator, "form-announce", parse_announcement),
    new_entry(&["note"], Moderator, "form-note", parse_moderator_note),
    new_entry(&["log", "history"], Moderator, "form-log", parse_log),
    new_entry(&["list", "games", "status"], Moderator, "form-list", parse_list),
    new_entry(&["letters", "letter"], Moderator, "form-letters-list", parse_letters_command),
    new_entry(&["letters", "letter"], Moderator, "form-letters-show", parse_letters_command),
    new_entry(&["letters", "letter"], Moderator, "form-letters-accept", parse_letters_command),
    new_entry(&["letters", "letter"], Moderator, "form-letters-reject", parse_letters_command),
    new_entry(&["letters", "letter"], Moderator, "form-letters-from", parse_letters_command),
];

/// The words that begin plans of games. They are rare in prose, too, so a mistyped one is
/// recognized.
const PLAN_WORDS: [&str; 2] = ["auto", "clear"];
/// The words that can follow the first word of a command. A mistyped one is recognized, and no game
/// may have one as its name.
pub(crate) const ARGUMENT_WORDS: [&str; 16] = [
    "abandon", "ascii", "club", "each", "extend", "forced", "html", "notes", "off", "pause",
    "plans", "resume", "rewind", "steady", "telling", "unicode",
];

impl CommandEntry {
    pub(crate) fn main_word(&self) -> &'static str {
        self.words.first().copied().unwrap_or_default()
    }
}

/// Returns the words by which a mistyped line is recognized as a command: those of members that are
/// rare in prose, and those of plans.
pub(crate) fn words_rare_in_prose() -> Vec<&'static str> {
    let own = ENTRIES.iter().filter(|entry| entry.is_distinct && entry.scope != Moderator);
    own.map(CommandEntry::main_word).chain(PLAN_WORDS).collect()
}

/// Whether `word` can begin a command that is allowed in a letter of a game only.
pub(crate) fn begins_game_only_command(word: &str) -> bool {
    ENTRIES.iter().any(|entry| entry.scope == Game && entry.words.contains(&word))
}

/// Returns the keys that begin with `start` of the sentences for `help`, in table order. Keys for
/// members begin with `errand-`, and keys for the moderator with `form-`.
pub(crate) fn help_sentence_keys(start: &str) -> Vec<&'static str> {
    let mut keys: Vec<&str> = ENTRIES.iter().map(|entry| entry.help_key).collect();
    keys.retain(|key| key.starts_with(start));
    keys.dedup();
    keys
}

fn parse_note_command(said: &CommandInput<'_>) -> CommandParseResult {
    Some(NoteCommand::parse(said.folded, said.written)?.map(ClubCommand::Note))
}

fn parse_setting_command(said: &CommandInput<'_>) -> CommandParseResult {
    Some(SettingCommand::parse(said.folded)?.map(ClubCommand::Set))
}

#[cfg(test)]
mod tests {
    use super::super::ParsedCommand;
    use super::*;
    use crate::games::SHIPPED;

    const PLAYERS: &str = include_str!("../../docs/players.md");
    const MODERATORS: &str = include_str!("../../docs/moderators.md");

    fn documented_entries() -> impl Iterator<Item = &'static CommandEntry> {
        ENTRIES.iter().filter(|entry| !entry.help_key.is_empty())
    }

    #[test]
    fn every_command_is_documented() {
        for entry in documented_entries() {
            let page = if entry.scope == Moderator { MODERATORS } else { PLAYERS };
            let spans = page.split('`').skip(1).step_by(2);
            let mut words = spans.flat_map(|span| span.split(' '));
            assert!(words.any(|word| word == entry.main_word()), "{}", entry.main_word());
        }
    }

    #[test]
    fn every_member_command_is_translated() {
        let library = crate::render::Library::embedded().expect("the words ship");
        for (tag, lexicons) in library.all_lexicons() {
            for entry in
                documented_entries().filter(|entry| entry.scope != Moderator && tag != "en")
            {
                let english = entry.main_word();
                let own = lexicons
                    .club_command_lexicon()
                    .phrases()
                    .find(|(_, means)| means.starts_with(english));
                assert!(own.is_some(), "{tag}: {english}");
            }
        }
    }

    #[test]
    fn every_command_has_help() {
        let library = crate::render::Library::embedded().expect("the words ship");
        let card = include_str!("../../templates/en/help.txt");
        for entry in documented_entries() {
            let sentence = match entry.help_key {
                HELP_CARD => card.to_owned(),
                "errand-card-own" => "address".to_owned(),
                key => library.language("en").localize(&crate::rules::Message::new(key)),
            };
            let words = sentence.split(|c: char| !c.is_alphanumeric());
            assert!(
                words.map(str::to_lowercase).any(|word| word == entry.main_word()),
                "{}",
                entry.main_word()
            );
        }
    }

    #[test]
    fn every_command_refuses_bad_input() {
        // These accept free text as arguments, or ignore their arguments.
        const FREE: [&str; 5] = ["note", "preview", "resign", "announce", "language"];
        let read = |entry: &CommandEntry, line: &str| match entry.scope {
            Moderator => ParsedCommand::parse_for_moderator(line),
            _ => ParsedCommand::parse(SHIPPED, line, line, None),
        };
        for entry in ENTRIES.iter().filter(|entry| !FREE.contains(&entry.main_word())) {
            for bad in ["x%", "0 x%", "99999999999", "12 x% because", "x% @ x% because of it"] {
                let line = format!("{} {bad}", entry.main_word());
                let done = read(entry, &line).is_some_and(|line| line.command.is_ok());
                assert!(!done, "{line}");
            }
        }
    }

    #[test]
    fn no_table_entry_occurs_twice() {
        for entry in ENTRIES {
            let is_twin = |other: &&CommandEntry| {
                other.words == entry.words && other.help_key == entry.help_key
            };
            let twins = ENTRIES.iter().filter(is_twin);
            assert_eq!(twins.filter(|other| other.scope == entry.scope).count(), 1, "{entry:?}");
        }
    }

    #[test]
    fn listed_moderator_forms_can_be_parsed() {
        let library = crate::render::Library::embedded().expect("the words ship");
        let plain = ["form-letters-accept-for"].into_iter();
        for key in help_sentence_keys("form-").into_iter().chain(plain) {
            for tag in library.language_tags() {
                let form = library.language(tag).localize(&crate::rules::Message::new(key));
                assert!(crate::club::ModeratorCommand::parse(&form).is_ok(), "{tag}: {form}");
            }
        }
    }
}
