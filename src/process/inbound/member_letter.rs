//! A letter that was let in for no seat: from a member, from the moderator, or from somebody who
//! confirms something.

use crate::club::clock::{OwnTime, moment_words};
use crate::club::{Command, Member, Request, Strangers, help_keys};
use crate::mail::rate_limit::DAY;
use crate::mail::settings::Admission;
use crate::mail::{Letter, LetterHash, ReplyAction, TooMuch};
use crate::process::blame::{Blame, answered, refuse_if};
use crate::process::commit::missed;
use crate::process::context::{ClubResult, Context};
use crate::process::inbound::effects::{Effects, Writer};
use crate::process::inbound::intake::unread;
use crate::process::inbound::{intake, stop};
use crate::process::lobby::members::{self, MemberRefusal};
use crate::process::lobby::visitors::{self, Inquiry};
use crate::process::lobby::{forming, newcomers, unasked};
use crate::process::outbound::answers::{self, asking, consenting, day};
use crate::process::outbound::pending;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::effect::{Answer, Disposition, LetterEffect};
use crate::render::Notice;
use crate::rules::{Message, Refusal, excerpt};
use crate::store::{Outgoing, Repository};
use crate::table::{OrderLine, Refused};

/// How many addresses a member may name as his within a day.
const ADDRESSES_A_DAY: usize = 3;

/// A letter that was let in as a reply action, which is not the moderator's.
pub(crate) fn on_action(
    tx: &mut Transaction<'_>,
    from: Inquiry<'_>,
    action: ReplyAction,
) -> ClubResult<LetterEffect> {
    let Inquiry { letter, asked, .. } = from;
    match action {
        ReplyAction::Stop { member, what } => return stop::on_stop(tx, from, (member, what)),
        ReplyAction::Refuse { .. } => {
            unasked::note_refusal(tx, action);
            return Ok(answers::unanswered(tx.context, letter));
        }
        _ => {}
    }
    if let Some(effect) = stop::refused(tx, from, action)? {
        return Ok(effect);
    }
    if let Some(seen) = tx.seen_letter(letter.digest.bytes())? {
        let word =
            Message::new("letter-repeated").with("at", moment_words(seen.at, &OwnTime::default()));
        let to = from.writer(tx.context);
        return answers::to_anybody(tx, letter, &to, &Notice::Said(vec![word]), None);
    }
    if let Some(member) = own_letter(tx, from, action)? {
        missed::heard_of(tx, letter, member.id, true)?;
        return of_member(tx, letter, &member, asked);
    }
    let confirms = !matches!(action, ReplyAction::Invited { .. });
    if confirms && action.is_stale(day(tx.context.now)) {
        let notice = Notice::Said(vec![Message::new("errand-stale")]);
        return answers::to_anybody(tx, letter, &from.writer(tx.context), &notice, None);
    }
    match action {
        ReplyAction::Member(id) | ReplyAction::Invited { member: id, .. } => {
            missed::heard_of(tx, letter, id, true)?;
            match tx.member(id)?.filter(|member| !member.has_left()) {
                Some(member) => of_invited_or_not(tx, from, action, &member),
                None => Ok(LetterEffect::of(Disposition::Done)),
            }
        }
        ReplyAction::Address { member, .. } => of_new_address(tx, from, (action, member)),
        ReplyAction::Join { game, .. } => newcomers::of_newcomer(tx, from, (action, Some(game))),
        ReplyAction::Club { .. } => newcomers::of_newcomer(tx, from, (action, None)),
        ReplyAction::Visit { hour } if tx.context.settings.strangers == Strangers::Join => {
            let wish = visitors::wish_in_answer(tx, from)?;
            visitors::of_visitor(tx, from, wish, Some(hour))
        }
        // Nobody is let in any more.
        ReplyAction::Visit { .. } => intake::to_stranger(tx, from),
        // What only he may do is another room's; what stops letters is done above.
        ReplyAction::Moderator | ReplyAction::Stop { .. } | ReplyAction::Refuse { .. } => {
            Ok(LetterEffect::of(Disposition::Done))
        }
    }
}

