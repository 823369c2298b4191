//! Tests that no plan vanishes without notice in whole games of careful players.

use postrider::games::find_kind;
use postrider::rules::{Dice, Message, Seat, Seed, Turn};
use postrider::table::{GameSetup, OrderLine, QueuedOrders, Submission, Table, Verdict};
use std::collections::BTreeMap;

/// The fates of all plans of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PlanCounts {
    /// The number of lines that were written as plans.
    written: usize,
    /// The number of plans that were stored.
    stored: usize,
    /// The number of letters of plans from which an order was carried out at once.
    carried_out: usize,
    /// The number of plans that were carried out later.
    used: usize,
    /// The number of plans that a later letter replaced.
    replaced: usize,
    /// The number of plans that were dropped with a notice.
    dropped_with_notice: usize,
    /// The number of plans that vanished without a notice.
    vanished: usize,
    /// The number of letters with plans only.
    letters: usize,
    /// The number of refused letters.
    refused: usize,
    /// The number of plans that came too late, as the answer to their letter said.
    overtaken: usize,
}

#[test]
fn no_plan_vanishes_without_notice() {
    let mut all = PlanCounts::default();
    for (seats, seed, options) in [
        (3, 1, &[][..]),
        (4, 2, &[]),
        (5, 3, &[]),
        (3, 4, &[("expert_lane", "true")]),
        (4, 5, &[("expert_lane", "true"), ("teams", "true")]),
        (5, 6, &[]),
    ] {
        play_careful_game(seats, seed, options, &mut all);
    }
    assert_eq!(all.vanished, 0, "{all:?}");
    assert!(all.used > all.stored / 10 && all.carried_out > 0, "{all:?}");
    assert!(
        all.dropped_with_notice > 0 && all.overtaken > 0 && all.refused < all.letters / 8,
        "{all:?}"
    );
}

/// A table whose players write orders and plans at random.
struct SimulatedPlayers<'a> {
    table: Table,
    standing: Vec<QueuedOrders>,
    chooser: Dice,
    count: &'a mut PlanCounts,
}

fn play_careful_game(seats: u8, seed: u64, options: &[(&str, &str)], count: &mut PlanCounts) {
    let kind = find_kind("trick-of-the-rails").expect("it ships");
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let options: BTreeMap<String, String> = options.iter().map(own).collect();
    let setup = GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats };
    let began = chrono::DateTime::UNIX_EPOCH;
    let table = Table::found_game(setup, 1, Seed::from_number(seed), began).expect("it is founded");
    let chooser = Dice::new(&Seed::from_number(!seed), 0);
    let standing = vec![QueuedOrders::default(); seats.into()];
    let mut writers = SimulatedPlayers { table, standing, chooser, count };
    for _ in 0..2_000 {
        let Turn::Awaiting(awaited) = writers.table.turn() else { return };
        for seat in Seat::all(seats) {
            if writers.chooser.roll_below(3) == 0 {
                writers.send_plans(seat);
            }
        }
        writers.run_plans();
        if writers.table.turn().awaits(awaited[0]) {
            writers.send_order(awaited[0]);
        }
        writers.run_plans();
    }
    panic!("it does not end");
}

impl SimulatedPlayers<'_> {
    /// Sends a letter with plans only, based on the latest record or an older one.
    fn send_plans(&mut self, seat: Seat) {
        self.count.letters += 1;
        let old = self.chooser.roll_below(4);
        let seen = self.table.last_record_number().saturating_sub(old).max(1);
        let past = self.table.at_record(seen).expect("it was there");
        let lines = past.game().random_plan_lines(seat, &mut self.chooser);
        self.send_letter(seat, lines, seen, false);
    }

    /// Sends an order, with plans for the position after it. The plans come before or after the
    /// order.
    fn send_order(&mut self, seat: Seat) {
        let legal = self.table.game().legal_lines(seat);
        let line = self.chooser.pick(&legal).expect("it is awaited").clone();
        let mut after = self.table.game().clone_box();
        let mut dice = Dice::new(&Seed::from_number(0), 0);
        after.judge_and_play_line(seat, &line, &[], &mut dice).expect("it is legal");
        let mut lines = match self.chooser.roll_below(3) {
            0 => Vec::new(),
            _ => after.random_plan_lines(seat, &mut self.chooser),
        };
        // If the player may lead now, `lead` before the order would itself be an order.
        let at = usize::try_from(self.chooser.roll_below(2)).expect("one") * lines.len();
        lines.retain(|plan| at == 0 || !plan.starts_with("lead"));
        // A second `end` in a letter would be a second order.
        lines.retain(|plan| !line.starts_with("end") || !plan.starts_with("end"));
        let at = at.min(lines.len());
        lines.insert(at, line);
        self.send_letter(seat, lines, self.table.last_record_number(), true);
    }

    fn send_letter(&mut self, seat: Seat, lines: Vec<String>, seen: u32, is_order: bool) {
        let lines: Vec<OrderLine> =
            (1..).zip(lines).map(|(number, text)| OrderLine::new(number, text)).collect();
        if lines.is_empty() {
            return;
        }
        let standing = self.standing[seat.index()].clone();
        let letter =
            Submission { seat, lines: &lines, seen_record: seen, letter: None, queued: &standing };
        self.count.written += lines.len() - usize::from(is_order);
        match self.table.submit(&letter, chrono::DateTime::UNIX_EPOCH) {
            Verdict::Accepted { table, queued: kept, remarks, .. } => {
                let late: usize = remarks.iter().map(count_named_plans).sum();
                self.count.overtaken += late;
                let moved =
                    usize::from(table.last_record_number() > self.table.last_record_number());
                let is_new = kept.plans != standing.plans;
                let filed = if is_new { kept.plans.len() } else { 0 };
                self.count.stored += filed;
                self.count.replaced += if is_new { standing.plans.len() } else { 0 };
                // A plan in a letter with an order may be carried out within that letter, so only
                // letters of plans are counted exactly.
                if !is_order {
                    self.count.carried_out += moved;
                    let all = filed + moved + late == lines.len();
                    assert!(all || !is_new, "{lines:?}: {kept:?}");
                }
                (self.table, self.standing[seat.index()]) = (*table, kept);
            }
            Verdict::Refused(refused) => {
                assert!(
                    !is_order || seen < self.table.last_record_number(),
                    "{lines:?}: {refused:?}"
                );
                self.count.refused += 1;
            }
        }
    }

    fn run_plans(&mut self) {
        let (before, head) = (self.standing.clone(), self.table.last_record_number());
        let carried = self.table.play_queued_orders(&before, &[], chrono::DateTime::UNIX_EPOCH);
        let plans = |all: &[QueuedOrders]| all.iter().map(|one| one.plans.len()).sum::<usize>();
        let used = usize::try_from(carried.table.last_record_number() - head).expect("few");
        (self.table, self.standing) = (carried.table, carried.queued);
        let dropped: usize = self
            .standing
            .iter_mut()
            .flat_map(|one| std::mem::take(&mut one.unsent_notices))
            .map(|word| count_named_plans(&word))
            .sum();
        self.count.used += used;
        self.count.dropped_with_notice += dropped;
        self.count.vanished += plans(&before) - plans(&self.standing) - used - dropped;
    }
}

/// Returns how many plans a notice names.
fn count_named_plans(word: &Message) -> usize {
    let word = serde_json::to_value(word).expect("it is data");
    word["args"]["plan"]["list"].as_array().map_or(1, Vec::len)
}
