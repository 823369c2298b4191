//! Runs the games that are due in a pass: reminders, expired deadlines, and expired votes and
//! offers of seats.
//!
//! A clock and its effects are in one commit. So a killed pass leaves no effect out and does none
//! twice.

use crate::club::PRACTICE_SILENCE_MAX;
use crate::club::clock::{ClockEvent, GameClock, NmrRule, describe_duration};
use crate::club::vote::Vote;
use crate::process::commit;
use crate::process::context::{ClubResult, Context};
use crate::process::game_faults::catch_game_fault;
use crate::process::lobby::{proposals, vacant_seats};
use crate::process::outbound::pending::{self, SeatUpdateDraft};
use crate::process::pass_report::PassReport;
use crate::process::request_error::split_refusal;
use crate::process::session::game_time::{
    self, report_clock_resumed_while_undeliverable, stop_clock_for_undeliverable,
};
use crate::process::table::{game_changes, voting};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{GAMES_PER_COMMIT, Transaction, retry_on_conflict};
use crate::render::Occasion;
use crate::rules::{Message, Seat, Turn};
use crate::store::Repository;
use crate::table::Authority;
use chrono::{DateTime, TimeDelta, Utc};

/// The time after which a game that failed is due again.
pub(super) const RETRY_AFTER_FAILURE: TimeDelta = TimeDelta::days(7);
/// The moderator is told after every third turn that was played for the same absent player.
const ABSENCES_PER_REPORT: u32 = 3;

/// Reminds the players of games without a clock that have waited longer than `reminder_days`.
pub(crate) fn remind_clockless_games(
    context: &Context,
    games: &[u32],
    report: &mut PassReport,
) -> ClubResult<()> {
    // A game that fails is due again after the usual interval, so the moderator is told of it at
    // that interval too.
    let again = TimeDelta::days(context.settings.reminder_days.max(1).into());
    for_each_due_game(context, games, again, report, remind_clockless_game)
}

fn remind_clockless_game(
    tx: &mut Transaction<'_>,
    game: u32,
    report: &mut PassReport,
) -> ClubResult<()> {
    let mut session = tx.open_game(game)?.clone();
    let last = session.table.records().last().map_or(tx.context.now, |record| record.at);
    if session.is_practice && tx.context.now >= last + PRACTICE_SILENCE_MAX {
        let reason = proposals::localize_key_for_club(tx.context, "reason-practice-silent");
        let by = (Authority::Club, reason.as_str().into());
        let ended = game_changes::end_practice_game(tx, game, by);
        return split_refusal(ended).map(drop);
    }
    let mut seats = session.seats_due_for_reminder(tx.context);
    // The game may be due because a bot has had no time to think yet.
    seats.retain(|_| !session.is_practice && session.awaited_bot().is_none());
    if seats.is_empty() {
        tx.set_due_time(commit::next_due_time(tx.context, &session));
        return Ok(());
    }
    let waited = tx.context.now - last;
    let (hours, days) = (waited.num_hours(), waited.num_days());
    let mark = format!("r{}.h{hours}", session.table.last_record_number());
    let to = |seat: &Seat| (*seat, Occasion::Reminder { days: days.max(0) });
    report.reminders += queue_seat_letters(tx, &mut session, &mark, seats.iter().map(to))?;
    game_time::awaited_undeliverable_report(&session)
        .into_iter()
        .for_each(|lost| tx.report_to_moderator(lost));
    seats.into_iter().for_each(|seat| session.record_clockless_reminder(seat, tx.context.now));
    tx.set_due_time(commit::next_due_time(tx.context, &session));
    tx.put_back_game(session);
    Ok(())
}

/// Runs the due clocks of these games: reminders, missed deadlines, and orders for absent players.
pub(crate) fn run_due_clocks(
    context: &Context,
    due: &[u32],
    report: &mut PassReport,
) -> ClubResult<()> {
    for_each_due_game(context, due, RETRY_AFTER_FAILURE, report, run_due_clock)
}

