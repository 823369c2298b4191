//! Translation of parser errors for people who rarely write YAML.

use crate::rules::Message;
use crate::rules::nearest::nearest_word;

/// A parser error, split into its place and its cause.
#[derive(Default)]
pub(super) struct ParsedError {
    /// The names that lead to the place, joined by dots; empty for the whole document.
    pub path: String,
    /// The cause, in plain words.
    pub what: String,
    /// The line of the quote or bracket that is not closed, if the parser names it.
    pub unclosed_line: Option<usize>,
    /// Whether a name is missing in the section at `path`.
    pub is_missing: bool,
}

/// The beginnings of errors about the shape of a value.
const SHAPE_ERROR_PREFIXES: &[&str] = &[
    "invalid type: ",
    "invalid value: ",
    "invalid length ",
    "unknown field ",
    "unknown variant ",
    "missing field ",
    "duplicate field ",
    "failed to parse timezone: ",
];

/// The message for a line that is indented with a tab. It replaces the error of the parser.
pub(super) const TAB_ERROR: &str = "this line is indented with a tab: use spaces";

/// Parts of the parser's syntax errors, and the messages that explain how to fix them.
const SYNTAX_ERRORS: &[(&str, &str)] = &[
    ("found a tab character", TAB_ERROR),
    ("cannot start any token", "a value cannot begin like this: put it in quotes"),
    ("did not find expected key", "this line is indented wrongly, or a quote or comma is wrong"),
    (
        "mapping values are not allowed",
        "a second colon in one value, or a line that is indented too far: put the value in quotes, \
         or each name on its own line",
    ),
    ("could not find expected ':'", "write a colon and a space between a name and its value"),
    ("unexpected end of stream", "a quote or bracket that opens here is not closed"),
    ("did not find expected ',' or '}'", "the { here is not closed, or a comma is missing"),
    ("did not find expected ',' or ']'", "the [ here is not closed, or a comma is missing"),
    ("did not find expected '-'", "the lines of a list must all begin with \"- \" in one column"),
    ("did not find expected node content", "a value is missing here"),
    ("did not find expected <document start>", "this line does not belong to the lines above it"),
    ("unknown escape character", "within \"...\" a \\ is written twice; '...' takes it as it is"),
    ("did not find expected alphabetic", "a value with & * or ! at its beginning needs quotes"),
    ("unknown anchor", "a value with * at its beginning needs quotes"),
    ("undefined tag", "a value with ! at its beginning needs quotes"),
    ("undefined alias", "a value with * at its beginning needs quotes"),
    ("control characters are not allowed", "a control character is not allowed here"),
    ("EOF while parsing", "it is empty"),
    ("more than one document", "a line --- splits the file in two: remove it"),
];

/// Translates a whole error of the parser.
pub(super) fn explain(text: &str) -> ParsedError {
    if let Some((at, _)) =
        SHAPE_ERROR_PREFIXES.iter().filter_map(|it| Some((text.find(it)?, it))).min()
    {
        let (path, shape) = text.split_at(at);
        let (path, shape) = (path.trim_end_matches(": ").to_owned(), strip_location(shape));
        let is_missing = shape.starts_with("missing");
        return ParsedError {
            path,
            what: explain_shape_error(shape),
            unclosed_line: None,
            is_missing,
        };
    }
    let plain = |what: &str, opened| ParsedError {
        what: what.to_owned(),
        unclosed_line: opened,
        ..ParsedError::default()
    };
    let Some((key, words)) = SYNTAX_ERRORS.iter().find(|(problem, _)| text.contains(problem))
    else {
        return plain(strip_location(text), None);
    };
    let opens = ["':'", "end of stream", "',' or"].iter().any(|it| key.contains(it));
    let context = text.split_once(", while ").map(|(_, context)| context);
    let line = context.and_then(|context| context.split_once(" at line ")?.1.split(' ').next());
    plain(words, line.filter(|_| opens).and_then(|line| line.parse().ok()))
}

