//! `postrider clock`: shows a game's clock and deadlines, or changes them for the moderator.

use super::{Call, Exit, Failure, format_utc_minute, moderate};
use crate::club::Intervention;
use crate::club::clock::{ClockRule, ClockRules, Deadline, GameClock, Length, NmrRule};
use crate::process::{self, Context, GameSession};

/// Show a game's clock, or change it with one of the options and tell the players why.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game's number.
    game: u32,
    /// Give every player whose turn it is this much more time, such as "2 days".
    #[arg(long, value_name = "TIME", group = "change", value_parser = Length::parse)]
    extend: Option<Length>,
    /// Stop the clock.
    #[arg(long, group = "change")]
    pause: bool,
    /// Start the clock again; each player has as much time left as before the pause.
    #[arg(long, group = "change")]
    resume: bool,
    /// Use this deadline from now on, such as "3 days" or "Mon,Thu 20:00 Europe/Madrid".
    #[arg(long, value_name = "DEADLINE", group = "change", value_parser = Deadline::parse)]
    deadline: Option<Deadline>,
    /// The action if no orders arrive in time: wait, forfeit or stand-in.
    #[arg(long, value_name = "WAIT|FORFEIT|STAND-IN", requires = "deadline")]
    nmr: Option<NmrRule>,
    /// The reason that the players read.
    #[arg(long, requires = "change")]
    reason: Option<String>,
    /// Show what would be done, and change nothing.
    #[arg(long, requires = "change")]
    dry_run: bool,
}

/// The arguments of `postrider new` that set the clock of the new game.
#[derive(clap::Args, Debug)]
pub struct TimeArgs {
    /// When orders are due: "3 days", "72 hours", "Mon,Thu 20:00 Europe/Madrid", or "none" for no
    /// limit. Default: the deadline in club.yaml.
    #[arg(long)]
    deadline: Option<String>,
    /// The action if no orders arrive in time: wait, forfeit or stand-in.
    #[arg(long, value_name = "WAIT|FORFEIT|STAND-IN")]
    nmr: Option<NmrRule>,
}

impl TimeArgs {
    /// Returns the clock rules of the new game, or `None` if the game has no deadline. The club's
    /// rules fill in what the arguments do not say.
    pub(super) fn clock_rules(&self, context: &Context) -> Result<Option<ClockRules>, Failure> {
        let usual = context.settings.clock.clone();
        let deadline = match self.deadline.as_deref() {
            Some("none") => return Ok(None),
            Some(text) => Some(
                Deadline::parse(text)
                    .map_err(|error| Failure::new(Exit::Usage, format!("--deadline: {error}")))?,
            ),
            None => None,
        };
        if deadline.is_none() && usual.is_none() && self.nmr.is_some() {
            return Err(Failure::new(Exit::Usage, "--nmr needs a deadline")
                .add_hint("give --deadline \"3 days\", or set clock: in club.yaml"));
        }
        let deadline = deadline.map(ClockRule::Deadline);
        let own: Vec<ClockRule> =
            deadline.into_iter().chain(self.nmr.map(ClockRule::Nmr)).collect();
        let rules = ClockRule::apply_rules_to(&own, usual);
        let check = rules.as_ref().map_or(Ok(()), ClockRules::check_any_day_allows_deadline);
        check.map_err(|error| Failure::new(Exit::Usage, error))?;
        Ok(rules)
    }
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let context = call.open()?;
    let Some(what) = clock_change_from_args(args) else {
        return print_clock(&process::load_stored_game(&context, args.game)?, call);
    };
    let Some(reason) = &args.reason else {
        return Err(Failure::new(Exit::Usage, "--reason is missing")
            .add_hint("give a reason; the players read why the clock changes"));
    };
    let done = moderate::intervene_or_print_preview(
        &context,
        args.game,
        &what,
        (reason, args.dry_run),
        call.out,
    )?;
    if done.is_none() {
        return Ok(Exit::Done);
    }
    writeln!(call.out, "Done; the next tick tells everyone.")?;
    print_clock(&process::load_stored_game(&context, args.game)?, call)
}

/// Returns the change to the clock that the arguments ask for, or `None` if the clock is only
/// shown.
fn clock_change_from_args(args: &Args) -> Option<Intervention> {
    let rules = |deadline| {
        let nmr = args.nmr.map(ClockRule::Nmr);
        std::iter::once(ClockRule::Deadline(deadline)).chain(nmr).collect()
    };
    let set = args.deadline.clone().map(|deadline| Intervention::Set(rules(deadline)));
    set.or(args.extend.map(Intervention::Extend))
        .or(args.pause.then_some(Intervention::Pause))
        .or(args.resume.then_some(Intervention::Resume))
}

fn print_clock(session: &GameSession, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let (now, out) = (call.environment.now, &mut *call.out);
    let Some(clock) = &session.clock else {
        writeln!(out, "Game {} has no clock: turns have no deadline.", session.game_number())?;
        return Ok(Exit::Done);
    };
    let GameClock { rules, waits, paused, change_reason: why, .. } = clock;
    let nmr = match rules.nmr {
        NmrRule::Wait => "keeps waiting",
        NmrRule::Forfeit => "continues without the absent players",
        NmrRule::StandIn => "lets a stand-in play for the absent players",
        NmrRule::Bot => "lets a bot play for the absent players",
    };
    writeln!(out, "Game {}: {}; then it {nmr}.", session.game_number(), rules.deadline)?;
    if let Some(paused) = paused {
        writeln!(out, "The clock has been stopped since {}.", format_utc_minute(*paused))?;
    }
    if let Some(why) = why {
        let why = why.to_text(&session.names);
        writeln!(out, "Last manual change: {why}")?;
    }
    for wait in waits {
        let index = wait.seat.index();
        let name = session.names.get(index).map_or("", String::as_str);
        let misses = clock.misses.get(index).copied().unwrap_or(0);
        let left = match wait.unreachable_since {
            Some(lost) => {
                format!("clock stopped since {}: letters bounce", format_utc_minute(lost))
            }
            None => format!("{} hours left", (wait.deadline - now).num_hours()),
        };
        let (seat, due) = (wait.seat, format_utc_minute(wait.deadline));
        writeln!(out, "  seat {seat}, {name}: due {due} ({left}), {misses} missed")?;
    }
    for seat in clock.seats_open_to_substitute() {
        writeln!(out, "  seat {seat} is open to a substitute")?;
    }
    Ok(Exit::Done)
}
