//! Every sentence key that the program uses exists and every sentence is used. Faults in a club's
//! own templates are reported before they can stop a letter.

use crate::rig::{self, Club};
use assert_cmd::Command;
use chrono::TimeDelta;
use postrider::games::{GAMES, find_kind};
use postrider::process::{self, FoundingResult, Player};
use postrider::render::Library;
use postrider::rules::{Message, Seed};
use postrider::table::GameSetup;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Words that look like keys of sentences but are none.
const NOT_KEYS: &[&str] = &[
    "automatic-action",
    "dry-run",
    "lead-in",
    "lead-in-opening",
    "lead-ins",
    "letter-part",
    "main-clause",
    "moderator-reads",
    "order-condition",
    "other-clause",
    "own-notes",
    "postrider-demo",
    "stand-in",
    "turn-ends",
    "utf-8",
    "whole-line",
    "whole-line-below",
    "you-alone",
];

/// The prefixes of the keys that the mail layer uses. Other words with hyphens in that layer are
/// names of headers.
const MAIL_KEY_PREFIXES: &[&str] =
    &["held-", "doubt-", "ignored-", "automatic-", "unreadable-", "fault-", "way-"];

/// The prefixes of keys that the program composes from a prefix and a name of the game.
const COMPOSED_KEY_PREFIXES: &[&str] =
    &["game-", "heading-board-", "heading-private-", "short-", "tr-"];

/// Collects all quoted words with hyphens from the files with this ending, because they look like
/// keys. This finds keys wherever a source keeps them: in calls, tables or matches.
fn collect_keys(folder: &Path, ending: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("tests") {
            collect_keys(&path, ending, found);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            let text = fs::read_to_string(&path).expect("a source");
            let text = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let is_key = |word: &&str| {
                word.contains('-')
                    && !word.ends_with('-')
                    && word.starts_with(|c: char| c.is_ascii_lowercase())
                    && word
                        .chars()
                        .all(|c| c == '-' || c.is_ascii_lowercase() || c.is_ascii_digit())
            };
            // The names of mail headers contain hyphens too.
            let of_mail = path.components().any(|part| part.as_os_str() == "mail");
            let is_of_mail =
                |word: &&str| MAIL_KEY_PREFIXES.iter().any(|start| word.starts_with(start));
            let words = text.split('"').filter(is_key);
            let words = words.filter(|word| !of_mail || is_of_mail(word));
            found.extend(words.map(|word| (word.to_owned(), path.display().to_string())));
        }
    }
}

fn source_keys() -> BTreeMap<String, String> {
    let mut words = BTreeMap::new();
    collect_keys(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "rs", &mut words);
    let ids: Vec<&str> = GAMES.iter().map(|kind| kind.id()).collect();
    words.retain(|word, _| !NOT_KEYS.contains(&word.as_str()) && !ids.contains(&word.as_str()));
    assert!(words.len() > 700, "the sources name only {} keys", words.len());
    words
}

#[test]
fn every_sentence_key_exists_in_every_language() {
    let library = Library::embedded().expect("the words are in the binary");
    let keys = source_keys();
    let tags: Vec<&str> = library.language_tags().collect();
    assert!(tags.contains(&"en"), "{tags:?}");
    for tag in tags {
        let language = library.language(tag);
        let missing: Vec<_> = keys.iter().filter(|(key, _)| !language.has_sentence(key)).collect();
        assert!(missing.is_empty(), "without a sentence in {tag}: {missing:#?}");
        for kind in GAMES {
            assert!(
                language.has_sentence(&format!("game-{}", kind.id())),
                "{} has no name",
                kind.id()
            );
        }
    }
}

#[test]
fn every_sentence_is_used() {
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/en");
    let mut said = source_keys();
    ["txt", "html"].iter().for_each(|ending| collect_keys(&templates, ending, &mut said));
    let (mut sentences, mut dead) = (0, Vec::new());
    for entry in fs::read_dir(&templates).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "ftl") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("sentences");
        for key in text.lines().filter_map(|line| line.split_once(" =").map(|(key, _)| key)) {
            if !key.starts_with(|c: char| c.is_ascii_lowercase()) || !key.contains('-') {
                continue;
            }
            sentences += 1;
            let is_said = said.contains_key(key)
                || COMPOSED_KEY_PREFIXES
                    .iter()
                    .any(|start| key.starts_with(start) && key != *start);
            dead.extend((!is_said).then(|| key.to_owned()));
        }
    }
    assert!(sentences > 700, "only {sentences} sentences");
    assert_eq!(dead, [] as [String; 0]);
}

