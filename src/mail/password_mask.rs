//! Masks the club's password in a mail server's answers before they are printed.
//!
//! Some servers repeat the command that they refuse, and cron mails the printed text. The text is
//! also limited to one short line without control characters, because it comes from outside.
//!
//! Only runs of 8 characters of the password are masked. Masking shorter runs that occur by chance
//! would tell the reader that they are part of the password.

use data_encoding::BASE64;

/// The length of the runs of the password that are masked, in characters. A text contains such a
/// run only if it is a copy.
const RUN_LENGTH: usize = 8;
/// The longest text that is printed, in characters.
const TEXT_MAX: usize = 300;
const MASK: &str = "***";

#[derive(Clone, Default)]
pub(crate) struct PasswordMask {
    /// The pieces to mask, in lower case: all runs of [`RUN_LENGTH`] characters of the password in
    /// each encoding, or the whole password if it is shorter.
    pieces: Vec<Vec<char>>,
}

impl PasswordMask {
    /// Creates a mask for the password in plain form, in quoted form, and in base64 at any offset.
    pub(crate) fn new(password: &str) -> Self {
        let quoted = password.replace('\\', "\\\\").replace('"', "\\\"");
        let mut forms = vec![password.to_owned(), quoted];
        forms.extend((0..3).map(|ahead| base64_fragment(password.as_bytes(), ahead)));
        let mut pieces: Vec<Vec<char>> =
            forms.iter().flat_map(|form| password_pieces(form)).collect();
        pieces.sort();
        pieces.dedup();
        Self { pieces }
    }

    /// Returns a server's text as one short line, with all pieces of the password masked.
    pub(crate) fn mask_and_shorten(&self, said: &str) -> String {
        let masked = self.mask(said);
        let mut line: String = masked
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(TEXT_MAX + 1)
            .collect();
        if line.chars().count() > TEXT_MAX {
            line.pop();
            line.push_str(" ...");
        }
        line.trim().to_owned()
    }

    /// Replaces each run of overlapping pieces of the password with one mask.
    fn mask(&self, said: &str) -> String {
        let said: Vec<char> = said.chars().take(4 * TEXT_MAX).collect();
        let small: Vec<char> = said.iter().map(|c| lowercase_char(*c)).collect();
        let mut masked = String::new();
        // The end of the current run of pieces.
        let mut until = 0;
        for (at, c) in said.iter().enumerate() {
            let rest = small.get(at..).unwrap_or_default();
            let found = self.pieces.iter().filter(|piece| rest.starts_with(piece));
            if let Some(length) = found.map(Vec::len).max() {
                if at >= until {
                    masked.push_str(MASK);
                }
                until = until.max(at + length);
            }
            if at >= until {
                masked.push(*c);
            }
        }
        masked
    }
}

/// Returns the pieces of one encoding of the password that must be masked.
fn password_pieces(text: &str) -> Vec<Vec<char>> {
    let small: Vec<char> = text.chars().map(lowercase_char).collect();
    match small.len() {
        0 => Vec::new(),
        1..RUN_LENGTH => vec![small],
        _ => small.windows(RUN_LENGTH).map(<[char]>::to_vec).collect(),
    }
}

/// Returns the first character of the lower-case form, so that the text keeps its length.
fn lowercase_char(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

/// Returns the base64 characters of `bytes` if `ahead` other bytes come before them. Leaves out
/// characters at the ends that depend on adjacent bytes.
fn base64_fragment(bytes: &[u8], ahead: usize) -> String {
    let padded: Vec<u8> = std::iter::repeat_n(0, ahead).chain(bytes.iter().copied()).collect();
    let bits = padded.len() * 8;
    let own = (ahead * 8).div_ceil(6)..bits / 6;
    BASE64.encode(&padded).chars().take(own.end).skip(own.start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn password_is_masked_in_every_encoding() {
        let password = "hunter2 \"x\\";
        let mask = PasswordMask::new(password);
        let blob = |text: &str| BASE64.encode(text.as_bytes());
        let plain = blob(&format!("\0gm\0{password}"));
        for (said, shown) in [
            (format!("unknown: a1 LOGIN gm {password}!"), "unknown: a1 LOGIN gm ***!"),
            ("a1 LOGIN \"gm\" \"hunter2 \\\"x\\\\\"".to_owned(), "a1 LOGIN \"gm\" \"***\""),
            ("a1 login gm HUNTER2 \"X".to_owned(), "a1 login gm ***"),
            (format!("500 what is {}?", blob(password)), "500 what is ***w=?"),
            (format!("535 cannot understand {plain}"), "535 cannot understand AGdtAG***"),
            (format!("535 what is {}...", &plain[..16]), "535 what is AGdtAG***..."),
            (format!("{password} {password}"), "*** ***"),
        ] {
            assert_eq!(mask.mask_and_shorten(&said), shown, "{said}");
        }
        let said = format!("500 {}", blob(&format!("user=gm\u{1}auth=Bearer {password}\u{1}")));
        assert!(mask.mask_and_shorten(&said).contains(MASK), "{said}");
    }

    #[test]
    fn short_overlap_with_password_is_not_masked() {
        let discretion = PasswordMask::new("invalid1");
        for said in ["[AUTHENTICATIONFAILED] Invalid credentials", "a1 LOGIN gm", ""] {
            assert_eq!(discretion.mask_and_shorten(said), said);
        }
        assert_eq!(discretion.mask_and_shorten("Invalid1"), MASK);
        // A short password is masked only as a whole.
        let discretion = PasswordMask::new("horse7");
        assert_eq!(
            discretion.mask_and_shorten("a horse, of course: horse7"),
            "a horse, of course: ***"
        );
    }

    #[test]
    fn server_text_becomes_one_short_line() {
        let discretion = PasswordMask::new("");
        assert_eq!(discretion.mask_and_shorten("no\r\n\u{1b}[2Jway"), "no   [2Jway");
        assert_eq!(discretion.mask_and_shorten(&"x".repeat(9_000_000)).len(), TEXT_MAX + 4);
    }
}
