//! Judges letters: opens them in parallel, then decides their effects one after the other with the
//! module that is responsible. Also finds the outcome of letters from earlier passes.

use crate::club::{BOUNCE_WINDOW, Member, ParsedLetter};
use crate::mail::{AdmissionVerdict, BYTES_MAX, Letter, PendingLetter, ReplyAction};
use crate::process::commit::missed_news;
use crate::process::context::{ClubError, Context};
use crate::process::game_faults::GAME_FAILED;
use crate::process::inbound::intake::{self, OpenedLetter};
use crate::process::inbound::{member_letter, seat_letter, stop_requests, wrong_address};
use crate::process::lobby::game_list;
use crate::process::lobby::visitors::{self, ClubLetter};
use crate::process::moderation::game_log::{self, LogEntry};
use crate::process::moderation::{member_letter_list, moderator_lines, overview};
use crate::process::outbound::composition::compose_unqueued;
use crate::process::outbound::{answers, pending};
use crate::process::session::bot_seats;
use crate::process::session::reader::ClubDirectory;
use crate::process::transaction::effect::{Disposition, LetterEffect};
use crate::process::transaction::{Transaction, load_stored_game};
use crate::render::Notice;
use crate::rules::{Message, Seat, Viewer};
use crate::store::{LetterResult, Repository, SeenLetter};
use crate::table::{Cause, Record};
use chrono::{DateTime, Utc};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Parses a letter and decides its effect on the club as it is in this transaction.
///
/// # Errors
/// When the club cannot be read. A faulty letter is no error: it goes to quarantine.
pub fn judge_bytes(tx: &mut Transaction<'_>, bytes: &[u8]) -> Result<JudgedLetter, ClubError> {
    let opened = open_letter(tx.context, bytes);
    judge_opened(tx, opened)
}

/// Like [`judge_bytes`], for a letter that is already parsed, or for the reason why it cannot be.
pub(crate) fn judge_opened(
    tx: &mut Transaction<'_>,
    opened: Result<Box<OpenedLetter>, Message>,
) -> Result<JudgedLetter, ClubError> {
    let opened = match opened {
        Ok(opened) => opened,
        Err(why) => {
            let effect = LetterEffect::with_disposition(Disposition::Quarantined(why));
            return Ok(JudgedLetter { letter: None, admitted: None, request: None, effect });
        }
    };
    let letter = &opened.letter;
    let admitted =
        intake::build_authenticator(tx.context).decide_admission(letter, &ClubDirectory(tx))?;
    let admitted = intake::ignore_automatic_without_order(tx, &opened, admitted);
    let (effect, request) = match intake::process_bounce(tx, letter)? {
        Some(effect) => (effect, None),
        None => {
            let autoreply_sender = match admitted {
                AdmissionVerdict::Ignored(_) => intake::find_autoreply_sender(tx, letter)?,
                _ => None,
            };
            if let Some(member) = autoreply_sender {
                missed_news::mark_sender_reachable(tx, letter, member, false)?;
            }
            // A letter that arrives a second time changes nothing, so it does not count against its
            // sender.
            let is_new = tx.letter_outcome(letter.hash.as_bytes())?.is_none();
            let writer = answers::find_proven_writer(tx, &admitted)?.filter(|_| is_new);
            let (mut effect, request) = judge_admitted(tx, &opened, &admitted)?;
            if let Some(writer) = writer {
                answers::update_idle_count(tx, writer, &mut effect)?;
                effect.writer = effect.writer.or(writer.member());
            }
            if let Some(member) = autoreply_sender {
                let seen = answers::seen_letter_entry(tx.context, letter, None, None);
                effect.seen_letter = Some(seen);
                (effect.writer, effect.result) = (Some(member), Some(LetterResult::Automatic));
            }
            // A letter that arrives again keeps the date and the outcome of its first arrival.
            effect.seen_letter =
                effect.seen_letter.filter(|(digest, _)| is_new || *digest != letter.hash);
            (effect, request)
        }
    };
    Ok(JudgedLetter { letter: Some(opened.letter), admitted: Some(admitted), request, effect })
}

