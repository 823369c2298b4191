//! Who knocks: the club's door, and answers to those who are let in nowhere.

use crate::club::{Member, Request, Strangers};
use crate::mail::manners::Manners;
use crate::mail::{Door, Letter, Waiting, first_quoted};
use crate::process::fence::fenced;
use crate::process::office::{Office, OfficeError};
use crate::process::outbound::ID_START;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::outcome::{Answer, Outcome};
use crate::report::Notice;
use crate::rules::Message;
use crate::store::Repository;

impl Office {
    /// The club's door.
    pub(crate) fn door(&self) -> Door<'_> {
        Door {
            secret: &self.secret,
            address: &self.settings.address,
            admission: self.settings.admission,
            authserv_id: self.settings.authserv_id.as_deref().unwrap_or_default(),
            moderator: &self.settings.moderator.address,
        }
    }

    pub(crate) fn games_of(
        &self,
        tx: &Transaction<'_>,
        member: &Member,
    ) -> Result<Vec<String>, OfficeError> {
        let mut games = Vec::new();
        for (game, seat) in tx.seats_of(member.id)? {
            if let Ok(playing) = tx.savepoint().playing(game)
                && playing.seat(seat).is_some_and(|(seated, _)| !seated.left)
            {
                let language = self.library.language(&member.language);
                games.push(language.title(playing.table.founding(), &self.settings.name));
            }
        }
        Ok(games)
    }

    pub(crate) fn to_stranger(
        &self,
        tx: &Transaction<'_>,
        letter: &Letter,
        address: &str,
    ) -> Result<Outcome, OfficeError> {
        let mut outcome = self.unanswered(letter);
        let account = if self.proves(letter, address) {
            Account::known(address)
        } else {
            Account::stranger(address)
        };
        if self.manners(tx, &account)? == Manners::Answer {
            let stranger = self.nobody(address);
            let moderator = self.settings.moderator.address.clone();
            let may_join = self.settings.strangers == Strangers::Join;
            let notice = Notice::Stranger { moderator, may_join };
            let answer = |letter| Answer { letter, account, told: None };
            outcome.answer = self.notice_to(&stranger, &notice, letter).map(answer);
        }
        Ok(outcome)
    }

    /// What was asked in a letter, unless it answers one about several games between the quoted
    /// lines: what stands there may be meant for any of them.
    ///
    /// # Errors
    /// What is to be said of it.
    pub(crate) fn of_one_game<'a>(
        &self,
        letter: &Letter,
        request: &'a Request,
    ) -> Result<&'a Request, Message> {
        let end = format!("@{}", self.settings.host());
        let is_bundle = |id: &String| id.starts_with(ID_START) && id.ends_with(&end);
        if !letter.references.iter().any(is_bundle) {
            return Ok(request);
        }
        let first = first_quoted(&letter.body).unwrap_or(u32::MAX);
        let orders = request.lines.iter().map(|line| line.order.number);
        let press = request.talk.press.iter().map(|press| press.number);
        match orders.chain(press).find(|number| *number > first) {
            Some(number) => Err(Message::new("unread-between").with("number", number)),
            None => Ok(request),
        }
    }
}

impl Office {
    /// Takes in what a letter led to, its vote included.
    ///
    /// # Errors
    /// When the club cannot be read, or its game fails on the vote: what stands in the transaction
    /// is then to be thrown away.
    pub(crate) fn take(
        &self,
        tx: &mut Transaction<'_>,
        file: Waiting,
        outcome: Outcome,
    ) -> Result<(), OfficeError> {
        let ballot = outcome.moved.as_ref().and_then(|moved| {
            Some((moved.table.founding().number, moved.seat, moved.ballot.clone()?))
        });
        tx.take(file, outcome);
        if let Some((game, seat, ballot)) = ballot
            && let Err(why) = fenced(|| self.vote(tx, game, seat, &ballot))?
        {
            return Err(OfficeError::GameFailed { game, why });
        }
        Ok(())
    }
}
