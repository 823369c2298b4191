//! Members whose letters come back: when that is believed, and what follows from it.
//!
//! A forged report could silence a member. So one counts only if it gives back a reply token, which
//! nobody has but the seat's member and the servers on the way to him: Message-IDs of ours are easy
//! to guess. And it counts only of a letter that was posted in the last days, since nobody hears of
//! an older one from a server, but a member can write such a report himself whenever he likes. All
//! others stay in quarantine.

use super::delivery::KNOWN_AS_POSTED;
use super::desk::{Desk, Fate, Outcome, Playing};
use super::office::{Office, OfficeError};
use super::post::ToSeat;
use super::roster::{marks_of, marks_of_seat};
use crate::club::{Member, Minute, Seated};
use crate::mail::{Bounce, Digest, Errand, Failed, Letter, Position};
use crate::report::{Occasion, Page};
use crate::rules::{Message, Seat, Turn};
use crate::store::Reader;
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;

/// After how many reports that there is hope yet, without a letter from the member, there is none.
pub const SOFT_MAX: u32 = 5;

/// Members who were changed on a desk.
#[derive(Clone, Default)]
pub struct Changed {
    /// As they stand on the desk.
    members: BTreeMap<u32, Member>,
    /// Who is heard of again: what each of his seats was told of, and the digest of his letter.
    back: BTreeMap<u32, Back>,
}

#[derive(Clone)]
struct Back {
    digest: String,
    /// Since when his letters came back.
    since: Option<DateTime<Utc>>,
    told: Vec<(u32, Seat, u32)>,
}

impl Changed {
    /// The members as they stand on the desk.
    pub fn members(&self) -> Vec<Member> {
        self.members.values().cloned().collect()
    }

    /// Puts what is known of members on this desk in place of what the store knows.
    pub fn correct(&self, playing: &mut Playing) {
        for (_, member) in &mut playing.seats {
            if let Some(changed) = self.members.get(&member.id) {
                *member = changed.clone();
            }
        }
    }
}

impl Desk {
    /// A member as he stands on this desk.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn member(&self, office: &Office, id: u32) -> Result<Option<Member>, OfficeError> {
        match self.changed.members.get(&id) {
            Some(member) => Ok(Some(member.clone())),
            None => Ok(office.store.member(id)?),
        }
    }

    /// The member who has this address, which is in lower case, as things stand on this desk.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn member_by_address(
        &self,
        office: &Office,
        address: &str,
    ) -> Result<Option<Member>, OfficeError> {
        let has_it = |member: &Member| member.addresses.iter().any(|own| own == address);
        if let Some(member) = self.changed.members.values().find(|member| has_it(member)) {
            return Ok(Some(member.clone()));
        }
        let Some(stored) = office.store.member_by_address(address)? else { return Ok(None) };
        Ok(self.member(office, stored.id)?.filter(has_it))
    }

    /// Where a member sits as things stand on this desk: in no game that he has left.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn seats_of(
        &self,
        office: &Office,
        member: u32,
    ) -> Result<Vec<(u32, Seat)>, OfficeError> {
        let sits = |seated: &Seated| seated.member == member && !seated.left;
        let mut seats = Vec::new();
        for (game, seat) in office.store.seats_of(member)? {
            if !self.games.contains_key(&game)
                && office.store.seats(game)?.get(seat.index()).is_some_and(sits)
            {
                seats.push((game, seat));
            }
        }
        for (game, playing) in &self.games {
            let own = playing.seats.iter().enumerate().filter(|(_, (seated, _))| sits(seated));
            seats.extend(own.map(|(index, _)| (*game, Seat::from_index(index))));
        }
        seats.sort_unstable();
        Ok(seats)
    }

    /// What is still said to a member who leaves the club by this desk goes to the address that he
    /// had: nobody will know him when it leaves.
    pub(super) fn write_to_leavers(&mut self) {
        let labels = self.batch.outgoing.iter_mut().filter_map(|letter| letter.label.as_mut());
        for label in labels {
            let Reader::Member(id) = &label.reader else { continue };
            if self.changed.members.get(id).is_some_and(Member::has_left) {
                label.reader = Reader::Address;
            }
        }
    }

    /// Takes a member's new state for all that follows on this desk.
    pub fn change(&mut self, member: Member) {
        self.changed.members.insert(member.id, member);
        for playing in self.games.values_mut() {
            self.changed.correct(playing);
        }
    }
}

