//! What sled will replay when it opens its file, read before it does.
//!
//! sled 0.34.7 takes whatever it cannot read for the torn end of a killed run: it goes on without
//! it, and overwrites it with zeros. So a flipped bit loses all that stands behind it, in silence
//! and for good. Here the same bytes are read first, and nothing is changed: segments of 512 KiB,
//! each with a header, hold messages, each with a checksum, at ever higher places (sled calls them
//! log sequence numbers). Knows nothing of what the messages say.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// How long a segment is. sled keeps it in its file `conf` and opens nothing with another one.
pub(super) const SEGMENT: u64 = 512 * 1024;
/// How long a segment's header is.
pub(super) const HEAD: usize = 20;
/// The longest header of a message; where less is left of a segment, no message begins.
const MESSAGE_HEAD: usize = 32;
/// The kind of a message that fills the rest of a segment.
const CAP: u8 = 2;
/// The highest kind of a message.
const LAST_KIND: u8 = 11;

/// What is read of sled's file: how far it is whole, from a place on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tip {
    /// The place at which the next message would begin.
    pub place: u64,
    /// Where in the file the segment of that place begins, if it has one yet.
    segment: Option<u64>,
}

/// Why a file cannot be what sled left.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    /// The file system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It has been changed by something else than sled.
    #[error("its file `db` was changed at byte {0} by something else than postrider")]
    Changed(u64),
}

/// How far the file is whole, read from the segment on in which `from` lies. What a killed run left
/// behind the place `until` is no fault, as it was never acknowledged.
///
/// # Errors
/// [`Fault::Changed`] where something is broken before the place `until`.
pub(super) fn tip(file: &File, from: u64, until: u64) -> Result<Tip, Fault> {
    let segments = segments(file)?.at;
    let first = from - from % SEGMENT;
    let mut tip = Tip { place: first, segment: None };
    for (base, at) in segments.range(first..) {
        tip = walk(file, Tip { place: base + HEAD as u64, segment: Some(*at) })?;
        let is_last = segments.range(base + 1..).next().is_none();
        if tip.place < base + SEGMENT && !is_last && tip.place < until {
            return Err(Fault::Changed(at + tip.place - base));
        }
        if tip.place < base + SEGMENT {
            break;
        }
    }
    Ok(tip)
}

/// How far the file is whole by now that was whole up to `tip` before.
pub(super) fn further(file: &File, mut tip: Tip) -> Result<Tip, Fault> {
    loop {
        let before = tip;
        tip = match tip.segment {
            Some(_) => walk(file, tip)?,
            None => match segments(file)?.at.get(&tip.place) {
                Some(at) => Tip { place: tip.place + HEAD as u64, segment: Some(*at) },
                None => tip,
            },
        };
        if tip == before {
            return Ok(tip);
        }
    }
}

/// The segments that hold something.
#[derive(Debug, Default)]
pub(super) struct Segments {
    /// At which place each begins, and where in the file.
    pub at: BTreeMap<u64, u64>,
    /// Whether one of them is there once more farther behind: see [`holes`](super::holes).
    pub(crate) is_half_moved: bool,
    /// The place up to which all was durable when the last of them was begun.
    durable: u64,
}

impl Segments {
    /// Whether sled finds all that stands before a place without its snapshot too. Then it reads
    /// on from the segment of the place that was durable when the last one was begun. Where that
    /// segment has been given up meanwhile it takes the file for empty, and empties it.
    pub(crate) fn are_found_up_to(&self, place: u64) -> bool {
        let first = self.durable - self.durable % SEGMENT;
        let mut bases = (first..place.max(first + 1)).step_by(SEGMENT as usize);
        self.at.is_empty() || bases.all(|base| self.at.contains_key(&base))
    }
}

