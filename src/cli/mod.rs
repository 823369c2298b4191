//! The command line.
//!
//! Reads arguments, calls [`crate::process`], and prints. It makes no decision about games or
//! letters. The time, random bytes and environment variables come from `main`.

mod bot_figures;
mod campaign;
mod campaign_tables;
mod clock;
mod club_folder;
pub(crate) mod demo;
mod doctor;
mod explain;
mod export;
mod failure;
mod founding_args;
mod init;
mod journal;
mod letters;
mod list;
mod log;
mod member;
mod migrate;
mod moderate;
mod new;
mod receive;
mod rehearse;
mod restore;
mod rotate;
mod round_trip;
mod sender_proof;
mod show;
mod site;
mod site_folder;
mod status;
mod tick;
mod transports;
mod verify;
mod work;

pub use failure::{Exit, Failure};

use crate::disk::{self, FileMode};
use crate::process::Context;
use crate::rules::GameRegistry;
use chrono::{DateTime, Datelike, Utc};
use clap::{CommandFactory, Parser};
use serde::Serialize;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The years that the clock may show. An earlier year means that the clock was never set.
const PLAUSIBLE_YEARS: std::ops::RangeInclusive<i32> = 2020..=2999;

/// The parts of the machine that the program uses. Tests pass their own.
pub struct Environment {
    /// The kinds of game that the program knows.
    pub games: GameRegistry,
    /// The time of this run. `--now` replaces it.
    pub now: DateTime<Utc>,
    /// Reads this machine's clock. Differs from `now` if `now` was set, or later in a long run.
    pub clock: fn() -> DateTime<Utc>,
    /// Fills a buffer with secret random bytes.
    pub random: fn(&mut [u8]) -> Result<(), String>,
    /// Reads an environment variable.
    pub variable: fn(&str) -> Option<String>,
}

impl Environment {
    fn random_bytes<const N: usize>(&self) -> Result<[u8; N], Failure> {
        let mut bytes = [0; N];
        (self.random)(&mut bytes).map_err(|error| Failure::new(Exit::TryAgain, error))?;
        Ok(bytes)
    }
}

/// The input that every command has besides its own arguments.
struct Call<'a> {
    /// The club's folder.
    folder: &'a Path,
    environment: &'a Environment,
    /// Standard output.
    out: &'a mut dyn Write,
}

impl Call<'_> {
    /// Opens the club. Fails if its store has lost data.
    fn open(&self) -> Result<Context, Failure> {
        club_folder::open(self.folder, self.environment)
    }
}

/// Play board games by e-mail.
///
/// A cron job runs `postrider tick`. It reads the orders that players mailed, checks them, and adds
/// each accepted one to the game's log. Then it mails each player the board and their private
/// portfolio.
#[derive(Parser, Debug)]
#[command(name = "postrider", version, arg_required_else_help = true, max_term_width = 100)]
pub struct Cli {
    /// The club's folder.
    #[arg(short = 'C', long, global = true, value_name = "DIR", default_value = ".")]
    club: PathBuf,
    /// Act as if it were this time (RFC 3339); for rehearsing a club.
    #[arg(long, global = true, hide = true)]
    now: Option<DateTime<Utc>>,
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Demo(demo::Args),
    Answer(demo::AnswerArgs),
    Init(init::Args),
    New(new::Args),
    Campaign(campaign::Args),
    Tick(tick::Args),
    Work(work::Args),
    Receive(receive::Args),
    List(list::Args),
    Lobby(member::LobbyArgs),
    Show(show::Args),
    Site(site::Args),
    Log(log::Args),
    Journal(journal::Args),
    Explain(explain::Args),
    Doctor(doctor::Args),
    Status(status::Args),
    Moderate(moderate::Args),
    Letters(letters::Args),
    Clock(clock::Args),
    Member(member::Args),
    Rotate(rotate::Args),
    Replace(moderate::ReplaceArgs),
    Rewind(moderate::RewindArgs),
    End(moderate::EndArgs),
    Export(export::Args),
    Verify(verify::Args),
    Restore(restore::Args),
    Migrate(migrate::Args),
    Games(founding_args::GamesArgs),
    Rehearse(rehearse::Args),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Print the completion script for a shell.
#[derive(clap::Args, Debug)]
struct CompletionsArgs {
    /// The shell: bash, zsh, fish and others.
    shell: clap_complete::Shell,
}

/// Print the manual page.
#[derive(clap::Args, Debug)]
struct ManArgs {}

/// Runs the program with these arguments and returns its exit code. Writes failures to standard
/// error.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    environment: &Environment,
    out: &mut dyn Write,
) -> Exit {
    match Cli::try_parse_from(arguments) {
        Ok(cli) => run_cli(&cli, environment, out, &mut std::io::stderr()),
        Err(error) => {
            // clap also returns `--help` and `--version` as errors. They go to standard output and
            // succeed.
            let _ = error.print();
            if error.use_stderr() { Exit::Usage } else { Exit::Done }
        }
    }
}

