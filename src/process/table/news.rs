//! News for seats that is not in the game's log: messages between players, and the state of votes.

use crate::club::press::{LetterPress, PressMessage};
use crate::club::vote::Vote;
use crate::club::{ActivityEntry, ActivityEvent, Intervention, SeatNews};
use crate::mail::rate_limit::DAY_SECONDS;
use crate::mail::{find_addresses, has_reply_token};
use crate::process::request_error::RequestError;
use crate::process::table::voting::{self, ended_vote_message};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{Transaction, talk_count_key};
use crate::rules::{Arg, Message, Refusal, Seat};
use crate::store::Repository;
use crate::table::{LetterRefusal, OrderLine};
use chrono::{DateTime, Utc};

/// Returns the news that is pending for a seat's next letter, as messages.
pub(crate) fn news_messages(session: &GameSession, reader: Seat) -> Vec<Message> {
    let news = session.seat(reader).map(|(seated, _)| seated.news.as_slice()).unwrap_or_default();
    let words = |one: &SeatNews| match one {
        SeatNews::VoteOpened { vote, among_others } => {
            voting::vote_question_message(session, vote, reader, *among_others)
        }
        SeatNews::VoteFailed { intervention: what, yes, no } => {
            ended_vote_message(session, what, (yes, no), Message::new("vote-failed"))
        }
    };
    news.iter().map(words).collect()
}

/// Copies the pending news of every seat from another copy of the same game.
pub(crate) fn copy_news(session: &mut GameSession, other: &GameSession) {
    for ((seated, _), (now, _)) in session.seats.iter_mut().zip(&other.seats) {
        seated.news.clone_from(&now.news);
    }
}

/// Whether the seat's next letter will ask for its answer to a vote on this intervention.
pub(crate) fn will_ask_for_vote(session: &GameSession, seat: Seat, what: &Intervention) -> bool {
    let asks = |one: &SeatNews| match one {
        SeatNews::VoteOpened { vote, .. } => vote.intervention == *what,
        _ => false,
    };
    session.seat(seat).is_some_and(|(seated, _)| seated.news.iter().any(asks))
}

fn queue_news(tx: &mut Transaction<'_>, game: u32, seat: Seat, news: SeatNews) {
    tx.pending_updates_mut(game);
    let place = tx.opened_game_mut(game).and_then(|game| game.seats.get_mut(seat.index()));
    if let Some((seated, _)) = place.filter(|(seated, _)| !seated.has_left) {
        news.add_and_replace_older(&mut seated.news);
    }
}

/// Asks a seat for its answer to a vote: by a letter of its own if `at_once`, or else in its next
/// letter.
pub(crate) fn ask_for_vote(
    tx: &mut Transaction<'_>,
    game: u32,
    seat: Seat,
    at_once: bool,
    asked: SeatNews,
) {
    queue_news(tx, game, seat, asked);
    if at_once {
        tx.pending_updates_mut(game).asked_to_vote.insert(seat);
    }
}

/// Withdraws the question about a vote from a seat's pending news. Returns whether it was still
/// pending.
pub(crate) fn withdraw_vote_request(
    tx: &mut Transaction<'_>,
    game: u32,
    seat: Seat,
    what: &Intervention,
) -> bool {
    let place = tx.opened_game_mut(game).and_then(|game| game.seats.get_mut(seat.index()));
    let Some((seated, _)) = place else { return false };
    let taken_back = SeatNews::withdraw_vote_question(&mut seated.news, what);
    let is_asked = seated.news.iter().any(|one| matches!(one, SeatNews::VoteOpened { .. }));
    if let Some(movers) = tx.pending_updates_if_any_mut(game)
        && !is_asked
    {
        movers.asked_to_vote.remove(&seat);
    }
    taken_back
}

/// Announces in the next letters that a vote has failed. Leaves out seats that have not been told
/// of the vote, and `but`, which this transaction tells directly.
pub(crate) fn announce_failed_vote(
    tx: &mut Transaction<'_>,
    game: u32,
    vote: &Vote,
    but: Option<Seat>,
) {
    let seats: Vec<Seat> =
        tx.opened_game(game).into_iter().flat_map(GameSession::all_seats).collect();
    for seat in seats.into_iter().filter(|seat| Some(*seat) != but) {
        if !withdraw_vote_request(tx, game, seat, &vote.intervention) {
            let Vote { intervention: what, yes, no, .. } = vote.clone();
            queue_news(tx, game, seat, SeatNews::VoteFailed { intervention: what, yes, no });
        }
    }
}

