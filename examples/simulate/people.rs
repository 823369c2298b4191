//! Who writes to the club, and what: orders that are legal and such that are not, every word that
//! letters may hold, and what arrives doubled, late, cut off, forged or from nobody.

use crate::world::{CLUB, Inbound, MODERATOR, Ordered, Posted, World};
use postrider::process::{self, Context};
use postrider::rules::{Dice, Turn};

/// What a member writes besides orders, with what stands for a game, somebody's name and record.
const WORDS: [&str; 62] = [
    "status",
    "board",
    "legal",
    "history",
    "rules",
    "settings",
    "help",
    "undo",
    "preview\n{order}",
    "say Hello from {name}",
    "tell {name} We two?",
    "tell {name}, {name}: a word",
    "say:\nline by line\nend\nstatus",
    "vote extend 3 days",
    "vote pause",
    "vote resume",
    "vote abandon",
    "vote rewind",
    "vote rewind {record}",
    "vote no",
    "vote yes",
    "zone Europe/Madrid",
    "vacation 2026-01-20 to 2026-01-27",
    "letters text",
    "letters html",
    "letters picture off",
    "letters turns",
    "letters all",
    "letters turns here",
    "letters all here",
    "letters as usual",
    "letters digest",
    "letters each",
    "letters digest 18:00",
    "subjects steady",
    "subjects telling",
    "standings off",
    "board ascii",
    "board unicode",
    "board narrow",
    "board wide",
    "colours patterns",
    "calendar off",
    "language es",
    "language en",
    "note {name} hoards blue",
    "forget note 1",
    "forget notes",
    "games",
    "new paris-connection seats 3 deadline 3d",
    "new trick-of-the-rails seats 3 private invite {address}",
    "join {game}",
    "leave {game}",
    "cancel {game}",
    "invite {game} {address}",
    "wait {game}",
    "watch {game}",
    "unwatch {game}",
    "rematch",
    "yes",
    "no",
    "new marks",
];

/// What few write, as it ends something.
const RARE: [&str; 3] = ["resign", "leave club", "address other.{address}"];

/// What a moderator writes.
const ERRANDS: [&str; 14] = [
    "list",
    "help",
    "show {game}",
    "log {game}",
    "pause {game} because of a storm",
    "resume {game} because it is over",
    "extend {game} by 2 days because of a feast",
    "set {game} deadline 5 days because all are slow",
    "rewind {game} to {record} because of a slip",
    "announce {game} Well played.",
    "rotate {game} seat 1 because a letter went astray",
    "note {game} Nothing to see here",
    "letters list",
    "replace {game} seat 2 by sub.{address} because of illness",
];

/// What asks or sets something for its writer alone, or is nothing: no game goes another way by it.
const IDLE: [&str; 33] = [
    "status",
    "board",
    "legal",
    "history",
    "rules",
    "settings",
    "help",
    "preview\n{order}",
    "a preview",
    "standings off",
    "letters text",
    "letters html",
    "letters picture off",
    "board ascii",
    "board unicode",
    "board narrow",
    "board wide",
    "subjects steady",
    "subjects telling",
    "colours patterns",
    "calendar off",
    "note {name} hoards blue",
    "forget note 1",
    "forget notes",
    "games",
    "list",
    "show {game}",
    "log {game}",
    "letters list",
    "a stranger",
    "a letter from another address",
    "rubbish",
    "an automatic answer",
];

/// Whether no game goes another way by such a letter.
pub fn is_idle(letter: &Inbound) -> bool {
    IDLE.contains(&letter.word)
}

/// Everything that members write besides orders.
pub fn words() -> impl Iterator<Item = &'static str> {
    WORDS.into_iter().chain(RARE)
}

/// Writes letters by chance.
pub struct People {
    dice: Dice,
    count: u32,
    sent: Vec<Inbound>,
    late: Vec<Inbound>,
}

impl People {
    /// People whose chance is this.
    pub fn new(dice: Dice) -> Self {
        Self { dice, count: 0, sent: Vec::new(), late: Vec::new() }
    }

