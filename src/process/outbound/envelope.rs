//! Letters with words into bytes: marks, threads, and whom they go to.
//!
//! May not know what a letter tells.

use super::owed::{Plain, Says, Telling};
use super::taps::WayBack;
use super::words::Said;
use crate::club::Member;
use crate::mail::transport::{Draft, Origin, compose, tagged};
use crate::mail::{ReplyAction, Sealed, Stop, mailto};
use crate::process::context::{ClubError, Context};
use crate::process::session::reader;
use crate::render::{Bundle, BundledGame, Picture, Rendered};
use crate::rules::Message;
use chrono::{DateTime, Utc};
use std::fmt::Display;
use std::str::FromStr;

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
    reply_to: Option<String>,
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
        let settings = &context.settings;
        let host = settings.host();
        let place = format!("g{}.s{}", telling.game, telling.seat);
        let root = format!("{place}.r1@{host}");
        let mut references = telling.answers.clone();
        if root != self.message_id {
            references.insert(0, root);
        }
        let mut rendered = said.rendered.clone();
        let mut thread = Thread {
            references,
            answers: !telling.answers.is_empty(),
            list: Some((&said.list, format!("g{}.{host}", telling.game))),
            // Who plays leaves by a word of his own: no mail program's button takes him out.
            unsubscribe: None,
            calendars: said.calendar.iter().cloned().collect(),
            ..Thread::default()
        };
        if let Some(token) = &said.token {
            thread.mark(context, &mut rendered, token);
        }
        self.composed(context, &rendered, &thread)
    }

    /// A letter that is for no seat.
    ///
    /// # Errors
    /// When it cannot be composed.
    pub(crate) fn plain(
        &self,
        context: &Context,
        plain: &Plain,
        mut rendered: Rendered,
    ) -> Result<Vec<u8>, ClubError> {
        let mut thread = Thread {
            references: plain.answers.iter().cloned().collect(),
            answers: plain.answers.is_some(),
            ..Thread::default()
        };
        let what = match plain.says {
            Says::Watching { game, .. } => Some(Stop::Watching(game)),
            Says::Standings(_) => Some(Stop::Standings),
            _ => None,
        };
        thread.unsubscribe = what.and_then(|what| self.link_to_stop(context, what));
        if let Some(action) = plain.action {
            let token = reader::sealed_action(context, self.to, action);
            thread.mark(context, &mut rendered, &token);
        }
        self.composed(context, &rendered, &thread)
    }

    /// A link to a letter that stops letters of this kind to its reader, whoever's program sends
    /// it.
    fn link_to_stop(&self, context: &Context, what: Stop) -> Option<String> {
        let settings = &context.settings;
        let action = ReplyAction::Stop { member: self.to.id, what };
        let token = reader::sealed_action(context, self.to, action);
        let words = match what {
            Stop::Watching(game) => Message::new("stop-watching").with("number", game),
            Stop::Digests => Message::new("stop-digests"),
            Stop::Standings => Message::new("stop-standings"),
        };
        let subject = context.library.language(&self.to.language).say(&words);
        match settings.plus_addressing {
            true => mailto(&token.reply_address(&settings.address), &subject, "", ""),
            false => mailto(&settings.address, &subject, &token.subject_tag(), ""),
        }
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
        let plus = settings.plus_addressing;
        let replies: Vec<Reply> =
            games.iter().filter_map(|game| Reply::to(game, context)).collect();
        let pictures = pictures(games);
        let shown = games.iter().zip(&replies).zip(&pictures);
        let shown = shown.map(|((game, reply), picture)| reply.shown(game, *picture));
        let shown: Vec<BundledGame<'_>> = shown.collect();
        let first = replies.first().map(|reply| reply.shown.as_str());
        let mut rendered = context.library.bundle(&Bundle {
            club: &settings.name,
            reader: self.to,
            by_subject: !plus,
            due: (self.written, first_due(games)),
            games: &shown,
        });
        if let Some(tag) = first.filter(|_| !plus) {
            rendered.subject = tagged(&rendered.subject, tag);
        }
        if rendered.html.is_some() {
            rendered.pictures = pictures.into_iter().flatten().cloned().collect();
        }
        // An entry for each deadline that still holds.
        let newest = games.iter().filter_map(|game| game.last());
        let thread = Thread {
            reply_to: first.filter(|_| plus).map(str::to_owned),
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
        Ok(compose(&Draft {
            message_id: self.message_id,
            from: (&settings.name, &settings.address),
            to: (&self.to.name, recipient),
            reply_to: thread.reply_to.as_deref(),
            subject: &rendered.subject,
            in_reply_to: thread.references.last().map(String::as_str),
            references: &thread.references,
            list: thread.list.as_ref().map(|(name, id)| (*name, id.as_str())),
            unsubscribe: thread.unsubscribe.as_deref(),
            origin: if thread.answers { Origin::Replied } else { Origin::Generated },
            at: self.written,
            text: &rendered.text,
            html: rendered.html.as_deref(),
            pictures: &pictures,
            calendars: &thread.calendars,
        })?)
    }
}

impl Thread<'_> {
    /// Lets a reply come back with a mark: in its address, or in its subject.
    fn mark<T: Display + FromStr>(
        &mut self,
        context: &Context,
        rendered: &mut Rendered,
        token: &Sealed<T>,
    ) {
        if context.settings.plus_addressing {
            self.reply_to = Some(token.reply_address(&context.settings.address));
        } else {
            rendered.subject = tagged(&rendered.subject, &token.subject_tag());
        }
    }
}

/// How a game among others is answered.
struct Reply {
    /// What the reader of its text is shown: an address, or what the subject must carry.
    shown: String,
    /// A link to it; none where links carry no mark.
    link: Option<String>,
}

impl Reply {
    /// By the newest of what is told of it, as that shows the position that the reader answers.
    fn to(game: &[(&Telling, Said)], context: &Context) -> Option<Self> {
        let (_, newest) = game.last()?;
        let (token, settings) = (newest.token.as_ref()?, &context.settings);
        let way = WayBack::with(context, token);
        let link = way.and_then(|way| way.link(&newest.title, ""));
        let shown = match settings.plus_addressing {
            true => token.reply_address(&settings.address),
            false => token.subject_tag(),
        };
        Some(Self { shown, link })
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
            reply: &self.shown,
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
