//! A letter about a game: the order of its parts, and what stands around them.

use super::letter::Shell;
use super::library::Language;
use super::markdown::Piece;
use super::rows::{self, ShownRow};
use super::sentences::People;
use super::templates::{COLUMNS, NARROW};
use super::{GameLetter, Occasion, Page, Picture, Rendered, subject, told};
use crate::rules::{Damage, Message, Suggestion, Turn};
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
    rows: Vec<ShownRow>,
    /// Whether much is said in one of those.
    is_long: bool,
    /// The same for HTML, where it is to be read.
    prose: Vec<Piece>,
    /// The Content-ID of a picture that shows the same, where there is one.
    picture: Option<String>,
    /// What stands for the picture where it is not shown.
    alt: String,
}

impl Block {
    /// A part that is aligned by columns in plain text.
    pub(crate) fn text(id: &'static str, title: String, text: &str) -> Self {
        Self { text: text.trim_end().to_owned(), ..Self::lines(id, title, Vec::new()) }
    }

    /// A part of sentences.
    pub(crate) fn lines(id: &'static str, title: String, lines: Vec<String>) -> Self {
        Self { id, title, lines, ..Self::default() }
    }

    /// The same part, with this position in HTML.
    pub(crate) fn with_rows(self, rows: Vec<ShownRow>) -> Self {
        Self { is_long: rows::are_long(&rows), rows, ..self }
    }

    /// The same part, with this prose in HTML.
    pub(crate) fn with_prose(self, prose: Vec<Piece>) -> Self {
        Self { prose, ..self }
    }

    /// The same part, shown by a picture too.
    pub(crate) fn with_picture(self, picture: Option<&Picture>) -> Self {
        let (picture, alt) = picture.map(|shown| (shown.id.clone(), shown.alt.clone())).unzip();
        Self { picture, alt: alt.unwrap_or_default(), ..self }
    }

    /// Whether it is this one.
    pub(crate) fn is(&self, id: &str) -> bool {
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
pub(crate) struct Writer<'w, 'p> {
    pub(crate) page: &'w mut Page<'p>,
    pub language: &'w Language,
    pub letter: &'w GameLetter<'w>,
    pub(crate) pictures: Vec<Picture>,
    /// The orders that are suggested to the reader, once they were asked for.
    suggested: OnceCell<Vec<Suggestion>>,
}

impl<'w, 'p> Writer<'w, 'p> {
    pub(super) fn new(
        page: &'w mut Page<'p>,
        language: &'w Language,
        letter: &'w GameLetter<'w>,
    ) -> Self {
        let (pictures, suggested) = Default::default();
        Self { page, language, letter, pictures, suggested }
    }

    pub(crate) fn write(mut self) -> Result<Rendered, Damage> {
        let intro = self.intro();
        let blocks = self.blocks()?;
        let place = (self.page.table, self.page.names);
        let subject = subject::to_seat(place, self.language, self.letter);
        let turn = self.page.table.turn();
        let how = (turn != Turn::Over).then(|| self.language.words.term("footer-how"));
        let facts = self.facts();
        let footer: Vec<String> = how.into_iter().chain(facts.iter().cloned()).collect();
        let preheader = self.preheader(&intro, &blocks);
        let shell =
            Shell { language: self.language, style: self.letter.reader.letters, subject: &subject };
        let name = if self.letter.among_others { "letter-part" } else { "letter" };
        let context = context! {
            awaited => turn.awaits(self.letter.seat),
            intro => intro,
            blocks => Serde(blocks),
            footer => footer,
            facts => facts,
            taps => self.taps(),
        };
        Ok(Rendered { pictures: self.pictures, ..shell.write(name, &preheader, context) })
    }

    /// The parts in their order: what happened, the position, what can be done, what was asked.
    fn blocks(&mut self) -> Result<Vec<Block>, Damage> {
        let mut blocks: Vec<Block> = self.orders().into_iter().chain(self.lesson()).collect();
        blocks.push(self.talk());
        blocks.push(self.news()?);
        let shows_table = self.letter.occasion.shows_table();
        if shows_table {
            blocks.extend(self.standings());
            let revealed = self.revealed();
            // Then what the reader held stands with what all others did.
            let is_revealed = !revealed.is_empty();
            blocks.push(revealed);
            blocks.extend(self.course()?);
            blocks.extend(self.afterwards()?);
            blocks.push(self.board()?);
            blocks.push(self.public(false)?);
            if !is_revealed {
                blocks.push(self.private());
            }
            blocks.push(self.deadline());
            blocks.push(self.choices());
            blocks.push(self.plans());
        }
        for command in self.letter.asked {
            blocks.extend(self.asked(*command)?);
        }
        if !shows_table {
            blocks.push(self.deadline());
        }
        blocks.push(self.own_notes());
        blocks.retain(|block| !block.is_empty());
        Ok(blocks)
    }

    /// What a list of letters shows beside the subject: what is asked, and the latest news.
    fn preheader(&self, intro: &[String], blocks: &[Block]) -> String {
        let lead = intro.first().map(String::as_str).unwrap_or_default();
        let news = blocks.iter().find(|block| block.is("news") && self.letter.told > 0);
        let latest = news.and_then(Block::last_line).unwrap_or_default();
        [lead, latest].join(" ").trim_end().to_owned()
    }

    /// How wide its plain text is.
    pub(super) const fn columns(&self) -> usize {
        if self.letter.reader.letters.narrow { NARROW } else { COLUMNS }
    }

    pub(super) fn people(&self) -> People<'_> {
        People { names: self.page.names, you: Some(self.letter.seat) }
    }

    pub(super) fn say(&self, message: &Message) -> String {
        let kind = &self.page.table.founding().game;
        let message = self.language.with_own_lines(kind, message);
        self.language.words.say(&message, &self.people())
    }

    pub(super) fn say_all(&self, messages: &[Message]) -> Vec<String> {
        messages.iter().map(|message| self.say(message)).collect()
    }

    /// A heading, by the game's own word for it where it has one.
    pub(super) fn heading(&self, key: &str) -> String {
        self.page.heading(self.language, key)
    }

    /// The orders that most who sit there would think of.
    pub(super) fn suggestions(&self) -> &[Suggestion] {
        let game = self.page.table.game();
        self.suggested.get_or_init(|| game.suggestions(self.letter.seat))
    }

    /// What is sent by a tap: orders where it is the reader's turn, and what else is offered;
    /// nothing in a letter that has no links.
    fn taps(&self) -> Option<Value> {
        let (letter, table) = (self.letter, self.page.table);
        if !letter.reader.letters.html {
            return None;
        }
        let orders = if table.turn().awaits(letter.seat) { self.suggestions() } else { &[] };
        let own = |order: &Suggestion| Suggestion {
            group: order.group.clone(),
            line: self.language.order(&table.founding().game, &order.line),
        };
        let orders: Vec<Suggestion> = orders.iter().map(own).collect();
        let title = self.language.title(table.founding(), letter.subject.name);
        letter.taps.shown((self.language, &self.people()), &title, &orders)
    }

    /// By what the position can be checked.
    fn facts(&self) -> Vec<String> {
        let (table, letter) = (self.page.table, self.letter);
        let mut facts = vec![self.say(&told::place(table))];
        if matches!(letter.occasion, Occasion::Welcome) {
            let commitment = Chain::commitment(&table.founding().seed);
            facts.push(self.say(&Message::new("footer-commitment").with("hash", commitment)));
        }
        facts.extend(told::seed(table).map(|seed| self.say(&seed)));
        facts
    }
}
