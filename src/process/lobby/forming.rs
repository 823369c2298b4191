//! Games that are being formed by letter: proposed, joined, left, and begun when they are full.

use crate::club::{
    Command, Deed, GameName, GameRoom, Happening, Joined, Line, LobbyLine, Member, Proposal,
    Punctuality, ReadLine, Request, SeatWish, Seated, Wanted,
};
use crate::games;
use crate::mail::{Letter, LetterHash};
use crate::process::blame::{Blame, answered, refuse_if};
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::lobby::unasked::{self, Invitation};
use crate::process::lobby::{
    erasure, found, game_list, marks, name_check, rematch, substitute, vacant_seats, watching,
};
use crate::process::outbound::{answers, pending};
use crate::process::transaction::effect::LetterEffect;
use crate::process::transaction::{GAMES_A_COMMIT, Transaction};
use crate::render::Notice;
use crate::rules::{Dice, Message, OpenError, Seat, Seed, Turn};
use crate::store::Repository;
use crate::table::{GameSetup, Table};
use chrono::TimeDelta;

/// How many games one member may propose at a time.
const PROPOSALS_MAX: usize = 3;
/// How long a proposal waits for players.
pub(crate) const LAPSE: TimeDelta = TimeDelta::days(30);

/// What a line's writer is told of what was done.
pub(crate) type Words = Vec<Message>;

/// What a seat's letter leads to that holds a line about the club's table of games; none when
/// it holds none.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn lobby_of_seat(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    (game, seat): (u32, Seat),
    request: &Request,
) -> ClubResult<Option<LetterEffect>> {
    let place = tx.game(game).and_then(|session| session.seat(seat));
    let Some((_, member)) = place.cloned() else { return Ok(None) };
    lobby_letter(tx, letter, &member, Some((game, seat)), request)
}

/// What a member's letter leads to that holds a line about the club's table of games; none
/// when it holds none. Such a line stands alone, so that a letter is done as a whole or not.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn lobby_letter(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    member: &Member,
    seat: Option<(u32, Seat)>,
    request: &Request,
) -> ClubResult<Option<LetterEffect>> {
    let read = request.lines.iter().find_map(|ReadLine { order, what }| {
        let line = what.as_ref()?;
        match &line.deed {
            Ok(Deed::Lobby(read)) => Some((order, Ok(read))),
            Err(wrong) if line.stands_alone() => Some((order, Err(wrong))),
            _ => None,
        }
    });
    let Some((line, read)) = read.filter(|_| !member.has_left()) else { return Ok(None) };
    let judged = match read {
        _ if request.lines.len() > 1 || !request.talk.is_empty() => {
            Err(Message::new("lobby-alone"))
        }
        _ if request.commands.contains(&Command::Preview) => Err(Message::new("lobby-no-preview")),
        Err(wrong) => Err(wrong.clone()),
        // It is done as a whole or not at all.
        Ok(read) => {
            answered(tx.in_savepoint(|upon| in_lobby(upon, &letter.digest, member, seat, read)))?
        }
    };
    // The answer carries the mark that is valid after it; who has left is told where he was.
    let after = tx.member(member.id)?.filter(|after| !after.has_left());
    let reader = after.as_ref().unwrap_or(member);
    let answer = match judged {
        Ok(words) if matches!(read, Ok(LobbyLine::Games)) => {
            let lines = game_list::lines(tx, reader)?;
            answers::to_known(tx, letter, reader, &Notice::Offering { words, lines })
        }
        Ok(words) => answers::to_known(tx, letter, reader, &Notice::Said(words)),
        Err(why) => {
            let words = vec![line.refused(), why];
            answers::refuse(tx, letter, reader, request, &Notice::Said(words))
        }
    };
    answer.map(Some)
}

/// Does what a member could write himself, on his behalf; what he would be told.
///
/// # Errors
/// When the club cannot be read or written.
pub fn on_behalf(context: &Context, member: &Member, line: &str) -> Result<Vec<Message>, Blame> {
    let read = Line::read(line, line, None).filter(Line::stands_alone);
    let none = || Message::new("lobby-line-none");
    let Deed::Lobby(line) = read.ok_or_else(none)?.deed? else { return Err(none().into()) };
    let digest = LetterHash::of(format!("{} {} {line:?}", context.now, member.id).as_bytes());
    commit::transact(context, |tx| in_lobby(tx, &digest, member, None, &line))
}

