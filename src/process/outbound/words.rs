//! What is owed about games, into words: games side by side, and what all readers of one share is
//! written once.
//!
//! What goes wrong in one letter is that letter's. May know neither envelopes nor the way out.

use super::owed::Telling;
use super::taps::{self, WayBack};
use crate::club::{ActivityEntry, CampaignTable, Command, GameName, GameRoom, Member};
use crate::mail::{Appointment, Position, Token};
use crate::process::context::{ClubError, Context};
use crate::process::isolate::{isolate, of_game};
use crate::process::session::reader::marks_of_seat;
use crate::process::table::talk;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::render::{GameLetter, Page, PublicLetter, Rendered, SubjectParts, Taps};
use crate::rules::{Message, Seat};
use crate::store::Repository;
use crate::table::{FoldError, Table};
use chrono::{DateTime, Utc};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// In so many games a member is taught; then he has read enough of it.
const GAMES_THAT_TEACH: usize = 2;

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
    /// The game's name, number and kind.
    pub(crate) title: String,
    /// The same without its kind, as mail programs file its letters.
    pub(crate) list: String,
    /// The mark of its reader's seat.
    pub(crate) token: Option<Token>,
    /// Whether the game waited for him after what is told.
    pub waits: bool,
    /// His deadline as an entry of a calendar.
    pub calendar: Option<String>,
}

impl Said {
    fn alone(rendered: Rendered) -> Self {
        let (title, list) = (String::new(), String::new());
        Self { rendered, title, list, token: None, waits: false, calendar: None }
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
) -> Result<Vec<Result<Said, Message>>, ClubError> {
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
    let mut all: Vec<(usize, Result<Said, Message>)> = Vec::with_capacity(jobs.len());
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
) -> Result<Vec<Result<Said, Message>>, ClubError> {
    let open = || {
        let session = tx.game(game).map_or_else(|| tx.open(game), |session| Ok(session.clone()))?;
        let is_now = session.table.head() == head;
        Ok((at(session, head)?, is_now))
    };
    let (session, is_now) = match isolate(open)? {
        Ok(opened) => opened,
        Err(why) => return Ok(jobs.iter().map(|_| Err(of_game(game, why.clone()))).collect()),
    };
    let room = tx.room(game)?;
    let campaign = room.campaign.as_ref().map(campaign_words);
    let page = Page::new(&session.table, &session.names);
    let mut page = page.with_pictures(tx.context.settings.pictures);
    let around = Around { session: &session, room: &room, campaign: campaign.as_ref(), is_now };
    let said = jobs.iter().map(|job| isolate(|| one(tx, &mut page, around, job)));
    said.map(|said| Ok(said?.map_err(|why| of_game(game, why)))).collect()
}

/// A game with what stands around it.
#[derive(Clone, Copy)]
struct Around<'a> {
    session: &'a GameSession,
    room: &'a GameRoom,
    campaign: Option<&'a Message>,
    /// Whether it stands there still.
    is_now: bool,
}

impl<'a> Around<'a> {
    /// What the game is called.
    fn name(&self) -> Option<&'a str> {
        self.room.name.as_ref().map(GameName::as_str)
    }
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
    around: Around<'_>,
    job: &Job<'_>,
) -> Result<Said, ClubError> {
    match job.what {
        What::Seat { telling, among_others, most } => {
            let kind = (among_others, most, job.written);
            to_seat(tx, page, around, telling, kind)
        }
        What::Watching { reader, told, minutes } => {
            let (Around { session, campaign, .. }, name) = (around, around.name());
            let minutes = talk::by_former(session, minutes.to_vec());
            let club = &tx.context.settings.name;
            let letter = PublicLetter { club, reader, told, minutes: &minutes, campaign, name };
            Ok(Said::alone(page.public_letter(&tx.context.library, &letter)?))
        }
    }
}

