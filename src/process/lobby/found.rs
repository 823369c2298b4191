//! Founding a game.

use crate::club::clock::{ClockRules, GameClock};
use crate::club::{CampaignTable, GameName, GameRoom, LetterStyle, Member, Seated, UndoTerm};
use crate::mail::is_own;
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::lobby::substitute;
use crate::process::table::news::terms_notes;
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{Movers, Transaction, retry};
use crate::rules::{Message, OpenError, Seed};
use crate::store::{LogLine, Repository};
use crate::table::{GameSetup, Table};

/// Who is to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The name that the others see.
    pub name: String,
    /// Where letters go; a member who has this address already keeps his name.
    pub address: String,
}

/// What a game is founded by, besides its rules and what holds in the whole club.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// How its time is kept; none when it waits for ever.
    pub clock: Option<ClockRules>,
    /// What the game is called besides its number.
    pub name: Option<GameName>,
    /// How long players may take their last orders back.
    pub undo: UndoTerm,
    /// The table of a campaign that it is for.
    pub campaign: Option<CampaignTable>,
}

impl Terms {
    /// Those that are usual in a club.
    pub fn usual(context: &Context) -> Self {
        let settings = &context.settings;
        Self { clock: settings.clock.clone(), name: None, undo: settings.undo, campaign: None }
    }
}

/// What came of the wish to found a game.
#[derive(Debug)]
pub enum Founded {
    /// The game with this number has begun, and its first letters are in the outbox.
    Game(u32),
    /// It cannot be played so.
    Impossible(OpenError),
    /// The same person was named twice.
    Twice(String),
    /// Nobody can be written to at the club's own address.
    Own(String),
}

/// Founds a game and queues everyone's first letter, in one commit.
///
/// # Errors
/// When the club cannot be read or written.
pub fn found(
    context: &Context,
    setup: GameSetup<'_>,
    players: &[Player],
    seed: &Seed,
) -> Result<Founded, ClubError> {
    found_by(context, setup, players, seed, &Terms::usual(context))
}

/// Founds a game by these terms.
///
/// # Errors
/// When the club cannot be read or written.
pub fn found_by(
    context: &Context,
    setup: GameSetup<'_>,
    players: &[Player],
    seed: &Seed,
    terms: &Terms,
) -> Result<Founded, ClubError> {
    retry(|| {
        let mut tx = Transaction::begin(context);
        let (number, seed) = (tx.next_game()?, seed.clone());
        let founded = lay(&mut tx, number, setup, players, seed, terms.clone())?;
        if let Founded::Game(_) = founded {
            tx.keep()?;
        }
        Ok(founded)
    })
}

/// Puts a game's founding into a transaction, as the game of this number.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn lay(
    tx: &mut Transaction<'_>,
    number: u32,
    setup: GameSetup<'_>,
    players: &[Player],
    seed: Seed,
    terms: Terms,
) -> ClubResult<Founded> {
    let table = match Table::found(setup, number, seed, tx.context.now) {
        Ok(table) => table,
        Err(error) => return Ok(Founded::Impossible(error)),
    };
    let mut seats: Vec<(Seated, Member)> = Vec::new();
    let mut upon = tx.savepoint();
    for player in players {
        if is_own(&player.address, &tx.context.settings.address) {
            return Ok(Founded::Own(player.address.clone()));
        }
        let member = substitute::enrol(&mut upon, player)?;
        if seats.iter().any(|(_, other)| other.addresses == member.addresses) {
            return Ok(Founded::Twice(player.address.clone()));
        }
        seats.push((Seated { member: member.id, generation: 1, ..Seated::default() }, member));
    }
    let Terms { clock, name, undo, campaign } = terms;
    let mut around = GameRoom { campaign, name, ..GameRoom::default() };
    around.settle(tx.context.settings.press, tx.context.settings.votes, undo);
    let words = around.terms_words();
    upon.put_room(number, around);
    begin_game(&mut upon, table, seats, clock, &words)?;
    let changes = upon.into_changes();
    tx.absorb(changes);
    Ok(Founded::Game(number))
}

/// Puts a founded table with its players into a transaction, first letters and all, which say these
/// words of its terms.
///
/// # Errors
/// When the first letters cannot be written; then nothing is in the transaction.
pub(crate) fn begin_game(
    tx: &mut Transaction<'_>,
    table: Table,
    seats: Vec<(Seated, Member)>,
    rules: Option<ClockRules>,
    terms: &[Message],
) -> ClubResult<()> {
    let (number, count) = (table.founding().number, table.founding().seats);
    let line = LogLine { game: number, seq: 0, line: table.founding().line() };
    let mut session = GameSession::founded(table, seats);
    session.clock = rules.map(GameClock::new);
    session.keep_time(tx.context.now, &Movers::default());
    let notes = terms_notes(terms, count);
    let movers = Movers { notes, ..Movers::default() };
    let letters = commit::turn_letters(tx, &session, &movers)?;
    for seat in session.all_seats() {
        session.told(seat);
    }
    let batch = tx.write();
    batch.outgoing.extend(letters);
    batch.log_lines.push(line);
    session.keep(batch);
    tx.set_due(commit::due(tx.context, &session));
    tx.put_game(session.kept());
    Ok(())
}

/// A member as he begins.
pub(crate) fn new_member(context: &Context, id: u32, player: &Player) -> Member {
    Member {
        id,
        name: player.name.clone(),
        addresses: vec![player.address.clone()],
        language: context.settings.language.clone(),
        ascii: true,
        letters: LetterStyle::of_new_member(),
        ..Member::default()
    }
}
