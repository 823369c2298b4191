//! The letters that are delivered to both clubs. Letters from the viewer and public letters are
//! equal in both. Letters that are hidden from everybody but their sender and recipient differ.

use super::drawn_setup::{APPEARANCE_SETTINGS, DrawnSetup, NAMES, OBSERVER, STYLE_SETTINGS};
use super::game_course::CourseStep;
use super::twin_club::{GAME, TwinClub};
use postrider::process;
use postrider::rules::{Dice, Seat};

/// A letter in each of the two clubs. One of them may not get it.
#[derive(Clone, Debug)]
pub struct TwinLetter {
    /// The kind of letter, under which the program counts the letters that it delivered.
    pub kind: &'static str,
    /// The sender's name.
    pub from: &'static str,
    /// The text in each club.
    pub bodies: [Option<String>; 2],
}

/// Questions, which change no game.
const QUESTIONS: [&str; 8] =
    ["status", "board", "legal", "history", "rules", "help", "settings", "hint"];
/// Lines that are refused. The first five are refused in every position of every game.
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
/// Public messages and votes, which every player is notified of.
const PUBLIC_LINES: [&str; 5] =
    ["say Well met.", "say:\nline by line\nend", "vote extend 1 day", "vote no", "undo"];

/// Creates a letter that is equal in both clubs.
fn same_in_both(kind: &'static str, from: &'static str, body: String) -> TwinLetter {
    TwinLetter { kind, from, bodies: [Some(body.clone()), Some(body)] }
}

fn pick_one<T: Clone>(dice: &mut Dice, of: &[T]) -> T {
    of[dice.roll_below(u32::try_from(of.len()).unwrap_or(1)) as usize].clone()
}

/// Returns the letter with the secret order of a step. `None` if it has none.
pub fn secret_order_letter(step: &CourseStep) -> Option<TwinLetter> {
    let from = NAMES[step.seat.index()];
    let bodies = step.secret.clone();
    bodies.iter().any(Option::is_some).then_some(TwinLetter {
        kind: "a secret order",
        from,
        bodies,
    })
}

/// Returns the letter with the order of a step. `None` if its player misses the deadline.
pub fn order_letter(step: &CourseStep) -> Option<TwinLetter> {
    let from = NAMES[step.seat.index()];
    let [line, other] = step.line.as_ref()?;
    let kind = if line == other { "an order" } else { "an order with secret content" };
    Some(TwinLetter { kind, from, bodies: [Some(line.clone()), Some(other.clone())] })
}

/// Returns the plans of a random seat that does not act in this step and is not the viewer's.
pub fn plans_letter(
    drawn: &DrawnSetup,
    dice: &mut Dice,
    step: &CourseStep,
    clubs: &[TwinClub; 2],
) -> Option<TwinLetter> {
    let others: Vec<Seat> = Seat::all(drawn.seats)
        .filter(|&seat| seat != step.seat && Some(seat) != drawn.viewer_seat())
        .collect();
    let seat = *dice.pick(&others)?;
    let bodies = clubs.each_ref().map(|club| {
        let lines = club.game_and_plans().0.game().random_plan_lines(seat, dice).join("\n");
        (dice.roll_below(3) > 0 && !lines.is_empty()).then_some(lines)
    });
    Some(TwinLetter { kind: "plans", from: NAMES[seat.index()], bodies })
}

/// Returns a letter that clears plans before they can be carried out.
pub fn clear_plans_letter(from: &'static str) -> TwinLetter {
    same_in_both("plans that are cleared", from, "clear plans".to_owned())
}

/// Returns a question from the viewer or the observer, or `None`.
pub fn question_letter(drawn: &DrawnSetup, dice: &mut Dice) -> Option<TwinLetter> {
    let (kind, from) = pick_one(
        dice,
        &[("from the viewer", drawn.viewer_name()), ("from the observer", OBSERVER)],
    );
    (dice.roll_below(2) == 0)
        .then(|| same_in_both(kind, from, pick_one(dice, &QUESTIONS).to_owned()))
}

