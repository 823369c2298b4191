//! What leaves of the letters that wait: for whom each is now, in words, as bytes.
//!
//! While the way out is closed seats change hands, marks are made void, and members move or leave.
//! What a letter shows is for its reader and not for an address: it leaves only to the address
//! where he reads his letters now, with the marks that are valid now, and what is told to a seat
//! only to who sits there. Nothing of this is stored; it is found anew whenever a letter is tried,
//! and the Message-ID stays. What cannot be worded is that letter's fault.

use super::envelope::Envelope;
use super::owed::{Addressee, Owed, Plain, Says, Telling};
use super::taps::{self, WayBack};
use super::words::{Job, Said, What, said};
use crate::club::{Member, Seated};
use crate::process::context::{ClubError, Context};
use crate::process::isolate::isolate;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::render::{LinkMaker, OFFERS_MAX, Rendered, Taps};
use crate::rules::{Message, Seat};
use crate::store::{Label, Outgoing, Queued, Reader, Repository, Row};
use chrono::{DateTime, Utc};
use rayon::prelude::*;

/// What becomes of a letter that is tried.
pub(crate) enum Leaves {
    /// It is handed over like this.
    Goes(Ready),
    /// Nobody is to read it; these are queued in its place.
    Void(Vec<Outgoing>),
    /// It cannot be worded, for this reason.
    Fails(Message),
}

/// A letter as it is handed over.
pub(crate) struct Ready {
    /// The Message-ID under which it leaves.
    pub message_id: String,
    /// The address that it goes to.
    pub recipient: String,
    /// The whole letter.
    pub bytes: Vec<u8>,
    /// The member to whose first address it goes; none if it goes elsewhere.
    pub(crate) member: Option<u32>,
    /// Whether servers have refused letters to that member since they last took one.
    pub(crate) was_refused: bool,
    /// The seats that it tells something, each with the last record that it knew before.
    pub(crate) tells: Vec<(u32, Seat, u32)>,
}

/// For whom a letter is now.
pub(crate) enum Destined {
    /// For this reader, as it is to be worded.
    Owed(Box<Addressed>, Owed),
    /// It needs no words, or has none.
    Leaves(Leaves),
}

/// A reader, and the address that the letter goes to.
pub(crate) struct Addressed {
    /// The reader; that address is the first here.
    to: Member,
    /// Whether that address is a member's first.
    is_first: bool,
}

/// What becomes of each of these letters, in their order.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn leaving(tx: &Transaction<'_>, letters: &[Queued]) -> Result<Vec<Leaves>, ClubError> {
    tx.foresee(letters.iter().flat_map(|queued| read_for(&queued.letter)))?;
    let destined = letters.iter().map(|queued| destined(tx, &queued.letter));
    let destined: Vec<Destined> = destined.collect::<Result<_, _>>()?;
    let mut jobs = Vec::new();
    let mut counts = Vec::with_capacity(letters.len());
    for (destined, queued) in destined.iter().zip(letters) {
        let before = jobs.len();
        if let Destined::Owed(addressed, owed) = destined {
            jobs.extend(jobs_of(&addressed.to, owed, written(tx.context, &queued.letter)));
        }
        counts.push(jobs.len() - before);
    }
    let mut words = said(tx, &jobs)?.into_iter();
    let words: Vec<Vec<_>> = counts.iter().map(|n| words.by_ref().take(*n).collect()).collect();
    let leaves = |((destined, queued), words): ((Destined, &Queued), Vec<_>)| match destined {
        Destined::Owed(to, owed) => composed(tx.context, &queued.letter, (&to, &owed), words),
        Destined::Leaves(leaves) => Ok(leaves),
    };
    destined.into_par_iter().zip(letters).zip(words).map(leaves).collect()
}

/// What is read to put a letter into words.
fn read_for(letter: &Outgoing) -> Vec<Row> {
    match letter.label.as_ref().map(|label| &label.reader) {
        Some(Reader::Seats { member, seats }) => {
            let games = seats.iter().map(|shown| Row::Game(shown.game));
            std::iter::once(Row::Member(*member)).chain(games).collect()
        }
        Some(Reader::Member(id) | Reader::Probe(id)) => vec![Row::Member(*id)],
        Some(Reader::Moderator | Reader::Address) | None => Vec::new(),
    }
}

