//! Measures random play of each game: listing the legal orders, deciding one of them, and applying
//! its events.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use postrider::games::{OffTheRails, ParisConnection, TrickOfTheRails};
use postrider::rules::{Dice, Rules, Seed, Turn, yaml};

/// Plays one whole game and returns its number of orders.
fn play_random_game<G: Rules>(blank: &G::State, seed: u64) -> u64 {
    let mut dice = Dice::new(&Seed::from_number(seed), 0);
    let mut chooser = Dice::new(&Seed::from_number(!seed), 0);
    let mut state = blank.clone();
    for event in G::setup(&state, &mut dice) {
        G::apply(&mut state, &event);
    }
    let mut steps = 0;
    while let Turn::Awaiting(seats) = G::turn(&state) {
        let seat = seats[chooser.roll_below(seats.len() as u32) as usize];
        let legal = G::legal_orders(&state, seat);
        let order = chooser.pick(&legal).expect("something is legal");
        for event in G::decide(&state, seat, order, &mut dice).expect("and accepted") {
            G::apply(&mut state, &event);
        }
        steps += 1;
    }
    steps
}

fn bench_game<G: Rules>(criterion: &mut Criterion) {
    let definition: G::Definition = yaml::parse(G::DEFINITION).expect("the shipped definition");
    let mut group = criterion.benchmark_group("random play");
    for seats in [*G::SEATS.start(), *G::SEATS.end()] {
        let blank = G::initial_state(&definition, &G::Options::default(), seats).expect("it opens");
        let seeds = 1..21;
        let steps: u64 = seeds.clone().map(|seed| play_random_game::<G>(&blank, seed)).sum();
        group.throughput(Throughput::Elements(steps));
        group.sample_size(20);
        group.bench_function(BenchmarkId::new(G::ID, seats), |bencher| {
            bencher.iter(|| {
                seeds.clone().map(|seed| play_random_game::<G>(&blank, seed)).sum::<u64>()
            });
        });
    }
    group.finish();
}

fn bench_all_games(criterion: &mut Criterion) {
    bench_game::<ParisConnection>(criterion);
    bench_game::<TrickOfTheRails>(criterion);
    bench_game::<OffTheRails>(criterion);
}

criterion_group!(benches, bench_all_games);
criterion_main!(benches);
