//! The folder of a club's web site, with the manifest of the files in it.
//!
//! The manifest is written last. A build that changes anything first replaces it by one that names
//! all files, but no states. So after a kill, the next build renders everything again, and knows
//! which files it may remove.

use super::{Exit, Failure};
use crate::club::PublishedSeat;
use crate::disk;
use crate::render::{GameEntry, GameResult, Site};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

const FORMAT: &str = "postrider-site/1";
const MANIFEST: &str = "postrider-site.json";
/// The name of a file while it is written.
const STAGING: &str = "postrider-site.new";

/// The files of a site and the state of the games that its pages show. It holds no names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    files: BTreeSet<String>,
    games: BTreeMap<u32, GameStamp>,
    /// The hash of everything that the pages about several games depend on. Empty if it is not
    /// known.
    lists: String,
}

/// The state of a game that its page shows, as hashes, and its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameStamp {
    /// The hash of everything that the page depends on.
    state: String,
    /// The hash of the published names.
    names: String,
    /// The result of a game that is over, so that the next build need not read its log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<GameResult>,
}

impl GameStamp {
    /// Makes the stamp of a game. `texts` is the hash of everything that all pages depend on.
    pub(crate) fn new(texts: &str, entry: &GameEntry) -> Self {
        let (state, names) = (hash_of(&(texts, entry)), hash_of(&entry.seats));
        Self { state, names, result: entry.result.clone() }
    }
}

/// An open site folder, which no other build can open at the same time.
pub(crate) struct SiteFolder {
    path: PathBuf,
    before: Manifest,
    after: Manifest,
    /// The files that this build may write.
    planned: BTreeSet<String>,
    has_changed: bool,
    _lock: File,
}

impl SiteFolder {
    /// Opens the folder and locks it. Creates it if it is missing. Refuses a folder that could hold
    /// files of somebody else.
    pub(crate) fn open(path: &Path, club: &Path) -> Result<Self, Failure> {
        // Components have no slash at the end, which would make a symbolic link look like a folder.
        let path: PathBuf = path.components().collect();
        refuse_link(&path)?;
        refuse_overlap(&path, club)?;
        disk::create_public_folder(&path).map_err(|error| Failure::for_path(&path, &error))?;
        let lock = disk::try_lock(&path).map_err(|error| Failure::for_path(&path, &error))?;
        let busy = || {
            let what = format!("another run is writing the site in {}", path.display());
            Failure::new(Exit::TryAgain, what).add_hint("run again later")
        };
        let lock = lock.ok_or_else(busy)?;
        let before = read_manifest(&path)?;
        let after = Manifest { format: FORMAT.to_owned(), ..Manifest::default() };
        let planned = BTreeSet::new();
        Ok(Self { path, before, after, planned, has_changed: false, _lock: lock })
    }

    /// Whether the files of a game show another state, or one of them was removed.
    pub(crate) fn needs_files(&self, game: u32, stamp: &GameStamp) -> bool {
        let before = self.before.games.get(&game);
        before.is_none_or(|before| before.state != stamp.state) || self.lacks_file(game)
    }

    /// Whether a file of a game was removed since the last build. Lists the game's folder, which is
    /// faster than to look for each file.
    fn lacks_file(&self, game: u32) -> bool {
        let folder = Site::game_folder(game);
        let entries = std::fs::read_dir(self.path.join(&folder)).into_iter().flatten().flatten();
        let present: BTreeSet<OsString> = entries.map(|entry| entry.file_name()).collect();
        let name = |file: &str| OsString::from(file.strip_prefix(&folder).unwrap_or(file));
        self.files_of_game(game).any(|file| !present.contains(&name(file)))
    }

    /// Returns the result of a finished game whose files the last build wrote.
    pub(crate) fn known_result(&self, game: u32) -> Option<GameResult> {
        self.before.games.get(&game).and_then(|stamp| stamp.result.clone())
    }

    /// Returns the files of a game that the last build wrote.
    fn files_of_game(&self, game: u32) -> impl Iterator<Item = &String> {
        let folder = Site::game_folder(game);
        let files = self.before.files.range(folder.clone()..);
        files.take_while(move |file| file.starts_with(&folder))
    }

