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

/// The letter that a mail program opens for a `mailto` link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MailtoLetter {
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) body: String,
}

/// Returns the letters that the `mailto` links of a page open, in the page's order. Only links with
/// a subject and a body count. These are the order buttons of the club's letters.
pub(crate) fn find_mailto_letters(html: &str) -> Vec<MailtoLetter> {
    let links = html.split("href=\"mailto:").skip(1);
    links.filter_map(|rest| parse_mailto_link(rest.split('"').next()?)).collect()
}

/// Parses the part of a link behind `mailto:`, as an HTML attribute.
fn parse_mailto_link(link: &str) -> Option<MailtoLetter> {
    let link = link.replace("&amp;", "&");
    let (to, fields) = link.split_once('?')?;
    let field = |name: &str| fields.split('&').find_map(|field| field.strip_prefix(name));
    Some(MailtoLetter {
        to: percent_decode(to)?,
        subject: percent_decode(field("subject=")?)?,
        body: percent_decode(field("body=")?)?,
    })
}

/// Reverses [`percent_encode`]. Returns `None` if the bytes are not UTF-8.
fn percent_decode(link: &str) -> Option<String> {
    let mut pieces = link.split('%');
    let mut bytes = pieces.next()?.as_bytes().to_vec();
    for piece in pieces {
        bytes.push(u8::from_str_radix(piece.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(piece.get(2..)?.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mailto_links_of_page_open_their_letters() {
        let (to, subject, body) = ("games+1.2.3.ab@example.org", "Re: Züge & co", "build 5 %");
        let link = mailto_link(to, subject, "", body).expect("there is room");
        let bare = mailto_link(to, subject, "", "").expect("there is room");
        let page = [bare, link].map(|link| format!("<a href=\"{}\">", link.replace('&', "&amp;")));
        let opened = MailtoLetter { to: to.into(), subject: subject.into(), body: body.into() };
        assert_eq!(find_mailto_letters(&page.concat()), [opened]);
        assert_eq!(find_mailto_letters("<a href=\"mailto:a%4\"><a href=\"mailto:?body=%"), []);
    }

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
