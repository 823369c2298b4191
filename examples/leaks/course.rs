//! How a game goes in two worlds that one viewer cannot tell apart: what everyone does so that it
//! looks the same to him, and what is hidden from him and differs.

use super::lot::Lot;
use chrono::{DateTime, Utc};
use postrider::rules::{Charset, Dice, EventText, Seat, Seed, Turn, Viewer};
use postrider::table::{GameSetup, OrderLine, Record, StandingOrders, Submission, Table, Verdict};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// How often another order is tried where one would show in which world it is given.
const TRIES: u32 = 40;

/// Orders of which others may know that they were given, but not what they say.
const COVERT: [&str; 1] = ["cut "];

/// One thing that is done.
#[derive(Clone, Debug)]
pub struct Step {
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
pub struct Course {
    /// What is done, in order.
    pub steps: Vec<Step>,
    /// The first record of the other world's log: what was dealt there.
    pub dealt: String,
    /// Whether nothing could be found at the end that looks the same in both.
    pub parts: bool,
}

/// What somebody sees of a game.
#[derive(PartialEq)]
struct Seen {
    place: (u32, Turn),
    public: Value,
    own: Value,
    board: Vec<String>,
    told: String,
}

/// The part of a record that says what has happened.
#[derive(Deserialize)]
struct Happened {
    events: Vec<EventText>,
}

/// A game at its table, with what its seats want later.
#[derive(Clone)]
pub struct World {
    /// The game.
    pub table: Table,
    /// What each seat wants later.
    pub standing: Vec<StandingOrders>,
}

impl World {
    /// The game where nobody wants anything later.
    pub fn new(table: Table) -> Self {
        let standing = Seat::all(table.founding().seats).map(|_| StandingOrders::default());
        Self { standing: standing.collect(), table }
    }

    /// What a letter of one line leads to, if it is carried out.
    pub fn written(&self, seat: Seat, line: &str) -> Option<Self> {
        let lines = [OrderLine::new(1, line.to_owned())];
        let standing = self.standing.get(seat.index())?;
        let letter =
            Submission { seat, lines: &lines, seen: self.table.head(), letter: None, standing };
        match self.table.submit(&letter, self.table.founding().at) {
            Verdict::Accepted { table, standing, .. } => {
                let mut after = Self { table: *table, standing: self.standing.clone() };
                after.standing[seat.index()] = standing;
                Some(after)
            }
            Verdict::Refused(_) => None,
        }
    }

    /// What it leads to that this seat lets its time go by.
    pub fn absent(&self, seat: Seat) -> Option<Self> {
        let secret = &self.standing.get(seat.index())?.secret;
        let table = self.table.forfeit(seat, secret, self.table.founding().at).ok()?;
        let mut after = Self { table, standing: self.standing.clone() };
        after.standing[seat.index()].secret.clear();
        Some(after)
    }

    /// The last record, and what everyone sees.
    fn shown(&self) -> (u32, Value) {
        (self.table.head(), self.table.game().public())
    }

    /// What the viewer sees, and is told of the last record.
    fn seen(&self, viewer: Viewer) -> Seen {
        let game = self.table.game();
        let own = match viewer {
            Viewer::Seat(seat) => game.private(seat),
            Viewer::Public => Value::Null,
        };
        let board = game.board(&[], Charset::Ascii).unwrap_or_default();
        let last = self.table.records().last().map(|record| said_in(record));
        let told = last.and_then(|events| game.narrate(&events, viewer).ok());
        let place = (self.table.head(), self.table.turn());
        Seen { place, public: game.public(), own, board, told: format!("{told:?}") }
    }

    /// An order of this seat that only its player may know.
    pub fn secret(&self, seat: Seat, dice: &mut Dice) -> Option<String> {
        for _ in 0..TRIES {
            let line = self.of_some_verb(seat, dice)?;
            let mut thrown = Dice::new(&Seed::rehearsal(1), 0);
            let played = self.table.game().copy().play(seat, &line, &[], &mut thrown);
            if played.is_ok_and(|played| played.secret.is_some()) {
                return Some(line);
            }
        }
        None
    }

