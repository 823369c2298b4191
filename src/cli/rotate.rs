//! `postrider rotate`: makes reply tokens invalid and sends new ones.

use super::moderate::moderate_or_preview;
use super::{Call, Exit, Failure, club_folder, member};
use crate::club::Intervention;
use crate::process::{self, Context};
use crate::rules::{Message, Seat};

/// Make the reply tokens of a seat, a member or the moderator invalid, and send new ones.
///
/// A reply token is the secret in a letter's reply address or subject that proves who answers. Use
/// this command if letters fell into the wrong hands. If other people can read a member's mailbox,
/// use --member, and also remove the address with `member remove-address`.
#[derive(clap::Args, Debug)]
#[command(group(clap::ArgGroup::new("whose").required(true).args(["game", "member", "moderator"])))]
pub struct Args {
    /// The game's number, to renew the tokens of one seat.
    #[arg(requires = "seat")]
    game: Option<u32>,
    /// The seat's number, from 1.
    #[arg(long, requires = "game")]
    seat: Option<u8>,
    /// A member's number, address or name, to renew all the member's tokens, in all seats.
    #[arg(long, value_name = "WHO")]
    member: Option<String>,
    /// Renew the tokens in letters to the moderator.
    #[arg(long)]
    moderator: bool,
    /// Show which tokens would become invalid, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let context = call.open()?;
    let what = match (&args.member, args.game) {
        (Some(who), _) => rotate_tokens_of_member(&context, who, args.dry_run)?,
        (None, Some(game)) => {
            rotate_seat_tokens(&context, game, args.seat.unwrap_or_default(), args.dry_run)?
        }
        (None, None) => {
            if !args.dry_run {
                process::rotate_moderator_token(&context)?;
            }
            "to the moderator".to_owned()
        }
    };
    if args.dry_run {
        writeln!(
            call.out,
            "Nothing is changed. Replies to older letters {what} would no longer be accepted, and \
             a new letter would be sent."
        )?;
    } else {
        writeln!(
            call.out,
            "Replies to older letters {what} are no longer accepted; the next tick sends a new \
             letter."
        )?;
    }
    Ok(Exit::Done)
}

fn rotate_tokens_of_member(context: &Context, who: &str, dry_run: bool) -> Result<String, Failure> {
    let found = if dry_run {
        process::find_member(context, who)?
    } else {
        process::rotate_member_tokens(context, who)?
    };
    let member = member::require_found(context, who, found)?;
    Ok(format!("to {} about any game or matter", member.name))
}

fn rotate_seat_tokens(
    context: &Context,
    game: u32,
    seat: u8,
    dry_run: bool,
) -> Result<String, Failure> {
    let none = || Failure::new(Exit::Usage, format!("game {game} has no seat {seat}"));
    let session = process::load_stored_game(context, game)?;
    let place = Seat::all(session.table.founding().seats).find(|place| place.number() == seat);
    let (_, member) = place.and_then(|place| session.seat(place)).ok_or_else(none)?;
    if let Some(place) = place.filter(|_| !dry_run) {
        let reason = club_folder::localize_for_club(context, &Message::new("reason-marks"));
        moderate_or_preview(context, game, &Intervention::Rotate(place), (&reason, false))?;
    }
    Ok(format!("to {} about game {game}", member.name))
}
