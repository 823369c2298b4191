//! The parts of a letter about its reader alone: his settings, his private notes.

use super::block::Block;
use super::blocks::Writer;
use crate::club::NewsWish;
use crate::rules::Message;

impl Writer<'_, '_> {
    /// The reader's settings as they are, each with the line that changes it.
    pub(super) fn settings(&self) -> Block {
        let mut said = self.letter.reader.settings();
        said.push(NewsWish::setting(self.letter.wish));
        let forced = if self.letter.standing.auto_forced { "on" } else { "off" };
        said.push(Message::new("setting-auto-forced").with("on", forced));
        Block::lines("settings", self.heading("heading-settings"), self.say_all(&said))
    }

    /// What the reader has noted for himself in this game.
    pub(super) fn own_notes(&self) -> Block {
        let line = |(number, text): (usize, &str)| {
            Message::new("note-line").with("number", number).with("text", text)
        };
        let lines: Vec<Message> = self.letter.own_notes.numbered().map(line).collect();
        Block::lines("own-notes", self.heading("heading-own-notes"), self.say_all(&lines))
    }
}
