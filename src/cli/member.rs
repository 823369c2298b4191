//! `postrider member` and `postrider rotate`: who the members are, and how they are reached.

use super::{Environment, Exit, Failure, club};
use crate::club::Member;
use crate::process::MemberChange;
use crate::rules::Seat;
use std::io::Write;
use std::path::Path;

/// List members, or change how one is called and reached.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Say how the member would be, and change nothing.
    #[arg(long, global = true)]
    dry_run: bool,
    #[command(subcommand)]
    what: What,
}

/// What is done.
#[derive(clap::Subcommand, Debug)]
enum What {
    /// List all members: number, name, addresses (letters go to the first), where they play.
    List {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
    },
    /// Let orders come from one more address.
    AddAddress {
        /// The member's number, or one of the member's addresses.
        member: String,
        /// The new address.
        address: String,
        /// Send letters there from now on.
        #[arg(long)]
        first: bool,
    },
    /// Let no more orders come from an address.
    RemoveAddress {
        /// The member's number, or one of the member's addresses.
        member: String,
        /// The address.
        address: String,
    },
    /// Change the name that other players see.
    Rename {
        /// The member's number, or one of the member's addresses.
        member: String,
        /// The new name.
        name: String,
    },
    /// Change the language of a member's letters.
    Language {
        /// The member's number, or one of the member's addresses.
        member: String,
        /// Such as en.
        tag: String,
    },
    /// Draw a member's boards in ASCII only, or not.
    Ascii {
        /// The member's number, or one of the member's addresses.
        member: String,
        /// Whether ASCII only.
        #[arg(value_parser = ["on", "off"])]
        state: String,
    },
}

/// Make a seat's reply addresses void and send its player a letter with a new one.
///
/// For when a letter fell into wrong hands.
#[derive(clap::Args, Debug)]
pub struct RotateArgs {
    /// The game's number.
    game: u32,
    /// The seat's number, from 1.
    #[arg(long)]
    seat: u8,
    /// Say whose seat it is, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let (who, change) = match &args.what {
        What::List { json } => return list(*json, folder, environment, out),
        What::AddAddress { member, address, first } => {
            (member, MemberChange::AddAddress { address: address.clone(), first: *first })
        }
        What::RemoveAddress { member, address } => {
            (member, MemberChange::RemoveAddress(address.clone()))
        }
        What::Rename { member, name } => (member, MemberChange::Rename(name.clone())),
        What::Language { member, tag } => (member, MemberChange::Language(tag.clone())),
        What::Ascii { member, state } => (member, MemberChange::Ascii(state == "on")),
    };
    let office = club::open(folder, environment)?;
    let changed = if args.dry_run {
        office.rehearse_member(who, &change)?
    } else {
        office.change_member(who, &change)?
    };
    match changed {
        Ok(member) => {
            if args.dry_run {
                writeln!(out, "Nothing is changed. The member would be:")?;
            }
            writeln!(out, "{}", line(&member))?;
            Ok(Exit::Done)
        }
        Err(refusal) => {
            Err(Failure::new(Exit::Usage, refusal).hint("postrider member list shows the members"))
        }
    }
}

fn list(
    json: bool,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let office = club::open(folder, environment)?;
    for member in office.store.members()? {
        if json {
            let text = serde_json::to_string(&member)
                .map_err(|error| Failure::new(Exit::Internal, error))?;
            writeln!(out, "{text}")?;
            continue;
        }
        let seats = office.store.seats_of(member.id)?;
        let seats: Vec<String> =
            seats.iter().map(|(game, seat)| format!("game {game} seat {seat}")).collect();
        let plays = if seats.is_empty() { "no game".to_owned() } else { seats.join(", ") };
        writeln!(out, "{}: {plays}", line(&member))?;
    }
    Ok(Exit::Done)
}

/// A member on one line.
fn line(member: &Member) -> String {
    let Member { id, name, addresses, language, .. } = member;
    let ascii = if member.ascii { ", ascii" } else { "" };
    let lost = member.undeliverable.map_or_else(String::new, |since| {
        format!(", letters come back since {}", since.format("%Y-%m-%d"))
    });
    format!("{id:>5}  {name} <{}> ({language}{ascii}{lost})", addresses.join(">, <"))
}

pub(super) fn rotate(
    args: &RotateArgs,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let office = club::open(folder, environment)?;
    let RotateArgs { game, seat, dry_run } = args;
    let none = || Failure::new(Exit::Usage, format!("game {game} has no seat {seat}"));
    if *seat == 0 {
        return Err(none());
    }
    if *dry_run {
        let playing = office.open_game(*game)?;
        let (_, member) = playing.seat(Seat::new(*seat)).ok_or_else(none)?;
        writeln!(
            out,
            "Nothing is changed. Older letters to {} about game {game} could no longer be replied \
             to, and a new one would be sent.",
            member.name
        )?;
        return Ok(Exit::Done);
    }
    let member = office.rotate(*game, Seat::new(*seat))?.ok_or_else(none)?;
    writeln!(
        out,
        "Older letters to {} about game {game} can no longer be replied to; the next tick sends a \
         new one.",
        member.name
    )?;
    Ok(Exit::Done)
}
