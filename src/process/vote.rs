//! Votes: a seat's answer is taken, the others are told, and what carries is done.
//!
//! A vote is kept with who is around the game. It lapses when its time comes by the index of what
//! is due, so that no game is looked at for it before; and only after the letters were read, so
//! that it is open to whoever answered in time.

use super::deed::Deed;
use super::desk::{Desk, Playing};
use super::office::{Office, OfficeError};
use crate::club::clock::{moment_words, span_words};
use crate::club::vote::{Proposal, Quorum, Tally, Vote, VoteLine};
use crate::club::{Actor, Gathering};
use crate::rules::{Message, Refusal, Seat, Turn};
use crate::table::{Authority, OrderLine, Refused};
use chrono::{DateTime, TimeDelta, Utc};

/// Who has been waited for so much too long is not expected to vote.
const LONG_LOST: TimeDelta = TimeDelta::days(14);
/// The same in a game without a clock, counted from its last record.
const LONG_SILENT: TimeDelta = TimeDelta::days(28);

impl Playing {
    /// The game with the time at which its vote lapses.
    pub(super) fn voting_until(mut self, until: Option<DateTime<Utc>>) -> Self {
        self.lapses = until;
        self.stored_lapses = until;
        self
    }

    /// The seats whose players cannot be expected to vote: no letter reaches them, or the game has
    /// waited for them in vain.
    fn lost(&self, now: DateTime<Utc>) -> Vec<Seat> {
        let last = self.table.records().last().map_or(now, |record| record.at);
        let is_lost = |seat: &Seat| {
            let unreachable =
                self.seat(*seat).is_none_or(|(_, member)| member.undeliverable.is_some());
            let awaited = self.table.turn().awaits(*seat);
            let silent = match self.clock.as_ref().map(|clock| clock.wait(*seat)) {
                None => awaited && now - last >= LONG_SILENT,
                Some(wait) => wait.is_some_and(|w| w.missed && now - w.deadline >= LONG_LOST),
            };
            unreachable || silent
        };
        Seat::all(self.table.founding().seats).filter(is_lost).collect()
    }

    /// The seats that somebody sits on.
    fn seated(&self) -> Vec<Seat> {
        let sits = |seat: &Seat| self.seat(*seat).is_some_and(|(seated, _)| !seated.left);
        Seat::all(self.table.founding().seats).filter(sits).collect()
    }

    /// Whether what a line proposes could be done now.
    fn could(&self, line: VoteLine, now: DateTime<Utc>) -> Result<(), Message> {
        let clock = || self.clock.as_ref().ok_or(Message::new("vote-no-clock"));
        let paused = || clock().map(|clock| clock.paused.is_some());
        match line {
            VoteLine::Extend(_) => clock().map(|_| ()),
            VoteLine::Pause if paused()? => Err(Message::new("vote-stands-still")),
            VoteLine::Resume if !paused()? => Err(Message::new("vote-runs")),
            VoteLine::Rewind(to) => {
                let Some(to) = to else {
                    return Err(Message::new("vote-nothing-back"));
                };
                self.table
                    .rewind(to, Authority::Players, "", now)
                    .map(|_| ())
                    .map_err(|no| no.reason)
            }
            VoteLine::Pause | VoteLine::Resume | VoteLine::Abandon | VoteLine::No => Ok(()),
        }
    }

    /// What is voted on, in words.
    fn describe(&self, what: Proposal) -> Message {
        match what {
            Proposal::Extend(by) => {
                Message::new("vote-to-extend").with("span", span_words(by.time()))
            }
            Proposal::Pause => Message::new("vote-to-pause"),
            Proposal::Resume => Message::new("vote-to-resume"),
            Proposal::Abandon => Message::new("vote-to-abandon"),
            Proposal::Rewind(to) => match self.table.first_turn_after(to) {
                Some((seq, who)) => Message::new("vote-to-rewind")
                    .with("to", to)
                    .with("seq", seq)
                    .with("who", Message::new("vote-by").with("who", who)),
                None => Message::new("vote-to-rewind-far").with("to", to),
            },
        }
    }

    /// What a seat is told of a vote that waits for its answer.
    pub(super) fn vote_words(&self, vote: &Vote, reader: Seat) -> Message {
        let own = self.seat(reader).map(|(_, member)| member.time.clone()).unwrap_or_default();
        let is_own = vote.by == reader;
        let word = if is_own { Message::new("vote-yours") } else { Message::new("vote-opened") };
        word.with("who", vote.by)
            .with("what", self.describe(vote.what))
            .with("line", vote.what.to_string())
            .with("quorum", quorum_word(vote.quorum))
            .with("until", moment_words(vote.until, &own))
    }
}

