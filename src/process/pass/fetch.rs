//! Fetches letters from a mail server into the inbox, and later moves them into the matching
//! folders on the server.
//!
//! Both steps can be repeated if a pass is killed. A letter's file name is derived from the letter,
//! so it is fetched once. The store keeps each letter's disposition, so the next pass can still
//! move it on the server.
//!
//! If a server does not deliver a letter, or a file cannot be opened, the other letters are still
//! read. The moderator is told once, and later passes retry with growing pauses. Deadlines wait for
//! letters on the server, but at most [`DEADLINE_HOLD_MAX`] after the first failure. The players
//! then get that time back, as after any outage.

use crate::mail::fetch::{
    FetchError, FetchOutcome, FetchedLetter, MailServer, RemoteLetter, UnfetchableLetter,
};
use crate::mail::transport::Transport;
use crate::mail::{MailFolder, Maildir, strip_invisible, translate_fault};
use crate::process::commit::transact_and_notify;
use crate::process::context::{ClubError, Context};
use crate::process::delivery::rejected_letters::{PAUSE_MAX, retry_pause};
use crate::process::pass::{self, InboxState, shared_club};
use crate::process::pass_report::{LastingTrouble, PassReport};
use crate::process::request_error::{RequestError, split_refusal};
use crate::process::timing::outage;
use crate::process::transaction::Transaction;
use crate::rules::{Arg, Message};
use crate::store::{LetterOrigin, Repository, UnreadableLetter};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeMap;

/// The most letters that one pass fetches. The next pass fetches the others.
const FETCHED_PER_PASS_MAX: usize = 10_000;

/// A function that connects to the mail server, or returns why that is impossible now.
pub type ServerOpener<'a> = Box<dyn FnOnce() -> Result<Box<dyn MailServer>, FetchError> + 'a>;

/// The result of fetching from a mail server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerContents {
    /// The letters on the server, including those that were fetched earlier.
    pub letters: Vec<RemoteLetter>,
    /// Whether deadlines must wait because a letter on the server is not in the inbox yet.
    pub has_pending: bool,
}

/// Runs one pass that first fetches letters from the mail server, if `server` is given.
///
/// The letters that are already in the inbox are read before the server is contacted. If the server
/// fails, the report lists that as a trouble and the outbox is still sent. No deadline expires in
/// such a pass, because an order that was in time may be on the server.
///
/// # Errors
/// When the club cannot be read or written. Everything committed before the error stays, and the
/// next pass continues from there.
pub fn run_pass_with_mail_server(
    context: &Context,
    server: Option<ServerOpener<'_>>,
    transport: &mut dyn Transport,
) -> Result<PassReport, ClubError> {
    let Some(open) = server else { return pass::run_pass(context, transport) };
    let mut report = PassReport::default();
    pass::refresh_cache_and_journal(context)?;
    pass::process_letters_during_outage(context, &mut report)?;
    let fetched = match open() {
        Ok(mut server) => {
            let lying = split_refusal(fetch_letters(context, &mut *server, &mut report))?;
            lying.map(|lying| (server, lying))
        }
        Err(error) => Err(error),
    };
    let letters = match &fetched {
        Ok((_, lying)) if !lying.has_pending => InboxState::Complete,
        _ => InboxState::Incomplete,
    };
    if letters == InboxState::Complete {
        // A long time in which letters could not be fetched counts as an outage, so the heartbeat
        // is checked only after a complete fetch.
        outage::record_pass_and_refund_outage(context)?;
    }
    pass::process_letters_during_outage(context, &mut report)?;
    if letters == InboxState::Complete {
        shared_club::note_local_transport_read(context)?;
    }
    let cleared = match fetched {
        Ok((mut server, lying)) => {
            split_refusal(move_processed_on_server(context, &mut *server, &lying.letters))?
        }
        Err(error) => Err(error),
    };
    if let Err(error) = cleared {
        let what = error.to_string();
        report.lasting_troubles.extend(
            error.permanent_fault.map(|mend| LastingTrouble { fault: mend, what: what.clone() }),
        );
        report.troubles.push(what);
    }
    pass::run_due_games_and_deliver(context, letters, transport, report)
}

