//! The readers of letters: the moderator, a member, or somebody unknown; their reply tokens, and
//! the club as a directory of them. Knows nothing of what letters say.

use crate::club::{Member, Seated};
use crate::mail::{Credentials, Directory, Generation, ReplyAction, Sealed};
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::transaction::Transaction;
use crate::rules::Seat;
use crate::store::Repository;

/// The moderator as a reader of letters that this transaction writes.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn moderator(tx: &Transaction<'_>) -> ClubResult<Member> {
    let moderator = &tx.context.settings.moderator;
    let generation = ClubDirectory(tx).moderator()?;
    let name = moderator.name.clone();
    Ok(Member { name, generation, ..nobody(tx.context, &moderator.address) })
}

/// What makes an answer to a letter known as the moderator's.
///
/// # Errors
/// When the store cannot be read.
pub fn moderators_mark(context: &Context) -> Result<Sealed<ReplyAction>, ClubError> {
    Ok(sealed_action(context, &moderator(&Transaction::begin(context))?, ReplyAction::Moderator))
}

/// What makes an answer to a letter to this reader be this reply action.
pub(crate) fn sealed_action(
    context: &Context,
    to: &Member,
    action: ReplyAction,
) -> Sealed<ReplyAction> {
    let address = to.addresses.first().map(String::as_str).unwrap_or_default();
    context.secret.seal_action(action, &action.bond(address, marks_of(to)))
}

pub(crate) fn nobody(context: &Context, address: &str) -> Member {
    Member {
        id: 0,
        name: String::new(),
        addresses: vec![address.to_owned()],
        language: context.settings.language.clone(),
        ascii: true,
        ..Member::default()
    }
}

/// The generation of a member's marks.
pub(crate) fn marks_of(member: &Member) -> Generation {
    Generation { seat: 0, member: member.generation, moves: member.moves }
}

/// The generation of the marks of a seat and of who sits there.
pub(crate) fn marks_of_seat(seated: &Seated, member: &Member) -> Generation {
    Generation { seat: seated.generation, ..marks_of(member) }
}

/// The member with this number or address; none who has left the club.
///
/// # Errors
/// When the store cannot be read.
pub fn find_member(context: &Context, who: &str) -> Result<Option<Member>, ClubError> {
    member_on(&Transaction::begin(context), who)
}

/// The same as things stand in here.
pub(crate) fn member_on(tx: &Transaction<'_>, who: &str) -> ClubResult<Option<Member>> {
    let member = match who.parse() {
        Ok(id) => tx.member(id)?,
        Err(_) => tx.member_by_address(&who.trim().to_lowercase())?,
    };
    Ok(member.filter(|member| !member.has_left()))
}

/// The club's members and seats as they stand in a transaction.
pub(crate) struct ClubDirectory<'a>(pub(crate) &'a Transaction<'a>);

impl Directory for ClubDirectory<'_> {
    type Error = ClubError;

    fn credentials(&self, game: u32, seat: u8) -> ClubResult<Option<Credentials>> {
        let at = Seat::new(seat);
        let seated = self.0.seats(game)?.into_iter().nth(at.index());
        let Some(seated) = seated else { return Ok(None) };
        let member = self.0.member(seated.member)?;
        Ok(member.map(|member| {
            let generation = marks_of_seat(&seated, &member);
            Credentials { generation, addresses: member.addresses }
        }))
    }

    fn member(&self, member: u32) -> ClubResult<Option<Credentials>> {
        let member = self.0.member(member)?;
        Ok(member.map(|member| {
            let generation = marks_of(&member);
            Credentials { generation, addresses: member.addresses }
        }))
    }

    fn member_of(&self, address: &str) -> ClubResult<Option<u32>> {
        Ok(self.0.member_by_address(address)?.map(|member| member.id))
    }

    fn moderator(&self) -> ClubResult<u32> {
        Ok(self.0.moderator()?)
    }
}
