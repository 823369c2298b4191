//! Letters that are not about a game: from members, and from newcomers or new addresses that
//! confirm something.

use crate::club::clock::{OwnTime, describe_moment};
use crate::club::{Member, ParsedLetter, Question, StrangerPolicy, help_sentence_keys};
use crate::mail::rate_limit::DAY_SECONDS;
use crate::mail::settings::SenderProof;
use crate::mail::{Letter, LetterHash, OrderLimitExceeded, ReplyAction};
use crate::process::commit::missed_news;
use crate::process::context::{ClubResult, Context};
use crate::process::inbound::effects::{Effects, LetterWriter};
use crate::process::inbound::intents::IntentFinder;
use crate::process::inbound::{intake, stop_requests};
use crate::process::lobby::members::{self, MemberRefusal};
use crate::process::lobby::visitors::{self, ClubLetter};
use crate::process::lobby::{invitations, newcomers, proposals};
use crate::process::outbound::answers::{self, consent_notice, consent_question, unix_day_of};
use crate::process::outbound::offered_lines::asked_commands;
use crate::process::outbound::pending;
use crate::process::request_error::{RequestError, refuse_if, split_refusal};
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::process::transaction::effect::{Answer, Disposition, LetterEffect};
use crate::process::transaction::rate_account::RateAccount;
use crate::render::Notice;
use crate::rules::{Arg, Message, Refusal, excerpt};
use crate::store::{OutgoingLetter, Repository};
use crate::table::{LetterRefusal, OrderLine};

/// The most addresses that a member may add per day.
const ADDRESSES_PER_DAY: usize = 3;

/// Decides the effect of a reply to a letter that is not about a game, by the action of its reply
/// token. Replies with the moderator's token are decided in `moderator_lines`.
pub(crate) fn handle_reply_action(
    tx: &mut Transaction<'_>,
    from: ClubLetter<'_>,
    action: ReplyAction,
) -> ClubResult<LetterEffect> {
    let ClubLetter { letter, request: asked, .. } = from;
    match action {
        ReplyAction::Unsubscribe { member, what } => {
            return stop_requests::handle_unsubscribe(tx, from, (member, what));
        }
        ReplyAction::RefuseMail { .. } => {
            invitations::store_opt_out(tx, action)?;
            return Ok(answers::unanswered_effect(tx.context, letter));
        }
        _ => {}
    }
    if let Some(effect) = stop_requests::handle_refusal_of_letters(tx, from, action)? {
        return Ok(effect);
    }
    if let Some(seen) = tx.letter_outcome(letter.hash.as_bytes())? {
        let word = Message::new("letter-repeated")
            .with("at", describe_moment(seen.at, &OwnTime::default()));
        let to = from.writer_as_reader(tx.context);
        return answers::answer_member_or_visitor(tx, letter, &to, &Notice::Said(vec![word]), None);
    }
    if let Some(member) = find_sender_member(tx, from, action)? {
        missed_news::mark_sender_reachable(tx, letter, member.id, true)?;
        return handle_member_letter(tx, letter, &member, asked);
    }
    let confirms = !matches!(action, ReplyAction::AcceptInvitation { .. });
    if confirms && action.has_expired(unix_day_of(tx.context.now)) {
        let notice = Notice::Said(vec![Message::new("errand-stale")]);
        return answers::answer_member_or_visitor(
            tx,
            letter,
            &from.writer_as_reader(tx.context),
            &notice,
            None,
        );
    }
    dispatch_reply_action(tx, from, action)
}

/// Lets the module of an action decide the effect of a reply that was sent for the first time.
fn dispatch_reply_action(
    tx: &mut Transaction<'_>,
    from: ClubLetter<'_>,
    action: ReplyAction,
) -> ClubResult<LetterEffect> {
    let letter = from.letter;
    match action {
        ReplyAction::SpeakAsMember(id) | ReplyAction::AcceptInvitation { member: id, .. } => {
            missed_news::mark_sender_reachable(tx, letter, id, true)?;
            match tx.member(id)?.filter(|member| !member.has_left()) {
                Some(member) => handle_member_or_invitee(tx, from, action, &member),
                None => Ok(LetterEffect::with_disposition(Disposition::Done)),
            }
        }
        ReplyAction::ConfirmAddress { member, .. } => {
            handle_address_answer(tx, from, (action, member))
        }
        ReplyAction::JoinGame { game, .. } => {
            newcomers::handle_join_confirmation(tx, from, (action, Some(game)))
        }
        ReplyAction::JoinClub { .. } => {
            newcomers::handle_join_confirmation(tx, from, (action, None))
        }
        ReplyAction::ContinueVisit { hour }
            if tx.context.settings.strangers == StrangerPolicy::Join =>
        {
            let wish = visitors::parse_newcomer_request_in_reply(tx, from)?;
            visitors::handle_visitor_reply(tx, from, wish, Some(hour))
        }
        // The club no longer accepts strangers.
        ReplyAction::ContinueVisit { .. } => intake::answer_stranger(tx, from),
        // `moderator_lines` handles the moderator's letters, and `handle_reply_action` the requests
        // to stop letters.
        ReplyAction::SpeakAsModerator
        | ReplyAction::Unsubscribe { .. }
        | ReplyAction::RefuseMail { .. } => Ok(LetterEffect::with_disposition(Disposition::Done)),
    }
}

