//! Composition: finds the current reader of a queued letter, and makes the letter's bytes.
//!
//! While letters are queued, seats can get new players, reply tokens can become invalid, and
//! members can change their address or leave. A letter is for its reader and not for an address. So
//! it goes to the reader's current address, holds currently valid tokens, and shows a seat only to
//! the member who has it now. Nothing of this is stored. Each try determines it again, and only the
//! Message-ID stays the same.

use super::bundle_letter::{self, group_by_game};
use super::game_wording::{self, GameWording, ReplyRoute, WordingJob, WordingSubject};
use super::pending::{self, Addressee, NoticeBody, OutboxPayload, PlainLetter, SeatUpdate};
use crate::club::{Member, SeatAssignment};
use crate::mail::transport::{Draft, Origin, compose_letter_bytes};
use crate::mail::{ReplyAction, UnsubscribeKind};
use crate::process::context::{ClubError, Context};
use crate::process::game_faults::catch_game_fault;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::render::{LinkMaker, MailtoLinks, OFFERS_MAX, RenderedLetter};
use crate::rules::{Message, Seat};
use crate::store::{LetterReader, OutboxLabel, OutgoingLetter, QueuedLetter, Repository};
use chrono::{DateTime, Utc};
use rayon::prelude::*;

/// The result of trying to compose a letter.
pub(crate) enum CompositionOutcome {
    /// The letter is ready for the transport.
    Composed(ComposedLetter),
    /// The letter has no reader any more. These letters are queued in its place.
    Obsolete(Vec<OutgoingLetter>),
    /// The letter cannot be composed, for this reason.
    Failed(Message),
}

pub(crate) struct ComposedLetter {
    pub message_id: String,
    /// The address that the letter goes to.
    pub recipient: String,
    /// The whole letter with its headers.
    pub bytes: Vec<u8>,
    /// The member to whose first address the letter goes, or `None` if it goes elsewhere.
    pub(crate) member: Option<u32>,
    /// Whether servers have refused letters to that member since they last accepted one.
    pub(crate) was_refused_before: bool,
    /// The seats whose news the letter holds, each with the seat's last seen record before it.
    pub(crate) shown_seats: Vec<(u32, Seat, u32)>,
}

/// A letter whose reader is known, before its text is rendered.
pub(super) struct AddressedLetter<'a> {
    pub(super) letter: &'a OutgoingLetter,
    pub(super) payload: OutboxPayload,
    /// The reader. Their first address is the one that the letter goes to.
    pub(super) to: Member,
    /// Whether that address is a member's first address.
    pub(super) is_first: bool,
    pub(super) written_at: DateTime<Utc>,
}

/// The headers for replies, threads, mailing list, unsubscribing and calendars.
#[derive(Default)]
pub(super) struct ThreadHeaders<'a> {
    pub(super) reply_route: Option<ReplyRoute>,
    pub(super) references: Vec<String>,
    /// Whether the letter answers other letters.
    pub(super) is_reply: bool,
    pub(super) list: Option<(&'a str, String)>,
    /// A mailto link that stops letters of this kind.
    pub(super) unsubscribe: Option<String>,
    pub(super) calendars: Vec<String>,
}

/// Composes these letters, and returns the outcomes in the same order. An error means that the
/// store cannot be read.
pub(crate) fn compose_letters(
    tx: &Transaction<'_>,
    letters: &[QueuedLetter],
) -> Result<Vec<CompositionOutcome>, ClubError> {
    let addressed = letters.iter().map(|queued| find_reader_and_address(tx, &queued.letter));
    let addressed: Vec<Result<_, _>> = addressed.collect::<Result<_, _>>()?;
    let jobs = addressed
        .iter()
        .map(|one| one.as_ref().map_or_else(|_| Vec::new(), |one| wording_jobs(one)));
    let jobs: Vec<Vec<WordingJob<'_>>> = jobs.collect();
    let mut wordings = game_wording::render_wording_jobs(tx, &jobs.concat())?.into_iter();
    let wordings: Vec<Vec<_>> =
        jobs.iter().map(|jobs| wordings.by_ref().take(jobs.len()).collect()).collect();
    let leaves =
        |(addressed, said): (Result<Box<AddressedLetter<'_>>, CompositionOutcome>, Vec<_>)| {
            match addressed {
                Ok(addressed) => addressed.compose(tx.context, said),
                Err(leaves) => Ok(leaves),
            }
        };
    addressed.into_par_iter().zip(wordings).map(leaves).collect()
}

