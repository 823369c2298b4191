//! Founds games: creates the table, seats the players and queues the first letters.

use crate::club::clock::{ClockRules, GameClock};
use crate::club::{
    CampaignTable, GameInfo, GameName, LetterStyle, Member, Proposal, SIDES_OPTION, SeatAssignment,
    UndoTerm,
};
use crate::mail::is_club_address;
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::lobby::{bot_members, substitute};
use crate::process::outbound::answers::consent_question;
use crate::process::table::news::message_for_all_seats;
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{PendingUpdates, Transaction, retry_on_conflict};
use crate::rules::{BotLevel, GameRegistry, Message, NewGameError, Seed};
use crate::store::{LogLine, Repository};
use crate::table::{GameSetup, Table};

/// A player of a game that is founded, who may not be a member yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    pub name: String,
    /// The mail address. If a member already has it, that member plays and keeps their name.
    pub address: String,
}

/// The terms that apply to one game only, besides its rules and options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTerms {
    /// The clock; `None` if the game has no deadlines.
    pub clock: Option<ClockRules>,
    pub name: Option<GameName>,
    /// The time in which players may take their last orders back.
    pub undo: UndoTerm,
    /// The campaign table that the game is played for.
    pub campaign: Option<CampaignTable>,
    /// The levels of the bots. They get the last seats.
    pub bots: Vec<BotLevel>,
    /// Whether players may ask for hints.
    pub hints: bool,
}

impl GameTerms {
    /// Returns the terms that club.yaml sets for new games.
    pub fn default_for(context: &Context) -> Self {
        let settings = &context.settings;
        Self {
            clock: settings.clock.clone(),
            name: None,
            undo: settings.undo,
            campaign: None,
            bots: Vec::new(),
            hints: false,
        }
    }
}

#[derive(Debug)]
pub enum FoundingResult {
    /// The game with this number has begun, and its first letters are in the outbox.
    Game(u32),
    /// The game is not possible with these options and players.
    Impossible(NewGameError),
    /// Two of the players are one member. Holds the address of the second.
    DuplicatePlayer(String),
    ClubAddress(String),
}

/// Whether a player of a proposed game can wish for this side of the board. The game's own rules
/// decide.
pub(crate) fn accepts_side(games: GameRegistry, proposal: &Proposal, side: &str) -> bool {
    let Some(kind) = games.find_kind(&proposal.kind) else { return false };
    let mut options = proposal.options.clone();
    options.insert(SIDES_OPTION.to_owned(), side.to_owned());
    side.chars().all(char::is_alphabetic)
        && kind
            .validate_and_convert_to_json(kind.shipped_definition(), &options, proposal.seats)
            .is_ok()
}

/// Returns the sentence about the choice of a side of the board, for a proposed game that has it.
/// `key` is its key.
pub(crate) fn describe_side_choice(
    games: GameRegistry,
    proposal: &Proposal,
    key: &'static str,
    game: u32,
) -> Option<Message> {
    accepts_side(games, proposal, "").then(|| consent_question(key).with("number", game))
}

/// Founds a game on the club's usual terms and queues every player's first letter, in one commit.
///
/// # Errors
/// When the club cannot be read or written.
pub fn found_game(
    context: &Context,
    setup: GameSetup<'_>,
    players: &[Player],
    seed: &Seed,
) -> Result<FoundingResult, ClubError> {
    found_with_terms(context, setup, players, seed, &GameTerms::default_for(context))
}

/// Like [`found_game`], with the given terms.
///
/// # Errors
/// When the club cannot be read or written.
pub fn found_with_terms(
    context: &Context,
    setup: GameSetup<'_>,
    players: &[Player],
    seed: &Seed,
    terms: &GameTerms,
) -> Result<FoundingResult, ClubError> {
    retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        let (number, seed) = (tx.next_game_number()?, seed.clone());
        let founded = found_game_in_tx(&mut tx, number, setup, players, seed, terms.clone())?;
        if let FoundingResult::Game(_) = founded {
            tx.commit_and_journal()?;
        }
        Ok(founded)
    })
}

