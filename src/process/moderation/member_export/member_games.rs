//! The seats in a member's document: those that the member has or had, with their orders, messages
//! and votes.
//!
//! Orders and messages are taken only from the periods in which the member held the seat. Another
//! player of the same seat keeps theirs.

use super::TurnCounts;
use crate::club::vote::Vote;
use crate::club::{
    ActivityEntry, ActivityEvent, Actor, FormerPlayer, GameName, HeldPeriod, Intervention, Member,
    NewsPreference, Notes, SavedSeatData, SeatAssignment, held_periods,
};
use crate::process::context::ClubResult;
use crate::process::moderation::overview::try_open_game;
use crate::process::transaction::Transaction;
use crate::render::Language;
use crate::rules::Seat;
use crate::store::{GameFacts, LetterResult, Repository, StoreError};
use crate::table::{Cause, Founding, QueuedOrders, Reason, Record};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// A seat that the member has or had.
#[derive(Serialize)]
pub(super) struct HeldSeat {
    pub(super) game: u32,
    name: Option<GameName>,
    kind: String,
    founded_at: DateTime<Utc>,
    seat: Seat,
    #[serde(rename = "game_is_over")]
    pub(super) is_over: bool,
    won: bool,
    periods: Vec<SeatDates>,
    was_removed_by_moderator: bool,
    /// The data of the current player. `None` if the member has lost the seat.
    current: Option<CurrentSeat>,
    /// The data that is kept until the member comes back from an absence.
    kept_for_return: Option<PrivateNotes>,
    orders: Vec<GivenOrders>,
    messages: Vec<SentMessage>,
    votes_and_changes: Vec<SeatEvent>,
}

/// A period in which the member held the seat.
#[derive(Serialize)]
struct SeatDates {
    /// `None` means the beginning of the game.
    since: Option<DateTime<Utc>>,
    until: Option<DateTime<Utc>>,
}

/// The stored data of the seat's current player.
#[derive(Serialize)]
struct CurrentSeat {
    has_left: bool,
    is_stand_in: bool,
    bot_stands_in: bool,
    punctuality: TurnCounts,
    deadline: Option<DateTime<Utc>>,
    time_bank_used_seconds: i64,
    last_seen_record: u32,
    /// The last reminder in a game without a clock.
    last_reminder_at: Option<DateTime<Utc>>,
    plans: Vec<SavedPlan>,
    secret_orders: Vec<String>,
    plays_forced_orders: bool,
    has_asked_for_hint: bool,
    last_hint_at_record: Option<u32>,
    #[serde(flatten)]
    private: PrivateNotes,
}

/// The private data of a player in a game.
#[derive(Serialize)]
struct PrivateNotes {
    notes: Vec<String>,
    letters: Option<&'static str>,
}

/// Orders for a later turn.
#[derive(Serialize)]
struct SavedPlan {
    /// The plan in the member's language. `None` if the game cannot be opened.
    words: Option<String>,
    /// The plan in the form of the game.
    data: Value,
}

/// Orders of the seat that are in the game's log.
#[derive(Serialize)]
struct GivenOrders {
    record: u32,
    at: DateTime<Utc>,
    by: &'static str,
    lines: Vec<String>,
    /// The last record that stayed in force, if the member took orders back.
    undone_to_record: Option<u32>,
}

/// A message that the member wrote, or a private message to the member.
#[derive(Serialize)]
struct SentMessage {
    at: DateTime<Utc>,
    is_own: bool,
    /// The seat of the author. `None` if the author's name was not shown.
    from: Option<Seat>,
    /// Empty for a message to all.
    to: Vec<Seat>,
    is_anonymous: bool,
    text: String,
}

/// A vote of the member, or a change of the game by or for the member.
#[derive(Serialize)]
struct SeatEvent {
    /// `None` for the answer to an open vote.
    at: Option<DateTime<Utc>>,
    event: &'static str,
    what: String,
    reason: Option<String>,
}

