//! Votes of the players: stores the answers, tells the other players, and carries out a vote that
//! passes.
//!
//! Votes are stored with the game's lobby data. A vote makes its game due when it expires, so no
//! pass reads the game for it earlier. Letters are read before votes expire, so an answer that
//! arrived in time still counts.

use crate::club::clock::{describe_duration, describe_moment};
use crate::club::vote::{
    Ballot, BallotTarget, Quorum, VOTE_PROPOSALS_PER_DAY, Vote, VoteRules, VoteState,
};
use crate::club::{Actor, GameInfo, Intervention, SeatNews};
use crate::mail::rate_limit::DAY_SECONDS;
use crate::process::context::ClubResult;
use crate::process::request_error::{RequestError, refuse_if, split_refusal};
use crate::process::table::{game_changes, news};
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Message, Seat, Turn};
use crate::store::Repository;
use crate::table::{Authority, Reason};
use chrono::{DateTime, TimeDelta, Utc};

/// A player whose deadline passed this long ago is not expected to vote.
const OVERDUE_FOR_VOTE_MAX: TimeDelta = TimeDelta::days(14);
/// A player of a game without a clock is not expected to vote if the game has waited this long for
/// them since its last record.
const SILENCE_FOR_VOTE_MAX: TimeDelta = TimeDelta::days(28);

/// Returns the seats whose players are not expected to vote, because they are undeliverable or have
/// not acted for too long.
fn unresponsive_seats(session: &GameSession, now: DateTime<Utc>) -> Vec<Seat> {
    let last = session.table.records().last().map_or(now, |record| record.at);
    let is_lost = |seat: &Seat| {
        let unreachable =
            session.seat(*seat).is_none_or(|(_, member)| member.undeliverable_since().is_some());
        let awaited = session.table.turn().awaits(*seat);
        let silent = match session.clock.as_ref().map(|clock| clock.wait_of_seat(*seat)) {
            None => awaited && now - last >= SILENCE_FOR_VOTE_MAX,
            Some(wait) => {
                wait.is_some_and(|w| w.has_missed && now - w.deadline >= OVERDUE_FOR_VOTE_MAX)
            }
        };
        unreachable || silent
    };
    Seat::all(session.table.founding().seats).filter(is_lost).collect()
}

/// Returns the seats whose players can vote. Bots do not vote.
fn voting_seats(session: &GameSession) -> Vec<Seat> {
    let sits = |seat: &Seat| {
        session.seat(*seat).is_some_and(|(seated, own)| !seated.has_left && own.bot.is_none())
    };
    Seat::all(session.table.founding().seats).filter(sits).collect()
}

