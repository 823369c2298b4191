//! Whole games by random legal play: what bots, benches and fuzzers are fed with.

use super::{Cause, GameSetup, QueuedOrders, Table};
use crate::rules::{Dice, NewGameError, Seed, Turn};
use chrono::{DateTime, TimeDelta, Utc};

/// Why a rehearsal gave no finished game.
#[derive(Debug, thiserror::Error)]
pub enum RehearsalError {
    /// The game could not be founded.
    #[error(transparent)]
    Open(#[from] NewGameError),
    /// The game did not end in this many letters.
    #[error("the game did not end within {0} letters")]
    Letters(u32),
    /// The game waits for a seat that has nothing legal to do.
    #[error("the game waits for a seat that can do nothing, after record {0}")]
    Stuck(u32),
}

/// A game that was rehearsed.
pub struct Rehearsal {
    /// The game, at its end.
    pub table: Table,
    /// How many letters its players wrote.
    pub(crate) letters: u32,
}

/// How a game is rehearsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RehearsalMode {
    /// Each letter holds one order.
    SingleOrders,
    /// Each letter also holds plans for what may come next, and what all can see to be
    /// forced is carried out.
    WithPlans,
}

/// Plays one game to its end by random legal orders; the same seed gives the same game.
///
/// # Errors
/// When it cannot be founded, gets stuck, or does not end within `letters_max` letters.
///
/// ```
/// use postrider::games::kind;
/// use postrider::table::{GameSetup, Manner, rehearse};
///
/// let kind = kind("trick-of-the-rails").expect("it ships");
/// let options = [].into();
/// let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats: 3 };
/// let game = rehearse(setup, 1, 7, 20_000, Manner::OneByOne).expect("it ends").table;
/// assert!(game.is_over() && game.standings()[0].rank == 1);
/// ```
pub fn rehearse(
    setup: GameSetup<'_>,
    number: u32,
    seed: u64,
    letters_max: u32,
    manner: RehearsalMode,
) -> Result<Rehearsal, RehearsalError> {
    let began = DateTime::<Utc>::UNIX_EPOCH;
    let mut table = Table::found_game(setup, number, Seed::from_number(seed), began)?;
    let auto_forced = manner == RehearsalMode::WithPlans;
    let mut queued =
        vec![QueuedOrders { auto_forced, ..QueuedOrders::default() }; setup.seats.into()];
    // The players' chance is not the game's: it comes from a seed of its own.
    let mut chooser = Dice::new(&Seed::from_number(!seed), 0);
    for letters in 0..letters_max {
        let now = began + TimeDelta::minutes(letters.into());
        if manner == RehearsalMode::WithPlans {
            let carried = table.play_queued_orders(&queued, &[], now);
            (table, queued) = (carried.table, carried.queued);
        }
        let Turn::Awaiting(seats) = table.turn() else { return Ok(Rehearsal { table, letters }) };
        let stuck = RehearsalError::Stuck(table.head());
        let Some(&seat) = chooser.pick(&seats) else { return Err(stuck) };
        let mut dice = table.dice();
        let Some((line, events)) = table.game.play_random_line(seat, &mut chooser, &mut dice)
        else {
            return Err(stuck);
        };
        let cause = Cause::Orders { seat, lines: vec![line], letter: None };
        let after = now + TimeDelta::minutes(1);
        table.append_record(cause, events, dice.counter(), after);
        if manner == RehearsalMode::WithPlans
            && let Some(standing) = queued.get_mut(seat.index())
        {
            let lines = table.game.random_plans(seat, &mut chooser);
            standing.plans.clear();
            for line in lines {
                let Some(Ok(plans)) = table.game.parse_plan(seat, &line) else { continue };
                if let Ok(joined) = table.game.merge_plans(&standing.plans, &plans) {
                    standing.plans = joined;
                }
            }
        }
    }
    match table.turn() {
        Turn::Over => Ok(Rehearsal { table, letters: letters_max }),
        Turn::Awaiting(_) => Err(RehearsalError::Letters(letters_max)),
    }
}