/// Composes a letter that is not in the outbox. An error is a text in the club's language.
pub(crate) fn compose_unqueued(
    tx: &Transaction<'_>,
    letter: OutgoingLetter,
) -> Result<ComposedLetter, String> {
    let queued = QueuedLetter { key: 0, attempts: 0, letter };
    let leaves = compose_letters(tx, std::slice::from_ref(&queued));
    match leaves.map_err(|error| error.to_string())?.pop() {
        Some(CompositionOutcome::Composed(ready)) => Ok(ready),
        Some(CompositionOutcome::Failed(why)) => Err(localize_for_club(tx.context, &why)),
        Some(CompositionOutcome::Obsolete(_)) | None => Err(queued.letter.recipient),
    }
}

/// Returns the text of a fault in the club's language.
pub(crate) fn localize_for_club(context: &Context, why: &Message) -> String {
    context.library.language(&context.settings.language).localize(why)
}

/// Finds the reader of a letter, or the outcome if nobody may read it as it is. If the reader has
/// lost some of its seats, the outcome has one letter for each remaining seat.
fn find_reader_and_address<'a>(
    tx: &Transaction<'_>,
    letter: &'a OutgoingLetter,
) -> Result<Result<Box<AddressedLetter<'a>>, CompositionOutcome>, ClubError> {
    let Some(label) = &letter.label else {
        return Ok(Err(CompositionOutcome::Failed(Message::new("fault-unlabelled"))));
    };
    let payload = match OutboxPayload::from_json(&letter.payload) {
        Ok(owed) => owed,
        Err(why) => return Ok(Err(CompositionOutcome::Failed(why))),
    };
    let Some((to, is_first)) = find_current_reader(tx, letter, (&label.reader, &payload))? else {
        return Ok(Err(CompositionOutcome::Obsolete(Vec::new())));
    };
    let mut still_seated = Vec::new();
    for update in payload.seat_updates() {
        if is_seated(tx, &to, (update.game, update.seat))? {
            still_seated.push(update);
        }
    }
    if still_seated.len() == payload.seat_updates().len() {
        let written = label.written;
        return Ok(Ok(Box::new(AddressedLetter {
            letter,
            payload,
            to,
            is_first,
            written_at: written,
        })));
    }
    Ok(Err(CompositionOutcome::Obsolete(
        still_seated.into_iter().map(|one| split_off_update(one, letter)).collect(),
    )))
}

