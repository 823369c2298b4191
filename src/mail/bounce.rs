//! What a mail server's report says: whose letter could not be delivered, and whose fault it is.
//!
//! Reads RFC 3464 where a server writes it, and else the words that servers use. Too many addresses
//! do no harm: whoever acts on a report looks for one of the member whose letter it gives back. It
//! knows nothing of members; whether a report is believed is decided elsewhere.

use super::NoReplyReason;
use super::failure_cause::FailureCause;
use super::letter::{BounceReport, Letter};
use super::word_list::WordList;

/// The most recipients and Message-IDs of one report that anybody looks at.
const ENTRIES_MAX: usize = 50;
/// The most addresses of a text that are looked at.
const ADDRESSES_MAX: usize = 500;

/// The headers with which a letter begins that a server gives back.
static RETURNED_LETTER_HEADERS: WordList = WordList::new(&[&[
    "return-path:",
    "received:",
    "message-id:",
    "mime-version:",
    "dkim-signature:",
]]);

/// The lines above a letter that a server gives back.
static RETURNED_LETTER_TITLES: WordList = WordList::new(&[
    &["below this line is", "below the next line is", "this is a copy of"],
    &["original message", "your original message", "unsent message", "message header"],
    &["start of returned message", "returned message", "begin returned", "returned mail follows"],
    &["header of the source mail", "the following is a copy"],
]);

/// The subjects of reports that a letter was delivered, passed on or read.
static SUCCESS_SUBJECTS: WordList = WordList::new(&[
    &["delivery status notification (success)", "delivery status notification (relay)"],
    &["successful mail delivery", "successfully delivered", "delivered:", "relayed:"],
    &["expanded:", "read:", "read receipt", "return receipt", "delivery receipt"],
    &["complaint about message"],
]);

/// Words of a report that the letter may come yet.
static DELAY_PHRASES: WordList = WordList::new(&[
    &["delayed", "will be retried", "still being retried", "will retry", "will be retrying"],
    &["keep trying", "continue to try", "continue trying", "will be attempted", "will continue"],
    &["not yet been delivered", "has not been delivered yet", "do not need to resend"],
]);

/// Words of a report that no further attempt is made.
static GAVE_UP_PHRASES: WordList =
    WordList::new(&[&["given up", "giving up", "gave up", "too long", "permanent"]]);

/// A mail server's report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounce {
    /// The recipients that it names, each once.
    pub failed: Vec<FailedRecipient>,
    /// What may be the Message-IDs of letters of this club in it, without angle brackets.
    pub message_ids: Vec<String>,
}

/// A recipient that a letter did not reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedRecipient {
    /// The address, in lower case.
    pub address: String,
    /// Why.
    pub cause: FailureCause,
    /// The status code, such as `5.1.1`; empty where the report has none.
    pub status: String,
}

