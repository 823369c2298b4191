//! Invitations to a game and to the club, and refusals by non-members who want no letters.
//!
//! A refusal is stored among the seen letters, so it is in the journal and moves with the club. Its
//! key is a keyed hash, so the mailbox cannot be identified without the club's secret. A refusal
//! does not expire. A person who joins the club later gets letters like any member.

use crate::club::{ClubInvitee, Member, NewcomerRequest, Proposal, any_line_refuses_letters};
use crate::mail::rate_limit::{DAY_SECONDS, MONTH_SECONDS, RateDecision, mailbox_key};
use crate::mail::transport::check_address;
use crate::mail::{
    LetterHash, ReplyAction, fold_line, has_text_beside_footers, is_club_address, written_lines,
};
use crate::process::context::{ClubResult, Context};
use crate::process::lobby::newcomers::sanitize_name;
use crate::process::lobby::proposals::{self, Messages};
use crate::process::lobby::visitors::ClubLetter;
use crate::process::lobby::{game_founding, game_list, name_check, newcomers};
use crate::process::outbound::answers::{self, consent_question, invitation_notice, unix_day_of};
use crate::process::outbound::pending;
use crate::process::request_error::{RequestError, refuse_if};
use crate::process::session::reader;
use crate::process::transaction::rate_account::RateAccount;
use crate::process::transaction::{CLUB_ACTIVITY, Transaction, retry_on_conflict};
use crate::rules::Message;
use crate::store::{Repository, SeenLetter};

/// The key under which the store counts invitations to non-members. Other counters use addresses as
/// keys, so this key contains no @.
const INVITATION_COUNTER: &str = "invitations to non-members";
/// The key under which the store counts the notes to the moderator that the cap on invitations is
/// reached.
const CAP_REPORT_COUNTER: &str = "told of the cap on invitations";

/// Stores that the owner of this address refuses letters.
pub(crate) fn record_opt_out(tx: &mut Transaction<'_>, address: &str) -> ClubResult<()> {
    let refusal = ReplyAction::opt_out_for_address(&tx.context.secret, address);
    store_opt_out(tx, refusal)
}

/// Stores a refusal. It names the mailbox by a hash, so the invitee's name and address are erased,
/// also from the journal and the store's file.
pub(crate) fn store_opt_out(tx: &mut Transaction<'_>, refusal: ReplyAction) -> ClubResult<()> {
    tx.mark_as_processed(opt_out_key(refusal), SeenLetter::mark(tx.context.now));
    let secret = &tx.context.secret;
    let is_other = |address: &str| ReplyAction::opt_out_for_address(secret, address) != refusal;
    if retain_invitees(tx, |invitee| is_other(&invitee.address))? {
        let batch = tx.batch_mut();
        (batch.rewrite_journal, batch.erases_data) = (true, true);
    }
    Ok(())
}

pub(crate) fn has_opted_out(tx: &Transaction<'_>, address: &str) -> ClubResult<bool> {
    let key = opt_out_key(ReplyAction::opt_out_for_address(&tx.context.secret, address));
    Ok(tx.letter_outcome(key.as_bytes())?.is_some())
}

fn opt_out_key(refusal: ReplyAction) -> LetterHash {
    LetterHash::compute(format!("{refusal} refused").as_bytes())
}

/// Whether a letter in this language refuses all further letters. If the letter has no text but a
/// footer, its subject is checked too. A letter that agrees to something or asks for something else
/// is no refusal.
pub(crate) fn refuses_all_letters(context: &Context, from: ClubLetter<'_>, language: &str) -> bool {
    let letter = from.letter;
    if from.parse_newcomer_request(context, &[]) != NewcomerRequest::Other
        || newcomers::find_consent(context, letter, language).is_some()
    {
        return false;
    }
    let markers: Vec<&str> = context.reply_markers.iter().map(String::as_str).collect();
    let mut lines: Vec<String> = written_lines(&letter.body, &markers)
        .into_iter()
        .map(|(_, line)| fold_line(line))
        .collect();
    if !has_text_beside_footers(&letter.body, &markers) {
        lines.push(fold_line(&letter.subject));
    }
    let mut words = context.library.opt_out_words(language);
    let others = answers::possible_consent_languages(context, letter);
    words.extend(others.iter().flat_map(|tag| context.library.opt_out_words(tag)));
    any_line_refuses_letters(lines.iter().map(String::as_str), &words)
}

