//! All words of the program, by language: those inside the binary, and a club's own over them.

use super::sentences::{FluentFile, Localizer, People, SentenceListener};
use super::{Page, own_files, templates, trial_letters};
use crate::club::press::{AND_WORD, EVERYBODY_WORDS};
use crate::club::{ConsentWords, Lexicons, RefusalWords, ReservedNames};
use crate::games;
use crate::rules::{Message, Seat, Seed};
use crate::table::{GameSetup, Table};
use chrono::{DateTime, Utc};
use include_dir::{Dir, include_dir};
use minijinja::Environment;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// The language that every other one falls back to.
const DEFAULT_LANGUAGE: &str = "en";

/// The file of the words in which lines may be written, for the house and, in a game's folder, for
/// the game.
pub(super) const LEXICON_FILE: &str = "lexicon.txt";

/// One word of so many must be known for a text to be of a language.
const KNOWN_WORDS_DIVISOR: usize = 4;

/// The words of every language.
pub struct Library {
    english: Language,
    others: BTreeMap<String, Language>,
}

/// One language's sentences and letters.
pub struct Language {
    pub(super) tag: String,
    pub(super) localizer: Arc<Localizer>,
    /// The words in which lines may be written.
    pub(super) lexicons: Lexicons,
    /// The club's own files of the language, and those inside the binary.
    own_files: LanguageFiles,
    shipped_files: LanguageFiles,
    /// Those of the first language, which all others fall back to.
    fallback_files: Arc<LanguageFiles>,
    /// The compiled templates. The first holds those inside the binary, which serve if a club's own
    /// fails. The second has the club's own over them. Each is compiled when it is first used.
    compiled: [OnceLock<Result<Environment<'static>, TemplateFault>>; 2],
}

/// What is wrong with a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {what}")]
pub struct TemplateFault {
    /// Which file, below the folder of templates.
    pub(crate) file: String,
    /// What is wrong, with its line.
    pub what: String,
}

/// Files of one language by their path below it, such as `letter.txt`.
pub(super) type LanguageFiles = BTreeMap<String, String>;

impl Library {
    /// The words inside the binary alone, read once by a process: a club that is opened again and
    /// again reads nothing twice.
    ///
    /// # Errors
    /// Never in a program that passed its tests.
    pub fn embedded() -> Result<Arc<Self>, TemplateFault> {
        static LIBRARY: OnceLock<Result<Arc<Library>, TemplateFault>> = OnceLock::new();
        LIBRARY.get_or_init(|| Self::read_files(None).map(Arc::new)).clone()
    }

    /// The words inside the binary, and over them those of a folder like `templates/`.
    ///
    /// # Errors
    /// The first file that cannot be read, is no Fluent or no template, or fails in a trial letter.
    pub fn load(own: &Path) -> Result<Arc<Self>, TemplateFault> {
        Self::read_files(Some(own)).map(Arc::new)
    }

    fn read_files(own: Option<&Path>) -> Result<Self, TemplateFault> {
        let mut shipped: BTreeMap<String, LanguageFiles> = BTreeMap::new();
        collect_embedded(&EMBEDDED, &mut shipped);
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
        let library = Self { english, others: others.collect::<Result<_, TemplateFault>>()? };
        // A fault in the club's own files is told before anything is written.
        if own.is_some() {
            library.try_all_templates()?;
        }
        Ok(library)
    }

    /// What a folder like `templates/` holds that no letter will ever say: files that nobody reads,
    /// sentences that nothing says, names that nothing fills in.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn find_unused(&self, own: &Path) -> Result<Vec<TemplateFault>, TemplateFault> {
        let mut shipped = BTreeMap::new();
        collect_embedded(&EMBEDDED, &mut shipped);
        let shipped = shipped.remove(DEFAULT_LANGUAGE).unwrap_or_default();
        let mut faults = own_files::find_stray_files(own)?;
        for (tag, files) in collect_folder(own)? {
            faults.extend(own_files::check_files(&tag, &files, &shipped));
        }
        Ok(faults)
    }

