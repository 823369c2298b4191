//! The check whether a new member or newcomer may have a name. Names of others, names that look
//! alike, and words with another meaning in letters are refused.
//!
//! Names are compared by their look: in compatibility form (NFKC), and without case, blanks,
//! punctuation and accents. Each letter is replaced by the one that it looks like, in any script
//! (Unicode's UTS 39). This module knows no member.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::skeleton;

/// The words and names with another meaning in letters, in all languages of the club.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReservedNames {
    /// Complete names: the moderator's, the club's, and those by which letters address a reader.
    pub(crate) whole_names: Vec<String>,
    /// Words and phrases that a name may not contain: `all`, `seat`, `todo el mundo`.
    pub forbidden_words: Vec<String>,
    /// Words that a name may not contain between other words: `Bob to Cid`.
    pub(crate) inner_words: Vec<String>,
    /// Words that join two names, which a name may not contain: `Bob and Cid`.
    pub(crate) joining_words: Vec<String>,
}

/// The two skeletons by which names are compared. Some letters look alike in one case only, so the
/// first is computed in lower case, and the second in the case as written.
type NameSkeletons = [String; 2];

/// Computes the skeletons of a name.
fn compute_skeletons(name: &str) -> NameSkeletons {
    let name: String = name.nfkc().collect();
    let seen = |text: &str| skeleton(text).collect::<String>().to_lowercase();
    // A capital changed to lower case may look like yet another letter, so the skeleton is taken
    // twice.
    [name.to_lowercase(), seen(&name)].map(|text| {
        let look = seen(&text);
        look.chars().filter(|c| c.is_alphanumeric()).collect()
    })
}

/// Whether two names look alike in one of their skeletons.
fn look_alike(one: &NameSkeletons, other: &NameSkeletons) -> bool {
    one.iter().zip(other).any(|(one, other)| !one.is_empty() && one == other)
}

/// Whether a new member may have this name, among others with these names.
pub(crate) fn is_name_available<'a>(
    name: &str,
    others: impl IntoIterator<Item = &'a str>,
    kept: &ReservedNames,
) -> bool {
    let own = compute_skeletons(name);
    let taken = |other: &str| look_alike(&own, &compute_skeletons(other));
    let is_free = own.iter().any(|look| !look.is_empty())
        && !kept.whole_names.iter().any(|whole| taken(whole))
        && !others.into_iter().any(taken);
    is_free && reads_as_one_name(name, kept)
}

/// Whether a name reads as one name in any sentence, such as `tell NAME hello`.
fn reads_as_one_name(name: &str, kept: &ReservedNames) -> bool {
    let all = |words: &[String]| {
        words.iter().map(|word| compute_skeletons(word)).collect::<Vec<NameSkeletons>>()
    };
    let (reserved, between, joining) =
        (all(&kept.forbidden_words), all(&kept.inner_words), all(&kept.joining_words));
    let words = split_words(name);
    let among = |word: &str, kept: &[NameSkeletons]| {
        let own = compute_skeletons(word);
        kept.iter().any(|kept| look_alike(&own, kept))
    };
    // A reserved word may be split, as in `Mod erator`, and a phrase has several words. So all runs
    // of words are checked. Initials are not checked.
    let is_reserved = |run: &[NameWord<'_>]| {
        let joined: String = run.iter().map(|word| word.text).collect();
        !run.iter().any(|word| word.is_initial) && among(&joined, &reserved)
    };
    let mut runs = (0..words.len()).flat_map(|from| (from..words.len()).map(move |to| from..=to));
    let is_number = |word: &str| word.chars().all(char::is_numeric);
    let inner = words.get(1..words.len().saturating_sub(1)).unwrap_or_default();
    let said = |word: &&NameWord<'_>| !word.is_initial;
    !name.contains([',', ';', ':', '&', '@', '<', '>', '"', '|', '+'])
        && !contains_web_address(name)
        && !words.iter().any(|word| is_number(word.text))
        && !runs.any(|run| words.get(run).is_some_and(is_reserved))
        && !words.iter().filter(said).any(|word| among(word.text, &joining))
        && !inner.iter().filter(said).any(|word| among(word.text, &between))
}

/// A word of a name.
struct NameWord<'a> {
    text: &'a str,
    /// Whether the word is a single letter before a dot, as in `John E. Smith`.
    is_initial: bool,
}

/// Splits a name into words, at blanks and punctuation.
fn split_words(name: &str) -> Vec<NameWord<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || is_combining_mark(c);
    name.split_inclusive(|c| !is_part(c))
        .filter_map(|piece| {
            let text = Some(piece.trim_end_matches(|c| !is_part(c))).filter(|t| !t.is_empty())?;
            let is_initial = text.chars().count() == 1 && piece.ends_with('.');
            Some(NameWord { text, is_initial })
        })
        .collect()
}

/// Whether mail programs could turn a part of the name into a link: `zoe@example.org`,
/// `https://example.org`, `www.example`, `example.org`. A dot between letters is allowed only if at
/// most one letter follows, as in `J.R. Smith`.
pub(crate) fn contains_web_address(name: &str) -> bool {
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

    fn is_available(name: &str) -> bool {
        let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let kept = ReservedNames {
            whole_names: list(&["Mod", "The Postal Club", "The Club", "Club", "You", "Somebody"]),
            forbidden_words: list(&[
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
            inner_words: list(&["to", "a"]),
            joining_words: list(&["and", "y", "e"]),
        };
        is_name_available(name, ["Ann", "Bob", "José Lee", "Ian", "Νίκος", "李雷"], &kept)
    }

    #[test]
    fn lookalikes_of_member_names_are_refused() {
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
            assert!(!is_available(name), "{name}");
        }
        for name in ["Anna", "Bo", "Dan", "Zoe Miller", "José", "Ян", "Νίκη", "韩梅梅", "Ann Lee"]
        {
            assert!(is_available(name), "{name}");
        }
    }

    #[test]
    fn names_that_letters_use_are_refused() {
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
            assert!(!is_available(name), "{name}");
        }
        for name in ["To Lan", "Allan", "Modesty", "Youssef", "Andy", "Agent47", "Playero"] {
            assert!(is_available(name), "{name}");
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
            assert!(contains_web_address(name) && !is_available(name), "{name}");
        }
        for name in ["J.R. Smith", "J. R. R. Tolkien", "J.R.R. Tolkien", "Zoe M.", "Dr. Zoe"] {
            assert!(!contains_web_address(name) && is_available(name), "{name}");
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
            assert!(!is_available(name), "{name}");
        }
    }

    #[test]
    fn names_with_joining_words_are_refused() {
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
            assert!(!is_available(name), "{name}");
        }
    }

    #[test]
    fn real_names_are_available() {
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
            assert!(is_available(name), "{name}");
        }
    }
}
