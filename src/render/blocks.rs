//! The parts of a letter about a game, and their order.

use super::library::Language;
use super::links::Tappable;
use super::words::People;
use super::{GameLetter, Occasion, Page, Picture, Rendered, told};
use crate::club::Command;
use crate::rules::{Charset, Damage, Message, Turn, Viewer};
use crate::table::{Chain, OrderLine, Record};
use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;

/// One part of a letter, under a heading of its own.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Block {
    /// What it is, for a template that treats one of them otherwise.
    id: &'static str,
    title: String,
    /// Sentences, each on lines of its own.
    lines: Vec<String>,
    /// Text that is aligned by columns.
    text: String,
    /// The Content-ID of a picture that shows the same, where there is one.
    picture: Option<String>,
    /// What stands for the picture where it is not shown.
    alt: String,
}

impl Block {
    /// A part that is aligned by columns.
    pub(crate) fn text(id: &'static str, title: String, text: &str) -> Self {
        Self { text: text.trim_end().to_owned(), ..Self::lines(id, title, Vec::new()) }
    }

    /// A part of sentences.
    pub(crate) fn lines(id: &'static str, title: String, lines: Vec<String>) -> Self {
        Self { id, title, lines, text: String::new(), picture: None, alt: String::new() }
    }

    /// The same part, shown by a picture too.
    pub(crate) fn with_picture(mut self, picture: Option<&Picture>) -> Self {
        self.picture = picture.map(|picture| picture.id.clone());
        self.alt = picture.map_or_else(String::new, |picture| picture.alt.clone());
        self
    }

    /// Whether there is nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.text.is_empty()
    }
}

/// Writes one letter.
pub(crate) struct Writer<'w, 'p> {
    pub(crate) page: &'w mut Page<'p>,
    pub language: &'w Language,
    pub letter: &'w GameLetter<'w>,
    pub(crate) pictures: Vec<Picture>,
}

impl Writer<'_, '_> {
    pub(crate) fn write(mut self) -> Result<Rendered, Damage> {
        let intro = self.intro();
        let mut blocks = self.occasion_blocks();
        blocks.push(self.talk());
        blocks.push(self.news()?);
        if self.letter.occasion.shows_table() {
            blocks.extend(self.standings());
            blocks.push(self.revealed());
            blocks.push(self.board()?);
            blocks.push(self.public());
            blocks.push(self.private());
            blocks.push(self.choices());
            blocks.push(self.plans());
        }
        for command in self.letter.asked {
            blocks.extend(self.asked(*command)?);
        }
        blocks.push(self.own_notes());
        blocks.retain(|block| !block.is_empty());
        let subject = self.title();
        let taps = self.taps(&subject);
        let over = self.page.table.turn() == Turn::Over;
        let how = (!over).then(|| self.term("footer-how"));
        let facts = self.facts();
        let footer: Vec<String> = how.into_iter().chain(facts.iter().cloned()).collect();
        let context = context! {
            marker => self.term("marker"),
            subject => &subject,
            intro => intro,
            blocks => Serde(blocks),
            colours => self.letter.reader.letters.colours.word(),
            footer => footer,
            facts => facts,
            taps => Serde(taps),
        };
        let [text, html] = match self.letter.among_others {
            true => ["letter-part.txt", "letter-part.html"],
            false => ["letter.txt", "letter.html"],
        };
        let html = self.letter.reader.letters.html.then_some(html);
        let fill = |name| self.language.fill(name, &context);
        let (text, html) = (fill(text), html.map(fill));
        let subject = self.with_tag(subject);
        Ok(Rendered { text, html, subject, pictures: self.pictures })
    }