/// Marks the messages in `said` that were written by a former player of the seat.
pub(crate) fn mark_talk_by_former_players(
    session: &GameSession,
    mut said: Vec<ActivityEntry>,
) -> Vec<ActivityEntry> {
    for ActivityEntry { at, event: what } in &mut said {
        if let ActivityEvent::Said { from, is_from_former_player: former, .. } = what {
            *former = session.seat(*from).is_some_and(|(seated, _)| !seated.was_seated_at(*at));
        }
    }
    said
}

/// Returns a seat's messages to players as entries for the activity log. Refuses the letter if one
/// of them is not allowed.
pub(crate) fn build_press_entries(
    tx: &Transaction<'_>,
    game: u32,
    seat: Seat,
    talk: &LetterPress,
) -> Result<Vec<ActivityEntry>, RequestError<LetterRefusal>> {
    if talk.is_empty() {
        return Ok(Vec::new());
    }
    let terms = tx.game_info(game)?.press_terms();
    let since = tx.context.now.timestamp() - DAY_SECONDS;
    let letters = tx.count_events_since(&talk_count_key(game, seat), since)?;
    if let Err(wrong) = talk.check_allowed(terms, letters) {
        let line = Some(OrderLine::new(wrong.number, wrong.line));
        let instead = match wrong.reason.args.get("line") {
            Some(Arg::Text(instead)) => Some(instead.clone()),
            _ => None,
        };
        let refusal = Refusal::illegal(wrong.reason).with_lines_to_send(instead.as_deref());
        return Err(RequestError::Refused(LetterRefusal { line, refusal }));
    }
    let written =
        tx.letter_received_at.map_or(tx.context.now, |received| received.min(tx.context.now));
    let session = tx.opened_game(game);
    if let Some(refused) =
        session.and_then(|session| press_recipient_refusal(session, talk, written))
    {
        return Err(RequestError::Refused(refused));
    }
    let minute = |press: &PressMessage| ActivityEntry {
        at: tx.context.now,
        event: ActivityEvent::Said {
            from: seat,
            to: press.recipients.clone(),
            anonymous: press.anonymous,
            text: press.text.clone(),
            is_from_former_player: false,
        },
    };
    Ok(talk.messages.iter().map(minute).collect())
}

/// Whether a text contains a reply token or a mail address. It does not check whether the address
/// belongs to a member, because the refusal would then disclose members' addresses.
pub(crate) fn has_token_or_address(text: &str) -> bool {
    has_reply_token(text) || !find_addresses(text).is_empty()
}

/// Returns the given messages about the game's terms once for each seat, for the game's first
/// letters.
pub(crate) fn message_for_all_seats(words: &[Message], seats: u8) -> Vec<(Seat, Message)> {
    let to = |seat| words.iter().map(move |word| (seat, word.clone()));
    Seat::all(seats).flat_map(to).collect()
}

/// Returns a refusal if a message is addressed to a seat without a player, or to one that changed
/// players after the message was written. A new player must not read it.
fn press_recipient_refusal(
    session: &GameSession,
    talk: &LetterPress,
    written: DateTime<Utc>,
) -> Option<LetterRefusal> {
    let why = |seat: &Seat| {
        let (seated, member) = session.seat(*seat)?;
        let key = match seated.since {
            _ if member.bot.is_some() => "talk-to-bot",
            _ if seated.has_left || member.has_left() => "talk-seat-open",
            Some(since) if since >= written => "talk-seat-new",
            _ => return None,
        };
        Some(Message::new(key).with("who", *seat))
    };
    talk.messages.iter().find_map(|press| {
        let why = press.recipients.iter().find_map(why)?;
        let line = Some(OrderLine::new(press.number, press.line.clone()));
        Some(LetterRefusal { line, refusal: Refusal::illegal(why) })
    })
}

/// Adds a hint to a refusal if its line ended a paragraph of press. The hint says how to write a
/// message of more than one line.
pub(crate) fn add_hint_on_press_end(
    mut refused: LetterRefusal,
    talk: &LetterPress,
) -> LetterRefusal {
    let ended = |line: &OrderLine| talk.paragraph_end_lines.contains(&line.number);
    if refused.line.as_ref().is_some_and(ended) {
        refused.refusal.alternatives.push(Message::new("talk-ended-here"));
    }
    refused
}
