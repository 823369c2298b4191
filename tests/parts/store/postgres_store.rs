//! Tests of the store on PostgreSQL, if there is a server for tests: its numbers of rows and
//! statements, its leases, tables of other versions, and its security.

use super::{game_batch, query_everything, server, time_at};
use postrider::store::postgres::{Postgres, Server};
use postrider::store::{
    Batch, GameStore, LetterReader, NewInboxLetter, Outbox, OutboxLabel, OutgoingLetter,
    Repository, Row, SendPriority, SharedStore, StoreError, TrackedStore,
};
use std::collections::BTreeSet;
use std::time::Duration;

/// Returns the inbox letter that leads to [`game_batch`] of game `n`.
fn inbox_letter(n: u32) -> NewInboxLetter {
    let sender = format!("{n}@x");
    NewInboxLetter { name: format!("in {n}"), lane: n, sender, received: None, bytes: vec![7; 9] }
}

/// A worker's memory must stay bounded, even if someone fills the inbox with large letters.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn claim_stops_at_sixteen_mebibytes() {
    let schema = server::Schema::needed();
    let store = schema.store("club");
    for n in 1..=40 {
        let bytes = vec![7; 1 << 20];
        store.add_to_inbox(&[NewInboxLetter { bytes, ..inbox_letter(n) }]).unwrap();
    }
    assert_eq!(store.claim_letters(1_000).unwrap().len(), 16, "those of 16 MiB");
    store.release_lanes().unwrap();
}

/// Among the letters that other workers have left, a worker gets the oldest ones, regardless of
/// lane numbers.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn oldest_letters_are_claimed_first() {
    let schema = server::Schema::needed();
    let workers = [schema.store("club"), schema.store("club")];
    workers.iter().for_each(|worker| assert!(worker.register_worker().unwrap() <= 1));
    assert_eq!(workers[0].register_worker().unwrap(), 1);
    workers[0].add_to_inbox(&(1..=6).rev().map(inbox_letter).collect::<Vec<_>>()).unwrap();
    let claimed = |worker: &Postgres| -> Vec<String> {
        worker.claim_letters(2).unwrap().into_iter().map(|letter| letter.name).collect()
    };
    let first = claimed(&workers[0]);
    assert_eq!((first, claimed(&workers[1])), (inbox_names([6, 5]), inbox_names([4, 3])));
    workers[0].release_lanes().unwrap();
    assert_eq!(claimed(&workers[0]), inbox_names([6, 5]), "their outcome was not committed");
}

fn inbox_names(numbers: [u32; 2]) -> Vec<String> {
    numbers.map(|n| inbox_letter(n).name).to_vec()
}

/// The number of round trips must not grow with the size of the commit.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn a_commit_takes_at_most_fifteen_statements() {
    let schema = server::Schema::needed();
    let store = schema.store("club");
    let mut first = 0;
    for games in [1, 1_000] {
        let mut batch = game_batch(first + 1, 0);
        (2..=games).for_each(|n| batch.extend(game_batch(first + n, 0)));
        // An order letter creates no member, and posting records are written in a commit of their
        // own.
        (batch.members, batch.posted) = (Vec::new(), Vec::new());
        first += games;
        let before = store.statement_count();
        store.write_without_conflict_check(&batch).unwrap();
        let taken = store.statement_count() - before;
        assert!((8..=15).contains(&taken), "{taken} statements for {games} games");
    }
}

