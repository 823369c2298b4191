//! Seats that change hands: a player leaves, a substitute takes the seat over with its history.

use super::desk::{Desk, Playing};
use super::found::Player;
use super::lobby::{Words, no_such};
use super::office::{Office, OfficeError};
use crate::club::{Actor, Gathering, Happening, Member, Seated, parse_mailbox};
use crate::mail::Digest;
use crate::report::Notice;
use crate::rules::{Message, Refusal, Seat, Turn};

/// How many wait for a seat of one game at most.
const WAITING_MAX: usize = 20;

impl Office {
    /// Gives a seat to another member by the moderator's hand, and tells everyone why. `who` is a
    /// member's number or address, or somebody new as `Ann <ann@example.org>`.
    ///
    /// # Errors
    /// When the club cannot be read or written; the refusal when it cannot be done.
    pub fn substitute(
        &self,
        game: u32,
        seat: Seat,
        who: &str,
        reason: &str,
    ) -> Result<Result<(), Refusal>, OfficeError> {
        let mut desk = Desk::default();
        let member = match (self.find_member(who)?, parse_mailbox(who)) {
            (Some(member), _) => member,
            (None, Some((name, address))) => self.enrol(&mut desk, &Player { name, address })?,
            (None, None) => {
                return Ok(Err(Refusal::illegal(Message::new("member-none").with("who", who))));
            }
        };
        let done = self.replace(&mut desk, game, seat, &member, Actor::Moderator, reason)?;
        if done.is_ok() {
            self.finish(&mut desk)?;
            self.keep(&desk.batch)?;
        }
        Ok(done)
    }

