//! Renders a letter about a game to an observer. It is built from public data only, so it cannot
//! leak secrets.
//!
//! This module may not ask the table for anything that belongs to one seat.

use super::blocks::Block;
use super::game_letter::LetterFrame;
use super::library::{Language, Library};
use super::page::Page;
use super::position_rows::{self, LocalizedRow};
use super::press_lines::{self, talk_entry_lines};
use super::sentences::People;
use super::templates::{COLUMNS, NARROW_COLUMNS};
use super::{RenderedLetter, record_text, subject};
use crate::club::{ActivityEntry, Member};
use crate::rules::{Charset, Message, UnreadableData, Viewer};
use minijinja::context;
use minijinja::value::Serde;

/// The content of a letter to an observer of a game, before it is rendered.
#[derive(Clone, Copy, Debug)]
pub struct PublicLetter<'a> {
    pub club: &'a str,
    /// The member who observes the game.
    pub reader: &'a Member,
    /// The last record that earlier letters disclosed to the reader; 0 for the first letter.
    pub last_seen_record: u32,
    /// The activity log since then, of which the letter shows the talk to all.
    pub activity_log: &'a [ActivityEntry],
    /// The campaign table that the game is played for.
    pub campaign: Option<&'a Message>,
    /// The name that was given to the game, if any. Its number is used in any case.
    pub game_name: Option<&'a str>,
}

impl Page<'_> {
    /// Renders the letter to an observer of the game.
    ///
    /// # Errors
    /// If the log holds an event that this program's rules cannot read.
    pub fn render_public_letter(
        &mut self,
        library: &Library,
        letter: &PublicLetter<'_>,
    ) -> Result<RenderedLetter, UnreadableData> {
        let language = library.language(&letter.reader.language);
        let style = letter.reader.letters;
        let people = People { names: self.names, you: None };
        let say = |message: &Message| language.localizer.localize(message, &people);
        let turn = record_text::turn_or_winner_message(self.table, None);
        let intro: Vec<String> = [&turn].into_iter().chain(letter.campaign).map(say).collect();
        let mut news = Vec::new();
        for record in self.table.records_since(letter.last_seen_record) {
            news.extend(
                record_text::cause_and_event_messages(self.table, record, Viewer::Public)?
                    .iter()
                    .map(say),
            );
        }
        let results = record_text::standings_messages(self.table).iter().map(say).collect();
        let revealed = record_text::revealed_messages(self.table).iter().map(say).collect();
        let heading = |key: &str| self.heading(language, key);
        let fresh = if letter.last_seen_record == 0 { "heading-beginning" } else { "heading-news" };
        let columns = if style.narrow_text { NARROW_COLUMNS } else { COLUMNS };
        let mut blocks = vec![
            press_lines::quoted_talk_block(
                heading("heading-talk"),
                letter.activity_log,
                columns,
                |minute| talk_entry_lines(minute, None, |head| say(&head)),
            ),
            Block::from_lines("news", heading(fresh), news),
            Block::from_lines("standings", heading("heading-standings"), results),
            Block::from_lines("revealed", heading("heading-revealed"), revealed),
        ];
        let rows = self.position_rows(letter.last_seen_record)?;
        let picture = self.board_picture(language, letter.last_seen_record, letter.reader)?;
        let is_brief = picture.is_some() && !style.narrow_text;
        let rows = if is_brief { position_rows::shorten_beside_picture(rows) } else { rows };
        let rows = position_rows::localize_rows(&rows, say);
        let [board, public] = self.board_and_public_blocks(language, letter, rows)?;
        let board = if is_brief { board.with_side_by_side_rows() } else { board };
        blocks.extend([board.with_picture(picture.as_ref()), public]);
        blocks.retain(|block| !block.is_empty());
        let place = (self.table, self.names);
        let subject = subject::observer_subject(place, language, (letter.reader, letter.game_name));
        let shell = LetterFrame { language, style, subject: &subject };
        let preheader = intro.first().cloned().unwrap_or_default();
        let context = context! {
            awaited => false,
            intro => intro,
            blocks => Serde(blocks),
            footer => self.footer_sentences(language, letter.last_seen_record == 0),
        };
        let pictures = picture.into_iter().collect();
        Ok(RenderedLetter { pictures, ..shell.render("letter", &preheader, context) })
    }

    /// Returns the blocks of the board and of the other public data. In a narrow letter, the
    /// position in words replaces both.
    fn board_and_public_blocks(
        &mut self,
        language: &Language,
        letter: &PublicLetter<'_>,
        rows: Vec<LocalizedRow>,
    ) -> Result<[Block; 2], UnreadableData> {
        let title = self.heading(language, "heading-board");
        let charset = if letter.reader.ascii { Charset::Ascii } else { Charset::Unicode };
        let (board, public) = match letter.reader.letters.narrow_text {
            true => (position_rows::to_narrow_text(&rows), String::new()),
            false => (
                self.board_text(letter.last_seen_record, charset)?,
                self.render_public_data(language, &letter.reader.language),
            ),
        };
        Ok([
            Block::from_text("board", title, &board).with_rows(rows),
            Block::from_text("public", self.heading(language, "heading-public"), &public),
        ])
    }

    fn footer_sentences(&self, language: &Language, is_first: bool) -> Vec<String> {
        let number = self.table.founding().number;
        let how = || Message::new("watch-footer").with("number", number);
        let last = record_text::seed_message(self.table).unwrap_or_else(how);
        let proof = record_text::verification_message(self.table);
        let explained = is_first.then(|| Message::new("footer-proof"));
        [last, proof].iter().chain(&explained).map(|said| language.localize(said)).collect()
    }
}
