//! Games that are forming: members propose, join and leave them by letter. A game begins once all
//! its seats are taken.

use crate::club::{
    ActivityEvent, ClubCommand, GameInfo, GameName, LetterLine, LobbyCommand, Member, NewGameTerms,
    ParsedCommand, ParsedLetter, PlayerWishes, Proposal, ProposalPlayer, Punctuality, Question,
    SeatWish, UndoTerm,
};
use crate::mail::{Letter, LetterHash};
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::lobby::invitations::{self, Invitation};
use crate::process::lobby::{
    bot_members, erasure, game_founding, game_list, name_check, observers, practice,
    proposal_removal, rematch, substitute, token_rotation, vacant_seats,
};
use crate::process::outbound::{answers, pending};
use crate::process::request_error::{RequestError, refuse_if, split_refusal};
use crate::process::transaction::effect::LetterEffect;
use crate::process::transaction::{CLUB_ACTIVITY, Transaction};
use crate::render::Notice;
use crate::rules::{Dice, GameKind, Message, NewGameError, Seat, Seed, Turn};
use crate::store::Repository;
use crate::table::{GameSetup, Table};
use chrono::TimeDelta;

/// The most games that one member may propose at a time.
const PROPOSALS_PER_MEMBER_MAX: usize = 3;
/// The time after which a proposed game that is not full is removed.
pub(crate) const PROPOSAL_LIFETIME: TimeDelta = TimeDelta::days(30);

/// The sentences that answer a member's line.
pub(crate) type Messages = Vec<Message>;

/// Decides the effect of a letter from a seat, if it holds a lobby command (for example `join 12`).
/// Returns `None` if it holds none.
pub(crate) fn handle_seat_lobby_line(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    (game, seat): (u32, Seat),
    request: &ParsedLetter,
) -> ClubResult<Option<LetterEffect>> {
    let place = tx.opened_game(game).and_then(|session| session.seat(seat));
    let Some((_, member)) = place.cloned() else { return Ok(None) };
    handle_lobby_line(tx, letter, &member, Some((game, seat)), request)
}

/// Decides the effect of a member's letter, if it holds a lobby command (for example `join 12`).
/// Returns `None` if it holds none. The command must be the only line, so that the letter is
/// carried out as a whole or not at all.
pub(crate) fn handle_lobby_line(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    member: &Member,
    seat: Option<(u32, Seat)>,
    request: &ParsedLetter,
) -> ClubResult<Option<LetterEffect>> {
    let read = request.lines.iter().find_map(|LetterLine { order, parsed_command: what }| {
        let line = what.as_ref()?;
        match &line.command {
            Ok(ClubCommand::Lobby(read)) => Some((order, Ok(read))),
            Err(wrong) if line.must_be_only_line() => Some((order, Err(wrong))),
            _ => None,
        }
    });
    let Some((line, read)) = read.filter(|_| !member.has_left()) else { return Ok(None) };
    let judged = match read {
        _ if request.lines.len() > 1 || !request.press.is_empty() => {
            Err(Message::new("lobby-alone"))
        }
        _ if request.questions.contains(&Question::Preview) => {
            Err(Message::new("lobby-no-preview"))
        }
        Err(wrong) => Err(wrong.clone()),
        // A command that fails halfway must leave no changes.
        Ok(read) => split_refusal(
            tx.run_in_savepoint(|upon| apply_lobby_line(upon, &letter.hash, member, seat, read)),
        )?,
    };
    // The answer carries a reply token of the generation after the command. A member who has left
    // the club is answered at their old address.
    let after = tx.member(member.id)?.filter(|after| !after.has_left());
    let reader = after.as_ref().unwrap_or(member);
    let answer = match judged {
        // The first letter of the game, or the last one, is the answer.
        Ok(words) if words.is_empty() => {
            return Ok(Some(answers::unanswered_effect(tx.context, letter)));
        }
        Ok(words) if matches!(read, Ok(LobbyCommand::Games)) => {
            let lines = game_list::member_button_lines(tx, reader)?;
            answers::answer_member(tx, letter, reader, &Notice::offering(words, lines))
        }
        Ok(words) => answers::answer_member(tx, letter, reader, &Notice::Said(words)),
        Err(why) => {
            let words = vec![line.quote_for_refusal(), why];
            answers::answer_refused_letter(tx, letter, reader, request, &Notice::Said(words))
        }
    };
    answer.map(Some)
}

