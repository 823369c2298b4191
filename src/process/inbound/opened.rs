//! A letter as far as it can be read without asking the club anything: its form, and what of it its
//! writer wrote. So letters can be opened side by side. Judges nothing.

use crate::mail::{Letter, Unreadable, written};
use crate::process::context::Context;

/// A letter that was opened.
pub(crate) struct Opened {
    pub(crate) letter: Letter,
    /// The lines that its writer wrote, each with its number in the body.
    written: Vec<(u32, String)>,
}

impl Opened {
    /// Opens a letter to this club. Any bytes may come in.
    ///
    /// # Errors
    /// Why they are no letter that can be read.
    pub(crate) fn read(context: &Context, bytes: &[u8]) -> Result<Self, Unreadable> {
        Letter::read(bytes).map(|letter| Self::of(context, letter))
    }

    /// The same of a letter that was read.
    pub(crate) fn of(context: &Context, letter: Letter) -> Self {
        let markers: Vec<&str> = context.markers.iter().map(String::as_str).collect();
        let written = written(&letter.body, &markers).into_iter();
        let written = written.map(|(number, line)| (number, line.to_owned())).collect();
        Self { letter, written }
    }

    /// The lines that its writer wrote, each with its number in the body.
    pub(super) fn written(&self) -> Vec<(u32, &str)> {
        self.written.iter().map(|(number, line)| (*number, line.as_str())).collect()
    }
}
