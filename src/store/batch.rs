//! What one commit writes, all or nothing.
//!
//! Knows nothing of how it is kept.

use super::{OutboxLabel, Row, StoreError};
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameInfo, Member, SeatAssignment};
use crate::rules::Seat;
use crate::table::Outline;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// Everything that one commit writes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Lines to append, each game's in order.
    pub log_lines: Vec<LogLine>,
    /// Members, new or changed. An address belongs to the member who was last given it.
    pub members: Vec<Member>,
    /// How games stand after these lines; not in the journal, as it follows from their logs.
    pub outlines: Vec<(u32, Outline)>,
    /// Who sits where, new or changed: game, seat, who.
    pub seats: Vec<(u32, Seat, SeatAssignment)>,
    /// Letters that were processed: their digest, and what became of them.
    pub seen_letters: Vec<([u8; 16], SeenLetter)>,
    /// Files that were processed: name, and a word on their fate (empty, or why it was put aside).
    pub seen_files: Vec<(String, String)>,
    /// Letters to send, in the order in which they shall leave.
    pub outgoing: Vec<OutgoingLetter>,
    /// Keys of [`QueuedLetter`] letters that a mail server accepted: they are forgotten.
    pub sent: Vec<u64>,
    /// Message-IDs of letters that somebody else answers for now; not in the journal.
    pub posted: Vec<(String, PostRecord)>,
    /// Keys of [`QueuedLetter`] letters to try again, not before this time; counts as one attempt.
    pub postponed: Vec<(u64, DateTime<Utc>)>,
    /// Keys of [`QueuedLetter`] letters that become others, each in its place if it waits still.
    pub replaced: Vec<(u64, OutgoingLetter)>,
    /// When a game is due; `None`: not any more.
    pub due: Vec<(u32, Option<DateTime<Utc>>)>,
    /// Answers given: to which address, and when in Unix seconds.
    pub answers: Vec<(String, i64)>,
    /// Which games belong to a campaign.
    pub campaign_games: Vec<CampaignGame>,
    /// Games' clocks, new or changed.
    pub clocks: Vec<(u32, GameClock)>,
    /// Who is around a game, new or changed.
    pub rooms: Vec<(u32, GameInfo)>,
    /// What was said and done around a game, to be added in this order.
    pub activity: Vec<(u32, ActivityEntry)>,
    /// Entries of games' activity logs in other words: game, place from 0, entry. The journal does
    /// not hear of it unless it is rewritten.
    pub reworded_activity: Vec<(u32, usize, ActivityEntry)>,
    /// Letters that cannot be read, by the names of their files; `None`: it can, or it is gone. Not
    /// in the journal.
    pub unreadable: Vec<(String, Option<UnreadableLetter>)>,
    /// How often the moderator's marks were made void, when they were once more.
    pub moderator_generation: Option<u32>,
    /// Whether the club's journal is written anew, without what was erased from members.
    pub rewrite_journal: bool,
    /// Whether this erases something: then the store's own file is to be written anew, too.
    pub erases_data: bool,
    /// When passes ran; not in the journal.
    pub heartbeat: Option<Heartbeat>,
    /// When the moderator's morning digest was last thought of; not in the journal.
    pub last_morning_digest: Option<DateTime<Utc>>,
    /// When the store was made anew from a journal; not in the journal.
    pub restored_at: Option<DateTime<Utc>>,
}

/// A game that was founded for a table of a campaign; each table has one game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CampaignGame {
    /// The campaign's name.
    pub campaign: String,
    /// The round, from 1.
    pub round: u32,
    /// The table, from 1.
    pub table: u32,
    /// The game's number.
    pub game: u32,
    /// The addresses of those for whom it was founded, by seat.
    pub players: Vec<String>,
}

/// A line of a game's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The game's number, from 1.
    pub game: u32,
    /// The line's place in the log, from 0.
    pub seq: u32,
    /// The line, without control characters: it is to stay one line in the journal.
    pub line: String,
}

/// What became of a letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenLetter {
    /// When it was processed.
    pub at: DateTime<Utc>,
    /// The game that it belonged to.
    pub game: Option<u32>,
    /// The line of the log that it led to.
    pub seq: Option<u32>,
}