/// Fetches the new letters of a mail server into the inbox. Letters that the server failed to
/// deliver in an earlier pass are tried last.
///
/// # Errors
/// When the inbox or the store cannot be read or written. A failure of the server is
/// [`RequestError::Refused`].
pub fn fetch_letters(
    context: &Context,
    server: &mut dyn MailServer,
    report: &mut PassReport,
) -> Result<ServerContents, RequestError<FetchError>> {
    let letters = server.list_letters().map_err(RequestError::Refused)?;
    let mut unreadable = UnreadableLetters::new(context, LetterOrigin::Server)?;
    unreadable.forget_missing(|name| letters.iter().any(|letter| letter.name == name));
    let inbox = context.inbox_maildir();
    let file = |error| ClubError::for_path(inbox.root(), error);
    let here = inbox.letter_names_with_archives().map_err(file)?;
    let (tx, mut new) = (Transaction::begin(context), Vec::new());
    for letter in &letters {
        if !here.contains_key(&letter.name) && tx.file_outcome_text(&letter.name)?.is_none() {
            new.push(letter);
        }
    }
    let (tried, fresh): (Vec<&RemoteLetter>, Vec<&RemoteLetter>) =
        new.into_iter().partition(|letter| unreadable.contains(&letter.name));
    let too_many = fresh.len() > FETCHED_PER_PASS_MAX;
    let due = tried.into_iter().filter(|letter| unreadable.may_retry_now(&letter.name));
    let asked: Vec<&RemoteLetter> =
        fresh.into_iter().take(FETCHED_PER_PASS_MAX).chain(due).collect();
    let mut failed = None;
    for letter in asked {
        match server.fetch_letter(letter) {
            Ok(FetchOutcome::Letter(FetchedLetter { bytes, received })) => {
                // Caps the received time at now, and drops times before 1970.
                let received = received.filter(|at| at.timestamp() > 0);
                let received = received.map(|at| at.min(context.now));
                inbox.insert(&letter.name, &bytes, received).map_err(file)?;
                unreadable.forget_letter(&letter.name);
            }
            Ok(FetchOutcome::Gone) => unreadable.forget_letter(&letter.name),
            Ok(FetchOutcome::Unfetchable(withheld)) => {
                unreadable.record_withheld_by_server(&letter.name, &withheld);
            }
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
    }
    let waits = too_many || unreadable.should_hold_deadlines();
    report.troubles.extend(unreadable.save_and_report()?);
    failed.map_or(Ok(ServerContents { letters, has_pending: waits }), |error| {
        Err(RequestError::Refused(error))
    })
}

/// Moves the letters that are committed or in quarantine into the matching folders on the mail
/// server.
///
/// # Errors
/// When the inbox or the store cannot be read. A failure of the server is
/// [`RequestError::Refused`].
pub fn move_processed_on_server(
    context: &Context,
    server: &mut dyn MailServer,
    letters: &[RemoteLetter],
) -> Result<(), RequestError<FetchError>> {
    let inbox = context.inbox_maildir();
    let here = inbox
        .letter_names_with_archives()
        .map_err(|error| ClubError::for_path(inbox.root(), error))?;
    let tx = Transaction::begin(context);
    let (mut done, mut quarantined) = (Vec::new(), Vec::new());
    for letter in letters {
        // A restored store has no outcomes of files, so the inbox's mail folders are used instead.
        let mail_folder = match tx.file_outcome(&letter.name)? {
            Some(fate) => Some(fate.disposition.mail_folder()),
            None => here.get(&letter.name).copied().flatten(),
        };
        match mail_folder {
            Some(MailFolder::Done) => done.push(letter.clone()),
            Some(MailFolder::Quarantine) => quarantined.push(letter.clone()),
            None => {}
        }
    }
    let moved = server.move_to_folder(&done, MailFolder::Done);
    server
        .move_to_folder(&quarantined, MailFolder::Quarantine)
        .and(moved)
        .map_err(RequestError::Refused)
}

/// The longest time for which deadlines wait for letters that a server does not deliver.
const DEADLINE_HOLD_MAX: TimeDelta = TimeDelta::days(1);
/// The most letters that one note to the moderator names.
const NAMED_LETTERS_MAX: usize = 20;

/// The letters of the mail server or of the inbox that could not be read, and the changes that this
/// pass makes to that list.
pub struct UnreadableLetters<'a> {
    context: &'a Context,
    place: LetterOrigin,
    /// The unreadable letters known from earlier passes, by file name.
    known: BTreeMap<String, UnreadableLetter>,
    /// The changes to `known` that are not yet in the store. `None` removes a letter.
    changed: Vec<(String, Option<UnreadableLetter>)>,
    /// The sentences for the moderator about letters that failed for the first time.
    alerts: Vec<Message>,
    troubles: Vec<String>,
}

