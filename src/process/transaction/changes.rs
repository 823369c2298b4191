//! The changes of a transaction, and how a letter's effect is added to them.

use super::Transaction;
use crate::club::{
    ActivityEntry, ActivityEvent, GameInfo, HintRequest, Member, NewsPreference, Notes,
    SeatAssignment, SeatNews,
};
use crate::mail::{LetterHash, PendingLetter};
use crate::process::game_faults::{FailedGameLetters, broken_game_report};
use crate::process::transaction::effect::{
    Acknowledgement, Disposition, FileOutcome, LetterEffect, MovedGame,
};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::rate_account::RateAccount;
use crate::rules::{Message, Seat, Turn};
use crate::store::{Batch, LetterReader, OutgoingLetter, Repository, SeenLetter, StoreError};
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, BTreeSet};

/// The changes of one transaction: its differences to the store, or to the transaction below a
/// savepoint.
#[derive(Default)]
pub(crate) struct Changes {
    /// The part of the store's batch for changes that have no field of their own here.
    pub(crate) batch: Batch,
    /// The files of the letters that were processed, each with its destination.
    pub(crate) dispositions: Vec<(PendingLetter, Disposition)>,
    /// Files whose letters an earlier commit had already processed.
    pub done_earlier: Vec<(PendingLetter, FileOutcome)>,
    /// The games that were opened, with the changes to them.
    pub games: BTreeMap<u32, GameSession>,
    /// The updates that each game's players will get.
    pub(crate) updates: BTreeMap<u32, PendingUpdates>,
    pub(crate) reports: Vec<Message>,
    pub game_infos: BTreeMap<u32, GameInfo>,
    pub members: BTreeMap<u32, Member>,
    pub(crate) recovered: BTreeMap<u32, RecoveredMember>,
    /// The new entries of each game's activity log.
    pub activity: BTreeMap<u32, Vec<ActivityEntry>>,
    /// The processed letters, by digest.
    pub(crate) seen_letters: BTreeMap<[u8; 16], SeenLetter>,
    /// New counts: for each counter key, the times in Unix seconds.
    pub counted: BTreeMap<String, Vec<i64>>,
}

impl Changes {
    /// Whether the transaction has anything to commit or merge. Games that were only opened do not
    /// count.
    pub(crate) fn has_anything_to_commit(&self) -> bool {
        !self.batch.is_empty()
            || !self.dispositions.is_empty()
            || !self.updates.is_empty()
            || !self.reports.is_empty()
            || !self.game_infos.is_empty()
            || !self.members.is_empty()
            || !self.activity.is_empty()
            || !self.seen_letters.is_empty()
            || !self.counted.is_empty()
    }

    /// Merges a savepoint's changes into these.
    pub(crate) fn merge(&mut self, savepoint: Self) {
        self.batch.extend(savepoint.batch);
        self.dispositions.extend(savepoint.dispositions);
        self.done_earlier.extend(savepoint.done_earlier);
        self.games.extend(savepoint.games);
        self.updates.extend(savepoint.updates);
        self.reports.extend(savepoint.reports);
        self.game_infos.extend(savepoint.game_infos);
        self.members.extend(savepoint.members);
        self.recovered.extend(savepoint.recovered);
        self.activity.extend(savepoint.activity);
        self.seen_letters.extend(savepoint.seen_letters);
        for (what, times) in savepoint.counted {
            self.counted.entry(what).or_default().extend(times);
        }
    }

