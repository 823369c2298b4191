//! What the moderator asks for, line by line: by letter and on the command line with the same words
//! and the same effect.
//!
//! All lines of a letter are tried first in a savepoint that is dropped; only when each of them can
//! be done are they done. A dry run ends there.

use crate::club::{Command, Happening, Intervention, Member, ModeratorCommand, Request, Unread};
use crate::mail::rate_limit::RateLimit;
use crate::mail::{Letter, ReplyAction, TooMuch, addresses_in, fold, holds_mark};
use crate::process::blame::{Blame, answered};
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::inbound::intake::{self, unread};
use crate::process::inbound::member_letter;
use crate::process::inbound::member_letter::refused_words;
use crate::process::lobby::{marks, unasked};
use crate::process::moderation::{game_command, game_log, overview, quarantine};
use crate::process::outbound::answers;
use crate::process::outbound::pending::{self, Says};
use crate::process::session::reader;
use crate::process::transaction::account::Account;
use crate::process::transaction::effect::{Answer, Disposition, LetterEffect};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{Transaction, retry};
use crate::render::Section;
use crate::rules::{Message, Refusal};
use crate::store::Repository;
use crate::table::{OrderLine, Refused};

/// A line of the moderator's, read once.
struct Instruction {
    line: OrderLine,
    read: Result<ModeratorCommand, Unread>,
}

impl Instruction {
    /// Whether it passes something on that stands in the line.
    const fn is_for_others(&self) -> bool {
        matches!(
            self.read,
            Ok(ModeratorCommand::AnnounceToAll(_)
                | ModeratorCommand::Intervene { what: Intervention::Announce, .. }
                | ModeratorCommand::Note { .. })
        )
    }
}

impl From<OrderLine> for Instruction {
    fn from(line: OrderLine) -> Self {
        Self { read: ModeratorCommand::read(&line.text), line }
    }
}

/// Does what the moderator asks for on the command line, or says what would be done.
///
/// # Errors
/// When the club cannot be read or written.
pub fn directed(
    context: &Context,
    lines: &[String],
    dry_run: bool,
) -> Result<Vec<Section>, Blame<Refused>> {
    let lines = (1..).zip(lines).map(|(number, line)| OrderLine::new(number, fold(line)));
    let instructions: Vec<Instruction> = lines.map(Instruction::from).collect();
    if instructions.iter().all(|one| one.line.text.eq_ignore_ascii_case("help")) {
        return Ok(vec![help()]);
    }
    retry(|| {
        let mut tx = Transaction::begin(context);
        let directed = direct(&mut tx, &instructions, dry_run)?;
        if !dry_run {
            let committed = commit::conclude(tx)?;
            let inbox = context.inbox();
            let moves: Vec<_> = committed
                .fates
                .into_iter()
                .map(|(letter, disposition)| (letter, disposition.mail_folder()))
                .collect();
            inbox.put(&moves).map_err(|error| ClubError::file(inbox.root(), error))?;
        }
        Ok(directed)
    })
}

/// A letter that was let in as the moderator's.
pub(crate) fn of_moderator(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    request: &Result<Request, TooMuch>,
) -> ClubResult<LetterEffect> {
    let mut effect = LetterEffect::of(Disposition::Done);
    let mut account = Account::Moderator;
    let mut is_idle = true;
    let sections = match (tx.seen_letter(letter.digest.bytes())?, request) {
        (Some(seen), _) => {
            let at = tx.context.moment(seen.at);
            vec![Section::of(Message::new("letter-repeated").with("at", at))]
        }
        (None, Err(too_much)) => {
            let why = Message::new("letter-unread").with("why", unread(*too_much));
            vec![Section::of(why)]
        }
        (None, Ok(request)) => {
            let instructions: Vec<Instruction> =
                request.lines.iter().map(|line| line.order.clone().into()).collect();
            if let Some(member) = moderator_as_member(tx, &instructions)? {
                return member_letter::of_member(tx, letter, &member, &Ok(request.clone()));
            }
            effect.remembered = Some(answers::remembered(tx.context, letter, None, None));
            match answered(answer_to(tx, request, instructions))? {
                Ok(sections) => {
                    is_idle = !request.does_more() && request.lines.is_empty();
                    sections
                }
                Err(refused) => {
                    if refused.line.is_some() && !is_unknown(&refused.refusal.reason) {
                        (account, is_idle) = (Account::ModeratorRefusals, false);
                    }
                    let help = request.commands.contains(&Command::Help).then(help);
                    std::iter::once(refused_section(&refused)).chain(help).collect()
                }
            }
        }
    };
    if is_idle {
        account = answers::idle_account(tx, answers::moderator(tx)?, account)?;
        effect.idle = true;
    }
    effect.answer = answer_moderator(tx, letter, account, sections)?;
    Ok(effect)
}

