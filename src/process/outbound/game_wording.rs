//! The text of letters about games. Games are rendered in parallel, and what all readers of a game
//! share is rendered once. A fault in one letter affects no other letter.
//!
//! A letter also offers lines as mailto links. Tapping a link opens a new letter, and nothing
//! happens until the reader sends it. The link carries the letter's reply token in its address or
//! subject. If a token alone proves the sender, links carry none, because readers may forward a
//! letter.

use super::offered_lines;
use super::pending::SeatUpdate;
use crate::club::clock::describe_moment_briefly;
use crate::club::{ActivityEntry, CampaignTable, GameInfo, GameName, Member, Question};
use crate::mail::settings::SenderProof;
use crate::mail::transport::append_tag_to_subject;
use crate::mail::{CalendarEntry, ReplyToken, SeatToken, TokenPosition, mailto_link, mask_tokens};
use crate::process::context::{ClubError, Context};
use crate::process::game_faults::{catch_game_fault, game_fault};
use crate::process::session::reader::seat_token_generation;
use crate::process::table::{game_changes, news};
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::render::{
    GameLetter, MailtoLinks, OFFERS_MAX, Occasion, Page, PublicLetter, RenderedLetter, SubjectParts,
};
use crate::rules::{Message, Seat};
use crate::store::Repository;
use crate::table::{FoldError, Table};
use chrono::{DateTime, Utc};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

/// The number of a member's first games whose first turn is explained in more detail.
const TUTORIAL_GAMES: usize = 2;

/// One reader's update about a game, to be rendered as text.
#[derive(Clone, Copy)]
pub(crate) struct WordingJob<'a> {
    /// The game's number.
    pub game: u32,
    /// The last record that the update covers.
    pub(crate) head: u32,
    pub written_at: DateTime<Utc>,
    pub subject: WordingSubject<'a>,
}

/// The content and the reader of an update.
#[derive(Clone, Copy)]
pub(crate) enum WordingSubject<'a> {
    /// An update for a seat's player, as a letter or as a part of one.
    Seat(SeatWording<'a>),
    /// An update for an observer.
    Observer {
        reader: &'a Member,
        /// The observer's last seen record.
        last_seen_record: u32,
        /// The public messages since then.
        talk: &'a [ActivityEntry],
    },
}

/// An update for a seat's player, and the space that it has in its letter.
#[derive(Clone, Copy)]
pub(crate) struct SeatWording<'a> {
    pub(super) update: &'a SeatUpdate,
    /// Whether the letter is about several games.
    pub(super) is_bundled: bool,
    /// The maximum number of lines that are offered as links.
    pub(super) offers_max: usize,
    /// Whether the update shows a picture of the board.
    pub(super) has_picture: bool,
}

/// The text of one reader's update about a game.
#[derive(Default)]
pub(crate) struct GameWording {
    pub(crate) rendered: RenderedLetter,
    /// The game's name, number and kind.
    pub(crate) title: String,
    /// The game's name and number, by which mail programs file its letters.
    pub(crate) list_name: String,
    /// The reply token of the reader's seat.
    pub(crate) token: Option<SeatToken>,
    /// Whether it is the reader's turn after this update.
    pub awaits_reader: bool,
    /// The reader's deadline as an iCalendar entry, if the reader wants one.
    pub calendar: Option<String>,
}

impl<'a> WordingJob<'a> {
    /// Creates the job for a letter about one seat.
    pub(crate) const fn for_seat(update: &'a SeatUpdate, written: DateTime<Utc>) -> Self {
        let (is_bundled, offers_max, has_picture) = (false, OFFERS_MAX, true);
        Self::from_seat_wording(
            SeatWording { update, is_bundled, offers_max, has_picture },
            written,
        )
    }

    pub(super) const fn from_seat_wording(
        wording: SeatWording<'a>,
        written_at: DateTime<Utc>,
    ) -> Self {
        let SeatUpdate { game, head, .. } = *wording.update;
        Self { game, head, written_at, subject: WordingSubject::Seat(wording) }
    }
}

