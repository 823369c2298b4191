//! Lexicons: the translation of lines in a sender's own language to English, word by word.
//!
//! The words are data in the folder of each language, so adding a language needs no Rust. A line is
//! first parsed as English. It is translated only if it is no valid English command or order. Pure.

mod doubts;
mod intents;

pub use doubts::Doubts;
pub(crate) use doubts::LinePlace;
pub(crate) use intents::{Intents, strip_polite_words};

use super::club_command::rank_club_line;
use crate::rules::GameRegistry;
use crate::rules::line_words::lowercase_unaccented;
use crate::table::PhraseBook;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The commands that are followed by free text. Free text is not translated.
const FREE_TEXT_COMMANDS: [&str; 5] =
    ["note", "say", "say anonymously", "tell", "tell anonymously"];
/// The command that is followed by free text behind its `yes`.
const FREE_TEXT_AFTER_YES: &str = "resign";
/// The keyword that is followed by a game's name. The name is not translated.
const NAME_KEYWORD: &str = "named";

/// The words and short phrases of one language, with their English equivalents.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    /// The English for each phrase. Phrases are in lower case without accents.
    english_by_phrase: BTreeMap<String, String>,
    /// The phrase that letters show for each English one: the first synonym in the file.
    phrase_by_english: BTreeMap<String, String>,
    /// The number of words of the longest phrase, in either language.
    longest: usize,
}

impl Lexicon {
    /// Adds the entries of another lexicon. An entry with a phrase that this lexicon already has is
    /// not added.
    fn add_missing_from(mut self, other: &Self) -> Self {
        for (phrase, english) in &other.english_by_phrase {
            self.english_by_phrase.entry(phrase.clone()).or_insert_with(|| english.clone());
        }
        for (english, shown) in &other.phrase_by_english {
            self.phrase_by_english.entry(english.clone()).or_insert_with(|| shown.clone());
        }
        self.longest = self.longest.max(other.longest);
        self
    }

    /// Adds an English phrase with all its synonyms in the language.
    fn add_phrase(&mut self, english: &str, ways: &[&str]) -> Result<(), String> {
        let shown = ways.first().map(|way| strip_optional_word(way).to_owned());
        for way in ways.iter().flat_map(|way| [way, strip_optional_word(way)]) {
            let phrase = normalize_phrase(way);
            if phrase.is_empty() || phrase.contains(|c: char| c.is_ascii_digit()) {
                return Err(format!("{way:?} is not a word"));
            }
            self.longest = self.longest.max(count_phrase_words(&phrase));
            let other = self.english_by_phrase.insert(phrase, english.to_owned());
            if let Some(other) = other.filter(|other| other != english) {
                return Err(format!("{way:?} stands for both {other:?} and {english:?}"));
            }
        }
        self.longest = self.longest.max(count_phrase_words(english));
        match shown.and_then(|shown| self.phrase_by_english.insert(english.to_owned(), shown)) {
            Some(_) => Err(format!("{english:?} is listed twice")),
            None => Ok(()),
        }
    }