/// Returns letters from other players that must stay hidden. Each club gets other letters, or none.
pub fn hidden_letters(drawn: &DrawnSetup, dice: &mut Dice, turn: usize) -> Vec<TwinLetter> {
    let others: Vec<&'static str> = NAMES
        .into_iter()
        .take(drawn.seats.into())
        .filter(|name| *name != drawn.viewer_name())
        .collect();
    let mut letters = Vec::new();
    if others.is_empty() {
        return letters;
    }
    for _ in 0..dice.roll_below(3) {
        let from = pick_one(dice, &others);
        let mut one =
            || (dice.roll_below(3) > 0).then(|| hidden_body(drawn, &others, from, dice, turn));
        let bodies = [one(), one()];
        letters.push(TwinLetter { kind: "hidden from others", from, bodies });
    }
    letters
}

fn hidden_body(
    drawn: &DrawnSetup,
    others: &[&'static str],
    from: &str,
    dice: &mut Dice,
    turn: usize,
) -> String {
    let third = others.iter().find(|name| **name != from);
    match (dice.roll_below(9), third) {
        (0 | 8, Some(third)) if !drawn.moderator_reads => {
            format!("tell {third} A quiet word {turn} {}", dice.roll_below(1_000))
        }
        (0 | 1 | 8, _) => format!("note They know nothing of {}", dice.roll_below(1_000)),
        (2, _) => pick_one(dice, &QUESTIONS).to_owned(),
        // A line that is carried out would be visible, so only refused lines are possible here.
        (3, _) => pick_one(dice, &REFUSED_LINES[..5]).to_owned(),
        (4, _) => format!("preview\n{}", pick_one(dice, &REFUSED_LINES[..10])),
        // The other settings change when letters are sent, which everybody can see.
        (5, _) => pick_one(dice, &STYLE_SETTINGS[..APPEARANCE_SETTINGS]).to_owned(),
        (6, _) => "auto forced on\nauto forced off".to_owned(),
        _ => "forget notes\nclear plans".to_owned(),
    }
}

/// Returns letters from the viewer, and public letters from other players.
pub fn open_letters(
    drawn: &DrawnSetup,
    dice: &mut Dice,
    turn: usize,
    club: &TwinClub,
) -> Vec<TwinLetter> {
    let mut letters = Vec::new();
    for _ in 0..dice.roll_below(3) {
        letters.push(same_in_both(
            "from the viewer",
            drawn.viewer_name(),
            viewer_body(drawn, dice, club),
        ));
    }
    if dice.roll_below(5) == 0 {
        let body = pick_one(dice, &QUESTIONS);
        letters.push(same_in_both("from the observer", OBSERVER, body.to_owned()));
    }
    if dice.roll_below(3) == 0 {
        let seat = dice.roll_below(drawn.seats.into()) as usize;
        let public = pick_one(dice, &PUBLIC_LINES);
        letters.push(same_in_both("public", NAMES[seat], public.to_owned()));
        if NAMES[seat] != drawn.viewer_name()
            && drawn.viewer_seat().is_some()
            && dice.roll_below(2) == 0
        {
            let body = format!("tell {} A word {turn}", drawn.viewer_name());
            letters.push(same_in_both("to the viewer", NAMES[seat], body));
        }
    }
    letters
}

fn viewer_body(drawn: &DrawnSetup, dice: &mut Dice, club: &TwinClub) -> String {
    let own = drawn.viewer_seat().and_then(|seat| viewer_line_and_plans(club, seat, dice));
    match (dice.roll_below(9), own) {
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

/// Returns a line that the viewer could send now, and plans.
fn viewer_line_and_plans(
    club: &TwinClub,
    seat: Seat,
    dice: &mut Dice,
) -> Option<(String, Vec<String>)> {
    let session = process::load_stored_game(&club.open_context(), GAME).ok()?;
    let game = session.table.game();
    let line = dice.pick(&game.legal_lines(seat)).cloned();
    let line = line.unwrap_or_else(|| "done".to_owned());
    Some((line, game.random_plan_lines(seat, dice)))
}
