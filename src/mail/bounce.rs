//! What a mail server's report says: whose letter could not be delivered, and whose fault it is.
//!
//! Reads RFC 3464 where a server writes it, and else the words that servers use. Too many addresses
//! do no harm: whoever acts on a report looks for one of the member whose letter it gives back. It
//! knows nothing of members; whether a report is believed is decided elsewhere.

use super::Automatic;
use super::cause::Cause;
use super::letter::{Enclosed, Letter};
use super::word_list::WordList;

/// The most recipients and Message-IDs of one report that anybody looks at.
const COUNT_MAX: usize = 50;
/// The most addresses of a text that are looked at.
const LOOKED_AT_MAX: usize = 500;

/// The headers with which a letter begins that a server gives back.
static HEADERS: WordList = WordList::new(&[&[
    "return-path:",
    "received:",
    "message-id:",
    "mime-version:",
    "dkim-signature:",
]]);

/// The lines above a letter that a server gives back.
static OPENINGS: WordList = WordList::new(&[
    &["below this line is", "below the next line is", "this is a copy of"],
    &["original message", "your original message", "unsent message", "message header"],
    &["start of returned message", "returned message", "begin returned", "returned mail follows"],
    &["header of the source mail", "the following is a copy"],
]);

/// The subjects of reports that a letter was delivered, passed on or read.
static NEWS: WordList = WordList::new(&[
    &["delivery status notification (success)", "delivery status notification (relay)"],
    &["successful mail delivery", "successfully delivered", "delivered:", "relayed:"],
    &["expanded:", "read:", "read receipt", "return receipt", "delivery receipt"],
    &["complaint about message"],
]);

/// Words of a report that the letter may come yet.
static HOPE: WordList = WordList::new(&[
    &["delayed", "will be retried", "still being retried", "will retry", "will be retrying"],
    &["keep trying", "continue to try", "continue trying", "will be attempted", "will continue"],
    &["not yet been delivered", "has not been delivered yet", "do not need to resend"],
]);

/// Words of a report that no further attempt is made.
static NO_HOPE: WordList =
    WordList::new(&[&["given up", "giving up", "gave up", "too long", "permanent"]]);

/// A mail server's report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounce {
    /// The recipients that it names, each once.
    pub failed: Vec<Failed>,
    /// What may be the Message-IDs of letters of this club in it, without angle brackets.
    pub letters: Vec<String>,
}

/// A recipient that a letter did not reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The address, in lower case.
    pub address: String,
    /// Why.
    pub cause: Cause,
    /// The status code, such as `5.1.1`; empty where the report has none.
    pub status: String,
}

impl Bounce {
    /// Reads a letter as a report to this club's address; `None` if it is no report, or names no
    /// recipient.
    pub fn of(letter: &Letter, club: &str) -> Option<Self> {
        let enclosed = letter.enclosed.as_ref()?;
        if enclosed.is_notice || is_good_news(&letter.subject) {
            return None;
        }
        let (said, _) = above_the_letter(&enclosed.said);
        let mut failed = by_status(&enclosed.status, said);
        // Notices of absence come without a return address too, and may name their writer.
        let in_words = matches!(letter.automatic, Some(Automatic::Bounce | Automatic::System));
        if failed.is_empty() && in_words && !has_news(&enclosed.status) {
            failed = by_words(letter, enclosed, club);
        }
        failed.truncate(COUNT_MAX);
        if failed.is_empty() {
            return None;
        }
        let mut letters = Vec::new();
        let own = club.rsplit_once('@').map_or("", |(_, host)| host);
        letters.extend(letter.references.iter().filter(|id| is_of(id, own)).cloned());
        for text in [&enclosed.returned, &enclosed.said] {
            letters.extend(message_ids(text, own));
        }
        letters.truncate(COUNT_MAX);
        Some(Self { failed, letters })
    }
}

/// Whatever stands in angle brackets in a text like an id of this host.
fn message_ids<'a>(text: &'a str, host: &'a str) -> impl Iterator<Item = String> + 'a {
    let ids = text.split('<').skip(1).filter_map(|rest| Some(rest.split_once('>')?.0));
    ids.filter(move |id| is_of(id, host)).take(COUNT_MAX).map(str::to_owned)
}

