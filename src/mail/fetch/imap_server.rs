//! Lists, fetches and moves the letters in a folder of an IMAP account.

use super::account::{ImapAccount, ImapFault, SHORT_ANSWER_MAX, quote_folder};
use super::{FetchError, FetchOutcome, FetchedLetter, MailServer, RemoteLetter, UnfetchableLetter};
use crate::mail::letter::head::LetterHeaders;
use crate::mail::settings::ImapSettings;
use crate::mail::{BYTES_MAX, LetterHash, MailFolder, Timeouts};
use chrono::{DateTime, Utc};
use std::collections::BTreeSet;

/// The most letters that one IMAP command moves to another folder.
const MOVE_MAX: usize = 500;
/// The most bytes of a long answer, such as the list of a folder's letters. This is enough for some
/// hundred thousand letters.
const LIST_MAX: usize = 4 << 20;

/// An open account on an IMAP server.
///
/// A letter is identified by its folder's UIDVALIDITY and its own UID, which together are never
/// reused. It is fetched with BODY.PEEK, which sets no flag.
///
/// A processed letter is moved with MOVE. If the server does not support MOVE, the letter is
/// copied, marked with `\Deleted`, and removed with UID EXPUNGE if the server supports UIDPLUS.
/// Without UIDPLUS, a marked letter counts as moved. A plain EXPUNGE is not used, because it would
/// also remove letters that others have marked and the club has not read.
///
/// If the connection fails between these steps, a letter may be in both folders. So an existing
/// copy is searched for before a letter is copied again.
pub struct ImapServer {
    account: ImapAccount,
    /// The first and last part of the letters' file names: the UIDVALIDITY, and a hash of host,
    /// user and folder.
    name_parts: (String, String),
    existing_folders: BTreeSet<String>,
    /// The letters that this session fetched and has not copied. No earlier session can have copied
    /// them, so no copy is searched for.
    uncopied: BTreeSet<u32>,
    can_move: bool,
    can_expunge_single: bool,
}

impl ImapServer {
    /// Logs in and opens the folder. `ca` contains PEM root certificates to trust in addition to
    /// those of the operating system.
    ///
    /// # Errors
    /// If the connection, the login or opening the folder fails.
    pub fn open(
        timeouts: Timeouts,
        settings: &ImapSettings,
        password: &str,
        ca: Option<&[u8]>,
    ) -> Result<Self, FetchError> {
        let mut account = ImapAccount::new(settings, password, ca, timeouts);
        let validity = account.log_in_if_needed()?;
        let can = account.run_command(SHORT_ANSWER_MAX, |session| session.capabilities())?;
        let place = format!("{}\n{}\n{}", settings.host, settings.user, settings.folder);
        let place: String =
            LetterHash::compute(place.as_bytes()).to_string().chars().take(8).collect();
        Ok(Self {
            account,
            name_parts: (format!("imap.{validity:010}"), place),
            existing_folders: BTreeSet::new(),
            uncopied: BTreeSet::new(),
            can_move: can.has_str("MOVE"),
            can_expunge_single: can.has_str("UIDPLUS"),
        })
    }

    /// Whether the server has this folder.
    ///
    /// # Errors
    /// If the server fails or refuses.
    pub fn has_folder(&mut self, folder: &str) -> Result<bool, FetchError> {
        self.account.log_in_if_needed()?;
        let list = |found: imap::types::Names| !found.is_empty();
        let folder = quote_folder(folder);
        Ok(self
            .account
            .run_command(SHORT_ANSWER_MAX, |session| session.list(None, Some(&folder)).map(list))?)
    }

    /// Whether moved letters disappear from the folder. If not, they are only marked as deleted.
    pub(crate) const fn removes_moved_letters(&self) -> bool {
        self.can_move || self.can_expunge_single
    }

    fn ensure_folder(&mut self, folder: &str) -> Result<(), FetchError> {
        if self.existing_folders.contains(folder) {
            return Ok(());
        }
        if !self.has_folder(folder)? {
            let created =
                self.account.run_command(SHORT_ANSWER_MAX, |session| session.create(folder));
            created.map_err(|fault| {
                FetchError::temporary(format!(
                    "the folder {folder} cannot be created: {}",
                    fault.into_reason()
                ))
            })?;
        }
        self.existing_folders.insert(folder.to_owned());
        Ok(())
    }

