//! Parsing of stored JSON that tells data of a later version from damaged data.
//!
//! This version would silently drop a field that it does not know when it writes the value again.
//! So it refuses to read the value at all.

use super::StoreError;
use serde::de::DeserializeOwned;

/// Why stored JSON cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum DecodeError {
    /// The JSON has a field or a variant that this version does not know.
    #[error("{0}")]
    Newer(String),
    /// The text is not JSON, or not of the expected type.
    #[error(transparent)]
    Broken(serde_json::Error),
}

/// Parses stored JSON. Fails with [`DecodeError::Newer`] if it has an unknown field or variant.
pub(super) fn parse_strict<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    let mut unknown = None;
    let value = parse_and_note_unknown(bytes, &mut |path| {
        unknown.get_or_insert_with(|| format!("it has a field `{path}`"));
    })?;
    unknown.map_or(Ok(value), |unknown| Err(DecodeError::Newer(unknown)))
}

/// Parses stored JSON and ignores unknown fields.
pub(super) fn parse_known_fields<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    parse_and_note_unknown(bytes, &mut |_| {})
}

/// Parses JSON and calls `note` with the path of each unknown field. `note` is a trait object,
/// because a generic closure would compile the parser twice for each type.
fn parse_and_note_unknown<T: DeserializeOwned>(
    bytes: &[u8],
    note: &mut dyn FnMut(serde_ignored::Path<'_>),
) -> Result<T, DecodeError> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_ignored::deserialize(&mut json, note);
    value.and_then(|value| json.end().map(|()| value)).map_err(to_decode_error)
}

/// Tells an unknown variant or field from other errors by the text of the error, because serde has
/// no other sign of it.
fn to_decode_error(error: serde_json::Error) -> DecodeError {
    let text = error.to_string();
    match text.starts_with("unknown variant") || text.starts_with("unknown field") {
        true => DecodeError::Newer(text),
        false => DecodeError::Broken(error),
    }
}

impl From<DecodeError> for StoreError {
    fn from(unread: DecodeError) -> Self {
        match unread {
            DecodeError::Newer(what) => Self::Newer(format!("something in the store ({what})")),
            DecodeError::Broken(error) => Self::damaged(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::{ActivityEntry, GameInfo, Member};

    #[test]
    fn unknown_field_or_variant_means_newer_version() {
        let member = r#"{"id":1,"name":"Ann","addresses":[],"language":"en""#;
        assert!(parse_strict::<Member>(format!("{member}}}").as_bytes()).is_ok());
        let later = |text: &str| match parse_strict::<Member>(text.as_bytes()) {
            Err(DecodeError::Newer(what)) => what,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(later(&format!(r#"{member},"hat":"red"}}"#)), "it has a field `hat`");
        let inside = format!(r#"{member},"letters":{{"scent":"rose"}}}}"#);
        assert_eq!(later(&inside), "it has a field `letters.scent`");
        for broken in [member.to_owned(), format!("{member}}} x"), "[]".to_owned()] {
            let read = parse_strict::<Member>(broken.as_bytes());
            assert!(matches!(read, Err(DecodeError::Broken(_))), "{broken}");
        }
        let sung = br#"{"at":"2026-01-01T00:00:00Z","what":{"sung":{"from":1}}}"#;
        assert!(matches!(parse_strict::<ActivityEntry>(sung), Err(DecodeError::Newer(_))));
        let former = br#"{"former":[{"seat":1,"member":2,"thanked":true}]}"#;
        assert!(matches!(parse_strict::<GameInfo>(former), Err(DecodeError::Newer(_))));
    }
}
