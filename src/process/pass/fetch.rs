//! Fetches letters from a mail server into the inbox, and moves them on the server afterwards.
//!
//! Both halves can be repeated. The name of a letter's file is made from the letter, so it is
//! fetched once. The store has its fate, so it is moved even if a pass was cut short.
//!
//! A letter that a server does not hand over, or a file that cannot be opened, stops no other. The
//! moderator is told of it once, and it is tried again with pauses. Deadlines wait for
//! letters on a server, at most [`HOLD`] after the first of them was withheld. Players get that
//! time back, as after any outage.

use crate::mail::fetch::{FetchError, Fetched, Handed, MailServer, Remote, Withheld};
use crate::mail::transport::Transport;
use crate::mail::{MailFolder, Maildir, told, visible};
use crate::process::blame::{Blame, answered};
use crate::process::commit::transact;
use crate::process::context::{ClubError, Context};
use crate::process::delivery::results::{PAUSE_MAX, pause};
use crate::process::pass::{self, Letters, shared};
use crate::process::tally::{Mistake, PassReport};
use crate::process::timing::outage;
use crate::process::transaction::Transaction;
use crate::rules::{Arg, Message};
use crate::store::{Place, Repository, Unread};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeMap;

/// The most letters that one pass fetches; the next pass fetches the others.
const FETCH_MAX: usize = 10_000;

/// Opens the mail server that a pass fetches from, or says why it cannot be spoken to now.
pub type Served<'a> = Box<dyn FnOnce() -> Result<Box<dyn MailServer>, FetchError> + 'a>;

/// What lies on a server after a pass has fetched from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lying {
    /// The letters that lie there.
    pub letters: Vec<Remote>,
    /// Whether one of them is waited for that is not here yet.
    pub waits: bool,
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
pub fn pass_with(
    context: &Context,
    server: Option<Served<'_>>,
    transport: &mut dyn Transport,
) -> Result<PassReport, ClubError> {
    let Some(open) = server else { return pass::pass(context, transport) };
    let mut report = PassReport::default();
    pass::begin_pass(context)?;
    pass::take_in_while_standing(context, &mut report)?;
    let fetched = match open() {
        Ok(mut server) => {
            let lying = answered(fetch(context, &mut *server, &mut report))?;
            lying.map(|lying| (server, lying))
        }
        Err(error) => Err(error),
    };
    let letters = match &fetched {
        Ok((_, lying)) if !lying.waits => Letters::Here,
        _ => Letters::Elsewhere,
    };
    if letters == Letters::Here {
        // Where letters cannot be fetched for long, that is an outage like any other.
        outage::check_heartbeat(context)?;
    }
    pass::take_in_while_standing(context, &mut report)?;
    if letters == Letters::Here {
        shared::note_way_in(context)?;
    }
    let cleared = match fetched {
        Ok((mut server, lying)) => answered(clear(context, &mut *server, &lying.letters))?,
        Err(error) => Err(error),
    };
    if let Err(error) = cleared {
        let what = error.to_string();
        report.mistakes.extend(error.mend.map(|mend| Mistake { mend, what: what.clone() }));
        report.troubles.push(what);
    }
    pass::end_pass(context, letters, transport, report)
}

