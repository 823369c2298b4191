//! What is said in a letter, taken into a transaction, and taken back where it must not be heard
//! any more.

use crate::club::{ActivityEntry, Happening};
use crate::process::transaction::Transaction;
use crate::process::transaction::mover::Movers;
use crate::rules::{Message, Seat};
use std::collections::BTreeSet;

impl Transaction<'_> {
    /// Takes in what a letter of this seat says: it goes to those who may read it, the writer among
    /// them, and counts as one letter.
    pub(crate) fn take_talk(&mut self, game: u32, from: Seat, said: Vec<ActivityEntry>) {
        if said.is_empty() {
            return;
        }
        let seats = self.game(game).map_or(0, |session| session.table.founding().seats);
        let movers = self.movers_mut(game);
        for minute in &said {
            let readers = Seat::all(seats).filter(|seat| minute.is_for(*seat));
            movers.talk.extend(readers.map(|seat| (seat, minute.clone())));
        }
        movers.notes.push((from, Message::new("talk-said")));
        self.minutes_mut(game).extend(said);
        self.count(talk_counter(game, from));
    }

    /// Takes back what was told in here to the player of a seat alone, who sits there no more: it
    /// is not for who comes after him. Whoever wrote it, and is still there, is told that.
    pub(crate) fn untell(&mut self, game: u32, seat: Seat, name: &str) {
        if let Some(movers) = self.movers_known(game) {
            movers.untell(seat, name);
            let minutes = self.minutes_mut(game);
            let said = std::mem::take(minutes).into_iter();
            *minutes = said.filter_map(|minute| minute.untold_to(seat)).collect();
        }
    }
}

impl Movers {
    fn untell(&mut self, seat: Seat, name: &str) {
        let writes = |reader: Seat, minute: &ActivityEntry| {
            matches!(&minute.what, Happening::Said { from, to, .. }
                if *from == reader && reader != seat && to.contains(&seat))
        };
        let own = self.talk.iter().filter(|(reader, minute)| writes(*reader, minute));
        let writers: BTreeSet<Seat> = own.map(|(reader, _)| *reader).collect();
        let talk = std::mem::take(&mut self.talk).into_iter();
        let talk = talk.filter(|(reader, minute)| *reader != seat || !minute.is_private());
        let left =
            |(reader, minute): (Seat, ActivityEntry)| Some((reader, minute.untold_to(seat)?));
        self.talk = talk.filter_map(left).collect();
        // Whether he has said something without his name is nobody's business.
        self.notes.retain(|(to, note)| *to != seat || !note.key.starts_with("talk-"));
        for writer in writers {
            let says = |(_, minute): &(Seat, ActivityEntry)| minute.is_from(writer);
            if !self.talk.iter().any(says) {
                self.notes.retain(|(to, note)| *to != writer || note.key != "talk-said");
            }
            self.notes.push((writer, Message::new("talk-lost").with("name", name)));
        }
    }
}

/// Under what the store counts the letters of a seat that say something. No address is without an
/// @.
pub(crate) fn talk_counter(game: u32, seat: Seat) -> String {
    format!("press {game}.{seat}")
}
