//! The course of a game in two worlds that one viewer cannot tell apart. A world is one possible
//! complete state of a game, with its hidden information. Each step looks equal to the viewer in
//! both worlds, although the hidden information differs.

use super::drawn_setup::DrawnSetup;
use chrono::{DateTime, Utc};
use postrider::rules::{Charset, Dice, EventText, Seat, Seed, Turn, Viewer};
use postrider::table::{GameSetup, OrderLine, QueuedOrders, Record, Submission, Table, Verdict};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// The number of times that another order is tried if one would look different in the two worlds.
const ATTEMPTS_MAX: u32 = 40;

/// Orders that everybody can see, but whose content is secret.
const COVERT_VERBS: [&str; 1] = ["cut "];

/// One order, or one missed deadline, in both worlds.
#[derive(Clone, Debug)]
pub struct CourseStep {
    /// The seat that acts.
    pub seat: Seat,
    /// The line that the player writes in each world. The two differ only if the content of the
    /// order is secret. `None` if the player misses the deadline.
    pub line: Option<[String; 2]>,
    /// The secret order that the player gives first, in each world.
    pub secret: [Option<String>; 2],
    /// The number of the game's last record after this step, and the public state then.
    pub after: (u32, Value),
}

/// The steps of a game in both worlds.
pub struct GameCourse {
    pub steps: Vec<CourseStep>,
    /// The deal of the other world: record 1 of its log.
    pub other_deal: String,
    /// Whether the course ended early, because no step was found that looks equal in both worlds.
    pub ended_early: bool,
}

/// All that one viewer sees of a game.
#[derive(PartialEq)]
struct ViewerState {
    place: (u32, Turn),
    public: Value,
    own: Value,
    board: Vec<String>,
    last_events: String,
}

/// The events of a record.
#[derive(Deserialize)]
struct RecordEvents {
    events: Vec<EventText>,
}

/// A game with the queued orders of its seats.
#[derive(Clone)]
pub struct World {
    pub table: Table,
    /// The queued orders, by seat.
    pub standing: Vec<QueuedOrders>,
}

impl World {
    /// Creates a world without queued orders.
    pub fn new(table: Table) -> Self {
        let standing = Seat::all(table.founding().seats).map(|_| QueuedOrders::default());
        Self { standing: standing.collect(), table }
    }

