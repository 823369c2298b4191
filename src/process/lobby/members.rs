//! Changes that the moderator makes to members: adding them, their addresses, their names and their
//! reachability.

use crate::club::{Member, ReachabilityEvent, clean_name, parse_mailbox};
use crate::mail::address::canonical_address;
use crate::mail::{LetterHash, is_club_address};
use crate::process::commit::{self, missed_news};
use crate::process::context::Context;
use crate::process::lobby::game_founding::{self, Player};
use crate::process::lobby::name_check;
use crate::process::outbound::pending;
use crate::process::request_error::{RequestError, refuse_if};
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::process::transaction::rate_account::RateAccount;
use crate::render::Notice;
use crate::rules::Message;
use crate::store::Repository;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberChange {
    /// Adds an address from which the member may write.
    AddAddress {
        address: String,
        /// Whether letters to the member go there from now on.
        first: bool,
    },
    /// Removes an address. If it was the first, letters go to the next one.
    RemoveAddress(String),
    /// Lifts the limit on invitations for a newcomer who has not finished a turn.
    AllowInvitations,
    /// Changes the name, if it is free and resembles no other name or word in letters.
    Rename(String),
    /// Changes the name without that check.
    RenameAnyway(String),
    /// Marks the first address as reachable, despite earlier bounces.
    Reachable,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemberRefusal {
    /// No member, or several, are meant.
    #[error("there is no such member ({})", .0.key)]
    NoMember(Message),
    #[error("{0} is not an address like ann@example.org")]
    NoAddress(String),
    #[error("{address} belongs to member {id}, {name}")]
    Taken { address: String, id: u32, name: String },
    #[error("{0} is the club's own address")]
    ClubAddress(String),
    #[error("{address} is not an address of {name}")]
    NotTheirs { address: String, name: String },
    #[error("{0} is the only address: add another one first")]
    LastAddress(String),
    /// The name is taken, or resembles a member's name or a word in letters.
    #[error("{0} equals or resembles another member's name or a word that letters use")]
    NameNotFree(String),
    #[error("a name must have at least one letter")]
    NoName,
    #[error("{0:?} is not a setting; write it as in a letter, such as: letters text")]
    NoSetting(String),
    #[error("this cannot be set ({})", .0.key)]
    WrongSetting(Message),
}

/// Changes the member with this number, address or name. If letters to an undeliverable member can
/// be sent again after the change, the member gets the missed letters of all running games.
///
/// # Errors
/// When the club cannot be read or written. The refusal if the change is not possible.
pub fn change_member(
    context: &Context,
    who: &str,
    change: &MemberChange,
) -> Result<Member, RequestError<MemberRefusal>> {
    commit::transact_and_notify(context, |tx| {
        let Some(before) = reader::find_member_in_tx(tx, who)? else {
            let why = reader::describe_unknown_member_in_tx(tx, who)?;
            return Err(RequestError::Refused(MemberRefusal::NoMember(why)));
        };
        let mut member = apply_change(tx, &before, change)?;
        let has_moved = member.addresses.first() != before.addresses.first();
        member.has_answered &= !has_moved;
        if has_moved || *change == MemberChange::Reachable {
            let digest =
                LetterHash::compute(format!("{} {:?}", context.now, member.addresses).as_bytes());
            let member = Member { reachability: before.reachability, ..member };
            return Ok(missed_news::mark_reachable_and_schedule_news(tx, member, &digest)?);
        }
        tx.update_member(member.clone());
        Ok(member)
    })
}

/// Adds a member and sends them a welcome letter. `who` is an address, or a name and address like
/// `Zoe <zoe@example.org>`. `anyway` skips the check of the name.
///
/// # Errors
/// When the club cannot be read or written. The refusal if the address or the name is not possible.
pub fn add_member(
    context: &Context,
    who: &str,
    anyway: bool,
) -> Result<Member, RequestError<MemberRefusal>> {
    commit::transact_and_notify(context, |tx| {
        let member = build_new_member(tx, who, anyway)?;
        let mut words = vec![
            Message::new("newcomer-added")
                .with("moderator", context.settings.moderators.first.name.as_str())
                .with("club", context.settings.name.as_str())
                .with("name", member.name.as_str()),
            Message::new("visitor-how"),
            Message::new("newcomer-first"),
        ];
        if member.letters.only_turns {
            words.push(Message::new("letters-turns-first"));
        }
        let digest = LetterHash::compute(format!("added {} {who}", context.now).as_bytes());
        let letter = pending::make_notice_letter(
            context,
            &member,
            &Notice::Said(words),
            None,
            &digest,
            None,
        );
        let Ok(letter) = letter else {
            return Err(RequestError::Refused(MemberRefusal::NoAddress(who.to_owned())));
        };
        tx.queue_letter(letter, &RateAccount::Answers(member.id));
        tx.update_member(member.clone());
        Ok(member)
    })
}

/// Returns the member that [`add_member`] would add. Changes nothing.
///
/// # Errors
/// Those of [`add_member`].
pub fn preview_new_member(
    context: &Context,
    who: &str,
    anyway: bool,
) -> Result<Member, RequestError<MemberRefusal>> {
    build_new_member(&Transaction::begin(context), who, anyway)
}

fn build_new_member(
    tx: &Transaction<'_>,
    who: &str,
    anyway: bool,
) -> Result<Member, RequestError<MemberRefusal>> {
    let no_address = || RequestError::Refused(MemberRefusal::NoAddress(who.to_owned()));
    let (name, address) = parse_mailbox(who).ok_or_else(no_address)?;
    refuse_if(!name.contains(char::is_alphanumeric), || MemberRefusal::NoName)?;
    let member = game_founding::build_member_with_defaults(
        tx.context,
        tx.next_member_number()?,
        &Player { name, address },
    );
    let address = member.addresses.first().cloned().unwrap_or_default();
    let member = with_address(tx, member, &address, true)?;
    let is_free = anyway || name_check::can_take_name(tx, &member.name, (&address, None))?;
    refuse_if(!is_free, || MemberRefusal::NameNotFree(member.name.clone()))?;
    // A new member has no older reply tokens that a change of address must void.
    Ok(Member { address_changes: 0, ..member })
}

/// Returns the member as [`change_member`] would leave them. Changes nothing.
///
/// # Errors
/// Those of [`change_member`].
pub fn preview_changed_member(
    context: &Context,
    who: &str,
    change: &MemberChange,
) -> Result<Member, RequestError<MemberRefusal>> {
    match reader::find_member(context, who)? {
        Some(member) => apply_change(&Transaction::begin(context), &member, change),
        None => {
            let why = reader::describe_unknown_member(context, who)?;
            Err(RequestError::Refused(MemberRefusal::NoMember(why)))
        }
    }
}

fn apply_change(
    tx: &Transaction<'_>,
    member: &Member,
    change: &MemberChange,
) -> Result<Member, RequestError<MemberRefusal>> {
    let mut changed = member.clone();
    match change {
        MemberChange::AddAddress { address, first } => {
            return with_address(tx, changed, address, *first);
        }
        MemberChange::Reachable => {
            changed.reachability.handle_event(
                ReachabilityEvent::ProvenReachable,
                tx.context.now,
                false,
            );
        }
        MemberChange::RemoveAddress(address) => {
            let address = canonical_address(address.trim());
            changed.addresses.retain(|own| *own != address);
            changed.address_changes = changed.address_changes.saturating_add(1);
            let not_theirs = changed.addresses.len() == member.addresses.len();
            let name = || member.name.clone();
            let address = || address.clone();
            refuse_if(not_theirs, || MemberRefusal::NotTheirs {
                address: address(),
                name: name(),
            })?;
            refuse_if(changed.addresses.is_empty(), || MemberRefusal::LastAddress(address()))?;
        }
        MemberChange::AllowInvitations => changed.invitations_left = None,
        MemberChange::Rename(name) | MemberChange::RenameAnyway(name) => {
            changed.name = clean_name(name);
            let address = member.addresses.first().map(String::as_str).unwrap_or_default();
            let own = (address, Some(member.id));
            refuse_if(changed.name.is_empty(), || MemberRefusal::NoName)?;
            let is_free = matches!(change, MemberChange::RenameAnyway(_))
                || name_check::can_take_name(tx, &changed.name, own)?;
            refuse_if(!is_free, || MemberRefusal::NameNotFree(changed.name.clone()))?;
        }
    }
    Ok(changed)
}

/// Returns the member with one more address. `first` makes it the address that letters go to.
///
/// # Errors
/// The refusal if the address is invalid, the club's own, or another member's.
pub(crate) fn with_address(
    tx: &Transaction<'_>,
    mut member: Member,
    address: &str,
    first: bool,
) -> Result<Member, RequestError<MemberRefusal>> {
    let no_address = || RequestError::Refused(MemberRefusal::NoAddress(address.to_owned()));
    let (_, address) = parse_mailbox(address).ok_or_else(no_address)?;
    refuse_if(is_club_address(&address, &tx.context.settings.address), || {
        MemberRefusal::ClubAddress(address.clone())
    })?;
    if let Some(owner) = tx.member_by_address(&address)?
        && owner.id != member.id
    {
        let Member { id, name, .. } = owner;
        return Err(RequestError::Refused(MemberRefusal::Taken { address, id, name }));
    }
    let place = if first { 0 } else { member.addresses.len() };
    if first || !member.addresses.contains(&address) {
        member.addresses.retain(|own| *own != address);
        member.addresses.insert(place.min(member.addresses.len()), address);
    }
    member.address_changes = member.address_changes.saturating_add(1);
    Ok(member)
}
