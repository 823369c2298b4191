//! Renders messages (a key and arguments) as sentences of one language.

use super::TemplateFault;
use crate::rules::{Arg, Message, Seat};
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentError, FluentResource, FluentValue};
use std::sync::{Arc, OnceLock};
use unic_langid::LanguageIdentifier;

/// The sentences of one language. If a sentence is missing, the next fallback is used, and English
/// is the last.
pub(crate) struct Localizer {
    bundles: Vec<FluentBundle<Arc<FluentResource>>>,
    tag: String,
    /// The function that is called with the key of each rendered sentence. Only tests set it.
    listener: OnceLock<SentenceListener>,
}

/// A function that is called with the key of each rendered sentence.
pub type SentenceListener = fn(&str);

/// The players that sentences name, and the player who reads them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct People<'a> {
    /// The players' names by seat.
    pub names: &'a [String],
    /// The reader's seat, which sentences call "you". `None` for an observer.
    pub(crate) you: Option<Seat>,
}

impl People<'_> {
    /// People without names and without a reader, for sentences about no player.
    pub(crate) const NOBODY: People<'static> = People { names: &[], you: None };

    /// Returns the name of the player of a seat, or the seat's number if the name is not known.
    pub(crate) fn name(&self, seat: Seat) -> String {
        self.names.get(seat.index()).cloned().unwrap_or_else(|| seat.to_string())
    }
}

/// Explains that a file defines a sentence that was defined before, with the line number of the
/// second definition.
fn duplicate_sentence_fault(text: &str, errors: &[FluentError]) -> String {
    let Some(FluentError::Overriding { id, .. }) = errors.first() else {
        return errors.first().map(ToString::to_string).unwrap_or_default();
    };
    let says = |line: &&str| {
        line.strip_prefix(id.as_str()).is_some_and(|l| l.trim_start().starts_with('='))
    };
    let said = text.lines().zip(1..).filter(|(line, _)| says(line));
    let line = said.last().map_or(1, |(_, number)| number);
    format!("line {line}: {id} is defined twice, in this file or in another file of this folder")
}

/// A parsed Fluent file. The English files are shared by all languages as their last fallback.
#[derive(Clone)]
pub(super) struct FluentFile {
    name: String,
    resource: Arc<FluentResource>,
}

impl FluentFile {
    /// Parses the text of a file.
    ///
    /// # Errors
    /// The name of the file, and the first syntax error with its line number.
    pub(super) fn read(name: String, text: &str) -> Result<Self, TemplateFault> {
        match FluentResource::try_new(text.to_owned()) {
            Ok(resource) => Ok(Self { name, resource: Arc::new(resource) }),
            Err((_, errors)) => {
                let what = errors.first().map_or_else(String::new, |error| {
                    let line = text.get(..error.pos.start).map_or(0, |s| s.lines().count());
                    format!("line {}: {error}", line.max(1))
                });
                Err(TemplateFault { file: name, what })
            }
        }
    }
}

impl Localizer {
    /// Combines the Fluent files of a language. `resorts` are sets of files, by precedence. A
    /// sentence comes from the first set that has it.
    ///
    /// # Errors
    /// The name of a file that defines a sentence twice, and the line number.
    pub(super) fn new(language: &str, resorts: &[&[FluentFile]]) -> Result<Self, TemplateFault> {
        let tag: LanguageIdentifier = language.parse().unwrap_or_default();
        let mut bundles = Vec::new();
        for files in resorts {
            let mut bundle = FluentBundle::new_concurrent(vec![tag.clone()]);
            for FluentFile { name, resource } in *files {
                bundle.add_resource(Arc::clone(resource)).map_err(|errors| TemplateFault {
                    file: name.clone(),
                    what: duplicate_sentence_fault(resource.source(), &errors),
                })?;
            }
            bundles.push(bundle);
        }
        let mut words = Self { bundles, tag: language.to_owned(), listener: OnceLock::new() };
        // In right-to-left languages, Fluent isolates each argument with direction marks. Other
        // languages need none.
        let is_rtl = words.is_rtl();
        words.bundles.iter_mut().for_each(|bundle| bundle.set_use_isolating(is_rtl));
        Ok(words)
    }

    pub(super) fn is_rtl(&self) -> bool {
        self.localize_key("direction") == "rtl"
    }

    pub(super) fn tag(&self) -> &str {
        &self.tag
    }

    /// Sets the function that is called with the key of each sentence. Only the first call has an
    /// effect.
    pub(super) fn set_sentence_listener(&self, listener: SentenceListener) {
        let _first_come = self.listener.set(listener);
    }

