//! Tests that a new game has all the files and tests that `docs/developers.md` asks for.

use postrider::games::GAMES;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn package_root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read_text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_game_has_its_files_and_tests() {
    let contract = read_text(&package_root().join("tests/parts/contract.rs"));
    let house = read_text(&package_root().join("templates/en/house.ftl"));
    for kind in GAMES {
        let id = kind.id();
        let name = format!("game-{id} = ");
        let is_named = house.lines().any(|line| line.starts_with(&name));
        assert!(is_named, "templates/en/house.ftl does not say {name}");
        let test = format!("fn {}()", id.replace('-', "_"));
        assert!(contract.contains(&test), "tests/parts/contract.rs has no {test}");
        let shipped = read_text(&package_root().join(format!("games/{id}.yaml")));
        assert_eq!(shipped, kind.shipped_definition(), "the registry and games/{id}.yaml differ");
        for file in [
            format!("templates/en/{id}.ftl"),
            format!("templates/en/{id}/public.txt"),
            format!("templates/en/{id}/private.txt"),
            format!("templates/en/{id}/rules.txt"),
            format!("templates/en/{id}/orders.txt"),
            format!("tests/playthroughs/{id}-{}.txt", kind.allowed_seat_counts().start()),
            format!("tests/golden_games/{id}-{}.txt", kind.allowed_seat_counts().start()),
            format!("tests/golden_games/{id}-{}.txt", kind.allowed_seat_counts().end()),
        ] {
            assert!(package_root().join(&file).exists(), "{file} is missing");
        }
    }
}

/// A game replaces a common heading by one whose key ends with the game's id. A key with any other
/// ending would never be used.
#[test]
fn game_headings_override_common_headings() {
    let folder = fs::read_dir(package_root().join("templates/en")).expect("a folder");
    let files = folder.map(|entry| entry.expect("an entry").path());
    let sentences: Vec<String> =
        files.filter(|path| path.is_file()).map(|path| read_text(&path)).collect();
    let keys = sentences.iter().flat_map(|text| text.lines());
    let keys = keys.filter_map(|line| line.split_once(" = ").map(|(key, _)| key));
    let headings: BTreeSet<&str> = keys.filter(|key| key.starts_with("heading-")).collect();
    let game_headings = headings
        .iter()
        .filter(|key| headings.iter().any(|common| key.starts_with(&format!("{common}-"))));
    let game_headings: Vec<&&str> = game_headings.collect();
    let is_of_a_game = |key: &&&str| {
        GAMES.iter().any(|kind| {
            let common = key.strip_suffix(kind.id()).and_then(|key| key.strip_suffix('-'));
            common.is_some_and(|common| headings.contains(common))
                || headings.contains(&*format!("{key}-{}", kind.id()))
        })
    };
    let lost: Vec<_> = game_headings.iter().filter(|key| !is_of_a_game(key)).collect();
    assert!(!game_headings.is_empty() && lost.is_empty(), "no game has these headings: {lost:?}");
}

/// Returns the texts between brackets, such as those of lists.
fn bracketed_lists(text: &str) -> Vec<&str> {
    let (mut open, mut lists) = (Vec::new(), Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '[' => open.push(at),
            ']' => lists.extend(open.pop().map(|from| &text[from..at])),
            _ => {}
        }
    }
    lists
}

/// Some tests list the games by name, because they need an order of each. A list that has all games
/// but one is probably a mistake.
#[test]
fn no_list_omits_exactly_one_game() {
    let mut found = Vec::new();
    let mut folders =
        ["tests", "src", "benches", "fuzz/fuzz_targets"].map(|to| package_root().join(to)).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.extend(bracketed_lists(&read_text(&path)).into_iter().filter_map(|list| {
                    let is_named = |id: &str| list.contains(&format!("\"{id}\""));
                    let (named, others): (Vec<&str>, Vec<&str>) =
                        GAMES.iter().map(|kind| kind.id()).partition(|id| is_named(id));
                    let lacks = others.len() == 1 && named.len() > 1;
                    lacks.then(|| format!("{}: {} after {named:?}", path.display(), others[0]))
                }));
            }
        }
    }
    assert!(found.is_empty(), "lists that lack a game:\n{}", found.join("\n"));
}
