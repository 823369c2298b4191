//! The readers of letters (the moderator, a member, or an unknown person), their reply tokens, and
//! the directory that checks these tokens.

use crate::club::{Member, Moderator, SeatAssignment, parse_mailbox};
use crate::mail::address::canonical_address;
use crate::mail::{Credentials, MemberDirectory, ReplyAction, ReplyToken, TokenGeneration};
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::transaction::Transaction;
use crate::rules::{Message, Seat, edit_distance, nearest_word};
use crate::store::Repository;

/// The most members that the answer to an unknown name lists.
const CHOICES_MAX: usize = 5;

/// Returns a moderator as the reader of letters that this transaction writes.
pub(crate) fn moderator_as_reader(
    tx: &Transaction<'_>,
    moderator: &Moderator,
) -> ClubResult<Member> {
    let generation = ClubDirectory(tx).moderator_generation()?;
    let name = moderator.name.clone();
    Ok(Member {
        name,
        token_generation: generation,
        ..nonmember_as_reader(tx.context, &moderator.address)
    })
}

/// Returns the reply token that identifies an answer as this moderator's.
///
/// # Errors
/// When the store cannot be read.
pub fn moderator_token(
    context: &Context,
    moderator: &Moderator,
) -> Result<ReplyToken<ReplyAction>, ClubError> {
    Ok(sign_reply_action(
        context,
        &moderator_as_reader(&Transaction::begin(context), moderator)?,
        ReplyAction::SpeakAsModerator,
    ))
}

/// Returns the reply token that makes an answer of this reader perform the given action.
pub(crate) fn sign_reply_action(
    context: &Context,
    to: &Member,
    action: ReplyAction,
) -> ReplyToken<ReplyAction> {
    let address = to.addresses.first().map(String::as_str).unwrap_or_default();
    context.secret.sign_action(action, &action.signed_token_context(address, token_generation(to)))
}

pub(crate) fn nonmember_as_reader(context: &Context, address: &str) -> Member {
    Member {
        id: 0,
        name: String::new(),
        addresses: vec![address.to_owned()],
        language: context.settings.language.clone(),
        ascii: true,
        ..Member::default()
    }
}

/// Returns the generation of a member's reply tokens. A token of an older generation is invalid.
pub(crate) fn token_generation(member: &Member) -> TokenGeneration {
    TokenGeneration {
        seat: 0,
        member: member.token_generation,
        address_changes: member.address_changes,
    }
}

/// Returns the generation of the reply tokens of a seat and its player.
pub(crate) fn seat_token_generation(seated: &SeatAssignment, member: &Member) -> TokenGeneration {
    TokenGeneration { seat: seated.token_generation, ..token_generation(member) }
}

/// Returns the member with this number, address or name. Members who have left the club and bots
/// are not found, and neither is a name that several members have.
///
/// # Errors
/// When the store cannot be read.
pub fn find_member(context: &Context, who: &str) -> Result<Option<Member>, ClubError> {
    find_member_in_tx(&Transaction::begin(context), who)
}

/// Like [`find_member`], in a transaction. A name is looked up among all members.
pub(crate) fn find_member_in_tx(tx: &Transaction<'_>, who: &str) -> ClubResult<Option<Member>> {
    let who = lookup_text(who);
    let found = match who.parse() {
        Ok(id) => tx.member(id)?,
        Err(_) if who.contains('@') => tx.member_by_address(&canonical_address(&who))?,
        Err(_) => {
            let mut named = tx.members()?;
            named.retain(|member| member.is_person() && is_same_name(&member.name, &who));
            named.pop().filter(|_| named.is_empty())
        }
    };
    Ok(found.filter(Member::is_person))
}

/// Returns the number, address or name by which a member is looked up, in lower case: the address
/// of a mailbox such as `Bob <bob@example.org>`, or the text without quotation marks around it.
fn lookup_text(who: &str) -> String {
    let who = who.trim().trim_matches('"').trim();
    let mailbox = parse_mailbox(who).filter(|_| who.contains('<'));
    mailbox.map_or_else(|| who.to_lowercase(), |(_, address)| address)
}

/// Whether a member's name is this name in lower case. Spaces and a full stop at the end make no
/// difference.
fn is_same_name(name: &str, lowercase: &str) -> bool {
    let words = |text: &str| {
        let text = text.to_lowercase();
        let words: Vec<&str> = text.trim_end_matches('.').split_whitespace().collect();
        words.join(" ")
    };
    !lowercase.is_empty() && words(name) == words(lowercase)
}

