//! A campaign in a club: its rounds founded, its games counted, its standings mailed.
//!
//! Which game belongs to which table is written in the commit that founds the game, so a start that
//! was killed goes on where it stopped.

use crate::club::campaign::{
    Campaign, Drawn, Entrant, Outcome, Played, RatedGame, Round, Row, draw, tally,
};
use crate::club::{CampaignTable, GameName, Member, Seated};
use crate::mail::LetterHash;
use crate::process::context::{ClubError, Context};
use crate::process::lobby::found::{self, Founded, Player, Terms};
use crate::process::lobby::{erasure, name_check};
use crate::process::outbound::pending::{self, Says};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{MayConflict, Transaction, copy_out, open_game, retry};
use crate::render::StandingsLetter;
use crate::rules::{Seed, Turn};
use crate::store::{CampaignGame, Repository, SeenLetter, StoreError};
use crate::table::GameSetup;
use serde::Serialize;
use sha2::Digest as _;
use std::collections::{BTreeMap, HashMap};

/// How many games are founded in one commit.
const GAMES_A_COMMIT: usize = 100;

/// A campaign as it stands in a club.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Season {
    /// The rounds as far as it is known who plays them.
    pub drawn: Vec<Drawn>,
    /// The games that were founded, by round and table.
    pub(crate) played: Vec<Played>,
    /// What the store holds of them, in the same order.
    pub games: Vec<CampaignGame>,
    /// Everyone, the best first.
    pub rows: Vec<Row>,
}

/// What a start founded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Started {
    /// The round that was started, from 1.
    pub round: u32,
    /// The games of it that were founded now.
    pub founded: Vec<CampaignGame>,
    /// How many of its games had been founded before.
    #[serde(rename = "founded_before")]
    pub(crate) before: usize,
    /// How many places have a bye.
    pub byes: usize,
}

/// Why a round was not started, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum NotStarted {
    /// The club cannot be read or written.
    #[error(transparent)]
    Context(#[from] ClubError),
    /// The campaign has no such round.
    #[error("there is no round {0}")]
    NoRound(u32),
    /// The round before is not over.
    #[error("round {round} is not over: {}", games(.waiting))]
    Unfinished {
        /// The round before.
        round: u32,
        /// Its games that wait or are broken; none when it was never started.
        waiting: Vec<u32>,
    },
    /// Who plays hangs on games that are not over.
    #[error("who plays round {0} is only known when the round before it is over")]
    NotDrawn(u32),
    /// A table was founded for others than the file now says.
    #[error(
        "game {game} was founded for table {table} of round {round} with others than the file now \
         draws there; the file was changed for a round that had begun"
    )]
    Changed {
        /// The round that was to be started.
        round: u32,
        /// The table of the round, from 1.
        table: u32,
        /// The number of the game that was founded for it.
        game: u32,
    },
    /// A table cannot be founded.
    #[error("table {table}: {}", why_not(.why))]
    Table {
        /// The table, from 1.
        table: u32,
        /// The reason.
        why: Founded,
    },
}

fn games(numbers: &[u32]) -> String {
    if numbers.is_empty() {
        return "it was never started".to_owned();
    }
    let numbers: Vec<String> = numbers.iter().take(20).map(u32::to_string).collect();
    format!("{} still to end, such as {}", numbers.len(), numbers.join(", "))
}

fn why_not(founded: &Founded) -> String {
    match founded {
        Founded::Game(game) => format!("it is game {game}"),
        Founded::Impossible(error) => error.to_string(),
        Founded::Twice(address) => format!("{address} belongs to somebody who sits there already"),
        Founded::Own(address) => format!("{address} is the club's own address"),
    }
}