/// The stored data of a game that a document needs.
struct GameData {
    game: u32,
    founding: Founding,
    facts: GameFacts,
    assignments: Vec<SeatAssignment>,
    log: Vec<ActivityEntry>,
    records: Vec<Record>,
}

impl GameData {
    fn load(tx: &Transaction<'_>, game: u32) -> ClubResult<Self> {
        let lines = tx.game_log_lines(game)?;
        let damaged =
            |error: serde_json::Error| StoreError::Damaged(format!("game {game}: {error}"));
        let founding = lines.first().map(String::as_str).unwrap_or_default();
        let founding: Founding = serde_json::from_str(founding).map_err(damaged)?;
        let records = lines.iter().skip(1).map(|line| serde_json::from_str(line));
        let records = records.collect::<Result<_, _>>().map_err(damaged)?;
        let (facts, log) = (tx.game_facts(game)?, tx.activity_log(game)?);
        let assignments = tx.seat_assignments(game)?;
        Ok(Self { game, founding, facts, assignments, log, records })
    }
}

/// Returns the seats that a member has or had in any game, by game and seat.
pub(super) fn list_held_seats(tx: &Transaction<'_>, member: &Member) -> ClubResult<Vec<HeldSeat>> {
    let letters = tx.letters_of_member(member.id)?;
    let carried_out: BTreeSet<(u32, u32)> = letters
        .values()
        .filter(|seen| {
            seen.of_member.as_ref().is_some_and(|own| own.result == LetterResult::CarriedOut)
        })
        .filter_map(|seen| seen.game.zip(seen.seq))
        .collect();
    let mut held = Vec::new();
    for game in tx.game_numbers()? {
        let room = tx.game_info(game)?;
        let former = room.former_players.iter().filter(|former| former.member == member.id);
        let mut seats: BTreeSet<Seat> = former.map(|former| former.seat).collect();
        let current = Seat::all(u8::MAX).zip(tx.seat_assignments(game)?);
        let own = current.filter(|(_, seated)| seated.member == member.id);
        seats.extend(own.map(|(seat, _)| seat));
        if seats.is_empty() {
            continue;
        }
        let data = GameData::load(tx, game)?;
        for seat in seats {
            held.extend(describe_seat(tx, member, &data, seat, &carried_out)?);
        }
    }
    Ok(held)
}

fn describe_seat(
    tx: &Transaction<'_>,
    member: &Member,
    data: &GameData,
    seat: Seat,
    carried_out: &BTreeSet<(u32, u32)>,
) -> ClubResult<Option<HeldSeat>> {
    let Some(seated) = data.assignments.get(seat.index()) else { return Ok(None) };
    let room = &data.facts.room;
    let periods = held_periods(member.id, seat, seated, &room.former_players, &data.log);
    let is_own_former = |former: &&FormerPlayer| (former.seat, former.member) == (seat, member.id);
    let former = room.former_players.iter().find(is_own_former);
    let is_current = seated.member == member.id;
    let outline = data.facts.outline.as_ref();
    let won = outline.is_some_and(|outline| outline.winners.contains(&seat));
    let language = tx.context.library.language(&member.language);
    Ok(Some(HeldSeat {
        game: data.game,
        name: room.name.clone(),
        kind: data.founding.game.clone(),
        founded_at: data.founding.at,
        seat,
        is_over: outline.is_some_and(|outline| outline.is_over()),
        won: is_current && won,
        was_removed_by_moderator: former.is_some_and(|former| former.removed),
        current: is_current
            .then(|| describe_current_seat(tx, data, seat, seated, language))
            .transpose()?,
        kept_for_return: former.and_then(|former| former.saved.as_deref()).map(describe_saved_data),
        orders: list_orders(data, seat, &periods, carried_out),
        messages: list_messages(&data.log, seat, &periods),
        votes_and_changes: list_seat_events(member, data, seat, &periods, language),
        periods: periods
            .into_iter()
            .map(|held| SeatDates { since: held.since, until: held.until })
            .collect(),
    }))
}

