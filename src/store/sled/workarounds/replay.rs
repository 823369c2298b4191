//! Reading sled's file as sled will replay it, before sled opens it.
//!
//! sled 0.34.7 takes everything that it cannot read for the torn end of a killed run. It continues
//! without that data and overwrites it with zeros. So one flipped bit silently loses everything
//! behind it. This module reads the file first and changes nothing.
//!
//! The file consists of segments of 512 KiB, each with a header. A segment holds messages, each
//! with a checksum. Each message has a position, which sled calls its log sequence number (LSN).
//! Positions only increase.

use crate::store::StoreError;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The length of a segment in bytes. sled notes it in its file `conf` and opens no file with
/// another one.
pub(in crate::store::sled) const SEGMENT_BYTES: u64 = 512 * 1024;
pub(super) const SEGMENT_HEADER_BYTES: usize = 20;
/// The greatest length of a message's header in bytes. sled begins no message if less is left of a
/// segment.
const MESSAGE_HEADER_MAX: u64 = 32;
/// The size of a read buffer in bytes. After a large buffer is freed, the C library takes later
/// large buffers from its heap, and fills them with zeros. sled's large empty buffers would then
/// use six megabytes of memory in every run.
pub(super) const READ_BUFFER_BYTES: usize = 32 << 10;
/// The number of the kind of message that fills the rest of a segment.
const PADDING_KIND: u8 = 2;
const MESSAGE_KIND_MAX: u8 = 11;

/// The end of the intact part of sled's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::store::sled) struct LogEnd {
    /// The position (LSN) at which the next message would begin.
    pub lsn: u64,
    /// The offset in sled's file of the segment with this position; `None` if the segment does not
    /// exist yet.
    segment_offset: Option<u64>,
}

impl LogEnd {
    /// Whether the next segment may follow. If exactly [`MESSAGE_HEADER_MAX`] bytes of a segment
    /// are left, sled begins the next one at the next opening, without a message that ends this
    /// one.
    fn is_at_segment_end(self) -> bool {
        self.lsn.next_multiple_of(SEGMENT_BYTES) - self.lsn <= MESSAGE_HEADER_MAX
    }
}

/// Returns the error for a store whose file `db` was changed at this byte by another program.
fn changed_by_other_program_error(at: u64) -> StoreError {
    let what =
        format_args!("its file `db` was changed at byte {at} by a program other than postrider");
    StoreError::damaged(what)
}

/// Returns how far sled's file is intact, read from the segment of position `from` on. Damage after
/// position `until` is no error: it was left by a killed run and never acknowledged.
///
/// # Errors
/// [`StoreError::Damaged`] if the file is damaged before position `until`.
pub(super) fn find_intact_end(
    file: &File,
    segments: &SegmentMap,
    from: u64,
    until: u64,
) -> Result<LogEnd, StoreError> {
    let segments = &segments.offsets;
    let first = from - from % SEGMENT_BYTES;
    let mut tip = LogEnd { lsn: first, segment_offset: None };
    for (base, at) in segments.range(first..) {
        tip = skip_valid_messages(
            file,
            LogEnd { lsn: base + SEGMENT_HEADER_BYTES as u64, segment_offset: Some(*at) },
        )?;
        let is_last = segments.range(base + 1..).next().is_none();
        if tip.lsn < base + SEGMENT_BYTES && !is_last && tip.lsn < until {
            return Err(changed_by_other_program_error(at + tip.lsn - base));
        }
        if tip.lsn < base + SEGMENT_BYTES {
            break;
        }
    }
    Ok(tip)
}

/// Returns how far sled's file is intact after a write, if it was intact up to `tip` before. Reads
/// only from `tip` on.
pub(in crate::store::sled) fn find_intact_end_after_write(
    db: &Path,
    mut tip: LogEnd,
) -> Result<LogEnd, StoreError> {
    let file = &File::open(db)?;
    loop {
        tip = skip_valid_messages(file, tip)?;
        if !tip.is_at_segment_end() {
            return Ok(tip);
        }
        let base = tip.lsn.next_multiple_of(SEGMENT_BYTES);
        let Some(at) = read_segment_map(file)?.offsets.get(&base).copied() else { return Ok(tip) };
        tip = LogEnd { lsn: base + SEGMENT_HEADER_BYTES as u64, segment_offset: Some(at) };
    }
}

/// Returns how far sled's file is intact after sled has opened it, if it was intact up to `before`
/// earlier. Reads only the segment that was the last one; returns `None` if that segment does not
/// show the end. If sled takes back a torn commit, it discards everything from there on, with the
/// headers of all later segments.
pub(super) fn find_end_in_last_segment(
    file: &File,
    before: LogEnd,
) -> Result<Option<LogEnd>, StoreError> {
    let Some(at) = before.segment_offset else { return Ok(None) };
    let base = before.lsn - before.lsn % SEGMENT_BYTES;
    let begins =
        read_header(file, at)?.and_then(|head| parse_header(&head)).map(|(place, _)| place);
    if begins != Some(base) {
        return Ok(None);
    }
    let tip = skip_valid_messages(
        file,
        LogEnd { lsn: base + SEGMENT_HEADER_BYTES as u64, segment_offset: Some(at) },
    )?;
    // If the segment is full, another one may follow.
    Ok(Some(tip).filter(|tip| tip.segment_offset.is_some()))
}

