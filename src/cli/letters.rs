//! `postrider letters`: the letters in quarantine, and what becomes of them.

use super::{Call, Exit, Failure, moderate};
use crate::process;

/// Look at the letters in quarantine, let one in, or put it away.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: LettersCommand,
}

/// What is done.
#[derive(clap::Subcommand, Debug)]
enum LettersCommand {
    /// List them: file, when it came, from whom, why it lies there.
    List,
    /// Show one: who wrote it, why it lies there, and its text, but for reply tokens.
    Show {
        /// Its name, or a part of it that no other one has.
        name: String,
    },
    /// Let one in, whatever was doubted about its sender; its orders are judged as any letter's.
    ///
    /// The answer goes to the seat's member, whoever sent it.
    Accept {
        /// Its name, or a part of it that no other one has.
        name: String,
        /// Why, for the minutes.
        #[arg(long)]
        reason: String,
        /// The game that it is for, where it does not say so itself.
        #[arg(long, requires = "seat")]
        game: Option<u32>,
        /// The seat that it is from.
        #[arg(long, requires = "game")]
        seat: Option<u8>,
        /// Say what would be done, and do nothing.
        #[arg(long)]
        dry_run: bool,
    },
    /// Put one away; nobody is answered.
    Reject {
        /// Its name, or a part of it that no other one has.
        name: String,
        /// Why, for the minutes.
        #[arg(long)]
        reason: Option<String>,
        /// Say what would be done, and do nothing.
        #[arg(long)]
        dry_run: bool,
    },
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let context = call.open()?;
    let (line, dry_run) = match &args.what {
        LettersCommand::List => ("letters list".to_owned(), false),
        LettersCommand::Show { name } => (format!("letters show {name}"), false),
        LettersCommand::Accept { name, reason, game, seat, dry_run } => {
            let seat = game.zip(*seat).map(|(game, seat)| format!(" for {game} seat {seat}"));
            let seat = seat.unwrap_or_default();
            (format!("letters accept {name}{seat} because {reason}"), *dry_run)
        }
        LettersCommand::Reject { name, reason: Some(reason), dry_run } => {
            (format!("letters reject {name} because {reason}"), *dry_run)
        }
        LettersCommand::Reject { name, reason: None, dry_run } => {
            (format!("letters reject {name}"), *dry_run)
        }
    };
    process::tidy_quarantine(&context)?;
    let directed = moderate::run_lines(&context, &[line], dry_run)?;
    moderate::print_sections(&context, &directed, dry_run, call.out)
}
