//! Letters in quarantine: what lies there and why, and what becomes of it.
//!
//! A letter leaves in the commit that says what became of it; its file is moved only then. A file
//! whose move was cut short is moved when the next pass finds out, or the next look at quarantine.

use crate::club::{Happening, OnLetters};
use crate::mail::{
    Admitted, BYTES_MAX, Letter, MailFolder, Position, ReplyAction, Waiting, fold, without_tokens,
};
use crate::process::blame::Blame;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::inbound::intake::Opened;
use crate::process::inbound::{intake, member_letter, seat_letter};
use crate::process::lobby::visitors::Inquiry;
use crate::process::moderation::moderator;
use crate::process::moderation::overview::{LIST_MAX, more};
use crate::process::transaction::effect::{Disposition, LetterEffect};
use crate::process::transaction::{CLUB, Transaction};
use crate::render::Section;
use crate::rules::{Message, Refusal, Seat};

/// How many lines of a letter are shown.
const LINES_MAX: usize = 60;
/// How many characters of such a line.
const WIDTH_MAX: usize = 70;

/// A letter that lies in quarantine.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) file: Waiting,
    /// Why it lies there; none when the store does not know any more, after a restore.
    pub why: Option<Message>,
}

impl Held {
    /// The letter, or why it cannot be read. What is wrong with one file must keep nobody from the
    /// others.
    fn letter(&self) -> Result<Letter, Message> {
        let none = |why: Message| Message::new("letter-no-letter").with("why", why);
        let said = |error: std::io::Error| none(said_by_system(&self.file.name, &error));
        let bytes = self.file.read(BYTES_MAX).map_err(said)?;
        Letter::read(&bytes).map_err(|unreadable| none(unreadable.told()))
    }
}

fn said_by_system(file: &str, error: &std::io::Error) -> Message {
    Message::new("fault-file").with("path", file).with("what", error.to_string())
}

/// The letters that lie in quarantine, in the order in which they came.
///
/// # Errors
/// When the inbox or the store cannot be read.
pub(crate) fn held(context: &Context) -> ClubResult<Vec<Held>> {
    let mut held = Vec::new();
    let tx = Transaction::begin(context);
    for mut file in in_quarantine(context)? {
        let fate = tx.fate(&file.name)?;
        file.contents = fate.as_ref().and_then(|fate| fate.contents);
        let why = match fate.map(|fate| fate.disposition) {
            Some(Disposition::Done) => continue,
            Some(Disposition::Quarantined(why)) => Some(why),
            None => None,
        };
        held.push(Held { file, why });
    }
    Ok(held)
}

fn in_quarantine(context: &Context) -> ClubResult<Vec<Waiting>> {
    let inbox = context.inbox();
    let in_files = inbox.lying_in(MailFolder::Quarantine);
    let mut all = in_files.map_err(|error| ClubError::file(inbox.root(), error))?;
    if let Some(shared) = context.store.shared() {
        let held = shared.held()?.into_iter();
        all.extend(held.map(|letter| Waiting::elsewhere(letter.name, letter.received)));
    }
    Ok(all)
}

/// The same letter, with its bytes at hand. No more of those that are held are in memory at once.
fn at_hand(context: &Context, held: &Held) -> ClubResult<Held> {
    let shared = context.store.shared().filter(|_| held.file.is_elsewhere());
    let letter = shared.map(|shared| shared.held_letter(&held.file.name)).transpose()?.flatten();
    let file = letter.map_or_else(|| held.file.clone(), Waiting::from);
    Ok(Held { file, why: held.why.clone() })
}

/// Moves the files of letters that were let out of quarantine, where that was cut short.
///
/// # Errors
/// When the inbox or the store cannot be read, or a file cannot be moved.
pub(crate) fn tidy_quarantine(context: &Context) -> ClubResult<()> {
    let (tx, mut moves) = (Transaction::begin(context), Vec::new());
    for file in in_quarantine(context)? {
        if tx.fate(&file.name)?.is_some_and(|fate| fate.disposition == Disposition::Done) {
            moves.push((file, MailFolder::Done));
        }
    }
    let inbox = context.inbox();
    // What cannot be moved now stays there, and is moved with the next.
    inbox.put(&moves).map(drop).map_err(|error| ClubError::file(inbox.root(), error))
}

