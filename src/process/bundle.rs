//! Letters about several games as one, for members who want that.
//!
//! One pass makes many commits, and each of them may write to the same member, so it is done where
//! the outbox is emptied. A letter that may become a part of another one says so in the outbox; all
//! such letters of a page are settled in one commit before any letter of it is posted. So what was
//! posted once, if only perhaps, is never bundled later: no letter comes in two shapes, whatever
//! step a pass is killed after.

use super::addressee::is_current;
use super::office::{Office, OfficeError};
use super::playing::Playing;
use super::transaction::{Transaction, retry};
use crate::club::{Member, Request};
use crate::mail::courier::{Draft, Origin, compose};
use crate::mail::{Digest, Letter, Token, first_quoted, mailto};
use crate::report::{Bundle, BundledGame, LetterPart};
use crate::rules::{Message, Seat};
use crate::store::{InLine, Label, Outbox, Outgoing, Part, Queued, Reader, Repository, Shown};
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;

/// The most bytes of a page: some mail programs show no more than 102,400 before they ask whether
/// one wants to go on. A game that is longer goes by itself.
const BYTES_MAX: usize = 98_000;
/// About so many bytes stand around a game's part of the page.
const FRAME: usize = 800;

/// How many letters are settled in one commit, and those of the last member.
const KEYS_A_COMMIT: usize = 500;

/// How the Message-ID of such a letter begins.
pub(super) const ID_START: &str = "b.";

/// A letter of the outbox, and what it says as a part of another one.
type Unsettled<'a> = (&'a Queued, &'a Part);

/// A game's letters to one member, oldest first; there is one at least.
type OfGame<'a> = Vec<Unsettled<'a>>;

