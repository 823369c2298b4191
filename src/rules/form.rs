//! The accepted forms of order and plan lines: one table per game, used by the parser, the refusals
//! and the card of orders.

use super::line_words::unique_item_with_prefix;
use super::{Message, Refusal, Seat};
use std::collections::BTreeSet;

/// The accepted forms of a game's order lines, or of its plan lines. `S` is the game's state.
pub struct Grammar<S: 'static> {
    /// The verbs that begin lines. Players may shorten them to a unique prefix.
    pub verbs: &'static [&'static str],
    /// The minimum number of letters in a shortened verb.
    pub min_letters: usize,
    /// Other words for the verbs: each verb with the words that mean it. They cannot be shortened.
    /// A verb that must be written in full is listed here as its own synonym, and left out of
    /// `verbs`.
    pub synonyms: &'static [(&'static str, &'static [&'static str])],
    /// The forms of a line, in the sequence of the card of orders.
    pub forms: &'static [LineForm<S>],
}

/// One form of a line: an example and its effect.
pub struct LineForm<S: 'static> {
    /// The part of the card of orders that lists the form, such as `now`. The template `orders.txt`
    /// reads the forms of this part as `forms.now`.
    heading: &'static str,
    kind: FormKind<S>,
}

enum FormKind<S: 'static> {
    /// A form with a fixed example: whether the game has it, the example line, and the key of its
    /// effect.
    Fixed(fn(&S) -> bool, &'static str, &'static str),
    /// A form whose example depends on the position: the key of its effect, and a function that
    /// makes the example line. The seat is the reader's.
    WithLine(&'static str, fn(&S, Option<Seat>) -> String),
    /// A form whose example and effect depend on the position: a function that makes both.
    WithLineAndEffect(fn(&S, Option<Seat>) -> (String, Message)),
}

/// An example of a form, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormExample {
    /// The part of the card of orders that lists the form, such as `now`.
    pub(crate) heading: &'static str,
    /// An example line of this form, such as `build red G23`.
    pub line: String,
    /// The purpose of the line, as letters say it.
    pub(crate) effect: Message,
}

impl<S> LineForm<S> {
    /// Creates a form that every game of the kind has. `part` is its part of the card of orders,
    /// `line` the example, and `key` the message that says what the line does.
    pub const fn for_every_game(part: &'static str, line: &'static str, key: &'static str) -> Self {
        Self::for_some_games(part, |_| true, line, key)
    }

    /// Creates a form that only some games of the kind have, for example those with a certain
    /// option.
    pub(crate) const fn for_some_games(
        part: &'static str,
        has: fn(&S) -> bool,
        line: &'static str,
        key: &'static str,
    ) -> Self {
        Self { heading: part, kind: FormKind::Fixed(has, line, key) }
    }

    /// Creates a form whose example depends on the position and the reader. `line` returns an order
    /// that this seat could give now, from the information that the seat may see. Without a seat it
    /// may use public information only. A form with an empty line is hidden.
    pub(crate) const fn with_dynamic_example(
        part: &'static str,
        key: &'static str,
        line: fn(&S, Option<Seat>) -> String,
    ) -> Self {
        Self { heading: part, kind: FormKind::WithLine(key, line) }
    }

    /// Creates a form whose example and effect both depend on the position and the reader.
    pub(crate) const fn with_dynamic_example_and_effect(
        part: &'static str,
        made: fn(&S, Option<Seat>) -> (String, Message),
    ) -> Self {
        Self { heading: part, kind: FormKind::WithLineAndEffect(made) }
    }

    fn example(&self, state: &S, seat: Option<Seat>) -> Option<FormExample> {
        let (line, does) = match self.kind {
            FormKind::Fixed(has, line, key) if has(state) => (line.into(), Message::new(key)),
            FormKind::Fixed(..) => return None,
            FormKind::WithLine(key, line) => (line(state, seat), Message::new(key)),
            FormKind::WithLineAndEffect(made) => made(state, seat),
        };
        (!line.is_empty()).then_some(FormExample { heading: self.heading, line, effect: does })
    }
}

impl FormExample {
    /// Returns the first word of the example, up to a space or a colon.
    pub(crate) fn first_word(&self) -> &str {
        self.line.split([' ', ':']).next().unwrap_or_default()
    }

    /// Returns the form as an alternative in a refusal.
    pub(crate) fn into_message(self) -> Message {
        Message::new("order-form").with("line", self.line).with("does", self.effect)
    }
}

impl<S> Grammar<S> {
    /// The grammar of a game without lines of this kind.
    pub(crate) const EMPTY: Self = Self { verbs: &[], min_letters: 1, synonyms: &[], forms: &[] };

    /// Returns the forms that this game has, with examples for this seat. Without a seat the
    /// examples use public information only.
    pub fn examples(&self, state: &S, seat: Option<Seat>) -> Vec<FormExample> {
        self.forms.iter().filter_map(|form| form.example(state, seat)).collect()
    }

