//! Tests of the memory that one hostile letter can cost. They count the peak, and check that a
//! letter of twice the size allocates about twice the memory, since superlinear work would allocate
//! more. `cargo bench --bench letters` measures the time.

use crate::nasty::Nasty;
use crate::nasty::work::{all, letter, work_on};
use chrono::DateTime;
use postrider::games::find_kind;
use postrider::render::Library;
use postrider::rules::{Seat, Seed};
use postrider::table::{GameSetup, SentenceReader, Table};
use postrider::testing::sample_or_all;

/// The largest permitted peak of memory for one letter: 64 MiB.
const HELD_BYTES_MAX: u64 = 64 << 20;
/// The factor by which the letters of a usual run are smaller.
const SAMPLE_DIVISOR: usize = 8;

/// Returns what is wrong with the memory that a letter needs.
fn find_cost_faults((nasty, most): &(&'static Nasty, usize)) -> Vec<String> {
    // Superlinear work shows at any size, so a usual run tries smaller letters.
    let smaller = sample_or_all(SAMPLE_DIVISOR, 1);
    let most = most / smaller;
    let cost = |size| {
        let letter = letter(nasty, size);
        allocation_counter::measure(|| {
            work_on(&letter);
        })
    };
    let (half, whole) = (cost(most / 2), cost(most));
    let mut faults = Vec::new();
    if whole.bytes_max > HELD_BYTES_MAX / smaller as u64 {
        faults.push(format!("{}: holds {} KiB", nasty.0, whole.bytes_max >> 10));
    }
    // The limit is a factor of three, because a vector that has just grown may have much unused
    // capacity.
    if whole.bytes_total > 3 * half.bytes_total.max((1 << 18) / smaller as u64) {
        let (half, whole) = (half.bytes_total >> 10, whole.bytes_total >> 10);
        let nasty = nasty.0;
        faults.push(format!("{nasty}: asks for {half} KiB, and twice the letter for {whole}"));
    }
    assert!(whole.bytes_total > 1 << 10, "nothing was counted");
    faults
}

#[test]
fn letter_memory_stays_within_bounds() {
    // Allocations are counted per thread, so the letters can be measured in parallel.
    let all = all();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share =
        |from: usize| all.iter().skip(from).step_by(threads).flat_map(find_cost_faults).collect();
    let faults: Vec<String> = std::thread::scope(|scope| {
        let share = &share;
        let workers: Vec<_> = (0..threads).map(|from| scope.spawn(move || share(from))).collect();
        workers
            .into_iter()
            .flat_map(|worker| -> Vec<String> { worker.join().expect("it ends") })
            .collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Lines of these pieces consist of the phrases that people write around an order.
const PHRASES: [&str; 9] =
    ["pls/x ", "thanks ", "please ", "i ", "then ", "x then ", "- ", "hi. ", "one comma "];

#[test]
fn search_for_orders_allocates_linearly() {
    let kind = find_kind("paris-connection").expect("it ships");
    let (definition, options) = (kind.shipped_definition(), [].into());
    let setup = GameSetup { kind, definition, options: &options, seats: 3 };
    let table = Table::found_game(setup, 1, Seed::from_number(7), DateTime::UNIX_EPOCH);
    let library = Library::embedded().expect("its phrases ship");
    let table = table.expect("a table").with_phrases(library.phrases());
    let seat = Seat::new(1);
    let words = table.seat_vocabulary(seat);
    words.vocabulary();
    let reader = SentenceReader { table: &table, seat, words: &words, is_own_name: &|_| false };
    let cost = |phrase: &str, length: usize| {
        let line = phrase.repeat(length / phrase.len());
        let measured = allocation_counter::measure(|| {
            table.extract_order(&words, seat, &line);
            reader.find_orders(&line);
        });
        measured.bytes_total
    };
    for phrase in PHRASES {
        for length in [300, 500] {
            let (half, whole) = (cost(phrase, length / 2), cost(phrase, length));
            assert!(whole < 3 * half, "{phrase:?}: {half} bytes, and {whole} for twice the line");
        }
        assert_eq!(cost(phrase, 500_000), 0, "{phrase:?}: no order is so long");
    }
}
