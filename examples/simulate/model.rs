//! What the rules alone make of the letters of a pass: each game as it stood before, and the orders
//! for it in the order in which they came. Knows neither mail nor store.
//!
//! A game for which something else has come in the same pass is left out: the model knows orders
//! only, and not which marks were valid once: nor is there one where somebody has written whose
//! seat has got new ones.

use crate::people;
use crate::world::{Inbound, MODERATOR, Ordered, Turn, World};
use postrider::mail::Letter;
use postrider::process;
use postrider::rules::Seat;
use postrider::table::{Cause, OrderLine, Record, StandingOrders, Submission, Table, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// The games of a pass, as they stood before it.
pub struct Model<'a> {
    games: BTreeMap<u32, Game<'a>>,
}

struct Game<'a> {
    table: Table,
    standing: BTreeMap<Seat, StandingOrders>,
    letters: Vec<(&'a Inbound, &'a Ordered)>,
}

impl<'a> Model<'a> {
    /// What will be asked of which game.
    pub fn new(world: &World, turn: &'a Turn) -> Self {
        let mut games: BTreeMap<u32, Game> = BTreeMap::new();
        let busy = |letter: &&Inbound| letter.orders.is_none() && !people::is_idle(letter);
        let mut letters: Vec<&Inbound> = turn.letters.iter().collect();
        letters.sort_by(|one, other| one.name.cmp(&other.name));
        if letters.iter().filter(|letter| busy(letter)).any(|letter| letter.from == MODERATOR) {
            return Self { games };
        }
        let ordered = letters.iter().filter_map(|letter| letter.orders.as_ref());
        let ordered: BTreeSet<u32> = ordered.map(|orders| orders.game).collect();
        let context = world.context().expect("the club opens");
        let has_come = |letter: &&Inbound, seats: &[(Seat, String)]| {
            seats.iter().any(|(_, address)| *address == letter.from)
        };
        for game in ordered {
            let Ok(session) = process::open_game(&context, game) else { continue };
            let seated = Seat::all(session.table.founding().seats)
                .filter_map(|seat| Some((seat, session.seat(seat)?)));
            let (mut seats, mut standing) = (Vec::new(), BTreeMap::new());
            let mut marked_anew = BTreeSet::new();
            for (seat, (seated, member)) in seated.filter(|(_, (seated, _))| !seated.left) {
                let addresses = member.addresses.iter().map(|address| (seat, address.clone()));
                seats.extend(addresses);
                standing.insert(seat, seated.standing.clone());
                if seated.generation > 1 || member.generation > 0 {
                    marked_anew.insert(seat);
                }
            }
            if letters.iter().filter(|letter| busy(letter)).any(|letter| has_come(letter, &seats)) {
                continue;
            }
            let ours = |letter: &&'a Inbound| {
                let orders = letter.orders.as_ref().filter(|orders| orders.game == game)?;
                let is_from = (orders.seat, letter.from.clone());
                seats.contains(&is_from).then_some((*letter, orders))
            };
            let letters: Vec<(&Inbound, &Ordered)> = letters.iter().filter_map(ours).collect();
            if !letters.iter().any(|(_, orders)| marked_anew.contains(&orders.seat)) {
                games.insert(game, Game { table: session.table, standing, letters });
            }
        }
        Self { games }
    }

    /// Whether that is what has become of them; how many letters were judged.
    pub fn agrees(self, world: &World) -> Result<u64, String> {
        let context = world.context().expect("the club opens");
        let mut judged = 0;
        for (number, game) in self.games {
            let after = process::open_game(&context, number).map_err(|error| error.to_string())?;
            judged += game.agrees(&after.table).map_err(|why| format!("game {number}: {why}"))?;
        }
        Ok(judged)
    }
}

impl Game<'_> {
    fn agrees(mut self, after: &Table) -> Result<u64, String> {
        let (mut judged, mut head) = (0, self.table.head());
        for (letter, Ordered { seat, seen, lines, .. }) in &self.letters {
            let numbered: Vec<OrderLine> =
                (1..).zip(lines).map(|(at, line)| OrderLine::new(at, line.clone())).collect();
            let Some(standing) = self.standing.get_mut(seat) else { continue };
            let submission =
                Submission { seat: *seat, lines: &numbered, seen: *seen, letter: None, standing };
            let found = after.records_since(head).iter().find(|record| is_by(record, letter));
            let verdict = self.table.submit(&submission, self.table.founding().at);
            judged += 1;
            let (table, kept) = match verdict {
                Verdict::Accepted { table, standing, .. } => (table, standing),
                Verdict::Refused(_) if found.is_none() => continue,
                Verdict::Refused(_) => return Err(format!("{lines:?} is refused by the rules")),
            };
            if table.head() == head && found.is_some() {
                return Err(format!("{lines:?} is a plan by the rules"));
            }
            if table.head() > head && found.is_none_or(|found| found.seq != table.head()) {
                return Err(format!("{lines:?} of seat {seat} is in the log by the rules"));
            }
            (*standing, self.table, head) = (kept, *table, found.map_or(head, |found| found.seq));
            // What was planned follows at once: then it is another position.
            let next = after.records_since(head).first();
            let is_ours = |next| self.letters.iter().any(|(letter, _)| is_by(next, letter));
            if next.is_some_and(|next| !is_ours(next)) {
                break;
            }
        }
        Ok(judged)
    }
}

/// Whether this letter led to the record.
fn is_by(record: &Record, letter: &Inbound) -> bool {
    let Cause::Orders { letter: Some(by), .. } = &record.cause else { return false };
    let told = serde_json::to_value(by).unwrap_or_default();
    let digest = told["digest"].as_str().unwrap_or_default();
    Letter::read(&letter.bytes).is_ok_and(|letter| letter.digest.to_string() == digest)
}
