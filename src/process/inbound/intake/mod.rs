//! The intake of letters: parses a letter, extracts the lines that a person wrote, and adds the
//! letter's effect to the transaction.
//!
//! Parsing does not read the club's store, so letters can be parsed in parallel. A letter that
//! looks automatic only by its subject is read if it holds an order, because a lost order is worse
//! than an answer to a program. A bounce counts as evidence about a mailbox.

mod seat_lines;

pub(crate) use seat_lines::classify_seat_line;

use crate::club::press::{
    LineClass, PressError, PressMessage, PressParser, begins_with_say_or_tell,
};
use crate::club::{
    BOUNCE_WINDOW, GameName, Lexicons, Member, ModeratorCommand, ParsedLetter, ReachabilityEvent,
    Translator, classify_line, parse_translated_lines,
};
use crate::mail::rate_limit::RateDecision;
use crate::mail::{
    AdmissionVerdict, Authenticator, Bounce, FailedRecipient, FailureCause, Letter, LetterError,
    NoReplyReason, OrderLimitExceeded, OrderLines, PendingLetter, ReplyAction, TokenPosition,
    WrittenLine, find_first_quoted_header, first_quoted_line, split_order_lines, strip_invisible,
    written_lines,
};
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::delivery::probes;
use crate::process::game_faults::catch_game_fault;
use crate::process::inbound::intents::IntentFinder;
use crate::process::lobby::invitations;
use crate::process::lobby::visitors::ClubLetter;
use crate::process::outbound::answers;
use crate::process::outbound::merging::BUNDLE_ID_PREFIX;
use crate::process::session::game_time::{self, restore_last_seen_records};
use crate::process::session::reader::ClubDirectory;
use crate::process::table::news::has_token_or_address;
use crate::process::table::{game_changes, voting};
use crate::process::transaction::Transaction;
use crate::process::transaction::effect::{Answer, Disposition, LetterEffect};
use crate::process::transaction::rate_account::RateAccount;
use crate::render::Notice;
use crate::rules::{Message, Seat, Turn};
use crate::store::{PostRecord, Repository};
use crate::table::{OrderLine, SentenceReader};

/// Returns the authenticator that checks the senders and reply tokens of letters to this club.
pub(crate) fn build_authenticator(context: &Context) -> Authenticator<'_> {
    Authenticator {
        secret: &context.secret,
        address: &context.settings.address,
        required_proof: context.settings.admission,
        authserv_id: context.settings.authserv_id.as_deref().unwrap_or_default(),
        moderators: context.settings.moderators.iter().map(|one| &*one.address).collect(),
    }
}

/// Returns the seat, member or action of a letter's reply token. Does not check the letter's
/// sender.
pub(crate) fn resolve_reply_token(
    tx: &Transaction<'_>,
    letter: &Letter,
) -> ClubResult<Option<AdmissionVerdict>> {
    build_authenticator(tx.context).find_token_owner(letter, &ClubDirectory(tx))
}

/// Returns the titles of the running games that a member plays.
pub(crate) fn running_game_titles(
    tx: &Transaction<'_>,
    member: &Member,
) -> ClubResult<Vec<String>> {
    let mut games = Vec::new();
    for (game, seat) in tx.member_seats(member.id)? {
        if let Ok(session) = tx.begin_savepoint().open_game(game)
            && session.seat(seat).is_some_and(|(seated, _)| !seated.has_left)
            && session.table.turn() != Turn::Over
        {
            let language = tx.context.library.language(&member.language);
            let name = tx.game_info(game)?.name;
            let name = name.as_ref().map(GameName::as_str);
            games.push(language.game_title(session.table.founding(), name));
        }
    }
    Ok(games)
}

pub(crate) fn answer_stranger(
    tx: &Transaction<'_>,
    from: ClubLetter<'_>,
) -> ClubResult<LetterEffect> {
    let letter = from.letter;
    let mut effect = answers::unanswered_effect(tx.context, letter);
    let account = invitations::choose_answer_account(tx, from, RateAccount::for_stranger)?;
    if answers::decide_answer_within_limit(tx, &account)? == RateDecision::Answer {
        let stranger = from.writer_as_reader(tx.context);
        let moderator = tx.context.settings.moderators.first.address.clone();
        let notice = Notice::Stranger { moderator };
        let answer = |letter| Answer { letter, account, updated_seat: None };
        effect.answer =
            answers::make_notice_reply(tx.context, &stranger, &notice, letter).map(answer);
    }
    Ok(effect)
}