    /// Moves all changes into the batch that the store will write, including those of the open
    /// games.
    pub(crate) fn collect_into_batch(&mut self, store: &dyn Repository) -> Result<(), StoreError> {
        let batch = &mut self.batch;
        for session in self.games.values() {
            session.add_to_batch(batch);
        }
        for (game, info) in std::mem::take(&mut self.game_infos) {
            if store.game_info(game)? != info {
                batch.game_infos.push((game, info));
            }
        }
        batch.members.extend(std::mem::take(&mut self.members).into_values());
        for (game, entries) in std::mem::take(&mut self.activity) {
            batch.activity.extend(entries.into_iter().map(|entry| (game, entry)));
        }
        batch.seen_letters.extend(std::mem::take(&mut self.seen_letters));
        for (what, times) in std::mem::take(&mut self.counted) {
            batch.counted_events.extend(times.into_iter().map(|at| (what.clone(), at)));
        }
        for (file, disposition) in &self.dispositions {
            batch
                .seen_files
                .push((file.name.clone(), FileOutcome::new(file, disposition).to_text()));
        }
        Ok(())
    }
}

/// A member whose mail bounced and who is reachable again. The commit queues the news that they
/// missed.
#[derive(Clone)]
pub(crate) struct RecoveredMember {
    /// The part of the Message-ID that differs between the letters with missed news.
    pub id_digest: String,
    /// When the member became undeliverable.
    pub undeliverable_since: Option<DateTime<Utc>>,
    /// The last seen record of each of the member's seats: game, seat, record.
    pub last_seen_record: Vec<(u32, Seat, u32)>,
}

/// The updates that the players of a game will get because of one transaction.
#[derive(Clone, Default)]
pub(crate) struct PendingUpdates {
    /// The outcome of the letters that each seat's player wrote.
    pub(crate) acknowledgements: BTreeMap<Seat, Acknowledgement>,
    /// The file names of the letters that moved the game.
    pub(crate) letter_files: Vec<String>,
    /// Notes to seats about interventions and votes.
    pub notes: Vec<(Seat, Message)>,
    /// Players' messages, once for each seat that may read them.
    pub talk: Vec<(Seat, ActivityEntry)>,
    /// The seats that are asked to vote in a letter at once.
    pub asked_to_vote: BTreeSet<Seat>,
    /// The seats whose notes leave at once, even if their players want few letters.
    pub(crate) urgent_seats: BTreeSet<Seat>,
}

/// The updates of one transaction for one seat, from which a letter is made.
pub(crate) struct PendingSeatUpdate<'a> {
    /// The outcome of the letters that the seat's player wrote.
    pub(crate) acknowledgement: Option<&'a Acknowledgement>,
    /// The notes about interventions and votes, and remarks that have no other place.
    pub notes: Vec<Message>,
    /// The messages that the seat may read.
    pub talk: Vec<ActivityEntry>,
}

impl PendingSeatUpdate<'_> {
    /// Returns a digest for the Message-ID of a letter that answers none. It is computed only from
    /// what the reader sees, so it does not reveal an anonymous speaker.
    pub(crate) fn message_id_digest(&self, now: DateTime<Utc>, news: &[SeatNews]) -> LetterHash {
        let text = |entry: &ActivityEntry| match &entry.event {
            ActivityEvent::Said { text, .. } => text.clone(),
            _ => String::new(),
        };
        let said: Vec<String> = self.talk.iter().map(text).collect();
        let news = if news.is_empty() { String::new() } else { format!(" {news:?}") };
        LetterHash::compute(format!("{now} {:?} {said:?}{news}", self.notes).as_bytes())
    }
}

impl PendingUpdates {
    /// Whether there is an update for this seat besides the game's own moves.
    pub(crate) fn has_extra_update_for(&self, seat: Seat) -> bool {
        self.acknowledgements.contains_key(&seat)
            || self.notes.iter().any(|(to, _)| *to == seat)
            || self.talk.iter().any(|(to, _)| *to == seat)
            || self.asked_to_vote.contains(&seat)
    }

    /// Whether a seat gets a letter now.
    ///
    /// A player who wants letters only for their turns gets one if it is their turn or the game is
    /// over. They also get one for an outcome of their own letter, a vote, an urgent note or a
    /// private message.
    pub(crate) fn should_write_to(&self, session: &GameSession, seat: Seat) -> bool {
        if session.wants_letter_about_move(seat) || !self.has_extra_update_for(seat) {
            return session.wants_letter_about_move(seat);
        }
        let turn = session.table.turn();
        !session.wants_turns_only(seat)
            || turn == Turn::Over
            || turn.awaits(seat)
            || self.acknowledgements.contains_key(&seat)
            || self.asked_to_vote.contains(&seat)
            || self.urgent_seats.contains(&seat) && self.notes.iter().any(|(to, _)| *to == seat)
            || self.talk.iter().any(|(to, entry)| *to == seat && entry.is_private())
    }

