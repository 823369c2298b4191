//! Pending notifications: what a letter will tell its reader, as data, and how a commit makes it.
//!
//! A notification is fixed in the commit that leads to it, and worded when it leaves. It holds what
//! it promises: a deadline, a decision, the last record that it tells of. What the letter shows
//! besides (plans, notes, settings, reply tokens, an address) is as it is when the letter leaves.

use super::queue;
use crate::club::{ActivityEntry, Command, Happening, Member, Seated};
use crate::mail::transport::check_address;
use crate::mail::{LetterHash, ReplyAction};
use crate::process::context::{ClubError, Context};
use crate::process::session::reader;
use crate::process::table::news;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::render::{Notice, Occasion, Section, StandingsLetter};
use crate::rules::{Message, Seat, Turn};
use crate::store::{Label, Outgoing, Reader, Shown};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[cfg(test)]
mod tests;

/// What a letter owes its reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Owed {
    /// News of a game for the player of a seat.
    Seat(Box<Telling>),
    /// News of several games, in this order. A game can occur more than once.
    Seats(Vec<Telling>),
    /// A letter that is for no seat.
    Plain(Box<Plain>),
}

/// What is told to a seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Telling {
    /// The game's number.
    pub game: u32,
    /// The seat that is told.
    pub seat: Seat,
    /// The last record that the reader knew before it; 0 for none.
    pub told: u32,
    /// The last record that it tells of.
    pub(crate) head: u32,
    /// The Message-ID of a letter that tells nothing else.
    pub id: String,
    pub occasion: Occasion,
    /// Whether it answers a letter by itself, and is merged with no other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) answer: bool,
    /// What the reader asked to see.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<Command>,
    /// The Message-IDs of the letters that it answers, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
    /// What the reader should know of their plans.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Message>,
    /// What was done to the game from outside of its rules, news of votes included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Message>,
    /// What players have said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub talk: Vec<ActivityEntry>,
    /// The state of the reader's clock.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clock: Vec<Message>,
    /// How fast the game goes, if the reader asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pace: Option<Message>,
    /// Whether it was the reader's turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) awaits: bool,
    /// The reader's deadline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<DateTime<Utc>>,
    /// The number of entries of the game's activity log, if the reader asked for its history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<usize>,
}

/// A letter that is for no seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Plain {
    /// What it says.
    pub(crate) says: Says,
    /// What a reply to it does.
    #[serde(default, rename = "errand", skip_serializing_if = "Option::is_none")]
    pub(crate) action: Option<ReplyAction>,
    /// The Message-ID of the letter that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
    /// The reader at its address, if nothing else is known of them.
    pub(crate) to: Addressee,
}

/// What a letter says that is for no seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Says {
    /// A few sentences.
    Notice(Notice),
    /// That it is a probe, so there is nothing to do.
    Probe,
    /// What the moderator should know, a sentence each.
    Report(Vec<Message>),
    /// Lists with a heading each: what the moderator reads.
    Sections {
        /// What the letter's subject says.
        subject: Message,
        /// The lists, in their order.
        sections: Vec<Section>,
    },
    /// The standings of a campaign.
    Standings(StandingsLetter),
    /// A game as everyone may see it, for an observer.
    Watching {
        /// The game's number.
        game: u32,
        /// The last record that the reader knew before it; 0 for none.
        told: u32,
        /// The last record that it tells of.
        head: u32,
        /// What was said to all since.
        minutes: Vec<ActivityEntry>,
    },
}

/// The reader at an address, as known when the letter was queued.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Addressee {
    /// The reader's name, if it is known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub language: String,
    /// The generation with which the letter's reply token is sealed. A letter that waited must not
    /// bring back tokens that have become void meanwhile.
    #[serde(default, skip_serializing_if = "is_none")]
    pub generation: u32,
    /// How often the addresses of its member have changed, which also makes tokens void.
    #[serde(default, skip_serializing_if = "is_none")]
    pub moves: u32,
}

