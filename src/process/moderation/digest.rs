//! The moderator's morning digest: what is late, who is lost, what lies in quarantine, what ended.
//!
//! Whether one is due is a single look into the store; only then are the games looked through. That
//! the day's digest has been thought of is in the same commit as the letter.

use crate::mail::{LetterHash, ReplyAction};
use crate::process::context::{ClubResult, Context};
use crate::process::moderation::overview::{
    self, LIST_MAX, Names, each_within, more, note_outlines, opened, summary,
};
use crate::process::moderation::quarantine;
use crate::process::outbound::pending::{self, Says};
use crate::process::session::reader;
use crate::process::transaction::{Transaction, retry};
use crate::render::Section;
use crate::rules::Message;
use crate::store::{Class, InLine, Outgoing, Repository};
use crate::table::{Outline, Record};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::{BTreeMap, HashSet};

/// A game without a clock is late after so long.
const WEEK: TimeDelta = TimeDelta::days(7);

/// The games of interest in the morning.
#[derive(Default)]
struct Games {
    late: Vec<u32>,
    paused: Vec<u32>,
    ended: Vec<u32>,
    over: HashSet<u32>,
}

/// Writes the morning digest if it is due and there is something to tell.
///
/// # Errors
/// When the club cannot be read or written.
pub(crate) fn write_digest(context: &Context) -> ClubResult<()> {
    let zone = context.settings.moderator.time().zone();
    retry(|| {
        let mut tx = Transaction::begin(context);
        match tx.morning()? {
            // A club's first pass is no morning.
            None => {}
            Some(last) if context.settings.digest.is_due(last, context.now, zone) => {
                quarantine::tidy_quarantine(context)?;
                note_outlines(context)?;
                let sections = morning(&tx, last)?;
                if !sections.is_empty() {
                    let letter = digest_letter(&tx, sections)?;
                    tx.write().outgoing.push(letter);
                }
            }
            Some(_) => return Ok(()),
        }
        tx.write().morning = Some(context.now);
        tx.keep().map(drop)
    })
}

fn digest_letter(tx: &Transaction<'_>, sections: Vec<Section>) -> ClubResult<Outgoing> {
    let to = reader::moderator(tx)?;
    let club = tx.context.settings.name.as_str();
    let subject = Message::new("digest-subject")
        .with("club", club)
        .with("at", tx.context.moment(tx.context.now));
    let digest = LetterHash::of(format!("{}\n{sections:?}", tx.context.now).as_bytes());
    let message_id = pending::message_id(tx.context, &format!("m.d{digest}"));
    let says = Says::Sections { subject, sections };
    Ok(pending::plain(tx.context, &to, says, Some(ReplyAction::Moderator), message_id, None))
}

fn morning(tx: &Transaction<'_>, last: DateTime<Utc>) -> ClubResult<Vec<Section>> {
    let games = look_through(tx, last)?;
    let mut sections = vec![
        of_games(tx, Message::new("digest-late"), &games.late)?,
        of_games(tx, Message::new("digest-paused"), &games.paused)?,
        of_games(tx, Message::new("digest-ended"), &games.ended)?,
        of_lost(tx, &games.over)?,
        quarantine::list_of_held(tx.context, Message::new("digest-held"))?,
        of_unposted(tx.context)?,
        of_strangers(tx.context)?,
    ];
    sections.retain(|section| !section.lines.is_empty());
    Ok(sections)
}

/// Sorts out the games, each by what its row says of it.
fn look_through(tx: &Transaction<'_>, last: DateTime<Utc>) -> ClubResult<Games> {
    let mut games = Games::default();
    each_within(tx, |game, facts| {
        match facts.clock {
            _ if facts.lines == 0 => {}
            Some(clock) if !clock.waits.is_empty() => {
                let mut waits = clock.waits.iter();
                if clock.paused.is_some() {
                    games.paused.push(game);
                } else if waits.any(|wait| wait.is_late(tx.context.now)) {
                    games.late.push(game);
                }
            }
            _ => look_into(tx, game, facts.outline, last, &mut games)?,
        }
        Ok(())
    })?;
    Ok(games)
}

