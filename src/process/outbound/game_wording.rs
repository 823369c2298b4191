//! The words of letters about games: games side by side, and what all readers of one game share is
//! written once. A fault in one letter affects no other letter.
//!
//! A letter also offers lines to be sent by a tap. Such a link opens a letter, and nothing is done
//! before the reader sends that. The link carries the letter's reply token, in its address or its
//! subject. Where a token alone proves who writes, links carry none, because a letter can be passed
//! on.

use super::pending::Telling;
use crate::club::vote::Vote;
use crate::club::{ActivityEntry, CampaignTable, Command, GameName, GameRoom, Member};
use crate::mail::settings::Admission;
use crate::mail::transport::tagged;
use crate::mail::{Appointment, Position, Sealed, Token, mailto, without_tokens};
use crate::process::context::{ClubError, Context};
use crate::process::isolate::{isolate, of_game};
use crate::process::session::reader::marks_of_seat;
use crate::process::table::{game_changes, news};
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::render::{
    GameLetter, OFFERS_MAX, Occasion, Offer, Page, PublicLetter, Rendered, SubjectParts, Taps,
};
use crate::rules::{Arg, Message, Seat, Turn};
use crate::store::Repository;
use crate::table::{FoldError, Table};
use chrono::{DateTime, Utc};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

/// The number of a member's first games in which their first turn comes with a lesson.
const GAMES_THAT_TEACH: usize = 2;

/// Something about a game that is to be worded.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    /// The game's number.
    pub game: u32,
    /// The last record that it tells of.
    pub(crate) head: u32,
    pub written: DateTime<Utc>,
    pub what: What<'a>,
}

/// What is told, and to which reader.
#[derive(Clone, Copy)]
pub(crate) enum What<'a> {
    /// To a seat's player, by a letter or by a part of one.
    Seat {
        telling: &'a Telling,
        /// Whether the letter is about several games.
        among_others: bool,
        /// The most lines that it offers to be sent by a tap.
        most: usize,
    },
    /// To an observer.
    Watching {
        reader: &'a Member,
        /// The last record that the observer knows.
        told: u32,
        /// What was said to all since.
        minutes: &'a [ActivityEntry],
    },
}

/// What is told of a game, in words.
#[derive(Default)]
pub(crate) struct Said {
    pub(crate) rendered: Rendered,
    /// The game's name, number and kind.
    pub(crate) title: String,
    /// The title without its kind, by which mail programs file the game's letters.
    pub(crate) list: String,
    /// The reply token of the reader's seat.
    pub(crate) token: Option<Token>,
    /// Whether the game waited for the reader after what is told.
    pub waits: bool,
    /// The reader's deadline as an entry of a calendar.
    pub calendar: Option<String>,
}

impl<'a> Job<'a> {
    pub(crate) const fn of(
        telling: &'a Telling,
        (among_others, most): (bool, usize),
        written: DateTime<Utc>,
    ) -> Self {
        let what = What::Seat { telling, among_others, most };
        Self { game: telling.game, head: telling.head, written, what }
    }
}

/// Words each of these jobs, in their order; or returns what is wrong with it.
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

/// Words what is told of one position of a game.
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
    let (campaign, name) = (campaign.as_ref(), room.name.as_ref().map(GameName::as_str));
    let around = Around { session: &session, room: &room, campaign, name, is_now };
    let said = jobs.iter().map(|job| {
        isolate(|| match job.what {
            What::Seat { telling, among_others, most } => {
                to_seat(tx, &mut page, around, telling, (among_others, most, job.written))
            }
            What::Watching { reader, told, minutes } => {
                let club = &tx.context.settings.name;
                let minutes = &news::by_former(&session, minutes.to_vec());
                let letter = PublicLetter { club, reader, told, minutes, campaign, name };
                let rendered = page.public_letter(&tx.context.library, &letter)?;
                Ok(Said { rendered, ..Said::default() })
            }
        })
    });
    said.map(|said| Ok(said?.map_err(|why| of_game(game, why)))).collect()
}

/// A game with what is shown beside it.
#[derive(Clone, Copy)]
struct Around<'a> {
    session: &'a GameSession,
    room: &'a GameRoom,
    campaign: Option<&'a Message>,
    name: Option<&'a str>,
    /// Whether the letter shows the game as it stands now.
    is_now: bool,
}

/// Returns a game as it stood after a record.
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

