//! `postrider member`: lists, adds, changes, exports and erases members. `postrider lobby`: sends a
//! lobby line on a member's behalf.

use super::{Call, Exit, Failure, club_folder, print_indented_json, print_json};
use crate::club::Member;
use crate::process::{
    self, Context, LeftoverKind, MemberChange, MemberExportRefusal, MemberRefusal, RequestError,
    Transaction,
};
use crate::store::Repository;
use std::io::Write;
use std::path::Path;

/// The number of files of each kind that are named when a member is erased. Others are counted.
const FILES_NAMED_MAX: usize = 10;

/// List members, or change their names, addresses and settings.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Show what the member would be, and change nothing.
    #[arg(long, global = true)]
    dry_run: bool,
    #[command(subcommand)]
    what: MemberCommand,
}

#[derive(clap::Subcommand, Debug)]
enum MemberCommand {
    /// List all members: number, name, addresses (letters go to the first), and seats.
    List {
        /// Print JSON, one member per line.
        #[arg(long)]
        json: bool,
    },
    /// Add a member, who gets a letter that explains how the club works.
    ///
    /// To ask first: postrider moderate 'invite Zoe Miller <zoe@example.org>'.
    Add {
        /// The name that other players see, and the address: "Zoe <zoe@example.org>".
        who: String,
        /// Accept a name that equals or resembles another member's name, or a word that letters
        /// use.
        #[arg(long)]
        insist: bool,
    },
    /// Accept orders from one more address.
    AddAddress {
        /// The member's number, address or name.
        member: String,
        /// The new address.
        address: String,
        /// Send letters there from now on.
        #[arg(long)]
        first: bool,
    },
    /// Accept no more orders from an address.
    RemoveAddress {
        /// The member's number, address or name.
        member: String,
        /// The address to remove.
        address: String,
    },
    /// Change the name that other players see.
    Rename {
        /// The member's number, address or name.
        member: String,
        /// The new name.
        name: String,
        /// Accept a name that equals or resembles another member's name, or a word that letters
        /// use.
        #[arg(long)]
        insist: bool,
    },
    /// Let a newcomer invite as many people as any other member.
    ///
    /// A newcomer who joined an open club without an invitation may invite only five people until
    /// they have finished a turn.
    AllowInvitations {
        /// The member's number, address or name.
        member: String,
    },
    /// Change a setting of a member, written as in the member's own letters: language en, letters
    /// text|html|turns|all|each, letters digest [18:00], letters picture on|off, board
    /// ascii|unicode|narrow|wide, colours on|patterns|off, calendar on|off, standings on|off,
    /// invitations on|off, site name|seat, zone Europe/Madrid, vacation 2026-12-20 to 2027-01-03,
    /// no vacation, remind 12h|off|as usual.
    Set {
        /// The member's number, address or name.
        member: String,
        /// The setting, such as: letters text.
        #[arg(required = true, num_args = 1.., value_name = "SETTING")]
        line: Vec<String>,
    },
    /// Declare that a member's first address works, despite what mail servers reported. A member
    /// whose letters bounced gets letters again at once, with the news that they missed.
    Reachable {
        /// The member's number, address or name.
        member: String,
    },
    /// Remove a member from the club: leave all games, erase name and addresses.
    ///
    /// Lists the files in the club's folder that still hold an address, such as letters in the
    /// inbox's folders. You have to delete those yourself. A person who was invited and is no
    /// member is erased by address.
    Forget {
        /// The member's number, address or name.
        member: String,
    },
    /// Print everything that the club knows about a member as one JSON document, for a request by
    /// that member. Changes nothing.
    ///
    /// A person who was invited and is no member is found by address. The document holds the
    /// member's plans, notes and private messages, so you need --secrets while one of their games
    /// is still being played. It holds nothing that only other players may know, no address of
    /// other members, and no reply token.
    Export {
        /// The member's number, address or name.
        member: String,
        /// Export it while a game of the member is still being played.
        #[arg(long)]
        secrets: bool,
    },
    /// Show a member's settings, each with the words that change it.
    Settings {
        /// The member's number, address or name.
        member: String,
    },
}

