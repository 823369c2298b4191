//! Help for people who ask in their own words: the commands that an answer offers to them, and how
//! to switch to the language in which they write. Nothing here carries anything out.

use crate::club::{
    ClubCommand, Intents, LobbyCommand, Member, ParsedCommand, Translator, strip_polite_words,
};
use crate::mail::{Letter, OrderLines};
use crate::process::context::Context;
use crate::process::outbound::answers;
use crate::process::outbound::offered_lines::OFFER_KEY;
use crate::render::Library;
use crate::rules::{Arg, GameRegistry, Message, RefusalKind};
use crate::table::{LetterRefusal, OrderLine};
use chrono::NaiveDate;

/// The most commands that an answer offers.
const OFFERS_MAX: usize = 4;
/// The key of the sentence that offers a command of a game in a letter about no game.
const GAME_OFFER_KEY: &str = "intent-offer-game";
/// The command that sets the language of a member's letters.
const LANGUAGE_COMMAND: &str = "language ";

/// Finds the commands that lines of prose ask for, in the words of every language.
#[derive(Clone, Copy)]
pub(crate) struct IntentFinder<'a> {
    library: &'a Library,
    /// The tag of the reader's language.
    language: &'a str,
    today: NaiveDate,
}

impl<'a> IntentFinder<'a> {
    pub(crate) fn for_member(context: &'a Context, reader: &'a Member) -> Self {
        let today = reader.time.local_day(context.now);
        Self { library: &context.library, language: &reader.language, today }
    }

    /// Returns the finder for letters whose writer is not yet known.
    pub(crate) fn for_club(context: &'a Context) -> Self {
        let today = context.now.date_naive();
        Self { library: &context.library, language: &context.settings.language, today }
    }

    /// Returns the commands that a line asks for, and the tag of the language whose words it uses.
    fn find(&self, line: &str) -> Option<(&'a str, Vec<String>)> {
        let own = format!("{LANGUAGE_COMMAND}{}", self.language);
        self.library.intents(self.language).find_map(|(tag, intents)| {
            let mut commands = intents.find_commands(line, self.today);
            commands.retain(|command| *command != own);
            (!commands.is_empty()).then_some((tag, commands))
        })
    }

    pub(crate) fn is_intent(&self, line: &str) -> bool {
        self.find(line).is_some()
    }

