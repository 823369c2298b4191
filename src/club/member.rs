//! Members, their seats in games, and the private data that belongs to a player and not to a seat.

use super::Punctuality;
use super::clock::OwnTime;
use super::reachability::Reachability;
use super::{ActivityEntry, LetterStyle, NewsPreference, Notes, SeatNews};
use crate::mail::address::parse_plain_address;
use crate::rules::{BotLevel, Message, Seat};
use crate::table::QueuedOrders;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The member's number, from 1. It stays when the member leaves the club.
    pub id: u32,
    pub name: String,
    /// The member's addresses in their canonical form. Letters go to the first one. Orders may come
    /// from any of them.
    pub addresses: Vec<String>,
    /// The level of a computer player. It has no address and gets no letters. `None` for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<BotLevel>,
    /// The language tag of the member's letters, such as `en`.
    pub language: String,
    /// Whether boards are drawn in ASCII only.
    #[serde(default = "yes")]
    pub ascii: bool,
    #[serde(default, skip_serializing_if = "is_new")]
    #[serde(rename = "reach")]
    pub reachability: Reachability,
    /// Whether the member has written since the first address last changed. If so, the club knows
    /// that somebody reads letters to it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_answered: bool,
    /// The number of letters in a row in which the club found nothing to do. It stops at five.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub idle_letters: u32,
    /// A counter in the member's reply tokens. Raising it voids all older tokens, both those of
    /// seats and those of letters about no game.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[serde(rename = "generation")]
    pub token_generation: u32,
    /// A counter of address changes. An older request to change an address is void once this
    /// counter has been raised.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[serde(rename = "moves")]
    pub address_changes: u32,
    /// The number of people whom the member may still invite before these have finished a turn.
    /// `None` means no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitations_left: Option<u8>,
    #[serde(default, skip_serializing_if = "OwnTime::is_default")]
    pub time: OwnTime,
    /// The punctuality of the member in seats that others have taken over since.
    #[serde(default, skip_serializing_if = "Punctuality::is_default")]
    #[serde(rename = "past")]
    pub past_punctuality: Punctuality,
    #[serde(default, skip_serializing_if = "LetterStyle::is_default")]
    pub letters: LetterStyle,
    /// The number of times that the member has agreed to be named on the club's web site. Each
    /// consent has a page with an address of its own.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub site_consents: u32,
    /// The name and addresses of a member who has left the club, until all traces of them are
    /// erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "leaving")]
    pub departed: Option<Box<DepartedMember>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DepartedMember {
    pub(crate) name: String,
    pub(crate) addresses: Vec<String>,
}

impl Member {
    /// Whether the member is a person who is in the club. Only these have addresses.
    pub(crate) const fn is_person(&self) -> bool {
        !self.addresses.is_empty()
    }

    /// Whether the member has left the club. Only the number is then known.
    pub fn has_left(&self) -> bool {
        !self.is_person() && self.bot.is_none()
    }

    /// Whether letters can be sent to the member: a person who is in the club and whose mailbox
    /// accepts letters.
    pub(crate) fn gets_letters(&self) -> bool {
        self.is_person() && self.undeliverable_since().is_none()
    }

    /// Returns the name under which the club's web site shows the member. `None` unless the member
    /// agreed with `site name`, and after they have left the club.
    pub(crate) fn published_name(&self) -> Option<&str> {
        (self.letters.named_on_site && !self.has_left()).then_some(&*self.name)
    }

    /// Returns the date since which no letter reaches the member. `None` if letters do.
    pub fn undeliverable_since(&self) -> Option<DateTime<Utc>> {
        self.reachability.undeliverable_since()
    }
}

