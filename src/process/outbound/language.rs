//! In which language somebody writes who has not said which he reads.
//!
//! By the words of his letter alone: what a mail program says of itself is the language of its
//! menus. Changes nothing.

use crate::club::{Lexicons, Member};
use crate::mail::{Letter, written};
use crate::process::context::Context;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::store::Repository;

/// Fewer words of somebody's own say nothing beside what he quotes.
const TELLING_MIN: usize = 3;
/// The most characters of a letter that are looked at.
const LOOKED_AT: usize = 8_000;

/// The language in which this letter's writer is to be answered, where nothing is known of him:
/// that of his words, else of the letter that he answers, else the club's.
pub(crate) fn of_letter(context: &Context, letter: &Letter) -> String {
    let markers: Vec<&str> = context.markers.iter().map(String::as_str).collect();
    let own: Vec<&str> =
        written(&letter.body, &markers).into_iter().map(|(_, line)| line).collect();
    let library = &context.library;
    let guess = |text: &str| library.language_of(&text.chars().take(LOOKED_AT).collect::<String>());
    let own = own.join("\n");
    let tells = own.split_whitespace().count() >= TELLING_MIN;
    let guessed = Some(own.as_str()).filter(|_| tells).and_then(guess);
    let guessed = guessed.or_else(|| guess(&letter.body));
    guessed.unwrap_or(&context.settings.language).to_owned()
}

/// Who wrote a letter from this address and is no member: its answer is in the letter's language.
pub(crate) fn stranger(context: &Context, letter: &Letter, address: &str) -> Member {
    Member { language: of_letter(context, letter), ..reader::nobody(context, address) }
}

/// The words, beside the English ones, in which the lines of a letter from this address are
/// written.
pub(crate) fn lexicons<'a>(
    tx: &Transaction<'a>,
    letter: &Letter,
    address: &str,
) -> Option<&'a Lexicons> {
    let member = tx.member_by_address(address).ok().flatten();
    let tag = member.map_or_else(|| of_letter(tx.context, letter), |member| member.language);
    tx.context.library.lexicons(&tag)
}
