//! The data of the club's web site: the published games with their logs, and the games that wait
//! for players. Private games are never part of it.

use crate::club::campaign::Campaign;
use crate::club::{Member, Proposal, PublishedMember, PublishedSeat, former_members_of_seat};
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::game_faults::catch_game_fault;
use crate::process::moderation::overview::{for_each_game_in, try_open_game};
use crate::process::moderation::site_campaigns::{SiteCampaign, load_site_campaigns};
use crate::process::transaction::Transaction;
use crate::render::{FormingEntry, GameEntry, GamePages, Site};
use crate::rules::{Message, Seat};
use crate::store::{GameFacts, Repository, SeatHolder};
use crate::table::{InitialGameCache, Outline, Table};
use std::collections::BTreeMap;

/// The data of a web site, read from the store at one time.
#[derive(Default)]
pub(crate) struct SiteSource {
    pub games: Vec<SiteGame>,
    pub forming: Vec<FormingEntry>,
    pub broken: Vec<BrokenSiteGame>,
    pub campaigns: Vec<SiteCampaign>,
}

/// A published game.
pub(crate) struct SiteGame {
    pub entry: GameEntry,
    /// The lines of the game's log, or `None` if the caller did not ask for them.
    pub log: Option<Vec<String>>,
}

/// A published game whose log cannot be replayed.
pub(crate) struct BrokenSiteGame {
    pub number: u32,
    /// The published names of each seat.
    pub seats: Vec<PublishedSeat>,
    pub why: Message,
}

/// The members of published games who are named, cached so that each is read once.
#[derive(Default)]
struct Members(BTreeMap<u32, Option<PublishedMember>>);

impl Members {
    fn load(&mut self, tx: &Transaction<'_>, id: u32) -> ClubResult<Option<PublishedMember>> {
        if let Some(known) = self.0.get(&id) {
            return Ok(known.clone());
        }
        let member = tx.member(id)?;
        let published = member.and_then(|member| publish_member(tx.context, &member));
        self.0.insert(id, published.clone());
        Ok(published)
    }
}

/// Returns the name and page of a member who agreed to be named. The page's ID is a keyed hash, so
/// nobody can compute the member's number from it.
pub(super) fn publish_member(context: &Context, member: &Member) -> Option<PublishedMember> {
    let name = member.published_name()?.to_owned();
    let consent = format!("player-page {} {}", member.id, member.site_consents);
    Some(PublishedMember { page: context.secret.id_tag(&consent), name })
}

/// Reads all published games, and the published ones of these campaigns. Reads the logs only of the
/// games for which `needs_log` returns `true`. Changes nothing in the store.
pub(crate) fn load_site_source(
    context: &Context,
    campaigns: Vec<Campaign>,
    needs_log: &dyn Fn(&GameEntry) -> bool,
) -> ClubResult<SiteSource> {
    let tx = Transaction::begin(context);
    let (mut source, mut members) = (SiteSource::default(), Members::default());
    for_each_game_in(&tx, |game, mut facts| {
        if !facts.room.is_published() {
            return Ok(());
        }
        if facts.log_length == 0 {
            source.forming.extend(facts.room.proposal.take().map(|own| forming_entry(game, *own)));
            return Ok(());
        }
        let seats = published_seats(&tx, game, &facts, &mut members)?;
        match load_outline(&tx, game, facts)? {
            Ok(outline) => {
                let entry = GameEntry { number: game, outline, seats, result: None };
                let log = needs_log(&entry).then(|| tx.game_log_lines(game)).transpose()?;
                source.games.push(SiteGame { entry, log });
            }
            Err(why) => source.broken.push(BrokenSiteGame { number: game, seats, why }),
        }
        Ok(())
    })?;
    let whole = source.games.iter().map(|game| game.entry.number);
    let published = whole.chain(source.broken.iter().map(|game| game.number)).collect();
    source.campaigns = load_site_campaigns(&tx, campaigns, &published)?;
    Ok(source)
}

fn forming_entry(game: u32, proposal: Proposal) -> FormingEntry {
    let joined = proposal.players.len();
    let Proposal { kind, seats, until, .. } = proposal;
    FormingEntry { number: game, kind, seats, joined, until }
}

/// Returns the state of a game, or the reason why its log cannot be replayed.
fn load_outline(
    tx: &Transaction<'_>,
    game: u32,
    facts: GameFacts,
) -> ClubResult<Result<Outline, Message>> {
    match facts.outline {
        Some(outline) => Ok(Ok(outline)),
        None => Ok(try_open_game(tx, game)?.map(|session| session.table.outline())),
    }
}

/// Returns the published names of each seat.
fn published_seats(
    tx: &Transaction<'_>,
    game: u32,
    facts: &GameFacts,
    members: &mut Members,
) -> ClubResult<Vec<PublishedSeat>> {
    let GameFacts { seats: holders, room, .. } = facts;
    // Nearly all games have no former players, so their stored seats need not be parsed.
    let seated =
        if room.former_players.is_empty() { Vec::new() } else { tx.seat_assignments(game)? };
    let mut seats = Vec::with_capacity(holders.len());
    for (index, SeatHolder { member: holder, .. }) in holders.iter().enumerate() {
        let player = members.load(tx, *holder)?;
        let Some(seated) = seated.get(index) else {
            seats.push(PublishedSeat::with_one_player(player));
            continue;
        };
        let mut former = Vec::new();
        for id in former_members_of_seat(&room.former_players, Seat::from_index(index), *holder) {
            former.push(members.load(tx, id)?);
        }
        seats.push(PublishedSeat::with_former_players(seated, player, former));
    }
    Ok(seats)
}

/// Renders the files of a game from its log. Returns the reason if the log cannot be replayed or
/// the rules panic.
pub(crate) fn render_site_game(
    site: &Site<'_>,
    openings: &InitialGameCache,
    entry: &GameEntry,
    log: &[String],
) -> ClubResult<Result<GamePages, Message>> {
    catch_game_fault(|| {
        let table = Table::from_log(openings, log.iter().map(String::as_str))
            .map_err(|error| ClubError::BrokenGame { game: entry.number, error })?;
        Ok(site.render_game(&table, &entry.seats)?)
    })
}