/// The player of a seat in a game, with all that is stored for this player and seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatAssignment {
    pub member: u32,
    /// A counter in the seat's reply tokens. Raising it voids all older tokens of the seat.
    #[serde(rename = "generation")]
    pub token_generation: u32,
    /// The last seen record: the newest record of the game that a letter has disclosed to the seat.
    #[serde(default, rename = "told")]
    pub last_seen_seq: u32,
    /// The queued orders of the seat: plans for later turns, and secret orders for the seat's next
    /// record. Only the player sees them.
    #[serde(default, skip_serializing_if = "QueuedOrders::is_empty")]
    #[serde(rename = "standing")]
    pub queued_orders: QueuedOrders,
    #[serde(default, skip_serializing_if = "Punctuality::is_default")]
    pub punctuality: Punctuality,
    /// Whether the player has left the seat. The seat then gets no letters until a successor takes
    /// it over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "left")]
    pub has_left: bool,
    /// The number of the absent member for whom the player is a stand-in. `None` for a regular
    /// player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands_in_for: Option<u32>,
    /// Whether a bot plays the seat because its player missed a deadline, until the player writes
    /// to the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "bot")]
    pub bot_stands_in: bool,
    #[serde(default, skip_serializing_if = "SeatHint::is_none")]
    pub hint: SeatHint,
    /// When the player took the seat over. `None` if the player has held it since the game began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<DateTime<Utc>>,
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    pub notes: Notes,
    /// The earlier periods in which the same player held the seat, before a stand-in did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "stays")]
    pub earlier_periods: Vec<SeatPeriod>,
    /// The news that is shown at the top of the player's next letter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub news: Vec<SeatNews>,
    /// The player's choice of letters in this game. `None` if the member's general choice applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "letters")]
    pub news_preference: Option<NewsPreference>,
    /// The time of the player's last reminder, in a game without a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "reminded")]
    pub reminded_at: Option<DateTime<Utc>>,
    /// The news, besides the game's records, that the player's next letter will contain.
    #[serde(default, skip_serializing_if = "UnreadNews::is_nothing")]
    #[serde(rename = "unheard")]
    pub unread: UnreadNews,
}

/// The hints that a player asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatHint {
    /// The letter that asks for a hint and is not answered yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<HintRequest>,
    /// The number of the last record when the last hint was given. There is one hint per position.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub given_at: u32,
}

/// A letter that asks for a hint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HintRequest {
    pub message_id: Option<String>,
    /// The digest of the letter, in hexadecimal digits.
    pub digest: String,
}

impl SeatHint {
    fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// News around a game that a player has not read yet. The player's next letter contains all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadNews {
    /// The index in the activity log of the first entry that the player has not read. `None` if the
    /// player has read all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "minutes")]
    pub first_unread_entry: Option<usize>,
    /// The messages about interventions that the player has not read, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "notes")]
    pub interventions: Vec<Message>,
}

impl UnreadNews {
    pub(crate) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// A period in which a player held a seat. The player has come back to the seat, or may come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatPeriod {
    /// The exclusive start of the period. `None` means the beginning of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<DateTime<Utc>>,
    /// The inclusive end of the period.
    pub(crate) until: DateTime<Utc>,
}

/// The private data of an absent player, stored while a stand-in plays the seat. Only the absent
/// player may read it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSeatData {
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    pub notes: Notes,
    /// The periods in which the player held the seat. They decide which private messages the player
    /// may read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "stays")]
    pub earlier_periods: Vec<SeatPeriod>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "letters")]
    pub news_preference: Option<NewsPreference>,
    #[serde(default, skip_serializing_if = "UnreadNews::is_nothing")]
    #[serde(rename = "unheard")]
    pub unread: UnreadNews,
}

impl SeatAssignment {
    /// Whether this player may read an entry of the activity log. `seat` is the player's seat.
    /// Private messages from times in which another player held the seat were meant for that
    /// player, so they stay hidden.
    pub(crate) fn can_read(&self, seat: Seat, entry: &ActivityEntry) -> bool {
        entry.is_visible_to(seat) && (self.was_seated_at(entry.at) || !entry.is_private())
    }

    pub(crate) fn was_seated_at(&self, at: DateTime<Utc>) -> bool {
        let after = |since: Option<DateTime<Utc>>| since.is_none_or(|since| at > since);
        after(self.since)
            || self.earlier_periods.iter().any(|stay| after(stay.since) && at <= stay.until)
    }

    /// Returns the private data to store for this player when a stand-in takes the seat over at
    /// `until`. It is restored if the player comes back.
    pub(crate) fn private_data_for_return(&self, until: DateTime<Utc>) -> SavedSeatData {
        let mut stays = self.earlier_periods.clone();
        stays.push(SeatPeriod { since: self.since, until });
        let (notes, letters, unheard) =
            (self.notes.clone(), self.news_preference, self.unread.clone());
        SavedSeatData { notes, earlier_periods: stays, news_preference: letters, unread: unheard }
    }

