//! The moderator's commands, line by line. Letters and the command line use the same words, with
//! the same effect.
//!
//! All lines are first tried in a savepoint that is dropped. They are carried out only if each of
//! them is possible. A dry run ends after the trial.

use crate::club::{
    ActivityEvent, Intervention, Member, Moderator, ModeratorCommand, ModeratorLineError,
    ParsedLetter, Question, Substitute, parse_mailbox,
};
use crate::mail::address::canonical_address;
use crate::mail::rate_limit::RateDecision;
use crate::mail::{Letter, ReplyAction, find_addresses, fold_line, has_reply_token};
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::inbound::intake;
use crate::process::inbound::member_letter;
use crate::process::inbound::member_letter::refusal_messages;
use crate::process::lobby::visitors::ClubLetter;
use crate::process::lobby::{invitations, name_check, token_rotation};
use crate::process::moderation::{
    game_command, game_log, member_letter_list, overview, quarantine,
};
use crate::process::outbound::answers;
use crate::process::outbound::pending::{self, NoticeBody};
use crate::process::request_error::{RequestError, refuse_if, split_refusal};
use crate::process::session::reader;
use crate::process::transaction::effect::{Answer, Disposition, LetterEffect};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::rate_account::RateAccount;
use crate::process::transaction::{Transaction, retry_on_conflict};
use crate::render::Section;
use crate::rules::{Message, Refusal};
use crate::store::Repository;
use crate::table::{LetterRefusal, OrderLine};

/// A line from the moderator, with the command that it contains.
struct Instruction {
    line: OrderLine,
    read: Result<ModeratorCommand, ModeratorLineError>,
}

impl Instruction {
    /// Whether this command sends the line's text to players or keeps it as a note.
    const fn sends_text_to_players(&self) -> bool {
        matches!(
            self.read,
            Ok(ModeratorCommand::AnnounceToAll(_)
                | ModeratorCommand::Intervene { intervention: Intervention::Announce, .. }
                | ModeratorCommand::Note { .. })
        )
    }
}

impl From<OrderLine> for Instruction {
    fn from(line: OrderLine) -> Self {
        Self { read: ModeratorCommand::parse(&line.text), line }
    }
}

/// Carries out the moderator's lines from the command line, or only returns what they would do in a
/// dry run.
///
/// # Errors
/// If the club cannot be read or written; a refusal if a line is not possible.
pub fn run_moderator_lines(
    context: &Context,
    lines: &[String],
    dry_run: bool,
) -> Result<Vec<Section>, RequestError<LetterRefusal>> {
    let lines = (1..).zip(lines).map(|(number, line)| OrderLine::new(number, fold_line(line)));
    let instructions: Vec<Instruction> = lines.map(Instruction::from).collect();
    if instructions.iter().all(|one| one.line.text.eq_ignore_ascii_case("help")) {
        return Ok(vec![help_section()]);
    }
    retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        let directed = try_then_carry_out(&mut tx, &instructions, dry_run)?;
        if !dry_run {
            let committed = commit::notify_and_commit(tx)?;
            let inbox = context.inbox_maildir();
            let moves: Vec<_> = committed
                .dispositions
                .into_iter()
                .map(|(letter, disposition)| (letter, disposition.mail_folder()))
                .collect();
            inbox
                .archive_letters(&moves)
                .map_err(|error| ClubError::for_path(inbox.root(), error))?;
        }
        Ok(directed)
    })
}

/// Carries out a letter that is admitted as the moderator's, and returns its effect with the
/// answer.
pub(crate) fn handle_moderator_letter(
    tx: &mut Transaction<'_>,
    from: ClubLetter<'_>,
) -> ClubResult<LetterEffect> {
    let moderators = &tx.context.settings.moderators;
    let usual = tx.moderator;
    tx.moderator = moderators.find_by_address(from.address).unwrap_or(usual);
    let effect = handle_letter_of_acting_moderator(tx, from);
    tx.moderator = usual;
    effect
}

