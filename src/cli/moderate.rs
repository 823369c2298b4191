//! `postrider moderate`, and the interventions with commands of their own: `end`, `rewind` and
//! `replace`.

use super::{Call, Exit, Failure, club_folder};
use crate::club::{Intervention, Substitute, parse_mailbox};
use crate::process::{self, Context, Player};
use crate::render::Section;
use crate::rules::{Message, Refusal, Seat};
use crate::table::LetterRefusal;
use std::io::Write;

/// Do what a moderator's letter can do: pause, extend, rewind, announce, and so on.
///
/// Each argument is a line as in the letter, such as 'pause 12 because I travel'. Either all lines
/// are carried out, or none. `postrider moderate help` lists what you can write.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Show what would be done, and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// One line each, as in a letter of the moderator.
    #[arg(value_name = "LINE", required = true)]
    lines: Vec<String>,
}

/// End a game as it stands, and tell everyone the reason and the result.
#[derive(clap::Args, Debug)]
pub struct EndArgs {
    /// The game's number.
    game: u32,
    /// The reason that the players read.
    #[arg(long)]
    reason: String,
    /// Show what would be done, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

/// Take a game back to its position after a record, and tell everyone why.
///
/// Deletes nothing: the rewind is a new record. The dice go back too.
#[derive(clap::Args, Debug)]
pub struct RewindArgs {
    /// The game's number.
    game: u32,
    /// The last record to keep; `postrider log GAME` lists the records.
    #[arg(long, value_name = "SEQ")]
    to: u32,
    /// The reason that the players read.
    #[arg(long)]
    reason: String,
    /// Show what would be done, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

/// Give a seat, with all that it has seen, to another member, and tell everyone why.
#[derive(clap::Args, Debug)]
pub struct ReplaceArgs {
    /// The game's number.
    game: u32,
    /// The seat's number, from 1.
    #[arg(value_parser = clap::value_parser!(u8).range(1..))]
    seat: u8,
    /// A member's number, address or name, or a new person as `Ann <ann@example.org>`, who becomes
    /// a member. If no letter ever came from that address, the person is asked first.
    who: String,
    /// The reason that the players read.
    #[arg(long)]
    reason: String,
    /// Accept a new member's name even if it equals or resembles another name.
    #[arg(long)]
    insist: bool,
    /// Show what would be done, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let context = call.open()?;
    // If the first argument is a single word, the shell has split one line into words, so they are
    // joined.
    let whole = args.lines.first().is_some_and(|first| first.trim().contains(' '));
    let lines = if whole { args.lines.clone() } else { vec![args.lines.join(" ")] };
    let directed = run_or_preview_lines(&context, &lines, args.dry_run)?;
    print_sections(&context, &directed, args.dry_run, call.out)
}

pub(super) fn end_game(args: &EndArgs, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let context = call.open()?;
    let EndArgs { game, reason, dry_run } = args;
    if intervene_or_print_preview(
        &context,
        *game,
        &Intervention::End,
        (reason, *dry_run),
        call.out,
    )?
    .is_some()
    {
        writeln!(call.out, "Game {game} is over; the next tick tells everyone.")?;
    }
    Ok(Exit::Done)
}

pub(super) fn rewind_game(args: &RewindArgs, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let context = call.open()?;
    let RewindArgs { game, to, reason, dry_run } = args;
    let what = Intervention::Rewind(*to);
    if intervene_or_print_preview(&context, *game, &what, (reason, *dry_run), call.out)?.is_some() {
        let out = &mut call.out;
        writeln!(out, "Game {game} is back at record {to}; the next tick tells everyone.")?;
    }
    Ok(Exit::Done)
}

pub(super) fn replace_player(args: &ReplaceArgs, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let context = call.open()?;
    let ReplaceArgs { game, seat, who, reason, insist, dry_run } = args;
    if let Some((name, address)) = parse_mailbox(who) {
        club_folder::check_new_names_free(&context, &[Player { name, address }], *insist)?;
    }
    let what = Intervention::Replace { seat: Seat::new(*seat), by: Substitute::from(who.as_str()) };
    match intervene_or_print_preview(&context, *game, &what, (reason, *dry_run), call.out)? {
        Some(done) => print_sections(&context, &[done], false, call.out),
        None => Ok(Exit::Done),
    }
}

/// Carries out the moderator's intervention in a game and returns what was done. In a dry run,
/// prints what would be done and returns `None`.
pub(super) fn intervene_or_print_preview(
    context: &Context,
    game: u32,
    what: &Intervention,
    (reason, dry_run): (&str, bool),
    out: &mut dyn Write,
) -> Result<Option<Section>, Failure> {
    let section = moderate_or_preview(context, game, what, (reason, dry_run))?;
    if dry_run {
        print_sections(context, &[section], true, out)?;
        return Ok(None);
    }
    Ok(Some(section))
}

/// Carries out the moderator's intervention in a game, or only computes its outcome in a dry run.
pub(super) fn moderate_or_preview(
    context: &Context,
    game: u32,
    what: &Intervention,
    (reason, dry_run): (&str, bool),
) -> Result<Section, Failure> {
    let act = if dry_run { process::preview_moderation } else { process::moderate_game };
    let refused = |refusal: Refusal| club_folder::intervention_refusal_failure(context, &refusal);
    act(context, game, what, reason)
        .map_err(|blame| club_folder::failure_from_request_error(blame, refused))
}

/// Carries out lines of the moderator, or only computes their outcome in a dry run.
pub(super) fn run_or_preview_lines(
    context: &Context,
    lines: &[String],
    dry_run: bool,
) -> Result<Vec<Section>, Failure> {
    let refused = |refused: LetterRefusal| line_failure(context, &refused);
    process::run_moderator_lines(context, lines, dry_run)
        .map_err(|blame| club_folder::failure_from_request_error(blame, refused))
}

/// Prints the outcome of moderator lines, under a heading for each.
pub(super) fn print_sections(
    context: &Context,
    sections: &[Section],
    dry_run: bool,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let language = context.library.language(&context.settings.language);
    if dry_run {
        writeln!(out, "{}\n", language.localize(&Message::new("moderator-preview")))?;
    }
    for Section { head, lines } in sections {
        writeln!(out, "{}", language.localize(head))?;
        for line in lines {
            writeln!(out, "    {}", language.localize(line))?;
        }
    }
    Ok(Exit::Done)
}

/// Returns the failure for a line that was refused, with the alternatives as the hint.
fn line_failure(context: &Context, refused: &LetterRefusal) -> Failure {
    let Refusal { reason, alternatives: instead, .. } = &refused.refusal;
    let exit = match reason.key {
        "moderator-no-game" | "letter-not-held" => Exit::NoInput,
        "moderator-game-broken" | "letter-no-letter" => Exit::BadData,
        _ => Exit::Usage,
    };
    let mut what = club_folder::localize_for_club(context, reason);
    if let Some(line) = &refused.line {
        what = format!("{}: {what}", line.text);
    }
    let failure = Failure::new(exit, what);
    let instead: Vec<_> =
        instead.iter().map(|instead| club_folder::localize_for_club(context, instead)).collect();
    if instead.is_empty() { failure } else { failure.add_hint(instead.join(" ")) }
}
