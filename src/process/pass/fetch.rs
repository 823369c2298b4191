//! Fetches letters from a mail server into the inbox, and moves them on the server afterwards.
//!
//! Both halves can be repeated. The name of a letter's file is made from the letter, so it is
//! fetched once. The store has its fate, so it is moved even if a pass was cut short.
//!
//! A letter that a server does not hand over, or a file that cannot be opened, stops no other. The
//! moderator is told of it once, and it is tried again with pauses. Deadlines wait for
//! letters on a server, at most [`DEADLINE_HOLD_MAX`] after the first of them was withheld. Players get that
//! time back, as after any outage.

use crate::mail::fetch::{
    FetchError, FetchOutcome, FetchedLetter, MailServer, RemoteLetter, UnfetchableLetter,
};
use crate::mail::transport::Transport;
use crate::mail::{MailFolder, Maildir, strip_invisible, translate_fault};
use crate::process::commit::transact;
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

/// The most letters that one pass fetches; the next pass fetches the others.
const FETCHED_PER_PASS_MAX: usize = 10_000;

/// Opens the mail server that a pass fetches from, or says why it cannot be spoken to now.
pub type ServerOpener<'a> = Box<dyn FnOnce() -> Result<Box<dyn MailServer>, FetchError> + 'a>;

/// What lies on a server after a pass has fetched from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerContents {
    /// The letters that lie there.
    pub letters: Vec<RemoteLetter>,
    /// Whether one of them is waited for that is not here yet.
    pub has_pending: bool,
}