/// The segments of sled's file that hold data.
#[derive(Debug, Default)]
pub(super) struct SegmentMap {
    /// The offset of each segment in sled's file, by the position at which the segment begins.
    pub offsets: BTreeMap<u64, u64>,
    /// Whether a segment is in the file twice, because closing [holes](super::holes) was
    /// interrupted.
    pub(crate) has_duplicate: bool,
    /// The highest position that a segment's header names as durable when the segment was begun.
    durable_lsn: u64,
}

impl SegmentMap {
    /// Whether sled can recover everything before `place` without its snapshot. It then starts from
    /// the segment of the position that was durable when the last segment was begun. If that
    /// segment has been freed since, sled takes the file for empty, and empties it.
    pub(crate) fn can_recover_without_snapshot(&self, place: u64) -> bool {
        let first = self.durable_lsn - self.durable_lsn % SEGMENT_BYTES;
        let mut bases = (first..place.max(first + 1)).step_by(SEGMENT_BYTES as usize);
        self.offsets.is_empty() || bases.all(|base| self.offsets.contains_key(&base))
    }
}

/// Reads the headers of all segments of sled's file. Fails if a header is damaged.
pub(super) fn read_segment_map(file: &File) -> Result<SegmentMap, StoreError> {
    let length = file.metadata()?.len();
    let mut found = SegmentMap::default();
    for at in (0..length).step_by(SEGMENT_BYTES as usize) {
        // The rest of the file is shorter than a header, so no segment begins here.
        let Some(head) = read_header(file, at)? else { break };
        // sled fills freed segments with zeros.
        if head == [0; SEGMENT_HEADER_BYTES] {
            continue;
        }
        let (base, durable) =
            parse_header(&head).ok_or_else(|| changed_by_other_program_error(at))?;
        found.durable_lsn = found.durable_lsn.max(durable);
        let first = *found.offsets.entry(base).or_insert(at);
        if first != at && read_segment(file, first)? != read_segment(file, at)? {
            return Err(changed_by_other_program_error(at));
        }
        found.has_duplicate |= first != at;
    }
    Ok(found)
}

/// Reads the header of the segment at an offset; `None` if the file ends before the header does.
fn read_header(file: &File, at: u64) -> io::Result<Option<[u8; SEGMENT_HEADER_BYTES]>> {
    let mut head = [0; SEGMENT_HEADER_BYTES];
    match file.read_exact_at(&mut head, at) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        result => result.map(|()| Some(head)),
    }
}

/// Reads a whole segment of sled's file. Bytes beyond the end of the file are zeros.
pub(super) fn read_segment(mut file: &File, at: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(SEGMENT_BYTES as usize);
    file.seek(SeekFrom::Start(at))?;
    file.take(SEGMENT_BYTES).read_to_end(&mut bytes)?;
    bytes.resize(SEGMENT_BYTES as usize, 0);
    Ok(bytes)
}

/// Returns the position at which a segment begins, and the position that was durable then; `None`
/// if the header's checksum is wrong.
fn parse_header(head: &[u8; SEGMENT_HEADER_BYTES]) -> Option<(u64, u64)> {
    let (sum, rest) = head.split_first_chunk()?;
    let (base, durable) = rest.split_first_chunk()?;
    let base = u64::from_le_bytes(*base) ^ i64::MAX as u64;
    let (durable, _) = durable.split_first_chunk()?;
    // The durable position is -1 if nothing was durable.
    let durable = (i64::from_le_bytes(*durable) ^ i64::MAX).max(0) as u64;
    let sound = !u32::from_le_bytes(*sum) == crc32fast::hash(rest);
    (sound && base.is_multiple_of(SEGMENT_BYTES)).then_some((base, durable))
}

/// Reads and checks messages from `tip` on, until the segment ends or a message is not valid.
/// Returns the new end.
fn skip_valid_messages(file: &File, tip: LogEnd) -> Result<LogEnd, StoreError> {
    let LogEnd { lsn: place, segment_offset: Some(at) } = tip else { return Ok(tip) };
    let (base, mut offset) = (place - place % SEGMENT_BYTES, place % SEGMENT_BYTES);
    let mut reader = BufReader::with_capacity(READ_BUFFER_BYTES, file);
    reader.seek(SeekFrom::Start(at + offset))?;
    while offset + MESSAGE_HEADER_MAX <= SEGMENT_BYTES {
        let Some((kind, length)) =
            read_valid_message(&mut reader, SEGMENT_BYTES - offset, base / SEGMENT_BYTES)?
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

/// Reads and checks the next message, and returns its kind and length. Returns `None` if it is not
/// valid, is longer than `most` bytes, or does not belong to this segment.
fn read_valid_message(
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

/// The header of a message in sled's file.
struct MessageHeader {
    /// The checksum of the message's body and of the rest of its header.
    checksum: u32,
    kind: u8,
    body_bytes: u64,
    /// The number of the segment for which the message was written.
    segment_number: u64,
}

impl MessageHeader {
    /// Parses the header of a message. Returns it with the bytes that follow.
    fn parse(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (sum, rest) = bytes.split_first_chunk()?;
        let (kind, rest) = rest.split_first()?;
        let (body, rest) = parse_variable_length_number(rest)?;
        let (segment, rest) = parse_variable_length_number(rest)?;
        let (_page, rest) = parse_variable_length_number(rest)?;
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

/// Parses a number in sled's encoding of one to nine bytes. Returns it with the bytes that follow.
fn parse_variable_length_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
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