/// Renders these jobs in parallel and returns the texts in the same order, or for each what is
/// wrong. An outer error means that the store cannot be read.
pub(crate) fn render_wording_jobs(
    tx: &Transaction<'_>,
    jobs: &[WordingJob<'_>],
) -> Result<Vec<Result<GameWording, Message>>, ClubError> {
    let mut jobs_by_position: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    for (index, job) in jobs.iter().enumerate() {
        jobs_by_position.entry((job.game, job.head)).or_default().push(index);
    }
    let jobs_by_position: Vec<_> = jobs_by_position.into_iter().collect();
    let done: Vec<_> = jobs_by_position
        .par_iter()
        .map(|(place, indices)| {
            let jobs: Vec<WordingJob<'_>> =
                indices.iter().filter_map(|at| jobs.get(*at)).copied().collect();
            render_jobs_of_position(tx, *place, &jobs)
        })
        .collect();
    let mut all: Vec<(usize, Result<GameWording, Message>)> = Vec::with_capacity(jobs.len());
    for ((_, indices), wordings) in jobs_by_position.into_iter().zip(done) {
        all.extend(indices.into_iter().zip(wordings?));
    }
    all.sort_by_key(|(index, _)| *index);
    Ok(all.into_iter().map(|(_, said)| said).collect())
}

/// Renders all jobs about one position of a game.
fn render_jobs_of_position(
    tx: &Transaction<'_>,
    (game, head): (u32, u32),
    jobs: &[WordingJob<'_>],
) -> Result<Vec<Result<GameWording, Message>>, ClubError> {
    let open = || {
        let session = tx
            .opened_game(game)
            .map_or_else(|| tx.load_game(game), |session| Ok(session.clone()))?;
        let is_now = session.table.last_record_number() == head;
        Ok((rewind_session_to(session, head)?, is_now))
    };
    let (session, is_now) = match catch_game_fault(open)? {
        Ok(opened) => opened,
        Err(why) => return Ok(jobs.iter().map(|_| Err(game_fault(game, why.clone()))).collect()),
    };
    let room = tx.game_info(game)?;
    let campaign = room.campaign.as_ref().map(campaign_table_message);
    let page = Page::new(&session.table, &session.names);
    let mut page = page.with_pictures(tx.context.settings.pictures);
    let (campaign, name) = (campaign.as_ref(), room.name.as_ref().map(GameName::as_str));
    let game_context = GameContext { session: &session, info: &room, campaign, name, is_now };
    let wordings = jobs.iter().map(|job| {
        catch_game_fault(|| match job.subject {
            WordingSubject::Seat(wording) => {
                render_seat_update(tx, &mut page, game_context, (wording, job.written_at))
            }
            WordingSubject::Observer { reader, last_seen_record: told, talk: minutes } => {
                let club = &tx.context.settings.name;
                let minutes = &news::mark_talk_by_former_players(&session, minutes.to_vec());
                let letter = PublicLetter {
                    club,
                    reader,
                    last_seen_record: told,
                    activity_log: minutes,
                    campaign,
                    game_name: name,
                };
                let rendered = page.render_public_letter(&tx.context.library, &letter)?;
                Ok(GameWording { rendered, ..GameWording::default() })
            }
        })
    });
    wordings.map(|said| Ok(said?.map_err(|why| game_fault(game, why)))).collect()
}

/// A game with the data that is shown around it.
#[derive(Clone, Copy)]
struct GameContext<'a> {
    session: &'a GameSession,
    info: &'a GameInfo,
    campaign: Option<&'a Message>,
    name: Option<&'a str>,
    /// Whether the letter shows the game's current position.
    is_now: bool,
}

/// Returns a game as it was after the record `head`.
fn rewind_session_to(mut session: GameSession, head: u32) -> Result<GameSession, ClubError> {
    let (game, now) = (session.game_number(), session.table.last_record_number());
    let broken = |error| ClubError::BrokenGame { game, error };
    if head > now {
        return Err(broken(FoldError::Gap { expected: head, found: now }));
    }
    if head < now {
        session.table = session.table.at_record(head).map_err(broken)?;
    }
    Ok(session)
}

/// Returns the part of the activity log that the seat's player may read, up to the update.
fn readable_activity(
    tx: &Transaction<'_>,
    session: &GameSession,
    update: &SeatUpdate,
) -> Result<Vec<ActivityEntry>, ClubError> {
    let (seated, _) = session.seat(update.seat).ok_or(ClubError::NoGame(update.game))?;
    let mut activity = tx.activity_log(update.game)?;
    activity.truncate(update.activity_length.unwrap_or(usize::MAX));
    activity.retain(|entry| seated.can_read(update.seat, entry));
    Ok(news::mark_talk_by_former_players(session, activity))
}

fn render_seat_update(
    tx: &Transaction<'_>,
    page: &mut Page<'_>,
    game_context: GameContext<'_>,
    (wording, written): (SeatWording<'_>, DateTime<Utc>),
) -> Result<GameWording, ClubError> {
    let SeatWording { update, is_bundled, offers_max, has_picture } = wording;
    let GameContext { session, info: room, campaign, name, is_now } = game_context;
    let SeatUpdate { game, seat, .. } = *update;
    let (seated, reader) = session.seat(seat).ok_or(ClubError::NoGame(game))?;
    let position = TokenPosition { game, seat: seat.number(), seq: update.head };
    let token = tx.context.secret.sign_seat_token(position, seat_token_generation(seated, reader));
    let activity = match update.questions.contains(&Question::History) {
        true => readable_activity(tx, session, update)?,
        false => Vec::new(),
    };
    let mut notes = update.notes.clone();
    notes.extend(turns_only_note(tx, session, (update, reader))?);
    let reply_route = ReplyRoute::for_links(tx.context, &token);
    let link = |subject: &str, line: &str| reply_route.as_ref()?.answer_link(subject, line);
    // A letter that shows an earlier position does not offer to undo what came after it.
    let undo = is_now.then(|| undo_note(tx, (session, room), (update, reader), written)).flatten();
    let offers = offered_lines::list_offered_lines(tx, (session, room), update, undo.is_some())?;
    notes.extend(undo);
    let clock: Vec<Message> = update.clock.iter().chain(&update.pace).cloned().collect();
    let rendered = page.render_letter(
        &tx.context.library,
        &GameLetter {
            club: &tx.context.settings.name,
            reader,
            seat,
            is_new: is_first_turn(tx, &session.table, (reader, seat))?,
            moderator: &tx.context.settings.moderators.first.address,
            last_seen_record: update.last_seen_record,
            occasion: &update.occasion,
            questions: &update.questions,
            is_bundled,
            has_picture,
            subject_parts: SubjectParts { game_name: name, written, due: update.due },
            queued_orders: &seated.queued_orders,
            private_notes: &seated.notes,
            news_wish: seated.news_preference,
            plan_notes: &update.plan_notes,
            notices: &notes,
            talk: &news::mark_talk_by_former_players(session, update.talk.clone()),
            activity_log: &activity,
            clock: &clock,
            campaign,
            play_link: play_link(tx.context, &session.table).as_deref(),
            mailto_links: MailtoLinks {
                link: reply_route.is_some().then_some(&link),
                reader_address: first_email_address(reader),
                offers: &offers,
                offers_max,
            },
        },
    )?;
    let language = tx.context.library.language(&reader.language);
    let title = language.game_title(session.table.founding(), name);
    let list_name = format!("{} {game}", language.short_game_name(session.table.founding(), name));
    let due = update.due.filter(|_| reader.letters.calendar);
    let calendar =
        due.map(|due| write_calendar_entry(tx.context, session, (update, &title), due, written));
    let rendered = mask_tokens_in_text(rendered);
    let awaits_reader = session.awaits_orders(seat);
    let token = Some(token);
    Ok(GameWording { rendered, title, list_name, token, awaits_reader, calendar })
}

/// Returns the club's link for recording this game elsewhere, as if it ended with its last record.
fn play_link(context: &Context, table: &Table) -> Option<String> {
    let founding = table.founding();
    let end = table.records().last().map_or(founding.at, |record| record.at);
    let play = (founding.number, founding.seats);
    context.settings.log_plays.fill_link(&founding.game, play, end)
}

/// Returns the note up to when the reader can undo the orders that the letter confirms.
fn undo_note(
    tx: &Transaction<'_>,
    (session, room): (&GameSession, &GameInfo),
    (update, reader): (&SeatUpdate, &Member),
    written: DateTime<Utc>,
) -> Option<Message> {
    if !matches!(update.occasion, Occasion::Accepted { .. }) {
        return None;
    }
    let until = game_changes::undo_deadline(tx, session, update.seat, room.undo_term())?;
    Some(
        Message::new("undo-until")
            .with("by", describe_moment_briefly(until, written, &reader.time)),
    )
}

/// Returns the sentence that tells a player that they get letters only for their turns. It is said
/// once: in the first letter of their first game.
fn turns_only_note(
    tx: &Transaction<'_>,
    session: &GameSession,
    (update, reader): (&SeatUpdate, &Member),
) -> Result<Option<Message>, ClubError> {
    let is_said = update.last_seen_record == 0
        && session.wants_turns_only(update.seat)
        && tx.member_seats(reader.id)?.len() == 1;
    Ok(is_said.then(|| Message::new("letters-turns-first")))
}

/// Whether this is a player's first turn in this game, and the game is one of their first
/// [`TUTORIAL_GAMES`].
fn is_first_turn(
    tx: &Transaction<'_>,
    table: &Table,
    (reader, seat): (&Member, Seat),
) -> Result<bool, ClubError> {
    let has_ordered =
        || table.records().iter().any(|record| Table::seat_that_ordered(record) == Some(seat));
    if !table.turn().awaits(seat) || has_ordered() {
        return Ok(false);
    }
    let game = table.founding().number;
    let earlier = tx.member_seats(reader.id)?.into_iter().filter(|(other, _)| *other < game);
    Ok(earlier.count() < TUTORIAL_GAMES)
}

/// Returns a message that names the campaign, round and table of a game.
fn campaign_table_message(place: &CampaignTable) -> Message {
    Message::new("campaign-table")
        .with("name", place.name.as_str())
        .with("round", place.round)
        .with("table", place.table)
}

/// Returns a deadline as an iCalendar entry.
fn write_calendar_entry(
    context: &Context,
    session: &GameSession,
    (update, title): (&SeatUpdate, &str),
    due: DateTime<Utc>,
    written: DateTime<Utc>,
) -> String {
    let founding = session.table.founding();
    let reader = session.seat(update.seat).map_or("", |(_, reader)| &reader.language);
    let language = context.library.language(reader);
    let summary = language.localize(&Message::new("calendar-summary").with("game", title));
    let appointment = CalendarEntry {
        uid: &context.unique_id(&format!("g{}.s{}", founding.number, update.seat)),
        // The sequence number must grow with each letter. Several letters can follow one record,
        // and each may move the deadline, so it counts minutes since the founding.
        sequence: (written - founding.at).num_minutes(),
        written_at: written,
        deadline: due,
        summary: &summary,
        organizer: &context.settings.address,
    };
    appointment.to_icalendar()
}

/// The address for replies to a letter, with its reply token in the address or in the subject.
pub(crate) struct ReplyRoute {
    address: String,
    /// The tag that the subject must carry. Empty if the address holds the token.
    subject_tag: String,
}

impl ReplyRoute {
    /// Puts the token into the address, or into the subject if the club's address does not support
    /// plus addressing.
    pub(crate) fn for_token<T: Display + FromStr>(
        context: &Context,
        token: &ReplyToken<T>,
    ) -> Self {
        let settings = &context.settings;
        match settings.plus_addressing {
            true => {
                Self { address: token.reply_address(&settings.address), subject_tag: String::new() }
            }
            false => Self { address: settings.address.clone(), subject_tag: token.subject_tag() },
        }
    }

    /// Like [`ReplyRoute::for_token`], for links to answers. Returns `None` if links may not carry
    /// tokens, because a token alone proves the sender in this club.
    pub(crate) fn for_links<T: Display + FromStr>(
        context: &Context,
        token: &ReplyToken<T>,
    ) -> Option<Self> {
        (context.settings.admission != SenderProof::Token).then(|| Self::for_token(context, token))
    }

    /// Returns a mailto link to an answer with the text `line`, to a letter with this subject.
    pub(crate) fn answer_link(&self, subject: &str, line: &str) -> Option<String> {
        mailto_link(&self.address, &format!("Re: {subject}"), &self.subject_tag, line)
    }

    /// Returns a mailto link to an empty letter with this subject.
    pub(crate) fn empty_letter_link(&self, subject: &str) -> Option<String> {
        mailto_link(&self.address, subject, &self.subject_tag, "")
    }

    /// Returns the address if it holds the token.
    pub(crate) fn address_with_token(&self) -> Option<&str> {
        self.subject_tag.is_empty().then_some(&self.address)
    }

    /// Returns the text that a reader of plain text needs for a reply: the address, or the tag for
    /// the subject.
    pub(crate) fn address_or_subject_tag(&self) -> &str {
        self.address_with_token().unwrap_or(&self.subject_tag)
    }

    /// Adds the tag to a letter's subject, if there is one.
    pub(crate) fn add_token_to_subject(&self, subject: &str) -> String {
        if self.subject_tag.is_empty() {
            subject.to_owned()
        } else {
            append_tag_to_subject(subject, &self.subject_tag)
        }
    }
}

/// Returns the reader's first address, or an empty text.
pub(crate) fn first_email_address(reader: &Member) -> &str {
    reader.addresses.first().map(String::as_str).unwrap_or_default()
}

/// Removes reply tokens from a letter's plain text. The text can quote what the reader wrote, and a
/// token in it would be passed on with the letter.
pub(crate) fn mask_tokens_in_text(rendered: RenderedLetter) -> RenderedLetter {
    match mask_tokens(&rendered.text) {
        Cow::Borrowed(_) => rendered,
        Cow::Owned(text) => RenderedLetter { text, ..rendered },
    }
}

/// Removes reply tokens from an HTML page, except inside its tags.
pub(crate) fn mask_tokens_in_html(html: &str) -> String {
    let mut shown = String::with_capacity(html.len());
    for piece in html.split_inclusive('>') {
        let (text, tag) = piece.split_at(piece.find('<').unwrap_or(piece.len()));
        shown.push_str(&mask_tokens(text));
        shown.push_str(tag);
    }
    shown
}
