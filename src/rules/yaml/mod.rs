//! Parsing of YAML, with error messages for people. This is the only folder that uses `serde_yaml`.

mod yaml_errors;

pub(crate) use yaml_errors::{explain_option_error, explain_shape_error};

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};
use std::collections::BTreeSet;
use std::fmt;

/// The maximum size of a file, in bytes. A larger file is a mistake or an attack.
pub(crate) const BYTES_MAX: usize = 1 << 20;
/// The maximum number of opening brackets and braces in a file, including those in texts and
/// comments. The parser needs time that grows with the square of the nesting depth. Only a parser
/// could tell which brackets are nested, so all of them count. The largest shipped board has 123.
const BRACKETS_MAX: usize = 4_000;

/// An error in a YAML text, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{what}", LinePrefix(*line))]
pub struct YamlError {
    /// The line of the error, from 1; 0 if it concerns the whole file.
    pub line: usize,
    /// The description of the error, after the path of the section.
    pub(crate) what: String,
}

/// Displays a line number before an error, or nothing if it is 0 (the whole file).
pub(crate) struct LinePrefix(pub usize);

impl fmt::Display for LinePrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            line => write!(f, "line {line}: "),
        }
    }
}

/// Parses a YAML text.
///
/// # Errors
/// The line, and what was expected there. Also if the text is larger than 1 MiB, has more than
/// 4,000 opening brackets, or repeats a name within a section.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    if text.len() > BYTES_MAX {
        return Err(YamlError { line: 0, what: "the file is larger than 1 MiB".to_owned() });
    }
    if let Some((at, _)) = text.match_indices(['[', '{']).nth(BRACKETS_MAX) {
        let line = text.get(..at).map_or(0, |before| before.matches('\n').count() + 1);
        let what = format!("the file holds more than {BRACKETS_MAX} opening brackets");
        return Err(YamlError { line, what });
    }
    let single = PathWalk { path: None }.deserialize(serde_yaml::Deserializer::from_str(text));
    single.and_then(|()| serde_yaml::from_str(text)).map_err(|error| explain_error(text, &error))
}

/// Converts an error of the parser into plain words, with its line.
fn explain_error(text: &str, error: &serde_yaml::Error) -> YamlError {
    let said = yaml_errors::explain(&error.to_string());
    let line = error.location().map_or(0, |location| location.line());
    let line = match said.unclosed_line {
        Some(opened) => opened,
        // The missing name concerns the section as a whole, so the line is that of the section's
        // name.
        None if said.is_missing => line_number_of_path(text, &said.path),
        None => line,
    };
    let row = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    if error.location().is_some() && row.trim_start_matches(' ').starts_with('\t') {
        return YamlError { line, what: yaml_errors::TAB_ERROR.to_owned() };
    }
    let path = if said.path.is_empty() { String::new() } else { format!("{}: ", said.path) };
    YamlError { line, what: format!("{path}{}", said.what) }
}

/// Returns the line, from 1, of the value at a path such as `mail_in.imap.host` or
/// `rounds[1].tables`. If it is missing, returns the line of the nearest section around it, or 0 if
/// there is none.
pub(crate) fn line_number_of_path(text: &str, path: &str) -> usize {
    let path = path.replace('[', ".").replace(']', "");
    let mut steps: Vec<&str> = path.split('.').filter(|step| !step.is_empty()).collect();
    while !steps.is_empty() {
        if let Some(line) = find_line_of_path(text, &steps) {
            return line;
        }
        steps.pop();
    }
    0
}

/// Returns the line, from 1, at which these steps (names, and list indices from 0) end.
fn find_line_of_path(text: &str, steps: &[&str]) -> Option<usize> {
    let found =
        PathWalk { path: Some(steps) }.deserialize(serde_yaml::Deserializer::from_str(text));
    Some(found.err()?.location()?.line())
}

/// Returns the number, from 1, of the line that `needle` names. If `nth` is 0, `needle` may be a
/// path such as `solo.tokens`. Otherwise the result is the `nth` line (from 0) that contains
/// `needle` as a whole word and is not a comment. If there is none, the result is the nearest
/// section of the path, or 0.
pub(crate) fn line_number_of_text(text: &str, needle: &str, nth: usize) -> usize {
    let steps: Vec<&str> = needle.split('.').collect();
    if let Some(line) = find_line_of_path(text, &steps).filter(|_| nth == 0) {
        return line;
    }
    let line = find_line_with_word(text, needle, nth);
    if line == 0 && steps.len() > 1 { line_number_of_path(text, needle) } else { line }
}