    /// So many letters, in the order in which they arrive.
    pub fn write(&mut self, world: &World, letters: usize) -> Vec<Inbound> {
        let mut now: Vec<Inbound> = std::mem::take(&mut self.late);
        let context = world.context().expect("the club opens");
        let (wanted, mut tries) = (self.sent.len() + letters, 8 * letters);
        while self.sent.len() < wanted && tries > 0 {
            tries -= 1;
            let Some(letter) = self.letter(world, &context) else { continue };
            self.sent.push(letter.clone());
            // Some come with the next.
            if self.one_in(12) { self.late.push(letter) } else { now.push(letter) }
        }
        self.dice.shuffle(&mut now);
        for (at, letter) in now.iter_mut().enumerate() {
            letter.name = format!("{}.{:06}.{at:03}", world.now.timestamp(), self.count);
        }
        now
    }

    fn one_in(&mut self, sides: u32) -> bool {
        self.dice.below(sides) == 0
    }

    fn letter(&mut self, world: &World, context: &Context) -> Option<Inbound> {
        match self.dice.below(100) {
            0..48 => self.order(world, context),
            48..76 => self.word(world, &WORDS),
            76..77 => self.word(world, &RARE),
            77..83 => self.errand(world),
            83..88 => self.stranger(world),
            _ => self.noise(world),
        }
    }

    /// The order of somebody whose turn it is, or nearly one.
    fn order(&mut self, world: &World, context: &Context) -> Option<Inbound> {
        let (to, seat, game, line, other) = {
            let games = context.store.games().ok()?;
            let game = *self.dice.pick(&games)?;
            let session = process::open_game(context, game).ok()?;
            let Turn::Awaiting(seats) = session.table.turn() else { return None };
            let seat = *self.dice.pick(&seats)?;
            let address = session.seat(seat)?.1.addresses.first()?.clone();
            let suggested = session.table.game().suggestions(seat);
            let legal = session.table.game().legal(seat);
            let line = match self.dice.pick(&suggested) {
                Some(one) if self.dice.below(3) > 0 => one.line.clone(),
                _ => self.dice.pick(&legal)?.clone(),
            };
            let of_game = |letter: &&Posted| {
                letter.to == address && letter.places.iter().any(|place| place.game == game)
            };
            let letter = world.posted.iter().rev().find(of_game)?.clone();
            (letter, seat, game, line, self.dice.pick(&legal)?.clone())
        };
        let (word, body) = match self.dice.below(12) {
            0 => ("an order that is cut short", line.rsplit_once(' ')?.0.to_owned()),
            1 => ("two orders", format!("{line}\n{other}")),
            2 => ("an order and prose", format!("{line}\nI hope that is right?\nBest\nAnn")),
            3 => ("a slip", line.replacen(|c: char| c.is_ascii_digit(), "9", 1)),
            4 => ("a preview", format!("preview\n{line}")),
            _ => ("an order", line),
        };
        let lines = body.lines().map(str::to_owned).collect();
        let place = match &to.places[..] {
            // A line may be two orders; and what is below may be no order at all.
            [place]
                if !body.contains(';') && !matches!(word, "an order and prose" | "a preview") =>
            {
                Some(place)
            }
            _ => None,
        };
        let orders = place.map(|place| Ordered { game, seat, seen: place.record, lines });
        Some(Inbound { orders, ..self.reply(word, &to, &to.to, &body) })
    }