/// The segments of a file that hold something.
pub(super) fn segments(file: &File) -> Result<Segments, Fault> {
    let length = file.metadata()?.len();
    let mut found = Segments::default();
    for at in (0..length).step_by(SEGMENT as usize) {
        let mut head = [0; HEAD];
        match file.read_exact_at(&mut head, at) {
            // What is too short for a header was never one.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            result => result?,
        }
        // sled writes zeros over what it gives up.
        if head == [0; HEAD] {
            continue;
        }
        let (base, durable) = places(&head).ok_or(Fault::Changed(at))?;
        found.durable = found.durable.max(durable);
        let first = *found.at.entry(base).or_insert(at);
        if first != at && read_segment(file, first)? != read_segment(file, at)? {
            return Err(Fault::Changed(at));
        }
        found.is_half_moved |= first != at;
    }
    Ok(found)
}

/// A whole segment; what the file does not have of it is zeros.
pub(super) fn read_segment(file: &File, at: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; SEGMENT as usize];
    read_up_to(file, &mut bytes, at)?;
    Ok(bytes)
}

/// The place at which a segment with this header begins, and the one up to which all was durable
/// then.
fn places(head: &[u8; HEAD]) -> Option<(u64, u64)> {
    let (sum, rest) = head.split_first_chunk()?;
    let (base, durable) = rest.split_first_chunk()?;
    let base = u64::from_le_bytes(*base) ^ i64::MAX as u64;
    let (durable, _) = durable.split_first_chunk()?;
    // It is -1 where nothing was.
    let durable = (i64::from_le_bytes(*durable) ^ i64::MAX).max(0) as u64;
    let sound = !u32::from_le_bytes(*sum) == crc32fast::hash(rest);
    (sound && base.is_multiple_of(SEGMENT)).then_some((base, durable))
}

/// Reads on in a segment, message by message, until its end or the first that is none.
fn walk(file: &File, tip: Tip) -> Result<Tip, Fault> {
    let Tip { place, segment: Some(at) } = tip else { return Ok(tip) };
    let (base, mut offset) = (place - place % SEGMENT, (place % SEGMENT) as usize);
    let mut bytes = vec![0; SEGMENT as usize - offset];
    let read = read_up_to(file, &mut bytes, at + offset as u64)?;
    bytes.truncate(read);
    let mut rest = bytes.as_slice();
    while offset + MESSAGE_HEAD <= SEGMENT as usize {
        let Some((kind, length)) = message(rest, base / SEGMENT) else {
            return Ok(Tip { place: base + offset as u64, segment: Some(at) });
        };
        if kind == CAP {
            break;
        }
        offset += length;
        rest = &rest[length..];
    }
    Ok(Tip { place: base + SEGMENT, segment: None })
}

/// The kind and length of the message with which these bytes begin, if it is whole and belongs into
/// the segment with this number.
fn message(bytes: &[u8], segment: u64) -> Option<(u8, usize)> {
    let (sum, head) = bytes.split_first_chunk()?;
    let (kind, rest) = head.split_first()?;
    let (length, rest) = number(rest)?;
    let (number_of_segment, rest) = number(rest)?;
    let (_page, rest) = number(rest)?;
    let body = rest.get(..usize::try_from(length).ok()?)?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(body);
    hasher.update(&head[..head.len() - rest.len()]);
    let sound = !hasher.finalize() == u32::from_le_bytes(*sum)
        && (1..=LAST_KIND).contains(kind)
        && number_of_segment == segment;
    sound.then_some((*kind, bytes.len() - rest.len() + body.len()))
}

/// A number as sled writes it, in one to nine bytes, and what follows it.
fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (first, rest) = bytes.split_first()?;
    let byte = |at: usize| rest.get(at).copied().map(u64::from);
    let (number, length) = match u64::from(*first) {
        small @ 0..=240 => (small, 0),
        middle @ 241..=248 => (240 + 256 * (middle - 241) + byte(0)?, 1),
        249 => (2288 + 256 * byte(0)? + byte(1)?, 2),
        large => {
            let length = large as usize - 247;
            let number = (0..length).rev().try_fold(0, |n, at| Some(n << 8 | byte(at)?))?;
            (number, length)
        }
    };
    Some((number, rest.get(length..)?))
}

/// Fills the bytes as far as the file reaches; says how far.
fn read_up_to(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    let mut read = 0;
    while read < bytes.len() {
        match file.read_at(&mut bytes[read..], at + read as u64) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}