/// Like [`run`], for a caller in this process: writes to `err` in place of standard error.
pub fn run_with_stderr(
    arguments: impl IntoIterator<Item = OsString>,
    environment: &Environment,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Exit {
    match Cli::try_parse_from(arguments) {
        Ok(cli) => run_cli(&cli, environment, out, err),
        Err(error) => {
            let (written, exit) = match error.use_stderr() {
                true => (write!(err, "{error}"), Exit::Usage),
                false => (write!(out, "{error}"), Exit::Done),
            };
            written.map_or(Exit::Disk, |()| exit)
        }
    }
}

fn run_cli(cli: &Cli, environment: &Environment, out: &mut dyn Write, err: &mut dyn Write) -> Exit {
    let environment = Environment {
        now: truncate_to_seconds(cli.now.unwrap_or(environment.now)),
        ..*environment
    };
    let mut call = Call { folder: &cli.club, environment: &environment, out };
    let done =
        check_clock_plausible(environment.now).and_then(|()| dispatch(&cli.command, &mut call));
    match done.and_then(|exit| Ok(call.out.flush().map(|()| exit)?)) {
        Ok(exit) => exit,
        Err(failure) => {
            if failure.exit != Exit::Done {
                let _ = writeln!(err, "{failure}");
            }
            failure.exit
        }
    }
}

fn dispatch(command: &Command, call: &mut Call<'_>) -> Result<Exit, Failure> {
    match command {
        Command::Demo(args) => demo::run(args, call),
        Command::Answer(args) => demo::run_answer(args, call),
        Command::Init(args) => init::run(args, call),
        Command::New(args) => new::run(args, call),
        Command::Campaign(args) => campaign::run(args, call.folder, call.environment, call.out),
        Command::Tick(args) => tick::run(args, call),
        Command::Work(args) => work::run(args, call),
        Command::Receive(args) => receive::run(args, call),
        Command::List(args) => list::run(args, call),
        Command::Lobby(args) => member::run_lobby_command(args, call),
        Command::Show(args) => show::run(args, call),
        Command::Site(args) => site::run(args, call),
        Command::Log(args) => log::run(args, call),
        Command::Journal(args) => journal::run(args, call.folder, call.environment, call.out),
        Command::Explain(args) => explain::run(args, call),
        Command::Doctor(args) => doctor::run(args, call.folder, call.environment, call.out),
        Command::Status(args) => status::run(args, call),
        Command::Moderate(args) => moderate::run(args, call),
        Command::Letters(args) => letters::run(args, call),
        Command::Clock(args) => clock::run(args, call),
        Command::Member(args) => member::run(args, call),
        Command::Replace(args) => moderate::replace_player(args, call),
        Command::Rotate(args) => rotate::run(args, call),
        Command::Rewind(args) => moderate::rewind_game(args, call),
        Command::End(args) => moderate::end_game(args, call),
        Command::Export(args) => export::run(args, call.folder, call.environment, call.out),
        Command::Verify(args) => verify::run(args, call.folder, call.environment, call.out),
        Command::Restore(args) => restore::run(args, call.folder, call.environment, call.out),
        Command::Migrate(args) => migrate::run(args, call.folder, call.environment, call.out),
        Command::Games(args) => founding_args::print_kinds_or_definition(args, call),
        Command::Rehearse(args) => rehearse::run(args, call),
        Command::Completions(CompletionsArgs { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "postrider", &mut script);
            call.out.write_all(&script)?;
            Ok(Exit::Done)
        }
        Command::Man(ManArgs {}) => {
            clap_mangen::Man::new(Cli::command()).render(call.out)?;
            Ok(Exit::Done)
        }
    }
}

/// Prints a value as JSON, on one line.
fn print_json(value: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    let text = serde_json::to_string(value).map_err(|error| Failure::new(Exit::Internal, error))?;
    Ok(writeln!(out, "{text}")?)
}

/// Prints a value as JSON that people can read, on several lines.
fn print_indented_json(value: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    let text =
        serde_json::to_string_pretty(value).map_err(|error| Failure::new(Exit::Internal, error))?;
    Ok(writeln!(out, "{text}")?)
}

/// Returns a time as commands print it: UTC, to the minute.
fn format_utc_minute(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}

/// Writes a file that the user named, completely or not at all. Everyone can read it.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    disk::write_atomically(&path.with_extension("new"), path, bytes, FileMode::WorldReadable)
        .map_err(|error| Failure::for_path(path, &error))
}

/// Refuses to run if the machine's clock was never set, because deadlines computed from it would
/// stay wrong.
fn check_clock_plausible(now: DateTime<Utc>) -> Result<(), Failure> {
    if PLAUSIBLE_YEARS.contains(&now.year()) {
        return Ok(());
    }
    let what = format!("this machine's clock says {}, so nothing was done", now.format("%Y-%m-%d"));
    Err(Failure::new(Exit::TryAgain, what).add_hint("set the clock"))
}

/// Cuts a time to whole seconds, the precision of records.
fn truncate_to_seconds(time: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp(time.timestamp(), 0).unwrap_or(time)
}
