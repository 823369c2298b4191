//! The ledger of the season, computed from letters alone: when each member was asked for orders and
//! reminded, and which turns were played without them.

use super::calendar::{self, TimeZone, Vacation};
use super::robots::OrderLetter;
use crate::rig::{PostedLetter, assert_text_well_formed};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeMap;

pub const GRACE: TimeDelta = TimeDelta::hours(2);
pub const BANK: TimeDelta = TimeDelta::hours(24);

/// The facts that a letter about a game states.
#[derive(Clone, Debug)]
pub struct LetterFacts {
    pub member: u32,
    pub game: u32,
    /// The time in the `Date` header.
    pub date: DateTime<Utc>,
    /// The time of the pass that posted the letter.
    pub posted: DateTime<Utc>,
    /// The deadline for orders.
    pub due: Option<DateTime<Utc>>,
    /// The time of day and zone of the deadline, as the letter shows them.
    pub due_words: String,
    /// The time when the reader counts as absent.
    pub end: Option<DateTime<Utc>>,
    pub reminder: bool,
    pub accepted: bool,
    /// The number of the reader's turns that were played without them.
    pub forfeits: usize,
    /// The extra hours that the reader gets after an outage.
    pub more_hours: Option<i64>,
    pub rewound: bool,
    pub on_vacation: bool,
    /// The lines of the result: rank, name and score.
    pub result: Vec<(u32, String, i64)>,
}

fn text_between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    text.split_once(before)?.1.split_once(after).map(|(found, _)| found)
}

/// Reads a letter. Returns `None` if the letter belongs to no game.
pub fn read_game_letter(letter: &PostedLetter, posted: DateTime<Utc>) -> Option<LetterFacts> {
    let whole = letter.body_text();
    assert_text_well_formed(&whole);
    let text = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    let token = letter.header("Reply-To")?;
    let game = text_between(&token, "+", ".")?.parse().ok()?;
    let member = letter.to.trim_start_matches('p').split('@').next()?.parse().ok()?;
    let date = DateTime::parse_from_rfc2822(&letter.header("Date")?).expect("a date").to_utc();
    let due = text_between(&text, "You have until ", ".").map(calendar::parse_moment);
    let end = text_between(&text, "If we don't hear from you by ", ",");
    let count = |what: &str| text.matches(what).count();
    let name = format!("P{member}");
    Some(LetterFacts {
        member,
        game,
        date,
        posted,
        due: due.as_ref().map(|(at, _)| *at),
        due_words: due.map(|(_, words)| words).unwrap_or_default(),
        end: end.map(|end| calendar::parse_moment(end).0),
        reminder: text.contains("This is a reminder."),
        accepted: text.contains("We've carried out your orders."),
        forfeits: count("You missed the deadline, so we played your turn for you:"),
        more_hours: text_between(&text, "so you have ", " hours more")
            .and_then(|hours| hours.parse().ok())
            .or_else(|| text.contains("so you have a day more").then_some(24))
            .or_else(|| {
                Some(24 * text_between(&text, "so you have ", " days more")?.parse::<i64>().ok()?)
            }),
        rewound: text.contains("The moderator rewound the game to move"),
        on_vacation: text.contains("You're on vacation from"),
        result: parse_result(&whole, &name),
    })
}

