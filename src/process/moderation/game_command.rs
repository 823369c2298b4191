//! The moderator's commands for a game, by letter or on the command line, and the answers to them.
//!
//! May not know how the commands are carried out.

use crate::club::clock::{ClockRule, describe_duration};
use crate::club::{Actor, GameInfo, Intervention, Member, SeatAssignment};
use crate::mail::LetterHash;
use crate::process::commit;
use crate::process::context::{ClubResult, Context};
use crate::process::lobby::{substitute, vacant_seats};
use crate::process::moderation::moderator_lines;
use crate::process::moderation::overview::{GameSummary, find_running_game};
use crate::process::outbound::pending;
use crate::process::request_error::RequestError;
use crate::process::table::game_changes;
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{PendingUpdates, Transaction};
use crate::render::{Notice, Section};
use crate::rules::{Message, Refusal, Seat};
use crate::store::Repository;
use std::collections::BTreeMap;

/// Carries out an intervention of the moderator and returns what was done.
///
/// # Errors
/// If the club cannot be read or written; a refusal if the intervention is not possible.
pub fn moderate_game(
    context: &Context,
    game: u32,
    what: &Intervention,
    reason: &str,
) -> Result<Section, RequestError<Refusal>> {
    commit::transact_and_notify(context, |tx| {
        carry_out_and_describe_intervention(tx, game, what, reason)
    })
}

/// Returns what an intervention would do, and changes nothing.
///
/// # Errors
/// If the club cannot be read; a refusal if the intervention is not possible.
pub fn preview_moderation(
    context: &Context,
    game: u32,
    what: &Intervention,
    reason: &str,
) -> Result<Section, RequestError<Refusal>> {
    carry_out_and_describe_intervention(&mut Transaction::begin(context), game, what, reason)
}

/// Applies an intervention to the game or to its players.
fn apply_intervention(
    tx: &mut Transaction<'_>,
    game: u32,
    what: &Intervention,
    reason: &str,
) -> Result<(), RequestError<Refusal>> {
    let by = Actor::Moderator;
    match what {
        Intervention::Replace { seat, by: substitute } => {
            let member = substitute::find_or_enrol_substitute(tx, game, substitute)?;
            substitute::give_or_offer_seat(tx, game, *seat, &member, by, reason)
        }
        Intervention::Vacate(seat) => {
            substitute::remove_player_and_notify(tx, game, *seat, by, reason)
        }
        _ => game_changes::carry_out_and_announce_intervention(tx, game, what, by, &reason.into()),
    }
}

/// Applies an intervention in a transaction. Returns what was done and the game's new state.
pub(crate) fn carry_out_and_describe_intervention(
    tx: &mut Transaction<'_>,
    game: u32,
    what: &Intervention,
    reason: &str,
) -> Result<Section, RequestError<Refusal>> {
    let context = tx.context;
    let before = moderator_lines::open_game_or_refuse(tx, game)?;
    let in_names = |refusal| name_players_in_refusal(context, &before, refusal);
    apply_intervention(tx, game, what, reason).map_err(|blame| blame.map_refusal(in_names))?;
    if let Intervention::Replace { seat, .. } = what
        && let Some(offer) =
            tx.game_info(game)?.seat_offers.iter().find(|offer| offer.seat == *seat)
        && let Some(member) = tx.member(offer.member)?
    {
        return Ok(Section::new(vacant_seats::describe_offer(&member, game)));
    }
    let after = tx.open_game(game)?;
    let head = intervention_result(what, &before, after).with("game", game).with("reason", reason);
    let state = match what {
        Intervention::Rotate(_)
        | Intervention::Replace { .. }
        | Intervention::Vacate(_)
        | Intervention::Announce => None,
        _ => Some(awaited_players_message(context, after)),
    };
    Ok(Section { head, lines: state.into_iter().collect() })
}