/// Returns the answer to a moderator who named nobody whom [`find_member`] finds. It lists at most
/// 5 members: those of that name if there are several, or else those of a similar name or address.
///
/// # Errors
/// When the store cannot be read.
pub fn describe_unknown_member(context: &Context, who: &str) -> Result<Message, ClubError> {
    describe_unknown_member_in_tx(&Transaction::begin(context), who)
}

/// Like [`describe_unknown_member`], in a transaction.
pub(crate) fn describe_unknown_member_in_tx(
    tx: &Transaction<'_>,
    who: &str,
) -> ClubResult<Message> {
    let lowercase = lookup_text(who);
    let mut members = tx.members()?;
    if members.iter().any(|member| member.has_left() && lowercase.parse() == Ok(member.id)) {
        return Ok(Message::new("member-gone").with("who", who));
    }
    members.retain(Member::is_person);
    let (named, mut others): (Vec<Member>, Vec<Member>) =
        members.into_iter().partition(|member| is_same_name(&member.name, &lowercase));
    others.retain(|member| is_similar(member, &lowercase));
    let (key, meant) = match named.is_empty() {
        true => ("member-similar", others),
        false => ("member-several", named),
    };
    let choices = meant.iter().take(CHOICES_MAX).map(|member| {
        Message::new("member-choice")
            .with("id", member.id)
            .with("name", member.name.as_str())
            .with("address", member.addresses.first().cloned().unwrap_or_default())
    });
    let found = Message::from_list(key, "members", choices);
    Ok(found.unwrap_or_else(|| Message::new("member-none")).with("who", who))
}

/// Whether a member's name, a word of it, or an address begins like this text, or differs from it
/// by at most one letter in three and two letters in all.
fn is_similar(member: &Member, lowercase: &str) -> bool {
    let name = member.name.to_lowercase();
    let words = std::iter::once(name.as_str()).chain(name.split_whitespace());
    let mut texts = words.chain(member.addresses.iter().map(String::as_str));
    let is_near = |text: &str| {
        nearest_word(lowercase, [text]).is_some() && edit_distance(lowercase, text) <= 2
    };
    !lowercase.is_empty() && texts.any(|text| text.starts_with(lowercase) || is_near(text))
}

/// The club's members and seats as they are in a transaction, for checking reply tokens.
pub(crate) struct ClubDirectory<'a>(pub(crate) &'a Transaction<'a>);

impl MemberDirectory for ClubDirectory<'_> {
    type Error = ClubError;

    fn find_expected_seat_credentials(
        &self,
        game: u32,
        seat: u8,
    ) -> ClubResult<Option<Credentials>> {
        let at = Seat::new(seat);
        let seated = self.0.seat_assignments(game)?.into_iter().nth(at.index());
        let Some(seated) = seated else { return Ok(None) };
        let member = self.0.member(seated.member)?;
        Ok(member.map(|member| {
            let generation = seat_token_generation(&seated, &member);
            Credentials { generation, addresses: member.addresses }
        }))
    }

    fn find_expected_member_credentials(&self, member: u32) -> ClubResult<Option<Credentials>> {
        let member = self.0.member(member)?;
        Ok(member.map(|member| {
            let generation = token_generation(&member);
            Credentials { generation, addresses: member.addresses }
        }))
    }

    fn member_by_address(&self, address: &str) -> ClubResult<Option<u32>> {
        Ok(self.0.member_by_address(address)?.map(|member| member.id))
    }

    fn moderator_generation(&self) -> ClubResult<u32> {
        Ok(self.0.moderator_generation()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasted_mailbox_or_quoted_name_is_looked_up() {
        for (written, looked_up) in [
            (" Bob Lee ", "bob lee"),
            ("\"Bob Lee\"", "bob lee"),
            ("Bob Lee <Bob@example.org>", "bob@example.org"),
            ("\"Lee, Bob\" <bob@example.org>", "bob@example.org"),
            ("\"Bob <bob@example.org>\"", "bob@example.org"),
            ("Bob@example.org", "bob@example.org"),
            ("\"\"", ""),
            ("2", "2"),
        ] {
            assert_eq!(lookup_text(written), looked_up, "{written}");
        }
    }
}
