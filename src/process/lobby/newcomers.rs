//! People who are no members yet and would play: invited, or strangers who wrote `join 12`.
//!
//! Nobody becomes a member by a letter that somebody else could have written: what goes to an
//! address can be answered only by who reads it there.

use crate::club::{Consent, Line, LobbyLine, Member, Proposal, Request, Strangers, clean_name};
use crate::mail::manners::{DAY, Manners};
use crate::mail::{Digest, Errand, Letter, TooMuch, fold, prove, written};
use crate::process::lobby::forming::Words;
use crate::process::lobby::found::Player;
use crate::process::office::{Office, OfficeError};
use crate::process::outbound::answers::{asking, day};
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::outcome::{Answer, Fate, Outcome};
use crate::report::Notice;
use crate::rules::Message;
use crate::store::{Repository, SeenLetter};

/// How many people one member may ask within a day.
const INVITES_A_DAY: usize = 24;

impl Office {
    /// Asks somebody by letter whether he would play. Gives what the founder is told when no letter
    /// goes there: how often one goes is the same for members and others, as he must not learn by
    /// it who is one.
    pub(crate) fn invite(
        &self,
        tx: &mut Transaction<'_>,
        digest: &Digest,
        founder: &Member,
        game: u32,
        proposal: &Proposal,
        address: &str,
    ) -> Result<Option<Message>, OfficeError> {
        tx.count(invites_of(founder));
        let accounts = Account::invitation(founder.id, address);
        let unsent = Message::new("lobby-invite-unsent").with("address", address);
        if !self.have_room(tx, &accounts)? {
            return Ok(Some(unsent));
        }
        let [account, part] = accounts;
        tx.count(part.key());
        let (to, errand, how) = match tx.member_by_address(address)? {
            Some(member) if member.undeliverable.is_some() => {
                tx.count(account.key());
                return Ok(None);
            }
            Some(member) => (member, None, "lobby-how-join"),
            None => {
                let errand = Errand::Join { game, day: day(self.now) };
                (self.nobody(address), Some(errand), "newcomer-how")
            }
        };
        let mut words = vec![
            Message::new("lobby-invited")
                .with("name", founder.name.as_str())
                .with("club", self.settings.name.as_str()),
            self.said_of(proposal, game, &to),
        ];
        words.extend(tx.gathering(game)?.press_terms().words());
        words.push(asking(how).with("number", game));
        Ok(match self.notice(&to, &Notice::Said(words), errand, digest, None) {
            Ok(letter) => {
                tx.post(letter, &account);
                None
            }
            Err(_) => Some(unsent),
        })
    }

    /// Asks more people to a game that is being formed, by who proposed it.
    pub(crate) fn invite_more(
        &self,
        tx: &mut Transaction<'_>,
        digest: &Digest,
        founder: &Member,
        game: u32,
        addresses: &[String],
    ) -> Result<Words, OfficeError> {
        let mut gathering = tx.gathering(game)?;
        let Some(proposal) = gathering.proposal.clone().filter(|p| p.founder() == founder.id)
        else {
            return Ok(Err(Message::new("lobby-not-founder").with("number", game)));
        };
        if self.invites_spent(tx, founder, addresses.len())? {
            return Ok(Err(Message::new("lobby-invites-spent")));
        }
        let mut words = vec![Message::new("lobby-invites-sent").with("number", game)];
        for address in addresses {
            if !gathering.invited.contains(address) && !founder.addresses.contains(address) {
                gathering.invited.push(address.clone());
            }
            let digest = digest.and(address);
            words.extend(self.invite(tx, &digest, founder, game, &proposal, address)?);
        }
        tx.put_gathering(game, gathering);
        Ok(Ok(words))
    }

    /// Whether a member has asked so many people within a day that no more are.
    pub(crate) fn invites_spent(
        &self,
        tx: &Transaction<'_>,
        founder: &Member,
        more: usize,
    ) -> Result<bool, OfficeError> {
        let since = self.now.timestamp() - DAY;
        let asked = tx.count_since(&invites_of(founder), since)?;
        Ok(more > 0 && asked.saturating_add(more) > INVITES_A_DAY)
    }