    /// Sets the files that this build may write.
    pub(crate) fn plan(&mut self, files: impl IntoIterator<Item = String>) {
        self.planned.extend(files);
    }

    /// Keeps the files of a game that the last build wrote.
    pub(crate) fn keep_game(&mut self, game: u32) {
        let files: Vec<String> = self.files_of_game(game).cloned().collect();
        self.keep(files);
    }

    /// Keeps those of these files that the last build wrote.
    fn keep(&mut self, files: impl IntoIterator<Item = String>) {
        let known = files.into_iter().filter(|file| self.before.files.contains(file));
        self.after.files.extend(known);
    }

    /// Keeps the pages about several games if the last build made them from data with this hash,
    /// and none was removed. Returns `false` if they must be written.
    pub(crate) fn keep_lists(&mut self, hash: String, files: Vec<String>) -> bool {
        let is_there =
            |file: &String| !self.before.files.contains(file) || self.path.join(file).is_file();
        let is_same = self.before.lists == hash && files.iter().all(is_there);
        self.after.lists = hash;
        if is_same {
            self.keep(files);
        }
        is_same
    }

    /// Records the state that the page of a game shows.
    pub(crate) fn set_stamp(&mut self, game: u32, stamp: GameStamp) {
        self.after.games.insert(game, stamp);
    }

    /// Keeps the files of a game that cannot be rendered. They are removed instead if a published
    /// name has changed, because its player may have withdrawn the consent.
    pub(crate) fn keep_broken_game(&mut self, game: u32, seats: &[PublishedSeat]) {
        let Some(stamp) = self.before.games.get(&game).cloned() else { return };
        if stamp.names == hash_of(&seats) {
            self.keep_game(game);
            // The next build must try again, even if the game does not move.
            self.set_stamp(game, GameStamp { state: String::new(), ..stamp });
        }
    }

    /// Writes a file of the site, unless it has this content already.
    pub(crate) fn write(&mut self, file: &str, text: &str) -> Result<(), Failure> {
        self.after.files.insert(file.to_owned());
        let is_same = self.before.files.contains(file)
            && std::fs::read(self.path.join(file)).is_ok_and(|known| known == text.as_bytes());
        if is_same {
            return Ok(());
        }
        self.begin_change()?;
        self.create_folder_of(file)?;
        self.replace(file, text)
    }

    /// Before the first change, writes a manifest that names the old and the planned files.
    fn begin_change(&mut self) -> Result<(), Failure> {
        if self.has_changed {
            return Ok(());
        }
        self.has_changed = true;
        let files = self.before.files.union(&self.planned).cloned().collect();
        let interim = Manifest { format: FORMAT.to_owned(), files, ..Manifest::default() };
        self.write_manifest(&interim)
    }

    fn write_manifest(&self, manifest: &Manifest) -> Result<(), Failure> {
        let text =
            serde_json::to_string(manifest).map_err(|error| Failure::new(Exit::Internal, error))?;
        self.replace(MANIFEST, &text)
    }

    fn replace(&self, file: &str, text: &str) -> Result<(), Failure> {
        let path = self.path.join(file);
        disk::replace_without_sync(&self.path.join(STAGING), &path, text.as_bytes())
            .map_err(|error| Failure::for_path(&path, &error))
    }

    /// Creates the folder of a file. Refuses symbolic links, which may lead out of the site.
    fn create_folder_of(&self, file: &str) -> Result<(), Failure> {
        for folder in folders_of(file) {
            let folder = self.path.join(folder);
            refuse_link(&folder)?;
            disk::create_public_folder(&folder)
                .map_err(|error| Failure::for_path(&folder, &error))?;
        }
        Ok(())
    }

