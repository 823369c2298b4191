//! How a game goes in two worlds that one viewer cannot tell apart: what everyone does so that it
//! looks the same to him, and what is hidden from him and differs.

use super::drawn_setup::DrawnSetup;
use chrono::{DateTime, Utc};
use postrider::rules::{Charset, Dice, EventText, Seat, Seed, Turn, Viewer};
use postrider::table::{GameSetup, OrderLine, QueuedOrders, Record, Submission, Table, Verdict};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// How often another order is tried where one would show in which world it is given.
const ATTEMPTS_MAX: u32 = 40;

/// Orders of which others may know that they were given, but not what they say.
const COVERT_VERBS: [&str; 1] = ["cut "];

/// One thing that is done.
#[derive(Clone, Debug)]
pub struct CourseStep {
    /// By whom.
    pub seat: Seat,
    /// What is written for it in each of the worlds, of which nobody else may know what it says
    /// where it differs; nothing by who lets his time go by.
    pub line: Option<[String; 2]>,
    /// What is ordered in secret before that, in each of the worlds.
    pub secret: [Option<String>; 2],
    /// The game's last record afterwards, and what everyone sees then.
    pub after: (u32, Value),
}

/// How it goes.
pub struct GameCourse {
    /// What is done, in order.
    pub steps: Vec<CourseStep>,
    /// The first record of the other world's log: what was dealt there.
    pub other_deal: String,
    /// Whether nothing could be found at the end that looks the same in both.
    pub ended_early: bool,
}

/// What somebody sees of a game.
#[derive(PartialEq)]
struct ViewerState {
    place: (u32, Turn),
    public: Value,
    own: Value,
    board: Vec<String>,
    last_events: String,
}

/// The part of a record that says what has happened.
#[derive(Deserialize)]
struct RecordEvents {
    events: Vec<EventText>,
}

/// A game at its table, with what its seats want later.
#[derive(Clone)]
pub struct World {
    /// The game.
    pub table: Table,
    /// What each seat wants later.
    pub standing: Vec<QueuedOrders>,
}

impl World {
    /// The game where nobody wants anything later.
    pub fn new(table: Table) -> Self {
        let standing = Seat::all(table.founding().seats).map(|_| QueuedOrders::default());
        Self { standing: standing.collect(), table }
    }

    /// What a letter of one line leads to, if it is carried out.
    pub fn after_order(&self, seat: Seat, line: &str) -> Option<Self> {
        let lines = [OrderLine::new(1, line.to_owned())];
        let standing = self.standing.get(seat.index())?;
        let letter = Submission {
            seat,
            lines: &lines,
            seen_record: self.table.head(),
            letter: None,
            queued: standing,
        };
        match self.table.submit(&letter, self.table.founding().at) {
            Verdict::Accepted { table, queued: standing, .. } => {
                let mut after = Self { table: *table, standing: self.standing.clone() };
                after.standing[seat.index()] = standing;
                Some(after)
            }
            Verdict::Refused(_) => None,
        }
    }

    /// What it leads to that this seat lets its time go by.
    pub fn after_absence(&self, seat: Seat) -> Option<Self> {
        let secret = &self.standing.get(seat.index())?.secret_lines;
        let table = self.table.forfeit_turn(seat, secret, self.table.founding().at).ok()?;
        let mut after = Self { table, standing: self.standing.clone() };
        after.standing[seat.index()].secret_lines.clear();
        Some(after)
    }

    /// The last record, and what everyone sees.
    fn public_state(&self) -> (u32, Value) {
        (self.table.head(), self.table.game().public_data())
    }

    /// What the viewer sees, and is told of the last record.
    fn viewer_state(&self, viewer: Viewer) -> ViewerState {
        let game = self.table.game();
        let own = match viewer {
            Viewer::Seat(seat) => game.private_data(seat),
            Viewer::Public => Value::Null,
        };
        let board = game.draw_board(&[], Charset::Ascii).unwrap_or_default();
        let last = self.table.records().last().map(|record| events_of(record));
        let told = last.and_then(|events| game.narrate_events(&events, viewer).ok());
        let place = (self.table.head(), self.table.turn());
        ViewerState {
            place,
            public: game.public_data(),
            own,
            board,
            last_events: format!("{told:?}"),
        }
    }

