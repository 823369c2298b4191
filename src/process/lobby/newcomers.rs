//! Newcomers: people who are not members yet and want to play, because they were invited or because
//! they wrote `join 12`.
//!
//! A single letter makes no one a member, because its sender may be forged. The club asks the
//! address first, and only its reader can answer with the reply token.

use crate::club::{
    ClubCommand, Consent, Doubts, LobbyCommand, Member, NewcomerRequest, ParsedLetter,
    PlayerWishes, StrangerPolicy, clean_name, contains_web_address, name_from_local_part,
};
use crate::mail::rate_limit::WEEK_SECONDS;
use crate::mail::{
    Letter, LetterHash, Mailbox, OrderLimitExceeded, ReplyAction, fold_line, written_lines,
};
use crate::process::context::{ClubResult, Context};
use crate::process::lobby::game_founding::Player;
use crate::process::lobby::invitations::{self, MODERATOR_ID};
use crate::process::lobby::visitors::{self, ClubLetter};
use crate::process::lobby::{
    game_founding, game_list, name_check, proposals, substitute, vacant_seats,
};
use crate::process::outbound::answers::{self, consent_notice, consent_question, unix_day_of};
use crate::process::request_error::{RequestError, refuse_if, split_refusal};
use crate::process::transaction::Transaction;
use crate::process::transaction::effect::LetterEffect;
use crate::process::transaction::rate_account::RateAccount;
use crate::render::Notice;
use crate::rules::{Arg, Message};
use crate::store::{Repository, SeenLetter};

/// Decides the effect of a stranger's letter that asks to join a forming game to which they were
/// invited. Returns `None` for any other letter.
pub(crate) fn handle_invited_stranger(
    tx: &Transaction<'_>,
    from: ClubLetter<'_>,
) -> ClubResult<Option<LetterEffect>> {
    let Some(game) = from.request.as_ref().ok().and_then(find_game_to_join) else {
        return Ok(None);
    };
    let room = tx.game_info(game)?;
    if !room.has_invited(&[from.address.to_owned()]) || room.proposal.is_none() {
        return Ok(None);
    }
    let account = invitations::choose_answer_account(tx, from, RateAccount::for_invited_or_proven)?;
    ask_to_confirm_joining(tx, from, Some(game), account).map(Some)
}

/// Asks a non-member by letter to confirm that they want to join a game, or the club if `game` is
/// `None`.
pub(crate) fn ask_to_confirm_joining(
    tx: &Transaction<'_>,
    from: ClubLetter<'_>,
    game: Option<u32>,
    account: RateAccount,
) -> ClubResult<LetterEffect> {
    let to = from.writer_as_reader(tx.context);
    answers::answer_within_limit(tx, from.letter, (&to, account), || {
        let (club, day) = (tx.context.settings.name.as_str(), unix_day_of(tx.context.now));
        let proposal =
            game.map(|game| tx.game_info(game)).transpose()?.and_then(|room| room.proposal);
        let (action, words) = match (game, proposal) {
            (Some(game), Some(proposal)) => {
                let said = game_list::describe_proposal(tx.context, &proposal, game, &to);
                let how = consent_question("newcomer-how").with("number", game);
                let confirm = Message::new("newcomer-confirm").with("club", club);
                let side = game_founding::describe_side_choice(
                    tx.context.games(),
                    &proposal,
                    "newcomer-how-side",
                    game,
                );
                let words = [confirm, said, how].into_iter().chain(side).collect();
                (ReplyAction::JoinGame { game, day }, words)
            }
            _ => {
                let confirm = Message::new("club-confirm").with("club", club);
                (ReplyAction::JoinClub { day }, vec![confirm, consent_question("club-how")])
            }
        };
        let words = words.into_iter().chain([Message::new("refusal-how")]).collect();
        Ok((consent_notice(words), Some(action)))
    })
}

