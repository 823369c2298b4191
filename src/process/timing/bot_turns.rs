//! The turns of bots, in a stage of a pass of their own.
//!
//! A bot thinks outside of any transaction, on a copy of the game. Its turns are then committed if
//! the game has not moved meanwhile. Otherwise it thinks again. All turns of a game between two
//! turns of people are in one commit, so that one letter tells them.
//!
//! The choice of a bot depends only on the game's secret and on the position. So a pass that is
//! killed and repeated makes the same choice.

use crate::club::{HintRequest, SeatHint};
use crate::process::commit;
use crate::process::context::{ClubResult, Context};
use crate::process::game_faults::catch_game_fault;
use crate::process::outbound::pending::{self, SeatUpdateDraft};
use crate::process::pass_report::PassReport;
use crate::process::timing::deadlines::{RETRY_AFTER_FAILURE, for_each_due_game};
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::render::Occasion;
use crate::rules::{BotLevel, DynGame, Message, Seat, Turn, WeighedLine};
use crate::store::Repository;
use crate::table::{BotSeat, Hash};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// The number of lines in a hint.
const HINT_LINES: usize = 3;

/// The number of times that a bot thinks about a game in a pass. Plans of people may be carried out
/// between its turns.
const COMMITS_PER_GAME_MAX: usize = 100;

/// The time in which the bots of a pass may think.
pub(crate) struct ThinkingTime {
    end: Duration,
    has_decided: bool,
}

impl ThinkingTime {
    /// Starts the time. It ends after `seconds_per_pass` of `club.yaml`.
    pub(crate) fn start(context: &Context) -> Self {
        let end = (context.stopwatch)() + context.settings.bots.time_per_pass;
        Self { end, has_decided: false }
    }

    /// Whether there is time for one more decision. The first one is always allowed, so that every
    /// game goes on.
    fn allows_decision(&mut self, context: &Context) -> bool {
        let is_allowed = !self.has_decided || (context.stopwatch)() < self.end;
        self.has_decided = true;
        is_allowed
    }
}

/// The turns that the bots of a game have chosen.
struct ChosenTurns {
    /// The hash of the last record before them.
    head: Hash,
    turns: Vec<ChosenTurn>,
    /// The answers to players who have asked for a hint.
    hints: Vec<(Seat, Vec<Message>)>,
}

struct ChosenTurn {
    bot: BotSeat,
    lines: Vec<String>,
    /// Whether the search failed. The lines are then those for an absent player.
    has_failed: bool,
}

impl ChosenTurns {
    const fn is_empty(&self) -> bool {
        self.turns.is_empty() && self.hints.is_empty()
    }
}

/// Plays the turns of bots in these games, as long as there is time. The other games stay due.
pub(crate) fn play_bot_turns(
    context: &Context,
    games: &[u32],
    time: &mut ThinkingTime,
    report: &mut PassReport,
) -> ClubResult<()> {
    for game in games.iter().copied() {
        let mut head_before = None;
        for _ in 0..COMMITS_PER_GAME_MAX {
            let chosen = match catch_game_fault(|| choose_turns(context, game, time))? {
                // The game has not moved if its turns could not be carried out.
                Ok(chosen) if !chosen.is_empty() && head_before.as_ref() != Some(&chosen.head) => {
                    chosen
                }
                // The stage of the clocks reports a broken game.
                Ok(_) | Err(_) => break,
            };
            head_before = Some(chosen.head.clone());
            for_each_due_game(context, &[game], RETRY_AFTER_FAILURE, report, |tx, game, _| {
                carry_out_turns(tx, game, &chosen)
            })?;
        }
    }
    Ok(())
}

/// Returns those of these due games in which a bot may have to move. Reads no logs.
pub(crate) fn games_with_bots(context: &Context, due: &[u32]) -> ClubResult<Vec<u32>> {
    let (tx, mut games) = (Transaction::begin(context), Vec::new());
    tx.read_each_game(due, |game| {
        for seated in tx.seat_assignments(game)? {
            let asks_hint = seated.hint.asked.is_some();
            if asks_hint
                || seated.bot_stands_in
                || seated.has_left
                || tx.member(seated.member)?.is_some_and(|own| own.bot.is_some())
            {
                games.push(game);
                break;
            }
        }
        Ok(())
    })?;
    Ok(games)
}

/// Chooses the next turns of a game's bots, until a person must move or the time is over.
fn choose_turns(context: &Context, game: u32, time: &mut ThinkingTime) -> ClubResult<ChosenTurns> {
    let mut session = Transaction::begin(context).open_game(game)?.clone();
    let head = session.table.last_record_hash();
    let mut chosen = ChosenTurns { head, turns: Vec::new(), hints: Vec::new() };
    while session.next_bot_move_time().is_some_and(|at| at <= context.now)
        && let Some(bot) = session.awaited_bot()
        && time.allows_decision(context)
    {
        chosen.turns.push(choose_turn(context, &mut session, bot)?);
    }
    for seat in session.all_seats() {
        let asks = session.seat(seat).is_some_and(|(seated, _)| seated.hint.asked.is_some());
        if asks && session.table.turn() != Turn::Over && time.allows_decision(context) {
            chosen.hints.push((seat, choose_hint(context, &session, seat)));
        }
    }
    Ok(chosen)
}

