//! A whole game by real mail servers on this machine: letters go by Postfix, lie in Dovecot and are
//! read by IMAP, all of it encrypted. A letter comes twice, each server is gone for a while, one
//! player's mailbox is gone for good, and one player's letters come in by Postfix's pipe.
//!
//! Needs both servers and the right to start them, so it runs only by `tests/servers/run`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what the servers did is read by a person"
)]

mod machine;

use machine::{MOVES, Machine, PEOPLE, PIPED, address};
use postrider::process::{self, Context, PassReport};
use postrider::rules::{Dice, Seat, Seed, Turn};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::time::{Duration, Instant};

/// How long a letter may take from one end to the other.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the players have got and sent so far.
struct Post {
    /// The players' mailboxes, by seat.
    mailboxes: [&'static str; 3],
    /// The letters in the players' mailboxes, by Message-ID.
    got: BTreeMap<String, Vec<u8>>,
    /// How many letters should have come in by IMAP.
    sent: usize,
    /// How many should have come in by the pipe.
    piped: usize,
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

    /// Waits for the letter to this seat whose mark is the one that is looked for. The mark is the
    /// part of a Message-ID between the seat and the club's tag, such as `r7`.
    fn letter(&mut self, machine: &Machine, seat: Seat, is_it: impl Fn(&str) -> bool) -> Vec<u8> {
        let name = self.mailboxes[seat.index()];
        let began = Instant::now();
        loop {
            self.read(machine, name);
            let found = self.got.iter().find(|(id, _)| mark(id, seat).is_some_and(&is_it));
            if let Some((_, letter)) = found {
                return letter.clone();
            }
            assert!(began.elapsed() < PATIENCE, "{name} has only {:?}", self.got.keys());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    fn send(&mut self, machine: &Machine, seat: Seat, (to, letter): &(String, String)) {
        machine.post(self.mailboxes[seat.index()], to, letter);
        if seat.index() == PIPED {
            self.piped += 1;
        } else {
            self.sent += 1;
        }
    }
}

/// Returns the mark of a letter to this seat: `<g1.s2.r7.TAG@club.test>` has `r7`.
fn mark(id: &str, seat: Seat) -> Option<&str> {
    let (name, _tag) = id.split_once('@')?.0.rsplit_once('.')?;
    name.strip_prefix(&*format!("<g1.s{seat}."))
}

fn header(letter: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(letter).replace("\r\n", "\n").replace("\n ", " ");
    let head = text.split("\n\n").next()?.to_owned();
    let mut fields = head.lines().filter_map(|line| line.split_once(": "));
    fields.find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
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

fn context(machine: &Machine) -> Context {
    Context::open(&machine.club(), chrono::Utc::now()).expect("the club opens")
}

/// Waits until something is so.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "not so: {what}");
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// Passes until the game has gone on.
fn pass_until(machine: &Machine, post: &mut Post, head: u32) {
    wait_until(&format!("the order for record {head} arrives"), || {
        post.posted += machine.tick(0);
        process::open_game(&context(machine), 1).expect("it folds").table.head() > head
    });
}

/// What else happens while the game goes on, each once.
#[derive(Default)]
struct Mishaps {
    /// A letter came twice.
    doubled: bool,
    dovecot_gone: bool,
    postfix_gone: bool,
    /// The pipe could not write.
    inbox_shut: bool,
    /// A mailbox is gone for good.
    mailbox_gone: bool,
    /// Its owner has another one.
    moved: bool,
}

impl Mishaps {
    /// Sends an order, and perhaps something goes wrong on its way.
    fn send(
        &mut self,
        machine: &Machine,
        post: &mut Post,
        seat: Seat,
        number: usize,
        letter: &(String, String),
    ) {
        let head = process::open_game(&context(machine), 1).expect("it folds").table.head();
        let is_due = |done: &mut bool, from: usize| {
            let due = !*done && number >= from;
            *done |= due;
            due
        };
        if seat.index() == PIPED {
            if is_due(&mut self.inbox_shut, 6) {
                return shut_the_inbox(machine, post, seat, letter);
            }
            return post.send(machine, seat, letter);
        }
        if is_due(&mut self.doubled, 4) {
            post.send(machine, seat, letter);
            pass_until(machine, post, head);
            post.send(machine, seat, letter);
        } else if is_due(&mut self.dovecot_gone, 9) {
            machine.stop("dovecot");
            post.send(machine, seat, letter);
            post.posted += machine.tick(75);
            machine.start_dovecot();
            machine.flush();
        } else if is_due(&mut self.postfix_gone, 14) {
            post.send(machine, seat, letter);
            std::thread::sleep(Duration::from_secs(1));
            machine.stop("postfix");
            assert_eq!(machine.tick(75), 0, "nothing can be posted");
            machine.start_postfix();
            post.posted += machine.tick(0);
        } else if seat.index() != MOVES.0 && is_due(&mut self.mailbox_gone, 20) {
            lose_the_mailbox(machine, post, seat, letter, head);
        } else {
            post.send(machine, seat, letter);
        }
    }
}

/// While the pipe cannot write, Postfix keeps the letter, and what can never be taken goes back to
/// who wrote it.
fn shut_the_inbox(machine: &Machine, post: &mut Post, seat: Seat, letter: &(String, String)) {
    machine.open_inbox(false);
    post.send(machine, seat, letter);
    wait_until("Postfix has tried it", || {
        machine.waiting().iter().any(|letter| letter.contains("Permission denied"))
    });
    assert_eq!(machine.tick(0), 0, "nothing has come");
    machine.open_inbox(true);
    machine.flush();
    let name = post.mailboxes[seat.index()];
    let endless = format!("{}\r\n{}", letter.1, "and so on\r\n".repeat(110_000));
    machine.post(name, &letter.0, &endless);
    let mut report = Vec::new();
    wait_until("it has gone back", || {
        report.extend(machine.take_letters(name));
        !report.is_empty()
    });
    let said = String::from_utf8_lossy(&report.concat()).into_owned();
    assert!(said.contains("the letter is longer than 1048576 bytes"), "{said}");
}

/// A mailbox goes away, a letter to it comes back, the probe comes back too, and the moderator is
/// told.
fn lose_the_mailbox(
    machine: &Machine,
    post: &mut Post,
    seat: Seat,
    letter: &(String, String),
    head: u32,
) {
    let name = PEOPLE[MOVES.0];
    wait_until("all letters are delivered", || machine.waiting().is_empty());
    post.read(machine, name);
    machine.forget(name);
    post.send(machine, seat, letter);
    pass_until(machine, post, head);
    let mut bounced = 0;
    wait_until("a letter and the probe come back", || {
        let report = machine.pass(0);
        let reports = report["bounced"].as_array().expect("an array");
        assert!(reports.iter().all(|what| what == "bob@club.test: hard 5.1.1"), "{reports:?}");
        bounced += reports.len();
        post.posted += report["posted"].as_u64().map_or(0, |n| n as usize);
        bounced == 2
    });
    post.sent += 2;
    let mut told = Vec::new();
    wait_until("the moderator is told", || {
        told.extend(machine.take_letters("mod"));
        !told.is_empty()
    });
    let told = postrider::mail::Letter::read(&told[0]).expect("a letter").body;
    assert!(told.contains("Letters to bob (bob@club.test) come back"), "{told}");
    assert!(machine.done(0, &["member", "list"]).contains("letters come back since"));
}

/// The moderator writes down where letters go now; a letter tells all that was missed.
fn mend_the_address(machine: &Machine, post: &mut Post, seat: Seat) -> Vec<u8> {
    assert_eq!(machine.tick(0), 0, "the game waits, and nobody is written to");
    let [before, after] = [PEOPLE[MOVES.0], MOVES.1].map(address);
    machine.done(0, &["member", "add-address", &before, &after, "--first"]);
    post.mailboxes[MOVES.0] = MOVES.1;
    post.posted += machine.tick(0);
    post.letter(machine, seat, |mark| mark.starts_with('b'))
}

#[test]
#[ignore = "needs Dovecot and Postfix: tests/servers/run"]
fn a_whole_game_by_real_mail_servers() {
    let began = Instant::now();
    let machine = Machine::start();
    let mut post = Post { mailboxes: PEOPLE, got: BTreeMap::new(), sent: 0, piped: 0, posted: 0 };
    let mut mishaps = Mishaps::default();
    let mut chooser = Dice::new(&Seed::rehearsal(5), 0);
    machine.found("trick-of-the-rails", 9);
    machine.doctor();
    post.posted += machine.tick(0);
    let mut orders = 0;
    for number in 0.. {
        let table = process::open_game(&context(&machine), 1).expect("it folds").table;
        let Turn::Awaiting(seats) = table.turn() else { break };
        let (seat, head) = (seats[0], table.head());
        let mut dice = Dice::new(&Seed::rehearsal(1), 0);
        let played = table.game().copy().play_at_random(seat, &mut chooser, &mut dice);
        let (line, _) = played.expect("something is legal");
        let lost = mishaps.mailbox_gone && seat.index() == MOVES.0 && !mishaps.moved;
        mishaps.moved |= lost;
        let shown = if lost {
            mend_the_address(&machine, &mut post, seat)
        } else {
            post.letter(&machine, seat, |mark| mark == format!("r{head}"))
        };
        let letter = reply(post.mailboxes[seat.index()], &shown, &line, number);
        mishaps.send(&machine, &mut post, seat, number, &letter);
        pass_until(&machine, &mut post, head);
        orders = number + 1;
    }
    assert!(mishaps.moved && mishaps.postfix_gone && mishaps.inbox_shut, "all has happened");
    settle(&machine, &mut post);
    let Post { posted, piped, .. } = post;
    let took = began.elapsed();
    let _ = writeln!(
        std::io::stderr(),
        "{orders} orders, {piped} of them by the pipe, {posted} letters, {took:.1?}"
    );
}

#[test]
#[ignore = "needs Dovecot and Postfix: tests/servers/run"]
fn where_a_server_cannot_move_letters_none_is_lost_or_doubled() {
    let machine = Machine::start();
    let mut done = 0;
    for capabilities in ["IMAP4rev1 UIDPLUS", "IMAP4rev1"] {
        machine.stop("dovecot");
        machine.start_dovecot_with(capabilities);
        let arrives = |name: &str| {
            let id = format!("<{name}.{}@home>", capabilities.len());
            // A program wrote it, so nobody is answered.
            let letter = format!(
                "From: x@example.net\r\nAuto-Submitted: yes\r\nMessage-ID: {id}\r\n\r\nhello\r\n"
            );
            machine.post("ann", "games@club.test", &letter);
            wait_until("a letter is there", || machine.count("games", "INBOX") > 0);
            id
        };
        let all_are_in_place = |read: usize, done: usize| {
            let report = machine.pass(0);
            assert_eq!((&report["read"], &report["troubles"]), (&read.into(), &vec![(); 0].into()));
            assert_eq!(machine.count("games", "INBOX"), 0);
            assert_eq!(machine.count("games", "Done"), done, "{capabilities}");
        };
        arrives("whole");
        done += 1;
        all_are_in_place(1, done);
        // The line drops after every command; what was done until then is done by hand.
        for dropped_after in ["nothing", "COPY", "STORE"] {
            let id = arrives(dropped_after);
            let context = context(&machine);
            let mut report = PassReport::default();
            let mut account = machine.account("games", "INBOX");
            let fetched = process::answered(process::fetch(&context, &mut account, &mut report))
                .expect("it works");
            assert_eq!(fetched.expect("the server answers").letters.len(), 1);
            process::take_in_all(&context, &mut report).expect("the pass works");
            assert_eq!(report.read, 1);
            drop(context);
            let letter = ["mailbox", "INBOX", "header", "Message-ID", &id];
            if dropped_after != "nothing" {
                machine.doveadm(&[&["copy", "-u", "games", "Done"][..], &letter].concat());
            }
            if dropped_after == "STORE" {
                machine.doveadm(
                    &[&["flags", "add", "-u", "games", "\\Deleted"][..], &letter].concat(),
                );
            }
            done += 1;
            all_are_in_place(0, done);
        }
    }
    assert_eq!(done, 8);
}

/// When the game is over, every letter of either side is where it belongs, once.
fn settle(machine: &Machine, post: &mut Post) {
    wait_until("no letter lies about", || {
        post.posted += machine.tick(0);
        machine.waiting().is_empty() && machine.count("games", "INBOX") == 0
    });
    assert_eq!(machine.tick(0), 0, "nothing is left to say");
    for name in post.mailboxes {
        post.read(machine, name);
    }
    // A letter and its probe came back, and one letter was the moderator's.
    assert_eq!(post.got.len() + 3, post.posted, "every letter that was posted came, and once");
    assert_eq!(machine.count("games", "Done"), post.sent);
    assert_eq!(machine.count("games", "Quarantine"), 0);
    assert_eq!(machine.count("mod", "INBOX"), 0, "nothing else had to be told to the moderator");
    let done = std::fs::read_dir(machine.club().join("inbox/.done/cur")).expect("a tray");
    assert_eq!(done.count(), post.sent + post.piped);
    let is_repeat = |id: &&String| id.split('.').nth(2).is_some_and(|mark| mark.starts_with('a'));
    let repeats: BTreeSet<&String> = post.got.keys().filter(is_repeat).collect();
    assert_eq!(repeats.len(), 1, "the letter that came twice was answered: {repeats:?}");
    machine.verify();
}
