//! The blocks of a letter about a game that show the news, the position, the choices, and the
//! answers to the reader's questions.

use super::blocks::{Block, GameLetterWriter};
use super::{GameLetter, Occasion, Page, markdown, position_rows, record_text};
use crate::club::{NewsPreference, Question};
use crate::rules::{Charset, Message, PositionRow, Turn, UnreadableData, Viewer};
use crate::table::{Record, Table};
use minijinja::context;
use std::sync::Arc;

impl GameLetterWriter<'_, '_> {
    /// Whether HTML shows a picture of the board instead of the position in words.
    fn has_picture_instead_of_words(&self) -> bool {
        let GameLetter { reader, has_picture, .. } = *self.letter;
        has_picture && self.page.has_pictures_for(reader) && !reader.letters.narrow_text
    }

    /// Whether the letter only tells players whose turn is over what their own orders did. They
    /// have just seen the position, so HTML leaves it out. The plain text contains it.
    fn only_confirms_orders(&self) -> bool {
        let GameLetter { occasion, questions, last_seen_record, seat, reader, .. } = *self.letter;
        let (table, turn) = (self.page.table, self.page.table.turn());
        let mut records = table.records_since(last_seen_record).iter();
        matches!(occasion, Occasion::Accepted { .. })
            && turn != Turn::Over
            && !turn.awaits(seat)
            && questions.is_empty()
            && last_seen_record > 0
            && !reader.letters.narrow_text
            && records.all(|record| Table::seat_that_ordered(record) == Some(seat))
    }

    /// Returns the block about the founding of the game for the first letter, if it has a picture.
    /// HTML leaves the block out, because the picture and the reader's holdings show the setup.
    pub(super) fn setup_block(&self) -> Result<Option<Block>, UnreadableData> {
        if self.letter.last_seen_record > 0 || !self.has_picture_instead_of_words() {
            return Ok(None);
        }
        let founding = self.page.table.records().get(..1).unwrap_or_default();
        let lines = self.sentences_of_records(founding)?;
        Ok(Some(self.text_only_block("setup", self.heading("heading-setup"), &lines)))
    }

    /// Returns the block of the records that the reader has not seen yet. `has_setup` says whether
    /// another block is about the founding.
    pub(super) fn news_block(&self, has_setup: bool) -> Result<Block, UnreadableData> {
        let seen = self.letter.last_seen_record.max(u32::from(has_setup));
        let lines = self.sentences_of_records(self.page.table.records_since(seen))?;
        let title =
            if self.letter.last_seen_record == 0 { "heading-beginning" } else { "heading-news" };
        Ok(Block::from_lines("news", self.heading(title), lines))
    }

    fn sentences_of_records(&self, records: &[Arc<Record>]) -> Result<Vec<String>, UnreadableData> {
        let mut sentences = Vec::new();
        for record in records {
            sentences.extend(self.record_sentences(record)?);
        }
        Ok(sentences)
    }

    pub(super) fn record_sentences(&self, record: &Record) -> Result<Vec<String>, UnreadableData> {
        let told = record_text::cause_and_event_messages(
            self.page.table,
            record,
            Viewer::Seat(self.letter.seat),
        )?;
        Ok(self.localize_all(&told))
    }

    /// Returns the block of the result, or `None` while the game is in play.
    pub(super) fn standings_block(&self) -> Option<Block> {
        let standings = self.localize_all(&record_text::standings_messages(self.page.table));
        let heading = || self.heading("heading-standings");
        (!standings.is_empty()).then(|| Block::from_lines("standings", heading(), standings))
    }

    /// Returns the block of the secrets of all seats. The block is empty while the game is in play.
    pub(super) fn revealed_block(&self) -> Block {
        let revealed = self.localize_all(&record_text::revealed_messages(self.page.table));
        Block::from_lines("revealed", self.heading("heading-revealed"), revealed)
    }

