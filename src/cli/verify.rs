//! `postrider verify`: whether a game's log holds.

use super::{Environment, Exit, Failure, club};
use crate::process;
use crate::table::{Claims, Openings, Table, Uncovered};
use std::io::{Read, Write};
use std::path::Path;

/// Check a game: hash chain, the deal from its seed, every order decided again by today's rules.
///
/// Give a game's number, or a file that `postrider export` wrote; no club is needed for a file. Of
/// a file the standings are checked too, and that its records end where the export did; what no
/// check covers is named. A club's own game is compared with its journal besides.
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
            let context = club::open(folder, environment)?;
            let table = process::open_game(&context, number)?.table;
            differs = !context.store.is_journaled(&context.journal(), number)?;
            table
        }
        Err(_) => {
            let (table, claimed) = imported(Path::new(&args.what))?;
            claims = Some(claimed);
            table
        }
    };
    let report = table.verify();
    let mut findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    let claimed_too = claims.is_some();
    let (claimed, uncovered) = claims.map(|claims| claims.check(&table)).unwrap_or_default();
    findings.extend(claimed.iter().map(ToString::to_string));
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
    if !table.is_over() {
        writeln!(out, "  the game is not over: more records may follow these")?;
    }
    for what in uncovered {
        writeln!(out, "  not covered: {}", uncovered_words(&what))?;
    }
    for finding in &findings {
        writeln!(out, "  {finding}")?;
    }
    if findings.is_empty() {
        let claimed = if claimed_too { ", standings" } else { "" };
        writeln!(out, "  all holds: chain, deal, decisions, pieces{claimed}")?;
        return Ok(Exit::Done);
    }
    Ok(Exit::Found)
}

fn uncovered_words(what: &Uncovered) -> String {
    match what {
        Uncovered::Fields(fields) => {
            format!("{}: no part of an export", fields.join(", "))
        }
        Uncovered::Names => "what the parts of the scores are called".to_owned(),
        Uncovered::Called => "what the game is called".to_owned(),
    }
}

/// The longest document that is read; the longest games of ours come to a few MiB.
const BYTES_MAX: u64 = 64 << 20;

/// The game in a file that anybody may have made.
fn imported(path: &Path) -> Result<(Table, Claims), Failure> {
    let mut text = String::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(BYTES_MAX + 1).read_to_string(&mut text))
        .map_err(|error| Failure::file(path, &error))?;
    if text.len() as u64 > BYTES_MAX {
        let what = format!("{} is longer than 64 MiB: that is no game", path.display());
        return Err(Failure::new(Exit::BadData, what));
    }
    let bad = |error: &dyn std::fmt::Display| Failure::new(Exit::BadData, error);
    let table = Table::import(&Openings::default(), &text).map_err(|error| bad(&error))?;
    Ok((table, Claims::read(&text).map_err(|error| bad(&error))?))
}
