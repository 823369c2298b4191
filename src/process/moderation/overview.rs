//! Summaries of the club's games for the moderator: which players each running game waits for and
//! until when, and which games need players. The same by letter and on the command line.
//!
//! Lists read the stored summary of each game. They replay no log and keep no game in memory after
//! it was shown. They show nothing that is hidden from the players.

use crate::club::clock::{OwnTime, describe_moment};
use crate::club::{GameInfo, GameName, Proposal};
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::game_faults::catch_game_fault;
use crate::process::lobby::game_list::game_number_and_name;
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{Transaction, load_stored_game};
use crate::render::Section;
use crate::rules::{Message, Seat, Turn};
use crate::store::{GameFacts, Repository, SeatHolder, StoreError};
use crate::table::{Export, Outline};
use chrono::{DateTime, Utc};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::Range;

/// The number of games or letters that a list names.
pub(crate) const LIST_MAX: usize = 200;

/// The state of a game that has begun.
#[derive(Serialize)]
pub(crate) struct GameSummary {
    pub game: u32,
    /// The game's own name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<GameName>,
    /// The ID of the kind of game.
    pub(crate) kind: String,
    /// The players' names, by seat.
    pub players: Vec<String>,
    /// The number of records.
    pub(crate) records: u32,
    /// The time of the last record.
    #[serde(serialize_with = "rfc3339")]
    pub(crate) last: DateTime<Utc>,
    pub(crate) over: bool,
    /// The names of the players for whom the game waits.
    pub(crate) waiting_for: Vec<String>,
    /// The players for whom the game waits, with their deadlines.
    pub waits: Vec<AwaitedPlayer>,
    /// Whether the clock is paused.
    pub paused: bool,
    /// The winners' names, if it is over.
    #[serde(skip)]
    winners: Vec<String>,
}

/// A player for whom a game waits.
#[derive(Serialize)]
pub(crate) struct AwaitedPlayer {
    pub seat: u8,
    pub name: String,
    /// The player's deadline, or `None` if the game has no clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<DateTime<Utc>>,
    /// The end of the player's time, including grace period and time bank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<DateTime<Utc>>,
    /// Whether a substitute can take the seat.
    pub open: bool,
    /// Whether the player's clock is stopped because they are undeliverable.
    pub lost: bool,
    #[serde(skip)]
    is_late: bool,
}

/// A game that waits for players to join.
#[derive(Serialize)]
pub(crate) struct FormingGame {
    pub game: u32,
    /// The game's own name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<GameName>,
    /// The ID of the kind of game.
    pub(crate) kind: String,
    /// The number of players that the game needs to begin.
    pub seats: u8,
    /// The names of the members who have joined so far.
    pub(crate) joined: Vec<String>,
    /// When the game is given up if not enough players have joined.
    #[serde(serialize_with = "rfc3339")]
    pub(crate) until: DateTime<Utc>,
}

fn rfc3339<S: Serializer>(at: &DateTime<Utc>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&at.to_rfc3339())
}

impl GameSummary {
    /// Makes the summary of a game from its stored data and its players' names.
    pub(crate) fn new(
        game: u32,
        facts: &GameFacts,
        outline: &Outline,
        players: Vec<String>,
        now: DateTime<Utc>,
    ) -> Self {
        let name = |seat: Seat| players.get(seat.index()).cloned().unwrap_or_default();
        let clock = facts.clock.as_ref();
        let awaited = |seat: &Seat| {
            let wait = clock.and_then(|clock| clock.wait_of_seat(*seat));
            let is_left = facts.seats.get(seat.index()).is_some_and(|seated| seated.left);
            AwaitedPlayer {
                seat: seat.number(),
                name: name(*seat),
                deadline: wait.map(|wait| wait.deadline),
                end: clock.zip(wait).map(|(clock, wait)| clock.deadline_with_grace_and_bank(wait)),
                open: is_left
                    || clock.is_some_and(|clock| clock.seats_open_to_substitute().contains(seat)),
                lost: wait.is_some_and(|wait| wait.unreachable_since.is_some()),
                is_late: wait.is_some_and(|wait| wait.has_deadline_passed(now)),
            }
        };
        let waits: Vec<AwaitedPlayer> = match &outline.turn {
            Turn::Awaiting(seats) => seats.iter().map(awaited).collect(),
            Turn::Over => Vec::new(),
        };
        Self {
            game,
            name: facts.room.name.clone(),
            kind: outline.game.clone(),
            records: outline.head,
            last: outline.at,
            over: outline.is_over(),
            waiting_for: waits.iter().map(|wait| wait.name.clone()).collect(),
            waits,
            paused: clock.is_some_and(|clock| clock.paused.is_some()),
            winners: outline.winners.iter().map(|seat| name(*seat)).collect(),
            players,
        }
    }