/// Prefetched rows must be read from memory.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn prefetch_takes_few_statements_and_reads_none() {
    const GAMES: u32 = 50;
    let schema = server::Schema::needed();
    let store = schema.store("club");
    let mut batch = game_batch(1, 0);
    (2..=GAMES).for_each(|n| batch.extend(game_batch(n, 0)));
    store.write_without_conflict_check(&batch).unwrap();
    let before = store.statement_count();
    let rows = |n: u32| {
        let (letter, file) = (u128::from(n).to_be_bytes(), format!("{n}.0"));
        [Row::Game(n), Row::Address(format!("{n}@x")), Row::Letter(letter), Row::File(file)]
    };
    store.prefetch(&(1..=GAMES).flat_map(rows).collect::<Vec<_>>(), true).unwrap();
    let fetched = store.statement_count();
    assert!(fetched - before <= 6, "{} statements", fetched - before);
    let tracked = TrackedStore::new(&store);
    for n in 1..=GAMES {
        assert_eq!(tracked.game_log_lines(n).unwrap().len(), 1);
        assert_eq!(tracked.seat_assignments(n).unwrap().len(), 1);
        assert_eq!(tracked.member(n).unwrap().unwrap().id, n);
        assert_eq!(tracked.member_by_address(&format!("{n}@x")).unwrap().unwrap().id, n);
        assert!(tracked.letter_outcome(&u128::from(n).to_be_bytes()).unwrap().is_some());
        assert_eq!(tracked.file_outcome_text(&format!("{n}.0")).unwrap().as_deref(), Some(""));
    }
    assert_eq!(store.statement_count(), fetched, "it was there");
    // If another worker changes a row after the prefetch, the commit conflicts. The next read then
    // sees the change.
    let other = schema.store("club");
    other.write_without_conflict_check(&game_batch(7, 1)).unwrap();
    let late = store.commit(&game_batch(7, 1), tracked.read_set());
    assert!(matches!(late, Err(StoreError::Conflict(_))), "{late:?}");
    assert_eq!(store.game_log_lines(7).unwrap().len(), 2);
}

/// Creates a club with this number of games. Each game has a letter in the inbox.
fn create_large_club(schema: &server::Schema, games: u32) {
    let store = schema.store("club");
    let mut all = game_batch(1, 0);
    (2..=games).for_each(|n| all.extend(game_batch(n, 0)));
    store.write_without_conflict_check(&all).unwrap();
    store.add_to_inbox(&(1..=games).map(inbox_letter).collect::<Vec<_>>()).unwrap();
}

/// Reads and writes what a pass needs for one inbound and one outbound letter of one game.
fn run_pass_of_one_game(schema: &server::Schema, store: &Postgres, games: u32) {
    let address = "2@x".to_owned();
    let rows = [Row::Game(2), Row::Address(address.clone()), Row::File("2.0".to_owned())];
    store.prefetch(&rows, true).unwrap();
    let rows = [Row::Letter(2_u128.to_be_bytes()), Row::CountedEvents(address)];
    store.prefetch(&rows, true).unwrap();
    let tracked = TrackedStore::new(store);
    tracked.game_log_lines(2).unwrap();
    assert_eq!(tracked.seat_assignments(2).unwrap().len(), 1);
    assert!(tracked.member_by_address("2@x").unwrap().is_some());
    assert_eq!(tracked.member_seats(2).unwrap().len(), 1);
    assert!(tracked.letter_outcome(&2_u128.to_be_bytes()).unwrap().is_some());
    assert!(tracked.post_record("2", time_at(0), time_at(99)).unwrap().is_some());
    assert_eq!(tracked.event_times_since("2@x", 0).unwrap(), [7]);
    assert_eq!(store.due_games(time_at(200)).unwrap(), [1, 2]);
    assert!(store.next_due_time().unwrap().is_some() && !store.has_ever_had_clock().unwrap());
    assert_eq!(tracked.next_game_number().unwrap(), games + 1);
    assert!(store.queued_letter(2).unwrap().is_some());
    store.commit(&Batch { sent: vec![2], ..game_batch(2, 1) }, tracked.read_set()).unwrap();
    drop(tracked);
    assert_eq!(store.claim_letters(2).unwrap().len(), 2);
    assert!(store.claim_games(&[2]).unwrap().is_empty(), "its letter waits");
    store.release_lanes().unwrap();
    assert!(
        store.has_unprocessed_letters().unwrap()
            && store.list_quarantined_letters().unwrap().is_empty()
    );
    assert!(store.add_to_inbox(&[inbox_letter(2)]).unwrap().is_empty(), "it is there");
    assert_eq!(store.lease_letters(0, 9).unwrap(), Some(u64::MAX), "there is no other worker");
    assert!(store.lease_letters(u64::MAX, 9).unwrap().is_none() && store.renew_leases().unwrap());
    store.release_leases().unwrap();
    let other = schema.store("club");
    assert_eq!(store.register_worker().unwrap(), 1);
    assert_eq!(store.lease_letters(0, 3).unwrap(), Some(4), "three letters");
    assert!(store.renew_leases().unwrap());
    store.release_leases().unwrap();
    drop(other);
}

