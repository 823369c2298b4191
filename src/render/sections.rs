//! Letters to the moderator that are made of headed lists.

use super::Rendered;
use super::library::Library;
use super::shell::Shell;
use super::words::People;
use crate::club::Member;
use crate::rules::Message;
use minijinja::context;
use serde::{Deserialize, Serialize};

/// A sentence, and what belongs to it, each on a line of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    pub(crate) head: Message,
    /// What belongs to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Message>,
}

impl Section {
    /// A sentence alone.
    pub(crate) const fn of(head: Message) -> Self {
        Self { head, lines: Vec::new() }
    }
}

impl Library {
    /// Writes a letter of sections.
    pub(crate) fn sections(
        &self,
        to: &Member,
        subject: &Message,
        sections: &[Section],
    ) -> Rendered {
        let language = self.language(&to.language);
        let say = |message: &Message| language.words.say(message, &People::NOBODY);
        let preheader = sections.first().map(|first| say(&first.head)).unwrap_or_default();
        let sections: Vec<_> = sections
            .iter()
            .map(|Section { head, lines }| {
                let lines: Vec<String> = lines.iter().map(say).collect();
                context! { head => say(head), lines }
            })
            .collect();
        let subject = say(subject);
        let shell = Shell { language, style: to.letters, subject: &subject };
        let context = context! { sections, ..shell.context(&preheader) };
        let (text, html) = shell.fill("moderator", &context);
        Rendered { subject, text, html, pictures: Vec::new() }
    }
}
