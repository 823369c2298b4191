//! `postrider verify`: whether a game's log holds.

use super::{Environment, Exit, Failure, club};
use crate::process;
use crate::table::{Openings, Table};
use std::io::{Read, Write};
use std::path::Path;

/// Check a game: hash chain, the deal from its seed, every order decided again by today's rules.
///
/// Give a game's number, or a file that `postrider export` wrote; no club is needed for a file. A
/// club's own game is compared with its journal besides.
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
    let mut differs = false;
    let table = match args.what.parse() {
        Ok(number) => {
            let context = club::open(folder, environment)?;
            let table = process::open_game(&context, number)?.table;
            differs = !context.store.is_journaled(&context.journal(), number)?;
            table
        }
        Err(_) => imported(Path::new(&args.what))?,
    };
    let report = table.verify();
    let mut findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    if differs {
        let told = "its journal is another one than its log: postrider doctor says what to do";
        findings.push(told.to_owned());
    }
    writeln!(
        out,
        "game {}: {} records, {} of them orders, chain {}",
        table.founding().number,
        report.records,
        report.orders,
        table.head_hash().short()
    )?;
    for finding in &findings {
        writeln!(out, "  {finding}")?;
    }
    if findings.is_empty() {
        writeln!(out, "  all holds: chain, deal, decisions, pieces")?;
        return Ok(Exit::Done);
    }
    Ok(Exit::Found)
}

/// The longest document that is read; the longest games of ours come to a few MiB.
const BYTES_MAX: u64 = 64 << 20;

/// The game in a file that anybody may have made.
fn imported(path: &Path) -> Result<Table, Failure> {
    let mut text = String::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(BYTES_MAX + 1).read_to_string(&mut text))
        .map_err(|error| Failure::file(path, &error))?;
    if text.len() as u64 > BYTES_MAX {
        let what = format!("{} is longer than 64 MiB: that is no game", path.display());
        return Err(Failure::new(Exit::BadData, what));
    }
    Table::import(&mut Openings::default(), &text)
        .map_err(|error| Failure::new(Exit::BadData, error))
}