#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn concurrent_workers_lease_disjoint_letters() {
    let schema = server::Schema::needed();
    let workers: Vec<Postgres> = (0..4).map(|_| schema.store("club")).collect();
    workers.iter().for_each(|worker| assert!(worker.register_worker().unwrap() > 0));
    let to = |n: u32| OutgoingLetter {
        message_id: format!("{n}.1"),
        recipient: format!("{}@x", n % 50),
        payload: "letter".into(),
        label: None,
    };
    let batch = Batch { outgoing: (0..200).map(to).collect(), ..Batch::default() };
    workers[0].write_without_conflict_check(&batch).unwrap();
    let leased = |worker: &Postgres| -> BTreeSet<String> {
        assert!(worker.lease_letters(0, 10).unwrap().is_some());
        worker
            .list_sendable(time_at(9))
            .unwrap()
            .into_iter()
            .map(|letter| letter.recipient)
            .collect()
    };
    for round in 0..20 {
        let all = std::thread::scope(|scope| {
            let threads: Vec<_> =
                workers.iter().map(|worker| scope.spawn(|| leased(worker))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        let together: BTreeSet<&String> = all.iter().flatten().collect();
        assert_eq!(together.len(), all.iter().map(BTreeSet::len).sum::<usize>(), "{round}");
        assert_eq!(together.len(), 40, "ten for each");
        workers.iter().for_each(|worker| worker.release_leases().unwrap());
    }
}

/// One worker sends all letters to an address, and one worker sends those to strangers. A worker
/// that is gone has no lease.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn letters_to_one_address_are_leased_together() {
    let schema = server::Schema::needed();
    let [one, other] = [schema.store("club"), schema.store("club")];
    assert_eq!((one.register_worker().unwrap(), other.register_worker().unwrap()), (1, 1));
    let letters = [
        ("ann@x", SendPriority::Game),
        ("name1@y", SendPriority::Stranger),
        ("bob@x", SendPriority::Answer),
        ("Ann@X", SendPriority::Game),
        ("eve@x", SendPriority::Game),
        ("name2@y", SendPriority::Known),
    ];
    let outgoing = letters.map(|(recipient, class)| OutgoingLetter {
        message_id: format!("{recipient}.1"),
        recipient: recipient.to_owned(),
        payload: "letter".into(),
        label: Some(OutboxLabel {
            reader: LetterReader::Address,
            priority: class,
            written: time_at(0),
            mergeable: false,
            hold: None,
        }),
    });
    one.write_without_conflict_check(&Batch { outgoing: outgoing.to_vec(), ..Batch::default() })
        .unwrap();
    let shown = |store: &Postgres| -> Vec<String> {
        store
            .list_sendable(time_at(9))
            .unwrap()
            .into_iter()
            .map(|letter| letter.recipient)
            .collect()
    };
    let first = one.lease_letters(0, 2).unwrap().unwrap();
    assert_eq!(
        shown(&one),
        ["ann@x", "bob@x", "Ann@X"],
        "two letters, and others to their addresses"
    );
    let next = other.lease_letters(0, 2).unwrap().unwrap();
    assert_eq!(shown(&other), ["eve@x"]);
    let sent = one.list_sendable(time_at(9)).unwrap().iter().map(|letter| letter.key).collect();
    one.write_without_conflict_check(&Batch { sent, ..Batch::default() }).unwrap();
    assert_eq!(one.lease_letters(first, 2).unwrap(), Some(u64::MAX), "none is left to members");
    assert_eq!(shown(&one), ["name1@y", "name2@y"]);
    assert_eq!(other.lease_letters(next, 2).unwrap(), None, "another worker has them");
    assert!(one.renew_leases().unwrap() && other.renew_leases().unwrap());
    schema.lease_runs_out("club");
    std::thread::sleep(Duration::from_millis(1_100));
    assert!(!one.renew_leases().unwrap(), "it is too late");
    drop(other);
    // The server notices with some delay that a connection was closed.
    let is_gone = |_| {
        std::thread::sleep(Duration::from_millis(50));
        one.register_worker().unwrap() == 0
    };
    assert!((0..200).any(is_gone), "nobody else is at work");
    assert_eq!(one.lease_letters(0, 2).unwrap(), Some(u64::MAX));
    assert_eq!(shown(&one), ["name1@y", "eve@x", "name2@y"]);
    // A worker that joins gets no leased letters, and no new letters to the leased addresses.
    let third = schema.store("club");
    assert_eq!(third.register_worker().unwrap(), 1);
    assert_eq!(third.lease_letters(0, 9).unwrap(), None);
    one.release_leases().unwrap();
    assert!(third.lease_letters(0, 9).unwrap().is_some());
}

/// A pass over one game must read about as many rows in a large club as in a small one.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn rows_read_do_not_grow_with_club() {
    let read = [4, 3_000].map(|games| {
        let schema = server::Schema::needed().by_index();
        create_large_club(&schema, games);
        // The server updates its statistics by itself within a minute. The test does not wait for
        // that.
        schema.analyze();
        let before = schema.rows_read(0);
        let store = schema.store("club");
        run_pass_of_one_game(&schema, &store, games);
        drop(store);
        schema.rows_read(before) - before
    });
    let [small, great] = read;
    // The store reads up to 100 queued letters to see whether the statistics are outdated.
    assert!(small > 10 && great <= small + 125, "{small} rows of 4 games, {great} of 3,000");
}

