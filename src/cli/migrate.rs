//! `postrider migrate`: moves a club to another store.

use super::{Environment, Exit, Failure, club_folder};
use crate::club::PostgresSettings;
use crate::process::{self, Destination, MigrationRefusal, read_settings};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Move the club, with all its data, to a database server or back into its folder.
///
/// Moves the club from the store that club.yaml names to one where no club of this name is yet.
/// Stop the passes and workers first. If several machines receive letters, let each run a last
/// pass. At the end the command prints the lines for club.yaml, which you have to change yourself;
/// until then every other command refuses to run. If the command was interrupted, run it again. You
/// can move a club there and back as often as you like.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A file in the club's folder, with mode 600, that holds the URL of a PostgreSQL server; or
    /// the club's own folder.
    #[arg(long, value_name = "FILE|DIR")]
    to: PathBuf,
    /// The club's name on the server. Default: the name in club.yaml.
    #[arg(long, value_name = "CLUB")]
    name: Option<String>,
    /// A PEM file with root certificates to trust in addition to the machine's own.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let to = read_destination(args, folder)?;
    let done = process::migrate(environment.games, folder, &to, environment.now);
    let done = done.map_err(|blame| {
        club_folder::failure_from_request_error(blame, |why| migration_refusal_failure(why, &to))
    })?;
    for (what, place) in &done.set_aside {
        writeln!(out, "The old {what} is now {}.", place.display())?;
    }
    writeln!(
        out,
        "{} games and {} members are now in {}.",
        done.games, done.members, done.moved.place
    )?;
    if done.moved.lines.is_empty() {
        writeln!(out, "Remove `store` and the lines below it from club.yaml, then go on.")?;
    } else {
        writeln!(
            out,
            "Put these lines into club.yaml, in place of `store` if it is there, then go on:\n"
        )?;
        done.moved.lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(Exit::Done)
}

/// Returns the store that `--to` names: a server if it is a file, the club's folder if it is that
/// folder.
fn read_destination(args: &Args, folder: &Path) -> Result<Destination, Failure> {
    let to = folder.join(&args.to);
    let to = if to.exists() { to } else { args.to.clone() };
    let of = |path: &Path| path.canonicalize().map_err(|error| Failure::for_path(path, &error));
    if !of(&to)?.is_dir() {
        let settings = read_settings(folder)?;
        let name = settings.postgres_settings().map_or(&settings.name, |server| &server.club);
        return Ok(Destination::Server(PostgresSettings {
            url_file: path_for_settings(&args.to, folder)?,
            ca_file: args.ca.as_ref().map(|file| path_for_settings(file, folder)).transpose()?,
            club: args.name.as_ref().unwrap_or(name).clone(),
        }));
    }
    if of(&to)? != of(folder)? {
        let what = format!("{} is not the club's own folder", args.to.display());
        return Err(Failure::new(Exit::Usage, what).add_hint("use --to . for the club's folder"));
    }
    if args.name.is_some() || args.ca.is_some() {
        return Err(Failure::new(Exit::Usage, "--name and --ca are only for a club on a server"));
    }
    Ok(Destination::Folder)
}

/// Returns a file's path for club.yaml: relative to the club's folder if the file is there, or else
/// absolute.
fn path_for_settings(file: &Path, folder: &Path) -> Result<String, Failure> {
    let whole = match folder.join(file).exists() {
        true => file.to_owned(),
        false => std::path::absolute(file).map_err(|error| Failure::for_path(file, &error))?,
    };
    let text = whole.to_str().map(str::to_owned);
    text.ok_or_else(|| Failure::new(Exit::Usage, "the file's name is not valid UTF-8"))
}

fn migration_refusal_failure(why: MigrationRefusal, to: &Destination) -> Failure {
    match (why, to) {
        (MigrationRefusal::AlreadyThere, _) => {
            Failure::new(Exit::Usage, "the club is already there, as club.yaml says")
        }
        (MigrationRefusal::DestinationInUse, Destination::Server(_)) => Failure::new(
            Exit::CannotCreate,
            "the database already has data of a club with this name",
        )
        .add_hint("give the club another name there with --name; nothing has been changed"),
        (MigrationRefusal::DestinationInUse, Destination::Folder) => {
            Failure::new(Exit::CannotCreate, "there is a store in the folder already")
                .add_hint("move the folder `store` away; nothing has been changed")
        }
    }
}
