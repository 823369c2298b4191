//! What is done with any letter before anybody asks a game, and nasty letters to do it with.

use super::{BODIES, HEADS, Nasty};
use postrider::club::read_request;
use postrider::mail::settings::Admission;
use postrider::mail::{
    Admitted, Authenticator, BYTES_MAX, Bounce, ClubSecret, Credentials, Directory, HEAD_MAX,
    Letter, Position, order_lines,
};
use std::convert::Infallible;

/// Everybody is a member, and every seat is Ann's.
struct Book;

impl Directory for Book {
    type Error = Infallible;

    fn credentials(&self, _: u32, _: u8) -> Result<Option<Credentials>, Infallible> {
        Ok(Some(Credentials {
            generation: 1.into(),
            addresses: vec!["ann@example.org".to_owned()],
        }))
    }

    fn member(&self, _: u32) -> Result<Option<Credentials>, Infallible> {
        self.credentials(1, 1)
    }

    fn member_of(&self, _: &str) -> Result<Option<u32>, Infallible> {
        Ok(Some(1))
    }

    fn moderator(&self) -> Result<u32, Infallible> {
        Ok(0)
    }
}

/// All that is done with a letter before anybody asks a game. How much of it there was.
pub fn work_on(bytes: &[u8]) -> usize {
    let Ok(letter) = Letter::read(bytes) else { return 0 };
    let secret = ClubSecret::new([7; 32]);
    let authenticator = Authenticator {
        secret: &secret,
        address: "games@example.org",
        admission: Admission::TokenSenderAndDmarc,
        authserv_id: "mx.example.org",
        moderator: "mod@example.org",
    };
    let Ok(admitted) = authenticator.admit(&letter, &Book);
    let bounce = Bounce::of(&letter, authenticator.address);
    let marker = "Write your orders above this line";
    let lines = order_lines(&letter.body, &[marker]).unwrap_or_default();
    let lines = lines.iter().map(|line| (line.number, line.text.as_str(), line.text.as_str()));
    let request = read_request(lines, None);
    usize::from(matches!(admitted, Admitted::Player(_)))
        + bounce.map_or(0, |bounce| bounce.failed.len())
        + request.lines.len()
}

/// A letter of about so many bytes, from Ann and with a token that opens.
pub fn letter((_, make): &Nasty, size: usize) -> Vec<u8> {
    let token = ClubSecret::new([7; 32]).seal(Position { game: 1, seat: 1, seq: 1 }, 1);
    let to = token.reply_address("games@example.org");
    let mut letter = format!("From: ann@example.org\r\nTo: {to}\r\n").into_bytes();
    letter.extend(make(size - letter.len()).into_bytes());
    letter.truncate(size);
    letter
}

/// All nasty letters, each with the most bytes that it may have.
pub fn all() -> Vec<(&'static Nasty, usize)> {
    let heads = HEADS.iter().map(|nasty| (nasty, HEAD_MAX));
    heads.chain(BODIES.iter().map(|nasty| (nasty, BYTES_MAX))).collect()
}
