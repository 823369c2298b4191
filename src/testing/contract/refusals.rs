//! Checks of illegal orders and unreadable lines: they must be refused, each time in the same way,
//! with a line that could be sent instead.

use super::walk::RandomGame;
use crate::rules::{Game, RefusalKind, Seat};

/// The number of legal orders up to which all of them are judged. Of a longer list, a sample is
/// judged.
const JUDGED_MAX: usize = 8;
/// The number of orders from other positions that are judged.
const FOREIGN_ORDERS: usize = 10;
/// Lines that no game can read.
const INVALID_LINES: [&str; 3] = ["", "no such order", "next: what"];

impl<G: Game> RandomGame<G> {
    /// Picks some legal orders, always with the first and the last one, and orders from other
    /// positions. If the seat is not awaited, one of the latter is enough, because all are refused
    /// for one reason.
    pub fn pick_orders_to_judge(&mut self, legal: &[G::Order]) -> Vec<G::Order> {
        let mut orders: Vec<G::Order> = match legal {
            [first, .., last] if legal.len() > JUDGED_MAX => vec![first.clone(), last.clone()],
            _ => legal.to_vec(),
        };
        let listed = legal.len().saturating_sub(orders.len()).min(JUDGED_MAX / 2);
        orders.extend((0..listed).filter_map(|_| self.chooser.pick(legal).cloned()));
        let tried = if legal.is_empty() { 1 } else { FOREIGN_ORDERS };
        orders.extend((0..tried).filter_map(|_| self.chooser.pick(&self.coverage.pool).cloned()));
        orders
    }

    /// Asserts that an order is accepted if and only if it is listed as legal, and that the same
    /// dice give the same decision twice.
    pub fn assert_verdict(&mut self, seat: Seat, order: &G::Order, legal: bool) {
        let verdict = G::decide(&self.state, seat, order, &mut self.copy_dice());
        match &verdict {
            Ok(_) => assert!(legal, "{self}, seat {seat}: {order:?} is accepted and not listed"),
            Err(refusal) => {
                assert!(!legal, "{self}, seat {seat}: {order:?} is listed: {refusal:?}");
                let is_read = refusal.kind == RefusalKind::Illegal;
                assert!(is_read, "{self}: {order:?} is refused as if it could not be read");
                self.coverage.record_refusal(refusal);
            }
        }
        let again = G::decide(&self.state, seat, order, &mut self.copy_dice());
        assert_eq!(verdict, again, "{self}, seat {seat}: {order:?} is decided otherwise again");
    }

    /// Asserts that unreadable lines are refused with lines that can be read. A line that is
    /// readable after all is judged as an order.
    pub fn assert_wrong_lines_are_refused(&mut self, seat: Seat, legal: &[G::Order]) {
        for line in self.make_wrong_lines() {
            let refusal = match G::parse_line(&self.state, seat, &line) {
                Err(refusal) => refusal,
                Ok(read) => {
                    read.remarks
                        .iter()
                        .for_each(|remark| self.coverage.words.check_message(remark));
                    let first = read.orders.first();
                    let order = first.unwrap_or_else(|| panic!("{self}: {line} orders nothing"));
                    self.assert_verdict(seat, order, legal.contains(order));
                    continue;
                }
            };
            self.coverage.record_refusal(&refusal);
            let shown = serde_json::to_value(&refusal).expect("a refusal has a form");
            let offers = shown["instead"].as_array().is_some_and(|instead| !instead.is_empty());
            // If a rule forbids an order, the letter adds legal orders by itself. If the seat is
            // not awaited, the game may have nothing to offer.
            let is_awaited = !legal.is_empty();
            if is_awaited && !offers && refusal.kind != RefusalKind::Illegal {
                self.coverage.bare_refusals.insert(refusal.reason.key, line);
            }
        }
    }

    /// Returns unreadable lines, and one known line with a word left out, doubled, moved to the
    /// end, or replaced.
    fn make_wrong_lines(&mut self) -> Vec<String> {
        let mut lines: Vec<String> = INVALID_LINES.map(str::to_owned).to_vec();
        let Some(line) = self.chooser.pick(&self.coverage.lines).cloned() else { return lines };
        let foreign = self.chooser.pick(&self.coverage.lines).cloned().unwrap_or_default();
        let words: Vec<&str> = line.split(' ').collect();
        let at = self.chooser.roll_below(u32::try_from(words.len()).expect("few")) as usize;
        let (before, word, after) = (&words[..at], words[at], &words[at + 1..]);
        let number = (self.chooser.roll_below(12)).to_string();
        let other = self.chooser.pick(&words).copied().unwrap_or_default();
        let foreign = foreign.split(' ').nth(at).unwrap_or_default();
        let wrong = [
            [before, &[foreign], after].concat(),
            [before, after].concat(),
            [before, &[word, word], after].concat(),
            [before, after, &[word]].concat(),
            [before, &[other], after].concat(),
            [before, &[&*number], after].concat(),
            [before, &[&*number, word], after].concat(),
        ];
        lines.extend(wrong.map(|words| words.join(" ")));
        lines.push(line);
        lines
    }
}
