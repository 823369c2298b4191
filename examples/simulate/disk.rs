//! A disk that fails: it stops at any step, forgets what was not synced, writes half of it, says
//! that it is full. Knows files and steps, nothing of clubs.
//!
//! The program works on a real folder all the while, and every step of it is watched. When the
//! power goes, what would be found afterwards is written down beside: of each file what was synced,
//! and by chance of what was not. The pass that was cut goes on to nowhere, as all its further
//! steps fail.

use postrider::disk::{Step, Watcher, watch};
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
pub enum Failure {
    /// The power goes after this step.
    Cut(Nth),
    /// This step fails, and the next would do.
    Broken(Nth),
    /// From this step on nothing can be written any more.
    Full(Nth),
}

/// A step of an attempt. It is found by its kind, as the number of other steps varies: sled writes
/// when it likes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nth {
    /// The steps that are counted, by what they are. All steps if there is none.
    pub kind: Option<String>,
    /// The step's number among them, from 1.
    pub number: usize,
}

/// A name that is made, moved or gone, and not yet durable.
#[derive(Clone, Debug)]
enum Change {
    Made(PathBuf, u64),
    Moved(PathBuf, PathBuf, u64),
    Gone(PathBuf),
}

/// What is known of a folder while a pass works on it.
struct Watched {
    root: PathBuf,
    /// The names that are durable, and which file each is.
    durable: BTreeMap<PathBuf, u64>,
    /// The names as they are.
    names: BTreeMap<PathBuf, u64>,
    /// What is durable of the files that were written since.
    synced: BTreeMap<u64, Vec<u8>>,
    pending: Vec<Change>,
    /// Whether what is synced is lost all the same.
    lies: bool,
    files: u64,
    /// The steps of this attempt by what they are.
    steps: Vec<String>,
    failure: Option<Failure>,
    dice: Dice,
    /// Where what is found after the power went is written.
    image: PathBuf,
    cut: bool,
    failed: bool,
    met: BTreeMap<String, u64>,
}

/// What came of a pass.
pub struct Seen {
    /// The steps that it did, in order, by what they are.
    pub steps: Vec<String>,
    /// Whether the power went.
    pub cut: bool,
    /// Whether a step failed otherwise.
    pub failed: bool,
    /// The steps by what they are, and again those after which the power went or which failed.
    pub met: BTreeMap<String, u64>,
}

static WATCHED: Mutex<Option<Watched>> = Mutex::new(None);

fn watched() -> MutexGuard<'static, Option<Watched>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Watches a folder from now on, in which all is durable. A disk that lies says that it has synced
/// what it has not: no program can help that, and who judges must see it.
pub fn begin(root: &Path, lies: bool) {
    watch(Watcher { before, after });
    let mut seen = Watched {
        root: root.to_owned(),
        durable: BTreeMap::new(),
        names: BTreeMap::new(),
        synced: BTreeMap::new(),
        pending: Vec::new(),
        lies,
        files: 0,
        steps: Vec::new(),
        failure: None,
        dice: Dice::new(&Seed::rehearsal(0), 0),
        image: PathBuf::new(),
        cut: false,
        failed: false,
        met: BTreeMap::new(),
    };
    files(root).iter().for_each(|path| seen.arrives(path));
    // Nobody says when sled writes.
    files(&root.join("store")).iter().for_each(|path| seen.is_about_to_change(path));
    *watched() = Some(seen);
}

/// Lets the next pass fail like this, or not; what others put into the inbox is durable.
pub fn arm(image: &Path, failure: Option<Failure>, seed: u64) {
    let mut watched = watched();
    let Some(seen) = watched.as_mut() else { return };
    let inbox = seen.root.join("inbox/new");
    files(&inbox).iter().for_each(|path| seen.arrives(path));
    seen.steps.clear();
    seen.failure = failure;
    seen.dice = Dice::new(&Seed::rehearsal(seed), 0);
    seen.image = image.to_owned();
    seen.failed = false;
}

/// What came of the pass; the next does not fail.
pub fn disarm() -> Seen {
    let mut watched = watched();
    let seen = watched.as_mut().expect("it is watched");
    seen.failure = None;
    let met = std::mem::take(&mut seen.met);
    let steps = std::mem::take(&mut seen.steps);
    Seen { steps, cut: seen.cut, failed: seen.failed, met }
}

