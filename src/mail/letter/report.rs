//! What a mail server's report holds beside its text: the status that programs read, the headers
//! of the letter that it is about. Knows the forms of parts; not what a report means.

use super::head::{self, Content, Head};
use super::{DEPTH_MAX, PARTS_MAX, mime_parts};

/// The most bytes that are kept of each kind: no report that helps is longer.
const KEPT_MAX: usize = 1 << 16;

/// The parts of a mail server's report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enclosed {
    /// The text of its delivery-status parts (RFC 3464): fields, and blank lines between
    /// recipients.
    pub status: String,
    /// The headers of the letters that it gives back, one on each line.
    pub(crate) returned: String,
    /// What it says in words; a letter that was given back as text stands at its end.
    pub(crate) said: String,
    /// The addresses of `X-Failed-Recipients`.
    pub failed: String,
    /// Whether it is a complaint of a reader's provider or a receipt, which tell of no failure.
    pub(crate) is_notice: bool,
}

/// Takes a report apart. Opens letters inside of it only as far as their headers, unless such a
/// letter is a report itself.
pub(super) fn enclosed(head: &Head, body: &[u8]) -> Enclosed {
    let mut walk = Walk { parts: 0, enclosed: Enclosed::default() };
    walk.read(&head.content, body, 1);
    walk.enclosed.failed = head.values("x-failed-recipients").collect::<Vec<_>>().join(" ");
    walk.enclosed
}

struct Walk {
    parts: usize,
    enclosed: Enclosed,
}

impl Walk {
    fn read(&mut self, content: &Content, body: &[u8], depth: usize) {
        self.parts += 1;
        if self.parts > PARTS_MAX || depth > DEPTH_MAX {
            return;
        }
        match &*content.kind {
            kind if kind.starts_with("multipart/") => {
                let pieces = mime_parts::split(body, content.boundary.as_deref().unwrap_or(""));
                if pieces.is_empty() {
                    keep(&mut self.enclosed.said, || mime_parts::decoded(content, body));
                }
                for piece in pieces {
                    let (head, body) = head::split(piece);
                    let head = Head::read(head).unwrap_or_default();
                    self.read(&head.content, body, depth + 1);
                }
            }
            "message/delivery-status" | "message/global-delivery-status" => {
                keep(&mut self.enclosed.status, || mime_parts::decoded(content, body));
            }
            "message/feedback-report" => self.enclosed.is_notice = true,
            "message/disposition-notification" | "message/global-disposition-notification" => {
                let said = mime_parts::decoded(content, body).to_lowercase();
                // A program that throws a letter away did not deliver it.
                let thrown = said.contains("automatic-action") && said.contains("deleted");
                self.enclosed.is_notice |= !thrown;
            }
            "message/rfc822" | "message/global" => self.letter(content, body, depth),
            "text/rfc822-headers" | "message/rfc822-headers" | "message/global-headers" => {
                self.headers(mime_parts::decoded(content, body).as_bytes());
            }
            "text/html" => {
                keep(&mut self.enclosed.said, || mime_parts::from_html(content, body).text);
            }
            kind if matches!(kind, "" | "text") || kind.starts_with("text/") => {
                keep(&mut self.enclosed.said, || mime_parts::decoded(content, body));
            }
            _ => {}
        }
    }

    fn letter(&mut self, content: &Content, body: &[u8], depth: usize) {
        let whole = mime_parts::decoded(content, body);
        let (head, body) = head::split(whole.as_bytes());
        let read = Head::read(head).unwrap_or_default();
        if read.content.kind == "multipart/report" {
            self.read(&read.content, body, depth + 1);
        } else {
            self.headers(head);
        }
    }

    fn headers(&mut self, bytes: &[u8]) {
        let (bytes, _) = head::split(bytes);
        let Some(head) = Head::read(bytes) else { return };
        for field in &head.fields {
            keep(&mut self.enclosed.returned, || format!("{}: {}", field.name, field.value));
        }
        keep(&mut self.enclosed.returned, || format!("subject: {}", head.subject));
    }
}

/// Adds a text and a line end, as far as there is room; without any nobody reads the text.
fn keep(all: &mut String, text: impl FnOnce() -> String) {
    let room = KEPT_MAX.saturating_sub(all.len());
    if room == 0 {
        return;
    }
    let text = text();
    let end = (0..=text.len().min(room)).rev().find(|end| text.is_char_boundary(*end));
    all.push_str(text.get(..end.unwrap_or(0)).unwrap_or_default());
    all.push('\n');
}
