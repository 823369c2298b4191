//! People who are no members and ask what there is to play, in a club that is open to them.
//!
//! Each answer can be answered: who does so reads what goes to his address, so he is more than a
//! name, and what he writes next is read. Nobody becomes a member here.

use crate::club::{GameRoom, Member, Proposal, Request, Strangers, Wish};
use crate::mail::rate_limit::HOUR;
use crate::mail::{Letter, ReplyAction, TooMuch};
use crate::process::context::{ClubError, Context};
use crate::process::lobby::forming;
use crate::process::lobby::game_list::{self, JOINS_OFFERED};
use crate::process::lobby::newcomers;
use crate::process::lobby::unasked;
use crate::process::outbound::answers;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::effect::LetterEffect;
use crate::render::Notice;
use crate::rules::{Arg, Message};
use crate::store::Repository;

/// How many games are shown to who is no member: those that lapse first.
const GAMES_SHOWN: usize = 20;

/// For how many hours a conversation has just begun.
const FIRST_HOURS: u32 = 24;

/// What a letter's writer wants who is no member.
pub(crate) fn wish(context: &Context, request: &Result<Request, TooMuch>) -> Wish {
    wish_among(context, request, &[])
}

/// The same of an answer to a letter that shows what there is to join.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn wish_in_answer(
    tx: &Transaction<'_>,
    address: &str,
    request: &Result<Request, TooMuch>,
) -> Result<Wish, ClubError> {
    let shown = open_games(tx, &reader::nobody(tx.context, address))?;
    let shown: Vec<u32> = shown.into_iter().map(|(game, _)| game).collect();
    Ok(wish_among(tx.context, request, &shown))
}

fn wish_among(context: &Context, request: &Result<Request, TooMuch>, shown: &[u32]) -> Wish {
    let numbered = context.library.words_before_numbers();
    request.as_ref().map_or(Wish::Talk, |request| Wish::read(request, &numbered, shown))
}

/// Whether a letter asks for the games in a club where anybody is told of them.
pub(crate) fn asks_for_games(context: &Context, request: &Result<Request, TooMuch>) -> bool {
    context.settings.strangers == Strangers::Join && wish(context, request) == Wish::Games
}

/// What a stranger's letter leads to that answers none of ours; none where strangers are let in
/// nowhere, unless he was invited.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn of_stranger(
    tx: &Transaction<'_>,
    letter: &Letter,
    address: &str,
    request: &Result<Request, TooMuch>,
) -> Result<Option<LetterEffect>, ClubError> {
    if tx.context.settings.strangers != Strangers::Join {
        return newcomers::of_invited_stranger(tx, letter, address, request);
    }
    let proven = newcomers::proves(tx.context, letter, address);
    let account = |usual| unasked::account_of_answer(tx, address, proven, usual);
    let wish = wish(tx.context, request);
    let would = match would_join(tx, address, wish)? {
        Would::Join(game) => {
            let invited = match game {
                Some(game) => tx.room(game)?.has_invited(&[address.to_owned()]),
                None => false,
            };
            let account = account(if invited { Account::known } else { Account::newcomer })?;
            return newcomers::ask(tx, letter, address, game, account).map(Some);
        }
        would => would,
    };
    let head = match would {
        Would::Not(why) => vec![why],
        _ if wish == Wish::Games => Vec::new(),
        _ => about(tx.context),
    };
    let account = account(Account::stranger)?;
    told(tx, letter, address, (head, None), account).map(Some)
}

/// What a letter leads to in which somebody who is no member answers one of ours, in a conversation
/// that began in this hour.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn of_visitor(
    tx: &Transaction<'_>,
    letter: &Letter,
    address: &str,
    wish: Wish,
    since: Option<u32>,
) -> Result<LetterEffect, ClubError> {
    let head = match would_join(tx, address, wish)? {
        Would::Join(game) => {
            return newcomers::ask(tx, letter, address, game, Account::confirming(address));
        }
        Would::Not(why) => vec![why],
        Would::Other => match wish {
            Wish::Games => Vec::new(),
            Wish::Help => about(tx.context),
            _ => vec![answers::asking("visitor-unread")],
        },
    };
    let now = hour(tx.context);
    let has_just_begun = since.is_none_or(|since| now.abs_diff(since) < FIRST_HOURS);
    let account = Account::visiting(address, has_just_begun);
    told(tx, letter, address, (head, since), account)
}

