//! What the moderator decides about a game, in deeds and in words.

use super::deed::Deed;
use super::moderator::Obeyed;
use super::mover::Movers;
use super::office::{Office, OfficeError};
use super::playing::Playing;
use super::transaction::Transaction;
use crate::club::clock::{ClockRules, span_words};
use crate::club::{Actor, ClockRule, Happening, Ruling};
use crate::mail::Digest;
use crate::report::{Notice, Section};
use crate::rules::{Message, Refusal, Seat};
use crate::store::Repository;
use std::collections::BTreeMap;

impl Office {
    /// Carries out a ruling on a game that lies in the transaction.
    pub(super) fn rule(
        &self,
        tx: &mut Transaction<'_>,
        game: u32,
        ruling: &Ruling,
        reason: &str,
    ) -> Result<Obeyed, OfficeError> {
        let deed = match ruling {
            Ruling::Pause => Deed::Pause,
            Ruling::Resume => Deed::Resume,
            Ruling::Extend(by) => Deed::Extend(*by),
            Ruling::Rewind(to) => Deed::Rewind(*to),
            Ruling::End => Deed::End,
            Ruling::Force(seat) => Deed::Force(*seat),
            Ruling::Set(rule) => match self.rules_with(tx, game, rule) {
                Ok(rules) => Deed::Rules(Box::new(rules)),
                Err(why) => return Ok(Err(Refusal::illegal(why))),
            },
            Ruling::Rotate(seat) => return Ok(self.rotate_on(tx, game, *seat, reason)),
            Ruling::Replace { seat, by } => {
                return self.replace_by_hand(tx, (game, *seat), by, reason);
            }
            Ruling::Remove(seat) => return self.remove_by_hand(tx, (game, *seat), reason),
        };
        self.ruled(tx, game, &deed, reason)
    }

    /// What a deed of the moderator's would do.
    ///
    /// # Errors
    /// When the club cannot be read; the refusal when it cannot be done.
    pub fn rehearse(
        &self,
        game: u32,
        deed: &Deed,
        reason: &str,
    ) -> Result<Result<Section, Refusal>, OfficeError> {
        self.ruled(&mut self.begin(), game, deed, reason)
    }

    fn ruled(
        &self,
        tx: &mut Transaction<'_>,
        game: u32,
        deed: &Deed,
        reason: &str,
    ) -> Result<Obeyed, OfficeError> {
        let done = self.carry_out(tx, game, deed, Actor::Moderator, reason)?;
        Ok(done.map_err(|refusal| self.in_names(tx, game, refusal)).map(|()| {
            let head = ruled_words(deed, tx.game(game)).with("game", game).with("reason", reason);
            let state = tx.game(game).map(|playing| self.state(playing));
            Section { head, lines: state.into_iter().collect() }
        }))
    }

    /// The clock's rules of a game with another value for one of them.
    fn rules_with(
        &self,
        tx: &Transaction<'_>,
        game: u32,
        rule: &ClockRule,
    ) -> Result<ClockRules, Message> {
        let own = tx.game(game).and_then(|playing| playing.clock.as_ref());
        let usual = own.map(|clock| &clock.rules).or(self.settings.clock.as_ref()).cloned();
        let mut rules = match (rule, usual) {
            (ClockRule::Deadline(deadline), None) => ClockRules::of(deadline.clone()),
            (_, None) => return Err(Message::new("clock-none")),
            (_, Some(rules)) => rules,
        };
        match rule {
            ClockRule::Deadline(deadline) => rules.deadline = deadline.clone(),
            ClockRule::Grace(grace) => rules.grace = *grace,
            ClockRule::Bank(bank) => rules.bank = *bank,
            ClockRule::Nmr(nmr) => rules.nmr = *nmr,
        }
        rules.check().map_err(|_| Message::new("moderator-no-day-left"))?;
        Ok(rules)
    }

