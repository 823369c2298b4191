//! The parts of a letter about a game: what happened, the position, what can be done, and what was
//! asked for.

use super::block::Block;
use super::blocks::Writer;
use super::templates::{COLUMNS, UNFILLED};
use super::{prose, rows, told};
use crate::club::Command;
use crate::club::clock::date_words;
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

    fn record(&self, record: &Record) -> Result<Vec<String>, Damage> {
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
        let block = if self.letter.reader.letters.narrow {
            self.in_words("board", "heading-board", &rows)
        } else {
            let charset = if self.letter.reader.ascii { Charset::Ascii } else { Charset::Unicode };
            let board = self.page.board(self.letter.told, charset)?;
            let block = Block::text("board", self.heading("heading-board"), &board);
            let is_asked = self.letter.asked.contains(&Command::Board);
            let is_brief = picture.is_some() && !is_asked;
            let rows = if is_brief { rows::beside_picture(rows) } else { rows };
            block.with_rows(rows::shown(&rows, |message| self.say(message)))
        };
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

    fn in_words(&self, id: &'static str, heading: &str, rows: &[Row]) -> Block {
        let rows = rows::shown(rows, |message| self.say(message));
        Block::text(id, self.heading(heading), &rows::narrow(&rows)).with_rows(rows)
    }

    /// What everyone may see beside the board. The board in words says it too, so that nobody needs
    /// it who has that; with `alone` there is no board.
    pub(super) fn public(&mut self, alone: bool) -> Result<Block, Damage> {
        let rows = if alone { self.position()? } else { Vec::new() };
        if self.letter.reader.letters.narrow {
            return Ok(self.in_words("public", "heading-public", &rows));
        }
        let text = self.page.public(self.language, &self.letter.reader.language);
        let block = Block::text("public", self.heading("heading-public"), &text);
        Ok(block.with_rows(rows::shown(&rows, |message| self.say(message))))
    }

    /// What only the reader may see.
    pub(super) fn private(&self) -> Block {
        let (seat, style) = (self.letter.seat, &self.letter.reader.letters);
        let rows = match style.html || style.narrow {
            true => self.page.table.game().private_in_words(seat),
            false => Vec::new(),
        };
        if style.narrow {
            return self.in_words("private", "heading-private", &rows);
        }
        let text = self.page.of_game(self.language, "private.txt", seat, COLUMNS);
        let block = Block::text("private", self.heading("heading-private"), &text);
        block.with_rows(rows::shown(&rows, |message| self.say(message)))
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
                let rules = |columns| {
                    self.page.of_game(self.language, "rules.txt", self.letter.seat, columns)
                };
                vec![self.prose("rules", "heading-rules", rules)]
            }
            Command::Settings => vec![self.settings()],
            Command::Help => {
                let seat = self.letter.seat;
                let orders = |columns| self.page.card(self.language, seat, columns);
                let club = self.letter.club;
                let house = |columns| self.language.fill("help.txt", &context! { club, columns });
                vec![
                    self.prose("help", "heading-help", orders),
                    self.prose("help", "heading-house", house),
                ]
            }
        })
    }

    /// A part that is to be read, filled as it stands and once more to be laid out anew.
    fn prose(&self, id: &'static str, heading: &str, fill: impl Fn(usize) -> String) -> Block {
        let style = &self.letter.reader.letters;
        let pieces = match style.html || style.narrow {
            true => prose::read(&fill(UNFILLED)),
            false => Vec::new(),
        };
        let text = if style.narrow { prose::narrow(&pieces) } else { fill(COLUMNS) };
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

    fn history(&self) -> Result<Block, Damage> {
        let mut lines = Vec::new();
        let records = self.page.table.records();
        for record in records {
            let told = self.record(record)?;
            let entry = Message::new("history-entry")
                .with("seq", record.seq)
                .with("at", date_words(record.at, &self.letter.reader.time))
                .with("told", told.join(" "));
            lines.push(self.say(&entry));
        }
        let told: Vec<_> = records.iter().map(|record| &**record).zip(lines.clone()).collect();
        let title = || self.heading("heading-history");
        let history = self.history_with_talk(&told);
        Ok(history.unwrap_or_else(|| Block::lines("history", title(), lines)))
    }
}
