//! A machine's clock that was ahead: what was reckoned by it is put right once the time goes back.
//!
//! A pass at a time far ahead cannot be told from one after a long outage, so it gives the time
//! back and nobody is absent. When a later pass finds that it was too early for that, it takes back
//! what was given, lets begin now what began in the future, and tells everyone.

use crate::club::clock::{GameClock, Heartbeat};
use crate::process::commit;
use crate::process::context::{ClubResult, Context};
use crate::process::isolate::isolate;
use crate::process::lobby::forming::LAPSE;
use crate::process::outbound::pending;
use crate::process::session::clock::own_times;
use crate::process::session::lost::next_look;
use crate::process::timing::heartbeat::heartbeat_of;
use crate::process::transaction::{GAMES_A_COMMIT, Transaction, retry};
use crate::rules::{Message, Turn};
use crate::store::Repository;
use chrono::{DateTime, TimeDelta, Utc};

/// The latest time at which the club was looked at, as far as that is known.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn latest_time(context: &Context) -> ClubResult<Option<DateTime<Utc>>> {
    let tx = Transaction::begin(context);
    let passed = tx.heartbeat()?.map(|heartbeat| heartbeat_of(&context.folder, heartbeat).last);
    Ok(passed.max(tx.morning()?))
}

/// Puts right what was reckoned by a time that lies far ahead of now. Doing it twice does no
/// harm: the heartbeat, from which that is known, is noted after it.
pub(crate) fn set_right(context: &Context) -> ClubResult<()> {
    let Some(ahead) = latest_time(context)?.filter(|at| Heartbeat::is_ahead(*at, context.now))
    else {
        return Ok(());
    };
    let mut games = 0_usize;
    for clocks in Transaction::begin(context).clocks()?.chunks(GAMES_A_COMMIT) {
        games += retry(|| {
            let (mut tx, mut right) = (Transaction::begin(context), 0_usize);
            for (game, _) in clocks {
                right += usize::from(set_clock_right(&mut tx, *game)?);
            }
            commit::conclude(tx).map(|_| right)
        })?;
    }
    set_rooms_right(context)?;
    set_reminders_right(context)?;
    let note = Message::new("report-clock-ahead")
        .with("seen", context.moment(ahead))
        .with("now", context.moment(context.now))
        .with("count", games);
    retry(|| {
        let mut tx = Transaction::begin(context);
        tx.write().morning = tx.morning()?.map(|morning| morning.min(context.now));
        let note = pending::to_moderator(&tx, vec![note.clone()])?;
        tx.write().outgoing.push(note);
        tx.keep().map(drop)
    })
}

/// Puts a game's clock right in a transaction, and tells its players; whether there was
/// anything.
fn set_clock_right(tx: &mut Transaction<'_>, game: u32) -> ClubResult<bool> {
    let (Some(mut clock), times) = (tx.clock(game)?, own_times(tx, game)?) else {
        return Ok(false);
    };
    if !clock.set_right(tx.context.now, |seat| times.get(seat.index())) {
        return Ok(false);
    }
    // Of a broken game the moderator hears elsewhere.
    if isolate(|| tx.session(game).map(|_| ()))?.is_err() {
        tx.write().clocks.push((game, clock));
        return Ok(true);
    }
    if let Some(session) = tx.game_mut(game) {
        session.clock = Some(clock);
        let seats: Vec<_> = session.all_seats().collect();
        let over = session.table.turn() == Turn::Over;
        for seat in seats.into_iter().filter(|_| !over) {
            tx.tell_seat(game, seat, Message::new("clock-set-right"));
        }
    }
    Ok(true)
}

/// Puts right when votes lapse, and games that wait for players.
fn set_rooms_right(context: &Context) -> ClubResult<()> {
    retry(|| {
        let mut tx = Transaction::begin(context);
        for (game, mut around) in tx.rooms()? {
            if around.set_right(context.now, LAPSE) {
                let clock = tx.clock(game)?;
                due_around(&mut tx, game, &around, clock.as_ref())?;
                tx.put_room(game, around);
            }
        }
        tx.keep().map(drop)
    })
}

/// Puts right when players are reminded of games without a clock.
fn set_reminders_right(context: &Context) -> ClubResult<()> {
    let days = TimeDelta::days(context.settings.reminder_days.max(1).into());
    // So many days that no calendar has the day are never too late.
    let Some(latest) = context.now.checked_add_signed(days) else { return Ok(()) };
    retry(|| {
        let mut tx = Transaction::begin(context);
        for game in tx.games()? {
            let due = tx.due_at(game)?.filter(|due| *due > latest);
            if due.is_some() && tx.clock(game)?.is_none() {
                let lapses = tx.room(game)?.lapses();
                tx.set_due((game, lapses.into_iter().chain([latest]).min()));
            }
        }
        tx.keep().map(drop)
    })
}

/// Notes when a game is to be looked at that has votes or waits for players, and a clock or
/// reminders, which stay as they are.
pub(crate) fn due_around(
    tx: &mut Transaction<'_>,
    game: u32,
    around: &crate::club::GameRoom,
    clock: Option<&GameClock>,
) -> ClubResult<()> {
    let formed = around.proposal.as_ref().map(|proposal| proposal.until);
    let seats = tx.players(game)?;
    let timed = clock.and_then(|clock| next_look(clock, &seats));
    let days = TimeDelta::days(tx.context.settings.reminder_days.into());
    let untimed = clock.is_none() && formed.is_none() && !days.is_zero();
    let reminds = untimed.then(|| tx.context.now + days);
    let all = [formed, timed, reminds, around.lapses()];
    tx.set_due((game, all.into_iter().flatten().min()));
    Ok(())
}
