//! People who are no members yet and would play: invited, or strangers who wrote `join 12`.
//!
//! Nobody becomes a member by a letter that somebody else could have written: what goes to an
//! address can be answered only by who reads it there.

use crate::club::{
    Consent, Deed, LobbyLine, Member, Request, Strangers, Wish, clean_name, holds_web_address,
    name_of_local_part,
};
use crate::mail::rate_limit::WEEK;
use crate::mail::{Letter, LetterHash, ReplyAction, fold, written};
use crate::process::blame::{Blame, answered, refuse_if};
use crate::process::context::{ClubResult, Context};
use crate::process::lobby::found::Player;
use crate::process::lobby::unasked::{self, MODERATOR};
use crate::process::lobby::visitors::{self, Inquiry};
use crate::process::lobby::{forming, game_list, name_check, substitute, vacant_seats};
use crate::process::outbound::answers::{self, asking, consenting, day};
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::effect::LetterEffect;
use crate::render::Notice;
use crate::rules::{Arg, Message};
use crate::store::{Repository, SeenLetter};

/// What a stranger's letter leads to who would join a game that he was invited to; none when it is
/// nothing of the kind.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn of_invited_stranger(
    tx: &Transaction<'_>,
    from: Inquiry<'_>,
) -> ClubResult<Option<LetterEffect>> {
    let Some(game) = from.asked.as_ref().ok().and_then(game_to_join) else { return Ok(None) };
    let room = tx.room(game)?;
    if !room.has_invited(&[from.address.to_owned()]) || room.proposal.is_none() {
        return Ok(None);
    }
    let account = unasked::account_of_answer(tx, from, Account::known)?;
    ask(tx, from, Some(game), account).map(Some)
}

/// Asks who is no member and would join a game, or the club alone, whether that is so.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn ask(
    tx: &Transaction<'_>,
    from: Inquiry<'_>,
    game: Option<u32>,
    account: Account,
) -> ClubResult<LetterEffect> {
    let to = from.writer(tx.context);
    answers::if_left(tx, from.letter, (&to, account), || {
        let (club, day) = (tx.context.settings.name.as_str(), day(tx.context.now));
        let proposal = game.map(|game| tx.room(game)).transpose()?.and_then(|room| room.proposal);
        let (action, words) = match (game, proposal) {
            (Some(game), Some(proposal)) => {
                let said = game_list::said_of(tx.context, &proposal, game, &to);
                let how = asking("newcomer-how").with("number", game);
                let confirm = Message::new("newcomer-confirm").with("club", club);
                (ReplyAction::Join { game, day }, vec![confirm, said, how])
            }
            _ => {
                let confirm = Message::new("club-confirm").with("club", club);
                (ReplyAction::Club { day }, vec![confirm, asking("club-how")])
            }
        };
        let words = words.into_iter().chain([Message::new("refusal-how")]).collect();
        Ok((consenting(words), Some(action)))
    })
}

/// The answer from an address to the letter that asked whether its reader would be a member: to
/// play this game, or without one.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn of_newcomer(
    tx: &mut Transaction<'_>,
    from: Inquiry<'_>,
    (action, game): (ReplyAction, Option<u32>),
) -> ClubResult<LetterEffect> {
    let say = |word: Message| Notice::Said(vec![word]);
    let Inquiry { letter, address, .. } = from;
    let to = from.writer(tx.context);
    if let Some(used) = used(tx, action, address)? {
        return answers::to_anybody(tx, letter, &to, &say(used), None);
    }
    let Some(Consent { name }) = consent_in(tx.context, letter, &to.language) else {
        return without_consent(tx, from, (action, game));
    };
    // Who cannot join does not become a member by it either.
    if let Some(why) = game.map(|game| shut(tx, game, address)).transpose()?.flatten() {
        return visitors::cannot(tx, from, why);
    }
    let name = match answered(name_of_newcomer(tx, from, &name))? {
        Ok(name) => name,
        // The same mark again: what is not answered with a yes is not asked for longer by it.
        Err(why) => {
            return answers::to_anybody(tx, letter, &to, &say(asking(why)), Some(action));
        }
    };
    let member = enrol_newcomer(tx, (action, &to.language), name, address)?;
    use_up(tx, action, address);
    let mut words = vec![
        Message::new("newcomer-welcome")
            .with("club", tx.context.settings.name.as_str())
            .with("name", member.name.as_str()),
    ];
    words.extend(of_language(tx.context, &member));
    words.extend(match game {
        Some(game) => match answered(forming::join(tx, &member, game, None))? {
            Ok(joined) => joined,
            Err(why) => vec![why],
        },
        None => game_list::game_list(tx, &member)?,
    });
    let lines = game_list::lines(tx, &member)?;
    answers::to_known(tx, letter, &member, &Notice::Offering { words, lines })
}

