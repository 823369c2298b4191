//! Letters that lie there and cannot be read: on a server that does not hand them over, or in files
//! that cannot be opened.
//!
//! One such letter stops no other. The moderator is told of it once; it is tried again with pauses,
//! so that it is read once that is possible. Deadlines wait for a letter on a server, as its writer
//! has done what he could, but not for ever: until the letter that was withheld first has been for
//! [`HOLD`]. That time is given back like that of any outage.

use crate::mail::fetch::Withheld;
use crate::mail::{Maildir, told, visible};
use crate::process::context::{ClubError, Context};
use crate::process::outbound::tell;
use crate::process::transaction::Transaction;
use crate::process::transaction::retry;
use crate::rules::{Arg, Message};
use crate::store::{Place, Repository, Unread};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeMap;

/// How long deadlines wait for letters that a server withholds.
const HOLD: TimeDelta = TimeDelta::days(1);
/// The longest pause between two tries.
const PAUSE_MAX: TimeDelta = TimeDelta::hours(6);
/// So many letters are named one by one in what the moderator is told.
const NAMED_MAX: usize = 20;

/// What is known of such letters in one place, and what one pass finds out.
pub struct Unreadable<'a> {
    context: &'a Context,
    place: Place,
    /// By their names.
    known: BTreeMap<String, Unread>,
    /// What has changed of that.
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

    /// Keeps what was found out and tells the moderator of what is new; what went wrong.
    pub(crate) fn tell(mut self) -> Result<Vec<String>, ClubError> {
        let more = self.matters.len().saturating_sub(NAMED_MAX);
        if more > 0 {
            self.matters.truncate(NAMED_MAX);
            self.matters.push(Message::new("report-unread-more").with("count", more));
        }
        if self.changed.is_empty() && self.matters.is_empty() {
            return Ok(self.troubles);
        }
        retry(|| {
            let mut tx = Transaction::begin(self.context);
            tx.write().unread.clone_from(&self.changed);
            if !self.matters.is_empty() {
                let note = tell::to_moderator(&tx, self.matters.clone())?;
                tx.write().outgoing.push(note);
            }
            tx.keep()
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

/// How long a letter is left alone after so many tries: 5, 10, 20 minutes, and so on up to six
/// hours.
fn pause(tries: u32) -> TimeDelta {
    TimeDelta::minutes(5 << tries.min(10)).min(PAUSE_MAX)
}