/// Returns the parsed request of a letter. Refuses a reply to a bundle (one letter about several
/// games) that has lines between the quoted ones, because each line may be meant for any of the
/// games.
pub(crate) fn refuse_reply_to_bundle<'a>(
    context: &Context,
    letter: &Letter,
    request: &'a ParsedLetter,
) -> Result<&'a ParsedLetter, Message> {
    let end = format!("@{}", context.settings.address_host());
    let is_bundle = |id: &String| id.starts_with(BUNDLE_ID_PREFIX) && id.ends_with(&end);
    if !letter.references.iter().any(is_bundle) {
        return Ok(request);
    }
    let first = first_quoted_line(&letter.body).unwrap_or(u32::MAX);
    let orders = request.lines.iter().map(|line| line.order.number);
    let press = request.press.messages.iter().map(|press| press.number);
    match orders.chain(press).find(|number| *number > first) {
        Some(number) => Err(Message::new("unread-between").with("number", number)),
        None => Ok(request),
    }
}

/// Adds the effect of a letter to the transaction, including its vote and its undo.
///
/// # Errors
/// When the game fails during the vote. The transaction must then be dropped.
pub(crate) fn apply_letter_effect(
    tx: &mut Transaction<'_>,
    file: PendingLetter,
    effect: LetterEffect,
) -> ClubResult<()> {
    let moved = effect.moved_game.as_ref();
    let around = moved.map(|moved| {
        (moved.table.founding().number, moved.seat, moved.undone_to, moved.ballot.clone())
    });
    tx.apply_effect(file, effect);
    let Some((game, seat, undone, ballot)) = around else { return Ok(()) };
    if let Some(to) = undone {
        game_changes::end_rewind_votes_and_later_plans(tx, game, seat, to)?;
    }
    if let Some(ballot) = ballot
        && let Err(why) =
            catch_game_fault(|| voting::count_ballot_or_open_vote(tx, game, seat, &ballot))?
    {
        return Err(ClubError::GameFailed { game, why });
    }
    Ok(())
}

/// Returns the effect of a bounce. Returns `None` if the letter is no bounce, or reports a letter
/// that the club has not sent.
pub(crate) fn process_bounce(
    tx: &mut Transaction<'_>,
    letter: &Letter,
) -> ClubResult<Option<LetterEffect>> {
    let Some(bounce) = Bounce::from_letter(letter, &tx.context.settings.address) else {
        return Ok(None);
    };
    let Some((member, failed, posted)) = find_bounced_letter(tx, &bounce)? else { return Ok(None) };
    // A member may tell of a lost letter in the words of a mail server.
    if letter.may_be_personal()
        && letter.from.iter().any(|from| member.addresses.contains(&from.address))
    {
        return Ok(None);
    }
    let mut effect = LetterEffect::with_disposition(Disposition::Done);
    if tx.letter_outcome(letter.hash.as_bytes())?.is_some() {
        return Ok(Some(effect));
    }
    effect.seen_letter = Some(answers::seen_letter_entry(tx.context, letter, None, None));
    let kind = if failed.cause.is_hard_bounce() { "hard" } else { "soft" };
    effect.believed_bounce = Some(format!("{}: {kind} {}", failed.address, failed.status));
    // Only a member's first address gets letters, and a delayed letter may still arrive. So neither
    // counts as undeliverable.
    let is_written_to = member.addresses.first() == Some(&failed.address);
    if !is_written_to || failed.cause == FailureCause::Delayed {
        return Ok(Some(effect));
    }
    effect.report = game_time::record_and_report_policy_refusal(tx, member.id, &failed)?;
    restore_last_seen_records(tx, member.id, &posted.letter.shown_seats)?;
    let event = match posted.letter.probe {
        true => ReachabilityEvent::ProbeReturned { posted: posted.at },
        false => ReachabilityEvent::Report { hard: failed.cause.is_hard_bounce() },
    };
    let word = probes::apply_reachability_event(tx, &member, event, &failed)?;
    effect.report = word.or(effect.report);
    Ok(Some(effect))
}

