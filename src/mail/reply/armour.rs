//! Signatures that stand around a text, as OpenPGP writes them (RFC 9580, section 7): the lines of
//! the armour, and the dashes that it puts before dashes. Nothing is checked; knows no quotations.

/// Where in an armoured text a reader is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Armour {
    #[default]
    Outside,
    /// In the headers of a signed text.
    Head,
    /// In a signed text.
    Signed,
    /// In a signature or a key.
    Block,
}

impl Armour {
    /// What somebody wrote of the next line, without what was put before its dashes; nothing of a
    /// line of the armour.
    pub(super) fn take<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let bare = text.trim();
        let frame = bare.strip_suffix("-----").unwrap_or_default();
        if let Some(what) = frame.strip_prefix("-----BEGIN PGP ") {
            *self = if what == "SIGNED MESSAGE" { Self::Head } else { Self::Block };
            return None;
        }
        if *self != Self::Outside && frame.starts_with("-----END PGP ") {
            *self = Self::Outside;
            return None;
        }
        let is_header = || bare.split_once(": ").is_some_and(|(name, _)| !name.contains(' '));
        match self {
            // A block that is never closed ends where no line of one can stand.
            Self::Block if bare.contains(' ') && !is_header() => *self = Self::Outside,
            Self::Block => return None,
            Self::Head if bare.is_empty() => {
                *self = Self::Signed;
                return None;
            }
            Self::Head if is_header() => return None,
            Self::Head => *self = Self::Signed,
            Self::Outside | Self::Signed => {}
        }
        let escaped = text.strip_prefix("- ").filter(|_| *self == Self::Signed);
        Some(escaped.filter(|rest| rest.starts_with(['-', 'F'])).unwrap_or(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(text: &str) -> Vec<&str> {
        let mut armour = Armour::default();
        text.lines().filter_map(|line| armour.take(line)).collect()
    }

    #[test]
    fn what_was_signed_comes_out_as_it_was_written() {
        let signed = "a\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- -- b\n- From c\n\
                      - d\n-----BEGIN PGP SIGNATURE-----\n\nxyz=\n\
                      -----END PGP SIGNATURE-----\n- -e";
        assert_eq!(inside(signed), ["a", "-- b", "From c", "- d", "- -e"]);
    }

    #[test]
    fn a_broken_armour_hides_nothing_that_somebody_wrote() {
        assert_eq!(inside("-----BEGIN PGP SIGNED MESSAGE-----\nbuy 3\nb: c"), ["buy 3", "b: c"]);
        let open = "-----BEGIN PGP SIGNATURE-----\nVersion: x y\nabc=\nbuy 3\nsell";
        assert_eq!(inside(open), ["buy 3", "sell"]);
    }
}