/// A letter that lies there and cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadableLetter {
    /// When it was first found that it cannot be read.
    pub since: DateTime<Utc>,
    /// How often that was tried.
    pub tries: u32,
    /// When it is tried again.
    pub next: DateTime<Utc>,
    /// Where it lies.
    pub place: LetterOrigin,
}

/// Where a letter lies that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LetterOrigin {
    /// On the mail server that letters are fetched from.
    Server,
    /// In the inbox.
    Inbox,
}

/// A letter to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingLetter {
    /// The Message-ID that the letter bears whenever it is posted.
    pub message_id: String,
    /// The address that it goes to, as far as is known when it is queued.
    pub recipient: String,
    /// The news that it tells. It is put into words when the letter leaves.
    pub payload: Value,
    /// The reader, and how soon it leaves.
    pub label: Option<OutboxLabel>,
}

/// That a letter was posted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostRecord {
    /// When the letter was read.
    pub at: DateTime<Utc>,
    /// The letter.
    pub letter: PostedLetter,
}

/// The facts about a letter that was posted. Its Message-ID is its key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostedLetter {
    /// The member to whose first address it went; none if it went elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<u32>,
    /// Whether it was a probe.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub probe: bool,
    /// The seats that it told something: game, seat, and the last record that it knew before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "told")]
    pub shown_seats: Vec<(u32, Seat, u32)>,
}

/// A letter in the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedLetter {
    /// Its name in the outbox; later letters have higher keys.
    pub key: u64,
    /// How often it was postponed.
    pub attempts: u32,
    /// What is owed, and to which address.
    pub letter: OutgoingLetter,
}

impl Batch {
    /// Returns `true` if there is nothing to write.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds what a later one writes.
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
        self.answers.extend(later.answers);
        self.campaign_games.extend(later.campaign_games);
        self.clocks.extend(later.clocks);
        self.rooms.extend(later.rooms);
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

    /// Returns the numbers of the games that it changes.
    pub(super) fn changed_games(&self) -> BTreeSet<u32> {
        let lines = self.log_lines.iter().map(|line| line.game);
        let outlines = self.outlines.iter().map(|(game, _)| *game);
        let seats = self.seats.iter().map(|(game, ..)| *game);
        let due = self.due.iter().map(|(game, _)| *game);
        let clocks = self.clocks.iter().map(|(game, _)| *game);
        let rooms = self.rooms.iter().map(|(game, _)| *game);
        let minutes = self.activity.iter().map(|(game, _)| *game);
        let reworded = self.reworded_activity.iter().map(|(game, ..)| *game);
        let beside = lines.chain(outlines).chain(seats).chain(due);
        beside.chain(clocks).chain(rooms).chain(minutes).chain(reworded).collect()
    }

    /// Returns the rows that it changes.
    pub fn changed_rows(&self) -> BTreeSet<Row> {
        let mut rows: BTreeSet<Row> = self.changed_games().into_iter().map(Row::Game).collect();
        for member in &self.members {
            rows.insert(Row::Member(member.id));
            rows.extend(member.addresses.iter().cloned().map(Row::Address));
        }
        rows.extend(self.seats.iter().map(|(_, _, seated)| Row::MemberSeats(seated.member)));
        rows.extend(self.seen_letters.iter().map(|(digest, _)| Row::Letter(*digest)));
        rows.extend(self.seen_files.iter().map(|(name, _)| Row::File(name.clone())));
        rows.extend(self.answers.iter().map(|(account, _)| Row::Answers(account.clone())));
        rows.extend(self.campaign_games.iter().map(|game| Row::Campaign(game.campaign.clone())));
        let changes_club = !self.unreadable.is_empty()
            || self.moderator_generation.is_some()
            || self.heartbeat.is_some()
            || self.last_morning_digest.is_some()
            || self.restored_at.is_some();
        rows.extend(changes_club.then_some(Row::Club));
        rows
    }

    /// Refuses what the journal could not give back.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when a line is not one line.
    pub fn check_log_lines(&self) -> Result<(), StoreError> {
        match self.log_lines.iter().find(|line| line.line.contains(char::is_control)) {
            None => Ok(()),
            Some(LogLine { game, seq, .. }) => Err(StoreError::Damaged(format!(
                "game {game}: record {seq} holds a control character, so it is not one line; \
                 nothing was written. This is a fault of the program: please report it"
            ))),
        }
    }
}
