//! A Maildir that letters come in by: one file a letter, which stays until all is durable.
//!
//! What was dealt with goes to the Maildir's folder `.done`, what the moderator must look at to
//! `.quarantine`; any mail program can open both. Nothing is deleted.

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

/// The longest name that a letter keeps, in bytes: a file's may have 255, and flags are added.
const NAME_MAX: usize = 240;
/// How many characters of any other name are kept.
const READABLE_MAX: usize = 40;

/// A folder in Maildir form: `tmp`, `new` and `cur`, one file a letter.
#[derive(Clone, Debug)]
pub struct Maildir {
    root: PathBuf,
}

/// A letter that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingLetter {
    /// The file's name without its flags, which is the letter's own for ever.
    pub name: String,
    /// When it came to us: the file's own time, which moving it does not change; none when the
    /// file system does not tell.
    pub received: Option<DateTime<Utc>>,
    /// By what the contents of its file are known again, once they were read; none of a letter that
    /// lies in no file, as no other one can come to lie there.
    pub content_hash: Option<LetterHash>,
    location: LetterLocation,
}

/// Where a letter's bytes are.
#[derive(Clone, Debug, PartialEq, Eq)]
enum LetterLocation {
    /// In a file.
    File(PathBuf),
    /// Here.
    Memory(Arc<[u8]>),
    /// Where they are asked for by its name.
    NotLoaded,
}

/// Where a letter goes when it has been dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailFolder {
    /// It is done.
    Done,
    /// The moderator must look at it.
    Quarantine,
}

