//! Rematches: proposes a finished game again with its former players.

use crate::club::{GameInfo, Member, PlayerWishes, Proposal, ProposalPlayer, SIDES_OPTION};
use crate::mail::LetterHash;
use crate::process::lobby::bot_members;
use crate::process::lobby::proposals::{self, Messages, PROPOSAL_LIFETIME};
use crate::process::request_error::{RequestError, refuse_if};
use crate::process::transaction::Transaction;
use crate::rules::{BotLevel, GameRegistry, Message, Seat, Turn};
use crate::store::Repository;
use crate::table::Founding;
use serde_json::Value;
use std::collections::BTreeMap;

/// Proposes a rematch of the finished game whose letter the member answers, and invites all who
/// played it.
pub(crate) fn propose_rematch(
    tx: &mut Transaction<'_>,
    digest: &LetterHash,
    member: &Member,
    seat: Option<(u32, Seat)>,
) -> Result<Messages, RequestError> {
    let session = seat.and_then(|(game, _)| tx.opened_game(game).cloned());
    let session = session.ok_or(Message::new("rematch-where"))?;
    let game = session.game_number();
    refuse_if(session.table.turn() != Turn::Over, || Message::new("rematch-running"))?;
    let mut room = tx.game_info(game)?;
    if let Some(next) = room.rematch
        && tx.game_info(next)?.proposal.is_some()
    {
        return Err(RequestError::Refused(Message::new("rematch-already").with("number", next)));
    }
    let founding = session.table.founding();
    let mut options =
        nondefault_options(tx.context.games(), founding).ok_or(Message::new("rematch-own"))?;
    // The seats are drawn again, so the wishes of the old seats say nothing.
    options.remove(SIDES_OPTION);
    let mut proposal = Proposal {
        kind: founding.game.clone(),
        name: room.name.clone(),
        options,
        seats: founding.seats,
        clock: session.clock.as_ref().map(|clock| clock.rules.clone()),
        punctuality_min: None,
        players: vec![ProposalPlayer { member: member.id, wishes: PlayerWishes::default() }],
        until: tx.context.now + PROPOSAL_LIFETIME,
    };
    let bots: Vec<BotLevel> = session.seats.iter().filter_map(|(_, own)| own.bot).collect();
    bot_members::add_bots(tx, &mut proposal, &bots)?;
    let others = session.seats.iter().filter(|(_, other)| other.id != member.id);
    let invited = others.filter_map(|(_, other)| other.addresses.first().cloned()).collect();
    refuse_if(room.practice, || Message::new("practice-rematch"))?;
    let private = room.private;
    let next = tx.next_game_number()?;
    let (press, undo) = (Some(room.press_terms()), room.undo);
    let around =
        GameInfo { private, invited_addresses: invited, press, undo, ..GameInfo::default() };
    let words =
        proposals::store_proposal_or_begin(tx, digest, (member, Some(game)), &proposal, around)?;
    room.rematch = Some(next);
    tx.replace_game_info(game, room);
    Ok(words)
}

/// Returns the options of a game that differ from the defaults, as words. Returns `None` if the
/// game was founded with a definition other than the shipped one.
fn nondefault_options(
    games: GameRegistry,
    founding: &Founding,
) -> Option<BTreeMap<String, String>> {
    let kind = games.find_kind(&founding.game)?;
    let (_, usual) = kind
        .validate_and_convert_to_json(kind.shipped_definition(), &BTreeMap::new(), founding.seats)
        .ok()?;
    let usual: BTreeMap<String, Value> = serde_json::from_str(usual.get()).ok()?;
    let mut options: BTreeMap<String, Value> = serde_json::from_str(founding.options.get()).ok()?;
    options.retain(|name, value| usual.get(name) != Some(value));
    let options: BTreeMap<String, String> = options
        .into_iter()
        .filter_map(|(name, value)| match value {
            Value::Null => None,
            Value::String(text) => Some((name, text)),
            other => Some((name, other.to_string())),
        })
        .collect();
    let (definition, _) = kind
        .validate_and_convert_to_json(kind.shipped_definition(), &options, founding.seats)
        .ok()?;
    (definition.get() == founding.definition.get()).then_some(options)
}
