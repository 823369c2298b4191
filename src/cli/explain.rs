//! `postrider explain`: shows how a pass understands a letter, and why.

use super::{Call, Exit, Failure, club_folder, format_utc_minute};
use crate::club::ParsedLetter;
use crate::mail::{AdmissionVerdict, BYTES_MAX, Letter, ReplyAction, TokenPosition, mask_tokens};
use crate::process::{self, Context, Disposition, JudgedLetter, LogEntry, ProcessedLetter};
use crate::table::OrderLine;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Show what a pass would do with a letter: its sender, the lines that count, and their outcome.
///
/// Changes nothing and answers nobody. For a letter that a pass has already processed, it shows the
/// outcome: the record, its text, and when the letter was answered. You find such letters in the
/// inbox's folder `.done/cur`, and those in quarantine in `.quarantine/cur`.
///
/// A member's letter and its answer may hold secrets of the member. Until the game is over, only
/// the lines that everyone can read in the game's log are shown. --secrets shows all.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The letter's file; - is standard input.
    #[arg(value_name = "FILE.eml")]
    file: PathBuf,
    /// Show all lines and the answer of a player's letter even if the game is still being played.
    #[arg(long)]
    secrets: bool,
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let bytes =
        read_letter_file(&args.file).map_err(|error| Failure::for_path(&args.file, &error))?;
    let (context, out) = (call.open()?, &mut *call.out);
    let (understood, answer) = process::explain_letter(&context, &bytes)?;
    let shows_all = args.secrets || !understood.is_confidential(&context);
    if let Some(letter) = &understood.letter {
        print_headers(letter, out)?;
    }
    if let Some(admitted) = &understood.admitted {
        writeln!(out, "Admitted:  {}", describe_admission(&context, admitted))?;
    }
    match understood.request.as_ref() {
        Some(request) if shows_all => print_request(request, out)?,
        Some(_) => writeln!(out, "Lines:     --secrets shows them")?,
        None => {}
    }
    match process::find_processed_letter(&context, &bytes)? {
        Some(dealt) => print_processed_outcome(&context, &dealt, out)?,
        None if shows_all => print_expected_outcome(&context, &understood, answer.as_ref(), out)?,
        None => print_public_outcome(&context, &understood, out)?,
    }
    Ok(Exit::Done)
}

