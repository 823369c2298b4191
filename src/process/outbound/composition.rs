//! Composition: who reads a queued letter now, and the letter's bytes.
//!
//! While the transport is closed, seats change hands, reply tokens become void, and members move or
//! leave. A letter is for its reader and not for an address. So it goes to the address where the
//! reader reads letters now, with the tokens that are valid now, and shows a seat only to the
//! member who sits there. Nothing of this is stored: it is found anew at every try, and only the
//! Message-ID stays the same.

use super::game_wording::{self, Job, Said, WayBack, What};
use super::pending::{self, Addressee, Owed, Plain, Says, Telling};
use crate::club::{Member, Seated};
use crate::mail::transport::{Draft, Origin, compose};
use crate::mail::{ReplyAction, Stop};
use crate::process::context::{ClubError, Context};
use crate::process::isolate::isolate;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::render::{Bundle, BundledGame, LinkMaker, OFFERS_MAX, Picture, Rendered, Taps};
use crate::rules::{Message, Seat};
use crate::store::{Label, Outgoing, Queued, Reader, Repository};
use chrono::{DateTime, Utc};
use rayon::prelude::*;

/// The number of games of which one letter shows pictures: some mail systems refuse more.
const PICTURES_MAX: usize = 3;

/// The fate of a letter that is tried.
pub(crate) enum Leaves {
    /// It is handed to the transport.
    Goes(Ready),
    /// Nobody may read it; these letters are queued instead.
    Void(Vec<Outgoing>),
    /// It cannot be composed, for this reason.
    Fails(Message),
}

/// A composed letter.
pub(crate) struct Ready {
    pub message_id: String,
    /// The address that it goes to.
    pub recipient: String,
    /// The whole letter.
    pub bytes: Vec<u8>,
    /// The member to whose first address it goes; `None` if it goes elsewhere.
    pub(crate) member: Option<u32>,
    /// Whether servers have refused letters to that member since they last took one.
    pub(crate) was_refused: bool,
    /// The seats that it tells something, each with the last record that the seat knew before.
    pub(crate) tells: Vec<(u32, Seat, u32)>,
}

/// A letter whose reader was found, before it has words.
struct Addressed<'a> {
    letter: &'a Outgoing,
    owed: Owed,
    /// The reader; their first address is the one that the letter goes to.
    to: Member,
    /// Whether that address is a member's first.
    is_first: bool,
    written: DateTime<Utc>,
}

/// The headers by which a letter is answered and filed.
#[derive(Default)]
struct Thread<'a> {
    way: Option<WayBack>,
    references: Vec<String>,
    /// Whether it answers letters.
    answers: bool,
    list: Option<(&'a str, String)>,
    /// A link that stops letters of this kind.
    unsubscribe: Option<String>,
    calendars: Vec<String>,
}

/// Composes these letters, and returns the fate of each in the same order.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn leaving(tx: &Transaction<'_>, letters: &[Queued]) -> Result<Vec<Leaves>, ClubError> {
    let addressed = letters.iter().map(|queued| addressed(tx, &queued.letter));
    let addressed: Vec<Result<_, _>> = addressed.collect::<Result<_, _>>()?;
    let jobs =
        addressed.iter().map(|one| one.as_ref().map_or_else(|_| Vec::new(), |one| jobs(one)));
    let jobs: Vec<Vec<Job<'_>>> = jobs.collect();
    let mut said = game_wording::said(tx, &jobs.concat())?.into_iter();
    let said: Vec<Vec<_>> =
        jobs.iter().map(|jobs| said.by_ref().take(jobs.len()).collect()).collect();
    let leaves = |(addressed, said): (Result<Box<Addressed<'_>>, Leaves>, Vec<_>)| match addressed {
        Ok(addressed) => addressed.composed(tx.context, said),
        Err(leaves) => Ok(leaves),
    };
    addressed.into_par_iter().zip(said).map(leaves).collect()
}

