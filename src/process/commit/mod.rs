//! The end of a transaction: turns its changes into letters and due times, then commits it.
//!
//! Anybody can send letters that go to quarantine. So the moderator gets at most one note about
//! them per pass and [`NOTES_PER_DAY`] a day. Letters that no note mentions are counted in the same
//! commit, and a later pass reports their number. The morning digest lists all of them.
//!
//! Observers get a letter with what everyone may see each time the game has moved.

use crate::club::{ActivityEntry, ActivityEvent, Member, PRACTICE_SILENCE_MAX};
use crate::mail::LetterHash;
use crate::mail::rate_limit::DAY_SECONDS;
use crate::process::context::{ClubError, Context};
use crate::process::game_faults::{FailedGameLetters, GAME_FAILED, catch_game_fault};
use crate::process::outbound::pending::{self, NoticeBody, SeatUpdateDraft};
use crate::process::session::game_time::next_clock_due_time;
use crate::process::table::{news, voting};
use crate::process::transaction::effect::{Acknowledgement, Disposition};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{
    CommittedFiles, MayConflict, PendingSeatUpdate, PendingUpdates, Transaction, retry_on_conflict,
};
use crate::render::Occasion;
use crate::rules::{Message, Seat, Turn};
use crate::store::{LetterReader, OutgoingLetter, Repository};
use crate::table::ORDERS_SEALED;
use chrono::{DateTime, Utc};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(crate) mod missed_news;

/// The number of notes about quarantined letters that the moderator gets per day.
const NOTES_PER_DAY: usize = 4;
/// The number of quarantined letters that one note to the moderator names. The others are only
/// counted.
const NAMED_PER_NOTE: usize = 20;
/// The age in seconds after which an unreported letter in quarantine no longer counts: 60 days.
const QUARANTINE_WINDOW: i64 = 60 * DAY_SECONDS;
/// The store's counter keys: all quarantined letters, those already reported, and the notes about
/// them.
const QUARANTINED_KEY: &str = "letters held";
const REPORTED_KEY: &str = "letters held and told";
const NOTES_KEY: &str = "notes of letters held";

/// Does `work` in a new transaction and commits it with the letters that it leads to. Repeats all
/// of it if another process has changed a row that it read. Commits nothing if `work` fails.
pub(crate) fn transact_and_notify<T, E: MayConflict + From<ClubError>>(
    context: &Context,
    work: impl Fn(&mut Transaction<'_>) -> Result<T, E>,
) -> Result<T, E> {
    retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        let done = work(&mut tx)?;
        notify_and_commit(tx)?;
        Ok(done)
    })
}

/// Queues the letters that a transaction leads to, commits it, and updates the plain text journal.
pub(crate) fn notify_and_commit(mut tx: Transaction<'_>) -> Result<CommittedFiles, ClubError> {
    queue_notifications(&mut tx)?;
    tx.commit_and_journal()
}

/// Queues the letters and due times for a transaction's changes. After that it can be committed.
///
/// If a game fails at this, its changes are dropped. Returns the files of the letters that had
/// moved it; they go to quarantine.
pub(crate) fn queue_notifications(
    tx: &mut Transaction<'_>,
) -> Result<FailedGameLetters, ClubError> {
    recompute_deadlines_and_votes(tx)?;
    let mut failed = carry_out_plans(tx);
    let recovered = tx.take_recovered_members();
    missed_news::add_missed_talk(tx, &recovered)?;
    for game in tx.games_with_updates() {
        let (Some(session), Some(updates)) = (tx.opened_game(game), tx.pending_updates(game))
        else {
            continue;
        };
        match catch_game_fault(|| make_turn_letters(tx, session, updates))? {
            Ok(letters) => {
                keep_unread_news(tx, game)?;
                queue_player_letters(tx, game, letters)?;
            }
            Err(why) => failed.extend(tx.drop_and_quarantine_failed_game(game, &why)),
        }
    }
    missed_news::queue_missed_news_letters(tx, recovered);
    notify_all_observers(tx)?;
    report_quarantined(tx)?;
    tx.readdress_letters_to_leavers();
    let mut reports = Vec::new();
    // Reports are deduplicated, because ten letters to a broken game give ten equal ones.
    for report in tx.take_moderator_reports() {
        if !reports.contains(&report) {
            reports.push(report);
        }
    }
    if !reports.is_empty() {
        let reports = pending::make_moderator_notes(tx, &reports)?;
        tx.batch_mut().outgoing.extend(reports);
    }
    Ok(failed)
}

