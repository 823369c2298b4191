//! Removes the armour of OpenPGP signatures from text (RFC 9580, section 7): its own lines, and the
//! dashes that it puts before dashes. Does not verify signatures.

/// The position of the current line relative to the armour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ArmourState {
    #[default]
    Outside,
    /// The line is in the headers above a signed text.
    SignedHeaders,
    /// The line is in a signed text.
    SignedText,
    /// The line is in a signature or a key.
    SignatureBlock,
}

impl ArmourState {
    /// Processes the next line of a body. Returns the line as the person wrote it, without dashes
    /// that the signature program added. Returns `None` for a line of the armour itself.
    pub(super) fn strip_signature_armour<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let bare = text.trim();
        let frame = bare.strip_suffix("-----").unwrap_or_default();
        if let Some(what) = frame.strip_prefix("-----BEGIN PGP ") {
            *self =
                if what == "SIGNED MESSAGE" { Self::SignedHeaders } else { Self::SignatureBlock };
            return None;
        }
        if *self != Self::Outside && frame.starts_with("-----END PGP ") {
            *self = Self::Outside;
            return None;
        }
        let is_header = || bare.split_once(": ").is_some_and(|(name, _)| !name.contains(' '));
        match self {
            // An unclosed block ends at the first line that cannot be part of one, so that no
            // written line is lost.
            Self::SignatureBlock if bare.contains(' ') && !is_header() => *self = Self::Outside,
            Self::SignatureBlock => return None,
            Self::SignedHeaders if bare.is_empty() => {
                *self = Self::SignedText;
                return None;
            }
            Self::SignedHeaders if is_header() => return None,
            Self::SignedHeaders => *self = Self::SignedText,
            Self::Outside | Self::SignedText => {}
        }
        let escaped = text.strip_prefix("- ").filter(|_| *self == Self::SignedText);
        Some(escaped.filter(|rest| rest.starts_with(['-', 'F'])).unwrap_or(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip_all(text: &str) -> Vec<&str> {
        let mut armour = ArmourState::default();
        text.lines().filter_map(|line| armour.strip_signature_armour(line)).collect()
    }

    #[test]
    fn signed_text_is_restored() {
        let signed = "a\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- -- b\n- From c\n\
                      - d\n-----BEGIN PGP SIGNATURE-----\n\nxyz=\n\
                      -----END PGP SIGNATURE-----\n- -e";
        assert_eq!(strip_all(signed), ["a", "-- b", "From c", "- d", "- -e"]);
    }

    #[test]
    fn broken_armour_hides_no_written_line() {
        assert_eq!(strip_all("-----BEGIN PGP SIGNED MESSAGE-----\nbuy 3\nb: c"), ["buy 3", "b: c"]);
        let open = "-----BEGIN PGP SIGNATURE-----\nVersion: x y\nabc=\nbuy 3\nsell";
        assert_eq!(strip_all(open), ["buy 3", "sell"]);
    }
}