    /// Makes the reply tokens of a seat void in a transaction; its player gets a letter with a new
    /// one.
    fn rotate_on(&self, tx: &mut Transaction<'_>, game: u32, seat: Seat, reason: &str) -> Obeyed {
        let found = tx.game_mut(game).and_then(|game| game.seats.get_mut(seat.index()));
        let Some((seated, member)) = found else {
            let none = Message::new("moderator-no-seat").with("game", game);
            return Err(Refusal::illegal(none.with("seat", seat.number())));
        };
        seated.generation = seated.generation.saturating_add(1);
        let name = member.name.clone();
        tx.note(game, seat, Message::new("seat-rotated").with("reason", reason));
        // Whose letters were in danger is nobody else's business.
        let text = format!("rotate seat {seat}: {reason}");
        tx.minute(game, Happening::Noted { text });
        let head = Message::new("moderator-rotated").with("game", game).with("who", name);
        Ok(Section::of(head.with("reason", reason)))
    }

    pub(super) fn announce(&self, tx: &mut Transaction<'_>, game: u32, text: &str) -> Section {
        let seats = tx.game(game).map_or(0, |playing| playing.table.founding().seats);
        for seat in Seat::all(seats) {
            tx.note(game, seat, Message::new("seat-announced").with("text", text));
        }
        let (by, what, reason) = (Actor::Moderator, "announce".to_owned(), text.to_owned());
        tx.minute(game, Happening::Done { by, what, reason });
        let seats = tx.game(game).map(|playing| playing.seats.as_slice());
        let reached: Vec<String> = seats
            .unwrap_or_default()
            .iter()
            .filter(|(seated, member)| !seated.left && member.undeliverable.is_none())
            .map(|(_, member)| member.name.clone())
            .collect();
        let head = Message::new("moderator-announced").with("game", game).with("who", reached);
        Section::of(head.with("text", text))
    }

    /// Tells something to everybody who plays: one letter each, in however many games.
    pub(super) fn announce_to_all(
        &self,
        tx: &mut Transaction<'_>,
        text: &str,
    ) -> Result<Section, OfficeError> {
        let mut members = BTreeMap::new();
        for game in tx.games()? {
            let Some(playing) = self.running(tx, game)? else { continue };
            for (seated, member) in playing.seats {
                if !seated.left && member.undeliverable.is_none() {
                    members.insert(member.id, member);
                }
            }
        }
        let notice = Notice::Said(vec![Message::new("seat-announced").with("text", text)]);
        let digest = Digest::of(format!("{} {text}", self.now).as_bytes());
        for member in members.values() {
            let address = member.addresses.first().map(String::as_str).unwrap_or_default();
            let letter = self.notice(member, &notice, None, &digest.and(address), None);
            tx.write().outgoing.extend(letter.ok());
        }
        let head = Message::new("moderator-announced-to-all").with("count", members.len());
        Ok(Section::of(head.with("text", text)))
    }

    /// A refusal with the names of those whom it speaks of.
    fn in_names(&self, tx: &Transaction<'_>, game: u32, refusal: Refusal) -> Refusal {
        let names = tx.game(game).map(|playing| playing.names.clone()).unwrap_or_default();
        let language = self.library.language(&self.settings.language);
        let why = language.say_of(&refusal.reason, &names);
        Refusal { reason: Message::new("moderator-why").with("why", why), ..refusal }
    }

    /// How a game stands in a transaction, when all that is planned has been carried out.
    fn state(&self, playing: &Playing) -> Message {
        let mut playing = playing.clone();
        playing.carry_on(self.now);
        playing.keep_time(self.now, &Movers::default());
        Message::new("moderator-state").with("waits", self.waits(&playing))
    }
}

/// What was done, without its game and reason.
fn ruled_words(deed: &Deed, playing: Option<&Playing>) -> Message {
    let name = |seat: &Seat| {
        let names = playing.map(|playing| playing.names.as_slice()).unwrap_or_default();
        names.get(seat.index()).cloned().unwrap_or_default()
    };
    match deed {
        Deed::Pause => Message::new("moderator-paused"),
        Deed::Resume => Message::new("moderator-resumed"),
        Deed::Extend(by) => Message::new("moderator-extended").with("span", span_words(by.time())),
        Deed::Rewind(to) => Message::new("moderator-rewound").with("to", *to),
        Deed::End => Message::new("moderator-ended"),
        Deed::Force(seat) => Message::new("moderator-forced").with("who", name(seat)),
        Deed::Rules(_) => {
            let rules = deed.to_string();
            let rules = rules.strip_prefix("set ").unwrap_or(&rules);
            Message::new("moderator-set").with("rules", rules)
        }
    }
}
