//! `postrider explain`: why a letter was or was not understood.

use super::{Environment, Exit, Failure, club};
use crate::club::Request;
use crate::mail::{Admitted, BYTES_MAX, Letter, ReplyAction, without_tokens};
use crate::process::{self, Context, Dealt, Disposition, LogEntry, Understood};
use crate::table::OrderLine;
use chrono::{DateTime, Utc};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Say what a pass would make of a letter: who wrote it, which lines count, what they lead to.
///
/// Nothing is done and nobody is answered. Of a letter that a pass has dealt with it says what that
/// led to: the record, what it says, and when it was answered. Such letters lie in the inbox's
/// folder `.done/cur`, those that went to quarantine in `.quarantine/cur`.
///
/// A member's letter may hold what only its writer may know, and so may the answer. Without
/// --secrets only the lines are shown that everybody reads in the game's log, until the game is
/// over.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The letter's file; - is standard input.
    #[arg(value_name = "FILE.eml")]
    file: PathBuf,
    /// Show all lines and the answer of a player's letter although the game is still played.
    #[arg(long)]
    secrets: bool,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let bytes = read(&args.file).map_err(|error| Failure::file(&args.file, &error))?;
    let context = club::open(folder, environment)?;
    let (understood, answer) = process::explain(&context, &bytes)?;
    let shows_all = args.secrets || !understood.is_confidential(&context);
    if let Some(letter) = &understood.letter {
        tell_letter(letter, out)?;
    }
    tell_admitted(&context, understood.admitted.as_ref(), out)?;
    match understood.request.as_ref() {
        Some(request) if shows_all => tell_request(request, out)?,
        Some(_) => writeln!(out, "Lines:     --secrets shows them")?,
        None => {}
    }
    match process::dealt_with(&context, &bytes)? {
        Some(dealt) => tell_dealt(&context, &dealt, out)?,
        None if shows_all => tell(&context, &understood, answer.as_ref(), out)?,
        None => tell_in_public(&context, &understood, out)?,
    }
    Ok(Exit::Done)
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let most = u64::try_from(BYTES_MAX).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Tells what a letter has led to that a pass has dealt with.
fn tell_dealt(context: &Context, dealt: &Dealt, out: &mut dyn Write) -> Result<(), Failure> {
    let moment = |at: DateTime<Utc>| at.format("%Y-%m-%d %H:%M UTC").to_string();
    let at = moment(dealt.at);
    let language = context.library.language(&context.settings.language);
    match (&dealt.led_to, dealt.game) {
        (Some((LogEntry { record, lines, led_to, .. }, names)), Some(game)) => {
            let record = record.map_or_else(String::new, |record| format!("record {record} of "));
            writeln!(out, "Outcome:   read on {at}: carried out as {record}game {game}")?;
            for line in lines {
                writeln!(out, "           > {line}")?;
            }
            for message in led_to {
                writeln!(out, "           {}", language.say_of(message, names))?;
            }
        }
        (_, Some(game)) => writeln!(
            out,
            "Outcome:   read on {at}, for game {game}: it led to no record, as it asked, spoke, \
             planned, or was refused"
        )?,
        (_, None) => writeln!(out, "Outcome:   read on {at}; it was for no game")?,
    }
    match dealt.answered {
        Some(at) => writeln!(out, "Answer:    posted on {}", moment(at))?,
        None => writeln!(
            out,
            "Answer:    none is known: it waits still, stood in a letter with other news, was not \
             called for, or was posted more than five days ago"
        )?,
    }
    Ok(())
}

/// Says what a member's letter would lead to, as far as everybody will read it.
fn tell_in_public(
    context: &Context,
    understood: &Understood,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let effect = &understood.effect;
    if let Disposition::Quarantined(why) = &effect.disposition {
        let why = context.library.language(&context.settings.language).say(why);
        return Ok(writeln!(out, "Outcome:   quarantine: {why}")?);
    }
    let Some((record, lines)) = understood.public_record(context) else {
        let what = "it leads to no record, as it asks, speaks, plans, or is refused";
        return Ok(writeln!(out, "Outcome:   {what}; --secrets says which")?);
    };
    writeln!(out, "Outcome:   carried out as record {record}")?;
    Ok(lines.iter().try_for_each(|line| writeln!(out, "           > {line}"))?)
}