    /// Returns the world after a letter with one line. `None` if the line is refused.
    pub fn after_order(&self, seat: Seat, line: &str) -> Option<Self> {
        let lines = [OrderLine::new(1, line.to_owned())];
        let standing = self.standing.get(seat.index())?;
        let letter = Submission {
            seat,
            lines: &lines,
            seen_record: self.table.last_record_number(),
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

    /// Returns the world after this seat forfeits its turn.
    pub fn after_absence(&self, seat: Seat) -> Option<Self> {
        let secret = &self.standing.get(seat.index())?.secret_lines;
        let table = self.table.play_turn_for_absent(seat, secret, self.table.founding().at).ok()?;
        let mut after = Self { table, standing: self.standing.clone() };
        after.standing[seat.index()].secret_lines.clear();
        Some(after)
    }

    /// The number of the last record, and the public state.
    fn public_state(&self) -> (u32, Value) {
        (self.table.last_record_number(), self.table.game().public_data())
    }

    /// Returns the state that the viewer sees, with the events of the last record as they are told
    /// to the viewer.
    fn viewer_state(&self, viewer: Viewer) -> ViewerState {
        let game = self.table.game();
        let own = match viewer {
            Viewer::Seat(seat) => game.private_data(seat),
            Viewer::Public => Value::Null,
        };
        let board = game.draw_board_text(&[], Charset::Ascii).unwrap_or_default();
        let last = self.table.records().last().map(|record| events_of(record));
        let narrated = last.and_then(|events| game.narrate_events(&events, viewer).ok());
        let place = (self.table.last_record_number(), self.table.turn());
        ViewerState {
            place,
            public: game.public_data(),
            own,
            board,
            last_events: format!("{narrated:?}"),
        }
    }

    /// Returns an order of this seat that is secret from all other players.
    pub fn random_secret_order(&self, seat: Seat, dice: &mut Dice) -> Option<String> {
        for _ in 0..ATTEMPTS_MAX {
            let line = self.random_legal_line(seat, dice)?;
            let mut thrown = Dice::new(&Seed::from_number(1), 0);
            let played =
                self.table.game().clone_box().judge_and_play_line(seat, &line, &[], &mut thrown);
            if played.is_ok_and(|played| played.secret_line.is_some()) {
                return Some(line);
            }
        }
        None
    }

    /// Returns a legal line. Every verb is equally likely, because some verbs have hundreds of
    /// lines.
    pub fn random_legal_line(&self, seat: Seat, dice: &mut Dice) -> Option<String> {
        let verb = |line: &String| line.split(' ').next().map(str::to_owned);
        let legal = self.table.game().legal_lines(seat);
        let verbs: BTreeSet<String> = legal.iter().filter_map(verb).collect();
        let verbs: Vec<String> = verbs.into_iter().collect();
        let drawn = Some(dice.pick(&verbs)?.clone());
        let lines: Vec<&String> = legal.iter().filter(|line| verb(line) == drawn).collect();
        Some((*dice.pick(&lines)?).clone())
    }

    /// Returns a complete legal order that is not secret.
    pub fn random_open_order(&self, seat: Seat, dice: &mut Dice) -> Option<String> {
        let mut thrown = Dice::new(&Seed::from_number(dice.roll_below(9).into()), 0);
        let (line, _) = self.table.game().clone_box().play_random_line(seat, dice, &mut thrown)?;
        let played = self
            .table
            .game()
            .clone_box()
            .judge_and_play_line(seat, &line, &[], &mut thrown)
            .ok()?;
        played.secret_line.is_none().then_some(line)
    }
}

/// Returns the events of a record.
pub fn events_of(record: &Record) -> Vec<EventText> {
    let happened: RecordEvents = serde_json::from_str(&record.to_line()).expect("a record");
    happened.events
}

/// Founds and deals the game of this setup.
pub fn deal_game(drawn: &DrawnSetup, now: DateTime<Utc>) -> Table {
    let setup = GameSetup {
        kind: drawn.kind,
        definition: drawn.kind.shipped_definition(),
        options: &drawn.options,
        seats: drawn.seats,
    };
    Table::found_game(setup, 1, Seed::from_number(drawn.seed), now).expect("it can be played")
}

/// Composes a course of about `alike + steps` steps from this deal. The first `alike` steps have
/// equal orders in both worlds, and the other world is then dealt so that the viewer cannot tell it
/// from the first.
pub fn compose_course(
    drawn: &DrawnSetup,
    table: &Table,
    (alike, steps): (usize, usize),
) -> GameCourse {
    let mut dice = Dice::new(&Seed::from_number(drawn.seed ^ 0xC0), 0);
    let (one, other, mut done) = start_alike(drawn, table, alike, &mut dice);
    let dealt = other.table.records()[0].to_line();
    let most = alike + steps - done.len();
    let (more, ended_early) = compose_steps(drawn, [one, other], most, &mut dice);
    done.extend(more);
    GameCourse { steps: done, other_deal: dealt, ended_early }
}

/// Composes up to `most` further steps from the current games and queued orders of both worlds.
pub fn continue_course(
    drawn: &DrawnSetup,
    games: [(Table, Vec<QueuedOrders>); 2],
    most: usize,
    dice: &mut Dice,
) -> Vec<CourseStep> {
    let worlds = games.map(|(table, standing)| World { table, standing });
    compose_steps(drawn, worlds, most, dice).0
}

/// Composes up to `most` steps that look equal to the viewer. Returns whether it ended early
/// because it found no more.
fn compose_steps(
    drawn: &DrawnSetup,
    [mut one, mut other]: [World; 2],
    most: usize,
    dice: &mut Dice,
) -> (Vec<CourseStep>, bool) {
    let mut done = Vec::new();
    while done.len() < most && !one.table.is_over() {
        let Some((step, [a, b])) = next_alike_step(drawn, [&one, &other], dice) else {
            return (done, true);
        };
        (one, other) = (a, b);
        done.push(step);
    }
    if one.table.is_over() {
        // A game that is over discloses everything, so its last step is left out.
        done.pop();
    }
    (done, false)
}

/// Plays `alike` steps, and deals another world that looks equal to the viewer after them. Returns
/// both worlds and the steps. Starts both worlds at the deal if there is no such world.
fn start_alike(
    drawn: &DrawnSetup,
    table: &Table,
    alike: usize,
    dice: &mut Dice,
) -> (World, World, Vec<CourseStep>) {
    let (mut one, mut done) = (World::new(table.clone()), Vec::new());
    while done.len() < alike {
        let Some((mut step, [next, _])) = next_alike_step(drawn, [&one, &one], dice) else { break };
        if let Some([line, other]) = &mut step.line {
            other.clone_from(line);
        }
        if next.table.is_over() {
            break;
        }
        one = next;
        done.push(CourseStep { secret: [None, None], ..step });
        // Secret orders would differ between the worlds, so the steps are kept without them.
        one.standing.iter_mut().for_each(|standing| standing.secret_lines.clear());
    }
    let replay = |dealt: Table| -> Option<World> {
        let replayed = |world: World, step: &CourseStep| match &step.line {
            Some([line, _]) => world.after_order(step.seat, line),
            None => world.after_absence(step.seat),
        };
        done.iter().try_fold(World::new(dealt), replayed)
    };
    // The game may have gone differently without the secret orders, so it is replayed.
    let one = replay(table.clone())
        .filter(|replayed| replayed.table.last_record_number() == one.table.last_record_number());
    let worlds = one.and_then(|one| {
        let other = one.table.redeal(drawn.viewer, dice).ok()?;
        let other = replay(other.at_record(1).ok()?)?;
        (one.viewer_state(drawn.viewer) == other.viewer_state(drawn.viewer)).then_some((one, other))
    });
    match worlds {
        Some((one, other)) => (one, other, done),
        None => {
            let other = table.redeal(drawn.viewer, dice).and_then(|other| {
                // `at_record(1)` cannot fail, because the deal is a record like any other.
                other.at_record(1).map_err(|_| unreachable!("it folds"))
            });
            (World::new(table.clone()), World::new(other.expect("it is dealt")), Vec::new())
        }
    }
}

/// Returns a step that is possible in both worlds and looks equal, with the worlds after it.
fn next_alike_step(
    drawn: &DrawnSetup,
    worlds: [&World; 2],
    dice: &mut Dice,
) -> Option<(CourseStep, [World; 2])> {
    let Turn::Awaiting(seats) = worlds[0].table.turn() else { return None };
    (0..ATTEMPTS_MAX).find_map(|_| try_step(drawn, *dice.pick(&seats)?, worlds, dice))
}

fn try_step(
    drawn: &DrawnSetup,
    seat: Seat,
    worlds: [&World; 2],
    dice: &mut Dice,
) -> Option<(CourseStep, [World; 2])> {
    let mut secret = [None, None];
    let is_own = drawn.viewer_seat() == Some(seat);
    if dice.roll_below(2) == 0 {
        let first = worlds[0].random_secret_order(seat, dice);
        let second = if is_own { first.clone() } else { worlds[1].random_secret_order(seat, dice) };
        secret = [first, second];
        if !is_own && dice.roll_below(3) == 0 {
            // The existence of a secret order is secret too.
            secret[dice.roll_below(2) as usize] = None;
        }
    }
    let after = |world: &World, secret: &Option<String>| match secret {
        Some(line) => world.after_order(seat, line),
        None => Some(world.clone()),
    };
    let (one, other) = (after(worlds[0], &secret[0])?, after(worlds[1], &secret[1])?);
    let shows_secret_order = one.viewer_state(drawn.viewer) != worlds[0].viewer_state(drawn.viewer)
        || other.viewer_state(drawn.viewer) != worlds[1].viewer_state(drawn.viewer);
    let absences = if drawn.has_bots { 2 } else { 14 };
    if (drawn.forfeits || drawn.has_bots && is_own) && dice.roll_below(absences) == 0 {
        let after = [one.after_absence(seat)?, other.after_absence(seat)?];
        let step = CourseStep { seat, line: None, secret, after: after[0].public_state() };
        return if_alike(drawn, worlds, step, after);
    }
    let line = one.random_open_order(seat, dice)?;
    // Everybody may see some orders without their content, so the other world may have another one.
    let covert = if drawn.viewer_seat() != Some(seat) && dice.roll_below(4) == 0 {
        other.random_open_order(seat, dice)?
    } else {
        line.clone()
    };
    let after = [one.after_order(seat, &line)?, other.after_order(seat, &covert)?];
    let is_covert = |line: &str| COVERT_VERBS.iter().any(|verb| line.starts_with(verb));
    let has_secret_content = is_covert(&line) && is_covert(&covert);
    let step =
        CourseStep { seat, line: Some([line, covert]), secret, after: after[0].public_state() };
    if is_own && step.secret.iter().any(Option::is_some) {
        // The viewer's own secret order may be visible to the viewer.
    } else if shows_secret_order || has_secret_content {
        // A step that shows a secret is a leak. It is kept, so that the comparison of the clubs
        // reports it.
        return Some((step, after));
    }
    if_alike(drawn, worlds, step, after)
}

/// Returns the step and the worlds after it if they look equal to the viewer and the game has
/// advanced.
fn if_alike(
    drawn: &DrawnSetup,
    before: [&World; 2],
    step: CourseStep,
    after: [World; 2],
) -> Option<(CourseStep, [World; 2])> {
    let is_alike = after[0].viewer_state(drawn.viewer) == after[1].viewer_state(drawn.viewer);
    let goes_on = after[0].table.last_record_number() > before[0].table.last_record_number();
    (is_alike && goes_on).then_some((step, after))
}
