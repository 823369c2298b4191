//! The intake of letters: bytes into a letter and the lines that its writer wrote, without those
//! that programs wrote; and the taking in of what a letter leads to.
//!
//! A letter is opened without asking the club anything, so letters can be opened side by side. A
//! letter that only by its subject seems to be a program's is read if it has an order, because to
//! lose an order is worse than to answer a program. A bounce is evidence about a mailbox.

use crate::club::press::{Listener, Press, Reads, WrongTalk, says_something};
use crate::club::{
    ALL_RIGHT, COMES_BACK_WITHIN, Event, GameName, Lexicons, Member, ModeratorCommand, Request,
    Translator, house_line, read_translated,
};
use crate::mail::rate_limit::RateLimit;
use crate::mail::{
    Admitted, Authenticator, Automatic, Bounce, Cause, Failed, Letter, OrderLines, Position,
    ReplyAction, TooMuch, Unreadable, Waiting, WrittenLine, first_quoted, order_lines_besides,
    quoted_headers, visible, written,
};
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::delivery::probes;
use crate::process::isolate::isolate;
use crate::process::lobby::unasked;
use crate::process::lobby::visitors::Inquiry;
use crate::process::outbound::answers;
use crate::process::outbound::queue::ID_START;
use crate::process::session::clock::{self, untell};
use crate::process::session::reader::ClubDirectory;
use crate::process::table::news::is_private;
use crate::process::table::{game_changes, voting};
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::effect::{Answer, Disposition, LetterEffect};
use crate::render::Notice;
use crate::rules::{Dice, Message, RefusalKind, Seat, Seed, Turn};
use crate::store::{Posted, Repository};
use crate::table::{Choice, OrderLine, Table, Words};

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

/// Returns the seat, member or action of the letter's reply token, without a check of the sender.
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
        game_changes::follow(tx, game, seat, to)?;
    }
    if let Some(ballot) = ballot
        && let Err(why) = isolate(|| voting::vote(tx, game, seat, &ballot))?
    {
        return Err(ClubError::GameFailed { game, why });
    }
    Ok(())
}

/// Returns what a mail server's report leads to; none if the letter is no report that is believed.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn bounced(
    tx: &mut Transaction<'_>,
    letter: &Letter,
) -> ClubResult<Option<LetterEffect>> {
    let Some(bounce) = Bounce::of(letter, &tx.context.settings.address) else { return Ok(None) };
    let Some((member, failed, posted)) = given_back(tx, &bounce)? else { return Ok(None) };
    let mut effect = LetterEffect::of(Disposition::Done);
    if tx.seen_letter(letter.digest.bytes())?.is_some() {
        return Ok(Some(effect));
    }
    effect.remembered = Some(answers::remembered(tx.context, letter, None, None));
    let kind = if failed.cause.is_hard() { "hard" } else { "soft" };
    effect.bounced = Some(format!("{}: {kind} {}", failed.address, failed.status));
    // Nothing is sent to the others of a member's addresses; what is late may come yet.
    let is_written_to = member.addresses.first() == Some(&failed.address);
    if !is_written_to || failed.cause == Cause::Late {
        return Ok(Some(effect));
    }
    effect.report = clock::refused_by_rule(tx, member.id, &failed)?;
    untell(tx, member.id, &posted.letter.told)?;
    let event = match posted.letter.probe {
        true => Event::ProbeReturned { posted: posted.at },
        false => Event::Report { hard: failed.cause.is_hard() },
    };
    let word = probes::observe(tx, &member, event, &failed)?;
    effect.report = word.or(effect.report);
    Ok(Some(effect))
}

/// The member whose letter a report gives back, the address of theirs that it says has failed, and
/// that letter.
fn given_back(
    tx: &Transaction<'_>,
    bounce: &Bounce,
) -> ClubResult<Option<(Member, Failed, Posted)>> {
    for id in &bounce.letters {
        let Some((member, posted)) = posted_to(tx, id)? else { continue };
        let mut own = member.addresses.iter();
        let failed = own.find_map(|own| bounce.failed.iter().find(|f| f.address == *own)).cloned();
        if let Some(failed) = failed {
            return Ok(Some((member, failed, posted)));
        }
    }
    Ok(None)
}

/// The member to whose first address the letter with this Message-ID was posted in the last days,
/// and that letter.
fn posted_to(tx: &Transaction<'_>, id: &str) -> ClubResult<Option<(Member, Posted)>> {
    let posted = tx.posted(id, tx.context.now - COMES_BACK_WITHIN, tx.context.now)?;
    let Some(posted) = posted else { return Ok(None) };
    let member = posted.letter.member.map(|id| tx.member(id)).transpose()?.flatten();
    Ok(member.filter(|member| !member.has_left()).map(|member| (member, posted)))
}

