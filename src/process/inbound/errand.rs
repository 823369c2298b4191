//! A letter that was let in for no seat: from a member, from the moderator, or from somebody who
//! confirms something.

use crate::club::{Command, Member, Request};
use crate::mail::manners::DAY;
use crate::mail::{Digest, Errand, Letter, TooMuch};
use crate::process::blame::{Blame, answered};
use crate::process::inbound::effects::{Effects, Writer};
use crate::process::inbound::intake;
use crate::process::inbound::written::unread;
use crate::process::lobby::forming;
use crate::process::lobby::members::{self, MemberRefusal};
use crate::process::lobby::newcomers;
use crate::process::office::{Office, OfficeError};
use crate::process::outbound::answers::{self, asking, day};
use crate::process::outbound::budget;
use crate::process::outbound::missed;
use crate::process::outbound::tell;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::outcome::{Answer, Fate, Outcome};
use crate::report::Notice;
use crate::rules::{Message, Refusal};
use crate::store::{Outgoing, Repository};
use crate::table::Refused;

/// How many addresses a member may name as his within a day.
const ADDRESSES_A_DAY: usize = 3;

/// A letter that was let in on an errand, which is not the moderator's.
pub(crate) fn on_errand(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    errand: Errand,
    address: &str,
    request: &Result<Request, TooMuch>,
) -> Result<Outcome, OfficeError> {
    if let Some(seen) = tx.seen_letter(letter.digest.bytes())? {
        let word = Message::new("letter-repeated")
            .with("at", seen.at.format("%Y-%m-%d %H:%M UTC").to_string());
        let (to, notice) = (reader::nobody(tx.office, address), Notice::Said(vec![word]));
        return answers::to_anybody(tx, letter, &to, &notice, None);
    }
    if errand.is_stale(day(tx.office.now)) {
        let notice = Notice::Said(vec![Message::new("errand-stale")]);
        return answers::to_anybody(tx, letter, &reader::nobody(tx.office, address), &notice, None);
    }
    if let Errand::Member(id) = errand {
        missed::heard_of(tx, letter, id)?;
    }
    match errand {
        Errand::Member(id) => match tx.member(id)? {
            Some(member) if member.has_left() => Ok(Outcome::of(Fate::Done)),
            Some(member) => of_member(tx, letter, &member, request),
            None => Ok(Outcome::of(Fate::Done)),
        },
        Errand::Address { member, .. } => of_new_address(tx, letter, (errand, member), address),
        Errand::Join { game, .. } => newcomers::of_newcomer(tx, letter, (errand, game), address),
        // What only he may do is another room's.
        Errand::Moderator => Ok(Outcome::of(Fate::Done)),
    }
}

/// A member's letter about no game.
pub(crate) fn of_member(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    member: &Member,
    request: &Result<Request, TooMuch>,
) -> Result<Outcome, OfficeError> {
    if let Ok(request) = request
        && let Some(outcome) = forming::lobby_letter(tx, letter, member, None, request)?
    {
        return Ok(outcome);
    }
    let tx = &*tx;
    let answer = |member: &Member, words: Vec<Message>| {
        answers::to_known(tx, letter, member, &Notice::Said(words))
    };
    let request = match request {
        Ok(request) => request,
        Err(too_much) => {
            let why = Message::new("letter-unread").with("why", unread(*too_much));
            return answer(member, vec![why]);
        }
    };
    let refuse =
        |words: Vec<Message>| answers::refuse(tx, letter, member, request, &Notice::Said(words));
    let effects = match answered(Effects::of(tx, &Writer { member, seat: None }, &request.lines))? {
        Ok(effects) => effects,
        Err(refused) => return refuse(refused_words(&refused)),
    };
    if let Some(line) = effects.orders.first() {
        let word = Message::new("errand-line-unknown")
            .with("number", line.number)
            .with("line", line.text.as_str());
        return refuse(vec![word, Message::new("errand-help")]);
    }
    let asked = asked_of_club(effects.member.as_ref().unwrap_or(member), &request.commands);
    let words: Vec<Message> = effects.words.iter().cloned().chain(asked).collect();
    if words.is_empty() {
        let games = intake::games_of(tx, member)?;
        return answers::to_known(tx, letter, member, &Notice::NoGame { games });
    }
    let mut outcome = answer(member, words)?;
    confirm(tx.office, member, &effects.confirm, letter, &mut outcome);
    outcome.member = effects.member;
    Ok(outcome)
}

/// Whether a member may name these addresses as his, each of which is then asked: however many he
/// names, nobody sends letters to all the world through us, and no mailbox is filled. What cannot
/// be asked must not be announced.
///
/// # Errors
/// When the club cannot be read; why he may not.
pub(crate) fn may_name(
    tx: &Transaction<'_>,
    member: &Member,
    addresses: &[String],
) -> Result<(), Blame<Refused>> {
    let refused = |why| Err(Blame::Theirs(Refused { line: None, refusal: Refusal::illegal(why) }));
    let since = tx.office.now.timestamp() - DAY;
    let asked = tx.count_since(&addresses_of(member), since)?;
    if !addresses.is_empty() && asked + addresses.len() > ADDRESSES_A_DAY {
        return refused(Message::new("address-many").with("most", ADDRESSES_A_DAY));
    }
    for address in addresses {
        let room = budget::have_room(tx, &Account::question(member.id, address))?;
        if !room || question(tx.office, member, address, &Digest::of(&[])).is_none() {
            return refused(Message::new("address-spent").with("address", address.as_str()));
        }
    }
    Ok(())
}

