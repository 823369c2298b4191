//! Deserialization of values that people write as one text, such as `3 days` or `G23`.

use serde::de::{self, Deserializer, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Deserializes a text by parsing it with `read`. An error is reported while the YAML parser is at
/// the value, so that the error names the right line.
pub(crate) fn deserialize_from_str<'de, D, T, E>(
    from: D,
    read: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    E: fmt::Display,
{
    from.deserialize_str(TextVisitor { read, value: PhantomData })
}

struct TextVisitor<F, T> {
    read: F,
    value: PhantomData<T>,
}

impl<F, T, E> Visitor<'_> for TextVisitor<F, T>
where
    F: FnOnce(&str) -> Result<T, E>,
    E: fmt::Display,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<R: de::Error>(self, text: &str) -> Result<T, R> {
        (self.read)(text).map_err(R::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_string_value_reports_expected_string() {
        let read = |json: &str| {
            let from = &mut serde_json::Deserializer::from_str(json);
            let read = deserialize_from_str(from, |text| text.parse::<u8>());
            read.map_err(|error| error.to_string())
        };
        assert_eq!(read("\"7\""), Ok(7));
        let said = read("7").unwrap_err();
        assert!(said.contains("expected a string"), "{said}");
        assert!(read("\"x\"").is_err_and(|said| said.starts_with("invalid digit")));
    }
}
