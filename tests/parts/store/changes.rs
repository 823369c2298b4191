//! Random batches of all kinds of changes, and all queries that a store answers.

use chrono::{DateTime, Utc};
use postrider::club::clock::{ClockRules, Deadline, GameClock, Heartbeat, Length};
use postrider::club::{ActivityEntry, ActivityEvent, GameInfo, Member, SeatAssignment};
use postrider::rules::{Seat, Turn};
use postrider::store::{
    Batch, CampaignGame, GameStore, HoldPeriod, LetterOrigin, LetterReader, LetterResult, LogLine,
    MemberLetter, OutboxLabel, OutgoingLetter, PostRecord, PostedLetter, Repository, SeenLetter,
    SendPriority, UnreadableLetter,
};
use postrider::table::Outline;
use proptest::prelude::*;
use std::fmt::Debug;

/// One random change. The numbers are small, so that changes affect the same rows.
#[derive(Clone, Debug)]
pub enum Change {
    Line(u32, u32, String),
    Outline(u32, u32),
    Member(u32, u8),
    Seat(u32, u8, u32),
    Seen(u8, i64),
    File(u8, String),
    Letter(u8, usize, bool),
    Sent(u64),
    Postponed(u64, i64),
    Settled(u64, usize),
    Posted(u8, i64),
    Due(u32, Option<i64>),
    Answer(u8, i64),
    Campaign(u8, u32, u32),
    Clock(u32, u32),
    GameRoom(u32, Vec<u32>),
    ActivityEntry(u32, String),
    Unread(u8, Option<i64>),
    Moderator(u32),
    Heartbeat(i64),
    Morning(i64),
    Restored(i64),
}

pub fn any_change() -> impl Strategy<Value = Change> {
    let (time, day) = (|| -50_i64..50, || 0..4_i64);
    let of_games = prop_oneof![
        // One line in nine is written to a wrong place of the log.
        8 => (1..4_u32, "[a-zé]{0,9}").prop_map(|(game, line)| Change::Line(game, 0, line)),
        1 => (1..4_u32, 1..3_u32).prop_map(|(game, off)| Change::Line(game, off, "x".into())),
        // The outline may be of the current log, or of a log that is one record shorter.
        3 => (1..4_u32, 0..2_u32).prop_map(|(game, short)| Change::Outline(game, short)),
        4 => (1..4_u32, 1..4_u8, 1..4_u32).prop_map(|(g, seat, id)| Change::Seat(g, seat, id)),
        4 => (1..4_u32, proptest::option::of(time())).prop_map(|(g, due)| Change::Due(g, due)),
        2 => (1..4_u32, 0..9_u32).prop_map(|(game, misses)| Change::Clock(game, misses)),
        2 => (1..5_u32, 0..3_usize).prop_map(|(g, n)| Change::GameRoom(g, vec![7; n * 2_000])),
        2 => (1..4_u32, "[a-z]{0,4}").prop_map(|(game, text)| Change::ActivityEntry(game, text)),
        2 => (0..2_u8, 1..3_u32, 1..4_u32).prop_map(|(c, t, g)| Change::Campaign(c, t, g)),
    ];
    let of_letters = prop_oneof![
        4 => (any::<u8>(), 0..13_000_usize, any::<bool>())
            .prop_map(|(byte, length, owed)| Change::Letter(byte, length, owed)),
        2 => (1..9_u64).prop_map(Change::Sent),
        1 => (1..9_u64, time()).prop_map(|(key, until)| Change::Postponed(key, until)),
        1 => (1..9_u64, day()).prop_map(|(key, days)| Change::Postponed(key, days * 86_400)),
        1 => (1..9_u64, 0..13_000_usize)
            .prop_map(|(key, length)| Change::Settled(key, length)),
        1 => (0..3_u8, day()).prop_map(|(id, days)| Change::Posted(id, days * 86_400 + 9)),
        2 => (0..4_u8, time()).prop_map(|(digest, at)| Change::Seen(digest, at)),
        2 => (0..4_u8, "[a-z]{0,4}").prop_map(|(name, fate)| Change::File(name, fate)),
        2 => (0..3_u8, time()).prop_map(|(address, at)| Change::Answer(address, at)),
        1 => (0..3_u8, proptest::option::of(time())).prop_map(|(n, at)| Change::Unread(n, at)),
    ];
    let of_the_house = prop_oneof![
        (1..4_u32).prop_map(Change::Moderator),
        time().prop_map(Change::Heartbeat),
        time().prop_map(Change::Morning),
        time().prop_map(Change::Restored),
    ];
    let of_members = (1..4_u32, 0..4_u8).prop_map(|(id, home)| Change::Member(id, home));
    prop_oneof![8 => of_games, 6 => of_letters, 1 => of_the_house, 2 => of_members]
}

pub fn time_at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap()
}

/// Returns a log line for the place that is `off` behind the next free one of its game.
fn log_line(
    store: &dyn Repository,
    batch: &Batch,
    (game, off): (u32, u32),
    line: String,
) -> LogLine {
    let fresh = batch.log_lines.iter().filter(|line| line.game == game).count();
    let seq = store.log_length(game).unwrap() + fresh as u32 + off;
    LogLine { game, seq, line }
}

