//! Measures the store in a busy pass with 1,000 new records and 3,000 outgoing letters. One group
//! is the commit with its journal, another is reading and clearing the outbox. One write and fsync
//! of as many bytes is the floor.

use chrono::{DateTime, Utc};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use postrider::store::{Batch, GameStore, LogLine, Outbox, OutgoingLetter, Store};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The number of games, each of which gets one new record.
const GAMES: u32 = 1_000;
const LETTERS_PER_PASS: usize = 3_000;
/// The size of a letter's payload, in bytes.
const LETTER_BYTES: usize = 400;
/// The size of a record, in bytes.
const RECORD_BYTES: usize = 1_500;

fn bench_time() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_636_000, 0).expect("a time")
}

struct BenchStore {
    home: TempDir,
    store: Store,
    passes: u32,
}

impl BenchStore {
    fn new() -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let store = Store::open(&home.path().join("store")).expect("it opens");
        Self { home, store, passes: 0 }
    }

    fn next_batch(&mut self) -> Batch {
        let seq = self.passes;
        self.passes += 1;
        let owed = serde_json::Value::from("x".repeat(LETTER_BYTES));
        let log_lines =
            (1..=GAMES).map(|game| LogLine { game, seq, line: "x".repeat(RECORD_BYTES) });
        let letter = |n| OutgoingLetter {
            message_id: format!("{seq}.{n}@example.org"),
            recipient: format!("{n}@example.org"),
            payload: owed.clone(),
            label: None,
        };
        Batch {
            log_lines: log_lines.collect(),
            outgoing: (0..LETTERS_PER_PASS).map(letter).collect(),
            due: (1..=GAMES).map(|game| (game, Some(bench_time()))).collect(),
            ..Batch::default()
        }
    }

    /// Commits a batch and writes its journal. Returns the time taken.
    fn time_commit(&self, batch: &Batch) -> Duration {
        let began = Instant::now();
        self.store.write_without_conflict_check(batch).expect("it is kept");
        self.store.update_journal(&self.journal_path()).expect("it is written");
        began.elapsed()
    }

    /// Reads all queued letters and removes them as sent. Returns the time taken.
    fn post_outbox(&self) -> Duration {
        let began = Instant::now();
        let waiting = self.store.load_sendable(bench_time(), usize::MAX).expect("it is read");
        assert_eq!(waiting.len(), LETTERS_PER_PASS);
        let sent = waiting.into_iter().map(|queued| queued.key).collect();
        self.store
            .write_without_conflict_check(&Batch { sent, ..Batch::default() })
            .expect("it is forgotten");
        began.elapsed()
    }

    fn journal_path(&self) -> PathBuf {
        self.home.path().join("journal")
    }
}

fn bench_busy_pass(criterion: &mut Criterion) {
    let mut busy = BenchStore::new();
    let mut group = criterion.benchmark_group("the store in a busy pass");
    let bytes = LETTERS_PER_PASS * LETTER_BYTES + GAMES as usize * RECORD_BYTES;
    group.sample_size(10).throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("commit and journal", |bencher| {
        bencher.iter_custom(|rounds| {
            let took = (0..rounds).map(|_| {
                let batch = busy.next_batch();
                let took = busy.time_commit(&batch);
                busy.post_outbox();
                took
            });
            took.sum()
        });
    });
    group.bench_function("read the outbox and forget it", |bencher| {
        bencher.iter_custom(|rounds| {
            let took = (0..rounds).map(|_| {
                let batch = busy.next_batch();
                busy.time_commit(&batch);
                busy.post_outbox()
            });
            took.sum()
        });
    });
    group.bench_function("floor: one write and fsync", |bencher| {
        let bytes = vec![b'x'; bytes];
        let path = busy.home.path().join("floor");
        bencher.iter(|| {
            let mut file = std::fs::File::create(&path).expect("a file");
            file.write_all(&bytes).and_then(|()| file.sync_all()).expect("written");
        });
    });
    group.finish();
}

criterion_group!(benches, bench_busy_pass);
criterion_main!(benches);