/// Makes somebody a member who has agreed by letter. In an open club anybody can get that far, also
/// with many addresses that invite each other. So a newcomer whom the moderator has not asked may
/// invite a few people only, until they have finished a turn.
fn enrol_newcomer(
    tx: &mut Transaction<'_>,
    (action, language): (ReplyAction, &str),
    name: String,
    address: &str,
) -> ClubResult<Member> {
    let [_, asked] = Account::invitation(MODERATOR, address);
    let since = tx.context.now.timestamp() - WEEK;
    let by_moderator =
        matches!(action, ReplyAction::Club { .. }) && tx.count_since(&asked.key(), since)? > 0;
    let is_new = tx.member_by_address(address)?.is_none();
    let player = Player { name, address: address.to_owned() };
    let mut member = substitute::enrol_reading(tx, &player, language)?;
    member.has_answered = true;
    let is_open = tx.context.settings.strangers == Strangers::Join;
    if is_new && is_open && !by_moderator {
        member.invitations_left = Some(unasked::left_for_newcomer(tx, address)?);
    }
    tx.change(member.clone());
    Ok(member)
}

/// In which language a member is written to, and the lines that change it; nothing where there is
/// one language only.
fn of_language(context: &Context, member: &Member) -> Option<Message> {
    let others = context.library.tags().filter(|tag| *tag != member.language);
    let lines: Vec<Arg> = others.map(|tag| Arg::from(format!("\"language {tag}\""))).collect();
    let said = Message::new("newcomer-language").with("language", member.language.as_str());
    (!lines.is_empty()).then(|| said.with("lines", Arg::List(lines)))
}

/// What an answer leads to that does not agree: it may ask something else.
fn without_consent(
    tx: &Transaction<'_>,
    from: Inquiry<'_>,
    (action, game): (ReplyAction, Option<u32>),
) -> ClubResult<LetterEffect> {
    let wish = from.wish(tx.context, &[]);
    let is_other = match wish {
        Wish::Join(other) => Some(other) != game,
        Wish::JoinClub => game.is_some(),
        Wish::Games => true,
        Wish::Help | Wish::Talk => false,
    };
    if is_other && tx.context.settings.strangers == Strangers::Join {
        return visitors::of_visitor(tx, from, wish, None);
    }
    let mut words = vec![asking("newcomer-unread")];
    words.extend((wish == Wish::Help).then(|| Message::new("visitor-how")));
    // The same mark again: what is not answered with a yes is not asked for longer by it.
    let to = from.writer(tx.context);
    answers::to_anybody(tx, from.letter, &to, &consenting(words), Some(action))
}

/// What a member's answer to an invitation leads to, if it agrees; none when it says something
/// else.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn of_invited_member(
    tx: &mut Transaction<'_>,
    Inquiry { letter, asked, .. }: Inquiry<'_>,
    (action, game): (ReplyAction, u32),
    member: &Member,
) -> ClubResult<Option<LetterEffect>> {
    let is_prose = |request: &Request| {
        let mut lines = request.lines.iter();
        request.commands.is_empty() && lines.all(|line| line.what.is_none())
    };
    let said = if consent_in(tx.context, letter, &member.language).is_none() {
        if !asked.as_ref().is_ok_and(is_prose) {
            return Ok(None);
        }
        let again = vec![asking("lobby-invited-unread").with("number", game)];
        return answers::to_idle(tx, letter, member, &consenting(again)).map(Some);
    } else if let Some(used) = used(tx, action, &member.id.to_string())? {
        vec![used]
    } else if action.is_stale(day(tx.context.now)) {
        vec![Message::new("errand-stale"), Message::new("lobby-how-join").with("number", game)]
    } else {
        let joined = answered(tx.in_savepoint(|upon| {
            match upon.room(game)?.proposal {
                Some(_) => forming::join(upon, member, game, None),
                // An invitation agrees to begin a game, and an offer of a seat to go on with one.
                None => vacant_seats::accept(upon, member, game)?
                    .ok_or_else(|| Blame::Theirs(Message::new("lobby-begun").with("number", game))),
            }
        }))?;
        if joined.is_ok() {
            use_up(tx, action, &member.id.to_string());
        }
        joined.unwrap_or_else(|why| vec![why])
    };
    answers::to_known(tx, letter, member, &Notice::Said(said)).map(Some)
}

