//! Classifies why a letter did not reach its recipient, by a server's status code and text. Only an
//! unknown mailbox or host means that the recipient's address is wrong. This module knows no
//! reports, members or letters.

use super::word_list::WordList;

/// The reason why a letter did not reach its recipient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureCause {
    /// The mailbox or its host does not exist (a hard bounce). No letter will ever reach it.
    UnknownAddress,
    MailboxFull,
    /// A rule of the server rejects this letter or its sender.
    Policy,
    /// Another reason, or none is given.
    Unclear,
    /// The letter is delayed and may still arrive.
    Delayed,
}

impl FailureCause {
    /// Classifies the failure by a status code, which may be empty, and the server's text.
    pub(crate) fn classify(status: &str, text: &str) -> Self {
        let text = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        let (unknown, full, policy) = (
            UNKNOWN_ADDRESS_PHRASES.occurs_in(&text),
            MAILBOX_FULL_PHRASES.occurs_in(&text),
            POLICY_PHRASES.occurs_in(&text),
        );
        let by_words = || match (full, policy, unknown) {
            (true, ..) => Self::MailboxFull,
            (false, true, _) => Self::Policy,
            (false, false, true) => Self::UnknownAddress,
            (false, false, false) => Self::Unclear,
        };
        match parse_status_code(status).unwrap_or_default() {
            (4, ..) if by_words() == Self::UnknownAddress => Self::Unclear,
            (4, 2, 2) | (5, 2, 2) => Self::MailboxFull,
            // Errors about the sender's address, and letters that are too large.
            (_, 1, 7 | 8) | (5, 2, 3) | (5, 3, 4) => Self::Policy,
            // Servers that know all mailboxes behind them answer this.
            (5, 4, 1) if text.contains("recipient address rejected") => Self::UnknownAddress,
            (5, 7, _) if by_words() != Self::UnknownAddress => Self::Policy,
            (5, 1, detail) if detail > 0 && unknown => Self::UnknownAddress,
            // In order: no such mailbox or address, a disabled mailbox, no such host.
            (5, 1, _) | (5, 2, 1) | (5, 4, 4 | 310) if by_words() == Self::Unclear => {
                Self::UnknownAddress
            }
            _ => by_words(),
        }
    }

    /// Whether no letter will ever reach the address (a hard bounce).
    #[must_use]
    pub const fn is_hard_bounce(self) -> bool {
        matches!(self, Self::UnknownAddress)
    }
}

/// Parses the three numbers of a status code, such as `5.1.1`.
pub(super) fn parse_status_code(status: &str) -> Option<(u16, u16, u16)> {
    let mut numbers = status.split('.').map(str::parse);
    let mut next = || numbers.next()?.ok();
    Some((next()?, next()?, next()?))
}

/// Phrases by which servers report that a mailbox or host does not exist.
static UNKNOWN_ADDRESS_PHRASES: WordList = WordList::new(&[
    &["user unknown", "unknown user", "user is unknown", "user not found", "invalid user"],
    &["unknown recipient", "recipient unknown", "recipient not found", "recipnotfound"],
    &["invalid recipient", "no valid recipient", "bad recipient", "recipient rejected"],
    &["recipient address rejected", "addressee unknown", "invalid final delivery userid"],
    &["unknown address", "address unknown", "address not found", "invalid address"],
    &["unknown email", "unknown e-mail", "invalid email", "address no longer"],
    &["unknown mailbox", "mailbox unknown", "no mailbox", "no local mailbox", "not a mailbox"],
    &["mailbox not found", "mailbox unavailable", "mailbox is unavailable", "invalid mailbox"],
    &["mailbox is disabled", "mailbox disabled", "inactive mailbox", "inactive user"],
    &["unknown account", "account not found", "no account", "account is disabled"],
    &["account disabled", "account has been disabled", "account inactive", "is inactive"],
    &["account that you tried to reach is disabled", "account is closed", "account closed"],
    &["has been discontinued", "has been deactivated", "no longer valid", "no longer available"],
    &["no longer in use", "no longer on", "no longer exist", "not exist", "doesn't exist"],
    &["non-existent", "nonexistent", "no such", "not a valid", "not a local", "unknown local"],
    &["couldn't be found", "wasn't found", "was not found", "could not be found"],
    &["cannot be found", "can't be found", "not found in", "did not exactly match"],
    &["doesn't have a", "does not have a", "isn't known", "is not known", "not known here"],
    &["not known at", "not listed in", "not recognized", "not recognised", "no one by that"],
    &["unknown or illegal", "unknown destination", "bad destination", "not our customer"],
    &["unrouteable", "unroutable", "find a gateway", "find any host", "illegal host"],
    &["host unknown", "unknown host", "host not found", "unknown domain", "domain not found"],
    &["name service error", "name or service not known", "unbekannt", "inconnu"],
]);