    /// Returns all verbs and synonyms, unshortened.
    pub(crate) fn verbs_and_synonyms(&self) -> impl Iterator<Item = &'static str> {
        self.verbs.iter().chain(self.synonyms.iter().flat_map(|(_, words)| *words)).copied()
    }

    /// Returns the verb that a word means: the verb itself, a synonym of it, or a prefix that fits
    /// no other verb and has at least `min_letters` letters.
    pub fn expand_verb(&self, word: &str) -> Option<&'static str> {
        let written_out = self.synonyms.iter().find(|(_, words)| words.contains(&word));
        written_out.map(|&(verb, _)| verb).or_else(|| {
            let verb = unique_item_with_prefix(self.verbs, |verb| verb, word)?;
            (word.len() >= self.min_letters).then_some(verb)
        })
    }

    /// Adds the forms whose examples start with `begins` to a refusal.
    pub(crate) fn add_forms_to_refusal(
        &self,
        refusal: Refusal,
        (state, seat): (&S, Option<Seat>),
        begins: &str,
    ) -> Refusal {
        let forms =
            self.examples(state, seat).into_iter().filter(|form| form.line.starts_with(begins));
        forms.map(FormExample::into_message).fold(refusal, Refusal::with_alternative)
    }

    /// Returns a refusal of a line that cannot be parsed. Offers the forms whose examples start
    /// with `begins`. `reader` is the position and the seat that wrote the line.
    pub fn refuse_unreadable(
        &self,
        reader: (&S, Option<Seat>),
        why: Message,
        begins: &str,
    ) -> Refusal {
        self.add_forms_to_refusal(Refusal::unreadable(why), reader, begins)
    }

    /// Returns a refusal of a line that does not begin like any order. Offers one form for each
    /// verb.
    pub fn refuse_unknown_start(&self, (state, seat): (&S, Option<Seat>), why: Message) -> Refusal {
        let (mut forms, mut verbs) = (self.examples(state, seat), BTreeSet::new());
        forms.retain(|form| verbs.insert(form.first_word().to_owned()));
        forms
            .into_iter()
            .map(FormExample::into_message)
            .fold(Refusal::not_an_order(why), Refusal::with_alternative)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAMMAR: Grammar<bool> = Grammar {
        verbs: &["lay", "leave"],
        min_letters: 2,
        synonyms: &[("end", &["end"]), ("lay", &["build"])],
        forms: &[
            LineForm::for_every_game("now", "lay D2", "one"),
            LineForm::for_every_game("now", "lay D2, D3", "two"),
            LineForm::for_some_games("now", |has| *has, "end", "three"),
            LineForm::with_dynamic_example_and_effect("later", |has, _| {
                (format!("leave: {has}"), Message::new("four"))
            }),
            LineForm::with_dynamic_example_and_effect("later", |_, seat| {
                (format!("leave {seat:?}"), Message::new("five"))
            }),
        ],
    };

    #[test]
    fn verb_expands_from_long_unique_prefix() {
        let means = [("lay", Some("lay")), ("la", Some("lay")), ("l", None)];
        let others = [("le", Some("leave")), ("en", None), ("end", Some("end")), ("", None)];
        for (word, verb) in means.into_iter().chain(others).chain([("build", Some("lay"))]) {
            assert_eq!(GRAMMAR.expand_verb(word), verb, "{word}");
        }
    }

    #[test]
    fn refusal_offers_forms_of_verb_or_all_verbs() {
        let does = |refusal: Refusal| -> Vec<_> {
            refusal.alternatives.iter().map(|form| format!("{:?}", form.args["does"])).collect()
        };
        let key = |key: &'static str| format!("{:?}", super::super::Arg::from(Message::new(key)));
        let why = || Message::new("why");
        assert_eq!(
            does(GRAMMAR.refuse_unreadable((&true, None), why(), "lay")),
            ["one", "two"].map(key)
        );
        assert_eq!(
            does(GRAMMAR.refuse_unknown_start((&true, None), why())),
            ["one", "three", "four"].map(key)
        );
        assert_eq!(
            does(GRAMMAR.refuse_unknown_start((&false, None), why())),
            ["one", "four"].map(key)
        );
        assert_eq!(GRAMMAR.examples(&true, None)[3].line, "leave: true");
    }

    #[test]
    fn example_line_depends_on_seat() {
        let last = |lines: Vec<FormExample>| lines.last().map(|form| form.line.clone());
        assert_eq!(last(GRAMMAR.examples(&true, None)), Some("leave None".into()));
        let shown = last(GRAMMAR.examples(&true, Some(Seat::new(2))));
        assert_eq!(shown, Some(format!("leave {:?}", Some(Seat::new(2)))));
    }

    #[test]
    fn first_word_ends_at_space_or_colon() {
        let first = |line: &'static str| {
            let form = LineForm::<()>::for_every_game("now", line, "x").example(&(), None);
            form.map(|form| form.first_word().to_owned())
        };
        assert_eq!(first("end left").as_deref(), Some("end"));
        assert_eq!(first("next: end left").as_deref(), Some("next"));
    }
}