/// Returns the current reader of a letter, and whether the letter goes to a member's first address.
/// The letter's address is moved to the front of the reader's addresses. Returns `None` if nobody
/// may read the letter.
fn find_current_reader(
    tx: &Transaction<'_>,
    letter: &OutgoingLetter,
    (reader, owed): (&LetterReader, &OutboxPayload),
) -> Result<Option<(Member, bool)>, ClubError> {
    let found = match (reader, owed) {
        (LetterReader::Address, OutboxPayload::Plain(plain)) => {
            let Addressee { name, language, generation, address_changes: moves } = plain.to.clone();
            let nobody = reader::nonmember_as_reader(tx.context, &letter.recipient);
            Some((
                Member {
                    name,
                    language,
                    token_generation: generation,
                    address_changes: moves,
                    ..nobody
                },
                false,
            ))
        }
        (LetterReader::Moderator, OutboxPayload::Plain(_)) => {
            let moderators = &tx.context.settings.moderators;
            let to = moderators.find_by_address(&letter.recipient).unwrap_or(&moderators.first);
            Some((reader::moderator_as_reader(tx, to)?, false))
        }
        (LetterReader::Member(id), OutboxPayload::Plain(_)) => {
            find_active_member(tx, *id)?.map(|mut member| {
                let place = member.addresses.iter().position(|own| *own == letter.recipient);
                if let Some(place) = place {
                    member.addresses.swap(0, place);
                }
                (member, place.unwrap_or(0) == 0)
            })
        }
        (LetterReader::Probe(id), OutboxPayload::Plain(_)) => {
            let awaits = |member: &Member| {
                member.reachability.is_awaiting_probe()
                    && member.addresses.first() == Some(&letter.recipient)
            };
            find_active_member(tx, *id)?.filter(awaits).map(|member| (member, true))
        }
        (LetterReader::Seats { member, .. }, OutboxPayload::Seat(_) | OutboxPayload::Seats(_)) => {
            find_active_member(tx, *member)?.map(|member| (member, true))
        }
        _ => None,
    };
    Ok(found.filter(|(to, _)| to.is_person()))
}

/// Returns a letter with one seat update of a letter that held several.
fn split_off_update(update: &SeatUpdate, original: &OutgoingLetter) -> OutgoingLetter {
    let mut label = original.label.clone();
    if let Some(OutboxLabel {
        reader: LetterReader::Seats { seats, .. },
        mergeable: unsettled,
        ..
    }) = &mut label
    {
        seats.retain(|shown| (shown.game, shown.seat) == (update.game, update.seat));
        *unsettled = false;
    }
    update.clone().into_letter(original.recipient.clone(), label)
}

/// Returns a member, or `None` for a bot and for a member who has left the club.
pub(crate) fn find_active_member(
    tx: &Transaction<'_>,
    id: u32,
) -> Result<Option<Member>, ClubError> {
    Ok(tx.member(id)?.filter(Member::is_person))
}

/// Whether a member has this seat now and has not left it.
pub(crate) fn is_seated(
    tx: &Transaction<'_>,
    member: &Member,
    (game, seat): (u32, Seat),
) -> Result<bool, ClubError> {
    let is_theirs = |seated: &SeatAssignment| seated.member == member.id && !seated.has_left;
    Ok(tx.seat_assignments(game)?.get(seat.index()).is_some_and(is_theirs))
}

/// Returns the parts of a letter that describe a game and must be worded.
fn wording_jobs<'a>(
    AddressedLetter { to, payload: owed, written_at: written, .. }: &'a AddressedLetter<'_>,
) -> Vec<WordingJob<'a>> {
    let written = *written;
    if let OutboxPayload::Plain(plain) = owed {
        let NoticeBody::ObserverUpdate { game, last_seen_record: told, head, talk: minutes } =
            &plain.body
        else {
            return Vec::new();
        };
        let what = WordingSubject::Observer { reader: to, last_seen_record: *told, talk: minutes };
        return vec![WordingJob { game: *game, head: *head, written_at: written, subject: what }];
    }
    match owed {
        OutboxPayload::Seats(updates) => bundle_letter::wording_jobs_of_bundle(updates, written),
        _ => owed.seat_updates().iter().map(|one| WordingJob::for_seat(one, written)).collect(),
    }
}

