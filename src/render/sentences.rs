//! The sentences of a file of Fluent, with their lines: what each is called and asks for.
//!
//! Only files that Fluent itself has read come here, so their shape is not judged again.

use std::collections::BTreeSet;

/// A sentence of a file.
pub(super) struct Sentence {
    /// Its key.
    pub key: String,
    /// Its line, from 1.
    pub line: usize,
    /// The arguments that it asks for, each with the line where it does.
    pub arguments: Vec<(String, usize)>,
    /// The other sentences that it says.
    pub says: BTreeSet<String>,
}

/// The sentences of a text; terms, which only sentences of the same folder use, are none.
pub(super) fn sentences(text: &str) -> Vec<Sentence> {
    let mut found: Vec<Sentence> = Vec::new();
    let mut is_inside = false;
    let mut depth = 0;
    for (line, number) in text.lines().zip(1..) {
        let mut rest = line;
        if depth == 0
            && line.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '#'))
        {
            let key = line.split_once('=').map(|(key, value)| (key.trim(), value));
            is_inside = key.is_some() && line.starts_with(|c: char| c.is_ascii_alphabetic());
            if let Some((key, value)) = key.filter(|_| is_inside) {
                let (arguments, says) = (Vec::new(), BTreeSet::new());
                found.push(Sentence { key: key.to_owned(), line: number, arguments, says });
                rest = value;
            }
        }
        if is_inside && let Some(sentence) = found.last_mut() {
            look_through(rest, number, &mut depth, sentence);
        }
    }
    found
}

/// Notes what a line asks for; `depth` is how many braces are open around it.
fn look_through(line: &str, number: usize, depth: &mut usize, sentence: &mut Sentence) {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut rest = line;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = after;
        match c {
            '{' => *depth += 1,
            '}' => *depth = depth.saturating_sub(1),
            // A text within a placeable, which may hold a brace.
            '"' if *depth > 0 => rest = after.split_once('"').map_or("", |(_, rest)| rest),
            '$' if *depth > 0 => {
                let name: String = after.chars().take_while(|c| is_name(*c)).collect();
                rest = after.get(name.len()..).unwrap_or_default();
                sentence.arguments.push((name, number));
            }
            c if *depth > 0 && before == '{' && c.is_ascii_alphabetic() => {
                let name: String = after.chars().take_while(|c| is_name(*c)).collect();
                rest = after.get(name.len()..).unwrap_or_default();
                sentence.says.insert(format!("{c}{name}"));
            }
            _ => {}
        }
        if !c.is_whitespace() {
            before = c;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_known_by_its_key_its_line_and_what_it_asks_for() {
        let text = "# said = no\na = It costs $5, { $who } says { \"{ $x\" }.\n\n-term = { $y }\n\
                    b-c =\n  { $n ->\n    [one] { a }\n   *[other] { $m } of them\n  } end\n";
        let found = sentences(text);
        let keys: Vec<(&str, usize)> = found.iter().map(|s| (s.key.as_str(), s.line)).collect();
        assert_eq!(keys, [("a", 2), ("b-c", 5)]);
        assert_eq!(found[0].arguments, [("who".to_owned(), 2)]);
        assert_eq!(found[1].arguments, [("n".to_owned(), 6), ("m".to_owned(), 8)]);
        assert!(found[1].says.contains("a"));
    }
}