/// Carries out the players' plans in the games that have moved. Returns the letters that had moved
/// a game which failed at this.
fn carry_out_plans(tx: &mut Transaction<'_>) -> FailedGameLetters {
    let now = tx.context.now;
    let mut failed = FailedGameLetters::new();
    for game in tx.games_with_updates() {
        let Some(mut session) = tx.take_game(game) else { continue };
        match catch_unwind(AssertUnwindSafe(|| session.play_due_plans_and_moves(now))) {
            Ok(()) => {
                session.advance_clock_by_new_records(now, tx.pending_updates_mut(game));
                tx.put_back_game(session);
            }
            Err(_) => failed.extend(tx.drop_and_quarantine_failed_game(game, &GAME_FAILED)),
        }
    }
    failed
}

/// Queues the letters about a game, sets its due time, and marks its news as seen by the seats that
/// get a letter.
fn queue_player_letters(
    tx: &mut Transaction<'_>,
    game: u32,
    letters: Vec<OutgoingLetter>,
) -> Result<(), ClubError> {
    note_answers(tx, game, &letters)?;
    tx.batch_mut().outgoing.extend(letters);
    let Some(session) = tx.opened_game(game) else { return Ok(()) };
    let seats: Vec<Seat> =
        session.all_seats().filter(|seat| tx.has_letter_for(game, *seat)).collect();
    if session.has_new_records() || session.needs_due_time() {
        tx.set_due_time(next_due_time(tx.context, session));
    }
    if let Some(session) = tx.opened_game_mut(game) {
        seats.into_iter().for_each(|seat| session.mark_seen(seat));
    }
    Ok(())
}

/// Notes which of these letters about a game answers each letter of its players.
fn note_answers(
    tx: &mut Transaction<'_>,
    game: u32,
    letters: &[OutgoingLetter],
) -> Result<(), ClubError> {
    for letter in letters {
        let Some(LetterReader::Seats { seats, .. }) = letter.label.as_ref().map(|it| &it.reader)
        else {
            continue;
        };
        let updates = tx.pending_updates(game);
        let own = seats.iter().filter_map(|at| updates?.acknowledgements.get(&at.seat));
        let digests: Vec<String> = own.flat_map(|own| own.digests.clone()).collect();
        tx.note_answer(&digests, &letter.message_id)?;
    }
    Ok(())
}

/// Keeps the messages and interventions of this transaction for players who get no letter now. They
/// get them with their next letter.
fn keep_unread_news(tx: &mut Transaction<'_>, game: u32) -> Result<(), ClubError> {
    let Some(updates) = tx.pending_updates(game).cloned() else { return Ok(()) };
    let Some(session) = tx.opened_game(game) else { return Ok(()) };
    let waits = |seat: &Seat| {
        updates.has_extra_update_for(*seat) && !updates.should_write_to(session, *seat)
    };
    let waiting: Vec<Seat> = session.all_seats().filter(waits).collect();
    for seat in waiting {
        let PendingSeatUpdate { notes, talk, .. } = updates.for_seat(seat);
        let activity_length =
            if talk.is_empty() { None } else { Some(tx.stored_state().activity_log(game)?.len()) };
        let place = tx.opened_game_mut(game).and_then(|game| game.seats.get_mut(seat.index()));
        if let Some((seated, _)) = place.filter(|(seated, _)| !seated.has_left) {
            seated.unread.first_unread_entry = seated.unread.first_unread_entry.or(activity_length);
            seated.unread.interventions.extend(notes);
        }
    }
    Ok(())
}