/// Removes the place (` at line 3 column 5`) from the end of a parser error.
fn strip_location(said: &str) -> &str {
    let place = said.rfind(" at line ").filter(|at| {
        let rest = said.get(at + 9..).unwrap_or_default();
        rest.starts_with(|c: char| c.is_ascii_digit()) && rest.contains(" column ")
    });
    place.and_then(|at| said.get(..at)).unwrap_or(said)
}

/// Translates an error about the shape of a value.
pub(crate) fn explain_shape_error(said: &str) -> String {
    let (what, expected) = said.rsplit_once(", expected ").unwrap_or((said, ""));
    let name = what.split('`').nth(1).unwrap_or_default();
    if let Some(found) =
        ["invalid type: ", "invalid value: "].iter().find_map(|start| what.strip_prefix(start))
    {
        return format!(
            "found {}; it must be {}",
            describe_found(found),
            describe_expected(expected)
        );
    }
    if let Some(length) = what.strip_prefix("invalid length ") {
        return format!("found a list of {length}; it must be {}", describe_expected(expected));
    }
    if let Some(zone) = what.strip_prefix("failed to parse timezone: ") {
        let zone = zone.trim_matches('\'');
        return format!("there is no time zone \"{zone}\"; write one such as Europe/Berlin");
    }
    match what.split(" `").next().unwrap_or_default() {
        "unknown field" => explain_choices(&format!("there is no \"{name}\" here"), name, expected),
        "unknown variant" => {
            explain_choices(&format!("\"{name}\" is not a choice"), name, expected)
        }
        "missing field" => format!("\"{name}\" is missing"),
        "duplicate field" => format!("\"{name}\" appears a second time"),
        _ => said.to_owned(),
    }
}

/// Translates an error about an option of a new game, as a message for a letter.
pub(crate) fn explain_option_error(said: &str) -> Message {
    let (what, expected) = said.rsplit_once(", expected ").unwrap_or((said, ""));
    let known: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let found = ["invalid type: string ", "invalid value: string ", "invalid type: "];
    let found = found.iter().find_map(|start| what.strip_prefix(start)).unwrap_or(what);
    let quoted = what.split('`').nth(1).filter(|word| !word.is_empty());
    let written = quoted.unwrap_or_else(|| found.trim_matches('"'));
    match known.is_empty() {
        true => Message::new("lobby-option-wrong").with("word", written),
        false if what.starts_with("unknown field") => {
            Message::new("lobby-option-of").with("word", written).with("known", known)
        }
        false => Message::new("lobby-option-choice").with("word", written).with("known", known),
    }
}

fn explain_choices(what: &str, written: &str, expected: &str) -> String {
    let known: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let meant = nearest_word(written, known.iter().copied());
    let meant = meant.map_or_else(String::new, |near| format!(": did you mean \"{near}\"?"));
    match known.as_slice() {
        [] => what.to_owned(),
        // A list of four or more choices does not help if the right one is known.
        [_, _, _, _, ..] if !meant.is_empty() => format!("{what}{meant}"),
        known if meant.is_empty() => format!("{what}; use one of: {}", known.join(", ")),
        known => format!("{what}{meant} (use one of: {})", known.join(", ")),
    }
}

/// Names the value that was found, in the terms of the person who wrote the file.
fn describe_found(found: &str) -> String {
    let value = found.split('`').nth(1);
    match (found.split(' ').next().unwrap_or_default(), value) {
        ("string", _) => found.trim_start_matches("string ").to_owned(),
        ("integer" | "floating", Some(number)) => format!("the number {number}"),
        ("boolean" | "character", Some(value)) => value.to_owned(),
        ("sequence", _) => "a list".to_owned(),
        ("map", _) => "a section".to_owned(),
        ("unit" | "null" | "Option", _) => "nothing".to_owned(),
        _ => "something else".to_owned(),
    }
}

