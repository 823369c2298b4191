//! The check of `doctor` for a club that requires DMARC: whether the mail server records its
//! findings in each letter, under the name that club.yaml gives, and only once.
//!
//! The server must also remove findings that a letter brings along under its name. No letter can
//! prove that it does; a letter with two findings proves that it does not.

use crate::mail::{AuthenticationSummary, BYTES_MAX, Letter, Maildir};
use crate::process::Context;
use std::collections::BTreeSet;

/// The number of letters that are checked in each mail folder, newest first.
const LETTERS_CHECKED_MAX: usize = 100;

/// Checks the mail server's DMARC findings in the club's latest letters. Returns what is well, or
/// what to mend.
pub fn check_recent_dmarc_findings(context: &Context) -> Result<String, String> {
    let server = context.settings.authserv_id.as_deref().unwrap_or_default();
    let inbox = context.inbox_maildir();
    let (mut letters, mut checked, mut others) = (0, 0, BTreeSet::new());
    for folder in ["", ".done", ".quarantine"] {
        let mail_folder = Maildir::new(inbox.root().join(folder));
        let all = mail_folder.pending_letters(usize::MAX);
        let all = all.map_err(|error| format!("{}: {error}", mail_folder.root().display()))?;
        for waiting in all.into_iter().rev().take(LETTERS_CHECKED_MAX) {
            let Ok(bytes) = waiting.read(BYTES_MAX) else { continue };
            let Ok(letter) = Letter::parse(&bytes) else { continue };
            let checks =
                AuthenticationSummary::from_headers(&letter.authentication_results, server);
            if checks.dmarc_headers > 1 {
                return Err(format!(
                    "letter {} has two DMARC results of {server}. Either the server checks letters \
                     twice, or it keeps a result that a letter already had under the server's \
                     name; then anybody can forge a sender. Configure it to remove every \
                     Authentication-Results header with its own name from inbound mail",
                    waiting.name
                ));
            }
            letters += 1;
            checked += checks.dmarc_headers;
            others.extend(checks.other_servers.into_iter().next());
        }
    }
    if letters > 0 && checked == 0 {
        let named: Vec<String> = others.into_iter().take(5).collect();
        let named = if named.is_empty() { "no server".to_owned() } else { named.join(", ") };
        return Err(format!(
            "none of {letters} letters has a DMARC result of {server}, so all letters go to \
             quarantine; results found are of: {named}. Correct authserv_id, or enable DMARC \
             checks on the server"
        ));
    }
    Ok(format!(
        "{server} checked {checked} of {letters} letters; make sure that it removes every \
         Authentication-Results header with its own name from inbound mail"
    ))
}
