//! `postrider new`: founds a game.

use super::clock::TimeArgs;
use super::founding_args::{FoundingArgs, founding_failure};
use super::{Call, Exit, Failure, club_folder, print_json};
use crate::club::{
    GameName, Member, UndoTerm, bots_unread_message, parse_bot_levels, parse_mailbox,
};
use crate::process::{self, Context, FoundingResult, GameTerms, Player};
use crate::rules::{BotLevel, Seed};

/// Found a game and queue each player's first letter.
///
/// Players get their seats in the order in which you name them. Anyone who is not a member yet
/// becomes one.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    founding: FoundingArgs,
    #[command(flatten)]
    time: TimeArgs,
    /// How long players may take back their last orders, such as `2 hours`, or `off`. Default: the
    /// club's setting.
    #[arg(long, value_name = "TIME")]
    undo: Option<UndoTerm>,
    /// A name for the game in its letters, besides its number: one word, such as Lyon.
    #[arg(long)]
    name: Option<GameName>,
    /// A player, as `Ann <ann@example.org>`, or a member's number or name; once for each seat.
    #[arg(long = "player", value_name = "WHO", required = true)]
    players: Vec<String>,
    /// Computer players for the last seats, such as `--bots 2 fair`; the levels are easy, fair and
    /// strong.
    #[arg(long, value_names = ["N", "LEVEL"], num_args = 2)]
    bots: Vec<String>,
    /// Let players ask for hints: the orders that a computer player likes best.
    #[arg(long)]
    hints: bool,
    /// Accept new members' names even if they equal or resemble other names.
    #[arg(long)]
    insist: bool,
    /// Use this number as the seed instead of a secret one; for rehearsing a club.
    #[arg(long, hide = true)]
    seed: Option<u64>,
    /// Print the game's number as JSON.
    #[arg(long)]
    json: bool,
}

/// Returns the player whom the moderator named: a member, or a new person with an address.
fn find_player(context: &Context, text: &str) -> Result<Player, Failure> {
    if let Some((name, address)) = parse_mailbox(text) {
        return Ok(Player { name, address });
    }
    let member = process::find_member(context, text)?;
    let known = member.and_then(|Member { name, addresses, .. }| {
        addresses.into_iter().next().map(|address| Player { name, address })
    });
    let Some(player) = known else {
        let why = process::describe_unknown_member(context, text)?;
        let why = club_folder::localize_for_club(context, &why);
        return Err(Failure::new(Exit::Usage, format!("--player: {why}"))
            .add_hint("write a new person as 'Ann <ann@example.org>'"));
    };
    Ok(player)
}

/// Returns the levels of the bots that `--bots N LEVEL` names.
fn parse_bots(context: &Context, words: &[String]) -> Result<Vec<BotLevel>, Failure> {
    let mut levels = Vec::new();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    for pair in words.chunks(2) {
        let allowed = context.settings.bots.require_allowed();
        let parsed = allowed.and_then(|()| match parse_bot_levels(pair, &mut levels)? {
            2 => Ok(()),
            _ => Err(bots_unread_message()),
        });
        parsed.map_err(|why| {
            let why = club_folder::localize_for_club(context, &why);
            Failure::new(Exit::Usage, format!("--bots: {why}"))
        })?;
    }
    Ok(levels)
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let chosen = args.founding.choose_game(call.environment.games)?;
    let context = call.open()?;
    let players = args.players.iter().map(|text| find_player(&context, text));
    let players = players.collect::<Result<Vec<_>, _>>()?;
    let bots = parse_bots(&context, &args.bots)?;
    let seats = u8::try_from(players.len() + bots.len()).unwrap_or(u8::MAX);
    club_folder::check_new_names_free(&context, &players, args.insist)?;
    if let Some(name) =
        args.name.as_ref().filter(|name| !process::is_allowed_game_name(&context, name))
    {
        let what = format!("--name: a game cannot be called {}", name.as_str());
        return Err(Failure::new(Exit::Usage, what)
            .add_hint("letters use that word with another meaning; choose another name"));
    }
    let seed = match args.seed {
        Some(number) => Seed::from_number(number),
        None => Seed::new(call.environment.random_bytes()?),
    };
    let usual = GameTerms::default_for(&context);
    let undo = args.undo.unwrap_or_else(|| context.settings.usual_undo(!bots.is_empty()));
    let clock = args.time.clock_rules(&context)?;
    let (name, hints) = (args.name.clone(), args.hints);
    let terms = GameTerms { clock, undo, name, bots, hints, ..usual };
    match process::found_with_terms(&context, chosen.setup(seats), &players, &seed, &terms)? {
        FoundingResult::Game(number) if args.json => {
            print_json(&serde_json::json!({ "game": number }), call.out)?;
        }
        FoundingResult::Game(number) => {
            writeln!(call.out, "Game {number} has begun; the next tick posts its first letters.")?;
        }
        FoundingResult::Impossible(error) => return Err(founding_failure(&error, seats)),
        FoundingResult::DuplicatePlayer(address) => {
            return Err(Failure::new(Exit::Usage, format!("{address} is named twice"))
                .add_hint("each seat needs a different member"));
        }
        FoundingResult::ClubAddress(address) => {
            return Err(Failure::new(Exit::Usage, format!("{address} is the club's own address"))
                .add_hint("letters to this player would come back to the club"));
        }
    }
    Ok(Exit::Done)
}