    pub(crate) fn for_seat(&self, seat: Seat) -> PendingSeatUpdate<'_> {
        let own = self.acknowledgements.get(&seat);
        let mut notes = items_for_seat(&self.notes, seat);
        notes.dedup();
        // A letter without orders or plans has no other place for remarks.
        if let Some(own) = own
            && !own.has_orders
            && own.lines.is_empty()
        {
            notes.extend(own.remarks.iter().cloned());
        }
        PendingSeatUpdate { acknowledgement: own, notes, talk: items_for_seat(&self.talk, seat) }
    }
}

fn items_for_seat<T: Clone>(list: &[(Seat, T)], seat: Seat) -> Vec<T> {
    list.iter().filter(|(to, _)| *to == seat).map(|(_, what)| what.clone()).collect()
}

impl MovedGame {
    pub(crate) const fn has_orders_or_plans(&self) -> bool {
        !self.acknowledgement.lines.is_empty()
    }
}

impl Transaction<'_> {
    /// Adds the effect of a letter to the transaction.
    pub(crate) fn apply_effect(&mut self, file: PendingLetter, effect: LetterEffect) {
        let (name, received) = (file.name.clone(), file.received);
        let of_member = effect.summarize();
        self.changes.dispositions.push((file, effect.disposition));
        self.changes.reports.extend(effect.report);
        self.apply_letter_settings(effect.member, effect.notes, effect.news_wish);
        self.note_hint_request(effect.hint);
        if let Some((digest, seen)) = effect.seen_letter {
            self.mark_as_processed(digest, SeenLetter { of_member, ..seen });
        }
        if let Some(mut moved) = effect.moved_game {
            moved.acknowledgement.received_at = received;
            self.apply_letter_to_game(name, moved);
        }
        effect.counted_keys.into_iter().for_each(|what| self.increment_count(what));
        for answer in effect.answer.into_iter().chain(effect.other_letters) {
            self.queue_letter(answer.letter, &answer.account);
            if let Some((game, seat)) = answer.updated_seat
                && let Some(session) = self.opened_game_mut(game)
            {
                session.mark_seen(seat);
                // The answer has already asked the seat to vote.
                if let Some(updates) = self.pending_updates_if_any_mut(game) {
                    updates.asked_to_vote.remove(&seat);
                }
            }
        }
    }

    /// Notes that a player asks for a hint, and makes the game due. A seat has one open request, so
    /// a second letter replaces the first.
    fn note_hint_request(&mut self, asked: Option<(u32, Seat, HintRequest)>) {
        let Some((game, seat, asked)) = asked else { return };
        let session = self.opened_game_mut(game);
        if let Some((seated, _)) = session.and_then(|it| it.seats.get_mut(seat.index())) {
            seated.hint.asked = Some(asked);
            self.pending_updates_mut(game);
        }
    }

    /// Applies the settings that a letter changes: the member, the seat's notes, and which news of
    /// a game the seat wants letters about.
    pub(crate) fn apply_letter_settings(
        &mut self,
        member: Option<Member>,
        notes: Option<(u32, Seat, Notes)>,
        wish: Option<(u32, Seat, Option<NewsPreference>)>,
    ) {
        if let Some(member) = member {
            self.update_member(member);
        }
        if let Some((game, seat, notes)) = notes
            && let Some(session) = self.opened_game_mut(game)
        {
            session.set_notes(seat, notes);
        }
        if let Some((game, seat, wish)) = wish
            && let Some(session) = self.opened_game_mut(game)
        {
            session.set_news_preference(seat, wish);
        }
    }

    /// Notes that an earlier commit processed this file's letter, so that the file is only moved.
    pub(crate) fn add_file_processed_earlier(&mut self, file: PendingLetter, fate: FileOutcome) {
        self.changes.done_earlier.push((file, fate));
    }

    /// Returns the files of the letters that this transaction and those below it have processed,
    /// each with its destination.
    pub(crate) fn dispositions(&self) -> impl Iterator<Item = &(PendingLetter, Disposition)> {
        self.changes_by_layer().flat_map(|layer| &layer.dispositions)
    }

    /// Queues a letter, charges it to a rate account, and gives it the account's priority.
    pub(crate) fn queue_letter(&mut self, mut letter: OutgoingLetter, account: &RateAccount) {
        if let Some(label) = &mut letter.label {
            label.priority = account.send_priority();
        }
        self.changes.batch.outgoing.push(letter);
        self.increment_count(account.store_key());
    }

    fn apply_letter_to_game(&mut self, file: String, moved: MovedGame) {
        let game = moved.table.founding().number;
        let updates = self.pending_updates_mut(game);
        updates.letter_files.push(file);
        updates.acknowledgements.entry(moved.seat).or_default().merge(moved.acknowledgement);
        let mut finished = None;
        if let Some(session) = self.opened_game_mut(game) {
            let has_moved = session.table.last_record_number() < moved.table.last_record_number();
            session.table = moved.table;
            let is_done = has_moved && !session.table.turn().awaits(moved.seat);
            if let Some((seated, member)) = session.seats.get_mut(moved.seat.index()) {
                seated.queued_orders = moved.plans;
                finished = Some(member.clone()).filter(|_| is_done);
            }
        }
        // A newcomer who has finished a turn has proven to be a player, so the limit on invitations
        // ends.
        if let Some(member) = finished.filter(|member| member.invitations_left.is_some()) {
            self.update_member(Member { invitations_left: None, ..member });
        }
        self.add_press_entries(game, moved.seat, moved.talk);
    }

    /// Erases the private data of a seat's player, and makes the seat's reply tokens invalid.
    pub(crate) fn erase_seat_data_and_tokens(&mut self, game: u32, seat: Seat) {
        let session = self.opened_game_mut(game);
        let place = session.and_then(|session| session.seats.get_mut(seat.index()));
        if let Some((seated, _)) = place {
            seated.clear_private_data();
            seated.token_generation = seated.token_generation.saturating_add(1);
        }
    }

    /// Whether this transaction leads to a letter about this game to this seat. Private messages to
    /// other seats do not count.
    pub(crate) fn has_letter_for(&self, game: u32, seat: Seat) -> bool {
        let place = self.opened_game(game).zip(self.pending_updates(game));
        place.is_some_and(|(session, updates)| updates.should_write_to(session, seat))
    }

    /// Returns the seats that a member has now, without those that they have left.
    pub(crate) fn seats_not_left(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        let mut current = Vec::new();
        for (game, seat) in self.member_seats(member)? {
            let sits = |seated: &SeatAssignment| seated.member == member && !seated.has_left;
            if self.seat_assignments(game)?.get(seat.index()).is_some_and(sits) {
                current.push((game, seat));
            }
        }
        Ok(current)
    }

    /// Readdresses queued letters to members who leave the club: from the member to the member's
    /// address. The member no longer exists when the letters leave.
    pub(crate) fn readdress_letters_to_leavers(&mut self) {
        let left = self.changed_members().into_iter().filter(Member::has_left);
        let left: Vec<u32> = left.map(|member| member.id).collect();
        let labels =
            self.changes.batch.outgoing.iter_mut().filter_map(|letter| letter.label.as_mut());
        for label in labels {
            if matches!(&label.reader, LetterReader::Member(id) if left.contains(id)) {
                label.reader = LetterReader::Address;
            }
        }
    }

    /// Drops the changes of a game that failed, and quarantines the letters that moved it. Returns
    /// these letters.
    pub(crate) fn drop_and_quarantine_failed_game(
        &mut self,
        game: u32,
        why: &Message,
    ) -> FailedGameLetters {
        let files = self
            .changes
            .updates
            .remove(&game)
            .map(|PendingUpdates { letter_files: files, .. }| files);
        let files = files.unwrap_or_default();
        for (file, disposition) in &mut self.changes.dispositions {
            if files.contains(&file.name) {
                *disposition = Disposition::Quarantined(why.clone());
            }
        }
        self.changes.games.remove(&game);
        self.changes.game_infos.remove(&game);
        self.changes.activity.remove(&game);
        self.changes.seen_letters.retain(|_, seen| seen.game != Some(game));
        self.report_broken_game(game, why);
        files.into_iter().map(|file| (file, (game, why.clone()))).collect()
    }

    /// Reports to the moderator that a game cannot continue.
    pub(crate) fn report_broken_game(&mut self, game: u32, why: &Message) {
        self.report_to_moderator(broken_game_report(game, why.clone()));
    }
}

