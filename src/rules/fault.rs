//! What is wrong with a definition, and where.

use super::Message;

/// What is wrong with a game's definition or options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub reason: Message,
    /// Where to look in the file.
    pub(crate) near: Option<Near>,
}

/// A place in a definition, by what stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// The text that stands on the faulty line.
    pub text: String,
    /// Which line that holds it, from 0.
    pub(crate) nth: usize,
}

impl Fault {
    /// A fault of the whole.
    pub(crate) const fn new(reason: Message) -> Self {
        Self { reason, near: None }
    }

    /// A fault on the `nth` line (from 0) that holds `text`.
    pub(crate) fn near(reason: Message, text: impl Into<String>, nth: usize) -> Self {
        Self { reason, near: Some(Near { text: text.into(), nth }) }
    }
}
