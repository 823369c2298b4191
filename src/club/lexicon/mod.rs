//! The words of a language that stand for English ones in the lines of letters.
//!
//! Data of a language's folder, so that whoever adds a language writes no Rust. A line is read in
//! English first; only where it is nothing there, or in doubt, its translation is read. Pure.

use super::line::house_line;
use super::press::Reads;
use crate::rules::line_words::unaccented;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Lines that begin with these go on with their writer's own words.
const FREE: [&str; 5] = ["note", "say", "say anonymously", "tell", "tell anonymously"];
/// The line that goes on so behind its `yes`.
const FREE_BEHIND_YES: &str = "resign";
/// Behind this stands a name, whatever else the word means.
const NAMING: &str = "named";

/// Words and short phrases of one language, each with what it stands for in English.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    /// By phrase, in small letters without accents.
    english: BTreeMap<String, String>,
    /// How what is English is shown: in the first way in which it may be written.
    shown: BTreeMap<String, String>,
    /// The words of the longest phrase, in either language.
    longest: usize,
}

impl Lexicon {
    /// Takes in all of another one; where both have a phrase, its own stays.
    fn and(mut self, other: &Self) -> Self {
        for (phrase, english) in &other.english {
            self.english.entry(phrase.clone()).or_insert_with(|| english.clone());
        }
        for (english, shown) in &other.shown {
            self.shown.entry(english.clone()).or_insert_with(|| shown.clone());
        }
        self.longest = self.longest.max(other.longest);
        self
    }

    /// One more English phrase with all ways of writing it.
    fn add(&mut self, english: &str, ways: &[&str]) -> Result<(), String> {
        let shown = ways.first().map(|way| bare(way).to_owned());
        for way in ways.iter().flat_map(|way| [way, bare(way)]) {
            let phrase = phrase(way);
            if phrase.is_empty() || phrase.contains(|c: char| c.is_ascii_digit()) {
                return Err(format!("{way:?} is no word"));
            }
            self.longest = self.longest.max(count(&phrase));
            let other = self.english.insert(phrase, english.to_owned());
            if let Some(other) = other.filter(|other| other != english) {
                return Err(format!("{way:?} stands for {other:?} and for {english:?}"));
            }
        }
        self.longest = self.longest.max(count(english));
        match shown.and_then(|shown| self.shown.insert(english.to_owned(), shown)) {
            Some(_) => Err(format!("{english:?} is there twice")),
            None => Ok(()),
        }
    }

    /// Every phrase with what it stands for.
    pub fn phrases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.english.iter().map(|(phrase, english)| (phrase.as_str(), english.as_str()))
    }

    /// The ways of writing an English phrase.
    pub(crate) fn ways<'a>(&'a self, english: &'a str) -> impl Iterator<Item = &'a str> {
        self.phrases().filter(move |(_, means)| *means == english).map(|(phrase, _)| phrase)
    }

    /// A line with every word that stands for an English one translated; none where no word does.
    /// What its writer says in words of his own stays as it is.
    pub fn english(&self, line: &str) -> Option<String> {
        let (first, before) = (Cell::new(None), Cell::new(""));
        let found = |words: &[Range<usize>], at| {
            self.found(line, words, at).filter(|_| before.get() != NAMING)
        };
        let said = replaced(line, found, |means| {
            let is_free = first.get().is_none() && FREE.contains(&means)
                || first.get() == Some(FREE_BEHIND_YES) && means == "yes";
            first.set(first.get().or(Some(means)));
            before.set(means);
            is_free
        });
        (said != line).then_some(said)
    }

    /// Whether one of these words stands between two others with numbers: two places.
    fn joins_places(&self, line: &str) -> bool {
        let words = words(line);
        let has_number = |word: &Range<usize>| {
            line.get(word.clone()).is_some_and(|word| word.contains(|c: char| c.is_ascii_digit()))
        };
        let joins = |(at, [before, _, behind]): (usize, &[Range<usize>; 3])| {
            let is_known = self.found(line, &words, at + 1).is_some_and(|(_, length)| length == 1);
            is_known && has_number(before) && has_number(behind)
        };
        words.array_windows().enumerate().any(joins)
    }

    /// What a line begins with, in English, and what follows it.
    pub(crate) fn lead<'a, 'l>(&'a self, line: &'l str) -> Option<(&'a str, &'l str)> {
        let words = words(line);
        let (means, length) = self.found(line, &words, 0)?;
        let end = words.get(length - 1)?.end;
        Some((means, line.get(end..)?))
    }

    /// An English line as a reader of the language is shown it: one that is read as the same; the
    /// line itself where there is none. What is written with a capital is a name.
    pub fn shown(&self, line: &str) -> String {
        let found = |words: &[Range<usize>], at: usize| {
            let most = self.longest.min(words.len() - at);
            (1..=most).rev().find_map(|length| {
                let english = run(line, words, at, length)?.join(" ");
                Some((self.shown.get(&english)?.as_str(), length))
            })
        };
        let said = replaced(line, found, |_| false);
        let comes_back = self.english(&said).as_deref() == Some(line);
        if comes_back { said } else { line.to_owned() }
    }

    /// The longest phrase that the words go on with at this place, and how many words it has.
    fn found(&self, line: &str, words: &[Range<usize>], at: usize) -> Option<(&str, usize)> {
        let most = self.longest.min(words.len().saturating_sub(at));
        (1..=most).rev().find_map(|length| {
            let phrase = unaccented(&run(line, words, at, length)?.join(" "));
            Some((self.english.get(&phrase)?.as_str(), length))
        })
    }
}

