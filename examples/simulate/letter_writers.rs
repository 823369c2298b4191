//! The simulated members, and what they write: legal and illegal orders, every club command, and
//! letters that arrive twice, late, truncated, forged or automatically.

use crate::simulated_club::{
    CLUB, InboundLetter, MODERATOR, OrderedLines, PostedLetter, SimulatedClub,
};
use postrider::process::{self, Context};
use postrider::rules::{Dice, Turn};

/// The effect that a letter can have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It asks for something, or changes a setting, for its sender alone.
    WriterOnly,
    /// It can change a game.
    Game,
}

/// The club commands that members write. `{game}`, `{name}`, `{address}` and `{record}` are
/// replaced by random values.
const COMMON_LINES: [(&str, Effect); 72] = [
    ("status", Effect::WriterOnly),
    ("pace", Effect::WriterOnly),
    ("board", Effect::WriterOnly),
    ("legal", Effect::WriterOnly),
    ("history", Effect::WriterOnly),
    ("rules", Effect::WriterOnly),
    ("settings", Effect::WriterOnly),
    ("help", Effect::WriterOnly),
    ("undo", Effect::Game),
    ("preview\n{order}", Effect::WriterOnly),
    ("say Hello from {name}", Effect::Game),
    ("tell {name} We two?", Effect::Game),
    ("tell {name}, {name}: a word", Effect::Game),
    ("say:\nline by line\nend\nstatus", Effect::Game),
    ("vote extend 3 days", Effect::Game),
    ("vote pause", Effect::Game),
    ("vote resume", Effect::Game),
    ("vote abandon", Effect::Game),
    ("vote rewind", Effect::Game),
    ("vote rewind {record}", Effect::Game),
    ("vote no", Effect::Game),
    ("vote yes", Effect::Game),
    ("zone Europe/Madrid", Effect::Game),
    ("vacation 2026-01-20 to 2026-01-27", Effect::Game),
    ("remind 12h", Effect::Game),
    ("remind off", Effect::Game),
    ("letters text", Effect::WriterOnly),
    ("letters html", Effect::WriterOnly),
    ("letters picture off", Effect::WriterOnly),
    ("letters turns", Effect::Game),
    ("letters all", Effect::Game),
    ("letters turns here", Effect::Game),
    ("letters all here", Effect::Game),
    ("letters as usual", Effect::Game),
    ("letters digest", Effect::Game),
    ("letters each", Effect::Game),
    ("letters digest 18:00", Effect::Game),
    ("subjects steady", Effect::WriterOnly),
    ("subjects telling", Effect::WriterOnly),
    ("standings off", Effect::WriterOnly),
    ("invitations off", Effect::WriterOnly),
    ("board ascii", Effect::WriterOnly),
    ("board unicode", Effect::WriterOnly),
    ("board narrow", Effect::WriterOnly),
    ("board wide", Effect::WriterOnly),
    ("colours patterns", Effect::WriterOnly),
    ("calendar off", Effect::WriterOnly),
    ("language es", Effect::Game),
    ("language en", Effect::Game),
    ("note {name} hoards blue", Effect::WriterOnly),
    ("forget note 1", Effect::WriterOnly),
    ("forget notes", Effect::WriterOnly),
    ("games", Effect::WriterOnly),
    ("new paris-connection seats 3 deadline 3d", Effect::Game),
    ("new trick-of-the-rails seats 3 private invite {address}", Effect::Game),
    ("join {game}", Effect::Game),
    ("leave {game}", Effect::Game),
    ("cancel {game}", Effect::Game),
    ("invite {game} {address}", Effect::Game),
    ("wait {game}", Effect::Game),
    ("watch {game}", Effect::Game),
    ("unwatch {game}", Effect::Game),
    ("rematch", Effect::Game),
    ("yes", Effect::Game),
    ("no", Effect::Game),
    ("new trick-of-the-rails seats 3 bots 2 easy hints", Effect::Game),
    ("new trick-of-the-rails seats 4 deadline 3d nmr bot bots 1 easy", Effect::Game),
    ("practice trick-of-the-rails easy", Effect::Game),
    ("hint", Effect::Game),
    ("site name", Effect::WriterOnly),
    ("site seat", Effect::WriterOnly),
    ("new marks", Effect::Game),
];

