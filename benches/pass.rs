//! A batch of order letters, from bytes in the inbox to a durable outbox and to letters posted,
//! beside its floors: reading the letters alone, and one write and fsync of as many bytes as were
//! posted. Both are of letters of plain text; the same with HTML and with pictures stands beside,
//! and the same in a club on a server where `POSTRIDER_TEST_POSTGRES` tells of one.

mod batch;

use batch::{Club, Made, Scales, Schema};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use postrider::mail::{Letter, order_lines};
use std::io::Write;
use std::time::{Duration, Instant};

/// Games in the club, and letters in a batch; of a debug build it is only asked whether all runs.
const GAMES: u32 = if cfg!(debug_assertions) { 20 } else { 1_000 };
/// Games whose letters are drawn: pictures are the larger part of their time.
const DRAWN: u32 = 20;

/// Where clubs are kept: in their folders, and on a server where there is one.
fn stores() -> impl Iterator<Item = (&'static str, Option<Schema>)> {
    let server = Schema::new().map(|schema| (" on a server", Some(schema)));
    std::iter::once(("", None)).chain(server)
}

fn batches(criterion: &mut Criterion) {
    stores().for_each(|(place, schema)| batch_in(criterion, place, schema));
}

fn batch_in(criterion: &mut Criterion, place: &str, schema: Option<Schema>) {
    let mut club = Club::with_games(GAMES, Made::Text, schema);
    let letters = club.letters_arrive();
    club.take_in();
    let Scales { letters: posted, bytes } = club.drain();
    let mut group = criterion.benchmark_group(format!("1,000 order letters{place}"));
    group.sample_size(10).throughput(Throughput::Elements(GAMES.into()));
    group.bench_function("bytes in to durable outbox", |bencher| {
        bencher.iter_custom(|rounds| {
            let mut took = Duration::ZERO;
            for _ in 0..rounds {
                let written = club.letters_arrive().len();
                let (time, carried_out) = club.take_in();
                assert_eq!(carried_out, written, "every letter is an order that is carried out");
                took += time;
                club.drain();
            }
            took
        });
    });
    group.bench_function("bytes in to posted", |bencher| {
        bencher.iter_custom(|rounds| club.posted(rounds));
    });
    group.bench_function("floor: reading the letters", |bencher| {
        bencher.iter(|| {
            for bytes in &letters {
                let letter = Letter::read(bytes).expect("a letter");
                assert!(order_lines(&letter.body, &["marker"]).is_ok());
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

/// One letter in a pass of its own, which is what most passes are.
fn single(criterion: &mut Criterion) {
    stores().for_each(|(place, schema)| single_in(criterion, place, schema));
}

fn single_in(criterion: &mut Criterion, place: &str, schema: Option<Schema>) {
    let mut club = Club::with_games(GAMES, Made::Html, schema);
    let name = format!("1 order letter in a club of 1,000 games{place}");
    let mut group = criterion.benchmark_group(name);
    group.sample_size(20);
    group.bench_function("bytes in to posted", |bencher| {
        bencher.iter_custom(|rounds| {
            let mut took = Duration::ZERO;
            for _ in 0..rounds {
                let letter = club.orders().swap_remove(0);
                club.arrives(&letter);
                let (time, carried_out) = club.take_in();
                assert_eq!(carried_out, 1, "the letter is an order that is carried out");
                let began = Instant::now();
                assert!(club.drain().letters > 0, "letters were posted");
                took += time + began.elapsed();
            }
            took
        });
    });
    group.finish();
}

/// The same to posted letters, by what these are made of.
fn drawn(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("20 order letters to posted");
    group.sample_size(10).throughput(Throughput::Elements(DRAWN.into()));
    for made in [Made::Text, Made::Html, Made::Picture] {
        let mut club = Club::with_games(DRAWN, made, None);
        group.bench_function(format!("{made:?}"), |bencher| {
            bencher.iter_custom(|rounds| club.posted(rounds));
        });
    }
    group.finish();
}

criterion_group!(benches, batches, single, drawn);
criterion_main!(benches);
