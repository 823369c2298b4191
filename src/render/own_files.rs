//! Finds the parts of a club's own text files that no letter will ever use.
//!
//! These faults lose no letter, so Fluent and minijinja do not report them. Faults that they do
//! report, such as a syntax error, already stop the loading of the files.

use super::language_files::{
    LEXICON_FILE, LanguageFiles, has_template_extension, is_lexicon, is_template, list_files,
};
use super::library::TemplateFault;
use crate::rules::{GameRegistry, nearest_word};
use minijinja::Environment;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// All variables that some template gets, and the built-in names of minijinja. A template that uses
/// any other name is at fault.
const TEMPLATE_VARIABLES: &str = "\
    answer awaited backdrop block blocks board campaigns club colours columns entries facts feed \
    file finished folder footer forms games how intro language lead lines marker names open page \
    pages picture_width piece plain plain_taps players plot preheader private proof public rating \
    records results revealed root rounds rules running seat seats sections shows_board subject \
    taps title turn updated url debug dict loop namespace range self super";

const MARKDOWN_FILES: [&str; 3] = ["help.txt", "orders.txt", "rules.txt"];

/// Finds the files that are never read: those outside of a language's folder, and those with
/// another extension than `ftl`, `txt` and `html`.
pub(super) fn find_unread_files(own: &Path) -> Result<Vec<TemplateFault>, TemplateFault> {
    let stray = |path: &std::path::PathBuf| {
        let what = match path.parent() == Some(own) {
            true => "no letter uses a file here; move it into a language's folder, such as en",
            false if has_template_extension(path) => return None,
            false => "no letter uses it: the file name must end in .ftl, .txt or .html",
        };
        let file = path.strip_prefix(own).unwrap_or(path).display().to_string();
        Some(TemplateFault { file, what: what.to_owned() })
    };
    Ok(list_files(own)?.iter().filter_map(stray).collect())
}

/// Checks one language's own files against the English files that ship with the program.
pub(super) fn find_faults_in_own_files(
    tag: &str,
    files: &LanguageFiles,
    shipped: &LanguageFiles,
    games: GameRegistry,
) -> Vec<TemplateFault> {
    let ours = arguments_by_sentence(shipped);
    let own: Vec<(&String, SentenceSource)> = fluent_sentences(files).collect();
    let said: BTreeSet<&String> =
        own.iter().flat_map(|(_, sentence)| &sentence.references).collect();
    let unsaid = own.iter().filter(|(_, sentence)| !said.contains(&sentence.key));
    let mut faults: Vec<(&String, String)> = unsaid
        .flat_map(|(name, sentence)| {
            sentence_faults(sentence, &ours, games).map(move |what| (*name, what))
        })
        .collect();
    let lexicons = files.keys().filter(|name| is_lexicon(name));
    for (name, folder) in lexicons.filter_map(|name| Some((name, name.strip_suffix(LEXICON_FILE)?)))
    {
        let id = folder.trim_end_matches('/');
        if !id.is_empty() && games.find_kind(id).is_none() {
            let what = "no letter uses it: no game has this folder's name";
            faults.push((name, what.to_owned()));
        }
    }
    let templates = || files.iter().filter(|(name, _)| is_template(name));
    let included: BTreeSet<&str> = templates().flat_map(|(_, text)| text.split('"')).collect();
    let mut names: BTreeSet<&str> = TEMPLATE_VARIABLES.split(' ').collect();
    names.extend(
        files.values().chain(shipped.values()).flat_map(|text| names_set_by_template(text)),
    );
    for (name, text) in templates() {
        if !shipped.contains_key(name) && !included.contains(name.as_str()) {
            let near = did_you_mean(name, shipped.keys().filter(|name| !name.ends_with(".ftl")));
            faults.push((name, format!("no letter uses a file of this name{near}")));
            continue;
        }
        let terms = find_term_keys(text).into_iter().filter(|(key, _)| {
            !ours.contains_key(key) && !own.iter().any(|(_, sentence)| sentence.key == *key)
        });
        let terms = terms.map(|(key, line)| {
            let near = did_you_mean(&key, ours.keys());
            format!("line {line}: there is no sentence {key}{near}")
        });
        let all = find_unknown_variables(name, text, &names).into_iter().chain(terms);
        let is_markdown = MARKDOWN_FILES.iter().any(|end| name.ends_with(end));
        let layout = if is_markdown { find_old_layout_faults(text) } else { Vec::new() };
        faults.extend(all.chain(layout).map(|what| (name, what)));
    }
    let fault = |(name, what): (&String, _)| TemplateFault { file: format!("{tag}/{name}"), what };
    faults.into_iter().map(fault).collect()
}

