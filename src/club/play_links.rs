//! Links by which players record a finished game on a web site elsewhere.

use crate::rules::GameRegistry;
use crate::rules::deserialize_from_str;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// The words in braces that a link may contain: the day of the last move in UTC, the number of
/// players, and the number of the game.
const PLACEHOLDERS: [&str; 3] = ["{date}", "{players}", "{game}"];

/// The club's link for each kind of game. A kind without one has no link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlayLinks(BTreeMap<String, PlayLink>);

/// A web address with placeholders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct PlayLink(String);

impl PlayLinks {
    /// Returns the link for a game that ended at `end`. `None` if its kind has no link.
    pub(crate) fn fill_link(
        &self,
        kind: &str,
        (game, players): (u32, u8),
        end: DateTime<Utc>,
    ) -> Option<String> {
        let PlayLink(link) = self.0.get(kind)?;
        let values = [end.date_naive().to_string(), players.to_string(), game.to_string()];
        let fill = |link: String, (word, value): (&str, String)| link.replace(word, &value);
        Some(PLACEHOLDERS.into_iter().zip(values).fold(link.clone(), fill))
    }

    /// Returns a kind that has a link, but does not exist.
    pub(crate) fn find_unknown_kind(&self, games: GameRegistry) -> Option<&str> {
        self.0.keys().map(String::as_str).find(|kind| games.find_kind(kind).is_none())
    }
}

impl PlayLink {
    fn parse(text: &str) -> Result<Self, String> {
        let plain = PLACEHOLDERS.iter().fold(text.to_owned(), |text, word| text.replace(word, "1"));
        let rest = plain.strip_prefix("https://").or_else(|| plain.strip_prefix("http://"));
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._~/:%+,;=?&#".contains(c);
        match rest {
            Some(rest)
                if rest.starts_with(|c: char| c.is_ascii_alphanumeric())
                    && rest.chars().all(is_allowed) =>
            {
                Ok(Self(text.to_owned()))
            }
            _ => Err(format!(
                "{text} is not a link; write it as https://example.org/plays?date={{date}}, with \
                 {} where they belong",
                PLACEHOLDERS.join(", ")
            )),
        }
    }
}

impl<'de> Deserialize<'de> for PlayLink {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        deserialize_from_str(from, Self::parse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_is_filled_for_its_kind_only() {
        let link = "https://example.org/new?on={date}&with={players}&note={game}";
        let link = PlayLink::parse(link).expect("it is a link");
        let links = PlayLinks([("paris-connection".to_owned(), link)].into());
        let end = DateTime::<Utc>::from_timestamp(1_767_600_000, 0).expect("a time");
        let of = |kind| links.fill_link(kind, (12, 4), end);
        assert_eq!(
            of("paris-connection").as_deref(),
            Some("https://example.org/new?on=2026-01-05&with=4&note=12")
        );
        assert_eq!(of("off-the-rails"), None);
    }

    #[test]
    fn links_with_other_schemes_or_words_are_refused() {
        for wrong in [
            "javascript:alert(1)",
            "example.org/new",
            "https://",
            "https:///new",
            "https://example.org/{name}",
            "https://example.org/\"><b>",
            "https://example.org/a b",
            "",
        ] {
            assert!(PlayLink::parse(wrong).is_err(), "{wrong}");
        }
    }
}