/// Returns the member whose mailbox sent this automatic reply to a letter of ours, such as a
/// vacation notice. The letter must come from one of their addresses, and must give back the
/// Message-ID or a valid reply token of that letter.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn replied_by_itself(tx: &Transaction<'_>, letter: &Letter) -> ClubResult<Option<u32>> {
    use Automatic::{AutoSubmitted, Bulk, Notice, NullSender, Unwanted};
    let is_reply =
        matches!(letter.automatic, Some(AutoSubmitted | Bulk | Notice | NullSender | Unwanted));
    let [sender] = letter.from.as_slice() else { return Ok(None) };
    if !is_reply || letter.from_headers != 1 {
        return Ok(None);
    }
    let is_senders = |member: &Member| member.addresses.contains(&sender.address);
    for id in &letter.references {
        if let Some((member, _)) = posted_to(tx, id)?.filter(|(member, _)| is_senders(member)) {
            return Ok(Some(member.id));
        }
    }
    let id = match undoubted(tx, letter)? {
        Some(Admitted::Player(position)) => {
            let seats = tx.seats(position.game)?;
            seats.get(Seat::new(position.seat).index()).map(|seated| seated.member)
        }
        Some(Admitted::Action {
            action: ReplyAction::Member(id) | ReplyAction::Invited { member: id, .. },
            ..
        }) => Some(id),
        _ => None,
    };
    let member = id.map(|id| tx.member(id)).transpose()?.flatten();
    Ok(member.filter(is_senders).map(|member| member.id))
}

/// What the door said, unless a program seems to have written the letter and no line of it is
/// an order.
pub(crate) fn unless_by_machine(
    tx: &mut Transaction<'_>,
    opened: &Opened,
    admitted: Admitted,
) -> Admitted {
    let Some(automatic) = &opened.letter.automatic else { return admitted };
    let orders = match &admitted {
        Admitted::Player(position) => orders_at(tx, opened, *position),
        // It says all by its mark.
        Admitted::Action {
            action: ReplyAction::Stop { .. } | ReplyAction::Refuse { .. }, ..
        } => {
            return admitted;
        }
        Admitted::Action { action: ReplyAction::Moderator, address } => {
            has_line(tx, opened, address, |line| ModeratorCommand::read(line).is_ok())
        }
        Admitted::Action { address, .. } => {
            has_line(tx, opened, address, |line| house_line(line) == Reads::Order)
        }
        _ => return admitted,
    };
    if orders { admitted } else { Admitted::Ignored(automatic.told()) }
}

/// Whether a letter for a position has an order in it, or says something to other players.
fn orders_at(tx: &mut Transaction<'_>, opened: &Opened, position: Position) -> bool {
    let Ok(asked) = asked_at(tx, opened, position) else { return false };
    // Of a game that cannot be opened the moderator hears elsewhere.
    let Ok(session) = tx.session(position.game) else { return true };
    let seat = Seat::new(position.seat);
    let is_order = |line: &str| reads(&session.table, seat, line) == Reads::Order;
    !asked.talk.press.is_empty() || asked.lines.iter().any(|line| is_order(line.order.meant()))
}

/// Whether a letter about no game has a line like this.
fn has_line(
    tx: &Transaction<'_>,
    opened: &Opened,
    address: &str,
    is_order: impl Fn(&str) -> bool,
) -> bool {
    asked(tx, opened, address)
        .is_ok_and(|asked| asked.lines.iter().any(|line| is_order(line.order.meant())))
}

/// A letter that was opened.
pub(crate) struct Opened {
    pub(crate) letter: Letter,
    /// The lines that its writer wrote, each with its number in the body.
    written: Vec<(u32, String)>,
}

impl Opened {
    /// Opens a letter to this club. Any bytes may come in.
    ///
    /// # Errors
    /// Why they are no letter that can be read.
    pub(crate) fn read(context: &Context, bytes: &[u8]) -> Result<Self, Unreadable> {
        Letter::read(bytes).map(|letter| Self::of(context, letter))
    }

    /// The same of a letter that was read.
    pub(crate) fn of(context: &Context, letter: Letter) -> Self {
        let markers: Vec<&str> = context.markers.iter().map(String::as_str).collect();
        let written = written(&letter.body, &markers).into_iter();
        let written = written.map(|(number, line)| (number, line.to_owned())).collect();
        Self { letter, written }
    }

    /// The lines that its writer wrote, each with its number in the body.
    pub(super) fn written(&self) -> Vec<(u32, &str)> {
        self.written.iter().map(|(number, line)| (*number, line.as_str())).collect()
    }
}

/// The questions and orders that a letter's writer wrote from this address.
pub(crate) fn asked(
    tx: &Transaction<'_>,
    opened: &Opened,
    address: &str,
) -> Result<Request, TooMuch> {
    in_words_of(opened, answers::lexicons(tx, &opened.letter, address))
}

/// The same, where these are the words in which he may have written.
fn in_words_of(opened: &Opened, lexicons: Option<&Lexicons>) -> Result<Request, TooMuch> {
    let written = opened.written();
    let OrderLines { lines, .. } = order_lines_besides(&written, |_, _, _| false)?;
    let translator = Translator { lexicons, ..Translator::ENGLISH };
    let ours = |line: &str| {
        let meant = translator.english(line);
        let of_house = house_line(meant.as_deref().unwrap_or(line)) == Reads::Order;
        of_house || ModeratorCommand::read(line).is_ok()
    };
    let quoted = quoted_headers(&written, ours);
    Ok(Request { quoted, ..read_lines(&opened.letter.body, &lines, None, &translator) })
}

