//! A whole game over real mail servers on this machine. Postfix delivers letters to Dovecot, and
//! IMAP reads them, all encrypted. One letter arrives twice, each server is down for a while, and
//! one mailbox disappears for good. One player's letters arrive through Postfix's pipe.
//!
//! The tests need both servers and root, so they run only by `tests/servers/run`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what the servers did is read by a person"
)]

mod test_machine;

use postrider::process::{self, Context, PassReport};
use postrider::rules::{Dice, Seat, Seed, Turn};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::time::{Duration, Instant};
use test_machine::{MOVING_SEAT_AND_MAILBOX, PIPE_SEAT, PLAYERS, TestMachine, address};

/// The longest time from posting a letter to its arrival.
const LETTER_TIMEOUT: Duration = Duration::from_secs(20);

/// The letters that the players have received and sent.
struct PlayerMail {
    /// The players' mailboxes, by seat.
    mailboxes: [&'static str; 3],
    /// The letters in the players' mailboxes, by Message-ID.
    received: BTreeMap<String, Vec<u8>>,
    /// The number of letters that the club should have received by IMAP.
    sent_by_imap: usize,
    /// The number of letters that the club should have received through the pipe.
    sent_by_pipe: usize,
    /// The number of letters that the club reports as posted.
    posted: usize,
}

impl PlayerMail {
    /// Reads a player's new letters. Panics if one of them came twice.
    fn receive_letters(&mut self, machine: &TestMachine, name: &str) {
        for bytes in machine.take_letters(name) {
            let id = header(&bytes, "Message-ID").expect("our letters have one");
            let known = self.received.insert(id.clone(), bytes);
            assert!(known.is_none(), "{name} got {id} twice");
        }
    }