impl<'a> UnreadableLetters<'a> {
    /// Loads the letters of this origin (mail server or inbox) that earlier passes could not read.
    pub(crate) fn new(context: &'a Context, place: LetterOrigin) -> Result<Self, ClubError> {
        let mut known = Transaction::begin(context).unreadable_letters()?;
        known.retain(|_, unread| unread.place == place);
        let (changed, matters, troubles) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { context, place, known, changed, alerts: matters, troubles })
    }

    /// Forgets the letters that are gone. `is_there` says whether a file name is still present.
    pub(crate) fn forget_missing(&mut self, is_there: impl Fn(&str) -> bool) {
        let gone: Vec<String> = self.known.keys().filter(|name| !is_there(name)).cloned().collect();
        gone.iter().for_each(|name| self.forget_letter(name));
    }

    /// Whether reading this letter failed in an earlier pass.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// Whether this letter may be tried now. A retry time further ahead than the longest pause was
    /// set by a wrong clock, so it counts as due.
    pub(crate) fn may_retry_now(&self, name: &str) -> bool {
        let now = self.context.now;
        self.known.get(name).is_none_or(|it| now >= it.next || it.next - now > PAUSE_MAX)
    }

    /// Forgets a letter because it was read or is gone.
    pub(crate) fn forget_letter(&mut self, name: &str) {
        if self.known.remove(name).is_some() {
            self.changed.push((name.to_owned(), None));
        }
    }

    /// Records that the mail server failed to deliver a letter, and reports it to the moderator at
    /// the first failure.
    pub(crate) fn record_withheld_by_server(&mut self, name: &str, withheld: &UnfetchableLetter) {
        let UnfetchableLetter { folder, received, size, why } = withheld;
        let moment = |at: DateTime<Utc>| Arg::from(self.context.moment_for_moderator(at));
        let when = received.map_or(Arg::from("unknown"), moment);
        let until = self.deadline_hold_end().map_or(Arg::from("over"), moment);
        let matter = Message::new("report-withheld")
            .with("folder", folder.as_str())
            .with("when", when)
            .with("bytes", size.map_or_else(|| "unknown".to_owned(), |size| size.to_string()))
            .with("why", translate_fault(why))
            .with("until", until);
        self.record_and_report_failure(name, why, matter);
    }

    /// Records that a letter could not be read, and sets the time of the next try. Reports it to
    /// the moderator only at the first failure.
    fn record_and_report_failure(&mut self, name: &str, why: &str, matter: Message) {
        let now = self.context.now;
        self.troubles.push(format!("{name}: {why}"));
        let before = self.known.get(name);
        if before.is_none() {
            self.alerts.push(matter);
        }
        let tries = before.map_or(0, |before| before.tries);
        let unread = UnreadableLetter {
            since: before.map_or(now, |before| before.since.min(now)),
            tries: tries.saturating_add(1),
            next: now.checked_add_signed(retry_pause(tries)).unwrap_or(now),
            place: self.place,
        };
        self.changed.push((name.to_owned(), Some(unread.clone())));
        self.known.insert(name.to_owned(), unread);
    }

    /// Whether deadlines must wait because one of these letters may hold an order.
    pub(crate) fn should_hold_deadlines(&self) -> bool {
        !self.known.is_empty() && self.deadline_hold_end().is_some()
    }

    /// Returns the time until which deadlines wait for unread letters, or `None` once that time is
    /// over. Without unread letters, it is the time for a letter that fails now.
    fn deadline_hold_end(&self) -> Option<DateTime<Utc>> {
        let now = self.context.now;
        let first = self.known.values().map(|unread| unread.since).fold(now, DateTime::min);
        first.checked_add_signed(DEADLINE_HOLD_MAX).filter(|until| now < *until)
    }

    /// Writes the changes to the store, sends the alerts to the moderator, and returns the lines
    /// for the pass report.
    pub(crate) fn save_and_report(mut self) -> Result<Vec<String>, ClubError> {
        let more = self.alerts.len().saturating_sub(NAMED_LETTERS_MAX);
        if more > 0 {
            self.alerts.truncate(NAMED_LETTERS_MAX);
            self.alerts.push(Message::new("report-unread-more").with("count", more));
        }
        if self.changed.is_empty() && self.alerts.is_empty() {
            return Ok(self.troubles);
        }
        transact_and_notify(self.context, |tx| {
            tx.batch_mut().unreadable.clone_from(&self.changed);
            self.alerts.iter().for_each(|matter| tx.report_to_moderator(matter.clone()));
            Ok::<_, ClubError>(())
        })?;
        Ok(self.troubles)
    }
}

/// Tells the moderator about files in the inbox that cannot be read, once for each file. Returns
/// lines about the new ones for the pass report. Every pass tries all files again.
pub(crate) fn report_unreadable_files(
    context: &Context,
    inbox: &Maildir,
) -> Result<Vec<String>, ClubError> {
    let file = |error| ClubError::for_path(inbox.root(), error);
    let found = inbox.unreadable_files().map_err(file)?;
    let mut unreadable = UnreadableLetters::new(context, LetterOrigin::Inbox)?;
    unreadable.forget_missing(|name| found.iter().any(|(found, _)| found == name));
    for (name, why) in &found {
        if !unreadable.contains(name) {
            let matter = Message::new("report-unreadable-file")
                .with("file", strip_invisible(name))
                .with("why", translate_fault(why));
            unreadable.record_and_report_failure(name, why, matter);
        }
    }
    unreadable.save_and_report()
}
