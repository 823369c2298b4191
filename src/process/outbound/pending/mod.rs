//! Pending notifications: the content of queued letters, as data, and how a commit makes them.
//!
//! A notification is fixed in the commit that causes it, and becomes text when it leaves. It holds
//! what must not change: a deadline, a decision, the last record that it covers. Everything else in
//! the letter (plans, notes, settings, reply tokens, the address) is read when the letter leaves.

use super::queue;
use crate::club::{ActivityEntry, ActivityEvent, Member, Moderator, Question, SeatAssignment};
use crate::mail::transport::check_address;
use crate::mail::{LetterHash, ReplyAction};
use crate::process::context::{ClubError, Context};
use crate::process::session::reader;
use crate::process::table::news;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::render::{Notice, Occasion, Section, StandingsLetter};
use crate::rules::{Message, Seat, Turn};
use crate::store::{LetterReader, OutboxLabel, OutgoingLetter, ShownSeat};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

mod update_merging;

#[cfg(test)]
mod tests;

/// The content of a queued letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OutboxPayload {
    /// A letter with news of one game for one seat.
    Seat(Box<SeatUpdate>),
    /// A letter with news of several games, in this order. A game can occur more than once.
    Seats(Vec<SeatUpdate>),
    /// A letter that is not about a seat.
    Plain(Box<PlainLetter>),
}

/// The news of a game for one seat, up to a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SeatUpdate {
    pub game: u32,
    pub seat: Seat,
    /// The last record that the seat's player had seen before this update; 0 for none.
    #[serde(rename = "told")]
    pub last_seen_record: u32,
    /// The last record that this update covers.
    pub(crate) head: u32,
    /// The Message-ID that a letter with only this update has.
    #[serde(rename = "id")]
    pub message_id: String,
    pub occasion: Occasion,
    /// Whether this update answers one letter on its own, so it is not merged with others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "answer")]
    pub(crate) is_answer: bool,
    /// The questions that the reader asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "asked")]
    pub questions: Vec<Question>,
    /// The Message-IDs of the letters that this update answers, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "answers")]
    pub answered_ids: Vec<String>,
    /// The digests of these letters, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "letters")]
    pub(crate) answered_digests: Vec<String>,
    /// Remarks about the reader's plans.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "words")]
    pub plan_notes: Vec<Message>,
    /// The interventions and the news of votes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Message>,
    /// The other players' messages.
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
    #[serde(rename = "awaits")]
    pub(crate) is_turn: bool,
    /// The reader's deadline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<DateTime<Utc>>,
    /// The number of entries of the game's activity log, if the reader asked for its history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "minutes")]
    pub activity_length: Option<usize>,
}

/// A letter that is not about a seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlainLetter {
    #[serde(rename = "says")]
    pub(crate) body: NoticeBody,
    /// The action that a reply to this letter does.
    #[serde(default, rename = "errand", skip_serializing_if = "Option::is_none")]
    pub(crate) action: Option<ReplyAction>,
    /// The Message-ID of the letter that this letter answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "answers")]
    pub answered_id: Option<String>,
    /// The reader, as known when the letter was queued. Used for letters to an address instead of a
    /// member.
    pub(crate) to: Addressee,
}

/// The content of a letter that is not about a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NoticeBody {
    /// A short notice of a few sentences.
    Notice(Notice),
    /// A probe of the member's mailbox. The reader has nothing to do.
    Probe,
    /// Reports to the moderator, one sentence each.
    Report(Vec<Message>),
    /// Lists with a heading each, for the moderator.
    Sections { subject: Message, sections: Vec<Section> },
    /// The standings of a campaign.
    Standings(StandingsLetter),
    /// A game as everyone may see it, for an observer.
    #[serde(rename = "watching")]
    ObserverUpdate {
        game: u32,
        /// The last record that the observer had seen before this update; 0 for none.
        #[serde(rename = "told")]
        last_seen_record: u32,
        /// The last record that this update covers.
        head: u32,
        /// The public messages since then.
        #[serde(rename = "minutes")]
        talk: Vec<ActivityEntry>,
    },
}

