//! A simulated disk that fails: the power is cut after any step, data that was not synced is lost
//! or torn, a step fails, or the disk is full. Knows files and disk steps, and nothing about clubs.
//!
//! The program works on a real folder, and an observer sees each of its disk steps. On a power cut,
//! the observer writes an image of the folder as a reboot would find it: the synced data, and a
//! random part of the rest. All further steps of the interrupted pass fail.

use postrider::disk::{DiskStep, StepObserver, observe_steps};
use postrider::rules::{Dice, Seed};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The unit that a disk writes completely or not at all, in bytes.
const SECTOR: usize = 512;

/// A failure of the disk during one attempt at a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskFailure {
    /// The power is cut after this step.
    PowerCut(StepSelector),
    /// This step fails once. A retry would succeed.
    StepFails(StepSelector),
    /// From this step on, every write fails because the disk is full.
    DiskFull(StepSelector),
}

/// A step of one attempt. It is counted among the steps of its kind, because the number of other
/// steps varies: sled writes at any time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepSelector {
    /// The kind of step to count, as `describe_step` names it. `None` counts all steps.
    pub kind: Option<String>,
    /// The number of the step among those counted, from 1.
    pub number: usize,
}

/// A change to a name that is not durable until its folder is synced. The number identifies the
/// file.
#[derive(Clone, Debug)]
enum NameChange {
    Created(PathBuf, u64),
    Moved(PathBuf, PathBuf, u64),
    Removed(PathBuf),
}

/// The state of the observed folder: its files as they are now, and as far as they are durable.
struct WatchedFolder {
    root: PathBuf,
    /// The durable names, and the number of the file at each.
    durable: BTreeMap<PathBuf, u64>,
    /// The current names, and the number of the file at each.
    names: BTreeMap<PathBuf, u64>,
    /// The durable content of each file that has been written to since, by file number.
    synced: BTreeMap<u64, Vec<u8>>,
    pending: Vec<NameChange>,
    /// Whether syncs have no effect although they report success.
    ignores_sync: bool,
    files: u64,
    /// The descriptions of the steps of this attempt, in order.
    steps: Vec<String>,
    failure: Option<DiskFailure>,
    dice: Dice,
    /// The folder to which a power cut writes the image.
    image: PathBuf,
    power_is_cut: bool,
    step_failed: bool,
    step_counts: BTreeMap<String, u64>,
}

/// The result of one attempt at a pass.
pub struct PassResult {
    /// The descriptions of the completed steps, in order.
    pub steps_done: Vec<String>,
    pub power_is_cut: bool,
    /// Whether a step failed, or found the disk full.
    pub step_failed: bool,
    /// The number of steps of each description. Steps at which the power was cut or which failed
    /// are counted again, as "... cut" and "... fails".
    pub step_counts: BTreeMap<String, u64>,
}

static WATCHED_FOLDER: Mutex<Option<WatchedFolder>> = Mutex::new(None);

fn watched_folder() -> MutexGuard<'static, Option<WatchedFolder>> {
    WATCHED_FOLDER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Observes a folder from now on, and treats all of its content as durable. With `lies`, syncs
/// report success without effect. The program cannot survive that, so it tests whether the checks
/// find the loss.
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
    // sled writes to its files between the observed steps, so their durable content must be read
    // now.
    files_below(&root.join("store")).iter().for_each(|path| seen.remember_synced_bytes(path));
    *watched_folder() = Some(seen);
}

/// Sets the failure of the next attempt, or none. Treats the letters that others have put into the
/// inbox as durable.
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

/// Returns the result of the attempt, and clears its failure.
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

/// Returns `true` after a power cut.
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
        // The old files can come back until this step is durable, so their content is kept.
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
    /// Returns the number of completed steps that count for `at`.
    fn count_steps(&self, at: &StepSelector) -> usize {
        self.steps.iter().filter(|kind| at.matches(kind)).count()
    }

    /// Whether the step changes something in the observed folder.
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

    /// Treats a file that another program has created as durable.
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
        // sled syncs a snapshot before it renames it to its final name.
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

    /// Looks for new and removed files in the store's folder after a step there. sled creates and
    /// removes files without an observed step.
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

    /// Makes all changes of names in a folder durable, as syncing the folder does.
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

    /// Writes the image of the folder that a reboot would find, with a random part of the changes
    /// that were not synced.
    fn write_crash_image(&mut self) {
        let mut names = self.durable.clone();
        let mut lost = BTreeSet::new();
        // A journaling file system loses all, none, or a last part of the unsynced changes of
        // names.
        let kept = match self.dice.roll_below(3) {
            0 => self.pending.len(),
            1 => 0,
            _ => self.dice.roll_below(u32::try_from(self.pending.len() + 1).unwrap_or(1)) as usize,
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

    /// Describes a step without numbers and file names, so that letters and games do not differ.
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

/// Returns the content of a file after a power cut: the synced content, the written content, or a
/// random choice for each sector, with a random length between the two.
fn torn_bytes(synced: &[u8], written: &[u8], dice: &mut Dice) -> Vec<u8> {
    if synced == written {
        return written.to_vec();
    }
    let mode = dice.roll_below(4);
    if mode < 2 {
        return if mode == 0 { synced } else { written }.to_vec();
    }
    let longer = synced.len().max(written.len());
    let shorter = synced.len().min(written.len());
    let length =
        shorter + dice.roll_below(u32::try_from(longer - shorter + 1).unwrap_or(1)) as usize;
    let mut found = Vec::with_capacity(length);
    while found.len() < length {
        let at = found.len();
        let end = (at + SECTOR).min(length);
        let of = if dice.roll_below(2) == 0 { synced } else { written };
        // A file that has grown contains zeros where no data was written.
        let sector = of.get(at..end.min(of.len())).unwrap_or_default();
        found.extend_from_slice(sector);
        found.resize(end, 0);
    }
    found
}

/// Copies a folder with all of its content and modification times.
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

/// Returns all files in a folder and its subfolders, sorted by path.
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
