//! `postrider doctor --round-trip`: sends a letter to the club's own reply address, and reports how
//! it came back.
//!
//! The letter is from the club itself, so a pass ignores and archives it like every other letter of
//! the club that comes back. No pass needs to know it: the report is made from the club's mail
//! folders. The letter is recognized by a random text that nobody else knows.

use super::{Environment, Exit, club_folder, transports};
use crate::club::Settings;
use crate::mail::transport::{Draft, Origin, OutgoingMessage, compose_letter_bytes};
use crate::mail::{AuthenticationSummary, BYTES_MAX, Letter, strip_invisible, verify_dmarc};
use crate::process::{self, Context};
use chrono::{DateTime, TimeDelta, Utc};
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fs;
use std::path::PathBuf;

/// The file in the club's folder that describes the letter that was sent last.
const FILE: &str = "round_trip";
/// The time after which a letter that has not come back counts as lost.
const LOST_AFTER: TimeDelta = TimeDelta::days(1);
/// The largest difference between this machine's clock and the time of a file.
const FILE_TIME_TOLERANCE: TimeDelta = TimeDelta::hours(1);

/// The letter that was sent last.
#[derive(Debug, Serialize, Deserialize)]
struct RoundTrip {
    /// The random text in the letter's address, subject, Message-ID and body.
    token: String,
    sent: DateTime<Utc>,
    /// Whether `--round-trip` has printed the report, so that it sends the next letter.
    #[serde(default)]
    is_reported: bool,
}

/// The letter as it was sent.
struct SentLetter {
    to: String,
    subject: String,
    message_id: String,
    link: String,
    text: String,
}

/// The differences between the letter that was sent and the one that came back.
#[derive(Debug, Default)]
struct Report {
    /// The differences that somebody must mend.
    faults: Vec<String>,
    notes: Vec<String>,
}

/// The result of the check: the line to print, and the exit code if all other checks are well.
type Finding = (Result<String, Box<dyn Error>>, Exit);

/// Reports on the letter that was sent last. `None` if none was sent. With `is_asked`, sends a
/// letter if none is under way.
pub(super) fn check(
    context: &Context,
    environment: &Environment,
    is_asked: bool,
) -> Option<Finding> {
    let path = context.folder.join(FILE);
    let last = process::read_json::<RoundTrip>(&path);
    let is_lost = |last: &RoundTrip| context.now - last.sent > LOST_AFTER;
    let last = match last {
        None if !is_asked => return None,
        Some(last) if !is_asked || !last.is_reported => last,
        _ => return Some((send(context, environment), Exit::Done)),
    };
    let found = match find_letter(context, &last) {
        Ok(found) => found,
        Err(error) => return Some((Err(error.into()), Exit::Disk)),
    };
    if is_asked && (found.is_some() || is_lost(&last)) {
        let reported = RoundTrip { is_reported: true, ..last };
        return Some(match process::write_json(&context.folder, FILE, &reported) {
            Ok(()) => describe(context, &reported, found.as_ref()),
            Err(error) => (Err(error.into()), Exit::Disk),
        });
    }
    Some(describe(context, &last, found.as_ref()))
}

/// Returns the line about the last letter, and the exit code.
fn describe(
    context: &Context,
    last: &RoundTrip,
    found: Option<&(DateTime<Utc>, Letter)>,
) -> Finding {
    let again = "; repeat --round-trip to send another one";
    let sent = last.sent.format("%Y-%m-%d %H:%M UTC");
    let Some((received, letter)) = found else {
        let waited = minutes(context.now - last.sent);
        if context.now - last.sent > LOST_AFTER {
            return (Err(lost_letter_text(context, &sent.to_string()).into()), Exit::Settings);
        }
        let waits = format!(
            "the letter of {sent} has not come back for {waited}; look again after the next tick"
        );
        return (Ok(waits), Exit::TryAgain);
    };
    let report = compare(context, last, letter);
    let head = format!("the letter of {sent} came back after {}", minutes(*received - last.sent));
    let lines: Vec<String> = [head].into_iter().chain(report.faults.iter().cloned()).collect();
    let text = [lines, report.notes].concat().join("; ") + again;
    match report.faults.is_empty() {
        true => (Ok(text), Exit::Done),
        false => (Err(text.into()), Exit::Settings),
    }
}

