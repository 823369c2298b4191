//! The folder of an IMAP account that letters are fetched from.

use super::account::{Account, FEW, Fault, quoted};
use super::{FetchError, Fetched, Handed, MailServer, Remote, Withheld};
use crate::mail::letter::head::Head;
use crate::mail::settings::Imap;
use crate::mail::{BYTES_MAX, LetterHash, MailFolder, Patience};
use chrono::{DateTime, Utc};
use std::collections::BTreeSet;

/// How many letters one command moves.
const MOVE_MAX: usize = 500;
/// How many bytes the list of a folder's letters may have: some hundred thousand letters.
const LIST_MAX: usize = 4 << 20;

/// An open account on an IMAP server.
///
/// A letter there is known by its folder's UIDVALIDITY and its own UID, which together never mean
/// another letter. It is read by BODY.PEEK, which sets no flag, and leaves the folder by MOVE, or
/// where a server cannot do that by COPY and \Deleted, and by UID EXPUNGE where there is UIDPLUS.
/// A plain EXPUNGE would remove what others have marked and we have never read, so there is none:
/// a letter that is marked counts as moved. When the line drops between these, a letter may lie in
/// both folders: before it is copied again, the copy is looked for.
pub struct ImapServer {
    account: Account,
    /// What the names of this folder's letters begin and end with.
    name: (String, String),
    /// The mail folders that are known to be there.
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
    pub fn open(
        patience: Patience,
        settings: &Imap,
        password: &str,
        ca: Option<&[u8]>,
    ) -> Result<Self, FetchError> {
        let mut account = Account::new(settings, password, ca, patience);
        let validity = account.enter()?;
        let can = account.ask(FEW, |session| session.capabilities())?;
        let place = format!("{}\n{}\n{}", settings.host, settings.user, settings.folder);
        let place: String = LetterHash::of(place.as_bytes()).to_string().chars().take(8).collect();
        Ok(Self {
            account,
            name: (format!("imap.{validity:010}"), place),
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
        self.account.enter()?;
        let list = |found: imap::types::Names| !found.is_empty();
        let folder = quoted(folder);
        Ok(self.account.ask(FEW, |session| session.list(None, Some(&folder)).map(list))?)
    }

    /// Whether letters that were dealt with leave the folder, and are not only marked there.
    pub(crate) const fn clears(&self) -> bool {
        self.moves || self.expunges_single
    }

    /// Creates a mail folder when it is not there.
    fn make_ready(&mut self, folder: &str) -> Result<(), FetchError> {
        if self.ready.contains(folder) {
            return Ok(());
        }
        if !self.has_folder(folder)? {
            let created = self.account.ask(FEW, |session| session.create(folder));
            created.map_err(|fault| {
                FetchError::now(format!("the folder {folder} cannot be created: {}", fault.why()))
            })?;
        }
        self.ready.insert(folder.to_owned());
        Ok(())
    }

    /// Asks the server for a letter; none when it gives none.
    fn ask_for(&mut self, uid: u32) -> Result<Option<Fetched>, Fault> {
        let query = format!("(UID INTERNALDATE BODY.PEEK[]<0.{}>)", BYTES_MAX.saturating_add(1));
        let found = self.account.ask(BYTES_MAX.saturating_add(FEW), |session| {
            session.uid_fetch(uid.to_string(), &query)
        })?;
        let own = found.iter().find(|fetched| fetched.uid == Some(uid));
        let body = own.and_then(|fetched| fetched.body());
        Ok(body.map(|bytes| Fetched { bytes: bytes.to_vec(), received: own.and_then(date_of) }))
    }

    /// What is known of a letter that was not handed over; none when it is not there any more.
    fn withheld(&mut self, uid: u32, why: String) -> Result<Option<Withheld>, FetchError> {
        // That the server can be asked at all tells this letter's fault from the server's.
        self.account.enter()?;
        let there = self.account.ask(FEW, |session| {
            session.uid_search(format!("UID {uid} UNDELETED")).map(|found| found.contains(&uid))
        });
        match there {
            Ok(false) => return Ok(None),
            Err(broken @ Fault::Broken(_)) => return Err(broken.into()),
            Ok(true) | Err(Fault::No(_)) => {}
        }
        let folder = self.account.settings.folder.clone();
        let about = self.account.ask(FEW, |session| {
            session.uid_fetch(uid.to_string(), "(UID INTERNALDATE RFC822.SIZE)")
        });
        let about = about.ok();
        let own = about.as_ref().and_then(|a| a.iter().find(|own| own.uid == Some(uid)));
        let (received, size) = (own.and_then(date_of), own.and_then(|own| own.size));
        Ok(Some(Withheld { folder, received, size, why }))
    }

    /// Moves letters to a folder, which is created when it is not there.
    fn move_to(&mut self, uids: &[u32], folder: &str) -> Result<(), FetchError> {
        self.account.enter()?;
        self.make_ready(folder)?;
        self.move_all(uids, folder)
    }

    /// Moves letters, in halves where the server refuses all of them together: a letter that it
    /// cannot move keeps no other one.
    fn move_all(&mut self, uids: &[u32], folder: &str) -> Result<(), FetchError> {
        self.account.enter()?;
        let moved = if self.moves {
            self.account.ask(FEW, |session| session.uid_mv(set_of(uids), folder))
        } else {
            self.copy_and_mark(uids, folder)
        };
        match moved {
            Err(Fault::No(_)) if uids.len() > 1 => {
                let (some, others) = uids.split_at(uids.len() / 2);
                let first = self.move_all(some, folder);
                self.move_all(others, folder).and(first)
            }
            moved => Ok(moved?),
        }
    }

    /// Moves letters on a server that cannot.
    fn copy_and_mark(&mut self, uids: &[u32], folder: &str) -> Result<(), Fault> {
        let (fresh, tried): (Vec<u32>, Vec<u32>) =
            uids.iter().partition(|uid| self.fresh.contains(uid));
        let copied = self.copied(&tried, folder)?;
        let to_copy: Vec<u32> = fresh
            .into_iter()
            .chain(tried.into_iter().filter(|uid| !copied.contains(uid)))
            .collect();
        if !to_copy.is_empty() {
            // Unless the server says no, from now on there may be a copy.
            self.fresh.retain(|uid| !to_copy.contains(uid));
            let set = set_of(&to_copy);
            let copied = self.account.ask(FEW, |session| session.uid_copy(&set, quoted(folder)));
            if matches!(copied, Err(Fault::No(_))) {
                self.fresh.extend(&to_copy);
            }
            copied?;
        }
        let set = set_of(uids);
        let mark = "+FLAGS.SILENT (\\Deleted)";
        self.account.ask(LIST_MAX, |session| session.uid_store(&set, mark).map(|_| ()))?;
        if self.expunges_single {
            self.account.ask(LIST_MAX, |session| session.uid_expunge(&set).map(|_| ()))?;
        }
        Ok(())
    }

    /// Those of the letters that lie in a mail folder already: an earlier session was cut off after
    /// it had copied them.
    fn copied(&mut self, letters: &[u32], mail_folder: &str) -> Result<BTreeSet<u32>, Fault> {
        let mut copied = BTreeSet::new();
        if letters.is_empty() {
            return Ok(copied);
        }
        let most = letters.len().saturating_mul(FEW).min(LIST_MAX.saturating_mul(4));
        let marks = "(UID INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])";
        let found = self.account.ask(most, |session| session.uid_fetch(set_of(letters), marks))?;
        let marks: Vec<(u32, String)> =
            found.iter().filter_map(|letter| Some((letter.uid?, mark_of(letter)?))).collect();
        let examine = format!("EXAMINE {}", quoted(mail_folder));
        self.account.ask(FEW, |session| session.run_command_and_read_response(&examine))?;
        for (uid, mark) in marks {
            let same = self.account.ask(LIST_MAX, |session| session.uid_search(&mark))?;
            if !same.is_empty() {
                copied.insert(uid);
            }
        }
        self.account.open_folder()?;
        Ok(copied)
    }
}

impl MailServer for ImapServer {
    fn letters(&mut self) -> Result<Vec<Remote>, FetchError> {
        self.account.enter()?;
        let found = self.account.ask(LIST_MAX, |session| session.uid_search("UNDELETED"))?;
        let sorted: BTreeSet<u32> = found.into_iter().collect();
        let (start, end) = &self.name;
        let remote = |uid| Remote { name: format!("{start}.{uid:010}.{end}"), uid };
        Ok(sorted.into_iter().map(remote).collect())
    }

    fn fetch(&mut self, letter: &Remote) -> Result<Handed, FetchError> {
        self.account.enter()?;
        let why = match self.ask_for(letter.uid) {
            Ok(Some(fetched)) => {
                self.fresh.insert(letter.uid);
                return Ok(Handed::Letter(fetched));
            }
            Ok(None) => "it gives nothing for it".to_owned(),
            Err(fault) => fault.why(),
        };
        Ok(self.withheld(letter.uid, why)?.map_or(Handed::Gone, Handed::Withheld))
    }

    fn put(&mut self, letters: &[Remote], mail_folder: MailFolder) -> Result<(), FetchError> {
        let folder = match mail_folder {
            MailFolder::Done => self.account.settings.done.clone(),
            MailFolder::Quarantine => self.account.settings.quarantine.clone(),
        };
        let mut first = Ok(());
        for some in letters.chunks(MOVE_MAX) {
            let uids: Vec<u32> = some.iter().map(|letter| letter.uid).collect();
            let mut moved = self.move_to(&uids, &folder);
            // The server may have hung up while the letters were read.
            if moved.is_err() && self.account.is_broken() {
                moved = self.move_to(&uids, &folder);
            }
            first = first.and(moved);
        }
        first
    }
}

impl Drop for ImapServer {
    fn drop(&mut self) {
        self.account.leave();
    }
}

/// Letters as a command names them.
fn set_of(uids: &[u32]) -> String {
    uids.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// When a letter came to the server.
fn date_of(letter: &imap::types::Fetch<'_>) -> Option<DateTime<Utc>> {
    letter.internal_date().map(|date| date.with_timezone(&Utc))
}

/// What to search for to find a letter's copy: its Message-ID, or its size and day.
fn mark_of(letter: &imap::types::Fetch<'_>) -> Option<String> {
    if let Some(id) = letter.header().and_then(message_id) {
        return Some(format!("HEADER Message-ID {}", quoted(&id)));
    }
    let (size, day) = (letter.size?, letter.internal_date()?.format("%-d-%b-%Y"));
    let (less, more) = (size.checked_sub(1)?, size.checked_add(1)?);
    Some(format!("LARGER {less} SMALLER {more} ON {day}"))
}

/// Returns the Message-ID in a letter's headers, if it can be searched for.
fn message_id(head: &[u8]) -> Option<String> {
    let head = Head::read(head)?;
    let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\\');
    // Servers search for a piece of the header: only a whole one finds no other letter.
    let whole = |id: &&str| id.starts_with('<') && id.ends_with('>') && id.len() > 4;
    let id = head.value("message-id").filter(|id| whole(id) && id.chars().all(plain))?;
    Some(id.to_owned())
}
