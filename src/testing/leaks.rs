//! A test that no letter, answer or preview depends on what its reader cannot know.
//!
//! At positions throughout random games, a *determinization* replaces all that one seat cannot
//! know. Everything that this seat could get must stay the same, byte by byte.

use super::playthrough::NAMES;
use super::{assert_text_well_formed, sample_or_all};
use crate::club::{Member, Question};
use crate::render::{GameLetter, Library, MailtoLinks, Occasion, Page, RenderedLetter};
use crate::rules::{Dice, Message, Seat, Seed, Viewer};
use crate::table::{
    GameSetup, OrderLine, Preview, QueuedOrders, RehearsalMode, Submission, Table, Verdict,
    rehearse,
};

/// Plays a random game with the seed `seed`, and checks that no letter to a player depends on facts
/// that the player cannot know: letters of every kind, previews, refusals and plans.
/// [`check_contract`](super::check_contract) checks what the game says; this checks what postrider
/// makes of it.
///
/// # Panics
///
/// If a letter differs, or if the game does not end.
pub fn check_letters_hide_secrets(library: &Library, setup: GameSetup<'_>, seed: u64) {
    let whole = rehearse(setup, 1, seed, 20_000, RehearsalMode::SingleOrders);
    let whole = whole.expect("a whole game").table;
    let steps = (whole.last_record_number() / sample_or_all(4, 5)).max(1);
    let mut planned = 0;
    let seats = whole.founding().seats;
    for (position, seq) in (1..whole.last_record_number()).step_by(steps as usize).enumerate() {
        let table = whole.at_record(seq).expect("an earlier position");
        // A sample tests one seat at each position, and the next seat at the next position.
        let is_in_sample = |seat: &Seat| seat.index() == position % usize::from(seats);
        for seat in Seat::all(seats).filter(|seat| sample_or_all(is_in_sample(seat), true)) {
            planned += usize::from(assert_redeal_changes_nothing(library, &table, seat));
        }
    }
    assert!(planned > 0, "{}: no seat had plans", whole.founding().game);
    // A player can also ask for everything after the end.
    render_all_letters(library, &whole, Seat::new(1), &QueuedOrders::default());
}

/// Checks that a redeal of what the seat cannot know changes no letter. Returns whether the seat
/// had plans.
fn assert_redeal_changes_nothing(library: &Library, table: &Table, seat: Seat) -> bool {
    let of =
        format!("{}, record {}, seat {seat}", table.founding().game, table.last_record_number());
    let mut dice = Dice::new(&Seed::from_number(table.last_record_number().into()), 0);
    let letters = possible_letters(table, seat, &mut dice);
    let plans = queued_orders_after(table, seat, &letters);
    let other = table.redeal(Viewer::Seat(seat), &mut dice).expect("redealt");
    let other = other.with_different_dice(&mut dice);
    let answers = |table: &Table| answers_to_letters(table, seat, &letters, &plans);
    assert_eq!(answers(table), answers(&other), "{of}");
    let rendered_letters = |table: &Table| render_all_letters(library, table, seat, &plans);
    let (seen, again) = (rendered_letters(table), rendered_letters(&other));
    assert_eq!(seen.len(), again.len());
    for (a, b) in seen.iter().zip(again) {
        assert_eq!(a.subject, b.subject, "{of}");
        assert_eq!(a.text, b.text, "{of}");
        assert_eq!(a.html, b.html, "{of}");
    }
    plans != QueuedOrders::default()
}

/// Returns the plans that the seat would have after these letters.
fn queued_orders_after(table: &Table, seat: Seat, letters: &[Vec<String>]) -> QueuedOrders {
    let mut plans = QueuedOrders::default();
    for lines in letters {
        let (lines, seen) = (number_lines(lines), table.last_record_number());
        let letter =
            Submission { seat, lines: &lines, seen_record: seen, letter: None, queued: &plans };
        // A record ends the plans made before it, so letters that lead to one are left out.
        match table.submit(&letter, table.founding().at) {
            Verdict::Accepted { table: after, queued: kept, .. }
                if after.last_record_number() == seen =>
            {
                plans = kept;
            }
            _ => {}
        }
    }
    plans
}

fn number_lines(lines: &[String]) -> Vec<OrderLine> {
    (1..).zip(lines).map(|(number, text)| OrderLine::new(number, text.clone())).collect()
}

/// Returns letters that the seat could send now: legal and illegal ones, with orders and plans.
fn possible_letters(table: &Table, seat: Seat, dice: &mut Dice) -> Vec<Vec<String>> {
    let mut letters = vec![vec!["no such order 9".to_owned()], vec!["auto forced on".to_owned()]];
    letters.push(table.game().random_plan_lines(seat, dice));
    for _ in 0..3 {
        let (mut ahead, mut lines) = (table.game().clone_box(), Vec::new());
        let mut thrown = Dice::new(&Seed::from_number(8), 0);
        while let Some((line, _)) = ahead.play_random_line(seat, dice, &mut thrown) {
            lines.push(line);
            if dice.roll_below(3) == 0 {
                break;
            }
        }
        letters.push(lines.clone());
        lines.push(table.game().line_for_absent_player(seat));
        letters.push([lines.clone(), vec!["done".to_owned()]].concat());
        lines.push("no such order 9".to_owned());
        letters.push(lines);
    }
    letters.retain(|lines| !lines.is_empty());
    letters
}

