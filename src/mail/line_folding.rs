//! Folds lines to plain characters, so that comparisons ignore how phones, word processors and
//! foreign keyboards write spaces, dashes, quotation marks and digits.

/// Returns the folded line. Each run of white space becomes one space. Quotation marks, dashes and
/// full-width characters become ASCII. Control and invisible characters are removed. Folding twice
/// changes nothing more.
pub fn fold_line(line: &str) -> String {
    let mut folded = String::with_capacity(line.len());
    let mut rest = line;
    while !rest.is_empty() {
        // Most of any line is plain ASCII, so whole runs of it are copied unchanged.
        let (as_it_is, other) = rest.split_at(rest.bytes().take_while(is_plain_ascii_byte).count());
        folded.push_str(as_it_is);
        if other.starts_with(' ') {
            if !folded.is_empty() && !folded.ends_with(' ') {
                folded.push(' ');
            }
            rest = other.trim_start_matches(' ');
            continue;
        }
        let mut characters = other.chars();
        let Some(character) = characters.next() else { break };
        rest = characters.as_str();
        match to_plain(character) {
            PlainCharacter::Space if folded.is_empty() || folded.ends_with(' ') => {}
            PlainCharacter::Space => folded.push(' '),
            PlainCharacter::Character(character) => folded.push(character),
            PlainCharacter::Ellipsis => folded.push_str("..."),
            PlainCharacter::Nothing => {}
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

/// Returns the line without control and invisible characters, and with plain spaces. Used for text
/// that others see, because such characters can reverse or hide the text next to them.
pub fn strip_invisible(line: &str) -> String {
    let blank = |c| matches!(to_plain(c), PlainCharacter::Space);
    let seen = |c: &char| !matches!(to_plain(*c), PlainCharacter::Nothing);
    let line: String = line.chars().filter(seen).map(|c| if blank(c) { ' ' } else { c }).collect();
    line.trim().to_owned()
}

/// Whether a character is invisible: zero width, direction, joining, variation, a filler, or a tag.
/// These are the characters that Unicode calls default ignorable, and those of annotations.
pub(crate) fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

enum PlainCharacter {
    Space,
    Character(char),
    Ellipsis,
    Nothing,
}

/// A fast test whether a character is unchanged by folding. Covers ASCII, Latin, Greek, Cyrillic,
/// Hebrew, kana, han and hangul, which make up most of any letter.
const fn is_already_plain(character: char) -> bool {
    matches!(character, '!'..='_' | 'a'..='~' | '\u{c0}'..='\u{2af}' | '\u{370}'..='\u{5ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// Like [`is_already_plain`], for a byte of ASCII.
const fn is_plain_ascii_byte(byte: &u8) -> bool {
    matches!(byte, b'!'..=b'_' | b'a'..=b'~')
}

fn to_plain(character: char) -> PlainCharacter {
    match character {
        _ if is_already_plain(character) => PlainCharacter::Character(character),
        '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' => PlainCharacter::Space,
        '\u{2800}' | '\u{3164}' | '\u{ffa0}' => PlainCharacter::Space,
        _ if character.is_whitespace() => PlainCharacter::Space,
        _ if character.is_control() || is_invisible(character) => PlainCharacter::Nothing,
        '…' => PlainCharacter::Ellipsis,
        _ => PlainCharacter::Character(to_ascii_punctuation(character)),
    }
}

fn to_ascii_punctuation(character: char) -> char {
    match character {
        '‘' | '’' | '‚' | '‛' | '′' | '‵' | '´' | 'ʹ' | 'ʼ' | '‹' | '›' | '`' => {
            '\''
        }
        '“' | '”' | '„' | '‟' | '″' | '‶' | '«' | '»' | '〝' | '〞' | '〟' => '"',
        '‐'..='―' | '−' | '⁃' | '﹘' | '﹣' => '-',
        // Full-width characters have a constant distance from ASCII.
        '！'..='～' => match char::from_u32(u32::from(character) - 0xfee0) {
            Some('`') => '\'',
            Some(narrow) => narrow,
            None => character,
        },
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn typographic_characters_become_ascii() {
        assert_eq!(fold_line(" move\u{a0}A\u{2009} –\u{200b} B… "), "move A - B...");
        assert_eq!(fold_line("“Ann’s” −５ ＢＵＹ"), "\"Ann's\" -5 BUY");
        assert_eq!(fold_line("\u{feff}buy\t 3\u{202e}"), "buy 3");
        assert_eq!(fold_line("\u{3000}zwölf 東京\u{ad}"), "zwölf 東京");
    }

    #[test]
    fn invisible_line_folds_to_empty() {
        assert_eq!(fold_line(" \u{200b}\t\u{a0}\u{7} "), "");
    }

    #[test]
    fn strip_invisible_keeps_typographic_characters() {
        let line = " “Grüße” – an\u{202e}alle\u{200b}\t…\u{2028}\u{1b}[1m";
        assert_eq!(strip_invisible(line), "“Grüße” – analle … [1m");
    }

    #[test]
    fn fast_path_agrees_with_full_folding() {
        for character in ('\0'..=char::MAX).filter(|character| is_already_plain(*character)) {
            assert!(!character.is_whitespace() && !character.is_control(), "{character:?}");
            assert!(
                !is_invisible(character) && to_ascii_punctuation(character) == character,
                "{character:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(line in any::<String>()) {
            let once = fold_line(&line);
            prop_assert_eq!(fold_line(&once), once);
        }

        #[test]
        fn ascii_words_are_unchanged(
            line in "[a-zA-Z0-9,.:;+*/=#()-]{1,9}( [a-zA-Z0-9-]{1,9}){0,5}",
        ) {
            prop_assert_eq!(fold_line(&line), line);
        }
    }
}