fn handle_letter_of_acting_moderator(
    tx: &mut Transaction<'_>,
    ClubLetter { letter, address, request }: ClubLetter<'_>,
) -> ClubResult<LetterEffect> {
    let mut effect = LetterEffect::with_disposition(Disposition::Done);
    let mut account = RateAccount::Moderator;
    let mut is_idle = true;
    let readable = intake::require_readable(letter, request);
    let sections = match (tx.letter_outcome(letter.hash.as_bytes())?, readable) {
        (Some(seen), _) => {
            let at = tx.context.moment_for_moderator(seen.at);
            vec![Section::new(Message::new("letter-repeated").with("at", at))]
        }
        (None, Err(why)) => vec![Section::new(intake::unread_message(why))],
        (None, Ok(request)) => {
            let mut instructions: Vec<Instruction> =
                request.lines.iter().map(|line| line.order.clone().into()).collect();
            let sign = |text: &str| tx.context.settings.moderators.sign(tx.moderator, text);
            let commands = instructions.iter_mut().flat_map(|one| &mut one.read);
            commands.for_each(|command| command.sign_texts(sign));
            if let Some(member) = find_moderator_writing_as_member(tx, &instructions, address)? {
                return member_letter::handle_member_letter(
                    tx,
                    letter,
                    &member,
                    &Ok(request.clone()),
                );
            }
            effect.seen_letter = Some(answers::seen_letter_entry(tx.context, letter, None, None));
            match split_refusal(carry_out_request(tx, request, instructions))? {
                Ok(sections) => {
                    is_idle = !request.has_more_than_orders() && request.lines.is_empty();
                    sections
                }
                Err(refused) => {
                    if refused.line.is_some() && !is_unknown_command(&refused.refusal.reason) {
                        (account, is_idle) = (RateAccount::ModeratorRefusals, false);
                    }
                    let help = request.questions.contains(&Question::Help).then(help_section);
                    std::iter::once(refusal_section(&refused)).chain(help).collect()
                }
            }
        }
    };
    if is_idle {
        account =
            answers::choose_idle_account(tx, answers::moderator_as_writer(tx, address)?, account)?;
        effect.is_idle = true;
    }
    effect.answer = make_moderator_answer(tx, letter, account, (tx.moderator, sections))?;
    Ok(effect)
}

/// Returns the moderator as a member, if the moderator plays and no line of the letter is a
/// moderator's command. The letter is then handled as a member's letter.
fn find_moderator_writing_as_member(
    tx: &Transaction<'_>,
    instructions: &[Instruction],
    address: &str,
) -> ClubResult<Option<Member>> {
    let is_unknown = |one: &Instruction| one.read.as_ref().is_err_and(is_unknown_command);
    if instructions.is_empty() || !instructions.iter().all(is_unknown) {
        return Ok(None);
    }
    Ok(tx.member_by_address(&address.to_lowercase())?)
}

/// Answers a letter from the moderator's address without a valid reply token. A reply to the answer
/// has one.
pub(crate) fn answer_moderator_without_token(
    tx: &Transaction<'_>,
    letter: &Letter,
    address: &str,
) -> ClubResult<LetterEffect> {
    let mut effect = LetterEffect::with_disposition(Disposition::Done);
    effect.seen_letter = Some(answers::seen_letter_entry(tx.context, letter, None, None));
    let mut sections = vec![Section::new(Message::new("moderator-unmarked"))];
    if let Some(member) = tx.member_by_address(address)? {
        let games = intake::running_game_titles(tx, &member)?.into_iter();
        let lines: Vec<Message> =
            games.map(|game| Message::new("notice-game").with("game", game)).collect();
        let head = Message::new("notice-no-game");
        sections.extend((!lines.is_empty()).then_some(Section { head, lines }));
    }
    let moderators = &tx.context.settings.moderators;
    let to = moderators.find_by_address(address).unwrap_or(tx.moderator);
    let account = RateAccount::UnprovenModerator;
    effect.answer = make_moderator_answer(tx, letter, account, (to, sections))?;
    Ok(effect)
}

fn make_moderator_answer(
    tx: &Transaction<'_>,
    letter: &Letter,
    account: RateAccount,
    (to, sections): (&Moderator, Vec<Section>),
) -> ClubResult<Option<Answer>> {
    let to = reader::moderator_as_reader(tx, to)?;
    let says = match answers::decide_answer_within_limit(tx, &account)? {
        RateDecision::Answer => {
            let club = tx.context.settings.name.as_str();
            let subject = Message::new("notice-subject").with("club", club);
            NoticeBody::Sections { subject, sections }
        }
        RateDecision::LastNotice => NoticeBody::Notice(account.limit_notice()),
        RateDecision::Silence => return Ok(None),
    };
    let message_id = pending::make_message_id(tx.context, &format!("m.a{}", letter.hash));
    let (action, answers) = (Some(ReplyAction::SpeakAsModerator), letter.message_id.as_ref());
    let letter = pending::make_plain_letter(tx.context, &to, says, action, message_id, answers);
    Ok(Some(Answer { letter, account, updated_seat: None }))
}

