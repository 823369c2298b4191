//! Letters to members who are reachable again after their mail bounced: the news that they missed.

use crate::club::{
    ActivityEntry, ActivityEvent, Member, ReachabilityEffect, ReachabilityEvent, SeatAssignment,
};
use crate::mail::{Letter, LetterHash};
use crate::process::context::ClubError;
use crate::process::outbound::pending::{self, SeatUpdateDraft};
use crate::process::table::{news, voting};
use crate::process::transaction::{RecoveredMember, Transaction};
use crate::render::Occasion;
use crate::rules::{Message, Seat, Turn};
use crate::store::{OutgoingLetter, Repository};
use chrono::{DateTime, TimeDelta, Utc};

/// Messages are repeated from this long before the first bounce, because the letter that bounced
/// may have held them.
const TALK_BEFORE_LOSS: TimeDelta = TimeDelta::days(2);

/// Records that a member's mailbox works, after they wrote or their mailbox sent an automatic reply
/// such as a vacation notice. `has_written` says that the member wrote in person.
///
/// Does nothing for a letter that was already processed.
pub(crate) fn mark_sender_reachable(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    member: u32,
    has_written: bool,
) -> Result<(), ClubError> {
    let Some(before) = tx.member(member)? else { return Ok(()) };
    let has_answered = before.has_answered || has_written;
    let is_known =
        before.reachability.is_reached_without_reports() && before.has_answered == has_answered;
    if is_known || tx.letter_outcome(letter.hash.as_bytes())?.is_some() {
        return Ok(());
    }
    mark_reachable_and_schedule_news(tx, Member { has_answered, ..before }, &letter.hash).map(drop)
}

/// Records that a member's mailbox works, and returns the changed member. If the member was
/// undeliverable, also schedules letters with the news of all their games.
pub(crate) fn mark_reachable_and_schedule_news(
    tx: &mut Transaction<'_>,
    mut member: Member,
    digest: &LetterHash,
) -> Result<Member, ClubError> {
    let consequence =
        member.reachability.handle_event(ReachabilityEvent::ProvenReachable, tx.context.now, false);
    if consequence == Some(ReachabilityEffect::BecameReachable) {
        schedule_missed_news(tx, member.id, digest)?;
    }
    tx.update_member(member.clone());
    Ok(member)
}

/// Restarts the clock of this game for a member who is reachable again. This runs before their
/// letter is answered, so that the answer states the right deadline.
pub(crate) fn resume_clock_of_recovered_member(
    tx: &mut Transaction<'_>,
    game: u32,
    member: u32,
) -> Result<(), ClubError> {
    if tx.recovered_member(member).is_none() || tx.open_game(game).is_err() {
        return Ok(());
    }
    let (now, seats) = (tx.context.now, tx.member_seats(member)?);
    if let Some(session) = tx.opened_game_mut(game) {
        let seats = seats.into_iter().filter(|(at, _)| *at == game);
        seats.for_each(|(_, seat)| session.recompute_deadline(seat, now));
    }
    Ok(())
}

/// Schedules letters about all games of a member who is reachable again. The letters begin at each
/// seat's last seen record.
pub(crate) fn schedule_missed_news(
    tx: &mut Transaction<'_>,
    member: u32,
    digest: &LetterHash,
) -> Result<(), ClubError> {
    let mut seats = Vec::new();
    let since = tx.stored_state().member(member)?.and_then(|member| member.undeliverable_since());
    for (game, seat) in tx.seats_not_left(member)? {
        let known = tx.seat_assignments(game)?.get(seat.index()).map(|seated| seated.last_seen_seq);
        seats.extend(known.map(|known| (game, seat, known)));
    }
    tx.add_recovered_member(
        member,
        RecoveredMember {
            id_digest: digest.to_string(),
            undeliverable_since: since,
            last_seen_record: seats,
        },
    );
    Ok(())
}

