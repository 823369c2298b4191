//! What a later version wrote, told from what is damaged.
//!
//! What this version does not know it would drop in silence when it writes the same thing again, so
//! it does not even read it. Knows nothing of what the store keeps.

use super::StoreError;
use serde::de::DeserializeOwned;

/// Why something that was kept cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unread {
    /// It has a field, or a kind of thing, that this version does not know.
    #[error("{0}")]
    Later(String),
    /// It is no form of it.
    #[error(transparent)]
    Broken(serde_json::Error),
}

/// Reads what was kept as JSON, if this version knows all of it.
pub(super) fn whole<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unread> {
    let mut unknown = None;
    let value = noting(bytes, &mut |path| {
        unknown.get_or_insert_with(|| format!("it has a field `{path}`"));
    })?;
    unknown.map_or(Ok(value), |unknown| Err(Unread::Later(unknown)))
}

/// Reads of it what this version knows.
pub(super) fn known<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unread> {
    noting(bytes, &mut |_| {})
}

/// One type of closure whatever is read, and one way to read: with one for each, all that any two
/// have in common would be compiled twice.
fn noting<T: DeserializeOwned>(
    bytes: &[u8],
    note: &mut dyn FnMut(serde_ignored::Path<'_>),
) -> Result<T, Unread> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_ignored::deserialize(&mut json, note);
    value.and_then(|value| json.end().map(|()| value)).map_err(unread)
}

/// serde names a kind that it does not know in its text only.
fn unread(error: serde_json::Error) -> Unread {
    let text = error.to_string();
    match text.starts_with("unknown variant") || text.starts_with("unknown field") {
        true => Unread::Later(text),
        false => Unread::Broken(error),
    }
}

impl From<Unread> for StoreError {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Later(what) => Self::Newer(format!("something in the store ({what})")),
            Unread::Broken(error) => Self::damaged(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::{ActivityEntry, GameRoom, Member};

    #[test]
    fn what_a_later_version_added_is_told_from_what_is_broken() {
        let member = r#"{"id":1,"name":"Ann","addresses":[],"language":"en""#;
        assert!(whole::<Member>(format!("{member}}}").as_bytes()).is_ok());
        let later = |text: &str| match whole::<Member>(text.as_bytes()) {
            Err(Unread::Later(what)) => what,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(later(&format!(r#"{member},"hat":"red"}}"#)), "it has a field `hat`");
        let inside = format!(r#"{member},"letters":{{"scent":"rose"}}}}"#);
        assert_eq!(later(&inside), "it has a field `letters.scent`");
        for broken in [member.to_owned(), format!("{member}}} x"), "[]".to_owned()] {
            let read = whole::<Member>(broken.as_bytes());
            assert!(matches!(read, Err(Unread::Broken(_))), "{broken}");
        }
        let sung = br#"{"at":"2026-01-01T00:00:00Z","what":{"sung":{"from":1}}}"#;
        assert!(matches!(whole::<ActivityEntry>(sung), Err(Unread::Later(_))));
        let former = br#"{"former":[{"seat":1,"member":2,"thanked":true}]}"#;
        assert!(matches!(whole::<GameRoom>(former), Err(Unread::Later(_))));
    }
}
