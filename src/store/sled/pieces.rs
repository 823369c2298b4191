//! Values of any length in pieces of which sled's pages can hold enough, and a game's log as one
//! text in such pieces.
//!
//! Knows keys and bytes, nothing of what they stand for.

use super::game_row::Extent;
use super::trees::{PIECE, Stop, Tree, Trees, WriteTx, under};
use crate::store::StoreError;
use crate::store::keys::{Key, Parts};
use sled::IVec;
use std::ops::{Bound, RangeBounds};

/// Writes bytes as pieces, at least one; says how many.
pub(super) fn put_pieces(
    tx: &WriteTx,
    tree: Tree,
    bytes: &[u8],
    key: impl Fn() -> Key,
) -> Result<u32, Stop> {
    let first = &bytes[..bytes.len().min(PIECE)];
    let rest = bytes[first.len()..].chunks(PIECE);
    let mut count = 0;
    for piece in std::iter::once(first).chain(rest) {
        tx.put(tree, key().then(count).bytes(), piece)?;
        count += 1;
    }
    Ok(count)
}

/// The same in place of a value that may have been longer: it leaves no end behind. Of one without
/// any bytes nothing is kept.
pub(super) fn replace_pieces(
    tx: &WriteTx,
    tree: Tree,
    bytes: &[u8],
    key: impl Fn() -> Key,
) -> Result<(), Stop> {
    let mut next = if bytes.is_empty() { 0 } else { put_pieces(tx, tree, bytes, &key)? };
    while tx.get(tree, key().then(next).bytes())?.is_some() {
        tx.take(tree, key().then(next).bytes())?;
        next += 1;
    }
    Ok(())
}

/// The value that a tree keeps in pieces under a number; nothing when it is not there.
pub(super) fn whole_value<E>(
    tree: Tree,
    of: u32,
    get: impl Fn(Tree, Vec<u8>) -> Result<Option<IVec>, E>,
) -> Result<Vec<u8>, E> {
    let mut bytes = Vec::new();
    for number in 0.. {
        let Some(piece) = get(tree, Key::of(of).then(number).bytes())? else { break };
        bytes.extend(&*piece);
        if piece.len() < PIECE {
            break;
        }
    }
    Ok(bytes)
}

/// Adds lines to a game's log that is so long; says how long it is then.
pub(super) fn append_lines<'l>(
    tx: &WriteTx,
    game: u32,
    log: Extent,
    lines: impl Iterator<Item = &'l [u8]>,
) -> Result<Extent, Stop> {
    let (mut text, mut count) = (Vec::new(), log.lines);
    for line in lines {
        text.extend(line);
        text.push(b'\n');
        count = count.saturating_add(1);
    }
    let (mut number, used) = place(log.bytes)?;
    let mut piece = match used {
        0 => Vec::new(),
        _ => tx
            .get(Tree::Lines, Key::of(game).then(number).bytes())?
            .map_or_else(Vec::new, |p| p.to_vec()),
    };
    if piece.len() != used {
        return Err(missing(game).into());
    }
    let mut rest = text.as_slice();
    while !rest.is_empty() {
        let (now, later) = rest.split_at(rest.len().min(PIECE - piece.len()));
        piece.extend(now);
        tx.put(Tree::Lines, Key::of(game).then(number).bytes(), piece.as_slice())?;
        (piece, number, rest) = (Vec::new(), number + 1, later);
    }
    Ok(Extent { lines: count, bytes: log.bytes + text.len() as u64 })
}

impl Trees {
    /// What `read` makes of the values in a tree that keeps them in pieces, in order. The key of a
    /// value is of so many bytes; the number of the piece follows.
    pub(crate) fn scan_whole<T>(
        &self,
        tree: Tree,
        range: impl RangeBounds<Vec<u8>>,
        key_bytes: usize,
        mut read: impl FnMut(&[u8], &[u8]) -> Result<Option<T>, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let (mut found, mut current) = (Vec::new(), None::<(Vec<u8>, Vec<u8>)>);
        self.scan(tree, range, |key, piece| {
            let (of, part) = key.split_at_checked(key_bytes).unwrap_or((key, &[]));
            match &mut current {
                Some((_, bytes)) if Parts(part).number().is_ok_and(|part| part > 0) => {
                    bytes.extend(piece);
                }
                current => {
                    if let Some((key, bytes)) = current.replace((of.to_vec(), piece.to_vec())) {
                        found.extend(read(&key, &bytes)?);
                    }
                }
            }
            Ok(None::<()>)
        })?;
        if let Some((key, bytes)) = current {
            found.extend(read(&key, &bytes)?);
        }
        Ok(found)
    }

    /// The text of a game's log from a byte on, that is so long.
    ///
    /// # Errors
    /// When something of it is missing.
    pub(crate) fn log_text(
        &self,
        game: u32,
        log: Extent,
        from: u64,
    ) -> Result<Vec<u8>, StoreError> {
        let (number, before) = place(from)?;
        let (_, end) = under(Key::of(game).bytes());
        let start = Bound::Included(Key::of(game).then(number).bytes());
        let mut text = Vec::new();
        self.scan(Tree::Lines, (start, end), |_, piece| {
            text.extend(piece);
            Ok(None::<()>)
        })?;
        if text.len() as u64 + u64::from(number) * PIECE as u64 != log.bytes {
            return Err(missing(game));
        }
        text.drain(..before.min(text.len()));
        Ok(text)
    }
}

/// In which piece a byte lies, and which byte of the piece it is.
fn place(byte: u64) -> Result<(u32, usize), StoreError> {
    let number = u32::try_from(byte / PIECE as u64).map_err(StoreError::damaged)?;
    Ok((number, (byte % PIECE as u64) as usize))
}

/// A game that has lost something.
pub(super) fn missing(game: u32) -> StoreError {
    StoreError::damaged(format_args!("a record of game {game} is missing"))
}
