//! `postrider answer`: sends a letter in the name of a demo's player.

use super::printing::{Incoming, LetterPrinter};
use super::{DEMO_FILE, Demo, fill_answer_template, finish, last_game_letter_to, load_letters};
use crate::cli::{Call, Exit, Failure};
use chrono::TimeDelta;

/// The time between the last letter and the next one. It is short, so that `undo` works.
const BETWEEN_LETTERS: TimeDelta = TimeDelta::minutes(10);

/// Answer a letter in the name of a demo's player, and run a pass.
///
/// Works only in a club made by `postrider demo`. Puts a letter with your text into the inbox, as
/// if the player had answered the last letter about the game, and prints the letter that comes
/// back. The demo's clock is ten minutes later each time.
#[derive(clap::Args, Debug)]
pub struct AnswerArgs {
    /// The player, such as ann.
    player: String,
    /// The text of the letter, such as "build red G23", or a word such as help.
    #[arg(required = true)]
    text: Vec<String>,
    /// Print every letter that goes out in full.
    #[arg(long)]
    all: bool,
}

pub(in crate::cli) fn run(args: &AnswerArgs, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let folder = call.folder;
    if !folder.join(DEMO_FILE).exists() {
        let what = format!("{} is not a club made by `postrider demo`", folder.display());
        return Err(Failure::new(Exit::Usage, what).add_hint(
            "make one: postrider demo; then: postrider -C postrider-demo answer ann help",
        ));
    }
    let letters = load_letters(folder)?;
    let Some(answered) = last_game_letter_to(&letters, &args.player) else {
        let what = format!("no letter has gone out to {}", args.player);
        return Err(Failure::new(Exit::Usage, what).add_hint("the players are ann, bob and carmen"));
    };
    let latest = letters.last().map_or(call.environment.now, |letter| letter.at);
    let now = latest + BETWEEN_LETTERS;
    let letter = fill_answer_template(include_str!("typed.eml"), Some(answered))
        .replace("{date}", &now.to_rfc2822())
        .replace("{from}", &answered.to)
        .replace("{new_id}", &format!("typed-{}@example.org", letters.len()))
        .replace("{text}", &args.text.join(" "));
    let printed = letters.iter().map(|letter| letter.name.clone()).collect();
    let mut demo = Demo { folder, printer: LetterPrinter::new(args.all, printed) };
    demo.deliver_letter(letter.as_bytes())?;
    let incoming = Incoming { sender: &answered.to, bytes: letter.into_bytes() };
    demo.run_pass(now, &[incoming], call.out)?;
    demo.printer.print_new_letters(&load_letters(folder)?, &args.player, true, call.out)?;
    finish(folder, now, call.out)?;
    Ok(Exit::Done)
}