fn fluent_files(files: &LanguageFiles) -> impl Iterator<Item = (&String, &String)> {
    files.iter().filter(|(name, _)| name.ends_with(".ftl"))
}

fn fluent_sentences(files: &LanguageFiles) -> impl Iterator<Item = (&String, SentenceSource)> {
    fluent_files(files).flat_map(|(name, text)| {
        parse_sentences(text).into_iter().map(move |sentence| (name, sentence))
    })
}

/// Returns the arguments that each shipped sentence gets: those that it uses, and those that only
/// its comment names. A club's sentence may use both.
fn arguments_by_sentence(shipped: &LanguageFiles) -> BTreeMap<String, BTreeSet<String>> {
    let used = fluent_sentences(shipped).map(|(_, sentence)| {
        let names = sentence.arguments.into_iter().map(|(name, _)| name);
        (sentence.key, names.collect::<BTreeSet<_>>())
    });
    let mut arguments: BTreeMap<_, _> = used.collect();
    for (_, text) in fluent_files(shipped) {
        for (key, names) in arguments_in_comments(text) {
            arguments.entry(key).or_default().extend(names);
        }
    }
    arguments
}

/// Returns the arguments that comments name, by sentence. A comment with `#` is about the sentence
/// directly below it, and a block with `##` about all sentences up to the next such block.
fn arguments_in_comments(text: &str) -> Vec<(String, Vec<String>)> {
    let names_in = |comment: &str| -> Vec<String> {
        let after_dollar = comment.split('$').skip(1);
        after_dollar.map(leading_name).collect()
    };
    let (mut of_group, mut of_next, mut found) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_in_group_comment = false;
    for line in text.lines() {
        let continues_group_comment = is_in_group_comment;
        is_in_group_comment = line.starts_with("##");
        if let Some(comment) = line.strip_prefix("##") {
            if !continues_group_comment {
                of_group.clear();
            }
            of_group.extend(names_in(comment));
        } else if let Some(comment) = line.strip_prefix('#') {
            of_next.extend(names_in(comment));
        } else if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let key = line.split_once('=').map_or(line, |(key, _)| key).trim().to_owned();
            found.push((key, [&*of_group, &*std::mem::take(&mut of_next)].concat()));
        } else if line.is_empty() {
            of_next.clear();
        }
    }
    found
}

/// Finds the faults of one of the club's sentences: an unknown key, or an argument that the shipped
/// sentence does not have.
fn sentence_faults(
    sentence: &SentenceSource,
    ours: &BTreeMap<String, BTreeSet<String>>,
    games: GameRegistry,
) -> impl Iterator<Item = String> {
    let SentenceSource { key, line, .. } = sentence;
    // A heading may have a variant for each game, such as `heading-private-off-the-rails`, so a
    // variant is checked against the general heading.
    let of_game = games.ids().find_map(|id| key.strip_suffix(&format!("-{id}")));
    let general = of_game.filter(|general| general.starts_with("heading-"));
    let given = ours.get(key).or_else(|| ours.get(general?));
    let unsaid = given.is_none().then(|| {
        let near = did_you_mean(key, ours.keys());
        format!("line {line}: no letter uses the sentence {key}{near}")
    });
    let wrong = given.into_iter().flat_map(move |given| {
        let wrong = sentence.arguments.iter().filter(|(name, _)| !is_known_argument(name, given));
        wrong.map(move |(name, line)| {
            let has: Vec<String> = given.iter().map(|name| format!("${name}")).collect();
            let near = did_you_mean(name, given);
            let has = if has.is_empty() { "none".to_owned() } else { has.join(", ") };
            format!("line {line}: {key} has no argument ${name}{near} (it has {has})")
        })
    });
    unsaid.into_iter().chain(wrong)
}

/// Whether a shipped sentence gets the argument `name`. The argument `who`, a person, always comes
/// with `who-is`.
fn is_known_argument(name: &str, given: &BTreeSet<String>) -> bool {
    let person = name.strip_suffix("-is").unwrap_or(name);
    [name, person, &format!("{name}-is")].into_iter().any(|name| given.contains(name))
}

