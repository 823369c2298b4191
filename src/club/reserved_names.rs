//! Names that nobody new may bear: those of others, what looks like them, and what letters say of
//! somebody else.
//!
//! Names are compared by their look: in compatibility form (NFKC), without case, blanks,
//! punctuation and accents, and with every letter as the one that it is taken for, whatever its
//! script (Unicode's UTS 39). Knows no member.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::skeleton;

/// Words and names that letters use for something else, in all languages of a club.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeptNames {
    /// Names as a whole: the moderator's, the club's, and what letters call a reader.
    pub(crate) whole: Vec<String>,
    /// Words and phrases that no name has in it: `all`, `seat`, `todo el mundo`.
    pub words: Vec<String>,
    /// Words that no name has between others: `Bob to Cid`.
    pub(crate) between: Vec<String>,
    /// Words that join two names, which no name has in it: `Bob and Cid`.
    pub(crate) joining: Vec<String>,
}

/// The two looks by which names are compared. Some letters look like others in one case only, so
/// one is taken in small letters and the other as the name is written.
type Looks = [String; 2];

/// Returns the looks of a name.
fn looks(name: &str) -> Looks {
    let name: String = name.nfkc().collect();
    let seen = |text: &str| skeleton(text).collect::<String>().to_lowercase();
    // A capital that has become a small letter may look like another one again.
    [name.to_lowercase(), seen(&name)].map(|text| {
        let look = seen(&text);
        look.chars().filter(|c| c.is_alphanumeric()).collect()
    })
}

/// Returns `true` if two names look alike.
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
    let all = |words: &[String]| words.iter().map(|word| looks(word)).collect::<Vec<Looks>>();
    let (reserved, between, joining) = (all(&kept.words), all(&kept.between), all(&kept.joining));
    let words = words_of(name);
    let among = |word: &str, kept: &[Looks]| {
        let own = looks(word);
        kept.iter().any(|kept| alike(&own, kept))
    };
    // A word may be torn apart, as in `Mod erator`, and a phrase has several. Initials are no part
    // of either.
    let is_reserved = |run: &[Word<'_>]| {
        let joined: String = run.iter().map(|word| word.text).collect();
        !run.iter().any(|word| word.is_initial) && among(&joined, &reserved)
    };
    let mut runs = (0..words.len()).flat_map(|from| (from..words.len()).map(move |to| from..=to));
    let is_number = |word: &str| word.chars().all(char::is_numeric);
    let inner = words.get(1..words.len().saturating_sub(1)).unwrap_or_default();
    let said = |word: &&Word<'_>| !word.is_initial;
    !name.contains([',', ';', ':', '&', '@', '<', '>', '"', '|', '+'])
        && !holds_web_address(name)
        && !words.iter().any(|word| is_number(word.text))
        && !runs.any(|run| words.get(run).is_some_and(is_reserved))
        && !words.iter().filter(said).any(|word| among(word.text, &joining))
        && !inner.iter().filter(said).any(|word| among(word.text, &between))
}

/// A word of a name.
struct Word<'a> {
    text: &'a str,
    /// Whether it is one letter before a dot, as in `John E. Smith`.
    is_initial: bool,
}

/// Returns the words of a name, between its blanks and punctuation.
fn words_of(name: &str) -> Vec<Word<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || is_combining_mark(c);
    name.split_inclusive(|c| !is_part(c))
        .filter_map(|piece| {
            let text = Some(piece.trim_end_matches(|c| !is_part(c))).filter(|t| !t.is_empty())?;
            let is_initial = text.chars().count() == 1 && piece.ends_with('.');
            Some(Word { text, is_initial })
        })
        .collect()
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
            whole: list(&["Mod", "The Postal Club", "The Club", "Club", "You", "Somebody"]),
            words: list(&[
                "all",
                "everyone",
                "moderator",
                "moderadora",
                "seat",
                "asiento",
                "player",
                "anonymously",
                "todo el mundo",
                "postmaster",
            ]),
            between: list(&["to", "a"]),
            joining: list(&["and", "y", "e"]),
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
            "Ⓑⓞⓑ",
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

    #[test]
    fn reserved_words_are_found_in_any_disguise() {
        for name in [
            "Todo el mundo",
            "TODO  EL MUNDO",
            "todoelmundo",
            "Asiento",
            "La moderadora",
            "M0derator",
            "rnoderator",
            "Mod erator",
            "The Mod-erator",
            "Ⓜoderator",
            "ｍｏｄｅｒａｔｏｒ",
            "Мoderator",
            "mo\u{200b}derator",
            "postmaster",
            "The PostMaster",
            "The club",
            "THE-CLUB",
            "\u{405}\u{435}\u{430}t",
            "s e a t",
        ] {
            assert!(!is_free(name), "{name}");
        }
    }

    #[test]
    fn joining_words_are_in_no_name() {
        for name in [
            "e Bob",
            "Bob e Iris",
            "Bob E Iris",
            "y Ann",
            "Bob and Iris",
            "Bob AND Iris",
            "Ana y Campos",
            "Ana Y. y Campos",
            "Iris e",
            "Bob+Iris",
            "Bob \u{435} Iris",
        ] {
            assert!(!is_free(name), "{name}");
        }
    }

    #[test]
    fn real_names_are_free() {
        for name in [
            "Bo",
            "Todd",
            "Everett",
            "Modesto",
            "Ann Club-Smith",
            "J.R. Smith",
            "John E. Smith",
            "Ann A. Lee",
            "Al L.",
            "Yves",
            "Eve",
            "Andrea",
            "Ana-Sofía",
            "O'Neill",
            "Æthel",
            "Jean-Luc",
            "Nguyễn Văn An",
            "Şule Yılmaz",
            "Łukasz",
            "Björn",
            "Ольга",
            "Юрий Е.",
            "Ελένη",
            "محمد علي",
            "נועה",
            "अनिता शर्मा",
            "ปิยะ",
            "김민수",
            "田中 さくら",
            "王芳",
            "Ana Seatón",
            "Allegra",
            "Postma",
        ] {
            assert!(is_free(name), "{name}");
        }
    }
}
