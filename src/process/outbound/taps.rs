//! What a letter offers to be sent by a tap, and the links that bring it back.
//!
//! A link carries the mark that the letter's reply address has, in its address or its subject, and
//! opens a letter; nothing is done before its reader sends that. A mark stands in links alone, and
//! in none where it proves by itself who writes: who is passed such a letter on would have all that
//! it takes.

use crate::club::vote::Vote;
use crate::club::{Admission, Member};
use crate::mail::{Sealed, mailto, without_tokens};
use crate::process::context::{ClubError, Context};
use crate::process::outbound::owed::Telling;
use crate::process::table::undo;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::render::{OFFERS_MAX, Occasion, Offer, Rendered};
use crate::rules::{Arg, Turn};
use crate::store::Repository;
use std::fmt::Display;
use std::str::FromStr;

/// The way back to the club, with a mark in it.
pub(crate) struct WayBack {
    address: String,
    tag: String,
}

impl WayBack {
    /// With this mark; none where links carry none.
    pub(crate) fn with<T: Display + FromStr>(context: &Context, mark: &Sealed<T>) -> Option<Self> {
        let settings = &context.settings;
        (settings.admission != Admission::Token).then(|| match settings.plus_addressing {
            true => Self { address: mark.reply_address(&settings.address), tag: String::new() },
            false => Self { address: settings.address.clone(), tag: mark.subject_tag() },
        })
    }

    /// A link to an answer to a letter of this subject, which says this.
    pub(crate) fn link(&self, subject: &str, line: &str) -> Option<String> {
        mailto(&self.address, &format!("Re: {subject}"), &self.tag, line)
    }
}

/// The address from which a reader is known here.
pub(crate) fn known_as(reader: &Member) -> &str {
    reader.addresses.first().map(String::as_str).unwrap_or_default()
}

/// What a letter to a seat offers besides orders: its answer to votes that are open, to take back
/// what it has just ordered, and help to who is waited for or has begun. `is_now`: whether the
/// letter shows the game as it stands.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn to_seat(
    tx: &Transaction<'_>,
    session: &GameSession,
    telling: &Telling,
    is_now: bool,
) -> Result<Vec<Offer>, ClubError> {
    let (mut offers, seat) = (Vec::new(), telling.seat);
    if session.table.turn() == Turn::Over {
        return Ok(offers);
    }
    let room = tx.room(telling.game)?;
    let several = room.open_votes.len() > 1;
    let is_asked = |vote: &&Vote| !vote.yes.contains(&seat) && !vote.no.contains(&seat);
    for vote in room.open_votes.iter().filter(is_asked) {
        for line in [vote.line(), vote.refusal(several)] {
            offers.push(Offer { heading: Some("taps-vote"), line: Arg::Text(line) });
        }
    }
    let besides = |key| Offer { heading: Some("taps-besides"), line: Arg::Term(key) };
    let has_ordered = matches!(telling.occasion, Occasion::Accepted { .. });
    if has_ordered && is_now && undo::may(tx, session, seat, room.undo_term()) {
        offers.push(besides("line-undo"));
    }
    let begins = matches!(telling.occasion, Occasion::Welcome);
    if begins || session.table.turn().awaits(seat) {
        offers.push(besides("line-help"));
    }
    offers.extend(begins.then(|| besides("line-rules")));
    Ok(offers)
}

/// How many lines each of several games offers in one letter: those that wait for their reader
/// share what there is.
pub(crate) fn shares(tellings: &[Telling]) -> Vec<usize> {
    let waiting = tellings.iter().filter(|telling| telling.awaits).count();
    let share = OFFERS_MAX.checked_div(waiting).unwrap_or(0);
    tellings.iter().map(|telling| if telling.awaits { share } else { 0 }).collect()
}

/// What is read of a letter, without any mark: what its reader has copied is shown back, and a mark
/// that stands there would be passed on with it. What stands inside of a tag is not read.
pub(crate) fn unmarked(mut rendered: Rendered) -> Rendered {
    rendered.text = without_tokens(&rendered.text);
    rendered.html = rendered.html.map(|html| {
        let mut shown = String::with_capacity(html.len());
        for piece in html.split_inclusive('>') {
            let (text, tag) = piece.split_at(piece.find('<').unwrap_or(piece.len()));
            shown.push_str(&without_tokens(text));
            shown.push_str(tag);
        }
        shown
    });
    rendered
}
