//! Masks reply tokens in free text before other people read it.

use super::ReplyAction;
use super::token::TokenPosition;
use std::borrow::Cow;

/// The number of characters of a token's signature.
const SIGNATURE_CHARACTERS: usize = 26;
/// The number of signature characters after a purpose that cannot occur by chance.
const DISTINCTIVE_CHARACTERS: usize = 8;

/// Replaces each word that contains a reply token with `[...]`. Also masks a token that continues
/// on the next line. Recognizes tokens of any purpose, in any address, and in the encodings of
/// links and mail programs.
///
/// Anybody who knows a token could write in its owner's name.
pub(crate) fn mask_tokens(text: &str) -> Cow<'_, str> {
    let mut shown = String::new();
    let (mut copied, mut start, mut goes_on) = (0, 0, false);
    for word in text.as_bytes().split(|byte| matches!(byte, b' ' | b'\n')) {
        let end = start + word.len();
        let word = if goes_on || may_contain_token(word) { text.get(start..end) } else { None };
        if let Some(word) = word.filter(|word| !word.trim_matches(['>', '|', '\r']).is_empty()) {
            let found = find_token(word);
            if goes_on || found != TokenMatch::Nothing {
                shown.push_str(text.get(copied..start).unwrap_or_default());
                shown.push_str("[...]");
                copied = end;
            }
            goes_on = found == TokenMatch::Beginning;
        }
        start = end + 1;
    }
    if copied == 0 {
        return text.into();
    }
    shown.push_str(text.get(copied..).unwrap_or_default());
    shown.into()
}

/// Whether a text contains a token in pieces. The pieces may be separated by spaces, quote marks,
/// or the soft line breaks of mail programs.
pub(super) fn has_token_in_pieces(text: &str) -> bool {
    let mut whole = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let breaks = character == '=' && characters.peek().is_none_or(|next| next.is_whitespace());
        if !(breaks || character.is_whitespace() || matches!(character, '>' | '|' | '<')) {
            whole.push(character);
        }
    }
    decode_link_and_mail_escapes(&whole).split('+').skip(1).any(starts_with_token)
}

/// The part of a token that a word contains.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenMatch {
    Nothing,
    /// The purpose, and only a part of the signature.
    Beginning,
    Token,
}

/// A fast test whether a word may contain a part of a token. The shortest part is `+m.`.
fn may_contain_token(word: &[u8]) -> bool {
    word.len() >= 3 && word.iter().any(|byte| matches!(byte, b'.' | b'%' | b'='))
}

fn find_token(word: &str) -> TokenMatch {
    if !may_contain_token(word.as_bytes()) {
        return TokenMatch::Nothing;
    }
    let word = &*decode_link_and_mail_escapes(word);
    let is_seal = |part: &str| count_signature_characters(part) == SIGNATURE_CHARACTERS;
    if word.split('.').skip(1).any(is_seal) {
        return TokenMatch::Token;
    }
    // A mail program may have broken the line inside the token.
    let cut = word.trim_end_matches(['=', '\r']);
    let (tag, in_address) = cut.rsplit_once('+').map_or((cut, false), |(_, tag)| (tag, true));
    let Some((what, seal)) = tag.rsplit_once('.') else { return TokenMatch::Nothing };
    let is_cut = count_signature_characters(seal) == seal.len()
        && (in_address || seal.len() >= DISTINCTIVE_CHARACTERS);
    let of_position = || what.parse::<TokenPosition>().is_ok();
    let what_for = || if in_address { is_token_purpose(what) } else { of_position() };
    if is_cut && what_for() { TokenMatch::Beginning } else { TokenMatch::Nothing }
}

/// Whether the text after a `+` begins with a token, or with enough of one to distinguish it from
/// other text.
fn starts_with_token(rest: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let tag = rest.split(|c| !part(c)).next().unwrap_or(rest);
    tag.rsplit_once('.').is_some_and(|(what, seal)| {
        count_signature_characters(seal) >= DISTINCTIVE_CHARACTERS && is_token_purpose(what)
    })
}

fn is_token_purpose(what: &str) -> bool {
    what.parse::<TokenPosition>().is_ok() || what.parse::<ReplyAction>().is_ok()
}