fn describe_current_seat(
    tx: &Transaction<'_>,
    data: &GameData,
    seat: Seat,
    seated: &SeatAssignment,
    language: &Language,
) -> ClubResult<CurrentSeat> {
    let SeatAssignment {
        member: _,
        token_generation: _,
        last_seen_seq: last_seen_record,
        queued_orders,
        punctuality,
        has_left,
        stands_in_for,
        bot_stands_in,
        hint,
        since: _,
        notes,
        earlier_periods: _,
        news: _,
        news_preference,
        reminded_at,
        unread: _,
    } = seated;
    let QueuedOrders { plans, auto_forced, secret_lines, seen_record: _, unsent_notices: _ } =
        queued_orders;
    let clock = data.facts.clock.as_ref();
    let wait = clock.and_then(|clock| clock.wait_of_seat(seat));
    let bank_used = clock.and_then(|clock| clock.bank_seconds_used.get(seat.index()));
    Ok(CurrentSeat {
        has_left: *has_left,
        is_stand_in: stands_in_for.is_some(),
        bot_stands_in: *bot_stands_in,
        punctuality: (*punctuality).into(),
        deadline: wait.map(|wait| wait.deadline),
        time_bank_used_seconds: bank_used.copied().unwrap_or_default(),
        last_seen_record: *last_seen_record,
        last_reminder_at: *reminded_at,
        plans: describe_plans(tx, data.game, plans, language)?,
        secret_orders: secret_lines.clone(),
        plays_forced_orders: *auto_forced,
        has_asked_for_hint: hint.asked.is_some(),
        last_hint_at_record: Some(hint.given_at).filter(|record| *record > 0),
        private: describe_private_notes(notes, *news_preference),
    })
}

fn describe_plans(
    tx: &Transaction<'_>,
    game: u32,
    plans: &[Value],
    language: &Language,
) -> ClubResult<Vec<SavedPlan>> {
    if plans.is_empty() {
        return Ok(Vec::new());
    }
    let session = try_open_game(tx, game)?.ok();
    let words = |plan| session.as_ref()?.table.game().describe_plan(plan);
    let saved = plans.iter().map(|plan| SavedPlan {
        words: words(plan).map(|said| language.localize(&said)),
        data: plan.clone(),
    });
    Ok(saved.collect())
}

fn describe_saved_data(saved: &SavedSeatData) -> PrivateNotes {
    let SavedSeatData { notes, earlier_periods: _, news_preference, unread: _ } = saved;
    describe_private_notes(notes, *news_preference)
}

fn describe_private_notes(notes: &Notes, news_preference: Option<NewsPreference>) -> PrivateNotes {
    PrivateNotes {
        notes: notes.numbered().map(|(_, note)| note.to_owned()).collect(),
        letters: news_preference.map(news_preference_word),
    }
}

const fn news_preference_word(preference: NewsPreference) -> &'static str {
    match preference {
        NewsPreference::Turns => "turns",
        NewsPreference::All => "all",
    }
}

/// Returns the orders of a seat from the member's periods, and those that a letter of the member
/// brought.
fn list_orders(
    data: &GameData,
    seat: Seat,
    periods: &[HeldPeriod],
    carried_out: &BTreeSet<(u32, u32)>,
) -> Vec<GivenOrders> {
    let is_own = |record: &&Record| {
        carried_out.contains(&(data.game, record.seq))
            || periods.iter().any(|period| period.contains(record.at))
    };
    let orders = |record: &Record| {
        let by = match &record.cause {
            Cause::Orders { .. } => "member",
            Cause::Absent { .. } => "rules_for_absent_players",
            Cause::Bot { .. } => "computer_player",
            Cause::Undone { seat: own, to, .. } if *own == seat => {
                let (lines, undone_to_record) = (Vec::new(), Some(*to));
                let (record, at) = (record.seq, record.at);
                return Some(GivenOrders { record, at, by: "member", lines, undone_to_record });
            }
            _ => return None,
        };
        let (_, lines) = record.cause.seat_and_lines().filter(|(own, _)| *own == seat)?;
        let (record, at, lines) = (record.seq, record.at, lines.to_vec());
        Some(GivenOrders { record, at, by, lines, undone_to_record: None })
    };
    data.records.iter().filter(is_own).filter_map(orders).collect()
}