const fn is_none(number: &u32) -> bool {
    *number == 0
}

impl Owed {
    /// Returns the form in which the store keeps it.
    pub(crate) fn kept(&self) -> Value {
        // Its keys are all strings, so this cannot fail.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Reads what the store kept, or says why that is impossible.
    pub(crate) fn of(kept: &Value) -> Result<Self, Message> {
        Self::deserialize(kept)
            .map_err(|error| Message::new("fault-said").with("what", error.to_string()))
    }

    /// Returns what it tells seats.
    pub(crate) fn tellings(&self) -> &[Telling] {
        match self {
            Self::Seat(telling) => std::slice::from_ref(telling),
            Self::Seats(tellings) => tellings,
            Self::Plain(_) => &[],
        }
    }
}

impl Plain {
    /// Whether it answers a letter. All letters to the moderator count as answers.
    pub(crate) const fn is_answer(&self) -> bool {
        self.answers.is_some() || matches!(self.action, Some(ReplyAction::Moderator))
    }
}

impl Telling {
    /// Whether both are for the same seat.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        (self.game, self.seat) == (other.game, other.seat)
    }

    /// Makes a letter that tells nothing else.
    pub(crate) fn letter(self, recipient: String, label: Option<Label>) -> Outgoing {
        let message_id = self.id.clone();
        let owed = Owed::Seat(Box::new(self)).kept();
        Outgoing { message_id, recipient, owed, label }
    }

    /// Merges this with a newer notification, before either was read: from where this one begins to
    /// where the newer one ends, with the newer one's deadline.
    pub(crate) fn and(self, newer: Self) -> Self {
        let has_moved = newer.head > self.head;
        let mut notes = self.notes;
        let occasion = match (self.occasion, newer.occasion) {
            (Occasion::Clock { words }, now) if !has_moved => {
                let again: &[Message] = match &now {
                    Occasion::Clock { words } => words,
                    _ => &[],
                };
                notes.splice(0..0, words.into_iter().filter(|word| !again.contains(word)));
                now
            }
            (before, now) => joined(before, now, &mut notes),
        };
        let mut asked = [self.asked, newer.asked].concat();
        asked.sort_unstable();
        asked.dedup();
        Self {
            told: self.told.min(newer.told),
            occasion,
            answers: once_each(self.answers, newer.answers),
            words: once_each(self.words, newer.words),
            notes: once_each(notes, newer.notes),
            talk: once_each(self.talk, newer.talk),
            pace: newer.pace.or(self.pace),
            minutes: newer.minutes.or(self.minutes),
            asked,
            ..newer
        }
    }
}

/// Returns the occasion of a letter that has both: the reader's own orders come before a game's
/// beginning, that before what happened in it, and that before what was said.
fn joined(before: Occasion, now: Occasion, notes: &mut Vec<Message>) -> Occasion {
    use Occasion::{Accepted, Clock, News, Planned, Told, Welcome};
    let are_plans = matches!((&before, &now), (Planned { .. }, Planned { .. }));
    match (before, now) {
        (
            Accepted { lines: a, remarks: b } | Planned { lines: a, remarks: b },
            Accepted { lines: c, remarks: d } | Planned { lines: c, remarks: d },
        ) => {
            let (lines, remarks) = ([a, c].concat(), [b, d].concat());
            if are_plans { Planned { lines, remarks } } else { Accepted { lines, remarks } }
        }
        (before @ (Accepted { .. } | Planned { .. } | Welcome), Clock { words }) => {
            notes.extend(words);
            before
        }
        (_, now @ (Accepted { .. } | Planned { .. })) => now,
        (before @ (Accepted { .. } | Planned { .. } | Welcome), _) => before,
        (News, Told) => News,
        (_, now) => now,
    }
}

/// Appends the items that are not there yet.
fn once_each<T: PartialEq>(mut these: Vec<T>, those: Vec<T>) -> Vec<T> {
    for one in those {
        if !these.contains(&one) {
            these.push(one);
        }
    }
    these
}

