//! Whether somebody may be called so in this club. Existing members stay as they are called.

use crate::club::{self, GameName, ReservedNames};
use crate::process::context::{ClubResult, Context};
use crate::process::lobby::game_founding::Player;
use crate::process::transaction::Transaction;
use crate::store::Repository;

/// Whether somebody new at this address, or an old member of this number, may be called so.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn is_free_name(
    tx: &Transaction<'_>,
    name: &str,
    (address, own): (&str, Option<u32>),
) -> ClubResult<bool> {
    let members = tx.members()?;
    let others = members.iter().filter(|member| Some(member.id) != own && !member.has_left());
    Ok(club::is_name_available(
        name,
        others.map(|member| &*member.name),
        &reserved_names(tx.context, address),
    ))
}

/// Those of these players who would become members by a name that is not free: it is, or looks
/// like, that of a member, of another one of them, or of what letters speak of.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn find_taken_names(context: &Context, players: &[Player]) -> ClubResult<Vec<String>> {
    let tx = Transaction::begin(context);
    let mut fresh: Vec<&Player> = Vec::new();
    let mut not_free = Vec::new();
    for player in players {
        let again = fresh.iter().any(|other| other.address == player.address);
        if again || tx.member_by_address(&player.address)?.is_some() {
            continue;
        }
        let others = fresh.iter().map(|other| &*other.name);
        if !club::is_name_available(&player.name, others, &ReservedNames::default())
            || !is_free_name(&tx, &player.name, (&player.address, None))?
        {
            not_free.push(player.name.clone());
        }
        fresh.push(player);
    }
    Ok(not_free)
}

/// Whether a game may be called so: by no word that letters have for somebody.
pub(crate) fn is_allowed_game_name(context: &Context, name: &GameName) -> bool {
    club::is_name_available(name.as_str(), [], &reserved_names(context, ""))
}

/// What letters use for something else than for who writes from this address.
fn reserved_names(context: &Context, address: &str) -> ReservedNames {
    let mut kept = context.library.reserved_names();
    kept.whole_names.push(context.settings.name.clone());
    let moderator = &context.settings.moderator;
    if !moderator.address.eq_ignore_ascii_case(address) {
        kept.whole_names.push(moderator.name.clone());
    }
    kept
}
