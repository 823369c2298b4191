//! Folds a written line to plain characters: what phones, word processors and other keyboards make
//! of a space, a dash, a quotation mark, a digit or a Latin letter. Knows characters only: nothing
//! of letters, orders or games.

/// The line with every kind of space as one space, quotation marks and dashes as ASCII, full-width
/// forms as ASCII, and without controls and without characters that nobody sees. Folding a folded
/// line changes nothing.
pub fn fold(line: &str) -> String {
    let mut folded = String::with_capacity(line.len());
    let mut rest = line;
    while !rest.is_empty() {
        // Most of any line is plain ASCII, which is taken over as it stands.
        let (as_it_is, other) = rest.split_at(rest.bytes().take_while(is_plain_ascii).count());
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
        match plain(character) {
            Plain::Space if folded.is_empty() || folded.ends_with(' ') => {}
            Plain::Space => folded.push(' '),
            Plain::Character(character) => folded.push(character),
            Plain::Ellipsis => folded.push_str("..."),
            Plain::Nothing => {}
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

/// The line as it was written, but without controls and without characters that nobody sees, and
/// with plain blanks. What is shown to others must not turn or hide what stands beside it.
pub fn visible(line: &str) -> String {
    let blank = |c| matches!(plain(c), Plain::Space);
    let seen = |c: &char| !matches!(plain(*c), Plain::Nothing);
    let line: String = line.chars().filter(seen).map(|c| if blank(c) { ' ' } else { c }).collect();
    line.trim().to_owned()
}

/// Whether the character is invisible: zero width, direction, joining, variation, or a tag.
pub(crate) fn is_unseen(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

/// What stands for a character in a folded line.
enum Plain {
    Space,
    Character(char),
    Ellipsis,
    Nothing,
}

/// Whether a character stands for itself, told at a glance: of ASCII, Latin, Greek, Cyrillic,
/// Hebrew, kana, han and hangul, which is most of any letter.
const fn is_common(character: char) -> bool {
    matches!(character, '!'..='_' | 'a'..='~' | '\u{c0}'..='\u{2af}' | '\u{370}'..='\u{5ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// The same of a byte, as far as it is of ASCII.
const fn is_plain_ascii(byte: &u8) -> bool {
    matches!(byte, b'!'..=b'_' | b'a'..=b'~')
}

fn plain(character: char) -> Plain {
    match character {
        _ if is_common(character) => Plain::Character(character),
        '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' => Plain::Space,
        '\u{2800}' | '\u{3164}' | '\u{ffa0}' => Plain::Space,
        _ if character.is_whitespace() => Plain::Space,
        _ if character.is_control() || is_unseen(character) => Plain::Nothing,
        '…' => Plain::Ellipsis,
        _ => Plain::Character(ascii(character)),
    }
}

fn ascii(character: char) -> char {
    match character {
        '‘' | '’' | '‚' | '‛' | '′' | '‵' | '´' | 'ʹ' | 'ʼ' | '‹' | '›' | '`' => {
            '\''
        }
        '“' | '”' | '„' | '‟' | '″' | '‶' | '«' | '»' | '〝' | '〞' | '〟' => '"',
        '‐'..='―' | '−' | '⁃' | '﹘' | '﹣' => '-',
        // The full-width block is ASCII at a constant distance.
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
    fn what_phones_make_of_a_line_is_undone() {
        assert_eq!(fold(" move\u{a0}A\u{2009} –\u{200b} B… "), "move A - B...");
        assert_eq!(fold("“Ann’s” −５ ＢＵＹ"), "\"Ann's\" -5 BUY");
        assert_eq!(fold("\u{feff}buy\t 3\u{202e}"), "buy 3");
        assert_eq!(fold("\u{3000}zwölf 東京\u{ad}"), "zwölf 東京");
    }

    #[test]
    fn a_line_of_nothing_folds_to_nothing() {
        assert_eq!(fold(" \u{200b}\t\u{a0}\u{7} "), "");
    }

    #[test]
    fn what_is_shown_to_others_keeps_its_own_characters() {
        let line = " “Grüße” – an\u{202e}alle\u{200b}\t…\u{2028}\u{1b}[1m";
        assert_eq!(visible(line), "“Grüße” – analle … [1m");
    }

    /// What is taken over at a glance is what a longer look would take over.
    #[test]
    fn no_letter_is_taken_for_something_else() {
        for character in ('\0'..=char::MAX).filter(|character| is_common(*character)) {
            assert!(!character.is_whitespace() && !character.is_control(), "{character:?}");
            assert!(!is_unseen(character) && ascii(character) == character, "{character:?}");
        }
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(line in any::<String>()) {
            let once = fold(&line);
            prop_assert_eq!(fold(&once), once);
        }

        #[test]
        fn ascii_words_stay(line in "[a-zA-Z0-9,.:;+*/=#()-]{1,9}( [a-zA-Z0-9-]{1,9}){0,5}") {
            prop_assert_eq!(fold(&line), line);
        }
    }
}
