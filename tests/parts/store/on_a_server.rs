//! What a store on a server promises besides, where tests are told of one: how many rows and round
//! trips it takes, what becomes of the tables of other versions, whom it trusts.

use super::{at, everything, of_game, server};
use postrider::store::postgres::{Postgres, Server};
use postrider::store::{
    Batch, Class, GameStore, HandedIn, Label, Outbox, Outgoing, Reader, Repository, Row, Shared,
    StoreError, Tracked,
};
use std::collections::BTreeSet;
use std::time::Duration;

/// What an order letter of game n is in the club's inbox.
fn handed_in(n: u32) -> HandedIn {
    let sender = format!("{n}@x");
    HandedIn { name: format!("in {n}"), lane: n, sender, received: None, bytes: vec![7; 9] }
}

/// Who fills the inbox with large letters does not fill a worker's memory.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn no_claim_takes_more_letters_than_have_room() {
    let schema = server::Schema::needed();
    let store = schema.store("club");
    for n in 1..=40 {
        let bytes = vec![7; 1 << 20];
        store.hand_in(&[HandedIn { bytes, ..handed_in(n) }]).unwrap();
    }
    assert_eq!(store.claim(1_000).unwrap().len(), 16, "those of 16 MiB");
    store.let_go().unwrap();
}

/// Who claims beside others gets the letters that came first of those that they have left, by
/// whatever number their lanes go.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn what_came_first_is_claimed_first() {
    let schema = server::Schema::needed();
    let workers = [schema.store("club"), schema.store("club")];
    workers.iter().for_each(|worker| assert!(worker.enlist().unwrap() <= 1));
    assert_eq!(workers[0].enlist().unwrap(), 1);
    workers[0].hand_in(&(1..=6).rev().map(handed_in).collect::<Vec<_>>()).unwrap();
    let claimed = |worker: &Postgres| -> Vec<String> {
        worker.claim(2).unwrap().into_iter().map(|letter| letter.name).collect()
    };
    let first = claimed(&workers[0]);
    assert_eq!((first, claimed(&workers[1])), (names([6, 5]), names([4, 3])));
    workers[0].let_go().unwrap();
    assert_eq!(claimed(&workers[0]), names([6, 5]), "nothing was said of what became of them");
}

fn names(numbers: [u32; 2]) -> Vec<String> {
    numbers.map(|n| handed_in(n).name).to_vec()
}

/// However much one commit writes, it is a few round trips.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn a_commit_takes_at_most_fifteen_statements() {
    let schema = server::Schema::needed();
    let store = schema.store("club");
    let mut first = 0;
    for games in [1, 1_000] {
        let mut batch = of_game(first + 1, 0);
        (2..=games).for_each(|n| batch.extend(of_game(first + n, 0)));
        // No order letter makes a member, and what was posted is written by itself.
        (batch.members, batch.posted) = (Vec::new(), Vec::new());
        first += games;
        let before = store.statements();
        store.write(&batch).unwrap();
        let taken = store.statements() - before;
        assert!((8..=15).contains(&taken), "{taken} statements for {games} games");
    }
}

/// Whatever is said to be read next is fetched by few statements, and read without any.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn what_is_foreseen_is_fetched_at_once() {
    const GAMES: u32 = 50;
    let schema = server::Schema::needed();
    let store = schema.store("club");
    let mut batch = of_game(1, 0);
    (2..=GAMES).for_each(|n| batch.extend(of_game(n, 0)));
    store.write(&batch).unwrap();
    let before = store.statements();
    let rows = |n: u32| {
        let (letter, file) = (u128::from(n).to_be_bytes(), format!("{n}.0"));
        [Row::Game(n), Row::Address(format!("{n}@x")), Row::Letter(letter), Row::File(file)]
    };
    store.prefetch(&(1..=GAMES).flat_map(rows).collect::<Vec<_>>(), true).unwrap();
    let fetched = store.statements();
    assert!(fetched - before <= 6, "{} statements", fetched - before);
    let tracked = Tracked::new(&store);
    for n in 1..=GAMES {
        assert_eq!(tracked.log(n).unwrap().len(), 1);
        assert_eq!(tracked.seats(n).unwrap().len(), 1);
        assert_eq!(tracked.member(n).unwrap().unwrap().id, n);
        assert_eq!(tracked.member_by_address(&format!("{n}@x")).unwrap().unwrap().id, n);
        assert!(tracked.seen_letter(&u128::from(n).to_be_bytes()).unwrap().is_some());
        assert_eq!(tracked.seen_file(&format!("{n}.0")).unwrap().as_deref(), Some(""));
    }
    assert_eq!(store.statements(), fetched, "it was there");
    // What another one writes meanwhile is a conflict, and then known.
    let other = schema.store("club");
    other.write(&of_game(7, 1)).unwrap();
    let late = store.commit(&of_game(7, 1), tracked.read());
    assert!(matches!(late, Err(StoreError::Conflict(_))), "{late:?}");
    assert_eq!(store.log(7).unwrap().len(), 2);
}

