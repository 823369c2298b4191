//! Reactions to evidence that letters do not reach a member: probes, reports to the moderator, and
//! the missed news.
//!
//! The state machine is [`Reachability`](crate::club::Reachability). This module carries out its
//! effects.

use super::{count_events_within_day, mailbox_count_key};
use crate::club::{
    BOUNCE_WINDOW, Member, ReachabilityEffect, ReachabilityEvent, ReachabilityStatus,
};
use crate::mail::rate_limit::{DAY_SECONDS, mailbox_key};
use crate::mail::{FailedRecipient, LetterHash};
use crate::process::commit::{missed_news, transact_and_notify};
use crate::process::context::{ClubError, Context};
use crate::process::outbound::pending::{self, NoticeBody};
use crate::process::session::game_time;
use crate::process::transaction::Transaction;
use crate::rules::Message;
use crate::store::{LetterReader, OutboxLabel, OutgoingLetter, Repository};
use chrono::{DateTime, TimeDelta, Utc};

/// The least time between two checks of all members whom letters may not reach.
const CHECK_INTERVAL: TimeDelta = TimeDelta::hours(6);
/// The number of members that are checked in one commit.
const MEMBERS_PER_COMMIT: usize = 50;
/// The least number of doubtful mailboxes that make a mass refusal.
const MASS_REFUSAL_MIN: usize = 2;
/// A mass refusal affects at least one in this many of the mailboxes that were written to within a
/// day.
const MASS_REFUSAL_SHARE: usize = 3;

/// The store's counter keys for reports to the moderator. They cannot collide with a mailbox's key.
const REFUSAL_REPORTED_KEY: &str = "refused for good, told";
pub(super) const MASS_REPORTED_KEY: &str = "mass refusal, told";

/// Applies a bounce report or a server's refusal to a member's reachability, and queues a probe if
/// one is needed. In a mass refusal the member does not become undeliverable.
///
/// Returns a line for the moderator, if any.
pub(crate) fn apply_reachability_event(
    tx: &mut Transaction<'_>,
    before: &Member,
    event: ReachabilityEvent,
    failed: &FailedRecipient,
) -> Result<Option<Message>, ClubError> {
    let now = tx.context.now;
    let mut member = before.clone();
    let mut consequence = member.reachability.handle_event(event, now, false);
    let mass_refusal =
        consequence == Some(ReachabilityEffect::BecameUndeliverable) && is_mass_refusal(tx)?;
    if mass_refusal {
        member = before.clone();
        consequence = member.reachability.handle_event(event, now, true);
    }
    tx.update_member(member.clone());
    Ok(match consequence {
        Some(ReachabilityEffect::BecameUndeliverable) => {
            Some(game_time::undeliverable_member_report(tx, &member, failed)?)
        }
        Some(ReachabilityEffect::SendProbe) => {
            queue_probe(tx, &member);
            None
        }
        Some(ReachabilityEffect::BecameReachable) | None if mass_refusal => {
            refusal_report_once_a_day(tx, failed)?
        }
        Some(ReachabilityEffect::BecameReachable) | None => None,
    })
}

/// Whether a server's refusal of a letter would make its member undeliverable now. Changes nothing.
pub(crate) fn would_become_undeliverable(
    tx: &Transaction<'_>,
    member: &Member,
    event: ReachabilityEvent,
) -> Result<bool, ClubError> {
    let is_lost = |mass_refusal| {
        let mut reach = member.reachability;
        reach.handle_event(event, tx.context.now, mass_refusal)
            == Some(ReachabilityEffect::BecameUndeliverable)
    };
    Ok(is_lost(true) || is_lost(false) && !is_mass_refusal(tx)?)
}

/// Returns the line for the moderator about a refusal that has no consequence yet. Reports it at
/// most once a day, and a mass refusal once a day too.
pub(crate) fn refusal_report_once_a_day(
    tx: &mut Transaction<'_>,
    failed: &FailedRecipient,
) -> Result<Option<Message>, ClubError> {
    let (key, counted) = match is_mass_refusal(tx)? {
        true => ("report-mass-refusal", MASS_REPORTED_KEY),
        false if count_events_within_day(tx, MASS_REPORTED_KEY)? > 0 => return Ok(None),
        false => ("report-refused", REFUSAL_REPORTED_KEY),
    };
    if count_events_within_day(tx, counted)? > 0 {
        return Ok(None);
    }
    tx.increment_count(counted.to_owned());
    let (count, _) = count_doubtful_members(tx)?;
    let word = Message::new(key).with("count", count).with("address", failed.address.as_str());
    Ok(Some(word.with("status", failed.status_or_none())))
}

