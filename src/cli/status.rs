//! `postrider status`: prints figures for a monitoring program.

use super::club_folder::{self, SharedClock};
use super::{Call, Exit, Failure, format_utc_minute, print_json};
use crate::process::{self, ClubStatus};

/// Print figures for monitoring: last pass, queued letters, quarantine, undeliverable members, size
/// of the store.
///
/// Changes nothing. Letters that wait for a daily digest do not count as queued. The time of the
/// last pass is up to ten minutes early. If a pass is running, the exit code is 75. In a club on a
/// database server, passes and this command may run at the same time.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Print JSON: one object, with ages in seconds. A figure that is not known is null.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let status = load(call)?;
    if args.json {
        print_json(&status, call.out)?;
        return Ok(Exit::Done);
    }
    let ago = |seconds: u64| format!("{} h {} min ago", seconds / 3600, seconds / 60 % 60);
    match status.last_pass.zip(status.last_pass_age_seconds) {
        Some((at, age)) => {
            writeln!(call.out, "last pass: {}, {}", format_utc_minute(at), ago(age))?;
        }
        None => writeln!(call.out, "last pass: none yet")?,
    }
    write!(call.out, "letters: {} queued", status.queued_letters)?;
    if let Some(age) = status.oldest_queued_letter_age_seconds {
        write!(call.out, " (the oldest was written {})", ago(age))?;
    }
    writeln!(call.out, ", {} in quarantine", status.quarantined_letters)?;
    writeln!(call.out, "members: {} undeliverable", status.undeliverable_members)?;
    if let Some(bytes) = status.store_bytes {
        writeln!(call.out, "store: {bytes} bytes")?;
    }
    Ok(Exit::Done)
}

/// Loads the status, and closes the store, so that passes can continue.
fn load(call: &Call<'_>) -> Result<ClubStatus, Failure> {
    if process::is_store_still_missing(call.folder)? {
        return Ok(ClubStatus::default());
    }
    let mut context = club_folder::open_with_small_cache(call.folder, call.environment)?;
    SharedClock::new(call.environment).set_time(&mut context)?;
    Ok(process::load_club_status(&context)?)
}
