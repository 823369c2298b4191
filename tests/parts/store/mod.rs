//! Tests of the contract of a store ([`GameStore`]), run against every store: sled on disk,
//! PostgreSQL if there is a server, and [`Memory`]. The store in memory is simple enough to be
//! checked by reading. All stores must answer alike after any changes.

mod changes;
pub mod memory;
#[cfg(feature = "postgres")]
mod postgres_store;
mod removal;
pub mod server;

use changes::{Change, all_questions, any_change, build_batch, query_everything, time_at};
use memory::Memory;
use postrider::club::{GameInfo, Member, SeatAssignment};
use postrider::rules::Seat;
use postrider::store::{
    Batch, GameStore, LogLine, OutgoingLetter, Remedy, Repository, Row, Store, StoreError,
    TrackedStore, journal,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

/// Runs a test on an empty store of each kind.
fn for_each_store(test: impl Fn(&dyn GameStore)) {
    let folder = postrider::testing::create_folder();
    test(&Store::open(&folder.path().join("store")).unwrap());
    test(&Memory::default());
    #[cfg(feature = "postgres")]
    if let Some(schema) = server::Schema::new() {
        test(&schema.store("club"));
    }
}

/// Asserts that a store, reopened now and then, answers like the store in memory. Its journal and a
/// complete export must agree too.
fn assert_reads_as_committed<S: GameStore>(
    open: impl Fn() -> S,
    batches: Vec<Vec<Change>>,
) -> Result<(), TestCaseError> {
    let folder = postrider::testing::create_folder();
    let (mut store, memory) = (open(), Memory::default());
    let journal_folder = folder.path().join("journal");
    for (at, changes) in batches.into_iter().enumerate() {
        let batch = build_batch(&memory, changes);
        let (kept, known) = (
            store.write_without_conflict_check(&batch),
            memory.write_without_conflict_check(&batch),
        );
        prop_assert_eq!(format!("{kept:?}"), format!("{known:?}"));
        if at % 3 == 1 {
            store.update_journal(&journal_folder).unwrap();
            drop(store);
            store = open();
        }
        prop_assert_eq!(query_everything(&store), query_everything(&memory));
    }
    store.update_journal(&journal_folder).unwrap();
    if journal_folder.exists() {
        assert_journal_matches(&journal_folder, &memory);
    }
    let whole = folder.path().join("whole");
    journal::write_full_journal(&store, &whole).unwrap();
    assert_journal_matches(&whole, &memory);
    Ok(())
}

/// Asserts that a journal has the contents of the store in memory.
fn assert_journal_matches(journal_folder: &Path, memory: &Memory) {
    let found = journal::read_journal(journal_folder).unwrap();
    let games = memory.game_numbers().unwrap().into_iter();
    assert!(found.games.keys().copied().eq(games));
    for (game, lines) in found.games {
        let log = journal::read_journaled_log(journal_folder, game).unwrap();
        assert_eq!((lines as usize, &log), (log.len(), &memory.game_log_lines(game).unwrap()));
    }
    assert!(found.members.into_values().eq(memory.members().unwrap()));
    assert_eq!(found.moderator.unwrap_or(0), memory.moderator_generation().unwrap());
    assert!(found.clocks.into_iter().eq(memory.clocks().unwrap()));
    assert!(found.rooms.into_iter().eq(memory.game_infos().unwrap()));
    let seats = (1..5).flat_map(|game| memory.seat_assignments(game).unwrap());
    assert!(found.seats.into_values().eq(seats));
    let activity =
        |game| memory.activity_log(game).unwrap().into_iter().map(move |entry| (game, entry));
    assert!((1..5).flat_map(activity).eq(found.activity.into_iter().filter(|(game, _)| *game < 5)));
    for (digest, seen) in found.seen_letters {
        assert_eq!(memory.letter_outcome(&digest).unwrap(), Some(seen));
    }
}

fn log_line(game: u32, seq: u32, line: &str) -> LogLine {
    LogLine { game, seq, line: line.to_owned() }
}

fn outgoing_letter(name: &str) -> OutgoingLetter {
    OutgoingLetter {
        message_id: name.to_owned(),
        recipient: format!("{name}@x.org"),
        payload: name.repeat(9_000 / name.len()).into(),
        label: None,
    }
}

fn test_member(id: u32, addresses: &[&str]) -> Member {
    let addresses = addresses.iter().map(|&address| address.to_owned()).collect();
    Member { id, name: "Ann".to_owned(), addresses, ..Member::default() }
}

fn answer_batch(account: &str) -> Batch {
    Batch { counted_events: vec![(account.to_owned(), 1)], ..Batch::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// This holds after the store was closed and reopened, and for its journal.
    #[test]
    fn committed_batches_are_read_back(batches in vec(vec(any_change(), 0..12), 1..12)) {
        let folder = postrider::testing::create_folder();
        assert_reads_as_committed(|| Store::open(&folder.path().join("store")).unwrap(), batches)?;
    }

    #[cfg(feature = "postgres")]
    #[test]
    #[ignore = "needs a database server, see tests/postgres/run"]
    fn server_reads_back_committed_batches(
        batches in vec(vec(any_change(), 0..12), 1..12),
    ) {
        let schema = server::Schema::needed();
        assert_reads_as_committed(|| schema.store("club"), batches)?;
    }

    /// A decision that read a changed row must conflict and write nothing. A decision that read
    /// only unchanged rows must not conflict.
    #[test]
    fn commit_based_on_changed_rows_conflicts(
        before in vec(any_change(), 0..20),
        meanwhile in vec(any_change(), 1..4),
    ) {
        for_each_store(|store| {
            let _ = store.write_without_conflict_check(&build_batch(store, before.clone()));
            let asked = all_questions().into_iter().map(|question| {
                let tracked = TrackedStore::new(store);
                (question(&tracked), question, tracked)
            });
            let asked: Vec<_> = asked.collect();
            let batch = build_batch(store, meanwhile.clone());
            let written = store.write_without_conflict_check(&batch);
            let changed = written.map_or(BTreeSet::new(), |()| batch.changed_rows());
            let whole = query_everything(store);
            for (before, question, tracked) in asked {
                let moved = tracked.read_set().find_changed(|row| store.revision(row)).unwrap();
                assert!(question(store) == before || moved.is_some(), "{before}: unnoticed");
                let Some(moved) = moved else { continue };
                assert!(changed.contains(&moved), "{moved}");
                let decision = answer_batch("a decision");
                let refused = store.commit(&decision, tracked.read_set()).unwrap_err();
                assert!(matches!(refused, StoreError::Conflict(row) if row == moved));
            }
            assert_eq!(query_everything(store), whole);
        });
    }
}

/// Returns the batch that an order letter of game `n` leads to.
#[cfg(feature = "postgres")]
fn game_batch(n: u32, seq: u32) -> Batch {
    use postrider::store::{PostRecord, PostedLetter, SeenLetter};
    let seated = |member| SeatAssignment { member, ..SeatAssignment::default() };
    Batch {
        log_lines: vec![log_line(n, seq, "a")],
        members: vec![test_member(n, &[&format!("{n}@x")])],
        seats: vec![(n, Seat::new(1), seated(n))],
        due: vec![(n, Some(time_at(i64::from(n) * 100)))],
        game_infos: vec![(n, GameInfo::default())],
        seen_letters: vec![(
            u128::from(n).to_be_bytes(),
            SeenLetter { at: time_at(1), game: None, seq: None, of_member: None },
        )],
        seen_files: vec![(format!("{n}.{seq}"), String::new())],
        posted: vec![(
            format!("{n}"),
            PostRecord { at: time_at(9), letter: PostedLetter::default() },
        )],
        counted_events: vec![(format!("{n}@x"), 7)],
        outgoing: vec![outgoing_letter("a")],
        ..Batch::default()
    }
}

#[test]
fn misplaced_log_line_rejects_whole_batch() {
    for_each_store(|store| {
        let log_lines = vec![log_line(1, 0, "a"), log_line(1, 1, "b")];
        store.write_without_conflict_check(&Batch { log_lines, ..Batch::default() }).unwrap();
        let before = query_everything(store);
        for wrong in [log_line(1, 1, "c"), log_line(1, 3, "c"), log_line(1, 2, "c\nd")] {
            let batch = Batch {
                log_lines: vec![log_line(2, 0, "new"), wrong.clone()],
                outgoing: vec![outgoing_letter("a")],
                members: vec![test_member(1, &["a@x"])],
                ..Batch::default()
            };
            let refused = store.write_without_conflict_check(&batch).unwrap_err();
            let is_conflict = matches!(refused, StoreError::Conflict(Row::Game(1)));
            assert_eq!(is_conflict, !wrong.line.contains('\n'), "{refused}");
            assert_eq!(refused.remedy() == Remedy::DecideAgain, is_conflict);
            assert_eq!(query_everything(store), before);
        }
    });
}

#[test]
fn due_games_are_sorted_by_time() {
    for_each_store(|store| {
        let set = |due: &[(u32, Option<i64>)]| {
            let due = due.iter().map(|(game, due)| (*game, due.map(time_at))).collect();
            store.write_without_conflict_check(&Batch { due, ..Batch::default() }).unwrap();
        };
        set(&[(1, Some(30)), (2, Some(-10)), (3, Some(20)), (4, Some(20))]);
        assert_eq!(store.due_games(time_at(20)).unwrap(), [2, 3, 4]);
        set(&[(3, Some(31)), (4, None), (9, None), (2, Some(40)), (2, Some(5))]);
        assert!(store.due_games(time_at(4)).unwrap().is_empty());
        assert_eq!(store.due_games(time_at(31)).unwrap(), [2, 1, 3]);
        assert_eq!([3, 4].map(|game| store.due_time(game).unwrap()), [Some(time_at(31)), None]);
        assert_eq!(store.next_due_time().unwrap(), Some(time_at(5)));
    });
}

#[test]
fn outbox_keeps_order_postpones_and_removes_sent_letters() {
    for_each_store(|store| {
        let outgoing = ["a", "b", "c"].map(outgoing_letter).to_vec();
        store.write_without_conflict_check(&Batch { outgoing, ..Batch::default() }).unwrap();
        let line = store.list_sendable(time_at(0)).unwrap();
        let keys: Vec<u64> = line.iter().map(|letter| letter.key).collect();
        let postponed = vec![(keys[0], time_at(50)), (77, time_at(1))];
        let sent = vec![keys[1], 99];
        store.write_without_conflict_check(&Batch { postponed, sent, ..Batch::default() }).unwrap();
        store
            .write_without_conflict_check(&Batch {
                outgoing: vec![outgoing_letter("d")],
                ..Batch::default()
            })
            .unwrap();
        let names = |now| -> String {
            let line = store.list_sendable(time_at(now)).unwrap().into_iter();
            line.map(|letter| letter.message_id).collect()
        };
        assert_eq!((names(49).as_str(), names(50).as_str()), ("cd", "acd"));
        let first = store.load_sendable(time_at(50), 1).unwrap().remove(0);
        assert_eq!((first.attempts, first.letter), (1, outgoing_letter("a")));
        assert_eq!(store.failed_deliveries().unwrap(), [("a@x.org".to_owned(), 1)]);
        assert_eq!(
            (store.outbox_length().unwrap(), store.queued_letter(keys[1]).unwrap()),
            (3, None)
        );
        // If a clock was years ahead, a letter may be postponed too far. Such a letter counts as
        // sendable.
        let postponed = vec![(keys[2], time_at(90_000_000))];
        store.write_without_conflict_check(&Batch { postponed, ..Batch::default() }).unwrap();
        assert_eq!(names(49), "cd");
    });
}

#[test]
fn addresses_and_seats_belong_to_their_latest_member() {
    for_each_store(|store| {
        let seated = |member| SeatAssignment { member, ..SeatAssignment::default() };
        let members = vec![test_member(1, &["a@x", "b@x"]), test_member(2, &["c@x"])];
        let seats = vec![(7, Seat::new(2), seated(1)), (7, Seat::new(1), seated(2))];
        store.write_without_conflict_check(&Batch { members, seats, ..Batch::default() }).unwrap();
        let members = vec![test_member(1, &["b@x", "d@x"])];
        let seats = vec![(7, Seat::new(1), seated(1)), (8, Seat::new(1), seated(2))];
        store.write_without_conflict_check(&Batch { members, seats, ..Batch::default() }).unwrap();
        let found = |address| store.member_by_address(address).unwrap().map(|member| member.id);
        assert_eq!(["a@x", "b@x", "c@x", "d@x"].map(found), [None, Some(1), Some(2), Some(1)]);
        assert_eq!(store.member_seats(1).unwrap(), [(7, Seat::new(1)), (7, Seat::new(2))]);
        assert_eq!(store.member_seats(2).unwrap(), [(8, Seat::new(1))]);
        assert_eq!(store.seat_assignments(7).unwrap(), [seated(1), seated(1)]);
        // An address belongs to the last member who was given it, even if the previous member still
        // lists it.
        store
            .write_without_conflict_check(&Batch {
                members: vec![test_member(2, &["b@x"])],
                ..Batch::default()
            })
            .unwrap();
        store
            .write_without_conflict_check(&Batch {
                members: vec![test_member(1, &["d@x"])],
                ..Batch::default()
            })
            .unwrap();
        assert_eq!(["b@x", "c@x", "d@x"].map(found), [Some(2), None, Some(1)]);
    });
}

/// Each case reads rows of a game, a member, an address or a number, then changes rows, and names
/// the row in conflict.
#[test]
fn conflict_names_changed_row_and_ignores_unrelated_rows() {
    let seat = |game, member| {
        let seated = SeatAssignment { member, ..SeatAssignment::default() };
        Batch { seats: vec![(game, Seat::new(1), seated)], ..Batch::default() }
    };
    let founded = |game| Batch { log_lines: vec![log_line(game, 0, "x")], ..Batch::default() };
    let table = |game| Batch { game_infos: vec![(game, GameInfo::default())], ..Batch::default() };
    let joined =
        |id, home: &str| Batch { members: vec![test_member(id, &[home])], ..Batch::default() };
    let of_game = |store: &dyn Repository| drop(store.seat_assignments(1).unwrap());
    let of_numbers =
        |store: &dyn Repository| drop((store.next_game_number(), store.next_member_number()));
    let of_all = |store: &dyn Repository| drop((store.clocks().unwrap(), store.members().unwrap()));
    let of_address = |store: &dyn Repository| drop(store.member_by_address("a@x").unwrap());
    let of_seats = |store: &dyn Repository| drop(store.member_seats(1).unwrap());
    let game = |game| Some(Row::Game(game));
    let address = || Some(Row::Address("a@x".to_owned()));
    type Ask<'a> = &'a dyn Fn(&dyn Repository);
    let cases: [(Ask, Batch, Option<Row>); 15] = [
        (&of_game, seat(1, 2), game(1)),
        (&of_game, seat(2, 1), None),
        (&of_game, founded(2), None),
        (&of_game, answer_batch("a@x"), None),
        (&of_numbers, founded(2), game(2)),
        (&of_numbers, table(2), game(2)),
        (&of_numbers, joined(3, "c@x"), Some(Row::Member(3))),
        (&of_numbers, joined(1, "c@x"), None),
        (&of_all, table(2), game(2)),
        (&of_all, joined(3, "c@x"), Some(Row::Member(3))),
        (&of_address, joined(2, "a@x"), address()),
        (&of_address, joined(1, "c@x"), Some(Row::Member(1))),
        (&of_address, joined(2, "b@x"), None),
        (&of_seats, seat(1, 2), game(1)),
        (&of_seats, seat(9, 1), Some(Row::MemberSeats(1))),
    ];
    for (n, (ask, meanwhile, moved)) in cases.iter().enumerate() {
        for_each_store(|store| {
            let start = Batch { members: joined(1, "a@x").members, ..founded(1) };
            store.write_without_conflict_check(&start).unwrap();
            store
                .write_without_conflict_check(&Batch {
                    seats: seat(1, 1).seats,
                    ..joined(2, "b@x")
                })
                .unwrap();
            let tracked = TrackedStore::new(store);
            ask(&tracked);
            store.write_without_conflict_check(meanwhile).unwrap();
            let found = match store.commit(&answer_batch("a decision"), tracked.read_set()) {
                Err(StoreError::Conflict(row)) => Some(row),
                other => other.map(|()| None).unwrap(),
            };
            assert_eq!(found, *moved, "case {n}");
        });
    }
}

#[test]
fn row_read_twice_keeps_its_first_revision() {
    for_each_store(|store| {
        let tracked = TrackedStore::new(store);
        assert!(tracked.game_log_lines(1).unwrap().is_empty());
        let log_lines = vec![log_line(1, 0, "a")];
        store.write_without_conflict_check(&Batch { log_lines, ..Batch::default() }).unwrap();
        assert_eq!(tracked.game_log_lines(1).unwrap(), ["a"]);
        let refused = store.commit(&answer_batch("x"), tracked.read_set()).unwrap_err();
        assert!(matches!(refused, StoreError::Conflict(Row::Game(1))), "{refused}");
        // A batch without changes never conflicts, because it decides nothing.
        store.commit(&Batch::default(), tracked.read_set()).unwrap();
        assert!(store.event_times_since("x", 0).unwrap().is_empty());
    });
}

/// A refused writer decides again. No line may be lost, doubled or out of order.
#[test]
fn concurrent_writers_lose_no_log_lines() {
    const EACH: usize = 12;
    for_each_store(|store| {
        std::thread::scope(|scope| {
            for writer in 0..4_u32 {
                scope.spawn(move || {
                    for n in 0..EACH {
                        let game = 1 + (writer + n as u32) % 2;
                        loop {
                            let tracked = TrackedStore::new(store);
                            let seq = tracked.log_length(game).unwrap();
                            let entries = tracked.activity_log(game).unwrap().len();
                            let log_lines =
                                vec![log_line(game, seq, &format!("{writer}.{n} {entries}"))];
                            let batch = Batch { log_lines, ..Batch::default() };
                            match store.commit(&batch, tracked.read_set()) {
                                Err(StoreError::Conflict(_)) => std::thread::yield_now(),
                                done => break done.unwrap(),
                            }
                        }
                    }
                });
            }
        });
        let lines: Vec<String> =
            (1..=2).flat_map(|game| store.game_log_lines(game).unwrap()).collect();
        assert_eq!(lines.len(), 4 * EACH);
        assert_eq!(lines.iter().collect::<BTreeSet<_>>().len(), 4 * EACH);
    });
}

#[test]
fn memory_store_makes_conflicts_on_demand() {
    let store = Memory::default();
    let tracked = TrackedStore::new(&store);
    tracked.game_log_lines(1).unwrap();
    let commit = || store.commit(&answer_batch("x"), tracked.read_set()).is_ok();
    store.conflict_next(2);
    assert_eq!([commit(), commit(), commit(), commit()], [false, false, true, true]);
    store.conflict_each(1);
    store.write_without_conflict_check(&answer_batch("what rests on nothing")).unwrap();
    assert_eq!([commit(), commit(), commit(), commit()], [false, true, false, true]);
    assert_eq!((store.event_times_since("x", 0).unwrap().len(), store.refused()), (4, 4));
    store.conflict_each(0);
    let store = std::sync::Arc::new(store);
    let (other, tracked) = (store.clone(), TrackedStore::new(&*store));
    store.meanwhile(move || other.write_without_conflict_check(&answer_batch("x")).unwrap());
    assert_eq!(tracked.event_times_since("x", 0).unwrap().len(), 4);
    assert!(store.commit(&answer_batch("x"), tracked.read_set()).is_err());
    assert_eq!(store.event_times_since("x", 0).unwrap().len(), 5);
}