fn to_seat(
    tx: &Transaction<'_>,
    page: &mut Page<'_>,
    around: Around<'_>,
    telling: &Telling,
    (among_others, most, written): (bool, usize, DateTime<Utc>),
) -> Result<Said, ClubError> {
    let (Around { session, room, campaign, is_now }, name) = (around, around.name());
    let Telling { game, seat, .. } = *telling;
    let (seated, reader) = session.seat(seat).ok_or(ClubError::NoGame(game))?;
    let position = Position { game, seat: seat.number(), seq: telling.head };
    let token = tx.context.secret.seal(position, marks_of_seat(seated, reader));
    let mut minutes = Vec::new();
    if telling.asked.contains(&Command::History) {
        minutes = tx.minutes(game)?;
        minutes.truncate(telling.minutes.unwrap_or(usize::MAX));
        minutes.retain(|minute| seated.may_read(seat, minute));
        minutes = talk::by_former(session, minutes);
    }
    let mut notes = telling.notes.clone();
    // Once, to who does not know it yet.
    if telling.told == 0 && session.wants_turns(seat) && tx.seats_of(reader.id)?.len() == 1 {
        notes.push(Message::new("letters-turns-first"));
    }
    let way = WayBack::of_links(tx.context, &token);
    let link = |subject: &str, line: &str| way.as_ref()?.link(subject, line);
    let offers = taps::to_seat(tx, (session, room), telling, is_now)?;
    let clock = telling.clock.iter().chain(&telling.pace);
    let clock: Vec<Message> = clock.cloned().collect();
    let rendered = page.letter(
        &tx.context.library,
        &GameLetter {
            club: &tx.context.settings.name,
            reader,
            seat,
            is_new: is_new(tx, &session.table, (reader, seat))?,
            moderator: &tx.context.settings.moderator.address,
            told: telling.told,
            occasion: &telling.occasion,
            asked: &telling.asked,
            among_others,
            subject: SubjectParts { name, written, due: telling.due },
            standing: &seated.standing,
            own_notes: &seated.notes,
            wish: seated.letters,
            words: &telling.words,
            notes: &notes,
            talk: &talk::by_former(session, telling.talk.clone()),
            minutes: &minutes,
            clock: &clock,
            campaign,
            taps: Taps {
                link: way.is_some().then_some(&link),
                from: taps::known_as(reader),
                offers: &offers,
                most,
            },
        },
    )?;
    let language = tx.context.library.language(&reader.language);
    let title = language.title(session.table.founding(), name);
    let list = format!("{} {game}", language.short_name(session.table.founding(), name));
    let due = telling.due.filter(|_| reader.letters.calendar);
    let calendar = due.map(|due| appointment(tx.context, session, (telling, &title), due, written));
    let waits = session.table.turn().awaits(seat);
    let rendered = taps::unmarked(rendered);
    Ok(Said { rendered, title, list, token: Some(token), waits, calendar })
}

/// Whether this is somebody's first turn, in one of the first games that he was seated in.
fn is_new(
    tx: &Transaction<'_>,
    table: &Table,
    (reader, seat): (&Member, Seat),
) -> Result<bool, ClubError> {
    let has_ordered = || table.records().iter().any(|record| Table::mover(record) == Some(seat));
    if !table.turn().awaits(seat) || has_ordered() {
        return Ok(false);
    }
    let game = table.founding().number;
    let earlier = tx.seats_of(reader.id)?.into_iter().filter(|(other, _)| *other < game);
    Ok(earlier.count() < GAMES_THAT_TEACH)
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
    session: &GameSession,
    (telling, title): (&Telling, &str),
    due: DateTime<Utc>,
    written: DateTime<Utc>,
) -> String {
    let founding = session.table.founding();
    let reader = session.seat(telling.seat).map_or("", |(_, reader)| &reader.language);
    let language = context.library.language(reader);
    let summary = language.say(&Message::new("calendar-summary").with("game", title));
    let appointment = Appointment {
        uid: &context.id_of(&format!("g{}.s{}", founding.number, telling.seat)),
        // A record can be followed by several letters, and each may move the deadline.
        sequence: (written - founding.at).num_minutes(),
        written,
        due,
        summary: &summary,
        organizer: &context.settings.address,
    };
    appointment.text()
}
