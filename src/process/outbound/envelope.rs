//! Letters with words into bytes: marks, threads, and whom they go to.
//!
//! May not know what a letter tells.

use super::owed::{Plain, Telling};
use super::taps::WayBack;
use super::words::Said;
use crate::club::Member;
use crate::mail::transport::{Draft, Origin, compose};
use crate::process::context::{ClubError, Context};
use crate::process::session::reader;
use crate::render::{Bundle, BundledGame, Picture, Rendered};
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
    reply_to: Option<String>,
    references: Vec<String>,
    /// Whether it answers letters.
    answers: bool,
    list: Option<(&'a str, String)>,
    unsubscribe: Option<&'a str>,
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
        let token = said.token.as_ref().filter(|_| settings.plus_addressing);
        let subject = said.rendered.subject.as_str();
        // Mail programs show the name of a list, and file by it.
        let (name, _) = subject.split_once(" [postrider ").unwrap_or((subject, ""));
        let thread = Thread {
            reply_to: token.map(|token| token.reply_address(&settings.address)),
            references,
            answers: !telling.answers.is_empty(),
            list: Some((name, format!("g{}.{host}", telling.game))),
            unsubscribe: Some(&settings.moderator.address),
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
        mut rendered: Rendered,
    ) -> Result<Vec<u8>, ClubError> {
        let mut thread = Thread {
            references: plain.answers.iter().cloned().collect(),
            answers: plain.answers.is_some(),
            ..Thread::default()
        };
        let token = plain.action.map(|action| reader::sealed_action(context, self.to, action));
        match token {
            Some(token) if context.settings.plus_addressing => {
                thread.reply_to = Some(token.reply_address(&context.settings.address));
            }
            Some(token) => {
                rendered.subject = format!("{} {}", rendered.subject, token.subject_tag());
            }
            None => {}
        }
        self.composed(context, &rendered, &thread)
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
            subject_tag: first.filter(|_| !plus),
            games: &shown,
        });
        if rendered.html.is_some() {
            rendered.pictures = pictures.into_iter().flatten().cloned().collect();
        }
        // An entry for each deadline that still holds.
        let newest = games.iter().filter_map(|game| game.last());
        let thread = Thread {
            reply_to: first.filter(|_| plus).map(str::to_owned),
            unsubscribe: Some(&settings.moderator.address),
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
            unsubscribe: thread.unsubscribe,
            origin: if thread.answers { Origin::Replied } else { Origin::Generated },
            at: self.written,
            text: &rendered.text,
            html: rendered.html.as_deref(),
            pictures: &pictures,
            calendars: &thread.calendars,
        })?)
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
        let link = way.and_then(|way| way.link(&newest.rendered.subject, ""));
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
            title: newest.map(|(_, said)| &*said.rendered.subject).unwrap_or_default(),
            waits: newest.is_some_and(|(_, said)| said.waits),
            reply: &self.shown,
            link: self.link.as_deref(),
            texts: game.iter().map(|(_, said)| &*said.rendered.text).collect(),
            htmls: game.iter().filter_map(|(_, said)| said.rendered.html.as_deref()).collect(),
            picture: picture.map(|picture| (&*picture.id, &*picture.alt)),
        }
    }
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
