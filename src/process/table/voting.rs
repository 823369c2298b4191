//! Votes: a seat's answer is taken, the others are told, and what carries is done.
//!
//! A vote is kept with who is around the game. It lapses when its time comes by the index of what
//! is due, so that no game is looked at for it before; and only after the letters were read, so
//! that it is open to whoever answered in time.

use crate::club::clock::{moment_words, span_words};
use crate::club::vote::{Ballot, Meant, PROPOSALS_A_DAY, Quorum, Tally, Vote, VoteRules};
use crate::club::{Actor, GameRoom, Intervention, News};
use crate::mail::rate_limit::DAY;
use crate::process::blame::{Blame, answered, refuse_if};
use crate::process::context::ClubResult;
use crate::process::table::{game_changes, news};
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Message, Seat, Turn};
use crate::store::Repository;
use crate::table::{Authority, Reason};
use chrono::{DateTime, TimeDelta, Utc};

/// Who has been waited for so much too long is not expected to vote.
const LONG_LOST: TimeDelta = TimeDelta::days(14);
/// The same in a game without a clock, counted from its last record.
const LONG_SILENT: TimeDelta = TimeDelta::days(28);

/// The seats whose players cannot be expected to vote: no letter reaches them, or the game has
/// waited for them in vain.
fn lost(session: &GameSession, now: DateTime<Utc>) -> Vec<Seat> {
    let last = session.table.records().last().map_or(now, |record| record.at);
    let is_lost = |seat: &Seat| {
        let unreachable =
            session.seat(*seat).is_none_or(|(_, member)| member.undeliverable().is_some());
        let awaited = session.table.turn().awaits(*seat);
        let silent = match session.clock.as_ref().map(|clock| clock.wait(*seat)) {
            None => awaited && now - last >= LONG_SILENT,
            Some(wait) => wait.is_some_and(|w| w.missed && now - w.deadline >= LONG_LOST),
        };
        unreachable || silent
    };
    Seat::all(session.table.founding().seats).filter(is_lost).collect()
}

/// The seats that somebody sits on.
fn seated(session: &GameSession) -> Vec<Seat> {
    let sits = |seat: &Seat| session.seat(*seat).is_some_and(|(seated, _)| !seated.left);
    Seat::all(session.table.founding().seats).filter(sits).collect()
}

/// Whether what is proposed could be done now.
fn could(session: &GameSession, what: &Intervention, now: DateTime<Utc>) -> Result<(), Message> {
    let clock = || session.clock.as_ref().ok_or(Message::new("vote-no-clock"));
    let paused = || clock().map(|clock| clock.paused.is_some());
    match what {
        Intervention::Extend(_) => clock().map(|_| ()),
        Intervention::Pause if paused()? => Err(Message::new("vote-stands-still")),
        Intervention::Resume if !paused()? => Err(Message::new("vote-runs")),
        Intervention::Rewind(0) => Err(Message::new("vote-nothing-back")),
        Intervention::Rewind(to) => {
            let back = session.table.rewind(*to, Authority::Players, "", now);
            back.map(|_| ()).map_err(|no| no.reason)
        }
        _ => Ok(()),
    }
}

/// What is voted on, in words.
fn describe(session: &GameSession, what: &Intervention) -> Message {
    match what {
        Intervention::Extend(by) => {
            Message::new("vote-to-extend").with("span", span_words(by.time()))
        }
        Intervention::Pause => Message::new("vote-to-pause"),
        Intervention::Resume => Message::new("vote-to-resume"),
        Intervention::Rewind(to) => match session.table.first_turn_after(*to) {
            Some((seq, who)) => Message::new("vote-to-rewind")
                .with("to", *to)
                .with("seq", seq)
                .with("who", Message::new("vote-by").with("who", who)),
            None => Message::new("vote-to-rewind-far").with("to", *to),
        },
        Intervention::End => Message::new("vote-to-abandon"),
        // There are no votes on anything else.
        other => other.words(),
    }
}

