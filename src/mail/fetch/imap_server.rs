//! An account on an IMAP server.

use super::line::{Line, dial};
use super::{FetchError, Fetched, MailServer, Remote};
use crate::club::{Imap, Tls};
use crate::mail::{BYTES_MAX, Digest, Tray};
use chrono::Utc;
use std::collections::BTreeSet;

/// How many letters one command moves.
const MOVE_MAX: usize = 500;

/// An open account on an IMAP server.
///
/// A letter there is known by its folder's UIDVALIDITY and its own UID, which together never mean
/// another letter. It is read by BODY.PEEK, which sets no flag, and leaves the folder by MOVE, or
/// where a server cannot do that by COPY, \Deleted and EXPUNGE. When the line drops between these,
/// a letter may lie in both folders: before it is copied again, the copy is looked for.
pub struct ImapServer {
    session: imap::Session<Line>,
    settings: Imap,
    /// What the names of this folder's letters begin and end with.
    name: (String, String),
    /// The trays that are known to be there.
    ready: BTreeSet<String>,
    /// The letters that were read for the first time, which no earlier session has copied.
    fresh: BTreeSet<u32>,
    moves: bool,
    expunges_single: bool,
}

impl ImapServer {
    /// Signs in and opens the folder. `ca` holds root certificates as PEM that are trusted besides
    /// those of the machine.
    ///
    /// # Errors
    /// Why that cannot be done now.
    pub fn open(settings: &Imap, password: &str, ca: Option<&[u8]>) -> Result<Self, FetchError> {
        let port = settings.port();
        let at = |what: &str| FetchError(format!("{}:{port}: {what}", settings.host));
        let line =
            dial(&settings.host, port, settings.tls, ca).map_err(|error| at(&error.to_string()))?;
        let mut client = imap::Client::new(line);
        if settings.tls == Tls::Tls {
            client.read_greeting().map_err(|error| at(&error.to_string()))?;
        }
        let mut session = client
            .login(&settings.user, password)
            .map_err(|(error, _)| at(&format!("signing in as {}: {error}", settings.user)))?;
        let can = session.capabilities().map_err(|error| at(&error.to_string()))?;
        let folder = session
            .select(&settings.folder)
            .map_err(|error| at(&format!("the folder {}: {error}", settings.folder)))?;
        let validity = folder
            .uid_validity
            .ok_or_else(|| at(&format!("the folder {} has no UIDVALIDITY", settings.folder)))?;
        let account = format!("{}\n{}\n{}", settings.host, settings.user, settings.folder);
        let account: String = Digest::of(account.as_bytes()).to_string().chars().take(8).collect();
        Ok(Self {
            session,
            settings: settings.clone(),
            name: (format!("imap.{validity:010}"), account),
            ready: BTreeSet::new(),
            fresh: BTreeSet::new(),
            moves: can.has_str("MOVE"),
            expunges_single: can.has_str("UIDPLUS"),
        })
    }

    /// Whether the server has this folder.
    ///
    /// # Errors
    /// What the server said, or that it is gone.
    pub fn has_folder(&mut self, folder: &str) -> Result<bool, FetchError> {
        self.session.list(None, Some(&quoted(folder))).map(|found| !found.is_empty()).map_err(said)
    }

    /// Creates a tray's folder when it is not there.
    fn make_ready(&mut self, folder: &str) -> Result<(), FetchError> {
        if !self.ready.contains(folder) {
            if !self.has_folder(folder)? {
                self.session.create(folder).map_err(|error| {
                    FetchError(format!("the folder {folder} cannot be created: {error}"))
                })?;
            }
            self.ready.insert(folder.to_owned());
        }
        Ok(())
    }

    /// Moves letters on a server that cannot.
    fn copy_and_expunge(&mut self, letters: &[Remote], folder: &str) -> Result<(), FetchError> {
        let (fresh, tried): (Vec<u32>, Vec<u32>) =
            letters.iter().map(|letter| letter.uid).partition(|uid| self.fresh.contains(uid));
        let copied = self.copied(&tried, folder)?;
        let to_copy: Vec<u32> = fresh
            .into_iter()
            .chain(tried.into_iter().filter(|uid| !copied.contains(uid)))
            .collect();
        if !to_copy.is_empty() {
            self.session.uid_copy(set_of(&to_copy), quoted(folder)).map_err(said)?;
        }
        let all: Vec<u32> = letters.iter().map(|letter| letter.uid).collect();
        let all = set_of(&all);
        self.session.uid_store(&all, "+FLAGS.SILENT (\\Deleted)").map_err(said)?;
        if self.expunges_single {
            self.session.uid_expunge(&all).map_err(said)?;
        } else {
            self.session.expunge().map_err(said)?;
        }
        Ok(())
    }

