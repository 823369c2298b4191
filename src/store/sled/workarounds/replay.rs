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
pub(in crate::store::sled) const SEGMENT_BYTES: u64 = 512 * 1024;
/// How long a segment's header is.
pub(super) const SEGMENT_HEADER_BYTES: usize = 20;
/// The longest header of a message; where less is left of a segment, no message begins.
const MESSAGE_HEADER_MAX: u64 = 32;
/// So many bytes are read at once. Large buffers that are given back make the C library keep all
/// later large ones on its heap, where it writes zeros over those of sled that stay empty: six
/// megabytes of memory in every run.
pub(super) const READ_BUFFER_BYTES: usize = 32 << 10;
/// The kind of a message that fills the rest of a segment.
const PADDING_KIND: u8 = 2;
/// The highest kind of a message.
const MESSAGE_KIND_MAX: u8 = 11;

/// What is read of sled's file: how far it is whole, from a place on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::store::sled) struct LogEnd {
    /// The place at which the next message would begin.
    pub lsn: u64,
    /// Where in the file the segment of that place begins, if it has one yet.
    segment_offset: Option<u64>,
}

/// The error for a file that something else than sled has changed at this byte.
fn foreign_change_error(at: u64) -> StoreError {
    let what =
        format_args!("its file `db` was changed at byte {at} by something else than postrider");
    StoreError::damaged(what)
}

/// How far the file of these segments is whole, read from the segment on in which `from` lies. What
/// a killed run left behind the place `until` is no fault, as it was never acknowledged.
///
/// # Errors
/// [`StoreError::Damaged`] if something is broken before the place `until`.
pub(super) fn find_log_end(
    file: &File,
    segments: &SegmentMap,
    from: u64,
    until: u64,
) -> Result<LogEnd, StoreError> {
    let segments = &segments.offsets;
    let first = from - from % SEGMENT_BYTES;
    let mut tip = LogEnd { lsn: first, segment_offset: None };
    for (base, at) in segments.range(first..) {
        tip = read_messages(
            file,
            LogEnd { lsn: base + SEGMENT_HEADER_BYTES as u64, segment_offset: Some(*at) },
        )?;
        let is_last = segments.range(base + 1..).next().is_none();
        if tip.lsn < base + SEGMENT_BYTES && !is_last && tip.lsn < until {
            return Err(foreign_change_error(at + tip.lsn - base));
        }
        if tip.lsn < base + SEGMENT_BYTES {
            break;
        }
    }
    Ok(tip)
}

