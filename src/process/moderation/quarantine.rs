//! Letters in quarantine: what lies there and why, and what becomes of it.
//!
//! A letter leaves in the commit that says what became of it; its file is moved only then. A file
//! whose move was cut short is moved when the next pass finds out, or the next look at quarantine.

use crate::club::{Happening, OnLetters};
use crate::mail::{Admitted, BYTES_MAX, Errand, Letter, Position, Tray, Waiting, fold};
use crate::process::blame::Blame;
use crate::process::inbound::errand;
use crate::process::inbound::intake;
use crate::process::inbound::seat_letter;
use crate::process::inbound::written;
use crate::process::moderation::moderator;
use crate::process::moderation::overview::{self, LIST_MAX, more};
use crate::process::office::{Office, OfficeError};
use crate::process::session::roster::Book;
use crate::process::transaction::outcome::{Fate, Outcome};
use crate::process::transaction::{CLUB, Transaction};
use crate::report::Section;
use crate::rules::{Message, Refusal, Seat};
use crate::store::Repository;

/// How many lines of a letter are shown.
const LINES_MAX: usize = 60;
/// How many characters of such a line.
const WIDTH_MAX: usize = 70;

/// A letter that lies in quarantine.
#[derive(Clone, Debug)]
pub struct Held {
    /// Its file.
    pub file: Waiting,
    /// Why it lies there; none when the store does not know any more, after a restore.
    pub why: Option<String>,
}

impl Held {
    /// The letter, or why it cannot be read. What is wrong with one file must keep nobody from the
    /// others.
    fn letter(&self) -> Result<Letter, Message> {
        let none = |why: String| Message::new("letter-no-letter").with("why", why);
        let bytes = self.file.read(BYTES_MAX).map_err(|error| none(error.to_string()))?;
        Letter::read(&bytes).map_err(|error| none(error.to_string()))
    }
}

/// The letters that lie in quarantine, in the order in which they came.
///
/// # Errors
/// When the inbox or the store cannot be read.
pub fn held(office: &Office) -> Result<Vec<Held>, OfficeError> {
    let mut held = Vec::new();
    let tx = Transaction::begin(office);
    for file in in_quarantine(office)? {
        let why = tx.seen_file(&file.name)?;
        if why.as_deref() != Some("") {
            held.push(Held { file, why });
        }
    }
    Ok(held)
}

fn in_quarantine(office: &Office) -> Result<Vec<Waiting>, OfficeError> {
    let inbox = office.inbox();
    inbox.lying_in(Tray::Quarantine).map_err(|error| OfficeError::file(inbox.root(), error))
}

/// Moves the files of letters that were let out of quarantine, where that was cut short.
///
/// # Errors
/// When the inbox or the store cannot be read, or a file cannot be moved.
pub fn tidy_quarantine(office: &Office) -> Result<(), OfficeError> {
    let (tx, mut moves) = (Transaction::begin(office), Vec::new());
    for file in in_quarantine(office)? {
        if tx.seen_file(&file.name)?.as_deref() == Some("") {
            moves.push((file, Tray::Done));
        }
    }
    let inbox = office.inbox();
    // What cannot be moved now stays there, and is moved with the next.
    inbox.put(&moves).map(drop).map_err(|error| OfficeError::file(inbox.root(), error))
}

/// Does what the moderator asks for about letters in quarantine.
pub(crate) fn on_letters(
    tx: &mut Transaction<'_>,
    what: &OnLetters,
) -> Result<Section, Blame<Refusal>> {
    let name = match what {
        OnLetters::List => return Ok(list_of_held(tx.office, Message::new("letter-list"))?),
        OnLetters::Show(name) | OnLetters::Accept { name, .. } | OnLetters::Reject { name, .. } => {
            name
        }
    };
    let held = find_held(tx, name)?;
    match what {
        OnLetters::List => Ok(list_of_held(tx.office, Message::new("letter-list"))?),
        OnLetters::Show(_) => Ok(show(tx.office, &held)?),
        OnLetters::Reject { reason, .. } => {
            let (name, reason) = (held.file.name.clone(), reason.clone());
            let judged = Happening::LetterJudged { name: name.clone(), accepted: false, reason };
            tx.minute(game_of(tx.office, &held)?, judged);
            tx.take(held.file, Outcome::of(Fate::Done));
            Ok(Section::of(Message::new("letter-rejected").with("name", name)))
        }
        OnLetters::Accept { seat, reason, .. } => accept(tx, held, *seat, reason),
    }
}

