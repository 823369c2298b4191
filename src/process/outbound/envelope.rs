//! Letters with words into bytes: marks, threads, and whom they go to.
//!
//! May not know what a letter tells.

use super::owed::{Plain, Says, Telling};
use super::taps::{self, WayBack};
use super::tell;
use super::words::Said;
use crate::club::Member;
use crate::mail::transport::{Draft, Origin, compose};
use crate::mail::{ReplyAction, Stop};
use crate::process::context::{ClubError, Context};
use crate::process::session::reader;
use crate::render::{Bundle, BundledGame, Picture, Rendered};
use crate::rules::Message;
use crate::store::Reader;
use chrono::{DateTime, Utc};

/// Of how many games one letter shows pictures: more would not pass everywhere.
const PICTURES_MAX: usize = 3;

/// What stands on a letter.
#[derive(Clone, Copy)]
pub(crate) struct Envelope<'a> {
    /// The Message-ID, the same whenever the letter is composed.
    pub message_id: &'a str,
    /// Who reads it; his first address is where it goes.
    pub(crate) to: &'a Member,
    /// When it was written.
    pub written: DateTime<Utc>,
}

/// Where a letter stands among others.
#[derive(Default)]
struct Thread<'a> {
    /// By which mark it is answered.
    way: Option<WayBack>,
    references: Vec<String>,
    /// Whether it answers letters.
    answers: bool,
    list: Option<(&'a str, String)>,
    /// A link that stops such letters, and nothing else.
    unsubscribe: Option<String>,
    calendars: Vec<String>,
}

impl Envelope<'_> {
    /// A letter about a seat.
    ///
    /// # Errors
    /// When it cannot be composed.
    pub(crate) fn about_seat(
        &self,
        context: &Context,
        telling: &Telling,
        said: &Said,
    ) -> Result<Vec<u8>, ClubError> {
        let root = context.id_of(&format!("g{}.s{}.r1", telling.game, telling.seat));
        let mut references = telling.answers.clone();
        if root != self.message_id {
            references.insert(0, root);
        }
        let token = said.token.as_ref();
        let thread = Thread {
            way: token.map(|token| WayBack::with(context, token)),
            references,
            answers: !telling.answers.is_empty(),
            list: Some((&said.list, context.list_id_of(telling.game))),
            // Who plays leaves by a word of his own: no mail program's button takes him out.
            unsubscribe: None,
            calendars: said.calendar.iter().cloned().collect(),
        };
        self.composed(context, &said.rendered, &thread)
    }

    /// A letter that is for no seat.
    ///
    /// # Errors
    /// When it cannot be composed.
    pub(crate) fn plain(
        &self,
        context: &Context,
        plain: &Plain,
        rendered: &Rendered,
    ) -> Result<Vec<u8>, ClubError> {
        let mut thread = Thread {
            references: plain.answers.iter().cloned().collect(),
            answers: plain.answers.is_some(),
            ..Thread::default()
        };
        let what = match plain.says {
            Says::Watching { game, .. } => Some(Stop::Watching(game)),
            Says::Standings(_) => Some(Stop::Standings),
            _ if matches!(plain.action, Some(ReplyAction::Invited { .. })) => {
                Some(Stop::Invitations)
            }
            _ => None,
        };
        thread.unsubscribe = match what {
            Some(what) => self.link_to_stop(context, what),
            None if tell::reader_by(plain.action) == Reader::Address => {
                self.link_to_refuse(context)
            }
            None => None,
        };
        let token = plain.action.map(|action| reader::sealed_action(context, self.to, action));
        thread.way = token.map(|token| WayBack::with(context, &token));
        self.composed(context, rendered, &thread)
    }

    /// A link to a letter that stops letters of this kind to its reader, whoever's program sends
    /// it.
    fn link_to_stop(&self, context: &Context, what: Stop) -> Option<String> {
        let action = ReplyAction::Stop { member: self.to.id, what };
        let token = reader::sealed_action(context, self.to, action);
        let words = match what {
            Stop::Watching(game) => Message::new("stop-watching").with("number", game),
            Stop::Digests => Message::new("stop-digests"),
            Stop::Standings => Message::new("stop-standings"),
            Stop::Invitations => Message::new("stop-invitations"),
        };
        let subject = context.library.language(&self.to.language).say(&words);
        WayBack::with(context, &token).bare_link(&subject)
    }

    /// Returns a link to a letter by which a non-member refuses all letters.
    fn link_to_refuse(&self, context: &Context) -> Option<String> {
        let address = self.to.addresses.first()?;
        let action = ReplyAction::refuse(&context.secret, address);
        let token = reader::sealed_action(context, self.to, action);
        let words = Message::new("stop-letters");
        let subject = context.library.language(&self.to.language).say(&words);
        WayBack::with(context, &token).bare_link(&subject)
    }

    /// One letter about several games, of which a plain reply goes to the first.
    ///
    /// # Errors
    /// When it cannot be composed.
    pub(crate) fn about_seats(
        &self,
        context: &Context,
        games: &[Vec<(&Telling, Said)>],
    ) -> Result<Vec<u8>, ClubError> {
        let settings = &context.settings;
        let replies: Vec<Reply> =
            games.iter().filter_map(|game| Reply::to(game, context)).collect();
        let pictures = pictures(games);
        let shown = games.iter().zip(&replies).zip(&pictures);
        let shown = shown.map(|((game, reply), picture)| reply.shown(game, *picture));
        let shown: Vec<BundledGame<'_>> = shown.collect();
        let mut rendered = context.library.bundle(&Bundle {
            club: &settings.name,
            reader: self.to,
            by_subject: !settings.plus_addressing,
            due: (self.written, first_due(games)),
            games: &shown,
        });
        if rendered.html.is_some() {
            rendered.pictures = pictures.into_iter().flatten().cloned().collect();
        }
        // An entry for each deadline that still holds.
        let newest = games.iter().filter_map(|game| game.last());
        let thread = Thread {
            way: replies.into_iter().next().map(|first| first.way),
            unsubscribe: self.link_to_stop(context, Stop::Digests),
            calendars: newest.filter_map(|(_, said)| said.calendar.clone()).collect(),
            ..Thread::default()
        };
        self.composed(context, &rendered, &thread)
    }

    fn composed(
        &self,
        context: &Context,
        rendered: &Rendered,
        thread: &Thread<'_>,
    ) -> Result<Vec<u8>, ClubError> {
        let settings = &context.settings;
        let recipient = self.to.addresses.first().map(String::as_str).unwrap_or_default();
        let pictures = rendered.pictures.iter();
        let pictures: Vec<_> = pictures.map(|one| (one.id.as_str(), &*one.bytes)).collect();
        let subject = thread.way.as_ref().map(|way| way.subject(&rendered.subject));
        let html = rendered.html.as_deref().map(taps::unmarked_page);
        Ok(compose(&Draft {
            message_id: self.message_id,
            from: (&settings.name, &settings.address),
            to: (&self.to.name, recipient),
            reply_to: thread.way.as_ref().and_then(WayBack::address),
            subject: subject.as_deref().unwrap_or(&rendered.subject),
            in_reply_to: thread.references.last().map(String::as_str),
            references: &thread.references,
            list: thread.list.as_ref().map(|(name, id)| (*name, id.as_str())),
            unsubscribe: thread.unsubscribe.as_deref(),
            origin: if thread.answers { Origin::Replied } else { Origin::Generated },
            at: self.written,
            text: &rendered.text,
            html: html.as_deref(),
            pictures: &pictures,
            calendars: &thread.calendars,
        })?)
    }
}

