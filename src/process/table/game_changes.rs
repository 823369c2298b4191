//! Changes to a game from outside its rules: interventions by the moderator, by a vote of the
//! players or by the club, and players who take back their last orders.
//!
//! An intervention is announced to the players with its reason, and is kept in the game's activity
//! log. [`Table`](crate::table::Table) decides which orders can be taken back.

use crate::club::clock::{ClockRule, GameClock, OwnTime, describe_duration};
use crate::club::{ActivityEvent, Actor, Intervention, Member, SeatAssignment, UndoTerm};
use crate::process::context::{ClubError, ClubResult};
use crate::process::request_error::RequestError;
use crate::process::table::{news, voting};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{PendingUpdates, Transaction};
use crate::rules::{Message, Refusal, Seat, Turn};
use crate::store::Repository;
use crate::table::{Authority, LetterRef, Reason, UndoneOrders};
use chrono::{DateTime, Utc};

/// Messages to seats about an intervention, in addition to the game's log.
type SeatMessages = Vec<(Seat, Message)>;

/// Carries out an intervention in a game, except one that changes a seat's player. Returns the
/// messages to the seats.
///
/// # Errors
/// The refusal if the game is over, has no clock to change, or cannot be rewound that far.
fn carry_out_in_session(
    session: &mut GameSession,
    what: &Intervention,
    by: Authority,
    reason: &Reason,
    now: DateTime<Utc>,
) -> Result<SeatMessages, Refusal> {
    let told = match what {
        // `lobby::substitute` changes the player of a seat, because it needs data from outside the
        // game.
        Intervention::Replace { .. } | Intervention::Vacate(_) => return Ok(SeatMessages::new()),
        Intervention::Rewind(to) => {
            session.table = session.table.rewind(*to, by, reason.clone(), now)?;
            drop_all_queued_orders(session);
            return Ok(SeatMessages::new());
        }
        Intervention::End => {
            session.table = session.table.end_game(by, reason.clone(), now)?;
            drop_all_queued_orders(session);
            return Ok(SeatMessages::new());
        }
        Intervention::Rotate(seat) => {
            rotate_seat_token(session, *seat)?;
            return Ok(vec![(*seat, Message::new("seat-rotated").with("reason", reason))]);
        }
        Intervention::Announce => {
            return Ok(same_message_for_seats(
                session,
                &Message::new("seat-announced").with("text", reason),
            ));
        }
        _ if session.table.turn() == Turn::Over => return Err(illegal_refusal("game-over")),
        Intervention::Force(seat) => {
            return play_for_awaited_seat(session, *seat, reason, now);
        }
        Intervention::Set(rules) => change_clock_rules(session, rules, now)?,
        Intervention::Extend(by) => {
            let (clock, own) = clock_and_player_times(session)?;
            clock.extend_deadlines(by.to_time_delta(), now, own);
            Message::new("clock-moderated-extended")
                .with("span", describe_duration(by.to_time_delta()))
        }
        Intervention::Pause => match clock_and_player_times(session)? {
            (clock, _) if clock.paused.is_some() => {
                return Err(illegal_refusal("intervention-paused-already"));
            }
            (clock, _) => {
                clock.pause(now);
                Message::new("clock-moderated-paused")
            }
        },
        Intervention::Resume => match clock_and_player_times(session)? {
            (clock, _) if clock.paused.is_none() => {
                return Err(illegal_refusal("intervention-not-paused"));
            }
            (clock, own) => {
                clock.resume(now, own);
                Message::new("clock-moderated-resumed")
            }
        },
    };
    if let Some(clock) = &mut session.clock {
        clock.change_reason = Some(reason.clone());
    }
    Ok(same_message_for_seats(session, &told.with("reason", reason).with("by", by.name())))
}

fn play_for_awaited_seat(
    session: &mut GameSession,
    seat: Seat,
    reason: &Reason,
    now: DateTime<Utc>,
) -> Result<SeatMessages, Refusal> {
    if let Turn::Awaiting(awaited) = session.table.turn()
        && !awaited.contains(&seat)
    {
        let why = Message::new("intervention-not-awaited").with("who", seat);
        return Err(Refusal::illegal(why.with("awaited", awaited)));
    }
    session.play_for_absent_player(seat, now)?;
    let forced = Message::new("intervention-forced").with("reason", reason);
    Ok(same_message_for_seats(session, &forced))
}

