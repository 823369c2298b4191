//! What a letter says to other players: found among its orders, judged, passed on.
//!
//! It is delivered in the pass that reads it and kept in the game's minutes, never in its log: who
//! counts records, letters or positions does not learn who talks to whom.

use crate::club::talk::{Press, Talk};
use crate::club::{ActivityEntry, Happening};
use crate::mail::rate_limit::DAY;
use crate::mail::{addresses_in, holds_mark};
use crate::process::blame::Blame;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::talk_counter;
use crate::rules::{Message, Refusal, Seat};
use crate::store::Repository;
use crate::table::{OrderLine, Refused};
use chrono::{DateTime, Utc};

/// What was said, with a mark on what was said by those who sit there no more.
pub(crate) fn by_former(session: &GameSession, mut said: Vec<ActivityEntry>) -> Vec<ActivityEntry> {
    for ActivityEntry { at, what } in &mut said {
        if let Happening::Said { from, former, .. } = what {
            *former = session.seat(*from).is_some_and(|(seated, _)| !seated.sat_at(*at));
        }
    }
    said
}

/// What a seat says, as it goes into the minutes.
///
/// # Errors
/// When the club cannot be read; the line that may not be said, and why.
pub(crate) fn said(
    tx: &Transaction<'_>,
    game: u32,
    seat: Seat,
    talk: &Talk,
) -> Result<Vec<ActivityEntry>, Blame<Refused>> {
    if talk.is_empty() {
        return Ok(Vec::new());
    }
    let terms = tx.room(game)?.press_terms();
    let since = tx.context.now.timestamp() - DAY;
    let letters = tx.count_since(&talk_counter(game, seat), since)?;
    if let Err(wrong) = talk.check(terms, letters) {
        let line = Some(OrderLine::new(wrong.number, wrong.line));
        return Err(Blame::Theirs(Refused { line, refusal: Refusal::illegal(wrong.why) }));
    }
    let written = tx.received.map_or(tx.context.now, |received| received.min(tx.context.now));
    let session = tx.game(game);
    if let Some(refused) = session.and_then(|session| to_nobody(session, talk, written)) {
        return Err(Blame::Theirs(refused));
    }
    let minute = |press: &Press| ActivityEntry {
        at: tx.context.now,
        what: Happening::Said {
            from: seat,
            to: press.to.clone(),
            anonymous: press.anonymous,
            text: press.text.clone(),
            former: false,
        },
    };
    Ok(talk.press.iter().map(minute).collect())
}

/// Whether a text holds what is nobody else's business. Which addresses are members' is not asked:
/// the answer would tell it to whoever tries some.
pub(crate) fn is_private(text: &str) -> bool {
    holds_mark(text) || !addresses_in(text).is_empty()
}

/// What a game's first letters say of what may be said in it; nothing of the usual terms.
pub(crate) fn terms_notes(words: &[Message], seats: u8) -> Vec<(Seat, Message)> {
    let to = |seat| words.iter().map(move |word| (seat, word.clone()));
    Seat::all(seats).flat_map(to).collect()
}

/// Why something cannot be told: nobody sits on the seat, and who comes there must not read it; or
/// somebody else came there after it was written.
fn to_nobody(session: &GameSession, talk: &Talk, written: DateTime<Utc>) -> Option<Refused> {
    let why = |seat: &Seat| {
        let (seated, member) = session.seat(*seat)?;
        let key = match seated.since {
            _ if seated.left || member.has_left() => "talk-seat-open",
            Some(since) if since >= written => "talk-seat-new",
            _ => return None,
        };
        Some(Message::new(key).with("who", *seat))
    };
    talk.press.iter().find_map(|press| {
        let why = press.to.iter().find_map(why)?;
        let line = Some(OrderLine::new(press.number, press.line.clone()));
        Some(Refused { line, refusal: Refusal::illegal(why) })
    })
}

/// Adds to a refusal, when its line stands where a paragraph of press went on for its writer, how
/// to say more than one line.
pub(crate) fn explained(mut refused: Refused, talk: &Talk) -> Refused {
    let ended = |line: &OrderLine| talk.ended_by.contains(&line.number);
    if refused.line.as_ref().is_some_and(ended) {
        refused.refusal.instead.push(Message::new("talk-ended-here"));
    }
    refused
}
