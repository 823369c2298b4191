//! `postrider doctor`: checks a club for faults that somebody should mend before players notice
//! them.

use super::{Environment, Exit, Failure, round_trip, sender_proof, transports};
use crate::club::{Moderator, Settings};
use crate::disk::{self, FileMode};
use crate::mail::fetch::{FetchError, MailServer};
use crate::mail::settings::SenderProof;
use crate::mail::transport::{Draft, Origin, OutgoingMessage, compose_letter_bytes};
use crate::mail::{Letter, Maildir, SeatToken, TokenPosition, is_club_address, strip_invisible};
use crate::process::{self, ClubError, Context, Transaction, read_settings};
use crate::store::{CacheSize, LetterOrigin, Repository, StoreError};
use chrono::{DateTime, TimeDelta, Utc};
use std::error::Error;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Check the club: settings, secret, folders, moderator, templates, store, journal, mail
/// transports, test letter.
///
/// Changes nothing, except that it writes a file to each mail folder and removes it again, and
/// notes a letter that --round-trip sends. The exit code is 78 if something must be fixed.
///
/// By default it counts the games by their stored summaries, and compares the lengths of the
/// journal's files with the store. With --all it replays every game from its log and reads the
/// journal line by line. Only --all finds a game that this version cannot play, or a changed line
/// that has the same length as before. It takes minutes in a club of a hundred thousand games.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Replay every game from its log, and read the whole journal.
    #[arg(long)]
    all: bool,
    /// Post the test letter to each moderator.
    #[arg(long)]
    send: bool,
    /// Send a letter to the club's own reply address. Repeat it after the next pass: it then
    /// reports how the letter came back, or exits with 75 if it is still under way.
    #[arg(long)]
    round_trip: bool,
}

/// A difference that normal clock corrections cause. Larger ones are reported.
const CLOCK_TOLERANCE: TimeDelta = TimeDelta::minutes(10);

/// The result of one check: a line that says what is well, or what to mend.
type Finding = Result<String, Box<dyn Error>>;

/// The number of games, and the errors of those that cannot be played.
type GameCount = Result<(usize, Vec<ClubError>), ClubError>;

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    // Every check needs the settings.
    let settings = read_settings(folder)?;
    let read = ("settings", Ok(format!("{} at {}", settings.name, settings.address)));
    let context = match open_club(folder, environment) {
        Ok(context) => context,
        Err((name, failure)) => {
            let secret = ("secret", check_secret(folder));
            print_findings(out, &[(name, Err(failure.what.clone().into())), read, secret])?;
            return Err(failure);
        }
    };
    let counted = process::find_broken_games(&context, args.all);
    let mut checks: Vec<(&str, Finding)> = vec![
        read,
        ("secret", check_secret(folder)),
        ("time", check_no_future_pass(&context)),
        ("store", check_store(&context)),
        ("inbox", check_maildir(&context.inbox_maildir())),
        ("inbound", check_inbound_transport(&context, environment)),
        ("moderator", check_moderator(&context)),
        ("templates", check_templates(&context)),
        ("games", check_games(&counted, args.all)),
        ("journal", check_journal(&context, &counted, args.all)),
        ("outbound", check_outbound_transport(&context, environment)),
        ("reply token", check_reply_token(&context)),
        ("test letter", post_test_letters(args, &context, environment)),
    ];
    if context.settings.admission == SenderProof::TokenSenderAndDmarc {
        checks.push((
            "senders",
            sender_proof::check_recent_dmarc_findings(&context).map_err(Into::into),
        ));
    }
    let mut exit = Exit::Done;
    if let Some((finding, code)) = round_trip::check(&context, environment, args.round_trip) {
        exit = if args.round_trip { code } else { exit };
        checks.push(("round trip", finding));
    }
    print_findings(out, &checks)?;
    let is_well = checks.iter().all(|(_, finding)| finding.is_ok());
    Ok(if is_well { exit } else { Exit::Settings })
}

/// Opens the club. An error names the check under which it is printed.
fn open_club(folder: &Path, environment: &Environment) -> Result<Context, (&'static str, Failure)> {
    let of_store = |error: StoreError| ("store", Failure::from(error));
    if let Some(gone) = process::missing_store_error(folder).map_err(of_store)? {
        return Err(of_store(gone));
    }
    let context =
        Context::open_with_cache_size(environment.games, folder, CacheSize::Small, environment.now);
    let context = context.map_err(|error| match error {
        ClubError::Store(error) => of_store(error),
        error => ("club", error.into()),
    })?;
    match context.store.read_only_reason() {
        Some(lost) => Err(of_store(lost)),
        None => Ok(context),
    }
}