/// A letter as it is handed over past the outbox.
///
/// # Errors
/// When it cannot be worded.
pub(crate) fn ready(tx: &Transaction<'_>, letter: Outgoing) -> Result<Ready, String> {
    let queued = Queued { key: 0, attempts: 0, letter };
    let leaves = leaving(tx, std::slice::from_ref(&queued));
    match leaves.map_err(|error| error.to_string())?.pop() {
        Some(Leaves::Goes(ready)) => Ok(ready),
        Some(Leaves::Fails(why)) => Err(in_club_words(tx.context, &why)),
        Some(Leaves::Void(_)) | None => Err(queued.letter.recipient),
    }
}

/// A fault as the club's language has it.
pub(crate) fn in_club_words(context: &Context, why: &Message) -> String {
    context.library.language(&context.settings.language).say(why)
}

fn written(context: &Context, letter: &Outgoing) -> DateTime<Utc> {
    letter.label.as_ref().map_or(context.now, |label| label.written)
}

/// Finds for whom a letter is now.
fn destined(tx: &Transaction<'_>, letter: &Outgoing) -> Result<Destined, ClubError> {
    let Some(label) = &letter.label else {
        return Ok(Destined::Leaves(Leaves::Fails(Message::new("fault-unlabelled"))));
    };
    let owed = match Owed::of(&letter.owed) {
        Ok(owed) => owed,
        Err(why) => return Ok(Destined::Leaves(Leaves::Fails(why))),
    };
    let Some(addressed) = addressed(tx, letter, (&label.reader, &owed))? else {
        return Ok(Destined::Leaves(Leaves::Void(Vec::new())));
    };
    let to = &addressed.to;
    let mut his = Vec::new();
    for telling in owed.tellings() {
        if sits(tx, to, (telling.game, telling.seat))? {
            his.push(telling);
        }
    }
    if his.len() == owed.tellings().len() {
        return Ok(Destined::Owed(Box::new(addressed), owed));
    }
    Ok(Destined::Leaves(Leaves::Void(his.into_iter().map(|one| by_itself(one, letter)).collect())))
}

/// Finds the reader of a letter, and where it goes; none if nobody is to read it.
fn addressed(
    tx: &Transaction<'_>,
    letter: &Outgoing,
    what: (&Reader, &Owed),
) -> Result<Option<Addressed>, ClubError> {
    let at_first = |to: Member| Addressed { to, is_first: true };
    let elsewhere = |to: Member| Addressed { to, is_first: false };
    let addressed = match what {
        (Reader::Address, Owed::Plain(plain)) => {
            Some(elsewhere(addressee(tx.context, &letter.recipient, &plain.to)))
        }
        (Reader::Moderator, Owed::Plain(_)) => Some(elsewhere(reader::moderator(tx)?)),
        (Reader::Member(id), Owed::Plain(_)) => present(tx, *id)?.map(|member| {
            let own = member.addresses.iter().position(|own| *own == letter.recipient);
            let own = own.unwrap_or(0);
            Addressed { to: at_address(member, own), is_first: own == 0 }
        }),
        (Reader::Probe(id), Owed::Plain(_)) => {
            let awaits = |member: &Member| {
                member.reach.awaits_probe() && member.addresses.first() == Some(&letter.recipient)
            };
            present(tx, *id)?.filter(awaits).map(at_first)
        }
        (Reader::Seats { member, .. }, Owed::Seat(_) | Owed::Seats(_)) => {
            present(tx, *member)?.map(at_first)
        }
        _ => None,
    };
    Ok(addressed.filter(|addressed| !addressed.to.addresses.is_empty()))
}

/// A letter that tells one thing of those that were told by another one.
fn by_itself(telling: &Telling, of: &Outgoing) -> Outgoing {
    let mut label = of.label.clone();
    if let Some(Label { reader: Reader::Seats { seats, .. }, unsettled, .. }) = &mut label {
        seats.retain(|shown| (shown.game, shown.seat) == (telling.game, telling.seat));
        *unsettled = false;
    }
    Outgoing {
        message_id: telling.id.clone(),
        recipient: of.recipient.clone(),
        owed: Owed::Seat(Box::new(telling.clone())).kept(),
        label,
    }
}

/// A member who has not left the club.
pub fn present(tx: &Transaction<'_>, id: u32) -> Result<Option<Member>, ClubError> {
    Ok(tx.member(id)?.filter(|member| !member.has_left()))
}