/// Returns the refusals and previews of these letters, and the orders that the game would give.
fn answers_to_letters(
    table: &Table,
    seat: Seat,
    letters: &[Vec<String>],
    plans: &QueuedOrders,
) -> Vec<String> {
    let ask = |lines: &Vec<String>| {
        let lines = number_lines(lines);
        [table.last_record_number(), table.last_record_number().saturating_sub(2)].map(|seen| {
            let letter =
                Submission { seat, lines: &lines, seen_record: seen, letter: None, queued: plans };
            let verdict = match table.submit(&letter, table.founding().at) {
                Verdict::Refused(refused) => format!("{refused:?}"),
                // The result of a record depends on chance. An answer without a record must not.
                Verdict::Accepted { table: after, queued: plans, remarks, .. }
                    if after.last_record_number() == table.last_record_number() =>
                {
                    format!("{plans:?}\n{remarks:?}")
                }
                Verdict::Accepted { .. } => String::new(),
            };
            format!("{:?}\n{verdict}", table.preview(&letter).expect("a preview"))
        })
    };
    let done = [table.game().only_legal_line(seat), table.game().implied_final_line(seat)];
    letters.iter().flat_map(ask).chain(done.map(|line| format!("{line:?}"))).collect()
}

fn new_reader(ascii: bool) -> Member {
    let (name, language) = ("Ann".to_owned(), "en".to_owned());
    Member { id: 1, name, language, ascii, ..Member::default() }
}

/// Returns one occasion of each kind for which the seat could get a letter now, with the number of
/// the last record that its player has seen, and the questions.
fn all_occasions(
    table: &Table,
    seat: Seat,
    plans: &QueuedOrders,
) -> [(Occasion, u32, &'static [Question]); 8] {
    let line = OrderLine::new(1, "no such order".to_owned());
    let lines = std::slice::from_ref(&line);
    let submission = Submission {
        seat,
        lines,
        seen_record: table.last_record_number(),
        letter: None,
        queued: plans,
    };
    let Verdict::Refused(refused) = table.submit(&submission, table.founding().at) else {
        panic!("an order that is none was carried out");
    };
    let (outcome, events) = match table
        .preview(&Submission { lines: &default_order_lines(table, seat), ..submission })
    {
        Ok(Preview::Accepted { outcome, events, .. }) => (outcome, events),
        other => (vec![Message::new("game-over").with("told", format!("{other:?}"))], Vec::new()),
    };
    let (lines, remarks, last) = (lines.to_vec(), Vec::new(), table.last_record_number());
    let accepted = Occasion::Accepted { lines: lines.clone(), remarks: remarks.clone() };
    let planned = Occasion::Planned { lines: lines.clone(), remarks: outcome.clone() };
    [
        (Occasion::Previewed { lines, outcome, remarks, events }, last, &[]),
        (accepted, last.saturating_sub(1), &[]),
        (planned, last, &[]),
        (Occasion::Reminder { days: 3 }, last, &Question::ALL),
        (Occasion::Welcome, 0, &[]),
        (Occasion::News, last.saturating_sub(4), &Question::ALL),
        (Occasion::Refused { refused, preview: false }, last, &[]),
        (Occasion::Answered, last, &Question::ALL),
    ]
}

/// Renders one letter of each kind that the seat could get now.
fn render_all_letters(
    library: &Library,
    table: &Table,
    seat: Seat,
    plans: &QueuedOrders,
) -> Vec<RenderedLetter> {
    let occasions = all_occasions(table, seat, plans);
    let names: Vec<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
    let mut page = Page::new(table, &names);
    let mut letters = Vec::new();
    for ascii in [true, false] {
        let reader = new_reader(ascii);
        // ASCII and finer characters differ in few letters, so three kinds are rendered with both.
        for (occasion, last_seen, asked) in occasions.iter().skip(if ascii { 0 } else { 5 }) {
            let letter = GameLetter {
                is_new: true,
                last_seen_record: *last_seen,
                questions: asked,
                queued_orders: plans,
                mailto_links: MailtoLinks { offers_max: 12, ..MailtoLinks::default() },
                ..GameLetter::new(("Club", "mod@example.org"), &reader, seat, occasion)
            };
            let rendered = page.render_letter(library, &letter).expect("a letter");
            if ascii {
                assert_text_well_formed(&rendered.text);
            }
            letters.push(rendered);
        }
    }
    letters
}

/// Returns the order that the game gives for an absent player.
fn default_order_lines(table: &Table, seat: Seat) -> Vec<OrderLine> {
    let text = if table.turn().awaits(seat) {
        table.game().line_for_absent_player(seat)
    } else {
        String::new()
    };
    vec![OrderLine::new(1, text)]
}
