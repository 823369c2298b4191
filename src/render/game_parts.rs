//! The parts of a letter about a game: what happened, the position, what can be done, and what was
//! asked for.

use super::blocks::{Block, Writer};
use super::{markdown, rows, told};
use crate::club::{Command, NewsWish};
use crate::rules::{Charset, Damage, Message, Row, Viewer};
use crate::table::Record;
use minijinja::context;

impl Writer<'_, '_> {
    /// What has happened since the reader's last letter.
    pub(super) fn news(&self) -> Result<Block, Damage> {
        let mut lines = Vec::new();
        for record in self.page.table.records_since(self.letter.told) {
            lines.extend(self.record(record)?);
        }
        let title = if self.letter.told == 0 { "heading-beginning" } else { "heading-news" };
        Ok(Block::lines("news", self.heading(title), lines))
    }

    pub(super) fn record(&self, record: &Record) -> Result<Vec<String>, Damage> {
        let told = told::record(self.page.table, record, Viewer::Seat(self.letter.seat))?;
        Ok(self.say_all(&told))
    }

    /// The result, once there is one.
    pub(super) fn standings(&self) -> Option<Block> {
        let standings = self.say_all(&told::standings(self.page.table));
        let heading = || self.heading("heading-standings");
        (!standings.is_empty()).then(|| Block::lines("standings", heading(), standings))
    }

    /// What was hidden, once nothing is any more.
    pub(super) fn revealed(&self) -> Block {
        let revealed = self.say_all(&told::revealed(self.page.table));
        Block::lines("revealed", self.heading("heading-revealed"), revealed)
    }

    /// The board: in columns, or in words for who wants a narrow letter; in HTML a picture, and
    /// below it the words.
    pub(super) fn board(&mut self) -> Result<Block, Damage> {
        let rows = self.position()?;
        let picture = self.page.picture(self.language, self.letter.told, self.letter.reader)?;
        let reader = self.letter.reader;
        let charset = if reader.ascii { Charset::Ascii } else { Charset::Unicode };
        let board = self.page.board(self.letter.told, charset)?;
        let is_asked = self.letter.asked.contains(&Command::Board);
        let is_brief = picture.is_some() && !reader.letters.narrow && !is_asked;
        let rows = if is_brief { rows::beside_picture(rows) } else { rows };
        let block = self.in_words("board", "heading-board", &board, &rows);
        // In a letter about several games the letter decides which are shown.
        let shown = picture.as_ref().filter(|_| !self.letter.among_others);
        let block = block.with_picture(shown);
        self.pictures.extend(picture);
        Ok(block)
    }

    /// The whole position in words, for HTML and for narrow letters.
    fn position(&mut self) -> Result<Vec<Row>, Damage> {
        let style = &self.letter.reader.letters;
        if style.html || style.narrow {
            return self.page.in_words(self.letter.told);
        }
        Ok(Vec::new())
    }

    /// Returns the block of a part of the position. A narrow letter shows the rows instead of the
    /// text.
    fn in_words(&self, id: &'static str, heading: &str, text: &str, rows: &[Row]) -> Block {
        let rows = rows::shown(rows, |message| self.say(message));
        let narrow = self.letter.reader.letters.narrow.then(|| rows::narrow(&rows));
        let text = narrow.as_deref().unwrap_or(text);
        Block::text(id, self.heading(heading), text).with_rows(rows)
    }

    /// Returns the block of what everyone may see beside the board. It shows the position in words
    /// only if the letter has no board (`alone`), because the board's words say the same.
    pub(super) fn public(&mut self, alone: bool) -> Result<Block, Damage> {
        let rows = if alone { self.position()? } else { Vec::new() };
        let text = self.page.public(self.language, &self.letter.reader.language);
        Ok(self.in_words("public", "heading-public", &text, &rows))
    }

