//! What a letter's lines come to, judged one by one: what changes, and what its writer is told.
//!
//! Nothing is changed here: what stands in here is done with the letter or not at all, and a
//! preview only tells of it.

use crate::club::vote::Ballot;
use crate::club::{
    ActivityEntry, Line, Member, MemberLine, NewsWish, NoteLine, Notes, Offer, ReadLine, StyleLine,
    WrongLine,
};
use crate::process::blame::{Blame, answered};
use crate::process::context::Context;
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
        let languages: Vec<&str> = tx.context.library.tags().collect();
        let offer = own_lines::offer(tx.context, &languages);
        let mut effects = Self::default();
        for ReadLine { order, what } in lines {
            let taken = match (what, writer.seat) {
                (Line::Address(read), _) => read.clone().map(|address| effects.address(address)),
                (Line::Setting(Ok(MemberLine::Style(StyleLine::Here(wish)))), Some(_)) => {
                    effects.words.push(NewsWish::kept(*wish));
                    effects.wish = Some(*wish);
                    Ok(())
                }
                (Line::Setting(read), _) => {
                    let set = |read| effects.setting(read, writer.member, tx.context, &offer);
                    read.clone().and_then(set)
                }
                (Line::Note(read), Some((_, _, notes))) => {
                    read.clone().and_then(|note| effects.note(note, notes))
                }
                (Line::Vote(read), Some((game, seat, _))) => {
                    let (read, another) = (read.clone(), effects.ballot.is_some());
                    let voted = answered(vote::ballot(tx, (game, seat), read, another))?;
                    voted.map(|vote| effects.ballot = Some(vote))
                }
                (Line::Undo, Some(_)) if effects.undo.is_none() => {
                    effects.undo = Some(order.clone());
                    Ok(())
                }
                (Line::Undo, Some(_)) => Err(Message::new("undo-once")),
                (Line::Note(_) | Line::Vote(_) | Line::Undo | Line::Lobby(_) | Line::Other, _) => {
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

    /// Whether nothing of it is done.
    pub(crate) const fn is_nothing(&self) -> bool {
        self.orders.is_empty() && self.words.is_empty() && !self.is_around()
    }

    /// Whether it says or does something around the game.
    pub(crate) const fn is_around(&self) -> bool {
        !self.said.is_empty() || self.ballot.is_some()
    }

    fn address(&mut self, address: String) {
        self.words.push(Message::new("address-asked").with("address", address.as_str()));
        self.confirm.push(address);
    }

    fn setting(
        &mut self,
        read: MemberLine,
        member: &Member,
        context: &Context,
        offer: &Offer<'_>,
    ) -> Result<(), WrongLine> {
        let now = self.member.as_ref().unwrap_or(member);
        let (after, said) = read.onto(now, context.now, offer)?;
        self.member = Some(after);
        self.words.push(said);
        Ok(())
    }

    fn note(&mut self, read: NoteLine, notes: &Notes) -> Result<(), WrongLine> {
        let (after, said) = self.notes.as_ref().unwrap_or(notes).changed(read)?;
        self.notes = Some(after);
        self.words.push(said);
        Ok(())
    }
}