/// The moderator, if he is a member and writes as one: nothing in his letter is a moderator's.
fn moderator_as_member(
    tx: &Transaction<'_>,
    instructions: &[Instruction],
) -> ClubResult<Option<Member>> {
    let is_unknown = |one: &Instruction| one.read.as_ref().is_err_and(is_unknown);
    if instructions.is_empty() || !instructions.iter().all(is_unknown) {
        return Ok(None);
    }
    let address = tx.context.settings.moderator.address.to_lowercase();
    Ok(tx.member_by_address(&address)?)
}

/// A letter from the moderator's address that does not prove to be the moderator's: the answer
/// is one that can be answered.
pub(crate) fn of_unmarked_moderator(
    tx: &Transaction<'_>,
    letter: &Letter,
    address: &str,
) -> ClubResult<LetterEffect> {
    let mut effect = LetterEffect::of(Disposition::Done);
    effect.remembered = Some(answers::remembered(tx.context, letter, None, None));
    let mut sections = vec![Section::of(Message::new("moderator-unmarked"))];
    if let Some(member) = tx.member_by_address(address)? {
        let games = intake::games_of(tx, &member)?.into_iter();
        let lines: Vec<Message> =
            games.map(|game| Message::new("notice-game").with("game", game)).collect();
        let head = Message::new("notice-no-game");
        sections.extend((!lines.is_empty()).then_some(Section { head, lines }));
    }
    effect.answer = answer_moderator(tx, letter, Account::InModeratorsName, sections)?;
    Ok(effect)
}

fn answer_moderator(
    tx: &Transaction<'_>,
    letter: &Letter,
    account: Account,
    sections: Vec<Section>,
) -> ClubResult<Option<Answer>> {
    let to = reader::moderator(tx)?;
    let says = match answers::rate_limit(tx, &account)? {
        RateLimit::Answer => {
            let club = tx.context.settings.name.as_str();
            let subject = Message::new("notice-subject").with("club", club);
            Says::Sections { subject, sections }
        }
        RateLimit::LastWord => Says::Notice(account.last_word()),
        RateLimit::Silence => return Ok(None),
    };
    let message_id = pending::message_id(tx.context, &format!("m.a{}", letter.digest));
    let (action, answers) = (Some(ReplyAction::Moderator), letter.message_id.as_ref());
    let letter = pending::plain(tx.context, &to, says, action, message_id, answers);
    Ok(Some(Answer { letter, account, told: None }))
}

/// Does what a letter of the moderator's asks for, and says what was done.
fn answer_to(
    tx: &mut Transaction<'_>,
    request: &Request,
    mut instructions: Vec<Instruction>,
) -> Result<Vec<Section>, Blame<Refused>> {
    // What another letter announces or notes is passed on to nobody.
    instructions.retain(|one| !request.quotes(one.line.number) || !one.is_for_others());
    let asked = instructions.len();
    instructions.retain(|one| !is_dry_run(&one.line.text));
    let dry_run = instructions.len() < asked || request.commands.contains(&Command::Preview);
    if request.commands.contains(&Command::Status) {
        instructions.push(OrderLine::new(0, "list".to_owned()).into());
    }
    if instructions.is_empty() {
        return Ok(vec![help()]);
    }
    let mut sections = direct(tx, &instructions, dry_run)?;
    if dry_run {
        sections.insert(0, Section::of(Message::new("moderator-preview")));
    }
    if request.commands.contains(&Command::Help) {
        sections.push(help());
    }
    Ok(sections)
}

/// Tries all lines, and does them if each can be done and it is no dry run.
fn direct(
    tx: &mut Transaction<'_>,
    instructions: &[Instruction],
    dry_run: bool,
) -> Result<Vec<Section>, Blame<Refused>> {
    let mut trial = tx.savepoint();
    // What is only tried is in no log yet: what chance would bring to it nobody may read there.
    let tried = obey_all(&mut trial, instructions, Some(tx.savepoint()))?;
    if dry_run || !trial.has_changes() {
        return Ok(tried);
    }
    drop(trial);
    obey_all(tx, instructions, None)
}