/// Returns the rate limit account for an answer to a non-member's letter. An unproven letter may be
/// forged, so it is charged to `usual`. If the owner of the address has refused letters, it is
/// answered once a month at most.
pub(crate) fn choose_answer_account(
    tx: &Transaction<'_>,
    from: ClubLetter<'_>,
    usual: fn(&str) -> RateAccount,
) -> ClubResult<RateAccount> {
    Ok(match from.address {
        address if from.is_sender_proven(tx.context) => RateAccount::for_invited_or_proven(address),
        address if has_opted_out(tx, address)? => RateAccount::for_opted_out(address),
        address => usual(address),
    })
}

/// Whether a letter that this member causes may be sent to a non-member: at most one a week per
/// member and three a month in total, and none after a refusal. The member must not find out the
/// answer.
pub(crate) fn can_write_to_nonmember(
    tx: &Transaction<'_>,
    by: u32,
    address: &str,
) -> ClubResult<bool> {
    Ok(!has_opted_out(tx, address)?
        && answers::are_within_limits(tx, &RateAccount::for_letter_caused_by_member(by, address))?)
}

/// Whether an invitation from this member may be sent to `address`. The member must not find out
/// the answer, because it depends on whether the invitee is a member.
pub(crate) fn can_invite(
    tx: &mut Transaction<'_>,
    by: &Member,
    invited: Option<&Member>,
    address: &str,
) -> ClubResult<bool> {
    match invited {
        Some(invited) => {
            let room =
                answers::are_within_limits(tx, &RateAccount::for_invitation(by.id, address))?;
            Ok(room && invited.letters.invitations)
        }
        None => Ok(can_write_to_nonmember(tx, by.id, address)? && count_if_below_daily_cap(tx)?),
    }
}

/// Counts an invitation to a non-member. Returns `false` if the club's cap for a day is reached.
/// The moderator is told of that once a day.
fn count_if_below_daily_cap(tx: &mut Transaction<'_>) -> ClubResult<bool> {
    let cap = tx.context.settings.invitations_per_day;
    let since = tx.context.now.timestamp() - DAY_SECONDS;
    let before = tx.count_events_since(INVITATION_COUNTER, since)?;
    let is_within = before < cap as usize;
    if is_within {
        tx.increment_count(INVITATION_COUNTER.to_owned());
    }
    if before + 1 >= cap as usize && tx.count_events_since(CAP_REPORT_COUNTER, since)? == 0 {
        tx.increment_count(CAP_REPORT_COUNTER.to_owned());
        tx.report_to_moderator(Message::new("report-invitations-used-up").with("limit", cap));
    }
    Ok(is_within)
}

/// The number that stands for the moderator as an inviter. No member has it.
pub(crate) const MODERATOR_ID: u32 = 0;

/// The most people that one member may invite per day.
const MEMBER_INVITATIONS_PER_DAY: usize = 24;

/// The most people that a newcomer who joined an open club uninvited may invite before they have
/// finished a turn.
const INVITATIONS_PER_NEWCOMER: u8 = 5;

pub(crate) struct Invitation<'a> {
    pub founder: &'a Member,
    pub game: u32,
    pub proposal: &'a Proposal,
    /// The finished game that a rematch repeats. Its players know each other's names, but not their
    /// addresses.
    pub rematch_of: Option<u32>,
}