#[test]
fn club_templates_override_sentences() {
    let folder = postrider::testing::create_folder();
    let own = folder.path().join("en");
    fs::create_dir_all(&own).expect("a folder");
    fs::write(own.join("house.ftl"), "turn-yours = Your move, dear friend.\n").expect("written");
    let library = Library::load(postrider::games::SHIPPED, folder.path()).expect("it loads");
    let said = |key| library.language("en").localize(&Message::new(key));
    assert_eq!(said("turn-yours"), "Your move, dear friend.");
    assert_eq!(said("game-over"), "The game is over.");
}

#[test]
fn template_error_names_file_and_line() {
    let club = rig::Club::new();
    let own = club.folder().join("templates/en");
    fs::create_dir_all(&own).expect("a folder");
    for (file, text, fault) in [
        ("letter.txt", "{{ marker }}\n{% for line in intro %}\n", "en/letter.txt: line"),
        ("letter.txt", "{{ marker }}\n{{ nothing_of_this_name }}\n", "letter.txt: line 2"),
        ("letter.txt", "{% for x in range(9999999) %}{% endfor %}", "letter.txt"),
        ("bundle.html", "{% if lead %}{{ gone }}{% endif %}", "en/bundle.html: line 1"),
        ("house.ftl", "turn-yours = yes\nmarker = { $\n", "en/house.ftl: line 2"),
        ("paris-connection/public.txt", "\n{{ public.gone }}", "public.txt: line 2"),
    ] {
        let path = own.join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, text).expect("written");
        for command in ["doctor", "tick"] {
            let mut run = Command::new(env!("CARGO_BIN_EXE_postrider"));
            let folder = club.folder().to_string_lossy().into_owned();
            let output = run.args(["-C", &folder, command]).output().expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(78), "{file}: {said}");
            assert!(said.contains(fault), "{file}: {said}");
        }
        fs::remove_file(&path).expect("removed");
    }
}

