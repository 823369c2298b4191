//! Helpers for the commands that work on a club: open it, create it, and turn its errors into exit
//! codes.

use super::{Environment, Exit, Failure, truncate_to_seconds};
use crate::club::Settings;
use crate::process::{self, ClubError, Context, GameSession, MemberRefusal, Player, RequestError};
use crate::rules::{Message, Refusal};
use crate::store::{CacheSize, Remedy, StoreError};
use chrono::{DateTime, TimeDelta, Utc};
use std::path::Path;

/// The largest difference between two clocks that is ignored.
const CLOCK_TOLERANCE: TimeDelta = TimeDelta::seconds(2);

/// Opens the club in this folder. Fails if its store has lost data.
pub fn open(folder: &Path, environment: &Environment) -> Result<Context, Failure> {
    Ok(Context::open_if_store_intact(environment.games, folder, CacheSize::Large, environment.now)?)
}

/// Like [`open`], for a command that reads the whole club only once, so it uses a small cache.
pub fn open_with_small_cache(folder: &Path, environment: &Environment) -> Result<Context, Failure> {
    Ok(Context::open_if_store_intact(environment.games, folder, CacheSize::Small, environment.now)?)
}

/// The clock for a club on a server: the server's time, as all machines that work on the club see
/// it. With local clocks, a machine whose clock is fast would end deadlines too early.
pub struct SharedClock {
    local_clock: fn() -> DateTime<Utc>,
    /// How far `--now` is ahead of this machine's clock. Zero if the difference is within the
    /// tolerance.
    requested_offset: TimeDelta,
}

impl SharedClock {
    /// Creates the clock. The offset stays fixed, so time goes on from `environment.now`.
    pub fn new(environment: &Environment) -> Self {
        let here = environment.clock;
        Self {
            local_clock: here,
            requested_offset: significant_clock_offset(environment.now - here()),
        }
    }

    /// Sets `context.now` to the server's time, plus the offset of `--now`. Does nothing if the
    /// club is in its folder.
    pub fn set_time(&self, context: &mut Context) -> Result<(), Failure> {
        if let Some(shared) = context.store.as_shared() {
            let here = (self.local_clock)();
            let ahead = significant_clock_offset(shared.current_time()? - here);
            context.now = truncate_to_seconds(here + self.requested_offset + ahead);
        }
        Ok(())
    }
}

/// Returns the difference of two clocks, or zero if it is within [`CLOCK_TOLERANCE`].
fn significant_clock_offset(by: TimeDelta) -> TimeDelta {
    if by.abs() > CLOCK_TOLERANCE { by } else { TimeDelta::zero() }
}

/// Returns the failure for a command that was refused, as `describe` words it, or for an internal
/// error.
pub fn failure_from_request_error<R>(
    blame: RequestError<R>,
    describe: impl FnOnce(R) -> Failure,
) -> Failure {
    match blame {
        RequestError::Refused(why) => describe(why),
        RequestError::Internal(error) => error.into(),
    }
}

/// Returns the failure for an intervention that the rules refuse, worded in the club's language.
pub fn intervention_refusal_failure(context: &Context, refusal: &Refusal) -> Failure {
    let exit = if refusal.reason.key == "moderator-no-game" { Exit::NoInput } else { Exit::Usage };
    Failure::new(exit, localize_for_club(context, &refusal.reason))
}

/// Returns the message's text in the club's language.
pub fn localize_for_club(context: &Context, message: &Message) -> String {
    context.library.language(&context.settings.language).localize(message)
}

/// Refuses to show the hidden information of a game that is still being played, unless the
/// moderator gave `--secrets`.
pub fn check_may_show_secrets(session: &GameSession, secrets: bool) -> Result<(), Failure> {
    if process::can_show_secrets(session, secrets) {
        return Ok(());
    }
    Err(hidden_secrets_failure(session.game_number()))
}

/// Returns the failure for a command that would show secrets of a game that is being played.
pub fn hidden_secrets_failure(game: u32) -> Failure {
    let what = format!("game {game} is still being played, and this shows its players' secrets");
    Failure::new(Exit::NoPermission, what).add_hint("add --secrets if you may see them")
}

