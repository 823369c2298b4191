//! Reads a mail server's bounce report: which recipients a letter did not reach, and why.
//!
//! Reads the fields of RFC 3464 if the report has them, and otherwise recognizes common phrases of
//! mail servers. Extra addresses in the result are harmless, because the caller uses only the
//! address of the member to whom the bounced letter was sent. This module knows no members; other
//! code decides whether a report is trusted.

use super::NoReplyReason;
use super::failure_cause::FailureCause;
use super::letter::{BounceReport, Letter};
use super::word_list::WordList;

/// The most recipients and Message-IDs that are read of one report.
const ENTRIES_MAX: usize = 50;
/// The most addresses that are read of one text.
const ADDRESSES_MAX: usize = 500;

/// The headers with which an undelivered letter begins that a report returns.
static RETURNED_LETTER_HEADERS: WordList = WordList::new(&[&[
    "return-path:",
    "received:",
    "message-id:",
    "mime-version:",
    "dkim-signature:",
]]);

/// The titles that servers put above an undelivered letter that they return.
static RETURNED_LETTER_TITLES: WordList = WordList::new(&[
    &["below this line is", "below the next line is", "this is a copy of"],
    &["original message", "your original message", "unsent message", "message header"],
    &["start of returned message", "returned message", "begin returned", "returned mail follows"],
    &["header of the source mail", "the following is a copy"],
]);

/// The subjects of reports that a letter was delivered, forwarded or read.
static SUCCESS_SUBJECTS: WordList = WordList::new(&[
    &["delivery status notification (success)", "delivery status notification (relay)"],
    &["successful mail delivery", "successfully delivered", "delivered:", "relayed:"],
    &["expanded:", "read:", "read receipt", "return receipt", "delivery receipt"],
    &["complaint about message"],
]);

/// Phrases in a report that the letter is only delayed.
static DELAY_PHRASES: WordList = WordList::new(&[
    &["delayed", "will be retried", "still being retried", "will retry", "will be retrying"],
    &["keep trying", "continue to try", "continue trying", "will be attempted", "will continue"],
    &["not yet been delivered", "has not been delivered yet", "do not need to resend"],
]);

/// Phrases in a report that the server has given up.
static GAVE_UP_PHRASES: WordList =
    WordList::new(&[&["given up", "giving up", "gave up", "too long", "permanent"]]);

/// The content of a bounce report, as far as the club uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounce {
    /// The recipients that the report names, each once.
    pub failed: Vec<FailedRecipient>,
    /// The Message-IDs in the report that may be of this club's letters, without angle brackets.
    pub message_ids: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedRecipient {
    pub address: String,
    pub cause: FailureCause,
    /// The status code, such as `5.1.1`. Empty if the report has none.
    pub status: String,
}

impl Bounce {
    /// Reads a letter as a bounce report to the club's address `club`. Returns `None` if it is no
    /// report, or names no recipient.
    pub fn from_letter(letter: &Letter, club: &str) -> Option<Self> {
        let enclosed = letter.bounce_report.as_ref()?;
        if enclosed.is_complaint_or_receipt || is_success_subject(&letter.subject) {
            return None;
        }
        let (report_text, _) = split_off_returned_letter(&enclosed.text);
        let mut failed = recipients_from_status(&enclosed.status, report_text);
        // Absence notices also have the null sender, and may contain their writer's address. So
        // text is only searched in reports of mail servers.
        let in_words =
            matches!(letter.automatic, Some(NoReplyReason::Bounce | NoReplyReason::System));
        if failed.is_empty() && in_words && !has_action_field(&enclosed.status) {
            failed = recipients_from_text(letter, enclosed, club);
        }
        failed.truncate(ENTRIES_MAX);
        if failed.is_empty() {
            return None;
        }
        let mut letters = Vec::new();
        let own = club.rsplit_once('@').map_or("", |(_, host)| host);
        letters.extend(letter.references.iter().filter(|id| is_id_of_host(id, own)).cloned());
        for text in [&enclosed.returned_headers, &enclosed.text] {
            letters.extend(find_message_ids(text, own));
        }
        letters.truncate(ENTRIES_MAX);
        Some(Self { failed, message_ids: letters })
    }
}

/// Finds texts in angle brackets that look like a Message-ID of this host.
fn find_message_ids<'a>(text: &'a str, host: &'a str) -> impl Iterator<Item = String> + 'a {
    let ids = text.split('<').skip(1).filter_map(|rest| Some(rest.split_once('>')?.0));
    ids.filter(move |id| is_id_of_host(id, host)).take(ENTRIES_MAX).map(str::to_owned)
}

fn is_id_of_host(id: &str, host: &str) -> bool {
    id.rsplit_once('@').is_some_and(|(_, at)| at.eq_ignore_ascii_case(host))
}

/// Whether the status fields report on any recipient, including a success.
fn has_action_field(status: &str) -> bool {
    status.lines().any(|line| split_field(line).is_some_and(|(name, _)| name == "action"))
}