impl AddressedLetter<'_> {
    fn compose(
        &self,
        context: &Context,
        wordings: Vec<Result<GameWording, Message>>,
    ) -> Result<CompositionOutcome, ClubError> {
        let Self { letter, payload: owed, to, is_first, .. } = self;
        let mut wordings: Vec<GameWording> =
            match (wordings.into_iter().collect::<Result<_, _>>(), owed) {
                (Ok(said), _) => said,
                (Err(why), OutboxPayload::Seat(_) | OutboxPayload::Plain(_)) => {
                    return Ok(CompositionOutcome::Failed(why));
                }
                // If one game of a bundle cannot be worded, each game gets a letter of its own, so
                // that the other games are not delayed.
                (Err(_), OutboxPayload::Seats(tellings)) => {
                    let alone = tellings.iter().map(|one| split_off_update(one, letter));
                    return Ok(CompositionOutcome::Obsolete(alone.collect()));
                }
            };
        let compose = || match (owed, wordings.pop()) {
            (OutboxPayload::Seat(telling), Some(said)) => {
                self.compose_seat_letter(context, telling, &said)
            }
            (OutboxPayload::Plain(plain), said) => self.compose_plain_letter(context, plain, said),
            (_, last) => {
                wordings.extend(last);
                self.compose_bundle(context, &group_by_game(owed.seat_updates(), wordings))
            }
        };
        Ok(match catch_game_fault(compose)? {
            Ok(bytes) => CompositionOutcome::Composed(ComposedLetter {
                message_id: letter.message_id.clone(),
                recipient: to.addresses.first().cloned().unwrap_or_default(),
                bytes,
                member: is_first.then_some(to.id),
                was_refused_before: *is_first && to.reachability.has_permanent_refusal(),
                shown_seats: owed
                    .seat_updates()
                    .iter()
                    .map(|one| (one.game, one.seat, one.last_seen_record))
                    .collect(),
            }),
            Err(why) => CompositionOutcome::Failed(why),
        })
    }

    /// Composes a letter about one seat.
    fn compose_seat_letter(
        &self,
        context: &Context,
        update: &SeatUpdate,
        wording: &GameWording,
    ) -> Result<Vec<u8>, ClubError> {
        let root = context.unique_id(&format!("g{}.s{}.r1", update.game, update.seat));
        let mut references = update.answered_ids.clone();
        if root != self.letter.message_id {
            references.insert(0, root);
        }
        let thread = ThreadHeaders {
            reply_route: wording.token.as_ref().map(|token| ReplyRoute::for_token(context, token)),
            references,
            is_reply: !update.answered_ids.is_empty(),
            list: Some((&wording.list_name, context.list_id(update.game))),
            // A player must write a word to leave a game, so that no unsubscribe button can take
            // them out.
            unsubscribe: None,
            calendars: wording.calendar.iter().cloned().collect(),
        };
        self.compose_bytes(context, &wording.rendered, &thread)
    }

    /// Composes a letter that is not about a seat, such as an answer, a notice or an observer's
    /// update.
    fn compose_plain_letter(
        &self,
        context: &Context,
        plain: &PlainLetter,
        wording: Option<GameWording>,
    ) -> Result<Vec<u8>, ClubError> {
        let action = plain.action;
        let stop = match plain.body {
            NoticeBody::ObserverUpdate { game, .. } => Some(UnsubscribeKind::Observing(game)),
            NoticeBody::Standings(_) => Some(UnsubscribeKind::Standings),
            _ if matches!(action, Some(ReplyAction::AcceptInvitation { .. })) => {
                Some(UnsubscribeKind::Invitations)
            }
            _ => None,
        };
        let refuse = || {
            let refusal =
                ReplyAction::opt_out_for_address(&context.secret, self.to.addresses.first()?);
            self.action_link(context, refusal, &Message::new("stop-letters"))
        };
        let unsubscribe = match stop {
            Some(stops) => self.unsubscribe_link(context, stops),
            None if pending::reader_for_reply_action(action) == LetterReader::Address => refuse(),
            None => None,
        };
        let token = action.map(|action| reader::sign_reply_action(context, &self.to, action));
        let thread = ThreadHeaders {
            reply_route: token.map(|token| ReplyRoute::for_token(context, &token)),
            references: plain.answered_id.iter().cloned().collect(),
            is_reply: plain.answered_id.is_some(),
            unsubscribe,
            ..ThreadHeaders::default()
        };
        self.compose_bytes(
            context,
            &render_plain_letter(context, &self.to, plain, wording),
            &thread,
        )
    }

    /// Returns a mailto link that stops letters of this kind.
    pub(super) fn unsubscribe_link(
        &self,
        context: &Context,
        what: UnsubscribeKind,
    ) -> Option<String> {
        let words = match what {
            UnsubscribeKind::Observing(game) => Message::new("stop-watching").with("number", game),
            UnsubscribeKind::Digests => Message::new("stop-digests"),
            UnsubscribeKind::Standings => Message::new("stop-standings"),
            UnsubscribeKind::Invitations => Message::new("stop-invitations"),
        };
        self.action_link(context, ReplyAction::Unsubscribe { member: self.to.id, what }, &words)
    }

    /// Returns a mailto link to an empty letter with this subject, which does this action.
    fn action_link(
        &self,
        context: &Context,
        action: ReplyAction,
        words: &Message,
    ) -> Option<String> {
        let token = reader::sign_reply_action(context, &self.to, action);
        let subject = context.library.language(&self.to.language).localize(words);
        ReplyRoute::for_token(context, &token).empty_letter_link(&subject)
    }

    pub(super) fn compose_bytes(
        &self,
        context: &Context,
        rendered: &RenderedLetter,
        thread: &ThreadHeaders<'_>,
    ) -> Result<Vec<u8>, ClubError> {
        let settings = &context.settings;
        let pictures = rendered.pictures.iter();
        let pictures: Vec<_> = pictures.map(|one| (one.id.as_str(), &*one.bytes)).collect();
        let subject =
            thread.reply_route.as_ref().map(|way| way.add_token_to_subject(&rendered.subject));
        let html = rendered.html.as_deref().map(game_wording::mask_tokens_in_html);
        Ok(compose_letter_bytes(&Draft {
            message_id: &self.letter.message_id,
            from: (&settings.name, &settings.address),
            to: (&self.to.name, game_wording::first_email_address(&self.to)),
            reply_to: thread.reply_route.as_ref().and_then(ReplyRoute::address_with_token),
            subject: subject.as_deref().unwrap_or(&rendered.subject),
            in_reply_to: thread.references.last().map(String::as_str),
            references: &thread.references,
            list: thread.list.as_ref().map(|(name, id)| (*name, id.as_str())),
            unsubscribe: thread.unsubscribe.as_deref(),
            origin: if thread.is_reply { Origin::Replied } else { Origin::Generated },
            written_at: self.written_at,
            text: &rendered.text,
            html: html.as_deref(),
            pictures: &pictures,
            calendars: &thread.calendars,
        })?)
    }
}

