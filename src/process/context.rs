//! A club's folder, opened: settings, secret, templates and store.

use crate::club::clock::describe_moment;
use crate::club::{Settings, SettingsError};
use crate::mail::transport::ComposeError;
use crate::mail::{ClubSecret, Maildir, PendingLetter};
use crate::process::{game_faults, store_location};
use crate::render::{Library, TemplateFault};
use crate::rules::{Dice, DynGame, GameRegistry, Message, UnreadableData};
use crate::store::{CacheSize, GameStore, InboxLetter, StoreError};
use crate::table::{BotSeat, FoldError, InitialGameCache};
use chrono::{DateTime, Utc};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// An open club: the data that every operation on it needs.
pub struct Context {
    /// The club's folder, with club.yaml, secret and journal in it.
    pub folder: PathBuf,
    /// The settings of club.yaml.
    pub settings: Settings,
    /// The secret with which reply tokens are sealed.
    pub secret: ClubSecret,
    pub store: Arc<dyn GameStore>,
    /// The sentences, letter templates and lexicons of all languages, with the club's own files.
    pub library: Arc<Library>,
    /// The time of this run.
    pub now: DateTime<Utc>,
    /// The time since some fixed moment, by a clock that nobody sets. It limits how long bots
    /// think.
    pub stopwatch: fn() -> Duration,
    /// The search that chooses the lines of a bot.
    pub bot_search: BotSearch,
    /// The "write above this line" marker in every language.
    pub(crate) reply_markers: Vec<String>,
    /// When the store was last restored from a journal, or `None` if it never was.
    pub restored_at: Option<DateTime<Utc>>,
    pub(crate) openings: InitialGameCache,
}

/// A function that chooses the lines of a bot in a position.
pub type BotSearch = fn(&dyn DynGame, BotSeat, &mut Dice) -> Vec<String>;