    pub fn phrases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.english_by_phrase.iter().map(|(phrase, english)| (phrase.as_str(), english.as_str()))
    }

    /// Iterates over the synonyms of an English phrase.
    pub(crate) fn synonyms_of<'a>(&'a self, english: &'a str) -> impl Iterator<Item = &'a str> {
        self.phrases().filter(move |(_, means)| *means == english).map(|(phrase, _)| phrase)
    }

    /// Translates the known words of a line to English. Free text stays as it is. `None` if nothing
    /// changed.
    pub fn translate_to_english(&self, line: &str) -> Option<String> {
        let (first, before) = (Cell::new(None), Cell::new(""));
        let found = |words: &[Range<usize>], at| {
            self.longest_phrase_at(line, words, at).filter(|_| before.get() != NAME_KEYWORD)
        };
        let said = replace_words(line, found, |means| {
            let is_free = first.get().is_none() && FREE_TEXT_COMMANDS.contains(&means)
                || first.get() == Some(FREE_TEXT_AFTER_YES) && means == "yes";
            first.set(first.get().or(Some(means)));
            before.set(means);
            is_free
        });
        (said != line).then_some(said)
    }

    /// Whether one of this lexicon's words is between two words with digits, which are places on a
    /// board.
    fn has_word_between_places(&self, line: &str) -> bool {
        let words = split_words(line);
        let has_number = |word: &Range<usize>| {
            line.get(word.clone()).is_some_and(|word| word.contains(|c: char| c.is_ascii_digit()))
        };
        let joins = |(at, [before, _, behind]): (usize, &[Range<usize>; 3])| {
            let is_known =
                self.longest_phrase_at(line, &words, at + 1).is_some_and(|(_, length)| length == 1);
            is_known && has_number(before) && has_number(behind)
        };
        words.array_windows().enumerate().any(joins)
    }

    /// Returns the English of the first phrase of a line, and the rest of the line.
    pub(crate) fn translate_first_phrase<'a, 'l>(
        &'a self,
        line: &'l str,
    ) -> Option<(&'a str, &'l str)> {
        let words = split_words(line);
        let (means, length) = self.longest_phrase_at(line, &words, 0)?;
        let end = words.get(length - 1)?.end;
        Some((means, line.get(end..)?))
    }

    /// Translates an English line for a letter in this language. Returns the line itself if the
    /// translation would not be parsed as the original. Capitalized words are names and stay.
    pub fn translate_from_english(&self, line: &str) -> String {
        let found = |words: &[Range<usize>], at: usize| {
            let most = self.longest.min(words.len() - at);
            (1..=most).rev().find_map(|length| {
                let english = adjacent_words(line, words, at, length)?.join(" ");
                Some((self.phrase_by_english.get(&english)?.as_str(), length))
            })
        };
        let said = replace_words(line, found, |_| false);
        let comes_back = self.translate_to_english(&said).as_deref() == Some(line);
        if comes_back { said } else { line.to_owned() }
    }

    /// Returns the English of the longest phrase at word `at`, and its number of words.
    fn longest_phrase_at(
        &self,
        line: &str,
        words: &[Range<usize>],
        at: usize,
    ) -> Option<(&str, usize)> {
        let most = self.longest.min(words.len().saturating_sub(at));
        (1..=most).rev().find_map(|length| {
            let phrase = lowercase_unaccented(&adjacent_words(line, words, at, length)?.join(" "));
            Some((self.english_by_phrase.get(&phrase)?.as_str(), length))
        })
    }
}

/// All lexicons of one language: for commands, for messages to players, and for each game.
#[derive(Clone, Debug, Default)]
pub struct Lexicons {
    club_commands: Lexicon,
    everywhere: Lexicon,
    between_places: Lexicon,
    press: Lexicon,
    games: BTreeMap<String, Lexicon>,
    /// Words without an English equivalent, by which the language of a text is detected.
    language_words: BTreeSet<String>,
    intents: Intents,
    phrases: PhraseBook,
}

