//! Letters read ahead: while some are judged, one after the other, the next are read and opened,
//! side by side. Decides nothing, and knows nothing of what letters say.

use crate::mail::{BYTES_MAX, Unreadable, Waiting};
use crate::process::context::Context;
use crate::process::inbound::opened::Opened;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// So many letters are read ahead: enough for all hands, and few enough to be held where each of
/// them is as large as a letter may be.
const AHEAD: usize = 16;

/// A letter that was read ahead.
pub(crate) struct ReadAhead {
    /// Its file.
    pub(crate) file: Waiting,
    /// What is in it; none where it cannot be read.
    pub(crate) content: Option<Content>,
}

/// What is in a letter's file.
pub(crate) enum Content {
    /// A letter, or what cannot be one.
    Opened(Result<Box<Opened>, Unreadable>),
    /// These bytes, over which the program failed: whoever judges them is told of it.
    Unopened(Vec<u8>),
}

/// Hands these letters to `judge`, in their order, a few at a time, until it fails.
///
/// # Errors
/// Those of `judge`.
pub(super) fn each<E: Send>(
    context: &Context,
    letters: &[Waiting],
    mut judge: impl FnMut(Vec<ReadAhead>) -> Result<(), E> + Send,
) -> Result<(), E> {
    let mut later = letters.chunks(AHEAD);
    let mut next = read(context, later.next().unwrap_or_default());
    while !next.is_empty() {
        let after = later.next().unwrap_or_default();
        let (judged, read) = rayon::join(|| judge(next), || read(context, after));
        judged?;
        next = read;
    }
    Ok(())
}

fn read(context: &Context, letters: &[Waiting]) -> Vec<ReadAhead> {
    let read = |file: &Waiting| match file.read(BYTES_MAX) {
        Ok(bytes) => {
            ReadAhead { file: file.clone().holding(&bytes), content: Some(content(context, bytes)) }
        }
        Err(_) => ReadAhead { file: file.clone(), content: None },
    };
    letters.par_iter().map(read).collect()
}

fn content(context: &Context, bytes: Vec<u8>) -> Content {
    match catch_unwind(AssertUnwindSafe(|| Opened::read(context, &bytes))) {
        Ok(opened) => Content::Opened(opened.map(Box::new)),
        Err(_) => Content::Unopened(bytes),
    }
}
