//! A disk that fails: it stops at any step, forgets what was not synced, writes half of it, says
//! that it is full. Knows files and steps, nothing of clubs.
//!
//! The program works on a real folder all the while, and every step of it is watched. When the
//! power goes, what would be found afterwards is written down beside: of each file what was synced,
//! and by chance of what was not. The pass that was cut goes on to nowhere, as all its further
//! steps fail.

use postrider::disk::{DiskStep, StepObserver, observe_steps};
use postrider::rules::{Dice, Seed};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a disk writes at once or not at all, in bytes.
const SECTOR: usize = 512;

/// How a disk fails in an attempt at a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskFailure {
    /// The power goes after this step.
    PowerCut(StepSelector),
    /// This step fails, and the next would do.
    StepFails(StepSelector),
    /// From this step on nothing can be written any more.
    DiskFull(StepSelector),
}

/// A step of an attempt. It is found by its kind, as the number of other steps varies: sled writes
/// when it likes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepSelector {
    /// The steps that are counted, by what they are. All steps if there is none.
    pub kind: Option<String>,
    /// The step's number among them, from 1.
    pub number: usize,
}

/// A name that is made, moved or gone, and not yet durable.
#[derive(Clone, Debug)]
enum NameChange {
    Created(PathBuf, u64),
    Moved(PathBuf, PathBuf, u64),
    Removed(PathBuf),
}

/// What is known of a folder while a pass works on it.
struct WatchedFolder {
    root: PathBuf,
    /// The names that are durable, and which file each is.
    durable: BTreeMap<PathBuf, u64>,
    /// The names as they are.
    names: BTreeMap<PathBuf, u64>,
    /// What is durable of the files that were written since.
    synced: BTreeMap<u64, Vec<u8>>,
    pending: Vec<NameChange>,
    /// Whether what is synced is lost all the same.
    ignores_sync: bool,
    files: u64,
    /// The steps of this attempt by what they are.
    steps: Vec<String>,
    failure: Option<DiskFailure>,
    dice: Dice,
    /// Where what is found after the power went is written.
    image: PathBuf,
    power_is_cut: bool,
    step_failed: bool,
    step_counts: BTreeMap<String, u64>,
}

/// What came of a pass.
pub struct PassResult {
    /// The steps that it did, in order, by what they are.
    pub steps_done: Vec<String>,
    /// Whether the power went.
    pub power_is_cut: bool,
    /// Whether a step failed otherwise.
    pub step_failed: bool,
    /// The steps by what they are, and again those after which the power went or which failed.
    pub step_counts: BTreeMap<String, u64>,
}

static WATCHED_FOLDER: Mutex<Option<WatchedFolder>> = Mutex::new(None);

fn watched_folder() -> MutexGuard<'static, Option<WatchedFolder>> {
    WATCHED_FOLDER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Watches a folder from now on, in which all is durable. A disk that lies says that it has synced
/// what it has not: no program can help that, and who judges must see it.
pub fn start_watching(root: &Path, lies: bool) {
    observe_steps(StepObserver { before: before_step, after: after_step });
    let mut seen = WatchedFolder {
        root: root.to_owned(),
        durable: BTreeMap::new(),
        names: BTreeMap::new(),
        synced: BTreeMap::new(),
        pending: Vec::new(),
        ignores_sync: lies,
        files: 0,
        steps: Vec::new(),
        failure: None,
        dice: Dice::new(&Seed::from_number(0), 0),
        image: PathBuf::new(),
        power_is_cut: false,
        step_failed: false,
        step_counts: BTreeMap::new(),
    };
    files_below(root).iter().for_each(|path| seen.add_durable_file(path));
    // Nobody says when sled writes.
    files_below(&root.join("store")).iter().for_each(|path| seen.remember_synced_bytes(path));
    *watched_folder() = Some(seen);
}

/// Lets the next pass fail like this, or not; what others put into the inbox is durable.
pub fn arm_failure(image: &Path, failure: Option<DiskFailure>, seed: u64) {
    let mut watched = watched_folder();
    let Some(seen) = watched.as_mut() else { return };
    let inbox = seen.root.join("inbox/new");
    files_below(&inbox).iter().for_each(|path| seen.add_durable_file(path));
    seen.steps.clear();
    seen.failure = failure;
    seen.dice = Dice::new(&Seed::from_number(seed), 0);
    seen.image = image.to_owned();
    seen.step_failed = false;
}

