//! Judges the lines of a letter. This module changes nothing: the caller applies the effects of the
//! whole letter, or none of them. A preview only shows them.

use crate::club::clock::ClockRules;
use crate::club::vote::Ballot;
use crate::club::{
    ActivityEntry, ClubCommand, LetterLine, LineError, Member, NewsPreference, Notes,
    ParsedCommand, SettingCommand,
};
use crate::process::commit;
use crate::process::context::Context;
use crate::process::inbound::member_letter;
use crate::process::lobby::members::MemberRefusal;
use crate::process::request_error::{RequestError, split_refusal};
use crate::process::session::reader;
use crate::process::table::{hints, voting};
use crate::process::transaction::Transaction;
use crate::rules::{Message, Refusal, Seat};
use crate::table::{LetterRefusal, OrderLine};

/// The effects that the lines of one letter have on its writer, other players and the game.
#[derive(Default)]
pub(crate) struct Effects {
    /// The changed member; `None` if nothing changed. `notes` and `news_wish` are `None` in that
    /// case too.
    pub member: Option<Member>,
    pub notes: Option<Notes>,
    /// The new choice of which news of this game the player gets letters about.
    pub(crate) news_wish: Option<Option<NewsPreference>>,
    pub(crate) addresses_to_confirm: Vec<String>,
    /// Sentences for the answer about these effects.
    pub words: Vec<Message>,
    /// Messages to other players.
    pub(crate) talk: Vec<ActivityEntry>,
    pub(crate) ballot: Option<Ballot>,
    pub(crate) undo: Option<OrderLine>,
    /// Whether the writer asks for a hint.
    pub(crate) asks_hint: bool,
    /// Sentences for the answer about lines that were taken for talk.
    pub(crate) talk_remarks: Vec<Message>,
    /// The remaining lines, which are for the game.
    pub(crate) orders: Vec<OrderLine>,
}

/// The member who wrote the letter that is judged, and their seat.
pub(crate) struct LetterWriter<'a> {
    pub member: &'a Member,
    /// The game and seat of the letter, with the seat's notes; `None` in a letter about no game.
    pub seat: Option<(u32, Seat, &'a Notes)>,
}

impl Effects {
    /// Judges the lines of a letter in their order.
    ///
    /// # Errors
    /// The refusal of the first line that cannot be carried out, which refuses the whole letter.
    pub(crate) fn judge_lines(
        tx: &Transaction<'_>,
        writer: &LetterWriter<'_>,
        lines: &[LetterLine],
    ) -> Result<Self, RequestError<LetterRefusal>> {
        let mut effects = Self::default();
        for LetterLine { order, parsed_command: what } in lines {
            let is_here =
                |line: &&ParsedCommand| line.is_allowed_beside_orders(writer.seat.is_some());
            let taken = match what.as_ref().filter(is_here).map(|line| &line.command) {
                Some(Ok(deed)) => split_refusal(effects.judge_line(tx, writer, order, deed))?,
                Some(Err(why)) => Err(why.clone()),
                None => {
                    effects.orders.push(order.clone());
                    Ok(())
                }
            };
            if let Err(why) = taken {
                let (line, refusal) = (Some(order.clone()), Refusal::illegal(why));
                return Err(RequestError::Refused(LetterRefusal { line, refusal }));
            }
        }
        member_letter::check_can_add_addresses(tx, writer.member, &effects.addresses_to_confirm)?;
        Ok(effects)
    }