fn change_clock_rules(
    session: &mut GameSession,
    rules: &[ClockRule],
    now: DateTime<Utc>,
) -> Result<Message, Refusal> {
    let usual = session.clock.as_ref().map(|clock| clock.rules.clone());
    let rules =
        ClockRule::apply_rules_to(rules, usual).ok_or_else(|| illegal_refusal("clock-none"))?;
    rules.check_any_day_allows_deadline().map_err(|_| illegal_refusal("moderator-no-day-left"))?;
    let clock = session.clock.get_or_insert_with(|| GameClock::new(rules.clone()));
    clock.set_rules(rules, now, player_times(&session.seats));
    session.advance_clock_by_new_records(now, &PendingUpdates::default());
    Ok(Message::new("clock-moderated-rules"))
}

fn clock_and_player_times<'a>(
    session: &'a mut GameSession,
) -> Result<(&'a mut GameClock, impl Fn(Seat) -> Option<&'a OwnTime>), Refusal> {
    let clock = session.clock.as_mut().ok_or_else(|| illegal_refusal("clock-none"))?;
    Ok((clock, player_times(&session.seats)))
}

fn rotate_seat_token(session: &mut GameSession, seat: Seat) -> Result<(), Refusal> {
    let none = Message::new("moderator-no-seat").with("game", session.game_number());
    let Some((seated, _)) = session.seats.get_mut(seat.index()) else {
        return Err(Refusal::illegal(none.with("seat", seat.number())));
    };
    seated.token_generation = seated.token_generation.saturating_add(1);
    Ok(())
}

fn same_message_for_seats(session: &GameSession, told: &Message) -> SeatMessages {
    session.all_seats().map(|seat| (seat, told.clone())).collect()
}

/// Returns the intervention as the activity log keeps it. A change of clock rules is replaced with
/// the complete rules that now apply.
fn intervention_for_activity_log(session: &GameSession, what: &Intervention) -> Intervention {
    match (what, &session.clock) {
        (Intervention::Set(_), Some(clock)) => {
            Intervention::Set(ClockRule::split_clock_rules(&clock.rules))
        }
        (what, _) => what.clone(),
    }
}

/// Drops all queued orders, because they were made for a position that no longer exists.
fn drop_all_queued_orders(session: &mut GameSession) {
    for (seated, _) in &mut session.seats {
        seated.queued_orders.drop_plans_and_notify(Message::new("plans-forgotten"));
    }
}

fn player_times<'a>(seats: &'a [(SeatAssignment, Member)]) -> impl Fn(Seat) -> Option<&'a OwnTime> {
    |seat| seats.get(seat.index()).map(|(_, member)| &member.time)
}

fn illegal_refusal(key: &'static str) -> Refusal {
    Refusal::illegal(Message::new(key))
}

/// Carries out an intervention in a game, in a transaction, and queues the announcement to the
/// players.
///
/// # Errors
/// The refusal if the intervention is not possible. The transaction is unchanged then.
pub(crate) fn carry_out_and_announce_intervention(
    tx: &mut Transaction<'_>,
    game: u32,
    what: &Intervention,
    by: Actor,
    reason: &Reason,
) -> Result<(), RequestError<Refusal>> {
    let mut session = tx.open_game(game)?.clone();
    // Earlier events of this transaction must count for the clock before the intervention does.
    let none = PendingUpdates::default();
    session.advance_clock_by_new_records(tx.context.now, tx.pending_updates(game).unwrap_or(&none));
    if matches!(what, Intervention::Set(_)) && session.clock.is_none() {
        session.clock = tx.context.settings.clock.clone().map(GameClock::new);
    }
    // The program intervenes in this way only after a vote of the players.
    let will = match by {
        Actor::Program => Authority::Players,
        Actor::Moderator | Actor::Member(_) => Authority::Moderator,
    };
    let told = carry_out_in_session(&mut session, what, will, reason, tx.context.now)?;
    session.advance_clock_by_new_records(tx.context.now, tx.pending_updates(game).unwrap_or(&none));
    if matches!(what, Intervention::Rewind(_) | Intervention::End) {
        voting::cancel_all_votes(tx, game)?;
        session.votes_expire_at = None;
        // Pending questions about votes are withdrawn, because the votes have ended.
        news::copy_news(&mut session, tx.open_game(game)?);
    }
    let what = intervention_for_activity_log(&session, what);
    tx.put_back_game(session);
    tx.pending_updates_mut(game);
    for (seat, told) in told {
        // An announcement, or a change to a single seat, is sent at once. Other interventions are
        // announced in each seat's next letter.
        match what {
            Intervention::Announce | Intervention::Rotate(_) => {
                tx.add_urgent_seat_note(game, seat, told);
            }
            _ => tx.add_seat_note(game, seat, told),
        }
    }
    let reason = reason.clone();
    tx.log_activity(game, ActivityEvent::Intervened { by, intervention: what, reason });
    Ok(())
}

