//! What is written to both clubs: the same by who is compared, and by the others what everyone may
//! know; and what nobody may know of, which differs.

use super::drawn_setup::{APPEARANCE_SETTINGS, DrawnSetup, NAMES, OBSERVER, STYLE_SETTINGS};
use super::game_course::CourseStep;
use super::twin_club::{GAME, TwinClub};
use postrider::process;
use postrider::rules::{Dice, Seat};

/// A letter as it is written in each of the worlds; in one of them perhaps not at all.
#[derive(Clone, Debug)]
pub struct TwinLetter {
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
pub const REFUSED_LINES: [&str; 11] = [
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
const PUBLIC_LINES: [&str; 5] =
    ["say Well met.", "say:\nline by line\nend", "vote extend 1 day", "vote no", "undo"];

/// The same in both worlds.
fn same_in_both(kind: &'static str, from: &'static str, body: String) -> TwinLetter {
    TwinLetter { kind, from, bodies: [Some(body.clone()), Some(body)] }
}

fn pick_one<T: Clone>(dice: &mut Dice, of: &[T]) -> T {
    of[dice.below(u32::try_from(of.len()).unwrap_or(1)) as usize].clone()
}

/// What is ordered in secret for one step, if anything is.
pub fn secret_order_letter(step: &CourseStep) -> Option<TwinLetter> {
    let from = NAMES[step.seat.index()];
    let bodies = step.secret.clone();
    bodies.iter().any(Option::is_some).then_some(TwinLetter {
        kind: "a secret order",
        from,
        bodies,
    })
}

/// What is ordered for one step.
pub fn order_letter(step: &CourseStep) -> Option<TwinLetter> {
    let from = NAMES[step.seat.index()];
    let [line, other] = step.line.as_ref()?;
    let kind = if line == other { "an order" } else { "an order that says nothing to others" };
    Some(TwinLetter { kind, from, bodies: [Some(line.clone()), Some(other.clone())] })
}

/// What somebody plans for whom nobody waits before this step, and who does not look.
pub fn plans_letter(
    lot: &DrawnSetup,
    dice: &mut Dice,
    step: &CourseStep,
    clubs: &[TwinClub; 2],
) -> Option<TwinLetter> {
    let others: Vec<Seat> = Seat::all(lot.seats)
        .filter(|&seat| seat != step.seat && Some(seat) != lot.viewer_seat())
        .collect();
    let seat = *dice.pick(&others)?;
    let bodies = clubs.each_ref().map(|club| {
        let lines = club.game_and_plans().0.game().random_plans(seat, dice).join("\n");
        (dice.below(3) > 0 && !lines.is_empty()).then_some(lines)
    });
    Some(TwinLetter { kind: "plans", from: NAMES[seat.index()], bodies })
}

/// What takes such plans back, before anything could come of them.
pub fn clear_plans_letter(from: &'static str) -> TwinLetter {
    same_in_both("plans that are taken back", from, "clear plans".to_owned())
}

/// What who looks, or who watches, may ask besides.
pub fn question_letter(lot: &DrawnSetup, dice: &mut Dice) -> Option<TwinLetter> {
    let (kind, from) =
        pick_one(dice, &[("of who looks", lot.viewer_name()), ("of who watches", OBSERVER)]);
    (dice.below(2) == 0).then(|| same_in_both(kind, from, pick_one(dice, &QUESTIONS).to_owned()))
}

/// What the others do that nobody else may hear of: in one world this, in the other something else
/// or nothing.
pub fn hidden_letters(lot: &DrawnSetup, dice: &mut Dice, turn: usize) -> Vec<TwinLetter> {
    let others: Vec<&'static str> = NAMES
        .into_iter()
        .take(lot.seats.into())
        .filter(|name| *name != lot.viewer_name())
        .collect();
    let mut letters = Vec::new();
    if others.is_empty() {
        return letters;
    }
    for _ in 0..dice.below(3) {
        let from = pick_one(dice, &others);
        let mut one = || (dice.below(3) > 0).then(|| hidden_body(lot, &others, from, dice, turn));
        let bodies = [one(), one()];
        letters.push(TwinLetter { kind: "what nobody hears of", from, bodies });
    }
    letters
}

fn hidden_body(
    lot: &DrawnSetup,
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
        (2, _) => pick_one(dice, &QUESTIONS).to_owned(),
        // One that was carried out would be seen.
        (3, _) => pick_one(dice, &REFUSED_LINES[..5]).to_owned(),
        (4, _) => format!("preview\n{}", pick_one(dice, &REFUSED_LINES[..10])),
        // The others change when letters come, or when they are due.
        (5, _) => pick_one(dice, &STYLE_SETTINGS[..APPEARANCE_SETTINGS]).to_owned(),
        (6, _) => "auto forced on\nauto forced off".to_owned(),
        _ => "forget notes\nclear plans".to_owned(),
    }
}

/// What who looks writes, and what the others write for everyone to see.
pub fn open_letters(
    lot: &DrawnSetup,
    dice: &mut Dice,
    turn: usize,
    club: &TwinClub,
) -> Vec<TwinLetter> {
    let mut letters = Vec::new();
    for _ in 0..dice.below(3) {
        letters.push(same_in_both("of who looks", lot.viewer_name(), viewer_body(lot, dice, club)));
    }
    if dice.below(5) == 0 {
        let body = pick_one(dice, &QUESTIONS);
        letters.push(same_in_both("of who watches", OBSERVER, body.to_owned()));
    }
    if dice.below(3) == 0 {
        let seat = dice.below(lot.seats.into()) as usize;
        let public = pick_one(dice, &PUBLIC_LINES);
        letters.push(same_in_both("for everyone", NAMES[seat], public.to_owned()));
        if NAMES[seat] != lot.viewer_name() && lot.viewer_seat().is_some() && dice.below(2) == 0 {
            let body = format!("tell {} A word {turn}", lot.viewer_name());
            letters.push(same_in_both("for who looks", NAMES[seat], body));
        }
    }
    letters
}

fn viewer_body(lot: &DrawnSetup, dice: &mut Dice, club: &TwinClub) -> String {
    let own = lot.viewer_seat().and_then(|seat| viewer_line_and_plans(club, seat, dice));
    match (dice.below(9), own) {
        (0 | 1, Some((line, _))) => format!("preview\n{line}"),
        (2, Some((line, _))) => format!("preview\n{line}\nno such order 9"),
        (3, Some((line, _))) => format!("{line}\nno such order 9\nsay never said"),
        (4, Some((_, plans))) if !plans.is_empty() => {
            format!("preview\n{}", plans.join("\n"))
        }
        (5, _) => pick_one(dice, &STYLE_SETTINGS).to_owned(),
        (6, _) => pick_one(dice, &REFUSED_LINES).to_owned(),
        (7, _) => "note A thing of mine".to_owned(),
        _ => pick_one(dice, &QUESTIONS).to_owned(),
    }
}

/// A line that the viewer could send now, and plans.
fn viewer_line_and_plans(
    club: &TwinClub,
    seat: Seat,
    dice: &mut Dice,
) -> Option<(String, Vec<String>)> {
    let session = process::open_game(&club.open_context(), GAME).ok()?;
    let game = session.table.game();
    let line = dice.pick(&game.legal_lines(seat)).cloned();
    let line = line.unwrap_or_else(|| "done".to_owned());
    Some((line, game.random_plans(seat, dice)))
}
