//! A club's folder, opened: settings, secret, words and store.

use crate::club::clock::moment_words;
use crate::club::{Settings, SettingsError};
use crate::mail::transport::ComposeError;
use crate::mail::{ClubSecret, Maildir, Waiting};
use crate::process::{isolate, kept};
use crate::render::{Library, TemplateFault};
use crate::rules::{Damage, Message};
use crate::store::{GameStore, InHand, Memory, StoreError};
use crate::table::{FoldError, Openings};
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
    pub(crate) markers: Vec<String>,
    /// When the store was restored from a journal, if it ever was.
    pub restored: Option<DateTime<Utc>>,
    pub(crate) openings: Openings,
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
    Damage(#[from] Damage),
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
    pub(crate) fn told_of_its_game(&self) -> Message {
        match self {
            Self::BrokenGame { error, .. } => error.told(),
            Self::NoGame(_) => Message::new("fault-no-log"),
            other => other.told(),
        }
    }

    /// Returns this error as a clause of a letter. Words of the operating system or a parser are
    /// quoted.
    pub(crate) fn told(&self) -> Message {
        match self {
            Self::NoGame(game) => Message::new("fault-no-game").with("game", game.to_string()),
            Self::BrokenGame { game, error } => isolate::of_game(*game, error.told()),
            Self::GameFailed { why, .. } => why.clone(),
            Self::Damage(damage) => damage.told(),
            Self::Compose(error) => error.told(),
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
        Self::open_in(folder, Memory::Ample, now)
    }

    /// Like [`Context::open`], with this much of the store in memory.
    ///
    /// # Errors
    /// Those of [`Context::open`].
    pub fn open_in(folder: &Path, memory: Memory, now: DateTime<Utc>) -> Result<Self, ClubError> {
        let open = |settings: &Settings, secret: &ClubSecret| {
            kept::open(folder, &settings.store, secret, memory)
        };
        Self::over(folder, open, now)
    }

    /// Like [`Context::open_in`], unless the store has lost something.
    ///
    /// # Errors
    /// Those of [`Context::open`], and what the store has lost.
    pub fn open_whole(
        folder: &Path,
        memory: Memory,
        now: DateTime<Utc>,
    ) -> Result<Self, ClubError> {
        // Else a new store would be made, as if nothing had been there.
        kept::gone(folder)?.map_or(Ok(()), Err)?;
        let context = Self::open_in(folder, memory, now)?;
        context.store.withheld().map_or(Ok(()), Err)?;
        Ok(context)
    }

    /// Opens the club in this folder over the store that `open` gives once all else is well.
    ///
    /// # Errors
    /// What is missing or wrong, and what `open` says.
    pub fn over(
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
        store.hold_against(&folder.join("journal"))?;
        Ok(Self {
            folder: folder.to_owned(),
            markers: library.markers(),
            restored: store.restored()?,
            settings,
            secret,
            store,
            library,
            now,
            openings: Openings::default(),
        })
    }

    /// Returns the globally unique id of something that this club names `name`: the Message-ID of a
    /// letter, or the UID of a calendar entry. Two clubs on one host never share an id, and nobody
    /// can guess one without the club's secret.
    pub(crate) fn id_of(&self, name: &str) -> String {
        format!("{name}.{}@{}", self.secret.id_tag(name), self.settings.host())
    }

    /// Returns the List-Id of a game's letters, the same for the whole game.
    pub(crate) fn list_id_of(&self, game: u32) -> String {
        self.id_of(&format!("g{game}")).replace('@', ".")
    }

    /// Returns a moment by the moderator's clock.
    pub(crate) fn moment(&self, at: DateTime<Utc>) -> Message {
        moment_words(at, &self.settings.moderator.time())
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

impl From<InHand> for Waiting {
    fn from(letter: InHand) -> Self {
        Self::in_hand(letter.name, letter.received, letter.bytes)
    }
}

/// Reads a club's settings.
///
/// # Errors
/// When there is no club, or its club.yaml is wrong.
pub fn read_settings(folder: &Path) -> Result<Settings, ClubError> {
    let path = folder.join("club.yaml");
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Settings::read(&text)?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(ClubError::NoClub(folder.to_owned()))
        }
        Err(error) => Err(ClubError::file(&path, error)),
    }
}
