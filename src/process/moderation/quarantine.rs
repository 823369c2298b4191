//! Letters in quarantine: lists them, shows them, accepts or rejects them.
//!
//! A letter leaves quarantine in the commit that records its outcome. Its file is moved only after
//! that. If the move is interrupted, the next pass or the next list of the quarantine repeats it.

use crate::club::{ActivityEvent, Member, QuarantineCommand};
use crate::mail::{
    AdmissionVerdict, BYTES_MAX, Letter, LetterHash, MailFolder, PendingLetter, ReplyAction,
    TokenPosition, fold_line, mask_tokens,
};
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::inbound::intake::OpenedLetter;
use crate::process::inbound::{intake, member_letter, seat_letter};
use crate::process::lobby::visitors::ClubLetter;
use crate::process::moderation::moderator_lines;
use crate::process::moderation::overview::{LIST_MAX, omitted_count_line};
use crate::process::outbound::answers;
use crate::process::request_error::RequestError;
use crate::process::transaction::effect::{Disposition, LetterEffect};
use crate::process::transaction::rate_account::ProvenWriter;
use crate::process::transaction::{CLUB_ACTIVITY, Transaction};
use crate::render::Section;
use crate::rules::{Message, Refusal, Seat};
use crate::store::{LetterResult, Repository, SeenLetter};
use std::collections::HashSet;

/// The number of lines of a quarantined letter that are shown.
const SHOWN_LINES_MAX: usize = 60;
/// The number of characters that are shown of each line of a quarantined letter.
const LINE_WIDTH_MAX: usize = 70;

/// A letter in quarantine.
#[derive(Clone, Debug)]
pub(crate) struct QuarantinedLetter {
    pub(crate) file: PendingLetter,
    /// The reason for quarantine, or `None` if the store has lost it in a restore.
    pub why: Option<Message>,
}

impl QuarantinedLetter {
    /// Reads and parses the letter. Returns a fault as a message, so that one bad file does not
    /// hide the other letters.
    fn read_letter(&self) -> Result<Letter, Message> {
        let none = |why: Message| Message::new("letter-no-letter").with("why", why);
        let fault = |error: std::io::Error| none(file_fault(&self.file.name, &error));
        let bytes = self.file.read(BYTES_MAX).map_err(fault)?;
        Letter::parse(&bytes).map_err(|unreadable| none(unreadable.to_message()))
    }
}

fn file_fault(file: &str, error: &std::io::Error) -> Message {
    Message::new("fault-file").with("path", file).with("what", error.to_string())
}

/// Returns the letters in quarantine, in order of arrival. Leaves out those that the transaction
/// has accepted or rejected.
fn list_quarantined(tx: &Transaction<'_>) -> ClubResult<Vec<QuarantinedLetter>> {
    let is_done = |(file, disposition): &(PendingLetter, Disposition)| {
        (*disposition == Disposition::Done).then(|| file.name.clone())
    };
    let done: HashSet<String> = tx.dispositions().filter_map(is_done).collect();
    let mut letters = Vec::new();
    // These reads are not part of the transaction. Otherwise any change of the quarantine would
    // refuse its commit.
    let stored = Transaction::begin(tx.context);
    for mut file in quarantined_files(tx.context)? {
        if done.contains(&file.name) {
            continue;
        }
        let fate = stored.file_outcome(&file.name)?;
        file.content_hash = fate.as_ref().and_then(|fate| fate.contents);
        let why = match fate.map(|fate| fate.disposition) {
            Some(Disposition::Done) => continue,
            Some(Disposition::Quarantined(why)) => Some(why),
            None => None,
        };
        letters.push(QuarantinedLetter { file, why });
    }
    Ok(letters)
}

/// Returns the number of letters in quarantine.
pub(crate) fn count_quarantined(context: &Context) -> ClubResult<usize> {
    Ok(list_quarantined(&Transaction::begin(context))?.len())
}

