//! A whole game by real mail servers on this machine: letters go by Postfix, lie in Dovecot and are
//! read by IMAP, all of it encrypted; a letter comes twice, and each server is gone for a while.
//!
//! Needs both servers and the right to start them, so it runs only by `tests/servers/run`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what the servers did is read by a person"
)]

mod machine;

use machine::{Machine, PEOPLE, address};
use postrider::process::Office;
use postrider::rules::{Dice, Seat, Seed, Turn};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::time::{Duration, Instant};

/// How long a letter may take from one end to the other.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the players have got and sent so far.
#[derive(Default)]
struct Post {
    /// The letters in a player's mailbox, by Message-ID.
    got: BTreeMap<String, Vec<u8>>,
    /// How many letters the club should have got.
    sent: usize,
    /// How many letters the club says it has posted.
    posted: usize,
}

impl Post {
    /// Reads what has come to a player. No letter may come twice.
    fn read(&mut self, machine: &Machine, name: &str) {
        for bytes in machine.take_letters(name) {
            let id = header(&bytes, "Message-ID").expect("our letters have one");
            let known = self.got.insert(id.clone(), bytes);
            assert!(known.is_none(), "{name} got {id} twice");
        }
    }

    /// The letter that shows this seat the game after this record, when it has come.
    fn turn_letter(&mut self, machine: &Machine, seat: Seat, head: u32) -> Vec<u8> {
        let name = PEOPLE[seat.index()];
        let id = format!("<g1.s{seat}.r{head}@club.test>");
        let began = Instant::now();
        while !self.got.contains_key(&id) {
            assert!(began.elapsed() < PATIENCE, "{name} has not got {id}");
            std::thread::sleep(Duration::from_millis(30));
            self.read(machine, name);
        }
        self.got[&id].clone()
    }

    fn send(&mut self, machine: &Machine, name: &str, to: &str, letter: &str) {
        machine.post(name, to, letter);
        self.sent += 1;
    }
}

fn header(letter: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(letter).replace("\r\n", "\n").replace("\n ", " ");
    let head = text.split("\n\n").next()?.to_owned();
    head.lines().find_map(|line| Some(line.strip_prefix(&format!("{name}: "))?.trim().to_owned()))
}

/// A player's reply as a mail program writes it: the answer above, the whole letter quoted below.
fn reply(name: &str, letter: &[u8], line: &str, number: usize) -> (String, String) {
    let header = |name| header(letter, name).unwrap_or_default();
    let reply_to = header("Reply-To");
    let to = reply_to.rsplit_once('<').map_or(reply_to.as_str(), |(_, to)| to).trim_matches('>');
    let body = postrider::mail::Letter::read(letter).expect("it can be read").body;
    let quoted: Vec<String> = body.lines().map(|line| format!("> {line}")).collect();
    let text = format!(
        "From: {name} <{}>\r\nTo: {to}\r\nSubject: Re: {}\r\nMessage-ID: <{name}.{number}@home>\r\n\
         In-Reply-To: {}\r\n\r\n{line}\r\n\r\n{}\r\n",
        address(name),
        header("Subject"),
        header("Message-ID"),
        quoted.join("\r\n"),
    );
    (to.to_owned(), text)
}

fn office(machine: &Machine) -> Office {
    Office::open(&machine.club(), chrono::Utc::now()).expect("the club opens")
}

/// Passes until the game has gone on.
fn pass_until(machine: &Machine, post: &mut Post, head: u32) {
    let began = Instant::now();
    while office(machine).open_game(1).expect("it folds").table.head() <= head {
        assert!(began.elapsed() < PATIENCE, "the order for record {head} does not arrive");
        post.posted += machine.tick(0);
    }
}

#[test]
#[ignore = "needs Dovecot and Postfix: tests/servers/run"]
fn a_whole_game_by_real_mail_servers() {
    let began = Instant::now();
    let machine = Machine::start();
    let mut post = Post::default();
    let mut chooser = Dice::new(&Seed::rehearsal(5), 0);
    machine.found("trick-of-the-rails", 9);
    machine.doctor();
    post.posted += machine.tick(0);
    let mut repeats = 0;
    for number in 0.. {
        let table = office(&machine).open_game(1).expect("it folds").table;
        let Turn::Awaiting(seats) = table.turn() else { break };
        let (seat, head) = (seats[0], table.head());
        let name = PEOPLE[seat.index()];
        let mut dice = Dice::new(&Seed::rehearsal(1), 0);
        let played = table.game().copy().play_at_random(seat, &mut chooser, &mut dice);
        let (line, _) = played.expect("something is legal");
        let shown = post.turn_letter(&machine, seat, head);
        let (to, letter) = reply(name, &shown, &line, number);
        match number {
            4 => {
                post.send(&machine, name, &to, &letter);
                pass_until(&machine, &mut post, head);
                post.send(&machine, name, &to, &letter);
                repeats += 1;
            }
            9 => {
                machine.stop("dovecot");
                post.send(&machine, name, &to, &letter);
                post.posted += machine.tick(75);
                machine.start_dovecot();
                machine.flush();
            }
            14 => {
                post.send(&machine, name, &to, &letter);
                std::thread::sleep(Duration::from_secs(1));
                machine.stop("postfix");
                assert_eq!(machine.tick(75), 0, "nothing can be posted");
                machine.start_postfix();
                post.posted += machine.tick(0);
            }
            _ => post.send(&machine, name, &to, &letter),
        }
        pass_until(&machine, &mut post, head);
    }
    settle(&machine, &mut post);
    let orders = post.sent - repeats;
    let took = began.elapsed();
    let _ = writeln!(std::io::stderr(), "{orders} orders, {} letters, {took:.1?}", post.posted);
}

/// When the game is over, every letter of either side is where it belongs, once.
fn settle(machine: &Machine, post: &mut Post) {
    let began = Instant::now();
    while machine.waiting() > 0 || machine.count("games", "INBOX") > 0 {
        assert!(began.elapsed() < PATIENCE, "letters lie about");
        post.posted += machine.tick(0);
    }
    assert_eq!(machine.tick(0), 0, "nothing is left to say");
    for name in PEOPLE {
        post.read(machine, name);
    }
    assert_eq!(post.got.len(), post.posted, "every letter that was posted came, and once");
    assert_eq!(machine.count("games", "Done"), post.sent);
    assert_eq!(machine.count("games", "Quarantine"), 0);
    assert_eq!(machine.count("mod", "INBOX"), 0, "nothing had to be told to the moderator");
    let done = std::fs::read_dir(machine.club().join("inbox/.done/cur")).expect("a tray");
    assert_eq!(done.count(), post.sent);
    let repeats: BTreeSet<&String> = post.got.keys().filter(|id| id.contains(".a")).collect();
    assert_eq!(repeats.len(), 1, "the letter that came twice was answered: {repeats:?}");
    machine.verify();
}
