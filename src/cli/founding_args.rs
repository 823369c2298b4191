//! `postrider games`, and the arguments by which `new` and `rehearse` name a kind of game.

use super::{Call, Exit, Failure};
use crate::games;
use crate::render::Library;
use crate::rules::{GameKind, Message, NewGameError, nearest_word};
use crate::table::GameSetup;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Which game is founded, and how it is played.
#[derive(clap::Args, Debug)]
pub struct FoundingArgs {
    /// The game, such as paris-connection; `postrider games` lists them.
    #[arg(value_name = "KIND")]
    kind: String,
    /// An option of the game, such as stall_after_trades=24; may be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
    /// A definition of your own in place of the one that ships: `postrider games KIND` prints that.
    #[arg(long, value_name = "FILE")]
    definition: Option<PathBuf>,
}

/// List the games, or print the definition of one.
///
/// The definition is the file to start from for a board of your own: save it, edit it, and hand it
/// to `postrider new` with --definition.
#[derive(clap::Args, Debug)]
pub struct GamesArgs {
    /// Print this game's definition.
    kind: Option<String>,
}

pub(super) fn list_games(args: &GamesArgs, call: &mut Call<'_>) -> Result<Exit, Failure> {
    if let Some(id) = &args.kind {
        call.out.write_all(find_kind(id)?.definition().as_bytes())?;
        return Ok(Exit::Done);
    }
    for kind in games::GAMES {
        let seats = kind.seats();
        writeln!(call.out, "{:24} {} to {} players", kind.id(), seats.start(), seats.end())?;
    }
    Ok(Exit::Done)
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .ok_or_else(|| format!("{text} is not of the form name=value"))
}

/// A game that was chosen, ready to be founded.
pub struct ChosenGame {
    /// The game, by its rules.
    pub kind: &'static dyn GameKind,
    definition: String,
    options: BTreeMap<String, String>,
}

impl ChosenGame {
    /// What a game of it begins with for this many.
    pub fn setup(&self, seats: u8) -> GameSetup<'_> {
        GameSetup { kind: self.kind, definition: &self.definition, options: &self.options, seats }
    }
}

impl FoundingArgs {
    /// Finds the kind of game and reads its definition.
    pub fn choose_game(&self) -> Result<ChosenGame, Failure> {
        let kind = find_kind(&self.kind)?;
        let definition = match &self.definition {
            None => kind.definition().to_owned(),
            Some(path) => {
                std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?
            }
        };
        Ok(ChosenGame { kind, definition, options: self.options.iter().cloned().collect() })
    }
}

/// Returns the kind of game with this name.
///
/// # Errors
/// A failure that lists the names.
pub fn find_kind(id: &str) -> Result<&'static dyn GameKind, Failure> {
    games::find_kind(id).ok_or_else(|| {
        let names: Vec<&str> = games::GAMES.iter().map(|kind| kind.id()).collect();
        let meant = nearest_word(id, names.iter().copied());
        let meant = meant.map_or_else(String::new, |near| format!(": did you mean {near}?"));
        Failure::new(Exit::Usage, format!("there is no game called {id}{meant}"))
            .hint(format!("there is: {}", names.join(", ")))
    })
}

/// A game's own complaint in words; its key where there are none.
pub fn say_in_english(reason: &Message) -> String {
    Library::embedded()
        .map_or_else(|_| reason.key.to_owned(), |library| library.language("en").localize(reason))
}

/// Why a game could not be founded, with what to do.
pub fn open_failure(error: &NewGameError, seats: u8) -> Failure {
    match error {
        NewGameError::Yaml(_) => Failure::new(Exit::BadData, format!("the definition, {error}")),
        NewGameError::Definition { reason, line } => {
            let place = match line {
                0 => "the definition or an option".to_owned(),
                line => format!("the definition, line {line}"),
            };
            Failure::new(Exit::BadData, format!("{place}: {}", say_in_english(reason)))
        }
        NewGameError::Option { .. } => Failure::new(Exit::Usage, format!("--option: {error}")),
        NewGameError::Seats { .. } => {
            Failure::new(Exit::Usage, format!("{error}, not for {seats}"))
        }
        NewGameError::Damage(_) => Failure::new(Exit::Internal, error),
    }
}