    /// Restores the private data of a player who is back on the seat after a stand-in played it.
    pub(crate) fn restore_saved_data(&mut self, saved: SavedSeatData) {
        (self.notes, self.earlier_periods) = (saved.notes, saved.earlier_periods);
        (self.news_preference, self.unread) = (saved.news_preference, saved.unread);
    }

    /// Deletes the private data of a player who leaves the seat. A successor inherits the seat and
    /// its history, but neither queued orders nor notes.
    pub fn clear_private_data(&mut self) {
        self.queued_orders = QueuedOrders::default();
        self.notes = Notes::default();
        self.news_preference = None;
        self.unread = UnreadNews::default();
        self.hint = SeatHint::default();
        self.reminded_at = None;
    }
}

fn yes() -> bool {
    true
}

fn is_new(reach: &Reachability) -> bool {
    *reach == Reachability::default()
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Parses `Ann <ann@example.org>` or `ann@example.org` into a name and an address. `None` if the
/// address is invalid.
///
/// Without a name, the name is the address's part before the `@`, with blanks instead of dots.
/// Control characters are removed from the name. The address is returned in its canonical form: in
/// lower case and NFC, with the host in A-labels.
pub fn parse_mailbox(text: &str) -> Option<(String, String)> {
    let text = text.trim();
    let (name, address) = match text.rsplit_once('<') {
        Some((name, rest)) => (name.trim().trim_matches('"'), rest.strip_suffix('>')?.trim()),
        None => ("", text),
    };
    let address = parse_plain_address(address)?;
    let (local, _) = address.rsplit_once('@')?;
    let name = if name.is_empty() { name_from_local_part(local) } else { name.to_owned() };
    Some((clean_name(&name), address))
}

/// Returns an address's part before the `@` as a name. Dots become blanks, because a name with dots
/// could be taken for a web address.
pub(crate) fn name_from_local_part(local: &str) -> String {
    local.replace('.', " ")
}

/// Removes control characters from a name and cuts it after 40 characters.
pub fn clean_name(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
    name.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mailbox_parses_into_name_and_address() {
        let of = |text| parse_mailbox(text).map(|(name, address)| format!("{name}|{address}"));
        assert_eq!(of("Ann Lee <Ann@Example.org>").as_deref(), Some("Ann Lee|ann@example.org"));
        assert_eq!(of("bob@example.org").as_deref(), Some("bob|bob@example.org"));
        assert_eq!(of("\"O, Al\" <al@x.org>").as_deref(), Some("O, Al|al@x.org"));
        let zoe = Some("Zoé|zoé@xn--exmple-cua.fr");
        assert_eq!(of("Zoé <ZOÉ@exämple.fr>").as_deref(), zoe);
        assert_eq!(of("zoé@example.org").as_deref(), Some("zoé|zoé@example.org"));
        assert_eq!(of("nobody"), None);
        assert_eq!(of("a@b\r\nBcc: c@d"), None);
        assert_eq!(of("two@x.org, three@x.org"), None);
    }

    #[test]
    fn published_name_needs_consent_and_membership() {
        let addresses = vec!["ann@example.org".to_owned()];
        let ann = Member { name: "Ann".to_owned(), addresses, ..Member::default() };
        assert_eq!(ann.published_name(), None, "new members are not named");
        let letters = LetterStyle { named_on_site: true, ..LetterStyle::default() };
        let named = Member { letters, ..ann };
        assert_eq!(named.published_name(), Some("Ann"));
        assert_eq!(Member { addresses: Vec::new(), ..named }.published_name(), None);
    }

    #[test]
    fn minimal_stored_member_has_defaults() {
        let stored = r#"{"id":1,"name":"Ann","addresses":["ann@example.org"],"language":"en"}"#;
        let ann: Member = serde_json::from_str(stored).unwrap();
        let named = Member { id: 1, name: "Ann".to_owned(), ..Member::default() };
        let addresses = vec!["ann@example.org".to_owned()];
        assert_eq!(ann, Member { addresses, language: "en".to_owned(), ascii: true, ..named });
        // Defaults are not stored.
        let ascii = stored.replace('}', r#","ascii":true}"#);
        assert_eq!(serde_json::to_string(&ann).unwrap(), ascii);
    }
}
