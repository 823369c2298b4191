//! A transaction's end: what has happened in it becomes what its players are owed, and due times.

use crate::club::Member;
use crate::process::fence::{Barred, fenced};
use crate::process::office::{Office, OfficeError};
use crate::process::outbound::ToSeat;
use crate::process::outbound::held_notes;
use crate::process::outbound::missed;
use crate::process::outbound::observers;
use crate::process::outbound::tell;
use crate::process::session::lost::next_look;
use crate::process::table::vote;
use crate::process::transaction::mover::Movers;
use crate::process::transaction::outcome::Acknowledged;
use crate::process::transaction::playing::Playing;
use crate::process::transaction::{Committed, Transaction};
use crate::report::Occasion;
use crate::rules::{Seat, Turn};
use crate::store::{Outgoing, Repository};
use chrono::{DateTime, TimeDelta, Utc};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the moderator is told of a game whose plans cannot be carried out.
const PLANS_FAILED: &str = "the program failed on one of its plans";

/// Brings a transaction to its end and commits it; then the plain text copy.
///
/// # Errors
/// When the club cannot be read or written.
pub(crate) fn conclude(mut tx: Transaction<'_>) -> Result<Committed, OfficeError> {
    finish(&mut tx)?;
    tx.keep()
}

/// Turns what has happened in a transaction into letters and due times: after this it can be
/// committed. Gives the letters that moved a game which failed at this, by their files' names:
/// they are in quarantine now.
///
/// # Errors
/// When the club cannot be read, or the moderator's address is none.
pub(crate) fn finish(tx: &mut Transaction<'_>) -> Result<Barred, OfficeError> {
    keep_members(tx)?;
    let mut barred = carry_on(tx);
    missed::catch_up(tx)?;
    for game in tx.moved_games() {
        let (Some(playing), Some(movers)) = (tx.game(game), tx.movers(game)) else { continue };
        match fenced(|| turn_letters(tx, playing, movers))? {
            Ok(letters) => tell_players(tx, game, letters),
            Err(why) => barred.extend(fence_off(tx, game, &why)),
        }
    }
    missed::welcome_back(tx);
    observers::write_to_observers(tx)?;
    held_notes::tell_of_held(tx)?;
    tx.write_to_leavers();
    let mut reports = Vec::new();
    // Ten letters to a broken game say no more of it than one.
    for report in tx.take_reports() {
        if !reports.contains(&report) {
            reports.push(report);
        }
    }
    if !reports.is_empty() {
        let report = tell::report(tx, reports)?;
        tx.write().outgoing.push(report);
    }
    Ok(barred)
}

/// Lets the games that have moved go on by what their players have planned; which letters are
/// not to be judged again.
fn carry_on(tx: &mut Transaction<'_>) -> Barred {
    let now = tx.office.now;
    let mut barred = Barred::new();
    for game in tx.moved_games() {
        let Some(mut playing) = tx.take_game(game) else { continue };
        match catch_unwind(AssertUnwindSafe(|| playing.carry_on(now))) {
            Ok(words) => {
                let movers = tx.movers_mut(game);
                playing.keep_time(now, movers);
                movers.words.extend(words);
                tx.put_game(playing);
            }
            Err(_) => barred.extend(fence_off(tx, game, PLANS_FAILED)),
        }
    }
    barred
}

/// Takes in the letters that a game leads to: its players are told of everything by them.
fn tell_players(tx: &mut Transaction<'_>, game: u32, letters: Vec<Outgoing>) {
    tx.write().outgoing.extend(letters);
    let Some(playing) = tx.game(game) else { return };
    let told: Vec<Seat> = playing.all_seats().filter(|seat| tx.writes_to(game, *seat)).collect();
    let looked_at_later = playing.clock.is_some()
        || playing.clock != playing.stored_clock
        || playing.lapses != playing.stored_lapses;
    if playing.has_moved() || looked_at_later {
        tx.set_due(due(tx.office, playing));
    }
    if let Some(playing) = tx.game_mut(game) {
        told.into_iter().for_each(|seat| playing.told(seat));
    }
}