/// Does in a transaction what one line asks for. Returns what its writer is told.
fn in_lobby(
    tx: &mut Transaction<'_>,
    digest: &LetterHash,
    member: &Member,
    seat: Option<(u32, Seat)>,
    line: &LobbyLine,
) -> Result<Words, Blame> {
    match line {
        LobbyLine::New(wanted) => propose(tx, digest, member, wanted),
        LobbyLine::Join { game, wish } => join(tx, member, *game, *wish),
        LobbyLine::JoinClub => Ok(vec![Message::new("lobby-member")]),
        LobbyLine::Invite { game, addresses } => {
            unasked::invite_more(tx, digest, member, *game, addresses)
        }
        LobbyLine::Leave(game) => leave(tx, member, *game),
        LobbyLine::Cancel(game) => cancel(tx, member, *game),
        LobbyLine::Wait(game) => vacant_seats::wait(tx, member, *game),
        LobbyLine::Games => Ok(game_list::game_list(tx, member)?),
        LobbyLine::Resign { game, sure, reason } => {
            let seat = substitute::resigned_seat(tx, member, seat, *game)?;
            substitute::resign(tx, seat, *sure, reason)
        }
        LobbyLine::Watch(game) => watching::watch(tx, digest, member, *game),
        LobbyLine::Unwatch(game) => watching::unwatch(tx, member, *game),
        LobbyLine::Rematch => rematch::rematch(tx, digest, member, seat),
        LobbyLine::NewMarks => marks::new_marks(tx, member),
        LobbyLine::LeaveClub { sure } => erasure::leave_club(tx, member, *sure),
    }
}

/// Proposes a game: its founder is in, and those are asked who are invited.
pub(crate) fn propose(
    tx: &mut Transaction<'_>,
    digest: &LetterHash,
    founder: &Member,
    wanted: &Wanted,
) -> Result<Words, Blame> {
    let proposal = proposal(tx.context, founder, wanted)?;
    let mut invited = wanted.invited.clone();
    invited.retain(|address| !founder.addresses.contains(address));
    let is_lonely = wanted.private && invited.len() < proposal.free();
    refuse_if(is_lonely, || Message::new("lobby-private-alone"))?;
    let (private, press) = (wanted.private, wanted.press.or(Some(tx.context.settings.press)));
    let undo = wanted.undo.or(Some(tx.context.settings.undo));
    let room = GameRoom { private, invited, press, undo, ..GameRoom::default() };
    propose_game(tx, digest, (founder, None), &proposal, room)
}

/// Puts a proposal on the table, and asks those who are invited; of one that plays a game again,
/// that game's number stands beside its founder.
pub(crate) fn propose_game(
    tx: &mut Transaction<'_>,
    digest: &LetterHash,
    (founder, again): (&Member, Option<u32>),
    proposal: &Proposal,
    room: GameRoom,
) -> Result<Words, Blame> {
    let all = proposals(tx)?;
    let own = all.iter().filter_map(|(_, room)| room.proposal.as_ref());
    let own = own.filter(|other| other.founder() == founder.id).count();
    let too_many = || Message::new("lobby-too-many").with("most", PROPOSALS_MAX);
    refuse_if(own >= PROPOSALS_MAX, too_many)?;
    unasked::spend_invites(tx, founder, room.invited.len())?;
    let number = tx.next_game()?;
    let room = GameRoom { proposal: Some(Box::new(proposal.clone())), ..room };
    if proposal.free() == 0 {
        return start(tx, number, room, proposal);
    }
    tx.put_room(number, room.clone());
    tx.set_due((number, Some(proposal.until)));
    let (by, kind) = (founder.id, proposal.kind.clone());
    tx.log_activity(number, Happening::Proposed { by, kind });
    let to = Invitation { founder, game: number, proposal, again };
    for address in &room.invited {
        unasked::invite(tx, &digest.and(address), &to, address)?;
    }
    let mut words = vec![Message::new("lobby-proposed").with("number", number)];
    words.push(game_list::said_of(tx.context, proposal, number, founder));
    words.extend(proposal.punctual.map(|p| Message::new("lobby-punctual").with("least", p)));
    words.extend(room.terms_words());
    let join = if room.private { "lobby-how-invited" } else { "lobby-how-join" };
    words.push(Message::new(join).with("number", number));
    words.extend((!room.invited.is_empty()).then(|| unasked::invites_limits(tx)));
    Ok(words)
}

/// The proposal that a wish comes to, tried against the game's rules at once.
fn proposal(context: &Context, founder: &Member, wanted: &Wanted) -> Result<Proposal, Message> {
    let kind = games::kind(&wanted.kind).ok_or_else(|| Message::new("lobby-kind-gone"))?;
    if let Some(name) =
        wanted.name.as_ref().filter(|name| !name_check::may_be_called(context, name))
    {
        return Err(GameName::refused(name.as_str()));
    }
    let guests = u8::try_from(wanted.invited.len()).unwrap_or(u8::MAX);
    let seats = match wanted.seats {
        Some(seats) => seats,
        None if guests > 0 => guests.saturating_add(1),
        None => return Err(Message::new("lobby-new-seats")),
    };
    let definition = kind.definition();
    let setup = GameSetup { kind, definition, options: &wanted.options, seats };
    Table::found(setup, 1, Seed::rehearsal(1), context.now).map_err(|error| impossible(&error))?;
    Ok(Proposal {
        kind: kind.id().to_owned(),
        name: wanted.name.clone(),
        options: wanted.options.clone(),
        seats,
        clock: wanted.clock(context.settings.clock.as_ref())?,
        punctual: wanted.punctual,
        players: vec![Joined { member: founder.id, wish: wanted.wish }],
        until: context.now + LAPSE,
    })
}