/// What a seat is told of a vote that waits for its answer, perhaps among others.
pub(crate) fn vote_words(
    session: &GameSession,
    vote: &Vote,
    reader: Seat,
    among_others: bool,
) -> Message {
    let own = session.seat(reader).map(|(_, member)| member.time.clone()).unwrap_or_default();
    let is_own = vote.by == reader;
    let word = if is_own { Message::new("vote-yours") } else { Message::new("vote-opened") };
    word.with("who", vote.by)
        .with("what", describe(session, &vote.what))
        .with("line", vote.line())
        .with("refusal", vote.refusal(among_others))
        .with("quorum", quorum_word(vote.quorum))
        .with("until", moment_words(vote.until, &own))
}

/// Judges a ballot, perhaps after another one in the same letter.
///
/// # Errors
/// When the club cannot be read; why it cannot be counted.
pub(crate) fn may_answer(
    tx: &Transaction<'_>,
    (game, seat): (u32, Seat),
    ballot: &Ballot,
    after_another: bool,
) -> Result<(), Blame> {
    refuse_if(after_another, || Message::new("vote-one"))?;
    let Some(session) = tx.game(game) else { return Ok(()) };
    refuse_if(session.table.turn() == Turn::Over, || Message::new("game-over"))?;
    let around = tx.room(game)?;
    let open = &around.open_votes;
    let none_open = match ballot.meant(open) {
        Meant::Open(_) => return Ok(()),
        Meant::Other(at) => open.get(at).map(|vote| {
            Message::new("vote-other")
                .with("what", describe(session, &vote.what))
                .with("line", vote.line())
                .with("refusal", vote.refusal(open.len() > 1))
        }),
        Meant::Several => {
            let lines = open.iter().map(|vote| quoted(&vote.refusal(true)));
            Some(Message::new("vote-which").with("lines", lines.collect::<Vec<_>>()))
        }
        Meant::None => None,
    };
    let what = match (none_open, ballot) {
        (Some(why), _) => return Err(why.into()),
        (None, Ballot::Against(_)) => return Err(Message::new("vote-none-open").into()),
        (None, Ballot::For(what)) => what,
    };
    refuse_if(around.vote_rules().quorum(what) == Quorum::None, || Message::new("vote-not-here"))?;
    could(session, what, tx.context.now)?;
    let proposed = proposed(tx, &proposals_of(game, seat))?;
    let too_often = || Message::new("vote-too-often").with("count", PROPOSALS_A_DAY);
    refuse_if(proposed >= PROPOSALS_A_DAY, too_often)
}

/// How often something was proposed within a day.
fn proposed(tx: &Transaction<'_>, counter: &str) -> ClubResult<usize> {
    tx.count_since(counter, tx.context.now.timestamp() - DAY)
}

/// What a vote would come to, for a preview.
pub(crate) fn vote_preview(tx: &Transaction<'_>, game: u32, ballot: &Ballot) -> Message {
    let (Some(session), Ballot::For(what)) = (tx.game(game), ballot) else {
        return Message::new("vote-would-refuse");
    };
    let open = tx.room(game).unwrap_or_default().open_votes;
    let agrees = matches!(ballot.meant(&open), Meant::Open(_));
    let word = if agrees { "vote-would-agree" } else { "vote-would-open" };
    Message::new(word).with("what", describe(session, what))
}

/// Takes a seat's answer, or the proposal that it makes, and does what follows from it.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn vote(
    tx: &mut Transaction<'_>,
    game: u32,
    seat: Seat,
    ballot: &Ballot,
) -> ClubResult<()> {
    let session = tx.session(game)?.clone();
    let room = tx.room_mut(game)?;
    let rules = room.vote_rules();
    if session.table.turn() == Turn::Over {
        // The orders of the same letter ended it.
        room.open_votes.clear();
        note_lapses(tx, game)?;
        tx.tell_seat(game, seat, Message::new("vote-moot"));
        return Ok(());
    }
    let mut vote = match (ballot.meant(&room.open_votes), ballot) {
        (Meant::Open(at), _) => room.open_votes.remove(at),
        (_, Ballot::For(what)) => propose_vote(tx, &session, (seat, what), &rules)?,
        (_, Ballot::Against(_)) => return Ok(()),
    };
    vote.answer(seat, matches!(ballot, Ballot::For(_)));
    count_votes(tx, &session, vote, Some(seat))
}

