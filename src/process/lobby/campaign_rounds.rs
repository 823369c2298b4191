//! The rounds of a campaign: founds their games, reads the results, and mails the standings.
//!
//! The commit that founds a game also stores which table of the campaign it belongs to. If starting
//! a round is interrupted, the next start founds only the missing games.

use crate::club::campaign::{
    Campaign, CampaignGameResult, Entrant, GameOutcome, RatedGame, Round, RoundTables,
    StandingsRow, compute_standings, draw_rounds,
};
use crate::club::clock::{ClockError, ClockRule, ClockRules};
use crate::club::{CampaignTable, GameName, Member, SeatAssignment};
use crate::mail::LetterHash;
use crate::process::context::{ClubError, Context};
use crate::process::lobby::game_founding::{self, FoundingResult, GameTerms, Player};
use crate::process::lobby::{erasure, name_check};
use crate::process::outbound::pending::{self, NoticeBody};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{
    MayConflict, Transaction, load_stored_game, retry_on_conflict, update_journal,
};
use crate::render::StandingsLetter;
use crate::rules::{Seed, Turn};
use crate::store::{CampaignGame, Repository, SeenLetter, StoreError};
use crate::table::GameSetup;
use serde::Serialize;
use sha2::Digest as _;
use std::collections::{BTreeMap, HashMap};

const GAMES_PER_COMMIT: usize = 100;

/// The state of a campaign in a club.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignStatus {
    /// The rounds whose players are known.
    pub drawn: Vec<RoundTables>,
    /// The results of the founded games, by round and table.
    pub(crate) played: Vec<CampaignGameResult>,
    /// The rows of the store for these games, in the order of `played`.
    pub games: Vec<CampaignGame>,
    /// The standings of all entrants, the best first.
    pub rows: Vec<StandingsRow>,
}

/// The result of starting a round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RoundStart {
    /// The round, from 1.
    pub round: u32,
    pub founded: Vec<CampaignGame>,
    /// The number of the round's games that an earlier start had founded.
    #[serde(rename = "founded_before")]
    pub(crate) before: usize,
    pub byes: usize,
}

/// Why a round was not started, or was not started completely.
#[derive(Debug, thiserror::Error)]
pub enum RoundStartError {
    #[error(transparent)]
    Context(#[from] ClubError),
    #[error("there is no round {0}")]
    NoRound(u32),
    #[error("round {round} is not over: {}", describe_unfinished_games(.waiting))]
    Unfinished {
        round: u32,
        /// Its games that are running or broken. Empty if the round was never started.
        waiting: Vec<u32>,
    },
    #[error("the entrants of round {0} are known only when the round before it is over")]
    NotDrawn(u32),
    /// A game was already founded for this table with players other than those in the campaign's
    /// file.
    #[error(
        "game {game} was founded for table {table} of round {round} with other players than the \
         file now draws; the file was changed after the round had started"
    )]
    Changed { round: u32, table: u32, game: u32 },
    #[error("deadline: {0}")]
    Clock(#[from] ClockError),
    #[error("table {table}: {}", describe_founding_result(.why))]
    Table { table: u32, why: FoundingResult },
}

fn describe_unfinished_games(numbers: &[u32]) -> String {
    if numbers.is_empty() {
        return "it was never started".to_owned();
    }
    let numbers: Vec<String> = numbers.iter().take(20).map(u32::to_string).collect();
    format!("{} games remain, such as {}", numbers.len(), numbers.join(", "))
}

fn describe_founding_result(founded: &FoundingResult) -> String {
    match founded {
        FoundingResult::Game(game) => format!("it is game {game}"),
        FoundingResult::Impossible(error) => error.to_string(),
        FoundingResult::DuplicatePlayer(address) => {
            format!("{address} belongs to a member who already has a seat there")
        }
        FoundingResult::ClubAddress(address) => format!("{address} is the club's own address"),
    }
}

/// Loads the draw, the games and the standings of a campaign.
///
/// # Errors
/// When the club cannot be read. A game that cannot be read counts as not played.
pub fn load_campaign_status(
    context: &Context,
    campaign: &Campaign,
) -> Result<CampaignStatus, ClubError> {
    let tx = Transaction::begin(context);
    let (games, mut played) = load_campaign_games(&tx, campaign)?;
    for game in &mut played {
        game.outcome = load_game_outcome(&tx, game.game)?;
    }
    Ok(CampaignStatus::from_results(campaign, games, played))
}

