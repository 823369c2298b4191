//! Finds the recipients of a lost letter in a report that names them in words only.

use super::report_wording::{is_delay_report, split_off_returned_letter};
use super::{
    FailedRecipient, extract_addresses, find_status_code, is_address_of_club, push_if_new,
    split_field,
};
use crate::mail::address::canonical_address;
use crate::mail::failure_cause::FailureCause;
use crate::mail::letter::{BounceReport, Letter};
use crate::mail::word_list::WordList;

/// The most addresses that are read of one text.
const ADDRESSES_MAX: usize = 500;

/// The headers of a letter that went through a mailing list. Its `To` header names the list.
static LIST_POST_HEADERS: WordList = WordList::new(&[&[
    "x-beenthere:",
    "x-mailman-version:",
    "x-mailing-list:",
    "mailing-list:",
    "precedence: bulk",
    "precedence: list",
]]);

/// Finds the recipients in a report's text. Uses the first of these places that contains an
/// address: the `X-Failed-Recipients` header, the start of a line, the text and subject, lines like
/// headers, and the headers of the returned letter. If text names several addresses, those that the
/// returned letter confirms are preferred: a report may also name its sender, or an office.
pub(super) fn recipients_from_text(
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
            && !is_address_of_club(address, club)
    };
    let named = extract_addresses(&enclosed.failed_recipients);
    let placed: Vec<String> = report_text.lines().filter_map(address_at_line_start).collect();
    // Some servers quote a few headers of the lost letter above the recipient's address.
    let (headers, words): (Vec<&str>, Vec<&str>) =
        report_text.lines().partition(|line| split_field(line.trim_start()).is_some());
    let words = words.into_iter().chain([&*letter.subject]);
    let mentioned: Vec<String> = words.flat_map(extract_addresses).collect();
    let headed: Vec<String> = headers.into_iter().flat_map(extract_addresses).collect();
    let returned = ReturnedRecipients::find(enclosed, given_back);
    let [mentioned, headed] = [mentioned, headed].map(|found| returned.prefer_confirmed(found));
    let ReturnedRecipients { sent_to, received_for } = returned;
    let mut failed = Vec::new();
    for found in [named, placed, mentioned, headed, sent_to, received_for] {
        for address in found.into_iter().take(ADDRESSES_MAX).filter(foreign) {
            push_if_new(&mut failed, FailedRecipient { address, cause, status: status.clone() });
        }
        if !failed.is_empty() {
            break;
        }
    }
    failed
}

/// The recipients that the returned letter names itself.
struct ReturnedRecipients {
    /// The addresses of its `To` header. Empty if the letter went through a mailing list.
    sent_to: Vec<String>,
    /// The address for which the last server received it.
    received_for: Vec<String>,
}

impl ReturnedRecipients {
    fn find(enclosed: &BounceReport, given_back: &str) -> Self {
        let lines = || {
            let text = given_back.lines().map(|line| line.trim_start_matches('>'));
            enclosed.returned_headers.lines().chain(text)
        };
        let sent_to = lines().filter_map(split_field).filter(|(name, _)| name == "to");
        let sent_to = sent_to.flat_map(|(_, value)| extract_addresses(value));
        let is_list_post = lines().any(|line| LIST_POST_HEADERS.starts_line(line));
        let received_for = lines().find_map(|line| {
            let (before, rest) = line.split_once("for <")?;
            before.ends_with([' ', '\t']).then_some(rest)
        });
        let received_for = received_for.and_then(|rest| Some(rest.split_once('>')?.0));
        Self {
            sent_to: if is_list_post { Vec::new() } else { sent_to.collect() },
            received_for: received_for.map(extract_addresses).unwrap_or_default(),
        }
    }

    /// Returns the addresses that are recipients of the returned letter, or all if none is.
    fn prefer_confirmed(&self, found: Vec<String>) -> Vec<String> {
        let is_confirmed = |address: &String| {
            self.sent_to.contains(address) || self.received_for.contains(address)
        };
        if found.iter().any(is_confirmed) {
            return found.into_iter().filter(is_confirmed).collect();
        }
        found
    }
}

/// Returns the address with which a line begins, because servers list recipients in that form.
fn address_at_line_start(line: &str) -> Option<String> {
    let line = line.trim_start_matches([' ', '\t', '*', '-']);
    let line = ["Recipient:", "RCPT TO:", "Address:", "(expanded from:"]
        .iter()
        .find_map(|start| line.strip_prefix(start))
        .unwrap_or(line)
        .trim_start();
    let first = line.split_whitespace().next()?;
    let bare = first.trim_matches(['<', '>', '(', ')', ':', ';', ',', '\'', '"', '.']);
    let bare = canonical_address(bare);
    extract_addresses(first).into_iter().find(|address| *address == bare)
}
