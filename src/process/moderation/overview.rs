//! The club's games as its moderator sees them: which players each game waits for, and until when;
//! and the games that wait for players. By letter and on the command line alike.
//!
//! Lists read the games' rows: no log is folded, and nothing of a game is kept in memory after it
//! was shown. Nothing is shown that is hidden from the players.

use crate::club::clock::{OwnTime, describe_moment};
use crate::club::{GameInfo, GameName, Proposal};
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::game_faults::catch_game_fault;
use crate::process::lobby::game_list::number_and_name;
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{Transaction, open_game};
use crate::render::Section;
use crate::rules::{Message, Seat, Turn};
use crate::store::{GameFacts, Repository, SeatHolder, StoreError};
use crate::table::{Export, Outline};
use chrono::{DateTime, Utc};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::Range;

/// How many games or letters a list names.
pub(crate) const LIST_MAX: usize = 200;

/// How a game stands.
#[derive(Serialize)]
pub(crate) struct GameSummary {
    /// The game's number.
    pub game: u32,
    /// What it is called besides; nothing where nobody has named it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<GameName>,
    /// Which game it is.
    pub(crate) kind: String,
    /// The players' names, by seat.
    pub players: Vec<String>,
    /// How many records it has.
    pub(crate) records: u32,
    /// When the last of them was made.
    #[serde(serialize_with = "rfc3339")]
    pub(crate) last: DateTime<Utc>,
    /// Whether it is over.
    pub(crate) over: bool,
    /// The names of those for whom it waits.
    pub(crate) waiting_for: Vec<String>,
    /// The same with their deadlines.
    pub waits: Vec<AwaitedPlayer>,
    /// Whether the clock stands still.
    pub paused: bool,
    /// Who came first, when it is over.
    #[serde(skip)]
    winners: Vec<String>,
}

/// Somebody for whom a game waits.
#[derive(Serialize)]
pub(crate) struct AwaitedPlayer {
    /// His seat's number.
    pub seat: u8,
    /// The name of the player who is waited for.
    pub name: String,
    /// Until when he has time; none in a game without a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<DateTime<Utc>>,
    /// When his time is over in earnest, grace and bank included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<DateTime<Utc>>,
    /// Whether the seat is open to a substitute.
    pub open: bool,
    /// Whether no time runs, as letters to him come back.
    pub lost: bool,
    #[serde(skip)]
    is_late: bool,
}

/// A game that waits for players.
#[derive(Serialize)]
pub(crate) struct FormingGame {
    /// The game's number.
    pub game: u32,
    /// What it is to be called besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<GameName>,
    /// Which game it is to be.
    pub(crate) kind: String,
    /// How many are to play.
    pub seats: u8,
    /// The names of those who have joined.
    pub(crate) joined: Vec<String>,
    /// Until when it waits.
    #[serde(serialize_with = "rfc3339")]
    pub(crate) until: DateTime<Utc>,
}

fn rfc3339<S: Serializer>(at: &DateTime<Utc>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&at.to_rfc3339())
}

impl GameSummary {
    /// A game as it stands now by what is known of it, with the names of its players.
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
            let wait = clock.and_then(|clock| clock.wait(*seat));
            let is_left = facts.seats.get(seat.index()).is_some_and(|seated| seated.left);
            AwaitedPlayer {
                seat: seat.number(),
                name: name(*seat),
                deadline: wait.map(|wait| wait.deadline),
                end: clock.zip(wait).map(|(clock, wait)| clock.final_deadline(wait)),
                open: is_left || clock.is_some_and(|clock| clock.open_seats().contains(seat)),
                lost: wait.is_some_and(|wait| wait.unreachable_since.is_some()),
                is_late: wait.is_some_and(|wait| wait.is_late(now)),
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

    /// An open game around which these are, as it stands now.
    pub(crate) fn from_session(session: &GameSession, room: GameInfo, now: DateTime<Utc>) -> Self {
        let (facts, outline) = (session.facts(room), session.table.outline());
        Self::new(session.number(), &facts, &outline, session.names.clone(), now)
    }

    /// For whom the game waits, and until or since when by somebody's clock. Where somebody is
    /// late, nobody else is named.
    pub(crate) fn waits_words(&self, time: &OwnTime) -> Message {
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

/// The position as everyone knows it, and besides as one seat does, with the lines that it could
/// send now: all that a player's own program needs.
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
        "game": session.number(),
        "name": name,
        "kind": table.founding().game,
        "record": table.head(),
        "players": session.names,
        "awaited": awaited,
        "public": table.game().public_data(),
        "private": seat.map(|seat| table.game().private_data(seat)),
        "legal": asked.map(|seat| table.game().legal_lines(seat)),
        "standings": standings,
    })
}

/// Returns `true` if a command may show what only some players of the game know: the game is over,
/// or the moderator asked for its secrets.
pub(crate) fn can_show_secrets(session: &GameSession, asked: bool) -> bool {
    asked || session.table.is_over()
}

/// Returns the whole game as a document, with every secret of it.
pub(crate) fn export_game<'a>(
    session: &'a GameSession,
    name: Option<&'a GameName>,
) -> ExportedGame<'a> {
    ExportedGame { name, game: session.table.export() }
}

/// A game as a document, with the name that its club has for it.
#[derive(Serialize)]
pub(crate) struct ExportedGame<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a GameName>,
    #[serde(flatten)]
    game: Export<'a>,
}

