//! People who are no members and ask what there is to play, in a club that is open to them.
//!
//! Each answer can be answered: who does so reads what goes to his address, so he is more than a
//! name, and what he writes next is read. Nobody becomes a member here.

use crate::club::{GameRoom, Member, Proposal, Request, Strangers, Wish};
use crate::mail::rate_limit::HOUR;
use crate::mail::{Letter, ReplyAction, TooMuch, prove};
use crate::process::context::{ClubResult, Context};
use crate::process::lobby::game_list::{self, JOINS_OFFERED};
use crate::process::lobby::{forming, newcomers, unasked};
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

/// A letter about no game from somebody who need not be a member.
#[derive(Clone, Copy)]
pub(crate) struct Inquiry<'a> {
    pub(crate) letter: &'a Letter,
    /// The address that it came from.
    pub(crate) address: &'a str,
    /// What was asked in it.
    pub(crate) asked: &'a Result<Request, TooMuch>,
}

impl Inquiry<'_> {
    /// Returns what a non-member asks for. `shown` are the games in the letter that this one
    /// answers.
    pub(crate) fn wish(self, context: &Context, shown: &[u32]) -> Wish {
        let numbered = context.library.words_before_numbers();
        self.asked.as_ref().map_or(Wish::Talk, |asked| Wish::read(asked, &numbered, shown))
    }

    /// Whether it asks for the games in a club where anybody is told of them.
    pub(crate) fn asks_for_games(self, context: &Context) -> bool {
        context.settings.strangers == Strangers::Join && self.wish(context, &[]) == Wish::Games
    }

    /// Whether our mail server says that the letter is from whom it says it is from.
    pub(crate) fn is_proven(self, context: &Context) -> bool {
        let server = context.settings.authserv_id.as_deref().unwrap_or_default();
        let proof = || prove(&self.letter.authentication_results, server, self.address);
        !server.is_empty() && proof().is_ok()
    }

    /// The writer as the reader of an answer.
    pub(crate) fn writer(self, context: &Context) -> Member {
        answers::stranger(context, self.letter, self.address)
    }
}

/// Returns what a non-member asks for in a reply to a letter that lists the games to join.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn wish_in_answer(tx: &Transaction<'_>, from: Inquiry<'_>) -> ClubResult<Wish> {
    let shown = open_games(tx, &reader::nobody(tx.context, from.address))?;
    let shown: Vec<u32> = shown.into_iter().map(|(game, _)| game).collect();
    Ok(from.wish(tx.context, &shown))
}

/// What a stranger's letter leads to that answers none of ours; none where strangers are let in
/// nowhere, unless he was invited.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn of_stranger(
    tx: &Transaction<'_>,
    from: Inquiry<'_>,
) -> ClubResult<Option<LetterEffect>> {
    if tx.context.settings.strangers != Strangers::Join {
        return newcomers::of_invited_stranger(tx, from);
    }
    let account = |usual| unasked::account_of_answer(tx, from, usual);
    let wish = from.wish(tx.context, &[]);
    let is_invited = match wish {
        Wish::Join(game) => tx.room(game)?.has_invited(&[from.address.to_owned()]),
        _ => false,
    };
    let asking = account(if is_invited { Account::known } else { Account::newcomer })?;
    let accounts = [asking, account(Account::stranger)?];
    answer_wish(tx, from, (wish, None), accounts, || about(tx.context)).map(Some)
}

/// Returns what the letter of a non-member leads to that answers one of ours, in a conversation
/// that began in this hour.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn of_visitor(
    tx: &Transaction<'_>,
    from: Inquiry<'_>,
    wish: Wish,
    since: Option<u32>,
) -> ClubResult<LetterEffect> {
    let now = hour(tx.context);
    let has_just_begun = since.is_none_or(|since| now.abs_diff(since) < FIRST_HOURS);
    let address = from.address;
    let accounts = [Account::confirming(address), Account::visiting(address, has_just_begun)];
    answer_wish(tx, from, (wish, since), accounts, || match wish {
        Wish::Help => about(tx.context),
        _ => vec![answers::asking("visitor-unread")],
    })
}

/// Asks a non-member whether they would join what they wish for, or tells them what there is to
/// join. The accounts are those of the two letters; `otherwise` is said to any other wish.
fn answer_wish(
    tx: &Transaction<'_>,
    from: Inquiry<'_>,
    (wish, since): (Wish, Option<u32>),
    [asking, telling]: [Account; 2],
    otherwise: impl FnOnce() -> Vec<Message>,
) -> ClubResult<LetterEffect> {
    let head = match wish {
        Wish::Join(game) => match newcomers::shut(tx, game, from.address)? {
            None => return newcomers::ask(tx, from, Some(game), asking),
            Some(why) => vec![why],
        },
        Wish::JoinClub => return newcomers::ask(tx, from, None, asking),
        Wish::Games => Vec::new(),
        Wish::Help | Wish::Talk => otherwise(),
    };
    told(tx, from, (head, since), telling)
}

/// An answer to who agreed to join what nobody can join any more.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn cannot(
    tx: &Transaction<'_>,
    from: Inquiry<'_>,
    why: Message,
) -> ClubResult<LetterEffect> {
    let (letter, to) = (from.letter, from.writer(tx.context));
    let mut words = vec![why];
    if tx.context.settings.strangers != Strangers::Join {
        return answers::to_anybody(tx, letter, &to, &Notice::Said(words), None);
    }
    words.extend(list(tx, &to)?);
    let (lines, hour) = (lines(tx, &to)?, hour(tx.context));
    let notice = Notice::Offering { words, lines };
    answers::to_anybody(tx, letter, &to, &notice, Some(ReplyAction::Visit { hour }))
}

/// A letter with this at its head and what there is to play below, as far as there is something
/// left on the account. An answer to it goes on with a conversation that began in this hour, or
/// begins one.
fn told(
    tx: &Transaction<'_>,
    from: Inquiry<'_>,
    (mut words, since): (Vec<Message>, Option<u32>),
    account: Account,
) -> ClubResult<LetterEffect> {
    let to = from.writer(tx.context);
    answers::if_left(tx, from.letter, (&to, account), || {
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
fn list(tx: &Transaction<'_>, reader: &Member) -> ClubResult<Vec<Message>> {
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
fn lines(tx: &Transaction<'_>, reader: &Member) -> ClubResult<Vec<Arg>> {
    let open = open_games(tx, reader)?;
    let join = open.iter().take(JOINS_OFFERED).map(|(game, _)| game_list::join_line(*game));
    Ok(join.chain([Arg::Term("line-join-club"), Arg::Term("line-help")]).collect())
}

/// The games with a free seat that this reader may know of.
fn open_games(tx: &Transaction<'_>, reader: &Member) -> ClubResult<Vec<(u32, GameRoom)>> {
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
