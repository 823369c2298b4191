//! Reads a mail server's bounce report: which recipients a letter did not reach, and why.
//!
//! Reads the fields of RFC 3464 if the report has them, and otherwise recognizes common phrases of
//! mail servers. Extra addresses in the result are harmless, because the caller uses only the
//! address of the member to whom the bounced letter was sent. This module knows no members; other
//! code decides whether a report is trusted.

mod report_text;
mod report_wording;

pub(super) use self::report_wording::has_report_wording;

use self::report_text::recipients_from_text;
use self::report_wording::{is_success_subject, split_off_returned_letter};
use super::NoReplyReason;
use super::address::canonical_address;
use super::failure_cause::FailureCause;
use super::letter::Letter;
use super::reply_action::ReplyAction;
use super::token::{ReplyToken, SeatToken};
use unicode_normalization::char::is_combining_mark;

/// The most recipients and Message-IDs that are read of one report.
const ENTRIES_MAX: usize = 50;

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

impl FailedRecipient {
    /// Returns the status code, or the word `none` by which sentences recognize that there is none.
    pub(crate) fn status_or_none(&self) -> &str {
        if self.status.is_empty() { "none" } else { &self.status }
    }
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
        // Absence notices also have the null sender, and may contain their writer's address. So
        // text is only searched in reports of mail servers, by their headers or words.
        let in_words =
            matches!(letter.automatic, Some(NoReplyReason::Bounce | NoReplyReason::System))
                || has_report_wording(report_text);
        // A person's reply is sent to a reply token, and a report to the club's plain address.
        let has_token = || {
            SeatToken::find_in_letter(letter, club).is_some()
                || ReplyToken::<ReplyAction>::find_in_letter(letter, club).is_some()
        };
        if letter.may_be_personal() && (!in_words || has_token()) {
            return None;
        }
        let mut failed = recipients_from_status(&enclosed.status, report_text);
        if failed.is_empty() && in_words && !reports_on_recipient(&enclosed.status) {
            failed = recipients_from_text(letter, enclosed, club);
        }
        failed.truncate(ENTRIES_MAX);
        if failed.is_empty() {
            return None;
        }
        let mut letters = Vec::new();
        let own = club.rsplit_once('@').map_or("", |(_, host)| host);
        letters
            .extend(letter.references.iter().filter(|id| is_message_id_of_host(id, own)).cloned());
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
    ids.filter(move |id| is_message_id_of_host(id, host)).take(ENTRIES_MAX).map(str::to_owned)
}

fn is_message_id_of_host(id: &str, host: &str) -> bool {
    id.rsplit_once('@').is_some_and(|(_, at)| at.eq_ignore_ascii_case(host))
}

/// Whether the status fields report on any recipient, including a success.
fn reports_on_recipient(status: &str) -> bool {
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
                self.addresses.extend(extract_addresses(&decode_utf8_address(value)));
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

/// Decodes the characters outside ASCII that an address of type `utf-8` writes as `\x{E9}` (RFC
/// 6533).
fn decode_utf8_address(value: &str) -> String {
    let mut pieces = value.split("\\x{");
    let mut decoded = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let character = piece.split_once('}').and_then(|(code, rest)| {
            Some((char::from_u32(u32::from_str_radix(code, 16).ok()?)?, rest))
        });
        match character {
            Some((character, rest)) => {
                decoded.push(character);
                decoded.push_str(rest);
            }
            None => decoded.push_str(piece),
        }
    }
    decoded
}

/// Whether an address is the club's address, with or without a reply token. Other addresses of the
/// report's recipients are kept, because some servers name the recipient of the lost letter there.
fn is_address_of_club(address: &str, club: &str) -> bool {
    let (Some((local, host)), Some((own, at))) = (address.split_once('@'), club.split_once('@'))
    else {
        return address == club;
    };
    let marked =
        local.strip_prefix(own).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    host.eq_ignore_ascii_case(at) && marked
}

fn push_if_new(failed: &mut Vec<FailedRecipient>, new: FailedRecipient) {
    if failed.len() < ENTRIES_MAX && failed.iter().all(|known| known.address != new.address) {
        failed.push(new);
    }
}

/// Finds all texts that look like an address, in canonical form. Text in a script without spaces,
/// such as Chinese, may run into an address. So the ASCII part of a word with letters that have no
/// capitals is also tried.
fn extract_addresses(text: &str) -> Vec<String> {
    let is_part = |c: char| match c.is_ascii() {
        true => c.is_ascii_alphanumeric() || "!#$%&*+-/?^_~.@".contains(c),
        false => c.is_alphanumeric() || is_combining_mark(c),
    };
    let may_be_text =
        |c: char| !(c.is_ascii() || c.is_lowercase() || c.is_uppercase() || is_combining_mark(c));
    let mut found = Vec::new();
    for word in text.split(|c: char| !is_part(c)).filter(|word| word.contains('@')) {
        found.extend(parse_word_as_address(word));
        if word.contains(may_be_text) {
            let pieces = word.split(|c: char| !c.is_ascii());
            found.extend(pieces.filter_map(parse_word_as_address));
        }
    }
    found
}

fn parse_word_as_address(word: &str) -> Option<String> {
    let word = word.trim_matches(['.', '-', '/', '*', '!']);
    let (local, host) = word.split_once('@')?;
    let whole = !local.is_empty() && host.len() > 2 && !host.contains('@');
    (whole && host.contains('.')).then(|| canonical_address(word))
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
        assert_eq!(
            of("«zoé@exämple.fr» (zoe\u{301}@EXÄMPLE.fr)"),
            "zoé@xn--exmple-cua.fr zoé@xn--exmple-cua.fr"
        );
        assert_eq!(of("<zoé.lee@example.org>"), "zoé.lee@example.org");
        assert_eq!(of("宛先ann@example.orgへ").split(' ').next_back(), Some("ann@example.org"));
    }

    #[test]
    fn utf8_address_type_is_decoded() {
        for (written, address) in [
            (" zo\\x{E9}@ex\\x{e4}mple.fr", " zoé@exämple.fr"),
            (" zoé@example.org", " zoé@example.org"),
            ("a\\x{", "a"),
            ("a\\x{110000}b", "a110000}b"),
        ] {
            assert_eq!(decode_utf8_address(written), address, "{written}");
        }
    }
}