/// Makes the letters to the players of a game for the changes of this transaction.
pub(crate) fn make_turn_letters(
    tx: &Transaction<'_>,
    session: &GameSession,
    updates: &PendingUpdates,
) -> Result<Vec<OutgoingLetter>, ClubError> {
    let mut letters = Vec::new();
    let empty = Acknowledgement::default();
    for seat in Seat::all(session.table.founding().seats) {
        if !updates.should_write_to(session, seat) {
            continue;
        }
        let update = updates.for_seat(seat);
        let (moved, own) = (session.has_new_records(), update.acknowledgement.unwrap_or(&empty));
        let occasion = choose_occasion(session, seat, own);
        let id_suffix = match update.acknowledgement {
            // The moderator's list of a member's letters shows these Message-IDs. So the ID has the
            // same form as that of a refusal, even if the game has moved.
            Some(own) if !moved || !own.has_orders => {
                format!("a{}", own.digests.last().map_or("", String::as_str))
            }
            None if !moved => {
                let news = session.seat(seat).map(|(seated, _)| seated.news.as_slice());
                let digest = update.message_id_digest(tx.context.now, news.unwrap_or_default());
                format!("r{}.n{digest}", session.table.last_record_number())
            }
            _ => format!("r{}", session.table.last_record_number()),
        };
        let to = SeatUpdateDraft {
            questions: own.questions.clone(),
            answered_ids: own.answered_ids.clone(),
            answered_digests: own.digests.clone(),
            plan_notes: session.unseen_plan_results(seat),
            notes: update.notes,
            talk: update.talk,
            is_urgent: updates.urgent_seats.contains(&seat),
            ..SeatUpdateDraft::without_answered_letter(seat, occasion, id_suffix)
        };
        letters.extend(pending::make_seat_letter(tx, session, to)?);
    }
    Ok(letters)
}

/// Chooses the occasion of a letter to this seat about the changes of a transaction.
fn choose_occasion(session: &GameSession, seat: Seat, own: &Acknowledgement) -> Occasion {
    let moved = session.has_new_records();
    let (lines, mut remarks) = (own.lines.clone(), own.remarks.clone());
    // The last sealed order of a turn opens them all, so these orders are sealed no longer.
    let is_outdated =
        |remark: &Message| moved && remark.key == ORDERS_SEALED && !session.has_sealed_orders(seat);
    let has_opened_orders = remarks.iter().any(is_outdated);
    remarks.retain(|remark| !is_outdated(remark));
    match (own.has_orders || has_opened_orders, lines.is_empty(), moved) {
        (true, ..) => Occasion::Accepted { lines, remarks },
        (false, false, _) => Occasion::Planned { lines, remarks },
        (false, true, false) => Occasion::TalkOrNotices,
        (false, true, true) if session.table.last_record_number() == 1 => Occasion::Welcome,
        (false, true, true) => Occasion::News,
    }
}

/// Returns the game's number and when a pass must check it next: for a deadline, an automatic move,
/// a bot, a reminder or the end of a vote. The time is `None` if there is nothing to check.
pub(crate) fn next_due_time(
    context: &Context,
    session: &GameSession,
) -> (u32, Option<DateTime<Utc>>) {
    let is_over = session.table.turn() == Turn::Over;
    let last = session.table.records().last().map(|record| record.at);
    let next = match &session.clock {
        Some(clock) => next_clock_due_time(clock, &session.seats)
            .into_iter()
            .chain(session.next_automatic_move_time())
            .min(),
        None if session.is_practice && !is_over => last.map(|at| at + PRACTICE_SILENCE_MAX),
        None => session.clockless_reminders(context).into_iter().map(|(_, at)| at).min(),
    };
    let hint = session.has_open_hint_request().then_some(context.now);
    let bots = session.next_bot_move_time().into_iter().chain(hint);
    let others = session.votes_expire_at.into_iter().chain(bots);
    (session.game_number(), next.into_iter().chain(others).min())
}

