//! The end of a transaction: what has happened in it becomes letters and due times, and is
//! committed.
//!
//! The moderator hears of letters that went to quarantine in one note a pass and in a few a day,
//! because anybody can send such letters. The commit that puts letters aside also counts those that
//! no note names, and a later pass tells their number. The morning digest lists all of them.
//!
//! Observers get what everyone may see, one letter each time the game has moved.

use crate::club::{ActivityEntry, Happening, Member};
use crate::mail::LetterHash;
use crate::mail::rate_limit::DAY;
use crate::process::context::{ClubError, Context};
use crate::process::isolate::{Barred, FAILED, isolate};
use crate::process::outbound::pending::{self, Says, ToSeat};
use crate::process::session::clock::next_look;
use crate::process::table::{news, voting};
use crate::process::transaction::effect::{Acknowledged, Disposition};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{Committed, MayConflict, Movers, ToMover, Transaction, retry};
use crate::render::Occasion;
use crate::rules::{Message, Seat, Turn};
use crate::store::{Outgoing, Repository};
use chrono::{DateTime, TimeDelta, Utc};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(crate) mod missed;

/// The number of notes about letters in quarantine within a day.
const NOTES_A_DAY: usize = 4;
/// The number of letters that one note names.
const NAMED: usize = 20;
/// For how long letters in quarantine that no note has told of are counted, in seconds.
const LOOK_BACK: i64 = 60 * DAY;
/// The keys under which the store counts letters in quarantine, those that a note told of, and the
/// notes.
const HELD: &str = "letters held";
const TOLD: &str = "letters held and told";
const NOTES: &str = "notes of letters held";

/// Does some work in a transaction of its own and commits it. Does all of it again if a row that it
/// read has changed meanwhile. Commits nothing if the work fails.
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

/// Finishes a transaction and commits it, then updates the plain text copy.
///
/// # Errors
/// When the club cannot be read or written.
pub(crate) fn conclude(mut tx: Transaction<'_>) -> Result<Committed, ClubError> {
    finish(&mut tx)?;
    tx.keep()
}

/// Turns what has happened in a transaction into letters and due times, so that it can be
/// committed. Returns the files of the letters that moved a game which failed at this. They go to
/// quarantine.
///
/// # Errors
/// When the club cannot be read, or the moderator's address is invalid.
pub(crate) fn finish(tx: &mut Transaction<'_>) -> Result<Barred, ClubError> {
    keep_members(tx)?;
    let mut barred = carry_on(tx);
    let back = tx.take_back();
    missed::catch_up(tx, &back)?;
    for game in tx.moved_games() {
        let (Some(session), Some(movers)) = (tx.game(game), tx.movers(game)) else { continue };
        match isolate(|| turn_letters(tx, session, movers))? {
            Ok(letters) => {
                keep_unheard(tx, game)?;
                tell_players(tx, game, letters);
            }
            Err(why) => barred.extend(tx.isolate_game(game, &why)),
        }
    }
    missed::welcome_back(tx, back);
    write_to_observers(tx)?;
    tell_of_held(tx)?;
    tx.write_to_leavers();
    let mut reports = Vec::new();
    // Ten letters to a broken game say no more of it than one.
    for report in tx.take_reports() {
        if !reports.contains(&report) {
            reports.push(report);
        }
    }
    if !reports.is_empty() {
        let report = pending::to_moderator(tx, reports)?;
        tx.write().outgoing.push(report);
    }
    Ok(barred)
}

/// Carries out what players have planned in the games that have moved. Returns the files of letters
/// that moved a game which failed.
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
            Err(_) => barred.extend(tx.isolate_game(game, &FAILED)),
        }
    }
    barred
}

/// Queues the letters that a game leads to, and notes that they tell their players everything.
fn tell_players(tx: &mut Transaction<'_>, game: u32, letters: Vec<Outgoing>) {
    tx.write().outgoing.extend(letters);
    let Some(session) = tx.game(game) else { return };
    let told: Vec<Seat> = session.all_seats().filter(|seat| tx.writes_to(game, *seat)).collect();
    if session.has_moved() || session.has_new_times() {
        tx.set_due(due(tx.context, session));
    }
    if let Some(session) = tx.game_mut(game) {
        told.into_iter().for_each(|seat| session.told(seat));
    }
}

