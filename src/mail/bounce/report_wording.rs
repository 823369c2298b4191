//! The words of bounce reports: whether a text is a report, of what kind, and where the returned
//! letter begins in it.

use crate::mail::word_list::WordList;

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

/// Phrases by which a report says that a letter did not reach its recipient, in the languages of
/// common mail servers. Only needed if no header shows that a mail server wrote the letter.
static UNDELIVERED_PHRASES: WordList = WordList::new(&[
    &["could not be delivered", "cannot be delivered", "can not be delivered", "not delivered"],
    &["couldn't be delivered", "can't be delivered", "could not deliver", "cannot deliver"],
    &["unable to deliver", "wasn't able to deliver", "failed to deliver", "not yet been delivered"],
    &["undeliverable", "undelivered", "delivery fail", "delivery has failed", "delivery error"],
    &["delivery problem", "delivery to the following", "non-delivery", "mail delivery"],
    &["failed recipient", "failed address", "following recipient", "following addresses had"],
    &["did not reach the following", "did not receive a copy", "returned to sender"],
    &["returning message to sender", "permanent fatal error", "automatically rejected"],
    &["your message was rejected", "that you sent was rejected", "no such user"],
    &["user unknown", "unknown user", "mailbox is full", "mailbox full", "no mailbox here"],
    &["not able to deliver", "has been returned because", "was returned because"],
    &["affected recipient", "invalid final delivery userid"],
    // Spanish, French, Italian, Portuguese.
    &["no se pudo entregar", "no pudo ser entregado", "no ha podido ser entregado"],
    &["no se ha podido entregar", "n'a pas pu être remis", "n'a pas pu être délivré"],
    &["n'a pas pu être distribué", "non remis", "non è stato possibile consegnare"],
    &["non può essere consegnato", "impossibile recapitare", "não pôde ser entregue"],
    // German, Dutch.
    &["nicht zugestellt werden", "nicht ausgeliefert werden", "unzustellbar"],
    &["niet worden bezorgd", "niet worden afgeleverd"],
    // Russian, Chinese, Japanese.
    &["не может быть доставлено", "не удалось доставить", "не было доставлено"],
    &["无法送达", "无法投递", "無法傳遞", "退信", "配信できません", "配信不能"],
]);

/// The number of lines at the top of a letter in which a report says what it is about.
const OPENING_LINES: usize = 40;

/// Whether a letter says near its top that another letter was not delivered.
pub(in crate::mail) fn has_report_wording(text: &str) -> bool {
    let lines = text.lines().take(OPENING_LINES).filter(|line| !line.starts_with('>'));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    UNDELIVERED_PHRASES.occurs_in(&words.join(" "))
}

/// Splits a text into the server's report and the returned letter below it.
pub(super) fn split_off_returned_letter(said: &str) -> (&str, &str) {
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

pub(super) fn is_success_subject(subject: &str) -> bool {
    SUCCESS_SUBJECTS.starts_line(subject)
}

/// Whether a report's text says that the letter may still be delivered.
pub(super) fn is_delay_report(subject: &str, report_text: &str, status: &str) -> bool {
    let text = format!("{subject}\n{report_text}");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    !status.starts_with('5') && DELAY_PHRASES.occurs_in(&text) && !GAVE_UP_PHRASES.occurs_in(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Openings of letters that no header marks, and whether they report a lost letter.
    const OPENINGS: [(&str, bool); 14] = [
        ("Your message\ncould not be\ndelivered to the following recipient:", true),
        ("Your message has encountered delivery problems", true),
        ("---- Failed Recipients ----", true),
        ("Did not reach the following recipient(s):", true),
        ("<ann@example.org>: no such user here", true),
        ("Su mensaje no se pudo entregar a ann@example.org", true),
        ("Ihre Nachricht konnte nicht zugestellt werden", true),
        ("Votre message n'a pas pu être remis", true),
        ("> could not be delivered\nyes, I got it", false),
        ("I am out of the office until Monday.", false),
        ("build red F16, Rouen", false),
        ("The mailman delivered my chair today.", false),
        ("We have a user meeting on Monday.", false),
        ("", false),
    ];

    #[test]
    fn report_is_recognized_by_its_wording() {
        for (text, expected) in OPENINGS {
            assert_eq!(has_report_wording(text), expected, "{text}");
        }
        let late = format!("{}could not be delivered", "a line\n".repeat(OPENING_LINES));
        assert!(!has_report_wording(&late));
    }
}