/// The reader of a letter to an address instead of a member, as known when the letter was queued.
/// Such an address may be a stranger's, or one that a member wants to add.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Addressee {
    /// The reader's name. Empty if it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub language: String,
    /// The reader's token generation when the letter was queued. The letter's reply token is sealed
    /// with it. So if the tokens are rotated while the letter waits, its token becomes invalid too.
    #[serde(default, skip_serializing_if = "is_none")]
    pub generation: u32,
    /// The number of times that the reader's addresses had changed, if the reader is a member. A
    /// change makes older tokens invalid.
    #[serde(default, skip_serializing_if = "is_none")]
    #[serde(rename = "moves")]
    pub address_changes: u32,
}

const fn is_none(number: &u32) -> bool {
    *number == 0
}

impl OutboxPayload {
    /// Returns the payload as JSON, for the store.
    pub(crate) fn to_json(&self) -> Value {
        // Serializing cannot fail, because all map keys are strings.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Parses a payload from the store's JSON. An error says what is wrong.
    pub(crate) fn from_json(kept: &Value) -> Result<Self, Message> {
        Self::deserialize(kept)
            .map_err(|error| Message::new("fault-said").with("what", error.to_string()))
    }

    /// Returns the seat updates in this payload.
    pub(crate) fn seat_updates(&self) -> &[SeatUpdate] {
        match self {
            Self::Seat(telling) => std::slice::from_ref(telling),
            Self::Seats(tellings) => tellings,
            Self::Plain(_) => &[],
        }
    }
}

impl PlainLetter {
    /// Whether this letter answers another one. All letters to the moderator count as answers.
    pub(crate) const fn is_answer(&self) -> bool {
        self.answered_id.is_some() || matches!(self.action, Some(ReplyAction::SpeakAsModerator))
    }
}

impl SeatUpdate {
    /// Whether both updates are for the same seat of the same game.
    pub(crate) fn is_same_seat(&self, other: &Self) -> bool {
        (self.game, self.seat) == (other.game, other.seat)
    }

