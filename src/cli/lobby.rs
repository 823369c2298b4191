//! `postrider lobby`: what a member could ask of the club's table of games, done on his behalf.

use super::{Environment, Exit, Failure, club};
use crate::process;
use std::io::Write;
use std::path::Path;

/// Propose, join, leave, cancel, wait for or watch a game on a member's behalf.
///
/// The words are those that the member would write in a letter: `games`, `join 12`, `cancel 12`,
/// `new paris-connection seats 4 deadline 3 days`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The member's number, or one of the member's addresses.
    #[arg(long = "as", value_name = "WHO")]
    member: String,
    /// What the member would write, such as `join 12`.
    #[arg(required = true)]
    words: Vec<String>,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let context = club::open(folder, environment)?;
    let Some(member) = process::find_member(&context, &args.member)? else {
        return Err(Failure::new(Exit::Usage, format!("there is no member {}", args.member))
            .hint("postrider member list shows the members"));
    };
    let language = context.library.language("en");
    let words = process::on_behalf(&context, &member, &args.words.join(" "));
    let refused = |why| Failure::new(Exit::Usage, language.say(&why));
    for word in words.map_err(|blame| club::failed(blame, refused))? {
        writeln!(out, "{}", language.say(&word))?;
    }
    Ok(Exit::Done)
}
