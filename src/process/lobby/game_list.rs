//! What the club's table of games shows: what is being formed, and what can be watched.

use crate::club::clock::{ClockRules, Nmr};
use crate::club::{GameName, GameRoom, Member, Proposal, Punctuality};
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::lobby::forming;
use crate::process::transaction::{Transaction, open_game};
use crate::rules::{Arg, Message, Turn};
use crate::store::Repository;

/// Of how many games a seat is offered to be taken by a tap.
pub(crate) const JOINS_OFFERED: usize = 4;
/// How many running games are shown at most.
const RUNNING_MAX: usize = 20;
/// How many of the newest games are looked at for that.
const LOOKED_AT: usize = 60;

/// What a member is told who asks for the club's games.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn game_list(tx: &Transaction<'_>, reader: &Member) -> ClubResult<Vec<Message>> {
    let mut words = Vec::new();
    for (game, room) in forming::proposals(tx)? {
        if let Some(proposal) = room.proposal.as_ref().filter(|_| room.is_known_to(reader)) {
            words.push(entry(tx, reader, game, &room, proposal)?);
        }
    }
    let head = if words.is_empty() { "games-none-formed" } else { "games-formed" };
    words.insert(0, Message::new(head));
    let running = games_running(tx, reader)?;
    words.extend((!running.is_empty()).then(|| Message::new("games-running")));
    words.extend(running);
    words.push(Message::new("games-how"));
    Ok(words)
}

/// The lines that are worth a tap for who reads that.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn lines(tx: &Transaction<'_>, reader: &Member) -> ClubResult<Vec<Arg>> {
    let mut open = forming::proposals(tx)?;
    open.retain(|(_, room)| {
        let is_in = |own: &Proposal| own.players.iter().any(|one| one.member == reader.id);
        let is_open = room.proposal.as_ref().is_some_and(|own| own.free() > 0 && !is_in(own));
        is_open && room.is_known_to(reader)
    });
    let join = open.iter().take(JOINS_OFFERED).map(|(game, _)| join_line(*game));
    Ok(join.chain([Arg::Term("line-help")]).collect())
}

/// The line that joins a game.
pub(crate) fn join_line(game: u32) -> Arg {
    Arg::Message(Message::new("line-join").with("number", game))
}

/// One proposal, with all that somebody weighs who would join.
fn entry(
    tx: &Transaction<'_>,
    reader: &Member,
    game: u32,
    room: &GameRoom,
    proposal: &Proposal,
) -> ClubResult<Message> {
    let mut players: Vec<Arg> = Vec::new();
    for joined in &proposal.players {
        let Some(member) = tx.member(joined.member)? else { continue };
        let player = Message::new("games-player")
            .with("name", member.name.as_str())
            .with("how", punctuality_words(forming::punctuality(tx, &member)?));
        players.push(player.into());
    }
    let private = room.private.then(|| Arg::from(Message::new("games-private")));
    let punctual = proposal
        .punctual
        .map(|least| Arg::from(Message::new("games-punctual").with("least", least)));
    let more: Vec<Arg> = std::iter::once(Arg::from(said_of(tx.context, proposal, game, reader)))
        .chain(punctual)
        .chain(private)
        .collect();
    Ok(Message::new("games-entry")
        .with("number", game)
        .with("said", Arg::List(more))
        .with("players", Arg::List(players)))
}

/// A proposal in a sentence: game, seats, options, time.
pub(crate) fn said_of(
    context: &Context,
    proposal: &Proposal,
    game: u32,
    reader: &Member,
) -> Message {
    let kind = context.library.language(&reader.language).game(&proposal.kind);
    let options: Vec<Arg> =
        proposal.options.iter().map(|(name, value)| Arg::from(format!("{name}={value}"))).collect();
    let key = if options.is_empty() { "games-said" } else { "games-said-options" };
    Message::new(key)
        .with("number", numbered(game, proposal.name.as_ref()))
        .with("game", kind)
        .with("seats", proposal.seats)
        .with("free", proposal.free())
        .with("options", Arg::List(options))
        .with("time", time_words(proposal.clock.as_ref()))
}

/// A game's number, with its name if it has one.
pub(crate) fn numbered(game: u32, name: Option<&GameName>) -> Arg {
    match name {
        None => game.into(),
        Some(name) => {
            Message::new("games-named").with("number", game).with("name", name.as_str()).into()
        }
    }
}

/// The newest games that are being played and that this member may watch.
fn games_running(tx: &Transaction<'_>, reader: &Member) -> ClubResult<Vec<Message>> {
    let mut words = Vec::new();
    for game in tx.games()?.into_iter().rev().take(LOOKED_AT) {
        if words.len() >= RUNNING_MAX {
            break;
        }
        let room = tx.room(game)?;
        if !room.is_known_to(reader) {
            continue;
        }
        let session = match open_game(tx.context, game) {
            Ok(session) => session,
            Err(ClubError::Store(error)) => return Err(error.into()),
            Err(_) => continue,
        };
        if session.table.turn() == Turn::Over {
            continue;
        }
        let kind =
            tx.context.library.language(&reader.language).game(&session.table.founding().game);
        let names: Vec<Arg> = session.names.iter().map(|name| Arg::from(name.as_str())).collect();
        let is_open = !session.open_seats().is_empty();
        let line = if is_open { "games-plays-open" } else { "games-plays" };
        let pace = session.pace(tx.context.now, &reader.time);
        words.push(
            Message::new(line)
                .with("number", numbered(game, room.name.as_ref()))
                .with("game", kind)
                .with("players", Arg::List(names))
                .with("pace", pace.unwrap_or(Message::new("pace-new"))),
        );
    }
    Ok(words)
}

/// How a game's time is kept.
fn time_words(rules: Option<&ClockRules>) -> Message {
    let Some(rules) = rules else { return Message::new("games-no-deadline") };
    let key = match rules.nmr {
        Nmr::Wait => "games-deadline",
        Nmr::Forfeit => "games-deadline-forfeit",
        Nmr::StandIn => "games-deadline-stand-in",
    };
    Message::new(key).with("deadline", rules.deadline.words())
}

/// How punctual somebody is.
pub(crate) fn punctuality_words(punctuality: Punctuality) -> Message {
    let key = match (punctuality.percent(), punctuality.left) {
        (None, 0) => "punctuality-new",
        (None, _) => "punctuality-left-new",
        (_, 0) => "punctuality",
        _ => "punctuality-left",
    };
    Message::new(key)
        .with("percent", punctuality.percent().unwrap_or(0))
        .with("left", punctuality.left)
}