/// Carries out a lobby command on behalf of a member, and returns the answer that the member would
/// get.
///
/// # Errors
/// When the club cannot be read or written. The refusal if the line is no lobby command, or the
/// command is not possible.
pub fn run_lobby_line_for_member(
    context: &Context,
    member: &Member,
    line: &str,
) -> Result<Vec<Message>, RequestError> {
    let read = ParsedCommand::parse(context.games(), line, line, None)
        .filter(ParsedCommand::must_be_only_line);
    let none = || Message::new("lobby-line-none");
    let ClubCommand::Lobby(line) = read.ok_or_else(none)?.command? else {
        return Err(none().into());
    };
    let digest = LetterHash::compute(format!("{} {} {line:?}", context.now, member.id).as_bytes());
    commit::transact_and_notify(context, |tx| apply_lobby_line(tx, &digest, member, None, &line))
}

/// Carries out one lobby command in a transaction. Returns the answer to the member.
fn apply_lobby_line(
    tx: &mut Transaction<'_>,
    digest: &LetterHash,
    member: &Member,
    seat: Option<(u32, Seat)>,
    line: &LobbyCommand,
) -> Result<Messages, RequestError> {
    match line {
        LobbyCommand::New(wanted) => propose_and_invite(tx, digest, member, wanted),
        LobbyCommand::Practice { kind, seats, level } => {
            practice::begin_practice_game(tx, member, (kind, *seats, *level))
        }
        LobbyCommand::Join { game, wishes } => join_game(tx, member, *game, wishes.clone()),
        LobbyCommand::JoinClub => Ok(vec![Message::new("lobby-member")]),
        LobbyCommand::Invite { game, addresses } => {
            invitations::invite_more_to_game(tx, digest, member, *game, addresses)
        }
        LobbyCommand::InviteBots { game, levels } => {
            bot_members::add_bots_to_own_game(tx, member, *game, levels)
        }
        LobbyCommand::Leave(game) => proposal_removal::leave_game(tx, member, *game),
        LobbyCommand::Cancel(game) => proposal_removal::cancel_proposal(tx, member, *game),
        LobbyCommand::Wait(game) => vacant_seats::join_waiting_list(tx, member, *game),
        LobbyCommand::Games => Ok(game_list::list_games(tx, member)?),
        LobbyCommand::Resign { game, is_confirmed: sure, reason } => {
            let seat = substitute::find_seat_to_resign(tx, member, seat, *game)?;
            substitute::resign(tx, seat, *sure, reason)
        }
        LobbyCommand::Watch(game) => observers::add_observer(tx, digest, member, *game),
        LobbyCommand::Unwatch(game) => observers::remove_observer(tx, member, *game),
        LobbyCommand::Rematch => rematch::propose_rematch(tx, digest, member, seat),
        LobbyCommand::NewReplyTokens => token_rotation::rotate_own_tokens(tx, member),
        LobbyCommand::LeaveClub { is_confirmed: sure } => {
            erasure::handle_leave_club_request(tx, member, *sure)
        }
    }
}

/// Proposes a game with the founder as its first player, and sends the invitations.
pub(crate) fn propose_and_invite(
    tx: &mut Transaction<'_>,
    digest: &LetterHash,
    founder: &Member,
    wanted: &NewGameTerms,
) -> Result<Messages, RequestError> {
    let mut proposal = build_proposal(tx.context, founder, wanted)?;
    bot_members::add_bots(tx, &mut proposal, &wanted.bots)?;
    let mut invited = wanted.invited.clone();
    invited.retain(|address| !founder.addresses.contains(address));
    let is_lonely = wanted.private && invited.len() < proposal.free_seat_count();
    refuse_if(is_lonely, || Message::new("lobby-private-alone"))?;
    let (private, press) = (wanted.private, wanted.press.or(Some(tx.context.settings.press)));
    let (invited_addresses, undo, hints) = (invited, wanted.undo, wanted.hints);
    let room = GameInfo { private, invited_addresses, press, undo, hints, ..GameInfo::default() };
    store_proposal_or_begin(tx, digest, (founder, None), &proposal, room)
}