static MAILBOX_FULL_PHRASES: WordList = WordList::new(&[
    &["mailbox full", "mailbox is full", "full mailbox", "mailbox_full", "mailbox size"],
    &["mailbox has reached", "mailbox exceed", "mailbox has exceeded", "mailbox would exceed"],
    &["folder is full", "account is full", "inbox is full", "inbox full", "user is full"],
    &["quota", "storage limit", "storage space", "storage allocation", "out of storage"],
    &["exceeded storage", "exceeded its storage", "disk full", "disk space", "space left"],
    &["not enough space", "space not enough", "insufficient space"],
]);

/// Phrases by which servers reject a letter or sender for a rule of theirs.
static POLICY_PHRASES: WordList = WordList::new(&[
    &["spam", "junk mail", "unsolicited", "bulk mail", "policy", "policies", "prohibit"],
    &["blocked", "block list", "blocklist", "blacklist", "black list", "black-list"],
    &["denylist", "deny list", "banned", "barracuda", "dnsbl", "rbl ", ".rbl", "sorbs"],
    &["is listed", "listed at", "listed by", "listed on", "greylist"],
    &["poor reputation", "bad reputation", "low reputation", "reputation of"],
    &["not permitted", "not authorized", "not authorised", "not allowed", "not accepted from"],
    &["do not have permission", "permission denied", "access denied", "restricted"],
    &["relaying", "to relay", "relay access", "relay denied", "relay not", "not relay"],
    &["dmarc", "dkim", "spf ", "spf:", "(spf)", "unauthenticated", "fails authentication"],
    &["authentication required", "authentication is required"],
    &["content filter", "message content", "content reject", "suspicious", "suspected"],
    &["a virus", "infected", "malware", "phish"],
    &["too big", "too large", "message size", "size limit", "maximum size", "exceeds size"],
    &["exceeds the maximum", "rate limit", "too many messages"],
    &["reverse dns", "rdns", "ptr record"],
    &["sender rejected", "sender address rejected", "sender verify"],
]);

#[cfg(test)]
mod tests {
    use super::FailureCause;

    #[test]
    fn status_and_text_give_failure_cause() {
        for (status, said, cause) in [
            ("5.1.1", "", FailureCause::UnknownAddress),
            ("5.1.2", "bad destination system", FailureCause::UnknownAddress),
            ("5.1.10", "recipient's domain takes no mail", FailureCause::UnknownAddress),
            ("5.2.1", "the account is disabled", FailureCause::UnknownAddress),
            ("5.4.4", "Host or domain name not found", FailureCause::UnknownAddress),
            ("5.0.0", "550 no such user here", FailureCause::UnknownAddress),
            ("", "550 User\n  unknown", FailureCause::UnknownAddress),
            ("5.7.1", "550 5.7.1 <x@y.example>: user unknown", FailureCause::UnknownAddress),
            ("5.2.2", "", FailureCause::MailboxFull),
            ("5.1.1", "mailbox full", FailureCause::MailboxFull),
            ("", "552 over quota", FailureCause::MailboxFull),
            ("4.2.2", "the mailbox is full", FailureCause::MailboxFull),
            ("5.2.3", "", FailureCause::Policy),
            ("5.3.4", "", FailureCause::Policy),
            ("5.7.1", "", FailureCause::Policy),
            ("5.7.26", "not accepted due to DMARC", FailureCause::Policy),
            ("", "554 blocked, see the blocklist", FailureCause::Policy),
            ("5.1.0", "Sender address rejected", FailureCause::Policy),
            ("5.1.8", "", FailureCause::Policy),
            ("5.4.1", "Recipient address rejected: Access denied", FailureCause::UnknownAddress),
            ("5.0.0", "it failed", FailureCause::Unclear),
            ("5.4.7", "delivery time expired", FailureCause::Unclear),
            ("5.4.6", "too many hops", FailureCause::Unclear),
            ("4.4.1", "no answer from host", FailureCause::Unclear),
            ("4.1.1", "user unknown for now", FailureCause::Unclear),
        ] {
            assert_eq!(FailureCause::classify(status, said), cause, "{status} {said}");
        }
    }
}
