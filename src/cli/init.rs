//! `postrider init`: creates a club.

use super::{Call, Exit, Failure, club_folder};
use crate::club::parse_mailbox;
use crate::mail::address::parse_plain_address;
use crate::mail::is_club_address;
use std::path::PathBuf;

/// Create a club: a folder with settings, a secret and two Maildirs.
///
/// Then check DIR/club.yaml, run `postrider -C DIR doctor`, found a game with `postrider -C DIR
/// new`, and let cron run `postrider -C DIR tick`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The folder. It may exist, but must not hold a club.
    dir: PathBuf,
    /// The club's name.
    #[arg(long, default_value = "The Postal Club")]
    name: String,
    /// The address that players write to.
    #[arg(long, value_name = "ADDRESS", default_value = "games@example.org")]
    address: String,
    /// Your name and address, as the moderator.
    #[arg(
        long,
        value_name = "NAME <ADDRESS>",
        default_value = "Moderator <moderator@example.org>"
    )]
    moderator: String,
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    if args.dir.join("club.yaml").exists() {
        return Err(Failure::new(
            Exit::CannotCreate,
            format!("{} holds a club already", args.dir.display()),
        )
        .add_hint("name another folder; nothing has been changed"));
    }
    let (name, address) = parse_mailbox(&args.moderator).ok_or_else(|| {
        Failure::new(Exit::Usage, format!("--moderator: {} is not an address", args.moderator))
            .add_hint("write it as 'Mo <mo@example.org>'")
    })?;
    if parse_plain_address(&args.address).is_none_or(|address| !address.is_ascii()) {
        let what = format!("--address: {} is not an address", args.address);
        return Err(Failure::new(Exit::Usage, what).add_hint("write it as games@example.org"));
    }
    if is_club_address(&address, &args.address) {
        let what = format!("--moderator: {address} is the club's own address");
        return Err(Failure::new(Exit::Usage, what)
            .add_hint("letters to the moderator would come back to the club"));
    }
    let text = club_folder::settings_text(&args.name, &args.address, (&name, &address));
    club_folder::create_club(&args.dir, &text, call.environment.random_bytes()?)?;
    let (dir, out) = (args.dir.display(), &mut *call.out);
    writeln!(out, "Created a club in {dir}. Next:")?;
    writeln!(out, "  check {dir}/club.yaml (address, mail_in, mail_out)")?;
    writeln!(out, "  postrider -C {dir} doctor")?;
    writeln!(
        out,
        "  postrider -C {dir} new paris-connection --player 'Ann <ann@example.org>' --player ..."
    )?;
    writeln!(out, "  postrider -C {dir} tick        and from cron every few minutes")?;
    Ok(Exit::Done)
}
