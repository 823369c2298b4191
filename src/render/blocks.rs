//! A letter about a game: the order of its parts, and what stands around them.

use super::game_letter::LetterFrame;
use super::library::Language;
use super::markdown::MarkdownPiece;
use super::position_rows::{self, LocalizedRow};
use super::sentences::People;
use super::templates::{COLUMNS, NARROW_COLUMNS};
use super::{GameLetter, Occasion, Page, Picture, RenderedLetter, record_text, subject};
use crate::rules::{Message, Suggestion, Turn, UnreadableData};
use crate::table::Chain;
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;
use std::cell::OnceCell;

/// One part of a letter, under its own heading. Plain text shows the lines and the text. HTML shows
/// the lines, the rows, the prose and the picture, because a phone cannot show columns of text.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Block {
    /// What it is, for a template that treats one of them otherwise.
    id: &'static str,
    title: String,
    /// Sentences, each on lines of its own.
    lines: Vec<String>,
    /// Text that is aligned by columns.
    text: String,
    /// The same for HTML, where it is a position.
    rows: Vec<LocalizedRow>,
    /// Whether much is said in one of those.
    is_long: bool,
    /// The same for HTML, where it is to be read.
    prose: Vec<MarkdownPiece>,
    /// The Content-ID of a picture that shows the same, where there is one.
    picture: Option<String>,
    /// What stands for the picture where it is not shown.
    alt: String,
}

impl Block {
    /// A part that is aligned by columns in plain text.
    pub(crate) fn from_text(id: &'static str, title: String, text: &str) -> Self {
        Self { text: text.trim_end().to_owned(), ..Self::from_lines(id, title, Vec::new()) }
    }

    /// A part of sentences.
    pub(crate) fn from_lines(id: &'static str, title: String, lines: Vec<String>) -> Self {
        Self { id, title, lines, ..Self::default() }
    }

    /// The same part, with this position in HTML.
    pub(crate) fn with_rows(self, rows: Vec<LocalizedRow>) -> Self {
        Self { is_long: position_rows::has_long_row(&rows), rows, ..self }
    }

    /// The same part, with this prose in HTML.
    pub(crate) fn with_prose(self, prose: Vec<MarkdownPiece>) -> Self {
        Self { prose, ..self }
    }

    /// The same part, shown by a picture too.
    pub(crate) fn with_picture(self, picture: Option<&Picture>) -> Self {
        let (picture, alt) = picture.map(|shown| (shown.id.clone(), shown.alt.clone())).unzip();
        Self { picture, alt: alt.unwrap_or_default(), ..self }
    }

    /// Whether it is this one.
    pub(crate) fn has_id(&self, id: &str) -> bool {
        self.id == id
    }

    /// The last of its sentences.
    pub(crate) fn last_line(&self) -> Option<&str> {
        self.lines.last().map(String::as_str)
    }

    /// Whether there is nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        let words = self.lines.is_empty() && self.text.is_empty();
        words && self.rows.is_empty() && self.prose.is_empty() && self.picture.is_none()
    }
}

/// Writes one letter.
pub(crate) struct GameLetterWriter<'w, 'p> {
    pub(crate) page: &'w mut Page<'p>,
    pub language: &'w Language,
    pub letter: &'w GameLetter<'w>,
    pub(crate) pictures: Vec<Picture>,
    /// The orders that are suggested to the reader, once they were asked for.
    suggested: OnceCell<Vec<Suggestion>>,
}

impl<'w, 'p> GameLetterWriter<'w, 'p> {
    pub(super) fn new(
        page: &'w mut Page<'p>,
        language: &'w Language,
        letter: &'w GameLetter<'w>,
    ) -> Self {
        let (pictures, suggested) = Default::default();
        Self { page, language, letter, pictures, suggested }
    }

    pub(crate) fn write(mut self) -> Result<RenderedLetter, UnreadableData> {
        let intro = self.intro_sentences();
        let blocks = self.collect_blocks()?;
        let place = (self.page.table, self.page.names);
        let subject = subject::player_subject(place, self.language, self.letter);
        let turn = self.page.table.turn();
        let how = (turn != Turn::Over).then(|| self.language.localizer.term("footer-how"));
        let facts = self.verification_facts();
        let footer: Vec<String> = how.into_iter().chain(facts.iter().cloned()).collect();
        let preheader = self.preheader(&intro, &blocks);
        let shell = LetterFrame {
            language: self.language,
            style: self.letter.reader.letters,
            subject: &subject,
        };
        let name = if self.letter.is_bundled { "letter-part" } else { "letter" };
        let context = context! {
            awaited => turn.awaits(self.letter.seat),
            intro => intro,
            blocks => Serde(blocks),
            footer => footer,
            facts => facts,
            taps => self.mailto_links(),
        };
        Ok(RenderedLetter { pictures: self.pictures, ..shell.render(name, &preheader, context) })
    }