/// Ends a practice game, and queues the last letter to its player.
///
/// # Errors
/// The refusal if the game is over.
pub(crate) fn end_practice_game(
    tx: &mut Transaction<'_>,
    game: u32,
    (by, reason): (Authority, Reason),
) -> Result<(), RequestError<Refusal>> {
    let mut session = tx.open_game(game)?.clone();
    session.table = session.table.end_game(by, reason, tx.context.now)?;
    tx.put_back_game(session);
    tx.pending_updates_mut(game);
    Ok(())
}

/// Takes back the last orders of a seat in a copy of its game, and returns the copy. If this is not
/// possible, the refusal names what the player can do instead.
pub(crate) fn undo_last_orders(
    tx: &Transaction<'_>,
    (game, seat): (u32, Seat),
    letter: &LetterRef,
) -> Result<UndoneOrders, RequestError<Refusal>> {
    let room = tx.game_info(game)?;
    let session = tx.opened_game(game).ok_or(ClubError::NoGame(game))?;
    if room.practice && session.table.turn() != Turn::Over {
        return Ok(session.table.undo_in_practice(seat, Some(letter), tx.context.now)?);
    }
    find_undoable_orders(tx, session, seat, room.undo_term(), letter).map_err(|mut refusal| {
        let is_any = session.table.record_before_last_turn().is_some();
        if session.table.turn() != Turn::Over && is_any {
            let instead = voting::undo_alternative(&room.vote_rules());
            refusal.alternatives.push(instead);
        }
        RequestError::Refused(refusal)
    })
}

/// Returns the time up to which a letter of this seat can take back its last orders, if nobody
/// moves before. `None` if they can't be taken back now.
pub(crate) fn undo_deadline(
    tx: &Transaction<'_>,
    session: &GameSession,
    seat: Seat,
    term: UndoTerm,
) -> Option<DateTime<Utc>> {
    let letter = LetterRef::new(String::new());
    let orders = find_undoable_orders(tx, session, seat, term, &letter).ok()?;
    Some(orders.record.at + term.time_limit()?)
}

fn find_undoable_orders(
    tx: &Transaction<'_>,
    session: &GameSession,
    seat: Seat,
    term: UndoTerm,
    letter: &LetterRef,
) -> Result<UndoneOrders, Refusal> {
    let no = |key| Refusal::illegal(Message::new(key));
    let within = term.time_limit().ok_or_else(|| no("undo-off"))?;
    let now = tx.context.now;
    let taken = session.table.undo(seat, Some(letter), now)?;
    // The limit applies to the time when the letter arrived, even if a pass reads it much later.
    let came = tx.letter_received_at.map_or(now, |received| received.min(now));
    if came - taken.record.at > within {
        return Err(Refusal::illegal(term.too_late_message()));
    }
    let Some((seated, _)) = session.seat(seat) else { return Err(no("undo-nothing")) };
    if seated.since.is_some_and(|since| taken.record.at < since) {
        return Err(no("undo-of-predecessor"));
    }
    let clock = session.clock.as_ref();
    if clock.is_some_and(|clock| clock.would_undo_miss_deadline(taken.to, now)) {
        return Err(no("undo-time-over"));
    }
    if seated.queued_orders.auto_forced && taken.table.game().only_legal_line(seat).is_some() {
        return Err(no("undo-forced"));
    }
    Ok(taken)
}

/// Applies the effects of undone orders on the rest of the game. Votes on a rewind end, and the
/// other seats' plans that were made after the record `to` are dropped.
pub(crate) fn end_rewind_votes_and_later_plans(
    tx: &mut Transaction<'_>,
    game: u32,
    seat: Seat,
    to: u32,
) -> ClubResult<()> {
    voting::cancel_rewind_votes(tx, game)?;
    let Some(session) = tx.opened_game_mut(game) else { return Ok(()) };
    let others = session.all_seats().filter(|other| *other != seat);
    for other in others.collect::<Vec<_>>() {
        if let Some((seated, _)) = session.seats.get_mut(other.index()) {
            let why = Message::new("undo-plans-of-others").with("who", seat);
            seated.queued_orders.drop_if_written_after(to, why);
        }
    }
    Ok(())
}