/// Stores a proposed game and sends its invitations. Begins the game at once if all seats are
/// taken. `again` is the number of the finished game, if this is a rematch.
pub(crate) fn store_proposal_or_begin(
    tx: &mut Transaction<'_>,
    digest: &LetterHash,
    (founder, again): (&Member, Option<u32>),
    proposal: &Proposal,
    room: GameInfo,
) -> Result<Messages, RequestError> {
    let all = list_proposals(tx)?;
    let own = all.iter().filter_map(|(_, room)| room.proposal.as_ref());
    let own = own.filter(|other| other.founder() == founder.id).count();
    let too_many = || Message::new("lobby-too-many").with("most", PROPOSALS_PER_MEMBER_MAX);
    refuse_if(own >= PROPOSALS_PER_MEMBER_MAX, too_many)?;
    invitations::charge_member_invitations(tx, founder, room.invited_addresses.len())?;
    let number = tx.next_game_number()?;
    let room = GameInfo { proposal: Some(Box::new(proposal.clone())), ..room };
    if proposal.free_seat_count() == 0 {
        return start_game(tx, number, room, proposal);
    }
    tx.replace_game_info(number, room.clone());
    tx.set_due_time((number, Some(proposal.until)));
    let (by, kind) = (founder.id, proposal.kind.clone());
    tx.log_activity(number, ActivityEvent::Proposed { by, kind });
    let to = Invitation { founder, game: number, proposal, rematch_of: again };
    for address in &room.invited_addresses {
        invitations::invite_to_game(tx, &digest.derive_for_caused_letter(address), &to, address)?;
    }
    let mut words = vec![Message::new("lobby-proposed").with("number", number)];
    words.push(game_list::describe_proposal(tx.context, proposal, number, founder));
    words.extend(proposal.punctuality_min.map(|p| Message::new("lobby-punctual").with("least", p)));
    words.extend(describe_proposed_terms(tx, &room, proposal)?);
    let join = if room.private { "lobby-how-invited" } else { "lobby-how-join" };
    words.push(Message::new(join).with("number", number));
    words.extend(game_founding::describe_side_choice(
        tx.context.games(),
        proposal,
        "lobby-how-side",
        number,
    ));
    // A rematch has no "new" line that the founder could write again.
    if again.is_none() && proposal.players.iter().all(|player| player.wishes.side.is_none()) {
        words.extend(game_founding::describe_side_choice(
            tx.context.games(),
            proposal,
            "lobby-how-own-side",
            number,
        ));
    }
    words.extend(
        (!room.invited_addresses.is_empty()).then(|| invitations::describe_invitation_limits(tx)),
    );
    Ok(words)
}

/// Builds the proposal that a member asks for, and checks it against the game's rules.
fn build_proposal(
    context: &Context,
    founder: &Member,
    wanted: &NewGameTerms,
) -> Result<Proposal, Message> {
    let kind =
        context.games().find_kind(&wanted.kind).ok_or_else(|| Message::new("lobby-kind-gone"))?;
    if let Some(name) =
        wanted.name.as_ref().filter(|name| !name_check::is_allowed_game_name(context, name))
    {
        return Err(GameName::refusal_message(name.as_str()));
    }
    let guests = u8::try_from(wanted.invited.len() + wanted.bots.len()).unwrap_or(u8::MAX);
    let seats = match wanted.seats {
        Some(seats) => seats,
        None if guests > 0 => guests.saturating_add(1),
        None => return Err(Message::new("lobby-new-seats")),
    };
    let proposal = Proposal {
        kind: kind.id().to_owned(),
        name: wanted.name.clone(),
        options: wanted.options.clone(),
        seats,
        clock: wanted.clock_rules(context.settings.clock.as_ref())?,
        punctuality_min: wanted.punctuality_min,
        players: vec![ProposalPlayer { member: founder.id, wishes: wanted.wishes.clone() }],
        until: context.now + PROPOSAL_LIFETIME,
    };
    check_setup(context, kind, &proposal)?;
    check_side_wish(context, &proposal, &wanted.wishes)?;
    Ok(proposal)
}

/// Checks that a proposed game is possible with its options and its number of seats.
pub(crate) fn check_setup(
    context: &Context,
    kind: &'static dyn GameKind,
    proposal: &Proposal,
) -> Result<(), Message> {
    let Proposal { options, seats, .. } = proposal;
    let setup = GameSetup { kind, definition: kind.shipped_definition(), options, seats: *seats };
    let founded = Table::found_game(setup, 1, Seed::from_number(1), context.now);
    founded.map(drop).map_err(|error| setup_refusal(&error))
}

/// Refuses a wish for a side of the board that the game does not have.
fn check_side_wish(
    context: &Context,
    proposal: &Proposal,
    wishes: &PlayerWishes,
) -> Result<(), Message> {
    match &wishes.side {
        Some(side) if !game_founding::accepts_side(context.games(), proposal, side) => {
            Err(Message::new("lobby-side-none").with("word", side.as_str()))
        }
        _ => Ok(()),
    }
}