    /// Makes the summary of a game that is open in a transaction.
    pub(crate) fn from_session(session: &GameSession, room: GameInfo, now: DateTime<Utc>) -> Self {
        let (facts, outline) = (session.facts(room), session.table.outline());
        Self::new(session.game_number(), &facts, &outline, session.names.clone(), now)
    }

    /// Returns a message about which players the game waits for, and until or since when. If some
    /// players are late, it names only those.
    pub(crate) fn awaited_or_result_message(&self, time: &OwnTime) -> Message {
        let words = |key, who: Vec<String>| Message::new(key).with("who", who);
        if self.over {
            let is_won = !self.winners.is_empty();
            let key = if is_won { "moderator-waits-won" } else { "moderator-waits-over" };
            return words(key, self.winners.clone());
        }
        let all = || self.waiting_for.clone();
        let (late, in_time): (Vec<&AwaitedPlayer>, Vec<&AwaitedPlayer>) =
            self.waits.iter().partition(|wait| wait.is_late);
        let until = |waits: &[&AwaitedPlayer]| waits.iter().filter_map(|wait| wait.deadline).max();
        match (until(&late), until(&in_time)) {
            _ if self.paused => words("moderator-waits-paused", all()),
            (Some(by), _) => {
                let who = late.iter().map(|wait| wait.name.clone()).collect();
                words("moderator-waits-late", who).with("by", describe_moment(by, time))
            }
            (None, Some(_)) if self.waits.iter().all(|wait| wait.lost) => {
                words("moderator-waits-lost", all())
            }
            (None, Some(by)) => {
                words("moderator-waits-until", all()).with("by", describe_moment(by, time))
            }
            (None, None) => words("moderator-waits-since", all())
                .with("since", describe_moment(self.last, time)),
        }
    }
}

/// Returns the position as JSON: what everyone knows, and for a seat its private data and legal
/// lines. This is all that a player's own program needs.
pub(crate) fn position_json(
    session: &GameSession,
    name: Option<&GameName>,
    seat: Option<Seat>,
) -> serde_json::Value {
    let table = &session.table;
    let (awaited, standings) = match table.turn() {
        Turn::Awaiting(seats) => (seats, None),
        Turn::Over => (Vec::new(), Some(table.rankings())),
    };
    let asked = seat.filter(|seat| awaited.contains(seat));
    serde_json::json!({
        "game": session.game_number(),
        "name": name,
        "kind": table.founding().game,
        "record": table.last_record_number(),
        "players": session.names,
        "awaited": awaited,
        "public": table.game().public_data(),
        "private": seat.map(|seat| table.game().private_data(seat)),
        "legal": asked.map(|seat| table.game().legal_lines(seat)),
        "standings": standings,
    })
}

/// Whether a command may show a game's hidden information: the game is over, or the moderator asked
/// for it.
pub(crate) fn can_show_secrets(session: &GameSession, asked: bool) -> bool {
    asked || session.table.is_over()
}

/// Returns the whole game as a document, with all hidden information.
pub(crate) fn export_game<'a>(
    session: &'a GameSession,
    name: Option<&'a GameName>,
) -> ExportedGame<'a> {
    ExportedGame { name, game: session.table.export() }
}

/// An exported game, with the name that the club gave it.
#[derive(Serialize)]
pub(crate) struct ExportedGame<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a GameName>,
    #[serde(flatten)]
    game: Export<'a>,
}

/// Returns a game's own name, if it has one.
pub(crate) fn load_game_name(context: &Context, game: u32) -> ClubResult<Option<GameName>> {
    Ok(Transaction::begin(context).game_info(game)?.name)
}

/// Returns one line of a list of games: the game, and the players for whom it waits.
pub(crate) fn game_list_line(context: &Context, summary: &GameSummary) -> Message {
    let language = context.library.language(&context.settings.language);
    Message::new("moderator-game")
        .with("game", game_number_and_name(summary.game, summary.name.as_ref()))
        .with("kind", language.game_name(&summary.kind))
        .with(
            "waits",
            summary.awaited_or_result_message(&context.settings.moderators.first.own_time()),
        )
}

