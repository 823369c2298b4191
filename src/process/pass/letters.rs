//! Letters: read ahead and opened side by side, then judged one after the other by the room that is
//! responsible; and what became of a letter that was read before.

use crate::club::{COMES_BACK_WITHIN, Member, Request};
use crate::mail::{Admitted, BYTES_MAX, Letter, Position, ReplyAction, Waiting};
use crate::process::commit::missed;
use crate::process::context::{ClubError, Context};
use crate::process::inbound::intake::{self, Opened};
use crate::process::inbound::{elsewhere, member_letter, seat_letter, stop};
use crate::process::isolate::FAILED;
use crate::process::lobby::game_list;
use crate::process::lobby::visitors::{self, Inquiry};
use crate::process::moderation::game_log::{self, LogEntry};
use crate::process::moderation::{moderator, overview};
use crate::process::outbound::composition::ready;
use crate::process::outbound::{answers, pending};
use crate::process::session::reader::ClubDirectory;
use crate::process::transaction::effect::{Disposition, LetterEffect};
use crate::process::transaction::{Transaction, open_game};
use crate::render::Notice;
use crate::rules::{Message, Seat, Viewer};
use crate::store::{Repository, SeenLetter};
use crate::table::{Cause, Record};
use chrono::{DateTime, Utc};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Reads a letter and decides its effect, as things stand in the transaction.
///
/// # Errors
/// When the club cannot be read; never for anything that the letter holds.
pub fn consider(tx: &mut Transaction<'_>, bytes: &[u8]) -> Result<Understood, ClubError> {
    let opened = open(tx.context, bytes);
    consider_opened(tx, opened)
}

/// Like [`consider`], for a letter that was opened, or cannot be.
pub(crate) fn consider_opened(
    tx: &mut Transaction<'_>,
    opened: Result<Box<Opened>, Message>,
) -> Result<Understood, ClubError> {
    let opened = match opened {
        Ok(opened) => opened,
        Err(why) => {
            let effect = LetterEffect::of(Disposition::Quarantined(why));
            return Ok(Understood { letter: None, admitted: None, request: None, effect });
        }
    };
    let letter = &opened.letter;
    let admitted = intake::authenticator(tx.context).admit(letter, &ClubDirectory(tx))?;
    let admitted = intake::unless_by_machine(tx, &opened, admitted);
    let (effect, request) = match intake::bounced(tx, letter)? {
        Some(effect) => (effect, None),
        None => {
            if matches!(admitted, Admitted::Ignored(_))
                && let Some(member) = intake::replied_by_itself(tx, letter)?
            {
                missed::heard_of(tx, letter, member, false)?;
            }
            // A letter that comes again changes nothing.
            let is_new = tx.seen_letter(letter.digest.bytes())?.is_none();
            let writer = answers::writer(tx, &admitted)?.filter(|_| is_new);
            let (mut effect, request) = judged(tx, &opened, &admitted)?;
            writer.map_or(Ok(()), |writer| answers::count_idle(tx, writer, &mut effect))?;
            (effect, request)
        }
    };
    Ok(Understood { letter: Some(opened.letter), admitted: Some(admitted), request, effect })
}

