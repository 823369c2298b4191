//! Which layout the trees of a store have, as the file `format` beside them says it, and the way
//! from each earlier one to this.
//!
//! Knows which conversions there are, nothing of what they do.

use super::trees::Trees;
use super::{Memory, convert};
use crate::disk::{self, Readers};
use crate::store::StoreError;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The file that says it.
const FORMAT: &str = "format";
/// The layout of this version.
const THIS: &str = "postrider store 4\n";

/// The way from a layout to the next.
pub(super) struct Step {
    /// What stands in `format` before.
    pub from: &'static str,
    /// What stands there meanwhile: no earlier version is to open the store any more.
    pub under_way: &'static str,
    /// Converts whatever is left to convert.
    convert: fn(&Trees) -> Result<(), StoreError>,
}

impl Step {
    /// Whether a store of which `format` says this is to take this step next.
    fn is_next(&self, says: &str) -> bool {
        [self.from, self.under_way].contains(&says)
    }
}

/// All steps, from the first layout to this one.
pub(super) const STEPS: [Step; 3] = [
    Step {
        from: "postrider store 1\n",
        under_way: "postrider store 1 to 2\n",
        convert: convert::to_second,
    },
    Step {
        from: "postrider store 2\n",
        under_way: "postrider store 2 to 3\n",
        convert: convert::to_third,
    },
    Step {
        from: "postrider store 3\n",
        under_way: "postrider store 3 to 4\n",
        convert: convert::to_fourth,
    },
];

/// Opens the trees in `folder`, which are known to have been written up to a place, in so much
/// memory: those of an earlier layout are converted, and where none are new ones begin.
///
/// # Errors
/// [`StoreError::Newer`] when a later version wrote them, and those of [`Trees::open`].
pub(super) fn open(folder: &Path, known: u64, memory: Memory) -> Result<Trees, StoreError> {
    let Some(layout) = read(folder)? else { return begin(folder, known, memory) };
    let is_settled = folder.join("conf").exists();
    let trees = Trees::open(folder, known, memory)?;
    if !is_settled {
        disk::sync_file(&folder.join("conf"))?;
    }
    if layout != THIS {
        for step in STEPS.iter().skip_while(|step| !step.is_next(&layout)) {
            if layout != step.under_way {
                write(folder, step.under_way)?;
            }
            (step.convert)(&trees)?;
        }
        write(folder, THIS)?;
    }
    Ok(trees)
}

/// Begins trees of this layout.
fn begin(folder: &Path, known: u64, memory: Memory) -> Result<Trees, StoreError> {
    disk::create_folder(folder)?;
    disk::remove(&folder.join("conf"))?;
    let trees = Trees::open(folder, known, memory)?;
    disk::sync_file(&folder.join("conf"))?;
    trees.sync()?;
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.map_or(Ok(()), disk::sync_folder)?;
    write(folder, THIS)?;
    Ok(trees)
}

/// What `format` says; nothing when it is not there.
fn read(folder: &Path) -> Result<Option<String>, StoreError> {
    let format = folder.join(FORMAT);
    match fs::read_to_string(&format) {
        Ok(layout) if layout == THIS || STEPS.iter().any(|step| step.is_next(&layout)) => {
            Ok(Some(layout))
        }
        Ok(_) => Err(StoreError::Newer(format.display().to_string())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn write(folder: &Path, layout: &str) -> Result<(), StoreError> {
    let (staging, format) = (folder.join("format.new"), folder.join(FORMAT));
    Ok(disk::write_whole(&staging, &format, layout.as_bytes(), Readers::Owner)?)
}