/// Propose, join, leave, cancel, wait for or observe a game on a member's behalf.
///
/// Use the words that the member would write in a letter: `games`, `join 12`, `cancel 12`, `new
/// paris-connection seats 4 deadline 3 days`.
#[derive(clap::Args, Debug)]
pub struct LobbyArgs {
    /// The member's number, address or name.
    #[arg(long = "as", value_name = "WHO")]
    member: String,
    /// The line that the member would write, such as `join 12`.
    #[arg(required = true)]
    words: Vec<String>,
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let (context, dry_run) = (call.open()?, args.dry_run);
    let (who, change) = match &args.what {
        MemberCommand::List { json } => return list_members(&context, *json, call.out),
        MemberCommand::Add { who, insist } => {
            let add = if dry_run { process::preview_new_member } else { process::add_member };
            let added = add(&context, who, *insist);
            return print_changed(&context, added, dry_run.then_some("The new member"), call.out);
        }
        MemberCommand::Set { member, line } => {
            return change_setting(&context, member, &line.join(" "), dry_run, call.out);
        }
        MemberCommand::Settings { member } => {
            for setting in find_member(&context, member)?.describe_settings() {
                writeln!(call.out, "{}", club_folder::localize_for_club(&context, &setting))?;
            }
            return Ok(Exit::Done);
        }
        MemberCommand::Export { member, secrets } => {
            return print_member_export(&context, member, *secrets, call.out);
        }
        MemberCommand::Forget { member } if dry_run => {
            let member = find_member(&context, member)?;
            let what = "Nothing is changed. This member would be erased and leave all games:";
            writeln!(call.out, "{what}")?;
            return print_member(&context, &member, call.out);
        }
        MemberCommand::Forget { member } => {
            return forget_member_and_rewrite_store(context, member, call);
        }
        MemberCommand::AddAddress { member, address, first } => {
            (member, MemberChange::AddAddress { address: address.clone(), first: *first })
        }
        MemberCommand::RemoveAddress { member, address } => {
            (member, MemberChange::RemoveAddress(address.clone()))
        }
        MemberCommand::Reachable { member } => (member, MemberChange::Reachable),
        MemberCommand::Rename { member, name, insist: false } => {
            (member, MemberChange::Rename(name.clone()))
        }
        MemberCommand::Rename { member, name, insist: true } => {
            (member, MemberChange::RenameAnyway(name.clone()))
        }
        MemberCommand::AllowInvitations { member } => (member, MemberChange::AllowInvitations),
    };
    let act = if dry_run { process::preview_changed_member } else { process::change_member };
    print_changed(&context, act(&context, who, &change), dry_run.then_some("The member"), call.out)
}

pub(super) fn run_lobby_command(args: &LobbyArgs, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let context = call.open()?;
    let member = find_member(&context, &args.member)?;
    let language = context.library.language("en");
    let words = process::run_lobby_line_for_member(&context, &member, &args.words.join(" "));
    let refused = |why| Failure::new(Exit::Usage, language.localize(&why));
    for word in words.map_err(|blame| club_folder::failure_from_request_error(blame, refused))? {
        writeln!(call.out, "{}", language.localize(&word))?;
    }
    Ok(Exit::Done)
}

/// Finds a member by number, address or name. Fails if there is none, or if there are several.
fn find_member(context: &Context, who: &str) -> Result<Member, Failure> {
    require_found(context, who, process::find_member(context, who)?)
}

/// Returns the member that was found, or the failure that lists the members of a similar name.
pub(super) fn require_found(
    context: &Context,
    who: &str,
    found: Option<Member>,
) -> Result<Member, Failure> {
    let Some(member) = found else {
        let why = process::describe_unknown_member(context, who)?;
        return Err(member_refusal_failure(context, MemberRefusal::NoMember(why)));
    };
    Ok(member)
}

/// Prints a member after a change. `would_be` names the member if it was a dry run.
fn print_changed(
    context: &Context,
    changed: Result<Member, RequestError<MemberRefusal>>,
    would_be: Option<&str>,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let refused = |refusal| member_refusal_failure(context, refusal);
    let member =
        changed.map_err(|blame| club_folder::failure_from_request_error(blame, refused))?;
    if let Some(who) = would_be {
        writeln!(out, "Nothing is changed. {who} would be:")?;
    }
    writeln!(out, "{}", member_line(&member))?;
    Ok(Exit::Done)
}

fn change_setting(
    context: &Context,
    who: &str,
    setting: &str,
    dry_run: bool,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let set =
        if dry_run { process::preview_member_setting } else { process::change_member_setting };
    let refused = |refusal| member_refusal_failure(context, refusal);
    let changed = set(context, who, setting)
        .map_err(|blame| club_folder::failure_from_request_error(blame, refused));
    let (member, said) = changed?;
    if dry_run {
        writeln!(out, "Nothing is changed. The member would be told:")?;
    }
    let said = context.library.language(&member.language).localize(&said);
    writeln!(out, "{}: {said}", member_line(&member))?;
    Ok(Exit::Done)
}

/// Returns the failure for a refused change, with a remedy if there is one.
pub(super) fn member_refusal_failure(context: &Context, refusal: MemberRefusal) -> Failure {
    match refusal {
        MemberRefusal::WrongSetting(why) => {
            Failure::new(Exit::Usage, club_folder::localize_for_club(context, &why))
        }
        MemberRefusal::NoSetting(_) => Failure::new(Exit::Usage, refusal)
            .add_hint("postrider member settings WHO shows all settings"),
        MemberRefusal::NoMember(why) => {
            Failure::new(Exit::NoInput, club_folder::localize_for_club(context, &why))
                .add_hint("postrider member list shows the members")
        }
        MemberRefusal::NameNotFree(_) => {
            Failure::new(Exit::Usage, refusal).add_hint("add --insist to use it anyway")
        }
        MemberRefusal::NoName | MemberRefusal::NoAddress(_) => Failure::new(Exit::Usage, refusal),
        _ => Failure::new(Exit::Usage, refusal).add_hint("postrider member list shows the members"),
    }
}