/// Refuses a new member whose name equals or resembles another member's name, or a word that
/// letters use, unless the moderator gave `--insist`.
pub fn check_new_names_free(
    context: &Context,
    players: &[Player],
    insist: bool,
) -> Result<(), Failure> {
    let not_free = if insist { Vec::new() } else { process::find_taken_names(context, players)? };
    if not_free.is_empty() {
        return Ok(());
    }
    let names = not_free.join(", ");
    let what = MemberRefusal::NameNotFree(names);
    Err(Failure::new(Exit::Usage, what)
        .add_hint("choose another name, or add --insist to use this one"))
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let exit = match (&error, error.remedy()) {
            (StoreError::Io(error), _) => Exit::from_io_error(error),
            (_, Remedy::RunLater | Remedy::DecideAgain) => Exit::TryAgain,
            (_, Remedy::TellModerator) => Exit::BadData,
            (_, Remedy::FixSettings) => Exit::Settings,
        };
        Self::new(exit, error)
    }
}

impl From<ClubError> for Failure {
    fn from(error: ClubError) -> Self {
        match error {
            ClubError::NoClub(ref folder) => {
                let near = find_nearby_club(folder);
                let near = near.map(|near| format!("there is a club in {near}: use -C {near}"));
                let hint = "give the club's folder with -C, or create a club: postrider init DIR";
                Self::new(Exit::NoInput, &error).add_hint(near.unwrap_or_else(|| hint.to_owned()))
            }
            ClubError::File { path, error } => Self::for_path(&path, &error),
            ClubError::Store(error) => error.into(),
            ClubError::Settings(_) | ClubError::Secret(_) | ClubError::Template(_) => {
                Self::new(Exit::Settings, error)
            }
            ClubError::NoGame(_) => {
                Self::new(Exit::NoInput, error).add_hint("`postrider list` shows the games")
            }
            ClubError::BrokenGame { .. } | ClubError::GameFailed { .. } | ClubError::Damage(_) => {
                Self::new(Exit::BadData, error).add_hint("`postrider verify GAME` shows details")
            }
            ClubError::Compose(_) => Self::new(Exit::BadData, error),
        }
    }
}

/// Returns the path of a club directly inside this folder, to suggest it. If the folder does not
/// exist, searches its parent.
fn find_nearby_club(folder: &Path) -> Option<String> {
    let start = if folder.is_dir() { Some(folder) } else { folder.parent() };
    let start =
        start.map(|around| if around.as_os_str().is_empty() { Path::new(".") } else { around });
    let mut folders: Vec<_> =
        std::fs::read_dir(start?).ok()?.flatten().map(|it| it.path()).collect();
    folders.retain(|folder| folder.join("club.yaml").is_file());
    folders.sort();
    let found = folders.first()?.display().to_string();
    Some(found.strip_prefix("./").map_or(found.clone(), str::to_owned))
}

/// Returns the text of club.yaml for a new club.
pub fn settings_text(name: &str, address: &str, moderator: (&str, &str)) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    include_str!("club.yaml")
        .replace("{name}", &quoted(name))
        .replace("{address}", &quoted(address))
        .replace("{moderator}", &quoted(moderator.0))
        .replace("{moderator_address}", &quoted(moderator.1))
}

/// Creates a club's folder with secret, Maildirs and settings. Writes club.yaml last: a folder
/// without it is no club, so the command can be repeated after a failure.
pub fn create_club(folder: &Path, settings: &str, secret: [u8; 32]) -> Result<(), Failure> {
    use crate::disk::{self, FileMode};
    use crate::mail::{ClubSecret, Maildir};
    Settings::parse(settings).map_err(|error| Failure::new(Exit::Usage, error))?;
    let failed = |error: std::io::Error| Failure::for_path(folder, &error);
    disk::create_folder(folder).map_err(failed)?;
    Maildir::new(folder.join("inbox")).create_folders().map_err(failed)?;
    Maildir::new(folder.join("outbox")).create_folders().map_err(failed)?;
    let secret = ClubSecret::new(secret).to_text();
    let write = |name: &str, text: &str, readers| {
        let staging = folder.join(format!("{name}.new"));
        disk::write_atomically(&staging, &folder.join(name), text.as_bytes(), readers)
            .map_err(failed)
    };
    write("secret", &secret, FileMode::OwnerOnly)?;
    write("club.yaml", settings, FileMode::WorldReadable)
}
