//! What a mail server said, fit to be printed: without the password that it was told.
//!
//! Some servers repeat the command that they refuse, and cron mails what is printed. The text also
//! comes from outside, so it is one short line without control characters.

use data_encoding::BASE64;

/// So many characters of a secret in a row are no chance.
const TELLING: usize = 5;
/// The longest text that is shown.
const SHOWN_MAX: usize = 300;
/// What stands in the place of a text that gives something away.
const WITHHELD: &str = "(it repeats a part of the password, so what it said is not shown)";

/// Knows a password, and keeps it out of what is printed.
#[derive(Clone, Default)]
pub(crate) struct Discretion {
    /// Pieces of the password as it was typed or sent, in small letters.
    telling: Vec<String>,
}

impl Discretion {
    /// Keeps this password, in plain, quoted, or anywhere in base64.
    pub(crate) fn about(password: &str) -> Self {
        let quoted = password.replace('\\', "\\\\").replace('"', "\\\"");
        let mut forms = vec![password.to_owned(), quoted];
        forms.extend((0..3).map(|ahead| in_base64(password.as_bytes(), ahead)));
        let mut telling: Vec<String> = forms.iter().flat_map(|form| pieces(form)).collect();
        telling.sort();
        telling.dedup();
        Self { telling }
    }

    /// What was said, as far as it may be shown.
    pub(crate) fn shown(&self, said: &str) -> String {
        let small = said.to_lowercase();
        if self.telling.iter().any(|piece| small.contains(piece)) {
            return WITHHELD.to_owned();
        }
        let mut line: String = said
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(SHOWN_MAX + 1)
            .collect();
        if line.chars().count() > SHOWN_MAX {
            line.pop();
            line.push_str(" ...");
        }
        line.trim().to_owned()
    }
}

/// All pieces of a text that give it away; the text itself when it is shorter.
fn pieces(text: &str) -> Vec<String> {
    let small: Vec<char> = text.to_lowercase().chars().collect();
    if small.len() < TELLING {
        return if small.is_empty() { Vec::new() } else { vec![small.iter().collect()] };
    }
    small.windows(TELLING).map(|window| window.iter().collect()).collect()
}

/// What base64 makes of these bytes behind so many others, without the characters that hang on
/// what stands around them.
fn in_base64(bytes: &[u8], ahead: usize) -> String {
    let padded: Vec<u8> = std::iter::repeat_n(0, ahead).chain(bytes.iter().copied()).collect();
    let bits = padded.len() * 8;
    let own = (ahead * 8).div_ceil(6)..bits / 6;
    BASE64.encode(&padded).chars().take(own.end).skip(own.start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_repeated_in_any_form_in_which_it_was_sent() {
        let password = "hunter2 \"x\\";
        let discretion = Discretion::about(password);
        let blob = |text: &str| BASE64.encode(text.as_bytes());
        let plain = blob(&format!("\0gm\0{password}"));
        for said in [
            format!("BAD unknown: a1 LOGIN gm {password}"),
            "BAD unknown: a1 LOGIN \"gm\" \"hunter2 \\\"x\\\\\"".to_owned(),
            "a1 login gm HUNTER2".to_owned(),
            format!("535 5.7.8 cannot understand {plain}"),
            format!("535 5.7.8 cannot understand {}...", &plain[..14]),
            format!("500 what is {}?", blob(password)),
            format!("500 {}", blob(&format!("user=gm\u{1}auth=Bearer {password}\u{1}\u{1}"))),
        ] {
            assert_eq!(discretion.shown(&said), WITHHELD, "{said}");
        }
        for said in ["[AUTHENTICATIONFAILED] Invalid credentials", "a1 LOGIN gm", ""] {
            assert_eq!(discretion.shown(said), said);
        }
    }

    #[test]
    fn what_a_server_says_is_one_short_line() {
        let discretion = Discretion::about("");
        assert_eq!(discretion.shown("no\r\n\u{1b}[2Jway"), "no   [2Jway");
        assert_eq!(discretion.shown(&"x".repeat(9_000_000)).len(), SHOWN_MAX + 4);
        assert_eq!(Discretion::about("abc").shown("so abc it is"), WITHHELD);
    }
}
