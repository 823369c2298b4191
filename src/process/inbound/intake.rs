//! Who knocks: the club's door, and answers to those who are let in nowhere.

use crate::club::{GameName, Member, Request};
use crate::mail::rate_limit::RateLimit;
use crate::mail::{Authenticator, Letter, Waiting, first_quoted};
use crate::process::context::{ClubError, Context};
use crate::process::isolate::isolate;
use crate::process::lobby::newcomers;
use crate::process::lobby::unasked;
use crate::process::outbound::answers;
use crate::process::outbound::queue::ID_START;
use crate::process::table::undo;
use crate::process::table::vote;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::effect::{Answer, LetterEffect};
use crate::render::Notice;
use crate::rules::{Message, Turn};
use crate::store::Repository;

/// The club's door.
pub(crate) fn authenticator(context: &Context) -> Authenticator<'_> {
    Authenticator {
        secret: &context.secret,
        address: &context.settings.address,
        admission: context.settings.admission,
        authserv_id: context.settings.authserv_id.as_deref().unwrap_or_default(),
        moderator: &context.settings.moderator.address,
    }
}

/// The games that a member plays, as their letters are called; not those that are over.
pub(crate) fn games_of(tx: &Transaction<'_>, member: &Member) -> Result<Vec<String>, ClubError> {
    let mut games = Vec::new();
    for (game, seat) in tx.seats_of(member.id)? {
        if let Ok(session) = tx.savepoint().session(game)
            && session.seat(seat).is_some_and(|(seated, _)| !seated.left)
            && session.table.turn() != Turn::Over
        {
            let language = tx.context.library.language(&member.language);
            let name = tx.room(game)?.name;
            let name = name.as_ref().map(GameName::as_str);
            games.push(language.title(session.table.founding(), name));
        }
    }
    Ok(games)
}

pub(crate) fn to_stranger(
    tx: &Transaction<'_>,
    letter: &Letter,
    address: &str,
) -> Result<LetterEffect, ClubError> {
    let mut effect = answers::unanswered(tx.context, letter);
    let proven = newcomers::proves(tx.context, letter, address);
    let account = unasked::account_of_answer(tx, address, proven, Account::stranger)?;
    if answers::rate_limit(tx, &account)? == RateLimit::Answer {
        let stranger = answers::stranger(tx.context, letter, address);
        let moderator = tx.context.settings.moderator.address.clone();
        let notice = Notice::Stranger { moderator };
        let answer = |letter| Answer { letter, account, told: None };
        effect.answer = answers::notice_to(tx.context, &stranger, &notice, letter).map(answer);
    }
    Ok(effect)
}

/// What was asked in a letter, unless it answers one about several games between the quoted
/// lines: what stands there may be meant for any of them.
///
/// # Errors
/// What is to be said of it.
pub(crate) fn of_one_game<'a>(
    context: &Context,
    letter: &Letter,
    request: &'a Request,
) -> Result<&'a Request, Message> {
    let end = format!("@{}", context.settings.host());
    let is_bundle = |id: &String| id.starts_with(ID_START) && id.ends_with(&end);
    if !letter.references.iter().any(is_bundle) {
        return Ok(request);
    }
    let first = first_quoted(&letter.body).unwrap_or(u32::MAX);
    let orders = request.lines.iter().map(|line| line.order.number);
    let press = request.talk.press.iter().map(|press| press.number);
    match orders.chain(press).find(|number| *number > first) {
        Some(number) => Err(Message::new("unread-between").with("number", number)),
        None => Ok(request),
    }
}

/// Takes in what a letter led to, its vote included, and what it took back.
///
/// # Errors
/// When the club cannot be read, or its game fails on the vote: what stands in the transaction
/// is then to be thrown away.
pub(crate) fn take(
    tx: &mut Transaction<'_>,
    file: Waiting,
    effect: LetterEffect,
) -> Result<(), ClubError> {
    let ballot = effect
        .moved
        .as_ref()
        .and_then(|moved| Some((moved.table.founding().number, moved.seat, moved.ballot.clone()?)));
    let undone = effect
        .moved
        .as_ref()
        .and_then(|moved| Some((moved.table.founding().number, moved.seat, moved.undone?)));
    tx.take(file, effect);
    if let Some((game, seat, to)) = undone {
        undo::follow(tx, game, seat, to)?;
    }
    if let Some((game, seat, ballot)) = ballot
        && let Err(why) = isolate(|| vote::vote(tx, game, seat, &ballot))?
    {
        return Err(ClubError::GameFailed { game, why });
    }
    Ok(())
}