/// Checks every member whom letters may not reach: sends due probes, and sends the missed news to
/// members whose probe did not bounce. Does nothing if the last check was less than six hours ago.
pub(crate) fn probe_doubtful_members(context: &Context) -> Result<(), ClubError> {
    const CHECKED_KEY: &str = "looked at members";
    let tx = Transaction::begin(context);
    if tx.count_events_since(CHECKED_KEY, (context.now - CHECK_INTERVAL).timestamp())? > 0 {
        return Ok(());
    }
    let doubtful = |member: &Member| {
        member.reachability.status != ReachabilityStatus::Reached && !member.has_left()
    };
    let doubtful: Vec<u32> =
        tx.members()?.iter().filter(|member| doubtful(member)).map(|member| member.id).collect();
    drop(tx);
    for ids in doubtful.chunks(MEMBERS_PER_COMMIT) {
        transact_and_notify(context, |tx| {
            ids.iter().try_for_each(|id| probe_or_mark_reachable(tx, *id))
        })?;
    }
    transact_and_notify(context, |tx| {
        tx.increment_count(CHECKED_KEY.to_owned());
        Ok::<_, ClubError>(())
    })
}

fn probe_or_mark_reachable(tx: &mut Transaction<'_>, id: u32) -> Result<(), ClubError> {
    let Some(mut member) = tx.member(id)? else { return Ok(()) };
    let (before, now) = (member.reachability, tx.context.now);
    let posted = match before.probe.filter(|probe| !probe.returned) {
        Some(probe) => {
            let id = probe_message_id(tx.context, id, probe.sent);
            tx.post_record(&id, now - BOUNCE_WINDOW * 2, now)?.map(|posted| posted.at)
        }
        None => None,
    };
    let consequence =
        member.reachability.handle_event(ReachabilityEvent::Tick { posted }, now, false);
    if member.reachability == before {
        return Ok(());
    }
    tx.update_member(member.clone());
    match consequence {
        Some(ReachabilityEffect::SendProbe) => queue_probe(tx, &member),
        Some(ReachabilityEffect::BecameReachable) => {
            let digest = LetterHash::compute(format!("back {now} {id}").as_bytes());
            missed_news::schedule_missed_news(tx, id, &digest)?;
            let address = member.addresses.first().cloned().unwrap_or_default();
            let word = Message::new("report-reached").with("name", member.name);
            tx.report_to_moderator(word.with("address", address));
        }
        Some(ReachabilityEffect::BecameUndeliverable) | None => {}
    }
    Ok(())
}

/// Queues a probe: a short test letter that shows whether the member's mailbox accepts letters
/// again. It is addressed to the member and not to a seat, so it is neither merged with other
/// letters nor held for a digest.
fn queue_probe(tx: &mut Transaction<'_>, member: &Member) {
    let id = probe_message_id(tx.context, member.id, tx.context.now);
    let letter = pending::make_plain_letter(tx.context, member, NoticeBody::Probe, None, id, None);
    let reader = LetterReader::Probe(member.id);
    let class = reader.default_priority();
    let label = letter.label.map(|label| OutboxLabel { reader, priority: class, ..label });
    tx.batch_mut().outgoing.push(OutgoingLetter { label, ..letter });
}

/// Returns the Message-ID of the probe that was queued for a member at this time.
fn probe_message_id(context: &Context, member: u32, sent: DateTime<Utc>) -> String {
    pending::make_message_id(context, &format!("p.{member}.{}", sent.timestamp()))
}

/// Returns two numbers: the members whose mailboxes are suspect or became undeliverable within a
/// day, and the members who were written to within a day, including those.
fn count_doubtful_members(tx: &Transaction<'_>) -> Result<(usize, usize), ClubError> {
    let members = tx.members()?;
    let account =
        |member: &Member| Some(mailbox_count_key(&mailbox_key(member.addresses.first()?)));
    let (members, accounts): (Vec<_>, Vec<_>) =
        members.iter().filter_map(|member| Some((member, account(member)?))).unzip();
    let posted =
        tx.count_events_of_each_since(&accounts, tx.context.now.timestamp() - DAY_SECONDS)?;
    let (mut doubted, mut written_to) = (0, 0);
    for (member, posted) in members.into_iter().zip(posted) {
        let is_doubted = match member.reachability.status {
            ReachabilityStatus::Reached => false,
            ReachabilityStatus::Suspected { .. } => true,
            ReachabilityStatus::Undeliverable { since, .. } => {
                tx.context.now - since < TimeDelta::days(1)
            }
        };
        doubted += usize::from(is_doubted);
        written_to += usize::from(is_doubted || posted > 0);
    }
    Ok((doubted, written_to))
}

/// Whether so many mailboxes refuse mail that the club's own server is more likely at fault: at
/// least two, and a third of those that were written to within a day.
fn is_mass_refusal(tx: &Transaction<'_>) -> Result<bool, ClubError> {
    let (doubted, written_to) = count_doubtful_members(tx)?;
    Ok(doubted >= MASS_REFUSAL_MIN && doubted * MASS_REFUSAL_SHARE >= written_to)
}