    /// Fetches a letter. Returns `None` if the server's answer does not contain it.
    fn fetch_by_uid(&mut self, uid: u32) -> Result<Option<FetchedLetter>, ImapFault> {
        let query = format!("(UID INTERNALDATE BODY.PEEK[]<0.{}>)", BYTES_MAX.saturating_add(1));
        let found =
            self.account.run_command(BYTES_MAX.saturating_add(SHORT_ANSWER_MAX), |session| {
                session.uid_fetch(uid.to_string(), &query)
            })?;
        let own = found.iter().find(|fetched| fetched.uid == Some(uid));
        let body = own.and_then(|fetched| fetched.body());
        Ok(body.map(|bytes| FetchedLetter {
            bytes: bytes.to_vec(),
            received: own.and_then(received_at),
        }))
    }

    /// Returns the facts about a letter that could not be fetched, or `None` if it no longer
    /// exists.
    fn load_unfetchable_facts(
        &mut self,
        uid: u32,
        why: String,
    ) -> Result<Option<UnfetchableLetter>, FetchError> {
        // A session that works shows that the fault concerns this letter, and not the whole server.
        self.account.log_in_if_needed()?;
        let there = self.account.run_command(SHORT_ANSWER_MAX, |session| {
            session.uid_search(format!("UID {uid} UNDELETED")).map(|found| found.contains(&uid))
        });
        match there {
            Ok(false) => return Ok(None),
            Err(broken @ ImapFault::Broken(_)) => return Err(broken.into()),
            Ok(true) | Err(ImapFault::Refused(_)) => {}
        }
        let folder = self.account.settings.folder.clone();
        let about = self.account.run_command(SHORT_ANSWER_MAX, |session| {
            session.uid_fetch(uid.to_string(), "(UID INTERNALDATE RFC822.SIZE)")
        });
        let about = about.ok();
        let own = about.as_ref().and_then(|a| a.iter().find(|own| own.uid == Some(uid)));
        let (received, size) = (own.and_then(received_at), own.and_then(|own| own.size));
        Ok(Some(UnfetchableLetter { folder, received, size, why }))
    }

    fn move_letters(&mut self, uids: &[u32], folder: &str) -> Result<(), FetchError> {
        self.account.log_in_if_needed()?;
        self.ensure_folder(folder)?;
        self.move_letters_or_halves(uids, folder)
    }

    /// Moves letters with one command. If the server refuses, moves each half separately. So a
    /// letter that cannot be moved does not block the others.
    fn move_letters_or_halves(&mut self, uids: &[u32], folder: &str) -> Result<(), FetchError> {
        self.account.log_in_if_needed()?;
        let moved = if self.can_move {
            self.account
                .run_command(SHORT_ANSWER_MAX, |session| session.uid_mv(uid_set(uids), folder))
        } else {
            self.move_by_copying(uids, folder)
        };
        match moved {
            Err(ImapFault::Refused(_)) if uids.len() > 1 => {
                let (some, others) = uids.split_at(uids.len() / 2);
                let first = self.move_letters_or_halves(some, folder);
                self.move_letters_or_halves(others, folder).and(first)
            }
            moved => Ok(moved?),
        }
    }

    /// Moves letters on a server that does not support MOVE.
    fn move_by_copying(&mut self, uids: &[u32], folder: &str) -> Result<(), ImapFault> {
        let (fresh, tried): (Vec<u32>, Vec<u32>) =
            uids.iter().partition(|uid| self.uncopied.contains(uid));
        let copied = self.find_already_copied(&tried, folder)?;
        let to_copy: Vec<u32> = fresh
            .into_iter()
            .chain(tried.into_iter().filter(|uid| !copied.contains(uid)))
            .collect();
        if !to_copy.is_empty() {
            // From now on a copy may exist, unless the server refuses the command.
            self.uncopied.retain(|uid| !to_copy.contains(uid));
            let set = uid_set(&to_copy);
            let copied = self.account.run_command(SHORT_ANSWER_MAX, |session| {
                session.uid_copy(&set, quote_folder(folder))
            });
            if matches!(copied, Err(ImapFault::Refused(_))) {
                self.uncopied.extend(&to_copy);
            }
            copied?;
        }
        let set = uid_set(uids);
        let flag = "+FLAGS.SILENT (\\Deleted)";
        self.account.run_command(LIST_MAX, |session| session.uid_store(&set, flag).map(|_| ()))?;
        if self.can_expunge_single {
            self.account.run_command(LIST_MAX, |session| session.uid_expunge(&set).map(|_| ()))?;
        }
        Ok(())
    }

