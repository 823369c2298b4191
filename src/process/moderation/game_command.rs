//! What the moderator orders for a game, by letter or on the command line, and what he is answered.
//!
//! May not know how anything of it is done.

use crate::club::clock::{ClockRule, span_words};
use crate::club::{Actor, GameRoom, Intervention, Member, Seated};
use crate::mail::LetterHash;
use crate::process::blame::Blame;
use crate::process::commit;
use crate::process::context::{ClubResult, Context};
use crate::process::lobby::{substitute, vacant_seats};
use crate::process::moderation::moderator;
use crate::process::moderation::overview::{Summary, running};
use crate::process::outbound::pending;
use crate::process::table::game_changes;
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{Movers, Transaction};
use crate::render::{Notice, Section};
use crate::rules::{Message, Refusal, Seat};
use crate::store::Repository;
use std::collections::BTreeMap;

/// Does something to a game by the moderator's hand, and says what was done.
///
/// # Errors
/// When the club cannot be read or written; the refusal when it cannot be done.
pub fn moderate(
    context: &Context,
    game: u32,
    what: &Intervention,
    reason: &str,
) -> Result<Section, Blame<Refusal>> {
    commit::transact(context, |tx| order(tx, game, what, reason))
}

/// What that would do.
///
/// # Errors
/// When the club cannot be read; the refusal when it cannot be done.
pub fn rehearse(
    context: &Context,
    game: u32,
    what: &Intervention,
    reason: &str,
) -> Result<Section, Blame<Refusal>> {
    order(&mut Transaction::begin(context), game, what, reason)
}

/// Does it, whether at the table or to who sits there.
fn done_by_hand(
    tx: &mut Transaction<'_>,
    game: u32,
    what: &Intervention,
    reason: &str,
) -> Result<(), Blame<Refusal>> {
    let by = Actor::Moderator;
    match what {
        Intervention::Replace { seat, by: substitute } => {
            let member = substitute::substitute(tx, substitute)?;
            substitute::replace(tx, game, *seat, &member, by, reason)
        }
        Intervention::Vacate(seat) => substitute::remove(tx, game, *seat, by, reason),
        _ => game_changes::intervene(tx, game, what, by, &reason.into()),
    }
}

/// Does in a transaction what the moderator orders, and says what was done.
pub(crate) fn order(
    tx: &mut Transaction<'_>,
    game: u32,
    what: &Intervention,
    reason: &str,
) -> Result<Section, Blame<Refusal>> {
    let context = tx.context;
    let before = moderator::lay_out(tx, game)?;
    let in_names = |refusal| in_names(context, &before, refusal);
    done_by_hand(tx, game, what, reason).map_err(|blame| blame.map(in_names))?;
    if let Intervention::Replace { seat, .. } = what
        && let Some(offer) = tx.room(game)?.offers.iter().find(|offer| offer.seat == *seat)
        && let Some(member) = tx.member(offer.member)?
    {
        return Ok(Section::of(vacant_seats::asked_words(&member, game)));
    }
    let after = tx.session(game)?;
    let head = done_words(what, &before, after).with("game", game).with("reason", reason);
    let state = match what {
        Intervention::Rotate(_)
        | Intervention::Replace { .. }
        | Intervention::Vacate(_)
        | Intervention::Announce => None,
        _ => Some(state(context, after)),
    };
    Ok(Section { head, lines: state.into_iter().collect() })
}

/// Tells something to everybody who plays: one letter each, in however many games.
pub(crate) fn announce_to_all(tx: &mut Transaction<'_>, text: &str) -> ClubResult<Section> {
    let mut members = BTreeMap::new();
    for game in tx.games()? {
        let Some(session) = running(tx, game)? else { continue };
        members.extend(reached(&session).map(|member| (member.id, member.clone())));
    }
    let notice = Notice::Said(vec![Message::new("seat-announced").with("text", text)]);
    let digest = LetterHash::of(format!("{} {text}", tx.context.now).as_bytes());
    for member in members.values() {
        let address = member.addresses.first().map(String::as_str).unwrap_or_default();
        let letter = pending::notice(tx.context, member, &notice, None, &digest.and(address), None);
        tx.write().outgoing.extend(letter.ok());
    }
    let head = Message::new("moderator-announced-to-all").with("count", members.len());
    Ok(Section::of(head.with("text", text)))
}

/// A refusal with the names of those whom it speaks of.
fn in_names(context: &Context, session: &GameSession, refusal: Refusal) -> Refusal {
    let language = context.library.language(&context.settings.language);
    let why = language.say_of(&refusal.reason, &session.names);
    Refusal { reason: Message::new("moderator-why").with("why", why), ..refusal }
}

/// How a game stands in a transaction, when all that is planned has been carried out.
fn state(context: &Context, session: &GameSession) -> Message {
    let mut session = session.clone();
    session.carry_on(context.now);
    session.keep_time(context.now, &Movers::default());
    let waits = Summary::of_session(&session, GameRoom::default(), context.now);
    Message::new("moderator-state").with("waits", waits.words(&context.settings.moderator.time()))
}

fn is_left(session: &GameSession, seat: Seat) -> bool {
    session.seat(seat).is_some_and(|(seated, _)| seated.left)
}

/// The players whom letters reach.
fn reached(session: &GameSession) -> impl Iterator<Item = &Member> {
    let reached =
        |(seated, member): &&(Seated, Member)| !seated.left && member.undeliverable().is_none();
    session.seats.iter().filter(reached).map(|(_, member)| member)
}

/// What was done, without its game and reason.
fn done_words(what: &Intervention, before: &GameSession, after: &GameSession) -> Message {
    match what {
        Intervention::Pause => Message::new("moderator-paused"),
        Intervention::Resume => Message::new("moderator-resumed"),
        Intervention::Extend(by) => {
            Message::new("moderator-extended").with("span", span_words(by.time()))
        }
        Intervention::Rewind(to) => Message::new("moderator-rewound").with("to", *to),
        Intervention::End => Message::new("moderator-ended"),
        Intervention::Force(seat) => {
            Message::new("moderator-forced").with("who", after.name(*seat))
        }
        Intervention::Set(rules) => {
            let all = after.clock.as_ref().map(|clock| ClockRule::all_of(&clock.rules));
            let rules = ClockRule::all_words(all.as_deref().unwrap_or(rules));
            Message::new("moderator-set").with("rules", rules)
        }
        Intervention::Rotate(seat) => {
            Message::new("moderator-rotated").with("who", after.name(*seat))
        }
        Intervention::Vacate(seat) if is_left(after, *seat) => {
            Message::new("moderator-removed").with("before", before.name(*seat))
        }
        Intervention::Vacate(seat) | Intervention::Replace { seat, .. } => {
            Message::new("moderator-replaced")
                .with("who", after.name(*seat))
                .with("before", before.name(*seat))
        }
        Intervention::Announce => {
            let reached = reached(after).map(|member| member.name.clone());
            Message::new("moderator-announced").with("who", reached.collect::<Vec<_>>())
        }
    }
}