    /// Makes an outgoing letter that holds only this update.
    pub(crate) fn into_letter(
        self,
        recipient: String,
        label: Option<OutboxLabel>,
    ) -> OutgoingLetter {
        let message_id = self.message_id.clone();
        let owed = OutboxPayload::Seat(Box::new(self)).to_json();
        OutgoingLetter { message_id, recipient, payload: owed, label }
    }
}

/// An update for a seat that is about to be queued.
#[derive(Clone, Debug)]
pub(crate) struct SeatUpdateDraft {
    pub seat: Seat,
    pub occasion: Occasion,
    /// Whether this update answers one letter on its own.
    pub(crate) is_answer: bool,
    /// The questions that the reader asked.
    pub questions: Vec<Question>,
    /// The part of the Message-ID that differs between letters to the seat, such as `r37`.
    pub(crate) id_suffix: String,
    /// The Message-IDs of the letters that this update answers, oldest first.
    pub answered_ids: Vec<String>,
    /// The digests of these letters, in hexadecimal digits.
    pub(crate) answered_digests: Vec<String>,
    /// Remarks about the reader's plans.
    pub plan_notes: Vec<Message>,
    /// The interventions and the news of votes.
    pub notes: Vec<Message>,
    /// The messages that the reader may know.
    pub talk: Vec<ActivityEntry>,
    /// Whether this update leaves without waiting for a digest.
    pub(crate) is_urgent: bool,
}

impl SeatUpdateDraft {
    /// Returns the draft of an update that answers no letter. Its other fields are empty.
    pub(crate) const fn without_answered_letter(
        seat: Seat,
        occasion: Occasion,
        mark: String,
    ) -> Self {
        Self {
            seat,
            occasion,
            is_answer: false,
            questions: Vec::new(),
            id_suffix: mark,
            answered_ids: Vec::new(),
            answered_digests: Vec::new(),
            plan_notes: Vec::new(),
            notes: Vec::new(),
            talk: Vec::new(),
            is_urgent: false,
        }
    }
}

/// Makes the letter that brings a seat's player up to the game's last record. Returns `None` if the
/// player has left or is undeliverable.
pub(crate) fn make_seat_letter(
    tx: &Transaction<'_>,
    session: &GameSession,
    to: SeatUpdateDraft,
) -> Result<Option<OutgoingLetter>, ClubError> {
    let seat = to.seat;
    let Some((seated, member)) = session.seat(seat) else { return Ok(None) };
    if seated.has_left || !member.gets_letters() {
        return Ok(None);
    }
    let due = player_deadline(session, seat);
    let hold = queue::digest_hold_for_update(tx.context.now, (seated, member), &to, due);
    let mut talk = load_unread_talk(tx, session.game_number(), (seat, seated))?;
    talk.extend(to.talk.into_iter().filter(|entry| !talk.contains(entry)).collect::<Vec<_>>());
    let SeatUpdateDraft {
        occasion,
        is_answer: answer,
        questions: asked,
        id_suffix: mark,
        answered_ids: answers,
        answered_digests,
        plan_notes: words,
        ..
    } = to;
    let (game, last_seen_record) = (session.game_number(), seated.last_seen_seq);
    let reader =
        LetterReader::Seats { member: seated.member, seats: vec![ShownSeat { game, seat }] };
    let is_asked = |command| asked.contains(&command);
    let pace = (is_asked(Question::Status) || is_asked(Question::Pace))
        .then(|| session.describe_pace(tx.context.now, &member.time))
        .flatten()
        .map(|pace| Message::new("pace-asked").with("pace", pace))
        .or_else(|| is_asked(Question::Pace).then(|| Message::new("pace-unknown")));
    let history = asked.contains(&Question::History);
    let update = SeatUpdate {
        game,
        seat,
        last_seen_record,
        head: session.table.last_record_number(),
        message_id: make_message_id(tx.context, &format!("g{game}.s{seat}.{mark}")),
        occasion,
        is_answer: answer,
        answered_ids: answers,
        answered_digests,
        plan_notes: words,
        notes: [seated.unread.interventions.clone(), news::news_messages(session, seat), to.notes]
            .concat(),
        talk,
        clock: session.clock_messages_for_seat(seat),
        pace,
        is_turn: session.awaits_orders(seat),
        due,
        activity_length: history
            .then(|| tx.stored_state().activity_log(game))
            .transpose()?
            .map(|all| all.len()),
        questions: asked,
    };
    let recipient = member.addresses.first().cloned().unwrap_or_default();
    let label = OutboxLabel { mergeable: true, hold, ..make_label(tx.context, reader) };
    Ok(Some(update.into_letter(recipient, Some(label))))
}

/// Returns the Message-ID of the letter with this name, such as `g1.s2.r37`.
///
/// After a restore from an old journal, new letters can have the record numbers of letters that
/// were posted before the loss. Some mail systems hide a letter whose Message-ID they know, so the
/// time of the restore is part of the ID.
pub(crate) fn make_message_id(context: &Context, letter: &str) -> String {
    match context.restored_at {
        None => context.unique_id(letter),
        Some(at) => context.unique_id(&format!("{letter}.e{}", at.timestamp())),
    }
}

/// Returns the Message-ID of a notice that answers the letter with this hash.
pub(crate) fn notice_reply_id(context: &Context, answered: &LetterHash) -> String {
    make_message_id(context, &format!("n.a{answered}"))
}

/// Makes a letter with a notice. A reply to it does this action, or speaks for the member who gets
/// the letter.
///
/// Returns an error if the reader's address is invalid.
pub(crate) fn make_notice_letter(
    context: &Context,
    to: &Member,
    notice: &Notice,
    action: Option<ReplyAction>,
    digest: &LetterHash,
    answered: Option<&String>,
) -> Result<OutgoingLetter, ClubError> {
    check_address(to.addresses.first().map(String::as_str).unwrap_or_default())?;
    let message_id = notice_reply_id(context, digest);
    Ok(make_plain_letter(
        context,
        to,
        NoticeBody::Notice(notice.clone()),
        action,
        message_id,
        answered,
    ))
}

/// Makes a note to each moderator with these lines. A reply to it speaks for that moderator.
pub(crate) fn make_moderator_notes(
    tx: &Transaction<'_>,
    lines: &[Message],
) -> Result<Vec<OutgoingLetter>, ClubError> {
    let digest = LetterHash::compute(format!("{}\n{lines:?}", tx.context.now).as_bytes());
    make_letters_to_moderators(tx, &NoticeBody::Report(lines.to_vec()), "m.", digest)
}

/// Makes a letter with this content to each moderator. Its Message-ID consists of the prefix and
/// the digest. Those of the second moderator and further ones are made from their addresses too.
pub(crate) fn make_letters_to_moderators(
    tx: &Transaction<'_>,
    body: &NoticeBody,
    prefix: &str,
    digest: LetterHash,
) -> Result<Vec<OutgoingLetter>, ClubError> {
    let moderators = &tx.context.settings.moderators;
    let make_letter = |moderator: &Moderator| {
        check_address(&moderator.address)?;
        let digest = match *moderator == moderators.first {
            true => digest,
            false => digest.derive_for_caused_letter(&moderator.address),
        };
        let message_id = make_message_id(tx.context, &format!("{prefix}{digest}"));
        let to = reader::moderator_as_reader(tx, moderator)?;
        let action = Some(ReplyAction::SpeakAsModerator);
        Ok(make_plain_letter(tx.context, &to, body.clone(), action, message_id, None))
    };
    moderators.iter().map(make_letter).collect()
}

/// Returns the reader of a letter whose reply does this action.
pub(crate) const fn reader_for_reply_action(action: Option<ReplyAction>) -> LetterReader {
    match action {
        Some(ReplyAction::SpeakAsModerator) => LetterReader::Moderator,
        Some(
            ReplyAction::SpeakAsMember(id)
            | ReplyAction::AcceptInvitation { member: id, .. }
            | ReplyAction::Unsubscribe { member: id, .. },
        ) => LetterReader::Member(id),
        _ => LetterReader::Address,
    }
}

/// Makes a letter that is not about a seat. A reply to it does this action, or speaks for the
/// member who gets the letter.
pub(crate) fn make_plain_letter(
    context: &Context,
    to: &Member,
    body: NoticeBody,
    action: Option<ReplyAction>,
    message_id: String,
    answered: Option<&String>,
) -> OutgoingLetter {
    let action = action.or((to.id > 0).then_some(ReplyAction::SpeakAsMember(to.id)));
    let reader = reader_for_reply_action(action);
    let recipient = to.addresses.first().cloned().unwrap_or_default();
    let Member { name, language, token_generation: generation, address_changes: moves, .. } =
        to.clone();
    let to = Addressee { name, language, generation, address_changes: moves };
    let plain = PlainLetter { body, action, answered_id: answered.cloned(), to };
    let (payload, label) =
        (OutboxPayload::Plain(Box::new(plain)).to_json(), Some(make_label(context, reader)));
    OutgoingLetter { message_id, recipient, payload, label }
}

const fn make_label(context: &Context, reader: LetterReader) -> OutboxLabel {
    let (written, class) = (context.now, reader.default_priority());
    OutboxLabel { priority: class, reader, written, mergeable: false, hold: None }
}

/// Returns the messages of a game that were kept for the seat's next letter.
fn load_unread_talk(
    tx: &Transaction<'_>,
    game: u32,
    (seat, seated): (Seat, &SeatAssignment),
) -> Result<Vec<ActivityEntry>, ClubError> {
    let Some(first_unread) = seated.unread.first_unread_entry else { return Ok(Vec::new()) };
    let mut entries = tx.stored_state().activity_log(game)?;
    entries.drain(..first_unread.min(entries.len()));
    entries.retain(|entry| {
        let others = matches!(&entry.event, ActivityEvent::Said { from, .. } if *from != seat);
        others && seated.was_seated_at(entry.at) && entry.is_visible_to(seat)
    });
    Ok(entries)
}

/// Returns a player's deadline. Returns `None` if the clock is paused, the game is over, or the
/// player has missed the deadline.
fn player_deadline(session: &GameSession, seat: Seat) -> Option<DateTime<Utc>> {
    let clock = session.clock.as_ref().filter(|clock| clock.paused.is_none())?;
    let wait = clock.wait_of_seat(seat).filter(|wait| !wait.has_missed)?;
    (session.table.turn() != Turn::Over).then_some(wait.deadline)
}