    /// The parts in their order: what happened, the position, what can be done, what was asked.
    fn collect_blocks(&mut self) -> Result<Vec<Block>, UnreadableData> {
        let mut blocks: Vec<Block> =
            self.orders_block().into_iter().chain(self.lesson_block()).collect();
        blocks.push(self.talk_block());
        blocks.push(self.news_block()?);
        let shows_table = self.letter.occasion.shows_table();
        if shows_table {
            blocks.extend(self.standings_block());
            let revealed = self.revealed_block();
            // Then what the reader held stands with what all others did.
            let is_revealed = !revealed.is_empty();
            blocks.push(revealed);
            blocks.extend(self.course_block()?);
            blocks.extend(self.afterwards_block()?);
            blocks.push(self.board_block()?);
            blocks.push(self.public_block(false)?);
            if !is_revealed {
                blocks.push(self.private_block());
            }
            blocks.push(self.deadline_block());
            blocks.push(self.choices_block());
            blocks.push(self.plans_block());
        }
        for command in self.letter.questions {
            blocks.extend(self.answer_blocks(*command)?);
        }
        if !shows_table {
            blocks.push(self.deadline_block());
        }
        blocks.push(self.private_notes_block());
        blocks.retain(|block| !block.is_empty());
        Ok(blocks)
    }

    /// What a list of letters shows beside the subject: what is asked, and the latest news.
    fn preheader(&self, intro: &[String], blocks: &[Block]) -> String {
        let lead = intro.first().map(String::as_str).unwrap_or_default();
        let news =
            blocks.iter().find(|block| block.has_id("news") && self.letter.last_seen_record > 0);
        let latest = news.and_then(Block::last_line).unwrap_or_default();
        [lead, latest].join(" ").trim_end().to_owned()
    }

    /// How wide its plain text is.
    pub(super) const fn columns(&self) -> usize {
        if self.letter.reader.letters.narrow_text { NARROW_COLUMNS } else { COLUMNS }
    }

    pub(super) fn people(&self) -> People<'_> {
        People { names: self.page.names, you: Some(self.letter.seat) }
    }

    pub(super) fn localize(&self, message: &Message) -> String {
        let kind = &self.page.table.founding().game;
        let message = self.language.localize_lines(kind, message);
        self.language.localizer.localize(&message, &self.people())
    }

    pub(super) fn localize_all(&self, messages: &[Message]) -> Vec<String> {
        messages.iter().map(|message| self.localize(message)).collect()
    }

    /// A heading, by the game's own word for it where it has one.
    pub(super) fn heading(&self, key: &str) -> String {
        self.page.heading(self.language, key)
    }

    /// The orders that most who sit there would think of.
    pub(super) fn suggestions(&self) -> &[Suggestion] {
        let game = self.page.table.game();
        self.suggested.get_or_init(|| game.suggest_lines(self.letter.seat))
    }

    /// What is sent by a tap: orders where it is the reader's turn, and what else is offered;
    /// nothing in a letter that has no links.
    fn mailto_links(&self) -> Option<Value> {
        let (letter, table) = (self.letter, self.page.table);
        if !letter.reader.letters.html {
            return None;
        }
        let orders = if table.turn().awaits(letter.seat) { self.suggestions() } else { &[] };
        let own = |order: &Suggestion| Suggestion {
            group: order.group.clone(),
            line: self.language.localize_order(&table.founding().game, &order.line),
        };
        let orders: Vec<Suggestion> = orders.iter().map(own).collect();
        let title = self.language.game_title(table.founding(), letter.subject_parts.game_name);
        letter.mailto_links.template_value((self.language, &self.people()), &title, &orders)
    }

    /// By what the position can be checked.
    fn verification_facts(&self) -> Vec<String> {
        let (table, letter) = (self.page.table, self.letter);
        let mut facts = vec![self.localize(&record_text::verification_message(table))];
        if matches!(letter.occasion, Occasion::Welcome) {
            let commitment = Chain::seed_commitment(&table.founding().seed);
            facts.push(self.localize(&Message::new("footer-commitment").with("hash", commitment)));
        }
        facts.extend(record_text::seed_message(table).map(|seed| self.localize(&seed)));
        facts
    }
}
