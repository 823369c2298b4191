//! `postrider show`: prints a game's position.

use super::{Call, Exit, Failure, club_folder, print_indented_json, write_file};
use crate::club::Question;
use crate::process::{self, Context, GameSession};
use crate::render::{GameLetter, Occasion, Page};
use crate::rules::Seat;
use std::path::{Path, PathBuf};

/// Show a game as everyone may see it, or as one seat sees it.
///
/// While the game is being played, --seat needs --secrets.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game's number.
    game: u32,
    /// Show what the player of this seat sees, including their portfolio.
    #[arg(long, value_name = "N")]
    seat: Option<u8>,
    /// Show what the seat sees even if the game is still being played.
    #[arg(long, requires = "seat")]
    secrets: bool,
    /// Show the position after this record.
    #[arg(long, value_name = "SEQ")]
    at: Option<u32>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Also draw the board into this file: SVG if its name ends in .svg, otherwise PNG.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let context = call.open()?;
    let mut session = process::load_stored_game(&context, args.game)?;
    args.seat.map_or(Ok(()), |_| club_folder::check_may_show_secrets(&session, args.secrets))?;
    if let Some(at) = args.at {
        if at == 0 || at > session.table.last_record_number() {
            let head = session.table.last_record_number();
            return Err(Failure::new(Exit::Usage, format!("--at must be from 1 to {head}")));
        }
        session.table =
            session.table.at_record(at).map_err(|error| Failure::new(Exit::BadData, error))?;
    }
    let seats = session.table.founding().seats;
    let seat = match args.seat {
        Some(number) if (1..=seats).contains(&number) => Some(Seat::new(number)),
        Some(_) => {
            return Err(Failure::new(Exit::Usage, format!("--seat must be from 1 to {seats}")));
        }
        None => None,
    };
    if let Some(file) = &args.picture {
        write_picture(&context, &session, file)?;
    }
    let name = process::load_game_name(&context, args.game)?;
    if args.json {
        let position = process::position_json(&session, name.as_ref(), seat);
        print_indented_json(&position, call.out)?;
    } else {
        if let Some(name) = name {
            writeln!(call.out, "{} {}\n", name.as_str(), args.game)?;
        }
        call.out.write_all(position_text(&context, &session, seat)?.as_bytes())?;
    }
    Ok(Exit::Done)
}

/// Draws the board as everyone may see it, and writes it to a file.
fn write_picture(context: &Context, session: &GameSession, file: &Path) -> Result<(), Failure> {
    let svg = file.extension().is_some_and(|end| end.eq_ignore_ascii_case("svg"));
    let page = Page::new(&session.table, &session.names);
    let drawn = page.draw_board_file(&context.library, &context.settings.language, svg);
    let bytes = drawn.map_err(|error| Failure::new(Exit::BadData, error))?.unwrap_or_default();
    write_file(file, &bytes)
}

fn position_text(
    context: &Context,
    session: &GameSession,
    seat: Option<Seat>,
) -> Result<String, Failure> {
    let mut page = Page::new(&session.table, &session.names);
    let settings = &context.settings;
    let failed = |error| Failure::new(Exit::BadData, error);
    let Some((seat, (seated, member))) = seat.and_then(|seat| Some((seat, session.seat(seat)?)))
    else {
        return page.render_public_position(&context.library, &settings.language).map_err(failed);
    };
    let letter = page.render_letter(
        &context.library,
        &GameLetter {
            last_seen_record: session.table.last_record_number(),
            questions: &[Question::Legal],
            // The moderator does not see the player's private notes here.
            queued_orders: &seated.queued_orders,
            ..GameLetter::new(
                (&settings.name, &settings.moderators.first.address),
                member,
                seat,
                &Occasion::News,
            )
        },
    );
    Ok(letter.map_err(failed)?.text)
}