    /// The member with this address, who becomes one on this desk if he is none.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn enrol(&self, desk: &mut Desk, player: &Player) -> Result<Member, OfficeError> {
        let changed = desk.changed.members();
        if let Some(member) = changed.iter().find(|m| m.addresses.contains(&player.address)) {
            return Ok(member.clone());
        }
        if let Some(member) = self.store.member_by_address(&player.address)? {
            return Ok(member);
        }
        let fresh = changed.iter().map(|member| member.id.saturating_add(1)).max().unwrap_or(1);
        let member = self.new_member(self.store.next_member()?.max(fresh), player);
        desk.change(member.clone());
        Ok(member)
    }

    /// Gives a seat to another member on a desk. His first letter tells him all that the seat has
    /// seen, his time begins anew, and who sat there before can do nothing there any more.
    ///
    /// # Errors
    /// When the club cannot be read; the refusal when it cannot be done, and then nothing is.
    pub(super) fn replace(
        &self,
        desk: &mut Desk,
        game: u32,
        seat: Seat,
        member: &Member,
        by: Actor,
        reason: &str,
    ) -> Result<Result<(), Refusal>, OfficeError> {
        let refused = |key| Ok(Err(Refusal::illegal(Message::new(key).with("number", game))));
        let mut playing = desk.playing(self, game)?.clone();
        let Some((before, old)) = playing.seat(seat).cloned() else {
            return refused("seat-none");
        };
        if playing.table.turn() == Turn::Over {
            return refused("game-over");
        }
        if playing.seats.iter().any(|(seated, _)| seated.member == member.id && !seated.left) {
            return refused("seat-already-in");
        }
        let generation = before.generation.saturating_add(1);
        playing.hand_over(seat, generation, member);
        desk.games.insert(game, playing);
        desk.answer_no_more(game, seat);
        self.part_with(desk, game, &before, &old, member, reason)?;
        let gathering = desk.gathering(self, game)?;
        gathering.open.retain(|open| *open != seat);
        gathering.waiting.retain(|waiting| *waiting != member.id);
        gathering.observers.retain(|observer| *observer != member.id);
        self.tell_of_substitute(desk, game, seat, &old.name, reason);
        let what = format!("replace seat {seat} by member {}", member.id);
        desk.minute(self, game, Happening::Done { by, what, reason: reason.to_owned() });
        Ok(Ok(()))
    }

    /// Tells the whole table who plays on for whom; the letters are written by the desk's end.
    fn tell_of_substitute(
        &self,
        desk: &mut Desk,
        game: u32,
        seat: Seat,
        before: &str,
        reason: &str,
    ) {
        let Some(playing) = desk.games.get(&game) else { return };
        let founding = playing.table.founding();
        let kind = self.library.language(&self.settings.language).game(&founding.game);
        let seats = founding.seats;
        let others: Vec<Seat> = Seat::all(seats).filter(|other| *other != seat).collect();
        let welcome = Message::new("seat-yours-now")
            .with("number", game)
            .with("club", self.settings.name.as_str())
            .with("game", kind)
            .with("before", before)
            .with("others", others);
        desk.moved.entry(game).or_default();
        desk.note(game, seat, welcome);
        let told = Message::new("seat-taken-over")
            .with("who", seat)
            .with("before", before)
            .with("reason", reason);
        for other in Seat::all(seats).filter(|other| *other != seat) {
            desk.note(game, other, told.clone());
        }
    }

    /// Tells who sat there before, and keeps how punctual he was.
    fn part_with(
        &self,
        desk: &mut Desk,
        game: u32,
        seated: &Seated,
        old: &Member,
        new: &Member,
        reason: &str,
    ) -> Result<(), OfficeError> {
        let old = desk.member(self, old.id)?.unwrap_or_else(|| old.clone());
        let past = old.past.plus(seated.punctuality);
        if past != old.past {
            desk.change(Member { past, ..old.clone() });
        }
        if old.id == new.id || old.has_left() || old.undeliverable.is_some() {
            return Ok(());
        }
        let word = Message::new("seat-yours-no-more")
            .with("number", game)
            .with("name", new.name.as_str())
            .with("reason", reason);
        let mark = format!("{game} {} {}", seated.generation, old.id);
        let digest = Digest::of(format!("parted {mark}").as_bytes());
        let letter = self.notice(&old, &Notice::Said(vec![word]), None, &digest, None);
        desk.batch.outgoing.extend(letter.ok());
        Ok(())
    }

    /// Lets a player leave his seat on a desk: the first who waits for one takes it over at once,
    /// and else it is open to any member, and everyone is told.
    ///
    /// # Errors
    /// When the club cannot be read; the refusal when it cannot be done, and then nothing is.
    pub(super) fn open_seat(
        &self,
        desk: &mut Desk,
        game: u32,
        seat: Seat,
        by: Actor,
        reason: &str,
    ) -> Result<Result<(), Refusal>, OfficeError> {
        let refused = |key| Ok(Err(Refusal::illegal(Message::new(key).with("number", game))));
        let mut playing = desk.playing(self, game)?.clone();
        let Some((seated, _)) = playing.seats.get_mut(seat.index()) else {
            return refused("seat-none");
        };
        if playing.table.turn() == Turn::Over {
            return refused("game-over");
        }
        if seated.left {
            return refused("seat-open-already");
        }
        seated.left = true;
        seated.generation = seated.generation.saturating_add(1);
        seated.punctuality.left = seated.punctuality.left.saturating_add(1);
        seated.standing = crate::table::StandingOrders::default();
        let leaver = seated.member;
        desk.games.insert(game, playing);
        desk.answer_no_more(game, seat);
        let what = format!("seat {seat} is open");
        desk.minute(self, game, Happening::Done { by, what, reason: reason.to_owned() });
        if let Some(next) = self.next_waiting(desk, game, leaver)? {
            return self.replace(desk, game, seat, &next, Actor::House, reason);
        }
        let gathering = desk.gathering(self, game)?;
        gathering.open.push(seat);
        gathering.open.sort_unstable();
        gathering.open.dedup();
        let Some(playing) = desk.games.get(&game) else { return Ok(Ok(())) };
        let name = playing.names.get(seat.index()).cloned().unwrap_or_default();
        let seats = playing.table.founding().seats;
        let told = Message::new("seat-open")
            .with("number", game)
            .with("name", name.as_str())
            .with("reason", reason);
        desk.moved.entry(game).or_default();
        for other in Seat::all(seats).filter(|other| *other != seat) {
            desk.note(game, other, told.clone());
        }
        let report = Message::new("report-seat-open").with("number", game).with("name", name);
        desk.reports.push(report.with("reason", reason));
        Ok(Ok(()))
    }

    /// Lets a player leave the game whose letter he answers.
    pub(super) fn resign(
        &self,
        desk: &mut Desk,
        seat: Option<(u32, Seat)>,
        sure: bool,
        reason: &str,
    ) -> Result<Words, OfficeError> {
        let Some((game, seat)) = seat else { return Ok(Err(Message::new("resign-where"))) };
        let over = desk.games.get(&game).is_some_and(|playing| playing.table.turn() == Turn::Over);
        if over {
            return Ok(Err(Message::new("game-over")));
        }
        if !sure {
            return Ok(Ok(vec![Message::new("resign-sure").with("number", game)]));
        }
        let own = self.term("reason-resigned");
        let reason = if reason.is_empty() { own.as_str() } else { reason };
        let member = desk.games.get(&game).and_then(|playing| playing.seat(seat));
        let by = Actor::Member(member.map_or(0, |(seated, _)| seated.member));
        Ok(match self.open_seat(desk, game, seat, by, reason)? {
            Ok(()) => Ok(vec![Message::new("resigned").with("number", game)]),
            Err(refusal) => Err(refusal.reason),
        })
    }

    /// Gives a member an open seat of a game that is being played.
    pub(super) fn take_open_seat(
        &self,
        desk: &mut Desk,
        member: &Member,
        game: u32,
        gathering: &Gathering,
    ) -> Result<Words, OfficeError> {
        if let Err(why) = self.open_on(desk, game)? {
            return Ok(Err(why));
        }
        let Some(seat) = gathering.open.first() else {
            return Ok(Err(Message::new("lobby-running").with("number", game)));
        };
        let reason = self.term("reason-took-open-seat");
        let by = Actor::Member(member.id);
        Ok(match self.replace(desk, game, *seat, member, by, &reason)? {
            Ok(()) => Ok(vec![Message::new("lobby-took-seat").with("number", game)]),
            Err(refusal) => Err(refusal.reason),
        })
    }

    /// Puts a member on the waiting list of a game.
    pub(super) fn wait(
        &self,
        desk: &mut Desk,
        member: &Member,
        game: u32,
    ) -> Result<Words, OfficeError> {
        let gathering = desk.gathered(self, game)?;
        if !gathering.is_known_to(member) {
            return Ok(Err(no_such(game)));
        }
        if gathering.proposal.is_none()
            && let Err(why) = self.open_on(desk, game)?
        {
            return Ok(Err(why));
        }
        let sits = desk.games.get(&game).is_some_and(|playing| {
            playing.seats.iter().any(|(seated, _)| seated.member == member.id && !seated.left)
        });
        let refused = match &gathering.proposal {
            Some(proposal) if proposal.holds(member.id) => Some("lobby-in-already"),
            Some(proposal) if proposal.free() > 0 => Some("lobby-seat-free"),
            None if sits => Some("lobby-in-already"),
            None if !gathering.open.is_empty() => Some("lobby-seat-free"),
            _ if gathering.waiting.len() >= WAITING_MAX => Some("lobby-waits-many"),
            _ => None,
        };
        if let Some(key) = refused {
            return Ok(Err(Message::new(key).with("number", game)));
        }
        let waiting = &mut desk.gathering(self, game)?.waiting;
        waiting.retain(|other| *other != member.id);
        waiting.push(member.id);
        let place = waiting.len();
        Ok(Ok(vec![Message::new("lobby-waits").with("number", game).with("place", place)]))
    }

    /// Whether a seat's player left it, or another took it over, on this very desk: the door only
    /// knows what the store has.
    pub(super) fn has_changed_hands(
        &self,
        desk: &Desk,
        game: u32,
        seat: Seat,
    ) -> Result<bool, OfficeError> {
        let Some((now, _)) = desk.games.get(&game).and_then(|playing| playing.seat(seat)) else {
            return Ok(false);
        };
        let stored = self.store.seats(game)?;
        Ok(stored.get(seat.index()).is_some_and(|before| before.generation != now.generation))
    }

    /// The first member on a game's waiting list who can take a seat over; who cannot any more is
    /// taken off the list.
    fn next_waiting(
        &self,
        desk: &mut Desk,
        game: u32,
        leaver: u32,
    ) -> Result<Option<Member>, OfficeError> {
        let sitting: Vec<u32> = desk
            .playing(self, game)?
            .seats
            .iter()
            .filter(|(seated, _)| !seated.left)
            .map(|(seated, _)| seated.member)
            .collect();
        let waiting = desk.gathering(self, game)?.waiting.clone();
        for id in waiting {
            let member = desk.member(self, id)?;
            let able = member.filter(|member| {
                !member.has_left()
                    && member.undeliverable.is_none()
                    && !sitting.contains(&id)
                    && id != leaver
            });
            if able.is_some() {
                return Ok(able);
            }
            desk.gathering(self, game)?.waiting.retain(|other| *other != id);
        }
        Ok(None)
    }
}

impl Desk {
    /// What a seat's player was to be told of his letters on this desk is not for who comes after
    /// him.
    fn answer_no_more(&mut self, game: u32, seat: Seat) {
        if let Some(movers) = self.moved.get_mut(&game) {
            movers.acknowledged.remove(&seat);
        }
    }
}

impl Playing {
    /// Seats another member: nothing of what the one before him wrote for himself stays.
    fn hand_over(&mut self, seat: Seat, generation: u32, member: &Member) {
        let seated = Seated { member: member.id, generation, ..Seated::default() };
        if let Some(place) = self.seats.get_mut(seat.index()) {
            *place = (seated, member.clone());
        }
        if let Some(name) = self.names.get_mut(seat.index()) {
            name.clone_from(&member.name);
        }
        // Who is waited for and has no wait gets one when the desk is finished.
        if let Some(clock) = &mut self.clock {
            clock.waits.retain(|wait| wait.seat != seat);
            if let Some(misses) = clock.misses.get_mut(seat.index()) {
                *misses = 0;
            }
            if let Some(used) = clock.bank_used.get_mut(seat.index()) {
                *used = 0;
            }
        }
    }
}
