//! What the commands that work on a club share: opening it, making it.

use super::{Environment, Exit, Failure};
use crate::club::Settings;
use crate::process::{self, Blame, MemberRefusal, Office, OfficeError, Player};
use crate::rules::Refusal;
use crate::store::{Remedy, Store, StoreError};
use std::path::Path;

/// Opens the club in this folder, unless its store has lost something.
pub fn open(folder: &Path, environment: &Environment) -> Result<Office, Failure> {
    // Else there would be a new one, as if nothing had been there.
    Store::gone(&folder.join("store"))?.map_or(Ok(()), Err)?;
    let office = Office::open(folder, environment.now)?;
    office.store.withheld().map_or(Ok(()), Err)?;
    Ok(office)
}

/// Ends the program by what `told` makes of the doing of who asked, and else by ours.
pub fn failed<R>(blame: Blame<R>, told: impl FnOnce(R) -> Failure) -> Failure {
    match blame {
        Blame::Theirs(why) => told(why),
        Blame::Ours(error) => error.into(),
    }
}

/// What the rules refuse to a moderator, in the club's words.
pub fn refused(office: &Office, refusal: &Refusal) -> Failure {
    let language = office.library.language(&office.settings.language);
    let exit = if refusal.reason.key == "moderator-no-game" { Exit::NoInput } else { Exit::Usage };
    Failure::new(exit, language.say(&refusal.reason))
}

/// Refuses to make anybody a member by a name that is taken for another's, unless it is insisted.
pub fn check_names(office: &Office, players: &[Player], insist: bool) -> Result<(), Failure> {
    let not_free = if insist { Vec::new() } else { process::names_not_free(office, players)? };
    if not_free.is_empty() {
        return Ok(());
    }
    let names = not_free.join(", ");
    let what = MemberRefusal::NameNotFree(names);
    Err(Failure::new(Exit::Usage, what).hint("give another name, or the same with --insist"))
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let exit = match error.remedy() {
            Remedy::RunLater | Remedy::DecideAnew => Exit::TryAgain,
            Remedy::TellModerator => Exit::BadData,
        };
        Self::new(exit, error)
    }
}

impl From<OfficeError> for Failure {
    fn from(error: OfficeError) -> Self {
        match error {
            OfficeError::NoClub(_) => Self::new(Exit::NoInput, &error)
                .hint("name the club's folder with -C, or make one: postrider init DIR"),
            OfficeError::File { path, error } => Self::file(&path, &error),
            OfficeError::Store(error) => error.into(),
            OfficeError::Settings(_) | OfficeError::Secret(_) | OfficeError::Template(_) => {
                Self::new(Exit::Settings, error)
            }
            OfficeError::NoGame(_) => {
                Self::new(Exit::NoInput, error).hint("postrider list shows the games")
            }
            OfficeError::BrokenGame { .. }
            | OfficeError::GameFailed { .. }
            | OfficeError::NoForfeit { .. }
            | OfficeError::Damage(_) => {
                Self::new(Exit::BadData, error).hint("postrider verify GAME says more")
            }
            OfficeError::Compose(_) => Self::new(Exit::BadData, error),
        }
    }
}

/// Whether others than the owner can read a file.
pub fn is_open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o077 != 0)
}

/// The settings of a new club, as its moderator finds them.
pub fn settings_text(name: &str, address: &str, moderator: (&str, &str)) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    include_str!("club.yaml")
        .replace("{name}", &quoted(name))
        .replace("{address}", &quoted(address))
        .replace("{moderator}", &quoted(moderator.0))
        .replace("{moderator_address}", &quoted(moderator.1))
}

/// Makes a club's folder: settings, secret, Maildirs. The settings come last, so that a folder
/// without them is no club yet and the command can be given again.
pub fn make(folder: &Path, settings: &str, secret: [u8; 32]) -> Result<(), Failure> {
    use crate::disk::{self, Readers};
    use crate::mail::{ClubSecret, Maildir};
    Settings::read(settings).map_err(|error| Failure::new(Exit::Usage, error))?;
    let failed = |error: std::io::Error| Failure::file(folder, &error);
    disk::create_folder(folder).map_err(failed)?;
    Maildir::new(folder.join("inbox")).create().map_err(failed)?;
    Maildir::new(folder.join("outbox")).create().map_err(failed)?;
    let secret = ClubSecret::new(secret).to_text();
    let write = |name: &str, text: &str, readers| {
        let staging = folder.join(format!("{name}.new"));
        disk::write_whole(&staging, &folder.join(name), text.as_bytes(), readers).map_err(failed)
    };
    write("secret", &secret, Readers::Owner)?;
    write("club.yaml", settings, Readers::Everyone)
}