fn quarantined_files(context: &Context) -> ClubResult<Vec<PendingLetter>> {
    let inbox = context.inbox_maildir();
    let in_files = inbox.archived_letters(MailFolder::Quarantine);
    let mut all = in_files.map_err(|error| ClubError::for_path(inbox.root(), error))?;
    if let Some(shared) = context.store.as_shared() {
        let held = shared.list_quarantined_letters()?.into_iter();
        all.extend(held.map(|letter| PendingLetter::not_loaded(letter.name, letter.received)));
    }
    Ok(all)
}

/// Returns the letter with its bytes loaded. Letters in a shared store are loaded one at a time to
/// save memory.
fn load_quarantined_bytes(
    context: &Context,
    quarantined: &QuarantinedLetter,
) -> ClubResult<QuarantinedLetter> {
    let shared = context.store.as_shared().filter(|_| quarantined.file.is_not_loaded());
    let letter = shared
        .map(|shared| shared.quarantined_letter(&quarantined.file.name))
        .transpose()?
        .flatten();
    let file = letter.map_or_else(|| quarantined.file.clone(), PendingLetter::from);
    Ok(QuarantinedLetter { file, why: quarantined.why.clone() })
}

/// Moves the files of letters that have left quarantine, if an earlier move was interrupted.
pub(crate) fn finish_interrupted_moves(context: &Context) -> ClubResult<()> {
    let (tx, mut moves) = (Transaction::begin(context), Vec::new());
    for file in quarantined_files(context)? {
        if tx.file_outcome(&file.name)?.is_some_and(|fate| fate.disposition == Disposition::Done) {
            moves.push((file, MailFolder::Done));
        }
    }
    let inbox = context.inbox_maildir();
    // Files that cannot be moved now stay, and are moved the next time.
    inbox
        .archive_letters(&moves)
        .map(drop)
        .map_err(|error| ClubError::for_path(inbox.root(), error))
}

/// Carries out a command of the moderator about letters in quarantine.
pub(crate) fn run_quarantine_command(
    tx: &mut Transaction<'_>,
    what: &QuarantineCommand,
) -> Result<Section, RequestError<Refusal>> {
    match what {
        QuarantineCommand::List => Ok(quarantine_section(tx, Message::new("letter-list"))?),
        QuarantineCommand::Show(name) => Ok(show_letter(tx.context, &find_quarantined(tx, name)?)?),
        QuarantineCommand::Reject { name, reason } => {
            let quarantined = find_quarantined(tx, name)?;
            reject_letter(tx, quarantined, reason)
        }
        QuarantineCommand::Accept { name, seat, reason } => {
            let quarantined = find_quarantined(tx, name)?;
            accept_letter(tx, quarantined, *seat, reason)
        }
    }
}

/// Takes a letter out of quarantine without any effect, except that the list of its writer's
/// letters names it.
fn reject_letter(
    tx: &mut Transaction<'_>,
    quarantined: QuarantinedLetter,
    reason: &str,
) -> Result<Section, RequestError<Refusal>> {
    let name = quarantined.file.name.clone();
    let judged = ActivityEvent::LetterJudged {
        name: name.clone(),
        accepted: false,
        reason: reason.to_owned(),
    };
    let game = game_of_letter(tx.context, &quarantined)?;
    tx.log_activity(game, judged);
    let mut effect = LetterEffect::with_disposition(Disposition::Done);
    if let Ok(letter) = quarantined.read_letter()
        && let Some(writer) = find_likely_writer(tx, &letter)?
    {
        // The entry has a key of its own, so that a copy of the letter can still be accepted.
        let key = LetterHash::compute(format!("rejected {}", letter.hash).as_bytes());
        let game = Some(game).filter(|game| *game != CLUB_ACTIVITY);
        effect.seen_letter = Some((key, SeenLetter { game, ..SeenLetter::mark(tx.context.now) }));
        (effect.writer, effect.result) = (Some(writer), Some(LetterResult::Rejected));
    }
    tx.apply_effect(quarantined.file, effect);
    Ok(Section::new(Message::new("letter-rejected").with("name", name)))
}

