//! What a letter can cost. Memory is counted, not timed: how much is held at most, and whether
//! twice the letter asks for more than about twice the memory, which is how work without bounds
//! shows itself. The time is measured by hand, by the test that does not run by itself.

#![allow(clippy::print_stderr, reason = "what was measured by hand is read by a person")]

use crate::nasty::{BODIES, HEADS, Nasty};
use postrider::club::{Admission, read_request};
use postrider::mail::{
    Admitted, BYTES_MAX, Bounce, Chair, ClubSecret, Door, HEAD_MAX, Letter, Position, Roster,
    order_lines,
};
use std::convert::Infallible;
use std::io::Write;
use std::time::Instant;

/// The most that a letter may make us hold at a time.
const HELD_MAX: u64 = 64 << 20;

/// Everybody is a member, and every seat is Ann's.
struct Book;

impl Roster for Book {
    type Error = Infallible;

    fn chair(&self, _: u32, _: u8) -> Result<Option<Chair>, Infallible> {
        Ok(Some(Chair { generation: 1.into(), addresses: vec!["ann@example.org".to_owned()] }))
    }

    fn member(&self, _: u32) -> Result<Option<Chair>, Infallible> {
        self.chair(1, 1)
    }

    fn member_of(&self, _: &str) -> Result<Option<u32>, Infallible> {
        Ok(Some(1))
    }

    fn moderator(&self) -> Result<u32, Infallible> {
        Ok(0)
    }
}

/// All that is done with a letter before anybody asks a game. How much of it there was.
fn work_on(bytes: &[u8]) -> usize {
    let Ok(letter) = Letter::read(bytes) else { return 0 };
    let secret = ClubSecret::new([7; 32]);
    let door = Door {
        secret: &secret,
        address: "games@example.org",
        admission: Admission::TokenSenderAndDmarc,
        authserv_id: "mx.example.org",
        moderator: "mod@example.org",
    };
    let Ok(admitted) = door.admit(&letter, &Book);
    let bounce = Bounce::of(&letter, door.address);
    let marker = "Write your orders above this line";
    let lines = order_lines(&letter.body, &[marker]).unwrap_or_default();
    let request = read_request(lines.iter().map(|line| (line.number, line.text.as_str())));
    usize::from(matches!(admitted, Admitted::Player(_)))
        + bounce.map_or(0, |bounce| bounce.failed.len())
        + request.orders.len()
}

/// A letter of about so many bytes, from Ann and with a token that opens.
fn letter((_, make): &Nasty, size: usize) -> Vec<u8> {
    let token = ClubSecret::new([7; 32]).seal(Position { game: 1, seat: 1, seq: 1 }, 1);
    let to = token.reply_address("games@example.org");
    let mut letter = format!("From: ann@example.org\r\nTo: {to}\r\n").into_bytes();
    letter.extend(make(size - letter.len()).into_bytes());
    letter.truncate(size);
    letter
}

/// All nasty letters, each with the most bytes that it may have.
fn all() -> Vec<(&'static Nasty, usize)> {
    let heads = HEADS.iter().map(|nasty| (nasty, HEAD_MAX));
    heads.chain(BODIES.iter().map(|nasty| (nasty, BYTES_MAX))).collect()
}

/// What is wrong with the memory that a letter makes us hold and ask for.
fn faults((nasty, most): &(&'static Nasty, usize)) -> Vec<String> {
    let cost = |size| {
        let letter = letter(nasty, size);
        allocation_counter::measure(|| {
            work_on(&letter);
        })
    };
    let (half, whole) = (cost(most / 2), cost(*most));
    let mut faults = Vec::new();
    if whole.bytes_max > HELD_MAX {
        faults.push(format!("{}: holds {} KiB", nasty.0, whole.bytes_max >> 10));
    }
    // A vector that has just grown may weigh a little more.
    if whole.bytes_total > 3 * half.bytes_total.max(1 << 18) {
        let (half, whole) = (half.bytes_total >> 10, whole.bytes_total >> 10);
        let nasty = nasty.0;
        faults.push(format!("{nasty}: asks for {half} KiB, and twice the letter for {whole}"));
    }
    assert!(whole.bytes_total > 1 << 10, "nothing was counted");
    faults
}

#[test]
fn no_letter_costs_more_than_its_size_allows() {
    // What is counted is each thread's own.
    let all = all();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = |from: usize| all.iter().skip(from).step_by(threads).flat_map(faults).collect();
    let faults: Vec<String> = std::thread::scope(|scope| {
        let share = &share;
        let workers: Vec<_> = (0..threads).map(|from| scope.spawn(move || share(from))).collect();
        workers
            .into_iter()
            .flat_map(|worker| -> Vec<String> { worker.join().expect("it ends") })
            .collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
#[ignore = "shows times: cargo test --release --test parts cost -- --ignored --nocapture"]
fn how_long_each_letter_takes() {
    for (nasty, most) in all() {
        let letter = letter(nasty, most);
        let took = (0..3).map(|_| {
            let began = Instant::now();
            work_on(&letter);
            began.elapsed()
        });
        let best = took.min().unwrap_or_default().as_secs_f64() * 1e3;
        let cost = allocation_counter::measure(|| {
            work_on(&letter);
        });
        let (held, name) = (cost.bytes_max >> 10, nasty.0);
        let _ = writeln!(std::io::stderr(), "{best:8.1} ms {held:8} KiB  {name}");
    }
}