/// Invites the owner of an address to a game by letter, unless they refuse letters or a limit is
/// reached.
///
/// The founder must not find out whether the invitee is a member, has refused letters, or was
/// invited by others. So the function succeeds even if no letter is sent, and members whose mail
/// bounces are invited too.
///
/// # Errors
/// The refusal if no letter can be sent to this address, whoever owns it.
pub(crate) fn invite_to_game(
    tx: &mut Transaction<'_>,
    digest: &LetterHash,
    to: &Invitation<'_>,
    address: &str,
) -> Result<(), RequestError> {
    let Invitation { founder, game, proposal, rematch_of: again } = *to;
    let invited = tx.member_by_address(address)?;
    let name = invited.as_ref().filter(|_| again.is_some()).map(|member| member.name.clone());
    let who = name.unwrap_or_else(|| address.to_owned());
    let unsent =
        || RequestError::Refused(Message::new("lobby-invite-unsent").with("who", who.as_str()));
    if is_club_address(address, &tx.context.settings.address) || check_address(address).is_err() {
        return Err(unsent());
    }
    if !can_invite(tx, founder, invited.as_ref(), address)? {
        return Ok(());
    }
    let day = unix_day_of(tx.context.now);
    let (to, action, [how, how_side], accounts) = match invited {
        Some(member) => {
            let action = ReplyAction::AcceptInvitation { member: member.id, game, day };
            let how = ["lobby-how-yes", "lobby-how-side-yes"];
            (member, action, how, RateAccount::for_invitation(founder.id, address))
        }
        None => {
            let (nobody, action) = (
                reader::nonmember_as_reader(tx.context, address),
                ReplyAction::JoinGame { game, day },
            );
            (
                nobody,
                action,
                ["newcomer-how", "newcomer-how-side"],
                RateAccount::for_letter_caused_by_member(founder.id, address),
            )
        }
    };
    let [account, part] = accounts;
    tx.increment_count(part.store_key());
    let mut words = vec![
        Message::new("lobby-invited")
            .with("name", founder.name.as_str())
            .with("club", tx.context.settings.name.as_str()),
    ];
    words.extend(again.map(|before| Message::new("rematch-told").with("number", before)));
    words.push(game_list::describe_proposal(tx.context, proposal, game, &to));
    words.extend(proposals::describe_proposed_terms(tx, &tx.game_info(game)?, proposal)?);
    words.push(consent_question(how).with("number", game));
    words.extend(game_founding::describe_side_choice(tx.context.games(), proposal, how_side, game));
    words.extend((to.id == 0).then(|| Message::new("refusal-how")));
    let kind = tx.context.library.language(&to.language).game_name(&proposal.kind);
    let subject = Message::new("invitation-subject")
        .with("name", founder.name.as_str())
        .with("game", kind)
        .with("number", game);
    let notice = invitation_notice(subject, words);
    let asked = pending::make_notice_letter(tx.context, &to, &notice, Some(action), digest, None);
    tx.queue_letter(asked.map_err(|_| unsent())?, &account);
    Ok(())
}

/// Invites more people to a forming game. Only its founder may do this.
pub(crate) fn invite_more_to_game(
    tx: &mut Transaction<'_>,
    digest: &LetterHash,
    founder: &Member,
    game: u32,
    addresses: &[String],
) -> Result<Messages, RequestError> {
    let mut room = tx.game_info(game)?;
    let proposal = proposals::require_own_proposal(tx, founder, game)?;
    charge_member_invitations(tx, founder, addresses.len())?;
    let to = Invitation { founder, game, proposal: &proposal, rematch_of: None };
    for address in addresses {
        if !room.invited_addresses.contains(address) && !founder.addresses.contains(address) {
            room.invited_addresses.push(address.clone());
        }
        invite_to_game(tx, &digest.derive_for_caused_letter(address), &to, address)?;
    }
    tx.replace_game_info(game, room);
    Ok(vec![
        Message::new("lobby-invites-sent").with("number", game),
        describe_invitation_limits(tx),
    ])
}

/// Returns the sentence that answers every invitation: the reasons why a letter may not be sent.
pub(crate) fn describe_invitation_limits(tx: &Transaction<'_>) -> Message {
    let moderator = tx.context.settings.moderators.first.address.as_str();
    Message::new("lobby-invites-limits").with("moderator", moderator)
}