/// Carries out the requests of a moderator's letter and returns what was done.
fn carry_out_request(
    tx: &mut Transaction<'_>,
    request: &ParsedLetter,
    mut instructions: Vec<Instruction>,
) -> Result<Vec<Section>, RequestError<LetterRefusal>> {
    // Announcements and notes in quoted text are ignored, because another letter wrote them.
    instructions.retain(|one| !request.is_quoted(one.line.number) || !one.sends_text_to_players());
    let asked = instructions.len();
    instructions.retain(|one| !is_dry_run_line(&one.line.text));
    let dry_run = instructions.len() < asked || request.questions.contains(&Question::Preview);
    if request.questions.contains(&Question::Status) {
        instructions.push(OrderLine::new(0, "list".to_owned()).into());
    }
    if instructions.is_empty() {
        return Ok(vec![help_section()]);
    }
    let mut sections = try_then_carry_out(tx, &instructions, dry_run)?;
    if dry_run {
        sections.insert(0, Section::new(Message::new("moderator-preview")));
    }
    if request.questions.contains(&Question::Help) {
        sections.push(help_section());
    }
    Ok(sections)
}

/// Tries all lines, and then carries them out if all are possible and it is not a dry run.
fn try_then_carry_out(
    tx: &mut Transaction<'_>,
    instructions: &[Instruction],
    dry_run: bool,
) -> Result<Vec<Section>, RequestError<LetterRefusal>> {
    let mut trial = tx.begin_savepoint();
    // In the trial, `log` shows the logs without the tried changes. Otherwise the moderator could
    // read the outcome of chance before it happens.
    let tried = carry_out_in_order(&mut trial, instructions, Some(tx.begin_savepoint()))?;
    if dry_run || !trial.has_changes() {
        return Ok(tried);
    }
    drop(trial);
    carry_out_in_order(tx, instructions, None)
}

/// Carries out all lines in a transaction. The command `log` reads from the transaction `logs` if
/// it is given.
fn carry_out_in_order(
    tx: &mut Transaction<'_>,
    instructions: &[Instruction],
    mut logs: Option<Transaction<'_>>,
) -> Result<Vec<Section>, RequestError<LetterRefusal>> {
    let mut sections = Vec::new();
    for Instruction { line, read } in instructions {
        let obeyed = match read {
            Ok(command @ ModeratorCommand::Log(_)) => match &mut logs {
                Some(logs) => carry_out_command(logs, command),
                None => carry_out_command(tx, command),
            },
            Ok(command) => carry_out_command(tx, command),
            Err(why) => Err(Refusal::illegal(why.clone()).into()),
        };
        let refused = |refusal| LetterRefusal { line: Some(line.clone()), refusal };
        sections.push(obeyed.map_err(|blame| blame.map_refusal(refused))?);
    }
    Ok(sections)
}

fn carry_out_command(
    tx: &mut Transaction<'_>,
    command: &ModeratorCommand,
) -> Result<Section, RequestError<Refusal>> {
    refuse_private_data_in_text(tx, command)?;
    match command {
        ModeratorCommand::List => Ok(overview::running_games_section(tx)?),
        ModeratorCommand::Quarantine(what) => quarantine::run_quarantine_command(tx, what),
        ModeratorCommand::RotateMember { who, reason } => {
            rotate_member_tokens_for_moderator(tx, who, reason)
        }
        ModeratorCommand::Invite { name, address } => {
            Ok(Section::new(invitations::invite_to_club(tx, name, address)?))
        }
        ModeratorCommand::NewReplyTokens => {
            token_rotation::rotate_moderator_in_tx(tx)?;
            let renewed = Message::new("moderator-marks-renewed");
            if !tx.context.settings.moderators.others.is_empty() {
                tx.report_to_moderator(renewed.clone());
            }
            Ok(Section::new(renewed))
        }
        ModeratorCommand::AnnounceToAll(text) => Ok(game_command::announce_to_all(tx, text)?),
        ModeratorCommand::Intervene { game, intervention: what, reason } => {
            check_new_name(tx, what)?;
            game_command::carry_out_and_describe_intervention(tx, *game, what, reason)
        }
        ModeratorCommand::MemberLetters { who } => {
            Ok(member_letter_list::list_letters(tx, who, false)?)
        }
        ModeratorCommand::Note { game, text } => {
            open_game_or_refuse(tx, *game)?;
            tx.log_activity(*game, ActivityEvent::Noted { text: text.clone() });
            let head = Message::new("moderator-noted").with("game", *game);
            Ok(Section::new(head.with("text", text.as_str())))
        }
        ModeratorCommand::Log(game) => {
            let session = open_game_or_refuse(tx, *game)?;
            Ok(game_log::recent_log_section(tx, &session)?)
        }
    }
}

