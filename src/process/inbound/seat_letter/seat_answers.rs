//! The answers to a letter from a seat that the game's next letter does not confirm.

use super::SeatLetter;
use crate::club::press::LineClass;
use crate::club::{ActivityEntry, LetterLine};
use crate::mail::rate_limit::RateDecision;
use crate::process::context::{ClubError, ClubResult};
use crate::process::inbound::effects::Effects;
use crate::process::inbound::intake::classify_seat_line;
use crate::process::outbound::answers;
use crate::process::outbound::pending::{self, SeatUpdateDraft};
use crate::process::table::voting;
use crate::process::transaction::effect::{Answer, Disposition, LetterEffect};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::rate_account::RateAccount;
use crate::render::Occasion;
use crate::rules::Message;
use crate::store::LetterResult;
use crate::table::{LetterRefusal, Preview, Submission};

/// Whether the answer refuses a letter that was not a preview.
const fn refuses_letter(occasion: &Occasion) -> bool {
    matches!(occasion, Occasion::Refused { preview: false, .. } | Occasion::Unreadable(_))
}

/// Whether the answer says that the club found nothing to do in the letter. Only used for letters
/// without orders.
const fn answers_idle_letter(occasion: &Occasion) -> bool {
    matches!(occasion, Occasion::NothingWritten) || refuses_letter(occasion)
}

/// Notes and messages that an answer shows in addition to the game.
#[derive(Clone, Default)]
pub(super) struct AnswerExtras {
    pub(super) notes: Vec<Message>,
    talk: Vec<ActivityEntry>,
}

impl SeatLetter<'_, '_> {
    /// Returns the messages to players and the vote of a letter, as its preview shows them.
    fn preview_extras(&self, effects: &Effects) -> AnswerExtras {
        let said = (!effects.talk.is_empty()).then(|| Message::new("talk-would"));
        let vote = |line| voting::preview_vote(self.tx, self.game, line);
        let notes = said.into_iter().chain(effects.ballot.as_ref().map(vote)).collect();
        AnswerExtras { notes, talk: effects.talk.clone() }
    }

    /// Answers a preview of a letter that holds messages or a vote but no orders. Nothing is
    /// carried out.
    pub(super) fn answer_talk_preview(&self, effects: Effects) -> ClubResult<LetterEffect> {
        let shown = self.preview_extras(&effects);
        let mut words = effects.words;
        if !words.is_empty() {
            words.insert(0, Message::new("preview-accepted"));
        }
        self.answer_sender_with(self.session, Occasion::Clock { words }, shown)
    }

    /// Answers a preview of a letter with orders. Nothing is carried out.
    pub(super) fn answer_preview(
        &self,
        submission: &Submission<'_>,
        effects: &Effects,
    ) -> ClubResult<LetterEffect> {
        match self.table.preview(submission)? {
            Preview::Accepted { outcome, mut remarks, events } => {
                remarks.extend_from_slice(&effects.words);
                let lines = submission.lines.to_vec();
                let occasion = Occasion::Previewed { lines, outcome, remarks, events };
                self.answer_sender_with(self.session, occasion, self.preview_extras(effects))
            }
            Preview::Refused(refused) => self.answer_refusal(refused, true),
        }
    }

    /// Whether the letter has a line that is an order or resembles one. Refusals of orders have a
    /// larger rate limit, which automatic replies must not use up.
    fn has_orders(&self) -> bool {
        let reads = |line: &LetterLine| {
            classify_seat_line(
                self.tx.context.games(),
                (&self.table, self.seat),
                line.order.text_to_parse(),
            )
        };
        let mut lines = self.written.into_iter().flat_map(|written| &written.lines);
        lines.any(|line| reads(line) != LineClass::Prose)
    }

    /// Answers a letter with only club commands. The answer states the deadline after the change.
    pub(super) fn answer_club_lines(&self, mut effects: Effects) -> ClubResult<LetterEffect> {
        let mut session = self.session.clone();
        let mut words = std::mem::take(&mut effects.words);
        if self.is_preview {
            words.insert(0, Message::new("preview-accepted"));
        } else {
            if let Some(member) = &effects.member {
                session.replace_member_in_seats(member);
                session.recompute_deadline(self.seat, self.tx.context.now);
            }
            if let Some(notes) = &effects.notes {
                session.set_notes(self.seat, notes.clone());
            }
            effects
                .news_wish
                .into_iter()
                .for_each(|wish| session.set_news_preference(self.seat, wish));
        }
        let mut effect =
            self.answer_sender_with(&session, Occasion::Clock { words }, self.extras.clone())?;
        if !self.is_preview {
            self.apply_writer_changes(&effects, &mut effect)?;
        }
        Ok(effect)
    }

    /// Answers a refused letter. `has_order` says whether the letter has an order besides the
    /// refused line.
    pub(super) fn answer_refusal(
        &self,
        refused: LetterRefusal,
        has_order: bool,
    ) -> ClubResult<LetterEffect> {
        let (from, has_order) = ((self.tx.context, self.letter), has_order || self.has_orders());
        let refused = self.intent_finder().add_offers(refused, from, has_order);
        self.answer_sender(Occasion::Refused { refused, preview: self.is_preview })
    }

    /// Answers the sender, unless their rate limit is used up.
    pub(super) fn answer_sender(&self, occasion: Occasion) -> ClubResult<LetterEffect> {
        self.answer_sender_with(self.session, occasion, self.extras.clone())
    }

    /// Like [`SeatLetter::answer_sender`], but shows this state of the game and these extras.
    fn answer_sender_with(
        &self,
        session: &GameSession,
        occasion: Occasion,
        AnswerExtras { notes, talk }: AnswerExtras,
    ) -> Result<LetterEffect, ClubError> {
        let mut effect = LetterEffect::with_disposition(Disposition::Done);
        let Some((_, member)) = session.seat(self.seat) else { return Ok(effect) };
        effect.result = refuses_letter(&occasion).then_some(LetterResult::Refused);
        let talks = self.written.is_some_and(|written| !written.press.is_empty());
        let account = if refuses_letter(&occasion) && self.has_orders() {
            RateAccount::Refusals(member.id)
        } else if answers_idle_letter(&occasion) && !talks && self.commands.is_empty() {
            effect.is_idle = true;
            answers::choose_member_idle_account(self.tx, member.id)?
        } else {
            RateAccount::Answers(member.id)
        };
        let (letter, told) = match answers::decide_answer_within_limit(self.tx, &account)? {
            RateDecision::Silence => return Ok(effect),
            RateDecision::LastNotice => {
                let notice = account.limit_notice();
                (answers::make_notice_reply(self.tx.context, member, &notice, self.letter), None)
            }
            RateDecision::Answer => {
                let mark = format!("a{}", self.letter.hash);
                let to = SeatUpdateDraft {
                    is_answer: true,
                    questions: self.commands.clone(),
                    answered_ids: self.letter.message_id.clone().into_iter().collect(),
                    answered_digests: vec![self.letter.hash.to_string()],
                    notes,
                    talk,
                    ..SeatUpdateDraft::without_answered_letter(self.seat, occasion, mark)
                };
                (pending::make_seat_letter(self.tx, session, to)?, Some((self.game, self.seat)))
            }
        };
        effect.answer = letter.map(|letter| Answer { letter, account, updated_seat: told });
        Ok(effect)
    }
}
