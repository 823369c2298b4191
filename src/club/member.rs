//! Members and the seats that they hold.

use super::Punctuality;
use super::clock::OwnTime;
use super::reachability::Reachability;
use super::{ActivityEntry, LetterStyle, NewsPreference, Notes, SeatNews};
use crate::rules::{Message, Seat};
use crate::table::QueuedOrders;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// A person of the club.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The member's number, from 1.
    pub id: u32,
    /// The name that other players see.
    pub name: String,
    /// Where letters go; the first is written to, orders may come from any. Lower case.
    pub addresses: Vec<String>,
    /// The language of the member's letters, such as `en`.
    pub language: String,
    /// Whether boards are drawn in ASCII only.
    #[serde(default = "yes")]
    pub ascii: bool,
    /// Whether letters reach the first address.
    #[serde(default, skip_serializing_if = "is_new")]
    #[serde(rename = "reach")]
    pub reachability: Reachability,
    /// Whether a letter from the member has come since letters go to the first address: somebody
    /// reads them there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_answered: bool,
    /// The number of letters in a row in which the club found nothing to do, at most five.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub idle_letters: u32,
    /// Raised to make void all that speaks for the member: the marks of his seats, and of letters
    /// about no game.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[serde(rename = "generation")]
    pub token_generation: u32,
    /// Raised by every change of the addresses: what was asked about one before is settled by it.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[serde(rename = "moves")]
    pub address_changes: u32,
    /// How many more people the member may invite before they have finished a turn. `None` if the
    /// number is not limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitations_left: Option<u8>,
    /// The member's zone and vacations.
    #[serde(default, skip_serializing_if = "OwnTime::is_default")]
    pub time: OwnTime,
    /// How punctual the member was in seats that others have taken over since.
    #[serde(default, skip_serializing_if = "Punctuality::is_default")]
    #[serde(rename = "past")]
    pub past_punctuality: Punctuality,
    /// How the member wants letters made, beside language and charset.
    #[serde(default, skip_serializing_if = "LetterStyle::is_default")]
    pub letters: LetterStyle,
    /// The member's name before leaving the club, until all traces of it are erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "leaving")]
    pub departed: Option<Box<DepartedMember>>,
}

/// The name and addresses of a member who has left the club.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DepartedMember {
    pub(crate) name: String,
    pub(crate) addresses: Vec<String>,
}

impl Member {
    /// Whether the member has left the club: nothing is known of him but his number.
    pub fn has_left(&self) -> bool {
        self.addresses.is_empty()
    }

    /// The date from which no letter reaches the member; none if letters do.
    pub fn undeliverable_since(&self) -> Option<DateTime<Utc>> {
        self.reachability.undeliverable_since()
    }
}

/// Who sits where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatAssignment {
    /// The member's number.
    pub member: u32,
    /// Raised to make all reply tokens of the seat void.
    #[serde(rename = "generation")]
    pub token_generation: u32,
    /// The last record of the game that the seat was told of.
    #[serde(default, rename = "told")]
    pub last_seen_seq: u32,
    /// What the player wants done later.
    #[serde(default, skip_serializing_if = "QueuedOrders::is_empty")]
    #[serde(rename = "standing")]
    pub queued_orders: QueuedOrders,
    /// How punctual the player was in this game.
    #[serde(default, skip_serializing_if = "Punctuality::is_default")]
    pub punctuality: Punctuality,
    /// Whether the player has left the seat: nobody is written to until somebody takes it over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "left")]
    pub has_left: bool,
    /// The member for whom the player stands in until that member is back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands_in_for: Option<u32>,
    /// When the player took the seat over; none for who has sat there from the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<DateTime<Utc>>,
    /// What the player has noted for himself.
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    pub notes: Notes,
    /// The times in which the same player sat there before somebody stood in for him.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "stays")]
    pub earlier_periods: Vec<SeatPeriod>,
    /// What is told to the player at the head of his next letter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub news: Vec<SeatNews>,
    /// For which news the player wants letters in this game; none where he wants it as in others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "letters")]
    pub news_preference: Option<NewsPreference>,
    /// What of the game's news waits for the player's next letter besides its records.
    #[serde(default, skip_serializing_if = "UnreadNews::is_nothing")]
    #[serde(rename = "unheard")]
    pub unread: UnreadNews,
}

/// What was said and done around a game that a player reads in his next letter, whenever that
/// comes: nothing of it is dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadNews {
    /// How many minutes the game had when the first was said that he has not read; none when he has
    /// read all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "minutes")]
    pub first_unread_entry: Option<usize>,
    /// What was done to the game from outside of its rules, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "notes")]
    pub interventions: Vec<Message>,
}