/// A club of so many games, each of which has a letter in the inbox.
fn great_club(schema: &server::Schema, games: u32) {
    let store = schema.store("club");
    let mut all = of_game(1, 0);
    (2..=games).for_each(|n| all.extend(of_game(n, 0)));
    store.write(&all).unwrap();
    store.hand_in(&(1..=games).map(handed_in).collect::<Vec<_>>()).unwrap();
}

/// What a pass asks and writes of one game, one letter of it and one that leaves.
fn pass_of_one_game(schema: &server::Schema, store: &Postgres, games: u32) {
    let address = "2@x".to_owned();
    let rows = [Row::Game(2), Row::Address(address.clone()), Row::File("2.0".to_owned())];
    store.prefetch(&rows, true).unwrap();
    let rows = [Row::Letter(2_u128.to_be_bytes()), Row::Answers(address)];
    store.prefetch(&rows, true).unwrap();
    let tracked = Tracked::new(store);
    tracked.log(2).unwrap();
    assert_eq!(tracked.seats(2).unwrap().len(), 1);
    assert!(tracked.member_by_address("2@x").unwrap().is_some());
    assert_eq!(tracked.seats_of(2).unwrap().len(), 1);
    assert!(tracked.seen_letter(&2_u128.to_be_bytes()).unwrap().is_some());
    assert!(tracked.posted("2", at(0), at(99)).unwrap().is_some());
    assert_eq!(tracked.answers_since("2@x", 0).unwrap(), [7]);
    assert_eq!(store.due(at(200)).unwrap(), [1, 2]);
    assert!(store.next_due().unwrap().is_some() && !store.has_clocks().unwrap());
    assert_eq!(tracked.next_game().unwrap(), games + 1);
    assert!(store.queued(2).unwrap().is_some());
    store.commit(&Batch { sent: vec![2], ..of_game(2, 1) }, tracked.read()).unwrap();
    drop(tracked);
    assert_eq!(store.claim(2).unwrap().len(), 2);
    assert!(store.claim_games(&[2]).unwrap().is_empty(), "its letter waits");
    store.let_go().unwrap();
    assert!(store.has_letters().unwrap() && store.held().unwrap().is_empty());
    assert!(store.hand_in(&[handed_in(2)]).unwrap().is_empty(), "it is there");
    assert_eq!(store.lease(0, 9).unwrap(), Some(u64::MAX), "he is alone");
    assert!(store.lease(u64::MAX, 9).unwrap().is_none() && store.renew().unwrap());
    store.give_back().unwrap();
    let other = schema.store("club");
    assert_eq!(store.enlist().unwrap(), 1);
    assert_eq!(store.lease(0, 3).unwrap(), Some(4), "three of them");
    assert!(store.renew().unwrap());
    store.give_back().unwrap();
    drop(other);
}

/// Whoever leases at the same moment as others gets what none of them does.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn nothing_is_leased_by_two_at_once() {
    let schema = server::Schema::needed();
    let workers: Vec<Postgres> = (0..4).map(|_| schema.store("club")).collect();
    workers.iter().for_each(|worker| assert!(worker.enlist().unwrap() > 0));
    let to = |n: u32| Outgoing {
        message_id: format!("{n}.1"),
        recipient: format!("{}@x", n % 50),
        owed: "letter".into(),
        label: None,
    };
    let batch = Batch { outgoing: (0..200).map(to).collect(), ..Batch::default() };
    workers[0].write(&batch).unwrap();
    let leased = |worker: &Postgres| -> BTreeSet<String> {
        assert!(worker.lease(0, 10).unwrap().is_some());
        worker.in_line(at(9)).unwrap().into_iter().map(|letter| letter.recipient).collect()
    };
    for round in 0..20 {
        let all = std::thread::scope(|scope| {
            let hands: Vec<_> =
                workers.iter().map(|worker| scope.spawn(|| leased(worker))).collect();
            hands.into_iter().map(|hand| hand.join().unwrap()).collect::<Vec<_>>()
        });
        let together: BTreeSet<&String> = all.iter().flatten().collect();
        assert_eq!(together.len(), all.iter().map(BTreeSet::len).sum::<usize>(), "{round}");
        assert_eq!(together.len(), 40, "ten for each");
        workers.iter().for_each(|worker| worker.give_back().unwrap());
    }
}

