//! A Maildir for incoming letters, with one file per letter. A letter stays pending until its
//! results are durable.
//!
//! Processed letters are archived in the subfolder `.done`, and letters for the moderator in
//! `.quarantine`. Any mail program can open both. No letter is deleted.

use super::{BYTES_MAX, LetterHash};
use crate::disk::{self, FileMode};
use chrono::{DateTime, Utc};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::FileType;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// The longest letter name, in bytes. A file name may have 255 bytes, and flags are added.
const NAME_MAX: usize = 240;
/// The number of readable characters that are kept of a longer name.
const READABLE_MAX: usize = 40;

/// A folder in Maildir format: subfolders `tmp`, `new` and `cur`, and one file per letter.
#[derive(Clone, Debug)]
pub struct Maildir {
    root: PathBuf,
}

/// A letter that is not processed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingLetter {
    /// The file name without its flags. It identifies the letter.
    pub name: String,
    /// The time at which the letter arrived: the file's modification time, which moving does not
    /// change. `None` if the file system does not provide it.
    pub received: Option<DateTime<Utc>>,
    /// The hash of the file's content, once it has been read. It shows whether another letter has
    /// reused the file name. `None` for a letter that is not in a file, because its name cannot be
    /// reused.
    pub content_hash: Option<LetterHash>,
    location: LetterLocation,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum LetterLocation {
    File(PathBuf),
    Memory(Arc<[u8]>),
    /// In the store. The caller loads the bytes by the letter's name.
    NotLoaded,
}

/// The subfolder in which a letter is archived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailFolder {
    /// The archive `.done`, for processed letters.
    Done,
    /// The archive `.quarantine`, for letters that the moderator must examine.
    Quarantine,
}

/// The folders of a Maildir, relative to its root, with the archive that each belongs to.
const FOLDERS: [(&str, Option<MailFolder>); 3] =
    [("", None), (".done", Some(MailFolder::Done)), (".quarantine", Some(MailFolder::Quarantine))];

impl MailFolder {
    const fn folder_name(self) -> &'static str {
        match self {
            Self::Done => ".done",
            Self::Quarantine => ".quarantine",
        }
    }
}

impl Maildir {
    /// Returns the Maildir at this path. The folder need not exist yet.
    pub const fn new(root: PathBuf) -> Self {
        Self { root }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Creates the missing folders of the Maildir.
    ///
    /// # Errors
    /// If the file system fails.
    pub fn create_folders(&self) -> io::Result<()> {
        for (folder, _) in FOLDERS {
            for part in ["tmp", "new", "cur"] {
                disk::create_folder(&self.root.join(folder).join(part))?;
            }
        }
        Ok(())
    }

    /// Iterates over all folders that can contain letters, including those of the archives.
    pub(crate) fn letter_folders(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let both = |folder| ["new", "cur"].map(|part| self.root.join(folder).join(part));
        FOLDERS.into_iter().flat_map(move |(folder, _)| both(folder))
    }

    /// Lists at most `limit` pending letters, ordered by name. They are in `new`, or in `cur` if
    /// somebody opened them with a mail program.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn pending_letters(&self, limit: usize) -> io::Result<Vec<PendingLetter>> {
        // Only regular files are letters. Reading something else, such as a pipe, might never end.
        let mut waiting = list_letters(&self.root, FileType::is_file)?;
        waiting.truncate(limit);
        for letter in &mut waiting {
            letter.received = letter.path().and_then(modified_at);
        }
        Ok(waiting)
    }

    /// Adds a letter to the Maildir. It is durable afterwards. Replaces a pending letter of this
    /// name. `received` is the time at which it arrived; the default is now.
    pub(crate) fn insert(
        &self,
        name: &str,
        bytes: &[u8],
        received: Option<DateTime<Utc>>,
    ) -> io::Result<()> {
        self.write_durably(name, &self.root.join("new").join(name), bytes, received)
    }

    /// Writes a letter that is not in a file to the pending letters or to an archive. It is durable
    /// afterwards. Replaces a file of this name.
    pub(crate) fn write_letter_without_file(
        &self,
        letter: &PendingLetter,
        to: Option<MailFolder>,
    ) -> io::Result<()> {
        let bytes = letter.read(usize::MAX)?;
        let path = match to {
            Some(mail_folder) => self.path_in_archive(letter, mail_folder),
            None => self.root.join("new").join(&letter.name),
        };
        self.write_durably(&letter.name, &path, &bytes, letter.received)
    }