fn outgoing_letter(byte: u8, length: usize, labelled: bool) -> OutgoingLetter {
    let (class, reader) = (SendPriority::Game, LetterReader::Moderator);
    OutgoingLetter {
        message_id: format!("{byte}.{length}"),
        recipient: format!("{byte}@x.org"),
        payload: serde_json::json!({ "told": "x".repeat(length), "by": byte }),
        label: labelled.then(|| OutboxLabel {
            priority: class,
            reader,
            written: time_at(5),
            mergeable: byte.is_multiple_of(2),
            hold: byte.is_multiple_of(4).then(|| HoldPeriod { since: time_at(4), until: None }),
        }),
    }
}

fn game_clock(misses: u32) -> GameClock {
    let rules = ClockRules::with_deadline(Deadline::After(Length::Days(3)));
    let mut clock = GameClock::new(rules);
    clock.misses = vec![misses];
    clock
}

/// Builds a batch from changes. Lowers numbers of new games and members to the next free one, so
/// that no number is skipped.
pub fn build_batch(store: &dyn Repository, mut changes: Vec<Change>) -> Batch {
    let (games, members) = (store.next_game_number().unwrap(), store.next_member_number().unwrap());
    for change in &mut changes {
        match change {
            Change::Line(game, ..)
            | Change::Outline(game, _)
            | Change::Seat(game, ..)
            | Change::Due(game, _)
            | Change::Clock(game, _)
            | Change::GameRoom(game, _)
            | Change::ActivityEntry(game, _) => *game = games.min(*game),
            Change::Member(member, _) => *member = members.min(*member),
            _ => {}
        }
    }
    let mut batch = Batch::default();
    changes.into_iter().for_each(|change| add_game_change(store, change, &mut batch));
    batch
}

fn add_game_change(store: &dyn Repository, change: Change, batch: &mut Batch) {
    match change {
        Change::Line(game, off, text) => {
            let line = log_line(store, batch, (game, off), text);
            batch.log_lines.push(line);
        }
        Change::Outline(game, short) => {
            let next = log_line(store, batch, (game, 0), String::new()).seq;
            let turn = Turn::Awaiting(vec![Seat::new(1)]);
            let head = next.saturating_sub(1 + short);
            let (of, first) = ("high-card".to_owned(), Vec::new());
            batch
                .outlines
                .push((game, Outline { game: of, head, at: time_at(3), turn, winners: first }));
        }
        Change::Seat(game, seat, member) => {
            let seated = SeatAssignment {
                member,
                token_generation: 1,
                last_seen_seq: 2,
                ..SeatAssignment::default()
            };
            batch.seats.push((game, Seat::new(seat), seated));
        }
        Change::Due(game, due) => batch.due.push((game, due.map(time_at))),
        Change::Clock(game, misses) => batch.clocks.push((game, game_clock(misses))),
        Change::GameRoom(game, observers) => {
            batch.game_infos.push((game, GameInfo { observers, ..GameInfo::default() }));
        }
        Change::ActivityEntry(game, text) => {
            let entry = ActivityEntry { at: time_at(7), event: ActivityEvent::Noted { text } };
            batch.activity.push((game, entry));
        }
        Change::Campaign(name, table, game) => batch.campaign_games.push(CampaignGame {
            campaign: name.to_string(),
            round: 1,
            table,
            game,
            players: vec!["a@x.org".to_owned()],
        }),
        other => add_letter_change(other, batch),
    }
}

fn add_letter_change(change: Change, batch: &mut Batch) {
    match change {
        Change::Letter(byte, length, owed) => {
            batch.outgoing.push(outgoing_letter(byte, length, owed));
        }
        Change::Sent(key) => batch.sent.push(key),
        Change::Postponed(key, until) => batch.postponed.push((key, time_at(until))),
        Change::Settled(key, length) => {
            batch.replaced.push((key, outgoing_letter(7, length, true)));
        }
        Change::Posted(id, seconds) => {
            let shown_seats = vec![(7, Seat::new(id + 1), 3); id.into()];
            let letter = PostedLetter { member: Some(id.into()), probe: id % 2 == 0, shown_seats };
            batch.posted.push((id.to_string(), PostRecord { at: time_at(seconds), letter }));
        }
        Change::Seen(digest, seconds) => {
            let own = MemberLetter {
                member: u32::from(digest % 2),
                result: LetterResult::Said,
                answer: Some(format!("{seconds}@example.org")),
            };
            let of_member = (digest % 3 > 0).then_some(own);
            let seen = SeenLetter { at: time_at(seconds), game: Some(1), seq: None, of_member };
            batch.seen_letters.push(([digest; 16], seen));
        }
        Change::File(name, disposition) => batch.seen_files.push((name.to_string(), disposition)),
        Change::Answer(address, seconds) => {
            batch.counted_events.push((address.to_string(), seconds));
        }
        Change::Unread(name, since) => {
            let unread = |since| UnreadableLetter {
                since,
                tries: 1,
                next: since,
                place: LetterOrigin::Inbox,
            };
            batch.unreadable.push((name.to_string(), since.map(time_at).map(unread)));
        }
        other => add_club_change(&other, batch),
    }
}