/// An answer to who agreed to join what nobody can join any more.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn cannot(
    tx: &Transaction<'_>,
    letter: &Letter,
    address: &str,
    why: Message,
) -> Result<LetterEffect, ClubError> {
    let to = answers::stranger(tx.context, letter, address);
    let mut words = vec![why];
    if tx.context.settings.strangers != Strangers::Join {
        return answers::to_anybody(tx, letter, &to, &Notice::Said(words), None);
    }
    words.extend(list(tx, &to)?);
    let (lines, hour) = (lines(tx, &to)?, hour(tx.context));
    let notice = Notice::Offering { words, lines };
    answers::to_anybody(tx, letter, &to, &notice, Some(ReplyAction::Visit { hour }))
}

/// What somebody would join who is no member.
enum Would {
    /// This game, or the club without one; he is to be asked.
    Join(Option<u32>),
    /// What he cannot join, for this reason.
    Not(Message),
    /// Nothing.
    Other,
}

fn would_join(tx: &Transaction<'_>, address: &str, wish: Wish) -> Result<Would, ClubError> {
    Ok(match wish {
        Wish::Join(game) => match newcomers::shut(tx, game, address)? {
            Some(why) => Would::Not(why),
            None => Would::Join(Some(game)),
        },
        Wish::JoinClub => Would::Join(None),
        Wish::Games | Wish::Help | Wish::Talk => Would::Other,
    })
}

/// A letter with this at its head and what there is to play below, as far as there is something
/// left on the account. An answer to it goes on with a conversation that began in this hour, or
/// begins one.
fn told(
    tx: &Transaction<'_>,
    letter: &Letter,
    address: &str,
    (mut words, since): (Vec<Message>, Option<u32>),
    account: Account,
) -> Result<LetterEffect, ClubError> {
    let to = answers::stranger(tx.context, letter, address);
    answers::if_left(tx, letter, (&to, account), || {
        words.extend(list(tx, &to)?);
        let action = ReplyAction::Visit { hour: since.unwrap_or_else(|| hour(tx.context)) };
        Ok((Notice::Offering { words, lines: lines(tx, &to)? }, Some(action)))
    })
}

/// What this is, and how it works.
fn about(context: &Context) -> Vec<Message> {
    let hello = Message::new("visitor-hello").with("club", context.settings.name.as_str());
    vec![hello, Message::new("visitor-how")]
}

/// What there is to join, and what can be written. Who plays is told to members alone.
fn list(tx: &Transaction<'_>, reader: &Member) -> Result<Vec<Message>, ClubError> {
    let open = open_games(tx, reader)?;
    let first = open.first().map(|(game, _)| *game);
    let mut words =
        vec![Message::new(if open.is_empty() { "visitor-none" } else { "games-formed" })];
    let entry = |(game, room): &(u32, GameRoom)| {
        Some(entry(tx.context, (*game, room), room.proposal.as_ref()?, reader))
    };
    words.extend(open.iter().filter_map(entry));
    words.extend(first.map(|game| Message::new("visitor-join").with("number", game)));
    words.push(Message::new("visitor-club"));
    let moderator = tx.context.settings.moderator.address.as_str();
    words.push(Message::new("visitor-words").with("moderator", moderator));
    Ok(words)
}

/// The lines by which the reader of that goes on.
fn lines(tx: &Transaction<'_>, reader: &Member) -> Result<Vec<Arg>, ClubError> {
    let open = open_games(tx, reader)?;
    let join = open.iter().take(JOINS_OFFERED).map(|(game, _)| game_list::join_line(*game));
    Ok(join.chain([Arg::Term("line-join-club"), Arg::Term("line-help")]).collect())
}

/// The games with a free seat that this reader may know of.
fn open_games(tx: &Transaction<'_>, reader: &Member) -> Result<Vec<(u32, GameRoom)>, ClubError> {
    let mut all = forming::proposals(tx)?;
    let is_open = |room: &GameRoom| room.proposal.as_ref().is_some_and(|own| own.free() > 0);
    all.retain(|(_, room)| is_open(room) && room.is_known_to(reader));
    all.truncate(GAMES_SHOWN);
    Ok(all)
}

/// One game that waits for players.
fn entry(
    context: &Context,
    (game, room): (u32, &GameRoom),
    proposal: &Proposal,
    reader: &Member,
) -> Message {
    let mut said = vec![Arg::from(game_list::said_of(context, proposal, game, reader))];
    said.extend(room.private.then(|| Arg::from(Message::new("games-private"))));
    Message::new("visitor-entry").with("said", Arg::List(said))
}

/// Hours since 1970.
fn hour(context: &Context) -> u32 {
    u32::try_from(context.now.timestamp().div_euclid(HOUR)).unwrap_or(0)
}
