//! A campaign in a club: its rounds founded, its games counted, its standings mailed.
//!
//! Which game belongs to which table is written in the commit that founds the game, so a start that
//! was killed goes on where it stopped.

use crate::club::campaign::{
    Campaign, Drawn, Outcome, Placing, Played, RatedGame, Round, Row, draw, tally,
};
use crate::club::{CampaignTable, GameName, Member};
use crate::mail::LetterHash;
use crate::process::context::{ClubError, Context};
use crate::process::lobby::erasure;
use crate::process::lobby::found::{self, Founded, Player, Terms};
use crate::process::lobby::names;
use crate::process::outbound::pending::{self, Says};
use crate::process::transaction::copy_out;
use crate::process::transaction::open_game;
use crate::process::transaction::{MayConflict, Transaction, retry};
use crate::render::StandingsLetter;
use crate::rules::{OpenError, Seed, Turn};
use crate::store::{CampaignGame, Repository, SeenLetter, StoreError};
use crate::table::GameSetup;
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Started {
    /// The round that was started, from 1.
    pub round: u32,
    /// The games of it that were founded now.
    pub founded: Vec<CampaignGame>,
    /// How many of its games had been founded before.
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
    #[error("table {table}: {error}")]
    Impossible {
        /// Which, from 1.
        table: u32,
        /// What the game's rules say against it.
        error: OpenError,
    },
    /// Two of a table's addresses belong to one member.
    #[error("table {table}: {address} belongs to somebody who sits there already")]
    Twice {
        /// Which, from 1.
        table: u32,
        /// The second of the addresses.
        address: String,
    },
    /// Somebody is said to be where letters to the club go.
    #[error("table {table}: {address} is the club's own address")]
    Own {
        /// Which, from 1.
        table: u32,
        /// The address.
        address: String,
    },
}

fn games(numbers: &[u32]) -> String {
    if numbers.is_empty() {
        return "it was never started".to_owned();
    }
    let numbers: Vec<String> = numbers.iter().take(20).map(u32::to_string).collect();
    format!("{} still to end, such as {}", numbers.len(), numbers.join(", "))
}