/// Loads the games of a campaign with their players, by round and table. Reads no log: all games
/// count as running.
pub(crate) fn load_campaign_games(
    tx: &Transaction<'_>,
    campaign: &Campaign,
) -> Result<(Vec<CampaignGame>, Vec<CampaignGameResult>), ClubError> {
    let games = tx.campaign_games(&campaign.name)?;
    let everyone = campaign.entrants_and_replacements();
    let (mut members, mut addresses) = (HashMap::new(), HashMap::new());
    for (person, (_, Entrant { address, .. })) in everyone.iter().enumerate() {
        addresses.extend(
            [address.clone(), erasure::erased_address_hash(address)].map(|own| (own, person)),
        );
        members.extend(tx.member_by_address(address)?.map(|member| (member.id, person)));
    }
    let person = |address: &String, now: Option<&SeatAssignment>| {
        let entered = addresses.get(address).copied();
        // A substitute's result counts for the entrant whose seat they took over. It counts for the
        // substitute if the campaign's file makes them the holder of that place.
        let place = |person: usize| everyone.get(person).map(|(place, _)| place);
        let now = now.and_then(|seated| members.get(&seated.member).copied());
        let now = now.filter(|now| entered.is_none_or(|entered| place(entered) == place(*now)));
        now.or(entered).unwrap_or(usize::MAX)
    };
    let played = games.iter().map(|kept| {
        let seats = tx.seat_assignments(kept.game)?;
        let people = kept.players.iter().enumerate();
        let persons = people.map(|(seat, address)| person(address, seats.get(seat))).collect();
        let (round, table, game) = (kept.round, kept.table, kept.game);
        Ok(CampaignGameResult { round, table, game, persons, outcome: GameOutcome::Running })
    });
    let played = played.collect::<Result<Vec<_>, ClubError>>()?;
    Ok((games, played))
}

/// Founds the games of a round that are not founded yet. Without a number, it uses the first round
/// with missing games. `secret` is the source of the games' seeds.
///
/// # Errors
/// When the previous round is not over and `anyway` is not set, or when a table cannot be founded.
/// Then earlier tables may already be founded.
pub fn start_round(
    context: &Context,
    campaign: &Campaign,
    round: Option<u32>,
    anyway: bool,
    secret: &Seed,
) -> Result<RoundStart, RoundStartError> {
    let season = load_campaign_status(context, campaign)?;
    let number = round.unwrap_or_else(|| season.next_round(campaign));
    let rules = campaign.round_by_number(number).ok_or(RoundStartError::NoRound(number))?;
    if number > 1 && !anyway && !season.is_round_over(number - 1) {
        let waiting = season.unfinished_games(number - 1);
        return Err(RoundStartError::Unfinished { round: number - 1, waiting });
    }
    let drawn = season.drawn_tables_of_round(number).ok_or(RoundStartError::NotDrawn(number))?;
    let mut missing = Vec::new();
    for (table, places) in (1..).zip(&drawn.tables) {
        let holders = places.iter().filter_map(|place| campaign.entrant_in_place(*place, number));
        let player =
            |one: &Entrant| Player { name: one.name.clone(), address: one.address.clone() };
        let players: Vec<Player> = holders.map(player).collect();
        let kept = season.games.iter().find(|kept| (kept.round, kept.table) == (number, table));
        match kept {
            None => missing.push((table, players)),
            Some(kept) if !is_game_of_players(kept, &players) => {
                return Err(RoundStartError::Changed { round: number, table, game: kept.game });
            }
            Some(_) => {}
        }
    }
    let before = drawn.tables.len() - missing.len();
    let mut started =
        RoundStart { round: number, founded: Vec::new(), before, byes: drawn.byes.len() };
    for tables in missing.chunks(GAMES_PER_COMMIT) {
        let founded = found_games_of_tables(context, campaign, number, rules, tables, secret)?;
        started.founded.extend(founded);
    }
    update_journal(context)?;
    Ok(started)
}

/// Whether a game was founded for these players. A player who has left the club is recognized by
/// the hash of their address.
fn is_game_of_players(kept: &CampaignGame, players: &[Player]) -> bool {
    let is = |(address, player): (&String, &Player)| {
        *address == player.address || *address == erasure::erased_address_hash(&player.address)
    };
    kept.players.len() == players.len() && kept.players.iter().zip(players).all(is)
}

/// Returns the clock rules of a campaign's games: the club's `usual` ones, with the campaign's
/// deadline. `None` if neither has a deadline.
///
/// # Errors
/// If the club's no-play days leave no day for the campaign's deadline.
pub fn campaign_clock_rules(
    campaign: &Campaign,
    usual: Option<ClockRules>,
) -> Result<Option<ClockRules>, RoundStartError> {
    let own: Vec<ClockRule> =
        campaign.deadline.clone().map(ClockRule::Deadline).into_iter().collect();
    let rules = ClockRule::apply_rules_to(&own, usual);
    rules.as_ref().map_or(Ok(()), ClockRules::check_any_day_allows_deadline)?;
    Ok(rules)
}

