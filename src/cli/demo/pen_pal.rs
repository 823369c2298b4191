//! A simulated player's mail program, which answers the last letter that the player got.

use crate::mail::{Letter, first_header};
use std::io;
use std::path::Path;

/// The letter that a player answers. Empty if the player got none.
#[derive(Default)]
pub struct PenPal {
    reply_to: String,
    message_id: String,
    subject: String,
    body: String,
}

impl PenPal {
    /// Finds the newest letter to `player` in this folder. The value is empty if there is none.
    pub fn find_last_letter(folder: &Path, player: &str) -> io::Result<Self> {
        let mut last: Option<(std::time::SystemTime, String, Vec<u8>)> = None;
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let bytes = std::fs::read(&path)?;
            let written = std::fs::metadata(&path)?.modified()?;
            let name = path.to_string_lossy().into_owned();
            let to = first_header(&bytes, "To").unwrap_or_default();
            let newer = last.as_ref().is_none_or(|(at, other, _)| (*at, other) < (written, &name));
            if !player.is_empty() && to.contains(&format!("{player}@")) && newer {
                last = Some((written, name, bytes));
            }
        }
        let Some((_, _, bytes)) = last else { return Ok(Self::default()) };
        let value = |name| first_header(&bytes, name).unwrap_or_default();
        Ok(Self {
            reply_to: value("Reply-To"),
            message_id: value("Message-ID").trim_matches(['<', '>']).to_owned(),
            subject: value("Subject"),
            body: Letter::parse(&bytes).map(|letter| letter.body).unwrap_or_default(),
        })
    }

    /// Fills the placeholders of `template`: reply address, Message-ID, subject, and the letter's
    /// text with or without quote marks.
    pub fn fill_answer_template(&self, template: &str) -> String {
        let quoted: Vec<String> = self.body.lines().map(|line| format!("> {line}")).collect();
        template
            .replace("{reply_to}", &self.reply_to)
            .replace("{answered}", &self.message_id)
            .replace("{subject}", &self.subject)
            .replace("{quoted}", &quoted.join("\n"))
            .replace("{unmarked}", &self.body)
    }
}
