//! Asks questions for a seat at positions throughout a whole game. The answers must be equal in
//! every world that the seat cannot tell apart, and for every future chance.
//!
//! Pairs of clubs stay near the beginning of a game, because both must take equal steps. Here no
//! step is taken, so any position can be compared with other worlds.

use super::drawn_setup::{DrawnSetup, NAMES};
use super::text_diff::{self, Difference};
use super::twin_comparison::Counts;
use super::twin_letters::REFUSED_LINES;
use super::whole_game::{self, WholeGame};
use postrider::club::{Member, Question};
use postrider::render::{GameLetter, Library, MailtoLinks, Occasion, Page};
use postrider::rules::{BotLevel, Dice, Seat, Seed, Turn, Viewer};
use postrider::table::{Cause, OrderLine, QueuedOrders, Record, Submission, Table, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// The number of positions of a game at which a seat asks.
const POSITIONS_PER_GAME: u32 = 4;
/// The number of other worlds that are compared with each position.
const WORLDS_PER_POSITION: usize = 2;
/// The largest number of orders per game that depend on hidden information and are asked about.
const DEPENDENT_ORDERS_MAX: usize = 8;

/// Plays a whole game of this setup, and asks questions at several of its positions.
///
/// # Errors
/// If an answer to a seat depends on something that the seat cannot know.
pub fn check_questions(
    drawn: &DrawnSetup,
    library: &Library,
    counts: &mut Counts,
) -> Result<(), Difference> {
    let whole = whole_game::play_whole_game(drawn);
    let mut count = |what: &str, n: usize| {
        *counts.entry(format!("{}: {what}", drawn.kind.id())).or_default() += n as u64;
    };
    let mut dice = Dice::new(&Seed::from_number(drawn.seed ^ 0xA5), 0);
    count("orders that depend on hidden information", whole.dependent_orders.len());
    check_dependent_orders(drawn, &whole, &mut dice)?;
    let whole = whole.table;
    let kinds = records_by_event_kind(&whole);
    for _ in 0..POSITIONS_PER_GAME {
        let of_kind = dice.pick(&kinds).expect("something happens");
        let seq = *dice.pick(of_kind).expect("it has happened");
        let table = whole.at_record(seq).expect("an earlier position");
        let seat = choose_asking_seat(drawn, &table, &mut dice);
        let worlds: Vec<Table> =
            (0..WORLDS_PER_POSITION).map(|_| redeal_for_seat(&table, seat, &mut dice)).collect();
        let mut letters = candidate_letters(&table, seat, &mut dice);
        letters.extend(lines_that_led_to(&whole.records()[seq as usize], seat));
        count("questions", letters.len() * WORLDS_PER_POSITION);
        for lines in &letters {
            // Some letters answer an older letter, not the current one.
            let seen =
                table.last_record_number().saturating_sub(2 * u32::from(dice.roll_below(4) == 0));
            let (mine, what) = (answer_to_letter(&table, seat, lines, seen), lines.join("\n"));
            for world in &worlds {
                check_same_text(
                    drawn,
                    &table,
                    seat,
                    &what,
                    [&mine, &answer_to_letter(world, seat, lines, seen)],
                )?;
            }
        }
        count("lines of computer players", 1);
        let [mine, theirs] = [&table, &worlds[0]].map(|table| bot_lines(table, seat, drawn.seed));
        check_same_text(drawn, &table, seat, "the lines of a computer player", [&mine, &theirs])?;
        let mine = render_letter(drawn, library, &table, seat);
        for world in &worlds {
            check_same_text(
                drawn,
                &table,
                seat,
                "a letter to the seat",
                [&mine, &render_letter(drawn, library, world, seat)],
            )?;
        }
    }
    Ok(())
}

/// Checks the answers to orders that depend on hidden information, with and without an illegal line
/// after them.
fn check_dependent_orders(
    drawn: &DrawnSetup,
    whole: &WholeGame,
    dice: &mut Dice,
) -> Result<(), Difference> {
    let mut orders: Vec<_> = whole.dependent_orders.iter().collect();
    dice.shuffle(&mut orders);
    for (seq, seat, line) in orders.into_iter().take(DEPENDENT_ORDERS_MAX) {
        let table = whole.table.at_record(*seq).expect("an earlier position");
        let mut letters = vec![vec![line.clone()], vec![line.clone(), REFUSED_LINES[0].to_owned()]];
        let (mut after, mut thrown) =
            (table.game().clone_box(), Dice::new(&Seed::from_number(8), 0));
        if after.judge_and_play_line(*seat, line, &[], &mut thrown).is_ok() {
            // The legal next orders may depend on hidden information too.
            let mut next = after.legal_lines(*seat);
            dice.shuffle(&mut next);
            let next = next.into_iter().take(6).map(|next| vec![line.clone(), next]);
            letters.extend(next);
        }
        for _ in 0..2 * WORLDS_PER_POSITION {
            let world = redeal_for_seat(&table, *seat, dice);
            for lines in &letters {
                let [mine, theirs] =
                    [&table, &world].map(|table| answer_to_letter(table, *seat, lines, *seq));
                check_same_text(drawn, &table, *seat, &lines.join("\n"), [&mine, &theirs])?;
            }
        }
    }
    Ok(())
}

/// Returns, for each kind of event, the positions before the records that contain it. A rare kind
/// is then as likely to be chosen as a frequent one.
fn records_by_event_kind(whole: &Table) -> Vec<Vec<u32>> {
    let mut kinds: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for record in whole.records().iter().filter(|record| record.seq > 1) {
        for kind in whole_game::event_kinds(std::slice::from_ref(record)) {
            kinds.entry(kind).or_default().push(record.seq - 1);
        }
    }
    kinds.into_values().collect()
}

/// The lines that this seat wrote, if they caused the record.
fn lines_that_led_to(record: &Record, seat: Seat) -> Option<Vec<String>> {
    match &record.cause {
        Cause::Orders { seat: by, lines, .. } if *by == seat => Some(lines.clone()),
        _ => None,
    }
}

/// Returns a random seat, in most cases one that the game awaits.
fn choose_asking_seat(drawn: &DrawnSetup, table: &Table, dice: &mut Dice) -> Seat {
    let all: Vec<Seat> = Seat::all(drawn.seats).collect();
    let awaited = match table.turn() {
        Turn::Awaiting(seats) => seats,
        Turn::Over => Vec::new(),
    };
    let of = if dice.roll_below(5) == 0 || awaited.is_empty() { all } else { awaited };
    *dice.pick(&of).expect("there is a seat")
}

/// Deals a table that the seat cannot tell from the given one, with another future chance.
fn redeal_for_seat(table: &Table, seat: Seat, dice: &mut Dice) -> Table {
    let other = table.redeal(Viewer::Seat(seat), dice).expect("it is dealt");
    other.with_different_dice(dice)
}

/// Returns letters that this seat could write: legal lines, complete turns, plans, plans with a
/// turn, and lines with errors.
fn candidate_letters(table: &Table, seat: Seat, dice: &mut Dice) -> Vec<Vec<String>> {
    let game = table.game();
    // A seat that is not awaited tries the orders of the awaited seats.
    let legal = match table.turn() {
        Turn::Awaiting(seats) if !seats.contains(&seat) => {
            seats.iter().flat_map(|other| game.legal_lines(*other)).collect()
        }
        _ => game.legal_lines(seat),
    };
    let verb = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let verbs: BTreeSet<String> = legal.iter().map(|line| verb(line)).collect();
    let mut single = Vec::new();
    for drawn in verbs {
        let lines: Vec<&String> = legal.iter().filter(|line| verb(line) == drawn).collect();
        single.extend((0..3).filter_map(|_| dice.pick(&lines).map(|line| (*line).clone())));
    }
    let plans = game.random_plan_lines(seat, dice);
    let mut letters = vec![plans.clone()];
    for _ in 0..4 {
        let lines = random_turn(table, seat, dice);
        letters.push([plans.clone(), lines.clone()].concat());
        letters.push([lines.clone(), vec![REFUSED_LINES[0].to_owned()]].concat());
        single.extend(lines.first().cloned());
        letters.push(lines);
    }
    let mut suggested = game.suggest_lines(seat);
    dice.shuffle(&mut suggested);
    single.extend(suggested.into_iter().take(3).map(|suggestion| suggestion.line));
    letters.extend(REFUSED_LINES.iter().map(|line| vec![(*line).to_owned()]));
    letters.extend(single.iter().map(|line| vec![with_typing_error(line, dice)]));
    letters.extend(single.into_iter().map(|line| vec![line]));
    letters.retain(|lines| !lines.is_empty());
    letters
}

/// Returns lines that this seat can play one after the other, with or without the end of its turn.
fn random_turn(table: &Table, seat: Seat, dice: &mut Dice) -> Vec<String> {
    let (mut ahead, mut lines) = (table.game().clone_box(), Vec::new());
    let mut thrown = Dice::new(&Seed::from_number(8), 0);
    while let Some((line, _)) = ahead.play_random_line(seat, dice, &mut thrown) {
        lines.push(line);
        if dice.roll_below(4) == 0 || lines.len() > 6 {
            break;
        }
    }
    lines.extend((dice.roll_below(2) == 0).then(|| "done".to_owned()));
    lines
}

/// Returns the line with a typing error: two letters swapped, one letter missing, or no verb.
fn with_typing_error(line: &str, dice: &mut Dice) -> String {
    let mut letters: Vec<char> = line.chars().collect();
    let at = dice.roll_below(u32::try_from(letters.len()).unwrap_or(1)) as usize;
    match dice.roll_below(3) {
        0 if at > 0 => letters.swap(at - 1, at),
        0 | 1 => drop(letters.remove(at)),
        _ => return line.split_once(' ').map_or_else(|| line.to_owned(), |(_, rest)| rest.into()),
    }
    letters.into_iter().collect()
}

/// Returns the answer to this letter as a preview, and as a refusal or as queued orders. An order
/// that is carried out is left out, because its record rightly shows its result.
fn answer_to_letter(table: &Table, seat: Seat, lines: &[String], seen: u32) -> String {
    let lines: Vec<OrderLine> =
        (1..).zip(lines).map(|(number, text)| OrderLine::new(number, text.clone())).collect();
    let standing = &QueuedOrders::default();
    let letter =
        Submission { seat, lines: &lines, seen_record: seen, letter: None, queued: standing };
    let done = match table.submit(&letter, table.founding().at) {
        Verdict::Refused(refused) => format!("{refused:#?}"),
        Verdict::Accepted { table: after, queued: standing, remarks, .. }
            if after.last_record_number() == table.last_record_number() =>
        {
            format!("{standing:#?}\n{remarks:#?}")
        }
        Verdict::Accepted { .. } => "carried out".to_owned(),
    };
    format!("{:#?}\n{done}", table.preview(&letter))
}

/// Returns the hint to this seat, and the lines of a computer player in it.
fn bot_lines(table: &Table, seat: Seat, seed: u64) -> String {
    let (game, mut dice) = (table.game(), Dice::new(&Seed::from_number(seed), 0));
    let hint = game.weigh_lines(seat, BotLevel::Easy, &mut dice);
    format!("{hint:#?}\n{:#?}", game.choose_lines(seat, BotLevel::Easy, &mut dice))
}

/// Renders a letter to this seat with the answers to all questions.
fn render_letter(drawn: &DrawnSetup, library: &Library, table: &Table, seat: Seat) -> String {
    let language = ["en", "es"][usize::from(drawn.settings.contains("language: es"))].to_owned();
    let reader = Member { id: 1, name: "Ann".to_owned(), language, ..Member::default() };
    let names: Vec<String> =
        NAMES.map(str::to_owned).into_iter().take(drawn.seats.into()).collect();
    let letter = GameLetter {
        last_seen_record: table.last_record_number().saturating_sub(5),
        questions: &Question::ALL,
        mailto_links: MailtoLinks { offers_max: 12, ..MailtoLinks::default() },
        ..GameLetter::new(("Club", "mod@club.example"), &reader, seat, &Occasion::News)
    };
    let rendered = Page::new(table, &names).render_letter(library, &letter).expect("it is worded");
    format!("{}\n{}\n{}", rendered.subject, rendered.text, rendered.html.unwrap_or_default())
}

fn check_same_text(
    drawn: &DrawnSetup,
    table: &Table,
    seat: Seat,
    what: &str,
    texts: [&str; 2],
) -> Result<(), Difference> {
    if texts[0] == texts[1] {
        return Ok(());
    }
    let whose = format!("game {}, seed {}, seat {seat} asks", drawn.kind.id(), drawn.seed);
    let what = format!("{whose} after record {}:\n{what}", table.last_record_number());
    Err(Difference { what, lines: text_diff::differing_lines(&texts) })
}