    /// Those of the letters that lie in a tray already, by their Message-IDs: an earlier session
    /// was cut off after it had copied them.
    fn copied(&mut self, letters: &[u32], tray: &str) -> Result<BTreeSet<u32>, FetchError> {
        let mut copied = BTreeSet::new();
        if letters.is_empty() {
            return Ok(copied);
        }
        let found = self.session.uid_fetch(set_of(letters), "(UID BODY.PEEK[HEADER])");
        let found = found.map_err(said)?;
        let ids =
            found.iter().filter_map(|letter| Some((letter.uid?, message_id(letter.header()?)?)));
        let ids: Vec<(u32, String)> = ids.collect();
        self.session.examine(tray).map_err(said)?;
        for (uid, id) in ids {
            let query = format!("HEADER Message-ID {}", quoted(&id));
            if !self.session.uid_search(query).map_err(said)?.is_empty() {
                copied.insert(uid);
            }
        }
        self.session.select(&self.settings.folder).map_err(said)?;
        Ok(copied)
    }
}

impl MailServer for ImapServer {
    fn letters(&mut self) -> Result<Vec<Remote>, FetchError> {
        let found = self.session.uid_search("UNDELETED").map_err(said)?;
        let sorted: BTreeSet<u32> = found.into_iter().collect();
        let (start, end) = &self.name;
        let remote = |uid| Remote { name: format!("{start}.{uid:010}.{end}"), uid };
        Ok(sorted.into_iter().map(remote).collect())
    }

    fn fetch(&mut self, letter: &Remote) -> Result<Option<Fetched>, FetchError> {
        let query = format!("(UID INTERNALDATE BODY.PEEK[]<0.{}>)", BYTES_MAX.saturating_add(1));
        let found = self.session.uid_fetch(letter.uid.to_string(), query).map_err(said)?;
        self.fresh.insert(letter.uid);
        let own = found.iter().find(|fetched| fetched.uid == Some(letter.uid));
        let received = own.and_then(|fetched| fetched.internal_date());
        let received = received.map(|date| date.with_timezone(&Utc));
        let body = own.and_then(|fetched| fetched.body());
        Ok(body.map(|bytes| Fetched { bytes: bytes.to_vec(), received }))
    }

    fn put(&mut self, letters: &[Remote], tray: Tray) -> Result<(), FetchError> {
        let folder = match tray {
            Tray::Done => self.settings.done.clone(),
            Tray::Quarantine => self.settings.quarantine.clone(),
        };
        for some in letters.chunks(MOVE_MAX) {
            self.make_ready(&folder)?;
            if self.moves {
                let uids: Vec<u32> = some.iter().map(|letter| letter.uid).collect();
                self.session.uid_mv(set_of(&uids), &folder).map_err(said)?;
            } else {
                self.copy_and_expunge(some, &folder)?;
            }
        }
        Ok(())
    }
}

impl Drop for ImapServer {
    fn drop(&mut self) {
        // Politeness only: nothing depends on it.
        let _ = self.session.logout();
    }
}

/// A folder's name as some commands want it; the others quote it themselves.
fn quoted(folder: &str) -> String {
    format!("\"{folder}\"")
}

/// Letters as a command names them.
fn set_of(uids: &[u32]) -> String {
    uids.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// The Message-ID in a letter's headers, if it is one that can be searched for.
fn message_id(head: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(head);
    let named = |line: &str| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("Message-ID").then(|| value.trim().to_owned())
    };
    let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\\');
    // Servers search for a piece of the header: only a whole one finds no other letter.
    let whole = |id: &String| id.starts_with('<') && id.ends_with('>') && id.len() > 4;
    head.lines().find_map(named).filter(|id| whole(id) && id.chars().all(plain))
}

#[allow(clippy::needless_pass_by_value, reason = "it stands where an error is mapped")]
fn said(error: imap::Error) -> FetchError {
    FetchError(error.to_string())
}