/// Whether the power has gone.
pub fn is_cut() -> bool {
    watched().as_ref().is_some_and(|seen| seen.cut)
}

fn before(step: Step<'_>) -> io::Result<()> {
    let mut watched = watched();
    let Some(seen) = watched.as_mut() else { return Ok(()) };
    if !seen.is_its_own(step) {
        return Ok(());
    }
    if seen.cut {
        return Err(io::Error::from_raw_os_error(5));
    }
    match step {
        Step::Write(path) => seen.is_about_to_change(path),
        // Until that is durable, what was there can come back.
        Step::Move(_, path) | Step::Remove(path) => {
            files(path).iter().chain([&path.to_owned()]).for_each(|p| seen.is_about_to_change(p));
        }
        Step::Sync(_) | Step::Make(_) | Step::SyncFolder(_) => {}
    }
    let kind = seen.said(step);
    let count = |at: &Nth| seen.count(at) + usize::from(at.counts(&kind));
    let error = match &seen.failure {
        Some(Failure::Broken(at)) if at.counts(&kind) && count(at) == at.number && !seen.failed => {
            5
        }
        Some(Failure::Full(from))
            if count(from) >= from.number && matches!(step, Step::Write(_)) =>
        {
            28
        }
        _ => return Ok(()),
    };
    seen.failed = true;
    *seen.met.entry(format!("{kind} fails")).or_default() += 1;
    Err(io::Error::from_raw_os_error(error))
}

fn after(step: Step<'_>) {
    let mut watched = watched();
    let Some(seen) = watched.as_mut() else { return };
    if seen.cut || !seen.is_its_own(step) {
        return;
    }
    let kind = seen.said(step);
    *seen.met.entry(kind.clone()).or_default() += 1;
    seen.steps.push(kind.clone());
    seen.note(step);
    let is_last = |at: &Nth| at.counts(&kind) && seen.count(at) == at.number;
    if matches!(&seen.failure, Some(Failure::Cut(at)) if is_last(at)) {
        *seen.met.entry(format!("{kind} cut")).or_default() += 1;
        seen.write_image();
        seen.cut = true;
    }
}

impl Nth {
    fn counts(&self, kind: &str) -> bool {
        self.kind.as_deref().is_none_or(|counted| counted == kind)
    }
}

impl Watched {
    /// The number of steps so far that count for it.
    fn count(&self, at: &Nth) -> usize {
        self.steps.iter().filter(|kind| at.counts(kind)).count()
    }

    /// Whether a step is one in the folder that is watched.
    fn is_its_own(&self, step: Step<'_>) -> bool {
        let path = match step {
            Step::Write(path) | Step::Sync(path) | Step::Move(path, _) => path,
            Step::Remove(path) | Step::Make(path) | Step::SyncFolder(path) => path,
        };
        path.starts_with(&self.root)
    }

    fn id(&self, path: &Path) -> Option<u64> {
        self.names.get(path).copied()
    }

    fn is_about_to_change(&mut self, path: &Path) {
        let Some(id) = self.id(path) else { return };
        self.synced.entry(id).or_insert_with(|| fs::read(path).unwrap_or_default());
    }

    fn note(&mut self, step: Step<'_>) {
        match step {
            Step::Write(path) => {
                self.made(path);
                self.look_into_the_store(path);
            }
            Step::Sync(_) | Step::SyncFolder(_) if self.lies => {}
            Step::Sync(path) => {
                self.made(path);
                if let (Some(id), Ok(bytes)) = (self.id(path), fs::read(path)) {
                    self.synced.insert(id, bytes);
                }
            }
            Step::Move(from, to) => {
                if let Some(id) = self.names.remove(from) {
                    self.names.insert(to.to_owned(), id);
                    self.pending.push(Change::Moved(from.to_owned(), to.to_owned(), id));
                }
            }
            Step::Remove(path) => self.gone(path),
            Step::Make(_) => {}
            Step::SyncFolder(folder) => {
                self.look_into_the_store(folder);
                self.settle(folder);
            }
        }
    }

    /// Somebody else has put a file there.
    fn arrives(&mut self, path: &Path) {
        if !self.names.contains_key(path) {
            self.files += 1;
            self.durable.insert(path.to_owned(), self.files);
            self.names.insert(path.to_owned(), self.files);
        }
    }