fn is_of(id: &str, host: &str) -> bool {
    id.rsplit_once('@').is_some_and(|(_, at)| at.eq_ignore_ascii_case(host))
}

/// Whether the status tells of some recipient, if only that all went well.
fn has_news(status: &str) -> bool {
    status.lines().any(|line| field(line).is_some_and(|(name, _)| name == "action"))
}

/// The recipients of delivery-status parts: one group of fields each. `said` is what stands beside
/// them in words.
fn by_status(status: &str, said: &str) -> Vec<Failed> {
    let mut failed = Vec::new();
    let mut group = Group::default();
    for line in status.lines().chain([""]) {
        match field(line) {
            _ if line.starts_with([' ', '\t']) && !line.trim().is_empty() => group.take("", line),
            Some((name, value)) => group.take(&name, value),
            None if line.trim().is_empty() => std::mem::take(&mut group).close(said, &mut failed),
            None => {}
        }
    }
    failed
}

/// What a delivery-status part says about one recipient.
#[derive(Default)]
struct Group {
    addresses: Vec<String>,
    action: String,
    status: String,
    /// What stands behind the status.
    comment: String,
    /// What the server said that did not take the letter.
    diagnostic: String,
}

impl Group {
    fn take(&mut self, name: &str, value: &str) {
        match name {
            "final-recipient" | "original-recipient" | "x-actual-recipient" => {
                let value = value.split_once(';').map_or(value, |(_, address)| address);
                self.addresses.extend(addresses(value));
            }
            "action" => self.action = value.trim().to_lowercase(),
            "status" => {
                self.status = status_code(value).unwrap_or_default();
                // Some servers explain it here.
                value.clone_into(&mut self.comment);
            }
            "diagnostic-code" => value.clone_into(&mut self.diagnostic),
            // Such a field goes on in the next line.
            "" => self.diagnostic.push_str(value),
            _ => {}
        }
    }

    fn close(self, said: &str, failed: &mut Vec<Failed>) {
        let delivered = ["delivered", "relayed", "expanded"];
        if delivered.iter().any(|word| self.action.starts_with(word)) {
            return;
        }
        let is_exact = |status: &String| !(status.is_empty() || status.ends_with(".0.0"));
        let given = Some(self.status.clone()).filter(is_exact);
        let status = given.or_else(|| status_code(&self.diagnostic)).unwrap_or(self.status);
        let cause = if self.action.starts_with("delayed") {
            Cause::Late
        } else {
            // In words that are about one recipient, if there are any.
            Some(Cause::of(&status, &format!("{} {}", self.comment, self.diagnostic)))
                .filter(|cause| *cause != Cause::Unclear || status.starts_with('4'))
                .unwrap_or_else(|| Cause::of(&status, said))
        };
        for address in self.addresses {
            add(failed, Failed { address, cause, status: status.clone() });
        }
    }
}

/// A field's name in lower case, and its value.
fn field(line: &str) -> Option<(String, &str)> {
    let (name, value) = line.split_once(':')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    (!name.is_empty() && name.trim_end().chars().all(plain))
        .then(|| (name.trim_end().to_lowercase(), value))
}