/// Prints all findings, faults first.
fn print_findings(out: &mut dyn Write, checks: &[(&str, Finding)]) -> Result<(), Failure> {
    let (well, bad): (Vec<_>, Vec<_>) = checks.iter().partition(|(_, finding)| finding.is_ok());
    for (name, finding) in bad.into_iter().chain(well) {
        match finding {
            Ok(well) => writeln!(out, "ok    {name:12} {well}")?,
            Err(mend) => writeln!(out, "FIX   {name:12} {mend}")?,
        }
    }
    Ok(())
}

fn check_secret(folder: &Path) -> Finding {
    let path = folder.join("secret");
    if !path.exists() {
        return Err(format!(
            "{} does not exist: restore it from a backup; without it, nobody can reply to the \
             letters that were posted",
            path.display()
        )
        .into());
    }
    if disk::is_readable_by_others(&path) {
        return Err(format!("other users can read it: run chmod 600 {}", path.display()).into());
    }
    Ok("only you can read it".to_owned())
}

/// Checks that no pass ran at a time later than now. If one did, the machine's clock is or was
/// wrong.
fn check_no_future_pass(context: &Context) -> Finding {
    let at = |at: DateTime<Utc>| at.format("%Y-%m-%d %H:%M UTC").to_string();
    let seen = process::last_pass_or_digest_time(context)?;
    match seen.filter(|seen| *seen - context.now > CLOCK_TOLERANCE) {
        Some(seen) => Err(format!(
            "a pass ran at {}, which is later than the current time, {}: if this machine's clock \
             is wrong, set it; if it is right, the next tick corrects what was computed from the \
             later time",
            at(seen),
            at(context.now)
        )
        .into()),
        None => Ok(format!("{}, and no pass ran at a later time", at(context.now))),
    }
}

/// Checks the store, and says whether it is in the club's folder or on a server.
fn check_store(context: &Context) -> Finding {
    let mend = context.store.list_problems(context.now)?;
    match (mend.is_empty(), context.settings.is_store_in_folder()) {
        (false, _) => Err(mend.join("; ").into()),
        (true, true) => Ok("in the club's folder".to_owned()),
        (true, false) => Ok("on the database server, which answers".to_owned()),
    }
}

/// Checks that a file can be written to a folder and removed again.
fn check_folder_writable(folder: &Path) -> Result<(), String> {
    let (staging, path) = (folder.join("doctor.new"), folder.join("doctor"));
    disk::write_atomically(&staging, &path, b"", FileMode::OwnerOnly)
        .and_then(|()| disk::remove_file_if_exists(&path))
        .map_err(|error| format!("{}: {error}", folder.display()))
}

fn check_maildir(maildir: &Maildir) -> Finding {
    let waiting = maildir
        .pending_letters(usize::MAX)
        .map_err(|error| format!("{}: {error}", maildir.root().display()))?;
    for part in ["tmp", "new", ".done/cur", ".quarantine/cur"] {
        check_folder_writable(&maildir.root().join(part))?;
    }
    let unreadable = maildir.unreadable_files()?;
    if !unreadable.is_empty() {
        let named =
            unreadable.iter().map(|(name, why)| format!("{}: {why}", strip_invisible(name)));
        return Err(named.collect::<Vec<_>>().join("; ").into());
    }
    let quarantined = std::fs::read_dir(maildir.root().join(".quarantine/cur"))
        .map_or(0, |entries| entries.flatten().count());
    Ok(format!("{} letters pending, {quarantined} in quarantine", waiting.len()))
}

fn check_inbound_transport(context: &Context, environment: &Environment) -> Finding {
    let Some(account) = &context.settings.mail_in.imap else {
        return Ok("letters come through the inbox folder or `postrider receive`".to_owned());
    };
    let failed = |error: FetchError| error.why;
    let mut server =
        transports::open_imap(&context.folder, account, environment).map_err(describe_failure)?;
    let waiting = server.list_letters().map_err(failed)?.len();
    let mut missing = Vec::new();
    for folder in [&account.done, &account.quarantine] {
        if !server.has_folder(folder).map_err(failed)? {
            missing.push(folder.as_str());
        }
    }
    let made = match missing.as_slice() {
        [] => String::new(),
        missing => format!("; the next tick creates the folder {}", missing.join(" and ")),
    };
    let marked = match server.removes_moved_letters() {
        true => "",
        false => {
            "; it supports neither MOVE nor UIDPLUS, so processed letters are copied, and the \
             originals stay there, marked as deleted"
        }
    };
    let known = Transaction::begin(context).unreadable_letters()?;
    let withheld = known.values().filter(|unread| unread.place == LetterOrigin::Server).count();
    let (host, user) = (&account.host, &account.user);
    if withheld > 0 {
        return Err(
            format!("{host} does not return {withheld} letters; ask its administrator").into()
        );
    }
    Ok(format!("{user} can sign in to {host}; {waiting} letters pending{made}{marked}"))
}

