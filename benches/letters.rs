//! Measures how long the program works on letters that are made to be slow, before any game sees
//! them. A letter of plain words with as many bytes is measured for comparison.

#[path = "../tests/parts/nasty/mod.rs"]
mod nasty;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nasty::work::{all, letter, work_on};
use postrider::mail::BYTES_MAX;

/// A letter of plain words that is at least `bytes` long.
const PLAIN_LETTER: nasty::Nasty = ("floor: a letter of plain words", |bytes| {
    let line = "I think that red should go to the south before anybody else does.\r\n";
    format!("Subject: Paris\r\n\r\n{}", line.repeat(bytes / line.len() + 1))
});

fn bench_letters(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("what is done with a letter before a game is asked");
    group.sample_size(10);
    for (nasty, most) in all().into_iter().chain([(&PLAIN_LETTER, BYTES_MAX)]) {
        let letter = letter(nasty, most);
        group.throughput(Throughput::Bytes(letter.len() as u64));
        group.bench_function(nasty.0, |bencher| bencher.iter(|| work_on(&letter)));
    }
    group.finish();
}

criterion_group!(benches, bench_letters);
criterion_main!(benches);
