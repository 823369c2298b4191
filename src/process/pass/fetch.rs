//! Letters from a mail server into the inbox, and their moving on the server afterwards.
//!
//! Both halves can be repeated at will. A letter's file has a name that is the letter's own, so it
//! is fetched once whatever happens; and what a pass has made of it stands in the store, so it is
//! moved once a pass that was cut short has been done again. A letter that the server cannot hand
//! over stops no other; it is [`crate::process::pass::unread`]'s.

use crate::mail::MailFolder;
use crate::mail::fetch::{FetchError, Fetched, Handed, MailServer, Remote};
use crate::mail::transport::Transport;
use crate::process::blame::{Blame, answered};
use crate::process::context::{ClubError, Context};
use crate::process::pass::unread::Unreadable;
use crate::process::pass::{self, Letters, shared};
use crate::process::tally::{Mistake, PassReport};
use crate::process::timing::outage;
use crate::process::transaction::Transaction;
use crate::store::{Place, Repository};

/// How many letters one pass fetches at most; the others are there for the next one.
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
    let here = inbox.names().map_err(|error| ClubError::file(inbox.root(), error))?;
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
        failed = fetch_one(context, server, letter, &mut unreadable)?;
        if failed.is_some() {
            break;
        }
    }
    let waits = too_many || unreadable.hold_clocks();
    report.troubles.extend(unreadable.tell()?);
    failed.map_or(Ok(Lying { letters, waits }), |error| Err(Blame::Theirs(error)))
}

/// Fetches a letter; what is wrong with the server, if it cannot be asked for others.
fn fetch_one(
    context: &Context,
    server: &mut dyn MailServer,
    letter: &Remote,
    unreadable: &mut Unreadable<'_>,
) -> Result<Option<FetchError>, ClubError> {
    match server.fetch(letter) {
        Ok(Handed::Letter(Fetched { bytes, received })) => {
            let inbox = context.inbox();
            // No letter comes from the future, or from before there was e-mail.
            let received = received.filter(|at| at.timestamp() > 0).map(|at| at.min(context.now));
            inbox
                .keep(&letter.name, &bytes, received)
                .map_err(|error| ClubError::file(inbox.root(), error))?;
            unreadable.is_well(&letter.name);
        }
        Ok(Handed::Gone) => unreadable.is_well(&letter.name),
        Ok(Handed::Withheld(withheld)) => unreadable.withheld(&letter.name, &withheld),
        Err(error) => return Ok(Some(error)),
    }
    Ok(None)
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