/// Returns the failure of a mail transport and its remedy, in one text.
fn describe_failure(failure: Failure) -> String {
    match failure.hint {
        Some(hint) => format!("{}: {hint}", failure.what),
        None => transports::with_remedy(&failure.what),
    }
}

/// Checks that no moderator's address is the club's own: notes to that moderator would come back as
/// letters to the club.
fn check_moderator(context: &Context) -> Finding {
    let Settings { moderators, address, .. } = &context.settings;
    if let Some(moderator) = moderators.iter().find(|one| is_club_address(&one.address, address)) {
        return Err(format!(
            "{} is the club's own address: notes to the moderator would come back as letters to \
             the club; give the moderator another one in club.yaml",
            moderator.address
        )
        .into());
    }
    let named = moderators.iter().map(|one| format!("{} at {}", one.name, one.address));
    Ok(named.collect::<Vec<_>>().join(", "))
}

fn check_templates(context: &Context) -> Finding {
    // Opening the club already compiled all templates and tried the club's own templates on a
    // letter.
    let tags: Vec<&str> = context.library.language_tags().collect();
    if !tags.contains(&context.settings.language.as_str()) {
        let (named, there) = (&context.settings.language, tags.join(", "));
        return Err(format!(
            "club.yaml names the language {named}, which has no templates; use one of: {there}"
        )
        .into());
    }
    let own = context.folder.join("templates");
    let mut faults = Vec::new();
    if own.is_dir() {
        let describe = |fault| format!("templates/{fault}");
        faults.extend(
            context
                .library
                .find_unused_templates(&own)
                .map_err(describe)?
                .into_iter()
                .map(describe),
        );
    }
    let unnamed = context.library.game_kinds_without_name();
    faults.extend(unnamed.iter().map(|(tag, game)| {
        format!("{game} has no name in {tag}: add game-{game} = ... to templates/{tag}")
    }));
    if faults.is_empty() {
        return Ok(format!("languages: {}", tags.join(", ")));
    }
    Err(faults.join(&format!("\n{:19}", "")).into())
}

fn check_games(counted: &GameCount, all: bool) -> Finding {
    match counted {
        Err(why) => Err(why.to_string().into()),
        Ok((_, broken)) if !broken.is_empty() => {
            let broken: Vec<String> = broken.iter().map(ToString::to_string).collect();
            Err(broken.join("; ").into())
        }
        Ok((count, _)) if all => Ok(format!("{count} can be played")),
        Ok((count, _)) => Ok(format!("{count}, by their stored summaries; --all replays them")),
    }
}

fn check_journal(context: &Context, counted: &GameCount, all: bool) -> Finding {
    if !context.settings.is_store_in_folder() {
        return Ok("none: back up the database server (pg_dump)".to_owned());
    }
    let games = counted.as_ref().map_or(0, |(count, _)| *count);
    let journal = context.journal_folder();
    if games == 0 && !journal.exists() {
        return Ok("none yet; the first game creates it".to_owned());
    }
    let differences = match all {
        true => context.store.journal_differences(&journal)?,
        false => context.store.journal_length_differences(&journal)?,
    };
    if differences.is_empty() {
        let same = match all {
            true => "the same as in the store",
            false => "same lengths as in the store; --all compares the content",
        };
        return Ok(format!(
            "{games} games, members, seats, clocks and people around games: {same}"
        ));
    }
    let mend = match context.store.is_journal_behind()? {
        true => "the next tick adds what is missing",
        false => "move the folder `journal` away; the next tick rewrites it from the store",
    };
    Err(format!("differs from the store: {}; {mend}", differences.join(", ")).into())
}