/// Invites a person to the club by letter, for the moderator. Returns the answer to the moderator.
pub(crate) fn invite_to_club(
    tx: &mut Transaction<'_>,
    name: &str,
    address: &str,
) -> Result<Message, RequestError> {
    let to_address = |key| Message::new(key).with("address", address);
    refuse_if(is_club_address(address, &tx.context.settings.address), || to_address("invite-own"))?;
    if let Some(Member { id, name, .. }) = tx.member_by_address(address)? {
        let already = Message::new("invite-member").with("address", address);
        return Err(RequestError::Refused(already.with("number", id).with("name", name)));
    }
    let name = sanitize_name(name);
    let is_free = name.is_empty() || name_check::can_take_name(tx, &name, (address, None))?;
    refuse_if(!is_free, || Message::new("invite-name").with("name", name.as_str()))?;
    refuse_if(has_opted_out(tx, address)?, || to_address("invite-refused"))?;
    // The limits on members' letters do not restrict the moderator, but this letter counts towards
    // them.
    let [_, part] = RateAccount::for_invitation(MODERATOR_ID, address);
    let [account, _] = RateAccount::for_letter_caused_by_member(MODERATOR_ID, address);
    let is_spent = answers::decide_answer_within_limit(tx, &part)? != RateDecision::Answer;
    refuse_if(is_spent, || to_address("invite-spent"))?;
    let to = Member { name: name.clone(), ..reader::nonmember_as_reader(tx.context, address) };
    let mut words = vec![
        Message::new("club-invited")
            .with("name", tx.moderator.name.as_str())
            .with("club", tx.context.settings.name.as_str()),
        Message::new("visitor-how"),
        consent_question("club-how"),
    ];
    if !name.is_empty() {
        words.push(consent_question("club-how-name").with("name", name.as_str()));
    }
    words.push(Message::new("refusal-how"));
    let since = tx.context.now.timestamp() - DAY_SECONDS;
    let again = tx.count_events_since(&part.store_key(), since)?;
    let digest = LetterHash::compute(format!("{} {again} {address}", tx.context.now).as_bytes());
    let day = unix_day_of(tx.context.now);
    let action = ReplyAction::JoinClub { day };
    let subject = Message::new("club-invitation-subject")
        .with("name", tx.moderator.name.as_str())
        .with("club", tx.context.settings.name.as_str());
    let notice = invitation_notice(subject, words);
    let asked = pending::make_notice_letter(tx.context, &to, &notice, Some(action), &digest, None);
    let asked = asked.map_err(|_| to_address("invite-no-address"))?;
    tx.increment_count(part.store_key());
    tx.queue_letter(asked, &account);
    record_invitee(tx, ClubInvitee { address: address.to_owned(), name: name.clone(), day })?;
    let told = if name.is_empty() { "invite-sent" } else { "invite-sent-name" };
    Ok(consent_question(told).with("name", name).with("address", address))
}

/// Stores the name of a person whom the moderator invites to the club, if the moderator gave one.
/// Replaces their earlier name.
fn record_invitee(tx: &mut Transaction<'_>, invitee: ClubInvitee) -> ClubResult<()> {
    forget_invitee(tx, &invitee.address)?;
    if !invitee.name.is_empty() {
        tx.game_info_mut(CLUB_ACTIVITY)?.club_invitees.push(invitee);
    }
    Ok(())
}

/// Returns the name by which the moderator has invited the owner of this address to the club, if
/// the invitation has not expired.
pub(crate) fn find_invitee_name(tx: &Transaction<'_>, address: &str) -> ClubResult<Option<String>> {
    let today = unix_day_of(tx.context.now);
    let invitees = tx.game_info(CLUB_ACTIVITY)?.club_invitees;
    let mut own = invitees.into_iter().filter(|invitee| invitee.address == address);
    Ok(own.find(|invitee| !is_expired(invitee, today)).map(|invitee| invitee.name))
}