/// Returns how far the file `db` is whole now, if it was whole up to `tip` before.
pub(in crate::store::sled) fn extend_log_end(
    db: &Path,
    mut tip: LogEnd,
) -> Result<LogEnd, StoreError> {
    let file = &File::open(db)?;
    loop {
        let before = tip;
        tip = match tip.segment_offset {
            Some(_) => read_messages(file, tip)?,
            None => match read_segment_map(file)?.offsets.get(&tip.lsn) {
                Some(at) => {
                    LogEnd { lsn: tip.lsn + SEGMENT_HEADER_BYTES as u64, segment_offset: Some(*at) }
                }
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
pub(super) fn recheck_log_end(file: &File, before: LogEnd) -> Result<Option<LogEnd>, StoreError> {
    let Some(at) = before.segment_offset else { return Ok(None) };
    let base = before.lsn - before.lsn % SEGMENT_BYTES;
    let begins =
        read_header(file, at)?.and_then(|head| parse_header(&head)).map(|(place, _)| place);
    if begins != Some(base) {
        return Ok(None);
    }
    let tip = read_messages(
        file,
        LogEnd { lsn: base + SEGMENT_HEADER_BYTES as u64, segment_offset: Some(at) },
    )?;
    // Behind its end another one may have been begun.
    Ok(Some(tip).filter(|tip| tip.segment_offset.is_some()))
}

/// The segments that hold something.
#[derive(Debug, Default)]
pub(super) struct SegmentMap {
    /// At which place each begins, and where in the file.
    pub offsets: BTreeMap<u64, u64>,
    /// Whether one of them is there once more farther behind: see [`holes`](super::holes).
    pub(crate) has_duplicate: bool,
    /// The place up to which all was durable when the last of them was begun.
    durable_lsn: u64,
}

impl SegmentMap {
    /// Whether sled finds all that stands before a place without its snapshot too. Then it reads
    /// on from the segment of the place that was durable when the last one was begun. Where that
    /// segment has been given up meanwhile it takes the file for empty, and empties it.
    pub(crate) fn can_recover_to(&self, place: u64) -> bool {
        let first = self.durable_lsn - self.durable_lsn % SEGMENT_BYTES;
        let mut bases = (first..place.max(first + 1)).step_by(SEGMENT_BYTES as usize);
        self.offsets.is_empty() || bases.all(|base| self.offsets.contains_key(&base))
    }
}

/// The segments of a file that hold something.
pub(super) fn read_segment_map(file: &File) -> Result<SegmentMap, StoreError> {
    let length = file.metadata()?.len();
    let mut found = SegmentMap::default();
    for at in (0..length).step_by(SEGMENT_BYTES as usize) {
        // What is too short for a header was never one.
        let Some(head) = read_header(file, at)? else { break };
        // sled writes zeros over what it gives up.
        if head == [0; SEGMENT_HEADER_BYTES] {
            continue;
        }
        let (base, durable) = parse_header(&head).ok_or_else(|| foreign_change_error(at))?;
        found.durable_lsn = found.durable_lsn.max(durable);
        let first = *found.offsets.entry(base).or_insert(at);
        if first != at && read_segment(file, first)? != read_segment(file, at)? {
            return Err(foreign_change_error(at));
        }
        found.has_duplicate |= first != at;
    }
    Ok(found)
}

/// The header at a place in the file; none where that ends before.
fn read_header(file: &File, at: u64) -> io::Result<Option<[u8; SEGMENT_HEADER_BYTES]>> {
    let mut head = [0; SEGMENT_HEADER_BYTES];
    match file.read_exact_at(&mut head, at) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        result => result.map(|()| Some(head)),
    }
}

/// Reads a whole segment. The bytes that the file lacks are zeros.
pub(super) fn read_segment(mut file: &File, at: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(SEGMENT_BYTES as usize);
    file.seek(SeekFrom::Start(at))?;
    file.take(SEGMENT_BYTES).read_to_end(&mut bytes)?;
    bytes.resize(SEGMENT_BYTES as usize, 0);
    Ok(bytes)
}

/// The place at which a segment with this header begins, and the one up to which all was durable
/// then.
fn parse_header(head: &[u8; SEGMENT_HEADER_BYTES]) -> Option<(u64, u64)> {
    let (sum, rest) = head.split_first_chunk()?;
    let (base, durable) = rest.split_first_chunk()?;
    let base = u64::from_le_bytes(*base) ^ i64::MAX as u64;
    let (durable, _) = durable.split_first_chunk()?;
    // It is -1 where nothing was.
    let durable = (i64::from_le_bytes(*durable) ^ i64::MAX).max(0) as u64;
    let sound = !u32::from_le_bytes(*sum) == crc32fast::hash(rest);
    (sound && base.is_multiple_of(SEGMENT_BYTES)).then_some((base, durable))
}

/// Reads on in a segment, message by message, until its end or the first that is none.
fn read_messages(file: &File, tip: LogEnd) -> Result<LogEnd, StoreError> {
    let LogEnd { lsn: place, segment_offset: Some(at) } = tip else { return Ok(tip) };
    let (base, mut offset) = (place - place % SEGMENT_BYTES, place % SEGMENT_BYTES);
    let mut reader = BufReader::with_capacity(READ_BUFFER_BYTES, file);
    reader.seek(SeekFrom::Start(at + offset))?;
    while offset + MESSAGE_HEADER_MAX <= SEGMENT_BYTES {
        let Some((kind, length)) =
            read_message(&mut reader, SEGMENT_BYTES - offset, base / SEGMENT_BYTES)?
        else {
            return Ok(LogEnd { lsn: base + offset, segment_offset: Some(at) });
        };
        if kind == PADDING_KIND {
            break;
        }
        offset += length;
    }
    Ok(LogEnd { lsn: base + SEGMENT_BYTES, segment_offset: None })
}

/// The kind and length of the message that is read next, if it is whole within so many bytes and
/// belongs into the segment with this number.
fn read_message(
    reader: &mut BufReader<&File>,
    most: u64,
    segment: u64,
) -> io::Result<Option<(u8, u64)>> {
    let mut bytes = Vec::with_capacity(MESSAGE_HEADER_MAX as usize);
    reader.take(MESSAGE_HEADER_MAX).read_to_end(&mut bytes)?;
    let Some((head, behind)) = MessageHeader::parse(&bytes) else { return Ok(None) };
    let length = (bytes.len() - behind.len()) as u64;
    if head.body_bytes > most.saturating_sub(length) || head.segment_number != segment {
        return Ok(None);
    }
    reader.seek_relative(-(behind.len() as i64))?;
    let mut hasher = crc32fast::Hasher::new();
    let is_whole = hash_bytes(&mut hasher, reader, head.body_bytes)?;
    hasher.update(&bytes[size_of_val(&head.checksum)..length as usize]);
    let sound = is_whole
        && !hasher.finalize() == head.checksum
        && (1..=MESSAGE_KIND_MAX).contains(&head.kind);
    Ok(sound.then_some((head.kind, length + head.body_bytes)))
}

/// What a message begins with.
struct MessageHeader {
    /// Of its body and of what follows here.
    checksum: u32,
    kind: u8,
    /// How many bytes its body has.
    body_bytes: u64,
    /// The number of the segment that it was written for.
    segment_number: u64,
}

impl MessageHeader {
    /// With what follows it in these bytes.
    fn parse(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (sum, rest) = bytes.split_first_chunk()?;
        let (kind, rest) = rest.split_first()?;
        let (body, rest) = parse_number(rest)?;
        let (segment, rest) = parse_number(rest)?;
        let (_page, rest) = parse_number(rest)?;
        Some((
            Self {
                checksum: u32::from_le_bytes(*sum),
                kind: *kind,
                body_bytes: body,
                segment_number: segment,
            },
            rest,
        ))
    }
}

/// Hashes the next bytes of a reader. Returns `true` if the reader had that many bytes.
pub(super) fn hash_bytes(
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
fn parse_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
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