impl Transaction<'_> {
    /// Adds the messages of a seat's letter. Each goes to all seats that may read it, including the
    /// writer. They count as one letter against the seat's limit.
    pub(crate) fn add_press_entries(&mut self, game: u32, from: Seat, talk: Vec<ActivityEntry>) {
        if talk.is_empty() {
            return;
        }
        let seats = self.opened_game(game).map_or(0, |session| session.table.founding().seats);
        let updates = self.pending_updates_mut(game);
        for entry in &talk {
            let readers = Seat::all(seats).filter(|seat| entry.is_visible_to(*seat));
            updates.talk.extend(readers.map(|seat| (seat, entry.clone())));
        }
        updates.notes.push((from, Message::new("talk-said")));
        self.new_activity_mut(game).extend(talk);
        self.increment_count(talk_count_key(game, from));
    }

    /// Removes the new private messages to a seat's previous player, because the successor may not
    /// read them. Notifies their writers.
    pub(crate) fn withdraw_private_talk(&mut self, game: u32, seat: Seat, name: &str) {
        if let Some(updates) = self.pending_updates_if_any_mut(game) {
            updates.withdraw_private_talk(seat, name);
            let activity = self.new_activity_mut(game);
            let entries = std::mem::take(activity).into_iter();
            *activity = entries.filter_map(|minute| minute.remove_recipient(seat)).collect();
        }
    }
}

