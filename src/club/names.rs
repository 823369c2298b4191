//! Names that nobody new may bear: those of others, what looks like them, and what letters say of
//! somebody else.
//!
//! What is compared is how a name looks: without case, blanks, marks above and below letters, and
//! with every letter as the one that it is taken for, whatever script it is of (Unicode's UTS 39).
//! Knows no member.

use unicode_security::skeleton;

/// Words and names that letters use for something else, in all languages of a club.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeptNames {
    /// Names as a whole: who is the moderator, how the club is called, what a reader is called.
    pub(crate) whole: Vec<String>,
    /// Words that no name has in it: `all`, `seat`.
    pub words: Vec<String>,
    /// Words that no name has between others: `Bob to Cid`.
    pub(crate) between: Vec<String>,
}

/// What names are compared by: two looks, because some letters look like others in one case only.
type Looks = [String; 2];

/// How a name looks.
fn looks(name: &str) -> Looks {
    let plain = |text: String| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let lower = name.to_lowercase();
    let of_lower: String = skeleton(&lower).collect();
    let of_all: String = skeleton(name).collect();
    [plain(of_lower), plain(of_all).to_lowercase()]
}

/// Whether two of these look alike.
fn alike(one: &Looks, other: &Looks) -> bool {
    one.iter().zip(other).any(|(one, other)| !one.is_empty() && one == other)
}

/// Whether somebody new may be called so among people of these names.
pub(crate) fn is_free_name<'a>(
    name: &str,
    others: impl IntoIterator<Item = &'a str>,
    kept: &KeptNames,
) -> bool {
    let own = looks(name);
    let taken = |other: &str| alike(&own, &looks(other));
    let nobodys = own.iter().any(|look| !look.is_empty())
        && !kept.whole.iter().any(|whole| taken(whole))
        && !others.into_iter().any(taken);
    nobodys && is_one_name(name, kept)
}

/// Whether a name is read as a name, wherever it stands: in `tell NAME hello` too.
fn is_one_name(name: &str, kept: &KeptNames) -> bool {
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let among = |word: &str, all: &[String]| {
        let own = looks(word);
        all.iter().any(|kept| alike(&own, &looks(kept)))
    };
    let is_number = |word: &str| word.chars().all(char::is_numeric);
    let inner = words.get(1..words.len().saturating_sub(1)).unwrap_or_default();
    !name.contains([',', ';', ':', '&', '@', '<', '>', '"', '|'])
        && !holds_web_address(name)
        && !words.iter().any(|word| is_number(word) || among(word, &kept.words))
        && !inner.iter().any(|word| among(word, &kept.between))
}

/// Whether mail programs could make a link of a part of the name: `zoe@example.org`,
/// `https://example.org`, `www.example`, `example.org`. A dot between letters is allowed only if
/// at most one letter follows, as in `J.R. Smith`.
pub(crate) fn holds_web_address(name: &str) -> bool {
    const DOTS: [char; 5] = ['.', '\u{2024}', '\u{3002}', '\u{ff0e}', '\u{ff61}'];
    let name = name.to_lowercase().replace(DOTS, ".");
    let is_site = |word: &str| {
        let mut parts = word.split('.');
        let mut before = parts.next().unwrap_or_default();
        parts.any(|part| {
            let joined =
                before.ends_with(char::is_alphanumeric) && part.starts_with(char::is_alphanumeric);
            before = part;
            joined && part.chars().filter(|c| c.is_alphabetic()).count() > 1
        })
    };
    name.contains(['@', '\u{ff20}'])
        || name.contains("://")
        || name.contains("www.")
        || name.split_whitespace().any(is_site)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_free(name: &str) -> bool {
        let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let kept = KeptNames {
            whole: list(&["Mod", "The Postal Club", "You", "Somebody"]),
            words: list(&["all", "everyone", "moderator", "seat", "player", "anonymously"]),
            between: list(&["to", "and"]),
        };
        is_free_name(name, ["Ann", "Bob", "José Lee", "Ian", "Νίκος", "李雷"], &kept)
    }

    #[test]
    fn what_looks_like_somebodys_name_is_not_free() {
        for name in [
            "ann",
            "ANN",
            "A n n",
            "Ánn",
            "Аnn",
            "А\u{301}nn",
            "Aոո",
            "𝐀𝐧𝐧",
            "Ａｎｎ",
            "A-n-n.",
            "BОB",
            "ΒΟΒ",
            "B0b",
            "Jose Lee",
            "joselee",
            "lan",
            "1an",
            "Νικος",
            "李雷",
            "李 雷",
        ] {
            assert!(!is_free(name), "{name}");
        }
        for name in ["Anna", "Bo", "Dan", "Zoe Miller", "José", "Ян", "Νίκη", "韩梅梅", "Ann Lee"]
        {
            assert!(is_free(name), "{name}");
        }
    }

    #[test]
    fn what_letters_say_of_somebody_else_is_not_free() {
        for name in [
            "Mod",
            "MOD",
            "Mоd",
            "The moderator",
            "Moderator",
            "Bob to all",
            "all",
            "Everyone",
            "the postal club",
            "You",
            "somebody",
            "seat 2",
            "Seat Two",
            "player 3",
            "2",
            "Zoe 2",
            "Zoe to Cid",
            "Zoe and Cid",
            "anonymously",
            "Zoe, Cid",
            "zoe@example.org",
            "",
            "...",
        ] {
            assert!(!is_free(name), "{name}");
        }
        for name in ["To Lan", "Allan", "Modesty", "Youssef", "Andy", "Agent47", "Playero"] {
            assert!(is_free(name), "{name}");
        }
    }

    #[test]
    fn name_with_web_address_is_refused() {
        for name in [
            "Win euros at www.evila.example",
            "zoe@example.org",
            "https://x",
            "WWW.EVIL",
            "evil.co",
            "Evil.Example.",
            "3win.net now",
            "evil.com.x",
            "evil.com/x",
            "evil。example",
            "evil．example",
        ] {
            assert!(holds_web_address(name) && !is_free(name), "{name}");
        }
        for name in ["J.R. Smith", "J. R. R. Tolkien", "J.R.R. Tolkien", "Zoe M.", "Dr. Zoe"] {
            assert!(!holds_web_address(name) && is_free(name), "{name}");
        }
    }
}