/// Returns the member whose letter bounced, the recipient that failed, and the record of the sent
/// letter.
fn find_bounced_letter(
    tx: &Transaction<'_>,
    bounce: &Bounce,
) -> ClubResult<Option<(Member, FailedRecipient, PostRecord)>> {
    for id in &bounce.message_ids {
        let Some((member, posted)) = find_posted_letter(tx, id)? else { continue };
        let mut own = member.addresses.iter();
        let failed = own.find_map(|own| bounce.failed.iter().find(|f| f.address == *own)).cloned();
        if let Some(failed) = failed {
            return Ok(Some((member, failed, posted)));
        }
    }
    Ok(None)
}

/// Returns the record of the letter with this Message-ID and its member, if the letter was sent
/// within [`BOUNCE_WINDOW`].
fn find_posted_letter(tx: &Transaction<'_>, id: &str) -> ClubResult<Option<(Member, PostRecord)>> {
    let posted = tx.post_record(id, tx.context.now - BOUNCE_WINDOW, tx.context.now)?;
    let Some(posted) = posted else { return Ok(None) };
    let member = posted.letter.member.map(|id| tx.member(id)).transpose()?.flatten();
    Ok(member.filter(|member| !member.has_left()).map(|member| (member, posted)))
}

/// Returns the member whose mailbox sent this automatic reply (such as a vacation notice) to a
/// letter of the club. The reply must come from one of their addresses. It must name the Message-ID
/// of that letter or carry its reply token.
pub(crate) fn find_autoreply_sender(
    tx: &Transaction<'_>,
    letter: &Letter,
) -> ClubResult<Option<u32>> {
    use NoReplyReason::{AutoSubmitted, Bulk, Notice, NullSender, Unwanted};
    let is_reply =
        matches!(letter.automatic, Some(AutoSubmitted | Bulk | Notice | NullSender | Unwanted));
    let [sender] = letter.from.as_slice() else { return Ok(None) };
    if !is_reply || letter.from_headers != 1 {
        return Ok(None);
    }
    let is_senders = |member: &Member| member.addresses.contains(&sender.address);
    for id in &letter.references {
        if let Some((member, _)) =
            find_posted_letter(tx, id)?.filter(|(member, _)| is_senders(member))
        {
            return Ok(Some(member.id));
        }
    }
    let id = match resolve_reply_token(tx, letter)? {
        Some(AdmissionVerdict::Player(position)) => {
            let seats = tx.seat_assignments(position.game)?;
            seats.get(Seat::new(position.seat).index()).map(|seated| seated.member)
        }
        Some(AdmissionVerdict::Action {
            action:
                ReplyAction::SpeakAsMember(id) | ReplyAction::AcceptInvitation { member: id, .. },
            ..
        }) => Some(id),
        _ => None,
    };
    let member = id.map(|id| tx.member(id)).transpose()?.flatten();
    Ok(member.filter(is_senders).map(|member| member.id))
}

/// Ignores a letter that a program seems to have written, unless it holds an order. Returns
/// `admitted` unchanged otherwise.
pub(crate) fn ignore_automatic_without_order(
    tx: &mut Transaction<'_>,
    opened: &OpenedLetter,
    admitted: AdmissionVerdict,
) -> AdmissionVerdict {
    let Some(automatic) = &opened.letter.automatic else { return admitted };
    let orders = match &admitted {
        AdmissionVerdict::Player(position) => has_order_or_message(tx, opened, *position),
        // The reply token alone says what to stop, so the letter needs no order.
        AdmissionVerdict::Action {
            action: ReplyAction::Unsubscribe { .. } | ReplyAction::RefuseMail { .. },
            ..
        } => {
            return admitted;
        }
        AdmissionVerdict::Action { action: ReplyAction::SpeakAsModerator, address } => {
            has_club_line_where(tx, opened, address, |line| ModeratorCommand::parse(line).is_ok())
        }
        AdmissionVerdict::Action { address, .. } => {
            has_club_line_where(tx, opened, address, |line| {
                classify_line(tx.context.games(), line) == LineClass::Order
            })
        }
        _ => return admitted,
    };
    if orders { admitted } else { AdmissionVerdict::Ignored(automatic.to_message()) }
}

