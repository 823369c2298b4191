//! Letters of which only the subject says that a program wrote them.
//!
//! An absence notice that answers a letter of ours bears its mark. A person who writes
//! "Vacation" above his orders does too, and to lose an order is worse than to answer a program. So
//! such a letter is read if there is an order in it, and else is nothing at all. Knows nothing of
//! headers.

use crate::club::talk::Reads;
use crate::club::{ModeratorCommand, house_line};
use crate::mail::{Admitted, Position, ReplyAction};
use crate::process::inbound::opened::Opened;
use crate::process::inbound::written::{self, reads};
use crate::process::transaction::Transaction;
use crate::rules::Seat;

/// What the door said, unless a program seems to have written the letter and no line of it is
/// an order.
pub(crate) fn unless_by_machine(
    tx: &mut Transaction<'_>,
    opened: &Opened,
    admitted: Admitted,
) -> Admitted {
    let Some(automatic) = &opened.letter.automatic else { return admitted };
    let orders = match &admitted {
        Admitted::Player(position) => orders_at(tx, opened, *position),
        // It says all by its mark.
        Admitted::Action {
            action: ReplyAction::Stop { .. } | ReplyAction::Refuse { .. }, ..
        } => {
            return admitted;
        }
        Admitted::Action { action: ReplyAction::Moderator, address } => {
            has_line(tx, opened, address, |line| ModeratorCommand::read(line).is_ok())
        }
        Admitted::Action { address, .. } => {
            has_line(tx, opened, address, |line| house_line(line) == Reads::Order)
        }
        _ => return admitted,
    };
    if orders { admitted } else { Admitted::Ignored(automatic.told()) }
}

/// Whether a letter for a position has an order in it, or says something to other players.
fn orders_at(tx: &mut Transaction<'_>, opened: &Opened, position: Position) -> bool {
    let Ok(asked) = written::asked_at(tx, opened, position) else { return false };
    // Of a game that cannot be opened the moderator hears elsewhere.
    let Ok(session) = tx.session(position.game) else { return true };
    let seat = Seat::new(position.seat);
    let is_order = |line: &str| reads(&session.table, seat, line) == Reads::Order;
    !asked.talk.press.is_empty() || asked.lines.iter().any(|line| is_order(line.order.meant()))
}

/// Whether a letter about no game has a line like this.
fn has_line(
    tx: &Transaction<'_>,
    opened: &Opened,
    address: &str,
    is_order: impl Fn(&str) -> bool,
) -> bool {
    written::asked(tx, opened, address)
        .is_ok_and(|asked| asked.lines.iter().any(|line| is_order(line.order.meant())))
}