/// Reads the recipients from delivery-status fields, which form one group per recipient.
/// `report_text` is the text of the report, used if the fields give no clear cause.
fn recipients_from_status(status: &str, report_text: &str) -> Vec<FailedRecipient> {
    let mut failed = Vec::new();
    let mut group = RecipientStatus::default();
    for line in status.lines().chain([""]) {
        match split_field(line) {
            _ if line.starts_with([' ', '\t']) && !line.trim().is_empty() => {
                group.add_field("", line);
            }
            Some((name, value)) => group.add_field(&name, value),
            None if line.trim().is_empty() => {
                std::mem::take(&mut group).push_recipients(report_text, &mut failed);
            }
            None => {}
        }
    }
    failed
}

/// The delivery-status fields about one recipient.
#[derive(Default)]
struct RecipientStatus {
    addresses: Vec<String>,
    action: String,
    status: String,
    /// The value of the status field: the code, and the explanation that some servers add.
    comment: String,
    /// The answer of the server that refused the letter.
    diagnostic: String,
}

impl RecipientStatus {
    fn add_field(&mut self, name: &str, value: &str) {
        match name {
            "final-recipient" | "original-recipient" | "x-actual-recipient" => {
                let value = value.split_once(';').map_or(value, |(_, address)| address);
                self.addresses.extend(extract_addresses(value));
            }
            "action" => self.action = value.trim().to_lowercase(),
            "status" => {
                self.status = find_status_code(value).unwrap_or_default();
                // Some servers add an explanation after the status code.
                value.clone_into(&mut self.comment);
            }
            "diagnostic-code" => value.clone_into(&mut self.diagnostic),
            // A continuation line of the field above.
            "" => self.diagnostic.push_str(value),
            _ => {}
        }
    }

    fn push_recipients(self, report_text: &str, failed: &mut Vec<FailedRecipient>) {
        let delivered = ["delivered", "relayed", "expanded"];
        if delivered.iter().any(|word| self.action.starts_with(word)) {
            return;
        }
        let is_exact = |status: &String| !(status.is_empty() || status.ends_with(".0.0"));
        let given = Some(self.status.clone()).filter(is_exact);
        let status = given.or_else(|| find_status_code(&self.diagnostic)).unwrap_or(self.status);
        let cause = if self.action.starts_with("delayed") {
            FailureCause::Delayed
        } else {
            // Text about this recipient is preferred to the text of the whole report.
            Some(FailureCause::classify(&status, &format!("{} {}", self.comment, self.diagnostic)))
                .filter(|cause| *cause != FailureCause::Unclear || status.starts_with('4'))
                .unwrap_or_else(|| FailureCause::classify(&status, report_text))
        };
        for address in self.addresses {
            push_if_new(failed, FailedRecipient { address, cause, status: status.clone() });
        }
    }
}

/// Splits a header-like line into the field's name, in lower case, and its value.
fn split_field(line: &str) -> Option<(String, &str)> {
    let (name, value) = line.split_once(':')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    (!name.is_empty() && name.trim_end().chars().all(plain))
        .then(|| (name.trim_end().to_lowercase(), value))
}

/// Finds the first enhanced status code (RFC 3463) in a text: three numbers with dots between them,
/// the first of which is 4 or 5.
pub(super) fn find_status_code(text: &str) -> Option<String> {
    let words = text.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    words.map(|word| word.trim_matches('.')).find(|word| is_status_code(word)).map(str::to_owned)
}

fn is_status_code(word: &str) -> bool {
    let mut numbers = word.split('.');
    let class = matches!(numbers.next(), Some("4" | "5"));
    let short = |number: &str| matches!(number.len(), 1..=3);
    class && numbers.clone().count() == 2 && numbers.all(short)
}

/// Finds the recipients in a report's text. Uses the first of these places that contains an
/// address: the `X-Failed-Recipients` header, the start of a line, the text and subject, lines like
/// headers, and the `To` header of the returned letter.
fn recipients_from_text(
    letter: &Letter,
    enclosed: &BounceReport,
    club: &str,
) -> Vec<FailedRecipient> {
    let (report_text, given_back) = split_off_returned_letter(&enclosed.text);
    let status = find_status_code(report_text).unwrap_or_default();
    let cause = match is_delay_report(&letter.subject, report_text, &status) {
        true => FailureCause::Delayed,
        false => FailureCause::classify(&status, report_text),
    };
    if cause == FailureCause::Unclear && report_text.to_lowercase().contains("successfully") {
        return Vec::new();
    }
    let senders: Vec<&str> = letter.from.iter().map(|from| &*from.address).collect();
    let foreign = |address: &String| {
        let system = ["mailer-daemon@", "postmaster@", "abuse@", "support@"];
        !system.iter().any(|local| address.starts_with(local))
            && !senders.contains(&&**address)
            && !belongs_to_club(address, club)
    };
    let named = extract_addresses(&enclosed.failed_recipients);
    let placed = report_text.lines().filter_map(address_at_line_start).collect();
    // Some servers quote a few headers of the lost letter above the recipient's address.
    let (headers, words): (Vec<&str>, Vec<&str>) =
        report_text.lines().partition(|line| split_field(line.trim_start()).is_some());
    let mentioned =
        words.iter().chain([&&*letter.subject]).flat_map(|line| extract_addresses(line)).collect();
    let headed = headers.iter().flat_map(|line| extract_addresses(line)).collect();
    let lines = enclosed.returned_headers.lines().chain(given_back.lines());
    let sent_to = lines.filter_map(split_field).filter(|(name, _)| name == "to");
    let sent_to = sent_to.flat_map(|(_, value)| extract_addresses(value)).collect();
    let mut failed = Vec::new();
    for found in [named, placed, mentioned, headed, sent_to] {
        for address in found.into_iter().take(ADDRESSES_MAX).filter(foreign) {
            push_if_new(&mut failed, FailedRecipient { address, cause, status: status.clone() });
        }
        if !failed.is_empty() {
            break;
        }
    }
    failed
}