/// Does all lines in a transaction; logs are those of the other, if there is one.
fn obey_all(
    tx: &mut Transaction<'_>,
    instructions: &[Instruction],
    mut logs: Option<Transaction<'_>>,
) -> Result<Vec<Section>, Blame<Refused>> {
    let mut sections = Vec::new();
    for Instruction { line, read } in instructions {
        let obeyed = match read {
            Ok(command @ ModeratorCommand::Log(_)) => match &mut logs {
                Some(logs) => obey(logs, command),
                None => obey(tx, command),
            },
            Ok(command) => obey(tx, command),
            Err(why) => Err(Refusal::illegal(why.clone()).into()),
        };
        let refused = |refusal| Refused { line: Some(line.clone()), refusal };
        sections.push(obeyed.map_err(|blame| blame.map(refused))?);
    }
    Ok(sections)
}

fn obey(tx: &mut Transaction<'_>, command: &ModeratorCommand) -> Result<Section, Blame<Refusal>> {
    not_to_be_told(tx, command)?;
    match command {
        ModeratorCommand::List => Ok(overview::list_of_games(tx)?),
        ModeratorCommand::Letters(what) => quarantine::on_letters(tx, what),
        ModeratorCommand::RotateMember { who, reason } => obey_rotate(tx, who, reason),
        ModeratorCommand::Invite { name, address } => {
            Ok(Section::of(unasked::invite_to_club(tx, name, address)?))
        }
        ModeratorCommand::NewMarks => {
            marks::rotate_moderator_on(tx)?;
            Ok(Section::of(Message::new("moderator-marks-renewed")))
        }
        ModeratorCommand::AnnounceToAll(text) => Ok(game_command::announce_to_all(tx, text)?),
        ModeratorCommand::Intervene { game, what, reason } => {
            game_command::order(tx, *game, what, reason)
        }
        ModeratorCommand::Note { game, text } => {
            lay_out(tx, *game)?;
            tx.log_activity(*game, Happening::Noted { text: text.clone() });
            let head = Message::new("moderator-noted").with("game", *game);
            Ok(Section::of(head.with("text", text.as_str())))
        }
        ModeratorCommand::Log(game) => {
            let session = lay_out(tx, *game)?;
            Ok(game_log::log_of(tx, &session)?)
        }
    }
}

/// Refuses to tell players what is for nobody: a mark stands in it, or a member's address.
fn not_to_be_told(tx: &Transaction<'_>, command: &ModeratorCommand) -> Result<(), Blame> {
    let (ModeratorCommand::AnnounceToAll(text) | ModeratorCommand::Intervene { reason: text, .. }) =
        command
    else {
        return Ok(());
    };
    let own = tx.context.settings.moderator.address.to_lowercase();
    let mut private = holds_mark(text);
    for address in addresses_in(text).into_iter().filter(|address| *address != own) {
        private |= tx.member_by_address(&address)?.is_some();
    }
    if private { Err(Message::new("moderator-private").into()) } else { Ok(()) }
}

/// Makes void all marks of a member.
fn obey_rotate(
    tx: &mut Transaction<'_>,
    who: &str,
    reason: &str,
) -> Result<Section, Blame<Refusal>> {
    match marks::rotate_member_on(tx, who, reason)? {
        Some(Member { name, .. }) => {
            let head = Message::new("moderator-marks-rotated").with("who", name);
            Ok(Section::of(head.with("reason", reason)))
        }
        None => Err(Refusal::illegal(Message::new("member-none").with("who", who)).into()),
    }
}

/// Puts a game in the transaction; why it cannot be.
pub(crate) fn lay_out(tx: &mut Transaction<'_>, game: u32) -> Result<GameSession, Blame> {
    match tx.session(game) {
        Ok(session) => Ok(session.clone()),
        Err(ClubError::NoGame(_)) => {
            Err(Blame::Theirs(Message::new("moderator-no-game").with("game", game)))
        }
        Err(error @ ClubError::BrokenGame { .. }) => {
            let broken = Message::new("moderator-game-broken").with("game", game);
            Err(Blame::Theirs(broken.with("why", error.told_of_its_game())))
        }
        Err(error) => Err(error.into()),
    }
}

fn is_dry_run(line: &str) -> bool {
    let line = line.trim_end_matches(['.', '!', ':']).to_lowercase();
    matches!(line.as_str(), "dry run" | "dry-run" | "dryrun")
}

/// What the moderator can write.
fn help() -> Section {
    Section { head: Message::new("moderator-help"), lines: ModeratorCommand::forms().collect() }
}

/// Whether a line is nothing that a moderator can ask for.
fn is_unknown(why: &Unread) -> bool {
    why.key == "moderator-unknown"
}

fn refused_section(refused: &Refused) -> Section {
    let lines = refused_words(refused);
    Section { head: Message::new("moderator-refused"), lines }
}