/// Adds a member to a forming game, or gives the member an open seat of a running game. Begins the
/// game if it is now full.
pub(crate) fn join_game(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
    wishes: PlayerWishes,
) -> Result<Messages, RequestError> {
    if let Some(words) = vacant_seats::accept_offer(tx, member, game)? {
        return Ok(words);
    }
    let mut room = tx.game_info(game)?;
    refuse_if(!room.is_visible_to(member), || no_such_game_refusal(game))?;
    let Some(proposal) = &mut room.proposal else {
        return vacant_seats::take_open_seat(tx, member, game);
    };
    let admitted = proposal.check_can_join(member.id, total_punctuality(tx, member)?);
    admitted.map_err(|why| why.with("number", game))?;
    let no_seat = matches!(wishes.seat, Some(SeatWish::Seat(seat)) if seat > proposal.seats);
    refuse_if(no_seat, || Message::new("lobby-join-unread"))?;
    check_side_wish(tx.context, proposal, &wishes)?;
    proposal.players.push(ProposalPlayer { member: member.id, wishes });
    let proposal = Proposal::clone(proposal);
    if proposal.free_seat_count() == 0 {
        return start_game(tx, game, room, &proposal);
    }
    tx.replace_game_info(game, room);
    let joined = Message::new("lobby-joined").with("number", game);
    Ok(vec![joined, game_list::describe_proposal(tx.context, &proposal, game, member)])
}

/// Begins a game that is full. All first letters are in the same commit.
pub(crate) fn start_game(
    tx: &mut Transaction<'_>,
    game: u32,
    room: GameInfo,
    proposal: &Proposal,
) -> Result<Messages, RequestError> {
    // The seats are drawn with a seed of their own, so they disclose nothing about the game's
    // secrets.
    let secret = |seconds| Seed::new(tx.context.secret.game_seed(game, seconds));
    let seconds = tx.context.now.timestamp();
    let ids = proposal.assign_seats(&mut Dice::new(&secret(-seconds), 0));
    let mut seats = Vec::new();
    for id in ids.iter().copied() {
        seats.extend(tx.member(id)?.map(game_founding::first_seat_assignment));
    }
    let kind = tx.context.games().find_kind(&proposal.kind);
    let Some(kind) = kind.filter(|_| seats.len() == usize::from(proposal.seats)) else {
        return Err(RequestError::Refused(Message::new("lobby-kind-gone")));
    };
    let people: Vec<u32> = seats
        .iter()
        .filter(|(_, own)| own.bot.is_none())
        .map(|(seated, _)| seated.member)
        .collect();
    if let [alone] = people.as_slice()
        && seats.len() > 1
    {
        practice::check_has_few_games_against_bots(tx, *alone)?;
    }
    let (definition, options) = (kind.shipped_definition(), &proposal.options_with_sides(&ids));
    let setup = GameSetup { kind, definition, options, seats: proposal.seats };
    let table = Table::found_game(setup, game, secret(seconds), tx.context.now)
        .map_err(|error| setup_refusal(&error))?;
    let terms = room.press.unwrap_or(tx.context.settings.press);
    let undo = undo_term_at_start(tx, &room, proposal)?;
    let mut around = GameInfo { proposal: None, name: proposal.name.clone(), ..room };
    around.set_terms(terms, tx.context.settings.votes, undo);
    if around.private {
        // A player may always see the private game that they played in, even after they lose their
        // seat.
        let addresses = seats.iter().filter_map(|(_, member)| member.addresses.first());
        around.invited_addresses.extend(addresses.cloned());
        around.invited_addresses.sort_unstable();
        around.invited_addresses.dedup();
    }
    game_founding::begin_founded_game(tx, table, seats, proposal.clock.clone(), &around)?;
    around.observers.retain(|observer| !proposal.players.iter().any(|p| p.member == *observer));
    commit::notify_observers(tx, game, &around.observers, 0)?;
    tx.replace_game_info(game, around);
    tx.log_activity(game, ActivityEvent::Begun);
    let is_alone = people.len() == 1;
    Ok(if is_alone { Vec::new() } else { vec![Message::new("lobby-started").with("number", game)] })
}