impl Bounce {
    /// Reads a letter as a report to this club's address; `None` if it is no report, or names no
    /// recipient.
    pub fn from_letter(letter: &Letter, club: &str) -> Option<Self> {
        let enclosed = letter.bounce_report.as_ref()?;
        if enclosed.is_complaint_or_receipt || is_success_subject(&letter.subject) {
            return None;
        }
        let (report_text, _) = split_off_returned_letter(&enclosed.text);
        let mut failed = recipients_from_status(&enclosed.status, report_text);
        // Notices of absence come without a return address too, and may name their writer.
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

/// Whatever stands in angle brackets in a text like an id of this host.
fn find_message_ids<'a>(text: &'a str, host: &'a str) -> impl Iterator<Item = String> + 'a {
    let ids = text.split('<').skip(1).filter_map(|rest| Some(rest.split_once('>')?.0));
    ids.filter(move |id| is_id_of_host(id, host)).take(ENTRIES_MAX).map(str::to_owned)
}

fn is_id_of_host(id: &str, host: &str) -> bool {
    id.rsplit_once('@').is_some_and(|(_, at)| at.eq_ignore_ascii_case(host))
}

/// Whether the status tells of some recipient, if only that all went well.
fn has_action_field(status: &str) -> bool {
    status.lines().any(|line| split_field(line).is_some_and(|(name, _)| name == "action"))
}

/// The recipients of delivery-status parts: one group of fields each. `said` is what stands beside
/// them in words.
fn recipients_from_status(status: &str, report_text: &str) -> Vec<FailedRecipient> {
    let mut failed = Vec::new();
    let mut group = RecipientStatus::default();
    for line in status.lines().chain([""]) {
        match split_field(line) {
            _ if line.starts_with([' ', '\t']) && !line.trim().is_empty() => {
                group.add_field("", line)
            }
            Some((name, value)) => group.add_field(&name, value),
            None if line.trim().is_empty() => {
                std::mem::take(&mut group).push_recipients(report_text, &mut failed)
            }
            None => {}
        }
    }
    failed
}

/// What a delivery-status part says about one recipient.
#[derive(Default)]
struct RecipientStatus {
    addresses: Vec<String>,
    action: String,
    status: String,
    /// What stands behind the status.
    comment: String,
    /// What the server said that did not take the letter.
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
                // Some servers explain it here.
                value.clone_into(&mut self.comment);
            }
            "diagnostic-code" => value.clone_into(&mut self.diagnostic),
            // Such a field goes on in the next line.
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
            // In words that are about one recipient, if there are any.
            Some(FailureCause::classify(&status, &format!("{} {}", self.comment, self.diagnostic)))
                .filter(|cause| *cause != FailureCause::Unclear || status.starts_with('4'))
                .unwrap_or_else(|| FailureCause::classify(&status, report_text))
        };
        for address in self.addresses {
            push_if_new(failed, FailedRecipient { address, cause, status: status.clone() });
        }
    }
}

/// A field's name in lower case, and its value.
fn split_field(line: &str) -> Option<(String, &str)> {
    let (name, value) = line.split_once(':')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    (!name.is_empty() && name.trim_end().chars().all(plain))
        .then(|| (name.trim_end().to_lowercase(), value))
}

/// The first three numbers with dots between them that are a status code.
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

/// The recipients of a report in words: those of a header that names them, those that stand where
/// servers put them, any that it mentions, or at last those to whom the lost letter went.
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
    // Some servers put in a few headers of the lost letter before they say whom it did not reach.
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

/// The address that a line is about: it begins with it, as servers do.
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

/// Splits a text into what a server says, and the letter that it gives back below.
fn split_off_returned_letter(said: &str) -> (&str, &str) {
    let above = said.split_inclusive('\n').take_while(|line| !starts_returned_letter(line));
    said.split_at(above.map(str::len).sum())
}

/// Whether a line is where servers put the letter that they give back.
fn starts_returned_letter(line: &str) -> bool {
    let is_indented = line.starts_with([' ', '\t']);
    let line = line.trim().trim_start_matches(['-', '*', '=', '>', ' ', '|']);
    !is_indented && RETURNED_LETTER_HEADERS.starts_line(line)
        || RETURNED_LETTER_TITLES.starts_line(line)
}

/// Whether an address is the club's, perhaps with a mark. Others that a report was sent to are not:
/// servers note there for whom the lost letter was.
fn belongs_to_club(address: &str, club: &str) -> bool {
    let (Some((local, host)), Some((own, at))) = (address.split_once('@'), club.split_once('@'))
    else {
        return address == club;
    };
    let marked =
        local.strip_prefix(own).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    host.eq_ignore_ascii_case(at) && marked
}

/// Whether a subject says that a letter was delivered, passed on or read.
fn is_success_subject(subject: &str) -> bool {
    SUCCESS_SUBJECTS.starts_line(subject)
}

/// Whether a report in words says that the letter may come yet.
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

/// Whatever looks like an address, in lower case.
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
