//! Finds the files in a club's folder that still hold an address after it was erased from the club:
//! letters, stores that a restore moved aside, backups. The moderator has to delete them.
//!
//! May not know what is in a store.

use super::context::{ClubError, read_settings};
use crate::club::{DepartedMember, Member, PersonalDataEraser};
use crate::mail::Maildir;
use crate::mail::address::address_spellings;
use data_encoding::BASE64;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The number of bytes of a file that are searched at a time.
const CHUNK_BYTES: usize = 1 << 20;
/// The number of bytes that consecutive chunks share, so that an address across their border is
/// found. Longer than any encoded address.
const CHUNK_OVERLAP: usize = 2_000;

/// A kind of file that can hold an erased address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftoverKind {
    /// Incoming letters.
    Inbox,
    /// Letters that are on their way out.
    Outbox,
    /// A store or journal that a restore or a migration moved aside.
    MovedAside,
    /// Game logs in which a moderator's reason names the member.
    Logs,
    /// Any other file: settings, a campaign file, a backup.
    Other,
}

/// Finds the files in a club's folder that hold an address of this former member, plain or in the
/// encodings of mail. Also finds the game logs that hold the member's name. Does not open
/// compressed files.
///
/// # Errors
/// If a file cannot be read.
pub fn find_files_with_member_data(
    folder: &Path,
    member: &Member,
) -> Result<BTreeMap<LeftoverKind, Vec<PathBuf>>, ClubError> {
    let settings = read_settings(folder)?;
    let maildir = |path: &str| Maildir::new(folder.join(path)).root().to_owned();
    let inbox = maildir(&settings.mail_in.maildir);
    let outbox = settings.mail_out.maildir.as_deref().map(maildir);
    let kind = |path: &Path| {
        let own = path.strip_prefix(folder).unwrap_or(path);
        let first = own.iter().next().unwrap_or_default().to_string_lossy();
        let aside = ["store.damaged", "store.before", "journal.before"];
        match () {
            () if path.starts_with(&inbox) => LeftoverKind::Inbox,
            () if outbox.as_ref().is_some_and(|outbox| path.starts_with(outbox)) => {
                LeftoverKind::Outbox
            }
            () if aside.iter().any(|aside| first.starts_with(aside)) => LeftoverKind::MovedAside,
            () if own.starts_with("journal/games") => LeftoverKind::Logs,
            () => LeftoverKind::Other,
        }
    };
    let patterns = AddressPatterns::for_addresses(&member.addresses);
    let former = DepartedMember { name: member.name.clone(), addresses: member.addresses.clone() };
    let traces = PersonalDataEraser::new(&former, "", []);
    let mut roots = vec![folder.to_owned()];
    roots.extend([Some(inbox.clone()), outbox.clone()].into_iter().flatten());
    let (mut found, mut seen) = (BTreeMap::<_, Vec<PathBuf>>::new(), HashSet::new());
    while let Some(path) = roots.pop() {
        let failed = |error| ClubError::for_path(&path, error);
        let data = match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            data => data.map_err(failed)?,
        };
        if data.is_dir() {
            for entry in path.read_dir().map_err(failed)? {
                roots.push(entry.map_err(failed)?.path());
            }
        } else if data.is_file() && seen.insert(path.clone()) {
            let kind = kind(&path);
            let holds = match kind {
                LeftoverKind::Logs => log_has_member_name(&path, &traces).map_err(failed)?,
                _ => patterns.occurs_in_file(&path).map_err(failed)?,
            };
            if holds {
                found.entry(kind).or_default().push(path);
            }
        }
    }
    found.values_mut().for_each(|files| files.sort());
    Ok(found)
}

fn log_has_member_name(log: &Path, traces: &PersonalDataEraser<'_>) -> io::Result<bool> {
    let text = String::from_utf8_lossy(&std::fs::read(log)?).into_owned();
    Ok(traces.erase_from_text(&text).is_some())
}

/// Byte patterns that addresses can have in files.
struct AddressPatterns {
    /// The addresses in lower case.
    plain: Vec<Vec<u8>>,
    /// The addresses in base64. There are three forms of each, because the encoding depends on the
    /// position in the text.
    base64: Vec<Vec<u8>>,
}