fn find_line_with_word(text: &str, needle: &str, nth: usize) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let holds = |line: &str| {
        line.match_indices(needle).any(|(at, found)| {
            let before = line.get(..at).and_then(|s| s.chars().next_back());
            let after = line.get(at + found.len()..).and_then(|s| s.chars().next());
            !before.is_some_and(is_word) && !after.is_some_and(is_word)
        })
    };
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim_start().starts_with('#') && holds(line))
        .nth(nth)
        .map_or(0, |(index, _)| index + 1)
}

/// A walk through a YAML document that keeps no values. With a path, it fails on purpose at the end
/// of the path, so that the parser's error contains the line. Without a path, it visits everything
/// and fails at the first duplicate name in a section, because one of the two values would be lost.
#[derive(Clone, Copy)]
struct PathWalk<'a> {
    /// The rest of the path: names, and list indices from 0.
    path: Option<&'a [&'a str]>,
}

impl<'a> PathWalk<'a> {
    /// Returns the walk below this name or index. `None` if the path leads elsewhere.
    fn descend(self, step: &str) -> Option<Self> {
        match self.path {
            None => Some(self),
            Some([first, rest @ ..]) if *first == step => Some(Self { path: Some(rest) }),
            Some(_) => None,
        }
    }

    /// Fails if the path ends here.
    fn fail_at_target<E: Error>(self) -> Result<(), E> {
        if self.path.is_some_and(<[&str]>::is_empty) { Err(E::custom("here")) } else { Ok(()) }
    }
}

