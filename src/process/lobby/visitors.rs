//! Letters of non-members who ask about games, in a club that is open to strangers.
//!
//! Each answer carries a reply token. A non-member who replies with it has shown that they read
//! their mail, so the club continues to answer. No one becomes a member in this module.

use crate::club::{GameInfo, Member, NewcomerRequest, ParsedLetter, Proposal, StrangerPolicy};
use crate::mail::rate_limit::HOUR_SECONDS;
use crate::mail::{Letter, OrderLimitExceeded, ReplyAction, verify_dmarc};
use crate::process::context::{ClubResult, Context};
use crate::process::lobby::game_list::{self, JOIN_BUTTONS_MAX};
use crate::process::lobby::{invitations, newcomers, proposals};
use crate::process::outbound::answers;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::process::transaction::effect::LetterEffect;
use crate::process::transaction::rate_account::RateAccount;
use crate::render::Notice;
use crate::rules::{Arg, Message};
use crate::store::Repository;

/// The most games that a non-member is shown.
const GAMES_SHOWN_MAX: usize = 20;

/// The number of hours in which a conversation counts as new.
const NEW_CONVERSATION_HOURS: u32 = 24;

/// A letter that is not about a game, whose sender may be a non-member.
#[derive(Clone, Copy)]
pub(crate) struct ClubLetter<'a> {
    pub(crate) letter: &'a Letter,
    pub(crate) address: &'a str,
    pub(crate) request: &'a Result<ParsedLetter, OrderLimitExceeded>,
}

impl ClubLetter<'_> {
    /// Returns what a non-member asks for. `shown` are the games in the letter that this one
    /// answers.
    pub(crate) fn parse_newcomer_request(
        self,
        context: &Context,
        shown: &[u32],
    ) -> NewcomerRequest {
        let numbered = context.library.words_before_game_numbers();
        self.request
            .as_ref()
            .map_or(NewcomerRequest::Other, |asked| NewcomerRequest::parse(asked, &numbered, shown))
    }

    /// Whether the letter asks for the list of games, in a club that is open to strangers.
    pub(crate) fn asks_for_games(self, context: &Context) -> bool {
        context.settings.strangers == StrangerPolicy::Join
            && self.parse_newcomer_request(context, &[]) == NewcomerRequest::Games
    }

    /// Whether the club's mail server has verified the sender by DMARC.
    pub(crate) fn is_sender_proven(self, context: &Context) -> bool {
        let server = context.settings.authserv_id.as_deref().unwrap_or_default();
        let proof = || verify_dmarc(&self.letter.authentication_results, server, self.address);
        !server.is_empty() && proof().is_ok()
    }

    pub(crate) fn writer_as_reader(self, context: &Context) -> Member {
        answers::unknown_writer_as_reader(context, self.letter, self.address)
    }
}

/// Returns what a non-member asks for in a reply to a letter that lists the games to join.
pub(crate) fn parse_newcomer_request_in_reply(
    tx: &Transaction<'_>,
    from: ClubLetter<'_>,
) -> ClubResult<NewcomerRequest> {
    let shown = list_open_games(tx, &reader::nonmember_as_reader(tx.context, from.address))?;
    let shown: Vec<u32> = shown.into_iter().map(|(game, _)| game).collect();
    Ok(from.parse_newcomer_request(tx.context, &shown))
}

/// Decides the effect of a stranger's letter without a reply token. Returns `None` in a club that
/// is closed to strangers, unless the stranger was invited.
pub(crate) fn handle_stranger_letter(
    tx: &Transaction<'_>,
    from: ClubLetter<'_>,
) -> ClubResult<Option<LetterEffect>> {
    if tx.context.settings.strangers != StrangerPolicy::Join {
        return newcomers::handle_invited_stranger(tx, from);
    }
    let account = |usual| invitations::choose_answer_account(tx, from, usual);
    let wish = from.parse_newcomer_request(tx.context, &[]);
    let is_invited = match wish {
        NewcomerRequest::Join(game) => tx.game_info(game)?.has_invited(&[from.address.to_owned()]),
        _ => false,
    };
    let asking = account(if is_invited {
        RateAccount::for_invited_or_proven
    } else {
        RateAccount::for_newcomer
    })?;
    let accounts = [asking, account(RateAccount::for_stranger)?];
    answer_newcomer_request(tx, from, (wish, None), accounts, || {
        club_introduction_messages(tx.context)
    })
    .map(Some)
}

/// Decides the effect of a non-member's reply to a letter of the club. `since` is the hour in which
/// the conversation began.
pub(crate) fn handle_visitor_reply(
    tx: &Transaction<'_>,
    from: ClubLetter<'_>,
    wish: NewcomerRequest,
    since: Option<u32>,
) -> ClubResult<LetterEffect> {
    let now = current_unix_hour(tx.context);
    let has_just_begun = since.is_none_or(|since| now.abs_diff(since) < NEW_CONVERSATION_HOURS);
    let address = from.address;
    let accounts = [
        RateAccount::for_confirming_reader(address),
        RateAccount::for_visitor(address, has_just_begun),
    ];
    answer_newcomer_request(tx, from, (wish, since), accounts, || match wish {
        NewcomerRequest::Help => club_introduction_messages(tx.context),
        _ => vec![answers::consent_question("visitor-unread")],
    })
}