/// Whether a seat is a member's.
pub(crate) fn sits(
    tx: &Transaction<'_>,
    member: &Member,
    (game, seat): (u32, Seat),
) -> Result<bool, ClubError> {
    let his = |seated: &Seated| seated.member == member.id && !seated.left;
    Ok(tx.seats(game)?.get(seat.index()).is_some_and(his))
}

/// A member as he reads what goes to this one of his addresses.
fn at_address(mut member: Member, place: usize) -> Member {
    if place < member.addresses.len() {
        member.addresses.swap(0, place);
    }
    member
}

/// Somebody of whom nothing is known but what was known when he was to be written to.
fn addressee(context: &Context, address: &str, to: &Addressee) -> Member {
    let Addressee { name, language, generation, moves } = to.clone();
    Member { name, language, generation, moves, ..reader::nobody(context, address) }
}

/// What of a letter is about games.
fn jobs_of<'a>(to: &'a Member, owed: &'a Owed, written: DateTime<Utc>) -> Vec<Job<'a>> {
    if let Owed::Plain(plain) = owed {
        let Says::Watching { game, told, head, minutes } = &plain.says else { return Vec::new() };
        let what = What::Watching { reader: to, told: *told, minutes };
        return vec![Job { game: *game, head: *head, written, what }];
    }
    let among_others = matches!(owed, Owed::Seats(_));
    let shares = if among_others { taps::shares(owed.tellings()) } else { vec![OFFERS_MAX] };
    let shared = owed.tellings().iter().zip(shares);
    shared.map(|(telling, most)| Job::of(telling, (among_others, most), written)).collect()
}

fn composed(
    context: &Context,
    letter: &Outgoing,
    (addressed, owed): (&Addressed, &Owed),
    words: Vec<Result<Said, Message>>,
) -> Result<Leaves, ClubError> {
    let mut words: Vec<Said> = match (words.into_iter().collect::<Result<_, _>>(), owed) {
        (Ok(words), _) => words,
        (Err(why), Owed::Seat(_) | Owed::Plain(_)) => return Ok(Leaves::Fails(why)),
        // What is wrong with one of them shall keep none of the others back.
        (Err(_), Owed::Seats(tellings)) => {
            return Ok(Leaves::Void(tellings.iter().map(|one| by_itself(one, letter)).collect()));
        }
    };
    let Addressed { to, is_first } = addressed;
    let envelope =
        Envelope { message_id: &letter.message_id, to, written: written(context, letter) };
    let compose = || match (owed, words.pop()) {
        (Owed::Seat(telling), Some(said)) => envelope.about_seat(context, telling, &said),
        (Owed::Plain(plain), said) => {
            envelope.plain(context, plain, &rendered(context, to, plain, said))
        }
        (_, last) => {
            words.extend(last);
            envelope.about_seats(context, &of_games(owed.tellings(), words))
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

/// What is told of each game, in the order in which the games come first.
fn of_games(tellings: &[Telling], words: Vec<Said>) -> Vec<Vec<(&Telling, Said)>> {
    let mut games: Vec<Vec<(&Telling, Said)>> = Vec::new();
    for (telling, said) in tellings.iter().zip(words) {
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

/// The words of a letter that is for no seat.
fn rendered(context: &Context, to: &Member, plain: &Plain, of_game: Option<Said>) -> Rendered {
    let (library, club) = (&context.library, context.settings.name.as_str());
    let rendered = match &plain.says {
        Says::Notice(notice) => {
            let mark = plain.action.map(|action| reader::sealed_action(context, to, action));
            let way = mark.and_then(|mark| WayBack::of_links(context, &mark));
            let link = |subject: &str, line: &str| way.as_ref()?.link(subject, line);
            let link: Option<&LinkMaker<'_>> = if way.is_some() { Some(&link) } else { None };
            let taps = Taps { link, from: taps::known_as(to), offers: &[], most: OFFERS_MAX };
            library.notice(to, club, notice, plain.is_answer(), &taps)
        }
        Says::Probe => library.probe(to, club),
        Says::Report(lines) => library.report(to, club, lines),
        Says::Sections { subject, sections } => library.sections(to, subject, sections),
        Says::Standings(standings) => library.standings(to, club, standings),
        Says::Watching { .. } => of_game.map(|said| said.rendered).unwrap_or_default(),
    };
    taps::unmarked(rendered)
}