/// Returns the member whose reply token the letter has. Without one, returns the first member from
/// whose address it comes.
fn find_likely_writer(tx: &Transaction<'_>, letter: &Letter) -> ClubResult<Option<u32>> {
    if let Some(owner) = find_token_owner(tx, letter)? {
        return Ok(Some(owner));
    }
    for sender in &letter.from {
        if let Some(member) = tx.member_by_address(&sender.address)? {
            return Ok(Some(member.id));
        }
    }
    Ok(None)
}

/// Returns the member whose reply token the letter has.
fn find_token_owner(tx: &Transaction<'_>, letter: &Letter) -> ClubResult<Option<u32>> {
    let Some(admitted) = intake::resolve_reply_token(tx, letter)? else { return Ok(None) };
    Ok(answers::find_proven_writer(tx, &admitted)?.and_then(ProvenWriter::member))
}

/// Takes a letter out of quarantine, applies its effect, and returns a message about what it led
/// to.
fn accept_letter(
    tx: &mut Transaction<'_>,
    quarantined: QuarantinedLetter,
    seat: Option<(u32, Seat)>,
    reason: &str,
) -> Result<Section, RequestError<Refusal>> {
    let (game, effect) = judge_accepted_letter(tx, &quarantined, seat)?;
    let result = match (&effect.disposition, &effect.moved_game) {
        (Disposition::Quarantined(why), _) => {
            let why = Message::new("letter-still-held").with("why", why.clone());
            return Err(RequestError::Refused(Refusal::illegal(why)));
        }
        (_, Some(moved)) if moved.acknowledgement.has_orders => Message::new("letter-carried-out"),
        (_, Some(_)) => Message::new("letter-planned"),
        _ if effect.member.is_some() => Message::new("letter-carried-out"),
        _ => Message::new("letter-answered"),
    };
    let name = quarantined.file.name.clone();
    let judged = ActivityEvent::LetterJudged {
        name: name.clone(),
        accepted: true,
        reason: reason.to_owned(),
    };
    tx.log_activity(game, judged);
    if let Err(ClubError::GameFailed { why, .. }) =
        intake::apply_letter_effect(tx, quarantined.file, effect)
    {
        let why = Message::new("letter-still-held").with("why", why);
        return Err(RequestError::Refused(Refusal::illegal(why)));
    }
    Ok(Section::new(result.with("name", name)))
}

/// Returns the effect of a letter without doubts about its sender, and the game that it is for. The
/// answer goes to the member, even if somebody else sent the letter.
fn judge_accepted_letter(
    tx: &mut Transaction<'_>,
    quarantined: &QuarantinedLetter,
    seat: Option<(u32, Seat)>,
) -> Result<(u32, LetterEffect), RequestError> {
    let opened = OpenedLetter::from_letter(tx.context, quarantined.read_letter()?);
    let letter = &opened.letter;
    let is_of = |own: &TokenPosition| {
        seat.is_none_or(|(game, seat)| (own.game, own.seat) == (game, seat.number()))
    };
    let admitted = match (intake::resolve_reply_token(tx, letter)?, seat) {
        (Some(AdmissionVerdict::Player(position)), _) if !is_of(&position) => {
            let other = Message::new("letter-of-another").with("game", position.game);
            return Err(other.with("seat", position.seat).into());
        }
        (Some(admitted @ AdmissionVerdict::Player(_)), _)
        | (Some(admitted @ AdmissionVerdict::Action { .. }), None) => admitted,
        (_, None) => return Err(Message::new("letter-for-nobody").into()),
        (_, Some((game, seat))) => {
            AdmissionVerdict::Player(current_token_position(tx, game, seat)?)
        }
    };
    let (game, mut effect) = match &admitted {
        AdmissionVerdict::Player(position) => {
            let asked = intake::parse_seat_request(tx, &opened, *position);
            let effect = seat_letter::handle_seat_letter(tx, letter, *position, &asked)?;
            (position.game, effect)
        }
        AdmissionVerdict::Action { action, address } => {
            let asked = intake::parse_club_request(tx, &opened, address);
            let from = ClubLetter { letter, address, request: &asked };
            let effect = match action {
                ReplyAction::SpeakAsModerator => {
                    moderator_lines::handle_moderator_letter(tx, from)?
                }
                action => member_letter::handle_reply_action(tx, from, *action)?,
            };
            (CLUB_ACTIVITY, effect)
        }
        _ => return Err(Message::new("letter-for-nobody").into()),
    };
    let writer = answers::find_proven_writer(tx, &admitted)?;
    effect.writer = effect.writer.or(writer.and_then(ProvenWriter::member));
    Ok((game, effect))
}

