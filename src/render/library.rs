//! The texts of the program in every language: those inside the binary, and the club's own files,
//! which take precedence.

use super::language_files::{
    LanguageFiles, collect_embedded, collect_folder, insert_file, is_template, read_doubts,
    read_fluent_files, read_lexicons,
};
use super::sentences::{FluentFile, Localizer, People, SentenceListener};
use super::{Page, own_files, templates, trial_letters};
use crate::club::press::{AND_WORD, EVERYBODY_WORDS};
use crate::club::{ConsentWords, Doubts, Intents, Lexicons, RefusalWords, ReservedNames};
use crate::games::SHIPPED;
use crate::rules::{GameRegistry, Message, Seat, Seed};
use crate::table::{GameSetup, PhraseBook, Table};
use chrono::{DateTime, Utc};
use include_dir::{Dir, include_dir};
use minijinja::Environment;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// The language whose sentences and templates all other languages fall back to.
const DEFAULT_LANGUAGE: &str = "en";

/// The divisor of the share of known words: a text counts as written in a language if at least one
/// word in four is known.
const KNOWN_WORDS_DIVISOR: usize = 4;

/// All languages of the program, including the club's own files.
pub struct Library {
    games: GameRegistry,
    english: Language,
    others: BTreeMap<String, Language>,
    /// The phrases around orders in all languages, because people mix languages.
    phrases: Arc<PhraseBook>,
}

/// One language: its sentences, letter templates and lexicons.
pub struct Language {
    pub(super) tag: String,
    pub(super) localizer: Arc<Localizer>,
    pub(super) lexicons: Lexicons,
    doubts: Doubts,
    own_files: LanguageFiles,
    shipped_files: LanguageFiles,
    /// The English files inside the binary, which all languages fall back to.
    fallback_files: Arc<LanguageFiles>,
    /// The compiled templates in two sets, each compiled on first use. The first set has only the
    /// files inside the binary. It is used if a template of the club fails. In the second set, the
    /// club's own files take precedence.
    compiled: [OnceLock<Result<Environment<'static>, TemplateFault>>; 2],
}

/// A fault in a text file: a sentence, template or lexicon that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {what}")]
pub struct TemplateFault {
    /// The path of the file below the folder of templates.
    pub(crate) file: String,
    /// The fault, with its line number if that is known.
    pub what: String,
}

impl Library {
    /// Returns the texts inside the binary, with those of the shipped games.
    ///
    /// # Errors
    /// Never in a program that passed its tests.
    pub fn embedded() -> Result<Arc<Self>, TemplateFault> {
        Self::for_games(SHIPPED)
    }

    /// Returns the texts inside the binary, with those of these games. They are parsed once per
    /// process, so opening a club repeatedly costs nothing.
    ///
    /// # Errors
    /// If a text of a game cannot be parsed.
    pub fn for_games(games: GameRegistry) -> Result<Arc<Self>, TemplateFault> {
        static PARSED: Mutex<Vec<Arc<Library>>> = Mutex::new(Vec::new());
        let mut parsed = PARSED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = parsed.iter().find(|library| library.games.is_same(games)) {
            return Ok(Arc::clone(library));
        }
        let library = Self::read_files(games, None).map(Arc::new)?;
        parsed.push(Arc::clone(&library));
        Ok(library)
    }

    /// Returns the texts inside the binary and those of these games, overridden by the files of the
    /// folder `own`, which has the structure of `templates/`. Every template is rendered once with
    /// sample data.
    ///
    /// # Errors
    /// If a file cannot be read or parsed, or a template fails with the sample data. Reports the
    /// first such file.
    pub fn load(games: GameRegistry, own: &Path) -> Result<Arc<Self>, TemplateFault> {
        Self::read_files(games, Some(own)).map(Arc::new)
    }

    /// Returns the games whose texts these are.
    pub const fn games(&self) -> GameRegistry {
        self.games
    }

    fn read_files(games: GameRegistry, own: Option<&Path>) -> Result<Self, TemplateFault> {
        let mut shipped = collect_shipped(games);
        let mut owned = own.map_or_else(|| Ok(BTreeMap::new()), collect_folder)?;
        let first = Arc::new(shipped.remove(DEFAULT_LANGUAGE).unwrap_or_default());
        let resort = read_fluent_files(DEFAULT_LANGUAGE, &first)?;
        let tags = shipped.keys().chain(owned.keys()).filter(|tag| *tag != DEFAULT_LANGUAGE);
        let tags: BTreeSet<String> = tags.cloned().collect();
        let mut language = |tag: &str| {
            let files = [&mut owned, &mut shipped].map(|all| all.remove(tag).unwrap_or_default());
            Language::new(tag, files, (&first, &resort))
        };
        let english = language(DEFAULT_LANGUAGE)?;
        let others = tags.into_iter().map(|tag| Ok((tag.clone(), language(&tag)?)));
        let others = others.collect::<Result<BTreeMap<String, Language>, TemplateFault>>()?;
        let mut phrases = english.lexicons.phrases().clone();
        others.values().for_each(|language| phrases.merge(language.lexicons.phrases()));
        let library = Self { games, english, others, phrases: Arc::new(phrases) };
        // A fault in the club's own files must be reported before any letter is written.
        if own.is_some() {
            library.test_all_templates()?;
        }
        Ok(library)
    }

