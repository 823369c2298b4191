//! Bots as members of the club. A bot has a name and a level, but no address. It may play several
//! games, but has one seat in each.

use crate::club::Member;
use crate::process::context::{ClubResult, Context};
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