/// Returns a running game, or `None` if it is over or cannot be opened.
pub(crate) fn find_running_game(
    tx: &Transaction<'_>,
    game: u32,
) -> ClubResult<Option<GameSession>> {
    Ok(try_open_game(tx, game)?.ok().filter(|session| session.table.turn() != Turn::Over))
}

/// Opens a game in a savepoint. Returns its fault as an inner error, so that a list can still show
/// the other games.
pub(crate) fn try_open_game(
    tx: &Transaction<'_>,
    game: u32,
) -> ClubResult<Result<GameSession, Message>> {
    match tx.opened_game(game) {
        Some(session) => Ok(Ok(session.clone())),
        None => catch_game_fault(|| tx.begin_savepoint().open_game(game).cloned()),
    }
}

/// Returns a line with the number of entries that a list leaves out, if there are any.
pub(crate) fn omitted_count_line(count: usize) -> Option<Message> {
    let more = count.saturating_sub(LIST_MAX);
    (more > 0).then(|| Message::new("moderator-more").with("count", more))
}

/// The number of games that are read at a time.
const GAMES_AT_ONCE: u32 = 200;

/// A cache of member names, so that each is read once.
#[derive(Default)]
pub(crate) struct MemberNames(BTreeMap<u32, Option<String>>);

impl MemberNames {
    /// Returns the names of these seats' members, by seat.
    fn names_by_seat(
        &mut self,
        tx: &Transaction<'_>,
        seats: &[SeatHolder],
    ) -> Result<Vec<String>, StoreError> {
        let mut names = Vec::with_capacity(seats.len());
        for SeatHolder { member, .. } in seats {
            if !self.0.contains_key(member) {
                self.0.insert(*member, tx.member(*member)?.map(|member| member.name));
            }
            names.extend(self.0.get(member).cloned().flatten());
        }
        Ok(names)
    }
}

/// Calls `show` for each game that has begun, by number, with its summary or the reason why it
/// cannot be opened. Returns the games that wait for players.
pub(crate) fn for_each_game_summary<E: From<ClubError>>(
    context: &Context,
    mut show: impl FnMut(Result<GameSummary, Message>) -> Result<(), E>,
) -> Result<Vec<FormingGame>, E> {
    let (mut names, mut forming) = (MemberNames::default(), Vec::new());
    for_each_game_in_chunks(context, |tx, game, mut facts| {
        if facts.log_length == 0 {
            let proposal = facts.room.proposal.take();
            forming.extend(proposal.map(|own| make_forming_game(tx, game, *own)).transpose()?);
            return Ok(());
        }
        let failed = store_missing_outline(tx, game, &mut facts)?;
        failed.map_or(Ok(()), |why| show(Err(why)))?;
        let Some(outline) = &facts.outline else { return Ok(()) };
        let players = names.names_by_seat(tx, &facts.seats).map_err(ClubError::from)?;
        show(Ok(GameSummary::new(game, &facts, outline, players, context.now)))
    })?;
    Ok(forming)
}

/// Makes the summary of a game that waits for players.
fn make_forming_game(
    tx: &Transaction<'_>,
    game: u32,
    proposal: Proposal,
) -> ClubResult<FormingGame> {
    let mut joined = Vec::new();
    for player in &proposal.players {
        joined.extend(tx.member(player.member)?.map(|member| member.name));
    }
    let Proposal { kind, name, seats, until, .. } = proposal;
    Ok(FormingGame { game, name, kind, seats, joined, until })
}

/// Returns a letter section with the running games and the players for whom they wait. Leaves out
/// broken games, because the moderator is told about them elsewhere.
pub(crate) fn running_games_section(tx: &Transaction<'_>) -> ClubResult<Section> {
    let (mut names, mut lines, mut running) = (MemberNames::default(), Vec::new(), 0);
    for_each_game_in(tx, |game, facts| {
        let is_over = facts.outline.as_ref().is_some_and(|outline| outline.is_over());
        if is_over {
            return Ok(());
        }
        let summary = summarize_facts(tx, game, facts, &mut names)?.ok();
        if let Some(summary) = summary.filter(|game| !game.over) {
            running += 1;
            lines.extend((running <= LIST_MAX).then(|| game_list_line(tx.context, &summary)));
        }
        Ok(())
    })?;
    lines.extend(omitted_count_line(running));
    Ok(Section { head: Message::new("moderator-list").with("count", running), lines })
}