/// Returns a reply position for the seat at the game's last record.
fn current_token_position(
    tx: &mut Transaction<'_>,
    game: u32,
    seat: Seat,
) -> Result<TokenPosition, RequestError> {
    moderator_lines::open_game_or_refuse(tx, game)?;
    let session = tx.opened_game(game).filter(|session| session.seat(seat).is_some());
    let none = || {
        let none = Message::new("moderator-no-seat").with("game", game);
        none.with("seat", seat.number())
    };
    let position = |seq| TokenPosition { game, seat: seat.number(), seq };
    Ok(session.map(|session| position(session.table.last_record_number())).ok_or_else(none)?)
}

/// Finds the letter in quarantine whose name contains `name`, among those that this transaction has
/// not processed. Refuses if there are none or several. An exact match wins.
fn find_quarantined(tx: &Transaction<'_>, name: &str) -> Result<QuarantinedLetter, RequestError> {
    let mut found: Vec<QuarantinedLetter> = list_quarantined(tx)?;
    found.retain(|held| held.file.name.contains(name));
    if let Some(exactly) = found.iter().position(|held| held.file.name == name) {
        found = vec![found.swap_remove(exactly)];
    }
    let count = found.len();
    match found.pop() {
        Some(held) if count == 1 => Ok(load_quarantined_bytes(tx.context, &held)?),
        Some(_) => {
            let several = Message::new("letter-of-several").with("name", name);
            Err(several.with("count", count).into())
        }
        None => Err(Message::new("letter-not-held").with("name", name).into()),
    }
}

/// Returns the game of a quarantined letter's reply token, or [`CLUB_ACTIVITY`] if it has no token
/// of a seat.
fn game_of_letter(context: &Context, quarantined: &QuarantinedLetter) -> ClubResult<u32> {
    let Ok(letter) = quarantined.read_letter() else { return Ok(CLUB_ACTIVITY) };
    Ok(match intake::resolve_reply_token(&Transaction::begin(context), &letter)? {
        Some(AdmissionVerdict::Player(position)) => position.game,
        _ => CLUB_ACTIVITY,
    })
}

/// Returns a list of the letters in quarantine: time of arrival, sender and reason.
pub(crate) fn quarantine_section(tx: &Transaction<'_>, head: Message) -> ClubResult<Section> {
    let letters = list_quarantined(tx)?;
    let shown = letters.iter().take(LIST_MAX);
    let shown = shown.map(|held| {
        Ok(describe_quarantined_letter(tx.context, &load_quarantined_bytes(tx.context, held)?))
    });
    let mut lines: Vec<Message> = shown.collect::<Result<_, ClubError>>()?;
    lines.extend(omitted_count_line(letters.len()));
    Ok(Section { head: head.with("count", letters.len()), lines })
}

/// The letters in quarantine that may be a member's, in order of arrival.
#[derive(Default)]
pub(crate) struct QuarantinedOfMember {
    /// A sentence for each letter with a reply token of the member.
    pub(crate) with_token: Vec<Message>,
    /// A sentence for each letter without one that comes from an address of the member. Anybody can
    /// send such letters.
    pub(crate) without_token: Vec<Message>,
}

/// Returns the letters in quarantine that may be this member's, for the moderator.
pub(crate) fn list_quarantined_of_member(
    tx: &Transaction<'_>,
    member: &Member,
) -> ClubResult<QuarantinedOfMember> {
    let mut found = QuarantinedOfMember::default();
    for (held, _, has_token) in find_quarantined_of_member(tx, member)? {
        let list = if has_token { &mut found.with_token } else { &mut found.without_token };
        list.push(describe_quarantined_letter(tx.context, &held));
    }
    Ok(found)
}