/// Renders the text of a letter that is not about a seat.
fn render_plain_letter(
    context: &Context,
    to: &Member,
    plain: &PlainLetter,
    wording: Option<GameWording>,
) -> RenderedLetter {
    let (library, club) = (&context.library, context.settings.name.as_str());
    let rendered = match &plain.body {
        NoticeBody::Notice(notice) => {
            let token = plain.action.map(|action| reader::sign_reply_action(context, to, action));
            let reply_route = token.and_then(|token| ReplyRoute::for_links(context, &token));
            let link = |subject: &str, line: &str| reply_route.as_ref()?.answer_link(subject, line);
            let link: Option<&LinkMaker<'_>> =
                if reply_route.is_some() { Some(&link) } else { None };
            let taps = MailtoLinks {
                link,
                reader_address: game_wording::first_email_address(to),
                offers: &[],
                offers_max: OFFERS_MAX,
            };
            library.render_notice(to, club, notice, plain.is_answer(), &taps)
        }
        NoticeBody::Probe => library.render_probe(to, club),
        NoticeBody::Report(lines) => library.render_report(to, club, lines),
        NoticeBody::Sections { subject, sections } => {
            library.render_sections(to, subject, sections)
        }
        NoticeBody::Standings(standings) => library.render_standings(to, club, standings),
        NoticeBody::ObserverUpdate { .. } => wording.map(|said| said.rendered).unwrap_or_default(),
    };
    game_wording::mask_tokens_in_text(rendered)
}
