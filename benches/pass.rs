//! Measures a batch of order letters, from their bytes in the inbox to the durable outbox and to
//! the posted letters.
//!
//! Two floors are measured for comparison: parsing the letters alone, and one write and fsync of as
//! many bytes as were posted. Another group compares plain text, HTML and pictures. If
//! `POSTRIDER_TEST_POSTGRES` names a server, the batches are also measured in a club on that
//! server.

mod batch;

use batch::{BenchClub, CountingTransport, LetterFormat, Schema};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use postrider::mail::{Letter, extract_order_lines};
use std::io::Write;
use std::time::{Duration, Instant};

/// The number of games, and of letters in a batch. It is small in a debug build, which only checks
/// that the benchmark runs.
const GAMES: u32 = if cfg!(debug_assertions) { 20 } else { 1_000 };
/// The number of games in the comparison of letter formats. It is small, because drawing pictures
/// takes most of the time.
const FORMAT_GAMES: u32 = 20;

/// Returns the stores to measure: a folder, and a server if one is configured.
fn list_stores() -> impl Iterator<Item = (&'static str, Option<Schema>)> {
    let server = Schema::new().map(|schema| (" on a server", Some(schema)));
    std::iter::once(("", None)).chain(server)
}

fn bench_batches(criterion: &mut Criterion) {
    list_stores().for_each(|(place, schema)| bench_batch_in(criterion, place, schema));
}

fn bench_batch_in(criterion: &mut Criterion, place: &str, schema: Option<Schema>) {
    let mut club = BenchClub::with_games(GAMES, LetterFormat::Text, schema);
    let letters = club.deliver_orders();
    club.read_inbox();
    let CountingTransport { letters: posted, bytes } = club.drain_outbox();
    let mut group = criterion.benchmark_group(format!("1,000 order letters{place}"));
    group.sample_size(10).throughput(Throughput::Elements(GAMES.into()));
    group.bench_function("bytes in to durable outbox", |bencher| {
        bencher.iter_custom(|rounds| {
            let mut took = Duration::ZERO;
            for _ in 0..rounds {
                let written = club.deliver_orders().len();
                let (time, carried_out) = club.read_inbox();
                assert_eq!(carried_out, written, "every letter is an order that is carried out");
                took += time;
                club.drain_outbox();
            }
            took
        });
    });
    group.bench_function("bytes in to posted", |bencher| {
        bencher.iter_custom(|rounds| club.measure_until_posted(rounds));
    });
    group.bench_function("floor: reading the letters", |bencher| {
        bencher.iter(|| {
            for bytes in &letters {
                let letter = Letter::parse(bytes).expect("a letter");
                assert!(extract_order_lines(&letter.body, &["marker"]).is_ok());
            }
        });
    });
    let each = bytes / posted;
    let floor = format!("floor: one write and fsync of {posted} letters posted, {each} bytes each");
    group.bench_function(floor, |bencher| {
        let outbox = vec![b'x'; bytes];
        let path = club.home.path().join("floor");
        bencher.iter(|| {
            let mut file = std::fs::File::create(&path).expect("a file");
            file.write_all(&outbox).and_then(|()| file.sync_all()).expect("written");
        });
    });
    group.finish();
}

/// Measures a pass with a single order letter, which is the most frequent kind of pass.
fn bench_single_letter(criterion: &mut Criterion) {
    list_stores().for_each(|(place, schema)| bench_single_letter_in(criterion, place, schema));
}

fn bench_single_letter_in(criterion: &mut Criterion, place: &str, schema: Option<Schema>) {
    let mut club = BenchClub::with_games(GAMES, LetterFormat::Html, schema);
    let name = format!("1 order letter in a club of 1,000 games{place}");
    let mut group = criterion.benchmark_group(name);
    group.sample_size(20);
    group.bench_function("bytes in to posted", |bencher| {
        bencher.iter_custom(|rounds| {
            let mut took = Duration::ZERO;
            for _ in 0..rounds {
                let letter = club.write_orders().swap_remove(0);
                club.deliver_letter(&letter);
                let (time, carried_out) = club.read_inbox();
                assert_eq!(carried_out, 1, "the letter is an order that is carried out");
                let began = Instant::now();
                assert!(club.drain_outbox().letters > 0, "letters were posted");
                took += time + began.elapsed();
            }
            took
        });
    });
    group.finish();
}

/// Measures 20 order letters up to the posted letters, for each format of the letters.
fn bench_letter_formats(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("20 order letters to posted");
    group.sample_size(10).throughput(Throughput::Elements(FORMAT_GAMES.into()));
    for made in [LetterFormat::Text, LetterFormat::Html, LetterFormat::Picture] {
        let mut club = BenchClub::with_games(FORMAT_GAMES, made, None);
        group.bench_function(format!("{made:?}"), |bencher| {
            bencher.iter_custom(|rounds| club.measure_until_posted(rounds));
        });
    }
    group.finish();
}

criterion_group!(benches, bench_batches, bench_single_letter, bench_letter_formats);
criterion_main!(benches);
