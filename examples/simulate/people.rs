//! Who writes to the club, and what: orders that are legal and such that are not, every word that
//! letters may hold, and what arrives doubled, late, cut off, forged or from nobody.

use crate::world::{CLUB, Inbound, MODERATOR, Ordered, Posted, World};
use postrider::process::{self, Context};
use postrider::rules::{Dice, Turn};

/// Whom a letter concerns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// It asks or sets something for its writer alone.
    Writer,
    /// A game can go another way by it.
    Game,
}

/// What a member writes besides orders, with what stands for a game, somebody's name and record.
const WORDS: [(&str, Reach); 64] = [
    ("status", Reach::Writer),
    ("pace", Reach::Writer),
    ("board", Reach::Writer),
    ("legal", Reach::Writer),
    ("history", Reach::Writer),
    ("rules", Reach::Writer),
    ("settings", Reach::Writer),
    ("help", Reach::Writer),
    ("undo", Reach::Game),
    ("preview\n{order}", Reach::Writer),
    ("say Hello from {name}", Reach::Game),
    ("tell {name} We two?", Reach::Game),
    ("tell {name}, {name}: a word", Reach::Game),
    ("say:\nline by line\nend\nstatus", Reach::Game),
    ("vote extend 3 days", Reach::Game),
    ("vote pause", Reach::Game),
    ("vote resume", Reach::Game),
    ("vote abandon", Reach::Game),
    ("vote rewind", Reach::Game),
    ("vote rewind {record}", Reach::Game),
    ("vote no", Reach::Game),
    ("vote yes", Reach::Game),
    ("zone Europe/Madrid", Reach::Game),
    ("vacation 2026-01-20 to 2026-01-27", Reach::Game),
    ("letters text", Reach::Writer),
    ("letters html", Reach::Writer),
    ("letters picture off", Reach::Writer),
    ("letters turns", Reach::Game),
    ("letters all", Reach::Game),
    ("letters turns here", Reach::Game),
    ("letters all here", Reach::Game),
    ("letters as usual", Reach::Game),
    ("letters digest", Reach::Game),
    ("letters each", Reach::Game),
    ("letters digest 18:00", Reach::Game),
    ("subjects steady", Reach::Writer),
    ("subjects telling", Reach::Writer),
    ("standings off", Reach::Writer),
    ("invitations off", Reach::Writer),
    ("board ascii", Reach::Writer),
    ("board unicode", Reach::Writer),
    ("board narrow", Reach::Writer),
    ("board wide", Reach::Writer),
    ("colours patterns", Reach::Writer),
    ("calendar off", Reach::Writer),
    ("language es", Reach::Game),
    ("language en", Reach::Game),
    ("note {name} hoards blue", Reach::Writer),
    ("forget note 1", Reach::Writer),
    ("forget notes", Reach::Writer),
    ("games", Reach::Writer),
    ("new paris-connection seats 3 deadline 3d", Reach::Game),
    ("new trick-of-the-rails seats 3 private invite {address}", Reach::Game),
    ("join {game}", Reach::Game),
    ("leave {game}", Reach::Game),
    ("cancel {game}", Reach::Game),
    ("invite {game} {address}", Reach::Game),
    ("wait {game}", Reach::Game),
    ("watch {game}", Reach::Game),
    ("unwatch {game}", Reach::Game),
    ("rematch", Reach::Game),
    ("yes", Reach::Game),
    ("no", Reach::Game),
    ("new marks", Reach::Game),
];

/// What few write, as it ends something.
const RARE: [(&str, Reach); 3] = [
    ("resign", Reach::Game),
    ("leave club", Reach::Game),
    ("address other.{address}", Reach::Game),
];

/// What a moderator writes.
const ERRANDS: [(&str, Reach); 14] = [
    ("list", Reach::Writer),
    ("help", Reach::Writer),
    ("show {game}", Reach::Writer),
    ("log {game}", Reach::Writer),
    ("pause {game} because of a storm", Reach::Game),
    ("resume {game} because it is over", Reach::Game),
    ("extend {game} by 2 days because of a feast", Reach::Game),
    ("set {game} deadline 5 days because all are slow", Reach::Game),
    ("rewind {game} to {record} because of a slip", Reach::Game),
    ("announce {game} Well played.", Reach::Game),
    ("rotate {game} seat 1 because a letter went astray", Reach::Game),
    ("note {game} Nothing to see here", Reach::Game),
    ("letters list", Reach::Writer),
    ("replace {game} seat 2 by sub.{address} because of illness", Reach::Game),
];

/// What else no game goes another way by.
const IDLE: [&str; 5] =
    ["a preview", "a stranger", "a letter from another address", "rubbish", "an automatic answer"];

/// Whether no game goes another way by such a letter.
pub fn is_idle(letter: &Inbound) -> bool {
    let mut words = WORDS.into_iter().chain(RARE).chain(ERRANDS);
    IDLE.contains(&letter.word) || words.any(|entry| entry == (letter.word, Reach::Writer))
}

/// Everything that members write besides orders.
pub fn words() -> impl Iterator<Item = &'static str> {
    WORDS.into_iter().chain(RARE).map(|(word, _)| word)
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
    fn word(&mut self, world: &World, words: &[(&'static str, Reach)]) -> Option<Inbound> {
        let to = self.somebodys(world)?;
        let (word, _) = *self.dice.pick(words)?;
        let body = self.filled(world, word)?;
        Some(self.reply(word, &to, &to.to, &body))
    }

    fn errand(&mut self, world: &World) -> Option<Inbound> {
        let last = world.posted.iter().rev().find(|letter| letter.to == MODERATOR).cloned();
        let (word, _) = *self.dice.pick(&ERRANDS)?;
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