/// Judges an admitted letter. Returns its effect, and what was asked in it.
fn judged(
    tx: &mut Transaction<'_>,
    opened: &Opened,
    admitted: &Admitted,
) -> Result<(LetterEffect, Option<Request>), ClubError> {
    let letter = &opened.letter;
    let mut request = None;
    let effect = match admitted {
        Admitted::Ignored(_) => LetterEffect::of(Disposition::Done),
        Admitted::Quarantined(why) => elsewhere::from_elsewhere(tx, letter, why)?,
        Admitted::Stranger { address } => {
            let from = Inquiry { letter, address, asked: &intake::asked(tx, opened, address) };
            if let Some(effect) = stop::refused_by_stranger(tx, from) {
                effect
            } else if let Some(effect) = visitors::of_stranger(tx, from)? {
                effect
            } else {
                intake::to_stranger(tx, from)?
            }
        }
        Admitted::NoGame { address } => {
            let from = Inquiry { letter, address, asked: &intake::asked(tx, opened, address) };
            let list = from.asks_for_games(tx.context);
            let notice = |member: &Member| -> Result<Notice, ClubError> {
                if list {
                    let words = game_list::game_list(tx, member)?;
                    return Ok(Notice::Offering { words, lines: game_list::lines(tx, member)? });
                }
                Ok(Notice::NoGame { games: intake::games_of(tx, member)? })
            };
            answers::to_named(tx, letter, address, notice)?
        }
        Admitted::ModeratorUnmarked { address } => {
            moderator::of_unmarked_moderator(tx, letter, address)?
        }
        Admitted::BadToken { address } => {
            answers::to_named(tx, letter, address, |_| Ok(Notice::BadToken))?
        }
        Admitted::Action { action, address } => {
            let asked = intake::asked(tx, opened, address);
            let effect = match action {
                ReplyAction::Moderator => moderator::of_moderator(tx, letter, &asked)?,
                action => {
                    let from = Inquiry { letter, address, asked: &asked };
                    member_letter::on_action(tx, from, *action)?
                }
            };
            request = asked.ok();
            effect
        }
        Admitted::Player(position) => {
            let seats = tx.seats(position.game)?;
            if let Some(seated) = seats.get(Seat::new(position.seat).index()) {
                missed::heard_of(tx, letter, seated.member, true)?;
                missed::give_time_back(tx, position.game, seated.member)?;
            }
            let asked = intake::asked_at(tx, opened, *position);
            let effect = seat_letter::of_player(tx, letter, *position, &asked)?;
            request = asked.ok();
            effect
        }
    };
    Ok((effect, request))
}

/// Returns what would become of a letter, and the answer that its writer would get. Does nothing.
///
/// # Errors
/// When the club cannot be read; never for anything that the letter holds.
pub fn explain(context: &Context, bytes: &[u8]) -> Result<(Understood, Option<Letter>), ClubError> {
    let mut tx = Transaction::begin(context);
    let understood = consider(&mut tx, bytes)?;
    let LetterEffect { member, notes, wish, answer, .. } = &understood.effect;
    tx.take_settings(member.clone(), notes.clone(), *wish);
    let letter = answer.as_ref().map(|answer| answer.letter.clone());
    let answer = letter.and_then(|letter| ready(&tx, letter).ok());
    let answer = answer.and_then(|answer| Letter::read(&answer.bytes).ok());
    Ok((understood, answer))
}

/// A letter as it was understood, for `explain`.
pub struct Understood {
    /// The letter; `None` if the bytes are no letter.
    pub letter: Option<Letter>,
    pub(crate) admitted: Option<Admitted>,
    /// What its writer wrote and ordered.
    pub(crate) request: Option<Request>,
    pub(crate) effect: LetterEffect,
}

impl Understood {
    /// Returns why nobody is admitted by it, in a clause; `None` if somebody is, or it is no
    /// letter.
    pub fn kept_out(&self) -> Option<&Message> {
        match &self.admitted {
            Some(Admitted::Ignored(why) | Admitted::Quarantined(why)) => Some(why),
            _ => None,
        }
    }

    /// Returns `true` if a member wrote the letter, and not for a game that is over: its lines and
    /// the answer may hold what only the writer may know.
    pub(crate) fn is_confidential(&self, context: &Context) -> bool {
        match &self.admitted {
            Some(Admitted::Player(position)) => !open_game(context, position.game)
                .is_ok_and(|session| overview::may_show_secrets(&session, false)),
            Some(Admitted::Action { action, .. }) => *action != ReplyAction::Moderator,
            _ => false,
        }
    }

    /// Returns the number of the record that the letter leads to, with the lines that everybody
    /// will read there. An order that nobody else may know of is no record yet.
    pub(crate) fn public_record(&self, context: &Context) -> Option<(u32, Vec<String>)> {
        let table = &self.effect.moved.as_ref()?.table;
        let before = open_game(context, table.founding().number).ok()?.table.head();
        let lines = || table.lines_as_read_by(Viewer::Public).remove(&table.head());
        (table.head() > before).then(|| (table.head(), lines().unwrap_or_default()))
    }
}

/// The number of letters that are read ahead: enough for all cores, and few enough to hold in
/// memory if each is as large as allowed.
const AHEAD: usize = 16;

