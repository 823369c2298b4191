//! The club's games one after the other, each by what its row says of it: no log is folded, and
//! nothing is held of a game once it was shown.
//!
//! May not know how they are shown on a terminal.

use crate::club::Proposal;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::moderation::overview::{Forming, LIST_MAX, Summary, game_line, more, opened};
use crate::process::transaction::{Transaction, open_game};
use crate::render::Section;
use crate::rules::Message;
use crate::store::{GameFacts, Repository, Row, Sitting, StoreError};
use std::collections::BTreeMap;
use std::ops::Range;

/// How many games are read at once.
const AT_ONCE: u32 = 200;

/// The names of the members who were met so far, each read once.
#[derive(Default)]
pub(crate) struct Names(BTreeMap<u32, Option<String>>);

impl Names {
    /// The names of those who sit at a table, by seat.
    fn of(&mut self, tx: &Transaction<'_>, seats: &[Sitting]) -> Result<Vec<String>, StoreError> {
        let mut names = Vec::with_capacity(seats.len());
        for Sitting { member, .. } in seats {
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
pub(crate) fn each_summary<E: From<ClubError>>(
    context: &Context,
    mut show: impl FnMut(Result<Summary, Message>) -> Result<(), E>,
) -> Result<Vec<Forming>, E> {
    let (mut names, mut forming) = (Names::default(), Vec::new());
    each_game(context, |tx, game, mut facts| {
        if facts.lines == 0 {
            let proposal = facts.room.proposal.take();
            forming.extend(proposal.map(|own| waiting(tx, game, *own)).transpose()?);
            return Ok(());
        }
        let failed = note_outline(tx, game, &mut facts)?;
        failed.map_or(Ok(()), |why| show(Err(why)))?;
        let Some(outline) = &facts.outline else { return Ok(()) };
        let players = names.of(tx, &facts.seats).map_err(ClubError::from)?;
        show(Ok(Summary::of(game, &facts, outline, players, context.now)))
    })?;
    Ok(forming)
}

/// A game that waits for players.
fn waiting(tx: &Transaction<'_>, game: u32, proposal: Proposal) -> ClubResult<Forming> {
    let mut joined = Vec::new();
    for player in &proposal.players {
        joined.extend(tx.member(player.member)?.map(|member| member.name));
    }
    let Proposal { kind, name, seats, until, .. } = proposal;
    Ok(Forming { game, name, kind, seats, joined, until })
}

/// The running games in a letter: for whom they wait, and until when. Of one that cannot be
/// opened the moderator hears elsewhere.
pub(crate) fn list_of_games(tx: &Transaction<'_>) -> ClubResult<Section> {
    let (mut names, mut lines, mut running) = (Names::default(), Vec::new(), 0);
    each_within(tx, |game, facts| {
        let is_over = facts.outline.as_ref().is_some_and(|outline| outline.is_over());
        if is_over {
            return Ok(());
        }
        let stands = summary_of(tx, game, facts, &mut names)?.ok();
        if let Some(stands) = stands.filter(|game| !game.over) {
            running += 1;
            lines.extend((running <= LIST_MAX).then(|| game_line(tx.context, &stands)));
        }
        Ok(())
    })?;
    lines.extend(more(running));
    Ok(Section { head: Message::new("moderator-list").with("count", running), lines })
}

/// A game as it stands in a transaction, or why it cannot be opened.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn summary(
    tx: &Transaction<'_>,
    game: u32,
    names: &mut Names,
) -> ClubResult<Result<Summary, Message>> {
    summary_of(tx, game, tx.game_facts(game)?, names)
}

fn summary_of(
    tx: &Transaction<'_>,
    game: u32,
    facts: GameFacts,
    names: &mut Names,
) -> ClubResult<Result<Summary, Message>> {
    let now = tx.context.now;
    let Some(outline) = &facts.outline else {
        let session = opened(tx, game)?;
        return Ok(session.map(|session| Summary::of_session(&session, facts.room, now)));
    };
    let players = names.of(tx, &facts.seats)?;
    Ok(Ok(Summary::of(game, &facts, outline, players, now)))
}

/// How many games there are, and what is wrong with those that cannot be opened: that is tried with
/// all of them, or with those of which no outline is known.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn broken_games(context: &Context, all: bool) -> ClubResult<(usize, Vec<ClubError>)> {
    let (mut count, mut broken) = (0, Vec::new());
    each_game(context, |_, game, facts| {
        if facts.lines > 0 {
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
pub(crate) fn note_outlines(context: &Context) -> ClubResult<()> {
    each_game(context, |tx, game, mut facts| note_outline(tx, game, &mut facts).map(drop))
}

/// Folds a game of which no outline is known, and notes what comes of it; why it cannot be opened.
fn note_outline(
    tx: &mut Transaction<'_>,
    game: u32,
    facts: &mut GameFacts,
) -> ClubResult<Option<Message>> {
    if facts.lines == 0 || facts.outline.is_some() {
        return Ok(None);
    }
    match opened(tx, game)? {
        Ok(session) => {
            let outline = facts.outline.insert(session.table.outline());
            tx.write().outlines.push((game, outline.clone()));
            Ok(None)
        }
        Err(why) => Ok(Some(why)),
    }
}

/// Gives all games to `take`, by number, those that have only people around them included.
///
/// # Errors
/// When the store cannot be read, and those of `take`.
pub(crate) fn each_within(
    tx: &Transaction<'_>,
    mut take: impl FnMut(u32, GameFacts) -> ClubResult<()>,
) -> ClubResult<()> {
    for games in spans(tx.next_game()?) {
        let facts = tx.facts_of_games(games)?;
        foresee_players(tx, &facts)?;
        facts.into_iter().try_for_each(|(game, facts)| take(game, facts))?;
    }
    Ok(())
}

/// The same in a transaction for every few, which holds what it rests on for so long only.
fn each_game<E: From<ClubError>>(
    context: &Context,
    mut take: impl FnMut(&mut Transaction<'_>, u32, GameFacts) -> Result<(), E>,
) -> Result<(), E> {
    let next = Transaction::begin(context).next_game().map_err(ClubError::from)?;
    for games in spans(next) {
        let mut tx = Transaction::begin(context);
        let games = tx.facts_of_games(games).map_err(ClubError::from)?;
        foresee_players(&tx, &games)?;
        for (game, facts) in games {
            take(&mut tx, game, facts)?;
        }
        // What cannot be noted, as the disk is full, is folded again the next time.
        tx.commit().ok();
    }
    Ok(())
}

/// Says that who sits at these tables is going to be read.
fn foresee_players(tx: &Transaction<'_>, games: &[(u32, GameFacts)]) -> ClubResult<()> {
    let seats = games.iter().flat_map(|(_, facts)| &facts.seats);
    tx.foresee(seats.map(|sitting| Row::Member(sitting.member)))
}

/// The numbers below the next one, a few at a time.
fn spans(next: u32) -> impl Iterator<Item = Range<u32>> {
    let firsts = (1..next).step_by(AT_ONCE as usize);
    firsts.map(move |first| first..next.min(first.saturating_add(AT_ONCE)))
}
