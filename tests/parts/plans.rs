//! Plans of careful players through whole games: none of them vanishes without a word.

use postrider::games::kind;
use postrider::rules::{Dice, Message, Seat, Seed, Turn};
use postrider::table::{GameSetup, OrderLine, StandingOrders, Submission, Table, Verdict};
use std::collections::BTreeMap;

/// What became of the plans of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    /// Lines that were written as plans.
    written: usize,
    /// Plans that were kept.
    filed: usize,
    /// Plans whose letter was carried out by them at once.
    carried_out: usize,
    /// Plans that were used later.
    used: usize,
    /// Plans that a later letter took the place of.
    replaced: usize,
    /// Plans that were dropped with a word.
    told: usize,
    /// Plans that are gone, and nobody was told.
    vanished: usize,
    /// Letters that held nothing but plans.
    letters: usize,
    /// Letters that were refused.
    refused: usize,
    /// Plans that were overtaken before they came, which their letter's answer says.
    late: usize,
}

#[test]
fn no_plan_of_a_careful_player_vanishes_in_silence() {
    let mut all = Count::default();
    for (seats, seed, options) in [
        (3, 1, &[][..]),
        (4, 2, &[]),
        (5, 3, &[]),
        (3, 4, &[("expert_lane", "true")]),
        (4, 5, &[("expert_lane", "true"), ("teams", "true")]),
        (5, 6, &[]),
    ] {
        careful_game(seats, seed, options, &mut all);
    }
    assert_eq!(all.vanished, 0, "{all:?}");
    assert!(all.used > all.filed / 10 && all.carried_out > 0, "{all:?}");
    assert!(all.told > 0 && all.late > 0 && all.refused < all.letters / 8, "{all:?}");
}

/// Who writes at a table, and what for.
struct Writers<'a> {
    table: Table,
    standing: Vec<StandingOrders>,
    chooser: Dice,
    count: &'a mut Count,
}

fn careful_game(seats: u8, seed: u64, options: &[(&str, &str)], count: &mut Count) {
    let kind = kind("trick-of-the-rails").expect("it ships");
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let options: BTreeMap<String, String> = options.iter().map(own).collect();
    let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats };
    let began = chrono::DateTime::UNIX_EPOCH;
    let table = Table::found(setup, 1, Seed::rehearsal(seed), began).expect("it is founded");
    let chooser = Dice::new(&Seed::rehearsal(!seed), 0);
    let standing = vec![StandingOrders::default(); seats.into()];
    let mut writers = Writers { table, standing, chooser, count };
    for _ in 0..2_000 {
        let Turn::Awaiting(awaited) = writers.table.turn() else { return };
        for seat in Seat::all(seats) {
            if writers.chooser.below(3) == 0 {
                writers.plans(seat);
            }
        }
        writers.follows();
        if writers.table.turn().awaits(awaited[0]) {
            writers.orders(awaited[0]);
        }
        writers.follows();
    }
    panic!("it does not end");
}

impl Writers<'_> {
    /// A letter that holds nothing but plans, to the newest letter or an older one.
    fn plans(&mut self, seat: Seat) {
        self.count.letters += 1;
        let old = self.chooser.below(4);
        let seen = self.table.head().saturating_sub(old).max(1);
        let past = self.table.at(seen).expect("it was there");
        let lines = past.game().plans_at_random(seat, &mut self.chooser);
        self.sends(seat, lines, seen, false);
    }

    /// An order, with plans for what comes after it before and behind it.
    fn orders(&mut self, seat: Seat) {
        let legal = self.table.game().legal(seat);
        let line = self.chooser.pick(&legal).expect("it is awaited").clone();
        let mut after = self.table.game().copy();
        let mut dice = Dice::new(&Seed::rehearsal(0), 0);
        after.play(seat, &line, &[], &mut dice).expect("it is legal");
        let mut lines = match self.chooser.below(3) {
            0 => Vec::new(),
            _ => after.plans_at_random(seat, &mut self.chooser),
        };
        // Where he leads now, `lead` in front of the order would be one itself.
        let at = usize::try_from(self.chooser.below(2)).expect("one") * lines.len();
        lines.retain(|plan| at == 0 || !plan.starts_with("lead"));
        // A second `end` in a letter would be a second order.
        lines.retain(|plan| !line.starts_with("end") || !plan.starts_with("end"));
        let at = at.min(lines.len());
        lines.insert(at, line);
        self.sends(seat, lines, self.table.head(), true);
    }

    fn sends(&mut self, seat: Seat, lines: Vec<String>, seen: u32, is_order: bool) {
        let lines: Vec<OrderLine> =
            (1..).zip(lines).map(|(number, text)| OrderLine::new(number, text)).collect();
        if lines.is_empty() {
            return;
        }
        let standing = self.standing[seat.index()].clone();
        let letter = Submission { seat, lines: &lines, seen, letter: None, standing: &standing };
        self.count.written += lines.len() - usize::from(is_order);
        match self.table.submit(&letter, chrono::DateTime::UNIX_EPOCH) {
            Verdict::Accepted { table, standing: kept, remarks } => {
                let late: usize = remarks.iter().map(named).sum();
                self.count.late += late;
                let moved = usize::from(table.head() > self.table.head());
                let is_new = kept.plans != standing.plans;
                let filed = if is_new { kept.plans.len() } else { 0 };
                self.count.filed += filed;
                self.count.replaced += if is_new { standing.plans.len() } else { 0 };
                // A line beside an order may have come to its time within the letter.
                if !is_order {
                    self.count.carried_out += moved;
                    let all = filed + moved + late == lines.len();
                    assert!(all || !is_new, "{lines:?}: {kept:?}");
                }
                (self.table, self.standing[seat.index()]) = (*table, kept);
            }
            Verdict::Refused(refused) => {
                assert!(!is_order || seen < self.table.head(), "{lines:?}: {refused:?}");
                self.count.refused += 1;
            }
        }
    }

    fn follows(&mut self) {
        let (before, head) = (self.standing.clone(), self.table.head());
        let carried = self.table.carry_on(&before, &[], chrono::DateTime::UNIX_EPOCH);
        let plans = |all: &[StandingOrders]| all.iter().map(|one| one.plans.len()).sum::<usize>();
        let used = usize::try_from(carried.table.head() - head).expect("few");
        (self.table, self.standing) = (carried.table, carried.standing);
        let told: usize = self
            .standing
            .iter_mut()
            .flat_map(|one| std::mem::take(&mut one.untold))
            .map(|word| named(&word))
            .sum();
        self.count.used += used;
        self.count.told += told;
        self.count.vanished += plans(&before) - plans(&self.standing) - used - told;
    }
}

/// How many plans a word on plans names.
fn named(word: &Message) -> usize {
    let word = serde_json::to_value(word).expect("it is data");
    word["args"]["plan"]["list"].as_array().map_or(1, Vec::len)
}
