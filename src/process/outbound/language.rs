//! In which language somebody writes who has not said which he reads.
//!
//! By the words of his letter alone: what a mail program says of itself is the language of its
//! menus. Changes nothing.

use crate::club::{Lexicons, Member};
use crate::mail::{Letter, written};
use crate::process::context::Context;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::render::Library;
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
    let own = own.join("\n");
    // A word or two of English are what every letter of ours asks for.
    let tells = |tag: &&str| own.split_whitespace().count() >= TELLING_MIN || *tag != "en";
    let guessed = guess(library, &own).filter(tells).or_else(|| guess(library, &letter.body));
    guessed.unwrap_or(&context.settings.language).to_owned()
}

/// The languages in the words of which an answer from nobody that is known may agree, besides the
/// one that is expected: its own, and that of what it quotes.
pub(crate) fn all_of_letter(context: &Context, letter: &Letter) -> Vec<String> {
    let markers: Vec<&str> = context.markers.iter().map(String::as_str).collect();
    let own: Vec<&str> =
        written(&letter.body, &markers).into_iter().map(|(_, line)| line).collect();
    let own = own.join("\n");
    let guessed =
        [own.as_str(), &letter.body].into_iter().filter_map(|text| guess(&context.library, text));
    guessed.chain([context.settings.language.as_str()]).map(str::to_owned).collect()
}

fn guess<'a>(library: &'a Library, text: &str) -> Option<&'a str> {
    library.language_of(&text.chars().take(LOOKED_AT).collect::<String>())
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
