//! Prints the letters of a demo, in short or in full.

use super::DemoLetter;
use crate::cli::{Failure, club_folder};
use crate::mail::{Letter, written_lines};
use crate::process::{self, Context};
use chrono::{DateTime, Utc};
use std::io::Write;
use std::path::Path;

/// The most lines of an outgoing letter that are printed in short.
const LINES_MAX: usize = 3;
/// The width of the demo's own lines, in columns.
const WIDTH: usize = 78;

/// A letter that was delivered before a pass.
pub(super) struct Incoming<'a> {
    /// The sender and the mail program, as the demo describes them.
    pub(super) sender: &'a str,
    pub(super) bytes: Vec<u8>,
}

/// Prints each letter once.
pub(super) struct LetterPrinter {
    /// Whether every letter is printed in full.
    prints_all: bool,
    /// The file names of the letters that were already printed.
    printed: Vec<String>,
}

impl LetterPrinter {
    pub(super) const fn new(prints_all: bool, printed: Vec<String>) -> Self {
        Self { prints_all, printed }
    }

    /// Prints a processed letter: the lines that its sender wrote, and what the pass did with it.
    pub(super) fn print_incoming(
        &self,
        context: &Context,
        incoming: &Incoming<'_>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        writeln!(out, "  IN   {}", incoming.sender)?;
        if self.prints_all {
            writeln!(out, "\n{}\n", String::from_utf8_lossy(&incoming.bytes).trim_end())?;
        } else {
            print_written_lines(context, &incoming.bytes, out)?;
        }
        let outcome = describe_outcome(context, &incoming.bytes)?;
        let options = textwrap::Options::new(WIDTH)
            .initial_indent("       -> ")
            .subsequent_indent("          ");
        Ok(writeln!(out, "{}", textwrap::fill(&outcome, options))?)
    }

    /// Prints the letters that went out since the last call: the subject of each, and a letter to
    /// `featured` with its first lines, or in full.
    pub(super) fn print_new_letters(
        &mut self,
        letters: &[DemoLetter],
        featured: &str,
        in_full: bool,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let is_new =
            |letter: &&DemoLetter| !letter.is_inbound && !self.printed.contains(&letter.name);
        let mut new: Vec<&DemoLetter> = letters.iter().filter(is_new).collect();
        new.sort_by_key(|letter| letter.is_to(featured));
        let last = new.len().saturating_sub(1);
        for (index, letter) in new.iter().enumerate() {
            let is_featured = index == last && letter.is_to(featured);
            if self.prints_all || is_featured && in_full {
                print_whole_letter(letter, out)?;
                continue;
            }
            let to = letter.to.split('<').next().map(str::trim).filter(|name| !name.is_empty());
            writeln!(out, "  OUT  to {}: {}", to.unwrap_or(&letter.to), letter.subject)?;
            let lines = letter.text.lines().filter(|line| !line.trim().is_empty());
            let shown = if is_featured { LINES_MAX } else { 0 };
            let lines = lines.filter(|line| !line.starts_with("===")).take(shown);
            lines.map(str::trim).try_for_each(|line| writeln!(out, "       | {line}"))?;
        }
        self.printed.extend(new.iter().map(|letter| letter.name.clone()));
        Ok(())
    }
}

/// Prints the lines of a letter that its sender wrote, and the number of the others.
fn print_written_lines(
    context: &Context,
    bytes: &[u8],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let body = Letter::parse(bytes).map(|letter| letter.body).unwrap_or_default();
    let markers: Vec<&str> = context.reply_markers.iter().map(String::as_str).collect();
    let is_blank = |line: &&str| line.trim().is_empty();
    let written = written_lines(&body, &markers).into_iter().map(|(_, line)| line.trim());
    let written: Vec<&str> = written.filter(|line| !is_blank(line)).collect();
    let whole = body.lines().filter(|line| !is_blank(line)).count();
    let skipped = whole.saturating_sub(written.len());
    let last = written.len().saturating_sub(1);
    for (index, line) in written.iter().enumerate() {
        match skipped {
            1.. if index == last => {
                writeln!(out, "       | {line}    (the club skips {skipped} lines below)")?;
            }
            _ => writeln!(out, "       | {line}")?,
        }
    }
    Ok(())
}

/// Prints a letter's headers and its plain text.
fn print_whole_letter(letter: &DemoLetter, out: &mut dyn Write) -> Result<(), Failure> {
    let DemoLetter { from, to, subject, text, .. } = letter;
    let rule = "-".repeat(76);
    writeln!(out, "\n{rule}\nFrom: {from}\nTo: {to}\nSubject: {subject}\n")?;
    Ok(writeln!(out, "{}\n{rule}", text.trim_end())?)
}

/// Returns a line that says what the passes so far did with this letter.
fn describe_outcome(context: &Context, bytes: &[u8]) -> Result<String, Failure> {
    let Some(processed) = process::find_processed_letter(context, bytes)? else {
        return Ok("not read yet, or in quarantine".to_owned());
    };
    let language = context.library.language(&context.settings.language);
    let news = processed.led_to.iter().flat_map(|(entry, names)| {
        entry.outcome.iter().map(|message| language.localize_for_observer(message, names))
    });
    let news: Vec<String> = news.collect();
    Ok(match (news.is_empty(), processed.outcome, processed.answered) {
        (false, ..) => format!("carried out: {}", news.join(" ")),
        (true, Some(outcome), _) => club_folder::localize_for_club(context, &outcome),
        (true, None, Some(_)) => "a stranger: the letter is not read, but answered".to_owned(),
        (true, None, None) => "not answered".to_owned(),
    })
}

pub(super) fn print_day(
    number: usize,
    now: DateTime<Utc>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    Ok(writeln!(out, "\nDay {number}, {}", now.format("%a %-d %b %Y"))?)
}

pub(super) fn print_next_steps(folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let club = format!("postrider -C {}", folder.display());
    writeln!(out, "\nOr look around:\n")?;
    for (command, what) in [
        (format!("{club} answer ann help"), "how to write orders"),
        (format!("{club} show 1 --seat 2 --secrets"), "the game as Bob sees it"),
        ("postrider demo --all".to_owned(), "every letter in full"),
        ("postrider init my-club".to_owned(), "a club of your own; see the README"),
    ] {
        writeln!(out, "  {command:55}{what}")?;
    }
    Ok(())
}