impl Office {
    /// Settles all letters of the outbox that may become a part of another one, a member's in one
    /// commit. Says whether there were any: the outbox is not what it was then.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub(super) fn bundle(&self, waiting: &[InLine]) -> Result<bool, OfficeError> {
        let mut of_member: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for letter in waiting.iter().filter(|letter| letter.unsettled) {
            let member = match letter.label.as_ref().map(|label| &label.reader) {
                Some(Reader::Seats { member, .. } | Reader::Member(member)) => *member,
                _ => {
                    let part =
                        self.begin().queued(letter.key)?.and_then(|queued| queued.letter.part);
                    part.map_or(0, |part| part.member)
                }
            };
            of_member.entry(member).or_default().push(letter.key);
        }
        let are_some = !of_member.is_empty();
        retry(|| {
            let mut tx = self.begin();
            for (member, keys) in &of_member {
                let letters = self.unsettled(&tx, keys)?;
                let parts = letters.iter();
                let parts = parts.filter_map(|queued| Some((queued, queued.letter.part.as_ref()?)));
                let member = tx.member(*member)?;
                self.settle(&mut tx, member.as_ref(), parts.collect())?;
                if tx.write().sent.len() + tx.write().single.len() >= KEYS_A_COMMIT {
                    std::mem::replace(&mut tx, self.begin()).commit()?;
                }
            }
            tx.commit()?;
            Ok(are_some)
        })
    }

    /// These letters, each with what stands on it.
    fn unsettled(&self, tx: &Transaction<'_>, keys: &[u64]) -> Result<Vec<Queued>, OfficeError> {
        let mut letters = Vec::new();
        for key in keys {
            let Some(mut queued) = tx.queued(*key)? else { continue };
            if queued.letter.label.is_none() {
                queued.letter.label = Some(self.label_of(tx, &queued.letter)?);
            }
            letters.push(queued);
        }
        Ok(letters)
    }

    /// Decides how a member's letters go.
    fn settle(
        &self,
        tx: &mut Transaction<'_>,
        member: Option<&Member>,
        letters: Vec<Unsettled<'_>>,
    ) -> Result<(), OfficeError> {
        let key = |(queued, _): &Unsettled<'_>| queued.key;
        let mut wanted = Vec::new();
        for (queued, part) in letters {
            let letter = &queued.letter;
            let goes_there = member.is_some_and(|member| {
                member.letters.digest && member.addresses.first() == Some(&letter.recipient)
            });
            if goes_there && is_current(tx, letter.label.as_ref())? {
                wanted.push((queued, part));
            } else {
                tx.write().single.push(queued.key);
            }
        }
        for games in shares(wanted) {
            let keys = games.iter().flatten().map(key);
            let batch = tx.write();
            match member.and_then(|member| self.bundled(member, &games)) {
                Some(letter) => {
                    batch.sent.extend(keys);
                    batch.outgoing.push(letter);
                }
                None => batch.single.extend(keys),
            }
        }
        Ok(())
    }

    /// What was asked in a letter, unless it answers one about several games between the quoted
    /// lines: what stands there may be meant for any of them.
    ///
    /// # Errors
    /// What is to be said of it.
    pub(super) fn of_one_game<'a>(
        &self,
        letter: &Letter,
        request: &'a Request,
    ) -> Result<&'a Request, Message> {
        let end = format!("@{}", self.settings.host());
        let is_bundle = |id: &String| id.starts_with(ID_START) && id.ends_with(&end);
        if !letter.references.iter().any(is_bundle) {
            return Ok(request);
        }
        let first = first_quoted(&letter.body).unwrap_or(u32::MAX);
        let orders = request.lines.iter().map(|line| line.order.number);
        let press = request.talk.press.iter().map(|press| press.number);
        match orders.chain(press).find(|number| *number > first) {
            Some(number) => Err(Message::new("unread-between").with("number", number)),
            None => Ok(request),
        }
    }

    /// One letter about these games, of which a plain reply goes to the first; none about a single
    /// game, or if it cannot be composed. Its Message-ID is made from theirs, so the same letters
    /// always make the same one.
    fn bundled(&self, member: &Member, games: &[OfGame<'_>]) -> Option<Outgoing> {
        let settings = &self.settings;
        let plus = settings.plus_addressing;
        let replies: Vec<Reply> =
            games.iter().filter_map(|game| Reply::to(game, &settings.address, plus)).collect();
        let shown: Vec<BundledGame<'_>> =
            games.iter().zip(&replies).map(|(game, reply)| reply.shown(game)).collect();
        let first = replies.first().filter(|_| games.len() > 1 && shown.len() == games.len())?;
        let rendered = self.library.bundle(&Bundle {
            club: &settings.name,
            reader: member,
            subject_tag: (!plus).then_some(&first.shown),
            games: &shown,
        });
        // An entry for each deadline that still holds.
        let newest = games.iter().filter_map(|game| game.last());
        let calendars: Vec<String> = newest.filter_map(|(_, part)| part.calendar.clone()).collect();
        let letters = games.iter().flatten();
        let mut ids: Vec<&str> = letters.map(|(queued, _)| &*queued.letter.message_id).collect();
        ids.sort_unstable();
        let digest = Digest::of(ids.join("\n").as_bytes());
        let message_id = format!("{ID_START}{digest}@{}", settings.host());
        let recipient = member.addresses.first()?.clone();
        let label = label_of(member.id, games, self.now);
        let bytes = compose(&Draft {
            message_id: &message_id,
            from: (&settings.name, &settings.address),
            to: (&member.name, &recipient),
            reply_to: plus.then_some(&first.shown),
            subject: &rendered.subject,
            in_reply_to: None,
            references: &[],
            list: None,
            unsubscribe: Some(&settings.moderator.address),
            origin: Origin::Generated,
            at: self.now,
            text: &rendered.text,
            html: rendered.html.as_deref(),
            calendars: &calendars,
        });
        Some(Outgoing { message_id, recipient, bytes: bytes.ok()?, part: None, label: Some(label) })
    }
}

