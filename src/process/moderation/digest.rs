//! The moderator's morning digest: late games, unreachable players, quarantined letters, finished
//! games.
//!
//! A pass reads one row to see whether the digest is due, and reads the games only then. The time
//! of the digest is committed together with the letter.

use crate::mail::LetterHash;
use crate::process::context::{ClubResult, Context};
use crate::process::moderation::overview::{
    self, LIST_MAX, MemberNames, for_each_game_in, omitted_count_line, store_missing_outlines,
    summarize_game, try_open_game,
};
use crate::process::moderation::quarantine;
use crate::process::outbound::pending::{self, NoticeBody};
use crate::process::transaction::{Transaction, retry_on_conflict};
use crate::render::Section;
use crate::rules::Message;
use crate::store::{OutgoingLetter, QueuedSummary, Repository, SendPriority};
use crate::table::{Outline, Record};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::{BTreeMap, HashSet};

/// A game without a clock counts as late if it has not moved for this long.
const LATE_AFTER: TimeDelta = TimeDelta::days(7);

/// The games that the digest mentions, and all finished games.
#[derive(Default)]
struct DigestGames {
    late: Vec<u32>,
    paused: Vec<u32>,
    ended: Vec<u32>,
    over: HashSet<u32>,
}

/// Queues the morning digest if it is due and has content.
pub(crate) fn queue_moderator_digest(context: &Context) -> ClubResult<()> {
    let zone = context.settings.moderators.first.own_time().zone();
    retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        match tx.last_morning_digest()? {
            // The first pass of a club only records the time and sends no digest.
            None => {}
            Some(last) if context.settings.digest.is_due(last, context.now, zone) => {
                quarantine::finish_interrupted_moves(context)?;
                store_missing_outlines(context)?;
                let sections = digest_sections(&tx, last)?;
                if !sections.is_empty() {
                    let letters = make_digest_letters(&tx, sections)?;
                    tx.batch_mut().outgoing.extend(letters);
                }
            }
            Some(_) => return Ok(()),
        }
        tx.batch_mut().last_morning_digest = Some(context.now);
        tx.commit_and_journal().map(drop)
    })
}

/// Makes the digest's letter to each moderator.
fn make_digest_letters(
    tx: &Transaction<'_>,
    sections: Vec<Section>,
) -> ClubResult<Vec<OutgoingLetter>> {
    let club = tx.context.settings.name.as_str();
    let subject = Message::new("digest-subject")
        .with("club", club)
        .with("at", tx.context.moment_for_moderator(tx.context.now));
    let digest = LetterHash::compute(format!("{}\n{sections:?}", tx.context.now).as_bytes());
    let body = NoticeBody::Sections { subject, sections };
    pending::make_letters_to_moderators(tx, &body, "m.d", digest)
}

fn digest_sections(tx: &Transaction<'_>, last: DateTime<Utc>) -> ClubResult<Vec<Section>> {
    let games = group_games_for_digest(tx, last)?;
    let mut sections = vec![
        games_section(tx, Message::new("digest-late"), &games.late)?,
        games_section(tx, Message::new("digest-paused"), &games.paused)?,
        games_section(tx, Message::new("digest-ended"), &games.ended)?,
        undeliverable_section(tx, &games.over)?,
        quarantine::quarantine_section(tx, Message::new("digest-held"))?,
        failed_deliveries_section(tx.context)?,
        waiting_stranger_letters_section(tx.context)?,
    ];
    sections.retain(|section| !section.lines.is_empty());
    Ok(sections)
}

/// Sorts the games by their summaries.
fn group_games_for_digest(tx: &Transaction<'_>, last: DateTime<Utc>) -> ClubResult<DigestGames> {
    let mut games = DigestGames::default();
    for_each_game_in(tx, |game, facts| {
        match facts.clock {
            _ if facts.log_length == 0 => {}
            Some(clock) if !clock.waits.is_empty() => {
                let mut waits = clock.waits.iter();
                if clock.paused.is_some() {
                    games.paused.push(game);
                } else if waits.any(|wait| wait.has_deadline_passed(tx.context.now)) {
                    games.late.push(game);
                }
            }
            _ => group_clockless_game(tx, game, facts.outline, last, &mut games)?,
        }
        Ok(())
    })?;
    Ok(games)
}