/// Keeps what was said and done around a game for the next letters of the players who get none
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
        let minutes = if talk.is_empty() { None } else { Some(tx.before().minutes(game)?.len()) };
        let place = tx.game_mut(game).and_then(|game| game.seats.get_mut(seat.index()));
        if let Some((seated, _)) = place.filter(|(seated, _)| !seated.left) {
            seated.unheard.minutes = seated.unheard.minutes.or(minutes);
            seated.unheard.notes.extend(notes);
        }
    }
    Ok(())
}

/// Makes the letters that a game leads to now.
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
        let (lines, remarks) = (own.lines.clone(), own.remarks.clone());
        let occasion = match (own.carried_out, lines.is_empty(), moved) {
            (true, ..) => Occasion::Accepted { lines, remarks },
            (false, false, _) => Occasion::Planned { lines, remarks },
            (false, true, false) => Occasion::Told,
            (false, true, true) if session.table.head() == 1 => Occasion::Welcome,
            (false, true, true) => Occasion::News,
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
            words: session.untold(seat),
            notes: said.notes,
            talk: said.talk,
            at_once: movers.urgent.contains(&seat),
            ..ToSeat::unasked(seat, occasion, mark)
        };
        letters.extend(pending::game_letter(tx, session, to)?);
    }
    Ok(letters)
}

/// Returns when a game is to be looked at again; never if it is over.
pub(crate) fn due(context: &Context, session: &GameSession) -> (u32, Option<DateTime<Utc>>) {
    let days = context.settings.reminder_days;
    let waits = days > 0 && session.table.turn() != Turn::Over;
    let next = match &session.clock {
        Some(clock) => {
            next_look(clock, &session.seats).into_iter().chain(session.next_moment()).min()
        }
        // A day that no calendar has never comes.
        None if waits => context.now.checked_add_signed(TimeDelta::days(days.into())),
        None => None,
    };
    (session.number(), next.into_iter().chain(session.lapses).min())
}