/// A letter that was read ahead.
pub(crate) struct ReadAhead {
    pub(crate) file: Waiting,
    /// The letter in it, or why it goes to quarantine; `None` if the file cannot be read.
    pub(crate) opened: Option<Result<Box<Opened>, Message>>,
}

/// Hands these letters to `judge` in order, a few at a time, until it fails. Opens the next ones
/// meanwhile.
///
/// # Errors
/// Those of `judge`.
pub(super) fn read_ahead<E: Send>(
    context: &Context,
    letters: &[Waiting],
    mut judge: impl FnMut(Vec<ReadAhead>) -> Result<(), E> + Send,
) -> Result<(), E> {
    let mut later = letters.chunks(AHEAD);
    let mut next = read(context, later.next().unwrap_or_default());
    while !next.is_empty() {
        let after = later.next().unwrap_or_default();
        let (judged, read) = rayon::join(|| judge(next), || read(context, after));
        judged?;
        next = read;
    }
    Ok(())
}

fn read(context: &Context, letters: &[Waiting]) -> Vec<ReadAhead> {
    let read = |file: &Waiting| match file.read(BYTES_MAX) {
        Ok(bytes) => {
            let opened = catch_unwind(AssertUnwindSafe(|| open(context, &bytes)));
            let opened = Some(opened.unwrap_or(Err(FAILED)));
            ReadAhead { file: file.clone().holding(&bytes), opened }
        }
        Err(_) => ReadAhead { file: file.clone(), opened: None },
    };
    letters.par_iter().map(read).collect()
}

/// Opens a letter, or returns the reason for which it goes to quarantine.
fn open(context: &Context, bytes: &[u8]) -> Result<Box<Opened>, Message> {
    Opened::read(context, bytes).map(Box::new).map_err(|unreadable| unreadable.told())
}

/// What became of a letter that was read before.
pub(crate) struct Dealt {
    pub at: DateTime<Utc>,
    /// The game that it was for.
    pub game: Option<u32>,
    /// The log entry of the record that it led to, and the players' names.
    pub led_to: Option<(LogEntry, Vec<String>)>,
    /// When its writer was answered, if that is still known.
    pub answered: Option<DateTime<Utc>>,
}

/// Returns what became of a letter; `None` if no pass has dealt with it.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn dealt_with(context: &Context, bytes: &[u8]) -> Result<Option<Dealt>, ClubError> {
    let Ok(letter) = Letter::read(bytes) else { return Ok(None) };
    let tx = Transaction::begin(context);
    let Some(seen) = tx.seen_letter(letter.digest.bytes())? else { return Ok(None) };
    let SeenLetter { at, game, seq } = seen;
    let admitted = intake::authenticator(context).admit(&letter, &ClubDirectory(&tx))?;
    let mut ids = vec![pending::message_id(context, &format!("n.a{}", letter.digest))];
    if let Admitted::Player(Position { game, seat, .. }) = admitted {
        let marks = seq.map(|seq| format!("r{seq}")).into_iter();
        let marks = marks.chain([format!("a{}", letter.digest)]);
        ids.extend(
            marks.map(|mark| pending::message_id(context, &format!("g{game}.s{seat}.{mark}"))),
        );
    }
    let mut answered = None;
    for id in &ids {
        let posted = tx.posted(id, at, at + COMES_BACK_WITHIN)?;
        answered = answered.or(posted.map(|posted| posted.at));
    }
    let led_to = match (game, seq) {
        (Some(game), Some(_)) => {
            let log = game_log::game_log(context, game, Viewer::Public)?;
            // One that took orders back and gave others led to two records.
            let its = log.session.table.records().iter().rfind(|record| is_of(record, &letter));
            let seq = its.map(|record| record.seq);
            let entry = log.entries.into_iter().find(|e| e.record.is_some() && e.record == seq);
            entry.map(|entry| (entry, log.session.names))
        }
        _ => None,
    };
    Ok(Some(Dealt { at, game, led_to, answered }))
}

/// Whether this letter's orders made a record. The store remembers only the game's last record at
/// that time, also for a letter that ordered nothing.
fn is_of(record: &Record, letter: &Letter) -> bool {
    match &record.cause {
        Cause::Orders { letter: of, .. } | Cause::Undone { letter: of, .. } => {
            of.as_ref().is_some_and(|of| of.digest == letter.digest.to_string())
        }
        _ => false,
    }
}
