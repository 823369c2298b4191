//! `postrider campaign`: draws the tables of a season, starts it round by round, and counts the
//! points.

use super::campaign_tables::{self as tables, StandingsSheet};
use super::founding_args::localize_to_english;
use super::{Environment, Exit, Failure, club_folder, write_file};
use crate::club::campaign::{
    Campaign, CampaignError, EXAMPLE_FILE, GameOutcome, compute_ratings, draw_rounds,
};
use crate::process::{self, Context, FoundingResult, RoundStartError, Transaction};
use crate::rules::{GameRegistry, Seed};
use crate::store::Repository;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Run a campaign from one file: draw its tables, found its games, count its points.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Print an example campaign file with comments.
    Example,
    /// Show the campaign's tables: which players meet, in which seats, and who has a bye.
    ///
    /// `start` founds exactly these tables. Changes no club, and reads only the clock in club.yaml,
    /// if there is one.
    Plan {
        /// The campaign file.
        file: PathBuf,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Found a round's games and queue each player's first letter.
    ///
    /// If you run it again, it founds only the games that are missing. A round can begin when all
    /// games of the previous round are over.
    Start {
        /// The campaign file.
        file: PathBuf,
        /// The round, from 1. Default: the first round that is not completely founded.
        #[arg(long)]
        round: Option<u32>,
        /// Start even if games of the previous round are not over.
        #[arg(long)]
        anyway: bool,
        /// Print the games as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Count the points of the finished games.
    Standings(StandingsArgs),
}

#[derive(clap::Args, Debug)]
struct StandingsArgs {
    /// The campaign file.
    file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Also write the standings to this file, as Markdown.
    #[arg(long, value_name = "FILE.md")]
    out: Option<PathBuf>,
    /// Queue a letter with the standings to each entrant who still plays.
    #[arg(long)]
    mail: bool,
    /// Also show the ratings over all games of the club; JSON includes their history.
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
        Command::Example => Ok(write!(out, "{EXAMPLE_FILE}").map(|()| Exit::Done)?),
        Command::Plan { file, json } => {
            print_draw(&read_campaign(environment.games, file)?, folder, *json, out)
        }
        Command::Start { file, round, anyway, json } => {
            let campaign = read_campaign(environment.games, file)?;
            let context = club_folder::open(folder, environment)?;
            let mut bytes = [0; 32];
            (environment.random)(&mut bytes)
                .map_err(|error| Failure::new(Exit::TryAgain, error))?;
            start_round(&context, &campaign, (*round, *anyway, *json), &Seed::new(bytes), out)
        }
        Command::Standings(args) => {
            let campaign = read_campaign(environment.games, &args.file)?;
            let context = club_folder::open(folder, environment)?;
            print_standings(&context, &campaign, args, out)
        }
    }
}

pub(super) fn read_campaign(games: GameRegistry, path: &Path) -> Result<Campaign, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::for_path(path, &error))?;
    Campaign::parse(&text, games).map_err(|error| {
        let what = match &error {
            CampaignError::Options { line, field, reason } => {
                format!("line {line}: {field}: {}", localize_to_english(reason))
            }
            error => error.to_string(),
        };
        Failure::new(Exit::BadData, format!("{}, {what}", path.display()))
            .add_hint("`postrider campaign example` prints a file with comments")
    })
}

fn print_draw(
    campaign: &Campaign,
    folder: &Path,
    json: bool,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let drawn = draw_rounds(campaign, &BTreeMap::new());
    // A plan needs no club, so a missing or faulty club.yaml counts as one without a deadline.
    let usual = process::read_settings(folder).ok().and_then(|settings| settings.clock);
    let clock = process::campaign_clock_rules(campaign, usual).map_err(round_start_failure)?;
    let deadline = clock.map(|clock| clock.deadline);
    if json {
        print_json(&tables::draw_as_json(campaign, &drawn, deadline.as_ref()), out)?;
    } else {
        write!(out, "{}", tables::draw_as_text(campaign, &drawn, deadline.as_ref()))?;
    }
    Ok(Exit::Done)
}