/// Runs `work` for each of these due games, in a savepoint of its own and with up to
/// [`GAMES_PER_COMMIT`] games per commit. A failure in one game leaves the others unaffected: it is
/// reported to the moderator, and the game is due again after `again`. The counts in `report` are
/// updated only after the commit.
pub(crate) fn for_each_due_game(
    context: &Context,
    due: &[u32],
    again: TimeDelta,
    report: &mut PassReport,
    work: impl Fn(&mut Transaction<'_>, u32, &mut PassReport) -> ClubResult<()>,
) -> ClubResult<()> {
    for games in due.chunks(GAMES_PER_COMMIT) {
        *report = retry_on_conflict(|| {
            let mut counted = report.clone();
            let mut tx = Transaction::begin_for_games(context, games)?;
            for game in games {
                let work = |upon: &mut Transaction<'_>| work(upon, *game, &mut counted);
                if let Err(why) = catch_game_fault(|| tx.run_in_savepoint(work))? {
                    tx.report_broken_game(*game, &why);
                }
            }
            commit::queue_notifications(&mut tx)?;
            let next = context.now.checked_add_signed(again);
            for game in games {
                if tx.opened_game(*game).is_none() {
                    tx.set_due_time((*game, next));
                }
            }
            tx.commit_and_journal().map(|_| counted)
        })?;
    }
    Ok(())
}

fn run_due_clock(tx: &mut Transaction<'_>, game: u32, report: &mut PassReport) -> ClubResult<()> {
    let mut session = tx.open_game(game)?.clone();
    if session.next_automatic_move_time().is_some_and(|at| at <= tx.context.now) {
        session.play_due_plans_and_moves(tx.context.now);
        if session.has_new_records() {
            tx.pending_updates_mut(game);
            tx.put_back_game(session);
            return Ok(());
        }
    }
    let Some(mut clock) = session.clock.clone() else { return Ok(()) };
    stop_or_resume_clock_for_undeliverable(tx, &session, &mut clock);
    let (mut letters, mut opened, mut absent) = (Vec::new(), Vec::new(), 0);
    for (seat, event) in due_events(&session, &mut clock, tx.context.now) {
        let words = match event {
            ClockEvent::Extended => {
                clock.disclose_outage_extension(seat).map(|by| vec![extension_message(by)])
            }
            ClockEvent::Reminder => Some(reminder_messages(&session, &clock, seat)),
            ClockEvent::Nmr if clock.rules.nmr == NmrRule::Forfeit => {
                if !session.table.turn().awaits(seat) {
                    continue;
                }
                session.play_for_overdue_player(seat, tx.context.now)?;
                absent += 1;
                None
            }
            ClockEvent::Nmr if clock.rules.nmr == NmrRule::Bot => {
                session.let_bot_stand_in(seat, &clock, tx.context.now);
                tx.pending_updates_mut(game);
                None
            }
            ClockEvent::Nmr => {
                let note = Message::new("report-missed").with("number", game);
                tx.report_to_moderator(note.with("who", session.player_name(seat)));
                Some(Vec::new())
            }
        };
        match event {
            ClockEvent::Nmr => {
                if clock.record_missed_deadline(seat, tx.context.now) {
                    opened.push(seat);
                }
                report_missed_deadline(tx, &session, &clock, (seat, opened.contains(&seat)));
            }
            ClockEvent::Reminder | ClockEvent::Extended => {
                clock.record_reminder(seat, tx.context.now);
            }
        }
        letters.extend(words.map(|words| (seat, words)));
    }
    session.clock = Some(clock);
    if session.has_new_records() {
        // Every player gets a letter about the new position with their deadline, so no reminders
        // are needed.
        report.absent_turns += absent;
        tx.pending_updates_mut(game);
    } else {
        letters.extend(open_seat_occasions(&session, &opened, &letters));
        let mark =
            format!("r{}.t{}", session.table.last_record_number(), tx.context.now.timestamp());
        let letters = letters.into_iter().map(|(seat, words)| (seat, Occasion::Clock { words }));
        report.reminders += queue_seat_letters(tx, &mut session, &mark, letters)?;
        tx.set_due_time(commit::next_due_time(tx.context, &session));
    }
    tx.put_back_game(session);
    opened
        .into_iter()
        .try_for_each(|seat| vacant_seats::give_seat_to_waiting_member(tx, game, seat))
}

/// Returns the due events of a clock, without those of seats that have given sealed orders.
fn due_events(
    session: &GameSession,
    clock: &mut GameClock,
    now: DateTime<Utc>,
) -> Vec<(Seat, ClockEvent)> {
    let (sealed, due): (Vec<_>, Vec<_>) = clock
        .due_events(now, game_time::own_time_by_seat(&session.seats))
        .into_iter()
        .partition(|(seat, _)| session.has_sealed_orders(*seat));
    for (seat, _) in sealed.into_iter().filter(|(_, event)| *event != ClockEvent::Nmr) {
        clock.record_reminder(seat, now);
    }
    due
}

/// Stops the clock for undeliverable players or lets it run again, and tells the moderator of
/// players whose clock runs again.
fn stop_or_resume_clock_for_undeliverable(
    tx: &mut Transaction<'_>,
    session: &GameSession,
    clock: &mut GameClock,
) {
    let before = clock.clone();
    stop_clock_for_undeliverable(clock, &session.seats, tx.context.now);
    report_clock_resumed_while_undeliverable(session, &before, clock)
        .into_iter()
        .for_each(|word| tx.report_to_moderator(word));
}

/// Returns the reminder for a seat. It names the orders that will be played for the seat after the
/// deadline, if the game does that.
fn reminder_messages(session: &GameSession, clock: &GameClock, seat: Seat) -> Vec<Message> {
    let mut words = vec![Message::new("clock-reminder")];
    if clock.rules.nmr == NmrRule::Forfeit
        && clock.wait_of_seat(seat).is_some_and(|wait| !wait.has_missed)
    {
        let line = session.table.game().line_for_absent_player(seat);
        words.push(Message::new("clock-would-do").with("line", line));
    }
    words
}

/// Queues these letters to seats of a game, and marks the seats' news as seen. Returns the number
/// of letters.
fn queue_seat_letters(
    tx: &mut Transaction<'_>,
    session: &mut GameSession,
    mark: &str,
    letters: impl Iterator<Item = (Seat, Occasion)>,
) -> ClubResult<usize> {
    let (mut written, mut told) = (Vec::new(), Vec::new());
    for (seat, occasion) in letters {
        let to = SeatUpdateDraft::without_answered_letter(seat, occasion, mark.to_owned());
        written.extend(pending::make_seat_letter(tx, session, to)?);
        told.push(seat);
    }
    told.into_iter().for_each(|seat| session.mark_seen(seat));
    let count = written.len();
    tx.batch_mut().outgoing.extend(written);
    Ok(count)
}

/// Ends the expired votes and offers of seats at these due games.
pub(crate) fn expire_votes_and_offers(context: &Context, due: &[u32]) -> ClubResult<()> {
    let (tx, mut over) = (Transaction::begin(context), Vec::new());
    tx.read_each_game(due, |game| {
        let lapses = tx.game_info(game)?.next_vote_or_offer_expiry();
        over.extend(lapses.filter(|lapses| *lapses <= context.now).map(|_| game));
        Ok(())
    })?;
    let counts_nothing = &mut PassReport::default();
    for_each_due_game(context, &over, RETRY_AFTER_FAILURE, counts_nothing, |tx, game, _| {
        expire_votes_and_offers_of_game(tx, game)
    })
}

fn expire_votes_and_offers_of_game(tx: &mut Transaction<'_>, game: u32) -> ClubResult<()> {
    let context = tx.context;
    // A voter may have become undeliverable since the last vote was cast, and the vote may pass
    // without them.
    voting::recount_votes(tx, game)?;
    let session = tx.open_game(game)?.clone();
    let open = &mut tx.game_info_mut(game)?.open_votes;
    let (over, open): (Vec<Vote>, Vec<Vote>) =
        std::mem::take(open).into_iter().partition(|vote| vote.until <= context.now);
    tx.game_info_mut(game)?.open_votes = open;
    if session.table.turn() != Turn::Over {
        for vote in &over {
            voting::announce_vote_ended(tx, &session, vote, "vote-lapsed");
        }
    }
    vacant_seats::expire_seat_offers(tx, game)?;
    let lapses = tx.game_info_mut(game)?.next_vote_or_offer_expiry();
    if let Some(session) = tx.opened_game_mut(game) {
        session.votes_expire_at = lapses;
        let due = commit::next_due_time(context, session);
        tx.set_due_time(due);
    }
    Ok(())
}

fn open_seat_report(session: &GameSession, seat: Seat) -> Message {
    let note = Message::new("report-seat-open").with("number", session.game_number());
    note.with("seat", seat.number()).with("who", session.player_name(seat))
}

/// Returns letters to the seats that would get none although a seat was just opened. Each letter
/// states the clock and the open seat. A player who wants letters only for their turns reads it in
/// their next letter.
fn open_seat_occasions(
    session: &GameSession,
    opened: &[Seat],
    letters: &[(Seat, Vec<Message>)],
) -> Vec<(Seat, Vec<Message>)> {
    let seats = Seat::all(if opened.is_empty() { 0 } else { session.table.founding().seats });
    let written = |seat: &Seat| letters.iter().any(|(to, _)| to == seat);
    let told = |seat: &Seat| !written(seat) && !session.wants_turns_only(*seat);
    seats.filter(told).map(|seat| (seat, Vec::new())).collect()
}

/// Tells the moderator that a seat is open now, and of a player who is often absent.
fn report_missed_deadline(
    tx: &mut Transaction<'_>,
    session: &GameSession,
    clock: &GameClock,
    (seat, is_open): (Seat, bool),
) {
    let open = is_open.then(|| open_seat_report(session, seat));
    open.into_iter()
        .chain(absence_report(session, clock, seat))
        .for_each(|word| tx.report_to_moderator(word));
}

/// Returns a note to the moderator if a player has missed a multiple of [`ABSENCES_PER_REPORT`]
/// turns.
fn absence_report(session: &GameSession, clock: &GameClock, seat: Seat) -> Option<Message> {
    let misses = clock.misses.get(seat.index()).copied().unwrap_or(0);
    (clock.rules.nmr == NmrRule::Forfeit && misses > 0 && misses % ABSENCES_PER_REPORT == 0).then(
        || {
            Message::new("report-often-absent")
                .with("who", session.player_name(seat))
                .with("count", misses)
                .with("number", session.game_number())
        },
    )
}

fn extension_message(by: TimeDelta) -> Message {
    Message::new("clock-extended").with("span", describe_duration(by))
}
