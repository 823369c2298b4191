//! The work that any letter causes before a game reads it, for hostile letters in tests and
//! benchmarks.

use super::{BODIES, HEADS, Nasty};
use postrider::club::parse_letter_lines;
use postrider::mail::settings::SenderProof;
use postrider::mail::{
    AdmissionVerdict, Authenticator, BYTES_MAX, Bounce, ClubSecret, Credentials, HEAD_MAX, Letter,
    MemberDirectory, TokenPosition, extract_order_lines,
};
use std::convert::Infallible;

/// A directory in which every address belongs to a member, and every seat to Ann.
struct EveryoneDirectory;

impl MemberDirectory for EveryoneDirectory {
    type Error = Infallible;

    fn find_expected_seat_credentials(
        &self,
        _: u32,
        _: u8,
    ) -> Result<Option<Credentials>, Infallible> {
        Ok(Some(Credentials {
            generation: 1.into(),
            addresses: vec!["ann@example.org".to_owned()],
        }))
    }

    fn find_expected_member_credentials(&self, _: u32) -> Result<Option<Credentials>, Infallible> {
        self.find_expected_seat_credentials(1, 1)
    }

    fn member_by_address(&self, _: &str) -> Result<Option<u32>, Infallible> {
        Ok(Some(1))
    }

    fn moderator_generation(&self) -> Result<u32, Infallible> {
        Ok(0)
    }
}

/// Does everything that happens to a letter before a game reads it. Returns a number that depends
/// on all results, so that no work is optimized away.
pub fn work_on(bytes: &[u8]) -> usize {
    let Ok(letter) = Letter::parse(bytes) else { return 0 };
    let secret = ClubSecret::new([7; 32]);
    let authenticator = Authenticator {
        secret: &secret,
        address: "games@example.org",
        required_proof: SenderProof::TokenSenderAndDmarc,
        authserv_id: "mx.example.org",
        moderators: vec!["mod@example.org"],
    };
    let Ok(admitted) = authenticator.decide_admission(&letter, &EveryoneDirectory);
    let bounce = Bounce::from_letter(&letter, authenticator.address);
    let marker = "Write your orders above this line";
    let lines = extract_order_lines(&letter.body, &[marker]).unwrap_or_default();
    let lines = lines.iter().map(|line| (line.number, line.text.as_str(), line.text.as_str()));
    let request = parse_letter_lines(lines, None, postrider::games::SHIPPED);
    usize::from(matches!(admitted, AdmissionVerdict::Player(_)))
        + bounce.map_or(0, |bounce| bounce.failed.len())
        + request.lines.len()
}

/// Makes a letter of at most `size` bytes from Ann, with a valid reply token.
pub fn letter((_, make): &Nasty, size: usize) -> Vec<u8> {
    let token =
        ClubSecret::new([7; 32]).sign_seat_token(TokenPosition { game: 1, seat: 1, seq: 1 }, 1);
    let to = token.reply_address("games@example.org");
    let mut letter = format!("From: ann@example.org\r\nTo: {to}\r\n").into_bytes();
    letter.extend(make(size - letter.len()).into_bytes());
    letter.truncate(size);
    letter
}

/// Returns all hostile letters, each with its maximal size in bytes.
pub fn all() -> Vec<(&'static Nasty, usize)> {
    let heads = HEADS.iter().map(|nasty| (nasty, HEAD_MAX));
    heads.chain(BODIES.iter().map(|nasty| (nasty, BYTES_MAX))).collect()
}