/// Takes a member into a game that is being formed, or gives him an open seat of one that is
/// played.
pub(crate) fn join(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
    wish: Option<SeatWish>,
) -> Result<Words, Blame> {
    if let Some(words) = vacant_seats::accept(tx, member, game)? {
        return Ok(words);
    }
    let mut room = tx.room(game)?;
    refuse_if(!room.is_known_to(member), || no_such(game))?;
    let Some(proposal) = &mut room.proposal else {
        return vacant_seats::take_open_seat(tx, member, game);
    };
    let admitted = proposal.admits(member.id, punctuality(tx, member)?);
    admitted.map_err(|why| why.with("number", game))?;
    let no_seat = matches!(wish, Some(SeatWish::Seat(seat)) if seat > proposal.seats);
    refuse_if(no_seat, || Message::new("lobby-join-unread"))?;
    proposal.players.push(Joined { member: member.id, wish });
    let proposal = Proposal::clone(proposal);
    if proposal.free() == 0 {
        return start(tx, game, room, &proposal);
    }
    tx.put_room(game, room);
    let joined = Message::new("lobby-joined").with("number", game);
    Ok(vec![joined, game_list::said_of(tx.context, &proposal, game, member)])
}

/// Begins a game that is full: everyone's first letter is in the same commit.
fn start(
    tx: &mut Transaction<'_>,
    game: u32,
    room: GameRoom,
    proposal: &Proposal,
) -> Result<Words, Blame> {
    // A stream of its own, so that who sits where tells nothing of what is dealt.
    let secret = |seconds| Seed::new(tx.context.secret.of_game(game, seconds));
    let seconds = tx.context.now.timestamp();
    let mut seats = Vec::new();
    for id in proposal.seating(&mut Dice::new(&secret(-seconds), 0)) {
        let Some(member) = tx.member(id)? else { continue };
        let seated = Seated { member: id, generation: 1, ..Seated::default() };
        seats.push((seated, member));
    }
    let Some(kind) =
        games::kind(&proposal.kind).filter(|_| seats.len() == usize::from(proposal.seats))
    else {
        return Err(Blame::Theirs(Message::new("lobby-kind-gone")));
    };
    let (definition, options) = (kind.definition(), &proposal.options);
    let setup = GameSetup { kind, definition, options, seats: proposal.seats };
    let table = Table::found(setup, game, secret(seconds), tx.context.now)
        .map_err(|error| impossible(&error))?;
    let terms = room.press.unwrap_or(tx.context.settings.press);
    let undo = room.undo.unwrap_or(tx.context.settings.undo);
    let mut around = GameRoom { proposal: None, name: proposal.name.clone(), ..room };
    around.settle(terms, tx.context.settings.votes, undo);
    let terms = around.terms_words();
    if around.private {
        // Who played may know of the game, whatever becomes of his seat.
        let addresses = seats.iter().filter_map(|(_, member)| member.addresses.first());
        around.invited.extend(addresses.cloned());
        around.invited.sort_unstable();
        around.invited.dedup();
    }
    found::begin_game(tx, table, seats, proposal.clock.clone(), &terms)?;
    around.observers.retain(|observer| !proposal.players.iter().any(|p| p.member == *observer));
    commit::show_to(tx, game, &around.observers, 0)?;
    tx.put_room(game, around);
    tx.log_activity(game, Happening::Begun);
    Ok(vec![Message::new("lobby-started").with("number", game)])
}

fn leave(tx: &mut Transaction<'_>, member: &Member, game: u32) -> Result<Words, Blame> {
    let room = tx.room_mut(game)?;
    let waits = room.waiting.contains(&member.id);
    match &mut room.proposal {
        Some(proposal) if proposal.founder() == member.id => {
            return Err(Blame::Theirs(Message::new("lobby-founder-leaves").with("number", game)));
        }
        Some(proposal) if proposal.holds(member.id) => {
            proposal.players.retain(|joined| joined.member != member.id);
        }
        _ if waits => room.waiting.retain(|waiting| *waiting != member.id),
        _ => return Err(Blame::Theirs(Message::new("lobby-not-in").with("number", game))),
    }
    Ok(vec![Message::new("lobby-left").with("number", game)])
}

