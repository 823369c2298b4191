//! The ways in which a line can be written: one table a game, for who reads lines, who refuses
//! them, and who tells how they are written.

use super::words::one_of;
use super::{Message, Refusal, Seat};
use std::collections::BTreeSet;

/// How the lines of a game, or the plans, are written. `parse` finds its way by the verbs; the card
/// of orders is made of the forms, and so is what a refusal offers instead.
pub struct Grammar<S: 'static> {
    /// The verbs that lines begin with and that can be shortened.
    pub verbs: &'static [&'static str],
    /// How many letters of a verb will do, where no other begins with them.
    pub least: usize,
    /// Words that lines begin with and that are written out, each with the verb that it means.
    pub whole: &'static [(&'static str, &'static str)],
    /// The ways of writing a line.
    pub forms: &'static [Form<S>],
}

/// One way of writing a line.
pub struct Form<S: 'static> {
    /// Under which heading of the card of orders it stands.
    part: &'static str,
    said: Said<S>,
}

/// To whom forms are shown: where the game stands, and whose eyes they are for. What an example
/// names is taken from there, so that it can be sent back.
pub struct Reader<'a, S> {
    state: &'a S,
    /// Nobody's in particular where it is none; then nothing that a seat holds may be shown.
    seat: Option<Seat>,
}

impl<'a, S> From<&'a S> for Reader<'a, S> {
    fn from(state: &'a S) -> Self {
        Self { state, seat: None }
    }
}

impl<'a, S> From<(&'a S, Seat)> for Reader<'a, S> {
    fn from((state, seat): (&'a S, Seat)) -> Self {
        Self { state, seat: Some(seat) }
    }
}

