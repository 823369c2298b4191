//! Members whose letters come back: when that is believed, and what follows from it.
//!
//! A forged report could silence a member. So one counts only if it gives back a reply token, which
//! nobody has but the seat's member and the servers on the way to him: Message-IDs of ours are easy
//! to guess. And it counts only of a letter that was posted in the last days, since nobody hears of
//! an older one from a server, but a member can write such a report himself whenever he likes. All
//! others stay in quarantine.

use super::delivery::KNOWN_AS_POSTED;
use super::lost::untell;
use super::office::{Office, OfficeError};
use super::outbound::ToSeat;
use super::outcome::{Fate, Outcome};
use super::playing::Playing;
use super::roster::{marks_of, marks_of_seat};
use super::talk::missed_talk;
use super::transaction::Transaction;
use crate::club::{Member, Minute};
use crate::mail::{Bounce, Digest, Errand, Failed, Letter, Position, Token};
use crate::report::Occasion;
use crate::rules::{Message, Seat, Turn};
use crate::store::Repository;
use chrono::{DateTime, Utc};

/// After how many reports that there is hope yet, without a letter from the member, there is none.
pub const SOFT_MAX: u32 = 5;

/// A member who is heard of again.
#[derive(Clone)]
pub struct Back {
    /// By what his letter is known again.
    digest: String,
    /// Since when his letters came back.
    since: Option<DateTime<Utc>>,
    /// What each of his seats was told of.
    told: Vec<(u32, Seat, u32)>,
}

