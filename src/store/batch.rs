//! The changes that one commit writes, all or nothing.

use super::{OutboxLabel, Row, StoreError};
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameInfo, Member, SeatAssignment};
use crate::rules::Seat;
use crate::table::Outline;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// All changes of one commit. Each field is applied only if it is not empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Lines to append to game logs, each game's in order.
    pub log_lines: Vec<LogLine>,
    /// New or changed members. An address belongs to the member who got it last.
    pub members: Vec<Member>,
    /// The state of games after these lines: whose turn it is, and who won. Not in the journal,
    /// because it follows from the logs.
    pub outlines: Vec<(u32, Outline)>,
    /// New or changed seat assignments: game, seat, assignment.
    pub seats: Vec<(u32, Seat, SeatAssignment)>,
    /// Inbound letters that were processed: the digest of the letter, and the outcome.
    pub seen_letters: Vec<([u8; 16], SeenLetter)>,
    /// Inbound files that were processed: the file's name, and its outcome as text. The text is the
    /// hash of the contents if it is known, then the reason if the file is in quarantine. On a
    /// shared store, an empty text removes the letter from the inbox.
    pub seen_files: Vec<(String, String)>,
    /// Letters to queue in the outbox, in the order in which they leave.
    pub outgoing: Vec<OutgoingLetter>,
    /// Keys of queued letters that a mail server accepted. They leave the outbox.
    pub sent: Vec<u64>,
    /// Records of letters that a mail server accepted, by Message-ID. Not in the journal.
    pub posted: Vec<(String, PostRecord)>,
    /// Keys of queued letters whose attempt failed, and the time before which they are not tried
    /// again. Adds one attempt to each.
    pub postponed: Vec<(u64, DateTime<Utc>)>,
    /// Keys of queued letters, and the letter that replaces each at its place in the queue. A
    /// letter that has already left is not replaced.
    pub replaced: Vec<(u64, OutgoingLetter)>,
    /// When games are due next; `None` if a game is not due any more.
    pub due: Vec<(u32, Option<DateTime<Utc>>)>,
    /// Events to count for rate limits: the account (an address or the name of another counter),
    /// and the time in Unix seconds.
    pub counted_events: Vec<(String, i64)>,
    pub campaign_games: Vec<CampaignGame>,
    pub clocks: Vec<(u32, GameClock)>,
    /// New or changed game infos: observers, waiting list, proposal and terms of a game.
    pub game_infos: Vec<(u32, GameInfo)>,
    /// Entries to append to activity logs, in this order.
    pub activity: Vec<(u32, ActivityEntry)>,
    /// Entries of activity logs to replace: game, position from 0, new entry. The journal keeps the
    /// old text until it is rewritten.
    pub reworded_activity: Vec<(u32, usize, ActivityEntry)>,
    /// Inbound letters that cannot be read, by file name; `None` if the letter can be read now or
    /// is gone. Not in the journal.
    pub unreadable: Vec<(String, Option<UnreadableLetter>)>,
    /// The new generation of the moderator's reply tokens. A higher one revokes all earlier tokens.
    pub moderator_generation: Option<u32>,
    /// Whether to rewrite the club's journal, so that it no longer holds the erased data of
    /// members.
    pub rewrite_journal: bool,
    /// Whether this batch erases data. If so, the store's file is compacted later, because it still
    /// holds the data.
    pub erases_data: bool,
    /// When passes ran. Of the journal's files, only `present.jsonl` holds it.
    pub heartbeat: Option<Heartbeat>,
    /// When the moderator's morning digest was last due. Of the journal's files, only
    /// `present.jsonl` holds it.
    pub last_morning_digest: Option<DateTime<Utc>>,
    /// When the store was rebuilt from a journal. Not in the journal.
    pub restored_at: Option<DateTime<Utc>>,
}