/// The reason why an operation on a club failed.
#[derive(Debug, thiserror::Error)]
pub enum ClubError {
    /// The folder has no club.yaml.
    #[error("{0} is not a club's folder: it has no club.yaml")]
    NoClub(PathBuf),
    /// club.yaml is wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The club's secret is not in the expected form.
    #[error("{0} does not contain a club's secret (64 hexadecimal digits)")]
    Secret(PathBuf),
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A template is wrong.
    #[error("templates/{0}")]
    Template(#[from] TemplateFault),
    /// A file or folder cannot be read or written.
    #[error("{path}: {error}")]
    File { path: PathBuf, error: std::io::Error },
    /// There is no game with this number.
    #[error("there is no game {0}")]
    NoGame(u32),
    /// A game's log cannot be replayed.
    #[error("game {game}: {error}")]
    BrokenGame { game: u32, error: FoldError },
    /// A game's log holds data that its rules cannot read.
    #[error(transparent)]
    Damage(#[from] UnreadableData),
    /// The program failed while it worked on a game.
    #[error("postrider failed while it worked on game {game} ({})", why.key)]
    GameFailed { game: u32, why: Message },
    /// A letter cannot be composed.
    #[error(transparent)]
    Compose(#[from] ComposeError),
}

/// The result of an operation on a club.
pub(crate) type ClubResult<T> = Result<T, ClubError>;

impl ClubError {
    /// Makes the error for a file or folder at this path.
    pub(crate) fn for_path(path: &Path, error: std::io::Error) -> Self {
        Self::File { path: path.to_owned(), error }
    }

    /// Returns this error as a clause for a sentence that already names the game.
    pub(crate) fn to_message_without_game(&self) -> Message {
        match self {
            Self::BrokenGame { error, .. } => error.to_message(),
            Self::NoGame(_) => Message::new("fault-no-log"),
            other => other.to_message(),
        }
    }

    /// Returns this error as a clause of a letter. Texts from the operating system or a parser are
    /// quoted in it.
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
    /// Opens the club in this folder with these kinds of game, with a large cache.
    ///
    /// # Errors
    /// If something is missing or wrong; [`StoreError::Locked`] if another run has the club open.
    pub fn open(games: GameRegistry, folder: &Path, now: DateTime<Utc>) -> Result<Self, ClubError> {
        Self::open_with_cache_size(games, folder, CacheSize::Large, now)
    }

    /// Like [`Context::open`], with a cache of this size.
    ///
    /// # Errors
    /// Those of [`Context::open`].
    pub fn open_with_cache_size(
        games: GameRegistry,
        folder: &Path,
        memory: CacheSize,
        now: DateTime<Utc>,
    ) -> Result<Self, ClubError> {
        let open = |settings: &Settings, secret: &ClubSecret| {
            store_location::open_store(folder, &settings.store, secret, memory)
        };
        Self::open_with_store(games, folder, open, now)
    }

    /// Like [`Context::open_with_cache_size`], but fails if the store has lost data.
    ///
    /// # Errors
    /// Those of [`Context::open`], and the loss of data.
    pub fn open_if_store_intact(
        games: GameRegistry,
        folder: &Path,
        memory: CacheSize,
        now: DateTime<Utc>,
    ) -> Result<Self, ClubError> {
        // Opening would otherwise create a new, empty store in place of the lost one.
        store_location::missing_store_error(folder)?.map_or(Ok(()), Err)?;
        let context = Self::open_with_cache_size(games, folder, memory, now)?;
        context.store.read_only_reason().map_or(Ok(()), Err)?;
        Ok(context)
    }

    /// Opens the club in this folder with the store that `open` returns. Calls `open` only after
    /// settings, secret and templates were read.
    ///
    /// # Errors
    /// If something is missing or wrong, and those of `open`.
    pub fn open_with_store(
        games: GameRegistry,
        folder: &Path,
        open: impl FnOnce(&Settings, &ClubSecret) -> Result<Arc<dyn GameStore>, ClubError>,
        now: DateTime<Utc>,
    ) -> Result<Self, ClubError> {
        let settings = read_settings(folder)?;
        let path = folder.join("secret");
        let text =
            std::fs::read_to_string(&path).map_err(|error| ClubError::for_path(&path, error))?;
        let secret = ClubSecret::from_text(&text).ok_or(ClubError::Secret(path))?;
        let own = folder.join("templates");
        let library = match own.is_dir() {
            true => Library::load(games, &own)?,
            false => Library::for_games(games)?,
        };
        settings.check_kinds(games)?;
        let store = open(&settings, &secret)?;
        store.stop_writing_if_journal_holds_more(&folder.join("journal"))?;
        Ok(Self {
            folder: folder.to_owned(),
            reply_markers: library.reply_end_markers(),
            restored_at: store.restored_at()?,
            settings,
            secret,
            store,
            library,
            now,
            stopwatch: time_since_start,
            bot_search: |game, bot, dice| game.choose_lines(bot.seat, bot.level, dice),
            openings: InitialGameCache::new(games),
        })
    }

    /// Returns the kinds of game that this program knows.
    pub fn games(&self) -> GameRegistry {
        self.library.games()
    }

    /// Returns the globally unique ID of an item that this club calls `name`: the Message-ID of a
    /// letter, or the UID of a calendar entry. Two clubs on one host never share an ID, and nobody
    /// can guess one without the club's secret.
    pub(crate) fn unique_id(&self, name: &str) -> String {
        format!("{name}.{}@{}", self.secret.id_tag(name), self.settings.address_host())
    }

    /// Returns the List-Id header for all letters of a game.
    pub(crate) fn list_id(&self, game: u32) -> String {
        self.unique_id(&format!("g{game}")).replace('@', ".")
    }

    /// Returns a time in the moderator's time zone.
    pub(crate) fn moment_for_moderator(&self, at: DateTime<Utc>) -> Message {
        describe_moment(at, &self.settings.moderators.first.own_time())
    }

    /// Returns the Maildir for incoming letters.
    pub fn inbox_maildir(&self) -> Maildir {
        Maildir::new(self.folder.join(&self.settings.mail_in.maildir))
    }

    /// Returns the folder of the plain text copy of all logs.
    pub fn journal_folder(&self) -> PathBuf {
        self.folder.join("journal")
    }
}

impl From<InboxLetter> for PendingLetter {
    fn from(letter: InboxLetter) -> Self {
        Self::in_memory(letter.name, letter.received, letter.bytes)
    }
}

/// Returns the time since the first call.
fn time_since_start() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Reads a club's settings.
///
/// # Errors
/// If there is no club in the folder, or its club.yaml is wrong.
pub fn read_settings(folder: &Path) -> Result<Settings, ClubError> {
    let path = folder.join("club.yaml");
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Settings::parse(&text)?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(ClubError::NoClub(folder.to_owned()))
        }
        Err(error) => Err(ClubError::for_path(&path, error)),
    }
}
