//! News of votes: who is asked by a letter of its own, and who reads of it in his next one.
//!
//! A proposal is worth a letter to everyone once. Whatever else becomes of it, but that it carries
//! or that its time is over, waits for the next letter that is written to a seat anyway: nobody can
//! fill the others' mailboxes by making and withdrawing proposals.

use crate::club::vote::Vote;
use crate::club::{Intervention, News};
use crate::process::table::vote::ended;
use crate::process::transaction::Transaction;
use crate::process::transaction::playing::Playing;
use crate::rules::{Message, Seat};

impl Playing {
    /// What waits for a seat's next letter, in words.
    pub(crate) fn news_words(&self, reader: Seat) -> Vec<Message> {
        let news = self.seat(reader).map(|(seated, _)| seated.news.as_slice()).unwrap_or_default();
        let words = |one: &News| match one {
            News::Asked { vote, among_others } => self.vote_words(vote, reader, *among_others),
            News::Fell { what, yes, no } => {
                ended(self, what, (yes, no), Message::new("vote-failed"))
            }
        };
        news.iter().map(words).collect()
    }

    /// The seats of a game.
    pub(crate) fn all_seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::all(self.table.founding().seats)
    }

    /// Takes over what waits for each seat's next letter.
    pub(crate) fn take_news_of(&mut self, other: &Self) {
        for ((seated, _), (now, _)) in self.seats.iter_mut().zip(&other.seats) {
            seated.news.clone_from(&now.news);
        }
    }

    /// Whether a seat is asked for its answer to this by its next letter.
    pub(crate) fn is_yet_to_hear(&self, seat: Seat, what: &Intervention) -> bool {
        let asks = |one: &News| matches!(one, News::Asked { vote, .. } if vote.what == *what);
        self.seat(seat).is_some_and(|(seated, _)| seated.news.iter().any(asks))
    }
}

impl Transaction<'_> {
    /// Keeps news for a seat's next letter.
    fn keep_news(&mut self, game: u32, seat: Seat, news: News) {
        self.movers_mut(game);
        let place = self.game_mut(game).and_then(|game| game.seats.get_mut(seat.index()));
        if let Some((seated, _)) = place.filter(|(seated, _)| !seated.left) {
            news.join(&mut seated.news);
        }
    }

    /// Asks a seat for its answer to a vote: at once, or by its next letter.
    pub(crate) fn ask(&mut self, game: u32, seat: Seat, at_once: bool, asked: News) {
        self.keep_news(game, seat, asked);
        if at_once {
            self.movers_mut(game).asked.insert(seat);
        }
    }

    /// Takes back that a seat is asked for its answer to a vote; whether it was still to be told.
    pub(crate) fn unask(&mut self, game: u32, seat: Seat, what: &Intervention) -> bool {
        let place = self.game_mut(game).and_then(|game| game.seats.get_mut(seat.index()));
        let Some((seated, _)) = place else { return false };
        let taken_back = News::unask(&mut seated.news, what);
        let is_asked = seated.news.iter().any(|one| matches!(one, News::Asked { .. }));
        if let Some(movers) = self.movers_known(game)
            && !is_asked
        {
            movers.asked.remove(&seat);
        }
        taken_back
    }

    /// Lets all know by their next letters that a vote has come to nothing, who knew of it; `but`
    /// is told in here already.
    pub(crate) fn tell_of_fall(&mut self, game: u32, vote: &Vote, but: Option<Seat>) {
        let seats: Vec<Seat> = self.game(game).into_iter().flat_map(Playing::all_seats).collect();
        for seat in seats.into_iter().filter(|seat| Some(*seat) != but) {
            if !self.unask(game, seat, &vote.what) {
                let Vote { what, yes, no, .. } = vote.clone();
                self.keep_news(game, seat, News::Fell { what, yes, no });
            }
        }
    }
}
