//! Values of any length, split into chunks that fit into sled's pages, and game logs stored as one
//! text in such chunks.

use super::game_row::Extent;
use super::trees::{Tree, Trees, TxError, WriteTx, keys_with_prefix};
use super::workarounds::CHUNK_BYTES_MAX;
use crate::store::StoreError;
use crate::store::keys::{Key, KeyReader};
use sled::IVec;
use std::ops::{Bound, RangeBounds};

/// Writes a value in chunks, and replaces the value that had this key. An empty value removes it.
pub(super) fn put_chunks(
    tx: &WriteTx,
    tree: Tree,
    bytes: &[u8],
    key: impl Fn() -> Key,
) -> Result<(), TxError> {
    let mut next = 0;
    for piece in bytes.chunks(CHUNK_BYTES_MAX) {
        tx.put(tree, key().with_u32(next).into_bytes(), piece)?;
        next += 1;
    }
    while tx.get(tree, key().with_u32(next).into_bytes())?.is_some() {
        tx.remove(tree, key().with_u32(next).into_bytes())?;
        next += 1;
    }
    Ok(())
}

/// Reads a value that is stored in chunks; empty if there is none.
pub(super) fn read_chunked_value<E>(
    tree: Tree,
    key: impl Fn() -> Key,
    get: impl Fn(Tree, Vec<u8>) -> Result<Option<IVec>, E>,
) -> Result<Vec<u8>, E> {
    let mut bytes = Vec::new();
    for number in 0.. {
        let Some(piece) = get(tree, key().with_u32(number).into_bytes())? else { break };
        bytes.extend(&*piece);
        if piece.len() < CHUNK_BYTES_MAX {
            break;
        }
    }
    Ok(bytes)
}

/// Adds `entry` to, or removes it from, a value that is a sorted list of entries of equal length.
pub(super) fn set_list_entry(
    tx: &WriteTx,
    tree: Tree,
    key: impl Fn() -> Key,
    entry: &[u8],
    is_in: bool,
) -> Result<(), TxError> {
    let value = read_chunked_value(tree, &key, |tree, key| tx.get(tree, key))?;
    let mut entries: Vec<&[u8]> = value.chunks(entry.len()).collect();
    match (entries.binary_search(&entry), is_in) {
        (Err(at), true) => entries.insert(at, entry),
        (Ok(at), false) => drop(entries.remove(at)),
        _ => return Ok(()),
    }
    put_chunks(tx, tree, &entries.concat(), key)
}

/// Appends lines to a game's log. `log` is the log's extent before. Returns its extent after.
pub(super) fn append_lines<'l>(
    tx: &WriteTx,
    game: u32,
    log: Extent,
    lines: impl Iterator<Item = &'l [u8]>,
) -> Result<Extent, TxError> {
    let (mut text, mut count) = (Vec::new(), log.lines);
    for line in lines {
        text.extend(line);
        text.push(b'\n');
        count = count.saturating_add(1);
    }
    let (mut number, used) = chunk_position(log.bytes)?;
    let mut piece = match used {
        0 => Vec::new(),
        _ => tx
            .get(Tree::Lines, Key::from_u32(game).with_u32(number).into_bytes())?
            .map_or_else(Vec::new, |p| p.to_vec()),
    };
    if piece.len() != used {
        return Err(missing_record_error(game).into());
    }
    let mut rest = text.as_slice();
    while !rest.is_empty() {
        let (now, later) = rest.split_at(rest.len().min(CHUNK_BYTES_MAX - piece.len()));
        piece.extend(now);
        tx.put(Tree::Lines, Key::from_u32(game).with_u32(number).into_bytes(), piece.as_slice())?;
        (piece, number, rest) = (Vec::new(), number + 1, later);
    }
    Ok(Extent { lines: count, bytes: log.bytes + text.len() as u64 })
}

impl Trees {
    /// Passes each chunked value in a range of a tree to `visit`, in order. `key_bytes` is the
    /// length of the value's own key, which the number of the chunk follows.
    pub(crate) fn for_each_chunked(
        &self,
        tree: Tree,
        range: impl RangeBounds<Vec<u8>>,
        key_bytes: usize,
        mut visit: impl FnMut(&[u8], &[u8]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut current = None::<(Vec<u8>, Vec<u8>)>;
        self.for_each(tree, range, |key, piece| {
            let (of, part) = key.split_at_checked(key_bytes).unwrap_or((key, &[]));
            match &mut current {
                Some((_, bytes)) if KeyReader(part).read_u32().is_ok_and(|part| part > 0) => {
                    bytes.extend(piece);
                    Ok(())
                }
                current => {
                    let before = current.replace((of.to_vec(), piece.to_vec()));
                    before.map_or(Ok(()), |(key, bytes)| visit(&key, &bytes))
                }
            }
        })?;
        current.map_or(Ok(()), |(key, bytes)| visit(&key, &bytes))
    }

    /// Reads the text of a game's log from byte `from` on. `log` is the extent that the log must
    /// have.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if a part of it is missing.
    pub(crate) fn read_log_text(
        &self,
        game: u32,
        log: Extent,
        from: u64,
    ) -> Result<Vec<u8>, StoreError> {
        let (number, before) = chunk_position(from)?;
        let (_, end) = keys_with_prefix(Key::from_u32(game).into_bytes());
        let start = Bound::Included(Key::from_u32(game).with_u32(number).into_bytes());
        let mut text = Vec::new();
        self.for_each(Tree::Lines, (start, end), |_, piece| {
            text.extend(piece);
            Ok(())
        })?;
        if text.len() as u64 + u64::from(number) * CHUNK_BYTES_MAX as u64 != log.bytes {
            return Err(missing_record_error(game));
        }
        text.drain(..before.min(text.len()));
        Ok(text)
    }
}

/// Returns the number of the chunk that holds a byte of a log, and the byte's offset in the chunk.
fn chunk_position(byte: u64) -> Result<(u32, usize), StoreError> {
    let number = u32::try_from(byte / CHUNK_BYTES_MAX as u64).map_err(StoreError::damaged)?;
    Ok((number, (byte % CHUNK_BYTES_MAX as u64) as usize))
}

/// Returns the error for a game of which a log line is missing.
pub(super) fn missing_record_error(game: u32) -> StoreError {
    StoreError::damaged(format_args!("a record of game {game} is missing"))
}
