//! Builds `mailto` links that open a new letter in the reader's mail program (RFC 6068).

use std::fmt::Write;

/// The longest link, in bytes, that every mail program opens.
const LENGTH_MAX: usize = 499;

/// Returns a link that opens a letter to `address` with this subject and the body `line`, which may
/// contain line feeds. `tag` is appended to the subject and is never cut; a long subject is.
/// Returns `None` if the link would be too long even with an empty subject.
///
/// The link is ASCII. A space is encoded as `%20`, and the `+` of an address as `%2B`, because some
/// programs read a `+` as a space.
pub(crate) fn mailto_link(address: &str, subject: &str, tag: &str, line: &str) -> Option<String> {
    let to = format!("mailto:{}?subject=", percent_encode(address, b"@"));
    let tag = if tag.is_empty() { String::new() } else { percent_encode(&format!(" {tag}"), b"") };
    let body = if line.is_empty() {
        String::new()
    } else {
        format!("&body={}", percent_encode(&line.replace('\n', "\r\n"), b""))
    };
    let room = LENGTH_MAX.checked_sub(to.len() + tag.len() + body.len())?;
    let mut shown = String::new();
    for character in subject.chars() {
        let next = percent_encode(character.encode_utf8(&mut [0; 4]), b"");
        if shown.len() + next.len() > room {
            break;
        }
        shown.push_str(&next);
    }
    Some(format!("{to}{shown}{tag}{body}"))
}

/// Percent-encodes all characters except ASCII letters, digits, `-._~`, and the bytes in
/// `as_they_are`.
fn percent_encode(text: &str, as_they_are: &[u8]) -> String {
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
    fn mailto_link_escapes_address_subject_and_body() {
        assert_eq!(
            mailto_link(
                "games+1.2.3.ab@example.org",
                "Re: Züge & co [a]",
                "",
                "build red G23, Zug"
            )
            .as_deref(),
            Some(
                "mailto:games%2B1.2.3.ab@example.org?subject=Re%3A%20Z%C3%BCge%20%26%20co%20%5Ba%5D\
                 &body=build%20red%20G23%2C%20Zug"
            )
        );
        let odd = mailto_link("a?b@c", "\r\n", "[x]", "+&=#%\"<>'");
        let odd = odd.as_deref();
        assert_eq!(
            odd,
            Some("mailto:a%3Fb@c?subject=%0D%0A%20%5Bx%5D&body=%2B%26%3D%23%25%22%3C%3E%27")
        );
        let two = mailto_link("a@b", "", "", "x\ny");
        assert_eq!(two.as_deref(), Some("mailto:a@b?subject=&body=x%0D%0Ay"));
    }

    #[test]
    fn long_subject_is_cut_before_tag_and_line() {
        let subject = "ü".repeat(900);
        let (tag, line) = ("[postrider 1.2.3.abc]", "x ".repeat(60));
        let link = mailto_link("games@example.org", &subject, tag, &line).expect("there is room");
        assert!(link.len() < 500 && link.len() > 490, "{}", link.len());
        assert!(
            link.contains(&percent_encode(tag, b"")) && link.ends_with(&percent_encode(&line, b""))
        );
        assert!(link.contains("%C3%BC%20%5Bpostrider"), "no character is cut in two: {link}");
        assert_eq!(mailto_link("games@example.org", "", "", &" ".repeat(200)), None);
    }
}
