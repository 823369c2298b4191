//! A club's folder, opened: settings, secret, words and store.

use crate::club::clock::describe_moment;
use crate::club::{Settings, SettingsError};
use crate::mail::transport::ComposeError;
use crate::mail::{ClubSecret, Maildir, PendingLetter};
use crate::process::{game_faults, store_location};
use crate::render::{Library, TemplateFault};
use crate::rules::{Message, UnreadableData};
use crate::store::{CacheSize, GameStore, InboxLetter, StoreError};
use crate::table::{FoldError, InitialGameCache};
use chrono::{DateTime, Utc};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open club.
pub struct Context {
    /// The club's folder, with club.yaml, secret, store and journal in it.
    pub folder: PathBuf,
    /// The settings of club.yaml.
    pub settings: Settings,
    /// What reply tokens are sealed with.
    pub secret: ClubSecret,
    /// The club's store.
    pub store: Arc<dyn GameStore>,
    /// The words of letters.
    pub library: Arc<Library>,
    /// The time of this run.
    pub now: DateTime<Utc>,
    /// The "write above this line" of every language.
    pub(crate) reply_markers: Vec<String>,
    /// When the store was restored from a journal, if it ever was.
    pub restored_at: Option<DateTime<Utc>>,
    pub(crate) openings: InitialGameCache,
}

