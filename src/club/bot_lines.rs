//! The parser for lines that ask for bots, which are computer players.
//!
//! Pure. `rules` chooses a bot's orders, and `process` carries them out.

use super::club_command::{ClubCommand, CommandInput};
use super::command_table::CommandParseResult;
use super::lobby_command::{LobbyCommand, parse_kind};
use super::setting_command::LineError;
use crate::rules::GameRegistry;
use crate::rules::{Arg, BotLevel, Message};

/// The most bots that one line can ask for.
const BOTS_PER_LINE_MAX: u8 = 12;

/// Parses bots, such as `2 fair`, `strong` or `2`: the words behind `bots` or `bot`. Adds one level
/// for each bot. The default is one bot, and the level `fair`. Returns the number of words used.
pub(crate) fn parse_bot_levels(
    words: &[&str],
    into: &mut Vec<BotLevel>,
) -> Result<usize, LineError> {
    let word = |index: usize| words.get(index).map(|word| word.trim_end_matches([',', '.']));
    let count = word(0).and_then(|word| word.parse::<u8>().ok());
    let counted = usize::from(count.is_some());
    let level = word(counted).and_then(|word| word.to_lowercase().parse::<BotLevel>().ok());
    let (count, used) = (count.unwrap_or(1), counted + usize::from(level.is_some()));
    let room = usize::from(BOTS_PER_LINE_MAX).saturating_sub(into.len());
    if used == 0 || count == 0 || usize::from(count) > room {
        return Err(bots_unread_message());
    }
    into.extend(std::iter::repeat_n(level.unwrap_or(BotLevel::Fair), count.into()));
    Ok(used)
}

/// Returns the sentence that shows how to ask for bots.
pub(crate) fn bots_unread_message() -> Message {
    Message::new("bots-unread").with("most", u32::from(BOTS_PER_LINE_MAX))
}

/// Parses the words behind `invite 12 bot`.
pub(super) fn parse_bots_to_invite(game: u32, words: &[&str]) -> Result<ClubCommand, LineError> {
    let mut levels = Vec::new();
    match parse_bot_levels(words, &mut levels)? {
        used if used == words.len() => {
            Ok(ClubCommand::Lobby(LobbyCommand::InviteBots { game, levels }))
        }
        _ => Err(bots_unread_message()),
    }
}

/// Parses the terms of a practice game: the kind of game, and then a number of seats and a level in
/// any order. A longer line of an unknown kind is prose, such as "Practice makes perfect."
pub(super) fn parse_practice(said: &CommandInput<'_>) -> CommandParseResult {
    let rest = said.argument_words_as_written()?;
    let unread =
        || Some(Err(Message::new("practice-unread").with("kinds", kind_names(said.games))));
    let Ok((kind, mut words)) = parse_kind(said.games, &rest) else {
        return if rest.len() > 1 { None } else { unread() };
    };
    let (mut seats, mut level) = (None, BotLevel::Fair);
    while let Some((word, rest)) = words.split_first() {
        let word = word.trim_end_matches([',', ':']).to_lowercase();
        let value = rest.first().and_then(|value| value.trim_end_matches(',').parse().ok());
        words = rest;
        match (word.as_str(), word.parse()) {
            (_, Ok(own)) => level = own,
            ("seats", _) if value.is_some() => {
                (seats, words) = (value, rest.get(1..).unwrap_or_default());
            }
            _ => return unread(),
        }
    }
    Some(Ok(ClubCommand::Lobby(LobbyCommand::Practice { kind, seats, level })))
}

pub(super) fn kind_names(games: GameRegistry) -> Arg {
    Arg::List(games.ids().map(Arg::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_parse_with_number_and_level() {
        let read = |text: &str| {
            let (words, mut bots) = (text.split(' ').collect::<Vec<_>>(), Vec::new());
            parse_bot_levels(&words, &mut bots).map(|used| (used, bots)).map_err(|why| why.key)
        };
        use BotLevel::{Fair, Strong};
        assert_eq!(read("2 fair deadline 3d"), Ok((2, vec![Fair, Fair])));
        assert_eq!(read("strong"), Ok((1, vec![Strong])));
        assert_eq!(read("1 private"), Ok((1, vec![Fair])));
        for wrong in ["0 fair", "hard", "13 easy", "-1"] {
            assert_eq!(read(wrong), Err("bots-unread"), "{wrong}");
        }
    }
}