/// The letters that a game leads to: to every seat when it has moved, and else to those who
/// have planned.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn turn_letters(
    tx: &Transaction<'_>,
    playing: &Playing,
    movers: &Movers,
) -> Result<Vec<Outgoing>, OfficeError> {
    let mut letters = Vec::new();
    let empty = Acknowledged::default();
    for seat in Seat::all(playing.table.founding().seats) {
        if !playing.has_news_for(seat) && !movers.writes_to(seat) {
            continue;
        }
        let said = movers.to(seat);
        let (moved, own) = (playing.has_moved(), said.own.unwrap_or(&empty));
        let both = || (own.lines.clone(), own.remarks.clone());
        let occasion = match both() {
            (lines, remarks) if own.carried_out => Occasion::Accepted { lines, remarks },
            (lines, remarks) if !lines.is_empty() => Occasion::Planned { lines, remarks },
            _ if !moved => Occasion::Told,
            _ if playing.table.head() == 1 => Occasion::Welcome,
            _ => Occasion::News,
        };
        let mark = match said.own {
            Some(own) if !moved => format!("a{}", own.digest),
            None if !moved => {
                let news = playing.seat(seat).map(|(seated, _)| seated.news.as_slice());
                let digest = said.digest(tx.office.now, news.unwrap_or_default());
                format!("r{}.n{digest}", playing.table.head())
            }
            _ => format!("r{}", playing.table.head()),
        };
        let to = ToSeat {
            asked: own.asked.clone(),
            answers: own.answers.clone(),
            words: said.words,
            notes: said.notes,
            talk: said.talk,
            ..ToSeat::unasked(seat, occasion, mark)
        };
        letters.extend(tell::game_letter(tx, playing, to)?);
    }
    Ok(letters)
}

/// When a game is to be looked at again; never when it is over.
pub fn due(office: &Office, playing: &Playing) -> (u32, Option<DateTime<Utc>>) {
    let days = office.settings.reminder_days;
    let waits = days > 0 && playing.table.turn() != Turn::Over;
    let next = match &playing.clock {
        Some(clock) => {
            next_look(clock, &playing.seats).into_iter().chain(playing.next_moment()).min()
        }
        // So many days that no calendar has the day are never.
        None if waits => office.now.checked_add_signed(TimeDelta::days(days.into())),
        None => None,
    };
    (playing.number(), next.into_iter().chain(playing.lapses).min())
}

/// Takes a game out of a transaction at which something failed; the letters that moved it.
fn fence_off(tx: &mut Transaction<'_>, game: u32, why: &str) -> Barred {
    let files = tx.fence_off(game, why).into_iter();
    files.map(|file| (file, (game, why.to_owned()))).collect()
}

/// Puts the clocks of all games of those members into a transaction's batch whose own time has
/// changed on it.
pub(crate) fn keep_members(tx: &mut Transaction<'_>) -> Result<(), OfficeError> {
    let office = tx.office;
    for member in tx.changed_members() {
        let same = |before: Member| {
            let reached = before.undeliverable.is_none() == member.undeliverable.is_none();
            before.time == member.time && reached
        };
        if tx.member_before(member.id)?.is_some_and(same) {
            continue;
        }
        for (game, seat) in tx.seats_held(member.id)? {
            if tx.game(game).is_none() && tx.clock(game)?.is_none() {
                continue;
            }
            match tx.playing(game) {
                Err(OfficeError::Store(error)) => return Err(error.into()),
                Err(_) => continue,
                Ok(_) => {}
            }
            vote::recount(tx, game)?;
            let timed = |playing: &&mut Playing| playing.clock.is_some();
            if let Some(playing) = tx.game_mut(game).filter(timed) {
                playing.reckon_again(seat, office.now);
                let due = due(office, playing);
                tx.set_due(due);
            }
        }
    }
    Ok(())
}