/// With outdated statistics, a server takes a queue for empty and reads all of it for each letter.
/// So the store updates the statistics before a large read.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn queue_statistics_are_refreshed_before_large_reads() {
    let schema = server::Schema::needed();
    let store = schema.store("club");
    schema.analyze();
    assert_eq!(["inbox", "outbox"].map(|queue| schema.rows_known(queue)), [0, 0]);
    store.add_to_inbox(&[inbox_letter(1)]).unwrap();
    store.write_without_conflict_check(&game_batch(1, 0)).unwrap();
    assert!(
        store.claim_letters(9).unwrap().len() == 1 && store.lease_letters(0, 9).unwrap().is_some()
    );
    assert_eq!(["inbox", "outbox"].map(|queue| schema.rows_known(queue)), [0, 0], "of one letter");
    store.add_to_inbox(&(2..=150).map(inbox_letter).collect::<Vec<_>>()).unwrap();
    let outgoing = (2..=150).flat_map(|n| game_batch(n, 0).outgoing).collect();
    store.write_without_conflict_check(&Batch { outgoing, ..Batch::default() }).unwrap();
    assert_eq!(store.claim_letters(200).unwrap().len(), 150);
    assert_eq!(["inbox", "outbox"].map(|queue| schema.rows_known(queue)), [150, 0]);
    assert!(store.lease_letters(0, 9).unwrap().is_some());
    assert_eq!(["inbox", "outbox"].map(|queue| schema.rows_known(queue)), [150, 150]);
}

