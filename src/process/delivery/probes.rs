//! Probes, and everything else that follows from evidence that letters do not reach a member.
//!
//! The state machine is [`Reachability`](crate::club::Reachability); this module does what its
//! consequences ask for: it queues probes, tells the moderator, and writes the missed news.

use super::{to_mailbox, within_a_day};
use crate::club::{COMES_BACK_WITHIN, Consequence, Event, Member, Status};
use crate::mail::rate_limit::{DAY, mailbox};
use crate::mail::{Failed, LetterHash};
use crate::process::commit::{missed, transact};
use crate::process::context::{ClubError, Context};
use crate::process::outbound::pending::{self, Says};
use crate::process::session::clock;
use crate::process::transaction::Transaction;
use crate::rules::Message;
use crate::store::{Label, Outgoing, Reader, Repository};
use chrono::{DateTime, TimeDelta, Utc};

/// The least time between two looks at all members whom letters may not reach.
const LOOK_PAUSE: TimeDelta = TimeDelta::hours(6);
/// The number of members that one commit looks at.
const MEMBERS_A_COMMIT: usize = 50;
/// The least number of members of whose mailboxes there is evidence in a mass refusal.
const MASS_MIN: usize = 2;
/// A mass refusal is about one of so many mailboxes that were written to on that day, or more.
const MASS_SHARE: usize = 3;

/// The accounts that count the notes to the moderator. No address is like them.
const REFUSED_TOLD: &str = "refused for good, told";
pub(super) const MASS_TOLD: &str = "mass refusal, told";

/// Takes in what a report or a server says of a member's first address. Returns what the moderator
/// should know.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn observe(
    tx: &mut Transaction<'_>,
    before: &Member,
    event: Event,
    failed: &Failed,
) -> Result<Option<Message>, ClubError> {
    let now = tx.context.now;
    let mut member = before.clone();
    let mut consequence = member.reach.on(event, now, false);
    let mass_refusal = consequence == Some(Consequence::Lost) && is_mass_refusal(tx)?;
    if mass_refusal {
        member = before.clone();
        consequence = member.reach.on(event, now, true);
    }
    tx.change(member.clone());
    Ok(match consequence {
        Some(Consequence::Lost) => Some(clock::lost_word(tx, &member, failed)?),
        Some(Consequence::Probe) => {
            queue(tx, &member);
            None
        }
        Some(Consequence::Back) | None if mass_refusal => told_of_refusal(tx, failed)?,
        Some(Consequence::Back) | None => None,
    })
}

/// Whether a server's refusal would make a member undeliverable now.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn decides(
    tx: &Transaction<'_>,
    member: &Member,
    event: Event,
) -> Result<bool, ClubError> {
    let is_lost = |mass_refusal| {
        let mut reach = member.reach;
        reach.on(event, tx.context.now, mass_refusal) == Some(Consequence::Lost)
    };
    Ok(is_lost(true) || is_lost(false) && !is_mass_refusal(tx)?)
}

/// Returns what the moderator hears of a refusal that decides nothing yet; at most once a day, and
/// once more if it is a mass refusal.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn told_of_refusal(
    tx: &mut Transaction<'_>,
    failed: &Failed,
) -> Result<Option<Message>, ClubError> {
    let (key, counted) = match is_mass_refusal(tx)? {
        true => ("report-mass-refusal", MASS_TOLD),
        false if within_a_day(tx, MASS_TOLD)? > 0 => return Ok(None),
        false => ("report-refused", REFUSED_TOLD),
    };
    if within_a_day(tx, counted)? > 0 {
        return Ok(None);
    }
    tx.count(counted.to_owned());
    let (count, _) = count_doubted(tx)?;
    let status = if failed.status.is_empty() { "-" } else { &failed.status };
    let word = Message::new(key).with("count", count);
    Ok(Some(word.with("address", failed.address.as_str()).with("status", status)))
}