/// Asks a non-member to confirm that they want to join, or sends them the list of games. The two
/// accounts limit these two letters. `otherwise` returns the first sentences of the answer to any
/// other wish.
fn answer_newcomer_request(
    tx: &Transaction<'_>,
    from: ClubLetter<'_>,
    (wish, since): (NewcomerRequest, Option<u32>),
    [asking, telling]: [RateAccount; 2],
    otherwise: impl FnOnce() -> Vec<Message>,
) -> ClubResult<LetterEffect> {
    let head = match wish {
        NewcomerRequest::Join(game) => match newcomers::join_refusal(tx, game, from.address)? {
            None => return newcomers::ask_to_confirm_joining(tx, from, Some(game), asking),
            Some(why) => vec![why],
        },
        NewcomerRequest::JoinClub => {
            return newcomers::ask_to_confirm_joining(tx, from, None, asking);
        }
        NewcomerRequest::Games => Vec::new(),
        NewcomerRequest::Help | NewcomerRequest::Other => otherwise(),
    };
    answer_with_games(tx, from, (head, since), telling)
}

/// Answers a non-member who agreed to join a game that can no longer be joined.
pub(crate) fn refuse_joining(
    tx: &Transaction<'_>,
    from: ClubLetter<'_>,
    why: Message,
) -> ClubResult<LetterEffect> {
    let (letter, to) = (from.letter, from.writer_as_reader(tx.context));
    let mut words = vec![why];
    if tx.context.settings.strangers != StrangerPolicy::Join {
        return answers::answer_member_or_visitor(tx, letter, &to, &Notice::Said(words), None);
    }
    words.extend(list_joinable_games(tx, &to)?);
    let (lines, hour) = (visitor_button_lines(tx, &to)?, current_unix_hour(tx.context));
    let notice = Notice::offering(words, lines);
    answers::answer_member_or_visitor(
        tx,
        letter,
        &to,
        &notice,
        Some(ReplyAction::ContinueVisit { hour }),
    )
}

/// Answers with these sentences and the list of games, within the rate limit of `account`. A reply
/// continues the conversation that began in the hour `since`, or begins one.
fn answer_with_games(
    tx: &Transaction<'_>,
    from: ClubLetter<'_>,
    (mut words, since): (Vec<Message>, Option<u32>),
    account: RateAccount,
) -> ClubResult<LetterEffect> {
    let to = from.writer_as_reader(tx.context);
    answers::answer_within_limit(tx, from.letter, (&to, account), || {
        words.extend(list_joinable_games(tx, &to)?);
        let action = ReplyAction::ContinueVisit {
            hour: since.unwrap_or_else(|| current_unix_hour(tx.context)),
        };
        Ok((Notice::offering(words, visitor_button_lines(tx, &to)?), Some(action)))
    })
}

fn club_introduction_messages(context: &Context) -> Vec<Message> {
    let hello = Message::new("visitor-hello").with("club", context.settings.name.as_str());
    vec![hello, Message::new("visitor-how")]
}

/// Returns the list of open games for a non-member, and the words they can write. The names of
/// players are shown only to members.
fn list_joinable_games(tx: &Transaction<'_>, reader: &Member) -> ClubResult<Vec<Message>> {
    let open = list_open_games(tx, reader)?;
    let first = open.first().map(|(game, _)| *game);
    let mut words =
        vec![Message::new(if open.is_empty() { "visitor-none" } else { "games-formed" })];
    let entry = |(game, room): &(u32, GameInfo)| {
        Some(describe_joinable_game(tx.context, (*game, room), room.proposal.as_ref()?, reader))
    };
    words.extend(open.iter().filter_map(entry));
    words.extend(first.map(|game| Message::new("visitor-join").with("number", game)));
    words.push(Message::new("visitor-club"));
    let moderator = tx.context.settings.moderators.first.address.as_str();
    words.push(Message::new("visitor-words").with("moderator", moderator));
    Ok(words)
}

/// Returns the lines for which the letter shows buttons: joining an open game or the club, and
/// help.
fn visitor_button_lines(tx: &Transaction<'_>, reader: &Member) -> ClubResult<Vec<Arg>> {
    let open = list_open_games(tx, reader)?;
    let join = open.iter().take(JOIN_BUTTONS_MAX).map(|(game, _)| game_list::join_game_line(*game));
    Ok(join.chain([Arg::Term("line-join-club"), Arg::Term("line-help")]).collect())
}

/// Returns the forming games with a free seat that this reader may see, at most
/// [`GAMES_SHOWN_MAX`].
fn list_open_games(tx: &Transaction<'_>, reader: &Member) -> ClubResult<Vec<(u32, GameInfo)>> {
    let mut all = proposals::list_proposals(tx)?;
    let is_open =
        |room: &GameInfo| room.proposal.as_ref().is_some_and(|own| own.free_seat_count() > 0);
    all.retain(|(_, room)| is_open(room) && room.is_visible_to(reader));
    all.truncate(GAMES_SHOWN_MAX);
    Ok(all)
}

fn describe_joinable_game(
    context: &Context,
    (game, room): (u32, &GameInfo),
    proposal: &Proposal,
    reader: &Member,
) -> Message {
    let mut said = vec![Arg::from(game_list::describe_proposal(context, proposal, game, reader))];
    said.extend(room.private.then(|| Arg::from(Message::new("games-private"))));
    Message::new("visitor-entry").with("said", Arg::List(said))
}

fn current_unix_hour(context: &Context) -> u32 {
    u32::try_from(context.now.timestamp().div_euclid(HOUR_SECONDS)).unwrap_or(0)
}