impl Lexicons {
    /// Parses the lexicon files of a language. Each comes with the game that it is for. `None` is
    /// the file for club commands.
    ///
    /// # Errors
    /// The file's game, and the message with the number of the wrong line.
    pub fn parse<'a>(
        files: impl Iterator<Item = (Option<&'a str>, &'a str)>,
    ) -> Result<Self, (Option<&'a str>, String)> {
        let mut all = Self::default();
        for (game, text) in files {
            all.add_file(game, text).map_err(|what| (game, what))?;
        }
        Ok(all.finish())
    }

    /// Adds the words that may be in any line to all lexicons, once all files are parsed.
    pub(crate) fn finish(mut self) -> Self {
        for lexicon in self.games.values_mut() {
            *lexicon = std::mem::take(lexicon).add_missing_from(&self.everywhere);
        }
        self.club_commands =
            std::mem::take(&mut self.club_commands).add_missing_from(&self.everywhere);
        self
    }

    /// Parses one file: a lexicon of the club or of a game, or the club's intents.
    ///
    /// # Errors
    /// The message with the number of the wrong line.
    pub(crate) fn add_file(&mut self, game: Option<&str>, text: &str) -> Result<(), String> {
        let mut section = "house";
        for (line, number) in text.lines().zip(1..) {
            let fault = |what: String| format!("line {number}: {what}");
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = name;
                continue;
            }
            let (english, ways) = match line.split_once(':') {
                Some((english, ways)) => (english.trim(), ways),
                None => ("", line),
            };
            let ways: Vec<&str> =
                ways.split(',').map(str::trim).filter(|way| !way.is_empty()).collect();
            let no_number = |_| fault(format!("{english:?} is not a number"));
            if game.is_none()
                && (self.intents.add_row(section, english, &ways).map_err(fault)?
                    || self.phrases.add_row(section, english, &ways).map_err(no_number)?)
            {
                continue;
            }
            let into = match (game, section) {
                (None, "language") => {
                    self.language_words.extend(ways.iter().map(|way| normalize_phrase(way)));
                    continue;
                }
                (Some(game), "house") => self.games.entry(game.to_owned()).or_default(),
                (None, "house") => &mut self.club_commands,
                (None, "everywhere") => &mut self.everywhere,
                (None, "between") => &mut self.between_places,
                (None, "talk") => &mut self.press,
                _ => return Err(fault(format!("there is no section {section:?} here"))),
            };
            if english.is_empty() || ways.is_empty() {
                return Err(fault(
                    "write the English word, a colon, and its translations".to_owned(),
                ));
            }
            into.add_phrase(english, &ways).map_err(fault)?;
        }
        Ok(())
    }

    pub fn club_command_lexicon(&self) -> &Lexicon {
        &self.club_commands
    }

    pub(crate) const fn intents(&self) -> &Intents {
        &self.intents
    }

    pub(crate) const fn phrases(&self) -> &PhraseBook {
        &self.phrases
    }

    /// Whether letters in this language show commands or orders in the language, and not in
    /// English.
    pub(crate) fn replaces_english_commands(&self) -> bool {
        std::iter::once(&self.club_commands)
            .chain(self.games.values())
            .any(|one| !one.phrase_by_english.is_empty())
    }

    pub fn lexicon_for_game(&self, kind: &str) -> &Lexicon {
        self.games.get(kind).unwrap_or(&self.everywhere)
    }

    pub(crate) fn press_lexicon(&self) -> &Lexicon {
        &self.press
    }

    /// Whether a text has two words of this language, or one that has no English equivalent.
    pub(crate) fn identifies_language(&self, text: &str) -> bool {
        let mut words = text.split(|c: char| !c.is_alphanumeric()).map(lowercase_unaccented);
        words.any(|word| self.language_words.contains(&word)) || self.count_known_words(text).0 > 1
    }

    /// Returns the number of words of a text that belong to the language, and the number of all
    /// words except numbers.
    pub(crate) fn count_known_words(&self, text: &str) -> (usize, usize) {
        let all = [&self.club_commands, &self.press].into_iter().chain(self.games.values());
        let all: Vec<&Lexicon> = all.collect();
        let words = split_words(text);
        let is_own = |word: &Range<usize>| {
            let word = lowercase_unaccented(text.get(word.clone()).unwrap_or_default());
            self.language_words.contains(&word)
                || all.iter().any(|all| all.english_by_phrase.contains_key(&word))
        };
        let letters =
            |word: &&Range<usize>| text.get((*word).clone()).is_some_and(|w| !is_number(w));
        (words.iter().filter(|word| is_own(word)).count(), words.iter().filter(letters).count())
    }
}

