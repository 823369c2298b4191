//! What is owed about games, into words: games side by side, and what all readers of one share is
//! written once.
//!
//! What goes wrong in one letter is that letter's. May know neither envelopes nor the way out.

use super::owed::Telling;
use super::taps::{self, WayBack};
use crate::club::{ActivityEntry, CampaignTable, Command, Member};
use crate::mail::{Appointment, Position, Token};
use crate::process::context::{ClubError, Context};
use crate::process::isolate::isolate;
use crate::process::session::reader::marks_of_seat;
use crate::process::table::talk;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::render::{GameLetter, Page, PublicLetter, Rendered, Taps};
use crate::rules::Message;
use crate::store::Repository;
use crate::table::{FoldError, Table};
use chrono::{DateTime, Utc};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Something about a game that is to have words.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    /// The game's number.
    pub game: u32,
    /// The last record that it tells of.
    pub(crate) head: u32,
    /// When that was owed.
    pub written: DateTime<Utc>,
    /// What it is.
    pub what: What<'a>,
}

/// What is told, and to whom.
#[derive(Clone, Copy)]
pub(crate) enum What<'a> {
    /// To who sits there, by a letter or by a part of one.
    Seat {
        /// What is to be told.
        telling: &'a Telling,
        /// Whether it stands among others.
        among_others: bool,
        /// How many lines it offers to be sent by a tap, at most.
        most: usize,
    },
    /// To who watches.
    Watching {
        /// Who reads it.
        reader: &'a Member,
        /// The last record that he knows.
        told: u32,
        /// What was said to all since.
        minutes: &'a [ActivityEntry],
    },
}

/// What is told of a game, in words.
pub(crate) struct Said {
    pub(crate) rendered: Rendered,
    /// The mark of its reader's seat.
    pub(crate) token: Option<Token>,
    /// Whether the game waited for him after what is told.
    pub waits: bool,
    /// His deadline as an entry of a calendar.
    pub calendar: Option<String>,
}

impl Said {
    const fn alone(rendered: Rendered) -> Self {
        Self { rendered, token: None, waits: false, calendar: None }
    }
}

impl<'a> Job<'a> {
    /// What a seat is told.
    pub(crate) const fn of(
        telling: &'a Telling,
        (among_others, most): (bool, usize),
        written: DateTime<Utc>,
    ) -> Self {
        let what = What::Seat { telling, among_others, most };
        Self { game: telling.game, head: telling.head, written, what }
    }
}

/// The words of each of these, in their order; or what is wrong with it.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn said(
    tx: &Transaction<'_>,
    jobs: &[Job<'_>],
) -> Result<Vec<Result<Said, String>>, ClubError> {
    let mut of_game: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    for (index, job) in jobs.iter().enumerate() {
        of_game.entry((job.game, job.head)).or_default().push(index);
    }
    let of_game: Vec<_> = of_game.into_iter().collect();
    let done: Vec<_> = of_game
        .par_iter()
        .map(|(place, indices)| {
            let jobs: Vec<Job<'_>> =
                indices.iter().filter_map(|at| jobs.get(*at)).copied().collect();
            of_position(tx, *place, &jobs)
        })
        .collect();
    let mut all: Vec<(usize, Result<Said, String>)> = Vec::with_capacity(jobs.len());
    for ((_, indices), said) in of_game.into_iter().zip(done) {
        all.extend(indices.into_iter().zip(said?));
    }
    all.sort_by_key(|(index, _)| *index);
    Ok(all.into_iter().map(|(_, said)| said).collect())
}