/// Reads the draw, the games and the standings of a campaign.
///
/// # Errors
/// If the club cannot be read. A game that cannot be read counts as not played.
pub fn season(context: &Context, campaign: &Campaign) -> Result<Season, ClubError> {
    let tx = Transaction::begin(context);
    let games = tx.campaign_games(&campaign.name)?;
    let everyone = campaign.everyone();
    let (mut members, mut addresses) = (HashMap::new(), HashMap::new());
    for (person, (_, Entrant { address, .. })) in everyone.iter().enumerate() {
        addresses.extend([address.clone(), erasure::hashed(address)].map(|own| (own, person)));
        members.extend(tx.member_by_address(address)?.map(|member| (member.id, person)));
    }
    let person = |address: &String, now: Option<&Seated>| {
        let entered = addresses.get(address).copied();
        // A substitute plays for the place that they took over, unless it is theirs from now on.
        let place = |person: usize| everyone.get(person).map(|(place, _)| place);
        let now = now.and_then(|seated| members.get(&seated.member).copied());
        let now = now.filter(|now| entered.is_none_or(|entered| place(entered) == place(*now)));
        now.or(entered).unwrap_or(usize::MAX)
    };
    let played = games.iter().map(|kept| {
        let seats = tx.seats(kept.game)?;
        let people = kept.players.iter().enumerate();
        let people = people.map(|(seat, address)| person(address, seats.get(seat))).collect();
        let (round, table, game) = (kept.round, kept.table, kept.game);
        Ok(Played { round, table, game, people, outcome: outcome(&tx, game)? })
    });
    let played = played.collect::<Result<Vec<_>, ClubError>>()?;
    let mut orders = BTreeMap::new();
    let drawn = draw(campaign, &orders);
    let mut season = Season { drawn, played, games, rows: Vec::new() };
    for next in 1..=campaign.length() {
        // The draw ends before the first round whose players depend on the standings.
        if season.drawn.len() + 1 == next as usize {
            if season.of_round(next).next().is_none() && !season.is_over(next - 1) {
                break;
            }
            orders.insert(next, season.order_before(campaign, next));
            season.drawn = draw(campaign, &orders);
        }
    }
    season.rows = tally(campaign, &season.drawn, &season.played);
    Ok(season)
}

/// Founds those games of a round that are not founded yet; without a number, of the first round
/// that is not founded to its end. `secret` is what the games' seeds are made from.
///
/// # Errors
/// When the round before is not over and `anyway` is not set, or a table cannot be founded:
/// then all tables before it are.
pub fn start_round(
    context: &Context,
    campaign: &Campaign,
    round: Option<u32>,
    anyway: bool,
    secret: &Seed,
) -> Result<Started, NotStarted> {
    let season = season(context, campaign)?;
    let number = round.unwrap_or_else(|| season.next_round(campaign));
    let rules = campaign.round(number).ok_or(NotStarted::NoRound(number))?;
    if number > 1 && !anyway && !season.is_over(number - 1) {
        let waiting = season.waiting(number - 1);
        return Err(NotStarted::Unfinished { round: number - 1, waiting });
    }
    let drawn = season.drawn_round(number).ok_or(NotStarted::NotDrawn(number))?;
    let mut missing = Vec::new();
    for (table, places) in (1..).zip(&drawn.tables) {
        let holders = places.iter().filter_map(|place| campaign.holder(*place, number));
        let player =
            |one: &Entrant| Player { name: one.name.clone(), address: one.address.clone() };
        let players: Vec<Player> = holders.map(player).collect();
        let kept = season.games.iter().find(|kept| (kept.round, kept.table) == (number, table));
        match kept {
            None => missing.push((table, players)),
            Some(kept) if !is_for(kept, &players) => {
                return Err(NotStarted::Changed { round: number, table, game: kept.game });
            }
            Some(_) => {}
        }
    }
    let before = drawn.tables.len() - missing.len();
    let mut started =
        Started { round: number, founded: Vec::new(), before, byes: drawn.byes.len() };
    for tables in missing.chunks(GAMES_A_COMMIT) {
        let founded = found_tables(context, campaign, number, rules, tables, secret)?;
        started.founded.extend(founded);
    }
    copy_out(context)?;
    Ok(started)
}

/// Whether a game was founded for these players, some of whom can have left the club since.
fn is_for(kept: &CampaignGame, players: &[Player]) -> bool {
    let is = |(address, player): (&String, &Player)| {
        *address == player.address || *address == erasure::hashed(&player.address)
    };
    kept.players.len() == players.len() && kept.players.iter().zip(players).all(is)
}