fn read_letter_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let stdin = path == Path::new("-");
    let mut source: Box<dyn Read> =
        if stdin { Box::new(std::io::stdin()) } else { Box::new(std::fs::File::open(path)?) };
    let mut bytes = Vec::new();
    source.by_ref().take(BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Prints the outcome of a letter that a pass has already processed.
fn print_processed_outcome(
    context: &Context,
    dealt: &ProcessedLetter,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let at = format_utc_minute(dealt.at);
    let language = context.library.language(&context.settings.language);
    match (&dealt.led_to, dealt.game) {
        (Some((LogEntry { record, lines, outcome: led_to, .. }, names)), Some(game)) => {
            let record = record.map_or_else(String::new, |record| format!("record {record} of "));
            writeln!(out, "Outcome:   read on {at}: carried out as {record}game {game}")?;
            for line in lines {
                writeln!(out, "           > {line}")?;
            }
            for message in led_to {
                writeln!(out, "           {}", language.localize_for_observer(message, names))?;
            }
        }
        (_, Some(game)) => writeln!(
            out,
            "Outcome:   read on {at}, for game {game}: no record. It held questions, messages, \
             votes or plans, or was refused"
        )?,
        (_, None) => writeln!(out, "Outcome:   read on {at}; it belonged to no game")?,
    }
    match dealt.answered {
        Some(at) => writeln!(out, "Answer:    posted on {}", format_utc_minute(at))?,
        None => writeln!(
            out,
            "Answer:    none found: it is still queued, was part of a letter with other news, was \
             not needed, or was posted more than five days ago"
        )?,
    }
    Ok(())
}

/// Prints only the part of the outcome that everyone may read: the public lines of a member's
/// letter.
fn print_public_outcome(
    context: &Context,
    understood: &JudgedLetter,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let effect = &understood.effect;
    if let Disposition::Quarantined(why) = &effect.disposition {
        return Ok(writeln!(
            out,
            "Outcome:   quarantine: {}",
            club_folder::localize_for_club(context, why)
        )?);
    }
    let Some((record, lines)) = understood.new_record_and_public_lines(context) else {
        let what = "no record: it holds questions, messages, votes or plans, or is refused";
        return Ok(writeln!(out, "Outcome:   {what}; --secrets shows which")?);
    };
    writeln!(out, "Outcome:   carried out as record {record}")?;
    Ok(lines.iter().try_for_each(|line| writeln!(out, "           > {line}"))?)
}

/// Prints the outcome that a letter would have, and its answer.
fn print_expected_outcome(
    context: &Context,
    understood: &JudgedLetter,
    answer: Option<&Letter>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let effect = &understood.effect;
    let outcome = match (&effect.disposition, &effect.moved_game) {
        (Disposition::Quarantined(why), _) => {
            &*format!("quarantine: {}", club_folder::localize_for_club(context, why))
        }
        (Disposition::Done, Some(moved)) if !moved.has_orders_or_plans() => {
            "messages or votes only; no orders"
        }
        (Disposition::Done, Some(moved)) if !moved.acknowledgement.has_orders => "stored as plans",
        (Disposition::Done, Some(moved)) => {
            &*format!("carried out as record {}", moved.table.last_record_number())
        }
        (Disposition::Done, None) if is_moderator_letter(understood) => {
            "a pass would do what this answer says:\n"
        }
        (Disposition::Done, None) if effect.answer.is_some() => {
            "nothing is carried out, and the sender gets this letter:\n"
        }
        (Disposition::Done, None) => match &effect.believed_bounce {
            Some(bounced) => &*format!("the bounce report is accepted: {bounced}"),
            None => "nothing is carried out, and no answer is sent",
        },
    };
    writeln!(out, "Outcome:   {outcome}")?;
    answer.map_or(Ok(()), |letter| Ok(writeln!(out, "{}", letter.body)?))
}

/// Returns a text that names the person as whose letter the club admits it, or the reason why it
/// does not.
fn describe_admission(context: &Context, admitted: &AdmissionVerdict) -> String {
    match admitted {
        AdmissionVerdict::Player(TokenPosition { game, seat, seq }) => {
            format!("game {game}, seat {seat}, in answer to record {seq}")
        }
        AdmissionVerdict::Action { action, address } => {
            format!("{address}, for the action {action}")
        }
        AdmissionVerdict::ModeratorWithoutToken { .. } => {
            "the moderator's address, but without a valid reply token".to_owned()
        }
        AdmissionVerdict::MemberWithoutToken { .. } => "a member, without a reply token".to_owned(),
        AdmissionVerdict::BadToken { .. } => {
            "a member, but the reply token is not valid".to_owned()
        }
        AdmissionVerdict::Stranger { .. } => "no, an unknown sender".to_owned(),
        AdmissionVerdict::Ignored(why) => {
            format!("no, and never answered: {}", club_folder::localize_for_club(context, why))
        }
        AdmissionVerdict::Quarantined(why) => {
            format!("no: {}", club_folder::localize_for_club(context, why))
        }
    }
}

fn print_request(request: &ParsedLetter, out: &mut dyn Write) -> Result<(), Failure> {
    for command in &request.questions {
        writeln!(out, "Question:  {}", format!("{command:?}").to_lowercase())?;
    }
    for OrderLine { number, text, .. } in request.lines.iter().map(|line| &line.order) {
        writeln!(out, "Order:     line {number}: {text}")?;
    }
    for press in &request.press.messages {
        let (number, length) = (press.number, press.text.chars().count());
        writeln!(out, "Press:     line {number}, {length} characters")?;
    }
    let empty = request.questions.is_empty() && request.lines.is_empty();
    if empty && request.press.is_empty() {
        writeln!(out, "Order:     none found in the sender's own text")?;
    }
    Ok(())
}

fn is_moderator_letter(understood: &JudgedLetter) -> bool {
    matches!(
        understood.admitted,
        Some(AdmissionVerdict::Action { action: ReplyAction::SpeakAsModerator, .. })
    )
}

/// Returns a header without reply tokens, and with control characters escaped.
fn printable_header(header: &str) -> String {
    mask_tokens(header).escape_debug().to_string()
}

fn print_headers(letter: &Letter, out: &mut dyn Write) -> Result<(), Failure> {
    for sender in &letter.from {
        let (name, address) = (&sender.name, &sender.address);
        writeln!(out, "From:      {}", printable_header(&format!("{name} <{address}>")))?;
    }
    writeln!(out, "To:        {}", printable_header(&letter.recipients.join(", ")))?;
    writeln!(out, "Subject:   {}", printable_header(&letter.subject))?;
    let id = letter.message_id.as_deref().unwrap_or("none");
    writeln!(out, "Id:        {} (digest {})", printable_header(id), letter.hash)?;
    Ok(())
}
