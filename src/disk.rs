//! Every change that postrider makes to the file system, one function each.
//!
//! Two promises hold here and nowhere else: a change is durable when its function returns, and who
//! tests the program can stop it or let it fail at each single [`DiskStep`]. The module knows nothing
//! of mail, games or sled; the store says what sled writes.

use std::collections::BTreeSet;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// Names the environment variable that makes the program abort after its n-th step.
pub const ABORT_AFTER_VARIABLE: &str = "POSTRIDER_ABORT_AFTER_STEP";

static STEPS_DONE: AtomicU64 = AtomicU64::new(0);

/// One step of input or output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskStep<'a> {
    /// A file is made, or something is written into it or cut off.
    Write(&'a Path),
    /// What was written into a file becomes durable.
    Sync(&'a Path),
    /// A file is moved from the first place to the second.
    Rename(&'a Path, &'a Path),
    /// A file is removed, or a folder with all that is in it.
    Remove(&'a Path),
    /// A folder is made.
    CreateFolder(&'a Path),
    /// The names in a folder become durable.
    SyncFolder(&'a Path),
}

/// Who is asked before each step and told of it afterwards: a simulation of a disk that fails.
#[derive(Clone, Copy, Debug)]
pub struct StepObserver {
    /// Lets a step be done, or says how it fails.
    pub before: fn(DiskStep<'_>) -> io::Result<()>,
    /// Hears that it has been done.
    pub after: fn(DiskStep<'_>),
}

static STEP_OBSERVER: OnceLock<StepObserver> = OnceLock::new();

/// Has every step of this process watched from now on; the first who asks for it watches.
pub fn observe_steps(watcher: StepObserver) {
    STEP_OBSERVER.get_or_init(|| watcher);
}

/// Does one step of input or output.
///
/// The program aborts after it, without any clean-up, when the step's number is the one in
/// [`ABORT_AFTER_VARIABLE`]: that is how `tests/club/crash.rs` kills a pass at every point in turn.
///
/// # Errors
/// What `work` says, or the watcher.
pub(crate) fn run_step<T>(
    step: DiskStep<'_>,
    work: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    let watcher = STEP_OBSERVER.get();
    watcher.map_or(Ok(()), |watcher| (watcher.before)(step))?;
    let outcome = work()?;
    if let Some(watcher) = watcher {
        (watcher.after)(step);
    }
    count_step();
    Ok(outcome)
}

/// Counts a step, also one of a server's: who tests the program can stop it after each.
pub(crate) fn count_step() {
    let done = STEPS_DONE.fetch_add(1, Ordering::SeqCst) + 1;
    static LAST: OnceLock<Option<u64>> = OnceLock::new();
    if *LAST.get_or_init(|| std::env::var(ABORT_AFTER_VARIABLE).ok()?.parse().ok()) == Some(done) {
        std::process::abort();
    }
}

/// Who may read a file that is written here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileMode {
    /// Mode 600: secrets, letters, logs.
    OwnerOnly = 0o600,
    /// Mode 644: what may be looked at by anyone on the machine.
    WorldReadable = 0o644,
}

/// Whether others than the owner can read a file.
pub(crate) fn is_readable_by_others(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o077 != 0)
}

/// Creates a folder and its missing parents, which only their owner can look into; the folder's own
/// entry is durable afterwards.
///
/// # Errors
/// What the file system says: no permission, no space, a file in the way.
pub fn create_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    run_step(DiskStep::CreateFolder(path), || {
        private_folder_builder().recursive(true).create(path)
    })?;
    sync_folder(path)?;
    path.parent().filter(|p| !p.as_os_str().is_empty()).map_or(Ok(()), sync_folder)
}

/// Writes a whole file: first under `staging`, synced, then renamed to `path`, the folder synced.
///
/// Whoever looks at `path` sees nothing or all of it. Both must lie on one file system. An older
/// `path` is replaced, so writing the same letter again changes nothing.
///
/// # Errors
/// What the file system says; `path` is then as it was.
pub(crate) fn write_atomically(
    staging: &Path,
    path: &Path,
    bytes: &[u8],
    readers: FileMode,
) -> io::Result<()> {
    write_atomically_with_mtime(staging, path, bytes, readers, None)
}

/// The same, for a file that was last changed at a time of its own.
///
/// # Errors
/// What the file system says; `path` is then as it was.
pub(crate) fn write_atomically_with_mtime(
    staging: &Path,
    path: &Path,
    bytes: &[u8],
    readers: FileMode,
    changed: Option<SystemTime>,
) -> io::Result<()> {
    let mut how = OpenOptions::new();
    let how = how.create(true).write(true).truncate(true);
    let mut file = run_step(DiskStep::Write(staging), || open_with_mode(how, staging, readers))?;
    run_step(DiskStep::Write(staging), || file.write_all(bytes))?;
    changed.map_or(Ok(()), |changed| file.set_modified(changed))?;
    run_step(DiskStep::Sync(staging), || file.sync_all())?;
    drop(file);
    rename(staging, path)
}

/// Moves a file, to another file system too; durable afterwards in both folders.
///
/// # Errors
/// What the file system says; the file is then where it was.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    rename_or_copy(from, to)?;
    sync_parent(to)?;
    if from.parent() == to.parent() { Ok(()) } else { sync_parent(from) }
}

/// Moves a file. Where a rename cannot, as the other folder lies on another file system, a copy of
/// the same age is durable there before the file is taken away here.
fn rename_or_copy(from: &Path, to: &Path) -> io::Result<()> {
    match run_step(DiskStep::Rename(from, to), || std::fs::rename(from, to)) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
        result => return result,
    }
    // No program takes a file with a dot for a letter.
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    let staging = to.with_file_name(format!(".{name}.new"));
    run_step(DiskStep::Write(&staging), || std::fs::copy(from, &staging))?;
    let file = OpenOptions::new().write(true).open(&staging)?;
    file.set_modified(std::fs::metadata(from)?.modified()?)?;
    run_step(DiskStep::Sync(&staging), || file.sync_all())?;
    run_step(DiskStep::Rename(&staging, to), || std::fs::rename(&staging, to))?;
    sync_parent(to)?;
    remove(from)
}

/// Takes a file that is there for this process alone, for as long as what this gives lives; none
/// when another one has it.
///
/// # Errors
/// What the file system says.
pub(crate) fn try_lock(path: &Path) -> io::Result<Option<File>> {
    let file = File::open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Moves many files, and makes all of it durable with one sync of each folder. Gives the places in
/// the list of those that could not be moved, and why; one that has vanished needs not be moved.
///
/// # Errors
/// What the file system says of a folder.
pub(crate) fn rename_all(moves: &[(PathBuf, PathBuf)]) -> io::Result<Vec<(usize, io::Error)>> {
    let (mut folders, mut failed) = (BTreeSet::new(), Vec::new());
    for (place, (from, to)) in moves.iter().enumerate() {
        match rename_or_copy(from, to) {
            Ok(()) => {
                folders.extend(from.parent());
                folders.extend(to.parent());
            }
            Err(_) if std::fs::symlink_metadata(from).is_err_and(|e| is_missing(&e)) => {}
            Err(error) => failed.push((place, error)),
        }
    }
    folders.into_iter().try_for_each(sync_folder)?;
    Ok(failed)
}

/// Returns `true` if this process or the whole machine has too many files open. The store's library
/// passes such an error on as text.
pub(crate) fn is_out_of_files(error: &io::Error) -> bool {
    // ENFILE and EMFILE, on every Unix; the standard library has no kind for them.
    matches!(error.raw_os_error(), Some(23 | 24))
        || error.to_string().contains("Too many open files")
}

/// Returns `true` if the disk is full, or the user may not store more on it.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Says what to do about an error of the file system.
pub(crate) fn suggest_remedy(error: &io::Error) -> &'static str {
    match error {
        error if is_out_of_files(error) => {
            "too many files are open: raise the limit (ulimit -n), or end what holds them, then \
             run again"
        }
        error if is_full(error) => "free some space, then run again",
        _ => "run again",
    }
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// Writes over the beginning of a file, which is created when missing, and syncs it.
///
/// For a few bytes that are always as many: whoever is killed here leaves the old ones or the new
/// ones, and what is no whole line can be told from one.
///
/// # Errors
/// What the file system says.
pub(crate) fn overwrite_start(path: &Path, bytes: &[u8], readers: FileMode) -> io::Result<()> {
    write_and_sync(OpenOptions::new().write(true), path, bytes, readers)
}

/// Writes over a part of a file that is there; durable once it is synced ([`sync_file`]).
///
/// # Errors
/// What the file system says; a part of `bytes` may then have been written.
pub(crate) fn overwrite_at(path: &Path, at: u64, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.seek(SeekFrom::Start(at))?;
    run_step(DiskStep::Write(path), || file.write_all(bytes))
}

/// Appends to a file, which is created when missing, and syncs it.
///
/// # Errors
/// What the file system says; a part of `bytes` may then stand at the file's end.
pub(crate) fn append(path: &Path, bytes: &[u8], readers: FileMode) -> io::Result<()> {
    write_and_sync(OpenOptions::new().append(true), path, bytes, readers)
}

/// Cuts a file down to its first `length` bytes and syncs it.
///
/// # Errors
/// What the file system says.
pub(crate) fn truncate(path: &Path, length: u64) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    run_step(DiskStep::Write(path), || file.set_len(length))?;
    run_step(DiskStep::Sync(path), || file.sync_all())
}

/// Removes a file; it is no error when it is gone already.
///
/// # Errors
/// What the file system says.
pub fn remove(path: &Path) -> io::Result<()> {
    run_step(DiskStep::Remove(path), || match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    })
}