/// Names the expected value, in the terms of the person who wrote the file.
fn describe_expected(expected: &str) -> String {
    let words = match expected {
        "u8" | "i8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a nonzero u8" => "a whole number from 1 to 255",
        "a string" | "str" | "string" => "text",
        "a boolean" => "true or false",
        "a character" => "one character",
        "a sequence" => "a list, such as [a, b]",
        "an IANA timezone string" => "a zone such as Europe/Berlin",
        "a YAML tag starting with '!'" => "one word",
        _ if expected == "a map" || expected.starts_with("struct ") => {
            "a section, with \"name: value\" on lines of its own, indented, or as {name: value}"
        }
        _ if expected.starts_with("enum ") || expected.starts_with("variant") => "one word",
        _ => {
            let mut lists = ["an array of length ", "a tuple of size "].iter();
            let length = lists.find_map(|list| expected.strip_prefix(list));
            return length.map_or_else(|| expected.to_owned(), |it| format!("a list of {it}"));
        }
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_errors_are_explained_in_plain_words() {
        for (said, words) in [
            ("string \"x\", expected u8", "found \"x\"; it must be a whole number from 0 to 255"),
            ("integer `7`, expected a string", "found the number 7; it must be text"),
            (
                "floating point `7.5`, expected i64",
                "found the number 7.5; it must be a whole number",
            ),
            ("boolean `true`, expected f64", "found true; it must be a number"),
            ("character `x`, expected a boolean", "found x; it must be true or false"),
            ("map, expected a character", "found a section; it must be one character"),
            ("sequence, expected u16", "found a list; it must be a whole number from 0 to 65535"),
            ("unit value, expected usize", "found nothing; it must be a whole number, 0 or more"),
            ("null, expected a sequence", "found nothing; it must be a list, such as [a, b]"),
            (
                "Option value, expected a nonzero u8",
                "found nothing; it must be a whole number from 1 to 255",
            ),
            (
                "bytes, expected an IANA timezone string",
                "found something else; it must be a zone such as Europe/Berlin",
            ),
            ("sequence, expected enum Colour", "found a list; it must be one word"),
            ("sequence, expected variant identifier", "found a list; it must be one word"),
            ("sequence, expected a tuple of size 2", "found a list; it must be a list of 2"),
            ("map, expected an array of length 10", "found a section; it must be a list of 10"),
            ("map, expected a day of the week", "found a section; it must be a day of the week"),
        ] {
            assert_eq!(explain_shape_error(&format!("invalid type: {said}")), words, "{said}");
        }
        for expected in ["a map", "struct Settings"] {
            let said =
                explain_shape_error(&format!("invalid type: string \"x\", expected {expected}"));
            assert!(said.starts_with("found \"x\"; it must be a section, with"), "{said}");
        }
        let said = explain_shape_error("invalid length 3, expected an array of length 10");
        assert_eq!(said, "found a list of 3; it must be a list of 10");
    }

    #[test]
    fn choices_are_listed_if_few_or_unmatched() {
        for (written, known, words) in [
            (
                "hots",
                "`host`",
                "there is no \"hots\" here: did you mean \"host\"? (use one of: host)",
            ),
            (
                "hots",
                "one of `host`, `port`, `user`",
                "there is no \"hots\" here: did you mean \"host\"? (use one of: host, port, user)",
            ),
            (
                "hots",
                "one of `host`, `port`, `user`, `mode`",
                "there is no \"hots\" here: did you mean \"host\"?",
            ),
            (
                "zebra",
                "one of `host`, `port`, `user`, `mode`",
                "there is no \"zebra\" here; use one of: host, port, user, mode",
            ),
            ("zebra", "nothing", "there is no \"zebra\" here"),
        ] {
            let said = format!("unknown field `{written}`, expected {known}");
            assert_eq!(explain_shape_error(&said), words, "{said}");
        }
    }

    #[test]
    fn only_the_parsers_location_is_stripped() {
        let said = explain("name: invalid type: string \"look at line 3\", expected u8");
        assert_eq!(said.path, "name");
        let whole = "found \"look at line 3\"; it must be a whole number from 0 to 255";
        assert_eq!(said.what, whole);
        let said = explain("a.b: missing field `host` at line 3 column 5");
        let missing = (said.path.as_str(), said.what.as_str(), said.is_missing);
        assert_eq!(missing, ("a.b", "\"host\" is missing", true));
    }
}
