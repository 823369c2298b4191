//! `postrider site`: writes the club's web site.

use super::campaign::read_campaign;
use super::rehearse::progress_bar;
use super::site_folder::{GameStamp, SiteFolder, hash_of};
use super::{Call, Environment, Exit, Failure, club_folder};
use crate::club::{PublishedSeat, Settings, SiteUrl, StrangerPolicy};
use crate::process::{self, BrokenSiteGame, ClubError, SiteCampaign, SiteGame, SiteSource};
use crate::render::{
    CampaignEntry, GameEntry, GamePages, Language, Library, SITE_SCRIPT, SITE_STYLE, Site,
};
use crate::rules::Message;
use crate::table::InitialGameCache;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of our style sheet in the site, and of the club's own one in its folder.
const STYLE_SHEET: &str = "site.css";

/// The name of our script in the site.
const SCRIPT: &str = "site.js";

/// Write a web site of the club's games into a folder, as static files for any web host.
///
/// The site shows what everyone may know of each game that is not private. Once a game is over, it
/// also shows the orders, and what was hidden. Members are named only if they wrote `site name`.
/// Named members have a page with their results and rating.
///
/// Run it from cron beside `tick`. It writes only what has changed. The folder must be empty, or
/// written by this command. A file site.css in the club's folder changes the look.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The folder of the site, outside of the club's folder.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Also show the campaign of this file, unless it has private games. Repeat it for more.
    #[arg(long, value_name = "FILE")]
    campaign: Vec<PathBuf>,
}

pub(super) fn run(args: &Args, call: &Call<'_>) -> Result<Exit, Failure> {
    write(call.folder, &args.folder, &args.campaign, call.environment)
}

/// Writes the site of the club in the folder `club` into the folder `site`, with the campaigns of
/// these files.
pub(super) fn write(
    club: &Path,
    site: &Path,
    campaigns: &[PathBuf],
    environment: &Environment,
) -> Result<Exit, Failure> {
    let campaigns = campaigns.iter().map(|file| read_campaign(environment.games, file));
    let campaigns = campaigns.collect::<Result<Vec<_>, _>>()?;
    let mut folder = SiteFolder::open(site, club)?;
    let context = club_folder::open_with_small_cache(club, environment)?;
    let (settings, library) = (context.settings.clone(), Arc::clone(&context.library));
    let site = make_site(&settings, &library);
    let texts = site.texts_hash();
    let is_stale =
        |entry: &GameEntry| folder.needs_files(entry.number, &GameStamp::new(&texts, entry));
    let source = process::load_site_source(&context, campaigns, &is_stale)?;
    // The store is closed before the pages are rendered, so that passes can continue.
    drop(context);
    let lists = list_paths(&source);
    folder.plan(source.games.iter().flat_map(planned_game_files));
    folder.plan(lists.iter().cloned().chain([STYLE_SHEET, SCRIPT].map(str::to_owned)));
    folder.write(STYLE_SHEET, &style_sheet(club)?)?;
    folder.write(SCRIPT, SITE_SCRIPT)?;
    let SiteSource { games, forming, mut broken, campaigns } = source;
    let (shown, failed) = write_games(&mut folder, &site, &texts, games)?;
    broken.extend(failed);
    for game in &broken {
        folder.keep_broken_game(game.number, &game.seats);
    }
    let broken_seats: Vec<&PublishedSeat> = broken.iter().flat_map(|game| &game.seats).collect();
    let results: Vec<_> = shown.iter().map(|game| &game.result).collect();
    let drawn: Vec<&String> = campaigns.iter().map(|campaign| &campaign.state).collect();
    let state = hash_of(&(&texts, &shown, results, &forming, &broken_seats, drawn));
    if !folder.keep_lists(state, lists) {
        for (path, page) in site.render_player_pages(&shown, broken_seats) {
            folder.write(&path, &page)?;
        }
        let campaigns: Vec<CampaignEntry> =
            campaigns.into_iter().map(|campaign| campaign.into_entry(&shown)).collect();
        for campaign in &campaigns {
            folder.write(&campaign.page_path(), &site.render_campaign_page(campaign, &shown))?;
        }
        for (path, page) in site.render_list_pages(&shown, &forming, &campaigns) {
            folder.write(&path, &page)?;
        }
    }
    folder.finish()?;
    report_faults(&broken, library.language(&settings.language))
}