    /// Waits for the letter to this seat whose kind matches. The kind is the part of a Message-ID
    /// between the seat and the club's tag, such as `r7`.
    fn wait_for_letter(
        &mut self,
        machine: &TestMachine,
        seat: Seat,
        is_it: impl Fn(&str) -> bool,
    ) -> Vec<u8> {
        let name = self.mailboxes[seat.index()];
        let began = Instant::now();
        loop {
            self.receive_letters(machine, name);
            let found =
                self.received.iter().find(|(id, _)| message_kind(id, seat).is_some_and(&is_it));
            if let Some((_, letter)) = found {
                return letter.clone();
            }
            assert!(began.elapsed() < LETTER_TIMEOUT, "{name} has only {:?}", self.received.keys());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    fn send(&mut self, machine: &TestMachine, seat: Seat, (to, letter): &(String, String)) {
        machine.post_letter(self.mailboxes[seat.index()], to, letter);
        if seat.index() == PIPE_SEAT {
            self.sent_by_pipe += 1;
        } else {
            self.sent_by_imap += 1;
        }
    }
}

/// Returns the kind of a letter to this seat: `r7` for `<g1.s2.r7.TAG@club.test>`.
fn message_kind(id: &str, seat: Seat) -> Option<&str> {
    let (name, _tag) = id.split_once('@')?.0.rsplit_once('.')?;
    name.strip_prefix(&*format!("<g1.s{seat}."))
}

fn header(letter: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(letter).replace("\r\n", "\n").replace("\n ", " ");
    let head = text.split("\n\n").next()?.to_owned();
    let mut fields = head.lines().filter_map(|line| line.split_once(": "));
    fields.find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
}

/// Composes a player's reply as a mail program does, with the answer above the quoted letter.
fn compose_reply(name: &str, letter: &[u8], line: &str, number: usize) -> (String, String) {
    let header = |name| header(letter, name).unwrap_or_default();
    let reply_to = header("Reply-To");
    let to = reply_to.rsplit_once('<').map_or(reply_to.as_str(), |(_, to)| to).trim_matches('>');
    let body = postrider::mail::Letter::parse(letter).expect("it can be read").body;
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

fn open_club(machine: &TestMachine) -> Context {
    Context::open(postrider::games::SHIPPED, &machine.club_folder(), chrono::Utc::now())
        .expect("the club opens")
}

/// Waits until a condition holds.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < LETTER_TIMEOUT, "not so: {what}");
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// Runs passes until the game has more than `head` records.
fn pass_until_order_arrives(machine: &TestMachine, post: &mut PlayerMail, head: u32) {
    wait_until(&format!("the order for record {head} arrives"), || {
        post.posted += machine.posted_by_pass(0);
        process::load_stored_game(&open_club(machine), 1)
            .expect("it folds")
            .table
            .last_record_number()
            > head
    });
}

/// The failures that have occurred. Each occurs once.
#[derive(Default)]
struct FailuresDone {
    /// Whether one letter has arrived twice.
    letter_doubled: bool,
    dovecot_gone: bool,
    postfix_gone: bool,
    /// Whether the pipe was unable to write.
    inbox_unwritable: bool,
    /// Whether a mailbox has been removed for good.
    mailbox_gone: bool,
    /// Whether the owner of the removed mailbox has a new address.
    address_changed: bool,
}

impl FailuresDone {
    /// Sends an order, with the next failure if one is due.
    fn send_with_failure(
        &mut self,
        machine: &TestMachine,
        post: &mut PlayerMail,
        seat: Seat,
        number: usize,
        letter: &(String, String),
    ) {
        let head = process::load_stored_game(&open_club(machine), 1)
            .expect("it folds")
            .table
            .last_record_number();
        let is_due = |done: &mut bool, from: usize| {
            let due = !*done && number >= from;
            *done |= due;
            due
        };
        if seat.index() == PIPE_SEAT {
            if is_due(&mut self.inbox_unwritable, 6) {
                return send_while_inbox_unwritable(machine, post, seat, letter);
            }
            return post.send(machine, seat, letter);
        }
        if is_due(&mut self.letter_doubled, 4) {
            post.send(machine, seat, letter);
            pass_until_order_arrives(machine, post, head);
            post.send(machine, seat, letter);
        } else if is_due(&mut self.dovecot_gone, 9) {
            machine.stop_server("dovecot");
            post.send(machine, seat, letter);
            post.posted += machine.posted_by_pass(75);
            machine.start_dovecot();
            machine.flush_queue();
        } else if is_due(&mut self.postfix_gone, 14) {
            post.send(machine, seat, letter);
            std::thread::sleep(Duration::from_secs(1));
            machine.stop_server("postfix");
            assert_eq!(machine.posted_by_pass(75), 0, "nothing can be posted");
            machine.start_postfix();
            post.posted += machine.posted_by_pass(0);
        } else if seat.index() != MOVING_SEAT_AND_MAILBOX.0 && is_due(&mut self.mailbox_gone, 20) {
            send_while_mailbox_missing(machine, post, seat, letter, head);
        } else {
            post.send(machine, seat, letter);
        }
    }
}

/// Checks that Postfix keeps a letter while the pipe cannot write, and returns a letter to its
/// sender if it is too long.
fn send_while_inbox_unwritable(
    machine: &TestMachine,
    post: &mut PlayerMail,
    seat: Seat,
    letter: &(String, String),
) {
    machine.set_inbox_writable(false);
    post.send(machine, seat, letter);
    wait_until("Postfix has tried it", || {
        machine.undelivered_letters().iter().any(|letter| letter.contains("Permission denied"))
    });
    assert_eq!(machine.posted_by_pass(0), 0, "nothing has come");
    machine.set_inbox_writable(true);
    machine.flush_queue();
    let name = post.mailboxes[seat.index()];
    let endless = format!("{}\r\n{}", letter.1, "and so on\r\n".repeat(110_000));
    machine.post_letter(name, &letter.0, &endless);
    let mut report = Vec::new();
    wait_until("the long letter has bounced", || {
        report.extend(machine.take_letters(name));
        !report.is_empty()
    });
    let text = String::from_utf8_lossy(&report.concat()).into_owned();
    assert!(text.contains("the letter is longer than 1048576 bytes"), "{text}");
}

/// Removes a mailbox. A letter to it and the probe bounce, and the moderator is notified.
fn send_while_mailbox_missing(
    machine: &TestMachine,
    post: &mut PlayerMail,
    seat: Seat,
    letter: &(String, String),
    head: u32,
) {
    let name = PLAYERS[MOVING_SEAT_AND_MAILBOX.0];
    wait_until("all letters are delivered", || machine.undelivered_letters().is_empty());
    post.receive_letters(machine, name);
    machine.remove_mailbox(name);
    post.send(machine, seat, letter);
    pass_until_order_arrives(machine, post, head);
    let mut bounced = 0;
    wait_until("a letter and the probe come back", || {
        let report = machine.run_pass(0);
        let reports = report["bounced"].as_array().expect("an array");
        assert!(reports.iter().all(|what| what == "bob@club.test: hard 5.1.1"), "{reports:?}");
        bounced += reports.len();
        post.posted += report["posted"].as_u64().map_or(0, |n| n as usize);
        bounced == 2
    });
    post.sent_by_imap += 2;
    let mut notices = Vec::new();
    wait_until("the moderator is told", || {
        notices.extend(machine.take_letters("mod"));
        !notices.is_empty()
    });
    let notice = postrider::mail::Letter::parse(&notices[0]).expect("a letter").body;
    assert!(notice.contains("E-mails to bob (bob@club.test) bounce"), "{notice}");
    assert!(machine.expect_exit_code(0, &["member", "list"]).contains("undeliverable since"));
}

/// The moderator enters the player's new address. A letter with all missed news follows.
fn change_address(machine: &TestMachine, post: &mut PlayerMail, seat: Seat) -> Vec<u8> {
    assert_eq!(machine.posted_by_pass(0), 0, "the game waits, and nobody is written to");
    let [before, after] =
        [PLAYERS[MOVING_SEAT_AND_MAILBOX.0], MOVING_SEAT_AND_MAILBOX.1].map(address);
    machine.expect_exit_code(0, &["member", "add-address", &before, &after, "--first"]);
    post.mailboxes[MOVING_SEAT_AND_MAILBOX.0] = MOVING_SEAT_AND_MAILBOX.1;
    post.posted += machine.posted_by_pass(0);
    post.wait_for_letter(machine, seat, |kind| kind.starts_with('b'))
}

#[test]
#[ignore = "needs Dovecot and Postfix: tests/servers/run"]
fn whole_game_is_played_over_real_servers() {
    let began = Instant::now();
    let machine = TestMachine::start_servers();
    let mut post = PlayerMail {
        mailboxes: PLAYERS,
        received: BTreeMap::new(),
        sent_by_imap: 0,
        sent_by_pipe: 0,
        posted: 0,
    };
    let mut mishaps = FailuresDone::default();
    let mut chooser = Dice::new(&Seed::from_number(5), 0);
    machine.found_game("trick-of-the-rails", 9);
    machine.check_doctor();
    post.posted += machine.posted_by_pass(0);
    let mut orders = 0;
    for number in 0.. {
        let table = process::load_stored_game(&open_club(&machine), 1).expect("it folds").table;
        let Turn::Awaiting(seats) = table.turn() else { break };
        let (seat, head) = (seats[0], table.last_record_number());
        let mut dice = Dice::new(&Seed::from_number(1), 0);
        let played = table.game().clone_box().play_random_line(seat, &mut chooser, &mut dice);
        let (line, _) = played.expect("something is legal");
        let lost = mishaps.mailbox_gone
            && seat.index() == MOVING_SEAT_AND_MAILBOX.0
            && !mishaps.address_changed;
        mishaps.address_changed |= lost;
        let shown = if lost {
            change_address(&machine, &mut post, seat)
        } else {
            post.wait_for_letter(&machine, seat, |kind| kind == format!("r{head}"))
        };
        let letter = compose_reply(post.mailboxes[seat.index()], &shown, &line, number);
        mishaps.send_with_failure(&machine, &mut post, seat, number, &letter);
        pass_until_order_arrives(&machine, &mut post, head);
        orders = number + 1;
    }
    assert!(
        mishaps.address_changed && mishaps.postfix_gone && mishaps.inbox_unwritable,
        "a failure has not occurred"
    );
    check_final_state(&machine, &mut post);
    let PlayerMail { posted, sent_by_pipe: piped, .. } = post;
    let took = began.elapsed();
    let _ = writeln!(
        std::io::stderr(),
        "{orders} orders, {piped} of them by the pipe, {posted} letters, {took:.1?}"
    );
}

#[test]
#[ignore = "needs Dovecot and Postfix: tests/servers/run"]
fn server_without_move_loses_or_doubles_no_letter() {
    let machine = TestMachine::start_servers();
    let mut done = 0;
    for capabilities in ["IMAP4rev1 UIDPLUS", "IMAP4rev1"] {
        machine.stop_server("dovecot");
        machine.start_dovecot_with(capabilities);
        let arrives = |name: &str| {
            let id = format!("<{name}.{}@home>", capabilities.len());
            // A program wrote this letter, so nobody is answered.
            let letter = format!(
                "From: x@example.net\r\nAuto-Submitted: yes\r\nMessage-ID: {id}\r\n\r\nhello\r\n"
            );
            machine.post_letter("ann", "games@club.test", &letter);
            wait_until("a letter is there", || machine.count_letters("games", "INBOX") > 0);
            id
        };
        let all_are_in_place = |read: usize, done: usize| {
            let report = machine.run_pass(0);
            assert_eq!((&report["read"], &report["troubles"]), (&read.into(), &vec![(); 0].into()));
            assert_eq!(machine.count_letters("games", "INBOX"), 0);
            assert_eq!(machine.count_letters("games", "Done"), done, "{capabilities}");
        };
        arrives("whole");
        done += 1;
        all_are_in_place(1, done);
        // The connection drops after each command in turn. The test itself repeats the commands
        // that came before.
        for dropped_after in ["nothing", "COPY", "STORE"] {
            let id = arrives(dropped_after);
            let context = open_club(&machine);
            let mut report = PassReport::default();
            let mut account = machine.open_account("games", "INBOX");
            let fetched =
                process::split_refusal(process::fetch_letters(&context, &mut account, &mut report))
                    .expect("it works");
            assert_eq!(fetched.expect("the server answers").letters.len(), 1);
            process::process_all_letters(&context, &mut report).expect("the pass works");
            assert_eq!(report.letters_read, 1);
            drop(context);
            let letter = ["mailbox", "INBOX", "header", "Message-ID", &id];
            if dropped_after != "nothing" {
                machine.run_doveadm(&[&["copy", "-u", "games", "Done"][..], &letter].concat());
            }
            if dropped_after == "STORE" {
                machine.run_doveadm(
                    &[&["flags", "add", "-u", "games", "\\Deleted"][..], &letter].concat(),
                );
            }
            done += 1;
            all_are_in_place(0, done);
        }
    }
    assert_eq!(done, 8);
}

/// Checks that every letter of both sides is in its place exactly once.
fn check_final_state(machine: &TestMachine, post: &mut PlayerMail) {
    wait_until("no letter is on its way", || {
        post.posted += machine.posted_by_pass(0);
        machine.undelivered_letters().is_empty() && machine.count_letters("games", "INBOX") == 0
    });
    assert_eq!(machine.posted_by_pass(0), 0, "no news is left");
    for name in post.mailboxes {
        post.receive_letters(machine, name);
    }
    // One letter and its probe bounced, and one letter went to the moderator.
    assert_eq!(post.received.len() + 3, post.posted, "every letter that was posted came, and once");
    assert_eq!(machine.count_letters("games", "Done"), post.sent_by_imap);
    assert_eq!(machine.count_letters("games", "Quarantine"), 0);
    assert_eq!(machine.count_letters("mod", "INBOX"), 0, "the moderator got no other letter");
    let done = std::fs::read_dir(machine.club_folder().join("inbox/.done/cur")).expect("a tray");
    assert_eq!(done.count(), post.sent_by_imap + post.sent_by_pipe);
    let is_repeat = |id: &&String| id.split('.').nth(2).is_some_and(|kind| kind.starts_with('a'));
    let repeats: BTreeSet<&String> = post.received.keys().filter(is_repeat).collect();
    assert_eq!(repeats.len(), 1, "the letter that came twice was answered: {repeats:?}");
    machine.verify_game();
}