/// Does one pass, with letters from a mail server where there is one.
///
/// What is here already is read before the server is spoken to. A server that cannot be worked
/// with is a trouble of the report and no error: the outbox is posted all the same. But no
/// deadline bites, as the letter that was in time may lie on the server.
///
/// # Errors
/// When the club cannot be read or written. What was committed before stays, and the next pass
/// goes on from there.
pub fn run_pass_with_server(
    context: &Context,
    server: Option<ServerOpener<'_>>,
    transport: &mut dyn Transport,
) -> Result<PassReport, ClubError> {
    let Some(open) = server else { return pass::run_pass(context, transport) };
    let mut report = PassReport::default();
    pass::begin_pass(context)?;
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
        // Where letters cannot be fetched for long, that is an outage like any other.
        outage::check_heartbeat(context)?;
    }
    pass::process_letters_during_outage(context, &mut report)?;
    if letters == InboxState::Complete {
        shared_club::note_local_transport_read(context)?;
    }
    let cleared = match fetched {
        Ok((mut server, lying)) => {
            split_refusal(archive_on_server(context, &mut *server, &lying.letters))?
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
    pass::end_pass(context, letters, transport, report)
}

/// Puts every letter of the server that is new into the inbox, those last that it could not
/// hand over before.
///
/// # Errors
/// When the inbox or the store cannot be read or written; inside, when the server fails.
pub fn fetch_letters(
    context: &Context,
    server: &mut dyn MailServer,
    report: &mut PassReport,
) -> Result<ServerContents, RequestError<FetchError>> {
    let letters = server.list_letters().map_err(RequestError::Refused)?;
    let mut unreadable = UnreadableLetters::new(context, LetterOrigin::Server)?;
    unreadable.retain_present(|name| letters.iter().any(|letter| letter.name == name));
    let inbox = context.inbox();
    let file = |error| ClubError::file(inbox.root(), error);
    let here = inbox.letter_names().map_err(file)?;
    let (tx, mut new) = (Transaction::begin(context), Vec::new());
    for letter in &letters {
        if !here.contains_key(&letter.name) && tx.seen_file(&letter.name)?.is_none() {
            new.push(letter);
        }
    }
    let (tried, fresh): (Vec<&RemoteLetter>, Vec<&RemoteLetter>) =
        new.into_iter().partition(|letter| unreadable.contains(&letter.name));
    let too_many = fresh.len() > FETCHED_PER_PASS_MAX;
    let due = tried.into_iter().filter(|letter| unreadable.is_due(&letter.name));
    let asked: Vec<&RemoteLetter> =
        fresh.into_iter().take(FETCHED_PER_PASS_MAX).chain(due).collect();
    let mut failed = None;
    for letter in asked {
        match server.fetch_letter(letter) {
            Ok(FetchOutcome::Letter(FetchedLetter { bytes, received })) => {
                // No letter comes from the future, or from before there was e-mail.
                let received = received.filter(|at| at.timestamp() > 0);
                let received = received.map(|at| at.min(context.now));
                inbox.insert(&letter.name, &bytes, received).map_err(file)?;
                unreadable.mark_readable(&letter.name);
            }
            Ok(FetchOutcome::Gone) => unreadable.mark_readable(&letter.name),
            Ok(FetchOutcome::Unfetchable(withheld)) => {
                unreadable.record_withheld(&letter.name, &withheld)
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

/// Moves the letters that have been dealt with on the server too.
///
/// # Errors
/// When the inbox or the store cannot be read; inside, when the server fails.
pub fn archive_on_server(
    context: &Context,
    server: &mut dyn MailServer,
    letters: &[RemoteLetter],
) -> Result<(), RequestError<FetchError>> {
    let inbox = context.inbox();
    let here = inbox.letter_names().map_err(|error| ClubError::file(inbox.root(), error))?;
    let tx = Transaction::begin(context);
    let (mut done, mut quarantined) = (Vec::new(), Vec::new());
    for letter in letters {
        // A store that was restored knows no files; the inbox's mail folders do.
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

/// How long deadlines wait for letters that a server withholds.
const DEADLINE_HOLD_MAX: TimeDelta = TimeDelta::days(1);
/// The most letters that a note to the moderator names.
const NAMED_LETTERS_MAX: usize = 20;

/// What is known of such letters in one place, and what one pass finds out.
pub struct UnreadableLetters<'a> {
    context: &'a Context,
    place: LetterOrigin,
    /// The letters that could not be read before, by file name.
    known: BTreeMap<String, UnreadableLetter>,
    /// The changes to `known` that are not yet written.
    changed: Vec<(String, Option<UnreadableLetter>)>,
    /// What the moderator is told.
    alerts: Vec<Message>,
    troubles: Vec<String>,
}

impl<'a> UnreadableLetters<'a> {
    /// What the store knows of this place.
    pub(crate) fn new(context: &'a Context, place: LetterOrigin) -> Result<Self, ClubError> {
        let mut known = Transaction::begin(context).unreadable_letters()?;
        known.retain(|_, unread| unread.place == place);
        let (changed, matters, troubles) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { context, place, known, changed, alerts: matters, troubles })
    }

    /// Forgets the letters that are not there any more.
    pub(crate) fn retain_present(&mut self, is_there: impl Fn(&str) -> bool) {
        let gone: Vec<String> = self.known.keys().filter(|name| !is_there(name)).cloned().collect();
        gone.iter().for_each(|name| self.mark_readable(name));
    }

    /// Whether a letter could not be read before.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// Whether a letter is to be tried now. A time that no pause reaches was set by a wrong clock.
    pub(crate) fn is_due(&self, name: &str) -> bool {
        let now = self.context.now;
        self.known.get(name).is_none_or(|it| now >= it.next || it.next - now > PAUSE_MAX)
    }

    /// A letter was read, or is gone.
    pub(crate) fn mark_readable(&mut self, name: &str) {
        if self.known.remove(name).is_some() {
            self.changed.push((name.to_owned(), None));
        }
    }

    /// A server could not hand a letter over.
    pub(crate) fn record_withheld(&mut self, name: &str, withheld: &UnfetchableLetter) {
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
        self.record_failure(name, why, matter);
    }

    /// A letter could not be read again, or for the first time: the moderator is told that once.
    fn record_failure(&mut self, name: &str, why: &str, matter: Message) {
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

    /// Whether deadlines wait for one of these letters.
    pub(crate) fn should_hold_deadlines(&self) -> bool {
        !self.known.is_empty() && self.deadline_hold_end().is_some()
    }

    /// Until when deadlines wait, if they do or would for one more letter.
    fn deadline_hold_end(&self) -> Option<DateTime<Utc>> {
        let now = self.context.now;
        let first = self.known.values().map(|unread| unread.since).fold(now, DateTime::min);
        first.checked_add_signed(DEADLINE_HOLD_MAX).filter(|until| now < *until)
    }

    /// Writes the changes, tells the moderator of new letters, and returns what went wrong.
    pub(crate) fn save_and_report(mut self) -> Result<Vec<String>, ClubError> {
        let more = self.alerts.len().saturating_sub(NAMED_LETTERS_MAX);
        if more > 0 {
            self.alerts.truncate(NAMED_LETTERS_MAX);
            self.alerts.push(Message::new("report-unread-more").with("count", more));
        }
        if self.changed.is_empty() && self.alerts.is_empty() {
            return Ok(self.troubles);
        }
        transact(self.context, |tx| {
            tx.batch_mut().unreadable.clone_from(&self.changed);
            self.alerts.iter().for_each(|matter| tx.report_to_moderator(matter.clone()));
            Ok::<_, ClubError>(())
        })?;
        Ok(self.troubles)
    }
}

/// Tells the moderator once of what lies in the inbox and cannot be read, be it a letter or
/// something else; what went wrong that was not known. Every pass tries them all again.
///
/// # Errors
/// When the inbox cannot be listed, or the store not be read or written.
pub(crate) fn report_unreadable_files(
    context: &Context,
    inbox: &Maildir,
) -> Result<Vec<String>, ClubError> {
    let file = |error| ClubError::file(inbox.root(), error);
    let found = inbox.unreadable_files().map_err(file)?;
    let mut unreadable = UnreadableLetters::new(context, LetterOrigin::Inbox)?;
    unreadable.retain_present(|name| found.iter().any(|(found, _)| found == name));
    for (name, why) in &found {
        if !unreadable.contains(name) {
            let matter = Message::new("report-unreadable-file")
                .with("file", strip_invisible(name))
                .with("why", translate_fault(why));
            unreadable.record_failure(name, why, matter);
        }
    }
    unreadable.save_and_report()
}
