//! What a letter has led to, taken into a transaction; and a game taken out of it again.

use super::Transaction;
use crate::club::{Member, Notes, Seated};
use crate::mail::Waiting;
use crate::process::isolate::broken_game;
use crate::process::transaction::account::Account;
use crate::process::transaction::effect::{Disposition, Fate, LetterEffect, Moved};
use crate::process::transaction::mover::Movers;
use crate::rules::{Message, Seat};
use crate::store::{Outgoing, Reader, Repository};

impl Transaction<'_> {
    /// Takes in what a letter led to.
    pub(crate) fn take(&mut self, file: Waiting, effect: LetterEffect) {
        let (name, received) = (file.name.clone(), file.received);
        self.own.fates.push((file, effect.disposition));
        self.own.reports.extend(effect.report);
        if let Some(member) = effect.member {
            self.change(member);
        }
        if let Some((game, seat, notes)) = effect.notes {
            self.keep_notes(game, seat, notes);
        }
        if let Some((game, seat, wish)) = effect.wish
            && let Some(session) = self.game_mut(game)
        {
            session.set_wish(seat, wish);
        }
        if let Some((digest, seen)) = effect.remembered {
            self.remember(digest, seen);
        }
        if let Some(mut moved) = effect.moved {
            moved.acknowledged.received = received;
            self.take_move(name, moved);
        }
        effect.counted.into_iter().for_each(|what| self.count(what));
        for answer in effect.answer.into_iter().chain(effect.letters) {
            self.post(answer.letter, &answer.account);
            if let Some((game, seat)) = answer.told
                && let Some(session) = self.game_mut(game)
            {
                session.told(seat);
                // What it is asked stood in that letter.
                if let Some(movers) = self.movers_known(game) {
                    movers.asked.remove(&seat);
                }
            }
        }
    }

    /// Notes that an earlier commit dealt with this file's letter: it is only moved.
    pub(crate) fn take_late(&mut self, file: Waiting, fate: Fate) {
        self.own.late.push((file, fate));
    }

    /// What becomes of the files that were read in here.
    pub(crate) fn fates(&self) -> impl Iterator<Item = &(Waiting, Disposition)> {
        self.layers().flat_map(|layer| &layer.fates)
    }

    /// Takes a letter that goes out, and charges it.
    pub(crate) fn post(&mut self, mut letter: Outgoing, account: &Account) {
        if let Some(label) = &mut letter.label {
            label.class = account.class();
        }
        self.own.batch.outgoing.push(letter);
        self.count(account.key());
    }

    fn take_move(&mut self, file: String, moved: Moved) {
        let game = moved.table.founding().number;
        let movers = self.movers_mut(game);
        movers.files.push(file);
        movers.acknowledged.entry(moved.seat).or_default().join(moved.acknowledged);
        let mut finished = None;
        if let Some(session) = self.game_mut(game) {
            let has_moved = session.table.head() < moved.table.head();
            session.table = moved.table;
            let is_done = has_moved && !session.table.turn().awaits(moved.seat);
            if let Some((seated, member)) = session.seats.get_mut(moved.seat.index()) {
                seated.standing = moved.standing;
                finished = Some(member.clone()).filter(|_| is_done);
            }
        }
        // A newcomer who has played a turn is more than an address.
        if let Some(member) = finished.filter(|member| member.invitations_left.is_some()) {
            self.change(Member { invitations_left: None, ..member });
        }
        self.take_talk(game, moved.seat, moved.said);
    }

    /// Keeps a seat's notes.
    fn keep_notes(&mut self, game: u32, seat: Seat, notes: Notes) {
        if let Some(session) = self.game_mut(game) {
            session.set_notes(seat, notes);
        }
    }

    /// Forgets what the player of a seat kept for himself alone, and makes his tokens void.
    pub(crate) fn forget_player(&mut self, game: u32, seat: Seat) {
        let session = self.game_mut(game);
        let place = session.and_then(|session| session.seats.get_mut(seat.index()));
        if let Some((seated, _)) = place {
            seated.forget_private();
            seated.generation = seated.generation.saturating_add(1);
        }
    }

    /// Whether this writes to a seat of a game that was moved, or around which something was said
    /// or done, now. What is said to others in private does not count.
    pub(crate) fn writes_to(&self, game: u32, seat: Seat) -> bool {
        let place = self.game(game).zip(self.movers(game));
        place.is_some_and(|(session, movers)| movers.lead_to_letter(session, seat))
    }

    /// Where a member sits as things stand in here: in no game that he has left.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(crate) fn seats_held(
        &self,
        member: u32,
    ) -> Result<Vec<(u32, Seat)>, crate::store::StoreError> {
        let mut held = Vec::new();
        for (game, seat) in self.seats_of(member)? {
            let sits = |seated: &Seated| seated.member == member && !seated.left;
            if self.seats(game)?.get(seat.index()).is_some_and(sits) {
                held.push((game, seat));
            }
        }
        Ok(held)
    }

    /// What is still said to a member who leaves the club in here goes to the address that he had:
    /// nobody will know him when it leaves.
    pub(crate) fn write_to_leavers(&mut self) {
        let left: Vec<u32> = self
            .changed_members()
            .into_iter()
            .filter_map(|member| member.has_left().then_some(member.id))
            .collect();
        let labels = self.own.batch.outgoing.iter_mut().filter_map(|letter| letter.label.as_mut());
        for label in labels {
            if matches!(&label.reader, Reader::Member(id) if left.contains(id)) {
                label.reader = Reader::Address;
            }
        }
    }

    /// Takes a game out at which something failed: what moved it goes to quarantine. Gives the
    /// names of these letters' files.
    pub(crate) fn isolate_game(&mut self, game: u32, why: &Message) -> Vec<String> {
        let files = self.own.moved.remove(&game).map(|Movers { files, .. }| files);
        let files = files.unwrap_or_default();
        for (file, disposition) in &mut self.own.fates {
            if files.contains(&file.name) {
                *disposition = Disposition::Quarantined(why.clone());
            }
        }
        self.own.games.remove(&game);
        self.own.rooms.remove(&game);
        self.own.minutes.remove(&game);
        self.own.seen.retain(|_, seen| seen.game != Some(game));
        self.broken(game, why);
        files
    }

    /// Tells the moderator of a game that cannot be played on.
    pub(crate) fn broken(&mut self, game: u32, why: &Message) {
        self.tell_moderator(broken_game(game, why.clone()));
    }
}
