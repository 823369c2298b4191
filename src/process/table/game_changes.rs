//! What is done to a game from outside of its rules: by the moderator, by a vote of its players, by
//! the club, or by a player who takes back their last orders.
//!
//! An intervention is told to the players with its reason, and kept in the game's minutes. The
//! table knows which orders can be taken back.

use crate::club::clock::{ClockRule, GameClock, OwnTime, span_words};
use crate::club::{Actor, Happening, Intervention, Member, Seated, UndoTerm};
use crate::process::blame::Blame;
use crate::process::context::{ClubError, ClubResult};
use crate::process::table::{news, voting};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{Movers, Transaction};
use crate::rules::{Message, Refusal, Seat, Turn};
use crate::store::Repository;
use crate::table::{Authority, LetterRef, Reason, TakenBack};
use chrono::{DateTime, Utc};

/// What players are told of it besides what the log tells.
type Told = Vec<(Seat, Message)>;

/// Does it, but for who sits where; what is told of it besides what the log tells.
///
/// # Errors
/// When the game is over, has no clock that could be changed, or cannot be taken back so far.
fn undergo(
    session: &mut GameSession,
    what: &Intervention,
    by: Authority,
    reason: &Reason,
    now: DateTime<Utc>,
) -> Result<Told, Refusal> {
    let told = match what {
        // It takes more than the game to know who may sit where.
        Intervention::Replace { .. } | Intervention::Vacate(_) => return Ok(Told::new()),
        Intervention::Rewind(to) => {
            session.table = session.table.rewind(*to, by, reason.clone(), now)?;
            forget_plans(session);
            return Ok(Told::new());
        }
        Intervention::End => {
            session.table = session.table.end(by, reason.clone(), now)?;
            forget_plans(session);
            return Ok(Told::new());
        }
        Intervention::Rotate(seat) => {
            rotate(session, *seat)?;
            return Ok(vec![(*seat, Message::new("seat-rotated").with("reason", reason))]);
        }
        Intervention::Announce => {
            return Ok(to_all(session, &Message::new("seat-announced").with("text", reason)));
        }
        _ if session.table.turn() == Turn::Over => return Err(refused("game-over")),
        Intervention::Force(seat) => {
            if let Turn::Awaiting(awaited) = session.table.turn()
                && !awaited.contains(seat)
            {
                let why = Message::new("intervention-not-awaited").with("who", *seat);
                return Err(Refusal::illegal(why.with("awaited", awaited)));
            }
            session.force(*seat, now)?;
            return Ok(to_all(
                session,
                &Message::new("intervention-forced").with("reason", reason),
            ));
        }
        Intervention::Set(rules) => play_by(session, rules, now)?,
        Intervention::Extend(by) => {
            let (clock, own) = clock_and_own(session)?;
            clock.extend(by.time(), now, own);
            Message::new("clock-moderated-extended").with("span", span_words(by.time()))
        }
        Intervention::Pause => match clock_and_own(session)? {
            (clock, _) if clock.paused.is_some() => {
                return Err(refused("intervention-paused-already"));
            }
            (clock, _) => {
                clock.pause(now);
                Message::new("clock-moderated-paused")
            }
        },
        Intervention::Resume => match clock_and_own(session)? {
            (clock, _) if clock.paused.is_none() => {
                return Err(refused("intervention-not-paused"));
            }
            (clock, own) => {
                clock.resume(now, own);
                Message::new("clock-moderated-resumed")
            }
        },
    };
    if let Some(clock) = &mut session.clock {
        clock.why = Some(reason.clone());
    }
    Ok(to_all(session, &told.with("reason", reason).with("by", by.word())))
}

fn play_by(
    session: &mut GameSession,
    rules: &[ClockRule],
    now: DateTime<Utc>,
) -> Result<Message, Refusal> {
    let usual = session.clock.as_ref().map(|clock| clock.rules.clone());
    let rules = ClockRule::upon(rules, usual).ok_or_else(|| refused("clock-none"))?;
    rules.check().map_err(|_| refused("moderator-no-day-left"))?;
    let clock = session.clock.get_or_insert_with(|| GameClock::new(rules.clone()));
    clock.play_by(rules, now, own_of(&session.seats));
    session.keep_time(now, &Movers::default());
    Ok(Message::new("clock-moderated-rules"))
}

/// The clock, and the own time of whoever sits on a seat.
fn clock_and_own<'a>(
    session: &'a mut GameSession,
) -> Result<(&'a mut GameClock, impl Fn(Seat) -> Option<&'a OwnTime>), Refusal> {
    let clock = session.clock.as_mut().ok_or_else(|| refused("clock-none"))?;
    Ok((clock, own_of(&session.seats)))
}

/// Makes the reply tokens of a seat void.
fn rotate(session: &mut GameSession, seat: Seat) -> Result<(), Refusal> {
    let none = Message::new("moderator-no-seat").with("game", session.number());
    let Some((seated, _)) = session.seats.get_mut(seat.index()) else {
        return Err(Refusal::illegal(none.with("seat", seat.number())));
    };
    seated.generation = seated.generation.saturating_add(1);
    Ok(())
}

fn to_all(session: &GameSession, told: &Message) -> Told {
    session.all_seats().map(|seat| (seat, told.clone())).collect()
}

/// What was done, by itself: rules of time with those that hold beside them.
fn as_done(session: &GameSession, what: &Intervention) -> Intervention {
    match (what, &session.clock) {
        (Intervention::Set(_), Some(clock)) => Intervention::Set(ClockRule::all_of(&clock.rules)),
        (what, _) => what.clone(),
    }
}

