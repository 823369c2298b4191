//! A game's letter to somebody who sits nowhere: built from what everyone may see, field by field.
//!
//! May not ask a table for anything that is a seat's own.

use super::blocks::Block;
use super::library::{Language, Library};
use super::page::Page;
use super::talk::said;
use super::words::People;
use super::{Rendered, told};
use crate::club::{ActivityEntry, Member};
use crate::rules::{Charset, Damage, Message, Turn, Viewer};
use minijinja::context;
use minijinja::value::Serde;

/// A letter to somebody who watches a game, before it has words.
#[derive(Clone, Copy, Debug)]
pub struct PublicLetter<'a> {
    /// The club's name.
    pub club: &'a str,
    /// Who reads it.
    pub reader: &'a Member,
    /// The last record that the reader knows; 0 for none.
    pub told: u32,
    /// What was said and done around the game since then.
    pub minutes: &'a [ActivityEntry],
    /// The table of a campaign that the game is for.
    pub campaign: Option<&'a Message>,
}

impl Page<'_> {
    /// Writes the letter of somebody who watches.
    ///
    /// # Errors
    /// When the log holds an event that this program's rules cannot read.
    pub fn public_letter(
        &mut self,
        library: &Library,
        letter: &PublicLetter<'_>,
    ) -> Result<Rendered, Damage> {
        let language = library.language(&letter.reader.language);
        let people = People { names: self.names, you: None };
        let say = |message: &Message| language.words.say(message, &people);
        let turn = told::turn(self.table, None);
        let intro: Vec<String> = [&turn].into_iter().chain(letter.campaign).map(say).collect();
        let mut news = Vec::new();
        for record in self.table.records_since(letter.told) {
            news.extend(told::record(self.table, record, Viewer::Public)?.iter().map(say));
        }
        let talk = letter.minutes.iter().filter_map(|minute| said(minute, None, |head| say(&head)));
        let talk: Vec<String> = talk.collect();
        let results: Vec<String> = told::standings(self.table).iter().map(say).collect();
        let revealed: Vec<String> = told::revealed(self.table).iter().map(say).collect();
        let charset = if letter.reader.ascii { Charset::Ascii } else { Charset::Unicode };
        let board = self.board(letter.told, charset)?;
        let public = self.public(language, &letter.reader.language);
        let picture = self.picture(language, letter.told, letter.reader)?;
        let heading = |key: &str| self.heading(language, key);
        let fresh = if letter.told == 0 { "heading-beginning" } else { "heading-news" };
        let mut blocks = vec![
            Block::lines("news", heading(fresh), news),
            Block::text("talk", heading("heading-talk"), &talk.join("\n|\n")),
            Block::lines("standings", heading("heading-standings"), results),
            Block::lines("revealed", heading("heading-revealed"), revealed),
            Block::text("board", heading("heading-board"), &board).with_picture(picture.as_ref()),
            Block::text("public", heading("heading-public"), &public),
        ];
        blocks.retain(|block| !block.is_empty());
        let subject = language.title(self.table.founding(), letter.club);
        let context = context! {
            marker => language.words.term("marker"),
            subject => &subject,
            intro => intro,
            blocks => Serde(blocks),
            footer => self.public_footer(language),
        };
        let text = language.fill("letter.txt", &context);
        let html = Some(language.fill("letter.html", &context));
        Ok(Rendered { subject, text, html, pictures: picture.into_iter().collect() })
    }

    fn public_footer(&self, language: &Language) -> Vec<String> {
        let founding = self.table.founding();
        let place = Message::new("footer-place")
            .with("number", founding.number)
            .with("seq", self.table.head())
            .with("chain", self.table.head_hash().short());
        let last = if self.table.turn() == Turn::Over {
            let seed = data_encoding::HEXLOWER.encode(founding.seed.bytes());
            Message::new("footer-seed").with("seed", seed)
        } else {
            Message::new("watch-footer").with("number", founding.number)
        };
        vec![language.say(&last), language.say(&place)]
    }
}
