//! A pass looks at the games that are due: reminders, deadlines that are over, votes that lapse.
//!
//! What a clock leads to is in the same commit as the clock, so that nothing is done twice and
//! nothing is left out, whatever a pass is killed after.

use crate::club::clock::{Event, GameClock, Nmr, span_words};
use crate::club::vote::Vote;
use crate::process::fence::fenced;
use crate::process::lobby::waiting;
use crate::process::office::{Office, OfficeError};
use crate::process::outbound::ToSeat;
use crate::process::outbound::conclude;
use crate::process::outbound::tell;
use crate::process::session::lost::{self, reach, run_again};
use crate::process::table::vote;
use crate::process::tally::PassReport;
use crate::process::transaction::GAMES_A_COMMIT;
use crate::process::transaction::playing::Playing;
use crate::process::transaction::{Transaction, retry};
use crate::report::Occasion;
use crate::rules::{Message, Seat, Turn};
use crate::store::Repository;
use chrono::TimeDelta;

/// When a game is looked at again that could not be carried on.
const BROKEN: TimeDelta = TimeDelta::days(7);
/// The moderator is told after each so many turns that were done for an absent player.
const OFTEN: u32 = 3;

/// Writes to everyone whom a game without a clock has waited for too long.
pub(crate) fn remind(
    office: &Office,
    games: &[u32],
    report: &mut PassReport,
) -> Result<(), OfficeError> {
    // It is looked at again after the usual time: the note comes once a week.
    let again = TimeDelta::days(office.settings.reminder_days.max(1).into());
    for_each_due(office, games, again, report, reminders)
}

/// Writes a game's reminders.
fn reminders(
    tx: &mut Transaction<'_>,
    game: u32,
    report: &mut PassReport,
) -> Result<(), OfficeError> {
    let mut playing = tx.playing(game)?.clone();
    let Turn::Awaiting(seats) = playing.table.turn() else {
        tx.set_due(conclude::due(tx.office, &playing));
        return Ok(());
    };
    let since = playing.table.records().last().map_or(tx.office.now, |record| record.at);
    let days = (tx.office.now - since).num_days();
    let mark = format!("r{}.w{days}", playing.table.head());
    let mut letters = Vec::new();
    for seat in &seats {
        let occasion = Occasion::Reminder { days: days.max(0) };
        let to = ToSeat::unasked(*seat, occasion, mark.clone());
        letters.extend(tell::game_letter(tx, &playing, to)?);
    }
    report.reminded += letters.len();
    lost::waits_for_lost(&playing).into_iter().for_each(|lost| tx.report(lost));
    seats.iter().for_each(|seat| playing.told(*seat));
    tx.set_due(conclude::due(tx.office, &playing));
    tx.write().outgoing.extend(letters);
    tx.put_game(playing);
    Ok(())
}

/// Does what the clocks of these games ask for, which are due.
pub(crate) fn run_clocks(
    office: &Office,
    due: &[u32],
    report: &mut PassReport,
) -> Result<(), OfficeError> {
    for_each_due(office, due, BROKEN, report, run_clock)
}