/// Finds the variables in one of the club's templates that no template is given. The caller has
/// compiled the template before, so it has no syntax errors.
fn find_unknown_variables(name: &str, text: &str, names: &BTreeSet<&str>) -> Vec<String> {
    let mut environment = Environment::new();
    let _compiled_before = environment.add_template(name, text);
    let Ok(template) = environment.get_template(name) else { return Vec::new() };
    let asked: BTreeSet<String> = template.undeclared_variables(false).into_iter().collect();
    let unknown = asked.iter().filter(|name| !names.contains(name.as_str()));
    unknown
        .map(|variable| {
            let line = line_number_of_word(text, variable);
            format!("line {line}: there is no variable {variable}{}", did_you_mean(variable, names))
        })
        .collect()
}

/// Finds headings and columns in the format that was used before these files were Markdown, and
/// suggests the change. Letters would show them as paragraphs.
fn find_old_layout_faults(text: &str) -> Vec<String> {
    let mut item = None;
    let mut faults = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let body = line.trim();
        let indent = line.len() - line.trim_start().len();
        item = match item {
            _ if body.starts_with("- ") => Some(indent),
            item => item.filter(|item| indent > *item),
        };
        if item.is_some() || body.is_empty() || body.starts_with(['#', '|', '{']) {
            continue;
        }
        let head = body.split(" - ").next().unwrap_or_default();
        let letters = || head.chars().filter(|c| c.is_alphabetic());
        let cells: Vec<&str> = body.split("  ").map(str::trim).filter(|c| !c.is_empty()).collect();
        if line.starts_with("  ") || cells.len() > 1 {
            let row = cells.join(" | ");
            faults.push(format!("line {number}: write columns as a row: \"| {row} |\""));
        } else if letters().count() > 2 && letters().all(char::is_uppercase) {
            faults.push(format!("line {number}: write the heading as \"# {body}\""));
        }
    }
    faults
}

/// Returns the names that a template sets. An included template may use them too.
fn names_set_by_template(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let names = text.split("{%").filter_map(|part| {
        let rest = part.trim_start_matches(['-', '+', ' ']).strip_prefix("set ")?;
        rest.split(['=', '%']).next()
    });
    names.flat_map(move |names| names.split(move |c| !is_name(c))).filter(|name| !name.is_empty())
}

/// Returns the first line, counted from 1, that contains a name as a whole word. Returns 1 if there
/// is none.
fn line_number_of_word(text: &str, name: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let holds = |line: &str| line.split(|c| !is_word(c)).any(|word| word == name);
    text.lines().position(holds).map_or(1, |at| at + 1)
}

/// Returns the keys of the sentences that a template uses as `"key"|term`, with their line numbers
/// from 1.
fn find_term_keys(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let mut parts = line.split('"').skip(1);
        while let (Some(key), Some(after)) = (parts.next(), parts.next()) {
            let filter = after.trim_start().strip_prefix('|').map(str::trim_start);
            if filter.is_some_and(|filter| filter.starts_with("term")) {
                found.push((key.to_owned(), number));
            }
        }
    }
    found
}

fn did_you_mean<'a>(
    written: &str,
    known: impl IntoIterator<Item = &'a (impl AsRef<str> + 'a)>,
) -> String {
    let known = known.into_iter().map(AsRef::as_ref);
    nearest_word(written, known).map_or_else(String::new, |near| format!("; did you mean {near}?"))
}

#[derive(Default)]
struct SentenceSource {
    key: String,
    /// The line number of the sentence in its file, from 1.
    line: usize,
    /// The arguments that the sentence uses, with the line numbers of their uses.
    arguments: Vec<(String, usize)>,
    /// The keys of other sentences that the sentence includes.
    references: BTreeSet<String>,
}

/// Returns the sentences of a Fluent text. Terms (`-name`) are skipped, because only sentences of
/// the same folder use them.
fn parse_sentences(text: &str) -> Vec<SentenceSource> {
    let mut found: Vec<SentenceSource> = Vec::new();
    let mut is_inside = false;
    let mut depth = 0;
    for (line, number) in text.lines().zip(1..) {
        let mut rest = line;
        if depth == 0
            && line.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '#'))
        {
            let message = line.split_once('=').filter(|_| !line.starts_with(['-', '#']));
            is_inside = message.is_some();
            if let Some((key, value)) = message {
                let key = key.trim().to_owned();
                found.push(SentenceSource { key, line: number, ..SentenceSource::default() });
                rest = value;
            }
        }
        if is_inside && let Some(sentence) = found.last_mut() {
            collect_line_references(rest, number, &mut depth, sentence);
        }
    }
    found
}