    pub(crate) fn localize(&self, message: &Message, people: &People<'_>) -> String {
        let mut args = FluentArgs::with_capacity(message.args.len() * 2);
        for (name, arg) in &message.args {
            if let Arg::Seat(seat) = arg {
                let is = if people.you == Some(*seat) { "you" } else { "other" };
                args.set(format!("{name}-is"), is);
            }
            match arg {
                Arg::Number(number) => args.set(*name, FluentValue::from(*number)),
                other => args.set(*name, self.localize_arg(other, people)),
            }
        }
        self.format_sentence(message.key, &args).unwrap_or_else(|| format!("[{}]", message.key))
    }

    /// Returns the sentence of a key that takes no arguments. If the key is unknown, returns the
    /// key in brackets.
    pub(crate) fn localize_key(&self, key: &str) -> String {
        self.format_sentence(key, &FluentArgs::new()).unwrap_or_else(|| format!("[{key}]"))
    }

    /// Returns the words of a sentence that is a list with commas.
    pub(super) fn words_of_list_sentence(&self, key: &str) -> Vec<String> {
        self.localize_key(key).split(',').map(|word| word.trim().to_owned()).collect()
    }

    /// Whether the language or one of its fallbacks has a sentence with this key.
    pub(crate) fn has_sentence(&self, key: &str) -> bool {
        self.bundles.iter().any(|bundle| bundle.has_message(key))
    }

    fn format_sentence(&self, key: &str, args: &FluentArgs<'_>) -> Option<String> {
        if let Some(listener) = self.listener.get() {
            listener(key);
        }
        self.bundles.iter().find_map(|bundle| {
            let pattern = bundle.get_message(key)?.value()?;
            let mut errors = Vec::new();
            let text = bundle.format_pattern(pattern, Some(args), &mut errors).into_owned();
            // If a sentence uses an argument that it is not given, the next fallback is used.
            errors.is_empty().then_some(text)
        })
    }

    /// Renders one argument of a sentence as text, such as a number, a player's name or a list.
    pub(super) fn localize_arg(&self, arg: &Arg, people: &People<'_>) -> String {
        match arg {
            Arg::Number(number) => number.to_string(),
            Arg::Text(text) => text.clone(),
            Arg::Seat(seat) if people.you == Some(*seat) => self.localize_key("you"),
            Arg::Seat(seat) => people.name(*seat),
            Arg::Term(key) => self.localize_key(key),
            Arg::Message(message) => self.localize(message, people),
            Arg::List(list) => self.join_list(list, people),
        }
    }

    fn join_list(&self, list: &[Arg], people: &People<'_>) -> String {
        let Some((last, rest)) = list.split_last() else { return String::new() };
        let last = self.localize_arg(last, people);
        let Some((first, middle)) = rest.split_first() else { return last };
        let pair = |key: &str, a: String, b: String| {
            let mut args = FluentArgs::new();
            args.set("a", a);
            args.set("b", b);
            self.format_sentence(key, &args).unwrap_or_default()
        };
        let head = middle.iter().fold(self.localize_arg(first, people), |head, next| {
            pair("list-more", head, self.localize_arg(next, people))
        });
        pair("list-last", head, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_words(text: &str) -> Localizer {
        let read = FluentFile::read("t.ftl".to_owned(), text);
        match read.and_then(|one| Localizer::new("en", &[&[one]])) {
            Ok(words) => words,
            Err(fault) => panic!("{fault}"),
        }
    }

    #[test]
    fn reader_is_you_others_have_names() {
        let words = parse_words(
            "you = you\nmoves = { $who-is ->\n [you] You move\n *[other] { $who } moves\n} { $n }.",
        );
        let names = ["Ann".to_owned(), "Bob".to_owned()];
        let people = People { names: &names, you: Some(Seat::new(2)) };
        let moves = |seat| Message::new("moves").with("who", Seat::new(seat)).with("n", 3_u8);
        assert_eq!(words.localize(&moves(1), &people), "Ann moves 3.");
        assert_eq!(words.localize(&moves(2), &people), "You move 3.");
    }

    #[test]
    fn lists_are_joined_by_language_rules() {
        let words =
            parse_words("list-more = { $a }, { $b }\nlist-last = { $a } und { $b }\nx = { $of }!");
        let say = |of: &[&str]| {
            words.localize(&Message::new("x").with("of", of.to_vec()), &People::NOBODY)
        };
        assert_eq!(say(&["a"]), "a!");
        assert_eq!(say(&["a", "b"]), "a und b!");
        assert_eq!(say(&["a", "b", "c"]), "a, b und c!");
    }

    #[test]
    fn missing_sentence_shows_key_bad_file_shows_line() {
        assert_eq!(parse_words("a = b").localize(&Message::new("gone"), &People::NOBODY), "[gone]");
        let bad = FluentFile::read("t.ftl".to_owned(), "a = b\nc = { $");
        let TemplateFault { file, what } = bad.err().expect("it is wrong");
        assert_eq!(file, "t.ftl");
        assert!(what.starts_with("line 2"), "{what}");
    }
}
