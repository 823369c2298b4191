//! The lines that a letter about a game offers besides suggested orders: answers to what the letter
//! asks, and a few commands. Each becomes a button.

use super::pending::SeatUpdate;
use crate::club::GameInfo;
use crate::club::vote::Vote;
use crate::process::context::ClubError;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::render::{Occasion, OfferedLine};
use crate::rules::{Arg, Message, Turn};

/// The key of the sentence that offers a command.
pub(crate) const OFFER_KEY: &str = "intent-offer";
/// The first words of commands that no button sends, because they cannot be taken back.
const NEVER_OFFERED: [&str; 2] = ["resign", "leave"];

/// Returns the lines that a letter to a seat offers besides orders: commands that the reader asked
/// for in other words, what a refusal offers, ballots in open votes, undo of the seat's last
/// orders if `can_undo`, and help.
pub(super) fn list_offered_lines(
    tx: &Transaction<'_>,
    (session, room): (&GameSession, &GameInfo),
    update: &SeatUpdate,
    can_undo: bool,
) -> Result<Vec<OfferedLine>, ClubError> {
    let seat = update.seat;
    let answer = |heading, line| OfferedLine { heading, line, is_answer: true };
    let lexicons =
        session.seat(seat).and_then(|(_, reader)| tx.context.library.lexicons(&reader.language));
    let localize = |line: &str| match lexicons {
        Some(own) => own.club_command_lexicon().translate_from_english(line),
        None => line.to_owned(),
    };
    let commands = asked_commands(remarks_of_update(update)).map(|line| match line {
        Arg::Text(line) => Arg::Text(localize(line)),
        line => line.clone(),
    });
    let mut offers: Vec<OfferedLine> = commands.map(|line| answer(None, line)).collect();
    if session.table.turn() == Turn::Over {
        return Ok(offers);
    }
    if let Occasion::Refused { refused, .. } = &update.occasion
        && let Some(letter) = refused.refusal.letter_to_send()
    {
        offers.push(answer(Some("taps-anyway"), Arg::Text(letter)));
    }
    let several = room.open_votes.len() > 1;
    let is_asked = |vote: &&Vote| !vote.yes.contains(&seat) && !vote.no.contains(&seat);
    for vote in room.open_votes.iter().filter(is_asked) {
        let ballots = [vote.yes_line(), vote.no_line(several)];
        offers.extend(ballots.map(|line| answer(Some("taps-vote"), Arg::Text(localize(&line)))));
    }
    let more = |key| {
        let (heading, line) = (Some("taps-besides"), Arg::Term(key));
        OfferedLine { heading, line, is_answer: false }
    };
    offers.extend(can_undo.then(|| more("line-undo")));
    let begins = matches!(update.occasion, Occasion::Welcome);
    let is_awaited = session.table.turn().awaits(seat);
    offers.extend(is_awaited.then(|| more("line-legal")));
    offers.extend((begins || is_awaited).then(|| more("line-help")));
    offers.extend(begins.then(|| more("line-rules")));
    Ok(offers)
}

/// Returns the sentences of an update that can offer commands.
fn remarks_of_update(update: &SeatUpdate) -> &[Message] {
    match &update.occasion {
        Occasion::Refused { refused, .. } => &refused.refusal.alternatives,
        Occasion::Accepted { remarks, .. } | Occasion::Planned { remarks, .. } => remarks,
        Occasion::Clock { words } => words,
        _ => &update.notes,
    }
}

/// Returns the commands that these sentences offer because the reader asked for them in other
/// words, without those that no button may send.
pub(crate) fn asked_commands(said: &[Message]) -> impl Iterator<Item = &Arg> {
    let is_offered = |message: &&Message| {
        let never = |word: &Arg| NEVER_OFFERED.iter().any(|never| *word == Arg::from(*never));
        message.key == OFFER_KEY && !message.args.get("word").is_some_and(never)
    };
    said.iter().filter(is_offered).filter_map(|message| message.args.get("line"))
}