/// The translator for the lines of one letter.
#[derive(Clone, Copy)]
pub(crate) struct Translator<'a> {
    /// The lexicons of the sender's language. `None` if the sender writes English.
    pub(crate) lexicons: Option<&'a Lexicons>,
    pub(crate) kind: Option<&'a str>,
    /// Rates an English line from 0, for prose, to [`RANK_VALID`], for a line that can be carried
    /// out.
    /// `None` to rate a line by whether it is a club command.
    pub(crate) rank_line: Option<&'a dyn Fn(&str) -> u8>,
    /// The games that a club command may name.
    pub(crate) games: GameRegistry,
}

/// The rank of a line that can be carried out, so it needs no translation.
pub(crate) const RANK_VALID: u8 = 3;

impl<'a> Translator<'a> {
    /// Returns the translator for letters in English. It translates no line.
    pub(crate) const fn english(games: GameRegistry) -> Self {
        Self { lexicons: None, kind: None, rank_line: None, games }
    }

    fn rank(&self, line: &str) -> u8 {
        self.rank_line.map_or_else(|| rank_club_line(self.games, line), |rank_line| rank_line(line))
    }

    /// Translates a line in plain characters to English. `None` if the line is to be parsed as it
    /// is.
    pub(crate) fn translate(&self, line: &str) -> Option<String> {
        let all = self.lexicons?;
        let lead = all
            .club_commands
            .translate_first_phrase(line)
            .or_else(|| line.split_once([' ', ':', ',']));
        match lead.filter(|(verb, _)| verb.eq_ignore_ascii_case("preview")) {
            Some((_, rest)) if rest.contains(char::is_alphanumeric) => {
                let rest = rest.trim_start_matches([' ', ':', ',']);
                let order = self.translate_order(all, rest);
                Some(format!("preview: {}", order.as_deref().unwrap_or(rest)))
            }
            _ => self.translate_order(all, line),
        }
    }

    fn translate_order(&self, all: &Lexicons, line: &str) -> Option<String> {
        let own = self.rank(line);
        if own >= RANK_VALID {
            return None;
        }
        let house = all
            .club_commands
            .translate_to_english(line)
            .map(|line| (rank_club_line(self.games, &line), line));
        let house = house.filter(|(rank, _)| *rank > 0 && *rank >= own);
        let game = self.kind.and_then(|kind| self.translate_game_order(all, kind, line));
        let game = game.filter(|(rank, _)| *rank >= own);
        match (house, game) {
            (Some((rank, _)), Some((more, line))) if more > rank => Some(line),
            (Some((_, line)), _) | (None, Some((_, line))) => Some(line),
            (None, None) if self.kind.is_none() => all.club_commands.translate_to_english(line),
            (None, None) => None,
        }
    }

    /// Translates an order of a game to English, and rates it.
    ///
    /// A joining word such as the Spanish "a" may also name a place on a board. It is translated
    /// only if the result is a valid order. In addition, it must be between two places, or the line
    /// must be invalid without its translation.
    fn translate_game_order(&self, all: &Lexicons, kind: &str, line: &str) -> Option<(u8, String)> {
        let game = all.lexicon_for_game(kind).translate_to_english(line);
        let rank = game.as_deref().map_or(0, |line| self.rank(line));
        let plain = game.as_deref().unwrap_or(line);
        let is_right = |line: &str| self.rank(line) == RANK_VALID;
        if let Some(joined) = all.between_places.translate_to_english(plain)
            && (rank < RANK_VALID || all.between_places.has_word_between_places(plain))
            && is_right(&joined)
        {
            return Some((RANK_VALID, joined));
        }
        game.map(|line| (rank, line))
    }

    /// Returns the rest of a line in plain characters that begins with the word for a preview.
    pub(crate) fn strip_preview<'t>(&'t self, line: &'t str) -> Option<&'t str> {
        let lead = self.lexicons.and_then(|all| all.club_commands.translate_first_phrase(line));
        let (_, rest) = lead.or_else(|| line.split_once([' ', ':', ',']))?;
        Some(rest.trim_start_matches([' ', ':', ',']))
    }

