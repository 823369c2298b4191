//! Decides what a mail server's refusal concerns: one letter, its recipient, or every letter of the
//! club.
//!
//! Servers use similar answers for a bad letter and for a sender that has no password, quota or
//! good reputation. The status code (RFC 3463) distinguishes most cases. The sending pass decides
//! the rest, because it sees the answers to all letters. The functions are pure.

use super::PostError;
use crate::mail::bounce::find_status_code;
use crate::mail::failure_cause::parse_status_code;
use crate::mail::{FailureCause, PermanentFault};

/// The most characters of a server's answer that are kept.
const TEXT_MAX: usize = 300;

/// The step of sending a letter that the server refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PostStep {
    /// The server was given the recipient's address (`RCPT TO`).
    Recipient,
    /// The server was asked to accept the text (`DATA`).
    Data,
    /// The text was sent. If the answer is lost, the server may have accepted the letter.
    Text,
}

/// Classifies a server's refusal of a letter by the step, the reply code, and the text of the
/// answer.
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
    // A permanent refusal of a recipient without a status code usually means that the mailbox does
    // not exist.
    let unknown =
        status.is_none() && step == PostStep::Recipient && matches!(code, 550 | 551 | 553);
    match (code, FailureCause::classify(status.as_deref().unwrap_or_default(), &said)) {
        (..500, _) | (_, FailureCause::MailboxFull) => PostError::Temporary(why),
        (_, FailureCause::UnknownAddress) => PostError::RecipientRefused(why),
        (_, FailureCause::Unclear) if unknown => PostError::RecipientRefused(why),
        _ => PostError::Refused(why),
    }
}

/// Whether a status code (RFC 3463) concerns the recipient's mailbox, such as "unknown", "full" or
/// "disabled".
pub(super) fn is_mailbox_status(status: &str) -> bool {
    // Details 7 and 8 of subject 1 concern the sender's address.
    matches!(parse_status_code(status), Some((_, 1, detail)) if !matches!(detail, 7 | 8))
        || matches!(parse_status_code(status), Some((_, 2, _)))
}

/// Whether the answer concerns the session, the sender or the server. The server would then refuse
/// every other letter of the club too.
fn concerns_all_letters(code: u16, status: Option<&str>) -> bool {
    matches!(code, 421 | 432 | 454 | 500 | 502..=504 | 521 | 530 | 534 | 535 | 538)
        || status.and_then(parse_status_code).is_some_and(|(_, subject, detail)| {
            matches!(
                (subject, detail),
                // In order: the sender's address; a server that is full, closed or misconfigured;
                // too many letters sent; a wrong command; the authentication and reputation of the
                // club and its domain.
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