    /// A legal line, each verb as likely: of some there are hundreds of lines.
    pub fn of_some_verb(&self, seat: Seat, dice: &mut Dice) -> Option<String> {
        let verb = |line: &String| line.split(' ').next().map(str::to_owned);
        let legal = self.table.game().legal(seat);
        let verbs: BTreeSet<String> = legal.iter().filter_map(verb).collect();
        let verbs: Vec<String> = verbs.into_iter().collect();
        let drawn = Some(dice.pick(&verbs)?.clone());
        let lines: Vec<&String> = legal.iter().filter(|line| verb(line) == drawn).collect();
        Some((*dice.pick(&lines)?).clone())
    }

    /// A whole line that is legal now, and is no secret.
    pub fn open(&self, seat: Seat, dice: &mut Dice) -> Option<String> {
        let mut thrown = Dice::new(&Seed::rehearsal(dice.below(9).into()), 0);
        let (line, _) = self.table.game().copy().play_at_random(seat, dice, &mut thrown)?;
        let played = self.table.game().copy().play(seat, &line, &[], &mut thrown).ok()?;
        played.secret.is_none().then_some(line)
    }
}

/// What a record says that has happened.
pub fn said_in(record: &Record) -> Vec<EventText> {
    let happened: Happened = serde_json::from_str(&record.line()).expect("a record");
    happened.events
}

/// The game of this seed, as it is dealt.
pub fn dealt(lot: &Lot, now: DateTime<Utc>) -> Table {
    let setup = GameSetup {
        kind: lot.kind,
        definition: lot.kind.definition(),
        options: &lot.options,
        seats: lot.seats,
    };
    Table::found(setup, 1, Seed::rehearsal(lot.seed), now).expect("it can be played")
}

/// A course of about so many steps from this deal. Before the worlds differ in what is still held,
/// `alike` steps go by in which nothing forbids that they differ.
pub fn composed(lot: &Lot, table: &Table, (alike, steps): (usize, usize)) -> Course {
    let mut dice = Dice::new(&Seed::rehearsal(lot.seed ^ 0xC0), 0);
    let (one, other, mut done) = begun(lot, table, alike, &mut dice);
    let dealt = other.table.records()[0].line();
    let most = alike + steps - done.len();
    let (more, parts) = further(lot, [one, other], most, &mut dice);
    done.extend(more);
    Course { steps: done, dealt, parts }
}

/// How it can go on, for so many steps at most, where two games stand so and each seat wants that
/// later.
pub fn onward(
    lot: &Lot,
    games: [(Table, Vec<StandingOrders>); 2],
    most: usize,
    dice: &mut Dice,
) -> Vec<Step> {
    let worlds = games.map(|(table, standing)| World { table, standing });
    further(lot, worlds, most, dice).0
}

/// So many steps at most that look the same, and whether there were no more of them.
fn further(
    lot: &Lot,
    [mut one, mut other]: [World; 2],
    most: usize,
    dice: &mut Dice,
) -> (Vec<Step>, bool) {
    let mut done = Vec::new();
    while done.len() < most && !one.table.is_over() {
        let Some((step, [a, b])) = step(lot, [&one, &other], dice) else { return (done, true) };
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
fn begun(lot: &Lot, table: &Table, alike: usize, dice: &mut Dice) -> (World, World, Vec<Step>) {
    let (mut one, mut done) = (World::new(table.clone()), Vec::new());
    while done.len() < alike {
        let Some((mut step, [next, _])) = step(lot, [&one, &one], dice) else { break };
        if let Some([line, other]) = &mut step.line {
            other.clone_from(line);
        }
        if next.table.is_over() {
            break;
        }
        one = next;
        done.push(Step { secret: [None, None], ..step });
        // What is ordered in secret differs later.
        one.standing.iter_mut().for_each(|standing| standing.secret.clear());
    }
    let again = |dealt: Table| -> Option<World> {
        let replayed = |world: World, step: &Step| match &step.line {
            Some([line, _]) => world.written(step.seat, line),
            None => world.absent(step.seat),
        };
        done.iter().try_fold(World::new(dealt), replayed)
    };
    // Without the secrets it may have gone another way.
    let one = again(table.clone()).filter(|again| again.table.head() == one.table.head());
    let worlds = one.and_then(|one| {
        let other = one.table.redeal(lot.viewer, dice).ok()?;
        let other = again(other.at(1).ok()?)?;
        (one.seen(lot.viewer) == other.seen(lot.viewer)).then_some((one, other))
    });
    match worlds {
        Some((one, other)) => (one, other, done),
        None => {
            let other = table.redeal(lot.viewer, dice).and_then(|other| {
                // A deal is folded like any other record.
                other.at(1).map_err(|_| unreachable!("it folds"))
            });
            (World::new(table.clone()), World::new(other.expect("it is dealt")), Vec::new())
        }
    }
}

/// Something that can be done in both worlds, and looks the same.
fn step(lot: &Lot, worlds: [&World; 2], dice: &mut Dice) -> Option<(Step, [World; 2])> {
    let Turn::Awaiting(seats) = worlds[0].table.turn() else { return None };
    (0..TRIES).find_map(|_| attempt(lot, *dice.pick(&seats)?, worlds, dice))
}

fn attempt(
    lot: &Lot,
    seat: Seat,
    worlds: [&World; 2],
    dice: &mut Dice,
) -> Option<(Step, [World; 2])> {
    let mut secret = [None, None];
    let is_own = lot.seat() == Some(seat);
    if dice.below(2) == 0 {
        let first = worlds[0].secret(seat, dice);
        let second = if is_own { first.clone() } else { worlds[1].secret(seat, dice) };
        secret = [first, second];
        if !is_own && dice.below(3) == 0 {
            // That there was one is a secret too.
            secret[dice.below(2) as usize] = None;
        }
    }
    let after = |world: &World, secret: &Option<String>| match secret {
        Some(line) => world.written(seat, line),
        None => Some(world.clone()),
    };
    let (one, other) = (after(worlds[0], &secret[0])?, after(worlds[1], &secret[1])?);
    let shows = one.seen(lot.viewer) != worlds[0].seen(lot.viewer)
        || other.seen(lot.viewer) != worlds[1].seen(lot.viewer);
    if lot.forfeits && dice.below(14) == 0 {
        let after = [one.absent(seat)?, other.absent(seat)?];
        let step = Step { seat, line: None, secret, after: after[0].shown() };
        return alike(lot, worlds, step, after);
    }
    let line = one.open(seat, dice)?;
    // Of some orders everyone may know that they were given, but not what they say.
    let covert = if lot.seat() != Some(seat) && dice.below(4) == 0 {
        other.open(seat, dice)?
    } else {
        line.clone()
    };
    let after = [one.written(seat, &line)?, other.written(seat, &covert)?];
    let is_covert = |line: &str| COVERT.iter().any(|verb| line.starts_with(verb));
    let says_nothing = is_covert(&line) && is_covert(&covert);
    let step = Step { seat, line: Some([line, covert]), secret, after: after[0].shown() };
    if is_own && step.secret.iter().any(Option::is_some) {
        // What he has ordered himself he may see.
    } else if shows || says_nothing {
        // Whatever shows of it is found in the clubs: here it would only be passed over.
        return Some((step, after));
    }
    alike(lot, worlds, step, after)
}

/// The step and what it led to, if that looks the same.
fn alike(
    lot: &Lot,
    before: [&World; 2],
    step: Step,
    after: [World; 2],
) -> Option<(Step, [World; 2])> {
    let is_alike = after[0].seen(lot.viewer) == after[1].seen(lot.viewer);
    let goes_on = after[0].table.head() > before[0].table.head();
    (is_alike && goes_on).then_some((step, after))
}