/// Puts every letter of the server that is new into the inbox, those last that it could not
/// hand over before.
///
/// # Errors
/// When the inbox or the store cannot be read or written; inside, when the server fails.
pub fn fetch(
    context: &Context,
    server: &mut dyn MailServer,
    report: &mut PassReport,
) -> Result<Lying, Blame<FetchError>> {
    let letters = server.letters().map_err(Blame::Theirs)?;
    let mut unreadable = Unreadable::new(context, Place::Server)?;
    unreadable.keep_only(|name| letters.iter().any(|letter| letter.name == name));
    let inbox = context.inbox();
    let file = |error| ClubError::file(inbox.root(), error);
    let here = inbox.names().map_err(file)?;
    let (tx, mut new) = (Transaction::begin(context), Vec::new());
    for letter in &letters {
        if !here.contains_key(&letter.name) && tx.seen_file(&letter.name)?.is_none() {
            new.push(letter);
        }
    }
    let (tried, fresh): (Vec<&Remote>, Vec<&Remote>) =
        new.into_iter().partition(|letter| unreadable.knows(&letter.name));
    let too_many = fresh.len() > FETCH_MAX;
    let due = tried.into_iter().filter(|letter| unreadable.is_due(&letter.name));
    let asked: Vec<&Remote> = fresh.into_iter().take(FETCH_MAX).chain(due).collect();
    let mut failed = None;
    for letter in asked {
        match server.fetch(letter) {
            Ok(Handed::Letter(Fetched { bytes, received })) => {
                // No letter comes from the future, or from before there was e-mail.
                let received = received.filter(|at| at.timestamp() > 0);
                let received = received.map(|at| at.min(context.now));
                inbox.keep(&letter.name, &bytes, received).map_err(file)?;
                unreadable.is_well(&letter.name);
            }
            Ok(Handed::Gone) => unreadable.is_well(&letter.name),
            Ok(Handed::Withheld(withheld)) => unreadable.withheld(&letter.name, &withheld),
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
    }
    let waits = too_many || unreadable.hold_clocks();
    report.troubles.extend(unreadable.tell()?);
    failed.map_or(Ok(Lying { letters, waits }), |error| Err(Blame::Theirs(error)))
}

/// Moves the letters that have been dealt with on the server too.
///
/// # Errors
/// When the inbox or the store cannot be read; inside, when the server fails.
pub fn clear(
    context: &Context,
    server: &mut dyn MailServer,
    letters: &[Remote],
) -> Result<(), Blame<FetchError>> {
    let inbox = context.inbox();
    let here = inbox.names().map_err(|error| ClubError::file(inbox.root(), error))?;
    let tx = Transaction::begin(context);
    let (mut done, mut quarantined) = (Vec::new(), Vec::new());
    for letter in letters {
        // A store that was restored knows no files; the inbox's mail folders do.
        let mail_folder = match tx.fate(&letter.name)? {
            Some(fate) => Some(fate.disposition.mail_folder()),
            None => here.get(&letter.name).copied().flatten(),
        };
        match mail_folder {
            Some(MailFolder::Done) => done.push(letter.clone()),
            Some(MailFolder::Quarantine) => quarantined.push(letter.clone()),
            None => {}
        }
    }
    let moved = server.put(&done, MailFolder::Done);
    server.put(&quarantined, MailFolder::Quarantine).and(moved).map_err(Blame::Theirs)
}

/// How long deadlines wait for letters that a server withholds.
const HOLD: TimeDelta = TimeDelta::days(1);
/// The most letters that a note to the moderator names.
const NAMED_MAX: usize = 20;

/// What is known of such letters in one place, and what one pass finds out.
pub struct Unreadable<'a> {
    context: &'a Context,
    place: Place,
    /// The letters that could not be read before, by file name.
    known: BTreeMap<String, Unread>,
    /// The changes to `known` that are not yet written.
    changed: Vec<(String, Option<Unread>)>,
    /// What the moderator is told.
    matters: Vec<Message>,
    troubles: Vec<String>,
}