/// Recomputes the deadlines in all games of the members whose time zone, vacations, reminders or
/// reachability have changed, and sets when these games are due. Recounts open votes too, because
/// the players whose votes are needed may have changed.
pub(crate) fn recompute_deadlines_and_votes(tx: &mut Transaction<'_>) -> Result<(), ClubError> {
    let context = tx.context;
    for member in tx.changed_members() {
        let before = tx.stored_state().member(member.id)?;
        let same = |before: &Member| {
            let lost = |member: &Member| {
                (
                    member.undeliverable_since().is_some(),
                    member.reachability.is_undeliverable_confirmed(),
                )
            };
            before.time == member.time && lost(before) == lost(&member)
        };
        if before.as_ref().is_some_and(same) {
            continue;
        }
        let has_new_reminders =
            before.is_some_and(|before| before.time.reminders != member.time.reminders);
        for (game, seat) in tx.seats_not_left(member.id)? {
            let is_opened = tx.opened_game(game).is_some();
            if !is_opened && !has_new_reminders && tx.clock(game)?.is_none() {
                continue;
            }
            if catch_game_fault(|| tx.open_game(game).map(drop))?.is_err() {
                continue;
            }
            voting::recount_votes(tx, game)?;
            let timed = |session: &&mut GameSession| has_new_reminders || session.clock.is_some();
            if let Some(session) = tx.opened_game_mut(game).filter(timed) {
                session.recompute_deadline(seat, context.now);
                let due = next_due_time(context, session);
                tx.set_due_time(due);
            }
        }
    }
    Ok(())
}

/// Counts the letters that this transaction puts into quarantine. Adds a note to the moderator if
/// one is allowed now.
fn report_quarantined(tx: &mut Transaction<'_>) -> Result<(), ClubError> {
    let reports = tx.dispositions().filter_map(|(file, disposition)| match disposition {
        Disposition::Done => None,
        Disposition::Quarantined(why) => {
            let report = Message::new("report-quarantined").with("file", file.name.as_str());
            Some(report.with("why", why.clone()))
        }
    });
    let reports: Vec<Message> = reports.collect();
    if reports.is_empty() {
        return Ok(());
    }
    reports.iter().for_each(|_| tx.increment_count(QUARANTINED_KEY.to_owned()));
    if can_send_quarantine_note(tx)? {
        let unreported = count_unreported_quarantined(tx)?;
        add_quarantine_note(tx, reports.into_iter().take(NAMED_PER_NOTE).collect(), unreported);
    }
    Ok(())
}

/// Reports the number of letters in quarantine that no note has mentioned, if a note is allowed
/// now.
pub(crate) fn report_unreported_quarantined(context: &Context) -> Result<(), ClubError> {
    let tx = Transaction::begin(context);
    if count_unreported_quarantined(&tx)? == 0 || !can_send_quarantine_note(&tx)? {
        return Ok(());
    }
    transact_and_notify(context, |tx| {
        let unreported = count_unreported_quarantined(tx)?;
        // Another worker may have reported them between the two transactions.
        if unreported > 0 && can_send_quarantine_note(tx)? {
            add_quarantine_note(tx, Vec::new(), unreported);
        }
        Ok(())
    })
}

/// Whether a note about quarantined letters is allowed: the moderator has had none in this pass,
/// and fewer than [`NOTES_PER_DAY`] within a day.
fn can_send_quarantine_note(tx: &Transaction<'_>) -> Result<bool, ClubError> {
    let now = tx.context.now.timestamp();
    let notes = tx.event_times_since(NOTES_KEY, now - DAY_SECONDS + 1)?;
    Ok(notes.len() < NOTES_PER_DAY && !notes.contains(&now))
}

