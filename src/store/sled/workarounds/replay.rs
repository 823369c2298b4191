//! What sled will replay when it opens its file, read before it does.
//!
//! sled 0.34.7 takes whatever it cannot read for the torn end of a killed run: it goes on without
//! it, and overwrites it with zeros. So a flipped bit loses all that stands behind it, in silence
//! and for good. Here the same bytes are read first, and nothing is changed: segments of 512 KiB,
//! each with a header, hold messages, each with a checksum, at ever higher places (sled calls them
//! log sequence numbers). Knows nothing of what the messages say.

use crate::store::StoreError;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// How long a segment is. sled keeps it in its file `conf` and opens nothing with another one.
pub(in crate::store::sled) const SEGMENT: u64 = 512 * 1024;
/// How long a segment's header is.
pub(super) const HEAD: usize = 20;
/// The longest header of a message; where less is left of a segment, no message begins.
const MESSAGE_HEAD: u64 = 32;
/// So many bytes are read at once. Large buffers that are given back make the C library keep all
/// later large ones on its heap, where it writes zeros over those of sled that stay empty: six
/// megabytes of memory in every run.
pub(super) const READ_AT_ONCE: usize = 32 << 10;
/// The kind of a message that fills the rest of a segment.
const CAP: u8 = 2;
/// The highest kind of a message.
const LAST_KIND: u8 = 11;

/// What is read of sled's file: how far it is whole, from a place on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::store::sled) struct Tip {
    /// The place at which the next message would begin.
    pub place: u64,
    /// Where in the file the segment of that place begins, if it has one yet.
    segment: Option<u64>,
}

/// The error for a file that something else than sled has changed at this byte.
fn changed(at: u64) -> StoreError {
    let what =
        format_args!("its file `db` was changed at byte {at} by something else than postrider");
    StoreError::damaged(what)
}

/// How far the file of these segments is whole, read from the segment on in which `from` lies. What
/// a killed run left behind the place `until` is no fault, as it was never acknowledged.
///
/// # Errors
/// [`StoreError::Damaged`] if something is broken before the place `until`.
pub(super) fn tip(
    file: &File,
    segments: &Segments,
    from: u64,
    until: u64,
) -> Result<Tip, StoreError> {
    let segments = &segments.at;
    let first = from - from % SEGMENT;
    let mut tip = Tip { place: first, segment: None };
    for (base, at) in segments.range(first..) {
        tip = walk(file, Tip { place: base + HEAD as u64, segment: Some(*at) })?;
        let is_last = segments.range(base + 1..).next().is_none();
        if tip.place < base + SEGMENT && !is_last && tip.place < until {
            return Err(changed(at + tip.place - base));
        }
        if tip.place < base + SEGMENT {
            break;
        }
    }
    Ok(tip)
}