    fn write_durably(
        &self,
        name: &str,
        path: &Path,
        bytes: &[u8],
        received: Option<DateTime<Utc>>,
    ) -> io::Result<()> {
        let staging = self.root.join("tmp").join(name);
        let seconds = received.and_then(|at| u64::try_from(at.timestamp()).ok());
        let received =
            seconds.and_then(|s| SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(s)));
        disk::write_atomically_with_mtime(&staging, path, bytes, FileMode::OwnerOnly, received)
    }

    /// Returns the names of all letters, each with its archive, or with `None` if it is pending.
    pub(crate) fn letter_names_with_archives(
        &self,
    ) -> io::Result<HashMap<String, Option<MailFolder>>> {
        let mut names = HashMap::new();
        for (folder, mail_folder) in FOLDERS {
            for part in ["new", "cur"] {
                for entry in std::fs::read_dir(self.root.join(folder).join(part))? {
                    names.insert(unflagged_file_name(&entry?.file_name()), mail_folder);
                }
            }
        }
        Ok(names)
    }

    /// Lists the letters in an archive, ordered by name. Includes entries that cannot be read, so
    /// that the moderator learns of them.
    pub(crate) fn archived_letters(
        &self,
        mail_folder: MailFolder,
    ) -> io::Result<Vec<PendingLetter>> {
        list_letters(&self.root.join(mail_folder.folder_name()), |kind| !kind.is_dir())
    }

    /// Returns the path of a letter's file in an archive.
    pub(crate) fn path_in_archive(
        &self,
        letter: &PendingLetter,
        mail_folder: MailFolder,
    ) -> PathBuf {
        self.root.join(mail_folder.folder_name()).join("cur").join(format!("{}:2,S", letter.name))
    }

    /// Returns the name and the error of each pending entry that cannot be read, whether or not it
    /// is a letter.
    pub(crate) fn unreadable_files(&self) -> io::Result<Vec<(String, String)>> {
        let mut found = Vec::new();
        for part in ["new", "cur"] {
            for entry in std::fs::read_dir(self.root.join(part))?.flatten() {
                let name = unflagged_file_name(&entry.file_name());
                if name.starts_with('.') {
                    continue;
                }
                match read_file(&entry.path(), 0) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        found.push((name, error.to_string()));
                    }
                    _ => {}
                }
            }
        }
        Ok(found)
    }

    /// Renames a pending letter if an earlier letter had its file name. Returns whether it was
    /// renamed.
    ///
    /// Programs that restart their numbering, and people, reuse file names. `noted` is the content
    /// hash of the letter that was read under this name. Without it, the content is compared with
    /// the letter archived under this name.
    pub(crate) fn rename_if_name_reused(
        &self,
        letter: &PendingLetter,
        noted: Option<LetterHash>,
    ) -> io::Result<bool> {
        let Some(path) = letter.path() else { return Ok(false) };
        let own = match noted {
            Some(noted) => {
                let bytes = letter.read(BYTES_MAX)?;
                (LetterHash::compute(&bytes) != noted).then(|| letter.with_unique_name(&bytes))
            }
            None => {
                let mail_folders = [MailFolder::Done, MailFolder::Quarantine];
                let places =
                    mail_folders.map(|mail_folder| self.path_in_archive(letter, mail_folder));
                places.iter().find_map(|place| with_unique_name_if_occupied(letter, place))
            }
        };
        let Some(own) = own else { return Ok(false) };
        disk::move_durably(path, &self.root.join("new").join(own.name))?;
        Ok(true)
    }

    /// Moves letters to their archives, and never overwrites a letter there. Skips letters that are
    /// not in a file. Returns the names of letters that could not be moved, with the errors; these
    /// are still pending.
    ///
    /// # Errors
    /// If a folder cannot be synced.
    pub fn archive_letters(
        &self,
        letters: &[(PendingLetter, MailFolder)],
    ) -> io::Result<Vec<(String, io::Error)>> {
        let in_files = letters.iter().filter_map(|(letter, mail_folder)| {
            let from = letter.path()?.to_owned();
            let place = self.path_in_archive(letter, *mail_folder);
            let own = with_unique_name_if_occupied(letter, &place);
            let to = own.map_or(place, |own| self.path_in_archive(&own, *mail_folder));
            Some((letter.name.clone(), (from, to)))
        });
        let (names, moves): (Vec<String>, Vec<(PathBuf, PathBuf)>) = in_files.unzip();
        let failed = disk::move_all_durably(&moves)?.into_iter();
        Ok(failed.filter_map(|(at, error)| Some((names.get(at)?.clone(), error))).collect())
    }
}

