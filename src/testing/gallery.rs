//! A gallery: the letters of a whole game as people see them, for the author of a game to look at.

use super::playthrough::open_playthrough;
use crate::cli::demo::render_letters_page;
use crate::render::Library;
use crate::rules::GameRegistry;
use std::fs;
use std::path::{Path, PathBuf};

/// Plays the playthrough in `file` once in each language, and writes all letters, with
/// pictures of the board, to one page per language in `folder`. Returns the paths of the pages,
/// such as `sealed-bids-3-es.html`. Open them in a browser, also in a narrow window.
///
/// # Panics
///
/// If the game cannot be played or a page cannot be written.
pub fn write_gallery(games: GameRegistry, file: impl AsRef<Path>, folder: &Path) -> Vec<PathBuf> {
    let (file, library) =
        (file.as_ref(), Library::for_games(games).expect("its texts can be read"));
    let text = fs::read_to_string(file).expect("a playthrough");
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let write_page = |tag: &str| {
        let settings = format!("language: {tag}\npictures: true\n");
        let (mut club, script) = open_playthrough(games, &text, &settings);
        script.replay(&library, &mut club, usize::MAX);
        let name = format!("{stem}-{tag}");
        let page = render_letters_page(club.folder(), &name, "").expect("letters");
        let path = folder.join(format!("{name}.html"));
        fs::write(&path, page).expect("a page");
        path
    };
    library.language_tags().map(write_page).collect()
}
