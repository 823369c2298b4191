//! A game's history for the moderator, the same by letter and on the command line.
//!
//! This module decides what the moderator may read. Plans and notes are only for their player.
//! Private messages are included only if the game's terms allow it. The outcome of a record, and
//! the lines that led to it, are included as far as everyone, or the chosen seat, may know them.
//! May not know how it is shown.

use crate::club::{ActivityEntry, ActivityEvent, Actor, Intervention};
use crate::process::context::{ClubResult, Context};
use crate::process::table::news;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::render::Section;
use crate::rules::{Arg, Message, Seat, Viewer};
use crate::store::Repository;
use crate::table::{Cause, Record};
use chrono::{DateTime, Utc};
use std::collections::VecDeque;

/// The number of entries in a letter. Older ones are left out.
const LETTER_ENTRIES_MAX: usize = 40;

/// The history of a game, in the order of its records.
pub(crate) struct GameLog {
    /// The game with its players.
    pub session: GameSession,
    pub(crate) entries: Vec<LogEntry>,
}

/// An entry of a game's history.
pub(crate) struct LogEntry {
    pub at: DateTime<Utc>,
    /// The record's number, or `None` for an event around the game, such as a message.
    pub(crate) record: Option<u32>,
    pub what: Message,
    /// The lines of the letter that led to the record, as far as the viewer may read them.
    pub lines: Vec<String>,
    /// The outcome of the record, as far as the viewer may know it.
    pub(crate) outcome: Vec<Message>,
}

/// Returns a game's records and its activity log, with the outcome of each record as the viewer may
/// know it.
pub(crate) fn load_game_log(context: &Context, game: u32, viewer: Viewer) -> ClubResult<GameLog> {
    let mut tx = Transaction::begin(context);
    let session = tx.open_game(game)?.clone();
    let mut entries = load_entries(&tx, &session)?;
    let mut lines = session.table.lines_readable_by(viewer);
    for entry in &mut entries {
        let record = session.table.records().iter().find(|r| Some(r.seq) == entry.record);
        let Some(record) = record else { continue };
        entry.lines = lines.remove(&record.seq).unwrap_or_default();
        entry.outcome = session.table.game().narrate_events(&record.events, viewer)?;
    }
    Ok(GameLog { session, entries })
}

/// Returns the last [`LETTER_ENTRIES_MAX`] entries for a letter, one line each, without orders.
pub(crate) fn recent_log_section(
    tx: &Transaction<'_>,
    session: &GameSession,
) -> ClubResult<Section> {
    let entries = load_entries(tx, session)?;
    let skipped = entries.len().saturating_sub(LETTER_ENTRIES_MAX);
    let line = |LogEntry { at, record, what, .. }| {
        let what = match record {
            Some(number) => {
                Message::new("moderator-record").with("number", number).with("what", what)
            }
            None => what,
        };
        Message::new("moderator-entry")
            .with("at", tx.context.moment_for_moderator(at))
            .with("what", what)
    };
    let lines = entries.into_iter().skip(skipped).map(line).collect();
    let head = Message::new("moderator-log").with("game", session.game_number());
    Ok(Section { head: head.with("skipped", skipped), lines })
}

fn load_entries(tx: &Transaction<'_>, session: &GameSession) -> ClubResult<Vec<LogEntry>> {
    let entry =
        |at, record, what| LogEntry { at, record, what, lines: Vec::new(), outcome: Vec::new() };
    let records = session.table.records().iter();
    let records = records
        .map(|record| entry(record.at, Some(record.seq), describe_record(record, &session.names)));
    let game = session.game_number();
    let reads_private = tx.game_info(game)?.press_terms().moderator_reads;
    let mut around = Vec::new();
    for activity in news::mark_talk_by_former_players(session, tx.activity_log(game)?) {
        if reads_private || !activity.is_private() {
            around.push(entry(
                activity.at,
                None,
                describe_activity(tx, &activity, &session.names)?,
            ));
        }
    }
    Ok(merge_by_time(records.collect(), around))
}

/// Merges the records with the entries around them by time. Both lists keep their order, even if
/// the machine's clock was set back: a time that is later than that of an entry behind it counts as
/// the latter, and comes before the entries of that time.
fn merge_by_time(records: Vec<LogEntry>, around: Vec<LogEntry>) -> Vec<LogEntry> {
    let mut lists = [records, around].map(|list| {
        let (mut latest, mut timed) = (DateTime::<Utc>::MAX_UTC, VecDeque::new());
        for entry in list.into_iter().rev() {
            latest = latest.min(entry.at);
            timed.push_front((latest, entry));
        }
        timed
    });
    let time_of_first = |list: &VecDeque<(DateTime<Utc>, LogEntry)>| {
        list.front().map(|(time, entry)| (*time, *time == entry.at, entry.at))
    };
    let mut merged = Vec::new();
    while let Some(next) =
        lists.iter_mut().filter(|list| !list.is_empty()).min_by_key(|list| time_of_first(list))
    {
        merged.extend(next.pop_front().map(|(_, entry)| entry));
    }
    merged
}

fn player_name(names: &[String], seat: Seat) -> String {
    names.get(seat.index()).cloned().unwrap_or_default()
}

