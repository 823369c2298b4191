//! What an undeliverable member means for a game: its clock, and what players and the moderator
//! read.
//!
//! Time stands still for a player who cannot be told that it is their turn. Anybody can make their
//! own letters come back, so that is so once a year and for no longer than a vacation may be, or
//! until a second probe has come back. What follows after that the moderator decides, who hears of
//! it each time. The others read of it in the next letter that they get anyway. When a member is
//! undeliverable says [`Reachability`](crate::club::Reachability).

use crate::club::clock::{GameClock, date_words};
use crate::club::{Member, Seated};
use crate::mail::rate_limit::DAY;
use crate::mail::{Cause, Failed};
use crate::process::context::ClubResult;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Arg, Message, Seat, Turn};
use crate::store::Repository;
use chrono::{DateTime, Utc};

/// From how many members within a day letters are refused by rules of servers until that is not
/// any more about one of them.
const REFUSED_MIN: usize = 3;

impl GameSession {
    /// What a letter to this seat says of others for whom the game waits and whom no letter
    /// reaches, as far as the clock does not say it.
    pub(crate) fn lost_words(&self, reader: Seat) -> Option<Message> {
        let Turn::Awaiting(awaited) = self.table.turn() else { return None };
        let stands = |seat: Seat| {
            let wait = self.clock.as_ref().and_then(|clock| clock.wait(seat));
            wait.is_some_and(|wait| wait.lost.is_some())
        };
        let lost = awaited.into_iter().filter(|seat| {
            let place = self.seat(*seat).filter(|(seated, _)| !seated.left);
            *seat != reader
                && !stands(*seat)
                && place.is_some_and(|(_, member)| member.undeliverable().is_some())
        });
        let lost: Vec<Seat> = lost.collect();
        (!lost.is_empty()).then(|| Message::new("seat-lost").with("who", lost))
    }
}

/// Notes that a rule of a server refused a letter to a member. What the moderator is told once a
/// day, when there are several members: then it is about the club's letters and not about them.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn refused_by_rule(
    tx: &mut Transaction<'_>,
    member: u32,
    failed: &Failed,
) -> ClubResult<Option<Message>> {
    let since = tx.context.now.timestamp() - DAY;
    let his = format!("refused by rule {member}");
    if failed.cause != Cause::Policy || tx.count_since(&his, since)? > 0 {
        return Ok(None);
    }
    tx.count(his);
    tx.count("refused by rule".to_owned());
    let members = tx.count_since("refused by rule", since)?;
    if members < REFUSED_MIN || tx.count_since("refused by rule, told", since)? > 0 {
        return Ok(None);
    }
    tx.count("refused by rule, told".to_owned());
    let status = if failed.status.is_empty() { "-" } else { &failed.status };
    let word = Message::new("report-refused-by-rule").with("count", members);
    Ok(Some(word.with("address", failed.address.as_str()).with("status", status)))
}

/// Returns what the moderator hears of a member who has become undeliverable.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn lost_word(
    tx: &mut Transaction<'_>,
    member: &Member,
    failed: &Failed,
) -> ClubResult<Message> {
    let (mut games, mut waiting) = (Vec::new(), Vec::new());
    for (game, seat) in tx.seats_held(member.id)? {
        // A broken game is told of elsewhere.
        let Ok(session) = tx.session(game) else { continue };
        let Turn::Awaiting(awaited) = session.table.turn() else { continue };
        games.push(Arg::from(game));
        if awaited.contains(&seat) {
            waiting.push(Arg::from(game));
        }
    }
    let before = member.reach.stood_still.filter(|last| member.undeliverable() != Some(*last));
    let key = match (games.is_empty(), waiting.is_empty(), before) {
        (true, ..) => "report-undeliverable",
        (false, _, Some(_)) => "report-undeliverable-again",
        (false, true, None) => "report-undeliverable-plays",
        (false, false, None) => "report-undeliverable-waits",
    };
    let time = tx.context.settings.moderator.time();
    let before = before.map_or(Arg::from(""), |last| date_words(last, &time).into());
    let why = if failed.status.is_empty() { "-" } else { &failed.status };
    Ok(Message::new(key)
        .with("name", member.name.as_str())
        .with("address", failed.address.as_str())
        .with("status", why)
        .with("games", Arg::List(games))
        .with("before", before)
        .with("waiting", Arg::List(waiting)))
}

