//! Every operation with which postrider changes the file system, one function each.
//!
//! This module alone gives two guarantees. First, a change is durable when its function returns
//! (exceptions are stated). Second, tests can abort the program or inject an error at each single
//! [`DiskStep`]. The module knows nothing of mail, games or sled; the store reports the steps of
//! sled.

use std::collections::BTreeSet;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// The environment variable that aborts the program after its n-th disk step. Used by crash tests.
pub const ABORT_AFTER_VARIABLE: &str = "POSTRIDER_ABORT_AFTER_STEP";

static STEPS_DONE: AtomicU64 = AtomicU64::new(0);

/// One step that changes the file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskStep<'a> {
    /// A file is created, written to or truncated.
    Write(&'a Path),
    Sync(&'a Path),
    /// A file is moved from the first path to the second.
    Rename(&'a Path, &'a Path),
    /// A file is removed, or a folder and its content.
    Remove(&'a Path),
    CreateFolder(&'a Path),
    SyncFolder(&'a Path),
}

/// Callbacks around each disk step. A test uses them to simulate a disk that fails.
#[derive(Clone, Copy, Debug)]
pub struct StepObserver {
    /// Called before a step. An error prevents the step and becomes its result.
    pub before: fn(DiskStep<'_>) -> io::Result<()>,
    pub after: fn(DiskStep<'_>),
}

static STEP_OBSERVER: OnceLock<StepObserver> = OnceLock::new();

/// Calls `watcher` for every later disk step of this process. Only the first call has an effect.
pub fn observe_steps(watcher: StepObserver) {
    STEP_OBSERVER.get_or_init(|| watcher);
}

/// Performs one disk step, between the callbacks of the observer.
///
/// Aborts the program without cleanup after the step whose number is in [`ABORT_AFTER_VARIABLE`].
/// `tests/club/crash.rs` uses this to kill a pass after each step in turn.
///
/// # Errors
/// If `work` or the observer returns an error.
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
    count_step_or_abort();
    Ok(outcome)
}

/// Counts a step, and aborts the program if its number is in [`ABORT_AFTER_VARIABLE`]. The store
/// also calls this for its steps on a database server, so tests can abort after those too.
pub(crate) fn count_step_or_abort() {
    let done = STEPS_DONE.fetch_add(1, Ordering::SeqCst) + 1;
    static LAST: OnceLock<Option<u64>> = OnceLock::new();
    if *LAST.get_or_init(|| std::env::var(ABORT_AFTER_VARIABLE).ok()?.parse().ok()) == Some(done) {
        std::process::abort();
    }
}

/// The permissions of a file that this module creates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileMode {
    /// Mode 600, for secrets, letters and logs.
    OwnerOnly = 0o600,
    /// Mode 644, for files that every user of the machine may read.
    WorldReadable = 0o644,
}

/// Whether users other than the owner have any permission on the file.
pub(crate) fn is_readable_by_others(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o077 != 0)
}

/// Creates a folder and its missing parents with mode 700. The folder's own entry is durable
/// afterwards.
///
/// # Errors
/// If the file system fails: no permission, no space, or a file with that name.
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

/// Creates a folder and its missing parents with mode 755. Not synced, so it may be missing after
/// a crash.
pub(crate) fn create_public_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    run_step(DiskStep::CreateFolder(path), || {
        DirBuilder::new().mode(0o755).recursive(true).create(path)
    })
}

/// Replaces a file that everyone can read: writes it to `staging` and renames it to `path`. Not
/// synced, so only for files that can be written again after a crash.
///
/// Follows no symbolic link at `staging`, because others may be able to write in a public folder.
pub(crate) fn replace_without_sync(staging: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    remove_file_if_exists(staging)?;
    let mut how = OpenOptions::new();
    let how = how.create_new(true).write(true);
    let readers = FileMode::WorldReadable;
    let mut file = run_step(DiskStep::Write(staging), || open_with_mode(how, staging, readers))?;
    run_step(DiskStep::Write(staging), || file.write_all(bytes))?;
    drop(file);
    run_step(DiskStep::Rename(staging, path), || std::fs::rename(staging, path))
}

/// Writes a whole file atomically: writes it to `staging`, syncs it, renames it to `path`, and
/// syncs the folder.
///
/// A reader of `path` sees either no file, the old file, or the complete new file. Both paths must
/// be on one file system. Replaces an existing file, so a repeated call is harmless.
///
/// # Errors
/// If the file system fails. `path` then has its old or its complete new content.
pub(crate) fn write_atomically(
    staging: &Path,
    path: &Path,
    bytes: &[u8],
    mode: FileMode,
) -> io::Result<()> {
    write_atomically_with_mtime(staging, path, bytes, mode, None)
}

/// Like [`write_atomically`], but also sets the modification time of the file, if `changed` is
/// given.
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
    move_durably(staging, path)
}

/// Moves a file, if necessary to another file system. Both folders are durable afterwards.
///
/// # Errors
/// If the file system fails. The file then exists at one or both of the paths.
pub fn move_durably(from: &Path, to: &Path) -> io::Result<()> {
    move_without_sync(from, to)?;
    sync_parent(to)?;
    if from.parent() == to.parent() { Ok(()) } else { sync_parent(from) }
}

/// Moves a file without syncing the folders after a rename. A rename cannot cross file systems. In
/// that case, makes a durable copy with an equal modification time, and then removes the original.
fn move_without_sync(from: &Path, to: &Path) -> io::Result<()> {
    match run_step(DiskStep::Rename(from, to), || std::fs::rename(from, to)) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
        result => return result,
    }
    // Mail programs ignore files that begin with a dot, so none of them reads an incomplete copy.
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    let staging = to.with_file_name(format!(".{name}.new"));
    run_step(DiskStep::Write(&staging), || std::fs::copy(from, &staging))?;
    let file = OpenOptions::new().write(true).open(&staging)?;
    file.set_modified(std::fs::metadata(from)?.modified()?)?;
    run_step(DiskStep::Sync(&staging), || file.sync_all())?;
    run_step(DiskStep::Rename(&staging, to), || std::fs::rename(&staging, to))?;
    sync_parent(to)?;
    remove_file_if_exists(from)
}