/// Returns the messages that the member wrote, and the private ones to the member. The author of an
/// anonymous message to the member stays hidden.
fn list_messages(log: &[ActivityEntry], seat: Seat, periods: &[HeldPeriod]) -> Vec<SentMessage> {
    let message = |entry: &ActivityEntry| {
        let ActivityEvent::Said { from, to, anonymous, text, is_from_former_player: _ } =
            &entry.event
        else {
            return None;
        };
        let is_own = *from == seat;
        (is_own || to.contains(&seat)).then(|| SentMessage {
            at: entry.at,
            is_own,
            from: Some(*from).filter(|_| is_own || !anonymous),
            to: to.clone(),
            is_anonymous: *anonymous,
            text: text.clone(),
        })
    };
    entries_in_periods(log, periods).filter_map(message).collect()
}

/// Iterates over the entries of the activity log in the member's periods.
fn entries_in_periods<'a>(
    log: &'a [ActivityEntry],
    periods: &'a [HeldPeriod],
) -> impl Iterator<Item = &'a ActivityEntry> {
    periods.iter().flat_map(|period| log.get(period.entries.clone()).unwrap_or_default())
}

/// Returns the member's votes, and the changes of the game that the member caused or that concern
/// the seat. The answers of other players are left out.
fn list_seat_events(
    member: &Member,
    data: &GameData,
    seat: Seat,
    periods: &[HeldPeriod],
    language: &Language,
) -> Vec<SeatEvent> {
    let words = |what: &Intervention| language.localize(&what.describe());
    let event = |entry: &ActivityEntry| {
        let ActivityEvent::Intervened { by, intervention, reason } = &entry.event else {
            return None;
        };
        let given = match reason {
            Reason::Given(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            Reason::Agreed(_) => None,
        };
        let concerns_seat = matches!(intervention,
            Intervention::Vacate(own) | Intervention::Force(own) if *own == seat)
            || matches!(intervention, Intervention::Replace { seat: own, .. } if *own == seat);
        let (event, reason) = match reason {
            Reason::Agreed(seats) if seats.contains(&seat) => ("voted_yes_and_passed", None),
            _ if *by == Actor::Member(member.id) => ("caused_by_member", given),
            _ if concerns_seat => ("concerns_seat", given),
            _ => return None,
        };
        Some(SeatEvent { at: Some(entry.at), event, what: words(intervention), reason })
    };
    let ballot = |vote: &Vote| {
        let Vote { intervention, quorum: _, by, until: _, yes, no } = vote;
        let event = match () {
            () if *by == seat => "proposed_open_vote",
            () if yes.contains(&seat) => "voted_yes_in_open_vote",
            () if no.contains(&seat) => "voted_no_in_open_vote",
            () => return None,
        };
        Some(SeatEvent { at: None, event, what: words(intervention), reason: None })
    };
    let mut events: Vec<SeatEvent> =
        entries_in_periods(&data.log, periods).filter_map(event).collect();
    if periods.iter().any(|period| period.until.is_none()) {
        events.extend(data.facts.room.open_votes.iter().filter_map(ballot));
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anonymous_author_is_shown_to_themselves_only() {
        let [one, two, three] = [1, 2, 3].map(Seat::new);
        let said = |from, to: Seat, text: &str| ActivityEntry {
            at: DateTime::UNIX_EPOCH,
            event: ActivityEvent::Said {
                from,
                to: vec![to],
                anonymous: true,
                text: text.to_owned(),
                is_from_former_player: false,
            },
        };
        let log = [said(two, one, "a"), said(one, two, "b"), said(two, three, "c")];
        let whole = HeldPeriod { since: None, until: None, entries: 0..log.len() };
        let messages = list_messages(&log, one, &[whole]);
        let shown: Vec<_> =
            messages.iter().map(|message| (message.from, message.text.as_str())).collect();
        assert_eq!(shown, [(None, "a"), (Some(one), "b")]);
    }
}
