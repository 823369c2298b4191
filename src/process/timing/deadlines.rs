//! A pass looks at the games that are due: reminders, deadlines that are over, votes that lapse.
//!
//! What a clock leads to is in the same commit as the clock, so that nothing is done twice and
//! nothing is left out, whatever a pass is killed after.

use crate::club::clock::{Event, GameClock, Nmr, span_words};
use crate::club::vote::Vote;
use crate::process::commit;
use crate::process::context::{ClubResult, Context};
use crate::process::isolate::isolate;
use crate::process::lobby::vacant_seats;
use crate::process::outbound::pending::{self, ToSeat};
use crate::process::session::clock::{self, reach, run_again};
use crate::process::table::voting;
use crate::process::tally::PassReport;
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{GAMES_A_COMMIT, Transaction, retry};
use crate::render::Occasion;
use crate::rules::{Message, Seat, Turn};
use crate::store::Repository;
use chrono::TimeDelta;

/// When a game is looked at again that could not be carried on.
const BROKEN: TimeDelta = TimeDelta::days(7);
/// The moderator is told after each so many turns that were done for an absent player.
const OFTEN: u32 = 3;

/// Writes to everyone whom a game without a clock has waited for too long.
pub(crate) fn remind(context: &Context, games: &[u32], report: &mut PassReport) -> ClubResult<()> {
    // It is looked at again after the usual time: the note comes once a week.
    let again = TimeDelta::days(context.settings.reminder_days.max(1).into());
    for_each_due(context, games, again, report, reminders)
}

/// Writes a game's reminders.
fn reminders(tx: &mut Transaction<'_>, game: u32, report: &mut PassReport) -> ClubResult<()> {
    let mut session = tx.session(game)?.clone();
    let Turn::Awaiting(seats) = session.table.turn() else {
        tx.set_due(commit::due(tx.context, &session));
        return Ok(());
    };
    let since = session.table.records().last().map_or(tx.context.now, |record| record.at);
    let days = (tx.context.now - since).num_days();
    let mark = format!("r{}.w{days}", session.table.head());
    let to = |seat: &Seat| (*seat, Occasion::Reminder { days: days.max(0) });
    report.reminded += tell(tx, &mut session, &mark, seats.iter().map(to))?;
    clock::waits_for_lost(&session).into_iter().for_each(|lost| tx.tell_moderator(lost));
    tx.set_due(commit::due(tx.context, &session));
    tx.put_game(session);
    Ok(())
}

/// Does what the clocks of these games ask for, which are due.
pub(crate) fn run_clocks(
    context: &Context,
    due: &[u32],
    report: &mut PassReport,
) -> ClubResult<()> {
    for_each_due(context, due, BROKEN, report, run_clock)
}

