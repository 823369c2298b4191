//! Every sentence that the program can say exists, and a club's own words cannot lose a letter.

use crate::rig;

use crate::rig::Club;
use assert_cmd::Command;
use chrono::TimeDelta;
use postrider::games::kind;
use postrider::process::{Founded, Player};
use postrider::report::Library;
use postrider::rules::{Message, Seed};
use postrider::table::Wish;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The keys that the sources name: `Message::new("key")` and `Term("key")`.
fn keys_in(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            keys_in(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source");
            let text = text.split("\n#[cfg(test)]").next().unwrap_or_default();
            for start in ["Message::new(\"", "Term(\"", ".term(\""] {
                for rest in text.split(start).skip(1) {
                    let key = rest.split('"').next().unwrap_or_default();
                    found.push((key.to_owned(), path.display().to_string()));
                }
            }
        }
    }
}

#[test]
fn every_key_has_a_sentence_in_every_language() {
    let library = Library::embedded().expect("the words are in the binary");
    let mut keys = Vec::new();
    keys_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut keys);
    assert!(keys.len() > 50, "the sources name only {} keys", keys.len());
    for tag in library.tags().collect::<Vec<_>>() {
        let language = library.language(tag);
        for (key, file) in &keys {
            let in_tests = file.contains("/tests");
            assert!(in_tests || language.knows(key), "{file}: {key} has no sentence in {tag}");
        }
        for kind in postrider::games::GAMES {
            assert!(language.knows(&format!("game-{}", kind.id())), "{} has no name", kind.id());
        }
    }
}

#[test]
fn a_club_can_say_it_in_its_own_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let own = folder.path().join("en");
    fs::create_dir_all(&own).expect("a folder");
    fs::write(own.join("house.ftl"), "turn-yours = Your move, dear friend.\n").expect("written");
    let library = Library::load(Some(folder.path())).expect("it loads");
    let said = |key| library.language("en").say(&Message::new(key));
    assert_eq!(said("turn-yours"), "Your move, dear friend.");
    assert_eq!(said("game-over"), "The game is over.");
}

#[test]
fn a_mistake_in_a_template_is_named_with_file_and_line_before_any_letter() {
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
fn the_longest_names_keep_within_the_width() {
    let mut club = Club::with("clock: {deadline: 20 hours, nmr: forfeit, reminders: []}\n");
    for (id, seats) in [("paris-connection", 6), ("trick-of-the-rails", 4), ("off-the-rails", 4)] {
        let kind = kind(id).expect("it ships");
        let options = BTreeMap::new();
        let wish = Wish { kind, definition: kind.definition(), options: &options, seats };
        let player = |name: &&str| Player {
            name: format!("Maximiliana Bartholomea von {name} zu Habsburg"),
            address: rig::address(name),
        };
        let players: Vec<Player> = rig::NAMES.iter().take(seats.into()).map(player).collect();
        let found = club.office().found(wish, &players, Seed::rehearsal(7));
        assert!(matches!(found, Ok(Founded::Game(_))));
    }
    // The rig looks at the width of every letter.
    let mut posted = 0;
    for _ in 0..16 {
        club.now += TimeDelta::hours(20);
        posted += club.pass().1.len();
    }
    assert!(posted > 150, "{posted}");
}
