//! Members who watch a game: what everyone may see, one letter each time the game has moved.

use super::budget::Account;
use super::lobby::Words;
use super::office::{Office, OfficeError};
use super::outbound::Says;
use super::playing::Playing;
use super::transaction::Transaction;
use crate::club::{Happening, Member, Minute};
use crate::mail::Digest;
use crate::mail::manners::Manners;
use crate::rules::Message;
use crate::store::{Outgoing, Repository};

/// How many watch one game at most.
const OBSERVERS_MAX: usize = 50;

/// What is new to those who watch.
#[derive(Clone, Copy)]
struct New<'a> {
    /// The last record that they know.
    told: u32,
    /// What was said to all since.
    minutes: &'a [Minute],
}

impl Office {
    /// Lets a member watch a game: he gets the position at once, and a letter each time it moved.
    pub(super) fn watch(
        &self,
        tx: &mut Transaction<'_>,
        digest: &Digest,
        member: &Member,
        game: u32,
    ) -> Result<Words, OfficeError> {
        let gathering = match self.known_game(tx, member, game)? {
            Ok(gathering) => gathering,
            Err(why) => return Ok(Err(why)),
        };
        let sits = tx.game(game).is_some_and(|playing| playing.seats_member(member.id));
        let refused = match &gathering.proposal {
            _ if sits => Some("watch-plays"),
            _ if gathering.observers.contains(&member.id) => Some("watch-already"),
            _ if gathering.observers.len() >= OBSERVERS_MAX => Some("watch-many"),
            _ => None,
        };
        if let Some(key) = refused {
            return Ok(Err(Message::new(key).with("number", game)));
        }
        tx.gathering_mut(game)?.observers.push(member.id);
        let words = vec![Message::new("watching").with("number", game)];
        // What it looks like now; a game that moves in here is told of by its own letter.
        if let Some(playing) = tx.game(game)
            && !playing.has_moved()
        {
            let mark = digest.and("watch");
            let minutes = self.said_to_all(tx, playing, 0)?;
            let new = New { told: 0, minutes: &minutes };
            let shown = self.public_letter(playing, member, new, &mark);
            let account = Account::Answers(member.id);
            if self.manners(tx, &account)? == Manners::Answer
                && let Some(shown) = shown
            {
                tx.post(shown, &account);
            }
        }
        Ok(Ok(words))
    }

    pub(super) fn unwatch(
        &self,
        tx: &mut Transaction<'_>,
        member: &Member,
        game: u32,
    ) -> Result<Words, OfficeError> {
        let observers = &mut tx.gathering_mut(game)?.observers;
        if !observers.contains(&member.id) {
            return Ok(Err(Message::new("watch-not").with("number", game)));
        }
        observers.retain(|other| *other != member.id);
        Ok(Ok(vec![Message::new("watched").with("number", game)]))
    }

    /// Writes to all who watch the games that have moved in a transaction.
    pub(super) fn write_to_observers(&self, tx: &mut Transaction<'_>) -> Result<(), OfficeError> {
        for game in tx.moved_games() {
            let observers = tx.gathering(game)?.observers;
            let moved = tx.game(game).filter(|playing| playing.has_moved());
            if let (Some(told), false) = (moved.map(|playing| playing.stored), observers.is_empty())
            {
                self.show_to(tx, game, &observers, told)?;
            }
        }
        Ok(())
    }

    /// Writes a game's letter to these members, who know it up to a record.
    pub(super) fn show_to(
        &self,
        tx: &mut Transaction<'_>,
        game: u32,
        observers: &[u32],
        told: u32,
    ) -> Result<(), OfficeError> {
        let Some(playing) = tx.game(game).cloned() else { return Ok(()) };
        let playing = &playing;
        let minutes = self.said_to_all(tx, playing, told)?;
        let new = New { told, minutes: &minutes };
        for id in observers {
            let Some(member) = tx.member(*id)? else { continue };
            let mark = Digest::of(format!("{game} {} {id}", playing.table.head()).as_bytes());
            let letter = self.public_letter(playing, &member, new, &mark);
            tx.write().outgoing.extend(letter);
        }
        Ok(())
    }

    /// What was said to all in a game since a record that those who watch know of.
    fn said_to_all(
        &self,
        tx: &Transaction<'_>,
        playing: &Playing,
        told: u32,
    ) -> Result<Vec<Minute>, OfficeError> {
        let game = playing.number();
        let since = playing.table.records().iter().find(|record| record.seq == told);
        let mut minutes = tx.minutes(game)?;
        minutes.retain(|minute| {
            let said = matches!(minute.what, Happening::Said { .. }) && !minute.is_private();
            said && since.is_none_or(|record| minute.at > record.at)
        });
        Ok(playing.by_former(minutes))
    }

    /// Writes a game's letter to somebody who watches; none to whom no letter reaches. A reply to
    /// it speaks for the member and for no seat.
    fn public_letter(
        &self,
        playing: &Playing,
        member: &Member,
        new: New<'_>,
        mark: &Digest,
    ) -> Option<Outgoing> {
        if member.undeliverable.is_some() || member.has_left() {
            return None;
        }
        let (game, head) = (playing.number(), playing.table.head());
        let says = Says::Watching { game, told: new.told, head, minutes: new.minutes.to_vec() };
        let message_id = self.message_id(&format!("g{game}.w.{mark}"));
        Some(self.plain(member, says, None, message_id, None))
    }
}
