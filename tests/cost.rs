//! What a letter can cost. Memory is counted, not timed: how much is held at most, and whether
//! twice the letter asks for more than about twice the memory, which is how work without bounds
//! shows itself. The time is measured by hand, by the test that does not run by itself.

#![allow(clippy::print_stderr, reason = "what was measured by hand is read by a person")]

mod nasty;

use nasty::NASTY;
use postrider::club::{Admission, read_request};
use postrider::mail::{
    Admitted, BYTES_MAX, Bounce, Chair, ClubSecret, Door, Letter, Position, Roster, order_lines,
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
        Ok(Some(Chair { generation: 1, addresses: vec!["ann@example.org".to_owned()] }))
    }

    fn is_member(&self, _: &str) -> Result<bool, Infallible> {
        Ok(true)
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
fn letter(make: fn(usize) -> String, size: usize) -> Vec<u8> {
    let token = ClubSecret::new([7; 32]).seal(Position { game: 1, seat: 1, seq: 1 }, 1);
    let to = token.reply_address("games@example.org");
    let mut letter = format!("From: ann@example.org\r\nTo: {to}\r\n").into_bytes();
    letter.extend(make(size - letter.len()).into_bytes());
    letter.truncate(size);
    letter
}

#[test]
fn no_letter_costs_more_than_its_size_allows() {
    let mut faults = Vec::new();
    let mut most = 0;
    for (name, make) in NASTY {
        let cost = |size| {
            let letter = letter(*make, size);
            allocation_counter::measure(|| {
                work_on(&letter);
            })
        };
        let (half, whole) = (cost(BYTES_MAX / 2), cost(BYTES_MAX));
        most = most.max(whole.bytes_max);
        if whole.bytes_max > HELD_MAX {
            faults.push(format!("{name}: holds {} KiB", whole.bytes_max >> 10));
        }
        // A vector that has just grown may weigh a little more.
        if whole.bytes_total > 3 * half.bytes_total.max(1 << 20) {
            let (half, whole) = (half.bytes_total >> 10, whole.bytes_total >> 10);
            faults.push(format!("{name}: asks for {half} KiB, and twice the letter for {whole}"));
        }
    }
    assert!(most > 1 << 20, "nothing was counted");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
#[ignore = "shows times: cargo test --release --test cost -- --ignored --nocapture"]
fn how_long_each_letter_takes() {
    for (name, make) in NASTY {
        let letter = letter(*make, BYTES_MAX);
        let mut best = f64::INFINITY;
        for _ in 0..3 {
            let began = Instant::now();
            work_on(&letter);
            best = best.min(began.elapsed().as_secs_f64() * 1e3);
        }
        let held = allocation_counter::measure(|| {
            work_on(&letter);
        });
        let (held, total) = (held.bytes_max >> 10, held.bytes_total >> 10);
        let _ = writeln!(std::io::stderr(), "{best:8.1} ms {held:8} KiB {total:8} KiB  {name}");
    }
}