/// Founds games for some tables of a round in one commit.
fn found_games_of_tables(
    context: &Context,
    campaign: &Campaign,
    round: u32,
    rules: &Round,
    tables: &[(u32, Vec<Player>)],
    secret: &Seed,
) -> Result<Vec<CampaignGame>, RoundStartError> {
    let kind = rules.find_kind(context.games()).ok_or(RoundStartError::NoRound(round))?;
    let name = GameName::from_campaign_name(&campaign.name);
    let name = name.filter(|name| name_check::is_allowed_game_name(context, name));
    let usual = GameTerms::default_for(context);
    let clock = campaign_clock_rules(campaign, usual.clock.clone())?;
    let usual = GameTerms { name, clock, ..usual };
    retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        // Another process may have founded some of these games in the meantime.
        let games = tx.campaign_games(&campaign.name)?;
        let missing =
            |table: &u32| !games.iter().any(|kept| (kept.round, kept.table) == (round, *table));
        let mut founded = Vec::new();
        let first = tx.next_game_number()?;
        for (number, (table, players)) in
            (first..).zip(tables.iter().filter(|(table, _)| missing(table)))
        {
            let seats = u8::try_from(players.len()).unwrap_or(u8::MAX);
            let definition = kind.shipped_definition();
            let setup = GameSetup { kind, definition, options: &rules.options, seats };
            let seed = derive_game_seed(secret, number);
            let place = CampaignTable { name: campaign.name.clone(), round, table: *table };
            let terms = GameTerms { campaign: Some(place), ..usual.clone() };
            match game_founding::found_game_in_tx(&mut tx, number, setup, players, seed, terms)? {
                FoundingResult::Game(game) => founded.push(CampaignGame {
                    campaign: campaign.name.clone(),
                    round,
                    table: *table,
                    game,
                    players: players.iter().map(|player| player.address.clone()).collect(),
                }),
                why => return Err(RoundStartError::Table { table: *table, why }),
            }
        }
        tx.batch_mut().campaign_games.clone_from(&founded);
        tx.commit()?;
        Ok(founded)
    })
}

/// Queues a letter with the standings to every entrant who still plays. Skips members who have
/// already been sent exactly these standings. Returns the number of letters.
///
/// # Errors
/// When the club cannot be read or written.
pub fn queue_standings_letters(
    context: &Context,
    campaign: &Campaign,
    season: &CampaignStatus,
) -> Result<usize, ClubError> {
    retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        let mut mailed = 0;
        for (reader, row) in season.rows.iter().enumerate() {
            let member = tx.member_by_address(&row.address)?;
            let wants = |member: &Member| row.left_before.is_none() && member.letters.standings;
            let Some(member) = member.filter(wants) else { continue };
            let letter = StandingsLetter {
                campaign: campaign.name.clone(),
                round: season.played.iter().map(|game| game.round).max().unwrap_or(0),
                rounds: campaign.round_count(),
                waiting: season.played.len() - season.count_finished_games(),
                players: season.rows.len(),
                rank: row.rank,
                lines: StandingsLetter::select_lines(&season.rows, reader),
            };
            let rendered =
                context.library.render_standings(&member, &context.settings.name, &letter);
            let digest =
                LetterHash::compute(format!("{}\n{}", member.id, rendered.text).as_bytes());
            if tx.letter_outcome(digest.as_bytes())?.is_some() {
                continue;
            }
            let message_id = pending::make_message_id(context, &format!("c.{digest}"));
            let letter = pending::make_plain_letter(
                context,
                &member,
                NoticeBody::Standings(letter),
                None,
                message_id,
                None,
            );
            tx.batch_mut().outgoing.push(letter);
            tx.mark_as_processed(digest, SeenLetter::mark(context.now));
            mailed += 1;
        }
        tx.commit()?;
        Ok(mailed)
    })
}

/// Returns all finished games of the club for the ratings, and the number of games that cannot be
/// read.
///
/// # Errors
/// When the club cannot be read.
pub fn load_rated_games(context: &Context) -> Result<(Vec<RatedGame>, usize), ClubError> {
    let (mut games, mut broken) = (Vec::new(), 0);
    for game in Transaction::begin(context).game_numbers()? {
        match load_stored_game(context, game) {
            Ok(session) if session.is_practice => {}
            Ok(session) => games.extend(rank_finished_game(&session)),
            Err(ClubError::BrokenGame { .. }) => broken += 1,
            Err(error) => return Err(error),
        }
    }
    Ok((games, broken))
}