/// Adds the messages that members missed while their mail bounced to the game letters that this
/// transaction already writes to them.
pub(crate) fn add_missed_talk(
    tx: &mut Transaction<'_>,
    back: &[RecoveredMember],
) -> Result<(), ClubError> {
    for RecoveredMember { undeliverable_since: since, last_seen_record: told, .. } in back {
        for (game, seat, _) in told.iter().copied() {
            if !tx.has_letter_for(game, seat) {
                continue;
            }
            let place = tx.opened_game(game).and_then(|session| session.seat(seat));
            let Some((seated, _)) = place else { continue };
            let missed = load_missed_talk(tx, game, (seat, seated), *since)?;
            let missed = missed.into_iter().map(|entry| (seat, entry));
            tx.pending_updates_mut(game).talk.splice(0..0, missed);
        }
    }
    Ok(())
}

/// Queues a letter with the missed news for each game in which the member gets no other letter.
pub(crate) fn queue_missed_news_letters(tx: &mut Transaction<'_>, back: Vec<RecoveredMember>) {
    for RecoveredMember { id_digest: digest, undeliverable_since: since, last_seen_record: told } in
        back
    {
        for (game, seat, told) in told {
            // A broken game is skipped here, because the moderator is told about it elsewhere.
            if tx.has_letter_for(game, seat) || tx.open_game(game).is_err() {
                continue;
            }
            match make_missed_letter(tx, (game, seat, told), since, format!("b{digest}")) {
                Ok(None) => {}
                Ok(Some(letter)) => {
                    tx.batch_mut().outgoing.push(letter);
                    tx.opened_game_mut(game)
                        .into_iter()
                        .for_each(|session| session.mark_seen(seat));
                }
                Err(error) => tx.report_broken_game(game, &error.to_message()),
            }
        }
    }
}

/// Makes a letter with the news that a seat missed since the record `told`. Returns `None` if there
/// is no news.
fn make_missed_letter(
    tx: &Transaction<'_>,
    (game, seat, told): (u32, Seat, u32),
    since: Option<DateTime<Utc>>,
    id_suffix: String,
) -> Result<Option<OutgoingLetter>, ClubError> {
    let Some(mut session) = tx.opened_game(game).cloned() else { return Ok(None) };
    let Some((seated, _)) = session.seats.get_mut(seat.index()) else { return Ok(None) };
    seated.last_seen_seq = told;
    let talk = load_missed_talk(tx, game, (seat, seated), since)?;
    let has_ended =
        session.table.turn() == Turn::Over && session.table.last_record_number() == told;
    if has_ended && talk.is_empty() {
        return Ok(None);
    }
    let votes = tx.game_info(game)?.open_votes;
    // A letter about a vote that was already announced may have bounced, so it is repeated here. A
    // vote that is still to be announced is part of the news anyway.
    let asked =
        votes.iter().filter(|vote| !news::will_ask_for_vote(&session, seat, &vote.intervention));
    let words = |vote| voting::vote_question_message(&session, vote, seat, votes.len() > 1);
    let notes: Vec<Message> = asked.map(words).collect();
    let to = SeatUpdateDraft {
        talk,
        notes,
        ..SeatUpdateDraft::without_answered_letter(seat, Occasion::News, id_suffix)
    };
    pending::make_seat_letter(tx, &session, to)
}

/// Returns the other players' messages to a seat since `since`, when its letters began to bounce.
/// Goes back [`TALK_BEFORE_LOSS`] further.
fn load_missed_talk(
    tx: &Transaction<'_>,
    game: u32,
    (seat, seated): (Seat, &SeatAssignment),
    since: Option<DateTime<Utc>>,
) -> Result<Vec<ActivityEntry>, ClubError> {
    let Some(since) = since else { return Ok(Vec::new()) };
    let mut entries = tx.stored_state().activity_log(game)?;
    entries.retain(|entry| {
        let others = matches!(&entry.event, ActivityEvent::Said { from, .. } if *from != seat);
        others && seated.can_read(seat, entry) && entry.at >= since - TALK_BEFORE_LOSS
    });
    Ok(entries)
}
