//! Prefetches for reads of many letters, games or members. A store on a server fetches their rows
//! with a few statements before they are read one by one. The embedded store does nothing here.

use super::{GAMES_PER_COMMIT, Transaction};
use crate::mail::{BYTES_MAX, HeaderPreview, LetterHash, PendingLetter};
use crate::process::context::{ClubError, Context};
use crate::store::{LetterReader, OutgoingLetter, QueuedLetter, Row, StoreError};

impl<'a> Transaction<'a> {
    /// Begins a transaction to judge these letters, and prefetches the rows that their headers
    /// point to.
    pub(crate) fn begin_for_letters(
        context: &'a Context,
        letters: &[PendingLetter],
    ) -> Result<Self, ClubError> {
        let tx = Self::begin(context);
        tx.prefetch(letters.iter().flat_map(|letter| rows_for_judging(context, letter)), true)?;
        Ok(tx)
    }

    /// Begins a transaction to change these games, and prefetches their rows and logs.
    pub(crate) fn begin_for_games(context: &'a Context, games: &[u32]) -> Result<Self, ClubError> {
        let tx = Self::begin(context);
        tx.prefetch(games.iter().map(|game| Row::Game(*game)), true)?;
        Ok(tx)
    }

    /// Announces letters that were just opened, so that their rows are prefetched. Their digests
    /// are not known earlier.
    pub(crate) fn expect_letters<'l>(
        &self,
        digests: impl Iterator<Item = &'l LetterHash>,
    ) -> Result<(), ClubError> {
        Ok(self.prefetch(digests.map(|digest| Row::Letter(*digest.as_bytes())), true)?)
    }

    /// Calls `read` for each of these games, with its row prefetched. The logs are not prefetched,
    /// so `read` should need none.
    pub(crate) fn read_each_game(
        &self,
        games: &[u32],
        mut read: impl FnMut(u32) -> Result<(), ClubError>,
    ) -> Result<(), ClubError> {
        // The store caches a limited number of rows, so the games are read in chunks.
        for games in games.chunks(GAMES_PER_COMMIT) {
            self.prefetch(games.iter().map(|game| Row::Game(*game)), false)?;
            games.iter().try_for_each(|game| read(*game))?;
        }
        Ok(())
    }

    /// Returns the queued letters with these keys, and prefetches the rows for composing them.
    pub(crate) fn load_queued_letters(&self, keys: &[u64]) -> Result<Vec<QueuedLetter>, ClubError> {
        let letters = self.outbox().queued_letters(keys)?;
        self.prefetch(letters.iter().flat_map(|queued| rows_for_composing(&queued.letter)), true)?;
        Ok(letters)
    }

    /// Returns the number of counts of each of these counters since a time in Unix seconds.
    /// Prefetches their rows.
    pub(crate) fn count_events_of_each_since(
        &self,
        keys: &[String],
        since: i64,
    ) -> Result<Vec<usize>, ClubError> {
        self.prefetch(keys.iter().map(|key| Row::CountedEvents(key.clone())), true)?;
        keys.iter().map(|key| self.count_events_since(key, since)).collect()
    }

    pub(super) fn prefetch(
        &self,
        rows: impl Iterator<Item = Row>,
        with_logs: bool,
    ) -> Result<(), StoreError> {
        self.context.store.prefetch(&rows.collect::<Vec<_>>(), with_logs)
    }
}

/// Returns the rows that judging a letter will read, as far as its headers show them.
fn rows_for_judging(context: &Context, letter: &PendingLetter) -> Vec<Row> {
    let outside = letter
        .read(BYTES_MAX)
        .map(|raw| HeaderPreview::from_bytes(&raw, &context.settings.address));
    let HeaderPreview { sender, game } = outside.unwrap_or_default();
    let file = Row::File(letter.name.clone());
    std::iter::once(file).chain(sender.map(Row::Address)).chain(game.map(Row::Game)).collect()
}

/// Returns the rows that composing a letter will read.
fn rows_for_composing(letter: &OutgoingLetter) -> Vec<Row> {
    match letter.label.as_ref().map(|label| &label.reader) {
        Some(LetterReader::Seats { member, seats }) => {
            let games = seats.iter().map(|shown| Row::Game(shown.game));
            std::iter::once(Row::Member(*member)).chain(games).collect()
        }
        Some(LetterReader::Member(id) | LetterReader::Probe(id)) => vec![Row::Member(*id)],
        Some(LetterReader::Moderator | LetterReader::Address) | None => Vec::new(),
    }
}
