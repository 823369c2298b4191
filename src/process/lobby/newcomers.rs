//! People who are no members yet and would play: invited, or strangers who wrote `join 12`.
//!
//! Nobody becomes a member by a letter that somebody else could have written: what goes to an
//! address can be answered only by who reads it there.

use crate::club::{Consent, Line, LobbyLine, Member, Proposal, Request, Strangers, clean_name};
use crate::mail::rate_limit::{DAY, RateLimit};
use crate::mail::{Letter, LetterHash, ReplyAction, TooMuch, fold, prove, written};
use crate::process::blame::{Blame, answered};
use crate::process::context::{ClubError, Context};
use crate::process::lobby::forming::{self, Words};
use crate::process::lobby::found::Player;
use crate::process::lobby::game_list;
use crate::process::lobby::names;
use crate::process::lobby::substitute;
use crate::process::outbound::answers::{self, asking, day};
use crate::process::outbound::budget;
use crate::process::outbound::tell;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::effect::{Answer, Disposition, LetterEffect};
use crate::render::Notice;
use crate::rules::Message;
use crate::store::{Repository, SeenLetter};

/// How many people one member may ask within a day.
const INVITES_A_DAY: usize = 24;

/// Asks somebody by letter whether he would play. Gives what the founder is told when no letter
/// goes there: how often one goes is the same for members and others, as he must not learn by
/// it who is one.
pub(crate) fn invite(
    tx: &mut Transaction<'_>,
    digest: &LetterHash,
    founder: &Member,
    game: u32,
    proposal: &Proposal,
    address: &str,
) -> Result<Option<Message>, ClubError> {
    tx.count(invites_of(founder));
    let accounts = Account::invitation(founder.id, address);
    let unsent = Message::new("lobby-invite-unsent").with("address", address);
    if !budget::have_room(tx, &accounts)? {
        return Ok(Some(unsent));
    }
    let [account, part] = accounts;
    tx.count(part.key());
    let (to, action, how) = match tx.member_by_address(address)? {
        Some(member) if member.undeliverable.is_some() => {
            tx.count(account.key());
            return Ok(None);
        }
        Some(member) => (member, None, "lobby-how-join"),
        None => {
            let action = ReplyAction::Join { game, day: day(tx.context.now) };
            (reader::nobody(tx.context, address), Some(action), "newcomer-how")
        }
    };
    let mut words = vec![
        Message::new("lobby-invited")
            .with("name", founder.name.as_str())
            .with("club", tx.context.settings.name.as_str()),
        game_list::said_of(tx.context, proposal, game, &to),
    ];
    words.extend(tx.room(game)?.terms_words());
    words.push(asking(how).with("number", game));
    Ok(match tell::notice(tx.context, &to, &Notice::Said(words), action, digest, None) {
        Ok(letter) => {
            tx.post(letter, &account);
            None
        }
        Err(_) => Some(unsent),
    })
}

/// Asks more people to a game that is being formed, by who proposed it.
pub(crate) fn invite_more(
    tx: &mut Transaction<'_>,
    digest: &LetterHash,
    founder: &Member,
    game: u32,
    addresses: &[String],
) -> Result<Words, Blame> {
    let mut room = tx.room(game)?;
    let Some(proposal) = room.proposal.clone().filter(|p| p.founder() == founder.id) else {
        return Err(Blame::Theirs(Message::new("lobby-not-founder").with("number", game)));
    };
    if invites_spent(tx, founder, addresses.len())? {
        return Err(Blame::Theirs(Message::new("lobby-invites-spent")));
    }
    let mut words = vec![Message::new("lobby-invites-sent").with("number", game)];
    for address in addresses {
        if !room.invited.contains(address) && !founder.addresses.contains(address) {
            room.invited.push(address.clone());
        }
        let digest = digest.and(address);
        words.extend(invite(tx, &digest, founder, game, &proposal, address)?);
    }
    tx.put_room(game, room);
    Ok(words)
}

/// Whether a member has asked so many people within a day that no more are.
pub(crate) fn invites_spent(
    tx: &Transaction<'_>,
    founder: &Member,
    more: usize,
) -> Result<bool, ClubError> {
    let since = tx.context.now.timestamp() - DAY;
    let asked = tx.count_since(&invites_of(founder), since)?;
    Ok(more > 0 && asked.saturating_add(more) > INVITES_A_DAY)
}

/// What a stranger's letter leads to who would join a game that he may join; none when it is
/// nothing of the kind.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn of_stranger(
    tx: &Transaction<'_>,
    letter: &Letter,
    address: &str,
    request: &Result<Request, TooMuch>,
) -> Result<Option<LetterEffect>, ClubError> {
    let Some(game) = request.as_ref().ok().and_then(game_to_join) else { return Ok(None) };
    let room = tx.room(game)?;
    let invited = room.has_invited(&[address.to_owned()]);
    let open = tx.context.settings.strangers == Strangers::Join && !room.private;
    let Some(proposal) = room.proposal.filter(|_| invited || open) else {
        return Ok(None);
    };
    let mut effect = LetterEffect::of(Disposition::Done);
    effect.remembered = Some(answers::remembered(tx.context, letter, None, None));
    let account = if invited || proves(tx.context, letter, address) {
        Account::known(address)
    } else {
        Account::newcomer(address)
    };
    if budget::rate_limit(tx, &account)? != RateLimit::Answer {
        return Ok(Some(effect));
    }
    let to = reader::nobody(tx.context, address);
    let words = vec![
        Message::new("newcomer-confirm").with("club", tx.context.settings.name.as_str()),
        game_list::said_of(tx.context, &proposal, game, &to),
        asking("newcomer-how").with("number", game),
    ];
    let action = ReplyAction::Join { game, day: day(tx.context.now) };
    let answers = letter.message_id.as_ref();
    let notice = Notice::Said(words);
    let asked = tell::notice(tx.context, &to, &notice, Some(action), &letter.digest, answers);
    effect.answer = asked.ok().map(|letter| Answer { letter, account, told: None });
    Ok(Some(effect))
}