fn list_members(context: &Context, json: bool, out: &mut dyn Write) -> Result<Exit, Failure> {
    for member in Transaction::begin(context).members()? {
        if json {
            print_json(&member, out)?;
        } else {
            print_member(context, &member, out)?;
        }
    }
    Ok(Exit::Done)
}

fn print_member_export(
    context: &Context,
    who: &str,
    secrets: bool,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let refused = |refusal| match refusal {
        MemberExportRefusal::NoMember(why) => {
            member_refusal_failure(context, MemberRefusal::NoMember(why))
        }
        MemberExportRefusal::ComputerPlayer { id, name } => {
            let what =
                format!("member {id}, {name}, is a computer player: there is no such person");
            Failure::new(Exit::NoInput, what)
        }
        MemberExportRefusal::RunningGame(game) => club_folder::hidden_secrets_failure(game),
    };
    let document = process::export_member(context, who, secrets)
        .map_err(|blame| club_folder::failure_from_request_error(blame, refused))?;
    print_indented_json(&document, out)?;
    Ok(Exit::Done)
}

/// Prints a member and their seats.
fn print_member(context: &Context, member: &Member, out: &mut dyn Write) -> Result<Exit, Failure> {
    let seats = Transaction::begin(context).member_seats(member.id)?;
    let seats: Vec<String> =
        seats.iter().map(|(game, seat)| format!("game {game} seat {seat}")).collect();
    let plays = if seats.is_empty() { "no game".to_owned() } else { seats.join(", ") };
    writeln!(out, "{}: {plays}", member_line(member))?;
    Ok(Exit::Done)
}

/// Erases a member, rewrites the store's file without the erased data, and lists the files that
/// still hold an address.
fn forget_member_and_rewrite_store(
    context: Context,
    who: &str,
    call: &mut Call<'_>,
) -> Result<Exit, Failure> {
    let member = process::remove_and_erase_member(&context, who)?;
    let member = require_found(&context, who, member)?;
    let lies_here = context.settings.is_store_in_folder();
    drop(context);
    process::compact_store_in_folder(call.folder, call.environment.now)?;
    let from = if lies_here { "store and journal" } else { "the database" };
    match member.id {
        0 => writeln!(call.out, "The invitations to that address are erased from {from}.")?,
        id => writeln!(
            call.out,
            "Member {id} has left the club: name and addresses are erased from {from}."
        )?,
    }
    if !lies_here {
        writeln!(
            call.out,
            "The rows are erased. A database server keeps old versions of rows for a while. Its \
             backups and archives keep them until you delete those."
        )?;
    }
    print_leftovers(call.folder, &member, call.out)?;
    Ok(Exit::Done)
}

fn print_leftovers(folder: &Path, member: &Member, out: &mut dyn Write) -> Result<(), Failure> {
    let remains = process::find_files_with_member_data(folder, member)?;
    for (kind, files) in &remains {
        writeln!(out, "{}", leftover_advice(*kind))?;
        for file in files.iter().take(FILES_NAMED_MAX) {
            writeln!(out, "  {}", file.strip_prefix(folder).unwrap_or(file).display())?;
        }
        if let Some(more) = files.len().checked_sub(FILES_NAMED_MAX).filter(|more| *more > 0) {
            writeln!(out, "  and {more} more")?;
        }
    }
    if remains.is_empty() {
        writeln!(out, "No other file in the club's folder holds the address.")?;
    }
    writeln!(out, "Compressed files, and backups elsewhere, were not searched.")?;
    Ok(())
}

/// Returns the line that tells the moderator what to do about files of this kind.
const fn leftover_advice(kind: LeftoverKind) -> &'static str {
    match kind {
        LeftoverKind::Inbox => {
            "These letters hold the address. You may delete those in .done; look at those in \
             .quarantine first:"
        }
        LeftoverKind::Outbox => "These outbound letters hold the address; delete them:",
        LeftoverKind::MovedAside => {
            "A restore or migration renamed these files, and they hold the address. Delete them \
             when you no longer need them:"
        }
        LeftoverKind::Logs => {
            "In these games a moderator's reason names the member. A game's log cannot be changed:"
        }
        LeftoverKind::Other => {
            "These other files hold the address: remove it from settings and campaign files, and \
             delete old copies:"
        }
    }
}

/// Returns a member's number, name, addresses and state on one line.
fn member_line(member: &Member) -> String {
    let Member { id, name, addresses, language, .. } = member;
    if member.bot.is_some() {
        return format!("{id:>5}  {name}, a computer player");
    }
    let ascii = if member.ascii { ", ascii" } else { "" };
    let lost = member.undeliverable_since().map_or_else(String::new, |since| {
        format!(", undeliverable since {}", since.format("%Y-%m-%d"))
    });
    format!("{id:>5}  {name} <{}> ({language}{ascii}{lost})", addresses.join(">, <"))
}