/// Whether a letter of a seat holds an order or a message to other players.
fn has_order_or_message(
    tx: &mut Transaction<'_>,
    opened: &OpenedLetter,
    position: TokenPosition,
) -> bool {
    let Ok(asked) = parse_seat_request(tx, opened, position) else { return false };
    // The moderator is told elsewhere of a game that cannot be opened.
    let games = tx.context.games();
    let Ok(session) = tx.open_game(position.game) else { return true };
    let seat = Seat::new(position.seat);
    let is_order =
        |line: &str| classify_seat_line(games, (&session.table, seat), line) == LineClass::Order;
    !asked.press.messages.is_empty()
        || asked.lines.iter().any(|line| is_order(line.order.text_to_parse()))
}

/// Whether a letter that is not about a game has a line for which `is_order` is `true`.
fn has_club_line_where(
    tx: &Transaction<'_>,
    opened: &OpenedLetter,
    address: &str,
    is_order: impl Fn(&str) -> bool,
) -> bool {
    parse_club_request(tx, opened, address)
        .is_ok_and(|asked| asked.lines.iter().any(|line| is_order(line.order.text_to_parse())))
}

/// A parsed letter with the lines that its sender wrote.
pub(crate) struct OpenedLetter {
    pub(crate) letter: Letter,
    /// The lines that the sender wrote, without quoted lines, each with its line number in the
    /// body.
    written: Vec<(u32, String)>,
}

impl OpenedLetter {
    /// Parses the bytes of a letter to this club. The bytes may be arbitrary.
    pub(crate) fn parse(context: &Context, bytes: &[u8]) -> Result<Self, LetterError> {
        Letter::parse(bytes).map(|letter| Self::from_letter(context, letter))
    }

    pub(crate) fn from_letter(context: &Context, letter: Letter) -> Self {
        let markers: Vec<&str> = context.reply_markers.iter().map(String::as_str).collect();
        let written = written_lines(&letter.body, &markers).into_iter();
        let written = written.map(|(number, line)| (number, line.to_owned())).collect();
        Self { letter, written }
    }

    pub(super) fn written_lines(&self) -> Vec<(u32, &str)> {
        self.written.iter().map(|(number, line)| (*number, line.as_str())).collect()
    }
}

/// Parses a letter that is not about a game, in English or in the language of the member with this
/// address.
pub(crate) fn parse_club_request(
    tx: &Transaction<'_>,
    opened: &OpenedLetter,
    address: &str,
) -> Result<ParsedLetter, OrderLimitExceeded> {
    let lexicons = answers::find_writer_lexicons(tx, &opened.letter, address);
    parse_club_request_with(tx.context, opened, lexicons)
}

/// Parses a letter that is not about a game. Its lines may be in English or in the words of
/// `lexicons`.
fn parse_club_request_with(
    context: &Context,
    opened: &OpenedLetter,
    lexicons: Option<&Lexicons>,
) -> Result<ParsedLetter, OrderLimitExceeded> {
    let written = opened.written_lines();
    let translator = Translator { lexicons, ..Translator::english(context.games()) };
    let read = split_order_lines(&written, |_, _, _| false)?;
    let OrderLines { lines, .. } = IntentFinder::for_club(context).keep_requests(&translator, read);
    let ours = |line: &str| {
        let meant = translator.translate(line);
        let of_house =
            classify_line(context.games(), meant.as_deref().unwrap_or(line)) == LineClass::Order;
        of_house || ModeratorCommand::parse(line).is_ok()
    };
    let quoted = find_first_quoted_header(&written, ours);
    Ok(ParsedLetter {
        quoted_from: quoted,
        ..parse_lines(&opened.letter.body, &lines, None, &translator)
    })
}

