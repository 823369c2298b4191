//! `postrider letters`: lists, shows, accepts or rejects the letters in quarantine, and lists the
//! letters of a member.

use super::{Call, Exit, Failure, club_folder, moderate};
use crate::process;

/// List, show, accept or reject the letters in quarantine; list the letters of a member.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: LettersCommand,
}

#[derive(clap::Subcommand, Debug)]
enum LettersCommand {
    /// List the letters: file name, time of arrival, sender, and why each is in quarantine.
    List,
    /// List the letters of a member, oldest first: when each was read, its outcome, and the
    /// Message-ID of the letter that answered it.
    ///
    /// In a game that is being played, the outcomes show only what everyone may know.
    From {
        /// The member's number, address or name.
        #[arg(required = true, num_args = 1.., value_name = "WHO")]
        who: Vec<String>,
        /// Show the outcomes even if the game is still being played.
        #[arg(long)]
        secrets: bool,
    },
    /// Show a letter: its sender, why it is in quarantine, and its text without reply tokens.
    Show {
        /// The letter's name, or any unique part of it.
        name: String,
    },
    /// Accept a letter despite the doubts about its sender; its orders are judged as usual.
    ///
    /// The answer goes to the member who has the seat, even if somebody else sent the letter.
    Accept {
        /// The letter's name, or any unique part of it.
        name: String,
        /// The reason, for the activity log.
        #[arg(long)]
        reason: String,
        /// The letter's game, if the letter does not say it.
        #[arg(long, requires = "seat")]
        game: Option<u32>,
        /// The sender's seat in that game.
        #[arg(long, requires = "game")]
        seat: Option<u8>,
        /// Show what would be done, and change nothing.
        #[arg(long)]
        dry_run: bool,
    },
    /// Archive a letter without an answer.
    Reject {
        /// The letter's name, or any unique part of it.
        name: String,
        /// The reason, for the activity log.
        #[arg(long)]
        reason: Option<String>,
        /// Show what would be done, and change nothing.
        #[arg(long)]
        dry_run: bool,
    },
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let context = call.open()?;
    let (line, dry_run) = match &args.what {
        LettersCommand::List => ("letters list".to_owned(), false),
        LettersCommand::From { who, secrets } => {
            let refused = |why| {
                let what = club_folder::localize_for_club(&context, &why);
                Failure::new(Exit::NoInput, what)
                    .add_hint("postrider member list shows the members")
            };
            let letters = process::list_member_letters(&context, &who.join(" "), *secrets)
                .map_err(|blame| club_folder::failure_from_request_error(blame, refused))?;
            return moderate::print_sections(&context, &[letters], false, call.out);
        }
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
    process::finish_interrupted_moves(&context)?;
    let directed = moderate::run_or_preview_lines(&context, &[line], dry_run)?;
    moderate::print_sections(&context, &directed, dry_run, call.out)
}