/// Finds the letters in quarantine that may be this member's. Returns each with its contents, and
/// whether it has a reply token of the member.
pub(crate) fn find_quarantined_of_member(
    tx: &Transaction<'_>,
    member: &Member,
) -> ClubResult<Vec<(QuarantinedLetter, Letter, bool)>> {
    let is_own = |address: &str| member.addresses.contains(&address.to_lowercase());
    let mut found = Vec::new();
    for held in list_quarantined(tx)? {
        let held = load_quarantined_bytes(tx.context, &held)?;
        let Ok(letter) = held.read_letter() else { continue };
        let has_token = find_token_owner(tx, &letter)? == Some(member.id);
        if has_token || letter.from.iter().any(|from| is_own(&from.address)) {
            found.push((held, letter, has_token));
        }
    }
    Ok(found)
}

/// Returns a sentence about a letter in quarantine: name, time of arrival, sender and reason.
pub(crate) fn describe_quarantined_letter(
    context: &Context,
    quarantined: &QuarantinedLetter,
) -> Message {
    let letter = quarantined.read_letter().ok();
    let from = letter.as_ref().and_then(|letter| letter.from.first());
    let from = from.map_or_else(|| "?".to_owned(), |sender| fold_and_mask_tokens(&sender.address));
    let came = match quarantined.file.received_at() {
        Some(came) => context.moment_for_moderator(came),
        None => Message::new("letter-came-once"),
    };
    Message::new("letter-held")
        .with("name", quarantined.file.name.as_str())
        .with("came", came)
        .with("from", from)
        .with("why", quarantine_reason(quarantined))
}

fn quarantine_reason(quarantined: &QuarantinedLetter) -> Message {
    match &quarantined.why {
        Some(why) => Message::new("moderator-why").with("why", why.clone()),
        None => Message::new("letter-why-forgotten"),
    }
}

/// Returns the headers and the first lines of a letter in quarantine, without reply tokens.
fn show_letter(context: &Context, quarantined: &QuarantinedLetter) -> ClubResult<Section> {
    let head = describe_quarantined_letter(context, quarantined);
    let letter = match quarantined.read_letter() {
        Ok(letter) => letter,
        Err(why) => return Ok(Section { head, lines: vec![why] }),
    };
    let senders: Vec<String> = letter
        .from
        .iter()
        .map(|sender| fold_and_mask_tokens(&format!("{} <{}>", sender.name, sender.address)))
        .collect();
    let id = letter.message_id.as_deref().unwrap_or("-");
    let mut lines = vec![
        Message::new("letter-from").with("from", senders),
        Message::new("letter-to").with("to", fold_and_mask_tokens(&letter.recipients.join(", "))),
        Message::new("letter-subject").with("subject", fold_and_mask_tokens(&letter.subject)),
        Message::new("letter-id").with("id", fold_and_mask_tokens(id)),
        match intake::resolve_reply_token(&Transaction::begin(context), &letter)? {
            Some(AdmissionVerdict::Player(position)) => Message::new("letter-mark-of-seat")
                .with("game", position.game)
                .with("seat", position.seat),
            Some(_) => Message::new("letter-mark-of-member"),
            None => Message::new("letter-mark-none"),
        },
    ];
    let body = mask_tokens(&letter.body);
    let text: Vec<&str> = body.lines().collect();
    let quoted = |line: &&str| {
        let line: String = fold_line(line).chars().take(LINE_WIDTH_MAX).collect();
        Message::new("letter-line").with("line", line)
    };
    lines.extend(text.iter().take(SHOWN_LINES_MAX).map(quoted));
    let rest = text.len().saturating_sub(SHOWN_LINES_MAX);
    lines.extend((rest > 0).then(|| Message::new("letter-rest").with("count", rest)));
    Ok(Section { head, lines })
}

fn fold_and_mask_tokens(text: &str) -> String {
    mask_tokens(&fold_line(text)).into_owned()
}
