//! Opens a club's mail transports with the passwords and certificates that the settings name.

use super::{Environment, Exit, Failure};
use crate::club::Settings;
use crate::disk::is_readable_by_others;
use crate::mail::fetch::{FetchError, ImapServer};
use crate::mail::settings::{ImapSettings, OutboundSettings, SmtpSettings};
use crate::mail::transport::{MaildirTransport, SendmailTransport, SmtpTransport, Transport};
use crate::mail::{Maildir, PermanentFault, Timeouts};
use crate::process::{Context, ServerOpener};
use std::path::Path;

/// Opens the outbound transport that the settings name.
pub fn open_outbound(
    context: &Context,
    environment: &Environment,
) -> Result<Box<dyn Transport>, Failure> {
    let OutboundSettings { maildir, smtp, sendmail } = &context.settings.mail_out;
    if let Some(server) = smtp {
        return Ok(Box::new(open_smtp(context, server, environment)?));
    }
    if let Some(program) = sendmail {
        return Ok(Box::new(SendmailTransport::new(program, &context.settings.address)));
    }
    // The settings parser refuses a club.yaml without an outbound transport, so this error is not
    // expected.
    let none = || Failure::new(Exit::Settings, "club.yaml names no outbound transport");
    let maildir = context.folder.join(maildir.as_ref().ok_or_else(none)?);
    check_outbound_is_not_inbox(&context.inbox_maildir(), &maildir)?;
    Ok(Box::new(MaildirTransport::new(maildir)))
}

/// Refuses an outbound folder that is the inbox under another path, because each posted letter
/// would come back to the club.
pub fn check_outbound_is_not_inbox(inbox: &Maildir, out: &Path) -> Result<(), Failure> {
    // A folder that does not exist yet cannot be the inbox.
    let Ok(out) = out.join("new").canonicalize() else { return Ok(()) };
    if inbox.letter_folders().any(|folder| folder.canonicalize().is_ok_and(|folder| folder == out))
    {
        let what =
            format!("mail_out is the inbox: letters posted to {} would come back", out.display());
        return Err(Failure::new(Exit::Settings, what).add_hint("name another folder in club.yaml"));
    }
    Ok(())
}

/// Opens the outbound transport to a mail server.
pub fn open_smtp(
    context: &Context,
    server: &SmtpSettings,
    environment: &Environment,
) -> Result<SmtpTransport, Failure> {
    let SmtpSettings { password_env, password_file, ca_file, .. } = server;
    let password = read_password(&context.folder, password_env, password_file, environment)?;
    let ca = read_certificates(&context.folder, ca_file)?;
    SmtpTransport::new(server, password, &context.settings.address, ca.as_deref())
        .map_err(|error| Failure::new(Exit::Settings, error))
}

/// Returns a function that opens the mail server from which letters are fetched, or `None` if the
/// settings name none. Its errors do not stop the pass: an unreachable server is a passing trouble,
/// and a missing password is a fault that somebody must mend.
pub fn inbound_server_opener<'a>(
    folder: &'a Path,
    settings: &'a Settings,
    environment: &'a Environment,
) -> Option<ServerOpener<'a>> {
    let account = settings.mail_in.imap.as_ref()?;
    Some(Box::new(move || match open_imap(folder, account, environment) {
        Ok(server) => Ok(Box::new(server)),
        Err(failure) => {
            let mend = fault_for_exit(failure.exit);
            let hint = failure.hint.map_or_else(String::new, |hint| format!(": {hint}"));
            Err(FetchError { why: failure.what + &hint, permanent_fault: mend })
        }
    }))
}

/// Opens the inbound transport from an IMAP account.
pub fn open_imap(
    folder: &Path,
    account: &ImapSettings,
    environment: &Environment,
) -> Result<ImapServer, Failure> {
    let ImapSettings { password_env, password_file, ca_file, .. } = account;
    let password =
        read_password(folder, password_env, password_file, environment)?.unwrap_or_default();
    let ca = read_certificates(folder, ca_file)?;
    ImapServer::open(Timeouts::default(), account, &password, ca.as_deref()).map_err(|error| {
        Failure::new(error.permanent_fault.map_or(Exit::TryAgain, exit_for_fault), error.why)
    })
}