/// Founds some tables in one commit.
fn found_tables(
    context: &Context,
    campaign: &Campaign,
    round: u32,
    rules: &Round,
    tables: &[(u32, Vec<Player>)],
    secret: &Seed,
) -> Result<Vec<CampaignGame>, NotStarted> {
    let kind = rules.game().ok_or(NotStarted::NoRound(round))?;
    let name = GameName::of_campaign(&campaign.name);
    let name = name.filter(|name| name_check::may_be_called(context, name));
    let usual = Terms { name, ..Terms::usual(context) };
    retry(|| {
        let mut tx = Transaction::begin(context);
        // Another one may have founded some of them meanwhile.
        let games = tx.campaign_games(&campaign.name)?;
        let missing =
            |table: &u32| !games.iter().any(|kept| (kept.round, kept.table) == (round, *table));
        let mut founded = Vec::new();
        let first = tx.next_game()?;
        for (number, (table, players)) in
            (first..).zip(tables.iter().filter(|(table, _)| missing(table)))
        {
            let seats = u8::try_from(players.len()).unwrap_or(u8::MAX);
            let definition = kind.definition();
            let setup = GameSetup { kind, definition, options: &rules.options, seats };
            let seed = seed_of(secret, number);
            let place = CampaignTable { name: campaign.name.clone(), round, table: *table };
            let terms = Terms { campaign: Some(place), ..usual.clone() };
            match found::lay(&mut tx, number, setup, players, seed, terms)? {
                Founded::Game(game) => founded.push(CampaignGame {
                    campaign: campaign.name.clone(),
                    round,
                    table: *table,
                    game,
                    players: players.iter().map(|player| player.address.clone()).collect(),
                }),
                why => return Err(NotStarted::Table { table: *table, why }),
            }
        }
        tx.write().campaign_games.clone_from(&founded);
        tx.commit()?;
        Ok(founded)
    })
}

/// Queues a letter with the standings to everyone who still plays; says how many. Who has been
/// mailed these very standings gets no second letter.
///
/// # Errors
/// When the club cannot be read or written.
pub fn mail_standings(
    context: &Context,
    campaign: &Campaign,
    season: &Season,
) -> Result<usize, ClubError> {
    retry(|| {
        let mut tx = Transaction::begin(context);
        let mut mailed = 0;
        for (reader, row) in season.rows.iter().enumerate() {
            let member = tx.member_by_address(&row.address)?;
            let wants = |member: &Member| row.left_before.is_none() && member.letters.standings;
            let Some(member) = member.filter(wants) else { continue };
            let letter = StandingsLetter {
                campaign: campaign.name.clone(),
                round: season.played.iter().map(|game| game.round).max().unwrap_or(0),
                rounds: campaign.length(),
                waiting: season.played.len() - season.over(),
                players: season.rows.len(),
                rank: row.rank,
                lines: StandingsLetter::lines(&season.rows, reader),
            };
            let rendered = context.library.standings(&member, &context.settings.name, &letter);
            let digest = LetterHash::of(format!("{}\n{}", member.id, rendered.text).as_bytes());
            if tx.seen_letter(digest.bytes())?.is_some() {
                continue;
            }
            let message_id = pending::message_id(context, &format!("c.{digest}"));
            let letter =
                pending::plain(context, &member, Says::Standings(letter), None, message_id, None);
            tx.write().outgoing.push(letter);
            tx.remember(digest, SeenLetter { at: context.now, game: None, seq: None });
            mailed += 1;
        }
        tx.commit()?;
        Ok(mailed)
    })
}

/// Returns all games of the club that are over, for the ratings, and how many cannot be read.
///
/// # Errors
/// If the club cannot be read.
pub fn rated_games(context: &Context) -> Result<(Vec<RatedGame>, usize), ClubError> {
    let (mut games, mut broken) = (Vec::new(), 0);
    for game in Transaction::begin(context).games()? {
        match open_game(context, game) {
            Ok(session) => games.extend(rated(&session)),
            Err(ClubError::BrokenGame { .. }) => broken += 1,
            Err(error) => return Err(error),
        }
    }
    Ok((games, broken))
}