/// The first three numbers with dots between them that are a status code.
pub(super) fn status_code(text: &str) -> Option<String> {
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
fn by_words(letter: &Letter, enclosed: &Enclosed, club: &str) -> Vec<Failed> {
    let (said, given_back) = above_the_letter(&enclosed.said);
    let status = status_code(said).unwrap_or_default();
    let cause = match is_late(&letter.subject, said, &status) {
        true => Cause::Late,
        false => Cause::of(&status, said),
    };
    if cause == Cause::Unclear && said.to_lowercase().contains("successfully") {
        return Vec::new();
    }
    let senders: Vec<&str> = letter.from.iter().map(|from| &*from.address).collect();
    let foreign = |address: &String| {
        let system = ["mailer-daemon@", "postmaster@", "abuse@", "support@"];
        !system.iter().any(|local| address.starts_with(local))
            && !senders.contains(&&**address)
            && !is_clubs(address, club)
    };
    let named = addresses(&enclosed.failed);
    let placed = said.lines().filter_map(placed).collect();
    // Some servers put in a few headers of the lost letter before they say whom it did not reach.
    let (headers, words): (Vec<&str>, Vec<&str>) =
        said.lines().partition(|line| field(line.trim_start()).is_some());
    let mentioned =
        words.iter().chain([&&*letter.subject]).flat_map(|line| addresses(line)).collect();
    let headed = headers.iter().flat_map(|line| addresses(line)).collect();
    let lines = enclosed.returned.lines().chain(given_back.lines());
    let sent_to = lines.filter_map(field).filter(|(name, _)| name == "to");
    let sent_to = sent_to.flat_map(|(_, value)| addresses(value)).collect();
    let mut failed = Vec::new();
    for found in [named, placed, mentioned, headed, sent_to] {
        for address in found.into_iter().take(LOOKED_AT_MAX).filter(foreign) {
            add(&mut failed, Failed { address, cause, status: status.clone() });
        }
        if !failed.is_empty() {
            break;
        }
    }
    failed
}

/// The address that a line is about: it begins with it, as servers do.
fn placed(line: &str) -> Option<String> {
    let line = line.trim_start_matches([' ', '\t', '*']);
    let line = ["Recipient:", "RCPT TO:", "Address:"]
        .iter()
        .find_map(|start| line.strip_prefix(start))
        .unwrap_or(line)
        .trim_start();
    let first = line.split_whitespace().next()?;
    let bare = first.trim_matches(['<', '>', ':', ';', ',', '\'', '"', '.']).to_lowercase();
    addresses(first).into_iter().find(|address| *address == bare)
}

/// Splits a text into what a server says, and the letter that it gives back below.
fn above_the_letter(said: &str) -> (&str, &str) {
    let above = said.split_inclusive('\n').take_while(|line| !opens_the_letter(line));
    said.split_at(above.map(str::len).sum())
}

/// Whether a line is where servers put the letter that they give back.
fn opens_the_letter(line: &str) -> bool {
    let is_indented = line.starts_with([' ', '\t']);
    let line = line.trim().trim_start_matches(['-', '*', '=', '>', ' ', '|']);
    !is_indented && HEADERS.begins(line) || OPENINGS.begins(line)
}

/// Whether an address is the club's, perhaps with a mark. Others that a report was sent to are not:
/// servers note there for whom the lost letter was.
fn is_clubs(address: &str, club: &str) -> bool {
    let (Some((local, host)), Some((own, at))) = (address.split_once('@'), club.split_once('@'))
    else {
        return address == club;
    };
    let marked =
        local.strip_prefix(own).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    host.eq_ignore_ascii_case(at) && marked
}

/// Whether a subject says that a letter was delivered, passed on or read.
fn is_good_news(subject: &str) -> bool {
    NEWS.begins(subject)
}

/// Whether a report in words says that the letter may come yet.
fn is_late(subject: &str, said: &str, status: &str) -> bool {
    let text = format!("{subject}\n{said}");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    !status.starts_with('5') && HOPE.is_in(&text) && !NO_HOPE.is_in(&text)
}

fn add(failed: &mut Vec<Failed>, new: Failed) {
    if failed.len() < COUNT_MAX && failed.iter().all(|known| known.address != new.address) {
        failed.push(new);
    }
}

/// Whatever looks like an address, in lower case.
fn addresses(text: &str) -> Vec<String> {
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
    fn a_status_code_is_three_numbers() {
        let of = |text| status_code(text).unwrap_or_default();
        assert_eq!(of("smtp; 550 5.1.1 <x@y.org>... no"), "5.1.1");
        assert_eq!(of("said (#4.4.2) to 10.5.1.9"), "4.4.2");
        assert_eq!(of("2.0.0 10.2.3.4 5.1"), "");
    }

    #[test]
    fn addresses_are_found_in_any_dress() {
        let of = |text| addresses(text).join(" ");
        assert_eq!(of("<Ann@Example.org>: no such user"), "ann@example.org");
        assert_eq!(of("c=US;dda:SMTP=ann@example.org; on"), "ann@example.org");
        assert_eq!(of("'ann+b@example.org', failed. @x a@b"), "ann+b@example.org");
    }
}