impl UnreadNews {
    pub(crate) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// A time in which a player sat on a seat that he has come back to, or may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatPeriod {
    /// After when; none from the game's beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<DateTime<Utc>>,
    /// Up to when, that moment included.
    pub(crate) until: DateTime<Utc>,
}

/// What is kept for a player while somebody else plays for him: for his eyes only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSeatData {
    /// What he has noted for himself.
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    pub notes: Notes,
    /// When he sat there, which says what was told to him alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "stays")]
    pub earlier_periods: Vec<SeatPeriod>,
    /// For which news of the game he wants letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "letters")]
    pub news_preference: Option<NewsPreference>,
    /// What he has not read yet.
    #[serde(default, skip_serializing_if = "UnreadNews::is_nothing")]
    #[serde(rename = "unheard")]
    pub unread: UnreadNews,
}

impl SeatAssignment {
    /// Whether the player may read this, whose seat this is: of what was told to some alone only
    /// what was told while he sat there. All else was meant for another.
    pub(crate) fn can_read(&self, seat: Seat, entry: &ActivityEntry) -> bool {
        entry.is_visible_to(seat) && (self.was_seated_at(entry.at) || !entry.is_private())
    }

    /// Whether the player sat there then.
    pub(crate) fn was_seated_at(&self, at: DateTime<Utc>) -> bool {
        let after = |since: Option<DateTime<Utc>>| since.is_none_or(|since| at > since);
        after(self.since)
            || self.earlier_periods.iter().any(|stay| after(stay.since) && at <= stay.until)
    }

    /// What is kept for the player when somebody takes the seat over at this time and he may come
    /// back.
    pub(crate) fn save_for_return(&self, until: DateTime<Utc>) -> SavedSeatData {
        let mut stays = self.earlier_periods.clone();
        stays.push(SeatPeriod { since: self.since, until });
        let (notes, letters, unheard) =
            (self.notes.clone(), self.news_preference, self.unread.clone());
        SavedSeatData { notes, earlier_periods: stays, news_preference: letters, unread: unheard }
    }

    /// Gives a player who is back what was kept for him.
    pub(crate) fn restore_saved_data(&mut self, saved: SavedSeatData) {
        (self.notes, self.earlier_periods) = (saved.notes, saved.earlier_periods);
        (self.news_preference, self.unread) = (saved.news_preference, saved.unread);
    }

    /// Clears what the player who leaves the seat kept for himself alone: a successor inherits the
    /// seat and its history, and neither plans nor notes.
    pub fn clear_private_data(&mut self) {
        self.queued_orders = QueuedOrders::default();
        self.notes = Notes::default();
        self.news_preference = None;
        self.unread = UnreadNews::default();
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

/// Reads `Ann <ann@example.org>` or `ann@example.org` as name and address.
///
/// The name is the text before the address, or else the address's part before the `@` with blanks
/// for dots. Both lose control characters, and the address becomes lower case.
pub fn parse_mailbox(text: &str) -> Option<(String, String)> {
    let text = text.trim();
    let (name, address) = match text.rsplit_once('<') {
        Some((name, rest)) => (name.trim().trim_matches('"'), rest.strip_suffix('>')?.trim()),
        None => ("", text),
    };
    let address = address.to_lowercase();
    let (local, host) = address.rsplit_once('@')?;
    let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>' | ',' | ';' | '"');
    if local.is_empty() || host.is_empty() || !address.chars().all(plain) {
        return None;
    }
    let name = if name.is_empty() { name_from_local_part(local) } else { name.to_owned() };
    Some((clean_name(&name), address))
}

/// Returns an address's part before the `@` as a name: a name with a dot in it could be taken for a
/// web address.
pub(crate) fn name_from_local_part(local: &str) -> String {
    local.replace('.', " ")
}

/// A name as letters carry it: without control characters, at most 40 characters.
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
        assert_eq!(of("nobody"), None);
        assert_eq!(of("a@b\r\nBcc: c@d"), None);
        assert_eq!(of("two@x.org, three@x.org"), None);
    }

    #[test]
    fn minimal_stored_member_has_defaults() {
        let stored = r#"{"id":1,"name":"Ann","addresses":["ann@example.org"],"language":"en"}"#;
        let ann: Member = serde_json::from_str(stored).unwrap();
        let named = Member { id: 1, name: "Ann".to_owned(), ..Member::default() };
        let addresses = vec!["ann@example.org".to_owned()];
        assert_eq!(ann, Member { addresses, language: "en".to_owned(), ascii: true, ..named });
        // And what is usual is not written.
        let ascii = stored.replace('}', r#","ascii":true}"#);
        assert_eq!(serde_json::to_string(&ann).unwrap(), ascii);
    }
}
