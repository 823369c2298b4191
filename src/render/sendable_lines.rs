//! Translates the lines that letters show for sending back, from English into the reader's
//! language.

use super::library::Language;
use crate::club::Lexicon;
use crate::rules::{Arg, Message};
use std::borrow::Cow;

/// The keys of the sentences that quote orders or plans which the reader can send.
const GAME_LINE_SENTENCES: [&str; 22] = [
    "clock-would-do",
    "did-you-mean",
    "hint-line",
    "lesson-line",
    "or-answers",
    "or-choice-lay",
    "or-choice-upgrade",
    "or-lines",
    "or-plan-next",
    "or-plan-then",
    "or-unasked",
    "order-form",
    "pc-plan",
    "pc-took-one",
    "pc-write",
    "tr-plan-end",
    "tr-plan-if-win",
    "tr-plan-lead",
    "tr-plan-led",
    "tr-plan-otherwise",
    "tr-plan-play",
    "tr-plan-whatever",
];
/// The keys of the sentences that quote commands for the club which the reader can send.
const CLUB_LINE_SENTENCES: [&str; 5] =
    ["intent-offer", "vote-opened", "vote-other", "vote-which", "vote-yours"];
/// The arguments that hold the lines in those sentences. Other sentences use these names for text
/// that a player wrote, which must stay as written.
const LINE_ARGUMENTS: [&str; 3] = ["line", "lines", "refusal"];

impl Language {
    /// Translates the orders and commands that a message quotes into the language's own words.
    /// `kind` is the kind of game. Other arguments stay as they are.
    pub(super) fn localize_lines<'m>(&self, kind: &str, message: &'m Message) -> Cow<'m, Message> {
        match self.lexicons.replaces_english_commands() {
            true => Cow::Owned(self.localize_message_lines(kind, message)),
            false => Cow::Borrowed(message),
        }
    }

    fn localize_message_lines(&self, kind: &str, message: &Message) -> Message {
        let words = if GAME_LINE_SENTENCES.contains(&message.key) {
            Some(self.lexicons.lexicon_for_game(kind))
        } else if CLUB_LINE_SENTENCES.contains(&message.key) {
            Some(self.lexicons.club_command_lexicon())
        } else {
            None
        };
        let mut own = Message::new(message.key);
        for (&name, arg) in &message.args {
            let words = words.filter(|_| LINE_ARGUMENTS.contains(&name));
            own.args.insert(name, self.localize_sendable_line(kind, words, arg));
        }
        own
    }

    fn localize_sendable_line(&self, kind: &str, words: Option<&Lexicon>, arg: &Arg) -> Arg {
        match (arg, words) {
            (Arg::Text(line), Some(words)) => Arg::Text(words.translate_from_english(line)),
            (Arg::Message(message), _) => Arg::Message(self.localize_message_lines(kind, message)),
            (Arg::List(list), _) => Arg::List(
                list.iter().map(|arg| self.localize_sendable_line(kind, words, arg)).collect(),
            ),
            (other, _) => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Library;

    #[test]
    fn order_form_is_translated_quoted_line_stays() {
        let library = Library::embedded().expect("the words ship");
        let (spanish, english) = (library.language("es"), library.language("en"));
        let form = Message::new("order-form").with("line", "build red G23");
        let refused = Message::new("refused-line").with("line", "build red Z99");
        let all =
            Message::new("any").with("forms", Arg::List(vec![form.into(), refused.clone().into()]));
        let said = spanish.localize_lines("paris-connection", &all).into_owned();
        let own = Message::new("order-form").with("line", "construir rojo G23");
        assert_eq!(
            said,
            Message::new("any").with("forms", Arg::List(vec![own.into(), refused.into()]))
        );
        assert_eq!(english.localize_lines("paris-connection", &all).into_owned(), all);
        let vote = Message::new("vote-yours").with("refusal", "vote no rewind");
        let said = spanish.localize_lines("paris-connection", &vote).into_owned();
        assert_eq!(said, Message::new("vote-yours").with("refusal", "votar no retroceder"));
        let lines = Message::new("or-lines").with("lines", vec!["upgrade B2 east".to_owned()]);
        let said = spanish.localize_lines("off-the-rails", &lines).into_owned();
        let own = vec!["mejorar B2 este".to_owned()];
        assert_eq!(said, Message::new("or-lines").with("lines", own));
        for key in GAME_LINE_SENTENCES.iter().chain(&CLUB_LINE_SENTENCES) {
            assert!(english.has_sentence(key), "{key}");
        }
    }
}
