//! What a player's lines about himself lead to: his settings by the command line, and the private
//! notes of his seat.

use super::clock::ForHouse;
use super::members::MemberRefusal;
use super::office::{Office, OfficeError};
use super::playing::Playing;
use super::transaction::{Transaction, retry};
use crate::club::clock::ClockRules;
use crate::club::{Member, MemberLine, NoteLine, Notes, Offer};
use crate::rules::{Message, Refusal, Seat};
use crate::table::{OrderLine, Refused};

impl Office {
    /// What this club lets its members choose from.
    pub(super) fn offer<'a>(&self, languages: &'a [&'a str]) -> Offer<'a> {
        let rules = self.settings.clock.as_ref();
        let vacation_days =
            rules.map_or(ClockRules::VACATION_DAYS, |rules| rules.vacation_days_per_year);
        Offer { vacation_days, languages }
    }

    /// Does for the member with this number or address what a line of a letter of his would, and
    /// gives the member with what he would be told.
    ///
    /// # Errors
    /// When the club cannot be read or written.
    pub fn set_member(
        &self,
        who: &str,
        line: &str,
    ) -> Result<Result<(Member, Message), MemberRefusal>, OfficeError> {
        retry(|| {
            let mut tx = self.begin();
            let set = self.setting(&tx, who, line)?;
            if let Ok((member, _)) = &set {
                tx.change(member.clone());
                self.conclude(tx)?;
            }
            Ok(set)
        })
    }

    /// The member as the line would leave it, and what there is to say of that; nothing is changed.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub fn rehearse_setting(
        &self,
        who: &str,
        line: &str,
    ) -> Result<Result<(Member, Message), MemberRefusal>, OfficeError> {
        self.setting(&self.begin(), who, line)
    }

    fn setting(
        &self,
        tx: &Transaction<'_>,
        who: &str,
        line: &str,
    ) -> Result<Result<(Member, Message), MemberRefusal>, OfficeError> {
        let Some(before) = self.member_on(tx, who)? else {
            return Ok(Err(MemberRefusal::NoMember(who.to_owned())));
        };
        let languages: Vec<&str> = self.library.tags().collect();
        let Some(read) = MemberLine::read(line) else {
            return Ok(Err(MemberRefusal::NoSetting(line.to_owned())));
        };
        let set = read.and_then(|read| read.onto(&before, self.now, &self.offer(&languages)));
        Ok(set.map_err(MemberRefusal::WrongSetting))
    }
}

impl ForHouse {
    /// Takes the lines about notes out of a letter's lines. `body` is the letter as it was written.
    ///
    /// # Errors
    /// The first of them that cannot be done: then the whole letter is not.
    pub(super) fn of_notes(
        notes: &Notes,
        body: &str,
        lines: &mut Vec<OrderLine>,
    ) -> Result<Self, Refused> {
        let mut house = Self::default();
        let mut others = Vec::new();
        for line in lines.drain(..) {
            let index = usize::try_from(line.number.saturating_sub(1)).unwrap_or(usize::MAX);
            let written = body.lines().nth(index).unwrap_or_default();
            let Some(read) = NoteLine::read(&line.text, written) else {
                others.push(line);
                continue;
            };
            let now = house.notes.as_ref().unwrap_or(notes);
            let (after, said) = read
                .and_then(|read| now.changed(read))
                .map_err(|why| Refused { line: Some(line), refusal: Refusal::illegal(why) })?;
            house.notes = Some(after);
            house.words.push(said);
        }
        *lines = others;
        Ok(house)
    }

    /// The same with what other lines of the letter come to.
    #[must_use]
    pub(super) fn and(mut self, other: Self) -> Self {
        self.member = other.member.or(self.member);
        self.notes = other.notes.or(self.notes);
        self.words.extend(other.words);
        self.confirm.extend(other.confirm);
        self
    }
}

impl Playing {
    /// Puts these in place of a seat's notes.
    pub(super) fn note(&mut self, seat: Seat, notes: Notes) {
        if let Some((seated, _)) = self.seats.get_mut(seat.index()) {
            seated.notes = notes;
        }
    }
}
