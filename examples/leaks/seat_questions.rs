//! What a seat is told when it asks, all through a whole game: the same wherever what it cannot
//! know is dealt anew, and whatever chance brings next.
//!
//! Clubs in pairs stay near the beginning of a game, as the same must be done in both. Here nothing
//! is done: at each position other worlds are held against it.

use super::drawn_setup::{DrawnSetup, NAMES};
use super::text_diff::{self, Difference};
use super::twin_comparison::Counts;
use super::twin_letters::REFUSED_LINES;
use super::whole_game::{self, WholeGame};
use postrider::club::{Member, Notes, Question};
use postrider::render::{GameLetter, Library, MailtoLinks, Occasion, Page, SubjectParts};
use postrider::rules::{Dice, Seat, Seed, Turn, Viewer};
use postrider::table::{Cause, OrderLine, QueuedOrders, Record, Submission, Table, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// At how many positions of a game it is asked.
const POSITIONS_PER_GAME: u32 = 4;
/// How many other worlds are held against each.
const WORLDS_PER_POSITION: usize = 2;
/// Of how many orders that rest on what is hidden it is asked.
const DEPENDENT_ORDERS_MAX: usize = 8;

/// Asks all through the game of this lot.
///
/// # Errors
/// What somebody is told that rests on what he cannot know.
pub fn check_questions(
    lot: &DrawnSetup,
    library: &Library,
    counts: &mut Counts,
) -> Result<(), Difference> {
    let whole = whole_game::play_whole_game(lot);
    let mut count = |what: &str, n: usize| {
        *counts.entry(format!("{}: {what}", lot.kind.id())).or_default() += n as u64;
    };
    let mut dice = Dice::new(&Seed::from_number(lot.seed ^ 0xA5), 0);
    count("orders that rest on what is hidden", whole.dependent_orders.len());
    check_dependent_orders(lot, &whole, &mut dice)?;
    let whole = whole.table;
    let kinds = records_by_event_kind(&whole);
    for _ in 0..POSITIONS_PER_GAME {
        let of_kind = dice.pick(&kinds).expect("something happens");
        let seq = *dice.pick(of_kind).expect("it has happened");
        let table = whole.at_record(seq).expect("an earlier position");
        let seat = choose_asking_seat(lot, &table, &mut dice);
        let worlds: Vec<Table> =
            (0..WORLDS_PER_POSITION).map(|_| redeal_for_seat(&table, seat, &mut dice)).collect();
        let mut letters = candidate_letters(&table, seat, &mut dice);
        letters.extend(lines_that_led_to(&whole.records()[seq as usize], seat));
        count("asked", letters.len() * WORLDS_PER_POSITION);
        for lines in &letters {
            // Some answer a letter that has been overtaken.
            let seen = table.head().saturating_sub(2 * u32::from(dice.below(4) == 0));
            let (mine, what) = (answer_to_letter(&table, seat, lines, seen), lines.join("\n"));
            for world in &worlds {
                check_same_text(
                    lot,
                    &table,
                    seat,
                    &what,
                    [&mine, &answer_to_letter(world, seat, lines, seen)],
                )?;
            }
        }
        let mine = render_letter(lot, library, &table, seat);
        for world in &worlds {
            check_same_text(
                lot,
                &table,
                seat,
                "what is mailed",
                [&mine, &render_letter(lot, library, world, seat)],
            )?;
        }
    }
    Ok(())
}

/// What is told of orders that rest on what is hidden: with a slip behind them, and without.
fn check_dependent_orders(
    lot: &DrawnSetup,
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
        if after.play_line(*seat, line, &[], &mut thrown).is_ok() {
            // What can be ordered next may rest on it, too.
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
                check_same_text(lot, &table, *seat, &lines.join("\n"), [&mine, &theirs])?;
            }
        }
    }
    Ok(())
}

/// Before which records each kind of event happened: what happens seldom is asked about as often
/// as what always does.
fn records_by_event_kind(whole: &Table) -> Vec<Vec<u32>> {
    let mut kinds: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for record in whole.records().iter().filter(|record| record.seq > 1) {
        for kind in whole_game::event_kinds(std::slice::from_ref(record)) {
            kinds.entry(kind).or_default().push(record.seq - 1);
        }
    }
    kinds.into_values().collect()
}

/// What this seat has written that led to this record.
fn lines_that_led_to(record: &Record, seat: Seat) -> Option<Vec<String>> {
    match &record.cause {
        Cause::Orders { seat: by, lines, .. } if *by == seat => Some(lines.clone()),
        _ => None,
    }
}

/// A seat that the game waits for, or any.
fn choose_asking_seat(lot: &DrawnSetup, table: &Table, dice: &mut Dice) -> Seat {
    let all: Vec<Seat> = Seat::all(lot.seats).collect();
    let awaited = match table.turn() {
        Turn::Awaiting(seats) => seats,
        Turn::Over => Vec::new(),
    };
    let of = if dice.below(5) == 0 || awaited.is_empty() { all } else { awaited };
    *dice.pick(&of).expect("there is one")
}