impl AddressPatterns {
    fn for_addresses(addresses: &[String]) -> Self {
        let addresses: Vec<String> =
            addresses.iter().flat_map(|address| address_spellings(address)).collect();
        let plain = addresses.iter().map(|address| address.to_ascii_lowercase().into_bytes());
        let encoded = |address: &String| {
            let address = address.clone();
            (0..3).map(move |before| {
                let text = [&b"   "[..before], address.as_bytes()].concat();
                // The first and last characters are left out, because they depend on the text
                // around the address.
                let (first, whole) = ((before * 8).div_ceil(6), text.len() * 8 / 6);
                BASE64.encode(&text).as_bytes()[first..whole].to_vec()
            })
        };
        Self { plain: plain.collect(), base64: addresses.iter().flat_map(encoded).collect() }
    }

    /// Whether a file holds one of the addresses.
    fn occurs_in_file(&self, path: &Path) -> io::Result<bool> {
        let (mut file, mut bytes) = (File::open(path)?, Vec::new());
        loop {
            let read = (&mut file).take(CHUNK_BYTES as u64).read_to_end(&mut bytes)?;
            if self.occurs_in_bytes(&bytes) {
                return Ok(true);
            }
            if read == 0 {
                return Ok(false);
            }
            bytes.drain(..bytes.len().saturating_sub(CHUNK_OVERLAP));
        }
    }

    fn occurs_in_bytes(&self, bytes: &[u8]) -> bool {
        let unbroken: Vec<u8> = bytes.iter().copied().filter(|b| !b"\r\n".contains(b)).collect();
        let any = |patterns: &[Vec<u8>], bytes: &[u8]| {
            patterns.iter().any(|pattern| contains_bytes(bytes, pattern))
        };
        let lower = bytes.to_ascii_lowercase();
        any(&self.plain, &lower)
            || any(&self.plain, &decode_quoted_printable(&lower))
            || any(&self.base64, &unbroken)
    }
}

/// Whether `bytes` contains `pattern`.
fn contains_bytes(bytes: &[u8], pattern: &[u8]) -> bool {
    let Some(first) = pattern.first() else { return false };
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| byte == first) {
        rest = &rest[at..];
        if rest.starts_with(pattern) {
            return true;
        }
        rest = &rest[1..];
    }
    false
}

/// Decodes quoted-printable: removes soft line breaks and replaces hexadecimal codes. Expects lower
/// case.
fn decode_quoted_printable(text: &[u8]) -> Vec<u8> {
    let (mut plain, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some((byte, after)) = rest.split_first() {
        let hex = |digit: &u8| char::from(*digit).to_digit(16);
        rest = match (byte, after) {
            (b'=', [b'\r', b'\n', after @ ..] | [b'\n', after @ ..]) => after,
            (b'=', [high, low, after @ ..]) if hex(high).is_some() && hex(low).is_some() => {
                let code = hex(high).zip(hex(low)).map_or(0, |(high, low)| high * 16 + low);
                plain.extend(u8::try_from(code).ok());
                after
            }
            _ => {
                plain.push(*byte);
                after
            }
        };
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_is_found_in_every_mail_encoding() {
        let patterns = AddressPatterns::for_addresses(&["ann@example.org".to_owned()]);
        for before in ["", "x", "xy", "xyz"] {
            let text = format!("{before}Hello <ann@example.org>, how are you today, dear?");
            let base64 = BASE64.encode(text.as_bytes());
            let (head, tail) = base64.split_at(30);
            for letter in [&text, &text.to_uppercase(), &format!("{head}\r\n{tail}")] {
                assert!(patterns.occurs_in_bytes(letter.as_bytes()), "{letter}");
            }
        }
        for text in ["ann=40example.org", "ann@exam=\r\nple.org", "a=6en@exa=\nmple.org"] {
            assert!(patterns.occurs_in_bytes(text.as_bytes()), "{text}");
        }
        assert!(!patterns.occurs_in_bytes(b"bob@example.org YW5u ann@example.=3D"));
        let home = crate::testing::create_folder();
        let path = home.path().join("large");
        let large = |at: usize| [vec![b'x'; at], b"ann@example.org".to_vec()].concat();
        for at in [CHUNK_BYTES - 7, CHUNK_BYTES, 3 * CHUNK_BYTES - 2] {
            std::fs::write(&path, large(at)).unwrap();
            assert!(patterns.occurs_in_file(&path).unwrap(), "{at}");
        }
        std::fs::write(&path, vec![b'x'; 3 * CHUNK_BYTES]).unwrap();
        assert!(!patterns.occurs_in_file(&path).unwrap());
    }
}
