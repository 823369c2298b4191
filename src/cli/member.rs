//! `postrider member`: who the members are, and how they are reached.

use super::{Environment, Exit, Failure, club};
use crate::club::Member;
use crate::process::{self, Blame, Context, MemberChange, MemberRefusal, Transaction};
use crate::store::Repository;
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
    /// Make somebody a member; a letter tells him so, and how it works.
    ///
    /// To ask him first: postrider moderate 'invite Zoe Miller <zoe@example.org>'.
    Add {
        /// The name that other players see, and the address: "Zoe <zoe@example.org>".
        who: String,
        /// Even if the name is, or looks like, that of somebody else, or of something in letters.
        #[arg(long)]
        insist: bool,
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
        /// The mail address.
        address: String,
    },
    /// Change the name that other players see.
    Rename {
        /// The member's number, or one of the member's addresses.
        member: String,
        /// The new name.
        name: String,
        /// Even if it is, or looks like, the name of somebody else, or of something in letters.
        #[arg(long)]
        insist: bool,
    },
    /// Let a newcomer invite as many people as any member may.
    ///
    /// Somebody who came to an open club by themself may invite five people before they have
    /// finished a turn.
    AllowInvitations {
        /// The member's number, or one of the member's addresses.
        member: String,
    },
    /// Change a setting of a member, written as in the member's own letters: language en, letters
    /// text|html|turns|all|each, letters digest [18:00], letters picture on|off, board
    /// ascii|unicode|narrow|wide, colours on|patterns|off, calendar on|off, standings on|off,
    /// invitations on|off, zone Europe/Madrid, vacation 2026-12-20 to 2027-01-03, no vacation.
    Set {
        /// The member's number, or one of the member's addresses.
        member: String,
        /// The setting, such as: letters text.
        #[arg(required = true, num_args = 1.., value_name = "SETTING")]
        line: Vec<String>,
    },
    /// Say that a member's first address takes letters, whatever mail servers have said. An
    /// undeliverable member is written to again at once, with the news that they missed.
    Reachable {
        /// The member's number, or one of the member's addresses.
        member: String,
    },
    /// Let a member leave the club: out of all games, name and addresses erased.
    ///
    /// Prints which files in the club's folder still hold an address, such as letters in the
    /// inbox's folders: they are for you to delete.
    Forget {
        /// The member's number, or one of the member's addresses.
        member: String,
    },
    /// Show a member's settings, each with the words that change it.
    Settings {
        /// The member's number, or one of the member's addresses.
        member: String,
    },
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let (who, change) = match &args.what {
        What::List { json } => return list(*json, folder, environment, out),
        What::Add { who, insist } => {
            return add((who, *insist), args.dry_run, folder, environment, out);
        }
        What::Forget { member } => {
            return forget(member, args.dry_run, folder, environment, out);
        }
        What::AddAddress { member, address, first } => {
            (member, MemberChange::AddAddress { address: address.clone(), first: *first })
        }
        What::RemoveAddress { member, address } => {
            (member, MemberChange::RemoveAddress(address.clone()))
        }
        What::Reachable { member } => (member, MemberChange::Reachable),
        What::Rename { member, name, insist: false } => {
            (member, MemberChange::Rename(name.clone()))
        }
        What::Rename { member, name, insist: true } => {
            (member, MemberChange::RenameAnyway(name.clone()))
        }
        What::AllowInvitations { member } => (member, MemberChange::AllowInvitations),
        What::Set { member, line } => {
            let line = line.join(" ");
            return set((member, &line), args.dry_run, folder, environment, out);
        }
        What::Settings { member } => return settings(member, folder, environment, out),
    };
    let context = club::open(folder, environment)?;
    let changed = if args.dry_run {
        process::rehearse_member(&context, who, &change)
    } else {
        process::change_member(&context, who, &change)
    };
    show(&context, changed, args.dry_run.then_some("The member"), out)
}

/// Prints a member as he is now, or as who is named so would be.
fn show(
    context: &Context,
    changed: Result<Member, Blame<MemberRefusal>>,
    would_be: Option<&str>,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let refused = |refusal| refused(context, refusal);
    let member = changed.map_err(|blame| club::failed(blame, refused))?;
    if let Some(who) = would_be {
        writeln!(out, "Nothing is changed. {who} would be:")?;
    }
    writeln!(out, "{}", line(&member))?;
    Ok(Exit::Done)
}