    /// Translates the beginning of a line if free text follows it, such as in `say hello`. `None`
    /// for other lines.
    pub(crate) fn translate_opening(&self, line: &str) -> Option<String> {
        let (verb, rest) =
            self.lexicons?.club_commands.translate_first_phrase(line.trim_start())?;
        FREE_TEXT_COMMANDS.contains(&verb).then(|| format!("{verb}{rest}"))
    }

    pub(crate) fn press_lexicon(&self) -> Option<&'a Lexicon> {
        self.lexicons.map(Lexicons::press_lexicon)
    }
}

/// Replaces words of a line. `found` returns the replacement for the words at an index, and their
/// number. Replacing stops after the first words for which `is_last` is true.
fn replace_words<'a>(
    line: &'a str,
    found: impl Fn(&[Range<usize>], usize) -> Option<(&'a str, usize)>,
    is_last: impl Fn(&'a str) -> bool,
) -> String {
    let words = split_words(line);
    let (mut said, mut end, mut at) = (String::with_capacity(line.len()), 0, 0);
    while let Some(word) = words.get(at) {
        let found = found(&words, at);
        let length = found.map_or(1, |(_, length)| length);
        let last = words.get(at + length - 1).unwrap_or(word);
        let own = line.get(word.start..last.end).unwrap_or_default();
        let means = found.map_or(own, |(means, _)| means);
        said += line.get(end..word.start).unwrap_or_default();
        said += means;
        (end, at) = (last.end, at + length);
        if is_last(means) {
            break;
        }
    }
    said + line.get(end..).unwrap_or_default()
}

/// Returns the `length` words from index `at` on, if only a single blank is between each two of
/// them.
fn adjacent_words<'a>(
    line: &'a str,
    words: &[Range<usize>],
    at: usize,
    length: usize,
) -> Option<Vec<&'a str>> {
    let run = words.get(at..at + length)?;
    let parted = |pair: &[Range<usize>; 2]| line.get(pair[0].end..pair[1].start) == Some(" ");
    run.array_windows().all(parted).then_some(())?;
    run.iter().map(|word| line.get(word.clone())).collect()
}

/// Returns the byte ranges of the words of a line. A word consists of letters, digits, accents and
/// `&`. An e-mail address is one word, so no part of it is translated.
fn split_words(line: &str) -> Vec<Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '&' || matches!(c, '\u{300}'..='\u{36f}');
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut address = 0..0;
    for (at, c) in line.char_indices() {
        if at >= address.end {
            address = find_address_at(line, at);
        }
        if !is_part(c) && !address.contains(&at) {
            continue;
        }
        match words.last_mut() {
            Some(word) if word.end == at => word.end += c.len_utf8(),
            _ => words.push(at..at + c.len_utf8()),
        }
    }
    words
}

/// Returns the byte range of the e-mail address that begins at `at`. Empty if none does.
fn find_address_at(line: &str, at: usize) -> Range<usize> {
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ':' | ';' | '<' | '>' | '(' | ')');
    let (before, rest) = line.split_at_checked(at).unwrap_or_default();
    if !before.chars().next_back().is_none_or(ends) {
        return at..at;
    }
    let run = rest.split(ends).next().filter(|run| run.contains('@')).unwrap_or_default();
    at..at + run.len()
}

/// Removes the optional word in brackets at the end of a phrase.
fn strip_optional_word(way: &str) -> &str {
    way.split('(').next().unwrap_or_default().trim_end()
}

/// Returns the form in which phrases are looked up: words in lower case, without accents and
/// punctuation.
fn normalize_phrase(text: &str) -> String {
    let words = split_words(text);
    let words = words.into_iter().filter_map(|word| text.get(word));
    lowercase_unaccented(&words.collect::<Vec<_>>().join(" "))
}

fn count_phrase_words(phrase: &str) -> usize {
    phrase.split(' ').count()
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
