//! Checks that a new name is free and cannot be mistaken for another. Existing members keep their
//! names.

use crate::club::{self, GameName, ReservedNames};
use crate::process::context::{ClubResult, Context};
use crate::process::lobby::bot_members;
use crate::process::lobby::game_founding::Player;
use crate::process::transaction::Transaction;
use crate::store::Repository;

/// Whether a person at this address, or the member with the number `own`, may take this name.
pub(crate) fn can_take_name(
    tx: &Transaction<'_>,
    name: &str,
    (address, own): (&str, Option<u32>),
) -> ClubResult<bool> {
    if bot_members::is_bot_name(tx.context, name) {
        return Ok(false);
    }
    let members = tx.members()?;
    let others = members.iter().filter(|member| Some(member.id) != own && !member.has_left());
    Ok(club::is_name_available(
        name,
        others.map(|member| &*member.name),
        &reserved_names(tx.context, address),
    ))
}

/// Returns the names of those players who are not members and whose name is not free. A name is not
/// free if it equals or resembles a member's name, another player's name, or a word in letters.
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
            || !can_take_name(&tx, &player.name, (&player.address, None))?
        {
            not_free.push(player.name.clone());
        }
        fresh.push(player);
    }
    Ok(not_free)
}

/// Whether a game may have this name. It must not be a word that letters use for a person, or a
/// part of the name of a kind of game.
pub(crate) fn is_allowed_game_name(context: &Context, name: &GameName) -> bool {
    let is_of_kind = |part: &str| part.eq_ignore_ascii_case(name.as_str());
    !context.games().ids().flat_map(|id| id.split('-')).any(is_of_kind)
        && club::is_name_available(name.as_str(), [], &reserved_names(context, ""))
}

/// Returns the names that a person at this address may not take. They are reserved for the club,
/// the moderator and words in letters.
fn reserved_names(context: &Context, address: &str) -> ReservedNames {
    let mut kept = context.library.reserved_names();
    kept.whole_names.push(context.settings.name.clone());
    let moderators = context.settings.moderators.iter().filter(|one| !one.has_address(address));
    kept.whole_names.extend(moderators.map(|one| one.name.clone()));
    kept
}