/// Opens a vote and asks everyone: by a letter for that alone only the first time in a day.
fn propose_vote(
    tx: &mut Transaction<'_>,
    session: &GameSession,
    (by, what): (Seat, &Intervention),
    rules: &VoteRules,
) -> ClubResult<Vote> {
    let game = session.number();
    let vote = Vote::open(what.clone(), by, rules, tx.context.now);
    let among_others = !tx.room_mut(game)?.open_votes.is_empty();
    let this = format!("{} {}", proposals_of(game, by), vote.line());
    let again = proposed(tx, &this)? > 0;
    for counter in [proposals_of(game, by), this] {
        tx.count(counter);
    }
    for reader in session.all_seats().filter(|reader| *reader != by) {
        let asked = News::Asked { vote: vote.clone(), among_others };
        news::ask(tx, game, reader, !again, asked);
    }
    tx.tell_seat(game, by, vote_words(session, &vote, by, among_others));
    if again {
        tx.tell_seat(game, by, Message::new("vote-again"));
    }
    Ok(vote)
}

/// Counts the answers to a vote that lies beside the open ones, after that of `seat`, and does
/// what follows from them.
fn count_votes(
    tx: &mut Transaction<'_>,
    session: &GameSession,
    vote: Vote,
    seat: Option<Seat>,
) -> ClubResult<()> {
    let game = session.number();
    match vote.tally(&seated(session), &lost(session, tx.context.now)) {
        Tally::Open(left) => {
            if let Some(seat) = seat.filter(|seat| *seat != vote.by) {
                let agrees = if vote.yes.contains(&seat) { "yes" } else { "no" };
                let word = Message::new("vote-counted").with("agrees", agrees);
                let word = word.with("what", describe(session, &vote.what)).with("left", left);
                tx.tell_seat(game, seat, word);
            }
            tx.room_mut(game)?.open_votes.push(vote);
            note_lapses(tx, game)?;
        }
        Tally::Failed => {
            let answers = (vote.yes.as_slice(), vote.no.as_slice());
            let word = ended(session, &vote.what, answers, Message::new("vote-failed"));
            seat.into_iter().for_each(|seat| tx.tell_seat(game, seat, word.clone()));
            news::tell_of_fall(tx, game, &vote, seat);
            note_lapses(tx, game)?;
        }
        Tally::Carried => {
            note_lapses(tx, game)?;
            carry(tx, session, &vote)?;
        }
    }
    Ok(())
}

/// Notes when the first of a game's votes and offers ends, after they have changed.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn note_lapses(tx: &mut Transaction<'_>, game: u32) -> ClubResult<()> {
    let lapses = tx.room_mut(game)?.lapses();
    if let Some(session) = tx.game_mut(game) {
        session.lapses = lapses;
    }
    tx.movers_mut(game);
    Ok(())
}

fn carry(tx: &mut Transaction<'_>, session: &GameSession, vote: &Vote) -> ClubResult<()> {
    let game = session.number();
    for seat in session.all_seats() {
        news::unask(tx, game, seat, &vote.what);
    }
    let agreed = Reason::Agreed(vote.yes.clone());
    let done = game_changes::intervene(tx, game, &vote.what, Actor::House, &agreed);
    if let Err(refusal) = answered(done)? {
        let word = Message::new("vote-undone").with("why", refusal.reason);
        let word = ended(session, &vote.what, (&vote.yes, &vote.no), word);
        session.all_seats().for_each(|seat| tx.tell_in_time(game, seat, word.clone()));
    }
    Ok(())
}

