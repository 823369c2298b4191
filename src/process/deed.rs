//! What is done to a game from outside of its rules: by the moderator, or by what its players
//! agreed on. Each is told to everyone with its reason, and kept in the game's minutes.

use super::mover::Movers;
use super::office::{Office, OfficeError};
use super::playing::Playing;
use super::transaction::Transaction;
use crate::club::clock::{ClockRules, GameClock, Length, OwnTime, span_words};
use crate::club::{Actor, Happening, Member, Seated};
use crate::rules::{Message, Refusal, Seat, Turn};
use crate::table::Authority;
use chrono::{DateTime, Utc};
use std::fmt;

/// What is done to a game.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// Everyone who is waited for gets so much more time.
    Extend(Length),
    /// The clock stands still.
    Pause,
    /// It runs again, and everyone has as much time left as before.
    Resume,
    /// The game is played by these rules of time from now on. Who is waited for begins anew where
    /// they say something new of when orders are due, and keeps what he was given besides.
    Rules(Box<ClockRules>),
    /// The game is taken back to where it was after this record.
    Rewind(u32),
    /// What the rules have for an absent player is done for this seat, which is waited for.
    Force(Seat),
    /// The game ends as it stands.
    End,
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Extend(by) => write!(f, "extend by {by}"),
            Self::Pause => f.write_str("pause"),
            Self::Resume => f.write_str("resume"),
            Self::Rules(rules) => {
                f.write_str("set ")?;
                write_rules(f, rules)
            }
            Self::Rewind(to) => write!(f, "rewind to {to}"),
            Self::Force(seat) => write!(f, "force seat {seat}"),
            Self::End => f.write_str("end"),
        }
    }
}

fn write_rules(f: &mut fmt::Formatter<'_>, rules: &ClockRules) -> fmt::Result {
    write!(f, "deadline {}, nmr {}", rules.deadline, rules.nmr)?;
    let grace = rules.grace.iter().map(|grace| ("grace", grace));
    let bank = rules.bank.iter().map(|bank| ("bank", bank));
    grace.chain(bank).try_for_each(|(rule, length)| write!(f, ", {rule} {length}"))
}

impl Playing {
    /// Does it; what everyone is told of it besides what the log tells.
    ///
    /// # Errors
    /// When the game is over, has no clock that could be changed, or cannot be taken back so far.
    fn undergo(
        &mut self,
        deed: &Deed,
        by: Authority,
        reason: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<Message>, Refusal> {
        let refused = |key| Err(Refusal::illegal(Message::new(key)));
        let told = match deed {
            Deed::Rewind(to) => {
                self.table = self.table.rewind(*to, by, reason, now)?;
                self.forget_plans();
                return Ok(None);
            }
            Deed::End => {
                self.table = self.table.end(by, reason, now)?;
                self.forget_plans();
                return Ok(None);
            }
            _ if self.table.turn() == Turn::Over => return refused("game-over"),
            Deed::Force(seat) => {
                if let Turn::Awaiting(awaited) = self.table.turn()
                    && !awaited.contains(seat)
                {
                    let why = Message::new("deed-not-awaited").with("who", *seat);
                    return Err(Refusal::illegal(why.with("awaited", awaited)));
                }
                self.force(*seat, now)?;
                return Ok(Some(Message::new("deed-forced").with("reason", reason)));
            }
            Deed::Rules(rules) => {
                let rules = (**rules).clone();
                match &mut self.clock {
                    Some(clock) => clock.play_by(rules, now, own_of(&self.seats)),
                    None => self.clock = Some(GameClock::new(rules)),
                }
                self.keep_time(now, &Movers::default());
                Message::new("clock-moderated-rules")
            }
            Deed::Extend(by) => {
                let Some(clock) = &mut self.clock else { return refused("clock-none") };
                clock.extend(by.time(), now, own_of(&self.seats));
                Message::new("clock-moderated-extended").with("span", span_words(by.time()))
            }
            Deed::Pause => {
                let Some(clock) = &mut self.clock else { return refused("clock-none") };
                if clock.paused.is_some() {
                    return refused("deed-paused-already");
                }
                clock.pause(now);
                Message::new("clock-moderated-paused")
            }
            Deed::Resume => {
                let Some(clock) = &mut self.clock else { return refused("clock-none") };
                if clock.paused.is_none() {
                    return refused("deed-not-paused");
                }
                clock.resume(now, own_of(&self.seats));
                Message::new("clock-moderated-resumed")
            }
        };
        if let Some(clock) = &mut self.clock {
            clock.why = Some(reason.to_owned());
        }
        Ok(Some(told.with("reason", reason).with("by", by.word())))
    }

    /// Plans were made for the position as it was.
    fn forget_plans(&mut self) {
        for (seated, _) in &mut self.seats {
            seated.standing.forget();
        }
    }
}

/// The own time of whoever sits on a seat.
fn own_of<'a>(seats: &'a [(Seated, Member)]) -> impl Fn(Seat) -> Option<&'a OwnTime> {
    |seat| seats.get(seat.index()).map(|(_, member)| &member.time)
}

impl Office {
    /// Does something to a game by the moderator's hand, and tells everyone why.
    ///
    /// # Errors
    /// When the club cannot be read or written; the refusal when it cannot be done.
    pub fn moderate(
        &self,
        game: u32,
        deed: &Deed,
        reason: &str,
    ) -> Result<Result<(), Refusal>, OfficeError> {
        let mut tx = self.begin();
        if let Err(refusal) = self.carry_out(&mut tx, game, deed, Actor::Moderator, reason)? {
            return Ok(Err(refusal));
        }
        self.conclude(tx)?;
        Ok(Ok(()))
    }

    /// Does something to a game in a transaction: what it leads to is in the transaction's commit.
    ///
    /// # Errors
    /// When the club cannot be read; the refusal when it cannot be done, and then nothing is.
    pub(super) fn carry_out(
        &self,
        tx: &mut Transaction<'_>,
        game: u32,
        deed: &Deed,
        by: Actor,
        reason: &str,
    ) -> Result<Result<(), Refusal>, OfficeError> {
        let mut playing = tx.playing(game)?.clone();
        // What came before in here comes before for the clock too.
        let none = Movers::default();
        playing.keep_time(self.now, tx.movers(game).unwrap_or(&none));
        // Nothing but a vote lets the program do such a thing by itself.
        let will = match by {
            Actor::House => Authority::Players,
            Actor::Moderator | Actor::Member(_) => Authority::Moderator,
        };
        let told = match playing.undergo(deed, will, reason, self.now) {
            Ok(told) => told,
            Err(refusal) => return Ok(Err(refusal)),
        };
        playing.keep_time(self.now, tx.movers(game).unwrap_or(&none));
        let seats = playing.table.founding().seats;
        if matches!(deed, Deed::Rewind(_) | Deed::End) {
            self.void_vote(tx, game)?;
            playing.lapses = None;
            // Who was still to be asked is asked nothing any more.
            playing.take_news_of(tx.playing(game)?);
        }
        tx.put_game(playing);
        tx.movers_mut(game);
        if let Some(told) = told {
            Seat::all(seats).for_each(|seat| tx.note(game, seat, told.clone()));
        }
        let (what, reason) = (deed.to_string(), reason.to_owned());
        tx.minute(game, Happening::Done { by, what, reason });
        Ok(Ok(()))
    }
}
