//! A letter about a game: the order of its parts, and what stands around them.

use super::block::Block;
use super::library::Language;
use super::links::Tappable;
use super::shell::Shell;
use super::templates::{COLUMNS, NARROW};
use super::words::People;
use super::{GameLetter, Occasion, Page, Picture, Rendered, subject};
use crate::rules::{Damage, Message, Suggestion, Turn};
use crate::table::Chain;
use minijinja::context;
use minijinja::value::Serde;
use std::cell::OnceCell;

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
        let subject = self.subject();
        let turn = self.page.table.turn();
        let how = (turn != Turn::Over).then(|| self.term("footer-how"));
        let facts = self.facts();
        let footer: Vec<String> = how.into_iter().chain(facts.iter().cloned()).collect();
        let preheader = self.preheader(&intro, &blocks);
        let shell =
            Shell { language: self.language, style: self.letter.reader.letters, subject: &subject };
        let context = context! {
            awaited => turn.awaits(self.letter.seat),
            intro => intro,
            blocks => Serde(blocks),
            footer => footer,
            facts => facts,
            taps => Serde(self.taps()),
            ..shell.context(&preheader)
        };
        let name = if self.letter.among_others { "letter-part" } else { "letter" };
        let (text, html) = shell.fill(name, &context);
        Ok(Rendered { text, html, subject, pictures: self.pictures })
    }

    /// The parts in their order: what happened, the position, what can be done, what was asked.
    fn blocks(&mut self) -> Result<Vec<Block>, Damage> {
        let mut blocks = self.occasion_blocks();
        blocks.extend(self.lesson());
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
        self.page.people(self.letter.seat)
    }

    pub(super) fn say(&self, message: &Message) -> String {
        let kind = &self.page.table.founding().game;
        let message = self.language.with_own_lines(kind, message);
        self.language.words.say(&message, &self.people())
    }

    pub(super) fn say_all(&self, messages: &[Message]) -> Vec<String> {
        messages.iter().map(|message| self.say(message)).collect()
    }

    fn term(&self, key: &str) -> String {
        self.language.words.term(key)
    }

    /// A heading, by the game's own word for it where it has one.
    pub(super) fn heading(&self, key: &str) -> String {
        self.page.heading(self.language, key)
    }

    /// What the letter is about and what it asks, as lists of letters show it.
    fn subject(&self) -> String {
        let place = (self.page.table, self.page.names);
        subject::to_seat(place, self.language, self.letter)
    }

    /// The orders that most who sit there would think of.
    pub(super) fn suggestions(&self) -> &[Suggestion] {
        let game = self.page.table.game();
        self.suggested.get_or_init(|| game.suggestions(self.letter.seat))
    }

    /// What is sent by a tap: orders where it is the reader's turn, and what else is offered;
    /// nothing in a letter that has no links.
    fn taps(&self) -> Option<Tappable> {
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
        let mut facts = vec![
            self.say(
                &Message::new("footer-place")
                    .with("number", table.founding().number)
                    .with("seq", table.head())
                    .with("chain", table.head_hash().short()),
            ),
        ];
        let seed = &table.founding().seed;
        if matches!(letter.occasion, Occasion::Welcome) {
            let commitment = Chain::commitment(seed);
            facts.push(self.say(&Message::new("footer-commitment").with("hash", commitment)));
        }
        if table.turn() == Turn::Over {
            let seed = data_encoding::HEXLOWER.encode(seed.bytes());
            facts.push(self.say(&Message::new("footer-seed").with("seed", seed)));
        }
        facts
    }
}