fn describe_record(record: &Record, names: &[String]) -> Message {
    let of_seat = |key, seat: &Seat| Message::new(key).with("who", player_name(names, *seat));
    match &record.cause {
        Cause::Founded => Message::new("moderator-record-founded"),
        Cause::Orders { seat, .. } => of_seat("moderator-record-orders", seat),
        Cause::Absent { seat, .. } => of_seat("moderator-record-absent", seat),
        Cause::Bot { bot, .. } => {
            of_seat("moderator-record-bot", &bot.seat).with("level", bot.level.to_string())
        }
        Cause::Rewound { to, .. } => Message::new("moderator-record-rewound").with("to", *to),
        Cause::Undone { seat, .. } => of_seat("moderator-record-undone", seat),
        Cause::Ended { .. } => Message::new("moderator-record-ended"),
    }
}

/// Returns the moderator's line for an entry of the activity log.
fn describe_activity(
    tx: &Transaction<'_>,
    activity: &ActivityEntry,
    names: &[String],
) -> ClubResult<Message> {
    let did = |key, by, what: Message| {
        Ok(Message::new(key).with("by", actor_name(tx, by)?).with("what", what))
    };
    let note = |text: Arg| Ok(Message::new("moderator-note").with("text", text));
    match &activity.event {
        ActivityEvent::Said { from, to, anonymous, text, is_from_former_player: former } => {
            Ok(describe_talk((*from, to), *anonymous, *former, names).with("text", text.as_str()))
        }
        ActivityEvent::Intervened {
            intervention: what @ Intervention::Rotate(_), reason, ..
        } => note(with_reason("minute-told", what.describe(), &reason.to_text(names)).into()),
        ActivityEvent::Intervened { by, intervention: what, reason } => {
            let did = did("moderator-did", *by, what.describe())?;
            Ok(did.with("reason", reason.to_text(names)))
        }
        ActivityEvent::Proposed { by, kind } => {
            let what = Message::new("minute-propose").with("kind", kind.as_str());
            did("moderator-did-plain", Actor::Member(*by), what)
        }
        ActivityEvent::Begun => {
            did("moderator-did-plain", Actor::Program, Message::new("minute-begin"))
        }
        ActivityEvent::ReplyTokensVoided { member, reason } => {
            let what = Message::new("minute-rotate-member").with("member", *member);
            note(with_reason("minute-told", what, reason).into())
        }
        ActivityEvent::LetterJudged { name, accepted, reason } => {
            let key = if *accepted { "minute-accept" } else { "minute-reject" };
            let what = Message::new(key).with("name", name.as_str());
            let is_plain = reason.is_empty();
            note(if is_plain { what } else { with_reason("minute-because", what, reason) }.into())
        }
        ActivityEvent::Noted { text } => note(text.as_str().into()),
    }
}

/// Returns a message about who spoke to whom, without the text.
fn describe_talk(
    (from, to): (Seat, &[Seat]),
    anonymous: bool,
    former: bool,
    names: &[String],
) -> Message {
    let who = player_name(names, from);
    if !to.is_empty() {
        let who: Arg = match (anonymous, former) {
            (true, _) => Arg::Term("moderator-somebody"),
            (false, true) => Message::new("moderator-former").with("who", who).into(),
            (false, false) => who.into(),
        };
        let whom: Vec<String> = to.iter().map(|seat| player_name(names, *seat)).collect();
        return Message::new("moderator-told").with("who", who).with("whom", whom);
    }
    match (anonymous, former) {
        (true, _) => Message::new("moderator-said-unsigned"),
        (false, true) => Message::new("moderator-said-former").with("who", who),
        (false, false) => Message::new("moderator-said").with("who", who),
    }
}

fn with_reason(key: &'static str, what: Message, reason: &str) -> Message {
    Message::new(key).with("what", what).with("reason", reason)
}

fn actor_name(tx: &Transaction<'_>, actor: Actor) -> ClubResult<Arg> {
    Ok(match actor {
        Actor::Moderator => Arg::Term("moderator-moderator"),
        Actor::Program => Arg::Term("moderator-house"),
        Actor::Member(id) => tx.member(id)?.map(|member| member.name).unwrap_or_default().into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the order in which entries with these hours are shown, with the records' numbers.
    fn merged(records: &[i64], around: &[i64]) -> Vec<(Option<u32>, i64)> {
        let at = |hour| DateTime::<Utc>::UNIX_EPOCH + chrono::TimeDelta::hours(hour);
        let entry = |record, hour| LogEntry {
            at: at(hour),
            record,
            what: Message::new("x"),
            lines: Vec::new(),
            outcome: Vec::new(),
        };
        let records = (1..).zip(records).map(|(seq, hour)| entry(Some(seq), *hour)).collect();
        let around = around.iter().map(|hour| entry(None, *hour)).collect();
        let hour = |entry: LogEntry| (entry.at - at(0)).num_hours();
        let merged = merge_by_time(records, around).into_iter();
        merged.map(|entry| (entry.record, hour(entry))).collect()
    }

    #[test]
    fn log_keeps_record_order_after_clock_jump() {
        let plain = [(Some(1), 1), (None, 2), (Some(2), 3), (None, 3)];
        assert_eq!(merged(&[1, 3], &[2, 3]), plain);
        // Record 2 was made while the clock was 50 hours ahead.
        let jumped = [(Some(1), 1), (None, 2), (Some(2), 52), (Some(3), 4), (None, 5)];
        assert_eq!(merged(&[1, 52, 4], &[2, 5]), jumped);
        let both = [(Some(1), 1), (Some(2), 52), (None, 53), (Some(3), 4), (None, 4)];
        assert_eq!(merged(&[1, 52, 4], &[53, 4]), both);
        let talk_ahead = [(Some(1), 1), (None, 52), (None, 4), (Some(2), 5)];
        assert_eq!(merged(&[1, 5], &[52, 4]), talk_ahead);
    }
}