fn lost_letter_text(context: &Context, sent: &str) -> String {
    let to = if context.settings.plus_addressing {
        "; if letters to name+anything@host do not arrive, set plus_addressing: false in club.yaml"
    } else {
        ""
    };
    format!(
        "the letter of {sent} has not come back for a day: look for it in the spam folder and in \
         the mail server's log{to}"
    )
}

fn minutes(time: TimeDelta) -> String {
    match time.num_minutes().max(0) {
        0 => "less than a minute".to_owned(),
        1 => "a minute".to_owned(),
        more => format!("{more} minutes"),
    }
}

/// Sends a new letter, and notes it in the club's folder first.
fn send(context: &Context, environment: &Environment) -> Result<String, Box<dyn Error>> {
    let token = HEXLOWER.encode(&environment.random_bytes::<13>().map_err(|error| error.what)?);
    let sent = SentLetter::new(&context.settings, &token);
    let (name, address) = (&context.settings.name, &context.settings.address);
    let bytes = compose_letter_bytes(&Draft {
        pictures: &[],
        message_id: &sent.message_id,
        from: (name, address),
        to: (name, &sent.to),
        reply_to: None,
        subject: &sent.subject,
        in_reply_to: None,
        references: &[],
        list: None,
        unsubscribe: None,
        origin: Origin::Generated,
        written_at: context.now,
        text: &sent.text,
        html: None,
        calendars: &[],
    })?;
    let mut transport = transports::open_outbound(context, environment).map_err(|why| why.what)?;
    let last = RoundTrip { token, sent: context.now, is_reported: false };
    process::write_json(&context.folder, FILE, &last)?;
    let (message_id, recipient) = (&*sent.message_id, &*sent.to);
    transport.post(&OutgoingMessage { message_id, recipient, bytes: &bytes })?;
    Ok(format!("sent to {}; after the next tick, doctor reports how it came back", sent.to))
}

/// Returns the first letter in the club's mail folders that contains the token, and when it came.
fn find_letter(
    context: &Context,
    last: &RoundTrip,
) -> Result<Option<(DateTime<Utc>, Letter)>, std::io::Error> {
    let mut found: Option<(DateTime<Utc>, PathBuf)> = None;
    for folder in context.inbox_maildir().letter_folders() {
        let Ok(files) = fs::read_dir(folder) else { continue };
        for file in files {
            let file = file?;
            let data = file.metadata()?;
            let received: DateTime<Utc> = data.modified()?.into();
            let is_later = found.as_ref().is_some_and(|(first, _)| *first <= received);
            let is_older = received < last.sent - FILE_TIME_TOLERANCE;
            if !data.is_file() || data.len() > BYTES_MAX as u64 || is_later || is_older {
                continue;
            }
            let bytes = fs::read(file.path())?;
            let token = last.token.as_bytes();
            if bytes.windows(token.len()).any(|part| part.eq_ignore_ascii_case(token)) {
                found = Some((received, file.path()));
            }
        }
    }
    let Some((received, path)) = found else { return Ok(None) };
    Ok(Letter::parse(&fs::read(path)?).ok().map(|letter| (received, letter)))
}

impl SentLetter {
    /// Returns the letter with this token. Its address or subject has a tag that looks like a reply
    /// token, but is none.
    fn new(settings: &Settings, token: &str) -> Self {
        let (local, host) = settings.address.split_once('@').unwrap_or((&settings.address, ""));
        let tag = format!("t.{token}");
        let (to, subject_tag) = match settings.plus_addressing {
            true => (format!("{local}+{tag}@{host}"), token.to_owned()),
            false => (settings.address.clone(), format!("[postrider {tag}]")),
        };
        let link =
            format!("https://example.org/a/link/that/no/server/should/change?club={tag}&x=1");
        Self {
            to,
            subject: format!("postrider: a round trip {subject_tag}"),
            message_id: format!("roundtrip.{token}@{}", settings.address_host()),
            text: format!(
                "This letter goes to the club itself. It needs no answer.\n\n{link}\n\n\
                 `postrider doctor` reports how it came back.\n"
            ),
            link,
        }
    }
}

