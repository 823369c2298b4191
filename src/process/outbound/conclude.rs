//! A transaction's end: what has happened in it becomes what its players are owed, and due times.

use crate::club::Member;
use crate::process::context::{ClubError, Context};
use crate::process::isolate::{Barred, FAILED, isolate};
use crate::process::outbound::ToSeat;
use crate::process::outbound::held_notices;
use crate::process::outbound::missed;
use crate::process::outbound::observers;
use crate::process::outbound::tell;
use crate::process::session::lost::next_look;
use crate::process::table::vote;
use crate::process::transaction::effect::Acknowledged;
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::mover::{Movers, ToMover};
use crate::process::transaction::{Committed, MayConflict, Transaction, retry};
use crate::render::Occasion;
use crate::rules::{Message, Seat, Turn};
use crate::store::{Outgoing, Repository};
use chrono::{DateTime, TimeDelta, Utc};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does some work in a transaction of its own and concludes it; all of it anew where something that
/// it was decided on has changed meanwhile. Nothing is done where the work fails.
///
/// # Errors
/// Those of the work; when the club cannot be read or written.
pub(crate) fn transact<T, E: MayConflict + From<ClubError>>(
    context: &Context,
    work: impl Fn(&mut Transaction<'_>) -> Result<T, E>,
) -> Result<T, E> {
    retry(|| {
        let mut tx = Transaction::begin(context);
        let done = work(&mut tx)?;
        conclude(tx)?;
        Ok(done)
    })
}

/// Brings a transaction to its end and commits it; then the plain text copy.
///
/// # Errors
/// When the club cannot be read or written.
pub(crate) fn conclude(mut tx: Transaction<'_>) -> Result<Committed, ClubError> {
    finish(&mut tx)?;
    tx.keep()
}

/// Turns what has happened in a transaction into letters and due times: after this it can be
/// committed. Gives the letters that moved a game which failed at this, by their files' names:
/// they are in quarantine now.
///
/// # Errors
/// When the club cannot be read, or the moderator's address is none.
pub(crate) fn finish(tx: &mut Transaction<'_>) -> Result<Barred, ClubError> {
    keep_members(tx)?;
    let mut barred = carry_on(tx);
    missed::catch_up(tx)?;
    for game in tx.moved_games() {
        let (Some(session), Some(movers)) = (tx.game(game), tx.movers(game)) else { continue };
        match isolate(|| turn_letters(tx, session, movers))? {
            Ok(letters) => {
                keep_unheard(tx, game)?;
                tell_players(tx, game, letters);
            }
            Err(why) => barred.extend(isolate_game(tx, game, &why)),
        }
    }
    missed::welcome_back(tx);
    observers::write_to_observers(tx)?;
    held_notices::tell_of_held(tx)?;
    tx.write_to_leavers();
    let mut reports = Vec::new();
    // Ten letters to a broken game say no more of it than one.
    for report in tx.take_reports() {
        if !reports.contains(&report) {
            reports.push(report);
        }
    }
    if !reports.is_empty() {
        let report = tell::to_moderator(tx, reports)?;
        tx.write().outgoing.push(report);
    }
    Ok(barred)
}

/// Lets the games that have moved go on by what their players have planned; which letters are
/// not to be judged again.
fn carry_on(tx: &mut Transaction<'_>) -> Barred {
    let now = tx.context.now;
    let mut barred = Barred::new();
    for game in tx.moved_games() {
        let Some(mut session) = tx.take_game(game) else { continue };
        match catch_unwind(AssertUnwindSafe(|| session.carry_on(now))) {
            Ok(()) => {
                session.keep_time(now, tx.movers_mut(game));
                tx.put_game(session);
            }
            Err(_) => barred.extend(isolate_game(tx, game, &FAILED)),
        }
    }
    barred
}

/// Takes in the letters that a game leads to: its players are told of everything by them.
fn tell_players(tx: &mut Transaction<'_>, game: u32, letters: Vec<Outgoing>) {
    tx.write().outgoing.extend(letters);
    let Some(session) = tx.game(game) else { return };
    let told: Vec<Seat> = session.all_seats().filter(|seat| tx.writes_to(game, *seat)).collect();
    let looked_at_later = session.clock.is_some()
        || session.clock != session.stored_clock
        || session.lapses != session.stored_lapses;
    if session.has_moved() || looked_at_later {
        tx.set_due(due(tx.context, session));
    }
    if let Some(session) = tx.game_mut(game) {
        told.into_iter().for_each(|seat| session.told(seat));
    }
}

/// Keeps what was said and done around a game for the next letters of those who get none of it
/// now.
///
/// # Errors
/// When the club cannot be read.
fn keep_unheard(tx: &mut Transaction<'_>, game: u32) -> Result<(), ClubError> {
    let Some(movers) = tx.movers(game).cloned() else { return Ok(()) };
    let Some(session) = tx.game(game) else { return Ok(()) };
    let waits = |seat: &Seat| movers.writes_to(*seat) && !movers.lead_to_letter(session, *seat);
    let waiting: Vec<Seat> = session.all_seats().filter(waits).collect();
    for seat in waiting {
        let ToMover { notes, talk, .. } = movers.to(seat);
        let minutes = if talk.is_empty() { None } else { Some(tx.minutes_before(game)?.len()) };
        let place = tx.game_mut(game).and_then(|game| game.seats.get_mut(seat.index()));
        if let Some((seated, _)) = place.filter(|(seated, _)| !seated.left) {
            seated.unheard.minutes = seated.unheard.minutes.or(minutes);
            seated.unheard.notes.extend(notes);
        }
    }
    Ok(())
}

/// The letters that a game leads to now.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn turn_letters(
    tx: &Transaction<'_>,
    session: &GameSession,
    movers: &Movers,
) -> Result<Vec<Outgoing>, ClubError> {
    let mut letters = Vec::new();
    let empty = Acknowledged::default();
    for seat in Seat::all(session.table.founding().seats) {
        if !movers.lead_to_letter(session, seat) {
            continue;
        }
        let said = movers.to(seat);
        let (moved, own) = (session.has_moved(), said.own.unwrap_or(&empty));
        let both = || (own.lines.clone(), own.remarks.clone());
        let occasion = match both() {
            (lines, remarks) if own.carried_out => Occasion::Accepted { lines, remarks },
            (lines, remarks) if !lines.is_empty() => Occasion::Planned { lines, remarks },
            _ if !moved => Occasion::Told,
            _ if session.table.head() == 1 => Occasion::Welcome,
            _ => Occasion::News,
        };
        let mark = match said.own {
            Some(own) if !moved => format!("a{}", own.digest),
            None if !moved => {
                let news = session.seat(seat).map(|(seated, _)| seated.news.as_slice());
                let digest = said.digest(tx.context.now, news.unwrap_or_default());
                format!("r{}.n{digest}", session.table.head())
            }
            _ => format!("r{}", session.table.head()),
        };
        let to = ToSeat {
            asked: own.asked.clone(),
            answers: own.answers.clone(),
            words: session.untold(seat).to_vec(),
            notes: said.notes,
            talk: said.talk,
            at_once: movers.urgent.contains(&seat),
            ..ToSeat::unasked(seat, occasion, mark)
        };
        letters.extend(tell::game_letter(tx, session, to)?);
    }
    Ok(letters)
}