/// Returns a game's summary with this transaction's changes, or the reason why it cannot be opened.
pub(crate) fn summarize_game(
    tx: &Transaction<'_>,
    game: u32,
    names: &mut MemberNames,
) -> ClubResult<Result<GameSummary, Message>> {
    summarize_facts(tx, game, tx.game_facts(game)?, names)
}

fn summarize_facts(
    tx: &Transaction<'_>,
    game: u32,
    facts: GameFacts,
    names: &mut MemberNames,
) -> ClubResult<Result<GameSummary, Message>> {
    let now = tx.context.now;
    let Some(outline) = &facts.outline else {
        let session = try_open_game(tx, game)?;
        return Ok(session.map(|session| GameSummary::from_session(&session, facts.room, now)));
    };
    let players = names.names_by_seat(tx, &facts.seats)?;
    Ok(Ok(GameSummary::new(game, &facts, outline, players, now)))
}

/// Returns the number of games that have begun, and the errors of those that cannot be opened.
/// Tries to open all games, or only those without a stored summary.
pub(crate) fn find_broken_games(
    context: &Context,
    all: bool,
) -> ClubResult<(usize, Vec<ClubError>)> {
    let (mut count, mut broken) = (0, Vec::new());
    for_each_game_in_chunks(context, |_, game, facts| {
        if facts.log_length > 0 {
            count += 1;
            let is_tried = all || facts.outline.is_none();
            broken.extend(is_tried.then(|| load_stored_game(context, game).err()).flatten());
        }
        Ok::<(), ClubError>(())
    })?;
    Ok((count, broken))
}

/// Replays the games without a stored summary and stores their summaries. They are missing if
/// another version wrote them in another form.
pub(crate) fn store_missing_outlines(context: &Context) -> ClubResult<()> {
    for_each_game_in_chunks(context, |tx, game, mut facts| {
        store_missing_outline(tx, game, &mut facts).map(drop)
    })
}

/// Replays a game without a stored summary and stores the summary. Returns the reason if the game
/// cannot be opened.
fn store_missing_outline(
    tx: &mut Transaction<'_>,
    game: u32,
    facts: &mut GameFacts,
) -> ClubResult<Option<Message>> {
    if facts.log_length == 0 || facts.outline.is_some() {
        return Ok(None);
    }
    match try_open_game(tx, game)? {
        Ok(session) => {
            let outline = facts.outline.insert(session.table.outline());
            tx.batch_mut().outlines.push((game, outline.clone()));
            Ok(None)
        }
        Err(why) => Ok(Some(why)),
    }
}

/// Calls `take` for all games in this transaction, by number, including those that have not begun.
pub(crate) fn for_each_game_in(
    tx: &Transaction<'_>,
    mut take: impl FnMut(u32, GameFacts) -> ClubResult<()>,
) -> ClubResult<()> {
    for games in game_number_chunks(tx.next_game_number()?) {
        let facts = tx.facts_of_games(games)?;
        facts.into_iter().try_for_each(|(game, facts)| take(game, facts))?;
    }
    Ok(())
}

/// Like [`for_each_game_in`], with a new transaction for every [`GAMES_AT_ONCE`] games, so that
/// none depends on too many rows.
fn for_each_game_in_chunks<E: From<ClubError>>(
    context: &Context,
    mut take: impl FnMut(&mut Transaction<'_>, u32, GameFacts) -> Result<(), E>,
) -> Result<(), E> {
    let next = Transaction::begin(context).next_game_number().map_err(ClubError::from)?;
    for games in game_number_chunks(next) {
        let mut tx = Transaction::begin(context);
        let games = tx.facts_of_games(games).map_err(ClubError::from)?;
        for (game, facts) in games {
            take(&mut tx, game, facts)?;
        }
        // An error, such as a full disk, is ignored: the summaries are computed again the next
        // time.
        tx.commit().ok();
    }
    Ok(())
}

/// Returns the game numbers below `next`, in ranges of [`GAMES_AT_ONCE`].
fn game_number_chunks(next: u32) -> impl Iterator<Item = Range<u32>> {
    let firsts = (1..next).step_by(GAMES_AT_ONCE as usize);
    firsts.map(move |first| first..next.min(first.saturating_add(GAMES_AT_ONCE)))
}