/// Composes a letter that does not go through the outbox.
///
/// # Errors
/// When it cannot be composed.
pub(crate) fn ready(tx: &Transaction<'_>, letter: Outgoing) -> Result<Ready, String> {
    let queued = Queued { key: 0, attempts: 0, letter };
    let leaves = leaving(tx, std::slice::from_ref(&queued));
    match leaves.map_err(|error| error.to_string())?.pop() {
        Some(Leaves::Goes(ready)) => Ok(ready),
        Some(Leaves::Fails(why)) => Err(in_club_words(tx.context, &why)),
        Some(Leaves::Void(_)) | None => Err(queued.letter.recipient),
    }
}

/// Returns a fault in the club's language.
pub(crate) fn in_club_words(context: &Context, why: &Message) -> String {
    context.library.language(&context.settings.language).say(why)
}

/// Finds the reader of a letter; the letter's fate if nobody reads it as it is.
fn addressed<'a>(
    tx: &Transaction<'_>,
    letter: &'a Outgoing,
) -> Result<Result<Box<Addressed<'a>>, Leaves>, ClubError> {
    let Some(label) = &letter.label else {
        return Ok(Err(Leaves::Fails(Message::new("fault-unlabelled"))));
    };
    let owed = match Owed::of(&letter.owed) {
        Ok(owed) => owed,
        Err(why) => return Ok(Err(Leaves::Fails(why))),
    };
    let Some((to, is_first)) = reader_now(tx, letter, (&label.reader, &owed))? else {
        return Ok(Err(Leaves::Void(Vec::new())));
    };
    let mut own = Vec::new();
    for telling in owed.tellings() {
        if sits(tx, &to, (telling.game, telling.seat))? {
            own.push(telling);
        }
    }
    if own.len() == owed.tellings().len() {
        let written = label.written;
        return Ok(Ok(Box::new(Addressed { letter, owed, to, is_first, written })));
    }
    Ok(Err(Leaves::Void(own.into_iter().map(|one| by_itself(one, letter)).collect())))
}

/// Finds who reads a letter now, with the address that it goes to as the first, and whether that is
/// a member's first address. Returns `None` if nobody is to read the letter.
fn reader_now(
    tx: &Transaction<'_>,
    letter: &Outgoing,
    (reader, owed): (&Reader, &Owed),
) -> Result<Option<(Member, bool)>, ClubError> {
    let found = match (reader, owed) {
        (Reader::Address, Owed::Plain(plain)) => {
            let Addressee { name, language, generation, moves } = plain.to.clone();
            let nobody = reader::nobody(tx.context, &letter.recipient);
            Some((Member { name, language, generation, moves, ..nobody }, false))
        }
        (Reader::Moderator, Owed::Plain(_)) => Some((reader::moderator(tx)?, false)),
        (Reader::Member(id), Owed::Plain(_)) => present(tx, *id)?.map(|mut member| {
            let place = member.addresses.iter().position(|own| *own == letter.recipient);
            if let Some(place) = place {
                member.addresses.swap(0, place);
            }
            (member, place.unwrap_or(0) == 0)
        }),
        (Reader::Probe(id), Owed::Plain(_)) => {
            let awaits = |member: &Member| {
                member.reach.awaits_probe() && member.addresses.first() == Some(&letter.recipient)
            };
            present(tx, *id)?.filter(awaits).map(|member| (member, true))
        }
        (Reader::Seats { member, .. }, Owed::Seat(_) | Owed::Seats(_)) => {
            present(tx, *member)?.map(|member| (member, true))
        }
        _ => None,
    };
    Ok(found.filter(|(to, _)| !to.addresses.is_empty()))
}

/// Returns a letter that tells one thing of those that another letter told.
fn by_itself(telling: &Telling, of: &Outgoing) -> Outgoing {
    let mut label = of.label.clone();
    if let Some(Label { reader: Reader::Seats { seats, .. }, unsettled, .. }) = &mut label {
        seats.retain(|shown| (shown.game, shown.seat) == (telling.game, telling.seat));
        *unsettled = false;
    }
    telling.clone().letter(of.recipient.clone(), label)
}