/// Returns the messages about the terms that a proposed game has if it begins with these players.
pub(crate) fn describe_proposed_terms(
    tx: &Transaction<'_>,
    room: &GameInfo,
    proposal: &Proposal,
) -> ClubResult<Vec<Message>> {
    let undo = Some(undo_term_at_start(tx, room, proposal)?);
    Ok(GameInfo { undo, ..room.clone() }.describe_terms())
}

/// Returns the founder's undo term, or the usual one for these players if the founder named none.
fn undo_term_at_start(
    tx: &Transaction<'_>,
    room: &GameInfo,
    proposal: &Proposal,
) -> ClubResult<UndoTerm> {
    let bots = tx.game_info(CLUB_ACTIVITY)?.bots;
    let has_bots = proposal.players.iter().any(|player| bots.contains(&player.member));
    Ok(room.undo.unwrap_or_else(|| tx.context.settings.usual_undo(has_bots)))
}

/// Returns the proposal of a game. Refuses members other than its founder.
pub(crate) fn require_own_proposal(
    tx: &Transaction<'_>,
    member: &Member,
    game: u32,
) -> Result<Box<Proposal>, RequestError> {
    let own = tx.game_info(game)?.proposal.filter(|proposal| proposal.founder() == member.id);
    Ok(own.ok_or_else(|| Message::new("lobby-not-founder").with("number", game))?)
}

/// Queues a letter with one sentence to a member. `mark` gives the letter its id, so it is not sent
/// twice.
pub(crate) fn queue_one_sentence_letter(
    tx: &mut Transaction<'_>,
    member: &Member,
    word: Message,
    mark: &str,
) {
    let digest = LetterHash::compute(mark.as_bytes());
    let letter = pending::make_notice_letter(
        tx.context,
        member,
        &Notice::Said(vec![word]),
        None,
        &digest,
        None,
    );
    tx.batch_mut().outgoing.extend(letter.ok());
}

/// Returns the lobby data of a game that this member may see. If the game is running, also opens it
/// in the transaction.
///
/// # Errors
/// The refusal if the game is over, or if this member may see no game with this number.
pub(crate) fn open_visible_game(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
) -> Result<GameInfo, RequestError> {
    let room = tx.game_info(game)?;
    refuse_if(!room.is_visible_to(member), || no_such_game_refusal(game))?;
    if room.proposal.is_some() {
        return Ok(room);
    }
    open_running_game(tx, game)?;
    Ok(room)
}

/// Opens a running game in the transaction. Refuses a game that is over.
pub(crate) fn open_running_game(tx: &mut Transaction<'_>, game: u32) -> Result<(), RequestError> {
    match tx.open_game(game) {
        Ok(session) if session.table.turn() == Turn::Over => Err(Message::new("game-over").into()),
        Ok(_) => Ok(()),
        Err(ClubError::Store(error)) => Err(error.into()),
        Err(_) => Err(no_such_game_refusal(game).into()),
    }
}

/// Returns all proposed games of the club as they are in this transaction, by number.
pub(crate) fn list_proposals(tx: &Transaction<'_>) -> ClubResult<Vec<(u32, GameInfo)>> {
    let mut all = tx.game_infos()?;
    all.retain(|(_, room)| room.proposal.is_some());
    Ok(all)
}

/// Returns a member's punctuality over all their games.
pub(crate) fn total_punctuality(tx: &Transaction<'_>, member: &Member) -> ClubResult<Punctuality> {
    let mut all = member.past_punctuality;
    for (game, seat) in tx.member_seats(member.id)? {
        let seats = tx.seat_assignments(game)?;
        if let Some(seated) = seats.get(seat.index()) {
            all = all.combined_with(seated.punctuality);
        }
    }
    Ok(all)
}

/// Returns a sentence in the club's language, for texts that all players of a game read.
pub(crate) fn localize_key_for_club(context: &Context, key: &'static str) -> String {
    context.library.language(&context.settings.language).localize(&Message::new(key))
}

/// Returns the refusal for a game that does not exist. A game that the reader may not see gets this
/// refusal too, so its existence stays secret.
fn no_such_game_refusal(game: u32) -> Message {
    Message::new("lobby-none").with("number", game)
}

/// Returns the sentence that says why a game with these options and seats is not possible.
fn setup_refusal(error: &NewGameError) -> Message {
    match error {
        NewGameError::Definition { reason, .. } => reason.clone(),
        error @ NewGameError::Seats { .. } => error.to_message(),
        other => Message::new("lobby-option").with("why", other.to_message()),
    }
}