/// Decides the effect of a newcomer's reply to the question whether they want to become a member.
/// `game` is the game that they join at the same time.
pub(crate) fn handle_join_confirmation(
    tx: &mut Transaction<'_>,
    from: ClubLetter<'_>,
    (action, game): (ReplyAction, Option<u32>),
) -> ClubResult<LetterEffect> {
    let say = |word: Message| Notice::Said(vec![word]);
    let ClubLetter { letter, address, .. } = from;
    let to = from.writer_as_reader(tx.context);
    if let Some(used) = refusal_if_action_used(tx, action, address)? {
        return answers::answer_member_or_visitor(tx, letter, &to, &say(used), None);
    }
    let Some((Consent { name }, wishes)) = find_consent_to_join(tx, from, &to.language, game)?
    else {
        return handle_reply_without_consent(tx, from, (action, game));
    };
    // A newcomer who cannot join the game does not become a member either.
    if let Some(why) = game.map(|game| join_refusal(tx, game, address)).transpose()?.flatten() {
        return visitors::refuse_joining(tx, from, why);
    }
    let name = match split_refusal(choose_newcomer_name(tx, from, &name))? {
        Ok(name) => name,
        // The question carries the same token again, so asking for another name does not extend the
        // time for an answer.
        Err(why) => {
            return answers::answer_member_or_visitor(
                tx,
                letter,
                &to,
                &say(consent_question(why)),
                Some(action),
            );
        }
    };
    let member = enrol_newcomer(tx, (action, &to.language), name, address)?;
    record_action_use(tx, action, address);
    let mut words = vec![
        Message::new("newcomer-welcome")
            .with("club", tx.context.settings.name.as_str())
            .with("name", member.name.as_str()),
    ];
    words.extend(describe_language_choice(tx.context, &member));
    words.extend(match game {
        Some(game) => match split_refusal(proposals::join_game(tx, &member, game, wishes))? {
            Ok(joined) => joined,
            Err(why) => vec![why],
        },
        None => game_list::list_games(tx, &member)?,
    });
    let lines = game_list::member_button_lines(tx, &member)?;
    answers::answer_member(tx, letter, &member, &Notice::offering(words, lines))
}

/// Adds a newcomer who has agreed by letter as a member.
///
/// In an open club, anyone can become a member, also with many addresses that invite each other. So
/// a newcomer whom the moderator has not invited may send only a few invitations until they have
/// finished a turn.
fn enrol_newcomer(
    tx: &mut Transaction<'_>,
    (action, language): (ReplyAction, &str),
    name: String,
    address: &str,
) -> ClubResult<Member> {
    let [_, asked] = RateAccount::for_invitation(MODERATOR_ID, address);
    let since = tx.context.now.timestamp() - WEEK_SECONDS;
    let by_moderator = matches!(action, ReplyAction::JoinClub { .. })
        && tx.count_events_since(&asked.store_key(), since)? > 0;
    let is_new = tx.member_by_address(address)?.is_none();
    let player = Player { name, address: address.to_owned() };
    let mut member = substitute::find_or_enrol_member_with_language(tx, &player, language)?;
    member.has_answered = true;
    let is_open = tx.context.settings.strangers == StrangerPolicy::Join;
    if is_new && is_open && !by_moderator {
        member.invitations_left = Some(invitations::remaining_newcomer_invitations(tx, address)?);
    }
    tx.update_member(member.clone());
    invitations::forget_invitee(tx, address)?;
    Ok(member)
}

/// Returns the sentence about the member's language and how to change it, or `None` if the club has
/// only one language.
fn describe_language_choice(context: &Context, member: &Member) -> Option<Message> {
    let others = context.library.language_tags().filter(|tag| *tag != member.language);
    let lines: Vec<Arg> = others.map(|tag| Arg::from(format!("\"language {tag}\""))).collect();
    let said = Message::new("newcomer-language").with("language", member.language.as_str());
    (!lines.is_empty()).then(|| said.with("lines", Arg::List(lines)))
}

/// Decides the effect of a newcomer's reply that holds no consent. The reply may ask for something
/// else.
fn handle_reply_without_consent(
    tx: &Transaction<'_>,
    from: ClubLetter<'_>,
    (action, game): (ReplyAction, Option<u32>),
) -> ClubResult<LetterEffect> {
    let wish = from.parse_newcomer_request(tx.context, &[]);
    let is_other = match wish {
        NewcomerRequest::Join(other) => Some(other) != game,
        NewcomerRequest::JoinClub => game.is_some(),
        NewcomerRequest::Games => true,
        NewcomerRequest::Help | NewcomerRequest::Other => false,
    };
    if is_other && tx.context.settings.strangers == StrangerPolicy::Join {
        return visitors::handle_visitor_reply(tx, from, wish, None);
    }
    let mut words = vec![consent_question("newcomer-unread")];
    words.extend((wish == NewcomerRequest::Help).then(|| Message::new("visitor-how")));
    // The repeated question carries the same token, so an answer without a yes does not extend the
    // time for an answer.
    let to = from.writer_as_reader(tx.context);
    answers::answer_member_or_visitor(tx, from.letter, &to, &consent_notice(words), Some(action))
}