fn start_round(
    context: &Context,
    campaign: &Campaign,
    (round, anyway, json): (Option<u32>, bool, bool),
    secret: &Seed,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let started = process::start_round(context, campaign, round, anyway, secret)
        .map_err(round_start_failure)?;
    if json {
        print_json(&serde_json::json!(started), out)?;
        return Ok(Exit::Done);
    }
    let (number, founded, before) = (started.round, started.founded.len(), started.before);
    write!(out, "Round {number} of {}: {founded} games founded", campaign.round_count())?;
    if before > 0 {
        write!(out, ", {before} already existed")?;
    }
    if let (Some(first), Some(last)) = (started.founded.first(), started.founded.last()) {
        write!(out, " (games {} to {})", first.game, last.game)?;
    }
    writeln!(out, ".")?;
    if founded > 0 {
        writeln!(out, "The next tick posts their first letters.")?;
    }
    Ok(Exit::Done)
}

fn round_start_failure(error: RoundStartError) -> Failure {
    let (exit, hint) = match error {
        RoundStartError::Context(error) => return error.into(),
        RoundStartError::NoRound(_) => {
            (Exit::Usage, "all rounds have started, or the file has fewer rounds")
        }
        RoundStartError::Unfinished { .. } => (
            Exit::TryAgain,
            "wait, end its games with `postrider end`, or start anyway with --anyway",
        ),
        RoundStartError::NotDrawn(_) => {
            (Exit::TryAgain, "`advance` needs the final standings: wait until the games are over")
        }
        RoundStartError::Changed { .. } => (
            Exit::BadData,
            "undo the change; to replace an entrant, use `replace` from a later round on",
        ),
        RoundStartError::Clock(_) => {
            (Exit::BadData, "change the deadline of the campaign, or no_play_days in club.yaml")
        }
        RoundStartError::Table { why: FoundingResult::DuplicatePlayer(_), .. } => {
            (Exit::BadData, "list each member once among the entrants")
        }
        RoundStartError::Table { why: FoundingResult::ClubAddress(_), .. } => {
            (Exit::BadData, "give each entrant a separate address")
        }
        RoundStartError::Table { .. } => {
            (Exit::BadData, "check the round's kind, tables and options")
        }
    };
    Failure::new(exit, &error).add_hint(hint)
}

fn print_standings(
    context: &Context,
    campaign: &Campaign,
    args: &StandingsArgs,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let season = process::load_campaign_status(context, campaign)?;
    let ratings = if args.ratings { Some(rating_histories(context)?) } else { None };
    let sheet = StandingsSheet { campaign, season: &season, ratings: ratings.as_deref() };
    if args.json {
        print_json(&sheet.to_json(), out)?;
    } else {
        write!(out, "{}", sheet.to_markdown())?;
    }
    if let Some(path) = &args.out {
        write_file(path, sheet.to_markdown().as_bytes())?;
    }
    if args.mail {
        let queued = process::queue_standings_letters(context, campaign, &season)?;
        if !args.json {
            writeln!(out, "\n{queued} letters queued; the next tick posts them.")?;
        }
    }
    let is_broken =
        season.played.iter().any(|game| matches!(game.outcome, GameOutcome::Unreadable(_)));
    Ok(if is_broken { Exit::Found } else { Exit::Done })
}

/// Returns the rating history of every rated member, the highest rating first. Erased members are
/// left out.
fn rating_histories(context: &Context) -> Result<Vec<tables::RatedMember>, Failure> {
    let (games, _) = process::load_rated_games(context)?;
    let mut rated = Vec::new();
    for (member, history) in compute_ratings(&games) {
        if let Some(member) = Transaction::begin(context).member(member)? {
            rated.push(tables::RatedMember { member: member.id, name: member.name, history });
        }
    }
    rated.sort_by(|a, b| b.rating_lower_bound().total_cmp(&a.rating_lower_bound()));
    Ok(rated)
}

fn print_json(value: &serde_json::Value, out: &mut dyn Write) -> Result<(), Failure> {
    Ok(writeln!(out, "{value}")?)
}
