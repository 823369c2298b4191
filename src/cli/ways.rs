//! A club's ways in and out, opened with the secrets that the settings name.

use super::{Environment, Exit, Failure};
use crate::club::Settings;
use crate::disk::is_open_to_others;
use crate::mail::fetch::{FetchError, ImapServer};
use crate::mail::settings::{Imap, MailOut, Smtp};
use crate::mail::transport::{MailProgram, MailServerTransport, MaildirTransport, Transport};
use crate::mail::{Maildir, Mend, Patience};
use crate::process::{Context, Served};
use std::path::Path;

/// The way out that the settings name.
pub fn transport(
    context: &Context,
    environment: &Environment,
) -> Result<Box<dyn Transport>, Failure> {
    let MailOut { maildir, smtp, sendmail } = &context.settings.mail_out;
    if let Some(server) = smtp {
        return Ok(Box::new(smtp_transport(context, server, environment)?));
    }
    if let Some(program) = sendmail {
        return Ok(Box::new(MailProgram::new(program, &context.settings.address)));
    }
    // club.yaml was refused when it names no way out.
    let none = || Failure::new(Exit::Settings, "club.yaml names no way out");
    let maildir = context.folder.join(maildir.as_ref().ok_or_else(none)?);
    leads_out(&context.inbox(), &maildir)?;
    Ok(Box::new(MaildirTransport::new(maildir)))
}

/// Refuses a way out that leads back into the inbox, under whatever name: each letter of ours would
/// come to us as one to read.
pub fn leads_out(inbox: &Maildir, out: &Path) -> Result<(), Failure> {
    // What is not there yet is no other folder.
    let Ok(out) = out.join("new").canonicalize() else { return Ok(()) };
    if inbox.folders().any(|folder| folder.canonicalize().is_ok_and(|folder| folder == out)) {
        let what = format!("mail_out is the inbox: what is posted to {} came back", out.display());
        return Err(Failure::new(Exit::Settings, what).hint("name another folder in club.yaml"));
    }
    Ok(())
}

/// The way out by a mail server.
pub fn smtp_transport(
    context: &Context,
    server: &Smtp,
    environment: &Environment,
) -> Result<MailServerTransport, Failure> {
    let words = (server.password_env.as_deref(), server.password_file.as_deref());
    let password = password(&context.folder, words, environment)?;
    let ca = certificates(&context.folder, server.ca_file.as_deref())?;
    MailServerTransport::new(server, password, &context.settings.address, ca.as_deref())
        .map_err(|error| Failure::new(Exit::Settings, error))
}

/// Opens the mail server that letters are fetched from, where the settings name one. That it
/// cannot be reached stops no pass; that its password is missing is an error of the settings, and
/// does neither.
pub fn server<'a>(
    folder: &'a Path,
    settings: &'a Settings,
    environment: &'a Environment,
) -> Option<Served<'a>> {
    let account = settings.mail_in.imap.as_ref()?;
    Some(Box::new(move || match imap(folder, account, environment) {
        Ok(server) => Ok(Box::new(server)),
        Err(failure) => {
            let mend = mend_of(failure.exit);
            let hint = failure.hint.map_or_else(String::new, |hint| format!(": {hint}"));
            Err(FetchError { why: failure.what + &hint, mend })
        }
    }))
}

/// The way in by this account.
pub fn imap(
    folder: &Path,
    account: &Imap,
    environment: &Environment,
) -> Result<ImapServer, Failure> {
    let words = (account.password_env.as_deref(), account.password_file.as_deref());
    let password = password(folder, words, environment)?.unwrap_or_default();
    let ca = certificates(folder, account.ca_file.as_deref())?;
    ImapServer::open(Patience::default(), account, &password, ca.as_deref())
        .map_err(|error| Failure::new(error.mend.map_or(Exit::TryAgain, exit_of), error.why))
}

/// How the program ends over what a person must mend.
pub const fn exit_of(mend: Mend) -> Exit {
    match mend {
        Mend::Missing => Exit::NoInput,
        Mend::Forbidden => Exit::NoPermission,
        Mend::Settings => Exit::Settings,
        Mend::Disk => Exit::Disk,
    }
}

/// What a person must mend when the program would end so.
const fn mend_of(exit: Exit) -> Option<Mend> {
    match exit {
        Exit::NoInput => Some(Mend::Missing),
        Exit::NoPermission => Some(Mend::Forbidden),
        Exit::Settings | Exit::BadData => Some(Mend::Settings),
        Exit::Disk => Some(Mend::Disk),
        _ => None,
    }
}

/// A mail server's password, from the environment variable or a file that only its owner can read.
fn password(
    folder: &Path,
    (variable, file): (Option<&str>, Option<&str>),
    environment: &Environment,
) -> Result<Option<String>, Failure> {
    if let Some(name) = variable {
        return (environment.variable)(name).map(Some).ok_or_else(|| {
            Failure::new(Exit::Settings, format!("the environment variable {name} is not set"))
        });
    }
    let Some(file) = file else { return Ok(None) };
    let path = folder.join(file);
    let text = std::fs::read_to_string(&path).map_err(|error| Failure::file(&path, &error))?;
    if is_open_to_others(&path) {
        return Err(Failure::new(
            Exit::NoPermission,
            format!("{} can be read by others", path.display()),
        )
        .hint(format!("chmod 600 {}", path.display())));
    }
    Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
}

/// The root certificates of a club's own.
fn certificates(folder: &Path, file: Option<&str>) -> Result<Option<Vec<u8>>, Failure> {
    let Some(file) = file else { return Ok(None) };
    let path = folder.join(file);
    std::fs::read(&path).map(Some).map_err(|error| Failure::file(&path, &error))
}

/// What a server or the line to it said, with what to do about it where that is known.
pub fn advice(said: &str) -> String {
    remedy(said).map_or_else(|| said.to_owned(), |hint| format!("{said}\n{:19}{hint}", ""))
}

/// What to do about what a server or the line to it said, where that is known.
pub fn remedy(said: &str) -> Option<&'static str> {
    let small = said.to_lowercase();
    let known = [
        ("unknownissuer", "its certificate is signed by nobody we know: name its ca_file"),
        ("notvalidforname", "its certificate is for another name: mend host"),
        ("certificate not valid for name", "its certificate is for another name: mend host"),
        ("expired", "its certificate has run out: whoever runs the server must renew it"),
        ("refused (os error", "nobody listens there: mend host and port, or start the server"),
        ("lookup address", "there is no such name: mend host"),
        ("authentic", "mend user and the password"),
        ("signing in", "mend user and the password"),
        ("answer to starttls", "somebody may change what it says: use tls: tls and its port"),
        ("starttls", "it does not offer STARTTLS there: try tls: tls and its port"),
        ("corrupt message", "it does not speak TLS there: try tls: starttls, or another port"),
        ("timed out", "it does not answer: mend host and port, or ask for a firewall"),
    ];
    known.iter().find(|(word, _)| small.contains(word)).map(|(_, hint)| *hint)
}