/// How a game among others is answered.
struct Reply {
    way: WayBack,
    /// A link to it; none where links carry no mark.
    link: Option<String>,
}

impl Reply {
    /// By the newest of what is told of it, as that shows the position that the reader answers.
    fn to(game: &[(&Telling, Said)], context: &Context) -> Option<Self> {
        let (_, newest) = game.last()?;
        let token = newest.token.as_ref()?;
        let link = WayBack::of_links(context, token).and_then(|way| way.link(&newest.title, ""));
        Some(Self { way: WayBack::with(context, token), link })
    }

    fn shown<'a>(
        &'a self,
        game: &'a [(&Telling, Said)],
        picture: Option<&'a Picture>,
    ) -> BundledGame<'a> {
        let newest = game.last();
        BundledGame {
            title: newest.map(|(_, said)| &*said.title).unwrap_or_default(),
            waits: newest.is_some_and(|(_, said)| said.waits),
            reply: self.way.shown(),
            link: self.link.as_deref(),
            texts: game.iter().map(|(_, said)| &*said.rendered.text).collect(),
            htmls: game.iter().filter_map(|(_, said)| said.rendered.html.as_deref()).collect(),
            picture: picture.map(|picture| (&*picture.id, &*picture.alt)),
        }
    }
}

/// Until when there is time for the first of those of these games that wait for their reader.
fn first_due(games: &[Vec<(&Telling, Said)>]) -> Option<DateTime<Utc>> {
    let newest = games.iter().filter_map(|game| game.last());
    newest.filter(|(_, said)| said.waits).filter_map(|(telling, _)| telling.due).min()
}

/// The picture of each of these games, for those that have the least time left.
fn pictures<'a>(games: &'a [Vec<(&Telling, Said)>]) -> Vec<Option<&'a Picture>> {
    let due = |game: &[(&Telling, Said)]| game.last().and_then(|(telling, _)| telling.due);
    let mut urgent: Vec<usize> = (0..games.len()).collect();
    urgent.sort_by_key(|&at| {
        games.get(at).and_then(|game| due(game)).map_or(i64::MAX, |due| due.timestamp())
    });
    urgent.truncate(PICTURES_MAX);
    let newest = |game: &'a [(&Telling, Said)]| game.last()?.1.rendered.pictures.last();
    let shown = |(at, game): (usize, &'a Vec<_>)| urgent.contains(&at).then(|| newest(game))?;
    games.iter().enumerate().map(shown).collect()
}