    /// Finds everything in the club's folder `own` that no letter will ever use: files that are not
    /// read, unknown sentences, and unknown arguments of sentences or templates.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn find_unused_templates(&self, own: &Path) -> Result<Vec<TemplateFault>, TemplateFault> {
        let shipped = collect_shipped(self.games).remove(DEFAULT_LANGUAGE).unwrap_or_default();
        let mut faults = own_files::find_unread_files(own)?;
        for (tag, files) in collect_folder(own)? {
            faults.extend(own_files::find_faults_in_own_files(&tag, &files, &shipped, self.games));
        }
        Ok(faults)
    }

    /// Registers a function that is called with the key of each sentence that is rendered. Tests
    /// use it to find sentences that no letter shows.
    pub fn set_sentence_listener(&self, listener: SentenceListener) {
        self.language_tags()
            .for_each(|tag| self.language(tag).localizer.set_sentence_listener(listener));
    }

    /// Returns the kinds of game that have no readable name in a language, each with the tag of the
    /// language.
    pub fn game_kinds_without_name(&self) -> Vec<(&str, &'static str)> {
        let all = self.language_tags().flat_map(|tag| self.games.ids().map(move |id| (tag, id)));
        all.filter(|(tag, id)| {
            let name = self.language(tag).game_name(id);
            name.trim().is_empty() || name == format!("[game-{id}]")
        })
        .collect()
    }

    /// Returns the language of this tag, or English if there is none.
    pub fn language(&self, tag: &str) -> &Language {
        self.others.get(tag).unwrap_or(&self.english)
    }

    /// Returns the tags of all languages, English first.
    pub fn language_tags(&self) -> impl Iterator<Item = &str> {
        std::iter::once(DEFAULT_LANGUAGE).chain(self.others.keys().map(String::as_str))
    }

    /// Returns the lines below which a reply is not read: the "write above this line" of every
    /// language, and the headings of private blocks. The headings protect secrets from being
    /// published if a player quotes a letter without quote marks.
    pub(crate) fn reply_end_markers(&self) -> Vec<String> {
        let mut markers = Vec::new();
        for words in self.language_tags().map(|tag| &self.language(tag).localizer) {
            markers.extend(["marker", "marker-narrow"].map(|key| words.localize_key(key)));
            let own = self.games.ids().map(|id| format!("heading-private-{id}"));
            let private = ["heading-private", "heading-plans"].map(str::to_owned);
            for heading in private.into_iter().chain(own).filter(|key| words.has_sentence(key)) {
                // Plain-text letters show headings in capitals.
                markers.push(words.localize_key(&heading));
                markers.push(words.localize_key(&heading).to_uppercase());
            }
        }
        markers
    }

    /// Returns the words by which a reader of this language consents to a request. English words
    /// are always included.
    pub(crate) fn consent_words(&self, tag: &str) -> Vec<ConsentWords> {
        let of = |language: &Language| {
            let club_words = language.lexicons.club_command_lexicon();
            let all = |term: &str, english| {
                let ways = club_words.synonyms_of(english).map(str::to_owned);
                std::iter::once(language.localizer.localize_key(term)).chain(ways).collect()
            };
            ConsentWords {
                yes_words: all("consent-yes", "yes"),
                polite_phrases: language.localizer.words_of_list_sentence("consent-polite"),
                name_prefixes: all("consent-name", "name"),
            }
        };
        vec![of(self.language(tag)), of(&self.english)]
    }

    /// Returns the words by which a reader of this language refuses all letters. English words are
    /// always included.
    pub(crate) fn opt_out_words(&self, tag: &str) -> Vec<RefusalWords> {
        let of = |language: &Language| {
            let all = |key: &str| {
                language
                    .localizer
                    .words_of_list_sentence(key)
                    .iter()
                    .map(|word| word.to_lowercase())
                    .collect()
            };
            RefusalWords {
                first: all("refusal-first"),
                before: all("refusal-before"),
                anywhere: all("refusal-anywhere"),
            }
        };
        vec![of(self.language(tag)), of(&self.english)]
    }

    /// Returns the lexicons of this language, in which the reader may write commands and orders
    /// besides English. Returns `None` for English and for unknown tags.
    pub(crate) fn lexicons(&self, tag: &str) -> Option<&Lexicons> {
        self.others.get(tag).map(|language| &language.lexicons)
    }