    /// One of these words, by somebody who has got a letter.
    fn word(&mut self, world: &World, words: &[&'static str]) -> Option<Inbound> {
        let to = self.somebodys(world)?;
        let word = *self.dice.pick(words)?;
        let body = self.filled(world, word)?;
        Some(self.reply(word, &to, &to.to, &body))
    }

    fn errand(&mut self, world: &World) -> Option<Inbound> {
        let last = world.posted.iter().rev().find(|letter| letter.to == MODERATOR).cloned();
        let word = *self.dice.pick(&ERRANDS)?;
        let body = self.filled(world, word)?;
        Some(match last {
            Some(to) => self.reply(word, &to, MODERATOR, &body),
            None => self.fresh("the moderator's first letter", MODERATOR, "list"),
        })
    }

    fn stranger(&mut self, world: &World) -> Option<Inbound> {
        let from = format!("new{}@home.example", self.dice.below(6));
        let asked = world.posted.iter().rev().find(|letter| letter.to == from).cloned();
        let body =
            *self.dice.pick(&["Hello, what is this?", "join 1", "join club", "yes", "games"])?;
        Some(match asked {
            Some(to) => self.reply("a stranger's answer", &to, &from, body),
            None => self.fresh("a stranger", &from, body),
        })
    }

    /// What comes though nobody wrote it, or not like this.
    fn noise(&mut self, world: &World) -> Option<Inbound> {
        let sent = self.dice.pick(&self.sent).cloned();
        let to = self.somebodys(world)?;
        let from = to.to.clone();
        Some(match self.dice.below(8) {
            0 => Inbound { word: "a letter twice", orders: None, ..sent? },
            1 => {
                let sent = sent?;
                let length = self.dice.below(u32::try_from(sent.bytes.len()).ok()?) as usize;
                let bytes = sent.bytes[..length].to_vec();
                Inbound { word: "a letter cut off", orders: None, bytes, ..sent }
            }
            2 => self.reply("a letter from another address", &to, "who@else.example", "status"),
            3 => {
                let auto = "Auto-Submitted: auto-replied\r\nSubject:";
                let sent = sent?;
                let text = String::from_utf8_lossy(&sent.bytes).replacen("Subject:", auto, 1);
                let (word, bytes) = ("an automatic answer", text.into_bytes());
                Inbound { word, orders: None, bytes, ..sent }
            }
            4 => {
                let bytes = (0..200).map(|_| self.dice.below(256) as u8).collect();
                written("rubbish", "", bytes)
            }
            5 => written("a report of a delay", &from, report(&to, "delayed", "4.2.2")),
            6 => {
                let old = self.dice.pick(&world.posted).cloned()?;
                self.reply("an answer to an old letter", &old, &old.to, "status")
            }
            _ => {
                let quoted: String =
                    to.text.lines().map(|line| format!("> {line}\n")).collect::<String>();
                let body = format!("status\n\nOn Monday the club wrote:\n{quoted}");
                self.reply("a letter with all quoted", &to, &from, &body)
            }
        })
    }

    /// The last letter of somebody who has got one.
    fn somebodys(&mut self, world: &World) -> Option<Posted> {
        let to = self.dice.pick(&world.posted)?.to.clone();
        if to == MODERATOR || to.starts_with("new") {
            return None;
        }
        world.posted.iter().rev().find(|letter| letter.to == to).cloned()
    }

    fn filled(&mut self, world: &World, word: &str) -> Option<String> {
        let game = 1 + self.dice.below(8);
        let somebody = self.dice.pick(&world.posted)?.to.clone();
        let name = somebody.split(['.', '@']).next()?.to_owned();
        let record = 1 + self.dice.below(6);
        let body = word
            .replace("{game}", &game.to_string())
            .replace("{record}", &record.to_string())
            .replace("{name}", &name)
            .replace("{address}", &somebody)
            .replace("{order}", "done");
        Some(body)
    }

    fn reply(&mut self, word: &'static str, to: &Posted, from: &str, body: &str) -> Inbound {
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
        written(word, from, self.composed(from, &address, &more, body))
    }

    fn fresh(&mut self, word: &'static str, from: &str, body: &str) -> Inbound {
        written(word, from, self.composed(from, CLUB, "", body))
    }

    fn composed(&mut self, from: &str, to: &str, more: &str, body: &str) -> Vec<u8> {
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

/// A letter that has no name yet.
fn written(word: &'static str, from: &str, bytes: Vec<u8>) -> Inbound {
    Inbound { word, from: from.to_owned(), orders: None, name: String::new(), bytes }
}

/// A mail server's report on a letter.
fn report(letter: &Posted, action: &str, status: &str) -> Vec<u8> {
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