/// What the moderator is told when the time of a reminder comes, of those who get none.
pub(crate) fn waits_for_lost(session: &GameSession) -> Option<Message> {
    let Turn::Awaiting(seats) = session.table.turn() else { return None };
    let lost = seats.iter().filter_map(|seat| session.seat(*seat));
    let lost = lost.filter(|(_, member)| member.undeliverable().is_some());
    let names: Vec<Arg> = lost.map(|(_, member)| Arg::from(member.name.as_str())).collect();
    (!names.is_empty()).then(|| {
        Message::new("report-waits-for-lost")
            .with("number", session.number())
            .with("names", Arg::List(names))
    })
}

/// Takes it that a member's seats know no more than these records, as a letter was lost, so that he
/// is told of what came after when he can be reached again.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn untell(
    tx: &mut Transaction<'_>,
    member: u32,
    told: &[(u32, Seat, u32)],
) -> ClubResult<()> {
    for (game, seat, before) in told {
        let seats = tx.seats(*game)?;
        let is_his = seats.get(seat.index()).is_some_and(|seated| seated.member == member);
        // A broken game is told of elsewhere.
        if !is_his || tx.session(*game).is_err() {
            continue;
        }
        if let Some(session) = tx.game_mut(*game)
            && let Some((seated, _)) = session.seats.get_mut(seat.index())
        {
            seated.last_seen_seq = seated.last_seen_seq.min(*before);
        }
    }
    Ok(())
}

/// Lets time stand still for undeliverable members, as long as it may, from the date of the
/// evidence on. A seat that was left has nobody to be reached: its time runs as the game's rules
/// have it.
pub(crate) fn reach(clock: &mut GameClock, seats: &[(Seated, Member)], now: DateTime<Utc>) {
    let vacation_days = clock.rules.vacation_days_per_year;
    for (index, (seated, member)) in seats.iter().enumerate() {
        let stands = !seated.left && member.reach.time_stands(vacation_days, now);
        let seat = Seat::from_index(index);
        let stood = clock.wait(seat).is_some_and(|wait| wait.lost.is_some());
        let at = member.undeliverable().filter(|_| stands).map_or(now, |since| since.min(now));
        clock.reaches(seat, !stands, at, &member.time);
        if stood && !stands {
            // The missed news comes now and states the deadline.
            clock.reminded(seat, now);
        }
    }
}

/// When a game is looked at next: when its clock does something, or when time runs again for an
/// undeliverable member.
pub(crate) fn next_look(clock: &GameClock, seats: &[(Seated, Member)]) -> Option<DateTime<Utc>> {
    let standing = clock.waits.iter().filter(|wait| wait.lost.is_some());
    let until = standing.filter_map(|wait| {
        let (_, member) = seats.get(wait.seat.index())?;
        member.reach.time_runs_at(clock.rules.vacation_days_per_year)
    });
    clock.next().map(|(at, ..)| at).into_iter().chain(until).min()
}

/// What the moderator hears when time runs again for players whom still no letter reaches.
pub(crate) fn run_again(
    session: &GameSession,
    before: &GameClock,
    now: &GameClock,
) -> Option<Message> {
    let stands = |clock: &GameClock, seat| clock.wait(seat).is_some_and(|wait| wait.lost.is_some());
    let run = now.waits.iter().filter(|w| stands(before, w.seat) && !stands(now, w.seat));
    let names = run.filter_map(|wait| session.names.get(wait.seat.index()));
    let names: Vec<Arg> = names.map(|name| Arg::from(name.as_str())).collect();
    (!names.is_empty()).then(|| {
        let note = Message::new("report-lost-runs").with("number", session.number());
        note.with("names", Arg::List(names))
    })
}