/// A line, and what it does.
enum Said<S: 'static> {
    /// In every game.
    Always(&'static str, &'static str),
    /// In some games only.
    Where(fn(&S) -> bool, &'static str, &'static str),
    /// Made of the game itself.
    Of(fn(&S) -> (String, Message)),
    /// The same, where the game has it.
    Perhaps(fn(&S) -> Option<(String, Message)>),
    /// Made of the game and of what its reader holds.
    To(fn(&S, Option<Seat>) -> (String, Message)),
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
    /// A form that every game has: where it stands, a line of it, and the sentence of what it does.
    pub const fn always(part: &'static str, line: &'static str, key: &'static str) -> Self {
        Self { part, said: Said::Always(line, key) }
    }

    /// A form that some games have.
    pub(crate) const fn only(
        part: &'static str,
        has: fn(&S) -> bool,
        line: &'static str,
        key: &'static str,
    ) -> Self {
        Self { part, said: Said::Where(has, line, key) }
    }

    /// A form whose line, and what is said of it, depend on the game.
    pub(crate) const fn of(part: &'static str, said: fn(&S) -> (String, Message)) -> Self {
        Self { part, said: Said::Of(said) }
    }

    /// A form that some games have, and whose line depends on the game.
    pub(crate) const fn perhaps(
        part: &'static str,
        said: fn(&S) -> Option<(String, Message)>,
    ) -> Self {
        Self { part, said: Said::Perhaps(said) }
    }

    /// A form whose line depends on who reads it too: an example of what this seat could do now,
    /// made of nothing that the seat does not see; none for a reader who has no seat. An empty line
    /// is not shown.
    pub(crate) const fn to(
        part: &'static str,
        said: fn(&S, Option<Seat>) -> (String, Message),
    ) -> Self {
        Self { part, said: Said::To(said) }
    }

    fn line(&self, reader: &Reader<'_, S>) -> Option<FormLine> {
        let state = reader.state;
        let part = self.part;
        let fixed = |line: &str, key| FormLine { part, line: line.into(), does: Message::new(key) };
        match self.said {
            Said::Always(line, key) => Some(fixed(line, key)),
            Said::Where(has, line, key) => has(state).then(|| fixed(line, key)),
            Said::Of(said) => {
                let (line, does) = said(state);
                Some(FormLine { part, line, does })
            }
            Said::Perhaps(said) => said(state).map(|(line, does)| FormLine { part, line, does }),
            Said::To(said) => {
                let (line, does) = said(state, reader.seat);
                (!line.is_empty()).then_some(FormLine { part, line, does })
            }
        }
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
    pub(crate) const NONE: Self = Self { verbs: &[], least: 1, whole: &[], forms: &[] };

    /// The forms that this game has, as this reader is shown them.
    pub fn lines<'a>(&self, reader: impl Into<Reader<'a, S>>) -> Vec<FormLine> {
        let reader = reader.into();
        self.forms.iter().filter_map(|form| form.line(&reader)).collect()
    }

    /// Every word, written out, that a line begins with.
    pub(crate) fn words(&self) -> impl Iterator<Item = &'static str> {
        self.verbs.iter().copied().chain(self.whole.iter().map(|&(word, _)| word))
    }

    /// The verb that a word means: the word itself, or a beginning of it that fits no other.
    pub fn verb(&self, word: &str) -> Option<&'static str> {
        let written_out = self.whole.iter().find(|(whole, _)| *whole == word);
        written_out.map(|&(_, means)| means).or_else(|| {
            let verb = one_of(self.verbs, |verb| verb, word)?;
            (word.len() >= self.least).then_some(verb)
        })
    }

    /// The refusal, and instead the forms that begin like this.
    pub(crate) fn instead<'a>(
        &self,
        refusal: Refusal,
        reader: impl Into<Reader<'a, S>>,
        begins: &str,
    ) -> Refusal {
        let forms = self.lines(reader).into_iter().filter(|form| form.line.starts_with(begins));
        forms.map(FormLine::offered).fold(refusal, Refusal::or)
    }

    /// The line could not be read: why, and instead the forms that begin like this.
    pub fn unreadable<'a>(
        &self,
        reader: impl Into<Reader<'a, S>>,
        reason: Message,
        begins: &str,
    ) -> Refusal {
        self.instead(Refusal::unreadable(reason), reader, begins)
    }

    /// The line does not begin like any: why, and instead one form for each word that lines begin
    /// with.
    pub fn foreign<'a>(&self, reader: impl Into<Reader<'a, S>>, reason: Message) -> Refusal {
        let (mut forms, mut verbs) = (self.lines(reader), BTreeSet::new());
        let verb = |form: &FormLine| form.line.split([' ', ':']).next().map(str::to_owned);
        forms.retain(|form| verbs.insert(verb(form)));
        forms.into_iter().map(FormLine::offered).fold(Refusal::foreign(reason), Refusal::or)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAMMAR: Grammar<bool> = Grammar {
        verbs: &["lay", "leave"],
        least: 2,
        whole: &[("end", "end"), ("build", "lay")],
        forms: &[
            Form::always("now", "lay D2", "one"),
            Form::always("now", "lay D2, D3", "two"),
            Form::only("now", |has| *has, "end", "three"),
            Form::of("later", |has| (format!("leave: {has}"), Message::new("four"))),
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
        assert_eq!(does(GRAMMAR.unreadable(&true, why(), "lay")), ["one", "two"].map(key));
        assert_eq!(does(GRAMMAR.foreign(&true, why())), ["one", "three", "four"].map(key));
        assert_eq!(does(GRAMMAR.foreign(&false, why())), ["one", "four"].map(key));
        assert_eq!(GRAMMAR.lines(&true)[3].line, "leave: true");
    }

    #[test]
    fn an_example_is_made_for_who_reads_it() {
        let last = |lines: Vec<FormLine>| lines.last().map(|form| form.line.clone());
        assert_eq!(last(GRAMMAR.lines(&true)), Some("leave None".into()));
        let shown = last(GRAMMAR.lines((&true, Seat::new(2))));
        assert_eq!(shown, Some(format!("leave {:?}", Some(Seat::new(2)))));
    }

    #[test]
    fn a_form_begins_with_a_word_whatever_follows_it() {
        let first = |line: &'static str| {
            let form = Form::<()>::always("now", line, "x").line(&Reader::from(&()));
            form.map(|form| form.first_word().to_owned())
        };
        assert_eq!(first("end left").as_deref(), Some("end"));
        assert_eq!(first("next: end left").as_deref(), Some("next"));
    }
}