/// What is to be told to a seat.
#[derive(Clone, Debug)]
pub(crate) struct ToSeat {
    pub seat: Seat,
    pub occasion: Occasion,
    /// Whether it answers a letter by itself.
    pub(crate) answer: bool,
    /// What the reader asked to see.
    pub asked: Vec<Command>,
    /// What distinguishes its Message-ID from those of other letters to the seat, such as `r37`.
    pub(crate) mark: String,
    /// The Message-IDs of the letters that it answers, oldest first.
    pub answers: Vec<String>,
    /// What the reader should know of their plans.
    pub words: Vec<Message>,
    /// What was done to the game from outside of its rules.
    pub notes: Vec<Message>,
    /// What players have said that the reader may know.
    pub talk: Vec<ActivityEntry>,
    /// Whether it leaves without waiting for a digest.
    pub(crate) at_once: bool,
}

impl ToSeat {
    /// Makes a notification that answers no letter.
    pub(crate) const fn unasked(seat: Seat, occasion: Occasion, mark: String) -> Self {
        Self {
            seat,
            occasion,
            answer: false,
            asked: Vec::new(),
            mark,
            answers: Vec::new(),
            words: Vec::new(),
            notes: Vec::new(),
            talk: Vec::new(),
            at_once: false,
        }
    }
}

/// Makes a letter about a game; `None` if no letter reaches the player.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn game_letter(
    tx: &Transaction<'_>,
    session: &GameSession,
    to: ToSeat,
) -> Result<Option<Outgoing>, ClubError> {
    let seat = to.seat;
    let Some((seated, member)) = session.seat(seat) else { return Ok(None) };
    if member.undeliverable().is_some() || seated.left || member.has_left() {
        return Ok(None);
    }
    let due = due(session, seat);
    let hold = queue::hold_of(tx.context.now, (seated, member), &to, due);
    let mut talk = unheard_talk(tx, session.number(), (seat, seated))?;
    talk.extend(to.talk.into_iter().filter(|minute| !talk.contains(minute)).collect::<Vec<_>>());
    let ToSeat { occasion, answer, asked, mark, answers, words, .. } = to;
    let (game, told) = (session.number(), seated.last_seen_seq);
    let reader = Reader::Seats { member: seated.member, seats: vec![Shown { game, seat }] };
    let is_asked = |command| asked.contains(&command);
    let pace = (is_asked(Command::Status) || is_asked(Command::Pace))
        .then(|| session.pace(tx.context.now, &member.time))
        .flatten()
        .map(|pace| Message::new("pace-asked").with("pace", pace))
        .or_else(|| is_asked(Command::Pace).then(|| Message::new("pace-unknown")));
    let history = asked.contains(&Command::History);
    let telling = Telling {
        game,
        seat,
        told,
        head: session.table.head(),
        id: message_id(tx.context, &format!("g{game}.s{seat}.{mark}")),
        occasion,
        answer,
        answers,
        words,
        notes: [seated.unheard.notes.clone(), news::news_words(session, seat), to.notes].concat(),
        talk,
        clock: session.clock_words(seat),
        pace,
        awaits: session.table.turn().awaits(seat),
        due,
        minutes: history.then(|| tx.before().minutes(game)).transpose()?.map(|all| all.len()),
        asked,
    };
    let recipient = member.addresses.first().cloned().unwrap_or_default();
    let label = Label { unsettled: true, hold, ..label(tx.context, reader) };
    Ok(Some(telling.letter(recipient, Some(label))))
}

/// Returns the Message-ID of the letter with this name, such as `g1.s2.r37`.
///
/// A journal can be older than the store that was lost. Letters after a restore can then have the
/// record numbers of letters that were posted before, and some mail systems hide a letter whose
/// Message-ID they know. So the time of the restore is part of the name.
pub(crate) fn message_id(context: &Context, letter: &str) -> String {
    match context.restored {
        None => context.id_of(letter),
        Some(at) => context.id_of(&format!("{letter}.e{}", at.timestamp())),
    }
}