/// Returns the ranks of a game that is over.
fn rated(session: &GameSession) -> Option<RatedGame> {
    let table = &session.table;
    let last = table.records().last().filter(|_| table.turn() == Turn::Over)?;
    let ranks = table.standings().into_iter().filter_map(|standing| {
        let (seated, _) = session.seat(standing.seat)?;
        // A rank says nothing of either of two members who shared a seat.
        seated.since.is_none().then_some((seated.member, standing.rank))
    });
    Some(RatedGame { game: table.founding().number, at: last.at, ranks: ranks.collect() })
}

/// Returns what came of a game.
fn outcome(tx: &Transaction<'_>, game: u32) -> Result<Outcome, ClubError> {
    match tx.savepoint().session(game) {
        Ok(session) if session.table.turn() == Turn::Over => {
            let mut standings = session.table.standings();
            standings.sort_by_key(|standing| standing.seat);
            Ok(Outcome::Over(standings))
        }
        Ok(_) => Ok(Outcome::Waiting),
        Err(error @ (ClubError::BrokenGame { .. } | ClubError::NoGame(_))) => {
            Ok(Outcome::Broken(error.to_string()))
        }
        Err(error) => Err(error),
    }
}

impl From<StoreError> for NotStarted {
    fn from(error: StoreError) -> Self {
        Self::Context(error.into())
    }
}

impl MayConflict for NotStarted {
    fn is_conflict(&self) -> bool {
        matches!(self, Self::Context(error) if error.is_conflict())
    }
}

impl Season {
    /// Returns the draw of a round (from 1), as far as it is known.
    fn drawn_round(&self, round: u32) -> Option<&Drawn> {
        self.drawn.get((round as usize).checked_sub(1)?)
    }

    fn of_round(&self, round: u32) -> impl Iterator<Item = &Played> {
        self.played.iter().filter(move |game| game.round == round)
    }

    /// Whether each table of a round (from 1) has its game.
    fn is_founded(&self, round: u32) -> bool {
        let drawn = self.drawn_round(round);
        drawn.is_some_and(|drawn| drawn.tables.len() == self.of_round(round).count())
    }

    /// Whether all games of a round (from 1) were founded and are over.
    fn is_over(&self, round: u32) -> bool {
        self.is_founded(round) && self.of_round(round).all(Played::is_over)
    }

    /// Returns the first round that is not founded to its end, or the number after the last one.
    pub(crate) fn next_round(&self, campaign: &Campaign) -> u32 {
        let all = campaign.length();
        (1..=all).find(|round| !self.is_founded(*round)).unwrap_or(all + 1)
    }

    /// Returns the games of a round that are not over or cannot be read.
    pub fn waiting(&self, round: u32) -> Vec<u32> {
        self.of_round(round).filter(|game| !game.is_over()).map(|game| game.game).collect()
    }

    /// Returns the number of games that are over.
    pub fn over(&self) -> usize {
        self.played.iter().filter(|game| game.is_over()).count()
    }

    /// Returns the places in the order in which their holders stand before a round.
    fn order_before(&self, campaign: &Campaign, round: u32) -> Vec<usize> {
        let earlier: Vec<Played> =
            self.played.iter().filter(|game| game.round < round).cloned().collect();
        let everyone = campaign.everyone();
        let place = |row: Row| {
            let (place, entrant) = everyone.get(row.person)?;
            (campaign.holder(*place, round) == Some(*entrant)).then_some(*place)
        };
        tally(campaign, &self.drawn, &earlier).into_iter().filter_map(place).collect()
    }
}

/// One game's own seed, from a secret that is thrown away.
fn seed_of(secret: &Seed, game: u32) -> Seed {
    let digest = sha2::Sha256::new().chain_update(secret.bytes()).chain_update(game.to_be_bytes());
    Seed::new(digest.finalize().into())
}