fn to_seat(
    tx: &Transaction<'_>,
    page: &mut Page<'_>,
    around: Around<'_>,
    telling: &Telling,
    (among_others, most, written): (bool, usize, DateTime<Utc>),
) -> Result<Said, ClubError> {
    let Around { session, room, campaign, name, is_now } = around;
    let Telling { game, seat, .. } = *telling;
    let (seated, reader) = session.seat(seat).ok_or(ClubError::NoGame(game))?;
    let position = Position { game, seat: seat.number(), seq: telling.head };
    let token = tx.context.secret.seal(position, marks_of_seat(seated, reader));
    let mut minutes = Vec::new();
    if telling.asked.contains(&Command::History) {
        minutes = tx.minutes(game)?;
        minutes.truncate(telling.minutes.unwrap_or(usize::MAX));
        minutes.retain(|minute| seated.may_read(seat, minute));
        minutes = news::by_former(session, minutes);
    }
    let mut notes = telling.notes.clone();
    // Once, to a player who does not know it yet.
    if telling.told == 0 && session.wants_turns(seat) && tx.seats_of(reader.id)?.len() == 1 {
        notes.push(Message::new("letters-turns-first"));
    }
    let way = WayBack::of_links(tx.context, &token);
    let link = |subject: &str, line: &str| way.as_ref()?.link(subject, line);
    let offers = offers(tx, (session, room), telling, is_now)?;
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
            talk: &news::by_former(session, telling.talk.clone()),
            minutes: &minutes,
            clock: &clock,
            campaign,
            taps: Taps {
                link: way.is_some().then_some(&link),
                from: known_as(reader),
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
    let rendered = unmarked(rendered);
    Ok(Said { rendered, title, list, token: Some(token), waits, calendar })
}

/// Whether this is a player's first turn, in one of the first games of theirs.
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

/// Names the table of a campaign that a game is played for.
fn campaign_words(place: &CampaignTable) -> Message {
    Message::new("campaign-table")
        .with("name", place.name.as_str())
        .with("round", place.round)
        .with("table", place.table)
}

/// Writes a deadline as an entry of a calendar.
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

/// The address of replies, with a reply token in it or beside it.
pub(crate) struct WayBack {
    address: String,
    /// The tag that the subject must carry; empty if the address has the token.
    tag: String,
}

impl WayBack {
    /// Puts this token into the address, or into the subject if the club's address takes none.
    pub(crate) fn with<T: Display + FromStr>(context: &Context, mark: &Sealed<T>) -> Self {
        let settings = &context.settings;
        match settings.plus_addressing {
            true => Self { address: mark.reply_address(&settings.address), tag: String::new() },
            false => Self { address: settings.address.clone(), tag: mark.subject_tag() },
        }
    }

    /// Like [`WayBack::with`], for links to answers; `None` where these carry no token.
    pub(crate) fn of_links<T: Display + FromStr>(
        context: &Context,
        mark: &Sealed<T>,
    ) -> Option<Self> {
        (context.settings.admission != Admission::Token).then(|| Self::with(context, mark))
    }

    /// Returns a link to an answer that says `line`, to a letter of this subject.
    pub(crate) fn link(&self, subject: &str, line: &str) -> Option<String> {
        mailto(&self.address, &format!("Re: {subject}"), &self.tag, line)
    }

    /// Returns a link to an empty letter of this subject.
    pub(crate) fn bare_link(&self, subject: &str) -> Option<String> {
        mailto(&self.address, subject, &self.tag, "")
    }

    /// The address, if it has the token.
    pub(crate) fn address(&self) -> Option<&str> {
        self.tag.is_empty().then_some(&self.address)
    }

    /// Returns what a reader of plain text needs: the address, or the tag for the subject.
    pub(crate) fn shown(&self) -> &str {
        self.address().unwrap_or(&self.tag)
    }

    /// Adds the tag to a letter's subject, if there is one.
    pub(crate) fn subject(&self, subject: &str) -> String {
        if self.tag.is_empty() { subject.to_owned() } else { tagged(subject, &self.tag) }
    }
}

/// The reader's first address.
pub(crate) fn known_as(reader: &Member) -> &str {
    reader.addresses.first().map(String::as_str).unwrap_or_default()
}

/// Returns what a letter to a seat offers besides orders: ballots in open votes, the undoing of
/// what the seat has just ordered, and help on its turn or at the beginning. `is_now` tells whether
/// the letter shows the game as it stands.
///
/// # Errors
/// When the club cannot be read.
fn offers(
    tx: &Transaction<'_>,
    (session, room): (&GameSession, &GameRoom),
    telling: &Telling,
    is_now: bool,
) -> Result<Vec<Offer>, ClubError> {
    let (mut offers, seat) = (Vec::new(), telling.seat);
    if session.table.turn() == Turn::Over {
        return Ok(offers);
    }
    let several = room.open_votes.len() > 1;
    let is_asked = |vote: &&Vote| !vote.yes.contains(&seat) && !vote.no.contains(&seat);
    for vote in room.open_votes.iter().filter(is_asked) {
        for line in [vote.line(), vote.refusal(several)] {
            offers.push(Offer { heading: Some("taps-vote"), line: Arg::Text(line) });
        }
    }
    let besides = |key| Offer { heading: Some("taps-besides"), line: Arg::Term(key) };
    let has_ordered = matches!(telling.occasion, Occasion::Accepted { .. });
    if has_ordered && is_now && game_changes::may(tx, session, seat, room.undo_term()) {
        offers.push(besides("line-undo"));
    }
    let begins = matches!(telling.occasion, Occasion::Welcome);
    if begins || session.table.turn().awaits(seat) {
        offers.push(besides("line-help"));
    }
    offers.extend(begins.then(|| besides("line-rules")));
    Ok(offers)
}

/// Returns how many lines each of several games offers in one letter: the games that wait for the
/// reader share the whole number equally.
pub(crate) fn offer_shares(tellings: &[Telling]) -> Vec<usize> {
    let waiting = tellings.iter().filter(|telling| telling.awaits).count();
    let share = OFFERS_MAX.checked_div(waiting).unwrap_or(0);
    tellings.iter().map(|telling| if telling.awaits { share } else { 0 }).collect()
}

/// Removes tokens from a letter's text. It can quote its reader, and a token that the reader copied
/// would be passed on with it.
pub(crate) fn unmarked(rendered: Rendered) -> Rendered {
    match without_tokens(&rendered.text) {
        Cow::Borrowed(_) => rendered,
        Cow::Owned(text) => Rendered { text, ..rendered },
    }
}

/// Removes tokens from a page, except inside of its tags.
pub(crate) fn unmarked_page(html: &str) -> String {
    let mut shown = String::with_capacity(html.len());
    for piece in html.split_inclusive('>') {
        let (text, tag) = piece.split_at(piece.find('<').unwrap_or(piece.len()));
        shown.push_str(&without_tokens(text));
        shown.push_str(tag);
    }
    shown
}