    /// Removes the files of the last build that the site no longer has, and writes the manifest.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let obsolete: Vec<String> =
            self.before.files.difference(&self.after.files).cloned().collect();
        for file in &obsolete {
            self.begin_change()?;
            self.remove(file)?;
        }
        if self.after != self.before || self.has_changed {
            self.write_manifest(&self.after)?;
        }
        Ok(())
    }

    /// Removes a file, and its folders if they are empty then.
    fn remove(&self, file: &str) -> Result<(), Failure> {
        let folders = folders_of(file);
        folders.iter().try_for_each(|folder| refuse_link(&self.path.join(folder)))?;
        let path = self.path.join(file);
        let remove_folders = || {
            folders
                .iter()
                .rev()
                .try_for_each(|folder| disk::remove_folder_if_empty(&self.path.join(folder)))
        };
        disk::remove_file_if_exists(&path)
            .and_then(|()| remove_folders())
            .map_err(|error| Failure::for_path(&path, &error))
    }
}

/// Returns the folders of a file within the site, the outermost first.
fn folders_of(file: &str) -> Vec<PathBuf> {
    let parents = Path::new(file).ancestors().skip(1).filter(|path| *path != Path::new(""));
    let mut folders: Vec<PathBuf> = parents.map(Path::to_owned).collect();
    folders.reverse();
    folders
}

fn refuse_link(path: &Path) -> Result<(), Failure> {
    match std::fs::symlink_metadata(path) {
        Ok(data) if data.is_symlink() => {
            let what = format!("{} is a symbolic link; name the folder itself", path.display());
            Err(Failure::new(Exit::CannotCreate, what))
        }
        Ok(data) if !data.is_dir() => {
            let what = format!("{} is not a folder", path.display());
            Err(Failure::new(Exit::CannotCreate, what))
        }
        _ => Ok(()),
    }
}

/// Refuses a folder within the club's folder or around it, because the site is published and the
/// club's files are secret.
fn refuse_overlap(path: &Path, club: &Path) -> Result<(), Failure> {
    let Ok(club) = club.canonicalize() else { return Ok(()) };
    let missing = || Failure::for_path(path, &ErrorKind::NotFound.into());
    // The folder may not exist yet, so its deepest existing parent is resolved.
    let absolute = std::path::absolute(path).map_err(|error| Failure::for_path(path, &error))?;
    let existing = absolute.ancestors().find(|folder| folder.exists()).ok_or_else(missing)?;
    let rest = absolute.strip_prefix(existing).unwrap_or(Path::new(""));
    let existing = existing.canonicalize().map_err(|error| Failure::for_path(existing, &error))?;
    let site = existing.join(rest);
    if rest.components().any(|part| part == Component::ParentDir)
        || site.starts_with(&club)
        || club.starts_with(&site)
    {
        let what = format!("{} overlaps the club's folder, which is secret", path.display());
        let hint = "choose a folder outside of it";
        return Err(Failure::new(Exit::CannotCreate, what).add_hint(hint));
    }
    Ok(())
}

/// Reads the manifest. Refuses a folder that holds files but no manifest.
fn read_manifest(folder: &Path) -> Result<Manifest, Failure> {
    let path = folder.join(MANIFEST);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            refuse_foreign_files(folder)?;
            return Ok(Manifest::default());
        }
        Err(error) => return Err(Failure::for_path(&path, &error)),
    };
    let is_ours = |manifest: &Manifest| {
        let is_inside = |file: &String| {
            Path::new(file).components().all(|part| matches!(part, Component::Normal(_)))
        };
        manifest.format == FORMAT && manifest.files.iter().all(is_inside)
    };
    serde_json::from_str(&text).ok().filter(is_ours).ok_or_else(|| {
        let what = format!("{} is not a manifest of this version", path.display());
        Failure::new(Exit::BadData, what).add_hint("remove the folder, then run again")
    })
}

fn refuse_foreign_files(folder: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::for_path(folder, &error);
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        if entry.map_err(failed)?.file_name() != STAGING {
            let what = format!("{} holds files of somebody else", folder.display());
            let hint = "name an empty folder, or one that postrider site has written";
            return Err(Failure::new(Exit::CannotCreate, what).add_hint(hint));
        }
    }
    Ok(())
}

pub(super) fn hash_of(value: &impl Serialize) -> String {
    let text = serde_json::to_vec(value).unwrap_or_default();
    let digest = Sha256::digest(text);
    data_encoding::HEXLOWER.encode(digest.get(..16).unwrap_or_default())
}