/// Returns how far the file `db` is whole now, if it was whole up to `tip` before.
pub(in crate::store::sled) fn further(db: &Path, mut tip: Tip) -> Result<Tip, StoreError> {
    let file = &File::open(db)?;
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

/// How far the file is whole now that sled has opened it and was whole up to `before`; none where
/// that cannot be told from the segment that was the last one. What sled takes back it gives up
/// from there on, with the headers of all segments behind.
pub(super) fn again(file: &File, before: Tip) -> Result<Option<Tip>, StoreError> {
    let Some(at) = before.segment else { return Ok(None) };
    let base = before.place - before.place % SEGMENT;
    let begins = head(file, at)?.and_then(|head| places(&head)).map(|(place, _)| place);
    if begins != Some(base) {
        return Ok(None);
    }
    let tip = walk(file, Tip { place: base + HEAD as u64, segment: Some(at) })?;
    // Behind its end another one may have been begun.
    Ok(Some(tip).filter(|tip| tip.segment.is_some()))
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
pub(super) fn segments(file: &File) -> Result<Segments, StoreError> {
    let length = file.metadata()?.len();
    let mut found = Segments::default();
    for at in (0..length).step_by(SEGMENT as usize) {
        // What is too short for a header was never one.
        let Some(head) = head(file, at)? else { break };
        // sled writes zeros over what it gives up.
        if head == [0; HEAD] {
            continue;
        }
        let (base, durable) = places(&head).ok_or_else(|| changed(at))?;
        found.durable = found.durable.max(durable);
        let first = *found.at.entry(base).or_insert(at);
        if first != at && read_segment(file, first)? != read_segment(file, at)? {
            return Err(changed(at));
        }
        found.is_half_moved |= first != at;
    }
    Ok(found)
}

/// The header at a place in the file; none where that ends before.
fn head(file: &File, at: u64) -> io::Result<Option<[u8; HEAD]>> {
    let mut head = [0; HEAD];
    match file.read_exact_at(&mut head, at) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        result => result.map(|()| Some(head)),
    }
}

/// Reads a whole segment. The bytes that the file lacks are zeros.
pub(super) fn read_segment(mut file: &File, at: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(SEGMENT as usize);
    file.seek(SeekFrom::Start(at))?;
    file.take(SEGMENT).read_to_end(&mut bytes)?;
    bytes.resize(SEGMENT as usize, 0);
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
fn walk(file: &File, tip: Tip) -> Result<Tip, StoreError> {
    let Tip { place, segment: Some(at) } = tip else { return Ok(tip) };
    let (base, mut offset) = (place - place % SEGMENT, place % SEGMENT);
    let mut reader = BufReader::with_capacity(READ_AT_ONCE, file);
    reader.seek(SeekFrom::Start(at + offset))?;
    while offset + MESSAGE_HEAD <= SEGMENT {
        let Some((kind, length)) = message(&mut reader, SEGMENT - offset, base / SEGMENT)? else {
            return Ok(Tip { place: base + offset, segment: Some(at) });
        };
        if kind == CAP {
            break;
        }
        offset += length;
    }
    Ok(Tip { place: base + SEGMENT, segment: None })
}

/// The kind and length of the message that is read next, if it is whole within so many bytes and
/// belongs into the segment with this number.
fn message(
    reader: &mut BufReader<&File>,
    most: u64,
    segment: u64,
) -> io::Result<Option<(u8, u64)>> {
    let mut bytes = Vec::with_capacity(MESSAGE_HEAD as usize);
    reader.take(MESSAGE_HEAD).read_to_end(&mut bytes)?;
    let Some((head, behind)) = Head::read(&bytes) else { return Ok(None) };
    let length = (bytes.len() - behind.len()) as u64;
    if head.body > most.saturating_sub(length) || head.segment != segment {
        return Ok(None);
    }
    reader.seek_relative(-(behind.len() as i64))?;
    let mut hasher = crc32fast::Hasher::new();
    let is_whole = hash(&mut hasher, reader, head.body)?;
    hasher.update(&bytes[size_of_val(&head.sum)..length as usize]);
    let sound = is_whole && !hasher.finalize() == head.sum && (1..=LAST_KIND).contains(&head.kind);
    Ok(sound.then_some((head.kind, length + head.body)))
}

/// What a message begins with.
struct Head {
    /// Of its body and of what follows here.
    sum: u32,
    kind: u8,
    /// How many bytes its body has.
    body: u64,
    /// The number of the segment that it was written for.
    segment: u64,
}

impl Head {
    /// With what follows it in these bytes.
    fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (sum, rest) = bytes.split_first_chunk()?;
        let (kind, rest) = rest.split_first()?;
        let (body, rest) = number(rest)?;
        let (segment, rest) = number(rest)?;
        let (_page, rest) = number(rest)?;
        Some((Self { sum: u32::from_le_bytes(*sum), kind: *kind, body, segment }, rest))
    }
}

/// Hashes the next bytes of a reader. Returns `true` if the reader had that many bytes.
pub(super) fn hash(
    hasher: &mut crc32fast::Hasher,
    reader: &mut impl BufRead,
    bytes: u64,
) -> io::Result<bool> {
    let mut part = reader.take(bytes);
    loop {
        let read = match part.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        let length = read.len();
        if length == 0 {
            return Ok(part.limit() == 0);
        }
        hasher.update(read);
        part.consume(length);
    }
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