/// Does what the moderator asks for about letters in quarantine.
pub(crate) fn on_letters(
    tx: &mut Transaction<'_>,
    what: &OnLetters,
) -> Result<Section, Blame<Refusal>> {
    match what {
        OnLetters::List => Ok(list_of_held(tx.context, Message::new("letter-list"))?),
        OnLetters::Show(name) => Ok(show(tx.context, &find_held(tx, name)?)?),
        OnLetters::Reject { name, reason } => {
            let held = find_held(tx, name)?;
            let (name, reason) = (held.file.name.clone(), reason.clone());
            let judged = Happening::LetterJudged { name: name.clone(), accepted: false, reason };
            tx.log_activity(game_of(tx.context, &held)?, judged);
            tx.take(held.file, LetterEffect::of(Disposition::Done));
            Ok(Section::of(Message::new("letter-rejected").with("name", name)))
        }
        OnLetters::Accept { name, seat, reason } => {
            let held = find_held(tx, name)?;
            accept(tx, held, *seat, reason)
        }
    }
}

/// Lets a letter in, and says what it leads to.
fn accept(
    tx: &mut Transaction<'_>,
    held: Held,
    seat: Option<(u32, Seat)>,
    reason: &str,
) -> Result<Section, Blame<Refusal>> {
    let (game, effect) = let_in(tx, &held, seat)?;
    let said = match (&effect.disposition, &effect.moved) {
        (Disposition::Quarantined(why), _) => {
            let why = Message::new("letter-still-held").with("why", why.clone());
            return Err(Blame::Theirs(Refusal::illegal(why)));
        }
        (_, Some(moved)) if moved.acknowledged.carried_out => Message::new("letter-carried-out"),
        (_, Some(_)) => Message::new("letter-planned"),
        _ if effect.member.is_some() => Message::new("letter-carried-out"),
        _ => Message::new("letter-answered"),
    };
    let name = held.file.name.clone();
    let judged =
        Happening::LetterJudged { name: name.clone(), accepted: true, reason: reason.to_owned() };
    tx.log_activity(game, judged);
    if let Err(ClubError::GameFailed { why, .. }) = intake::take(tx, held.file, effect) {
        let why = Message::new("letter-still-held").with("why", why);
        return Err(Blame::Theirs(Refusal::illegal(why)));
    }
    Ok(Section::of(said.with("name", name)))
}

/// What a letter leads to when nobody doubts its sender, and the game that it is for. Its
/// answer goes to the member, whoever sent it.
fn let_in(
    tx: &mut Transaction<'_>,
    held: &Held,
    seat: Option<(u32, Seat)>,
) -> Result<(u32, LetterEffect), Blame> {
    let opened = Opened::of(tx.context, held.letter()?);
    let letter = &opened.letter;
    let is_of = |own: &Position| {
        seat.is_none_or(|(game, seat)| (own.game, own.seat) == (game, seat.number()))
    };
    let position = match (intake::undoubted(tx, letter)?, seat) {
        (Some(Admitted::Player(position)), _) if is_of(&position) => position,
        (Some(Admitted::Player(position)), _) => {
            let other = Message::new("letter-of-another").with("game", position.game);
            return Err(other.with("seat", position.seat).into());
        }
        (Some(Admitted::Action { action, address }), None) => {
            let asked = intake::asked(tx, &opened, &address);
            let effect = match action {
                ReplyAction::Moderator => moderator::of_moderator(tx, letter, &asked)?,
                action => {
                    let from = Inquiry { letter, address: &address, asked: &asked };
                    member_letter::on_action(tx, from, action)?
                }
            };
            return Ok((CLUB, effect));
        }
        (_, None) => return Err(Message::new("letter-for-nobody").into()),
        (_, Some((game, seat))) => place(tx, game, seat)?,
    };
    let asked = intake::asked_at(tx, &opened, position);
    let effect = seat_letter::of_player(tx, letter, position, &asked)?;
    Ok((position.game, effect))
}

/// A seat's present position.
fn place(tx: &mut Transaction<'_>, game: u32, seat: Seat) -> Result<Position, Blame> {
    moderator::lay_out(tx, game)?;
    let session = tx.game(game).filter(|session| session.seat(seat).is_some());
    let none = || {
        let none = Message::new("moderator-no-seat").with("game", game);
        none.with("seat", seat.number())
    };
    let position = |seq| Position { game, seat: seat.number(), seq };
    Ok(session.map(|session| position(session.table.head())).ok_or_else(none)?)
}

