//! Members who leave the club: out of all games and off all lists, name and addresses erased.

use super::desk::Desk;
use super::lobby::Words;
use super::office::{Office, OfficeError};
use crate::club::{Actor, Member};
use crate::rules::Message;

impl Office {
    /// A member's wish to leave the club for good.
    pub(super) fn leave_club(
        &self,
        desk: &mut Desk,
        member: &Member,
        sure: bool,
    ) -> Result<Words, OfficeError> {
        if !sure {
            return Ok(Ok(vec![Message::new("leave-club-sure")]));
        }
        self.erase(desk, member.id, Actor::Member(member.id))?;
        Ok(Ok(vec![Message::new("leave-club-done")]))
    }

    /// Lets the member with this number or address leave the club by the moderator's hand; who it
    /// was, none when there is no such member.
    ///
    /// # Errors
    /// When the club cannot be read or written.
    pub fn forget_member(&self, who: &str) -> Result<Option<Member>, OfficeError> {
        let Some(member) = self.find_member(who)? else { return Ok(None) };
        let mut desk = Desk::default();
        self.erase(&mut desk, member.id, Actor::Moderator)?;
        self.finish(&mut desk)?;
        self.keep(&desk.batch)?;
        Ok(Some(member))
    }

    /// Takes a member out of everything on a desk, and erases who he was. His number stays, so that
    /// the games that he played can still be told.
    fn erase(&self, desk: &mut Desk, id: u32, by: Actor) -> Result<(), OfficeError> {
        let Some(before) = desk.member(self, id)? else { return Ok(()) };
        self.clear_lists(desk, &before)?;
        let reason = self.term("reason-left-club");
        for (game, seat) in desk.seats_of(self, id)? {
            match self.open_seat(desk, game, seat, by, &reason) {
                Ok(Ok(())) => {}
                // A game that is over needs nobody.
                Ok(Err(_over)) => {
                    desk.answer_no_more(game, seat, &before.name);
                    desk.forget_player(game, seat);
                }
                Err(OfficeError::Store(error)) => return Err(error.into()),
                // Of a broken one the moderator knows.
                Err(_) => {}
            }
        }
        let Some(member) = desk.member(self, id)? else { return Ok(()) };
        let name = Message::new("member-former").with("number", id);
        let Member { language, ascii, generation, past, .. } = member;
        desk.change(Member {
            id,
            name: self.library.language(&self.settings.language).say(&name),
            language,
            ascii,
            generation: generation.saturating_add(1),
            past,
            ..Member::default()
        });
        desk.batch.rewrite_journal = true;
        Ok(())
    }

    /// Takes a member off all lists around games.
    fn clear_lists(&self, desk: &mut Desk, member: &Member) -> Result<(), OfficeError> {
        for (game, before) in desk.all_gatherings(self)? {
            let mut gathering = before.clone();
            if let Some(proposal) = gathering.proposal.as_ref().filter(|p| p.founder() == member.id)
            {
                let proposal = proposal.clone();
                self.drop_proposal(desk, game, &proposal, member.id, "lobby-cancelled-for-you")?;
                continue;
            }
            if let Some(proposal) = &mut gathering.proposal {
                proposal.players.retain(|joined| joined.member != member.id);
            }
            for former in gathering.former.iter_mut().filter(|f| f.member == member.id) {
                former.aside = None;
            }
            gathering.observers.retain(|observer| *observer != member.id);
            gathering.waiting.retain(|waiting| *waiting != member.id);
            gathering.invited.retain(|address| !member.addresses.contains(address));
            if gathering != before {
                desk.gatherings.insert(game, gathering);
            }
        }
        Ok(())
    }
}