/// The words of what is told of one position.
fn of_position(
    tx: &Transaction<'_>,
    (game, head): (u32, u32),
    jobs: &[Job<'_>],
) -> Result<Vec<Result<Said, String>>, ClubError> {
    let open = || {
        let session = tx.game(game).map_or_else(|| tx.open(game), |session| Ok(session.clone()))?;
        let is_now = session.table.head() == head;
        Ok((at(session, head)?, is_now))
    };
    let (session, is_now) = match isolate(open)? {
        Ok(opened) => opened,
        Err(why) => return Ok(jobs.iter().map(|_| Err(why.clone())).collect()),
    };
    let campaign = tx.room(game)?.campaign.as_ref().map(campaign_words);
    let page = Page::new(&session.table, &session.names);
    let mut page = page.with_pictures(tx.context.settings.pictures);
    let around = (&session, &campaign, is_now);
    jobs.iter().map(|job| isolate(|| one(tx, &mut page, around, job))).collect()
}

/// A game where it stood after a record.
fn at(mut session: GameSession, head: u32) -> Result<GameSession, ClubError> {
    let (game, now) = (session.number(), session.table.head());
    let broken = |error| ClubError::BrokenGame { game, error };
    if head > now {
        return Err(broken(FoldError::Gap { expected: head, found: now }));
    }
    if head < now {
        session.table = session.table.at(head).map_err(broken)?;
    }
    Ok(session)
}

fn one(
    tx: &Transaction<'_>,
    page: &mut Page<'_>,
    (session, campaign, is_now): (&GameSession, &Option<Message>, bool),
    job: &Job<'_>,
) -> Result<Said, ClubError> {
    match job.what {
        What::Seat { telling, among_others, most } => {
            let (around, kind) = ((session, campaign, is_now), (among_others, most, job.written));
            to_seat(tx, page, around, telling, kind)
        }
        What::Watching { reader, told, minutes } => {
            let minutes = talk::by_former(session, minutes.to_vec());
            let club = &tx.context.settings.name;
            let campaign = campaign.as_ref();
            let letter = PublicLetter { club, reader, told, minutes: &minutes, campaign };
            Ok(Said::alone(taps::unmarked(page.public_letter(&tx.context.library, &letter)?)))
        }
    }
}

fn to_seat(
    tx: &Transaction<'_>,
    page: &mut Page<'_>,
    (session, campaign, is_now): (&GameSession, &Option<Message>, bool),
    telling: &Telling,
    (among_others, most, written): (bool, usize, DateTime<Utc>),
) -> Result<Said, ClubError> {
    let Telling { game, seat, .. } = *telling;
    let (seated, reader) = session.seat(seat).ok_or(ClubError::NoGame(game))?;
    let position = Position { game, seat: seat.number(), seq: telling.head };
    let token = tx.context.secret.seal(position, marks_of_seat(seated, reader));
    let tag = !tx.context.settings.plus_addressing && !among_others;
    let tag = tag.then(|| token.subject_tag());
    let mut minutes = Vec::new();
    if telling.asked.contains(&Command::History) {
        minutes = tx.minutes(game)?;
        minutes.truncate(telling.minutes.unwrap_or(usize::MAX));
        minutes.retain(|minute| seated.may_read(seat, minute));
        minutes = talk::by_former(session, minutes);
    }
    let way = WayBack::with(tx.context, &token);
    let link = |subject: &str, line: &str| way.as_ref()?.link(subject, line);
    let offers = taps::to_seat(tx, session, telling, is_now)?;
    let clock = telling.clock.iter().chain(&telling.pace).chain(campaign);
    let clock: Vec<Message> = clock.cloned().collect();
    let rendered = page.letter(
        &tx.context.library,
        &GameLetter {
            club: &tx.context.settings.name,
            reader,
            seat,
            told: telling.told,
            occasion: &telling.occasion,
            asked: &telling.asked,
            among_others,
            subject_tag: tag.as_deref(),
            standing: &seated.standing,
            own_notes: &seated.notes,
            words: &telling.words,
            notes: &telling.notes,
            talk: &talk::by_former(session, telling.talk.clone()),
            minutes: &minutes,
            clock: &clock,
            taps: Taps {
                link: way.is_some().then_some(&link),
                from: taps::known_as(reader),
                offers: &offers,
                most,
            },
        },
    )?;
    let due = telling.due.filter(|_| reader.letters.calendar);
    let calendar =
        due.map(|due| appointment(tx.context, &session.table, (telling, reader), due, written));
    let waits = session.table.turn().awaits(seat);
    let rendered = taps::unmarked(rendered);
    Ok(Said { rendered, token: Some(token), waits, calendar })
}

/// Which table of a campaign a game is for.
fn campaign_words(place: &CampaignTable) -> Message {
    Message::new("campaign-table")
        .with("name", place.name.as_str())
        .with("round", place.round)
        .with("table", place.table)
}

/// A deadline as an entry of a calendar.
fn appointment(
    context: &Context,
    table: &Table,
    (telling, reader): (&Telling, &Member),
    due: DateTime<Utc>,
    written: DateTime<Utc>,
) -> String {
    let founding = table.founding();
    let language = context.library.language(&reader.language);
    let title = language.title(founding, &context.settings.name);
    let summary = language.say(&Message::new("calendar-summary").with("game", title));
    let appointment = Appointment {
        uid: &format!("g{}.s{}@{}", founding.number, telling.seat, context.settings.host()),
        // A record can be followed by several letters, and each may move the deadline.
        sequence: (written - founding.at).num_minutes(),
        written,
        due,
        summary: &summary,
        organizer: &context.settings.address,
    };
    appointment.text()
}