    /// Returns the intents of all languages, each with the tag of its language. Those of the
    /// language `tag` come first.
    pub(crate) fn intents(&self, tag: &str) -> impl Iterator<Item = (&str, &Intents)> {
        let first = self.language(tag);
        let all = std::iter::once(&self.english).chain(self.others.values());
        let others = all.filter(move |language| language.tag != first.tag);
        std::iter::once(first)
            .chain(others)
            .map(|language| (language.tag.as_str(), language.lexicons.intents()))
    }

    /// Returns the phrases that people write around an order, in all languages.
    pub fn phrases(&self) -> Arc<PhraseBook> {
        Arc::clone(&self.phrases)
    }

    /// Returns the lexicons of all languages but English, by tag.
    pub fn all_lexicons(&self) -> impl Iterator<Item = (&str, &Lexicons)> {
        self.others.iter().map(|(tag, language)| (tag.as_str(), &language.lexicons))
    }

    /// Returns the doubts of all languages. They are all searched for in every letter.
    pub(crate) fn doubts(&self) -> impl Iterator<Item = &Doubts> {
        self.language_tags().map(|tag| &self.language(tag).doubts)
    }

    /// Returns the tag of the language in which a text is written. Returns `None` if too few of its
    /// words are known, or if two languages know the same number of words.
    pub(crate) fn detect_language(&self, text: &str) -> Option<&str> {
        let count = |tag| (self.language(tag).lexicons.count_known_words(text), tag);
        let mut counted: Vec<((usize, usize), &str)> = self.language_tags().map(count).collect();
        counted.sort_unstable_by_key(|((known, _), _)| std::cmp::Reverse(*known));
        match *counted {
            [((known, all), tag), ((less, _), _), ..] => {
                let is_enough = known * KNOWN_WORDS_DIVISOR >= all && (known > 1 || all <= 2);
                (known > less && is_enough).then_some(tag)
            }
            _ => None,
        }
    }

    /// Returns the words of all languages after which a newcomer writes a game's number.
    pub(crate) fn words_before_game_numbers(&self) -> Vec<String> {
        let words = self
            .language_tags()
            .map(|tag| self.language(tag).localizer.words_of_list_sentence("visitor-numbered"));
        words.flatten().map(|word| word.to_lowercase()).collect()
    }

    /// Returns the words that a player's name may not be or contain. Letters use them for others
    /// than players ("you", "somebody"), or they address press ("all", "and").
    pub(crate) fn reserved_names(&self) -> ReservedNames {
        let mut kept = ReservedNames::default();
        for words in self.language_tags().map(|tag| &self.language(tag).localizer) {
            kept.whole_names.extend(
                ["you", "talk-from-somebody", "talk-to-all"].map(|k| words.localize_key(k)),
            );
            kept.whole_names.extend(words.words_of_list_sentence("names-whole"));
            kept.forbidden_words.extend(words.words_of_list_sentence("names-without"));
            kept.inner_words.extend(words.words_of_list_sentence("names-not-between"));
        }
        kept.forbidden_words.extend(EVERYBODY_WORDS.map(str::to_owned));
        kept.joining_words.push(AND_WORD.to_owned());
        for (_, lexicons) in self.all_lexicons() {
            for (phrase, means) in lexicons.press_lexicon().phrases() {
                let into = if means == AND_WORD {
                    &mut kept.joining_words
                } else {
                    &mut kept.forbidden_words
                };
                into.push(phrase.to_owned());
            }
        }
        kept
    }

    /// Renders every template of every language with sample data.
    fn test_all_templates(&self) -> Result<(), TemplateFault> {
        self.language_tags()
            .try_for_each(|tag| trial_letters::test_letter_templates(self.language(tag)))?;
        for kind in self.games.kinds() {
            let setup = GameSetup {
                kind,
                definition: kind.shipped_definition(),
                options: &BTreeMap::new(),
                seats: *kind.allowed_seat_counts().start(),
            };
            let now = DateTime::<Utc>::UNIX_EPOCH;
            let Ok(game) = Table::found_game(setup, 1, Seed::from_number(1), now) else { continue };
            let names: Vec<String> = (1..=setup.seats).map(|n| format!("Player {n}")).collect();
            for tag in self.language_tags() {
                Page::new(&game, &names).test_game_templates(self.language(tag))?;
            }
        }
        Ok(())
    }
}

/// Returns the texts inside the binary and those that the games bring, by language.
fn collect_shipped(games: GameRegistry) -> BTreeMap<String, LanguageFiles> {
    let mut shipped = BTreeMap::new();
    collect_embedded(&EMBEDDED, &mut shipped);
    for (path, text) in games.kinds().flat_map(|kind| kind.texts()) {
        insert_file(Path::new(path), (*text).to_owned(), &mut shipped);
    }
    shipped
}

