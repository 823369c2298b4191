//! What is written to both clubs: the same by who is compared, and by the others what everyone may
//! know; and what nobody may know of, which differs.

use super::club::{Club, GAME};
use super::course::Step;
use super::lot::{LOOKS, Lot, NAMES, STYLES, WATCHER};
use postrider::process;
use postrider::rules::{Dice, Seat};

/// A letter as it is written in each of the worlds; in one of them perhaps not at all.
#[derive(Clone, Debug)]
pub struct Written {
    /// What it is a case of.
    pub kind: &'static str,
    /// Who writes.
    pub from: &'static str,
    /// What.
    pub bodies: [Option<String>; 2],
}

/// Questions and such that change no game.
const QUESTIONS: [&str; 7] = ["status", "board", "legal", "history", "rules", "help", "settings"];
/// What is refused, the first five at every position of every game.
pub const NONSENSE: [&str; 11] = [
    "no such order 9",
    "build pink Z99",
    "play 99",
    "move w Z9",
    "lay Z99 ne",
    "build red A1",
    "lay C9 ne",
    "play red 3",
    "trade red for blue",
    "cut ruby rock",
    "undo",
];
/// What is said and voted; everyone hears of it.
const PUBLIC: [&str; 5] =
    ["say Well met.", "say:\nline by line\nend", "vote extend 1 day", "vote no", "undo"];

/// The same in both worlds.
fn same(kind: &'static str, from: &'static str, body: String) -> Written {
    Written { kind, from, bodies: [Some(body.clone()), Some(body)] }
}

fn pick<T: Clone>(dice: &mut Dice, of: &[T]) -> T {
    of[dice.below(u32::try_from(of.len()).unwrap_or(1)) as usize].clone()
}

/// What is ordered in secret for one step, if anything is.
pub fn secret(step: &Step) -> Option<Written> {
    let from = NAMES[step.seat.index()];
    let bodies = step.secret.clone();
    bodies.iter().any(Option::is_some).then_some(Written { kind: "a secret order", from, bodies })
}

/// What is ordered for one step.
pub fn order(step: &Step) -> Option<Written> {
    let from = NAMES[step.seat.index()];
    let [line, other] = step.line.as_ref()?;
    let kind = if line == other { "an order" } else { "an order that says nothing to others" };
    Some(Written { kind, from, bodies: [Some(line.clone()), Some(other.clone())] })
}

/// What somebody plans for whom nobody waits before this step, and who does not look.
pub fn plans(lot: &Lot, dice: &mut Dice, step: &Step, clubs: &[Club; 2]) -> Option<Written> {
    let others: Vec<Seat> = Seat::all(lot.seats)
        .filter(|&seat| seat != step.seat && Some(seat) != lot.seat())
        .collect();
    let seat = *dice.pick(&others)?;
    let bodies = clubs.each_ref().map(|club| {
        let lines = club.game().0.game().plans_at_random(seat, dice).join("\n");
        (dice.below(3) > 0 && !lines.is_empty()).then_some(lines)
    });
    Some(Written { kind: "plans", from: NAMES[seat.index()], bodies })
}

/// What takes such plans back, before anything could come of them.
pub fn taken_back(from: &'static str) -> Written {
    same("plans that are taken back", from, "clear plans".to_owned())
}

/// What who looks, or who watches, may ask besides.
pub fn question(lot: &Lot, dice: &mut Dice) -> Option<Written> {
    let (kind, from) = pick(dice, &[("of who looks", lot.name()), ("of who watches", WATCHER)]);
    (dice.below(2) == 0).then(|| same(kind, from, pick(dice, &QUESTIONS).to_owned()))
}

/// What the others do that nobody else may hear of: in one world this, in the other something else
/// or nothing.
pub fn hidden(lot: &Lot, dice: &mut Dice, turn: usize) -> Vec<Written> {
    let others: Vec<&'static str> =
        NAMES.into_iter().take(lot.seats.into()).filter(|name| *name != lot.name()).collect();
    let mut letters = Vec::new();
    if others.is_empty() {
        return letters;
    }
    for _ in 0..dice.below(3) {
        let from = pick(dice, &others);
        let mut one = || (dice.below(3) > 0).then(|| whispered(lot, &others, from, dice, turn));
        let bodies = [one(), one()];
        letters.push(Written { kind: "what nobody hears of", from, bodies });
    }
    letters
}

fn whispered(
    lot: &Lot,
    others: &[&'static str],
    from: &str,
    dice: &mut Dice,
    turn: usize,
) -> String {
    let third = others.iter().find(|name| **name != from);
    match (dice.below(9), third) {
        (0 | 8, Some(third)) if !lot.moderator_reads => {
            format!("tell {third} A quiet word {turn} {}", dice.below(1_000))
        }
        (0 | 1 | 8, _) => format!("note They know nothing of {}", dice.below(1_000)),
        (2, _) => pick(dice, &QUESTIONS).to_owned(),
        // One that was carried out would be seen.
        (3, _) => pick(dice, &NONSENSE[..5]).to_owned(),
        (4, _) => format!("preview\n{}", pick(dice, &NONSENSE[..10])),
        // The others change when letters come, or when they are due.
        (5, _) => pick(dice, &STYLES[..LOOKS]).to_owned(),
        (6, _) => "auto forced on\nauto forced off".to_owned(),
        _ => "forget notes\nclear plans".to_owned(),
    }
}

/// What who looks writes, and what the others write for everyone to see.
pub fn open(lot: &Lot, dice: &mut Dice, turn: usize, club: &Club) -> Vec<Written> {
    let mut letters = Vec::new();
    for _ in 0..dice.below(3) {
        letters.push(same("of who looks", lot.name(), of_viewer(lot, dice, club)));
    }
    if dice.below(5) == 0 {
        let body = pick(dice, &QUESTIONS);
        letters.push(same("of who watches", WATCHER, body.to_owned()));
    }
    if dice.below(3) == 0 {
        let seat = dice.below(lot.seats.into()) as usize;
        let public = pick(dice, &PUBLIC);
        letters.push(same("for everyone", NAMES[seat], public.to_owned()));
        if NAMES[seat] != lot.name() && lot.seat().is_some() && dice.below(2) == 0 {
            let body = format!("tell {} A word {turn}", lot.name());
            letters.push(same("for who looks", NAMES[seat], body));
        }
    }
    letters
}

fn of_viewer(lot: &Lot, dice: &mut Dice, club: &Club) -> String {
    let own = lot.seat().and_then(|seat| own_line(club, seat, dice));
    match (dice.below(9), own) {
        (0 | 1, Some((line, _))) => format!("preview\n{line}"),
        (2, Some((line, _))) => format!("preview\n{line}\nno such order 9"),
        (3, Some((line, _))) => format!("{line}\nno such order 9\nsay never said"),
        (4, Some((_, plans))) if !plans.is_empty() => {
            format!("preview\n{}", plans.join("\n"))
        }
        (5, _) => pick(dice, &STYLES).to_owned(),
        (6, _) => pick(dice, &NONSENSE).to_owned(),
        (7, _) => "note A thing of mine".to_owned(),
        _ => pick(dice, &QUESTIONS).to_owned(),
    }
}

/// A line that the viewer could send now, and plans.
fn own_line(club: &Club, seat: Seat, dice: &mut Dice) -> Option<(String, Vec<String>)> {
    let session = process::open_game(&club.context(), GAME).ok()?;
    let game = session.table.game();
    let line = dice.pick(&game.legal(seat)).cloned();
    let line = line.unwrap_or_else(|| "done".to_owned());
    Some((line, game.plans_at_random(seat, dice)))
}