/// Returns the best lines for a seat in its player's language, each with its chances, or the reason
/// why there are none.
fn choose_hint(context: &Context, session: &GameSession, seat: Seat) -> Vec<Message> {
    let (table, bot) = (&session.table, BotSeat { seat, level: BotLevel::Fair, stands_in: true });
    let language = session.seat(seat).map_or("", |(_, member)| &member.language);
    let words = context.library.language(language);
    let mut dice = table.bot_dice(bot);
    let weigh = || table.game().weigh_lines(seat, bot.level, &mut dice);
    let best = catch_unwind(AssertUnwindSafe(weigh)).unwrap_or_default();
    if best.is_empty() {
        return vec![Message::new("hint-not-your-turn")];
    }
    let line = |weighed: &WeighedLine| {
        let line = words.localize_order(&table.founding().game, &weighed.line);
        let percent = u32::from(weighed.wins_percent);
        Message::new("hint-line").with("line", line).with("percent", percent)
    };
    let lines = best.iter().take(HINT_LINES).map(line);
    std::iter::once(Message::new("hint")).chain(lines).collect()
}

/// Chooses the turn of one bot and plays it in the session.
fn choose_turn(
    context: &Context,
    session: &mut GameSession,
    bot: BotSeat,
) -> ClubResult<ChosenTurn> {
    let mut dice = session.table.bot_dice(bot);
    let mut lines = Vec::new();
    let search = |game: &dyn DynGame| {
        lines = (context.bot_search)(game, bot, &mut dice);
        lines.clone()
    };
    let before = session.clone();
    let found = catch_unwind(AssertUnwindSafe(|| session.play_bot_turn(bot, search, context.now)));
    let has_failed = !matches!(found, Ok(Ok(())));
    if has_failed {
        *session = before;
        lines = vec![session.table.game().line_for_absent_player(bot.seat)];
        session.play_bot_turn(bot, |_| lines.clone(), context.now)?;
    }
    Ok(ChosenTurn { bot, lines, has_failed })
}

/// Carries out the chosen turns, if the game is still at the position for which they were chosen.
fn carry_out_turns(tx: &mut Transaction<'_>, game: u32, chosen: &ChosenTurns) -> ClubResult<()> {
    let mut session = tx.open_game(game)?.clone();
    if session.table.last_record_hash() != chosen.head {
        tx.set_due_time(commit::next_due_time(tx.context, &session));
        return Ok(());
    }
    for ChosenTurn { bot, lines, has_failed } in &chosen.turns {
        session.play_bot_turn(*bot, |_| lines.clone(), tx.context.now)?;
        if *has_failed {
            report_failed_search(tx, game, &session.player_name(bot.seat))?;
        }
    }
    for (seat, words) in &chosen.hints {
        answer_hint(tx, &mut session, *seat, words)?;
    }
    tx.pending_updates_mut(game);
    tx.put_back_game(session);
    Ok(())
}

/// Queues the answer to the player who has asked for a hint.
fn answer_hint(
    tx: &mut Transaction<'_>,
    session: &mut GameSession,
    seat: Seat,
    words: &[Message],
) -> ClubResult<()> {
    let given_at = session.table.last_record_number();
    let Some((seated, _)) = session.seats.get_mut(seat.index()) else { return Ok(()) };
    let asked = std::mem::replace(&mut seated.hint, SeatHint { asked: None, given_at }).asked;
    let Some(HintRequest { message_id, digest }) = asked else { return Ok(()) };
    let occasion = Occasion::Clock { words: words.to_vec() };
    let draft = SeatUpdateDraft {
        is_answer: true,
        answered_ids: message_id.into_iter().collect(),
        answered_digests: vec![digest.clone()],
        ..SeatUpdateDraft::without_answered_letter(seat, occasion, format!("a{digest}"))
    };
    if let Some(letter) = pending::make_seat_letter(tx, session, draft)? {
        tx.note_answer(&[digest], &letter.message_id)?;
        tx.batch_mut().outgoing.push(letter);
    }
    Ok(())
}

/// Tells the moderator that a bot could not choose its orders, once for each game.
fn report_failed_search(tx: &mut Transaction<'_>, game: u32, name: &str) -> ClubResult<()> {
    let told = format!("bot-failed {game}");
    if tx.count_events_since(&told, 0)? == 0 {
        tx.increment_count(told);
        let report = Message::new("report-bot-failed").with("number", game);
        tx.report_to_moderator(report.with("name", name));
    }
    Ok(())
}
