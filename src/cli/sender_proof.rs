//! What `doctor` can tell of a club that wants each sender proven: whether its mail server writes
//! down what it found, under the name that club.yaml gives it, and only once.
//!
//! Whether the server takes away what letters bring along under its name, no letter can prove; one
//! with two findings can only disprove it.

use crate::mail::{BYTES_MAX, Checks, Letter, Maildir, Waiting};
use crate::process::Context;
use std::collections::BTreeSet;

/// How many letters of each mail folder are looked at, the newest.
const LOOKED_AT: usize = 100;

/// What the club's letters tell of its mail server: what is well, or what to mend.
pub fn check(context: &Context) -> Result<String, String> {
    let server = context.settings.authserv_id.as_deref().unwrap_or_default();
    let inbox = context.inbox();
    let mut letters = Vec::new();
    for folder in ["", ".done", ".quarantine"] {
        let mail_folder = Maildir::new(inbox.root().join(folder));
        let all = mail_folder.waiting(usize::MAX);
        let all = all.map_err(|error| format!("{}: {error}", mail_folder.root().display()))?;
        letters.extend(all.into_iter().rev().take(LOOKED_AT));
    }
    let mut seen = Seen::default();
    for letter in &letters {
        seen.look_at(letter, server);
    }
    seen.judge(server)
}

#[derive(Default)]
struct Seen {
    letters: usize,
    checked: usize,
    /// The name of a letter with more than one finding of our server.
    doubled: Option<String>,
    /// Who else says that he checked letters.
    others: BTreeSet<String>,
}

impl Seen {
    fn look_at(&mut self, waiting: &Waiting, server: &str) {
        let Ok(bytes) = waiting.read(BYTES_MAX) else { return };
        let Ok(letter) = Letter::read(&bytes) else { return };
        let checks = Checks::of(&letter.authentication_results, server);
        self.letters += 1;
        self.checked += usize::from(checks.dmarc > 0);
        if checks.dmarc > 1 {
            self.doubled.get_or_insert_with(|| waiting.name.clone());
        }
        self.others.extend(checks.others.into_iter().next());
    }

    fn judge(self, server: &str) -> Result<String, String> {
        let Self { letters, checked, doubled, others } = self;
        if let Some(name) = doubled {
            return Err(format!(
                "letter {name} has two DMARC findings of {server}: either it checks letters twice, \
                 or it leaves in place what a letter brings along under its name, and then anybody \
                 can forge a sender. Let it remove every Authentication-Results of its own name \
                 from letters that come in"
            ));
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
            "{checked} letters of {letters} were checked by {server}; see to it that it removes \
             every Authentication-Results of its own name from letters that come in"
        ))
    }
}