    /// An order of this seat that only its player may know.
    pub fn random_secret_order(&self, seat: Seat, dice: &mut Dice) -> Option<String> {
        for _ in 0..ATTEMPTS_MAX {
            let line = self.random_legal_line(seat, dice)?;
            let mut thrown = Dice::new(&Seed::from_number(1), 0);
            let played = self.table.game().clone_box().play_line(seat, &line, &[], &mut thrown);
            if played.is_ok_and(|played| played.secret_line.is_some()) {
                return Some(line);
            }
        }
        None
    }

    /// A legal line, each verb as likely: of some there are hundreds of lines.
    pub fn random_legal_line(&self, seat: Seat, dice: &mut Dice) -> Option<String> {
        let verb = |line: &String| line.split(' ').next().map(str::to_owned);
        let legal = self.table.game().legal_lines(seat);
        let verbs: BTreeSet<String> = legal.iter().filter_map(verb).collect();
        let verbs: Vec<String> = verbs.into_iter().collect();
        let drawn = Some(dice.pick(&verbs)?.clone());
        let lines: Vec<&String> = legal.iter().filter(|line| verb(line) == drawn).collect();
        Some((*dice.pick(&lines)?).clone())
    }

    /// A whole line that is legal now, and is no secret.
    pub fn random_open_order(&self, seat: Seat, dice: &mut Dice) -> Option<String> {
        let mut thrown = Dice::new(&Seed::from_number(dice.below(9).into()), 0);
        let (line, _) = self.table.game().clone_box().play_random_line(seat, dice, &mut thrown)?;
        let played = self.table.game().clone_box().play_line(seat, &line, &[], &mut thrown).ok()?;
        played.secret_line.is_none().then_some(line)
    }
}

/// What a record says that has happened.
pub fn events_of(record: &Record) -> Vec<EventText> {
    let happened: RecordEvents = serde_json::from_str(&record.to_line()).expect("a record");
    happened.events
}

/// The game of this seed, as it is dealt.
pub fn deal_game(lot: &DrawnSetup, now: DateTime<Utc>) -> Table {
    let setup = GameSetup {
        kind: lot.kind,
        definition: lot.kind.definition(),
        options: &lot.options,
        seats: lot.seats,
    };
    Table::found_game(setup, 1, Seed::from_number(lot.seed), now).expect("it can be played")
}

/// A course of about so many steps from this deal. Before the worlds differ in what is still held,
/// `alike` steps go by in which nothing forbids that they differ.
pub fn compose_course(
    lot: &DrawnSetup,
    table: &Table,
    (alike, steps): (usize, usize),
) -> GameCourse {
    let mut dice = Dice::new(&Seed::from_number(lot.seed ^ 0xC0), 0);
    let (one, other, mut done) = start_alike(lot, table, alike, &mut dice);
    let dealt = other.table.records()[0].to_line();
    let most = alike + steps - done.len();
    let (more, parts) = compose_steps(lot, [one, other], most, &mut dice);
    done.extend(more);
    GameCourse { steps: done, other_deal: dealt, ended_early: parts }
}

/// How it can go on, for so many steps at most, where two games stand so and each seat wants that
/// later.
pub fn continue_course(
    lot: &DrawnSetup,
    games: [(Table, Vec<QueuedOrders>); 2],
    most: usize,
    dice: &mut Dice,
) -> Vec<CourseStep> {
    let worlds = games.map(|(table, standing)| World { table, standing });
    compose_steps(lot, worlds, most, dice).0
}

/// So many steps at most that look the same, and whether there were no more of them.
fn compose_steps(
    lot: &DrawnSetup,
    [mut one, mut other]: [World; 2],
    most: usize,
    dice: &mut Dice,
) -> (Vec<CourseStep>, bool) {
    let mut done = Vec::new();
    while done.len() < most && !one.table.is_over() {
        let Some((step, [a, b])) = next_alike_step(lot, [&one, &other], dice) else {
            return (done, true);
        };
        (one, other) = (a, b);
        done.push(step);
    }
    if one.table.is_over() {
        // The last letters show what was hidden.
        done.pop();
    }
    (done, false)
}