/// No statement of a pass may scan a large table, or all rows that a club has in it.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn pass_statements_use_indexes() {
    /// Tables that have few rows, however large the club is.
    const SMALL: [&str; 7] =
        ["club", "house", "lease", "store_format", "unread", "way_in", "worker"];
    let schema = server::Schema::needed();
    create_large_club(&schema, 3_000);
    let store = schema.store("club");
    run_pass_of_one_game(&schema, &store, 3_000);
    schema.analyze();
    let statements = store.prepared_statements();
    assert!(statements.len() > 40, "{} statements", statements.len());
    for statement in statements {
        let plan = schema.plan(statement);
        let lines: Vec<&str> = plan.lines().map(str::trim).collect();
        for (place, line) in lines.iter().enumerate() {
            let Some((_, table)) = line.split_once(" Scan ") else { continue };
            let table = table.rsplit_once(" on ").map_or(table, |(_, table)| table);
            let table = table.trim_start_matches("on ").split([' ', '_']).next().unwrap();
            let is_small = SMALL.iter().any(|small| small.starts_with(table));
            let next = lines.get(place + 1).copied().unwrap_or_default();
            // A scan with a limit in the order of an index reads only as many rows as it needs.
            // Held letters have an index of their own.
            let is_cut = lines[..place].iter().any(|above| above.contains("Limit "));
            let of_all = next.ends_with("Index Cond: (club = $1)") && !line.contains("inbox_held");
            let is_whole = line.contains("Seq Scan") || (of_all && !is_cut);
            assert!(is_small || !is_whole, "{line}\n{statement}\n{plan}");
        }
    }
}

#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn first_clubs_create_tables_at_once() {
    for _ in 0..4 {
        let schema = server::Schema::needed();
        std::thread::scope(|scope| {
            for club in ["a", "b", "c", "d", "e", "f"] {
                let schema = &schema;
                scope.spawn(move || schema.store(club));
            }
        });
    }
}

#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn tables_of_later_format_name_their_version() {
    let schema = server::Schema::needed();
    schema.store("club").write_without_conflict_check(&game_batch(1, 0)).unwrap();
    schema.is_of_a_later_version();
    let server = Server::from_url(&schema.url(), None).unwrap();
    let refused = Postgres::open(&server, "club", &[7; 16]).err().unwrap();
    assert!(matches!(refused, StoreError::Newer(_)), "{refused}");
    assert!(refused.to_string().contains("read by 9.9.0"), "{refused}");
}

/// Missing rights would stop a pass half-way, so the doctor reports them in advance. The server's
/// time zone must not matter.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn missing_rights_are_reported_and_time_zone_ignored() {
    let schema = server::Schema::needed();
    let whole = schema.store("club");
    let now = || SharedStore::current_time(&whole).unwrap();
    assert_eq!(whole.list_problems(now()).unwrap(), [""; 0]);
    let role = format!("role_{}", std::process::id());
    let url = schema.url_of_role(&role, "revoke delete on posted");
    let open = |url: &str| {
        let server = Server::from_url(url, None).unwrap();
        Postgres::open(&server, "club", &[7; 16]).unwrap().expect("it is ours")
    };
    let limited = open(&url);
    let problems = limited.list_problems(now()).unwrap();
    assert!(problems.len() == 1 && problems[0].contains("posted"), "{problems:?}");
    drop(limited);
    let elsewhere =
        open(&schema.url().replace("options=", "options=-c%20timezone%3DAsia/Kolkata%20"));
    elsewhere.write_without_conflict_check(&game_batch(1, 0)).unwrap();
    assert_eq!(query_everything(&elsewhere), query_everything(&schema.store("club")));
    assert_eq!(elsewhere.due_time(1).unwrap(), whole.due_time(1).unwrap());
    assert_eq!(elsewhere.list_problems(now()).unwrap(), [""; 0]);
    drop(elsewhere);
    schema.forget_role(&role);
}

/// The server's URL for TLS and its certificate authority come from the environment.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn server_certificate_is_verified() {
    let named = |what| std::env::var(format!("POSTRIDER_TEST_POSTGRES_{what}"));
    let [url, authority] =
        ["TLS", "CA"].map(|what| named(what).expect("named: see tests/postgres/run"));
    let authority = || Some(std::fs::read(&authority).unwrap());
    let open = |url: &str, ca| {
        Postgres::open(&Server::from_url(url, ca).unwrap(), "by TLS", &[7]).map(drop)
    };
    open(&url, authority()).unwrap();
    assert!(open(&url, None).is_err(), "nobody vouches for it");
    let by_number = url.replace("localhost", "127.0.0.1");
    assert!(open(&by_number, authority()).is_err(), "that is not its name");
}
