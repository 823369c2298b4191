//! A game's letter to somebody who sits nowhere: built from what everyone may see, field by field.
//!
//! May not ask a table for anything that is a seat's own.

use super::blocks::Block;
use super::letter::Shell;
use super::library::{Language, Library};
use super::page::Page;
use super::press_lines::{self, said};
use super::rows::{self, ShownRow};
use super::sentences::People;
use super::templates::{COLUMNS, NARROW};
use super::{Picture, Rendered, subject, told};
use crate::club::{ActivityEntry, Member};
use crate::rules::{Charset, Damage, Message, Viewer};
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
    /// What the game is called besides its number.
    pub name: Option<&'a str>,
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
        let style = letter.reader.letters;
        let people = People { names: self.names, you: None };
        let say = |message: &Message| language.words.say(message, &people);
        let turn = told::turn(self.table, None);
        let intro: Vec<String> = [&turn].into_iter().chain(letter.campaign).map(say).collect();
        let mut news = Vec::new();
        for record in self.table.records_since(letter.told) {
            news.extend(told::record(self.table, record, Viewer::Public)?.iter().map(say));
        }
        let results = told::standings(self.table).iter().map(say).collect();
        let revealed = told::revealed(self.table).iter().map(say).collect();
        let heading = |key: &str| self.heading(language, key);
        let fresh = if letter.told == 0 { "heading-beginning" } else { "heading-news" };
        let columns = if style.narrow { NARROW } else { COLUMNS };
        let mut blocks = vec![
            press_lines::block(
                heading("heading-talk"),
                letter.minutes,
                columns,
                |minute, width| said(minute, None, width, |head| say(&head)),
            ),
            Block::lines("news", heading(fresh), news),
            Block::lines("standings", heading("heading-standings"), results),
            Block::lines("revealed", heading("heading-revealed"), revealed),
        ];
        let rows = rows::shown(&self.in_words(letter.told)?, say);
        let picture = self.picture(language, letter.told, letter.reader)?;
        blocks.extend(self.public_position(language, letter, rows, picture.as_ref())?);
        blocks.retain(|block| !block.is_empty());
        let place = (self.table, self.names);
        let subject = subject::to_watcher(place, language, (letter.reader, letter.name));
        let shell = Shell { language, style, subject: &subject };
        let preheader = intro.first().cloned().unwrap_or_default();
        let context = context! {
            awaited => false,
            intro => intro,
            blocks => Serde(blocks),
            footer => self.public_footer(language),
        };
        let pictures = picture.into_iter().collect();
        Ok(Rendered { pictures, ..shell.write("letter", &preheader, context) })
    }

    /// The board and what lies beside it; in a narrow letter the board in words is both.
    fn public_position(
        &mut self,
        language: &Language,
        letter: &PublicLetter<'_>,
        rows: Vec<ShownRow>,
        picture: Option<&Picture>,
    ) -> Result<[Block; 2], Damage> {
        let title = self.heading(language, "heading-board");
        let charset = if letter.reader.ascii { Charset::Ascii } else { Charset::Unicode };
        let (board, public) = match letter.reader.letters.narrow {
            true => (rows::narrow(&rows), String::new()),
            false => {
                (self.board(letter.told, charset)?, self.public(language, &letter.reader.language))
            }
        };
        Ok([
            Block::text("board", title, &board).with_rows(rows).with_picture(picture),
            Block::text("public", self.heading(language, "heading-public"), &public),
        ])
    }

    fn public_footer(&self, language: &Language) -> Vec<String> {
        let number = self.table.founding().number;
        let how = || Message::new("watch-footer").with("number", number);
        let last = told::seed(self.table).unwrap_or_else(how);
        vec![language.say(&last), language.say(&told::place(self.table))]
    }
}