/// Parses a letter of a seat: its questions, orders, club commands and press.
pub(crate) fn parse_seat_request(
    tx: &mut Transaction<'_>,
    opened: &OpenedLetter,
    position: TokenPosition,
) -> Result<ParsedLetter, OrderLimitExceeded> {
    let context = tx.context;
    // The moderator is told elsewhere of a game that cannot be opened.
    let Ok(session) = tx.open_game(position.game) else {
        return parse_club_request_with(context, opened, None);
    };
    let seat = Seat::new(position.seat);
    let member = session.seat(seat).map(|(_, member)| member);
    let lexicons = member.and_then(|member| context.library.lexicons(&member.language));
    let (table, words) = (&session.table, session.table.seat_vocabulary(seat));
    let reader = SentenceReader { table, seat, words: &words, is_own_name: &|_| false };
    let rank = |line: &str| seat_lines::rank_seat_line(context.games(), &reader, line);
    let kind = Some(table.founding().game.as_str());
    let translator = Translator { lexicons, kind, rank_line: Some(&rank), games: context.games() };
    let judge = |line: &str| {
        let meant = translator.translate(line);
        classify_seat_line(context.games(), (table, seat), meant.as_deref().unwrap_or(line))
    };
    let says =
        |line: &str| begins_with_say_or_tell(line) || translator.translate_opening(line).is_some();
    let ours = |line: &str| says(line) || judge(line) == LineClass::Order;
    let written = opened.written_lines();
    let quoted = find_first_quoted_header(&written, ours);
    let mut listener = PressParser::new(&session.names, seat, &judge, translator);
    listener.quoted_from = quoted;
    let read = split_order_lines(&written, |number, line, folded| {
        listener.read_line(number, &strip_invisible(line), folded)
    })?;
    let OrderLines { lines, greeting, after_closing: beside } =
        IntentFinder::for_club(context).keep_requests(&translator, read);
    let request =
        parse_lines(&opened.letter.body, &lines, table.record_before_last_turn(), &translator);
    let beside = beside.into_iter().map(|WrittenLine { number, text }| {
        let english = translator.translate(&text).map(String::into_boxed_str);
        OrderLine { english, ..OrderLine::new(number, text) }
    });
    let mut talk = listener.finish();
    let private = talk.messages.iter().find(|press| has_token_or_address(&press.text));
    if let Some(PressMessage { number, line, .. }) = private {
        let why = Message::new("talk-private");
        let wrong = PressError { number: *number, line: line.clone(), reason: why };
        talk.error.get_or_insert(wrong);
    }
    Ok(ParsedLetter {
        press: talk,
        quoted_from: quoted,
        greeting: greeting.map(|line| OrderLine::new(line.number, line.text)),
        below_closing: beside.collect(),
        ..request
    })
}

/// Parses the lines of a letter's body, each once. `turn_start` is the record to which the game
/// returns if a line asks to go back one turn.
fn parse_lines(
    body: &str,
    lines: &[WrittenLine],
    turn_start: Option<u32>,
    translator: &Translator<'_>,
) -> ParsedLetter {
    let body: Vec<&str> = body.lines().collect();
    let written = |number: u32| {
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        index.and_then(|index| body.get(index)).copied().unwrap_or_default()
    };
    let lines = lines.iter();
    let lines = lines.map(|line| (line.number, line.text.as_str(), written(line.number)));
    parse_translated_lines(lines, turn_start, translator)
}

/// Returns the parsed request of a letter.
///
/// # Errors
/// The reason if the letter cannot be read: it is encrypted, or exceeds a limit.
pub(crate) fn require_readable<'a>(
    letter: &Letter,
    request: &'a Result<ParsedLetter, OrderLimitExceeded>,
) -> Result<&'a ParsedLetter, Message> {
    if letter.is_encrypted {
        return Err(Message::new("unread-encrypted"));
    }
    request.as_ref().map_err(|too_much| match *too_much {
        OrderLimitExceeded::TooManyLines => Message::new("unread-too-many-lines"),
        OrderLimitExceeded::LongLine { number } => {
            Message::new("unread-long-line").with("number", number)
        }
    })
}

/// Returns the sentence that a letter was not read for this reason.
pub(crate) fn unread_message(why: Message) -> Message {
    Message::new("letter-unread").with("why", why)
}

#[cfg(test)]
mod tests;