    /// What only the reader may see.
    pub(super) fn private(&self) -> Block {
        let (seat, style) = (self.letter.seat, &self.letter.reader.letters);
        let rows = match style.html || style.narrow {
            true => self.page.table.game().private_in_words(seat),
            false => Vec::new(),
        };
        let text = self.page.of_game(self.language, "private.txt", seat);
        self.in_words("private", "heading-private", &text, &rows)
    }

    pub(super) fn choices(&self) -> Block {
        let choices = match self.page.table.turn() {
            turn if turn.awaits(self.letter.seat) => {
                self.page.table.game().choices(self.letter.seat)
            }
            _ => Vec::new(),
        };
        Block::lines("choices", self.heading("heading-choices"), self.say_all(&choices))
    }

    /// What the reader wants done later.
    pub(super) fn plans(&self) -> Block {
        let game = self.page.table.game();
        let standing = self.letter.standing;
        let forced = standing.auto_forced.then(|| Message::new("plans-auto-forced"));
        let plans = standing.plans.iter().filter_map(|plan| game.say_plan(plan));
        let said: Vec<Message> = plans.chain(forced).collect();
        Block::lines("plans", self.heading("heading-plans"), self.say_all(&said))
    }

    /// The parts that answer a question of the reader's.
    pub(super) fn asked(&mut self, command: Command) -> Result<Vec<Block>, Damage> {
        let shown = self.letter.occasion.shows_table();
        Ok(match command {
            Command::Preview | Command::Pace => Vec::new(),
            Command::Status if !shown => {
                // The board in words tells of the table too.
                let alone = !self.letter.asked.contains(&Command::Board);
                let position = [self.public(alone)?, self.private(), self.plans()];
                self.standings().into_iter().chain(position).collect()
            }
            Command::Board if !shown => vec![self.board()?],
            Command::Status | Command::Board => Vec::new(),
            Command::Legal if shown && self.page.table.turn().awaits(self.letter.seat) => {
                Vec::new()
            }
            Command::Legal => vec![self.legal()],
            Command::History => vec![self.history()?],
            Command::Rules => {
                let rules = self.page.of_game(self.language, "rules.txt", self.letter.seat);
                vec![self.prose("rules", "heading-rules", &rules)]
            }
            Command::Settings => vec![self.settings()],
            Command::Help => {
                let orders = self.page.card(self.language, self.letter.seat);
                let house = self.language.fill("help.txt", &context! { club => self.letter.club });
                vec![
                    self.prose("help", "heading-help", &orders),
                    self.prose("help", "heading-house", &house),
                ]
            }
        })
    }

    /// Returns the block of a text that is written in [`markdown`].
    fn prose(&self, id: &'static str, heading: &str, text: &str) -> Block {
        let pieces = markdown::parse(text);
        let text = markdown::text(&pieces, self.columns());
        Block::text(id, self.heading(heading), &text).with_prose(pieces)
    }

    fn legal(&self) -> Block {
        let block = self.choices();
        if block.is_empty() {
            let wait = self.say(&self.turn());
            return Block::lines("choices", self.heading("heading-choices"), vec![wait]);
        }
        block
    }

    /// Returns the block of the reader's settings, each with the line that changes it.
    pub(super) fn settings(&self) -> Block {
        let mut said = self.letter.reader.settings();
        said.push(NewsWish::setting(self.letter.wish));
        let forced = if self.letter.standing.auto_forced { "on" } else { "off" };
        said.push(Message::new("setting-auto-forced").with("on", forced));
        Block::lines("settings", self.heading("heading-settings"), self.say_all(&said))
    }

    /// Returns the block of the reader's private notes in this game.
    pub(super) fn own_notes(&self) -> Block {
        let line = |(number, text): (usize, &str)| {
            Message::new("note-line").with("number", number).with("text", text)
        };
        let lines: Vec<Message> = self.letter.own_notes.numbered().map(line).collect();
        Block::lines("own-notes", self.heading("heading-own-notes"), self.say_all(&lines))
    }
}