/// Returns the number of letters in quarantine that no note to the moderator has mentioned or
/// counted.
fn count_unreported_quarantined(tx: &Transaction<'_>) -> Result<usize, ClubError> {
    let since = tx.context.now.timestamp() - QUARANTINE_WINDOW;
    let (quarantined, reported) =
        (tx.event_times_since(QUARANTINED_KEY, since)?, tx.event_times_since(REPORTED_KEY, since)?);
    Ok(quarantined.len().saturating_sub(reported.len()))
}

/// Adds a note about `unreported` letters to the moderator's report and counts them as reported.
/// `lines` names some of them; the note gives the number of the others.
fn add_quarantine_note(tx: &mut Transaction<'_>, lines: Vec<Message>, unreported: usize) {
    (0..unreported).for_each(|_| tx.increment_count(REPORTED_KEY.to_owned()));
    tx.increment_count(NOTES_KEY.to_owned());
    let others = unreported.saturating_sub(lines.len());
    lines.into_iter().for_each(|line| tx.report_to_moderator(line));
    if others > 0 {
        tx.report_to_moderator(Message::new("report-quarantined-more").with("count", others));
    }
}

/// Queues letters to the observers of all games that have moved in this transaction.
fn notify_all_observers(tx: &mut Transaction<'_>) -> Result<(), ClubError> {
    for game in tx.games_with_updates() {
        let observers = tx.game_info(game)?.observers;
        let moved = tx.opened_game(game).filter(|session| session.has_new_records());
        if let (Some(last_seen_record), false) =
            (moved.map(GameSession::stored_head), observers.is_empty())
        {
            notify_observers(tx, game, &observers, last_seen_record)?;
        }
    }
    Ok(())
}

/// Queues a letter about a game to each of these observers, with the news since `last_seen_record`.
pub(crate) fn notify_observers(
    tx: &mut Transaction<'_>,
    game: u32,
    observers: &[u32],
    last_seen_record: u32,
) -> Result<(), ClubError> {
    let Some(session) = tx.opened_game(game).cloned() else { return Ok(()) };
    let talk = load_public_talk(tx, &session, last_seen_record)?;
    for id in observers {
        let Some(member) = tx.member(*id)? else { continue };
        let digest = LetterHash::compute(
            format!("{game} {} {id}", session.table.last_record_number()).as_bytes(),
        );
        let letter =
            make_observer_letter(tx.context, &session, &member, (last_seen_record, &talk), &digest);
        tx.batch_mut().outgoing.extend(letter);
    }
    Ok(())
}

/// Returns the public messages of a game since the record `last_seen_record`.
pub(crate) fn load_public_talk(
    tx: &Transaction<'_>,
    session: &GameSession,
    last_seen_record: u32,
) -> Result<Vec<ActivityEntry>, ClubError> {
    let game = session.game_number();
    let since = session.table.records().iter().find(|record| record.seq == last_seen_record);
    let mut talk = tx.activity_log(game)?;
    talk.retain(|entry| {
        let is_public_talk =
            matches!(entry.event, ActivityEvent::Said { .. }) && !entry.is_private();
        is_public_talk && since.is_none_or(|record| entry.at > record.at)
    });
    Ok(news::mark_talk_by_former_players(session, talk))
}

/// Makes a letter to an observer with a game's news since `last_seen_record` and the public
/// messages `talk`. Returns `None` if the member is undeliverable or has left.
///
/// A reply to it speaks for the member, but for no seat.
pub(crate) fn make_observer_letter(
    context: &Context,
    session: &GameSession,
    member: &Member,
    (last_seen_record, talk): (u32, &[ActivityEntry]),
    mark: &LetterHash,
) -> Option<OutgoingLetter> {
    if !member.gets_letters() {
        return None;
    }
    let (game, head) = (session.game_number(), session.table.last_record_number());
    let body = NoticeBody::ObserverUpdate { game, last_seen_record, head, talk: talk.to_vec() };
    let message_id = pending::make_message_id(context, &format!("g{game}.w.{mark}"));
    Some(pending::make_plain_letter(context, member, body, None, message_id, None))
}