/// Looks at every member whom letters may not reach: sends the probes that are due, and writes the
/// missed news to members whose probe did not come back. Does so four times a day at most.
///
/// # Errors
/// When the club cannot be read or written.
pub(crate) fn look_at_members(context: &Context) -> Result<(), ClubError> {
    const LOOKED: &str = "looked at members";
    let tx = Transaction::begin(context);
    if tx.count_since(LOOKED, (context.now - LOOK_PAUSE).timestamp())? > 0 {
        return Ok(());
    }
    let doubtful = |member: &Member| member.reach.status != Status::Reached && !member.has_left();
    let doubtful: Vec<u32> =
        tx.members()?.iter().filter(|member| doubtful(member)).map(|member| member.id).collect();
    drop(tx);
    for ids in doubtful.chunks(MEMBERS_A_COMMIT) {
        transact(context, |tx| ids.iter().try_for_each(|id| look_at(tx, *id)))?;
    }
    transact(context, |tx| {
        tx.count(LOOKED.to_owned());
        Ok::<_, ClubError>(())
    })
}

fn look_at(tx: &mut Transaction<'_>, id: u32) -> Result<(), ClubError> {
    let Some(mut member) = tx.member(id)? else { return Ok(()) };
    let (before, now) = (member.reach, tx.context.now);
    let posted = match before.probe.filter(|probe| !probe.returned) {
        Some(probe) => {
            let id = probe_id(tx.context, id, probe.sent);
            tx.posted(&id, now - COMES_BACK_WITHIN * 2, now)?.map(|posted| posted.at)
        }
        None => None,
    };
    let consequence = member.reach.on(Event::Look { posted }, now, false);
    if member.reach == before {
        return Ok(());
    }
    tx.change(member.clone());
    match consequence {
        Some(Consequence::Probe) => queue(tx, &member),
        Some(Consequence::Back) => {
            let digest = LetterHash::of(format!("back {now} {id}").as_bytes());
            missed::to_be_written_to(tx, id, &digest)?;
            let address = member.addresses.first().cloned().unwrap_or_default();
            let word = Message::new("report-reached").with("name", member.name);
            tx.tell_moderator(word.with("address", address));
        }
        Some(Consequence::Lost) | None => {}
    }
    Ok(())
}

/// Queues a probe. It goes to the member and no seat, so that it waits for no other letter.
fn queue(tx: &mut Transaction<'_>, member: &Member) {
    let id = probe_id(tx.context, member.id, tx.context.now);
    let letter = pending::plain(tx.context, member, Says::Probe, None, id, None);
    let reader = Reader::Probe(member.id);
    let class = reader.class();
    let label = letter.label.map(|label| Label { reader, class, ..label });
    tx.write().outgoing.push(Outgoing { label, ..letter });
}

/// The Message-ID of the probe that was queued for a member at a time.
fn probe_id(context: &Context, member: u32, sent: DateTime<Utc>) -> String {
    pending::message_id(context, &format!("p.{member}.{}", sent.timestamp()))
}

/// The members of whose mailboxes there is evidence now, or who became undeliverable within a day;
/// and the members who were written to within a day, with these.
fn count_doubted(tx: &Transaction<'_>) -> Result<(usize, usize), ClubError> {
    let members = tx.members()?;
    let account = |member: &Member| Some(to_mailbox(&mailbox(member.addresses.first()?)));
    let (members, accounts): (Vec<_>, Vec<_>) =
        members.iter().filter_map(|member| Some((member, account(member)?))).unzip();
    let posted = tx.counts_since(&accounts, tx.context.now.timestamp() - DAY)?;
    let (mut doubted, mut written_to) = (0, 0);
    for (member, posted) in members.into_iter().zip(posted) {
        let is_doubted = match member.reach.status {
            Status::Reached => false,
            Status::Suspected { .. } => true,
            Status::Undeliverable { since, .. } => tx.context.now - since < TimeDelta::days(1),
        };
        doubted += usize::from(is_doubted);
        written_to += usize::from(is_doubted || posted > 0);
    }
    Ok((doubted, written_to))
}

/// Whether there is evidence of so many mailboxes that it tells more about the club's own server
/// than about them: of a third of those that were written to, and of two at least.
fn is_mass_refusal(tx: &Transaction<'_>) -> Result<bool, ClubError> {
    let (doubted, written_to) = count_doubted(tx)?;
    Ok(doubted >= MASS_MIN && doubted * MASS_SHARE >= written_to)
}