/// The questions, the orders and the press that a letter's writer wrote to this position.
pub(crate) fn asked_at(
    tx: &mut Transaction<'_>,
    opened: &Opened,
    position: Position,
) -> Result<Request, TooMuch> {
    let context = tx.context;
    // Of a game that cannot be opened the moderator hears elsewhere.
    let Ok(session) = tx.session(position.game) else { return in_words_of(opened, None) };
    let seat = Seat::new(position.seat);
    let member = session.seat(seat).map(|(_, member)| member);
    let lexicons = member.and_then(|member| context.library.lexicons(&member.language));
    let (table, words) = (&session.table, session.table.words(seat));
    let rank = |line: &str| rank(table, seat, &words, line);
    let kind = Some(table.founding().game.as_str());
    let translator = Translator { lexicons, kind, rank: &rank };
    let judge = |line: &str| {
        let meant = translator.english(line);
        reads(table, seat, meant.as_deref().unwrap_or(line))
    };
    let says = |line: &str| says_something(line) || translator.led(line).is_some();
    let ours = |line: &str| says(line) || judge(line) == Reads::Order;
    let written = opened.written();
    let quoted = quoted_headers(&written, ours);
    let mut listener = Listener::new(&session.names, seat, &judge);
    (listener.translator, listener.quoted) = (translator, quoted);
    let OrderLines { lines, beside } = order_lines_besides(&written, |number, line, folded| {
        listener.takes(number, &visible(line), folded)
    })?;
    let request = read_lines(&opened.letter.body, &lines, table.before_last_turn(), &translator);
    let beside = beside.into_iter().map(|WrittenLine { number, text }| {
        let english = translator.english(&text).map(String::into_boxed_str);
        OrderLine { english, ..OrderLine::new(number, text) }
    });
    let mut talk = listener.heard();
    let private = talk.press.iter().find(|press| is_private(&press.text));
    if let Some(Press { number, line, .. }) = private {
        let why = Message::new("talk-private");
        let wrong = WrongTalk { number: *number, line: line.clone(), why };
        talk.wrong.get_or_insert(wrong);
    }
    Ok(Request { talk, quoted, beside: beside.collect(), ..request })
}

/// The lines of a letter's body that can be orders, each read once; `back` is the record to which
/// its game goes back that goes one turn back.
fn read_lines(
    body: &str,
    lines: &[WrittenLine],
    back: Option<u32>,
    translator: &Translator<'_>,
) -> Request {
    let body: Vec<&str> = body.lines().collect();
    let written = |number: u32| {
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        index.and_then(|index| body.get(index)).copied().unwrap_or_default()
    };
    let lines = lines.iter();
    let lines = lines.map(|line| (line.number, line.text.as_str(), written(line.number)));
    read_translated(lines, back, translator)
}

/// How much an English line of this seat is: what it could be carried out as, with what people
/// write around it, or nothing. `words` are the seat's own, once they are known.
fn rank(table: &Table, seat: Seat, words: &Words<'_>, line: &str) -> u8 {
    match reads(table, seat, line) {
        Reads::Order => ALL_RIGHT,
        other => {
            let worded = table.worded(words, seat, line).is_some();
            if worded { ALL_RIGHT - 1 } else { u8::from(other == Reads::LikeOrder) }
        }
    }
}

/// Why a letter with too much in it was not read.
pub(crate) fn unread(too_much: TooMuch) -> Message {
    match too_much {
        TooMuch::Lines => Message::new("unread-too-many-lines"),
        TooMuch::LongLine { number } => Message::new("unread-long-line").with("number", number),
    }
}

/// What a line is besides press. Whatever could be an order must not be told to others.
pub(crate) fn reads(table: &Table, seat: Seat, line: &str) -> Reads {
    let (house, game) = (house_line(line), table.game());
    if house != Reads::Prose {
        return house;
    }
    if Choice::read(line).is_some() {
        return Reads::Order;
    }
    match game.plan(seat, line) {
        Some(Ok(_)) => return Reads::Order,
        Some(Err(_)) => return Reads::LikeOrder,
        None => {}
    }
    match game.read(seat, line) {
        Err(refusal) if refusal.kind == RefusalKind::Foreign => return Reads::Prose,
        _ if table.turn() == Turn::Over => return Reads::LikeOrder,
        _ => {}
    }
    let mut dice = Dice::new(&Seed::new([0; 32]), 0);
    match game.copy().play(seat, line, &[], &mut dice) {
        Ok(_) => Reads::Order,
        Err(refusal) if refusal.kind == RefusalKind::Illegal => Reads::Order,
        Err(_) => Reads::LikeOrder,
    }
}

#[cfg(test)]
mod tests;