impl Language {
    /// Parses the files of a language. For English, `shipped` is empty: its shipped files are
    /// `first`, which all languages fall back to.
    fn new(
        tag: &str,
        [own, shipped]: [LanguageFiles; 2],
        (first, resort): (&Arc<LanguageFiles>, &[FluentFile]),
    ) -> Result<Self, TemplateFault> {
        let [owned, said] = [read_fluent_files(tag, &own)?, read_fluent_files(tag, &shipped)?];
        let words = Localizer::new(tag, &[&owned, &said, resort])?;
        let files: [&LanguageFiles; 2] =
            [&own, if tag == DEFAULT_LANGUAGE { first } else { &shipped }];
        let (lexicons, doubts) = (read_lexicons(tag, files)?, read_doubts(tag, files)?);
        let (words, first) = (Arc::new(words), Arc::clone(first));
        let (tag, compiled) = (tag.to_owned(), Default::default());
        Ok(Self {
            tag,
            localizer: words,
            lexicons,
            doubts,
            own_files: own,
            shipped_files: shipped,
            fallback_files: first,
            compiled,
        })
    }

    fn compiled_templates(&self, with_own: bool) -> Result<&Environment<'static>, TemplateFault> {
        let layers = [
            Some(&*self.fallback_files),
            Some(&self.shipped_files),
            with_own.then_some(&self.own_files),
        ];
        let compile = || {
            let mut environment = templates::create_environment(Arc::clone(&self.localizer));
            let files = layers.into_iter().flatten().flatten();
            for (name, text) in files.filter(|(name, _)| is_template(name)) {
                let added = environment.add_template_owned(name.clone(), text.clone());
                added.map_err(|error| self.template_fault(name, &error))?;
            }
            Ok(environment)
        };
        self.compiled[usize::from(with_own)].get_or_init(compile).as_ref().map_err(Clone::clone)
    }

    /// Returns a hash of all files of the language and of its fallback, which changes if any of
    /// them does.
    pub(crate) fn files_hash(&self) -> String {
        let mut hash = Sha256::new_with_prefix(&self.tag);
        for files in [&self.own_files, &self.shipped_files, &*self.fallback_files] {
            for part in files.iter().flat_map(|(name, text)| [name, text]) {
                hash.update(part.len().to_be_bytes());
                hash.update(part);
            }
        }
        data_encoding::HEXLOWER.encode(&hash.finalize())
    }

    pub(crate) fn game_name(&self, kind: &str) -> String {
        self.localizer.localize_key(&format!("game-{kind}"))
    }

    /// Translates an order from English into this language, for letters that show orders that the
    /// reader can send back.
    pub(crate) fn localize_order(&self, kind: &str, line: &str) -> String {
        self.lexicons.lexicon_for_game(kind).translate_from_english(line)
    }

    /// Renders a sentence that names no players.
    pub fn localize(&self, message: &Message) -> String {
        self.localizer.localize(message, &People::NOBODY)
    }

    /// Whether this language or English has a sentence with this key.
    pub fn has_sentence(&self, key: &str) -> bool {
        self.localizer.has_sentence(key)
    }

    /// Renders a sentence for an observer. `names` are the players' names by seat.
    pub fn localize_for_observer(&self, message: &Message, names: &[String]) -> String {
        self.localize_for(message, names, None)
    }

    /// Renders a sentence for the player of the seat `you`, who is addressed as "you", or for an
    /// observer if `you` is `None`. `names` are the players' names by seat.
    pub fn localize_for(&self, message: &Message, names: &[String], you: Option<Seat>) -> String {
        self.localizer.localize(message, &People { names, you })
    }

    /// Renders a template. If the club's own template fails, the one inside the binary is used, so
    /// that the letter is not lost.
    pub(super) fn render_template(&self, name: &str, context: &minijinja::Value) -> String {
        self.try_render_template(true, name, context)
            .or_else(|_| self.try_render_template(false, name, context))
            .unwrap_or_else(|fault| format!("[{fault}]"))
    }

    /// Renders a template. `with_own` says whether the club's own files take precedence.
    pub(super) fn try_render_template(
        &self,
        with_own: bool,
        name: &str,
        context: &minijinja::Value,
    ) -> Result<String, TemplateFault> {
        let template = self.compiled_templates(with_own)?.get_template(name);
        let filled = template.and_then(|template| template.render(context.clone()));
        filled.map_err(|error| self.template_fault(name, &error))
    }

    fn template_fault(&self, name: &str, error: &minijinja::Error) -> TemplateFault {
        let place = error.line().map(|line| format!("line {line}: ")).unwrap_or_default();
        let what = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
        let file = format!("{}/{}", self.tag, error.name().unwrap_or(name));
        TemplateFault { file, what: format!("{place}{what}") }
    }
}
