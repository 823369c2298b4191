//! `postrider moderate`, and the moderator's hand as commands of their own: `end` and `rewind`.

use super::{Environment, Exit, Failure, club};
use crate::club::Intervention;
use crate::process::{self, Context};
use crate::render::Section;
use crate::rules::{Message, Refusal};
use crate::table::Refused;
use std::io::Write;
use std::path::Path;

/// Do what a moderator's letter would do: pause, extend, rewind, announce, and so on.
///
/// Each argument is a line as it would stand in the letter, such as 'pause 12 because I travel';
/// all of them are done, or none. `postrider moderate help` lists what can be written.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Say what would be done, and do nothing.
    #[arg(long)]
    dry_run: bool,
    /// One line each, as in a letter of the moderator's.
    #[arg(value_name = "LINE", required = true)]
    lines: Vec<String>,
}

/// End a game as it stands; everyone is told why, and gets the result.
#[derive(clap::Args, Debug)]
pub struct EndArgs {
    /// The game's number.
    game: u32,
    /// Why, for the players.
    #[arg(long)]
    reason: String,
    /// Say what would be done, and do nothing.
    #[arg(long)]
    dry_run: bool,
}

/// Take a game back to where it was after a record; everyone is told why.
///
/// Nothing is deleted: the rewind is a record of its own, and the dice go back too.
#[derive(clap::Args, Debug)]
pub struct RewindArgs {
    /// The game's number.
    game: u32,
    /// The last record that stays in force; `postrider log GAME` lists them.
    #[arg(long, value_name = "SEQ")]
    to: u32,
    /// Why, for the players.
    #[arg(long)]
    reason: String,
    /// Say what would be done, and do nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let context = club::open(folder, environment)?;
    // A line that the shell has taken apart is still one line.
    let whole = args.lines.first().is_some_and(|first| first.trim().contains(' '));
    let lines = if whole { args.lines.clone() } else { vec![args.lines.join(" ")] };
    let directed = directed(&context, &lines, args.dry_run)?;
    tell_directed(&context, &directed, args.dry_run, out)
}

pub(super) fn end(
    args: &EndArgs,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let context = club::open(folder, environment)?;
    let EndArgs { game, reason, dry_run } = args;
    if *dry_run {
        return rehearse(&context, *game, &Intervention::End, reason, out);
    }
    moderate(&context, *game, &Intervention::End, reason)?;
    Ok(writeln!(out, "Game {game} is over; the next tick tells everyone.").map(|()| Exit::Done)?)
}

pub(super) fn rewind(
    args: &RewindArgs,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let context = club::open(folder, environment)?;
    let RewindArgs { game, to, reason, dry_run } = args;
    let what = Intervention::Rewind(*to);
    if *dry_run {
        return rehearse(&context, *game, &what, reason, out);
    }
    moderate(&context, *game, &what, reason)?;
    writeln!(out, "Game {game} stands at record {to} again; the next tick tells everyone.")?;
    Ok(Exit::Done)
}

/// Does something to a game; what was done.
pub(super) fn moderate(
    context: &Context,
    game: u32,
    what: &Intervention,
    reason: &str,
) -> Result<Section, Failure> {
    let refused = |refusal: Refusal| club::refused(context, &refusal);
    process::moderate(context, game, what, reason).map_err(|blame| club::failed(blame, refused))
}

/// Says what that would do.
pub(super) fn rehearse(
    context: &Context,
    game: u32,
    what: &Intervention,
    reason: &str,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let refused = |refusal: Refusal| club::refused(context, &refusal);
    let section = process::rehearse(context, game, what, reason)
        .map_err(|blame| club::failed(blame, refused))?;
    tell_directed(context, &[section], true, out)
}

/// Does what lines of the moderator's ask for, or says what would be done.
pub(super) fn directed(
    context: &Context,
    lines: &[String],
    dry_run: bool,
) -> Result<Vec<Section>, Failure> {
    let refused = |refused: Refused| failure(context, &refused);
    process::directed(context, lines, dry_run).map_err(|blame| club::failed(blame, refused))
}

/// Says what lines of the moderator's have led to.
pub(super) fn tell_directed(
    context: &Context,
    sections: &[Section],
    dry_run: bool,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let language = context.library.language(&context.settings.language);
    if dry_run {
        writeln!(out, "{}\n", language.say(&Message::new("moderator-preview")))?;
    }
    for Section { head, lines } in sections {
        writeln!(out, "{}", language.say(head))?;
        for line in lines {
            writeln!(out, "    {}", language.say(line))?;
        }
    }
    Ok(Exit::Done)
}

/// Why a line was not done, as the program ends with it.
fn failure(context: &Context, refused: &Refused) -> Failure {
    let Refusal { reason, instead, .. } = &refused.refusal;
    let language = context.library.language(&context.settings.language);
    let exit = match reason.key {
        "moderator-no-game" | "letter-not-held" => Exit::NoInput,
        "moderator-game-broken" | "letter-no-letter" => Exit::BadData,
        _ => Exit::Usage,
    };
    let mut what = language.say(reason);
    if let Some(line) = &refused.line {
        what = format!("{}: {what}", line.text);
    }
    let failure = Failure::new(exit, what);
    let instead: Vec<String> = instead.iter().map(|instead| language.say(instead)).collect();
    if instead.is_empty() { failure } else { failure.hint(instead.join(" ")) }
}