fn check_intervention_possible(
    session: &GameSession,
    what: &Intervention,
    now: DateTime<Utc>,
) -> Result<(), Message> {
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

fn describe_vote_subject(session: &GameSession, what: &Intervention) -> Message {
    match what {
        Intervention::Extend(by) => {
            Message::new("vote-to-extend").with("span", describe_duration(by.to_time_delta()))
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
        // Other interventions are never voted on.
        other => other.describe(),
    }
}

/// Returns the message that asks a seat to vote, or tells it that its own proposal is open.
/// `among_others` is set if other votes are open, so a plain "no" would be ambiguous.
pub(crate) fn vote_question_message(
    session: &GameSession,
    vote: &Vote,
    reader: Seat,
    among_others: bool,
) -> Message {
    let own = session.seat(reader).map(|(_, member)| member.time.clone()).unwrap_or_default();
    let is_own = vote.by == reader;
    let word = if is_own { Message::new("vote-yours") } else { Message::new("vote-opened") };
    word.with("who", vote.by)
        .with("what", describe_vote_subject(session, &vote.intervention))
        .with("line", vote.yes_line())
        .with("refusal", vote.no_line(among_others))
        .with("quorum", quorum_message(vote.quorum))
        .with("until", describe_moment(vote.until, &own))
}

/// Checks a ballot before it counts. `after_another` is set if it is not the first one in its
/// letter. Returns the reason if the ballot cannot be counted.
pub(crate) fn check_ballot(
    tx: &Transaction<'_>,
    (game, seat): (u32, Seat),
    ballot: &Ballot,
    after_another: bool,
) -> Result<(), RequestError> {
    refuse_if(after_another, || Message::new("vote-one"))?;
    let Some(session) = tx.opened_game(game) else { return Ok(()) };
    refuse_if(session.table.turn() == Turn::Over, || Message::new("game-over"))?;
    let around = tx.game_info(game)?;
    let open = &around.open_votes;
    let none_open = match ballot.find_target(open) {
        BallotTarget::Open(_) => return Ok(()),
        BallotTarget::SameTopic(at) => open.get(at).map(|vote| {
            Message::new("vote-other")
                .with("what", describe_vote_subject(session, &vote.intervention))
                .with("line", vote.yes_line())
                .with("refusal", vote.no_line(open.len() > 1))
        }),
        BallotTarget::Ambiguous => {
            let lines = open.iter().map(|vote| put_in_quotes(&vote.no_line(true)));
            Some(Message::new("vote-which").with("lines", lines.collect::<Vec<_>>()))
        }
        BallotTarget::None => None,
    };
    let what = match (none_open, ballot) {
        (Some(why), _) => return Err(why.into()),
        (None, Ballot::Against(_)) => return Err(Message::new("vote-none-open").into()),
        (None, Ballot::For(what)) => what,
    };
    refuse_if(around.vote_rules().quorum_for(what) == Quorum::None, || {
        Message::new("vote-not-here")
    })?;
    check_intervention_possible(session, what, tx.context.now)?;
    let proposed = proposals_within_day(tx, &proposal_count_key(game, seat))?;
    let too_often = || Message::new("vote-too-often").with("count", VOTE_PROPOSALS_PER_DAY);
    refuse_if(proposed >= VOTE_PROPOSALS_PER_DAY, too_often)
}

fn proposals_within_day(tx: &Transaction<'_>, counter: &str) -> ClubResult<usize> {
    tx.count_events_since(counter, tx.context.now.timestamp() - DAY_SECONDS)
}

/// Returns what a preview says about a ballot: whether it would agree, refuse or open a vote.
pub(crate) fn preview_vote(tx: &Transaction<'_>, game: u32, ballot: &Ballot) -> Message {
    let (Some(session), Ballot::For(what)) = (tx.opened_game(game), ballot) else {
        return Message::new("vote-would-refuse");
    };
    let open = tx.game_info(game).unwrap_or_default().open_votes;
    let agrees = matches!(ballot.find_target(&open), BallotTarget::Open(_));
    let word = if agrees { "vote-would-agree" } else { "vote-would-open" };
    Message::new(word).with("what", describe_vote_subject(session, what))
}

/// Counts a seat's ballot, or opens the vote that it proposes. Carries out the vote if it passes.
pub(crate) fn count_ballot_or_open_vote(
    tx: &mut Transaction<'_>,
    game: u32,
    seat: Seat,
    ballot: &Ballot,
) -> ClubResult<()> {
    let session = tx.open_game(game)?.clone();
    let room = tx.game_info_mut(game)?;
    let rules = room.vote_rules();
    if session.table.turn() == Turn::Over {
        // The orders in the letter with this ballot ended the game.
        room.open_votes.clear();
        update_votes_and_offers_expiry(tx, game)?;
        tx.add_urgent_seat_note(game, seat, Message::new("vote-moot"));
        return Ok(());
    }
    let mut vote = match (ballot.find_target(&room.open_votes), ballot) {
        (BallotTarget::Open(at), _) => room.open_votes.remove(at),
        (_, Ballot::For(what)) => open_and_announce_vote(tx, &session, (seat, what), &rules)?,
        (_, Ballot::Against(_)) => return Ok(()),
    };
    vote.record_answer(seat, matches!(ballot, Ballot::For(_)));
    decide_vote_outcome(tx, &session, vote, Some(seat))
}

/// Opens a vote and asks all other players. They get a letter about it at once only if this seat
/// has not proposed it within a day; otherwise their next letter asks them.
fn open_and_announce_vote(
    tx: &mut Transaction<'_>,
    session: &GameSession,
    (by, what): (Seat, &Intervention),
    rules: &VoteRules,
) -> ClubResult<Vote> {
    let game = session.game_number();
    let vote = Vote::new(what.clone(), by, rules, tx.context.now);
    let among_others = !tx.game_info_mut(game)?.open_votes.is_empty();
    let this = format!("{} {}", proposal_count_key(game, by), vote.yes_line());
    let again = proposals_within_day(tx, &this)? > 0;
    for counter in [proposal_count_key(game, by), this] {
        tx.increment_count(counter);
    }
    for reader in session.all_seats().filter(|reader| *reader != by) {
        let asked = SeatNews::VoteOpened { vote: vote.clone(), among_others };
        news::ask_for_vote(tx, game, reader, !again, asked);
    }
    tx.add_urgent_seat_note(game, by, vote_question_message(session, &vote, by, among_others));
    if again {
        tx.add_urgent_seat_note(game, by, Message::new("vote-again"));
    }
    Ok(vote)
}

/// Counts the answers to a vote that has been taken out of the open ones. `seat` has just voted.
/// Keeps the vote open, announces that it failed, or carries it out.
fn decide_vote_outcome(
    tx: &mut Transaction<'_>,
    session: &GameSession,
    vote: Vote,
    seat: Option<Seat>,
) -> ClubResult<()> {
    let game = session.game_number();
    match vote.state(&voting_seats(session), &unresponsive_seats(session, tx.context.now)) {
        VoteState::Open(left) => {
            if let Some(seat) = seat.filter(|seat| *seat != vote.by) {
                let agrees = if vote.yes.contains(&seat) { "yes" } else { "no" };
                let word = Message::new("vote-counted").with("agrees", agrees);
                let word = word
                    .with("what", describe_vote_subject(session, &vote.intervention))
                    .with("left", left);
                tx.add_urgent_seat_note(game, seat, word);
            }
            tx.game_info_mut(game)?.open_votes.push(vote);
            update_votes_and_offers_expiry(tx, game)?;
        }
        VoteState::Failed => {
            let answers = (vote.yes.as_slice(), vote.no.as_slice());
            let word = ended_vote_message(
                session,
                &vote.intervention,
                answers,
                Message::new("vote-failed"),
            );
            seat.into_iter().for_each(|seat| tx.add_urgent_seat_note(game, seat, word.clone()));
            news::announce_failed_vote(tx, game, &vote, seat);
            update_votes_and_offers_expiry(tx, game)?;
        }
        VoteState::Passed => {
            update_votes_and_offers_expiry(tx, game)?;
            carry_out_vote(tx, session, &vote)?;
        }
    }
    Ok(())
}

/// Updates the time at which the first of a game's votes and offers of seats expires.
pub(crate) fn update_votes_and_offers_expiry(
    tx: &mut Transaction<'_>,
    game: u32,
) -> ClubResult<()> {
    let lapses = tx.game_info_mut(game)?.next_vote_or_offer_expiry();
    if let Some(session) = tx.opened_game_mut(game) {
        session.votes_expire_at = lapses;
    }
    tx.pending_updates_mut(game);
    Ok(())
}

fn carry_out_vote(tx: &mut Transaction<'_>, session: &GameSession, vote: &Vote) -> ClubResult<()> {
    let game = session.game_number();
    for seat in session.all_seats() {
        news::withdraw_vote_request(tx, game, seat, &vote.intervention);
    }
    let agreed = Reason::Agreed(vote.yes.clone());
    let done = game_changes::carry_out_and_announce_intervention(
        tx,
        game,
        &vote.intervention,
        Actor::Program,
        &agreed,
    );
    if let Err(refusal) = split_refusal(done)? {
        let word = Message::new("vote-undone").with("why", refusal.reason);
        let word = ended_vote_message(session, &vote.intervention, (&vote.yes, &vote.no), word);
        session.all_seats().for_each(|seat| tx.add_seat_note(game, seat, word.clone()));
    }
    Ok(())
}

/// Ends all votes of a game, because its position or its players have changed or it is over. Tells
/// the players who knew of them.
pub(crate) fn cancel_all_votes(tx: &mut Transaction<'_>, game: u32) -> ClubResult<()> {
    cancel_votes_where(tx, game, |_| true)
}

/// Ends the votes on a rewind of a game whose last orders were taken back.
pub(crate) fn cancel_rewind_votes(tx: &mut Transaction<'_>, game: u32) -> ClubResult<()> {
    if !tx.game_info(game)?.open_votes.is_empty() {
        cancel_votes_where(tx, game, |vote| matches!(vote.intervention, Intervention::Rewind(_)))?;
    }
    Ok(())
}

fn cancel_votes_where(
    tx: &mut Transaction<'_>,
    game: u32,
    is_void: impl Fn(&Vote) -> bool,
) -> ClubResult<()> {
    let GameInfo { open_votes, .. } = tx.game_info_mut(game)?;
    let (void, open) = std::mem::take(open_votes).into_iter().partition(is_void);
    *open_votes = open;
    let void: Vec<Vote> = void;
    if void.is_empty() {
        return Ok(());
    }
    let session = tx.open_game(game)?.clone();
    for vote in void {
        announce_vote_ended(tx, &session, &vote, "vote-void");
    }
    update_votes_and_offers_expiry(tx, game)
}

/// Tells the players who know of a vote that it is over.
pub(crate) fn announce_vote_ended(
    tx: &mut Transaction<'_>,
    session: &GameSession,
    vote: &Vote,
    key: &'static str,
) {
    let game = session.game_number();
    let word =
        ended_vote_message(session, &vote.intervention, (&vote.yes, &vote.no), Message::new(key));
    // A player who joined in this transaction has not been told of the vote.
    let is_new = |seat: Seat| {
        session.seat(seat).is_some_and(|(seated, _)| seated.since == Some(tx.context.now))
    };
    for seat in session.all_seats() {
        if !news::withdraw_vote_request(tx, game, seat, &vote.intervention) && !is_new(seat) {
            tx.add_seat_note(game, seat, word.clone());
        }
    }
}

/// Counts the open votes of a game again, because the players who are expected to answer may have
/// changed. A vote may now pass or fail without their answers.
pub(crate) fn recount_votes(tx: &mut Transaction<'_>, game: u32) -> ClubResult<()> {
    let now = tx.context.now;
    for Vote { intervention: what, .. } in tx.game_info(game)?.open_votes {
        let session = tx.open_game(game)?.clone();
        let open = &mut tx.game_info_mut(game)?.open_votes;
        let Some(at) = open.iter().position(|vote| vote.intervention == what) else { continue };
        let still_open = |vote: &Vote| {
            matches!(
                vote.state(&voting_seats(&session), &unresponsive_seats(&session, now)),
                VoteState::Open(_)
            )
        };
        if session.table.turn() != Turn::Over && !still_open(&open[at]) {
            let vote = open.remove(at);
            decide_vote_outcome(tx, &session, vote, None)?;
        }
    }
    Ok(())
}

/// Returns the key under which the store counts a seat's proposals. Other counters use addresses as
/// keys, so this key contains no @.
fn proposal_count_key(game: u32, seat: Seat) -> String {
    format!("vote {game}.{seat}")
}

fn put_in_quotes(line: &str) -> String {
    format!("\"{line}\"")
}

/// Returns what a player can do if their orders can no longer be taken back by a single letter.
pub(crate) fn undo_alternative(rules: &VoteRules) -> Message {
    let none = rules.quorum_for(&Intervention::Rewind(0)) == Quorum::None;
    Message::new(if none { "undo-instead-none" } else { "undo-instead" })
}

/// Returns the message about a vote that has ended without passing.
pub(crate) fn ended_vote_message(
    session: &GameSession,
    what: &Intervention,
    (yes, no): (&[Seat], &[Seat]),
    word: Message,
) -> Message {
    word.with("what", describe_vote_subject(session, what))
        .with("yes", yes.to_vec())
        .with("no", no.to_vec())
}

const fn quorum_message(quorum: Quorum) -> Message {
    match quorum {
        Quorum::Majority => Message::new("vote-majority"),
        Quorum::All | Quorum::None => Message::new("vote-all"),
    }
}