/// Adds the letters that ask whether these addresses are a member's.
pub(crate) fn confirm(
    office: &Office,
    member: &Member,
    addresses: &[String],
    letter: &Letter,
    outcome: &mut Outcome,
) {
    for address in addresses {
        outcome.counted.push(addresses_of(member));
        let [account, part] = Account::question(member.id, address);
        outcome.counted.push(part.key());
        let letter = question(office, member, address, &letter.digest.and(address));
        outcome.letters.extend(letter.map(|letter| Answer { letter, account, told: None }));
    }
}

/// The letter that asks whether an address is a member's; none to what is no address.
fn question(office: &Office, member: &Member, address: &str, digest: &Digest) -> Option<Outgoing> {
    let words = vec![
        asking("address-confirm")
            .with("club", office.settings.name.as_str())
            .with("name", member.name.as_str()),
    ];
    let to = reader_at(office, member, address);
    let errand = Errand::Address { member: member.id, day: day(office.now) };
    tell::notice(office, &to, &Notice::Said(words), Some(errand), digest, None).ok()
}

/// Who reads the letter that asks whether this address is the member's.
fn reader_at(office: &Office, member: &Member, address: &str) -> Member {
    let Member { language, generation, moves, .. } = member.clone();
    Member { language, generation, moves, ..reader::nobody(office, address) }
}

/// The answer from an address to the letter that asked whether it is this member's.
fn of_new_address(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    (errand, member): (Errand, u32),
    address: &str,
) -> Result<Outcome, OfficeError> {
    let before = tx.member(member)?.filter(|member| !member.has_left());
    let Some(before) = before else { return Ok(Outcome::of(Fate::Done)) };
    let to = reader_at(tx.office, &before, address);
    if newcomers::consent_in(tx.office, letter, &before.language).is_none() {
        let notice = Notice::Said(vec![asking("address-no-yes")]);
        // The same mark again: what is not answered with a yes is not asked for longer by it.
        return answers::to_anybody(tx, letter, &to, &notice, Some(errand));
    }
    let taken = |word| Notice::Said(vec![Message::new(word).with("address", address)]);
    let added = answered(members::with_address(tx, before.clone(), address, true))?;
    let (mut member, other) = match added {
        Ok(member) => (member, before.addresses.first().cloned()),
        Err(MemberRefusal::Taken { .. }) => {
            return answers::to_anybody(tx, letter, &to, &taken("address-taken"), None);
        }
        Err(_) => return Ok(Outcome::of(Fate::Done)),
    };
    member.soft_bounces = 0;
    if member.undeliverable.take().is_some() {
        missed::to_be_written_to(tx, member.id, &letter.digest)?;
    }
    let mut outcome = answers::to_known(tx, letter, &member, &taken("address-kept"))?;
    // Who had the letters until now should hear of it, should it not be he who asked.
    if let Some(other) = other.filter(|other| other != address) {
        let to = Member { addresses: vec![other.clone()], ..member.clone() };
        let digest = letter.digest.and(&other);
        let letter =
            tell::notice(tx.office, &to, &taken("address-moved"), None, &digest, None).ok();
        let account = Account::Answers(member.id);
        let answer = |letter| Answer { letter, account, told: None };
        outcome.letters.extend(letter.map(answer));
    }
    outcome.member = Some(member);
    Ok(outcome)
}

/// Under what the addresses that a member names are counted; no address is like it.
fn addresses_of(member: &Member) -> String {
    format!("addresses of {}", member.id)
}

/// The answers to what can be asked in a letter about no game.
fn asked_of_club(member: &Member, commands: &[Command]) -> Vec<Message> {
    let answer = |command: &Command| match command {
        Command::Settings => member.settings(),
        Command::Help => vec![
            Message::new("errand-card"),
            Message::new("errand-card-games"),
            Message::new("errand-card-new"),
            Message::new("errand-card-join"),
            Message::new("errand-card-wait"),
            Message::new("errand-card-founder"),
            Message::new("errand-card-leave"),
            Message::new("errand-card-marks"),
            Message::new("errand-card-own"),
            Message::new("errand-card-game"),
        ],
        _ => Vec::new(),
    };
    commands.iter().flat_map(answer).collect()
}

/// Why a letter was refused, in words.
fn refused_words(refused: &Refused) -> Vec<Message> {
    let line = refused.line.as_ref().map(|line| {
        Message::new("refused-line").with("number", line.number).with("line", line.text.as_str())
    });
    let refusal = &refused.refusal;
    line.into_iter().chain([refusal.reason.clone()]).chain(refusal.instead.clone()).collect()
}