/// The folders of a Maildir, relative to its root, and the mail folder that each is.
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
    /// The Maildir in this folder, which need not be there yet.
    pub const fn new(root: PathBuf) -> Self {
        Self { root }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Creates what is missing of it.
    ///
    /// # Errors
    /// What the file system says.
    pub fn create_folders(&self) -> io::Result<()> {
        for (folder, _) in FOLDERS {
            for part in ["tmp", "new", "cur"] {
                disk::create_folder(&self.root.join(folder).join(part))?;
            }
        }
        Ok(())
    }

    /// Every folder of it in which letters lie.
    pub(crate) fn letter_folders(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let both = |folder| ["new", "cur"].map(|part| self.root.join(folder).join(part));
        FOLDERS.into_iter().flat_map(move |(folder, _)| both(folder))
    }

    /// The letters that wait, oldest name first, at most `limit`. They may lie in `new`, or in
    /// `cur` when somebody has looked at them with a mail program.
    ///
    /// # Errors
    /// What the file system says.
    pub fn pending_letters(&self, limit: usize) -> io::Result<Vec<PendingLetter>> {
        // What is no plain file is no letter: reading it might never end.
        let mut waiting = list_letters(&self.root, FileType::is_file)?;
        waiting.truncate(limit);
        for letter in &mut waiting {
            letter.received = letter.path().and_then(modified_at);
        }
        Ok(waiting)
    }

    /// Puts a letter into the Maildir under a name of its own; durable when this returns. A letter
    /// that waits under that name already is replaced. It came to us at `received`, or now.
    ///
    /// # Errors
    /// What the file system says; the letter is then not there.
    pub(crate) fn insert(
        &self,
        name: &str,
        bytes: &[u8],
        received: Option<DateTime<Utc>>,
    ) -> io::Result<()> {
        self.write_durably(name, &self.root.join("new").join(name), bytes, received)
    }

    /// Puts a letter that lies in no file where letters wait, or into a mail folder; durable when
    /// this returns. What lies there under its name is replaced.
    ///
    /// # Errors
    /// What the file system says; the letter is then not there.
    pub(crate) fn write_back(
        &self,
        letter: &PendingLetter,
        to: Option<MailFolder>,
    ) -> io::Result<()> {
        let bytes = letter.read(usize::MAX)?;
        let path = match to {
            Some(mail_folder) => self.path_in_mail_folder(letter, mail_folder),
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

    /// The names of all letters that wait or lie in a mail folder.
    ///
    /// # Errors
    /// What the file system says.
    pub(crate) fn letter_names(&self) -> io::Result<HashMap<String, Option<MailFolder>>> {
        let mut names = HashMap::new();
        for (folder, mail_folder) in FOLDERS {
            for part in ["new", "cur"] {
                for entry in std::fs::read_dir(self.root.join(folder).join(part))? {
                    names.insert(letter_name(&entry?.file_name()), mail_folder);
                }
            }
        }
        Ok(names)
    }

    /// The letters in a mail folder, oldest name first. Whoever looks through a mail folder hears
    /// of what lies there and cannot be read, too.
    ///
    /// # Errors
    /// What the file system says.
    pub(crate) fn letters_in_mail_folder(
        &self,
        mail_folder: MailFolder,
    ) -> io::Result<Vec<PendingLetter>> {
        list_letters(&self.root.join(mail_folder.folder_name()), |kind| !kind.is_dir())
    }

    /// Where this letter's file will lie in a mail folder.
    pub(crate) fn path_in_mail_folder(
        &self,
        letter: &PendingLetter,
        mail_folder: MailFolder,
    ) -> PathBuf {
        self.root.join(mail_folder.folder_name()).join("cur").join(format!("{}:2,S", letter.name))
    }

    /// What lies where letters wait and cannot be read, be it a letter or something else: its name,
    /// and what is wrong with it.
    ///
    /// # Errors
    /// What the file system says.
    pub(crate) fn unreadable_files(&self) -> io::Result<Vec<(String, String)>> {
        let mut found = Vec::new();
        for part in ["new", "cur"] {
            for entry in std::fs::read_dir(self.root.join(part))?.flatten() {
                let name = letter_name(&entry.file_name());
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

    /// Gives a letter that waits a name of its own, if it is another one than that whose name it
    /// has: it was written later, by hand or by a program that counts anew. What was noted of the
    /// first one's contents tells, else what lies in a mail folder under its name. Whether it is
    /// another one.
    ///
    /// # Errors
    /// What the file system says; the letter waits as it was.
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
                    mail_folders.map(|mail_folder| self.path_in_mail_folder(letter, mail_folder));
                places.iter().find_map(|place| renamed_if_occupied(letter, place))
            }
        };
        let Some(own) = own else { return Ok(false) };
        disk::rename(path, &self.root.join("new").join(own.name))?;
        Ok(true)
    }

    /// Moves letters into their mail folders, and never overwrites a letter there. Letters that lie
    /// in no file are left alone. Returns the names of letters that could not be moved, with the
    /// errors. They still wait.
    ///
    /// # Errors
    /// What the file system says of a folder.
    pub fn archive_letters(
        &self,
        letters: &[(PendingLetter, MailFolder)],
    ) -> io::Result<Vec<(String, io::Error)>> {
        let in_files = letters.iter().filter_map(|(letter, mail_folder)| {
            let from = letter.path()?.to_owned();
            let place = self.path_in_mail_folder(letter, *mail_folder);
            let own = renamed_if_occupied(letter, &place);
            let to = own.map_or(place, |own| self.path_in_mail_folder(&own, *mail_folder));
            Some((letter.name.clone(), (from, to)))
        });
        let (names, moves): (Vec<String>, Vec<(PathBuf, PathBuf)>) = in_files.unzip();
        let failed = disk::rename_all(&moves)?.into_iter();
        Ok(failed.filter_map(|(at, error)| Some((names.get(at)?.clone(), error))).collect())
    }
}

/// Returns the files of this kind in `new` and `cur` of a folder, ordered by name.
fn list_letters(
    folder: &Path,
    is_wanted: impl Fn(&FileType) -> bool,
) -> io::Result<Vec<PendingLetter>> {
    let mut letters = Vec::new();
    for part in ["new", "cur"] {
        for entry in std::fs::read_dir(folder.join(part))? {
            let entry = entry?;
            let name = letter_name(&entry.file_name());
            if !name.starts_with('.') && entry.file_type().is_ok_and(|kind| is_wanted(&kind)) {
                letters.push(PendingLetter::new(name, None, LetterLocation::File(entry.path())));
            }
        }
    }
    letters.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| a.path().cmp(&b.path())));
    Ok(letters)
}