/// Commands that few members write, because they end something.
const RARE_LINES: [(&str, Effect); 3] = [
    ("resign", Effect::Game),
    ("leave club", Effect::Game),
    ("address other.{address}", Effect::Game),
];

/// The commands that the moderator writes.
const MODERATOR_LINES: [(&str, Effect); 14] = [
    ("list", Effect::WriterOnly),
    ("help", Effect::WriterOnly),
    ("show {game}", Effect::WriterOnly),
    ("log {game}", Effect::WriterOnly),
    ("pause {game} because of a storm", Effect::Game),
    ("resume {game} because it is over", Effect::Game),
    ("extend {game} by 2 days because of a feast", Effect::Game),
    ("set {game} deadline 5 days because all are slow", Effect::Game),
    ("rewind {game} to {record} because of a slip", Effect::Game),
    ("announce {game} Well played.", Effect::Game),
    ("rotate {game} seat 1 because a letter went astray", Effect::Game),
    ("note {game} Nothing to see here", Effect::Game),
    ("letters list", Effect::WriterOnly),
    ("replace {game} seat 2 by sub.{address} because of illness", Effect::Game),
];

/// Further kinds of letters that change no game.
const IDLE_KINDS: [&str; 5] =
    ["a preview", "a stranger", "a letter from another address", "rubbish", "an automatic answer"];

/// Whether a letter is idle: it cannot change any game.
pub fn changes_no_game(letter: &InboundLetter) -> bool {
    let mut words = COMMON_LINES.into_iter().chain(RARE_LINES).chain(MODERATOR_LINES);
    IDLE_KINDS.contains(&letter.case)
        || words.any(|entry| entry == (letter.case, Effect::WriterOnly))
}

/// Returns every command that members write, without the values of its placeholders.
pub fn member_lines() -> impl Iterator<Item = &'static str> {
    COMMON_LINES.into_iter().chain(RARE_LINES).map(|(word, _)| word)
}

/// Writes the letters of all simulated members.
pub struct LetterWriters {
    dice: Dice,
    count: u32,
    arrived: Vec<InboundLetter>,
    delayed: Vec<InboundLetter>,
}

impl LetterWriters {
    pub fn new(dice: Dice) -> Self {
        Self { dice, count: 0, arrived: Vec::new(), delayed: Vec::new() }
    }

    /// Writes up to this number of new letters, and returns the letters that arrive now, in their
    /// order of arrival.
    pub fn write_letters(&mut self, world: &SimulatedClub, letters: usize) -> Vec<InboundLetter> {
        let mut now: Vec<InboundLetter> = std::mem::take(&mut self.delayed);
        let context = world.open_context().expect("the club opens");
        let (mut written, mut tries) = (0, 8 * letters);
        while written < letters && tries > 0 {
            tries -= 1;
            let Some(letter) = self.random_letter(world, &context) else { continue };
            written += 1;
            // Some letters are delayed until the next turn.
            if self.one_in(12) { self.delayed.push(letter) } else { now.push(letter) }
        }
        // A copy of a letter must not arrive before it, or the letter itself counts as the copy.
        self.arrived.extend_from_slice(&now);
        self.dice.shuffle(&mut now);
        for (at, letter) in now.iter_mut().enumerate() {
            letter.name = format!("{}.{:06}.{at:03}", world.now.timestamp(), self.count);
        }
        now
    }

    fn one_in(&mut self, sides: u32) -> bool {
        self.dice.roll_below(sides) == 0
    }

    fn random_letter(&mut self, world: &SimulatedClub, context: &Context) -> Option<InboundLetter> {
        match self.dice.roll_below(100) {
            0..48 => self.order_letter(world, context),
            48..76 => self.command_letter(world, &COMMON_LINES),
            76..77 => self.command_letter(world, &RARE_LINES),
            77..83 => self.moderator_letter(world),
            83..88 => self.stranger_letter(world),
            _ => self.disturbing_letter(world),
        }
    }

