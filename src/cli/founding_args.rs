//! `postrider games`, and the arguments by which `new` and `rehearse` choose a kind of game.

use super::{Call, Exit, Failure};
use crate::render::Library;
use crate::rules::{GameKind, GameRegistry, Message, NewGameError, nearest_word};
use crate::table::GameSetup;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The arguments that choose a kind of game, its options and its definition.
#[derive(clap::Args, Debug)]
pub struct FoundingArgs {
    /// The kind of game, such as paris-connection; `postrider games` lists all.
    #[arg(value_name = "KIND")]
    kind: String,
    /// An option of the game, such as stall_after_trades=24; may be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option_argument)]
    options: Vec<(String, String)>,
    /// A file with your own definition, in place of the built-in one; `postrider games KIND` prints
    /// that.
    #[arg(long, value_name = "FILE")]
    definition: Option<PathBuf>,
}

/// List the kinds of games, or print the definition of one.
///
/// The definition is the file to start from if you want a board of your own. Save it, edit it, and
/// pass it to `postrider new` with --definition.
#[derive(clap::Args, Debug)]
pub struct GamesArgs {
    /// Print this game's definition.
    kind: Option<String>,
}

pub(super) fn print_kinds_or_definition(
    args: &GamesArgs,
    call: &mut Call<'_>,
) -> Result<Exit, Failure> {
    if let Some(id) = &args.kind {
        call.out
            .write_all(find_kind(call.environment.games, id)?.shipped_definition().as_bytes())?;
        return Ok(Exit::Done);
    }
    for kind in call.environment.games.kinds() {
        let seats = kind.allowed_seat_counts();
        writeln!(call.out, "{:24} {} to {} players", kind.id(), seats.start(), seats.end())?;
    }
    Ok(Exit::Done)
}

fn parse_option_argument(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .ok_or_else(|| format!("{text} must have the form name=value"))
}

/// A kind of game with its definition and options, ready to be founded.
pub struct ChosenGame {
    pub kind: &'static dyn GameKind,
    definition: String,
    options: BTreeMap<String, String>,
}

impl ChosenGame {
    /// Returns the setup of a game with this number of seats.
    pub fn setup(&self, seats: u8) -> GameSetup<'_> {
        GameSetup { kind: self.kind, definition: &self.definition, options: &self.options, seats }
    }
}

impl FoundingArgs {
    /// Finds the kind of game and reads its definition, from the given file or the built-in one.
    pub fn choose_game(&self, games: GameRegistry) -> Result<ChosenGame, Failure> {
        let kind = find_kind(games, &self.kind)?;
        let definition = match &self.definition {
            None => kind.shipped_definition().to_owned(),
            Some(path) => {
                std::fs::read_to_string(path).map_err(|error| Failure::for_path(path, &error))?
            }
        };
        Ok(ChosenGame { kind, definition, options: self.options.iter().cloned().collect() })
    }
}

/// Returns the kind of game with this name, or a failure that lists all names.
pub fn find_kind(games: GameRegistry, id: &str) -> Result<&'static dyn GameKind, Failure> {
    games.find_kind(id).ok_or_else(|| {
        let names: Vec<&str> = games.ids().collect();
        let meant = nearest_word(id, names.iter().copied());
        let meant = meant.map_or_else(String::new, |near| format!(": did you mean {near}?"));
        Failure::new(Exit::Usage, format!("there is no game called {id}{meant}"))
            .add_hint(format!("use one of: {}", names.join(", ")))
    })
}

/// Returns the English text of a game's message. Falls back to the message's key if the templates
/// cannot be loaded.
pub fn localize_to_english(reason: &Message) -> String {
    Library::embedded()
        .map_or_else(|_| reason.key.to_owned(), |library| library.language("en").localize(reason))
}

/// Returns the failure for a game that cannot be founded, with the line or argument at fault.
pub fn founding_failure(error: &NewGameError, seats: u8) -> Failure {
    match error {
        NewGameError::Yaml(_) => Failure::new(Exit::BadData, format!("the definition, {error}")),
        NewGameError::Definition { reason, line } => {
            let place = match line {
                0 => "the definition or an option".to_owned(),
                line => format!("the definition, line {line}"),
            };
            Failure::new(Exit::BadData, format!("{place}: {}", localize_to_english(reason)))
        }
        NewGameError::Option { .. } => Failure::new(Exit::Usage, format!("--option: {error}")),
        NewGameError::Seats { .. } => {
            Failure::new(Exit::Usage, format!("{error}, not for {seats}"))
        }
        NewGameError::Damage(_) => Failure::new(Exit::Internal, error),
    }
}