/// Why something in a club cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum ClubError {
    /// There is no club here.
    #[error("{0} holds no club: there is no club.yaml in it")]
    NoClub(PathBuf),
    /// The settings are wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The club's secret is not in the expected form.
    #[error("{0} does not hold a club's secret: 64 hexadecimal digits")]
    Secret(PathBuf),
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A template is wrong.
    #[error("templates/{0}")]
    Template(#[from] TemplateFault),
    /// The file system.
    #[error("{path}: {error}")]
    File {
        /// Which file or folder.
        path: PathBuf,
        /// What it says.
        error: std::io::Error,
    },
    /// There is no game of this number.
    #[error("there is no game {0}")]
    NoGame(u32),
    /// A game's log does not fold.
    #[error("game {game}: {error}")]
    BrokenGame {
        /// The game's number.
        game: u32,
        /// What is wrong with it.
        error: FoldError,
    },
    /// A game's log holds what its rules cannot read.
    #[error(transparent)]
    Damage(#[from] UnreadableData),
    /// A game failed while something was done to it.
    #[error("game {game} failed ({})", why.key)]
    GameFailed {
        /// The game's number.
        game: u32,
        /// What went wrong.
        why: Message,
    },
    /// A letter cannot be composed.
    #[error(transparent)]
    Compose(#[from] ComposeError),
}

/// What is done in a club, or why it cannot be.
pub(crate) type ClubResult<T> = Result<T, ClubError>;

impl ClubError {
    /// Makes an error of the file system at this path.
    pub(crate) fn file(path: &Path, error: std::io::Error) -> Self {
        Self::File { path: path.to_owned(), error }
    }

    /// Returns this error as a clause for a sentence that names the game.
    pub(crate) fn to_message_without_game(&self) -> Message {
        match self {
            Self::BrokenGame { error, .. } => error.to_message(),
            Self::NoGame(_) => Message::new("fault-no-log"),
            other => other.to_message(),
        }
    }

    /// Returns this error as a clause of a letter. Words of the operating system or a parser are
    /// quoted.
    pub(crate) fn to_message(&self) -> Message {
        match self {
            Self::NoGame(game) => Message::new("fault-no-game").with("game", game.to_string()),
            Self::BrokenGame { game, error } => game_faults::game_fault(*game, error.to_message()),
            Self::GameFailed { why, .. } => why.clone(),
            Self::Damage(damage) => damage.to_message(),
            Self::Compose(error) => error.to_message(),
            Self::File { path, error } => Message::new("fault-file")
                .with("path", path.display().to_string())
                .with("what", error.to_string()),
            other => Message::new("fault-said").with("what", other.to_string()),
        }
    }
}

impl Context {
    /// Opens the club in this folder.
    ///
    /// # Errors
    /// What is missing or wrong; [`StoreError::Locked`] when another run is at work.
    pub fn open(folder: &Path, now: DateTime<Utc>) -> Result<Self, ClubError> {
        Self::open_with_memory(folder, CacheSize::Large, now)
    }

    /// Like [`Context::open`], with this much of the store in memory.
    ///
    /// # Errors
    /// Those of [`Context::open`].
    pub fn open_with_memory(
        folder: &Path,
        memory: CacheSize,
        now: DateTime<Utc>,
    ) -> Result<Self, ClubError> {
        let open = |settings: &Settings, secret: &ClubSecret| {
            store_location::open_store(folder, &settings.store, secret, memory)
        };
        Self::open_with_store(folder, open, now)
    }

    /// Like [`Context::open_with_memory`], unless the store has lost something.
    ///
    /// # Errors
    /// Those of [`Context::open`], and what the store has lost.
    pub fn open_intact(
        folder: &Path,
        memory: CacheSize,
        now: DateTime<Utc>,
    ) -> Result<Self, ClubError> {
        // Else a new store would be made, as if nothing had been there.
        store_location::missing_store_error(folder)?.map_or(Ok(()), Err)?;
        let context = Self::open_with_memory(folder, memory, now)?;
        context.store.read_only_reason().map_or(Ok(()), Err)?;
        Ok(context)
    }

    /// Opens the club in this folder over the store that `open` gives once all else is well.
    ///
    /// # Errors
    /// What is missing or wrong, and what `open` says.
    pub fn open_with_store(
        folder: &Path,
        open: impl FnOnce(&Settings, &ClubSecret) -> Result<Arc<dyn GameStore>, ClubError>,
        now: DateTime<Utc>,
    ) -> Result<Self, ClubError> {
        let settings = read_settings(folder)?;
        let path = folder.join("secret");
        let text = std::fs::read_to_string(&path).map_err(|error| ClubError::file(&path, error))?;
        let secret = ClubSecret::from_text(&text).ok_or(ClubError::Secret(path))?;
        let own = folder.join("templates");
        let library = if own.is_dir() { Library::load(&own)? } else { Library::embedded()? };
        let store = open(&settings, &secret)?;
        store.check_against_journal(&folder.join("journal"))?;
        Ok(Self {
            folder: folder.to_owned(),
            reply_markers: library.reply_markers(),
            restored_at: store.restored_at()?,
            settings,
            secret,
            store,
            library,
            now,
            openings: InitialGameCache::default(),
        })
    }

    /// Returns the globally unique id of something that this club names `name`: the Message-ID of a
    /// letter, or the UID of a calendar entry. Two clubs on one host never share an id, and nobody
    /// can guess one without the club's secret.
    pub(crate) fn unique_id(&self, name: &str) -> String {
        format!("{name}.{}@{}", self.secret.id_tag(name), self.settings.address_host())
    }

    /// Returns the List-Id of a game's letters, the same for the whole game.
    pub(crate) fn list_id(&self, game: u32) -> String {
        self.unique_id(&format!("g{game}")).replace('@', ".")
    }

    /// Returns a moment by the moderator's clock.
    pub(crate) fn moment_for_moderator(&self, at: DateTime<Utc>) -> Message {
        describe_moment(at, &self.settings.moderator.own_time())
    }

    /// Returns the folder of incoming letters.
    pub fn inbox(&self) -> Maildir {
        Maildir::new(self.folder.join(&self.settings.mail_in.maildir))
    }

    /// Returns the folder of the plain text copy of all logs.
    pub fn journal(&self) -> PathBuf {
        self.folder.join("journal")
    }
}

impl From<InboxLetter> for PendingLetter {
    fn from(letter: InboxLetter) -> Self {
        Self::in_memory(letter.name, letter.received, letter.bytes)
    }
}

/// Reads a club's settings.
///
/// # Errors
/// When there is no club, or its club.yaml is wrong.
pub fn read_settings(folder: &Path) -> Result<Settings, ClubError> {
    let path = folder.join("club.yaml");
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Settings::parse(&text)?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(ClubError::NoClub(folder.to_owned()))
        }
        Err(error) => Err(ClubError::file(&path, error)),
    }
}