/// Returns the address with which a line begins, because servers list recipients in that form.
fn address_at_line_start(line: &str) -> Option<String> {
    let line = line.trim_start_matches([' ', '\t', '*']);
    let line = ["Recipient:", "RCPT TO:", "Address:"]
        .iter()
        .find_map(|start| line.strip_prefix(start))
        .unwrap_or(line)
        .trim_start();
    let first = line.split_whitespace().next()?;
    let bare = first.trim_matches(['<', '>', ':', ';', ',', '\'', '"', '.']).to_lowercase();
    extract_addresses(first).into_iter().find(|address| *address == bare)
}

/// Splits a text into the server's report and the returned letter below it.
fn split_off_returned_letter(said: &str) -> (&str, &str) {
    let above = said.split_inclusive('\n').take_while(|line| !starts_returned_letter(line));
    said.split_at(above.map(str::len).sum())
}

/// Whether an undelivered letter that the report returns begins at this line.
fn starts_returned_letter(line: &str) -> bool {
    let is_indented = line.starts_with([' ', '\t']);
    let line = line.trim().trim_start_matches(['-', '*', '=', '>', ' ', '|']);
    !is_indented && RETURNED_LETTER_HEADERS.starts_line(line)
        || RETURNED_LETTER_TITLES.starts_line(line)
}

/// Whether an address is the club's address, with or without a reply token. Other addresses of the
/// report's recipients are kept, because some servers name the recipient of the lost letter there.
fn belongs_to_club(address: &str, club: &str) -> bool {
    let (Some((local, host)), Some((own, at))) = (address.split_once('@'), club.split_once('@'))
    else {
        return address == club;
    };
    let marked =
        local.strip_prefix(own).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    host.eq_ignore_ascii_case(at) && marked
}

fn is_success_subject(subject: &str) -> bool {
    SUCCESS_SUBJECTS.starts_line(subject)
}

/// Whether a report's text says that the letter may still be delivered.
fn is_delay_report(subject: &str, report_text: &str, status: &str) -> bool {
    let text = format!("{subject}\n{report_text}");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    !status.starts_with('5') && DELAY_PHRASES.occurs_in(&text) && !GAVE_UP_PHRASES.occurs_in(&text)
}

fn push_if_new(failed: &mut Vec<FailedRecipient>, new: FailedRecipient) {
    if failed.len() < ENTRIES_MAX && failed.iter().all(|known| known.address != new.address) {
        failed.push(new);
    }
}

/// Finds all texts that look like an address, in lower case.
fn extract_addresses(text: &str) -> Vec<String> {
    let part = |c: char| c.is_ascii_alphanumeric() || "!#$%&*+-/?^_~.@".contains(c);
    text.split(|c: char| !part(c))
        .filter_map(|word| {
            let word = word.trim_matches(['.', '-', '/', '*', '!']);
            let (local, host) = word.split_once('@')?;
            let whole = !local.is_empty() && host.len() > 2 && !host.contains('@');
            (whole && host.contains('.')).then(|| word.to_lowercase())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_code_has_three_numbers() {
        let of = |text| find_status_code(text).unwrap_or_default();
        assert_eq!(of("smtp; 550 5.1.1 <x@y.org>... no"), "5.1.1");
        assert_eq!(of("said (#4.4.2) to 10.5.1.9"), "4.4.2");
        assert_eq!(of("2.0.0 10.2.3.4 5.1"), "");
    }

    #[test]
    fn addresses_are_found_between_punctuation() {
        let of = |text| extract_addresses(text).join(" ");
        assert_eq!(of("<Ann@Example.org>: no such user"), "ann@example.org");
        assert_eq!(of("c=US;dda:SMTP=ann@example.org; on"), "ann@example.org");
        assert_eq!(of("'ann+b@example.org', failed. @x a@b"), "ann+b@example.org");
    }
}