/// Founds a game with this number in a transaction. Players who are not members become members.
pub(crate) fn found_game_in_tx(
    tx: &mut Transaction<'_>,
    number: u32,
    setup: GameSetup<'_>,
    players: &[Player],
    seed: Seed,
    terms: GameTerms,
) -> ClubResult<FoundingResult> {
    let table = match Table::found_game(setup, number, seed, tx.context.now) {
        Ok(table) => table,
        Err(error) => return Ok(FoundingResult::Impossible(error)),
    };
    let mut seats: Vec<(SeatAssignment, Member)> = Vec::new();
    let mut upon = tx.begin_savepoint();
    for player in players {
        if is_club_address(&player.address, &tx.context.settings.address) {
            return Ok(FoundingResult::ClubAddress(player.address.clone()));
        }
        let member = substitute::find_or_enrol_member(&mut upon, player)?;
        if seats.iter().any(|(_, other)| other.id == member.id) {
            return Ok(FoundingResult::DuplicatePlayer(player.address.clone()));
        }
        seats.push(first_seat_assignment(member));
    }
    let GameTerms { clock, name, undo, campaign, bots, hints } = terms;
    let bots = bot_members::find_or_enrol_bots(&mut upon, &bots, &[])?;
    seats.extend(bots.into_iter().map(first_seat_assignment));
    let mut around = GameInfo { campaign, name, hints, ..GameInfo::default() };
    around.set_terms(tx.context.settings.press, tx.context.settings.votes, undo);
    begin_founded_game(&mut upon, table, seats, clock, &around)?;
    upon.replace_game_info(number, around);
    let changes = upon.into_changes();
    tx.merge_savepoint(changes);
    Ok(FoundingResult::Game(number))
}

/// Returns the seat of a member in a game that begins.
pub(crate) fn first_seat_assignment(member: Member) -> (SeatAssignment, Member) {
    let seated = SeatAssignment { member: member.id, token_generation: 1, ..Default::default() };
    (seated, member)
}

/// Adds a founded game with its players and their first letters to a transaction. The letters state
/// the terms in `room`.
///
/// # Errors
/// When the first letters cannot be written. The transaction is unchanged then.
pub(crate) fn begin_founded_game(
    tx: &mut Transaction<'_>,
    table: Table,
    seats: Vec<(SeatAssignment, Member)>,
    rules: Option<ClockRules>,
    room: &GameInfo,
) -> ClubResult<()> {
    let (number, count) = (table.founding().number, table.founding().seats);
    let line = LogLine { game: number, seq: 0, line: table.founding().to_line() };
    let table = table.with_phrases(tx.context.library.phrases());
    let mut session = GameSession::new_unstored(table, seats, room);
    session.clock = rules.map(GameClock::new);
    session.advance_clock_by_new_records(tx.context.now, &PendingUpdates::default());
    let notes = message_for_all_seats(&room.describe_terms(), count);
    let movers = PendingUpdates { notes, ..PendingUpdates::default() };
    let letters = commit::make_turn_letters(tx, &session, &movers)?;
    for seat in session.all_seats() {
        session.mark_seen(seat);
    }
    let batch = tx.batch_mut();
    batch.outgoing.extend(letters);
    batch.log_lines.push(line);
    session.add_to_batch(batch);
    tx.set_due_time(commit::next_due_time(tx.context, &session));
    tx.put_back_game(session.into_stored());
    Ok(())
}

/// Returns a new member with the default settings. Does not store them.
pub(crate) fn build_member_with_defaults(context: &Context, id: u32, player: &Player) -> Member {
    Member {
        id,
        name: player.name.clone(),
        addresses: vec![player.address.clone()],
        language: context.settings.language.clone(),
        ascii: true,
        letters: LetterStyle::for_new_member(),
        ..Member::default()
    }
}
