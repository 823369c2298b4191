//! A member whom no letter reaches, whether a server has written so or said it to our face.
//!
//! Time stands still for who cannot be told that it is his turn. As anybody can make his own
//! letters come back, that is so once in a year and for no longer than a vacation may be; what
//! follows after that the moderator decides, who hears of it each time. The others read of it in
//! the next letter that they get anyway.

use crate::club::clock::{GameClock, date_words};
use crate::club::{Member, Seated};
use crate::mail::rate_limit::DAY;
use crate::mail::{Cause, Failed};
use crate::process::context::ClubError;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Arg, Message, Seat, Turn};
use crate::store::Repository;
use chrono::{DateTime, TimeDelta, Utc};

/// After how many reports of letters that came back, without a letter from the member, there is no
/// hope, whatever they say.
pub(crate) const SOFT_MAX: u32 = 5;
/// From how many members within a day letters are refused by rules of servers until that is not
/// any more about one of them.
const REFUSED_MIN: usize = 3;
/// After so long a time letters that come back let a member's time stand still once more.
const AGAIN: TimeDelta = TimeDelta::days(365);

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
                && place.is_some_and(|(_, member)| member.undeliverable.is_some())
        });
        let lost: Vec<Seat> = lost.collect();
        (!lost.is_empty()).then(|| Message::new("seat-lost").with("who", lost))
    }
}

/// A member as one whom letters to this address do not reach, and what the moderator is told.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn lose(
    tx: &mut Transaction<'_>,
    mut member: Member,
    failed: &Failed,
) -> Result<(Member, Message), ClubError> {
    member.undeliverable = Some(tx.context.now);
    if member.stood_still.is_none_or(|last| tx.context.now - last >= AGAIN) {
        member.stood_still = Some(tx.context.now);
    }
    let word = lost_word(tx, &member, failed)?;
    Ok((member, word))
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
) -> Result<Option<Message>, ClubError> {
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

/// What the moderator is told of a member who cannot be written to any more.
fn lost_word(
    tx: &mut Transaction<'_>,
    member: &Member,
    failed: &Failed,
) -> Result<Message, ClubError> {
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
    let before = member.stood_still.filter(|last| member.undeliverable != Some(*last));
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
    let lost = lost.filter(|(_, member)| member.undeliverable.is_some());
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
) -> Result<(), ClubError> {
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

/// Lets time stand still for those whom no letter reaches, as long as it may. A seat that was left
/// has nobody to be reached: its time runs as the game's rules have it.
pub(crate) fn reach(clock: &mut GameClock, seats: &[(Seated, Member)], now: DateTime<Utc>) {
    let vacation_days = clock.rules.vacation_days_per_year;
    for (index, (seated, member)) in seats.iter().enumerate() {
        let until = member.stands_still_until(vacation_days).filter(|_| !seated.left);
        let reached = until.is_none_or(|until| until <= now);
        let seat = Seat::from_index(index);
        let stood = clock.wait(seat).is_some_and(|wait| wait.lost.is_some());
        clock.reaches(seat, reached, now, &member.time);
        if stood && reached {
            // What he missed comes now and says until when he has time.
            clock.reminded(seat, now);
        }
    }
}

/// When a game is looked at next: when its clock does something, or when time runs again for
/// somebody whom no letter reaches.
pub(crate) fn next_look(clock: &GameClock, seats: &[(Seated, Member)]) -> Option<DateTime<Utc>> {
    let standing = clock.waits.iter().filter(|wait| wait.lost.is_some());
    let until = standing.filter_map(|wait| {
        let (_, member) = seats.get(wait.seat.index())?;
        member.stands_still_until(clock.rules.vacation_days_per_year)
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