/// Refuses a substitute who is no member if the name that the line gives them is not free.
fn check_new_name(tx: &Transaction<'_>, what: &Intervention) -> Result<(), RequestError> {
    let Intervention::Replace { by: Substitute::Named(who), .. } = what else { return Ok(()) };
    let named = parse_mailbox(who).filter(|_| who.contains('<'));
    let Some((name, address)) = named else { return Ok(()) };
    let is_free = tx.member_by_address(&address)?.is_some()
        || name_check::can_take_name(tx, &name, (&address, None))?;
    refuse_if(!is_free, || Message::new("invite-name").with("name", name))
}

/// Refuses to send a text to players if it contains a reply token or a member's address.
fn refuse_private_data_in_text(
    tx: &Transaction<'_>,
    command: &ModeratorCommand,
) -> Result<(), RequestError> {
    let (ModeratorCommand::AnnounceToAll(text) | ModeratorCommand::Intervene { reason: text, .. }) =
        command
    else {
        return Ok(());
    };
    let is_own =
        |address: &String| tx.context.settings.moderators.find_by_address(address).is_some();
    let mut private = has_reply_token(text);
    for address in find_addresses(text).into_iter().filter(|address| !is_own(address)) {
        private |= tx.member_by_address(&canonical_address(&address))?.is_some();
    }
    if private { Err(Message::new("moderator-private").into()) } else { Ok(()) }
}

/// Makes all reply tokens of a member invalid.
fn rotate_member_tokens_for_moderator(
    tx: &mut Transaction<'_>,
    who: &str,
    reason: &str,
) -> Result<Section, RequestError<Refusal>> {
    match token_rotation::rotate_member_in_tx(tx, who, reason)? {
        Some(Member { name, .. }) => {
            let head = Message::new("moderator-marks-rotated").with("who", name);
            Ok(Section::new(head.with("reason", reason)))
        }
        None => Err(Refusal::illegal(reader::describe_unknown_member_in_tx(tx, who)?).into()),
    }
}

/// Opens a game in the transaction and returns it. Refuses if there is no such game or it is
/// broken.
pub(crate) fn open_game_or_refuse(
    tx: &mut Transaction<'_>,
    game: u32,
) -> Result<GameSession, RequestError> {
    match tx.open_game(game) {
        Ok(session) => Ok(session.clone()),
        Err(ClubError::NoGame(_)) => {
            Err(RequestError::Refused(Message::new("moderator-no-game").with("game", game)))
        }
        Err(error @ ClubError::BrokenGame { .. }) => {
            let broken = Message::new("moderator-game-broken").with("game", game);
            Err(RequestError::Refused(broken.with("why", error.to_message_without_game())))
        }
        Err(error) => Err(error.into()),
    }
}

fn is_dry_run_line(line: &str) -> bool {
    let line = line.trim_end_matches(['.', '!', ':']).to_lowercase();
    matches!(line.as_str(), "dry run" | "dry-run" | "dryrun")
}

/// Returns the list of the moderator's commands.
fn help_section() -> Section {
    Section {
        head: Message::new("moderator-help"),
        lines: ModeratorCommand::list_command_forms().collect(),
    }
}

/// Whether a line is no command of the moderator at all.
fn is_unknown_command(why: &ModeratorLineError) -> bool {
    why.key == "moderator-unknown"
}

fn refusal_section(refused: &LetterRefusal) -> Section {
    let lines = refusal_messages(refused);
    Section { head: Message::new("moderator-refused"), lines }
}