/// Decides the effect of a member's reply to an invitation. Returns `None` if the reply is about
/// something else.
pub(crate) fn handle_invitation_answer(
    tx: &mut Transaction<'_>,
    from: ClubLetter<'_>,
    (action, game): (ReplyAction, u32),
    member: &Member,
) -> ClubResult<Option<LetterEffect>> {
    let ClubLetter { letter, request: asked, .. } = from;
    let is_prose = |request: &ParsedLetter| {
        let mut lines = request.lines.iter();
        request.questions.is_empty() && lines.all(|line| line.parsed_command.is_none())
    };
    let consent = find_consent_to_join(tx, from, &member.language, Some(game))?;
    let Some((_, wishes)) = consent else {
        if !asked.as_ref().is_ok_and(is_prose) {
            return Ok(None);
        }
        let again = vec![consent_question("lobby-invited-unread").with("number", game)];
        return answers::answer_idle_letter(tx, letter, member, &consent_notice(again)).map(Some);
    };
    let said = if let Some(used) = refusal_if_action_used(tx, action, &member.id.to_string())? {
        vec![used]
    } else if action.has_expired(unix_day_of(tx.context.now)) {
        vec![Message::new("errand-stale"), Message::new("lobby-how-join").with("number", game)]
    } else {
        let joined = split_refusal(tx.run_in_savepoint(|upon| {
            match upon.game_info(game)?.proposal {
                Some(_) => proposals::join_game(upon, member, game, wishes),
                // Without a forming game, the letter answers an offer of a seat in a running game.
                None => vacant_seats::accept_offer(upon, member, game)?.ok_or_else(|| {
                    RequestError::Refused(Message::new("lobby-begun").with("number", game))
                }),
            }
        }))?;
        if joined.is_ok() {
            record_action_use(tx, action, &member.id.to_string());
        }
        joined.unwrap_or_else(|why| vec![why])
    };
    answers::answer_member(tx, letter, member, &Notice::Said(said)).map(Some)
}

/// Returns the consent in a person's answer to the question whether they want to join the club or
/// this forming game, and their wishes. A line such as `side east` below the consent is a wish.
pub(crate) fn find_consent_to_join(
    tx: &Transaction<'_>,
    from: ClubLetter<'_>,
    language: &str,
    game: Option<u32>,
) -> ClubResult<Option<(Consent, PlayerWishes)>> {
    let wish = game.map(|game| find_side_wish(tx, game, from.request)).transpose()?.flatten();
    let (line, side) = wish.unzip();
    let consent = find_consent_beside_line(tx.context, from.letter, language, line);
    Ok(consent.map(|consent| (consent, PlayerWishes { seat: None, side })))
}

/// Returns the wish for a side of the board in an answer, and the number of its line. `None` if no
/// line names a side of this forming game.
fn find_side_wish(
    tx: &Transaction<'_>,
    game: u32,
    request: &Result<ParsedLetter, OrderLimitExceeded>,
) -> ClubResult<Option<(u32, String)>> {
    let (Ok(request), Some(proposal)) = (request, tx.game_info(game)?.proposal) else {
        return Ok(None);
    };
    let orders = request.lines.iter().map(|line| &line.order);
    Ok(orders.filter(|order| !request.is_quoted(order.number)).find_map(|order| {
        let line = order.text_to_parse().to_lowercase();
        let words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        match words.collect::<Vec<_>>().as_slice() {
            ["side", side] if game_founding::accepts_side(tx.context.games(), &proposal, side) => {
                Some((order.number, (*side).to_owned()))
            }
            _ => None,
        }
    }))
}

/// Returns the refusal if this person has already used this reply action. Each consent counts once.
fn refusal_if_action_used(
    tx: &Transaction<'_>,
    action: ReplyAction,
    who: &str,
) -> ClubResult<Option<Message>> {
    let seen = tx.letter_outcome(action_use_key(action, who).as_bytes())?;
    Ok(seen.map(|_| Message::new("errand-used")))
}

fn record_action_use(tx: &mut Transaction<'_>, action: ReplyAction, who: &str) {
    tx.mark_as_processed(action_use_key(action, who), SeenLetter::mark(tx.context.now));
}

/// Returns the key under which the store remembers that this person has used a reply action.
fn action_use_key(action: ReplyAction, who: &str) -> LetterHash {
    LetterHash::compute(format!("{action} {who}").as_bytes())
}