/// Returns a member who has not left the club.
pub(crate) fn present(tx: &Transaction<'_>, id: u32) -> Result<Option<Member>, ClubError> {
    Ok(tx.member(id)?.filter(|member| !member.has_left()))
}

/// Whether a member sits at this seat.
pub(crate) fn sits(
    tx: &Transaction<'_>,
    member: &Member,
    (game, seat): (u32, Seat),
) -> Result<bool, ClubError> {
    let is_theirs = |seated: &Seated| seated.member == member.id && !seated.left;
    Ok(tx.seats(game)?.get(seat.index()).is_some_and(is_theirs))
}

/// Returns what a letter says about games, to be worded.
fn jobs<'a>(Addressed { to, owed, written, .. }: &'a Addressed<'_>) -> Vec<Job<'a>> {
    let written = *written;
    if let Owed::Plain(plain) = owed {
        let Says::Watching { game, told, head, minutes } = &plain.says else { return Vec::new() };
        let what = What::Watching { reader: to, told: *told, minutes };
        return vec![Job { game: *game, head: *head, written, what }];
    }
    let among_others = matches!(owed, Owed::Seats(_));
    let tellings = owed.tellings();
    let shares = if among_others { game_wording::offer_shares(tellings) } else { vec![OFFERS_MAX] };
    let shared = tellings.iter().zip(shares);
    shared.map(|(telling, most)| Job::of(telling, (among_others, most), written)).collect()
}