/// Returns the paths of the files about several games that a build may write.
fn list_paths(source: &SiteSource) -> Vec<String> {
    let broken = source.broken.iter().map(|game| &game.seats);
    let seats = source.games.iter().map(|game| &game.entry.seats).chain(broken).flatten();
    let mut paths = Site::player_file_paths(seats);
    paths.extend(source.campaigns.iter().map(SiteCampaign::page_path));
    paths.extend(Site::list_file_paths(source.games.len()));
    paths
}

/// Returns the paths of the files that a build may write about a game. Those of a game that has not
/// moved are in the manifest already.
fn planned_game_files(game: &SiteGame) -> Vec<String> {
    let number = game.entry.number;
    let Some(log) = &game.log else { return Vec::new() };
    let records = u32::try_from(log.len()).unwrap_or(u32::MAX);
    let pictures = Site::game_picture_paths(number, records);
    pictures.chain(Site::game_file_paths(number)).collect()
}

/// The files of a game, or the reason why its log cannot be replayed.
type RenderedGame = Result<Result<GamePages, Message>, ClubError>;

/// Writes the files of all games that have moved. Returns the games that the lists show, and those
/// that could not be rendered.
///
/// While some games are rendered in parallel, the ones before are written. Only a few are held at a
/// time, because the pictures of a long game fill megabytes.
fn write_games(
    folder: &mut SiteFolder,
    site: &Site<'_>,
    texts: &str,
    games: Vec<SiteGame>,
) -> Result<(Vec<GameEntry>, Vec<BrokenSiteGame>), Failure> {
    let (mut shown, mut broken) = (Vec::with_capacity(games.len()), Vec::new());
    let openings = InitialGameCache::new(site.library.games());
    let moved = games.iter().filter(|game| game.log.is_some()).count();
    let progress = progress_bar(u32::try_from(moved).unwrap_or(u32::MAX));
    let render = |SiteGame { entry, log }| {
        let pages = log.map(|log| process::render_site_game(site, &openings, &entry, &log));
        (entry, pages)
    };
    let mut write = |(mut entry, pages): (GameEntry, Option<RenderedGame>)| -> Result<(), Failure> {
        let number = entry.number;
        match pages.transpose()? {
            Some(Ok(GamePages { files, result })) => {
                files.iter().try_for_each(|(path, text)| folder.write(path, text))?;
                entry.result = result;
                progress.inc(1);
            }
            Some(Err(why)) => {
                broken.push(BrokenSiteGame { number, seats: entry.seats, why });
                return Ok(());
            }
            None => {
                folder.keep_game(number);
                entry.result = folder.known_result(number);
            }
        }
        folder.set_stamp(number, GameStamp::new(texts, &entry));
        shown.push(entry);
        Ok(())
    };
    let mut games = games.into_iter();
    let mut rendered = Vec::new();
    loop {
        let some: Vec<SiteGame> = games.by_ref().take(rayon::current_num_threads()).collect();
        if some.is_empty() && rendered.is_empty() {
            break;
        }
        let before = std::mem::take(&mut rendered);
        let (written, now) = rayon::join(
            || before.into_iter().try_for_each(&mut write),
            || some.into_par_iter().map(render).collect(),
        );
        written?;
        rendered = now;
    }
    progress.finish_and_clear();
    Ok((shown, broken))
}

fn make_site<'a>(settings: &'a Settings, library: &'a Library) -> Site<'a> {
    Site {
        library,
        language: &settings.language,
        club: &settings.name,
        address: (settings.strangers == StrangerPolicy::Join).then_some(&*settings.address),
        own_boards: settings.site.own_boards,
        url: settings.site.url.as_ref().map(SiteUrl::as_str),
    }
}

/// Returns our style sheet with the club's own one below it, if there is one.
fn style_sheet(club: &Path) -> Result<String, Failure> {
    let own = club.join(STYLE_SHEET);
    match std::fs::read_to_string(&own) {
        Ok(own) => Ok(format!("{SITE_STYLE}\n{own}")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(SITE_STYLE.to_owned()),
        Err(error) => Err(Failure::for_path(&own, &error)),
    }
}

/// Fails if there are games whose pages could not be written, and names them.
fn report_faults(faults: &[BrokenSiteGame], language: &Language) -> Result<Exit, Failure> {
    let name = |game: &BrokenSiteGame| {
        let why: &Message = &game.why;
        format!("game {} could not be shown: {}", game.number, language.localize(why))
    };
    let Some((first, rest)) = faults.split_first() else { return Ok(Exit::Done) };
    let failure = Failure::new(Exit::Found, name(first));
    Err(rest.iter().fold(failure, |failure, game| failure.add_hint(name(game))))
}