/// Does something for each of these games, which are due; many go into one commit. One that
/// cannot be carried on is looked at again after so long: the moderator hears of it each time.
/// What `work` counts is reported once it is committed.
///
/// # Errors
/// When the club cannot be read or written. What goes wrong in one game is kept from the rest.
pub(crate) fn for_each_due(
    office: &Office,
    due: &[u32],
    again: TimeDelta,
    report: &mut PassReport,
    work: impl Fn(&mut Transaction<'_>, u32, &mut PassReport) -> Result<(), OfficeError>,
) -> Result<(), OfficeError> {
    for games in due.chunks(GAMES_A_COMMIT) {
        *report = retry(|| {
            let mut counted = report.clone();
            let mut tx = Transaction::begin(office);
            for game in games {
                let work = |upon: &mut Transaction<'_>| work(upon, *game, &mut counted);
                if let Err(why) = fenced(|| tx.in_savepoint(work))? {
                    tx.broken(*game, &why);
                }
            }
            conclude::finish(&mut tx)?;
            let next = office.now.checked_add_signed(again);
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

fn run_clock(
    tx: &mut Transaction<'_>,
    game: u32,
    report: &mut PassReport,
) -> Result<(), OfficeError> {
    let mut playing = tx.playing(game)?.clone();
    if playing.next_moment().is_some_and(|at| at <= tx.office.now) {
        let words = playing.carry_on(tx.office.now);
        if playing.has_moved() {
            tx.movers_mut(game).words.extend(words);
            tx.put_game(playing);
            return Ok(());
        }
    }
    let Some(mut clock) = playing.clock.clone() else { return Ok(()) };
    let stood = clock.clone();
    reach(&mut clock, &playing.seats, tx.office.now);
    run_again(&playing, &stood, &clock).into_iter().for_each(|word| tx.report(word));
    let mut letters = Vec::new();
    let mut opened = Vec::new();
    let mut absent = 0;
    for (seat, event) in clock.due(tx.office.now) {
        let words = match event {
            Event::Extended => clock.tell_extended(seat).map(|by| vec![extended(by)]),
            Event::Reminder => Some(reminder(&playing, &clock, seat)),
            Event::Nmr if clock.rules.nmr == Nmr::Forfeit => {
                if !playing.table.turn().awaits(seat) {
                    continue;
                }
                playing.forfeit(seat, tx.office.now)?;
                absent += 1;
                None
            }
            Event::Nmr => {
                let note = Message::new("report-missed").with("number", game);
                let name = playing.names.get(seat.index()).cloned().unwrap_or_default();
                tx.report(note.with("who", name));
                Some(Vec::new())
            }
        };
        match event {
            Event::Nmr => {
                if clock.missed(seat, tx.office.now) {
                    opened.push(seat);
                    tx.report(seat_open(&playing, seat));
                }
                let often = often_absent(&playing, &clock, seat);
                often.into_iter().for_each(|word| tx.report(word));
            }
            Event::Reminder | Event::Extended => clock.reminded(seat, tx.office.now),
        }
        letters.extend(words.map(|words| (seat, words)));
    }
    playing.clock = Some(clock);
    if playing.has_moved() {
        // Everyone gets a letter of the turn, which says until when he has time.
        report.absent += absent;
        tx.movers_mut(game);
    } else {
        letters.extend(others_of_open(&playing, &opened, &letters));
        report.reminded += tell(tx, &mut playing, &letters)?;
        tx.set_due(conclude::due(tx.office, &playing));
    }
    tx.put_game(playing);
    opened.into_iter().try_for_each(|seat| waiting::fill(tx, game, seat))
}

/// Says when a player's time is over and what happens then.
fn reminder(playing: &Playing, clock: &GameClock, seat: Seat) -> Vec<Message> {
    let mut words = vec![Message::new("clock-reminder")];
    if clock.rules.nmr == Nmr::Forfeit && clock.wait(seat).is_some_and(|wait| !wait.missed) {
        let line = playing.table.game().forfeit(seat);
        words.push(Message::new("clock-would-do").with("line", line));
    }
    words
}

/// Writes letters about the clock.
fn tell(
    tx: &mut Transaction<'_>,
    playing: &mut Playing,
    letters: &[(Seat, Vec<Message>)],
) -> Result<usize, OfficeError> {
    let mark = format!("r{}.t{}", playing.table.head(), tx.office.now.timestamp());
    let mut written = Vec::new();
    for (seat, words) in letters {
        let occasion = Occasion::Clock { words: words.clone() };
        let to = ToSeat::unasked(*seat, occasion, mark.clone());
        written.extend(tell::game_letter(tx, playing, to)?);
    }
    let count = written.len();
    tx.write().outgoing.extend(written);
    letters.iter().for_each(|(seat, _)| playing.told(*seat));
    Ok(count)
}

/// Ends the votes whose time is over.
///
/// # Errors
/// When the club cannot be read or written.
pub(crate) fn lapse_votes(office: &Office) -> Result<(), OfficeError> {
    let (tx, mut over) = (Transaction::begin(office), Vec::new());
    for game in tx.due(office.now)? {
        let lapses = tx.gathering(game)?.lapses();
        over.extend(lapses.filter(|lapses| *lapses <= office.now).map(|_| game));
    }
    let counts_nothing = &mut PassReport::default();
    for_each_due(office, &over, BROKEN, counts_nothing, |tx, game, _| lapse(tx, game))
}

fn lapse(tx: &mut Transaction<'_>, game: u32) -> Result<(), OfficeError> {
    let office = tx.office;
    // Who was to answer may have been lost since the last answer came.
    vote::recount(tx, game)?;
    let playing = tx.playing(game)?.clone();
    let open = &mut tx.gathering_mut(game)?.open_votes;
    let (over, open): (Vec<Vote>, Vec<Vote>) =
        std::mem::take(open).into_iter().partition(|vote| vote.until <= office.now);
    tx.gathering_mut(game)?.open_votes = open;
    if playing.table.turn() != Turn::Over {
        for vote in &over {
            vote::tell_end(tx, &playing, vote, "vote-lapsed");
        }
    }
    let lapses = tx.gathering_mut(game)?.lapses();
    if let Some(playing) = tx.game_mut(game) {
        playing.lapses = lapses;
        let due = conclude::due(office, playing);
        tx.set_due(due);
    }
    Ok(())
}

/// What the moderator hears when a substitute is wanted.
fn seat_open(playing: &Playing, seat: Seat) -> Message {
    let name = playing.names.get(seat.index()).cloned().unwrap_or_default();
    let note = Message::new("report-seat-open").with("number", playing.number());
    note.with("seat", seat.number()).with("who", name)
}

/// Letters to those who would get none although a seat was opened; how the clock stands, and that
/// the seat is open, is in each of them.
fn others_of_open(
    playing: &Playing,
    opened: &[Seat],
    letters: &[(Seat, Vec<Message>)],
) -> Vec<(Seat, Vec<Message>)> {
    let seats = Seat::all(if opened.is_empty() { 0 } else { playing.table.founding().seats });
    let written = |seat: &Seat| letters.iter().any(|(to, _)| to == seat);
    seats.filter(|seat| !written(seat)).map(|seat| (seat, Vec::new())).collect()
}

/// What the moderator hears of a player who is absent again and again.
fn often_absent(playing: &Playing, clock: &GameClock, seat: Seat) -> Option<Message> {
    let misses = clock.misses.get(seat.index()).copied().unwrap_or(0);
    let name = playing.names.get(seat.index()).cloned().unwrap_or_default();
    (clock.rules.nmr == Nmr::Forfeit && misses > 0 && misses % OFTEN == 0).then(|| {
        Message::new("report-often-absent")
            .with("who", name)
            .with("count", misses)
            .with("number", playing.number())
    })
}

fn extended(by: TimeDelta) -> Message {
    Message::new("clock-extended").with("span", span_words(by))
}