/// Lets a letter in, and says what it leads to.
fn accept(
    tx: &mut Transaction<'_>,
    held: Held,
    seat: Option<(u32, Seat)>,
    reason: &str,
) -> Result<Section, Blame<Refusal>> {
    let (game, outcome) = let_in(tx, &held, seat)?;
    let said = match (&outcome.fate, &outcome.moved) {
        (Fate::Quarantined(why), _) => {
            let why = Message::new("letter-still-held").with("why", why.as_str());
            return Err(Blame::Theirs(Refusal::illegal(why)));
        }
        (_, Some(moved)) if moved.acknowledged.carried_out => Message::new("letter-carried-out"),
        (_, Some(_)) => Message::new("letter-planned"),
        _ if outcome.member.is_some() => Message::new("letter-carried-out"),
        _ => Message::new("letter-answered"),
    };
    let name = held.file.name.clone();
    let judged =
        Happening::LetterJudged { name: name.clone(), accepted: true, reason: reason.to_owned() };
    tx.minute(game, judged);
    if let Err(OfficeError::GameFailed { why, .. }) = intake::take(tx, held.file, outcome) {
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
) -> Result<(u32, Outcome), Blame> {
    let letter = held.letter()?;
    let position = match (intake::door(tx.office).undoubted(&letter, &Book(tx))?, seat) {
        (Some(Admitted::Player(position)), None) => position,
        (Some(Admitted::Player(position)), Some((game, seat)))
            if position.game == game && position.seat == seat.number() =>
        {
            position
        }
        (Some(Admitted::Player(position)), Some(_)) => {
            let other = Message::new("letter-of-another").with("game", position.game);
            return Err(Blame::Theirs(other.with("seat", position.seat)));
        }
        (Some(Admitted::OnErrand { errand, address }), None) => {
            let asked = written::asked(tx.office, &letter);
            let outcome = match errand {
                Errand::Moderator => moderator::of_moderator(tx, &letter, &asked)?,
                errand => errand::on_errand(tx, &letter, errand, &address, &asked)?,
            };
            return Ok((CLUB, outcome));
        }
        (_, None) => return Err(Blame::Theirs(Message::new("letter-for-nobody"))),
        (_, Some((game, seat))) => place(tx, game, seat)?,
    };
    let asked = written::asked_at(tx, &letter, position);
    let outcome = seat_letter::of_player(tx, &letter, position, &asked)?;
    Ok((position.game, outcome))
}

/// A seat's present position.
fn place(tx: &mut Transaction<'_>, game: u32, seat: Seat) -> Result<Position, Blame> {
    moderator::lay_out(tx, game)?;
    let playing = tx.game(game).filter(|playing| playing.seat(seat).is_some());
    let none = || {
        let none = Message::new("moderator-no-seat").with("game", game);
        none.with("seat", seat.number())
    };
    let position = |seq| Position { game, seat: seat.number(), seq };
    Ok(playing.map(|playing| position(playing.table.head())).ok_or_else(none)?)
}

/// The one letter in quarantine whose name has this in it and that this transaction has done
/// nothing about; or why there is none.
///
/// # Errors
/// When the inbox or the store cannot be read.
pub fn find_held(tx: &Transaction<'_>, name: &str) -> Result<Held, Blame> {
    let gone = |held: &Held| {
        let mut files = tx.fates();
        files.any(|(file, fate)| file.name == held.file.name && *fate == Fate::Done)
    };
    let mut found: Vec<Held> = held(tx.office)?;
    found.retain(|held| held.file.name.contains(name) && !gone(held));
    if let Some(exactly) = found.iter().position(|held| held.file.name == name) {
        found = vec![found.swap_remove(exactly)];
    }
    let count = found.len();
    match found.pop() {
        Some(held) if count == 1 => Ok(held),
        Some(_) => {
            let several = Message::new("letter-of-several").with("name", name);
            Err(several.with("count", count).into())
        }
        None => Err(Message::new("letter-not-held").with("name", name).into()),
    }
}

/// The game that a letter in quarantine is for, as far as it says so.
fn game_of(office: &Office, held: &Held) -> Result<u32, OfficeError> {
    let Ok(letter) = held.letter() else { return Ok(CLUB) };
    Ok(match intake::door(office).undoubted(&letter, &Book(&Transaction::begin(office)))? {
        Some(Admitted::Player(position)) => position.game,
        _ => CLUB,
    })
}

/// The letters in quarantine: when they came, from whom, and why they lie there.
pub(crate) fn list_of_held(office: &Office, head: Message) -> Result<Section, OfficeError> {
    let held = held(office)?;
    let shown = held.iter().take(LIST_MAX);
    let mut lines: Vec<Message> = shown.map(|held| held_words(office, held)).collect();
    lines.extend(more(held.len()));
    Ok(Section { head: head.with("count", held.len()), lines })
}

/// A letter in quarantine in a sentence.
pub(crate) fn held_words(office: &Office, held: &Held) -> Message {
    let letter = held.letter().ok();
    let from = letter.as_ref().and_then(|letter| letter.from.first());
    let from = from.map_or_else(|| "?".to_owned(), |sender| fold(&sender.address));
    let came = match held.file.came() {
        Some(came) => overview::moment(office, came),
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
        Some(why) => Message::new("moderator-why").with("why", fold(why)),
        None => Message::new("letter-why-forgotten"),
    }
}

/// A letter in quarantine with all that can be said of it, and its text.
fn show(office: &Office, held: &Held) -> Result<Section, OfficeError> {
    let head = held_words(office, held);
    let letter = match held.letter() {
        Ok(letter) => letter,
        Err(why) => return Ok(Section { head, lines: vec![why] }),
    };
    let senders: Vec<String> = letter
        .from
        .iter()
        .map(|sender| fold(&format!("{} <{}>", sender.name, sender.address)))
        .collect();
    let id = letter.message_id.as_deref().unwrap_or("-");
    let mut lines = vec![
        Message::new("letter-from").with("from", senders),
        Message::new("letter-to").with("to", fold(&letter.recipients.join(", "))),
        Message::new("letter-subject").with("subject", fold(&letter.subject)),
        Message::new("letter-id").with("id", fold(id)),
        match intake::door(office).undoubted(&letter, &Book(&Transaction::begin(office)))? {
            Some(Admitted::Player(position)) => Message::new("letter-mark-of-seat")
                .with("game", position.game)
                .with("seat", position.seat),
            Some(_) => Message::new("letter-mark-of-member"),
            None => Message::new("letter-mark-none"),
        },
    ];
    let text: Vec<&str> = letter.body.lines().collect();
    let quoted = |line: &&str| {
        let line: String = fold(line).chars().take(WIDTH_MAX).collect();
        Message::new("letter-line").with("line", line)
    };
    lines.extend(text.iter().take(LINES_MAX).map(quoted));
    let rest = text.len().saturating_sub(LINES_MAX);
    lines.extend((rest > 0).then(|| Message::new("letter-rest").with("count", rest)));
    Ok(Section { head, lines })
}