impl Office {
    /// What a mail server's report leads to; `None` when it is no report that is believed here.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub fn bounced(
        &self,
        tx: &mut Transaction<'_>,
        letter: &Letter,
    ) -> Result<Option<Outcome>, OfficeError> {
        let Some(bounce) = Bounce::of(letter, &self.settings.address) else { return Ok(None) };
        let Some((member, failed)) = self.lost(tx, &bounce)? else { return Ok(None) };
        if !self.was_posted(tx, &bounce)? {
            return Ok(None);
        }
        let mut outcome = Outcome::of(Fate::Done);
        if tx.seen_letter(letter.digest.bytes())?.is_some() {
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
            let told = self.told_by(tx, &member, &bounce.tokens)?;
            untell(tx, member.id, &told)?;
            let (lost, word) = self.lose(tx, member, &failed)?;
            member = lost;
            outcome.report = Some(word);
        }
        outcome.member = Some(member);
        Ok(Some(outcome))
    }

    /// What a letter with these marks told, as far as they are valid and a member's: each seat with
    /// the record before the one that it told of last.
    fn told_by(
        &self,
        tx: &Transaction<'_>,
        member: &Member,
        tokens: &[Token],
    ) -> Result<Vec<(u32, Seat, u32)>, OfficeError> {
        let mut told = Vec::new();
        for token in tokens {
            let Position { game, seat, seq } = token.what;
            let seat = Seat::new(seat);
            let seats = tx.seats(game)?;
            let opens = |seated| self.secret.opens(token, marks_of_seat(seated, member));
            let is_valid = seats.get(seat.index()).is_some_and(opens);
            told.extend(is_valid.then(|| (game, seat, seq.saturating_sub(1))));
        }
        Ok(told)
    }

    /// Whether a report gives back a letter that was posted so short a time ago that a server may
    /// tell of it only now. Some give back no Message-ID, but the mark of a turn's letter.
    fn was_posted(&self, tx: &Transaction<'_>, bounce: &Bounce) -> Result<bool, OfficeError> {
        let host = self.settings.host();
        let of_seats = bounce.tokens.iter().map(|token| {
            let Position { game, seat, seq } = token.what;
            format!("g{game}.s{seat}.r{seq}@{host}")
        });
        for id in bounce.letters.iter().cloned().chain(of_seats) {
            if tx.posted(&id, self.now - KNOWN_AS_POSTED, self.now)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The member whose letter a report gives back, if it was his address that failed.
    fn lost(
        &self,
        tx: &Transaction<'_>,
        bounce: &Bounce,
    ) -> Result<Option<(Member, Failed)>, OfficeError> {
        let own_address = |member: &Member| {
            let mut own = member.addresses.iter();
            own.find_map(|own| bounce.failed.iter().find(|f| f.address == *own)).cloned()
        };
        for token in &bounce.tokens {
            let seat = Seat::new(token.what.seat).index();
            let seats = tx.seats(token.what.game)?;
            let Some(seated) = seats.get(seat) else { continue };
            let Some(member) = tx.member(seated.member)? else { continue };
            if self.secret.opens(token, marks_of_seat(seated, &member))
                && let Some(failed) = own_address(&member)
            {
                return Ok(Some((member, failed)));
            }
        }
        for token in &bounce.errands {
            let Errand::Member(id) = token.what else { continue };
            let Some(member) = tx.member(id)? else { continue };
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
        tx: &mut Transaction<'_>,
        letter: &Letter,
        member: u32,
    ) -> Result<(), OfficeError> {
        let Some(member) = tx.member(member)? else { return Ok(()) };
        let spotless = member.undeliverable.is_none() && member.soft_bounces == 0;
        if spotless || tx.seen_letter(letter.digest.bytes())?.is_some() {
            return Ok(());
        }
        if member.undeliverable.is_some() {
            self.to_be_written_to(tx, member.id, &letter.digest)?;
        }
        tx.change(Member { undeliverable: None, soft_bounces: 0, ..member });
        Ok(())
    }

    /// Lets the clock of this game run again for who is heard of again, so that the answer to his
    /// letter already tells him the time that he has.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn give_time_back(
        &self,
        tx: &mut Transaction<'_>,
        game: u32,
        member: u32,
    ) -> Result<(), OfficeError> {
        if tx.back(member).is_none() || tx.playing(game).is_err() {
            return Ok(());
        }
        let (returned, seats) = (tx.member(member)?, tx.seats_of(member)?);
        if let (Some(member), Some(playing)) = (returned, tx.game_mut(game)) {
            playing.learn(&member);
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
        tx: &mut Transaction<'_>,
        member: u32,
        digest: &Digest,
    ) -> Result<(), OfficeError> {
        let mut told = Vec::new();
        let since = tx.member_before(member)?.and_then(|member| member.undeliverable);
        for (game, seat) in tx.seats_held(member)? {
            let known = tx.seats(game)?.get(seat.index()).map(|seated| seated.told);
            told.extend(known.map(|known| (game, seat, known)));
        }
        tx.welcome(member, Back { digest: digest.to_string(), since, told });
        Ok(())
    }

    /// Adds to the letters that are written to those who can be reached again what was said to them
    /// while they could not.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn catch_up(&self, tx: &mut Transaction<'_>) -> Result<(), OfficeError> {
        for Back { since, told, .. } in tx.all_back() {
            for (game, seat, _) in told {
                if !tx.writes_to(game, seat) {
                    continue;
                }
                let place = tx.game(game).and_then(|playing| playing.seat(seat));
                let Some((seated, _)) = place else { continue };
                let missed = missed_talk(tx, game, (seat, seated), since)?;
                let missed = missed.into_iter().map(|minute| (seat, minute));
                tx.movers_mut(game).talk.splice(0..0, missed);
            }
        }
        Ok(())
    }

    /// Writes to those who can be reached again what they have missed, in every game of theirs that
    /// did not lead to a letter to them in here anyway.
    pub(super) fn welcome_back(&self, tx: &mut Transaction<'_>) {
        for back in tx.take_back() {
            for (game, seat, told) in back.told {
                // A broken game is told of elsewhere.
                if tx.writes_to(game, seat) || tx.playing(game).is_err() {
                    continue;
                }
                let open = tx.game(game);
                let ended = |playing: &Playing| {
                    playing.table.turn() == Turn::Over && playing.table.head() == told
                };
                let place = open.and_then(|playing| playing.seat(seat));
                let Some((seated, _)) = place else { continue };
                let talk = match missed_talk(tx, game, (seat, seated), back.since) {
                    Ok(talk) => talk,
                    Err(error) => {
                        tx.broken(game, &error.to_string());
                        continue;
                    }
                };
                if open.is_some_and(ended) && talk.is_empty() {
                    continue;
                }
                let mark = format!("b{}", back.digest);
                let letter = self.missed(tx, game, (seat, told), talk, mark);
                match letter {
                    Ok(letter) => tx.write().outgoing.extend(letter),
                    Err(error) => tx.broken(game, &error.to_string()),
                }
                if let Some(playing) = tx.game_mut(game) {
                    playing.told(seat);
                }
            }
        }
    }

    fn missed(
        &self,
        tx: &Transaction<'_>,
        game: u32,
        (seat, told): (Seat, u32),
        talk: Vec<Minute>,
        mark: String,
    ) -> Result<Option<crate::store::Outgoing>, OfficeError> {
        let Some(mut playing) = tx.game(game).cloned() else { return Ok(None) };
        if let Some((seated, _)) = playing.seats.get_mut(seat.index()) {
            seated.told = told;
        }
        let votes = tx.gathering(game)?.open_votes;
        // What he was asked may have come back; what he was not asked yet is among his news.
        let asked = votes.iter().filter(|vote| !playing.is_yet_to_hear(seat, &vote.what));
        let words = |vote| playing.vote_words(vote, seat, votes.len() > 1);
        let notes: Vec<Message> = asked.map(words).collect();
        let to = ToSeat { talk, notes, ..ToSeat::unasked(seat, Occasion::News, mark) };
        self.game_letter(tx, &playing, to)
    }
}