/// Compares the letter that came back with the one that was sent.
fn compare(context: &Context, last: &RoundTrip, came: &Letter) -> Report {
    let settings = &context.settings;
    let sent = SentLetter::new(settings, &last.token);
    let mut report = Report::default();
    if came.bounce_report.is_some() {
        report
            .faults
            .push(format!("a mail server reports that it could not deliver to {}", sent.to));
        return report;
    }
    let is_token_kept = match settings.plus_addressing {
        true => came.recipients.contains(&sent.to.to_lowercase()),
        false => came.subject.contains(&sent.subject),
    };
    match (is_token_kept, settings.plus_addressing) {
        (true, true) => report.notes.push("the + address is kept".to_owned()),
        (true, false) => report.notes.push("the tag in the subject is kept".to_owned()),
        (false, true) => report.faults.push(format!(
            "the + address is lost, it came to {}: set plus_addressing: false in club.yaml",
            came.recipients.join(", ")
        )),
        (false, false) => report.faults.push(
            "the tag in the subject is lost, so replies are not recognized: let no server change \
             subjects"
                .to_owned(),
        ),
    }
    match &*came.from {
        [from] if from.address.eq_ignore_ascii_case(&settings.address) => {}
        others => {
            let named: Vec<&str> = others.iter().map(|one| one.address.as_str()).collect();
            report.faults.push(format!(
                "the sender was changed to {}: let the outbound server keep From",
                named.join(", ")
            ));
        }
    }
    report.notes.extend(describe_rewriting(&sent, came));
    let (is_well, text) = describe_dmarc(context, came);
    if is_well { &mut report.notes } else { &mut report.faults }.push(text);
    report
}

/// Returns the other changes of the letter.
fn describe_rewriting(sent: &SentLetter, came: &Letter) -> Vec<String> {
    let mut notes = Vec::new();
    if came.message_id.as_ref() != Some(&sent.message_id) {
        notes.push("the Message-ID was changed".to_owned());
    }
    if came.subject != sent.subject {
        notes.push(format!("the subject was changed to {:?}", strip_invisible(&came.subject)));
    }
    let without_blanks = |text: &str| text.split_whitespace().collect::<String>();
    let trimmed =
        |text: &str| text.trim().lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    if trimmed(&came.body) == trimmed(&sent.text) {
        notes.push("the text is unchanged".to_owned());
    } else if without_blanks(&came.body) == without_blanks(&sent.text) {
        notes.push("the lines of the text were wrapped".to_owned());
    } else if came.body.contains(&sent.link) {
        notes.push("the text was changed".to_owned());
    } else if without_blanks(&came.body).contains(&sent.link) {
        notes.push("the text was changed, and long lines were wrapped".to_owned());
    } else {
        notes.push("the link in the text was changed".to_owned());
    }
    notes
}

/// Returns the mail server's DMARC finding, and whether it is well. If club.yaml does not name the
/// server, the topmost one counts.
fn describe_dmarc(context: &Context, came: &Letter) -> (bool, String) {
    let (settings, headers) = (&context.settings, &came.authentication_results);
    let named = settings.authserv_id.clone();
    let topmost =
        || AuthenticationSummary::from_headers(headers, "").other_servers.into_iter().next();
    let Some(server) = named.or_else(topmost) else {
        return (true, "no server checked DMARC, as is usual for a letter to itself".to_owned());
    };
    match verify_dmarc(headers, &server, &settings.address) {
        Ok(()) => (true, format!("it passes DMARC, says {server}")),
        Err(doubt) => {
            let why = club_folder::localize_for_club(context, &doubt.to_message());
            (!doubt.is_failure(), format!("DMARC, says {server}: {why}"))
        }
    }
}
