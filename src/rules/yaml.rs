//! YAML in, values out: the only file that names `serde_yaml`.

use serde::de::DeserializeOwned;

/// The largest file that is read, in bytes; a bigger one is a mistake or an attack.
pub(crate) const BYTES_MAX: usize = 1 << 20;
/// The most opening brackets and braces that a file may hold, wherever they stand. The time that
/// the parser takes grows with the square of how deep they are in each other, and which of them
/// stand in a text or a comment only a parser knows. The largest board of ours has 123.
const BRACKETS_MAX: usize = 4_000;

/// What is wrong with a YAML text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct YamlError {
    /// Where, from 1; 0 when it is the whole file.
    pub line: usize,
    /// What the parser says.
    pub(crate) what: String,
}

/// Reads a YAML text as a value.
///
/// # Errors
/// The line and what was expected there.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    if text.len() > BYTES_MAX {
        return Err(YamlError { line: 0, what: "the file is larger than 1 MiB".to_owned() });
    }
    if let Some((at, _)) = text.match_indices(['[', '{']).nth(BRACKETS_MAX) {
        let line = text.get(..at).map_or(0, |before| before.matches('\n').count() + 1);
        let what = format!("the file holds more than {BRACKETS_MAX} opening brackets");
        return Err(YamlError { line, what });
    }
    serde_yaml::from_str(text).map_err(|error| {
        let line = error.location().map_or(0, |location| location.line());
        let what = error.to_string();
        // The parser repeats the place at the end; it is said in front here.
        let what = what.split(" at line ").next().unwrap_or(&what).to_owned();
        YamlError { line, what }
    })
}

/// The number, from 1, of the `nth` line (from 0) that holds `needle` as a word of its own and is
/// no comment; 0 when there is none.
pub(crate) fn line_of(text: &str, needle: &str, nth: usize) -> usize {
    let is_word = |c: char| c.is_alphanumeric();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_error_names_its_line() {
        let error = read::<std::collections::BTreeMap<String, u32>>("a: 1\nb: x\n").unwrap_err();
        assert_eq!(error.line, 2);
        assert!(error.what.contains("expected u32"), "{error}");
    }

    #[test]
    fn what_is_nested_deeply_is_refused_before_it_takes_a_minute() {
        let nested = ["[", "{", "{a: ", "[a, ", "&a [", "- ", "? ", "- [\n", "[ # ]\n", "'[', "];
        for opening in nested {
            let times = [3_900, BYTES_MAX / opening.len()];
            for text in times.map(|times| opening.repeat(times)) {
                let start = std::time::Instant::now();
                assert!(read::<Vec<String>>(&text).is_err(), "{opening}");
                // It takes a minute and more without the bound, and here a second or two.
                assert!(start.elapsed().as_secs() < 30, "{opening} {}", text.len());
            }
        }
        let said = read::<Vec<String>>(&"a\n[".repeat(5_000)).unwrap_err().to_string();
        assert_eq!(said, "line 4002: the file holds more than 4000 opening brackets");
    }

    #[test]
    fn a_needle_is_found_as_a_word_only() {
        let text = "# Ly\na: {code: Lyon}\nb: {code: Ly}\nc: {code: Ly}\n";
        assert_eq!(line_of(text, "Ly", 0), 3);
        assert_eq!(line_of(text, "Ly", 1), 4);
        assert_eq!(line_of(text, "Ly", 2), 0);
    }
}