/// What came of the pass; the next does not fail.
pub fn take_result() -> PassResult {
    let mut watched = watched_folder();
    let seen = watched.as_mut().expect("it is watched");
    seen.failure = None;
    let met = std::mem::take(&mut seen.step_counts);
    let steps = std::mem::take(&mut seen.steps);
    PassResult {
        steps_done: steps,
        power_is_cut: seen.power_is_cut,
        step_failed: seen.step_failed,
        step_counts: met,
    }
}

/// Whether the power has gone.
pub fn is_power_cut() -> bool {
    watched_folder().as_ref().is_some_and(|seen| seen.power_is_cut)
}

fn before_step(step: DiskStep<'_>) -> io::Result<()> {
    let mut watched = watched_folder();
    let Some(seen) = watched.as_mut() else { return Ok(()) };
    if !seen.is_in_watched_folder(step) {
        return Ok(());
    }
    if seen.power_is_cut {
        return Err(io::Error::from_raw_os_error(5));
    }
    match step {
        DiskStep::Write(path) => seen.remember_synced_bytes(path),
        // Until that is durable, what was there can come back.
        DiskStep::Rename(_, path) | DiskStep::Remove(path) => {
            files_below(path)
                .iter()
                .chain([&path.to_owned()])
                .for_each(|p| seen.remember_synced_bytes(p));
        }
        DiskStep::Sync(_) | DiskStep::CreateFolder(_) | DiskStep::SyncFolder(_) => {}
    }
    let kind = seen.describe_step(step);
    let count = |at: &StepSelector| seen.count_steps(at) + usize::from(at.matches(&kind));
    let error = match &seen.failure {
        Some(DiskFailure::StepFails(at))
            if at.matches(&kind) && count(at) == at.number && !seen.step_failed =>
        {
            5
        }
        Some(DiskFailure::DiskFull(from))
            if count(from) >= from.number && matches!(step, DiskStep::Write(_)) =>
        {
            28
        }
        _ => return Ok(()),
    };
    seen.step_failed = true;
    *seen.step_counts.entry(format!("{kind} fails")).or_default() += 1;
    Err(io::Error::from_raw_os_error(error))
}

fn after_step(step: DiskStep<'_>) {
    let mut watched = watched_folder();
    let Some(seen) = watched.as_mut() else { return };
    if seen.power_is_cut || !seen.is_in_watched_folder(step) {
        return;
    }
    let kind = seen.describe_step(step);
    *seen.step_counts.entry(kind.clone()).or_default() += 1;
    seen.steps.push(kind.clone());
    seen.note_step(step);
    let is_last = |at: &StepSelector| at.matches(&kind) && seen.count_steps(at) == at.number;
    if matches!(&seen.failure, Some(DiskFailure::PowerCut(at)) if is_last(at)) {
        *seen.step_counts.entry(format!("{kind} cut")).or_default() += 1;
        seen.write_crash_image();
        seen.power_is_cut = true;
    }
}

impl StepSelector {
    fn matches(&self, kind: &str) -> bool {
        self.kind.as_deref().is_none_or(|counted| counted == kind)
    }
}

impl WatchedFolder {
    /// The number of steps so far that count for it.
    fn count_steps(&self, at: &StepSelector) -> usize {
        self.steps.iter().filter(|kind| at.matches(kind)).count()
    }

    /// Whether a step is one in the folder that is watched.
    fn is_in_watched_folder(&self, step: DiskStep<'_>) -> bool {
        let path = match step {
            DiskStep::Write(path) | DiskStep::Sync(path) | DiskStep::Rename(path, _) => path,
            DiskStep::Remove(path) | DiskStep::CreateFolder(path) | DiskStep::SyncFolder(path) => {
                path
            }
        };
        path.starts_with(&self.root)
    }

    fn file_id(&self, path: &Path) -> Option<u64> {
        self.names.get(path).copied()
    }

    fn remember_synced_bytes(&mut self, path: &Path) {
        let Some(id) = self.file_id(path) else { return };
        self.synced.entry(id).or_insert_with(|| fs::read(path).unwrap_or_default());
    }