impl Addressed<'_> {
    fn composed(
        &self,
        context: &Context,
        said: Vec<Result<Said, Message>>,
    ) -> Result<Leaves, ClubError> {
        let Self { letter, owed, to, is_first, .. } = self;
        let mut said: Vec<Said> = match (said.into_iter().collect::<Result<_, _>>(), owed) {
            (Ok(said), _) => said,
            (Err(why), Owed::Seat(_) | Owed::Plain(_)) => return Ok(Leaves::Fails(why)),
            // A game that cannot be worded keeps none of the others back.
            (Err(_), Owed::Seats(tellings)) => {
                let alone = tellings.iter().map(|one| by_itself(one, letter));
                return Ok(Leaves::Void(alone.collect()));
            }
        };
        let compose = || match (owed, said.pop()) {
            (Owed::Seat(telling), Some(said)) => self.about_seat(context, telling, &said),
            (Owed::Plain(plain), said) => self.plain(context, plain, said),
            (_, last) => {
                said.extend(last);
                self.about_seats(context, &of_games(owed.tellings(), said))
            }
        };
        Ok(match isolate(compose)? {
            Ok(bytes) => Leaves::Goes(Ready {
                message_id: letter.message_id.clone(),
                recipient: to.addresses.first().cloned().unwrap_or_default(),
                bytes,
                member: is_first.then_some(to.id),
                was_refused: *is_first && to.reach.is_refused(),
                tells: owed.tellings().iter().map(|one| (one.game, one.seat, one.told)).collect(),
            }),
            Err(why) => Leaves::Fails(why),
        })
    }

    /// Composes a letter about a seat.
    fn about_seat(
        &self,
        context: &Context,
        telling: &Telling,
        said: &Said,
    ) -> Result<Vec<u8>, ClubError> {
        let root = context.id_of(&format!("g{}.s{}.r1", telling.game, telling.seat));
        let mut references = telling.answers.clone();
        if root != self.letter.message_id {
            references.insert(0, root);
        }
        let thread = Thread {
            way: said.token.as_ref().map(|token| WayBack::with(context, token)),
            references,
            answers: !telling.answers.is_empty(),
            list: Some((&said.list, context.list_id_of(telling.game))),
            // A player leaves by a word of their own: no mail program's button takes them out.
            unsubscribe: None,
            calendars: said.calendar.iter().cloned().collect(),
        };
        self.bytes(context, &said.rendered, &thread)
    }

    /// Composes a letter that is for no seat.
    fn plain(
        &self,
        context: &Context,
        plain: &Plain,
        of_game: Option<Said>,
    ) -> Result<Vec<u8>, ClubError> {
        let action = plain.action;
        let stops = match plain.says {
            Says::Watching { game, .. } => Some(Stop::Watching(game)),
            Says::Standings(_) => Some(Stop::Standings),
            _ if matches!(action, Some(ReplyAction::Invited { .. })) => Some(Stop::Invitations),
            _ => None,
        };
        let refuse = || {
            let refusal = ReplyAction::refuse(&context.secret, self.to.addresses.first()?);
            self.link_to(context, refusal, &Message::new("stop-letters"))
        };
        let unsubscribe = match stops {
            Some(stops) => self.link_to_stop(context, stops),
            None if pending::reader_by(action) == Reader::Address => refuse(),
            None => None,
        };
        let token = action.map(|action| reader::sealed_action(context, &self.to, action));
        let thread = Thread {
            way: token.map(|token| WayBack::with(context, &token)),
            references: plain.answers.iter().cloned().collect(),
            answers: plain.answers.is_some(),
            unsubscribe,
            ..Thread::default()
        };
        self.bytes(context, &rendered(context, &self.to, plain, of_game), &thread)
    }

    /// Returns a link to a letter by which the reader stops letters of this kind.
    fn link_to_stop(&self, context: &Context, what: Stop) -> Option<String> {
        let words = match what {
            Stop::Watching(game) => Message::new("stop-watching").with("number", game),
            Stop::Digests => Message::new("stop-digests"),
            Stop::Standings => Message::new("stop-standings"),
            Stop::Invitations => Message::new("stop-invitations"),
        };
        self.link_to(context, ReplyAction::Stop { member: self.to.id, what }, &words)
    }

    /// Returns a link to a letter that has only a subject, with these words, and does this action.
    fn link_to(&self, context: &Context, action: ReplyAction, words: &Message) -> Option<String> {
        let token = reader::sealed_action(context, &self.to, action);
        let subject = context.library.language(&self.to.language).say(words);
        WayBack::with(context, &token).bare_link(&subject)
    }

    /// Composes one letter about several games. A plain reply goes to the first of them.
    fn about_seats(
        &self,
        context: &Context,
        games: &[Vec<(&Telling, Said)>],
    ) -> Result<Vec<u8>, ClubError> {
        let settings = &context.settings;
        let ways: Vec<(WayBack, Option<String>)> =
            games.iter().filter_map(|game| way_back(context, game)).collect();
        let pictures = pictures(games);
        let shown = games.iter().zip(&ways).zip(&pictures);
        let shown = shown.map(|((game, (way, link)), picture)| BundledGame {
            title: game.last().map(|(_, said)| &*said.title).unwrap_or_default(),
            waits: game.last().is_some_and(|(_, said)| said.waits),
            reply: way.shown(),
            link: link.as_deref(),
            texts: game.iter().map(|(_, said)| &*said.rendered.text).collect(),
            htmls: game.iter().filter_map(|(_, said)| said.rendered.html.as_deref()).collect(),
            picture: picture.map(|picture| (&*picture.id, &*picture.alt)),
        });
        let shown: Vec<BundledGame<'_>> = shown.collect();
        let newest = || games.iter().filter_map(|game| game.last());
        let waiting = newest().filter(|(_, said)| said.waits);
        let mut rendered = context.library.bundle(&Bundle {
            club: &settings.name,
            reader: &self.to,
            by_subject: !settings.plus_addressing,
            due: (self.written, waiting.filter_map(|(telling, _)| telling.due).min()),
            games: &shown,
        });
        if rendered.html.is_some() {
            rendered.pictures = pictures.into_iter().flatten().cloned().collect();
        }
        let thread = Thread {
            way: ways.into_iter().next().map(|(way, _)| way),
            unsubscribe: self.link_to_stop(context, Stop::Digests),
            // An entry for each deadline that still holds.
            calendars: newest().filter_map(|(_, said)| said.calendar.clone()).collect(),
            ..Thread::default()
        };
        self.bytes(context, &rendered, &thread)
    }

    fn bytes(
        &self,
        context: &Context,
        rendered: &Rendered,
        thread: &Thread<'_>,
    ) -> Result<Vec<u8>, ClubError> {
        let settings = &context.settings;
        let pictures = rendered.pictures.iter();
        let pictures: Vec<_> = pictures.map(|one| (one.id.as_str(), &*one.bytes)).collect();
        let subject = thread.way.as_ref().map(|way| way.subject(&rendered.subject));
        let html = rendered.html.as_deref().map(game_wording::unmarked_page);
        Ok(compose(&Draft {
            message_id: &self.letter.message_id,
            from: (&settings.name, &settings.address),
            to: (&self.to.name, game_wording::known_as(&self.to)),
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

/// Groups what is told by game, in the order in which the games come first.
fn of_games(tellings: &[Telling], said: Vec<Said>) -> Vec<Vec<(&Telling, Said)>> {
    let mut games: Vec<Vec<(&Telling, Said)>> = Vec::new();
    for (telling, said) in tellings.iter().zip(said) {
        let same = |game: &&mut Vec<(&Telling, Said)>| {
            game.first().is_some_and(|(other, _)| other.is_beside(telling))
        };
        match games.iter_mut().find(same) {
            Some(game) => game.push((telling, said)),
            None => games.push(vec![(telling, said)]),
        }
    }
    games
}

/// Renders a letter that is for no seat.
fn rendered(context: &Context, to: &Member, plain: &Plain, of_game: Option<Said>) -> Rendered {
    let (library, club) = (&context.library, context.settings.name.as_str());
    let rendered = match &plain.says {
        Says::Notice(notice) => {
            let token = plain.action.map(|action| reader::sealed_action(context, to, action));
            let way = token.and_then(|token| WayBack::of_links(context, &token));
            let link = |subject: &str, line: &str| way.as_ref()?.link(subject, line);
            let link: Option<&LinkMaker<'_>> = if way.is_some() { Some(&link) } else { None };
            let taps =
                Taps { link, from: game_wording::known_as(to), offers: &[], most: OFFERS_MAX };
            library.notice(to, club, notice, plain.is_answer(), &taps)
        }
        Says::Probe => library.probe(to, club),
        Says::Report(lines) => library.report(to, club, lines),
        Says::Sections { subject, sections } => library.sections(to, subject, sections),
        Says::Standings(standings) => library.standings(to, club, standings),
        Says::Watching { .. } => of_game.map(|said| said.rendered).unwrap_or_default(),
    };
    game_wording::unmarked(rendered)
}

/// Returns how a game among others is answered, and a link to that if links carry tokens. The
/// newest part of the game counts, because it shows the position that the reader answers.
fn way_back(context: &Context, game: &[(&Telling, Said)]) -> Option<(WayBack, Option<String>)> {
    let (_, newest) = game.last()?;
    let token = newest.token.as_ref()?;
    let link = WayBack::of_links(context, token).and_then(|way| way.link(&newest.title, ""));
    Some((WayBack::with(context, token), link))
}

/// Returns the picture of each of these games, for those that have the least time left.
fn pictures<'a>(games: &'a [Vec<(&Telling, Said)>]) -> Vec<Option<&'a Picture>> {
    let due = |at: &usize| games.get(*at)?.last()?.0.due;
    let mut urgent: Vec<usize> = (0..games.len()).collect();
    urgent.sort_by_key(|at| due(at).map_or(i64::MAX, |due| due.timestamp()));
    urgent.truncate(PICTURES_MAX);
    let newest = |game: &'a [(&Telling, Said)]| game.last()?.1.rendered.pictures.last();
    let shown = |(at, game): (usize, &'a Vec<_>)| urgent.contains(&at).then(|| newest(game))?;
    games.iter().enumerate().map(shown).collect()
}