/// Returns the name of a newcomer: the name that they gave, or else the name in their letter, in
/// the moderator's invitation, or in their address. A name that resembles a member's is refused, so
/// no one can pose as another member. The refusal does not say which name it resembles.
fn choose_newcomer_name(
    tx: &Transaction<'_>,
    ClubLetter { letter, address, .. }: ClubLetter<'_>,
    given: &str,
) -> Result<String, RequestError<&'static str>> {
    // A member keeps their name.
    if let Some(member) = tx.member_by_address(address)? {
        return Ok(member.name);
    }
    refuse_if(contains_web_address(given), || "newcomer-called")?;
    // Some mail programs send the address as the name.
    let from = letter.from.first().map(|from| from.name.as_str()).unwrap_or_default();
    let from = Some(from).filter(|from| !contains_web_address(from)).unwrap_or_default();
    let local = name_from_local_part(address.split('@').next().unwrap_or_default());
    let invited = invitations::find_invitee_name(tx, address)?.unwrap_or_default();
    let names = [given, from, &invited, &local].map(sanitize_name);
    let mut seen = names.into_iter().filter(|name| name.contains(char::is_alphanumeric));
    let Some(name) = seen.next() else { return Err(RequestError::Refused("newcomer-nameless")) };
    let free = name_check::can_take_name(tx, &name, (address, None))?;
    free.then_some(name).ok_or(RequestError::Refused("newcomer-called"))
}

/// Returns why a non-member at this address cannot join a game now, or `None` if they can. A
/// private game without an invitation is refused like a game that does not exist.
pub(crate) fn join_refusal(
    tx: &Transaction<'_>,
    game: u32,
    address: &str,
) -> ClubResult<Option<Message>> {
    let room = tx.game_info(game)?;
    let invited = room.has_invited(&[address.to_owned()]);
    let key = match &room.proposal {
        Some(_) if room.private && !invited => "newcomer-none",
        Some(_) => return Ok(None),
        None if room.private && !invited => "newcomer-none",
        None if tx.seat_assignments(game)?.is_empty() => "newcomer-none",
        None => "lobby-begun",
    };
    Ok(Some(Message::new(key).with("number", game)))
}

/// Removes invisible characters from a name, and characters that could make it look like something
/// else.
pub(crate) fn sanitize_name(name: &str) -> String {
    let plain = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '.');
    clean_name(&name.chars().filter(plain).collect::<String>())
}

fn find_game_to_join(request: &ParsedLetter) -> Option<u32> {
    request.lines.iter().find_map(|line| match line.parsed_command.as_ref()?.command.as_ref() {
        Ok(ClubCommand::Lobby(LobbyCommand::Join { game, .. })) => Some(*game),
        _ => None,
    })
}

/// Returns the consent in an answer to a letter in this language, or `None` if there is none, if
/// the sender doubts it in the same letter, or if a program wrote the answer. The answer may use
/// the consent words of that language, of its own language, of the club's language, or English, and
/// may be signed with the sender's name.
pub(crate) fn find_consent(context: &Context, letter: &Letter, language: &str) -> Option<Consent> {
    find_consent_beside_line(context, letter, language, None)
}

/// Like [`find_consent`], but ignores the line with this number below the consent.
fn find_consent_beside_line(
    context: &Context,
    letter: &Letter,
    language: &str,
    ignored: Option<u32>,
) -> Option<Consent> {
    if letter.automatic.is_some() {
        return None;
    }
    let markers: Vec<&str> = context.reply_markers.iter().map(String::as_str).collect();
    let mut lines: Vec<(u32, String)> = written_lines(&letter.body, &markers)
        .into_iter()
        .map(|(number, line)| (number, fold_line(line)))
        .skip_while(|(_, line)| line.is_empty())
        .collect();
    let mut below = lines.iter_mut().skip(1);
    if let Some((_, line)) = below.find(|(number, _)| Some(*number) == ignored) {
        line.clear();
    }
    let lines = lines.iter().map(|(number, line)| (*number, line.as_str()));
    let mut words = context.library.consent_words(language);
    let others = answers::possible_consent_languages(context, letter);
    words.extend(others.iter().flat_map(|tag| context.library.consent_words(tag)));
    let own_names = |from: &Mailbox| {
        let local = from.address.split('@').next().unwrap_or_default();
        fold_line(&format!("{} {local}", from.name))
    };
    let signature = letter.from.first().map(own_names).unwrap_or_default();
    let doubts: Vec<&Doubts> = context.library.doubts().collect();
    Consent::parse(lines, &words, &doubts, &signature)
}