    fn note_step(&mut self, step: DiskStep<'_>) {
        match step {
            DiskStep::Write(path) => {
                self.note_created(path);
                self.rescan_store_if_inside(path);
            }
            DiskStep::Sync(_) | DiskStep::SyncFolder(_) if self.ignores_sync => {}
            DiskStep::Sync(path) => {
                self.note_created(path);
                if let (Some(id), Ok(bytes)) = (self.file_id(path), fs::read(path)) {
                    self.synced.insert(id, bytes);
                }
            }
            DiskStep::Rename(from, to) => {
                if let Some(id) = self.names.remove(from) {
                    self.names.insert(to.to_owned(), id);
                    self.pending.push(NameChange::Moved(from.to_owned(), to.to_owned(), id));
                }
            }
            DiskStep::Remove(path) => self.note_removed(path),
            DiskStep::CreateFolder(_) => {}
            DiskStep::SyncFolder(folder) => {
                self.rescan_store_if_inside(folder);
                self.make_names_durable(folder);
            }
        }
    }

    /// Somebody else has put a file there.
    fn add_durable_file(&mut self, path: &Path) {
        if !self.names.contains_key(path) {
            self.files += 1;
            self.durable.insert(path.to_owned(), self.files);
            self.names.insert(path.to_owned(), self.files);
        }
    }

    fn note_created(&mut self, path: &Path) {
        if self.names.contains_key(path) || !path.exists() {
            return;
        }
        self.files += 1;
        self.names.insert(path.to_owned(), self.files);
        // sled syncs a snapshot before it gives it its name.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_snapshot = name.starts_with("snap.") && !name.ends_with(".generating");
        let synced = if is_snapshot { fs::read(path).unwrap_or_default() } else { Vec::new() };
        self.synced.insert(self.files, synced);
        self.pending.push(NameChange::Created(path.to_owned(), self.files));
    }

    fn note_removed(&mut self, path: &Path) {
        let under: Vec<PathBuf> =
            self.names.keys().filter(|name| name.starts_with(path)).cloned().collect();
        for name in under {
            self.names.remove(&name);
            self.pending.push(NameChange::Removed(name));
        }
    }

    /// After a step there: sled makes and removes files without a word.
    fn rescan_store_if_inside(&mut self, at: &Path) {
        let store = self.root.join("store");
        if at.starts_with(&store) {
            self.rescan_folder(&store);
        }
    }

    fn rescan_folder(&mut self, folder: &Path) {
        let there: BTreeSet<PathBuf> = files_below(folder).into_iter().collect();
        there.iter().for_each(|path| self.note_created(path));
        let under = |name: &&PathBuf| name.starts_with(folder) && !there.contains(*name);
        let gone: Vec<PathBuf> = self.names.keys().filter(under).cloned().collect();
        gone.iter().for_each(|path| self.note_removed(path));
    }

    /// The names in a folder are durable.
    fn make_names_durable(&mut self, folder: &Path) {
        let is_in = |path: &Path| path.parent() == Some(folder);
        let (settled, pending) = self.pending.drain(..).partition(|change| match change {
            NameChange::Created(path, _) | NameChange::Removed(path) => is_in(path),
            NameChange::Moved(_, to, _) => is_in(to),
        });
        self.pending = pending;
        let settled: Vec<NameChange> = settled;
        settled.iter().for_each(|change| apply_change(&mut self.durable, change));
    }

    /// What is found when the power is back.
    fn write_crash_image(&mut self) {
        let mut names = self.durable.clone();
        let mut lost = BTreeSet::new();
        // A journal of a file system forgets from some change on, or keeps all.
        let kept = match self.dice.below(3) {
            0 => self.pending.len(),
            1 => 0,
            _ => self.dice.below(u32::try_from(self.pending.len() + 1).unwrap_or(1)) as usize,
        };
        for (at, change) in self.pending.iter().enumerate() {
            match at < kept {
                true => apply_change(&mut names, change),
                false => drop(lost.insert(at)),
            }
        }
        let now: BTreeMap<u64, PathBuf> =
            self.names.iter().map(|(path, id)| (*id, path.clone())).collect();
        for (path, id) in names {
            let current = now.get(&id).and_then(|path| fs::read(path).ok());
            let changed = now.get(&id).and_then(|path| fs::metadata(path).ok()?.modified().ok());
            let synced = self.synced.get(&id);
            let bytes = match (synced, current) {
                (Some(synced), Some(current)) => torn_bytes(synced, &current, &mut self.dice),
                (Some(only), None) => only.clone(),
                (None, Some(only)) => only,
                (None, None) => continue,
            };
            let place = self.image.join(path.strip_prefix(&self.root).expect("inside"));
            fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
            fs::write(&place, bytes).expect("written");
            if let Some(changed) = changed {
                let file = fs::File::options().append(true).open(&place).expect("it is there");
                file.set_modified(changed).expect("it has a time");
            }
        }
        for folder in folders_below(&self.root) {
            let place = self.image.join(folder.strip_prefix(&self.root).expect("inside"));
            fs::create_dir_all(place).expect("a folder");
        }
    }