/// The worlds after the steps in which they are alike but for what is held at their end.
fn start_alike(
    lot: &DrawnSetup,
    table: &Table,
    alike: usize,
    dice: &mut Dice,
) -> (World, World, Vec<CourseStep>) {
    let (mut one, mut done) = (World::new(table.clone()), Vec::new());
    while done.len() < alike {
        let Some((mut step, [next, _])) = next_alike_step(lot, [&one, &one], dice) else { break };
        if let Some([line, other]) = &mut step.line {
            other.clone_from(line);
        }
        if next.table.is_over() {
            break;
        }
        one = next;
        done.push(CourseStep { secret: [None, None], ..step });
        // What is ordered in secret differs later.
        one.standing.iter_mut().for_each(|standing| standing.secret_lines.clear());
    }
    let again = |dealt: Table| -> Option<World> {
        let replayed = |world: World, step: &CourseStep| match &step.line {
            Some([line, _]) => world.after_order(step.seat, line),
            None => world.after_absence(step.seat),
        };
        done.iter().try_fold(World::new(dealt), replayed)
    };
    // Without the secrets it may have gone another way.
    let one = again(table.clone()).filter(|again| again.table.head() == one.table.head());
    let worlds = one.and_then(|one| {
        let other = one.table.redeal(lot.viewer, dice).ok()?;
        let other = again(other.at_record(1).ok()?)?;
        (one.viewer_state(lot.viewer) == other.viewer_state(lot.viewer)).then_some((one, other))
    });
    match worlds {
        Some((one, other)) => (one, other, done),
        None => {
            let other = table.redeal(lot.viewer, dice).and_then(|other| {
                // A deal is folded like any other record.
                other.at_record(1).map_err(|_| unreachable!("it folds"))
            });
            (World::new(table.clone()), World::new(other.expect("it is dealt")), Vec::new())
        }
    }
}

/// Something that can be done in both worlds, and looks the same.
fn next_alike_step(
    lot: &DrawnSetup,
    worlds: [&World; 2],
    dice: &mut Dice,
) -> Option<(CourseStep, [World; 2])> {
    let Turn::Awaiting(seats) = worlds[0].table.turn() else { return None };
    (0..ATTEMPTS_MAX).find_map(|_| try_step(lot, *dice.pick(&seats)?, worlds, dice))
}

fn try_step(
    lot: &DrawnSetup,
    seat: Seat,
    worlds: [&World; 2],
    dice: &mut Dice,
) -> Option<(CourseStep, [World; 2])> {
    let mut secret = [None, None];
    let is_own = lot.viewer_seat() == Some(seat);
    if dice.below(2) == 0 {
        let first = worlds[0].random_secret_order(seat, dice);
        let second = if is_own { first.clone() } else { worlds[1].random_secret_order(seat, dice) };
        secret = [first, second];
        if !is_own && dice.below(3) == 0 {
            // That there was one is a secret too.
            secret[dice.below(2) as usize] = None;
        }
    }
    let after = |world: &World, secret: &Option<String>| match secret {
        Some(line) => world.after_order(seat, line),
        None => Some(world.clone()),
    };
    let (one, other) = (after(worlds[0], &secret[0])?, after(worlds[1], &secret[1])?);
    let shows = one.viewer_state(lot.viewer) != worlds[0].viewer_state(lot.viewer)
        || other.viewer_state(lot.viewer) != worlds[1].viewer_state(lot.viewer);
    if lot.forfeits && dice.below(14) == 0 {
        let after = [one.after_absence(seat)?, other.after_absence(seat)?];
        let step = CourseStep { seat, line: None, secret, after: after[0].public_state() };
        return if_alike(lot, worlds, step, after);
    }
    let line = one.random_open_order(seat, dice)?;
    // Of some orders everyone may know that they were given, but not what they say.
    let covert = if lot.viewer_seat() != Some(seat) && dice.below(4) == 0 {
        other.random_open_order(seat, dice)?
    } else {
        line.clone()
    };
    let after = [one.after_order(seat, &line)?, other.after_order(seat, &covert)?];
    let is_covert = |line: &str| COVERT_VERBS.iter().any(|verb| line.starts_with(verb));
    let says_nothing = is_covert(&line) && is_covert(&covert);
    let step =
        CourseStep { seat, line: Some([line, covert]), secret, after: after[0].public_state() };
    if is_own && step.secret.iter().any(Option::is_some) {
        // What he has ordered himself he may see.
    } else if shows || says_nothing {
        // Whatever shows of it is found in the clubs: here it would only be passed over.
        return Some((step, after));
    }
    if_alike(lot, worlds, step, after)
}

/// The step and what it led to, if that looks the same.
fn if_alike(
    lot: &DrawnSetup,
    before: [&World; 2],
    step: CourseStep,
    after: [World; 2],
) -> Option<(CourseStep, [World; 2])> {
    let is_alike = after[0].viewer_state(lot.viewer) == after[1].viewer_state(lot.viewer);
    let goes_on = after[0].table.head() > before[0].table.head();
    (is_alike && goes_on).then_some((step, after))
}
