//! Rehearsals: whole games of random legal orders, for tests, benchmarks and fuzzing.

use super::{Cause, GameSetup, QueuedOrders, Table};
use crate::rules::{Dice, NewGameError, Seed, Turn};
use chrono::{DateTime, TimeDelta, Utc};

/// The reason why a rehearsal did not finish its game.
#[derive(Debug, thiserror::Error)]
pub enum RehearsalError {
    /// The game could not be founded.
    #[error(transparent)]
    Open(#[from] NewGameError),
    /// The game did not end within this number of letters.
    #[error("the game did not end within {0} letters")]
    Letters(u32),
    /// The rules refused this line, which a player of the rehearsal had chosen.
    #[error("the rules refuse a player's line: {0}")]
    Refused(String),
    /// The game waits for a seat that has no legal order. Contains the number of the last record.
    #[error("after record {0}, it is the turn of a seat that has no legal order")]
    Stuck(u32),
}

/// The result of a rehearsal: a finished game.
pub struct Rehearsal {
    /// The finished game.
    pub table: Table,
    /// The number of letters that the random players sent.
    pub(crate) letters: u32,
}

/// The style of play in a rehearsal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RehearsalMode {
    /// Each letter contains one line of orders and no plans.
    SingleOrders,
    /// Each letter also contains plans, and publicly forced orders are played automatically.
    WithPlans,
}

/// Plays a whole game of random legal orders. Equal seeds give equal games.
///
/// # Errors
/// The game cannot be founded, gets stuck, or does not end within `letters_max` letters.
///
/// ```
/// use postrider::games::find_kind;
/// use postrider::table::{GameSetup, RehearsalMode, rehearse};
///
/// let kind = find_kind("trick-of-the-rails").expect("it ships");
/// let options = [].into();
/// let definition = kind.shipped_definition();
/// let setup = GameSetup { kind, definition, options: &options, seats: 3 };
/// let game = rehearse(setup, 1, 7, 20_000, RehearsalMode::SingleOrders).expect("it ends").table;
/// assert!(game.is_over() && game.rankings()[0].rank == 1);
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
    // The random players use a seed of their own, so that their choices do not use up the game's
    // random numbers.
    let mut chooser = Dice::new(&Seed::from_number(!seed), 0);
    for letters in 0..letters_max {
        let now = began + TimeDelta::minutes(letters.into());
        if manner == RehearsalMode::WithPlans {
            let carried = table.play_queued_orders(&queued, &[], now);
            (table, queued) = (carried.table, carried.queued);
        }
        let Turn::Awaiting(seats) = table.turn() else { return Ok(Rehearsal { table, letters }) };
        let stuck = RehearsalError::Stuck(table.last_record_number());
        let Some(&seat) = chooser.pick(&seats) else { return Err(stuck) };
        let mut dice = table.dice();
        let Some((line, events)) = table.game.play_random_line(seat, &mut chooser, &mut dice)
        else {
            return Err(stuck);
        };
        let cause = Cause::Orders { seat, lines: vec![line], letter: None };
        let after = now + TimeDelta::minutes(1);
        table.append_record(cause, events, dice.used_word_count(), after);
        if manner == RehearsalMode::WithPlans
            && let Some(standing) = queued.get_mut(seat.index())
        {
            let lines = table.game.random_plan_lines(seat, &mut chooser);
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