fn add(
    (who, insist): (&str, bool),
    dry_run: bool,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let context = club::open(folder, environment)?;
    let added = if dry_run {
        process::rehearse_new_member(&context, who, insist)
    } else {
        process::add_member(&context, who, insist)
    };
    show(&context, added, dry_run.then_some("The new member"), out)
}

fn set(
    (who, setting): (&str, &str),
    dry_run: bool,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let context = club::open(folder, environment)?;
    let set = if dry_run {
        process::rehearse_setting(&context, who, setting)
    } else {
        process::set_member(&context, who, setting)
    };
    let refused = |refusal| refused(&context, refusal);
    let (member, said) = set.map_err(|blame| club::failed(blame, refused))?;
    if dry_run {
        writeln!(out, "Nothing is changed. The member would be told:")?;
    }
    let said = context.library.language(&member.language).say(&said);
    writeln!(out, "{}: {said}", line(&member))?;
    Ok(Exit::Done)
}

fn settings(
    who: &str,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let context = club::open(folder, environment)?;
    let none = || refused(&context, MemberRefusal::NoMember(who.to_owned()));
    let member = process::find_member(&context, who)?.ok_or_else(none)?;
    let language = context.library.language(&context.settings.language);
    for setting in member.settings() {
        writeln!(out, "{}", language.say(&setting))?;
    }
    Ok(Exit::Done)
}

fn refused(context: &Context, refusal: MemberRefusal) -> Failure {
    match refusal {
        MemberRefusal::WrongSetting(why) => {
            let language = context.library.language(&context.settings.language);
            Failure::new(Exit::Usage, language.say(&why))
        }
        MemberRefusal::NoSetting(_) => Failure::new(Exit::Usage, refusal)
            .hint("postrider member settings WHO shows all settings"),
        MemberRefusal::NoMember(_) => {
            Failure::new(Exit::NoInput, refusal).hint("postrider member list shows the members")
        }
        MemberRefusal::NameNotFree(_) => {
            Failure::new(Exit::Usage, refusal).hint("--insist gives it all the same")
        }
        MemberRefusal::NoName | MemberRefusal::NoAddress(_) => Failure::new(Exit::Usage, refusal),
        _ => Failure::new(Exit::Usage, refusal).hint("postrider member list shows the members"),
    }
}

fn list(
    json: bool,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let context = club::open(folder, environment)?;
    for member in Transaction::begin(&context).members()? {
        if json {
            let text = serde_json::to_string(&member)
                .map_err(|error| Failure::new(Exit::Internal, error))?;
            writeln!(out, "{text}")?;
            continue;
        }
        listed(&context, &member, out)?;
    }
    Ok(Exit::Done)
}

/// Writes a member and where he plays.
fn listed(context: &Context, member: &Member, out: &mut dyn Write) -> Result<Exit, Failure> {
    let seats = Transaction::begin(context).seats_of(member.id)?;
    let seats: Vec<String> =
        seats.iter().map(|(game, seat)| format!("game {game} seat {seat}")).collect();
    let plays = if seats.is_empty() { "no game".to_owned() } else { seats.join(", ") };
    writeln!(out, "{}: {plays}", line(member))?;
    Ok(Exit::Done)
}

fn forget(
    who: &str,
    dry_run: bool,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    if !dry_run && let Some(exit) = super::forget::forget(who, folder, environment, out)? {
        return Ok(exit);
    }
    let context = club::open(folder, environment)?;
    let none = || refused(&context, MemberRefusal::NoMember(who.to_owned()));
    let member = process::find_member(&context, who)?.ok_or_else(none)?;
    writeln!(out, "Nothing is changed. This member would be erased, and out of all games:")?;
    listed(&context, &member, out)
}

/// A member on one line.
fn line(member: &Member) -> String {
    let Member { id, name, addresses, language, .. } = member;
    let ascii = if member.ascii { ", ascii" } else { "" };
    let lost = member.undeliverable().map_or_else(String::new, |since| {
        format!(", letters come back since {}", since.format("%Y-%m-%d"))
    });
    format!("{id:>5}  {name} <{}> ({language}{ascii}{lost})", addresses.join(">, <"))
}