    fn made(&mut self, path: &Path) {
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
        self.pending.push(Change::Made(path.to_owned(), self.files));
    }

    fn gone(&mut self, path: &Path) {
        let under: Vec<PathBuf> =
            self.names.keys().filter(|name| name.starts_with(path)).cloned().collect();
        for name in under {
            self.names.remove(&name);
            self.pending.push(Change::Gone(name));
        }
    }

    /// After a step there: sled makes and removes files without a word.
    fn look_into_the_store(&mut self, at: &Path) {
        let store = self.root.join("store");
        if at.starts_with(&store) {
            self.look_around(&store);
        }
    }

    fn look_around(&mut self, folder: &Path) {
        let there: BTreeSet<PathBuf> = files(folder).into_iter().collect();
        there.iter().for_each(|path| self.made(path));
        let under = |name: &&PathBuf| name.starts_with(folder) && !there.contains(*name);
        let gone: Vec<PathBuf> = self.names.keys().filter(under).cloned().collect();
        gone.iter().for_each(|path| self.gone(path));
    }

    /// The names in a folder are durable.
    fn settle(&mut self, folder: &Path) {
        let is_in = |path: &Path| path.parent() == Some(folder);
        let (settled, pending) = self.pending.drain(..).partition(|change| match change {
            Change::Made(path, _) | Change::Gone(path) => is_in(path),
            Change::Moved(_, to, _) => is_in(to),
        });
        self.pending = pending;
        let settled: Vec<Change> = settled;
        settled.iter().for_each(|change| happen(&mut self.durable, change));
    }

    /// What is found when the power is back.
    fn write_image(&mut self) {
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
                true => happen(&mut names, change),
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
                (Some(synced), Some(current)) => torn(synced, &current, &mut self.dice),
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
        for folder in folders(&self.root) {
            let place = self.image.join(folder.strip_prefix(&self.root).expect("inside"));
            fs::create_dir_all(place).expect("a folder");
        }
    }

    /// A step as one reads it: without what tells one letter or game from another.
    fn said(&self, step: Step<'_>) -> String {
        let place = |path: &Path| {
            let path = path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().into_owned();
            let is_own = path.starts_with("inbox") || path.starts_with("journal");
            match path.rsplit_once('/') {
                Some((folder, _)) if is_own => format!("{folder}/*"),
                _ => path.chars().filter(|c| !c.is_ascii_digit()).collect(),
            }
        };
        match step {
            Step::Write(path) => format!("write {}", place(path)),
            Step::Sync(path) => format!("sync {}", place(path)),
            Step::Move(from, to) => format!("move {} to {}", place(from), place(to)),
            Step::Remove(path) => format!("remove {}", place(path)),
            Step::Make(path) => format!("make {}", place(path)),
            Step::SyncFolder(path) => {
                let path = path.strip_prefix(&self.root).unwrap_or(path);
                format!("sync folder {}", path.display())
            }
        }
    }
}

fn happen(names: &mut BTreeMap<PathBuf, u64>, change: &Change) {
    match change {
        Change::Made(path, id) => drop(names.insert(path.clone(), *id)),
        Change::Moved(from, to, id) => {
            if names.get(from) == Some(id) {
                names.remove(from);
            }
            names.insert(to.clone(), *id);
        }
        Change::Gone(path) => drop(names.remove(path)),
    }
}

/// What is found of a file that was being written: what was synced, what was written, or some
/// sectors of each.
fn torn(synced: &[u8], written: &[u8], dice: &mut Dice) -> Vec<u8> {
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
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for folder in folders(from) {
        let place = to.join(folder.strip_prefix(from).expect("inside"));
        fs::create_dir_all(place).expect("a folder");
    }
    for path in files(from) {
        let place = to.join(path.strip_prefix(from).expect("inside"));
        fs::copy(&path, &place).expect("copied");
        let changed = fs::metadata(&path).and_then(|data| data.modified()).expect("a time");
        let file = fs::File::options().append(true).open(&place).expect("it is there");
        file.set_modified(changed).expect("it has a time");
    }
}

/// All files under a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    walk(folder).into_iter().filter(|path| !path.is_dir()).collect()
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    walk(folder).into_iter().filter(|path| path.is_dir()).collect()
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(walk(&path));
        }
        found.push(path);
    }
    found.sort();
    found
}