    /// Returns the letters that already have a copy in `mail_folder`, because an earlier session
    /// ended after copying them.
    fn find_already_copied(
        &mut self,
        letters: &[u32],
        mail_folder: &str,
    ) -> Result<BTreeSet<u32>, ImapFault> {
        let mut copied = BTreeSet::new();
        if letters.is_empty() {
            return Ok(copied);
        }
        let most = letters.len().saturating_mul(SHORT_ANSWER_MAX).min(LIST_MAX.saturating_mul(4));
        let fields = "(UID INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])";
        let found = self
            .account
            .run_command(most, |session| session.uid_fetch(uid_set(letters), fields))?;
        let queries: Vec<(u32, String)> = found
            .iter()
            .filter_map(|letter| Some((letter.uid?, copy_search_query(letter)?)))
            .collect();
        let examine = format!("EXAMINE {}", quote_folder(mail_folder));
        self.account.run_command(SHORT_ANSWER_MAX, |session| {
            session.run_command_and_read_response(&examine)
        })?;
        for (uid, query) in queries {
            let same = self.account.run_command(LIST_MAX, |session| session.uid_search(&query))?;
            if !same.is_empty() {
                copied.insert(uid);
            }
        }
        self.account.select_folder()?;
        Ok(copied)
    }
}

impl MailServer for ImapServer {
    fn list_letters(&mut self) -> Result<Vec<RemoteLetter>, FetchError> {
        self.account.log_in_if_needed()?;
        let found =
            self.account.run_command(LIST_MAX, |session| session.uid_search("UNDELETED"))?;
        let sorted: BTreeSet<u32> = found.into_iter().collect();
        let (start, end) = &self.name_parts;
        let remote = |uid| RemoteLetter { name: format!("{start}.{uid:010}.{end}"), uid };
        Ok(sorted.into_iter().map(remote).collect())
    }

    fn fetch_letter(&mut self, letter: &RemoteLetter) -> Result<FetchOutcome, FetchError> {
        self.account.log_in_if_needed()?;
        let why = match self.fetch_by_uid(letter.uid) {
            Ok(Some(fetched)) => {
                self.uncopied.insert(letter.uid);
                return Ok(FetchOutcome::Letter(fetched));
            }
            Ok(None) => "it gives nothing for it".to_owned(),
            Err(fault) => fault.into_reason(),
        };
        Ok(self
            .load_unfetchable_facts(letter.uid, why)?
            .map_or(FetchOutcome::Gone, FetchOutcome::Unfetchable))
    }

    fn move_to_folder(
        &mut self,
        letters: &[RemoteLetter],
        mail_folder: MailFolder,
    ) -> Result<(), FetchError> {
        let folder = match mail_folder {
            MailFolder::Done => self.account.settings.done.clone(),
            MailFolder::Quarantine => self.account.settings.quarantine.clone(),
        };
        let mut first = Ok(());
        for some in letters.chunks(MOVE_MAX) {
            let uids: Vec<u32> = some.iter().map(|letter| letter.uid).collect();
            let mut moved = self.move_letters(&uids, &folder);
            // The server may have closed the connection while the letters were processed.
            if moved.is_err() && self.account.has_no_session() {
                moved = self.move_letters(&uids, &folder);
            }
            first = first.and(moved);
        }
        first
    }
}

impl Drop for ImapServer {
    fn drop(&mut self) {
        self.account.log_out();
    }
}

fn uid_set(uids: &[u32]) -> String {
    uids.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

fn received_at(letter: &imap::types::Fetch<'_>) -> Option<DateTime<Utc>> {
    letter.internal_date().map(|date| date.with_timezone(&Utc))
}

/// Returns the search query for a letter's copy: by Message-ID if the letter has one, or else by
/// size and day.
fn copy_search_query(letter: &imap::types::Fetch<'_>) -> Option<String> {
    if let Some(id) = letter.header().and_then(searchable_message_id) {
        return Some(format!("HEADER Message-ID {}", quote_folder(&id)));
    }
    let (size, day) = (letter.size?, letter.internal_date()?.format("%-d-%b-%Y"));
    let (less, more) = (size.checked_sub(1)?, size.checked_add(1)?);
    Some(format!("LARGER {less} SMALLER {more} ON {day}"))
}

/// Returns the Message-ID in a letter's headers, if it can be used in a search.
fn searchable_message_id(head: &[u8]) -> Option<String> {
    let head = LetterHeaders::parse(head)?;
    let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\\');
    // Servers search for a substring of the header, so only a whole Message-ID finds no other
    // letter.
    let whole = |id: &&str| id.starts_with('<') && id.ends_with('>') && id.len() > 4;
    let id = head.value("message-id").filter(|id| whole(id) && id.chars().all(plain))?;
    Some(id.to_owned())
}