fn cancel(tx: &mut Transaction<'_>, member: &Member, game: u32) -> Result<Words, Blame> {
    let proposal = own_proposal(tx, member, game)?;
    drop_proposal(tx, game, &proposal, member.id, "lobby-cancelled-for-you")?;
    Ok(vec![Message::new("lobby-cancelled").with("number", game)])
}

/// Returns the proposal of a game, if this member proposed it.
///
/// # Errors
/// When the club cannot be read; that the member did not propose it.
pub(crate) fn own_proposal(
    tx: &Transaction<'_>,
    member: &Member,
    game: u32,
) -> Result<Box<Proposal>, Blame> {
    let own = tx.room(game)?.proposal.filter(|proposal| proposal.founder() == member.id);
    Ok(own.ok_or_else(|| Message::new("lobby-not-founder").with("number", game))?)
}

/// Takes a proposal away and tells all who were in but one.
pub(crate) fn drop_proposal(
    tx: &mut Transaction<'_>,
    game: u32,
    proposal: &Proposal,
    but: u32,
    word: &'static str,
) -> ClubResult<()> {
    for joined in proposal.players.iter().filter(|joined| joined.member != but) {
        let Some(member) = tx.member(joined.member)? else { continue };
        let kind = tx.context.library.language(&member.language).game(&proposal.kind);
        let word = Message::new(word).with("number", game).with("game", kind);
        write_to(tx, &member, word, &format!("dropped {game} {}", member.id));
    }
    tx.put_room(game, GameRoom::default());
    tx.set_due((game, None));
    Ok(())
}

/// Writes a sentence to a member, by a letter that is known by its mark.
pub(crate) fn write_to(tx: &mut Transaction<'_>, member: &Member, word: Message, mark: &str) {
    let digest = LetterHash::of(mark.as_bytes());
    let letter =
        pending::notice(tx.context, member, &Notice::Said(vec![word]), None, &digest, None);
    tx.write().outgoing.extend(letter.ok());
}

/// Takes away what has not filled in time, with a word to all who were in.
pub(crate) fn lapse_proposals(context: &Context, games: &[u32]) -> ClubResult<()> {
    for games in games.chunks(GAMES_A_COMMIT) {
        commit::transact(context, |tx| -> Result<(), ClubError> {
            for game in games {
                match tx.room(*game)?.proposal {
                    Some(proposal) => drop_proposal(tx, *game, &proposal, 0, "lobby-lapsed")?,
                    None => tx.set_due((*game, None)),
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Who is around a game that this member may know of; a running one lies in the transaction
/// then. Why he can have nothing to do with it.
pub(crate) fn known_game(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
) -> Result<GameRoom, Blame> {
    let room = tx.room(game)?;
    refuse_if(!room.is_known_to(member), || no_such(game))?;
    if room.proposal.is_some() {
        return Ok(room);
    }
    open_on(tx, game)?;
    Ok(room)
}

/// Opens a running game in the transaction.
pub(crate) fn open_on(tx: &mut Transaction<'_>, game: u32) -> Result<(), Blame> {
    match tx.session(game) {
        Ok(session) if session.table.turn() == Turn::Over => Err(Message::new("game-over").into()),
        Ok(_) => Ok(()),
        Err(ClubError::Store(error)) => Err(error.into()),
        Err(_) => Err(no_such(game).into()),
    }
}

/// All proposals as they stand in here, by number.
pub(crate) fn proposals(tx: &Transaction<'_>) -> ClubResult<Vec<(u32, GameRoom)>> {
    let mut all = tx.rooms()?;
    all.retain(|(_, room)| room.proposal.is_some());
    Ok(all)
}

/// How punctual a member was in all of his games.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn punctuality(tx: &Transaction<'_>, member: &Member) -> ClubResult<Punctuality> {
    let mut all = member.past;
    for (game, seat) in tx.seats_of(member.id)? {
        let seats = tx.seats(game)?;
        if let Some(seated) = seats.get(seat.index()) {
            all = all.plus(seated.punctuality);
        }
    }
    Ok(all)
}

/// A word for all players, in the club's own language.
pub(crate) fn term(context: &Context, key: &'static str) -> String {
    context.library.language(&context.settings.language).say(&Message::new(key))
}

/// There is no such game that this reader may know of.
fn no_such(game: u32) -> Message {
    Message::new("lobby-none").with("number", game)
}

/// Why a game cannot be played so.
fn impossible(error: &OpenError) -> Message {
    match error {
        OpenError::Definition { reason, .. } => reason.clone(),
        error @ OpenError::Seats { .. } => error.told(),
        other => Message::new("lobby-option").with("why", other.told()),
    }
}