/// Decides the effect of an admitted letter. Also returns the parsed request of a moderator, member
/// or player.
fn judge_admitted(
    tx: &mut Transaction<'_>,
    opened: &OpenedLetter,
    admitted: &AdmissionVerdict,
) -> Result<(LetterEffect, Option<ParsedLetter>), ClubError> {
    let letter = &opened.letter;
    let mut request = None;
    let effect = match admitted {
        AdmissionVerdict::Ignored(_) => LetterEffect::with_disposition(Disposition::Done),
        AdmissionVerdict::Quarantined(why) => wrong_address::warn_token_owner(tx, letter, why)?,
        AdmissionVerdict::Stranger { address } => {
            let request = &intake::parse_club_request(tx, opened, address);
            judge_stranger_letter(tx, ClubLetter { letter, address, request })?
        }
        AdmissionVerdict::MemberWithoutToken { address } => {
            let request = &intake::parse_club_request(tx, opened, address);
            answer_member_without_token(tx, ClubLetter { letter, address, request })?
        }
        AdmissionVerdict::ModeratorWithoutToken { address } => {
            moderator_lines::answer_moderator_without_token(tx, letter, address)?
        }
        AdmissionVerdict::BadToken { address } => {
            answers::answer_unproven_member(tx, letter, address, |_| Ok(Notice::BadToken))?
        }
        AdmissionVerdict::Action { action, address } => {
            let asked = intake::parse_club_request(tx, opened, address);
            let from = ClubLetter { letter, address, request: &asked };
            let effect = match action {
                ReplyAction::SpeakAsModerator => {
                    moderator_lines::handle_moderator_letter(tx, from)?
                }
                action => member_letter::handle_reply_action(tx, from, *action)?,
            };
            request = asked.ok();
            effect
        }
        AdmissionVerdict::Player(position) => {
            let seats = tx.seat_assignments(position.game)?;
            if let Some(seated) = seats.get(Seat::new(position.seat).index()) {
                missed_news::mark_sender_reachable(tx, letter, seated.member, true)?;
                missed_news::resume_clock_of_recovered_member(tx, position.game, seated.member)?;
                if seated.bot_stands_in {
                    bot_seats::take_seat_back_from_bot(tx, *position)?;
                }
            }
            let asked = intake::parse_seat_request(tx, opened, *position);
            let effect = seat_letter::handle_seat_letter(tx, letter, *position, &asked)?;
            request = asked.ok();
            effect
        }
    };
    Ok((effect, request))
}

fn judge_stranger_letter(
    tx: &mut Transaction<'_>,
    from: ClubLetter<'_>,
) -> Result<LetterEffect, ClubError> {
    if let Some(effect) = stop_requests::handle_stranger_opt_out(tx, from)? {
        return Ok(effect);
    }
    match visitors::handle_stranger_letter(tx, from)? {
        Some(effect) => Ok(effect),
        None => intake::answer_stranger(tx, from),
    }
}

fn answer_member_without_token(
    tx: &mut Transaction<'_>,
    from: ClubLetter<'_>,
) -> Result<LetterEffect, ClubError> {
    let asks_for_games = from.asks_for_games(tx.context);
    let notice = |member: &Member| -> Result<Notice, ClubError> {
        if from.letter.is_encrypted {
            let why = Message::new("unread-encrypted");
            return Ok(Notice::Said(vec![intake::unread_message(why)]));
        }
        if asks_for_games {
            let words = game_list::list_games(tx, member)?;
            return Ok(Notice::offering(words, game_list::member_button_lines(tx, member)?));
        }
        Ok(Notice::NoGame { games: intake::running_game_titles(tx, member)? })
    };
    answers::answer_unproven_member(tx, from.letter, from.address, notice)
}

/// Returns how a letter would be judged, and the answer that its sender would get. Changes nothing.
///
/// # Errors
/// When the club cannot be read. A faulty letter is no error.
pub fn explain_letter(
    context: &Context,
    bytes: &[u8],
) -> Result<(JudgedLetter, Option<Letter>), ClubError> {
    let mut tx = Transaction::begin(context);
    let understood = judge_bytes(&mut tx, bytes)?;
    let LetterEffect { member, notes, news_wish: wish, answer, .. } = &understood.effect;
    tx.apply_letter_settings(member.clone(), notes.clone(), *wish);
    let letter = answer.as_ref().map(|answer| answer.letter.clone());
    let answer = letter.and_then(|letter| compose_unqueued(&tx, letter).ok());
    let answer = answer.and_then(|answer| Letter::parse(&answer.bytes).ok());
    Ok((understood, answer))
}

/// A letter with the effect that was decided for it.
pub struct JudgedLetter {
    /// The letter; `None` if the bytes are not a letter.
    pub letter: Option<Letter>,
    pub(crate) admitted: Option<AdmissionVerdict>,
    pub(crate) request: Option<ParsedLetter>,
    pub(crate) effect: LetterEffect,
}

impl JudgedLetter {
    /// Returns why the letter was ignored or quarantined. Returns `None` if its sender was
    /// admitted, or if it is not a letter.
    pub fn rejection_reason(&self) -> Option<&Message> {
        match &self.admitted {
            Some(AdmissionVerdict::Ignored(why) | AdmissionVerdict::Quarantined(why)) => Some(why),
            _ => None,
        }
    }

    /// Returns `true` if the letter or its answer may hold a member's secrets. Letters of the
    /// moderator and of games that are over hold none.
    pub(crate) fn is_confidential(&self, context: &Context) -> bool {
        match &self.admitted {
            Some(AdmissionVerdict::Player(position)) => !load_stored_game(context, position.game)
                .is_ok_and(|session| overview::can_show_secrets(&session, false)),
            Some(AdmissionVerdict::Action { action, .. }) => {
                *action != ReplyAction::SpeakAsModerator
            }
            _ => false,
        }
    }