/// A game that was founded for a table of a campaign. Each table has one game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CampaignGame {
    pub campaign: String,
    /// The campaign's round for which the game was founded, counted from 1.
    pub round: u32,
    /// The number of the table within the round, counted from 1.
    pub table: u32,
    pub game: u32,
    /// The addresses of the players for whom the campaign's game was founded, by seat.
    pub players: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The game's number, counted from 1.
    pub game: u32,
    /// The line's position in the log, from 0.
    pub seq: u32,
    /// The line's text, without control characters, so that it is one line in the journal.
    pub line: String,
}

/// The outcome of an inbound letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenLetter {
    pub at: DateTime<Utc>,
    /// The game to which the inbound letter belonged; `None` if it belonged to no game.
    pub game: Option<u32>,
    /// The index, in the game's log, of the line that the letter led to.
    pub seq: Option<u32>,
    /// The writer of the letter, its effect and its answer; `None` if no member wrote it, or if an
    /// older version processed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_member: Option<MemberLetter>,
}

impl SeenLetter {
    /// Returns an entry that only marks something that may happen once, such as a consent.
    pub(crate) const fn mark(at: DateTime<Utc>) -> Self {
        Self { at, game: None, seq: None, of_member: None }
    }

    /// Whether this member wrote the letter.
    pub fn is_of_member(&self, member: u32) -> bool {
        self.of_member.as_ref().is_some_and(|letter| letter.member == member)
    }
}

/// The facts about a member's letter that the moderator's list of that member's letters shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberLetter {
    pub member: u32,
    pub result: LetterResult,
    /// The Message-ID of the letter that answered it; `None` if no letter did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// The effect of a member's letter, in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LetterResult {
    /// Orders were carried out. They made the record [`SeenLetter::seq`].
    CarriedOut,
    /// Orders were stored as plans.
    Planned,
    /// Only messages to players or votes were carried out.
    Said,
    /// The letter was refused, or could not be read.
    Refused,
    /// Questions were answered, or settings changed.
    Answered,
    /// Nothing was found in the letter.
    Empty,
    /// The letter was an automatic reply, such as a vacation notice.
    Automatic,
    /// The letter came without proof that it was the member's.
    Unproven,
    /// The letter was in quarantine, and the moderator rejected it.
    Rejected,
}

/// An inbound letter that cannot be read or fetched. It is tried again at `next`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadableLetter {
    /// When reading the inbound letter failed for the first time.
    pub since: DateTime<Utc>,
    pub tries: u32,
    pub next: DateTime<Utc>,
    pub place: LetterOrigin,
}

/// The place where an unreadable inbound letter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LetterOrigin {
    /// The letter is on the mail server from which the club fetches letters.
    Server,
    /// The letter is in the inbox folder.
    Inbox,
}

/// A letter to add to the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingLetter {
    /// The Message-ID, which stays the same for every attempt to send the letter.
    pub message_id: String,
    /// The address of the letter's reader when the letter is queued. The current address is looked
    /// up when the letter leaves.
    pub recipient: String,
    /// The letter's news as data. It is put into words when the letter leaves.
    pub payload: Value,
    /// The letter's reader, its priority, and how long it may wait.
    pub label: Option<OutboxLabel>,
}

/// The record of a letter that a mail server accepted: the time, and the facts that are needed if
/// it bounces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostRecord {
    pub at: DateTime<Utc>,
    pub letter: PostedLetter,
}

/// The facts about a posted letter that are needed if it bounces. They are stored under its
/// Message-ID.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostedLetter {
    /// The member to whose first address the posted letter went; `None` if it went to another
    /// address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<u32>,
    /// Whether the letter was a probe, sent to find out if the address works.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub probe: bool,
    /// The seats whose news the letter told: game, seat, and the seat's last seen record before the
    /// letter. If the letter bounces, that record is restored and the news is told again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "told")]
    pub shown_seats: Vec<(u32, Seat, u32)>,
}

/// A letter in the outbox, with its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedLetter {
    /// The letter's key in the outbox. A letter that is queued later has a higher key.
    pub key: u64,
    /// The number of failed attempts to send the letter.
    pub attempts: u32,
    pub letter: OutgoingLetter,
}