/// One worker posts all letters to an address, and one worker posts those to strangers. A worker
/// that is gone has no lease.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn letters_to_one_address_are_leased_together_and_so_are_those_to_strangers() {
    let schema = server::Schema::needed();
    let [one, other] = [schema.store("club"), schema.store("club")];
    assert_eq!((one.enlist().unwrap(), other.enlist().unwrap()), (1, 1));
    let letters = [
        ("ann@x", Class::Game),
        ("name1@y", Class::Stranger),
        ("bob@x", Class::Answer),
        ("Ann@X", Class::Game),
        ("eve@x", Class::Game),
        ("name2@y", Class::Known),
    ];
    let outgoing = letters.map(|(recipient, class)| Outgoing {
        message_id: format!("{recipient}.1"),
        recipient: recipient.to_owned(),
        owed: "letter".into(),
        label: Some(Label {
            reader: Reader::Address,
            class,
            written: at(0),
            unsettled: false,
            hold: None,
        }),
    });
    one.write(&Batch { outgoing: outgoing.to_vec(), ..Batch::default() }).unwrap();
    let shown = |store: &Postgres| -> Vec<String> {
        store.in_line(at(9)).unwrap().into_iter().map(|letter| letter.recipient).collect()
    };
    let first = one.lease(0, 2).unwrap().unwrap();
    assert_eq!(shown(&one), ["ann@x", "bob@x", "Ann@X"], "two, and what else they get");
    let next = other.lease(0, 2).unwrap().unwrap();
    assert_eq!(shown(&other), ["eve@x"]);
    let sent = one.in_line(at(9)).unwrap().iter().map(|letter| letter.key).collect();
    one.write(&Batch { sent, ..Batch::default() }).unwrap();
    assert_eq!(one.lease(first, 2).unwrap(), Some(u64::MAX), "none is left to members");
    assert_eq!(shown(&one), ["name1@y", "name2@y"]);
    assert_eq!(other.lease(next, 2).unwrap(), None, "somebody has them");
    assert!(one.renew().unwrap() && other.renew().unwrap());
    schema.lease_runs_out("club");
    std::thread::sleep(Duration::from_millis(1_100));
    assert!(!one.renew().unwrap(), "it is too late");
    drop(other);
    // A server sees a little later that somebody has hung up.
    let is_gone = |_| {
        std::thread::sleep(Duration::from_millis(50));
        one.enlist().unwrap() == 0
    };
    assert!((0..200).any(is_gone), "nobody else is at work");
    assert_eq!(one.lease(0, 2).unwrap(), Some(u64::MAX));
    assert_eq!(shown(&one), ["name1@y", "eve@x", "name2@y"]);
    // Whoever comes meanwhile gets nothing that is leased, nor what is written to others then.
    let third = schema.store("club");
    assert_eq!(third.enlist().unwrap(), 1);
    assert_eq!(third.lease(0, 9).unwrap(), None);
    one.give_back().unwrap();
    assert!(third.lease(0, 9).unwrap().is_some());
}

/// What a pass asks and writes of one game reads as many rows in a great club as in a small one.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn a_server_reads_no_more_rows_in_a_great_club() {
    let read = [4, 3_000].map(|games| {
        let schema = server::Schema::needed().by_index();
        great_club(&schema, games);
        // As it does by itself within a minute.
        schema.analyze();
        let before = schema.rows_read(0);
        let store = schema.store("club");
        pass_of_one_game(&schema, &store, games);
        drop(store);
        schema.rows_read(before) - before
    });
    let [small, great] = read;
    // A hundred letters to see that many wait.
    assert!(small > 10 && great <= small + 125, "{small} rows of 4 games, {great} of 3,000");
}