/// The same table as far as this seat can know.
fn redeal_for_seat(table: &Table, seat: Seat, dice: &mut Dice) -> Table {
    let other = table.redeal(Viewer::Seat(seat), dice).expect("it is dealt");
    other.with_other_chance(dice)
}

/// Letters that this seat could write: what is legal, whole turns, plans, both, and lines with
/// slips in them.
fn candidate_letters(table: &Table, seat: Seat, dice: &mut Dice) -> Vec<Vec<String>> {
    let game = table.game();
    // Who is not awaited guesses at what the others could write.
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
    let plans = game.random_plans(seat, dice);
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

/// Lines that this seat can play one after the other, and the end of its turn.
fn random_turn(table: &Table, seat: Seat, dice: &mut Dice) -> Vec<String> {
    let (mut ahead, mut lines) = (table.game().clone_box(), Vec::new());
    let mut thrown = Dice::new(&Seed::from_number(8), 0);
    while let Some((line, _)) = ahead.play_random_line(seat, dice, &mut thrown) {
        lines.push(line);
        if dice.below(4) == 0 || lines.len() > 6 {
            break;
        }
    }
    lines.extend((dice.below(2) == 0).then(|| "done".to_owned()));
    lines
}

/// The line with a slip in it: letters that changed places, one too few, or no verb.
fn with_typing_error(line: &str, dice: &mut Dice) -> String {
    let mut letters: Vec<char> = line.chars().collect();
    let at = dice.below(u32::try_from(letters.len()).unwrap_or(1)) as usize;
    match dice.below(3) {
        0 if at > 0 => letters.swap(at - 1, at),
        0 | 1 => drop(letters.remove(at)),
        _ => return line.split_once(' ').map_or_else(|| line.to_owned(), |(_, rest)| rest.into()),
    }
    letters.into_iter().collect()
}

/// What the seat is told of this letter by a preview, and by a refusal or what is kept for later.
/// Whatever leads to a record shows what it shows.
fn answer_to_letter(table: &Table, seat: Seat, lines: &[String], seen: u32) -> String {
    let lines: Vec<OrderLine> =
        (1..).zip(lines).map(|(number, text)| OrderLine::new(number, text.clone())).collect();
    let standing = &QueuedOrders::default();
    let letter =
        Submission { seat, lines: &lines, seen_record: seen, letter: None, queued: standing };
    let done = match table.submit(&letter, table.founding().at) {
        Verdict::Refused(refused) => format!("{refused:#?}"),
        Verdict::Accepted { table: after, queued: standing, remarks }
            if after.head() == table.head() =>
        {
            format!("{standing:#?}\n{remarks:#?}")
        }
        Verdict::Accepted { .. } => "it is done".to_owned(),
    };
    format!("{:#?}\n{done}", table.preview(&letter))
}

/// A letter to this seat with all that can be asked, in words.
fn render_letter(lot: &DrawnSetup, library: &Library, table: &Table, seat: Seat) -> String {
    let language = ["en", "es"][usize::from(lot.settings.contains("language: es"))].to_owned();
    let reader = Member { id: 1, name: "Ann".to_owned(), language, ..Member::default() };
    let names: Vec<String> = NAMES.map(str::to_owned).into_iter().take(lot.seats.into()).collect();
    let letter = GameLetter {
        club: "Club",
        reader: &reader,
        seat,
        is_new: false,
        moderator: "mod@club.example",
        last_seen_record: table.head().saturating_sub(5),
        occasion: &Occasion::News,
        questions: &Question::ALL,
        is_bundled: false,
        subject_parts: SubjectParts::default(),
        queued_orders: &QueuedOrders::default(),
        private_notes: &Notes::default(),
        news_wish: None,
        plan_notes: &[],
        notices: &[],
        talk: &[],
        activity_log: &[],
        clock: &[],
        campaign: None,
        mailto_links: MailtoLinks { offers_max: 12, ..MailtoLinks::default() },
    };
    let rendered = Page::new(table, &names).render_letter(library, &letter).expect("it is worded");
    format!("{}\n{}\n{}", rendered.subject, rendered.text, rendered.html.unwrap_or_default())
}

fn check_same_text(
    lot: &DrawnSetup,
    table: &Table,
    seat: Seat,
    what: &str,
    texts: [&str; 2],
) -> Result<(), Difference> {
    if texts[0] == texts[1] {
        return Ok(());
    }
    let whose = format!("game {}, seed {}, seat {seat} asks", lot.kind.id(), lot.seed);
    let what = format!("{whose} after record {}:\n{what}", table.head());
    Err(Difference { what, lines: text_diff::differing_lines(&texts) })
}