/// Returns the member who sent this reply to a letter from before they joined. Returns `None` if
/// the reply consents to the question of that letter, because it then counts as consent.
///
/// The address alone identifies the member, because the token was sent to it. If the club requires
/// DMARC, the sender must also be proven by DMARC.
fn find_sender_member(
    tx: &Transaction<'_>,
    from: ClubLetter<'_>,
    action: ReplyAction,
) -> ClubResult<Option<Member>> {
    let language = &tx.context.settings.language;
    let agrees = |game| newcomers::find_consent_to_join(tx, from, language, game);
    let asks = match action {
        ReplyAction::ContinueVisit { .. } => false,
        ReplyAction::JoinGame { game, .. } => agrees(Some(game))?.is_some(),
        ReplyAction::JoinClub { .. } => agrees(None)?.is_some(),
        _ => true,
    };
    let needs_proof = tx.context.settings.admission == SenderProof::TokenSenderAndDmarc;
    if asks || needs_proof && !from.is_sender_proven(tx.context) {
        return Ok(None);
    }
    Ok(tx.member_by_address(from.address)?)
}

/// Decides the effect of a member's letter that is not about a game. It may accept the invitation
/// that it answers.
fn handle_member_or_invitee(
    tx: &mut Transaction<'_>,
    from: ClubLetter<'_>,
    action: ReplyAction,
    member: &Member,
) -> ClubResult<LetterEffect> {
    if let ReplyAction::AcceptInvitation { game, .. } = action
        && let Some(effect) = newcomers::handle_invitation_answer(tx, from, (action, game), member)?
    {
        return Ok(effect);
    }
    handle_member_letter(tx, from.letter, member, from.request)
}

/// Decides the effect of a member's letter that is not about a game: lobby commands, settings and
/// questions. A line that is none of these refuses the whole letter.
pub(crate) fn handle_member_letter(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    member: &Member,
    request: &Result<ParsedLetter, OrderLimitExceeded>,
) -> ClubResult<LetterEffect> {
    if let Ok(request) = request
        && let Some(effect) = proposals::handle_lobby_line(tx, letter, member, None, request)?
    {
        return Ok(effect);
    }
    let tx = &*tx;
    let answer = |member: &Member, words: Vec<Message>| {
        answers::answer_member(tx, letter, member, &Notice::Said(words))
    };
    let request = match intake::require_readable(letter, request) {
        Ok(request) => request,
        Err(why) => {
            let unread = Notice::Said(vec![intake::unread_message(why)]);
            return answers::answer_idle_letter(tx, letter, member, &unread);
        }
    };
    let refuse = |words: Vec<Message>| {
        answers::answer_refused_letter(tx, letter, member, request, &Notice::Said(words))
    };
    let effects = match split_refusal(Effects::judge_lines(
        tx,
        &LetterWriter { member, seat: None },
        &request.lines,
    ))? {
        Ok(effects) => effects,
        Err(refused) => return refuse(refusal_messages(&refused)),
    };
    let asked =
        answer_member_questions(effects.member.as_ref().unwrap_or(member), &request.questions);
    let finder = IntentFinder::for_member(tx.context, member);
    let answers_only_questions = effects.words.is_empty() && !asked.is_empty();
    let unread = match effects.orders.first() {
        Some(_) if answers_only_questions => finder.name_lines(&effects.orders),
        Some(line) => {
            let notice = unknown_line_notice(tx.context, member, letter, line, &effects.orders);
            return answers::answer_refused_letter(tx, letter, member, request, &notice);
        }
        None => Vec::new(),
    };
    let words = effects.words.iter().cloned().chain(finder.adapt_to_no_game(unread)).chain(asked);
    let words: Vec<Message> = words.collect();
    if words.is_empty() {
        let games = intake::running_game_titles(tx, member)?;
        return answers::answer_idle_letter(tx, letter, member, &Notice::NoGame { games });
    }
    let mut effect = answer(member, words)?;
    queue_address_confirmations(tx, member, &effects.addresses_to_confirm, letter, &mut effect)?;
    effect.member = effects.member;
    Ok(effect)
}

