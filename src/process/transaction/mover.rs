//! What the letters of one pass lead to, seat by seat: what each seat's own letter is to say.

use crate::club::{ActivityEntry, Happening, News};
use crate::mail::LetterHash;
use crate::process::transaction::effect::{Acknowledged, Moved};
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Message, Seat, Turn};
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, BTreeSet};

/// Whoever moved a game, or said or did something around it, in one transaction.
#[derive(Clone, Default)]
pub(crate) struct Movers {
    /// What each is told.
    pub(crate) acknowledged: BTreeMap<Seat, Acknowledged>,
    /// The files of the letters that moved the game, by their names.
    pub(crate) files: Vec<String>,
    /// What each seat is told of what was done to the game from outside of its rules.
    pub notes: Vec<(Seat, Message)>,
    /// What each seat reads of what was said.
    pub talk: Vec<(Seat, ActivityEntry)>,
    /// Which seats are asked at once for their answer to a vote.
    pub asked: BTreeSet<Seat>,
    /// Which seats are told something that cannot wait, whatever letters their players want.
    pub(crate) urgent: BTreeSet<Seat>,
}

/// What the movers of a game lead to for one seat.
pub(crate) struct ToMover<'a> {
    /// What its own letters led to.
    pub(crate) own: Option<&'a Acknowledged>,
    /// What it is told of what was done to the game, or asked for it.
    pub notes: Vec<Message>,
    /// What it reads of what was said.
    pub talk: Vec<ActivityEntry>,
}

impl ToMover<'_> {
    /// What tells this letter from others that nobody asked for. Nothing is in it but what the
    /// reader sees: who has spoken without his name could be found out from it otherwise.
    pub(crate) fn digest(&self, now: DateTime<Utc>, news: &[News]) -> LetterHash {
        let text = |minute: &ActivityEntry| match &minute.what {
            Happening::Said { text, .. } => text.clone(),
            _ => String::new(),
        };
        let said: Vec<String> = self.talk.iter().map(text).collect();
        // A letter without news is known as it was before there were any.
        let news = if news.is_empty() { String::new() } else { format!(" {news:?}") };
        LetterHash::of(format!("{now} {:?} {said:?}{news}", self.notes).as_bytes())
    }
}

impl Movers {
    /// Whether a seat is written to even if the game has not moved.
    pub(crate) fn writes_to(&self, seat: Seat) -> bool {
        self.acknowledged.contains_key(&seat)
            || self.notes.iter().any(|(to, _)| *to == seat)
            || self.talk.iter().any(|(to, _)| *to == seat)
            || self.asked.contains(&seat)
    }

    /// Whether a seat gets a letter now. Who wants letters for his turns gets one when the game
    /// waits for him, so that he knows by his order all that the others know; when it has ended,
    /// and no other letter would come; and for what is asked of him, or told to him alone.
    pub(crate) fn lead_to_letter(&self, session: &GameSession, seat: Seat) -> bool {
        if session.has_news_for(seat) || !self.writes_to(seat) {
            return session.has_news_for(seat);
        }
        let turn = session.table.turn();
        !session.wants_turns(seat)
            || turn == Turn::Over
            || turn.awaits(seat)
            || self.acknowledged.contains_key(&seat)
            || self.cannot_wait(seat)
            || self.talk.iter().any(|(to, minute)| *to == seat && minute.is_private())
    }

    /// Whether what this seat is told cannot wait for a letter about other games either.
    pub(crate) fn cannot_wait(&self, seat: Seat) -> bool {
        self.urgent.contains(&seat) && self.notes.iter().any(|(to, _)| *to == seat)
            || self.asked.contains(&seat)
    }

    /// What this seat's letter is to say.
    pub(crate) fn to(&self, seat: Seat) -> ToMover<'_> {
        let own = self.acknowledged.get(&seat);
        let mut notes = of(&self.notes, seat);
        notes.dedup();
        // A letter that has no orders or plans has no other place for remarks.
        if let Some(own) = own
            && !own.carried_out
            && own.lines.is_empty()
        {
            notes.extend(own.remarks.iter().cloned());
        }
        ToMover { own, notes, talk: of(&self.talk, seat) }
    }
}

/// What of a list is for this seat.
fn of<T: Clone>(list: &[(Seat, T)], seat: Seat) -> Vec<T> {
    list.iter().filter(|(to, _)| *to == seat).map(|(_, what)| what.clone()).collect()
}

impl Moved {
    /// Whether there were orders or plans in the letter.
    pub(crate) const fn has_orders(&self) -> bool {
        !self.acknowledged.lines.is_empty()
    }
}