/// Does something for each of these games, which are due; many go into one commit. One that
/// cannot be carried on is looked at again after so long: the moderator hears of it each time.
/// What `work` counts is reported once it is committed.
///
/// # Errors
/// When the club cannot be read or written. What goes wrong in one game is kept from the rest.
pub(crate) fn for_each_due(
    context: &Context,
    due: &[u32],
    again: TimeDelta,
    report: &mut PassReport,
    work: impl Fn(&mut Transaction<'_>, u32, &mut PassReport) -> ClubResult<()>,
) -> ClubResult<()> {
    for games in due.chunks(GAMES_A_COMMIT) {
        *report = retry(|| {
            let mut counted = report.clone();
            let mut tx = Transaction::begin_for_games(context, games)?;
            for game in games {
                let work = |upon: &mut Transaction<'_>| work(upon, *game, &mut counted);
                if let Err(why) = isolate(|| tx.in_savepoint(work))? {
                    tx.broken(*game, &why);
                }
            }
            commit::finish(&mut tx)?;
            let next = context.now.checked_add_signed(again);
            for game in games {
                if tx.game(*game).is_none() {
                    tx.set_due((*game, next));
                }
            }
            tx.keep().map(|_| counted)
        })?;
    }
    Ok(())
}

fn run_clock(tx: &mut Transaction<'_>, game: u32, report: &mut PassReport) -> ClubResult<()> {
    let mut session = tx.session(game)?.clone();
    if session.next_moment().is_some_and(|at| at <= tx.context.now) {
        session.carry_on(tx.context.now);
        if session.has_moved() {
            tx.movers_mut(game);
            tx.put_game(session);
            return Ok(());
        }
    }
    let Some(mut clock) = session.clock.clone() else { return Ok(()) };
    let stood = clock.clone();
    reach(&mut clock, &session.seats, tx.context.now);
    run_again(&session, &stood, &clock).into_iter().for_each(|word| tx.tell_moderator(word));
    let mut letters = Vec::new();
    let mut opened = Vec::new();
    let mut absent = 0;
    for (seat, event) in clock.due(tx.context.now) {
        let words = match event {
            Event::Extended => clock.tell_extended(seat).map(|by| vec![extended(by)]),
            Event::Reminder => Some(reminder(&session, &clock, seat)),
            Event::Nmr if clock.rules.nmr == Nmr::Forfeit => {
                if !session.table.turn().awaits(seat) {
                    continue;
                }
                session.forfeit(seat, tx.context.now)?;
                absent += 1;
                None
            }
            Event::Nmr => {
                let note = Message::new("report-missed").with("number", game);
                tx.tell_moderator(note.with("who", session.name(seat)));
                Some(Vec::new())
            }
        };
        match event {
            Event::Nmr => {
                if clock.missed(seat, tx.context.now) {
                    opened.push(seat);
                    tx.tell_moderator(seat_open(&session, seat));
                }
                let often = often_absent(&session, &clock, seat);
                often.into_iter().for_each(|word| tx.tell_moderator(word));
            }
            Event::Reminder | Event::Extended => clock.reminded(seat, tx.context.now),
        }
        letters.extend(words.map(|words| (seat, words)));
    }
    session.clock = Some(clock);
    if session.has_moved() {
        // Everyone gets a letter of the turn, which says until when he has time.
        report.absent += absent;
        tx.movers_mut(game);
    } else {
        letters.extend(others_of_open(&session, &opened, &letters));
        let mark = format!("r{}.t{}", session.table.head(), tx.context.now.timestamp());
        let letters = letters.into_iter().map(|(seat, words)| (seat, Occasion::Clock { words }));
        report.reminded += tell(tx, &mut session, &mark, letters)?;
        tx.set_due(commit::due(tx.context, &session));
    }
    tx.put_game(session);
    opened.into_iter().try_for_each(|seat| vacant_seats::fill(tx, game, seat))
}

/// Says when a player's time is over and what happens then.
fn reminder(session: &GameSession, clock: &GameClock, seat: Seat) -> Vec<Message> {
    let mut words = vec![Message::new("clock-reminder")];
    if clock.rules.nmr == Nmr::Forfeit && clock.wait(seat).is_some_and(|wait| !wait.missed) {
        let line = session.table.game().forfeit(seat);
        words.push(Message::new("clock-would-do").with("line", line));
    }
    words
}

/// Writes letters to seats of a game. Returns how many there are.
fn tell(
    tx: &mut Transaction<'_>,
    session: &mut GameSession,
    mark: &str,
    letters: impl Iterator<Item = (Seat, Occasion)>,
) -> ClubResult<usize> {
    let (mut written, mut told) = (Vec::new(), Vec::new());
    for (seat, occasion) in letters {
        let to = ToSeat::unasked(seat, occasion, mark.to_owned());
        written.extend(pending::game_letter(tx, session, to)?);
        told.push(seat);
    }
    told.into_iter().for_each(|seat| session.told(seat));
    let count = written.len();
    tx.write().outgoing.extend(written);
    Ok(count)
}

/// Ends the votes and the offers of seats at these games, which are due, whose time is over.
///
/// # Errors
/// When the club cannot be read or written.
pub(crate) fn lapse_votes(context: &Context, due: &[u32]) -> ClubResult<()> {
    let (tx, mut over) = (Transaction::begin(context), Vec::new());
    tx.read_games(due, |game| {
        let lapses = tx.room(game)?.lapses();
        over.extend(lapses.filter(|lapses| *lapses <= context.now).map(|_| game));
        Ok(())
    })?;
    let counts_nothing = &mut PassReport::default();
    for_each_due(context, &over, BROKEN, counts_nothing, |tx, game, _| lapse(tx, game))
}

fn lapse(tx: &mut Transaction<'_>, game: u32) -> ClubResult<()> {
    let context = tx.context;
    // Who was to answer may have been lost since the last answer came.
    voting::recount(tx, game)?;
    let session = tx.session(game)?.clone();
    let open = &mut tx.room_mut(game)?.open_votes;
    let (over, open): (Vec<Vote>, Vec<Vote>) =
        std::mem::take(open).into_iter().partition(|vote| vote.until <= context.now);
    tx.room_mut(game)?.open_votes = open;
    if session.table.turn() != Turn::Over {
        for vote in &over {
            voting::tell_end(tx, &session, vote, "vote-lapsed");
        }
    }
    vacant_seats::lapse(tx, game)?;
    let lapses = tx.room_mut(game)?.lapses();
    if let Some(session) = tx.game_mut(game) {
        session.lapses = lapses;
        let due = commit::due(context, session);
        tx.set_due(due);
    }
    Ok(())
}

/// What the moderator hears when a substitute is wanted.
fn seat_open(session: &GameSession, seat: Seat) -> Message {
    let note = Message::new("report-seat-open").with("number", session.number());
    note.with("seat", seat.number()).with("who", session.name(seat))
}

/// Letters to those who would get none although a seat was opened; how the clock stands, and that
/// the seat is open, is in each of them, and in the next one of who wants few.
fn others_of_open(
    session: &GameSession,
    opened: &[Seat],
    letters: &[(Seat, Vec<Message>)],
) -> Vec<(Seat, Vec<Message>)> {
    let seats = Seat::all(if opened.is_empty() { 0 } else { session.table.founding().seats });
    let written = |seat: &Seat| letters.iter().any(|(to, _)| to == seat);
    let told = |seat: &Seat| !written(seat) && !session.wants_turns(*seat);
    seats.filter(told).map(|seat| (seat, Vec::new())).collect()
}

/// What the moderator hears of a player who is absent again and again.
fn often_absent(session: &GameSession, clock: &GameClock, seat: Seat) -> Option<Message> {
    let misses = clock.misses.get(seat.index()).copied().unwrap_or(0);
    (clock.rules.nmr == Nmr::Forfeit && misses > 0 && misses % OFTEN == 0).then(|| {
        Message::new("report-often-absent")
            .with("who", session.name(seat))
            .with("count", misses)
            .with("number", session.number())
    })
}

fn extended(by: TimeDelta) -> Message {
    Message::new("clock-extended").with("span", span_words(by))
}