/// A file's name without its flags. One that is no text, or so long that no flag could be added, is
/// written so that it still is no other file's.
fn letter_name(file: &OsStr) -> String {
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

/// A letter under a name of its own, where another one of other bytes lies in the place that it
/// would have in a mail folder; none where it can keep its name.
fn renamed_if_occupied(letter: &PendingLetter, place: &Path) -> Option<PendingLetter> {
    let there = read_file(place, BYTES_MAX).ok()?;
    let bytes = letter.read(BYTES_MAX).ok()?;
    (there != bytes).then(|| letter.with_unique_name(&bytes))
}

/// A file's bytes, or as many as show that there are more than `limit`.
fn read_file(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    if !std::fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    std::fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A name that no other letter has, for one of these bytes whose own is another one's too.
pub(crate) fn unique_name(name: &str, bytes: &[u8]) -> String {
    let end = format!("~{}", LetterHash::compute(bytes));
    let most = name.floor_char_boundary(NAME_MAX - end.len());
    format!("{}{end}", name.get(..most).unwrap_or(name))
}

/// When a file was changed last; none when the file system does not tell, or tells what no calendar
/// has.
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
    const fn new(name: String, received: Option<DateTime<Utc>>, lies: LetterLocation) -> Self {
        Self { name, received, content_hash: None, location: lies }
    }

    /// A letter whose bytes are here, and which lies in no file.
    pub(crate) fn in_memory(
        name: String,
        received: Option<DateTime<Utc>>,
        bytes: impl Into<Arc<[u8]>>,
    ) -> Self {
        Self::new(name, received, LetterLocation::Memory(bytes.into()))
    }

    /// A letter whose bytes are asked for by its name, where somebody wants them.
    pub(crate) fn not_loaded(name: String, received: Option<DateTime<Utc>>) -> Self {
        Self::new(name, received, LetterLocation::NotLoaded)
    }

    /// Whether its bytes are yet to be asked for.
    pub(crate) fn is_not_loaded(&self) -> bool {
        self.location == LetterLocation::NotLoaded
    }

    /// The same letter, of these bytes, under a name that no other one has.
    pub(crate) fn with_unique_name(&self, bytes: &[u8]) -> Self {
        Self { name: unique_name(&self.name, bytes), ..self.clone() }
    }

    /// The same letter, of which it is known that its file holds these bytes.
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

    /// When it came: with that the names in a Maildir begin. Else when its file was written.
    pub(crate) fn received_at(&self) -> Option<DateTime<Utc>> {
        let digits = self.name.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        if digits.len() > 8 {
            return DateTime::from_timestamp(digits.parse().ok()?, 0);
        }
        self.path().and_then(modified_at).or(self.received)
    }

    /// Notes that it came no later than at this moment.
    pub(crate) fn cap_received_at(&mut self, moment: Option<DateTime<Utc>>) {
        if let Some(moment) = moment {
            self.received = Some(self.received.map_or(moment, |received| received.min(moment)));
        }
    }

    /// The letter's bytes, or as many as show that there are more than `limit`.
    ///
    /// # Errors
    /// What the file system says.
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
        let folder = crate::common::folder();
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
        let kept = maildir.path_in_mail_folder(&waiting[1], MailFolder::Quarantine);
        assert_eq!(std::fs::read(kept).expect("kept"), b"second");
        // Another one of that name lies beside it, whatever it is that asks for that.
        std::fs::write(maildir.root().join("new/2.b"), "another").expect("written");
        let waiting = maildir.pending_letters(10).expect("listed");
        maildir.archive_letters(&[(waiting[0].clone(), MailFolder::Quarantine)]).expect("put");
        assert_eq!(
            maildir.letters_in_mail_folder(MailFolder::Quarantine).expect("listed").len(),
            2
        );
        let received = DateTime::from_timestamp(1_767_636_000, 0);
        maildir.insert("3.c", b"third", received).expect("kept");
        let waiting = maildir.pending_letters(10).expect("listed");
        assert_eq!((waiting.len(), waiting[0].received), (1, received));
    }
}
