//! Lines that a letter shows so that they can be sent back, in the words of its reader's language.

use super::library::Language;
use crate::club::Lexicon;
use crate::rules::{Arg, Message};
use std::borrow::Cow;

/// The sentences that hold such a line of a game.
const OF_GAMES: [&str; 13] = [
    "clock-would-do",
    "did-you-mean",
    "lesson-line",
    "or-answers",
    "or-choice-lay",
    "or-choice-upgrade",
    "or-lines",
    "or-plan-then",
    "or-unasked",
    "order-form",
    "pc-plan",
    "pc-took-one",
    "pc-write",
];
/// Those that hold one for the house.
const OF_HOUSE: [&str; 4] = ["vote-opened", "vote-other", "vote-which", "vote-yours"];
/// What the line is called in them. What somebody wrote has the same name in other sentences, and
/// is shown as he wrote it.
const NAMES: [&str; 3] = ["line", "lines", "refusal"];

impl Language {
    /// A sentence with the lines in it, which are of this kind of game, as its reader writes them.
    pub(super) fn with_own_lines<'m>(&self, kind: &str, message: &'m Message) -> Cow<'m, Message> {
        match self.lexicons.show_own() {
            true => Cow::Owned(self.own_lines(kind, message)),
            false => Cow::Borrowed(message),
        }
    }

    fn own_lines(&self, kind: &str, message: &Message) -> Message {
        let words = if OF_GAMES.contains(&message.key) {
            Some(self.lexicons.game(kind))
        } else if OF_HOUSE.contains(&message.key) {
            Some(self.lexicons.house())
        } else {
            None
        };
        let mut own = Message::new(message.key);
        for (&name, arg) in &message.args {
            let words = words.filter(|_| NAMES.contains(&name));
            own.args.insert(name, self.own_arg(kind, words, arg));
        }
        own
    }

    fn own_arg(&self, kind: &str, words: Option<&Lexicon>, arg: &Arg) -> Arg {
        match (arg, words) {
            (Arg::Text(line), Some(words)) => Arg::Text(words.shown(line)),
            (Arg::Message(message), _) => Arg::Message(self.own_lines(kind, message)),
            (Arg::List(list), _) => {
                Arg::List(list.iter().map(|arg| self.own_arg(kind, words, arg)).collect())
            }
            (other, _) => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Library;

    #[test]
    fn a_line_to_be_sent_back_is_shown_in_the_readers_words_and_his_own_as_he_wrote_it() {
        let library = Library::embedded().expect("the words ship");
        let (spanish, english) = (library.language("es"), library.language("en"));
        let form = Message::new("order-form").with("line", "build red G23");
        let refused = Message::new("refused-line").with("line", "build red Z99");
        let all =
            Message::new("any").with("forms", Arg::List(vec![form.into(), refused.clone().into()]));
        let said = spanish.with_own_lines("paris-connection", &all).into_owned();
        let own = Message::new("order-form").with("line", "construir rojo G23");
        assert_eq!(
            said,
            Message::new("any").with("forms", Arg::List(vec![own.into(), refused.into()]))
        );
        assert_eq!(english.with_own_lines("paris-connection", &all).into_owned(), all);
        let vote = Message::new("vote-yours").with("refusal", "vote no rewind");
        let said = spanish.with_own_lines("paris-connection", &vote).into_owned();
        assert_eq!(said, Message::new("vote-yours").with("refusal", "votar no retroceder"));
        let lines = Message::new("or-lines").with("lines", vec!["upgrade B2 east".to_owned()]);
        let said = spanish.with_own_lines("off-the-rails", &lines).into_owned();
        let own = vec!["mejorar B2 este".to_owned()];
        assert_eq!(said, Message::new("or-lines").with("lines", own));
        for key in OF_GAMES.iter().chain(&OF_HOUSE) {
            assert!(english.knows(key), "{key}");
        }
    }
}