/// Plans were made for the position as it was.
fn forget_plans(session: &mut GameSession) {
    for (seated, _) in &mut session.seats {
        seated.standing.forget(Message::new("plans-forgotten"));
    }
}

fn own_of<'a>(seats: &'a [(Seated, Member)]) -> impl Fn(Seat) -> Option<&'a OwnTime> {
    |seat| seats.get(seat.index()).map(|(_, member)| &member.time)
}

fn refused(key: &'static str) -> Refusal {
    Refusal::illegal(Message::new(key))
}

/// Does something to a game in a transaction: what it leads to is in the transaction's commit.
///
/// # Errors
/// When the club cannot be read; the refusal when it cannot be done, and then nothing is.
pub(crate) fn intervene(
    tx: &mut Transaction<'_>,
    game: u32,
    what: &Intervention,
    by: Actor,
    reason: &Reason,
) -> Result<(), Blame<Refusal>> {
    let mut session = tx.session(game)?.clone();
    // What came before on this transaction comes before for the clock too.
    let none = Movers::default();
    session.keep_time(tx.context.now, tx.movers(game).unwrap_or(&none));
    if matches!(what, Intervention::Set(_)) && session.clock.is_none() {
        session.clock = tx.context.settings.clock.clone().map(GameClock::new);
    }
    // Nothing but a vote lets the program do such a thing by itself.
    let will = match by {
        Actor::House => Authority::Players,
        Actor::Moderator | Actor::Member(_) => Authority::Moderator,
    };
    let told = undergo(&mut session, what, will, reason, tx.context.now)?;
    session.keep_time(tx.context.now, tx.movers(game).unwrap_or(&none));
    if matches!(what, Intervention::Rewind(_) | Intervention::End) {
        voting::void_vote(tx, game)?;
        session.lapses = None;
        // Who was still to be asked is asked nothing any more.
        news::take_news_of(&mut session, tx.session(game)?);
    }
    let what = as_done(&session, what);
    tx.put_game(session);
    tx.movers_mut(game);
    for (seat, told) in told {
        // What the moderator says, or has done to one seat alone, is for its reader at once.
        match what {
            Intervention::Announce | Intervention::Rotate(_) => tx.tell_seat(game, seat, told),
            _ => tx.tell_in_time(game, seat, told),
        }
    }
    let reason = reason.clone();
    tx.log_activity(game, Happening::Intervened { by, what, reason });
    Ok(())
}

/// The last orders of a seat, taken back in a copy of its game.
///
/// # Errors
/// When the club cannot be read; why it cannot be done, and what there is instead.
pub(crate) fn take_back(
    tx: &Transaction<'_>,
    (game, seat): (u32, Seat),
    letter: &LetterRef,
) -> Result<TakenBack, Blame<Refusal>> {
    let room = tx.room(game)?;
    let session = tx.game(game).ok_or(ClubError::NoGame(game))?;
    judge(tx, session, seat, room.undo_term(), letter).map_err(|mut refusal| {
        let is_any = session.table.before_last_turn().is_some();
        if session.table.turn() != Turn::Over && is_any {
            let instead = voting::instead_of_undo(&room.vote_rules());
            refusal.instead.push(instead);
        }
        Blame::Theirs(refusal)
    })
}

/// Whether a seat's last orders could be taken back now by a letter.
pub(crate) fn may(tx: &Transaction<'_>, session: &GameSession, seat: Seat, term: UndoTerm) -> bool {
    let letter = LetterRef::of(String::new());
    judge(tx, session, seat, term, &letter).is_ok()
}

fn judge(
    tx: &Transaction<'_>,
    session: &GameSession,
    seat: Seat,
    term: UndoTerm,
    letter: &LetterRef,
) -> Result<TakenBack, Refusal> {
    let no = |key| Refusal::illegal(Message::new(key));
    let within = term.time().ok_or_else(|| no("undo-off"))?;
    let now = tx.context.now;
    let taken = session.table.undo(seat, Some(letter), now)?;
    // What counts is when the letter reached us, however late it is read.
    let came = tx.received.map_or(now, |received| received.min(now));
    if came - taken.record.at > within {
        return Err(Refusal::illegal(term.late()));
    }
    let Some((seated, _)) = session.seat(seat) else { return Err(no("undo-nothing")) };
    if seated.since.is_some_and(|since| taken.record.at < since) {
        return Err(no("undo-of-predecessor"));
    }
    let clock = session.clock.as_ref();
    if clock.is_some_and(|clock| clock.would_be_over(taken.to, now)) {
        return Err(no("undo-time-over"));
    }
    if seated.standing.auto_forced && taken.table.game().forced(seat).is_some() {
        return Err(no("undo-forced"));
    }
    Ok(taken)
}

/// What follows around a game from orders that were taken back to the record `to`: votes on a
/// rewind are about nothing any more, and so are the plans of who had seen the position.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn follow(tx: &mut Transaction<'_>, game: u32, seat: Seat, to: u32) -> ClubResult<()> {
    voting::void_rewinds(tx, game)?;
    let Some(session) = tx.game_mut(game) else { return Ok(()) };
    let others = session.all_seats().filter(|other| *other != seat);
    for other in others.collect::<Vec<_>>() {
        if let Some((seated, _)) = session.seats.get_mut(other.index()) {
            let why = Message::new("undo-plans-of-others").with("who", seat);
            seated.standing.forget_after(to, why);
        }
    }
    Ok(())
}
