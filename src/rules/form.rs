//! The ways in which a line can be written: one table a game, for who reads lines, who refuses
//! them, and who tells how they are written.

use super::line_words::one_of;
use super::{Message, Refusal, Seat};
use std::collections::BTreeSet;

/// How the lines of a game, or the plans, are written. `parse` finds its way by the verbs; the card
/// of orders is made of the forms, and so is what a refusal offers instead.
pub struct Grammar<S: 'static> {
    /// The verbs that lines begin with and that can be shortened.
    pub verbs: &'static [&'static str],
    /// How many letters of a verb will do, where no other begins with them.
    pub least: usize,
    /// Verbs, each with the words that mean it if they are written out.
    pub synonyms: &'static [(&'static str, &'static [&'static str])],
    /// The ways of writing a line.
    pub forms: &'static [Form<S>],
}

/// One way of writing a line.
pub struct Form<S: 'static> {
    /// Under which heading of the card of orders it stands.
    part: &'static str,
    said: Said<S>,
}

/// A line, and what it does.
enum Said<S: 'static> {
    /// The same line in every game for which this holds.
    Fixed(fn(&S) -> bool, &'static str, &'static str),
    /// A line that is made of the position and of what its reader holds, with a fixed sentence.
    Line(&'static str, fn(&S, Option<Seat>) -> String),
    /// The same, with a sentence that depends on the position too.
    Made(fn(&S, Option<Seat>) -> (String, Message)),
}

/// A form, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormLine {
    /// Under which heading of the card of orders it stands.
    pub(crate) part: &'static str,
    /// A line of this form.
    pub line: String,
    /// What it does.
    pub(crate) does: Message,
}

impl<S> Form<S> {
    /// Makes a form that every game has. `part` is its heading, `line` an example, and `key` the
    /// sentence that says what the line does.
    pub const fn always(part: &'static str, line: &'static str, key: &'static str) -> Self {
        Self::only(part, |_| true, line, key)
    }

    /// Makes a form that some games have.
    pub(crate) const fn only(
        part: &'static str,
        has: fn(&S) -> bool,
        line: &'static str,
        key: &'static str,
    ) -> Self {
        Self { part, said: Said::Fixed(has, line, key) }
    }

    /// Makes a form whose line depends on the position and on its reader. The line is an example of
    /// what this seat could do now. It may show what the seat sees, and only what all see if there
    /// is no seat. An empty line is not shown.
    pub(crate) const fn line_of(
        part: &'static str,
        key: &'static str,
        line: fn(&S, Option<Seat>) -> String,
    ) -> Self {
        Self { part, said: Said::Line(key, line) }
    }

    /// Makes a form whose line and sentence depend on the position and on its reader.
    pub(crate) const fn to(
        part: &'static str,
        made: fn(&S, Option<Seat>) -> (String, Message),
    ) -> Self {
        Self { part, said: Said::Made(made) }
    }

    fn line(&self, state: &S, seat: Option<Seat>) -> Option<FormLine> {
        let (line, does) = match self.said {
            Said::Fixed(has, line, key) if has(state) => (line.into(), Message::new(key)),
            Said::Fixed(..) => return None,
            Said::Line(key, line) => (line(state, seat), Message::new(key)),
            Said::Made(made) => made(state, seat),
        };
        (!line.is_empty()).then_some(FormLine { part: self.part, line, does })
    }
}

impl FormLine {
    /// The word that the line begins with.
    pub(crate) fn first_word(&self) -> &str {
        self.line.split([' ', ':']).next().unwrap_or_default()
    }

    /// The form as a refusal offers it.
    pub(crate) fn offered(self) -> Message {
        Message::new("order-form").with("line", self.line).with("does", self.does)
    }
}

impl<S> Grammar<S> {
    /// Of a kind of line that a game does not have.
    pub(crate) const NONE: Self = Self { verbs: &[], least: 1, synonyms: &[], forms: &[] };

    /// Returns the forms that this game has, with examples for this seat, or for anybody if there
    /// is no seat.
    pub fn lines(&self, state: &S, seat: Option<Seat>) -> Vec<FormLine> {
        self.forms.iter().filter_map(|form| form.line(state, seat)).collect()
    }