/// Sorts a game without a running clock: finished, or late if it has not moved for [`LATE_AFTER`].
fn group_clockless_game(
    tx: &Transaction<'_>,
    game: u32,
    outline: Option<Outline>,
    last: DateTime<Utc>,
    games: &mut DigestGames,
) -> ClubResult<()> {
    let outline = match outline {
        Some(outline) => Some(outline),
        None => try_open_game(tx, game)?.ok().map(|session| session.table.outline()),
    };
    let moved = match &outline {
        Some(outline) => Some(outline.at),
        None => last_move_time(tx, game)?,
    };
    let Some(moved) = moved else { return Ok(()) };
    if outline.is_some_and(|outline| outline.is_over()) {
        games.over.insert(game);
        games.ended.extend((moved > last).then_some(game));
    } else {
        games.late.extend((tx.context.now - moved >= LATE_AFTER).then_some(game));
    }
    Ok(())
}

fn games_section(tx: &Transaction<'_>, head: Message, games: &[u32]) -> ClubResult<Section> {
    let (mut names, mut lines) = (MemberNames::default(), Vec::new());
    for game in games.iter().take(LIST_MAX) {
        lines.push(match summarize_game(tx, *game, &mut names)? {
            Ok(summary) => overview::game_list_line(tx.context, &summary),
            Err(why) => Message::new("moderator-game-broken").with("game", *game).with("why", why),
        });
    }
    lines.extend(omitted_count_line(games.len()));
    Ok(Section { head: head.with("count", games.len()), lines })
}

/// Lists the undeliverable members who play in a running game.
fn undeliverable_section(tx: &Transaction<'_>, over: &HashSet<u32>) -> ClubResult<Section> {
    let mut lines = Vec::new();
    for member in tx.members()? {
        let Some(since) = member.undeliverable_since() else { continue };
        let seats = tx.seats_not_left(member.id)?;
        let games: Vec<String> = seats
            .iter()
            .filter(|(game, _)| !over.contains(game))
            .map(|(game, _)| game.to_string())
            .collect();
        if games.is_empty() {
            continue;
        }
        let address = member.addresses.first().cloned().unwrap_or_default();
        lines.push(
            Message::new("digest-lost-one")
                .with("who", member.name)
                .with("address", address)
                .with("since", tx.context.moment_for_moderator(since))
                .with("games", games),
        );
    }
    Ok(make_section(Message::new("digest-lost"), lines))
}

fn failed_deliveries_section(context: &Context) -> ClubResult<Section> {
    let mut tried: BTreeMap<String, (usize, u32)> = BTreeMap::new();
    for (recipient, attempts) in Transaction::begin(context).outbox().failed_deliveries()? {
        let (letters, most) = tried.entry(recipient).or_default();
        *letters += 1;
        *most = attempts.max(*most);
    }
    let line = |(to, (letters, most)): (String, (usize, u32))| {
        Message::new("digest-unposted-to").with("to", to).with("count", letters).with("tries", most)
    };
    Ok(make_section(Message::new("digest-unposted"), tried.into_iter().map(line).collect()))
}

/// Lists the letters to non-members that are still queued from earlier passes.
fn waiting_stranger_letters_section(context: &Context) -> ClubResult<Section> {
    let waits = |letter: &QueuedSummary| {
        let label = letter.label.as_ref();
        label.is_some_and(|label| {
            label.priority >= SendPriority::Known && label.written < context.now
        })
    };
    let letters =
        Transaction::begin(context).outbox().list_sendable(context.now)?.into_iter().filter(waits);
    let line = |letter: QueuedSummary| Message::new("digest-stranger").with("to", letter.recipient);
    Ok(make_section(Message::new("digest-strangers"), letters.map(line).collect()))
}

/// Returns when a game last moved, or `None` if its last record cannot be read.
fn last_move_time(tx: &Transaction<'_>, game: u32) -> ClubResult<Option<DateTime<Utc>>> {
    let record =
        tx.game_log_lines(game)?.pop().and_then(|line| serde_json::from_str::<Record>(&line).ok());
    Ok(record.map(|record| record.at))
}

/// Makes a section with at most [`LIST_MAX`] lines, and the number of the others.
fn make_section(head: Message, mut lines: Vec<Message>) -> Section {
    let count = lines.len();
    lines.truncate(LIST_MAX);
    lines.extend(omitted_count_line(count));
    Section { head: head.with("count", count), lines }
}