    pub(super) fn people(&self) -> People<'_> {
        self.page.people(self.letter.seat)
    }

    pub(super) fn say(&self, message: &Message) -> String {
        self.language.words.say(message, &self.people())
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

    /// What is sent by a tap: orders where it is the reader's turn, and what else is offered.
    fn taps(&self, subject: &str) -> Option<Tappable> {
        let letter = self.letter;
        let is_turn = letter.reader.letters.html && self.page.table.turn().awaits(letter.seat);
        let orders = is_turn.then(|| self.page.table.game().suggestions(letter.seat));
        let orders = orders.unwrap_or_default();
        letter.taps.shown((self.language, &self.people()), subject, &orders)
    }

    /// A subject as the letter bears it; its text and its HTML show no mark.
    fn with_tag(&self, subject: String) -> String {
        match self.letter.subject_tag {
            Some(tag) => format!("{subject} {tag}"),
            None => subject,
        }
    }

    /// The game's name and number; the same in all its letters, so that they are one thread.
    fn title(&self) -> String {
        self.language.title(self.page.table.founding(), self.letter.club)
    }

    /// What happened to the reader's letter, and whose turn it is.
    fn intro(&self) -> Vec<String> {
        let occasion = match self.letter.occasion {
            Occasion::Welcome => Some(self.welcome()),
            Occasion::News | Occasion::Answered | Occasion::Told | Occasion::Clock { .. } => None,
            Occasion::Accepted { .. } => Some(Message::new("orders-accepted")),
            Occasion::Planned { .. } => Some(Message::new("plans-kept")),
            Occasion::Refused { preview: false, .. } => Some(Message::new("orders-refused")),
            Occasion::Refused { preview: true, .. } => Some(Message::new("preview-refused")),
            Occasion::Previewed { .. } => Some(Message::new("preview-accepted")),
            Occasion::Repeated { at } => Some(
                Message::new("letter-repeated")
                    .with("at", at.format("%Y-%m-%d %H:%M UTC").to_string()),
            ),
            Occasion::NothingWritten => Some(Message::new("nothing-written")),
            Occasion::Unread(why) => Some(Message::new("letter-unread").with("why", why.clone())),
            Occasion::Reminder { days } => Some(Message::new("reminder").with("days", *days)),
        };
        let words = match self.letter.occasion {
            Occasion::Clock { words } => words.as_slice(),
            _ => &[],
        };
        let turn = self.turn();
        // Such a letter is written for what was said alone.
        let heard = matches!(self.letter.occasion, Occasion::Told) && self.letter.notes.is_empty();
        let heard = heard.then(|| Message::new("talk-heard"));
        // What became of his plans comes first of all that he did not ask for.
        let dropped = self.letter.words;
        let told = dropped.iter().chain(words).chain(self.letter.notes).chain(&heard);
        let all = occasion.iter().chain(told).chain([&turn]).chain(self.letter.clock);
        all.map(|message| self.say(message)).collect()
    }

    fn welcome(&self) -> Message {
        let founding = self.page.table.founding();
        let seats: Vec<_> = crate::rules::Seat::all(founding.seats).collect();
        Message::new("welcome")
            .with("game", self.language.game(&founding.game))
            .with("number", founding.number)
            .with("club", self.letter.club)
            .with("players", seats)
    }

    /// Whose turn it is, or who has won.
    fn turn(&self) -> Message {
        told::turn(self.page.table, Some(self.letter.seat))
    }

    /// What became of the reader's own orders.
    fn occasion_blocks(&self) -> Vec<Block> {
        let (title, lines) = match self.letter.occasion {
            Occasion::Accepted { lines, remarks } | Occasion::Planned { lines, remarks } => {
                let mut said = quoted(lines);
                said.extend(self.say_all(remarks));
                ("heading-orders", said)
            }
            Occasion::Refused { refused, .. } => {
                let mut said = match &refused.line {
                    Some(line) => vec![
                        self.say(
                            &Message::new("refused-line")
                                .with("number", line.number)
                                .with("line", line.text.as_str()),
                        ),
                    ],
                    None => Vec::new(),
                };
                said.push(self.say(&refused.refusal.reason));
                said.extend(self.say_all(&refused.refusal.instead));
                ("heading-refused", said)
            }
            Occasion::Previewed { lines, outcome, remarks } => {
                let mut said = quoted(lines);
                said.extend(self.say_all(outcome));
                said.extend(self.say_all(remarks));
                ("heading-preview", said)
            }
            _ => return Vec::new(),
        };
        vec![Block::lines("orders", self.heading(title), lines)]
    }

    /// What has happened since the reader's last letter.
    fn news(&self) -> Result<Block, Damage> {
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
    fn standings(&self) -> Option<Block> {
        let standings = self.say_all(&told::standings(self.page.table));
        let heading = || self.heading("heading-standings");
        (!standings.is_empty()).then(|| Block::lines("standings", heading(), standings))
    }

    /// What was hidden, once nothing is any more.
    fn revealed(&self) -> Block {
        let revealed = self.say_all(&told::revealed(self.page.table));
        Block::lines("revealed", self.heading("heading-revealed"), revealed)
    }

    fn board(&mut self) -> Result<Block, Damage> {
        let charset = if self.letter.reader.ascii { Charset::Ascii } else { Charset::Unicode };
        let board = self.page.board(self.letter.told, charset)?;
        let picture = self.page.picture(self.language, self.letter.told, self.letter.reader)?;
        let block = Block::text("board", self.heading("heading-board"), &board);
        // In a letter about several games the letter decides which are shown.
        let shown = picture.as_ref().filter(|_| !self.letter.among_others);
        let block = block.with_picture(shown);
        self.pictures.extend(picture);
        Ok(block)
    }

    fn public(&mut self) -> Block {
        let text = self.page.public(self.language, &self.letter.reader.language);
        Block::text("public", self.heading("heading-public"), &text)
    }

    fn private(&self) -> Block {
        let text = self.page.of_game(self.language, "private.txt", self.letter.seat);
        Block::text("private", self.heading("heading-private"), &text)
    }

    fn choices(&self) -> Block {
        let choices = match self.page.table.turn() {
            turn if turn.awaits(self.letter.seat) => {
                self.page.table.game().choices(self.letter.seat)
            }
            _ => Vec::new(),
        };
        Block::lines("choices", self.heading("heading-choices"), self.say_all(&choices))
    }

    /// What the reader wants done later.
    fn plans(&self) -> Block {
        let game = self.page.table.game();
        let standing = self.letter.standing;
        let forced = standing.auto_forced.then(|| Message::new("plans-auto-forced"));
        let plans = standing.plans.iter().filter_map(|plan| game.say_plan(plan));
        let said: Vec<Message> = plans.chain(forced).collect();
        Block::lines("plans", self.heading("heading-plans"), self.say_all(&said))
    }

    fn asked(&mut self, command: Command) -> Result<Vec<Block>, Damage> {
        let shown = self.letter.occasion.shows_table();
        Ok(match command {
            Command::Preview => Vec::new(),
            Command::Status if !shown => self
                .standings()
                .into_iter()
                .chain([self.public(), self.private(), self.plans()])
                .collect(),
            Command::Board if !shown => vec![self.board()?],
            Command::Status | Command::Board => Vec::new(),
            Command::Legal if shown && self.page.table.turn().awaits(self.letter.seat) => {
                Vec::new()
            }
            Command::Legal => vec![self.legal()],
            Command::History => vec![self.history()?],
            Command::Rules => {
                let text = self.page.of_game(self.language, "rules.txt", self.letter.seat);
                vec![Block::text("rules", self.heading("heading-rules"), &text)]
            }
            Command::Settings => vec![self.settings()],
            Command::Help => {
                let orders = self.page.card(self.language, self.letter.seat);
                let house = self.language.fill("help.txt", &context! { club => self.letter.club });
                vec![
                    Block::text("help", self.heading("heading-help"), &orders),
                    Block::text("help", self.heading("heading-house"), &house),
                ]
            }
        })
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
                .with("at", record.at.format("%Y-%m-%d").to_string())
                .with("told", told.join(" "));
            lines.push(self.say(&entry));
        }
        let title = self.heading("heading-history");
        let told: Vec<_> = records.iter().map(|record| &**record).zip(lines.clone()).collect();
        Ok(match self.history_with_talk(&told) {
            Some(text) => Block::text("history", title, &text),
            None => Block::lines("history", title, lines),
        })
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

/// What a player wrote, as a player sees it again; never with a `>` before it.
fn quoted(lines: &[OrderLine]) -> Vec<String> {
    lines.iter().map(|line| format!("{}: {}", line.number, line.text)).collect()
}
