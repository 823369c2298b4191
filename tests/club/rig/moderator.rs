//! The moderator of a club, and games that he moderates.

use super::{Club, Posted, address};
use postrider::games::kind;

/// The moderator's address.
pub const MOD: &str = "mod@example.org";

/// Founds a game for three.
pub fn paris(club: &mut Club, seed: u64) -> u32 {
    club.found(kind("paris-connection").expect("it ships"), 3, seed)
}

/// A letter from the moderator that answers the last one that he got.
pub fn mod_writes(club: &mut Club, body: &str) {
    let last = club.last_to("Mod").expect("a letter to the moderator").clone();
    let letter = club.reply_to("Mod", &last, body);
    club.arrives(letter);
}

/// The moderator's letter, a pass, and the letters to him that it led to.
pub fn mod_asks(club: &mut Club, body: &str) -> Posted {
    mod_writes(club, body);
    let (_, letters) = club.pass();
    letters.into_iter().find(|letter| letter.to == MOD).expect("an answer")
}

/// Brings the moderator a letter that he can answer.
pub fn mod_is_known(club: &mut Club) {
    club.arrives(format!("From: Mod <{MOD}>\r\nTo: games@example.org\r\n\r\nlist\r\n"));
    club.pass();
    assert!(club.last_text("Mod").contains("an address can be forged"));
}

/// A letter of a player's from an address that is not known to be his.
pub fn from_elsewhere(club: &mut Club, name: &str, body: &str) -> String {
    let letter = club.reply(name, body);
    let elsewhere = letter.replace(&address(name), &format!("{name}@work.example"));
    club.arrives(elsewhere)
}