    /// Every word, written out, that a line begins with.
    pub(crate) fn words(&self) -> impl Iterator<Item = &'static str> {
        self.verbs.iter().chain(self.synonyms.iter().flat_map(|(_, words)| *words)).copied()
    }

    /// The verb that a word means: the word itself, or a beginning of it that fits no other.
    pub fn verb(&self, word: &str) -> Option<&'static str> {
        let written_out = self.synonyms.iter().find(|(_, words)| words.contains(&word));
        written_out.map(|&(verb, _)| verb).or_else(|| {
            let verb = one_of(self.verbs, |verb| verb, word)?;
            (word.len() >= self.least).then_some(verb)
        })
    }

    /// Adds the forms that begin like this to a refusal.
    pub(crate) fn instead(
        &self,
        refusal: Refusal,
        (state, seat): (&S, Option<Seat>),
        begins: &str,
    ) -> Refusal {
        let forms =
            self.lines(state, seat).into_iter().filter(|form| form.line.starts_with(begins));
        forms.map(FormLine::offered).fold(refusal, Refusal::or)
    }

    /// Refuses a line that cannot be read, and offers the forms that begin like this.
    pub fn unreadable(&self, reader: (&S, Option<Seat>), why: Message, begins: &str) -> Refusal {
        self.instead(Refusal::unreadable(why), reader, begins)
    }

    /// Refuses a line that does not begin like any, and offers a form for each word that lines
    /// begin with.
    pub fn foreign(&self, (state, seat): (&S, Option<Seat>), why: Message) -> Refusal {
        let (mut forms, mut verbs) = (self.lines(state, seat), BTreeSet::new());
        forms.retain(|form| verbs.insert(form.first_word().to_owned()));
        forms.into_iter().map(FormLine::offered).fold(Refusal::foreign(why), Refusal::or)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAMMAR: Grammar<bool> = Grammar {
        verbs: &["lay", "leave"],
        least: 2,
        synonyms: &[("end", &["end"]), ("lay", &["build"])],
        forms: &[
            Form::always("now", "lay D2", "one"),
            Form::always("now", "lay D2, D3", "two"),
            Form::only("now", |has| *has, "end", "three"),
            Form::to("later", |has, _| (format!("leave: {has}"), Message::new("four"))),
            Form::to("later", |_, seat| (format!("leave {seat:?}"), Message::new("five"))),
        ],
    };

    #[test]
    fn a_verb_is_known_by_a_beginning_that_is_long_enough_and_fits_no_other() {
        let means = [("lay", Some("lay")), ("la", Some("lay")), ("l", None)];
        let others = [("le", Some("leave")), ("en", None), ("end", Some("end")), ("", None)];
        for (word, verb) in means.into_iter().chain(others).chain([("build", Some("lay"))]) {
            assert_eq!(GRAMMAR.verb(word), verb, "{word}");
        }
    }

    #[test]
    fn a_refusal_offers_the_forms_of_its_verb_or_one_of_each() {
        let does = |refusal: Refusal| -> Vec<_> {
            refusal.instead.iter().map(|form| format!("{:?}", form.args["does"])).collect()
        };
        let key = |key: &'static str| format!("{:?}", super::super::Arg::from(Message::new(key)));
        let why = || Message::new("why");
        assert_eq!(does(GRAMMAR.unreadable((&true, None), why(), "lay")), ["one", "two"].map(key));
        assert_eq!(does(GRAMMAR.foreign((&true, None), why())), ["one", "three", "four"].map(key));
        assert_eq!(does(GRAMMAR.foreign((&false, None), why())), ["one", "four"].map(key));
        assert_eq!(GRAMMAR.lines(&true, None)[3].line, "leave: true");
    }

    #[test]
    fn an_example_is_made_for_who_reads_it() {
        let last = |lines: Vec<FormLine>| lines.last().map(|form| form.line.clone());
        assert_eq!(last(GRAMMAR.lines(&true, None)), Some("leave None".into()));
        let shown = last(GRAMMAR.lines(&true, Some(Seat::new(2))));
        assert_eq!(shown, Some(format!("leave {:?}", Some(Seat::new(2)))));
    }

    #[test]
    fn a_form_begins_with_a_word_whatever_follows_it() {
        let first = |line: &'static str| {
            let form = Form::<()>::always("now", line, "x").line(&(), None);
            form.map(|form| form.first_word().to_owned())
        };
        assert_eq!(first("end left").as_deref(), Some("end"));
        assert_eq!(first("next: end left").as_deref(), Some("next"));
    }
}