/// Ends the votes of a game whose position, end or players leave nothing to vote on, and says
/// so to whoever was asked.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn void_vote(tx: &mut Transaction<'_>, game: u32) -> ClubResult<()> {
    void_those(tx, game, |_| true)
}

/// Ends the votes on taking a game back to where it no longer is.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn void_rewinds(tx: &mut Transaction<'_>, game: u32) -> ClubResult<()> {
    if !tx.room(game)?.open_votes.is_empty() {
        void_those(tx, game, |vote| matches!(vote.what, Intervention::Rewind(_)))?;
    }
    Ok(())
}

fn void_those(
    tx: &mut Transaction<'_>,
    game: u32,
    is_void: impl Fn(&Vote) -> bool,
) -> ClubResult<()> {
    let GameRoom { open_votes, .. } = tx.room_mut(game)?;
    let (void, open) = std::mem::take(open_votes).into_iter().partition(is_void);
    *open_votes = open;
    let void: Vec<Vote> = void;
    if void.is_empty() {
        return Ok(());
    }
    let session = tx.session(game)?.clone();
    for vote in void {
        tell_end(tx, &session, &vote, "vote-void");
    }
    note_lapses(tx, game)
}

/// Tells all who have heard of a vote that it is over.
pub(crate) fn tell_end(
    tx: &mut Transaction<'_>,
    session: &GameSession,
    vote: &Vote,
    key: &'static str,
) {
    let game = session.number();
    let word = ended(session, &vote.what, (&vote.yes, &vote.no), Message::new(key));
    // Who has only just come to the table has heard of nothing.
    let is_new = |seat: Seat| {
        session.seat(seat).is_some_and(|(seated, _)| seated.since == Some(tx.context.now))
    };
    for seat in session.all_seats() {
        if !news::unask(tx, game, seat, &vote.what) && !is_new(seat) {
            tx.tell_in_time(game, seat, word.clone());
        }
    }
}

/// Counts the open votes of a game again, as who can be expected to answer has changed: what
/// they lack may be nothing any more.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn recount(tx: &mut Transaction<'_>, game: u32) -> ClubResult<()> {
    let now = tx.context.now;
    for Vote { what, .. } in tx.room(game)?.open_votes {
        let session = tx.session(game)?.clone();
        let open = &mut tx.room_mut(game)?.open_votes;
        let Some(at) = open.iter().position(|vote| vote.what == what) else { continue };
        let still_open = |vote: &Vote| {
            matches!(vote.tally(&seated(&session), &lost(&session, now)), Tally::Open(_))
        };
        if session.table.turn() != Turn::Over && !still_open(&open[at]) {
            let vote = open.remove(at);
            count_votes(tx, &session, vote, None)?;
        }
    }
    Ok(())
}

/// Under what the store counts the proposals of a seat. No address is without an @.
fn proposals_of(game: u32, seat: Seat) -> String {
    format!("vote {game}.{seat}")
}

fn quoted(line: &str) -> String {
    format!("\"{line}\"")
}

/// What a player can do whose orders cannot be taken back by one word.
pub(crate) fn instead_of_undo(rules: &VoteRules) -> Message {
    let none = rules.quorum(&Intervention::Rewind(0)) == Quorum::None;
    Message::new(if none { "undo-instead-none" } else { "undo-instead" })
}

/// What is told of a vote that has ended without carrying.
pub(crate) fn ended(
    session: &GameSession,
    what: &Intervention,
    (yes, no): (&[Seat], &[Seat]),
    word: Message,
) -> Message {
    word.with("what", describe(session, what)).with("yes", yes.to_vec()).with("no", no.to_vec())
}

const fn quorum_word(quorum: Quorum) -> Message {
    match quorum {
        Quorum::Majority => Message::new("vote-majority"),
        Quorum::All | Quorum::None => Message::new("vote-all"),
    }
}
