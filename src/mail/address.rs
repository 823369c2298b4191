//! The canonical form of e-mail addresses, in which the club stores and compares them.
//!
//! One address outside ASCII can be written in several ways: `é` may be one character or two, and a
//! host name may be in Unicode or in A-labels (`xn--exmple-cua.fr`). In the canonical form, equal
//! addresses are equal strings. Any mail server accepts the host, because it is ASCII.

use super::line_folding::is_invisible;
use unicode_normalization::UnicodeNormalization;

/// Returns an address in its canonical form: in lower case and NFC, with the host in A-labels. A
/// host that is no domain name stays as it is, in lower case. So does the part before the `@` if
/// one of its characters would become ASCII, because the address would become another one.
///
/// Any text is accepted, also one that is no address.
pub(crate) fn canonical_address(address: &str) -> String {
    if address.is_ascii() {
        return address.to_ascii_lowercase();
    }
    let (local, host) = address.rsplit_once('@').map_or((address, None), |(l, h)| (l, Some(h)));
    let local = match local.chars().any(becomes_ascii) {
        true => local.to_owned(),
        false => lowercase_nfc(local),
    };
    match host {
        Some(host) => format!("{local}@{}", canonical_host(&lowercase_nfc(host))),
        None => local,
    }
}

fn lowercase_nfc(text: &str) -> String {
    text.nfc().collect::<String>().to_lowercase().nfc().collect()
}

/// Whether a character outside ASCII becomes an ASCII one in lower case or NFC. The Kelvin sign
/// becomes a `k`.
fn becomes_ascii(c: char) -> bool {
    !c.is_ascii() && c.to_lowercase().nfc().all(|c| c.is_ascii())
}

/// Returns a host name in lower case and A-labels, or in lower case only if it is no domain name.
pub(crate) fn canonical_host(host: &str) -> String {
    let lowercase = host.to_lowercase();
    if lowercase.is_ascii() {
        return lowercase;
    }
    idna::domain_to_ascii_strict(&lowercase).unwrap_or(lowercase)
}

/// Parses an address without a name, and returns its canonical form. Returns `None` if the text is
/// no address, or if it has spaces, brackets, control characters or invisible characters.
pub(crate) fn parse_plain_address(text: &str) -> Option<String> {
    // The canonical form is checked too, because some characters of a host become ASCII ones.
    let address = canonical_address(text);
    if !text.chars().chain(address.chars()).all(is_address_character) {
        return None;
    }
    let (local, host) = address.rsplit_once('@')?;
    let is_whole = !local.is_empty() && !host.is_empty() && host.is_ascii();
    is_whole.then_some(address)
}

/// Returns the ways in which an address may be written in a text: its canonical form, the form with
/// its host in Unicode, and both in NFD. Equal forms are returned once.
pub(crate) fn address_spellings(address: &str) -> Vec<String> {
    let mut spellings = vec![address.to_owned()];
    if let Some((local, host)) = address.rsplit_once('@')
        && let (unicode, Ok(())) = idna::domain_to_unicode(host)
        && unicode != host
    {
        spellings.push(format!("{local}@{unicode}"));
    }
    let decomposed: Vec<String> =
        spellings.iter().map(|spelling| spelling.nfd().collect::<String>()).collect();
    spellings.extend(decomposed);
    spellings.sort_unstable();
    spellings.dedup();
    spellings
}

fn is_address_character(c: char) -> bool {
    match c.is_ascii() {
        true => c.is_ascii_graphic() && !matches!(c, '<' | '>' | ',' | ';' | '"'),
        false => {
            let is_hidden = c.is_control() || is_invisible(c) || c == char::REPLACEMENT_CHARACTER;
            !(is_hidden || c.is_whitespace() || becomes_ascii(c))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spellings of one address, each with the canonical form.
    const SPELLINGS: [(&str, &str); 10] = [
        ("Ann@Example.org", "ann@example.org"),
        ("ann@exämple.fr", "ann@xn--exmple-cua.fr"),
        ("ann@EXÄMPLE.fr", "ann@xn--exmple-cua.fr"),
        ("ann@exa\u{308}mple.fr", "ann@xn--exmple-cua.fr"),
        ("ann@XN--EXMPLE-CUA.fr", "ann@xn--exmple-cua.fr"),
        ("zoé@exämple.fr", "zoé@xn--exmple-cua.fr"),
        ("ZOE\u{301}@exämple.fr", "zoé@xn--exmple-cua.fr"),
        ("zoë+games@example.org", "zoë+games@example.org"),
        ("иван@почта.рф", "иван@xn--80a1acny.xn--p1ai"),
        ("花子@例え.jp", "花子@xn--r8jz45g.jp"),
    ];

    #[test]
    fn spellings_of_address_have_one_form() {
        for (written, canonical) in SPELLINGS {
            assert_eq!(canonical_address(written), canonical, "{written}");
            assert_eq!(parse_plain_address(written).as_deref(), Some(canonical), "{written}");
            assert_eq!(canonical_address(canonical), canonical, "twice");
        }
    }

    #[test]
    fn address_never_becomes_another_in_ascii() {
        for other in ["\u{212a}im@example.org", "zoé\u{212a}@example.org", "a\u{1fef}@example.org"]
        {
            assert_eq!(canonical_address(other), other);
        }
        let is_lost = |c: &char| {
            is_address_character(*c) && canonical_host(&format!("a{c}b.org")) == "ab.org"
        };
        let characters = ('\u{80}'..'\u{20000}').chain('\u{e0000}'..='\u{e0fff}');
        assert_eq!(characters.filter(is_lost).collect::<String>().escape_unicode().to_string(), "");
    }

    #[test]
    fn text_that_is_no_address_is_refused() {
        for text in [
            "zoé",
            "@exämple.fr",
            "zoé@",
            "zo é@example.org",
            "zoé@exa mple.fr",
            "zoé\u{200b}@example.org",
            "zoé@ex\u{ad}ämple.fr",
            "zoé@example.org\r\nBcc: ann@example.org",
            "zoé\u{37e}ann@example.org",
            "ann@ex\u{ff1c}ämple.fr",
            "zo\u{fffd}@example.org",
            "zoé@exämple_.fr",
            "ann@exam\u{e0100}ple.org",
            "ann@exam\u{180f}ple.org",
            "ann@exam\u{1bca0}ple.org",
            "ann@exam\u{3164}ple.org",
            "\u{212a}im@example.org",
        ] {
            assert_eq!(parse_plain_address(text), None, "{text:?}");
        }
    }

    #[test]
    fn spellings_have_unicode_host_and_nfd() {
        let spellings = [
            "zoe\u{301}@exa\u{308}mple.fr",
            "zoe\u{301}@xn--exmple-cua.fr",
            "zo\u{e9}@ex\u{e4}mple.fr",
            "zo\u{e9}@xn--exmple-cua.fr",
        ];
        assert_eq!(address_spellings("zo\u{e9}@xn--exmple-cua.fr"), spellings);
        assert_eq!(address_spellings("ann@example.org"), ["ann@example.org"]);
    }
}