    /// A step as one reads it: without what tells one letter or game from another.
    fn describe_step(&self, step: DiskStep<'_>) -> String {
        let place = |path: &Path| {
            let path = path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().into_owned();
            let is_own = path.starts_with("inbox") || path.starts_with("journal");
            match path.rsplit_once('/') {
                Some((folder, _)) if is_own => format!("{folder}/*"),
                _ => path.chars().filter(|c| !c.is_ascii_digit()).collect(),
            }
        };
        match step {
            DiskStep::Write(path) => format!("write {}", place(path)),
            DiskStep::Sync(path) => format!("sync {}", place(path)),
            DiskStep::Rename(from, to) => format!("move {} to {}", place(from), place(to)),
            DiskStep::Remove(path) => format!("remove {}", place(path)),
            DiskStep::CreateFolder(path) => format!("make {}", place(path)),
            DiskStep::SyncFolder(path) => {
                let path = path.strip_prefix(&self.root).unwrap_or(path);
                format!("sync folder {}", path.display())
            }
        }
    }
}

fn apply_change(names: &mut BTreeMap<PathBuf, u64>, change: &NameChange) {
    match change {
        NameChange::Created(path, id) => drop(names.insert(path.clone(), *id)),
        NameChange::Moved(from, to, id) => {
            if names.get(from) == Some(id) {
                names.remove(from);
            }
            names.insert(to.clone(), *id);
        }
        NameChange::Removed(path) => drop(names.remove(path)),
    }
}

/// What is found of a file that was being written: what was synced, what was written, or some
/// sectors of each.
fn torn_bytes(synced: &[u8], written: &[u8], dice: &mut Dice) -> Vec<u8> {
    if synced == written {
        return written.to_vec();
    }
    let mode = dice.below(4);
    if mode < 2 {
        return if mode == 0 { synced } else { written }.to_vec();
    }
    let longer = synced.len().max(written.len());
    let shorter = synced.len().min(written.len());
    let length = shorter + dice.below(u32::try_from(longer - shorter + 1).unwrap_or(1)) as usize;
    let mut found = Vec::with_capacity(length);
    while found.len() < length {
        let at = found.len();
        let end = (at + SECTOR).min(length);
        let of = if dice.below(2) == 0 { synced } else { written };
        // What a file has grown by is zeros until it is written.
        let sector = of.get(at..end.min(of.len())).unwrap_or_default();
        found.extend_from_slice(sector);
        found.resize(end, 0);
    }
    found
}

/// Copies a folder with all that lies in it, times too.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for folder in folders_below(from) {
        let place = to.join(folder.strip_prefix(from).expect("inside"));
        fs::create_dir_all(place).expect("a folder");
    }
    for path in files_below(from) {
        let place = to.join(path.strip_prefix(from).expect("inside"));
        fs::copy(&path, &place).expect("copied");
        let changed = fs::metadata(&path).and_then(|data| data.modified()).expect("a time");
        let file = fs::File::options().append(true).open(&place).expect("it is there");
        file.set_modified(changed).expect("it has a time");
    }
}

/// All files under a folder.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    paths_below(folder).into_iter().filter(|path| !path.is_dir()).collect()
}

fn folders_below(folder: &Path) -> Vec<PathBuf> {
    paths_below(folder).into_iter().filter(|path| path.is_dir()).collect()
}

fn paths_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(paths_below(&path));
        }
        found.push(path);
    }
    found.sort();
    found
}