impl Batch {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Appends the changes of a later batch to this one. A single value of the later batch replaces
    /// the earlier one.
    pub fn extend(&mut self, later: Self) {
        self.log_lines.extend(later.log_lines);
        self.outlines.extend(later.outlines);
        self.members.extend(later.members);
        self.seats.extend(later.seats);
        self.seen_letters.extend(later.seen_letters);
        self.seen_files.extend(later.seen_files);
        self.outgoing.extend(later.outgoing);
        self.sent.extend(later.sent);
        self.posted.extend(later.posted);
        self.postponed.extend(later.postponed);
        self.replaced.extend(later.replaced);
        self.due.extend(later.due);
        self.counted_events.extend(later.counted_events);
        self.campaign_games.extend(later.campaign_games);
        self.clocks.extend(later.clocks);
        self.game_infos.extend(later.game_infos);
        self.activity.extend(later.activity);
        self.reworded_activity.extend(later.reworded_activity);
        self.unreadable.extend(later.unreadable);
        self.moderator_generation = later.moderator_generation.or(self.moderator_generation);
        self.rewrite_journal |= later.rewrite_journal;
        self.erases_data |= later.erases_data;
        self.heartbeat = later.heartbeat.or(self.heartbeat);
        self.last_morning_digest = later.last_morning_digest.or(self.last_morning_digest);
        self.restored_at = later.restored_at.or(self.restored_at);
    }

    /// Returns the numbers of all games whose row this batch changes.
    pub(super) fn changed_games(&self) -> BTreeSet<u32> {
        let lines = self.log_lines.iter().map(|line| line.game);
        let outlines = self.outlines.iter().map(|(game, _)| *game);
        let seats = self.seats.iter().map(|(game, ..)| *game);
        let due = self.due.iter().map(|(game, _)| *game);
        let clocks = self.clocks.iter().map(|(game, _)| *game);
        let rooms = self.game_infos.iter().map(|(game, _)| *game);
        let minutes = self.activity.iter().map(|(game, _)| *game);
        let reworded = self.reworded_activity.iter().map(|(game, ..)| *game);
        let beside = lines.chain(outlines).chain(seats).chain(due);
        beside.chain(clocks).chain(rooms).chain(minutes).chain(reworded).collect()
    }

    /// Returns all rows that this batch changes. A new field of the batch needs its row here, or
    /// concurrent changes to it are not noticed.
    pub fn changed_rows(&self) -> BTreeSet<Row> {
        let mut rows: BTreeSet<Row> = self.changed_games().into_iter().map(Row::Game).collect();
        for member in &self.members {
            rows.insert(Row::Member(member.id));
            rows.extend(member.addresses.iter().cloned().map(Row::Address));
        }
        rows.extend(self.seats.iter().map(|(_, _, seated)| Row::MemberSeats(seated.member)));
        rows.extend(self.seen_letters.iter().map(|(digest, _)| Row::Letter(*digest)));
        rows.extend(self.seen_files.iter().map(|(name, _)| Row::File(name.clone())));
        rows.extend(
            self.counted_events.iter().map(|(account, _)| Row::CountedEvents(account.clone())),
        );
        rows.extend(self.campaign_games.iter().map(|game| Row::Campaign(game.campaign.clone())));
        let changes_club = !self.unreadable.is_empty()
            || self.moderator_generation.is_some()
            || self.heartbeat.is_some()
            || self.last_morning_digest.is_some()
            || self.restored_at.is_some();
        rows.extend(changes_club.then_some(Row::Club));
        rows
    }

    /// Checks that every log line is one line of text, because the journal could not restore any
    /// other.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if a line contains a control character.
    pub fn check_log_lines_printable(&self) -> Result<(), StoreError> {
        match self.log_lines.iter().find(|line| line.line.contains(char::is_control)) {
            None => Ok(()),
            Some(LogLine { game, seq, .. }) => Err(StoreError::Damaged(format!(
                "game {game}: record {seq} holds a control character, so it is not one line; \
                 nothing was written. This is a fault of the program: please report it"
            ))),
        }
    }
}