impl<'de> DeserializeSeed<'de> for PathWalk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for PathWalk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.fail_at_target()?;
        let mut seen = BTreeSet::new();
        let mut judge = |key: &str| match self.path {
            Some([last]) => (key == *last).then(|| "here".to_owned()),
            Some(_) => None,
            None => (!seen.insert(key.to_owned())).then(|| format!("duplicate field `{key}`")),
        };
        while let Some(key) = map.next_key_seed(CheckedKey(&mut judge))? {
            match self.descend(&key) {
                Some(walk) => map.next_value_seed(walk)?,
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.fail_at_target()?;
        for nth in 0_usize.. {
            let next = match self.descend(&nth.to_string()) {
                Some(walk) => list.next_element_seed(walk)?,
                None => list.next_element::<IgnoredAny>()?.map(|_| ()),
            };
            if next.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<(), A::Error> {
        tagged.variant::<IgnoredAny>()?.1.newtype_variant_seed(self)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.fail_at_target()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.fail_at_target()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.fail_at_target()
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<(), E> {
        self.fail_at_target()
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<(), E> {
        self.fail_at_target()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.fail_at_target()
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.fail_at_target()
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.fail_at_target()
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.fail_at_target()
    }
}

/// Deserializes a name of a section as it is written. Fails at the name if the function returns an
/// error for it.
struct CheckedKey<'a>(&'a mut dyn FnMut(&str) -> Option<String>);

impl<'de> DeserializeSeed<'de> for CheckedKey<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<String, D::Error> {
        // A numeric name must be compared as it is written, so it is read as text.
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for CheckedKey<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<String, E> {
        (self.0)(key).map_or_else(|| Ok(key.to_owned()), |why| Err(E::custom(why)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_error_names_its_line() {
        let error = parse::<std::collections::BTreeMap<String, u32>>("a: 1\nb: x\n").unwrap_err();
        assert_eq!(error.line, 2);
        assert!(error.what.contains("a whole number"), "{error}");
    }

    #[test]
    fn deeply_nested_yaml_is_rejected_quickly() {
        let nested = ["[", "{", "{a: ", "[a, ", "&a [", "- ", "? ", "- [\n", "[ # ]\n", "'[', "];
        for opening in nested {
            let times = [3_900, BYTES_MAX / opening.len()];
            for text in times.map(|times| opening.repeat(times)) {
                let start = std::time::Instant::now();
                assert!(parse::<Vec<String>>(&text).is_err(), "{opening}");
                // Without the maximum it takes more than a minute; with it, a second or two.
                assert!(start.elapsed().as_secs() < 30, "{opening} {}", text.len());
            }
        }
        let said = parse::<Vec<String>>(&"a\n[".repeat(5_000)).unwrap_err().to_string();
        assert_eq!(said, "line 4002: the file holds more than 4000 opening brackets");
    }

    #[test]
    fn path_or_nearest_section_is_located() {
        let text = "# a:\na: {b: 1, c: [x,\n  y]}\nd:\n  - e: 1\n  - e: 2\n    f:\n      g: 3\n";
        for (path, line) in [
            ("a", 2),
            ("a.c[1]", 3),
            ("d[1]", 6),
            ("d[1].f", 7),
            ("d[1].f.g", 8),
            ("d[1].f.h", 7),
            ("d[7].f", 4),
            ("nothing", 0),
            ("", 0),
        ] {
            assert_eq!(line_number_of_path(text, path), line, "{path}");
        }
    }

    #[test]
    fn duplicate_key_is_found_in_nested_section() {
        let read =
            parse::<std::collections::BTreeMap<String, Vec<std::collections::BTreeMap<u8, u8>>>>;
        let error = read("a:\n  - {3: 1}\n  - 3: 1\n    4: 2\n    3: 2\n").unwrap_err();
        assert_eq!(error.to_string(), "line 5: a[1]: \"3\" appears a second time");
    }

    #[test]
    fn text_is_located_as_whole_word() {
        let text = "# Ly\na: {code: Lyon}\nb: {code: Ly}\nc: {code: Ly}\n";
        assert_eq!(line_number_of_text(text, "Ly", 0), 3);
        assert_eq!(line_number_of_text(text, "Ly", 1), 4);
        assert_eq!(line_number_of_text(text, "Ly", 2), 0);
    }

    type Texts = std::collections::BTreeMap<String, serde::de::IgnoredAny>;

    #[test]
    fn file_over_one_mebibyte_is_rejected() {
        let long = |bytes: usize| format!("a: 1\n#{}", "x".repeat(bytes - 6));
        assert!(parse::<Texts>(&long(BYTES_MAX)).is_ok());
        let said = parse::<Texts>(&long(BYTES_MAX + 1)).unwrap_err();
        assert_eq!(said.to_string(), "the file is larger than 1 MiB");
    }

    #[test]
    fn list_value_of_any_type_is_located() {
        let text = "a:\n  - true\n  - -1\n  - 1\n  - 1.5\n  -\n  - x\n  - !tag {b: 1}\n  - z\n";
        for (nth, line) in (0..8).zip(2..) {
            assert_eq!(line_number_of_path(text, &format!("a[{nth}]")), line, "{nth}");
        }
        assert_eq!(line_number_of_path("a: !tag\n  c: 1\n  b: 1\n", "a.b"), 3);
        assert_eq!(line_number_of_path("a: true\n", "a.b"), 1);
    }

    #[test]
    fn duplicate_after_tag_and_list_key_are_errors() {
        let said = |text: &str| parse::<Texts>(text).map_err(|error| error.to_string());
        let twice = "line 3: a: \"b\" appears a second time";
        assert_eq!(said("a: !tag\n  b: 1\n  b: 2\n").unwrap_err(), twice);
        let no_name = said("[a, b]: 1\n").unwrap_err();
        assert!(no_name.ends_with("found a list; it must be a name"), "{no_name}");
    }

    #[test]
    fn number_of_any_length_is_accepted() {
        let phone = "99999999999999999999999";
        for number in [phone, "-99999999999999999999999"] {
            let text = format!("b: 1\na: {number}\n");
            assert!(parse::<Texts>(&text).is_ok(), "{number}");
            assert_eq!(line_number_of_path(&text, "a.c"), 2);
        }
        let text = format!("a: {phone}\n");
        let kept = parse::<std::collections::BTreeMap<String, String>>(&text);
        assert_eq!(kept, Ok([("a".to_owned(), phone.to_owned())].into()));
        let said = parse::<std::collections::BTreeMap<String, u32>>(&text).unwrap_err().to_string();
        assert!(said.ends_with("it must be a whole number, 0 or more"), "{said}");
    }

    #[test]
    fn key_is_located_before_matching_value() {
        let text = "x: Ly\nLy: 1\ny: Ly\nz: v1.2\n";
        for (needle, nth, line) in [
            ("Ly", 0, 2),
            ("Ly", 1, 2),
            ("Ly", 2, 3),
            ("Ly", 3, 0),
            ("v1.2", 0, 4),
            ("x.Ly", 0, 1),
            ("nothing", 0, 0),
        ] {
            assert_eq!(line_number_of_text(text, needle, nth), line, "{needle} {nth}");
        }
    }
}