/// All lexicons of one language.
#[derive(Clone, Debug, Default)]
pub struct Lexicons {
    house: Lexicon,
    everywhere: Lexicon,
    between: Lexicon,
    talk: Lexicon,
    games: BTreeMap<String, Lexicon>,
    /// Words that stand for nothing, and by which the language is known.
    marks: BTreeSet<String>,
}

impl Lexicons {
    /// Reads the files of a language: that of the house, and one a game. Each is told with its
    /// game, or none.
    ///
    /// # Errors
    /// The file's game, and what is wrong with which line.
    pub fn read<'a>(
        files: impl Iterator<Item = (Option<&'a str>, &'a str)>,
    ) -> Result<Self, (Option<&'a str>, String)> {
        let mut all = Self::default();
        for (game, text) in files {
            all.take(game, text).map_err(|what| (game, what))?;
        }
        for lexicon in all.games.values_mut() {
            *lexicon = std::mem::take(lexicon).and(&all.everywhere);
        }
        all.house = std::mem::take(&mut all.house).and(&all.everywhere);
        Ok(all)
    }

    fn take(&mut self, game: Option<&str>, text: &str) -> Result<(), String> {
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
            let into = match (game, section) {
                (None, "language") => {
                    self.marks.extend(ways.iter().map(|way| phrase(way)));
                    continue;
                }
                (Some(game), "house") => self.games.entry(game.to_owned()).or_default(),
                (None, "house") => &mut self.house,
                (None, "everywhere") => &mut self.everywhere,
                (None, "between") => &mut self.between,
                (None, "talk") => &mut self.talk,
                _ => return Err(fault(format!("there is no section {section:?} here"))),
            };
            if english.is_empty() || ways.is_empty() {
                return Err(fault("English, a colon, and the words for it are wanted".to_owned()));
            }
            into.add(english, &ways).map_err(fault)?;
        }
        Ok(())
    }

    /// The words of lines for the house.
    pub fn house(&self) -> &Lexicon {
        &self.house
    }

    /// Whether letters of the language show lines otherwise than in English.
    pub(crate) fn show_own(&self) -> bool {
        std::iter::once(&self.house).chain(self.games.values()).any(|one| !one.shown.is_empty())
    }

    /// The words of lines for a game of this kind.
    pub fn game(&self, kind: &str) -> &Lexicon {
        self.games.get(kind).unwrap_or(&self.everywhere)
    }

    /// The words by which it is said who is told something.
    pub(crate) fn talk(&self) -> &Lexicon {
        &self.talk
    }

    /// How many of the words of a text are the language's, and how many words there are.
    pub(crate) fn count(&self, text: &str) -> (usize, usize) {
        let all = [&self.house, &self.talk].into_iter().chain(self.games.values());
        let all: Vec<&Lexicon> = all.collect();
        let words = words(text);
        let is_own = |word: &Range<usize>| {
            let word = unaccented(text.get(word.clone()).unwrap_or_default());
            self.marks.contains(&word) || all.iter().any(|all| all.english.contains_key(&word))
        };
        let letters =
            |word: &&Range<usize>| text.get((*word).clone()).is_some_and(|w| !is_number(w));
        (words.iter().filter(|word| is_own(word)).count(), words.iter().filter(letters).count())
    }
}

/// How the lines of a letter are read in its writer's language.
#[derive(Clone, Copy)]
pub(crate) struct Translator<'a> {
    /// His language's words; none where he writes English.
    pub(crate) lexicons: Option<&'a Lexicons>,
    /// The kind of game that the letter is about.
    pub(crate) kind: Option<&'a str>,
    /// How much an English line is: 0 is nothing, [`ALL_RIGHT`] what can be carried out.
    pub(crate) rank: &'a dyn Fn(&str) -> u8,
}

/// The rank of a line that needs no translation.
pub(crate) const ALL_RIGHT: u8 = 3;

impl<'a> Translator<'a> {
    /// Reads every line as it is; one that reads lines for the house is made of it.
    pub(crate) const ENGLISH: Self = Self { lexicons: None, kind: None, rank: &rank_of_house };