/// What stands on a letter about these games: all that stands on theirs.
fn label_of(member: u32, games: &[OfGame<'_>], now: DateTime<Utc>) -> Label {
    let labels = || games.iter().flatten().filter_map(|(queued, _)| queued.letter.label.as_ref());
    let mut seats: Vec<Shown> = Vec::new();
    for label in labels() {
        let Reader::Seats { seats: shown, .. } = &label.reader else { continue };
        for shown in shown {
            let same = |other: &&mut Shown| (other.game, other.seat) == (shown.game, shown.seat);
            match seats.iter_mut().find(same) {
                Some(known) => known.told = known.told.min(shown.told),
                None => seats.push(*shown),
            }
        }
    }
    let written = labels().map(|label| label.written).min().unwrap_or(now);
    let reader = Reader::Seats { member, seats };
    Label { class: reader.class(), reader, written }
}

/// What the outbox keeps of a letter to this seat, so that it can go among others.
pub(super) fn part_of(
    playing: &Playing,
    seat: Seat,
    said: LetterPart,
    token: &Token,
    calendar: Option<String>,
) -> Part {
    Part {
        member: playing.seat(seat).map_or(0, |(seated, _)| seated.member),
        game: playing.number(),
        seat,
        title: said.title,
        waits: playing.table.turn().awaits(seat),
        token: token.to_string(),
        text: said.text,
        html: said.html,
        calendar,
    }
}

/// How a game of a bundle is answered.
struct Reply {
    /// What the reader is shown: an address, or what the subject must carry.
    shown: String,
    /// A link to it.
    link: String,
}

impl Reply {
    /// By the newest letter, as that shows the position that the reader answers.
    fn to(game: &OfGame<'_>, club: &str, plus: bool) -> Option<Self> {
        let (_, newest) = game.last()?;
        let token: Token = newest.token.parse().ok()?;
        let subject = format!("Re: {}", newest.title);
        Some(if plus {
            let shown = token.reply_address(club);
            Self { link: mailto(&shown, &subject), shown }
        } else {
            let shown = token.subject_tag();
            Self { link: mailto(club, &format!("{subject} {shown}")), shown }
        })
    }

    fn shown<'a>(&'a self, game: &OfGame<'a>) -> BundledGame<'a> {
        BundledGame {
            title: game.last().map(|(_, part)| &*part.title).unwrap_or_default(),
            waits: waits(game),
            reply: &self.shown,
            link: &self.link,
            texts: game.iter().map(|(_, part)| &*part.text).collect(),
            htmls: game.iter().filter_map(|(_, part)| part.html.as_deref()).collect(),
        }
    }
}

/// The games of these letters, those that wait for the reader first, in shares of which each has
/// room in one letter.
fn shares(letters: Vec<Unsettled<'_>>) -> Vec<Vec<OfGame<'_>>> {
    let mut games: Vec<OfGame<'_>> = Vec::new();
    for (queued, part) in letters {
        let same = |(_, of): &Unsettled<'_>| (of.game, of.seat) == (part.game, part.seat);
        match games.iter_mut().find(|game| game.iter().any(same)) {
            Some(game) => game.push((queued, part)),
            None => games.push(vec![(queued, part)]),
        }
    }
    games.sort_by_key(|game| !waits(game));
    let mut shares: Vec<Vec<OfGame<'_>>> = Vec::new();
    let mut room = 0;
    for game in games {
        let bytes = game.iter().map(|(_, part)| part.html.as_ref().unwrap_or(&part.text).len());
        let bytes = bytes.sum::<usize>() + FRAME;
        match shares.last_mut().filter(|_| bytes <= room) {
            Some(share) => {
                share.push(game);
                room -= bytes;
            }
            None => {
                shares.push(vec![game]);
                room = BYTES_MAX.saturating_sub(bytes);
            }
        }
    }
    shares
}

/// Whether a game waits for the reader after the newest of its letters.
fn waits(game: &OfGame<'_>) -> bool {
    game.last().is_some_and(|(_, part)| part.waits)
}
