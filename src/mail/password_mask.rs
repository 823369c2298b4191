//! What a mail server said, fit to be printed: without the password that it was told.
//!
//! Some servers repeat the command that they refuse, and cron mails what is printed. The text also
//! comes from outside, so it is one short line without control characters.
//!
//! Only runs of 8 characters of the password are masked. Masking shorter ones would tell the reader
//! of the mail that the password holds what stands there by chance.

use data_encoding::BASE64;

/// The number of characters in a row that only a copy of the password has in common with it.
const RUN_LENGTH: usize = 8;
/// The longest text that is shown, in characters.
const TEXT_MAX: usize = 300;
/// The text that stands in the place of a piece of the password.
const MASK: &str = "***";

/// Knows a password, and keeps it out of what is printed.
#[derive(Clone, Default)]
pub(crate) struct PasswordMask {
    /// Pieces of the password as it was typed or sent, in lower case: all runs of [`RUN_LENGTH`]
    /// characters, or the whole of a shorter one.
    pieces: Vec<Vec<char>>,
}

impl PasswordMask {
    /// Keeps this password, in plain, quoted, or anywhere in base64.
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

    /// Returns what was said in one short line, with each piece of the password masked.
    pub(crate) fn mask_line(&self, said: &str) -> String {
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

    /// Replaces each run of characters that belong to pieces of the password by one mask.
    fn mask(&self, said: &str) -> String {
        let said: Vec<char> = said.chars().take(4 * TEXT_MAX).collect();
        let small: Vec<char> = said.iter().map(|c| lowercase_char(*c)).collect();
        let mut masked = String::new();
        // The end of the run that has begun.
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

/// Returns the pieces of a text that give it away.
fn password_pieces(text: &str) -> Vec<Vec<char>> {
    let small: Vec<char> = text.chars().map(lowercase_char).collect();
    match small.len() {
        0 => Vec::new(),
        1..RUN_LENGTH => vec![small],
        _ => small.windows(RUN_LENGTH).map(<[char]>::to_vec).collect(),
    }
}

/// Returns the first character of a character's lower case, so that texts keep their length.
fn lowercase_char(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

/// Returns what base64 makes of these bytes behind `ahead` other bytes, without the characters that
/// depend on the bytes around them.
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
        let discretion = PasswordMask::new(password);
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
            assert_eq!(discretion.mask_line(&said), shown, "{said}");
        }
        let said = format!("500 {}", blob(&format!("user=gm\u{1}auth=Bearer {password}\u{1}")));
        assert!(discretion.mask_line(&said).contains(MASK), "{said}");
    }

    #[test]
    fn short_overlap_with_password_is_not_masked() {
        let discretion = PasswordMask::new("invalid1");
        for said in ["[AUTHENTICATIONFAILED] Invalid credentials", "a1 LOGIN gm", ""] {
            assert_eq!(discretion.mask_line(said), said);
        }
        assert_eq!(discretion.mask_line("Invalid1"), MASK);
        // A short password is masked only as a whole.
        let discretion = PasswordMask::new("horse7");
        assert_eq!(discretion.mask_line("a horse, of course: horse7"), "a horse, of course: ***");
    }

    #[test]
    fn server_text_becomes_one_short_line() {
        let discretion = PasswordMask::new("");
        assert_eq!(discretion.mask_line("no\r\n\u{1b}[2Jway"), "no   [2Jway");
        assert_eq!(discretion.mask_line(&"x".repeat(9_000_000)).len(), TEXT_MAX + 4);
    }
}
