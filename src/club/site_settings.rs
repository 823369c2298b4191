//! The settings of the club's web site, which `postrider site` writes.

use crate::rules::deserialize_from_str;
use serde::{Deserialize, Deserializer, Serialize};

/// The content of the club's web site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteSettings {
    /// Whether the site shows the boards and rules of games with their own definition. Such a
    /// definition may be a published board. Default: no.
    #[serde(default)]
    pub(crate) own_boards: bool,
    /// The address under which the site is published. Without it, the site has no feeds, because
    /// these need complete addresses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<SiteUrl>,
}

/// The address of a web site's folder. It begins with `http://` or `https://`, ends with a slash,
/// and contains no character that HTML or XML would have to escape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SiteUrl(String);

impl SiteUrl {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    fn parse(text: &str) -> Result<Self, String> {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let is_sound = |rest: &str| {
            let host = rest.split(['/', ':']).next().unwrap_or_default();
            let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._~/:%+,;=".contains(c);
            !host.is_empty() && rest.chars().all(is_allowed)
        };
        match rest.filter(|rest| is_sound(rest)) {
            Some(_) => Ok(Self(format!("{}/", text.trim_end_matches('/')))),
            None => Err(format!(
                "{text} is not the address of a web site; write it as \
                 https://games.example.org/club/"
            )),
        }
    }
}

impl<'de> Deserialize<'de> for SiteUrl {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        deserialize_from_str(from, Self::parse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn site_url_must_be_absolute_and_plain() {
        let of = |text| SiteUrl::parse(text).map(|url| url.0).ok();
        let club = Some("https://example.org/club/".to_owned());
        assert_eq!(
            [of("https://example.org/club"), of("https://example.org/club/")],
            [club.clone(), club]
        );
        assert_eq!(of("http://localhost:8000").as_deref(), Some("http://localhost:8000/"));
        for wrong in [
            "example.org/club",
            "/srv/www",
            "ftp://example.org",
            "https://",
            "https:///club",
            "https://me@example.org/",
            "https://example.org/?a=b",
            "https://example.org/#top",
            "https://example.org/\"><script>",
            "https://example.org/a b",
            "javascript:alert(1)",
            "",
        ] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
