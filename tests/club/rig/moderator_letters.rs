//! The moderator of a club, and games that he moderates.

use super::{Club, PostedLetter, address};
use postrider::games::find_kind;

/// The moderator's address.
pub const MOD_ADDRESS: &str = "mod@example.org";

/// Founds a game for three.
pub fn start_paris_game(club: &mut Club, seed: u64) -> u32 {
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, seed)
}

/// A letter from the moderator that answers the last one that he got.
pub fn send_mod_reply(club: &mut Club, body: &str) {
    let last = club.last_letter_to("Mod").expect("a letter to the moderator").clone();
    let letter = club.compose_reply_to("Mod", &last, body);
    club.deliver(letter);
}

/// The moderator's letter, a pass, and the letters to him that it led to.
pub fn ask_as_mod(club: &mut Club, body: &str) -> PostedLetter {
    send_mod_reply(club, body);
    let (_, letters) = club.run_pass();
    letters.into_iter().find(|letter| letter.to == MOD_ADDRESS).expect("an answer")
}

/// Brings the moderator a letter that he can answer.
pub fn introduce_mod(club: &mut Club) {
    club.deliver(format!("From: Mod <{MOD_ADDRESS}>\r\nTo: games@example.org\r\n\r\nlist\r\n"));
    club.run_pass();
    assert!(club.last_text_to("Mod").contains("an address can be forged"));
}

/// A letter of a player's from an address that is not known to be his.
pub fn deliver_from_other_address(club: &mut Club, name: &str, body: &str) -> String {
    let letter = club.compose_reply(name, body);
    let elsewhere = letter.replace(&address(name), &format!("{name}@work.example"));
    club.deliver(elsewhere)
}