/// The member whose letter answers one that he got before he was one, and does not agree to what
/// that one asked: who reads what goes to his address may speak for him, where it does not need the
/// word of our mail server.
fn own_letter(
    tx: &Transaction<'_>,
    from: Inquiry<'_>,
    action: ReplyAction,
) -> ClubResult<Option<Member>> {
    let agrees = || newcomers::consent_in(tx.context, from.letter, &tx.context.settings.language);
    let asks = match action {
        ReplyAction::Visit { .. } => false,
        ReplyAction::Join { .. } | ReplyAction::Club { .. } => agrees().is_some(),
        _ => true,
    };
    let needs_proof = tx.context.settings.admission == Admission::TokenSenderAndDmarc;
    if asks || needs_proof && !from.is_proven(tx.context) {
        return Ok(None);
    }
    Ok(tx.member_by_address(from.address)?)
}

/// A member's letter about no game, which may agree to an invitation.
fn of_invited_or_not(
    tx: &mut Transaction<'_>,
    from: Inquiry<'_>,
    action: ReplyAction,
    member: &Member,
) -> ClubResult<LetterEffect> {
    if let ReplyAction::Invited { game, .. } = action
        && let Some(effect) = newcomers::of_invited_member(tx, from, (action, game), member)?
    {
        return Ok(effect);
    }
    of_member(tx, from.letter, member, from.asked)
}

/// A member's letter about no game.
pub(crate) fn of_member(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    member: &Member,
    request: &Result<Request, TooMuch>,
) -> ClubResult<LetterEffect> {
    if let Ok(request) = request
        && let Some(effect) = forming::lobby_letter(tx, letter, member, None, request)?
    {
        return Ok(effect);
    }
    let tx = &*tx;
    let answer = |member: &Member, words: Vec<Message>| {
        answers::to_known(tx, letter, member, &Notice::Said(words))
    };
    let request = match request {
        Ok(request) => request,
        Err(too_much) => {
            let why = Message::new("letter-unread").with("why", unread(*too_much));
            return answers::to_idle(tx, letter, member, &Notice::Said(vec![why]));
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
            .with("line", excerpt(&line.text));
        let moderates =
            member.addresses.contains(&tx.context.settings.moderator.address.to_lowercase());
        let more = moderates.then(|| Message::new("errand-moderator"));
        return refuse([word, Message::new("errand-help")].into_iter().chain(more).collect());
    }
    let asked = asked_of_club(effects.member.as_ref().unwrap_or(member), &request.commands);
    let words: Vec<Message> = effects.words.iter().cloned().chain(asked).collect();
    if words.is_empty() {
        let games = intake::games_of(tx, member)?;
        return answers::to_idle(tx, letter, member, &Notice::NoGame { games });
    }
    let mut effect = answer(member, words)?;
    confirm(tx, member, &effects.confirm, letter, &mut effect)?;
    effect.member = effects.member;
    Ok(effect)
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
    if addresses.is_empty() {
        return Ok(());
    }
    let refused = |why| Refused { line: None, refusal: Refusal::illegal(why) };
    let since = tx.context.now.timestamp() - DAY;
    let asked = tx.count_since(&addresses_of(member), since)?;
    let too_many = || refused(Message::new("address-many").with("most", ADDRESSES_A_DAY));
    refuse_if(asked + addresses.len() > ADDRESSES_A_DAY, too_many)?;
    let mut asked: Vec<String> = Vec::new();
    for address in addresses {
        let account = Account::question_by(member.id, address);
        let is_again = asked.contains(&account.key());
        asked.push(account.key());
        let room = !is_again && answers::have_room(tx, &[account])?;
        let asked = question(tx.context, member, address, &LetterHash::of(&[])).filter(|_| room);
        let spent = || refused(Message::new("address-spent").with("address", address.as_str()));
        refuse_if(asked.is_none(), spent)?;
    }
    Ok(())
}

/// Adds the letters that ask whether these addresses are a member's. The member must not find out
/// whether the owner of an address has refused letters or was asked by others.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn confirm(
    tx: &Transaction<'_>,
    member: &Member,
    addresses: &[String],
    letter: &Letter,
    effect: &mut LetterEffect,
) -> ClubResult<()> {
    for address in addresses {
        effect.counted.push(addresses_of(member));
        effect.counted.push(Account::question_by(member.id, address).key());
        if !unasked::may_write(tx, member.id, address)? {
            continue;
        }
        let [account, part] = Account::unasked(member.id, address);
        effect.counted.push(part.key());
        let letter = question(tx.context, member, address, &letter.digest.and(address));
        effect.letters.extend(letter.map(|letter| Answer { letter, account, told: None }));
    }
    Ok(())
}