    /// Returns the sentences that offer the commands for these lines. If a line is in another
    /// language than the reader's, or asks for it, a sentence in that language says how to switch.
    pub(crate) fn offers<'l>(&self, lines: impl Iterator<Item = &'l str>) -> Vec<Message> {
        let (mut offers, mut hints): (Vec<Message>, Vec<Message>) = (Vec::new(), Vec::new());
        for (tag, commands) in lines.filter_map(|line| self.find(line)) {
            let asked = commands.iter().find_map(|command| command.strip_prefix(LANGUAGE_COMMAND));
            let hint = self.language_hint(asked.unwrap_or(tag));
            let new_hint = hint.filter(|hint| !hints.contains(hint));
            hints.extend(new_hint);
            for offer in commands.iter().map(|command| offer_message(command)) {
                if !offers.contains(&offer) && offers.len() < OFFERS_MAX {
                    offers.push(offer);
                }
            }
        }
        offers.into_iter().chain(hints).collect()
    }

    /// Returns the sentence, in the language `tag`, that says how to get letters in it. `None` if
    /// letters already are in this language.
    fn language_hint(&self, tag: &str) -> Option<Message> {
        let how = Message::new("language-how");
        let is_other =
            tag != self.language && self.library.language_tags().any(|known| known == tag);
        is_other.then(|| {
            Message::new("language-hint").with("how", self.library.language(tag).localize(&how))
        })
    }

    /// Returns the sentence that says how to switch to the language of a letter, if that is another
    /// one than the reader's.
    pub(crate) fn letter_language_hint(
        &self,
        context: &Context,
        letter: &Letter,
    ) -> Option<Message> {
        self.language_hint(answers::guess_own_language(context, letter)?)
    }

    /// Adds the commands that the refused line asks for to a refusal. If the letter is in another
    /// language than the reader's, adds how to switch to it.
    pub(crate) fn add_offers(
        &self,
        mut refused: LetterRefusal,
        (context, letter): (&Context, &Letter),
        has_order: bool,
    ) -> LetterRefusal {
        let offers = self.offers(refused.line.iter().map(|line| line.text.as_str()));
        let refusal = &mut refused.refusal;
        for more in offers.into_iter().chain(self.letter_language_hint(context, letter)) {
            if !refusal.alternatives.contains(&more) {
                refusal.alternatives.push(more);
            }
        }
        if has_order && refusal.kind == RefusalKind::NotAnOrder {
            refusal.kind = RefusalKind::Unreadable;
        }
        refused
    }

    /// Returns the sentences that quote these lines as talk, and then those that offer the commands
    /// for them.
    pub(crate) fn name_lines(&self, lines: &[OrderLine]) -> Vec<Message> {
        let quoted = lines.iter().map(OrderLine::quote_as_talk);
        quoted.chain(self.offers(lines.iter().map(|line| line.text.as_str()))).collect()
    }

    /// Adapts these sentences to a letter about no game. Such a letter shows lines as they are, so
    /// commands are translated. A command of a game is offered for a reply to a letter of a game.
    pub(crate) fn adapt_to_no_game(&self, offers: Vec<Message>) -> Vec<Message> {
        let lexicons = self.library.lexicons(self.language);
        let adapt = |mut offer: Message| {
            if offer.key == OFFER_KEY
                && let Some(Arg::Text(line)) = offer.args.get_mut("line")
            {
                if needs_game(self.library.games(), line) {
                    offer.key = GAME_OFFER_KEY;
                }
                if let Some(lexicons) = lexicons {
                    *line = lexicons.club_command_lexicon().translate_from_english(line);
                }
            }
            offer
        };
        offers.into_iter().map(adapt).collect()
    }

    /// Prepares the lines of a letter: a question of one word loses the polite words beside it. A
    /// greeting or closing line is kept if it contains such a question or an intent.
    pub(crate) fn keep_requests(
        &self,
        translator: &Translator<'_>,
        mut read: OrderLines,
    ) -> OrderLines {
        for line in &mut read.lines {
            if let Some(bare) = self.bare_question(translator, &line.text) {
                line.text = bare;
            }
        }
        if let Some(mut line) = read.greeting.take() {
            let bare = self.bare_question(translator, &line.text);
            if bare.is_some() || self.is_intent(&line.text) {
                line.text = bare.unwrap_or(line.text);
                read.lines.insert(0, line);
            } else {
                read.greeting = Some(line);
            }
        }
        let closing = read.after_closing.first();
        if let Some(bare) = closing.and_then(|line| self.bare_question(translator, &line.text)) {
            let mut line = read.after_closing.remove(0);
            line.text = bare;
            read.lines.push(line);
        }
        read
    }

    /// Returns a question of one word without the polite words beside it. `None` if the line has no
    /// polite words, or is no question.
    fn bare_question(&self, translator: &Translator<'_>, line: &str) -> Option<String> {
        let all: Vec<&Intents> = self.library.intents(self.language).map(|(_, own)| own).collect();
        let bare = strip_polite_words(&all, line);
        let is_shorter = bare.chars().filter(|c| c.is_alphanumeric()).count()
            < line.chars().filter(|c| c.is_alphanumeric()).count();
        if bare.is_empty() || !is_shorter {
            return None;
        }
        let english = translator.translate(bare);
        let command =
            ParsedCommand::parse(translator.games, english.as_deref().unwrap_or(bare), "", None)?
                .command;
        let is_question =
            matches!(command, Ok(ClubCommand::Ask(_) | ClubCommand::Lobby(LobbyCommand::Games)));
        is_question.then(|| bare.to_owned())
    }
}

fn offer_message(command: &str) -> Message {
    let word = command.split(' ').next().unwrap_or_default();
    Message::new(OFFER_KEY).with("word", word).with("line", command)
}

/// Whether a command has an effect only in a reply to a letter of a game.
fn needs_game(games: GameRegistry, line: &str) -> bool {
    let Some(parsed) = ParsedCommand::parse(games, line, line, None) else { return false };
    let resigns_this_game =
        matches!(parsed.command, Ok(ClubCommand::Lobby(LobbyCommand::Resign { game: None, .. })));
    resigns_this_game
        || parsed.is_allowed_beside_orders(true) && !parsed.is_allowed_beside_orders(false)
}

#[cfg(test)]
mod tests;