/// Lists the entries of the wanted file type in `new` and `cur` of a folder, ordered by name.
fn list_letters(
    folder: &Path,
    is_wanted: impl Fn(&FileType) -> bool,
) -> io::Result<Vec<PendingLetter>> {
    let mut letters = Vec::new();
    for part in ["new", "cur"] {
        for entry in std::fs::read_dir(folder.join(part))? {
            let entry = entry?;
            let name = unflagged_file_name(&entry.file_name());
            if !name.starts_with('.') && entry.file_type().is_ok_and(|kind| is_wanted(&kind)) {
                letters.push(PendingLetter::new(name, None, LetterLocation::File(entry.path())));
            }
        }
    }
    letters.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| a.path().cmp(&b.path())));
    Ok(letters)
}

/// Returns a file's name without its flags. A name that is not UTF-8 or too long is replaced by a
/// unique one: its readable start and a hash.
fn unflagged_file_name(file: &OsStr) -> String {
    let raw = file.as_encoded_bytes();
    let end = raw.windows(3).position(|three| three == b":2,").unwrap_or(raw.len());
    let raw = raw.get(..end).unwrap_or(raw);
    match str::from_utf8(raw) {
        Ok(name) if name.len() <= NAME_MAX => name.to_owned(),
        _ => {
            let readable = String::from_utf8_lossy(raw).replace(char::REPLACEMENT_CHARACTER, "_");
            let readable: String = readable.chars().take(READABLE_MAX).collect();
            format!("{readable}~{}", LetterHash::compute(raw))
        }
    }
}

/// Returns the letter with a unique name if a file with other content exists at `place`. Returns
/// `None` if the letter can keep its name.
fn with_unique_name_if_occupied(letter: &PendingLetter, place: &Path) -> Option<PendingLetter> {
    let there = read_file(place, BYTES_MAX).ok()?;
    let bytes = letter.read(BYTES_MAX).ok()?;
    (there != bytes).then(|| letter.with_unique_name(&bytes))
}

/// Reads a file, but at most `limit` + 1 bytes, so that the caller can recognize a file that is too
/// long.
fn read_file(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    if !std::fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    std::fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns a unique name for a letter whose name is already used: the name, shortened if necessary,
/// and a hash of the letter's bytes.
pub(crate) fn hash_suffixed_name(name: &str, bytes: &[u8]) -> String {
    let end = format!("~{}", LetterHash::compute(bytes));
    let most = name.floor_char_boundary(NAME_MAX - end.len());
    format!("{}{end}", name.get(..most).unwrap_or(name))
}

/// Returns the modification time of a file. `None` if the file system does not provide it, or if it
/// is outside of the calendar's range.
fn modified_at(path: &Path) -> Option<DateTime<Utc>> {
    let changed = std::fs::metadata(path).and_then(|data| data.modified()).ok()?;
    let since = |ahead: bool, span: Duration| {
        let seconds = i64::try_from(span.as_secs()).ok()?;
        DateTime::from_timestamp(if ahead { seconds } else { -seconds }, 0)
    };
    match changed.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => since(true, after),
        Err(before) => since(false, before.duration()),
    }
}

impl PendingLetter {
    const fn new(name: String, received: Option<DateTime<Utc>>, location: LetterLocation) -> Self {
        Self { name, received, content_hash: None, location }
    }

    /// Returns a letter that is not in a file and whose bytes are in memory.
    pub(crate) fn in_memory(
        name: String,
        received: Option<DateTime<Utc>>,
        bytes: impl Into<Arc<[u8]>>,
    ) -> Self {
        Self::new(name, received, LetterLocation::Memory(bytes.into()))
    }

