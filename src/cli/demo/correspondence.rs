//! The letters of a demo, read from its folders, and letters that a player's mail program writes.

use crate::cli::Failure;
use crate::mail::{
    Letter, MailFolder, Maildir, MailtoLetter, PendingLetter, find_mailto_letters, first_header,
    letter_as_web_page,
};
use chrono::{DateTime, Utc};
use std::path::Path;

/// A letter that came in or went out.
pub(super) struct DemoLetter {
    /// The name of its file.
    pub(super) name: String,
    pub(super) is_inbound: bool,
    /// The date in its header.
    pub(super) at: DateTime<Utc>,
    /// The name and address of the sender, as in the header.
    pub(super) from: String,
    /// The name and address of the recipient, as in the header.
    pub(super) to: String,
    /// The subject, decoded.
    pub(super) subject: String,
    /// The plain text.
    pub(super) text: String,
    pub(super) bytes: Vec<u8>,
}

impl DemoLetter {
    fn read(file: &PendingLetter, is_inbound: bool) -> std::io::Result<Self> {
        let bytes = file.read(usize::MAX)?;
        let letter = Letter::parse(&bytes).ok();
        let value = |name| first_header(&bytes, name).unwrap_or_default();
        let (subject, text) = letter.map(|it| (it.subject, it.body)).unwrap_or_default();
        Ok(Self {
            name: file.name.clone(),
            is_inbound,
            at: date_of_letter(&bytes),
            from: value("From"),
            to: value("To"),
            subject,
            text,
            bytes,
        })
    }

    /// Whether the letter went out to this person: a name, or the part of an address before the @.
    pub(super) fn is_to(&self, person: &str) -> bool {
        let (to, person) = (self.to.to_lowercase(), person.to_lowercase());
        let (name, address) = to.rsplit_once('<').unwrap_or(("", &to));
        let local_part = address.split('@').next().unwrap_or_default();
        !self.is_inbound && (name.trim().trim_matches('"') == person || local_part == person)
    }

    /// Whether the letter is about the demo's game. Only then does its subject begin with the name
    /// of a game in brackets.
    fn is_about_game(&self) -> bool {
        self.subject.starts_with('[')
    }

    /// Returns the letter as a web page, if it has HTML.
    pub(super) fn as_web_page(&self) -> Option<String> {
        letter_as_web_page(&self.bytes)
    }
}

/// Returns the date in a letter's header. Returns 1970 if there is none.
pub(super) fn date_of_letter(bytes: &[u8]) -> DateTime<Utc> {
    let date = first_header(bytes, "Date").unwrap_or_default();
    DateTime::parse_from_rfc2822(&date).map_or(DateTime::UNIX_EPOCH, |at| at.to_utc())
}

/// Reads all processed and sent letters of the club in this folder, in order of time.
pub(super) fn load_letters(folder: &Path) -> Result<Vec<DemoLetter>, Failure> {
    let failed = |error: std::io::Error| Failure::for_path(folder, &error);
    let inbox = Maildir::new(folder.join("inbox"));
    let outbox = Maildir::new(folder.join("outbox"));
    let mut letters = Vec::new();
    for file in inbox.archived_letters(MailFolder::Done).map_err(failed)? {
        letters.push(DemoLetter::read(&file, true).map_err(failed)?);
    }
    for file in outbox.pending_letters(usize::MAX).map_err(failed)? {
        letters.push(DemoLetter::read(&file, false).map_err(failed)?);
    }
    letters.sort_by(|a, b| (a.at, !a.is_inbound, &a.name).cmp(&(b.at, !b.is_inbound, &b.name)));
    Ok(letters)
}

/// Returns the last letter about the demo's game that went out to this person. A reply to any other
/// letter could hold no orders.
pub(super) fn last_game_letter_to<'a>(
    letters: &'a [DemoLetter],
    person: &str,
) -> Option<&'a DemoLetter> {
    letters.iter().rfind(|letter| letter.is_to(person) && letter.is_about_game())
}

/// Fills the placeholders of `template` with the headers and the text of the letter that it
/// answers, and with that letter's first order button.
pub(super) fn fill_answer_template(template: &str, answered: Option<&DemoLetter>) -> String {
    let Some(letter) = answered else { return template.to_owned() };
    let value = |name| first_header(&letter.bytes, name).unwrap_or_default();
    let quoted: Vec<String> = letter.text.lines().map(|line| format!("> {line}")).collect();
    let page = letter.as_web_page().unwrap_or_default();
    let button = find_mailto_letters(&page).into_iter().next();
    let MailtoLetter { to, subject, body } = button.unwrap_or_default();
    template
        .replace("{reply_to}", &value("Reply-To"))
        .replace("{answered}", value("Message-ID").trim_matches(['<', '>']))
        .replace("{subject}", &value("Subject"))
        .replace("{quoted}", &quoted.join("\n"))
        .replace("{unmarked}", &letter.text)
        .replace("{button_to}", &to)
        .replace("{button_subject}", &subject)
        .replace("{button_line}", &body)
}
