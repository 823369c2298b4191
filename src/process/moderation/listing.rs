//! The club's games one after the other, each by what its row says of it: no log is folded, and
//! nothing is held of a game once it was shown.
//!
//! May not know how they are shown on a terminal.

use crate::club::Seated;
use crate::process::context::{ClubError, Context};
use crate::process::moderation::overview::{LIST_MAX, Summary, game_line, more, opened};
use crate::process::transaction::{GAMES_A_COMMIT, Transaction};
use crate::render::Section;
use crate::rules::Message;
use crate::store::{Repository, StoreError};
use std::collections::BTreeMap;

/// The names of the members who were met so far, each read once.
#[derive(Default)]
pub(crate) struct Names(BTreeMap<u32, Option<String>>);

impl Names {
    /// The names of those who sit at a table, by seat.
    fn of(&mut self, tx: &Transaction<'_>, seats: &[Seated]) -> Result<Vec<String>, StoreError> {
        let mut names = Vec::with_capacity(seats.len());
        for Seated { member, .. } in seats {
            if !self.0.contains_key(member) {
                self.0.insert(*member, tx.member(*member)?.map(|member| member.name));
            }
            names.extend(self.0.get(member).cloned().flatten());
        }
        Ok(names)
    }
}

/// Shows the club's games, by number; why one cannot be opened.
///
/// # Errors
/// When the store cannot be read, and those of `show`.
pub(crate) fn each_summary<E: From<ClubError>>(
    context: &Context,
    mut show: impl FnMut(Result<Summary, Message>) -> Result<(), E>,
) -> Result<(), E> {
    // Where that is not possible the games are listed all the same, only not as fast.
    note_outlines(context).ok();
    let mut names = Names::default();
    let games = Transaction::begin(context).games().map_err(ClubError::from)?;
    // A transaction holds what it rests on, so none is to go over all of them.
    for some in games.chunks(GAMES_A_COMMIT) {
        let tx = Transaction::begin(context);
        some.iter().try_for_each(|game| show(summary(&tx, *game, &mut names)?))?;
    }
    Ok(())
}

/// A game as it stands in a transaction, or why it cannot be opened.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn summary(
    tx: &Transaction<'_>,
    game: u32,
    names: &mut Names,
) -> Result<Result<Summary, Message>, ClubError> {
    let (facts, now) = (tx.game_facts(game)?, tx.context.now);
    let Some(outline) = &facts.outline else {
        let session = opened(tx, game)?;
        return Ok(session.map(|session| Summary::of_session(&session, facts.room, now)));
    };
    let players = names.of(tx, &facts.seats)?;
    Ok(Ok(Summary::of(game, &facts, outline, players, now)))
}

/// The running games in a letter: for whom they wait, and until when. Of one that cannot be
/// opened the moderator hears elsewhere.
pub(crate) fn list_of_games(tx: &Transaction<'_>) -> Result<Section, ClubError> {
    let (mut names, mut lines, mut running) = (Names::default(), Vec::new(), 0);
    for game in tx.games()? {
        let stands = summary(tx, game, &mut names)?.ok();
        let Some(stands) = stands.filter(|game| !game.over) else { continue };
        running += 1;
        lines.extend((running <= LIST_MAX).then(|| game_line(tx.context, &stands)));
    }
    lines.extend(more(running));
    Ok(Section { head: Message::new("moderator-list").with("count", running), lines })
}

/// Folds the games of which no outline is known, as those of a store of an earlier version, and
/// notes what comes of it: that is done once.
///
/// # Errors
/// When the store cannot be read or written.
pub(crate) fn note_outlines(context: &Context) -> Result<(), ClubError> {
    let games = Transaction::begin(context).without_outline()?;
    for some in games.chunks(GAMES_A_COMMIT) {
        let mut tx = Transaction::begin(context);
        for game in some {
            if let Ok(session) = opened(&tx, *game)? {
                tx.write().outlines.push((*game, session.table.outline()));
            }
        }
        tx.commit()?;
    }
    Ok(())
}