    /// Writes orders from a random awaited seat, mostly legal ones. Some are incomplete, wrong, or
    /// followed by prose.
    fn order_letter(&mut self, world: &SimulatedClub, context: &Context) -> Option<InboundLetter> {
        let (to, seat, game, line, other) = {
            let games = context.store.game_numbers().ok()?;
            let game = *self.dice.pick(&games)?;
            let session = process::load_stored_game(context, game).ok()?;
            let Turn::Awaiting(seats) = session.table.turn() else { return None };
            let seat = *self.dice.pick(&seats)?;
            let address = session.seat(seat)?.1.addresses.first()?.clone();
            let suggested = session.table.game().suggest_lines(seat);
            let legal = session.table.game().legal_lines(seat);
            let line = match self.dice.pick(&suggested) {
                Some(one) if self.dice.roll_below(3) > 0 => one.line.clone(),
                _ => self.dice.pick(&legal)?.clone(),
            };
            let of_game = |letter: &&PostedLetter| {
                letter.to == address && letter.places.iter().any(|place| place.game == game)
            };
            let letter = world.posted.iter().rev().find(of_game)?.clone();
            (letter, seat, game, line, self.dice.pick(&legal)?.clone())
        };
        let (word, body) = match self.dice.roll_below(12) {
            0 => ("an order that is cut short", line.rsplit_once(' ')?.0.to_owned()),
            1 => ("two orders", format!("{line}\n{other}")),
            2 => ("an order and prose", format!("{line}\nI hope that is right?\nBest\nAnn")),
            3 => ("a slip", line.replacen(|c: char| c.is_ascii_digit(), "9", 1)),
            4 => ("a preview", format!("preview\n{line}")),
            _ => ("an order", line),
        };
        let lines = body.lines().map(str::to_owned).collect();
        let place = match &to.places[..] {
            // A line may contain two orders, and prose may be read as no order at all, so the rules
            // alone cannot predict the result.
            [place]
                if !body.contains(';') && !matches!(word, "an order and prose" | "a preview") =>
            {
                Some(place)
            }
            _ => None,
        };
        let orders = place.map(|place| OrderedLines { game, seat, seen: place.record, lines });
        Some(InboundLetter { orders, ..self.reply_letter(word, &to, &to.to, &body) })
    }