/// The answer from an address to the letter that asked whether its reader would play.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn of_newcomer(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    (action, game): (ReplyAction, u32),
    address: &str,
) -> Result<LetterEffect, ClubError> {
    let say = |word: Message| Notice::Said(vec![word]);
    let to = reader::nobody(tx.context, address);
    let mark = LetterHash::of(format!("{action} {address}").as_bytes());
    if tx.seen_letter(mark.bytes())?.is_some() {
        let used = say(Message::new("errand-used"));
        return answers::to_anybody(tx, letter, &to, &used, None);
    }
    let Some(Consent { name }) = consent_in(tx.context, letter, &to.language) else {
        let unread = say(asking("newcomer-unread").with("number", game));
        // The same mark again: what is not answered with a yes is not asked for longer by it.
        return answers::to_anybody(tx, letter, &to, &unread, Some(action));
    };
    // Who cannot join does not become a member by it either.
    if let Some(why) = shut(tx, game, address)? {
        return answers::to_anybody(tx, letter, &to, &say(why), None);
    }
    let name = match answered(name_of_newcomer(tx, letter, &name, address))? {
        Ok(name) => name,
        Err(why) => {
            let why = say(asking(why).with("number", game));
            return answers::to_anybody(tx, letter, &to, &why, Some(action));
        }
    };
    let player = Player { name, address: address.to_owned() };
    let member = substitute::enrol(tx, &player)?;
    tx.remember(mark, SeenLetter { at: tx.context.now, game: None, seq: None });
    let mut words = vec![
        Message::new("newcomer-welcome")
            .with("club", tx.context.settings.name.as_str())
            .with("name", member.name.as_str()),
    ];
    match answered(forming::join(tx, &member, game, None))? {
        Ok(joined) => words.extend(joined),
        Err(why) => words.push(why),
    }
    answers::to_known(tx, letter, &member, &Notice::Said(words))
}

/// How a newcomer is called who gives this name, or none: then as his letters call him. Nobody
/// shall be taken for somebody else; the key of what he is told whose name will not do is the
/// same whomever it is like.
fn name_of_newcomer(
    tx: &Transaction<'_>,
    letter: &Letter,
    given: &str,
    address: &str,
) -> Result<String, Blame<&'static str>> {
    // Who has a name here keeps it.
    if let Some(member) = tx.member_by_address(address)? {
        return Ok(member.name);
    }
    let from = letter.from.first().map(|from| from.name.as_str()).unwrap_or_default();
    let local = address.split('@').next().unwrap_or_default();
    let names = [given, from, local].map(plain_name);
    let mut seen = names.into_iter().filter(|name| name.contains(char::is_alphanumeric));
    let Some(name) = seen.next() else { return Err(Blame::Theirs("newcomer-nameless")) };
    let free = names::is_free_name(tx, &name, (address, None))?;
    free.then_some(name).ok_or(Blame::Theirs("newcomer-called"))
}

/// Why nobody at this address can join a game now.
fn shut(tx: &Transaction<'_>, game: u32, address: &str) -> Result<Option<Message>, ClubError> {
    let room = tx.room(game)?;
    let invited = room.has_invited(&[address.to_owned()]);
    let key = match &room.proposal {
        Some(_) if room.private && !invited => "lobby-none",
        Some(proposal) if proposal.free() == 0 => "lobby-full",
        Some(_) => return Ok(None),
        None => "lobby-begun",
    };
    Ok(Some(Message::new(key).with("number", game)))
}

/// A name without anything that is not seen, or that could be taken for something else.
fn plain_name(name: &str) -> String {
    let plain = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '.');
    clean_name(&name.chars().filter(plain).collect::<String>())
}

/// Under what a member's invitations are counted; no address is like it.
fn invites_of(founder: &Member) -> String {
    format!("invited by {}", founder.id)
}

/// The game that a letter's only line would join.
fn game_to_join(request: &Request) -> Option<u32> {
    request.lines.iter().find_map(|line| match &line.what {
        Line::Lobby(Ok(LobbyLine::Join { game, .. })) => Some(*game),
        _ => None,
    })
}

/// The consent in an answer to a letter in this language; none when there is none in it.
pub(crate) fn consent_in(context: &Context, letter: &Letter, language: &str) -> Option<Consent> {
    let markers: Vec<&str> = context.markers.iter().map(String::as_str).collect();
    let lines: Vec<(u32, String)> = written(&letter.body, &markers)
        .into_iter()
        .map(|(number, line)| (number, fold(line)))
        .collect();
    let lines = lines.iter().map(|(number, line)| (*number, line.as_str()));
    Consent::read(lines, &context.library.consent_words(language))
}

/// Whether our mail server says that a letter is from whom it says it is from.
pub(crate) fn proves(context: &Context, letter: &Letter, address: &str) -> bool {
    let server = context.settings.authserv_id.as_deref().unwrap_or_default();
    !server.is_empty() && prove(&letter.authentication_results, server, address).is_ok()
}