    /// Lets somebody hear which sentences these words say: how tests know which ones no letter
    /// shows.
    pub fn set_listener(&self, listener: SentenceListener) {
        self.tags().for_each(|tag| self.language(tag).localizer.set_listener(listener));
    }

    /// Returns the kinds of game that have no readable name in a language, each with the tag of the
    /// language.
    pub fn unnamed_games(&self) -> Vec<(&str, &'static str)> {
        let ids = || games::GAMES.iter().map(|kind| kind.id());
        let all = self.tags().flat_map(|tag| ids().map(move |id| (tag, id)));
        all.filter(|(tag, id)| {
            let name = self.language(tag).game_name(id);
            name.trim().is_empty() || name == format!("[game-{id}]")
        })
        .collect()
    }

    /// The language of this tag, or English.
    pub fn language(&self, tag: &str) -> &Language {
        self.others.get(tag).unwrap_or(&self.english)
    }

    /// The tags of all languages.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        std::iter::once(DEFAULT_LANGUAGE).chain(self.others.keys().map(String::as_str))
    }

    /// The "write above this line" of every language, and the headings of what is for one reader's
    /// eyes only: below one of them nothing is read.
    pub(crate) fn reply_markers(&self) -> Vec<String> {
        let mut markers = Vec::new();
        for words in self.tags().map(|tag| &self.language(tag).localizer) {
            markers.extend(["marker", "marker-narrow"].map(|key| words.term(key)));
            let own = games::GAMES.iter().map(|kind| format!("heading-private-{}", kind.id()));
            let private = ["heading-private", "heading-plans"].map(str::to_owned);
            for heading in private.into_iter().chain(own).filter(|key| words.has_sentence(key)) {
                // A letter of plain text has it in capitals.
                markers.push(words.term(&heading));
                markers.push(words.term(&heading).to_uppercase());
            }
        }
        markers
    }

    /// The words by which the reader of a letter in this language agrees to what it asks, and those
    /// of English, which everybody may use.
    pub(crate) fn consent_words(&self, tag: &str) -> Vec<ConsentWords> {
        let of = |language: &Language| {
            let club_words = language.lexicons.club_commands();
            let all = |term: &str, english| {
                let ways = club_words.phrases_for(english).map(str::to_owned);
                std::iter::once(language.localizer.term(term)).chain(ways).collect()
            };
            ConsentWords {
                yes_words: all("consent-yes", "yes"),
                name_prefixes: all("consent-name", "name"),
            }
        };
        vec![of(self.language(tag)), of(&self.english)]
    }

    /// Returns the words by which the reader of a letter in this language refuses all letters, and
    /// those of English.
    pub(crate) fn refusal_words(&self, tag: &str) -> Vec<RefusalWords> {
        let of = |language: &Language| {
            let all = |key: &str| {
                language.localizer.word_list(key).iter().map(|word| word.to_lowercase()).collect()
            };
            RefusalWords {
                first: all("refusal-first"),
                before: all("refusal-before"),
                anywhere: all("refusal-anywhere"),
            }
        };
        vec![of(self.language(tag)), of(&self.english)]
    }

    /// The words in which who reads this language may write his lines, beside the English ones;
    /// none where there are none of its own.
    pub(crate) fn lexicons(&self, tag: &str) -> Option<&Lexicons> {
        self.others.get(tag).map(|language| &language.lexicons)
    }

    /// The language of this tag as far as lines are written in it; the whole of its words.
    pub fn all_lexicons(&self) -> impl Iterator<Item = (&str, &Lexicons)> {
        self.others.iter().map(|(tag, language)| (tag.as_str(), &language.lexicons))
    }

    /// Returns the language that a text is written in, or `None` if too few of its words are known,
    /// or as many in one language as in another.
    pub(crate) fn detect_language(&self, text: &str) -> Option<&str> {
        let count = |tag| (self.language(tag).lexicons.count_words(text), tag);
        let mut counted: Vec<((usize, usize), &str)> = self.tags().map(count).collect();
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
    pub(crate) fn words_before_numbers(&self) -> Vec<String> {
        let words =
            self.tags().map(|tag| self.language(tag).localizer.word_list("visitor-numbered"));
        words.flatten().map(|word| word.to_lowercase()).collect()
    }

    /// Returns the words and names that nobody may be called by: those that letters of any language
    /// use for somebody else than a player, and those by which a player says who is told something.
    pub(crate) fn reserved_names(&self) -> ReservedNames {
        let mut kept = ReservedNames::default();
        for words in self.tags().map(|tag| &self.language(tag).localizer) {
            kept.whole_names
                .extend(["you", "talk-from-somebody", "talk-to-all"].map(|k| words.term(k)));
            kept.whole_names.extend(words.word_list("names-whole"));
            kept.forbidden_words.extend(words.word_list("names-without"));
            kept.inner_words.extend(words.word_list("names-not-between"));
        }
        kept.forbidden_words.extend(EVERYBODY_WORDS.map(str::to_owned));
        kept.joining_words.push(AND_WORD.to_owned());
        for (_, lexicons) in self.all_lexicons() {
            for (phrase, means) in lexicons.press().phrases() {
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

    /// Fills every template of every language with the data of a trial letter.
    fn try_all_templates(&self) -> Result<(), TemplateFault> {
        self.tags().try_for_each(|tag| trial_letters::try_templates(self.language(tag)))?;
        for kind in games::GAMES {
            let setup = GameSetup {
                kind: *kind,
                definition: kind.definition(),
                options: &BTreeMap::new(),
                seats: *kind.seats().start(),
            };
            let now = DateTime::<Utc>::UNIX_EPOCH;
            let Ok(game) = Table::found_game(setup, 1, Seed::from_number(1), now) else { continue };
            let names: Vec<String> = (1..=setup.seats).map(|n| format!("Player {n}")).collect();
            for tag in self.tags() {
                Page::new(&game, &names).try_templates(self.language(tag))?;
            }
        }
        Ok(())
    }
}

impl Language {
    /// The first language ships nothing besides what all others fall back to.
    fn new(
        tag: &str,
        [own, shipped]: [LanguageFiles; 2],
        (first, resort): (&Arc<LanguageFiles>, &[FluentFile]),
    ) -> Result<Self, TemplateFault> {
        let [owned, said] = [read_fluent_files(tag, &own)?, read_fluent_files(tag, &shipped)?];
        let words = Localizer::new(tag, &[&owned, &said, resort])?;
        let lexicons =
            read_lexicons(tag, [&own, if tag == DEFAULT_LANGUAGE { first } else { &shipped }])?;
        let (words, first) = (Arc::new(words), Arc::clone(first));
        let (tag, compiled) = (tag.to_owned(), Default::default());
        Ok(Self {
            tag,
            localizer: words,
            lexicons,
            own_files: own,
            shipped_files: shipped,
            fallback_files: first,
            compiled,
        })
    }

    /// Returns the compiled templates, with the club's own or without.
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

    /// The name of a kind of game.
    pub(crate) fn game_name(&self, kind: &str) -> String {
        self.localizer.term(&format!("game-{kind}"))
    }

    /// An order of this kind of game as a reader of this language is shown it, to be sent back.
    pub(crate) fn localize_order(&self, kind: &str, line: &str) -> String {
        self.lexicons.game(kind).translate_from_english(line)
    }

    /// A sentence without people in it.
    pub fn localize(&self, message: &Message) -> String {
        self.localizer.localize(message, &People::NOBODY)
    }

    /// Whether there is a sentence for this key.
    pub fn has_sentence(&self, key: &str) -> bool {
        self.localizer.has_sentence(key)
    }

    /// A sentence as somebody hears it who sits nowhere.
    pub fn localize_for_observer(&self, message: &Message, names: &[String]) -> String {
        self.localize_for(message, names, None)
    }

    /// Returns the sentence as the player of the seat `you` reads it, or an observer.
    pub fn localize_for(&self, message: &Message, names: &[String], you: Option<Seat>) -> String {
        self.localizer.localize(message, &People { names, you })
    }

    /// Fills a template. If the club's own one fails, the shipped one serves, so no letter is lost.
    pub(super) fn render_template(&self, name: &str, context: &minijinja::Value) -> String {
        self.try_render_template(true, name, context)
            .or_else(|_| self.try_render_template(false, name, context))
            .unwrap_or_else(|fault| format!("[{fault}]"))
    }

    /// Fills a template, which may be the club's own with `with_own`.
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

/// Reads the files of Fluent among these.
fn read_fluent_files(tag: &str, files: &LanguageFiles) -> Result<Vec<FluentFile>, TemplateFault> {
    let fluent = files.iter().filter(|(name, _)| name.ends_with(".ftl"));
    fluent.map(|(name, text)| FluentFile::read(format!("{tag}/{name}"), text)).collect()
}

/// Reads the lexicons of a language. A file of the club's own replaces the shipped one.
fn read_lexicons(
    tag: &str,
    [own, shipped]: [&LanguageFiles; 2],
) -> Result<Lexicons, TemplateFault> {
    let files = shipped.iter().chain(own).filter(|(name, _)| is_lexicon(name));
    let files: BTreeMap<&String, &String> = files.collect();
    let files = files.iter().map(|(name, text)| (name.rsplit_once('/'), text.as_str()));
    Lexicons::parse(files.map(|(path, text)| (path.map(|(game, _)| game), text))).map_err(
        |(game, what)| {
            let folder = game.map(|game| format!("{game}/")).unwrap_or_default();
            TemplateFault { file: format!("{tag}/{folder}{LEXICON_FILE}"), what }
        },
    )
}

/// Whether a file of a language holds words in which lines may be written.
pub(super) fn is_lexicon(name: &str) -> bool {
    name.rsplit('/').next() == Some(LEXICON_FILE)
}

/// Whether a file of a language is a template of letters.
pub(super) fn is_template(name: &str) -> bool {
    !name.ends_with(".ftl") && !is_lexicon(name)
}

fn collect_embedded(folder: &Dir<'_>, into: &mut BTreeMap<String, LanguageFiles>) {
    for file in folder.files() {
        insert_file(file.path(), file.contents_utf8().unwrap_or_default().to_owned(), into);
    }
    folder.dirs().for_each(|inner| collect_embedded(inner, into));
}

fn collect_folder(root: &Path) -> Result<BTreeMap<String, LanguageFiles>, TemplateFault> {
    let mut found = BTreeMap::new();
    for path in list_files(root)?.iter().filter(|path| has_text_extension(path)) {
        let text = std::fs::read_to_string(path).map_err(|error| read_fault(path, &error))?;
        insert_file(path.strip_prefix(root).unwrap_or(path), text, &mut found);
    }
    Ok(found)
}

/// Lists the files in a folder and in those within it, without hidden files and editors' backups.
pub(super) fn list_files(folder: &Path) -> Result<Vec<PathBuf>, TemplateFault> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| read_fault(folder, &error))? {
        let path = entry.map_err(|error| read_fault(folder, &error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match name.starts_with('.') || name.ends_with('~') {
            true => {}
            false if path.is_dir() => files.extend(list_files(&path)?),
            false => files.push(path),
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file is one of sentences, templates or lexicons, by the end of its name.
pub(super) fn has_text_extension(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "ftl" || end == "txt" || end == "html")
}

fn read_fault(path: &Path, error: &std::io::Error) -> TemplateFault {
    TemplateFault { file: path.display().to_string(), what: error.to_string() }
}

/// Files `en/paris-connection/rules.txt` under `en` as `paris-connection/rules.txt`.
fn insert_file(path: &Path, text: String, into: &mut BTreeMap<String, LanguageFiles>) {
    let path = path.to_string_lossy().replace('\\', "/");
    if let Some((tag, name)) = path.split_once('/') {
        into.entry(tag.to_owned()).or_default().insert(name.to_owned(), text);
    }
}
