//! A deadline as a calendar entry (RFC 5545) that mail programs can add to the reader's calendar.
//!
//! The output is deterministic. This module knows no games and no letters.

use chrono::{DateTime, Utc};

/// The longest line, in bytes, without its line end (RFC 5545).
const LINE_MAX: usize = 75;

/// The data of a calendar entry for a deadline. The texts may contain any characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CalendarEntry<'a> {
    /// The ID of the entry. A calendar replaces an entry that has an equal ID, so a later letter
    /// moves the deadline.
    pub uid: &'a str,
    /// The version of the entry, which grows with each letter. Calendars keep the entry with the
    /// highest one.
    pub(crate) sequence: i64,
    pub written_at: DateTime<Utc>,
    pub deadline: DateTime<Utc>,
    pub(crate) summary: &'a str,
    /// The organizer of the event: the club's address.
    pub(crate) organizer: &'a str,
}

impl CalendarEntry<'_> {
    /// Returns the iCalendar text. Lines end in CR LF and have at most 75 bytes.
    ///
    /// The entry is an event of zero duration at the deadline. It is not a task, because most
    /// calendars ignore tasks from other people.
    pub(crate) fn to_icalendar(self) -> String {
        let organizer: String = self
            .organizer
            .chars()
            .filter(|c| c.is_ascii_graphic() && !";:,\"".contains(*c))
            .collect();
        let lines = [
            "BEGIN:VCALENDAR".to_owned(),
            "VERSION:2.0".to_owned(),
            concat!("PRODID:-//postrider//", env!("CARGO_PKG_VERSION"), "//EN").to_owned(),
            "METHOD:PUBLISH".to_owned(),
            "BEGIN:VEVENT".to_owned(),
            format!("UID:{}", escape(self.uid)),
            format!("SEQUENCE:{}", self.sequence.clamp(0, i32::MAX.into())),
            format!("DTSTAMP:{}", format_icalendar_time(self.written_at)),
            format!("DTSTART:{}", format_icalendar_time(self.deadline)),
            format!("SUMMARY:{}", escape(self.summary)),
            format!("ORGANIZER:mailto:{organizer}"),
            "TRANSP:TRANSPARENT".to_owned(),
            "END:VEVENT".to_owned(),
            "END:VCALENDAR".to_owned(),
        ];
        lines.iter().map(|line| wrap_line(line)).collect()
    }
}

fn format_icalendar_time(at: DateTime<Utc>) -> String {
    at.format("%Y%m%dT%H%M%SZ").to_string()
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | ';' | ',' => escaped.extend(['\\', character]),
            '\n' => escaped.push_str("\\n"),
            character if character.is_control() => {}
            character => escaped.push(character),
        }
    }
    escaped
}

/// Returns the line with its line end, wrapped at 75 bytes between characters.
fn wrap_line(line: &str) -> String {
    let mut folded = String::with_capacity(line.len() + 8);
    let mut room = LINE_MAX;
    for character in line.chars() {
        if character.len_utf8() > room {
            folded.push_str("\r\n ");
            room = LINE_MAX - 1;
        }
        folded.push(character);
        room -= character.len_utf8();
    }
    folded.push_str("\r\n");
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(summary: &str) -> CalendarEntry<'_> {
        CalendarEntry {
            uid: "g1.s2@example.org",
            sequence: 7,
            written_at: DateTime::UNIX_EPOCH,
            deadline: DateTime::from_timestamp(1_767_636_000, 0).unwrap(),
            summary,
            organizer: "games@example.org",
        }
    }

    #[test]
    fn entry_is_valid_icalendar() {
        let text = entry("Orders; by you, \\ \"Ann\"\nnow").to_icalendar();
        let expected = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//postrider//0.1.0//EN\r\n\
             METHOD:PUBLISH\r\nBEGIN:VEVENT\r\nUID:g1.s2@example.org\r\nSEQUENCE:7\r\n\
             DTSTAMP:19700101T000000Z\r\nDTSTART:20260105T180000Z\r\n\
             SUMMARY:Orders\\; by you\\, \\\\ \"Ann\"\\nnow\r\n\
             ORGANIZER:mailto:games@example.org\r\nTRANSP:TRANSPARENT\r\nEND:VEVENT\r\n\
             END:VCALENDAR\r\n";
        assert_eq!(text.replace(env!("CARGO_PKG_VERSION"), "0.1.0"), expected);
    }

    proptest! {
        #[test]
        fn summary_never_breaks_calendar_lines(summary in "(?s).{0,400}") {
            let text = entry(&summary).to_icalendar();
            prop_assert!(text.ends_with("\r\n"));
            prop_assert!(text.split("\r\n").all(|line| line.len() <= 75));
            prop_assert!(!text.replace("\r\n", "").contains(|c: char| c.is_control()));
            let unfolded = text.replace("\r\n ", "");
            prop_assert_eq!(unfolded.lines().count(), 14);
            prop_assert_eq!(unfolded.matches("BEGIN:VEVENT\r\n").count(), 1);
        }
    }
}