/// Returns the name of an argument or a sentence that the text begins with. Empty if there is none.
fn leading_name(text: &str) -> String {
    text.chars().take_while(|&c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect()
}

/// Collects the arguments and references in one line of a sentence. `depth` is the number of open
/// braces before the line, and is updated.
fn collect_line_references(
    line: &str,
    number: usize,
    depth: &mut usize,
    sentence: &mut SentenceSource,
) {
    let mut rest = line;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        let name = || leading_name(rest);
        match c {
            '{' => *depth += 1,
            '}' => *depth = depth.saturating_sub(1),
            // A string literal may contain a brace, so it is skipped.
            '"' if *depth > 0 => rest = rest.split_once('"').map_or("", |(_, rest)| rest),
            '$' if *depth > 0 => sentence.arguments.push((name(), number)),
            c if *depth > 0 && before == '{' && c.is_ascii_alphabetic() => {
                sentence.references.insert(format!("{c}{}", name()));
            }
            _ => {}
        }
        if !c.is_whitespace() {
            before = c;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::SHIPPED;

    #[test]
    fn shipped_templates_use_only_given_variables() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
        let library = crate::render::Library::embedded().expect("the words ship");
        let faults = library.find_unused_templates(Path::new(root)).expect("they can be read");
        assert_eq!(faults, []);
        assert_eq!(library.game_kinds_without_name(), []);
    }

    #[test]
    fn old_layout_is_reported_with_markdown_replacement() {
        let text = "{{ club }}\n# A\nTHE AIM - in short\n  - one\n    and more\n  \
                    help   this card\n{% if club %}\n  zone Europe/Madrid\n| a | b |\n\
                    No text.\n";
        let files = LanguageFiles::from([("help.txt".to_owned(), text.to_owned())]);
        let told = find_faults_in_own_files("en", &files, &files, SHIPPED)
            .into_iter()
            .map(|fault| fault.to_string());
        assert_eq!(
            told.collect::<Vec<_>>(),
            [
                "en/help.txt: line 3: write the heading as \"# THE AIM - in short\"",
                "en/help.txt: line 6: write columns as a row: \"| help | this card |\"",
                "en/help.txt: line 8: write columns as a row: \"| zone Europe/Madrid |\"",
            ]
        );
    }

    #[test]
    fn parsed_sentences_have_key_line_and_arguments() {
        let text = "# said = no\na = It costs $5, { $who } says { \"{ $x\" }.\n\n-term = { $y }\n\
                    b-c =\n  { $n ->\n    [one] { a }\n   *[other] { $m } of them\n  } end\n";
        let found = parse_sentences(text);
        let keys: Vec<(&str, usize)> = found.iter().map(|s| (s.key.as_str(), s.line)).collect();
        assert_eq!(keys, [("a", 2), ("b-c", 5)]);
        assert_eq!(found[0].arguments, [("who".to_owned(), 2)]);
        assert_eq!(found[1].arguments, [("n".to_owned(), 6), ("m".to_owned(), 8)]);
        assert!(found[1].references.contains("a"));
    }

    #[test]
    fn arguments_in_comments_belong_to_sentences_below() {
        let text = "## Subjects.\n## $by: the deadline.\n# $who moves.\na = A\nb = B\n\n# $free\n\n\
                    c =\n    C { $x }\n## Others\nd = D\n";
        let found = arguments_in_comments(text);
        let found: Vec<_> = found.iter().map(|(key, names)| (&**key, names.join(" "))).collect();
        assert_eq!(
            found,
            [("a", "by who"), ("b", "by"), ("c", "by"), ("d", "")]
                .map(|(key, names)| (key, names.to_owned()))
        );
        let shipped = LanguageFiles::from([("a.ftl".to_owned(), text.to_owned())]);
        let own = LanguageFiles::from([("a.ftl".to_owned(), "d = { $by }\na = { $who }\n".into())]);
        let faults = find_faults_in_own_files("en", &own, &shipped, SHIPPED);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].what.starts_with("line 1: d has no argument $by"), "{faults:?}");
    }
}