/// The one letter in quarantine whose name has this in it and that this transaction has done
/// nothing about; or why there is none.
///
/// # Errors
/// When the inbox or the store cannot be read.
fn find_held(tx: &Transaction<'_>, name: &str) -> Result<Held, Blame> {
    let gone = |held: &Held| {
        let mut files = tx.fates();
        files.any(|(file, disposition)| {
            file.name == held.file.name && *disposition == Disposition::Done
        })
    };
    let mut found: Vec<Held> = held(tx.context)?;
    found.retain(|held| held.file.name.contains(name) && !gone(held));
    if let Some(exactly) = found.iter().position(|held| held.file.name == name) {
        found = vec![found.swap_remove(exactly)];
    }
    let count = found.len();
    match found.pop() {
        Some(held) if count == 1 => Ok(at_hand(tx.context, &held)?),
        Some(_) => {
            let several = Message::new("letter-of-several").with("name", name);
            Err(several.with("count", count).into())
        }
        None => Err(Message::new("letter-not-held").with("name", name).into()),
    }
}

/// The game that a letter in quarantine is for, as far as it says so.
fn game_of(context: &Context, held: &Held) -> ClubResult<u32> {
    let Ok(letter) = held.letter() else { return Ok(CLUB) };
    Ok(match intake::undoubted(&Transaction::begin(context), &letter)? {
        Some(Admitted::Player(position)) => position.game,
        _ => CLUB,
    })
}

/// The letters in quarantine: when they came, from whom, and why they lie there.
pub(crate) fn list_of_held(context: &Context, head: Message) -> ClubResult<Section> {
    let held = held(context)?;
    let shown = held.iter().take(LIST_MAX);
    let shown = shown.map(|held| Ok(held_words(context, &at_hand(context, held)?)));
    let mut lines: Vec<Message> = shown.collect::<Result<_, ClubError>>()?;
    lines.extend(more(held.len()));
    Ok(Section { head: head.with("count", held.len()), lines })
}

/// A letter in quarantine in a sentence.
pub(crate) fn held_words(context: &Context, held: &Held) -> Message {
    let letter = held.letter().ok();
    let from = letter.as_ref().and_then(|letter| letter.from.first());
    let from = from.map_or_else(|| "?".to_owned(), |sender| unmarked(&sender.address));
    let came = match held.file.came() {
        Some(came) => context.moment(came),
        None => Message::new("letter-came-once"),
    };
    Message::new("letter-held")
        .with("name", held.file.name.as_str())
        .with("came", came)
        .with("from", from)
        .with("why", why(held))
}

fn why(held: &Held) -> Message {
    match &held.why {
        Some(why) => Message::new("moderator-why").with("why", why.clone()),
        None => Message::new("letter-why-forgotten"),
    }
}

/// A letter in quarantine with all that can be said of it, and its text.
fn show(context: &Context, held: &Held) -> ClubResult<Section> {
    let head = held_words(context, held);
    let letter = match held.letter() {
        Ok(letter) => letter,
        Err(why) => return Ok(Section { head, lines: vec![why] }),
    };
    let senders: Vec<String> = letter
        .from
        .iter()
        .map(|sender| unmarked(&format!("{} <{}>", sender.name, sender.address)))
        .collect();
    let id = letter.message_id.as_deref().unwrap_or("-");
    let mut lines = vec![
        Message::new("letter-from").with("from", senders),
        Message::new("letter-to").with("to", unmarked(&letter.recipients.join(", "))),
        Message::new("letter-subject").with("subject", unmarked(&letter.subject)),
        Message::new("letter-id").with("id", unmarked(id)),
        match intake::undoubted(&Transaction::begin(context), &letter)? {
            Some(Admitted::Player(position)) => Message::new("letter-mark-of-seat")
                .with("game", position.game)
                .with("seat", position.seat),
            Some(_) => Message::new("letter-mark-of-member"),
            None => Message::new("letter-mark-none"),
        },
    ];
    let body = without_tokens(&letter.body);
    let text: Vec<&str> = body.lines().collect();
    let quoted = |line: &&str| {
        let line: String = fold(line).chars().take(WIDTH_MAX).collect();
        Message::new("letter-line").with("line", line)
    };
    lines.extend(text.iter().take(LINES_MAX).map(quoted));
    let rest = text.len().saturating_sub(LINES_MAX);
    lines.extend((rest > 0).then(|| Message::new("letter-rest").with("count", rest)));
    Ok(Section { head, lines })
}

fn unmarked(text: &str) -> String {
    without_tokens(&fold(text)).into_owned()
}
