//! The parser for requests of non-members.
//!
//! It accepts free wording, because a request leads to a question at most. Only consent makes the
//! sender a member, and [`Consent`](super::Consent) parses that strictly. Pure.

use super::{ClubCommand, LobbyCommand, ParsedLetter, Question};

/// The request of a non-member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NewcomerRequest {
    /// The sender wants to play the game with this number.
    Join(u32),
    /// The sender wants to become a member, without a game.
    JoinClub,
    /// The sender wants to see the list of games.
    Games,
    /// The sender wants to learn how the club works.
    Help,
    /// The letter contains another request, or none that is recognized.
    Other,
}

impl NewcomerRequest {
    /// Finds the request in a letter.
    ///
    /// `numbered` are the words, in lower case, that come before a game's number: `join`, `game`.
    /// `shown` are the games in the letter that this one answers. A number among other words can
    /// only mean one of those.
    pub fn parse(request: &ParsedLetter, numbered: &[String], shown: &[u32]) -> Self {
        let own = || request.lines.iter().filter(|line| !request.is_quoted(line.order.number));
        let asked =
            own().find_map(|line| match line.parsed_command.as_ref()?.command.as_ref().ok()? {
                ClubCommand::Lobby(LobbyCommand::Join { game, .. }) => Some(Self::Join(*game)),
                ClubCommand::Lobby(LobbyCommand::JoinClub) => Some(Self::JoinClub),
                ClubCommand::Lobby(LobbyCommand::Games) => Some(Self::Games),
                _ => None,
            });
        if let Some(asked) = asked {
            return asked;
        }
        if request.questions.contains(&Question::Help) {
            return Self::Help;
        }
        let (mut named, mut numbers) = (Vec::new(), Vec::new());
        for line in own() {
            collect_game_numbers(line.order.text_to_parse(), numbered, (&mut named, &mut numbers));
        }
        for games in [&mut named, &mut numbers] {
            games.sort_unstable();
            games.dedup();
        }
        match (named.as_slice(), numbers.as_slice()) {
            ([game], _) => Self::Join(*game),
            ([], [game]) if shown.contains(game) => Self::Join(*game),
            // Several games are named. The sender can choose when they see the list.
            _ => Self::Other,
        }
    }
}

/// Collects the numbers in a line of prose into two lists. The first gets the numbers that name a
/// game: after one of the words in `numbered`, after `#`, or alone on the line. The second gets all
/// numbers without `#`.
fn collect_game_numbers(line: &str, numbered: &[String], into: (&mut Vec<u32>, &mut Vec<u32>)) {
    let around = |c: char| !c.is_alphanumeric() && c != '#';
    let words: Vec<&str> = line.split_whitespace().map(|word| word.trim_matches(around)).collect();
    let number = |word: &str| word.parse::<u32>().ok().filter(|game| *game > 0);
    let (games, numbers) = into;
    let mut before = String::new();
    for word in &words {
        let marked = word.strip_prefix('#').and_then(number);
        let plain = number(word);
        let named = plain.filter(|_| words.len() == 1 || numbered.contains(&before));
        numbers.extend(plain);
        games.extend(marked.or(named));
        before = word.to_lowercase();
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse_letter_lines;
    use super::*;
    use crate::games::SHIPPED;

    fn parse_request(text: &str) -> NewcomerRequest {
        let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line, line));
        let numbered = ["join", "game", "number"].map(str::to_owned);
        NewcomerRequest::parse(&parse_letter_lines(lines, None, SHIPPED), &numbered, &[7, 14])
    }

    #[test]
    fn newcomer_game_request_is_recognized_in_prose() {
        for text in [
            "join 12",
            "JOIN 12.",
            "Join #12 seat 2",
            "I want to join game 12",
            "Hello!\nI'd love to play (game 12), if I may.\nZoe",
            "12",
            "#12?",
            "Could I have a seat in #12, please?",
            "join 12 please, if there is still a seat",
            "Number 12!",
        ] {
            assert_eq!(parse_request(text), NewcomerRequest::Join(12), "{text}");
        }
    }

    #[test]
    fn number_in_prose_means_a_listed_game() {
        for text in ["Ich möchte bei Spiel 14 mitspielen.", "我想參加 14", "la partie 14 svp"]
        {
            assert_eq!(parse_request(text), NewcomerRequest::Join(14), "{text}");
        }
        for text in ["bei 7 oder bei 14", "Ich bin 15 und heisse Zoe.", "um 14:00"] {
            assert_eq!(parse_request(text), NewcomerRequest::Other, "{text}");
        }
    }

    #[test]
    fn ambiguous_prose_names_no_game() {
        for text in [
            "Hello, I would like to play, how does this work?",
            "I have 2 friends, and we are 12 years old.",
            "game 12 or game 14?",
            "yes",
            "name Zoe Miller",
            "join",
            "0",
            "",
        ] {
            assert_eq!(parse_request(text), NewcomerRequest::Other, "{text}");
        }
        assert_eq!(parse_request("Games?"), NewcomerRequest::Games);
        assert_eq!(parse_request("Help!"), NewcomerRequest::Help);
        assert_eq!(parse_request("join club"), NewcomerRequest::JoinClub);
        assert_eq!(parse_request("help\njoin 12"), NewcomerRequest::Join(12));
    }
}