#[test]
fn doctor_finds_unused_and_misspelled_sentences() {
    let club = rig::Club::new();
    let own = club.folder().join("templates");
    let write = |file: &str, text: &str| {
        let path = own.join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("written");
    };
    // All of these are valid and used.
    write("en/house.ftl", "turn-yours = Your move.\nheading-talk-off-the-rails = Voices\n");
    write("en/more.ftl", "our-club = we\ngame-over = { our-club } are done.\n");
    write(
        "en/letter.txt",
        "{% include \"top.txt\" %}{% for b in blocks %}{{ b.text }}{% endfor %}\n",
    );
    write("en/top.txt", "{{ marker }}\n");
    let doctor = |club: &rig::Club| {
        let (_, said) = rig::postrider_program::run_postrider(
            club.folder(),
            "2026-01-05T18:00:00Z",
            &["doctor"],
        );
        let from = said.find("  templates ").expect("a line about words") - 4;
        let said = said.get(from..).unwrap_or_default();
        let ends = |line: &str| line.starts_with("ok ") || line.starts_with("FIX ");
        let rest = said.lines().skip(1).take_while(|line| !ends(line));
        std::iter::once(said.lines().next().unwrap_or_default())
            .chain(rest)
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert!(doctor(&club).starts_with("ok "), "{}", doctor(&club));
    write(
        "en/bad.ftl",
        "turn-yuors = x\n\nsubject =\n  { $game } { $nubmer }\ngame-off-the-rails = { \"\" }\n",
    );
    write(
        "en/help.txt",
        "{{ club }}\n{% if false %}{{ clubb }}{% endif %}\n{{ \"markr\"|term }}\n",
    );
    write("en/lettre.txt", "x");
    write("en/letter.html.bak", "x");
    write("letter.txt", "x");
    let said = doctor(&club);
    assert!(said.starts_with("FIX "), "{said}");
    for told in [
        "templates/en/bad.ftl: line 1: no letter uses the sentence turn-yuors; did you mean \
         turn-yours?",
        "templates/en/bad.ftl: line 4: subject has no argument $nubmer; did you mean number?",
        "templates/en/help.txt: line 2: there is no variable clubb; did you mean club?",
        "templates/en/help.txt: line 3: there is no sentence markr; did you mean marker?",
        "templates/en/lettre.txt: no letter uses a file of this name; did you mean letter.txt?",
        "templates/en/letter.html.bak: no letter uses it: the file name must end in",
        "templates/letter.txt: no letter uses a file here; move it into a language's folder",
        "off-the-rails has no name in en: add game-off-the-rails",
    ] {
        assert!(said.contains(told), "{told}\n{said}");
    }
    write("en/twice.ftl", "turn-yuors = y\n");
    let (code, said) =
        rig::postrider_program::run_postrider(club.folder(), "2026-01-05T18:00:00Z", &["doctor"]);
    assert_eq!(code, Some(78));
    assert!(said.contains("en/twice.ftl: line 1: turn-yuors is defined twice"), "{said}");
}

#[test]
fn letters_with_longest_names_fit_width() {
    let mut club =
        Club::with_settings("clock: {deadline: 20 hours, nmr: forfeit, reminders: []}\n");
    for kind in GAMES.iter().copied() {
        let seats = *kind.allowed_seat_counts().end();
        let options = BTreeMap::new();
        let setup =
            GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats };
        let player = |name: &&str| Player {
            name: format!("Maximiliana Bartholomea von {name} zu Habsburg"),
            address: rig::address(name),
        };
        let players: Vec<Player> = rig::NAMES.iter().take(seats.into()).map(player).collect();
        let found =
            process::found_game(&club.open_context(), setup, &players, &Seed::from_number(7));
        assert!(matches!(found, Ok(FoundingResult::Game(_))));
        for player in &players {
            process::change_member_setting(&club.open_context(), &player.address, "letters all")
                .expect("set");
        }
    }
    // The rig checks the width of every letter.
    let mut posted = 0;
    for _ in 0..16 {
        club.now += TimeDelta::hours(20);
        posted += club.run_pass().1.len();
    }
    assert!(posted > 150, "{posted}");
}

#[test]
fn old_custom_templates_work_and_show_no_tokens() {
    let mut club = Club::with_settings("");
    let own = club.folder().join("templates/en");
    fs::create_dir_all(&own).expect("a folder");
    for (file, text) in [
        (
            "letter.html",
            "<b>{{ preheader }}</b>{% include \"letter-body.html\" %}{% for line in footer %}{{ \
             line }}<br>{% endfor %}{% if taps %}{{ taps.how }}{% endif %}",
        ),
        ("letter-part.html", "{% include \"letter-body.html\" %}{{ facts[0] }}"),
        (
            "bundle.html",
            "{{ lead }}{% for game in games %}<h1>{{ game.title }}</h1>{{ how }} <a href=\"{{ \
             game.link }}\">{{ game.reply }}</a>{% for html in game.htmls %}{{ html | safe }}{% \
             endfor %}{% endfor %}",
        ),
    ] {
        fs::write(own.join(file), text).expect("written");
    }
    let library = Library::load(postrider::games::SHIPPED, &club.folder().join("templates"))
        .expect("it loads");
    assert_eq!(
        library.find_unused_templates(&club.folder().join("templates")).expect("it reads"),
        []
    );
    for _ in 0..2 {
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.set_preference("Bob", "letters digest");
    // The rig searches every letter for reply tokens.
    let (_, letters) = club.run_pass();
    for (name, lead, times) in [("Ann", "x27;s your turn.", 2), ("Bob", "Ann&#x27;s turn.", 2)] {
        let pages: String =
            rig::letters_to(&letters, name).into_iter().map(rig::letter_links::html_page).collect();
        let shown = pages.matches(&format!("{lead}</p>")).count();
        assert_eq!(shown, times, "{name}: {pages}");
    }
}