/// Parses the lines below the heading THE RESULT.
fn parse_result(text: &str, reader: &str) -> Vec<(u32, String, i64)> {
    let Some((_, rest)) = text.split_once("\nTHE RESULT\n") else { return Vec::new() };
    let line = |line: &str| {
        let (rank, rest) = line.trim().split_once(". ")?;
        let (name, rest) = rest.split_once(": ")?;
        let score = rest.split([' ', '(']).next()?.parse().ok()?;
        let name = if name == "You" { reader } else { name };
        Some((rank.parse().ok()?, name.to_owned(), score))
    };
    rest.lines().filter_map(line).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnEnd {
    Played,
    Forfeited,
    TakenBack,
}

/// A turn of a member, as the letters to that member report it.
#[derive(Clone, Debug)]
pub struct TurnRequest {
    pub member: u32,
    pub game: u32,
    pub asked: DateTime<Utc>,
    pub posted: DateTime<Utc>,
    pub due: DateTime<Utc>,
    pub due_words: String,
    pub end: DateTime<Utc>,
    pub reminders: Vec<DateTime<Utc>>,
    /// Whether the deadline changed after the member was asked.
    pub changed: bool,
    pub end_of_turn: Option<(DateTime<Utc>, TurnEnd)>,
}

/// The facts of the season that no letter to a player states.
pub struct SeasonFacts {
    /// The times of passes that could post letters.
    pub passes: Vec<DateTime<Utc>>,
    /// The times of passes that posted all waiting letters.
    pub posted: Vec<DateTime<Utc>>,
    pub order_letters: Vec<OrderLetter>,
    pub places: BTreeMap<u32, TimeZone>,
    pub vacations: BTreeMap<u32, Vacation>,
    /// The member whose letters bounce, with the start and end of that time.
    pub unreachable: (u32, DateTime<Utc>, DateTime<Utc>),
    /// The start and end of each outage of the club.
    pub outages: Vec<(DateTime<Utc>, DateTime<Utc>)>,
}

/// Collects the turns of one member in one game from the letters to that member. Fails if a
/// deadline changes without a reason, or a reminder comes out of turn.
pub fn collect_turn_requests(letters: &[&LetterFacts]) -> Vec<TurnRequest> {
    let mut requests: Vec<TurnRequest> = Vec::new();
    for letter in letters {
        let open = requests.last_mut().filter(|request| request.end_of_turn.is_none());
        let close = match letter {
            LetterFacts { rewound: true, .. } => Some(TurnEnd::TakenBack),
            LetterFacts { forfeits, .. } if *forfeits > 0 => Some(TurnEnd::Forfeited),
            LetterFacts { accepted: true, .. } => Some(TurnEnd::Played),
            _ => None,
        };
        let open = match (open, close) {
            (Some(request), Some(how)) => {
                request.end_of_turn = Some((letter.date, how));
                None
            }
            (open, _) => open,
        };
        let (Some(due), Some(end)) = (letter.due, letter.end) else {
            assert!(open.is_none(), "no letter says why the turn is over: {letter:?}");
            continue;
        };
        let Some(request) = open else {
            assert!(!letter.reminder, "a reminder without a request: {letter:?}");
            let (member, game) = (letter.member, letter.game);
            let (asked, posted) = (letter.date, letter.posted);
            let due_words = letter.due_words.clone();
            let (reminders, changed, closed) = (Vec::new(), false, None);
            let request = TurnRequest {
                member,
                game,
                asked,
                posted,
                due,
                due_words,
                end,
                reminders,
                changed,
                end_of_turn: closed,
            };
            requests.push(request);
            continue;
        };
        if letter.reminder {
            request.reminders.push(letter.date);
        }
        if due != request.due {
            let more = letter.more_hours.map(TimeDelta::hours);
            assert!(
                more == Some(due - request.due) || letter.on_vacation,
                "the deadline moved without a reason: {letter:?}\n{request:?}"
            );
            (request.due, request.end, request.changed) = (due, end, true);
        }
        assert_eq!(request.end, end, "{letter:?}");
    }
    requests
}

/// Asserts that every turn of a member in a game followed the rules: deadline, time bank,
/// reminders, and a forfeit only after its time.
pub fn audit_turns(requests: &[TurnRequest], known: &SeasonFacts) {
    let mut bank = BANK;
    for request in requests {
        let place = known.places[&request.member];
        let vacation = known.vacations.get(&request.member).copied();
        let (who, from, to) = known.unreachable;
        let reached = request.member != who
            || request.end_of_turn.is_some_and(|(at, _)| at < from)
            || request.asked > to;
        if reached && !request.changed {
            let zone_told = request.due_words.split(' ').nth(1).unwrap_or_default();
            let known_zone = place.utc_offset(request.due).1;
            assert!(zone_told == known_zone || zone_told == "UTC", "{request:?}");
            let later = calendar::expected_due(request.asked, place, vacation);
            let plain = calendar::expected_due(request.asked, place, None);
            assert!(request.due == later || request.due == plain, "{request:?}: {later}");
            assert_reminders(request, known);
        }
        if request.member == who && request.asked > to {
            // The next letter that arrives reports what the time bank paid while letters bounced.
            bank = bank.min(request.end - request.due - GRACE);
        }
        if reached {
            assert_eq!(request.end, request.due + GRACE + bank, "{request:?}");
        }
        assert!(request.reminders.len() <= 3, "{request:?}");
        let Some((at, how)) = request.end_of_turn else { continue };
        if how == TurnEnd::Forfeited && reached {
            assert_forfeit_is_justified(request, at, known);
        }
        // Letters that arrive during an outage count as in time, even if no letter announces more
        // time.
        let given_back = known.outages.iter().any(|(since, ended)| {
            let respite = *ended + TimeDelta::hours(24);
            !request.changed
                && request.asked < *ended
                && at >= *ended
                && (*since..respite).contains(&request.end)
        });
        // The cost of a turn while letters bounce is unknown.
        if how != TurnEnd::TakenBack && !given_back && reached {
            bank -= (at - request.due - GRACE).max(TimeDelta::zero()).min(bank);
        }
    }
}

/// Asserts that one reminder came in the first pass after half of the time, and one in the first
/// pass after 24 hours before the deadline. None comes on a vacation day, except the last one
/// before a deadline on such a day, and none after the orders. A reminder that could not leave at
/// once may have been merged with a later letter.
fn assert_reminders(request: &TurnRequest, known: &SeasonFacts) {
    let half = request.asked + (request.due - request.asked) / 2;
    let day = request.due - TimeDelta::hours(24);
    let (place, vacation) =
        (known.places[&request.member], known.vacations.get(&request.member).copied());
    let back = |at| calendar::end_of_vacation(at, place, vacation);
    let last = Some(back(day)).filter(|at| *at < request.due).unwrap_or(day);
    let over = request.end_of_turn.map_or(DateTime::<Utc>::MAX_UTC, |(at, _)| at);
    let pass = |at: DateTime<Utc>| known.passes.iter().copied().find(|pass| *pass >= at);
    let is_asked = |at: &DateTime<Utc>| *at > request.asked;
    let moments = [(half, back(half)), (day, last)].into_iter().filter(|(at, _)| is_asked(at));
    let moments = moments.map(|(_, at)| at);
    let mut expected: Vec<_> =
        moments.filter_map(pass).filter(|at| *at < over && *at < request.end).collect();
    expected.sort_unstable();
    expected.dedup();
    let came = |at: &DateTime<Utc>| request.reminders.contains(at);
    assert!(request.reminders.iter().all(|at| expected.contains(at)), "{expected:?} {request:?}");
    let mut at_once = expected.iter().filter(|at| known.posted.contains(at));
    assert!(at_once.all(came), "{expected:?} {request:?}");
}

fn assert_forfeit_is_justified(request: &TurnRequest, at: DateTime<Utc>, known: &SeasonFacts) {
    assert!(at >= request.end, "before the announced time: {request:?}");
    assert!(
        request.end - request.posted >= TimeDelta::hours(24),
        "less than 24 hours after the request: {request:?}"
    );
    let day = known.places[&request.member].to_local(request.end).date();
    let vacation = known.vacations.get(&request.member);
    assert!(vacation.is_none_or(|(from, to)| day < *from || *to < day), "on vacation: {request:?}");
    for (_, ended) in &known.outages {
        let respite = *ended..*ended + TimeDelta::hours(24);
        assert!(!respite.contains(&at), "just after an outage: {request:?}");
    }
    let wrote = known
        .order_letters
        .iter()
        .filter(|one| (one.game, one.member) == (request.game, request.member));
    let mut in_time = wrote.filter(|one| request.posted < one.at && one.at <= at);
    assert!(in_time.next().is_none(), "orders had arrived in time: {request:?}");
}
