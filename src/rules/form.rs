//! The ways in which a line can be written: one table a game, for who reads lines, who refuses
//! them, and who tells how they are written.

use super::line_words::match_unique_prefix;
use super::{Message, Refusal, Seat};
use std::collections::BTreeSet;

/// How the lines of a game, or the plans, are written. `parse` finds its way by the verbs; the card
/// of orders is made of the forms, and so is what a refusal offers instead.
pub struct Grammar<S: 'static> {
    /// The verbs that lines begin with and that can be shortened.
    pub verbs: &'static [&'static str],
    /// How many letters of a verb will do, where no other begins with them.
    pub min_letters: usize,
    /// Verbs, each with the words that mean it if they are written out.
    pub synonyms: &'static [(&'static str, &'static [&'static str])],
    /// The ways of writing a line.
    pub forms: &'static [LineSyntax<S>],
}

/// One way of writing a line.
pub struct LineSyntax<S: 'static> {
    /// Under which heading of the card of orders it stands.
    heading: &'static str,
    kind: FormKind<S>,
}

/// A line, and what it does.
enum FormKind<S: 'static> {
    /// The same line in every game for which this holds.
    Fixed(fn(&S) -> bool, &'static str, &'static str),
    /// A line that is made of the position and of what its reader holds, with a fixed sentence.
    WithLine(&'static str, fn(&S, Option<Seat>) -> String),
    /// The same, with a sentence that depends on the position too.
    WithLineAndEffect(fn(&S, Option<Seat>) -> (String, Message)),
}

/// A form, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormExample {
    /// Under which heading of the card of orders it stands.
    pub(crate) heading: &'static str,
    /// A line of this form.
    pub line: String,
    /// What it does.
    pub(crate) effect: Message,
}

impl<S> LineSyntax<S> {
    /// Makes a form that every game has. `part` is its heading, `line` an example, and `key` the
    /// sentence that says what the line does.
    pub const fn fixed(part: &'static str, line: &'static str, key: &'static str) -> Self {
        Self::fixed_if(part, |_| true, line, key)
    }

    /// Makes a form that some games have.
    pub(crate) const fn fixed_if(
        part: &'static str,
        has: fn(&S) -> bool,
        line: &'static str,
        key: &'static str,
    ) -> Self {
        Self { heading: part, kind: FormKind::Fixed(has, line, key) }
    }

    /// Makes a form whose line depends on the position and on its reader. The line is an example of
    /// what this seat could do now. It may show what the seat sees, and only what all see if there
    /// is no seat. An empty line is not shown.
    pub(crate) const fn with_line(
        part: &'static str,
        key: &'static str,
        line: fn(&S, Option<Seat>) -> String,
    ) -> Self {
        Self { heading: part, kind: FormKind::WithLine(key, line) }
    }

    /// Makes a form whose line and sentence depend on the position and on its reader.
    pub(crate) const fn with_line_and_effect(
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
    /// The word that the line begins with.
    pub(crate) fn first_word(&self) -> &str {
        self.line.split([' ', ':']).next().unwrap_or_default()
    }

    /// The form as a refusal offers it.
    pub(crate) fn into_message(self) -> Message {
        Message::new("order-form").with("line", self.line).with("does", self.effect)
    }
}

impl<S> Grammar<S> {
    /// Of a kind of line that a game does not have.
    pub(crate) const EMPTY: Self = Self { verbs: &[], min_letters: 1, synonyms: &[], forms: &[] };

    /// Returns the forms that this game has, with examples for this seat, or for anybody if there
    /// is no seat.
    pub fn examples(&self, state: &S, seat: Option<Seat>) -> Vec<FormExample> {
        self.forms.iter().filter_map(|form| form.example(state, seat)).collect()
    }

    /// Every word, written out, that a line begins with.
    pub(crate) fn first_words(&self) -> impl Iterator<Item = &'static str> {
        self.verbs.iter().chain(self.synonyms.iter().flat_map(|(_, words)| *words)).copied()
    }

    /// The verb that a word means: the word itself, or a beginning of it that fits no other.
    pub fn expand_verb(&self, word: &str) -> Option<&'static str> {
        let written_out = self.synonyms.iter().find(|(_, words)| words.contains(&word));
        written_out.map(|&(verb, _)| verb).or_else(|| {
            let verb = match_unique_prefix(self.verbs, |verb| verb, word)?;
            (word.len() >= self.min_letters).then_some(verb)
        })
    }

    /// Adds the forms that begin like this to a refusal.
    pub(crate) fn offer_forms(
        &self,
        refusal: Refusal,
        (state, seat): (&S, Option<Seat>),
        begins: &str,
    ) -> Refusal {
        let forms =
            self.examples(state, seat).into_iter().filter(|form| form.line.starts_with(begins));
        forms.map(FormExample::into_message).fold(refusal, Refusal::with_alternative)
    }

    /// Refuses a line that cannot be read, and offers the forms that begin like this.
    pub fn refuse_unreadable(
        &self,
        reader: (&S, Option<Seat>),
        why: Message,
        begins: &str,
    ) -> Refusal {
        self.offer_forms(Refusal::unreadable(why), reader, begins)
    }

    /// Refuses a line that does not begin like any, and offers a form for each word that lines
    /// begin with.
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
            LineSyntax::fixed("now", "lay D2", "one"),
            LineSyntax::fixed("now", "lay D2, D3", "two"),
            LineSyntax::fixed_if("now", |has| *has, "end", "three"),
            LineSyntax::with_line_and_effect("later", |has, _| {
                (format!("leave: {has}"), Message::new("four"))
            }),
            LineSyntax::with_line_and_effect("later", |_, seat| {
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
            let form = LineSyntax::<()>::fixed("now", line, "x").example(&(), None);
            form.map(|form| form.first_word().to_owned())
        };
        assert_eq!(first("end left").as_deref(), Some("end"));
        assert_eq!(first("next: end left").as_deref(), Some("next"));
    }
}