impl PendingUpdates {
    fn withdraw_private_talk(&mut self, seat: Seat, name: &str) {
        let writes = |reader: Seat, entry: &ActivityEntry| {
            matches!(&entry.event, ActivityEvent::Said { from, to, .. }
                if *from == reader && reader != seat && to.contains(&seat))
        };
        let own = self.talk.iter().filter(|(reader, entry)| writes(*reader, entry));
        let writers: BTreeSet<Seat> = own.map(|(reader, _)| *reader).collect();
        let talk = std::mem::take(&mut self.talk).into_iter();
        let talk = talk.filter(|(reader, entry)| *reader != seat || !entry.is_private());
        let left =
            |(reader, entry): (Seat, ActivityEntry)| Some((reader, entry.remove_recipient(seat)?));
        self.talk = talk.filter_map(left).collect();
        // Otherwise the notes would show the successor that the previous player spoke anonymously.
        self.notes.retain(|(to, note)| *to != seat || !note.key.starts_with("talk-"));
        for writer in writers {
            let says = |(_, entry): &(Seat, ActivityEntry)| entry.is_said_by(writer);
            if !self.talk.iter().any(says) {
                self.notes.retain(|(to, note)| *to != writer || note.key != "talk-said");
            }
            self.notes.push((writer, Message::new("talk-lost").with("name", name)));
        }
    }
}

/// Returns the store's counter key for the letters of a seat with messages. It cannot collide with
/// an address, because each address contains an @.
pub(crate) fn talk_count_key(game: u32, seat: Seat) -> String {
    format!("press {game}.{seat}")
}