/// Looks into a game that waits for nobody by its clock.
fn look_into(
    tx: &Transaction<'_>,
    game: u32,
    outline: Option<Outline>,
    last: DateTime<Utc>,
    games: &mut Games,
) -> ClubResult<()> {
    let outline = match outline {
        Some(outline) => Some(outline),
        None => opened(tx, game)?.ok().map(|session| session.table.outline()),
    };
    let moved = match &outline {
        Some(outline) => Some(outline.at),
        None => last_moved(tx, game)?,
    };
    let Some(moved) = moved else { return Ok(()) };
    if outline.is_some_and(|outline| outline.is_over()) {
        games.over.insert(game);
        games.ended.extend((moved > last).then_some(game));
    } else {
        games.late.extend((tx.context.now - moved >= WEEK).then_some(game));
    }
    Ok(())
}

fn of_games(tx: &Transaction<'_>, head: Message, games: &[u32]) -> ClubResult<Section> {
    let (mut names, mut lines) = (Names::default(), Vec::new());
    for game in games.iter().take(LIST_MAX) {
        lines.push(match summary(tx, *game, &mut names)? {
            Ok(summary) => overview::game_line(tx.context, &summary),
            Err(why) => Message::new("moderator-game-broken").with("game", *game).with("why", why),
        });
    }
    lines.extend(more(games.len()));
    Ok(Section { head: head.with("count", games.len()), lines })
}

/// The members to whom no letter comes and who play.
fn of_lost(tx: &Transaction<'_>, over: &HashSet<u32>) -> ClubResult<Section> {
    let mut lines = Vec::new();
    for member in tx.members()? {
        let Some(since) = member.undeliverable() else { continue };
        let seats = tx.seats_held(member.id)?;
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
                .with("since", tx.context.moment(since))
                .with("games", games),
        );
    }
    Ok(listed(Message::new("digest-lost"), lines))
}

fn of_unposted(context: &Context) -> ClubResult<Section> {
    let mut tried: BTreeMap<String, (usize, u32)> = BTreeMap::new();
    for (recipient, attempts) in Transaction::begin(context).outbox().unposted()? {
        let (letters, most) = tried.entry(recipient).or_default();
        *letters += 1;
        *most = attempts.max(*most);
    }
    let line = |(to, (letters, most)): (String, (usize, u32))| {
        Message::new("digest-unposted-to").with("to", to).with("count", letters).with("tries", most)
    };
    Ok(listed(Message::new("digest-unposted"), tried.into_iter().map(line).collect()))
}

/// The letters to strangers for whom there was no place in the line so far.
fn of_strangers(context: &Context) -> ClubResult<Section> {
    let waits = |letter: &InLine| {
        let label = letter.label.as_ref();
        label.is_some_and(|label| label.class >= Class::Known && label.written < context.now)
    };
    let letters =
        Transaction::begin(context).outbox().in_line(context.now)?.into_iter().filter(waits);
    let line = |letter: InLine| Message::new("digest-stranger").with("to", letter.recipient);
    Ok(listed(Message::new("digest-strangers"), letters.map(line).collect()))
}

/// Returns when a game last moved, if its last record can be read.
fn last_moved(tx: &Transaction<'_>, game: u32) -> ClubResult<Option<DateTime<Utc>>> {
    let record = tx.log(game)?.pop().and_then(|line| serde_json::from_str::<Record>(&line).ok());
    Ok(record.map(|record| record.at))
}

/// A section of as many lines as a letter takes.
fn listed(head: Message, mut lines: Vec<Message>) -> Section {
    let count = lines.len();
    lines.truncate(LIST_MAX);
    lines.extend(more(count));
    Section { head: head.with("count", count), lines }
}