/// Locks an existing file for this process until the returned handle is dropped. Returns `None` if
/// another process has locked it.
pub(crate) fn try_lock(path: &Path) -> io::Result<Option<File>> {
    let file = File::open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Moves many files, and syncs each affected folder once at the end. Skips a file that no longer
/// exists. Returns the indices in `moves` of the files that could not be moved, each with its
/// error.
///
/// # Errors
/// If a folder cannot be synced.
pub(crate) fn move_all_durably(
    moves: &[(PathBuf, PathBuf)],
) -> io::Result<Vec<(usize, io::Error)>> {
    let (mut folders, mut failed) = (BTreeSet::new(), Vec::new());
    for (place, (from, to)) in moves.iter().enumerate() {
        match move_without_sync(from, to) {
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

/// Returns `true` if the process or the machine has too many files open. sled reports this error as
/// text only, so the text is checked too.
pub(crate) fn is_too_many_open_files(error: &io::Error) -> bool {
    // ENFILE and EMFILE, which have these numbers on every Unix. The standard library has no
    // `ErrorKind` for them.
    matches!(error.raw_os_error(), Some(23 | 24))
        || error.to_string().contains("Too many open files")
}

/// Returns `true` if the disk is full or the user's disk quota is used up.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Returns advice to the operator on how to fix a file system error.
pub(crate) fn suggest_remedy(error: &io::Error) -> &'static str {
    match error {
        error if is_too_many_open_files(error) => {
            "too many files are open: raise the limit (ulimit -n), or stop the programs that hold \
             them, then run again"
        }
        error if is_full(error) => "free some space, then run again",
        _ => "run again",
    }
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// Overwrites the beginning of a file and syncs it. Creates the file if it is missing.
///
/// Only for short content of constant length. After a crash, the file contains the old or the new
/// bytes. If a file was being created, it may contain an incomplete line, which the reader can
/// recognize.
pub(crate) fn overwrite_start_and_sync(
    path: &Path,
    bytes: &[u8],
    readers: FileMode,
) -> io::Result<()> {
    write_and_sync(OpenOptions::new().write(true), path, bytes, readers)
}

/// Overwrites a part of an existing file. Durable only after [`sync_file`], because the caller may
/// write several parts before one sync.
///
/// # Errors
/// If the file system fails. A part of `bytes` may then have been written.
pub(crate) fn overwrite_at(path: &Path, at: u64, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.seek(SeekFrom::Start(at))?;
    run_step(DiskStep::Write(path), || file.write_all(bytes))
}

/// Appends to a file and syncs it. Creates the file if it is missing.
///
/// # Errors
/// If the file system fails. A part of `bytes` may then be at the end of the file.
pub(crate) fn append_and_sync(path: &Path, bytes: &[u8], readers: FileMode) -> io::Result<()> {
    write_and_sync(OpenOptions::new().append(true), path, bytes, readers)
}

/// Truncates a file to its first `length` bytes and syncs it.
pub(crate) fn truncate_and_sync(path: &Path, length: u64) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    run_step(DiskStep::Write(path), || file.set_len(length))?;
    run_step(DiskStep::Sync(path), || file.sync_all())
}

/// Removes a file. Succeeds if the file does not exist. The folder is not synced.
///
/// # Errors
/// If the file system fails.
pub fn remove_file_if_exists(path: &Path) -> io::Result<()> {
    run_step(DiskStep::Remove(path), || match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    })
}

/// Removes a folder and its content. The parent folder is not synced.
pub(crate) fn remove_folder(path: &Path) -> io::Result<()> {
    run_step(DiskStep::Remove(path), || std::fs::remove_dir_all(path))
}

/// Removes a folder if it is empty. Not synced.
pub(crate) fn remove_folder_if_empty(path: &Path) -> io::Result<()> {
    run_step(DiskStep::Remove(path), || match std::fs::remove_dir(path) {
        Err(error) if !is_missing(&error) && error.kind() != io::ErrorKind::DirectoryNotEmpty => {
            Err(error)
        }
        _ => Ok(()),
    })
}

/// Makes the entries of a folder durable.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    // The parent of a bare file name is the empty path, which means the current folder.
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    run_step(DiskStep::SyncFolder(path), || File::open(path)?.sync_all())
}

/// Makes the content of a file durable that another component has written.
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

/// Makes the entry of a file or folder durable in its parent folder.
fn sync_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), sync_folder)
}

/// Writes bytes to a file that is created if missing, and syncs it. Also syncs the folder if the
/// file is new.
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