    fn judge_line(
        &mut self,
        tx: &Transaction<'_>,
        writer: &LetterWriter<'_>,
        order: &OrderLine,
        deed: &ClubCommand,
    ) -> Result<(), RequestError<LineError>> {
        match (deed, writer.seat) {
            (ClubCommand::Address(address), _) => {
                self.words.push(Message::new("address-asked").with("address", address.as_str()));
                self.addresses_to_confirm.push(address.clone());
            }
            (ClubCommand::Set(SettingCommand::NewsInGame(wish)), Some(_)) => {
                self.words.push(NewsPreference::confirmation_message(*wish));
                self.news_wish = Some(*wish);
            }
            (ClubCommand::Set(setting), _) => {
                let now = self.member.as_ref().unwrap_or(writer.member);
                let (after, said) = apply_setting(tx.context, now, setting.clone())?;
                self.member = Some(after);
                self.words.push(said);
            }
            (ClubCommand::Note(note), Some((_, _, notes))) => {
                let (after, said) = self.notes.as_ref().unwrap_or(notes).apply(note.clone())?;
                self.notes = Some(after);
                self.words.push(said);
            }
            (ClubCommand::Vote(ballot), Some((game, seat, _))) => {
                voting::check_ballot(tx, (game, seat), ballot, self.ballot.is_some())?;
                self.ballot = Some(ballot.clone());
            }
            (ClubCommand::Undo, Some(_)) if self.undo.is_some() => {
                return Err(Message::new("undo-once").into());
            }
            (ClubCommand::Undo, Some(_)) => self.undo = Some(order.clone()),
            (ClubCommand::Hint, Some((game, seat, _))) => {
                hints::check_can_ask(tx, game, seat)?;
                self.asks_hint = true;
            }
            (
                ClubCommand::Note(_) | ClubCommand::Vote(_) | ClubCommand::Undo | ClubCommand::Hint,
                None,
            )
            | (ClubCommand::Ask(_) | ClubCommand::Lobby(_) | ClubCommand::Moderate(_), _) => {}
        }
        Ok(())
    }

    /// Whether the letter has no effect, apart from questions and an undo.
    pub(crate) const fn has_only_undo_or_questions(&self) -> bool {
        self.orders.is_empty() && self.words.is_empty() && !self.has_talk_or_vote()
    }

    pub(crate) const fn has_talk_or_vote(&self) -> bool {
        !self.talk.is_empty() || self.ballot.is_some()
    }
}

/// Applies a setting to a member. Returns the changed member and the sentence that confirms the
/// change.
///
/// # Errors
/// Why the setting is not possible in this club.
pub(crate) fn apply_setting(
    context: &Context,
    member: &Member,
    setting: SettingCommand,
) -> Result<(Member, Message), LineError> {
    let rules = context.settings.clock.as_ref();
    let vacation_days =
        rules.map_or(ClockRules::VACATION_DAYS_DEFAULT, |rules| rules.vacation_days_per_year);
    let languages: Vec<&str> = context.library.language_tags().collect();
    setting.apply_to(member, context.now, (vacation_days, &languages))
}

/// Changes a setting of the member with this number or address, as if the member had sent `line`.
/// Returns the changed member and the sentence that confirms the change.
///
/// # Errors
/// When the club cannot be read or written. The refusal if there is no such member or setting.
pub fn change_member_setting(
    context: &Context,
    who: &str,
    line: &str,
) -> Result<(Member, Message), RequestError<MemberRefusal>> {
    commit::transact_and_notify(context, |tx| {
        let (member, word) = compute_setting_change(tx, who, line)?;
        tx.update_member(member.clone());
        Ok((member, word))
    })
}

/// Like [`change_member_setting`], but changes nothing in the club.
///
/// # Errors
/// When the club cannot be read. The refusal if there is no such member or setting.
pub fn preview_member_setting(
    context: &Context,
    who: &str,
    line: &str,
) -> Result<(Member, Message), RequestError<MemberRefusal>> {
    compute_setting_change(&Transaction::begin(context), who, line)
}

fn compute_setting_change(
    tx: &Transaction<'_>,
    who: &str,
    line: &str,
) -> Result<(Member, Message), RequestError<MemberRefusal>> {
    let Some(before) = reader::find_member_in_tx(tx, who)? else {
        let why = reader::describe_unknown_member_in_tx(tx, who)?;
        return Err(RequestError::Refused(MemberRefusal::NoMember(why)));
    };
    let Some(read) = SettingCommand::parse(line) else {
        return Err(RequestError::Refused(MemberRefusal::NoSetting(line.to_owned())));
    };
    let set = read.and_then(|setting| apply_setting(tx.context, &before, setting));
    set.map_err(|why| RequestError::Refused(MemberRefusal::WrongSetting(why)))
}