    /// Writes one of these commands as the answer to the last letter of a random reader.
    fn command_letter(
        &mut self,
        world: &SimulatedClub,
        words: &[(&'static str, Effect)],
    ) -> Option<InboundLetter> {
        let to = self.last_letter_of_random_reader(world)?;
        let (word, _) = *self.dice.pick(words)?;
        let body = self.fill_placeholders(world, word)?;
        Some(self.reply_letter(word, &to, &to.to, &body))
    }

    fn moderator_letter(&mut self, world: &SimulatedClub) -> Option<InboundLetter> {
        let last = world.posted.iter().rev().find(|letter| letter.to == MODERATOR).cloned();
        let (word, _) = *self.dice.pick(&MODERATOR_LINES)?;
        let body = self.fill_placeholders(world, word)?;
        Some(match last {
            Some(to) => self.reply_letter(word, &to, MODERATOR, &body),
            None => self.new_letter("the moderator's first letter", MODERATOR, "list"),
        })
    }

    fn stranger_letter(&mut self, world: &SimulatedClub) -> Option<InboundLetter> {
        let from = format!("new{}@home.example", self.dice.roll_below(6));
        let asked = world.posted.iter().rev().find(|letter| letter.to == from).cloned();
        let body =
            *self.dice.pick(&["Hello, what is this?", "join 1", "join club", "yes", "games"])?;
        Some(match asked {
            Some(to) => self.reply_letter("a stranger's answer", &to, &from, body),
            None => self.new_letter("a stranger", &from, body),
        })
    }

    /// Writes a letter that no member meant to send like this: a duplicate, a truncated or
    /// automatic letter, random bytes, or a reply to an old letter.
    fn disturbing_letter(&mut self, world: &SimulatedClub) -> Option<InboundLetter> {
        let sent = self.dice.pick(&self.arrived).cloned();
        let to = self.last_letter_of_random_reader(world)?;
        let from = to.to.clone();
        Some(match self.dice.roll_below(8) {
            0 => InboundLetter { case: "a letter twice", orders: None, ..sent? },
            1 => {
                let sent = sent?;
                let length = self.dice.roll_below(u32::try_from(sent.bytes.len()).ok()?) as usize;
                let bytes = sent.bytes[..length].to_vec();
                InboundLetter { case: "a letter cut off", orders: None, bytes, ..sent }
            }
            2 => self.reply_letter(
                "a letter from another address",
                &to,
                "who@else.example",
                "status",
            ),
            3 => {
                let auto = "Auto-Submitted: auto-replied\r\nSubject:";
                let sent = sent?;
                let text = String::from_utf8_lossy(&sent.bytes).replacen("Subject:", auto, 1);
                let (word, bytes) = ("an automatic answer", text.into_bytes());
                InboundLetter { case: word, orders: None, bytes, ..sent }
            }
            4 => {
                let bytes = (0..200).map(|_| self.dice.roll_below(256) as u8).collect();
                unnamed_letter("rubbish", "", bytes)
            }
            5 => {
                unnamed_letter("a report of a delay", &from, delay_report(&to, "delayed", "4.2.2"))
            }
            6 => {
                let old = self.dice.pick(&world.posted).cloned()?;
                self.reply_letter("an answer to an old letter", &old, &old.to, "status")
            }
            _ => {
                let quoted: String =
                    to.text.lines().map(|line| format!("> {line}\n")).collect::<String>();
                let body = format!("status\n\nOn Monday the club wrote:\n{quoted}");
                self.reply_letter("a letter with all quoted", &to, &from, &body)
            }
        })
    }

    /// Returns the last letter to a random member, or `None` if the reader is the moderator or a
    /// stranger.
    fn last_letter_of_random_reader(&mut self, world: &SimulatedClub) -> Option<PostedLetter> {
        let to = self.dice.pick(&world.posted)?.to.clone();
        if to == MODERATOR || to.starts_with("new") {
            return None;
        }
        world.posted.iter().rev().find(|letter| letter.to == to).cloned()
    }

    fn fill_placeholders(&mut self, world: &SimulatedClub, word: &str) -> Option<String> {
        let game = 1 + self.dice.roll_below(8);
        let somebody = self.dice.pick(&world.posted)?.to.clone();
        let name = somebody.split(['.', '@']).next()?.to_owned();
        let record = 1 + self.dice.roll_below(6);
        let body = word
            .replace("{game}", &game.to_string())
            .replace("{record}", &record.to_string())
            .replace("{name}", &name)
            .replace("{address}", &somebody)
            .replace("{order}", "done");
        Some(body)
    }

    fn reply_letter(
        &mut self,
        word: &'static str,
        to: &PostedLetter,
        from: &str,
        body: &str,
    ) -> InboundLetter {
        let text = String::from_utf8_lossy(&to.bytes);
        let head = text.split("\r\n\r\n").next().unwrap_or_default().replace("\r\n ", " ");
        let header = |name: &str| {
            let of = format!("{name}: ");
            let line = head.split("\r\n").find_map(|line| line.strip_prefix(&of));
            line.unwrap_or_default().to_owned()
        };
        let address =
            if header("Reply-To").is_empty() { CLUB.to_owned() } else { header("Reply-To") };
        let more = format!("In-Reply-To: {}\r\n", header("Message-ID"));
        unnamed_letter(word, from, self.compose(from, &address, &more, body))
    }

    fn new_letter(&mut self, word: &'static str, from: &str, body: &str) -> InboundLetter {
        unnamed_letter(word, from, self.compose(from, CLUB, "", body))
    }

    fn compose(&mut self, from: &str, to: &str, more: &str, body: &str) -> Vec<u8> {
        self.count += 1;
        let id = self.count;
        let body = body.replace('\n', "\r\n");
        format!(
            "Return-Path: <{from}>\r\nFrom: <{from}>\r\nTo: {to}\r\nSubject: Re: a game\r\n\
             Message-ID: <{id}@mail.example>\r\n{more}\r\n{body}\r\n"
        )
        .into_bytes()
    }
}

/// Creates a letter whose file has no name yet.
fn unnamed_letter(word: &'static str, from: &str, bytes: Vec<u8>) -> InboundLetter {
    InboundLetter { case: word, from: from.to_owned(), orders: None, name: String::new(), bytes }
}

/// Writes a mail server's delivery status report about a letter.
fn delay_report(letter: &PostedLetter, action: &str, status: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(&letter.bytes);
    let head = text.split("\r\n\r\n").next().unwrap_or_default();
    format!(
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example\r\nTo: {CLUB}\r\n\
         Subject: Undelivered Mail\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
         --b\r\n\r\nSorry.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n\
         Reporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; {}\r\n\
         Action: {action}\r\nStatus: {status}\r\n\r\n\
         --b\r\nContent-Type: message/rfc822\r\n\r\n{head}\r\n\r\nhello\r\n--b--\r\n",
        letter.to
    )
    .into_bytes()
}