    /// What a stranger's letter leads to who would join a game that he may join; none when it is
    /// nothing of the kind.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(crate) fn of_stranger(
        &self,
        tx: &Transaction<'_>,
        letter: &Letter,
        address: &str,
        request: &Result<Request, TooMuch>,
    ) -> Result<Option<Outcome>, OfficeError> {
        let Some(game) = request.as_ref().ok().and_then(game_to_join) else { return Ok(None) };
        let gathering = tx.gathering(game)?;
        let invited = gathering.has_invited(&[address.to_owned()]);
        let open = self.settings.strangers == Strangers::Join && !gathering.private;
        let Some(proposal) = gathering.proposal.filter(|_| invited || open) else {
            return Ok(None);
        };
        let mut outcome = Outcome::of(Fate::Done);
        outcome.remembered = Some(self.remembered(letter, None, None));
        let account = if invited || self.proves(letter, address) {
            Account::known(address)
        } else {
            Account::newcomer(address)
        };
        if self.manners(tx, &account)? != Manners::Answer {
            return Ok(Some(outcome));
        }
        let to = self.nobody(address);
        let words = vec![
            Message::new("newcomer-confirm").with("club", self.settings.name.as_str()),
            self.said_of(&proposal, game, &to),
            asking("newcomer-how").with("number", game),
        ];
        let errand = Errand::Join { game, day: day(self.now) };
        let answers = letter.message_id.as_ref();
        let notice = Notice::Said(words);
        let asked = self.notice(&to, &notice, Some(errand), &letter.digest, answers);
        outcome.answer = asked.ok().map(|letter| Answer { letter, account, told: None });
        Ok(Some(outcome))
    }

    /// The answer from an address to the letter that asked whether its reader would play.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(crate) fn of_newcomer(
        &self,
        tx: &mut Transaction<'_>,
        letter: &Letter,
        (errand, game): (Errand, u32),
        address: &str,
    ) -> Result<Outcome, OfficeError> {
        let say = |word: Message| Notice::Said(vec![word]);
        let to = self.nobody(address);
        let mark = Digest::of(format!("{errand} {address}").as_bytes());
        if tx.seen_letter(mark.bytes())?.is_some() {
            let used = say(Message::new("errand-used"));
            return self.to_anybody(tx, letter, &to, &used, None);
        }
        let Some(Consent { name }) = self.consent_in(letter, &to.language) else {
            let unread = say(asking("newcomer-unread").with("number", game));
            // The same mark again: what is not answered with a yes is not asked for longer by it.
            return self.to_anybody(tx, letter, &to, &unread, Some(errand));
        };
        // Who cannot join does not become a member by it either.
        if let Some(why) = self.shut(tx, game, address)? {
            return self.to_anybody(tx, letter, &to, &say(why), None);
        }
        let name = match self.name_of_newcomer(tx, letter, &name, address)? {
            Ok(name) => name,
            Err(why) => {
                let why = say(asking(why).with("number", game));
                return self.to_anybody(tx, letter, &to, &why, Some(errand));
            }
        };
        let player = Player { name, address: address.to_owned() };
        let member = self.enrol(tx, &player)?;
        tx.remember(mark, SeenLetter { at: self.now, game: None, seq: None });
        let mut words = vec![
            Message::new("newcomer-welcome")
                .with("club", self.settings.name.as_str())
                .with("name", member.name.as_str()),
        ];
        match self.join(tx, &member, game, None)? {
            Ok(joined) => words.extend(joined),
            Err(why) => words.push(why),
        }
        self.to_known(tx, letter, &member, &Notice::Said(words))
    }

    /// How a newcomer is called who gives this name, or none: then as his letters call him. Nobody
    /// shall be taken for somebody else; the key of what he is told whose name will not do is the
    /// same whomever it is like.
    fn name_of_newcomer(
        &self,
        tx: &Transaction<'_>,
        letter: &Letter,
        given: &str,
        address: &str,
    ) -> Result<Result<String, &'static str>, OfficeError> {
        // Who has a name here keeps it.
        if let Some(member) = tx.member_by_address(address)? {
            return Ok(Ok(member.name));
        }
        let from = letter.from.first().map(|from| from.name.as_str()).unwrap_or_default();
        let local = address.split('@').next().unwrap_or_default();
        let names = [given, from, local].map(plain_name);
        let mut seen = names.into_iter().filter(|name| name.contains(char::is_alphanumeric));
        let Some(name) = seen.next() else { return Ok(Err("newcomer-nameless")) };
        let free = self.is_free_name(tx, &name, (address, None))?;
        Ok(free.then_some(name).ok_or("newcomer-called"))
    }

    /// Why nobody at this address can join a game now.
    fn shut(
        &self,
        tx: &Transaction<'_>,
        game: u32,
        address: &str,
    ) -> Result<Option<Message>, OfficeError> {
        let gathering = tx.gathering(game)?;
        let invited = gathering.has_invited(&[address.to_owned()]);
        let key = match &gathering.proposal {
            Some(_) if gathering.private && !invited => "lobby-none",
            Some(proposal) if proposal.free() == 0 => "lobby-full",
            Some(_) => return Ok(None),
            None => "lobby-begun",
        };
        Ok(Some(Message::new(key).with("number", game)))
    }
}

/// A name without anything that is not seen, or that could be taken for something else.
fn plain_name(name: &str) -> String {
    let plain = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '.');
    clean_name(&name.chars().filter(plain).collect::<String>())
}

/// Under what a member's invitations are counted; no address is like it.
fn invites_of(founder: &Member) -> String {
    format!("invited by {}", founder.id)
}

/// The game that a letter's only line would join.
fn game_to_join(request: &Request) -> Option<u32> {
    request.lines.iter().find_map(|line| match &line.what {
        Line::Lobby(Ok(LobbyLine::Join { game, .. })) => Some(*game),
        _ => None,
    })
}

impl Office {
    /// The consent in an answer to a letter in this language; none when there is none in it.
    pub(crate) fn consent_in(&self, letter: &Letter, language: &str) -> Option<Consent> {
        let markers: Vec<&str> = self.markers.iter().map(String::as_str).collect();
        let lines: Vec<(u32, String)> = written(&letter.body, &markers)
            .into_iter()
            .map(|(number, line)| (number, fold(line)))
            .collect();
        let lines = lines.iter().map(|(number, line)| (*number, line.as_str()));
        Consent::read(lines, &self.library.consent_words(language))
    }

    /// Whether our mail server says that a letter is from whom it says it is from.
    pub(crate) fn proves(&self, letter: &Letter, address: &str) -> bool {
        let server = self.settings.authserv_id.as_deref().unwrap_or_default();
        !server.is_empty() && prove(&letter.authentication_results, server, address).is_ok()
    }
}