impl Office {
    /// What a mail server's report leads to; `None` when it is no report that is believed here.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub fn bounced(
        &self,
        desk: &mut Desk,
        letter: &Letter,
    ) -> Result<Option<Outcome>, OfficeError> {
        let Some(bounce) = Bounce::of(letter, &self.settings.address) else { return Ok(None) };
        let Some((member, failed)) = self.lost(desk, &bounce)? else { return Ok(None) };
        if !self.was_posted(&bounce)? {
            return Ok(None);
        }
        let mut outcome = Outcome::of(Fate::Done);
        if desk.seen(self, &letter.digest)?.is_some() {
            return Ok(Some(outcome));
        }
        outcome.remembered = Some(self.remembered(letter, None, None));
        let kind = if failed.hard { "hard" } else { "soft" };
        outcome.bounced = Some(format!("{}: {kind} {}", failed.address, failed.status));
        // Nothing is sent to the others of a member's addresses.
        let written_to = member.addresses.first() == Some(&failed.address);
        if !written_to || member.undeliverable.is_some() {
            return Ok(Some(outcome));
        }
        let mut member = member;
        member.soft_bounces = member.soft_bounces.saturating_add(1);
        if failed.hard || member.soft_bounces >= SOFT_MAX {
            self.untell(desk, member.id, &bounce.tokens)?;
            let (lost, word) = self.lose(desk, member, &failed)?;
            member = lost;
            outcome.report = Some(word);
        }
        outcome.member = Some(member);
        Ok(Some(outcome))
    }

    /// Whether a report gives back a letter that was posted so short a time ago that a server may
    /// tell of it only now. Some give back no Message-ID, but the mark of a turn's letter.
    fn was_posted(&self, bounce: &Bounce) -> Result<bool, OfficeError> {
        let host = self.settings.host();
        let of_seats = bounce.tokens.iter().map(|token| {
            let Position { game, seat, seq } = token.what;
            format!("g{game}.s{seat}.r{seq}@{host}")
        });
        for id in bounce.letters.iter().cloned().chain(of_seats) {
            if self.store.posted(&id, self.now - KNOWN_AS_POSTED, self.now)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The member whose letter a report gives back, if it was his address that failed.
    fn lost(&self, desk: &Desk, bounce: &Bounce) -> Result<Option<(Member, Failed)>, OfficeError> {
        let own_address = |member: &Member| {
            let mut own = member.addresses.iter();
            own.find_map(|own| bounce.failed.iter().find(|f| f.address == *own)).cloned()
        };
        for token in &bounce.tokens {
            let seat = Seat::new(token.what.seat).index();
            let seats = self.store.seats(token.what.game)?;
            let Some(seated) = seats.get(seat) else { continue };
            let Some(member) = desk.member(self, seated.member)? else { continue };
            if self.secret.opens(token, marks_of_seat(seated, &member))
                && let Some(failed) = own_address(&member)
            {
                return Ok(Some((member, failed)));
            }
        }
        for token in &bounce.errands {
            let Errand::Member(id) = token.what else { continue };
            let Some(member) = desk.member(self, id)? else { continue };
            if self.secret.opens_errand(token, &token.what.bond("", marks_of(&member)))
                && let Some(failed) = own_address(&member)
            {
                return Ok(Some((member, failed)));
            }
        }
        Ok(None)
    }

    /// Notes that a member whose letters came back has written himself.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub fn heard_of(
        &self,
        desk: &mut Desk,
        letter: &Letter,
        member: u32,
    ) -> Result<(), OfficeError> {
        let Some(member) = desk.member(self, member)? else { return Ok(()) };
        let spotless = member.undeliverable.is_none() && member.soft_bounces == 0;
        if spotless || desk.seen(self, &letter.digest)?.is_some() {
            return Ok(());
        }
        if member.undeliverable.is_some() {
            self.to_be_written_to(desk, member.id, &letter.digest)?;
        }
        desk.change(Member { undeliverable: None, soft_bounces: 0, ..member });
        Ok(())
    }

    /// Lets the clock of this game run again for who is heard of again, so that the answer to his
    /// letter already tells him the time that he has.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn give_time_back(
        &self,
        desk: &mut Desk,
        game: u32,
        member: u32,
    ) -> Result<(), OfficeError> {
        if !desk.changed.back.contains_key(&member) || desk.playing(self, game).is_err() {
            return Ok(());
        }
        let returned = desk.member(self, member)?;
        if let (Some(member), Some(playing)) = (returned, desk.games.get_mut(&game)) {
            playing.learn(&member);
            let seats = self.store.seats_of(member.id)?;
            for (_, seat) in seats.into_iter().filter(|(at, _)| *at == game) {
                playing.reckon_again(seat, self.now);
            }
        }
        Ok(())
    }

    /// Notes that a member is to get letters about all his games, told by what they go back to.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn to_be_written_to(
        &self,
        desk: &mut Desk,
        member: u32,
        digest: &Digest,
    ) -> Result<(), OfficeError> {
        let mut told = Vec::new();
        let since = self.store.member(member)?.and_then(|member| member.undeliverable);
        for (game, seat) in desk.seats_of(self, member)? {
            let known = match desk.games.get(&game) {
                Some(playing) => playing.seat(seat).map(|(seated, _)| seated.told),
                None => self.store.seats(game)?.get(seat.index()).map(|seated| seated.told),
            };
            told.extend(known.map(|known| (game, seat, known)));
        }
        desk.changed.back.insert(member, Back { digest: digest.to_string(), since, told });
        Ok(())
    }

    /// Adds to the letters that are written to those who can be reached again what was said to them
    /// while they could not.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn catch_up(&self, desk: &mut Desk) -> Result<(), OfficeError> {
        for back in desk.changed.back.values() {
            for (game, seat, _) in &back.told {
                let writes = desk.writes_to(*game, *seat);
                let Some(movers) = desk.moved.get_mut(game).filter(|_| writes) else { continue };
                let place = desk.games.get(game).and_then(|playing| playing.seat(*seat));
                let Some((seated, _)) = place else { continue };
                let missed = self.missed_talk(*game, (*seat, seated), back.since)?;
                movers.talk.splice(0..0, missed.into_iter().map(|minute| (*seat, minute)));
            }
        }
        Ok(())
    }

    /// Writes to those who can be reached again what they have missed, in every game of theirs that
    /// did not lead to a letter to them on this desk anyway.
    pub(super) fn welcome_back(&self, desk: &mut Desk) {
        for back in std::mem::take(&mut desk.changed.back).into_values() {
            for (game, seat, told) in back.told {
                // A broken game is told of elsewhere.
                if desk.writes_to(game, seat) || desk.playing(self, game).is_err() {
                    continue;
                }
                let open = desk.games.get(&game);
                let ended = |playing: &Playing| {
                    playing.table.turn() == Turn::Over && playing.table.head() == told
                };
                let place = open.and_then(|playing| playing.seat(seat));
                let Some((seated, _)) = place else { continue };
                let talk = match self.missed_talk(game, (seat, seated), back.since) {
                    Ok(talk) => talk,
                    Err(error) => {
                        desk.broken(game, &error.to_string());
                        continue;
                    }
                };
                if open.is_some_and(ended) && talk.is_empty() {
                    continue;
                }
                let mark = format!("b{}", back.digest);
                let letter = self.missed(desk, game, (seat, told), &talk, &mark);
                match letter {
                    Ok(letter) => desk.batch.outgoing.extend(letter),
                    Err(error) => desk.broken(game, &error.to_string()),
                }
                if let Some(playing) = desk.games.get_mut(&game) {
                    playing.told(seat);
                    playing.keep_seats(&mut desk.batch);
                }
            }
        }
        desk.batch.members.extend(desk.changed.members.values().cloned());
    }

    fn missed(
        &self,
        desk: &Desk,
        game: u32,
        (seat, told): (Seat, u32),
        talk: &[Minute],
        mark: &str,
    ) -> Result<Option<crate::store::Outgoing>, OfficeError> {
        let Some(mut playing) = desk.games.get(&game).cloned() else { return Ok(None) };
        if let Some((seated, _)) = playing.seats.get_mut(seat.index()) {
            seated.told = told;
        }
        let votes = desk.gathering_of(self, game)?.open_votes;
        // What he was asked may have come back; what he was not asked yet is among his news.
        let asked = votes.iter().filter(|vote| !playing.is_yet_to_hear(seat, vote.what));
        let words = |vote| playing.vote_words(vote, seat, votes.len() > 1);
        let notes: Vec<Message> = asked.map(words).collect();
        let mut page = Page::new(&playing.table, &playing.names);
        let to = ToSeat { talk, notes: &notes, ..ToSeat::unasked(seat, Occasion::News, mark) };
        self.game_letter(&mut page, &playing, &to)
    }
}