    /// A folded line in English, where that is how it is read.
    pub(crate) fn english(&self, line: &str) -> Option<String> {
        let all = self.lexicons?;
        let lead = all.house.lead(line).or_else(|| line.split_once([' ', ':', ',']));
        match lead.filter(|(verb, _)| verb.eq_ignore_ascii_case("preview")) {
            Some((_, rest)) if rest.contains(char::is_alphanumeric) => {
                let rest = rest.trim_start_matches([' ', ':', ',']);
                let order = self.of_order(all, rest);
                Some(format!("preview: {}", order.as_deref().unwrap_or(rest)))
            }
            _ => self.of_order(all, line),
        }
    }

    fn of_order(&self, all: &Lexicons, line: &str) -> Option<String> {
        let own = (self.rank)(line);
        if own >= ALL_RIGHT {
            return None;
        }
        let house = all.house.english(line).map(|line| (rank_of_house(&line), line));
        let house = house.filter(|(rank, _)| *rank > 0 && *rank >= own);
        let game = self.kind.and_then(|kind| self.of_game(all, kind, line));
        let game = game.filter(|(rank, _)| *rank >= own);
        match (house, game) {
            (Some((rank, _)), Some((more, line))) if more > rank => Some(line),
            (Some((_, line)), _) | (None, Some((_, line))) => Some(line),
            (None, None) if self.kind.is_none() => all.house.english(line),
            (None, None) => None,
        }
    }

    /// A line for the game in English, with its rank. A word between others that a board names too
    /// is what the board names, unless nothing can be made of the line so, or it joins two places:
    /// then it is not what English has of the same letters.
    fn of_game(&self, all: &Lexicons, kind: &str, line: &str) -> Option<(u8, String)> {
        let game = all.game(kind).english(line);
        let rank = game.as_deref().map_or(0, self.rank);
        let plain = game.as_deref().unwrap_or(line);
        let is_right = |line: &str| (self.rank)(line) == ALL_RIGHT;
        if let Some(joined) = all.between.english(plain)
            && (rank < ALL_RIGHT || all.between.joins_places(plain))
            && is_right(&joined)
        {
            return Some((ALL_RIGHT, joined));
        }
        game.map(|line| (rank, line))
    }

    /// What follows in a folded line that begins with the word which asks for a preview.
    pub(crate) fn previewed<'t>(&'t self, line: &'t str) -> Option<&'t str> {
        let lead = self.lexicons.and_then(|all| all.house.lead(line));
        let (_, rest) = lead.or_else(|| line.split_once([' ', ':', ',']))?;
        Some(rest.trim_start_matches([' ', ':', ',']))
    }

    /// A line with what it begins with in English, where words of its writer's own follow.
    pub(crate) fn led(&self, line: &str) -> Option<String> {
        let (verb, rest) = self.lexicons?.house.lead(line.trim_start())?;
        FREE.contains(&verb).then(|| format!("{verb}{rest}"))
    }

    /// The words by which it is said who is told something.
    pub(crate) fn talk(&self) -> Option<&'a Lexicon> {
        self.lexicons.map(Lexicons::talk)
    }
}

/// How much an English line is as one for the house.
fn rank_of_house(line: &str) -> u8 {
    match house_line(line) {
        Reads::Order => ALL_RIGHT,
        Reads::LikeOrder => 1,
        Reads::Prose => 0,
    }
}

/// Replaces words of a line. `found` returns what stands for the words at a place, and for how many
/// of them. The rest of the line stays as it is behind the first words for which `is_last` is true.
fn replaced<'a>(
    line: &'a str,
    found: impl Fn(&[Range<usize>], usize) -> Option<(&'a str, usize)>,
    is_last: impl Fn(&'a str) -> bool,
) -> String {
    let words = words(line);
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

/// The words that stand there, where nothing but a blank is between them.
fn run<'a>(
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

/// Where the words of a line stand: letters, digits, and what joins the letters of a name. An
/// address is one word: nothing of it means anything.
fn words(line: &str) -> Vec<Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '&' || matches!(c, '\u{300}'..='\u{36f}');
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut address = 0..0;
    for (at, c) in line.char_indices() {
        if at >= address.end {
            address = address_at(line, at);
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

/// The address that begins at this place of a line; empty where none does.
fn address_at(line: &str, at: usize) -> Range<usize> {
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ':' | ';' | '<' | '>' | '(' | ')');
    let (before, rest) = line.split_at_checked(at).unwrap_or_default();
    let run = rest.split(ends).next().filter(|run| run.contains('@')).unwrap_or_default();
    let begins = before.chars().next_back().is_none_or(ends);
    if begins { at..at + run.len() } else { at..at }
}

/// A phrase without the word in brackets behind it, which may be left out.
fn bare(way: &str) -> &str {
    way.split('(').next().unwrap_or_default().trim_end()
}

/// A phrase as it is looked up.
fn phrase(text: &str) -> String {
    let words = words(text);
    let words = words.into_iter().filter_map(|word| text.get(word));
    unaccented(&words.collect::<Vec<_>>().join(" "))
}

fn count(phrase: &str) -> usize {
    phrase.split(' ').count()
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
