//! What a letter's lines come to, judged one by one: what changes, and what its writer is told.
//!
//! Nothing is changed here: what stands in here is done with the letter or not at all, and a
//! preview only tells of it.

use crate::club::vote::Ballot;
use crate::club::{
    ActivityEntry, Deed, Line, Member, MemberLine, NewsWish, Notes, ReadLine, WrongLine,
};
use crate::process::blame::{Blame, answered};
use crate::process::inbound::own_lines;
use crate::process::inbound::reply_action;
use crate::process::table::vote;
use crate::process::transaction::Transaction;
use crate::rules::{Message, Refusal, Seat};
use crate::table::{OrderLine, Refused};

/// What a letter's lines come to.
#[derive(Default)]
pub(crate) struct Effects {
    /// The member afterwards; none when nothing changed.
    pub member: Option<Member>,
    /// The seat's notes afterwards; none when nothing changed.
    pub notes: Option<Notes>,
    /// For which news of the seat's game he wants letters from now on; none when nothing changed.
    pub(crate) wish: Option<Option<NewsWish>>,
    /// Addresses that he says are his.
    pub(crate) confirm: Vec<String>,
    /// What he is told of all this.
    pub words: Vec<Message>,
    /// What he says to other players.
    pub(crate) said: Vec<ActivityEntry>,
    /// What he votes.
    pub(crate) ballot: Option<Ballot>,
    /// The line by which he takes his last orders back.
    pub(crate) undo: Option<OrderLine>,
    /// What he is told of lines that were taken for words between people.
    pub(crate) asides: Vec<Message>,
    /// What is left for the game.
    pub(crate) orders: Vec<OrderLine>,
}

/// Whose lines are judged, and where.
pub(crate) struct Writer<'a> {
    /// The member who wrote the letter.
    pub member: &'a Member,
    /// The seat that he writes for, with the notes that it has; none in a letter about no game.
    pub seat: Option<(u32, Seat, &'a Notes)>,
}

impl Effects {
    /// Judges the lines of a letter, in their order.
    ///
    /// # Errors
    /// When the club cannot be read; inside, the first line that cannot be done: then the whole
    /// letter is not.
    pub(crate) fn of(
        tx: &Transaction<'_>,
        writer: &Writer<'_>,
        lines: &[ReadLine],
    ) -> Result<Self, Blame<Refused>> {
        let mut effects = Self::default();
        for ReadLine { order, what } in lines {
            let is_here = |line: &&Line| line.is_permitted(writer.seat.is_some());
            let taken = match what.as_ref().filter(is_here).map(|line| &line.deed) {
                Some(Ok(deed)) => answered(effects.take(tx, writer, order, deed))?,
                Some(Err(why)) => Err(why.clone()),
                None => {
                    effects.orders.push(order.clone());
                    Ok(())
                }
            };
            if let Err(why) = taken {
                let (line, refusal) = (Some(order.clone()), Refusal::illegal(why));
                return Err(Blame::Theirs(Refused { line, refusal }));
            }
        }
        reply_action::may_name(tx, writer.member, &effects.confirm)?;
        Ok(effects)
    }

    /// Judges one line.
    fn take(
        &mut self,
        tx: &Transaction<'_>,
        writer: &Writer<'_>,
        order: &OrderLine,
        deed: &Deed,
    ) -> Result<(), Blame<WrongLine>> {
        match (deed, writer.seat) {
            (Deed::Address(address), _) => {
                self.words.push(Message::new("address-asked").with("address", address.as_str()));
                self.confirm.push(address.clone());
            }
            (Deed::Set(MemberLine::Here(wish)), Some(_)) => {
                self.words.push(NewsWish::kept(*wish));
                self.wish = Some(*wish);
            }
            (Deed::Set(setting), _) => {
                let now = self.member.as_ref().unwrap_or(writer.member);
                let (after, said) = own_lines::set(tx.context, now, setting.clone())?;
                self.member = Some(after);
                self.words.push(said);
            }
            (Deed::Note(note), Some((_, _, notes))) => {
                let (after, said) = self.notes.as_ref().unwrap_or(notes).changed(note.clone())?;
                self.notes = Some(after);
                self.words.push(said);
            }
            (Deed::Vote(ballot), Some((game, seat, _))) => {
                vote::may_answer(tx, (game, seat), ballot, self.ballot.is_some())?;
                self.ballot = Some(ballot.clone());
            }
            (Deed::Undo, Some(_)) if self.undo.is_some() => {
                return Err(Message::new("undo-once").into());
            }
            (Deed::Undo, Some(_)) => self.undo = Some(order.clone()),
            (Deed::Note(_) | Deed::Vote(_) | Deed::Undo, None)
            | (Deed::Ask(_) | Deed::Lobby(_) | Deed::Moderate(_), _) => {}
        }
        Ok(())
    }

    /// Whether nothing of it is done.
    pub(crate) const fn is_nothing(&self) -> bool {
        self.orders.is_empty() && self.words.is_empty() && !self.is_around()
    }

    /// Whether it says or does something around the game.
    pub(crate) const fn is_around(&self) -> bool {
        !self.said.is_empty() || self.ballot.is_some()
    }
}
