//! What a mail server's answer to a letter is about: this letter, its recipient, or us.
//!
//! Servers say "no" to one letter in the same words in which they say "no" to everybody who has no
//! password, no quota or no good name. The status code (RFC 3463) tells most of them apart, and
//! what it leaves in doubt is decided by whoever sees all letters of a pass. Pure.

use super::PostError;
use crate::mail::bounce::find_status_code;
use crate::mail::failure_cause::parse_status_code;
use crate::mail::{FailureCause, PermanentFault};

/// The most characters of what a server says that anybody reads.
const TEXT_MAX: usize = 300;

/// The step of posting a letter that was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PostStep {
    /// The server was told the recipient.
    Recipient,
    /// The server was asked to take the text.
    Data,
    /// The text was sent. The server may have taken it even if it does not say so.
    Text,
}

/// Returns what a refusal with this code and these words means for a letter.
pub(super) fn classify_refusal(step: PostStep, code: u16, said: &str) -> PostError {
    let said: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let said: String = said.chars().take(TEXT_MAX).collect();
    let command = if step == PostStep::Recipient { "RCPT TO" } else { "DATA" };
    let why = format!("{command}: {code} {said}");
    let status = find_status_code(&said);
    if matches!(code, 530 | 534 | 535 | 538) && !PermanentFault::is_temporary(&said) {
        return PostError::NeedsFix(PermanentFault::Forbidden, why);
    }
    if concerns_all_letters(code, status.as_deref()) {
        return PostError::Unavailable(why);
    }
    // In doubt who says so of a recipient knows no such mailbox.
    let unknown =
        status.is_none() && step == PostStep::Recipient && matches!(code, 550 | 551 | 553);
    match (code, FailureCause::classify(status.as_deref().unwrap_or_default(), &said)) {
        (..500, _) | (_, FailureCause::MailboxFull) => PostError::Temporary(why),
        (_, FailureCause::UnknownAddress) => PostError::RecipientRefused(why),
        (_, FailureCause::Unclear) if unknown => PostError::RecipientRefused(why),
        _ => PostError::Refused(why),
    }
}

/// Whether a status is about a mailbox: there is none, it is full, it takes nothing.
pub(super) fn is_mailbox_status(status: &str) -> bool {
    // 7 and 8 of the first are about the sender's.
    matches!(parse_status_code(status), Some((_, 1, detail)) if !matches!(detail, 7 | 8))
        || matches!(parse_status_code(status), Some((_, 2, _)))
}

/// Whether it is said of the session, the sender or the server, so that each of our letters would
/// be answered so.
fn concerns_all_letters(code: u16, status: Option<&str>) -> bool {
    matches!(code, 421 | 432 | 454 | 500 | 502..=504 | 521 | 530 | 534 | 535 | 538)
        || status.and_then(parse_status_code).is_some_and(|(_, subject, detail)| {
            matches!(
                (subject, detail),
                // The sender's address; the server is full, shut or set up wrongly; too much was
                // sent; the wrong command; who we are and what our domain says of itself.
                (1, 7 | 8) | (3, 1 | 2 | 5) | (4, 5) | (5, 1) | (7, 3 | 8..=14 | 20..=28)
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusal_concerns_mailbox_letter_or_club() {
        let of = |step, code, said| match classify_refusal(step, code, said) {
            PostError::RecipientRefused(_) => "mailbox",
            PostError::Refused(_) => "letter",
            PostError::Temporary(_) => "later",
            PostError::Unavailable(_) => "us",
            PostError::NeedsFix(..) => "us, for good",
            PostError::PossiblySent(_) => "nobody",
        };
        let recipient = |code, said| of(PostStep::Recipient, code, said);
        assert_eq!(recipient(550, "5.1.1 no such user"), "mailbox");
        assert_eq!(recipient(552, "5.2.2 mailbox full"), "later");
        assert_eq!(recipient(550, "mailbox full"), "later");
        assert_eq!(recipient(550, "blocked, see the blocklist"), "letter");
        assert_eq!(recipient(550, "5.1.1 refused by policy"), "letter");
        assert_eq!(recipient(550, "what?"), "mailbox");
        assert_eq!(recipient(550, "no such user"), "mailbox");
        assert_eq!(recipient(554, "5.7.1 relay access denied"), "letter");
        assert_eq!(recipient(554, "no"), "letter");
        assert_eq!(recipient(550, "5.1.8 sender address rejected"), "us");
        assert_eq!(recipient(530, "5.7.0 authentication required"), "us, for good");
        assert_eq!(recipient(550, "5.4.5 daily sending limit exceeded"), "us");
        assert_eq!(recipient(452, "4.2.2 mailbox full"), "later");
        assert_eq!(recipient(452, "4.3.1 insufficient system storage"), "us");
        assert_eq!(recipient(421, "shutting down"), "us");
        let text = |code, said| of(PostStep::Text, code, said);
        assert_eq!(text(550, "no"), "letter");
        assert_eq!(text(554, "5.7.1 looks like spam"), "letter");
        assert_eq!(text(552, "5.3.4 too big"), "letter");
        assert_eq!(text(550, "5.7.26 unauthenticated mail"), "us");
        assert_eq!(text(451, "4.7.1 greylisted"), "later");
    }

    #[test]
    fn refusal_text_becomes_one_short_line() {
        let PostError::Refused(why) =
            classify_refusal(PostStep::Text, 554, &format!("a\n b{}", "x".repeat(999)))
        else {
            panic!("it is refused")
        };
        assert!(why.starts_with("DATA: 554 a bxxx") && why.len() < 320, "{why}");
    }
}