/// Returns the refusal of a letter that is not about a game because of this line. It offers the
/// commands that the letter's lines ask for.
fn unknown_line_notice(
    context: &Context,
    member: &Member,
    letter: &Letter,
    line: &OrderLine,
    lines: &[OrderLine],
) -> Notice {
    let finder = IntentFinder::for_member(context, member);
    let word = Message::new("errand-line-unknown")
        .with("number", line.number)
        .with("line", excerpt(&line.text));
    let offers =
        finder.adapt_to_no_game(finder.offers(lines.iter().map(|line| line.text.as_str())));
    let buttons: Vec<Arg> = asked_commands(&offers).cloned().collect();
    let hint = finder.letter_language_hint(context, letter).filter(|hint| !offers.contains(hint));
    let moderators = &context.settings.moderators;
    let moderates = member.addresses.iter().any(|own| moderators.find_by_address(own).is_some());
    let more = moderates.then(|| Message::new("errand-moderator"));
    let help = [Message::new("errand-help")];
    let words = [word].into_iter().chain(offers).chain(help).chain(more).chain(hint).collect();
    match buttons.is_empty() {
        true => Notice::Said(words),
        false => Notice::offering(words, buttons),
    }
}

/// Checks that a member may add these addresses: at most [`ADDRESSES_PER_DAY`], and only addresses
/// that may be sent a confirmation question now. The limits keep members from mailing strangers or
/// flooding a mailbox through the club.
///
/// # Errors
/// The refusal if the member may not add them.
pub(crate) fn check_can_add_addresses(
    tx: &Transaction<'_>,
    member: &Member,
    addresses: &[String],
) -> Result<(), RequestError<LetterRefusal>> {
    if addresses.is_empty() {
        return Ok(());
    }
    let refused = |why| LetterRefusal { line: None, refusal: Refusal::illegal(why) };
    let since = tx.context.now.timestamp() - DAY_SECONDS;
    let asked = tx.count_events_since(&address_count_key(member), since)?;
    let too_many = || refused(Message::new("address-many").with("most", ADDRESSES_PER_DAY));
    refuse_if(asked + addresses.len() > ADDRESSES_PER_DAY, too_many)?;
    let mut asked: Vec<String> = Vec::new();
    for address in addresses {
        let account = RateAccount::for_address_question(member.id, address);
        let is_again = asked.contains(&account.store_key());
        asked.push(account.store_key());
        let room = !is_again && answers::are_within_limits(tx, &[account])?;
        let asked = build_address_question(tx.context, member, address, &LetterHash::compute(&[]))
            .filter(|_| room);
        let spent = || refused(Message::new("address-spent").with("address", address.as_str()));
        refuse_if(asked.is_none(), spent)?;
    }
    Ok(())
}

/// Queues the letters that ask whether these addresses belong to the member. An address whose owner
/// refuses letters, or was asked too often, gets none. The member must not find that out, so the
/// answer to the member is unchanged.
pub(crate) fn queue_address_confirmations(
    tx: &Transaction<'_>,
    member: &Member,
    addresses: &[String],
    letter: &Letter,
    effect: &mut LetterEffect,
) -> ClubResult<()> {
    for address in addresses {
        effect.counted_keys.push(address_count_key(member));
        effect.counted_keys.push(RateAccount::for_address_question(member.id, address).store_key());
        if !invitations::can_write_to_nonmember(tx, member.id, address)? {
            continue;
        }
        let [account, part] = RateAccount::for_letter_caused_by_member(member.id, address);
        effect.counted_keys.push(part.store_key());
        let letter = build_address_question(
            tx.context,
            member,
            address,
            &letter.hash.derive_for_caused_letter(address),
        );
        effect.other_letters.extend(letter.map(|letter| Answer {
            letter,
            account,
            updated_seat: None,
        }));
    }
    Ok(())
}

