//! Who knocks: the club's door, and answers to those who are let in nowhere.

use crate::club::{GameName, Member, Request};
use crate::mail::rate_limit::RateLimit;
use crate::mail::{Admitted, Authenticator, Letter, Waiting, first_quoted};
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::isolate::isolate;
use crate::process::lobby::unasked;
use crate::process::lobby::visitors::Inquiry;
use crate::process::outbound::answers;
use crate::process::outbound::queue::ID_START;
use crate::process::session::directory::ClubDirectory;
use crate::process::table::{undo, vote};
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

/// Whose letter it would be if nobody doubted its sender: what its reply token says.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn undoubted(tx: &Transaction<'_>, letter: &Letter) -> ClubResult<Option<Admitted>> {
    authenticator(tx.context).undoubted(letter, &ClubDirectory(tx))
}

/// The games that a member plays, as their letters are called; not those that are over.
pub(crate) fn games_of(tx: &Transaction<'_>, member: &Member) -> ClubResult<Vec<String>> {
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

pub(crate) fn to_stranger(tx: &Transaction<'_>, from: Inquiry<'_>) -> ClubResult<LetterEffect> {
    let letter = from.letter;
    let mut effect = answers::unanswered(tx.context, letter);
    let account = unasked::account_of_answer(tx, from, Account::stranger)?;
    if answers::rate_limit(tx, &account)? == RateLimit::Answer {
        let stranger = from.writer(tx.context);
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
) -> ClubResult<()> {
    let moved = effect.moved.as_ref();
    let around = moved.map(|moved| {
        (moved.table.founding().number, moved.seat, moved.undone, moved.ballot.clone())
    });
    tx.take(file, effect);
    let Some((game, seat, undone, ballot)) = around else { return Ok(()) };
    if let Some(to) = undone {
        undo::follow(tx, game, seat, to)?;
    }
    if let Some(ballot) = ballot
        && let Err(why) = isolate(|| vote::vote(tx, game, seat, &ballot))?
    {
        return Err(ClubError::GameFailed { game, why });
    }
    Ok(())
}