/// Queues a letter with this text to every player of a running game. Each gets only one, even if
/// they play several games.
pub(crate) fn announce_to_all(tx: &mut Transaction<'_>, text: &str) -> ClubResult<Section> {
    let mut members = BTreeMap::new();
    for game in tx.game_numbers()? {
        let Some(session) = find_running_game(tx, game)? else { continue };
        members.extend(reachable_players(&session).map(|member| (member.id, member.clone())));
    }
    let notice = Notice::Said(vec![Message::new("seat-announced").with("text", text)]);
    let digest = LetterHash::compute(format!("{} {text}", tx.context.now).as_bytes());
    for member in members.values() {
        let address = member.addresses.first().map(String::as_str).unwrap_or_default();
        let letter = pending::make_notice_letter(
            tx.context,
            member,
            &notice,
            None,
            &digest.derive_for_caused_letter(address),
            None,
        );
        tx.batch_mut().outgoing.extend(letter.ok());
    }
    let head = Message::new("moderator-announced-to-all").with("count", members.len());
    Ok(Section::new(head.with("text", text)))
}

/// Returns a refusal with player names in place of seats, in the club's language.
fn name_players_in_refusal(context: &Context, session: &GameSession, refusal: Refusal) -> Refusal {
    let language = context.library.language(&context.settings.language);
    let why = language.localize_for_observer(&refusal.reason, &session.names);
    Refusal { reason: Message::new("moderator-why").with("why", why), ..refusal }
}

/// Returns which players the game waits for, after the players' plans were carried out.
fn awaited_players_message(context: &Context, session: &GameSession) -> Message {
    let mut session = session.clone();
    session.play_due_plans_and_moves(context.now);
    session.advance_clock_by_new_records(context.now, &PendingUpdates::default());
    let summary = GameSummary::from_session(&session, GameInfo::default(), context.now);
    Message::new("moderator-state").with(
        "waits",
        summary.awaited_or_result_message(&context.settings.moderators.first.own_time()),
    )
}

fn has_player_left(session: &GameSession, seat: Seat) -> bool {
    session.seat(seat).is_some_and(|(seated, _)| seated.has_left)
}

/// Returns the players who have not left and are not undeliverable.
fn reachable_players(session: &GameSession) -> impl Iterator<Item = &Member> {
    let reached = |(seated, member): &&(SeatAssignment, Member)| {
        !seated.has_left && member.undeliverable_since().is_none()
    };
    session.seats.iter().filter(reached).map(|(_, member)| member)
}

/// Returns a message about what was done, without the game and the reason.
fn intervention_result(what: &Intervention, before: &GameSession, after: &GameSession) -> Message {
    match what {
        Intervention::Pause => Message::new("moderator-paused"),
        Intervention::Resume => Message::new("moderator-resumed"),
        Intervention::Extend(by) => {
            Message::new("moderator-extended").with("span", describe_duration(by.to_time_delta()))
        }
        Intervention::Rewind(to) => Message::new("moderator-rewound").with("to", *to),
        Intervention::End => Message::new("moderator-ended"),
        Intervention::Force(seat) => {
            Message::new("moderator-forced").with("who", after.player_name(*seat))
        }
        Intervention::Set(rules) => {
            let all = after.clock.as_ref().map(|clock| ClockRule::split_clock_rules(&clock.rules));
            let rules = ClockRule::describe_all(all.as_deref().unwrap_or(rules));
            Message::new("moderator-set").with("rules", rules)
        }
        Intervention::Rotate(seat) => {
            Message::new("moderator-rotated").with("who", after.player_name(*seat))
        }
        Intervention::Vacate(seat) if has_player_left(after, *seat) => {
            Message::new("moderator-removed").with("before", before.player_name(*seat))
        }
        Intervention::Vacate(seat) | Intervention::Replace { seat, .. } => {
            Message::new("moderator-replaced")
                .with("who", after.player_name(*seat))
                .with("before", before.player_name(*seat))
        }
        Intervention::Announce => {
            let reached = reachable_players(after).map(|member| member.name.clone());
            Message::new("moderator-announced").with("who", reached.collect::<Vec<_>>())
        }
    }
}
