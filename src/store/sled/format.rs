//! The schema version of a store on sled, in the file `format` in its folder.

use super::CacheSize;
use super::trees::Trees;
use crate::disk::{self, FileMode};
use crate::store::StoreError;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

const FILE_NAME: &str = "format";
/// The text of the file `format`: the schema version, and the first version of postrider that reads
/// it.
const FORMAT_TEXT: &str = "postrider store 5, read by 0.2.0 and later versions\n";

/// Opens the trees in `folder`. `known` is the position up to which they were durable. Creates them
/// if the file `format` is missing.
///
/// # Errors
/// [`StoreError::Newer`] if the trees have another schema version, and the errors of
/// [`Trees::open`].
pub(super) fn open_or_create_trees(
    folder: &Path,
    known: u64,
    memory: CacheSize,
) -> Result<Trees, StoreError> {
    if !is_current_format(folder)? {
        return create_trees(folder, known, memory);
    }
    let is_settled = folder.join("conf").exists();
    let trees = Trees::open(folder, known, memory)?;
    if !is_settled {
        disk::sync_file(&folder.join("conf"))?;
    }
    Ok(trees)
}

/// Creates the trees of a new store. Writes the file `format` last, so that an interrupted creation
/// starts again.
fn create_trees(folder: &Path, known: u64, memory: CacheSize) -> Result<Trees, StoreError> {
    disk::create_folder(folder)?;
    disk::remove_file_if_exists(&folder.join("conf"))?;
    let trees = Trees::open(folder, known, memory)?;
    disk::sync_file(&folder.join("conf"))?;
    trees.sync()?;
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.map_or(Ok(()), disk::sync_folder)?;
    let (staging, file) = (folder.join("format.new"), folder.join(FILE_NAME));
    disk::write_atomically(&staging, &file, FORMAT_TEXT.as_bytes(), FileMode::OwnerOnly)?;
    Ok(trees)
}

/// Returns `true` if the file `format` names this schema version, and `false` if there is no file.
fn is_current_format(folder: &Path) -> Result<bool, StoreError> {
    let file = folder.join(FILE_NAME);
    match fs::read_to_string(&file) {
        Ok(text) if text == FORMAT_TEXT => Ok(true),
        Ok(text) => Err(StoreError::Newer(format!("{} ({})", file.display(), text.trim_end()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn later_store_format_is_refused_with_its_version() {
        let home = crate::testing::create_folder();
        drop(Store::open(home.path()).unwrap());
        assert_eq!(fs::read_to_string(home.path().join(FILE_NAME)).unwrap(), FORMAT_TEXT);
        let later = "postrider store 6, read by 0.9.0 and later versions\n";
        fs::write(home.path().join(FILE_NAME), later).unwrap();
        let refused = Store::open(home.path()).err().unwrap();
        assert!(matches!(refused, StoreError::Newer(_)), "{refused}");
        assert!(refused.to_string().contains("read by 0.9.0"), "{refused}");
    }
}