/// Removes a folder with all that is in it.
///
/// # Errors
/// What the file system says.
pub(crate) fn remove_folder(path: &Path) -> io::Result<()> {
    run_step(DiskStep::Remove(path), || std::fs::remove_dir_all(path))
}

/// Makes the entries of a folder durable.
///
/// # Errors
/// What the file system says.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    // The folder of a file that is named alone is the one that the program runs in.
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    run_step(DiskStep::SyncFolder(path), || File::open(path)?.sync_all())
}

/// Makes the content of a file durable that something else has written.
///
/// # Errors
/// What the file system says.
pub(crate) fn sync_file(path: &Path) -> io::Result<()> {
    run_step(DiskStep::Sync(path), || File::open(path)?.sync_all())
}

fn private_folder_builder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

fn open_with_mode(options: &mut OpenOptions, path: &Path, readers: FileMode) -> io::Result<File> {
    options.mode(readers as u32).open(path)
}

/// Makes the entry of a file or folder durable in the folder that holds it.
fn sync_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), sync_folder)
}

/// Writes bytes into a file, which is created when missing, and syncs it.
fn write_and_sync(
    how: &mut OpenOptions,
    path: &Path,
    bytes: &[u8],
    readers: FileMode,
) -> io::Result<()> {
    let fresh = !path.exists();
    let how = how.create(true);
    let mut file = run_step(DiskStep::Write(path), || open_with_mode(how, path, readers))?;
    run_step(DiskStep::Write(path), || file.write_all(bytes))?;
    run_step(DiskStep::Sync(path), || file.sync_all())?;
    if fresh { sync_parent(path) } else { Ok(()) }
}
