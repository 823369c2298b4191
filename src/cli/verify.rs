//! `postrider verify`: whether a game's log holds.

use super::{Environment, Exit, Failure, club};
use crate::table::{Openings, Table};
use std::io::Write;
use std::path::Path;

/// Check a game: hash chain, the deal from its seed, every order decided again by today's rules.
///
/// Give a game's number, or a file that `postrider export` wrote; no club is needed for a file.
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
    let table = match args.what.parse() {
        Ok(number) => club::open(folder, environment)?.open_game(number)?.table,
        Err(_) => {
            let path = Path::new(&args.what);
            let text =
                std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
            Table::import(&mut Openings::default(), &text)
                .map_err(|error| Failure::new(Exit::BadData, error))?
        }
    };
    let report = table.verify();
    writeln!(
        out,
        "game {}: {} records, {} of them orders, chain {}",
        table.founding().number,
        report.records,
        report.orders,
        table.head_hash().short()
    )?;
    for finding in &report.findings {
        writeln!(out, "  {finding}")?;
    }
    if report.findings.is_empty() {
        writeln!(out, "  all holds: chain, deal, decisions, pieces")?;
        return Ok(Exit::Done);
    }
    Ok(Exit::Found)
}