/// Forgets the name of an invitee who has become a member.
pub(crate) fn forget_invitee(tx: &mut Transaction<'_>, address: &str) -> ClubResult<()> {
    retain_invitees(tx, |invitee| invitee.address != address).map(drop)
}

/// Forgets the names of the invitees whose invitations have expired.
pub(crate) fn forget_expired_invitees(context: &Context) -> ClubResult<()> {
    let today = unix_day_of(context.now);
    retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        if retain_invitees(&mut tx, |invitee| !is_expired(invitee, today))? {
            tx.commit_and_journal()?;
        }
        Ok(())
    })
}

/// Keeps only these invitees to the club. Returns whether any was removed.
fn retain_invitees(
    tx: &mut Transaction<'_>,
    is_kept: impl Fn(&ClubInvitee) -> bool,
) -> ClubResult<bool> {
    let mut info = tx.game_info(CLUB_ACTIVITY)?;
    let before = info.club_invitees.len();
    info.club_invitees.retain(is_kept);
    let is_changed = info.club_invitees.len() < before;
    if is_changed {
        tx.replace_game_info(CLUB_ACTIVITY, info);
    }
    Ok(is_changed)
}

fn is_expired(invitee: &ClubInvitee, today: u32) -> bool {
    ReplyAction::JoinClub { day: invitee.day }.has_expired(today)
}

/// Counts a member's invitations before they are sent. Refuses if the member has reached the daily
/// limit, or is a newcomer without invitations left.
pub(crate) fn charge_member_invitations(
    tx: &mut Transaction<'_>,
    founder: &Member,
    more: usize,
) -> Result<(), RequestError> {
    let since = tx.context.now.timestamp() - DAY_SECONDS;
    let asked = tx.count_events_since(&member_invitations_count_key(founder), since)?;
    let are_spent = more > 0 && asked.saturating_add(more) > MEMBER_INVITATIONS_PER_DAY;
    refuse_if(are_spent, || Message::new("lobby-invites-spent"))?;
    (0..more).for_each(|_| tx.increment_count(member_invitations_count_key(founder)));
    let Some(before) = tx.member(founder.id)? else { return Ok(()) };
    let Some(left) = before.invitations_left else { return Ok(()) };
    let Some(after) = u8::try_from(more).ok().and_then(|more| left.checked_sub(more)) else {
        let moderator = tx.context.settings.moderators.first.address.as_str();
        let word = Message::new("lobby-invites-new").with("left", left);
        return Err(RequestError::Refused(word.with("moderator", moderator)));
    };
    let address = before.addresses.first().map(String::as_str).unwrap_or_default();
    let counted = newcomer_invitations_count_key(address);
    (0..more).for_each(|_| tx.increment_count(counted.clone()));
    tx.update_member(Member { invitations_left: Some(after), ..before });
    Ok(())
}

/// Returns how many people a newcomer with this address may invite before they have finished a
/// turn. Invitations by newcomers with this mailbox within a month count too, so leaving the club
/// and joining again does not reset the limit.
pub(crate) fn remaining_newcomer_invitations(
    tx: &Transaction<'_>,
    address: &str,
) -> ClubResult<u8> {
    let since = tx.context.now.timestamp() - MONTH_SECONDS;
    let spent = tx.count_events_since(&newcomer_invitations_count_key(address), since)?;
    Ok(INVITATIONS_PER_NEWCOMER.saturating_sub(u8::try_from(spent).unwrap_or(u8::MAX)))
}

/// Returns the key under which invitations by newcomers with this mailbox are counted.
fn newcomer_invitations_count_key(address: &str) -> String {
    format!("invited by newcomer {}", mailbox_key(address))
}

/// Returns the key under which the store counts a member's invitations. Other counters use
/// addresses as keys, so this key contains no @.
fn member_invitations_count_key(founder: &Member) -> String {
    format!("invited by {}", founder.id)
}