    /// Returns the number of the record that the letter's orders make, with the lines that everyone
    /// can read in it. Returns `None` for orders that stay secret, because they make no record yet.
    pub(crate) fn new_record_and_public_lines(
        &self,
        context: &Context,
    ) -> Option<(u32, Vec<String>)> {
        let table = &self.effect.moved_game.as_ref()?.table;
        let before =
            load_stored_game(context, table.founding().number).ok()?.table.last_record_number();
        let lines = || table.lines_readable_by(Viewer::Public).remove(&table.last_record_number());
        (table.last_record_number() > before)
            .then(|| (table.last_record_number(), lines().unwrap_or_default()))
    }
}

/// The number of letters that are opened ahead. It is enough for all cores, and small enough to
/// hold letters of the largest size in memory.
const READ_AHEAD_LETTERS: usize = 16;

pub(crate) struct ReadAheadLetter {
    pub(crate) file: PendingLetter,
    /// The opened letter, or why it goes to quarantine; `None` if the file cannot be read.
    pub(crate) opened: Option<Result<Box<OpenedLetter>, Message>>,
}

/// Passes the letters to `judge` in order, [`READ_AHEAD_LETTERS`] at a time, until it fails. Opens
/// the next letters in parallel while `judge` runs.
///
/// # Errors
/// Those of `judge`.
pub(super) fn read_ahead_and_judge<E: Send>(
    context: &Context,
    letters: &[PendingLetter],
    mut judge: impl FnMut(Vec<ReadAheadLetter>) -> Result<(), E> + Send,
) -> Result<(), E> {
    let mut later = letters.chunks(READ_AHEAD_LETTERS);
    let mut next = read_and_open(context, later.next().unwrap_or_default());
    while !next.is_empty() {
        let after = later.next().unwrap_or_default();
        let (judged, read) = rayon::join(|| judge(next), || read_and_open(context, after));
        judged?;
        next = read;
    }
    Ok(())
}

fn read_and_open(context: &Context, letters: &[PendingLetter]) -> Vec<ReadAheadLetter> {
    let read = |file: &PendingLetter| match file.read(BYTES_MAX) {
        Ok(bytes) => {
            let opened = catch_unwind(AssertUnwindSafe(|| open_letter(context, &bytes)));
            let opened = Some(opened.unwrap_or(Err(GAME_FAILED)));
            ReadAheadLetter { file: file.clone().with_content_hash(&bytes), opened }
        }
        Err(_) => ReadAheadLetter { file: file.clone(), opened: None },
    };
    letters.par_iter().map(read).collect()
}

fn open_letter(context: &Context, bytes: &[u8]) -> Result<Box<OpenedLetter>, Message> {
    OpenedLetter::parse(context, bytes).map(Box::new).map_err(|unreadable| unreadable.to_message())
}

/// The outcome of a letter that an earlier pass processed.
pub(crate) struct ProcessedLetter {
    pub at: DateTime<Utc>,
    pub game: Option<u32>,
    /// The outcome of a member's letter, with the secrets of its game.
    pub outcome: Option<Message>,
    /// The log entry of the letter's record, and the players' names.
    pub led_to: Option<(LogEntry, Vec<String>)>,
    /// When the sender was answered; `None` if that is no longer known.
    pub answered: Option<DateTime<Utc>>,
}

/// Returns the outcome of a letter; `None` if no pass has processed it.
pub(crate) fn find_processed_letter(
    context: &Context,
    bytes: &[u8],
) -> Result<Option<ProcessedLetter>, ClubError> {
    let Ok(letter) = Letter::parse(bytes) else { return Ok(None) };
    let tx = Transaction::begin(context);
    let Some(seen) = tx.letter_outcome(letter.hash.as_bytes())? else { return Ok(None) };
    let outcome =
        seen.of_member.as_ref().map(|own| member_letter_list::describe_outcome(&seen, own, true));
    let SeenLetter { at, game, seq, of_member } = seen;
    let own = of_member.and_then(|own| own.answer);
    let id = own.unwrap_or_else(|| pending::notice_reply_id(context, &letter.hash));
    let answered = tx.post_record(&id, at, at + BOUNCE_WINDOW)?.map(|posted| posted.at);
    let led_to = match (game, seq) {
        (Some(game), Some(_)) => {
            let log = game_log::load_game_log(context, game, Viewer::Public)?;
            // A letter that took orders back and gave new ones made two records. The last one is
            // shown.
            let its =
                log.session.table.records().iter().rfind(|record| is_caused_by(record, &letter));
            let seq = its.map(|record| record.seq);
            let entry = log.entries.into_iter().find(|e| e.record.is_some() && e.record == seq);
            entry.map(|entry| (entry, log.session.names))
        }
        _ => None,
    };
    Ok(Some(ProcessedLetter { at, game, outcome, led_to, answered }))
}

/// Whether this letter's orders made the record. The store alone cannot tell: for every letter,
/// even one without orders, it keeps the game's last record at that time.
fn is_caused_by(record: &Record, letter: &Letter) -> bool {
    match &record.cause {
        Cause::Orders { letter: of, .. } | Cause::Undone { letter: of, .. } => {
            of.as_ref().is_some_and(|of| of.digest == letter.hash.to_string())
        }
        _ => false,
    }
}
