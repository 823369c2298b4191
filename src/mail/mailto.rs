//! Links that open a new letter (RFC 6068).
//!
//! Pure text; knows nothing of whom it goes to.

use std::fmt::Write;

/// A link to write to this address with this subject. Whatever is in them, the link is ASCII.
pub(crate) fn mailto(address: &str, subject: &str) -> String {
    format!("mailto:{}?subject={}", escaped(address, b"@+"), escaped(subject, b""))
}

/// The text with all but letters, digits, `-._~` and these bytes escaped.
fn escaped(text: &str, as_they_are: &[u8]) -> String {
    let mut link = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || as_they_are.contains(&byte) {
            link.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(link, "%{byte:02X}");
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_subject_ends_it() {
        assert_eq!(
            mailto("games+1.2.3.ab@example.org", "Re: Züge & co [a]"),
            "mailto:games+1.2.3.ab@example.org?subject=Re%3A%20Z%C3%BCge%20%26%20co%20%5Ba%5D"
        );
        assert_eq!(mailto("a?b@c", "\r\n"), "mailto:a%3Fb@c?subject=%0D%0A");
    }
}