/// Says what a letter would lead to.
fn tell(
    context: &Context,
    understood: &Understood,
    answer: Option<&Letter>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let say = |why| context.library.language(&context.settings.language).say(why);
    let effect = &understood.effect;
    match (&effect.disposition, &effect.moved) {
        (Disposition::Quarantined(why), _) => {
            writeln!(out, "Outcome:   quarantine: {}", say(why))?;
        }
        (Disposition::Done, Some(moved)) if !moved.has_orders() => {
            writeln!(out, "Outcome:   said to other players, or voted; nothing is ordered")?;
        }
        (Disposition::Done, Some(moved)) if !moved.acknowledged.carried_out => {
            writeln!(out, "Outcome:   kept as plans for later")?;
        }
        (Disposition::Done, Some(moved)) => {
            writeln!(out, "Outcome:   carried out as record {}", moved.table.head())?;
        }
        (Disposition::Done, None) if is_moderators(understood) => {
            writeln!(out, "Outcome:   a pass would do what this answer says:\n")?;
        }
        (Disposition::Done, None) if effect.answer.is_some() => {
            writeln!(out, "Outcome:   nothing is done, and the writer gets this letter:\n")?;
        }
        (Disposition::Done, None) if effect.bounced.is_some() => {
            let bounced = effect.bounced.as_deref().unwrap_or_default();
            writeln!(out, "Outcome:   the report is believed: {bounced}")?;
        }
        (Disposition::Done, None) => {
            writeln!(out, "Outcome:   nothing is done, and nobody is answered")?;
        }
    }
    answer.map_or(Ok(()), |letter| Ok(writeln!(out, "{}", letter.body)?))
}

fn tell_admitted(
    context: &Context,
    admitted: Option<&Admitted>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let say = |why| context.library.language(&context.settings.language).say(why);
    match admitted {
        Some(Admitted::Player(position)) => writeln!(
            out,
            "Admitted:  game {}, seat {}, in answer to record {}",
            position.game, position.seat, position.seq
        )?,
        Some(Admitted::Action { action, address }) => {
            writeln!(out, "Admitted:  {address}, on the errand {action}")?;
        }
        Some(Admitted::ModeratorUnmarked { .. }) => {
            writeln!(out, "Admitted:  the moderator's address, but nothing that proves it")?;
        }
        Some(Admitted::NoGame { .. }) => writeln!(out, "Admitted:  a member, but for no game")?,
        Some(Admitted::BadToken { .. }) => {
            writeln!(out, "Admitted:  a member, but its reply mark is not valid")?;
        }
        Some(Admitted::Stranger { .. }) => writeln!(out, "Admitted:  no, a stranger")?,
        Some(Admitted::Ignored(why)) => {
            writeln!(out, "Admitted:  no, never answered: {}", say(why))?;
        }
        Some(Admitted::Quarantined(why)) => writeln!(out, "Admitted:  no: {}", say(why))?,
        None => {}
    }
    Ok(())
}

fn tell_request(request: &Request, out: &mut dyn Write) -> Result<(), Failure> {
    for command in &request.commands {
        writeln!(out, "Question:  {}", format!("{command:?}").to_lowercase())?;
    }
    for OrderLine { number, text, .. } in request.lines.iter().map(|line| &line.order) {
        writeln!(out, "Order:     line {number}: {text}")?;
    }
    for press in &request.talk.press {
        writeln!(
            out,
            "Press:     line {}, {} characters",
            press.number,
            press.text.chars().count()
        )?;
    }
    let empty = request.commands.is_empty() && request.lines.is_empty();
    if empty && request.talk.is_empty() {
        writeln!(out, "Order:     none found in what the writer wrote")?;
    }
    Ok(())
}

fn is_moderators(understood: &Understood) -> bool {
    matches!(understood.admitted, Some(Admitted::Action { action: ReplyAction::Moderator, .. }))
}

/// A header as it is shown: without reply tokens, and with control characters escaped.
fn shown(header: &str) -> String {
    without_tokens(header).escape_debug().to_string()
}

fn tell_letter(letter: &Letter, out: &mut dyn Write) -> Result<(), Failure> {
    for sender in &letter.from {
        let (name, address) = (&sender.name, &sender.address);
        writeln!(out, "From:      {}", shown(&format!("{name} <{address}>")))?;
    }
    writeln!(out, "To:        {}", shown(&letter.recipients.join(", ")))?;
    writeln!(out, "Subject:   {}", shown(&letter.subject))?;
    let id = letter.message_id.as_deref().unwrap_or("none");
    writeln!(out, "Id:        {} (digest {})", shown(id), letter.digest)?;
    Ok(())
}
