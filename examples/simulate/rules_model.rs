//! A model that applies the orders of one pass with the rules alone: each game as it was before the
//! pass, and its orders in their order of arrival. Knows neither mail nor the store.
//!
//! The model covers a game if only orders arrived for it in the pass. It does not know which reply
//! tokens are valid, so it leaves out games with orders from a seat that has had new tokens.

use crate::letter_writers;
use crate::simulated_club::{InboundLetter, MODERATOR, OrderedLines, SimulatedClub, SimulatedTurn};
use postrider::mail::Letter;
use postrider::process;
use postrider::rules::Seat;
use postrider::table::{Cause, OrderLine, QueuedOrders, Record, Submission, Table, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// The games of one pass, as they were before it.
pub struct RulesModel<'a> {
    games: BTreeMap<u32, GameModel<'a>>,
}

struct GameModel<'a> {
    table: Table,
    standing: BTreeMap<Seat, QueuedOrders>,
    letters: Vec<(&'a InboundLetter, &'a OrderedLines)>,
}

impl<'a> RulesModel<'a> {
    /// Collects the games that the model covers, and their orders. Must be called before the pass.
    pub fn new(world: &SimulatedClub, turn: &'a SimulatedTurn) -> Self {
        let mut games: BTreeMap<u32, GameModel> = BTreeMap::new();
        let busy = |letter: &&InboundLetter| {
            letter.orders.is_none() && !letter_writers::changes_no_game(letter)
        };
        let mut letters: Vec<&InboundLetter> = turn.letters.iter().collect();
        letters.sort_by(|one, other| one.name.cmp(&other.name));
        if letters.iter().filter(|letter| busy(letter)).any(|letter| letter.from == MODERATOR) {
            return Self { games };
        }
        let ordered = letters.iter().filter_map(|letter| letter.orders.as_ref());
        let ordered: BTreeSet<u32> = ordered.map(|orders| orders.game).collect();
        let context = world.open_context().expect("the club opens");
        let has_come = |letter: &&InboundLetter, seats: &[(Seat, String)]| {
            seats.iter().any(|(_, address)| *address == letter.from)
        };
        for game in ordered {
            let Ok(session) = process::load_stored_game(&context, game) else { continue };
            let seated = Seat::all(session.table.founding().seats)
                .filter_map(|seat| Some((seat, session.seat(seat)?)));
            let (mut seats, mut standing) = (Vec::new(), BTreeMap::new());
            let mut seats_with_new_tokens = BTreeSet::new();
            for (seat, (seated, member)) in seated.filter(|(_, (seated, _))| !seated.has_left) {
                let addresses = member.addresses.iter().map(|address| (seat, address.clone()));
                seats.extend(addresses);
                standing.insert(seat, seated.queued_orders.clone());
                if seated.token_generation > 1 || member.token_generation > 0 {
                    seats_with_new_tokens.insert(seat);
                }
            }
            if letters.iter().filter(|letter| busy(letter)).any(|letter| has_come(letter, &seats)) {
                continue;
            }
            let ours = |letter: &&'a InboundLetter| {
                let orders = letter.orders.as_ref().filter(|orders| orders.game == game)?;
                let is_from = (orders.seat, letter.from.clone());
                seats.contains(&is_from).then_some((*letter, orders))
            };
            let letters: Vec<(&InboundLetter, &OrderedLines)> =
                letters.iter().filter_map(ours).collect();
            if !letters.iter().any(|(_, orders)| seats_with_new_tokens.contains(&orders.seat)) {
                games.insert(game, GameModel { table: session.table, standing, letters });
            }
        }
        Self { games }
    }

    /// Checks after the pass that the logs contain what the rules accept, and nothing else. Returns
    /// the number of letters that were checked.
    pub fn check_agreement(self, world: &SimulatedClub) -> Result<u64, String> {
        let context = world.open_context().expect("the club opens");
        let mut judged = 0;
        for (number, game) in self.games {
            let after =
                process::load_stored_game(&context, number).map_err(|error| error.to_string())?;
            judged += game
                .check_agreement(&after.table)
                .map_err(|why| format!("game {number}: {why}"))?;
        }
        Ok(judged)
    }
}

impl GameModel<'_> {
    fn check_agreement(mut self, after: &Table) -> Result<u64, String> {
        let (mut judged, mut head) = (0, self.table.last_record_number());
        for (letter, OrderedLines { seat, seen, lines, .. }) in &self.letters {
            let numbered: Vec<OrderLine> =
                (1..).zip(lines).map(|(at, line)| OrderLine::new(at, line.clone())).collect();
            let Some(standing) = self.standing.get_mut(seat) else { continue };
            let submission = Submission {
                seat: *seat,
                lines: &numbered,
                seen_record: *seen,
                letter: None,
                queued: standing,
            };
            let found =
                after.records_since(head).iter().find(|record| was_caused_by(record, letter));
            let verdict = self.table.submit(&submission, self.table.founding().at);
            judged += 1;
            let (table, kept) = match verdict {
                Verdict::Accepted { table, queued: standing, .. } => (table, standing),
                Verdict::Refused(_) if found.is_none() => continue,
                Verdict::Refused(_) => {
                    return Err(format!("{lines:?} is in the log, but the rules refuse it"));
                }
            };
            if table.last_record_number() == head && found.is_some() {
                return Err(format!("{lines:?} is in the log, but is only a plan by the rules"));
            }
            if table.last_record_number() > head
                && found.is_none_or(|found| found.seq != table.last_record_number())
            {
                return Err(format!(
                    "{lines:?} of seat {seat} is not in the log, but the rules accept it"
                ));
            }
            (*standing, self.table, head) = (kept, *table, found.map_or(head, |found| found.seq));
            // Plans may be carried out after an order. The next letter then meets another position,
            // so the model stops here.
            let next = after.records_since(head).first();
            let is_ours = |next| self.letters.iter().any(|(letter, _)| was_caused_by(next, letter));
            if next.is_some_and(|next| !is_ours(next)) {
                break;
            }
        }
        Ok(judged)
    }
}

/// Whether the record was caused by this letter.
fn was_caused_by(record: &Record, letter: &InboundLetter) -> bool {
    let Cause::Orders { letter: Some(by), .. } = &record.cause else { return false };
    let reference = serde_json::to_value(by).unwrap_or_default();
    let digest = reference["digest"].as_str().unwrap_or_default();
    Letter::parse(&letter.bytes).is_ok_and(|letter| letter.hash.to_string() == digest)
}
