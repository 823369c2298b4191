//! `postrider verify`: checks a game's log.

use super::{Environment, Exit, Failure, club_folder};
use crate::process;
use crate::rules::GameRegistry;
use crate::table::{ExportClaims, InitialGameCache, Table, UncheckedPart};
use std::io::{Read, Write};
use std::path::Path;

/// Check a game: hash chain, the deal from its seed, and every order by today's rules.
///
/// Give a game's number, or a file that `postrider export` wrote; a file needs no club. For a file
/// it also checks the standings, and that the records end where the export ended, and names the
/// parts that no check covers. The chain of a public record cannot be checked. For a game of the
/// club it also compares the log with the journal.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game's number, or an exported file.
    #[arg(value_name = "GAME|FILE")]
    what: String,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let (mut differs, mut claims) = (false, None);
    let table = match args.what.parse() {
        Ok(number) => {
            let context = club_folder::open(folder, environment)?;
            let table = process::load_stored_game(&context, number)?.table;
            differs = !context.store.is_game_journaled(&context.journal_folder(), number)?;
            table
        }
        Err(_) => {
            let (table, claimed) = read_exported_game(environment.games, Path::new(&args.what))?;
            claims = Some(claimed);
            table
        }
    };
    let report = table.verify();
    let mut findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    let claimed_too = claims.is_some();
    let (claimed, uncovered) =
        claims.map(|claims| claims.verify_against(&table)).unwrap_or_default();
    findings.extend(claimed.iter().map(ToString::to_string));
    if differs {
        let finding = "the journal differs from the log: `postrider doctor` says what to do";
        findings.push(finding.to_owned());
    }
    writeln!(
        out,
        "game {}: {} records, {} of them orders, chain {}",
        table.founding().number,
        report.records,
        report.orders,
        table.last_record_hash().short()
    )?;
    if !table.is_over() {
        writeln!(out, "  the game is not over: more records may follow")?;
    }
    let chain = if uncovered.contains(&UncheckedPart::LetterChain) { "" } else { "chain, " };
    for what in &uncovered {
        writeln!(out, "  not checked: {}", describe_unchecked_part(what))?;
    }
    for finding in &findings {
        writeln!(out, "  {finding}")?;
    }
    if findings.is_empty() {
        let claimed = if claimed_too { ", standings" } else { "" };
        writeln!(out, "  all valid: {chain}deal, decisions, pieces{claimed}")?;
        return Ok(Exit::Done);
    }
    Ok(Exit::Found)
}

fn describe_unchecked_part(what: &UncheckedPart) -> String {
    match what {
        UncheckedPart::UnknownFields(fields) => {
            format!("{}: not a field of an export", fields.join(", "))
        }
        UncheckedPart::ScoreNames => "the names of the score parts".to_owned(),
        UncheckedPart::GameName => "the game's name".to_owned(),
        UncheckedPart::LetterChain => {
            "the chain: a public record leaves out letters and reasons, so it has another chain \
             than the letters of the game"
                .to_owned()
        }
    }
}

/// The largest document that is read. The longest games of postrider take a few MiB.
const DOCUMENT_BYTES_MAX: u64 = 64 << 20;

/// Reads an exported game from a file, which anybody may have written.
fn read_exported_game(games: GameRegistry, path: &Path) -> Result<(Table, ExportClaims), Failure> {
    let mut text = String::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(DOCUMENT_BYTES_MAX + 1).read_to_string(&mut text))
        .map_err(|error| Failure::for_path(path, &error))?;
    if text.len() as u64 > DOCUMENT_BYTES_MAX {
        let what =
            format!("{} is longer than 64 MiB, so it is not an exported game", path.display());
        return Err(Failure::new(Exit::BadData, what));
    }
    let bad = |error: &dyn std::fmt::Display| Failure::new(Exit::BadData, error);
    let table = Table::import(&InitialGameCache::new(games), &text).map_err(|error| bad(&error))?;
    Ok((table, ExportClaims::parse(&text).map_err(|error| bad(&error))?))
}