/// The letter that asks whether an address is a member's; none to what is no address.
fn question(
    context: &Context,
    member: &Member,
    address: &str,
    digest: &LetterHash,
) -> Option<Outgoing> {
    let words = vec![
        asking("address-confirm")
            .with("club", context.settings.name.as_str())
            .with("name", member.name.as_str()),
        Message::new("refusal-how"),
    ];
    let to = reader_at(context, member, address);
    let action = ReplyAction::Address { member: member.id, day: day(context.now) };
    pending::notice(context, &to, &consenting(words), Some(action), digest, None).ok()
}

/// Who reads the letter that asks whether this address is the member's.
fn reader_at(context: &Context, member: &Member, address: &str) -> Member {
    let Member { language, generation, moves, .. } = member.clone();
    Member { language, generation, moves, ..reader::nobody(context, address) }
}

/// The answer from an address to the letter that asked whether it is this member's.
fn of_new_address(
    tx: &mut Transaction<'_>,
    Inquiry { letter, address, .. }: Inquiry<'_>,
    (action, member): (ReplyAction, u32),
) -> ClubResult<LetterEffect> {
    let before = tx.member(member)?.filter(|member| !member.has_left());
    let Some(before) = before else { return Ok(LetterEffect::of(Disposition::Done)) };
    let to = reader_at(tx.context, &before, address);
    if newcomers::consent_in(tx.context, letter, &before.language).is_none() {
        let notice = consenting(vec![asking("address-no-yes")]);
        // The same mark again: what is not answered with a yes is not asked for longer by it.
        return answers::to_anybody(tx, letter, &to, &notice, Some(action));
    }
    let taken = |word| Notice::Said(vec![Message::new(word).with("address", address)]);
    let added = answered(members::with_address(tx, before.clone(), address, true))?;
    let (mut member, other) = match added {
        Ok(member) => (member, before.addresses.first().cloned()),
        Err(MemberRefusal::Taken { .. }) => {
            return answers::to_anybody(tx, letter, &to, &taken("address-taken"), None);
        }
        Err(_) => return Ok(LetterEffect::of(Disposition::Done)),
    };
    member.has_answered = true;
    let member = missed::vouch_for(tx, member, &letter.digest)?;
    let mut effect = answers::to_known(tx, letter, &member, &taken("address-kept"))?;
    // Who had the letters until now should hear of it, should it not be he who asked.
    if let Some(other) = other.filter(|other| other != address) {
        let to = Member { addresses: vec![other.clone()], ..member.clone() };
        let digest = letter.digest.and(&other);
        let letter =
            pending::notice(tx.context, &to, &taken("address-moved"), None, &digest, None).ok();
        let account = Account::Answers(member.id);
        let answer = |letter| Answer { letter, account, told: None };
        effect.letters.extend(letter.map(answer));
    }
    effect.member = Some(member);
    Ok(effect)
}

/// Under what the addresses that a member names are counted; no address is like it.
fn addresses_of(member: &Member) -> String {
    format!("addresses of {}", member.id)
}

/// The answers to what can be asked in a letter about no game.
fn asked_of_club(member: &Member, commands: &[Command]) -> Vec<Message> {
    let answer = |command: &Command| match command {
        Command::Settings => member.settings(),
        Command::Help => {
            let keys = help_keys("errand-").into_iter();
            let all = ["errand-card"].into_iter().chain(keys).chain(["errand-card-game"]);
            all.map(Message::new).collect()
        }
        _ => Vec::new(),
    };
    commands.iter().flat_map(answer).collect()
}

/// Returns the sentences that say which line was refused, why, and what could be written instead.
pub(crate) fn refused_words(refused: &Refused) -> Vec<Message> {
    let line = refused.line.as_ref().map(OrderLine::refused);
    let refusal = &refused.refusal;
    line.into_iter().chain([refusal.reason.clone()]).chain(refusal.instead.clone()).collect()
}
