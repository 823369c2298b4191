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
pub fn check(context: &Context) -> Result<String, String> {
    let server = context.settings.authserv_id.as_deref().unwrap_or_default();
    let inbox = context.inbox();
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
                    "letter {} has two DMARC findings of {server}: either it checks letters twice, \
                     or it leaves in place what a letter brings along under its name, and then \
                     anybody can forge a sender. Let it remove every Authentication-Results of its \
                     own name from letters that come in",
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
        let named = if named.is_empty() { "nobody".to_owned() } else { named.join(", ") };
        return Err(format!(
            "no letter of {letters} says that {server} checked it for DMARC, so all go to \
             quarantine; checked by: {named}. Mend authserv_id, or let the server check"
        ));
    }
    Ok(format!(
        "{checked} letters of {letters} were checked by {server}; see to it that it removes every \
         Authentication-Results of its own name from letters that come in"
    ))
}
