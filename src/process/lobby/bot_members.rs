//! Bots as members of the club. A bot has a name and a level, but no address. It may play several
//! games, but has one seat in each.

use crate::club::{GameInfo, Member, PlayerWishes, Proposal, ProposalPlayer};
use crate::process::context::{ClubResult, Context};
use crate::process::lobby::game_list;
use crate::process::lobby::proposals::{self, Messages};
use crate::process::request_error::{RequestError, refuse_if};
use crate::process::transaction::{CLUB_ACTIVITY, Transaction};
use crate::rules::{BotLevel, Message};
use crate::store::Repository;

/// Returns a bot for each of these levels, none of which is a member in `taken`. Adds bots to the
/// club if it has too few.
pub(crate) fn find_or_enrol_bots(
    tx: &mut Transaction<'_>,
    levels: &[BotLevel],
    taken: &[u32],
) -> ClubResult<Vec<Member>> {
    let mut free = Vec::new();
    for id in tx.game_info(CLUB_ACTIVITY)?.bots {
        free.extend(tx.member(id)?.filter(|_| !taken.contains(&id)));
    }
    let mut chosen = Vec::new();
    for level in levels {
        let bot = match free.iter().position(|bot| bot.bot == Some(*level)) {
            Some(at) => free.remove(at),
            None => enrol_bot(tx, *level)?,
        };
        chosen.push(bot);
    }
    Ok(chosen)
}

fn enrol_bot(tx: &mut Transaction<'_>, level: BotLevel) -> ClubResult<Member> {
    let language = tx.context.settings.language.clone();
    let id = tx.next_member_number()?;
    let bots = &mut tx.game_info_mut(CLUB_ACTIVITY)?.bots;
    bots.push(id);
    let number = bots.len();
    let name = bot_name(tx.context, &language, number, level);
    let bot = Member { id, name, language, bot: Some(level), ..Member::default() };
    tx.update_member(bot.clone());
    Ok(bot)
}

fn bot_name(context: &Context, language: &str, number: usize, level: BotLevel) -> String {
    let name = Message::new("bot-name").with("number", number).with("level", level.to_string());
    context.library.language(language).localize(&name)
}

/// Whether a name is the name of a bot, in any language and with any number. Nobody else may have
/// such a name.
pub(crate) fn is_bot_name(context: &Context, name: &str) -> bool {
    let letters = |name: &str| -> String {
        name.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect()
    };
    context.library.language_tags().any(|tag| {
        BotLevel::ALL
            .iter()
            .any(|level| letters(&bot_name(context, tag, 1, *level)) == letters(name))
    })
}

/// Adds bots to a proposed game.
///
/// # Errors
/// The refusal if the club has no bots, or the game has too few free seats.
pub(crate) fn add_bots(
    tx: &mut Transaction<'_>,
    proposal: &mut Proposal,
    levels: &[BotLevel],
) -> Result<(), RequestError> {
    if levels.is_empty() {
        return Ok(());
    }
    tx.context.settings.bots.require_allowed()?;
    let free = proposal.free_seat_count();
    let too_many = || Message::new("bots-too-many").with("free", free);
    refuse_if(levels.len() > free, too_many)?;
    let taken: Vec<u32> = proposal.players.iter().map(|player| player.member).collect();
    let bots = find_or_enrol_bots(tx, levels, &taken)?;
    let wishes = PlayerWishes::default();
    let seats =
        bots.into_iter().map(|bot| ProposalPlayer { member: bot.id, wishes: wishes.clone() });
    proposal.players.extend(seats);
    Ok(())
}

/// Adds bots to a proposed game for its founder, and begins the game if it is now full.
pub(crate) fn add_bots_to_own_game(
    tx: &mut Transaction<'_>,
    founder: &Member,
    game: u32,
    levels: &[BotLevel],
) -> Result<Messages, RequestError> {
    let mut proposal = proposals::require_own_proposal(tx, founder, game)?;
    add_bots(tx, &mut proposal, levels)?;
    let room = GameInfo { proposal: Some(proposal.clone()), ..tx.game_info(game)? };
    if proposal.free_seat_count() == 0 {
        return proposals::start_game(tx, game, room, &proposal);
    }
    tx.replace_game_info(game, room);
    Ok(vec![game_list::describe_proposal(tx.context, &proposal, game, founder)])
}