impl Office {
    /// Takes the line about a vote out of a letter's lines.
    ///
    /// # Errors
    /// When the club cannot be read; the line that cannot be done, and why.
    pub(super) fn ballot(
        &self,
        desk: &Desk,
        game: u32,
        lines: &mut Vec<OrderLine>,
    ) -> Result<Result<Option<VoteLine>, Refused>, OfficeError> {
        let (mut ballot, mut orders) = (None, Vec::new());
        for line in lines.drain(..) {
            let Some(read) = VoteLine::read(&line.text) else {
                orders.push(line);
                continue;
            };
            // What it means is settled by the position before the letter's own orders.
            let playing = desk.games.get(&game);
            let one_turn = playing.and_then(|playing| playing.table.before_last_turn());
            let checked = match read.map(|vote| vote.exact(one_turn)) {
                Ok(_) if ballot.is_some() => Err(Message::new("vote-one")),
                Ok(vote) => self.may_vote(desk, game, vote)?.map(|()| vote),
                Err(why) => Err(why),
            };
            match checked {
                Ok(vote) => ballot = Some(vote),
                Err(why) => {
                    let refusal = Refusal::illegal(why);
                    return Ok(Err(Refused { line: Some(line), refusal }));
                }
            }
        }
        *lines = orders;
        Ok(Ok(ballot))
    }

    fn may_vote(
        &self,
        desk: &Desk,
        game: u32,
        line: VoteLine,
    ) -> Result<Result<(), Message>, OfficeError> {
        let Some(playing) = desk.games.get(&game) else { return Ok(Ok(())) };
        if playing.table.turn() == Turn::Over {
            return Ok(Err(Message::new("game-over")));
        }
        let gathering = desk.gathering_of(self, game)?;
        let (rules, open) = (gathering.vote_rules(), gathering.vote);
        Ok(match (open, line) {
            (Some(_), VoteLine::No) => Ok(()),
            (Some(vote), line) if line.proposal() == Some(vote.what) => Ok(()),
            (Some(vote), _) => Err(Message::new("vote-other")
                .with("what", playing.describe(vote.what))
                .with("line", vote.what.to_string())),
            (None, VoteLine::No) => Err(Message::new("vote-none-open")),
            (None, line) => match line.proposal() {
                Some(what) if rules.quorum(what) == Quorum::None => {
                    Err(Message::new("vote-not-here"))
                }
                _ => playing.could(line, self.now),
            },
        })
    }

    /// What a vote would come to, for a preview.
    pub(super) fn vote_preview(&self, desk: &Desk, game: u32, line: VoteLine) -> Message {
        let Some(playing) = desk.games.get(&game) else { return Message::new("vote-would-refuse") };
        let open = desk.gathering_of(self, game).unwrap_or_default().vote.map(|vote| vote.what);
        match (open, line.proposal()) {
            (_, None) => Message::new("vote-would-refuse"),
            (Some(what), _) => {
                Message::new("vote-would-agree").with("what", playing.describe(what))
            }
            (None, Some(what)) => {
                Message::new("vote-would-open").with("what", playing.describe(what))
            }
        }
    }

