//! Builds the letter that a player gets about a game: the order of its blocks, its subject, its
//! preheader and its footer.

use super::game_letter::LetterFrame;
use super::library::Language;
use super::mailto_links::OfferedLines;
use super::markdown::MarkdownPiece;
use super::position_rows::{self, LocalizedRow};
use super::sentences::People;
use super::templates::{self, COLUMNS, NARROW_COLUMNS};
use super::{GameLetter, Occasion, Page, Picture, RenderedLetter, record_text, subject};
use crate::rules::{Message, Suggestion, Turn, UnreadableData};
use crate::table::Chain;
use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;
use std::cell::OnceCell;

/// The maximum number of lines of news above the buttons of a letter. More lines are below them.
const NEWS_LINES_MAX: usize = 5;

/// One block of a letter, under its own heading. The plain text shows `lines` and `text`. The HTML
/// shows `lines`, `rows`, `prose` and `picture`, because a phone cannot show text in columns.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Block {
    /// The identifier by which templates recognize blocks that they lay out differently, such as
    /// `board`.
    id: &'static str,
    title: String,
    /// The block's sentences. The letter shows each on its own line.
    lines: Vec<String>,
    /// Text in aligned columns, for the plain-text letter only.
    text: String,
    /// The HTML counterpart of `text` if the block shows a position.
    rows: Vec<LocalizedRow>,
    /// Whether one of `rows` is so long that HTML shows its sentences below its name.
    is_long: bool,
    /// Whether HTML shows `rows` side by side and in small type, as it does beside a picture.
    is_brief: bool,
    /// The HTML counterpart of `text` if the block is prose, such as the rules.
    prose: Vec<MarkdownPiece>,
    picture: Option<String>,
    /// The text that mail programs show instead of the picture.
    alt: String,
    /// The counterpart of `text` if it is an address, which HTML shows as a link.
    link: Option<String>,
    /// The lines that HTML shows as buttons.
    taps: Option<OfferedLines>,
}

impl Block {
    /// Creates a letter's block whose plain text is aligned in columns.
    pub(crate) fn from_text(id: &'static str, title: String, text: &str) -> Self {
        Self { text: text.trim_end().to_owned(), ..Self::from_lines(id, title, Vec::new()) }
    }

    pub(crate) fn from_lines(id: &'static str, title: String, lines: Vec<String>) -> Self {
        Self { id, title, lines, ..Self::default() }
    }

    /// Adds the rows that HTML shows instead of the aligned text.
    pub(crate) fn with_rows(self, rows: Vec<LocalizedRow>) -> Self {
        Self { is_long: position_rows::has_long_row(&rows), rows, ..self }
    }

    pub(crate) fn with_side_by_side_rows(self) -> Self {
        Self { is_brief: true, ..self }
    }

    /// Creates a block of offered lines: text in plain text, except for lines that the reader was
    /// already `told`, and buttons in HTML.
    fn from_offered_lines(
        title: String,
        lines: OfferedLines,
        (width, told): (usize, &[String]),
    ) -> Self {
        let block = Self::from_text("taps", title, &lines.to_text(width, told));
        Self { taps: (!lines.is_empty()).then_some(lines), ..block }
    }

    /// Adds the prose that HTML shows instead of the aligned text.
    pub(crate) fn with_prose(self, prose: Vec<MarkdownPiece>) -> Self {
        Self { prose, ..self }
    }

    pub(crate) fn with_picture(self, picture: Option<&Picture>) -> Self {
        let (picture, alt) = picture.map(|shown| (shown.id.clone(), shown.alt.clone())).unzip();
        Self { picture, alt: alt.unwrap_or_default(), ..self }
    }

    /// Adds an address on a line of its own.
    pub(crate) fn with_link(self, link: Option<&str>) -> Self {
        let text = link.map_or_else(String::new, |link| format!("  {link}"));
        Self { link: link.map(str::to_owned), text, ..self }
    }

    pub(crate) fn has_id(&self, id: &str) -> bool {
        self.id == id
    }

    pub(crate) fn last_line(&self) -> Option<&str> {
        self.lines.last().map(String::as_str)
    }

    /// Splits the lines after the first `count` off into a block of their own.
    fn split_lines(&mut self, count: usize, id: &'static str, title: String) -> Self {
        let rest = self.lines.split_off(self.lines.len().min(count));
        Self::from_lines(id, title, rest)
    }

