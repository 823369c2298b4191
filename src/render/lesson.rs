//! What a newcomer's first turn teaches: a line that he could send as it stands, what the parts of
//! a letter are, and where help is.

use super::block::Block;
use super::blocks::Writer;
use crate::rules::Message;

impl Writer<'_, '_> {
    /// What is taught; nothing to who has played, is not asked for anything, or
    /// has been taught.
    pub(super) fn lesson(&self) -> Option<Block> {
        let (table, seat) = (self.page.table, self.letter.seat);
        // His turn is news to him once: a reminder or a refusal need not teach again.
        let is_told = self.letter.told >= table.head();
        if is_told || !self.letter.is_new || !table.turn().awaits(seat) {
            return None;
        }
        let suggested = self.suggestions().first().map(|one| one.line.clone());
        let line = suggested.or_else(|| table.game().legal(seat).into_iter().next())?;
        let said = [
            Message::new("lesson-sample"),
            Message::new("lesson-line").with("line", line),
            Message::new("lesson-preview"),
            Message::new("lesson-parts")
                .with("board", self.heading("heading-board"))
                .with("table", self.heading("heading-public"))
                .with("own", self.heading("heading-private"))
                .with("choices", self.heading("heading-choices")),
            Message::new("lesson-talk"),
            Message::new("lesson-help").with("moderator", self.letter.moderator),
        ];
        let lines = self.say_all(&said);
        Some(Block::lines("lesson", self.heading("heading-lesson"), lines))
    }
}