/// Returns the exit code for a lasting fault, which somebody must mend.
pub const fn exit_for_fault(mend: PermanentFault) -> Exit {
    match mend {
        PermanentFault::Missing => Exit::NoInput,
        PermanentFault::Forbidden => Exit::NoPermission,
        PermanentFault::Settings => Exit::Settings,
        PermanentFault::Disk => Exit::Disk,
    }
}

/// Returns the kind of fault that somebody must mend if the program would end with this exit code.
/// Returns `None` for passing troubles.
fn fault_for_exit(exit: Exit) -> Option<PermanentFault> {
    let exit = if exit == Exit::BadData { Exit::Settings } else { exit };
    let mut mends = [
        PermanentFault::Missing,
        PermanentFault::Forbidden,
        PermanentFault::Settings,
        PermanentFault::Disk,
    ]
    .into_iter();
    mends.find(|mend| exit_for_fault(*mend) == exit)
}

/// Reads a mail server's password from the environment variable or the file. Refuses a file that
/// others can read.
fn read_password(
    folder: &Path,
    variable: &Option<String>,
    file: &Option<String>,
    environment: &Environment,
) -> Result<Option<String>, Failure> {
    if let Some(name) = variable {
        return (environment.variable)(name).map(Some).ok_or_else(|| {
            Failure::new(Exit::Settings, format!("the environment variable {name} is not set"))
        });
    }
    let Some(path) = file.as_ref().map(|file| folder.join(file)) else { return Ok(None) };
    let text = std::fs::read_to_string(&path).map_err(|error| Failure::for_path(&path, &error))?;
    if is_readable_by_others(&path) {
        let path = path.display();
        return Err(Failure::new(Exit::NoPermission, format!("other users can read {path}"))
            .add_hint(format!("run chmod 600 {path}")));
    }
    Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
}

/// Reads the file with root certificates that the settings name, if any.
fn read_certificates(folder: &Path, file: &Option<String>) -> Result<Option<Vec<u8>>, Failure> {
    let Some(path) = file.as_ref().map(|file| folder.join(file)) else { return Ok(None) };
    std::fs::read(&path).map(Some).map_err(|error| Failure::for_path(&path, &error))
}

/// Returns a server's error message, with a remedy if one is known.
pub fn with_remedy(said: &str) -> String {
    find_remedy(said).map_or_else(|| said.to_owned(), |hint| format!("{said}\n{:19}{hint}", ""))
}

/// Returns the remedy for a server's or connection's error message, if one is known.
pub fn find_remedy(message: &str) -> Option<&'static str> {
    let small = message.to_lowercase();
    let known = [
        (
            "unknownissuer",
            "its certificate has an unknown issuer: set ca_file to the issuer's certificate",
        ),
        ("notvalidforname", "its certificate is for another host name: correct host"),
        (
            "certificate not valid for name",
            "its certificate is for another host name: correct host",
        ),
        ("expired", "its certificate has expired: the server's administrator must renew it"),
        (
            "refused (os error",
            "no server listens there: correct host and port, or start the server",
        ),
        ("lookup address", "there is no host with this name: correct host"),
        ("authentic", "correct user and the password"),
        ("signing in", "correct user and the password"),
        (
            "answer to starttls",
            "somebody may be tampering with the connection: use tls: tls and its port",
        ),
        ("starttls", "the server does not offer STARTTLS on this port: try tls: tls and its port"),
        (
            "corrupt message",
            "the server does not use TLS on this port: try tls: starttls, or another port",
        ),
        ("timed out", "the server does not answer: correct host and port, or check the firewall"),
    ];
    known.iter().find(|(word, _)| small.contains(word)).map(|(_, hint)| *hint)
}
