//! The command line: one file a subcommand.
//!
//! Nothing here decides anything about games or letters; it reads arguments, calls the layer that
//! does, and prints. Time, chance and the environment come from `main`.

mod campaign;
mod campaign_tables;
mod clock;
mod club;
mod completions;
mod demo;
mod doctor;
mod explain;
mod export;
mod failure;
mod forget;
mod founding_args;
mod games;
mod init;
mod journal;
mod letters;
mod list;
mod lobby;
mod log;
mod member;
mod migrate;
mod moderate;
mod new;
mod receive;
mod rehearse;
mod replace;
mod restore;
mod rotate;
mod sender_proof;
mod show;
mod tick;
mod verify;
mod ways;
mod work;

pub use failure::{Exit, Failure};

use crate::disk::{self, Readers};
use chrono::{DateTime, Datelike, Utc};
use clap::Parser;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The years in which the program may run: a clock before them was never set.
const BELIEVABLE: std::ops::RangeInclusive<i32> = 2020..=2999;

/// What the program takes from the machine it runs on.
pub struct Environment {
    /// The time of this run.
    pub now: DateTime<Utc>,
    /// What this machine's clock says by now.
    pub clock: fn() -> DateTime<Utc>,
    /// Fills a buffer with secret random bytes.
    pub random: fn(&mut [u8]) -> Result<(), String>,
    /// Reads an environment variable.
    pub variable: fn(&str) -> Option<String>,
}

/// Play board games by e-mail.
///
/// A cron job runs `postrider tick`: it reads the orders that players mailed, judges them, keeps
/// every accepted one in the game's log, and mails each player the board and a private portfolio.
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
    Init(init::Args),
    New(new::Args),
    Campaign(campaign::Args),
    Tick(tick::Args),
    Work(work::Args),
    Receive(receive::Args),
    List(list::Args),
    Lobby(lobby::Args),
    Show(show::Args),
    Log(log::Args),
    Journal(journal::Args),
    Explain(explain::Args),
    Doctor(doctor::Args),
    Moderate(moderate::Args),
    Letters(letters::Args),
    Clock(clock::Args),
    Member(member::Args),
    Rotate(rotate::Args),
    Replace(replace::Args),
    Rewind(moderate::RewindArgs),
    End(moderate::EndArgs),
    Export(export::Args),
    Verify(verify::Args),
    Restore(restore::Args),
    Migrate(migrate::Args),
    Games(games::Args),
    Rehearse(rehearse::Args),
    Completions(completions::Args),
    Man(completions::ManArgs),
}

/// Runs the program and says how it ends. What went wrong goes to standard error.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    environment: &Environment,
    out: &mut dyn Write,
) -> Exit {
    match Cli::try_parse_from(arguments) {
        Ok(cli) => carry_out(&cli, environment, out, &mut std::io::stderr()),
        Err(error) => {
            // Help and version come this way too, and are no error.
            let _ = error.print();
            if error.use_stderr() { Exit::Usage } else { Exit::Done }
        }
    }
}

/// The same for a caller in this process: what would go to standard error goes to `err`.
pub fn run_to(
    arguments: impl IntoIterator<Item = OsString>,
    environment: &Environment,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Exit {
    match Cli::try_parse_from(arguments) {
        Ok(cli) => carry_out(&cli, environment, out, err),
        Err(error) => {
            let (written, exit) = match error.use_stderr() {
                true => (write!(err, "{error}"), Exit::Usage),
                false => (write!(out, "{error}"), Exit::Done),
            };
            written.map_or(Exit::Disk, |()| exit)
        }
    }
}

fn carry_out(
    cli: &Cli,
    environment: &Environment,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Exit {
    let environment =
        Environment { now: whole_seconds(cli.now.unwrap_or(environment.now)), ..*environment };
    let done = believable(environment.now).and_then(|()| dispatch(cli, &environment, out));
    match done.and_then(|exit| Ok(out.flush().map(|()| exit)?)) {
        Ok(exit) => exit,
        Err(failure) => {
            if failure.exit != Exit::Done {
                let _ = writeln!(err, "{failure}");
            }
            failure.exit
        }
    }
}

fn dispatch(cli: &Cli, environment: &Environment, out: &mut dyn Write) -> Result<Exit, Failure> {
    let folder = &cli.club;
    match &cli.command {
        Command::Demo(args) => demo::run(args, environment, out),
        Command::Init(args) => init::run(args, environment, out),
        Command::New(args) => new::run(args, folder, environment, out),
        Command::Campaign(args) => campaign::run(args, folder, environment, out),
        Command::Tick(args) => tick::run(args, folder, environment, out),
        Command::Work(args) => work::run(args, folder, environment, out),
        Command::Receive(args) => receive::run(args, folder, environment, out),
        Command::List(args) => list::run(args, folder, environment, out),
        Command::Lobby(args) => lobby::run(args, folder, environment, out),
        Command::Show(args) => show::run(args, folder, environment, out),
        Command::Log(args) => log::run(args, folder, environment, out),
        Command::Journal(args) => journal::run(args, folder, environment, out),
        Command::Explain(args) => explain::run(args, folder, environment, out),
        Command::Doctor(args) => doctor::run(args, folder, environment, out),
        Command::Moderate(args) => moderate::run(args, folder, environment, out),
        Command::Letters(args) => letters::run(args, folder, environment, out),
        Command::Clock(args) => clock::run(args, folder, environment, out),
        Command::Member(args) => member::run(args, folder, environment, out),
        Command::Replace(args) => replace::run(args, folder, environment, out),
        Command::Rotate(args) => rotate::run(args, folder, environment, out),
        Command::Rewind(args) => moderate::rewind(args, folder, environment, out),
        Command::End(args) => moderate::end(args, folder, environment, out),
        Command::Export(args) => export::run(args, folder, environment, out),
        Command::Verify(args) => verify::run(args, folder, environment, out),
        Command::Restore(args) => restore::run(args, folder, environment, out),
        Command::Migrate(args) => migrate::run(args, folder, environment, out),
        Command::Games(args) => games::run(args, environment, out),
        Command::Rehearse(args) => rehearse::run(args, environment, out),
        Command::Completions(args) => completions::run(args, out),
        Command::Man(args) => completions::man(args, out),
    }
}

/// Writes a file that was asked for by name, for everyone to read, whole or not at all.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    disk::write_whole(&path.with_extension("new"), path, bytes, Readers::Everyone)
        .map_err(|error| Failure::file(path, &error))
}

/// Refuses a clock that was never set: what a club did by it, deadlines first of all, would be
/// wrong for good.
fn believable(now: DateTime<Utc>) -> Result<(), Failure> {
    if BELIEVABLE.contains(&now.year()) {
        return Ok(());
    }
    let what = format!("this machine's clock says {}: nothing is done", now.format("%Y-%m-%d"));
    Err(Failure::new(Exit::TryAgain, what).hint("set the clock"))
}

/// Records are dated to the second.
fn whole_seconds(time: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp(time.timestamp(), 0).unwrap_or(time)
}