fn check_outbound_transport(context: &Context, environment: &Environment) -> Finding {
    let waiting = Transaction::begin(context).outbox().outbox_length()?;
    let out = &context.settings.mail_out;
    if let Some(server) = &out.smtp {
        transports::open_smtp(context, server, environment)
            .map_err(describe_failure)?
            .check_login()
            .map_err(|error| transports::with_remedy(&error.to_string()))?;
        return Ok(format!("{} answers; {waiting} letters queued", server.host));
    }
    if let Some(program) = &out.sendmail {
        let path = Path::new(&program.command);
        return match std::fs::metadata(path) {
            Ok(data) if data.is_file() && data.permissions().mode() & 0o111 != 0 => {
                Ok(format!("{}; {waiting} letters queued", program.command))
            }
            Ok(_) => Err(format!("{} is not an executable program", program.command).into()),
            Err(_) => Err(format!(
                "{} does not exist: install a mail server, or correct mail_out.sendmail.command",
                program.command
            )
            .into()),
        };
    }
    let root = context.folder.join(out.maildir.as_deref().unwrap_or_default());
    transports::check_outbound_is_not_inbox(&context.inbox_maildir(), &root)
        .map_err(|failure| failure.what)?;
    check_folder_writable(&root.join("tmp"))?;
    check_folder_writable(&root.join("new"))?;
    Ok(format!("{}; {waiting} letters queued", root.display()))
}

/// Checks that the club recognizes the reply token in an answer to one of its letters.
fn check_reply_token(context: &Context) -> Finding {
    let token = context.secret.sign_seat_token(TokenPosition { game: 1, seat: 1, seq: 1 }, 1);
    let club = &context.settings.address;
    let (to, tag) = match context.settings.plus_addressing {
        true => (token.reply_address(club), String::new()),
        false => (club.clone(), token.subject_tag()),
    };
    let letter = format!("From: a@example.org\r\nTo: {to}\r\nSubject: Re: x {tag}\r\n\r\nhelp\r\n");
    let letter = Letter::parse(letter.as_bytes())?;
    match SeatToken::find_in_letter(&letter, club) {
        Some(found)
            if context.secret.is_valid_seat_token(&found, 1)
                && context.settings.plus_addressing =>
        {
            let (user, host) = club.split_once('@').unwrap_or((club, ""));
            Ok(format!("in the address; letters to {user}+anything@{host} must arrive"))
        }
        Some(found) if context.secret.is_valid_seat_token(&found, 1) => {
            Ok("in the subject".to_owned())
        }
        _ => Err(format!("the club would not recognize a reply to {club}").into()),
    }
}

fn post_test_letters(args: &Args, context: &Context, environment: &Environment) -> Finding {
    let settings = &context.settings;
    let mut letters = Vec::new();
    for (number, moderator) in (1..).zip(settings.moderators.iter()) {
        let (at, host) = (environment.now.timestamp(), settings.address_host());
        let message_id = format!("doctor.{at}.{number}@{host}");
        letters.push((compose_test_letter(context, moderator, &message_id)?, message_id));
    }
    if !args.send {
        return Ok("can be composed; --send posts it to the moderator".to_owned());
    }
    let mut transport =
        transports::open_outbound(context, environment).map_err(describe_failure)?;
    for ((bytes, message_id), moderator) in letters.iter().zip(settings.moderators.iter()) {
        let recipient = &moderator.address;
        transport.post(&OutgoingMessage { message_id, recipient, bytes })?;
    }
    let posted: Vec<&str> = settings.moderators.iter().map(|one| &*one.address).collect();
    Ok(format!("posted to {}", posted.join(", ")))
}

fn compose_test_letter(
    context: &Context,
    moderator: &Moderator,
    message_id: &str,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let settings = &context.settings;
    // With this token, an answer to the test letter counts as the moderator's.
    let token = process::moderator_token(context, moderator)?;
    let plus = settings.plus_addressing;
    let reply_to = plus.then(|| token.reply_address(&settings.address));
    let tag = if plus { String::new() } else { format!(" {}", token.subject_tag()) };
    Ok(compose_letter_bytes(&Draft {
        pictures: &[],
        message_id,
        from: (&settings.name, &settings.address),
        to: (&moderator.name, &moderator.address),
        reply_to: reply_to.as_deref(),
        subject: &format!("postrider: a test letter{tag}"),
        in_reply_to: None,
        references: &[],
        list: None,
        unsubscribe: None,
        origin: Origin::Generated,
        written_at: context.now,
        text: "The way out works. An answer to this letter is known to be the moderator's:\n\
               \"help\" brings the list of what a moderator can ask for.\n",
        html: None,
        calendars: &[],
    })?)
}