/// A server that takes a queue for empty, as it was when it last looked, would read all of it for
/// each letter: it looks again before it is asked for what has come at once.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn a_server_knows_how_much_waits_before_it_looks_for_any_of_it() {
    let schema = server::Schema::needed();
    let store = schema.store("club");
    schema.analyze();
    assert_eq!(["inbox", "outbox"].map(|queue| schema.rows_known(queue)), [0, 0]);
    store.hand_in(&[handed_in(1)]).unwrap();
    store.write(&of_game(1, 0)).unwrap();
    assert!(store.claim(9).unwrap().len() == 1 && store.lease(0, 9).unwrap().is_some());
    assert_eq!(["inbox", "outbox"].map(|queue| schema.rows_known(queue)), [0, 0], "of one letter");
    store.hand_in(&(2..=150).map(handed_in).collect::<Vec<_>>()).unwrap();
    let outgoing = (2..=150).flat_map(|n| of_game(n, 0).outgoing).collect();
    store.write(&Batch { outgoing, ..Batch::default() }).unwrap();
    assert_eq!(store.claim(200).unwrap().len(), 150);
    assert_eq!(["inbox", "outbox"].map(|queue| schema.rows_known(queue)), [150, 0]);
    assert!(store.lease(0, 9).unwrap().is_some());
    assert_eq!(["inbox", "outbox"].map(|queue| schema.rows_known(queue)), [150, 150]);
}

/// None of these questions and changes reads a great table from end to end, nor all that a club has
/// in it, whatever it is given.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn a_server_does_all_that_a_pass_asks_for_by_indices() {
    /// Those that have a few rows whatever a club has.
    const SMALL: [&str; 7] =
        ["club", "house", "lease", "store_format", "unread", "way_in", "worker"];
    let schema = server::Schema::needed();
    great_club(&schema, 3_000);
    let store = schema.store("club");
    pass_of_one_game(&schema, &store, 3_000);
    schema.analyze();
    let statements = store.known_statements();
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
            // The first rows in the order of an index are no more than are wanted; of what is held
            // there is an index of its own.
            let is_cut = lines[..place].iter().any(|above| above.contains("Limit "));
            let of_all = next.ends_with("Index Cond: (club = $1)") && !line.contains("inbox_held");
            let is_whole = line.contains("Seq Scan") || (of_all && !is_cut);
            assert!(is_small || !is_whole, "{line}\n{statement}\n{plan}");
        }
    }
}

#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn tables_of_later_format_name_their_version() {
    let schema = server::Schema::needed();
    schema.store("club").write(&of_game(1, 0)).unwrap();
    schema.is_of_a_later_version();
    let server = Server::at(&schema.url(), None).unwrap();
    let refused = Postgres::open(&server, "club", &[7; 16]).err().unwrap();
    assert!(matches!(refused, StoreError::Newer(_)), "{refused}");
    assert!(refused.to_string().contains("read by 9.9.0"), "{refused}");
}

/// What would stop a letter half-way is found before one comes; where a server is does not matter.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn rights_that_are_missing_are_found_and_a_time_zone_matters_to_nobody() {
    let schema = server::Schema::needed();
    let whole = schema.store("club");
    let now = || Shared::clock(&whole).unwrap();
    assert_eq!(whole.to_mend(now()).unwrap(), [""; 0]);
    let role = format!("role_{}", std::process::id());
    let url = schema.url_of_role(&role, "revoke delete on posted");
    let open = |url: &str| {
        let server = Server::at(url, None).unwrap();
        Postgres::open(&server, "club", &[7; 16]).unwrap().expect("it is ours")
    };
    let limited = open(&url);
    let mend = limited.to_mend(now()).unwrap();
    assert!(mend.len() == 1 && mend[0].contains("posted"), "{mend:?}");
    drop(limited);
    let elsewhere =
        open(&schema.url().replace("options=", "options=-c%20timezone%3DAsia/Kolkata%20"));
    elsewhere.write(&of_game(1, 0)).unwrap();
    assert_eq!(everything(&elsewhere), everything(&schema.store("club")));
    assert_eq!(elsewhere.due_at(1).unwrap(), whole.due_at(1).unwrap());
    assert_eq!(elsewhere.to_mend(now()).unwrap(), [""; 0]);
    drop(elsewhere);
    schema.forget_role(&role);
}

/// Where tests are told of a server by TCP, and of the authority that vouches for it.
#[test]
#[ignore = "needs a database server, see tests/postgres/run"]
fn a_server_is_known_by_its_certificate() {
    let named = |what| std::env::var(format!("POSTRIDER_TEST_POSTGRES_{what}"));
    let [url, authority] =
        ["TLS", "CA"].map(|what| named(what).expect("named: see tests/postgres/run"));
    let authority = || Some(std::fs::read(&authority).unwrap());
    let open =
        |url: &str, ca| Postgres::open(&Server::at(url, ca).unwrap(), "by TLS", &[7]).map(drop);
    open(&url, authority()).unwrap();
    assert!(open(&url, None).is_err(), "nobody vouches for it");
    let by_number = url.replace("localhost", "127.0.0.1");
    assert!(open(&by_number, authority()).is_err(), "that is not its name");
}