impl<'a> Unreadable<'a> {
    /// What the store knows of this place.
    pub(crate) fn new(context: &'a Context, place: Place) -> Result<Self, ClubError> {
        let mut known = Transaction::begin(context).unread()?;
        known.retain(|_, unread| unread.place == place);
        let (changed, matters, troubles) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { context, place, known, changed, matters, troubles })
    }

    /// Forgets the letters that are not there any more.
    pub(crate) fn keep_only(&mut self, is_there: impl Fn(&str) -> bool) {
        let gone: Vec<String> = self.known.keys().filter(|name| !is_there(name)).cloned().collect();
        gone.iter().for_each(|name| self.is_well(name));
    }

    /// Whether a letter could not be read before.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// Whether a letter is to be tried now. A time that no pause reaches was set by a wrong clock.
    pub(crate) fn is_due(&self, name: &str) -> bool {
        let now = self.context.now;
        self.known.get(name).is_none_or(|it| now >= it.next || it.next - now > PAUSE_MAX)
    }

    /// A letter was read, or is gone.
    pub(crate) fn is_well(&mut self, name: &str) {
        if self.known.remove(name).is_some() {
            self.changed.push((name.to_owned(), None));
        }
    }

    /// A server could not hand a letter over.
    pub(crate) fn withheld(&mut self, name: &str, withheld: &Withheld) {
        let Withheld { folder, received, size, why } = withheld;
        let moment = |at: DateTime<Utc>| Arg::from(self.context.moment(at));
        let when = received.map_or(Arg::from("unknown"), moment);
        let until = self.hold_until().map_or(Arg::from("over"), moment);
        let matter = Message::new("report-withheld")
            .with("folder", folder.as_str())
            .with("when", when)
            .with("bytes", size.map_or_else(|| "unknown".to_owned(), |size| size.to_string()))
            .with("why", told(why))
            .with("until", until);
        self.is_unread(name, why, matter);
    }

    /// A letter could not be read again, or for the first time: the moderator is told that once.
    fn is_unread(&mut self, name: &str, why: &str, matter: Message) {
        let now = self.context.now;
        self.troubles.push(format!("{name}: {why}"));
        let before = self.known.get(name);
        if before.is_none() {
            self.matters.push(matter);
        }
        let tries = before.map_or(0, |before| before.tries);
        let unread = Unread {
            since: before.map_or(now, |before| before.since.min(now)),
            tries: tries.saturating_add(1),
            next: now.checked_add_signed(pause(tries)).unwrap_or(now),
            place: self.place,
        };
        self.changed.push((name.to_owned(), Some(unread.clone())));
        self.known.insert(name.to_owned(), unread);
    }

    /// Whether deadlines wait for one of these letters.
    pub(crate) fn hold_clocks(&self) -> bool {
        !self.known.is_empty() && self.hold_until().is_some()
    }

    /// Until when deadlines wait, if they do or would for one more letter.
    fn hold_until(&self) -> Option<DateTime<Utc>> {
        let now = self.context.now;
        let first = self.known.values().map(|unread| unread.since).fold(now, DateTime::min);
        first.checked_add_signed(HOLD).filter(|until| now < *until)
    }

    /// Writes the changes, tells the moderator of new letters, and returns what went wrong.
    pub(crate) fn tell(mut self) -> Result<Vec<String>, ClubError> {
        let more = self.matters.len().saturating_sub(NAMED_MAX);
        if more > 0 {
            self.matters.truncate(NAMED_MAX);
            self.matters.push(Message::new("report-unread-more").with("count", more));
        }
        if self.changed.is_empty() && self.matters.is_empty() {
            return Ok(self.troubles);
        }
        transact(self.context, |tx| {
            tx.write().unread.clone_from(&self.changed);
            self.matters.iter().for_each(|matter| tx.tell_moderator(matter.clone()));
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
pub(crate) fn tell_of_unreadable(
    context: &Context,
    inbox: &Maildir,
) -> Result<Vec<String>, ClubError> {
    let file = |error| ClubError::file(inbox.root(), error);
    let found = inbox.unreadable().map_err(file)?;
    let mut unreadable = Unreadable::new(context, Place::Inbox)?;
    unreadable.keep_only(|name| found.iter().any(|(found, _)| found == name));
    for (name, why) in &found {
        if !unreadable.knows(name) {
            let matter = Message::new("report-unreadable-file")
                .with("file", visible(name))
                .with("why", told(why));
            unreadable.is_unread(name, why, matter);
        }
    }
    unreadable.tell()
}
