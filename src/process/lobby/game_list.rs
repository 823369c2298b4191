//! The list of games that members can ask for: forming games to join, and running games to observe.

use crate::club::clock::{ClockRules, NmrRule};
use crate::club::{GameInfo, GameName, Member, Proposal, Punctuality};
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::lobby::proposals;
use crate::process::transaction::{Transaction, load_stored_game};
use crate::rules::{Arg, Message, Turn};
use crate::store::Repository;

/// The most games for which a letter shows a button to join.
pub(crate) const JOIN_BUTTONS_MAX: usize = 4;
/// The most running games that the list shows.
const RUNNING_SHOWN_MAX: usize = 20;
/// The number of the newest games that are searched for running ones.
const GAMES_SCANNED_MAX: usize = 60;

/// Returns the club's list of games for a member: forming games to join, and running games to
/// observe.
pub(crate) fn list_games(tx: &Transaction<'_>, reader: &Member) -> ClubResult<Vec<Message>> {
    let mut words = Vec::new();
    for (game, room) in proposals::list_proposals(tx)? {
        if let Some(proposal) = room.proposal.as_ref().filter(|_| room.is_visible_to(reader)) {
            words.push(describe_forming_game(tx, reader, game, &room, proposal)?);
        }
    }
    let head = if words.is_empty() { "games-none-formed" } else { "games-formed" };
    words.insert(0, Message::new(head));
    let running = list_running_games(tx, reader)?;
    words.extend((!running.is_empty()).then(|| Message::new("games-running")));
    words.extend(running);
    words.push(Message::new("games-how"));
    Ok(words)
}

/// Returns the lines for which the list shows buttons: joining an open game, and help.
pub(crate) fn member_button_lines(tx: &Transaction<'_>, reader: &Member) -> ClubResult<Vec<Arg>> {
    let mut open = proposals::list_proposals(tx)?;
    open.retain(|(_, room)| {
        let is_in = |own: &Proposal| own.players.iter().any(|one| one.member == reader.id);
        let is_open =
            room.proposal.as_ref().is_some_and(|own| own.free_seat_count() > 0 && !is_in(own));
        is_open && room.is_visible_to(reader)
    });
    let join = open.iter().take(JOIN_BUTTONS_MAX).map(|(game, _)| join_game_line(*game));
    Ok(join.chain([Arg::Term("line-help")]).collect())
}

pub(crate) fn join_game_line(game: u32) -> Arg {
    Arg::Message(Message::new("line-join").with("number", game))
}

/// Returns the list entry of a forming game: its terms, and its players with their punctuality.
fn describe_forming_game(
    tx: &Transaction<'_>,
    reader: &Member,
    game: u32,
    room: &GameInfo,
    proposal: &Proposal,
) -> ClubResult<Message> {
    let mut players: Vec<Arg> = Vec::new();
    for joined in &proposal.players {
        let Some(member) = tx.member(joined.member)? else { continue };
        if member.bot.is_some() {
            players.push(member.name.as_str().into());
            continue;
        }
        let player = Message::new("games-player")
            .with("name", member.name.as_str())
            .with("how", describe_punctuality(proposals::total_punctuality(tx, &member)?));
        players.push(player.into());
    }
    let private = room.private.then(|| Arg::from(Message::new("games-private")));
    let punctual = proposal
        .punctuality_min
        .map(|least| Arg::from(Message::new("games-punctual").with("least", least)));
    let more: Vec<Arg> =
        std::iter::once(Arg::from(describe_proposal(tx.context, proposal, game, reader)))
            .chain(punctual)
            .chain(private)
            .collect();
    Ok(Message::new("games-entry")
        .with("number", game)
        .with("said", Arg::List(more))
        .with("players", Arg::List(players)))
}

/// Describes a proposed game in one sentence: number, name, game, seats, free seats, options and
/// deadlines.
pub(crate) fn describe_proposal(
    context: &Context,
    proposal: &Proposal,
    game: u32,
    reader: &Member,
) -> Message {
    let kind = context.library.language(&reader.language).game_name(&proposal.kind);
    let options: Vec<Arg> =
        proposal.options.iter().map(|(name, value)| Arg::from(format!("{name}={value}"))).collect();
    let key = if options.is_empty() { "games-said" } else { "games-said-options" };
    Message::new(key)
        .with("number", game_number_and_name(game, proposal.name.as_ref()))
        .with("game", kind)
        .with("seats", proposal.seats)
        .with("free", proposal.free_seat_count())
        .with("options", Arg::List(options))
        .with("time", describe_clock(proposal.clock.as_ref()))
}

pub(crate) fn game_number_and_name(game: u32, name: Option<&GameName>) -> Arg {
    match name {
        None => game.into(),
        Some(name) => {
            Message::new("games-named").with("number", game).with("name", name.as_str()).into()
        }
    }
}

/// Returns the newest running games that this member may observe, at most [`RUNNING_SHOWN_MAX`].
fn list_running_games(tx: &Transaction<'_>, reader: &Member) -> ClubResult<Vec<Message>> {
    let mut words = Vec::new();
    for game in tx.game_numbers()?.into_iter().rev().take(GAMES_SCANNED_MAX) {
        if words.len() >= RUNNING_SHOWN_MAX {
            break;
        }
        let room = tx.game_info(game)?;
        if !room.is_visible_to(reader) || room.practice {
            continue;
        }
        let session = match load_stored_game(tx.context, game) {
            Ok(session) => session,
            Err(ClubError::Store(error)) => return Err(error.into()),
            Err(_) => continue,
        };
        if session.table.turn() == Turn::Over {
            continue;
        }
        let kind =
            tx.context.library.language(&reader.language).game_name(&session.table.founding().game);
        let names: Vec<Arg> = session.names.iter().map(|name| Arg::from(name.as_str())).collect();
        let is_open = !session.open_seats().is_empty();
        let line = if is_open { "games-plays-open" } else { "games-plays" };
        let pace = session.describe_pace(tx.context.now, &reader.time);
        words.push(
            Message::new(line)
                .with("number", game_number_and_name(game, room.name.as_ref()))
                .with("game", kind)
                .with("players", Arg::List(names))
                .with("pace", pace.unwrap_or(Message::new("pace-new"))),
        );
    }
    Ok(words)
}

fn describe_clock(rules: Option<&ClockRules>) -> Message {
    let Some(rules) = rules else { return Message::new("games-no-deadline") };
    let key = match rules.nmr {
        NmrRule::Wait => "games-deadline",
        NmrRule::Forfeit => "games-deadline-forfeit",
        NmrRule::StandIn => "games-deadline-stand-in",
        NmrRule::Bot => "games-deadline-bot",
    };
    Message::new(key).with("deadline", rules.deadline.describe())
}

pub(crate) fn describe_punctuality(punctuality: Punctuality) -> Message {
    let key = match (punctuality.percent_in_time(), punctuality.games_left) {
        (None, 0) => "punctuality-new",
        (None, _) => "punctuality-left-new",
        (_, 0) => "punctuality",
        _ => "punctuality-left",
    };
    Message::new(key)
        .with("percent", punctuality.percent_in_time().unwrap_or(0))
        .with("left", punctuality.games_left)
}
