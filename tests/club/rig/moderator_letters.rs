//! Letters to and from the moderator.

use super::{Club, PostedLetter, address};
use postrider::games::find_kind;

pub const MOD_ADDRESS: &str = "mod@example.org";

/// Starts a game of Paris Connection for Ann, Bob and Cid, and returns its number.
pub fn start_paris_game(club: &mut Club, seed: u64) -> u32 {
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, seed)
}

/// Delivers the moderator's reply to the last letter that they received.
pub fn send_mod_reply(club: &mut Club, body: &str) {
    let last = club.last_letter_to("Mod").expect("a letter to the moderator").clone();
    let letter = club.compose_reply_to("Mod", &last, body);
    club.deliver(letter);
}

/// Delivers the moderator's reply, runs a pass, and returns the answer.
pub fn ask_as_mod(club: &mut Club, body: &str) -> PostedLetter {
    send_mod_reply(club, body);
    let (_, letters) = club.run_pass();
    letters.into_iter().find(|letter| letter.to == MOD_ADDRESS).expect("an answer")
}

/// Makes the club send the moderator a letter that they can reply to.
pub fn introduce_mod(club: &mut Club) {
    club.deliver(format!("From: Mod <{MOD_ADDRESS}>\r\nTo: games@example.org\r\n\r\nlist\r\n"));
    club.run_pass();
    assert!(club.last_text_to("Mod").contains("an address can be forged"));
}

/// Delivers a player's reply that comes from an unknown address.
pub fn deliver_from_other_address(club: &mut Club, name: &str, body: &str) -> String {
    let letter = club.compose_reply(name, body);
    let elsewhere = letter.replace(&address(name), &format!("{name}@work.example"));
    club.deliver(elsewhere)
}