/// Returns the ranks in a finished game; `None` if it is not over, or a bot had a seat at its end.
fn rank_finished_game(session: &GameSession) -> Option<RatedGame> {
    let table = &session.table;
    let has_bot = session.all_seats().any(|seat| session.bot_at(seat).is_some());
    let last = table.records().last().filter(|_| table.turn() == Turn::Over && !has_bot)?;
    let ranks = table.rankings().into_iter().filter_map(|standing| {
        let (seated, _) = session.seat(standing.seat)?;
        // A seat that two members played one after the other is not rated, because its rank is due
        // to both.
        seated.since.is_none().then_some((seated.member, standing.rank))
    });
    Some(RatedGame { game: table.founding().number, at: last.at, ranks: ranks.collect() })
}

fn load_game_outcome(tx: &Transaction<'_>, game: u32) -> Result<GameOutcome, ClubError> {
    match tx.begin_savepoint().open_game(game) {
        Ok(session) if session.table.turn() == Turn::Over => {
            let mut standings = session.table.rankings();
            standings.sort_by_key(|standing| standing.seat);
            Ok(GameOutcome::Over(standings))
        }
        Ok(_) => Ok(GameOutcome::Running),
        Err(error @ (ClubError::BrokenGame { .. } | ClubError::NoGame(_))) => {
            Ok(GameOutcome::Unreadable(error.to_string()))
        }
        Err(error) => Err(error),
    }
}

impl From<StoreError> for RoundStartError {
    fn from(error: StoreError) -> Self {
        Self::Context(error.into())
    }
}

impl MayConflict for RoundStartError {
    fn is_conflict(&self) -> bool {
        matches!(self, Self::Context(error) if error.is_conflict())
    }
}

impl CampaignStatus {
    /// Draws the rounds of a campaign whose players are known, and computes the standings.
    pub(crate) fn from_results(
        campaign: &Campaign,
        games: Vec<CampaignGame>,
        played: Vec<CampaignGameResult>,
    ) -> Self {
        let mut orders = BTreeMap::new();
        let drawn = draw_rounds(campaign, &orders);
        let mut season = Self { drawn, played, games, rows: Vec::new() };
        for next in 1..=campaign.round_count() {
            // The draw ends before the first round whose players depend on games that are not over.
            if season.drawn.len() + 1 == next as usize {
                if season.games_of_round(next).next().is_none() && !season.is_round_over(next - 1) {
                    break;
                }
                orders.insert(next, season.places_by_standing(campaign, next));
                season.drawn = draw_rounds(campaign, &orders);
            }
        }
        season.rows = compute_standings(campaign, &season.drawn, &season.played);
        season
    }

    /// Returns the draw of a round (from 1), as far as it is known.
    fn drawn_tables_of_round(&self, round: u32) -> Option<&RoundTables> {
        self.drawn.get((round as usize).checked_sub(1)?)
    }

    fn games_of_round(&self, round: u32) -> impl Iterator<Item = &CampaignGameResult> {
        self.played.iter().filter(move |game| game.round == round)
    }

    /// Whether every table of a round (from 1) has its game.
    fn is_round_founded(&self, round: u32) -> bool {
        let drawn = self.drawn_tables_of_round(round);
        drawn.is_some_and(|drawn| drawn.tables.len() == self.games_of_round(round).count())
    }

    /// Whether all games of a round (from 1) were founded and are over.
    fn is_round_over(&self, round: u32) -> bool {
        self.is_round_founded(round) && self.games_of_round(round).all(CampaignGameResult::is_over)
    }

    /// Returns the first round with missing games, or the number after the last round.
    pub(crate) fn next_round(&self, campaign: &Campaign) -> u32 {
        let all = campaign.round_count();
        (1..=all).find(|round| !self.is_round_founded(*round)).unwrap_or(all + 1)
    }

    /// Returns the games of a round that are not over or cannot be read.
    pub fn unfinished_games(&self, round: u32) -> Vec<u32> {
        self.games_of_round(round).filter(|game| !game.is_over()).map(|game| game.game).collect()
    }

    pub fn count_finished_games(&self) -> usize {
        self.played.iter().filter(|game| game.is_over()).count()
    }

    /// Returns the places in the order of their holders' standings before a round.
    fn places_by_standing(&self, campaign: &Campaign, round: u32) -> Vec<usize> {
        let earlier: Vec<CampaignGameResult> =
            self.played.iter().filter(|game| game.round < round).cloned().collect();
        let everyone = campaign.entrants_and_replacements();
        let place = |row: StandingsRow| {
            let (place, entrant) = everyone.get(row.person)?;
            (campaign.entrant_in_place(*place, round) == Some(*entrant)).then_some(*place)
        };
        compute_standings(campaign, &self.drawn, &earlier).into_iter().filter_map(place).collect()
    }
}

/// Derives a game's own seed from a secret, which the caller discards afterwards.
fn derive_game_seed(secret: &Seed, game: u32) -> Seed {
    let digest =
        sha2::Sha256::new().chain_update(secret.as_bytes()).chain_update(game.to_be_bytes());
    Seed::new(digest.finalize().into())
}