/// Makes a letter about no game. A reply to it does this action, or speaks for the member that the
/// letter goes to.
///
/// # Errors
/// When the reader's address is invalid.
pub(crate) fn notice(
    context: &Context,
    to: &Member,
    notice: &Notice,
    action: Option<ReplyAction>,
    digest: &LetterHash,
    answered: Option<&String>,
) -> Result<Outgoing, ClubError> {
    check_address(to.addresses.first().map(String::as_str).unwrap_or_default())?;
    let message_id = message_id(context, &format!("n.a{digest}"));
    Ok(plain(context, to, Says::Notice(notice.clone()), action, message_id, answered))
}

/// Makes a note to the moderator.
///
/// # Errors
/// When the store cannot be read, or the moderator's address is invalid.
pub(crate) fn to_moderator(
    tx: &Transaction<'_>,
    lines: Vec<Message>,
) -> Result<Outgoing, ClubError> {
    check_address(&tx.context.settings.moderator.address)?;
    let digest = LetterHash::of(format!("{}\n{lines:?}", tx.context.now).as_bytes());
    let message_id = message_id(tx.context, &format!("m.{digest}"));
    let to = &reader::moderator(tx)?;
    Ok(plain(tx.context, to, Says::Report(lines), Some(ReplyAction::Moderator), message_id, None))
}

/// Returns the reader of a letter to which a reply does this action.
pub(crate) const fn reader_by(action: Option<ReplyAction>) -> Reader {
    match action {
        Some(ReplyAction::Moderator) => Reader::Moderator,
        Some(
            ReplyAction::Member(id)
            | ReplyAction::Invited { member: id, .. }
            | ReplyAction::Stop { member: id, .. },
        ) => Reader::Member(id),
        _ => Reader::Address,
    }
}

/// Makes a letter that is for no seat. A reply to it does this action, or speaks for the member
/// that the letter goes to.
pub(crate) fn plain(
    context: &Context,
    to: &Member,
    says: Says,
    action: Option<ReplyAction>,
    message_id: String,
    answered: Option<&String>,
) -> Outgoing {
    let action = action.or((to.id > 0).then_some(ReplyAction::Member(to.id)));
    let reader = reader_by(action);
    let recipient = to.addresses.first().cloned().unwrap_or_default();
    let Member { name, language, generation, moves, .. } = to.clone();
    let to = Addressee { name, language, generation, moves };
    let plain = Plain { says, action, answers: answered.cloned(), to };
    let (owed, label) = (Owed::Plain(Box::new(plain)).kept(), Some(label(context, reader)));
    Outgoing { message_id, recipient, owed, label }
}

const fn label(context: &Context, reader: Reader) -> Label {
    let (written, class) = (context.now, reader.class());
    Label { class, reader, written, unsettled: false, hold: None }
}

/// Returns what was said in a game and waits for the seat's next letter.
///
/// # Errors
/// When the club cannot be read.
fn unheard_talk(
    tx: &Transaction<'_>,
    game: u32,
    (seat, seated): (Seat, &Seated),
) -> Result<Vec<ActivityEntry>, ClubError> {
    let Some(read) = seated.unheard.minutes else { return Ok(Vec::new()) };
    let mut minutes = tx.before().minutes(game)?;
    minutes.drain(..read.min(minutes.len()));
    minutes.retain(|minute| {
        let others = matches!(&minute.what, Happening::Said { from, .. } if *from != seat);
        others && seated.sat_at(minute.at) && minute.is_for(seat)
    });
    Ok(minutes)
}

/// Returns a player's deadline, unless they have missed it.
fn due(session: &GameSession, seat: Seat) -> Option<DateTime<Utc>> {
    let clock = session.clock.as_ref().filter(|clock| clock.paused.is_none())?;
    let wait = clock.wait(seat).filter(|wait| !wait.missed)?;
    (session.table.turn() != Turn::Over).then_some(wait.deadline)
}