/// When a game is to be looked at again; never when it is over.
pub(crate) fn due(context: &Context, session: &GameSession) -> (u32, Option<DateTime<Utc>>) {
    let days = context.settings.reminder_days;
    let waits = days > 0 && session.table.turn() != Turn::Over;
    let next = match &session.clock {
        Some(clock) => {
            next_look(clock, &session.seats).into_iter().chain(session.next_moment()).min()
        }
        // So many days that no calendar has the day are never.
        None if waits => context.now.checked_add_signed(TimeDelta::days(days.into())),
        None => None,
    };
    (session.number(), next.into_iter().chain(session.lapses).min())
}

/// Takes a game out of a transaction at which something failed; the letters that moved it.
fn isolate_game(tx: &mut Transaction<'_>, game: u32, why: &Message) -> Barred {
    let files = tx.isolate_game(game, why).into_iter();
    files.map(|file| (file, (game, why.clone()))).collect()
}

/// Puts the clocks of all games of those members into a transaction's batch whose own time has
/// changed on it.
pub(crate) fn keep_members(tx: &mut Transaction<'_>) -> Result<(), ClubError> {
    let context = tx.context;
    for member in tx.changed_members() {
        let same = |before: Member| {
            let lost =
                |member: &Member| (member.undeliverable().is_some(), member.reach.is_confirmed());
            before.time == member.time && lost(&before) == lost(&member)
        };
        if tx.member_before(member.id)?.is_some_and(same) {
            continue;
        }
        for (game, seat) in tx.seats_held(member.id)? {
            if tx.game(game).is_none() && tx.clock(game)?.is_none() {
                continue;
            }
            match tx.session(game) {
                Err(ClubError::Store(error)) => return Err(error.into()),
                Err(_) => continue,
                Ok(_) => {}
            }
            vote::recount(tx, game)?;
            let timed = |session: &&mut GameSession| session.clock.is_some();
            if let Some(session) = tx.game_mut(game).filter(timed) {
                session.reckon_again(seat, context.now);
                let due = due(context, session);
                tx.set_due(due);
            }
        }
    }
    Ok(())
}