    /// Whether the block has no content. Letters leave empty blocks out.
    pub(crate) fn is_empty(&self) -> bool {
        let words = self.lines.is_empty() && self.text.is_empty();
        let pages = self.rows.is_empty() && self.prose.is_empty() && self.picture.is_none();
        words && pages && self.taps.is_none()
    }
}

/// The writer of one letter about a game for one player.
pub(crate) struct GameLetterWriter<'w, 'p> {
    pub(crate) page: &'w mut Page<'p>,
    pub language: &'w Language,
    pub letter: &'w GameLetter<'w>,
    pub(crate) pictures: Vec<Picture>,
    /// The orders that the game suggests to the reader, computed on first use.
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

    pub(crate) fn render_letter(mut self) -> Result<RenderedLetter, UnreadableData> {
        let intro = self.intro_sentences();
        let blocks = self.collect_blocks()?;
        let place = (self.page.table, self.page.names);
        let subject = subject::player_subject(place, self.language, self.letter);
        let turn = self.page.table.turn();
        // The lesson says how to reply, so the footer does not.
        let has_how = turn != Turn::Over && !blocks.iter().any(|block| block.has_id("lesson"));
        let how = has_how.then(|| self.language.localizer.localize_key("footer-how"));
        let facts = self.verification_sentences();
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
            footer => footer,
            facts => facts,
            // For clubs whose own copy of `letter-body.html` shows the buttons in one place.
            taps => Serde(blocks.iter().rev().find_map(|block| block.taps.as_ref())),
            blocks => Serde(&blocks),
        };
        Ok(RenderedLetter { pictures: self.pictures, ..shell.render(name, &preheader, context) })
    }

    /// Returns the letter's blocks in order: the result of the reader's orders, what happened, the
    /// board, what the reader holds, the lines to send, and the rest. Empty blocks are left out.
    fn collect_blocks(&mut self) -> Result<Vec<Block>, UnreadableData> {
        let result = self.orders_block();
        let told = result.as_ref().map_or(&[][..], |block| &block.lines);
        let [answers, orders] = self.offered_lines_blocks(told);
        let has_buttons = !orders.is_empty();
        let setup = self.setup_block()?;
        let mut news = self.news_block(setup.is_some())?;
        let lines_max = if has_buttons { NEWS_LINES_MAX } else { usize::MAX };
        let more_news = news.split_lines(lines_max, "more", self.heading("heading-more-news"));
        let mut blocks: Vec<Block> = result.into_iter().collect();
        blocks.extend([answers, self.talk_block()]);
        blocks.extend(setup);
        blocks.push(news);
        let rest = [more_news, self.deadline_block()];
        if self.letter.occasion.shows_position() {
            self.add_position_blocks(&mut blocks)?;
            blocks.push(orders);
            blocks.extend(self.first_turn_lesson_block());
            blocks.extend(rest);
            blocks.extend([self.choices_block(has_buttons), self.plans_block()]);
            self.add_answer_blocks(has_buttons, &mut blocks)?;
        } else {
            self.add_answer_blocks(has_buttons, &mut blocks)?;
            blocks.push(orders);
            blocks.extend(rest);
        }
        blocks.push(self.private_notes_block());
        blocks.retain(|block| !block.is_empty());
        Ok(blocks)
    }

    /// Adds the result of a game that is over, the board, and what the reader holds.
    fn add_position_blocks(&mut self, blocks: &mut Vec<Block>) -> Result<(), UnreadableData> {
        blocks.extend(self.standings_block());
        let revealed = self.revealed_block();
        // The revealed block lists the secrets of all seats, so the reader's own private block
        // would repeat a part of it.
        let is_revealed = !revealed.is_empty();
        blocks.push(revealed);
        blocks.extend(self.score_history_block()?);
        blocks.extend(self.closing_block()?);
        blocks.push(self.board_block()?);
        blocks.push(self.public_data_block(false)?);
        if !is_revealed {
            blocks.push(self.private_data_block());
        }
        Ok(())
    }

    fn add_answer_blocks(
        &mut self,
        has_buttons: bool,
        blocks: &mut Vec<Block>,
    ) -> Result<(), UnreadableData> {
        for command in self.letter.questions {
            blocks.extend(self.answer_blocks(*command, has_buttons)?);
        }
        Ok(())
    }

    /// Returns a block that the plain text shows in lines of the letter's width, and HTML not at
    /// all.
    pub(super) fn text_only_block(
        &self,
        id: &'static str,
        title: String,
        lines: &[String],
    ) -> Block {
        let width = self.text_width_columns();
        let lines = lines.iter().map(|line| templates::wrap_paragraphs(line, "  ", width));
        Block::from_text(id, title, &lines.collect::<Vec<_>>().join("\n"))
    }

    /// Returns the preheader: the text that an inbox shows beside the subject. It is the reason for
    /// a refusal, the latest news, or else the reason for the letter. The subject says the turn and
    /// the deadline, so the preheader has them only if there is nothing else to say.
    fn preheader(&self, intro: &[String], blocks: &[Block]) -> String {
        if let Occasion::Refused { refused, .. } = self.letter.occasion {
            return self.localize(&refused.refusal.reason);
        }
        let is_news = |block: &&Block| block.has_id("news") || block.has_id("more");
        let news = blocks.iter().rfind(|block| is_news(block) && self.letter.last_seen_record > 0);
        match (news.and_then(Block::last_line), intro) {
            (Some(latest), _) => latest.to_owned(),
            (None, [_, reasons @ ..]) if !reasons.is_empty() => reasons.join(" "),
            (None, _) => intro.join(" "),
        }
    }

    /// Returns the width of the plain text in columns, which depends on the reader's setting.
    pub(super) const fn text_width_columns(&self) -> usize {
        if self.letter.reader.letters.narrow_text { NARROW_COLUMNS } else { COLUMNS }
    }

    pub(super) fn names_for_reader(&self) -> People<'_> {
        People { names: self.page.names, you: Some(self.letter.seat) }
    }

    pub(super) fn localize(&self, message: &Message) -> String {
        let kind = &self.page.table.founding().game;
        let message = self.language.localize_lines(kind, message);
        self.language.localizer.localize(&message, &self.names_for_reader())
    }

    pub(super) fn localize_all(&self, messages: &[Message]) -> Vec<String> {
        messages.iter().map(|message| self.localize(message)).collect()
    }

    /// Returns the heading for a kind of block in the reader's language. A game may replace a
    /// heading by its own.
    pub(super) fn heading(&self, key: &str) -> String {
        self.page.heading(self.language, key)
    }

    pub(super) fn suggestions(&self) -> &[Suggestion] {
        let game = self.page.table.game();
        self.suggested.get_or_init(|| game.suggest_lines(self.letter.seat))
    }

    /// Returns the blocks of the lines that the reader can send as they are: the answers to the
    /// letter's questions, and, if it is the reader's turn, the suggested orders with the other
    /// offers.
    fn offered_lines_blocks(&self, told: &[String]) -> [Block; 2] {
        let (letter, table) = (self.letter, self.page.table);
        let orders = if table.turn().awaits(letter.seat) { self.suggestions() } else { &[] };
        let own = |order: &Suggestion| Suggestion {
            group: order.group.clone(),
            line: self.language.localize_order(&table.founding().game, &order.line),
        };
        let orders: Vec<Suggestion> = orders.iter().map(own).collect();
        let subject =
            self.language.steady_subject(table.founding(), letter.subject_parts.game_name);
        let place = (self.language, &self.names_for_reader());
        let [answers, others] = letter.mailto_links.answers_and_orders(place, &subject, &orders);
        let width = self.text_width_columns();
        [
            Block::from_offered_lines(String::new(), answers, (width, told)),
            Block::from_offered_lines(self.heading("heading-choices"), others, (width, &[])),
        ]
    }

    /// Returns the footer sentences by which the reader can verify the game: the hash of the last
    /// record; in the first letter, the commitment to the seed; after the game, the seed itself.
    fn verification_sentences(&self) -> Vec<String> {
        let (table, letter) = (self.page.table, self.letter);
        let mut facts = vec![self.localize(&record_text::verification_message(table))];
        if matches!(letter.occasion, Occasion::Welcome) {
            let commitment = Chain::seed_commitment(&table.founding().seed);
            facts.push(self.localize(&Message::new("footer-proof")));
            facts.push(self.localize(&Message::new("footer-commitment").with("hash", commitment)));
        }
        facts.extend(record_text::seed_message(table).map(|seed| self.localize(&seed)));
        facts
    }
}