    /// Returns the block of the board. A preview shows the board after its orders.
    pub(super) fn board_block(&mut self) -> Result<Block, UnreadableData> {
        let events = match self.letter.occasion {
            Occasion::Previewed { events, .. } if !events.is_empty() => events,
            _ => return self.draw_board_block("heading-board"),
        };
        let table = self.page.table;
        let ahead = table.with_previewed_events(self.letter.seat, events)?;
        let has_pictures = self.page.has_pictures_for(self.letter.reader);
        let mut page = Page::new(&ahead, self.page.names).with_pictures(has_pictures);
        let letter = GameLetter { last_seen_record: table.last_record_number(), ..*self.letter };
        let mut writer = GameLetterWriter::new(&mut page, self.language, &letter);
        let block = writer.draw_board_block("heading-board-previewed")?;
        self.pictures.append(&mut writer.pictures);
        Ok(block)
    }

    /// Draws the block of the board under this heading. Plain text shows the board in columns, or
    /// in words if the reader wants narrow text. HTML shows a picture and what it cannot show, or
    /// the whole position in words if there is no picture, or the reader wants words.
    fn draw_board_block(&mut self, heading: &str) -> Result<Block, UnreadableData> {
        let reader = self.letter.reader;
        let charset = if reader.ascii { Charset::Ascii } else { Charset::Unicode };
        let board = self.page.board_text(self.letter.last_seen_record, charset)?;
        if self.only_confirms_orders() {
            return Ok(self.position_block("board", heading, &board, &[]));
        }
        let rows = self.position_rows()?;
        let picture = match self.letter.has_picture {
            true => self.page.board_picture(self.language, self.letter.last_seen_record, reader)?,
            false => None,
        };
        let is_asked = self.letter.questions.contains(&Question::Board);
        let is_brief = picture.is_some() && !reader.letters.narrow_text && !is_asked;
        let rows = if is_brief { position_rows::shorten_beside_picture(rows) } else { rows };
        let block = self.position_block("board", heading, &board, &rows);
        let block = if is_brief { block.with_side_by_side_rows() } else { block };
        let block = block.with_picture(picture.as_ref());
        self.pictures.extend(picture);
        Ok(block)
    }

    /// Returns the public position in words for HTML and for narrow text, and no rows for other
    /// letters.
    fn position_rows(&mut self) -> Result<Vec<PositionRow>, UnreadableData> {
        let style = &self.letter.reader.letters;
        if style.html || style.narrow_text {
            return self.page.position_rows(self.letter.last_seen_record);
        }
        Ok(Vec::new())
    }

    /// Returns the block of a part of the position. A narrow letter shows the rows instead of the
    /// text.
    fn position_block(
        &self,
        id: &'static str,
        heading: &str,
        text: &str,
        rows: &[PositionRow],
    ) -> Block {
        let rows = position_rows::localize_rows(rows, |message| self.localize(message));
        let narrow =
            self.letter.reader.letters.narrow_text.then(|| position_rows::to_narrow_text(&rows));
        let text = narrow.as_deref().unwrap_or(text);
        Block::from_text(id, self.heading(heading), text).with_rows(rows)
    }

    /// Returns the block of the public data that is not on the board. It shows the position in
    /// words only if the letter has no board (`alone`), because the board's words say this already.
    pub(super) fn public_data_block(&mut self, alone: bool) -> Result<Block, UnreadableData> {
        let rows = if alone { self.position_rows()? } else { Vec::new() };
        let text = self.page.render_public_data(self.language, &self.letter.reader.language);
        Ok(self.position_block("public", "heading-public", &text, &rows))
    }

    pub(super) fn private_data_block(&self) -> Block {
        let (seat, style) = (self.letter.seat, &self.letter.reader.letters);
        let rows = match style.html || style.narrow_text {
            true => self.page.table.game().describe_private_position(seat),
            false => Vec::new(),
        };
        let text = self.page.render_game_template(self.language, "private.txt", seat);
        let block = self.position_block("private", "heading-private", &text, &rows);
        if self.has_picture_instead_of_words() { block.with_side_by_side_rows() } else { block }
    }