    /// Takes a seat's answer, or the proposal that it makes, and does what follows from it.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn vote(
        &self,
        desk: &mut Desk,
        game: u32,
        seat: Seat,
        line: VoteLine,
    ) -> Result<(), OfficeError> {
        let playing = desk.playing(self, game)?.clone();
        let gathering = desk.gathering(self, game)?;
        let (open, rules) = (gathering.vote.take(), gathering.vote_rules());
        if playing.table.turn() == Turn::Over {
            // The orders of the same letter ended it.
            self.closed(desk, game);
            desk.note(game, seat, Message::new("vote-moot"));
            return Ok(());
        }
        let is_open = open.is_some();
        let opened = || line.proposal().map(|what| Vote::open(what, seat, &rules, self.now));
        let Some(mut vote) = open.or_else(opened) else { return Ok(()) };
        vote.answer(seat, line != VoteLine::No);
        match vote.tally(&playing.seated(), &playing.lost(self.now)) {
            Tally::Open(left) => self.keep_open(desk, &playing, vote, (seat, is_open, left))?,
            Tally::Failed => {
                tell_all(
                    desk,
                    &playing,
                    game,
                    &ended(&playing, &vote, Message::new("vote-failed")),
                );
                self.closed(desk, game);
            }
            Tally::Carried => {
                self.closed(desk, game);
                self.carry(desk, &playing, &vote)?;
            }
        }
        Ok(())
    }

    fn keep_open(
        &self,
        desk: &mut Desk,
        playing: &Playing,
        vote: Vote,
        (seat, was_open, left): (Seat, bool, usize),
    ) -> Result<(), OfficeError> {
        let game = playing.number();
        for reader in Seat::all(playing.table.founding().seats) {
            if !was_open {
                desk.note(game, reader, playing.vote_words(&vote, reader));
            } else if reader == seat {
                let agrees = if vote.yes.contains(&seat) { "yes" } else { "no" };
                let word = Message::new("vote-counted").with("agrees", agrees);
                let word = word.with("what", playing.describe(vote.what)).with("left", left);
                desk.note(game, reader, word);
            }
        }
        if let Some(playing) = desk.games.get_mut(&game) {
            playing.lapses = Some(vote.until);
        }
        desk.gathering(self, game)?.vote = Some(vote);
        Ok(())
    }

    /// Notes that a game has no vote any more.
    fn closed(&self, desk: &mut Desk, game: u32) {
        if let Some(playing) = desk.games.get_mut(&game) {
            playing.lapses = None;
        }
        desk.moved.entry(game).or_default();
    }

    fn carry(&self, desk: &mut Desk, playing: &Playing, vote: &Vote) -> Result<(), OfficeError> {
        let deed = match vote.what {
            Proposal::Extend(by) => Deed::Extend(by),
            Proposal::Pause => Deed::Pause,
            Proposal::Resume => Deed::Resume,
            Proposal::Rewind(to) => Deed::Rewind(to),
            Proposal::Abandon => Deed::End,
        };
        let game = playing.number();
        let name = |seat: &Seat| playing.names.get(seat.index()).cloned();
        let agreed: Vec<String> = vote.yes.iter().filter_map(name).collect();
        let done = self.carry_out(desk, game, &deed, Actor::House, &agreed.join(", "))?;
        if let Err(refusal) = done {
            let word =
                ended(playing, vote, Message::new("vote-undone")).with("why", refusal.reason);
            tell_all(desk, playing, game, &word);
        }
        Ok(())
    }

    /// Ends the vote of a game whose position or end leaves nothing to vote on, and says so.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn void_vote(&self, desk: &mut Desk, game: u32) -> Result<(), OfficeError> {
        let Gathering { vote, .. } = desk.gathering(self, game)?;
        if let Some(vote) = vote.take() {
            let playing = desk.playing(self, game)?.clone();
            tell_all(desk, &playing, game, &ended(&playing, &vote, Message::new("vote-void")));
            self.closed(desk, game);
        }
        Ok(())
    }

    /// Ends the votes whose time is over.
    ///
    /// # Errors
    /// When the club cannot be read or written.
    pub(super) fn lapse_votes(&self) -> Result<(), OfficeError> {
        let mut over = Vec::new();
        for game in self.store.due(self.now)? {
            let vote = self.store.gathering(game)?.vote;
            over.extend(vote.filter(|vote| vote.until <= self.now).map(|_| game));
        }
        self.for_each_due(&over, |desk, game| self.lapse(desk, game))
    }

    fn lapse(&self, desk: &mut Desk, game: u32) -> Result<(), OfficeError> {
        let playing = desk.playing(self, game)?.clone();
        let Some(vote) = desk.gathering(self, game)?.vote.take() else { return Ok(()) };
        if let Some(playing) = desk.games.get_mut(&game) {
            playing.lapses = None;
            self.due(&mut desk.batch, playing);
        }
        if playing.table.turn() != Turn::Over {
            tell_all(desk, &playing, game, &ended(&playing, &vote, Message::new("vote-lapsed")));
        }
        Ok(())
    }
}

fn tell_all(desk: &mut Desk, playing: &Playing, game: u32, word: &Message) {
    Seat::all(playing.table.founding().seats).for_each(|seat| desk.note(game, seat, word.clone()));
}

/// What all are told of a vote that has ended without carrying.
fn ended(playing: &Playing, vote: &Vote, word: Message) -> Message {
    word.with("what", playing.describe(vote.what))
        .with("yes", vote.yes.clone())
        .with("no", vote.no.clone())
}

const fn quorum_word(quorum: Quorum) -> Message {
    match quorum {
        Quorum::Majority => Message::new("vote-majority"),
        Quorum::All | Quorum::None => Message::new("vote-all"),
    }
}