fn add_club_change(change: &Change, batch: &mut Batch) {
    match change {
        Change::Member(id, home) => {
            // The first address is the member's own. The second one may be claimed by other
            // members.
            let addresses = vec![format!("{id}@x.org"), format!("{home}@home.org")];
            let (name, language) = (format!("m{home}"), "en".to_owned());
            batch.members.push(Member { id: *id, name, addresses, language, ..Member::default() });
        }
        Change::Moderator(marks) => batch.moderator_generation = Some(*marks),
        Change::Heartbeat(seconds) => {
            batch.heartbeat = Some(Heartbeat::from_first_pass(time_at(*seconds)));
        }
        Change::Morning(seconds) => batch.last_morning_digest = Some(time_at(*seconds)),
        Change::Restored(seconds) => batch.restored_at = Some(time_at(*seconds)),
        _ => {}
    }
}

/// A query of a store, with the answer as text.
type Question = Box<dyn Fn(&dyn Repository) -> String>;

fn boxed_question<T: Debug>(question: impl Fn(&dyn Repository) -> T + 'static) -> Question {
    Box::new(move |store| format!("{:?}", question(store)))
}

/// Returns all queries on which decisions may depend, for all numbers that changes can use and one
/// more.
pub fn all_questions() -> Vec<Question> {
    let mut all = vec![
        boxed_question(|store| store.game_numbers()),
        boxed_question(|store| store.facts_of_games(1..3)),
        boxed_question(|store| store.facts_of_games(3..9)),
        boxed_question(|store| store.next_game_number()),
        boxed_question(|store| store.members()),
        boxed_question(|store| store.next_member_number()),
        boxed_question(|store| store.game_infos()),
        boxed_question(|store| store.clocks()),
        boxed_question(|store| store.unreadable_letters()),
        boxed_question(|store| store.moderator_generation()),
        boxed_question(|store| store.heartbeat()),
        boxed_question(|store| store.last_morning_digest()),
        boxed_question(|store| store.restored_at()),
    ];
    for n in 1..=5_u32 {
        all.push(boxed_question(move |store| store.game_log_lines(n)));
        all.push(boxed_question(move |store| store.log_length(n)));
        all.push(boxed_question(move |store| store.game_facts(n)));
        all.push(boxed_question(move |store| store.member(n)));
        all.push(boxed_question(move |store| store.member_by_address(&format!("{n}@x.org"))));
        all.push(boxed_question(move |store| store.seat_assignments(n)));
        all.push(boxed_question(move |store| store.member_seats(n)));
        all.push(boxed_question(move |store| store.game_info(n)));
        all.push(boxed_question(move |store| store.activity_log(n)));
        all.push(boxed_question(move |store| store.clock(n)));
        all.push(boxed_question(move |store| store.due_time(n)));
    }
    for n in 0..=4_u8 {
        all.push(boxed_question(move |store| store.member_by_address(&format!("{n}@home.org"))));
        all.push(boxed_question(move |store| store.campaign_games(&n.to_string())));
        all.push(boxed_question(move |store| store.letter_outcome(&[n; 16])));
        all.push(boxed_question(move |store| store.file_outcome_text(&n.to_string())));
        for since in [-60, 0, 7] {
            all.push(boxed_question(move |store| store.event_times_since(&n.to_string(), since)));
        }
    }
    all
}

/// Returns the answers about due games, posted letters, members' letters and the outbox, on which
/// no commit depends.
pub fn query_due_and_outbox(store: &dyn GameStore) -> Vec<String> {
    let due = [-51, 0, 50].map(|now| store.due_games(time_at(now)));
    let outbox = [-51, 0, 50, 100_000, 300_000].map(|now| {
        (
            store.list_sendable(time_at(now)),
            store.load_sendable(time_at(now), 3),
            store.load_sendable(time_at(now), usize::MAX),
        )
    });
    let posted = (0..=4).flat_map(|n| [9, 86_400, 400_000].map(|until| (n.to_string(), until)));
    let posted =
        posted.map(|(id, until)| store.post_record(&id, time_at(until - 100_000), time_at(until)));
    let posted: Vec<_> = posted.collect();
    let letters: Vec<_> = (0..=2).map(|member| store.letters_of_member(member)).collect();
    let by_key = (0..20).map(|key| format!("{:?}", store.queued_letter(key)));
    let rest = [
        format!("{due:?} {:?} {:?} {posted:?}", store.next_due_time(), store.has_ever_had_clock()),
        format!("{outbox:?} {letters:?}"),
        format!("{:?} {:?}", store.outbox_length(), store.failed_deliveries()),
    ];
    by_key.chain(rest).collect()
}

/// Returns the answers to all queries.
pub fn query_everything(store: &dyn GameStore) -> Vec<String> {
    let answers = all_questions().into_iter().map(|question| question(store));
    answers.chain(query_due_and_outbox(store)).collect()
}