/// Adjusts the clocks of all games of the members whose own time, or whose reachability, has
/// changed.
pub(crate) fn keep_members(tx: &mut Transaction<'_>) -> Result<(), ClubError> {
    let context = tx.context;
    for member in tx.changed_members() {
        let same = |before: Member| {
            let lost =
                |member: &Member| (member.undeliverable().is_some(), member.reach.is_confirmed());
            before.time == member.time && lost(&before) == lost(&member)
        };
        if tx.before().member(member.id)?.is_some_and(same) {
            continue;
        }
        for (game, seat) in tx.seats_held(member.id)? {
            if tx.game(game).is_none() && tx.clock(game)?.is_none() {
                continue;
            }
            if isolate(|| tx.session(game).map(drop))?.is_err() {
                continue;
            }
            voting::recount(tx, game)?;
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

/// Counts the letters that this transaction puts into quarantine, and tells the moderator of them
/// if a note is allowed now.
///
/// # Errors
/// When the store cannot be read.
fn tell_of_held(tx: &mut Transaction<'_>) -> Result<(), ClubError> {
    let held = tx.fates().filter_map(|(file, disposition)| match disposition {
        Disposition::Done => None,
        Disposition::Quarantined(why) => {
            let held = Message::new("report-quarantined").with("file", file.name.as_str());
            Some(held.with("why", why.clone()))
        }
    });
    let held: Vec<Message> = held.collect();
    if held.is_empty() {
        return Ok(());
    }
    held.iter().for_each(|_| tx.count(HELD.to_owned()));
    if may_note(tx)? {
        let untold = untold(tx)?;
        note(tx, held.into_iter().take(NAMED).collect(), untold);
    }
    Ok(())
}

/// Tells the moderator the number of letters in quarantine that no note has told of, if a note is
/// allowed now.
///
/// # Errors
/// When the store cannot be read or written.
pub(crate) fn tell_of_untold(context: &Context) -> Result<(), ClubError> {
    let tx = Transaction::begin(context);
    if untold(&tx)? == 0 || !may_note(&tx)? {
        return Ok(());
    }
    transact(context, |tx| {
        let untold = untold(tx)?;
        // Another worker may have told of them meanwhile.
        if untold > 0 && may_note(tx)? {
            note(tx, Vec::new(), untold);
        }
        Ok(())
    })
}

/// Whether the moderator has had no note in this pass, and not too many within a day.
fn may_note(tx: &Transaction<'_>) -> Result<bool, ClubError> {
    let now = tx.context.now.timestamp();
    let notes = tx.answers_since(NOTES, now - DAY + 1)?;
    Ok(notes.len() < NOTES_A_DAY && !notes.contains(&now))
}

/// Returns the number of letters that no note has told of.
fn untold(tx: &Transaction<'_>) -> Result<usize, ClubError> {
    let since = tx.context.now.timestamp() - LOOK_BACK;
    let (held, told) = (tx.answers_since(HELD, since)?, tx.answers_since(TOLD, since)?);
    Ok(held.len().saturating_sub(told.len()))
}

/// Tells the moderator of `untold` letters, some of which these lines name, and counts that.
fn note(tx: &mut Transaction<'_>, lines: Vec<Message>, untold: usize) {
    (0..untold).for_each(|_| tx.count(TOLD.to_owned()));
    tx.count(NOTES.to_owned());
    let others = untold.saturating_sub(lines.len());
    lines.into_iter().for_each(|line| tx.tell_moderator(line));
    if others > 0 {
        tx.tell_moderator(Message::new("report-quarantined-more").with("count", others));
    }
}

/// Writes to the observers of the games that have moved in a transaction.
fn write_to_observers(tx: &mut Transaction<'_>) -> Result<(), ClubError> {
    for game in tx.moved_games() {
        let observers = tx.room(game)?.observers;
        let moved = tx.game(game).filter(|session| session.has_moved());
        if let (Some(told), false) = (moved.map(GameSession::stored_head), observers.is_empty()) {
            show_to(tx, game, &observers, told)?;
        }
    }
    Ok(())
}

/// Writes a game's letter to these observers, who know it up to the record `told`.
pub(crate) fn show_to(
    tx: &mut Transaction<'_>,
    game: u32,
    observers: &[u32],
    told: u32,
) -> Result<(), ClubError> {
    let Some(session) = tx.game(game).cloned() else { return Ok(()) };
    let minutes = said_to_all(tx, &session, told)?;
    for id in observers {
        let Some(member) = tx.member(*id)? else { continue };
        let mark = LetterHash::of(format!("{game} {} {id}", session.table.head()).as_bytes());
        let letter = public_letter(tx.context, &session, &member, (told, &minutes), &mark);
        tx.write().outgoing.extend(letter);
    }
    Ok(())
}

/// Returns what was said to all in a game since a record.
pub(crate) fn said_to_all(
    tx: &Transaction<'_>,
    session: &GameSession,
    told: u32,
) -> Result<Vec<ActivityEntry>, ClubError> {
    let game = session.number();
    let since = session.table.records().iter().find(|record| record.seq == told);
    let mut minutes = tx.minutes(game)?;
    minutes.retain(|minute| {
        let said = matches!(minute.what, Happening::Said { .. }) && !minute.is_private();
        said && since.is_none_or(|record| minute.at > record.at)
    });
    Ok(news::by_former(session, minutes))
}

/// Makes a game's letter to an observer who knows the game up to a record, with what was said to
/// all since; `None` if no letter reaches them. A reply to it speaks for the member and for no
/// seat.
pub(crate) fn public_letter(
    context: &Context,
    session: &GameSession,
    member: &Member,
    (told, minutes): (u32, &[ActivityEntry]),
    mark: &LetterHash,
) -> Option<Outgoing> {
    if member.undeliverable().is_some() || member.has_left() {
        return None;
    }
    let (game, head) = (session.number(), session.table.head());
    let says = Says::Watching { game, told, head, minutes: minutes.to_vec() };
    let message_id = pending::message_id(context, &format!("g{game}.w.{mark}"));
    Some(pending::plain(context, member, says, None, message_id, None))
}
