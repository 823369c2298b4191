//! Who knocks: the club's door, and answers to those who are let in nowhere.

use crate::club::{Member, Request, Strangers};
use crate::mail::manners::Manners;
use crate::mail::{Door, Letter, Waiting, first_quoted};
use crate::process::fence::fenced;
use crate::process::lobby::newcomers;
use crate::process::office::{Office, OfficeError};
use crate::process::outbound::ID_START;
use crate::process::outbound::answers;
use crate::process::outbound::budget;
use crate::process::session::reader;
use crate::process::table::vote;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::outcome::{Answer, Outcome};
use crate::report::Notice;
use crate::rules::Message;
use crate::store::Repository;

/// The club's door.
pub(crate) fn door(office: &Office) -> Door<'_> {
    Door {
        secret: &office.secret,
        address: &office.settings.address,
        admission: office.settings.admission,
        authserv_id: office.settings.authserv_id.as_deref().unwrap_or_default(),
        moderator: &office.settings.moderator.address,
    }
}

pub(crate) fn games_of(tx: &Transaction<'_>, member: &Member) -> Result<Vec<String>, OfficeError> {
    let mut games = Vec::new();
    for (game, seat) in tx.seats_of(member.id)? {
        if let Ok(playing) = tx.savepoint().playing(game)
            && playing.seat(seat).is_some_and(|(seated, _)| !seated.left)
        {
            let language = tx.office.library.language(&member.language);
            games.push(language.title(playing.table.founding(), &tx.office.settings.name));
        }
    }
    Ok(games)
}

pub(crate) fn to_stranger(
    tx: &Transaction<'_>,
    letter: &Letter,
    address: &str,
) -> Result<Outcome, OfficeError> {
    let mut outcome = answers::unanswered(tx.office, letter);
    let account = if newcomers::proves(tx.office, letter, address) {
        Account::known(address)
    } else {
        Account::stranger(address)
    };
    if budget::manners(tx, &account)? == Manners::Answer {
        let stranger = reader::nobody(tx.office, address);
        let moderator = tx.office.settings.moderator.address.clone();
        let may_join = tx.office.settings.strangers == Strangers::Join;
        let notice = Notice::Stranger { moderator, may_join };
        let answer = |letter| Answer { letter, account, told: None };
        outcome.answer = answers::notice_to(tx.office, &stranger, &notice, letter).map(answer);
    }
    Ok(outcome)
}

/// What was asked in a letter, unless it answers one about several games between the quoted
/// lines: what stands there may be meant for any of them.
///
/// # Errors
/// What is to be said of it.
pub(crate) fn of_one_game<'a>(
    office: &Office,
    letter: &Letter,
    request: &'a Request,
) -> Result<&'a Request, Message> {
    let end = format!("@{}", office.settings.host());
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

/// Takes in what a letter led to, its vote included.
///
/// # Errors
/// When the club cannot be read, or its game fails on the vote: what stands in the transaction
/// is then to be thrown away.
pub(crate) fn take(
    tx: &mut Transaction<'_>,
    file: Waiting,
    outcome: Outcome,
) -> Result<(), OfficeError> {
    let ballot = outcome
        .moved
        .as_ref()
        .and_then(|moved| Some((moved.table.founding().number, moved.seat, moved.ballot.clone()?)));
    tx.take(file, outcome);
    if let Some((game, seat, ballot)) = ballot
        && let Err(why) = fenced(|| vote::vote(tx, game, seat, &ballot))?
    {
        return Err(OfficeError::GameFailed { game, why });
    }
    Ok(())
}
