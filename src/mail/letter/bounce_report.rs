//! What a mail server's report holds beside its text: the status that programs read, the headers
//! of the letter that it is about. Knows the forms of parts; not what a report means.

use super::head::{self, ContentHeaders, LetterHeaders};
use super::{DEPTH_MAX, PARTS_MAX, mime_parts};

/// The most bytes that are kept of each kind: no report that helps is longer.
const TEXT_MAX: usize = 1 << 16;

/// The parts of a mail server's report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BounceReport {
    /// The text of its delivery-status parts (RFC 3464): fields, and blank lines between
    /// recipients.
    pub status: String,
    /// The headers of the letters that it gives back, one on each line.
    pub(crate) returned_headers: String,
    /// What it says in words; a letter that was given back as text stands at its end.
    pub(crate) text: String,
    /// The addresses of `X-Failed-Recipients`.
    pub failed_recipients: String,
    /// Whether it is a complaint of a reader's provider or a receipt, which tell of no failure.
    pub(crate) is_complaint_or_receipt: bool,
}

/// Takes a report apart. Opens letters inside of it only as far as their headers, unless such a
/// letter is a report itself.
pub(super) fn parse_bounce_report(head: &LetterHeaders, body: &[u8]) -> BounceReport {
    let mut walk = ReportReader { parts: 0, report: BounceReport::default() };
    walk.read_part(&head.content, body, 1);
    walk.report.failed_recipients =
        head.values("x-failed-recipients").collect::<Vec<_>>().join(" ");
    walk.report
}

struct ReportReader {
    parts: usize,
    report: BounceReport,
}

impl ReportReader {
    fn read_part(&mut self, content: &ContentHeaders, body: &[u8], depth: usize) {
        self.parts += 1;
        if self.parts > PARTS_MAX || depth > DEPTH_MAX {
            return;
        }
        match &*content.media_type {
            kind if kind.starts_with("multipart/") => {
                let pieces =
                    mime_parts::split_parts(body, content.boundary.as_deref().unwrap_or(""));
                if pieces.is_empty() {
                    append_capped(&mut self.report.text, || {
                        mime_parts::decode_content(content, body)
                    });
                }
                for piece in pieces {
                    let (head, body) = head::split_headers(piece);
                    let head = LetterHeaders::parse(head).unwrap_or_default();
                    self.read_part(&head.content, body, depth + 1);
                }
            }
            "message/delivery-status" | "message/global-delivery-status" => {
                append_capped(&mut self.report.status, || {
                    mime_parts::decode_content(content, body)
                });
            }
            "message/feedback-report" => self.report.is_complaint_or_receipt = true,
            "message/disposition-notification" | "message/global-disposition-notification" => {
                let said = mime_parts::decode_content(content, body).to_lowercase();
                // A program that throws a letter away did not deliver it.
                let thrown = said.contains("automatic-action") && said.contains("deleted");
                self.report.is_complaint_or_receipt |= !thrown;
            }
            "message/rfc822" | "message/global" => self.read_enclosed_letter(content, body, depth),
            "text/rfc822-headers" | "message/rfc822-headers" | "message/global-headers" => {
                self.push_returned_headers(mime_parts::decode_content(content, body).as_bytes());
            }
            "text/html" => {
                append_capped(&mut self.report.text, || mime_parts::read_html(content, body).text);
            }
            kind if matches!(kind, "" | "text") || kind.starts_with("text/") => {
                append_capped(&mut self.report.text, || mime_parts::decode_content(content, body));
            }
            _ => {}
        }
    }

    fn read_enclosed_letter(&mut self, content: &ContentHeaders, body: &[u8], depth: usize) {
        let whole = mime_parts::decode_content(content, body);
        let (head, body) = head::split_headers(whole.as_bytes());
        let read = LetterHeaders::parse(head).unwrap_or_default();
        if read.content.media_type == "multipart/report" {
            self.read_part(&read.content, body, depth + 1);
        } else {
            self.push_returned_headers(head);
        }
    }

    fn push_returned_headers(&mut self, bytes: &[u8]) {
        let (bytes, _) = head::split_headers(bytes);
        let Some(head) = LetterHeaders::parse(bytes) else { return };
        for field in &head.fields {
            append_capped(&mut self.report.returned_headers, || {
                format!("{}: {}", field.name, field.value)
            });
        }
        append_capped(&mut self.report.returned_headers, || format!("subject: {}", head.subject));
    }
}

/// Adds a text and a line end, as far as there is room; without any nobody reads the text.
fn append_capped(all: &mut String, text: impl FnOnce() -> String) {
    let room = TEXT_MAX.saturating_sub(all.len());
    if room == 0 {
        return;
    }
    let text = text();
    let end = (0..=text.len().min(room)).rev().find(|end| text.is_char_boundary(*end));
    all.push_str(text.get(..end.unwrap_or(0)).unwrap_or_default());
    all.push('\n');
}
