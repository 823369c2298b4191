//! Extracts the parts of a mail server's bounce report: the status fields, the text, and the
//! headers of the undelivered letter. Does not interpret them.

use super::head::{self, ContentHeaders, LetterHeaders};
use super::{DEPTH_MAX, PARTS_MAX, mime_parts};

/// The most bytes that are kept of each field of a report. No useful report is longer.
const TEXT_MAX: usize = 1 << 16;

/// The parts of a mail server's report on an undelivered letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BounceReport {
    /// The text of the delivery-status parts (RFC 3464): fields, with blank lines between
    /// recipients.
    pub status: String,
    /// The headers of the undelivered letters that the report returns, one per line.
    pub(crate) returned_headers: String,
    /// The report's text for people. An undelivered letter that was returned as text is at its end.
    pub(crate) text: String,
    /// The addresses of the `X-Failed-Recipients` headers.
    pub failed_recipients: String,
    /// Whether the report is a spam complaint or a read receipt. Neither reports a failed delivery.
    pub(crate) is_complaint_or_receipt: bool,
}

/// Extracts the parts of a report. Reads only the headers of an enclosed letter, unless that letter
/// is a report itself.
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
                // A mail program that deleted the letter unread did not deliver it.
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

/// Appends a text and a line end, up to the limit of [`TEXT_MAX`] bytes. If no room is left, `text`
/// is not called, so the part is not decoded.
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