/// Returns the number of signature characters at the start of a text.
fn count_signature_characters(text: &str) -> usize {
    let symbol = |byte: &u8| matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'2'..=b'7');
    text.bytes().take_while(symbol).count()
}

/// Decodes the escapes of links (`%2B`) and mail programs (`=2B`), up to three times because text
/// may be escaped repeatedly.
fn decode_link_and_mail_escapes(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..3 {
        if !text.contains(['%', '=']) {
            break;
        }
        let mut plain = String::with_capacity(text.len());
        let mut rest = &*text;
        while let Some(at) = rest.find(['%', '=']) {
            let (before, escape) = rest.split_at(at);
            plain.push_str(before);
            let code = escape.get(1..3).and_then(|code| u8::from_str_radix(code, 16).ok());
            let code = code.map(char::from).filter(char::is_ascii_graphic);
            match (code, escape.get(3..)) {
                (Some(character), Some(after)) => {
                    plain.push(character);
                    rest = after;
                }
                _ => {
                    let (sign, after) = escape.split_at(1);
                    plain.push_str(sign);
                    rest = after;
                }
            }
        }
        plain.push_str(rest);
        if plain == text {
            break;
        }
        text = plain.into();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::ClubSecret;

    const POSITION: TokenPosition = TokenPosition { game: 12, seat: 2, seq: 37 };

    fn secret() -> ClubSecret {
        ClubSecret::new([7; 32])
    }

    #[test]
    fn token_in_any_notation_is_masked() {
        let token = secret().sign_seat_token(POSITION, 1);
        let action = secret().sign_action(ReplyAction::SpeakAsMember(3), "1");
        let address = token.reply_address("games@example.org");
        for form in [
            format!("<{address}>,"),
            address.to_uppercase(),
            address.replace('+', "%2B"),
            address.replace('+', "=2B").replace('.', "=2E"),
            address.replace('+', "%252B").replace('.', "%2E").replace('@', "%40"),
            format!("mailto:{}?subject=x", action.reply_address("games@example.org")),
            token.to_string(),
            secret().sign_action(ReplyAction::RefuseMail { mailbox: u64::MAX }, "").to_string(),
        ] {
            assert_eq!(mask_tokens(&format!("a {form} b\nc")), "a [...] b\nc");
        }
        let tagged = format!("Re: it {}", token.subject_tag());
        assert_eq!(mask_tokens(&tagged), "Re: it [postrider [...]");
        assert_eq!(
            mask_tokens("see www.example.org. Fine, 1.2.3!"),
            "see www.example.org. Fine, 1.2.3!"
        );
    }

    #[test]
    fn token_cut_across_lines_is_masked() {
        let token = secret().sign_seat_token(POSITION, 1);
        let action = secret().sign_action(ReplyAction::SpeakAsMember(3), "1");
        let links = [
            format!("<mailto:{}?subject=Re", token.reply_address("games@example.org")),
            format!("mailto:{}?s", action.reply_address("games@example.org").replace('+', "%2B")),
        ];
        for link in links {
            for at in 1..link.len() {
                for end in ["\n", "=\n", "\n> ", " "] {
                    let torn = format!("a {}{end}{} b", &link[..at], &link[at..]);
                    let left = mask_tokens(&torn);
                    let longest = left.split(|c: char| !c.is_ascii_alphanumeric());
                    let longest = longest.map(count_signature_characters).max().unwrap_or(0);
                    assert!(longest < DISTINCTIVE_CHARACTERS + 2, "{torn:?} keeps {left:?}");
                    assert!(has_token_in_pieces(&torn), "{torn:?}");
                }
            }
        }
        for plain in [
            "on 1.2.37. Then",
            "2 + 3.4.5. all of",
            "a=b c%20d %% =",
            "1.5. and 2.5.",
            "x + y. Really",
            "m.everything",
            "p.m. everything is fine",
            "100%",
            "50%ab",
        ] {
            assert_eq!(mask_tokens(plain), plain);
            assert!(!has_token_in_pieces(plain), "{plain}");
        }
    }
}
