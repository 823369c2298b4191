//! What a letter offers to be sent by a tap, and the links that bring it back.
//!
//! A link carries the mark that the letter's reply address has, in its address or its subject, and
//! opens a letter; nothing is done before its reader sends that. A mark stands in links alone, and
//! in none where it proves by itself who writes: who is passed such a letter on would have all that
//! it takes.

use crate::club::vote::Vote;
use crate::club::{GameRoom, Member};
use crate::mail::settings::Admission;
use crate::mail::transport::tagged;
use crate::mail::{Sealed, mailto, without_tokens};
use crate::process::context::{ClubError, Context};
use crate::process::outbound::owed::Telling;
use crate::process::table::undo;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::render::{OFFERS_MAX, Occasion, Offer, Rendered};
use crate::rules::{Arg, Turn};
use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

/// The way back to the club, with a mark in it.
pub(crate) struct WayBack {
    /// The address that is written to.
    address: String,
    /// What the subject must carry; nothing where the address has the mark.
    tag: String,
}

impl WayBack {
    /// With this mark: in the address, or in the subject where the club's address takes none.
    pub(crate) fn with<T: Display + FromStr>(context: &Context, mark: &Sealed<T>) -> Self {
        let settings = &context.settings;
        match settings.plus_addressing {
            true => Self { address: mark.reply_address(&settings.address), tag: String::new() },
            false => Self { address: settings.address.clone(), tag: mark.subject_tag() },
        }
    }

    /// The same for links to answers; none where these carry no mark.
    pub(crate) fn of_links<T: Display + FromStr>(
        context: &Context,
        mark: &Sealed<T>,
    ) -> Option<Self> {
        (context.settings.admission != Admission::Token).then(|| Self::with(context, mark))
    }

    /// A link to an answer to a letter of this subject, which says this.
    pub(crate) fn link(&self, subject: &str, line: &str) -> Option<String> {
        mailto(&self.address, &format!("Re: {subject}"), &self.tag, line)
    }

    /// A link to a letter of this subject, which says nothing.
    pub(crate) fn bare_link(&self, subject: &str) -> Option<String> {
        mailto(&self.address, subject, &self.tag, "")
    }

    /// The address that has the mark.
    pub(crate) fn address(&self) -> Option<&str> {
        self.tag.is_empty().then_some(&self.address)
    }

    /// What the reader of a text needs of it: the address, or what the subject must carry.
    pub(crate) fn shown(&self) -> &str {
        self.address().unwrap_or(&self.tag)
    }

    /// A subject as a letter has it that is answered this way.
    pub(crate) fn subject(&self, subject: &str) -> String {
        if self.tag.is_empty() { subject.to_owned() } else { tagged(subject, &self.tag) }
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
    (session, room): (&GameSession, &GameRoom),
    telling: &Telling,
    is_now: bool,
) -> Result<Vec<Offer>, ClubError> {
    let (mut offers, seat) = (Vec::new(), telling.seat);
    if session.table.turn() == Turn::Over {
        return Ok(offers);
    }
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

/// A letter's text without any mark: what its reader has copied is shown back, and a mark that
/// stands there would be passed on with it.
pub(crate) fn unmarked(rendered: Rendered) -> Rendered {
    match without_tokens(&rendered.text) {
        Cow::Borrowed(_) => rendered,
        Cow::Owned(text) => Rendered { text, ..rendered },
    }
}

/// The same of a page, as it leaves. What stands inside of a tag is not read.
pub(crate) fn unmarked_page(html: &str) -> String {
    let mut shown = String::with_capacity(html.len());
    for piece in html.split_inclusive('>') {
        let (text, tag) = piece.split_at(piece.find('<').unwrap_or(piece.len()));
        shown.push_str(&without_tokens(text));
        shown.push_str(tag);
    }
    shown
}
