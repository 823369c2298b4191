//! Finds private data in text before it is passed on to others: e-mail addresses and reply tokens.

use super::line_folding::fold_line;
use super::token_mask::{has_token_in_pieces, mask_tokens};

/// Returns the addresses in a text, in lower case. An address that is broken by a line end or a
/// space is returned in part.
pub(crate) fn find_addresses(text: &str) -> Vec<String> {
    let text = fold_line(&text.replace("%40", "@")).to_lowercase();
    let part = |c: char| c.is_alphanumeric() || "._%+-".contains(c);
    let mut found = Vec::new();
    for (at, _) in text.match_indices('@') {
        let (before, after) = (&text[..at], &text[at + 1..]);
        let start = before
            .rfind(|c| !part(c))
            .map_or(0, |end| end + before[end..].chars().next().map_or(0, char::len_utf8));
        let local = before[start..].trim_start_matches(['.', '-']);
        let torn = after.trim_start();
        let end = torn.find(|c| !part(c)).unwrap_or(torn.len());
        let host = torn[..end].trim_end_matches(['.', '-', '_', '%', '+']);
        let parts = || host.split('.');
        let is_host = parts().count() >= 2
            && parts().all(|part| !part.is_empty())
            && parts().next_back().is_some_and(|part| part.contains(char::is_alphabetic));
        let whole = !local.is_empty() && !host.is_empty() && torn.len() == after.len();
        if whole || is_host {
            found.push(format!("{local}@{host}"));
        }
    }
    found
}

/// Whether a text contains a reply token or the beginning of one, in any encoding, and also across
/// line ends.
pub(crate) fn has_reply_token(text: &str) -> bool {
    let text = text.lines().map(fold_line).collect::<Vec<_>>().join("\n");
    text.to_lowercase().contains("[postrider")
        || mask_tokens(&text) != text
        || has_token_in_pieces(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_in_any_notation() {
        for (text, address) in [
            ("write to <Ann@Example.org>, please", "ann@example.org"),
            ("mailto:ann%40example.org?x", "ann@example.org"),
            ("ann＠example.org.", "ann@example.org"),
            ("(ann@example.org)", "ann@example.org"),
            ("ann@ example.org", "ann@example.org"),
            ("ann @example.org", "@example.org"),
            ("grüße@müller.example", "grüße@müller.example"),
            ("games+1.2.3@example.org", "games+1.2.3@example.org"),
            ("ann@localhost", "ann@localhost"),
        ] {
            assert_eq!(find_addresses(text), [address], "{text}");
        }
        for text in ["at 10 @ home", "@bob hello", "a b", "@", "hi @ 2.5", "a@"] {
            assert_eq!(find_addresses(text), Vec::<String>::new(), "{text}");
        }
    }
}