    /// Returns a letter whose bytes are in the store and not loaded yet.
    pub(crate) fn not_loaded(name: String, received: Option<DateTime<Utc>>) -> Self {
        Self::new(name, received, LetterLocation::NotLoaded)
    }

    pub(crate) fn is_not_loaded(&self) -> bool {
        self.location == LetterLocation::NotLoaded
    }

    /// Returns the letter with a unique name that is derived from its bytes.
    pub(crate) fn with_unique_name(&self, bytes: &[u8]) -> Self {
        Self { name: hash_suffixed_name(&self.name, bytes), ..self.clone() }
    }

    /// Returns the letter with the hash of its file's content, which is `bytes`.
    #[must_use]
    pub(crate) fn with_content_hash(self, bytes: &[u8]) -> Self {
        let contents = self.path().map(|_| LetterHash::compute(bytes));
        Self { content_hash: contents, ..self }
    }

    fn path(&self) -> Option<&Path> {
        match &self.location {
            LetterLocation::File(path) => Some(path),
            LetterLocation::Memory(_) | LetterLocation::NotLoaded => None,
        }
    }

    /// Returns the time at which the letter arrived. A Maildir file name begins with this time;
    /// otherwise the file's modification time is used.
    pub(crate) fn received_at(&self) -> Option<DateTime<Utc>> {
        let digits = self.name.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        if digits.len() > 8 {
            return DateTime::from_timestamp(digits.parse().ok()?, 0);
        }
        self.path().and_then(modified_at).or(self.received)
    }

    /// Sets the time at which the letter arrived to at most `moment`.
    pub(crate) fn cap_received_at(&mut self, moment: Option<DateTime<Utc>>) {
        if let Some(moment) = moment {
            self.received = Some(self.received.map_or(moment, |received| received.min(moment)));
        }
    }

    /// Reads the letter, but at most `limit` + 1 bytes, so that the caller can recognize a letter
    /// that is too long.
    ///
    /// # Errors
    /// If the file cannot be read, or the bytes are not loaded.
    pub fn read(&self, limit: usize) -> io::Result<Vec<u8>> {
        match &self.location {
            LetterLocation::File(path) => read_file(path, limit),
            LetterLocation::Memory(bytes) => {
                let most = bytes.len().min(limit.saturating_add(1));
                Ok(bytes.get(..most).unwrap_or_default().to_vec())
            }
            LetterLocation::NotLoaded => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letter_is_pending_until_archived() {
        let folder = crate::testing::create_folder();
        let maildir = Maildir::new(folder.path().join("in"));
        maildir.create_folders().expect("created");
        maildir.create_folders().expect("created again");
        std::fs::write(maildir.root().join("new/2.b"), "second").expect("written");
        std::fs::write(maildir.root().join("cur/1.a:2,S"), "first").expect("written");
        let waiting = maildir.pending_letters(10).expect("listed");
        let names: Vec<&str> = waiting.iter().map(|letter| letter.name.as_str()).collect();
        assert_eq!(names, ["1.a", "2.b"]);
        assert_eq!(waiting[1].read(3).expect("read"), b"seco");
        let trays =
            [(waiting[0].clone(), MailFolder::Done), (waiting[1].clone(), MailFolder::Quarantine)];
        maildir.archive_letters(&trays).expect("put");
        assert_eq!(maildir.pending_letters(10).expect("listed"), []);
        let kept = maildir.path_in_archive(&waiting[1], MailFolder::Quarantine);
        assert_eq!(std::fs::read(kept).expect("kept"), b"second");
        // Archiving does not overwrite a letter of this name.
        std::fs::write(maildir.root().join("new/2.b"), "another").expect("written");
        let waiting = maildir.pending_letters(10).expect("listed");
        maildir.archive_letters(&[(waiting[0].clone(), MailFolder::Quarantine)]).expect("put");
        assert_eq!(maildir.archived_letters(MailFolder::Quarantine).expect("listed").len(), 2);
        let received = DateTime::from_timestamp(1_767_636_000, 0);
        maildir.insert("3.c", b"third", received).expect("kept");
        let waiting = maildir.pending_letters(10).expect("listed");
        assert_eq!((waiting.len(), waiting[0].received), (1, received));
    }
}