/// Returns the letter that asks an address whether it belongs to the member, or `None` if the
/// address is invalid.
fn build_address_question(
    context: &Context,
    member: &Member,
    address: &str,
    digest: &LetterHash,
) -> Option<OutgoingLetter> {
    let words = vec![
        consent_question("address-confirm")
            .with("club", context.settings.name.as_str())
            .with("name", member.name.as_str()),
        Message::new("refusal-how"),
    ];
    let to = member_as_reader_at(context, member, address);
    let action = ReplyAction::ConfirmAddress { member: member.id, day: unix_day_of(context.now) };
    pending::make_notice_letter(context, &to, &consent_notice(words), Some(action), digest, None)
        .ok()
}

fn member_as_reader_at(context: &Context, member: &Member, address: &str) -> Member {
    let Member { language, token_generation: generation, address_changes: moves, .. } =
        member.clone();
    Member {
        language,
        token_generation: generation,
        address_changes: moves,
        ..reader::nonmember_as_reader(context, address)
    }
}

/// Decides the effect of an address's reply to the question whether it belongs to this member. A
/// yes adds the address as the member's first.
fn handle_address_answer(
    tx: &mut Transaction<'_>,
    ClubLetter { letter, address, .. }: ClubLetter<'_>,
    (action, member): (ReplyAction, u32),
) -> ClubResult<LetterEffect> {
    let before = tx.member(member)?.filter(|member| !member.has_left());
    let Some(before) = before else { return Ok(LetterEffect::with_disposition(Disposition::Done)) };
    let to = member_as_reader_at(tx.context, &before, address);
    if newcomers::find_consent(tx.context, letter, &before.language).is_none() {
        let notice = consent_notice(vec![consent_question("address-no-yes")]);
        // The repeated question carries the same token, so an answer without a yes does not extend
        // the time for an answer.
        return answers::answer_member_or_visitor(tx, letter, &to, &notice, Some(action));
    }
    let taken = |word| Notice::Said(vec![Message::new(word).with("address", address)]);
    let added = split_refusal(members::with_address(tx, before.clone(), address, true))?;
    let (mut member, other) = match added {
        Ok(member) => (member, before.addresses.first().cloned()),
        Err(MemberRefusal::Taken { .. }) => {
            return answers::answer_member_or_visitor(
                tx,
                letter,
                &to,
                &taken("address-taken"),
                None,
            );
        }
        Err(_) => return Ok(LetterEffect::with_disposition(Disposition::Done)),
    };
    member.has_answered = true;
    let member = missed_news::mark_reachable_and_schedule_news(tx, member, &letter.hash)?;
    let mut effect = answers::answer_member(tx, letter, &member, &taken("address-kept"))?;
    // The member's previous first address is told too, in case another person has made the change.
    if let Some(other) = other.filter(|other| other != address) {
        let to = Member { addresses: vec![other.clone()], ..member.clone() };
        let digest = letter.hash.derive_for_caused_letter(&other);
        let letter = pending::make_notice_letter(
            tx.context,
            &to,
            &taken("address-moved"),
            None,
            &digest,
            None,
        )
        .ok();
        let account = RateAccount::Answers(member.id);
        let answer = |letter| Answer { letter, account, updated_seat: None };
        effect.other_letters.extend(letter.map(answer));
    }
    effect.member = Some(member);
    Ok(effect)
}

/// Returns the key under which the store counts the addresses that a member adds. Other counters
/// use addresses as keys, so this key contains no @.
fn address_count_key(member: &Member) -> String {
    format!("addresses of {}", member.id)
}

fn answer_member_questions(member: &Member, commands: &[Question]) -> Vec<Message> {
    let answer = |command: &Question| match command {
        Question::Settings => member.describe_settings(),
        Question::Help => {
            let keys = help_sentence_keys("errand-").into_iter();
            let all = ["errand-card"].into_iter().chain(keys).chain(["errand-card-game"]);
            all.map(Message::new).collect()
        }
        _ => Vec::new(),
    };
    commands.iter().flat_map(answer).collect()
}

/// Returns the sentences of a refusal: the refused line, the reason, and what the sender could
/// write instead.
pub(crate) fn refusal_messages(refused: &LetterRefusal) -> Vec<Message> {
    let line = refused.line.as_ref().map(OrderLine::quote_for_refusal);
    let refusal = &refused.refusal;
    line.into_iter().chain([refusal.reason.clone()]).chain(refusal.alternatives.clone()).collect()
}
