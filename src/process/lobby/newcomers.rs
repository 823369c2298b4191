//! People who are no members yet and would play: invited, or strangers who wrote `join 12`.
//!
//! Nobody becomes a member by a letter that somebody else could have written: what goes to an
//! address can be answered only by who reads it there.

use crate::club::{Consent, Line, LobbyLine, Member, Proposal, Request, Strangers, clean_name};
use crate::mail::manners::{DAY, Manners};
use crate::mail::{Digest, Errand, Letter, TooMuch, fold, prove, written};
use crate::process::blame::{Blame, answered};
use crate::process::lobby::forming::{self, Words};
use crate::process::lobby::found::Player;
use crate::process::lobby::names;
use crate::process::lobby::noticeboard;
use crate::process::lobby::substitute;
use crate::process::office::{Office, OfficeError};
use crate::process::outbound::answers::{self, asking, day};
use crate::process::outbound::budget;
use crate::process::outbound::tell;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::outcome::{Answer, Fate, Outcome};
use crate::report::Notice;
use crate::rules::Message;
use crate::store::{Repository, SeenLetter};

/// How many people one member may ask within a day.
const INVITES_A_DAY: usize = 24;

/// Asks somebody by letter whether he would play. Gives what the founder is told when no letter
/// goes there: how often one goes is the same for members and others, as he must not learn by
/// it who is one.
pub(crate) fn invite(
    tx: &mut Transaction<'_>,
    digest: &Digest,
    founder: &Member,
    game: u32,
    proposal: &Proposal,
    address: &str,
) -> Result<Option<Message>, OfficeError> {
    tx.count(invites_of(founder));
    let accounts = Account::invitation(founder.id, address);
    let unsent = Message::new("lobby-invite-unsent").with("address", address);
    if !budget::have_room(tx, &accounts)? {
        return Ok(Some(unsent));
    }
    let [account, part] = accounts;
    tx.count(part.key());
    let (to, errand, how) = match tx.member_by_address(address)? {
        Some(member) if member.undeliverable.is_some() => {
            tx.count(account.key());
            return Ok(None);
        }
        Some(member) => (member, None, "lobby-how-join"),
        None => {
            let errand = Errand::Join { game, day: day(tx.office.now) };
            (reader::nobody(tx.office, address), Some(errand), "newcomer-how")
        }
    };
    let mut words = vec![
        Message::new("lobby-invited")
            .with("name", founder.name.as_str())
            .with("club", tx.office.settings.name.as_str()),
        noticeboard::said_of(tx.office, proposal, game, &to),
    ];
    words.extend(tx.gathering(game)?.press_terms().words());
    words.push(asking(how).with("number", game));
    Ok(match tell::notice(tx.office, &to, &Notice::Said(words), errand, digest, None) {
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
    digest: &Digest,
    founder: &Member,
    game: u32,
    addresses: &[String],
) -> Result<Words, Blame> {
    let mut gathering = tx.gathering(game)?;
    let Some(proposal) = gathering.proposal.clone().filter(|p| p.founder() == founder.id) else {
        return Err(Blame::Theirs(Message::new("lobby-not-founder").with("number", game)));
    };
    if invites_spent(tx, founder, addresses.len())? {
        return Err(Blame::Theirs(Message::new("lobby-invites-spent")));
    }
    let mut words = vec![Message::new("lobby-invites-sent").with("number", game)];
    for address in addresses {
        if !gathering.invited.contains(address) && !founder.addresses.contains(address) {
            gathering.invited.push(address.clone());
        }
        let digest = digest.and(address);
        words.extend(invite(tx, &digest, founder, game, &proposal, address)?);
    }
    tx.put_gathering(game, gathering);
    Ok(words)
}

/// Whether a member has asked so many people within a day that no more are.
pub(crate) fn invites_spent(
    tx: &Transaction<'_>,
    founder: &Member,
    more: usize,
) -> Result<bool, OfficeError> {
    let since = tx.office.now.timestamp() - DAY;
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
) -> Result<Option<Outcome>, OfficeError> {
    let Some(game) = request.as_ref().ok().and_then(game_to_join) else { return Ok(None) };
    let gathering = tx.gathering(game)?;
    let invited = gathering.has_invited(&[address.to_owned()]);
    let open = tx.office.settings.strangers == Strangers::Join && !gathering.private;
    let Some(proposal) = gathering.proposal.filter(|_| invited || open) else {
        return Ok(None);
    };
    let mut outcome = Outcome::of(Fate::Done);
    outcome.remembered = Some(answers::remembered(tx.office, letter, None, None));
    let account = if invited || proves(tx.office, letter, address) {
        Account::known(address)
    } else {
        Account::newcomer(address)
    };
    if budget::manners(tx, &account)? != Manners::Answer {
        return Ok(Some(outcome));
    }
    let to = reader::nobody(tx.office, address);
    let words = vec![
        Message::new("newcomer-confirm").with("club", tx.office.settings.name.as_str()),
        noticeboard::said_of(tx.office, &proposal, game, &to),
        asking("newcomer-how").with("number", game),
    ];
    let errand = Errand::Join { game, day: day(tx.office.now) };
    let answers = letter.message_id.as_ref();
    let notice = Notice::Said(words);
    let asked = tell::notice(tx.office, &to, &notice, Some(errand), &letter.digest, answers);
    outcome.answer = asked.ok().map(|letter| Answer { letter, account, told: None });
    Ok(Some(outcome))
}

/// The answer from an address to the letter that asked whether its reader would play.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn of_newcomer(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    (errand, game): (Errand, u32),
    address: &str,
) -> Result<Outcome, OfficeError> {
    let say = |word: Message| Notice::Said(vec![word]);
    let to = reader::nobody(tx.office, address);
    let mark = Digest::of(format!("{errand} {address}").as_bytes());
    if tx.seen_letter(mark.bytes())?.is_some() {
        let used = say(Message::new("errand-used"));
        return answers::to_anybody(tx, letter, &to, &used, None);
    }
    let Some(Consent { name }) = consent_in(tx.office, letter, &to.language) else {
        let unread = say(asking("newcomer-unread").with("number", game));
        // The same mark again: what is not answered with a yes is not asked for longer by it.
        return answers::to_anybody(tx, letter, &to, &unread, Some(errand));
    };
    // Who cannot join does not become a member by it either.
    if let Some(why) = shut(tx, game, address)? {
        return answers::to_anybody(tx, letter, &to, &say(why), None);
    }
    let name = match answered(name_of_newcomer(tx, letter, &name, address))? {
        Ok(name) => name,
        Err(why) => {
            let why = say(asking(why).with("number", game));
            return answers::to_anybody(tx, letter, &to, &why, Some(errand));
        }
    };
    let player = Player { name, address: address.to_owned() };
    let member = substitute::enrol(tx, &player)?;
    tx.remember(mark, SeenLetter { at: tx.office.now, game: None, seq: None });
    let mut words = vec![
        Message::new("newcomer-welcome")
            .with("club", tx.office.settings.name.as_str())
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
fn shut(tx: &Transaction<'_>, game: u32, address: &str) -> Result<Option<Message>, OfficeError> {
    let gathering = tx.gathering(game)?;
    let invited = gathering.has_invited(&[address.to_owned()]);
    let key = match &gathering.proposal {
        Some(_) if gathering.private && !invited => "lobby-none",
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
pub(crate) fn consent_in(office: &Office, letter: &Letter, language: &str) -> Option<Consent> {
    let markers: Vec<&str> = office.markers.iter().map(String::as_str).collect();
    let lines: Vec<(u32, String)> = written(&letter.body, &markers)
        .into_iter()
        .map(|(number, line)| (number, fold(line)))
        .collect();
    let lines = lines.iter().map(|(number, line)| (*number, line.as_str()));
    Consent::read(lines, &office.library.consent_words(language))
}

/// Whether our mail server says that a letter is from whom it says it is from.
pub(crate) fn proves(office: &Office, letter: &Letter, address: &str) -> bool {
    let server = office.settings.authserv_id.as_deref().unwrap_or_default();
    !server.is_empty() && prove(&letter.authentication_results, server, address).is_ok()
}