/// What a game is called besides its number.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn load_game_name(context: &Context, game: u32) -> ClubResult<Option<GameName>> {
    Ok(Transaction::begin(context).room(game)?.name)
}

/// A game with for whom it waits.
pub(crate) fn summary_line(context: &Context, summary: &GameSummary) -> Message {
    let language = context.library.language(&context.settings.language);
    Message::new("moderator-game")
        .with("game", number_and_name(summary.game, summary.name.as_ref()))
        .with("kind", language.game_name(&summary.kind))
        .with("waits", summary.waits_words(&context.settings.moderator.own_time()))
}

/// A running game as it stands in a transaction; none when it is over or cannot be opened.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn find_running_game(
    tx: &Transaction<'_>,
    game: u32,
) -> ClubResult<Option<GameSession>> {
    Ok(try_open_game(tx, game)?.ok().filter(|session| session.table.turn() != Turn::Over))
}

/// A game as it stands in a transaction, or why it cannot be opened: a fault of one game must not
/// keep the others from the moderator.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn try_open_game(
    tx: &Transaction<'_>,
    game: u32,
) -> ClubResult<Result<GameSession, Message>> {
    match tx.opened_game(game) {
        Some(session) => Ok(Ok(session.clone())),
        None => catch_game_fault(|| tx.savepoint().open_game(game).cloned()),
    }
}

/// How many more there are than a list names.
pub(crate) fn omitted_line(count: usize) -> Option<Message> {
    let more = count.saturating_sub(LIST_MAX);
    (more > 0).then(|| Message::new("moderator-more").with("count", more))
}

/// How many games are read at once.
const GAMES_AT_ONCE: u32 = 200;

/// The names of the members who were met so far, each read once.
#[derive(Default)]
pub(crate) struct MemberNames(BTreeMap<u32, Option<String>>);

impl MemberNames {
    /// The names of those who sit at a table, by seat.
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

/// Shows the club's games, by number; why one cannot be opened. Gives those that wait for players.
///
/// # Errors
/// When the store cannot be read, and those of `show`.
pub(crate) fn for_each_summary<E: From<ClubError>>(
    context: &Context,
    mut show: impl FnMut(Result<GameSummary, Message>) -> Result<(), E>,
) -> Result<Vec<FormingGame>, E> {
    let (mut names, mut forming) = (MemberNames::default(), Vec::new());
    for_each_game(context, |tx, game, mut facts| {
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

/// A game that waits for players.
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

/// The running games in a letter: for whom they wait, and until when. Of one that cannot be
/// opened the moderator hears elsewhere.
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
            lines.extend((running <= LIST_MAX).then(|| summary_line(tx.context, &summary)));
        }
        Ok(())
    })?;
    lines.extend(omitted_line(running));
    Ok(Section { head: Message::new("moderator-list").with("count", running), lines })
}

/// A game as it stands in a transaction, or why it cannot be opened.
///
/// # Errors
/// When the store cannot be read.
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

/// How many games there are, and what is wrong with those that cannot be opened: that is tried with
/// all of them, or with those of which no outline is known.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn find_broken_games(
    context: &Context,
    all: bool,
) -> ClubResult<(usize, Vec<ClubError>)> {
    let (mut count, mut broken) = (0, Vec::new());
    for_each_game(context, |_, game, facts| {
        if facts.log_length > 0 {
            count += 1;
            let is_tried = all || facts.outline.is_none();
            broken.extend(is_tried.then(|| open_game(context, game).err()).flatten());
        }
        Ok::<(), ClubError>(())
    })?;
    Ok((count, broken))
}

/// Folds the games of which the store has no outline, as after another version wrote outlines in
/// another form, and stores their outlines.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn store_missing_outlines(context: &Context) -> ClubResult<()> {
    for_each_game(context, |tx, game, mut facts| {
        store_missing_outline(tx, game, &mut facts).map(drop)
    })
}

/// Folds a game of which no outline is known, and notes what comes of it; why it cannot be opened.
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

/// Gives all games to `take`, by number, those that have only people around them included.
///
/// # Errors
/// When the store cannot be read, and those of `take`.
pub(crate) fn for_each_game_in(
    tx: &Transaction<'_>,
    mut take: impl FnMut(u32, GameFacts) -> ClubResult<()>,
) -> ClubResult<()> {
    for games in game_ranges(tx.next_game_number()?) {
        let facts = tx.facts_of_games(games)?;
        facts.into_iter().try_for_each(|(game, facts)| take(game, facts))?;
    }
    Ok(())
}

/// The same in a transaction for every few, which holds what it rests on for so long only.
fn for_each_game<E: From<ClubError>>(
    context: &Context,
    mut take: impl FnMut(&mut Transaction<'_>, u32, GameFacts) -> Result<(), E>,
) -> Result<(), E> {
    let next = Transaction::begin(context).next_game_number().map_err(ClubError::from)?;
    for games in game_ranges(next) {
        let mut tx = Transaction::begin(context);
        let games = tx.facts_of_games(games).map_err(ClubError::from)?;
        for (game, facts) in games {
            take(&mut tx, game, facts)?;
        }
        // What cannot be noted, as the disk is full, is folded again the next time.
        tx.commit().ok();
    }
    Ok(())
}

/// The numbers below the next one, a few at a time.
fn game_ranges(next: u32) -> impl Iterator<Item = Range<u32>> {
    let firsts = (1..next).step_by(GAMES_AT_ONCE as usize);
    firsts.map(move |first| first..next.min(first.saturating_add(GAMES_AT_ONCE)))
}