/// How a campaign stands.
///
/// # Errors
/// When the club cannot be read. A game that cannot be read counts as not played.
pub fn season(context: &Context, campaign: &Campaign) -> Result<Season, ClubError> {
    let tx = Transaction::begin(context);
    let games = tx.campaign_games(&campaign.name)?;
    let people = people(&tx, campaign)?;
    let played = games.iter().map(|game| played(&tx, game, &people));
    let played = played.collect::<Result<Vec<_>, _>>()?;
    let mut orders = BTreeMap::new();
    let mut drawn = draw(campaign, &orders);
    while let Some(next) = u32::try_from(drawn.len() + 1)
        .ok()
        .filter(|next| campaign.round(*next).is_some() && !orders.contains_key(next))
    {
        let begun = played.iter().any(|game| game.round == next);
        let over = is_over(&played, &drawn, next - 1);
        if !begun && !over {
            break;
        }
        orders.insert(next, order_before(campaign, &drawn, &played, next));
        drawn = draw(campaign, &orders);
    }
    let rows = tally(campaign, &drawn, &played);
    Ok(Season { drawn, played, games, rows })
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
    if number > 1 && !anyway && !is_over(&season.played, &season.drawn, number - 1) {
        let waiting = season.waiting(number - 1);
        return Err(NotStarted::Unfinished { round: number - 1, waiting });
    }
    let nth = number.checked_sub(1).ok_or(NotStarted::NoRound(number))? as usize;
    let drawn = season.drawn.get(nth).ok_or(NotStarted::NotDrawn(number))?;
    let mut missing = Vec::new();
    for (table, places) in (1..).zip(&drawn.tables) {
        let players = players(campaign, number, places);
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
            let (name, usual) = (campaign.name.clone(), Terms::usual(context));
            let place = CampaignTable { name, round, table: *table };
            let called = GameName::of_campaign(&campaign.name);
            let called = called.filter(|name| names::may_be_called(context, name));
            let terms = Terms { campaign: Some(place), name: called, ..usual };
            match found::lay(&mut tx, number, setup, players, seed, terms)? {
                Founded::Game(game) => founded.push(CampaignGame {
                    campaign: campaign.name.clone(),
                    round,
                    table: *table,
                    game,
                    players: players.iter().map(|player| player.address.clone()).collect(),
                }),
                Founded::Impossible(error) => {
                    return Err(NotStarted::Impossible { table: *table, error });
                }
                Founded::Twice(address) => {
                    return Err(NotStarted::Twice { table: *table, address });
                }
                Founded::Own(address) => {
                    return Err(NotStarted::Own { table: *table, address });
                }
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

/// All games of the club that are over, for the ratings, and how many cannot be read.
///
/// # Errors
/// When the club cannot be read.
pub fn rated_games(context: &Context) -> Result<(Vec<RatedGame>, usize), ClubError> {
    let (mut games, mut broken) = (Vec::new(), 0);
    for game in Transaction::begin(context).games()? {
        let session = match open_game(context, game) {
            Ok(session) => session,
            Err(ClubError::BrokenGame { .. }) => {
                broken += 1;
                continue;
            }
            Err(error) => return Err(error),
        };
        let Some(last) = session.table.records().last() else { continue };
        if session.table.turn() == Turn::Over {
            let ranks = session.table.standings().into_iter().filter_map(|standing| {
                let (seated, _) = session.seat(standing.seat)?;
                // Neither of two who shared a seat is known by where it ended.
                seated.since.is_none().then_some((seated.member, standing.rank))
            });
            games.push(RatedGame { game, at: last.at, ranks: ranks.collect() });
        }
    }
    Ok((games, broken))
}

/// Whom the members and addresses of a campaign stand for.
fn people(tx: &Transaction<'_>, campaign: &Campaign) -> Result<People, ClubError> {
    let mut people = People::default();
    for (person, (place, entrant)) in campaign.everyone().into_iter().enumerate() {
        people.places.push(place);
        people.addresses.insert(entrant.address.clone(), person);
        people.addresses.insert(erasure::hashed(&entrant.address), person);
        if let Some(member) = tx.member_by_address(&entrant.address)? {
            people.members.insert(member.id, person);
        }
    }
    Ok(people)
}

fn played(tx: &Transaction<'_>, kept: &CampaignGame, people: &People) -> Result<Played, ClubError> {
    let seats = tx.seats(kept.game)?;
    let person = |(seat, address): (usize, &String)| {
        let entered = people.addresses.get(address).copied();
        let now = seats.get(seat).and_then(|seated| people.members.get(&seated.member));
        // Who helps out plays for the place that he took over, unless it is his from now on.
        let place = |person: usize| people.places.get(person);
        let now = now.copied().filter(|now| entered.is_none_or(|e| place(e) == place(*now)));
        now.or(entered).unwrap_or(usize::MAX)
    };
    let people = kept.players.iter().enumerate().map(person).collect();
    let outcome = match tx.savepoint().session(kept.game) {
        Ok(session) if session.table.turn() == Turn::Over => {
            let mut standings = session.table.standings();
            standings.sort_by_key(|standing| standing.seat);
            let placing = |standing: &crate::rules::Standing| Placing {
                rank: standing.rank,
                score: standing.score,
            };
            Outcome::Over(standings.iter().map(placing).collect())
        }
        Ok(_) => Outcome::Waiting,
        Err(error @ (ClubError::BrokenGame { .. } | ClubError::NoGame(_))) => {
            Outcome::Broken(error.to_string())
        }
        Err(error) => return Err(error),
    };
    Ok(Played { round: kept.round, table: kept.table, game: kept.game, people, outcome })
}

/// Who is who.
#[derive(Default)]
struct People {
    members: HashMap<u32, usize>,
    addresses: HashMap<String, usize>,
    /// The place that each enters for.
    places: Vec<usize>,
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
    /// The first round that is not founded to its end; the one after the last when all are.
    pub(crate) fn next_round(&self, campaign: &Campaign) -> u32 {
        let whole = |round: &u32| {
            let founded = self.played.iter().filter(|game| game.round == *round).count();
            let drawn = self.drawn.get(*round as usize - 1);
            drawn.is_some_and(|drawn| drawn.tables.len() == founded)
        };
        (1..=campaign.length()).find(|round| !whole(round)).unwrap_or(campaign.length() + 1)
    }

    /// The games of a round that are not over or cannot be read.
    pub fn waiting(&self, round: u32) -> Vec<u32> {
        let of = self.played.iter().filter(|game| game.round == round);
        let open = of.filter(|game| !matches!(game.outcome, Outcome::Over(_)));
        open.map(|game| game.game).collect()
    }

    /// How many games are over.
    pub fn over(&self) -> usize {
        self.played.iter().filter(|game| matches!(game.outcome, Outcome::Over(_))).count()
    }
}

/// Whether all games of a round (from 1) were founded and are over.
fn is_over(played: &[Played], drawn: &[Drawn], round: u32) -> bool {
    let tables = (round as usize).checked_sub(1).and_then(|nth| drawn.get(nth));
    let mut of = played.iter().filter(|game| game.round == round);
    let founded = of.clone().count();
    tables.is_some_and(|tables| tables.tables.len() == founded)
        && of.all(|game| matches!(game.outcome, Outcome::Over(_)))
}

/// The places by how their holders stand before a round.
fn order_before(campaign: &Campaign, drawn: &[Drawn], played: &[Played], round: u32) -> Vec<usize> {
    let earlier: Vec<Played> = played.iter().filter(|game| game.round < round).cloned().collect();
    let everyone = campaign.everyone();
    let rows = tally(campaign, drawn, &earlier).into_iter();
    let place = |row: Row| {
        let (place, entrant) = everyone.get(row.person)?;
        (campaign.holder(*place, round) == Some(*entrant)).then_some(*place)
    };
    rows.filter_map(place).collect()
}

fn players(campaign: &Campaign, round: u32, places: &[usize]) -> Vec<Player> {
    let holders = places.iter().filter_map(|place| campaign.holder(*place, round));
    holders
        .map(|holder| Player { name: holder.name.clone(), address: holder.address.clone() })
        .collect()
}

/// One game's own seed, from a secret that is thrown away.
fn seed_of(secret: &Seed, game: u32) -> Seed {
    let digest = sha2::Sha256::new().chain_update(secret.bytes()).chain_update(game.to_be_bytes());
    Seed::new(digest.finalize().into())
}