/// What is said to who answers with a reply action that was used by the same before.
fn used(tx: &Transaction<'_>, action: ReplyAction, who: &str) -> ClubResult<Option<Message>> {
    let seen = tx.seen_letter(use_of(action, who).bytes())?;
    Ok(seen.map(|_| Message::new("errand-used")))
}

/// Notes that a reply action was used: it counts once.
fn use_up(tx: &mut Transaction<'_>, action: ReplyAction, who: &str) {
    tx.remember(use_of(action, who), SeenLetter { at: tx.context.now, game: None, seq: None });
}

/// By what it is known again that a reply action was used.
fn use_of(action: ReplyAction, who: &str) -> LetterHash {
    LetterHash::of(format!("{action} {who}").as_bytes())
}

/// How a newcomer is called who gives this name, or none: then as his letters call him. Nobody
/// shall be taken for somebody else; the key of what he is told whose name will not do is the
/// same whomever it is like.
fn name_of_newcomer(
    tx: &Transaction<'_>,
    Inquiry { letter, address, .. }: Inquiry<'_>,
    given: &str,
) -> Result<String, Blame<&'static str>> {
    // Who has a name here keeps it.
    if let Some(member) = tx.member_by_address(address)? {
        return Ok(member.name);
    }
    refuse_if(holds_web_address(given), || "newcomer-called")?;
    // Some programs give the address for a name.
    let from = letter.from.first().map(|from| from.name.as_str()).unwrap_or_default();
    let from = Some(from).filter(|from| !holds_web_address(from)).unwrap_or_default();
    let local = name_of_local_part(address.split('@').next().unwrap_or_default());
    let names = [given, from, &local].map(plain_name);
    let mut seen = names.into_iter().filter(|name| name.contains(char::is_alphanumeric));
    let Some(name) = seen.next() else { return Err(Blame::Theirs("newcomer-nameless")) };
    let free = name_check::is_free_name(tx, &name, (address, None))?;
    free.then_some(name).ok_or(Blame::Theirs("newcomer-called"))
}

/// Why nobody at this address can join a game now who is no member. Of a game that he may not know
/// of he is told what he is told of one that there is not.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn shut(tx: &Transaction<'_>, game: u32, address: &str) -> ClubResult<Option<Message>> {
    let room = tx.room(game)?;
    let invited = room.has_invited(&[address.to_owned()]);
    let key = match &room.proposal {
        Some(_) if room.private && !invited => "newcomer-none",
        Some(_) => return Ok(None),
        None if room.private && !invited => "newcomer-none",
        None if tx.seats(game)?.is_empty() => "newcomer-none",
        None => "lobby-begun",
    };
    Ok(Some(Message::new(key).with("number", game)))
}

/// A name without anything that is not seen, or that could be taken for something else.
pub(crate) fn plain_name(name: &str) -> String {
    let plain = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '.');
    clean_name(&name.chars().filter(plain).collect::<String>())
}

/// The game that a letter's only line would join.
fn game_to_join(request: &Request) -> Option<u32> {
    request.lines.iter().find_map(|line| match line.what.as_ref()?.deed.as_ref() {
        Ok(Deed::Lobby(LobbyLine::Join { game, .. })) => Some(*game),
        _ => None,
    })
}

/// The consent in an answer to a letter in this language; none when there is none in it. The words
/// are its, those of the language that the answer is in, or the club's, and English ones.
pub(crate) fn consent_in(context: &Context, letter: &Letter, language: &str) -> Option<Consent> {
    let markers: Vec<&str> = context.markers.iter().map(String::as_str).collect();
    let lines: Vec<(u32, String)> = written(&letter.body, &markers)
        .into_iter()
        .map(|(number, line)| (number, fold(line)))
        .collect();
    let lines = lines.iter().map(|(number, line)| (*number, line.as_str()));
    let mut words = context.library.consent_words(language);
    let others = answers::languages_of(context, letter);
    words.extend(others.iter().flat_map(|tag| context.library.consent_words(tag)));
    Consent::read(lines, &words)
}