    /// Returns the block of all legal orders. If the letter has buttons, HTML shows them instead,
    /// unless the reader asked for this block.
    pub(super) fn choices_block(&self, has_buttons: bool) -> Block {
        let choices = match self.page.table.turn() {
            turn if turn.awaits(self.letter.seat) => {
                self.page.table.game().describe_choices(self.letter.seat)
            }
            _ => Vec::new(),
        };
        let choices = self.localize_all(&choices);
        let heading = if has_buttons { "choices-all" } else { "heading-choices" };
        if has_buttons && !self.letter.questions.contains(&Question::Legal) {
            return self.text_only_block("choices", self.heading(heading), &choices);
        }
        Block::from_lines("choices", self.heading(heading), choices)
    }

    /// Returns the block of the reader's plans, and of the setting that makes forced moves
    /// automatic.
    pub(super) fn plans_block(&self) -> Block {
        let game = self.page.table.game();
        let standing = self.letter.queued_orders;
        let forced = standing.auto_forced.then(|| Message::new("plans-auto-forced"));
        let plans = standing.plans.iter().filter_map(|plan| game.describe_plan(plan));
        let said: Vec<Message> = plans.chain(forced).collect();
        Block::from_lines("plans", self.heading("heading-plans"), self.localize_all(&said))
    }

    /// Returns the blocks that answer a question of the reader. It returns no blocks for a part
    /// that the letter shows anyway.
    pub(super) fn answer_blocks(
        &mut self,
        command: Question,
        has_buttons: bool,
    ) -> Result<Vec<Block>, UnreadableData> {
        let shown = self.letter.occasion.shows_position();
        Ok(match command {
            Question::Preview | Question::Pace => Vec::new(),
            Question::Status if !shown => {
                // If the reader asked for the board too, its words include the public position.
                let alone = !self.letter.questions.contains(&Question::Board);
                let position =
                    [self.public_data_block(alone)?, self.private_data_block(), self.plans_block()];
                self.standings_block().into_iter().chain(position).collect()
            }
            Question::Board if !shown => vec![self.board_block()?],
            Question::Status | Question::Board => Vec::new(),
            Question::Legal if shown && self.page.table.turn().awaits(self.letter.seat) => {
                Vec::new()
            }
            Question::Legal => vec![self.legal_orders_block(has_buttons)],
            Question::History => vec![self.history_block()?],
            Question::Rules => {
                let rules =
                    self.page.render_game_template(self.language, "rules.txt", self.letter.seat);
                vec![self.markdown_block("rules", "heading-rules", &rules)]
            }
            Question::Settings => vec![self.settings_block()],
            Question::Help => {
                let orders = self.page.order_card(self.language, self.letter.seat);
                let club_help = self
                    .language
                    .render_template("help.txt", &context! { club => self.letter.club });
                vec![
                    self.markdown_block("help", "heading-help", &orders),
                    self.markdown_block("help", "heading-house", &club_help),
                ]
            }
        })
    }

    /// Returns the block of a text that is written in [`markdown`].
    fn markdown_block(&self, id: &'static str, heading: &str, text: &str) -> Block {
        let pieces = markdown::parse(text);
        let text = markdown::render_text(&pieces, self.text_width_columns());
        Block::from_text(id, self.heading(heading), &text).with_prose(pieces)
    }

    fn legal_orders_block(&self, has_buttons: bool) -> Block {
        let block = self.choices_block(has_buttons);
        if block.is_empty() {
            let wait = self.localize(&self.turn_message());
            return Block::from_lines("choices", self.heading("heading-choices"), vec![wait]);
        }
        block
    }

    /// Returns the block of the reader's settings, each with the line that changes it.
    pub(super) fn settings_block(&self) -> Block {
        let mut said = self.letter.reader.describe_settings();
        said.push(NewsPreference::setting_message(self.letter.news_wish));
        let forced = if self.letter.queued_orders.auto_forced { "on" } else { "off" };
        said.push(Message::new("setting-auto-forced").with("on", forced));
        Block::from_lines("settings", self.heading("heading-settings"), self.localize_all(&said))
    }

    pub(super) fn private_notes_block(&self) -> Block {
        let line = |(number, text): (usize, &str)| {
            Message::new("note-line").with("number", number).with("text", text)
        };
        let lines: Vec<Message> = self.letter.private_notes.numbered().map(line).collect();
        Block::from_lines("own-notes", self.heading("heading-own-notes"), self.localize_all(&lines))
    }
}
