//! `postrider campaign`: a season drawn, started round by round, and counted.

use super::campaign_tables::{self as tables, Sheet};
use super::founding_args::said;
use super::{Environment, Exit, Failure, club, write_file};
use crate::club::campaign::{Campaign, CampaignError, EXAMPLE, Outcome, draw, rate};
use crate::process::{self, Context, Founded, NotStarted, Transaction};
use crate::rules::Seed;
use crate::store::Repository;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A season from one file: draw its tables, found its games, count its points.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Print a campaign file with comments, to begin with.
    Example,
    /// Show which tables the campaign will have, who sits where and who has a bye.
    ///
    /// Touches no club. `start` founds exactly these tables.
    Plan {
        /// The campaign's file.
        file: PathBuf,
        /// Print it as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Found a round's games and queue everyone's first letters.
    ///
    /// Run again, it founds what is missing and nothing twice. A round begins when all games of the
    /// one before are over.
    Start {
        /// The campaign's file.
        file: PathBuf,
        /// The round, from 1; by default the first that is not founded to its end.
        #[arg(long)]
        round: Option<u32>,
        /// Although games of the round before are not over.
        #[arg(long)]
        anyway: bool,
        /// Print the games as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Count the points of the games that are over.
    Standings(StandingsArgs),
}

#[derive(clap::Args, Debug)]
struct StandingsArgs {
    /// The campaign's file.
    file: PathBuf,
    /// Print them as JSON.
    #[arg(long)]
    json: bool,
    /// Write them to this file as Markdown.
    #[arg(long, value_name = "FILE.md")]
    out: Option<PathBuf>,
    /// Queue everyone who still plays a letter with them.
    #[arg(long)]
    mail: bool,
    /// The ratings over all games of the club as well; in JSON with their history.
    #[arg(long)]
    ratings: bool,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    match &args.command {
        Command::Example => Ok(write!(out, "{EXAMPLE}").map(|()| Exit::Done)?),
        Command::Plan { file, json } => plan(&read(file)?, *json, out),
        Command::Start { file, round, anyway, json } => {
            let campaign = read(file)?;
            let context = club::open(folder, environment)?;
            let mut bytes = [0; 32];
            (environment.random)(&mut bytes)
                .map_err(|error| Failure::new(Exit::TryAgain, error))?;
            start(&context, &campaign, (*round, *anyway, *json), &Seed::new(bytes), out)
        }
        Command::Standings(args) => {
            let campaign = read(&args.file)?;
            let context = club::open(folder, environment)?;
            standings(&context, &campaign, args, out)
        }
    }
}

fn read(path: &Path) -> Result<Campaign, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    Campaign::read(&text).map_err(|error| {
        let what = match &error {
            CampaignError::Options { line, field, reason } => {
                format!("line {line}: {field}: {}", said(reason))
            }
            error => error.to_string(),
        };
        Failure::new(Exit::BadData, format!("{}, {what}", path.display()))
            .hint("`postrider campaign example` prints a file with comments")
    })
}

fn plan(campaign: &Campaign, json: bool, out: &mut dyn Write) -> Result<Exit, Failure> {
    let drawn = draw(campaign, &BTreeMap::new());
    if json {
        print_json(&tables::plan_json(campaign, &drawn), out)?;
    } else {
        write!(out, "{}", tables::plan_text(campaign, &drawn))?;
    }
    Ok(Exit::Done)
}

fn start(
    context: &Context,
    campaign: &Campaign,
    (round, anyway, json): (Option<u32>, bool, bool),
    secret: &Seed,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let started =
        process::start_round(context, campaign, round, anyway, secret).map_err(refused)?;
    if json {
        print_json(&serde_json::json!(started), out)?;
        return Ok(Exit::Done);
    }
    let (number, founded, before) = (started.round, started.founded.len(), started.before);
    write!(out, "Round {number} of {}: {founded} games founded", campaign.length())?;
    if before > 0 {
        write!(out, ", {before} had been founded before")?;
    }
    if let (Some(first), Some(last)) = (started.founded.first(), started.founded.last()) {
        write!(out, "; they are the games {} to {}", first.game, last.game)?;
    }
    writeln!(out, ".")?;
    if founded > 0 {
        writeln!(out, "The next tick posts their first letters.")?;
    }
    Ok(Exit::Done)
}

fn refused(error: NotStarted) -> Failure {
    let (exit, hint) = match error {
        NotStarted::Context(error) => return error.into(),
        NotStarted::NoRound(_) => (Exit::Usage, "all rounds have begun, or the file has fewer"),
        NotStarted::Unfinished { .. } => (
            Exit::TryAgain,
            "wait, or end its games with `postrider end`, or start anyway with --anyway",
        ),
        NotStarted::NotDrawn(_) => {
            (Exit::TryAgain, "`advance` takes the first of the standings: let the games end")
        }
        NotStarted::Changed { .. } => (
            Exit::BadData,
            "take the change back; drop-outs are named under `replace` from a later round on",
        ),
        NotStarted::Table { why: Founded::Twice(_), .. } => {
            (Exit::BadData, "name each member once among the entrants")
        }
        NotStarted::Table { why: Founded::Own(_), .. } => {
            (Exit::BadData, "give each entrant an address of his own")
        }
        NotStarted::Table { .. } => (Exit::BadData, "see the round's kind, tables, options"),
    };
    Failure::new(exit, &error).hint(hint)
}

fn standings(
    context: &Context,
    campaign: &Campaign,
    args: &StandingsArgs,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let season = process::season(context, campaign)?;
    let ratings = if args.ratings { Some(ratings(context)?) } else { None };
    let sheet = Sheet { campaign, season: &season, ratings: ratings.as_deref() };
    if args.json {
        print_json(&sheet.json(), out)?;
    } else {
        write!(out, "{}", sheet.markdown())?;
    }
    if let Some(path) = &args.out {
        write_file(path, sheet.markdown().as_bytes())?;
    }
    if args.mail {
        let queued = process::mail_standings(context, campaign, &season)?;
        if !args.json {
            writeln!(out, "\n{queued} letters queued; the next tick posts them.")?;
        }
    }
    let is_broken = season.played.iter().any(|game| matches!(game.outcome, Outcome::Broken(_)));
    Ok(if is_broken { Exit::Found } else { Exit::Done })
}

/// Every member's history of ratings, the strongest first.
fn ratings(context: &Context) -> Result<Vec<tables::Rated>, Failure> {
    let (games, _) = process::rated_games(context)?;
    let mut rated = Vec::new();
    for (member, history) in rate(&games) {
        if let Some(member) = Transaction::begin(context).member(member)? {
            rated.push(tables::Rated { member: member.id, name: member.name, history });
        }
    }
    rated.sort_by(|a, b| b.at_least().total_cmp(&a.at_least()));
    Ok(rated)
}

fn print_json(value: &serde_json::Value, out: &mut dyn Write) -> Result<(), Failure> {
    Ok(writeln!(out, "{value}")?)
}
